//! Words inside names: from the stem of a word to the names and the files that have it.
//!
//! The table `word` is made in one piece, when an index is built and when postings are folded. Names and
//! files that came later are few: they are looked at when a question is asked. So an update costs
//! nothing here, and the answer is the one that a fresh index gives.

use std::ops::Range;

use model::pack::put_number;
use model::{SymbolFlags, SymbolKind};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Result, params};
use rustc_hash::{FxHashMap, FxHashSet};
use words::Stems;

use crate::Reader;
use crate::masks::Masks;
use crate::names::{each_file, unpack_files};
use crate::reader::integer;
use crate::rows::SYMBOL_BITS;

/// A word with fewer names than this keeps no list of files: theirs are soon put together.
const FEW_NAMES: usize = 8;

/// Where the names come from that words are found in.
pub(crate) trait Named {
    /// Calls `visit` with the number and the text of every name, ascending. Those that are no terms
    /// count too: they name symbols, or become terms later.
    fn each(&self, visit: &mut dyn FnMut(u32, &str));
    /// Adds the files of a name.
    fn files_of(&self, name: u32, files: &mut FileSet);
}

/// What is known of one word while the table is made.
#[derive(Debug, Default)]
struct Entry {
    names: Vec<u32>,
    paths: Vec<i64>,
}

/// Makes the table from all names and all paths. What has a number below these is in it.
pub(crate) fn write(
    connection: &Connection,
    names: &dyn Named,
    next_name: u32,
    next_file: i64,
) -> Result<()> {
    let mut entries = Entries::default();
    names.each(&mut |name, text| entries.each(text, |entry| push(&mut entry.names, name)));
    {
        let mut statement = connection.prepare("SELECT id, path FROM file ORDER BY id")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let file = row.get(0)?;
            entries.each(row.get_ref(1)?.as_str()?, |entry| push(&mut entry.paths, file));
        }
    }
    let mut order: Vec<(&str, u32)> =
        entries.numbers.iter().map(|(stem, number)| (stem.as_ref(), *number)).collect();
    order.sort_unstable();
    let mut insert = connection
        .prepare("INSERT INTO word (text, names, files, paths) VALUES (?1, ?2, ?3, ?4)")?;
    let mut files = FileSet::below(next_file);
    for (stem, number) in order {
        let entry = &entries.list[number as usize];
        if entry.names.len() > FEW_NAMES {
            for name in &entry.names {
                names.files_of(*name, &mut files);
            }
        }
        let packed_names = pack(entry.names.iter().map(|name| i64::from(*name)));
        insert.execute(params![
            stem,
            packed_names,
            pack(files.drain()),
            pack(entry.paths.iter().copied())
        ])?;
    }
    let count: i64 =
        connection
            .query_row("SELECT count(*) FROM file WHERE retired IS NULL", [], |row| row.get(0))?;
    let limits = [
        ("word_names", next_name.to_string()),
        ("word_files", next_file.to_string()),
        ("word_count", count.to_string()),
    ];
    crate::write_meta(connection, &limits)
}

/// Makes the table anew from what the database says. The lists of all names must be whole.
pub(crate) fn rewrite(connection: &Connection, next_name: u32, next_file: i64) -> Result<()> {
    let names: Vec<StoredName> = connection
        .prepare("SELECT id, text, files FROM name ORDER BY id")?
        .query_map([], |row| {
            Ok(StoredName { id: row.get(0)?, text: row.get(1)?, files: row.get(2)? })
        })?
        .collect::<Result<_>>()?;
    connection.execute_batch("DELETE FROM word")?;
    write(connection, &names, next_name, next_file)
}

struct StoredName {
    id: u32,
    text: String,
    files: Option<Vec<u8>>,
}

impl Named for Vec<StoredName> {
    fn each(&self, visit: &mut dyn FnMut(u32, &str)) {
        for name in self {
            visit(name.id, &name.text);
        }
    }

    fn files_of(&self, name: u32, files: &mut FileSet) {
        if let Ok(at) = self.binary_search_by_key(&name, |name| name.id) {
            let list = self[at].files.as_deref().unwrap_or_default();
            each_file(list).for_each(|file| files.add(file));
        }
    }
}

