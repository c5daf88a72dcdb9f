//! Changes that rows propose, as a unified diff or as JSON. Nothing is written: sources are read now, and
//! a row whose text is no longer where it was is told.

use std::collections::BTreeMap;
use std::fmt::Write;

use ::index::read::{Content, read_source};
use serde_json::{Value, json};

use super::{Findings, Formatted};
use crate::query::places::position;
use crate::{Error, Kind, Result};

const COLUMNS: [&str; 4] = ["file_path", "line_start", "before_pattern", "after_pattern"];
/// Lines around a change.
const CONTEXT: usize = 3;

/// One line that becomes another.
struct Change {
    /// From 0.
    line: usize,
    before: String,
    after: String,
}

#[derive(Default)]
struct File {
    path: String,
    missing: bool,
    /// Rows whose text is not there any more.
    stale: usize,
    lines: Vec<String>,
    changes: Vec<Change>,
}

pub(super) fn write(findings: &Findings<'_>) -> Result<Formatted> {
    let files = files(findings)?;
    let mut text = String::new();
    for file in &files {
        file.unified(&mut text);
    }
    Ok(Formatted { text, notes: warnings(&files) })
}

pub(super) fn write_json(findings: &Findings<'_>) -> Result<Formatted> {
    let files = files(findings)?;
    let change = |change: &Change| json!({ "line_start": change.line + 1, "before": change.before, "after": change.after });
    let listed: Vec<Value> = files
        .iter()
        .map(|file| {
            json!({
                "file_path": file.path,
                "stale": file.stale > 0,
                "missing": file.missing,
                "hunks": file.changes.iter().map(change).collect::<Vec<Value>>(),
            })
        })
        .collect();
    let hunks: usize = files.iter().map(|file| file.changes.len()).sum();
    let value = json!({
        "files": listed,
        "warnings": warnings(&files),
        "summary": {
            "files": files.iter().filter(|file| !file.changes.is_empty()).count(),
            "hunks": hunks,
            "stale": files.iter().filter(|file| file.stale > 0).count(),
            "missing": files.iter().filter(|file| file.missing).count(),
        },
    });
    Ok(Formatted { text: format!("{value:#}\n"), notes: Vec::new() })
}

fn warnings(files: &[File]) -> Vec<String> {
    let mut warnings = Vec::new();
    for file in files {
        if file.missing {
            warnings.push(format!("{}: missing", file.path));
        } else if file.stale > 0 {
            warnings.push(format!("{}: stale, {} changes do not fit", file.path, file.stale));
        }
    }
    warnings
}

fn files(findings: &Findings<'_>) -> Result<Vec<File>> {
    let columns = COLUMNS.map(|name| position(&findings.rows.columns, name));
    let [Some(path), Some(line), Some(before), Some(after)] = columns else {
        let message = format!("a diff needs the columns {}", COLUMNS.join(", "));
        return Err(Error::new(Kind::Usage, message).code("bad_shape"));
    };
    let mut wanted: BTreeMap<&str, Vec<(u64, &str, &str)>> = BTreeMap::new();
    for row in &findings.rows.rows {
        let text = |at: usize| row.get(at).and_then(Value::as_str);
        let number = row.get(line).and_then(Value::as_u64);
        if let (Some(path), Some(line), Some(before), Some(after)) =
            (text(path), number, text(before), text(after))
        {
            wanted.entry(path).or_default().push((line, before, after));
        }
    }
    Ok(wanted.into_iter().map(|(path, rows)| file(findings, path, &rows)).collect())
}

