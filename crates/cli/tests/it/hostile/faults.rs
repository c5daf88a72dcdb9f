//! Files that kill, stop or inflate the process that parses them.

use std::time::Duration;

use crate::dump;
use crate::project::{Project, index_among_neighbours};

/// Long enough for any harmless file on a busy machine.
const TIMEOUT: u64 = 1500;

fn faulty() -> Project {
    let mut project = Project::new();
    project.set("GROMA_TEST_FAULTS", "1");
    project.set("GROMA_FILE_TIMEOUT", &TIMEOUT.to_string());
    project
}

#[test]
fn files_that_break_their_worker_are_skipped_and_nothing_else_is() {
    let mut project = faulty();
    // Filling memory takes longer than the other faults may.
    project.set("GROMA_FILE_TIMEOUT", "20000");
    for fault in ["panic", "abort", "memory"] {
        project
            .write(&format!("{fault}.rs"), format!("// groma-fault:{fault}\nfn {fault}() {{}}\n"));
        project.write(&format!("near/{fault}.txt"), format!("groma-fault:{fault}\n"));
    }
    for (path, text) in crate::project::NEIGHBOURS {
        project.write(path, text);
    }
    let report = project.index_with(&["--workers", "2"]);
    assert_eq!(report["skipped"]["crashed"], 4);
    assert_eq!(report["skipped"]["memory"], 2);
    assert_eq!(
        project.not_indexed(),
        [
            "abort.rs skipped crashed",
            "memory.rs skipped memory",
            "near/abort.txt skipped crashed",
            "near/memory.txt skipped memory",
            "near/panic.txt skipped crashed",
            "panic.rs skipped crashed",
        ]
    );
    assert_eq!(project.lines("SELECT count(*) FROM symbols WHERE file_path LIKE '%.rs'"), ["1"]);
    let after = dump::dump(&project, "near/");
    for fault in ["panic", "abort", "memory"] {
        project.remove(&format!("{fault}.rs"));
        project.remove(&format!("near/{fault}.txt"));
    }
    project.index();
    let mut clean = dump::dump(&project, "near/");
    for tables in [&mut clean, &mut { after.clone() }] {
        tables.remove("items");
    }
    for (table, rows) in &clean {
        let kept: Vec<&String> = after[table]
            .iter()
            .filter(|row| !row.starts_with("near/") || !row.contains(".txt"))
            .collect();
        assert_eq!(kept, rows.iter().collect::<Vec<_>>(), "{table}");
    }
}

#[test]
fn a_file_that_hangs_costs_its_time_once() {
    let project = faulty();
    project.write("hang.rs", "// groma-fault:hang\n");
    let first = index_among_neighbours(&project);
    assert_eq!(project.not_indexed(), ["hang.rs skipped timeout"]);
    let milliseconds =
        |report: &serde_json::Value| report["milliseconds"].as_u64().expect("a number");
    assert!(milliseconds(&first) >= TIMEOUT, "{first}");
    for _ in 0..2 {
        let again = project.index_with(&["--performance"]);
        assert_eq!(project.not_indexed(), ["hang.rs skipped timeout"]);
        let slowest = again["performance"]["slowest_files"].as_array().expect("a list");
        let hang = slowest.iter().find(|file| file["path"] == "hang.rs");
        assert!(hang.is_none_or(|file| file["milliseconds"] == 0.0), "{again}");
        assert!(milliseconds(&again) < TIMEOUT, "{first} {again}");
    }
    // An edit is a new chance: it hangs again, or it does not.
    project.write("hang.rs", "// groma-fault:hang\n// edited\n");
    assert!(milliseconds(&project.index()) >= TIMEOUT);
    assert_eq!(project.not_indexed(), ["hang.rs skipped timeout"]);
    project.write("hang.rs", "// mended\nfn mended() {}\n");
    project.index();
    assert_eq!(project.not_indexed(), Vec::<String>::new());
    assert_eq!(project.lines("SELECT name FROM symbols WHERE file_path = 'hang.rs'"), ["mended"]);
}

#[test]
fn a_file_is_not_blamed_for_a_worker_that_somebody_ended() {
    let mut project = faulty();
    project.set("GROMA_FILE_TIMEOUT", "4000");
    project.write("hang.rs", "// groma-fault:hang\n");
    let child = project.command(&["index", "-q", "--json"]).spawn().expect("the program starts");
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    let worker = loop {
        assert!(std::time::Instant::now() < deadline, "no worker begins");
        std::thread::sleep(Duration::from_millis(20));
        if let Some(worker) = project.running().into_iter().find(|it| *it != child.id()) {
            break worker;
        }
    };
    std::thread::sleep(Duration::from_millis(300));
    let killed = std::process::Command::new("kill").args(["-KILL", &worker.to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let outcome = crate::project::wait(child, Duration::from_secs(60));
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    // It was asked again, and ran out of time by itself.
    assert_eq!(project.not_indexed(), ["hang.rs skipped timeout"]);
}

#[test]
fn a_file_is_not_blamed_for_pipes_that_fail() {
    let project = faulty();
    project.write("a.rs", "// groma-fault:give-up\nfn a() {}\n");
    project.write("b.rs", "fn b() {}\n");
    let outcome = project.groma(&["index", "-q", "--json"]);
    assert_eq!(outcome.status, Some(6), "{outcome:?}");
    assert!(!project.state("index.db").exists());
}

#[test]
fn many_hanging_files_are_ended_side_by_side() {
    let project = faulty();
    for number in 0..6 {
        project.write(&format!("hang{number}.rs"), format!("// groma-fault:hang {number}\n"));
    }
    for (path, text) in crate::project::NEIGHBOURS {
        project.write(path, text);
    }
    let outcome = project.groma(&["index", "--workers", "3", "--json", "-q"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert!(outcome.time < Duration::from_millis(5 * TIMEOUT), "{:?}", outcome.time);
    assert_eq!(outcome.json()["skipped"]["timeout"], 6);
    assert_eq!(project.processes(), Vec::<u32>::new());
}

#[test]
fn of_files_that_are_asked_about_together_only_the_one_to_blame_is_given_up() {
    let project = faulty();
    for number in 0..200 {
        let fault = if number == 77 { "// groma-fault:abort\n" } else { "" };
        project.write(&format!("f{number:03}.rs"), format!("{fault}fn f{number}() {{}}\n"));
    }
    let outcome = project.groma(&["index", "--workers", "2", "--json", "-q"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert_eq!(project.not_indexed(), ["f077.rs skipped crashed"]);
    assert_eq!(project.lines("SELECT count(*) FROM symbols"), ["199"]);
}

#[test]
fn without_the_switch_the_words_mean_nothing() {
    let project = Project::with(&[("a.rs", "// groma-fault:panic\nfn a() {}\n")]);
    project.index();
    assert_eq!(project.not_indexed(), Vec::<String>::new());
}
