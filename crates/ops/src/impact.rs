//! What a change of a symbol or a file reaches.

use std::collections::BTreeMap;

use model::{Confidence, SymbolFlags};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::rusqlite;
use store::{Graph, Reader};

use crate::text::{self, Page, styled};
use crate::walk::{Direction, Ending, Node, Rules, Step, Via, Visit, Walker};
use crate::workspace::unusable;
use crate::{Error, Kind, Operation, Request, Result, SymbolQuery, Workspace};

/// Show what a change of a symbol, a file or a glob reaches
///
/// Follows links to those that use the target (up), to those it uses (down) or both. Each result has its
/// distance and one chain of reasons; what is public and much used comes first.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Symbol, file or glob of files
    pub target: String,
    /// Which way to go
    #[arg(long, value_enum, default_value_t = Direction::Up)]
    #[serde(default = "up")]
    pub direction: Direction,
    /// Most steps; 0 is without end
    #[arg(long, default_value_t = DEFAULT_DEPTH)]
    #[serde(default = "default_depth")]
    pub depth: u32,
    /// Which links to follow
    #[arg(long, value_enum, default_value_t = Via::All)]
    #[serde(default = "all")]
    pub via: Via,
    /// Only links at least this sure: certain or likely
    #[arg(long, value_name = "LEVEL", default_value = "likely", value_parser = crate::links::confidence)]
    #[serde(default = "crate::links::likely")]
    pub min_confidence: String,
    /// Most results
    #[arg(long, default_value_t = DEFAULT_LIMIT)]
    #[serde(default = "default_limit")]
    pub limit: usize,
    /// Draw it instead
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "summary")]
    #[serde(default)]
    pub format: Option<Drawing>,
    /// Only the summary
    #[arg(long)]
    #[serde(default)]
    pub summary: bool,
}

/// A picture for another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Drawing {
    Mermaid,
    Dot,
}

const DEFAULT_DEPTH: u32 = 3;
const DEFAULT_LIMIT: usize = 500;

fn up() -> Direction {
    Direction::Up
}

fn default_depth() -> u32 {
    DEFAULT_DEPTH
}

fn all() -> Via {
    Via::All
}