fn file(findings: &Findings<'_>, path: &str, rows: &[(u64, &str, &str)]) -> File {
    const LARGEST: u64 = 16 << 20;
    let mut file = File { path: path.to_owned(), ..File::default() };
    let is_inside = !path.starts_with('/') && !path.split('/').any(|part| part == "..");
    let content = is_inside.then(|| read_source(&findings.project.root.join(path), LARGEST).0);
    let Some(Content::Text { text, .. }) = content else {
        file.missing = true;
        return file;
    };
    // Line ends of two characters stay as they are.
    file.lines = text.split('\n').map(str::to_owned).collect();
    if file.lines.last().is_some_and(String::is_empty) {
        file.lines.pop();
    }
    // Several changes of one line follow each other from left to right.
    let mut by_line: BTreeMap<u64, Vec<(&str, &str)>> = BTreeMap::new();
    for (line, before, after) in rows {
        by_line.entry(*line).or_default().push((before, after));
    }
    for (number, changes) in by_line {
        let line = usize::try_from(number).unwrap_or(0).checked_sub(1);
        let Some((line, text)) = line.and_then(|at| Some((at, file.lines.get(at)?.clone()))) else {
            file.stale += changes.len();
            continue;
        };
        let (mut rest, mut new) = (text.as_str(), String::new());
        for (before, after) in changes {
            match find_word(rest, before) {
                Some(at) => {
                    new.push_str(&rest[..at]);
                    new.push_str(after);
                    rest = &rest[at + before.len()..];
                }
                None => file.stale += 1,
            }
        }
        new.push_str(rest);
        if new != text {
            file.changes.push(Change { line, before: text, after: new });
        }
    }
    file
}

/// Where a text stands by itself: no part of a longer word.
fn find_word(line: &str, wanted: &str) -> Option<usize> {
    if wanted.is_empty() {
        return None;
    }
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (starts, ends) = (is_word(wanted.chars().next()), is_word(wanted.chars().next_back()));
    line.match_indices(wanted).map(|(at, _)| at).find(|at| {
        let before = line[..*at].chars().next_back();
        let after = line[at + wanted.len()..].chars().next();
        !(starts && is_word(before) || ends && is_word(after))
    })
}

impl File {
    fn unified(&self, out: &mut String) {
        if self.changes.is_empty() {
            return;
        }
        let mut put = |text: std::fmt::Arguments<'_>| {
            writeln!(out, "{text}").expect("a string takes everything");
        };
        put(format_args!("--- {}", named("a", &self.path)));
        put(format_args!("+++ {}", named("b", &self.path)));
        let mut rest = self.changes.as_slice();
        while let Some(first) = rest.first() {
            let near = |pair: &[Change]| pair[1].line - pair[0].line <= 2 * CONTEXT;
            let count = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
            let (hunk, later) = rest.split_at(count);
            rest = later;
            let start = first.line.saturating_sub(CONTEXT);
            let last = hunk.last().map_or(first.line, |change| change.line);
            let end = (last + CONTEXT + 1).min(self.lines.len());
            let length = end - start;
            put(format_args!("@@ -{},{length} +{},{length} @@", start + 1, start + 1));
            for line in start..end {
                match hunk.iter().find(|change| change.line == line) {
                    Some(change) => {
                        put(format_args!("-{}", change.before));
                        put(format_args!("+{}", change.after));
                    }
                    None => put(format_args!(" {}", self.lines[line])),
                }
            }
        }
    }
}

/// A name as git writes it: in quotes where it would be read as something else.
fn named(side: &str, path: &str) -> String {
    let name = format!("{side}/{path}");
    if !name.contains(|c: char| c.is_control() || c == '"' || c == '\\') {
        return name;
    }
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::{find_word, named};

    #[test]
    fn words_are_found_by_themselves() {
        assert_eq!(find_word("getter = get(x)", "get"), Some(9));
        assert_eq!(find_word("forget", "get"), None);
        assert_eq!(find_word("a.b()", ".b("), Some(1));
    }

    #[test]
    fn names_that_would_break_a_line_are_quoted() {
        assert_eq!(named("a", "x y.rs"), "a/x y.rs");
        assert_eq!(named("b", "x\n\"y"), "\"b/x\\n\\\"y\"");
    }
}
