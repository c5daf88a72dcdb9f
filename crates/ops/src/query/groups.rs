//! Rows by who owns their file, or where it is.

use std::collections::{BTreeMap, HashMap};

use ::index::Project;
use ::index::read::read_small_file;
use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use serde_json::Value;
use store::sandbox::{Limits, Rows};

use super::ask::Asker;
use super::places;
use crate::Result;
use crate::owners::Owners;

/// What rows are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum GroupBy {
    /// Who `CODEOWNERS` names for the file
    Owner,
    /// The first directory of the path
    Directory,
    /// The package of the file: the nearest directory with a manifest
    Package,
    /// The language of the file
    Language,
}

impl GroupBy {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Directory => "directory",
            Self::Package => "package",
            Self::Language => "language",
        }
    }
}

/// Rows that belong together.
#[derive(Debug)]
pub struct Group {
    pub key: String,
    pub rows: Vec<Vec<Value>>,
}

/// What a row without a path belongs to.
const UNKNOWN: &str = "<unknown>";
const UNOWNED: &str = "<unowned>";
const ROOT: &str = "<root>";

/// Groups rows, the largest group first.
pub(crate) fn group(asker: &mut Asker<'_>, rows: &Rows, by: GroupBy) -> Result<Vec<Group>> {
    let columns = places::path_columns(&rows.columns);
    let language = places::position(&rows.columns, "language").filter(|_| by == GroupBy::Language);
    let keys = Keys::new(asker, by, language.is_some())?;
    let mut groups: BTreeMap<String, Vec<Vec<Value>>> = BTreeMap::new();
    for row in &rows.rows {
        let path = columns.iter().find_map(|at| row.get(*at)?.as_str());
        let said = language.and_then(|at| row.get(at)?.as_str());
        let key = match (said, path) {
            (Some(said), _) => said.to_owned(),
            (None, Some(path)) => keys.of(path),
            (None, None) => UNKNOWN.to_owned(),
        };
        groups.entry(key).or_default().push(row.clone());
    }
    let mut groups: Vec<Group> =
        groups.into_iter().map(|(key, rows)| Group { key, rows }).collect();
    // The sort keeps the order of keys where groups are equally large.
    groups.sort_by_key(|group| std::cmp::Reverse(group.rows.len()));
    Ok(groups)
}

/// From a path to a key.
enum Keys {
    Directory,
    Owner(Owners),
    /// Directories of packages, the longest first.
    Package(Vec<String>),
    Language(HashMap<String, String>),
}

impl Keys {
    fn new(asker: &mut Asker<'_>, by: GroupBy, is_known: bool) -> Result<Self> {
        let everything = Limits { rows: usize::MAX, ..Limits::default() };
        let mut files = |sql: &str| asker.run(sql, &[], &everything);
        Ok(match by {
            GroupBy::Directory => Self::Directory,
            GroupBy::Owner => Self::Owner(Owners::of(&asker.project)),
            GroupBy::Language if is_known => Self::Language(HashMap::new()),
            GroupBy::Language => {
                let found = files("SELECT path, language FROM files")?;
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let pair = |row: &Vec<Value>| (text(&row[0]), text(&row[1]));
                Self::Language(found.rows.iter().map(pair).collect())
            }
            GroupBy::Package => {
                let found = files("SELECT path FROM files")?;
                let paths = found.rows.iter().filter_map(|row| row.first()?.as_str());
                let paths: Vec<&str> = paths.collect();
                Self::Package(packages(&asker.project, &paths))
            }
        })
    }

    fn of(&self, path: &str) -> String {
        match self {
            Self::Directory => path.split_once('/').map_or(".", |(first, _)| first).to_owned(),
            Self::Owner(owners) => match owners.of_file(path) {
                [] => UNOWNED.to_owned(),
                named => named.join(" "),
            },
            Self::Package(packages) => {
                let is_in = |package: &&String| {
                    path.strip_prefix(package.as_str()).is_some_and(|rest| rest.starts_with('/'))
                };
                packages.iter().find(is_in).map_or(ROOT, String::as_str).to_owned()
            }
            Self::Language(languages) => {
                languages.get(path).map_or(UNKNOWN, String::as_str).to_owned()
            }
        }
    }
}

