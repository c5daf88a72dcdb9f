//! The tests that a change needs.
//!
//! A test may need to run if its file reaches a changed file: over links and imports, over files that tests load
//! by themselves, and over files that code names in its texts (fixtures, templates, modules in settings). Each
//! test says why, and how much that is worth. Where nearly all tests reach nearly all files, the order says
//! which of them the change is likely to concern ([`likely`]); whoever has no time for all asks for those alone.

mod commands;
mod edit;
mod likely;
mod naming;
mod reach;

use std::collections::VecDeque;
use std::io::BufRead;

use model::SymbolFlags;
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::rusqlite;
use store::{FileHead, Reader};

use crate::changed::Selection;
use crate::manifests;
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Operation, Result, Workspace};
use ::index::git::Pair;
use ::index::read::Content;
pub use commands::Run;
pub(crate) use edit::Edit;
use likely::{Candidate, Choice};
use naming::{Names, TestNames};
use reach::{Needs, Reached};

/// List the tests that a change needs, and how to run them
///
/// Of named files, or of what differs between two states: the working tree and the last commit unless
/// a range says otherwise. Every test from which links and imports lead to the change, those first that have
/// most to do with it; `--likely` selects them alone.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Changed files, or a range: `a..b`, `a...b`, one commit for the working tree since
    #[arg(value_name = "RANGE|FILE")]
    #[serde(default)]
    pub what: Vec<String>,
    /// What is staged, compared with the last commit
    #[arg(long, conflicts_with = "stdin")]
    #[serde(default)]
    pub staged: bool,
    /// Read changed files from standard input, one on a line
    #[arg(long)]
    #[serde(default, skip)]
    pub stdin: bool,
    /// Only the paths of the tests, one on a line
    #[arg(long)]
    #[serde(default)]
    pub paths: bool,
    /// Most steps from a test to a changed file; 0 is without end
    #[arg(long, default_value_t = 0)]
    #[serde(default)]
    pub depth: u32,
    /// Only tests that have most to do with the change: a guess, which may leave out one that fails
    #[arg(long)]
    #[serde(default)]
    pub likely: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The most likely to be concerned first.
    pub tests: Vec<Test>,
    /// How many more reach the change and were left out, because only likely ones were asked for.
    pub left_out: usize,
    /// How many files with tests there are.
    pub all_tests: usize,
    /// How to run the ones that are needed.
    pub commands: Vec<Run>,
    /// Changed files that the index does not know: what they need cannot be said.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    #[serde(skip)]
    only_paths: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Test {
    pub path: String,
    pub language: String,
    pub safety: Safety,
    /// Steps to the changed file.
    pub distance: u32,
    /// From the test to the changed file.
    pub chain: Vec<String>,
}

/// How much the reason for a test is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Safety {
    /// Links and imports lead to the change.
    Safe,
    /// So they do, but a file on the way also loads others by names that are made while it runs.
    SafeButForReflection,
    /// A text names the changed file or what it is loaded by, or the test is called after it.
    Heuristic,
}

impl Safety {
    /// What is said of it behind a test; nothing of what is safe.
    fn mark(self) -> &'static str {
        match self {
            Self::Safe => "",
            Self::SafeButForReflection => "  (safe but for reflection)",
            Self::Heuristic => "  (heuristic)",
        }
    }
}

#[derive(Debug)]
pub struct Affected;

