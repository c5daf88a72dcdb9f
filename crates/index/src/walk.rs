//! Which files a project has.

mod membership;
mod rules;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};

use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::config::Config;
use crate::error::{Error, Kind};
use crate::project::{Project, STATE_NAME};
use crate::read::is_own_fault;
use crate::stamp;
pub use membership::Membership;
use rules::{RuleFiles, Rules, Unusable};
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

/// Threads that list directories; more only fight over the file system.
const MAX_THREADS: usize = 4;

/// All files of a project in the order of their paths, by the rules of `.gitignore` files and the
/// configuration. Links are not followed. With `only`, those files and what is below those directories.
pub fn walk(
    project: &Project,
    config: &Config,
    only: Option<&[String]>,
) -> Result<Vec<Found>, Error> {
    let walk = Walk::new(project, config, only)?;
    // Few files are asked for: the threads would only cost.
    let threads = if only.is_some() { 1 } else { config.workers.clamp(1, MAX_THREADS) };
    let mut found = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .map_while(|_| std::thread::Builder::new().spawn_scoped(scope, || walk.run()).ok())
            .collect();
        let mut found = walk.run();
        for other in others {
            found.extend(other.join().expect("walking does not panic"));
        }
        found
    });
    if let Some((path, error)) = walk.failure.into_inner().expect(UNBROKEN) {
        return Err(Error::io(format!("cannot look at {}", path.display()), &error));
    }
    if let Some(unusable) = found.iter().find(|found| is_root_rule(found)) {
        // Without its rules the whole tree would be indexed, which nobody wants.
        let message = format!("{} is not a usable ignore file", unusable.absolute.display());
        return Err(
            Error::new(Kind::Refused, message).hint("It must be a regular file of at most 1 MiB.")
        );
    }
    // A path that is no UTF-8 may look like another one once it is written down: the good one stays.
    found.sort_unstable_by(|a, b| (&a.path, a.skip).cmp(&(&b.path, b.skip)));
    found.dedup_by(|a, b| a.path == b.path);
    Ok(found)
}

/// The directories that [`walk`] looks into, whether or not there is a file in them.
pub(crate) fn directories(
    project: &Project,
    config: &Config,
    only: Option<&[String]>,
) -> Result<Vec<PathBuf>, Error> {
    let walk = Walk { directories: Some(Mutex::default()), ..Walk::new(project, config, only)? };
    walk.run();
    match walk.failure.into_inner().expect(UNBROKEN) {
        Some((path, error)) => Err(Error::io(format!("cannot look at {}", path.display()), &error)),
        None => Ok(walk.directories.map_or_else(Vec::new, |all| all.into_inner().expect(UNBROKEN))),
    }
}

/// Files that decide what belongs to a project and stand in no directory of it.
pub(crate) fn rules_outside(project: &Project) -> Vec<PathBuf> {
    Rules::outside(&project.root)
}

fn is_root_rule(found: &Found) -> bool {
    found.skip == Some(IGNORE_FILE)
        && matches!(found.path.as_str(), ".gitignore" | ".ignore" | ".git/info/exclude")
}

const UNBROKEN: &str = "nobody panics while holding it";
const IGNORE_FILE: &str = "ignore_file";

#[derive(Debug)]
struct Walk<'w> {
    project: &'w Project,
    config: &'w Config,
    only: Option<&'w [String]>,
    include: GlobSet,
    exclude: GlobSet,
    secrets: GlobSet,
    minified: GlobSet,
    queue: Mutex<Queue>,
    changed: Condvar,
    /// What could not be looked at for a reason that lies not in the project. Whoever went on would take
    /// files for gone.
    failure: Mutex<Option<(PathBuf, std::io::Error)>>,
    /// Where directories are noted if they are what is asked for; then files are not looked at.
    directories: Option<Mutex<Vec<PathBuf>>>,
}

#[derive(Debug)]
struct Queue {
    pending: Vec<Directory>,
    /// Directories that are being listed.
    at_work: usize,
}

/// A directory to list.
#[derive(Debug)]
struct Directory {
    absolute: PathBuf,
    /// From the root, with `/`.
    path: String,
    /// Those of the directories above it.
    rules: Arc<Rules>,
}

