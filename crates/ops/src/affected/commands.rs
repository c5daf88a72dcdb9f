//! How the tests of some files are run, as the languages' tables say.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use languages::TestRunner;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;
use store::rusqlite;
use store::{FileHead, Reader};

use super::Test;

/// A command, and where it is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Run {
    /// From the root of the project; empty for the root itself.
    pub directory: String,
    pub command: String,
}

/// Commands that run these tests, each with as many of them as it can take.
pub(super) fn commands(
    reader: &Reader,
    heads: &[FileHead],
    tests: &[Test],
) -> rusqlite::Result<Vec<Run>> {
    let registry = languages::Registry::builtin();
    let mut beside: FxHashMap<&str, Vec<&FileHead>> = FxHashMap::default();
    for head in heads {
        beside.entry(directory_of(&head.path)).or_default().push(head);
    }
    // Tests in one directory are run in the same way.
    let mut known: FxHashMap<(&str, &str), Option<(String, String)>> = FxHashMap::default();
    let mut groups: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for test in tests {
        let Some(language) = registry.get(&test.language) else { continue };
        let directory = directory_of(&test.path);
        let run = match known.entry((&test.language, directory)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                new.insert(run_in(reader, &beside, &language.table.tests.run, directory)?)
            }
        };
        if let Some(run) = run {
            groups.entry(run.clone()).or_default().push(&test.path);
        }
    }
    Ok(groups
        .into_iter()
        .map(|((directory, command), paths)| Run {
            command: filled(&command, &directory, &paths),
            directory,
        })
        .collect())
}

/// Where the first runner that fits is started, and its command.
fn run_in(
    reader: &Reader,
    beside: &FxHashMap<&str, Vec<&FileHead>>,
    runners: &[TestRunner],
    directory: &str,
) -> rusqlite::Result<Option<(String, String)>> {
    for runner in runners {
        if let Some(place) = place_of(reader, beside, runner, directory)? {
            let command = with_package(reader, runner, &place)?;
            return Ok(Some((place.directory, command)));
        }
    }
    Ok(None)
}

fn directory_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

struct Place {
    directory: String,
    manifest: Option<String>,
}

/// The nearest directory, this or one above it, where a runner fits.
fn place_of(
    reader: &Reader,
    beside: &FxHashMap<&str, Vec<&FileHead>>,
    runner: &TestRunner,
    directory: &str,
) -> rusqlite::Result<Option<Place>> {
    let Some(pattern) = &runner.manifest else {
        return Ok(Some(Place { directory: String::new(), manifest: None }));
    };
    let Ok(glob) = globset::Glob::new(pattern) else { return Ok(None) };
    let matcher = glob.compile_matcher();
    let mut next = Some(directory);
    while let Some(directory) = next {
        next = (!directory.is_empty()).then(|| directory_of(directory));
        for head in beside.get(directory).into_iter().flatten() {
            let name = head.path.rsplit('/').next().unwrap_or(&head.path);
            if !matcher.is_match(name) {
                continue;
            }
            let fits = match &runner.contains {
                Some(wanted) => reader
                    .manifest_text(head.id)?
                    .is_some_and(|text| text.contains(wanted.as_str())),
                None => true,
            };
            if fits {
                return Ok(Some(Place {
                    directory: directory.to_owned(),
                    manifest: Some(head.path.clone()),
                }));
            }
        }
    }
    Ok(None)
}

/// Puts the name of the package into a command, as its manifest says it.
fn with_package(reader: &Reader, runner: &TestRunner, place: &Place) -> rusqlite::Result<String> {
    if !runner.command.contains("{package}") {
        return Ok(runner.command.clone());
    }
    let id = match &place.manifest {
        Some(path) => reader.file_id(path)?,
        None => None,
    };
    let text = match id {
        Some(id) => reader.manifest_text(id)?.unwrap_or_default(),
        None => String::new(),
    };
    let name = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("name"))
        .filter_map(|rest| rest.trim_start().strip_prefix('='))
        .map(|value| value.trim().trim_matches(['"', '\'']).to_owned())
        .next();
    Ok(runner.command.replace("{package}", &quoted(&name.unwrap_or_default())))
}

fn filled(command: &str, directory: &str, paths: &[&str]) -> String {
    let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let relative: Vec<&str> =
        paths.iter().map(|path| path.strip_prefix(&prefix).unwrap_or(path)).collect();
    let files: Vec<String> = relative.iter().map(|path| quoted(path)).collect();
    let mut directories: Vec<String> = relative
        .iter()
        .map(|path| {
            quoted(&format!("./{}", path.rsplit_once('/').map_or("", |(directory, _)| directory)))
        })
        .collect();
    directories.sort();
    directories.dedup();
    let names: Vec<&str> = relative
        .iter()
        .map(|path| path.rsplit('/').next().unwrap_or(path))
        .map(|name| name.split('.').next().unwrap_or(name))
        .collect();
    command
        .replace("{files}", &files.join(" "))
        .replace("{directories}", &directories.join(" "))
        .replace("{names}", &quoted(&names.join(",")))
}

/// For a shell: as it is where that is safe, otherwise in quotes.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./,@+=:".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) && !text.starts_with('-') {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}
