//! What a file offers, without bodies.

use serde::{Deserialize, Serialize};
use store::rusqlite::OptionalExtension;

use crate::text::{self, Page, styled};
use crate::workspace::{current_directory, unusable};
use crate::{Error, Kind, Operation, Result, Workspace};

/// Show the signatures of a file: header comment, types, functions, no bodies
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// File, from the root of the project or from the current directory
    pub file: String,
}

#[derive(Debug, Serialize)]
pub struct Output {
    pub file: String,
    pub language: String,
    pub status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub line_count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header_comments: Option<String>,
    pub symbols: Vec<Entry>,
}

#[derive(Debug, Serialize)]
pub struct Entry {
    pub id: i64,
    pub name: String,
    pub kind: String,
    pub line: u32,
    pub line_end: u32,
    pub signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<String>,
    pub is_static: bool,
    pub is_async: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Entry>,
}

#[derive(Debug)]
pub struct Outline;

impl Operation for Outline {
    const NAME: &'static str = "outline";
    const EXAMPLES: &'static str = "\
  groma outline src/main.rs
  groma outline src/main.rs --json";
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (project, reader) = workspace.reader()?;
        let path = project.path_of(&current_directory()?, input.file.as_ref());
        type Head = (i64, String, String, String, Option<String>, u32, Option<String>);
        let head: Option<Head> = reader
            .connection()
            .query_row(
                "SELECT id, path, language, status, reason, line_count, header_comments FROM files
                 WHERE path IN (?1, ?2)",
                [path.as_deref().unwrap_or(&input.file), input.file.trim_start_matches("./")],
                |row| {
                    Ok((
                        row.get(0)?,
                        row.get(1)?,
                        row.get(2)?,
                        row.get(3)?,
                        row.get(4)?,
                        row.get(5)?,
                        row.get(6)?,
                    ))
                },
            )
            .optional()
            .map_err(unusable)?;
        let Some((id, file, language, status, reason, line_count, header_comments)) = head else {
            return Err(Error::new(
                Kind::NotFound,
                format!("`{}` is not in the index", input.file),
            )
            .hint("Run `groma index` if the file is new; `groma status` lists what was skipped."));
        };
        let symbols = symbols(&reader, id).map_err(unusable)?;
        Ok(Output { file, language, status, reason, line_count, header_comments, symbols })
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        vec![output.file.clone()]
    }

    fn render(output: &Output, page: &mut Page) {
        let what = format!("{} · {} lines", output.language, output.line_count);
        page.line(format!(
            "{}  {}",
            styled(text::PATH, &text::visible(&output.file)),
            styled(text::DIM, &what)
        ));
        if let Some(reason) = &output.reason {
            page.line(styled(text::WARNING, &format!("{}: {reason}", output.status)));
        }
        if let Some(header) = &output.header_comments {
            for line in header.lines().take(12) {
                page.line(styled(text::DIM, &format!("  {}", text::one_line(line, 160))));
            }
        }
        render_entries(&output.symbols, 0, page);
    }
}

fn symbols(reader: &store::Reader, file: i64) -> store::rusqlite::Result<Vec<Entry>> {
    let mut statement = reader.connection().prepare_cached(
        "SELECT id, parent_id, name, kind, line, line_end, signature, doc_comment, visibility,
                is_static, is_async
         FROM symbols WHERE id BETWEEN ?1 << 24 AND ?1 << 24 | 16777215 ORDER BY id DESC",
    )?;
    let mut rows = statement.query([file])?;
    // Children come before their owners here, so each owner finds its children ready.
    let mut waiting: std::collections::HashMap<i64, Vec<Entry>> = std::collections::HashMap::new();
    let mut top = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let owner: Option<i64> = row.get(1)?;
        let mut children = waiting.remove(&id).unwrap_or_default();
        children.reverse();
        let entry = Entry {
            id,
            name: row.get(2)?,
            kind: row.get(3)?,
            line: row.get(4)?,
            line_end: row.get(5)?,
            signature: row.get(6)?,
            docs: row.get(7)?,
            visibility: row.get(8)?,
            is_static: row.get(9)?,
            is_async: row.get(10)?,
            children,
        };
        match owner {
            // An owner that stands behind its member, as Go allows, was seen already.
            Some(owner) if owner < id => waiting.entry(owner).or_default().push(entry),
            _ => top.push(entry),
        }
    }
    top.reverse();
    Ok(top)
}

fn render_entries(entries: &[Entry], depth: usize, page: &mut Page) {
    for entry in entries {
        let indent = "  ".repeat(depth);
        page.line(format!(
            "{} {indent}{} {}",
            styled(text::DIM, &format!("{:>6}", entry.line)),
            styled(text::KIND, &entry.kind),
            text::one_line(&entry.signature, 160)
        ));
        render_entries(&entry.children, depth + 1, page);
    }
}
