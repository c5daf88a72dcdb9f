//! Speed, memory and size of a full index, as ratios to the least that any such program must do.
//!
//! The floor is a walk that reads, hashes, parses with tree-sitter and visits every node of the very
//! same files, in as many threads as the index has workers, and does nothing else: two busy processors
//! are slower than one, and both must feel it. They run as processes of their own, one after the other,
//! and their processor time is compared: machines differ and are busy, ratios hold.

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use index::read::{self, Content};
use index::{Config, Project};
use languages::Registry;

use crate::Outcome;

const WORKERS: usize = 2;
const REPEATS: usize = 3;

struct Usage {
    wall: Duration,
    processor: Duration,
    peak_memory: u64,
    output: String,
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let directories = match arguments.split_first().map(|(what, rest)| (what.as_str(), rest)) {
        Some(("index", directories)) => directories,
        Some(("update", directories)) => return crate::bench_update::run(directories),
        Some(("recipes", directories)) => return crate::bench_recipes::run(directories),
        Some(("scan", directories)) => return crate::bench_scan::run(directories),
        _ => return Err("bench index <dir>… | update <dir>… | recipes <dir>… | scan <dir>…".into()),
    };
    let groma = crate::program()?;
    // The floor runs the same C as the index, and must be compiled as well as that.
    let floor_program = crate::release_build("xtask")?;
    println!(
        "{:<20} {:>6} {:>7} {:>8} {:>8} {:>6} {:>8} {:>9} {:>7} {:>8} {:>6}",
        "corpus",
        "files",
        "MB",
        "floor s",
        "index s",
        "CPU ×",
        "wall s",
        "wall/CPU",
        "MiB",
        "allowed",
        "size ×"
    );
    for directory in directories {
        let directory = PathBuf::from(directory);
        let state = std::env::temp_dir().join(format!("groma-bench-{}", std::process::id()));
        // In turns, and the best of each: what a busy machine adds is no property of the program.
        let (mut floor, mut index) = (None, None);
        for _ in 0..REPEATS {
            keep_best(
                &mut floor,
                measure(Command::new(&floor_program).arg("floor").arg(&directory))?,
            );
            let mut command = Command::new(&groma);
            command.args(["index", "--quiet", "--json", "--workers", &WORKERS.to_string()]);
            keep_best(&mut index, measure(command.arg("--state-dir").arg(&state).arg(&directory))?);
            let _ = std::fs::remove_dir_all(&state);
        }
        let (Some(floor), Some(index)) = (floor, index) else { continue };
        report(&directory, &floor, &index)?;
    }
    Ok(())
}

/// Keeps the run that took less processor time, with the greater memory of both.
fn keep_best(best: &mut Option<Usage>, run: Usage) {
    let peak = best.as_ref().map_or(0, |best| best.peak_memory).max(run.peak_memory);
    if best.as_ref().is_none_or(|best| run.processor < best.processor) {
        *best = Some(run);
    }
    if let Some(best) = best {
        best.peak_memory = peak;
    }
}

fn report(directory: &Path, floor: &Usage, index: &Usage) -> Outcome {
    let answer: serde_json::Value = serde_json::from_str(&index.output)?;
    let number = |key: &str| answer[key].as_f64().unwrap_or(0.0);
    let seconds = |time: Duration| time.as_secs_f64();
    let allowed = 150.0 + 96.0 * WORKERS as f64 + number("files") / 1024.0;
    println!(
        "{:<20} {:>6} {:>7.1} {:>8.2} {:>8.2} {:>6.2} {:>8.2} {:>9.2} {:>7.0} {:>8.0} {:>6.2}",
        directory.file_name().unwrap_or_default().to_string_lossy(),
        number("files"),
        number("source_bytes") / 1e6,
        seconds(floor.processor),
        seconds(index.processor),
        seconds(index.processor) / seconds(floor.processor),
        seconds(index.wall),
        seconds(index.wall) / seconds(index.processor),
        index.peak_memory as f64 / f64::from(1 << 20),
        allowed,
        number("database_bytes") / number("source_bytes").max(1.0),
    );
    Ok(())
}

/// The floor itself; prints nothing.
pub(crate) fn floor(arguments: &[String]) -> Outcome {
    let [directory] = arguments else { return Err("floor <dir>".into()) };
    let project = Project::at(directory.as_ref(), None)?;
    let config = Config::default();
    let found = index::walk::walk(&project, &config, None)?;
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let mut parser = tree_sitter::Parser::new();
                while let Some(found) = found.get(next.fetch_add(1, Ordering::Relaxed)) {
                    read_and_visit(&mut parser, found, &config);
                }
            });
        }
    });
    Ok(())
}

