//! What changed between two states of a project, in symbols, and what that reaches.

mod compare;
mod moves;
mod prints;

use std::collections::BTreeMap;

use ::index::git::Comparison;
use ::index::{Job, Project, Silent, Version, versions};
use model::Confidence;
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::rusqlite;
use store::{Graph, Reader};

use crate::affected::{Edit, Safety, affected};
use crate::changed::Selection;
use crate::impact::{Hit, reached};
use crate::owners::Owners;
use crate::text::{self, Page, styled};
use crate::walk::{Direction, Ending, Node, Rules, Via};
use crate::workspace::unusable;
use crate::{Operation, Result, Workspace};
pub use compare::Change;
use compare::{Fate, FilePair};

/// Show which symbols a change touches, what they reach, and the tests and owners it needs
///
/// Compares the working tree with the last commit, or what is staged, or two states of the history. Symbols
/// are matched by their names and by what they say: modified, added, removed, renamed or moved.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// A range (`a..b`, `a...b`, one commit for the working tree since), files, directories or globs
    #[arg(value_name = "RANGE|FILE")]
    #[serde(default)]
    pub what: Vec<String>,
    /// What is staged, compared with the last commit
    #[arg(long)]
    #[serde(default)]
    pub staged: bool,
    /// Most steps from a changed symbol to what it reaches; 0 for none
    #[arg(long, default_value_t = DEFAULT_DEPTH)]
    #[serde(default = "default_depth")]
    pub depth: u32,
    /// Most symbols that are reached
    #[arg(long, default_value_t = DEFAULT_LIMIT)]
    #[serde(default = "default_limit")]
    pub limit: usize,
}

const DEFAULT_DEPTH: u32 = 2;
const DEFAULT_LIMIT: usize = 100;

const fn default_depth() -> u32 {
    DEFAULT_DEPTH
}

