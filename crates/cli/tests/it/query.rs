//! `query` and `schema`: what can be asked, and in which shapes it is answered.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::project::{Outcome, Project};

/// Git in the project, as a user of it.
/// Runs git in a project and gives what it says.
pub(crate) fn git(project: &Project, arguments: &[&str]) -> String {
    let outcome = Command::new("git")
        .args([
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@example.com",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(["-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(project.root())
        .env("HOME", project.home())
        .output()
        .expect("git runs");
    assert!(outcome.status.success(), "git {arguments:?}");
    String::from_utf8(outcome.stdout).expect("git speaks UTF-8 here")
}

fn small() -> Project {
    let project = Project::with(&[
        ("src/one.py", "def first():\n    pass\n"),
        ("src/two.rs", "pub fn second() {}\n"),
        ("lib/three.py", "def third():\n    pass\n"),
        ("top.py", "def fourth():\n    pass\n"),
    ]);
    project.index();
    project
}

const SYMBOLS: &str = "SELECT name, file_path FROM symbols ORDER BY file_path";

fn names(outcome: &Outcome) -> Vec<String> {
    let rows = outcome.json();
    let rows = rows.as_array().expect("rows").clone();
    rows.iter().map(|row| row["name"].as_str().unwrap_or("-").to_owned()).collect()
}

#[test]
fn sql_comes_from_an_argument_a_file_or_standard_input() {
    let project = small();
    project.write("q.sql", "SELECT 'file' AS name");
    assert_eq!(names(&project.groma(&["query", "--file", "q.sql", "--json"])), ["file"]);
    let mut command = project.command(&["query", "-", "--json"]);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    use std::io::Write;
    child.stdin.take().expect("a pipe").write_all(b"SELECT 'input' AS name").expect("it reads");
    let outcome = crate::project::wait(child, std::time::Duration::from_secs(30));
    assert_eq!(names(&outcome), ["input"]);
    assert_eq!(project.groma(&["query"]).status, Some(2));
    assert_eq!(project.groma(&["query", "--file", "no-such.sql"]).status, Some(2));
}

#[test]
fn cm_40_nothing_can_be_written() {
    let project = small();
    let before = std::fs::read(project.state("index.db")).expect("an index");
    for sql in [
        "DELETE FROM file",
        "CREATE TABLE t (x)",
        "CREATE TEMP VIEW files AS SELECT 1",
        "DROP VIEW files",
    ] {
        let outcome = project.groma(&["query", sql, "--json"]);
        assert_eq!(outcome.status, Some(7), "{outcome:?}");
        assert_eq!(outcome.json()["error"]["code"], "not_read_only");
    }
    assert_eq!(std::fs::read(project.state("index.db")).expect("an index"), before);
}

#[test]
fn cm_41_rows_are_an_array_and_errors_are_an_object_with_a_status() {
    let project = small();
    let rows = project.groma(&["query", "SELECT 1 AS a, 'x' AS b, NULL AS c, 1.5 AS d", "--json"]);
    assert_eq!(rows.json(), json!([{"a": 1, "b": "x", "c": null, "d": 1.5}]));
    let long = format!("SELECT '{}' AS a", "x".repeat(100_000));
    assert_eq!(
        project.groma(&["query", &long, "--json"]).json()[0]["a"].as_str().map(str::len),
        Some(100_000)
    );
    for sql in ["SELEC", "SELECT * FROM nowhere", "SELECT 1 WHERE", ""] {
        let outcome = project.groma(&["query", sql, "--json"]);
        assert_eq!(outcome.status, Some(2), "{outcome:?}");
        assert!(
            outcome.json()["error"]["message"].is_string() && outcome.stderr.is_empty(),
            "{outcome:?}"
        );
    }
    let nothing = Project::new();
    let outcome = nothing.groma(&["query", "SELECT 1", "--json"]);
    assert_eq!(outcome.status, Some(3));
    assert!(
        outcome.json()["error"]["hint"].as_str().is_some_and(|hint| hint.contains("groma index"))
    );
}

#[test]
fn cm_42_unknown_tables_and_columns_are_answered_with_the_nearest() {
    let project = small();
    for (sql, nearest, page) in [
        // Of the table that the alias stands for, not of the first that is named.
        (
            "SELECT p.line FROM files AS f JOIN problems AS p ON p.file_path = f.path",
            "line_number",
            "groma schema problems",
        ),
        ("SELECT * FROM symbolz", "`symbols`", "groma schema"),
        ("SELECT * FROM dependency", "`dependencies`", "groma schema"),
        ("SELECT lines FROM files", "`line_count`", "groma schema files"),
        (
            "SELECT f.path, nam FROM files AS f JOIN symbols AS s ON s.file_path = f.path",
            "`name`",
            "groma schema symbols",
        ),
        ("SELECT lines_count FROM files", "`line_count`", "groma schema files"),
        ("SELECT s.complexty FROM symbols AS s", "`complexity`", "groma schema symbols"),
    ] {
        let hint = project.groma(&["query", sql, "--json"]).json()["error"]["hint"].clone();
        let hint = hint.as_str().expect("a hint").to_owned();
        assert!(hint.contains(nearest) && hint.contains(page), "{sql}: {hint}");
        assert!(hint.contains("groma index --full"), "{hint}");
    }
    let message = project.groma(&["query", "SELECT 1 FROM files WHERE ORDER", "--json"]).json();
    assert!(
        message["error"]["message"].as_str().is_some_and(|it| it.contains("at character")),
        "{message}"
    );
}

#[test]
fn cm_43_a_summary_counts_what_the_statement_gives() {
    let project = small();
    assert_eq!(project.groma(&["query", SYMBOLS, "--summary"]).stdout, "count: 4\n");
    let count =
        |sql: &str| project.groma(&["query", sql, "--summary", "--json", "--limit", "2"]).json();
    assert_eq!(count(SYMBOLS), json!({"count": 4}));
    // The statement runs: what is wrong with it is told.
    assert_eq!(project.groma(&["query", "SELECT nothing", "--summary"]).status, Some(2));
}

#[test]
fn cm_44_only_files_that_differ_from_a_commit() {
    let project = small();
    git(&project, &["init", "-q"]);
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "first"]);
    git(&project, &["checkout", "-q", "-b", "work"]);
    let since = |reference: &str| {
        names(&project.groma(&["query", SYMBOLS, "--changed-since", reference, "--json"]))
    };
    assert_eq!(since("main"), Vec::<String>::new());
    project.write("src/one.py", "def first_changed():\n    pass\n");
    git(&project, &["commit", "-q", "-am", "second"]);
    project.write("lib/three.py", "def third_changed():\n    pass\n");
    project.write("new.py", "def fifth():\n    pass\n");
    project.index();
    // Committed since, changed on disk, not known to git.
    assert_eq!(since("main"), ["third_changed", "fifth", "first_changed"]);
    assert_eq!(since("HEAD"), ["third_changed", "fifth"]);
    // What others did since on their branch is none of it.
    git(&project, &["stash", "-q", "-u"]);
    git(&project, &["checkout", "-q", "main"]);
    project.write("top.py", "def elsewhere():\n    pass\n");
    git(&project, &["commit", "-q", "-am", "theirs"]);
    git(&project, &["checkout", "-q", "work"]);
    project.index();
    assert_eq!(since("main"), ["first_changed"]);
    // Rows that name no file pass.
    let rows = project.groma(&["query", "SELECT 1 AS name", "--changed-since", "main", "--json"]);
    assert_eq!(rows.json().as_array().map(Vec::len), Some(1));
    // Lines that end otherwise are no change.
    project.write("src/one.py", "def first_changed():\r\n    pass\r\n");
    assert_eq!(since("HEAD"), Vec::<String>::new());
    // A link is what it says, not what it leads to.
    std::os::unix::fs::symlink("src/one.py", project.path("link.py")).expect("a link");
    git(&project, &["add", "link.py"]);
    git(&project, &["commit", "-q", "-m", "a link"]);
    let links = |reference: &str| {
        let sql = "SELECT path, path AS name FROM files WHERE path GLOB '*link.py'";
        names(&project.groma(&["query", sql, "--fresh", "--changed-since", reference, "--json"]))
    };
    assert_eq!(links("HEAD"), Vec::<String>::new());
    assert_eq!(links("main"), ["link.py"]);
    std::fs::remove_file(project.path("link.py")).expect("it is there");
    std::os::unix::fs::symlink("src/two.py", project.path("link.py")).expect("a link");
    assert_eq!(links("HEAD"), ["link.py"]);
    let long = "a".repeat(64 << 10);
    for bad in ["--output=x", "-n", "a..b", "@{-1}", "a\nb", &long, "no-such"] {
        let flag = format!("--changed-since={bad}");
        let outcome = project.groma(&["query", SYMBOLS, &flag, "--json"]);
        assert_eq!(outcome.status, Some(2), "{outcome:?}");
        assert_eq!(outcome.json()["error"]["code"], "bad_ref");
    }
    assert!(!project.path("x").exists());
    let outside = small();
    let outcome = outside.groma(&["query", SYMBOLS, "--changed-since", "main", "--json"]);
    assert_eq!(outcome.json()["error"]["code"], "no_git", "{outcome:?}");
}

