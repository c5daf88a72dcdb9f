//! What is wrong, and what to do about it.

use std::fs;

use ::index::Project;
use ::index::worker::Question;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{OpenError, Reader};

use crate::link_report::{self, LinkReport};
use crate::linked::own_data;
use crate::text::{self, Page, styled};
use crate::{Operation, Result, Workspace};

/// Check the index and what it needs, and say what to do
///
/// Changes nothing. Exits with status 1 if something is wrong.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// What to look at: `links` for the share of references that lead somewhere, by language
    pub about: Option<About>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum About {
    Links,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Output {
    Checks { checks: Vec<Check> },
    Links(LinkReport),
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Check {
    pub name: &'static str,
    pub health: Health,
    pub finding: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    Good,
    /// Works, but not as well as it could.
    Warning,
    Problem,
}

/// A log that is larger than this, or than a tenth of the database, is not emptied as it should be.
const MAX_LOG: u64 = 64 << 20;

#[derive(Debug)]
pub struct Doctor;

impl Operation for Doctor {
    const NAME: &'static str = "doctor";
    const EXAMPLES: &'static str = "\
  groma doctor
  groma doctor links          how many references are linked, and why others are not
  groma doctor --json";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("checks");

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        if input.about == Some(About::Links) {
            let (_, reader) = workspace.reader()?;
            return Ok(Output::Links(
                link_report::report(&reader).map_err(crate::workspace::unusable)?,
            ));
        }
        let project = workspace.project()?;
        let mut checks = vec![state(&project), configuration(workspace, &project)];
        match Reader::open(&project.index_file()) {
            Ok(reader) => {
                checks.push(good("index", format!("{}", project.index_file().display())));
                checks.push(root(&project, &reader));
                checks.push(integrity(&reader));
                checks.push(extractor(&reader));
                checks.push(freshness(workspace, &project, &reader));
                checks.push(given_up(&reader));
            }
            Err(error) => checks.push(unusable(&error)),
        }
        checks.push(saved(&project));
        checks.push(log(&project));
        checks.push(leftovers(&project));
        checks.push(worker(workspace));
        checks.push(watches(&project));
        checks.push(good("sqlite", store::rusqlite::version().to_owned()));
        Ok(Output::Checks { checks })
    }

    fn has_findings(output: &Output) -> bool {
        match output {
            Output::Checks { checks } => checks.iter().any(|check| check.health == Health::Problem),
            Output::Links(_) => false,
        }
    }

    fn render(output: &Output, page: &mut Page) {
        let checks = match output {
            Output::Checks { checks } => checks,
            Output::Links(report) => return link_report::render(report, page),
        };
        for check in checks {
            page.item();
            let (style, word) = match check.health {
                Health::Good => (text::DIM, "good"),
                Health::Warning => (text::WARNING, "warning"),
                Health::Problem => (text::WARNING, "problem"),
            };
            page.line(format!(
                "{}  {:<13} {}",
                styled(style, &format!("{word:<7}")),
                check.name,
                text::visible(&check.finding)
            ));
            if let Some(remedy) = &check.remedy {
                page.line(format!("         {}", text::visible(remedy)));
            }
        }
    }
}

fn check(name: &'static str, health: Health, finding: String, remedy: &str) -> Check {
    Check { name, health, finding, remedy: Some(remedy.to_owned()) }
}

fn good(name: &'static str, finding: impl Into<String>) -> Check {
    Check { name, health: Health::Good, finding: finding.into(), remedy: None }
}

fn state(project: &Project) -> Check {
    match project.check_state() {
        Err(error) => {
            let remedy = error.hint.unwrap_or_default();
            check("state", Health::Problem, error.message, &remedy)
        }
        Ok(()) => match fs::metadata(&project.state) {
            Ok(metadata) if metadata.permissions().readonly() => {
                let finding = format!("{} cannot be written", project.state.display());
                check("state", Health::Warning, finding, "Give another --state-dir to index.")
            }
            _ => good("state", project.state.display().to_string()),
        },
    }
}

fn configuration(workspace: &Workspace, project: &Project) -> Check {
    match workspace.config(project) {
        Ok(_) => good("configuration", "can be read"),
        Err(error) => {
            let remedy = error.hint.unwrap_or_else(|| "Put it right.".to_owned());
            check("configuration", Health::Problem, error.message, &remedy)
        }
    }
}

fn unusable(error: &OpenError) -> Check {
    let remedy = match error {
        OpenError::Missing { .. } => "Run `groma index`.",
        OpenError::Sqlite { .. } => "See that there is space, and that it may be written.",
        OpenError::NewerSchema { .. } => "Use the newer groma, or another --state-dir.",
        _ => "Run `groma index`: it sets the file aside, if it is not its own, and builds anew.",
    };
    check("index", Health::Problem, error.to_string(), remedy)
}

fn saved(project: &Project) -> Check {
    match own_data(project) {
        Ok(Some(_)) => good("saved", project.user_file().display().to_string()),
        Ok(None) => good("saved", "nothing"),
        Err(error) => {
            let remedy = error.hint.unwrap_or_else(|| "Move it away.".to_owned());
            check("saved", Health::Problem, error.message, &remedy)
        }
    }
}

fn root(project: &Project, reader: &Reader) -> Check {
    let root = reader.meta("root").unwrap_or_default();
    if root == project.root.to_string_lossy() {
        good("root", root)
    } else {
        let finding = format!("the index is that of {root}");
        check("root", Health::Problem, finding, "Run `groma index`.")
    }
}

fn integrity(reader: &Reader) -> Check {
    let answer = reader
        .connection()
        .query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
        .unwrap_or_else(|error| error.to_string());
    if answer == "ok" {
        good("integrity", "ok")
    } else {
        check("integrity", Health::Problem, answer, "Run `groma index --full`.")
    }
}

fn extractor(reader: &Reader) -> Check {
    let known = ::index::extractor();
    match reader.meta("extractor_version") {
        Some(version) if version == known => good("extractor", format!("version {version}")),
        version => {
            let finding = format!(
                "facts are of version {}, this program makes version {known}",
                version.unwrap_or_default()
            );
            check("extractor", Health::Warning, finding, "Run `groma index`.")
        }
    }
}

fn freshness(workspace: &Workspace, project: &Project, reader: &Reader) -> Check {
    let drifted = workspace
        .config(project)
        .and_then(|config| ::index::drift(project, &config, reader))
        .map_err(|error| error.message);
    match drifted {
        Ok(drifted) if drifted.is_empty() => good("freshness", "as the files are"),
        Ok(drifted) => {
            let finding = format!("{} files differ from the index", drifted.len());
            check("freshness", Health::Warning, finding, "Run `groma index`, or `groma watch`.")
        }
        Err(message) => {
            check("freshness", Health::Problem, message, "See what `groma index` says.")
        }
    }
}

/// Files whose parser died, took too long or too much memory.
fn given_up(reader: &Reader) -> Check {
    let sql = "SELECT count(*) FROM files WHERE reason IN ('crashed', 'timeout', 'memory')";
    let count: i64 = reader.connection().query_row(sql, [], |row| row.get(0)).unwrap_or(0);
    if count == 0 {
        good("parsers", "no file was given up")
    } else {
        let finding = format!("{count} files were given up: their parser died or took too long");
        let remedy = "`groma query \"SELECT path, reason FROM files WHERE status = 'skipped'\"` \
                      lists them; exclude them or raise `file-timeout`.";
        check("parsers", Health::Warning, finding, remedy)
    }
}

fn log(project: &Project) -> Check {
    let size = |path| fs::metadata(path).map_or(0, |metadata: fs::Metadata| metadata.len());
    let database = project.index_file();
    let (log, limit) = (size(database.with_extension("db-wal")), size(database) / 10);
    if log > MAX_LOG.max(limit) {
        let finding = format!("the log of the database has {}", text::bytes(log));
        check("log", Health::Warning, finding, "A process may hold an old snapshot; end it.")
    } else {
        good("log", text::bytes(log))
    }
}

fn leftovers(project: &Project) -> Check {
    let names: Vec<String> = fs::read_dir(&project.state)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains(".aside-"))
        .collect();
    if names.is_empty() {
        good("set aside", "nothing")
    } else {
        let finding = format!("{} in {}", names.join(", "), project.state.display());
        check("set aside", Health::Warning, finding, "Delete what you do not need.")
    }
}

