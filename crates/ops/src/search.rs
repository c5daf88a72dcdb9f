//! One box: a name, some words or a sentence; the symbols and files that are meant, best first.

mod body;
mod filters;
mod lookup;
mod priors;
pub(crate) mod question;
pub(crate) mod rank;
mod scan;
mod units;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Definition, Reader};

use crate::linked::Source;
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Error, Kind, Operation, Request, Result, Skipped, Workspace};
use body::body;
pub(crate) use filters::Conditions;
use question::Question;
use rank::{Mode, RankedFile};
pub use scan::Unscanned;

/// Search symbols, files and text by a name, by words or by a sentence
///
/// A name finds its definitions first. Words and sentences are ranked over definitions: name, path,
/// signature, comments, body. Filters: kind: lang: path: name: in: is:. Operators: AND, OR, NOT, "a
/// phrase", begin*.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// What to look for
    #[arg(required = true, num_args = 1.., value_name = "QUERY")]
    #[serde(deserialize_with = "one_or_many")]
    pub query: Vec<String>,
    /// Look for exactly this text in the files as they are now
    #[arg(long, conflicts_with = "regex")]
    #[serde(default)]
    pub literal: bool,
    /// Look for this regular expression in the files as they are now
    #[arg(long)]
    #[serde(default)]
    pub regex: bool,
    /// Small and capital letters are the same (with --literal and --regex)
    #[arg(long, short = 'i')]
    #[serde(default)]
    pub ignore_case: bool,
    /// Only files that fit this pattern, or have this in their path
    #[arg(long, value_name = "GLOB")]
    #[serde(default)]
    pub path: Vec<String>,
    /// With the code of so many of the first results, each cut to about 100 tokens
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[serde(default)]
    pub bodies: usize,
    /// Only this project, without those that are linked
    #[arg(long)]
    #[serde(default)]
    pub no_links: bool,
    /// At most so many results
    #[arg(long, short = 'n', default_value_t = DEFAULT_LIMIT)]
    #[serde(default = "default_limit")]
    pub limit: usize,
    #[arg(skip)]
    #[serde(skip)]
    offset: usize,
}

const DEFAULT_LIMIT: usize = 10;
/// A longer question is refused: nobody means all of it.
const MAX_QUERY: usize = 64 << 10;

fn default_limit() -> usize {
    DEFAULT_LIMIT
}

/// A list of words, or all of them in one text.
pub(crate) fn one_or_many<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    Ok(match OneOrMany::deserialize(deserializer)? {
        OneOrMany::One(text) => vec![text],
        OneOrMany::Many(texts) => texts,
    })
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub hits: Vec<Hit>,
    /// How many results there are in all.
    pub total: usize,
    /// The results were not counted to the end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// Files that have any of the words, or were scanned; none where a name was found.
    #[serde(skip_serializing_if = "is_zero")]
    pub files: usize,
    /// Files that were not scanned, by reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unscanned: Vec<Unscanned>,
    /// Linked projects that could not be looked through.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped_projects: Vec<Skipped>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Hit {
    /// The linked project it is in; none for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub path: String,
    pub line_start: u32,
    pub line_end: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Qualified name of the symbol, or of the one around the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// The line that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its code, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub how: How,
}

/// How a result was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Its name is the one asked for.
    Exact,
    /// So it is, but for small and capital letters.
    Folded,
    /// It passes the name on.
    ReExport,
    /// Its name has all the words of the one asked for.
    Related,
    /// It is about the words.
    Ranked,
    /// It is what the filters say.
    Listed,
    /// Its name is nearly the one asked for; there is none of that name.
    Near,
    /// The text stands there.
    Scanned,
}

impl Hit {
    fn of(definition: Definition, how: How) -> Self {
        Self {
            project: None,
            path: definition.head.path,
            line_start: definition.line_start,
            line_end: definition.line_end,
            kind: Some(definition.kind.as_str().to_owned()),
            name: Some(definition.qualified_name),
            signature: Some(definition.signature),
            text: None,
            source: None,
            how,
        }
    }

    /// `:line kind name`, or the line with what stands there.
    fn row(&self) -> String {
        let mut row = format!(":{}", self.line_start);
        match (&self.text, &self.kind, &self.name) {
            (Some(text), ..) => row.push_str(&format!(" {}", text.trim())),
            (None, Some(kind), Some(name)) => row.push_str(&format!(" {kind} {name}")),
            _ => row.clear(),
        }
        if self.how == How::Near {
            row.push_str(" (near)");
        }
        if let Some(source) = &self.source {
            row.push('\n');
            row.push_str(source);
        }
        row
    }

    fn place(&self) -> (&str, u32) {
        (&self.path, self.line_start)
    }
}

