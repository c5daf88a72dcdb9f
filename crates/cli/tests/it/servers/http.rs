//! What the HTTP server offers.

use std::io::BufReader;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::web::{Web, read};
use crate::project::{NEIGHBOURS, Project};

fn small() -> Project {
    let project = Project::with(NEIGHBOURS);
    project.index();
    project
}

#[test]
fn operations_are_listed_described_and_answer() {
    let project = small();
    let web = Web::start(&project, &[]);
    let health = web.get("/health");
    assert_eq!((health.status, &health.json()["status"]), (200, &json!("ok")));
    let listed = web.get("/api").json();
    let operations = listed["operations"].as_array().expect("operations");
    assert!(operations.iter().any(|it| it["name"] == "search"), "{listed}");
    assert!(!operations.iter().any(|it| it["name"] == "watch"), "{listed}");
    let document = web.get("/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    assert!(document["paths"]["/api/show"]["post"].is_object());
    let shown = web.ask("show", &json!({"symbol": "add"}));
    assert_eq!(shown.status, 200, "{shown:?}");
    assert_eq!(shown.json()["matches"][0]["path"], "near/alpha.rs");
    assert_eq!(shown.header("x-groma-version"), Some(env!("CARGO_PKG_VERSION")));
    assert_eq!(shown.header("content-type"), Some("application/json"));
    // No body is no arguments.
    assert_eq!(
        web.send("POST", "/api/status", "content-type: application/json\r\n", "").status,
        200
    );
    let budget = web.ask("export", &json!({"what": "definitions", "max_tokens": 60}));
    assert!(tokens::count(&budget.body) <= 60, "{budget:?}");
}

#[test]
fn cm_84_errors_have_one_shape_and_a_status() {
    let project = small();
    let web = Web::start(&project, &[]);
    for (path, body, status, code) in [
        ("/api/show", json!({"symbol": "nothing like it"}), 404, "not_found"),
        ("/api/show", json!({}), 400, "usage"),
        ("/api/show", json!({"symbol": "add", "root": "/etc"}), 403, "root_not_allowed"),
        ("/api/remove", json!({"paths": ["near/alpha.rs"]}), 403, "read_only"),
        ("/api/describe", json!({"section": "purpose", "text": "x"}), 403, "read_only"),
        ("/api/watch", json!({}), 404, "not_found"),
        ("/api/nothing", json!({}), 404, "not_found"),
        ("/api/query", json!({"sql": "DELETE FROM symbols"}), 0, ""),
    ] {
        let answer = web.post(path, &body);
        let error = answer.json()["error"].clone();
        assert!(error["message"].is_string() && error["retryable"].is_boolean(), "{answer:?}");
        if status > 0 {
            assert_eq!((answer.status, &error["code"]), (status, &json!(code)), "{path} {body}");
        } else {
            assert!(answer.status >= 400, "{answer:?}");
        }
        assert!(answer.header("x-groma-version").is_some());
    }
    let broken = web.send("POST", "/api/show", "content-type: application/json\r\n", "{\"symbol\"");
    assert_eq!((broken.status, &broken.json()["error"]["code"]), (400, &json!("usage")));
    let array = web.send("POST", "/api/show", "content-type: application/json\r\n", "[1]");
    assert_eq!(array.status, 400);
}

#[test]
fn cm_85_each_form_has_its_type() {
    let project = small();
    let web = Web::start(&project, &[]);
    let sql = "SELECT file_path, line_start, name AS 'from', name AS 'to' FROM symbols";
    for (form, kind) in [
        ("sarif", "application/sarif+json"),
        ("annotations", "text/plain; charset=utf-8"),
        ("mermaid", "text/plain; charset=utf-8"),
        ("csv", "text/csv; charset=utf-8"),
        ("json", "application/json"),
    ] {
        let answer = web.ask("query", &json!({"sql": sql, "format": form}));
        assert_eq!(answer.status, 200, "{form}: {answer:?}");
        assert_eq!(answer.header("content-type"), Some(kind), "{form}");
    }
}

#[test]
fn the_model_context_protocol_is_served_with_sessions() {
    let project = small();
    let web = Web::start(&project, &[]);
    let accept =
        "content-type: application/json\r\naccept: application/json, text/event-stream\r\n";
    let send = |session: &str, message: &Value| {
        let headers = match session {
            "" => accept.to_owned(),
            id => format!("{accept}mcp-session-id: {id}\r\nmcp-protocol-version: 2025-06-18\r\n"),
        };
        web.send("POST", "/mcp", &headers, &message.to_string())
    };
    let event = |body: &str| -> Value {
        let lines = body.lines().filter_map(|line| line.strip_prefix("data: "));
        let mut messages = lines.filter_map(|data| serde_json::from_str(data).ok());
        messages.next().unwrap_or_else(|| panic!("no message: {body}"))
    };
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}});
    let begun = send("", &hello);
    assert_eq!(begun.status, 200, "{begun:?}");
    assert_eq!(event(&begun.body)["result"]["serverInfo"]["name"], "groma");
    let id = begun.header("mcp-session-id").expect("a session").to_owned();
    assert!(id.len() >= 32, "{id}");
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(send(&id, &initialized).status, 202);
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "show", "arguments": {"symbol": "add"}}});
    let answer = send(&id, &call);
    assert!(event(&answer.body)["result"]["content"][0]["text"].is_string(), "{answer:?}");
    // reliability.md 81: a session that was never begun, or is over, is unknown.
    assert_eq!(send("0123456789abcdef0123456789abcdef", &call).status, 404);
    let headers = format!("{accept}mcp-session-id: {id}\r\nmcp-protocol-version: 2025-06-18\r\n");
    let ended = web.send("DELETE", "/mcp", &headers, "");
    assert!(ended.status < 300, "{ended:?}");
    assert_eq!(send(&id, &call).status, 404);
}