/// Whether a worker process starts and answers.
fn worker(workspace: &Workspace) -> Check {
    let mut worker = workspace.kept.pool.worker();
    let patience = std::time::Duration::from_secs(5);
    let answer = worker.ask(Question::PROBE, patience);
    workspace.kept.pool.give_back(worker);
    match answer {
        Ok(Ok(_)) => good("workers", "start and answer"),
        Ok(Err(failure)) => {
            let finding = format!("a worker gave no answer ({})", failure.reason());
            check("workers", Health::Problem, finding, "Install groma again.")
        }
        Err(error) => check(
            "workers",
            Health::Problem,
            format!("a worker cannot be started: {error}"),
            "See that this program may start itself.",
        ),
    }
}

fn watches(project: &Project) -> Check {
    let state = ::index::watch::state(project);
    let limit = fs::read_to_string("/proc/sys/fs/inotify/max_user_watches")
        .ok()
        .and_then(|text| text.trim().parse::<u64>().ok());
    match (state, limit) {
        ("polling", _) => check(
            "watching",
            Health::Warning,
            "the system has no more watches; the watcher compares every few seconds".to_owned(),
            "Raise fs.inotify.max_user_watches.",
        ),
        (state, Some(limit)) => good("watching", format!("{state}; the system allows {limit}")),
        (state, None) => good("watching", state),
    }
}
