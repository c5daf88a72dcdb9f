//! Changes a published index in place, so that it says what a fresh one would say.
//!
//! The rows of a file never change. New content is *staged*: its rows are added as retired, which no
//! view shows, in as many transactions as it takes. Then one short transaction swaps: what left the
//! project is retired, what was staged, or retired before and has come back, is in it. Readers see the
//! project before or after, nothing between; a process that dies in the middle leaves rows that the
//! next one finds by their content.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use model::pack::{Detail, Malformed, Reader as PackReader, put_number};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Result, params};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bugs::{self, Bug};
use crate::known::{self, Census, KnownFile};
use crate::links::{Linked, Names, Relink, Watcher, damaged};
use crate::names::unpack_files;
use crate::reader::{OpenError, check_identity, integer, keep_plans};
use crate::rows::{self, FileRow, Numbers, SYMBOL_BITS, Unpacked};
use crate::writer::WriteError;

/// After this many bytes of facts the staged rows are committed and the log is emptied.
const BATCH: usize = 16 << 20;
/// What is left of the log when it was emptied.
const MAX_LOG: usize = 16 << 20;
/// How long a foreign program that writes is waited for.
const BUSY: std::time::Duration = std::time::Duration::from_secs(5);
/// With more rows than this, postings are folded into the lists of their names.
const MAX_POSTINGS: i64 = 400_000;
/// With more names than this that came after the words of names were listed, they are listed anew.
const MAX_NEW_NAMES: i64 = 20_000;
/// As much retired source is kept as the project has, so that a branch can be left and come back to; but not
/// less than the first of these, and above the second half as much as the project has.
const KEPT_BYTES: std::ops::Range<i64> = 4 << 20..32 << 20;

/// An index that is being changed. Whoever has one holds the lock of the writer.
#[derive(Debug)]
pub struct Update {
    connection: Connection,
    path: PathBuf,
    generation: i64,
    numbers: FxHashMap<Box<str>, u32>,
    next_name: u32,
    next_file: i64,
    postings: i64,
    /// Distinct terms of the project.
    terms: i64,
    staged: usize,
    /// How many more or fewer files each term stands in.
    uses: FxHashMap<u32, i64>,
}

/// Gives texts the numbers they have in the database, or new ones.
struct StoredNumbers<'u> {
    connection: &'u Connection,
    known: &'u mut FxHashMap<Box<str>, u32>,
    next: &'u mut u32,
}

impl Numbers for StoredNumbers<'_> {
    fn number(&mut self, text: &str) -> Result<u32> {
        if let Some(number) = self.known.get(text) {
            return Ok(*number);
        }
        let stored: Option<u32> = self
            .connection
            .prepare_cached("SELECT id FROM name WHERE text = ?1")?
            .query_row([text], |row| row.get(0))
            .optional()?;
        let number = match stored {
            Some(number) => number,
            None => {
                self.connection
                    .prepare_cached("INSERT INTO name (id, text, uses) VALUES (?1, ?2, 0)")?
                    .execute(params![*self.next, text])?;
                *self.next += 1;
                *self.next - 1
            }
        };
        self.known.insert(text.into(), number);
        Ok(number)
    }
}

impl Names for StoredNumbers<'_> {
    fn text(&mut self, name: u32) -> Result<Rc<str>> {
        self.connection
            .prepare_cached("SELECT text FROM name WHERE id = ?1")?
            .query_row([name], |row| Ok(Rc::from(row.get_ref(0)?.as_str()?)))
    }
}

impl Update {
    /// Opens a published index.
    pub fn open(path: &Path) -> std::result::Result<Self, OpenError> {
        if !path.exists() {
            return Err(OpenError::Missing { path: path.to_owned() });
        }
        let fail = |source| OpenError::new(path, source);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(fail)?;
        keep_plans(&connection).map_err(fail)?;
        check_identity(&connection, path)?;
        connection
            .execute_batch(&format!(
                "PRAGMA synchronous = NORMAL;
                 PRAGMA temp_store = MEMORY;
                 PRAGMA cache_size = -16384;
                 PRAGMA wal_autocheckpoint = 0;
                 PRAGMA journal_size_limit = {MAX_LOG};"
            ))
            .map_err(fail)?;
        connection.busy_timeout(BUSY).map_err(fail)?;
        connection.set_prepared_statement_cache_capacity(48);
        let number = |key: &str| integer(&connection, key);
        let next_name: u32 = connection
            .query_row("SELECT coalesce(max(id), 0) + 1 FROM name", [], |row| row.get(0))
            .map_err(fail)?;
        Ok(Self {
            generation: number("generation").unwrap_or(0),
            next_file: number("next_file").unwrap_or(1),
            postings: number("postings").unwrap_or(0),
            terms: number("names").unwrap_or(0),
            connection,
            path: path.to_owned(),
            numbers: FxHashMap::default(),
            next_name,
            staged: 0,
            uses: FxHashMap::default(),
        })
    }

