//! A task in words, and the code that matters for it, packed into a budget of tokens.

mod pack;
mod task;
mod template;

use std::io::Read;

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Definition, Reader};

use crate::answer::Format;
use crate::search::Conditions;
use crate::search::rank::{self, Given, Mode, RankedFile};
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Error, Kind, Operation, Request, Result, Workspace};
use pack::{Candidate, Level};
use task::{Intent, Named, Task};

/// Find the code that matters for a task, packed into a budget of tokens
///
/// The task is a sentence or the text of a whole issue. Paths, modules, names of code and stack traces in
/// it count most. What matters most is told in most detail: name, signature, documentation, key lines,
/// body.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The task in words; `-` reads it from standard input
    #[arg(required = true, num_args = 1.., value_name = "TASK")]
    #[serde(deserialize_with = "crate::search::one_or_many")]
    pub task: Vec<String>,
    /// Most files to tell of
    #[arg(long, default_value_t = DEFAULT_FILES, value_name = "N")]
    #[serde(default = "default_files")]
    pub files: usize,
    #[arg(skip)]
    #[serde(skip)]
    budget: Budget,
}

const DEFAULT_FILES: usize = 20;

fn default_files() -> usize {
    DEFAULT_FILES
}

/// Tokens to fill, and what each item costs besides its text.
#[derive(Debug, Clone, Copy)]
struct Budget {
    tokens: usize,
    item: usize,
    file: usize,
}

/// Without another word, so many tokens.
const DEFAULT_TOKENS: usize = 4000;
/// Kept back for what frames the answer.
const FRAME: usize = 120;

