//! Ignore rules of a directory and of those above it, as git reads them.

use std::io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::read::MAX_SMALL_FILE;
use crate::repository::Repository;

/// What the entries of a directory say about its rules.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RuleFiles {
    pub(super) ignore: bool,
    pub(super) gitignore: bool,
    pub(super) git: bool,
}

impl RuleFiles {
    pub(super) fn note(&mut self, name: &[u8]) {
        match name {
            b".ignore" => self.ignore = true,
            b".gitignore" => self.gitignore = true,
            b".git" => self.git = true,
            _ => {}
        }
    }
}

/// Why the rules of a directory cannot be known.
#[derive(Debug)]
pub(super) enum Unusable {
    /// The file with them is a pipe, a device or a bomb.
    Bad(PathBuf),
    /// The system could not give it, this time.
    Unread(PathBuf, std::io::Error),
}

/// The rules of one directory, and what is above it.
#[derive(Debug, Default)]
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    ignore: Option<Gitignore>,
    gitignore: Option<Gitignore>,
    exclude: Option<Gitignore>,
    /// The directory is the top of a repository: rules of git above it do not count.
    is_repository: bool,
    /// The user's own rules, at the top only.
    global: Option<Gitignore>,
}

impl Rules {
    /// The rules above the root of a project: those of directories up to the top of its repository,
    /// and the user's own.
    pub(super) fn above(root: &Path) -> Arc<Self> {
        let (global, _) = GitignoreBuilder::new(root).build_global();
        let global = (!global.is_empty()).then_some(global);
        let mut rules = Arc::new(Self { global, ..Self::default() });
        for directory in directories_above(root).into_iter().rev() {
            let has = |name: &str| directory.join(name).is_file();
            let files = RuleFiles {
                ignore: has(".ignore"),
                gitignore: has(".gitignore"),
                git: directory.join(".git").exists(),
            };
            // One that cannot be used above the root is not the project's fault.
            if let Ok(inner) = Self::enter(&rules, directory, files) {
                rules = inner;
            }
        }
        rules
    }

    /// Files that decide what belongs to a project and stand in no directory of it.
    pub(super) fn outside(root: &Path) -> Vec<PathBuf> {
        let user = ignore::gitignore::gitconfig_excludes_path();
        let exclude = root.ancestors().find_map(Repository::exclude_file);
        let above = directories_above(root).into_iter().flat_map(|directory| {
            [".ignore", ".gitignore", ".git"].map(|name| directory.join(name))
        });
        user.into_iter().chain(exclude).chain([root.join(".git")]).chain(above).collect()
    }

    /// The rules inside a directory, or why they cannot be known.
    pub(super) fn enter(
        above: &Arc<Self>,
        directory: &Path,
        files: RuleFiles,
    ) -> Result<Arc<Self>, Unusable> {
        if !files.ignore && !files.gitignore && !files.git {
            return Ok(above.clone());
        }
        let load = |is_there: bool, name: &str| {
            is_there
                .then(|| load(directory, &directory.join(name)))
                .transpose()
                .map(Option::flatten)
        };
        Ok(Arc::new(Self {
            above: Some(above.clone()),
            ignore: load(files.ignore, ".ignore")?,
            gitignore: load(files.gitignore, ".gitignore")?,
            exclude: match files.git.then(|| Repository::exclude_file(directory)).flatten() {
                Some(path) => self::load(directory, &path)?,
                None => None,
            },
            is_repository: files.git,
            global: None,
        }))
    }

    /// Whether git would not look at this. `.ignore` files come before `.gitignore` files, deeper ones
    /// before higher ones.
    pub(super) fn is_ignored(&self, path: &Path, is_directory: bool) -> bool {
        let (mut by_ignore, mut by_git, mut by_exclude) = (None, None, None);
        let mut in_repository = true;
        let mut global = None;
        let mut level = Some(self);
        while let Some(rules) = level {
            decide(&mut by_ignore, rules.ignore.as_ref(), path, is_directory);
            if in_repository {
                decide(&mut by_git, rules.gitignore.as_ref(), path, is_directory);
                decide(&mut by_exclude, rules.exclude.as_ref(), path, is_directory);
            }
            decide(&mut global, rules.global.as_ref(), path, is_directory);
            in_repository &= !rules.is_repository;
            level = rules.above.as_deref();
        }
        by_ignore.or(by_git).or(by_exclude).or(global).unwrap_or(false)
    }
}

/// The directories above a root whose rules count: up to the top of its repository.
fn directories_above(root: &Path) -> Vec<&Path> {
    let mut directories = Vec::new();
    if !root.join(".git").exists() {
        for directory in root.ancestors().skip(1) {
            directories.push(directory);
            if directory.join(".git").exists() {
                break;
            }
        }
    }
    directories
}

fn decide(decided: &mut Option<bool>, rules: Option<&Gitignore>, path: &Path, is_directory: bool) {
    if let (None, Some(rules)) = (*decided, rules) {
        *decided = match rules.matched(path, is_directory) {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        };
    }
}

/// The rules in a file; none if it is gone or has none.
fn load(directory: &Path, path: &Path) -> Result<Option<Gitignore>, Unusable> {
    let metadata = std::fs::metadata(path);
    if metadata.is_ok_and(|it| !it.is_file() || it.len() > MAX_SMALL_FILE) {
        return Err(Unusable::Bad(path.to_owned()));
    }
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        // Git passes over rules that it may not read.
        Err(error) if matches!(error.kind(), NotFound | PermissionDenied | NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(Unusable::Unread(path.to_owned(), error)),
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut builder = GitignoreBuilder::new(directory);
    for line in text.trim_start_matches('\u{feff}').lines() {
        // Git, too, passes over a rule it cannot read.
        let _ = builder.add_line(Some(path.to_owned()), line);
    }
    Ok(builder.build().ok().filter(|rules| !rules.is_empty()))
}
