//! The Model Context Protocol on standard input and output: one message on each line.
//!
//! Lines come from whoever started this process, and may be anything. What is no message gets an error as
//! JSON-RPC has it and is forgotten; nothing but messages is ever written.

use std::sync::Arc;
use std::time::Duration;

use index::pool::Program;
use ops::{Error, Settings};
use rmcp::ErrorData;
use rmcp::ServiceExt;
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::service::RoleServer;
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Stdin, Stdout};
use tokio::sync::Mutex;

use crate::desk::{Desk, Options};
use crate::lifetime;
use crate::mcp::Session;
use crate::tools::{ToolOptions, Tools};

/// Serve the Model Context Protocol on standard input and output
///
/// Answers at once; the project is indexed in the background and watched from then on. Ends when its
/// input ends, or whoever started it.
#[derive(Debug, Clone, clap::Args)]
pub struct McpOptions {
    #[command(flatten)]
    pub tools: ToolOptions,
    #[command(flatten)]
    pub common: Options,
}

/// Serves until the input ends, a signal comes, or the parent is gone.
pub fn run(settings: &Settings, program: Program, options: &McpOptions) -> Result<(), Error> {
    let desk = Desk::new(settings, program, &options.common)?;
    let tools = Arc::new(Tools::new(&options.tools, options.common.allow_write)?);
    let runtime = lifetime::runtime(1)?;
    runtime.spawn(desk.clone().rest_when_quiet());
    runtime.block_on(async {
        tokio::select! {
            () = converse(&desk, tools) => {}
            () = lifetime::signalled() => {}
            () = lifetime::orphaned() => {}
        }
    });
    desk.projects.stop();
    // A thread that reads standard input cannot be told to stop.
    runtime.shutdown_timeout(lifetime::GRACE);
    Ok(())
}

async fn converse(desk: &Arc<Desk>, tools: Arc<Tools>) {
    // The index is begun at once, but not before the first line could be read.
    let begun = desk.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        let _ = tokio::task::spawn_blocking(move || begun.projects.served(None)).await;
    });
    let session = Session::new(desk.clone(), tools);
    // An input that ends before the first message is no error.
    if let Ok(running) = session.serve(Lines::new()).await {
        let _ = running.waiting().await;
    }
}

/// A longer line is no message.
const LONGEST: usize = 4 << 20;

/// Messages as lines.
struct Lines {
    input: BufReader<Stdin>,
    line: Vec<u8>,
    /// The rest of a line that was too long.
    skipping: bool,
    output: Arc<Mutex<Stdout>>,
}

impl Lines {
    fn new() -> Self {
        Self {
            input: BufReader::with_capacity(64 << 10, tokio::io::stdin()),
            line: Vec::new(),
            skipping: false,
            output: Arc::new(Mutex::new(tokio::io::stdout())),
        }
    }

    /// The next whole line; an error for one that is too long, none at the end. What was read of a line is
    /// kept when this is cancelled.
    async fn next(&mut self) -> Option<Result<Vec<u8>, ()>> {
        loop {
            let available = self.input.fill_buf().await.ok().filter(|bytes| !bytes.is_empty())?;
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            let was_skipping = self.skipping;
            if !was_skipping {
                self.line.extend_from_slice(&available[..taken]);
            }
            self.input.consume(taken);
            self.skipping = end.is_none() && (was_skipping || self.line.len() > LONGEST);
            if self.skipping {
                self.line = Vec::new();
            }
            if end.is_some() {
                let line = std::mem::take(&mut self.line);
                return Some(if was_skipping || line.len() > LONGEST { Err(()) } else { Ok(line) });
            }
        }
    }

    /// Answers what is no message. Whoever waits for the next message may stop waiting at any moment, so this
    /// goes on by itself.
    fn refuse(&self, error: ErrorData, id: Option<Value>) {
        let answer = json!({"jsonrpc": "2.0", "id": id, "error": error});
        let output = self.output.clone();
        tokio::spawn(async move { write(&output, &answer).await });
    }
}

async fn write(output: &Mutex<Stdout>, message: &impl serde::Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

impl Transport<RoleServer> for Lines {
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = std::io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move { write(&output, &message).await }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let understood = match self.next().await? {
                Ok(line) => understood(&line),
                Err(()) => Understood::No(
                    ErrorData::invalid_request(
                        format!("a message has at most {LONGEST} bytes"),
                        None,
                    ),
                    None,
                ),
            };
            match understood {
                Understood::Message(message) => return Some(*message),
                Understood::Nothing => {}
                Understood::No(error, id) => self.refuse(error, id),
            }
        }
    }

    async fn close(&mut self) -> std::io::Result<()> {
        self.output.lock().await.flush().await
    }
}

/// What a line says.
enum Understood {
    Message(Box<ClientJsonRpcMessage>),
    /// Nothing that wants an answer.
    Nothing,
    No(ErrorData, Option<Value>),
}

fn understood(line: &[u8]) -> Understood {
    if line.trim_ascii().is_empty() {
        return Understood::Nothing;
    }
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => return Understood::No(ErrorData::parse_error(error.to_string(), None), None),
    };
    let invalid = |what: &'static str, id: Option<Value>| {
        Understood::No(ErrorData::invalid_request(what, None), id)
    };
    let Value::Object(message) = &value else {
        return invalid("a message is one object", None);
    };
    let id = message.get("id").cloned();
    let is_legal = |id: &Value| serde_json::from_value::<RequestId>(id.clone()).is_ok();
    if id.as_ref().is_some_and(|id| !is_legal(id)) {
        return invalid("an id is a text or a whole number", None);
    }
    if message.get("jsonrpc") != Some(&Value::from("2.0")) {
        return invalid("`jsonrpc` is \"2.0\"", id);
    }
    let is_request = message.get("method").is_some();
    match serde_json::from_value(value) {
        Ok(message) => Understood::Message(Box::new(message)),
        Err(_) if is_request && id.is_none() => Understood::Nothing,
        Err(_) if is_request => Understood::No(
            ErrorData::invalid_params("the parameters are not what the method takes", None),
            id,
        ),
        Err(_) => invalid("it is neither a request nor a notification", id),
    }
}
