//! Files of the project, and which of them use which others.

use model::SymbolFlags;
use rusqlite::{OptionalExtension, Result};
use rustc_hash::FxHashMap;

use crate::Reader;

/// What most questions need of a file.
#[derive(Debug, Clone)]
pub struct FileHead {
    pub id: i64,
    pub path: String,
    pub language: String,
    pub line_count: u32,
    pub is_test: bool,
    pub is_generated: bool,
    pub is_barrel: bool,
}

/// One file that uses names of another.
#[derive(Debug, Clone, Copy)]
pub struct FileUse {
    pub user: i64,
    pub used: i64,
    pub names: u32,
}

impl FileHead {
    /// From columns in this order, beginning at one.
    pub(crate) fn read(row: &rusqlite::Row<'_>, first: usize) -> Result<Self> {
        Ok(Self {
            id: row.get(first)?,
            path: row.get(first + 1)?,
            language: row.get(first + 2)?,
            line_count: row.get(first + 3)?,
            is_test: row.get(first + 4)?,
            is_generated: row.get(first + 5)?,
            is_barrel: row.get(first + 6)?,
        })
    }
}

impl Reader {
    /// The file of that number, if it is in the project.
    pub fn file_head(&self, file: i64) -> Result<Option<FileHead>> {
        self.connection()
            .prepare_cached(
                "SELECT id, path, language, line_count, is_test, is_generated, is_barrel
                 FROM file WHERE id = ?1 AND retired IS NULL",
            )?
            .query_row([file], |row| FileHead::read(row, 0))
            .optional()
    }

    /// How many files there are in the project.
    pub fn file_count(&self) -> Result<u32> {
        self.connection()
            .prepare_cached("SELECT count(*) FROM file INDEXED BY file_path WHERE retired IS NULL")?
            .query_row([], |row| row.get(0))
    }

    /// The files of the project that were not skipped, in the order of their paths.
    pub fn file_heads(&self) -> Result<Vec<FileHead>> {
        self.connection()
            .prepare_cached(
                "SELECT id, path, language, line_count, is_test, is_generated, is_barrel
                 FROM file WHERE retired IS NULL AND status <> 'skipped' ORDER BY path",
            )?
            .query_map([], |row| FileHead::read(row, 0))?
            .collect()
    }

    /// Those of them that are at a place: the file, or all below the directory.
    pub fn file_heads_within(&self, place: &str) -> Result<Vec<FileHead>> {
        self.connection()
            .prepare_cached(
                "SELECT id, path, language, line_count, is_test, is_generated, is_barrel FROM file
                 WHERE retired IS NULL AND status <> 'skipped'
                   AND (path = ?1 OR path > ?1 || '/' AND path < ?1 || '0') ORDER BY path",
            )?
            .query_map([place], |row| FileHead::read(row, 0))?
            .collect()
    }

    /// Which files import which others, each pair once.
    pub fn file_imports(&self) -> Result<Vec<(i64, i64)>> {
        self.connection()
            .prepare_cached(
                "SELECT DISTINCT i.file_id, t.id FROM import AS i
                 JOIN file AS f ON f.id = i.file_id AND f.retired IS NULL
                 JOIN name AS n ON n.id = i.target_id
                 JOIN file AS t ON t.path = n.text AND t.retired IS NULL
                 WHERE t.id <> i.file_id",
            )?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    /// The files that import a file.
    pub fn importers(&self, file: i64) -> Result<Vec<i64>> {
        self.connection()
            .prepare_cached(
                "SELECT DISTINCT i.file_id FROM file AS t
                 JOIN name AS n ON n.text = t.path
                 JOIN import AS i ON i.target_id = n.id
                 JOIN file AS f ON f.id = i.file_id AND f.retired IS NULL
                 WHERE t.id = ?1 AND f.id <> t.id",
            )?
            .query_map([file], |row| row.get(0))?
            .collect()
    }

    /// Which files use how many names of which others, by links.
    pub fn file_uses(&self) -> Result<Vec<FileUse>> {
        let connection = self.connection();
        let files: FxHashMap<u32, i64> = connection
            .prepare_cached(
                "SELECT n.id, f.id FROM file AS f JOIN name AS n ON n.text = f.path
                 WHERE f.retired IS NULL",
            )?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_>>()?;
        let mut pairs: FxHashMap<(i64, i64), u32> = FxHashMap::default();
        let mut statement = connection.prepare_cached("SELECT source_id, path_id FROM usage")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (user, used): (u32, u32) = (row.get(0)?, row.get(1)?);
            if let (Some(user), Some(used)) = (files.get(&user), files.get(&used))
                && user != used
            {
                *pairs.entry((*user, *used)).or_insert(0) += 1;
            }
        }
        let mut uses: Vec<FileUse> =
            pairs.into_iter().map(|((user, used), names)| FileUse { user, used, names }).collect();
        uses.sort_unstable_by_key(|it| (it.user, it.used));
        Ok(uses)
    }

    /// Files that use a symbol of that name in the file of this one.
    pub fn users_of(&self, symbol: i64) -> Result<Vec<i64>> {
        crate::packed::users(self.connection(), symbol)
    }

    /// Files with a symbol that has a flag.
    pub fn files_with_flag(&self, flag: SymbolFlags) -> Result<Vec<i64>> {
        self.connection()
            .prepare_cached(
                "SELECT DISTINCT s.id >> 24 FROM symbol AS s
                 JOIN file AS f ON f.id = s.id >> 24 AND f.retired IS NULL WHERE s.flags & ?1 <> 0",
            )?
            .query_map([flag.0], |row| row.get(0))?
            .collect()
    }

    /// Files that load others by names that are made while they run, or may be.
    pub fn files_with_dynamic_imports(&self) -> Result<Vec<i64>> {
        self.connection()
            .prepare_cached(
                "SELECT DISTINCT i.file_id FROM import AS i
                 JOIN file AS f ON f.id = i.file_id AND f.retired IS NULL
                 WHERE i.flags & ?1 <> 0 AND i.target_id IS NULL",
            )?
            .query_map([model::ImportFlags::DYNAMIC.0], |row| row.get(0))?
            .collect()
    }

    /// The text of a manifest.
    pub fn manifest_text(&self, file: i64) -> Result<Option<String>> {
        self.connection()
            .prepare_cached("SELECT text FROM manifest WHERE file_id = ?1")?
            .query_row([file], |row| row.get(0))
            .optional()
    }

    /// The number of the file at a path.
    pub fn file_id(&self, path: &str) -> Result<Option<i64>> {
        self.connection()
            .prepare_cached("SELECT id FROM file WHERE path = ?1 AND retired IS NULL")?
            .query_row([path], |row| row.get(0))
            .optional()
    }

    /// How many files were skipped, by reason.
    pub fn skipped_files(&self) -> Result<Vec<(String, usize)>> {
        self.connection()
            .prepare_cached(
                "SELECT coalesce(reason, 'skipped'), count(*) FROM file
                 WHERE retired IS NULL AND status = 'skipped' GROUP BY 1 ORDER BY 2 DESC, 1",
            )?
            .query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as usize)))?
            .collect()
    }
}