const fn default_limit() -> usize {
    DEFAULT_LIMIT
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The states that were compared.
    pub from: String,
    pub to: String,
    pub summary: Summary,
    pub files: Vec<FileChange>,
    pub symbols: Vec<SymbolChange>,
    /// Symbols and files that use what changed, what breaks most first.
    pub impacted: Vec<Impacted>,
    /// Files with tests that the change needs, the nearest first.
    pub tests: Vec<NeededTest>,
    /// How many of the changed files each owner has.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub owners: BTreeMap<String, usize>,
    #[serde(skip)]
    is_on_disk: bool,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Summary {
    pub files: usize,
    pub modified: usize,
    pub added: usize,
    pub removed: usize,
    pub renamed: usize,
    pub moved: usize,
    /// Symbols that others may rely on and that are gone, or not what they were.
    pub breaking: usize,
    pub impacted: usize,
    pub tests: usize,
    /// How many files with tests there are.
    pub all_tests: usize,
    /// Whether all that is reached is listed.
    pub complete: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FileChange {
    pub path: String,
    pub change: Change,
    /// The path it had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// Why its symbols are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SymbolChange {
    pub change: Change,
    pub key: String,
    /// The key it had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    pub kind: String,
    pub path: String,
    pub line: u32,
    /// What of it is another: kind, signature, visibility, decorators, body, docs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub what: Vec<&'static str>,
    pub is_public: bool,
    /// Others may rely on what is not there any more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub breaking: bool,
    pub signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_signature: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Impacted {
    /// Qualified name; none for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub kind: String,
    pub path: String,
    pub line: u32,
    pub distance: u32,
    /// How it is reached: a role, `dispatch` or `import`.
    pub by: &'static str,
    /// The changed symbol it is reached from.
    pub of: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_test: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct NeededTest {
    pub path: String,
    pub distance: u32,
    pub safety: Safety,
}

#[derive(Debug)]
pub struct Changes;

impl Operation for Changes {
    const NAME: &'static str = "changes";
    const EXAMPLES: &'static str = "\
  groma changes                       the working tree, compared with the last commit
  groma changes --staged              what the next commit would hold
  groma changes main...               this branch since it left main
  groma changes v1.0..v1.1 src/api    what became of a directory between two versions";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("symbols");
    const PAGED: bool = false;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let project = workspace.project()?;
        let selection = Selection::of(workspace, &input.what, input.staged)?;
        let mut compared = selection.compare(workspace, &project)?;
        let mut paths = compared.paths();
        let (project, reader) = workspace.reader()?;
        let pairs = file_pairs(workspace, &project, &reader, &mut compared)?;
        paths.extend(pairs.iter().filter_map(|pair| Some(pair.new.as_ref()?.path.clone())));
        paths.sort_unstable();
        paths.dedup();
        let fates = compare::fates(&pairs);
        let owners = Owners::of(&project);
        let mut output = Output {
            from: compared.from,
            to: compared.to,
            summary: Summary::default(),
            files: pairs.iter().map(|pair| file_change(pair, &owners)).collect(),
            symbols: fates.iter().map(symbol_change).collect(),
            impacted: Vec::new(),
            tests: Vec::new(),
            owners: BTreeMap::new(),
            is_on_disk: compared.is_on_disk,
        };
        for owner in output.files.iter().flat_map(|file| &file.owners) {
            *output.owners.entry(owner.clone()).or_insert(0) += 1;
        }
        let edits = edits(&pairs, &paths);
        reach(&reader, &input, &fates, &edits, &mut output).map_err(unusable)?;
        Ok(output)
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        match output.is_on_disk {
            true => output.files.iter().map(|file| file.path.clone()).collect(),
            false => Vec::new(),
        }
    }

    fn render(output: &Output, page: &mut Page) {
        render(output, page);
    }
}

/// The files that differ with their symbols, those that were renamed put together.
fn file_pairs(
    workspace: &Workspace,
    project: &Project,
    reader: &Reader,
    compared: &mut Comparison,
) -> Result<Vec<FilePair>> {
    let config = workspace.config(project)?;
    let job = Job {
        project,
        config: &config,
        pool: &workspace.kept.pool,
        progress: &Silent,
        interrupted: &workspace.interrupted,
        only: None,
        full: false,
        patience: std::time::Duration::ZERO,
    };
    let mut contents = Vec::new();
    let mut sides = Vec::new();
    for pair in std::mem::take(&mut compared.pairs) {
        sides.push((pair.old.is_some(), pair.new.is_some()));
        contents
            .extend([pair.old, pair.new].into_iter().flatten().map(|it| (pair.path.clone(), it)));
    }
    let mut versions = versions(&job, reader, contents)?.into_iter();
    let mut take =
        |is_there: bool| -> Option<Version> { if is_there { versions.next() } else { None } };
    let pairs = sides.into_iter().map(|(old, new)| FilePair { old: take(old), new: take(new) });
    Ok(compare::pair_files(pairs.collect()))
}

fn file_change(pair: &FilePair, owners: &Owners) -> FileChange {
    let path = |version: &Option<Version>| version.as_ref().map(|version| version.path.clone());
    let skipped = |version: &Option<Version>| version.as_ref().and_then(|it| it.skipped.clone());
    let was = path(&pair.old).filter(|_| pair.change() == Change::Renamed);
    let path = path(&pair.new).or(path(&pair.old)).unwrap_or_default();
    FileChange {
        owners: owners.of_file(&path).to_vec(),
        change: pair.change(),
        was,
        skipped: skipped(&pair.new).or(skipped(&pair.old)),
        path,
    }
}

fn symbol_change(fate: &Fate<'_>) -> SymbolChange {
    let change = fate.change();
    let item = fate.new.or(fate.old).expect("a symbol was or is");
    let old = fate.old.filter(|_| fate.new.is_some());
    let is_public = fate.new.is_some_and(|it| it.is_public());
    let was_public = fate.old.is_some_and(|it| it.is_public());
    let is_another = fate.what.iter().any(|it| matches!(*it, "kind" | "signature" | "visibility"));
    let old_signature = old.map(|old| old.state.signature.clone());
    SymbolChange {
        change,
        key: item.key(),
        was: old.map(|old| old.key()).filter(|key| *key != item.key()),
        kind: item.state.kind.as_str().to_owned(),
        path: item.version.path.clone(),
        line: item.state.line,
        what: fate.what.clone(),
        is_public: is_public || was_public,
        breaking: was_public && (change != Change::Modified || is_another),
        signature: item.state.signature.clone(),
        old_signature: old_signature.filter(|it| *it != item.state.signature),
    }
}

/// What became of each of the paths.
fn edits(pairs: &[FilePair], paths: &[String]) -> Vec<Edit> {
    fn text(version: Option<&Version>) -> Option<&str> {
        version.filter(|version| version.skipped.is_none()).map(|version| version.text.as_str())
    }
    let edit = |path: &String| {
        let is_it = |version: &Option<Version>| version.as_ref().is_some_and(|it| it.path == *path);
        let pair = pairs.iter().find(|pair| is_it(&pair.new));
        match pair.or_else(|| pairs.iter().find(|pair| is_it(&pair.old))) {
            Some(pair) => Edit::between(path, text(pair.old.as_ref()), text(pair.new.as_ref())),
            None => Edit::whole(path),
        }
    };
    paths.iter().map(edit).collect()
}

/// Adds what the changed symbols reach and the tests they need, as the index knows them.
fn reach(
    reader: &Reader,
    input: &Input,
    fates: &[Fate<'_>],
    edits: &[Edit],
    output: &mut Output,
) -> rusqlite::Result<()> {
    let needed = affected(reader, edits, 0, false)?;
    let test = |test: &crate::affected::Test| NeededTest {
        path: test.path.clone(),
        distance: test.distance,
        safety: test.safety,
    };
    output.tests = needed.tests.iter().map(test).collect();
    let start = indexed(reader, fates)?;
    let mut ending = Ending::Exhausted;
    if input.depth > 0 && !start.is_empty() {
        let graph = Graph::new(reader);
        let rules = Rules {
            via: Via::All,
            least: Confidence::Likely,
            depth: input.depth,
            limit: input.limit,
        };
        let (hits, end) = reached(&graph, &start, rules, Direction::Up)?;
        ending = end;
        output.impacted = hits.into_iter().map(impacted).collect();
    }
    let count = |change| output.symbols.iter().filter(|it| it.change == change).count();
    output.summary = Summary {
        files: output.files.len(),
        modified: count(Change::Modified),
        added: count(Change::Added),
        removed: count(Change::Removed),
        renamed: count(Change::Renamed),
        moved: count(Change::Moved),
        breaking: output.symbols.iter().filter(|it| it.breaking).count(),
        impacted: output.impacted.len(),
        tests: output.tests.len(),
        all_tests: needed.all_tests,
        complete: ending == Ending::Exhausted,
    };
    Ok(())
}

/// The symbols in the index that others may feel the change of.
fn indexed(reader: &Reader, fates: &[Fate<'_>]) -> rusqlite::Result<Vec<Node>> {
    let mut files: FxHashMap<&str, FxHashMap<(String, u32), i64>> = FxHashMap::default();
    let mut nodes = Vec::new();
    let mut seen = FxHashSet::default();
    for fate in fates {
        let is_felt = fate.what.iter().any(|it| *it != "docs") || fate.change() != Change::Modified;
        let (Some(new), Some(_), true) = (fate.new, fate.old, is_felt) else { continue };
        let path = new.version.path.as_str();
        if !files.contains_key(path) {
            files.insert(path, numbers(reader, path)?);
        }
        let name = (new.state.qualified_name.clone(), new.state.ordinal);
        if let Some(id) = files.get(path).and_then(|known| known.get(&name))
            && seen.insert(*id)
        {
            nodes.push(Node::Symbol(*id));
        }
    }
    Ok(nodes)
}

/// The symbols of a file of the index by name and ordinal.
fn numbers(reader: &Reader, path: &str) -> rusqlite::Result<FxHashMap<(String, u32), i64>> {
    let Some(file) = reader.file_id(path)? else { return Ok(FxHashMap::default()) };
    let outline = reader.outline(file)?.unwrap_or_default();
    let symbols = outline.symbols.into_iter().enumerate();
    Ok(symbols
        .map(|(number, it)| {
            ((it.qualified_name, it.ordinal), store::symbol_id(file, number as u32))
        })
        .collect())
}

fn impacted(hit: Hit) -> Impacted {
    Impacted {
        name: hit.place.name,
        kind: hit.place.kind,
        path: hit.place.path,
        line: hit.place.line,
        distance: hit.distance,
        by: hit.by,
        of: hit.chain.into_iter().next().unwrap_or_default(),
        is_test: hit.is_test,
    }
}

fn render(output: &Output, page: &mut Page) {
    let summary = &output.summary;
    let states = format!("{} → {}", output.from, output.to);
    page.line(styled(text::HEADING, &text::visible(&states)));
    for file in &output.files {
        let mut line =
            format!("{} {}", sign(file.change), styled(text::PATH, &text::visible(&file.path)));
        if let Some(was) = &file.was {
            line += &styled(text::DIM, &text::visible(&format!("  was {was}")));
        }
        let notes = file.owners.iter().map(String::as_str).chain(file.skipped.as_deref());
        let notes: Vec<&str> = notes.collect();
        if !notes.is_empty() {
            line += &styled(text::DIM, &text::visible(&format!("  {}", notes.join(" "))));
        }
        page.line(line);
        for symbol in output.symbols.iter().filter(|symbol| symbol.path == file.path) {
            render_symbol(symbol, page);
        }
    }
    // Symbols of a file that was renamed may have left under its old path.
    let is_listed = |symbol: &&SymbolChange| output.files.iter().any(|it| it.path == symbol.path);
    for symbol in output.symbols.iter().filter(|symbol| !is_listed(symbol)) {
        render_symbol(symbol, page);
    }
    if !output.impacted.is_empty() {
        page.line(styled(text::HEADING, "reaches"));
    }
    for hit in &output.impacted {
        let place = styled(text::PATH, &text::visible(&format!("{}:{}", hit.path, hit.line)));
        let name = hit.name.as_deref().map(text::visible).unwrap_or_default();
        let how = format!("{} of {}", hit.by, hit.of);
        page.line(format!(
            "{}{} {name}  {place}  {}",
            "  ".repeat(hit.distance.min(12) as usize),
            styled(text::KIND, &hit.kind),
            styled(text::DIM, &text::visible(&how)),
        ));
    }
    if !output.tests.is_empty() {
        page.line(styled(text::HEADING, "tests"));
    }
    for test in output.tests.iter().take(SHOWN_TESTS) {
        page.line(format!("  {}", styled(text::PATH, &text::visible(&test.path))));
    }
    if output.tests.len() > SHOWN_TESTS {
        let more = output.tests.len() - SHOWN_TESTS;
        let note = format!("  and {more} more; `groma affected` says why, and how to run them");
        page.line(styled(text::DIM, &note));
    }
    render_summary(output, summary, page);
}

/// Tests that people are shown; all are in JSON.
const SHOWN_TESTS: usize = 12;

fn render_summary(output: &Output, summary: &Summary, page: &mut Page) {
    let counted = [
        (summary.modified, "modified"),
        (summary.added, "added"),
        (summary.removed, "removed"),
        (summary.renamed, "renamed"),
        (summary.moved, "moved"),
        (summary.breaking, "breaking"),
    ];
    let counted: Vec<String> = counted
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", text::count(*count as u64)))
        .collect();
    let what = if counted.is_empty() { "no symbol".to_owned() } else { counted.join(", ") };
    let more = if summary.complete { "" } else { ", more beyond --depth or --limit" };
    page.line(styled(
        text::DIM,
        &format!(
            "{} files: {what}; {} reached{more}; {} of {} files with tests",
            text::count(summary.files as u64),
            text::count(summary.impacted as u64),
            text::count(summary.tests as u64),
            text::count(summary.all_tests as u64),
        ),
    ));
    if !output.owners.is_empty() {
        let owners = output.owners.iter().map(|(owner, files)| format!("{owner} {files}"));
        let owners = owners.collect::<Vec<_>>().join(", ");
        page.line(styled(text::DIM, &text::visible(&format!("owners: {owners}"))));
    }
}

fn render_symbol(symbol: &SymbolChange, page: &mut Page) {
    let name = symbol.key.split_once('#').map_or(symbol.key.as_str(), |(_, name)| name);
    let mut notes = symbol.what.join(", ");
    if let Some(was) = &symbol.was {
        let before = if notes.is_empty() { "" } else { "; " };
        let shown = was.strip_prefix(&format!("{}#", symbol.path)).unwrap_or(was);
        notes += &format!("{before}was {shown}");
    }
    let breaking = match symbol.breaking {
        true => styled(text::WARNING, "  breaking"),
        false => String::new(),
    };
    page.line(format!(
        "  {} {} {}:{}  {}{breaking}",
        sign(symbol.change),
        styled(text::KIND, &symbol.kind),
        text::visible(name),
        symbol.line,
        styled(text::DIM, &text::visible(&notes)),
    ));
    if let Some(old) = &symbol.old_signature {
        page.line(styled(text::DIM, &format!("      - {}", text::one_line(old, 160))));
        let new = text::one_line(&symbol.signature, 160);
        page.line(styled(text::DIM, &format!("      + {new}")));
    }
}

fn sign(change: Change) -> char {
    match change {
        Change::Modified => '~',
        Change::Added => '+',
        Change::Removed => '-',
        Change::Renamed => '=',
        Change::Moved => '>',
    }
}
