//! Packed facts as tables: `refs`, `bindings`, `scopes`, `terms`, `lines` and `links`, and what follows from
//! links: `dependencies`, `cycles` and measures.
//!
//! Each is an eponymous virtual table. A scan goes file by file: it reads the packed detail of one
//! file, unpacks the part the table shows, and hands out its rows. A condition on `file_id` reads that
//! file alone; one on the name reads only the files the name stands in. Roles and outcomes that are not
//! asked for are left out before SQLite sees them: millions of rows cost most on their way there.

// SQLite calls virtual tables through C function pointers, so implementing one is unsafe by contract:
// the structs must begin with SQLite's own, and the connection behind the raw handle must outlive
// them. Both hold here: the structs are `repr(C)`, and SQLite disconnects a table before it closes.
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;

use model::pack::{Detail, Malformed};
use model::{Outcome, Role};
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::types::{Value, ValueRef};
use rusqlite::vtab::{
    Context, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConnection, VTabCursor,
};
use rusqlite::{Connection, Error, OptionalExtension, Result, ffi};

mod cycles;
mod dependencies;
mod links;
mod measures;
mod rows;
mod texts;

use crate::links::Target;
use crate::names::unpack_files;
pub(crate) use links::{Places, users};
use rows::Rows;
pub(crate) use rows::numbers;
use texts::Texts;

pub(crate) const DOCUMENTATION: &str = include_str!("../schema/packed.sql");

/// Which packed table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    Refs,
    Bindings,
    Scopes,
    Terms,
    Lines,
    Links,
    Dependencies,
    Cycles,
    MeasuredFiles,
    MeasuredSymbols,
}

impl Table {
    const ALL: [Self; 10] = [
        Self::Refs,
        Self::Bindings,
        Self::Scopes,
        Self::Terms,
        Self::Lines,
        Self::Links,
        Self::Dependencies,
        Self::Cycles,
        Self::MeasuredFiles,
        Self::MeasuredSymbols,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Refs => "refs",
            Self::Bindings => "bindings",
            Self::Scopes => "scopes",
            Self::Terms => "terms",
            Self::Lines => "lines",
            Self::Links => "links",
            Self::Dependencies => "dependencies",
            Self::Cycles => "cycles",
            Self::MeasuredFiles => "measured_files",
            Self::MeasuredSymbols => "measured_symbols",
        }
    }

    /// The declaration of the table in the documented schema.
    fn declaration(self) -> &'static str {
        let head = format!("CREATE TABLE {} (", self.name());
        let start = DOCUMENTATION.find(&head).expect("packed.sql declares every packed table");
        let length = DOCUMENTATION[start..].find(");").expect("declarations are closed") + 1;
        &DOCUMENTATION[start..start + length]
    }

    /// The column by which a file is looked up.
    fn file_column(self) -> Option<c_int> {
        match self {
            Self::Lines => Some(1),
            // Nobody knows who is in a circle without looking at everybody.
            Self::Cycles | Self::MeasuredFiles | Self::MeasuredSymbols => None,
            _ => Some(0),
        }
    }

    /// The column that is looked up: a name, or the target of a link.
    fn name_column(self) -> Option<c_int> {
        match self {
            Self::Refs | Self::Bindings | Self::Terms => Some(2),
            Self::Links => Some(6),
            _ => None,
        }
    }

    /// The columns of roles and of outcomes.
    fn word_columns(self) -> [Option<c_int>; 2] {
        match self {
            Self::Refs => [Some(3), None],
            Self::Links => [Some(11), Some(2)],
            _ => [None, None],
        }
    }
}

pub(crate) fn table_names() -> impl Iterator<Item = &'static str> {
    Table::ALL.into_iter().map(Table::name)
}

/// Makes the packed tables known to a connection.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    const MODULE: Module<'static, PackedTable> = Module::eponymous_only_module();
    for table in Table::ALL {
        connection.create_module(table.name(), &MODULE, Some(table))?;
    }
    Ok(())
}

#[repr(C)]
struct PackedTable {
    base: ffi::sqlite3_vtab,
    table: Table,
    handle: *mut ffi::sqlite3,
}

/// Bits of the plan: which conditions are given to `filter`, in this order.
const BY_FILE: c_int = 1;
const BY_NAME: c_int = 2;
const BY_ROLE: c_int = 4;
const BY_OUTCOME: c_int = 8;
/// The condition is a list.
const ROLES: c_int = 16;
const OUTCOMES: c_int = 32;

/// Which rows of a file are wanted.
#[derive(Debug, Clone, Copy, Default)]
struct Wanted {
    name: Option<u32>,
    /// Only links to this symbol.
    target: Option<Target>,
    /// A bit for each.
    roles: Option<u32>,
    outcomes: Option<u32>,
}

impl Wanted {
    fn has_role(&self, role: Role) -> bool {
        self.roles.is_none_or(|roles| roles & 1 << role as u32 != 0)
    }

