//! How the tests of some files are run, as the languages' tables say.

use std::collections::BTreeMap;

use languages::TestRunner;
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
    let mut groups: BTreeMap<(String, String), Vec<&str>> = BTreeMap::new();
    for test in tests {
        let Some(language) = registry.get(&test.language) else { continue };
        let mut found = None;
        for runner in &language.table.tests.run {
            if let Some(place) = place_of(reader, heads, runner, &test.path)? {
                found = Some((place, runner));
                break;
            }
        }
        if let Some((place, runner)) = found {
            let command = with_package(reader, runner, &place)?;
            groups.entry((place.directory, command)).or_default().push(&test.path);
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

struct Place {
    directory: String,
    manifest: Option<String>,
}

/// The nearest directory at or above a test where a runner fits.
fn place_of(
    reader: &Reader,
    heads: &[FileHead],
    runner: &TestRunner,
    path: &str,
) -> rusqlite::Result<Option<Place>> {
    let Some(pattern) = &runner.manifest else {
        return Ok(Some(Place { directory: String::new(), manifest: None }));
    };
    let Ok(glob) = globset::Glob::new(pattern) else { return Ok(None) };
    let matcher = glob.compile_matcher();
    let mut directory = path;
    while let Some((above, _)) =
        directory.rsplit_once('/').or_else(|| (!directory.is_empty()).then_some(("", directory)))
    {
        directory = above;
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let start = heads.partition_point(|head| head.path.as_str() < prefix.as_str());
        let beside = heads[start..]
            .iter()
            .take_while(|head| head.path.starts_with(&prefix))
            .filter(|head| {
                let name = &head.path[prefix.len()..];
                !name.contains('/') && matcher.is_match(name)
            });
        for head in beside {
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
        if directory.is_empty() {
            break;
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
