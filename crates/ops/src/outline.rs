//! What files offer, without bodies.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::Reader;
use store::rusqlite;

use crate::compact::{brief_docs, normal_signature};
use crate::paths::Place;
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Error, Kind, Operation, Request, Result, Workspace};

/// Show the signatures of files: header comment, types, functions, no bodies
///
/// One file, several, a directory or a glob. Private fields are left out unless asked for.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Files, directories or globs, from the root of the project or from the current directory
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// With private fields
    #[arg(long)]
    #[serde(default)]
    pub private: bool,
    /// Most files of a directory or glob
    #[arg(long, default_value_t = default_limit())]
    #[serde(default = "default_limit")]
    pub limit: usize,
}

const fn default_limit() -> usize {
    50
}

/// One file where one was asked for by its path, a list otherwise.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Output {
    One(FileOutline),
    Several {
        files: Vec<FileOutline>,
        total: usize,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        truncated: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        next: Option<usize>,
    },
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FileOutline {
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

#[derive(Debug, Serialize, JsonSchema)]
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
  groma outline src/store 'src/**/*_test.go'    directories and globs
  groma outline 'crates/*/src/lib.rs' --limit 5 --compact";
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (project, reader) = workspace.reader()?;
        let here = workspace.directory()?;
        let mut heads = Vec::new();
        for word in &input.files {
            let known = heads.len();
            let local = project.path_of(&here, word.as_ref());
            let path = local.as_deref().unwrap_or(word);
            heads.extend(files(&reader, &Place::named(&reader, path)?).map_err(unusable)?);
            // Said from the root, although the current directory is another one.
            if heads.len() == known && path != word {
                heads.extend(files(&reader, &Place::named(&reader, word)?).map_err(unusable)?);
            }
            if heads.len() == known {
                return Err(not_indexed(word));
            }
        }
        heads.sort_by(|a, b| a.1.file.cmp(&b.1.file));
        heads.dedup_by_key(|head| head.0);
        let total = heads.len();
        let is_one = total == 1 && input.files.len() == 1 && is_path(&input.files[0], &heads[0].1);
        let mut outlines = Vec::new();
        for (id, mut outline) in heads.into_iter().take(input.limit) {
            outline.header_comments = header(&reader, id).map_err(unusable)?;
            outline.symbols = symbols(&reader, id, input.private).map_err(unusable)?;
            outlines.push(outline);
        }
        if is_one && let Some(outline) = outlines.pop() {
            return Ok(Output::One(outline));
        }
        let end = outlines.len();
        let truncated = end < total;
        Ok(Output::Several { files: outlines, total, truncated, next: truncated.then_some(end) })
    }

    const CITES: bool = true;

    /// A file that is not on disk cannot be new.
    fn may_be_new(workspace: &Workspace, input: &Input) -> bool {
        let (Ok(project), Ok(here)) = (workspace.project(), workspace.directory()) else {
            return true;
        };
        let is_there = |word: &str| project.root.join(word).exists() || here.join(word).exists();
        input
            .files
            .iter()
            .any(|word| !matches!(Place::parse(word), Ok(Place::At(_))) || is_there(word))
    }

    fn cited(output: &Output) -> Vec<String> {
        output.files().iter().map(|outline| outline.file.clone()).collect()
    }

    fn list(output: &Output) -> Option<&'static str> {
        Some(match output {
            Output::One(_) => "symbols",
            Output::Several { .. } => "files",
        })
    }

    fn prepare(input: &mut Input, request: &Request) {
        input.limit = input.limit.saturating_add(request.offset);
    }

    fn compact(output: &Output) -> Option<Value> {
        Some(match output {
            Output::One(outline) => rows_of(outline),
            Output::Several { files, total, truncated, next } => {
                let mut value = json!({"files": files.iter().map(rows_of).collect::<Vec<_>>()});
                if *truncated {
                    value["truncated"] = true.into();
                    value["total"] = (*total).into();
                    value["next"] = (*next).into();
                }
                value
            }
        })
    }

    fn render(output: &Output, page: &mut Page) {
        let is_one = matches!(output, Output::One(_));
        for (number, outline) in output.files().iter().enumerate() {
            if !is_one {
                page.item();
            }
            if number > 0 {
                page.blank();
            }
            render_file(outline, is_one, page);
        }
        page.end_items();
        if let Output::Several { files, total, next: Some(next), .. } = output {
            let note = format!("{} of {total} files; more with --offset {next}", files.len());
            page.line(styled(text::WARNING, &note));
        }
    }
}

impl Output {
    fn files(&self) -> &[FileOutline] {
        match self {
            Self::One(outline) => std::slice::from_ref(outline),
            Self::Several { files, .. } => files,
        }
    }
}

/// Whether a word is the path of a file and not a pattern or a directory around it.
fn is_path(word: &str, outline: &FileOutline) -> bool {
    let name = |path: &str| path.replace('\\', "/").rsplit('/').next().map(str::to_owned);
    !word.ends_with('/') && name(word) == name(&outline.file)
}

fn not_indexed(word: &str) -> Error {
    let word = text::one_line(word, 200);
    Error::new(Kind::NotFound, format!("`{word}` is not in the index"))
        .hint("Run `groma index` if the file is new; `groma status` lists what was skipped.")
}

