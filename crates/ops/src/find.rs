//! The term index: identifiers and words, with the lines they stand on.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use store::rusqlite::{self, OptionalExtension};
use store::{Reader, TermLine};

use crate::linked::{Skipped, Source};
use crate::paths::Place;
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Error, Kind, Operation, Request, Result, Workspace, moment};

/// Find the lines an identifier or word stands on
///
/// Every identifier is a term, and every word of comments, strings and plain text. Keywords, and words of
/// a single letter, are none. Linked projects are looked through too.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Term, part of one, or regular expression
    pub term: String,
    /// How terms are compared with it
    #[arg(long, short, value_enum, default_value_t)]
    #[serde(default)]
    pub mode: Mode,
    /// `Total` and `total` are two terms
    #[arg(long)]
    #[serde(default)]
    pub case_sensitive: bool,
    /// Only files at this path or glob
    #[arg(long, value_name = "GLOB")]
    pub file: Option<String>,
    /// Only lines of these types; several with commas
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',', value_enum)]
    #[serde(default, rename = "type")]
    pub types: Vec<LineType>,
    /// Only files modified since then: 2026-05-01, 2026-05-01T12:30:00Z, 90m, 2d, 3w
    #[arg(long, value_name = "MOMENT")]
    pub modified_since: Option<String>,
    /// Only files modified before
    #[arg(long, value_name = "MOMENT")]
    pub modified_before: Option<String>,
    /// Only this project, without those that are linked
    #[arg(long)]
    #[serde(default)]
    pub no_links: bool,
    /// Most lines to list
    #[arg(long, default_value_t = default_limit())]
    #[serde(default = "default_limit")]
    pub limit: usize,
    #[arg(skip)]
    #[serde(skip)]
    offset: usize,
}

const fn default_limit() -> usize {
    50
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    #[default]
    Exact,
    Contains,
    #[value(alias = "starts_with")]
    #[serde(alias = "starts-with")]
    StartsWith,
    Regex,
}

/// What a line mainly is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum LineType {
    Code,
    Comment,
    String,
    Struct,
    Method,
    Property,
}

