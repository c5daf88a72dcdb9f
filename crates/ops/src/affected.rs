//! The tests that a change needs.
//!
//! A test needs to run if its file reaches a changed file: over links and imports, over files that tests load
//! by themselves, and over files that code names in its texts (fixtures, templates, snapshots). Each test says
//! why, and how much that is worth.

mod commands;
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
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Operation, Result, Workspace};
pub use commands::Run;
use reach::{Needs, Reached};

/// List the tests that a change needs, and how to run them
///
/// Of named files, or of what differs between two states: the working tree and the last commit unless
/// a range says otherwise.
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
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub tests: Vec<Test>,
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
    /// A text names the changed file.
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
  git diff --name-only | groma affected --stdin --paths
  groma affected templates/mail.html --json";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("tests");

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let changed = changed(workspace, &input)?;
        let (_, reader) = workspace.reader()?;
        let mut output = affected(&reader, &changed, input.depth).map_err(unusable)?;
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
        Some(value)
    }

    fn render(output: &Output, page: &mut Page) {
        if output.only_paths {
            output.tests.iter().for_each(|test| page.line(text::visible(&test.path)));
            return;
        }
        for test in &output.tests {
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
        let note = format!(
            "{} of {} files with tests",
            text::count(output.tests.len() as u64),
            text::count(output.all_tests as u64)
        );
        page.line(styled(text::DIM, &note));
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
fn changed(workspace: &Workspace, input: &Input) -> Result<Vec<String>> {
    let project = workspace.project()?;
    let mut files = input.what.clone();
    if input.stdin {
        let lines = std::io::stdin().lock().lines().map_while(std::result::Result::ok);
        files.extend(lines.filter(|line| !line.trim().is_empty()));
    } else {
        let selection = Selection::of(workspace, &input.what, input.staged)?;
        if !selection.is_files {
            return Ok(selection.compare(workspace, &project)?.paths());
        }
    }
    let here = workspace.directory()?;
    let path = |file: &String| project.path_of(&here, file.as_ref());
    Ok(files.iter().map(|file| path(file).unwrap_or_else(|| file.clone())).collect())
}

/// The tests that need what changed, at most so many files away.
pub(crate) fn affected(
    reader: &Reader,
    changed: &[String],
    depth: u32,
) -> rusqlite::Result<Output> {
    let heads = reader.file_heads()?;
    let ids: FxHashMap<&str, i64> =
        heads.iter().map(|head| (head.path.as_str(), head.id)).collect();
    let needs = Needs::new(reader, &heads)?;
    let mut reached: FxHashMap<i64, Reached> = FxHashMap::default();
    let mut queue = VecDeque::new();
    let mut unknown = Vec::new();
    for path in changed {
        let Some(id) = ids.get(path.as_str()).copied() else {
            unknown.push(path.clone());
            let named = reach::naming(reader, path)?;
            queue.extend(named.into_iter().map(|file| (file, Reached::start(true))));
            continue;
        };
        queue.push_back((id, Reached::start(false)));
        // What has no definitions is used by its name.
        if reader.symbol_lines(id)?.is_empty() {
            let named = reach::naming(reader, path)?;
            queue.extend(named.into_iter().map(|file| (file, Reached::start(true).after(id))));
        }
    }
    needs.follow(queue, depth, &mut reached);
    needs.add_parts(&mut reached);
    answer(reader, &heads, &reached, unknown)
}

fn answer(
    reader: &Reader,
    heads: &[FileHead],
    reached: &FxHashMap<i64, Reached>,
    unknown: Vec<String>,
) -> rusqlite::Result<Output> {
    let by_id: FxHashMap<i64, &FileHead> = heads.iter().map(|head| (head.id, head)).collect();
    let inline: FxHashSet<i64> = reader.files_with_flag(SymbolFlags::TEST)?.into_iter().collect();
    let dynamic: FxHashSet<i64> = reader.files_with_dynamic_imports()?.into_iter().collect();
    let has_tests = |head: &FileHead| head.is_test || inline.contains(&head.id);
    let mut tests = Vec::new();
    for (id, state) in reached {
        let Some(head) = by_id.get(id).filter(|head| has_tests(head)) else { continue };
        let mut chain = Vec::new();
        let mut is_dynamic = false;
        let mut at = Some(*id);
        while let Some(file) = at {
            chain.extend(by_id.get(&file).map(|head| head.path.clone()));
            is_dynamic |= dynamic.contains(&file);
            at = reached.get(&file).and_then(|state| state.from);
        }
        let safety = match (state.is_heuristic, is_dynamic) {
            (true, _) => Safety::Heuristic,
            (false, true) => Safety::SafeButForReflection,
            (false, false) => Safety::Safe,
        };
        tests.push(Test {
            path: head.path.clone(),
            language: head.language.clone(),
            safety,
            distance: state.distance,
            chain,
        });
    }
    tests.sort_by(|a, b| (a.distance, a.safety, &a.path).cmp(&(b.distance, b.safety, &b.path)));
    let commands = commands::commands(reader, heads, &tests)?;
    let all_tests = heads.iter().filter(|head| has_tests(head)).count();
    Ok(Output { tests, all_tests, commands, unknown, only_paths: false })
}
