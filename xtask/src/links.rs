//! Links of a directory, without an index: for whoever works on linking.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use extract::Source;
use index::read::{self, Content};
use index::{Config, Project};
use languages::Registry;
use model::{FileFacts, Role};
use resolve::{Body, File, Linker, Memory, Outcome, Settings, World};

pub(crate) fn run(arguments: &[String]) -> crate::Outcome {
    let (Some(directory), edges, definitions) =
        (arguments.first(), arguments.get(1), arguments.get(2))
    else {
        return Err("links <dir> [<edges> [<definitions>]]".into());
    };
    let directory = std::fs::canonicalize(directory)?;
    let files = read_all(&directory)?;
    let mut settings = Settings::default();
    for (path, text) in &files {
        if resolve::is_manifest(path) {
            settings.read(path, text);
        }
    }
    let registry = Registry::builtin();
    let started = Instant::now();
    let mut facts: Vec<(String, FileFacts)> = Vec::new();
    for (path, text) in &files {
        let language = registry.detect(path, text.as_bytes());
        facts.push((path.clone(), extract::extract(language, Source { path, text })));
    }
    let extracted = started.elapsed();
    let mut world = Memory::new(settings);
    for ((path, facts), (_, text)) in facts.iter_mut().zip(&files) {
        world.add(path, registry.detect(path, text.as_bytes()), facts);
    }
    let prepared = started.elapsed() - extracted;
    let mut linker = Linker::new(&world);
    let mut table: BTreeMap<(String, Role), BTreeMap<String, u64>> = BTreeMap::new();
    let mut out = String::new();
    for (file, (path, facts)) in facts.iter().enumerate() {
        let body = Body::of(facts);
        let links = linker.link(file as File, body);
        for (reference, outcome) in facts.references.iter().zip(&links.outcomes) {
            let id = world.language(file as File).id.clone();
            *table.entry((id, reference.role)).or_default().entry(word(outcome)).or_default() += 1;
            let is_call = matches!(reference.role, Role::Call | Role::Decorate);
            if let (Outcome::Resolved(target, how), true) = (outcome, is_call) {
                let kind = world.interface(target.file).symbols[target.symbol as usize].kind;
                if kind == model::SymbolKind::Macro || !(kind.is_callable() || kind.is_type()) {
                    continue;
                }
                let (line, column) = facts.position(reference.start);
                let caller = reference.symbol.map_or(0, |symbol| {
                    facts.position(facts.symbols[symbol as usize].name_span.start).0
                });
                let name =
                    world.text(world.interface(target.file).symbols[target.symbol as usize].name);
                let _ = writeln!(
                    out,
                    "{path}\t{caller}\t{}\t@{}:{}\t{line}\t{name}\t{how:?}\t{column}",
                    world.path(target.file),
                    target.file,
                    target.symbol
                );
            }
        }
    }
    let linked = started.elapsed() - prepared - extracted;
    if let Some(edges) = edges {
        std::fs::write(edges, with_lines(&out, &facts))?;
    }
    if let Some(definitions) = definitions {
        let mut out = String::new();
        for (file, (path, facts)) in facts.iter().enumerate() {
            for symbol in facts.symbols.iter().filter(|symbol| {
                (symbol.kind.is_callable() || symbol.kind.is_type())
                    && !matches!(symbol.kind, model::SymbolKind::Test | model::SymbolKind::Macro)
            }) {
                let line = facts.position(symbol.name_span.start).0;
                let name = world.text(symbol.name);
                let _ = (file, writeln!(out, "{path}\t{line}\t{name}\t{}", symbol.kind));
            }
        }
        std::fs::write(definitions, out)?;
    }
    for ((language, role), outcomes) in &table {
        let all: u64 = outcomes.values().sum();
        let mut shares: Vec<(&String, &u64)> = outcomes.iter().collect();
        shares.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let shares: Vec<String> = shares
            .iter()
            .map(|(word, count)| format!("{word} {:.1}%", **count as f64 * 100.0 / all as f64))
            .collect();
        println!("{language:<12} {role:<10} {all:>8}  {}", shares.join(", "));
    }
    println!(
        "extract {:.2} s, interfaces {:.2} s, links {:.2} s",
        extracted.as_secs_f64(),
        prepared.as_secs_f64(),
        linked.as_secs_f64()
    );
    Ok(())
}

/// Numbers of symbols become the lines of their names.
fn with_lines(table: &str, facts: &[(String, FileFacts)]) -> String {
    let mut out = String::with_capacity(table.len());
    for row in table.lines() {
        let fields: Vec<&str> = row.split('\t').collect();
        let place = fields[3].trim_start_matches('@').split_once(':');
        let line = place
            .and_then(|(file, symbol)| {
                Some((file.parse::<usize>().ok()?, symbol.parse::<usize>().ok()?))
            })
            .map_or(0, |(file, symbol)| {
                let facts = &facts[file].1;
                facts.position(facts.symbols[symbol].name_span.start).0
            });
        let mut fields: Vec<String> = fields.into_iter().map(str::to_owned).collect();
        fields[3] = line.to_string();
        out.push_str(&fields.join("\t"));
        out.push('\n');
    }
    out
}

fn word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Local => "local".to_owned(),
        Outcome::Resolved(_, how) => format!("{how:?}").to_lowercase(),
        Outcome::File(..) | Outcome::Namespace(_) => "module".to_owned(),
        Outcome::Ambiguous(..) => "ambiguous".to_owned(),
        Outcome::External(_) => "external".to_owned(),
        Outcome::Unresolved(why) => format!("?{why:?}"),
    }
}

fn read_all(directory: &Path) -> Result<Vec<(String, String)>, Box<dyn std::error::Error>> {
    let project = Project::at(directory, None)?;
    let config = Config::default();
    let mut files = Vec::new();
    for found in index::walk::walk(&project, &config, None)? {
        if found.skip.is_some() {
            continue;
        }
        if let (Content::Text { text, .. }, _) =
            read::read_source(&found.absolute, config.max_file_size)
        {
            files.push((found.path, text));
        }
    }
    Ok(files)
}
