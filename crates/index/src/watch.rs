//! Keeping an index up to date while its project changes.
//!
//! Only directories with indexed files, and those above them, are watched: never what is ignored. What
//! happens is gathered until it is quiet for a moment, then the files concerned are looked at again.
//! When the system loses events, or has no more watches to give, the whole project is compared instead,
//! now or every so often; the state says which.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use store::Reader;

use crate::error::{Error, Kind};
use crate::project::Project;
use crate::report::Report;
use crate::{Job, index};

/// Changes are taken in when it has been quiet for so long, or after so long in any case.
const QUIET: Duration = Duration::from_millis(50);
const MAX_DELAY: Duration = Duration::from_millis(500);
/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(250);
/// How long after an update that failed it is tried again.
const RETRY: Duration = Duration::from_secs(2);
/// How often everything is compared when the system cannot tell.
const POLL: Duration = Duration::from_secs(5);
/// With more changed paths than this, comparing everything is cheaper.
const MANY: usize = 500;

/// Whether somebody watches a project: `active`, `polling` or `off`.
pub fn state(project: &Project) -> &'static str {
    let Ok(mut file) = File::open(project.state.join(LOCK)) else { return "off" };
    // The lock is the operating system's: a dead watcher has none.
    match file.try_lock_shared() {
        Ok(()) => "off",
        Err(_) => {
            let mut text = String::new();
            let _ = file.read_to_string(&mut text);
            if text.contains(POLLING) { POLLING } else { "active" }
        }
    }
}

const LOCK: &str = "watcher";
const POLLING: &str = "polling";

