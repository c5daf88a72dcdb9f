//! A client that knows nothing but the bytes of HTTP/1.1.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::client::PATIENCE;
use crate::project::{Project, signal};

/// A running `groma serve`.
pub(crate) struct Web {
    pub(crate) child: Child,
    pub(crate) port: u16,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Web {
    pub(crate) fn start(project: &Project, arguments: &[&str]) -> Self {
        let mut all = vec!["serve", "--port", "0", "--json"];
        all.extend(arguments);
        let mut command = project.command(&all);
        let mut child = command.stderr(Stdio::inherit()).spawn().expect("the program starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        output.read_line(&mut line).expect("it tells where it listens");
        let told: Value = serde_json::from_str(&line).expect("JSON");
        let url = told["url"].as_str().expect("an address");
        let port = url.rsplit(':').next().expect("a port").parse().expect("a number");
        Self { child, port }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a legal time");
        stream
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends bytes as they are, and reads one answer.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // A server that has seen enough may close before all is sent.
        let _ = stream.write_all(bytes);
        read(&mut BufReader::new(stream))
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let host = self.host();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
        );
        self.raw(request.as_bytes()).expect("an answer")
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, "content-type: application/json\r\n", &body.to_string())
    }

    pub(crate) fn ask(&self, operation: &str, arguments: &Value) -> Answer {
        self.post(&format!("/api/{operation}"), arguments)
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn stop(&mut self) -> Option<i32> {
        signal(&self.child, "TERM");
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status.code();
            }
            assert!(Instant::now() < deadline, "it goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// One answer; none if the connection ends before it.
pub(crate) fn read(stream: &mut impl BufRead) -> Option<Answer> {
    let mut line = String::new();
    stream.read_line(&mut line).ok()?;
    let status = line.split(' ').nth(1)?.parse().ok()?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let header =
        |name: &str| headers.iter().find(|(known, _)| known == name).map(|it| it.1.clone());
    let mut body = Vec::new();
    match (header("content-length"), header("transfer-encoding")) {
        (Some(length), _) => {
            body.resize(length.parse().ok()?, 0);
            stream.read_exact(&mut body).ok()?;
        }
        (None, Some(_)) => loop {
            let mut line = String::new();
            stream.read_line(&mut line).ok()?;
            let length = usize::from_str_radix(line.trim(), 16).ok()?;
            let mut chunk = vec![0; length + 2];
            stream.read_exact(&mut chunk).ok()?;
            if length == 0 {
                break;
            }
            body.extend_from_slice(&chunk[..length]);
        },
        (None, None) => {}
    }
    Some(Answer { status, headers, body: String::from_utf8(body).expect("UTF-8") })
}