impl Operation for Affected {
    const NAME: &'static str = "affected";
    const EXAMPLES: &'static str = "\
  groma affected                              the tests that the working tree needs
  groma affected main...                      those of this branch since it left main
  groma affected src/store.rs src/api.rs      those of some files
  groma affected --likely                     fewer, for a quick look: the rest can wait for CI
  git diff --name-only | groma affected --stdin --paths
  groma affected templates/mail.html --json";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("tests");

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let changed = changed(workspace, &input)?;
        let (_, reader) = workspace.reader()?;
        let mut output =
            affected(&reader, &changed, input.depth, input.likely).map_err(unusable)?;
        output.only_paths = input.paths;
        Ok(output)
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        output.tests.iter().take(200).map(|test| test.path.clone()).collect()
    }

    /// One text for each test: its path and what lies between it and the change.
    fn compact(output: &Output) -> Option<serde_json::Value> {
        let row = |test: &Test| {
            let mut row = test.path.clone();
            if let [_, between @ .., _] = test.chain.as_slice()
                && !between.is_empty()
            {
                row.push_str(&format!(" by {}", between.join(" by ")));
            }
            row.push_str(test.safety.mark());
            row
        };
        let mut value = serde_json::json!({
            "tests": output.tests.iter().map(row).collect::<Vec<_>>(),
            "all_tests": output.all_tests,
            "commands": output.commands,
        });
        if !output.unknown.is_empty() {
            value["unknown"] = output.unknown.clone().into();
        }
        if output.left_out > 0 {
            value["left_out"] = output.left_out.into();
        }
        Some(value)
    }

    fn render(output: &Output, page: &mut Page) {
        if output.only_paths {
            for test in &output.tests {
                page.item();
                page.line(text::visible(&test.path));
            }
            return;
        }
        for test in &output.tests {
            page.item();
            let safety = test.safety.mark();
            let why = match test.chain.len() {
                0 | 1 => "changed".to_owned(),
                _ => test.chain[1..].join(" → "),
            };
            page.line(format!(
                "{}  {}",
                styled(text::PATH, &text::visible(&test.path)),
                styled(text::DIM, &text::visible(&format!("{why}{safety}"))),
            ));
        }
        page.end_items();
        let note = format!(
            "{} of {} files with tests",
            text::count(output.tests.len() as u64),
            text::count(output.all_tests as u64)
        );
        page.line(styled(text::DIM, &note));
        if output.left_out > 0 {
            let count = text::count(output.left_out as u64);
            let note = format!("{count} more reach the change and seem to have less to do with it");
            page.line(styled(text::DIM, &note));
        }
        for run in &output.commands {
            let place =
                if run.directory.is_empty() { ".".to_owned() } else { run.directory.clone() };
            page.line(format!("  {} $ {}", styled(text::DIM, &place), text::visible(&run.command)));
        }
        for unknown in &output.unknown {
            let note = format!("not in the index: {}", text::visible(unknown));
            page.line(styled(text::WARNING, &note));
        }
    }
}

/// What is asked for: files as they are named, or what differs between two states.
fn changed(workspace: &Workspace, input: &Input) -> Result<Vec<Edit>> {
    let project = workspace.project()?;
    let mut files = input.what.clone();
    if input.stdin {
        let lines = std::io::stdin().lock().lines().map_while(std::result::Result::ok);
        files.extend(lines.filter(|line| !line.trim().is_empty()));
    } else {
        let selection = Selection::of(workspace, &input.what, input.staged)?;
        if !selection.is_files {
            let compared = selection.compare(workspace, &project)?;
            let edit = |pair: &Pair| {
                Edit::between(&pair.path, text_of(pair.old.as_ref()), text_of(pair.new.as_ref()))
            };
            return Ok(compared.pairs.iter().map(edit).collect());
        }
    }
    let here = workspace.directory()?;
    let path = |file: &String| project.path_of(&here, file.as_ref());
    Ok(files.iter().map(|file| Edit::whole(&path(file).unwrap_or_else(|| file.clone()))).collect())
}

fn text_of(content: Option<&Content>) -> Option<&str> {
    match content? {
        Content::Text { text, .. } => Some(text),
        Content::Skipped { .. } => None,
    }
}

/// The tests that need what changed, at most so many files away.
pub(crate) fn affected(
    reader: &Reader,
    changed: &[Edit],
    depth: u32,
    only_likely: bool,
) -> rusqlite::Result<Output> {
    let heads = reader.file_heads()?;
    let known: FxHashMap<&str, &FileHead> =
        heads.iter().map(|head| (head.path.as_str(), head)).collect();
    let needs = Needs::new(reader, &heads)?;
    let inline: FxHashSet<i64> = reader.files_with_flag(SymbolFlags::TEST)?.into_iter().collect();
    let with_tests: Vec<&FileHead> =
        heads.iter().filter(|head| has_tests(head, &needs, &inline)).collect();
    let names = Names::of(&heads);
    let mut reached: FxHashMap<i64, Reached> = FxHashMap::default();
    let mut queue = VecDeque::new();
    let mut unknown = Vec::new();
    let mut edits = Vec::new();
    for edit in changed {
        let Some(head) = known.get(edit.path.as_str()).copied() else {
            unknown.push(edit.path.clone());
            let named = naming::naming(reader, &names, &edit.path)?;
            queue.extend(named.into_iter().map(|file| (file, Reached::start(true))));
            continue;
        };
        edits.push((head.id, head, edit));
        queue.push_back((head.id, Reached::start(false)));
        if manifests::is_of_package(&head.path) && !edit.is_version() {
            let after = Reached::start(false).after(head.id);
            let package = needs.of_package(head, &with_tests);
            queue.extend(package.into_iter().map(|file| (file, after)));
        }
    }
    // What links lead to comes before what names do, so that a chain is no worse than it must be.
    needs.follow(queue, depth, &mut reached);
    let test_names = TestNames::of(&names, &with_tests);
    let mut named = VecDeque::new();
    for (id, head, _) in &edits {
        let after = Reached::start(true).after(*id);
        // What has no definitions is used by its name.
        let by = match reader.symbol_lines(*id)?.is_empty() {
            true => naming::naming(reader, &names, &head.path)?,
            false if head.is_test || edits.len() > MAX_NAMED => Vec::new(),
            false => naming::naming_module(reader, head)?,
        };
        let called = if head.is_test { Vec::new() } else { test_names.called_after(head) };
        named.extend(by.into_iter().chain(called).map(|file| (file, after)));
    }
    needs.follow(named, depth, &mut reached);
    let loading = needs.loading(reader, &heads, &reached)?;
    needs.follow(loading, depth, &mut reached);
    needs.add_parts(&mut reached);
    let candidates: Vec<Candidate<'_>> = with_tests
        .iter()
        .filter_map(|head| {
            let state = *reached.get(&head.id)?;
            let runs_program = needs.runs_reached(head.id, &reached);
            let root = chain(head.id, &reached).last().unwrap_or(head.id);
            Some(Candidate { head, state, is_apart: head.is_test, runs_program, root })
        })
        .collect();
    let apart = with_tests.iter().filter(|head| head.is_test).count();
    let counts = (apart, with_tests.len() - apart);
    let choice = likely::choose(reader, &needs, &edits, &candidates, counts)?;
    let mut output = answer(reader, &names, &reached, &candidates, &choice, only_likely)?;
    output.all_tests = with_tests.len();
    output.unknown = unknown;
    Ok(output)
}

