//! An answer is as fresh as the files it stands on, or says that it is not.

use std::process::Child;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::dump;
use crate::project::{NEIGHBOURS, Project, signal, wait};

fn answer(project: &Project, arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.push("--json");
    let outcome = project.groma(&all);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
    outcome.json()
}

fn project() -> Project {
    let project = Project::with(&[
        ("src/a.rs", "pub fn alpha() {}\n"),
        ("src/b.rs", "pub fn beta() {}\n"),
        ("tests/c.py", "def gamma(): pass\n"),
    ]);
    project.index();
    project
}

#[test]
fn an_answer_takes_in_what_changed_in_its_files() {
    let project = project();
    project.write("src/a.rs", "\n\npub fn alpha(now: u32) {}\n");
    let shown = answer(&project, &["show", "alpha"]);
    assert_eq!(shown["matches"][0]["line"], 3);
    assert_eq!(shown["matches"][0]["signature"], "pub fn alpha(now: u32)");
    assert_eq!(shown["index"]["stale"], false);
    assert_eq!(shown["index"]["generation"], 2);
    assert_eq!(shown["index"]["watch"], "off");
    // Nothing else was looked at.
    project.write("src/b.rs", "pub fn changed() {}\n");
    assert_eq!(answer(&project, &["outline", "src/a.rs"])["index"]["generation"], 2);
    // A name that is not known may be new.
    assert_eq!(answer(&project, &["show", "changed"])["matches"][0]["path"], "src/b.rs");
    project.remove("src/b.rs");
    let gone = project.groma(&["show", "changed", "--json"]);
    assert_eq!(gone.status, Some(1), "{gone:?}");
}

#[test]
fn a_file_that_is_not_there_is_no_reason_to_look_at_all_others() {
    let project = project();
    project.write("src/new.rs", "pub fn fresh() {}\n");
    let outcome = project.groma(&["outline", "src/gone.rs", "--json"]);
    assert_eq!(outcome.error()["code"], "not_found");
    let known = "SELECT path FROM files WHERE path = 'src/new.rs'";
    assert_eq!(project.rows(known).len(), 0);
    assert_eq!(answer(&project, &["outline", "src/new.rs"])["symbols"][0]["name"], "fresh");
    assert_eq!(project.rows(known).len(), 1);
}

#[test]
fn who_wants_no_refresh_is_told_what_is_stale() {
    let project = project();
    let before = answer(&project, &["show", "alpha", "--no-refresh"]);
    assert_eq!(before["index"]["stale"], false);
    project.write("src/a.rs", "pub fn other() {}\n");
    let shown = answer(&project, &["show", "alpha", "--no-refresh"]);
    assert_eq!(shown["index"]["stale"], true);
    assert_eq!(shown["index"]["generation"], 1);
    let text = project.groma(&["show", "alpha", "--no-refresh"]);
    assert!(text.stdout.contains("have changed since"), "{text:?}");
}

