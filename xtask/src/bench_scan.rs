//! How long a scan for a text takes, beside ripgrep over the same files.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;

const REPEATS: usize = 7;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// What is looked for: common texts, a rare one, one that stands nowhere, a regular expression.
const NEEDLES: [(&str, bool); 5] = [
    ("return", false),
    ("import", false),
    ("deprecated in favor of", false),
    ("stands-nowhere-at-all", false),
    (r"(?:get|set)_?[A-Z]\w+\(\w*\)", true),
];

pub(crate) fn run(directories: &[String]) -> Outcome {
    if directories.is_empty() {
        return Err("bench scan <dir>…".into());
    }
    let groma = crate::program()?;
    for directory in directories {
        let place = std::env::temp_dir().join(format!("groma-scan-{}", std::process::id()));
        let result = measure(&groma, Path::new(directory), &place);
        let _ = std::fs::remove_dir_all(&place);
        result?;
    }
    Ok(())
}

/// Both look through a copy that holds the indexed files and nothing else, so that neither reads what the
/// other leaves out. Ripgrep is told to ignore nothing, and what it prints is read.
fn measure(groma: &Path, directory: &Path, place: &Path) -> Outcome {
    let (tree, state) = (place.join("tree"), place.join("state"));
    let program = |arguments: &[&str], root: &Path, state: &Path| {
        let mut command = Command::new(groma);
        command.args(arguments).args(["--quiet", "--root"]).arg(root);
        command.arg("--state-dir").arg(state).stdin(Stdio::null()).stderr(Stdio::inherit());
        command
    };
    let first = place.join("first");
    let indexed =
        program(&["index", "--json"], directory, &first).stdout(Stdio::null()).status()?;
    if !indexed.success() {
        return Err("the project could not be indexed".into());
    }
    let sql = "SELECT path FROM files WHERE status <> 'skipped'";
    let listing = ["query", sql, "--format", "jsonl", "--limit", "10000000", "--no-refresh"];
    let listed = program(&listing, directory, &first).output()?;
    let mut files = 0;
    for line in String::from_utf8(listed.stdout)?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let path = row["path"].as_str().ok_or("a file without a path")?;
        let copy = tree.join(path);
        std::fs::create_dir_all(copy.parent().unwrap_or(&tree))?;
        std::fs::copy(directory.join(path), copy)?;
        files += 1;
    }
    program(&["index", "--json"], &tree, &state).stdout(Stdio::null()).status()?;
    println!("{}: {files} files", directory.display());
    println!("| text | lines | groma ms | rg ms | × |\n|---|---|---|---|---|");
    for (needle, is_regex) in NEEDLES {
        let scan = ["search", needle, if is_regex { "--regex" } else { "--literal" }];
        let mut ours = program(&scan, &tree, &state);
        let mut theirs = Command::new("rg");
        theirs.args(["--no-config", "--no-ignore", "--hidden", "--line-number", "--no-heading"]);
        theirs.args([if is_regex { "-e" } else { "-Fe" }, needle, "."]);
        theirs.current_dir(&tree).stdin(Stdio::null());
        let (mut own, mut other, mut lines) = (Duration::MAX, Duration::MAX, 0);
        for _ in 0..REPEATS {
            own = own.min(timed(&mut ours)?.0);
            let (time, output) = timed(&mut theirs)?;
            other = other.min(time);
            lines = output.iter().filter(|byte| **byte == b'\n').count();
        }
        let ratio = own.as_secs_f64() / other.as_secs_f64();
        let (own, other) = (own.as_millis(), other.as_millis());
        println!("| `{needle}` | {lines} | {own} | {other} | {ratio:.2} |");
    }
    Ok(())
}

fn timed(command: &mut Command) -> Result<(Duration, Vec<u8>)> {
    let begin = Instant::now();
    let output = command.output()?;
    Ok((begin.elapsed(), output.stdout))
}
