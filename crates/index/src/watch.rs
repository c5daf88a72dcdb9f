//! Keeping an index up to date while its project changes.
//!
//! Only directories that the walk goes into are watched: never what is ignored. What happens is gathered
//! until it is quiet for a moment, then the files concerned are looked at again. What stands elsewhere and
//! decides all the same, such as the configuration, is looked at every so often.
//! When the system loses events, or has no more watches to give, the whole project is compared instead,
//! now or every so often; the state says which.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::event::ModifyKind;
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use store::Stamp;
use store::bugs::{self, Bug};

use crate::config::Config;
use crate::error::{Error, Kind};
use crate::project::Project;
use crate::report::Report;
use crate::{Job, index, stamp, walk};

/// Changes are taken in when it has been quiet for so long, or after so long in any case.
const QUIET: Duration = Duration::from_millis(50);
const MAX_DELAY: Duration = Duration::from_millis(500);
/// How often signals are looked for.
const TICK: Duration = Duration::from_millis(250);
/// How long after an update that failed it is tried again.
const RETRY: Duration = Duration::from_secs(2);
/// How often everything is compared when the system cannot tell.
const POLL: Duration = Duration::from_secs(5);
/// After so long without a change, what was kept for the next one is let go of.
const REST: Duration = Duration::from_secs(10);
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
    /// Nothing has happened for a while since the last update.
    Quiet,
    /// The system cannot watch; everything is compared every so often instead, and why.
    Polling(&'n str),
}

