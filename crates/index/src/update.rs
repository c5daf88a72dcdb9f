//! The index brought up to date: only what changed is read, only what is new is extracted.
//!
//! Size, times and inode tell which files may have changed, the hash of their bytes whether they have,
//! and facts that the index still has of the same bytes are used again. What comes out is what a build
//! from nothing would give; tests compare the two.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::Instant;

use languages::Registry;
use store::{FileRow, KnownFile, Swap, Update};

use crate::Job;
use crate::error::Error;
use crate::quarantine::Quarantine;
use crate::report::{Changes, Report};
use crate::stamp;
use crate::survey::Survey;
use crate::walk::{self, Found};
use store::bugs::{self, Bug};

/// Updates a usable index. The caller holds the lock of the writer. With `trust`, files that look
/// unchanged are not read.
pub(crate) fn update(job: &Job<'_>, mut index: Update, trust: bool) -> Result<Report, Error> {
    let started = Instant::now();
    job.progress.phase("collect", 0);
    let known = match job.only {
        Some(places) => index.files_at(places)?,
        None => index.files()?,
    };
    let quarantine = if trust { Quarantine::of(&known) } else { Quarantine::default() };
    let survey =
        Survey { config: job.config, quarantine: &quarantine, interrupted: job.interrupted };
    let found = walk::walk(job.project, job.config, job.only)?;
    let mut compared = compare(known, found, trust);
    if bugs::has(Bug::TrustCommit) && index.meta("commit") == crate::git::head(job.project) {
        compared = Compared::default();
    }
    let mut plan = Plan::new(&survey, &index, compared)?;
    if bugs::has(Bug::NoteTimesFirst) {
        let swap = Swap { retired: &[], revived: &[], touched: &plan.noted_first, meta: &[] };
        index.swap(&swap, &mut job.link_watcher())?;
    }
    let collected = started.elapsed();

    job.progress.phase("extract", plan.new.len() as u64);
    let mut report = Report { changes: Some(plan.changes), ..Report::default() };
    plan.extract(job, &survey, &mut index, &mut report)?;
    let extracted = started.elapsed();

    // What was removed by hand is made good by looking at everything.
    let is_made_whole = job.only.is_none() && index.meta("complete").as_deref() != Some("1");
    if plan.is_needed() || is_made_whole {
        job.progress.phase("publish", 0);
        let swap = Swap {
            retired: &plan.retired,
            revived: &plan.revived,
            touched: &plan.touched,
            meta: &job.meta(),
        };
        report.linked = index.swap(&swap, &mut job.link_watcher())?;
    }
    report.generation = index.generation();
    report.count(index.census()?);
    report.totals.names = index.names();
    index.close();
    report.total = started.elapsed();
    report.phases = vec![
        ("collect", collected),
        ("extract", extracted - collected),
        ("publish", report.total - extracted),
    ];
    Ok(report)
}

/// Files of the index beside files of the project, without those that are certainly the same.
#[derive(Default)]
pub(crate) struct Compared {
    /// In both, but perhaps not the same.
    pub(crate) doubtful: Vec<(KnownFile, Found)>,
    pub(crate) added: Vec<Found>,
    pub(crate) gone: Vec<KnownFile>,
}

/// Both lists are in the order of their paths.
pub(crate) fn compare(known: Vec<KnownFile>, found: Vec<Found>, trust: bool) -> Compared {
    let mut compared = Compared::default();
    let (mut known, mut found) = (known.into_iter().peekable(), found.into_iter().peekable());
    loop {
        let order = match (known.peek(), found.peek()) {
            (None, None) => return compared,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(known), Some(found)) => known.row.path.cmp(&found.path),
        };
        match order {
            Ordering::Less if bugs::has(Bug::KeepGone) => drop(known.next()),
            Ordering::Less => compared.gone.extend(known.next()),
            Ordering::Greater => compared.added.extend(found.next()),
            Ordering::Equal => {
                let (Some(known), Some(found)) = (known.next(), found.next()) else { continue };
                if !trust || !is_same(&known.row, &found) {
                    compared.doubtful.push((known, found));
                }
            }
        }
    }
}

fn is_same(known: &FileRow, found: &Found) -> bool {
    let skipped = match &known.status {
        store::Status::Skipped(reason) => Some(reason.as_str()),
        _ => None,
    };
    match found.skip {
        Some(reason) => skipped == Some(reason) && known.stamp == found.stamp,
        // What could not be read may be readable now, although nothing shows it.
        None => {
            !matches!(skipped, Some("unreadable" | "vanished"))
                && stamp::is_unchanged(known, found.stamp, found.size)
        }
    }
}

/// What makes the next generation out of this one.
#[derive(Default)]
struct Plan {
    changes: Changes,
    retired: Vec<i64>,
    /// With the row and, if it is kept, the text of each.
    revived: Vec<(i64, FileRow, Option<String>)>,
    touched: Vec<(i64, FileRow)>,
    /// Only where that is the seeded bug.
    noted_first: Vec<(i64, FileRow)>,
    /// To be extracted.
    new: Vec<Found>,
}

