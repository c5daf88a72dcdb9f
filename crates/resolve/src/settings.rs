//! What manifests say about where modules are.

mod json;
mod scripts;

use toml::Value as Toml;

/// Facts from manifests of all ecosystems. Directories are from the root, without a slash at the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Packages by name: npm packages, crates, Go modules, with the directory of their manifest.
    pub packages: Vec<Package>,
    /// Directories from which dotted paths and includes start: `src`.
    pub roots: Vec<String>,
    /// Prefixes of module names and what they stand for, by the directory they hold in.
    pub aliases: Vec<Alias>,
    /// Files that may extend each other, until all are read.
    scripts: Vec<scripts::Script>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    pub ecosystem: Ecosystem,
    pub name: String,
    pub directory: String,
    /// Files that stand for the package, by what is written behind its name: `.`, `./sub`, `lib`.
    pub entries: Vec<(String, String)>,
    /// Imports start from the root of the crate, as they did before the edition of 2018.
    pub imports_from_root: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ecosystem {
    Npm,
    Cargo,
    Go,
    DotNet,
    /// What holds in all .NET projects below a directory.
    Msbuild,
    Gem,
}

/// `@/*` → `src/*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    pub ecosystem: Ecosystem,
    /// Files below this directory see it.
    pub directory: String,
    /// With at most one `*`.
    pub pattern: String,
    /// From the root of the project.
    pub targets: Vec<String>,
}

/// Whether a file is a manifest that linking reads.
pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "package.json" | "Cargo.toml" | "pyproject.toml" | "setup.cfg")
        || is_go_module(name)
        || is_script_configuration(name)
        || is_dotnet_project(name)
        || is_shared_build(name)
        || name.ends_with(".gemspec")
}

/// A project that is no module for others, but has dependencies, may say so in a file of another name.
fn is_go_module(name: &str) -> bool {
    matches!(name, "go.mod" | "vendor.mod")
}

fn is_shared_build(name: &str) -> bool {
    matches!(name, "Directory.Build.props" | "Directory.Build.targets")
}

fn is_dotnet_project(name: &str) -> bool {
    name.ends_with(".csproj") || name.ends_with(".fsproj") || name.ends_with(".vbproj")
}

