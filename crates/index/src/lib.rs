//! Surveying a project: which files, what they say, and into the index with it.
//!
//! [`Project`] knows where things are and what is configured. [`index`] brings an index up to date, or
//! builds it: [`walk`] finds the files, [`read`] reads one of them safely, [`pool`] has it extracted by
//! a worker process, and the store writes the rows. [`worker`] is the other end of the pipe.
//!
//! Hostile repositories are the normal case: nothing in them is executed, nothing outside the root is
//! read, and a file that breaks its parser costs that file and nothing else.

pub mod config;
mod drift;
mod error;
mod full;
pub mod git;
mod lock;
pub mod owner;
pub mod pool;
pub mod project;
mod quarantine;
pub mod read;
mod report;
mod repository;
mod stamp;
mod survey;
mod update;
mod versions;
pub mod walk;
pub mod watch;
pub mod worker;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use config::Config;
pub use drift::{Drift, drift, drift_of};
pub use error::{Error, Kind};
pub use languages::extractor;
pub use lock::WriterLock;
pub use project::Project;
pub use report::{Changes, Progress, Report, Silent};
pub use store::bugs;
pub use versions::{Version, versions};

use pool::Pool;
use quarantine::Quarantine;
use store::{OpenError, Swap, Update};

/// What to index, and how.
#[derive(Clone, Copy)]
pub struct Job<'j> {
    pub project: &'j Project,
    pub config: &'j Config,
    pub pool: &'j Pool,
    pub progress: &'j dyn Progress,
    pub interrupted: &'j AtomicBool,
    /// Look at these files, and at what is below these directories, alone. Paths from the root.
    pub only: Option<&'j [String]>,
    /// Build anew, whatever there is.
    pub full: bool,
    /// How long to wait for another process that writes.
    pub patience: Duration,
}

impl std::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("project", self.project).finish_non_exhaustive()
    }
}

/// Brings the index of a project up to date, building it if there is none that can be used.
pub fn index(job: &Job<'_>) -> Result<Report, Error> {
    let project = job.project;
    project.prepare_state()?;
    let _lock = WriterLock::take(project, job.patience)?;
    full::clear_away(project);
    let path = project.index_file();
    let mut notices = Vec::new();
    let mut generation = 1;
    let mut id = None;
    let mut quarantine = Quarantine::default();
    if !path.exists() && !job.full {
        let _ = full::adopt(project);
    }
    // A page of the schema that the disk fails to give is told as damage: only what is still damaged at a
    // second look is put aside.
    let opened = match Update::open(&path) {
        Err(OpenError::Corrupt { .. }) => Update::open(&path),
        outcome => outcome,
    };
    match opened {
        Ok(index) if !is_own(&index)? => {
            index.close();
            notices.push(set_aside(project, &path, &"the index was not made by this user")?);
        }
        Ok(index) => {
            id = index.meta(owner::ID);
            let same_extractor =
                index.meta("extractor_version").as_deref() == Some(languages::extractor());
            let same_texts = index.meta("fts5_enabled") == Some(job.text_index());
            generation = index.generation() + 1;
            if job.full || !same_extractor || !same_texts {
                if same_extractor {
                    // If they cannot be read, they are tried again, which is all.
                    quarantine = Quarantine::of(&index.files().unwrap_or_default());
                }
                index.close();
            } else {
                // Who copied or moved an index copied the times of another tree.
                let trust = index.meta("root").as_deref() == Some(&*job.root())
                    && index.meta("limits") == Some(job.limits());
                // If what is known of the others cannot be trusted, all are looked at.
                let only = job.only.filter(|_| trust);
                match update::update(&Job { only, ..*job }, index, trust) {
                    Err(error) if error.kind == Kind::Damaged => {
                        notices.push(set_aside(project, &path, &error)?);
                    }
                    outcome => return outcome.map(|report| job.measured(report)),
                }
            }
        }
        Err(OpenError::Missing { .. }) => {}
        Err(OpenError::OlderSchema { found, .. }) => {
            notices.push(format!("the index was of an older version (schema {found}); built anew"));
        }
        Err(error @ (OpenError::Foreign { .. } | OpenError::Corrupt { .. })) => {
            notices.push(set_aside(project, &path, &error)?);
        }
        // One of a newer version is not ours to replace; one that cannot be reached may be sound.
        Err(error @ (OpenError::NewerSchema { .. } | OpenError::Sqlite { .. })) => {
            return Err(error.into());
        }
    }
    let mut report =
        full::build(job, generation, &quarantine, &owner::mark(id)?).map_err(Error::of_building)?;
    report.notices = notices;
    Ok(job.measured(report))
}

