//! Two states of a project: commits, what is staged, the working tree.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;

use super::program::{Change, Git, Tracked};
use super::{bytes_of, checked, is_blob};
use crate::config::Config;
use crate::error::Error;
use crate::project::Project;
use crate::read::{self, Content, open_source};
use crate::stamp;
use crate::walk::{self, Membership};

/// What is compared with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// A commit with the files as they lie on disk.
    WorkingTree { since: String },
    /// The head with what would be committed now.
    Staged,
    /// Two commits; with `parted`, the second with where their histories parted.
    Commits { from: String, to: String, parted: bool },
}

impl Range {
    /// `a..b`, `a...b` (either may be left out for the head), or one commit for the working tree since it.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (from, to, parted) = match (text.split_once("..."), text.split_once("..")) {
            (Some((from, to)), _) => (from, to, true),
            (None, Some((from, to))) => (from, to, false),
            (None, None) => return Ok(Self::WorkingTree { since: checked(text)?.to_owned() }),
        };
        let end =
            |name: &str| checked(if name.is_empty() { "HEAD" } else { name }).map(str::to_owned);
        Ok(Self::Commits { from: end(from)?, to: end(to)?, parted })
    }

    /// Whether a word names a range of this project.
    pub fn is_known(project: &Project, text: &str) -> bool {
        let (Ok(range), Ok(git)) = (Self::parse(text), Git::of(project)) else { return false };
        match range {
            Self::WorkingTree { since } => git.commit(&since).is_ok(),
            Self::Staged => true,
            Self::Commits { from, to, .. } => git.commit(&from).is_ok() && git.commit(&to).is_ok(),
        }
    }
}

/// The files that differ, in the order of their paths.
#[derive(Debug)]
pub struct Comparison {
    /// What the old and the new state are called.
    pub from: String,
    pub to: String,
    /// The new state is what lies on disk.
    pub is_on_disk: bool,
    pub pairs: Vec<Pair>,
    /// Paths that are wanted and that git tells apart, whether they belong to the project or not.
    pub told_apart: Vec<String>,
}

/// A file before and after; none where there was none.
#[derive(Debug)]
pub struct Pair {
    pub path: String,
    pub old: Option<Content>,
    pub new: Option<Content>,
}

impl Comparison {
    /// Files that belong to the project by the rules of today and for which `is_wanted` holds.
    pub fn of(
        project: &Project,
        config: &Config,
        range: &Range,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let git = Git::of(project)?;
        let (from, to) = match range {
            Range::WorkingTree { since } => (base(&git, since)?, None),
            Range::Staged => (base(&git, "HEAD")?, None),
            Range::Commits { from, to, parted } => {
                let (from, to) = (git.commit(from)?, git.commit(to)?);
                let base = parted.then(|| git.merge_base(&from, &to)).flatten();
                (base.unwrap_or(from), Some(to))
            }
        };
        let differences = git.differences(&from, to.as_deref())?;
        let told_apart: Vec<String> =
            differences.iter().map(|it| it.path.clone()).filter(|it| is_wanted(it)).collect();
        let name = |name: &str| name.to_owned();
        let (from, to) = match range {
            Range::WorkingTree { since } => (since.clone(), name("the working tree")),
            Range::Staged => (name("HEAD"), name("what is staged")),
            Range::Commits { from: written, to, parted: false } => (written.clone(), to.clone()),
            Range::Commits { to, .. } => (from, to.clone()),
        };
        let is_on_disk = matches!(range, Range::WorkingTree { .. });
        let sides = Sides { project, config, git: &git, is_wanted };
        let pairs = match is_on_disk {
            true => sides.on_disk(differences)?,
            false => sides.committed(differences)?,
        };
        Ok(Self { from, to, is_on_disk, pairs, told_apart })
    }
}

impl Comparison {
    pub fn paths(&self) -> Vec<String> {
        self.pairs.iter().map(|pair| pair.path.clone()).collect()
    }
}

/// A commit; before the first one, the empty tree.
fn base(git: &Git, reference: &str) -> Result<String, Error> {
    match git.commit(reference) {
        Err(_) if reference == "HEAD" => git.empty_tree(),
        commit => commit,
    }
}

struct Sides<'s> {
    project: &'s Project,
    config: &'s Config,
    git: &'s Git,
    is_wanted: &'s dyn Fn(&str) -> bool,
}

