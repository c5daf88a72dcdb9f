//! Packed facts as tables: `refs`, `bindings`, `scopes`, `terms`, `lines` and `links`, and `cycles` and
//! measures, which follow from links.
//!
//! Each is an eponymous virtual table. A scan goes file by file: it reads the packed detail of one
//! file, unpacks the part the table shows, and hands out its rows. A condition on `file_id` reads that
//! file alone; one on the name reads only the files the name stands in.

// SQLite calls virtual tables through C function pointers, so implementing one is unsafe by contract:
// the structs must begin with SQLite's own, and the connection behind the raw handle must outlive
// them. Both hold here: the structs are `repr(C)`, and SQLite disconnects a table before it closes.
#![allow(unsafe_code)]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;

use model::pack::{Detail, Malformed};
use rusqlite::types::Value;
use rusqlite::vtab::{
    Context, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConnection, VTabCursor,
};
use rusqlite::{Connection, Error, OptionalExtension, Result, ffi};

mod cycles;
mod links;
mod measures;
mod rows;
mod texts;

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
    Cycles,
    MeasuredFiles,
    MeasuredSymbols,
}

impl Table {
    const ALL: [Self; 9] = [
        Self::Refs,
        Self::Bindings,
        Self::Scopes,
        Self::Terms,
        Self::Lines,
        Self::Links,
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
        let mut found = [None, None];
        for (index, constraint) in info.constraints().enumerate() {
            if !constraint.is_usable()
                || constraint.operator() != IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ
            {
                continue;
            }
            if Some(constraint.column()) == self.table.file_column() {
                found[0] = Some(index);
            } else if Some(constraint.column()) == self.table.name_column() {
                found[1] = Some(index);
            }
        }
        let mut plan = 0;
        let mut argument = 0;
        for (position, bit) in [(0, BY_FILE), (1, BY_NAME)] {
            if let Some(index) = found[position] {
                argument += 1;
                plan |= bit;
                info.constraint_usage(index).set_argv_index(argument);
            }
        }
        info.set_idx_num(plan);
        let (cost, rows) = match plan {
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
            wanted: None,
            texts: Texts::default(),
            target: None,
            places: links::Places::default(),
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
    /// Only rows of this name.
    wanted: Option<u32>,
    texts: Texts,
    /// Only links to this symbol.
    target: Option<i64>,
    places: links::Places,
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
            if self.table == Table::Links {
                self.rows = links::rows(&self.connection, file, self.target, &mut self.places)?;
                continue;
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
                .and_then(|detail| Rows::unpack(self.table, file, &names, &detail, self.wanted))
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
            self.wanted = Some(0);
            return Ok(Vec::new());
        };
        self.wanted = Some(id);
        let mut files = unpack_files(packed.as_deref().unwrap_or_default());
        let mut newer =
            self.connection.prepare_cached("SELECT file_id FROM posting WHERE name_id = ?1")?;
        for file in newer.query_map([id], |row| row.get(0))? {
            files.push(file?);
        }
        Ok(files)
    }
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
        (self.wanted, self.target) = (None, None);
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
            (file, Some(Value::Integer(target))) if self.table == Table::Links => {
                self.target = Some(target);
                match file {
                    Some(Value::Integer(file)) => vec![file],
                    Some(_) => Vec::new(),
                    None => links::users(&self.connection, target)?,
                }
            }
            (None, None) => self
                .connection
                .prepare_cached("SELECT id FROM file WHERE retired IS NULL ORDER BY id")?
                .query_map([], |row| row.get(0))?
                .collect::<Result<_>>()?,
            _ => Vec::new(),
        };
        self.texts.expect_files(&self.connection, files.len())?;
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
        }
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.rows.file << 32 | self.row as i64)
    }
}
