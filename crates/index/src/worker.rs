//! The worker process: parses and extracts files, one after another, over a pipe.
//!
//! Grammars are C, and several parsers recurse: on hostile input they can overflow the stack, eat all
//! memory or never return, and nothing inside the process can prevent that. So they run here, where
//! dying is cheap. A worker reads no files, opens no index and dies with its parent.

use std::hash::BuildHasher;
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

use languages::Registry;
use model::{NameId, Names};
use rustc_hash::{FxBuildHasher, FxHashMap};
use store::Extra;

/// What a worker is asked to do with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    Extract = 0,
    /// Only its words.
    Words = 1,
}

/// A file that is to be worked on.
#[derive(Debug, Clone, Copy)]
pub struct Question<'q> {
    pub ask: Ask,
    pub language: &'q str,
    pub path: &'q str,
    pub text: &'q str,
}

impl Question<'static> {
    /// What every worker can answer.
    pub const PROBE: Self =
        Self { ask: Ask::Words, language: "text", path: "probe.txt", text: "some words" };
}

/// What a worker says of a file.
#[derive(Debug)]
pub struct Answer {
    /// Packed facts, or none if extraction panicked.
    pub facts: Option<Vec<u8>>,
    pub microseconds: u64,
}

/// Deep recursion is normal for some parsers; the memory is only used if it is needed.
const STACK: usize = 256 << 20;
/// A last resort: the parent ends a worker long before that.
const ADDRESS_SPACE: u64 = 4 << 30;
/// A larger buffer is given back.
const MOST_KEPT: usize = 4 << 20;
/// No message is larger than the largest file that may be configured.
const MAX_MESSAGE: u32 = 1 << 31;

/// Set in the tests only: a file that contains `groma-fault:panic` (or `abort`, `give-up`, `hang`, `memory`)
/// makes the worker do that.
pub const FAULTS: &str = "GROMA_TEST_FAULTS";

/// The status of a worker that ended because it could not be asked, or could not answer. Whatever a file does to
/// a parser ends in a signal or an answer.
pub const GAVE_UP: i32 = 1;

/// Serves until the input ends. This is all a worker process does; if it fails, the status is [`GAVE_UP`].
pub fn run() -> io::Result<()> {
    limit_resources();
    extract::memory::use_arena();
    let keeper = keep_to_parent();
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        let (mut input, mut output) = (io::stdin().lock(), unbuffered_output()?);
        serve(&mut input, &mut output, &keeper)
    })?;
    // A panic that nobody caught came of a file, like any other end by a signal.
    thread.join().unwrap_or_else(|_| std::process::abort())
}

fn limit_resources() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit};
        let limit = |value| Rlimit { current: Some(value), maximum: Some(value) };
        let _ = rustix::process::setrlimit(Resource::As, limit(ADDRESS_SPACE));
        let _ = rustix::process::setrlimit(Resource::Core, limit(0));
    }
}

/// Set while a file is worked on.
static AT_WORK: AtomicBool = AtomicBool::new(false);
/// Set while nobody looks after the parent.
static ASLEEP: AtomicBool = AtomicBool::new(false);
/// How often a worker that has a file looks whether its parent still lives.
const LOOK_AFTER_PARENT: Duration = Duration::from_secs(1);

/// Ends this process when its parent is gone. Without a file the end of the input tells; with one, nobody
/// reads it, and a parser may never return. The system could tell too, but it means the thread that made
/// this process, not the process that thread belongs to.
fn keep_to_parent() -> Thread {
    let parent = parent_process();
    let keeper = std::thread::spawn(move || {
        loop {
            // Said before it is looked at, so that whoever begins to work sees one or is seen.
            ASLEEP.store(true, Ordering::SeqCst);
            if AT_WORK.load(Ordering::SeqCst) {
                ASLEEP.store(false, Ordering::SeqCst);
                std::thread::park_timeout(LOOK_AFTER_PARENT);
            } else {
                std::thread::park();
            }
            if parent_process() != parent {
                std::process::exit(GAVE_UP);
            }
        }
    });
    keeper.thread().clone()
}

fn parent_process() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    None
}

fn serve(input: &mut impl Read, output: &mut impl Write, keeper: &Thread) -> io::Result<()> {
    let faults = std::env::var_os(FAULTS).is_some();
    // A panic is reported to the parent; its text would only disturb the terminal.
    std::panic::set_hook(Box::new(|_| {}));
    // Kept, as long as it is small: most answers are as long as those before them.
    let mut answers = Vec::new();
    while let Some(requests) = read_requests(input)? {
        AT_WORK.store(true, Ordering::SeqCst);
        if ASLEEP.swap(false, Ordering::SeqCst) {
            keeper.unpark();
        }
        answers.clear();
        answers.shrink_to(MOST_KEPT);
        for request in requests {
            let started = Instant::now();
            let facts = catch_unwind(AssertUnwindSafe(|| {
                if faults {
                    inject_fault(&request.text);
                }
                extract(&request)
            }));
            let microseconds = started.elapsed().as_micros() as u64;
            extract::memory::reclaim();
            put_answer(&mut answers, &facts.unwrap_or_default(), microseconds);
        }
        AT_WORK.store(false, Ordering::SeqCst);
        // In one piece: whoever waits for it is woken once.
        output.write_all(&answers)?;
        output.flush()?;
    }
    Ok(())
}

/// The standard output without the buffer that looks for line breaks in all that is written.
fn unbuffered_output() -> io::Result<impl Write> {
    #[cfg(unix)]
    return std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned().map(std::fs::File::from);
    #[cfg(not(unix))]
    Ok(io::stdout().lock())
}

