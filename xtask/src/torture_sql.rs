//! Statements nobody would write, given to the sandbox by the thousand.
//!
//! Nothing may crash, write or outlast its deadline. The statements are made from a seed, so that what
//! went wrong can be repeated; a crash ends this very process.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use store::Reader;
use store::sandbox::{Failure, Limits, Sandbox};

#[path = "../../crates/cli/tests/it/statements.rs"]
mod statements;

use crate::Outcome;
use statements::Statements;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const HELP: &str = "torture sql [--count N] [--seed N] [--root <indexed project>]";
const DEADLINE: Duration = Duration::from_millis(100);
const OVERSHOOT: Duration = Duration::from_millis(100);
/// A busy machine makes anything late; who is late this often is late by itself.
const ATTEMPTS: usize = 4;

#[derive(Default)]
struct Tally {
    answered: u64,
    refused: u64,
    wrong: u64,
    limited: u64,
    late: Vec<String>,
    lost: u64,
    worst: Duration,
}

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let (mut count, mut seed, mut root) = (100_000_usize, 1_u64, None);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or(HELP)?;
        match *word {
            "--count" => count = value.parse()?,
            "--seed" => seed = value.parse()?,
            "--root" => root = Some(PathBuf::from(value)),
            _ => return Err(HELP.into()),
        }
    }
    let place = std::env::temp_dir().join(format!("groma-torture-sql-{}", std::process::id()));
    let root = match root {
        Some(root) => root,
        None => project(&place)?,
    };
    let result = torture(&root, count, seed);
    let _ = std::fs::remove_dir_all(&place);
    result
}

fn torture(root: &Path, count: usize, seed: u64) -> Outcome {
    let state = root.join(".groma");
    let before = content(&state)?;
    let here = listing(Path::new("."))?;
    let recipes = recipes()?;
    println!("seed {seed}, {count} statements, {} recipes to change", recipes.len());
    let mut sandbox = open(&state)?;
    let mut tally = Tally::default();
    let begin = Instant::now();
    for (number, sql) in Statements::new(seed, recipes).take(count).enumerate() {
        one(&mut sandbox, &state, &sql, &mut tally)?;
        if (number + 1) % 10_000 == 0 {
            println!("{:>7} {:>5.0} s", number + 1, begin.elapsed().as_secs_f64());
        }
    }
    drop(sandbox);
    let Tally { answered, refused, wrong, limited, late, lost, worst } = tally;
    println!("answered {answered}, refused {refused}, no SQL {wrong}, over a limit {limited}");
    println!("worst time {} ms, left behind {lost}, late {}", worst.as_millis(), late.len());
    for sql in late.iter().take(10) {
        println!("  late: {sql}");
    }
    if content(&state)? != before || listing(Path::new("."))? != here {
        return Err("something was written".into());
    }
    println!("nothing was written");
    if late.is_empty() { Ok(()) } else { Err("statements outlasted their deadline".into()) }
}

fn one(sandbox: &mut Sandbox, state: &Path, sql: &str, tally: &mut Tally) -> Outcome {
    let limits = Limits { time: DEADLINE, ..Limits::default() };
    for attempt in 1..=ATTEMPTS {
        if sandbox.is_lost() {
            tally.lost += 1;
            *sandbox = open(state)?;
        }
        let begin = Instant::now();
        let outcome = sandbox.run(sql, &parameters(sql), &limits);
        let time = begin.elapsed();
        if time > DEADLINE + OVERSHOOT && attempt < ATTEMPTS {
            continue;
        }
        match outcome {
            Ok(_) => tally.answered += 1,
            Err(Failure::Refused(_)) => tally.refused += 1,
            Err(Failure::Sql { .. } | Failure::Parameters(_)) => tally.wrong += 1,
            Err(Failure::Limit(_) | Failure::Timeout(_) | Failure::Memory) => tally.limited += 1,
            Err(failure) => return Err(format!("{sql}: {failure:?}").into()),
        }
        tally.worst = tally.worst.max(time);
        if time > DEADLINE + OVERSHOOT {
            tally.late.push(format!("{} ms: {sql}", time.as_millis()));
        }
        break;
    }
    Ok(())
}

/// A value for everything that looks like a parameter.
fn parameters(sql: &str) -> Vec<(String, serde_json::Value)> {
    let name = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    sql.match_indices(':').map(|(at, _)| (name(&sql[at + 1..]), 2.into())).collect()
}

fn open(state: &Path) -> Result<Sandbox> {
    let reader = Reader::open(&state.join("index.db"))?;
    let user = Some(state.join("user.db")).filter(|path| path.exists());
    Ok(Sandbox::new(reader, user.as_deref(), &[], Arc::default())?)
}

fn recipes() -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(crate::root().join("recipes"))?.flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "sql") {
            texts.push(std::fs::read_to_string(entry.path())?);
        }
    }
    texts.sort();
    Ok(texts)
}

/// A project with the fixtures of all languages, indexed with their text, and with data of its user.
fn project(place: &Path) -> Result<PathBuf> {
    let root = place.join("root");
    for language in std::fs::read_dir(crate::root().join("languages"))?.flatten() {
        let folder = root.join(language.file_name());
        std::fs::create_dir_all(&folder)?;
        let fixtures = std::fs::read_dir(language.path().join("fixtures"));
        for file in fixtures.into_iter().flatten().flatten() {
            if file.path().is_file() {
                std::fs::copy(file.path(), folder.join(file.file_name()))?;
            }
        }
    }
    std::fs::create_dir_all(root.join(".groma"))?;
    std::fs::write(root.join(".groma/config.toml"), "text-index = true\n")?;
    for arguments in [&["index", "--quiet"][..], &["query", "SELECT 1", "--save-baseline=b"]] {
        let status = Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--package", "groma", "--"])
            .args(arguments)
            .arg("--root")
            .arg(&root)
            .env("XDG_DATA_HOME", place.join("data"))
            .current_dir(crate::root())
            .stdout(std::process::Stdio::null())
            .status()?;
        if !status.success() {
            return Err("the project could not be made".into());
        }
    }
    Ok(root)
}

/// What lies in a directory, byte by byte. Memory that readers share is no content.
fn content(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for name in listing(folder)? {
        if name.ends_with("-shm") || !folder.join(&name).is_file() {
            continue;
        }
        let bytes = std::fs::read(folder.join(&name))?;
        // Whoever reads makes an empty log if there is none.
        if !(name.ends_with("-wal") && bytes.is_empty()) {
            files.push((name, bytes));
        }
    }
    Ok(files)
}

fn listing(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)?.flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}
