//! Worker processes and their supervision.
//!
//! Each worker has a thread that feeds it, several small files at once: waking each other costs more than
//! a small file does. One watchdog looks after all of them: a worker that takes too long or too much
//! memory is killed, and a fresh one takes its place. Files that were asked about together are then asked
//! about one by one, so that only the one which is to blame is given up. Workers that are given back stay
//! warm for the next files; while none is at work, the watchdog sleeps.

use std::io::{self, BufReader, BufWriter};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::worker::{self, Answer, Question};

/// How to start a worker.
#[derive(Debug, Clone)]
pub struct Program {
    pub executable: PathBuf,
    pub arguments: Vec<String>,
}

/// Why a file got no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    Crashed,
    Timeout,
    Memory,
}

impl Failure {
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Crashed => "crashed",
            Self::Timeout => "timeout",
            Self::Memory => "memory",
        }
    }
}

/// Resident memory at which a worker is ended.
const MAX_MEMORY: u64 = 512 << 20;
/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(50);

/// One worker process, restarted when it dies.
#[derive(Debug)]
pub struct Worker {
    program: Program,
    running: Option<Running>,
    /// Whether the last process ended because pipes failed, its own or ours.
    gave_up: bool,
    watch: Arc<Watch>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Running {
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
}

/// What the watchdog shares with the thread of a worker.
#[derive(Debug, Default)]
struct Watch {
    state: Mutex<WatchState>,
}

#[derive(Debug, Default)]
struct WatchState {
    child: Option<Child>,
    deadline: Option<Instant>,
    killed_for: Option<Failure>,
}

impl Worker {
    /// Asks about a file; blocks until there is an answer or it is given up.
    pub fn ask(
        &mut self,
        question: Question<'_>,
        timeout: Duration,
    ) -> io::Result<Result<Answer, Failure>> {
        let questions = [question];
        self.begin(&questions, timeout)?;
        match self.answers(1) {
            Ok(mut answers) => Ok(answers.pop().expect("one was asked for")),
            Err(failure) => Ok(Err(failure)),
        }
    }

    /// Asks a fresh process about a file that the last one died of, perhaps: somebody may have ended it, or
    /// it died of another one, and the file would be remembered for a bad one. If it dies again, the file is
    /// to blame, unless processes say that it is not, or answer nothing at all here.
    fn try_again(
        &mut self,
        question: Question<'_>,
        timeout: Duration,
    ) -> io::Result<Result<Answer, Failure>> {
        let again = self.ask(question, timeout)?;
        let is_bad = again.as_ref().is_err_and(|failure| *failure == Failure::Crashed);
        if is_bad && self.gave_up && !self.shared.is_abandoned() {
            return Err(io::Error::other("it cannot read what it is asked, or cannot answer"));
        }
        if is_bad
            && !self.shared.is_abandoned()
            && self.ask(Question::PROBE, timeout)?.is_err()
            && !self.shared.is_abandoned()
        {
            return Err(io::Error::other("it ends before it answers anything"));
        }
        Ok(again)
    }

