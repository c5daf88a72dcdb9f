//! What each command says: its answers as text and as JSON, its errors, its exit status.

mod interruption;
mod state;

use crate::project::{Outcome, Project};

fn small() -> Project {
    let project = Project::with(&[
        (
            "src/store.rs",
            "//! Keeps things.\n\n/// A store.\npub struct Store {\n    pub size: usize,\n}\n\nimpl Store {\n    /// Gets one.\n    pub fn get(&self, key: &str) -> Option<u32> {\n        if key.is_empty() { return None; }\n        self.size.try_into().ok()\n    }\n}\n",
        ),
        (
            "src/main.py",
            "from store import get\n\ndef main():\n    # TODO: more\n    return get('x')\n",
        ),
        ("readme.md", "# Title\n\n## Part\n"),
        ("data.bin", "\0"),
    ]);
    project.index();
    project
}

fn text(outcome: &Outcome) -> Vec<&str> {
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    outcome.stdout.lines().collect()
}

#[test]
fn index_says_what_it_found_and_what_it_left_out() {
    let project = small();
    let outcome = project.groma(&["index", "--full"]);
    let lines = text(&outcome);
    assert!(lines[0].starts_with("indexed 4 files · 7 symbols · "), "{lines:?}");
    assert!(lines[1].contains("of source →") && lines[1].ends_with("generation 2"), "{lines:?}");
    assert_eq!(lines[2], "  markdown 1 · python 1 · rust 1");
    assert_eq!(lines[3], "  skipped: binary 1");
    // Progress is no data.
    assert_eq!(
        outcome.stderr.lines().collect::<Vec<_>>(),
        ["collect", "extract: 4 files", "link", "link: 3 files", "indexes", "publish"]
    );
    assert_eq!(project.groma(&["index", "--quiet"]).stderr, "");
    let performance = project.groma(&["index", "--full", "--performance", "-q"]);
    for word in
        ["phases", "collect", "extract", "indexes", "publish", "slowest files", "src/store.rs"]
    {
        assert!(performance.stdout.contains(word), "{word}: {performance:?}");
    }
    let report = project.index();
    assert_eq!(report["files"], 4);
    assert_eq!(report["symbols"], 7);
    assert_eq!(report["languages"]["rust"], 1);
    assert_eq!(report["skipped"]["binary"], 1);
    // Nothing has changed since the last one was built anew.
    assert_eq!(report["generation"], 3);
    assert!(report.get("performance").is_none() && report.get("notices").is_none());
}

#[test]
fn index_says_what_changed() {
    let project = small();
    let again = project.groma(&["index"]);
    assert!(text(&again)[0].starts_with("up to date 4 files · 7 symbols"), "{again:?}");
    project.write("src/new.py", "def added(): pass\n");
    project.write("readme.md", "# Changed\n");
    project.remove("src/store.rs");
    let outcome = project.groma(&["index"]);
    let lines = text(&outcome);
    assert!(lines[0].starts_with("updated 4 files"), "{lines:?}");
    assert!(lines.contains(&"  1 added · 1 changed · 1 removed · 2 extracted"), "{lines:?}");
    // The content of a moved file is known.
    project.write("src/moved.py", "def added(): pass\n");
    project.remove("src/new.py");
    let report = project.index();
    assert_eq!(report["changes"]["extracted"], 0, "{report}");
    assert_eq!(report["generation"], 3);
}

#[test]
fn index_takes_a_directory_and_works_from_anywhere() {
    let project = small();
    let root = project.root();
    let mut command = project.command(&["index", root.to_str().expect("a path"), "--json", "-q"]);
    let child = command.current_dir(project.home()).spawn().expect("the program starts");
    let outcome = crate::project::wait(child, std::time::Duration::from_secs(30));
    assert_eq!(outcome.json()["files"], 4);
    // Inside a project, its index is found from every directory.
    let mut command = project.command(&["status", "--json"]);
    let child = command.current_dir(root.join("src")).spawn().expect("the program starts");
    let outcome = crate::project::wait(child, std::time::Duration::from_secs(30));
    assert_eq!(outcome.json()["files"], 4);
}

