//! Which files a file depends on.

use rusqlite::{Connection, OptionalExtension, Result};
use rustc_hash::FxHashMap;

use super::{Places, corrupt};
use crate::links::{Outcomes, Stored, unpack_targets};

/// One row of `dependencies`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DependencyRow {
    pub(super) to: i64,
    /// Its path, as a name.
    pub(super) path: u32,
    /// How many references lead there; none where only an import does.
    pub(super) links: u32,
}

/// All files that are not skipped, in the order of their paths, and which of them each depends on, by their
/// place in that order: ids, which change with every edit, play no part.
pub(super) struct FileGraph {
    pub(super) files: Vec<i64>,
    pub(super) edges: Vec<Vec<u32>>,
}

impl FileGraph {
    pub(super) fn of(connection: &Connection) -> Result<Self> {
        let files: Vec<i64> = connection
            .prepare_cached(
                "SELECT id FROM file WHERE retired IS NULL AND status <> 'skipped' ORDER BY path",
            )?
            .query_map([], |row| row.get(0))?
            .collect::<Result<_>>()?;
        let numbers: FxHashMap<i64, u32> =
            files.iter().enumerate().map(|(place, file)| (*file, place as u32)).collect();
        let mut places = Places::default();
        let mut edges = Vec::with_capacity(files.len());
        for file in &files {
            let all = rows(connection, *file, &mut places)?;
            edges.push(all.iter().filter_map(|row| numbers.get(&row.to).copied()).collect());
        }
        Ok(Self { files, edges })
    }
}

/// What a file depends on, by links that are decided and by imports, each file once.
pub(super) fn rows(
    connection: &Connection,
    file: i64,
    places: &mut Places,
) -> Result<Vec<DependencyRow>> {
    let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
    let packed: Option<(Vec<u8>, Vec<u8>)> = connection
        .prepare_cached(
            "SELECT l.targets, l.outcomes FROM link AS l JOIN file AS f ON f.id = l.file_id
             WHERE l.file_id = ?1 AND f.retired IS NULL",
        )?
        .query_row([file], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((targets, outcomes)) = packed else { return Ok(Vec::new()) };
    let targets = unpack_targets(&targets).map_err(corrupt)?;
    let mut times = vec![0; targets.len()];
    for outcome in Outcomes::new(&outcomes) {
        match outcome.map_err(corrupt)? {
            Stored::Resolved(_, place) => {
                if let Some(times) = times.get_mut(place as usize) {
                    *times += 1;
                }
            }
            Stored::File(_, path) => *counts.entry(path).or_default() += 1,
            _ => {}
        }
    }
    for (target, times) in targets.iter().zip(times).filter(|(_, times)| *times > 0) {
        *counts.entry(target.path).or_default() += times;
    }
    let mut imports = connection.prepare_cached(
        "SELECT target_id FROM import WHERE file_id = ?1 AND target_id IS NOT NULL",
    )?;
    for path in imports.query_map([file], |row| row.get(0))? {
        counts.entry(path?).or_default();
    }
    let mut all = Vec::with_capacity(counts.len());
    for (path, links) in counts {
        if let Some(to) = places.file(connection, path)?.filter(|to| *to != file) {
            all.push(DependencyRow { to, path, links });
        }
    }
    all.sort_unstable();
    Ok(all)
}
