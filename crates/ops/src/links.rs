//! Who uses a symbol, who calls it, what it calls: questions about links.
//!
//! Answers say what they could not see: uses of the same name that are not linked are counted, so that
//! nobody takes silence for certainty.

mod gather;
mod render;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::link_projects::ask_all;
use crate::text::Page;
use crate::{Operation, Request, Result, Skipped, SymbolQuery, Workspace};
pub(crate) use gather::unlinked_calls;
use gather::{Way, gather};
use render::render;

/// What the three questions have in common.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Symbols: `path#name`, id, `path:line`, `Owner.name` or `name`
    #[arg(required = true, value_name = "SYMBOL")]
    pub symbols: Vec<SymbolQuery>,
    /// How many steps to follow
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH))]
    #[serde(default = "one")]
    pub depth: u32,
    /// Only links found in this way: scope, import, declaration, package, member, inferred or only
    #[arg(long, value_name = "RUNG", value_parser = rung)]
    pub how: Option<String>,
    /// Only links at least this sure: certain, likely or possible
    #[arg(long, value_name = "LEVEL", default_value = "likely", value_parser = confidence)]
    #[serde(default = "likely")]
    pub min_confidence: String,
    /// Most places to list
    #[arg(long, default_value_t = 200)]
    #[serde(default = "many")]
    pub limit: usize,
    /// Only this project, without those that are linked
    #[arg(long)]
    #[serde(default)]
    pub no_links: bool,
}

impl Input {
    /// What is left out at the beginning counts beside what is listed.
    fn reach(&mut self, offset: usize) {
        self.limit = self.limit.saturating_add(offset);
    }
}

pub(crate) fn likely() -> String {
    model::Confidence::Likely.as_str().to_owned()
}

const fn many() -> usize {
    200
}

const fn one() -> u32 {
    1
}

/// Further than this nobody reads; `impact` follows links to their ends.
const MAX_DEPTH: i64 = 20;

fn rung(word: &str) -> std::result::Result<String, String> {
    known(word, model::How::ALL.iter().map(|how| how.as_str()))
}

pub(crate) fn confidence(word: &str) -> std::result::Result<String, String> {
    known(word, model::Confidence::ALL.iter().map(|level| level.as_str()))
}

