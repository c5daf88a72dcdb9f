//! Terms: names by their text, the files they stand in, the lines in a file.

use model::LineType;
use model::pack::Detail;
use rusqlite::{OptionalExtension, Result};

use crate::Reader;
use crate::names::unpack_files;
use crate::packed::{corrupt, numbers};

/// No name is longer.
const LONGEST_NAME: usize = 1024;

/// A line a term stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermLine {
    /// Number of the term in `name`.
    pub name: u32,
    pub line: u32,
    /// Comment or string if that is where the term stands; else what the line defines, or code.
    pub line_type: LineType,
}

impl Reader {
    /// Names with a text, or with a text that begins so; with `folded`, in any case. The index on texts
    /// knows cases apart: both are tried letter by letter, as far as names begin like that.
    pub fn names_like(&self, text: &str, whole: bool, folded: bool) -> Result<Vec<(u32, String)>> {
        if text.is_empty() || text.len() > LONGEST_NAME {
            return Ok(Vec::new());
        }
        let mut beginnings = vec![String::new()];
        let mut next = self
            .connection()
            .prepare_cached("SELECT text FROM name WHERE text >= ?1 ORDER BY text LIMIT 1")?;
        for letter in text.chars() {
            let mut longer = Vec::new();
            for beginning in &beginnings {
                for case in cases(letter, folded) {
                    let candidate = format!("{beginning}{case}");
                    let found: Option<String> =
                        next.query_row([&candidate], |row| row.get(0)).optional()?;
                    if found.is_some_and(|found| found.starts_with(&candidate)) {
                        longer.push(candidate);
                    }
                }
            }
            beginnings = longer;
        }
        let sql = match whole {
            true => "SELECT id, text FROM name WHERE text = ?1",
            false => "SELECT id, text FROM name WHERE text >= ?1 ORDER BY text",
        };
        let mut statement = self.connection().prepare_cached(sql)?;
        let mut names = Vec::new();
        for beginning in beginnings {
            let mut rows = statement.query([&beginning])?;
            while let Some(row) = rows.next()? {
                let text: String = row.get(1)?;
                if !text.starts_with(&beginning) {
                    break;
                }
                names.push((row.get(0)?, text));
            }
        }
        Ok(names)
    }

    /// Every name whose text is wanted, in the order of texts.
    pub fn names_where(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<(u32, String)>> {
        let mut statement =
            self.connection().prepare_cached("SELECT id, text FROM name ORDER BY text")?;
        let mut rows = statement.query([])?;
        let mut names = Vec::new();
        while let Some(row) = rows.next()? {
            let text = row.get_ref(1)?.as_str()?;
            if is_wanted(text) {
                names.push((row.get(0)?, text.to_owned()));
            }
        }
        Ok(names)
    }

    /// Files in which a name is a term, also some that are not in the project any more.
    pub fn files_of_term(&self, name: u32) -> Result<Vec<i64>> {
        let packed: Option<Option<Vec<u8>>> = self
            .connection()
            .prepare_cached("SELECT files FROM name WHERE id = ?1")?
            .query_row([name], |row| row.get(0))
            .optional()?;
        let mut files = unpack_files(&packed.flatten().unwrap_or_default());
        let mut newer =
            self.connection().prepare_cached("SELECT file_id FROM posting WHERE name_id = ?1")?;
        for file in newer.query_map([name], |row| row.get(0))? {
            files.push(file?);
        }
        Ok(files)
    }

    /// The lines of a file that some terms stand on, in the order of lines. Names are sorted.
    pub fn lines_of_terms(&self, file: i64, names: &[u32]) -> Result<Vec<TermLine>> {
        let mut statement = self
            .connection()
            .prepare_cached("SELECT names, detail FROM facts WHERE file_id = ?1")?;
        let mut rows = statement.query([file])?;
        let Some(row) = rows.next()? else { return Ok(Vec::new()) };
        let (texts, detail) = (row.get_ref(0)?.as_blob()?, row.get_ref(1)?.as_blob()?);
        let unpack = || {
            let numbers = numbers(texts)?;
            let detail = Detail::new(detail)?;
            let mut found = Vec::new();
            let mut add = |name: u32, lines: Vec<(u32, LineType)>| {
                found.extend(lines.into_iter().map(|(line, line_type)| TermLine {
                    name,
                    line,
                    line_type,
                }));
            };
            if let [name] = names {
                if let Some(at) = numbers.iter().position(|number| number == name) {
                    add(*name, detail.lines_of(model::NameId(at as u32))?);
                }
            } else {
                detail.each_term(|at, lines| {
                    if let Some(name) = numbers.get(at.0 as usize)
                        && names.binary_search(name).is_ok()
                    {
                        add(*name, lines);
                    }
                })?;
            }
            found.sort_by_key(|line| (line.line, line.name));
            let types = detail.line_types()?;
            for line in &mut found {
                let last = types.partition_point(|(start, _)| *start <= line.line);
                let of_line = last.checked_sub(1).map(|at| types[at].1);
                if line.line_type == LineType::Code
                    && let Some(
                        defines @ (LineType::Struct | LineType::Method | LineType::Property),
                    ) = of_line
                {
                    line.line_type = defines;
                }
            }
            Ok(found)
        };
        unpack().map_err(corrupt)
    }
}

/// A letter in the cases it has.
fn cases(letter: char, folded: bool) -> Vec<char> {
    let mut cases = vec![letter];
    if folded {
        for other in letter.to_lowercase().chain(letter.to_uppercase()) {
            // Letters that become several have no other case here.
            if !cases.contains(&other)
                && (letter.to_lowercase().count() == 1 && letter.to_uppercase().count() == 1)
            {
                cases.push(other);
            }
        }
    }
    cases
}
