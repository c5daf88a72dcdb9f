//! Contents that killed their worker before; they are not tried again by the same extractor.

use std::collections::HashMap;

use store::{KnownFile, Status};

#[derive(Debug, Default)]
pub(crate) struct Quarantine {
    contents: HashMap<[u8; 32], String>,
}

impl Quarantine {
    /// Of the files of an index by the same extractor.
    pub(crate) fn of(files: &[KnownFile]) -> Self {
        let contents =
            files.iter().filter_map(|file| match (&file.row.status, file.row.content_hash) {
                (Status::Skipped(reason), Some(hash))
                    if matches!(reason.as_str(), "crashed" | "timeout" | "memory") =>
                {
                    Some((hash, reason.clone()))
                }
                _ => None,
            });
        Self { contents: contents.collect() }
    }

    pub(crate) fn reason(&self, hash: &[u8; 32]) -> Option<&str> {
        self.contents.get(hash).map(String::as_str)
    }
}