#[derive(Debug)]
pub struct Search;

impl Operation for Search {
    const NAME: &'static str = "search";
    const EXAMPLES: &'static str = "\
  groma search Router                           definitions of that name first
  groma search how are routes matched           a sentence
  groma search 'parse AND NOT test lang:rust'   operators and filters
  groma search 'repo* kind:class in:src'        beginnings of words
  groma search --literal 'TODO(' -n 50          the text itself, as it is now
  groma search --regex 'fn \\w+_unchecked'";
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let text = input.query.join(" ");
        if text.len() > MAX_QUERY {
            return Err(Error::new(Kind::Usage, "the question is longer than 64 KiB")
                .hint("`groma context` takes the text of a whole issue."));
        }
        let (sources, skipped) = workspace.sources(!input.no_links)?;
        let mut answer: Option<Output> = None;
        for source in &sources {
            let mut output = search(workspace, source, &text, &input)?;
            for hit in &mut output.hits {
                hit.project.clone_from(&source.name);
            }
            answer = Some(match answer {
                Some(first) => first.join(output),
                None => output,
            });
        }
        let Some(mut answer) = answer else {
            return Err(Error::new(Kind::Index, "there is no project to ask"));
        };
        answer.skipped_projects = skipped;
        answer.hits = answer.hits.into_iter().skip(input.offset).take(input.limit).collect();
        for hit in answer.hits.iter_mut().take(input.bodies) {
            let source = sources.iter().find(|source| source.name == hit.project);
            hit.source = source.and_then(|source| body(&source.project, hit));
        }
        Ok(answer)
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        let own = output.hits.iter().filter(|hit| hit.project.is_none());
        own.map(|hit| hit.path.clone()).collect()
    }

    const LIST: Option<&'static str> = Some("hits");

    fn prepare(input: &mut Input, request: &Request) {
        input.offset = request.offset;
    }

    fn offset(input: &Input) -> Option<usize> {
        Some(input.offset)
    }

    /// One text for each result: keys would be most of the answer.
    fn compact(output: &Output) -> Option<serde_json::Value> {
        let place = common_directory(&output.hits);
        let rows = rows(&output.hits, place.len());
        let mut value = serde_json::json!({"hits": rows, "total": output.total});
        if !place.is_empty() {
            value = serde_json::json!({"in": place, "hits": rows, "total": output.total});
        }
        let skipped = &output.skipped_projects;
        let all = [
            ("more", serde_json::json!(output.more), output.more),
            ("unscanned", serde_json::json!(output.unscanned), !output.unscanned.is_empty()),
            ("skipped_projects", serde_json::json!(skipped), !skipped.is_empty()),
        ];
        for (key, part, is_worth_it) in all {
            if is_worth_it {
                value[key] = part;
            }
        }
        Some(value)
    }

    fn render(output: &Output, page: &mut Page) {
        for hit in &output.hits {
            page.item();
            page.line(render_hit(hit));
            for line in hit.source.iter().flat_map(|source| source.lines()) {
                page.line(format!("    {}", text::visible(line)).trim_end());
            }
        }
        page.end_items();
        if output.hits.is_empty() {
            let files = text::count(output.files as u64);
            let note = format!("nothing found; files with a word of it: {files}");
            page.line(styled(text::DIM, &note));
        } else if output.hits.first().is_some_and(|hit| hit.how == How::Near) {
            page.line(styled(text::DIM, "there is no such name; these are nearest"));
        } else if output.total > output.hits.len() || output.more {
            let shown = output.hits.len();
            let note = match output.more {
                true => format!("the first {shown}; more with -n or --offset"),
                false => format!("{shown} of {}", text::count(output.total as u64)),
            };
            page.line(styled(text::DIM, &note));
        }
        for unscanned in &output.unscanned {
            let note = format!("not scanned: {} files, {}", unscanned.files, unscanned.reason);
            page.line(styled(text::DIM, &note));
        }
        Skipped::tell(&output.skipped_projects, page);
    }
}

/// The directory that all results are in, with the slash behind it, if saying it once is shorter.
fn common_directory(hits: &[Hit]) -> &str {
    let [first, others @ ..] = hits else { return "" };
    let mut length = first.path.rfind('/').map_or(0, |slash| slash + 1);
    for hit in others {
        while !hit.path.starts_with(&first.path[..length]) {
            length = first.path[..length - 1].rfind('/').map_or(0, |slash| slash + 1);
        }
    }
    let distinct = others.iter().filter(|hit| hit.path != first.path).count();
    if distinct > 0 { &first.path[..length] } else { "" }
}

