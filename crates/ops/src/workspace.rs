//! What operations work on: a project, its configuration, and how to reach its index.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ::index::pool::Pool;
use ::index::{Config, Progress, Project};
use store::Reader;

use crate::{IndexState, Result};

/// Where to work, as the user said it.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub root: Option<PathBuf>,
    pub state_directory: Option<PathBuf>,
}

/// Given to every operation.
pub struct Workspace {
    pub settings: Settings,
    /// Worker processes; there are none until one is needed.
    pub pool: Pool,
    pub progress: Arc<dyn Progress + Send>,
    pub interrupted: Arc<AtomicBool>,
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Workspace {
    /// The project that is meant: the one said, or the one around the current directory.
    pub fn project(&self) -> Result<Project> {
        let state = self.settings.state_directory.as_deref();
        match &self.settings.root {
            Some(root) => Project::at(root, state),
            None => Project::around(&current_directory()?, state),
        }
    }

    pub fn config(&self, project: &Project) -> Result<Config> {
        project.check_state()?;
        Config::load(&project.state)
    }

    /// The published index of the project.
    pub fn reader(&self) -> Result<(Project, Reader)> {
        let project = self.project()?;
        project.check_state()?;
        let reader = Reader::open(&project.index_file())?;
        Ok((project, reader))
    }
}

pub(crate) fn current_directory() -> Result<PathBuf> {
    std::env::current_dir().map_err(|error| {
        crate::Error::new(crate::Kind::Io, format!("there is no current directory: {error}"))
    })
}

/// What to say about the index an answer comes from.
pub(crate) fn index_state(reader: &Reader) -> IndexState {
    IndexState {
        generation: reader.meta("generation").and_then(|text| text.parse().ok()).unwrap_or(0),
        complete: reader.meta("complete").as_deref() == Some("1"),
    }
}

/// A failed query of our own: the index is not what it should be.
pub(crate) fn unusable(error: store::rusqlite::Error) -> crate::Error {
    crate::Error::new(crate::Kind::Index, format!("the index cannot be read: {error}"))
        .hint("Run `groma index` to rebuild it.")
}
