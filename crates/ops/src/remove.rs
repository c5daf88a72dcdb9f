//! Dropping files from the index.

use ::index::{Job, Silent};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{self, Page, styled};
use crate::{Effect, Error, Kind, Operation, Result, Workspace};

/// Drop files from the index
///
/// For good only if the files are gone, ignored or excluded: the next `groma index` takes in whatever
/// belongs to the project. Until then the index says that it is incomplete.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Files or directories, from the current directory
    #[arg(required = true)]
    pub paths: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub removed: Vec<String>,
}

#[derive(Debug)]
pub struct Remove;

impl Operation for Remove {
    const NAME: &'static str = "remove";
    const EXAMPLES: &'static str = "\
  groma remove src/old.rs
  groma remove generated/";
    const EFFECT: Effect = Effect::Destroys;
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("removed");

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let project = workspace.project()?;
        let config = workspace.config(&project)?;
        let here = workspace.directory()?;
        let paths = input
            .paths
            .iter()
            .map(|path| project.inside(&here, path))
            .collect::<Result<Vec<String>>>()?;
        let removed = ::index::remove(
            &Job {
                project: &project,
                config: &config,
                pool: &workspace.kept.pool,
                progress: &Silent,
                interrupted: &workspace.interrupted,
                only: None,
                full: false,
                patience: std::time::Duration::from_secs(5),
            },
            &paths,
        )?;
        if removed.is_empty() {
            return Err(Error::new(Kind::NotFound, "none of these is in the index")
                .hint("`groma query \"SELECT path FROM files\"` lists what is."));
        }
        Ok(Output { removed })
    }

    fn render(output: &Output, page: &mut Page) {
        for path in &output.removed {
            page.line(format!("{} {}", styled(text::HEADING, "removed"), text::visible(path)));
        }
    }
}
