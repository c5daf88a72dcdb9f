//! How people name a symbol, and which symbols they mean.

use std::str::FromStr;

use serde::Deserialize;
use store::Reader;
use store::rusqlite::{self, OptionalExtension, ToSql};

/// A symbol as asked for: a key (`path#name`), an id, `path:line`, a qualified or a bare name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub struct SymbolQuery(pub String);

impl From<String> for SymbolQuery {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl FromStr for SymbolQuery {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl SymbolQuery {
    /// Ids of the symbols that are meant, best first.
    pub fn find(&self, reader: &Reader) -> rusqlite::Result<Vec<i64>> {
        let text = self.0.trim();
        if let Ok(id) = text.parse::<i64>() {
            return ids(reader, "SELECT id FROM symbols WHERE id = ?1", &[&id]);
        }
        if let Some((path, name)) = text.split_once('#') {
            let (name, ordinal) = match name.rsplit_once('~') {
                Some((name, ordinal)) => (name, ordinal.parse::<i64>().ok()),
                None => (name, None),
            };
            return ids(
                reader,
                "SELECT id FROM symbols
                 WHERE file_path = ?1 AND qualified_name = ?2 AND (?3 IS NULL OR ordinal = ?3)
                 ORDER BY ordinal",
                &[&normal_path(path), &name, &ordinal],
            );
        }
        if let Some((path, line)) = text.rsplit_once(':')
            && let Ok(line) = line.parse::<i64>()
        {
            // The innermost symbol around the line.
            return ids(
                reader,
                "SELECT id FROM symbols
                 WHERE file_path = ?1 AND ?2 BETWEEN line_start AND line_end
                 ORDER BY line_end - line_start, start_byte DESC LIMIT 1",
                &[&normal_path(path), &line],
            );
        }
        let by_name = ids(
            reader,
            "SELECT id FROM symbols WHERE name = ?1
             ORDER BY in_test_file, file_path, start_byte",
            &[&text],
        )?;
        if !by_name.is_empty() && parts(text).count() == 1 {
            return Ok(by_name);
        }
        let (mut found, placed) = self.find_qualified(reader, text)?;
        // A test may be called by the whole name of what it tests, which is meant before it.
        found.extend(by_name.into_iter().filter(|id| !found.contains(id)).collect::<Vec<_>>());
        Ok(if found.is_empty() { placed } else { found })
    }

