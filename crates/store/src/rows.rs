//! The rows of one file, as both a fresh build and an update write them.

use languages::Registry;
use model::pack::{self, Detail, put_number};
use model::{FileFacts, ImportFlags, Metrics, NameId, position};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Result, params};

use crate::bulk::Bulk;

/// A symbol's id is its file's id and its position in the file in one number, so that the symbols of
/// a file are a range of rows.
pub(crate) const SYMBOL_BITS: u32 = 24;

/// What is known of a file besides its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    pub path: String,
    pub language: String,
    pub status: Status,
    /// Bytes on disk.
    pub size: u64,
    pub content_hash: Option<[u8; 32]>,
    pub stamp: Stamp,
    pub indexed_ms: i64,
}

/// What the file system says of a file; if nothing of it changed, the file has most likely not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stamp {
    pub modified_ns: i64,
    pub changed_ns: i64,
    pub inode: i64,
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

    pub(crate) fn from_words(word: &str, reason: Option<String>) -> Self {
        match word {
            "partial" => Self::Partial(reason.unwrap_or_default()),
            "skipped" => Self::Skipped(reason.unwrap_or_default()),
            _ => Self::Indexed,
        }
    }
}

/// Gives every text of the project a number.
pub(crate) trait Numbers {
    fn number(&mut self, text: &str) -> Result<u32>;
}

/// What linking needs of a file besides its facts. A manifest may be code, and has both then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extra<'e> {
    /// Packed.
    pub interface: &'e [u8],
    /// The text of a manifest.
    pub manifest: Option<&'e str>,
}

/// Packed facts and what linking needs, in one piece.
pub fn parcel(facts: &[u8], extra: Extra<'_>) -> Vec<u8> {
    let text = extra.manifest.unwrap_or_default();
    let mut out = Vec::with_capacity(facts.len() + extra.interface.len() + text.len() + 9);
    for part in [facts, extra.interface] {
        out.extend_from_slice(&(part.len() as u32).to_le_bytes());
        out.extend_from_slice(part);
    }
    out.push(extra.manifest.is_some().into());
    out.extend_from_slice(text.as_bytes());
    out
}

pub(crate) fn unparcel(bytes: &[u8]) -> std::result::Result<(&[u8], Extra<'_>), pack::Malformed> {
    fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        rest.split_at_checked(u32::from_le_bytes(*length) as usize)
    }
    let (facts, rest) = part(bytes).ok_or(pack::Malformed)?;
    let (interface, rest) = part(rest).ok_or(pack::Malformed)?;
    let manifest = match rest.split_first() {
        Some((0, [])) => None,
        Some((1, text)) => Some(std::str::from_utf8(text).map_err(|_| pack::Malformed)?),
        _ => return Err(pack::Malformed),
    };
    Ok((facts, Extra { interface, manifest }))
}

/// The facts of a file as a worker sent them, checked as far as rows are made of them.
#[derive(Debug)]
pub(crate) struct Unpacked<'f> {
    pub(crate) head: FileFacts,
    pub(crate) detail: &'f [u8],
    extra: Extra<'f>,
    /// Names that are terms.
    pub(crate) terms: Vec<NameId>,
    references: u32,
}

impl<'f> Unpacked<'f> {
    pub(crate) fn new(bytes: &'f [u8]) -> std::result::Result<Self, pack::Malformed> {
        let (facts, extra) = unparcel(bytes)?;
        let (head, detail) = pack::unpack_head(facts)?;
        let sections = Detail::new(detail)?;
        let terms = sections.terms()?;
        let known = head.names.len();
        if terms.iter().any(|term| term.0 as usize >= known)
            || head.symbols.len() >= 1 << SYMBOL_BITS
        {
            return Err(pack::Malformed);
        }
        Ok(Self { head, detail, extra, terms, references: sections.reference_count()? })
    }
}

/// One thing that a file imports. Where it leads to is known once the project is linked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImportRow {
    pub(crate) file: i64,
    pub(crate) number: u32,
    source: u32,
    name: Option<u32>,
    alias: Option<u32>,
    flags: ImportFlags,
    statement: u32,
    line: u32,
    column: u32,
    /// The path of the file it leads to.
    pub(crate) target: Option<u32>,
}

