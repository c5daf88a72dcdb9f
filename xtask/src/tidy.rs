//! Invariants of the sources that no compiler checks.
//!
//! Each rule is a function from the files of the repository to findings. A rule is a blunt reading of
//! lines: it may be satisfied by tricks, but honest code is never in its way.

use std::path::Path;

use crate::Outcome;

/// Every crate may depend only on those before it. The test kit and xtask stand beside the row.
const READING_ORDER: &[&str] = &[
    "model",
    "words",
    "languages",
    "extract",
    "resolve",
    "store",
    "index",
    "tokens",
    "ops",
    "setup",
    "serve",
    "cli",
];

const MAX_LINES: usize = 600;
const MAX_ARCHITECTURE: usize = 200;

/// A file of the repository, with its path from the root.
struct File {
    path: String,
    text: String,
}

/// What a rule has to say, as `path:line: what`.
type Findings = Vec<String>;
type Rule = fn(&[File]) -> Findings;

const RULES: &[(&str, Rule)] = &[
    ("files are short", files_are_short),
    ("crates depend only on those above them", crates_keep_their_order),
    ("only the store knows SQLite", only_the_store_knows_sqlite),
    ("facts are made without looking around", extraction_does_no_io),
    ("nothing is unwrapped", nothing_is_unwrapped),
    ("unsafe code stays where it must be", unsafe_stays_in_its_places),
    ("languages are data", languages_are_data),
    ("every dependency has a reason", dependencies_have_reasons),
    ("no path of anybody's machine", no_machine_paths),
    ("links lead somewhere", links_lead_somewhere),
];

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if !arguments.is_empty() {
        return Err("tidy takes no arguments".into());
    }
    let files = files()?;
    let mut broken = 0;
    for (rule, check) in RULES {
        let findings = check(&files);
        if !findings.is_empty() {
            broken += 1;
            eprintln!("{rule}:");
            for finding in findings {
                eprintln!("  {finding}");
            }
        }
    }
    if broken == 0 { Ok(()) } else { Err(format!("{broken} rules are broken").into()) }
}

/// All text files that are, or would be, under version control.
fn files() -> Result<Vec<File>, Box<dyn std::error::Error>> {
    let root = crate::root();
    let mut files = Vec::new();
    let is_foreign = |path: &Path| path.ends_with(".git") || path.ends_with(".groma");
    let walk = ignore::WalkBuilder::new(&root)
        .hidden(false)
        .filter_entry(move |entry| !is_foreign(entry.path()))
        .sort_by_file_path(Path::cmp)
        .build();
    for entry in walk {
        let entry = entry?;
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path().strip_prefix(&root)?.to_string_lossy().replace('\\', "/");
        if let Ok(text) = std::fs::read_to_string(entry.path()) {
            files.push(File { path, text });
        }
    }
    Ok(files)
}

impl File {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs") && !self.is_fixture()
    }

    fn is_fixture(&self) -> bool {
        self.path.contains("/fixtures/")
    }

    fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/")
    }

    /// Numbered lines of code, without the tests at the end of the file and without comments.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate();
        lines
            .take_while(|(_, line)| !line.starts_with("mod tests {"))
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
            .map(|(at, line)| (at + 1, line))
    }

    fn find(&self, finding: impl Fn(&str) -> Option<String>) -> impl Iterator<Item = String> {
        self.code().filter_map(move |(line, text)| {
            finding(text).map(|what| format!("{}:{line}: {what}", self.path))
        })
    }
}

fn files_are_short(files: &[File]) -> Findings {
    let written = |file: &&File| {
        let kinds = [".rs", ".sql", ".scm", ".toml"];
        kinds.iter().any(|kind| file.path.ends_with(kind)) && !file.is_fixture() && !file.is_test()
    };
    let too_long = |file: &File, limit: usize| {
        let lines = file.text.lines().count();
        (lines > limit).then(|| format!("{}: {lines} lines, at most {limit}", file.path))
    };
    let architecture = files.iter().filter(|file| file.path == "ARCHITECTURE.md");
    let sources = files.iter().filter(written).filter_map(|file| too_long(file, MAX_LINES));
    sources.chain(architecture.filter_map(|file| too_long(file, MAX_ARCHITECTURE))).collect()
}

/// The names in a section of a manifest, with their lines.
fn entries<'f>(file: &'f File, section: &str) -> Vec<(usize, &'f str, &'f str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.trim() == format!("[{section}]");
        } else if inside && line.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let name = line.split(['.', ' ', '=']).next().unwrap_or(line);
            found.push((at + 1, name, line));
        }
    }
    found
}

