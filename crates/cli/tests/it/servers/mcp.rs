//! What a session of the Model Context Protocol can do.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::Client;
use crate::project::{NEIGHBOURS, Project};

fn shop() -> Project {
    let project = Project::with(NEIGHBOURS);
    let mut body = "/// Pays for all of it.\npub fn pay(total: u32) -> u32 {\n".to_owned();
    for number in 0..20 {
        body += &format!("    let step_{number} = crate::near::alpha::add(total, {number});\n");
    }
    body += "    add(total, 1)\n}\n\npub fn add(a: u32, b: u32) -> u32 { a + b }\n";
    project.write("src/till.rs", body);
    project.index();
    project
}

#[test]
fn the_first_answers_come_before_anything_is_indexed() {
    let project = Project::new();
    for number in 0..400 {
        project.write(&format!("src/part_{number}.py"), format!("def f{number}():\n    pass\n"));
    }
    let mut client = Client::start(&project, &["--patience", "0"]);
    let info = client.initialize("2025-11-25");
    assert_eq!(info["protocolVersion"], "2025-11-25");
    assert_eq!(info["serverInfo"]["name"], "groma");
    let tools = client.request("tools/list", json!({}));
    assert!(!project.state("index.db").exists(), "it was indexed first");
    let names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["search", "show", "trace", "context", "query"]);
    // With no patience at all, it says so instead of waiting.
    let error = client.error("show", json!({"symbol": "f7"}));
    assert_eq!(
        (&error["code"], &error["retryable"]),
        (&json!("indexing"), &json!(true)),
        "{error}"
    );
}

#[test]
fn a_question_waits_for_the_first_index_and_hears_how_it_goes() {
    let project = Project::new();
    for number in 0..300 {
        let text = "    x = x + 1\n".repeat(200);
        project.write(
            &format!("src/part_{number}.py"),
            format!("def f{number}(x):\n{text}    return x\n"),
        );
    }
    let mut client = Client::ready(&project, &["--patience", "50"]);
    let answer = client.request(
        "tools/call",
        json!({"name": "show", "arguments": {"symbol": "f7"}, "_meta": {"progressToken": "p"}}),
    );
    assert_ne!(answer["result"]["isError"], true, "{answer}");
    let progress: Vec<f64> = client
        .heard
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .map(|message| {
            assert_eq!(message["params"]["progressToken"], "p");
            message["params"]["progress"].as_f64().expect("a number")
        })
        .collect();
    assert!(!progress.is_empty(), "{:?}", client.heard);
    assert!(progress.is_sorted(), "{progress:?}");
}

#[test]
fn the_five_tools_answer() {
    let project = shop();
    let mut client = Client::ready(&project, &[]);
    let found = client.text("search", json!({"query": "pay"}));
    assert!(found.contains("src/till.rs"), "{found}");
    let shown = client.text("show", json!({"symbol": "pay", "source": true}));
    assert!(shown.contains("step_19"), "{shown}");
    let callers = client.text("trace", json!({"step": "callers", "target": "src/till.rs#add"}));
    assert!(callers.contains("pay"), "{callers}");
    let path =
        client.text("trace", json!({"step": "path", "target": "pay", "to": "src/till.rs#add"}));
    assert!(path.contains("add"), "{path}");
    let impact = client.text("trace", json!({"step": "impact", "target": "src/till.rs"}));
    assert!(impact.contains("till"), "{impact}");
    let context = client.text("context", json!({"task": "make pay twice as fast"}));
    assert!(context.contains("src/till.rs"), "{context}");
    let rows = client.text("query", json!({"sql": "SELECT count(*) AS n FROM files"}));
    assert_eq!(serde_json::from_str::<Value>(&rows).expect("JSON")[0]["n"], 6);
    let recipe = client
        .text("query", json!({"recipe": "large-functions", "params": "min=1", "max_tokens": 300}));
    assert!(tokens::count(&recipe) <= 300, "{recipe}");
}

