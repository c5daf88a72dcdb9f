//! Which projects a server answers for, and what keeps their indexes up to date.
//!
//! A server is started for one project. Others may be asked for by their directory: those below it, those
//! that were allowed by name, work trees of the same repository, and those that the user has indexed.
//! The first question about a project starts a thread that indexes it and then watches it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use index::pool::{Pool, Program};
use index::watch::Notice;
use index::{Config, Job, Progress, Project};
use ops::{Error, Kept, Kind, Settings, Workspace};
use tokio::sync::watch;

use crate::desk::Options;

/// So many projects at most are kept up to date by one server.
const MOST: usize = 32;
/// How long it takes until a watcher that failed, or that another process is, is tried again.
const RETRY: Duration = Duration::from_secs(5);
const TICK: Duration = Duration::from_millis(100);
/// How long another process that writes the index is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// All projects of a server.
pub(crate) struct Projects {
    program: Program,
    state_directory: Option<PathBuf>,
    /// Where the server was started for.
    home: PathBuf,
    allowed: Vec<PathBuf>,
    watch: bool,
    hand_back: fn(),
    stopping: Arc<AtomicBool>,
    /// For questions about all of them.
    kept: Arc<Kept>,
    served: Mutex<BTreeMap<PathBuf, Arc<Served>>>,
}

/// One project that is kept up to date.
pub(crate) struct Served {
    pub(crate) project: Project,
    pub(crate) meter: Meter,
    state: watch::Sender<State>,
}

/// What is known of the index of a project.
#[derive(Debug, Clone)]
pub(crate) enum State {
    /// There is none yet.
    Building,
    Ready,
    /// There is none, and why.
    Failed {
        kind: Kind,
        message: String,
        hint: Option<String>,
    },
}

/// How far the indexing is.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    phase: Mutex<&'static str>,
    done: AtomicU64,
    total: AtomicU64,
}

impl Projects {
    pub(crate) fn new(
        settings: &Settings,
        program: Program,
        options: &Options,
    ) -> Result<Self, Error> {
        let state = settings.state_directory.as_deref();
        let home = match &settings.root {
            Some(root) => Project::at(root, state)?.root,
            None => {
                let here = std::env::current_dir().map_err(|error| {
                    Error::new(Kind::Io, format!("there is no current directory: {error}"))
                })?;
                natural_root(&here, state)?
            }
        };
        let mut all = vec![home.clone()];
        for root in &options.allow_root {
            all.push(Project::at(root, state)?.root);
        }
        let kept = Arc::new(Kept::new(program.clone()));
        Ok(Self {
            program,
            state_directory: settings.state_directory.clone(),
            home,
            allowed: all,
            watch: !options.no_watch,
            hand_back: options.hand_back.unwrap_or(|| ()),
            stopping: Arc::default(),
            kept,
            served: Mutex::default(),
        })
    }

    /// The project that is meant; it is indexed and watched from now on.
    pub(crate) fn served(&self, root: Option<&str>) -> Result<Arc<Served>, Error> {
        let root = match root {
            None => self.home.clone(),
            Some(root) => {
                let directory = self.permitted(root)?;
                let around = natural_root(&directory, self.state_directory.as_deref())?;
                if self.is_permitted(&around) { around } else { directory }
            }
        };
        let mut all = self.all();
        if let Some(served) = all.get(&root) {
            return Ok(served.clone());
        }
        if all.len() >= MOST {
            return Err(Error::new(Kind::Limit, format!("{MOST} projects are served already"))
                .hint("Start another server for this one."));
        }
        let project = Project::at(&root, self.state_directory.as_deref())?;
        // An index that can be opened answers at once, while it is brought up to date.
        let has_index = self.workspace(&project, Arc::default()).reader().is_ok();
        let served = Arc::new(Served::new(project, has_index));
        all.insert(root, served.clone());
        drop(all);
        let (program, watch, stopping) = (self.program.clone(), self.watch, self.stopping.clone());
        let (kept, hand_back) = (served.clone(), self.hand_back);
        std::thread::spawn(move || kept.keep(&program, watch, hand_back, &stopping));
        Ok(served)
    }

