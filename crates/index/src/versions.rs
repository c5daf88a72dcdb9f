//! What contents say that need not be files: those of commits, those that are staged.
//!
//! Facts depend on bytes, path and language alone, so what the index knows of the same bytes is used, and
//! the rest goes through the same workers as files do.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustc_hash::FxHashMap;
use store::{FileRow, KnownFile, Outline, Reader, Stamp, Status};

use crate::Job;
use crate::error::Error;
use crate::pool::Failure;
use crate::quarantine::Quarantine;
use crate::read::Content;
use crate::stamp;
use crate::survey::{Prepared, Survey};
use crate::update::has_same_facts;
use crate::worker::{Ask, Question};

/// A content at a path, with its symbols.
#[derive(Debug, Clone)]
pub struct Version {
    pub path: String,
    pub language: String,
    /// Empty where it is no text.
    pub text: String,
    pub content_hash: Option<[u8; 32]>,
    /// Why nothing is known of it.
    pub skipped: Option<String>,
    pub outline: Outline,
}

/// The symbols of contents, in their order.
pub fn versions(
    job: &Job<'_>,
    reader: &Reader,
    contents: Vec<(String, Content)>,
) -> Result<Vec<Version>, Error> {
    let known = reader.files().map_err(|error| Error::unreadable(&error))?;
    let quarantine = Quarantine::of(&known);
    let survey =
        Survey { config: job.config, quarantine: &quarantine, interrupted: job.interrupted };
    // Only an index of the same extractor knows what this one would say.
    let is_same_extractor =
        reader.meta("extractor_version").as_deref() == Some(languages::extractor());
    let mut by_content: FxHashMap<[u8; 32], Vec<&KnownFile>> = FxHashMap::default();
    for file in &known {
        if let Some(hash) = file.row.content_hash {
            by_content.entry(hash).or_default().push(file);
        }
    }
    let mut versions = Vec::with_capacity(contents.len());
    let mut unknown = Vec::new();
    for (path, content) in contents {
        let prepared = prepare(&survey, path, content);
        let (version, ask) = begin(prepared);
        let outline = match is_same_extractor && ask.is_some() {
            true => known_outline(reader, &by_content, &version)
                .map_err(|error| Error::unreadable(&error))?,
            false => None,
        };
        match (outline, ask) {
            (Some(outline), _) => versions.push(Version { outline, ..version.version }),
            (None, Some(ask)) => {
                unknown.push((versions.len(), ask));
                versions.push(version.version);
            }
            (None, None) => versions.push(version.version),
        }
    }
    extract(job, &survey, &mut versions, &unknown)?;
    Ok(versions)
}

/// A version, and the row that a file of it would have.
struct Begun {
    version: Version,
    row: FileRow,
}

fn prepare(survey: &Survey<'_>, path: String, content: Content) -> Prepared {
    let row = FileRow {
        path,
        language: "text".to_owned(),
        status: Status::Indexed,
        size: 0,
        content_hash: None,
        stamp: Stamp::default(),
        indexed_ms: stamp::now_ms(),
    };
    survey.decide(row, content)
}

fn begin(prepared: Prepared) -> (Begun, Option<Ask>) {
    let Prepared { row, ask } = prepared;
    let (ask, text) = match ask {
        Some((ask, text)) => (Some(ask), text),
        None => (None, String::new()),
    };
    let skipped = match &row.status {
        Status::Skipped(reason) => Some(reason.clone()),
        _ => None,
    };
    let version = Version {
        path: row.path.clone(),
        language: row.language.clone(),
        text,
        content_hash: row.content_hash,
        skipped,
        outline: Outline::default(),
    };
    (Begun { version, row }, ask)
}

fn known_outline(
    reader: &Reader,
    by_content: &FxHashMap<[u8; 32], Vec<&KnownFile>>,
    begun: &Begun,
) -> store::rusqlite::Result<Option<Outline>> {
    let Some(hash) = &begun.row.content_hash else { return Ok(None) };
    let is_same = |file: &&KnownFile| has_same_facts(file, &begun.row);
    let present = by_content.get(hash).into_iter().flatten().copied().find(is_same);
    match present.map(|file| file.id) {
        Some(file) => reader.outline(file),
        None => match reader.retired(hash)?.iter().find(is_same) {
            Some(file) => reader.outline(file.id),
            None => Ok(None),
        },
    }
}

/// Has workers extract what is not known.
fn extract(
    job: &Job<'_>,
    survey: &Survey<'_>,
    versions: &mut [Version],
    unknown: &[(usize, Ask)],
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<Outline, String>)>> = Mutex::default();
    let failed: Mutex<Option<std::io::Error>> = Mutex::default();
    let timeout = Duration::from_millis(job.config.file_timeout);
    let all: &[Version] = versions;
    let work = || {
        let mut worker = job.pool.worker();
        while let Some((number, ask)) = unknown.get(next.fetch_add(1, Ordering::Relaxed)) {
            if job.interrupted.load(Ordering::Relaxed) {
                return;
            }
            let version = &all[*number];
            let question = Question {
                ask: *ask,
                language: &version.language,
                path: &version.path,
                text: &version.text,
            };
            match worker.ask(question, timeout) {
                Ok(answer) => {
                    let outline = match answer {
                        Ok(answer) => {
                            Outline::of_parcel(answer.facts.as_deref().unwrap_or_default())
                                .map_err(|_| Failure::Crashed.reason().to_owned())
                        }
                        Err(failure) => Err(failure.reason().to_owned()),
                    };
                    done.lock().expect(UNBROKEN).push((*number, outline));
                }
                Err(error) => *failed.lock().expect(UNBROKEN) = Some(error),
            }
        }
        job.pool.give_back(worker);
    };
    std::thread::scope(|scope| {
        for _ in 0..job.config.workers.min(unknown.len()) {
            scope.spawn(work);
        }
    });
    survey.check_interrupted()?;
    if let Some(error) = failed.into_inner().expect(UNBROKEN) {
        return Err(Error::io("cannot start a worker process", &error));
    }
    for (number, outline) in done.into_inner().expect(UNBROKEN) {
        match outline {
            Ok(outline) => versions[number].outline = outline,
            Err(reason) => versions[number].skipped = Some(reason),
        }
    }
    Ok(())
}

const UNBROKEN: &str = "nobody panics while holding it";
