//! Links of a directory, without an index: for whoever works on linking.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use extract::Source;
use index::read::{self, Content};
use index::{Config, Project};
use languages::Registry;
use model::{FileFacts, Role, SymbolKind};
use resolve::{Body, File, Linker, Memory, Outcome, Settings, World};

/// A call that leads to a symbol.
pub(crate) struct Edge {
    pub(crate) file: String,
    /// Of the name of the symbol around the call; 0 at the top level.
    pub(crate) caller_line: u32,
    pub(crate) target: String,
    pub(crate) target_line: u32,
    pub(crate) line: u32,
    pub(crate) name: String,
    pub(crate) how: String,
}

/// Every call of a directory that leads to something that can be called.
pub(crate) fn of(directory: &Path) -> Result<Vec<Edge>, Box<dyn std::error::Error>> {
    Ok(Linked::new(directory)?.edges())
}

pub(crate) fn run(arguments: &[String]) -> crate::Outcome {
    let (Some(directory), edges, definitions) =
        (arguments.first(), arguments.get(1), arguments.get(2))
    else {
        return Err("links <dir> [<edges> [<definitions>]]".into());
    };
    let linked = Linked::new(directory.as_ref())?;
    if let Some(path) = edges {
        let mut out = String::new();
        for edge in linked.edges() {
            let Edge { file, caller_line, target, target_line, line, name, how } = edge;
            let _ = writeln!(
                out,
                "{file}\t{caller_line}\t{target}\t{target_line}\t{line}\t{name}\t{how}"
            );
        }
        std::fs::write(path, out)?;
    }
    if let Some(path) = definitions {
        std::fs::write(path, linked.definitions())?;
    }
    linked.print_shares();
    Ok(())
}

/// Links between files of one language, drawn at random: the rows of `languages/<id>/links/sample.tsv`,
/// still without verdicts.
pub(crate) fn sample(arguments: &[String]) -> crate::Outcome {
    let [directory, language, seed, rest @ ..] = arguments else {
        return Err("sample <dir> <language> <seed> [<count>]".into());
    };
    let count = rest.first().map_or(Ok(100), |count| count.parse())?;
    let mut links = Linked::new(directory.as_ref())?.between_files(language);
    let mut state: u64 = seed.parse()?;
    let mut drawn = Vec::new();
    while drawn.len() < count && !links.is_empty() {
        // The generator of Numerical Recipes; its low bits are poor.
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) & 0xffff_ffff;
        let at = (state >> 8) as usize % links.len();
        drawn.push(links.swap_remove(at));
    }
    drawn.sort();
    println!("file\tline\tname\ttarget file\ttarget line\tverdict\twhy");
    for (file, line, name, target, target_line) in drawn {
        println!("{file}\t{line}\t{name}\t{target}\t{target_line}\t\t");
    }
    Ok(())
}

/// Where a link begins, its name, and where it ends.
type Link = (String, u32, String, String, u32);

/// A directory with all its links, in memory.
struct Linked {
    files: Vec<(String, FileFacts, String)>,
    outcomes: Vec<Vec<Outcome>>,
    /// Of all symbols of all files.
    names: Vec<Vec<String>>,
    times: [f64; 3],
}

impl Linked {
    fn new(directory: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let texts = read_all(&std::fs::canonicalize(directory)?)?;
        let mut settings = Settings::default();
        for (path, text) in texts.iter().filter(|(path, _)| resolve::is_manifest(path)) {
            settings.read(path, text);
        }
        settings.finish();
        let registry = Registry::builtin();
        let started = Instant::now();
        let mut files: Vec<(String, FileFacts, String)> = Vec::new();
        for (path, text) in &texts {
            let language = registry.detect(path, text.as_bytes());
            let facts = extract::extract(language, Source { path, text });
            files.push((path.clone(), facts, language.id.clone()));
        }
        let extracted = started.elapsed().as_secs_f64();
        let mut world = Memory::new(settings);
        for (path, facts, language) in &mut files {
            let language = registry.get(language).expect("it was just detected");
            world.add(path, language, facts);
        }
        let prepared = started.elapsed().as_secs_f64();
        let mut linker = Linker::new(&world);
        let mut outcomes = Vec::new();
        let mut names = Vec::new();
        for (file, (_, facts, _)) in files.iter().enumerate() {
            let body = Body::of(facts);
            outcomes.push(linker.link(file as File, body).outcomes);
            names.push(facts.symbols.iter().map(|it| world.text(it.name).to_string()).collect());
        }
        let linked = started.elapsed().as_secs_f64();
        Ok(Self {
            files,
            outcomes,
            names,
            times: [extracted, prepared - extracted, linked - prepared],
        })
    }

    fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        let name_line = |file: usize, symbol: u32| {
            let facts = &self.files[file].1;
            facts.position(facts.symbols[symbol as usize].name_span.start).0
        };
        for (file, (path, facts, _)) in self.files.iter().enumerate() {
            for (reference, outcome) in facts.references.iter().zip(&self.outcomes[file]) {
                let is_call = matches!(reference.role, Role::Call | Role::Decorate);
                let (Outcome::Resolved(target, how), true) = (outcome, is_call) else { continue };
                let of = target.file as usize;
                let kind = self.files[of].1.symbols[target.symbol as usize].kind;
                if kind == SymbolKind::Macro || !(kind.is_callable() || kind.is_type()) {
                    continue;
                }
                edges.push(Edge {
                    file: path.clone(),
                    caller_line: reference.symbol.map_or(0, |symbol| name_line(file, symbol)),
                    target: self.files[of].0.clone(),
                    target_line: name_line(of, target.symbol),
                    line: facts.position(reference.start).0,
                    name: self.names[of][target.symbol as usize].clone(),
                    how: how.as_str().to_owned(),
                });
            }
        }
        edges
    }

    fn between_files(&self, wanted: &str) -> Vec<Link> {
        let mut links = Vec::new();
        for (file, (path, facts, language)) in self.files.iter().enumerate() {
            if language != wanted {
                continue;
            }
            for (reference, outcome) in facts.references.iter().zip(&self.outcomes[file]) {
                let Outcome::Resolved(target, _) = outcome else { continue };
                let of = target.file as usize;
                if of == file {
                    continue;
                }
                let (target_path, target_facts, _) = &self.files[of];
                let symbol = &target_facts.symbols[target.symbol as usize];
                links.push((
                    path.clone(),
                    facts.position(reference.start).0,
                    self.names[of][target.symbol as usize].clone(),
                    target_path.clone(),
                    target_facts.position(symbol.name_span.start).0,
                ));
            }
        }
        links
    }

    fn definitions(&self) -> String {
        let mut out = String::new();
        for (file, (path, facts, _)) in self.files.iter().enumerate() {
            for (at, symbol) in facts.symbols.iter().enumerate() {
                let is_definition = (symbol.kind.is_callable() || symbol.kind.is_type())
                    && !matches!(symbol.kind, SymbolKind::Test | SymbolKind::Macro);
                // `get` and `set` of a property are parts of it.
                let is_part = matches!(symbol.kind, SymbolKind::Getter | SymbolKind::Setter)
                    && symbol.owner.is_some_and(|owner| {
                        facts.symbols[owner as usize].kind == SymbolKind::Property
                    });
                if is_definition && !is_part {
                    let line = facts.position(symbol.name_span.start).0;
                    let name = &self.names[file][at];
                    let _ = writeln!(out, "{path}\t{line}\t{name}\t{}", symbol.kind);
                }
            }
        }
        out
    }

    /// What became of references, by language and role, and how long it took.
    fn print_shares(&self) {
        let mut table: BTreeMap<(&str, Role), BTreeMap<String, u64>> = BTreeMap::new();
        for ((_, facts, language), outcomes) in self.files.iter().zip(&self.outcomes) {
            for (reference, outcome) in facts.references.iter().zip(outcomes) {
                let shares = table.entry((language, reference.role)).or_default();
                *shares.entry(word(outcome)).or_default() += 1;
            }
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
        let [extract, interfaces, links] = self.times;
        println!("extract {extract:.2} s, interfaces {interfaces:.2} s, links {links:.2} s");
    }
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