/// Files of many names put together: a bit each, because sorting their lists takes longer.
#[derive(Debug)]
pub(crate) struct FileSet {
    bits: Vec<u64>,
}

impl FileSet {
    fn below(next_file: i64) -> Self {
        Self { bits: vec![0; next_file as usize / 64 + 1] }
    }

    pub(crate) fn add(&mut self, file: i64) {
        if let Some(word) = self.bits.get_mut(file as usize / 64) {
            *word |= 1 << (file % 64);
        }
    }

    /// Takes the files out, ascending.
    fn drain(&mut self) -> impl Iterator<Item = i64> {
        self.bits.iter_mut().enumerate().filter(|(_, word)| **word != 0).flat_map(|(at, word)| {
            let mut word = std::mem::take(word);
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| i64::from(word.trailing_zeros()))?;
                word &= word - 1;
                Some(at as i64 * 64 + bit)
            })
        })
    }
}

/// Stems by number; what a part of a name is reduced to is found once.
#[derive(Debug, Default)]
struct Entries {
    stems: Stems,
    numbers: FxHashMap<Box<str>, u32>,
    parts: FxHashMap<Box<str>, Option<u32>>,
    list: Vec<Entry>,
}

impl Entries {
    fn each(&mut self, text: &str, mut visit: impl FnMut(&mut Entry)) {
        for part in words::parts(text) {
            let known = self.parts.get(part).copied();
            let number = known.unwrap_or_else(|| self.add(part));
            if let Some(number) = number {
                visit(&mut self.list[number as usize]);
            }
        }
    }

    fn add(&mut self, part: &str) -> Option<u32> {
        let number = self.stems.stem(part).map(|stem| {
            *self.numbers.entry(stem.into()).or_insert_with(|| {
                self.list.push(Entry::default());
                self.list.len() as u32 - 1
            })
        });
        self.parts.insert(part.into(), number);
        number
    }
}

/// Numbers come ascending; a word that stands twice in a name counts once.
fn push<T: PartialEq>(list: &mut Vec<T>, number: T) {
    if list.last() != Some(&number) {
        list.push(number);
    }
}

/// As differences; nothing for an empty list.
fn pack(numbers: impl Iterator<Item = i64>) -> Option<Vec<u8>> {
    let mut packed = Vec::new();
    let mut last = 0;
    for number in numbers {
        put_number(&mut packed, (number - last) as u32);
        last = number;
    }
    (!packed.is_empty()).then_some(packed)
}

/// A word to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub stem: String,
    /// Every word that begins so is meant.
    pub is_prefix: bool,
}

/// A word of a question, as the index knows it. All lists ascend.
#[derive(Debug, Clone, Default)]
pub struct Word {
    /// Names that have it in them.
    pub names: Vec<u32>,
    /// Files of the project in which it stands.
    pub files: Vec<i64>,
    /// Files of the project that have it in their path.
    pub paths: Vec<i64>,
}

/// What the index knows of the words of a question.
#[derive(Debug, Default)]
pub struct Found {
    /// Number of files of the project.
    pub file_count: usize,
    pub words: Vec<Word>,
}

/// The files of the project.
struct Live {
    count: usize,
    /// None if they are those that were there when words were listed.
    known: Option<FxHashSet<i64>>,
}

/// What ranking needs of a symbol.
#[derive(Debug, Clone)]
pub struct SymbolLine {
    pub id: i64,
    pub owner: Option<u32>,
    pub name: u32,
    pub kind: SymbolKind,
    pub flags: SymbolFlags,
    /// First and last line.
    pub lines: Range<u32>,
    pub name_line: u32,
}

/// A method, and what it belongs to.
#[derive(Debug, Clone, Copy)]
pub struct MethodLine {
    pub id: i64,
    /// Position of its type in the same file, and the name of that.
    pub owner: Option<u32>,
    pub owner_name: Option<u32>,
    /// It is one that an interface asks for.
    pub is_declared: bool,
    /// Name of the type that it adds to from another place.
    pub adds_to: Option<u32>,
}

/// The columns of a [`SymbolLine`].
const SYMBOL_LINE: &str = "id, owner, name_id, kind, flags, start_line, end_line, name_line";
const OF_FILE: &str = "FROM symbol WHERE id >= ?1 AND id < ?2 ORDER BY id";