/// Asks one project; the results are those from the first to the last that is wanted.
fn search(workspace: &Workspace, source: &Source, text: &str, input: &Input) -> Result<Output> {
    let (project, reader) = (&source.project, &source.reader);
    if input.literal || input.regex {
        return scan::scan(workspace, project, reader, text, input);
    }
    let mut question = Question::parse(text)?;
    question.filters.paths.extend(input.path.iter().cloned());
    let conditions = Conditions::new(&question.filters, reader)?;
    if question.words.is_empty() {
        // Operators are names too: `<=>`, `[]`.
        if let Some(name) = &question.name {
            let hits =
                lookup::definitions(reader, name, &question, &conditions).map_err(unusable)?;
            if !hits.is_empty() {
                let total = hits.len();
                return Ok(Output::new(hits, total, 0));
            }
        }
        if conditions.is_empty() {
            return Err(Error::new(Kind::Usage, "there is no word to look for")
                .hint("Give a name, some words or a sentence: `groma search Router`."));
        }
        return list(reader, &conditions, input).map_err(unusable);
    }
    Results { project, reader, question: &question }.find(&conditions, input).map_err(unusable)
}

impl Output {
    fn new(hits: Vec<Hit>, total: usize, files: usize) -> Self {
        Self {
            hits,
            total,
            more: false,
            files,
            unscanned: Vec::new(),
            skipped_projects: Vec::new(),
        }
    }

    /// Results of two projects: the better ways of finding first, otherwise in turns.
    fn join(self, other: Self) -> Self {
        let mut hits: Vec<(How, usize, Hit)> = Vec::new();
        for list in [self.hits, other.hits] {
            hits.extend(list.into_iter().enumerate().map(|(place, hit)| (hit.how, place, hit)));
        }
        hits.sort_by_key(|(how, place, _)| (*how, *place));
        let mut unscanned = self.unscanned;
        unscanned.extend(other.unscanned);
        Self {
            hits: hits.into_iter().map(|(.., hit)| hit).collect(),
            total: self.total + other.total,
            more: self.more || other.more,
            files: self.files + other.files,
            unscanned,
            skipped_projects: Vec::new(),
        }
    }
}

/// Results as texts; the path is left out where it is that of the one before, and so is as much of its
/// beginning.
fn rows(hits: &[Hit], common: usize) -> Vec<String> {
    let mut before = "";
    hits.iter()
        .map(|hit| {
            let path = if hit.path == before { "" } else { &hit.path[common..] };
            before = &hit.path;
            match &hit.project {
                Some(project) => format!("[{project}] {path}{}", hit.row()),
                None => format!("{path}{}", hit.row()),
            }
        })
        .collect()
}

fn render_hit(hit: &Hit) -> String {
    let place = match hit.line_end {
        end if end > hit.line_start => format!("{}:{}-{end}", hit.path, hit.line_start),
        _ => format!("{}:{}", hit.path, hit.line_start),
    };
    let place = match &hit.project {
        Some(project) => format!("[{project}] {place}"),
        None => place,
    };
    let place = styled(text::PATH, &text::visible(&place));
    if let Some(line) = &hit.text {
        let around = match &hit.name {
            Some(name) => styled(text::DIM, &format!("  [{}]", text::one_line(name, 100))),
            None => String::new(),
        };
        return format!("{place}  {}{around}", text::one_line(line.trim(), 200));
    }
    let kind = styled(text::KIND, hit.kind.as_deref().unwrap_or("file"));
    let name = text::one_line(hit.name.as_deref().unwrap_or_default(), 200);
    format!("{place}  {kind} {name}").trim_end().to_owned()
}

/// A second definition of a file is shown only if it is nearly as good as the best.
const NEARLY: f64 = 0.9;

struct Results<'s> {
    project: &'s ::index::Project,
    reader: &'s Reader,
    question: &'s Question,
}

