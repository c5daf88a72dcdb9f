//! Prints the facts of files:
//! `cargo run -p groma-testkit --example facts -- [--languages DIR] [--unreached] FILE…`
//!
//! `--unreached` prints, instead, the patterns of the files' languages that none of them reaches.

#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;

use languages::Registry;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let own;
    let registry = if arguments.next_if_eq("--languages").is_some() {
        own =
            Registry::from_folder(arguments.next().ok_or("--languages needs a folder")?.as_ref())?;
        &own
    } else {
        Registry::builtin()
    };
    let unreached = arguments.next_if_eq("--unreached").is_some();
    let mut used = BTreeSet::new();
    for path in arguments {
        let text = std::fs::read_to_string(&path)?;
        let language = registry.detect(&path, text.as_bytes());
        used.insert(language.id.clone());
        let facts = extract::extract(language, extract::Source { path: &path, text: &text });
        if !unreached {
            print!("{}", groma_testkit::render(&facts));
        }
    }
    if unreached {
        let reached = extract::coverage::all_reached();
        for id in used {
            let language = registry.get(&id).expect("it was just used");
            for pattern in &language.patterns {
                if !reached.contains(&(id.clone(), pattern.place.clone())) {
                    println!("{id}/{}", pattern.place);
                }
            }
        }
    }
    Ok(())
}
