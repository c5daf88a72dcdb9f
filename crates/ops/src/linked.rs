//! Other projects whose index is looked through too.
//!
//! Links are the user's own: they lie in `user.db`, which a repository could bring along to have other
//! projects read. So it carries a secret, and a file of that name in the user's own data directory proves
//! that this user made it. A project that cannot be opened never breaks an answer: it is named in it.

use std::path::{Path, PathBuf};

use ::index::Project;
use etcetera::BaseStrategy;
use schemars::JsonSchema;
use serde::Serialize;
use store::{OpenError, Reader, UserData};

use crate::text::{self, Page, styled};
use crate::{Error, Kind, Result, Workspace};

/// Another project that the user linked to this one.
#[derive(Debug)]
pub struct LinkedProject {
    pub id: i64,
    pub name: String,
    pub root: PathBuf,
    /// Its index, or why it cannot be used.
    pub opened: std::result::Result<(Project, Reader), String>,
}

/// A project that can be asked.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name of a linked project; none for the project itself.
    pub(crate) name: Option<String>,
    pub(crate) project: Project,
    pub(crate) reader: Reader,
}

/// A linked project that cannot be asked now.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Skipped {
    pub project: String,
    pub reason: String,
}

impl Skipped {
    /// One whose index turned out to be damaged.
    pub(crate) fn damaged(name: &str, error: &store::rusqlite::Error) -> Self {
        Self { project: name.to_owned(), reason: format!("its index is damaged: {error}") }
    }

    /// Says at the end of an answer which projects it knows nothing of.
    pub(crate) fn tell(all: &[Self], page: &mut Page) {
        for skipped in all {
            page.line(styled(text::WARNING, &skipped.to_string()));
        }
    }
}

impl std::fmt::Display for Skipped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not looked through: {} ({})", self.project, self.reason)
    }
}

impl Workspace {
    /// The projects linked to this one, in the order in which they were.
    pub fn linked(&self) -> Vec<LinkedProject> {
        let Ok(project) = self.project() else { return Vec::new() };
        match own_data(&project) {
            Ok(None) => Vec::new(),
            Ok(Some(data)) => match data.links() {
                Ok(links) => links.into_iter().map(|link| self.open(link)).collect(),
                Err(error) => vec![unusable_data(&project, error.to_string())],
            },
            Err(error) => vec![unusable_data(&project, error.message)],
        }
    }

    fn open(&self, link: store::Link) -> LinkedProject {
        let root = PathBuf::from(&link.root);
        let opened = self.open_index(&root);
        LinkedProject { id: link.id, name: link.name, root, opened }
    }

    /// The index of another project, read-only.
    pub(crate) fn open_index(&self, root: &Path) -> std::result::Result<(Project, Reader), String> {
        // A state directory that is said from the root is the same in every project.
        let state = self.settings.state_directory.as_deref().filter(|state| state.is_relative());
        let project = Project::at(root, state).map_err(|error| error.message)?;
        project.check_state().map_err(|error| error.message)?;
        let reader = self.kept.reader(&project.index_file()).map_err(|error| error.to_string())?;
        if !::index::owner::is_own(|key| reader.try_meta(key)).map_err(|error| error.message)? {
            return Err(Error::not_own().message);
        }
        let indexed = reader.meta("root").unwrap_or_default();
        if indexed != project.root.to_string_lossy() {
            return Err(format!("the index there is that of {indexed}"));
        }
        Ok((project, reader))
    }

    /// The project and, if wanted, those linked to it that can be opened.
    pub(crate) fn sources(&self, with_links: bool) -> Result<(Vec<Source>, Vec<Skipped>)> {
        let (project, reader) = self.reader()?;
        let mut sources = vec![Source { name: None, project, reader }];
        let mut skipped = Vec::new();
        let linked = if with_links { self.linked() } else { Vec::new() };
        for LinkedProject { name, opened, .. } in linked {
            match opened {
                Ok((project, reader)) => {
                    sources.push(Source { name: Some(name), project, reader });
                }
                Err(reason) => skipped.push(Skipped { project: name, reason }),
            }
        }
        Ok((sources, skipped))
    }
}

fn unusable_data(project: &Project, reason: String) -> LinkedProject {
    let root = project.user_file();
    LinkedProject { id: 0, name: "user.db".to_owned(), root, opened: Err(reason) }
}

/// The user data of a project to read, if it is there and this user's own.
pub(crate) fn own_data(project: &Project) -> Result<Option<UserData>> {
    let path = project.user_file();
    if std::fs::symlink_metadata(&path).is_err() {
        return Ok(None);
    }
    project.check_state()?;
    let Some(data) = UserData::read(&path).map_err(unreadable)? else { return Ok(None) };
    let secret = data.owner().map_err(crate::workspace::unusable)?.unwrap_or_default();
    match proof(&secret).is_some_and(|proof| proof.is_file()) {
        true => Ok(Some(data)),
        false => Err(Error::new(
            Kind::Refused,
            format!("{} was not made by this user, so its links are not followed", path.display()),
        )
        .hint("Move it away, and link the projects again.")),
    }
}

/// The user data of a project to write, made if need be.
pub(crate) fn own_data_to_write(project: &Project) -> Result<UserData> {
    project.prepare_state()?;
    let secret = match own_data(project)? {
        Some(_) => None,
        None => Some(new_secret(project)?),
    };
    UserData::write(&project.user_file(), secret.as_deref()).map_err(unreadable)
}

/// A secret that this user has, for data that is to be made.
fn new_secret(project: &Project) -> Result<String> {
    let secret = ::index::owner::unguessable();
    let nowhere = || Error::new(Kind::Io, "there is no place for the data of this user");
    let proof = proof(&secret).ok_or_else(nowhere)?;
    proof
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&proof, project.root.to_string_lossy().as_bytes()))
        .map_err(|error| {
            Error::new(Kind::Io, format!("cannot write {}: {error}", proof.display()))
        })?;
    Ok(secret)
}

/// What a user saved is nothing that an index could be built from again.
fn unreadable(error: OpenError) -> Error {
    let message = match &error {
        OpenError::Foreign { path } => {
            format!("{} is no data that a user of this program saved", path.display())
        }
        OpenError::Corrupt { .. } => error.to_string(),
        _ => return Error::from(error),
    };
    Error::new(Kind::Index, message)
        .code("user_data")
        .hint("It is left as it is; move it away to begin with nothing saved.")
}

/// The file that proves that a secret is this user's.
fn proof(secret: &str) -> Option<PathBuf> {
    let is_secret = secret.len() == 32 && secret.bytes().all(|byte| byte.is_ascii_hexdigit());
    let directories = etcetera::choose_base_strategy().ok()?;
    is_secret.then(|| directories.data_dir().join("groma/owners").join(secret))
}
