//! From files to facts: read, decide what to ask, have it extracted, in the order of the paths.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use languages::{Parser, Registry};
use store::bugs::{self, Bug};
use store::{FileRow, Status};

use crate::config::Config;
use crate::error::{Error, Kind};
use crate::pool::{Failure, Pool};
use crate::quarantine::Quarantine;
use crate::read::{self, Content};
use crate::stamp;
use crate::walk::Found;
use crate::worker::{Answer, Ask, Question};

/// Brackets nested deeper than this are not parsed; no person writes them.
const MAX_NESTING: usize = 1000;
/// Files are handed to a worker together until they have so many bytes, or are so many, or so small a
/// share of what one worker has to do: the last ones are to end at the same time.
const BATCH_BYTES: usize = 48 << 10;
const BATCH_FILES: usize = 16;
const BATCHES_EACH: usize = 4;
/// How many of those may wait for the writer.
const BATCHES_WAITING: usize = 8;
/// How long to wait for the next file before looking whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// A file with its facts, on its way to the store.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) number: usize,
    pub(crate) row: FileRow,
    pub(crate) facts: Option<Vec<u8>>,
    /// Only where the text is to be kept.
    pub(crate) text: Option<String>,
    pub(crate) time: Duration,
}

/// A file that was read, and what to ask of it: nothing if it is skipped.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) row: FileRow,
    pub(crate) ask: Option<(Ask, String)>,
}

/// Files that a worker is asked about together, with their numbers.
type Batch = Vec<(usize, Prepared)>;

impl Prepared {
    fn question(&self) -> Option<Question<'_>> {
        let (ask, text) = self.ask.as_ref()?;
        Some(Question { ask: *ask, language: &self.row.language, path: &self.row.path, text })
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Survey<'s> {
    pub(crate) config: &'s Config,
    pub(crate) quarantine: &'s Quarantine,
    pub(crate) interrupted: &'s AtomicBool,
}

