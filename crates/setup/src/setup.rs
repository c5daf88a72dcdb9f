//! Setting up agents and editors, and removing that again.

use std::path::Path;

use ops::text::{self, Page, styled};
use ops::{Error, Kind, Operation, Result, Workspace};
use serde::{Deserialize, Serialize};

use crate::diff::diff;
use crate::plan::{Change, Job, PARTS, Part, plan};
use crate::table::{Client, Machine, Scope, System, clients};
use crate::target::{self, Replacement};

/// Set up agents and editors to use Groma, or remove that again
///
/// Writes an entry among the MCP servers of each client, a short section into the file it reads first, and
/// a skill. Everything else in those files stays as it is. Nothing is written unless every file can be
/// edited; what was there is kept.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Only these clients; all that are found unless said
    #[arg(long = "client", value_name = "ID", num_args = 1..)]
    #[serde(default)]
    pub clients: Vec<String>,
    /// Whose settings are written
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    pub scope: Scope,
    /// Also have clients index files they edited, and hint at Groma when they search for a symbol
    #[arg(long)]
    #[serde(default)]
    pub hooks: bool,
    /// Leave this out
    #[arg(long, value_enum, value_name = "PART", num_args = 1..)]
    #[serde(default)]
    pub without: Vec<Part>,
    /// Take everything away again that was set up
    #[arg(long, conflicts_with = "list")]
    #[serde(default)]
    pub remove: bool,
    /// Write nothing, show what would change
    #[arg(long)]
    #[serde(default)]
    pub dry_run: bool,
    /// List the clients that are known, which of them are there, and which are set up
    #[arg(long)]
    #[serde(default)]
    pub list: bool,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum Output {
    List { clients: Vec<Listed> },
    Changes { dry_run: bool, scope: Scope, program: String, files: Vec<File>, notes: Vec<String> },
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Listed {
    pub id: String,
    pub name: String,
    /// Whether it seems to be on this machine.
    pub found: bool,
    /// Scopes in which Groma is one of its servers.
    pub configured: Vec<Scope>,
    /// Its file of MCP servers for this user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct File {
    pub path: String,
    /// `created`, `changed`, `deleted`, `unchanged` or `skipped`.
    pub action: &'static str,
    pub parts: Vec<Part>,
    pub clients: Vec<&'static str>,
    /// Why it was left alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where what was in it before is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
    /// What would change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

#[derive(Debug)]
pub struct Setup;

impl Operation for Setup {
    const NAME: &'static str = "setup";
    const EXAMPLES: &'static str = "\
  groma setup --list                          which clients there are
  groma setup --dry-run                       what would be written
  groma setup                                 set up all that are found, for this user
  groma setup --client cursor --scope project
  groma setup --remove                        as it was before";
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let home = std::env::home_dir().filter(|home| home.is_absolute()).ok_or_else(|| {
            Error::new(Kind::Io, "there is no home directory").hint("Set HOME to yours.")
        })?;
        let machine = Machine { system: system(), home, variable: &variable };
        let mut job = Job {
            machine: &machine,
            scope: input.scope,
            root: workspace.project()?.root,
            program: program(&machine)?,
            parts: parts(&input),
            clients: Vec::new(),
            is_removal: input.remove,
        };
        if input.list {
            return Ok(Output::List {
                clients: clients().iter().map(|one| listed(&mut job, one)).collect(),
            });
        }
        job.clients = chosen(&input, &machine)?;
        let changes = plan(&job)?;
        if !input.dry_run {
            write(&changes, input.remove)?;
        }
        let notes = notes(&job, &changes);
        // A removal looks everywhere; where there is nothing of Groma, there is nothing to say.
        let is_told = |file: &File| !input.remove || file.action != "unchanged";
        let files =
            changes.iter().map(|change| file(change, input.dry_run)).filter(is_told).collect();
        Ok(Output::Changes {
            dry_run: input.dry_run,
            scope: input.scope,
            program: job.program,
            files,
            notes,
        })
    }

    fn list(output: &Output) -> Option<&'static str> {
        Some(match output {
            Output::List { .. } => "clients",
            Output::Changes { .. } => "files",
        })
    }

    fn render(output: &Output, page: &mut Page) {
        match output {
            Output::List { clients } => {
                let rows: Vec<Vec<String>> = clients.iter().map(row).collect();
                page.table(&["id", "client", "found", "set up for", "file"], &rows);
            }
            Output::Changes { dry_run, files, notes, .. } => {
                for file in files {
                    render_file(file, page);
                }
                let changed = files.iter().filter(|file| is_changed(file)).count();
                page.line(match (changed, dry_run) {
                    (0, _) => "nothing to change".to_owned(),
                    (_, true) => format!("{changed} files would change"),
                    (_, false) => format!("{changed} files changed; restart the clients that run"),
                });
                for note in notes {
                    page.line(text::visible(note));
                }
            }
        }
    }
}

fn system() -> System {
    if cfg!(target_os = "macos") {
        System::Macos
    } else if cfg!(windows) {
        System::Windows
    } else {
        System::Linux
    }
}

/// Groma's bare name, where it leads to this very program, or else its whole path.
fn program(machine: &Machine<'_>) -> Result<String> {
    let missing = |error: std::io::Error| {
        Error::new(Kind::Io, format!("this program cannot find itself: {error}"))
    };
    let this = std::env::current_exe().map_err(missing)?;
    let same = |path: &Path| std::fs::canonicalize(path).ok() == std::fs::canonicalize(&this).ok();
    if machine.on_path("groma").is_some_and(|path| same(&path)) {
        return Ok("groma".to_owned());
    }
    let path = this.to_str().map(str::to_owned);
    path.ok_or_else(|| Error::new(Kind::Refused, "the path of this program is not text"))
}

