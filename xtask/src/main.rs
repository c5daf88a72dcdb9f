//! Everything done to the project rather than by it. `cargo xtask help` lists it.

#![allow(clippy::print_stdout)]

mod bench;
mod languages_check;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  bench index <dir>…
                  processor time, memory and size of a full index, against the floor
  languages [--misses N] [--languages DIR] <dir>…
                  definitions found, compared with universal-ctags
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let result = match task.as_str() {
        "bench" => bench::run(&rest),
        "floor" => bench::floor(&rest),
        "extract" => bench::extract_only(&rest),
        "languages" => languages_check::run(&rest),
        "help" | "--help" | "" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("there is no task `{other}`\n\n{HELP}").into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The program as it is shipped, built if need be.
fn release_binary() -> Result<std::path::PathBuf, Box<dyn std::error::Error>> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let status = std::process::Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "groma"])
        .current_dir(&root)
        .status()?;
    if !status.success() {
        return Err("the build failed".into());
    }
    Ok(root.join("target/release/groma"))
}

/// What a task gives back.
type Outcome = Result<(), Box<dyn std::error::Error>>;