#[test]
fn nothing_of_a_repository_is_run_to_see_what_changed() {
    let project = small();
    git(&project, &["init", "-q"]);
    git(&project, &["add", "."]);
    git(&project, &["commit", "-q", "-m", "first"]);
    let marker = project.outside("marker");
    let fire = format!("#!/bin/sh\necho fired >> {}\n", marker.display());
    let script = project.outside("fire");
    std::fs::write(&script, &fire).expect("a script");
    let run = |path: &std::path::Path| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("rights");
    };
    run(&script);
    let script = script.to_str().expect("a path");
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "diff.external",
        "gpg.program",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.x.textconv",
        "diff.x.command",
        "credential.helper",
        "core.askPass",
        "alias.ls-tree",
        "alias.rev-parse",
        "core.gitProxy",
    ] {
        git(&project, &["config", key, script]);
    }
    git(&project, &["config", "log.showSignature", "true"]);
    project.write(".git/info/attributes", "* filter=x diff=x\n");
    project.write(".gitattributes", "* filter=x diff=x\n");
    for hook in [
        "post-checkout",
        "pre-commit",
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
    ] {
        let path = project.path(&format!(".git/hooks/{hook}"));
        std::fs::write(&path, &fire).expect("a hook");
        run(&path);
    }
    // A git of its own in the repository, and variables that lead elsewhere.
    project.write("git", &fire);
    run(&project.path("git"));
    project.write("src/one.py", "def changed():\n    pass\n");
    project.index();
    let mut project = project;
    let path = std::env::var("PATH").unwrap_or_default();
    let root = project.root();
    project.set("PATH", &format!(".:{}:{path}", root.canonicalize().expect("a root").display()));
    for (name, value) in
        [("GIT_DIR", "/nonexistent"), ("GIT_EXTERNAL_DIFF", script), ("GIT_WORK_TREE", "/")]
    {
        project.set(name, value);
    }
    let found = project.groma(&[
        "query",
        "SELECT name, file_path FROM symbols WHERE language = 'python'",
        "--changed-since",
        "HEAD",
        "--json",
    ]);
    assert_eq!(names(&found), ["changed"], "{found:?}");
    assert!(!marker.exists(), "{}", std::fs::read_to_string(&marker).unwrap_or_default());
}

