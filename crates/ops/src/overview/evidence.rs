//! What files, manifests, main functions and decorators tell about a project.

use std::collections::{BTreeMap, HashSet};

use ::index::Project;
use regex::Regex;
use store::Reader;
use store::rusqlite;

use super::{Dependencies, EntryPoint, Language, Module};
use crate::manifests::{self, Command};

/// A file, as far as it counts here.
#[derive(Debug)]
pub(crate) struct File {
    path: String,
    language: String,
    pub(super) lines: u64,
    pub(super) symbols: u64,
    pub(super) is_skipped: bool,
}

pub(super) fn files(reader: &Reader) -> rusqlite::Result<Vec<File>> {
    let mut statement = reader.connection().prepare(
        "SELECT path, language, line_count, symbol_count, status = 'skipped' FROM files",
    )?;
    let row = |row: &rusqlite::Row<'_>| {
        Ok(File {
            path: row.get(0)?,
            language: row.get(1)?,
            lines: row.get::<_, i64>(2)?.unsigned_abs(),
            symbols: row.get::<_, i64>(3)?.unsigned_abs(),
            is_skipped: row.get(4)?,
        })
    };
    statement.query_map([], row)?.collect()
}

/// Languages by number of lines. Text of no language is none.
pub(super) fn languages(files: &[File]) -> Vec<Language> {
    let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for file in files.iter().filter(|file| !file.is_skipped && file.language != "text") {
        let (count, lines) = counts.entry(&file.language).or_default();
        *count += 1;
        *lines += file.lines;
    }
    let language = |(name, (files, lines)): (&str, (u64, u64))| Language {
        language: name.to_owned(),
        files,
        lines,
    };
    let mut languages: Vec<Language> = counts.into_iter().map(language).collect();
    languages.sort_by_key(|language| std::cmp::Reverse(language.lines));
    languages
}

/// Directories at the top by number of symbols. One that holds almost everything is opened.
pub(super) fn modules(files: &[File]) -> Vec<Module> {
    let total: u64 = files.iter().map(|file| file.symbols).sum();
    let mut open = String::new();
    loop {
        let modules = below(files, &open);
        match modules.first() {
            Some(first) if first.symbols * 10 > total * 8 && first.path != open => {
                open.clone_from(&first.path);
            }
            // What is in files alone is no module further down.
            None => return below(files, parent(&open)),
            _ => return modules,
        }
    }
}

fn parent(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rfind('/').map_or("", |at| &path[..=at])
}

fn below(files: &[File], place: &str) -> Vec<Module> {
    let mut modules: BTreeMap<&str, Module> = BTreeMap::new();
    for file in files.iter().filter(|file| !file.is_skipped) {
        let Some(rest) = file.path.strip_prefix(place) else { continue };
        let Some(end) = rest.find('/') else { continue };
        let path = &file.path[..place.len() + end + 1];
        let module = modules.entry(path).or_insert_with(|| Module {
            path: path.to_owned(),
            files: 0,
            lines: 0,
            symbols: 0,
        });
        module.files += 1;
        module.lines += file.lines;
        module.symbols += file.symbols;
    }
    let mut modules: Vec<Module> = modules.into_values().collect();
    modules.sort_by_key(|module| std::cmp::Reverse((module.symbols, module.lines)));
    modules
}

#[derive(Debug, Default)]
pub(super) struct Evidence {
    pub(super) entries: Vec<EntryPoint>,
    pub(super) routes: Vec<EntryPoint>,
    pub(super) dependencies: Vec<Dependencies>,
    pub(super) commands: Vec<Command>,
}

/// Directories whose contents say nothing about what the project itself is.
const ASIDE: [&str; 12] = [
    "test",
    "tests",
    "testing",
    "testdata",
    "fixtures",
    "example",
    "examples",
    "third_party",
    "vendor",
    "node_modules",
    "benchmarks",
    "samples",
];

/// How far from the point a path is: aside, and how deep.
fn distance(path: &str) -> (bool, usize) {
    (is_aside(path), path.matches('/').count())
}

pub(super) fn is_aside(path: &str) -> bool {
    path.split('/').rev().skip(1).any(|part| ASIDE.contains(&part))
}

/// Manifests that are read: those nearest to the root.
const MAX_MANIFESTS: usize = 40;

pub(super) fn collect(
    project: &Project,
    reader: &Reader,
    files: &[File],
) -> rusqlite::Result<Evidence> {
    let mut evidence = Evidence::default();
    let known: HashSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let mut paths: Vec<&str> = files
        .iter()
        .filter(|file| !file.is_skipped && manifests::is_manifest(&file.path))
        .map(|file| file.path.as_str())
        .filter(|path| distance(path) <= (false, 3))
        .collect();
    paths.sort_by_key(|path| (distance(path), *path));
    for path in paths.into_iter().take(MAX_MANIFESTS) {
        read_manifest(project, path, &known, &mut evidence);
    }
    // Those with most to say first; of equals the nearest to the root.
    evidence
        .dependencies
        .sort_by_key(|one| (one.manifest.contains('/'), std::cmp::Reverse(one.total)));
    evidence.entries.extend(main_functions(reader, files)?);
    let mut seen = HashSet::new();
    evidence.entries.retain(|entry| seen.insert(entry.path.clone()));
    evidence.entries.sort_by_key(|entry| distance(&entry.path).0);
    evidence.routes = routes(reader)?;
    Ok(evidence)
}