#[test]
fn cm_86_a_signal_lets_it_finish_what_is_under_way() {
    let project = small();
    let mut web = Web::start(&project, &[]);
    let slow = json!({"sql": "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n \
        LIMIT 300000) SELECT max(x) AS most FROM n"});
    let body = slow.to_string();
    let mut stream = web.connect();
    let request = format!(
        "POST /api/query HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        web.host(),
        body.len()
    );
    std::io::Write::write_all(&mut stream, request.as_bytes()).expect("it reads");
    std::thread::sleep(Duration::from_millis(30));
    let idle = web.connect();
    let started = Instant::now();
    let reader = std::thread::spawn(move || read(&mut BufReader::new(stream)));
    assert_eq!(web.stop(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    let answer = reader.join().expect("it only reads").expect("it was answered");
    assert_eq!(answer.json()[0]["most"], 300_000);
    drop(idle);
    assert_eq!(project.processes(), Vec::<u32>::new());
}

#[test]
fn it_answers_before_the_first_index_is_there_and_after() {
    let project = Project::new();
    for number in 0..300 {
        project.write(&format!("src/part_{number}.py"), format!("def f{number}():\n    pass\n"));
    }
    let web = Web::start(&project, &["--patience", "0"]);
    assert_eq!(web.get("/health").status, 200);
    let early = web.ask("show", &json!({"symbol": "f1"}));
    if early.status != 200 {
        assert_eq!((early.status, &early.json()["error"]["code"]), (503, &json!("indexing")));
        assert_eq!(early.header("retry-after"), Some("1"));
    }
    let deadline = Instant::now() + Duration::from_secs(60);
    while web.ask("show", &json!({"symbol": "f1"})).status != 200 {
        assert!(Instant::now() < deadline, "it is never indexed");
        std::thread::sleep(Duration::from_millis(50));
    }
    // Watched from then on.
    project.write("src/late.py", "def late(): pass\n");
    let count = || web.ask("query", &json!({"sql": "SELECT count(*) AS n FROM files"})).json();
    while count()[0]["n"] != 301 {
        assert!(Instant::now() < deadline, "nobody watches");
        std::thread::sleep(Duration::from_millis(50));
    }
}
