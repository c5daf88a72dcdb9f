//! The files of a project as a tree, with counts.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::rusqlite;

use crate::paths::Place;
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Error, Kind, Operation, Request, Result, Workspace};

/// Show the tree of files with counts: files, lines, symbols
///
/// A directory that holds nothing but another one is shown with it on one line.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Directory or glob; the whole project unless said
    pub path: Option<String>,
    /// Levels to show
    #[arg(long, default_value_t = default_depth())]
    #[serde(default = "default_depth")]
    pub depth: usize,
    /// Only directories
    #[arg(long)]
    #[serde(default)]
    pub directories: bool,
    /// Without counts
    #[arg(long)]
    #[serde(default)]
    pub no_counts: bool,
    /// Most entries to show
    #[arg(long, default_value_t = default_limit())]
    #[serde(default = "default_limit")]
    pub limit: usize,
    #[arg(skip)]
    #[serde(skip)]
    offset: usize,
}

const fn default_depth() -> usize {
    2
}

const fn default_limit() -> usize {
    500
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// In the order of the tree: directories first, each followed by what is in it.
    pub entries: Vec<Entry>,
    /// Of all that is below the path, also of what is too deep to be shown.
    pub counts: Counts,
    pub total: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
    #[serde(skip)]
    pub with_counts: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Entry {
    /// From the root of the project; that of a directory ends with `/`.
    pub path: String,
    /// What it is called below the entry around it.
    pub name: String,
    pub depth: usize,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub counts: Option<Counts>,
    /// Of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    pub files: u64,
    pub lines: u64,
    pub symbols: u64,
    /// Files that were seen, but not read.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Debug)]
pub struct Tree;

impl Operation for Tree {
    const NAME: &'static str = "tree";
    const EXAMPLES: &'static str = "\
  groma tree                        two levels of the project
  groma tree src --depth 4
  groma tree --directories --depth 9
  groma tree 'src/**/*.rs' --no-counts --json";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("entries");
    const CITES: bool = true;
    const WHOLE: bool = true;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (project, reader) = workspace.reader()?;
        let place = match &input.path {
            None => Place::At(String::new()),
            Some(word) => {
                let local = project.path_of(&workspace.directory()?, word.as_ref());
                Place::named(&reader, local.as_deref().unwrap_or(word))?
            }
        };
        let root = load(reader.connection(), &place).map_err(unusable)?;
        if root.counts == Counts::default() && input.path.is_some() {
            let word = text::one_line(input.path.as_deref().unwrap_or_default(), 200);
            return Err(Error::new(Kind::NotFound, format!("`{word}` is not in the index"))
                .hint("`groma tree` shows what is."));
        }
        let mut entries = Vec::new();
        let (path, start) = match &place {
            Place::At(path) => below(&root, path),
            Place::Glob(_) => (String::new(), &root),
        };
        // A single file is its own tree.
        if start.language.is_some() {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            entries.push(entry(start, path, name, 0));
        } else {
            list(start, &path, 0, &input, &mut entries);
        }
        let total = entries.len();
        let mut entries: Vec<Entry> =
            entries.into_iter().skip(input.offset).take(input.limit).collect();
        if input.no_counts {
            entries.iter_mut().for_each(|entry| entry.counts = None);
        }
        let end = input.offset.saturating_add(entries.len());
        let truncated = end < total;
        let next = truncated.then_some(end);
        let with_counts = !input.no_counts;
        Ok(Output { entries, counts: root.counts, total, truncated, next, with_counts })
    }

    fn prepare(input: &mut Input, request: &Request) {
        input.offset = request.offset;
    }

    fn offset(input: &Input) -> Option<usize> {
        Some(input.offset)
    }

    fn compact(output: &Output) -> Option<Value> {
        let rows = output.entries.iter().map(|entry| {
            let indent = " ".repeat(entry.depth);
            match &entry.counts {
                Some(counts) if entry.language.is_none() => format!(
                    "{indent}{} {} {} {}",
                    entry.name, counts.files, counts.lines, counts.symbols
                ),
                Some(counts) => {
                    format!("{indent}{} {} {}", entry.name, counts.lines, counts.symbols)
                }
                None => format!("{indent}{}", entry.name),
            }
        });
        let mut value = json!({"entries": rows.collect::<Vec<_>>()});
        if output.with_counts {
            value["columns"] = "name, files of a directory, lines, symbols".into();
        }
        if let Some(next) = output.next {
            value["truncated"] = true.into();
            value["total"] = output.total.into();
            value["next"] = next.into();
        }
        Some(value)
    }

    fn render(output: &Output, page: &mut Page) {
        let width = |entry: &Entry| entry.depth * 2 + entry.name.chars().count();
        let widest = output.entries.iter().map(width).max().unwrap_or(0).min(60);
        for entry in &output.entries {
            page.item();
            let name = text::visible(&entry.name);
            let style = if entry.language.is_none() { text::PATH } else { anstyle::Style::new() };
            let name = format!("{}{}", "  ".repeat(entry.depth), styled(style, &name));
            let Some(counts) = &entry.counts else {
                page.line(name);
                continue;
            };
            let gap = " ".repeat(widest.saturating_sub(width(entry)));
            page.line(format!("{name}{gap}  {}", styled(text::DIM, &told(counts, entry))));
        }
        page.end_items();
        let counts = &output.counts;
        page.line(styled(
            text::HEADING,
            &format!(
                "{} files · {} lines · {} symbols",
                text::count(counts.files),
                text::count(counts.lines),
                text::count(counts.symbols)
            ),
        ));
        if let Some(next) = output.next {
            let note = format!(
                "{} of {} entries; more with --offset {next}",
                output.entries.len(),
                output.total
            );
            page.line(styled(text::WARNING, &note));
        }
    }
}

fn told(counts: &Counts, entry: &Entry) -> String {
    let mut parts = Vec::new();
    if entry.language.is_none() {
        parts.push(format!("{} files", text::count(counts.files)));
    }
    if counts.skipped > 0 && entry.language.is_some() {
        parts.push("skipped".to_owned());
    } else {
        parts.push(format!("{} lines", text::count(counts.lines)));
    }
    if counts.symbols > 0 {
        parts.push(format!("{} symbols", text::count(counts.symbols)));
    }
    parts.join(" · ")
}

/// A directory or a file, with what is in it.
#[derive(Debug, Default)]
struct Node {
    counts: Counts,
    /// Of a file.
    language: Option<String>,
    children: BTreeMap<String, Node>,
}

fn load(connection: &rusqlite::Connection, place: &Place) -> rusqlite::Result<Node> {
    let mut root = Node::default();
    let mut statement = connection
        .prepare_cached("SELECT path, language, status, line_count, symbol_count FROM files")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let path = row.get_ref(0)?.as_str()?;
        if !place.holds(path) {
            continue;
        }
        let is_skipped = row.get_ref(2)?.as_str()? == "skipped";
        let counts = Counts {
            files: u64::from(!is_skipped),
            lines: row.get::<_, i64>(3)?.unsigned_abs(),
            symbols: row.get::<_, i64>(4)?.unsigned_abs(),
            skipped: u64::from(is_skipped),
        };
        let mut node = &mut root;
        node.counts.add(&counts);
        for part in path.split('/') {
            node = node.children.entry(part.to_owned()).or_default();
            node.counts.add(&counts);
        }
        node.language = Some(row.get(1)?);
    }
    Ok(root)
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.lines += other.lines;
        self.symbols += other.symbols;
        self.skipped += other.skipped;
    }
}

