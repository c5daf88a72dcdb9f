//! What a project says to agents: CLAUDE.md, AGENTS.md and the like, gathered and never changed.

use ::index::Project;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::Reader;
use store::rusqlite;

use crate::text::{self, Page};
use crate::workspace::unusable;
use crate::{Effect, Error, Kind, Operation, Result, Workspace, state_files};

const FILE: &str = "docs.md";

/// Show what a project says to agents: CLAUDE.md, AGENTS.md and the like
///
/// They are gathered into `.groma/docs.md`, one section for the project and one for each directory that
/// has its own. The files themselves are never changed.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Only this section: its title, its directory or its file
    pub section: Option<String>,
    /// Only show them; write nothing
    #[arg(long)]
    #[serde(default)]
    pub no_write: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub sections: Vec<Doc>,
    /// Whether `docs.md` was written.
    pub written: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Doc {
    /// `Project: name` or `Library: directory`.
    pub title: String,
    /// The file it comes from.
    pub source: String,
    pub text: String,
}

#[derive(Debug)]
pub struct Docs;

impl Operation for Docs {
    const NAME: &'static str = "docs";
    const EXAMPLES: &'static str = "\
  groma docs
  groma docs crates/store         what is said about a directory
  groma docs AGENTS.md --json";
    const EFFECT: Effect = Effect::Adds;
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("sections");
    const PAGED: bool = false;

    fn writes(input: &Input) -> bool {
        !input.no_write
    }

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (project, reader) = workspace.reader()?;
        let mut sections = gather(&project, &reader).map_err(unusable)?;
        let written = !input.no_write
            && !sections.is_empty()
            && state_files::write(&project, FILE, &page(&sections))?;
        if let Some(wanted) = &input.section {
            let titles: Vec<String> =
                sections.iter().map(|doc| format!("`{}`", doc.title)).collect();
            sections.retain(|doc| is_meant(doc, wanted));
            if sections.is_empty() {
                let message = format!("there is no section `{}`", text::one_line(wanted, 100));
                return Err(Error::new(Kind::NotFound, message).hint(match titles.is_empty() {
                    true => "The project has no CLAUDE.md or AGENTS.md.".to_owned(),
                    false => format!("There are {}.", text::one_line(&titles.join(", "), 400)),
                }));
            }
        }
        Ok(Output { sections, written })
    }

    fn render(output: &Output, page: &mut Page) {
        if output.sections.is_empty() {
            return page.line("the project has no CLAUDE.md, AGENTS.md or the like");
        }
        for line in self::page(&output.sections).lines() {
            page.line(text::visible(line));
        }
    }
}

/// Names of such files, in the order in which they are told; in lower case.
const NAMES: [&str; 7] = [
    "claude.md",
    "agents.md",
    "gemini.md",
    "copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    "conventions.md",
];

/// Directories that hold them for the directory around.
const HOLDERS: [&str; 4] = [".claude", ".github", ".gemini", ".cursor"];

/// Files that are gathered at most.
const MAX_FILES: usize = 200;

/// The files of the index that speak to agents, as they are now; the project's own first.
fn gather(project: &Project, reader: &Reader) -> rusqlite::Result<Vec<Doc>> {
    let mut statement =
        reader.connection().prepare("SELECT path FROM files WHERE status <> 'skipped'")?;
    let mut found: Vec<(usize, String, usize, String)> = Vec::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let path = row.get_ref(0)?.as_str()?;
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Some(rank) = NAMES.iter().position(|known| name.eq_ignore_ascii_case(known)) else {
            continue;
        };
        let mut place = folder;
        while let Some(holder) = HOLDERS.iter().find(|holder| place.ends_with(*holder)) {
            place = place[..place.len() - holder.len()].trim_end_matches('/');
        }
        let depth = if place.is_empty() { 0 } else { 1 + place.matches('/').count() };
        found.push((depth.min(1), place.to_owned(), rank, path.to_owned()));
    }
    found.sort();
    let name = project.root.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut docs: Vec<Doc> = Vec::new();
    for (_, place, _, path) in found.into_iter().take(MAX_FILES) {
        let limit = ::index::read::MAX_SMALL_FILE;
        let content = ::index::read::read_source(&project.root.join(&path), limit).0;
        let ::index::read::Content::Text { text, .. } = content else { continue };
        let title = match place.is_empty() {
            true => format!("Project: {name}"),
            false => format!("Library: {place}"),
        };
        let text = text.trim().to_owned();
        // Two files for two agents often say the same.
        match docs.iter_mut().find(|doc| doc.title == title && doc.text == text) {
            Some(same) => same.source = format!("{}, {path}", same.source),
            None => docs.push(Doc { title, source: path, text }),
        }
    }
    Ok(docs)
}

fn is_meant(doc: &Doc, wanted: &str) -> bool {
    let wanted = wanted.trim().trim_start_matches("./").trim_end_matches('/').to_lowercase();
    let title = doc.title.to_lowercase();
    let name = title.split_once(": ").map_or(title.as_str(), |(_, name)| name);
    let mut sources = doc.source.split(", ");
    wanted == title
        || wanted == name
        || title.split(": ").next() == Some(wanted.as_str())
        || sources.any(|source| source.to_lowercase() == wanted)
}

fn page(sections: &[Doc]) -> String {
    let sections = sections
        .iter()
        .map(|doc| format!("## {}\n> Source: {}\n\n{}\n", doc.title, doc.source, doc.text));
    sections.collect::<Vec<_>>().join("\n---\n\n")
}
