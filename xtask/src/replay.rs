//! Are the tests selected that a change needed? Past commits say: their authors changed code and tests
//! together, so the tests they touched must be selected when only the rest is given.
//!
//! A test is a file in which a runner finds some; data and helpers among tests are neither wanted nor given. A
//! commit whose other files are all prose, data or configuration says nothing about code and is left out, and
//! counted.

use std::time::Duration;

use languages::{Parser, Registry};
use serde_json::Value;

use crate::Outcome;
use crate::oracle::Clone;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const HELP: &str = "replay <repository> [--commits N] [--misses N] [--names]
  --names gives the names of the changed files alone, not what changed in them";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let (mut commits, mut misses, mut only_names) = (200, 0, false);
    let mut words = arguments.iter();
    let repository = words.next().ok_or(HELP)?;
    while let Some(word) = words.next() {
        let mut number = || words.next().ok_or(HELP)?.parse().map_err(|_| HELP);
        match word.as_str() {
            "--commits" => commits = number()?,
            "--misses" => misses = number()?,
            "--names" => only_names = true,
            _ => return Err(HELP.into()),
        }
    }
    let clone = Clone::of(repository.as_ref())?;
    replay(&clone, commits, misses, only_names)
}

/// A commit that changed files on paths of tests, and others.
struct Past {
    hash: String,
    tests: Vec<String>,
    others: Vec<String>,
}

/// What became of one, in one way to select.
#[derive(Default)]
struct Outcomes {
    wanted: Vec<usize>,
    found: Vec<usize>,
    shares: Vec<f64>,
    times: Vec<Duration>,
}

fn replay(clone: &Clone, count: usize, misses: usize, only_names: bool) -> Outcome {
    let (mut selected, mut reached) = (Outcomes::default(), Outcomes::default());
    let mut missed = Vec::new();
    let (mut without_code, mut without_tests) = (0, 0);
    for past in past(clone)? {
        if selected.wanted.len() == count {
            break;
        }
        if !past.others.iter().any(|path| is_code(path)) {
            without_code += 1;
            continue;
        }
        clone.check_out(&past.hash)?;
        clone.index("state", &[])?;
        let wanted = with_tests(clone, &past.tests)?;
        if wanted.is_empty() {
            without_tests += 1;
            continue;
        }
        let range = format!("{0}~1..{0}", past.hash);
        for (outcomes, likely) in [(&mut reached, None), (&mut selected, Some("--likely"))] {
            let mut question = vec!["affected", "--json"];
            question.extend(likely);
            question.extend((!only_names).then_some(range.as_str()));
            question.extend(past.others.iter().map(String::as_str));
            let (answer, time) = clone.groma("state", &question)?;
            let answer: Value = serde_json::from_str(&answer)?;
            let tests = tests(&answer);
            let lost: Vec<&String> =
                wanted.iter().filter(|test| !tests.iter().any(|(path, _)| path == *test)).collect();
            if likely.is_some() {
                missed.extend(lost.iter().map(|test| format!("{} {test}", &past.hash[..10])));
            }
            let all_tests = answer["all_tests"].as_u64().unwrap_or(0).max(1);
            outcomes.wanted.push(wanted.len());
            outcomes.found.push(wanted.len() - lost.len());
            outcomes.shares.push(tests.len() as f64 / all_tests as f64);
            outcomes.times.push(time);
        }
    }
    missed.iter().take(misses).for_each(|miss| println!("  missed {miss}"));
    println!(
        "{} commits, {} changed files with tests; left out: {without_code} commits without code beside the \
         tests, {without_tests} that changed only data or helpers of tests",
        selected.wanted.len(),
        selected.wanted.iter().sum::<usize>(),
    );
    reached.report("all that reach it");
    selected.report("--likely");
    Ok(())
}

impl Outcomes {
    fn report(mut self, what: &str) {
        let sum = |numbers: &[usize]| numbers.iter().sum::<usize>() as f64;
        let count = self.wanted.len().max(1);
        let whole = self.wanted.iter().zip(&self.found).filter(|(all, found)| all == found).count();
        self.shares.sort_by(f64::total_cmp);
        self.times.sort_unstable();
        println!(
            "  {what}: recall {:.3}, all of them in {:.3} of the commits; of all tests: median {:.3}, mean \
             {:.3}; median time {} ms",
            sum(&self.found) / sum(&self.wanted).max(1.0),
            whole as f64 / count as f64,
            self.shares.get(self.shares.len() / 2).copied().unwrap_or(0.0),
            self.shares.iter().sum::<f64>() / count as f64,
            self.times.get(self.times.len() / 2).map_or(0, Duration::as_millis),
        );
    }
}

/// The tests of an answer, and how far they are from the change.
fn tests(answer: &Value) -> Vec<(String, u64)> {
    let tests = answer["tests"].as_array().into_iter().flatten();
    tests
        .filter_map(|test| Some((test["path"].as_str()?.to_owned(), test["distance"].as_u64()?)))
        .collect()
}

/// Those in which a runner finds tests: who asks for a test itself is told of it.
fn with_tests(clone: &Clone, paths: &[String]) -> Result<Vec<String>> {
    let mut question = vec!["affected", "--json"];
    question.extend(paths.iter().map(String::as_str));
    let (answer, _) = clone.groma("state", &question)?;
    let found = tests(&serde_json::from_str(&answer)?);
    Ok(found.into_iter().filter(|(_, distance)| *distance == 0).map(|(path, _)| path).collect())
}

/// Whether a file is neither prose nor data nor configuration.
fn is_code(path: &str) -> bool {
    let language = Registry::builtin().detect(path, b"");
    !matches!(language.table.parser, Parser::Text | Parser::PulldownCmark)
}

/// The commits of the main line that changed files on paths of tests and others, the newest first.
fn past(clone: &Clone) -> Result<Vec<Past>> {
    let log = clone.git(&[
        "-c",
        "core.quotepath=off",
        "log",
        "--first-parent",
        "-m",
        "--no-renames",
        "--name-status",
        "--format=%x01%H %P",
        "HEAD",
    ])?;
    let mut commits = Vec::new();
    for entry in log.split('\u{1}').filter(|entry| !entry.trim().is_empty()) {
        let mut lines = entry.lines().filter(|line| !line.is_empty());
        let Some((hash, _)) = lines.next().and_then(|line| line.split_once(' ')) else { continue };
        let (mut tests, mut others) = (Vec::new(), Vec::new());
        for line in lines {
            let Some((status, path)) = line.split_once('\t') else { continue };
            match (Registry::builtin().detect(path, b"").test_files.is_match(path), status) {
                (true, "D") => {}
                (true, _) => tests.push(path.to_owned()),
                (false, _) => others.push(path.to_owned()),
            }
        }
        if !tests.is_empty() && !others.is_empty() {
            commits.push(Past { hash: hash.to_owned(), tests, others });
        }
    }
    Ok(commits)
}
