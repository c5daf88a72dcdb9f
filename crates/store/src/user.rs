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
const STEPS: &[&str] = &[
    include_str!("../schema/user.sql"),
    include_str!("../schema/user_findings.sql"),
    include_str!("../schema/user_stops.sql"),
];

/// The documented tables, which queries may read.
pub(crate) const DOCUMENTATION: &str = include_str!("../schema/user_findings.sql");
pub(crate) const PUBLIC_TABLES: &[&str] = &["query_baselines", "recipe_recency"];

/// The same without a row, for queries where nothing was ever written.
pub(crate) const EMPTY: &str = "
    CREATE TEMP TABLE query_baselines (name TEXT, recipe_id TEXT, sql TEXT, rows_json TEXT,
        row_count INTEGER, git_ref TEXT, created_at INTEGER) STRICT;
    CREATE TEMP TABLE recipe_recency (recipe_id TEXT, last_run_at INTEGER, run_count INTEGER) STRICT;";

/// Another project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub id: i64,
    pub name: String,
    pub root: String,
}

/// Saved rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    pub name: String,
    pub recipe_id: Option<String>,
    pub sql: String,
    /// A JSON array.
    pub rows_json: String,
    pub row_count: u64,
    pub git_ref: Option<String>,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

/// When a recipe was run last, in milliseconds since 1970, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recency {
    pub recipe_id: String,
    pub last_run_at: i64,
    pub run_count: u64,
}

/// What a user told the program about one project.
#[derive(Debug)]
pub struct UserData {
    connection: Connection,
    /// How many of [`STEPS`] it has gone through.
    form: usize,
}

impl UserData {
    /// Opens it to read; none if nothing was ever written.
    pub fn read(path: &Path) -> Result<Option<Self>, OpenError> {
        if std::fs::symlink_metadata(path).is_err() {
            return Ok(None);
        }
        let mut connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut found = version(&connection, path);
        if matches!(&found, Err(OpenError::Sqlite { source, .. }) if is_unfinished(source)) {
            // Whoever wrote was killed. What is left of that is undone by who may write, before it can be read.
            drop(connection);
            version(&open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?, path)?;
            connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            found = version(&connection, path);
        }
        // One that is older is brought up by whoever writes next; until then, what is newer is empty.
        match found? {
            0 => Ok(None),
            form => Ok(Some(Self { connection, form })),
        }
    }

