//! Who uses a symbol, who calls it, what it calls: questions about links.
//!
//! Answers say what they could not see: uses of the same name that are not linked are counted, so that
//! nobody takes silence for certainty.

use serde::{Deserialize, Serialize};
use store::Reader;
use store::rusqlite::{self, Row, ToSql};

use crate::link_projects::ask_all;
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Operation, Result, Skipped, SymbolQuery, Workspace};

/// What the three questions have in common.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Symbol: `path#name`, id, `path:line`, `Owner.name` or `name`
    pub symbol: SymbolQuery,
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

pub(crate) fn likely() -> String {
    model::Confidence::Likely.as_str().to_owned()
}

const fn many() -> usize {
    200
}

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

#[derive(Debug, Serialize)]
pub struct Output {
    /// The symbols that were meant.
    pub symbols: Vec<Named>,
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
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

#[derive(Debug, Serialize)]
pub struct Found {
    /// The linked project it is in; none for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// None for the top level of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<Named>,
    pub path: String,
    pub sites: Vec<Site>,
}

#[derive(Debug, Serialize)]
pub struct Site {
    pub line: u32,
    pub column: u32,
    pub role: String,
    pub how: String,
    pub confidence: String,
}

/// What the answer could not see.
#[derive(Debug, Default, Serialize)]
pub struct Ledger {
    /// Places in the answer.
    pub sites: usize,
    /// Links that were left out because they are not sure enough, or found in another way.
    pub filtered: usize,
    /// Places that may mean one of several symbols, this one among them.
    pub ambiguous: usize,
    /// Places with the same name that lead nowhere.
    pub unresolved: usize,
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
/// With the line of every call. A call through an interface leads to its declaration; ask for that one too.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(transparent)]
pub struct CallersInput {
    #[command(flatten)]
    pub question: Input,
}

/// List what a symbol calls
///
/// With the line of every call, also those inside functions without a name in it.
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

/// Roles that are calls.
pub(crate) const CALLS: &str = "('call', 'decorate', 'macro')";

impl Operation for References {
    const NAME: &'static str = "references";
    const EXAMPLES: &'static str = "\
  groma references Parser.parse            every use, by the symbol it stands in
  groma references Config --how import     only those found by an import
  groma references src/api.rs:42 --json";
    type Input = ReferencesInput;
    type Output = Output;
    const LIST: Option<&'static str> = Some("found");