    fn has_outcome(&self, outcome: Outcome) -> bool {
        self.outcomes.is_none_or(|outcomes| outcomes & 1 << outcome as u32 != 0)
    }
}

unsafe impl<'vtab> VTab<'vtab> for PackedTable {
    type Aux = Table;
    type Cursor = Cursor<'vtab>;

    fn connect(
        db: &mut VTabConnection,
        aux: Option<&Table>,
        _module: &[u8],
        _database: &[u8],
        _table: &[u8],
        _arguments: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Self)> {
        let table = *aux.expect("every packed table is registered with its kind");
        let declaration = CString::new(table.declaration()).map_err(Error::NulError)?;
        let handle = unsafe { db.handle() };
        Ok((declaration.into(), Self { base: ffi::sqlite3_vtab::default(), table, handle }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let mut found = [None; 4];
        let [role, outcome] = self.table.word_columns();
        for (index, constraint) in info.constraints().enumerate() {
            if !constraint.is_usable()
                || constraint.operator() != IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ
            {
                continue;
            }
            let columns = [self.table.file_column(), self.table.name_column(), role, outcome];
            let column = Some(constraint.column());
            if let Some(position) = columns.iter().position(|known| *known == column) {
                found[position] = Some(index);
            }
        }
        let mut plan = 0;
        let mut argument = 0;
        let bits = [(BY_FILE, 0), (BY_NAME, 0), (BY_ROLE, ROLES), (BY_OUTCOME, OUTCOMES)];
        for (index, (bit, list)) in found.into_iter().zip(bits) {
            let Some(index) = index else { continue };
            argument += 1;
            plan |= bit;
            info.constraint_usage(index).set_argv_index(argument);
            // A list of words is one condition; one of names or files is asked for one by one.
            if list != 0 && info.is_in_constraint(index)? && info.set_in_constraint(index, true)? {
                plan |= list;
            }
        }
        info.set_idx_num(plan);
        let (cost, rows) = match plan & (BY_FILE | BY_NAME) {
            0 => (1e7, 1_000_000),
            BY_NAME => (2e3, 100),
            BY_FILE => (1e3, 500),
            _ => (5e2, 10),
        };
        info.set_estimated_cost(cost);
        info.set_estimated_rows(rows);
        Ok(true)
    }

    fn open(&'vtab mut self) -> Result<Cursor<'vtab>> {
        // The handle stays SQLite's: this connection does not close it.
        let connection = unsafe { Connection::from_handle(self.handle) }?;
        Ok(Cursor {
            base: ffi::sqlite3_vtab_cursor::default(),
            table: self.table,
            connection,
            files: Vec::new().into_iter(),
            wanted: Wanted::default(),
            texts: Texts::default(),
            places: RefCell::default(),
            rows: Rows::default(),
            row: 0,
            phantom: PhantomData,
        })
    }
}

#[repr(C)]
struct Cursor<'vtab> {
    base: ffi::sqlite3_vtab_cursor,
    table: Table,
    connection: Connection,
    files: std::vec::IntoIter<i64>,
    wanted: Wanted,
    texts: Texts,
    /// Filled by whoever reads a column.
    places: RefCell<Places>,
    rows: Rows,
    row: usize,
    phantom: PhantomData<&'vtab PackedTable>,
}

impl Cursor<'_> {
    /// Goes on to the next file that has rows.
    fn load_next_file(&mut self) -> Result<()> {
        self.row = 0;
        self.rows = Rows::default();
        while self.rows.is_empty() {
            let Some(file) = self.files.next() else { return Ok(()) };
            match self.table {
                Table::Links => {
                    self.rows = links::rows(&self.connection, file, &self.wanted)?;
                    continue;
                }
                Table::Dependencies => {
                    let places = self.places.get_mut();
                    let all = dependencies::rows(&self.connection, file, places)?;
                    self.rows = Rows::of_dependencies(file, all);
                    continue;
                }
                _ => {}
            }
            let found = self
                .connection
                .prepare_cached(
                    "SELECT a.names, a.detail FROM facts AS a JOIN file AS f ON f.id = a.file_id
                     WHERE a.file_id = ?1 AND f.retired IS NULL",
                )?
                .query_row([file], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Vec<u8>>(1)?)))
                .optional()?;
            let Some((names, detail)) = found else { continue };
            self.rows = Detail::new(&detail)
                .and_then(|detail| Rows::unpack(self.table, file, &names, &detail, &self.wanted))
                .map_err(corrupt)?;
        }
        Ok(())
    }

    fn files_of(&mut self, name: &str) -> Result<Vec<i64>> {
        let found: Option<(u32, Option<Vec<u8>>)> = self
            .connection
            .prepare_cached("SELECT id, files FROM name WHERE text = ?1")?
            .query_row([name], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((id, packed)) = found else {
            self.wanted.name = Some(0);
            return Ok(Vec::new());
        };
        self.wanted.name = Some(id);
        let mut files = unpack_files(packed.as_deref().unwrap_or_default());
        let mut newer =
            self.connection.prepare_cached("SELECT file_id FROM posting WHERE name_id = ?1")?;
        for file in newer.query_map([id], |row| row.get(0))? {
            files.push(file?);
        }
        Ok(files)
    }
}

