//! SQL from outside: from people, recipes, agents and whoever else asks.
//!
//! A read-only connection is no sandbox: it still attaches other databases, writes copies of itself,
//! makes temporary views that hide real ones, and computes for ever. So a [`Sandbox`] is a connection of
//! one caller that
//!
//! - may only read: an authorizer allows SELECT, the tables of the index and of the user's data, and the
//!   functions of [`functions::ALLOWED`]; everything else is refused by default;
//! - has low limits on the size of statements and values and on memory;
//! - has a deadline: the progress handler of SQLite looks at the clock, and the caller, who waits on
//!   another thread, interrupts. Where one function runs long and heeds neither, the caller goes on
//!   without it;
//! - gives at most so many rows and bytes, and says when there were more.
//!
//! Everything that runs SQL it did not write comes through here: `query`, recipes, and every server.

mod functions;
mod split;

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, InterruptHandle};
use serde_json::Value;

use crate::{Reader, packed, user};
pub use functions::ALLOWED as ALLOWED_FUNCTIONS;
pub use split::{Word, statements, words};

pub(crate) const DOCUMENTATION: &str = include_str!("../schema/sandbox.sql");

/// How much one statement may take and give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    pub rows: usize,
    /// Bytes of all values and the names of their columns.
    pub bytes: usize,
}

/// No caller may ask for more.
pub const MOST: Limits =
    Limits { time: Duration::from_secs(30), rows: usize::MAX, bytes: 64 << 20 };

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(5), rows: 1000, bytes: MOST.bytes }
    }
}

/// What a statement gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    /// Why there are more rows than these, if so.
    pub cut: Option<Cut>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    Rows,
    Bytes,
}

/// Why a statement gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// It does something else than reading, or touches what is nobody's business.
    #[error("{0}")]
    Refused(String),
    #[error("{message}")]
    Sql { message: String, offset: Option<usize> },
    #[error("{0}")]
    Parameters(String),
    #[error("{0}")]
    Limit(String),
    #[error("the statement took longer than {} ms", .0.as_millis())]
    Timeout(Duration),
    #[error("the statement needs more memory than it may have")]
    Memory,
    #[error("interrupted")]
    Interrupted,
    #[error("{0}")]
    Sqlite(rusqlite::Error),
}

/// One rule on which files may depend on which, from the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundaryRule {
    pub name: String,
    pub from_glob: String,
    pub to_glob: String,
    pub action: String,
}

/// Values larger than this cannot be read or made. It must stay above the largest stored row.
const MAX_LENGTH: i32 = 16 << 20;
/// Memory of SQLite in this process.
const MAX_HEAP: i64 = 256 << 20;
/// KiB of pages that a connection keeps. Most statements read each page once, and a page that takes the
/// place of another costs less than one in new memory.
const CACHE: u32 = 8 << 10;
/// Instructions between two looks at the clock.
const PROGRESS: i32 = 1000;
/// How long an interrupted statement has to end before the caller goes on without it.
const GRACE: Duration = Duration::from_millis(60);

