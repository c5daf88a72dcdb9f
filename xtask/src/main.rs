//! Everything done to the project rather than by it. `cargo xtask help` lists it.

#![allow(clippy::print_stdout)]

mod languages_check;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  languages [--misses N] [--languages DIR] <dir>…
                  definitions found, compared with universal-ctags
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let result = match task.as_str() {
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

/// What a task gives back.
type Outcome = Result<(), Box<dyn std::error::Error>>;
