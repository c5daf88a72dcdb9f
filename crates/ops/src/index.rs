//! Bringing the index up to date.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ::index::Job;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::status::summary;
use crate::text::{self, Page, styled};
use crate::{Effect, Error, Kind, Operation, Result, Workspace};

/// Survey a project into its index, or bring the index up to date
///
/// Looks at every file that `.gitignore` does not exclude and reads those that changed; their rows
/// replace the old ones all at once. Until then, and if anything fails, the old index stays.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Directory of the project; the current one unless said
    #[serde(skip)]
    pub path: Option<PathBuf>,
    /// Look at these files and directories alone, from the current directory; one that is gone leaves
    /// the index. `file:10-20` names lines that changed: the facts of a file depend on all of it, so the
    /// whole file is read
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "full")]
    #[serde(default)]
    pub files: Vec<String>,
    /// Show phases and the slowest files
    #[arg(long)]
    #[serde(default)]
    pub performance: bool,
    /// Keep the text of all files for full-text queries
    #[arg(long)]
    #[serde(default)]
    pub with_fts: bool,
    /// Build the index anew, whatever there is
    #[arg(long)]
    #[serde(default)]
    pub full: bool,
    /// Wait so long for another process that is writing the index
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    #[serde(default)]
    pub wait: f64,
    /// Number of worker processes
    #[arg(long)]
    pub workers: Option<usize>,
    /// Index even a home directory or a whole file system
    #[arg(long)]
    #[serde(skip)]
    pub allow_broad_root: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub root: String,
    pub files: u64,
    pub symbols: u64,
    pub references: u64,
    pub names: u64,
    pub languages: BTreeMap<String, u64>,
    pub skipped: BTreeMap<String, u64>,
    pub partial: BTreeMap<String, u64>,
    pub source_bytes: u64,
    pub database_bytes: u64,
    pub generation: u64,
    /// What was different from the index before; none if it was built from nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
    pub milliseconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performance: Option<Performance>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

/// Numbers of files.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Changes {
    pub added: u64,
    pub changed: u64,
    pub removed: u64,
    /// Of the added and changed ones: those whose facts were not known from before.
    pub extracted: u64,
}

