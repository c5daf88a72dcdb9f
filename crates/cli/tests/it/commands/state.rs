//! Where the index lives, and what may stand in its place.

use std::fs;
use std::os::unix::fs::symlink;

use crate::project::{NEIGHBOURS, Project, assert_neighbours_unharmed};

const QUESTIONS: &[&[&str]] =
    &[&["status"], &["show", "add"], &["outline", "near/alpha.rs"], &["query", "SELECT 1"]];

#[test]
fn without_an_index_every_question_says_to_make_one() {
    let project = Project::with(NEIGHBOURS);
    for question in QUESTIONS {
        let outcome = project.groma(&[question, &["--json"][..]].concat());
        assert_eq!(outcome.status, Some(3), "{question:?}: {outcome:?}");
        let error = outcome.error();
        assert_eq!(error["code"], "index");
        assert_eq!(error["hint"], "Run `groma index` first.");
    }
    assert!(!project.state("").exists(), "asking makes nothing");
}

#[test]
fn a_wrong_setting_is_named_with_its_line() {
    let project = Project::with(NEIGHBOURS);
    project.write(".groma/config.toml", "# Settings\nworkers = 2\nexlude = [\"a\"]\n");
    let outcome = project.groma(&["index", "--json"]);
    assert_eq!(outcome.status, Some(2), "{outcome:?}");
    let error = outcome.error();
    let message = error["message"].as_str().expect("a message");
    assert!(message.contains("line 3") && message.contains("exlude"), "{message}");
    assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("excluded-directories")));
    for (text, word) in [
        ("workers = 0\n", "workers"),
        ("max-file-size = -1\n", "max-file-size"),
        ("include = [\"../**\"]\n", "leaves the project"),
        ("include = [\"/etc/**\"]\n", "leaves the project"),
        ("include = [\"[\"]\n", "["),
        ("workers = 1\nworkers = 2\n", "workers"),
        ("text-index = \"yes\"\n", "line 1"),
    ] {
        project.write(".groma/config.toml", text);
        let outcome = project.groma(&["index", "--json"]);
        assert_eq!(outcome.status, Some(2), "{text}: {outcome:?}");
        let error = outcome.error();
        assert!(
            error["message"].as_str().is_some_and(|message| message.contains(word)),
            "{text}: {error}"
        );
    }
    assert!(!project.state("index.db").exists());
}

#[test]
fn settings_of_the_environment_are_checked_too() {
    for (name, value) in
        [("GROMA_WORKERS", "many"), ("GROMA_TEXT_INDEX", "yes"), ("GROMA_FILE_TIMEOUT", "0")]
    {
        let mut project = Project::with(NEIGHBOURS);
        project.set(name, value);
        let outcome = project.groma(&["index", "--json"]);
        assert_eq!(outcome.status, Some(2), "{name}: {outcome:?}");
    }
}

#[test]
fn roots_that_nobody_means_are_refused() {
    let project = Project::with(NEIGHBOURS);
    let home = project.home();
    let home = home.to_str().expect("a path");
    fs::create_dir(project.home().join(".ssh")).expect("a new directory");
    let keys = format!("{home}/.ssh");
    let above = project.outside("");
    for root in ["/", home, above.to_str().expect("a path"), "/etc", &keys] {
        let outcome = project.groma(&["index", root, "--json"]);
        assert_eq!(outcome.status, Some(7), "{root}: {outcome:?}");
        assert!(
            outcome.error()["hint"]
                .as_str()
                .is_some_and(|hint| hint.contains("--allow-broad-root"))
        );
    }
    assert!(!project.home().join(".groma").exists());
    fs::write(project.home().join("a.rs"), "fn a() {}\n").expect("a file");
    let outcome = project.groma(&["index", home, "--allow-broad-root", "--json", "-q"]);
    // The key with which this user marks indexes lies there too, and is not read.
    let report = outcome.json();
    assert_eq!(
        (&report["files"], &report["skipped"]["secret"]),
        (&2.into(), &1.into()),
        "{report}"
    );
}

#[test]
fn a_state_directory_that_is_a_link_is_refused_and_its_target_untouched() {
    let project = Project::with(NEIGHBOURS);
    fs::create_dir(project.outside("target")).expect("a new directory");
    symlink(
        project.outside("target"),
        project.state("").to_str().expect("a path").trim_end_matches('/'),
    )
    .expect("a link");
    for command in [&["index"][..], &["status"], &["query", "SELECT 1"]] {
        let outcome = project.groma(&[command, &["--json"]].concat());
        assert_eq!(outcome.status, Some(7), "{command:?}: {outcome:?}");
        assert!(
            outcome.error()["message"].as_str().is_some_and(|text| text.contains("symbolic link"))
        );
    }
    assert_eq!(fs::read_dir(project.outside("target")).expect("a directory").count(), 0);
}

#[test]
fn files_of_the_state_that_are_links_are_refused_and_their_targets_untouched() {
    for name in [
        "index.db",
        "index.db-wal",
        "index.db-shm",
        "index.db.building",
        "lock",
        ".gitignore",
        "config.toml",
    ] {
        let project = Project::with(NEIGHBOURS);
        let target = project.outside("precious");
        fs::write(&target, "precious").expect("a file");
        fs::create_dir(project.state("")).expect("a new directory");
        symlink(&target, project.state(name)).expect("a link");
        let outcome = project.groma(&["index", "--json"]);
        assert_eq!(outcome.status, Some(7), "{name}: {outcome:?}");
        assert_eq!(fs::read_to_string(&target).expect("a file"), "precious", "{name}");
        assert!(
            fs::symlink_metadata(project.state(name)).is_ok_and(|metadata| metadata.is_symlink())
        );
    }
}