    /// Opens it to write, made or brought to the present form if need be. A new one says from its first moment
    /// on whose it is: whoever is killed leaves none, or one that has an owner.
    pub fn write(path: &Path, new_owner: Option<&str>) -> Result<Self, OpenError> {
        let mut connection =
            open(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        bring_up(&mut connection, path, STEPS, new_owner)?;
        Ok(Self { connection, form: STEPS.len() })
    }

    /// What was said of the owner when it was made.
    pub fn owner(&self) -> rusqlite::Result<Option<String>> {
        self.meta(OWNER)
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

    /// Whether it has the tables that queries may read.
    pub fn has_findings(&self) -> bool {
        self.form >= 2
    }

    /// A baseline by its name.
    pub fn baseline(&self, name: &str) -> rusqlite::Result<Option<Baseline>> {
        if !self.has_findings() {
            return Ok(None);
        }
        let sql = format!("{BASELINES} WHERE name = ?1");
        self.connection.query_row(&sql, [name], read_baseline).optional()
    }

    /// All baselines, the latest first.
    pub fn baselines(&self) -> rusqlite::Result<Vec<Baseline>> {
        if !self.has_findings() {
            return Ok(Vec::new());
        }
        let sql = format!("{BASELINES} ORDER BY created_at DESC, name");
        self.connection.prepare(&sql)?.query_map([], read_baseline)?.collect()
    }

    /// Saves a baseline in the place of one of the same name.
    pub fn save_baseline(&mut self, baseline: &Baseline) -> rusqlite::Result<()> {
        let Baseline { name, recipe_id, sql, rows_json, row_count, git_ref, created_at } = baseline;
        self.connection
            .execute(
                "INSERT OR REPLACE INTO query_baselines
                 (name, recipe_id, sql, rows_json, row_count, git_ref, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                (name, recipe_id, sql, rows_json, *row_count as i64, git_ref, created_at),
            )
            .map(|_| ())
    }

    /// Drops a baseline; false if there is none of that name.
    pub fn drop_baseline(&mut self, name: &str) -> rusqlite::Result<bool> {
        let dropped =
            self.connection.execute("DELETE FROM query_baselines WHERE name = ?1", [name])?;
        Ok(dropped > 0)
    }

    /// Notes that a recipe was run, and forgets what was run before `oldest`.
    pub fn note_run(&mut self, recipe: &str, now_ms: i64, oldest_ms: i64) -> rusqlite::Result<()> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute("DELETE FROM recipe_recency WHERE last_run_at < ?1", [oldest_ms])?;
        transaction.execute(
            "INSERT INTO recipe_recency (recipe_id, last_run_at, run_count) VALUES (?1, ?2, 1)
             ON CONFLICT (recipe_id) DO UPDATE
             SET last_run_at = excluded.last_run_at, run_count = run_count + 1",
            (recipe, now_ms),
        )?;
        transaction.commit()
    }

    /// Recipes that were run since `oldest`.
    pub fn recency(&self, oldest_ms: i64) -> rusqlite::Result<Vec<Recency>> {
        if !self.has_findings() {
            return Ok(Vec::new());
        }
        let sql = "SELECT recipe_id, last_run_at, run_count FROM recipe_recency
                   WHERE last_run_at >= ?1 ORDER BY last_run_at DESC, recipe_id";
        let row = |row: &rusqlite::Row<'_>| {
            Ok(Recency {
                recipe_id: row.get(0)?,
                last_run_at: row.get(1)?,
                run_count: row.get::<_, i64>(2)?.unsigned_abs(),
            })
        };
        self.connection.prepare(sql)?.query_map([oldest_ms], row)?.collect()
    }

    /// How often a recipe had to be stopped as it stands.
    pub fn stops(&self, recipe: &str, sql_hash: &[u8; 32]) -> rusqlite::Result<u64> {
        if self.form < 3 {
            return Ok(0);
        }
        let sql = "SELECT stops FROM recipe_stop WHERE recipe_id = ?1 AND sql_hash = ?2";
        let stops: Option<i64> =
            self.connection.query_row(sql, (recipe, sql_hash), |row| row.get(0)).optional()?;
        Ok(stops.unwrap_or(0).unsigned_abs())
    }

    /// Notes that a recipe had to be stopped.
    pub fn note_stop(&mut self, recipe: &str, sql_hash: &[u8; 32]) -> rusqlite::Result<()> {
        self.connection
            .execute(
                "INSERT INTO recipe_stop (recipe_id, sql_hash, stops) VALUES (?1, ?2, 1)
                 ON CONFLICT (recipe_id) DO UPDATE
                 SET stops = iif(sql_hash = excluded.sql_hash, stops + 1, 1),
                     sql_hash = excluded.sql_hash",
                (recipe, sql_hash),
            )
            .map(|_| ())
    }

    /// Forgets that a recipe had to be stopped.
    pub fn forget_stops(&mut self, recipe: &str) -> rusqlite::Result<()> {
        self.connection
            .execute("DELETE FROM recipe_stop WHERE recipe_id = ?1", [recipe])
            .map(|_| ())
    }

    fn meta(&self, key: &str) -> rusqlite::Result<Option<String>> {
        self.connection
            .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0))
            .optional()
    }
}

const OWNER: &str = "owner";

const BASELINES: &str = "SELECT name, recipe_id, sql, rows_json, row_count, git_ref, created_at
     FROM query_baselines";