fn default_limit() -> usize {
    DEFAULT_LIMIT
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// What was meant.
    pub targets: Vec<Place>,
    pub matches: Vec<Hit>,
    pub summary: Summary,
    #[serde(skip)]
    drawing: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Place {
    /// Qualified name; none for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub kind: String,
    pub path: String,
    pub line: u32,
}

impl Place {
    /// A file that is no more.
    fn gone() -> Self {
        Self { name: None, kind: "file".to_owned(), path: String::new(), line: 1 }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Hit {
    #[serde(flatten)]
    pub place: Place,
    pub direction: Direction,
    pub distance: u32,
    /// How it is reached from the one before: a role, `dispatch` or `import`.
    pub by: &'static str,
    /// Line of that use, in the file of whoever uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
    /// Files that use it.
    pub users: u32,
    pub is_public: bool,
    pub is_test: bool,
    /// From the target to it.
    pub chain: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Summary {
    pub nodes: usize,
    pub files: usize,
    pub tests: usize,
    pub by_distance: BTreeMap<u32, usize>,
    pub terminated_by: Ending,
    /// Whether nothing was left out by depth or limit.
    pub complete: bool,
}

#[derive(Debug)]
pub struct Impact;

impl Operation for Impact {
    const NAME: &'static str = "impact";
    const EXAMPLES: &'static str = "\
  groma impact Store.get                     who depends on it, three steps
  groma impact src/store.rs --depth 0        all that depends on a file
  groma impact parse --direction down --via calls
  groma impact 'src/api/**' --summary
  groma impact Store.get --format mermaid    a flowchart";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("matches");

    fn prepare(input: &mut Input, request: &Request) {
        input.limit = input.limit.saturating_add(request.offset);
    }

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (_, reader) = workspace.reader()?;
        let start = targets(&reader, &input.target)?;
        let mut output = impact(&reader, &start, &input).map_err(unusable)?;
        output.drawing = input.format.map(|format| draw(&output, format)).transpose()?;
        Ok(output)
    }

    fn verbatim(output: &Output) -> Option<&str> {
        output.drawing.as_deref()
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        let hits = output.matches.iter().take(CITED).map(|hit| hit.place.path.clone());
        let mut paths: Vec<String> =
            output.targets.iter().take(CITED).map(|place| place.path.clone()).chain(hits).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    fn compact(output: &Output) -> Option<serde_json::Value> {
        Some(compact(output))
    }

    fn render(output: &Output, page: &mut Page) {
        for target in output.targets.iter().take(10) {
            page.line(format!("{} {}", styled(text::KIND, &target.kind), place_text(target)));
        }
        for hit in &output.matches {
            page.item();
            let indent = "  ".repeat(hit.distance.min(12) as usize);
            let at = hit.at.map(|line| format!(" at line {line}")).unwrap_or_default();
            let arrow = if hit.direction == Direction::Down { "→" } else { "←" };
            page.line(format!(
                "{indent}{} {} {}",
                styled(text::DIM, &format!("{arrow} {}{at}", hit.by)),
                styled(text::KIND, &hit.place.kind),
                place_text(&hit.place),
            ));
        }
        page.end_items();
        let summary = &output.summary;
        let ending = match summary.terminated_by {
            Ending::Exhausted => "nothing further",
            Ending::Depth => "more beyond --depth",
            Ending::Limit => "more beyond --limit",
        };
        page.line(styled(
            text::DIM,
            &format!(
                "{} reached in {} files, {} of tests; {ending}",
                text::count(summary.nodes as u64),
                text::count(summary.files as u64),
                text::count(summary.tests as u64)
            ),
        ));
    }
}

/// One text for each hit: `distance path:line name, by at line of the one before`.
fn compact(output: &Output) -> serde_json::Value {
    let place = |place: &Place| match &place.name {
        Some(name) => format!("{}:{} {name}", place.path, place.line),
        None => place.path.clone(),
    };
    let row = |hit: &Hit| {
        let mut row = format!("{} {}, {}", hit.distance, place(&hit.place), hit.by);
        if let Some(line) = hit.at {
            row.push_str(&format!(" at {line}"));
        }
        // Of what is one step away, the target is known.
        if let ([.., before, _], true) = (hit.chain.as_slice(), hit.distance > 1) {
            row.push_str(&format!(" of {before}"));
        }
        let marks = [
            (hit.direction == Direction::Down, "used by it"),
            (hit.is_public, "public"),
            (hit.is_test, "test"),
        ];
        let marks: Vec<&str> =
            marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| mark).collect();
        if !marks.is_empty() {
            row.push_str(&format!(" ({})", marks.join(", ")));
        }
        row
    };
    serde_json::json!({
        "targets": output.targets.iter().map(place).collect::<Vec<_>>(),
        "matches": output.matches.iter().map(row).collect::<Vec<_>>(),
        "summary": output.summary,
    })
}

/// What was reached as a graph: arrows lead from who uses to what is used.
fn draw(output: &Output, format: Drawing) -> Result<String> {
    let mut graph = crate::formats::graph::Graph::default();
    for target in &output.targets {
        graph.node(label(target.name.as_deref().unwrap_or(&target.path)));
    }
    for hit in &output.matches {
        let [.., from, to] = hit.chain.as_slice() else { continue };
        let (user, used) = match hit.direction {
            Direction::Down => (from, to),
            Direction::Up | Direction::Both => (to, from),
        };
        graph.add(label(user), label(used), Some(hit.by.to_owned()));
    }
    match format {
        Drawing::Dot => Ok(crate::formats::dot::draw(&graph)),
        Drawing::Mermaid => crate::formats::mermaid::draw(
            &graph,
            "the impact",
            "Narrow it with --depth, --limit or --via, or use --format dot.",
        ),
    }
}

fn label(name: &str) -> String {
    text::one_line(name, 200)
}

/// Files that are compared with the index before an answer is given.
const CITED: usize = 200;

fn place_text(place: &Place) -> String {
    let at = styled(text::PATH, &text::visible(&format!("{}:{}", place.path, place.line)));
    match &place.name {
        Some(name) => format!("{}  {at}", text::visible(name)),
        None => at,
    }
}

/// The symbols or files that a target means (CM-70): a path or a glob with `/`, or a known path, is files.
pub(crate) fn targets(reader: &Reader, target: &str) -> Result<Vec<Node>> {
    let plain = target.trim_start_matches("./");
    let is_symbol_key = target.contains('#')
        || target.rsplit(':').next().is_some_and(|line| line.parse::<u32>().is_ok());
    if !is_symbol_key {
        let mut heads = reader.file_heads_within(plain.trim_end_matches('/')).map_err(unusable)?;
        if heads.is_empty()
            && plain.contains(['*', '?', '[', '{'])
            && let Ok(glob) = globset::Glob::new(plain)
        {
            let pattern = glob.compile_matcher();
            heads = reader.file_heads().map_err(unusable)?;
            heads.retain(|head| pattern.is_match(&head.path));
        }
        let files: Vec<Node> = heads.iter().map(|head| Node::File(head.id)).collect();
        if !files.is_empty() {
            return Ok(files);
        }
        if plain.contains('/') {
            let message = format!("no file of the index matches `{target}`");
            return Err(Error::new(Kind::NotFound, message)
                .hint("`groma tree` shows the files; `groma search` finds symbols."));
        }
    }
    let query = SymbolQuery(target.to_owned());
    let ids = query.find(reader).map_err(unusable)?;
    if ids.is_empty() {
        return Err(crate::show::not_found(reader, &query));
    }
    Ok(ids.into_iter().map(Node::Symbol).collect())
}

fn impact(reader: &Reader, targets: &[Node], input: &Input) -> rusqlite::Result<Output> {
    let graph = Graph::new(reader);
    let rules = Rules {
        via: input.via,
        least: Confidence::parse(&input.min_confidence).unwrap_or(Confidence::Likely),
        depth: input.depth,
        limit: input.limit,
    };
    let mut start = Vec::new();
    for target in targets {
        start.push(*target);
        // Whoever uses something of a file depends on the file.
        if let Node::File(file) = target {
            start.extend(graph.symbols(*file)?.iter().map(|symbol| Node::Symbol(symbol.id)));
        }
    }
    let (mut matches, terminated_by) = reached(&graph, &start, rules, input.direction)?;
    let mut files: Vec<&str> = matches.iter().map(|hit| hit.place.path.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut by_distance = BTreeMap::new();
    for hit in &matches {
        *by_distance.entry(hit.distance).or_insert(0) += 1;
    }
    let summary = Summary {
        nodes: matches.len(),
        files: files.len(),
        tests: matches.iter().filter(|hit| hit.is_test).count(),
        by_distance,
        terminated_by,
        complete: terminated_by == Ending::Exhausted,
    };
    if input.summary {
        matches.clear();
    }
    let mut places = Vec::new();
    for target in targets {
        places.extend(place(&graph, *target)?);
    }
    Ok(Output { targets: places, matches, summary, drawing: None })
}

/// What is reached from these, what breaks most first, and why the walk ended.
pub(crate) fn reached(
    graph: &Graph<'_>,
    start: &[Node],
    rules: Rules,
    direction: Direction,
) -> rusqlite::Result<(Vec<Hit>, Ending)> {
    let mut walker = Walker::new(graph, rules);
    let mut hits = Vec::new();
    let mut ending = Ending::Exhausted;
    for way in [Direction::Up, Direction::Down] {
        if direction != way && direction != Direction::Both {
            continue;
        }
        let (visits, end) = walker.walk(start, way == Direction::Up)?;
        ending = match (ending, end) {
            (Ending::Limit, _) | (_, Ending::Limit) => Ending::Limit,
            (Ending::Depth, _) | (_, Ending::Depth) => Ending::Depth,
            _ => Ending::Exhausted,
        };
        // A place stands in the chains of all that are reached through it.
        let places: Vec<Option<Place>> =
            visits.iter().map(|visit| place(graph, visit.node)).collect::<rusqlite::Result<_>>()?;
        for (number, visit) in visits.iter().enumerate() {
            if visit.distance > 0 {
                let chain = chain(&visits, &places, number);
                let place = places[number].clone().unwrap_or_else(Place::gone);
                hits.push(hit(graph, visit, way, place, chain)?);
            }
        }
    }
    hits.sort_by(|a, b| risk(b).total_cmp(&risk(a)).then_with(|| key(a).cmp(&key(b))));
    Ok((hits, ending))
}

fn key(hit: &Hit) -> (u32, &str, u32) {
    (hit.distance, &hit.place.path, hit.place.line)
}

/// What is public, much used and near breaks most.
fn risk(hit: &Hit) -> f64 {
    let mut risk = 0.5 * f64::from(1 + hit.users).ln() - 0.7 * f64::from(hit.distance);
    if hit.is_public {
        risk += 1.0;
    }
    if hit.is_test {
        risk -= 3.0;
    }
    risk
}

pub(crate) fn place(graph: &Graph<'_>, node: Node) -> rusqlite::Result<Option<Place>> {
    Ok(match node {
        Node::Symbol(symbol) => {
            let definition = graph.reader().definition(symbol)?;
            Some(Place {
                name: Some(definition.qualified_name),
                kind: definition.kind.as_str().to_owned(),
                path: definition.head.path,
                line: definition.line_start,
            })
        }
        Node::File(file) => graph.head(file)?.map(|head| Place {
            name: None,
            kind: "file".to_owned(),
            path: head.path.clone(),
            line: 1,
        }),
    })
}

fn hit(
    graph: &Graph<'_>,
    visit: &Visit,
    direction: Direction,
    place: Place,
    chain: Vec<String>,
) -> rusqlite::Result<Hit> {
    let head = graph.head(visit.node.file())?;
    let symbol = match visit.node {
        Node::Symbol(symbol) => graph.symbol(symbol)?,
        Node::File(_) => None,
    };
    let has = |flag| symbol.as_ref().is_some_and(|symbol| symbol.flags.has(flag));
    let users = match &symbol {
        Some(symbol) => graph.reader().user_count(symbol.name, &place.path)?,
        None => 0,
    };
    let (by, at) = match visit.from {
        Some((_, Step::Link(edge))) => (edge.role.as_str(), Some(edge.line)),
        Some((_, Step::Dispatch)) => ("dispatch", None),
        Some((_, Step::Import)) => ("import", None),
        None => ("", None),
    };
    Ok(Hit {
        direction,
        distance: visit.distance,
        by,
        at,
        users,
        is_public: has(SymbolFlags::EXPORTED),
        is_test: has(SymbolFlags::TEST) || head.is_some_and(|head| head.is_test),
        chain,
        place,
    })
}

/// Names from the target to a visit.
fn chain(visits: &[Visit], places: &[Option<Place>], number: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = Some(number);
    while let Some(number) = at {
        let place = places[number].as_ref();
        names.extend(place.map(|place| place.name.as_ref().unwrap_or(&place.path).clone()));
        at = visits[number].from.map(|(before, _)| before);
    }
    names.reverse();
    names
}