#[test]
fn status_counts() {
    let project = small();
    let outcome = project.groma(&["status"]);
    let lines = text(&outcome);
    assert_eq!(
        lines[0],
        project.root().canonicalize().expect("it exists").to_str().expect("a path")
    );
    assert!(lines[1].starts_with("  4 files · 22 lines · 7 symbols · "), "{lines:?}");
    assert!(lines[2].ends_with("generation 1"), "{lines:?}");
    assert_eq!(
        lines[3..],
        ["languages", "  markdown 1 · python 1 · rust 1", "skipped", "  binary 1"]
    );
    let json = project.groma(&["status", "--json"]).json();
    assert_eq!(json["lines"], 22);
    assert_eq!(json["index"]["complete"], true);
    assert_eq!(json["index"]["generation"], 1);
    assert!(json["database_bytes"].as_u64() > Some(0) && json["indexed_at"].as_u64() > Some(0));
}

#[test]
fn show_gives_one_symbol_however_it_is_named() {
    let project = small();
    let id = project.lines("SELECT id FROM symbols WHERE name = 'get'").remove(0);
    let key = "src/store.rs#Store::get";
    for name in
        ["get", "Store.get", "Store::get", key, "src/store.rs:11", "./src/store.rs#Store::get", &id]
    {
        let json = project.groma(&["show", name, "--json"]).json();
        assert_eq!(json["matches"][0]["key"], key, "{name}");
        assert_eq!(json["matches"].as_array().map(Vec::len), Some(1), "{name}");
    }
    let outcome = project.groma(&["show", "Store.get", "--source"]);
    assert_eq!(
        text(&outcome),
        [
            "method Store::get  src/store.rs:10",
            "  pub fn get(&self, key: &str) -> Option<u32>",
            "  public · exported · complexity 2 · lines 10-13",
            "  Gets one.",
            "    10     pub fn get(&self, key: &str) -> Option<u32> {",
            "    11         if key.is_empty() { return None; }",
            "    12         self.size.try_into().ok()",
            "    13     }",
        ]
    );
}

#[test]
fn show_lists_all_of_several_and_says_how_to_choose() {
    let project = small();
    let json = project.groma(&["show", "Store", "--json"]).json();
    assert_eq!(json["disambiguation"]["n"], 2);
    assert_eq!(json["disambiguation"]["by_kind"]["struct"], 1);
    assert_eq!(json["disambiguation"]["files"][0], "src/store.rs");
    let one =
        project.groma(&["show", "Store", "--kind", "struct", "--in", "./src/", "--json"]).json();
    assert_eq!(one["matches"].as_array().map(Vec::len), Some(1));
    assert!(one.get("disambiguation").is_none());
    let none = project.groma(&["show", "Store", "--in", "elsewhere", "--json"]);
    assert_eq!(none.status, Some(1));
    assert_eq!(none.error()["code"], "not_found");
    // There are two elsewhere, which are no other names that may be meant.
    assert!(none.error()["hint"].as_str().is_some_and(|hint| hint.contains("2 would")), "{none:?}");
}

#[test]
fn show_says_when_the_source_has_changed_or_is_gone() {
    let project = small();
    project.write("src/main.py", "# changed\ndef main(): pass\n");
    let changed = project.groma(&["show", "main", "--source", "--json", "--no-refresh"]).json();
    assert_eq!(changed["matches"][0]["stale"], true);
    assert!(changed["matches"][0]["source"].is_string());
    project.remove("src/main.py");
    let gone = project.groma(&["show", "main", "--source", "--json", "--no-refresh"]).json();
    assert_eq!(gone["matches"][0]["missing"], true);
    assert!(gone["matches"][0].get("source").is_none());
}

