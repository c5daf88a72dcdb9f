//! A disk of its own for the state of a project, which is really full, or really read-only.
//!
//! Mounting one needs a right that not every machine gives; where it is missing, that is said and nothing
//! is tried.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::project;
use crate::project::{Outcome, Project, wait};

enum Step<'s> {
    /// Something happens to the disk or to the project; the shell is in the project.
    Do(&'s str),
    /// The program runs.
    Groma(&'s str),
}

use Step::{Do, Groma};

/// What the runs of the program did, with the state of the project on a disk of this size.
fn on_a_disk_of(project: &Project, size: &str, steps: &[Step<'_>]) -> Option<Vec<Outcome>> {
    let said = project.outside("said");
    std::fs::create_dir_all(&said).expect("a directory");
    let mount = format!("mkdir -p .groma && mount -t tmpfs -o size={size} tmpfs .groma");
    let may = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", script]);
        command.current_dir(project.root()).stdin(Stdio::null());
        command
    };
    if !may(&mount).stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        eprintln!("not tried: this user may not mount anything here");
        return None;
    }
    let mut script = format!("set -e; {mount}; out={}; groma=$0\n", said.display());
    let mut runs = 0;
    for step in steps {
        match step {
            Do(what) => script.push_str(&format!("{what}\n")),
            Groma(arguments) => {
                script.push_str(&format!(
                    "s=0; \"$groma\" {arguments} >$out/{runs}.out 2>$out/{runs}.err || s=$?; echo $s >$out/{runs}.status\n"
                ));
                runs += 1;
            }
        }
    }
    let inner = project.command(&[]);
    let mut command = may(&script);
    command.arg(inner.get_program()).env_clear();
    command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let whole = wait(command.spawn().expect("a shell"), Duration::from_secs(120));
    assert_eq!(whole.status, Some(0), "{whole:?}");
    let read = |run: usize, what: &str| {
        std::fs::read_to_string(said.join(format!("{run}.{what}"))).expect("what a run said")
    };
    let outcome = |run| Outcome {
        status: read(run, "status").trim().parse().ok(),
        stdout: read(run, "out"),
        stderr: read(run, "err"),
        time: Duration::ZERO,
    };
    Some((0..runs).map(outcome).collect())
}

/// It failed with this word, and says what to do.
fn assert_failed(outcome: &Outcome, code: &str) {
    assert_eq!(outcome.status, Some(6), "{outcome:?}");
    let error = outcome.error();
    assert_eq!(error["code"], code, "{error}");
    assert!(error["hint"].is_string(), "{error}");
}

#[test]
fn reliability_114_a_full_disk_while_building() {
    let project = project();
    let runs = on_a_disk_of(
        &project,
        "300k",
        &[
            Groma("index --json -q"),
            Do("test ! -e .groma/index.db.building"),
            Groma("show f7 --json"),
            Do("mount -o remount,size=64m .groma"),
            Groma("index --json -q"),
            Groma("dump"),
            Groma("index --full --json -q"),
            Groma("dump"),
        ],
    );
    let Some(runs) = runs else { return };
    assert_failed(&runs[0], "disk_full");
    assert_eq!(runs[1].status, Some(3), "{:?}", runs[1]);
    assert_eq!(runs[2].status, Some(0), "{:?}", runs[2]);
    assert_eq!(runs[3].stdout, runs[5].stdout);
}

#[test]
fn reliability_114_a_full_disk_while_updating() {
    let project = project();
    let fill = "dd if=/dev/zero of=.groma/filler bs=4k 2>/dev/null || true";
    let change = "for n in 1 2 3 4 5 6 7 8 9; do for m in 1 2 3 4 5 6; do
        cat src/f1?.rs >>src/f$n.rs; echo 'pub fn wholly_new() {}' >>src/f$n.rs; done; done";
    let runs = on_a_disk_of(
        &project,
        "24m",
        &[
            Groma("index --json -q"),
            Do(fill),
            Do(change),
            Groma("index --json -q"),
            Groma("show f7 --json"),
            Groma("query 'SELECT count(*) AS n FROM refs ORDER BY 1' --json"),
            Groma("index --full --json -q"),
            Groma("search 'number' --json"),
            Do("rm .groma/filler"),
            Groma("index --json -q"),
            Groma("dump"),
            Groma("index --full --json -q"),
            Groma("dump"),
            Groma("doctor --json"),
        ],
    );
    let Some(runs) = runs else { return };
    assert_eq!(runs[0].status, Some(0), "{:?}", runs[0]);
    assert_failed(&runs[1], "disk_full");
    assert_eq!(runs[2].json()["index"]["stale"], true, "{:?}", runs[2]);
    for answered in [&runs[3], &runs[5], &runs[6], &runs[8], &runs[10]] {
        assert_eq!(answered.status, Some(0), "{answered:?}");
    }
    assert_failed(&runs[4], "disk_full");
    assert_eq!(runs[7].stdout, runs[9].stdout);
}

#[test]
fn reliability_115_a_disk_that_cannot_be_written() {
    let project = project();
    let runs = on_a_disk_of(
        &project,
        "64m",
        &[
            Groma("index --json -q"),
            Do("mount -o remount,ro .groma"),
            Groma("show f7 --json"),
            Groma("query 'SELECT count(*) AS n FROM refs' --json"),
            Do("echo 'pub fn wholly_new() {}' >>src/f7.rs"),
            Groma("show f7 --json"),
            Groma("index --json -q"),
            Groma("index --full --json -q"),
            Groma("doctor --json"),
            Do("mount -o remount,rw .groma"),
            Groma("show wholly_new --json"),
        ],
    );
    let Some(runs) = runs else { return };
    for answered in [&runs[0], &runs[1], &runs[2], &runs[3], &runs[7]] {
        assert_eq!(answered.status, Some(0), "{answered:?}");
    }
    assert_eq!(runs[1].json()["index"]["stale"], false, "{:?}", runs[1]);
    assert_eq!(runs[3].json()["index"]["stale"], true, "{:?}", runs[3]);
    assert_failed(&runs[4], "read_only");
    assert_failed(&runs[5], "read_only");
}
