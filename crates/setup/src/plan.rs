//! From clients to the changes of files that set them up, or remove what did.

use std::path::{Path, PathBuf};

use ops::{Error, Kind, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::json::{self, Problem};
use crate::table::{Client, Item, Machine, Scope, with_program};
use crate::{section, skill, target, toml};

/// Under this name Groma is a server of its clients.
const NAME: &str = "groma";

/// What is set up of a client.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, schemars::JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The entry among its MCP servers
    Server,
    /// A section in the file it reads first
    Instructions,
    /// The skill file
    Skill,
    /// Commands it runs on events
    Hooks,
}

pub(crate) const PARTS: [Part; 4] = [Part::Server, Part::Instructions, Part::Skill, Part::Hooks];

/// What is to be done.
pub(crate) struct Job<'j> {
    pub(crate) machine: &'j Machine<'j>,
    pub(crate) scope: Scope,
    pub(crate) root: PathBuf,
    pub(crate) program: String,
    pub(crate) parts: Vec<Part>,
    pub(crate) clients: Vec<&'static Client>,
    pub(crate) is_removal: bool,
}

/// A file, and what becomes of it.
pub(crate) struct Change {
    pub(crate) path: PathBuf,
    pub(crate) base: PathBuf,
    pub(crate) parts: Vec<Part>,
    pub(crate) clients: Vec<&'static str>,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// What is there without Groma.
    pub(crate) clean: Option<String>,
    /// Why it is left alone.
    pub(crate) skipped: Option<String>,
}

struct Task {
    client: &'static Client,
    part: Part,
}

/// Works out everything before anything is written. A file that cannot be edited ends it, unless all of
/// Groma is to be removed: then that file is left alone, which is said.
pub(crate) fn plan(job: &Job<'_>) -> Result<Vec<Change>> {
    let mut files: Vec<(PathBuf, Vec<Task>)> = Vec::new();
    for client in &job.clients {
        for part in &job.parts {
            let Some(path) = job.file(client, *part) else { continue };
            let task = Task { client, part: *part };
            match files.iter_mut().find(|(known, _)| *known == path) {
                Some((_, tasks)) => tasks.push(task),
                None => files.push((path, vec![task])),
            }
        }
    }
    files.into_iter().map(|(path, tasks)| job.change(path, &tasks)).collect()
}