/// The files from one to the changed one it reaches.
fn chain(file: i64, reached: &FxHashMap<i64, Reached>) -> impl Iterator<Item = i64> {
    std::iter::successors(Some(file), |file| reached.get(file).and_then(|state| state.from))
}

/// More changed files are not looked for in texts.
const MAX_NAMED: usize = 20;

/// Whether a runner finds tests in a file. What lies among tests, holds none and has nothing to do with other
/// files is data.
fn has_tests(head: &FileHead, needs: &Needs, inline: &FxHashSet<i64>) -> bool {
    let has_some = inline.contains(&head.id);
    if !head.is_test {
        return has_some;
    }
    let language = languages::Registry::builtin().get(&head.language);
    match language.filter(|language| !language.table.tests.collected.is_empty()) {
        Some(language) => {
            let name = head.path.rsplit('/').next().unwrap_or(&head.path);
            language.collected_tests.is_match(name) || has_some && needs.uses_others(head.id)
        }
        None => has_some || needs.is_linked(head.id),
    }
}

fn answer(
    reader: &Reader,
    names: &Names<'_>,
    reached: &FxHashMap<i64, Reached>,
    candidates: &[Candidate<'_>],
    choice: &Choice,
    only_likely: bool,
) -> rusqlite::Result<Output> {
    let dynamic: FxHashSet<i64> = reader.files_with_dynamic_imports()?.into_iter().collect();
    let selected = choice.selected.as_ref().filter(|_| only_likely);
    let is_selected = |id: i64| selected.is_none_or(|selected| selected.contains(&id));
    let mut tests = Vec::new();
    for Candidate { head, state, .. } in candidates.iter().filter(|it| is_selected(it.head.id)) {
        let files: Vec<i64> = chain(head.id, reached).collect();
        let is_dynamic = files.iter().any(|file| dynamic.contains(file));
        let chain = files.iter().filter_map(|file| Some(names.path(*file)?.to_owned())).collect();
        let safety = match (state.is_heuristic, is_dynamic) {
            (true, _) => Safety::Heuristic,
            (false, true) => Safety::SafeButForReflection,
            (false, false) => Safety::Safe,
        };
        let test = Test {
            path: head.path.clone(),
            language: head.language.clone(),
            safety,
            distance: state.distance,
            chain,
        };
        tests.push((choice.scores.get(&head.id).copied().unwrap_or(0.0), test));
    }
    tests.sort_by(|(a_score, a), (b_score, b)| {
        let nearer = || (a.distance, a.safety, &a.path).cmp(&(b.distance, b.safety, &b.path));
        // What changed itself comes first.
        let is_other = (a.distance > 0).cmp(&(b.distance > 0));
        is_other.then(b_score.total_cmp(a_score)).then_with(nearer)
    });
    let tests: Vec<Test> = tests.into_iter().map(|(_, test)| test).collect();
    let commands = commands::commands(reader, names.heads, &tests)?;
    let left_out = candidates.len() - tests.len();
    Ok(Output { tests, left_out, all_tests: 0, commands, unknown: Vec::new(), only_paths: false })
}
