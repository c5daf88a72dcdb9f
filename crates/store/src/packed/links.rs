//! What the references of a file lead to, as rows.

use model::pack::Detail;
use model::{How, Outcome, Reference, Why};
use rusqlite::{Connection, OptionalExtension, Result};
use rustc_hash::FxHashMap;

use super::rows::Rows;
use super::{Wanted, corrupt};
use crate::links::{Outcomes, Stored, Target, unpack_targets};
use crate::rows::SYMBOL_BITS;

/// What a reference leads to, as it is stored: most questions want it for few rows, if at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    Nothing,
    Symbol(Target),
    /// A path, as a name.
    File(u32),
}

/// One row of `links`.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinkRow {
    pub(super) number: u32,
    pub(super) outcome: Outcome,
    pub(super) how: Option<How>,
    pub(super) why: Option<Why>,
    pub(super) goal: Goal,
    pub(super) external: Option<u32>,
    pub(super) reference: Reference,
}

/// Where targets are, remembered for the time of a scan.
#[derive(Debug, Default)]
pub(crate) struct Places {
    files: FxHashMap<u32, Option<i64>>,
    symbols: FxHashMap<Target, Option<i64>>,
    /// How many symbols of each path were looked up one by one.
    asked: FxHashMap<u32, u32>,
}

/// When so many symbols of one file were looked up, the rest of it is read at once.
const READ_WHOLE: u32 = 3;

impl Places {
    /// The file at a path, which is given as a name.
    pub(super) fn file(&mut self, connection: &Connection, path: u32) -> Result<Option<i64>> {
        if let Some(known) = self.files.get(&path) {
            return Ok(*known);
        }
        let found = connection
            .prepare_cached(
                "SELECT f.id FROM name AS n JOIN file AS f ON f.path = n.text
                 WHERE n.id = ?1 AND f.retired IS NULL",
            )?
            .query_row([path], |row| row.get(0))
            .optional()?;
        self.files.insert(path, found);
        Ok(found)
    }

    pub(crate) fn symbol(
        &mut self,
        connection: &Connection,
        target: Target,
    ) -> Result<Option<i64>> {
        if let Some(known) = self.symbols.get(&target) {
            return Ok(*known);
        }
        let asked = self.asked.entry(target.path).or_default();
        *asked += 1;
        let is_read_whole = *asked == READ_WHOLE;
        let found = match self.file(connection, target.path)? {
            None => None,
            Some(file) if is_read_whole => {
                self.read(connection, target.path, file)?;
                self.symbols.get(&target).copied().flatten()
            }
            Some(file) => connection
                .prepare_cached(
                    "SELECT id FROM symbol WHERE name_id = ?1 AND id >= ?2 AND id < ?3
                     ORDER BY id LIMIT 1 OFFSET ?4",
                )?
                .query_row(
                    [
                        target.name.into(),
                        file << SYMBOL_BITS,
                        (file + 1) << SYMBOL_BITS,
                        target.nth.into(),
                    ],
                    |row| row.get(0),
                )
                .optional()?,
        };
        self.symbols.insert(target, found);
        Ok(found)
    }

    /// Remembers all symbols of a file.
    fn read(&mut self, connection: &Connection, path: u32, file: i64) -> Result<()> {
        let mut statement = connection.prepare_cached(
            "SELECT id, name_id FROM symbol WHERE id >= ?1 AND id < ?2 AND name_id IS NOT NULL
             ORDER BY id",
        )?;
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        let mut rows = statement.query([file << SYMBOL_BITS, (file + 1) << SYMBOL_BITS])?;
        while let Some(row) = rows.next()? {
            let (id, name): (i64, u32) = (row.get(0)?, row.get(1)?);
            let nth = counts.entry(name).or_default();
            self.symbols.insert(Target { path, name, nth: *nth }, Some(id));
            *nth += 1;
        }
        Ok(())
    }
}