impl Changes {
    fn is_none(&self) -> bool {
        self.added + self.changed + self.removed == 0
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Performance {
    /// Milliseconds by phase: collect (the walk), extract (read, parse, write rows), link, indexes,
    /// publish (with the links of an update).
    pub phases: BTreeMap<&'static str, f64>,
    /// Files whose references were linked.
    pub linked_files: u64,
    /// Names that others may depend on and that this update changed.
    pub touched_names: u64,
    pub slowest_files: Vec<SlowFile>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct SlowFile {
    pub path: String,
    pub milliseconds: f64,
}

#[derive(Debug)]
pub struct Index;

impl Operation for Index {
    const NAME: &'static str = "index";
    const EXAMPLES: &'static str = "\
  groma index                    the project around the current directory
  groma index ~/code/shop        another one
  groma index --files src/a.rs   after an edit
  groma index --full             from nothing, whatever there is
  groma index --performance      where the time goes";
    const EFFECT: Effect = Effect::Adds;
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let state = workspace.settings.state_directory.as_deref();
        let root = match input.path.or_else(|| workspace.settings.root.clone()) {
            Some(path) => path,
            None => workspace.directory()?,
        };
        let project = ::index::Project::at(&root, state)?;
        if !input.allow_broad_root {
            project.refuse_broad_root()?;
        }
        let mut config = workspace.config(&project)?;
        let layer = ::index::config::Layer {
            workers: input.workers,
            text_index: input.with_fts.then_some(true),
            ..Default::default()
        };
        config.apply(layer, "the command line")?;
        let only = (!input.files.is_empty())
            .then(|| {
                input
                    .files
                    .iter()
                    .map(|file| named(workspace, &project, file))
                    .collect::<Result<_>>()
            })
            .transpose()?;
        let only: Option<Vec<String>> = only;
        let named = only.as_deref().unwrap_or_default();
        // Where there is no index yet, it knows of none.
        let was_known = known(&project, named).unwrap_or_else(|_| vec![false; named.len()]);
        let patience = std::time::Duration::try_from_secs_f64(input.wait)
            .map_err(|_| Error::new(Kind::Usage, "--wait takes a number of seconds"))?;
        let report = ::index::index(&Job {
            project: &project,
            config: &config,
            pool: &workspace.kept.pool,
            progress: workspace.progress.as_ref(),
            interrupted: &workspace.interrupted,
            only: only.as_deref(),
            full: input.full,
            patience,
        })?;
        crate::projects::register(&project);
        // What was indexed is indexed, whether this can be told or not.
        let unheard = unheard(&project, named, &was_known).unwrap_or_default();
        let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
        let performance = input.performance.then(|| Performance {
            phases: report.phases.iter().map(|(name, time)| (*name, milliseconds(*time))).collect(),
            linked_files: report.linked.files,
            touched_names: report.linked.touched,
            slowest_files: report
                .slowest
                .iter()
                .map(|(path, time)| SlowFile {
                    path: path.clone(),
                    milliseconds: milliseconds(*time),
                })
                .collect(),
        });
        Ok(Output {
            root: project.root.to_string_lossy().into_owned(),
            files: report.totals.files,
            symbols: report.totals.symbols,
            references: report.totals.references,
            names: report.totals.names,
            languages: report
                .languages
                .iter()
                .map(|(id, (files, _))| (id.clone(), *files))
                .collect(),
            skipped: report.skipped,
            partial: report.partial,
            source_bytes: report.source_bytes,
            database_bytes: report.index_bytes,
            generation: report.generation,
            changes: report.changes.map(|changes| Changes {
                added: changes.added,
                changed: changes.changed,
                removed: changes.removed,
                extracted: changes.extracted,
            }),
            milliseconds: report.total.as_millis() as u64,
            performance,
            notices: config.notices.into_iter().chain(report.notices).chain(unheard).collect(),
        })
    }

    fn render(output: &Output, page: &mut Page) {
        for notice in &output.notices {
            page.line(styled(text::WARNING, notice));
        }
        let done = match &output.changes {
            None => "indexed",
            Some(changes) if changes.is_none() => "up to date",
            Some(_) => "updated",
        };
        page.line(format!(
            "{} {} files · {} symbols · {} references in {:.2} s",
            styled(text::HEADING, done),
            text::count(output.files),
            text::count(output.symbols),
            text::count(output.references),
            output.milliseconds as f64 / 1000.0
        ));
        if let Some(changes) = output.changes.as_ref().filter(|changes| !changes.is_none()) {
            page.line(format!(
                "  {} added · {} changed · {} removed · {} extracted",
                text::count(changes.added),
                text::count(changes.changed),
                text::count(changes.removed),
                text::count(changes.extracted)
            ));
        }
        page.line(format!(
            "  {} of source → {} index · generation {}",
            text::bytes(output.source_bytes),
            text::bytes(output.database_bytes),
            output.generation
        ));
        if !output.languages.is_empty() {
            page.line(format!("  {}", summary(&output.languages)));
        }
        for (title, counts) in [("skipped", &output.skipped), ("partial", &output.partial)] {
            if !counts.is_empty() {
                page.line(styled(text::WARNING, &format!("  {title}: {}", summary(counts))));
            }
        }
        if let Some(performance) = &output.performance {
            page.line(styled(text::HEADING, "phases"));
            for name in ["collect", "extract", "link", "indexes", "publish"] {
                let Some(time) = performance.phases.get(name) else { continue };
                page.line(format!("  {name:<8} {time:>9.1} ms"));
            }
            page.line(format!(
                "  {} files linked, {} names touched",
                text::count(performance.linked_files),
                text::count(performance.touched_names)
            ));
            page.line(styled(text::HEADING, "slowest files"));
            for file in &performance.slowest_files {
                let path = text::visible(&file.path);
                page.line(format!(
                    "  {:>9.1} ms  {}",
                    file.milliseconds,
                    styled(text::PATH, &path)
                ));
            }
        }
    }
}

/// The path from the root of a file named by the user, without lines.
fn named(workspace: &Workspace, project: &::index::Project, file: &str) -> Result<String> {
    let with_lines = file.rsplit_once(':').and_then(|(path, text)| Some((path, lines(text)?)));
    let path = match with_lines {
        Some((_, (first, last))) if first == 0 || last < first => {
            return Err(Error::new(Kind::Usage, format!("`{file}` names no lines"))
                .hint("Lines are counted from 1, and the first comes first: `file:10-20`."));
        }
        Some((path, _)) => path,
        None => file,
    };
    project.inside(&workspace.directory()?, path)
}

/// The first and the last line of `10-20`, or of `10`; none of what is no numbers.
fn lines(text: &str) -> Option<(u64, u64)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| {
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        is_digits.then(|| text.parse().ok()).flatten()
    };
    Some((number(first)?, number(last)?))
}

/// Of named files those of which the index says nothing, and why that is.
fn unheard(project: &::index::Project, only: &[String], was_known: &[bool]) -> Result<Vec<String>> {
    let known = known(project, only)?;
    let mut notices = Vec::new();
    for ((path, was_known), is_known) in only.iter().zip(was_known).zip(known) {
        let found = std::fs::symlink_metadata(project.root.join(path));
        match found {
            Err(_) if !was_known => {
                notices.push(format!("`{path}` is neither on disk nor in the index"));
            }
            Ok(found) if !is_known && !found.is_dir() => {
                notices
                    .push(format!("`{path}` is left out: ignored, excluded or not of the project"));
            }
            _ => {}
        }
    }
    Ok(notices)
}

/// Which of these files and directories the index knows something of.
fn known(project: &::index::Project, places: &[String]) -> Result<Vec<bool>> {
    // Whoever opens an index leaves its log behind.
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let reader = store::Reader::open(&project.index_file())?;
    let is_known = |place: &String| {
        let files = reader.files_at(std::slice::from_ref(place));
        files.map(|files| !files.is_empty()).map_err(|error| Error::unreadable(&error))
    };
    places.iter().map(is_known).collect()
}