/// The number of nodes of a file; none if it is not parsed.
fn read_and_visit(
    parser: &mut tree_sitter::Parser,
    found: &index::walk::Found,
    config: &Config,
) -> Option<u64> {
    if found.skip.is_some() {
        return None;
    }
    let (Content::Text { text, .. }, _) = read::read_source(&found.absolute, config.max_file_size)
    else {
        return None;
    };
    parse_and_visit(parser, Registry::builtin().detect(&found.path, text.as_bytes()), &text)
}

/// Extraction alone, in this process: where the time of a worker goes, and a fingerprint of the facts,
/// which no work on speed may change. Each file is read as often as said, and its best times count.
pub(crate) fn extract_only(arguments: &[String]) -> Outcome {
    let (directory, repeats) = match arguments {
        [directory] => (directory, REPEATS),
        [directory, repeats] => (directory, repeats.parse()?),
        _ => return Err("extract <dir> [repeats]".into()),
    };
    let project = Project::at(directory.as_ref(), None)?;
    let config = Config::default();
    let mut total = [Duration::ZERO; 3];
    let (mut source_bytes, mut packed_bytes) = (0, 0);
    let mut fingerprint = std::hash::DefaultHasher::new();
    let mut parser = tree_sitter::Parser::new();
    for found in index::walk::walk(&project, &config, None)? {
        if found.skip.is_some() {
            continue;
        }
        let (Content::Text { text, .. }, _) =
            read::read_source(&found.absolute, config.max_file_size)
        else {
            continue;
        };
        let language = Registry::builtin().detect(&found.path, text.as_bytes());
        let source = extract::Source { path: &found.path, text: &text };
        let mut best = [Duration::MAX; 3];
        let mut packed = Vec::new();
        for _ in 0..repeats {
            let started = Instant::now();
            parse_and_visit(&mut parser, language, &text);
            let parsed = Instant::now();
            let facts = extract::extract(language, source);
            let extracted = Instant::now();
            packed = model::pack::pack(&facts);
            let times = [parsed - started, extracted - parsed, extracted.elapsed()];
            for (best, time) in best.iter_mut().zip(times) {
                *best = time.min(*best);
            }
        }
        for (total, best) in total.iter_mut().zip(best) {
            *total += best;
        }
        fingerprint.write(&packed);
        source_bytes += text.len();
        packed_bytes += packed.len();
    }
    let [parsing, extracting, packing] = total.map(|time| time.as_secs_f64());
    println!("parse + visit {parsing:.2} s");
    println!("extract       {extracting:.2} s  × {:.2}", extracting / parsing);
    println!("pack          {packing:.2} s  × {:.2}", packing / parsing);
    println!("packed bytes  × {:.2}", packed_bytes as f64 / source_bytes as f64);
    println!("fingerprint   {:016x}", fingerprint.finish());
    Ok(())
}

/// The number of nodes of a text; none if it is not parsed.
fn parse_and_visit(
    parser: &mut tree_sitter::Parser,
    language: &languages::Language,
    text: &str,
) -> Option<u64> {
    parser.set_language(language.grammar.as_ref()?).ok()?;
    Some(std::hint::black_box(visit(&parser.parse(text, None)?)))
}

fn visit(tree: &tree_sitter::Tree) -> u64 {
    let mut cursor = tree.walk();
    let mut nodes = 0;
    loop {
        nodes += u64::from(cursor.node().kind_id() != u16::MAX);
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return nodes;
            }
        }
    }
}

/// Runs a command and measures it with all its children.
fn measure(command: &mut Command) -> Result<Usage, Box<dyn std::error::Error>> {
    let before = children_time()?;
    let started = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut output = child.stdout.take().ok_or("stdout is piped")?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut output, &mut text).map(|_| text)
    });
    let mut peak_memory = 0;
    let status = loop {
        peak_memory = peak_memory.max(memory_of_tree(child.id()));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let wall = started.elapsed();
    let output = reader.join().map_err(|_| "the reader panicked")??;
    if !status.success() {
        return Err(format!("{command:?} failed: {output}").into());
    }
    Ok(Usage { wall, processor: children_time()? - before, peak_memory, output })
}

/// Processor time of all children that have ended, user and system.
fn children_time() -> Result<Duration, Box<dyn std::error::Error>> {
    // Fields 16 and 17 count from the process id; the name before them may hold spaces.
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> =
        stat.rsplit_once(')').ok_or("odd stat")?.1.split_ascii_whitespace().collect();
    let ticks: u64 = fields[13].parse::<u64>()? + fields[14].parse::<u64>()?;
    Ok(Duration::from_millis(ticks * 10))
}

/// Resident memory of a process and its children.
fn memory_of_tree(process: u32) -> u64 {
    let own = std::fs::read_to_string(format!("/proc/{process}/statm"))
        .ok()
        .and_then(|text| text.split_ascii_whitespace().nth(1)?.parse::<u64>().ok())
        .map_or(0, |pages| pages * 4096);
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children = tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|list| {
            list.split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()
        })
        .map(memory_of_tree)
        .sum::<u64>();
    own + children
}
