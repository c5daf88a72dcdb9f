//! Pictures of a project: what depends on what, and where the size and the complexity are.

mod layers;
mod svg;
mod treemap;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Reader;
use store::rusqlite;

use crate::paths::Place;
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Error, Format, Kind, Operation, Request, Result, Workspace};

/// Draw a project as SVG: its dependencies in layers, or its files by size and complexity
///
/// Directories or files stand above what they depend on, with the number of dependencies; or each file is a
/// tile as large as its lines, the redder the more decisions there are on them.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Only files at or below this place
    #[arg(value_name = "PATH")]
    #[serde(default)]
    pub place: Option<String>,
    /// What to draw
    #[arg(long, value_enum, default_value_t = Of::Modules)]
    #[serde(default)]
    pub of: Of,
    /// Most nodes or tiles; those that matter least are left out
    #[arg(long)]
    #[serde(default)]
    pub limit: Option<usize>,
    /// With tests
    #[arg(long)]
    #[serde(default)]
    pub tests: bool,
    #[arg(skip)]
    #[serde(skip)]
    is_drawn: bool,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// Directories and what they depend on
    #[default]
    Modules,
    /// Files and what they depend on
    Files,
    /// Files by size and complexity
    Treemap,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub of: Of,
    /// What is drawn; in layers, those above come first.
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// How many nodes are not drawn.
    pub left_out: usize,
    #[serde(skip)]
    drawing: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Node {
    /// A file or a directory; `.` is the root.
    pub path: String,
    pub files: usize,
    pub lines: u64,
    /// Decisions in its functions, each function counted as one.
    pub complexity: u64,
    /// Counted from below; none in a treemap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<usize>,
}

/// How many links and imports lead from one node to another, by their paths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Edge {
    pub from: String,
    pub to: String,
    pub count: u64,
}

#[derive(Debug)]
pub struct Graph;

impl Operation for Graph {
    const NAME: &'static str = "graph";
    const EXAMPLES: &'static str = "\
  groma graph > modules.svg                     directories in layers
  groma graph src/api --of files > api.svg      the files of one of them
  groma graph --of treemap > size.svg           size and complexity
  groma graph --json                            the same as data";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("nodes");
    const CITES: bool = true;
    const WHOLE: bool = true;
    const PAGED: bool = false;

    fn prepare(input: &mut Input, request: &Request) {
        input.is_drawn = request.format == Format::Text;
    }

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (_, reader) = workspace.reader()?;
        let place = input.place.as_deref().map(|text| Place::named(&reader, text)).transpose()?;
        let is_wanted = |path: &str| place.as_ref().is_none_or(|place| place.holds(path));
        let files = files(&reader, input.tests, &is_wanted).map_err(unusable)?;
        if files.is_empty() {
            let message = match &input.place {
                Some(place) => format!("no file of the index is at `{place}`"),
                None => "the index has no files to draw".to_owned(),
            };
            return Err(Error::new(Kind::NotFound, message).hint("`groma tree` shows the files."));
        }
        let mut output = match input.of {
            Of::Treemap => treemap(files, input.limit.unwrap_or(MOST_TILES)),
            of => {
                layered(&reader, files, of, input.limit.unwrap_or(MOST_NODES)).map_err(unusable)?
            }
        };
        if input.is_drawn {
            output.drawing = Some(match output.of {
                Of::Treemap => treemap::draw(&output.nodes),
                _ => layers::draw(&output.nodes, &output.edges, output.left_out),
            });
        }
        Ok(output)
    }

    fn verbatim(output: &Output) -> Option<&str> {
        output.drawing.as_deref()
    }

    fn notes(output: &Output, format: Format) -> Vec<String> {
        let is_cut = output.left_out > 0 && format == Format::Text;
        let note = || format!("{} more are not drawn; raise --limit", output.left_out);
        is_cut.then(note).into_iter().collect()
    }

    fn render(output: &Output, page: &mut Page) {
        for node in &output.nodes {
            page.line(styled(text::PATH, &text::visible(&node.path)));
        }
    }
}

