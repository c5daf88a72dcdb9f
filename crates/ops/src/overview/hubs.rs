//! What most other files use.

use store::Reader;
use store::rusqlite::{self, OptionalExtension};

use super::evidence::is_aside;
use super::{Hub, HubFile};

#[derive(Debug, Default)]
pub(super) struct Hubs {
    pub(super) files: Vec<HubFile>,
    pub(super) types: Vec<Hub>,
    pub(super) functions: Vec<Hub>,
}

pub(super) fn hubs(reader: &Reader, limit: usize) -> rusqlite::Result<Hubs> {
    Ok(Hubs {
        files: files(reader, limit)?,
        types: symbols(reader, limit, true)?,
        functions: symbols(reader, limit, false)?,
    })
}

fn files(reader: &Reader, limit: usize) -> rusqlite::Result<Vec<HubFile>> {
    let mut statement = reader.connection().prepare(
        "SELECT n.text, u.used FROM (
             SELECT path_id, count(DISTINCT source_id) AS used FROM usage
             WHERE source_id <> path_id GROUP BY path_id) AS u
         JOIN name AS n ON n.id = u.path_id
         JOIN file AS f ON f.path = n.text
         WHERE f.retired IS NULL AND NOT f.is_test
         ORDER BY u.used DESC, n.text LIMIT ?1",
    )?;
    let row = |row: &rusqlite::Row<'_>| {
        Ok(HubFile { path: row.get(0)?, used_by: row.get::<_, i64>(1)?.unsigned_abs() })
    };
    statement.query_map([limit as i64], row)?.collect()
}

/// Candidates that are looked at for each symbol that is told.
const CANDIDATES: usize = 400;

fn symbols(reader: &Reader, limit: usize, types: bool) -> rusqlite::Result<Vec<Hub>> {
    let mut statement = reader.connection().prepare_cached(
        "SELECT name_id, path_id, count(*) AS used FROM usage
         WHERE source_id <> path_id GROUP BY name_id, path_id
         ORDER BY used DESC, name_id, path_id LIMIT ?1",
    )?;
    let mut rows = statement.query([CANDIDATES as i64])?;
    let mut symbol = reader.connection().prepare_cached(
        "SELECT q.text, n.text, s.kind, f.path, s.name_line FROM symbol AS s
         JOIN name AS p ON p.id = ?2
         JOIN file AS f ON f.path = p.text AND f.retired IS NULL AND NOT f.is_test
         JOIN name AS n ON n.id = s.name_id
         LEFT JOIN name AS q ON q.id = s.qualifier_id
         WHERE s.name_id = ?1 AND s.id BETWEEN f.id << 24 AND f.id << 24 | 16777215
         ORDER BY s.id LIMIT 1",
    )?;
    let mut hubs = Vec::new();
    while let Some(row) = rows.next()? {
        if hubs.len() >= limit {
            break;
        }
        let used_by = row.get::<_, i64>(2)?.unsigned_abs();
        let key: [i64; 2] = [row.get(0)?, row.get(1)?];
        let hub = symbol
            .query_row(key, |row| {
                let qualifier: Option<String> = row.get(0)?;
                Ok(Hub {
                    name: qualifier.unwrap_or_default() + row.get_ref(1)?.as_str()?,
                    kind: row.get(2)?,
                    path: row.get(3)?,
                    line: row.get(4)?,
                    used_by,
                })
            })
            .optional()?;
        let is_wanted = |hub: &Hub| {
            let kind = model::SymbolKind::parse(&hub.kind);
            let is_kind =
                |kind: model::SymbolKind| if types { kind.is_type() } else { kind.is_callable() };
            kind.is_some_and(is_kind) && !is_aside(&hub.path)
        };
        // Variants of one thing, of which a build takes one, stand beside each other.
        let directory =
            |path: &str| path.rsplit_once('/').map_or("", |(place, _)| place).to_owned();
        let is_new = |hub: &Hub| {
            let is_same = |known: &Hub| {
                known.name == hub.name && directory(&known.path) == directory(&hub.path)
            };
            !hubs.iter().any(is_same)
        };
        let hub = hub.filter(|hub| is_wanted(hub) && is_new(hub));
        hubs.extend(hub);
    }
    Ok(hubs)
}