impl Plan {
    fn new(survey: &Survey<'_>, index: &Update, compared: Compared) -> Result<Self, Error> {
        let mut plan = Self::default();
        let doubtful: Vec<&Found> = compared.doubtful.iter().map(|(_, found)| found).collect();
        let mut changed: Vec<(FileRow, Found)> = Vec::new();
        let mut leaving = compared.gone;
        plan.changes.removed = leaving.len() as u64;
        let rows = survey.read_all(&doubtful)?;
        for ((mut known, found), row) in compared.doubtful.into_iter().zip(rows) {
            if is_same_content(&known.row, &row) {
                if known.row.stamp != row.stamp || known.row.indexed_ms < row.indexed_ms {
                    known.row.stamp = row.stamp;
                    known.row.indexed_ms = row.indexed_ms;
                    plan.touched.push((known.id, known.row));
                }
            } else {
                if bugs::has(Bug::NoteTimesFirst) {
                    let FileRow { size, stamp, indexed_ms, .. } = row;
                    let early = FileRow { size, stamp, indexed_ms, ..known.row.clone() };
                    plan.noted_first.push((known.id, early));
                }
                leaving.push(known);
                changed.push((row, found));
            }
        }
        plan.changes.changed = changed.len() as u64;
        plan.changes.added = compared.added.len() as u64;
        let added: Vec<&Found> = compared.added.iter().collect();
        let rows = survey.read_all(&added)?;
        changed.extend(rows.into_iter().zip(compared.added));
        plan.reuse(survey, index, leaving, changed)?;
        Ok(plan)
    }

    /// Finds facts of the same content among the files that leave and those that left before.
    fn reuse(
        &mut self,
        survey: &Survey<'_>,
        index: &Update,
        leaving: Vec<KnownFile>,
        changed: Vec<(FileRow, Found)>,
    ) -> Result<(), Error> {
        self.retired = leaving.iter().map(|file| file.id).collect();
        let mut free: HashMap<[u8; 32], Vec<KnownFile>> = HashMap::new();
        for file in leaving {
            if let Some(hash) = file.row.content_hash {
                free.entry(hash).or_default().push(file);
            }
        }
        let mut looked_up: std::collections::HashSet<[u8; 32]> = std::collections::HashSet::new();
        for (row, found) in changed {
            let Some(hash) = row.content_hash else {
                self.new.push(found);
                continue;
            };
            let candidates = free.entry(hash).or_default();
            if looked_up.insert(hash) {
                candidates.extend(index.retired(&hash)?);
            }
            let known = candidates.iter().position(|candidate| has_same_facts(candidate, &row));
            let text = survey.text_to_keep(&found, hash);
            match (known, text) {
                (Some(at), Ok(text)) => {
                    self.revived.push((candidates.swap_remove(at).id, row, text));
                }
                _ => self.new.push(found),
            }
        }
        self.new.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(())
    }

    /// Has the new files extracted and staged.
    fn extract(
        &mut self,
        job: &Job<'_>,
        survey: &Survey<'_>,
        index: &mut Update,
        report: &mut Report,
    ) -> Result<(), Error> {
        let new = std::mem::take(&mut self.new);
        if let Some(changes) = &mut report.changes {
            changes.extracted = new.len() as u64;
        }
        survey.run(&new, job.pool, &mut |surveyed| {
            let id = index.stage(&surveyed.row, surveyed.facts.as_deref())?;
            report.time(&surveyed.row.path, surveyed.time);
            self.revived.push((id, surveyed.row, surveyed.text));
            job.progress.advance(surveyed.number as u64 + 1);
            Ok(())
        })
    }

    fn is_needed(&self) -> bool {
        !(self.retired.is_empty() && self.revived.is_empty() && self.touched.is_empty())
    }
}

/// Whether everything the index says of a file still holds.
fn is_same_content(known: &FileRow, row: &FileRow) -> bool {
    (known.content_hash, known.size, &known.language, &known.status)
        == (row.content_hash, row.size, &row.language, &row.status)
}

/// Whether the facts of a file are those that another one with the same bytes would have. Besides the
/// bytes, facts depend on the language, on the dialect that the ending of the name tells, and on
/// whether the path is one of a test.
pub(crate) fn has_same_facts(candidate: &KnownFile, row: &FileRow) -> bool {
    let is_test = || {
        let language = Registry::builtin().get(&row.language);
        language.is_some_and(|language| language.test_files.is_match(&row.path))
    };
    let known = &candidate.row;
    let same_path = ending(&known.path) == ending(&row.path)
        && candidate.is_test == is_test()
        && resolve::is_manifest(&known.path) == resolve::is_manifest(&row.path);
    (&known.language, &known.status, known.content_hash)
        == (&row.language, &row.status, row.content_hash)
        && !matches!(row.status, store::Status::Skipped(_))
        && (same_path || bugs::has(Bug::ReuseBlindly))
}

/// What follows the first dot of the file's name.
fn ending(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split_once('.').map_or("", |(_, ending)| ending)
}
