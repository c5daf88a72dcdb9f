//! Speed of updates, as ratios to what git needs to look at the same tree.
//!
//! A copy of each directory becomes a repository of its own. In turns: `git status`, an index that finds
//! nothing changed, an index after one file was edited. Then a watcher, and how long an edit takes until
//! a reader sees it. Medians, because a busy machine has outliers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use store::Reader;

use crate::Outcome;

const REPEATS: usize = 11;
const EDITS: usize = 20;
/// How long the watcher waits for quiet before it takes a change in.
const DEBOUNCE: f64 = 50.0;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub(crate) fn run(directories: &[String]) -> Outcome {
    let groma = crate::program()?;
    println!(
        "{:<20} {:>6} {:>10} {:>11} {:>6} {:>11} {:>6} {:>11} {:>11}",
        "corpus", "files", "status ms", "nothing ms", "×", "one file ms", "×", "visible p50", "p95"
    );
    for directory in directories {
        let copy = Copy::of(Path::new(directory))?;
        measure(&groma, &copy, directory)?;
    }
    Ok(())
}

/// A repository in a temporary directory, removed at the end.
struct Copy {
    directory: PathBuf,
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

impl Copy {
    fn of(directory: &Path) -> Result<Self> {
        let to = std::env::temp_dir().join(format!("groma-update-{}", std::process::id()));
        let copy = Self { directory: to };
        std::fs::create_dir_all(&copy.directory)?;
        quiet(Command::new("cp").arg("-r").arg(directory).arg(copy.root()))?;
        let _ = std::fs::remove_dir_all(copy.root().join(".git"));
        let git = |arguments: &[&str]| {
            let who = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
            quiet(Command::new("git").args(who).args(arguments).current_dir(copy.root()))
        };
        git(&["init", "-q"])?;
        git(&["add", "-A"])?;
        git(&["commit", "-q", "-m", "all"])?;
        Ok(copy)
    }

    fn root(&self) -> PathBuf {
        self.directory.join("root")
    }

    fn state(&self) -> PathBuf {
        self.directory.join("state")
    }
}

fn quiet(command: &mut Command) -> Outcome {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed").into()) }
}

fn measure(groma: &Path, copy: &Copy, name: &str) -> Outcome {
    let index = || -> Outcome {
        quiet(
            Command::new(groma).arg("index").arg(copy.root()).arg("--state-dir").arg(copy.state()),
        )
    };
    index()?;
    let files = Reader::open(&copy.state().join("index.db"))?.files()?;
    let edited = edited_file(&files).ok_or("no file to edit")?;
    let edited = copy.root().join(edited);
    // What was written just now is not trusted yet, by either program.
    std::thread::sleep(Duration::from_millis(100));
    index()?;
    let (mut status, mut nothing, mut one) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..REPEATS {
        status.push(timed(|| {
            quiet(Command::new("git").args(["status", "--short"]).current_dir(copy.root()))
        })?);
        nothing.push(timed(index)?);
        edit(&edited)?;
        one.push(timed(index)?);
    }
    let (status, nothing, one) = (median(&mut status), median(&mut nothing), median(&mut one));
    let mut visible = watched(groma, copy, &edited)?;
    let p50 = median(&mut visible);
    let p95 = visible[visible.len() * 95 / 100];
    println!(
        "{:<20} {:>6} {status:>10.1} {nothing:>11.1} {:>6.2} {one:>11.1} {:>6.2} {p50:>11.1} {p95:>11.1}",
        Path::new(name).file_name().unwrap_or_default().to_string_lossy(),
        files.len(),
        nothing / status,
        one / nothing,
    );
    if p95 > DEBOUNCE + 50.0 {
        println!("  an edit is visible later than {:.0} ms", DEBOUNCE + 50.0);
    }
    Ok(())
}

/// The file of middle size among those with symbols.
fn edited_file(files: &[store::KnownFile]) -> Option<&str> {
    let is_source = |file: &&store::KnownFile| !matches!(file.row.language.as_str(), "text");
    let mut sources: Vec<&store::KnownFile> = files.iter().filter(is_source).collect();
    sources.sort_by_key(|file| file.row.size);
    sources.get(sources.len() / 2).map(|file| file.row.path.as_str())
}

fn edit(path: &Path) -> Outcome {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().append(true).open(path)?;
    writeln!(file)?;
    Ok(())
}

/// Milliseconds from each edit until a new generation can be read.
fn watched(groma: &Path, copy: &Copy, edited: &Path) -> Result<Vec<f64>> {
    let mut watcher = Command::new(groma)
        .arg("watch")
        .arg("--root")
        .arg(copy.root())
        .arg("--state-dir")
        .arg(copy.state())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let generation = || -> Result<String> {
        let reader = Reader::open(&copy.state().join("index.db"))?;
        Ok(reader.meta("generation").unwrap_or_default())
    };
    std::thread::sleep(Duration::from_secs(3));
    let mut times = Vec::new();
    for _ in 0..EDITS {
        let before = generation()?;
        let started = Instant::now();
        edit(edited)?;
        while generation()? == before {
            if started.elapsed() > Duration::from_secs(10) {
                let _ = watcher.kill();
                return Err("an edit was not seen".into());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        times.push(started.elapsed().as_secs_f64() * 1000.0);
        std::thread::sleep(Duration::from_millis(150));
    }
    watcher.kill()?;
    watcher.wait()?;
    Ok(times)
}

fn timed(work: impl Fn() -> Outcome) -> Result<f64> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
