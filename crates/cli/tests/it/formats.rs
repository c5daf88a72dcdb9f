//! Rows in forms that other programs read, and names made to break them.

use serde_json::{Value, json};

use crate::project::{Outcome, Project};

/// Names as a hostile repository has them.
const NAMES: &[&str] = &[
    "plain",
    "a\"]; click n0 \"javascript:alert(1)\"",
    "<img src=x onerror=alert(1)>",
    "</script>%%{init: {}}%%",
    "a\n::error::b",
    "100%0A::warning::c",
    "a,b:c",
    "\u{1b}[31mred\u{1b}]8;;http://x\u{7}",
    "\u{202e}reversed\u{200b}",
    "=cmd|' /C calc'!A0",
    "\\N{x}\\",
    "#quot; `code` | pipe",
    "tab\tand\rreturn",
];

fn small() -> Project {
    let project = Project::with(&[(
        "src/a.py",
        "def one():\n    return two()\n\ndef two():\n    return 1\n",
    )]);
    project.index();
    project
}

/// A statement that gives these rows.
fn values(columns: &str, rows: &[Vec<&str>]) -> String {
    let cell = |text: &&str| format!("'{}'", text.replace('\'', "''"));
    let row =
        |row: &Vec<&str>| format!("({})", row.iter().map(cell).collect::<Vec<String>>().join(", "));
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("WITH t ({columns}) AS (VALUES {}) SELECT * FROM t", rows.join(", "))
}

fn formatted(project: &Project, sql: &str, form: &str) -> Outcome {
    project.groma(&["query", sql, "--format", form, "--no-refresh"])
}

fn messages() -> String {
    let rows: Vec<Vec<&str>> = NAMES.iter().map(|name| vec!["src/a b#?%é.py", *name]).collect();
    let sql = values("file_path, message", &rows);
    sql.replace(
        "SELECT * FROM t",
        "SELECT file_path, 3 AS line_start, 5 AS line_end, message FROM t",
    )
}

#[test]
fn cm_56_sarif_is_valid_and_says_where_and_what() {
    let project = small();
    let schema: Value =
        serde_json::from_str(include_str!("fixtures/sarif-schema-2.1.0.json")).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let valid = |text: &str| -> Value {
        let log: Value = serde_json::from_str(text).expect("JSON");
        let wrong: Vec<String> =
            validator.iter_errors(&log).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
        log
    };
    let log = valid(&formatted(&project, &messages(), "sarif").stdout);
    let results = log["runs"][0]["results"].as_array().expect("results").clone();
    assert_eq!(results.len(), NAMES.len());
    for (result, name) in results.iter().zip(NAMES) {
        assert_eq!(result["message"]["text"], *name);
        assert_eq!(result["ruleId"], "groma.adhoc");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "src/a%20b%23%3F%25%C3%A9.py");
        assert_eq!(place["region"], json!({"startLine": 3, "endLine": 5}));
    }
    // The first of these columns says where.
    let rows = "SELECT 'from.py' AS from_path, 'to.py' AS to_path, 'p.py' AS path, 0 AS line";
    let log = valid(&formatted(&project, rows, "sarif").stdout);
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "p.py");
    assert!(place.get("region").is_none(), "there is no line 0");
    // Without one, nothing is reported, and that is told.
    let outcome = formatted(&project, "SELECT 1 AS x", "sarif");
    assert_eq!(valid(&outcome.stdout)["runs"][0]["results"], json!([]));
    assert!(outcome.stderr.contains("no column says where"), "{outcome:?}");
    let outside =
        "SELECT '../../etc/passwd' AS path UNION ALL SELECT '/etc/passwd' UNION ALL SELECT NULL";
    let outcome = formatted(&project, outside, "sarif");
    assert_eq!(valid(&outcome.stdout)["runs"][0]["results"], json!([]));
    assert!(outcome.stderr.contains("3 rows have no place"), "{outcome:?}");
    // A recipe is a rule with a level and a description.
    let log = valid(
        &project
            .groma(&["recipes", "run", "large-functions", "--params", "min=1", "--format", "sarif"])
            .stdout,
    );
    let rule = &log["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["id"], "groma.large-functions");
    assert!(rule["fullDescription"]["text"].as_str().is_some_and(|text| text.contains("Limits: ")));
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "groma.large-functions");
}