impl LineType {
    const fn word(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Comment => "comment",
            Self::String => "string",
            Self::Struct => "struct",
            Self::Method => "method",
            Self::Property => "property",
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Lines in the order of paths; those of linked projects after those of this one.
    pub matches: Vec<Match>,
    /// All lines there are; none where counting them would take too long.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_at_least: Option<usize>,
    /// Files with such terms, before lines are looked at.
    pub files: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Linked projects that could not be looked through.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped_projects: Vec<Skipped>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Match {
    /// The linked project it is in; none for this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub path: String,
    pub line: u32,
    #[serde(rename = "type")]
    pub line_type: &'static str,
    /// What was found on the line.
    pub terms: Vec<String>,
    /// The line as it stands in the file now; none if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Qualified name of the innermost symbol around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enclosing: Option<String>,
    /// The file has changed since it was indexed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
}

#[derive(Debug)]
pub struct Find;

impl Operation for Find {
    const NAME: &'static str = "find";
    const EXAMPLES: &'static str = "\
  groma find getUserById                         its lines, in any case
  groma find Player --mode contains              PlayerHealth, UpdatePlayer, …
  groma find '^get.*Id$' --mode regex --type method
  groma find retry --type comment,string --file 'src/**'
  groma find cache --modified-since 2d";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("matches");

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        if input.term.trim().is_empty() {
            return Err(Error::new(Kind::Usage, "a term is needed")
                .hint("For instance `groma find main`, or `groma find '^get' --mode regex`."));
        }
        let question = Question::new(&input)?;
        let (sources, mut skipped_projects) = workspace.sources(!input.no_links)?;
        let mut search = Search { question: &question, input: &input, seen: 0, found: Vec::new() };
        let (mut files, mut is_counted) = (0, true);
        for source in &sources {
            let place = match &input.file {
                Some(file) => Some(Place::named(&source.reader, file)?),
                None => None,
            };
            match (search.look_through(source, place.as_ref()), &source.name) {
                (Ok((known, counted)), _) => {
                    files += known;
                    is_counted &= counted;
                }
                (Err(error), None) => return Err(unusable(error)),
                (Err(error), Some(name)) => {
                    skipped_projects.push(Skipped::damaged(name, &error));
                    is_counted = false;
                }
            }
        }
        let Search { seen, found, .. } = search;
        let end = input.offset.saturating_add(found.len());
        let truncated = end < seen;
        Ok(Output {
            total: is_counted.then_some(seen),
            total_at_least: (!is_counted).then_some(seen),
            files,
            truncated,
            next: truncated.then_some(end),
            hint: (seen == 0).then(|| hint(&sources, &input)).flatten(),
            matches: found,
            skipped_projects,
        })
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        let own = output.matches.iter().filter(|found| found.project.is_none());
        let mut paths: Vec<String> = own.map(|found| found.path.clone()).collect();
        paths.dedup();
        paths
    }

    fn found_nothing(output: &Output) -> bool {
        output.total == Some(0)
    }

    fn prepare(input: &mut Input, request: &Request) {
        input.offset = request.offset;
    }

    fn offset(input: &Input) -> Option<usize> {
        Some(input.offset)
    }

    fn compact(output: &Output) -> Option<Value> {
        let rows = output.matches.iter().map(|found| {
            let project = found.project.as_ref().map(|name| format!("{name}:")).unwrap_or_default();
            let text = found.text.as_deref().unwrap_or_default().trim();
            let within = found.enclosing.as_ref().map(|name| format!(" in {name}"));
            format!(
                "{project}{}:{} {}{}",
                found.path,
                found.line,
                text::one_line(text, 120),
                within.unwrap_or_default()
            )
        });
        let mut value = json!({"matches": rows.collect::<Vec<_>>()});
        let numbers = [
            ("total", output.total),
            ("total_at_least", output.total_at_least),
            ("next", output.next),
        ];
        for (key, number) in numbers {
            if let Some(number) = number {
                value[key] = number.into();
            }
        }
        if let Some(hint) = &output.hint {
            value["hint"] = hint.as_str().into();
        }
        if !output.skipped_projects.is_empty() {
            value["skipped_projects"] = json!(output.skipped_projects);
        }
        Some(value)
    }

    fn render(output: &Output, page: &mut Page) {
        let mut last = None;
        for found in &output.matches {
            page.item();
            let file = (&found.project, &found.path);
            if last != Some(file) {
                last = Some(file);
                let project = found.project.as_ref().map(|name| format!("[{name}] "));
                let stale = if found.stale { "  (changed since it was indexed)" } else { "" };
                page.line(format!(
                    "{}{}{}",
                    project.unwrap_or_default(),
                    styled(text::PATH, &text::visible(&found.path)),
                    styled(text::WARNING, stale)
                ));
            }
            let line = found.text.as_deref().unwrap_or("(the file cannot be read)").trim();
            let within = found.enclosing.as_deref().unwrap_or_default();
            page.line(format!(
                "{}  {}  {}",
                styled(text::DIM, &format!("{:>6} {:<8}", found.line, found.line_type)),
                text::one_line(line, 140),
                styled(text::DIM, &text::visible(within)),
            ));
        }
        page.end_items();
        page.line(styled(text::DIM, &summary(output)));
        if let Some(hint) = &output.hint {
            page.line(hint);
        }
        Skipped::tell(&output.skipped_projects, page);
    }
}

fn summary(output: &Output) -> String {
    let total = match (output.total, output.total_at_least) {
        (Some(total), _) => text::count(total as u64),
        (None, least) => format!("at least {}", text::count(least.unwrap_or(0) as u64)),
    };
    let shown = match output.next {
        Some(next) => format!(" · {} shown, more with --offset {next}", output.matches.len()),
        None => String::new(),
    };
    format!("{total} lines in {} files{shown}", text::count(output.files as u64))
}

/// What was asked, understood.
struct Question {
    regex: Option<regex::Regex>,
    /// In lower case, unless case matters.
    folded: String,
    since: Option<i64>,
    before: Option<i64>,
}

impl Question {
    fn new(input: &Input) -> Result<Self> {
        let regex = (input.mode == Mode::Regex)
            .then(|| {
                regex::RegexBuilder::new(&input.term)
                    .case_insensitive(!input.case_sensitive)
                    .size_limit(MAX_REGEX)
                    .build()
                    .map_err(bad_regex)
            })
            .transpose()?;
        let moment = |text: &Option<String>| text.as_deref().map(moment::parse).transpose();
        let term = input.term.trim();
        Ok(Self {
            regex,
            folded: if input.case_sensitive { term.to_owned() } else { term.to_lowercase() },
            since: moment(&input.modified_since)?,
            before: moment(&input.modified_before)?,
        })
    }

