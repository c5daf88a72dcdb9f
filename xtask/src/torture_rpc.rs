//! Messages nobody would send, given to the servers by the thousand: none may end, and the next question works.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::Outcome;
use crate::torture::{Random, fill};

const HELP: &str = "torture rpc [--count N] [--seed N]";
/// So often it is looked whether the server still answers.
const EVERY: u64 = 1000;
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let (mut count, mut seed) = (100_000_u64, 1_u64);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or(HELP)?.parse()?;
        match *word {
            "--count" => count = value,
            "--seed" => seed = value,
            _ => return Err(HELP.into()),
        }
    }
    let groma = crate::program()?;
    let place = std::env::temp_dir().join(format!("groma-torture-rpc-{}", std::process::id()));
    std::fs::create_dir_all(&place)?;
    let outcome = fill(&place, 1).and_then(|_| {
        lines(&groma, &place, count, &mut Random::from(seed))?;
        web(&groma, &place, count / 10, &mut Random::from(seed))
    });
    let _ = std::fs::remove_dir_all(&place);
    outcome
}

fn seeds() -> Vec<String> {
    let call = |name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    [
        call("show", json!({"symbol": "Store", "source": true, "limit": 3, "max_tokens": 200})),
        call("search", json!({"query": "parse", "limit": 2, "offset": 1})),
        call("query", json!({"sql": "SELECT name FROM symbols LIMIT 3"})),
        call("trace", json!({"step": "callers", "target": "Close", "depth": 1})),
        json!({"jsonrpc": "2.0", "id": "a", "method": "resources/read", "params": {"uri": "groma://files/part0/methods.go"}}),
        json!({"jsonrpc": "2.0", "id": 4, "method": "completion/complete", "params": {"ref": {"type": "ref/prompt",
            "name": "onboard"}, "argument": {"name": "symbol", "value": "S"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
        json!({"jsonrpc": "2.0", "id": 9, "method": "tools/list"}),
    ]
    .iter()
    .map(Value::to_string)
    .collect()
}

/// A few changes to a text.
fn changed(text: &str, random: &mut Random) -> Vec<u8> {
    const SIGNS: &[u8] = b"{}[]\",:0-9.eE\\unlltrue\x00\xff\r ";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(5) {
        let length = bytes.len() as u64;
        let at = random.below(length) as usize;
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, SIGNS[random.below(SIGNS.len() as u64) as usize]),
            3 => bytes.truncate(at.max(1)),
            4 => {
                let end = (at + random.below(20) as usize).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let _ = bytes.splice(at..at, piece);
            }
            _ => {
                let other = random.below(length) as usize;
                bytes.swap(at, other);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'{');
        }
    }
    bytes
}

fn lines(groma: &Path, root: &Path, count: u64, random: &mut Random) -> Outcome {
    let mut server = Command::new(groma)
        .args(["mcp", "--patience", "60", "--root"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = server.stdin.take().ok_or("it is piped")?;
    let output = BufReader::new(server.stdout.take().ok_or("it is piped")?);
    let (sender, answers) = channel();
    std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    let hello = json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "torture", "version": "1"}}});
    writeln!(input, "{hello}")?;
    heard(&answers, "hello")?;
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    let seeds = seeds();
    for number in 0..count {
        let mut bytes = changed(&seeds[random.below(seeds.len() as u64) as usize], random);
        bytes.push(b'\n');
        input.write_all(&bytes)?;
        if number % EVERY == EVERY - 1 || number + 1 == count {
            let id = format!("check {number}");
            let check = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                "params": {"name": "query", "arguments": {"sql": "SELECT 1"}}});
            writeln!(input, "{check}")?;
            heard(&answers, &id)?;
        }
    }
    drop(input);
    let status = server.wait()?;
    println!("{count} lines: every check was answered; {status}");
    if status.success() { Ok(()) } else { Err("it did not end well".into()) }
}

/// Waits for the answer with this id. Everything that comes must be a message.
fn heard(answers: &Receiver<String>, id: &str) -> Outcome {
    loop {
        let line = answers.recv_timeout(PATIENCE).map_err(|_| format!("no answer to {id}"))?;
        let message: Value =
            serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
        if message["id"] == id {
            return match message.get("result") {
                Some(_) => Ok(()),
                None => Err(line.into()),
            };
        }
    }
}

fn web(groma: &Path, root: &Path, count: u64, random: &mut Random) -> Outcome {
    let (mut server, url) = crate::conformance::serve(groma, root)?;
    let address = url.trim_start_matches("http://").to_owned();
    let outcome = requests(&address, count, random);
    let alive = server.try_wait()?.is_none();
    let _ = server.kill();
    let _ = server.wait();
    outcome?;
    println!("{count} requests: every check was answered");
    if alive { Ok(()) } else { Err("it ended".into()) }
}

fn requests(address: &str, count: u64, random: &mut Random) -> Outcome {
    let request = |path: &str, body: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    let mut seeds: Vec<String> = seeds().iter().map(|seed| request("/mcp", seed)).collect();
    seeds.push(request("/api/show", "{\"symbol\": \"Store\"}"));
    seeds.push(request("/api/query", "{\"sql\": \"SELECT 1\"}"));
    for number in 0..count {
        let bytes = changed(&seeds[random.below(seeds.len() as u64) as usize], random);
        let mut stream = TcpStream::connect(address)?;
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
        let _ = stream.read(&mut [0; 64]);
        if number % EVERY == EVERY - 1 || number + 1 == count {
            let mut stream = TcpStream::connect(address)?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(request("/api/query", "{\"sql\": \"SELECT 1\"}").as_bytes())?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            if !answer.starts_with("HTTP/1.1 200") {
                return Err(answer.into());
            }
        }
    }
    Ok(())
}
