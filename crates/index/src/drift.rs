//! What has changed since a project was indexed.

use std::fs;

use store::{KnownFile, Reader, Status};

use crate::config::Config;
use crate::error::{Error, Kind};
use crate::project::Project;
use crate::read::{self, Content};
use crate::stamp;
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
    let known = reader.files_at(paths).map_err(unreadable)?;
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
    let known = reader.files().map_err(unreadable)?;
    let mut drifted = Vec::new();
    let (mut found, mut known) = (found.into_iter().peekable(), known.into_iter().peekable());
    loop {
        let order = match (known.peek(), found.peek()) {
            (None, None) => return Ok(drifted),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(known), Some(found)) => known.row.path.cmp(&found.path),
        };
        match order {
            std::cmp::Ordering::Less => {
                drifted.extend(known.next().map(|file| (file.row.path, Drift::Missing)));
            }
            std::cmp::Ordering::Greater => {
                drifted.extend(found.next().map(|file| (file.path, Drift::Unindexed)));
            }
            std::cmp::Ordering::Equal => {
                let (Some(file), Some(found)) = (known.next(), found.next()) else { continue };
                if !is_same(project, &file, &found) {
                    drifted.push((file.row.path, Drift::Stale));
                }
            }
        }
    }
}

fn is_same(project: &Project, known: &KnownFile, found: &Found) -> bool {
    match (&known.row.status, found.skip) {
        (Status::Skipped(reason), Some(skip)) => reason == skip,
        (_, Some(_)) => false,
        (_, None) => {
            stamp::is_unchanged(&known.row, found.stamp, found.size) || has_same(project, known)
        }
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

fn unreadable(error: store::rusqlite::Error) -> Error {
    Error::new(Kind::Index, format!("the index cannot be read: {error}"))
        .hint("Run `groma index` to rebuild it.")
}
