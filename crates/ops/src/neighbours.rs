//! Who calls a symbol, what it calls, which tests reach it: how many, and the first few.

use std::collections::{BTreeMap, HashSet};

use schemars::JsonSchema;
use serde::Serialize;
use store::rusqlite::{self, OptionalExtension};
use store::{Edge, Graph, Reader};

use crate::links::unlinked_calls;
use crate::walk::Via;

/// Neighbours that are named; the rest is counted.
const FIRST: usize = 5;
/// How many calls away a test may be.
const DEPTH: usize = 3;
/// Symbols whose callers are looked up on the way to tests.
const MAX_STEPS: usize = 120;

#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Neighbours {
    pub total: usize,
    /// There may be more: not all ways were followed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
    pub first: Vec<Neighbour>,
    /// Of callers: calls of that name that lead nowhere, and may mean this symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlinked: Option<Unlinked>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Unlinked {
    pub total: usize,
    /// There may be more: not all files that have the name were looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
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
pub(crate) fn callers(graph: &Graph<'_>, id: i64) -> rusqlite::Result<Neighbours> {
    let mut found = Vec::new();
    for ((file, symbol), line) in callers_of(graph, id)? {
        if symbol != Some(id) {
            found.push((file, symbol, line));
        }
    }
    let mut named = named(graph.reader(), found.iter().take(FIRST * 8).copied())?;
    named.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    named.truncate(FIRST);
    let (total, at_least) = unlinked_calls(graph, id)?;
    let unlinked = (total > 0).then_some(Unlinked { total, at_least });
    Ok(Neighbours { total: found.len(), first: named, unlinked, ..Neighbours::default() })
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
fn callers_of(graph: &Graph<'_>, id: i64) -> rusqlite::Result<BTreeMap<Place, u32>> {
    let mut places: BTreeMap<Place, u32> = BTreeMap::new();
    for id in graph.with_constructors(id)? {
        for edge in graph.leading_to(id)?.into_iter().filter(is_sure_call) {
            let first = places.entry((edge.file, edge.from)).or_insert(edge.line);
            *first = edge.line.min(*first);
        }
    }
    Ok(places)
}

fn is_sure_call(edge: &Edge) -> bool {
    Via::Calls.follows(edge.role)
        && !edge.is_candidate
        && edge.how.confidence() != model::Confidence::Possible
}

/// Symbols that one calls, itself or in what is defined inside it, in the order of their first call.
pub(crate) fn callees(graph: &Graph<'_>, id: i64) -> rusqlite::Result<Neighbours> {
    let mut seen = HashSet::from([id]);
    let calls = graph.out_of(id)?.into_iter().filter(is_sure_call);
    let order: Vec<i64> = calls.map(|edge| edge.to).filter(|to| seen.insert(*to)).collect();
    let mut first = Vec::new();
    for target in order.iter().take(FIRST) {
        let place = (store::file_of(*target), Some(*target));
        first.extend(name(graph.reader(), place)?.map(|known| known.0));
    }
    Ok(Neighbours { total: order.len(), first, ..Neighbours::default() })
}

/// Tests that lead to a symbol in at most three calls, the nearest first.
pub(crate) fn tests(graph: &Graph<'_>, id: i64) -> rusqlite::Result<Neighbours> {
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
            for (place, _) in callers_of(graph, id)? {
                if !seen.insert(place) {
                    continue;
                }
                match (name(graph.reader(), place)?, place.1) {
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
    Ok(Neighbours { total, at_least, first: found, unlinked: None })
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
