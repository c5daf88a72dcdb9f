//! What clients run on events. A hook helps where it can, and is silent where it cannot: it never blocks
//! a client, and never fails.

use std::io::Read;
use std::time::Duration;

use ops::text::Page;
use ops::{Operation, Result, Workspace};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Run by clients on events, as `groma setup --hooks` sets them up
///
/// Reads the event as JSON from standard input. Never fails, and never stops what the client is doing.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// What has happened
    #[arg(value_enum)]
    pub event: Event,
}

#[derive(Debug, Clone, Copy, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A file was edited: bring the index up to date for it
    Edited,
    /// Text is about to be searched: if it is the name of a symbol, say what is known of it
    Searching,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Output {
    /// What the client reads; nothing where there is nothing to say.
    #[serde(skip)]
    text: String,
}

#[derive(Debug)]
pub struct Hook;

/// No event is larger.
const MAX_SIZE: u64 = 16 << 20;

/// How long to wait for another process that writes the index.
const PATIENCE: Duration = Duration::from_secs(2);

impl Operation for Hook {
    const NAME: &'static str = "hook";
    const EXAMPLES: &'static str = "\
  echo '{\"tool_input\": {\"file_path\": \"src/main.rs\"}}' | groma hook edited
  echo '{\"tool_input\": {\"pattern\": \"parse_line\"}}' | groma hook searching";
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let mut text = String::new();
        let read = std::io::stdin().lock().take(MAX_SIZE).read_to_string(&mut text);
        let event: Value =
            read.ok().and_then(|_| serde_json::from_str(&text).ok()).unwrap_or_default();
        let text = match input.event {
            Event::Edited => edited(workspace, &event).map(|()| String::new()),
            Event::Searching => searching(workspace, &event),
        };
        Ok(Output { text: text.unwrap_or_default() })
    }

    fn verbatim(output: &Output) -> Option<&str> {
        Some(&output.text)
    }

    fn render(output: &Output, page: &mut Page) {
        page.line(&output.text);
    }
}

/// Projects that nobody has indexed stay so.
fn edited(workspace: &Workspace, event: &Value) -> Option<()> {
    let (project, _) = workspace.reader().ok()?;
    let input = &event["tool_input"];
    let file = input["file_path"].as_str().or(input["notebook_path"].as_str())?;
    let path = project.path_of(&project.root, file.as_ref())?;
    let config = workspace.config(&project).ok()?;
    let job = index::Job {
        project: &project,
        config: &config,
        pool: &workspace.kept.pool,
        progress: &index::Silent,
        interrupted: &workspace.interrupted,
        only: Some(&[path]),
        full: false,
        patience: PATIENCE,
    };
    index::index(&job).ok().map(|_| ())
}

/// Those that are certain to be a symbol are worth a word; everything else is text.
fn searching(workspace: &Workspace, event: &Value) -> Option<String> {
    let name = identifier(event["tool_input"]["pattern"].as_str()?)?;
    let input = serde_json::from_value(json!({"symbol": name, "no_links": true})).ok()?;
    // As it is in the index: a hint is not worth waiting for.
    let shown = ops::show::Show::run(workspace, input).ok()?;
    let first = shown.matches.first().filter(|first| first.name == name)?;
    let more = match shown.total.unwrap_or(shown.matches.len()) {
        0 | 1 => String::new(),
        total => format!(" and {} more", total - 1),
    };
    let hint = format!(
        "Groma knows `{name}`: {} {} at {}:{}{more}. `groma show {name} --source` has its code, `groma \
         callers {name}` and `groma references {name}` its uses.",
        first.kind, first.qualified_name, first.path, first.line
    );
    let hint = json!({"hookSpecificOutput": {
        "hookEventName": event["hook_event_name"].as_str().unwrap_or("PreToolUse"),
        "additionalContext": ops::text::visible(&hint),
    }});
    Some(format!("{hint}\n"))
}

/// The one name that a pattern looks for, as people write it: `fn parse_line\(`, `\bparse_line\b`.
fn identifier(pattern: &str) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let pattern = pattern.trim().trim_start_matches("\\b").trim_end_matches("\\b");
    let pattern = pattern.trim_end_matches(['(', '\\', ' ']);
    let (word, name) = pattern.rsplit_once([' ', '+']).unwrap_or(("", pattern));
    let is_name = name.chars().all(is_part) && name.chars().count() > 2;
    let is_introduced = word.trim_end_matches("\\s").chars().all(|c| c.is_ascii_lowercase());
    let is_number = name.starts_with(|c: char| c.is_ascii_digit());
    (is_name && is_introduced && !is_number).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn a_pattern_that_looks_for_one_name_is_known() {
        for pattern in
            ["parse_line", "fn parse_line", r"\bparse_line\b", r"def\s+parse_line\(", "parse_line("]
        {
            assert_eq!(identifier(pattern), Some("parse_line"), "{pattern}");
        }
        for pattern in ["", "a", "parse.*line", "parse|line", "Parse line up", "404", "é\\"] {
            assert_eq!(identifier(pattern), None, "{pattern}");
        }
    }
}