const LIMITS: &[(Limit, i32)] = &[
    (Limit::SQLITE_LIMIT_LENGTH, MAX_LENGTH),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 256 << 10),
    (Limit::SQLITE_LIMIT_COLUMN, 500),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 50),
    (Limit::SQLITE_LIMIT_VDBE_OP, 200_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 100),
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200),
    (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 200),
    (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// What SQLite says to who would change a view, or a table of its own.
const WRITE_MESSAGES: [&str; 2] = ["because it is a view", "may not be modified"];
/// What SQLite says when one of its limits is hit.
const LIMIT_MESSAGES: &[&str] = &[
    "too many columns",
    "too many terms",
    "too many arguments",
    "too many SQL variables",
    "Expression tree is too large",
    "pattern too complex",
    "parser stack overflow",
    "Recursion limit",
    "at most 64 tables",
    "query aborted",
    "too many references",
    "string or blob too big",
    "variable number must be between",
];

/// A connection that may be given any SQL.
#[derive(Debug)]
pub struct Sandbox {
    /// None once a statement could not be stopped.
    connection: Option<Connection>,
    watch: Arc<Watch>,
}

/// What the callbacks of SQLite look at, and what they say.
#[derive(Debug)]
struct Watch {
    start: Instant,
    /// Nanoseconds from the start.
    deadline: AtomicU64,
    /// Set from outside, when nobody waits for the answer any more.
    stop: Arc<AtomicBool>,
    /// What the authorizer refused last.
    refused: Mutex<Option<String>>,
    /// Keeps writers out as long as the connection needs it.
    _still: Option<std::fs::File>,
}

impl Watch {
    fn begin(&self, time: Duration) {
        let deadline = self.start.elapsed() + time;
        self.deadline.store(deadline.as_nanos() as u64, Ordering::Relaxed);
        *self.refused() = None;
    }

    fn is_late(&self) -> bool {
        self.start.elapsed().as_nanos() as u64 >= self.deadline.load(Ordering::Relaxed)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn refused(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.refused.lock().expect("nothing panics while it is held")
    }
}

impl Sandbox {
    /// Shuts a reader in. `user` is the data of the user, if there is any that may be read.
    pub fn new(
        reader: Reader,
        user: Option<&Path>,
        rules: &[BoundaryRule],
        stop: Arc<AtomicBool>,
    ) -> rusqlite::Result<Self> {
        let (mut connection, still) = reader.into_connection();
        prepare(&connection, user, rules)?;
        let deadline = AtomicU64::new(u64::MAX);
        let refused = Mutex::new(None);
        let watch = Watch { start: Instant::now(), deadline, stop, refused, _still: still };
        let watch = Arc::new(watch);
        let tables = tables(&connection)?;
        shut(&mut connection, tables, &watch)?;
        Ok(Self { connection: Some(connection), watch })
    }

    /// Runs one statement. Parameters are given by their names, without the colon.
    pub fn run(
        &mut self,
        sql: &str,
        parameters: &[(String, Value)],
        limits: &Limits,
    ) -> Result<Rows, Failure> {
        let limits = Limits {
            time: limits.time.min(MOST.time),
            rows: limits.rows,
            bytes: limits.bytes.min(MOST.bytes),
        };
        let sql = single(sql)?.to_owned();
        let Some(connection) = self.connection.take() else {
            return Err(Failure::Timeout(limits.time));
        };
        let handle = connection.get_interrupt_handle();
        let parameters = parameters.to_vec();
        let (send, receive) = mpsc::channel();
        self.watch.begin(limits.time);
        let watch = self.watch.clone();
        let spawned = std::thread::Builder::new().name("sql".to_owned()).spawn(move || {
            let result = execute(&connection, &sql, &parameters, &limits)
                .map_err(|error| explained(error, &watch, limits.time));
            // The caller may have gone on.
            let _ = send.send((connection, result));
        });
        if spawned.is_err() {
            return Err(Failure::Memory);
        }
        self.wait(&handle, &receive, limits.time)
    }

    /// Whether a statement could not be stopped: then there is nobody left to ask.
    pub fn is_lost(&self) -> bool {
        self.connection.is_none()
    }

    /// Waits for an answer, interrupts when it is time, and gives up soon after that.
    fn wait(
        &mut self,
        handle: &InterruptHandle,
        receive: &mpsc::Receiver<(Connection, Result<Rows, Failure>)>,
        time: Duration,
    ) -> Result<Rows, Failure> {
        const LOOK: Duration = Duration::from_millis(50);
        let begin = Instant::now();
        loop {
            let left = (time + GRACE).saturating_sub(begin.elapsed());
            // An interruption that comes before the statement has begun is lost, so it is repeated.
            let late = self.watch.is_late() || self.watch.is_stopped();
            let step = if late { Duration::from_millis(5) } else { LOOK };
            let until_deadline = time.saturating_sub(begin.elapsed()).max(Duration::from_millis(1));
            match receive.recv_timeout(step.min(until_deadline)) {
                Ok((connection, result)) => {
                    self.connection = Some(connection);
                    return result;
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => return Err(Failure::Memory),
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    if self.watch.is_late() || self.watch.is_stopped() {
                        handle.interrupt();
                    }
                    if left.is_zero() {
                        return Err(Failure::Timeout(time));
                    }
                }
            }
        }
    }
}

/// The only statement of a text.
fn single(sql: &str) -> Result<&str, Failure> {
    let wrong = |message: &str, offset| {
        Err(Failure::Sql { message: message.to_owned(), offset: Some(offset) })
    };
    if let Some(at) = sql.find('\0') {
        return wrong("the statement has a NUL character", at);
    }
    match statements(sql).as_slice() {
        [] => wrong("there is no statement", 0),
        [one] => Ok(one),
        [first, second, ..] => {
            let at = second.as_ptr() as usize - sql.as_ptr() as usize;
            debug_assert!(at >= first.len());
            wrong("there is more than one statement", at)
        }
    }
}

/// What the connection needs before it is shut: the user's data, rules, settings.
fn prepare(
    connection: &Connection,
    user: Option<&Path>,
    rules: &[BoundaryRule],
) -> rusqlite::Result<()> {
    connection.execute_batch(
        "COMMIT;
         PRAGMA query_only = OFF;
         PRAGMA mmap_size = 0;
         PRAGMA cell_size_check = ON;",
    )?;
    connection.execute_batch(&format!("PRAGMA cache_size = -{CACHE}"))?;
    connection.execute_batch(DOCUMENTATION)?;
    let sql = "INSERT OR REPLACE INTO temp.boundary_rules VALUES (?1, ?2, ?3, ?4)";
    let mut insert = connection.prepare(sql)?;
    for rule in rules {
        insert.execute([&rule.name, &rule.from_glob, &rule.to_glob, &rule.action])?;
    }
    drop(insert);
    match user {
        Some(path) => {
            connection.execute("ATTACH ?1 AS user", [path.to_string_lossy().as_ref()])?;
        }
        // Who never said anything has empty tables.
        None => connection.execute_batch(user::EMPTY)?,
    }
    connection.query_row("SELECT count(*) FROM temp.sqlite_schema", [], |_| Ok(()))?;
    functions::replace(connection)?;
    connection.query_row(&format!("PRAGMA hard_heap_limit = {MAX_HEAP}"), [], |_| Ok(()))?;
    connection.execute_batch("PRAGMA query_only = ON; BEGIN;")?;
    // Begins the transaction: whatever is asked from now on is of one generation.
    connection.query_row("SELECT count(*) FROM main.meta", [], |_| Ok(()))
}

/// What may be read.
struct Tables {
    /// As `database.table`.
    allowed: HashSet<String>,
    /// Tables that SQLite makes up and that are nobody's business.
    made_up: HashSet<String>,
}

impl Tables {
    fn may_be_read(&self, database: Option<&str>, table: &str, column: &str) -> bool {
        if let Some(database) = database {
            return self.allowed.contains(&format!("{database}.{table}"));
        }
        // A table of which no column is read may be a subquery, which has any name.
        let is_made_up = self.made_up.contains(table) || table.starts_with("pragma_");
        column.is_empty() && !is_made_up || self.allowed.contains(&format!("main.{table}"))
    }
}

fn tables(connection: &Connection) -> rusqlite::Result<Tables> {
    let sql = "SELECT 'main.' || name FROM main.sqlite_schema WHERE type IN ('table', 'view')
               UNION ALL
               SELECT 'temp.' || name FROM temp.sqlite_schema WHERE type IN ('table', 'view')";
    let mut statement = connection.prepare(sql)?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut tables: HashSet<String> = names.collect::<rusqlite::Result<_>>()?;
    // Tables that SQLite itself makes up, in the database a statement stands in.
    let own = ["json_each", "json_tree", "sqlite_schema", "sqlite_master"];
    let pragmas = ["pragma_table_info", "pragma_table_xinfo"];
    for name in own.into_iter().chain(pragmas).chain(packed::table_names()) {
        tables.insert(format!("main.{name}"));
    }
    for name in ["sqlite_temp_schema", "sqlite_temp_master", "sqlite_schema", "sqlite_master"] {
        tables.insert(format!("temp.{name}"));
    }
    for name in user::PUBLIC_TABLES {
        tables.insert(format!("user.{name}"));
    }
    let mut statement = connection.prepare("SELECT name FROM pragma_module_list")?;
    let modules = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut made_up: HashSet<String> = modules.collect::<rusqlite::Result<_>>()?;
    made_up.retain(|name| !tables.contains(&format!("main.{name}")));
    Ok(Tables { allowed: tables, made_up })
}

/// Closes everything that is not reading.
fn shut(connection: &mut Connection, tables: Tables, watch: &Arc<Watch>) -> rusqlite::Result<()> {
    for (config, on) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
        // A misspelt column in double quotes is an error, not a text.
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
    ] {
        connection.set_db_config(config, on)?;
    }
    for (limit, most) in LIMITS {
        connection.set_limit(*limit, *most)?;
    }
    let clock = watch.clone();
    let is_over = move || clock.is_late() || clock.is_stopped();
    connection.progress_handler(PROGRESS, Some(is_over))?;
    let watch = watch.clone();
    connection.authorizer(Some(move |context: AuthContext<'_>| match refusal(&context, &tables) {
        None => Authorization::Allow,
        Some(what) => {
            watch.refused().get_or_insert(what);
            Authorization::Deny
        }
    }))
}

