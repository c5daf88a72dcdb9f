//! What operations work on: a project, its configuration, and how to reach its index.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ::index::pool::{Pool, Program};
use ::index::{Config, Job, Progress, Project, Silent};
use store::{Reader, Shelf};

use crate::{Error, IndexState, Kind, Result};

/// Where to work, as the user said it.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub root: Option<PathBuf>,
    pub state_directory: Option<PathBuf>,
    /// From where paths in questions count; the current directory unless said.
    pub directory: Option<PathBuf>,
}

/// Given to every operation.
pub struct Workspace {
    pub settings: Settings,
    pub kept: Arc<Kept>,
    pub progress: Arc<dyn Progress + Send>,
    pub interrupted: Arc<AtomicBool>,
    /// Bring the index up to date where an answer depends on it.
    pub refresh: bool,
    /// Compare the whole project before anything is answered.
    pub fresh: bool,
    pub seen: Seen,
}

/// What is kept from one question to the next, and shared by those that are asked at once.
#[derive(Debug)]
pub struct Kept {
    /// Worker processes; there are none until one is needed.
    pub pool: Pool,
    /// Connections to indexes.
    shelf: Arc<Shelf>,
    /// The last update of each project; whoever holds one is at work on the next.
    updates: Mutex<HashMap<PathBuf, Arc<Mutex<Option<Updated>>>>>,
}

/// An update that succeeded.
#[derive(Debug)]
struct Updated {
    began: Instant,
    /// Of these files; of all if there are none.
    only: Option<Vec<String>>,
}

impl Updated {
    /// Whether it saw all that somebody wants to be seen who asked at this moment.
    fn covers(&self, asked: Instant, only: Option<&[String]>) -> bool {
        let has_files = match (&self.only, only) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(seen), Some(wanted)) => wanted.iter().all(|path| seen.contains(path)),
        };
        self.began >= asked && has_files
    }
}

impl Kept {
    pub fn new(program: Program) -> Self {
        Self { pool: Pool::new(program), shelf: Arc::default(), updates: Mutex::default() }
    }

    /// Lets go of what only makes the next question quicker.
    pub fn rest(&self) {
        self.shelf.clear();
        self.pool.rest();
    }

    pub(crate) fn reader(&self, index: &Path) -> std::result::Result<Reader, store::OpenError> {
        self.shelf.reader(index)
    }

    fn last_update(&self, root: &Path) -> Arc<Mutex<Option<Updated>>> {
        locked(&self.updates).entry(root.to_owned()).or_default().clone()
    }
}

