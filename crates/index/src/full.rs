//! The full index: every file, from nothing, published at the end or not at all.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use languages::{Parser, Registry};
use store::{FileRow, Reader, Status, Totals, Writer};

use crate::config::Config;
use crate::error::{Error, Kind};
use crate::pool::{Pool, Program};
use crate::project::Project;
use crate::read::{self, Content};
use crate::walk::{self, Found};
use crate::worker::Ask;

/// Brackets nested deeper than this are not parsed; no person writes them.
const MAX_NESTING: usize = 1000;
/// How long to wait for the next file before looking whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(100);
/// How many of the slowest files are reported.
const SLOWEST: usize = 10;

/// Told what happens while it happens.
pub trait Progress: Sync {
    fn phase(&self, name: &'static str, total: u64);
    fn advance(&self, done: u64);
}

/// What a full index did.
#[derive(Debug, Clone, Default)]
pub struct Report {
    pub totals: Totals,
    /// Files and bytes by language, skipped ones not counted.
    pub languages: BTreeMap<String, (u64, u64)>,
    pub skipped: BTreeMap<String, u64>,
    pub partial: BTreeMap<String, u64>,
    pub source_bytes: u64,
    pub index_bytes: u64,
    pub generation: u64,
    pub phases: Vec<(&'static str, Duration)>,
    /// Path and time of the files that took longest.
    pub slowest: Vec<(String, Duration)>,
    pub total: Duration,
}

/// Holds the right to write the index of a project.
#[derive(Debug)]
pub struct WriterLock {
    _file: File,
}

impl WriterLock {
    /// Takes the lock, or says who has it.
    pub fn take(project: &Project) -> Result<Self, Error> {
        use std::io::{Read, Seek, Write};
        let path = project.state.join("lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| Error::io(format!("cannot open {}", path.display()), &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                let holder = holder.trim();
                let by = if holder.is_empty() { String::new() } else { format!(" by {holder}") };
                return Err(Error::new(Kind::Busy, format!("the index is being written{by}"))
                    .hint("Wait until it is done and try again."));
            }
            Err(TryLockError::Error(error)) => {
                return Err(Error::io(format!("cannot lock {}", path.display()), &error));
            }
        }
        // For people only: the lock is the operating system's, whatever is written here.
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = write!(file, "process {}", std::process::id());
        Ok(Self { _file: file })
    }
}

/// Builds the whole index and publishes it. If it fails or is interrupted, the old one stays.
pub fn index(
    project: &Project,
    config: &Config,
    program: &Program,
    progress: &dyn Progress,
    interrupted: &AtomicBool,
) -> Result<Report, Error> {
    let started = Instant::now();
    project.prepare_state()?;
    let _lock = WriterLock::take(project)?;
    let (generation, quarantine) = match previous(project)? {
        Some(reader) => (generation(&reader) + 1, Quarantine::load(&reader)),
        None => (1, Quarantine::default()),
    };
    let building = Building::new(project)?;

    progress.phase("collect", 0);
    let found = walk::walk(project, config)?;
    let collected = started.elapsed();

    progress.phase("extract", found.len() as u64);
    let mut report = Report { generation, ..Report::default() };
    let mut writer = Writer::create(&building.path)?;
    let survey = Survey { found: &found, config, quarantine: &quarantine, interrupted };
    survey.run(program, &mut writer, &mut report, progress)?;
    let extracted = started.elapsed();

    progress.phase("indexes", 0);
    let meta = [
        ("schema_version", store::SCHEMA_VERSION.to_string()),
        ("extractor_version", model::EXTRACTOR_VERSION.to_string()),
        ("generation", generation.to_string()),
        ("root", project.root.to_string_lossy().into_owned()),
        ("indexed_at", now_ms().to_string()),
        ("source_bytes", report.source_bytes.to_string()),
        ("fts5_enabled", u8::from(config.text_index).to_string()),
        ("complete", "1".to_owned()),
    ];
    report.totals = writer.finish(&meta)?;
    let indexed = started.elapsed();

    progress.phase("publish", 0);
    store::publish(&building.path, &project.index_file())?;
    report.index_bytes =
        std::fs::metadata(project.index_file()).map_or(0, |metadata| metadata.len());
    report.total = started.elapsed();
    report.phases = vec![
        ("collect", collected),
        ("extract", extracted - collected),
        ("indexes", indexed - extracted),
        ("publish", report.total - indexed),
    ];
    Ok(report)
}

/// The database while it is being built; removed unless it was published.
struct Building {
    path: PathBuf,
}

impl Building {
    fn new(project: &Project) -> Result<Self, Error> {
        let this = Self { path: project.state.join("index.db.building") };
        this.remove();
        // What a repository says is nobody else's business; the log of the database has the same mode.
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        options
            .open(&this.path)
            .map_err(|error| Error::io(format!("cannot create {}", this.path.display()), &error))?;
        Ok(this)
    }