/// What is wrong about something a statement wants to do. What is not known to be harmless is refused.
fn refusal(context: &AuthContext<'_>, tables: &Tables) -> Option<String> {
    const WRITES: &str = "only statements that read are allowed";
    match context.action {
        AuthAction::Select | AuthAction::Recursive => None,
        AuthAction::Read { table_name, column_name } => {
            let is_known = tables.may_be_read(context.database_name, table_name, column_name);
            (!is_known).then(|| format!("`{table_name}` may not be read"))
        }
        AuthAction::Function { function_name } => {
            let name = function_name.to_ascii_lowercase();
            let is_known = functions::ALLOWED.binary_search(&name.as_str()).is_ok();
            (!is_known).then(|| format!("the function `{name}` may not be used"))
        }
        AuthAction::Pragma { pragma_name, pragma_value } => {
            let name = pragma_name.to_ascii_lowercase();
            let is_known = match name.as_str() {
                "table_info" | "table_xinfo" => true,
                // Full-text tables ask this for themselves.
                "data_version" => pragma_value.is_none(),
                _ => false,
            };
            (!is_known).then(|| format!("{WRITES}; PRAGMA {name} is not"))
        }
        AuthAction::Attach { .. } | AuthAction::Detach { .. } => {
            Some(format!("{WRITES}; other databases are out of reach"))
        }
        AuthAction::Transaction { .. } | AuthAction::Savepoint { .. } => {
            Some(format!("{WRITES}; transactions are not for statements"))
        }
        _ => Some(WRITES.to_owned()),
    }
}

