//! Putting a freshly built database in the place of the index.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

/// Why a built index could not be put in place.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error("cannot replace {path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
}

/// Renames `built` to `index`. Readers that have the old database open finish on it; who opens from
/// now on gets the new one.
///
/// A write-ahead log belongs to its database by name, so the old one is emptied into the old database
/// and removed first: the new database must never meet it. Meanwhile nobody may open either; the door is
/// closed. The caller holds the writer's lock.
pub fn publish(built: &Path, index: &Path) -> Result<(), PublishError> {
    let fail = |source| PublishError::Io { path: index.to_owned(), source };
    let door =
        File::options().write(true).create(true).truncate(false).open(door(index)).map_err(fail)?;
    door.lock().map_err(fail)?;
    if index.exists() {
        retire(index);
    }
    for suffix in ["-wal", "-shm"] {
        match std::fs::remove_file(with_suffix(index, suffix)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(fail(error)),
            _ => {}
        }
    }
    std::fs::rename(built, index).map_err(fail)?;
    if let Some(folder) = index.parent() {
        // Not every file system can sync a folder; the rename itself has happened.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

/// Copies an index as it is at this moment, whoever writes it meanwhile.
pub fn copy(from: &Path, to: &Path) -> rusqlite::Result<()> {
    let _door = keep_open(from);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(from, flags)?;
    connection.execute("VACUUM INTO ?1", [to.to_string_lossy()])?;
    connection.close().map_err(|(_, error)| error)?;
    // The copy is no log's database yet.
    let copy = Connection::open(to)?;
    copy.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    copy.close().map_err(|(_, error)| error)
}

/// While the returned file is held, no other database takes the place of the index. None where there
/// is no such file: nothing was ever published, or nothing can be.
pub(crate) fn keep_open(index: &Path) -> Option<File> {
    let door = File::open(door(index)).ok()?;
    door.lock_shared().ok()?;
    Some(door)
}

/// While the returned file is held, nobody writes to the index: the lock of writers is shared. None if somebody
/// is writing, or if a log holds more than the database does.
pub(crate) fn keep_still(index: &Path) -> Option<File> {
    let lock = File::open(index.with_file_name("lock")).ok()?;
    lock.try_lock_shared().ok()?;
    let log = std::fs::metadata(with_suffix(index, "-wal")).map_or(0, |log| log.len());
    (log == 0).then_some(lock)
}

/// The file whose lock readers share while they open the index.
fn door(index: &Path) -> PathBuf {
    index.with_file_name("door")
}

/// Moves what is in the log of the old database into it. If that fails, the old database is broken or
/// foreign, and about to be replaced anyway.
fn retire(index: &Path) {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if let Ok(connection) = Connection::open_with_flags(index, flags) {
        let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = connection.close();
    }
}

pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
