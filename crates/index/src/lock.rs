//! One writer per project.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::time::{Duration, Instant};

use crate::error::{Error, Kind};
use crate::project::Project;

/// How often a waiting process tries again.
const RETRY: Duration = Duration::from_millis(20);

/// How long somebody waits who does not want to. A process that is killed while it starts a worker leaves
/// the lock to that child, until there the program begins.
const AFTERLIFE: Duration = Duration::from_millis(500);

/// Holds the right to write the index of a project. The lock is the operating system's: it ends with
/// the process, however that ends.
#[derive(Debug)]
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the lock, waiting for it at most so long, or says who has it.
    pub fn take(project: &Project, patience: Duration) -> Result<Self, Error> {
        let path = project.state.join("lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| Error::io(format!("cannot open {}", path.display()), &error))?;
        let deadline = Instant::now() + patience.max(AFTERLIFE);
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(RETRY);
                }
                Err(TryLockError::WouldBlock) => return Err(busy(&mut file)),
                Err(TryLockError::Error(error)) => {
                    return Err(Error::io(format!("cannot lock {}", path.display()), &error));
                }
            }
        }
        // For people only: the lock is held or not, whatever is written here.
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = write!(file, "process {}", std::process::id());
        Ok(Self { _file: file })
    }
}

fn busy(file: &mut File) -> Error {
    let mut holder = String::new();
    let _ = file.read_to_string(&mut holder);
    let holder = holder.trim();
    let by = if holder.is_empty() { String::new() } else { format!(" by {holder}") };
    Error::new(Kind::Busy, format!("the index is being written{by}"))
        .hint("Wait until it is done and try again, or say --wait <seconds>.")
}