    fn run(workspace: &Workspace, input: ReferencesInput) -> Result<Output> {
        let question = &input.question;
        ask_all(workspace, !question.no_links, |reader| users(reader, question, "1"))
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
  groma callers 'src/api.rs#handle' --json
  groma callers main --min-confidence possible   also what is only likely by its name";
    type Input = CallersInput;
    type Output = Output;
    const LIST: Option<&'static str> = Some("found");

    fn run(workspace: &Workspace, input: CallersInput) -> Result<Output> {
        let question = &input.question;
        let calls = format!("l.role IN {CALLS}");
        ask_all(workspace, !question.no_links, |reader| users(reader, question, &calls))
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

    fn run(workspace: &Workspace, input: CalleesInput) -> Result<Output> {
        let question = &input.question;
        ask_all(workspace, !question.no_links, |reader| callees(reader, question))
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

/// The symbols that are asked for.
fn meant(reader: &Reader, question: &Input) -> Result<Vec<i64>> {
    let ids = question.symbol.find(reader).map_err(unusable)?;
    if ids.is_empty() {
        return Err(crate::show::not_found(reader, &question.symbol));
    }
    Ok(ids)
}

/// One link, and the symbol on its other side.
struct Link {
    other: Option<i64>,
    path: String,
    outcome: String,
    site: Site,
}

fn users(reader: &Reader, question: &Input, condition: &str) -> Result<Output> {
    let ids = meant(reader, question)?;
    let mut rows = Vec::new();
    for id in &with_constructors(reader, &ids).map_err(unusable)? {
        let sql = format!(
            "SELECT l.symbol_id, f.path, l.outcome, l.line, l.column, l.role, l.how, l.confidence
             FROM links AS l JOIN files AS f ON f.id = l.file_id
             WHERE l.target_id = ?1 AND {condition}"
        );
        rows.extend(select(reader, &sql, &[id]).map_err(unusable)?);
    }
    let mut ledger = Ledger::default();
    let unresolved = unresolved(reader, &ids, condition).map_err(unusable)?;
    ledger.unresolved = unresolved;
    assemble(reader, question, &ids, rows, ledger).map_err(unusable)
}

/// The same with the constructors of types: who makes a value of a type uses the type, although the link
/// leads to the constructor.
pub(crate) fn with_constructors(reader: &Reader, ids: &[i64]) -> rusqlite::Result<Vec<i64>> {
    let mut all = ids.to_vec();
    for id in ids {
        let mut statement = reader.connection().prepare_cached(
            "SELECT id FROM symbol WHERE id BETWEEN ?1 & ~16777215 AND ?1 | 16777215
                 AND owner = ?1 & 16777215 AND kind = 'constructor'",
        )?;
        for constructor in statement.query_map([id], |row| row.get(0))? {
            all.push(constructor?);
        }
    }
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// References with the name of one of the symbols that lead nowhere.
fn unresolved(reader: &Reader, ids: &[i64], condition: &str) -> rusqlite::Result<usize> {
    let mut names: Vec<String> = Vec::new();
    for id in ids {
        let name = named(reader, *id)?.1;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut count = 0;
    for name in names {
        let sql = format!(
            "SELECT count(*) FROM (SELECT DISTINCT file_id FROM refs WHERE name = ?1) AS w
             JOIN links AS l ON l.file_id = w.file_id
             WHERE l.name = ?1 AND l.outcome = 'unresolved' AND {condition}"
        );
        count += reader
            .connection()
            .prepare_cached(&sql)?
            .query_row([&name], |row| row.get::<_, i64>(0))? as usize;
    }
    Ok(count)
}

fn callees(reader: &Reader, question: &Input) -> Result<Output> {
    let ids = meant(reader, question)?;
    let mut rows = Vec::new();
    let mut ledger = Ledger::default();
    for id in &ids {
        let sql = format!(
            "WITH RECURSIVE inside(id) AS (
                 SELECT ?1 UNION ALL
                 SELECT s.id FROM symbol AS s JOIN inside AS i
                     ON s.id BETWEEN i.id & ~16777215 AND i.id | 16777215
                    AND s.owner = i.id & 16777215)
             SELECT l.target_id, f.path, l.outcome, l.line, l.column, l.role, l.how, l.confidence
             FROM links AS l JOIN files AS f ON f.id = l.file_id
             WHERE l.file_id = ?1 >> 24 AND l.role IN {CALLS} AND l.symbol_id IN inside"
        );
        rows.extend(select(reader, &sql, &[id]).map_err(unusable)?);
    }
    rows.retain(|row| {
        match row.outcome.as_str() {
            "unresolved" => ledger.unresolved += 1,
            "external" => ledger.external += 1,
            "resolved" | "ambiguous" => return true,
            _ => {}
        }
        false
    });
    assemble(reader, question, &ids, rows, ledger).map_err(unusable)
}

fn select(reader: &Reader, sql: &str, parameters: &[&dyn ToSql]) -> rusqlite::Result<Vec<Link>> {
    let text = |row: &Row<'_>, at| row.get::<_, Option<String>>(at).map(Option::unwrap_or_default);
    reader
        .connection()
        .prepare_cached(sql)?
        .query_map(parameters, |row| {
            Ok(Link {
                other: row.get(0)?,
                path: row.get(1)?,
                outcome: row.get(2)?,
                site: Site {
                    line: row.get(3)?,
                    column: row.get(4)?,
                    role: row.get(5)?,
                    how: text(row, 6)?,
                    confidence: text(row, 7)?,
                },
            })
        })?
        .collect()
}

fn assemble(
    reader: &Reader,
    question: &Input,
    ids: &[i64],
    rows: Vec<Link>,
    mut ledger: Ledger,
) -> rusqlite::Result<Output> {
    let least = model::Confidence::parse(&question.min_confidence);
    let mut groups: std::collections::BTreeMap<(String, Option<i64>), Vec<Site>> =
        std::collections::BTreeMap::new();
    for row in rows {
        if row.outcome == "ambiguous" {
            ledger.ambiguous += 1;
            continue;
        }
        let is_sure = model::Confidence::parse(&row.site.confidence) <= least;
        let is_meant = question.how.as_ref().is_none_or(|how| *how == row.site.how);
        if !is_sure || !is_meant {
            ledger.filtered += 1;
            continue;
        }
        groups.entry((row.path, row.other)).or_default().push(row.site);
    }
    let mut found = Vec::new();
    let mut left = question.limit;
    let total: usize = groups.values().map(Vec::len).sum();
    for ((path, other), mut sites) in groups {
        sites.sort_by_key(|site| (site.line, site.column));
        sites.truncate(left);
        left -= sites.len();
        if sites.is_empty() {
            continue;
        }
        let symbol = other.map(|id| named(reader, id)).transpose()?.map(|(symbol, _)| symbol);
        found.push(Found { project: None, symbol, path, sites });
    }
    ledger.sites = found.iter().map(|found| found.sites.len()).sum();
    let mut symbols = Vec::new();
    for id in ids {
        symbols.push(named(reader, *id)?.0);
    }
    let truncated = ledger.sites < total;
    Ok(Output { symbols, found, ledger, truncated, skipped_projects: Vec::new() })
}

fn named(reader: &Reader, id: i64) -> rusqlite::Result<(Named, String)> {
    reader
        .connection()
        .prepare_cached(
            "SELECT key, kind, file_path, line, signature, name FROM symbols WHERE id = ?1",
        )?
        .query_row([id], |row| {
            let symbol = Named {
                project: None,
                key: row.get(0)?,
                kind: row.get(1)?,
                path: row.get(2)?,
                line: row.get(3)?,
                signature: row.get(4)?,
            };
            Ok((symbol, row.get(5)?))
        })
}

fn render(output: &Output, verb: &str, page: &mut Page) {
    let label = |project: &Option<String>| match project {
        Some(name) => format!("[{}] ", text::visible(name)),
        None => String::new(),
    };
    for symbol in &output.symbols {
        page.line(format!(
            "{}{} {}  {}",
            label(&symbol.project),
            styled(text::KIND, &symbol.kind),
            styled(text::HEADING, &text::visible(name_of(symbol))),
            styled(text::PATH, &text::visible(&format!("{}:{}", symbol.path, symbol.line))),
        ));
    }
    page.blank();
    if output.found.is_empty() {
        page.line(styled(text::DIM, &format!("nothing is {verb} as far as links are known")));
    }
    for found in &output.found {
        let name = found.symbol.as_ref().map_or("(top level)", |symbol| name_of(symbol));
        let lines: Vec<String> = found.sites.iter().map(|site| site.line.to_string()).collect();
        let place = match (&found.symbol, verb) {
            // A callee is somewhere else than the calls.
            (Some(symbol), "calls") => format!("{}:{}", symbol.path, symbol.line),
            _ => format!("{}:{}", found.path, lines[0]),
        };
        let lines = match lines.len() {
            1 if verb != "calls" => String::new(),
            _ => format!("  lines {}", lines.join(", ")),
        };
        page.line(format!(
            "  {}{}  {}{}",
            label(&found.project),
            styled(text::HEADING, &text::visible(name)),
            styled(text::PATH, &text::visible(&place)),
            styled(text::DIM, &lines),
        ));
    }
    page.blank();
    page.line(styled(text::DIM, &summary(output)));
    for skipped in &output.skipped_projects {
        page.line(styled(text::WARNING, &skipped.to_string()));
    }
}

fn name_of(symbol: &Named) -> &str {
    symbol.key.split_once('#').map_or(symbol.key.as_str(), |(_, name)| name)
}

fn summary(output: &Output) -> String {
    let ledger = &output.ledger;
    let mut parts = vec![format!("{} places", ledger.sites)];
    if output.truncated {
        parts.push("more with --limit".to_owned());
    }
    let mut note = |count: usize, what: &str| {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    };
    note(ledger.ambiguous, "ambiguous");
    note(ledger.filtered, "filtered");
    note(ledger.external, "external");
    note(ledger.unresolved, "of that name not linked");
    parts.join(" · ")
}