impl Survey<'_> {
    /// Surveys files and hands them on in their order, whatever order they are done in.
    pub(crate) fn run(
        &self,
        files: &[Found],
        pool: &Pool,
        take: &mut dyn FnMut(Surveyed) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if files.is_empty() {
            return Ok(());
        }
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let (sender, receiver) = bounded::<Result<Vec<Surveyed>, Error>>(BATCHES_WAITING);
        std::thread::scope(|scope| {
            let mut threads = 0;
            for _ in 0..self.config.workers.min(files.len()) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                let feed = move || self.feed(files, pool, next, stop, &sender);
                match std::thread::Builder::new().spawn_scoped(scope, feed) {
                    Ok(_) => threads += 1,
                    // Those that there are do all of it.
                    Err(_) if threads > 0 => break,
                    Err(error) => return Err(Error::io("cannot start a thread", &error)),
                }
            }
            drop(sender);
            let result = self.hand_on_in_order(files.len(), &receiver, take);
            // Whoever still works finds this out before the next file, and must not be waited for.
            stop.store(true, Ordering::Relaxed);
            if result.is_err() {
                pool.abandon();
            }
            for _ in receiver {}
            result
        })
        .inspect_err(|_| pool.recover())
    }

    /// Reads and hashes files in parallel, without asking anything of them. In their order.
    pub(crate) fn read_all(&self, files: &[&Found]) -> Result<Vec<FileRow>, Error> {
        let workers = self.config.workers.min(files.len().div_ceil(16)).max(1);
        let next = AtomicUsize::new(0);
        let read = || -> Result<Vec<(usize, FileRow)>, Error> {
            let mut rows = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= files.len() || self.interrupted.load(Ordering::Relaxed) {
                    return Ok(rows);
                }
                rows.push((number, self.prepare(files[number])?.row));
            }
        };
        let mut rows = std::thread::scope(|scope| {
            let others: Vec<_> = (1..workers)
                .map_while(|_| std::thread::Builder::new().spawn_scoped(scope, read).ok())
                .collect();
            let mut rows = read();
            for other in others {
                let more = other.join().expect("reading does not panic");
                rows = rows.and_then(|rows| Ok([rows, more?].concat()));
            }
            rows
        })?;
        self.check_interrupted()?;
        rows.sort_unstable_by_key(|(number, _)| *number);
        Ok(rows.into_iter().map(|(_, row)| row).collect())
    }

    /// The text of a file that is already known, if texts are kept; an error if the file is another one
    /// by now.
    pub(crate) fn text_to_keep(&self, found: &Found, hash: [u8; 32]) -> Result<Option<String>, ()> {
        if !self.config.text_index {
            return Ok(None);
        }
        let prepared = self.prepare(found).map_err(drop)?;
        let text = prepared.ask.map(|(_, text)| text);
        if prepared.row.content_hash == Some(hash) { Ok(text) } else { Err(()) }
    }

    pub(crate) fn check_interrupted(&self) -> Result<(), Error> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Error::interrupted());
        }
        Ok(())
    }

    /// Takes files in order and has them extracted, until there are none left.
    fn feed(
        &self,
        files: &[Found],
        pool: &Pool,
        next: &AtomicUsize,
        stop: &AtomicBool,
        sender: &Sender<Result<Vec<Surveyed>, Error>>,
    ) {
        let mut worker = pool.worker();
        let timeout = Duration::from_millis(self.config.file_timeout);
        // While the worker extracts some files, the next are read and hashed.
        let mut next_batch = self.batch(files, next);
        loop {
            let current = match next_batch {
                Ok(batch) if batch.is_empty() => break,
                Ok(batch) => batch,
                Err(error) => {
                    let _ = sender.send(Err(error));
                    return;
                }
            };
            if stop.load(Ordering::Relaxed) || self.interrupted.load(Ordering::Relaxed) {
                return;
            }
            let questions: Vec<Question<'_>> =
                current.iter().filter_map(|(_, prepared)| prepared.question()).collect();
            let begun = match questions.is_empty() {
                true => Ok(()),
                false => worker.begin(&questions, timeout),
            };
            next_batch = self.batch(files, next);
            let answers = begun.and_then(|()| match questions.is_empty() {
                true => Ok(Vec::new()),
                false => worker.finish(&questions, timeout),
            });
            let message = answers
                .map(|answers| self.surveyed(current, answers))
                .map_err(|error| Error::io("cannot start a worker process", &error));
            if sender.send(message).is_err() {
                return;
            }
        }
        pool.give_back(worker);
    }

    /// The next files, read; none if there are none left.
    fn batch(&self, files: &[Found], next: &AtomicUsize) -> Result<Batch, Error> {
        let share = files.len() / (self.config.workers * BATCHES_EACH).max(1);
        let most = share.clamp(1, BATCH_FILES);
        let mut batch = Vec::with_capacity(most);
        let mut bytes = 0;
        while bytes < BATCH_BYTES && batch.len() < most {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(found) = files.get(number) else { break };
            let prepared = self.prepare(found)?;
            bytes += prepared.ask.as_ref().map_or(0, |(_, text)| text.len());
            batch.push((number, prepared));
        }
        Ok(batch)
    }

    /// Files with the answers to those that were asked about, in the same order.
    fn surveyed(&self, batch: Batch, answers: Vec<Result<Answer, Failure>>) -> Vec<Surveyed> {
        let mut answers = answers.into_iter();
        let surveyed = batch.into_iter().map(|(number, prepared)| {
            let Prepared { mut row, ask } = prepared;
            let (mut facts, mut time) = (None, Duration::ZERO);
            match ask.is_some().then(|| answers.next()).flatten() {
                Some(Ok(answer)) => {
                    time = Duration::from_micros(answer.microseconds);
                    facts = answer.facts;
                }
                Some(Err(failure)) => row.status = Status::Skipped(failure.reason().to_owned()),
                None => {}
            }
            let text = ask.filter(|_| self.config.text_index && facts.is_some());
            Surveyed { number, row, facts, text: text.map(|(_, text)| text), time }
        });
        surveyed.collect()
    }

    /// Reads a file and decides what to ask of it. An error where it is not the file that is at fault.
    pub(crate) fn prepare(&self, found: &Found) -> Result<Prepared, Error> {
        let mut row = FileRow {
            path: found.path.clone(),
            language: "text".to_owned(),
            status: Status::Indexed,
            size: found.size,
            content_hash: None,
            stamp: found.stamp,
            // Before the file is opened: what is written to it from now on may be missed.
            indexed_ms: stamp::now_ms(),
        };
        if let Some(reason) = found.skip {
            row.status = Status::Skipped(reason.to_owned());
            row.language = Registry::builtin().detect(&found.path, b"").id.clone();
            return Ok(Prepared { row, ask: None });
        }
        let (content, metadata) = read::try_source(&found.absolute, self.config.max_file_size)
            .map_err(|error| Error::io(format!("cannot read {}", found.path), &error))?;
        if let Some(metadata) = &metadata {
            row.size = metadata.len();
            row.stamp = stamp::of(metadata);
        }
        Ok(self.decide(row, content))
    }

    /// Decides what to ask of a content, at the path of the row.
    pub(crate) fn decide(&self, mut row: FileRow, content: Content) -> Prepared {
        let (text, hash, altered) = match content {
            Content::Text { text, hash, altered } => (text, hash, altered),
            Content::Skipped { reason, hash } => {
                row.status = Status::Skipped(reason.to_owned());
                row.content_hash = hash;
                row.language = Registry::builtin().detect(&row.path, b"").id.clone();
                return Prepared { row, ask: None };
            }
        };
        let language = Registry::builtin().detect(&row.path, text.as_bytes());
        row.language = language.id.clone();
        row.size = text.len() as u64;
        row.content_hash = Some(hash);
        if altered {
            row.status = Status::Partial("encoding".to_owned());
        }
        if let Some(reason) = self.quarantine.reason(&hash) {
            row.status = Status::Skipped(reason.to_owned());
            return Prepared { row, ask: None };
        }
        let mut ask = Ask::Extract;
        if language.table.parser != Parser::Text && is_nested_too_deeply(text.as_bytes()) {
            row.status = Status::Partial("nesting".to_owned());
            ask = Ask::Words;
        }
        Prepared { row, ask: Some((ask, text)) }
    }

    fn hand_on_in_order(
        &self,
        count: usize,
        receiver: &Receiver<Result<Vec<Surveyed>, Error>>,
        take: &mut dyn FnMut(Surveyed) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut waiting: BTreeMap<usize, Surveyed> = BTreeMap::new();
        let mut done = 0;
        loop {
            self.check_interrupted()?;
            let batch = match receiver.recv_timeout(PATIENCE) {
                Ok(message) => message?,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if bugs::has(Bug::OrderOfArrival) {
                done += batch.len();
                batch.into_iter().try_for_each(&mut *take)?;
                continue;
            }
            waiting.extend(batch.into_iter().map(|surveyed| (surveyed.number, surveyed)));
            while let Some(surveyed) = waiting.remove(&done) {
                take(surveyed)?;
                done += 1;
            }
        }
        self.check_interrupted()?;
        if done < count {
            let message = "some files were not written; the index is as it was";
            return Err(Error::new(Kind::Io, message));
        }
        Ok(())
    }
}

/// Whether brackets are nested too deeply, counted roughly: strings and comments are not told apart.
fn is_nested_too_deeply(bytes: &[u8]) -> bool {
    // Hardly any file has so many brackets at all, and counting them is far cheaper than following them.
    let is_opening = |byte: &u8| matches!(byte, b'(' | b'[' | b'{');
    // A chunk of less than 256 is counted in bytes, sixteen at once.
    let in_chunk = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(is_opening(byte))).sum::<u8>();
    let opening: usize = bytes.chunks(240).map(|chunk| usize::from(in_chunk(chunk))).sum();
    opening > MAX_NESTING && nesting(bytes) > MAX_NESTING
}

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
