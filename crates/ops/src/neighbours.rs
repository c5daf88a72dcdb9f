//! Who calls a symbol, what it calls, which tests reach it: how many, and the first few.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use store::Reader;
use store::rusqlite::{self, OptionalExtension};

use crate::links::{CALLS, with_constructors};

/// Neighbours that are named; the rest is counted.
const FIRST: usize = 5;
/// How many calls away a test may be.
const DEPTH: usize = 3;
/// Symbols whose callers are looked up on the way to tests.
const MAX_STEPS: usize = 120;

#[derive(Debug, Default, Serialize)]
pub struct Neighbours {
    pub total: usize,
    /// There may be more: not all ways were followed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
    pub first: Vec<Neighbour>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Neighbour {
    /// Qualified name; none for the top level of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub path: String,
    /// Of the call, where it calls; of the definition, where it is called or a test.
    pub line: u32,
}

/// A symbol, or the top level of a file.
type Place = (i64, Option<i64>);

/// Symbols that call one, with the line of the first call, in the order of paths and lines.
pub(crate) fn callers(reader: &Reader, id: i64) -> rusqlite::Result<Neighbours> {
    let mut found = Vec::new();
    for ((file, symbol), line) in callers_of(reader, id)? {
        if symbol != Some(id) {
            found.push((file, symbol, line));
        }
    }
    let mut named = named(reader, found.iter().take(FIRST * 8).copied())?;
    named.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    named.truncate(FIRST);
    Ok(Neighbours { total: found.len(), at_least: false, first: named })
}

fn named(
    reader: &Reader,
    places: impl Iterator<Item = (i64, Option<i64>, u32)>,
) -> rusqlite::Result<Vec<Neighbour>> {
    let mut named = Vec::new();
    for (file, symbol, line) in places {
        named.extend(name(reader, (file, symbol))?.map(|known| Neighbour { line, ..known.0 }));
    }
    Ok(named)
}

/// The places that call a symbol or its constructors, each with the line of its first call.
fn callers_of(reader: &Reader, id: i64) -> rusqlite::Result<BTreeMap<Place, u32>> {
    let mut places: BTreeMap<Place, u32> = BTreeMap::new();
    let sql = format!(
        "SELECT file_id, symbol_id, line FROM links
         WHERE target_id = ?1 AND role IN {CALLS} AND outcome = 'resolved'
           AND confidence <> 'possible'"
    );
    let mut statement = reader.connection().prepare_cached(&sql)?;
    for id in with_constructors(reader, &[id])? {
        let mut rows = statement.query([id])?;
        while let Some(row) = rows.next()? {
            let line: u32 = row.get(2)?;
            let first = places.entry((row.get(0)?, row.get(1)?)).or_insert(line);
            *first = line.min(*first);
        }
    }
    Ok(places)
}

/// Symbols that one calls, itself or in what is defined inside it, in the order of their first call.
pub(crate) fn callees(reader: &Reader, id: i64) -> rusqlite::Result<Neighbours> {
    let sql = format!(
        "WITH RECURSIVE inside(id) AS (
             SELECT ?1 UNION ALL
             SELECT s.id FROM symbol AS s JOIN inside AS i
                 ON s.id BETWEEN i.id & ~16777215 AND i.id | 16777215
                AND s.owner = i.id & 16777215)
         SELECT target_id FROM links
         WHERE file_id = ?1 >> 24 AND role IN {CALLS} AND outcome = 'resolved'
           AND confidence <> 'possible' AND symbol_id IN inside
         ORDER BY number"
    );
    let mut seen = HashSet::new();
    let mut order: Vec<i64> = Vec::new();
    let mut statement = reader.connection().prepare_cached(&sql)?;
    for target in statement.query_map([id], |row| row.get::<_, Option<i64>>(0))? {
        order.extend(target?.filter(|target| *target != id && seen.insert(*target)));
    }
    let mut first = Vec::new();
    for target in order.iter().take(FIRST) {
        first.extend(name(reader, (*target >> 24, Some(*target)))?.map(|known| known.0));
    }
    Ok(Neighbours { total: order.len(), at_least: false, first })
}

/// Tests that lead to a symbol in at most three calls, the nearest first.
pub(crate) fn tests(reader: &Reader, id: i64) -> rusqlite::Result<Neighbours> {
    let mut seen: HashSet<Place> = HashSet::from([(id >> 24, Some(id))]);
    let mut level = vec![id];
    let mut found: Vec<Neighbour> = Vec::new();
    let mut steps = 0;
    let mut at_least = false;
    for _ in 0..DEPTH {
        let (mut next, mut near) = (Vec::new(), Vec::new());
        for id in std::mem::take(&mut level) {
            if steps == MAX_STEPS {
                at_least = true;
                break;
            }
            steps += 1;
            for (place, _) in callers_of(reader, id)? {
                if !seen.insert(place) {
                    continue;
                }
                match (name(reader, place)?, place.1) {
                    (Some((neighbour, true)), _) => near.push(neighbour),
                    (Some((_, false)), Some(symbol)) => next.push(symbol),
                    _ => {}
                }
            }
        }
        near.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        found.append(&mut near);
        level = next;
    }
    let total = found.len();
    found.truncate(FIRST);
    Ok(Neighbours { total, at_least, first: found })
}

/// A place with its name and the line it is defined on, and whether it is a test or stands among tests.
fn name(reader: &Reader, place: Place) -> rusqlite::Result<Option<(Neighbour, bool)>> {
    let (file, symbol) = place;
    let Some(symbol) = symbol else {
        return reader
            .connection()
            .prepare_cached("SELECT path, is_test FROM files WHERE id = ?1")?
            .query_row([file], |row| {
                Ok((Neighbour { name: None, path: row.get(0)?, line: 1 }, row.get(1)?))
            })
            .optional();
    };
    reader
        .connection()
        .prepare_cached(
            "SELECT qualified_name, file_path, line, is_test OR in_test_file
             FROM symbols WHERE id = ?1",
        )?
        .query_row([symbol], |row| {
            Ok((Neighbour { name: row.get(0)?, path: row.get(1)?, line: row.get(2)? }, row.get(3)?))
        })
        .optional()
}
