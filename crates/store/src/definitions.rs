//! Symbols by their names.

use model::{SymbolFlags, SymbolKind};
use rusqlite::{OptionalExtension, Result, params};

use crate::{FileHead, Reader};

/// What tells one definition of a name from another.
#[derive(Debug, Clone)]
pub struct Definition {
    pub id: i64,
    pub name_id: u32,
    pub name: String,
    pub qualified_name: String,
    pub kind: SymbolKind,
    pub flags: SymbolFlags,
    pub line_start: u32,
    pub line_end: u32,
    pub signature: String,
    pub head: FileHead,
}

const COLUMNS: &str =
    "SELECT s.id, s.name_id, n.text, coalesce(q.text, '') || n.text, s.kind, s.flags,
        s.start_line, s.end_line, s.signature,
        f.id, f.path, f.language, f.line_count, f.is_test, f.is_generated, f.is_barrel
    FROM symbol AS s
    JOIN file AS f ON f.id = s.id >> 24 AND f.retired IS NULL
    JOIN name AS n ON n.id = s.name_id
    LEFT JOIN name AS q ON q.id = s.qualifier_id";

impl Reader {
    /// Definitions of a name as it is written, at most so many.
    pub fn definitions_of(&self, name: &str, limit: usize) -> Result<Vec<Definition>> {
        self.connection()
            .prepare_cached(&format!(
                "{COLUMNS} WHERE s.name_id = (SELECT id FROM name WHERE text = ?1) LIMIT ?2"
            ))?
            .query_map(params![name, limit as i64], read)?
            .collect()
    }

    pub fn definition(&self, id: i64) -> Result<Definition> {
        self.connection()
            .prepare_cached(&format!("{COLUMNS} WHERE s.id = ?1"))?
            .query_row([id], read)
    }

    /// The documentation of a symbol.
    pub fn docs_of(&self, id: i64) -> Result<Option<String>> {
        self.connection()
            .prepare_cached("SELECT docs FROM symbol WHERE id = ?1")?
            .query_row([id], |row| row.get(0))
    }

    /// Names of symbols that are the same in small letters, found by the words in them; if it has a word
    /// that the index does not know, all names are compared.
    pub fn symbol_names_like(&self, name: &str) -> Result<Vec<String>> {
        let folded = name.to_lowercase();
        let mut names = Vec::new();
        if self.ids_with_words_of(name, &mut |_, text| {
            if text.to_lowercase() == folded {
                names.push(text.to_owned());
            }
        })? {
            return Ok(names);
        }
        self.each_symbol_name(|_, text| {
            if text.to_lowercase() == folded {
                names.push(text.to_owned());
            }
        })?;
        Ok(names)
    }

    /// Names of symbols that have all words of a name in them.
    pub fn symbol_names_with_words_of(&self, name: &str) -> Result<Vec<String>> {
        let mut names = Vec::new();
        self.ids_with_words_of(name, &mut |_, text| names.push(text.to_owned()))?;
        Ok(names)
    }

    /// Calls `visit` with the names of symbols that have all words of a name in them; false if there is
    /// a word that no name has.
    fn ids_with_words_of(&self, name: &str, visit: &mut dyn FnMut(u32, &str)) -> Result<bool> {
        let stems = words::Stems::default().of(name);
        let wanted: Vec<crate::Wanted> =
            stems.into_iter().map(|stem| crate::Wanted { stem, is_prefix: false }).collect();
        let lists = self.names_of_words(&wanted)?;
        if lists.iter().any(Vec::is_empty) {
            return Ok(false);
        }
        let mut common = lists.iter().min_by_key(|list| list.len()).cloned().unwrap_or_default();
        common.retain(|name| lists.iter().all(|list| list.binary_search(name).is_ok()));
        let mut statement = self.connection().prepare_cached(
            "SELECT text FROM name AS n WHERE id = ?1
             AND EXISTS (SELECT 1 FROM symbol AS s WHERE s.name_id = n.id)",
        )?;
        for id in common {
            let text: Option<String> = statement.query_row([id], |row| row.get(0)).optional()?;
            if let Some(text) = text {
                visit(id, &text);
            }
        }
        Ok(true)
    }

    /// Calls `visit` with the number and the text of every name that a symbol has.
    pub fn each_symbol_name(&self, mut visit: impl FnMut(u32, &str)) -> Result<()> {
        let mut statement = self.connection().prepare_cached(
            "SELECT id, text FROM name WHERE id IN (SELECT DISTINCT name_id FROM symbol)",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            visit(row.get(0)?, row.get_ref(1)?.as_str()?);
        }
        Ok(())
    }

    /// Where a name is passed on from another file: path and line.
    pub fn re_exports_of(&self, name: &str) -> Result<Vec<(String, u32)>> {
        self.connection()
            .prepare_cached(
                "SELECT f.path, min(i.line) FROM import AS i
                 JOIN file AS f ON f.id = i.file_id AND f.retired IS NULL
                 WHERE i.name_id = (SELECT id FROM name WHERE text = ?1) AND i.flags & 8 <> 0
                 GROUP BY f.path ORDER BY f.is_test, length(f.path), f.path",
            )?
            .query_map([name], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }
}

fn read(row: &rusqlite::Row<'_>) -> Result<Definition> {
    Ok(Definition {
        id: row.get(0)?,
        name_id: row.get(1)?,
        name: row.get(2)?,
        qualified_name: row.get(3)?,
        kind: SymbolKind::parse(row.get_ref(4)?.as_str()?).unwrap_or(SymbolKind::Var),
        flags: SymbolFlags(row.get(5)?),
        line_start: row.get(6)?,
        line_end: row.get(7)?,
        signature: row.get(8)?,
        head: FileHead::read(row, 9)?,
    })
}