/// What a watcher has to say.
#[derive(Debug)]
pub enum Notice<'n> {
    Updated(&'n Report),
    /// An update failed; it is tried again soon.
    Failed(&'n Error),
    /// The system cannot watch; everything is compared every so often instead, and why.
    Polling(&'n str),
}

/// Watches until the job is interrupted. The index is up to date when this begins to wait, and after
/// every change.
pub fn watch(job: &Job<'_>, notice: &mut dyn FnMut(Notice<'_>)) -> Result<(), Error> {
    job.project.prepare_state()?;
    let lock = WatcherLock::take(job.project)?;
    let (sender, receiver) = channel();
    let mut watches = Watches::new(job.project.clone(), lock);
    match notify::recommended_watcher(sender) {
        Ok(watcher) => watches.watcher = Some(watcher),
        Err(error) => watches.poll_instead(&error.to_string(), notice),
    }
    // Watched before it is compared: what happens in between is not lost.
    watches.follow(&known_directories(job.project), notice);
    let mut due = Due::everything();
    loop {
        // Directories that come to be watched are compared once more, for the same reason.
        while !due.is_empty() {
            due = watches.update(job, &due, notice);
        }
        due = watches.wait(job, &receiver, notice);
        if job.interrupted.load(Ordering::Relaxed) {
            // Whoever stops the watcher wants what was written before.
            if !due.is_empty() {
                let last = Job { interrupted: &AtomicBool::new(false), ..*job };
                watches.update(&last, &due, notice);
            }
            return Ok(());
        }
    }
}

/// What is to be compared.
#[derive(Debug, Default)]
struct Due {
    paths: BTreeSet<String>,
    everything: bool,
}

impl Due {
    fn everything() -> Self {
        Self { everything: true, ..Self::default() }
    }

    fn is_empty(&self) -> bool {
        !self.everything && self.paths.is_empty()
    }
}

struct Watches {
    project: Project,
    lock: WatcherLock,
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
    next_poll: Instant,
    /// What an update that failed left to be done.
    owed: Due,
}

impl Watches {
    fn new(project: Project, lock: WatcherLock) -> Self {
        Self {
            project,
            lock,
            watcher: None,
            watched: BTreeSet::new(),
            next_poll: Instant::now(),
            owed: Due::default(),
        }
    }

    /// From now on everything is compared every so often, and whoever asks is told.
    fn poll_instead(&mut self, why: &str, notice: &mut dyn FnMut(Notice<'_>)) {
        self.watcher = None;
        self.watched.clear();
        self.lock.say(POLLING);
        self.next_poll = Instant::now() + POLL;
        notice(Notice::Polling(why));
    }

    fn is_polling(&self) -> bool {
        self.watcher.is_none()
    }

    /// Watches exactly these directories. Returns those that were not watched before.
    fn follow(
        &mut self,
        directories: &BTreeSet<PathBuf>,
        notice: &mut dyn FnMut(Notice<'_>),
    ) -> Vec<PathBuf> {
        let mut new = Vec::new();
        let Some(watcher) = &mut self.watcher else { return new };
        for gone in self.watched.difference(directories) {
            let _ = watcher.unwatch(gone);
        }
        self.watched.retain(|directory| directories.contains(directory));
        let mut failure = None;
        for directory in directories {
            if self.watched.contains(directory) {
                continue;
            }
            match watcher.watch(directory, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(directory.clone());
                    new.push(directory.clone());
                }
                // It is gone again, which its parent reports.
                Err(error) if is_gone(&error) => {}
                Err(error) => {
                    failure = Some(error.to_string());
                    break;
                }
            }
        }
        if let Some(failure) = failure {
            self.poll_instead(&failure, notice);
        }
        new
    }

    /// Compares what is due; returns what is due then.
    fn update(&mut self, job: &Job<'_>, due: &Due, notice: &mut dyn FnMut(Notice<'_>)) -> Due {
        let mut next = Due::default();
        let paths: Vec<String> = due.paths.iter().cloned().collect();
        let everything = due.everything || paths.len() > MANY;
        let only = (!everything).then_some(paths.as_slice());
        match index(&Job { only, ..*job }) {
            Ok(report) => {
                let moved = report.changes.is_none_or(|it| it.added + it.removed > 0);
                let changed = report.changes.is_none_or(|it| it != crate::Changes::default());
                if moved {
                    let new = self.follow(&known_directories(&self.project), notice);
                    next.everything = new.len() > MANY;
                    next.paths = new
                        .iter()
                        .filter_map(|directory| relative(&self.project.root, directory))
                        .collect();
                }
                if changed {
                    notice(Notice::Updated(&report));
                }
            }
            Err(error) if error.kind == Kind::Interrupted => {}
            Err(error) => {
                self.owed = Due { paths: due.paths.clone(), everything };
                notice(Notice::Failed(&error));
            }
        }
        next
    }

    /// Waits until something is to be compared, or the job is interrupted.
    fn wait(
        &mut self,
        job: &Job<'_>,
        receiver: &Receiver<notify::Result<Event>>,
        notice: &mut dyn FnMut(Notice<'_>),
    ) -> Due {
        let interrupted = || job.interrupted.load(Ordering::Relaxed);
        if !self.owed.is_empty() {
            let deadline = Instant::now() + RETRY;
            while Instant::now() < deadline && !interrupted() {
                std::thread::sleep(TICK);
            }
            return std::mem::take(&mut self.owed);
        }
        if self.is_polling() {
            while Instant::now() < self.next_poll {
                if interrupted() {
                    return Due::default();
                }
                std::thread::sleep(TICK);
            }
            self.next_poll = Instant::now() + POLL;
            return Due::everything();
        }
        let mut due = Due::default();
        let mut deadline: Option<Instant> = None;
        loop {
            let patience = deadline.map_or(TICK, |deadline| {
                QUIET.min(deadline.saturating_duration_since(Instant::now()))
            });
            match receiver.recv_timeout(patience) {
                Ok(event) => self.take(event, &mut due),
                Err(RecvTimeoutError::Timeout) if deadline.is_some() || interrupted() => {
                    return due;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.poll_instead("the watcher ended", notice);
                    return Due::everything();
                }
            }
            if deadline.is_none() && !due.is_empty() {
                deadline = Some(Instant::now() + MAX_DELAY);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) || interrupted() {
                return due;
            }
        }
    }

    fn take(&self, event: notify::Result<Event>, due: &mut Due) {
        let event = match event {
            Ok(event) if event.need_rescan() => return due.everything = true,
            Ok(event) => event,
            // Whatever was lost, a comparison finds it.
            Err(_) => return due.everything = true,
        };
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        for path in event.paths {
            if path.starts_with(&self.project.state) {
                continue;
            }
            match path.file_name().and_then(|name| name.to_str()) {
                // Which files there are has changed.
                Some(".gitignore" | ".ignore") => due.everything = true,
                _ => match relative(&self.project.root, &path) {
                    Some(path) if !path.is_empty() => {
                        due.paths.insert(path);
                    }
                    _ => due.everything = true,
                },
            }
        }
    }
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let path = path.strip_prefix(root).ok()?.to_str()?;
    Some(path.replace(std::path::MAIN_SEPARATOR, "/"))
}

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

/// Directories of indexed files and those above them.
fn known_directories(project: &Project) -> BTreeSet<PathBuf> {
    let mut directories = BTreeSet::from([project.root.clone()]);
    let Ok(reader) = Reader::open(&project.index_file()) else { return directories };
    for file in reader.files().unwrap_or_default() {
        let mut path = file.row.path.as_str();
        while let Some((folder, _)) = path.rsplit_once('/') {
            if !directories.insert(project.root.join(folder)) {
                break;
            }
            path = folder;
        }
    }
    directories
}

/// One watcher per project.
struct WatcherLock {
    file: File,
}

impl WatcherLock {
    fn take(project: &Project) -> Result<Self, Error> {
        let path = project.state.join(LOCK);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| Error::io(format!("cannot open {}", path.display()), &error))?;
        if file.try_lock().is_err() {
            return Err(Error::new(Kind::Busy, "another process watches this project")
                .hint("One watcher is enough; every command uses what it does."));
        }
        let mut this = Self { file };
        this.say("active");
        Ok(this)
    }

    /// For whoever asks what the watcher does.
    fn say(&mut self, state: &str) {
        let _ = self.file.set_len(0);
        let _ = self.file.rewind();
        let _ = write!(self.file, "{state} process {}", std::process::id());
    }
}
