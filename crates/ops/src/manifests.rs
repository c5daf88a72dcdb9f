//! What manifests say about a project: dependencies, entry points, how to build and test it.
//!
//! Manifests are those of package managers and build tools. They are read as text and never executed; what
//! cannot be read says nothing.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// What one manifest says.
#[derive(Debug, Default)]
pub(crate) struct Manifest {
    pub(crate) dependencies: Vec<String>,
    /// What can be started: its name and where it is, as written.
    pub(crate) entries: Vec<(String, String)>,
    /// Where the library of a package is, as written, if tests beside it are built with it.
    pub(crate) library: Option<String>,
    pub(crate) commands: Vec<Command>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Command {
    /// `build`, `test`, `lint` or `run`.
    pub purpose: &'static str,
    pub command: String,
    /// The manifest that says so.
    pub source: String,
}

/// What reads a manifest: its text, the directory it stands in, and whether a file is in that directory.
type Read = fn(&str, &dyn Fn(&str) -> bool) -> Manifest;

/// Say what a package needs; `*` stands for any beginning of a name.
const PACKAGES: &[(&str, Read)] = &[
    ("package.json", package_json),
    ("Cargo.toml", cargo),
    ("pyproject.toml", pyproject),
    ("requirements.txt", requirements),
    ("go.mod", go_mod),
    ("vendor.mod", go_mod),
    ("pom.xml", maven),
    ("build.gradle", gradle),
    ("build.gradle.kts", gradle),
    ("build.sbt", sbt),
    ("composer.json", composer),
    ("Gemfile", gemfile),
    ("Package.swift", swift_package),
    ("*.csproj", csproj),
    ("CMakeLists.txt", |_, _| commands(&[("build", "cmake -B build && cmake --build build")])),
];

/// Say only what can be done.
const TASKS: &[(&str, Read)] =
    &[("Makefile", makefile), ("tox.ini", |_, _| commands(&[("test", "tox")]))];

/// Whether a path is that of a manifest that is read here.
pub(crate) fn is_manifest(path: &str) -> bool {
    reader_of(path).is_some()
}

/// Whether it says what a package needs, so that all of the package may be another one when it changes.
pub(crate) fn is_of_package(path: &str) -> bool {
    reader_among(PACKAGES, path).is_some()
}

fn reader_of(path: &str) -> Option<Read> {
    reader_among(PACKAGES, path).or_else(|| reader_among(TASKS, path))
}

fn reader_among(manifests: &[(&str, Read)], path: &str) -> Option<Read> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_it = |known: &str| match known.strip_prefix('*') {
        Some(ending) => name.ends_with(ending),
        None => known == name,
    };
    manifests.iter().find(|(known, _)| is_it(known)).map(|(_, read)| *read)
}

/// Reads a manifest. `has` says whether a file stands beside it.
pub(crate) fn read(path: &str, text: &str, has: &dyn Fn(&str) -> bool) -> Manifest {
    let mut manifest = reader_of(path).map(|read| read(text, has)).unwrap_or_default();
    for command in &mut manifest.commands {
        command.source = path.to_owned();
    }
    // The language itself is no dependency.
    let registry = languages::Registry::builtin();
    manifest.dependencies.retain(|name| !name.is_empty() && registry.get(name).is_none());
    manifest.dependencies.sort();
    manifest.dependencies.dedup();
    manifest
}

fn commands(known: &[(&'static str, &str)]) -> Manifest {
    let command = |(purpose, command): &(&'static str, &str)| Command {
        purpose,
        command: (*command).to_owned(),
        source: String::new(),
    };
    Manifest { commands: known.iter().map(command).collect(), ..Manifest::default() }
}

/// Names of scripts and targets, and what they are for.
const PURPOSES: &[(&str, &str)] = &[
    ("build", "build"),
    ("all", "build"),
    ("compile", "build"),
    ("test", "test"),
    ("check", "test"),
    ("lint", "lint"),
    ("typecheck", "lint"),
    ("start", "run"),
    ("dev", "run"),
    ("serve", "run"),
];

fn named_commands<'n>(names: impl Iterator<Item = &'n str>, runner: &str) -> Vec<Command> {
    let names: Vec<&str> = names.collect();
    PURPOSES
        .iter()
        .filter(|(name, _)| names.contains(name))
        .map(|(name, purpose)| Command {
            purpose,
            command: format!("{runner} {name}"),
            source: String::new(),
        })
        .collect()
}

fn keys(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_object).map(|map| map.keys().cloned().collect()).unwrap_or_default()
}

