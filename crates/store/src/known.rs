//! Files as the index knows them.

use rusqlite::{Connection, Result, Row, ToSql, params};

use crate::rows::{FileRow, Stamp, Status};

/// A file as the index knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    pub id: i64,
    pub row: FileRow,
    pub is_test: bool,
}

/// Files of one language and status, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Census {
    pub language: String,
    pub status: Status,
    pub files: u64,
    pub bytes: u64,
    pub symbols: u64,
    pub references: u64,
}

/// Every file of the project, in the order of their paths.
pub(crate) fn files(connection: &Connection) -> Result<Vec<KnownFile>> {
    select(connection, "retired IS NULL ORDER BY path", &[])
}

/// Files of the project at these places, or below them, in the order of their paths.
pub(crate) fn files_at(connection: &Connection, places: &[String]) -> Result<Vec<KnownFile>> {
    let mut files = Vec::new();
    for place in places {
        if place.is_empty() {
            return self::files(connection);
        }
        // `0` follows `/`.
        let (first, end) = (format!("{place}/"), format!("{place}0"));
        // Two questions: with OR, the index on paths is not used.
        let at = "retired IS NULL AND path = ?1";
        files.append(&mut select(connection, at, params![place])?);
        let below = "retired IS NULL AND path >= ?1 AND path < ?2";
        files.append(&mut select(connection, below, params![first, end])?);
    }
    files.sort_unstable_by(|a, b| a.row.path.cmp(&b.row.path));
    files.dedup_by(|a, b| a.id == b.id);
    Ok(files)
}

/// Files that are not in the project any more, or not yet, with this content.
pub(crate) fn retired(connection: &Connection, hash: &[u8; 32]) -> Result<Vec<KnownFile>> {
    select(connection, "retired IS NOT NULL AND content_hash = ?1 ORDER BY id", params![hash])
}

fn select(
    connection: &Connection,
    condition: &str,
    parameters: &[&dyn ToSql],
) -> Result<Vec<KnownFile>> {
    let sql = format!(
        "SELECT id, path, language, status, reason, size, content_hash, modified_ns, changed_ns,
                inode, indexed_ms, is_test FROM file WHERE {condition}"
    );
    connection.prepare_cached(&sql)?.query_map(parameters, known_file)?.collect()
}

fn known_file(row: &Row<'_>) -> Result<KnownFile> {
    let status = Status::from_words(row.get_ref(3)?.as_str()?, row.get(4)?);
    Ok(KnownFile {
        id: row.get(0)?,
        row: FileRow {
            path: row.get(1)?,
            language: row.get(2)?,
            status,
            size: row.get::<_, i64>(5)?.unsigned_abs(),
            content_hash: row.get(6)?,
            stamp: Stamp { modified_ns: row.get(7)?, changed_ns: row.get(8)?, inode: row.get(9)? },
            indexed_ms: row.get(10)?,
        },
        is_test: row.get(11)?,
    })
}

pub(crate) fn census(connection: &Connection) -> Result<Vec<Census>> {
    let mut statement = connection.prepare_cached(
        "SELECT language, status, reason, count(*), sum(size), sum(symbol_count),
             sum(reference_count)
         FROM file WHERE retired IS NULL GROUP BY language, status, reason",
    )?;
    let number = |row: &Row<'_>, at| row.get::<_, i64>(at).map(i64::unsigned_abs);
    statement
        .query_map([], |row| {
            Ok(Census {
                language: row.get(0)?,
                status: Status::from_words(row.get_ref(1)?.as_str()?, row.get(2)?),
                files: number(row, 3)?,
                bytes: number(row, 4)?,
                symbols: number(row, 5)?,
                references: number(row, 6)?,
            })
        })?
        .collect()
}