/// A symbol as links name it.
pub(super) fn target(connection: &Connection, symbol: i64) -> Result<Option<Target>> {
    connection
        .prepare_cached(
            "SELECT p.id, s.name_id,
                    (SELECT count(*) FROM symbol AS o
                     WHERE o.name_id = s.name_id AND o.id >= s.id >> 24 << 24 AND o.id < s.id)
             FROM symbol AS s JOIN file AS f ON f.id = s.id >> 24 JOIN name AS p ON p.text = f.path
             WHERE s.id = ?1 AND f.retired IS NULL",
        )?
        .query_row([symbol], |row| {
            Ok(Target { path: row.get(0)?, name: row.get(1)?, nth: row.get(2)? })
        })
        .optional()
}

/// Files that may use a symbol.
pub(crate) fn users(connection: &Connection, symbol: i64) -> Result<Vec<i64>> {
    connection
        .prepare_cached(
            "SELECT f.id FROM symbol AS s
             JOIN file AS t ON t.id = s.id >> 24
             JOIN name AS p ON p.text = t.path
             JOIN usage AS u ON u.name_id = s.name_id AND u.path_id = p.id
             JOIN name AS n ON n.id = u.source_id
             JOIN file AS f ON f.path = n.text AND f.retired IS NULL
             WHERE s.id = ?1 ORDER BY f.path",
        )?
        .query_map([symbol], |row| row.get(0))?
        .collect()
}

/// The links of a file, or those that lead to one symbol.
pub(super) fn rows(connection: &Connection, file: i64, wanted: &Wanted) -> Result<Rows> {
    let packed: Option<[Vec<u8>; 4]> = connection
        .prepare_cached(
            "SELECT l.targets, l.outcomes, a.names, a.detail FROM link AS l
             JOIN file AS f ON f.id = l.file_id JOIN facts AS a ON a.file_id = l.file_id
             WHERE l.file_id = ?1 AND f.retired IS NULL",
        )?
        .query_row([file], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))
        .optional()?;
    let Some([targets, outcomes, names, detail]) = packed else { return Ok(Rows::default()) };
    let detail = Detail::new(&detail).map_err(corrupt)?;
    let references = detail.references().map_err(corrupt)?;
    let targets = unpack_targets(&targets).map_err(corrupt)?;
    if wanted.target.is_some_and(|target| !targets.contains(&target)) {
        return Ok(Rows::default());
    }
    let mut all = Vec::new();
    for (number, (stored, reference)) in Outcomes::new(&outcomes).zip(references).enumerate() {
        let stored = stored.map_err(corrupt)?;
        if !wanted.has_role(reference.role) || !wanted.has_outcome(stored.outcome()) {
            continue;
        }
        let nothing = LinkRow {
            number: number as u32,
            reference,
            outcome: Outcome::Local,
            how: None,
            why: None,
            goal: Goal::Nothing,
            external: None,
        };
        let leads_to = |outcome: Outcome, how: How, place: u32| {
            let goal = targets.get(place as usize).map_or(Goal::Nothing, |to| Goal::Symbol(*to));
            LinkRow { outcome, how: Some(how), goal, ..nothing }
        };
        match stored {
            Stored::Local => all.push(nothing),
            Stored::Unresolved(why) => {
                all.push(LinkRow { outcome: Outcome::Unresolved, why: Some(why), ..nothing });
            }
            Stored::External(external) => {
                all.push(LinkRow { outcome: Outcome::External, external, ..nothing });
            }
            Stored::Namespace(name) => {
                all.push(LinkRow { outcome: Outcome::Module, external: Some(name), ..nothing });
            }
            Stored::File(how, path) => {
                let goal = Goal::File(path);
                all.push(LinkRow { outcome: Outcome::Module, how: Some(how), goal, ..nothing });
            }
            Stored::Resolved(how, place) => all.push(leads_to(Outcome::Resolved, how, place)),
            Stored::Ambiguous(how, candidates) => {
                all.extend(
                    candidates.into_iter().map(|place| leads_to(Outcome::Ambiguous, how, place)),
                );
            }
        }
    }
    if let Some(target) = wanted.target {
        all.retain(|row| row.goal == Goal::Symbol(target));
    }
    Rows::of_links(file, all, &names, &detail).map_err(corrupt)
}