impl<'w> Walk<'w> {
    fn new(
        project: &'w Project,
        config: &'w Config,
        only: Option<&'w [String]>,
    ) -> Result<Self, Error> {
        Ok(Self {
            project,
            config,
            only,
            include: globs(&config.include)?,
            exclude: globs(&config.exclude)?,
            secrets: globs(SECRETS)?,
            minified: globs(MINIFIED)?,
            queue: Mutex::new(Queue {
                pending: vec![Directory {
                    absolute: project.root.clone(),
                    path: String::new(),
                    rules: Rules::above(&project.root),
                }],
                at_work: 0,
            }),
            changed: Condvar::new(),
            failure: Mutex::new(None),
            directories: None,
        })
    }

    /// Lists directories until there are none left.
    fn run(&self) -> Vec<Found> {
        let mut found = Vec::new();
        let mut queue = self.queue.lock().expect(UNBROKEN);
        loop {
            if let Some(directory) = queue.pending.pop() {
                queue.at_work += 1;
                drop(queue);
                let mut inner = self.list(&directory, &mut found);
                queue = self.queue.lock().expect(UNBROKEN);
                queue.at_work -= 1;
                queue.pending.append(&mut inner);
                self.changed.notify_all();
            } else if queue.at_work == 0 {
                return found;
            } else {
                queue = self.changed.wait(queue).expect(UNBROKEN);
            }
        }
    }

    /// Adds the files of a directory, and returns the directories in it.
    fn list(&self, directory: &Directory, found: &mut Vec<Found>) -> Vec<Directory> {
        let entries = match entries(&directory.absolute, self.directories.is_none()) {
            Ok(entries) => entries,
            Err(error) if is_own_fault(&error) || directory.path.is_empty() => {
                self.fail(&directory.absolute, error);
                return Vec::new();
            }
            Err(error) => {
                found.extend(closed(directory, &error));
                return Vec::new();
            }
        };
        let mut files = RuleFiles::default();
        for entry in &entries {
            files.note(entry.name.as_encoded_bytes());
        }
        let rules = match Rules::enter(&directory.rules, &directory.absolute, files) {
            Ok(rules) => rules,
            Err(Unusable::Unread(path, error)) => {
                self.fail(&path, error);
                return Vec::new();
            }
            Err(Unusable::Bad(unusable)) => {
                let path = unusable.strip_prefix(&self.project.root).unwrap_or(&unusable);
                let path = path.to_string_lossy().into_owned();
                found.push(Found::unseen(path, unusable, IGNORE_FILE));
                return Vec::new();
            }
        };
        if let Some(directories) = &self.directories {
            directories.lock().expect(UNBROKEN).push(directory.absolute.clone());
        }
        let mut inner = Vec::new();
        for entry in entries {
            // In a worktree it is a file, which leads to the repository.
            if entry.name == ".git" {
                continue;
            }
            let absolute = directory.absolute.join(&entry.name);
            let path = join(&directory.path, &entry.name);
            if is_left_out(&rules, &absolute, entry.kind) {
                continue;
            }
            match (entry.kind, path) {
                // What is below a name that cannot be written down cannot be named either.
                (_, Err(lossy)) => found.push(Found::unseen(lossy, absolute, "path")),
                (EntryKind::Directory, Ok(path)) => {
                    if self.is_walked(&absolute, &path) {
                        inner.push(Directory { absolute, path, rules: rules.clone() });
                    }
                }
                (kind, Ok(path)) => {
                    if self.is_wanted(&path) {
                        let skip = self.reason_to_skip(&path, kind);
                        let Entry { size, stamp, .. } = entry;
                        found.push(Found { path, absolute, skip, size, stamp });
                    }
                }
            }
        }
        inner
    }

    fn fail(&self, path: &Path, error: std::io::Error) {
        self.failure.lock().expect(UNBROKEN).get_or_insert((path.to_owned(), error));
    }

    /// Whether the walk goes into a directory. State is no source, also that of a project further down.
    fn is_walked(&self, absolute: &Path, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        if self.config.leaves_out(path)
            || absolute == self.project.state
            || name == STATE_NAME
            || self.exclude.is_match(path)
            || self.exclude.is_match(format!("{path}/"))
        {
            return false;
        }
        self.only.is_none_or(|only| {
            only.iter().any(|wanted| is_within(wanted, path) || is_within(path, wanted))
        })
    }

    fn is_wanted(&self, path: &str) -> bool {
        !self.exclude.is_match(path)
            && (self.config.include.is_empty() || self.include.is_match(path))
            && self.only.is_none_or(|only| only.iter().any(|wanted| is_within(path, wanted)))
    }

