//! A server that answers and watches for a long time: does anything grow that should not?
//!
//! Questions and edits go on, with a pause after every twenty questions. Every few seconds memory, file
//! descriptors, threads, the log of the database and files in the state directory are counted. Every minute
//! everybody rests until the server has given back what it kept for the next question: what it has then is all
//! that it needs, and the slope of that is what it leaks. Edits add a line to what a file was in the beginning,
//! so that the project stays of one size. Memory is what the server has of its own, pages of the index that are
//! mapped are the system's; at rest it is all that is resident.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::load::{Connection, questions, resident};
use crate::torture::{Bench, Random, fill};

const STEP: Duration = Duration::from_secs(5);
const BETWEEN_RESTS: Duration = Duration::from_secs(60);
/// Longer than it takes a server to give back what it kept.
const REST: Duration = Duration::from_secs(14);
/// Resident bytes of a server that rests.
const MOST_AT_REST: u64 = 60 << 20;

/// What was counted at a moment.
#[derive(Debug, Clone, Copy)]
struct Sample {
    hours: f64,
    memory: u64,
    descriptors: usize,
    threads: usize,
    log: u64,
    index: u64,
    files: usize,
}

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let (minutes, pause): (f64, u64) = match arguments {
        [minutes] => (minutes.parse()?, 50),
        [minutes, pause] => (minutes.parse()?, pause.parse()?),
        _ => return Err("torture soak <minutes> [<milliseconds of each pause>]".into()),
    };
    let (time, pause) = (Duration::from_secs_f64(60.0 * minutes), Duration::from_millis(pause));
    let bench = Bench::new()?;
    let root = bench.root();
    let files = fill(&root, 4)?;
    let (mut server, url) = crate::conformance::serve(&bench.groma, &root)?;
    let address = url.trim_start_matches("http://").to_owned();
    let outcome = soak(&address, server.id(), &root, &files, time, pause);
    let _ = server.kill();
    let _ = server.wait();
    report(&outcome?)
}

#[derive(Default)]
struct Soaked {
    samples: Vec<Sample>,
    /// Hours, and what was resident at rest.
    rests: Vec<(f64, u64)>,
    asked: u64,
}

fn soak(
    address: &str,
    server: u32,
    root: &Path,
    files: &[std::path::PathBuf],
    time: Duration,
    pause: Duration,
) -> crate::torture::Result<Soaked> {
    let mut connection = Connection::open(address)?;
    let (questions, mut random) = (questions(), Random::seeded());
    let (begun, mut soaked) = (Instant::now(), Soaked::default());
    let (mut next, mut next_rest) = (begun, begun + BETWEEN_RESTS);
    let originals: Vec<Vec<u8>> = files.iter().map(std::fs::read).collect::<Result<_, _>>()?;
    while begun.elapsed() < time {
        for _ in 0..=random.below(3) {
            let which = random.below(files.len() as u64) as usize;
            let line = format!("\nadded_{}\n", random.below(1000));
            match random.below(4) {
                0 => drop(std::fs::remove_file(&files[which])),
                _ => std::fs::write(&files[which], [&originals[which], line.as_bytes()].concat())?,
            }
        }
        for _ in 0..20 {
            let (name, input) = &questions[random.below(questions.len() as u64) as usize];
            connection.ask(name, input)?;
            soaked.asked += 1;
        }
        for (file, text) in files.iter().zip(&originals).filter(|(file, _)| !file.exists()) {
            std::fs::write(file, text)?;
        }
        if Instant::now() >= next {
            next += STEP;
            soaked.samples.push(sample(server, root, begun));
        }
        if Instant::now() >= next_rest {
            std::thread::sleep(REST);
            soaked.rests.push((begun.elapsed().as_secs_f64() / 3600.0, resident(server)));
            next_rest = Instant::now() + BETWEEN_RESTS;
            connection = Connection::open(address)?;
        }
        std::thread::sleep(pause);
    }
    Ok(soaked)
}

fn sample(server: u32, root: &Path, begun: Instant) -> Sample {
    let count = |path: String| std::fs::read_dir(path).map_or(0, Iterator::count);
    let state = root.join(".groma");
    let size = |name: &str| std::fs::metadata(state.join(name)).map_or(0, |it| it.len());
    Sample {
        hours: begun.elapsed().as_secs_f64() / 3600.0,
        memory: own_memory(server),
        descriptors: count(format!("/proc/{server}/fd")),
        threads: count(format!("/proc/{server}/task")),
        log: size("index.db-wal"),
        index: size("index.db"),
        files: count(state.to_string_lossy().into_owned()),
    }
}

/// Bytes of memory that a process has of its own.
fn own_memory(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// Bytes an hour, by the line through what was counted.
fn slope(counted: &[(f64, u64)]) -> f64 {
    let mean = |of: &dyn Fn(&(f64, u64)) -> f64| {
        counted.iter().map(of).sum::<f64>() / counted.len().max(1) as f64
    };
    let (hours, memory) = (mean(&|it| it.0), mean(&|it| it.1 as f64));
    let covariance = mean(&|it| (it.0 - hours) * (it.1 as f64 - memory));
    covariance / mean(&|it| (it.0 - hours).powi(2)).max(f64::MIN_POSITIVE)
}

fn report(Soaked { samples, rests, asked }: &Soaked) -> Outcome {
    let warm = &samples[samples.len() / 2..];
    let (Some(first), Some(last)) = (warm.first(), warm.last()) else {
        return Err("too short to count anything".into());
    };
    let busy: Vec<(f64, u64)> = warm.iter().map(|it| (it.hours, it.memory)).collect();
    let most = |of: &dyn Fn(&Sample) -> u64| samples.iter().map(of).max().unwrap_or(0);
    const MIB: f64 = 1048576.0;
    println!("{asked} questions, {} samples, the second half counts", samples.len());
    println!(
        "memory {:.1} → {:.1} MiB, {:+.1} MiB per hour; descriptors {} → {}; threads {} → {}",
        first.memory as f64 / MIB,
        last.memory as f64 / MIB,
        slope(&busy) / MIB,
        first.descriptors,
        last.descriptors,
        first.threads,
        last.threads
    );
    println!(
        "index {:.1} → {:.1} MiB; its log at most {:.1} MiB; files in the state directory {} → {}",
        first.index as f64 / MIB,
        last.index as f64 / MIB,
        most(&|it| it.log) as f64 / MIB,
        first.files,
        last.files
    );
    if let (Some(first), Some(last)) = (rests.get(rests.len() / 2), rests.last()) {
        println!(
            "at rest {:.1} → {:.1} MiB resident, {:+.1} MiB per hour, {} rests",
            first.1 as f64 / MIB,
            last.1 as f64 / MIB,
            slope(&rests[rests.len() / 2..]) / MIB,
            rests.len()
        );
    }
    if rests.iter().any(|rest| rest.1 > MOST_AT_REST) {
        return Err("a server that rests has too much".into());
    }
    let bound = (64_u64 << 20).max(last.index / 10);
    if most(&|it| it.log) > bound || last.descriptors > first.descriptors + 8 {
        return Err("something grows".into());
    }
    Ok(())
}