    /// Names that are meant, sorted by their number. They may be no terms.
    fn names(&self, reader: &Reader, input: &Input) -> rusqlite::Result<HashMap<u32, String>> {
        let folded = !input.case_sensitive;
        let names = match (input.mode, &self.regex) {
            (_, Some(regex)) => reader.names_where(|text| regex.is_match(text))?,
            (Mode::Contains, _) if folded => {
                reader.names_where(|text| holds_folded(text, &self.folded))?
            }
            (Mode::Contains, _) => reader.names_where(|text| text.contains(&self.folded))?,
            (mode, _) => reader.names_like(input.term.trim(), mode == Mode::Exact, folded)?,
        };
        Ok(names.into_iter().collect())
    }
}

/// Bytes of a compiled expression; one that needs more is meant to do harm.
const MAX_REGEX: usize = 4 << 20;

fn holds_folded(text: &str, folded: &str) -> bool {
    if text.is_ascii() && folded.is_ascii() {
        let (text, folded) = (text.as_bytes(), folded.as_bytes());
        return text.windows(folded.len()).any(|part| part.eq_ignore_ascii_case(folded));
    }
    text.to_lowercase().contains(folded)
}

fn bad_regex(error: regex::Error) -> Error {
    let message = match &error {
        regex::Error::CompiledTooBig(_) => "the regular expression is too large".to_owned(),
        other => other.to_string(),
    };
    Error::new(Kind::Usage, message).hint(
        "Every sign counts in a regular expression; `--mode contains` takes them as they are.",
    )
}

/// Looks through projects until there are as many lines as asked for, and counts the rest.
struct Search<'q> {
    question: &'q Question,
    input: &'q Input,
    /// Lines so far, also those before the offset and behind the limit.
    seen: usize,
    found: Vec<Match>,
}

/// Files that are opened only to count their lines; where there are more, a lower bound is told.
const MAX_COUNTED: usize = 2000;

/// A file with terms that are wanted.
struct Candidate {
    id: i64,
    path: String,
    names: Vec<u32>,
}

impl Search<'_> {
    /// Looks through one project; gives the number of files and whether all their lines are counted.
    fn look_through(
        &mut self,
        source: &Source,
        place: Option<&Place>,
    ) -> rusqlite::Result<(usize, bool)> {
        let names = self.question.names(&source.reader, self.input)?;
        let candidates = self.candidates(&source.reader, &names, place)?;
        let mut only_counted = 0;
        for candidate in &candidates {
            if self.is_full() {
                only_counted += 1;
                if only_counted > MAX_COUNTED {
                    return Ok((candidates.len(), false));
                }
            }
            let mut lines = source.reader.lines_of_terms(candidate.id, &candidate.names)?;
            lines.retain(|line| self.is_type_wanted(line));
            self.take(source, candidate, &names, &lines)?;
        }
        Ok((candidates.len(), true))
    }

    fn is_full(&self) -> bool {
        self.found.len() >= self.input.limit
    }

    fn is_type_wanted(&self, line: &TermLine) -> bool {
        let word = line.line_type.as_str();
        self.input.types.is_empty() || self.input.types.iter().any(|wanted| wanted.word() == word)
    }

    /// Files of the project in which one of the names is a term, in the order of paths.
    fn candidates(
        &self,
        reader: &Reader,
        names: &HashMap<u32, String>,
        place: Option<&Place>,
    ) -> rusqlite::Result<Vec<Candidate>> {
        let mut by_file: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        let mut numbers: Vec<u32> = names.keys().copied().collect();
        numbers.sort_unstable();
        for name in numbers {
            for file in reader.files_of_term(name)? {
                let names = by_file.entry(file).or_default();
                if names.last() != Some(&name) {
                    names.push(name);
                }
            }
        }
        let mut statement = reader.connection().prepare_cached(
            "SELECT path, modified_ns FROM file WHERE id = ?1 AND retired IS NULL",
        )?;
        let mut candidates = Vec::with_capacity(by_file.len());
        for (id, names) in by_file {
            let row =
                |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?));
            let Some((path, modified)) = statement.query_row([id], row).optional()? else {
                continue;
            };
            let is_in_time = self.question.since.is_none_or(|since| modified >= since)
                && self.question.before.is_none_or(|before| modified < before);
            if is_in_time && place.is_none_or(|place| place.holds(&path)) {
                candidates.push(Candidate { id, path, names });
            }
        }
        candidates.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(candidates)
    }

    /// Counts the lines of a file, and keeps those that are asked for.
    fn take(
        &mut self,
        source: &Source,
        candidate: &Candidate,
        names: &HashMap<u32, String>,
        lines: &[TermLine],
    ) -> rusqlite::Result<()> {
        let first = self.found.len();
        for line in lines.chunk_by(|a, b| a.line == b.line) {
            self.seen += 1;
            if self.seen <= self.input.offset || self.is_full() {
                continue;
            }
            self.found.push(Match {
                project: source.name.clone(),
                path: candidate.path.clone(),
                line: line[0].line,
                line_type: line[0].line_type.as_str(),
                terms: line.iter().filter_map(|term| names.get(&term.name)).cloned().collect(),
                text: None,
                enclosing: enclosing(&source.reader, candidate.id, line[0].line)?,
                stale: false,
            });
        }
        add_text(source, candidate, &mut self.found[first..]);
        Ok(())
    }
}

