//! Prints the facts of files: `cargo run -p groma-testkit --example facts -- [--languages DIR] FILE…`

#![allow(clippy::print_stdout)]

use languages::Registry;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let own;
    let registry = if arguments.next_if_eq("--languages").is_some() {
        own = Registry::from_folder(arguments.next().ok_or("--languages needs a folder")?.as_ref())?;
        &own
    } else {
        Registry::builtin()
    };
    for path in arguments {
        let text = std::fs::read_to_string(&path)?;
        let language = registry.detect(&path, text.as_bytes());
        let facts = extract::extract(language, extract::Source { path: &path, text: &text });
        print!("{}", groma_testkit::render(&facts));
    }
    Ok(())
}