#[test]
fn cm_55_a_check_gives_sarif_and_fails_on_findings() {
    let project = small();
    let found = project.groma(&["query", "SELECT path FROM files", "--ci"]);
    assert_eq!(found.status, Some(1), "{found:?}");
    assert_eq!(found.json()["version"], "2.1.0");
    assert_eq!(found.stderr, "");
    let none = project.groma(&["query", "SELECT path FROM files WHERE 0", "--ci"]);
    assert_eq!((none.status, &none.json()["runs"][0]["results"]), (Some(0), &json!([])));
    let other =
        project.groma(&["query", "SELECT path FROM files", "--ci", "--format", "annotations"]);
    assert_eq!(other.status, Some(1), "{other:?}");
    assert!(other.stdout.starts_with("::notice file=src/a.py"), "{other:?}");
    assert_eq!(project.groma(&["query", "SELECT 1", "--ci", "--format", "csv"]).status, Some(2));
}

#[test]
fn cm_58_annotations_are_one_command_for_each_row() {
    let project = small();
    let outcome = formatted(&project, &messages(), "annotations");
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), NAMES.len(), "{lines:#?}");
    for line in &lines {
        assert!(
            line.starts_with("::notice file=src/a b#?%25é.py,line=3,endLine=5,title=groma.adhoc::"),
            "{line}"
        );
        assert!(
            !line.contains('\u{1b}') && !line.contains('\r') && !line.contains('\u{202e}'),
            "{line}"
        );
    }
    assert!(lines[4].ends_with("::a ::error::b"), "{}", lines[4]);
    assert!(lines[5].ends_with("::100%250A::warning::c"), "{}", lines[5]);
    let path = values("file_path, message", &[vec!["a,b:c\n%.py", "m"]]);
    let outcome = formatted(&project, &path, "annotations");
    assert_eq!(outcome.stdout, "::notice file=a%2Cb%3Ac%0A%25.py,title=groma.adhoc::m\n");
}

fn edges() -> String {
    let rows: Vec<Vec<&str>> = NAMES.iter().map(|name| vec![*name, "to", *name]).collect();
    values("\"from\", \"to\", label", &rows)
}

#[test]
fn cm_59_mermaid_charts_hold_any_name_and_at_most_fifty_edges() {
    let project = small();
    let chart = formatted(&project, &edges(), "mermaid");
    let lines: Vec<&str> = chart.stdout.lines().collect();
    assert_eq!(lines[0], "flowchart LR");
    // The whole grammar that is used: a node with a quoted label, an edge with or without one.
    let number = |text: &str| {
        text.strip_prefix('n').is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    let label = |text: &str| {
        let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        inner.is_some_and(|inner| {
            let plain = |c: char| c.is_alphanumeric() || " _-./:,+*=()[]{}~^!?@$|'#;\\".contains(c);
            !inner.is_empty() && inner.chars().all(plain) && !inner.contains("%%")
        })
    };
    for line in &lines[1..] {
        let line = line.strip_prefix("    ").expect("indented");
        let is_node = line
            .split_once('[')
            .is_some_and(|(id, rest)| number(id) && rest.strip_suffix(']').is_some_and(label));
        let is_edge = line.split_once(" -->").is_some_and(|(from, rest)| {
            let (text, to) = match rest.strip_prefix('|') {
                Some(rest) => rest.rsplit_once("| ").unwrap_or(("", "")),
                None => ("\"x\"", rest.trim_start()),
            };
            number(from) && number(to) && label(text)
        });
        assert!(is_node || is_edge, "{line}");
    }
    let many = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 51) SELECT x AS \"from\", x + 1 AS \"to\" FROM c";
    let outcome = formatted(&project, many, "mermaid");
    assert_eq!(outcome.status, Some(4), "{outcome:?}");
    for word in ["51 edges", "50", "LIMIT", "--via", "WHERE"] {
        assert!(outcome.stderr.contains(word), "{word}: {outcome:?}");
    }
    assert_eq!(formatted(&project, "SELECT 1 AS x", "mermaid").status, Some(2));
    let plain = formatted(&project, "SELECT 'a' AS from_path, 'b' AS to_path", "mermaid").stdout;
    assert_eq!(plain, "flowchart LR\n    n0[\"a\"]\n    n1[\"b\"]\n    n0 --> n1\n");
}