fn is_script_configuration(name: &str) -> bool {
    (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json")
}

impl Settings {
    /// Adds what a manifest says. What cannot be read says nothing. When all are read, [`Self::finish`]
    /// puts them together.
    pub fn read(&mut self, path: &str, text: &str) {
        let directory = crate::memory::parent(path);
        let name = path.rsplit('/').next().unwrap_or(path);
        match name {
            "package.json" => self.read_package(directory, text),
            name if is_go_module(name) => self.read_go(directory, text),
            "Cargo.toml" => self.read_cargo(directory, text),
            "pyproject.toml" | "setup.cfg" => {
                for root in ["src", "lib"] {
                    self.roots.push(joined(directory, root));
                }
            }
            name if is_script_configuration(name) => {
                self.scripts.extend(scripts::Script::read(path, directory, text));
            }
            name if is_shared_build(name) => {
                self.add(Ecosystem::Msbuild, name, directory, usings(text));
            }
            name if is_dotnet_project(name) => {
                let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
                self.add(Ecosystem::DotNet, name, directory, usings(text));
            }
            name if name.ends_with(".gemspec") => {
                let name = name.trim_end_matches(".gemspec");
                self.add(Ecosystem::Gem, name, directory, Vec::new());
            }
            _ => {}
        }
    }

    fn read_go(&mut self, directory: &str, text: &str) {
        let name = text.lines().find_map(|line| line.trim().strip_prefix("module "));
        if let Some(name) = name {
            let name = name.split("//").next().unwrap_or(name).trim().trim_matches('"');
            self.add(Ecosystem::Go, name, directory, Vec::new());
        }
    }

    fn read_cargo(&mut self, directory: &str, text: &str) {
        let Ok(manifest) = text.parse::<toml::Table>() else { return };
        self.read_renames(directory, &manifest);
        let text_at = |table: &str, key: &str| {
            manifest.get(table).and_then(|table| table.get(key)).and_then(Toml::as_str)
        };
        let Some(package) = text_at("package", "name") else { return };
        let mut entries = Vec::new();
        if let Some(path) = text_at("lib", "path") {
            entries.push(("lib".to_owned(), joined(directory, path)));
        }
        for kind in ["bin", "test", "example", "bench"] {
            let listed = manifest.get(kind).and_then(Toml::as_array);
            for each in listed.into_iter().flatten() {
                if let Some(path) = each.get("path").and_then(Toml::as_str) {
                    entries.push((kind.to_owned(), joined(directory, path)));
                }
            }
        }
        let name = text_at("lib", "name").unwrap_or(package);
        self.add(Ecosystem::Cargo, name, directory, entries);
        let edition = manifest.get("package").and_then(|table| table.get("edition"));
        // One that is inherited is of a time that had workspaces to inherit from.
        let is_first = edition.is_none_or(|edition| edition.as_str() == Some("2015"));
        if let Some(added) = self.packages.last_mut() {
            added.imports_from_root = is_first;
        }
    }

    /// `name = { package = "real-name" }`: crates that are known here by other names.
    fn read_renames(&mut self, directory: &str, manifest: &toml::Table) {
        let mut tables: Vec<&Toml> = ["dependencies", "dev-dependencies", "build-dependencies"]
            .iter()
            .filter_map(|table| manifest.get(*table))
            .collect();
        tables.extend(manifest.get("workspace").and_then(|table| table.get("dependencies")));
        for (name, dependency) in tables.into_iter().filter_map(Toml::as_table).flatten() {
            if let Some(package) = dependency.get("package").and_then(Toml::as_str) {
                self.aliases.push(Alias {
                    ecosystem: Ecosystem::Cargo,
                    directory: directory.to_owned(),
                    pattern: name.clone(),
                    targets: vec![package.to_owned()],
                });
            }
        }
    }

    fn read_package(&mut self, directory: &str, text: &str) {
        let Some(manifest) = json::parse(text) else { return };
        let mut entries = Vec::new();
        let mut add = |key: &str, value: &serde_json::Value| {
            json::each_text(value, &mut |target| {
                entries.push((key.to_owned(), target.trim_start_matches("./").to_owned()));
            });
        };
        for field in ["exports", "imports"] {
            match manifest.get(field) {
                Some(serde_json::Value::Object(map))
                    if map.keys().any(|key| key.starts_with(['.', '#'])) =>
                {
                    map.iter().for_each(|(key, value)| add(key, value));
                }
                Some(other) if field == "exports" => add(".", other),
                _ => {}
            }
        }
        for field in ["source", "types", "typings", "module", "main"] {
            if let Some(value) = manifest.get(field) {
                add(".", value);
            }
        }
        let name = manifest.get("name").and_then(|name| name.as_str()).unwrap_or_default();
        self.add(Ecosystem::Npm, name, directory, entries);
    }

    fn add(
        &mut self,
        ecosystem: Ecosystem,
        name: &str,
        directory: &str,
        entries: Vec<(String, String)>,
    ) {
        let (name, directory) = (name.to_owned(), directory.to_owned());
        let imports_from_root = false;
        self.packages.push(Package { ecosystem, name, directory, entries, imports_from_root });
    }

    /// The innermost package of an ecosystem around a path.
    pub(crate) fn package_around(&self, ecosystem: Ecosystem, path: &str) -> Option<&Package> {
        self.packages
            .iter()
            .filter(|package| package.ecosystem == ecosystem && is_below(path, &package.directory))
            .max_by_key(|package| package.directory.len())
    }
}

/// The namespaces that a .NET project imports into all of its files.
fn usings(text: &str) -> Vec<(String, String)> {
    let elements = text.split("<Using ").skip(1);
    let included = elements.filter_map(|element| {
        let element = element.split('>').next()?;
        let (_, name) = element.split_once("Include=\"")?;
        let (name, _) = name.split_once('"')?;
        (!element.contains("Alias=")).then(|| ("using".to_owned(), name.to_owned()))
    });
    included.collect()
}

fn joined(directory: &str, relative: &str) -> String {
    crate::modules::joined(directory, relative).unwrap_or_default()
}

/// Whether a path lies in a directory or below it.
pub(crate) fn is_below(path: &str, directory: &str) -> bool {
    directory.is_empty()
        || path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