/// A failure of our own, or one of SQLite.
enum Broken {
    Known(Failure),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Broken {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn execute(
    connection: &Connection,
    sql: &str,
    parameters: &[(String, Value)],
    limits: &Limits,
) -> Result<Rows, Broken> {
    let mut statement = connection.prepare(sql)?;
    if !statement.readonly() {
        let message = "only statements that read are allowed".to_owned();
        return Err(Broken::Known(Failure::Refused(message)));
    }
    for at in 1..=statement.parameter_count() {
        let name = statement.parameter_name(at).map(str::to_owned);
        let value = name.as_deref().and_then(|name| {
            let name = name.get(1..)?;
            parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value)
        });
        let Some(value) = value else {
            let name = name.unwrap_or_else(|| format!("?{at}"));
            let message =
                format!("the statement has a parameter `{name}` and there is no value for it");
            return Err(Broken::Known(Failure::Parameters(message)));
        };
        statement.raw_bind_parameter(at, bound(value))?;
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let header: usize = columns.iter().map(|column| column.len() + 6).sum();
    let mut found = statement.raw_query();
    let (mut rows, mut bytes, mut cut) = (Vec::new(), 0, None);
    while let Some(row) = found.next()? {
        if rows.len() == limits.rows {
            cut = Some(Cut::Rows);
            break;
        }
        let mut values = Vec::with_capacity(columns.len());
        bytes += header;
        for column in 0..columns.len() {
            let value = row.get_ref(column)?;
            bytes += match value {
                ValueRef::Text(text) => text.len(),
                ValueRef::Blob(blob) => blob.len() * 2,
                _ => 8,
            };
            if bytes > limits.bytes {
                break;
            }
            values.push(shown(value));
        }
        if bytes > limits.bytes {
            cut = Some(Cut::Bytes);
            break;
        }
        rows.push(values);
    }
    Ok(Rows { columns, rows, cut })
}

/// A JSON value as SQLite takes it.
fn bound(value: &Value) -> rusqlite::types::Value {
    use rusqlite::types::Value as Sql;
    match value {
        Value::Null => Sql::Null,
        Value::Bool(yes) => Sql::Integer(i64::from(*yes)),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => Sql::Integer(integer),
            None => Sql::Real(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => Sql::Text(text.clone()),
        other => Sql::Text(other.to_string()),
    }
}

/// A value of SQLite as JSON; bytes as hexadecimal digits.
fn shown(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
        ValueRef::Blob(bytes) => {
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
        }
    }
}

fn explained(broken: Broken, watch: &Watch, time: Duration) -> Failure {
    let error = match broken {
        Broken::Known(failure) => return failure,
        Broken::Sqlite(error) => error,
    };
    if watch.is_stopped() {
        return Failure::Interrupted;
    }
    let (code, message, offset) = match &error {
        rusqlite::Error::SqlInputError { error, msg, offset, .. } => {
            (Some(error.code), msg.clone(), usize::try_from(*offset).ok())
        }
        rusqlite::Error::SqliteFailure(code, message) => {
            (Some(code.code), message.clone().unwrap_or_else(|| code.to_string()), None)
        }
        other => (None, other.to_string(), None),
    };
    // Before anything else: what is refused while a statement runs fails it with all kinds of words.
    if let Some(what) = watch.refused().take() {
        return Failure::Refused(what);
    }
    match code {
        Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => {
            Failure::Refused("only statements that read are allowed".to_owned())
        }
        Some(ErrorCode::OperationInterrupted) => Failure::Timeout(time),
        _ if watch.is_late() => Failure::Timeout(time),
        Some(ErrorCode::OutOfMemory) => Failure::Memory,
        Some(ErrorCode::TooBig) => Failure::Limit(message),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure) => {
            Failure::Sqlite(error)
        }
        // What cannot be written is told before anybody asks whether it may be.
        _ if WRITE_MESSAGES.iter().any(|known| message.contains(known)) => {
            Failure::Refused("only statements that read are allowed".to_owned())
        }
        _ if LIMIT_MESSAGES.iter().any(|known| message.contains(known)) => Failure::Limit(message),
        _ => Failure::Sql { message, offset },
    }
}