impl Results<'_> {
    fn find(&self, conditions: &Conditions, input: &Input) -> store::rusqlite::Result<Output> {
        let (reader, question) = (self.reader, self.question);
        let mut hits = match &question.name {
            Some(name) => lookup::definitions(reader, name, question, conditions)?,
            None => Vec::new(),
        };
        let wanted = input.offset.saturating_add(input.limit);
        let found = question.name.as_ref().filter(|_| !hits.is_empty());
        if let Some(name) = found.filter(|name| !is_subject(name, &hits)) {
            hits.extend(lookup::related(
                reader,
                name,
                question,
                conditions,
                wanted.saturating_sub(hits.len()),
            )?);
            let total = hits.len();
            let more = total >= wanted;
            return Ok(Output { more, ..Output::new(hits, total, 0) });
        }
        let ranking = rank::rank(reader, question, conditions, Mode { is_task: false }, &[])?;
        if let Some(name) = question.name.as_ref().filter(|_| hits.is_empty())
            && !ranking.has_all(question)
        {
            hits = lookup::near(reader, name, question, conditions)?;
        }
        let (mut more, mut beyond) = (false, 0);
        for file in &ranking.files {
            if hits.len() >= wanted && !question.phrases.is_empty() {
                more = true;
                break;
            }
            self.add_file(file, wanted, &mut hits, &mut beyond)?;
        }
        let total = hits.len() + beyond;
        Ok(Output { more, ..Output::new(hits, total, ranking.file_count) })
    }

    fn add_file(
        &self,
        file: &RankedFile,
        wanted: usize,
        hits: &mut Vec<Hit>,
        beyond: &mut usize,
    ) -> store::rusqlite::Result<()> {
        let best = file.units.first().map_or(0.0, |(score, _)| *score);
        let text = match self.question.phrases.is_empty() {
            true => None,
            false => Some(self.text_of(&file.head.path)),
        };
        let mut shown = 0;
        for (score, unit) in &file.units {
            let symbol = unit.map(|number| &file.symbols[number]);
            if let Some(text) = &text {
                let (first, last) = unit.map_or((1, u32::MAX), |number| {
                    let lines = &file.symbols[number].lines;
                    (lines.start.saturating_sub(file.doc_lines[number] + 1), lines.end)
                });
                if !has_phrases(text, first, last, &self.question.phrases) {
                    continue;
                }
            } else if *score < NEARLY * best {
                break;
            }
            if symbol.is_none() && shown > 0 {
                continue;
            }
            let line = symbol.map_or(1, |symbol| symbol.lines.start);
            if hits.len() >= wanted {
                // What is not shown needs no reading, only counting.
                *beyond += 1;
            } else if !hits.iter().any(|known| known.place() == (&file.head.path, line)) {
                hits.push(match symbol {
                    Some(symbol) => Hit::of(self.reader.definition(symbol.id)?, How::Ranked),
                    None => whole_file(file),
                });
            }
            shown += 1;
            if shown == 2 {
                break;
            }
        }
        Ok(())
    }

    /// The lines of a file in small letters; none if it cannot be read.
    fn text_of(&self, path: &str) -> Vec<String> {
        let place = self.project.root.join(path);
        match ::index::read::read_source(&place, u64::from(u32::MAX)).0 {
            ::index::read::Content::Text { text, .. } => {
                text.lines().map(str::to_lowercase).collect()
            }
            ::index::read::Content::Skipped { .. } => Vec::new(),
        }
    }
}

/// Whether one word is rather a subject than a name: it is spelled as any word is, and nothing of that name is
/// a type or can be called. What is about it then says more than other names with the word.
fn is_subject(word: &str, hits: &[Hit]) -> bool {
    let is_main = |hit: &Hit| {
        let kind = hit.kind.as_deref().and_then(model::SymbolKind::parse);
        hit.how == How::ReExport || kind.is_some_and(|kind| kind.is_type() || kind.is_callable())
    };
    word.len() > 3 && word.chars().all(char::is_lowercase) && !hits.iter().any(is_main)
}

/// Whether all phrases stand in these lines, each within one.
fn has_phrases(lines: &[String], first: u32, last: u32, phrases: &[String]) -> bool {
    let first = (first.max(1) as usize - 1).min(lines.len());
    let last = (last as usize).clamp(first, lines.len());
    phrases.iter().all(|phrase| lines[first..last].iter().any(|line| line.contains(phrase)))
}

fn whole_file(file: &RankedFile) -> Hit {
    Hit {
        project: None,
        source: None,
        path: file.head.path.clone(),
        line_start: 1,
        line_end: file.head.line_count.max(1),
        kind: None,
        name: None,
        signature: None,
        text: None,
        how: How::Ranked,
    }
}

/// Symbols that the filters describe, in the order of their files.
fn list(
    reader: &Reader,
    conditions: &Conditions,
    input: &Input,
) -> store::rusqlite::Result<Output> {
    let wanted = input.offset.saturating_add(input.limit);
    let (mut total, mut files, mut more) = (0, 0, false);
    let mut hits = Vec::new();
    for head in reader.file_heads()? {
        if !conditions.accept_file(&head) {
            continue;
        }
        files += 1;
        if more {
            continue;
        }
        for symbol in reader.symbol_lines(head.id)? {
            if !conditions.accept_symbol(&head, Some(&symbol)) {
                continue;
            }
            if total < wanted {
                hits.push(Hit::of(reader.definition(symbol.id)?, How::Listed));
            }
            total += 1;
        }
        more = total > wanted.max(COUNTED);
    }
    Ok(Output { more, ..Output::new(hits, total, files) })
}

/// Symbols that filters describe are counted so far, then only said to be more.
const COUNTED: usize = 10_000;
