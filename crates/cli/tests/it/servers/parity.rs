//! Every operation gives the same JSON on the command line, over MCP and over HTTP.

use serde_json::{Value, json};

use super::client::Client;
use super::web::Web;
use crate::project::Project;
use crate::query::git;

/// One question for each operation: as arguments of the command line, and as JSON.
fn questions() -> Vec<(&'static [&'static str], Value)> {
    vec![
        (&["index", "--wait", "30"], json!({"wait": 30})),
        (&["remove", "gone.py"], json!({"paths": ["gone.py"]})),
        (&["status"], json!({})),
        (&["validate"], json!({})),
        (&["find", "step", "--mode", "contains"], json!({"term": "step", "mode": "contains"})),
        (&["search", "run steps"], json!({"query": "run steps"})),
        (&["context", "make run faster"], json!({"task": "make run faster"})),
        (&["show", "run", "--source"], json!({"symbol": "run", "source": true})),
        (&["outline", "src/engine.rs"], json!({"files": ["src/engine.rs"]})),
        (&["tree", "--depth", "3"], json!({"depth": 3})),
        (&["overview"], json!({})),
        (&["summary", "--no-write"], json!({"no_write": true})),
        (
            &["describe", "purpose", "It runs.", "--replace"],
            json!({"section": "purpose", "text": "It runs.", "replace": true}),
        ),
        (&["docs", "--no-write"], json!({"no_write": true})),
        (&["callers", "step"], json!({"symbols": ["step"]})),
        (&["callees", "run"], json!({"symbols": ["run"]})),
        (&["references", "Engine"], json!({"symbols": "Engine"})),
        (&["hierarchy", "Engine"], json!({"symbol": "Engine"})),
        (&["path", "run", "step"], json!({"from": "run", "to": "step"})),
        (&["impact", "step"], json!({"target": "step"})),
        (&["changes", "--staged"], json!({"staged": true})),
        (&["affected", "src/engine.rs"], json!({"what": ["src/engine.rs"]})),
        (&["graph"], json!({})),
        (&["export", "definitions"], json!({"what": "definitions"})),
        (
            &["query", "SELECT name FROM symbols ORDER BY id"],
            json!({"sql": "SELECT name FROM symbols ORDER BY id"}),
        ),
        (&["recipes", "show", "dead-code"], json!({"action": "show", "id": "dead-code"})),
        (&["schema", "symbols"], json!({"table": "symbols"})),
        (&["dump", "--hash"], json!({"hash": true})),
        (&["doctor"], json!({})),
        (&["projects", "list"], json!({"action": "list"})),
        (&["link", "."], json!({"directory": "."})),
        (&["unlink", "nothing"], json!({"project": "nothing"})),
        (&["links"], json!({})),
    ]
}

/// Questions whose answers have another shape than the ones above.
fn other_questions() -> &'static [&'static [&'static str]] {
    &[
        &["index", "--full", "--performance"],
        &["search", "--literal", "step()"],
        &["search", "zzz"],
        &["show", "src/engine.rs:3"],
        &["outline", "src/engine.rs", "AGENTS.md"],
        &["references", "Engine", "step"],
        &["changes"],
        &["impact", "src/engine.rs", "--direction", "both"],
        &["graph", "--of", "files"],
        &["graph", "--of", "treemap"],
        &["export", "edges"],
        &["query", "SELECT name FROM symbols", "--summary"],
        &["query", "SELECT name, file_path FROM symbols", "--group-by", "directory"],
        &["query", "SELECT name FROM symbols", "--limit", "1"],
        &["query", "SELECT 1 AS one; SELECT nothing"],
        &["query", "SELECT name FROM symbols", "--save-baseline=b"],
        &["query", "SELECT name FROM symbols", "--baseline=b"],
        &["query", "--baselines"],
        &["query", "--drop-baseline", "b"],
        &["recipes"],
        &["recipes", "run", "dead-code"],
        &["schema"],
        &["schema", "--answer", "search"],
        &["dump"],
        &["doctor", "links"],
        &["link", "other"],
        &["links"],
    ]
}

/// What the program says that an operation answers.
fn schema_of(project: &Project, operation: &str) -> jsonschema::Validator {
    let schema = project.groma(&["schema", "--answer", operation, "--json"]).json();
    assert_eq!(schema["title"], format!("Answer of `{operation}`"));
    jsonschema::validator_for(&schema).expect("a schema")
}