fn symbols_of(file: i64) -> [i64; 2] {
    [file << SYMBOL_BITS, (file + 1) << SYMBOL_BITS]
}

fn symbol_line(row: &rusqlite::Row<'_>) -> Result<SymbolLine> {
    Ok(SymbolLine {
        id: row.get(0)?,
        owner: row.get(1)?,
        name: row.get(2)?,
        kind: SymbolKind::parse(row.get_ref(3)?.as_str()?).unwrap_or(SymbolKind::Var),
        flags: SymbolFlags(row.get(4)?),
        lines: row.get(5)?..row.get(6)?,
        name_line: row.get(7)?,
    })
}

impl Reader {
    /// The names and files of these words.
    pub fn words(&self, wanted: &[Wanted]) -> Result<Found> {
        let connection = self.connection();
        let first_name = integer(connection, "word_names").unwrap_or(0);
        let first_file = integer(connection, "word_files").unwrap_or(0);
        let live = self.live_files(first_file)?;
        let mut words = Vec::with_capacity(wanted.len());
        for word in wanted {
            words.push(self.stored_word(word)?);
        }
        self.add_new_names(wanted, &mut words, first_name)?;
        self.add_new_files(wanted, &mut words, first_file)?;
        for word in &mut words {
            for list in [&mut word.files, &mut word.paths] {
                if let Some(known) = &live.known {
                    list.retain(|file| known.contains(file));
                }
                list.sort_unstable();
                list.dedup();
            }
        }
        Ok(Found { file_count: live.count, words })
    }

    /// Which of the listed files are in the project. Mostly all are, and none has come since.
    fn live_files(&self, first_new: i64) -> Result<Live> {
        let connection = self.connection();
        let count = self.file_count()?;
        let is_as_listed = integer(connection, "word_count") == Some(count.into())
            && integer(connection, "next_file") == Some(first_new);
        let known = match is_as_listed {
            true => None,
            false => Some(
                connection
                    .prepare_cached("SELECT id FROM file WHERE retired IS NULL")?
                    .query_map([], |row| row.get(0))?
                    .collect::<Result<_>>()?,
            ),
        };
        Ok(Live { count: count as usize, known })
    }

    /// The names of these words, ascending for each.
    pub(crate) fn names_of_words(&self, wanted: &[Wanted]) -> Result<Vec<Vec<u32>>> {
        let first = integer(self.connection(), "word_names").unwrap_or(0);
        let mut words: Vec<Word> =
            wanted.iter().map(|word| self.stored_names(word)).collect::<Result<_>>()?;
        self.add_new_names(wanted, &mut words, first)?;
        Ok(words.into_iter().map(|word| word.names).collect())
    }

    fn stored_names(&self, wanted: &Wanted) -> Result<Word> {
        let mut word = Word::default();
        self.each_stored(wanted, |row| {
            word.names.extend(list(row, 0)?.into_iter().map(|name| name as u32));
            Ok(())
        })?;
        word.names.sort_unstable();
        word.names.dedup();
        Ok(word)
    }

