//! Where every question passes on its way to an operation, whoever asks.
//!
//! Operations block, so each runs on a thread of its own; how many do so at once is limited, and those
//! that may take long have fewer places, so that a slow question never holds up quick ones.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use index::pool::Program;
use ops::{Effect, Entry, Error, Format, Kind, Reply, Request, Settings};
use serde_json::{Map, Value};
use tokio::sync::{Notify, Semaphore};

use crate::projects::{Projects, Served, State};

/// What both servers take.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Do not watch for changes; answers still look at the files they stand on
    #[arg(long, env = "GROMA_NO_WATCH", value_parser = clap::builder::FalseyValueParser::new())]
    pub no_watch: bool,
    /// Answer for this project too; may be repeated
    #[arg(long, value_name = "DIR")]
    pub allow_root: Vec<PathBuf>,
    /// Allow operations that write or delete
    #[arg(long)]
    pub allow_write: bool,
    /// How long an answer waits for the first index of a project
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    pub patience: f64,
    /// Bring the index up to date where an answer depends on it.
    #[arg(skip = true)]
    pub refresh: bool,
    /// Most tokens of an answer where the question says nothing.
    #[arg(skip)]
    pub max_tokens: Option<usize>,
    /// Has the allocator give back what the calling thread, and those that ended, do not need any more.
    #[arg(skip)]
    pub hand_back: Option<fn()>,
}

/// A question.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) entry: &'static Entry,
    pub(crate) input: Map<String, Value>,
    pub(crate) common: Common,
    pub(crate) format: Format,
    /// Most tokens of the answer where nobody says it.
    pub(crate) default_tokens: Option<usize>,
}

/// What can be said with every question.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Common {
    pub(crate) root: Option<String>,
    pub(crate) max_tokens: Option<usize>,
    pub(crate) offset: usize,
    pub(crate) json: bool,
    pub(crate) again: bool,
    pub(crate) fresh: bool,
}

impl Common {
    /// Takes what is said with every question out of the arguments.
    pub(crate) fn take(arguments: &mut Map<String, Value>) -> Result<Self, Error> {
        let wrong = |name: &str, what: &str| {
            Error::new(Kind::Usage, format!("arguments: `{name}` is not {what}"))
        };
        let mut flag = |name: &str| match arguments.remove(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(wrong(name, "true or false")),
        };
        let (json, again, fresh) = (flag("json")?, flag("again")?, flag("fresh")?);
        let root = match arguments.remove("root") {
            None | Some(Value::Null) => None,
            Some(Value::String(root)) => Some(root),
            Some(_) => return Err(wrong("root", "the path of a directory")),
        };
        let mut number = |name: &str, what: &str| match arguments.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
                number.map(Some).ok_or_else(|| wrong(name, what))
            }
        };
        let max_tokens = number("max_tokens", "a number of tokens")?;
        let offset = number("offset", "a number of items")?.unwrap_or(0);
        Ok(Self { root, max_tokens, offset, json, again, fresh })
    }
}

/// A server's own.
pub(crate) struct Desk {
    pub(crate) projects: Projects,
    allow_write: bool,
    refresh: bool,
    max_tokens: Option<usize>,
    patience: Duration,
    quick: Semaphore,
    slow: Semaphore,
    /// Somebody was answered.
    answered: Notify,
}

