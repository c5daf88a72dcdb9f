//! Signals, kills and two at once: the index is the old one or the new one, never half of one.

use std::process::Child;
use std::time::{Duration, Instant};

use crate::dump;
use crate::project::{NEIGHBOURS, Project, signal, wait};

/// A project with an index, whose next index would take a minute.
fn about_to_hang() -> Project {
    let mut project = Project::with(NEIGHBOURS);
    project.index();
    project.set("GROMA_TEST_FAULTS", "1");
    project.set("GROMA_FILE_TIMEOUT", "60000");
    project.write("hang.rs", "// groma-fault:hang\n");
    project.write("new.rs", "fn only_in_the_new_index() {}\n");
    project
}

/// Ways to index: what changed, or everything.
const WAYS: [&[&str]; 2] = [&["index", "--json", "-q"], &["index", "--full", "--json", "-q"]];

/// Starts an index and waits until it is at work.
fn start(project: &Project, way: &[&str]) -> Child {
    let child = project.command(way).spawn().expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(20);
    // The program itself and at least one worker.
    while project.running().len() < 2 {
        assert!(Instant::now() < deadline, "the index does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    child
}

#[test]
fn a_signal_leaves_the_old_index_and_nothing_else() {
    for (name, way) in [("INT", WAYS[0]), ("TERM", WAYS[0]), ("INT", WAYS[1]), ("TERM", WAYS[1])] {
        let project = about_to_hang();
        let before = dump::dump(&project, "");
        let child = start(&project, way);
        signal(&child, name);
        let outcome = wait(child, Duration::from_secs(20));
        assert_eq!(outcome.status, Some(130), "{name}: {outcome:?}");
        assert!(outcome.time < Duration::from_secs(15), "{name}: {outcome:?}");
        assert_eq!(outcome.error()["code"], "interrupted");
        assert_eq!(project.processes(), Vec::<u32>::new());
        assert!(!project.state("index.db.building").exists());
        dump::assert_equal(&before, &dump::dump(&project, ""));
        project.remove("hang.rs");
        project.index();
        assert_eq!(project.lines("SELECT count(*) FROM symbols WHERE file_path = 'new.rs'"), ["1"]);
    }
}

#[test]
fn a_kill_leaves_a_project_that_works() {
    for way in WAYS {
        let project = about_to_hang();
        let before = dump::dump(&project, "");
        let child = start(&project, way);
        signal(&child, "KILL");
        let outcome = wait(child, Duration::from_secs(20));
        assert_eq!(outcome.status, None);
        assert_eq!(project.processes(), Vec::<u32>::new(), "workers outlive the program");
        dump::assert_equal(&before, &dump::dump(&project, ""));
        project.remove("hang.rs");
        project.index();
        assert_eq!(project.lines("SELECT count(*) FROM symbols WHERE file_path = 'new.rs'"), ["1"]);
    }
}

#[test]
fn kills_at_any_moment_leave_the_old_index_or_the_new_one() {
    let project = Project::with(NEIGHBOURS);
    for number in 0..200 {
        project.write(&format!("src/f{number}.rs"), "pub fn f(x: u32) -> u32 { x }\n".repeat(20));
    }
    project.index();
    let whole = dump::dump(&project, "");
    let rounds = if crate::project::long_tests() { 300 } else { 12 };
    for round in 0..rounds {
        let child =
            project.command(&["index", "--full", "-q"]).spawn().expect("the program starts");
        std::thread::sleep(Duration::from_millis(round * 17 % 400));
        signal(&child, "KILL");
        wait(child, Duration::from_secs(20));
        let check: String = project
            .database()
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .expect("it is a database");
        assert_eq!(check, "ok", "round {round}");
        if round % 4 == 0 {
            dump::assert_equal(&whole, &dump::dump(&project, ""));
        }
    }
    assert_eq!(project.processes(), Vec::<u32>::new());
    project.index();
    dump::assert_equal(&whole, &dump::dump(&project, ""));
}

#[test]
fn of_two_indexers_one_is_told_to_wait() {
    let project = about_to_hang();
    let child = start(&project, WAYS[0]);
    let second = project.groma(&["index", "--json"]);
    assert_eq!(second.status, Some(5), "{second:?}");
    let error = second.error();
    assert_eq!(error["code"], "busy");
    assert_eq!(error["retryable"], true);
    let holder = format!("by process {}", child.id());
    assert!(error["message"].as_str().is_some_and(|text| text.contains(&holder)), "{error}");
    // Who only asks is not in the way.
    assert_eq!(project.groma(&["show", "add"]).status, Some(0));
    signal(&child, "INT");
    wait(child, Duration::from_secs(20));
    project.remove("hang.rs");
    project.index();
}

#[test]
fn two_indexers_at_once_end_with_one_good_index() {
    let project = Project::with(NEIGHBOURS);
    for number in 0..150 {
        project.write(&format!("src/f{number}.rs"), "pub fn f(x: u32) -> u32 { x }\n".repeat(20));
    }
    let start = || project.command(&["index", "--json", "-q"]).spawn().expect("the program starts");
    let children = [start(), start(), start()];
    let mut statuses: Vec<Option<i32>> =
        children.into_iter().map(|child| wait(child, Duration::from_secs(60)).status).collect();
    statuses.sort();
    assert_eq!(statuses[0], Some(0));
    assert!(statuses.iter().all(|status| matches!(status, Some(0 | 5))), "{statuses:?}");
    crate::project::assert_neighbours_unharmed(&project);
}

#[test]
fn a_lock_left_by_a_dead_process_holds_nobody_up() {
    let project = Project::with(NEIGHBOURS);
    project.write(".groma/lock", "process 1");
    project.write(".groma/index.db.building", "half an index");
    project.index();
    crate::project::assert_neighbours_unharmed(&project);
}

#[test]
fn a_lock_that_outlives_its_process_for_a_moment_holds_nobody_up() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    // As a child does that was about to become a worker when its parent was killed.
    let held = std::fs::File::open(project.state("lock")).expect("a file of the state");
    held.lock().expect("nobody else has it");
    let child = project.command(&["index", "--json", "-q"]).spawn().expect("the program starts");
    std::thread::sleep(Duration::from_millis(200));
    drop(held);
    let outcome = wait(child, Duration::from_secs(20));
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
}

#[test]
fn reliability_98_many_who_open_what_a_killed_writer_left_are_all_answered() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    for round in 0..4 {
        let mut watcher = project.command(&["watch", "-q"]).spawn().expect("the program starts");
        project.write("src/new.rs", format!("pub fn new_{round}() {{}}\n"));
        let deadline = Instant::now() + Duration::from_secs(30);
        let question = format!("new_{round}");
        while project.groma(&["show", &question, "--no-refresh"]).status != Some(0) {
            assert!(Instant::now() < deadline, "the watcher sees nothing");
        }
        // Every second time it is killed while it may be writing.
        if round % 2 == 1 {
            project.write("src/new.rs", "pub fn other() {}\n");
        }
        watcher.kill().expect("it is our child");
        watcher.wait().expect("it is our child");
        let readers: Vec<_> = (0..16)
            .map(|_| project.command(&["show", "add", "--json"]).spawn().expect("it starts"))
            .collect();
        for reader in readers {
            let outcome = crate::project::wait(reader, Duration::from_secs(60));
            assert_eq!(outcome.status, Some(0), "{outcome:?}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn reliability_101_workers_hold_nothing_of_the_index_open() {
    let project = about_to_hang();
    for way in WAYS {
        let child = start(&project, way);
        let open = |process: u32| -> Vec<String> {
            let all = std::fs::read_dir(format!("/proc/{process}/fd")).expect("it is ours");
            let targets = all.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok());
            targets.map(|target| target.to_string_lossy().into_owned()).collect()
        };
        let is_state = |target: &String| target.contains("/.groma/");
        assert!(open(child.id()).iter().any(is_state), "who writes holds a lock");
        let workers: Vec<u32> =
            project.running().into_iter().filter(|process| *process != child.id()).collect();
        assert!(!workers.is_empty());
        for worker in workers {
            let theirs: Vec<String> = open(worker).into_iter().filter(is_state).collect();
            assert_eq!(theirs, Vec::<String>::new(), "{way:?}");
        }
        signal(&child, "KILL");
        wait(child, Duration::from_secs(20));
    }
}