/// A bit for each word that a condition allows; none where there is no condition.
fn words(
    arguments: &Filters<'_>,
    at: Option<usize>,
    is_list: bool,
    number: impl Fn(&str) -> Option<u32>,
) -> Result<Option<u32>> {
    let Some(at) = at else { return Ok(None) };
    let bit = |value: ValueRef<'_>| value.as_str().ok().and_then(&number).map_or(0, |at| 1 << at);
    if !is_list {
        return arguments.get::<Value>(at).map(|value| Some(bit(ValueRef::from(&value))));
    }
    let mut bits = 0;
    let mut values = arguments.in_values(at)?;
    while let Some(value) = values.next()? {
        bits |= bit(value);
    }
    Ok(Some(bits))
}

pub(crate) fn corrupt(_: Malformed) -> Error {
    Error::ModuleError("the packed facts of a file cannot be read; rebuild the index".to_owned())
}

unsafe impl VTabCursor for Cursor<'_> {
    fn filter(&mut self, plan: c_int, _: Option<&str>, arguments: &Filters<'_>) -> Result<()> {
        let mut argument = 0;
        let mut next = |bit: c_int| {
            (plan & bit != 0).then(|| {
                argument += 1;
                argument - 1
            })
        };
        let (by_file, by_name) = (next(BY_FILE), next(BY_NAME));
        let (by_role, by_outcome) = (next(BY_ROLE), next(BY_OUTCOME));
        let whole = match self.table {
            Table::Cycles => Some(Rows::of_cycles(cycles::rows(&self.connection)?)),
            Table::MeasuredFiles => Some(Rows::of_measures(measures::files(&self.connection)?)),
            Table::MeasuredSymbols => Some(Rows::of_measures(measures::symbols(&self.connection)?)),
            _ => None,
        };
        if let Some(rows) = whole {
            (self.row, self.rows) = (0, rows);
            return Ok(());
        }
        let role = |word: &str| Role::parse(word).map(|role| role as u32);
        let outcome = |word: &str| Outcome::parse(word).map(|outcome| outcome as u32);
        self.wanted = Wanted {
            roles: words(arguments, by_role, plan & ROLES != 0, role)?,
            outcomes: words(arguments, by_outcome, plan & OUTCOMES != 0, outcome)?,
            ..Wanted::default()
        };
        let file: Option<Value> = by_file.map(|at| arguments.get(at)).transpose()?;
        let name: Option<Value> = by_name.map(|at| arguments.get(at)).transpose()?;
        let files = match (file, name) {
            (Some(Value::Integer(file)), None) => vec![file],
            (Some(Value::Integer(file)), Some(Value::Text(name))) => {
                let mut files = self.files_of(&name)?;
                files.retain(|candidate| *candidate == file);
                files
            }
            (None, Some(Value::Text(name))) => self.files_of(&name)?,
            (file, Some(Value::Integer(symbol))) if self.table == Table::Links => {
                self.wanted.target = links::target(&self.connection, symbol)?;
                match (self.wanted.target, file) {
                    (Some(_), Some(Value::Integer(file))) => vec![file],
                    (Some(_), None) => links::users(&self.connection, symbol)?,
                    _ => Vec::new(),
                }
            }
            (None, None) => self
                .connection
                .prepare_cached("SELECT id FROM file WHERE retired IS NULL ORDER BY id")?
                .query_map([], |row| row.get(0))?
                .collect::<Result<_>>()?,
            _ => Vec::new(),
        };
        self.files = files.into_iter();
        self.load_next_file()
    }

    fn next(&mut self) -> Result<()> {
        self.row += 1;
        if self.row >= self.rows.len() { self.load_next_file() } else { Ok(()) }
    }

    fn eof(&self) -> bool {
        self.rows.is_empty()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        let value = self.rows.column(self.row, column);
        match value {
            rows::Cell::Null => context.set_result(rusqlite::types::Null),
            rows::Cell::Number(number) => context.set_result(number),
            rows::Cell::Real(number) => context.set_result(number),
            rows::Cell::Word(word) => context.set_result(word),
            rows::Cell::Name(id) => {
                context.set_result(self.texts.get(&self.connection, id)?.as_ref())
            }
            rows::Cell::Symbol(target) => {
                context.set_result(self.places.borrow_mut().symbol(&self.connection, target)?)
            }
            rows::Cell::File(path) => {
                context.set_result(self.places.borrow_mut().file(&self.connection, path)?)
            }
        }
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.rows.file << 32 | self.row as i64)
    }
}