impl Desk {
    pub(crate) fn new(
        settings: &Settings,
        program: Program,
        options: &Options,
    ) -> Result<Arc<Self>, Error> {
        let patience = Duration::try_from_secs_f64(options.patience)
            .map_err(|_| Error::new(Kind::Usage, "--patience takes a number of seconds"))?;
        let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get());
        Ok(Arc::new(Self {
            projects: Projects::new(settings, program, options)?,
            allow_write: options.allow_write,
            refresh: options.refresh,
            max_tokens: options.max_tokens,
            patience,
            quick: Semaphore::new(cores.max(2)),
            slow: Semaphore::new((cores / 2).max(1)),
            answered: Notify::new(),
        }))
    }

    /// Lets go of what is kept for the next question whenever there was none for a while.
    pub(crate) async fn rest_when_quiet(self: Arc<Self>) {
        loop {
            self.answered.notified().await;
            while tokio::time::timeout(REST, self.answered.notified()).await.is_ok() {}
            self.projects.rest();
        }
    }

    /// Whether clients are told of an operation.
    pub(crate) fn offers(&self, entry: &Entry) -> bool {
        entry.effect != Effect::Endures
    }

    /// The answer. `cancelled` ends the work when it is ready; `waiting` hears how the indexing goes
    /// while it is waited for.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        question: Question,
        cancelled: impl Future<Output = ()>,
        waiting: impl Fn(&Served),
    ) -> Result<Reply, Error> {
        let question = Arc::new(self.checked(question)?);
        let served = self.projects.served(question.common.root.as_deref())?;
        let deadline = Instant::now() + self.patience;
        let mut cancelled = std::pin::pin!(cancelled);
        loop {
            let wanted = Wanted::default();
            let outcome = tokio::select! {
                outcome = self.work(&question, &served, &wanted) => outcome,
                () = &mut cancelled => return Err(Error::new(Kind::Interrupted, "cancelled")),
            };
            match (outcome, served.state()) {
                (Err(error), State::Building) if error.kind == Kind::Index => {
                    if Instant::now() >= deadline {
                        return Err(indexing(&served));
                    }
                    waiting(&served);
                    let left = deadline.saturating_duration_since(Instant::now());
                    tokio::select! {
                        () = served.settled(left.min(WAIT)) => {}
                        () = &mut cancelled => {
                            return Err(Error::new(Kind::Interrupted, "cancelled"));
                        }
                    }
                }
                (Err(error), State::Failed { kind, message, hint })
                    if error.kind == Kind::Index =>
                {
                    return Err(Error { kind, message, hint, code: None });
                }
                (outcome, _) => return outcome,
            }
        }
    }

    /// Refuses what this server does not do.
    fn checked(&self, mut question: Question) -> Result<Question, Error> {
        let entry = question.entry;
        if !self.offers(entry) {
            let message = format!("`{}` does not end; servers watch by themselves", entry.name);
            return Err(Error::new(Kind::Refused, message));
        }
        // It names a project, as `root` does.
        if let Some(Value::String(directory)) = question.input.get_mut("directory") {
            *directory = self.projects.permitted(directory)?.to_string_lossy().into_owned();
        }
        let input = Value::Object(question.input.clone());
        if !self.allow_write && entry.writes(&input)? {
            let message = format!("`{}` would write, and this server only reads", entry.name);
            let can_hold_back = entry.arguments.iter().any(|argument| argument.name == "no_write");
            let hint = match can_hold_back {
                true => "Say `no_write`, or start the server with --allow-write.",
                false => "Start the server with --allow-write.",
            };
            return Err(Error::new(Kind::Refused, message).hint(hint).code("read_only"));
        }
        Ok(question)
    }

    async fn work(
        self: &Arc<Self>,
        question: &Arc<Question>,
        served: &Arc<Served>,
        wanted: &Wanted,
    ) -> Result<Reply, Error> {
        // The one who may be slow waits for the other slow ones first, so that quick ones find a place.
        let _slow = match is_slow(question.entry) {
            true => Some(self.slow.acquire().await),
            false => None,
        };
        let place = self.quick.acquire().await;
        let (desk, question) = (self.clone(), question.clone());
        let (served, interrupted) = (served.clone(), wanted.0.clone());
        let thread = tokio::task::spawn_blocking(move || {
            let outcome = desk.answer(&question, &served, interrupted);
            desk.answered.notify_one();
            outcome
        });
        let outcome = thread.await;
        drop(place);
        outcome.unwrap_or_else(|_| {
            Err(Error::new(Kind::Io, "the question could not be answered; this is a defect")
                .hint("The server goes on. Please report what was asked.")
                .code("internal"))
        })
    }

    fn answer(
        &self,
        question: &Question,
        served: &Served,
        interrupted: Arc<AtomicBool>,
    ) -> Result<Reply, Error> {
        let mut workspace = self.projects.workspace(&served.project, interrupted);
        workspace.refresh = self.refresh;
        workspace.fresh = question.common.fresh;
        let configured = || {
            let config = workspace.config(&served.project).ok()?;
            config.max_tokens
        };
        let max_tokens = question.common.max_tokens.or(self.max_tokens);
        let max_tokens = max_tokens.or_else(|| configured().or(question.default_tokens));
        let request =
            Request { format: question.format, max_tokens, offset: question.common.offset };
        question.entry.ask(&workspace, Value::Object(question.input.clone()), &request)
    }
}

/// As long as this is kept, somebody wants the answer; then whoever works on it is interrupted.
#[derive(Default)]
struct Wanted(Arc<AtomicBool>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How long after the last answer connections are closed, workers ended and memory given back. Threads that
/// answered have ended by then ([`crate::lifetime::runtime`]), so that theirs is too.
const REST: Duration = Duration::from_secs(10);

/// How often somebody who waits for an index is told how far it is.
const WAIT: Duration = Duration::from_millis(250);

/// Operations that may take long by what is asked of them.
fn is_slow(entry: &Entry) -> bool {
    matches!(entry.name, "query" | "recipes" | "index" | "dump" | "export" | "doctor" | "projects")
}

fn indexing(served: &Served) -> Error {
    let message = format!("the project is being indexed ({})", served.meter);
    Error::new(Kind::Busy, message).hint("Ask again in a moment.").code("indexing")
}
