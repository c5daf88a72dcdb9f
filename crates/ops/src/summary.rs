//! `summary.md`: what a project is, partly generated, partly written by people.
//!
//! Generated parts stand between markers. Everything else belongs to whoever wrote it and is never
//! touched: a new text of a generated part replaces what is between its markers, byte for byte nothing
//! else.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::overview::{self, Overview};
use crate::text::{self, Page};
use crate::{Effect, Error, Kind, Operation, Result, Workspace, state_files};

const FILE: &str = "summary.md";

/// Show the summary of the project, with its generated parts brought up to date
///
/// It is kept in `.groma/summary.md`. What people write outside of the generated parts stays as it is;
/// `groma describe` adds to it.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct SummaryInput {
    /// Only show it; write nothing
    #[arg(long)]
    #[serde(default)]
    pub no_write: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SummaryOutput {
    pub file: String,
    /// Whether the file was written.
    pub written: bool,
    pub text: String,
}

#[derive(Debug)]
pub struct Summary;

impl Operation for Summary {
    const NAME: &'static str = "summary";
    const EXAMPLES: &'static str = "\
  groma summary
  groma summary --no-write --json";
    const EFFECT: Effect = Effect::Adds;
    type Input = SummaryInput;
    type Output = SummaryOutput;

    fn writes(input: &SummaryInput) -> bool {
        !input.no_write
    }

    fn run(workspace: &Workspace, input: SummaryInput) -> Result<SummaryOutput> {
        let project = workspace.project()?;
        let limit = overview::default_limit();
        let overview = crate::answer::<Overview>(workspace, overview::Input { limit })?.data;
        let current = state_files::read(&project, FILE)?;
        let text = current.unwrap_or_else(|| beginning(&overview.project));
        let text = regenerated(&text, &parts(&overview))?;
        let written = !input.no_write && state_files::write(&project, FILE, &text)?;
        let file = project.state.join(FILE).to_string_lossy().into_owned();
        Ok(SummaryOutput { file, written, text })
    }

    fn render(output: &SummaryOutput, page: &mut Page) {
        for line in output.text.lines() {
            page.line(text::visible(line));
        }
    }
}

/// A part of the summary that people write.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    Purpose,
    Architecture,
    Concepts,
    Patterns,
    Custom,
}

impl Section {
    const ALL: [Self; 5] =
        [Self::Purpose, Self::Concepts, Self::Architecture, Self::Patterns, Self::Custom];

    const fn heading(self) -> &'static str {
        match self {
            Self::Purpose => "## Purpose",
            Self::Architecture => "## Architecture decisions",
            Self::Concepts => "## Concepts",
            Self::Patterns => "## Patterns",
            Self::Custom => "## Notes",
        }
    }
}

/// Write a section of the summary
///
/// Adds to what stands there, or takes its place with --replace. No other section is touched.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct DescribeInput {
    pub section: Section,
    /// Text in Markdown
    pub text: String,
    /// Instead of what stands there
    #[arg(long)]
    #[serde(default)]
    pub replace: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DescribeOutput {
    pub file: String,
    pub section: Section,
    /// The section as it is now.
    pub text: String,
}

#[derive(Debug)]
pub struct Describe;

impl Operation for Describe {
    const NAME: &'static str = "describe";
    const EXAMPLES: &'static str = "\
  groma describe purpose \"Sells things on the web.\"
  groma describe architecture \"Orders are events; see order.rs.\" --replace";
    const EFFECT: Effect = Effect::Destroys;
    type Input = DescribeInput;
    type Output = DescribeOutput;

    fn run(workspace: &Workspace, input: DescribeInput) -> Result<DescribeOutput> {
        let added = checked(&input.text)?;
        let project = workspace.project()?;
        let name = project.root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let current = state_files::read(&project, FILE)?.unwrap_or_else(|| beginning(&name));
        let (text, body) = described(&current, input.section, &added, input.replace)?;
        if text.len() as u64 > ::index::read::MAX_SMALL_FILE {
            return Err(Error::new(Kind::Limit, "the summary would be larger than 1 MiB"));
        }
        state_files::write(&project, FILE, &text)?;
        let file = project.state.join(FILE).to_string_lossy().into_owned();
        Ok(DescribeOutput { file, section: input.section, text: body })
    }

    fn render(output: &DescribeOutput, page: &mut Page) {
        page.line(output.section.heading());
        page.blank();
        for line in output.text.lines() {
            page.line(text::visible(line));
        }
    }
}

/// Bytes of a text that is added at once.
const LONGEST: usize = 64 << 10;

