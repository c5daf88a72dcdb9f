//! The clients that are known: the table in `clients.toml`, and where its paths lead on a machine.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

const TABLE: &str = include_str!("../clients.toml");

/// An agent or editor, as `clients.toml` describes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    pub id: String,
    pub name: String,
    pub(crate) detect: Vec<String>,
    #[serde(default)]
    pub(crate) programs: Vec<String>,
    pub(crate) server: Server,
    #[serde(default)]
    pub(crate) instructions: Places,
    #[serde(default)]
    pub(crate) skill: Places,
    pub(crate) hooks: Option<Hooks>,
}

/// For whom something is set up.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
    clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// This user, in every project
    #[default]
    User,
    /// This project, for everybody who works on it
    Project,
}

impl Scope {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// Files that serve the same purpose, the preferred one first; none where a client has no such scope.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Places {
    #[serde(default)]
    user: Vec<String>,
    #[serde(default)]
    project: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Server {
    #[serde(default)]
    user: Vec<String>,
    #[serde(default)]
    project: Vec<String>,
    pub(crate) at: Vec<String>,
    entry: Option<Value>,
    project_entry: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hooks {
    #[serde(default)]
    user: Vec<String>,
    #[serde(default)]
    project: Vec<String>,
    pub(crate) items: Vec<Item>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Item {
    pub(crate) at: Vec<String>,
    pub(crate) item: Value,
}

impl Places {
    pub(crate) fn of(&self, scope: Scope) -> &[String] {
        choose(scope, &self.user, &self.project)
    }
}

impl Server {
    pub(crate) fn files(&self, scope: Scope) -> &[String] {
        choose(scope, &self.user, &self.project)
    }

    /// The entry as the client wants it, with `{program}` still in it.
    pub(crate) fn entry(&self, scope: Scope) -> Value {
        let own = self.project_entry.as_ref().filter(|_| scope == Scope::Project);
        own.or(self.entry.as_ref())
            .cloned()
            .unwrap_or_else(|| json!({"command": "{program}", "args": ["mcp"]}))
    }
}

impl Hooks {
    pub(crate) fn files(&self, scope: Scope) -> &[String] {
        choose(scope, &self.user, &self.project)
    }
}

fn choose<'t>(scope: Scope, user: &'t [String], project: &'t [String]) -> &'t [String] {
    match scope {
        Scope::User => user,
        Scope::Project => project,
    }
}

/// All clients, in the order of the table.
pub fn clients() -> &'static [Client] {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        client: Vec<Client>,
    }
    static CLIENTS: LazyLock<Vec<Client>> = LazyLock::new(|| {
        let table: Table = toml_edit::de::from_str(TABLE).expect("a test reads the table");
        table.client
    });
    &CLIENTS
}

/// Puts Groma's name in the place of `{program}`: as it is where it is all of a string, and so that a
/// shell reads it as one word where the string is a command.
pub(crate) fn with_program(template: &Value, program: &str) -> Value {
    const PLACE: &str = "{program}";
    match template {
        Value::String(text) if text == PLACE => json!(program),
        Value::String(text) => json!(text.replace(PLACE, &one_word(program))),
        Value::Array(items) => items.iter().map(|item| with_program(item, program)).collect(),
        Value::Object(entries) => {
            entries.iter().map(|(key, value)| (key.clone(), with_program(value, program))).collect()
        }
        other => other.clone(),
    }
}

fn one_word(program: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:\\@".contains(c);
    if program.chars().all(is_plain) {
        program.to_owned()
    } else {
        format!("'{}'", program.replace('\'', r"'\''"))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum System {
    Linux,
    Macos,
    Windows,
}

/// What paths depend on.
pub(crate) struct Machine<'m> {
    pub(crate) system: System,
    pub(crate) home: PathBuf,
    pub(crate) variable: &'m dyn Fn(&str) -> Option<String>,
}

impl Machine<'_> {
    /// Where a path of the table leads; none if it is relative to a project.
    pub(crate) fn resolve(&self, path: &str) -> Option<PathBuf> {
        const CONFIG: &str = "${XDG_CONFIG_HOME:-~/.config}";
        const ROAMING: &str = "${APPDATA:-~/AppData/Roaming}";
        let (config, applications) = match self.system {
            System::Linux => (CONFIG, CONFIG),
            System::Macos => (CONFIG, "~/Library/Application Support"),
            System::Windows => (ROAMING, ROAMING),
        };
        let path = path.replace("{config}", config).replace("{applications}", applications);
        if let Some(rest) = path.strip_prefix("${") {
            let (name, rest) = rest.split_once(":-")?;
            let (otherwise, rest) = rest.split_once('}')?;
            let said = (self.variable)(name).map(PathBuf::from).filter(|said| said.is_absolute());
            let start = match said {
                Some(said) => said,
                None => self.resolve(otherwise)?,
            };
            return Some(start.join(rest.trim_start_matches('/')));
        }
        let rest = path.strip_prefix('~')?;
        Some(self.home.join(rest.trim_start_matches('/')))
    }

    /// Whether a client seems to be there.
    pub(crate) fn has(&self, client: &Client) -> bool {
        client.detect.iter().filter_map(|path| self.resolve(path)).any(|path| path.exists())
            || client.programs.iter().any(|program| self.on_path(program).is_some())
    }

    /// The file that a name on PATH leads to.
    pub(crate) fn on_path(&self, program: &str) -> Option<PathBuf> {
        let folders = (self.variable)("PATH")?;
        let name = match self.system {
            System::Windows => format!("{program}.exe"),
            System::Linux | System::Macos => program.to_owned(),
        };
        std::env::split_paths(&folders)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(&name))
            .find(|file| is_program(file))
    }
}