/// Reads a graph by the grammar of Graphviz, as far as it is used: its nodes' and edges' labels.
fn read_dot(text: &str) -> (Vec<String>, Vec<(String, String)>) {
    let mut rest = text.strip_prefix("digraph groma {").expect("a graph").trim_end();
    rest = rest.strip_suffix('}').expect("it ends");
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let mut tokens = Vec::new();
    let mut characters = rest.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            c if c.is_whitespace() => {}
            '"' => {
                let mut word = String::from("\"");
                loop {
                    match characters.next().expect("a text ends") {
                        '"' => break,
                        '\\' => word.push(characters.next().expect("an escape ends")),
                        c => word.push(c),
                    }
                }
                tokens.push(word);
            }
            '-' => {
                assert_eq!(characters.next(), Some('>'));
                tokens.push("->".to_owned());
            }
            c if c.is_ascii_alphanumeric() => {
                let mut word = c.to_string();
                while characters.peek().is_some_and(char::is_ascii_alphanumeric) {
                    word.extend(characters.next());
                }
                tokens.push(word);
            }
            '[' | ']' | '=' | ';' => tokens.push(c.to_string()),
            other => panic!("{other:?} stands outside of quotes"),
        }
    }
    for statement in tokens.split(|token| token == ";").filter(|statement| !statement.is_empty()) {
        let words: Vec<&str> = statement.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["rankdir", "=", "LR"] | ["node", "[", "shape", "=", "box", "]"] => {}
            [_, "[", "label", "=", label, "]"] => {
                nodes.push(label.trim_start_matches('"').to_owned())
            }
            [from, "->", to] => edges.push(((*from).to_owned(), (*to).to_owned())),
            [from, "->", to, "[", "label", "=", _, "]"] => {
                edges.push(((*from).to_owned(), (*to).to_owned()))
            }
            other => panic!("{other:?}"),
        }
    }
    (nodes, edges)
}

#[test]
fn graphs_for_graphviz_hold_any_name() {
    let project = small();
    let (nodes, edges) = read_dot(&formatted(&project, &edges(), "dot").stdout);
    assert_eq!((nodes.len(), edges.len()), (NAMES.len() + 1, NAMES.len()));
    assert!(nodes.contains(&"a\"]; click n0 \"javascript:alert(1)\"".to_owned()), "{nodes:?}");
    assert!(nodes.contains(&"\\N{x}\\".to_owned()), "{nodes:?}");
}

/// Reads comma-separated values as RFC 4180 has them.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut characters = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = characters.next() {
        let row = rows.last_mut().expect("a row");
        match (quoted, c) {
            (true, '"') if characters.peek() == Some(&'"') => {
                characters.next();
                row.last_mut().expect("a cell").push('"');
            }
            (_, '"') => quoted = !quoted,
            (false, ',') => row.push(String::new()),
            (false, '\r') if characters.peek() == Some(&'\n') => {
                characters.next();
                rows.push(vec![String::new()]);
            }
            (_, c) => row.last_mut().expect("a cell").push(c),
        }
    }
    rows.pop();
    rows
}

#[test]
fn values_in_csv_are_quoted_and_no_formulas() {
    let project = small();
    let cells = [
        "=1+1",
        "+1",
        "-1",
        "@x",
        "\ttab",
        "\rreturn",
        "a \"quoted\", text",
        "two\nlines",
        "plain",
        "",
    ];
    let rows: Vec<Vec<&str>> = cells.iter().map(|cell| vec![*cell, "x"]).collect();
    let sql = values("a, b", &rows).replace("SELECT *", "SELECT a, b, -5 AS c, NULL AS d");
    let found = read_csv(&formatted(&project, &sql, "csv").stdout);
    assert_eq!(found[0], ["a", "b", "c", "d"]);
    for (row, cell) in found[1..].iter().zip(cells) {
        let expected = if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) {
            format!("'{cell}")
        } else {
            cell.to_owned()
        };
        assert_eq!(row, &[expected, "x".to_owned(), "-5".to_owned(), String::new()]);
    }
    // JSON keeps what was there.
    let lines = formatted(&project, &sql, "jsonl").stdout;
    let first: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    assert_eq!(first, json!({"a": "=1+1", "b": "x", "c": -5, "d": null}));
    assert_eq!(lines.lines().count(), cells.len());
}