pub(crate) fn insert_imports(connection: &Connection, imports: &[ImportRow]) -> Result<()> {
    let mut insert = Bulk::new(
        connection,
        "INSERT INTO import (file_id, number, source_id, name_id, alias_id, flags, statement, line,
             column, target_id)",
        imports.len(),
    );
    for row in imports {
        insert.add(&[
            &row.file,
            &row.number,
            &row.source,
            &row.name,
            &row.alias,
            &row.flags.0,
            &row.statement,
            &row.line,
            &row.column,
            &row.target,
        ])?;
    }
    Ok(())
}

/// What [`insert`] leaves to the caller.
#[derive(Debug, Default)]
pub(crate) struct Left {
    /// The numbers of the terms of the file.
    pub(crate) terms: Vec<u32>,
    pub(crate) imports: Vec<ImportRow>,
}

/// Writes the rows of a file, but for its terms and imports.
pub(crate) fn insert(
    connection: &Connection,
    numbers: &mut impl Numbers,
    id: i64,
    row: &FileRow,
    facts: Option<&Unpacked<'_>>,
    retired: Option<i64>,
) -> Result<Left> {
    insert_file(connection, id, row, facts, retired)?;
    let Some(Unpacked { head, detail, extra, terms, .. }) = facts else {
        return Ok(Left::default());
    };
    let known = head.names.iter().map(|name| numbers.number(name)).collect::<Result<Vec<u32>>>()?;
    let language = Registry::builtin().get(&row.language);
    let separator = language.map_or(".", |language| language.table.separator.as_str());
    let rows = Rows { connection, file: id, facts: head, known: &known, separator, language };
    rows.symbols(numbers)?;
    rows.namespaces()?;
    rows.metrics()?;
    let imports = rows.imports(numbers)?;
    rows.exports()?;
    rows.components()?;
    rows.notes()?;
    rows.styles()?;
    let mut names = Vec::with_capacity(2 * known.len());
    for number in &known {
        put_number(&mut names, *number);
    }
    if let Some(text) = extra.manifest {
        connection
            .prepare_cached("INSERT INTO manifest (file_id, text) VALUES (?1, ?2)")?
            .execute(params![id, text])?;
    }
    connection
        .prepare_cached(
            "INSERT INTO facts (file_id, names, detail, interface) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![id, names, detail, extra.interface])?;
    Ok(Left { terms: terms.iter().map(|term| known[term.0 as usize]).collect(), imports })
}

/// Keeps the text of a file for full-text queries.
pub(crate) fn insert_text(connection: &Connection, id: i64, path: &str, text: &str) -> Result<()> {
    connection
        .prepare_cached("INSERT INTO source_fts (rowid, file_path, content) VALUES (?1, ?2, ?3)")?
        .execute(params![id, path, text])?;
    Ok(())
}

fn insert_file(
    connection: &Connection,
    id: i64,
    row: &FileRow,
    facts: Option<&Unpacked<'_>>,
    retired: Option<i64>,
) -> Result<()> {
    let head = facts.map(|facts| &facts.head);
    let header = head.and_then(|facts| facts.header.as_deref());
    let header = header.map(|text| header_id(connection, text)).transpose()?;
    let package = head.and_then(|facts| facts.package.map(|name| facts.names.get(name)));
    connection
        .prepare_cached(
            "INSERT INTO file (id, path, language, status, reason, size, line_count, symbol_count,
                 reference_count, content_hash, modified_ns, changed_ns, inode, indexed_ms, package,
                 header_id, is_test, is_generated, is_barrel, has_side_effects, retired)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19, ?20, ?21)",
        )?
        .execute(params![
            id,
            row.path,
            row.language,
            row.status.word(),
            row.status.reason(),
            row.size as i64,
            head.map_or(0, line_count),
            head.map_or(0, |facts| facts.symbols.len() as i64),
            facts.map_or(0, |facts| facts.references),
            row.content_hash.as_ref().map(|hash| hash.as_slice()),
            row.stamp.modified_ns,
            row.stamp.changed_ns,
            row.stamp.inode,
            row.indexed_ms,
            package,
            header,
            head.is_some_and(|facts| facts.is_test),
            head.is_some_and(|facts| facts.is_generated),
            head.is_some_and(|facts| facts.is_barrel),
            head.is_some_and(|facts| facts.has_side_effects),
            retired,
        ])?;
    Ok(())
}