/// The node at a path, as far as there is one.
fn below<'n>(root: &'n Node, path: &str) -> (String, &'n Node) {
    let mut node = root;
    for part in path.split('/').filter(|part| !part.is_empty()) {
        match node.children.get(part) {
            Some(child) => node = child,
            None => return (String::new(), root),
        }
    }
    (path.to_owned(), node)
}

/// Adds what is in a directory: first directories, then files. Paths of a hostile project may be as deep
/// as paths can be long, which is not deep enough to matter here.
fn list(node: &Node, path: &str, depth: usize, input: &Input, entries: &mut Vec<Entry>) {
    if depth >= input.depth {
        return;
    }
    let join = |name: &str| match path.is_empty() {
        true => name.to_owned(),
        false => format!("{path}/{name}"),
    };
    for (name, child) in node.children.iter().filter(|(_, child)| child.language.is_none()) {
        let (name, child) = chain(name.clone(), child);
        let path = join(&name);
        entries.push(entry(child, format!("{path}/"), format!("{name}/"), depth));
        list(child, &path, depth + 1, input, entries);
    }
    if input.directories {
        return;
    }
    for (name, child) in node.children.iter().filter(|(_, child)| child.language.is_some()) {
        entries.push(entry(child, join(name), name.clone(), depth));
    }
}

/// Follows directories that hold nothing but one directory.
fn chain(mut name: String, mut node: &Node) -> (String, &Node) {
    while node.children.len() == 1
        && let Some((next, child)) = node.children.first_key_value()
        && child.language.is_none()
    {
        name = format!("{name}/{next}");
        node = child;
    }
    (name, node)
}

fn entry(node: &Node, path: String, name: String, depth: usize) -> Entry {
    Entry { path, name, depth, counts: Some(node.counts), language: node.language.clone() }
}
