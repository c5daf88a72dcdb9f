//! Builds an index from nothing: rows are appended in the order of files, indexes come last.
//!
//! Nothing here is safe against a crash, and need not be: the database is a file of its own until
//! [`crate::publish`] makes it the index.

use std::path::{Path, PathBuf};

use model::pack::{self, Detail, put_number};
use model::{FileFacts, Metrics, Symbol, position};
use rusqlite::{CachedStatement, Connection, params};
use rustc_hash::FxHashMap;

use crate::names::ProjectNames;
use crate::{APPLICATION_ID, INDEXES, SCHEMA_VERSION, TABLES, VIEWS};

/// Why an index could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("cannot write {path}: {source}")]
    Sqlite { path: PathBuf, source: rusqlite::Error },
    #[error("a worker sent facts that cannot be read (file {path})")]
    Malformed { path: String },
}

/// What is known of a file besides its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    pub path: String,
    pub language: String,
    pub status: Status,
    pub size: u64,
    pub content_hash: Option<[u8; 32]>,
    pub modified_ns: i64,
    pub indexed_ms: i64,
}

/// How much of a file is in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    Indexed,
    /// Only part of what it says is known.
    Partial(String),
    /// Nothing but its existence is known.
    Skipped(String),
}

impl Status {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Indexed => "indexed",
            Self::Partial(_) => "partial",
            Self::Skipped(_) => "skipped",
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Indexed => None,
            Self::Partial(reason) | Self::Skipped(reason) => Some(reason),
        }
    }
}

/// What was written so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    pub files: u64,
    pub symbols: u64,
    pub references: u64,
    pub names: u64,
}