#[test]
fn answers_are_fresh_and_cut_to_their_budget() {
    let project = shop();
    let mut client = Client::ready(&project, &[]);
    project.write("src/new.rs", "pub fn entirely_new() {}\n");
    let shown = client.text("show", json!({"symbol": "entirely_new"}));
    assert!(shown.contains("src/new.rs"), "{shown}");
    for budget in [50, 100, 400] {
        let text = client.text(
            "show",
            json!({"symbol": "pay", "source": true, "again": true,
            "max_tokens": budget}),
        );
        assert!(tokens::count(&text) <= budget, "{text}");
    }
    let mut brief = Client::ready(&project, &["--max-tokens", "60"]);
    let text = brief.text("show", json!({"symbol": "pay", "source": true}));
    assert!(tokens::count(&text) <= 60, "{text}");
    let error = client.error("show", json!({"symbol": "pay", "max_tokens": 3}));
    assert_eq!(error["code"], "usage");
    let many: String = (0..3000).map(|n| format!("def name_of_{n}(): pass\n")).collect();
    project.write("src/many.py", many);
    let rows = client.text("query", json!({"sql": "SELECT * FROM symbols"}));
    assert!(tokens::count(&rows) <= 4000, "{}", tokens::count(&rows));
}

#[test]
fn code_that_was_given_is_not_given_again() {
    let project = shop();
    let mut client = Client::ready(&project, &[]);
    let question = json!({"symbol": "pay", "source": true});
    let first = client.text("show", question.clone());
    let second = client.text("show", question.clone());
    assert!(first.contains("step_19") && !second.contains("step_19"), "{second}");
    assert!(second.contains("as given before for src/till.rs:"), "{second}");
    let again = client.text("show", json!({"symbol": "pay", "source": true, "again": true}));
    assert_eq!(again, first);
    let edited = project.read("src/till.rs").replace("let step_7 ", "let step_seven ");
    project.write("src/till.rs", edited);
    let third = client.text("show", question.clone());
    assert!(third.contains("@@ ") && third.contains("+    let step_seven"), "{third}");
    assert!(!third.contains("step_19"), "{third}");
    // JSON is for programs, and another session knows nothing of this one.
    let json = client.text("show", json!({"symbol": "pay", "source": true, "json": true}));
    assert!(json.contains("step_19"));
    let mut other = Client::ready(&project, &[]);
    assert!(other.text("show", question).contains("step_19"));
}

#[test]
fn structured_content_comes_where_it_is_asked_for() {
    let project = shop();
    let mut client = Client::ready(&project, &[]);
    let plain = client.call("show", json!({"symbol": "pay"}));
    assert!(plain.get("structuredContent").is_none());
    let result = client.call("show", json!({"symbol": "pay", "json": true}));
    assert_eq!(result["structuredContent"]["matches"][0]["name"], "pay");
    let rows = client.call("query", json!({"sql": "SELECT 1 AS one", "json": true}));
    assert_eq!(rows["structuredContent"]["result"][0]["one"], 1);
}

