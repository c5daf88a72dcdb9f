//! Linked projects take part in answers, and never break one.

use std::fs;

use serde_json::{Value, json};

use crate::project::Project;

/// A project, and another one beside it with an index of its own.
fn two() -> Project {
    let project = Project::with(&[(
        "app.py",
        "def start():\n    return connect()\n\ndef connect():\n    pass\n",
    )]);
    project.index();
    let other = project.outside("library");
    fs::create_dir(&other).expect("a directory");
    fs::write(
        other.join("net.py"),
        "def connect():\n    # connect to the server\n    return dial()\n\ndef dial():\n    pass\n",
    )
    .expect("a file");
    let outcome = project.groma(&["index", "--quiet", "../library"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    project
}

fn ask(project: &Project, arguments: &[&str]) -> Value {
    project.groma(&[arguments, &["--json"]].concat()).json()
}

#[test]
fn cg_19_projects_are_linked_listed_and_unlinked() {
    let project = two();
    assert!(!project.state("user.db").exists());
    assert_eq!(ask(&project, &["links"]), json!({"links": []}));
    assert!(!project.state("user.db").exists(), "reading makes nothing");
    let linked = ask(&project, &["link", "../library"]);
    let root = project.outside("library").canonicalize().expect("it exists");
    assert_eq!(linked, json!({"id": 1, "name": "library", "root": root, "files_available": 1}));
    // A path is linked once.
    assert_eq!(ask(&project, &["link", "../library", "--name", "again"])["id"], 1);
    let links = ask(&project, &["links"]);
    assert_eq!(
        (&links["links"][0]["status"], &links["links"][0]["files"]),
        (&json!("ok"), &json!(1))
    );
    assert_eq!(links["links"].as_array().map(Vec::len), Some(1));
    let text = project.groma(&["links"]).stdout;
    assert!(text.contains("library") && text.contains("ok"), "{text}");
    // A new index does not forget what the user said.
    project.index_with(&["--full"]);
    assert_eq!(ask(&project, &["links"])["links"].as_array().map(Vec::len), Some(1));
    for name in ["nothing", "", "../elsewhere"] {
        let outcome = project.groma(&["unlink", name, "--json"]);
        assert_eq!(
            (outcome.status, outcome.error()["hint"].as_str()),
            (Some(1), Some("Linked are library."))
        );
    }
    assert_eq!(ask(&project, &["unlink", "library"])["name"], "library");
    assert_eq!(ask(&project, &["links"]), json!({"links": []}));
    assert_eq!(ask(&project, &["link", "../library", "--name", "net"])["name"], "net");
    assert_eq!(ask(&project, &["unlink", "../library"])["name"], "net");
}

#[test]
fn only_projects_with_an_index_can_be_linked() {
    let project = two();
    fs::create_dir(project.outside("bare")).expect("a directory");
    for (directory, status) in [("../bare", 1), ("../nowhere", 1), ("app.py", 1), (".", 2)] {
        let outcome = project.groma(&["link", directory, "--json"]);
        assert_eq!(outcome.status, Some(status), "{directory} {outcome:?}");
    }
    for name in ["", " ", "a:b", "a/b", "\u{1b}", &"x".repeat(100)] {
        assert_eq!(
            project.groma(&["link", "../library", "--name", name]).status,
            Some(2),
            "{name:?}"
        );
    }
    assert_eq!(ask(&project, &["links"]), json!({"links": []}));
}

#[test]
fn cg_08_find_show_and_references_look_through_linked_projects() {
    let project = two();
    ask(&project, &["link", "../library"]);
    let found = ask(&project, &["find", "connect"]);
    let rows: Vec<(&Value, &Value)> = found["matches"]
        .as_array()
        .expect("matches")
        .iter()
        .map(|row| (&row["project"], &row["path"]))
        .collect();
    let (none, library) = (Value::Null, json!("library"));
    let (app, net) = (json!("app.py"), json!("net.py"));
    assert_eq!(rows, [(&none, &app), (&none, &app), (&library, &net), (&library, &net)]);
    assert_eq!(
        (&found["total"], &found["matches"][3]["text"]),
        (&json!(4), &json!("    # connect to the server"))
    );
    assert_eq!(ask(&project, &["find", "connect", "--no-links"])["total"], 2);
    // The offset goes on into the linked project.
    let rest = ask(&project, &["find", "connect", "--offset", "3", "--limit", "1"]);
    assert_eq!(rest["matches"][0]["project"], "library");

    let shown = ask(&project, &["show", "connect"]);
    assert_eq!(
        (&shown["disambiguation"]["n"], &shown["matches"][1]["project"]),
        (&json!(2), &json!("library"))
    );
    assert_eq!(shown["matches"][1]["callees"]["first"][0]["name"], "dial");
    let shown = ask(&project, &["show", "dial", "--source"]);
    assert_eq!(
        (&shown["matches"][0]["project"], &shown["matches"][0]["source"]),
        (&json!("library"), &json!("def dial():\n    pass"))
    );
    assert_eq!(project.groma(&["show", "dial", "--no-links"]).status, Some(1));

    let callers = ask(&project, &["callers", "connect"]);
    assert_eq!(callers["symbols"].as_array().map(Vec::len), Some(2));
    assert_eq!(callers["found"][0]["symbol"]["key"], "app.py#start");
    let callers = ask(&project, &["callers", "dial"]);
    assert_eq!(
        (&callers["found"][0]["project"], &callers["found"][0]["path"]),
        (&json!("library"), &json!("net.py"))
    );
    let compact = project.groma(&["callers", "dial", "--compact"]).json();
    assert_eq!(compact["found"][0], "library:net.py:3 connect");
    assert!(project.groma(&["callers", "dial"]).stdout.contains("  [library] connect  net.py:3"));
    assert_eq!(project.groma(&["references", "nothing"]).status, Some(1));
}

#[test]
fn a_linked_project_that_is_broken_missing_or_foreign_is_named_and_breaks_nothing() {
    let project = two();
    ask(&project, &["link", "../library"]);
    let library = project.outside("library");
    let check = |reason: &str| {
        for question in [["find", "connect"], ["show", "connect"], ["callers", "connect"]] {
            let answer = ask(&project, &question);
            let skipped = &answer["skipped_projects"];
            assert_eq!(skipped[0]["project"], "library", "{question:?} {answer}");
            assert!(
                skipped[0]["reason"].as_str().is_some_and(|text| text.contains(reason)),
                "{reason}: {skipped}"
            );
            assert!(project.groma(&question).stdout.contains("not looked through: library"));
        }
        assert_ne!(ask(&project, &["links"])["links"][0]["status"], "ok");
    };
    let index = library.join(".groma/index.db");
    let good = fs::read(&index).expect("an index");
    fs::write(&index, "this is no database, however long it may be made to look").expect("a file");
    check("not an index");
    fs::write(&index, &good[..good.len() / 2]).expect("a file");
    let answer = ask(&project, &["find", "connect"]);
    assert_eq!(answer["matches"][0]["path"], "app.py", "half an index does no harm: {answer}");
    fs::remove_file(&index).expect("it was there");
    check("there is no index");
    fs::copy(project.state("index.db"), &index).expect("a copy");
    check("is that of");
    fs::remove_file(&index).expect("it was there");
    crate::project::shell("mkfifo \"$1\"", &index);
    let answer = ask(&project, &["find", "connect"]);
    assert_eq!(answer["matches"][0]["path"], "app.py", "a pipe is not waited for: {answer}");
    fs::remove_dir_all(&library).expect("it was there");
    check("library");
}

#[test]
fn user_data_that_came_with_a_repository_is_not_followed() {
    let project = two();
    ask(&project, &["link", "../library"]);
    // To another user, the same file is a stranger's.
    let mut stranger = project;
    let home = stranger.outside("other-home");
    fs::create_dir(&home).expect("a directory");
    stranger.set("HOME", home.to_str().expect("a path"));
    assert_eq!(stranger.groma(&["find", "connect", "--json"]).error()["code"], "not_own");
    stranger.index();
    assert_eq!(stranger.groma(&["index", "../library", "-q"]).status, Some(0));
    let answer = ask(&stranger, &["find", "connect"]);
    assert_eq!(answer["total"], 2);
    assert_eq!(answer["skipped_projects"][0]["project"], "user.db");
    assert_eq!(stranger.groma(&["link", "../library", "--json"]).error()["code"], "refused");
    // A link in its place is refused as a whole.
    let target = stranger.outside("elsewhere.db");
    fs::rename(stranger.state("user.db"), &target).expect("it moves");
    std::os::unix::fs::symlink(&target, stranger.state("user.db")).expect("a link");
    assert_eq!(stranger.groma(&["find", "connect", "--json"]).error()["code"], "refused");
}

#[test]
fn manifests_that_a_rule_ignores_are_read_all_the_same() {
    let project = Project::with(&[
        ("packages/core/.gitignore", "**/package.json\n*.js\n"),
        ("packages/core/package.json", r#"{"name": "core", "exports": {"./v2": "./src/v2.ts"}}"#),
        ("packages/core/src/v2.ts", "export function parse() {}\n"),
        ("packages/core/src/use.ts", "import { parse } from 'core/v2';\nparse();\n"),
        ("packages/core/made.js", "made();\n"),
    ]);
    project.index();
    let callers = ask(&project, &["callers", "parse"]);
    assert_eq!(callers["found"][0]["path"], "packages/core/src/use.ts", "{callers}");
    let files = project.lines("SELECT path FROM files ORDER BY path");
    assert!(files.contains(&"packages/core/package.json".to_owned()), "{files:?}");
    assert!(!files.contains(&"packages/core/made.js".to_owned()), "{files:?}");
}
