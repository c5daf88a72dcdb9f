//! A client that knows nothing but lines of JSON.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::project::Project;

/// How long an answer may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next_id: i64,
    /// Messages that came while another was waited for.
    pub(crate) heard: Vec<Value>,
}

impl Client {
    /// `groma mcp` with these arguments, in the root of the project; not yet initialized.
    pub(crate) fn start(project: &Project, arguments: &[&str]) -> Self {
        let mut all = vec!["mcp"];
        all.extend(arguments);
        Self::of(project.command(&all))
    }

    pub(crate) fn of(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, next_id: 1, heard: Vec::new() }
    }

    /// A session as every client begins one.
    pub(crate) fn ready(project: &Project, arguments: &[&str]) -> Self {
        let mut client = Self::start(project, arguments);
        client.initialize("2025-06-18");
        client
    }

    pub(crate) fn initialize(&mut self, version: &str) -> Value {
        let answer = self.request(
            "initialize",
            json!({"protocolVersion": version, "capabilities": {},
                   "clientInfo": {"name": "test", "version": "1"}}),
        );
        self.notify("notifications/initialized", json!({}));
        answer["result"].clone()
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_raw(format!("{message}\n").as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and gives its id.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(&json!(id))
    }

    /// The answer to a request; what else comes is kept.
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self.next(left).unwrap_or_else(|| panic!("no answer to {id}"));
            if message.get("id") == Some(id) && message.get("method").is_none() {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// The next message, whatever it is. Everything that comes must be one.
    pub(crate) fn next(&mut self, patience: Duration) -> Option<Value> {
        let line = self.lines.recv_timeout(patience).ok()?;
        let message: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("not a message: {error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        Some(message)
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer.get("result").is_some(), "{answer}");
        answer["result"].clone()
    }

    /// The text of an answer, which must be none of an error.
    pub(crate) fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// The error of an answer that must be one.
    pub(crate) fn error(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().expect("a text");
        let value: Value = serde_json::from_str(text).expect("an error is JSON");
        value["error"].clone()
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// The exit status once it has ended, if it does so in time.
    pub(crate) fn ended(&mut self, patience: Duration) -> Option<Option<i32>> {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return Some(status.code());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        if self.ended(Duration::from_secs(5)).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
