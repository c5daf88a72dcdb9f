//! One symbol: what its file says of it, who calls it, what it calls, which tests reach it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Reader;
use store::rusqlite::{self, Row};

use crate::linked::Source;
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{
    Error, Kind, Neighbours, Operation, Request, Result, Skipped, SymbolQuery, Workspace,
    neighbours,
};

/// Show a symbol: signature, docs, members, measures, callers, callees, tests
///
/// Tests are those that reach it in at most three calls. Several symbols may share a name: then all of them are listed, with the key that names each alone.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Symbol: `path#name`, id, `path:line`, `Owner.name` or `name`
    pub symbol: SymbolQuery,
    /// Only symbols of this kind
    #[arg(long)]
    pub kind: Option<String>,
    /// Only symbols in this file or directory
    #[arg(long = "in", value_name = "PATH")]
    #[serde(rename = "in")]
    pub within: Option<String>,
    /// With the source code
    #[arg(long)]
    #[serde(default)]
    pub source: bool,
    /// Only this project, without those that are linked
    #[arg(long)]
    #[serde(default)]
    pub no_links: bool,
    /// Most symbols to show
    #[arg(long, default_value_t = default_limit())]
    #[serde(default = "default_limit")]
    pub limit: usize,
    #[arg(skip)]
    #[serde(skip)]
    offset: usize,
}

const fn default_limit() -> usize {
    20
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The first of them in full, the others without members and neighbours.
    pub matches: Vec<Shown>,
    /// All there are, if not all are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disambiguation: Option<Disambiguation>,
    /// Linked projects that could not be looked through.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped_projects: Vec<Skipped>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Shown {
    /// The linked project it is in; none for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub id: i64,
    pub key: String,
    pub name: String,
    pub qualified_name: String,
    pub kind: String,
    pub path: String,
    pub line: u32,
    pub line_start: u32,
    pub line_end: u32,
    pub signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    pub flags: Vec<&'static str>,
    pub decorators: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cognitive_complexity: Option<u32>,
    pub members: Vec<Member>,
    /// Members that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub members_left_out: usize,
    /// What calls it, or makes a value of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<Neighbours>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callees: Option<Neighbours>,
    /// Tests that reach it in at most three calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<Neighbours>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The file has changed since it was indexed; the source is what stands there now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// The file is gone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Member {
    pub name: String,
    pub kind: String,
    pub line: u32,
    pub signature: String,
}

/// Several symbols were meant.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Disambiguation {
    pub n: usize,
    pub by_kind: std::collections::BTreeMap<String, usize>,
    pub files: Vec<String>,
    pub hint: String,
}

#[derive(Debug)]
pub struct Show;

impl Operation for Show {
    const NAME: &'static str = "show";
    const EXAMPLES: &'static str = "\
  groma show Parser                 every symbol of that name
  groma show Parser.parse --source  one method with its code
  groma show src/main.rs:42         what stands around a line
  groma show 'src/api.rs#handlers::process' --json";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("matches");
    const DETAIL: bool = true;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        // Ids are those of one index.
        let with_links = !input.no_links && input.symbol.0.trim().parse::<i64>().is_err();
        let (sources, mut skipped_projects) = workspace.sources(with_links)?;
        let mut meant = Vec::new();
        for source in &sources {
            match (find(source, &input), &source.name) {
                (Ok(found), _) => meant.extend(found),
                (Err(error), None) => return Err(unusable(error)),
                (Err(error), Some(name)) => skipped_projects.push(Skipped::damaged(name, &error)),
            }
        }
        if meant.is_empty() {
            return Err(not_found(&sources[0].reader, &input.symbol));
        }
        let mut matches = Vec::new();
        for meant in meant.iter().skip(input.offset).take(input.limit) {
            match (load(meant, &input, matches.len() < IN_FULL), &meant.source.name) {
                (Ok(shown), _) => matches.push(shown),
                (Err(error), None) => return Err(unusable(error)),
                (Err(error), Some(name)) => skipped_projects.push(Skipped::damaged(name, &error)),
            }
        }
        let disambiguation = (meant.len() > 1).then(|| disambiguate(&meant));
        let end = input.offset.saturating_add(matches.len());
        let truncated = end < meant.len();
        Ok(Output {
            total: (truncated || input.offset > 0).then_some(meant.len()),
            truncated,
            next: truncated.then_some(end),
            matches,
            disambiguation,
            skipped_projects,
        })
    }

    fn prepare(input: &mut Input, request: &Request) {
        input.offset = request.offset;
    }

    fn offset(input: &Input) -> Option<usize> {
        Some(input.offset)
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        let own = output.matches.iter().filter(|shown| shown.project.is_none());
        own.map(|shown| shown.path.clone()).collect()
    }

    fn render(output: &Output, page: &mut Page) {
        for (number, shown) in output.matches.iter().enumerate() {
            page.item();
            if number > 0 {
                page.blank();
            }
            render_one(shown, page);
        }
        page.end_items();
        if let Some(disambiguation) = &output.disambiguation {
            page.blank();
            page.line(styled(
                text::DIM,
                &format!("{} matches. {}", disambiguation.n, disambiguation.hint),
            ));
        }
        if let Some(next) = output.next {
            let note = format!("{} shown; more with --offset {next}", output.matches.len());
            page.line(styled(text::WARNING, &note));
        }
        Skipped::tell(&output.skipped_projects, page);
    }
}