fn package_json(text: &str, has: &dyn Fn(&str) -> bool) -> Manifest {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Manifest::default() };
    let name = value["name"].as_str().unwrap_or_default();
    let mut entries = Vec::new();
    match &value["bin"] {
        Value::String(path) => entries.push((name.to_owned(), path.clone())),
        Value::Object(bins) => entries.extend(
            bins.iter().filter_map(|(name, path)| Some((name.clone(), path.as_str()?.to_owned()))),
        ),
        _ => {}
    }
    if let Some(main) = value["main"].as_str() {
        entries.push((name.to_owned(), main.to_owned()));
    }
    let runner = match () {
        () if has("pnpm-lock.yaml") => "pnpm run",
        () if has("yarn.lock") => "yarn run",
        () => "npm run",
    };
    let scripts = keys(value.get("scripts"));
    Manifest {
        dependencies: keys(value.get("dependencies")),
        entries,
        commands: named_commands(scripts.iter().map(String::as_str), runner),
        ..Manifest::default()
    }
}

fn composer(text: &str, _: &dyn Fn(&str) -> bool) -> Manifest {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Manifest::default() };
    let bins = value["bin"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let scripts = keys(value.get("scripts"));
    Manifest {
        dependencies: keys(value.get("require")),
        entries: bins.map(|path| (path.to_owned(), path.to_owned())).collect(),
        commands: named_commands(scripts.iter().map(String::as_str), "composer run"),
        ..Manifest::default()
    }
}

fn table_keys(table: &toml::Table, path: &[&str]) -> Vec<String> {
    let mut table = table;
    for key in path {
        match table.get(*key).and_then(toml::Value::as_table) {
            Some(inner) => table = inner,
            None => return Vec::new(),
        }
    }
    table.keys().cloned().collect()
}

fn cargo(text: &str, has: &dyn Fn(&str) -> bool) -> Manifest {
    let Ok(table) = text.parse::<toml::Table>() else { return Manifest::default() };
    let text_at = |table: &toml::Table, key: &str| {
        table.get(key).and_then(toml::Value::as_str).map(str::to_owned)
    };
    let package = table.get("package").and_then(toml::Value::as_table);
    let name = package.and_then(|package| text_at(package, "name")).unwrap_or_default();
    let mut entries = Vec::new();
    for bin in table.get("bin").and_then(toml::Value::as_array).into_iter().flatten() {
        if let Some(bin) = bin.as_table() {
            let name = text_at(bin, "name").unwrap_or_default();
            let usual = || program_places(&name).into_iter().rfind(|place| has(place));
            let path = text_at(bin, "path").or_else(usual);
            entries.push((name, path.unwrap_or_else(|| "src/main.rs".to_owned())));
        }
    }
    if entries.is_empty() {
        let places = program_places(&name).into_iter().filter(|place| has(place));
        entries.extend(places.map(|place| (name.clone(), place)));
    }
    let library = table.get("lib").and_then(toml::Value::as_table);
    let library = library.and_then(|library| text_at(library, "path"));
    let library = library.or_else(|| Some("src/lib.rs".to_owned())).filter(|place| has(place));
    let mut dependencies = table_keys(&table, &["dependencies"]);
    dependencies.extend(table_keys(&table, &["workspace", "dependencies"]));
    let commands = commands(&[("build", "cargo build"), ("test", "cargo test")]).commands;
    Manifest { dependencies, entries, library, commands }
}

/// Where the program of a name lies if nothing else is said.
fn program_places(name: &str) -> [String; 3] {
    ["src/main.rs".to_owned(), format!("src/bin/{name}.rs"), format!("src/bin/{name}/main.rs")]
}

fn pyproject(text: &str, _: &dyn Fn(&str) -> bool) -> Manifest {
    let Ok(table) = text.parse::<toml::Table>() else { return Manifest::default() };
    let at = |path: &[&str]| {
        path.iter().try_fold(None::<&toml::Value>, |value, key| {
            let table = match value {
                None => Some(&table),
                Some(value) => value.as_table(),
            };
            table.and_then(|table| table.get(*key)).map(Some)
        })
    };
    let value = |path: &[&str]| at(path).flatten();
    let mut dependencies: Vec<String> = value(&["project", "dependencies"])
        .and_then(toml::Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|text| text.as_str().map(requirement))
        .collect();
    dependencies.extend(table_keys(&table, &["tool", "poetry", "dependencies"]));
    let mut entries = Vec::new();
    for path in [&["project", "scripts"][..], &["tool", "poetry", "scripts"]] {
        let scripts = value(path).and_then(toml::Value::as_table).into_iter().flatten();
        entries
            .extend(scripts.filter_map(|(name, to)| Some((name.clone(), to.as_str()?.to_owned()))));
    }
    let tests = value(&["tool", "pytest"]).map(|_| commands(&[("test", "pytest")]).commands);
    Manifest { dependencies, entries, commands: tests.unwrap_or_default(), ..Manifest::default() }
}

