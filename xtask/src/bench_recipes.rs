//! How long every bundled recipe takes on a project.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

const REPEATS: usize = 3;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Measured {
    id: String,
    rows: u64,
    best: Duration,
}

pub(crate) fn run(directories: &[String]) -> Outcome {
    if directories.is_empty() {
        return Err("bench recipes <dir>…".into());
    }
    let groma = crate::program()?;
    for directory in directories {
        let state = std::env::temp_dir().join(format!("groma-recipes-{}", std::process::id()));
        let result = measure(&groma, Path::new(directory), &state);
        let _ = std::fs::remove_dir_all(&state);
        print(directory, result?);
    }
    Ok(())
}

fn print(directory: &str, mut measured: Vec<Measured>) {
    measured.sort_by_key(|it| std::cmp::Reverse(it.best));
    let median = measured.get(measured.len() / 2).map_or(Duration::ZERO, |it| it.best);
    println!("{directory}: {} recipes, median {} ms", measured.len(), median.as_millis());
    println!("| recipe | rows | ms |\n|---|---|---|");
    for Measured { id, rows, best } in measured {
        println!("| {id} | {rows} | {} |", best.as_millis());
    }
}

fn measure(groma: &Path, directory: &Path, state: &Path) -> Result<Vec<Measured>> {
    let command = |arguments: &[&str]| {
        let mut command = Command::new(groma);
        command
            .args(arguments)
            .args(["--quiet", "--no-refresh", "--root"])
            .arg(directory)
            .arg("--state-dir")
            .arg(state)
            .stdin(Stdio::null())
            .stderr(Stdio::inherit());
        command
    };
    let indexed = command(&["index", "--json"]).stdout(Stdio::null()).status()?;
    if !indexed.success() {
        return Err("the project could not be indexed".into());
    }
    // The time it takes to note the run is not that of the question.
    std::fs::write(state.join("config.toml"), "recipe-recency = false\n")?;
    let mut found = Vec::new();
    for (id, parameters) in recipes()? {
        let mut arguments = vec!["recipes", "run", &id, "--summary", "--json", "--timeout", "30"];
        for parameter in &parameters {
            arguments.extend(["--params", parameter]);
        }
        let mut measured = Measured { id: id.clone(), rows: 0, best: Duration::MAX };
        for _ in 0..REPEATS {
            let begin = Instant::now();
            let output = command(&arguments).output()?;
            measured.best = measured.best.min(begin.elapsed());
            let answer: serde_json::Value = serde_json::from_slice(&output.stdout)?;
            match answer["count"].as_u64() {
                Some(rows) => measured.rows = rows,
                None => eprintln!("{id}: {answer}"),
            }
        }
        found.push(measured);
    }
    Ok(found)
}

/// The recipes, and values for parameters that must be given: those of their tests.
fn recipes() -> Result<Vec<(String, Vec<String>)>> {
    let folder: PathBuf = crate::root().join("recipes");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(id) = name.strip_suffix(".sql") else { continue };
        let text = std::fs::read_to_string(entry.path())?;
        let required: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("-- @param "))
            .filter_map(|line| {
                let mut words = line.split_whitespace();
                let (name, default) = (words.next()?, words.nth(1)?);
                (default == "-").then_some(name)
            })
            .collect();
        let tests = std::fs::read_to_string(folder.join("tests").join(format!("{id}.txt")))?;
        let given = tests.lines().filter_map(|line| line.strip_prefix("=== expect "));
        let is_required =
            |pair: &&str| pair.split_once('=').is_some_and(|(name, _)| required.contains(&name));
        let values = given.map(|line| {
            line.split_whitespace().filter(is_required).map(str::to_owned).collect::<Vec<String>>()
        });
        let values = values.max_by_key(Vec::len).unwrap_or_default();
        found.push((id.to_owned(), values));
    }
    found.sort();
    Ok(found)
}