    pub fn meta(&self, key: &str) -> Option<String> {
        crate::reader::meta(&self.connection, key)
    }

    /// The same, where it matters whether there is none or it cannot be read now.
    pub fn try_meta(&self, key: &str) -> Result<Option<String>> {
        crate::reader::try_meta(&self.connection, key)
    }

    /// The generation the index is at.
    pub fn generation(&self) -> u64 {
        self.generation.unsigned_abs()
    }

    /// Distinct terms of the project.
    pub fn names(&self) -> u64 {
        self.terms.unsigned_abs()
    }

    /// Leaves the index as it is.
    pub fn close(self) {
        let _ = self.connection.close();
    }

    /// Every file of the project, in the order of their paths.
    pub fn files(&self) -> std::result::Result<Vec<KnownFile>, WriteError> {
        known::files(&self.connection).map_err(|source| self.failed(source))
    }

    /// Files of the project at these places, or below them, in the order of their paths.
    pub fn files_at(&self, places: &[String]) -> std::result::Result<Vec<KnownFile>, WriteError> {
        known::files_at(&self.connection, places).map_err(|source| self.failed(source))
    }

    /// Files that are not in the project any more, or not yet, with this content.
    pub fn retired(&self, hash: &[u8; 32]) -> std::result::Result<Vec<KnownFile>, WriteError> {
        known::retired(&self.connection, hash).map_err(|source| self.failed(source))
    }

    /// Adds the rows of a file, unseen by readers until [`Self::swap`] revives it.
    pub fn stage(
        &mut self,
        row: &FileRow,
        facts: Option<&[u8]>,
    ) -> std::result::Result<i64, WriteError> {
        let bytes = facts.map_or(0, <[u8]>::len);
        let facts = facts
            .map(Unpacked::new)
            .transpose()
            .map_err(|_| WriteError::Malformed { path: row.path.clone() })?;
        self.stage_rows(row, facts.as_ref(), bytes).map_err(|source| self.failed(source))
    }

    fn stage_rows(
        &mut self,
        row: &FileRow,
        facts: Option<&Unpacked<'_>>,
        bytes: usize,
    ) -> Result<i64> {
        self.begin()?;
        let id = self.next_file;
        let connection = &self.connection;
        let mut numbers =
            StoredNumbers { connection, known: &mut self.numbers, next: &mut self.next_name };
        let rows::Left { terms, imports } =
            rows::insert(connection, &mut numbers, id, row, facts, Some(self.generation + 1))?;
        rows::insert_imports(connection, &imports)?;
        let mut post =
            connection.prepare_cached("INSERT INTO posting (name_id, file_id) VALUES (?1, ?2)")?;
        for term in &terms {
            post.execute(params![term, id])?;
        }
        drop(post);
        self.postings += terms.len() as i64;
        self.next_file += 1;
        self.staged += bytes;
        if self.staged > BATCH {
            self.staged = 0;
            self.write_counters()?;
            self.connection.execute_batch("COMMIT")?;
            self.empty_log();
        }
        Ok(id)
    }

    fn begin(&self) -> Result<()> {
        if self.connection.is_autocommit() {
            self.connection.execute_batch("BEGIN IMMEDIATE")?;
        }
        Ok(())
    }

    /// Makes the next generation: retires files, then revives others under the rows given with them,
    /// then notes for the rest that they are unchanged. If the rest is all there is, the generation
    /// stays. The watcher is told of files that are linked again; if it ends that, nothing changes.
    pub fn swap(
        &mut self,
        swap: &Swap<'_>,
        watcher: &mut Watcher<'_>,
    ) -> std::result::Result<Linked, WriteError> {
        if !swap.retired.is_empty() || !swap.revived.is_empty() {
            self.generation += 1;
        }
        let linked = self.swap_rows(swap, watcher).map_err(|source| self.failed(source))?;
        self.empty_log();
        Ok(linked)
    }

    /// What the project consists of.
    pub fn census(&self) -> std::result::Result<Vec<Census>, WriteError> {
        known::census(&self.connection).map_err(|source| self.failed(source))
    }