/// Watches until the job is interrupted. The index is up to date when this begins to wait, and after
/// every change.
pub fn watch(job: &Job<'_>, notice: &mut dyn FnMut(Notice<'_>)) -> Result<(), Error> {
    job.project.prepare_state()?;
    let mut watches = Watches::new(job, WatcherLock::take(job.project)?);
    let (sender, receiver) = channel();
    match notify::recommended_watcher(sender) {
        Ok(watcher) => watches.watcher = Some(watcher),
        Err(error) => watches.poll_instead(&why_not(&error), notice),
    }
    let mut due = Due::everything();
    loop {
        if !due.is_empty() {
            watches.update(job, &due, notice);
        }
        due = watches.wait(job, &receiver, notice)?;
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
    config: Config,
    lock: WatcherLock,
    surroundings: Surroundings,
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
    /// Places of watched directories where another one may stand by now.
    doubtful: BTreeSet<PathBuf>,
    next_poll: Instant,
    /// When to say that it is quiet, unless that was said.
    rest_at: Option<Instant>,
    /// What an update that failed left to be done, and what was said about it.
    owed: Due,
    told: Option<String>,
}

impl Watches {
    fn new(job: &Job<'_>, lock: WatcherLock) -> Self {
        Self {
            project: job.project.clone(),
            config: job.config.clone(),
            lock,
            surroundings: Surroundings::of(job.project, walk::rules_outside(job.project)),
            watcher: None,
            watched: BTreeSet::new(),
            doubtful: BTreeSet::new(),
            next_poll: Instant::now(),
            rest_at: None,
            owed: Due::default(),
            told: None,
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

    /// Watches every directory of the project, or those at and below some places, and no other.
    fn follow(
        &mut self,
        places: Option<&[String]>,
        notice: &mut dyn FnMut(Notice<'_>),
    ) -> Result<(), Error> {
        let root = self.project.root.clone();
        // Of a file, nothing is watched but its directory.
        let is_concerned = |place: &&String| {
            let place = root.join(place);
            self.watched.contains(&place) || place.is_dir()
        };
        let places: Option<Vec<String>> =
            places.map(|places| places.iter().filter(is_concerned).cloned().collect());
        if places.as_ref().is_some_and(Vec::is_empty) {
            return Ok(());
        }
        let is_meant = |directory: &Path| {
            let is_below = |place: &String| directory.starts_with(root.join(place));
            places.as_ref().is_none_or(|places| places.iter().any(is_below))
        };
        // A directory may come to be between the listing of the one above it and the watching of that.
        while !self.is_polling() {
            let listed = walk::directories(&self.project, &self.config, places.as_deref())?;
            let all: BTreeSet<&PathBuf> = listed.iter().collect();
            self.forget(|directory| is_meant(directory) && !all.contains(directory));
            if self.watch(&listed, notice) == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Ends some watches.
    fn forget(&mut self, is_over: impl Fn(&PathBuf) -> bool) {
        let over: Vec<PathBuf> =
            self.watched.iter().filter(|directory| is_over(directory)).cloned().collect();
        for directory in over {
            if let Some(watcher) = &mut self.watcher {
                let _ = watcher.unwatch(&directory);
            }
            self.watched.remove(&directory);
        }
    }

    /// Watches directories. Returns how many of them were not watched before.
    fn watch(&mut self, directories: &[PathBuf], notice: &mut dyn FnMut(Notice<'_>)) -> usize {
        let mut new = 0;
        let Some(watcher) = &mut self.watcher else { return new };
        if bugs::has(Bug::WatchNothingNew) && !self.watched.is_empty() {
            return new;
        }
        let mut failure = bugs::has(Bug::NoWatches).then(|| "none is left".to_owned());
        for directory in directories {
            if self.watched.contains(directory) {
                continue;
            }
            match watcher.watch(directory, RecursiveMode::NonRecursive) {
                Ok(()) => new += 1,
                // It is gone again, which its parent reports.
                Err(error) if is_gone(&error) => continue,
                Err(error) => {
                    failure = Some(why_not(&error));
                    break;
                }
            }
            self.watched.insert(directory.clone());
        }
        if let Some(failure) = failure {
            self.poll_instead(&failure, notice);
        }
        new
    }

    /// Compares what is due.
    fn update(&mut self, job: &Job<'_>, due: &Due, notice: &mut dyn FnMut(Notice<'_>)) {
        let paths: Vec<String> = due.paths.iter().cloned().collect();
        let everything = due.everything || paths.len() > MANY;
        let only = (!everything).then_some(paths.as_slice());
        // Where another directory stands in the place of one that is watched, it is not watched.
        let doubtful = std::mem::take(&mut self.doubtful);
        self.forget(|directory| doubtful.iter().any(|place| directory.starts_with(place)));
        // Watched before they are compared: what happens in between is not lost.
        let followed = self.follow(only, notice);
        let config = self.config.clone();
        self.rest_at = Some(Instant::now() + REST);
        match followed.and_then(|()| index(&Job { only, config: &config, ..*job })) {
            Ok(report) => {
                if report.changes.is_none_or(|it| it != crate::Changes::default()) {
                    notice(Notice::Updated(&report));
                }
            }
            Err(error) if error.kind == Kind::Interrupted => {}
            Err(error) => {
                self.owed.paths.extend(paths);
                self.owed.everything |= everything;
                // It is tried again and again, but told once.
                if self.told.as_ref() != Some(&error.message) {
                    notice(Notice::Failed(&error));
                }
                self.told = Some(error.message);
                return;
            }
        }
        self.told = None;
    }

    /// Whether something has changed that is not in any watched directory: the configuration, rules from
    /// outside, or the whole project, which was replaced.
    fn look_around(&mut self, notice: &mut dyn FnMut(Notice<'_>)) -> Result<bool, Error> {
        let now = Surroundings::of(&self.project, self.surroundings.places.clone());
        let is_locked = self.lock.is_in_place(&self.project);
        if now == self.surroundings && (is_locked || now.root.is_none()) {
            return Ok(false);
        }
        if now.root != self.surroundings.root {
            self.forget(|_| true);
        }
        if !is_locked && now.root.is_some() {
            // The state directory was removed, and our lock with it. Whoever came first watches.
            self.project.prepare_state()?;
            self.lock = WatcherLock::take(&self.project)?;
            if self.is_polling() {
                self.lock.say(POLLING);
            }
        }
        // What changes from now on is seen the next time.
        let known = Surroundings::of(&self.project, walk::rules_outside(&self.project));
        if known.configuration != self.surroundings.configuration {
            match Config::load(&self.project.state) {
                Ok(config) => self.config = config,
                Err(error) => notice(Notice::Failed(&error)),
            }
        }
        self.surroundings = known;
        Ok(true)
    }

    /// Waits until something is to be compared, or the job is interrupted.
    fn wait(
        &mut self,
        job: &Job<'_>,
        receiver: &Receiver<notify::Result<Event>>,
        notice: &mut dyn FnMut(Notice<'_>),
    ) -> Result<Due, Error> {
        let interrupted = || job.interrupted.load(Ordering::Relaxed);
        if !self.owed.is_empty() {
            let deadline = Instant::now() + RETRY;
            while Instant::now() < deadline && !interrupted() {
                std::thread::sleep(TICK);
            }
            self.look_around(notice)?;
            return Ok(std::mem::take(&mut self.owed));
        }
        if self.is_polling() {
            while Instant::now() < self.next_poll {
                if interrupted() {
                    return Ok(Due::everything());
                }
                std::thread::sleep(TICK);
            }
            self.next_poll = Instant::now() + POLL;
            self.look_around(notice)?;
            return Ok(Due::everything());
        }
        let mut due = Due { everything: self.look_around(notice)?, ..Due::default() };
        let mut deadline: Option<Instant> = None;
        loop {
            let patience = deadline.map_or(TICK, |deadline| {
                QUIET.min(deadline.saturating_duration_since(Instant::now()))
            });
            match receiver.recv_timeout(patience) {
                Ok(event) => self.take(event, &mut due),
                Err(RecvTimeoutError::Timeout) if deadline.is_some() || interrupted() => {
                    return Ok(due);
                }
                Err(RecvTimeoutError::Timeout) => {
                    due.everything |= self.look_around(notice)?;
                    if self.rest_at.take_if(|at| Instant::now() >= *at).is_some() {
                        notice(Notice::Quiet);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.poll_instead("the watcher ended", notice);
                    return Ok(Due::everything());
                }
            }
            if deadline.is_none() && !due.is_empty() {
                deadline = Some(Instant::now() + MAX_DELAY);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) || interrupted() {
                return Ok(due);
            }
        }
    }

    fn take(&mut self, event: notify::Result<Event>, due: &mut Due) {
        let event = match event {
            Ok(event) if event.need_rescan() => return due.everything = true,
            Ok(event) => event,
            // Whatever was lost, a comparison finds it.
            Err(_) => return due.everything = true,
        };
        if matches!(event.kind, EventKind::Access(_))
            || bugs::has(Bug::MissRemovals) && matches!(event.kind, EventKind::Remove(_))
        {
            return;
        }
        let is_move = !matches!(event.kind, EventKind::Modify(ModifyKind::Data(_)));
        for path in event.paths {
            if is_move && self.watched.contains(&path) {
                self.doubtful.insert(path.clone());
            }
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

/// Why the system does not watch, and what changes that.
fn why_not(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => {
            "no more directories than fs.inotify.max_user_watches says".to_owned()
        }
        ErrorKind::Io(error) if error.to_string().contains("Too many open files") => {
            "no more watchers than fs.inotify.max_user_instances says".to_owned()
        }
        ErrorKind::Io(error) => error.to_string(),
        kind => format!("{kind:?}"),
    }
}

fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}

/// What decides on a project and stands in none of its watched directories. It is looked at every so
/// often, because watching it would mean to watch what we write ourselves.
#[derive(Debug, PartialEq, Eq)]
struct Surroundings {
    root: Option<Stamp>,
    configuration: Vec<Option<Stamp>>,
    /// Where rules may stand outside of the project.
    places: Vec<PathBuf>,
    rules: Vec<Option<Stamp>>,
}

impl Surroundings {
    fn of(project: &Project, places: Vec<PathBuf>) -> Self {
        let stamps = |paths: &[PathBuf]| paths.iter().map(|path| stamp_of(path)).collect();
        Self {
            root: identity_of(&project.root),
            configuration: stamps(&crate::config::files(&project.state)),
            rules: stamps(&places),
            places,
        }
    }
}

/// Which file it is, and when it was written; of a directory, only which it is.
fn stamp_of(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    if metadata.is_dir() { identity_of(path) } else { Some(stamp::of(&metadata)) }
}

fn identity_of(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    Some(Stamp { inode: stamp::of(&metadata).inode, ..Stamp::default() })
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

    /// Whether the file that is locked is the one that others look at.
    fn is_in_place(&self, project: &Project) -> bool {
        let held = self.file.metadata().ok().map(|metadata| stamp::of(&metadata).inode);
        held.is_some() && identity_of(&project.state.join(LOCK)).map(|it| it.inode) == held
    }

    /// For whoever asks what the watcher does.
    fn say(&mut self, state: &str) {
        let _ = self.file.set_len(0);
        let _ = self.file.rewind();
        let _ = write!(self.file, "{state} process {}", std::process::id());
    }
}