#[test]
fn an_answer_waits_for_no_writer_for_long() {
    let mut project = project();
    project.set("GROMA_TEST_FAULTS", "1");
    project.write("hang.rs", "// groma-fault:hang\n");
    let child = project.command(&["index", "-q"]).spawn().expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(20);
    while project.running().len() < 2 {
        assert!(Instant::now() < deadline, "the index does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    project.write("src/a.rs", "\npub fn alpha() {}\n");
    let shown = answer(&project, &["show", "alpha"]);
    assert_eq!(shown["index"]["stale"], true, "{shown}");
    assert_eq!(shown["matches"][0]["line"], 1);
    signal(&child, "KILL");
    wait(child, Duration::from_secs(20));
}

#[test]
fn a_reader_that_stays_holds_no_update_up() {
    let project = project();
    let database = project.database();
    database.execute_batch("BEGIN").expect("it is ours");
    let count = || -> i64 {
        database.query_row("SELECT count(*) FROM symbols", [], |row| row.get(0)).expect("a count")
    };
    assert_eq!(count(), 3);
    for round in 0..5 {
        project.write("src/new.rs", format!("pub fn one_{round}() {{}}\npub fn two() {{}}\n"));
        let outcome = project.groma(&["index", "--json", "-q"]);
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        assert!(outcome.time < Duration::from_secs(4), "{outcome:?}");
    }
    // It still sees what it saw, and a new one sees what is there.
    assert_eq!(count(), 3);
    assert_eq!(project.lines("SELECT count(*) FROM symbols"), ["5"]);
}

#[test]
fn some_files_can_be_brought_up_to_date_alone() {
    let project = project();
    project.write("src/a.rs", "pub fn alpha2() {}\n");
    project.write("src/b.rs", "pub fn beta2() {}\n");
    project.write("src/new/d.rs", "pub fn delta() {}\n");
    project.write("src/ignored.rs", "pub fn ignored() {}\n");
    project.write(".gitignore", "ignored.rs\n");
    let report = project.index_with(&["--files", "src/a.rs", "src/new", "src/ignored.rs"]);
    assert_eq!(report["changes"]["changed"], 1, "{report}");
    assert_eq!(report["changes"]["added"], 1, "{report}");
    let names = || project.lines("SELECT name FROM symbols ORDER BY name");
    assert_eq!(names(), ["alpha2", "beta", "delta", "gamma"]);
    // Lines of a file mean the file; one that is gone leaves the index.
    project.remove("tests/c.py");
    project.index_with(&["--files", "src/b.rs:1-2", "tests/c.py"]);
    assert_eq!(names(), ["alpha2", "beta2", "delta"]);
    // What was named and is not in the index is told, and why.
    let report = project.index_with(&["--files", "src/a.rs", "src/ignored.rs", "tests/c.py"]);
    let notices: Vec<&str> = report["notices"]
        .as_array()
        .expect("notices")
        .iter()
        .filter_map(|it| it.as_str())
        .collect();
    assert!(notices[0].contains("`src/ignored.rs` is left out"), "{notices:?}");
    assert!(notices[1].contains("`tests/c.py` is neither on disk nor"), "{notices:?}");
    assert_eq!(notices.len(), 2, "{notices:?}");
    for no_lines in ["src/b.rs:2-1", "src/b.rs:0"] {
        let refused = project.groma(&["index", "--files", no_lines, "--json"]);
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert_eq!(refused.error()["message"], format!("`{no_lines}` names no lines"));
    }
    let outside = project.groma(&["index", "--files", "/etc/passwd", "--json"]);
    assert_eq!(outside.status, Some(2), "{outside:?}");
    // What is left is what everything would give.
    project.index();
    let updated = dump::dump(&project, "");
    project.index_with(&["--full"]);
    dump::assert_equal(&dump::dump(&project, ""), &updated);
}

#[test]
fn a_new_limit_holds_for_all_files_even_if_some_are_named() {
    let mut project = project();
    project.write("src/long.rs", "pub fn long() {}\n".repeat(100));
    project.index();
    project.set("GROMA_MAX_FILE_SIZE", "1000");
    project.write("src/a.rs", "pub fn alpha4() {}\n");
    project.index_with(&["--files", "src/a.rs"]);
    assert_eq!(project.lines("SELECT reason FROM files WHERE path = 'src/long.rs'"), ["size"]);
    let updated = dump::dump(&project, "");
    project.index_with(&["--full"]);
    dump::assert_equal(&dump::dump(&project, ""), &updated);
}

#[test]
fn cg_18_removed_files_leave_with_all_their_rows_until_the_next_index() {
    let project = project();
    let whole = dump::dump(&project, "");
    let removed = answer(&project, &["remove", "src"]);
    assert_eq!(removed["removed"], serde_json::json!(["src/a.rs", "src/b.rs"]));
    for (table, rows) in dump::dump(&project, "src") {
        assert_eq!(rows, Vec::<String>::new(), "{table}");
    }
    assert_eq!(answer(&project, &["status"])["index"]["complete"], false);
    assert_eq!(project.groma(&["remove", "src", "--json"]).status, Some(1));
    // Who looks at one file alone makes nothing whole.
    project.write("tests/c.py", "def gamma(): return 1\n");
    project.index_with(&["--files", "tests/c.py"]);
    assert_eq!(answer(&project, &["status"])["index"]["complete"], false);
    project.write("tests/c.py", "def gamma(): pass\n");
    let report = project.index();
    assert_eq!(report["changes"]["extracted"], 0, "{report}");
    dump::assert_equal(&whole, &dump::dump(&project, ""));
    assert_eq!(answer(&project, &["status"])["index"]["complete"], true);
}

#[test]
fn cm_61_validate_names_what_drifted_and_fails() {
    let project = project();
    assert_eq!(project.groma(&["validate"]).status, Some(0));
    project.write("src/a.rs", "pub fn alpha3() {}\n");
    project.remove("src/b.rs");
    project.write("src/new.rs", "fn n() {}\n");
    let outcome = project.groma(&["validate", "--json"]);
    assert_eq!(outcome.status, Some(1), "{outcome:?}");
    let rows = outcome.json()["rows"].clone();
    assert_eq!(
        rows,
        serde_json::json!([
            {"path": "src/a.rs", "status": "stale"},
            {"path": "src/b.rs", "status": "missing"},
            {"path": "src/new.rs", "status": "unindexed"},
        ])
    );
    assert_eq!(project.groma(&["validate", "tests"]).status, Some(0));
    assert_eq!(project.groma(&["validate", "src\\b.rs"]).status, Some(1));
    // Nothing is said of what nobody knows, or of what is none of the project.
    let unknown = project.groma(&["validate", "src/a.rs", "src/nothing.rs", "--json"]);
    assert_eq!((unknown.status, &unknown.error()["code"]), (Some(1), &"not_found".into()));
    assert_eq!(project.groma(&["validate", "../elsewhere.rs"]).status, Some(2));
    let status = answer(&project, &["status"]);
    assert_eq!(status["drift"], serde_json::json!({"stale": 1, "missing": 1, "unindexed": 1}));
}

#[test]
fn an_index_is_served_for_its_own_root_alone() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    let mut copy = Project::new();
    copy.set("HOME", project.home().to_str().expect("a path that is text"));
    let copied = std::process::Command::new("cp")
        .args(["-r", "-p"])
        .arg(project.root().join("."))
        .arg(copy.root())
        .status();
    assert!(copied.is_ok_and(|status| status.success()));
    let refused = copy.groma(&["show", "add", "--json", "--no-refresh"]);
    assert_eq!(refused.status, Some(3), "{refused:?}");
    // Contents are known, so nothing is extracted again.
    let report = copy.index();
    assert_eq!(report["changes"]["extracted"], 0, "{report}");
    dump::assert_equal(&dump::dump(&project, ""), &dump::dump(&copy, ""));
}

#[test]
fn an_index_that_another_user_made_is_not_believed() {
    let theirs = project();
    let lie = "UPDATE symbol SET signature = 'pub fn lie()'";
    theirs.database().execute_batch(lie).expect("it is ours");
    let mine = Project::with(&[("src/a.rs", "pub fn alpha() {}\n")]);
    mine.index();
    let whole = dump::dump(&mine, "");
    // As if it had come with the repository, for the right place even.
    let root = mine.root().canonicalize().expect("it is there");
    let root = root.to_str().expect("a path that is text");
    theirs
        .database()
        .execute("UPDATE meta SET value = ?1 WHERE key = 'root'", [root])
        .expect("it is ours");
    std::fs::copy(theirs.state("index.db"), mine.state("index.db")).expect("a copy");
    let refused = mine.groma(&["show", "alpha", "--json"]);
    assert_eq!((refused.status, &refused.error()["code"]), (Some(3), &"not_own".into()));
    let removed = mine.groma(&["remove", "src", "--json"]);
    assert_eq!(removed.status, Some(3), "{removed:?}");
    let report = mine.index();
    let notice = report["notices"][0].as_str().expect("a notice").to_owned();
    assert!(notice.contains("not made by this user") && notice.contains("aside-1"), "{notice}");
    dump::assert_equal(&whole, &dump::dump(&mine, ""));
    // One's own may move, and its facts with it.
    std::fs::rename(mine.path("src"), mine.path("lib")).expect("a rename");
    assert_eq!(mine.index()["changes"]["extracted"], 0);
}

#[test]
fn an_answer_and_its_generation_are_of_one_reading() {
    let project = Project::with(&[("a.rs", "pub fn alpha() {}\n")]);
    project.index();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let is_over = || stop.load(std::sync::atomic::Ordering::Relaxed);
    std::thread::scope(|scope| {
        let ask = || {
            let mut answers = 0;
            while !is_over() {
                let shown = answer(&project, &["show", "alpha", "--no-refresh"]);
                // In every generation the function stands one line further down.
                assert_eq!(shown["matches"][0]["line"], shown["index"]["generation"], "{shown}");
                answers += 1;
            }
            answers
        };
        let readers = [scope.spawn(ask), scope.spawn(ask)];
        for lines in 1..40 {
            project.write("a.rs", format!("{}pub fn alpha() {{}}\n", "\n".repeat(lines)));
            project.index_with(if lines % 8 == 0 { &["--full"] } else { &[] });
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let answers: usize = readers.into_iter().map(|it| it.join().expect("it holds")).sum();
        assert!(answers > 20, "{answers}");
    });
}

#[test]
fn a_fresh_answer_includes_what_was_written_before_it_was_asked() {
    let project = project();
    let count = |arguments: &[&str]| {
        let sql = ["query", "SELECT name FROM symbols ORDER BY name"];
        let rows = answer(&project, &[&sql, arguments].concat());
        rows["rows"].as_array().or(rows.as_array()).expect("rows").len()
    };
    assert_eq!(count(&[]), 3);
    project.write("src/new.rs", "pub fn brand_new() {}\n");
    let found = answer(&project, &["search", "alpha", "--fresh"]);
    assert_eq!(found["index"]["stale"], false, "{found}");
    assert_eq!(count(&["--no-refresh"]), 4);
    let both = project.groma(&["show", "alpha", "--fresh", "--no-refresh"]);
    assert_eq!(both.status, Some(2), "{both:?}");
}

#[test]
fn times_that_no_clock_shows_hide_no_change() {
    for seconds in ["0", "-100000", "1099511627776", "4000000000"] {
        let project = project();
        let set = |path: &str| {
            let touched = std::process::Command::new("touch")
                .arg(format!("--date=@{seconds}"))
                .arg(project.path(path))
                .status();
            touched.is_ok_and(|status| status.success())
        };
        if !set("src/a.rs") {
            continue;
        }
        project.index();
        // As many bytes as before, and the same time.
        project.write("src/a.rs", "pub fn alphb() {}\n");
        assert!(set("src/a.rs"));
        project.index();
        let name = project.lines("SELECT name FROM symbols WHERE file_path = 'src/a.rs'");
        assert_eq!(name, ["alphb"], "{seconds}");
    }
}

#[test]
fn facts_of_another_extractor_are_made_anew() {
    let project = project();
    let whole = dump::dump(&project, "");
    let other = "UPDATE meta SET value = '0-0' WHERE key = 'extractor_version';
                 UPDATE symbol SET signature = 'as it was made before';";
    project.database().execute_batch(other).expect("it is ours");
    let report = project.index();
    assert!(report.get("changes").is_none(), "{report}");
    assert_eq!(report["generation"], 2);
    dump::assert_equal(&whole, &dump::dump(&project, ""));
}

#[test]
fn a_foreign_or_broken_index_is_set_aside_and_built_anew() {
    for damage in [&b"not a database at all, but long enough to look like one"[..], b""] {
        let project = project();
        let whole = dump::dump(&project, "");
        std::fs::write(project.state("index.db"), damage).expect("a file of the test");
        let report = project.index();
        let notice = report["notices"][0].as_str().expect("a notice").to_owned();
        assert!(notice.contains("aside-1"), "{notice}");
        assert_eq!(std::fs::read(project.state("index.db.aside-1")).expect("it is kept"), damage);
        dump::assert_equal(&whole, &dump::dump(&project, ""));
    }
}

/// Starts a watcher and waits until it is at work.
fn watcher(project: &Project) -> Child {
    let child = project.command(&["watch", "--json"]).spawn().expect("the program starts");
    until("the watcher is active", || answer(project, &["status"])["index"]["watch"] == "active");
    child
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_watcher_takes_in_whatever_happens() {
    let project = project();
    let child = watcher(&project);
    let names = || project.lines("SELECT name FROM symbols ORDER BY name");
    project.write("src/a.rs", "pub fn alpha() {}\npub fn again() {}\n");
    until("a change is seen", || names().contains(&"again".to_owned()));
    project.write("deep/er/still/new.py", "def deep(): pass\n");
    until("a new directory is seen", || names().contains(&"deep".to_owned()));
    project.write("deep/er/still/more.py", "def more(): pass\n");
    until("it is watched", || names().contains(&"more".to_owned()));
    std::fs::rename(project.path("deep"), project.path("moved")).expect("a directory moves");
    until("a moved directory is seen", || {
        project.lines("SELECT path FROM files WHERE path LIKE '%more.py'")
            == ["moved/er/still/more.py"]
    });
    project.write(".gitignore", "moved/\n");
    until("an ignore file is heeded", || !names().contains(&"more".to_owned()));
    // An editor that writes beside the file and renames.
    project.write("src/b.rs.tmp", "pub fn renamed_over() {}\n");
    std::fs::rename(project.path("src/b.rs.tmp"), project.path("src/b.rs")).expect("a rename");
    until("a file that took another's place is seen", || {
        names().contains(&"renamed_over".to_owned())
    });
    let second = project.groma(&["watch", "--json"]);
    assert_eq!(second.status, Some(5), "{second:?}");
    // What was written just before the end is in.
    project.write("src/last.rs", "pub fn last_words() {}\n");
    signal(&child, "TERM");
    let outcome = wait(child, Duration::from_secs(20));
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    assert!(outcome.json()["updates"].as_u64().is_some_and(|count| count >= 6), "{outcome:?}");
    assert_eq!(project.processes(), Vec::<u32>::new());
    let watched = dump::dump(&project, "");
    project.index_with(&["--full"]);
    dump::assert_equal(&dump::dump(&project, ""), &watched);
}

fn git(directory: &std::path::Path, arguments: &[&str]) {
    let outcome = std::process::Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("git runs");
    assert!(outcome.status.success(), "{arguments:?}: {outcome:?}");
}

#[test]
fn a_worktree_takes_over_what_its_repository_knows_and_keeps_its_own_truth() {
    if std::process::Command::new("git").arg("--version").output().is_err() {
        eprintln!("not tried: there is no git");
        return;
    }
    let project = Project::with(NEIGHBOURS);
    project.write(".gitignore", ".groma\n");
    git(&project.root(), &["init", "-q"]);
    git(&project.root(), &["add", "-A"]);
    git(&project.root(), &["commit", "-q", "-m", "first"]);
    project.index();
    let other = Project::new();
    let tree = other.root().join("tree");
    let place = tree.to_str().expect("a path that is text");
    git(&project.root(), &["worktree", "add", "-q", "-b", "other", place]);
    std::fs::write(tree.join("only_here.rs"), "fn only_here() {}\n").expect("a file");
    let report = project.groma(&["index", place, "--json", "-q"]).json();
    assert_eq!(report["changes"]["extracted"], 1, "{report}");
    assert_eq!(project.groma(&["show", "only_here", "--json"]).status, Some(1));
    let shown = project.groma(&["show", "only_here", "--json", "--root", place]);
    assert_eq!(shown.status, Some(0), "{shown:?}");
    // What is in it is what a clone would have.
    let hashes = |arguments: &[&str]| {
        let mut all = vec!["dump", "--hash", "--root"];
        all.extend(arguments);
        project.groma(&all).stdout
    };
    let adopted = hashes(&[place]);
    let fresh = other.outside("fresh");
    let fresh = fresh.to_str().expect("a path that is text");
    let built = project.groma(&["index", place, "-q", "--full", "--state-dir", fresh]);
    assert_eq!(built.status, Some(0), "{built:?}");
    assert_eq!(adopted, hashes(&[place, "--state-dir", fresh]));
    // The commit is noted, without asking git.
    let commit = answer(&project, &["status"])["commit"].as_str().map(str::len);
    assert_eq!(commit, Some(40));
}

#[test]
fn going_back_to_a_branch_extracts_nothing() {
    let project = project();
    let first = project.read("src/a.rs");
    for round in 0..3 {
        project.write("src/a.rs", "pub fn on_the_branch() {}\n");
        let there = project.index();
        assert_eq!(there["changes"]["extracted"], u64::from(round == 0), "{there}");
        project.write("src/a.rs", &first);
        assert_eq!(project.index()["changes"]["extracted"], 0);
    }
}

#[test]
fn contents_that_left_a_small_project_do_not_pile_up() {
    let project = project();
    let text = "some words of a text\n".repeat(40_000);
    for round in 0..8 {
        project.write("large.txt", format!("{round}\n{text}"));
        project.index();
    }
    let retired: i64 = project
        .database()
        .query_row("SELECT sum(size) FROM file WHERE retired IS NOT NULL", [], |row| row.get(0))
        .expect("a sum");
    assert!((1..=4 << 20).contains(&retired), "{retired}");
}

#[test]
fn doctor_says_what_is_wrong_and_what_to_do() {
    let project = project();
    let healthy = answer(&project, &["doctor"]);
    let checks = healthy["checks"].as_array().expect("checks").clone();
    assert!(checks.len() > 8, "{healthy}");
    assert!(checks.iter().all(|check| check["health"] == "good"), "{healthy}");
    project.write("src/a.rs", "pub fn changed() {}\n");
    std::fs::write(project.state("index.db.aside-1"), "").expect("a file");
    let text = project.groma(&["doctor"]);
    assert_eq!(text.status, Some(0), "{text:?}");
    assert!(text.stdout.contains("1 files differ") && text.stdout.contains("aside-1"), "{text:?}");
    std::fs::write(project.state("index.db"), "broken").expect("a file");
    let broken = project.groma(&["doctor", "--json"]);
    assert_eq!(broken.status, Some(1), "{broken:?}");
    std::fs::remove_file(project.state("index.db")).expect("a file");
    assert!(project.groma(&["doctor"]).stdout.contains("Run `groma index`"));
}

#[test]
fn cx_22_projects_are_listed_found_and_deleted() {
    let project = project();
    project.write("inner/x.rs", "fn x() {}\n");
    let inner = project.path("inner");
    let inner = inner.to_str().expect("a path that is text");
    assert_eq!(project.groma(&["index", inner, "-q"]).status, Some(0));
    let roots = |arguments: &[&str]| -> Vec<String> {
        let found = answer(&project, arguments);
        let projects = found["projects"].as_array().expect("projects").clone();
        let root = |one: &Value| one["root"].as_str().expect("a root").to_owned();
        projects.iter().filter(|one| one["status"] == "ok").map(root).collect()
    };
    let whole = project.root().canonicalize().expect("it is there");
    let whole = whole.to_str().expect("a path that is text").to_owned();
    assert_eq!(roots(&["projects", "list"]), [whole.clone(), format!("{whole}/inner")]);
    assert_eq!(roots(&["projects", "scan"]).len(), 2);
    project.write("inner/.groma/config.toml", "workers = 2\n");
    let planned = answer(&project, &["projects", "delete", inner, "--dry-run"]);
    assert!(planned["deleted"].as_array().is_some_and(|list| list.len() >= 2), "{planned}");
    assert!(project.path("inner/.groma/index.db").exists());
    answer(&project, &["projects", "delete", inner]);
    assert!(!project.path("inner/.groma/index.db").exists());
    assert!(project.path("inner/.groma/config.toml").exists());
    assert_eq!(roots(&["projects", "list"]), [whole]);
    assert_eq!(project.groma(&["projects", "delete", inner, "--json"]).status, Some(1));
}

#[test]
fn texts_of_files_that_move_or_come_back_are_kept() {
    let project = project();
    let index = || project.index_with(&["--with-fts"]);
    let texts = || project.lines("SELECT file_path FROM source_fts ORDER BY file_path");
    index();
    assert_eq!(texts(), ["src/a.rs", "src/b.rs", "tests/c.py"]);
    std::fs::rename(project.path("src/a.rs"), project.path("src/moved.rs")).expect("a rename");
    index();
    assert_eq!(texts(), ["src/b.rs", "src/moved.rs", "tests/c.py"]);
    let text = project.read("src/b.rs");
    project.remove("src/b.rs");
    index();
    project.write("src/b.rs", text);
    assert_eq!(index()["changes"]["extracted"], 0);
    assert_eq!(texts(), ["src/b.rs", "src/moved.rs", "tests/c.py"]);
    let found = project.lines("SELECT file_path FROM source_fts WHERE source_fts MATCH 'beta'");
    assert_eq!(found, ["src/b.rs"]);
}

#[test]
fn a_connection_that_served_before_answers_from_what_is_published_now() {
    let project = project();
    let shelf = std::sync::Arc::new(store::Shelf::default());
    let open = || shelf.reader(&project.state("index.db")).expect("an index");
    let generation = |reader: &store::Reader| reader.meta("generation").expect("it is counted");
    let first = open();
    let before = generation(&first);
    project.write("src/a.rs", "pub fn other() {}\n");
    project.index();
    // Who reads, reads on as it was.
    assert_eq!(generation(&first), before);
    drop(first);
    let second = open();
    assert_ne!(generation(&second), before);
    let indexed = second.files().expect("files").len();
    drop(second);
    // A rebuilt index is another file at the same place.
    project.write("src/d.rs", "pub fn delta() {}\n");
    project.index_with(&["--full"]);
    assert_eq!(open().files().expect("files").len(), indexed + 1);
    // And one that is gone is gone, whatever is still open.
    std::fs::remove_file(project.state("index.db")).expect("it is there");
    assert!(shelf.reader(&project.state("index.db")).is_err());
}
