//! What an index must survive: kills at any moment, a crowd, the history of a real project.
//!
//! Everything runs the shipped program on temporary projects and compares the canonical dump of the
//! index that went through it with that of one built from nothing.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::Outcome;

pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const HELP: &str = "torture kills <rounds> | crowd <seconds> | replay <repository> <commits> [every] | sql [--count N] | rpc [--count N] | faults [most] | crash [disks] | soak <minutes> [pause] | watch [changes]";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["kills", rounds] => crate::torture_kills::run(rounds.parse()?),
        ["sql", rest @ ..] => crate::torture_sql::run(rest),
        ["faults", rest @ ..] => crate::torture_faults::run(rest),
        ["crash", rest @ ..] => crate::torture_crash::run(rest),
        ["soak", rest @ ..] => crate::torture_soak::run(rest),
        ["watch", rest @ ..] => crate::torture_watch::run(rest),
        ["rpc", rest @ ..] => crate::torture_rpc::run(rest),
        ["crowd", seconds] => crowd(Duration::from_secs(seconds.parse()?)),
        ["replay", repository, commits] => replay(repository.as_ref(), commits.parse()?, 10),
        ["replay", repository, commits, every] => {
            replay(repository.as_ref(), commits.parse()?, every.parse()?)
        }
        _ => Err(HELP.into()),
    }
}

/// A project in a temporary directory, removed at the end.
pub(crate) struct Bench {
    pub(crate) groma: PathBuf,
    pub(crate) directory: PathBuf,
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

impl Bench {
    pub(crate) fn new() -> Result<Self> {
        let groma = crate::program()?;
        let directory = std::env::temp_dir().join(format!("groma-torture-{}", std::process::id()));
        std::fs::create_dir_all(directory.join("root"))?;
        Ok(Self { groma, directory })
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.join("root")
    }

    pub(crate) fn command(&self, state: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.groma);
        command
            .args(arguments)
            .arg("--quiet")
            .arg("--root")
            .arg(self.root())
            .arg("--state-dir")
            .arg(self.directory.join(state))
            .env("HOME", &self.directory)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs a command that must succeed.
    pub(crate) fn must(&self, state: &str, arguments: &[&str]) -> Result<String> {
        let output = self.command(state, arguments).output()?;
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("{arguments:?}: {:?} {error}", output.status.code()).into());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    pub(crate) fn index(&self, state: &str, more: &[&str]) -> Result<String> {
        let root = self.root();
        let mut arguments = vec!["index", root.to_str().ok_or("a path that is no text")?];
        arguments.extend(more);
        self.must(state, &arguments)
    }

    /// Fails unless the index says what a fresh one says, and the database is sound.
    pub(crate) fn compare(&self) -> Outcome {
        self.index("fresh", &["--full"])?;
        let (expected, found) =
            (self.must("fresh", &["dump", "--hash"])?, self.must("state", &["dump", "--hash"])?);
        for (expected, found) in expected.lines().zip(found.lines()) {
            if expected != found {
                return Err(format!("fresh {expected}\nindex {found}").into());
            }
        }
        Ok(())
    }

    pub(crate) fn check_integrity(&self) -> Outcome {
        let answer = self.must("state", &["doctor", "--json"]);
        let text = answer?;
        let value: serde_json::Value = serde_json::from_str(&text)?;
        let integrity = value["checks"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|check| check["name"] == "integrity")
            .map(|check| check["finding"].clone());
        match integrity {
            Some(finding) if finding == "ok" => Ok(()),
            other => Err(format!("integrity: {other:?}").into()),
        }
    }
}

/// Numbers at random (splitmix64), the same for the same seed.
pub(crate) struct Random(u64);

impl From<u64> for Random {
    fn from(seed: u64) -> Self {
        Self(seed)
    }
}

impl Random {
    pub(crate) fn seeded() -> Self {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos());
        println!("seed {}", time as u64);
        Self(time as u64)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit.max(1)
    }
}

