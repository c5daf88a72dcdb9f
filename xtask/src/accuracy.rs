//! Links against what a compiler says.
//!
//! A truth is a table of tabs that a compiler or precise indexer made of a repository: judged files (F),
//! definitions (D), references with their target (R), overriding methods (I), and calls that the compiler
//! itself could not resolve (U). Calls are compared as edges from function to function: the outermost
//! function around a call, and the definition it leads to. What the truth does not decide is not judged:
//! calls through values, calls it could not resolve, implementations of the method it names.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::process::Command;

use crate::Outcome;
use crate::links;

type Place = (String, u32);

#[derive(Clone)]
struct Definition {
    file: String,
    line: u32,
    start: u32,
    end: u32,
    name: String,
    kind: String,
    scope: String,
    primary: Place,
    owner: String,
}

struct Reference {
    file: String,
    line: u32,
    name: String,
    target: (Place, String),
    role: String,
    function: u32,
}

#[derive(Default)]
struct Truth {
    files: HashSet<String>,
    definitions: Vec<Definition>,
    references: Vec<Reference>,
    /// Methods, and those they override.
    bases: HashMap<Place, HashSet<Place>>,
    unresolved: Vec<(String, u32, String, u32)>,
    at: HashMap<Place, Vec<usize>>,
    functions: HashMap<String, Vec<(u32, u32, u32)>>,
}

const CALLABLE: &[&str] = &["function", "method", "constructor", "class", "struct", "accessor"];
const CALLS: &[&str] = &["call", "new", "decorator", "jsx"];
/// Lines a definition may be off its truth.
const SLACK: u32 = 1;

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let [truth, directory] = arguments else {
        return Err("accuracy <truth.tsv[.gz]> <dir>".into());
    };
    let truth = Truth::read(truth)?;
    println!(
        "{:<22} {:>7} {:>7} {:>7} {:>9} {:>7}",
        "", "right", "wrong", "missed", "precision", "recall"
    );
    let links = links::of(directory.as_ref())?;
    for (title, tiers) in [
        ("calls", vec!["scope", "import", "declaration", "package", "member", "inferred"]),
        ("certain alone", vec!["scope", "import", "declaration", "package", "member"]),
        ("likely alone", vec!["inferred"]),
    ] {
        let chosen: Vec<&links::Edge> =
            links.iter().filter(|edge| tiers.contains(&edge.how.as_str())).collect();
        for cross_file in [false, true] {
            if cross_file && title != "calls" {
                continue;
            }
            let (right, wrong, missed) = truth.judge(&chosen, cross_file);
            let share = |of: usize| right as f64 / of.max(1) as f64;
            let title = if cross_file { "calls between files" } else { title };
            println!(
                "{title:<22} {right:>7} {wrong:>7} {missed:>7} {:>9.4} {:>7.4}",
                share(right + wrong),
                share(right + missed)
            );
        }
    }
    Ok(())
}

impl Truth {
    fn read(path: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let text = match path.ends_with(".gz") {
            true => String::from_utf8(Command::new("gzip").args(["-dc", path]).output()?.stdout)?,
            false => std::fs::read_to_string(path)?,
        };
        let mut truth = Self::default();
        let number = |text: &str| text.parse::<u32>().unwrap_or(0);
        for row in text.lines() {
            let fields: Vec<&str> = row.split('\t').collect();
            let field = |at: usize| fields.get(at).copied().unwrap_or_default().to_owned();
            match fields[0] {
                "F" => drop(truth.files.insert(field(1))),
                "D" => truth.definitions.push(Definition {
                    file: field(1),
                    line: number(&field(2)),
                    start: number(&field(3)),
                    end: number(&field(4)),
                    name: field(5),
                    kind: field(6),
                    scope: field(7),
                    primary: (field(8), number(&field(9))),
                    owner: field(10),
                }),
                "R" => truth.references.push(Reference {
                    file: field(1),
                    line: number(&field(2)),
                    name: field(4),
                    target: ((field(5), number(&field(6))), field(7)),
                    role: field(8),
                    function: number(&field(9)),
                }),
                "I" => {
                    let base = (field(4), number(&field(5)));
                    truth.bases.entry((field(1), number(&field(2)))).or_default().insert(base);
                }
                "U" => {
                    let row = (field(1), number(&field(2)), field(4), number(&field(5)));
                    truth.unresolved.push(row);
                }
                _ => {}
            }
        }
        for (index, definition) in truth.definitions.iter().enumerate() {
            let first = definition.start.min(definition.line).saturating_sub(SLACK);
            for line in first..=definition.line + SLACK {
                truth.at.entry((definition.file.clone(), line)).or_default().push(index);
            }
            if ["function", "method", "constructor", "accessor"].contains(&definition.kind.as_str())
            {
                truth.functions.entry(definition.file.clone()).or_default().push((
                    definition.start.min(definition.line),
                    definition.end.max(definition.line),
                    definition.line,
                ));
            }
        }
        for functions in truth.functions.values_mut() {
            functions.sort_by_key(|(start, end, _)| (*start, std::cmp::Reverse(*end)));
        }
        Ok(truth)
    }

    /// The outermost function around a line; 0 at the top level.
    fn caller(&self, file: &str, line: u32) -> u32 {
        let functions = self.functions.get(file).map_or(&[][..], Vec::as_slice);
        let around = functions.iter().find(|(start, end, _)| *start <= line && line <= *end);
        around.filter(|_| line > 0).map_or(0, |(.., name_line)| *name_line)
    }