#[test]
fn every_answer_is_what_its_schema_says() {
    let project = Project::with(&[
        (
            "src/engine.rs",
            "pub struct Engine;\nimpl Engine {\n    pub fn run(&self) { step() }\n}\npub fn step() {}\n",
        ),
        ("AGENTS.md", "Run the tests.\n"),
    ]);
    git(&project, &["init", "-q"]);
    git(&project, &["add", "-A"]);
    let changed = project.read("src/engine.rs").replace("step() {}", "step() { panic!() }");
    project.write("src/engine.rs", changed);
    project.write("other/lib.rs", "pub fn other() {}\n");
    project.index();
    project.index_with(&["other", "--allow-broad-root"]);
    let questions = questions();
    let all = questions.iter().map(|(words, _)| *words).chain(other_questions().iter().copied());
    let mut errors = Vec::new();
    for words in all {
        let answer = project.groma(&[words, &["--json", "--quiet"][..]].concat()).json();
        if answer.get("error").is_some() {
            errors.push(words.join(" "));
            continue;
        }
        if let Err(error) = schema_of(&project, words[0]).validate(&answer) {
            panic!("{words:?}: {error} at {} in {answer:#}", error.instance_path());
        }
    }
    let expected = ["remove gone.py", "link .", "unlink nothing"];
    assert_eq!(errors, expected);
    assert!(!schema_of(&project, "search").is_valid(&json!({"hits": 3})));
}

#[test]
fn structured_answers_are_what_their_tools_say() {
    let project = Project::with(&[("a.rs", "pub fn run() { step() }\npub fn step() {}\n")]);
    project.index();
    let mut client = Client::ready(&project, &["--tools", "all", "--structured", "--no-watch"]);
    client.text("status", json!({}));
    let tools = client.request("tools/list", json!({}));
    let tools = tools["result"]["tools"].as_array().expect("tools").clone();
    let questions = [
        ("search", json!({"query": "step"})),
        ("show", json!({"symbol": "run", "max_tokens": 60})),
        ("callers", json!({"symbols": ["step"]})),
        ("query", json!({"sql": "SELECT name FROM symbols"})),
        ("trace", json!({"step": "impact", "target": "step"})),
        ("overview", json!({})),
        ("tree", json!({})),
    ];
    for (name, arguments) in questions {
        let tool = tools.iter().find(|tool| tool["name"] == name).expect(name);
        let schema = jsonschema::validator_for(&tool["outputSchema"]).expect("a schema");
        let result = client.call(name, arguments);
        let structured = &result["structuredContent"];
        assert!(structured.is_object(), "{name}: {result}");
        if let Err(error) = schema.validate(structured) {
            panic!("{name}: {error} in {structured:#}");
        }
    }
}

/// Times and counters that differ between two runs of the same question.
fn steady(mut value: Value) -> Value {
    fn clear(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for (key, value) in map.iter_mut() {
                    let moves = ["milliseconds", "generation", "watch", "indexed_at", "wal_bytes"];
                    if moves.contains(&key.as_str()) {
                        *value = Value::Null;
                    }
                    clear(value);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(clear),
            _ => {}
        }
    }
    clear(&mut value);
    value
}

#[test]
fn cm_77_every_operation_gives_the_same_json_everywhere() {
    let project = Project::with(&[
        (
            "src/engine.rs",
            "pub struct Engine;\nimpl Engine {\n    pub fn run(&self) { step() }\n}\npub fn step() {}\n",
        ),
        ("AGENTS.md", "Run the tests.\n"),
    ]);
    project.index();
    let mut client = Client::ready(&project, &["--tools", "all", "--allow-write", "--no-watch"]);
    let web = Web::start(&project, &["--allow-write", "--no-watch"]);
    client.text("status", json!({}));
    let questions = questions();
    for entry in web.get("/api").json()["operations"].as_array().expect("operations") {
        let name = entry["name"].as_str().expect("a name");
        assert!(questions.iter().any(|(words, _)| words[0] == name), "{name} is not asked");
    }
    for (words, arguments) in &questions {
        let all = [words, &["--json", "--quiet"][..]].concat();
        let line = steady(project.groma(&all).json());
        let tool = words[0].replace('-', "_");
        let mut with_json = arguments.clone();
        with_json["json"] = true.into();
        with_json["max_tokens"] = 1_000_000.into();
        let result = client.call(&tool, with_json);
        let text = result["content"][0]["text"].as_str().expect("a text");
        let mcp: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(steady(mcp.clone()), line, "{words:?} over MCP");
        if mcp.get("error").is_none() {
            let structured = match &mcp {
                Value::Object(_) => mcp.clone(),
                other => json!({"result": other}),
            };
            assert_eq!(result["structuredContent"], structured, "{words:?}");
        }
        let http = web.ask(words[0], arguments);
        assert_eq!(steady(http.json()), line, "{words:?} over HTTP");
        assert_eq!(http.status == 200, line.get("error").is_none(), "{words:?}");
    }
}