fn put_answer(answers: &mut Vec<u8>, facts: &[u8], microseconds: u64) {
    answers.extend_from_slice(&(facts.len() as u32).to_le_bytes());
    answers.extend_from_slice(&microseconds.to_le_bytes());
    answers.extend_from_slice(facts);
}

fn extract(request: &Request) -> Vec<u8> {
    let Some(language) = Registry::builtin().get(&request.language) else { return Vec::new() };
    let source = extract::Source { path: &request.path, text: &request.text };
    let mut facts = match request.ask {
        Ask::Extract => extract::extract(language, source),
        Ask::Words => extract::extract_words(language, source),
    };
    let mut names = FileNames::new(std::mem::take(&mut facts.names));
    let interface = resolve::interface(language, &facts, &mut names);
    facts.names = names.names;
    let extra = Extra {
        interface: &resolve::pack(&interface),
        manifest: resolve::is_manifest(&request.path).then_some(request.text.as_str()),
    };
    store::parcel(&model::pack::pack(&facts), extra)
}

/// The names of one file; parts of types are added to them.
struct FileNames {
    names: Names,
    /// By the hash of their text, or the next number that is free. Made when the first text is looked for.
    numbers: FxHashMap<u64, NameId>,
}

impl FileNames {
    fn new(names: Names) -> Self {
        Self { names, numbers: FxHashMap::default() }
    }

    /// Where a text is among the numbers, or would be.
    fn place_of(&self, text: &str) -> (u64, Option<NameId>) {
        let mut place = FxBuildHasher.hash_one(text);
        loop {
            match self.numbers.get(&place).copied() {
                Some(known) if self.names.get(known) != text => place = place.wrapping_add(1),
                found => return (place, found),
            }
        }
    }
}

impl resolve::Texts for FileNames {
    fn text(&self, name: NameId) -> Rc<str> {
        self.names.get(name).into()
    }

    fn intern(&mut self, text: &str) -> NameId {
        if self.numbers.is_empty() {
            self.numbers.reserve(self.names.len());
            for name in (0..self.names.len() as u32).map(NameId) {
                let (place, _) = self.place_of(self.names.get(name));
                self.numbers.insert(place, name);
            }
        }
        let (place, known) = self.place_of(text);
        known.unwrap_or_else(|| {
            let name = self.names.push(text);
            self.numbers.insert(place, name);
            name
        })
    }
}

fn inject_fault(text: &str) {
    let Some((_, fault)) = text.split_once("groma-fault:") else { return };
    match fault.split_whitespace().next() {
        Some("panic") => panic!("a fault was asked for"),
        Some("abort") => std::process::abort(),
        Some("give-up") => std::process::exit(GAVE_UP),
        Some("hang") => loop {
            std::hint::spin_loop();
        },
        Some("memory") => {
            let mut hoard: Vec<Vec<u8>> = Vec::new();
            loop {
                hoard.push(vec![1; 16 << 20]);
            }
        }
        _ => {}
    }
}

struct Request {
    ask: Ask,
    language: String,
    path: String,
    text: String,
}

/// Sends requests. Numbers and lengths come first, so that the other end reads without looking.
pub fn send_requests(output: &mut impl Write, questions: &[Question<'_>]) -> io::Result<()> {
    output.write_all(&(questions.len() as u32).to_le_bytes())?;
    for question in questions {
        output.write_all(&[question.ask as u8])?;
        for part in [question.language, question.path, question.text] {
            output.write_all(&(part.len() as u32).to_le_bytes())?;
            output.write_all(part.as_bytes())?;
        }
    }
    output.flush()
}

/// All that was sent at once; it is read to its end before the first answer, so that neither end ever
/// waits for the other to read.
fn read_requests(input: &mut impl Read) -> io::Result<Option<Vec<Request>>> {
    let mut count = [0; 4];
    if input.read(&mut count[..1])? == 0 {
        return Ok(None);
    }
    input.read_exact(&mut count[1..])?;
    (0..u32::from_le_bytes(count)).map(|_| read_request(input)).collect::<io::Result<_>>().map(Some)
}

fn read_request(input: &mut impl Read) -> io::Result<Request> {
    let mut ask = [0];
    input.read_exact(&mut ask)?;
    let ask = if ask[0] == Ask::Words as u8 { Ask::Words } else { Ask::Extract };
    let (language, path, text) = (read_text(input)?, read_text(input)?, read_text(input)?);
    Ok(Request { ask, language, path, text })
}

fn read_text(input: &mut impl Read) -> io::Result<String> {
    let bytes = read_bytes(input)?;
    String::from_utf8(bytes).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))
}

fn read_bytes(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let length = read_length(input)?;
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn read_length(input: &mut impl Read) -> io::Result<usize> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length);
    if length > MAX_MESSAGE {
        return Err(io::Error::from(io::ErrorKind::InvalidData));
    }
    Ok(length as usize)
}

/// Reads an answer; an error means that the worker is gone.
pub fn read_answer(input: &mut impl Read) -> io::Result<Answer> {
    let length = read_length(input)?;
    let mut microseconds = [0; 8];
    input.read_exact(&mut microseconds)?;
    let mut facts = vec![0; length];
    input.read_exact(&mut facts)?;
    Ok(Answer {
        facts: (!facts.is_empty()).then_some(facts),
        microseconds: u64::from_le_bytes(microseconds),
    })
}
