//! The finer points; whole files are in the fixtures of the languages.

mod files;
mod symbols;
mod uses;

use languages::Registry;
use model::{Base, FileFacts, Metrics, Origin, Reference, Role, Step, Symbol};

use crate::{Source, extract};

fn facts_of(path: &str, text: &str) -> FileFacts {
    let language = Registry::builtin().detect(path, text.as_bytes());
    extract(language, Source { path, text })
}

fn typescript(text: &str) -> FileFacts {
    let facts = facts_of("src/file.ts", text);
    assert_eq!(facts.problems, [], "{text}");
    facts
}

fn javascript(text: &str) -> FileFacts {
    let facts = facts_of("src/file.js", text);
    assert_eq!(facts.problems, [], "{text}");
    facts
}

fn tsx(text: &str) -> FileFacts {
    let facts = facts_of("src/file.tsx", text);
    assert_eq!(facts.problems, [], "{text}");
    facts
}

#[track_caller]
fn symbol<'f>(facts: &'f FileFacts, name: &str) -> &'f Symbol {
    let all: Vec<&str> = facts.symbols.iter().map(|it| it.qualified_name.as_str()).collect();
    let found = facts.symbols.iter().find(|it| it.qualified_name == name);
    found.unwrap_or_else(|| panic!("no {name} in {all:?}"))
}

#[track_caller]
fn metrics(text: &str) -> Metrics {
    let facts = typescript(&format!("function f(a, b, c, d) {{ {text} }}"));
    symbol(&facts, "f").metrics.expect("a function has metrics")
}

/// Each reference as `role name`, with the receiver behind it.
fn references(facts: &FileFacts) -> Vec<String> {
    facts
        .references
        .iter()
        .map(|it| {
            let receiver = match it.receiver {
                Origin { base: Base::None, .. } => String::new(),
                Origin { base: Base::Reference(number), step } => {
                    format!(" on {}{}", name_of(facts, number), step_word(facts, step))
                }
                Origin { base: Base::Type(name), .. } => format!(" on <{}>", facts.name(name)),
                Origin { base, step } => format!(" on {base:?}{}", step_word(facts, step)),
            };
            format!("{} {}{receiver}", it.role, facts.name(it.name))
        })
        .collect()
}

fn name_of(facts: &FileFacts, number: u32) -> &str {
    facts.name(facts.references[number as usize].name)
}

fn step_word(facts: &FileFacts, step: Step) -> String {
    match step {
        Step::Same => String::new(),
        Step::Member(name) => format!(".{}", facts.name(name)),
        other => format!(" {other:?}"),
    }
}

#[track_caller]
fn reference<'f>(facts: &'f FileFacts, role: Role, name: &str) -> &'f Reference {
    let found = facts.references.iter().find(|it| it.role == role && facts.name(it.name) == name);
    found.unwrap_or_else(|| panic!("no {role} {name} in {:?}", references(facts)))
}

/// Each binding as `kind name`, with where it comes from.
fn bindings(facts: &FileFacts) -> Vec<String> {
    facts
        .bindings
        .iter()
        .map(|it| {
            let origin = match it.origin {
                Origin { base: Base::None, .. } => String::new(),
                Origin { base: Base::Reference(number), step } => {
                    format!(" = {}{}", name_of(facts, number), step_word(facts, step))
                }
                Origin { base: Base::Type(name), step } => {
                    format!(" = <{}>{}", facts.name(name), step_word(facts, step))
                }
                Origin { base, step } => format!(" = {base:?}{}", step_word(facts, step)),
            };
            let declared = it.declared_type.map(|name| format!(": {}", facts.name(name)));
            format!("{} {}{}{origin}", it.kind, facts.name(it.name), declared.unwrap_or_default())
        })
        .collect()
}

fn imports(facts: &FileFacts) -> Vec<String> {
    let name = |id: Option<model::NameId>| id.map_or("-", |id| facts.name(id)).to_owned();
    facts
        .imports
        .iter()
        .map(|it| {
            let flags: Vec<&str> = it.flags.words().collect();
            format!("{} {} {} {}", it.source, name(it.name), name(it.alias), flags.join("+"))
        })
        .collect()
}

fn exports(facts: &FileFacts) -> Vec<String> {
    facts
        .exports
        .iter()
        .map(|it| {
            let local = it.local.map_or("-", |id| facts.name(id));
            let source = it.source.as_deref().unwrap_or("-");
            let default = if it.is_default { " default" } else { "" };
            format!("{} {} {local} {source}{default}", it.kind, facts.name(it.name))
        })
        .collect()
}