#[test]
fn outline_gives_signatures_without_bodies() {
    let project = small();
    let outcome = project.groma(&["outline", "src/store.rs"]);
    assert_eq!(
        text(&outcome),
        [
            "src/store.rs  rust · 14 lines",
            "  Keeps things.",
            "  A store.",
            "     4 struct pub struct Store",
            "     5   field pub size: usize",
            "     8 impl impl Store",
            "    10   method pub fn get(&self, key: &str) -> Option<u32>",
        ]
    );
    let json = project.groma(&["outline", "./src/store.rs", "--json"]).json();
    assert_eq!(json["symbols"][0]["children"][0]["name"], "size");
    assert_eq!(json["language"], "rust");
    let missing = project.groma(&["outline", "src/nothing.rs", "--json"]);
    assert_eq!(missing.status, Some(1));
    assert!(missing.error()["hint"].as_str().is_some_and(|hint| hint.contains("groma index")));
}

#[test]
fn query_gives_a_table_or_an_array() {
    let project = small();
    let sql = "SELECT path, line_count, reason FROM files ORDER BY path";
    assert_eq!(
        text(&project.groma(&["query", sql])),
        [
            "path          line_count  reason",
            "data.bin               0  binary",
            "readme.md              3",
            "src/main.py            5",
            "src/store.rs          14",
        ]
    );
    let json = project.groma(&["query", sql, "--json"]).json();
    assert_eq!(json[1], serde_json::json!({"path": "readme.md", "line_count": 3, "reason": null}));
    let cut = project.groma(&["query", sql, "--limit", "2"]);
    assert_eq!(cut.stdout.lines().last(), Some("first 2 rows; more with --limit"));
    assert_eq!(
        project.groma(&["query", sql, "--limit", "2", "--json"]).json().as_array().map(Vec::len),
        Some(2)
    );
}

#[test]
fn columns_of_the_same_name_are_all_there() {
    let project = small();
    let json =
        project.groma(&["query", "SELECT 1 AS x, 2 AS x, 3 AS x_2, 4 AS x", "--json"]).json();
    assert_eq!(json[0], serde_json::json!({"x": 1, "x_2": 2, "x_2_2": 3, "x_3": 4}));
}

