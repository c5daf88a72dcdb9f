//! Reading a published index.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rusqlite::config::DbConfig;
use rusqlite::ffi::SQLITE_IOERR_SHMSIZE;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use crate::known::{self, KnownFile};
use crate::{APPLICATION_ID, PACKED_VIEWS, SCHEMA_VERSION, packed, publish};

/// Prepared statements that a connection keeps; an answer uses a few dozen.
const STATEMENTS: usize = 128;

/// Why an index file could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("there is no index at {path}")]
    Missing { path: PathBuf },
    #[error("{path} is not an index of this program")]
    Foreign { path: PathBuf },
    #[error("{path} was written by a newer version (schema {found}, this one knows {known})")]
    NewerSchema { path: PathBuf, found: u32, known: u32 },
    #[error("{path} was written by an older version (schema {found}, this one knows {known})")]
    OlderSchema { path: PathBuf, found: u32, known: u32 },
    #[error("{path} is damaged: {source}")]
    Corrupt { path: PathBuf, source: rusqlite::Error },
    /// The disk, a lock or a right is missing; the index itself may be sound.
    #[error("cannot open {path}: {source}")]
    Sqlite { path: PathBuf, source: rusqlite::Error },
}

impl OpenError {
    pub(crate) fn new(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => Self::Foreign { path },
            Some(rusqlite::ErrorCode::DatabaseCorrupt) => Self::Corrupt { path, source },
            _ => Self::Sqlite { path, source },
        }
    }
}

/// Whether an error says that a database is damaged, not that it cannot be reached.
pub(crate) fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
        || matches!(error, rusqlite::Error::FromSqlConversionFailure(..))
}

/// Whether an error says that a database cannot be reached now, not that anything is wrong with it.
pub fn is_unreachable(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, DatabaseBusy, DiskFull, OutOfMemory, SystemIoFailure};
    matches!(
        error.sqlite_error_code(),
        Some(CannotOpen | DatabaseBusy | DiskFull | OutOfMemory | SystemIoFailure)
    )
}

/// Whether an error says that there is no room left to write.
pub fn is_full(error: &rusqlite::Error) -> bool {
    // The second is what is said where there is no room for what readers share.
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull)
        || error.sqlite_error().is_some_and(|it| it.extended_code == SQLITE_IOERR_SHMSIZE)
}

/// A read-only view of one published index.
#[derive(Debug)]
pub struct Reader {
    /// None once it was given away.
    connection: Option<Connection>,
    /// Where the connection is put when nobody reads any more.
    home: Option<(Arc<Shelf>, Idle)>,
    /// Keeps writers out, where the database is read as one that nobody changes.
    still: Option<File>,
}

/// Connections that nobody reads from now: opening one takes longer than most questions.
#[derive(Debug, Default)]
pub struct Shelf {
    idle: Mutex<Vec<(Idle, Connection)>>,
}

/// Which file a connection has open. A rebuilt index is another file at the same path; its number is not
/// used again while somebody has the old one open.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Idle {
    path: PathBuf,
    file: FileIdentity,
}

#[cfg(unix)]
type FileIdentity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Where files have no numbers, connections are not kept.
#[cfg(not(unix))]
type FileIdentity = std::convert::Infallible;

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<FileIdentity> {
    None
}

impl Shelf {
    /// As many connections are kept at most.
    const LARGEST: usize = 4;

    /// A reader of the index as it is now, on a connection that may have served before.
    pub fn reader(self: &Arc<Self>, path: &Path) -> Result<Reader, OpenError> {
        let door = publish::keep_open(path);
        let idle = identity(path).map(|file| Idle { path: path.to_owned(), file });
        if let Some(idle) = &idle {
            while let Some(connection) = self.take(idle) {
                if begin(&connection).is_ok() {
                    let home = Some((self.clone(), idle.clone()));
                    return Ok(Reader { connection: Some(connection), home, still: None });
                }
            }
        }
        drop(door);
        let (mut reader, is_shared) = Reader::open_somehow(path)?;
        // Between the look and the opening another index may have been published.
        reader.home = idle
            .filter(|idle| is_shared && identity(path).as_ref() == Some(&idle.file))
            .map(|idle| (self.clone(), idle));
        Ok(reader)
    }

    /// Closes them all. Each has its own view of the file and pages and statements of its own.
    pub fn clear(&self) {
        let all = std::mem::take(&mut *self.lock());
        drop(all);
    }

    fn take(&self, wanted: &Idle) -> Option<Connection> {
        let mut all = self.lock();
        // One of an index that is no more helps nobody.
        all.retain(|(idle, _)| idle.path != wanted.path || idle.file == wanted.file);
        let at = all.iter().rposition(|(idle, _)| idle == wanted)?;
        Some(all.swap_remove(at).1)
    }

    fn put(&self, idle: Idle, connection: Connection) {
        // The next reader begins with what is published by then.
        if connection.execute_batch("COMMIT").is_err() {
            return;
        }
        let mut all = self.lock();
        if all.len() == Self::LARGEST {
            all.remove(0);
        }
        all.push((idle, connection));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(Idle, Connection)>> {
        self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let (Some(connection), Some((shelf, idle))) = (self.connection.take(), self.home.take())
        {
            shelf.put(idle, connection);
        }
    }
}

/// Begins to read: all that is said from now on is of one generation.
fn begin(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN")?;
    connection.query_row("SELECT count(*) FROM meta", [], |_| Ok(()))
}

/// A prepared statement keeps its plan. Without this, SQLite prepares it anew whenever a value is bound that
/// the statistics know something about, which takes longer than most of our statements.
pub(crate) fn keep_plans(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(|_| ())
}

impl Reader {
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_somehow(path).map(|(reader, _)| reader)
    }