/// The name in `requests[security] >= 2; python_version > "3"`.
fn requirement(text: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    text.trim().chars().take_while(|c| is_name(*c)).collect()
}

fn requirements(text: &str, _: &dyn Fn(&str) -> bool) -> Manifest {
    let names = text.lines().filter(|line| !line.starts_with('-')).map(requirement);
    Manifest { dependencies: names.collect(), ..Manifest::default() }
}

fn go_mod(text: &str, _: &dyn Fn(&str) -> bool) -> Manifest {
    let mut inside = false;
    let mut dependencies = Vec::new();
    for line in text.lines().map(str::trim) {
        let line = match line.strip_prefix("require ") {
            Some(rest) if rest.trim() == "(" => {
                inside = true;
                continue;
            }
            Some(rest) => rest,
            None if line == ")" => {
                inside = false;
                continue;
            }
            None if inside => line,
            None => continue,
        };
        // What is needed only by others is no choice of this project.
        if !line.ends_with("// indirect") && !line.starts_with("//") {
            dependencies.extend(line.split_whitespace().next().map(str::to_owned));
        }
    }
    let commands = commands(&[("build", "go build ./..."), ("test", "go test ./...")]).commands;
    Manifest { dependencies, commands, ..Manifest::default() }
}

/// Texts between two others.
fn between<'t>(text: &'t str, open: &'t str, close: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split_once(close).map(|(inner, _)| inner))
}

fn maven(text: &str, has: &dyn Fn(&str) -> bool) -> Manifest {
    let names = between(text, "<dependency>", "</dependency>")
        .filter_map(|inner| between(inner, "<artifactId>", "</artifactId>").next())
        .map(|name| name.trim().to_owned());
    let runner = if has("mvnw") { "./mvnw" } else { "mvn" };
    let (build, test) = (format!("{runner} package"), format!("{runner} test"));
    let commands = commands(&[("build", &build), ("test", &test)]).commands;
    Manifest { dependencies: names.collect(), commands, ..Manifest::default() }
}

fn gradle(text: &str, has: &dyn Fn(&str) -> bool) -> Manifest {
    const WORDS: [&str; 4] = ["implementation", "api", "compileOnly", "runtimeOnly"];
    let mut dependencies = Vec::new();
    for line in text.lines().map(str::trim_start) {
        let Some(rest) = WORDS.iter().find_map(|word| line.strip_prefix(word)) else { continue };
        let literal = rest.trim_start_matches([' ', '(']).trim_start_matches("platform(");
        let mut quoted = literal.splitn(3, ['"', '\'']);
        if let (Some(""), Some(name)) = (quoted.next(), quoted.next()) {
            dependencies.extend(name.split(':').nth(1).map(str::to_owned));
        }
    }
    let runner = if has("gradlew") { "./gradlew" } else { "gradle" };
    let (build, test) = (format!("{runner} build"), format!("{runner} test"));
    let commands = commands(&[("build", &build), ("test", &test)]).commands;
    Manifest { dependencies, commands, ..Manifest::default() }
}

fn sbt(text: &str, _: &dyn Fn(&str) -> bool) -> Manifest {
    let mut dependencies = Vec::new();
    for line in text.lines() {
        let quoted: Vec<&str> = line.split('"').collect();
        if let [_, _, operator, name, ..] = quoted[..]
            && operator.trim().starts_with('%')
        {
            dependencies.push(name.to_owned());
        }
    }
    let commands = commands(&[("build", "sbt compile"), ("test", "sbt test")]).commands;
    Manifest { dependencies, commands, ..Manifest::default() }
}

fn gemfile(text: &str, _: &dyn Fn(&str) -> bool) -> Manifest {
    let names = text.lines().map(str::trim_start).filter_map(|line| {
        let mut quoted = line.strip_prefix("gem ")?.trim_start().splitn(3, ['"', '\'']);
        (quoted.next() == Some("")).then(|| quoted.next()).flatten().map(str::to_owned)
    });
    Manifest { dependencies: names.collect(), ..Manifest::default() }
}

fn csproj(text: &str, _: &dyn Fn(&str) -> bool) -> Manifest {
    let names = between(text, "<PackageReference Include=\"", "\"").map(str::to_owned).collect();
    let commands = commands(&[("build", "dotnet build"), ("test", "dotnet test")]).commands;
    Manifest { dependencies: names, commands, ..Manifest::default() }
}

