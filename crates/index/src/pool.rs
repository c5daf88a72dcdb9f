//! Worker processes and their supervision.
//!
//! Each worker has a thread that feeds it. One watchdog looks after all of them: a worker that takes
//! too long or too much memory is killed, its file is given up, and a fresh one takes its place.

use std::io::{self, BufReader, BufWriter};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::worker::{self, Answer, Ask};

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
    watch: Arc<Watch>,
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
    /// Asks for the facts of a file; blocks until they are there or given up on.
    pub fn ask(
        &mut self,
        ask: Ask,
        language: &str,
        path: &str,
        text: &str,
        timeout: Duration,
    ) -> io::Result<Result<Answer, Failure>> {
        self.begin(ask, language, path, text, timeout)?;
        self.finish()
    }

    /// Hands a file to the worker. Every `begin` needs a `finish`.
    pub fn begin(
        &mut self,
        ask: Ask,
        language: &str,
        path: &str,
        text: &str,
        timeout: Duration,
    ) -> io::Result<()> {
        if self.running.is_none() {
            self.start()?;
        }
        self.watch.lock().deadline = Some(Instant::now() + timeout);
        let running = self.running.as_mut().expect("it was just started");
        // If the worker is dead, `finish` finds out.
        let _ = worker::send_request(&mut running.input, ask, language, path, text);
        Ok(())
    }

    /// Waits for the answer to the last `begin`.
    pub fn finish(&mut self) -> io::Result<Result<Answer, Failure>> {
        let running = self.running.as_mut().expect("begin comes before finish");
        let answer = worker::read_answer(&mut running.output);
        self.watch.lock().deadline = None;
        match answer {
            Ok(Answer { facts: None, .. }) => Ok(Err(Failure::Crashed)),
            Ok(answer) => Ok(Ok(answer)),
            Err(_) => Ok(Err(self.bury())),
        }
    }

    fn start(&mut self) -> io::Result<()> {
        let mut child = Command::new(&self.program.executable)
            .args(&self.program.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
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

    /// Clears away a dead worker and says what it died of.
    fn bury(&mut self) -> Failure {
        self.running = None;
        let mut state = self.watch.lock();
        let failure = state.killed_for.take().unwrap_or(Failure::Crashed);
        if let Some(mut child) = state.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
        failure
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if self.running.is_some() {
            self.bury();
        }
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

/// Makes workers and watches over them until it is dropped.
#[derive(Debug)]
pub struct Pool {
    program: Program,
    watches: Arc<Mutex<Vec<Arc<Watch>>>>,
    stop: Arc<AtomicBool>,
    abandoned: Arc<AtomicBool>,
    watchdog: Option<JoinHandle<()>>,
}

impl Pool {
    pub fn new(program: Program) -> Self {
        let watches: Arc<Mutex<Vec<Arc<Watch>>>> = Arc::default();
        let (stop, abandoned) =
            (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let watchdog = std::thread::spawn({
            let (watches, stop, abandoned) = (watches.clone(), stop.clone(), abandoned.clone());
            move || {
                while !stop.load(Ordering::Relaxed) {
                    for watch in watches.lock().expect("nobody panics while holding it").iter() {
                        watch.check(abandoned.load(Ordering::Relaxed));
                    }
                    std::thread::park_timeout(TICK);
                }
            }
        });
        Self { program, watches, stop, abandoned, watchdog: Some(watchdog) }
    }

    /// Ends every worker, also those that are only just starting: nobody wants their answers any more.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
        if let Some(watchdog) = &self.watchdog {
            watchdog.thread().unpark();
        }
    }

    /// A worker of this pool; its process starts with the first file.
    pub fn worker(&self) -> Worker {
        let watch = Arc::new(Watch::default());
        self.watches.lock().expect("nobody panics while holding it").push(watch.clone());
        Worker { program: self.program.clone(), running: None, watch }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.thread().unpark();
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
