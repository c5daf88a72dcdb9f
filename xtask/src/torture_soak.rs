//! A server that answers and watches for a long time: does anything grow that should not?
//!
//! Questions and edits go on without a pause. Every few seconds memory, file descriptors, threads, the log of
//! the database and files in the state directory are counted; the slope of memory is that of the line through
//! the second half, when everything that is kept warm is warm.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::load::{Connection, questions, resident};
use crate::torture::{Bench, Random, edit, fill};

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

pub(crate) fn run(minutes: f64) -> Outcome {
    let bench = Bench::new()?;
    let root = bench.root();
    let files = fill(&root, 4)?;
    let (mut server, url) = crate::conformance::serve(&bench.groma, &root)?;
    let address = url.trim_start_matches("http://").to_owned();
    let outcome =
        soak(&address, server.id(), &root, &files, Duration::from_secs_f64(60.0 * minutes));
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
) -> crate::torture::Result<Soaked> {
    let mut connection = Connection::open(address)?;
    let (questions, mut random) = (questions(), Random::seeded());
    let (begun, mut samples, mut asked) = (Instant::now(), Vec::new(), 0);
    let mut next = begun;
    while begun.elapsed() < time {
        edit(files, &mut random, 3)?;
        for _ in 0..20 {
            let (name, input) = &questions[random.below(questions.len() as u64) as usize];
            connection.ask(name, input)?;
            asked += 1;
        }
        // What was deleted comes back, so that the tree stays of one size.
        for file in files.iter().filter(|file| !file.exists()) {
            std::fs::write(file, "fn back() {}\n")?;
        }
        if Instant::now() >= next {
            next += STEP;
            samples.push(sample(server, root, begun));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok((samples, asked))
}

fn sample(server: u32, root: &Path, begun: Instant) -> Sample {
    let count = |path: String| std::fs::read_dir(path).map_or(0, Iterator::count);
    let state = root.join(".groma");
    let size = |name: &str| std::fs::metadata(state.join(name)).map_or(0, |it| it.len());
    Sample {
        hours: begun.elapsed().as_secs_f64() / 3600.0,
        memory: resident(server),
        descriptors: count(format!("/proc/{server}/fd")),
        threads: count(format!("/proc/{server}/task")),
        log: size("index.db-wal"),
        index: size("index.db"),
        files: count(state.to_string_lossy().into_owned()),
    }
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
