//! How fast tokens are counted: `cargo run --release -p groma-tokens --example speed -- <file>…`.
#![allow(clippy::print_stdout)]

use std::time::Instant;

fn main() {
    let start = Instant::now();
    let first = groma_tokens::count("fn main() {}");
    println!("first count ({first} tokens): {:?}", start.elapsed());
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let start = Instant::now();
        let count = groma_tokens::count(&text);
        let seconds = start.elapsed().as_secs_f64();
        let speed = text.len() as f64 / 1e6 / seconds;
        println!("{path}: {count} tokens in {} bytes, {speed:.1} MB/s", text.len());
    }
}