/// More boxes cannot be read.
const MOST_NODES: usize = 60;
const MOST_TILES: usize = 2000;

fn files(
    reader: &Reader,
    with_tests: bool,
    is_wanted: &dyn Fn(&str) -> bool,
) -> rusqlite::Result<Vec<Node>> {
    let mut statement = reader.connection().prepare(
        "SELECT f.path, f.line_count, coalesce((
             SELECT sum(m.cyclomatic) FROM metric AS m
             WHERE m.symbol_id BETWEEN f.id << 24 AND f.id << 24 | 16777215), 0)
         FROM file AS f
         WHERE f.retired IS NULL AND f.status <> 'skipped' AND f.symbol_count > 0
           AND (?1 OR NOT f.is_test)
         ORDER BY f.path",
    )?;
    let mut rows = statement.query([with_tests])?;
    let mut files = Vec::new();
    while let Some(row) = rows.next()? {
        let path: String = row.get(0)?;
        if is_wanted(&path) {
            let number = |at| row.get::<_, i64>(at).map(i64::unsigned_abs);
            let (lines, complexity) = (number(1)?, number(2)?);
            files.push(Node { path, files: 1, lines, complexity, layer: None });
        }
    }
    Ok(files)
}

fn treemap(mut files: Vec<Node>, limit: usize) -> Output {
    files.retain(|file| file.lines > 0);
    files.sort_by(|a, b| b.lines.cmp(&a.lines).then_with(|| a.path.cmp(&b.path)));
    let left_out = files.len().saturating_sub(limit);
    files.truncate(limit);
    Output { of: Of::Treemap, nodes: files, edges: Vec::new(), left_out, drawing: None }
}

fn layered(reader: &Reader, files: Vec<Node>, of: Of, limit: usize) -> rusqlite::Result<Output> {
    let name = |path: &str| match (of, path.rsplit_once('/')) {
        (Of::Modules, Some((directory, _))) => directory.to_owned(),
        (Of::Modules, None) => ".".to_owned(),
        _ => path.to_owned(),
    };
    let mut nodes: BTreeMap<String, Node> = BTreeMap::new();
    for file in files {
        let path = name(&file.path);
        let node = nodes.entry(path.clone()).or_insert_with(|| Node { path, ..Node::default() });
        node.files += 1;
        node.lines += file.lines;
        node.complexity += file.complexity;
    }
    let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut statement = reader
        .connection()
        .prepare("SELECT from_path, to_path, max(link_count, 1) FROM file_dependencies")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (from, to) = (name(row.get_ref(0)?.as_str()?), name(row.get_ref(1)?.as_str()?));
        if from != to && nodes.contains_key(&from) && nodes.contains_key(&to) {
            *counts.entry((from, to)).or_insert(0) += row.get::<_, i64>(2)?.unsigned_abs();
        }
    }
    // Those with most dependencies to and from others matter most.
    let mut weights: BTreeMap<&str, u64> = BTreeMap::new();
    for ((from, to), count) in &counts {
        *weights.entry(from).or_insert(0) += count;
        *weights.entry(to).or_insert(0) += count;
    }
    let mut kept: Vec<Node> = nodes.values().cloned().collect();
    let weight = |node: &Node| weights.get(node.path.as_str()).copied().unwrap_or(0);
    kept.sort_by(|a, b| weight(b).cmp(&weight(a)).then_with(|| a.path.cmp(&b.path)));
    let left_out = kept.len().saturating_sub(limit);
    kept.truncate(limit);
    let is_kept = |path: &String| kept.iter().any(|node| node.path == *path);
    let edges: Vec<Edge> = counts
        .iter()
        .filter(|((from, to), _)| is_kept(from) && is_kept(to))
        .map(|((from, to), count)| Edge { from: from.clone(), to: to.clone(), count: *count })
        .collect();
    let nodes = layers::place(kept, &edges);
    Ok(Output { of, nodes, edges, left_out, drawing: None })
}
