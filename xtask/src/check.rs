//! Everything that must hold before a commit; continuous integration runs exactly this.

use std::process::Command;
use std::time::Instant;

use crate::{Outcome, generate, tidy};

/// Runs all steps in the order of what they cost, and stops at the first that fails.
pub(crate) fn run() -> Outcome {
    let started = Instant::now();
    step("cargo fmt --all --check", || cargo(&["fmt", "--all", "--check"]))?;
    step("cargo xtask tidy", || tidy::run(&[]))?;
    step("cargo clippy --workspace --all-targets -- -D warnings", || {
        cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])
    })?;
    step("cargo test --workspace", || cargo(&["test", "--quiet", "--workspace"]))?;
    step("cargo xtask generate --check", || generate::run(&["--check".to_owned()]))?;
    println!("all is well, in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

fn step(name: &str, work: impl FnOnce() -> Outcome) -> Outcome {
    println!("── {name}");
    let started = Instant::now();
    let outcome = work();
    let seconds = started.elapsed().as_secs_f64();
    match outcome {
        Ok(()) => {
            println!("   done in {seconds:.1} s");
            Ok(())
        }
        Err(error) => Err(format!("{error}\n`{name}` failed after {seconds:.1} s").into()),
    }
}

fn cargo(arguments: &[&str]) -> Outcome {
    let status = Command::new(env!("CARGO")).args(arguments).current_dir(crate::root()).status()?;
    if status.success() { Ok(()) } else { Err(format!("cargo ended with {status}").into()) }
}
