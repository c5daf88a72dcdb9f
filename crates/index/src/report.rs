//! What indexing did.

use std::collections::BTreeMap;
use std::time::Duration;

use store::{Census, Status, Totals};

/// How many of the slowest files are reported.
const SLOWEST: usize = 10;

/// Told what happens while it happens.
pub trait Progress: Sync {
    fn phase(&self, name: &'static str, total: u64);
    fn advance(&self, done: u64);
    /// Something worth a line.
    fn note(&self, _: &str) {}
}

/// Tells nobody.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Progress for Silent {
    fn phase(&self, _: &'static str, _: u64) {}
    fn advance(&self, _: u64) {}
}

#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Of the whole project, as it is now.
    pub totals: Totals,
    /// Files and bytes by language, skipped ones not counted.
    pub languages: BTreeMap<String, (u64, u64)>,
    pub skipped: BTreeMap<String, u64>,
    pub partial: BTreeMap<String, u64>,
    pub source_bytes: u64,
    pub index_bytes: u64,
    pub generation: u64,
    /// None if the index was built from nothing.
    pub changes: Option<Changes>,
    /// Why it was built from nothing although there was an index, and what became of that.
    pub notices: Vec<String>,
    /// What was linked.
    pub linked: store::Linked,
    pub phases: Vec<(&'static str, Duration)>,
    /// Path and time of the files that took longest.
    pub slowest: Vec<(String, Duration)>,
    pub total: Duration,
}

/// What an update changed, in files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    pub added: u64,
    pub changed: u64,
    pub removed: u64,
    /// Of the added and changed ones: extracted now, not known from before.
    pub extracted: u64,
}

impl Report {
    /// Takes over what the project consists of.
    pub(crate) fn count(&mut self, census: Vec<Census>) {
        for Census { language, status, files, bytes, symbols, references } in census {
            self.totals.files += files;
            self.totals.symbols += symbols;
            self.totals.references += references;
            match status {
                Status::Skipped(reason) => *self.skipped.entry(reason).or_default() += files,
                status => {
                    let entry = self.languages.entry(language).or_default();
                    *entry = (entry.0 + files, entry.1 + bytes);
                    self.source_bytes += bytes;
                    if let Status::Partial(reason) = status {
                        *self.partial.entry(reason).or_default() += files;
                    }
                }
            }
        }
    }

    /// Remembers a file if it is among the slowest.
    pub(crate) fn time(&mut self, path: &str, time: Duration) {
        let slowest = &mut self.slowest;
        if slowest.len() < SLOWEST || slowest.last().is_some_and(|(_, least)| *least < time) {
            let at = slowest.partition_point(|(_, known)| *known >= time);
            slowest.insert(at, (path.to_owned(), time));
            slowest.truncate(SLOWEST);
        }
    }
}