    fn reason_to_skip(&self, path: &str, kind: EntryKind) -> Option<&'static str> {
        let name = path.rsplit('/').next().unwrap_or(path);
        match kind {
            EntryKind::Link => Some("symlink"),
            EntryKind::Closed => Some("unreadable"),
            EntryKind::Other | EntryKind::Directory => Some("not_regular"),
            EntryKind::File if path.len() > MAX_PATH || path.contains(['\n', '\r', '\0']) => {
                Some("path")
            }
            EntryKind::File if self.secrets.is_match(name) => Some("secret"),
            EntryKind::File if self.minified.is_match(name) => Some("minified"),
            EntryKind::File => None,
        }
    }
}

/// Whether ignore rules leave an entry out. A manifest says how its directory is linked: git may well
/// track one that a rule names, so it counts wherever the walk goes.
fn is_left_out(rules: &Rules, absolute: &Path, kind: EntryKind) -> bool {
    let is_manifest = || {
        let name = absolute.file_name().and_then(|name| name.to_str());
        kind == EntryKind::File && name.is_some_and(resolve::is_manifest)
    };
    rules.is_ignored(absolute, kind == EntryKind::Directory) && !is_manifest()
}

/// Whether a path is a place or inside it.
pub fn is_within(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        || place.is_empty()
}

/// The path of an entry from the root, or what it looks like if it is no UTF-8.
fn join(folder: &str, name: &std::ffi::OsStr) -> Result<String, String> {
    let join = |name: &str| {
        if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
    };
    match name.to_str() {
        Some(name) => Ok(join(name)),
        None => Err(join(&name.to_string_lossy())),
    }
}

/// A directory that could not be listed: nobody must take its files for absent.
fn closed(directory: &Directory, error: &std::io::Error) -> Option<Found> {
    if error.kind() == std::io::ErrorKind::NotFound {
        return None;
    }
    let is_long = directory.absolute.as_os_str().len() >= MAX_PATH;
    let skip = if is_long { "path" } else { "unreadable" };
    Some(Found::unseen(directory.path.clone(), directory.absolute.clone(), skip))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryKind {
    Directory,
    File,
    Link,
    Other,
    /// It is there, but what it is cannot be seen.
    Closed,
}

struct Entry {
    name: std::ffi::OsString,
    kind: EntryKind,
    size: u64,
    stamp: Stamp,
}

/// The entries of a directory, with their times if wanted. Names are looked up from the directory itself,
/// which is far cheaper than by their whole paths.
#[cfg(unix)]
fn entries(directory: &Path, with_times: bool) -> std::io::Result<Vec<Entry>> {
    use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, open, statat};
    use std::os::unix::ffi::OsStringExt;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let descriptor = open(directory, flags, Mode::empty())?;
    let mut entries = Vec::new();
    for entry in Dir::read_from(&descriptor)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let mut file_type = entry.file_type();
        let (mut size, mut stamp, mut is_closed) = (0, Stamp::default(), false);
        if file_type == FileType::Unknown || with_times && file_type != FileType::Directory {
            match statat(&descriptor, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(status) => {
                    file_type = FileType::from_raw_mode(status.st_mode);
                    (size, stamp) = (status.st_size as u64, stamp::of_status(&status));
                }
                // One that is gone by now is no file any more.
                Err(rustix::io::Errno::NOENT) => continue,
                Err(error) if is_own_fault(&error.into()) => return Err(error.into()),
                Err(_) => is_closed = true,
            }
        }
        let kind = match file_type {
            _ if is_closed => EntryKind::Closed,
            FileType::Directory => EntryKind::Directory,
            FileType::RegularFile => EntryKind::File,
            FileType::Symlink => EntryKind::Link,
            _ => EntryKind::Other,
        };
        let name = std::ffi::OsString::from_vec(name.to_bytes().to_vec());
        entries.push(Entry { name, kind, size, stamp });
    }
    Ok(entries)
}

#[cfg(not(unix))]
fn entries(directory: &Path, _: bool) -> std::io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let Ok(metadata) = entry.metadata() else { continue };
        let file_type = metadata.file_type();
        let kind = if file_type.is_dir() {
            EntryKind::Directory
        } else if file_type.is_symlink() {
            EntryKind::Link
        } else if file_type.is_file() {
            EntryKind::File
        } else {
            EntryKind::Other
        };
        let (size, stamp) = (metadata.len(), stamp::of(&metadata));
        entries.push(Entry { name: entry.file_name(), kind, size, stamp });
    }
    Ok(entries)
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
