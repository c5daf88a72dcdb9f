//! An agent's first day in a repository: twenty questions, answered with Groma's tools and with a shell.
//! What counts are calls, and tokens of questions and answers: what an agent pays.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::Outcome;

const HELP: &str = "day <checkout of the repository in xtask/day.toml>";
/// What shells of agents cut an output to, in bytes.
const LONGEST_OUTPUT: usize = 30_000;
/// Lines that one reading of a file gives at most.
const LONGEST_READING: usize = 2000;

type Failure = Box<dyn std::error::Error>;

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let [root] = arguments else { return Err(HELP.into()) };
    let root = Path::new(root);
    let groma = crate::program()?;
    let day: toml::Table =
        std::fs::read_to_string(crate::root().join("xtask/day.toml"))?.parse()?;
    let status = Command::new(&groma).args(["index", "--quiet", "--root"]).arg(root).status()?;
    if !status.success() {
        return Err("the repository could not be indexed".into());
    }
    let mut session = Session::start(&groma, root)?;
    let questions = day.get("question").and_then(toml::Value::as_array).ok_or("no questions")?;
    println!("| question | Groma: calls | tokens | shell: calls | tokens |");
    println!("|---|---:|---:|---:|---:|");
    let (mut by_groma, mut by_shell) = (Cost::default(), Cost::default());
    let mut unanswered = 0;
    for question in questions {
        let text = question.get("text").and_then(toml::Value::as_str).ok_or("no text")?;
        let tools = session.answer(&list(question, "groma")?)?;
        let shell = shell(root, &list(question, "shell")?)?;
        let marks = [&tools, &shell].map(|cost| {
            let is_answered = list(question, "expect").is_ok_and(|all| {
                all.iter().filter_map(Value::as_str).all(|it| cost.text.contains(it))
            });
            unanswered += usize::from(!is_answered);
            if is_answered { "" } else { " (no answer)" }
        });
        println!(
            "| {text} | {} | {}{} | {} | {}{} |",
            tools.calls, tools.tokens, marks[0], shell.calls, shell.tokens, marks[1]
        );
        by_groma.add(&tools);
        by_shell.add(&shell);
    }
    println!(
        "| **all** | {} | {} | {} | {} |",
        by_groma.calls, by_groma.tokens, by_shell.calls, by_shell.tokens
    );
    println!(
        "\nTools and instructions: {} tokens, once. Shell / Groma: {:.1} × the tokens, {:.1} × the calls.",
        session.introduction,
        by_shell.tokens as f64 / by_groma.tokens as f64,
        by_shell.calls as f64 / by_groma.calls as f64
    );
    match unanswered {
        0 => Ok(()),
        count => Err(format!("{count} answers do not have what they should").into()),
    }
}

fn list(question: &toml::Value, key: &str) -> Result<Vec<Value>, Failure> {
    let list = question.get(key).ok_or_else(|| format!("a question without `{key}`"))?;
    Ok(serde_json::from_value(serde_json::to_value(list)?)?)
}

/// What an answer took.
#[derive(Default)]
struct Cost {
    calls: usize,
    tokens: usize,
    text: String,
}

impl Cost {
    fn call(&mut self, asked: &str, answer: &str) {
        self.calls += 1;
        self.tokens += tokens::count(asked) + tokens::count(answer);
        self.text.push_str(answer);
    }

    fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.tokens += other.tokens;
    }
}

/// A client of the server.
struct Session {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Tokens of what every conversation begins with.
    introduction: usize,
}

impl Session {
    fn start(groma: &Path, root: &Path) -> Result<Self, Failure> {
        let mut server = Command::new(groma)
            .args(["mcp", "--no-watch", "--root"])
            .arg(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = server.stdin.take().ok_or("it is piped")?;
        let output = BufReader::new(server.stdout.take().ok_or("it is piped")?);
        let mut session = Self { server, input, output, introduction: 0 };
        let hello = session.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {},
                   "clientInfo": {"name": "day", "version": "1"}}),
        )?;
        writeln!(
            session.input,
            "{}",
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
        )?;
        let tools = session.ask("tools/list", json!({}))?;
        session.introduction = tokens::count(hello["instructions"].as_str().unwrap_or_default())
            + tokens::count(&tools["tools"].to_string());
        Ok(session)
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Result<Value, Failure> {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters});
        writeln!(self.input, "{message}")?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the server ended".into());
            }
            let mut answer: Value = serde_json::from_str(&line)?;
            if answer.get("id").is_some() {
                return Ok(answer["result"].take());
            }
        }
    }

    fn answer(&mut self, calls: &[Value]) -> Result<Cost, Failure> {
        let mut cost = Cost::default();
        for call in calls {
            let asked = json!({"name": call["tool"], "arguments": call["arguments"]});
            let result = self.ask("tools/call", asked.clone())?;
            cost.call(
                &asked.to_string(),
                result["content"][0]["text"].as_str().unwrap_or_default(),
            );
        }
        Ok(cost)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn shell(root: &Path, commands: &[Value]) -> Result<Cost, Failure> {
    let mut cost = Cost::default();
    for command in commands.iter().filter_map(Value::as_str) {
        let words: Vec<&str> = command.split(' ').collect();
        let mut text = match words.as_slice() {
            ["read", path, first, last] => read(&root.join(path), first.parse()?, last.parse()?)?,
            _ => {
                let output = Command::new("sh").args(["-c", command]).current_dir(root).output()?;
                if !output.stderr.is_empty() {
                    return Err(
                        format!("{command}: {}", String::from_utf8_lossy(&output.stderr)).into()
                    );
                }
                String::from_utf8_lossy(&output.stdout).into_owned()
            }
        };
        if let Some((end, _)) = text.char_indices().find(|(at, _)| *at >= LONGEST_OUTPUT) {
            text.truncate(end);
        }
        cost.call(command, &text);
    }
    Ok(cost)
}

/// Lines of a file with their numbers, as agents read them.
fn read(path: &Path, first: usize, last: usize) -> Result<String, Failure> {
    let (first, last) = if last == 0 { (1, LONGEST_READING) } else { (first, last) };
    let text = std::fs::read_to_string(path)?;
    let lines = text.lines().enumerate().skip(first - 1).take(last + 1 - first);
    Ok(lines.map(|(number, line)| format!("{}\t{line}\n", number + 1)).collect())
}