    fn swap_rows(&mut self, swap: &Swap<'_>, watcher: &mut Watcher<'_>) -> Result<Linked> {
        self.begin()?;
        let revived: Vec<i64> = swap.revived.iter().map(|(id, ..)| *id).collect();
        let mut changing: Vec<i64> = swap.retired.iter().chain(&revived).copied().collect();
        changing.sort_unstable();
        changing.dedup();
        let relink = {
            let (connection, mut names) = self.names_in();
            Relink::before(connection, &mut names, changing.into_iter())?
        };
        for id in swap.retired {
            if !bugs::has(Bug::KeepTerms) {
                self.count_terms(*id, -1)?;
            }
            self.remove_text(*id)?;
            let has_facts = self
                .connection
                .prepare_cached(
                    "UPDATE file SET retired = ?2 WHERE id = ?1 AND status <> 'skipped'",
                )?
                .execute(params![id, self.generation])?;
            if has_facts == 0 {
                self.remove(*id)?;
            }
        }
        for (id, row, text) in swap.revived {
            self.set_row(*id, row)?;
            self.count_terms(*id, 1)?;
            if let Some(text) = text {
                self.remove_text(*id)?;
                rows::insert_text(&self.connection, *id, &row.path, text)?;
            }
        }
        for (id, row) in swap.touched {
            self.set_row(*id, row)?;
        }
        let linked = {
            let (connection, mut names) = self.names_in();
            relink.after(connection, &mut names, &revived, watcher)?
        };
        self.write_uses()?;
        if !swap.retired.is_empty() {
            self.evict()?;
        }
        let new_names =
            i64::from(self.next_name) - integer(&self.connection, "word_names").unwrap_or(0);
        if self.postings > MAX_POSTINGS || new_names > MAX_NEW_NAMES {
            self.fold_postings()?;
        }
        self.write_counters()?;
        crate::write_meta(&self.connection, swap.meta)?;
        crate::write_meta(&self.connection, &[("generation", self.generation.to_string())])?;
        self.connection.execute_batch("COMMIT")?;
        Ok(linked)
    }

    fn names_in(&mut self) -> (&Connection, StoredNumbers<'_>) {
        let connection = &self.connection;
        let (known, next) = (&mut self.numbers, &mut self.next_name);
        (connection, StoredNumbers { connection, known, next })
    }

    fn set_row(&self, id: i64, row: &FileRow) -> Result<()> {
        self.connection
            .prepare_cached(
                "UPDATE file SET path = ?2, status = ?3, reason = ?4, size = ?5, modified_ns = ?6,
                     changed_ns = ?7, inode = ?8, indexed_ms = ?9, retired = NULL WHERE id = ?1",
            )?
            .execute(params![
                id,
                row.path,
                row.status.word(),
                row.status.reason(),
                row.size as i64,
                row.stamp.modified_ns,
                row.stamp.changed_ns,
                row.stamp.inode,
                row.indexed_ms,
            ])?;
        Ok(())
    }

    fn remove_text(&self, id: i64) -> Result<()> {
        self.connection
            .prepare_cached("DELETE FROM source_fts WHERE rowid = ?1")?
            .execute([id])
            .map(drop)
    }

    /// Notes that the terms of a file stand in one file more or less.
    fn count_terms(&mut self, id: i64, step: i64) -> Result<()> {
        for term in self.terms_of(id)? {
            *self.uses.entry(term).or_insert(0) += step;
        }
        Ok(())
    }

    fn terms_of(&self, id: i64) -> Result<Vec<u32>> {
        let packed: Option<(Vec<u8>, Vec<u8>)> = self
            .connection
            .prepare_cached("SELECT names, detail FROM facts WHERE file_id = ?1")?
            .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((names, detail)) = packed else { return Ok(Vec::new()) };
        unpack_terms(&names, &detail).map_err(damaged)
    }

    fn write_uses(&mut self) -> Result<()> {
        let mut update = self
            .connection
            .prepare_cached("UPDATE name SET uses = uses + ?2 WHERE id = ?1 RETURNING uses")?;
        for (name, difference) in self.uses.drain().filter(|(_, difference)| *difference != 0) {
            let uses: i64 = update.query_row(params![name, difference], |row| row.get(0))?;
            if uses == 0 {
                self.terms -= 1;
            } else if uses == difference {
                self.terms += 1;
            }
        }
        Ok(())
    }

    /// Removes the files that were retired longest ago, as far as there is more than is worth keeping.
    fn evict(&mut self) -> Result<()> {
        let used: i64 = self.connection.query_row(
            "SELECT coalesce(sum(size), 0) FROM file WHERE retired IS NULL",
            [],
            |row| row.get(0),
        )?;
        let retired: Vec<(i64, i64)> = self
            .connection
            .prepare_cached(
                "SELECT id, size FROM file WHERE retired IS NOT NULL ORDER BY retired DESC, id DESC",
            )?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_>>()?;
        let mut left = used.clamp(KEPT_BYTES.start, KEPT_BYTES.end).max(used / 2);
        for (id, size) in retired {
            left -= size;
            if left < 0 {
                self.remove(id)?;
            }
        }
        Ok(())
    }