/// The files at a place, without header and symbols. A file that was skipped is meant only by its own path.
fn files(reader: &Reader, place: &Place) -> rusqlite::Result<Vec<(i64, FileOutline)>> {
    let mut statement = reader.connection().prepare_cached(
        "SELECT id, path, language, status, reason, line_count FROM files
         WHERE ?1 IS NULL OR path = ?1 OR path > ?1 || '/' AND path < ?1 || '0'",
    )?;
    let at = match place {
        Place::At(path) if !path.is_empty() => Some(path),
        _ => None,
    };
    let mut found = Vec::new();
    let mut rows = statement.query([at])?;
    while let Some(row) = rows.next()? {
        let path = row.get_ref(1)?.as_str()?;
        let is_skipped = row.get_ref(3)?.as_str()? == "skipped";
        if !place.holds(path) || is_skipped && at.is_none_or(|at| at != path) {
            continue;
        }
        let outline = FileOutline {
            file: row.get(1)?,
            language: row.get(2)?,
            status: row.get(3)?,
            reason: row.get(4)?,
            line_count: row.get(5)?,
            header_comments: None,
            symbols: Vec::new(),
        };
        found.push((row.get(0)?, outline));
    }
    Ok(found)
}

fn header(reader: &Reader, file: i64) -> rusqlite::Result<Option<String>> {
    reader
        .connection()
        .prepare_cached("SELECT header_comments FROM files WHERE id = ?1")?
        .query_row([file], |row| row.get(0))
}

/// Definitions further inside than this stand beside those around them: nobody nests that deep by hand,
/// and readers of JSON give up on it.
const MAX_DEPTH: usize = 40;

fn symbols(reader: &Reader, file: i64, private: bool) -> rusqlite::Result<Vec<Entry>> {
    let mut statement = reader.connection().prepare_cached(
        "SELECT id, parent_id, name, kind, line, line_end, signature, doc_comment, visibility,
                is_static, is_async
         FROM symbols WHERE id BETWEEN ?1 << 24 AND ?1 << 24 | 16777215 ORDER BY id",
    )?;
    let mut rows = statement.query([file])?;
    // For each entry: its place among them by id, its owner's, and how deep it stands.
    let mut entries: Vec<(Option<usize>, usize, Entry)> = Vec::new();
    let mut places: std::collections::HashMap<i64, usize> = std::collections::HashMap::new();
    while let Some(row) = rows.next()? {
        let entry = Entry {
            id: row.get(0)?,
            name: row.get(2)?,
            kind: row.get(3)?,
            line: row.get(4)?,
            line_end: row.get(5)?,
            signature: row.get(6)?,
            docs: row.get(7)?,
            visibility: row.get(8)?,
            is_static: row.get(9)?,
            is_async: row.get(10)?,
            children: Vec::new(),
        };
        if !private && is_private_field(&entry) {
            continue;
        }
        // An owner that stands behind its member, as Go allows, is not known yet.
        let owner = row.get::<_, Option<i64>>(1)?.and_then(|owner| places.get(&owner).copied());
        let (owner, depth) = match owner {
            Some(owner) if entries[owner].1 < MAX_DEPTH => (Some(owner), entries[owner].1 + 1),
            Some(owner) => (entries[owner].0, MAX_DEPTH),
            None => (None, 0),
        };
        places.insert(entry.id, entries.len());
        entries.push((owner, depth, entry));
    }
    let mut top = Vec::new();
    while let Some((owner, _, mut entry)) = entries.pop() {
        entry.children.reverse();
        match owner {
            Some(owner) => entries[owner].2.children.push(entry),
            None => top.push(entry),
        }
    }
    top.reverse();
    Ok(top)
}

fn is_private_field(entry: &Entry) -> bool {
    entry.visibility.as_deref() == Some("private")
        && matches!(entry.kind.as_str(), "field" | "property" | "variable" | "constant")
        && entry.children.is_empty()
}

/// One text for each symbol: a blank for each level, lines, signature.
fn rows_of(outline: &FileOutline) -> Value {
    fn add(entries: &[Entry], depth: usize, rows: &mut Vec<String>) {
        for entry in entries {
            let lines = match entry.line_end > entry.line {
                true => format!("{}-{}", entry.line, entry.line_end),
                false => entry.line.to_string(),
            };
            let signature = text::one_line(&normal_signature(&entry.signature), 120);
            rows.push(format!("{}{lines} {signature}", " ".repeat(depth)));
            add(&entry.children, depth + 1, rows);
        }
    }
    let mut rows = Vec::new();
    add(&outline.symbols, 0, &mut rows);
    let mut value = json!({"f": outline.file});
    if let Some(reason) = &outline.reason {
        value["status"] = format!("{}: {reason}", outline.status).into();
    }
    if let Some(header) = &outline.header_comments {
        value["doc"] = brief_docs(header, 100).into();
    }
    value["symbols"] = rows.into();
    value
}

fn render_file(outline: &FileOutline, is_list: bool, page: &mut Page) {
    let what = format!("{} · {} lines", outline.language, outline.line_count);
    page.line(format!(
        "{}  {}",
        styled(text::PATH, &text::visible(&outline.file)),
        styled(text::DIM, &what)
    ));
    if let Some(reason) = &outline.reason {
        page.line(styled(text::WARNING, &format!("{}: {reason}", outline.status)));
    }
    if let Some(header) = &outline.header_comments {
        for line in header.lines().take(12) {
            page.line(styled(text::DIM, &format!("  {}", text::one_line(line, 160))));
        }
    }
    for entry in &outline.symbols {
        if is_list {
            page.item();
        }
        render_entries(std::slice::from_ref(entry), 0, page);
    }
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