#[test]
fn resources_prompts_and_completions_are_there() {
    let project = shop();
    let mut client = Client::ready(&project, &[]);
    let listed = client.request("resources/list", json!({}))["result"]["resources"].clone();
    for resource in listed.as_array().expect("resources") {
        let answer = client.request("resources/read", json!({"uri": resource["uri"]}));
        let contents = &answer["result"]["contents"][0];
        assert_eq!(contents["mimeType"], resource["mimeType"], "{answer}");
        assert!(!contents["text"].as_str().expect("a text").is_empty());
    }
    let templates = client.request("resources/templates/list", json!({}));
    assert_eq!(templates["result"]["resourceTemplates"].as_array().map(Vec::len), Some(4));
    let mut read = |uri: &str| client.request("resources/read", json!({"uri": uri}));
    for (uri, expected) in [
        ("groma://files/src/till.rs", "pay"),
        ("groma://schema/symbols", "qualified_name"),
        ("groma://recipes/dead-code", "SELECT"),
        ("groma://symbols/pay", "step_19"),
    ] {
        let answer = read(uri);
        let text = answer["result"]["contents"][0]["text"].as_str();
        assert!(text.is_some_and(|text| text.contains(expected)), "{uri}: {answer}");
        assert!(!text.is_some_and(|text| text.contains('\u{1b}')), "{answer}");
    }
    assert_eq!(read("groma://symbols/nothing-like-this")["error"]["code"], -32002);
    assert_eq!(read("groma://nothing")["error"]["code"], -32002);
    let prompts = client.request("prompts/list", json!({}))["result"]["prompts"].clone();
    assert_eq!(prompts.as_array().map(Vec::len), Some(3));
    let plan = client.request(
        "prompts/get",
        json!({"name": "plan_refactoring", "arguments": {"symbol": "pay"}}),
    );
    let text = plan["result"]["messages"][0]["content"]["text"].as_str().expect("a text");
    assert!(text.contains("`pay`"), "{text}");
    let missing = client.request("prompts/get", json!({"name": "plan_refactoring"}));
    assert_eq!(missing["error"]["code"], -32602);
    let mut complete = |reference: Value, name: &str, value: &str| {
        let argument = json!({"name": name, "value": value});
        let answer =
            client.request("completion/complete", json!({"ref": reference, "argument": argument}));
        answer["result"]["completion"]["values"].clone()
    };
    let prompt = json!({"type": "ref/prompt", "name": "plan_refactoring"});
    assert_eq!(complete(prompt.clone(), "symbol", "pa"), json!(["pay"]));
    assert_eq!(complete(prompt, "symbol", "'"), json!([]));
    let template = |uri: &str| json!({"type": "ref/resource", "uri": uri});
    assert_eq!(
        complete(template("groma://recipes/{id}"), "id", "dead-c"),
        json!(["dead-code", "dead-code-candidates"])
    );
    assert_eq!(complete(template("groma://files/{path}"), "path", "src/"), json!(["src/till.rs"]));
    assert_eq!(
        complete(template("groma://schema/{table}"), "table", "symbols"),
        json!(["symbols"])
    );
}

#[test]
fn several_projects_are_served_and_kept_apart() {
    let project = shop();
    project.write("inner/lib.py", "def within(): pass\n");
    let other = Project::with(&[("far.py", "def far_away(): pass\n")]);
    let third = Project::with(&[("third.py", "def third(): pass\n")]);
    let mut client =
        Client::ready(&project, &["--allow-root", other.root().to_str().expect("UTF-8")]);
    let root = other.root().to_str().expect("UTF-8").to_owned();
    let found = client.text("show", json!({"symbol": "far_away", "root": root}));
    assert!(found.contains("far.py"), "{found}");
    assert_eq!(client.error("show", json!({"symbol": "far_away"}))["code"], "not_found");
    // reliability.md 82, 78: what was not allowed, however it is spelt.
    let outside = third.root();
    let twin = format!("{}-evil", project.root().display());
    std::fs::create_dir(&twin).expect("a new directory");
    for root in [outside.to_str().expect("UTF-8"), "..", "/", "/etc", &twin, "", "nowhere", "a\0b"]
    {
        let error = client.error("show", json!({"symbol": "third", "root": root}));
        assert_eq!(error["code"], "root_not_allowed", "{root}: {error}");
    }
    assert!(!third.state("").exists(), "something was written there");
    // A directory inside the project means the project.
    let inner = client.text("show", json!({"symbol": "within", "root": "inner"}));
    assert!(inner.contains("inner/lib.py"), "{inner}");
    assert!(!project.path("inner/.groma").exists());
}