fn read_baseline(row: &rusqlite::Row<'_>) -> rusqlite::Result<Baseline> {
    Ok(Baseline {
        name: row.get(0)?,
        recipe_id: row.get(1)?,
        sql: row.get(2)?,
        rows_json: row.get(3)?,
        row_count: row.get::<_, i64>(4)?.unsigned_abs(),
        git_ref: row.get(5)?,
        created_at: row.get(6)?,
    })
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

/// Whether an error says that a journal has to be rolled back first, which needs the right to write.
fn is_unfinished(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::ReadOnly)
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
fn bring_up(
    connection: &mut Connection,
    path: &Path,
    steps: &[&str],
    new_owner: Option<&str>,
) -> Result<(), OpenError> {
    let fail = |source| OpenError::new(path, source);
    if version(connection, path)? >= steps.len() {
        return Ok(());
    }
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fail)?;
    // Somebody else may have done it meanwhile.
    let found = version(&transaction, path)?;
    if found > 0 && found < steps.len() {
        back_up(path, found)?;
    }
    for step in steps.iter().skip(found) {
        transaction.execute_batch(step).map_err(fail)?;
    }
    if let Some(owner) = new_owner.filter(|_| found == 0) {
        transaction
            .execute("INSERT INTO meta (key, value) VALUES (?1, ?2)", [OWNER, owner])
            .map_err(fail)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(fail)?;
    transaction.pragma_update(None, "user_version", steps.len() as u32).map_err(fail)?;
    transaction.commit().map_err(fail)
}

/// Copies a database beside itself, unless that was done. Whoever calls this keeps others from writing;
/// the copy has its name only when it is whole, however this ends.
fn back_up(path: &Path, version: usize) -> Result<(), OpenError> {
    let backup = backup_path(path, version);
    if std::fs::symlink_metadata(&backup).is_ok() {
        return Ok(());
    }
    let mut part = backup.clone().into_os_string();
    part.push(".part");
    // One that was killed may have left it.
    let _ = std::fs::remove_file(&part);
    let copy = || {
        let reader = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        reader.execute("VACUUM INTO ?1", [part.to_string_lossy().as_ref()]).map(|_| ())
    };
    copy().map_err(|source| OpenError::new(path, source))?;
    let renamed = std::fs::File::open(&part)
        .and_then(|copy| copy.sync_all())
        .and_then(|()| std::fs::rename(&part, &backup));
    renamed.map_err(|error| {
        let source = rusqlite::Error::ToSqlConversionFailure(Box::new(error));
        OpenError::new(path, source)
    })
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
        let mut data = UserData::write(&path, Some("me")).expect("it is made");
        assert_eq!(data.owner().expect("it can be read").as_deref(), Some("me"));
        let first = data.add_link("shop", "/code/shop", 1).expect("it is added");
        assert_eq!(data.add_link("other", "/code/shop", 2).expect("it is there"), first);
        let read = UserData::read(&path).expect("it can be read").expect("it is there");
        assert_eq!(read.links().expect("links"), std::slice::from_ref(&first));
        data.remove_link(first.id).expect("it is removed");
        assert!(read.links().expect("links").is_empty());
    }

    #[test]
    fn what_a_killed_writer_left_is_undone_by_who_reads() {
        let (path, copy) = (place("killed"), place("killed-copy"));
        let mut data = UserData::write(&path, Some("me")).expect("it is made");
        data.add_link("shop", "/code/shop", 1).expect("it is added");
        // So little room that pages are written before the end.
        let long = "x".repeat(4_000_000);
        data.connection
            .execute_batch("PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM link;")
            .expect("it begins");
        data.connection
            .execute("INSERT INTO link (name, root, added_ms) VALUES (?1, 'r', 1)", [&long])
            .expect("it is written");
        let journal = |path: &std::path::Path| path.with_file_name("user.db-journal");
        std::fs::copy(&path, &copy).expect("as a kill leaves it");
        std::fs::copy(journal(&path), journal(&copy)).expect("with its journal");
        let read = UserData::read(&copy).expect("it can be read").expect("it is there");
        assert_eq!(read.links().expect("links").len(), 1);
        assert!(!journal(&copy).exists());
    }

    #[test]
    fn an_older_form_is_copied_before_it_is_changed() {
        let path = place("older");
        let flags =
            rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE | rusqlite::OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = open(&path, flags).expect("it opens");
        bring_up(&mut connection, &path, &STEPS[..1], None).expect("the first form");
        connection
            .execute("INSERT INTO link VALUES (1, 'a', '/a', 1)", [])
            .expect("a link of the first form");
        // What the older form has is read as it is, and what it has not is empty.
        let old = UserData::read(&path).expect("it can be read").expect("it is there");
        assert!(old.links().expect("links").len() == 1 && !old.has_findings());
        assert!(
            old.baselines().expect("none").is_empty() && old.recency(0).expect("none").is_empty()
        );
        // One who was killed while copying has left a beginning, which is no copy.
        let part = path.with_file_name("user.db.backup-1.part");
        std::fs::write(&part, b"SQLite format 3").expect("a beginning");
        let mut steps = STEPS.to_vec();
        steps.push("ALTER TABLE link ADD COLUMN note TEXT");
        bring_up(&mut connection, &path, &steps, Some("nobody")).expect("it is brought up");
        let old = Connection::open(backup_path(&path, 1)).expect("a copy");
        let links: i64 =
            old.query_row("SELECT count(*) FROM link", [], |row| row.get(0)).expect("rows");
        assert_eq!(links, 1);
        assert!(old.prepare("SELECT note FROM link").is_err() && !part.exists());
        // To this program, what it became is newer than what it knows.
        assert!(matches!(
            UserData::write(&path, None),
            Err(OpenError::NewerSchema { found: 4, .. })
        ));
    }

    #[test]
    fn baselines_are_replaced_by_name_and_runs_are_counted() {
        let path = place("findings");
        let mut data = UserData::write(&path, None).expect("it is made");
        let mut baseline = super::Baseline {
            name: "b".to_owned(),
            recipe_id: None,
            sql: "SELECT 1".to_owned(),
            rows_json: "[]".to_owned(),
            row_count: 0,
            git_ref: None,
            created_at: 5,
        };
        data.save_baseline(&baseline).expect("it is saved");
        baseline.row_count = 3;
        data.save_baseline(&baseline).expect("it is replaced");
        assert_eq!(data.baselines().expect("baselines"), [baseline.clone()]);
        assert_eq!(data.baseline("b").expect("it can be read"), Some(baseline));
        assert!(
            data.drop_baseline("b").expect("it works") && !data.drop_baseline("b").expect("too")
        );
        for (recipe, now) in [("a", 10), ("a", 20), ("b", 30)] {
            data.note_run(recipe, now, 0).expect("it is noted");
        }
        let seen = |data: &UserData, oldest| -> Vec<(String, u64)> {
            let found = data.recency(oldest).expect("runs");
            found.into_iter().map(|run| (run.recipe_id, run.run_count)).collect()
        };
        assert_eq!(seen(&data, 0), [("b".to_owned(), 1), ("a".to_owned(), 2)]);
        assert_eq!(seen(&data, 25), [("b".to_owned(), 1)]);
        data.note_run("c", 40, 25).expect("it is noted");
        assert_eq!(seen(&data, 0), [("c".to_owned(), 1), ("b".to_owned(), 1)]);
    }

    #[test]
    fn stops_are_those_of_a_recipe_as_it_stands() {
        let mut data = UserData::write(&place("stops"), None).expect("it is made");
        let (first, edited) = ([1; 32], [2; 32]);
        for stops in 1..=2 {
            data.note_stop("a", &first).expect("it is noted");
            assert_eq!(data.stops("a", &first).expect("a count"), stops);
        }
        assert_eq!(data.stops("a", &edited).expect("a count"), 0);
        data.note_stop("a", &edited).expect("it is noted");
        let counts = [&first, &edited].map(|hash| data.stops("a", hash).expect("a count"));
        assert_eq!(counts, [0, 1]);
        data.forget_stops("a").expect("they are forgotten");
        assert_eq!(data.stops("a", &edited).expect("a count"), 0);
    }

    #[test]
    fn foreign_and_damaged_databases_are_refused_and_left_alone() {
        let path = place("foreign");
        Connection::open(&path)
            .and_then(|c| c.execute_batch("CREATE TABLE x (y)"))
            .expect("a database");
        assert!(matches!(UserData::write(&path, None), Err(OpenError::Foreign { .. })));
        std::fs::write(&path, "no database at all, but long enough to be looked at")
            .expect("a file");
        assert!(UserData::read(&path).is_err() && UserData::write(&path, None).is_err());
        assert!(std::fs::read_to_string(&path).expect("it is there").starts_with("no database"));
    }
}
