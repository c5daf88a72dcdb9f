//! Messages that nobody should send: each gets an error, and the next one works.

use std::time::Duration;

use serde_json::{Value, json};

use super::client::Client;
use crate::project::{NEIGHBOURS, Project};

fn small() -> Project {
    let project = Project::with(NEIGHBOURS);
    project.index();
    project
}

/// The code of the error that bytes get.
fn refused(client: &mut Client, bytes: &[u8]) -> Value {
    client.send_raw(bytes);
    client.send_raw(b"\n");
    let answer = client.next(super::client::PATIENCE).expect("an answer");
    answer["error"]["code"].clone()
}

#[test]
fn reliability_79_what_is_no_message_gets_an_error_and_the_next_one_works() {
    let project = small();
    let mut client = Client::ready(&project, &[]);
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deep_arguments = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"show","arguments":{}}}}}"#,
        deep
    );
    let cases: Vec<(&[u8], i64)> = vec![
        (b"{", -32700),
        (b"nonsense", -32700),
        (b"\xff\xfe\x00", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"", -32700),
        (deep.as_bytes(), -32700),
        (deep_arguments.as_bytes(), -32700),
        (b"[]", -32600),
        (br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (b"3", -32600),
        (b"{}", -32600),
        (br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":99999999999999999999999,"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (br#"{"jsonrpc":"2.0","id":1,"method":"no/such/method"}"#, -32601),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}"#, -32602),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":3}}"#, -32602),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}"#, -32602),
        (br#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
    ];
    for (bytes, code) in cases {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
        assert_eq!(refused(&mut client, bytes), code, "{shown}");
        assert!(client.request("ping", json!({})).get("result").is_some(), "{shown}");
    }
    // Notifications are never answered, whatever they are.
    for quiet in [
        r#"{"jsonrpc":"2.0","method":"notifications/nothing"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
        r#"{"jsonrpc":"2.0","id":5,"result":{}}"#,
        "",
        "\r",
    ] {
        client.send_raw(format!("{quiet}\n").as_bytes());
    }
    assert_eq!(client.next(Duration::from_millis(300)), None);
    client.text("show", json!({"symbol": "add"}));
}

#[test]
fn reliability_79_wrong_arguments_are_told() {
    let project = small();
    let mut client = Client::ready(&project, &["--tools", "all"]);
    for (tool, arguments) in [
        ("show", json!({})),
        ("show", json!({"symbol": 3})),
        ("show", json!({"symbol": "add", "limit": -1})),
        ("show", json!({"symbol": "add", "limit": 1.5})),
        ("show", json!({"symbol": "add", "nothing": true})),
        ("show", json!({"symbol": "add", "max_tokens": -1})),
        ("show", json!({"symbol": "add", "json": "yes"})),
        ("show", json!({"symbol": "add", "root": 7})),
        ("search", json!({"query": {"a": 1}})),
        ("trace", json!({})),
        ("trace", json!({"step": "callers"})),
        ("query", json!({"sql": "SELECT 1", "recipe": "dead-code"})),
        ("find", json!({"term": "x", "mode": "sideways"})),
    ] {
        let error = client.error(tool, arguments.clone());
        assert_eq!(error["code"], "usage", "{tool} {arguments}: {error}");
    }
    // A number that is only too large is no error.
    client.text("show", json!({"symbol": "add", "limit": 1_000_000_000_000_000_000_u64}));
    client.text("search", json!({"query": "add", "limit": 1_000_000_000_000_000_000_u64}));
    client.text("search", json!({"query": "add", "offset": 1_000_000_000_000_000_000_u64}));
}

#[test]
fn reliability_79_a_line_without_end_costs_no_memory() {
    let project = small();
    let mut client = Client::ready(&project, &[]);
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..64 {
        client.send_raw(&chunk);
    }
    let memory = resident(client.child.id());
    assert_eq!(refused(&mut client, b"x"), -32600);
    client.text("show", json!({"symbol": "add"}));
    assert!(memory < 96 << 20, "{memory}");
}

#[test]
fn reliability_80_nothing_but_messages_is_written() {
    let project = small();
    // Every line that comes is checked to be one by the client itself.
    let mut command = project.command(&["mcp"]);
    command.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "full");
    let mut client = Client::of(command);
    client.initialize("2025-06-18");
    project.write("near/broken.rs", "fn broken( {{{{\n");
    client.error("show", json!({"symbol": "nothing like it"}));
    client.text("show", json!({"symbol": "add"}));
    client.close_input();
    assert_eq!(client.ended(Duration::from_secs(5)), Some(Some(0)));
    while let Some(message) = client.next(Duration::from_millis(50)) {
        assert_eq!(message["jsonrpc"], "2.0");
    }
}

#[test]
fn reliability_139_what_an_answer_stands_on_is_said() {
    let project = small();
    let mut client = Client::ready(&project, &["--no-watch"]);
    let state = |client: &mut Client, symbol: &str| {
        let result = client.call("show", json!({"symbol": symbol, "json": true}));
        result["structuredContent"]["index"].clone()
    };
    let index = state(&mut client, "add");
    assert_eq!(index["complete"], true);
    assert_eq!(index["stale"], false);
    assert_eq!(index["watch"], "off");
    let before = index["generation"].as_u64().expect("a number");
    project.write("near/alpha.rs", "pub fn add(a: u8, b: u8) -> u8 { a + b }\n");
    let index = state(&mut client, "add");
    assert_eq!(index["stale"], false, "it was looked at again");
    assert!(index["generation"].as_u64() > Some(before), "{index}");
    let mut watching = Client::ready(&project, &[]);
    for _ in 0..100 {
        if state(&mut watching, "add")["watch"] == "active" {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("nobody watches");
}

/// Random changes to legal messages, from a seed, so that a failure can be repeated.
#[test]
fn fuzzed_messages_do_no_harm() {
    let project = small();
    let mut client = Client::ready(&project, &["--tools", "all"]);
    let rounds = if crate::project::long_tests() { 20_000 } else { 400 };
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % below as u64).expect("it is below")
    };
    let seeds = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": "show", "arguments": {"symbol": "add", "source": true}}}),
        json!({"jsonrpc": "2.0", "id": "a", "method": "tools/call",
               "params": {"name": "query", "arguments": {"sql": "SELECT name FROM symbols"}}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "resources/read",
               "params": {"uri": "groma://files/near/alpha.rs"}}),
        json!({"jsonrpc": "2.0", "id": 4, "method": "completion/complete", "params": {
               "ref": {"type": "ref/prompt", "name": "onboard"},
               "argument": {"name": "symbol", "value": "a"}}}),
    ];
    for _ in 0..rounds {
        let mut bytes = seeds[next(seeds.len())].to_string().into_bytes();
        for _ in 0..=next(4) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] = u8::try_from(next(256)).expect("a byte"),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, b"{}[]\",:0-\\ue\n"[next(13)]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        bytes.push(b'\n');
        client.send_raw(&bytes);
        // Answers are read as they come, so that no pipe is full.
        while client.next(Duration::ZERO).is_some() {}
    }
    client.send(&json!({"jsonrpc": "2.0", "id": "last", "method": "tools/call",
        "params": {"name": "show", "arguments": {"symbol": "add"}}}));
    let answer = client.answer(&json!("last"));
    assert_ne!(answer["result"]["isError"], true, "{answer}");
}

/// Bytes of memory a process holds.
pub(crate) fn resident(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).expect("it runs");
    let pages: u64 = text.split_whitespace().nth(1).expect("a number").parse().expect("a number");
    pages * 4096
}
