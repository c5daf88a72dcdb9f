//! What a server runs on, and when it has to end: a signal, or the end of whoever started it.

use std::time::Duration;

use ops::{Error, Kind};
use tokio::runtime::{Builder, Runtime};

/// So long a thread that answered waits for the next question. With it goes what it has allocated.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// So many threads for messages, and others for whoever works on an answer.
pub(crate) fn runtime(threads: usize) -> Result<Runtime, Error> {
    Builder::new_multi_thread()
        .worker_threads(threads)
        .thread_keep_alive(KEEP_ALIVE)
        .enable_all()
        .build()
        .map_err(|error| Error::new(Kind::Io, format!("cannot start: {error}")))
}

/// How often it is looked whether the parent is still there.
#[cfg(unix)]
const LOOK: Duration = Duration::from_secs(1);

/// Waits for SIGINT or SIGTERM.
#[cfg(unix)]
pub(crate) async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::interrupt(), SignalKind::terminate()];
    let [mut interrupt, mut terminate] = kinds.map(|kind| signal(kind).ok());
    async fn next(signal: &mut Option<tokio::signal::unix::Signal>) {
        match signal {
            Some(signal) => {
                signal.recv().await;
            }
            None => std::future::pending().await,
        }
    }
    tokio::select! {
        () = next(&mut interrupt) => {}
        () = next(&mut terminate) => {}
    }
}

#[cfg(not(unix))]
pub(crate) async fn signalled() {
    let _ = tokio::signal::ctrl_c().await;
}

/// Waits until the process that started this one is gone. Its end closes standard input only if nobody
/// else holds the other end.
#[cfg(unix)]
pub(crate) async fn orphaned() {
    let parent = rustix::process::getppid();
    // Whoever is started by the first process of a system or container outlives nobody.
    if parent.is_none_or(|parent| parent.as_raw_nonzero().get() == 1) {
        return std::future::pending().await;
    }
    while rustix::process::getppid() == parent {
        tokio::time::sleep(LOOK).await;
    }
}

#[cfg(not(unix))]
pub(crate) async fn orphaned() {
    std::future::pending().await
}

/// How long work that is under way has to end.
pub(crate) const GRACE: Duration = Duration::from_millis(500);

/// Asks the system for as many open files as it gives, because every connection is one.
pub(crate) fn allow_many_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    }
}