impl Job<'_> {
    /// The file that a part of a client is in; none if the client has no such thing.
    pub(crate) fn file(&self, client: &Client, part: Part) -> Option<PathBuf> {
        let scope = self.scope;
        let files = match part {
            Part::Server => client.server.files(scope),
            Part::Instructions => client.instructions.of(scope),
            Part::Skill => client.skill.of(scope),
            Part::Hooks => client.hooks.as_ref()?.files(scope),
        };
        let paths = files.iter().filter_map(|file| match scope {
            Scope::User => self.machine.resolve(file),
            Scope::Project => Some(self.root.join(file)),
        });
        let paths: Vec<PathBuf> = paths.collect();
        let there = paths.iter().find(|path| path.symlink_metadata().is_ok());
        let path = there.or(paths.first())?.clone();
        Some(if part == Part::Instructions { followed(path) } else { path })
    }

    fn base(&self) -> &Path {
        match self.scope {
            Scope::User => &self.machine.home,
            Scope::Project => &self.root,
        }
    }

    fn change(&self, path: PathBuf, tasks: &[Task]) -> Result<Change> {
        let mut change = Change {
            path,
            base: self.base().to_owned(),
            parts: Vec::new(),
            clients: Vec::new(),
            before: None,
            after: None,
            clean: None,
            skipped: None,
        };
        for task in tasks {
            if !change.parts.contains(&task.part) {
                change.parts.push(task.part);
            }
            if !change.clients.contains(&task.client.id.as_str()) {
                change.clients.push(&task.client.id);
            }
        }
        match self.fill(&mut change, tasks) {
            Err(error) if self.is_removal => {
                change.after = change.before.clone();
                change.skipped = Some(error.message);
                Ok(change)
            }
            Err(mut error) => {
                error.message.push_str("; nothing was written");
                error.hint.get_or_insert_with(|| {
                    "Put it right, or leave it out with --client or --without.".to_owned()
                });
                Err(error)
            }
            Ok(()) => Ok(change),
        }
    }

    fn fill(&self, change: &mut Change, tasks: &[Task]) -> Result<()> {
        change.before = target::read(&change.path, &change.base)?;
        let Some(before) = &change.before else {
            if !self.is_removal {
                change.after = self.applied(&change.path, None, tasks, false)?;
            }
            return Ok(());
        };
        if self.is_removal && !before.contains(NAME) {
            change.after = change.before.clone();
            return Ok(());
        }
        change.clean = self.applied(&change.path, Some(before), tasks, true)?;
        change.after = if !self.is_removal {
            self.applied(&change.path, Some(before), tasks, false)?
        } else if let Some(original) = target::original(&change.path, before) {
            original
        } else {
            change.clean.clone()
        };
        Ok(())
    }

    /// A text after all edits of a file, or after their reverse.
    fn applied(
        &self,
        path: &Path,
        text: Option<&str>,
        tasks: &[Task],
        reverse: bool,
    ) -> Result<Option<String>> {
        // A byte order mark stays where it is.
        let (mark, start) = match text.and_then(|text| text.strip_prefix('\u{feff}')) {
            Some(rest) => ("\u{feff}", Some(rest)),
            None => ("", text),
        };
        let mut current = start.map(str::to_owned);
        for task in tasks {
            let edited = self.edited(path, current.as_deref(), task, reverse);
            current = edited.map_err(|problem| {
                let message = format!("{}: {problem}", path.display());
                Error::new(Kind::Usage, message)
            })?;
        }
        Ok(current.map(|text| format!("{mark}{text}")))
    }

    fn edited(
        &self,
        path: &Path,
        text: Option<&str>,
        task: &Task,
        reverse: bool,
    ) -> std::result::Result<Option<String>, Problem> {
        let there = text.unwrap_or_default();
        let is_toml = path.extension().is_some_and(|extension| extension == "toml");
        let edited = match task.part {
            Part::Server => {
                let server = &task.client.server;
                let entry = with_program(&server.entry(self.scope), &self.program);
                match (is_toml, reverse) {
                    (false, false) => json::set(there, &server.at, NAME, &entry)?,
                    (false, true) => json::unset(there, &server.at, NAME)?,
                    (true, false) => toml::set(there, &server.at, NAME, &entry)?,
                    (true, true) => toml::unset(there, &server.at, NAME)?,
                }
            }
            Part::Instructions if reverse => {
                let rest = section::unset(there)?;
                return Ok((!rest.trim().is_empty() || rest == there).then_some(rest));
            }
            Part::Instructions => section::set(there, skill::SECTION)?,
            Part::Skill if !there.is_empty() && !there.contains(skill::MARK) => {
                let not_ours = "it is a skill named groma that somebody else wrote".to_owned();
                return if reverse { Ok(Some(there.to_owned())) } else { Err(not_ours) };
            }
            Part::Skill if reverse => return Ok(None),
            Part::Skill => skill::file(),
            Part::Hooks => {
                let hooks = task.client.hooks.iter().flat_map(|hooks| &hooks.items);
                let mut edited = there.to_owned();
                for item in hooks {
                    edited = self.hooked(&edited, item, reverse)?;
                }
                edited
            }
        };
        Ok(Some(edited))
    }

    fn hooked(
        &self,
        text: &str,
        hook: &Item,
        reverse: bool,
    ) -> std::result::Result<String, Problem> {
        let is_ours = |item: &Value| has_command(item, &commands(&hook.item));
        if reverse {
            json::take(text, &hook.at, &is_ours)
        } else {
            json::add(text, &hook.at, &with_program(&hook.item, &self.program), &is_ours)
        }
    }
}

/// What follows `{program}` in the strings of a template.
fn commands(template: &Value) -> Vec<&str> {
    match template {
        Value::String(text) => text.strip_prefix("{program}").into_iter().collect(),
        Value::Array(items) => items.iter().flat_map(commands).collect(),
        Value::Object(entries) => entries.values().flat_map(commands).collect(),
        _ => Vec::new(),
    }
}

/// Whether a value holds one of these commands of ours, wherever the program was when it was written.
fn has_command(value: &Value, commands: &[&str]) -> bool {
    match value {
        Value::String(text) => commands
            .iter()
            .any(|command| text.strip_suffix(command).is_some_and(|start| start.contains(NAME))),
        Value::Array(items) => items.iter().any(|item| has_command(item, commands)),
        Value::Object(entries) => entries.values().any(|value| has_command(value, commands)),
        _ => false,
    }
}

/// Many projects have one file of instructions and another that only leads to it, by a link or an
/// import: a section belongs into the one.
fn followed(path: PathBuf) -> PathBuf {
    const COMMON: &str = "AGENTS.md";
    let common = path.with_file_name(COMMON);
    let linked = std::fs::read_link(&path)
        .is_ok_and(|leads| leads == Path::new(COMMON) || leads == Path::new(".").join(COMMON));
    let imports = || {
        let text = index::read::read_small_file(&path).ok().flatten().unwrap_or_default();
        text.lines()
            .any(|line| line.trim().trim_start_matches("@./").trim_start_matches('@') == COMMON)
    };
    if path != common && (linked || imports()) { common } else { path }
}