    /// The same, and whether it takes in what others write from now on.
    fn open_somehow(path: &Path) -> Result<(Self, bool), OpenError> {
        if !path.exists() {
            return Err(OpenError::Missing { path: path.to_owned() });
        }
        let _door = publish::keep_open(path);
        match Self::open_as(path, path.as_os_str(), OpenFlags::empty()) {
            // Readers share memory in a file beside the database. Where there is no room for one, or
            // nothing may be written, the database is read as one that nobody changes.
            Err(error @ OpenError::Sqlite { .. }) => {
                let still = publish::keep_still(path).ok_or(error)?;
                let name = immutable(path);
                let reader = Self::open_as(path, name.as_ref(), OpenFlags::SQLITE_OPEN_URI)?;
                Ok((reader.held(still), false))
            }
            outcome => Ok((outcome?, true)),
        }
    }

    fn open_as(path: &Path, name: &OsStr, more: OpenFlags) -> Result<Self, OpenError> {
        let fail = |source| OpenError::new(path, source);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(name, flags | more).map_err(fail)?;
        keep_plans(&connection).map_err(fail)?;
        check_identity(&connection, path)?;
        connection
            .execute_batch(
                "PRAGMA query_only = ON;
                 PRAGMA case_sensitive_like = ON;
                 PRAGMA temp_store = MEMORY;
                 PRAGMA mmap_size = 268435456;
                 PRAGMA cache_size = -16384;
                 PRAGMA busy_timeout = 5000;",
            )
            .map_err(fail)?;
        packed::register(&connection).map_err(fail)?;
        // Temporary views are the connection's own; the index itself stays untouched.
        connection
            .execute_batch("PRAGMA query_only = OFF;")
            .and_then(|()| connection.execute_batch(PACKED_VIEWS))
            .and_then(|()| connection.execute_batch("PRAGMA query_only = ON;"))
            .map_err(fail)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        begin(&connection).map_err(fail)?;
        Ok(Self { connection: Some(connection), home: None, still: None })
    }

    fn held(mut self, still: File) -> Self {
        self.still = Some(still);
        self
    }

    /// Every file of the project, in the order of their paths.
    pub fn files(&self) -> rusqlite::Result<Vec<KnownFile>> {
        known::files(self.connection())
    }

    /// Files of the project at these places, or below them, in the order of their paths.
    pub fn files_at(&self, places: &[String]) -> rusqlite::Result<Vec<KnownFile>> {
        known::files_at(self.connection(), places)
    }

    pub fn connection(&self) -> &Connection {
        self.connection.as_ref().expect("only `into_connection` takes it, and that ends the reader")
    }

    /// The connection, and what has to be held as long as it is used.
    pub(crate) fn into_connection(mut self) -> (Connection, Option<File>) {
        (self.connection.take().expect("it is given away once"), self.still.take())
    }

    /// Visits the rows of a table in the canonical order: the file they belong to and their columns.
    pub fn dump(&self, table: &str, visit: impl FnMut(&str, &str)) -> rusqlite::Result<()> {
        crate::dump::dump(self.connection(), table, visit)
    }

    pub fn meta(&self, key: &str) -> Option<String> {
        meta(self.connection(), key)
    }

    /// The same, where it matters whether there is none or it cannot be read now.
    pub fn try_meta(&self, key: &str) -> rusqlite::Result<Option<String>> {
        try_meta(self.connection(), key)
    }
}

/// The name of a database that nobody changes while it is read: without locks and without a log.
fn immutable(path: &Path) -> String {
    let escaped = path.as_os_str().as_encoded_bytes().iter().map(|byte| match byte {
        b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
            char::from(*byte).to_string()
        }
        _ => format!("%{byte:02x}"),
    });
    format!("file:{}?immutable=1", escaped.collect::<String>())
}

pub(crate) fn meta(connection: &Connection, key: &str) -> Option<String> {
    try_meta(connection, key).ok().flatten()
}

pub(crate) fn try_meta(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT value FROM meta WHERE key = ?1";
    connection.query_row(sql, [key], |row| row.get(0)).optional()
}

pub(crate) fn integer(connection: &Connection, key: &str) -> Option<i64> {
    meta(connection, key)?.parse().ok()
}

pub(crate) fn check_identity(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let pragma = |name: &str| -> rusqlite::Result<i32> {
        connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
    };
    let application = pragma("application_id").map_err(|source| OpenError::new(path, source))?;
    if application != APPLICATION_ID {
        return Err(OpenError::Foreign { path: path.to_owned() });
    }
    let found =
        pragma("user_version").map_err(|source| OpenError::new(path, source))?.unsigned_abs();
    let (path, known) = (path.to_owned(), SCHEMA_VERSION);
    match found.cmp(&known) {
        std::cmp::Ordering::Greater => Err(OpenError::NewerSchema { path, found, known }),
        std::cmp::Ordering::Less => Err(OpenError::OlderSchema { path, found, known }),
        std::cmp::Ordering::Equal => Ok(()),
    }
}