fn swift_package(text: &str, _: &dyn Fn(&str) -> bool) -> Manifest {
    let names = between(text, "url: \"", "\"").map(|url| {
        let name = url.trim_end_matches('/').rsplit('/').next().unwrap_or(url);
        name.trim_end_matches(".git").to_owned()
    });
    let commands = commands(&[("build", "swift build"), ("test", "swift test")]).commands;
    Manifest { dependencies: names.collect(), commands, ..Manifest::default() }
}

fn makefile(text: &str, _: &dyn Fn(&str) -> bool) -> Manifest {
    let targets =
        text.lines().filter(|line| !line.starts_with(['\t', ' ', '#', '.'])).filter_map(|line| {
            let (target, rest) = line.split_once(':')?;
            // An assignment is no target.
            (!rest.starts_with('=')).then_some(target.trim())
        });
    Manifest { commands: named_commands(targets, "make"), ..Manifest::default() }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn dependencies(path: &str, text: &str) -> Vec<String> {
        read(path, text, &|_| false).dependencies
    }

    #[test]
    fn dependencies_are_found_in_every_kind_of_manifest() {
        for (path, text, names) in [
            (
                "package.json",
                "{\"dependencies\": {\"react\": \"1\", \"left-pad\": \"2\"}}",
                &["left-pad", "react"][..],
            ),
            (
                "Cargo.toml",
                "[dependencies]\nserde = \"1\"\n[workspace.dependencies]\nclap = \"4\"\n",
                &["clap", "serde"],
            ),
            (
                "pyproject.toml",
                "[project]\ndependencies = [\"requests[socks]>=2\", \"attrs\"]\n",
                &["attrs", "requests"],
            ),
            (
                "requirements.txt",
                "# a comment\nflask==2\n-r other.txt\n\ndjango >= 3\n",
                &["django", "flask"],
            ),
            (
                "go.mod",
                "module x\nrequire (\n\ta.b/c v1\n\td.e/f v2 // indirect\n)\nrequire g.h/i v3\n",
                &["a.b/c", "g.h/i"],
            ),
            (
                "pom.xml",
                "<dependency><groupId>g</groupId><artifactId>core</artifactId></dependency>",
                &["core"],
            ),
            (
                "build.gradle",
                "dependencies {\n  implementation 'g:a:1'\n  api(\"g:b:2\")\n  api project(':x')\n}\n",
                &["a", "b"],
            ),
            ("build.sbt", "libraryDependencies += \"org\" %% \"cats\" % \"1\"\n", &["cats"]),
            ("composer.json", "{\"require\": {\"php\": \"8\", \"a/b\": \"1\"}}", &["a/b"]),
            ("Gemfile", "gem 'rails', '7'\ngem \"pg\"\n", &["pg", "rails"]),
            ("a/b.csproj", "<PackageReference Include=\"Moq\" Version=\"1\" />", &["Moq"]),
            (
                "Package.swift",
                ".package(url: \"https://x.y/z/Nimble.git\", from: \"1\")",
                &["Nimble"],
            ),
        ] {
            assert_eq!(dependencies(path, text), names, "{path}");
        }
    }

    #[test]
    fn broken_manifests_say_nothing() {
        for path in
            ["package.json", "Cargo.toml", "pyproject.toml", "pom.xml", "go.mod", "Makefile"]
        {
            for text in ["", "{", "[[", "\0", "<dependency>", "require (", "é:é:é"] {
                assert!(dependencies(path, text).is_empty(), "{path}: {text}");
            }
        }
    }

    #[test]
    fn scripts_and_targets_become_commands() {
        let scripts = "{\"name\": \"app\", \"bin\": {\"app\": \"cli.js\"}, \"scripts\": {\"test\": \"jest\", \"build\": \"tsc\", \"other\": \"x\"}}";
        let found = read("web/package.json", scripts, &|name| name == "yarn.lock");
        let commands: Vec<&str> = found.commands.iter().map(|c| c.command.as_str()).collect();
        assert_eq!(commands, ["yarn run build", "yarn run test"]);
        assert_eq!(found.commands[0].source, "web/package.json");
        assert_eq!(found.entries, [("app".to_owned(), "cli.js".to_owned())]);
        let found = read(
            "Makefile",
            "CC := gcc\n.PHONY: test\nall: main\ntest check: all\n\t@run\ntest:\n",
            &|_| false,
        );
        let commands: Vec<&str> = found.commands.iter().map(|c| c.command.as_str()).collect();
        assert_eq!(commands, ["make all", "make test"]);
    }
}
