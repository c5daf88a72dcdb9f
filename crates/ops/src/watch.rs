//! Keeping the index up to date.

use ::index::watch::Notice;
use ::index::{Changes, Job};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{self, Page, styled};
use crate::{Effect, Operation, Result, Workspace};

/// Keep the index up to date while files change, until interrupted
///
/// Commands that ask need no watcher: they look at the files their answer stands on. A watcher makes
/// that unnecessary, and has new files in the index before anybody asks.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {}

/// What was done while watching.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    pub updates: u64,
    pub added: u64,
    pub changed: u64,
    pub removed: u64,
    pub failures: u64,
}

/// What is said of an index that a newer version wrote.
const NEWER: &str = "newer_schema";

#[derive(Debug)]
pub struct Watch;

impl Operation for Watch {
    const NAME: &'static str = "watch";
    const EXAMPLES: &'static str = "\
  groma watch                 until Ctrl-C
  groma watch --root ~/code/shop";
    const EFFECT: Effect = Effect::Endures;
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, _: Input) -> Result<Output> {
        let project = workspace.project()?;
        project.refuse_broad_root()?;
        let config = workspace.config(&project)?;
        // One of a newer version stays as it is, however long somebody watches.
        if let Err(error) = workspace.reader()
            && error.word() == NEWER
        {
            return Err(error);
        }
        let job = Job {
            project: &project,
            config: &config,
            pool: &workspace.kept.pool,
            progress: &::index::Silent,
            interrupted: &workspace.interrupted,
            only: None,
            full: false,
            patience: std::time::Duration::from_secs(10),
        };
        let mut output = Output::default();
        workspace.progress.note(&format!("watching {}", project.root.display()));
        ::index::watch::watch(&job, &mut |notice| match notice {
            Notice::Updated(report) => {
                let changes = report
                    .changes
                    .unwrap_or(Changes { added: report.totals.files, ..Changes::default() });
                output.updates += 1;
                output.added += changes.added;
                output.changed += changes.changed;
                output.removed += changes.removed;
                workspace.progress.note(&format!(
                    "generation {}: {} added, {} changed, {} removed in {} ms",
                    report.generation,
                    changes.added,
                    changes.changed,
                    changes.removed,
                    report.total.as_millis()
                ));
            }
            Notice::Failed(error) => {
                output.failures += 1;
                workspace.progress.note(&format!("not updated: {error}"));
            }
            Notice::Quiet => workspace.kept.rest(),
            Notice::Polling(why) => workspace.progress.note(&format!(
                "the system cannot watch ({why}); the project is compared every few seconds instead"
            )),
        })?;
        Ok(output)
    }

    fn render(output: &Output, page: &mut Page) {
        page.line(format!(
            "{} {} updates · {} files added · {} changed · {} removed",
            styled(text::HEADING, "watched"),
            text::count(output.updates),
            text::count(output.added),
            text::count(output.changed),
            text::count(output.removed)
        ));
    }
}
