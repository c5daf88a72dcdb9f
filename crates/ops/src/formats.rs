//! Rows in forms that other programs read. One module per form; each escapes what it writes for those
//! who read it, because names, paths and messages come from repositories.

mod annotations;
mod codeclimate;
mod csv;
mod diff;
pub(crate) mod dot;
pub(crate) mod graph;
pub(crate) mod mermaid;
mod sarif;

use ::index::Project;
use serde::Deserialize;
use serde_json::Value;
use store::sandbox::Rows;

use crate::query::places::{Columns, Place, position};
use crate::query::{cell, objects};
use crate::recipes::{Level, Recipe};
use crate::{Result, text};

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Aligned columns
    Text,
    /// An array of objects
    Json,
    /// An object on each line
    Jsonl,
    /// Comma-separated values
    Csv,
    /// Findings for code scanning
    Sarif,
    /// Commands that annotate a change on GitHub
    Annotations,
    /// A flowchart, from the columns `from` and `to`
    Mermaid,
    /// A graph for Graphviz, from the same columns
    Dot,
    /// A unified diff, from `file_path`, `line_start`, `before_pattern` and `after_pattern`
    Diff,
    /// The same as JSON
    DiffJson,
    /// Findings as Code Climate and GitLab read them
    Codeclimate,
}

impl Form {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Sarif => "sarif",
            Self::Annotations => "annotations",
            Self::Mermaid => "mermaid",
            Self::Dot => "dot",
            Self::Diff => "diff",
            Self::DiffJson => "diff-json",
            Self::Codeclimate => "codeclimate",
        }
    }

    /// How it is called where texts have types.
    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Json | Self::DiffJson | Self::Codeclimate => crate::JSON,
            Self::Jsonl => "application/jsonl",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Sarif => "application/sarif+json",
            Self::Text | Self::Annotations | Self::Mermaid | Self::Dot | Self::Diff => {
                "text/plain; charset=utf-8"
            }
        }
    }

    /// Whether it reports findings, so that a check may fail on them.
    pub(crate) const fn is_report(self) -> bool {
        matches!(self, Self::Sarif | Self::Annotations | Self::Codeclimate)
    }
}

/// What is written.
pub(crate) struct Findings<'f> {
    pub(crate) project: &'f Project,
    /// None for a query of its own.
    pub(crate) recipe: Option<&'f Recipe>,
    pub(crate) rows: &'f Rows,
}

pub(crate) struct Formatted {
    pub(crate) text: String,
    /// For people, beside the text.
    pub(crate) notes: Vec<String>,
}

pub(crate) fn write(form: Form, findings: &Findings<'_>) -> Result<Formatted> {
    let plain = |text| Ok(Formatted { text, notes: Vec::new() });
    match form {
        Form::Text | Form::Json => plain(String::new()),
        Form::Jsonl => {
            let rows = objects(&findings.rows.columns, &findings.rows.rows, &[]);
            plain(rows.iter().map(|row| format!("{row}\n")).collect())
        }
        Form::Csv => plain(csv::write(findings.rows)),
        Form::Sarif => Ok(sarif::write(findings)),
        Form::Annotations => Ok(annotations::write(findings)),
        Form::Codeclimate => Ok(codeclimate::write(findings)),
        Form::Mermaid => plain(mermaid::write(findings)?),
        Form::Dot => plain(dot::write(findings)?),
        Form::Diff => diff::write(findings),
        Form::DiffJson => diff::write_json(findings),
    }
}

/// A row that says where it is and what is there.
struct Finding<'f> {
    place: Place<'f>,
    message: String,
}

impl Findings<'_> {
    /// Name of the rule that the rows break.
    fn rule(&self) -> String {
        format!("groma.{}", self.recipe.map_or("adhoc", |recipe| recipe.id.as_str()))
    }

    /// How grave they are.
    fn level(&self) -> Level {
        self.recipe.map_or(Level::Note, |recipe| recipe.level)
    }

    /// The rows that have a place, and what to say about the others.
    fn located(&self) -> (Vec<Finding<'_>>, Vec<String>) {
        let columns = Columns::of(&self.rows.columns);
        if columns.path.is_none() && !self.rows.rows.is_empty() {
            let note =
                "no column says where the rows are: `file_path`, `path`, `to_path` or `from_path`";
            return (Vec::new(), vec![format!("{note}; nothing is reported")]);
        }
        let rows = self.rows.rows.iter();
        let found: Vec<Finding<'_>> = rows
            .filter_map(|row| {
                Some(Finding { place: columns.place(row)?, message: self.message(row) })
            })
            .collect();
        let missing = self.rows.rows.len() - found.len();
        let note = (missing > 0).then(|| format!("{missing} rows have no place and are left out"));
        (found, note.into_iter().collect())
    }

    /// What a row says: its own words, or those of the recipe and the values of its columns.
    fn message(&self, row: &[Value]) -> String {
        let own = position(&self.rows.columns, "message").and_then(|at| row.get(at)?.as_str());
        if let Some(own) = own.filter(|own| !own.is_empty()) {
            return own.to_owned();
        }
        const PLACES: &[&str] =
            &["file_path", "path", "line_start", "line_end", "line", "line_number"];
        let pairs: Vec<String> = self
            .rows
            .columns
            .iter()
            .zip(row)
            .filter(|(column, value)| !PLACES.contains(&column.as_str()) && !value.is_null())
            .map(|(column, value)| format!("{column}: {}", text::one_line(&cell(value), 120)))
            .collect();
        match (self.recipe, pairs.is_empty()) {
            (Some(recipe), true) => recipe.summary.clone(),
            (Some(recipe), false) => {
                format!("{} ({})", recipe.summary.trim_end_matches('.'), pairs.join(", "))
            }
            (None, true) => "found".to_owned(),
            (None, false) => pairs.join(", "),
        }
    }
}

/// A path as a part of a URI: everything but plain letters, digits and a few signs is encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