#[test]
fn an_index_of_a_newer_version_is_left_alone() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    project
        .database()
        .execute_batch("PRAGMA user_version = 999; PRAGMA journal_mode = DELETE")
        .expect("it is ours");
    let before = fs::read(project.state("index.db")).expect("a file");
    for question in QUESTIONS {
        let outcome = project.groma(&[question, &["--json"][..]].concat());
        assert_eq!(outcome.status, Some(3), "{question:?}: {outcome:?}");
        let error = outcome.error();
        assert!(
            error["message"].as_str().is_some_and(|text| text.contains("newer version")),
            "{error}"
        );
        assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("newer version of groma")));
    }
    assert!(before == fs::read(project.state("index.db")).expect("a file"), "the file was changed");
}

#[test]
fn indexing_does_not_overwrite_an_index_of_a_newer_version() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    project
        .database()
        .execute_batch("PRAGMA user_version = 999; PRAGMA journal_mode = DELETE")
        .expect("it is ours");
    let before = fs::read(project.state("index.db")).expect("a file");
    // A watcher would try again and again what it must not do.
    for command in [&["index"][..], &["index", "--full"], &["remove", "src"], &["watch"]] {
        let outcome = project.groma(&[command, &["--json"]].concat());
        assert_eq!(outcome.status, Some(3), "{command:?}: {outcome:?}");
        assert_eq!(outcome.error()["code"], "newer_schema");
    }
    assert!(before == fs::read(project.state("index.db")).expect("a file"), "the file was changed");
}

#[test]
fn an_index_that_is_none_is_told_and_rebuilt() {
    let half = |project: &Project| {
        let bytes = fs::read(project.state("index.db")).expect("a file");
        fs::write(project.state("index.db"), &bytes[..bytes.len() / 2]).expect("it is ours");
    };
    let scrambled = |project: &Project| {
        let mut bytes = fs::read(project.state("index.db")).expect("a file");
        bytes[200..]
            .iter_mut()
            .step_by(3)
            .for_each(|byte| *byte = byte.wrapping_mul(31).wrapping_add(7));
        fs::write(project.state("index.db"), bytes).expect("it is ours");
    };
    let foreign = |project: &Project| {
        fs::remove_file(project.state("index.db")).expect("it is ours");
        project.database().execute_batch("CREATE TABLE mine (x)").expect("a new database");
    };
    let text = |project: &Project| {
        fs::write(project.state("index.db"), "no database").expect("it is ours")
    };
    let empty = |project: &Project| fs::write(project.state("index.db"), "").expect("it is ours");
    let older = |project: &Project| {
        project.database().execute_batch("PRAGMA user_version = 0").expect("it is ours")
    };
    type Spoil<'a> = &'a dyn Fn(&Project);
    let ways: [(&str, Spoil<'_>); 6] = [
        ("half", &half),
        ("scrambled", &scrambled),
        ("foreign", &foreign),
        ("text", &text),
        ("empty", &empty),
        ("older", &older),
    ];
    for (name, spoil) in ways {
        let project = Project::with(NEIGHBOURS);
        project.index();
        let _ = fs::remove_file(project.state("index.db-wal"));
        let _ = fs::remove_file(project.state("index.db-shm"));
        spoil(&project);
        for question in [&["status", "--json"][..], &["show", "add", "--json"]] {
            let outcome = project.groma(question);
            assert_eq!(outcome.status, Some(3), "{name} {question:?}: {outcome:?}");
            let error = outcome.error();
            assert!(
                error["hint"].as_str().is_some_and(|hint| hint.contains("groma index")),
                "{name}: {error}"
            );
        }
        project.index();
        assert_neighbours_unharmed(&project);
    }
}

#[test]
fn a_state_directory_can_stand_elsewhere() {
    let mut project = Project::with(NEIGHBOURS);
    project.index_with(&["--state-dir", "cache/groma"]);
    assert!(project.path("cache/groma/index.db").is_file() && !project.state("").exists());
    assert_eq!(project.groma(&["status"]).status, Some(3));
    let json = project.groma(&["status", "--state-dir", "cache/groma", "--json"]).json();
    assert_eq!(json["files"], 5, "the state is no part of the project");
    project.set("GROMA_STATE_DIR", "cache/groma");
    assert_eq!(project.groma(&["status"]).status, Some(0));
    // The flag beats the environment.
    assert_eq!(project.groma(&["status", "--state-dir", ".groma"]).status, Some(3));
}

#[test]
fn the_state_directory_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::with(NEIGHBOURS);
    project.index();
    let mode = fs::metadata(project.state("")).expect("a directory").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let mode = fs::metadata(project.state("index.db")).expect("an index").permissions().mode();
    assert_eq!(mode & 0o077, 0, "nobody else reads the index");
    // Whatever a user allows new files by default.
    let project = Project::with(NEIGHBOURS);
    let program = env!("CARGO_BIN_EXE_groma");
    let script =
        format!("umask 000; cd \"$1\"; {program} index -q && {program} recipes run fan-in");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(project.root()).env("HOME", project.home());
    assert!(command.output().expect("there is a shell").status.success());
    let of = |path: &std::path::Path| fs::metadata(path).expect("a file").permissions().mode();
    assert_eq!(of(&project.state("")) & 0o777, 0o700);
    let key = project.home().join(".local/share/groma/owner.key");
    assert_eq!(of(&key) & 0o777, 0o600);
}