/// Fills a project with the fixtures of all languages, several times over.
pub(crate) fn fill(root: &Path, copies: usize) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for language in std::fs::read_dir(crate::root().join("languages"))?.flatten() {
        // Some have none: what is only text has no facts to compare.
        let fixtures = std::fs::read_dir(language.path().join("fixtures"));
        for fixture in fixtures.into_iter().flatten().flatten() {
            let name = fixture.file_name();
            if Path::new(&name).extension().is_some_and(|extension| extension == "facts") {
                continue;
            }
            for copy in 0..copies {
                let path = root.join(format!("part{copy}")).join(&name);
                std::fs::create_dir_all(path.parent().ok_or("a file has a folder")?)?;
                // Each copy is a content of its own.
                let mut text = std::fs::read(fixture.path())?;
                text.extend_from_slice(format!("\n\n{copy}\n").as_bytes());
                std::fs::write(&path, text)?;
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Changes some files, at most so many.
pub(crate) fn edit(files: &[PathBuf], random: &mut Random, most: u64) -> Outcome {
    for _ in 0..=random.below(most) {
        let path = &files[random.below(files.len() as u64) as usize];
        match random.below(4) {
            0 => {
                let _ = std::fs::remove_file(path);
            }
            _ => {
                let mut text = std::fs::read(path).unwrap_or_default();
                text.extend_from_slice(format!("\nadded_{}\n", random.below(1000)).as_bytes());
                if text.len() > 60_000 {
                    text.truncate(2000);
                }
                std::fs::write(path, text)?;
            }
        }
    }
    Ok(())
}

/// 64 readers, a watcher and two indexers over a tree that keeps changing.
fn crowd(time: Duration) -> Outcome {
    let bench = Bench::new()?;
    let files = fill(&bench.root(), 2)?;
    let mut random = Random::seeded();
    bench.index("state", &[])?;
    let stop = AtomicBool::new(false);
    let (reads, torn, errors, busy) =
        (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let mut watcher: Child = bench.command("state", &["watch"]).spawn()?;
    // One statement that only holds within one generation.
    let sql =
        "SELECT (SELECT count(*) FROM symbols) - (SELECT sum(symbol_count) FROM files) AS torn";
    std::thread::scope(|scope| {
        for reader in 0..64 {
            let (bench, stop, reads, torn, errors) = (&bench, &stop, &reads, &torn, &errors);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Ok(output) = bench.command("state", &["query", sql, "--json"]).output()
                    else {
                        continue;
                    };
                    reads.fetch_add(1, Ordering::Relaxed);
                    let text = String::from_utf8_lossy(&output.stdout);
                    if !output.status.success() {
                        errors.fetch_add(1, Ordering::Relaxed);
                        println!(
                            "reader {reader}: {text}{}",
                            String::from_utf8_lossy(&output.stderr)
                        );
                    } else if !text.contains("\"torn\": 0") {
                        torn.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        for full in [false, true] {
            let (bench, stop, errors, busy) = (&bench, &stop, &errors, &busy);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let root = bench.root();
                    let mut command = bench.command("state", &["index"]);
                    command.arg(&root);
                    if full {
                        command.arg("--full");
                    }
                    match command.output().map(|output| output.status.code()) {
                        Ok(Some(0)) => {}
                        Ok(Some(5)) => {
                            busy.fetch_add(1, Ordering::Relaxed);
                        }
                        other => {
                            errors.fetch_add(1, Ordering::Relaxed);
                            println!("indexer: {other:?}");
                        }
                    }
                }
            });
        }
        let deadline = Instant::now() + time;
        while Instant::now() < deadline {
            let _ = edit(&files, &mut random, 30);
            std::thread::sleep(Duration::from_millis(100));
        }
        stop.store(true, Ordering::Relaxed);
    });
    let watching = watcher.try_wait()?.is_none();
    watcher.kill()?;
    watcher.wait()?;
    bench.index("state", &[])?;
    bench.compare()?;
    let count = |number: &AtomicU64| number.load(Ordering::Relaxed);
    println!(
        "{} reads, {} torn, {} errors, {} times busy, watcher {}",
        count(&reads),
        count(&torn),
        count(&errors),
        count(&busy),
        if watching { "alive to the end" } else { "died" }
    );
    if count(&torn) + count(&errors) > 0 || !watching {
        return Err("the crowd found something".into());
    }
    Ok(())
}

/// Checks out commit after commit of a repository, updates the index, and now and then compares.
fn replay(repository: &Path, commits: usize, every: usize) -> Outcome {
    let bench = Bench::new()?;
    let root = bench.root();
    let git = |arguments: &[&str]| -> Result<String> {
        let output = Command::new("git")
            .arg("--git-dir")
            .arg(repository)
            .arg("--work-tree")
            .arg(&root)
            .args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"])
            .args(arguments)
            .env("GIT_INDEX_FILE", bench.directory.join("git-index"))
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let limit = format!("-{commits}");
    let listed = git(&["log", "--first-parent", "--reverse", "--format=%H", &limit, "HEAD"])?;
    let listed: Vec<&str> = listed.lines().collect();
    let (mut extracted, mut spent) = (0, Duration::ZERO);
    for (number, commit) in listed.iter().enumerate() {
        git(&["read-tree", "-u", "--reset", commit])?;
        let started = Instant::now();
        let report: serde_json::Value = serde_json::from_str(&bench.index("state", &["--json"])?)?;
        spent += started.elapsed();
        extracted += report["changes"]["extracted"].as_u64().unwrap_or(0);
        if number % every == 0 || number + 1 == listed.len() {
            bench.compare().map_err(|error| format!("commit {commit}: {error}"))?;
        }
    }
    println!(
        "{} commits, {extracted} files extracted in updates, {:.1} s in updates, every comparison equal",
        listed.len(),
        spent.as_secs_f64()
    );
    Ok(())
}
