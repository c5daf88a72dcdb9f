//! Everything done to the project rather than by it. `cargo xtask help` lists it.

#![allow(clippy::print_stdout)]

mod accuracy;
mod bench;
mod bench_recipes;
mod bench_scan;
mod bench_update;
mod check;
mod conformance;
mod day;
mod generate;
mod languages_check;
mod links;
mod load;
mod new_language;
mod oracle;
mod replay;
mod tidy;
mod tokens;
mod torture;
mod torture_crash;
mod torture_faults;
mod torture_kills;
mod torture_rpc;
mod torture_soak;
mod torture_sql;
mod torture_watch;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  check           everything that must hold before a commit, exactly as continuous integration runs it
  generate [--check]
                  write the reference pages in docs/, or fail if one is outdated
  tidy            invariants of the sources that no compiler checks
  new-language <id> <crate>[@<version>] <Name>
                  begin a language: its folder, its registry line, its grammar
  tree <file>     the syntax tree of a file, for whoever writes patterns
  bench index <dir>…
                  processor time, memory and size of a full index, against the floor
  bench update <dir>…
                  time of updates, against git status of the same tree, and of a watcher
  bench recipes <dir>…
                  time of every bundled recipe
  bench scan <dir>…
                  time of looking for a text in all files, against ripgrep over the same files
  extract <dir> [repeats]
                  time of extraction alone, and a fingerprint of the facts
  torture kills <rounds> | crowd <seconds> | replay <repository> <commits> [every]
                  kill the program over and over, ask from 64 processes while it writes, follow the
                  history of a repository; compare with an index from nothing
  torture faults [most] | crash [disks] | soak <minutes> [pause] | watch [changes]
                  have system calls fail one after another, have the power go at every moment (both need
                  strace); ask and edit for long and see whether anything grows
  torture sql [--count N] [--seed N] [--root <indexed project>]
                  statements nobody would write, given to the sandbox: no crash, no write, none late
  oracle changes <repository> [--commits N]
                  what `changes` says of past commits, compared with two indexes from nothing
  replay <repository> [--commits N] [--misses N]
                  whether `affected` selects the tests that past commits changed
  torture rpc [--count N] [--seed N]
                  messages nobody would send, given to the servers: none ends, the next question works
  load [--clients N] [--seconds N] [--pause MILLISECONDS]
                  many clients of the HTTP server while files change: how long they wait
  conformance [<program>]
                  the conformance suite of the Model Context Protocol, the Inspector, the official clients;
                  installs them into a temporary directory (npm, python3)
  day <dir>       twenty questions of an agent about a repository, by the tools and by a shell: calls and
                  tokens of both
  links <dir> [<edges> [<definitions>]]
                  what becomes of every reference, and all links and definitions as tables of tabs
  sample <dir> <language> <seed> [<count>]
                  links between files, drawn at random, for a person to judge
  accuracy <truth> <dir>
                  calls that are linked, compared with what a compiler says
  tokens <dir>    how many tokens answers about a repository have: writes docs/tokens.md
  languages [--misses N] [--languages DIR] <dir>…
                  definitions found, compared with universal-ctags
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let result = match task.as_str() {
        "check" => check::run(),
        "generate" => generate::run(&rest),
        "tidy" => tidy::run(&rest),
        "new-language" => new_language::run(&rest),
        "tree" => new_language::tree(&rest),
        "bench" => bench::run(&rest),
        "floor" => bench::floor(&rest),
        "extract" => bench::extract_only(&rest),
        "torture" => torture::run(&rest),
        "oracle" => oracle::run(&rest),
        "replay" => replay::run(&rest),
        "load" => load::run(&rest),
        "day" => day::run(&rest),
        "conformance" => conformance::run(&rest),
        "accuracy" => accuracy::run(&rest),
        "links" => links::run(&rest),
        "sample" => links::sample(&rest),
        "tokens" => tokens::run(&rest),
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

/// The directory of the repository.
fn root() -> std::path::PathBuf {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().expect("xtask has a folder of its own in the repository").to_owned()
}

/// The program of a package, optimised.
fn release_build(package: &str) -> Result<std::path::PathBuf, Box<dyn std::error::Error>> {
    let root = root();
    let status = std::process::Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", package])
        .current_dir(&root)
        .status()?;
    if !status.success() {
        return Err("the build failed".into());
    }
    Ok(root.join("target/release").join(package))
}

/// The program to try: the one that `GROMA_PROGRAM` names, or the one that is shipped.
fn program() -> Result<std::path::PathBuf, Box<dyn std::error::Error>> {
    match std::env::var_os("GROMA_PROGRAM") {
        Some(program) => Ok(program.into()),
        None => release_build("groma"),
    }
}

/// What a task gives back.
type Outcome = Result<(), Box<dyn std::error::Error>>;