#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    path: PathBuf,
    names: ProjectNames,
    headers: FxHashMap<Box<str>, i64>,
    totals: Totals,
    packed_names: Vec<u8>,
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
            headers: FxHashMap::default(),
            totals: Totals::default(),
            packed_names: Vec::new(),
        })
    }

    pub fn totals(&self) -> Totals {
        Totals { names: self.names.len() as u64, ..self.totals }
    }

    /// Adds a file with its packed facts; without facts it is only known to exist.
    pub fn add(&mut self, row: &FileRow, facts: Option<&[u8]>) -> Result<(), WriteError> {
        let malformed = |_| WriteError::Malformed { path: row.path.clone() };
        let id = self.totals.files as u32 + 1;
        let unpacked = facts.map(pack::unpack_head).transpose().map_err(malformed)?;
        let (head, detail) = match &unpacked {
            Some((head, detail)) => (Some(head), *detail),
            None => (None, &[][..]),
        };
        if let Some(head) = head {
            let detail = Detail::new(detail).map_err(malformed)?;
            self.number_names(id, head, &detail).map_err(malformed)?;
            self.totals.references += detail.reference_count().map_err(malformed)? as u64;
        }
        self.write(i64::from(id), row, head, detail)
            .map_err(|source| WriteError::Sqlite { path: self.path.clone(), source })?;
        self.totals.files += 1;
        Ok(())
    }

    /// Adds the text of the file added last to the full-text table.
    pub fn add_text(&mut self, path: &str, content: &str) -> Result<(), WriteError> {
        self.cached("INSERT INTO source_fts (file_path, content) VALUES (?1, ?2)")
            .and_then(|mut statement| statement.execute(params![path, content]))
            .map(drop)
            .map_err(|source| WriteError::Sqlite { path: self.path.clone(), source })
    }

    /// Writes names, indexes and `meta`, and closes the database. It is whole then, and on disk.
    pub fn finish(self, meta: &[(&str, String)]) -> Result<Totals, WriteError> {
        let path = self.path.clone();
        let fail = |source| WriteError::Sqlite { path: path.clone(), source };
        let totals = self.totals();
        self.write_names().map_err(fail)?;
        {
            let mut insert = self
                .connection
                .prepare("INSERT INTO meta (key, value) VALUES (?1, ?2)")
                .map_err(fail)?;
            for (key, value) in meta {
                insert.execute(params![key, value]).map_err(fail)?;
            }
        }
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
        self.connection.close().map_err(|(_, source)| fail(source))?;
        std::fs::File::open(&path)
            .and_then(|file| file.sync_all())
            .map_err(|error| fail(rusqlite::Error::ToSqlConversionFailure(Box::new(error))))?;
        Ok(totals)
    }

    /// Numbers the names of a file and notes which of them are terms in it.
    fn number_names(
        &mut self,
        file: u32,
        head: &FileFacts,
        detail: &Detail<'_>,
    ) -> Result<(), pack::Malformed> {
        self.packed_names.clear();
        let numbers: Vec<u32> = head.names.iter().map(|name| self.names.intern(name)).collect();
        for number in &numbers {
            put_number(&mut self.packed_names, *number);
        }
        for term in detail.terms()? {
            let number = numbers.get(term.0 as usize).ok_or(pack::Malformed)?;
            self.names.post(*number, file);
        }
        Ok(())
    }

    fn cached(&self, sql: &str) -> rusqlite::Result<CachedStatement<'_>> {
        self.connection.prepare_cached(sql)
    }

    fn write(
        &mut self,
        id: i64,
        row: &FileRow,
        head: Option<&FileFacts>,
        detail: &[u8],
    ) -> rusqlite::Result<()> {
        self.write_file(id, row, head)?;
        let Some(facts) = head else { return Ok(()) };
        let first_symbol = self.totals.symbols as i64 + 1;
        for (number, symbol) in facts.symbols.iter().enumerate() {
            self.write_symbol(id, first_symbol, number, symbol, facts)?;
        }
        self.totals.symbols += facts.symbols.len() as u64;
        self.write_imports_and_exports(id, facts)?;
        self.write_extras(id, first_symbol, facts)?;
        self.cached("INSERT INTO facts (file_id, names, detail) VALUES (?1, ?2, ?3)")?
            .execute(params![id, self.packed_names, detail])?;
        Ok(())
    }

    fn write_file(
        &mut self,
        id: i64,
        row: &FileRow,
        head: Option<&FileFacts>,
    ) -> rusqlite::Result<()> {
        let header = head.and_then(|facts| facts.header.as_deref());
        let header = header.map(|text| self.header_id(text)).transpose()?;
        let package = head.and_then(|facts| facts.package.map(|name| facts.names.get(name)));
        self.cached(
            "INSERT INTO file (id, path, language, status, reason, size, line_count, content_hash,
                 modified_ns, indexed_ms, package, header_id, is_test, is_generated, is_barrel,
                 has_side_effects)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(params![
            id,
            row.path,
            row.language,
            row.status.word(),
            row.status.reason(),
            row.size as i64,
            head.map_or(0, line_count),
            row.content_hash.as_ref().map(|hash| hash.as_slice()),
            row.modified_ns,
            row.indexed_ms,
            package,
            header,
            head.is_some_and(|facts| facts.is_test),
            head.is_some_and(|facts| facts.is_generated),
            head.is_some_and(|facts| facts.is_barrel),
            head.is_some_and(|facts| facts.has_side_effects),
        ])?;
        Ok(())
    }

    /// The id of a head comment, new or known.
    fn header_id(&mut self, text: &str) -> rusqlite::Result<i64> {
        if let Some(id) = self.headers.get(text) {
            return Ok(*id);
        }
        let id = self.headers.len() as i64 + 1;
        self.cached("INSERT INTO header (id, text) VALUES (?1, ?2)")?.execute(params![id, text])?;
        self.headers.insert(text.into(), id);
        Ok(id)
    }

    fn write_symbol(
        &self,
        file: i64,
        first: i64,
        number: usize,
        symbol: &Symbol,
        facts: &FileFacts,
    ) -> rusqlite::Result<()> {
        let at = |byte: u32| position(&facts.line_starts, byte);
        let (start, end) = (at(symbol.span.start), at(symbol.span.end.saturating_sub(1)));
        let name = at(symbol.name_span.start);
        let id = first + number as i64;
        let decorators = (!symbol.decorators.is_empty())
            .then(|| serde_json::to_string(&symbol.decorators).expect("strings are always JSON"));
        self.cached(
            "INSERT INTO symbol (id, file_id, number, owner_id, name, qualified_name, ordinal, kind,
                 visibility, flags, start_byte, end_byte, name_byte, start_line, start_column,
                 end_line, end_column, name_line, name_column, signature, docs, declared_type,
                 value, decorators, body_hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)",
        )?
        .execute(params![
            id,
            file,
            number as i64,
            symbol.owner.map(|owner| first + i64::from(owner)),
            facts.names.get(symbol.name),
            symbol.qualified_name,
            symbol.ordinal,
            symbol.kind.as_str(),
            symbol.visibility.map(|visibility| visibility.as_str()),
            symbol.flags.0,
            symbol.span.start,
            symbol.span.end,
            symbol.name_span.start,
            start.0,
            start.1,
            end.0,
            end.1 + 1,
            name.0,
            name.1,
            symbol.signature,
            symbol.docs,
            symbol.declared_type.map(|name| facts.names.get(name)),
            symbol.value,
            decorators,
            symbol.body_hash.map(|hash| hash as i64),
        ])?;
        match &symbol.metrics {
            Some(metrics) => self.write_metrics(id, metrics),
            None => Ok(()),
        }
    }

    fn write_metrics(&self, symbol: i64, metrics: &Metrics) -> rusqlite::Result<()> {
        self.cached(
            "INSERT INTO metric (symbol_id, cyclomatic, cognitive, branches, loops, returns,
                 max_nesting, parameters, lines, unsafe_blocks, unchecked_calls, assertions)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .execute(params![
            symbol,
            metrics.cyclomatic,
            metrics.cognitive,
            metrics.branches,
            metrics.loops,
            metrics.returns,
            metrics.max_nesting,
            metrics.parameters,
            metrics.lines,
            metrics.unsafe_blocks,
            metrics.unchecked_calls,
            metrics.assertions,
        ])?;
        Ok(())
    }

    fn write_imports_and_exports(&self, file: i64, facts: &FileFacts) -> rusqlite::Result<()> {
        let text = |name: Option<model::NameId>| name.map(|name| facts.names.get(name));
        for (number, import) in facts.imports.iter().enumerate() {
            let (line, column) = position(&facts.line_starts, import.start);
            self.cached(
                "INSERT INTO import (file_id, number, source, name, alias, flags, statement, line,
                     column) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                file,
                number as i64,
                import.source,
                text(import.name),
                text(import.alias),
                import.flags.0,
                import.statement.start,
                line,
                column,
            ])?;
        }
        for (number, export) in facts.exports.iter().enumerate() {
            self.cached(
                "INSERT INTO export (file_id, number, name, local_name, kind, is_default, source,
                     line) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                file,
                number as i64,
                facts.names.get(export.name),
                text(export.local),
                export.kind.as_str(),
                export.is_default,
                export.source,
                position(&facts.line_starts, export.start).0,
            ])?;
        }
        Ok(())
    }

    fn write_extras(
        &self,
        file: i64,
        first_symbol: i64,
        facts: &FileFacts,
    ) -> rusqlite::Result<()> {
        let line = |byte: u32| position(&facts.line_starts, byte).0;
        for (number, component) in facts.components.iter().enumerate() {
            let hooks: Vec<&str> =
                component.hooks.iter().map(|hook| facts.names.get(*hook)).collect();
            let hooks = serde_json::to_string(&hooks).expect("strings are always JSON");
            let symbol = first_symbol + i64::from(component.symbol);
            self.cached(
                "INSERT INTO component (file_id, number, symbol_id, props_type, hooks)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                file,
                number as i64,
                symbol,
                component.props_type,
                hooks
            ])?;
        }
        for (number, marker) in facts.markers.iter().enumerate() {
            self.cached(
                "INSERT INTO marker (file_id, number, kind, line, text) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![file, number as i64, marker.kind.as_str(), marker.line, marker.text])?;
        }
        for (number, suppression) in facts.suppressions.iter().enumerate() {
            self.cached(
                "INSERT INTO suppression (file_id, number, line, recipe) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![
                file,
                number as i64,
                suppression.line,
                suppression.recipe
            ])?;
        }
        for (number, problem) in facts.problems.iter().enumerate() {
            let (line, column) = position(&facts.line_starts, problem.start);
            self.cached(
                "INSERT INTO problem (file_id, number, kind, line, column, message)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                file,
                number as i64,
                problem.kind.as_str(),
                line,
                column,
                problem.message
            ])?;
        }
        let styles = &facts.styles;
        let variables = styles.variables.iter().map(|variable| {
            let (value, scope) = (Some(variable.value.as_str()), Some(variable.scope.as_str()));
            ("variable", variable.name, value, scope, variable.start)
        });
        let classes =
            styles.classes.iter().map(|class| ("class", class.name, None, None, class.start));
        let keyframes = styles
            .keyframes
            .iter()
            .map(|frames| ("keyframes", frames.name, None, None, frames.start));
        for (number, (kind, name, value, scope, start)) in
            variables.chain(classes).chain(keyframes).enumerate()
        {
            self.cached(
                "INSERT INTO style (file_id, number, kind, name, value, scope, line)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                file,
                number as i64,
                kind,
                facts.names.get(name),
                value,
                scope,
                line(start)
            ])?;
        }
        Ok(())
    }

    fn write_names(&self) -> rusqlite::Result<()> {
        let mut insert =
            self.connection.prepare("INSERT INTO name (id, text, files) VALUES (?1, ?2, ?3)")?;
        self.names
            .each(|number, text, files| insert.execute(params![number, text, files]).map(drop))
    }
}

fn line_count(facts: &FileFacts) -> i64 {
    // A last line without a line break counts; the emptiness after a final one does not.
    let lines = facts.line_starts.len() as i64;
    if facts.ends_with_line_break { lines - 1 } else { lines }
}