#[test]
fn errors_have_a_hint_and_a_documented_exit_status() {
    let project = small();
    for (arguments, status, code, word) in [
        (&["query", "SELEC 1"][..], 2, "usage", "syntax error"),
        (&["query", "SELECT * FROM nowhere"], 2, "usage", "no such table"),
        (&["query", "SELECT nowhere FROM files"], 2, "usage", "no such column"),
        (&["query", "DELETE FROM file"], 7, "not_read_only", "only statements that read"),
        (&["query", "DELETE FROM files"], 7, "not_read_only", "only statements that read"),
        (&["query", "UPDATE sqlite_schema SET sql = ''"], 7, "not_read_only", "only statements"),
        (&["query", "CREATE TABLE t (x)"], 7, "not_read_only", "only statements that read"),
        (&["query", "UPDATE meta SET value = ''"], 7, "not_read_only", "only statements that read"),
        (&["query", "DROP TABLE file"], 7, "not_read_only", "only statements that read"),
        (&["show", "Stroe"], 1, "not_found", "no symbol matches"),
        (&["index", "/nowhere/at/all"], 2, "usage", "/nowhere/at/all"),
        (&["index", "src/main.py"], 2, "usage", "not a directory"),
        (&["index", "--workers", "1000"], 2, "usage", "workers"),
    ] {
        let outcome = project.groma(&[arguments, &["--json"]].concat());
        assert_eq!(outcome.status, Some(status), "{arguments:?}: {outcome:?}");
        let error = outcome.error();
        assert_eq!(error["code"], code, "{arguments:?}");
        assert!(error["message"].as_str().is_some_and(|text| text.contains(word)), "{error}");
        // The same as text: on standard error, the hint on the next line, nothing among the data.
        let outcome = project.groma(arguments);
        assert_eq!(outcome.status, Some(status), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        let last = outcome.stderr.lines().rev().find(|line| line.starts_with("error: "));
        assert!(last.is_some_and(|line| line.contains(word)), "{outcome:?}");
    }
    assert_eq!(project.lines("SELECT count(*) FROM files"), ["4"]);
}

#[test]
fn an_unknown_symbol_gives_the_nearest_names() {
    let project = small();
    let outcome = project.groma(&["show", "Stroe"]);
    assert_eq!(outcome.stderr, "error: no symbol matches `Stroe`\n  Did you mean `Store`?\n");
    let member = project.groma(&["show", "Store.gat"]);
    assert!(member.stderr.contains("Did you mean `Store.get`?"), "{member:?}");
    let other = project.groma(&["show", "Store.zzzzzzzzzz"]);
    assert!(other.stderr.contains("`groma show Store` lists its members"), "{other:?}");
    let far = project.groma(&["show", "zzzzzzzzzz"]);
    assert!(far.stderr.contains("groma outline"), "{far:?}");
}

#[test]
fn usage_errors_are_told_before_anything_is_opened() {
    let project = Project::new();
    for arguments in [&["nothing"][..], &["index", "--nothing"], &["query"], &["status", "stray"]] {
        let outcome = project.groma(arguments);
        assert_eq!(outcome.status, Some(2), "{arguments:?}: {outcome:?}");
        assert!(outcome.stderr.contains("--help"), "{outcome:?}");
    }
    for arguments in [&["--help"][..], &["--version"], &["index", "--help"]] {
        assert_eq!(project.groma(arguments).status, Some(0), "{arguments:?}");
    }
    assert!(!project.state("").exists());
}

#[test]
fn colour_is_there_only_when_asked_for() {
    let project = small();
    for arguments in
        [&["status"][..], &["show", "get"], &["outline", "src/store.rs"], &["query", "SELECT 1"]]
    {
        for choice in [&[][..], &["--color", "auto"], &["--color", "never"]] {
            let outcome = project.groma(&[arguments, choice].concat());
            assert!(!outcome.stdout.contains('\u{1b}'), "{arguments:?} {choice:?}");
        }
        let outcome = project.groma(&[arguments, &["--color", "always"]].concat());
        assert!(outcome.stdout.contains('\u{1b}'), "{arguments:?}");
        let json = project.groma(&[arguments, &["--json", "--color", "always"]].concat());
        assert!(!json.stdout.contains('\u{1b}'), "{arguments:?}");
    }
    let outcome = project.groma(&["show", "nothing", "--color", "always"]);
    assert!(outcome.stderr.contains("\u{1b}["), "{outcome:?}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    use std::io::Read;
    let project = small();
    let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50000) SELECT x FROM n";
    let mut child =
        project.command(&["query", sql, "--limit", "100000"]).spawn().expect("the program starts");
    let mut stdout = child.stdout.take().expect("it is piped");
    let mut first = [0; 8];
    stdout.read_exact(&mut first).expect("some rows");
    drop(stdout);
    let outcome = crate::project::wait(child, std::time::Duration::from_secs(30));
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), ""));
}

#[test]
fn progress_that_nobody_reads_is_no_error() {
    let project = small();
    let mut child =
        project.command(&["index", "--full", "--json"]).spawn().expect("the program starts");
    drop(child.stderr.take());
    let outcome = crate::project::wait(child, std::time::Duration::from_secs(30));
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
}

#[test]
fn the_state_of_a_project_further_down_is_no_source() {
    let project = small();
    project.write("inner/x.rs", "pub fn x() {}\n");
    let inner = project.path("inner");
    project.index_with(&[inner.to_str().expect("a path of text"), "--state-dir", ".groma"]);
    project.index();
    assert_eq!(project.lines("SELECT count(*) FROM files WHERE path LIKE '%.groma%'"), ["0"]);
}
