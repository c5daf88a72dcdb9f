//! Lays the vocabulary out as tables that need no loading: the program maps them from its own file.
//!
//! `tokens.bytes` are all tokens one behind the other, `tokens.ends` where each of them ends,
//! `tokens.slots` a hash table from the bytes of a token to its rank.

use std::path::Path;

#[path = "src/hash.rs"]
mod hash;

use hash::{EMPTY, SLOTS, fingerprint, hash};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/hash.rs");
    let vocabulary = tiktoken_rs::o200k_base().expect("the vocabulary is part of the crate");
    let mut bytes: Vec<u8> = Vec::new();
    let mut ends: Vec<u32> = Vec::new();
    let mut slots = vec![EMPTY; SLOTS];
    let mut longest = 0;
    for rank in 0.. {
        // Ranks of ordinary tokens have no gap; behind them come those of control tokens.
        let Ok(token) = vocabulary.decode_bytes(&[rank]) else { break };
        let hash = hash(&token);
        let mut slot = hash as usize % SLOTS;
        while slots[slot] != EMPTY {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = fingerprint(hash) | rank;
        longest = longest.max(token.len());
        bytes.extend_from_slice(&token);
        ends.push(bytes.len() as u32);
    }
    let out = std::env::var_os("OUT_DIR").expect("cargo says where to write");
    let write = |name: &str, content: &[u8]| {
        std::fs::write(Path::new(&out).join(name), content).expect("the directory can be written");
    };
    let packed = |numbers: &[u32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    };
    write("tokens.bytes", &bytes);
    write("tokens.ends", &packed(&ends));
    write("tokens.slots", &packed(&slots));
    write("longest.rs", longest.to_string().as_bytes());
}