    fn each_stored(
        &self,
        wanted: &Wanted,
        mut visit: impl FnMut(&rusqlite::Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self.connection().prepare_cached(
            "SELECT names, files, paths FROM word WHERE text >= ?1 AND text < ?2 ORDER BY text",
        )?;
        let after = if wanted.is_prefix { "\u{10ffff}" } else { "\0" };
        let mut rows = statement.query([&wanted.stem, &format!("{}{after}", wanted.stem)])?;
        while let Some(row) = rows.next()? {
            visit(row)?;
        }
        Ok(())
    }

    fn stored_word(&self, wanted: &Wanted) -> Result<Word> {
        let mut word = self.stored_names(wanted)?;
        self.each_stored(wanted, |row| {
            let files = list(row, 1)?;
            if files.is_empty() {
                for name in list(row, 0)? {
                    word.files.extend(self.files_of_name(name)?);
                }
            }
            word.files.extend(files);
            word.paths.extend(list(row, 2)?);
            Ok(())
        })?;
        Ok(word)
    }

    /// The files of a name, as they were when its list was made.
    fn files_of_name(&self, name: i64) -> Result<Vec<i64>> {
        let packed: Option<Vec<u8>> = self
            .connection()
            .prepare_cached("SELECT files FROM name WHERE id = ?1")?
            .query_row([name], |row| row.get(0))
            .optional()?
            .flatten();
        Ok(unpack_files(packed.as_deref().unwrap_or_default()))
    }

    fn add_new_names(&self, wanted: &[Wanted], words: &mut [Word], first: i64) -> Result<()> {
        let stems = Stems::default();
        let mut statement =
            self.connection().prepare_cached("SELECT id, text FROM name WHERE id >= ?1")?;
        let mut rows = statement.query([first])?;
        while let Some(row) = rows.next()? {
            let name: u32 = row.get(0)?;
            for_each_match(&stems, row.get_ref(1)?.as_str()?, wanted, |word| {
                push(&mut words[word].names, name);
            });
        }
        Ok(())
    }

    fn add_new_files(&self, wanted: &[Wanted], words: &mut [Word], first: i64) -> Result<()> {
        let stems = Stems::default();
        let new: Vec<(i64, String)> = self
            .connection()
            .prepare_cached("SELECT id, path FROM file WHERE id >= ?1 AND retired IS NULL")?
            .query_map([first], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_>>()?;
        if new.is_empty() {
            return Ok(());
        }
        let masks = Masks::new(words);
        for (file, path) in new {
            for_each_match(&stems, &path, wanted, |word| words[word].paths.push(file));
            let mut mask = 0;
            for hit in self.name_hits(file, &masks)? {
                mask |= hit.words;
            }
            for (number, word) in words.iter_mut().enumerate() {
                if mask & 1 << number != 0 {
                    word.files.push(file);
                }
            }
        }
        Ok(())
    }

    /// About how many files had a word when words were listed, for weighing it against others.
    pub fn file_count_of(&self, stem: &str) -> Result<usize> {
        let wanted = Wanted { stem: stem.to_owned(), is_prefix: false };
        let mut count = 0;
        self.each_stored(&wanted, |row| {
            let files = row.get_ref(1)?.as_blob_or_null()?.unwrap_or_default();
            // Each number ends with a byte below 128.
            count = files.iter().filter(|byte| **byte < 0x80).count();
            if count == 0 {
                for name in list(row, 0)? {
                    count += self.files_of_name(name)?.len();
                }
            }
            count = count.max(list(row, 2)?.len());
            Ok(())
        })?;
        Ok(count)
    }

    /// The stems of names that came after words were listed.
    pub fn new_stems(&self) -> Result<FxHashSet<String>> {
        let first = integer(self.connection(), "word_names").unwrap_or(0);
        let stems = Stems::default();
        let mut found = FxHashSet::default();
        let mut statement =
            self.connection().prepare_cached("SELECT text FROM name WHERE id >= ?1")?;
        let mut rows = statement.query([first])?;
        while let Some(row) = rows.next()? {
            let text = row.get_ref(0)?.as_str()?;
            found.extend(words::parts(text).filter_map(|part| stems.stem(part)));
        }
        Ok(found)
    }

    /// The symbols of a file, in order.
    pub fn symbol_lines(&self, file: i64) -> Result<Vec<SymbolLine>> {
        self.connection()
            .prepare_cached(&format!("SELECT {SYMBOL_LINE} {OF_FILE}"))?
            .query_map(symbols_of(file), symbol_line)?
            .collect()
    }

    /// The same, and how many lines of documentation each has. Documentation is most of what is stored of a
    /// symbol, so who does not need it should not read it.
    pub fn documented_lines(&self, file: i64) -> Result<(Vec<SymbolLine>, Vec<u32>)> {
        let sql = format!("SELECT {SYMBOL_LINE}, docs {OF_FILE}");
        let mut statement = self.connection().prepare_cached(&sql)?;
        let mut rows = statement.query(symbols_of(file))?;
        let (mut symbols, mut doc_lines) = (Vec::new(), Vec::new());
        while let Some(row) = rows.next()? {
            symbols.push(symbol_line(row)?);
            doc_lines.push(match row.get_ref(8)? {
                ValueRef::Text(docs) => {
                    1 + docs.iter().filter(|byte| **byte == b'\n').count() as u32
                }
                _ => 0,
            });
        }
        Ok((symbols, doc_lines))
    }

    /// The files of the project that define a symbol of this name.
    pub fn files_defining(&self, name: u32) -> Result<Vec<i64>> {
        self.connection()
            .prepare_cached("SELECT DISTINCT id >> 24 FROM symbol WHERE name_id = ?1")?
            .query_map([name], |row| row.get(0))?
            .collect()
    }

    /// The methods of this name in the project.
    pub fn methods_named(&self, name: u32) -> Result<Vec<MethodLine>> {
        self.connection()
            .prepare_cached(
                "SELECT s.id, s.owner, o.name_id, o.kind = 'interface', s.adds_to_id FROM symbol AS s
                 JOIN file AS f ON f.id = s.id >> 24 AND f.retired IS NULL
                 LEFT JOIN symbol AS o ON o.id = (s.id & ~16777215) + s.owner
                 WHERE s.name_id = ?1 AND s.kind = 'method'",
            )?
            .query_map([name], |row| {
                Ok(MethodLine {
                    id: row.get(0)?,
                    owner: row.get(1)?,
                    owner_name: row.get(2)?,
                    is_declared: row.get::<_, Option<bool>>(3)?.unwrap_or(false),
                    adds_to: row.get(4)?,
                })
            })?
            .collect()
    }

    /// The symbols of this name in the project.
    pub fn symbols_named(&self, name: u32) -> Result<Vec<i64>> {
        self.connection()
            .prepare_cached(
                "SELECT s.id FROM symbol AS s JOIN file AS f ON f.id = s.id >> 24 AND f.retired IS NULL
                 WHERE s.name_id = ?1",
            )?
            .query_map([name], |row| row.get(0))?
            .collect()
    }

    /// The names of the methods of a type: of those beside it, and of those that add to a type of its name.
    pub fn names_of_methods(&self, id: i64, name: u32) -> Result<Vec<u32>> {
        self.connection()
            .prepare_cached(
                "SELECT name_id FROM symbol
                 WHERE id BETWEEN ?1 & ~16777215 AND ?1 | 16777215 AND owner = ?1 & 16777215
                   AND kind = 'method'
                 UNION SELECT name_id FROM symbol WHERE adds_to_id = ?2 AND kind = 'method'",
            )?
            .query_map(params![id, name], |row| row.get(0))?
            .collect()
    }

    /// How many files use a symbol of this name in that file.
    pub fn user_count(&self, name: u32, path: &str) -> Result<u32> {
        self.connection()
            .prepare_cached(
                "SELECT count(*) FROM usage
                 WHERE name_id = ?1 AND path_id = (SELECT id FROM name WHERE text = ?2)",
            )?
            .query_row(params![name, path], |row| row.get(0))
    }

    /// How many files use the most used of some symbols of a file, whose path is given as a name.
    pub fn most_users(&self, path: u32, names: impl Iterator<Item = u32>) -> Result<u32> {
        let mut statement = self
            .connection()
            .prepare_cached("SELECT count(*) FROM usage WHERE name_id = ?1 AND path_id = ?2")?;
        let mut most = 0;
        for name in names {
            most = most.max(statement.query_row([name, path], |row| row.get(0))?);
        }
        Ok(most)
    }

    /// The number of a name, if there is one of that text.
    pub fn name_id(&self, text: &str) -> Result<Option<u32>> {
        self.connection()
            .prepare_cached("SELECT id FROM name WHERE text = ?1")?
            .query_row([text], |row| row.get(0))
            .optional()
    }

    /// The text of a name.
    pub fn name_text(&self, name: u32) -> Result<String> {
        self.connection()
            .prepare_cached("SELECT text FROM name WHERE id = ?1")?
            .query_row([name], |row| row.get(0))
    }
}

fn list(row: &rusqlite::Row<'_>, column: usize) -> Result<Vec<i64>> {
    let packed = row.get_ref(column)?.as_blob_or_null()?;
    Ok(unpack_files(packed.unwrap_or_default()))
}

fn for_each_match(stems: &Stems, text: &str, wanted: &[Wanted], mut visit: impl FnMut(usize)) {
    for part in words::parts(text) {
        let Some(stem) = stems.stem(part) else { continue };
        for (number, word) in wanted.iter().enumerate() {
            if stem == word.stem || word.is_prefix && stem.starts_with(&word.stem) {
                visit(number);
            }
        }
    }
}