/// A text that does not break the form of the summary: its headings become smaller ones, and it has no
/// markers.
fn checked(text: &str) -> Result<String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Error::new(Kind::Usage, "there is no text to write"));
    }
    if text.len() > LONGEST {
        let message = format!("the text has {} bytes; at most {LONGEST} are taken", text.len());
        return Err(Error::new(Kind::Usage, message));
    }
    if text.contains(MARK) {
        return Err(Error::new(Kind::Usage, "the text has a marker of a generated part in it"));
    }
    let is_plain = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let lines = text.lines().map(|line| match line.starts_with("# ") || line.starts_with("## ") {
        true => format!("### {}", line.trim_start_matches('#').trim_start()),
        false => line.chars().filter(|c| is_plain(*c)).collect(),
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// A summary that nobody has written to.
fn beginning(name: &str) -> String {
    let mut text = format!("# {}\n", crate::text::one_line(name, 100));
    for section in Section::ALL {
        text.push_str(&format!("\n{}\n", section.heading()));
    }
    text
}

/// The summary with a section written, and that section.
fn described(text: &str, section: Section, added: &str, replace: bool) -> Result<(String, String)> {
    spans(text)?;
    let heading = section.heading();
    let Some((start, end)) = section_at(text, heading) else {
        // Before the generated parts, which are long.
        let at = line_starts(text).find(|at| text[*at..].starts_with(MARK)).unwrap_or(text.len());
        let (before, after) = text.split_at(at);
        let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
        let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
        let text = format!("{before}{end}{gap}{heading}\n\n{added}\n\n{after}");
        return Ok((text.trim_end().to_owned() + "\n", added.to_owned()));
    };
    let body = text[start..end].trim();
    let body = match replace || body.is_empty() {
        true => added.to_owned(),
        false => format!("{body}\n\n{added}"),
    };
    let after = &text[end..];
    let gap = if after.is_empty() { "" } else { "\n" };
    Ok((format!("{}\n{body}\n{gap}{after}", &text[..start]), body))
}

/// Where the body of a section begins and ends: behind its heading, before the next heading or marker.
fn section_at(text: &str, heading: &str) -> Option<(usize, usize)> {
    let line = |at: usize| text[at..].lines().next().unwrap_or_default();
    let starts: Vec<usize> = line_starts(text).collect();
    let first = starts.iter().position(|at| line(*at).trim_end() == heading)?;
    let mut fenced = false;
    let end = starts[first + 1..].iter().copied().find(|at| {
        let line = line(*at);
        fenced ^= line.starts_with("```");
        !fenced && (line.starts_with("# ") || line.starts_with("## ") || line.starts_with(MARK))
    });
    let start = starts.get(first + 1).copied().unwrap_or(text.len());
    Some((start, end.unwrap_or(text.len())))
}

fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .filter(|at| *at < text.len())
}

const MARK: &str = "<!-- groma:";

fn opening(name: &str) -> String {
    format!("{MARK}{name} generated; written anew by `groma summary` -->")
}

fn closing(name: &str) -> String {
    format!("{MARK}/{name} -->")
}

/// The generated parts: their names and texts.
fn parts(overview: &overview::Output) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    for (title, rows) in overview::sections(overview) {
        let title = title.split(" (").next().unwrap_or(&title).to_owned();
        if rows.is_empty() {
            continue;
        }
        let mut heading = title.clone();
        heading[..1].make_ascii_uppercase();
        let rows = rows.iter().map(|row| format!("- {}\n", text::one_line(row, 200)));
        let text = format!("## {heading}\n\n{}", rows.collect::<String>());
        // Nothing from the project may look like a marker.
        parts.push((title.replace(' ', "-"), text.replace("<!--", "<! --")));
    }
    parts
}

/// The text with every generated part written anew. New parts come at the end.
fn regenerated(text: &str, parts: &[(String, String)]) -> Result<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = 0;
    let spans = spans(text)?;
    for (name, start, end) in &spans {
        out.push_str(&text[rest..*start]);
        // A part that has nothing to say any more keeps its place.
        let part = parts.iter().find(|(part, _)| part == name).map_or("", |(_, text)| text);
        out.push_str(&format!("{}\n{part}{}", opening(name), closing(name)));
        rest = *end;
    }
    out.push_str(&text[rest..]);
    for (name, part) in parts {
        if !spans.iter().any(|(known, ..)| known == name) {
            if !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(&format!("\n{}\n{part}{}\n", opening(name), closing(name)));
        }
    }
    Ok(out)
}

/// Generated parts by name, from the start of their opening marker to the end of their closing one.
fn spans(text: &str) -> Result<Vec<(String, usize, usize)>> {
    let broken = |name: &str| {
        let name = crate::text::one_line(name, 40);
        let message = format!("{FILE}: the markers of the generated part `{name}` do not fit");
        Error::new(Kind::Usage, message)
            .hint("Put them right, or delete them together with what is between them.")
    };
    let mut spans: Vec<(String, usize, usize)> = Vec::new();
    let mut open: Option<(String, usize)> = None;
    for at in line_starts(text) {
        let line = text[at..].lines().next().unwrap_or_default();
        let Some(mark) = line.strip_prefix(MARK) else { continue };
        let name = mark.split(' ').next().unwrap_or_default();
        match (name.strip_prefix('/'), open.take()) {
            (None, None) => open = Some((name.to_owned(), at)),
            (Some(closed), Some((opened, start))) if closed == opened => {
                if spans.iter().any(|(known, ..)| *known == opened) {
                    return Err(broken(&opened));
                }
                let end = at + line.trim_end().len();
                spans.push((opened, start, end));
            }
            (_, Some((opened, _))) => return Err(broken(&opened)),
            (Some(closed), None) => return Err(broken(closed)),
        }
    }
    match open {
        Some((name, _)) => Err(broken(&name)),
        None => Ok(spans),
    }
}

#[cfg(test)]
mod tests;
