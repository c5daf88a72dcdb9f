//! Every operation gives the same JSON on the command line, over MCP and over HTTP.

use serde_json::{Value, json};

use super::client::Client;
use super::web::Web;
use crate::project::Project;

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