fn known(
    word: &str,
    words: impl Iterator<Item = &'static str>,
) -> std::result::Result<String, String> {
    let words: Vec<&str> = words.collect();
    match words.contains(&word) {
        true => Ok(word.to_owned()),
        false => Err(format!("known are {}", words.join(", "))),
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The symbols that were meant, the first of them if they are many.
    pub symbols: Vec<Named>,
    /// How many were meant, if that is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_count: Option<usize>,
    /// Symbols on the other side of the links, with the places, in the order of paths and lines.
    pub found: Vec<Found>,
    pub ledger: Ledger,
    /// There are more than were asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Linked projects that could not be looked through.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped_projects: Vec<Skipped>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Named {
    /// The linked project it is in; none for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub key: String,
    pub kind: String,
    pub path: String,
    pub line: u32,
    pub signature: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Found {
    /// The linked project it is in; none for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// None for the top level of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<Named>,
    pub path: String,
    /// Steps from the symbol that was asked for, if more than one.
    #[serde(skip_serializing_if = "is_one")]
    pub distance: u32,
    /// The symbol it is one step from, where that is not the only one asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The declaration that is named in the call; which implementation runs is only known then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatch: Option<String>,
    /// It is a test, or stands in a file of tests; those come last.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_test: bool,
    pub sites: Vec<Site>,
}

fn is_one(number: &u32) -> bool {
    *number == 1
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Site {
    pub line: u32,
    pub column: u32,
    pub role: String,
    pub how: String,
    pub confidence: String,
    /// The line as it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What the answer could not see.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Ledger {
    /// Places in the answer.
    pub sites: usize,
    /// Those of them that are in tests.
    #[serde(skip_serializing_if = "is_zero")]
    pub in_tests: usize,
    /// Links that were left out because they are not sure enough, or found in another way.
    pub filtered: usize,
    /// Places that may mean one of several symbols, this one among them.
    pub ambiguous: usize,
    /// Places with the same name that lead nowhere.
    pub unresolved: usize,
    /// How many of the symbols that were meant were followed, where that is not all: the other counts, but for
    /// `unresolved`, are of those.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub followed: Option<usize>,
    /// Places that lead out of the project.
    #[serde(skip_serializing_if = "is_zero")]
    pub external: usize,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// List the uses of a symbol
///
/// Calls, types, imports, parents, reads and writes, grouped by the symbol they stand in.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(transparent)]
pub struct ReferencesInput {
    #[command(flatten)]
    pub question: Input,
}

/// List who calls a symbol
///
/// With the line of every call. A call of a declaration may run any of its implementations: those calls are
/// listed for an implementation too, and say so.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(transparent)]
pub struct CallersInput {
    #[command(flatten)]
    pub question: Input,
}

/// List what a symbol calls
///
/// With the line of every call, also those inside functions without a name in it. Where a declaration is called,
/// its implementations are listed too.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(transparent)]
pub struct CalleesInput {
    #[command(flatten)]
    pub question: Input,
}

#[derive(Debug)]
pub struct References;
#[derive(Debug)]
pub struct Callers;
#[derive(Debug)]
pub struct Callees;

impl Operation for References {
    const NAME: &'static str = "references";
    const EXAMPLES: &'static str = "\
  groma references Parser.parse            every use, by the symbol it stands in
  groma references Config --how import     only those found by an import
  groma references src/api.rs:42 --json";
    type Input = ReferencesInput;
    type Output = Output;
    const LIST: Option<&'static str> = Some("found");

    fn prepare(input: &mut ReferencesInput, request: &Request) {
        input.question.reach(request.offset);
    }

    fn run(workspace: &Workspace, input: ReferencesInput) -> Result<Output> {
        let question = &input.question;
        ask_all(workspace, !question.no_links, |reader| gather(reader, question, Way::Uses))
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        cited(output)
    }

    fn compact(output: &Output) -> Option<serde_json::Value> {
        Some(crate::link_rows::compact(output, false))
    }

    fn render(output: &Output, page: &mut Page) {
        render(output, "used", page);
    }
}

impl Operation for Callers {
    const NAME: &'static str = "callers";
    const EXAMPLES: &'static str = "\
  groma callers Store.get                        who calls it, with the lines
  groma callers parse render --depth 3           who calls either, and who calls those
  groma callers 'src/api.rs#handle' --json
  groma callers main --min-confidence possible   also what is only likely by its name";
    type Input = CallersInput;
    type Output = Output;
    const LIST: Option<&'static str> = Some("found");

    fn prepare(input: &mut CallersInput, request: &Request) {
        input.question.reach(request.offset);
    }

    fn run(workspace: &Workspace, input: CallersInput) -> Result<Output> {
        let question = &input.question;
        ask_all(workspace, !question.no_links, |reader| gather(reader, question, Way::Callers))
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        cited(output)
    }

    fn compact(output: &Output) -> Option<serde_json::Value> {
        Some(crate::link_rows::compact(output, false))
    }

    fn render(output: &Output, page: &mut Page) {
        render(output, "called", page);
    }
}

impl Operation for Callees {
    const NAME: &'static str = "callees";
    const EXAMPLES: &'static str = "\
  groma callees Server.start          what it calls, with the lines
  groma callees src/main.rs:10 --json";
    type Input = CalleesInput;
    type Output = Output;
    const LIST: Option<&'static str> = Some("found");

    fn prepare(input: &mut CalleesInput, request: &Request) {
        input.question.reach(request.offset);
    }

    fn run(workspace: &Workspace, input: CalleesInput) -> Result<Output> {
        let question = &input.question;
        ask_all(workspace, !question.no_links, |reader| gather(reader, question, Way::Callees))
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        cited(output)
    }

    fn compact(output: &Output) -> Option<serde_json::Value> {
        Some(crate::link_rows::compact(output, true))
    }

    fn render(output: &Output, page: &mut Page) {
        render(output, "calls", page);
    }
}

fn cited(output: &Output) -> Vec<String> {
    let symbols = output.symbols.iter().filter(|symbol| symbol.project.is_none());
    let found = output.found.iter().filter(|found| found.project.is_none());
    let mut paths: Vec<String> = symbols
        .map(|symbol| symbol.path.clone())
        .chain(found.map(|found| found.path.clone()))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}
