//! Builds an index from nothing: rows are appended in the order of files, indexes come last.
//!
//! Nothing here is safe against a crash, and need not be: the database is a file of its own until
//! [`crate::publish`] makes it the index.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use rusqlite::Connection;

use crate::bulk::Bulk;
use crate::known::{self, Census};
use crate::links::{self, Linked, Names, Watcher};
use crate::names::ProjectNames;
use crate::rows::{self, FileRow, ImportRow, Left, Numbers, Unpacked};
use crate::{APPLICATION_ID, INDEXES, SCHEMA_VERSION, TABLES, VIEWS, words};

/// Why an index could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("cannot write {path}: {source}")]
    Sqlite { path: PathBuf, source: rusqlite::Error },
    #[error("a worker sent facts that cannot be read (file {path})")]
    Malformed { path: String },
    #[error("stopped")]
    Stopped,
}

impl WriteError {
    pub(crate) fn of(path: &Path, source: rusqlite::Error) -> Self {
        match links::is_stop(&source) {
            true => Self::Stopped,
            false => Self::Sqlite { path: path.to_owned(), source },
        }
    }

    /// Whether the database is damaged, as opposed to the disk being full.
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Sqlite { source, .. } if crate::reader::is_damage(source))
    }

    pub fn is_full(&self) -> bool {
        matches!(self, Self::Sqlite { source, .. } if crate::reader::is_full(source))
    }
}

/// What an index consists of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    pub files: u64,
    pub symbols: u64,
    pub references: u64,
    /// Distinct terms.
    pub names: u64,
}

#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    path: PathBuf,
    names: ProjectNames,
    files: u32,
    /// They are written once it is known where they lead to.
    imports: Vec<ImportRow>,
}

impl Numbers for ProjectNames {
    fn number(&mut self, text: &str) -> rusqlite::Result<u32> {
        Ok(self.intern(text))
    }
}

impl Names for ProjectNames {
    fn text(&mut self, name: u32) -> rusqlite::Result<Rc<str>> {
        Ok(self.get(name).into())
    }
}

impl Writer {
    /// A new database at `path`, which must not exist.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let fail = |source| WriteError::Sqlite { path: path.to_owned(), source };
        let connection = Connection::open(path).map_err(fail)?;
        connection
            .execute_batch(
                "PRAGMA page_size = 8192;
                 PRAGMA journal_mode = OFF;
                 PRAGMA synchronous = OFF;
                 PRAGMA locking_mode = EXCLUSIVE;
                 PRAGMA foreign_keys = OFF;
                 PRAGMA temp_store = MEMORY;
                 PRAGMA cache_size = -32768;
                 BEGIN;",
            )
            .map_err(fail)?;
        connection.execute_batch(TABLES).map_err(fail)?;
        connection.set_prepared_statement_cache_capacity(32);
        Ok(Self {
            connection,
            path: path.to_owned(),
            names: ProjectNames::default(),
            files: 0,
            imports: Vec::new(),
        })
    }

    /// Adds a file with its packed facts; without facts it is only known to exist. The text is kept
    /// for full-text queries.
    pub fn add(
        &mut self,
        row: &FileRow,
        facts: Option<&[u8]>,
        text: Option<&str>,
    ) -> Result<(), WriteError> {
        let facts = facts
            .map(Unpacked::new)
            .transpose()
            .map_err(|_| WriteError::Malformed { path: row.path.clone() })?;
        let id = self.files + 1;
        let Left { terms, imports } = self
            .insert(id.into(), row, facts.as_ref(), text)
            .map_err(|source| WriteError::Sqlite { path: self.path.clone(), source })?;
        self.imports.extend(imports);
        for number in terms {
            self.names.post(number, id);
        }
        self.files = id;
        Ok(())
    }

    fn insert(
        &mut self,
        id: i64,
        row: &FileRow,
        facts: Option<&Unpacked<'_>>,
        text: Option<&str>,
    ) -> rusqlite::Result<Left> {
        if let Some(text) = text {
            rows::insert_text(&self.connection, id, &row.path, text)?;
        }
        rows::insert(&self.connection, &mut self.names, id, row, facts, None)
    }

    /// Links all files that were added, unless the watcher ends it: the index is of no use then.
    pub fn link(&mut self, watcher: &mut Watcher<'_>) -> Result<Linked, WriteError> {
        links::link_all(&self.connection, &mut self.names, &mut self.imports, watcher)
            .map_err(|source| WriteError::of(&self.path, source))
    }

    /// Writes names, indexes and `meta`, and closes the database. It is whole then, and on disk. Returns
    /// what it consists of and the number of distinct terms.
    pub fn finish(self, meta: &[(&str, String)]) -> Result<(Vec<Census>, u64), WriteError> {
        let path = self.path.clone();
        let fail = |source| WriteError::Sqlite { path: path.clone(), source };
        let names = self.names.terms();
        rows::insert_imports(&self.connection, &self.imports).map_err(fail)?;
        self.write_names().map_err(fail)?;
        let counters = [("next_file", (self.files + 1).to_string()), ("names", names.to_string())];
        crate::write_meta(&self.connection, &counters).map_err(fail)?;
        crate::write_meta(&self.connection, meta).map_err(fail)?;
        let next_name = self.names.len() as u32 + 1;
        words::write(&self.connection, &self.names, next_name, i64::from(self.files) + 1)
            .map_err(fail)?;
        self.connection.execute_batch(INDEXES).map_err(fail)?;
        self.connection.execute_batch(VIEWS).map_err(fail)?;
        self.connection
            .execute_batch(&format!(
                "COMMIT;
                 PRAGMA application_id = {APPLICATION_ID};
                 PRAGMA user_version = {SCHEMA_VERSION};
                 PRAGMA analysis_limit = 400;
                 ANALYZE;
                 PRAGMA locking_mode = NORMAL;
                 PRAGMA journal_mode = WAL;"
            ))
            .map_err(fail)?;
        let census = known::census(&self.connection).map_err(fail)?;
        self.connection.close().map_err(|(_, source)| fail(source))?;
        std::fs::File::open(&path)
            .and_then(|file| file.sync_all())
            .map_err(|error| fail(rusqlite::Error::ToSqlConversionFailure(Box::new(error))))?;
        Ok((census, names))
    }

    fn write_names(&self) -> rusqlite::Result<()> {
        let head = "INSERT INTO name (id, text, uses, files)";
        let mut insert = Bulk::new(&self.connection, head, self.names.len());
        self.names.each(|number, text, uses, files| insert.add(&[&number, &text, &uses, &files]))
    }
}