#[test]
fn work_trees_of_a_repository_are_projects_of_their_own() {
    let project = Project::with(&[("lib.py", "def first(): pass\n")]);
    let git = |arguments: &[&str]| {
        let status = std::process::Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(arguments)
            .current_dir(project.root())
            .env("HOME", project.home())
            .output()
            .expect("git is there");
        assert!(status.status.success(), "{status:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "first"]);
    let tree = project.outside("tree");
    git(&["worktree", "add", "-q", tree.to_str().expect("UTF-8"), "-b", "feature"]);
    std::fs::write(tree.join("lib.py"), "def second(): pass\n").expect("a file");
    let mut client = Client::ready(&project, &[]);
    client.text("show", json!({"symbol": "first"}));
    let root = tree.to_str().expect("UTF-8");
    client.text("show", json!({"symbol": "second", "root": root}));
    assert_eq!(client.error("show", json!({"symbol": "second"}))["code"], "not_found");
    assert_eq!(client.error("show", json!({"symbol": "first", "root": root}))["code"], "not_found");
    assert!(tree.join(".groma/index.db").exists());
}

#[test]
fn a_home_directory_is_never_indexed() {
    let project = Project::new();
    std::fs::write(project.home().join("a.py"), "def a(): pass\n").expect("a file");
    let mut command = project.command(&["mcp"]);
    command.current_dir(project.home());
    let mut client = Client::of(command);
    client.initialize("2025-06-18");
    let error = client.error("show", json!({"symbol": "a"}));
    assert_eq!(error["code"], "refused", "{error}");
    assert!(!project.home().join(".groma").exists());
}

#[test]
fn a_server_only_reads_unless_it_is_told_otherwise() {
    let project = shop();
    let mut client = Client::ready(&project, &["--tools", "all"]);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    assert!(tools.as_array().is_some_and(|tools| tools.len() > 30), "{tools}");
    let error = client.error("remove", json!({"paths": ["src/till.rs"]}));
    assert_eq!(error["code"], "read_only", "{error}");
    assert_eq!(client.error("summary", json!({}))["code"], "read_only");
    client.text("summary", json!({"no_write": true}));
    assert!(!project.state("summary.md").exists());
    let sql = "SELECT 1 AS one";
    let save = json!({"sql": sql, "save_baseline": "mine"});
    assert_eq!(client.error("query", save.clone())["code"], "read_only");
    let unknown = client.request("tools/call", json!({"name": "watch", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let mut writer = Client::ready(&project, &["--tools", "all", "--allow-write"]);
    writer.text("query", save);
    writer.text("summary", json!({}));
    assert!(project.state("summary.md").exists());
}

#[test]
fn a_question_can_be_cancelled_and_others_go_on() {
    let project = shop();
    let mut client = Client::ready(&project, &[]);
    client.text("show", json!({"symbol": "pay"}));
    let endless =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
    let id = client.begin(
        "tools/call",
        json!({"name": "query", "arguments": {"sql": endless, "timeout": 30}}),
    );
    std::thread::sleep(Duration::from_millis(300));
    let started = std::time::Instant::now();
    client.notify("notifications/cancelled", json!({"requestId": id, "reason": "enough"}));
    // The place of the slow one is free again: another slow one runs.
    client.text("query", json!({"sql": "SELECT 1 AS one"}));
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    client.text("show", json!({"symbol": "pay"}));
    assert!(!client.heard.iter().any(|message| message["id"] == id), "{:?}", client.heard);
}

#[test]
fn both_lifecycles_are_served() {
    let project = shop();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut client = Client::start(&project, &[]);
        assert_eq!(client.initialize(version)["protocolVersion"], version);
        assert!(client.request("tools/list", json!({}))["result"]["tools"].is_array());
    }
    let mut client = Client::start(&project, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = client.request("server/discover", json!({"_meta": meta}));
    let versions = &found["result"]["supportedVersions"];
    assert!(versions.as_array().is_some_and(|all| all.contains(&json!("2026-07-28"))), "{found}");
    let tools = client.request("tools/list", json!({"_meta": meta}));
    assert!(tools["result"]["tools"].is_array(), "{tools}");
    let call = json!({"name": "show", "arguments": {"symbol": "pay"}, "_meta": meta});
    assert!(client.request("tools/call", call)["result"]["content"].is_array());
}
