//! Are the tests selected that a change needed? Past commits say: their authors changed code and tests
//! together, so the tests they touched must be selected when only the rest is given.

use std::collections::BTreeMap;
use std::path::Path;

use languages::Registry;
use serde_json::Value;

use crate::Outcome;
use crate::oracle::Clone;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const HELP: &str = "replay <repository> [--commits N] [--misses N]";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let (mut commits, mut misses) = (200, 0);
    let mut words = arguments.iter();
    let repository = words.next().ok_or(HELP)?;
    while let Some(word) = words.next() {
        let number = words.next().ok_or(HELP)?.parse()?;
        match word.as_str() {
            "--commits" => commits = number,
            "--misses" => misses = number,
            _ => return Err(HELP.into()),
        }
    }
    replay(repository.as_ref(), commits, misses)
}

/// A commit that changed tests and other files.
struct Past {
    hash: String,
    tests: Vec<String>,
    others: Vec<String>,
}

/// What became of one.
struct Outcomes {
    wanted: usize,
    found: usize,
    selected: usize,
    all: usize,
}

fn replay(repository: &Path, count: usize, misses: usize) -> Outcome {
    let clone = Clone::of(repository)?;
    let mut outcomes: Vec<Outcomes> = Vec::new();
    let mut missed: BTreeMap<String, usize> = BTreeMap::new();
    for past in past(&clone, count)? {
        clone.check_out(&past.hash)?;
        clone.index("state", &[])?;
        let range = format!("{0}~1..{0}", past.hash);
        let mut question = vec!["affected", "--json", &range];
        question.extend(past.others.iter().map(String::as_str));
        let (answer, _) = clone.groma("state", &question)?;
        let answer: Value = serde_json::from_str(&answer)?;
        let selected: Vec<&str> = answer["tests"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|test| test["path"].as_str())
            .collect();
        let (found, lost): (Vec<&String>, Vec<&String>) =
            past.tests.iter().partition(|test| selected.contains(&test.as_str()));
        for test in &lost {
            *missed.entry(format!("{} {test}", &past.hash[..10])).or_insert(0) += 1;
        }
        outcomes.push(Outcomes {
            wanted: past.tests.len(),
            found: found.len(),
            selected: selected.len(),
            all: answer["all_tests"].as_u64().unwrap_or(0) as usize,
        });
    }
    for (miss, _) in missed.iter().take(misses) {
        println!("  missed {miss}");
    }
    report(&outcomes);
    Ok(())
}

fn report(outcomes: &[Outcomes]) {
    let sum = |number: fn(&Outcomes) -> usize| outcomes.iter().map(number).sum::<usize>() as f64;
    let share = |part: usize, all: usize| part as f64 / all.max(1) as f64;
    let mut shares: Vec<f64> = outcomes.iter().map(|it| share(it.selected, it.all)).collect();
    shares.sort_by(f64::total_cmp);
    let whole = outcomes.iter().filter(|it| it.found == it.wanted).count();
    println!(
        "{} commits, {} changed tests: recall {:.3}, all of them in {:.3} of the commits; \
         selected of all tests: median {:.3}, mean {:.3}",
        outcomes.len(),
        sum(|it| it.wanted),
        sum(|it| it.found) / sum(|it| it.wanted).max(1.0),
        share(whole, outcomes.len()),
        shares.get(shares.len() / 2).copied().unwrap_or(0.0),
        shares.iter().sum::<f64>() / shares.len().max(1) as f64,
    );
}

/// The last commits of the main line that changed source and tests.
fn past(clone: &Clone, count: usize) -> Result<Vec<Past>> {
    let log = clone.git(&[
        "log",
        "--first-parent",
        "-m",
        "--no-renames",
        "--name-status",
        "--format=%x01%H",
        "HEAD",
    ])?;
    let mut commits = Vec::new();
    for entry in log.split('\u{1}').filter(|entry| !entry.trim().is_empty()) {
        let mut lines = entry.lines().filter(|line| !line.is_empty());
        let hash = lines.next().unwrap_or_default().to_owned();
        let (mut tests, mut others) = (Vec::new(), Vec::new());
        let mut has_source = false;
        for line in lines {
            let Some((status, path)) = line.split_once('\t') else { continue };
            let language = Registry::builtin().detect(path, b"");
            let is_test = language.test_files.is_match(path);
            let name = path.rsplit('/').next().unwrap_or(path);
            // Loaded by tests, and none itself.
            if language.table.tests.shared.iter().any(|shared| shared == name) {
                continue;
            }
            match (is_test, status) {
                (true, "D") => {}
                (true, _) => tests.push(path.to_owned()),
                (false, _) => {
                    has_source |= language.table.parser != languages::Parser::Text;
                    others.push(path.to_owned());
                }
            }
        }
        if !tests.is_empty() && has_source {
            commits.push(Past { hash, tests, others });
        }
        if commits.len() == count {
            break;
        }
    }
    Ok(commits)
}
