//! A new language: its folder, its line in the registry, and the grammar it is read with.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use languages::Registry;

use crate::Outcome;

const USAGE: &str = "new-language <id> <crate>[@<version>] <Name>, for instance: \
                     new-language zig tree-sitter-zig@1.1.2 Zig";

const TABLE: &str = r#"name = "{name}"
files = ["*.{id}"]
comments = { line = [], block = [] }
docs = { place = "above" }
visibility = { strategy = "keyword", default = "public" }
# What is known not to work, for the documentation.
limits = []

[tests]
# Files and names that are tests, as globs.
files = []
symbols = []

# Kinds of nodes by what they are; `cargo xtask tree <file>` shows those of a file.
[nodes]
identifiers = []
comments = []
strings = []

[metrics]
branches = []
loops = []
logical = []
nesting = []
flat = []
returns = []
assertions = []
"#;

const SYMBOLS: &str = "\
; What a file defines: the definition, its @name, its @body.
;
; (function_declaration name: (identifier) @name body: (block)? @body) @definition.function
";

const REFERENCES: &str = "\
; What a file uses: calls, types, imports, reads and writes.
;
; (call_expression function: (identifier) @name) @reference.call
";

const SCOPES: &str = "\
; Where names are bound, and which names are only local.
;
; (block) @scope
; (parameter name: (identifier) @name) @binding.parameter
";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let [id, grammar, name] = arguments else { return Err(USAGE.into()) };
    let is_id = !id.is_empty() && id.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    if !is_id {
        return Err(format!("`{id}`: an id is made of small letters and `_`\n{USAGE}").into());
    }
    if Registry::builtin().ids().any(|known| known == id) {
        return Err(format!("there is a language `{id}` already, in languages/{id}").into());
    }
    let (grammar, version) = match grammar.split_once('@') {
        Some((grammar, version)) => (grammar, version.to_owned()),
        None => (grammar.as_str(), newest_version(grammar)?),
    };
    let root = crate::root();
    write_folder(&root.join("languages").join(id), id, name)?;
    edit(&root.join("Cargo.toml"), |text| {
        insert_sorted(text, "tree-sitter-", &format!("{grammar} = \"={version}\""))
    })?;
    edit(&root.join("crates/languages/Cargo.toml"), |text| {
        insert_sorted(text, "tree-sitter-", &format!("{grammar}.workspace = true"))
    })?;
    let constant = grammar.replace('-', "_");
    edit(&root.join("crates/languages/src/registry.rs"), |text| {
        insert_sorted(text, "    define!(", &format!("    define!({id}, {constant}::LANGUAGE),"))
    })?;
    println!("{}", next_steps(id, name));
    Ok(())
}

/// The folder of a language with nothing in it yet but where things go.
fn write_folder(folder: &Path, id: &str, name: &str) -> Outcome {
    fs::create_dir_all(folder.join("fixtures"))?;
    let table = TABLE.replace("{name}", name).replace("{id}", id);
    let files = [
        ("language.toml", table.as_str()),
        ("symbols.scm", SYMBOLS),
        ("references.scm", REFERENCES),
        ("scopes.scm", SCOPES),
        (&format!("fixtures/first.{id}"), ""),
    ];
    for (file, text) in files {
        let path = folder.join(file);
        if path.exists() {
            return Err(format!("{} exists already", path.display()).into());
        }
        fs::write(path, text)?;
    }
    Ok(())
}

fn next_steps(id: &str, name: &str) -> String {
    format!(
        "{name} has a folder, languages/{id}, a line in crates/languages/src/registry.rs, and its grammar
in the two manifests. Next:

  1. Build. Does the grammar's constant have another name than LANGUAGE? Its documentation says.
  2. Put code of the kind real repositories contain into languages/{id}/fixtures, three files or more,
     and look at what the grammar makes of it: cargo xtask tree languages/{id}/fixtures/first.{id}
  3. Fill in language.toml and the three pattern files. This shows the facts they give, read from the
     folder without a new build, and an error with the legal words where a word is not one of them:
     cargo run -p groma-testkit --example facts -- --languages languages languages/{id}/fixtures/first.{id}
  4. GROMA_BLESS=1 cargo test -p groma-testkit writes the facts beside the fixtures; read them. The
     test names every pattern that no fixture reaches.
  5. cargo xtask languages --languages languages <checkout of a real project> compares the definitions
     with those of universal-ctags, where ctags knows the language.
  6. cargo xtask generate, cargo xtask check, a line in CHANGELOG.md."
    )
}