impl Default for Budget {
    fn default() -> Self {
        Self { tokens: DEFAULT_TOKENS, item: 8, file: 8 }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub intent: Intent,
    pub files: Vec<File>,
    pub left_out: LeftOut,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct File {
    pub path: String,
    /// Why it is here, beyond its words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
    pub symbols: Vec<Told>,
}

/// A symbol, in some detail.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Told {
    pub name: String,
    pub kind: String,
    pub line_start: u32,
    pub line_end: u32,
    pub level: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs: Option<String>,
    /// Lines with words of the task, each with its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// What would have been told next, and how to get it.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct LeftOut {
    pub files: usize,
    pub symbols: usize,
    /// Paths of the best files that are not here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

#[derive(Debug)]
pub struct Context;

impl Operation for Context {
    const NAME: &'static str = "context";
    const EXAMPLES: &'static str = "\
  groma context 'add a retry to the HTTP client' --max-tokens 2000
  groma context - < issue.md                     the text of an issue
  groma context 'TypeError in src/store.ts:88' --compact";
    type Input = Input;
    type Output = Output;

    fn prepare(input: &mut Input, request: &Request) {
        let (item, file) = match request.format {
            Format::Text => (8, 6),
            Format::Compact => (4, 6),
            Format::Json => (60, 40),
        };
        let tokens = request.max_tokens.unwrap_or(DEFAULT_TOKENS);
        let tokens = tokens.saturating_sub(FRAME.min(tokens / 3));
        input.budget = Budget { tokens, item, file };
    }

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let text = read_task(&input)?;
        let (project, reader) = workspace.reader()?;
        let text = template::filled_in(&text, &project, &reader).map_err(unusable)?;
        let task = Task::read(&text, &reader).map_err(unusable)?;
        let named = task.named_files(&reader).map_err(unusable)?;
        let given: Vec<Given> =
            named.iter().map(|named| Given { file: named.file, bonus: named.bonus }).collect();
        if task.question.words.is_empty() && given.is_empty() {
            return Err(Error::new(Kind::NotFound, "no word of the task stands in this project")
                .hint("Name a file, a symbol or a subject of the code."));
        }
        let conditions = Conditions::default();
        let ranking =
            rank::rank(&reader, &task.question, &conditions, Mode { is_task: true }, &given)
                .map_err(unusable)?;
        let mut packer = Packer { project: &project, reader: &reader, task: &task, named: &named };
        packer.pack(ranking.files, &input).map_err(unusable)
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        output.files.iter().map(|file| file.path.clone()).collect()
    }

    const LIST: Option<&'static str> = Some("files");
    const PAGED: bool = false;

    /// For each file a list: its path, then a text for each symbol.
    fn compact(output: &Output) -> Option<serde_json::Value> {
        let rows: Vec<Vec<String>> = output
            .files
            .iter()
            .map(|file| {
                let mut row = vec![file.path.clone()];
                row.extend(file.symbols.iter().map(Told::row));
                row
            })
            .collect();
        let mut value = serde_json::json!({"intent": output.intent, "files": rows});
        if output.left_out.files + output.left_out.symbols > 0 {
            value["left_out"] = serde_json::json!({
                "files": output.left_out.files,
                "symbols": output.left_out.symbols,
                "next": output.left_out.next,
            });
        }
        Some(value)
    }

    fn render(output: &Output, page: &mut Page) {
        for (number, file) in output.files.iter().enumerate() {
            if number > 0 {
                page.blank();
            }
            let why = match file.why.is_empty() {
                true => String::new(),
                false => styled(text::DIM, &format!("  {}", text::visible(&file.why.join(", ")))),
            };
            page.line(format!("{}{why}", styled(text::PATH, &text::visible(&file.path))));
            for told in &file.symbols {
                render_told(told, page);
            }
        }
        if let Some(hint) = &output.left_out.hint {
            page.blank();
            page.line(styled(text::DIM, &text::visible(hint)));
        }
    }
}

fn read_task(input: &Input) -> Result<String> {
    let mut text = input.task.join(" ");
    if text == "-" {
        text.clear();
        let mut limited = std::io::stdin().lock().take(task::MAX_TEXT as u64);
        limited
            .read_to_string(&mut text)
            .map_err(|error| Error::new(Kind::Io, format!("cannot read the task: {error}")))?;
    }
    if text.trim().is_empty() {
        return Err(Error::new(Kind::Usage, "there is no task")
            .hint("Say what is to be done: `groma context 'fix the login timeout'`."));
    }
    if text.len() > task::MAX_TEXT {
        let end = text.floor_char_boundary(task::MAX_TEXT);
        text.truncate(end);
    }
    Ok(text)
}

fn render_told(told: &Told, page: &mut Page) {
    let lines = match told.line_end - told.line_start {
        0 => format!("{:>6}", told.line_start),
        _ => format!("{:>6}-{}", told.line_start, told.line_end),
    };
    // A definition of one line is told by it.
    let whole = told.source.as_ref().filter(|source| source.trim_end().lines().count() == 1);
    let what = match whole.or(told.signature.as_ref()) {
        Some(signature) => text::one_line(signature, 300),
        None => format!("{} {}", told.kind, text::visible(&told.name)),
    };
    page.line(format!("{}  {what}", styled(text::DIM, &lines)));
    let source = told.source.as_ref().filter(|_| whole.is_none());
    for text in [told.docs.as_ref(), told.lines.as_ref(), source].into_iter().flatten() {
        for line in text.lines() {
            page.line(format!("        {}", text::visible(line)).trim_end());
        }
    }
}

impl Told {
    /// As one text: `:12-40 function name`, or the signature, and below it what else is told.
    fn row(&self) -> String {
        let mut row = format!(":{}-{} ", self.line_start, self.line_end);
        match (&self.signature, &self.source) {
            (_, Some(source)) => row.push_str(source),
            (Some(signature), None) => row.push_str(signature),
            (None, None) => row.push_str(&format!("{} {}", self.kind, self.name)),
        }
        for text in [&self.docs, &self.lines].into_iter().flatten() {
            row.push('\n');
            row.push_str(text);
        }
        row
    }
}

/// Symbols of one file that may be told, and longest bodies.
const SYMBOLS: usize = 4;
const MAX_BODY_LINES: usize = 150;
const MAX_KEY_LINES: usize = 6;
const MAX_DOCS: usize = 300;
/// A symbol beside the best of its file counts so much of what its score says.
const SECOND: f64 = 0.6;
/// A symbol at a line that the task names counts so much more.
const AT_LINE: f64 = 2.0;

struct Packer<'p> {
    project: &'p ::index::Project,
    reader: &'p Reader,
    task: &'p Task,
    named: &'p [Named],
}

/// A symbol with all that could be told of it.
struct Item {
    file: usize,
    value: f64,
    told: [Option<Told>; 5],
}

