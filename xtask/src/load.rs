//! Many clients at once, while files change: how long they wait, and whether anybody is let down.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Outcome;
use crate::torture::{Random, edit, fill};

/// Somebody saves a file so often.
const BETWEEN_EDITS: Duration = Duration::from_millis(200);
const HELP: &str = "load [--clients N] [--seconds N] [--pause MILLISECONDS]";

/// Point questions, as agents ask them.
pub(crate) fn questions() -> Vec<(&'static str, Value)> {
    vec![
        ("show", json!({"symbol": "Store", "no_links": true})),
        ("search", json!({"query": "parse the configuration"})),
        ("callers", json!({"symbols": ["Close"]})),
        ("outline", json!({"files": ["part1/methods.go"]})),
        ("find", json!({"term": "return", "limit": 20})),
        ("hierarchy", json!({"symbol": "Shape"})),
        ("status", json!({})),
    ]
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let (mut clients, mut seconds, mut pause) = (64_u64, 60_u64, 500_u64);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or(HELP)?.parse()?;
        match word.as_str() {
            "--clients" => clients = value,
            "--seconds" => seconds = value,
            "--pause" => pause = value,
            _ => return Err(HELP.into()),
        }
    }
    let groma = crate::program()?;
    let place = std::env::temp_dir().join(format!("groma-load-{}", std::process::id()));
    std::fs::create_dir_all(&place)?;
    let outcome =
        load(&groma, &place, clients, Duration::from_secs(seconds), Duration::from_millis(pause));
    let _ = std::fs::remove_dir_all(&place);
    outcome
}

fn load(groma: &Path, root: &Path, clients: u64, time: Duration, pause: Duration) -> Outcome {
    let files = fill(root, 10)?;
    let (mut server, url) = crate::conformance::serve(groma, root)?;
    let address = url.trim_start_matches("http://").to_owned();
    let outcome = (|| {
        let mut first = Connection::open(&address)?;
        first.ask("show", &json!({"symbol": "Store"}))?;
        let idle = resident(server.id());
        println!(
            "{} files, {clients} clients, a question every {} ms each, {} s",
            files.len(),
            pause.as_millis(),
            time.as_secs()
        );
        println!("memory before: {} MiB", idle >> 20);
        for with_slow in [false, true] {
            measure(&address, &files, clients, time, pause, with_slow)?;
        }
        println!("memory after: {} MiB", resident(server.id()) >> 20);
        std::thread::sleep(Duration::from_secs(14));
        println!("memory at rest: {} MiB", resident(server.id()) >> 20);
        Ok(())
    })();
    let _ = server.kill();
    let _ = server.wait();
    outcome
}

fn measure(
    address: &str,
    files: &[std::path::PathBuf],
    clients: u64,
    time: Duration,
    pause: Duration,
    with_slow: bool,
) -> Outcome {
    let stop = AtomicBool::new(false);
    let times: Mutex<Vec<(&str, Duration)>> = Mutex::default();
    let slowest: Mutex<(Duration, Duration)> = Mutex::default();
    let begun = Instant::now();
    let failures: Mutex<Vec<String>> = Mutex::default();
    std::thread::scope(|scope| {
        for client in 0..clients {
            let (stop, times, failures, slowest) = (&stop, &times, &failures, &slowest);
            scope.spawn(move || {
                let mut random = Random::from(client);
                let questions = questions();
                let outcome = (|| -> Outcome {
                    let mut connection = Connection::open(address)?;
                    while !stop.load(Ordering::Relaxed) {
                        let wait = random.below(2 * pause.as_millis() as u64 + 1);
                        std::thread::sleep(Duration::from_millis(wait));
                        let (name, input) =
                            &questions[random.below(questions.len() as u64) as usize];
                        let started = Instant::now();
                        connection.ask(name, input)?;
                        let took = started.elapsed();
                        times.lock().expect("nobody panics").push((name, took));
                        let mut slowest = slowest.lock().expect("nobody panics");
                        *slowest = (*slowest).max((took, started - begun));
                    }
                    Ok(())
                })();
                if let Err(error) = outcome {
                    failures.lock().expect("nobody panics").push(error.to_string());
                }
            });
        }
        if with_slow {
            let (stop, failures) = (&stop, &failures);
            scope.spawn(move || {
                let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 2000000) SELECT max(x) FROM n";
                let outcome = Connection::open(address).and_then(|mut connection| {
                    while !stop.load(Ordering::Relaxed) {
                        connection.ask("query", &json!({"sql": sql}))?;
                    }
                    Ok(())
                });
                if let Err(error) = outcome {
                    failures.lock().expect("nobody panics").push(error.to_string());
                }
            });
        }
        let mut random = Random::from(7);
        let deadline = Instant::now() + time;
        while Instant::now() < deadline {
            std::thread::sleep(BETWEEN_EDITS);
            if let Err(error) = edit(files, &mut random, 1) {
                failures.lock().expect("nobody panics").push(error.to_string());
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    let failures = failures.into_inner().expect("nobody panics");
    report(&times.into_inner().expect("nobody panics"), with_slow, &failures);
    let (took, at) = slowest.into_inner().expect("nobody panics");
    println!(
        "  the slowest took {} ms, {:.1} s from the beginning",
        took.as_millis(),
        at.as_secs_f64()
    );
    if failures.is_empty() {
        Ok(())
    } else {
        Err(format!("{} failures: {}", failures.len(), failures[0]).into())
    }
}

fn report(times: &[(&str, Duration)], with_slow: bool, failures: &[String]) {
    println!("{}:", if with_slow { "with one slow query all the time" } else { "point questions" });
    let mut names: Vec<&str> = times.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    for wanted in names.into_iter().map(Some).chain([None]) {
        let mut of: Vec<Duration> = times
            .iter()
            .filter(|(name, _)| wanted.is_none_or(|wanted| wanted == *name))
            .map(|(_, time)| *time)
            .collect();
        of.sort_unstable();
        let at = |part: usize| {
            of.get(of.len() * part / 100).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
        };
        println!(
            "  {:<10} {:>7}  p50 {:>7.1} ms  p99 {:>7.1} ms",
            wanted.unwrap_or("all"),
            of.len(),
            at(50),
            at(99)
        );
    }
    println!("  {} failures", failures.len());
}

/// A connection that is kept.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Connection {
    pub(crate) fn open(address: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), address: address.to_owned() })
    }

    /// Asks, and is content with any answer that is none of a failing server.
    pub(crate) fn ask(&mut self, operation: &str, input: &Value) -> Outcome {
        let body = input.to_string();
        let request = format!(
            "POST /api/{operation} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status: u16 = line.split(' ').nth(1).ok_or("the connection ended")?.parse()?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line)?;
            match line.trim_end().split_once(": ") {
                Some(("content-length", value)) => length = value.parse()?,
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        // A file that was asked for may just be gone.
        match status {
            200 | 404 => Ok(()),
            _ => Err(format!("{operation}: {status} {}", String::from_utf8_lossy(&body)).into()),
        }
    }
}

/// Bytes of memory a process holds, where the system tells.
pub(crate) fn resident(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}