/// Characters of a line in an answer.
const LONGEST_LINE: usize = 400;

/// Adds the lines as they stand in the file now.
fn add_text(source: &Source, candidate: &Candidate, found: &mut [Match]) {
    if found.is_empty() {
        return;
    }
    let Source { project, reader, .. } = source;
    let paths = std::slice::from_ref(&candidate.path);
    let is_stale =
        ::index::drift_of(project, reader, paths).is_ok_and(|drifted| !drifted.is_empty());
    let text = ::index::read::read_text(&project.root.join(&candidate.path), u64::from(u32::MAX));
    let lines: Vec<&str> = text.as_deref().unwrap_or_default().lines().collect();
    for found in found {
        found.stale = is_stale;
        let line = lines.get((found.line as usize).wrapping_sub(1));
        found.text = line.map(|line| crate::budget::shortened(line.trim_end(), LONGEST_LINE));
    }
}

fn enclosing(reader: &Reader, file: i64, line: u32) -> rusqlite::Result<Option<String>> {
    reader
        .connection()
        .prepare_cached(
            "SELECT coalesce(q.text, '') || n.text FROM symbol AS s
             JOIN name AS n ON n.id = s.name_id
             LEFT JOIN name AS q ON q.id = s.qualifier_id
             WHERE s.id BETWEEN ?1 << 24 AND ?1 << 24 | 16777215
               AND ?2 BETWEEN s.start_line AND s.end_line
             ORDER BY s.end_line - s.start_line, s.start_byte DESC LIMIT 1",
        )?
        .query_row([file, i64::from(line)], |row| row.get(0))
        .optional()
}

/// Why there may be nothing.
fn hint(sources: &[Source], input: &Input) -> Option<String> {
    let term = input.term.trim();
    if input.mode == Mode::Regex {
        return None;
    }
    if term.chars().count() < 2 && input.mode == Mode::Exact {
        return Some("Words of a single letter are no terms.".to_owned());
    }
    let registry = languages::Registry::builtin();
    let mut known = Vec::new();
    for source in sources {
        let sql = "SELECT DISTINCT language FROM files WHERE status <> 'skipped' ORDER BY 1";
        let languages = source.reader.connection().prepare(sql).and_then(|mut statement| {
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()
        });
        known.extend(languages.unwrap_or_default());
    }
    known.sort_unstable();
    known.dedup();
    let of: Vec<String> = known
        .iter()
        .filter_map(|id| registry.get(id))
        .filter(|language| language.is_keyword(term))
        .map(|language| language.id.to_string())
        .collect();
    if !of.is_empty() && input.mode == Mode::Exact {
        return Some(format!("`{term}` is a keyword of {}; keywords are no terms.", of.join(", ")));
    }
    if term.contains(|c: char| c.is_whitespace()) {
        return Some("A term is one word.".to_owned());
    }
    (input.mode == Mode::Exact)
        .then(|| "`--mode contains` also finds terms it is a part of.".to_owned())
}