    /// The directory that is named, if questions about it are allowed. A relative one counts from where
    /// the server was started for.
    pub(crate) fn permitted(&self, named: &str) -> Result<PathBuf, Error> {
        // No system has longer paths.
        const LONGEST: usize = 4096;
        let refuse = || {
            let shown: String = named.chars().take(200).collect();
            Error::new(Kind::Refused, format!("`{shown}` is no project that this server may read"))
                .hint("Index it first with `groma index`, or start the server with --allow-root.")
                .code("root_not_allowed")
        };
        if named.is_empty() || named.len() > LONGEST || named.contains('\0') {
            return Err(refuse());
        }
        let directory = std::fs::canonicalize(self.home.join(named)).map_err(|_| refuse())?;
        match directory.is_dir() && self.is_permitted(&directory) {
            true => Ok(directory),
            false => Err(refuse()),
        }
    }

    fn is_permitted(&self, directory: &Path) -> bool {
        self.allowed.iter().any(|root| {
            directory.starts_with(root)
                || directory.ancestors().any(|above| is_work_tree_of(above, root))
        }) || ops::projects::registered().iter().any(|root| directory.starts_with(root))
    }

    /// What operations on a project are given.
    pub(crate) fn workspace(&self, project: &Project, interrupted: Arc<AtomicBool>) -> Workspace {
        Workspace {
            settings: Settings {
                root: Some(project.root.clone()),
                state_directory: self.state_directory.clone(),
                directory: Some(project.root.clone()),
            },
            kept: self.kept.clone(),
            progress: Arc::new(index::Silent),
            interrupted,
            refresh: true,
            fresh: false,
            seen: ops::Seen::default(),
        }
    }

    /// Lets go of what only makes the next question quicker.
    pub(crate) fn rest(&self) {
        self.kept.rest();
        (self.hand_back)();
    }

    /// Lets the threads that watch come to an end.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Arc<Served>>> {
        self.served.lock().expect("nobody panics while holding it")
    }
}

impl Served {
    fn new(project: Project, has_index: bool) -> Self {
        let state = if has_index { State::Ready } else { State::Building };
        Self { project, meter: Meter::default(), state: watch::Sender::new(state) }
    }

    pub(crate) fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Waits until the index is there, or will not be, or so long.
    pub(crate) async fn settled(&self, patience: Duration) {
        let mut receiver = self.state.subscribe();
        let settled = receiver.wait_for(|state| !matches!(state, State::Building));
        let _ = tokio::time::timeout(patience, settled).await;
    }

    /// Brings the index up to date, and keeps it so until the server ends.
    fn keep(&self, program: &Program, watch: bool, hand_back: fn(), stopping: &AtomicBool) {
        let mut is_kept_by_another = false;
        loop {
            // Whoever watches has it up to date, and costs enough for one.
            if !is_kept_by_another {
                match self.index_once(&Pool::new(program.clone()), stopping) {
                    Ok(()) => {
                        let _ = self.state.send_replace(State::Ready);
                    }
                    Err(error) => self.tell(&error),
                }
                hand_back();
            }
            if !watch {
                return;
            }
            // Workers of the first run are gone; those of a watcher stay warm for a while.
            let outcome = self.watch(&Pool::new(program.clone()), hand_back, stopping);
            let failure = outcome.err().map(|error| error.kind);
            if failure == Some(Kind::Refused) {
                return;
            }
            is_kept_by_another =
                failure == Some(Kind::Busy) && matches!(self.state(), State::Ready);
            let deadline = Instant::now() + RETRY;
            while Instant::now() < deadline {
                if stopping.load(Ordering::Relaxed) {
                    return;
                }
                std::thread::sleep(TICK);
            }
        }
    }

    fn tell(&self, error: &Error) {
        self.state.send_if_modified(|state| {
            if matches!(state, State::Ready) {
                return false;
            }
            let (message, hint) = (error.message.clone(), error.hint.clone());
            *state = State::Failed { kind: error.kind, message, hint };
            true
        });
    }