fn parts(input: &Input) -> Vec<Part> {
    let is_asked = |part: &Part| *part != Part::Hooks || input.hooks || input.remove;
    PARTS.into_iter().filter(is_asked).filter(|part| !input.without.contains(part)).collect()
}

fn chosen(input: &Input, machine: &Machine<'_>) -> Result<Vec<&'static Client>> {
    if input.clients.is_empty() {
        let is_meant = |client: &&Client| input.remove || machine.has(client);
        let found: Vec<&Client> = clients().iter().filter(is_meant).collect();
        if found.is_empty() {
            return Err(Error::new(Kind::NotFound, "no client was found")
                .hint("Name one with --client; `groma setup --list` has them."));
        }
        return Ok(found);
    }
    let known = |id: &String| {
        clients().iter().find(|client| client.id == *id).ok_or_else(|| {
            let ids: Vec<&str> = clients().iter().map(|client| client.id.as_str()).collect();
            Error::new(Kind::Usage, format!("there is no client `{id}`"))
                .hint(format!("Known are {}.", ids.join(", ")))
        })
    };
    input.clients.iter().map(known).collect()
}

fn listed(job: &mut Job<'_>, client: &'static Client) -> Listed {
    let mut configured = Vec::new();
    for scope in [Scope::User, Scope::Project] {
        job.scope = scope;
        job.is_removal = true;
        job.parts = vec![Part::Server];
        job.clients = vec![client];
        // Set up is what a removal would change.
        let changes = plan(job).unwrap_or_default();
        if changes.iter().any(|change| change.after != change.before) {
            configured.push(scope);
        }
    }
    job.scope = Scope::User;
    Listed {
        id: client.id.clone(),
        name: client.name.clone(),
        found: job.machine.has(client),
        configured,
        file: job.file(client, Part::Server).map(|file| file.to_string_lossy().into_owned()),
    }
}

fn write(changes: &[Change], is_removal: bool) -> Result<()> {
    let mut replacements: Vec<Replacement<'_>> = changes
        .iter()
        .filter(|change| change.after != change.before)
        .map(|change| Replacement {
            path: &change.path,
            base: &change.base,
            before: change.before.as_deref(),
            after: change.after.as_deref(),
            clean: change.clean.as_deref(),
            is_removal,
        })
        .collect();
    // Directories are emptied from the inside.
    if is_removal {
        replacements.reverse();
    }
    target::write_all(&replacements)
}

fn notes(job: &Job<'_>, changes: &[Change]) -> Vec<String> {
    let mut notes = Vec::new();
    if job.is_removal {
        return notes;
    }
    for client in &job.clients {
        if job.parts.contains(&Part::Server) && job.file(client, Part::Server).is_none() {
            let name = &client.name;
            notes.push(format!("{name} has no MCP servers of a project; use --scope user for it"));
        }
    }
    if job.parts.contains(&Part::Hooks) && !changes.iter().any(|c| c.parts.contains(&Part::Hooks)) {
        notes.push("none of these clients has hooks that are known".to_owned());
    }
    if job.scope == Scope::Project && job.program != "groma" {
        notes.push(format!(
            "groma is not on PATH, so the settings name {}; that is right on this machine alone",
            job.program
        ));
    }
    notes
}

fn file(change: &Change, dry_run: bool) -> File {
    let action = match (&change.before, &change.after) {
        _ if change.skipped.is_some() => "skipped",
        (before, after) if before == after => "unchanged",
        (None, _) => "created",
        (_, None) => "deleted",
        _ => "changed",
    };
    let is_changed = change.before != change.after;
    let backup = (!dry_run && is_changed && change.before.is_some())
        .then(|| target::backup_of(&change.path))
        .flatten();
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    File {
        path: change.path.to_string_lossy().into_owned(),
        action,
        parts: change.parts.clone(),
        clients: change.clients.clone(),
        reason: change.skipped.clone(),
        backup: backup.map(|path| path.to_string_lossy().into_owned()),
        diff: (dry_run && is_changed).then(|| diff(&text(&change.before), &text(&change.after))),
    }
}

fn is_changed(file: &File) -> bool {
    !matches!(file.action, "unchanged" | "skipped")
}

fn row(client: &Listed) -> Vec<String> {
    let scopes: Vec<&str> = client.configured.iter().map(|scope| scope.word()).collect();
    vec![
        client.id.clone(),
        client.name.clone(),
        if client.found { "yes" } else { "no" }.to_owned(),
        scopes.join(", "),
        client.file.as_deref().map(text::visible).unwrap_or_default(),
    ]
}

fn render_file(file: &File, page: &mut Page) {
    let action = styled(text::HEADING, file.action);
    let path = styled(text::PATH, &text::visible(&file.path));
    let about = styled(text::DIM, &format!("for {}", file.clients.join(", ")));
    page.line(format!("{action} {path}  {about}"));
    if let Some(reason) = &file.reason {
        page.line(format!("  {}", text::visible(reason)));
    }
    if let Some(backup) = &file.backup {
        page.line(styled(text::DIM, &format!("  as it was: {}", text::visible(backup))));
    }
    for line in file.diff.iter().flat_map(|diff| diff.lines()) {
        let line = text::visible(line);
        page.line(match line.chars().next() {
            Some('+') => styled(text::KIND, &line),
            Some('-') => styled(text::WARNING, &line),
            _ => line,
        });
    }
}