impl Sides<'_> {
    fn committed(&self, mut changes: Vec<Change>) -> Result<Vec<Pair>, Error> {
        let mut membership = Membership::new(self.project, self.config)?;
        changes
            .retain(|change| (self.is_wanted)(&change.path) && membership.is_member(&change.path));
        let names = changes.iter().flat_map(|change| [&change.old, &change.new]);
        let blobs = self.blobs(names.flatten())?;
        let content = |name: Option<String>| name.map(|name| content_of(&blobs, &name));
        let mut pairs: Vec<Pair> = changes
            .into_iter()
            .map(|it| Pair { path: it.path, old: content(it.old), new: content(it.new) })
            .collect();
        pairs.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(pairs)
    }

    /// Compares with the files on disk. Those that look as they did when git last looked are not read.
    fn on_disk(&self, staged: Vec<Change>) -> Result<Vec<Pair>, Error> {
        let tracked = self.git.tracked()?;
        let staged: HashMap<String, Option<String>> =
            staged.into_iter().map(|change| (change.path, change.old)).collect();
        let looked_at = self.git.index_written();
        let old_blob = |path: &str| match staged.get(path) {
            Some(old) => old.as_deref(),
            None => tracked.get(path).map(|it| it.blob.as_str()),
        };
        let mut changed: BTreeMap<String, (Option<String>, Option<Content>)> = BTreeMap::new();
        let mut present: BTreeSet<String> = BTreeSet::new();
        for found in walk::walk(self.project, self.config, None)? {
            if !(self.is_wanted)(&found.path) {
                continue;
            }
            let noted = tracked.get(&found.path).filter(|_| !staged.contains_key(&found.path));
            let is_same = noted.is_some_and(|noted| {
                is_untouched(noted, found.stamp.modified_ns, found.size, looked_at)
            });
            present.insert(found.path.clone());
            if found.skip.is_some() || is_same {
                continue;
            }
            let old = old_blob(&found.path);
            let Ok((file, _)) = open_source(&found.absolute) else { continue };
            let content = match bytes_of(file) {
                Some(bytes) if old.is_some_and(|blob| is_blob(&bytes, blob)) => continue,
                Some(bytes) if bytes.len() as u64 <= self.config.max_file_size => {
                    read::content_of(bytes)
                }
                _ => TOO_LARGE,
            };
            changed.insert(found.path, (old.map(str::to_owned), Some(content)));
        }
        let mut membership = Membership::new(self.project, self.config)?;
        for path in tracked.keys().chain(staged.keys()) {
            let is_gone = !present.contains(path) && (self.is_wanted)(path);
            if let Some(old) = old_blob(path).filter(|_| is_gone && membership.is_member(path)) {
                changed.insert(path.clone(), (Some(old.to_owned()), None));
            }
        }
        let blobs = self.blobs(changed.values().filter_map(|(old, _)| old.as_ref()))?;
        let pair = |(path, (old, new)): (String, (Option<String>, Option<Content>))| Pair {
            path,
            old: old.map(|name| content_of(&blobs, &name)),
            new,
        };
        Ok(changed.into_iter().map(pair).collect())
    }

    fn blobs<'n>(
        &self,
        names: impl Iterator<Item = &'n String>,
    ) -> Result<HashMap<String, Vec<u8>>, Error> {
        let names: BTreeSet<&String> = names.collect();
        let names: Vec<String> = names.into_iter().cloned().collect();
        self.git.blobs(&names, self.config.max_file_size)
    }
}

const TOO_LARGE: Content = Content::Skipped { reason: "size", hash: None };

fn content_of(blobs: &HashMap<String, Vec<u8>>, name: &str) -> Content {
    blobs.get(name).map_or(TOO_LARGE, |bytes| read::content_of(bytes.clone()))
}

/// Whether a file is as git last saw it. One that was written when git wrote its notes, or later, may have
/// changed without a trace.
fn is_untouched(noted: &Tracked, modified: i64, size: u64, looked_at: i64) -> bool {
    noted.seen == Some((modified, size)) && modified < looked_at
}

impl Git {
    /// When git last wrote what it tracks, in nanoseconds since 1970.
    fn index_written(&self) -> i64 {
        let metadata = fs::metadata(self.index_file());
        metadata.map_or(0, |metadata| stamp::of(&metadata).modified_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::Range;

    #[test]
    fn ranges_are_written_as_git_does() {
        let commits = |from: &str, to: &str, parted| Range::Commits {
            from: from.to_owned(),
            to: to.to_owned(),
            parted,
        };
        let parse = |text| Range::parse(text).expect("a range");
        assert_eq!(parse("a..b"), commits("a", "b", false));
        assert_eq!(parse("main...x/y"), commits("main", "x/y", true));
        assert_eq!(parse("main..."), commits("main", "HEAD", true));
        assert_eq!(parse("..b"), commits("HEAD", "b", false));
        assert_eq!(parse("v1.2"), Range::WorkingTree { since: "v1.2".to_owned() });
        for bad in ["a..b..c", "-x..b", "a b", "", "a..@{1}"] {
            assert!(Range::parse(bad).is_err(), "{bad}");
        }
    }
}