    /// Hands files to the worker. Every `begin` needs a `finish`.
    pub fn begin(&mut self, questions: &[Question<'_>], timeout: Duration) -> io::Result<()> {
        if self.running.is_none() {
            self.shared.start_watchdog()?;
            self.start()?;
        }
        self.watch.lock().deadline = Some(Instant::now() + timeout);
        self.shared.begin_work();
        let running = self.running.as_mut().expect("it was just started");
        // If the worker is dead, `finish` finds out.
        let _ = worker::send_requests(&mut running.input, questions);
        Ok(())
    }

    /// Waits for the answers to the last `begin`, which had the same questions.
    pub fn finish(
        &mut self,
        questions: &[Question<'_>],
        timeout: Duration,
    ) -> io::Result<Vec<Result<Answer, Failure>>> {
        match self.answers(questions.len()) {
            Ok(answers) => Ok(answers),
            // A single file that took too much is to blame for it.
            Err(failure)
                if self.shared.is_abandoned()
                    || questions.len() == 1 && failure != Failure::Crashed =>
            {
                Ok(questions.iter().map(|_| Err(failure)).collect())
            }
            Err(_) => questions.iter().map(|question| self.try_again(*question, timeout)).collect(),
        }
    }

    /// The answers, or what the worker died of before it gave them.
    fn answers(&mut self, count: usize) -> Result<Vec<Result<Answer, Failure>>, Failure> {
        let output = &mut self.running.as_mut().expect("begin comes before finish").output;
        let answers: io::Result<Vec<Answer>> =
            (0..count).map(|_| worker::read_answer(output)).collect();
        self.watch.lock().deadline = None;
        self.shared.end_work();
        let answers = match answers {
            Ok(answers) => answers,
            Err(error) => {
                let failure = self.bury();
                // The end of what can be read is that of the worker; anything else is the system's.
                self.gave_up |= error.raw_os_error().is_some();
                return Err(failure);
            }
        };
        let panicked = |answer: Answer| match answer.facts {
            None => Err(Failure::Crashed),
            Some(_) => Ok(answer),
        };
        Ok(answers.into_iter().map(panicked).collect())
    }

    fn start(&mut self) -> io::Result<()> {
        let mut child = Command::new(&self.program.executable)
            .args(&self.program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // What one file needed the next one needs; to give memory back between them costs more.
            .env("MIMALLOC_PURGE_DELAY", "1000")
            .spawn()?;
        let input = child.stdin.take().expect("stdin is piped");
        let output = child.stdout.take().expect("stdout is piped");
        self.running = Some(Running {
            input: BufWriter::with_capacity(64 << 10, input),
            output: BufReader::with_capacity(64 << 10, output),
        });
        *self.watch.lock() = WatchState { child: Some(child), deadline: None, killed_for: None };
        Ok(())
    }

    fn is_alive(&mut self) -> bool {
        let mut state = self.watch.lock();
        state.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    /// Clears away a dead worker and says what it died of.
    fn bury(&mut self) -> Failure {
        self.running = None;
        let mut state = self.watch.lock();
        let failure = state.killed_for.take().unwrap_or(Failure::Crashed);
        if let Some(mut child) = state.child.take() {
            let _ = child.kill();
            self.gave_up = child.wait().is_ok_and(|status| status.code() == Some(worker::GAVE_UP));
        }
        failure
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if self.running.is_some() {
            self.bury();
        }
        self.shared.watches().retain(|watch| !Arc::ptr_eq(watch, &self.watch));
    }
}

impl Watch {
    fn lock(&self) -> std::sync::MutexGuard<'_, WatchState> {
        self.state.lock().expect("nobody panics while holding it")
    }

    fn check(&self, abandoned: bool) {
        let mut state = self.lock();
        let late = state.deadline.is_some_and(|deadline| Instant::now() > deadline);
        let Some(child) = &mut state.child else { return };
        let failure = if abandoned {
            Failure::Crashed
        } else if late {
            Failure::Timeout
        } else if resident_memory(child.id()).is_some_and(|bytes| bytes > MAX_MEMORY) {
            Failure::Memory
        } else {
            return;
        };
        let _ = child.kill();
        state.deadline = None;
        state.killed_for = Some(failure);
    }
}

/// What workers, their pool and its watchdog share.
#[derive(Debug, Default)]
struct Shared {
    watches: Mutex<Vec<Arc<Watch>>>,
    /// Workers that have a file.
    at_work: AtomicUsize,
    stop: AtomicBool,
    abandoned: AtomicBool,
    watchdog: Mutex<Option<JoinHandle<()>>>,
}

impl Shared {
    fn watchdog(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.watchdog.lock().expect("nobody panics while holding it")
    }

    fn watches(&self) -> MutexGuard<'_, Vec<Arc<Watch>>> {
        self.watches.lock().expect("nobody panics while holding it")
    }

    fn begin_work(&self) {
        if self.at_work.fetch_add(1, Ordering::Relaxed) == 0 {
            self.wake();
        }
    }

    fn end_work(&self) {
        self.at_work.fetch_sub(1, Ordering::Relaxed);
    }

    fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }

    fn wake(&self) {
        if let Some(watchdog) = &*self.watchdog() {
            watchdog.thread().unpark();
        }
    }

    /// Workers must not run unwatched.
    fn start_watchdog(self: &Arc<Self>) -> io::Result<()> {
        let mut watchdog = self.watchdog();
        if watchdog.is_none() {
            let shared = self.clone();
            *watchdog = Some(std::thread::Builder::new().spawn(move || shared.watch_over())?);
        }
        Ok(())
    }

    /// What the watchdog does.
    fn watch_over(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            let abandoned = self.is_abandoned();
            for watch in self.watches().iter() {
                watch.check(abandoned);
            }
            if abandoned || self.at_work.load(Ordering::Relaxed) > 0 {
                std::thread::park_timeout(TICK);
            } else {
                std::thread::park();
            }
        }
    }
}

/// Makes workers and watches over them until it is dropped.
#[derive(Debug)]
pub struct Pool {
    program: Program,
    shared: Arc<Shared>,
    idle: Mutex<Vec<Worker>>,
}

impl Pool {
    /// An empty pool; it costs nothing until the first worker is needed.
    pub fn new(program: Program) -> Self {
        Self { program, shared: Arc::default(), idle: Mutex::default() }
    }

    /// Ends every worker, also those that are only just starting: nobody wants their answers any more.
    pub fn abandon(&self) {
        self.shared.abandoned.store(true, Ordering::Relaxed);
        self.shared.wake();
    }

    /// After [`Self::abandon`], when nobody has a worker any more: the pool can be used again.
    pub fn recover(&self) {
        self.shared.abandoned.store(false, Ordering::Relaxed);
    }

    /// A worker of this pool; its process starts with the first file.
    pub fn worker(&self) -> Worker {
        while let Some(mut worker) = self.idle().pop() {
            // One that died in its sleep must not be blamed on the next file.
            if worker.is_alive() {
                return worker;
            }
        }
        let watch = Arc::new(Watch::default());
        self.shared.watches().push(watch.clone());
        let (program, shared) = (self.program.clone(), self.shared.clone());
        Worker { program, running: None, gave_up: false, watch, shared }
    }

    /// Keeps a worker, with its process, for the next who needs one.
    pub fn give_back(&self, worker: Worker) {
        if !self.shared.is_abandoned() {
            self.idle().push(worker);
        }
    }

    /// Ends the workers that nobody needs now.
    pub fn rest(&self) {
        let all = std::mem::take(&mut *self.idle());
        drop(all);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().expect("nobody panics while holding it")
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.idle().clear();
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.wake();
        let watchdog = self.shared.watchdog().take();
        if let Some(watchdog) = watchdog {
            let _ = watchdog.join();
        }
    }
}

/// Bytes of memory a process holds, where the system tells.
fn resident_memory(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