    /// What a definition counts as: a constructor as its class, an announcement as the thing.
    fn counts_as(&self, definition: &Definition) -> Place {
        if definition.kind == "constructor" || definition.name == "__init__" {
            let class = self.definitions.iter().rev().find(|other| {
                other.file == definition.file
                    && other.name == definition.owner
                    && ["class", "enum", "interface", "struct"].contains(&other.kind.as_str())
                    && other.start <= definition.line
                    && definition.line <= other.end
            });
            if let Some(class) = class {
                return (class.file.clone(), class.line);
            }
        }
        definition.primary.clone()
    }

    fn exactly(&self, place: &Place, name: &str) -> (Place, Option<&Definition>) {
        let found = self.at.get(place).into_iter().flatten().map(|index| &self.definitions[*index]);
        match found.into_iter().find(|it| it.line == place.1 && it.name == name) {
            Some(definition) => (self.counts_as(definition), Some(definition)),
            None => (place.clone(), None),
        }
    }

    /// The definition that a claimed target is, if it is one.
    fn claimed(&self, place: &Place, name: &str) -> Option<Place> {
        let candidates = self.at.get(place)?.iter().map(|index| &self.definitions[*index]);
        let best = candidates.min_by_key(|it| {
            let is_callable = CALLABLE.contains(&it.kind.as_str());
            (it.name != name, !is_callable, it.line.abs_diff(place.1), it.start != place.1)
        })?;
        Some(self.counts_as(best))
    }

    fn judge(&self, edges: &[&links::Edge], cross_file: bool) -> (usize, usize, usize) {
        type Edge = (Place, Place);
        let mut required: HashSet<Edge> = HashSet::new();
        let (mut possible, mut soft_calls, mut values) =
            (HashSet::new(), HashMap::new(), HashSet::new());
        let mut names_called: HashMap<Place, HashSet<&str>> = HashMap::new();
        for reference in &self.references {
            let (target, definition) = self.exactly(&reference.target.0, &reference.target.1);
            let line = if reference.function > 0 { reference.function } else { reference.line };
            let caller = (reference.file.clone(), self.caller(&reference.file, line));
            let role = reference.role.trim_end_matches('?');
            let kind = definition.map_or("", |it| it.kind.as_str());
            let is_required = CALLS.contains(&role)
                && !reference.role.ends_with('?')
                && CALLABLE.contains(&kind)
                && definition.is_some_and(|it| it.scope != "literal")
                && !(kind == "struct" && role == "call");
            let edge = (caller.clone(), target.clone());
            if is_required {
                names_called.entry(caller).or_default().insert(&reference.name);
                required.insert(edge);
            } else {
                if CALLS.contains(&role) {
                    soft_calls.insert(edge.clone(), kind);
                } else if role == "ref" && ["function", "method"].contains(&kind) {
                    values.insert(target);
                }
                possible.insert(edge);
            }
        }
        let through_values: HashSet<&Place> = soft_calls
            .iter()
            .filter(|(_, kind)| !CALLABLE.contains(kind))
            .map(|((caller, _), _)| caller)
            .collect();
        let mut unresolved: HashMap<Place, HashSet<&str>> = HashMap::new();
        for (file, line, name, function) in &self.unresolved {
            let line = if *function > 0 { *function } else { *line };
            let caller = (file.clone(), self.caller(file, line));
            unresolved.entry(caller).or_default().insert(name);
        }
        let mut names: HashMap<&Place, HashSet<&str>> = HashMap::new();
        for definition in &self.definitions {
            names.entry(&definition.primary).or_default().insert(&definition.name);
        }
        let is_judged = |(caller, target): &Edge| {
            caller.1 != 0 && caller != target && !(cross_file && caller.0 == target.0)
        };
        let mut predicted: BTreeSet<(Place, Place, String)> = BTreeSet::new();
        for edge in edges.iter().filter(|edge| self.files.contains(&edge.file)) {
            let line = self.caller(&edge.file, edge.caller_line);
            let line = if line > 0 { line } else { self.caller(&edge.file, edge.line) };
            let place = (edge.target.clone(), edge.target_line);
            match self.claimed(&place, &edge.name) {
                Some(target) => {
                    predicted.insert(((edge.file.clone(), line), target, String::new()));
                }
                None if self.files.contains(&edge.target) => {
                    predicted.insert(((edge.file.clone(), line), place, edge.name.clone()));
                }
                None => {}
            }
        }
        let (mut hit, mut wrong) = (HashSet::new(), 0);
        for (caller, target, ghost) in predicted {
            let edge = (caller, target);
            if !is_judged(&edge) {
                continue;
            }
            if ghost.is_empty() && required.contains(&edge) {
                hit.insert(edge);
                continue;
            }
            let (caller, target) = &edge;
            let has = |map: &HashMap<Place, HashSet<&str>>, name: &str| {
                map.get(caller).is_some_and(|names| names.contains(name))
            };
            let is_open = names
                .get(target)
                .is_some_and(|names| names.iter().any(|name| has(&unresolved, name)));
            let overrides = self.bases.get(target).is_some_and(|bases| {
                bases.contains(caller)
                    || bases.iter().any(|base| required.contains(&(caller.clone(), base.clone())))
            });
            let is_undecided = match ghost.is_empty() {
                false => has(&names_called, &ghost),
                true => {
                    possible.contains(&edge)
                        || is_open
                        || overrides
                        || (through_values.contains(caller) && values.contains(target))
                }
            };
            wrong += usize::from(!is_undecided);
        }
        let needed = required.iter().filter(|edge| is_judged(edge));
        let missed = needed.filter(|edge| !hit.contains(*edge)).count();
        (hit.len(), wrong, missed)
    }
}