/// What is behind a lock stays usable if somebody panicked while holding it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Workspace {
    /// The project that is meant: the one said, or the one around the current directory.
    pub fn project(&self) -> Result<Project> {
        let state = self.settings.state_directory.as_deref();
        match &self.settings.root {
            Some(root) => Project::at(root, state),
            None => Project::around(&self.directory()?, state),
        }
    }

    /// From where paths in questions count.
    pub fn directory(&self) -> Result<PathBuf> {
        match &self.settings.directory {
            Some(directory) => Ok(directory.clone()),
            None => std::env::current_dir().map_err(|error| {
                Error::new(Kind::Io, format!("there is no current directory: {error}"))
            }),
        }
    }

    pub fn config(&self, project: &Project) -> Result<Config> {
        project.check_state()?;
        Config::load(&project.state)
    }

    /// The published index of the project.
    pub fn reader(&self) -> Result<(Project, Reader)> {
        let project = self.project()?;
        project.check_state()?;
        let reader = self.kept.reader(&project.index_file())?;
        if !::index::owner::is_own(|key| reader.try_meta(key))? {
            return Err(Error::not_own());
        }
        let root = reader.meta("root").unwrap_or_default();
        if root != project.root.to_string_lossy() {
            // It was copied or moved here with its project, or two projects share a state directory.
            let message = format!("the index here is that of {root}");
            return Err(Error::new(Kind::Index, message)
                .code("root_mismatch")
                .hint("Run `groma index`; what is the same is used again."));
        }
        self.seen.note(generation(&reader));
        Ok((project, reader))
    }

    /// Which of these files have changed since they were indexed.
    pub(crate) fn stale(&self, paths: &[String]) -> Result<Vec<String>> {
        let (project, reader) = self.reader()?;
        let drifted = ::index::drift_of(&project, &reader, paths)?;
        Ok(drifted.into_iter().map(|(path, _)| path).collect())
    }

    /// Whether anything has changed since the project was indexed.
    pub(crate) fn has_drifted(&self) -> Result<bool> {
        let (project, reader) = self.reader()?;
        let config = self.config(&project)?;
        Ok(!::index::drift(&project, &config, &reader)?.is_empty())
    }

    /// Brings the index up to date, for some files or all; true if it is, so that it is worth asking again:
    /// where there was nothing to do, a watcher may just have done it. Where it is not possible now, the
    /// answer says that it is stale. Of many who want this at once, one does it for all.
    pub(crate) fn update(&self, only: Option<&[String]>) -> bool {
        let asked = Instant::now();
        let Ok(project) = self.project() else { return false };
        let last = self.kept.last_update(&project.root);
        let mut last = locked(&last);
        if last.as_ref().is_some_and(|last| last.covers(asked, only)) {
            return true;
        }
        let began = Instant::now();
        let is_done = self.update_now(&project, only).is_ok();
        if is_done {
            *last = Some(Updated { began, only: only.map(<[String]>::to_vec) });
        }
        is_done
    }

    fn update_now(&self, project: &Project, only: Option<&[String]>) -> Result<()> {
        let config = self.config(project)?;
        ::index::index(&Job {
            project,
            config: &config,
            pool: &self.kept.pool,
            progress: &Silent,
            interrupted: &self.interrupted,
            only,
            full: false,
            patience: PATIENCE,
        })?;
        Ok(())
    }

    /// What to say about the index an answer comes from that stands on these files.
    pub(crate) fn index_state(&self, paths: &[String]) -> Result<IndexState> {
        let seen = self.seen.all();
        let (project, reader) = self.reader()?;
        let now = generation(&reader);
        // An answer that is not of the generation there is now is as old as one whose files have changed.
        let is_of_now = seen.iter().all(|generation| *generation == now);
        Ok(IndexState {
            generation: seen.first().copied().unwrap_or(now),
            complete: reader.meta("complete").as_deref() == Some("1"),
            stale: self.seen.is_behind()
                || !is_of_now
                || !::index::drift_of(&project, &reader, paths)?.is_empty(),
            watch: ::index::watch::state(&project),
        })
    }
}

fn generation(reader: &Reader) -> u64 {
    reader.meta("generation").and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The generations that an answer was read from. An operation may open the index more than once, and
/// somebody may publish another generation in between.
#[derive(Debug, Default)]
pub struct Seen {
    generations: Mutex<Vec<u64>>,
    is_behind: AtomicBool,
}

impl Seen {
    fn note(&self, generation: u64) {
        let mut all = locked(&self.generations);
        if !all.contains(&generation) {
            all.push(generation);
        }
    }

    fn all(&self) -> Vec<u64> {
        locked(&self.generations).clone()
    }

    /// What was read so far is not part of the answer.
    pub(crate) fn forget(&self) {
        locked(&self.generations).clear();
    }

    /// Notes that the project was to be compared first, and was not.
    pub(crate) fn fall_behind(&self) {
        self.is_behind.store(true, Ordering::Relaxed);
    }

    fn is_behind(&self) -> bool {
        self.is_behind.load(Ordering::Relaxed)
    }

    /// Whether all of the answer is of one generation.
    pub(crate) fn is_one(&self) -> bool {
        locked(&self.generations).len() <= 1
    }
}

/// How long an answer waits for another process that writes the index.
const PATIENCE: Duration = Duration::from_millis(500);

/// A failed query of our own: the index is not what it should be.
pub(crate) fn unusable(error: store::rusqlite::Error) -> Error {
    Error::unreadable(&error)
}
