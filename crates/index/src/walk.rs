//! Which files a project has.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use globset::{Glob, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;

use crate::config::Config;
use crate::error::{Error, Kind};
use crate::project::Project;
use crate::read::MAX_SMALL_FILE;
use crate::stamp;
use store::Stamp;

/// A file of the project, or a reason why it is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// From the root, with `/`.
    pub path: String,
    pub absolute: PathBuf,
    pub skip: Option<&'static str>,
    pub size: u64,
    pub stamp: Stamp,
}

impl Found {
    fn unseen(path: String, absolute: PathBuf, skip: &'static str) -> Self {
        Self { path, absolute, skip: Some(skip), size: 0, stamp: Stamp::default() }
    }
}

/// Files that hold keys and passwords; they are listed, never read.
const SECRETS: &[&str] = &[
    ".env",
    ".env.*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".npmrc",
    ".pypirc",
    ".netrc",
    "*.tfstate",
    "*.tfstate.*",
    ".git-credentials",
    ".htpasswd",
];
/// Written by programs for programs.
const MINIFIED: &[&str] = &["*.min.js", "*.min.mjs", "*.min.cjs", "*.min.css"];
/// No path that is longer can be used everywhere.
const MAX_PATH: usize = 4096;

/// All files of a project in the order of their paths, by the rules of `.gitignore` files and the
/// configuration. Links are not followed.
pub fn walk(project: &Project, config: &Config) -> Result<Vec<Found>, Error> {
    let include = globs(&config.include)?;
    let exclude = globs(&config.exclude)?;
    let secrets = globs(SECRETS)?;
    let minified = globs(MINIFIED)?;
    if let Some(ignore_file) = hostile_ignore_file(&project.root) {
        // Without its rules the whole tree would be indexed, which nobody wants.
        let message = format!("{} is not a usable ignore file", ignore_file.display());
        return Err(
            Error::new(Kind::Refused, message).hint("It must be a regular file of at most 1 MiB.")
        );
    }
    let left_out = LeftOut::default();
    let mut builder = WalkBuilder::new(&project.root);
    builder.hidden(false).follow_links(false).require_git(false).filter_entry({
        let (project, config) = (project.clone(), config.clone());
        let (exclude, left_out) = (exclude.clone(), left_out.clone());
        move |entry| {
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            !is_directory
                || entry.depth() == 0
                || is_walked(entry.path(), &project, &config, &exclude, &left_out)
        }
    });
    let mut found = Vec::new();
    for entry in builder.build() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                found.extend(closed_directory(project, &error));
                continue;
            }
        };
        let Some(kind) = entry.file_type().filter(|kind| !kind.is_dir()) else { continue };
        // A file that is gone by now is found out when it is read.
        let (size, stamp) = entry
            .metadata()
            .map_or((0, Stamp::default()), |metadata| (metadata.len(), stamp::of(&metadata)));
        let absolute = entry.into_path();
        let Some(path) = relative_path(&project.root, &absolute) else {
            let path = absolute.strip_prefix(&project.root).unwrap_or(&absolute);
            let path = path.to_string_lossy().into_owned();
            found.push(Found::unseen(path, absolute, "path"));
            continue;
        };
        if exclude.is_match(&path) || (!config.include.is_empty() && !include.is_match(&path)) {
            continue;
        }
        let name = path.rsplit('/').next().unwrap_or(&path);
        let skip = if kind.is_symlink() {
            Some("symlink")
        } else if !kind.is_file() {
            Some("not_regular")
        } else if path.len() > MAX_PATH || path.contains(['\n', '\r', '\0']) {
            Some("path")
        } else if secrets.is_match(name) {
            Some("secret")
        } else if minified.is_match(name) {
            Some("minified")
        } else {
            None
        };
        found.push(Found { path, absolute, skip, size, stamp });
    }
    for absolute in left_out.take() {
        if let Some(path) = relative_path(&project.root, &absolute) {
            found.push(Found::unseen(path, absolute, "ignore_file"));
        }
    }
    // A path that is no UTF-8 may look like another one once it is written down: the good one stays.
    found.sort_unstable_by(|a, b| (&a.path, a.skip).cmp(&(&b.path, b.skip)));
    found.dedup_by(|a, b| a.path == b.path);
    Ok(found)
}

/// A directory that could not be walked: nobody must take its files for absent.
fn closed_directory(project: &Project, error: &ignore::Error) -> Option<Found> {
    use std::io::ErrorKind::NotFound;
    if error.io_error().is_some_and(|error| error.kind() == NotFound) {
        return None;
    }
    let absolute = path_of(error)?.to_owned();
    let path = absolute.strip_prefix(&project.root).ok()?.to_string_lossy().into_owned();
    let is_long = absolute.as_os_str().len() >= MAX_PATH;
    let skip = if is_long { "path" } else { "unreadable" };
    (!path.is_empty()).then_some(Found::unseen(path, absolute, skip))
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

/// Whether the walk goes into a directory.
fn is_walked(
    path: &Path,
    project: &Project,
    config: &Config,
    exclude: &GlobSet,
    left_out: &LeftOut,
) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if config.excluded_directories.iter().any(|excluded| *excluded == name) || path == project.state
    {
        return false;
    }
    let relative = relative_path(&project.root, path).unwrap_or_default();
    if exclude.is_match(&relative) || exclude.is_match(format!("{relative}/")) {
        return false;
    }
    match hostile_ignore_file(path) {
        None => true,
        Some(ignore_file) => {
            left_out.push(ignore_file);
            false
        }
    }
}

/// Ignore files that made us leave out their directory.
#[derive(Debug, Clone, Default)]
struct LeftOut(std::sync::Arc<Mutex<Vec<PathBuf>>>);

impl LeftOut {
    fn push(&self, path: PathBuf) {
        self.0.lock().expect("nobody panics while holding it").push(path);
    }

    fn take(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.0.lock().expect("nobody panics while holding it"))
    }
}

/// An ignore file in this directory that is a pipe, a device or a bomb: reading it could block or
/// take for ever.
fn hostile_ignore_file(directory: &Path) -> Option<PathBuf> {
    [".gitignore", ".ignore", ".git/info/exclude"]
        .into_iter()
        .map(|name| directory.join(name))
        .find(|path| {
            std::fs::metadata(path)
                .is_ok_and(|metadata| !metadata.is_file() || metadata.len() > MAX_SMALL_FILE)
        })
}

/// The path from the root with `/`, if it is UTF-8.
fn relative_path(root: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok()?.to_str()?;
    Some(if std::path::MAIN_SEPARATOR == '/' {
        relative.to_owned()
    } else {
        relative.replace(std::path::MAIN_SEPARATOR, "/")
    })
}

fn globs(patterns: &[impl AsRef<str>]) -> Result<GlobSet, Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let glob = Glob::new(pattern.as_ref())
            .map_err(|error| Error::new(Kind::Usage, error.to_string()))?;
        set.add(glob);
    }
    set.build().map_err(|error| Error::new(Kind::Usage, error.to_string()))
}