impl Packer<'_> {
    fn pack(&mut self, ranked: Vec<RankedFile>, input: &Input) -> store::rusqlite::Result<Output> {
        let considered: Vec<&RankedFile> = ranked.iter().take(input.files.max(1)).collect();
        let most = considered.iter().map(|file| file.score).fold(f64::MIN_POSITIVE, f64::max);
        let mut items = Vec::new();
        for (number, file) in considered.iter().enumerate() {
            self.add_items(number, file, file.score / most, &mut items)?;
        }
        let budget = input.budget;
        let candidates: Vec<Candidate> = items
            .iter()
            .map(|item| Candidate {
                value: item.value,
                file: item.file,
                costs: std::array::from_fn(|level| {
                    item.told[level].as_ref().map(|told| budget.item + cost(told))
                }),
            })
            .collect();
        let file_costs: Vec<usize> =
            considered.iter().map(|file| budget.file + tokens::count(&file.head.path)).collect();
        let levels = pack::choose(&candidates, &file_costs, budget.tokens);
        let mut files: Vec<File> = considered.iter().map(|file| self.file(file)).collect();
        let mut left_out = 0;
        for (mut item, level) in items.into_iter().zip(levels) {
            match level.and_then(|level| item.told[level as usize].take()) {
                Some(told) => files[item.file].symbols.push(told),
                None => left_out += 1,
            }
        }
        let next: Vec<String> = files
            .iter()
            .filter(|file| file.symbols.is_empty())
            .map(|file| file.path.clone())
            .chain(ranked.iter().skip(input.files.max(1)).map(|file| file.head.path.clone()))
            .collect();
        files.retain(|file| !file.symbols.is_empty());
        for file in &mut files {
            file.symbols.sort_by_key(|told| told.line_start);
        }
        let left_out = left_out_of(&next, left_out);
        Ok(Output { intent: self.task.intent, files, left_out })
    }

    fn file(&self, file: &RankedFile) -> File {
        let named = self.named.iter().find(|named| named.file == file.head.id);
        let why = named.map(|named| named.why.clone()).unwrap_or_default();
        File { path: file.head.path.clone(), why, symbols: Vec::new() }
    }

    fn add_items(
        &self,
        number: usize,
        file: &RankedFile,
        share: f64,
        items: &mut Vec<Item>,
    ) -> store::rusqlite::Result<()> {
        let place = self.project.root.join(&file.head.path);
        let text = match ::index::read::read_source(&place, u64::from(u32::MAX)).0 {
            ::index::read::Content::Text { text, .. } => text,
            ::index::read::Content::Skipped { .. } => String::new(),
        };
        let lines: Vec<&str> = text.lines().collect();
        let mut named = FxHashMap::default();
        for line in self.named.iter().filter(|it| it.file == file.head.id).flat_map(|it| &it.lines)
        {
            if let Some(symbol) = innermost(file, *line) {
                named.insert(symbol, AT_LINE);
            }
        }
        let best = file.units.first().map_or(1.0, |(score, _)| *score).max(f64::MIN_POSITIVE);
        let mut values: FxHashMap<usize, f64> = named;
        for (position, (score, unit)) in file.units.iter().take(SYMBOLS).enumerate() {
            let Some(symbol) = unit else { continue };
            let factor = if position == 0 { 1.0 } else { SECOND };
            *values.entry(*symbol).or_insert(0.0) += factor * score / best;
        }
        let mut values: Vec<(usize, f64)> = values.into_iter().collect();
        values.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for (symbol, value) in values {
            let definition = self.reader.definition(file.symbols[symbol].id)?;
            let told = self.tell(&definition, &lines)?;
            items.push(Item { file: number, value: share * value, told });
        }
        if file.units.iter().all(|(_, unit)| unit.is_none()) {
            items.push(Item { file: number, value: share * 0.5, told: only_name(file) });
        }
        Ok(())
    }

    /// What each level tells of a symbol.
    fn tell(
        &self,
        definition: &Definition,
        lines: &[&str],
    ) -> store::rusqlite::Result<[Option<Told>; 5]> {
        let base = |level: Level| Told {
            name: definition.qualified_name.clone(),
            kind: definition.kind.as_str().to_owned(),
            line_start: definition.line_start,
            line_end: definition.line_end,
            level,
            signature: (level > Level::Name && level < Level::Body)
                .then(|| definition.signature.clone()),
            docs: None,
            lines: None,
            source: None,
        };
        let docs = self.reader.docs_of(definition.id)?.map(|docs| brief(&docs));
        let first = (definition.line_start as usize).saturating_sub(1).min(lines.len());
        let last = (definition.line_end as usize).clamp(first, lines.len());
        let own = &lines[first..last];
        let key_lines = self.key_lines(own, definition.line_start);
        let body = (!own.is_empty() && own.len() <= MAX_BODY_LINES).then(|| dedented(own));
        Ok([
            Some(base(Level::Name)),
            Some(base(Level::Signature)),
            docs.clone().map(|docs| Told { docs: Some(docs), ..base(Level::Docs) }),
            key_lines.map(|lines| Told { docs, lines: Some(lines), ..base(Level::KeyLines) }),
            body.map(|source| Told { source: Some(source), ..base(Level::Body) }),
        ])
    }

    /// Lines that have words of the task, those with most of them.
    fn key_lines(&self, lines: &[&str], first: u32) -> Option<String> {
        if lines.len() < 2 * MAX_KEY_LINES {
            return None;
        }
        let stems = words::Stems::default();
        let mut scored: Vec<(usize, usize)> = Vec::new();
        for (number, line) in lines.iter().enumerate().skip(1).take(2000) {
            let own = stems.of(line);
            let count =
                self.task.question.words.iter().filter(|word| own.contains(&word.stem)).count();
            if count > 0 {
                scored.push((count, number));
            }
        }
        scored.sort_by_key(|(count, number)| (std::cmp::Reverse(*count), *number));
        scored.truncate(MAX_KEY_LINES);
        scored.sort_by_key(|(_, number)| *number);
        let text: Vec<String> = scored
            .iter()
            .map(|(_, number)| {
                format!(
                    "{}: {}",
                    first as usize + number,
                    text::one_line(lines[*number].trim(), 160)
                )
            })
            .collect();
        (!text.is_empty()).then(|| text.join("\n"))
    }
}

