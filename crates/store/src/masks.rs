//! Which words of a question each name has in it, and where such names stand in a file.

use model::LineType;
use model::pack::{Detail, Malformed, Reader as PackReader};
use rusqlite::Result;
use rustc_hash::FxHashMap;

use crate::{Reader, Word};

/// Which words each name has in it, one bit for each word.
#[derive(Debug, Default)]
pub struct Masks {
    masks: FxHashMap<u32, u64>,
    /// One bit for each name. Most names of a file have none of the words, which is found out without
    /// leaving the nearest cache of the processor.
    known: Vec<u64>,
}

impl Masks {
    pub fn new(words: &[Word]) -> Self {
        let mut it = Self::default();
        let last = words.iter().filter_map(|word| word.names.last()).max();
        it.known = vec![0; last.map_or(0, |last| *last as usize / 64 + 1)];
        for (number, word) in words.iter().enumerate().take(64) {
            for name in &word.names {
                *it.masks.entry(*name).or_insert(0) |= 1 << number;
                it.known[*name as usize / 64] |= 1 << (name % 64);
            }
        }
        it
    }

    /// The words of a name; none for most.
    pub fn get(&self, name: u32) -> Option<u64> {
        let is_known =
            self.known.get(name as usize / 64).is_some_and(|bits| bits & 1 << (name % 64) != 0);
        if is_known { self.masks.get(&name).copied() } else { None }
    }

    /// Names that have words, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        self.masks.iter().map(|(name, mask)| (*name, *mask))
    }
}

/// Where a name stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameHit {
    pub name: u32,
    /// The words that the name has in it.
    pub words: u64,
    pub line: u32,
    pub line_type: LineType,
}

impl Reader {
    /// Where names that have words stand in a file.
    pub fn name_hits(&self, file: i64, masks: &Masks) -> Result<Vec<NameHit>> {
        let mut statement = self
            .connection()
            .prepare_cached("SELECT names, detail FROM facts WHERE file_id = ?1")?;
        let mut rows = statement.query([file])?;
        let Some(row) = rows.next()? else { return Ok(Vec::new()) };
        hits(row.get_ref(0)?.as_blob()?, row.get_ref(1)?.as_blob()?, masks)
            .map_err(crate::links::damaged)
    }
}

fn hits(names: &[u8], detail: &[u8], masks: &Masks) -> Result<Vec<NameHit>, Malformed> {
    let mut reader = PackReader::new(names);
    // Of each name of the file: its number and its words, which are none for most.
    let mut known: Vec<(u32, u64)> = Vec::with_capacity(names.len() / 2);
    while !reader.is_empty() {
        let name = reader.number()?;
        known.push((name, masks.get(name).unwrap_or(0)));
    }
    let of = |term: model::NameId| known.get(term.0 as usize).copied().unwrap_or((0, 0));
    let mut hits = Vec::new();
    Detail::new(detail)?.each_term_of(
        |term| of(term).1 != 0,
        |term, lines| {
            let (name, words) = of(term);
            let hit = |(line, line_type)| NameHit { name, words, line, line_type };
            hits.extend(lines.into_iter().map(hit));
        },
    )?;
    Ok(hits)
}
