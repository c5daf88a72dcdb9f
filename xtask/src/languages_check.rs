//! An independent check: do we find the definitions that universal-ctags finds?

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use languages::Registry;
use model::{Binding, SymbolFlags};

use crate::Outcome;

/// ctags kinds that are functions, methods, classes or types.
const KINDS: &[&str] = &[
    "function",
    "func",
    "method",
    "class",
    "struct",
    "interface",
    "enum",
    "trait",
    "type",
    "typedef",
    "union",
    "subroutine",
    "singletonMethod",
    "object",
    "record",
    "annotation",
    "protocol",
    "implementation",
    "constructor",
    "module",
    "talias",
];

#[derive(Default)]
struct Count {
    files: usize,
    with_errors: usize,
    expected: usize,
    found: usize,
    /// Variables, parameters, arrays and object literals that ctags takes for functions or classes.
    mistaken: usize,
    symbols: usize,
    bad_spans: usize,
    misses: Vec<String>,
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut misses = 0;
    let mut folder = None;
    let mut roots = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--misses" => misses = rest.next().ok_or("--misses needs a number")?.parse()?,
            "--languages" => {
                folder = Some(PathBuf::from(rest.next().ok_or("--languages needs a folder")?))
            }
            root => roots.push(PathBuf::from(root)),
        }
    }
    let own;
    let registry = match folder {
        Some(folder) => {
            own = Registry::from_folder(&folder)?;
            &own
        }
        None => Registry::builtin(),
    };
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for root in &roots {
        compare(registry, root, &mut counts)?;
    }
    println!(
        "{:<12} {:>7} {:>7} {:>9} {:>7} {:>9} {:>8} {:>9} {:>9}",
        "language", "files", "errors", "ctags", "not", "found", "share", "symbols", "bad spans"
    );
    for (language, count) in &counts {
        let judged = (count.expected - count.mistaken).max(1);
        let share = 100.0 * count.found as f64 / judged as f64;
        println!(
            "{language:<12} {:>7} {:>7} {:>9} {:>7} {:>9} {share:>7.2}% {:>9} {:>9}",
            count.files,
            count.with_errors,
            count.expected,
            count.mistaken,
            count.found,
            count.symbols,
            count.bad_spans
        );
        for miss in count.misses.iter().take(misses) {
            println!("    {miss}");
        }
    }
    Ok(())
}

fn compare(registry: &Registry, root: &Path, counts: &mut BTreeMap<String, Count>) -> Outcome {
    let mut files = Vec::new();
    for entry in ignore::WalkBuilder::new(root).sort_by_file_path(|a, b| a.cmp(b)).build() {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            files.push(entry.into_path());
        }
    }
    let expected = ctags(&files)?;
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let shown = path.to_string_lossy().into_owned();
        let language = registry.detect(&shown, text.as_bytes());
        if language.grammar.is_none() || text.len() > 1 << 20 {
            continue;
        }
        let facts = extract::extract(language, extract::Source { path: &shown, text: &text });
        let count = counts.entry(language.id.clone()).or_default();
        count.files += 1;
        count.with_errors += usize::from(!facts.problems.is_empty());
        count.symbols += facts.symbols.len();
        let mut ours: HashSet<(u32, &str)> = HashSet::new();
        let mut tests: HashSet<u32> = HashSet::new();
        for symbol in &facts.symbols {
            let name = facts.name(symbol.name);
            // The name of a selector has its spaces put in order.
            let signs = |text: &str| -> String { text.split_whitespace().collect() };
            let is_name = signs(symbol.name_span.slice(&text)) == signs(name);
            count.bad_spans += usize::from(!is_name);
            let line = facts.position(symbol.name_span.start).0;
            ours.insert((line, name));
            if symbol.flags.has(SymbolFlags::TEST) {
                tests.insert(facts.position(symbol.span.start).0);
            }
            // ctags reports the first line of some definitions, not that of the name.
            ours.insert((facts.position(symbol.span.start).0, name));
        }
        let bound = |binding: &Binding| (facts.position(binding.start).0, facts.name(binding.name));
        let locals: HashSet<(u32, &str)> = facts.bindings.iter().map(bound).collect();
        for (line, name, kind) in expected.get(path).into_iter().flatten() {
            count.expected += 1;
            let short = name.rsplit(['.', ':', '\\']).next().unwrap_or(name);
            let is_ours = |name: &str| ours.contains(&(*line, name));
            // ctags names a test after its macro, companions with a capital, and setters of Ruby with a sign.
            let is_named_otherwise = tests.contains(line)
                || short == "Companion" && is_ours("companion")
                || short.strip_suffix('=').is_some_and(is_ours);
            if is_ours(name) || is_ours(short) || is_named_otherwise {
                count.found += 1;
            } else if locals.contains(&(*line, short))
                || is_value(&language.id, kind, *line, &text)
                || (language.id == "bash" && name.ends_with('='))
            {
                count.mistaken += 1;
            } else {
                count.misses.push(format!("{}:{line} {kind} {name}", path.display()));
            }
        }
    }
    Ok(())
}

/// In JavaScript, ctags takes object literals, attributes and aliases of types for classes.
fn is_value(language: &str, kind: &str, line: u32, text: &str) -> bool {
    let is_script = matches!(language, "javascript" | "jsx");
    let line = text.lines().nth(line as usize - 1).unwrap_or_default();
    is_script
        && kind == "class"
        && !line.split(|sign: char| !sign.is_alphanumeric()).any(|word| word == "class")
}

type Tags = HashMap<PathBuf, Vec<(u32, String, String)>>;

fn ctags(files: &[PathBuf]) -> Result<Tags, Box<dyn std::error::Error>> {
    let mut child = Command::new("ctags")
        .args(["--options=NONE", "--output-format=json", "--fields=+nK", "--extras=-{anonymous}"])
        .args(["--languages=Sh,C,C++,C#,Go,Java,JavaScript,TypeScript,Kotlin,PHP,Python,Ruby,Rust"])
        .args(["--map-TypeScript=+.tsx", "-L", "-", "-f", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run ctags (install universal-ctags): {error}"))?;
    let mut input = child.stdin.take().expect("stdin is piped");
    let list: Vec<u8> =
        files.iter().flat_map(|path| [path.to_string_lossy().as_bytes(), b"\n"].concat()).collect();
    let writer = std::thread::spawn(move || input.write_all(&list));
    let output = child.wait_with_output()?;
    writer.join().expect("the writer does not panic")?;
    let mut tags = Tags::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(tag) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let (Some(path), Some(name), Some(kind), Some(number)) = (
            tag["path"].as_str(),
            tag["name"].as_str(),
            tag["kind"].as_str(),
            tag["line"].as_u64(),
        ) else {
            continue;
        };
        // Functions without a name are no definitions, whatever ctags calls them.
        if KINDS.contains(&kind) && !name.starts_with("__anon") && !name.starts_with('<') {
            tags.entry(PathBuf::from(path)).or_default().push((
                number as u32,
                name.to_owned(),
                kind.to_owned(),
            ));
        }
    }
    Ok(tags)
}