const MANIFESTS: &[&str] = &[
    "package.json",
    "Cargo.toml",
    "go.mod",
    "vendor.mod",
    "pyproject.toml",
    "setup.py",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "Package.swift",
    "build.sbt",
];

/// Directories below the root that are packages, the longest path first.
fn packages(project: &Project, paths: &[&str]) -> Vec<String> {
    let workspaces = workspaces(project);
    let mut found: Vec<String> = Vec::new();
    for path in paths {
        let Some((directory, name)) = path.rsplit_once('/') else { continue };
        let is_manifest =
            MANIFESTS.contains(&name) || name.ends_with(".csproj") || name.ends_with(".gemspec");
        // Where a project lists its packages of JavaScript, others are fixtures and the like.
        let is_listed = match (&workspaces, name) {
            (Some(globs), "package.json") => globs.iter().any(|glob| glob.is_match(directory)),
            _ => true,
        };
        if is_manifest && is_listed {
            found.push(directory.to_owned());
        }
    }
    // A manifest may be ignored by git, or not indexed for another reason, and still be listed.
    found.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    found.dedup();
    found
}

/// What `package.json` and `pnpm-workspace.yaml` at the root list as packages.
fn workspaces(project: &Project) -> Option<Vec<GlobMatcher>> {
    let read = |name: &str| read_small_file(&project.root.join(name)).ok().flatten();
    let mut patterns: Vec<String> = Vec::new();
    if let Some(text) = read("package.json")
        && let Ok(json) = serde_json::from_str::<Value>(&text)
    {
        let list = json["workspaces"].as_array().or(json["workspaces"]["packages"].as_array());
        patterns.extend(list.into_iter().flatten().filter_map(|it| it.as_str()).map(str::to_owned));
    }
    if let Some(text) = read("pnpm-workspace.yaml") {
        let lines = text.lines().skip_while(|line| !line.starts_with("packages:")).skip(1);
        let items =
            lines.take_while(|line| line.trim().is_empty() || line.starts_with([' ', '-', '#']));
        let item = |line: &str| {
            let item = line.trim().strip_prefix('-')?.trim().trim_matches(['"', '\'']);
            (!item.is_empty()).then(|| item.to_owned())
        };
        patterns.extend(items.filter_map(item));
    }
    if patterns.is_empty() {
        return None;
    }
    let glob = |text: &String| {
        let text = text.trim_start_matches("./").trim_end_matches('/');
        GlobBuilder::new(text).literal_separator(true).build().ok()
    };
    let plain = patterns.iter().filter(|text| !text.starts_with('!'));
    Some(plain.filter_map(glob).map(|glob| glob.compile_matcher()).collect())
}

#[cfg(test)]
mod tests {
    use super::{Keys, Owners};

    #[test]
    fn cm_45_the_last_line_of_codeowners_that_matches_counts() {
        let lines = "* @all\n*.js @js  # comment\n/build/ @build\ndocs/* @docs\napps/ @apps\n/src/core @core @second\nlib/free\n";
        let keys = Keys::Owner(Owners::parse(lines));
        for (path, owner) in [
            ("readme", "@all"),
            ("a/b/c.js", "@js"),
            ("build/x.js", "@build"),
            ("x/build/y", "@all"),
            ("docs/a.md", "@docs"),
            ("docs/deep/a.md", "@all"),
            ("x/apps/y/z.py", "@apps"),
            ("src/core/deep/a.rs", "@core @second"),
            ("lib/free/a.rs", "<unowned>"),
        ] {
            assert_eq!(keys.of(path), owner, "{path}");
        }
    }
}