#[test]
fn text_shows_no_control_characters() {
    let project = small();
    let outcome = project.groma(&["query", &messages(), "--no-refresh"]);
    for c in outcome.stdout.chars() {
        let is_trick = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
        assert!(c == '\n' || !(c.is_control() || is_trick), "{c:?}");
    }
    let wrong = project.groma(&["query", "SELECT \u{1b}[31m"]);
    assert!(!wrong.stderr.contains('\u{1b}'), "{wrong:?}");
}

#[test]
fn issues_for_code_climate_keep_their_identity_when_lines_move() {
    let project = small();
    let issues = |sql: &str| -> Vec<Value> {
        let outcome = formatted(&project, sql, "codeclimate");
        outcome.json().as_array().expect("issues").clone()
    };
    let first = issues(
        "SELECT 'a.py' AS file_path, 3 AS line_start, 'm' AS message UNION ALL SELECT 'a.py', 9, 'm'",
    );
    let later = issues("SELECT 'a.py' AS file_path, 5 AS line_start, 'm' AS message");
    assert_eq!(first[0]["fingerprint"], later[0]["fingerprint"]);
    assert_ne!(first[0]["fingerprint"], first[1]["fingerprint"]);
    assert_eq!(first[0]["location"], json!({"path": "a.py", "lines": {"begin": 3, "end": 3}}));
    assert_eq!(
        (&first[0]["severity"], &first[0]["check_name"]),
        (&json!("info"), &json!("groma.adhoc"))
    );
    assert_eq!(issues(&messages()).len(), NAMES.len());
}

fn renames(rows: &[(&str, i64, &str, &str)]) -> String {
    let row = |(path, line, before, after): &(&str, i64, &str, &str)| {
        format!(
            "SELECT '{path}' AS file_path, {line} AS line_start, '{before}' AS before_pattern, '{after}' AS after_pattern"
        )
    };
    rows.iter().map(row).collect::<Vec<String>>().join(" UNION ALL ")
}

#[test]
fn cm_60_changes_are_a_diff_that_git_applies() {
    let project = small();
    let crlf: String = (1..20).map(|n| format!("x{n} = two\r\n")).collect();
    project.write("src/b.py", &crlf);
    let sql = renames(&[
        ("src/a.py", 2, "two", "three"),
        ("src/a.py", 4, "two", "three"),
        ("src/b.py", 3, "two", "three"),
        ("src/b.py", 18, "two", "three"),
        ("src/a.py", 1, "gone", "x"),
        ("src/no.py", 1, "two", "three"),
        ("../outside.py", 1, "two", "three"),
    ]);
    let before = project.read("src/a.py");
    let outcome = formatted(&project, &sql, "diff");
    assert_eq!(project.read("src/a.py"), before, "nothing is written");
    assert!(
        outcome.stderr.contains("src/a.py: stale") && outcome.stderr.contains("src/no.py: missing"),
        "{outcome:?}"
    );
    project.write("change.diff", &outcome.stdout);
    crate::query::git(&project, &["init", "-q"]);
    crate::query::git(&project, &["apply", "change.diff"]);
    assert_eq!(project.read("src/a.py"), before.replace("two", "three"));
    assert_eq!(
        project.read("src/b.py"),
        crlf.replace("x3 = two", "x3 = three").replace("x18 = two", "x18 = three")
    );
    project.write("src/a.py", &before);
    project.write("src/b.py", &crlf);
    let json = formatted(&project, &sql, "diff-json").json();
    assert_eq!(json["summary"], json!({"files": 2, "hunks": 4, "stale": 1, "missing": 2}));
    let file = |path: &str| {
        let files = json["files"].as_array().expect("files").clone();
        files.into_iter().find(|file| file["file_path"] == path).expect("it is listed")
    };
    assert_eq!(
        file("src/a.py")["hunks"][0],
        json!({"line_start": 2, "before": "    return two()", "after": "    return three()"})
    );
    assert_eq!(
        (&file("src/a.py")["stale"], &file("src/no.py")["missing"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(3));
    assert_eq!(formatted(&project, "SELECT 1 AS x", "diff").status, Some(2));
    // Several on one line, and no part of a longer word.
    project.write("src/c.py", "two(two, twofold)\n");
    let diff = formatted(
        &project,
        &renames(&[("src/c.py", 1, "two", "3"), ("src/c.py", 1, "two", "3")]),
        "diff",
    )
    .stdout;
    assert!(diff.contains("+3(3, twofold)\n"), "{diff}");
}