    fn index_once(&self, pool: &Pool, stopping: &AtomicBool) -> Result<(), Error> {
        self.with_job(pool, stopping, |job| index::index(job).map(|_| ()))
    }

    fn watch(&self, pool: &Pool, hand_back: fn(), stopping: &AtomicBool) -> Result<(), Error> {
        self.with_job(pool, stopping, |job| {
            index::watch::watch(job, &mut |notice| match notice {
                Notice::Updated(_) => {
                    self.state.send_if_modified(|state| {
                        let was_ready = matches!(state, State::Ready);
                        *state = State::Ready;
                        !was_ready
                    });
                }
                Notice::Quiet => {
                    pool.rest();
                    hand_back();
                }
                Notice::Failed(_) | Notice::Polling(_) => {}
            })
        })
    }

    fn with_job(
        &self,
        pool: &Pool,
        stopping: &AtomicBool,
        act: impl FnOnce(&Job<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.project.refuse_broad_root()?;
        self.project.check_state()?;
        let config = Config::load(&self.project.state)?;
        act(&Job {
            project: &self.project,
            config: &config,
            pool,
            progress: &self.meter,
            interrupted: stopping,
            only: None,
            full: false,
            patience: PATIENCE,
        })
    }
}

impl Meter {
    /// The phase, and how many of how many files are done.
    pub(crate) fn reading(&self) -> (&'static str, u64, u64) {
        let phase = *self.phase.lock().expect("nobody panics while holding it");
        (phase, self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }
}

/// What is done to a project, in this order.
const PHASES: [&str; 5] = ["collect", "extract", "link", "indexes", "publish"];

impl Meter {
    /// How much is done of how much, all phases counted alike: it only ever grows.
    pub(crate) fn overall(&self) -> (f64, f64) {
        let (phase, done, total) = self.reading();
        let before = PHASES.iter().position(|name| *name == phase).unwrap_or(0);
        let part = if total > 0 { done.min(total) as f64 / total as f64 } else { 0.0 };
        (before as f64 + part, PHASES.len() as f64)
    }
}

impl std::fmt::Display for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.reading() {
            ("", ..) => f.write_str("beginning"),
            (phase, _, 0) => f.write_str(phase),
            (phase, done, total) => write!(f, "{phase}: {done} of {total} files"),
        }
    }
}

impl Progress for Meter {
    fn phase(&self, name: &'static str, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        *self.phase.lock().expect("nobody panics while holding it") = name;
    }

    fn advance(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }
}

/// The project around a directory: one that has an index, or else the repository it is in, or else the
/// directory itself.
fn natural_root(directory: &Path, state: Option<&Path>) -> Result<PathBuf, Error> {
    let around = Project::around(directory, state)?;
    if around.index_file().is_file() {
        return Ok(around.root);
    }
    let repository = around.root.ancestors().find(|above| above.join(".git").exists());
    let repository = repository.map(|root| Project::at(root, state)).transpose()?;
    Ok(match repository {
        Some(project) if project.refuse_broad_root().is_ok() => project.root,
        _ => around.root,
    })
}

/// Whether a directory is a work tree of the repository at a root: each says so of the other.
fn is_work_tree_of(directory: &Path, root: &Path) -> bool {
    let read = |path: PathBuf| index::read::read_small_file(&path).ok().flatten();
    let Some(text) = read(directory.join(".git")) else { return false };
    let Some(git) = text.strip_prefix("gitdir:").map(|path| directory.join(path.trim())) else {
        return false;
    };
    let Ok(git) = std::fs::canonicalize(git) else { return false };
    let back = read(git.join("gitdir")).map(|path| git.join(path.trim()));
    let leads_back = back.and_then(|path| std::fs::canonicalize(path.parent()?).ok());
    git.starts_with(root.join(".git/worktrees")) && leads_back.as_deref() == Some(directory)
}
