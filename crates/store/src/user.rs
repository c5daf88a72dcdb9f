//! `user.db`: what people told the program, apart from what is derived.
//!
//! It is made when something is written first, and never deleted. A database of an older form is copied
//! beside itself before it is brought to the present one; a newer, foreign or damaged one is refused and
//! left as it is.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior};

use crate::reader::OpenError;

/// Marks a database as user data of this program: "Grou".
const APPLICATION_ID: i32 = 0x4772_6f75;

/// Step n leads from form n to form n + 1; a new database goes through all of them.
const STEPS: &[&str] = &[include_str!("../schema/user.sql")];

/// Another project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub id: i64,
    pub name: String,
    pub root: String,
}

/// What a user told the program about one project.
#[derive(Debug)]
pub struct UserData {
    connection: Connection,
}

impl UserData {
    /// Opens it to read; none if nothing was ever written.
    pub fn read(path: &Path) -> Result<Option<Self>, OpenError> {
        if std::fs::symlink_metadata(path).is_err() {
            return Ok(None);
        }
        let connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        // One that is older is read by whoever writes next; until then it says nothing.
        match version(&connection, path)? {
            found if found == STEPS.len() => Ok(Some(Self { connection })),
            _ => Ok(None),
        }
    }

    /// Opens it to write, made or brought to the present form if need be.
    pub fn write(path: &Path) -> Result<Self, OpenError> {
        let mut connection =
            open(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        bring_up(&mut connection, path, STEPS)?;
        Ok(Self { connection })
    }

    pub fn links(&self) -> rusqlite::Result<Vec<Link>> {
        let mut statement =
            self.connection.prepare("SELECT id, name, root FROM link ORDER BY id")?;
        let row = |row: &rusqlite::Row<'_>| {
            Ok(Link { id: row.get(0)?, name: row.get(1)?, root: row.get(2)? })
        };
        statement.query_map([], row)?.collect()
    }

    /// Adds a link; the one there is if the project is linked already.
    pub fn add_link(&mut self, name: &str, root: &str, now_ms: i64) -> rusqlite::Result<Link> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute(
            "INSERT INTO link (name, root, added_ms) VALUES (?1, ?2, ?3) ON CONFLICT (root) DO NOTHING",
            (name, root, now_ms),
        )?;
        let link = transaction.query_row(
            "SELECT id, name, root FROM link WHERE root = ?1",
            [root],
            |row| Ok(Link { id: row.get(0)?, name: row.get(1)?, root: row.get(2)? }),
        )?;
        transaction.commit()?;
        Ok(link)
    }

    pub fn remove_link(&mut self, id: i64) -> rusqlite::Result<()> {
        self.connection.execute("DELETE FROM link WHERE id = ?1", [id]).map(|_| ())
    }

    pub fn meta(&self, key: &str) -> rusqlite::Result<Option<String>> {
        self.connection
            .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
            .optional()
    }

    pub fn set_meta(&mut self, key: &str, value: &str) -> rusqlite::Result<()> {
        self.connection
            .execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", [key, value])
            .map(|_| ())
    }
}

fn open(path: &Path, flags: OpenFlags) -> Result<Connection, OpenError> {
    let fail = |source| OpenError::new(path, source);
    // A link at its place came with the repository and would have us write elsewhere.
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let connection = Connection::open_with_flags(path, flags).map_err(fail)?;
    connection
        .execute_batch("PRAGMA busy_timeout = 5000; PRAGMA trusted_schema = OFF;")
        .map_err(fail)?;
    Ok(connection)
}

/// The form of a database: 0 for an empty one.
fn version(connection: &Connection, path: &Path) -> Result<usize, OpenError> {
    let fail = |source| OpenError::new(path, source);
    let pragma = |name: &str| -> rusqlite::Result<i32> {
        connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
    };
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(fail)?;
    let (application, version) = (
        pragma("application_id").map_err(fail)?,
        pragma("user_version").map_err(fail)?.unsigned_abs(),
    );
    if application != APPLICATION_ID && (tables > 0 || application != 0) {
        return Err(OpenError::Foreign { path: path.to_owned() });
    }
    if version as usize > STEPS.len() {
        let (found, known) = (version, STEPS.len() as u32);
        return Err(OpenError::NewerSchema { path: path.to_owned(), found, known });
    }
    Ok(version as usize)
}

/// Brings a database to the present form, in one transaction. One that holds something is copied first.
fn bring_up(connection: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), OpenError> {
    let fail = |source| OpenError::new(path, source);
    let found = version(connection, path)?;
    if found >= steps.len() {
        return Ok(());
    }
    if found > 0 {
        let backup = backup_path(path, found);
        if std::fs::symlink_metadata(&backup).is_err() {
            connection
                .execute("VACUUM INTO ?1", [backup.to_string_lossy().as_ref()])
                .map_err(fail)?;
        }
    }
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
    // Somebody else may have done it meanwhile.
    for step in steps.iter().skip(version(&transaction, path)?) {
        transaction.execute_batch(step).map_err(fail)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(fail)?;
    transaction.pragma_update(None, "user_version", steps.len() as u32).map_err(fail)?;
    transaction.commit().map_err(fail)
}

fn backup_path(path: &Path, version: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".backup-{version}"));
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{STEPS, UserData, backup_path, bring_up, open};
    use crate::reader::OpenError;

    fn place(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("groma-user-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a directory");
        folder.canonicalize().expect("it exists").join("user.db")
    }

    #[test]
    fn nothing_is_made_by_reading_and_links_are_kept() {
        let path = place("links");
        assert!(UserData::read(&path).expect("nothing is wrong").is_none() && !path.exists());
        let mut data = UserData::write(&path).expect("it is made");
        let first = data.add_link("shop", "/code/shop", 1).expect("it is added");
        assert_eq!(data.add_link("other", "/code/shop", 2).expect("it is there"), first);
        let read = UserData::read(&path).expect("it can be read").expect("it is there");
        assert_eq!(read.links().expect("links"), std::slice::from_ref(&first));
        data.remove_link(first.id).expect("it is removed");
        assert!(read.links().expect("links").is_empty());
    }

    #[test]
    fn an_older_form_is_copied_before_it_is_changed() {
        let path = place("older");
        drop(UserData::write(&path).expect("it is made").add_link("a", "/a", 1));
        let mut connection =
            open(&path, rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE).expect("it opens");
        let steps = [STEPS[0], "ALTER TABLE link ADD COLUMN note TEXT"];
        bring_up(&mut connection, &path, &steps).expect("it is brought up");
        let old = Connection::open(backup_path(&path, 1)).expect("a copy");
        let links: i64 =
            old.query_row("SELECT count(*) FROM link", [], |row| row.get(0)).expect("rows");
        assert_eq!(links, 1);
        assert!(old.prepare("SELECT note FROM link").is_err());
        // To this program, what it became is newer than what it knows.
        assert!(matches!(UserData::write(&path), Err(OpenError::NewerSchema { found: 2, .. })));
    }

    #[test]
    fn foreign_and_damaged_databases_are_refused_and_left_alone() {
        let path = place("foreign");
        Connection::open(&path)
            .and_then(|c| c.execute_batch("CREATE TABLE x (y)"))
            .expect("a database");
        assert!(matches!(UserData::write(&path), Err(OpenError::Foreign { .. })));
        std::fs::write(&path, "no database at all, but long enough to be looked at")
            .expect("a file");
        assert!(UserData::read(&path).is_err() && UserData::write(&path).is_err());
        assert!(std::fs::read_to_string(&path).expect("it is there").starts_with("no database"));
    }
}