    fn remove(&self) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            let mut name = self.path.clone().into_os_string();
            name.push(suffix);
            let _ = std::fs::remove_file(name);
        }
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Contents that killed their worker before; they are not tried again by the same extractor.
#[derive(Debug, Default)]
struct Quarantine {
    contents: std::collections::HashMap<[u8; 32], String>,
}

impl Quarantine {
    fn load(reader: &Reader) -> Self {
        if reader.meta("extractor_version") != Some(model::EXTRACTOR_VERSION.to_string()) {
            return Self::default();
        }
        let contents = reader.quarantined().unwrap_or_default().into_iter().collect();
        Self { contents }
    }
}

/// The index so far, if it can be used. One of a newer version is not ours to replace.
fn previous(project: &Project) -> Result<Option<Reader>, Error> {
    match Reader::open(&project.index_file()) {
        Ok(reader) => Ok(Some(reader)),
        Err(error @ store::OpenError::NewerSchema { .. }) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

fn generation(reader: &Reader) -> u64 {
    reader.meta("generation").and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// A file on its way to the writer.
struct Surveyed {
    number: usize,
    row: FileRow,
    facts: Option<Vec<u8>>,
    text: Option<String>,
    time: Duration,
}

struct Survey<'s> {
    found: &'s [Found],
    config: &'s Config,
    quarantine: &'s Quarantine,
    interrupted: &'s AtomicBool,
}

impl Survey<'_> {
    fn run(
        &self,
        program: &Program,
        writer: &mut Writer,
        report: &mut Report,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let pool = Pool::new(program.clone());
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let (sender, receiver) = bounded::<Result<Surveyed, Error>>(64);
        std::thread::scope(|scope| {
            let workers = self.config.workers.min(self.found.len().max(1));
            for _ in 0..workers {
                let (sender, pool, next, stop) = (sender.clone(), &pool, &next, &stop);
                scope.spawn(move || self.feed(pool, next, stop, &sender));
            }
            drop(sender);
            let result = self.write_in_order(&receiver, writer, report, progress);
            // Whoever still works finds this out before the next file, and must not be waited for.
            stop.store(true, Ordering::Relaxed);
            if result.is_err() {
                pool.abandon();
            }
            for _ in receiver {}
            result
        })
    }

    /// Takes files in order and has them extracted, until there are none left.
    fn feed(
        &self,
        pool: &Pool,
        next: &AtomicUsize,
        stop: &AtomicBool,
        sender: &Sender<Result<Surveyed, Error>>,
    ) {
        let mut worker = pool.worker();
        let take = || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            (number < self.found.len()).then(|| self.prepare(number))
        };
        // While the worker extracts one file, the next is read and hashed.
        let mut current = take();
        while let Some(prepared) = current.take() {
            if stop.load(Ordering::Relaxed) || self.interrupted.load(Ordering::Relaxed) {
                return;
            }
            let timeout = Duration::from_millis(self.config.file_timeout);
            let mut surveyed = prepared.surveyed;
            let outcome = match &prepared.ask {
                None => {
                    current = take();
                    Ok(())
                }
                Some((ask, text)) => {
                    let (language, path) = (&surveyed.row.language, &surveyed.row.path);
                    worker.begin(*ask, language, path, text, timeout).and_then(|()| {
                        current = take();
                        match worker.finish()? {
                            Ok(answer) => {
                                surveyed.time = Duration::from_micros(answer.microseconds);
                                surveyed.facts = answer.facts;
                            }
                            Err(failure) => {
                                surveyed.row.status = Status::Skipped(failure.reason().to_owned());
                            }
                        }
                        Ok(())
                    })
                }
            };
            if self.config.text_index && surveyed.facts.is_some() {
                surveyed.text = prepared.ask.map(|(_, text)| text);
            }
            let message = outcome
                .map(|()| surveyed)
                .map_err(|error| Error::io("cannot start a worker process", &error));
            if sender.send(message).is_err() {
                return;
            }
        }
    }

    /// Reads a file and decides what to ask of it.
    fn prepare(&self, number: usize) -> Prepared {
        let found = &self.found[number];
        let mut row = FileRow {
            path: found.path.clone(),
            language: "text".to_owned(),
            status: Status::Indexed,
            size: 0,
            content_hash: None,
            modified_ns: 0,
            indexed_ms: now_ms(),
        };
        let surveyed =
            |row| Surveyed { number, row, facts: None, text: None, time: Duration::ZERO };
        if let Some(reason) = found.skip {
            row.status = Status::Skipped(reason.to_owned());
            row.language = Registry::builtin().detect(&found.path, b"").id.clone();
            return Prepared { surveyed: surveyed(row), ask: None };
        }
        let (content, metadata) = read::read_source(&found.absolute, self.config.max_file_size);
        if let Some(metadata) = &metadata {
            row.size = metadata.len();
            row.modified_ns = modified_ns(metadata);
        }
        let (text, hash, altered) = match content {
            Content::Text { text, hash, altered } => (text, hash, altered),
            Content::Skipped { reason, hash } => {
                row.status = Status::Skipped(reason.to_owned());
                row.content_hash = hash;
                row.language = Registry::builtin().detect(&found.path, b"").id.clone();
                return Prepared { surveyed: surveyed(row), ask: None };
            }
        };
        let language = Registry::builtin().detect(&found.path, text.as_bytes());
        row.language = language.id.clone();
        row.size = text.len() as u64;
        row.content_hash = Some(hash);
        if altered {
            row.status = Status::Partial("encoding".to_owned());
        }
        if let Some(reason) = self.quarantine.contents.get(&hash) {
            row.status = Status::Skipped(reason.clone());
            return Prepared { surveyed: surveyed(row), ask: None };
        }
        let mut ask = Ask::Extract;
        if language.table.parser != Parser::Text && nesting(text.as_bytes()) > MAX_NESTING {
            row.status = Status::Partial("nesting".to_owned());
            ask = Ask::Words;
        }
        Prepared { surveyed: surveyed(row), ask: Some((ask, text)) }
    }

    /// Writes files in the order of their paths, whatever order they come in.
    fn write_in_order(
        &self,
        receiver: &Receiver<Result<Surveyed, Error>>,
        writer: &mut Writer,
        report: &mut Report,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let mut waiting: BTreeMap<usize, Surveyed> = BTreeMap::new();
        let mut written = 0;
        let interrupted = || {
            let message = "interrupted; the index is as it was before";
            self.interrupted.load(Ordering::Relaxed).then(|| Error::new(Kind::Interrupted, message))
        };
        loop {
            if let Some(error) = interrupted() {
                return Err(error);
            }
            let surveyed = match receiver.recv_timeout(PATIENCE) {
                Ok(message) => message?,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            waiting.insert(surveyed.number, surveyed);
            while let Some(surveyed) = waiting.remove(&written) {
                self.write(&surveyed, writer, report)?;
                written += 1;
                progress.advance(written as u64);
            }
        }
        if written < self.found.len() {
            let lost =
                || Error::new(Kind::Io, "some files were not written; the index is as it was");
            return Err(interrupted().unwrap_or_else(lost));
        }
        Ok(())
    }

    fn write(
        &self,
        surveyed: &Surveyed,
        writer: &mut Writer,
        report: &mut Report,
    ) -> Result<(), Error> {
        let row = &surveyed.row;
        writer.add(row, surveyed.facts.as_deref())?;
        if let Some(text) = &surveyed.text {
            writer.add_text(&row.path, text)?;
        }
        match &row.status {
            Status::Skipped(reason) => *report.skipped.entry(reason.clone()).or_default() += 1,
            status => {
                let language = report.languages.entry(row.language.clone()).or_default();
                language.0 += 1;
                language.1 += row.size;
                report.source_bytes += row.size;
                if let Status::Partial(reason) = status {
                    *report.partial.entry(reason.clone()).or_default() += 1;
                }
            }
        }
        let slowest = &mut report.slowest;
        if slowest.len() < SLOWEST
            || slowest.last().is_some_and(|(_, least)| *least < surveyed.time)
        {
            let at = slowest.partition_point(|(_, time)| *time >= surveyed.time);
            slowest.insert(at, (row.path.clone(), surveyed.time));
            slowest.truncate(SLOWEST);
        }
        Ok(())
    }
}

struct Prepared {
    surveyed: Surveyed,
    ask: Option<(Ask, String)>,
}

/// How deep brackets are nested, counted roughly: strings and comments are not told apart.
fn nesting(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0usize);
    for byte in bytes {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

fn modified_ns(metadata: &std::fs::Metadata) -> i64 {
    let Ok(modified) = metadata.modified() else { return 0 };
    match modified.duration_since(UNIX_EPOCH) {
        Ok(time) => i64::try_from(time.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_nanos()).unwrap_or(i64::MAX),
    }
}
