//! Rows saved under a name, and compared with later ones.

use serde_json::json;

use crate::project::Project;

fn small() -> Project {
    let project = Project::with(&[("a.py", "def one():\n    pass\ndef two():\n    pass\n")]);
    project.index();
    project
}

const SQL: &str = "SELECT name FROM symbols ORDER BY name";

#[test]
fn cm_46_a_baseline_keeps_what_was_asked_and_answered() {
    let project = small();
    let git = |arguments: &[&str]| crate::query::git(&project, arguments);
    git(&["init", "-q"]);
    git(&["add", "a.py"]);
    git(&["commit", "-q", "-m", "first"]);
    // A query of its own has no name.
    let nameless = project.groma(&["query", SQL, "--save-baseline", "--json"]);
    assert_eq!(nameless.status, Some(2), "{nameless:?}");
    let saved = project.groma(&["query", SQL, "--save-baseline=names", "--json"]).json();
    assert_eq!(
        (&saved["saved"]["name"], &saved["saved"]["row_count"]),
        (&json!("names"), &json!(2))
    );
    let saved =
        project.groma(&["query", "--recipe", "files-largest", "--save-baseline", "--json"]).json();
    assert_eq!(saved["saved"]["name"], "files-largest");
    let rows = project.rows(
        "SELECT name, recipe_id, sql, rows_json, row_count, git_ref, created_at FROM query_baselines WHERE name = 'names'",
    );
    assert_eq!(rows[0]["sql"], SQL);
    assert_eq!(rows[0]["recipe_id"], json!(null));
    assert_eq!(rows[0]["rows_json"], r#"[{"name":"one"},{"name":"two"}]"#);
    assert_eq!(rows[0]["git_ref"].as_str().map(str::len), Some(40));
    assert!(rows[0]["created_at"].as_i64() > Some(1_700_000_000_000));
    let listed = project.groma(&["query", "--baselines", "--json"]).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(2));
    assert!(listed[0].get("rows_json").is_none());
    // It survives whatever happens to the index.
    project.index_with(&["--full"]);
    std::fs::remove_file(project.state("index.db")).expect("an index");
    project.index();
    assert_eq!(
        project.groma(&["query", "--baselines", "--json"]).json().as_array().map(Vec::len),
        Some(2)
    );
    let dropped = project.groma(&["query", "--drop-baseline", "names", "--json"]).json();
    assert_eq!(dropped, json!({"dropped": "names"}));
    assert_eq!(project.groma(&["query", "--drop-baseline", "names"]).status, Some(1));
    assert_eq!(project.groma(&["query", SQL, "--baseline=names"]).status, Some(1));
}

#[test]
fn cm_47_a_comparison_tells_what_was_added_and_removed() {
    let project = small();
    project.groma(&["query", SQL, "--save-baseline=b"]);
    project.write("a.py", "def two():\n    pass\ndef three():\n    pass\n");
    let found = project.groma(&["query", SQL, "--baseline=b", "--json"]).json();
    assert_eq!(found["baseline"]["name"], "b");
    assert_eq!(found["current_row_count"], 2);
    assert_eq!(found["added"], json!([{"name": "three"}]));
    assert_eq!(found["removed"], json!([{"name": "one"}]));
    let summary = project.groma(&["query", SQL, "--baseline=b", "--summary", "--json"]).json();
    assert_eq!((&summary["added"], &summary["removed"]), (&json!(1), &json!(1)));
    let text = project.groma(&["query", SQL, "--baseline=b"]).stdout;
    assert!(text.contains("+ three") && text.contains("- one"), "{text}");
    // Equal rows count.
    project.groma(&["query", "SELECT 1 AS x UNION ALL SELECT 1", "--save-baseline=c"]);
    let found = project.groma(&["query", "SELECT 1 AS x", "--baseline=c", "--json"]).json();
    assert_eq!((&found["added"], &found["removed"]), (&json!([]), &json!([{"x": 1}])));
}

#[test]
fn cm_48_what_does_not_go_together_is_refused_at_once() {
    let project = Project::new();
    for arguments in [
        &["--group-by", "directory", "--save-baseline=x"][..],
        &["--group-by", "directory", "--baseline=x"],
        &["--format", "sarif", "--summary"],
        &["--format", "csv", "--group-by", "owner"],
        &["--format", "mermaid", "--baseline=x"],
        &["--format", "diff", "--save-baseline=x"],
        &["--ci", "--summary"],
        &["--save-baseline=x", "--baseline=x"],
    ] {
        let mut all = vec!["query", "SELECT 1"];
        all.extend(arguments);
        let outcome = project.groma(&all);
        assert_eq!(outcome.status, Some(2), "{arguments:?}: {outcome:?}");
        assert!(outcome.stderr.contains("do not go together"), "{outcome:?}");
    }
    // `--format` comes before `--json`.
    let project = small();
    assert_eq!(
        project.groma(&["query", "SELECT 1 AS x", "--format", "csv", "--json"]).stdout,
        "x\r\n1\r\n"
    );
    assert_eq!(
        project.groma(&["query", "SELECT 1 AS x", "--format", "text", "--json"]).stdout,
        "x\n1\n"
    );
    assert_eq!(
        project.groma(&["query", "SELECT 1 AS x", "--format", "json"]).json(),
        json!([{"x": 1}])
    );
}