fn manifests(files: &[File]) -> impl Iterator<Item = (&str, &File)> {
    files.iter().filter_map(|file| {
        let name = file.path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
        Some((name, file))
    })
}

fn crates_keep_their_order(files: &[File]) -> Findings {
    let place = |name: &str| READING_ORDER.iter().position(|crate_name| *crate_name == name);
    let mut findings = Vec::new();
    for (name, file) in manifests(files).filter(|(name, _)| *name != "testkit") {
        let Some(own) = place(name) else {
            findings.push(format!("{}: `{name}` is not in the reading order", file.path));
            continue;
        };
        for (line, dependency, _) in entries(file, "dependencies") {
            let is_below = place(dependency).is_some_and(|other| other >= own);
            if is_below || dependency == "testkit" {
                findings.push(format!("{}:{line}: `{dependency}` stands below", file.path));
            }
        }
    }
    findings
}

fn only_the_store_knows_sqlite(files: &[File]) -> Findings {
    let mut findings = Vec::new();
    for (_, file) in manifests(files).filter(|(name, _)| *name != "store") {
        for (line, dependency, _) in entries(file, "dependencies") {
            if dependency.contains("sqlite") {
                findings.push(format!("{}:{line}: `{dependency}`", file.path));
            }
        }
    }
    findings
}

fn extraction_does_no_io(files: &[File]) -> Findings {
    let pure =
        ["crates/model/src/", "crates/words/src/", "crates/extract/src/", "crates/resolve/src/"];
    let doors = ["std::fs", "std::env", "std::net", "std::process", "std::time", "std::io"];
    files
        .iter()
        .filter(|file| file.is_rust() && !file.is_test())
        .filter(|file| pure.iter().any(|folder| file.path.starts_with(folder)))
        .flat_map(|file| {
            file.find(move |line| {
                let door = doors.iter().find(|door| line.contains(**door))?;
                Some(format!("`{door}`"))
            })
        })
        .collect()
}

fn nothing_is_unwrapped(files: &[File]) -> Findings {
    // Put together, so that this line is not a finding itself.
    let call = concat!(".unwrap", "()");
    files
        .iter()
        .filter(|file| file.is_rust() && !file.is_test())
        .flat_map(|file| {
            file.find(move |line| {
                line.contains(call).then(|| "say why it holds, with `expect`".to_owned())
            })
        })
        .collect()
}

/// Where unsafe code may stand, each by a decision on record.
const UNSAFE_PLACES: [&str; 3] =
    ["crates/store/src/packed.rs", "crates/extract/src/memory.rs", "crates/cli/src/memory.rs"];

fn unsafe_stays_in_its_places(files: &[File]) -> Findings {
    let permission = concat!("allow(unsafe", "_code)");
    files
        .iter()
        .filter(|file| file.is_rust() && !UNSAFE_PLACES.contains(&file.path.as_str()))
        .flat_map(|file| {
            file.find(move |line| {
                line.contains(permission).then(|| "needs a decision record".to_owned())
            })
        })
        .collect()
}

/// Only the registry and the adapters of special parsers may name a language.
fn languages_are_data(files: &[File]) -> Findings {
    let may_name = |path: &str| {
        let adapters = ["oxc", "css", "markdown"];
        path == "crates/languages/src/registry.rs"
            || adapters.iter().any(|name| {
                let file = format!("crates/extract/src/{name}");
                path == format!("{file}.rs") || path.starts_with(&format!("{file}/"))
            })
    };
    let ids: Vec<String> = files
        .iter()
        .filter_map(|file| file.path.strip_prefix("languages/")?.strip_suffix("/language.toml"))
        // Text is the absence of a language, and a word with other meanings.
        .filter(|id| *id != "text")
        .map(|id| format!("\"{id}\""))
        .collect();
    files
        .iter()
        .filter(|file| file.path.starts_with("crates/") && file.is_rust() && !file.is_test())
        .filter(|file| !may_name(&file.path))
        .flat_map(|file| {
            file.find(|line| {
                let id = ids.iter().find(|id| line.contains(id.as_str()))?;
                Some(format!("names the language {id}"))
            })
        })
        .collect()
}

