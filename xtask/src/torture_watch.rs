//! Changes that a watcher could miss: directories that are made and filled before they are watched, and files
//! that are written while it starts.
//!
//! Each round is looked at before the next begins, so that no later event makes up for one that was missed.

use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::torture::{Bench, Random, Result};

/// Changes of a round.
const TOGETHER: u64 = 20;
/// What is not seen by then is missed. Polling would see it later.
const PATIENCE: Duration = Duration::from_secs(15);

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let trials: u64 = match arguments {
        [] => 10_000,
        [trials] => trials.parse()?,
        _ => return Err("torture watch [<changes>]".into()),
    };
    let bench = Bench::new()?;
    let mut random = Random::seeded();
    for number in 0..200 {
        write(&bench.root(), &format!("src/d{}/f{number}.rs", number % 20), "fn there() {}\n")?;
    }
    bench.index("state", &[])?;
    let rounds = trials.div_ceil(2 * TOGETHER);
    let missed = while_it_watches(&bench, rounds, &mut random)?
        + while_it_starts(&bench, rounds, &mut random)?;
    bench.index("state", &[])?;
    bench.compare()?;
    println!("{} changes, {missed} missed, the index equal in the end", 2 * rounds * TOGETHER);
    match missed {
        0 => Ok(()),
        _ => Err("a watcher missed something".into()),
    }
}

/// One watcher, and ever new directories.
fn while_it_watches(bench: &Bench, rounds: u64, random: &mut Random) -> Result<u64> {
    let mut watcher = Watcher::start(bench)?;
    watcher.is_active(bench)?;
    let mut missed = 0;
    for round in 0..rounds {
        for number in 0..TOGETHER {
            change(bench, "new", round, number, random)?;
            std::thread::sleep(Duration::from_micros(random.below(8_000)));
        }
        missed += missing(bench, "new", round)?;
        std::fs::remove_dir_all(bench.root().join(format!("new{round}")))?;
    }
    println!("in new directories: {} changes, {missed} missed", rounds * TOGETHER);
    Ok(missed)
}

/// Ever new watchers, and files that are written meanwhile.
fn while_it_starts(bench: &Bench, rounds: u64, random: &mut Random) -> Result<u64> {
    let mut missed = 0;
    for round in 0..rounds {
        let _watcher = Watcher::start(bench)?;
        for number in 0..TOGETHER {
            change(bench, "start", round, number, random)?;
            std::thread::sleep(Duration::from_micros(random.below(10_000)));
        }
        missed += missing(bench, "start", round)?;
        std::fs::remove_dir_all(bench.root().join(format!("start{round}")))?;
    }
    println!("while it starts: {} changes, {missed} missed", rounds * TOGETHER);
    Ok(missed)
}

/// A file in a directory that is there, or in one that is not, at any depth.
fn change(bench: &Bench, what: &str, round: u64, number: u64, random: &mut Random) -> Outcome {
    let deep = "deep/".repeat(random.below(4) as usize);
    let path = format!("{what}{round}/{}/{deep}f{number}.rs", random.below(6));
    write(&bench.root(), &path, &format!("fn {what}_{round}_x{number}() {{}}\n"))
}

fn write(root: &Path, path: &str, text: &str) -> Outcome {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().ok_or("a file has a folder")?)?;
    Ok(std::fs::write(path, text)?)
}

/// How many changes of a round the index does not have, when it had time enough.
fn missing(bench: &Bench, what: &str, round: u64) -> Result<u64> {
    let sql = format!("SELECT count(*) AS n FROM symbols WHERE name GLOB '{what}_{round}_x*'");
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = bench.must("state", &["query", &sql, "--json", "--no-refresh"])?;
        let answer: serde_json::Value = serde_json::from_str(&answer)?;
        let missing = TOGETHER.saturating_sub(answer[0]["n"].as_u64().unwrap_or(0));
        if missing == 0 {
            return Ok(0);
        }
        if Instant::now() > deadline {
            println!("{what} {round}: {missing} missed");
            return Ok(missing);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A watcher, ended with the value.
struct Watcher(Child);

impl Watcher {
    fn start(bench: &Bench) -> Result<Self> {
        Ok(Self(bench.command("state", &["watch"]).spawn()?))
    }

    fn is_active(&mut self, bench: &Bench) -> Outcome {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let answer = bench.must("state", &["status", "--json", "--no-refresh"])?;
            let answer: serde_json::Value = serde_json::from_str(&answer)?;
            if answer["index"]["watch"] == "active" {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err("the watcher does not start".into())
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