fn left_out_of(next: &[String], symbols: usize) -> LeftOut {
    let hint = next.first().map(|path| {
        format!(
            "{} more files and {symbols} symbols matter less; next is {path}. More: --files, --max-tokens, \
             `groma show`, `groma outline`.",
            next.len()
        )
    });
    LeftOut { files: next.len(), symbols, next: next.iter().take(3).cloned().collect(), hint }
}

fn innermost(file: &RankedFile, line: u32) -> Option<usize> {
    let around = file.symbols.iter().enumerate().filter(|(_, symbol)| {
        symbol.lines.start <= line
            && line <= symbol.lines.end
            && (symbol.kind.is_callable() || symbol.kind.is_type())
    });
    around
        .min_by_key(|(number, symbol)| {
            (symbol.lines.end - symbol.lines.start, std::cmp::Reverse(*number))
        })
        .map(|(number, _)| number)
}

/// A file without symbols: that it is there.
fn only_name(file: &RankedFile) -> [Option<Told>; 5] {
    let told = Told {
        name: file.head.path.rsplit('/').next().unwrap_or_default().to_owned(),
        kind: "file".to_owned(),
        line_start: 1,
        line_end: file.head.line_count.max(1),
        level: Level::Name,
        signature: None,
        docs: None,
        lines: None,
        source: None,
    };
    [Some(told), None, None, None, None]
}

fn cost(told: &Told) -> usize {
    let row = told.row();
    // In JSON, breaks and quotes take more than they do in the text.
    let escaped = row.matches(['\n', '"', '\\']).count();
    tokens::count(&row) + escaped / 2
}

/// Documentation up to the first empty line, not too long.
fn brief(docs: &str) -> String {
    let paragraph = docs.split("\n\n").next().unwrap_or(docs);
    text::one_line(&paragraph.split_whitespace().collect::<Vec<_>>().join(" "), MAX_DOCS)
}

/// Lines without the indentation that all of them share.
fn dedented(lines: &[&str]) -> String {
    let indentation = |line: &&str| line.len() - line.trim_start().len();
    let shared = lines.iter().filter(|line| !line.trim().is_empty()).map(indentation).min();
    let shared = shared.unwrap_or(0);
    let kept: Vec<&str> = lines.iter().map(|line| line.get(shared..).unwrap_or_default()).collect();
    kept.join("\n")
}