/// Whether this user made an index. A damaged one is found to be so when it is read.
fn is_own(index: &Update) -> Result<bool, Error> {
    match owner::is_own(|key| index.try_meta(key)) {
        Err(error) if error.kind == Kind::Index => Ok(true),
        outcome => outcome,
    }
}

/// Moves what is in the place of the index away, and says where to.
fn set_aside(
    project: &Project,
    path: &std::path::Path,
    why: &dyn std::fmt::Display,
) -> Result<String, Error> {
    let aside = project.set_aside(path)?;
    Ok(format!("{why}; it is kept as {}", aside.display()))
}

/// Drops files, and all below directories, from the index; returns their paths. Files that are still
/// there come back with the next [`index`].
pub fn remove(job: &Job<'_>, places: &[String]) -> Result<Vec<String>, Error> {
    let _lock = WriterLock::take(job.project, job.patience)?;
    let mut index = Update::open(&job.project.index_file())?;
    if !is_own(&index)? {
        return Err(Error::not_own());
    }
    let files = index.files_at(places)?;
    if !files.is_empty() {
        let retired: Vec<i64> = files.iter().map(|file| file.id).collect();
        let meta = [("complete", "0".to_owned())];
        let swap = Swap { retired: &retired, revived: &[], touched: &[], meta: &meta };
        index.swap(&swap, &mut job.link_watcher())?;
    }
    index.close();
    Ok(files.into_iter().map(|file| file.row.path).collect())
}

impl Job<'_> {
    /// Shows how far linking is, and ends it when the job is interrupted.
    fn link_watcher(&self) -> impl FnMut(u64, u64) -> ControlFlow<()> {
        |done, total| {
            if done == 0 {
                self.progress.phase("link", total);
            }
            self.progress.advance(done);
            match self.interrupted.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
    }

    /// What the index says about itself.
    fn meta(&self) -> Vec<(&'static str, String)> {
        let mut meta = vec![
            ("schema_version", store::SCHEMA_VERSION.to_string()),
            ("extractor_version", languages::extractor().to_owned()),
            ("root", self.root()),
            ("limits", self.limits()),
            ("indexed_at", stamp::now_ms().to_string()),
            ("fts5_enabled", self.text_index()),
            (
                "commit",
                repository::Repository::around(&self.project.root)
                    .and_then(|repository| repository.head())
                    .unwrap_or_default(),
            ),
        ];
        // Who looked at some files knows nothing of the others.
        if self.only.is_none() {
            meta.push(("complete", "1".to_owned()));
        }
        meta
    }

    fn root(&self) -> String {
        self.project.root.to_string_lossy().into_owned()
    }

    fn text_index(&self) -> String {
        u8::from(self.config.text_index).to_string()
    }

    /// Settings on which it depends what becomes of a file that is found.
    fn limits(&self) -> String {
        format!("{} {}", self.config.max_file_size, self.config.file_timeout)
    }

    fn measured(&self, mut report: Report) -> Report {
        report.index_bytes =
            std::fs::metadata(self.project.index_file()).map_or(0, |metadata| metadata.len());
        report
    }
}