fn is_program(file: &Path) -> bool {
    let Ok(metadata) = file.metadata() else { return false };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
    }
    #[cfg(not(unix))]
    {
        metadata.is_file()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(system: System) -> Machine<'static> {
        let variable: &dyn Fn(&str) -> Option<String> = &|name| match name {
            "CODEX_HOME" => Some("/elsewhere/codex".to_owned()),
            "COPILOT_HOME" => Some("not/absolute".to_owned()),
            _ => None,
        };
        Machine { system, home: PathBuf::from("/h"), variable }
    }

    #[test]
    fn every_path_of_every_client_leads_somewhere_on_every_system() {
        for system in [System::Linux, System::Macos, System::Windows] {
            let machine = machine(system);
            for client in clients() {
                let hooks = client.hooks.as_ref().map_or(&[][..], |hooks| &hooks.user);
                let user = [&client.detect, &client.server.user, &client.instructions.user];
                for path in user.into_iter().chain([&client.skill.user]).flatten().chain(hooks) {
                    let resolved = machine.resolve(path).expect("a path of the user");
                    let text = resolved.to_string_lossy();
                    assert!(text.starts_with('/') && !text.contains(['{', '$', '~']), "{text}");
                }
                let project = [&client.server.project, &client.instructions.project];
                for path in project.into_iter().chain([&client.skill.project]).flatten() {
                    assert_eq!(machine.resolve(path), None, "{path}");
                }
            }
        }
    }

    #[test]
    fn variables_and_systems_decide() {
        let linux = machine(System::Linux);
        let at = |machine: &Machine<'_>, path| machine.resolve(path).expect("absolute");
        assert_eq!(at(&linux, "${CODEX_HOME:-~/.codex}/a"), Path::new("/elsewhere/codex/a"));
        assert_eq!(at(&linux, "${COPILOT_HOME:-~/.copilot}/a"), Path::new("/h/.copilot/a"));
        assert_eq!(at(&linux, "{applications}/Code"), Path::new("/h/.config/Code"));
        let macos = machine(System::Macos);
        assert_eq!(
            at(&macos, "{applications}/Code"),
            Path::new("/h/Library/Application Support/Code")
        );
        assert_eq!(at(&macos, "{config}/zed"), Path::new("/h/.config/zed"));
        let windows = machine(System::Windows);
        assert_eq!(at(&windows, "{config}/zed"), Path::new("/h/AppData/Roaming/zed"));
    }

    #[test]
    fn ids_are_unique_words_and_stand_on_the_page() {
        let mut ids: Vec<&str> = clients().iter().map(|client| client.id.as_str()).collect();
        assert!(ids.len() > 15);
        assert!(ids.iter().all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
        let page = include_str!("../../../docs/setup.md");
        assert!(ids.iter().all(|id| page.contains(&format!("| `{id}` |"))), "a row is missing");
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), clients().len());
    }

    #[test]
    fn a_program_with_spaces_is_one_word_of_a_command() {
        let template = json!({"command": "{program}", "args": ["mcp"], "hook": "{program} hook"});
        assert_eq!(
            with_program(&template, "/a b/groma"),
            json!({"command": "/a b/groma", "args": ["mcp"], "hook": "'/a b/groma' hook"})
        );
        assert_eq!(with_program(&template, "groma")["hook"], "groma hook");
    }
}
