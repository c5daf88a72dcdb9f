//! A server that answers and watches for a long time: does anything grow that should not?
//!
//! Questions and edits go on, with a pause after every twenty questions. Every few seconds memory, file descriptors, threads, the log of
//! the database and files in the state directory are counted; the slope of memory is that of the line through
//! the second half, when everything that is kept warm is warm. Edits add a line to what a file was in the
//! beginning, so that the project stays of one size. Memory is what the server has of its own: pages of the
//! index that are mapped are the system's.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::load::{Connection, questions};
use crate::torture::{Bench, Random, fill};

const STEP: Duration = Duration::from_secs(5);

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
    let (samples, asked) = outcome?;
    report(&samples, asked)
}

type Soaked = (Vec<Sample>, u64);

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
    let (begun, mut samples, mut asked) = (Instant::now(), Vec::new(), 0);
    let mut next = begun;
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
            asked += 1;
        }
        for (file, text) in files.iter().zip(&originals).filter(|(file, _)| !file.exists()) {
            std::fs::write(file, text)?;
        }
        if Instant::now() >= next {
            next += STEP;
            samples.push(sample(server, root, begun));
        }
        std::thread::sleep(pause);
    }
    Ok((samples, asked))
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

fn report(samples: &[Sample], asked: u64) -> Outcome {
    let warm = &samples[samples.len() / 2..];
    let (Some(first), Some(last)) = (warm.first(), warm.last()) else {
        return Err("too short to count anything".into());
    };
    let mean = |of: &dyn Fn(&Sample) -> f64| warm.iter().map(of).sum::<f64>() / warm.len() as f64;
    let (hours, memory) = (mean(&|it| it.hours), mean(&|it| it.memory as f64));
    let covariance = mean(&|it| (it.hours - hours) * (it.memory as f64 - memory));
    let slope = covariance / mean(&|it| (it.hours - hours).powi(2)).max(f64::MIN_POSITIVE);
    let most = |of: &dyn Fn(&Sample) -> u64| samples.iter().map(of).max().unwrap_or(0);
    const MIB: f64 = 1048576.0;
    println!("{asked} questions, {} samples, the second half counts", samples.len());
    println!(
        "memory {:.1} → {:.1} MiB, {:+.1} MiB per hour; descriptors {} → {}; threads {} → {}",
        first.memory as f64 / MIB,
        last.memory as f64 / MIB,
        slope / MIB,
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
    let bound = (64_u64 << 20).max(last.index / 10);
    if most(&|it| it.log) > bound || last.descriptors > first.descriptors + 8 {
        return Err("something grows".into());
    }
    Ok(())
}