    /// The file that was named, with or without a line, if it is one of the project.
    pub fn file(&self, reader: &Reader) -> rusqlite::Result<Option<String>> {
        let text = self.0.trim();
        let mut statement =
            reader.connection().prepare_cached("SELECT path FROM files WHERE path = ?1")?;
        for path in [Some(text), text.rsplit_once(':').map(|(path, _)| path)].into_iter().flatten()
        {
            if let Some(path) =
                statement.query_row([normal_path(path)], |row| row.get(0)).optional()?
            {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// What stands before the last name, if that is a symbol.
    pub fn owner(&self, reader: &Reader) -> rusqlite::Result<Option<String>> {
        let Some(owner) = owners_of(&parts(&self.0).collect::<Vec<_>>()).last().copied() else {
            return Ok(None);
        };
        let is_known = !Self(owner.to_owned()).find(reader)?.is_empty();
        Ok(is_known.then(|| owner.to_owned()))
    }

    /// Names nearest to what was asked, for an error that helps. Of a type that exists, its members come first.
    pub fn nearest(&self, reader: &Reader) -> rusqlite::Result<Vec<String>> {
        let asked = self.0.split('#').next_back().unwrap_or(&self.0);
        let wanted = last_part(asked).to_lowercase();
        if wanted.is_empty() || wanted.len() > LONGEST_NAME {
            return Ok(Vec::new());
        }
        let limit = ((wanted.chars().count() + 1) / 3).max(1);
        let mut found = near_members(reader, asked, &wanted, limit)?;
        let mut near: Vec<(usize, String, i64)> = Vec::new();
        let mut statement = reader
            .connection()
            .prepare_cached("SELECT text, id FROM name WHERE length(text) BETWEEN ?1 AND ?2")?;
        let length = wanted.chars().count();
        let lengths = [length.saturating_sub(limit) as i64, (length + limit) as i64];
        let mut rows = statement.query(lengths)?;
        while let Some(row) = rows.next()? {
            let name = row.get_ref(0)?.as_str()?;
            if let Some(distance) = distance_within(&wanted, &name.to_lowercase(), limit) {
                near.push((distance, name.to_owned(), row.get(1)?));
            }
        }
        near.sort_unstable();
        // Not every name is one of a symbol; that is only asked of the nearest.
        let mut is_symbol = reader.connection().prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM symbol AS s JOIN file AS f ON f.id = s.id >> 24
                            WHERE s.name_id = ?1 AND f.retired IS NULL)",
        )?;
        for (_, name, id) in near {
            if found.len() >= SUGGESTED {
                break;
            }
            let is_told = found.iter().any(|known| last_part(known) == name);
            if !is_told && is_symbol.query_row([id], |row| row.get(0))? {
                found.push(name);
            }
        }
        Ok(found)
    }

    /// `Store.get`, `Store::get` and `Store#get` mean the same in every language. Where nothing is called so,
    /// what stands first may be the place of the file: `storage.Querier`, `click.core.Context`. Both are given.
    fn find_qualified(
        &self,
        reader: &Reader,
        text: &str,
    ) -> rusqlite::Result<(Vec<i64>, Vec<i64>)> {
        let mut statement = reader.connection().prepare_cached(
            "SELECT id, qualified_name, file_path FROM symbols WHERE name = ?1
             ORDER BY in_test_file, file_path, start_byte",
        )?;
        let wanted: Vec<&str> = parts(text).collect();
        let owners = owners_of(&wanted);
        let (mut found, mut placed) = (Vec::new(), Vec::new());
        let mut rows = statement.query([last_part(text)])?;
        while let Some(row) = rows.next()? {
            let qualified: Vec<&str> = parts(row.get_ref(1)?.as_str()?).collect();
            if qualified.ends_with(&wanted) {
                found.push(row.get(0)?);
            } else if belongs_to(row.get_ref(2)?.as_str()?, owners_of(&qualified), owners) {
                placed.push(row.get(0)?);
            }
        }
        Ok((found, placed))
    }
}

/// Members with names near to the one that was asked for, of the types that stand before it.
fn near_members(
    reader: &Reader,
    asked: &str,
    wanted: &str,
    limit: usize,
) -> rusqlite::Result<Vec<String>> {
    let said: Vec<&str> = parts(asked).collect();
    let Some(owner) = owners_of(&said).last() else { return Ok(Vec::new()) };
    let mut statement = reader.connection().prepare_cached(
        "SELECT DISTINCT n.text
         FROM name AS k
         JOIN symbol AS o ON o.name_id = k.id
         JOIN file AS f ON f.id = o.id >> 24 AND f.retired IS NULL
         JOIN symbol AS m ON m.id BETWEEN o.id & ~16777215 AND o.id | 16777215
                         AND m.owner = o.id & 16777215
         JOIN name AS n ON n.id = m.name_id
         WHERE k.text = ?1",
    )?;
    let mut rows = statement.query([owner])?;
    let mut near = Vec::new();
    while let Some(row) = rows.next()? {
        let name = row.get_ref(0)?.as_str()?;
        if let Some(distance) = distance_within(wanted, &name.to_lowercase(), limit) {
            near.push((distance, format!("{owner}.{name}")));
        }
    }
    near.sort_unstable();
    Ok(near.into_iter().take(SUGGESTED).map(|(_, name)| name).collect())
}

/// How many names an error suggests.
const SUGGESTED: usize = 3;

/// A qualified name without the name itself.
pub(crate) fn owners_of<'p, 't>(qualified: &'p [&'t str]) -> &'p [&'t str] {
    &qualified[..qualified.len().saturating_sub(1)]
}

/// Whether what somebody says before a name is where a symbol stands: its owners, or all of them and before
/// those the end of its file's path.
pub(crate) fn belongs_to(path: &str, owners: &[&str], said: &[&str]) -> bool {
    if owners.ends_with(said) {
        return true;
    }
    let Some(said) = said.strip_suffix(owners) else { return false };
    // Directories that only say that there are sources in them are named by nobody.
    let is_named = |part: &&str| !matches!(*part, "src" | "lib" | "source" | "sources");
    let (directory, file) = path.rsplit_once('/').unwrap_or(("", path));
    let mut places: Vec<&str> = directory.split('/').filter(is_named).collect();
    // Some languages call a module by its directory, some by its file.
    places.ends_with(said) || {
        places.extend(file.split('.').next());
        places.ends_with(said)
    }
}

/// Nobody mistypes a name that is longer.
const LONGEST_NAME: usize = 200;

fn ids(reader: &Reader, sql: &str, parameters: &[&dyn ToSql]) -> rusqlite::Result<Vec<i64>> {
    reader.connection().prepare_cached(sql)?.query_map(parameters, |row| row.get(0))?.collect()
}

fn normal_path(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', ':', '\\', '#', '/']).filter(|part| !part.is_empty())
}

pub(crate) fn last_part(text: &str) -> &str {
    parts(text).last().unwrap_or(text)
}

/// Number of single-character edits between two words, if it is at most `limit`.
pub(crate) fn distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
        if row.iter().min().is_some_and(|least| *least > limit) {
            return None;
        }
    }
    (row[b.len()] <= limit).then_some(row[b.len()])
}

#[cfg(test)]
mod tests {
    use super::{belongs_to, distance_within};

    #[test]
    fn a_symbol_is_called_by_its_owners_and_by_its_place() {
        assert!(belongs_to("storage/interface.go", &["Querier"], &["Querier"]));
        assert!(belongs_to("storage/interface.go", &[], &["storage"]));
        assert!(belongs_to("storage/interface.go", &["Querier"], &["storage", "Querier"]));
        assert!(belongs_to("src/click/core.py", &["Context"], &["click", "core", "Context"]));
        assert!(belongs_to("crates/store/src/graph.rs", &[], &["store", "graph"]));
        assert!(belongs_to("crates/store/src/graph.rs", &[], &["store"]));
        assert!(!belongs_to("crates/store/src/graph.rs", &[], &["stor"]));
        assert!(!belongs_to("storage/interface.go", &["Querier"], &["storage"]));
        assert!(!belongs_to("tsdb/querier.go", &["Querier"], &["storage", "Querier"]));
    }

    #[test]
    fn near_words_are_near() {
        assert_eq!(distance_within("handler", "handlers", 2), Some(1));
        assert_eq!(distance_within("flaw", "lawn", 2), Some(2));
        assert_eq!(distance_within("abc", "xyz", 2), None);
    }
}