fn read_manifest(project: &Project, path: &str, known: &HashSet<&str>, evidence: &mut Evidence) {
    let limit = ::index::read::MAX_SMALL_FILE;
    let content = ::index::read::read_source(&project.root.join(path), limit).0;
    let ::index::read::Content::Text { text, .. } = content else { return };
    let folder = path.rfind('/').map_or("", |at| &path[..=at]);
    let has = |name: &str| known.contains(format!("{folder}{name}").as_str());
    let manifest = manifests::read(path, &text, &has);
    if !manifest.dependencies.is_empty() {
        evidence.dependencies.push(Dependencies {
            manifest: path.to_owned(),
            total: manifest.dependencies.len(),
            names: manifest.dependencies,
        });
    }
    for (name, target) in manifest.entries {
        let target = target.trim_start_matches("./");
        evidence.entries.push(EntryPoint {
            name,
            path: format!("{folder}{target}"),
            line: None,
            evidence: path.to_owned(),
        });
    }
    // The commands of a part are run in it; those at the root are for all.
    if folder.is_empty() {
        evidence.commands.extend(manifest.commands);
    }
}

/// Functions that the system calls first, those of the largest programs first.
fn main_functions(reader: &Reader, files: &[File]) -> rusqlite::Result<Vec<EntryPoint>> {
    let mut statement = reader.connection().prepare(
        "SELECT file_path, line FROM symbols
         WHERE name IN ('main', 'Main') AND kind IN ('function', 'method') AND NOT in_test_file
         ORDER BY file_path",
    )?;
    let row = |row: &rusqlite::Row<'_>| {
        let path: String = row.get(0)?;
        Ok(EntryPoint {
            name: program_name(&path).to_owned(),
            path,
            line: Some(row.get(1)?),
            evidence: "main function".to_owned(),
        })
    };
    let entries = statement.query_map([], row)?.collect::<rusqlite::Result<Vec<_>>>()?;
    // A program is as large as what lies at and below its directory.
    let size = |entry: &EntryPoint| {
        let folder = entry.path.rfind('/').map_or("", |at| &entry.path[..=at]);
        let inside = files.iter().filter(|file| file.path.starts_with(folder));
        inside.map(|file| file.symbols).sum::<u64>()
    };
    let mut sized: Vec<(bool, u64, EntryPoint)> = entries
        .into_iter()
        .take(MAX_PROGRAMS)
        .map(|entry| (is_aside(&entry.path), size(&entry), entry))
        .collect();
    sized.sort_by_key(|(is_aside, size, _)| (*is_aside, std::cmp::Reverse(*size)));
    Ok(sized.into_iter().map(|(_, _, entry)| entry).collect())
}

/// Main functions that are compared by the size of their program.
const MAX_PROGRAMS: usize = 1000;

/// `cmd/server/main.x` is called server, `tools/lint.x` lint.
fn program_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let stem = parts.next().unwrap_or(path).split('.').next().unwrap_or(path);
    match stem {
        "main" | "__main__" | "Main" | "Program" | "index" => {
            parts.find(|part| !matches!(*part, "src" | "bin")).unwrap_or(stem)
        }
        stem => stem,
    }
}

/// Decorators that bind a function to a place of an HTTP interface: their name, and a text as the first
/// argument.
const ROUTE: &str = r#"(?i)^[@#\[]*[\w.]*\b(?:route|get|post|put|patch|delete|websocket|path|(?:get|post|put|patch|delete|request)mapping|http(?:get|post|put|patch|delete))\s*\(\s*(?:value\s*=\s*|path\s*=\s*)?["']([^"']*)["']"#;

fn routes(reader: &Reader) -> rusqlite::Result<Vec<EntryPoint>> {
    let route = Regex::new(ROUTE).expect("the expression is one");
    let mut statement = reader.connection().prepare(
        "SELECT s.decorators, f.path, s.name_line FROM symbol AS s
         JOIN file AS f ON f.id = s.id >> 24
         WHERE s.decorators IS NOT NULL AND f.retired IS NULL AND NOT f.is_test
         ORDER BY f.path, s.id",
    )?;
    let mut rows = statement.query([])?;
    let mut routes = Vec::new();
    while let Some(row) = rows.next()? {
        let decorators: Vec<String> =
            serde_json::from_str(row.get_ref(0)?.as_str()?).unwrap_or_default();
        for decorator in decorators {
            if let Some(found) = route.captures(&decorator) {
                routes.push(EntryPoint {
                    name: found.get(1).map_or(String::new(), |text| text.as_str().to_owned()),
                    path: row.get(1)?,
                    line: Some(row.get(2)?),
                    evidence: crate::text::one_line(&decorator, 80),
                });
            }
        }
    }
    routes.sort_by_key(|entry| distance(&entry.path));
    Ok(routes)
}