/// A dependency says why behind itself, or stands in a block under a comment that says it for all.
fn dependencies_have_reasons(files: &[File]) -> Findings {
    let Some(manifest) = files.iter().find(|file| file.path == "Cargo.toml") else {
        return vec!["Cargo.toml: not found".to_owned()];
    };
    let lines: Vec<&str> = manifest.text.lines().collect();
    let has_heading = |line: usize| {
        let above = lines[..line - 1].iter().rev().take_while(|line| !line.trim().is_empty());
        above.into_iter().any(|line| line.starts_with('#'))
    };
    entries(manifest, "workspace.dependencies")
        .into_iter()
        .filter(|(line, _, text)| {
            !text.contains("path = ") && !text.contains(" # ") && !has_heading(*line)
        })
        .map(|(line, name, _)| format!("Cargo.toml:{line}: why `{name}`?"))
        .collect()
}

fn no_machine_paths(files: &[File]) -> Findings {
    // Put together, so that this line is not a finding itself.
    let starts: Vec<String> =
        ["home", "root", "Users", "work", "tmp"].iter().map(|name| format!("/{name}/")).collect();
    let begins_path = |text: &str, at: usize| {
        text[..at].chars().next_back().is_none_or(|before| " \"'`(=:".contains(before))
    };
    files
        .iter()
        .filter(|file| !file.is_fixture() && !file.is_test() && file.path != "Cargo.lock")
        .flat_map(|file| {
            file.find(|line| {
                let found = starts.iter().find(|start| {
                    line.match_indices(start.as_str()).any(|(at, _)| begins_path(line, at))
                })?;
                Some(format!("a path under `{found}`"))
            })
        })
        .collect()
}

/// Relative links of our own Markdown pages.
fn links_lead_somewhere(files: &[File]) -> Findings {
    let root = crate::root();
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".md") && !file.is_fixture()) {
        let folder = root.join(&file.path);
        let folder = folder.parent().unwrap_or(&root);
        for (at, line) in file.text.lines().enumerate() {
            for rest in line.split("](").skip(1) {
                let target = rest.split([')', '#']).next().unwrap_or(rest);
                let is_ours = !target.is_empty() && !target.contains("://");
                if is_ours && !folder.join(target).exists() {
                    findings.push(format!("{}:{}: `{target}` is not there", file.path, at + 1));
                }
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_crate_may_not_depend_on_one_below_it() {
        let files = [file(
            "crates/store/Cargo.toml",
            "[dependencies]\nmodel.workspace = true\nops.workspace = true\n[dev-dependencies]\ntestkit.workspace = true\n",
        )];
        assert_eq!(
            crates_keep_their_order(&files),
            ["crates/store/Cargo.toml:3: `ops` stands below"]
        );
    }

    #[test]
    fn a_long_file_is_found_but_not_a_long_fixture() {
        let text = "x\n".repeat(601);
        let files = [file("crates/a/src/lib.rs", &text), file("languages/c/fixtures/a.rs", &text)];
        assert_eq!(files_are_short(&files), ["crates/a/src/lib.rs: 601 lines, at most 600"]);
    }

    #[test]
    fn unwrapping_is_for_tests() {
        let text = "// .unwrap()\na.unwrap();\n#[cfg(test)]\nmod tests {\n    b.unwrap();\n}\n";
        let found = nothing_is_unwrapped(&[file("crates/a/src/lib.rs", text)]);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("crates/a/src/lib.rs:2:"), "{found:?}");
    }

    #[test]
    fn naming_a_language_is_found_outside_the_registry() {
        let files = [
            file("languages/go/language.toml", ""),
            file("crates/languages/src/registry.rs", "\"go\""),
            file("crates/extract/src/css.rs", "\"go\""),
            file("crates/extract/src/walk.rs", "if id == \"go\" {}"),
        ];
        assert_eq!(
            languages_are_data(&files),
            ["crates/extract/src/walk.rs:1: names the language \"go\""]
        );
    }

    #[test]
    fn a_dependency_without_a_reason_is_found() {
        let manifest = "[workspace.dependencies]\nown = { path = \"own\" }\na = \"1\" # for a\nb = \"1\"\n\n# Parsers.\nc = \"1\"\nd = \"1\"\n";
        let files = [file("Cargo.toml", manifest)];
        assert_eq!(dependencies_have_reasons(&files), ["Cargo.toml:4: why `b`?"]);
    }

    #[test]
    fn extraction_may_not_read_files() {
        let files = [
            file("crates/extract/src/lib.rs", "use std::fs::File;\n"),
            file("crates/index/src/lib.rs", "use std::fs::File;\n"),
        ];
        assert_eq!(extraction_does_no_io(&files), ["crates/extract/src/lib.rs:1: `std::fs`"]);
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let path = ["/ho", "me/x"].concat();
        let files = [file("README.md", &format!("see `{path}`\nsrc{path}\n"))];
        assert_eq!(no_machine_paths(&files).len(), 1);
    }
}