    fn remove(&mut self, id: i64) -> Result<()> {
        let terms = self.terms_of(id)?;
        let mut unpost = self
            .connection
            .prepare_cached("DELETE FROM posting WHERE name_id = ?1 AND file_id = ?2")?;
        for term in terms {
            self.postings -= unpost.execute(params![term, id])? as i64;
        }
        drop(unpost);
        for table in [
            "import",
            "export",
            "component",
            "marker",
            "suppression",
            "style",
            "problem",
            "facts",
            "manifest",
            "namespace",
        ] {
            self.connection
                .prepare_cached(&format!("DELETE FROM {table} WHERE file_id = ?1"))?
                .execute([id])?;
        }
        let (first, end) = (id << SYMBOL_BITS, (id + 1) << SYMBOL_BITS);
        for (table, key) in [("symbol", "id"), ("metric", "symbol_id")] {
            self.connection
                .prepare_cached(&format!("DELETE FROM {table} WHERE {key} >= ?1 AND {key} < ?2"))?
                .execute([first, end])?;
        }
        self.connection.prepare_cached("DELETE FROM file WHERE id = ?1")?.execute([id])?;
        Ok(())
    }

    /// Moves postings into the lists of their names, drops files that no longer exist from those, and
    /// lists the words of the names anew.
    fn fold_postings(&mut self) -> Result<()> {
        let files: FxHashSet<i64> = self
            .connection
            .prepare("SELECT id FROM file")?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_>>()?;
        let mut added: FxHashMap<u32, Vec<i64>> = FxHashMap::default();
        {
            let mut statement = self.connection.prepare("SELECT name_id, file_id FROM posting")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                added.entry(row.get(0)?).or_default().push(row.get(1)?);
            }
        }
        let mut read = self.connection.prepare("SELECT files FROM name WHERE id = ?1")?;
        let mut write = self.connection.prepare("UPDATE name SET files = ?2 WHERE id = ?1")?;
        for (name, new) in added {
            let packed: Option<Vec<u8>> = read.query_row([name], |row| row.get(0))?;
            let mut list = unpack_files(packed.as_deref().unwrap_or_default());
            list.retain(|file| files.contains(file));
            list.extend(new);
            list.sort_unstable();
            list.dedup();
            let mut packed = Vec::with_capacity(list.len() * 2);
            let mut last = 0;
            for file in list {
                put_number(&mut packed, (file - last) as u32);
                last = file;
            }
            write.execute(params![name, packed])?;
        }
        drop((read, write));
        self.connection.execute_batch("DELETE FROM posting")?;
        self.postings = 0;
        crate::words::rewrite(&self.connection, self.next_name, self.next_file)
    }

    fn write_counters(&self) -> Result<()> {
        let counters = [
            ("next_file", self.next_file.to_string()),
            ("postings", self.postings.to_string()),
            ("names", self.terms.to_string()),
        ];
        crate::write_meta(&self.connection, &counters)
    }

    /// Moves the log into the database. A reader may need a part of it; nobody waits for that, the next
    /// update tries again.
    fn empty_log(&self) {
        let _ = self.connection.busy_timeout(std::time::Duration::ZERO);
        let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.connection.busy_timeout(BUSY);
    }

    fn failed(&self, source: rusqlite::Error) -> WriteError {
        WriteError::of(&self.path, source)
    }
}

/// What the next generation is made of.
#[derive(Debug, Clone, Copy)]
pub struct Swap<'s> {
    pub retired: &'s [i64],
    /// With the row and, if it is to be kept, the text of each.
    pub revived: &'s [(i64, FileRow, Option<String>)],
    /// Files whose content is as before, but not their times or status.
    pub touched: &'s [(i64, FileRow)],
    pub meta: &'s [(&'s str, String)],
}

fn unpack_terms(names: &[u8], detail: &[u8]) -> std::result::Result<Vec<u32>, Malformed> {
    let mut reader = PackReader::new(names);
    let mut numbers = Vec::with_capacity(names.len() / 2);
    while !reader.is_empty() {
        numbers.push(reader.number()?);
    }
    let number = |term: model::NameId| numbers.get(term.0 as usize).copied().ok_or(Malformed);
    Detail::new(detail)?.terms()?.into_iter().map(number).collect()
}
