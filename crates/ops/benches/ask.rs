//! How long questions take in a process that stays:
//! `cargo bench -p groma-ops --bench ask -- <dir> [state directory] [part of a question's name]`.
//!
//! The directory must be indexed. Names are drawn from the index, sentences from its documentation, so
//! that any project can be measured. Every question is asked once before it is timed.

// What a bench prints is its result.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use groma_ops as ops;
use groma_ops::{Kept, Operation, Settings, Workspace};
use serde_json::json;

const SAMPLES: usize = 60;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(root) = arguments.next().map(PathBuf::from) else {
        eprintln!("cargo bench -p groma-ops --bench ask -- <dir> [state directory] [question]");
        return;
    };
    let executable = std::env::current_exe().expect("a program knows itself");
    let program = index::pool::Program { executable, arguments: Vec::new() };
    let workspace = Workspace {
        settings: Settings {
            root: Some(root),
            state_directory: arguments.next().map(PathBuf::from),
            directory: None,
        },
        kept: Arc::new(Kept::new(program)),
        progress: Arc::new(index::Silent),
        interrupted: Arc::new(AtomicBool::new(false)),
        refresh: false,
        fresh: false,
        seen: ops::Seen::default(),
    };
    let only = arguments.next().unwrap_or_default();
    let (_, reader) = workspace.reader().expect("the directory is indexed");
    let column = |sql: &str| -> Vec<String> {
        let mut statement = reader.connection().prepare(sql).expect("the schema is ours");
        let rows = statement.query_map([], |row| row.get(0)).expect("the schema is ours");
        rows.flatten().take(SAMPLES).collect()
    };
    // A stride of a large prime spreads the sample over the project.
    let symbols = column(
        "SELECT name FROM symbols WHERE kind IN ('function', 'method', 'class', 'struct')
         AND length(name) > 3 ORDER BY id * 7919 % 100003 LIMIT 60",
    );
    let sentences = column(
        "SELECT substr(doc_comment, 1, 90) FROM symbols
         WHERE length(doc_comment) > 40 ORDER BY id * 7919 % 100003 LIMIT 60",
    );
    println!("{:<28} {:>5} {:>9} {:>9} {:>9}", "question", "n", "p50 ms", "p95 ms", "max ms");
    let texts = |list: &[String], key: &str| -> Vec<serde_json::Value> {
        list.iter().map(|text| json!({ key: text })).collect()
    };
    ask::<ops::search::Search>(&workspace, &only, "search a name", &texts(&symbols, "query"));
    ask::<ops::search::Search>(&workspace, &only, "search a sentence", &texts(&sentences, "query"));
    ask::<ops::find::Find>(&workspace, &only, "find a term", &texts(&symbols, "term"));
    ask::<ops::show::Show>(&workspace, &only, "show a symbol", &texts(&symbols, "symbol"));
    let one: Vec<serde_json::Value> =
        symbols.iter().map(|symbol| json!({ "symbols": [symbol] })).collect();
    ask::<ops::links::Callers>(&workspace, &only, "callers", &one);
    let deep: Vec<serde_json::Value> =
        symbols.iter().map(|name| json!({"target": name, "depth": 5})).collect();
    ask::<ops::impact::Impact>(&workspace, &only, "impact, depth 5", &deep);
    let files = column(
        "SELECT path FROM files WHERE symbol_count > 0 ORDER BY id * 7919 % 100003 LIMIT 60",
    );
    ask::<ops::impact::Impact>(&workspace, &only, "impact of a file", &texts(&files, "target"));
    ask::<ops::context::Context>(&workspace, &only, "context", &texts(&sentences, "task"));
}

fn ask<O: Operation>(workspace: &Workspace, only: &str, what: &str, inputs: &[serde_json::Value]) {
    if !what.contains(only) {
        return;
    }
    let mut times: Vec<Duration> = Vec::new();
    for input in inputs {
        let Ok(input) = serde_json::from_value::<O::Input>(input.clone()) else {
            println!("{what}: {input} is no question");
            return;
        };
        if O::run(workspace, input.clone()).is_err() {
            continue;
        }
        let start = Instant::now();
        let _ = std::hint::black_box(O::run(workspace, input));
        times.push(start.elapsed());
    }
    times.sort();
    let at = |share: f64| {
        let last = times.len().saturating_sub(1);
        times.get((last as f64 * share) as usize).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    println!("{what:<28} {:>5} {:>9.2} {:>9.2} {:>9.2}", times.len(), at(0.5), at(0.95), at(1.0));
}
