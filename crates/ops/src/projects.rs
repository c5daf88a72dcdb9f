//! Which projects have an index.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ::index::Project;
use etcetera::BaseStrategy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::Digest;

use crate::text::{self, Page, styled};
use crate::{Effect, Error, Kind, Operation, Result, Workspace};

/// List, find and delete indexes
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    #[command(subcommand)]
    pub action: Action,
}

#[derive(Debug, Clone, Deserialize, clap::Subcommand)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Projects that were indexed by this user
    List,
    /// Projects with an index below a directory
    Scan {
        /// Directory to look through; the current one unless said
        directory: Option<PathBuf>,
    },
    /// Delete what is derived of a project: its index and locks. Configuration, recipes and notes stay
    Delete {
        /// Directory of the project
        directory: PathBuf,
        /// Only say what would be deleted
        #[arg(long)]
        #[serde(default)]
        dry_run: bool,
    },
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Output {
    Projects { projects: Vec<Listed> },
    Deleted { deleted: Vec<String>, dry_run: bool },
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Listed {
    pub root: String,
    /// `ok`, `gone` (no index there any more) or why it cannot be used.
    pub status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database_bytes: Option<u64>,
    /// Milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_at: Option<u64>,
}

/// Directories deeper than this are not looked through.
const MAX_DEPTH: usize = 12;

#[derive(Debug)]
pub struct Projects;

impl Operation for Projects {
    const NAME: &'static str = "projects";
    const EXAMPLES: &'static str = "\
  groma projects list
  groma projects scan ~/code
  groma projects delete ~/code/shop --dry-run";
    const EFFECT: Effect = Effect::Destroys;
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("projects");

    fn writes(input: &Input) -> bool {
        matches!(input.action, Action::Delete { dry_run: false, .. })
    }

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let state = workspace.settings.state_directory.as_deref();
        match input.action {
            Action::List => {
                let projects = registered().iter().map(|root| listed(root, state)).collect();
                Ok(Output::Projects { projects })
            }
            Action::Scan { directory } => {
                let directory = match directory {
                    Some(directory) => directory,
                    None => workspace.directory()?,
                };
                let start = Project::at(&directory, state)?;
                let mut roots = BTreeSet::new();
                scan(&start.root, &start.root, &start, 0, &mut roots);
                let projects = roots.iter().map(|root| listed(root, state)).collect();
                Ok(Output::Projects { projects })
            }
            Action::Delete { directory, dry_run } => {
                delete(&Project::at(&directory, state)?, dry_run)
            }
        }
    }

    fn render(output: &Output, page: &mut Page) {
        match output {
            Output::Projects { projects } if projects.is_empty() => page.line("no projects"),
            Output::Projects { projects } => {
                let rows: Vec<Vec<String>> = projects.iter().map(row).collect();
                page.table(&["root", "files", "index", "status"], &rows);
            }
            Output::Deleted { deleted, dry_run } => {
                let word = if *dry_run { "would delete" } else { "deleted" };
                for path in deleted {
                    page.line(format!("{} {}", styled(text::HEADING, word), text::visible(path)));
                }
            }
        }
    }
}

fn row(listed: &Listed) -> Vec<String> {
    vec![
        text::visible(&listed.root),
        listed.files.map(text::count).unwrap_or_default(),
        listed.database_bytes.map(text::bytes).unwrap_or_default(),
        listed.status.clone(),
    ]
}

fn listed(root: &Path, state: Option<&Path>) -> Listed {
    let mut listed = Listed {
        root: root.to_string_lossy().into_owned(),
        status: "gone".to_owned(),
        files: None,
        database_bytes: None,
        indexed_at: None,
    };
    let Ok(project) = Project::at(root, state) else { return listed };
    let database = project.index_file();
    match store::Reader::open(&database) {
        Ok(reader) => {
            let count = "SELECT count(*) FROM files";
            let files = reader.connection().query_row(count, [], |row| row.get::<_, i64>(0));
            listed.status = "ok".to_owned();
            listed.files = files.ok().map(i64::unsigned_abs);
            listed.database_bytes = fs::metadata(&database).ok().map(|metadata| metadata.len());
            listed.indexed_at = reader.meta("indexed_at").and_then(|text| text.parse().ok());
        }
        Err(store::OpenError::Missing { .. }) => {}
        Err(error) => listed.status = error.to_string(),
    }
    listed
}

/// Adds every directory at or below one that has an index.
fn scan(
    directory: &Path,
    top: &Path,
    start: &Project,
    depth: usize,
    roots: &mut BTreeSet<PathBuf>,
) {
    let state = start.state.strip_prefix(top).unwrap_or(&start.state);
    if directory.join(state).join("index.db").is_file() {
        roots.insert(directory.to_owned());
    }
    if depth == MAX_DEPTH {
        return;
    }
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_kept = !matches!(name.to_str(), Some(".git" | "node_modules" | "target"));
        if is_kept && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            scan(&entry.path(), top, start, depth + 1, roots);
        }
    }
}

fn delete(project: &Project, dry_run: bool) -> Result<Output> {
    project.check_state()?;
    if !project.index_file().exists() {
        let message = format!("there is no index in {}", project.state.display());
        return Err(Error::new(Kind::NotFound, message)
            .hint("`groma projects scan` finds those there are."));
    }
    let lock = (!dry_run)
        .then(|| ::index::WriterLock::take(project, std::time::Duration::from_secs(2)))
        .transpose()?;
    let mut deleted = Vec::new();
    for entry in fs::read_dir(&project.state).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        // What was set aside is not ours to delete.
        let is_derived = matches!(name.as_str(), "lock" | "door" | "watcher")
            || (name.starts_with("index.db") && !name.contains(".aside-"));
        if !is_derived {
            continue;
        }
        if !dry_run {
            fs::remove_file(entry.path()).map_err(|error| {
                Error::new(Kind::Io, format!("cannot delete {}: {error}", entry.path().display()))
            })?;
        }
        deleted.push(entry.path().to_string_lossy().into_owned());
    }
    drop(lock);
    if !dry_run && let Some(entry) = entry_of(&project.root) {
        let _ = fs::remove_file(entry);
    }
    deleted.sort();
    Ok(Output::Deleted { deleted, dry_run })
}

/// Remembers that a project has an index. Where there is no place for that, nothing is remembered.
pub(crate) fn register(project: &Project) {
    let Some(entry) = entry_of(&project.root) else { return };
    if !entry.exists()
        && let (Some(folder), Some(root)) = (entry.parent(), project.root.to_str())
    {
        let _ = fs::create_dir_all(folder).and_then(|()| fs::write(&entry, root));
    }
}

/// Roots of the projects that this user has indexed.
pub fn registered() -> Vec<PathBuf> {
    let Some(folder) = registry() else { return Vec::new() };
    let mut roots: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.path()).ok())
        .map(PathBuf::from)
        .filter(|root| root.is_absolute())
        .collect();
    roots.sort();
    roots.dedup();
    roots
}

/// One file for each project, so that no two processes ever write the same one.
fn entry_of(root: &Path) -> Option<PathBuf> {
    let hash = sha2::Sha256::digest(root.to_str()?.as_bytes());
    let name: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Some(registry()?.join(name))
}

fn registry() -> Option<PathBuf> {
    let directories = etcetera::choose_base_strategy().ok()?;
    Some(directories.data_dir().join("groma/projects"))
}