#[test]
fn cm_45_rows_are_grouped_by_where_their_file_belongs() {
    let project = small();
    project.write("CODEOWNERS", "* @all\n/src/ @core\n*.rs @rust\n");
    project.write("package.json", "{\"workspaces\": [\"packages/*\"]}");
    project.write("pnpm-workspace.yaml", "packages:\n  - 'apps/*'\n");
    for package in ["packages/a", "apps/b", "fixtures/c"] {
        project.write(&format!("{package}/package.json"), "{}");
        project.write(&format!("{package}/x.ts"), "export function f() {}\n");
    }
    project.index();
    let sql = "SELECT name, file_path FROM symbols WHERE kind = 'function' ORDER BY file_path";
    let groups = |by: &str| {
        let json = project.groma(&["query", sql, "--group-by", by, "--summary", "--json"]).json();
        assert_eq!(json["group_by"], by);
        let groups = json["groups"].as_array().expect("groups").clone();
        let group = |it: &serde_json::Value| {
            format!("{} {}", it["key"].as_str().unwrap_or("-"), it["count"])
        };
        groups.iter().map(group).collect::<Vec<String>>()
    };
    assert_eq!(
        groups("directory"),
        ["src 2", ". 1", "apps 1", "fixtures 1", "lib 1", "packages 1"]
    );
    assert_eq!(groups("owner"), ["@all 5", "@core 1", "@rust 1"]);
    assert_eq!(groups("package"), ["<root> 5", "apps/b 1", "packages/a 1"]);
    assert_eq!(groups("language"), ["python 3", "typescript 3", "rust 1"]);
    let json = project.groma(&["query", sql, "--group-by", "owner", "--json"]).json();
    assert_eq!(json["groups"][1]["rows"], json!([{"name": "first", "file_path": "src/one.py"}]));
    let nowhere =
        project.groma(&["query", "SELECT 1 AS x", "--group-by", "owner", "--json"]).json();
    assert_eq!(nowhere["groups"][0]["key"], "<unknown>");
    assert!(project.groma(&["query", sql, "--group-by", "owner"]).stdout.contains("@core  1"));
}