/// Asks cargo which version of a crate is the newest.
fn newest_version(grammar: &str) -> Result<String, Box<dyn std::error::Error>> {
    let output = Command::new(env!("CARGO")).args(["info", "--quiet", grammar]).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.lines().find_map(|line| line.strip_prefix("version:"));
    let version = version.and_then(|rest| rest.split_whitespace().next());
    version.map(str::to_owned).ok_or_else(|| {
        let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        format!("the newest version of `{grammar}` is not known; say {grammar}@<version>\n{reason}")
            .into()
    })
}

fn edit(path: &Path, change: impl FnOnce(&str) -> Option<String>) -> Outcome {
    let text = fs::read_to_string(path)?;
    let changed = change(&text)
        .ok_or_else(|| format!("{}: no place found for the new line", path.display()))?;
    Ok(fs::write(path, changed)?)
}

/// Puts a line into the sorted run of lines that begin with `prefix`; a line that is there already
/// stays as it is.
fn insert_sorted(text: &str, prefix: &str, new: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let key = |line: &str| {
        let rest = line.strip_prefix(prefix).unwrap_or(line);
        rest.split([' ', ',', ')', '.', '=']).next().unwrap_or(rest).to_owned()
    };
    let first = lines.iter().position(|line| line.starts_with(prefix))?;
    let run = lines[first..].iter().take_while(|line| line.starts_with(prefix));
    let mut at = first;
    for line in run {
        if key(line) == key(new) {
            return Some(text.to_owned());
        }
        // Text ends the registry, whatever stands before it.
        if key(line) > key(new) || line.trim() == "define!(text)," {
            break;
        }
        at += 1;
    }
    let mut lines = lines;
    lines.insert(at, new);
    Some(lines.join("\n") + "\n")
}

/// Prints the syntax tree of a file as its grammar sees it, which is what patterns are written for.
pub(crate) fn tree(arguments: &[String]) -> Outcome {
    let [path] = arguments else { return Err("tree <file>".into()) };
    let text = fs::read_to_string(path)?;
    let language = Registry::builtin().detect(path, text.as_bytes());
    let grammar = language.grammar.as_ref().ok_or("no language with a grammar claims this file")?;
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(grammar)?;
    let tree = parser.parse(&text, None).ok_or("the parser gave up")?;
    let mut out = std::io::stdout().lock();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_named() || node.is_missing() {
            let field = cursor.field_name().map_or(String::new(), |name| format!("{name}: "));
            let position = node.start_position();
            let indent = "  ".repeat(cursor.depth() as usize);
            let words = node.utf8_text(text.as_bytes()).unwrap_or_default();
            let words = if node.child_count() == 0 { format!(" {words:?}") } else { String::new() };
            let place = format!("{}:{}", position.row + 1, position.column + 1);
            writeln!(out, "{place:<8} {indent}{field}({}{words})", node.kind())?;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::insert_sorted;

    #[test]
    fn a_line_goes_to_its_place() {
        let manifest =
            "tree-sitter = \"1\"\ntree-sitter-c = \"=1\"\ntree-sitter-go = \"=1\"\nother = \"1\"\n";
        let added =
            insert_sorted(manifest, "tree-sitter-", "tree-sitter-d = \"=2\"").expect("a run");
        assert_eq!(
            added,
            "tree-sitter = \"1\"\ntree-sitter-c = \"=1\"\ntree-sitter-d = \"=2\"\ntree-sitter-go = \"=1\"\nother = \"1\"\n"
        );
        assert_eq!(
            insert_sorted(&added, "tree-sitter-", "tree-sitter-d = \"=2\"").as_ref(),
            Some(&added)
        );
        assert_eq!(insert_sorted("x\n", "tree-sitter-", "y"), None);
    }

    #[test]
    fn text_stays_last_in_the_registry() {
        let registry = "[\n    define!(go, a::L),\n    define!(text),\n];\n";
        let added =
            insert_sorted(registry, "    define!(", "    define!(zig, b::L),").expect("a run");
        assert_eq!(
            added,
            "[\n    define!(go, a::L),\n    define!(zig, b::L),\n    define!(text),\n];\n"
        );
    }
}