/// A symbol that may be meant.
struct Meant<'s> {
    source: &'s Source,
    id: i64,
    kind: String,
    path: String,
}

/// The symbols of one project that are meant.
fn find<'s>(source: &'s Source, input: &Input) -> rusqlite::Result<Vec<Meant<'s>>> {
    let mut statement = source.reader.connection().prepare_cached(
        "SELECT s.kind, f.path FROM symbol AS s JOIN file AS f ON f.id = s.id >> 24
         WHERE s.id = ?1",
    )?;
    let mut found = Vec::new();
    for id in input.symbol.find(&source.reader)? {
        let (kind, path): (String, String) =
            statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let kind_fits = input.kind.as_ref().is_none_or(|wanted| *wanted == kind);
        if kind_fits && input.within.as_ref().is_none_or(|place| is_within(&path, place)) {
            found.push(Meant { source, id, kind, path });
        }
    }
    Ok(found)
}

/// So many symbols of one name are shown with members and neighbours; of more, whoever asks has to choose.
const IN_FULL: usize = 3;

fn load(meant: &Meant<'_>, input: &Input, in_full: bool) -> rusqlite::Result<Shown> {
    let reader = &meant.source.reader;
    let mut statement = reader.connection().prepare_cached(
        "SELECT id, file_path, name, qualified_name, key, kind, line, line_start, line_end, signature,
                doc_comment, visibility, declared_type, value,
                (SELECT flags FROM symbol AS s WHERE s.id = symbols.id), decorators, complexity,
                cognitive_complexity
         FROM symbols WHERE id = ?1",
    )?;
    let mut shown = statement.query_row([meant.id], read_row)?;
    shown.project.clone_from(&meant.source.name);
    let members = members(reader, meant.id)?;
    if in_full {
        shown.members = members;
        add_neighbours(reader, &mut shown)?;
    } else {
        shown.members_left_out = members.len();
    }
    if input.source {
        add_source(&meant.source.project, reader, &mut shown)?;
    }
    Ok(shown)
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<Shown> {
    let decorators: Option<String> = row.get(15)?;
    Ok(Shown {
        project: None,
        id: row.get(0)?,
        path: row.get(1)?,
        name: row.get(2)?,
        qualified_name: row.get(3)?,
        key: row.get(4)?,
        kind: row.get(5)?,
        line: row.get(6)?,
        line_start: row.get(7)?,
        line_end: row.get(8)?,
        signature: row.get(9)?,
        docs: row.get(10)?,
        visibility: row.get(11)?,
        declared_type: row.get(12)?,
        value: row.get(13)?,
        flags: model::SymbolFlags(row.get(14)?).words().collect(),
        decorators: decorators
            .and_then(|json| serde_json::from_str(&json).ok())
            .unwrap_or_default(),
        complexity: row.get(16)?,
        cognitive_complexity: row.get(17)?,
        members: Vec::new(),
        members_left_out: 0,
        callers: None,
        callees: None,
        tests: None,
        source: None,
        stale: false,
        missing: false,
    })
}

fn members(reader: &Reader, id: i64) -> rusqlite::Result<Vec<Member>> {
    reader
        .connection()
        .prepare_cached(
            "SELECT name, kind, line, signature FROM symbols
             WHERE id BETWEEN ?1 & ~16777215 AND ?1 | 16777215 AND parent_id = ?1 ORDER BY start_byte",
        )?
        .query_map([id], |row| {
            Ok(Member {
                name: row.get(0)?,
                kind: row.get(1)?,
                line: row.get(2)?,
                signature: row.get(3)?,
            })
        })?
        .collect()
}

fn add_neighbours(reader: &Reader, shown: &mut Shown) -> rusqlite::Result<()> {
    let graph = store::Graph::new(reader);
    let has_calls = shown.complexity.is_some();
    let kind = model::SymbolKind::parse(&shown.kind);
    if kind.is_some_and(|kind| kind.is_callable() || kind.is_type()) {
        shown.callers = Some(neighbours::callers(&graph, shown.id)?);
        shown.tests = Some(neighbours::tests(&graph, shown.id)?);
    }
    if has_calls {
        shown.callees = Some(neighbours::callees(&graph, shown.id)?);
    }
    Ok(())
}

/// The lines of the symbol as they stand in the file now, and whether that is what was indexed.
fn add_source(
    project: &::index::Project,
    reader: &Reader,
    shown: &mut Shown,
) -> rusqlite::Result<()> {
    let indexed: Option<[u8; 32]> = reader.connection().query_row(
        "SELECT content_hash FROM file WHERE path = ?1 AND retired IS NULL",
        [&shown.path],
        |row| row.get(0),
    )?;
    match ::index::read::read_source(&project.root.join(&shown.path), u64::from(u32::MAX)).0 {
        ::index::read::Content::Text { text, hash, .. } => {
            shown.stale = Some(hash) != indexed;
            let (first, last) = (shown.line_start as usize, shown.line_end as usize);
            let lines: Vec<&str> = text.lines().skip(first - 1).take(last - first + 1).collect();
            shown.source = Some(lines.join("\n"));
        }
        ::index::read::Content::Skipped { .. } => shown.missing = true,
    }
    Ok(())
}

/// `--in ./src/cli/`, `src/cli` and a file in it all mean the same place.
pub(crate) fn is_within(path: &str, place: &str) -> bool {
    let place = place.replace('\\', "/");
    let place = place.trim_start_matches("./").trim_end_matches('/');
    path == place || path.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'))
}

/// Files that are named where many have a symbol of the name.
const MAX_FILES: usize = 20;

fn disambiguate(all: &[Meant<'_>]) -> Disambiguation {
    let mut by_kind = std::collections::BTreeMap::new();
    let mut files: Vec<String> = Vec::new();
    for meant in all {
        *by_kind.entry(meant.kind.clone()).or_insert(0) += 1;
        if !files.contains(&meant.path) && files.len() < MAX_FILES {
            files.push(meant.path.clone());
        }
    }
    Disambiguation {
        n: all.len(),
        by_kind,
        files,
        hint: "Narrow with --kind or --in, or name one by its key.".to_owned(),
    }
}

pub(crate) fn not_found(reader: &Reader, query: &SymbolQuery) -> Error {
    let asked = text::one_line(&query.0, 200);
    if let Some(file) = query.file(reader).ok().flatten() {
        let message = match query.0.rsplit_once(':') {
            Some((_, line)) if !line.contains('/') && query.0 != file => {
                format!("no symbol stands at line {} of `{file}`", text::one_line(line, 20))
            }
            _ => format!("`{file}` is a file, not a symbol"),
        };
        return Error::new(Kind::NotFound, message)
            .hint(format!("`groma outline {file}` lists its symbols."));
    }
    // What was asked for is there, but of another kind or in another place.
    let elsewhere = query.find(reader).map_or(0, |found| found.len());
    if elsewhere > 0 {
        let message = format!("no symbol matches `{asked}` with this --kind and --in");
        return Error::new(Kind::NotFound, message)
            .hint(format!("Without them {elsewhere} would; `groma show {asked}` lists them."));
    }
    let error = Error::new(Kind::NotFound, format!("no symbol matches `{asked}`"));
    match query.nearest(reader).unwrap_or_default().as_slice() {
        [] => error.hint(match query.owner(reader).ok().flatten() {
            Some(owner) => format!("`groma show {owner}` lists its members."),
            None => "`groma outline <file>` lists the symbols of a file.".to_owned(),
        }),
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            error.hint(format!("Did you mean {}?", names.join(", ")))
        }
    }
}

fn render_one(shown: &Shown, page: &mut Page) {
    let place = format!("{}:{}", shown.path, shown.line);
    let project = shown.project.as_ref().map(|name| format!("[{}] ", text::visible(name)));
    page.line(format!(
        "{}{} {}  {}",
        project.unwrap_or_default(),
        styled(text::KIND, &shown.kind),
        styled(text::HEADING, &text::visible(&shown.qualified_name)),
        styled(text::PATH, &text::visible(&place)),
    ));
    page.line(format!("  {}", text::one_line(&shown.signature, 400)));
    let mut facts: Vec<String> = shown.visibility.iter().cloned().collect();
    facts.extend(shown.flags.iter().map(|&word| word.to_owned()));
    if let Some(complexity) = shown.complexity {
        facts.push(format!("complexity {complexity}"));
    }
    facts.push(format!("lines {}-{}", shown.line_start, shown.line_end));
    page.line(styled(text::DIM, &format!("  {}", facts.join(" · "))));
    for decorator in &shown.decorators {
        page.line(format!("  {}", text::one_line(decorator, 200)));
    }
    if let Some(value) = &shown.value {
        page.line(format!("  = {}", text::one_line(value, 200)));
    }
    if let Some(docs) = &shown.docs {
        for line in docs.lines() {
            page.line(format!("  {}", text::visible(line)).trim_end());
        }
    }
    if shown.members_left_out > 0 {
        page.line(styled(text::DIM, &format!("  {} members", shown.members_left_out)));
    }
    if !shown.members.is_empty() && shown.source.is_none() {
        page.line(styled(text::DIM, "  members"));
        for member in &shown.members {
            page.line(format!(
                "    {:>5}  {}",
                member.line,
                text::one_line(&member.signature, 160)
            ));
        }
    }
    let around =
        [("called by", &shown.callers), ("calls", &shown.callees), ("tests", &shown.tests)];
    for (what, neighbours) in around {
        let known = neighbours.as_ref().filter(|it| it.total > 0 || it.unlinked.is_some());
        if let Some(neighbours) = known {
            page.line(neighbour_line(what, neighbours));
        }
    }
    if shown.stale {
        page.line(styled(text::WARNING, "  the file has changed since it was indexed"));
    }
    if shown.missing {
        page.line(styled(text::WARNING, "  the file cannot be read"));
    }
    if let Some(source) = &shown.source {
        for (line, text) in (shown.line_start..).zip(source.lines()) {
            page.line(format!(
                "{} {}",
                styled(text::DIM, &format!("{line:>6}")),
                text::visible(text)
            ));
        }
    }
}

fn neighbour_line(what: &str, neighbours: &Neighbours) -> String {
    let names = neighbours.first.iter().map(|neighbour| {
        let name = neighbour.name.as_deref().unwrap_or("(top level)");
        let place = format!("{}:{}", neighbour.path, neighbour.line);
        format!("{} {}", text::visible(name), styled(text::PATH, &text::visible(&place)))
    });
    let names: Vec<String> = names.collect();
    let more = match neighbours.total - names.len() {
        0 => "",
        _ => ", …",
    };
    let least = |at_least| if at_least { "at least " } else { "" };
    let unlinked = neighbours.unlinked.map_or(String::new(), |unlinked| {
        let count = text::count(unlinked.total as u64);
        let note = format!(" · {}{count} of that name not linked", least(unlinked.at_least));
        styled(text::DIM, &note)
    });
    let colon = if names.is_empty() { "" } else { ": " };
    let count = format!("{what} {}{}{colon}", least(neighbours.at_least), neighbours.total);
    format!("  {}{}{more}{unlinked}", styled(text::DIM, &count), names.join(", "))
}
