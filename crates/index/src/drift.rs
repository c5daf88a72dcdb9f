//! What has changed since a project was indexed.

use std::fs;

use store::{KnownFile, Reader, Status};

use crate::config::Config;
use crate::error::Error;
use crate::project::Project;
use crate::read::{self, Content};
use crate::stamp;
use crate::update::{Compared, compare};
use crate::walk::{self, Found};

/// How a file differs from the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Drift {
    /// Its content is another.
    Stale,
    /// It is gone.
    Missing,
    /// The index does not know it.
    Unindexed,
}

/// Which of these files are not what the index says of them.
pub fn drift_of(
    project: &Project,
    reader: &Reader,
    paths: &[String],
) -> Result<Vec<(String, Drift)>, Error> {
    let known = reader.files_at(paths).map_err(|error| Error::unreadable(&error))?;
    let drifted = known.into_iter().filter_map(|file| {
        let drift = match fs::symlink_metadata(project.root.join(&file.row.path)) {
            Err(_) => Some(Drift::Missing),
            Ok(metadata) => {
                let (stamp, size) = (stamp::of(&metadata), metadata.len());
                let same = stamp::is_unchanged(&file.row, stamp, size) || has_same(project, &file);
                (!same).then_some(Drift::Stale)
            }
        };
        drift.map(|drift| (file.row.path, drift))
    });
    Ok(drifted.collect())
}

/// Every difference between a project and its index, in the order of the paths.
pub fn drift(
    project: &Project,
    config: &Config,
    reader: &Reader,
) -> Result<Vec<(String, Drift)>, Error> {
    let found = walk::walk(project, config, None)?;
    let known = reader.files().map_err(|error| Error::unreadable(&error))?;
    let Compared { doubtful, added, gone } = compare(known, found, true);
    let stale = doubtful.into_iter().filter(|(known, found)| !is_same(project, known, found));
    let mut drifted: Vec<(String, Drift)> = stale
        .map(|(file, _)| (file.row.path, Drift::Stale))
        .chain(gone.into_iter().map(|file| (file.row.path, Drift::Missing)))
        .chain(added.into_iter().map(|file| (file.path, Drift::Unindexed)))
        .collect();
    drifted.sort_unstable();
    Ok(drifted)
}

fn is_same(project: &Project, known: &KnownFile, found: &Found) -> bool {
    match (&known.row.status, found.skip) {
        (Status::Skipped(reason), Some(skip)) => reason == skip,
        (_, Some(_)) => false,
        (_, None) => has_same(project, known),
    }
}

/// Whether the file still has the bytes that were indexed.
fn has_same(project: &Project, known: &KnownFile) -> bool {
    let path = project.root.join(&known.row.path);
    let (content, metadata) = read::read_source(&path, known.row.size);
    match content {
        Content::Text { hash, .. } => Some(hash) == known.row.content_hash,
        Content::Skipped { hash: Some(hash), .. } => Some(hash) == known.row.content_hash,
        Content::Skipped { .. } => {
            known.row.content_hash.is_none()
                && metadata.is_none_or(|metadata| metadata.len() == known.row.size)
        }
    }
}