#[test]
fn several_statements_are_answered_one_by_one() {
    let project = small();
    let outcome = project.groma(&[
        "query",
        "SELECT 1 AS a; SELECT nothing; -- a comment;\n SELECT ';' AS c;",
        "--json",
    ]);
    let json = outcome.json();
    assert_eq!(json[0], json!([{"a": 1}]));
    assert!(json[1]["error"]["message"].as_str().is_some_and(|it| it.contains("nothing")));
    assert_eq!(json[2], json!([{"c": ";"}]));
    assert_eq!(outcome.status, Some(1), "one of them failed");
    let fine = project.groma(&["query", "SELECT 1; SELECT 2", "--summary", "--json"]);
    assert_eq!((fine.status, fine.json()), (Some(0), json!([{"count": 1}, {"count": 1}])));
    let text = project.groma(&["query", "SELECT 1 AS a; SELECT x"]).stdout;
    assert!(text.contains("-- statement 1") && text.contains("error: no such column"), "{text}");
    assert_eq!(project.groma(&["query", "SELECT 1; SELECT 2", "--format", "csv"]).status, Some(2));
}

#[test]
fn plans_limits_and_truncation_are_told() {
    let project = small();
    let plan =
        project.groma(&["query", "SELECT * FROM links WHERE target_id = 5", "--explain"]).stdout;
    assert!(plan.contains("links VIRTUAL TABLE INDEX 2"), "{plan}");
    let sql = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1500) SELECT x FROM c";
    let cut = project.groma(&["query", sql, "--json"]);
    assert_eq!(cut.json()["truncated"], true);
    assert_eq!(cut.json()["rows"].as_array().map(Vec::len), Some(1000));
    // Who says a limit gets what was asked for.
    let limited = project.groma(&["query", sql, "--json", "--limit", "10"]);
    assert_eq!(limited.json().as_array().map(Vec::len), Some(10));
    assert!(limited.stderr.contains("first 10 rows"), "{limited:?}");
    assert_eq!(
        project.groma(&["query", sql, "--json", "--limit", "5000"]).json().as_array().map(Vec::len),
        Some(1500)
    );
    for wrong in ["0", "31", "-1", "x"] {
        assert_eq!(
            project.groma(&["query", sql, &format!("--timeout={wrong}")]).status,
            Some(2),
            "{wrong}"
        );
    }
}

#[test]
fn queries_are_asked_again_if_files_have_changed() {
    let project = small();
    project.write("src/one.py", "def renamed():\n    pass\n");
    assert!(names(&project.groma(&["query", SYMBOLS, "--json"])).contains(&"renamed".to_owned()));
    project.write("src/more.py", "def added():\n    pass\n");
    let count = "SELECT count(*) AS name FROM files";
    let count = |flags: &[&str]| {
        let mut arguments = vec!["query", count, "--json"];
        arguments.extend(flags);
        project.groma(&arguments).json()[0]["name"].clone()
    };
    assert_eq!(count(&["--no-refresh"]), 4);
    assert_eq!(count(&[]), 5);
}

#[test]
fn the_schema_is_told_whole_and_by_table() {
    let project = Project::new();
    let all = project.groma(&["schema", "--json"]).json();
    let tables = all["tables"].as_array().expect("tables").clone();
    let names: Vec<&str> = tables.iter().filter_map(|table| table["name"].as_str()).collect();
    for name in ["files", "symbols", "links", "calls", "query_baselines", "boundary_rules", "file"]
    {
        assert!(names.contains(&name), "{name}");
    }
    let one = project.groma(&["schema", "symbols", "--json"]).json();
    assert!(one["columns"].as_array().is_some_and(|columns| columns.len() > 30));
    let example = one["example"].as_str().expect("an example").to_owned();
    let wrong = project.groma(&["schema", "symbls"]);
    assert!(wrong.status == Some(1) && wrong.stderr.contains("`symbols`"), "{wrong:?}");
    // Every example runs.
    let project = small();
    assert_eq!(project.groma(&["query", &example]).status, Some(0));
    for name in names {
        let example = project.groma(&["schema", name, "--json"]).json()["example"].clone();
        let outcome =
            project.groma(&["query", example.as_str().expect("an example"), "--no-refresh"]);
        assert_eq!(outcome.status, Some(0), "{name}: {outcome:?}");
    }
}

#[test]
fn rows_of_files_that_have_changed_are_said_to_be_old() {
    let project = small();
    let ask = |more: &[&str]| project.groma(&[&["query", SYMBOLS], more].concat());
    assert!(!ask(&["--no-refresh"]).stderr.contains("have changed"));
    project.write("top.py", "def renamed():\n    pass\n");
    for form in [&["--no-refresh"][..], &["--no-refresh", "--json"], &["--no-refresh", "--ci"]] {
        let outcome = ask(form);
        assert!(
            outcome.stderr.contains("files have changed since they were indexed"),
            "{outcome:?}"
        );
    }
    let fresh = ask(&["--json"]);
    assert!(
        fresh.stdout.contains("renamed") && !fresh.stderr.contains("have changed"),
        "{fresh:?}"
    );
}