/// The id of a head comment, which is made from its text: nobody has to remember which are known.
fn header_id(connection: &Connection, text: &str) -> Result<i64> {
    let mut id = stable_hash(text);
    loop {
        let known: Option<String> = connection
            .prepare_cached("SELECT text FROM header WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
            .optional()?;
        match known {
            Some(known) if known == text => return Ok(id),
            Some(_) => id += 1,
            None => break,
        }
    }
    connection
        .prepare_cached("INSERT INTO header (id, text) VALUES (?1, ?2)")?
        .execute(params![id, text])?;
    Ok(id)
}

/// 48 bits, the same on every machine.
fn stable_hash(text: &str) -> i64 {
    let basis = 0xcbf2_9ce4_8422_2325u64;
    let hash = text
        .bytes()
        .fold(basis, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 16) as i64
}

struct Rows<'r> {
    connection: &'r Connection,
    file: i64,
    facts: &'r FileFacts,
    /// The number of each name of the file in the project.
    known: &'r [u32],
    /// Stands between an owner and its member.
    separator: &'r str,
    language: Option<&'r languages::Language>,
}

impl Rows<'_> {
    fn prepare(&self, sql: &str) -> Result<CachedStatement<'_>> {
        self.connection.prepare_cached(sql)
    }

    fn known(&self, name: NameId) -> u32 {
        self.known[name.0 as usize]
    }

    fn at(&self, byte: u32) -> (u32, u32) {
        position(&self.facts.line_starts, byte)
    }

    fn symbols(&self, numbers: &mut impl Numbers) -> Result<()> {
        if self.facts.symbols.is_empty() {
            return Ok(());
        }
        let mut insert = self.prepare(
            "INSERT INTO symbol (id, owner, name_id, qualifier_id, ordinal, kind, visibility, flags,
                 start_byte, end_byte, name_byte, start_line, start_column, end_line, end_column,
                 name_line, name_column, signature, docs, type_id, value, decorators, body_hash,
                 adds_to_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
                 ?18, ?19, ?20, ?21, ?22, ?23, ?24)",
        )?;
        // Members stand together, so the qualifier is mostly the one before.
        let mut last: (&str, Option<u32>) = ("", None);
        for (number, symbol) in self.facts.symbols.iter().enumerate() {
            let (start, end) =
                (self.at(symbol.span.start), self.at(symbol.span.end.saturating_sub(1)));
            let name = self.at(symbol.name_span.start);
            let qualifier = qualifier(&symbol.qualified_name, self.facts.names.get(symbol.name));
            if qualifier != last.0 {
                let text = (!qualifier.is_empty()).then_some(qualifier);
                last = (qualifier, text.map(|text| numbers.number(text)).transpose()?);
            }
            let own_name = self.facts.names.get(symbol.name);
            let owner = symbol.owner.and_then(|owner| self.facts.symbols.get(owner as usize));
            let adds_to = resolve::adds_to(symbol, owner, own_name, self.separator);
            let decorators = (!symbol.decorators.is_empty()).then(|| {
                serde_json::to_string(&symbol.decorators).expect("strings are always JSON")
            });
            insert.execute(params![
                self.file << SYMBOL_BITS | number as i64,
                symbol.owner,
                self.known(symbol.name),
                last.1,
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
                symbol.declared_type.map(|name| self.known(name)),
                symbol.value,
                decorators,
                symbol.body_hash.map(|hash| hash as i64),
                adds_to.map(|name| numbers.number(name)).transpose()?,
            ])?;
        }
        Ok(())
    }

    fn namespaces(&self) -> Result<()> {
        let Some(language) = self.language else { return Ok(()) };
        for namespace in resolve::declared_namespaces(self.facts, language) {
            self.prepare("INSERT INTO namespace (name, file_id) VALUES (?1, ?2)")?
                .execute(params![namespace, self.file])?;
        }
        Ok(())
    }

    fn metrics(&self) -> Result<()> {
        let mut insert = self.prepare(
            "INSERT INTO metric (symbol_id, cyclomatic, cognitive, branches, loops, returns,
                 max_nesting, parameters, lines, unsafe_blocks, unchecked_calls, assertions)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?;
        for (number, symbol) in self.facts.symbols.iter().enumerate() {
            let Some(Metrics {
                cyclomatic,
                cognitive,
                branches,
                loops,
                returns,
                max_nesting,
                parameters,
                lines,
                unsafe_blocks,
                unchecked_calls,
                assertions,
            }) = symbol.metrics
            else {
                continue;
            };
            insert.execute(params![
                self.file << SYMBOL_BITS | number as i64,
                cyclomatic,
                cognitive,
                branches,
                loops,
                returns,
                max_nesting,
                parameters,
                lines,
                unsafe_blocks,
                unchecked_calls,
                assertions,
            ])?;
        }
        Ok(())
    }

    fn imports(&self, numbers: &mut impl Numbers) -> Result<Vec<ImportRow>> {
        let row = |(number, import): (usize, &model::Import)| {
            let (line, column) = self.at(import.start);
            Ok(ImportRow {
                file: self.file,
                number: number as u32,
                source: numbers.number(&import.source)?,
                name: import.name.map(|name| self.known(name)),
                alias: import.alias.map(|name| self.known(name)),
                flags: import.flags,
                statement: import.statement.start,
                line,
                column,
                target: None,
            })
        };
        self.facts.imports.iter().enumerate().map(row).collect()
    }

    fn exports(&self) -> Result<()> {
        if self.facts.exports.is_empty() {
            return Ok(());
        }
        let mut insert = self.prepare(
            "INSERT INTO export (file_id, number, name_id, local_id, kind, is_default, source, line)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?;
        for (number, export) in self.facts.exports.iter().enumerate() {
            insert.execute(params![
                self.file,
                number as i64,
                self.known(export.name),
                export.local.map(|name| self.known(name)),
                export.kind.as_str(),
                export.is_default,
                export.source,
                self.at(export.start).0,
            ])?;
        }
        Ok(())
    }

    fn components(&self) -> Result<()> {
        for (number, component) in self.facts.components.iter().enumerate() {
            let hooks: Vec<&str> =
                component.hooks.iter().map(|hook| self.facts.names.get(*hook)).collect();
            let hooks = serde_json::to_string(&hooks).expect("strings are always JSON");
            self.prepare(
                "INSERT INTO component (file_id, number, symbol_id, props_type, hooks)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                self.file,
                number as i64,
                self.file << SYMBOL_BITS | i64::from(component.symbol),
                component.props_type,
                hooks
            ])?;
        }
        Ok(())
    }

    /// Markers, suppressions and problems.
    fn notes(&self) -> Result<()> {
        for (number, marker) in self.facts.markers.iter().enumerate() {
            self.prepare(
                "INSERT INTO marker (file_id, number, kind, line, text) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                self.file,
                number as i64,
                marker.kind.as_str(),
                marker.line,
                marker.text
            ])?;
        }
        for (number, suppression) in self.facts.suppressions.iter().enumerate() {
            self.prepare(
                "INSERT INTO suppression (file_id, number, line, recipe) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![
                self.file,
                number as i64,
                suppression.line,
                suppression.recipe
            ])?;
        }
        for (number, problem) in self.facts.problems.iter().enumerate() {
            let (line, column) = self.at(problem.start);
            self.prepare(
                "INSERT INTO problem (file_id, number, kind, line, column, message)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?
            .execute(params![
                self.file,
                number as i64,
                problem.kind.as_str(),
                line,
                column,
                problem.message
            ])?;
        }
        Ok(())
    }

    fn styles(&self) -> Result<()> {
        let styles = &self.facts.styles;
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
        let all = variables.chain(classes).chain(keyframes);
        for (number, (kind, name, value, scope, start)) in all.enumerate() {
            self.prepare(
                "INSERT INTO style (file_id, number, kind, name, value, scope, line)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                self.file,
                number as i64,
                kind,
                self.facts.names.get(name),
                value,
                scope,
                self.at(start).0
            ])?;
        }
        Ok(())
    }
}

/// What stands before the name in a qualified name. One that was cut does not end with the name; it
/// is kept as it is, before the name.
fn qualifier<'q>(qualified: &'q str, name: &str) -> &'q str {
    qualified.strip_suffix(name).unwrap_or(qualified)
}

fn line_count(facts: &FileFacts) -> i64 {
    // A last line without a line break counts; the emptiness after a final one does not.
    let lines = facts.line_starts.len() as i64;
    if facts.ends_with_line_break { lines - 1 } else { lines }
}
