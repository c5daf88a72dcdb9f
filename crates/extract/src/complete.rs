//! What follows from the facts found, whichever parser found them.
//!
//! Parsers leave `ordinal`, `body_hash`, the measured lines and parameters, and everything that docs,
//! decorators or the path say, to this pass.

use languages::decorator_name;
use model::{
    BindingKind, Component, Role, Span, Symbol, SymbolFlags, SymbolKind, Visibility, position,
};
use rustc_hash::FxHashMap;

use crate::bodies::Bodies;
use crate::builder::{Builder, cut};
use crate::doc_types;
use crate::signature::MAX_SIGNATURE;

const MAX_VALUE: usize = 500;

pub(crate) fn complete(builder: &mut Builder<'_>, path: &str) {
    builder.facts.is_test = builder.language.test_files.is_match(path);
    count_ordinals(builder);
    measure(builder);
    read_docs_and_decorators(builder);
    doc_types::complete(builder);
    mark_tests(builder);
    cut_long_texts(builder);
    find_components(builder);
}

/// Numbers symbols that share a qualified name, in order of their start.
fn count_ordinals(builder: &mut Builder<'_>) {
    let mut seen: FxHashMap<&str, u32> =
        FxHashMap::with_capacity_and_hasher(builder.facts.symbols.len(), Default::default());
    let ordinals: Vec<u32> = builder
        .facts
        .symbols
        .iter()
        .map(|symbol| {
            let count = seen.entry(&symbol.qualified_name).or_insert(0);
            *count += 1;
            *count - 1
        })
        .collect();
    for (symbol, ordinal) in builder.facts.symbols.iter_mut().zip(ordinals) {
        symbol.ordinal = ordinal;
    }
}

/// Lines, parameters and the hash of bodies.
fn measure(builder: &mut Builder<'_>) {
    let mut parameters = vec![0u32; builder.facts.symbols.len()];
    for binding in &builder.facts.bindings {
        if let (BindingKind::Parameter, Some(symbol)) = (binding.kind, binding.symbol) {
            parameters[symbol as usize] += 1;
        }
    }
    let line_starts = &builder.facts.line_starts;
    for (index, symbol) in builder.facts.symbols.iter_mut().enumerate() {
        if let Some(metrics) = &mut symbol.metrics {
            let first = position(line_starts, symbol.span.start).0;
            let last = position(line_starts, symbol.span.end.saturating_sub(1)).0;
            metrics.lines = last - first + 1;
            metrics.parameters = parameters[index];
        }
    }
    let symbols = &mut builder.facts.symbols;
    let spans = symbols.iter().filter_map(callable_body);
    let bodies = Bodies::new(builder.source.as_bytes(), &builder.comments, spans);
    for symbol in symbols {
        symbol.body_hash = callable_body(symbol).map(|body| bodies.hash(body));
    }
}

fn callable_body(symbol: &Symbol) -> Option<Span> {
    symbol.body.filter(|_| symbol.kind.is_callable())
}

fn read_docs_and_decorators(builder: &mut Builder<'_>) {
    let deprecated = &builder.language.table.deprecated;
    for symbol in &mut builder.facts.symbols {
        if let Some(docs) = &symbol.docs {
            if let Some(visibility) = visibility_tag(docs) {
                symbol.visibility = Some(visibility);
            }
            if says_deprecated(docs) {
                symbol.flags.set(SymbolFlags::DEPRECATED);
            }
        }
        if symbol
            .decorators
            .iter()
            .any(|text| deprecated.iter().any(|name| decorator_name(text) == name))
        {
            symbol.flags.set(SymbolFlags::DEPRECATED);
        }
    }
}

/// A visibility tag that opens a line of the docs; the first one counts.
fn visibility_tag(docs: &str) -> Option<Visibility> {
    docs.lines().find_map(|line| {
        let tag = line.trim_start().strip_prefix('@')?;
        let word = tag.split(|c: char| !c.is_ascii_alphabetic()).next()?;
        match word {
            "public" => Some(Visibility::Public),
            "private" => Some(Visibility::Private),
            "internal" => Some(Visibility::Internal),
            "alpha" => Some(Visibility::Alpha),
            "beta" => Some(Visibility::Beta),
            _ => None,
        }
    })
}

fn says_deprecated(docs: &str) -> bool {
    docs.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with("@deprecated")
            || line.starts_with("Deprecated:")
            || line.starts_with(".. deprecated::")
    })
}

fn mark_tests(builder: &mut Builder<'_>) {
    let language = builder.language;
    let by_name = !language.table.tests.symbols_in_test_files_only || builder.facts.is_test;
    for index in 0..builder.facts.symbols.len() {
        let symbol = &builder.facts.symbols[index];
        let name = builder.facts.names.get(symbol.name);
        let is_test = symbol.kind == SymbolKind::Test
            || symbol.kind.is_callable() && by_name && language.test_symbols.is_match(name)
            || symbol.decorators.iter().any(|text| {
                language.test_decorators.is_match(decorator_name(text))
                    || language.test_decorators.is_match(text)
            })
            // What stands inside a test module or class is for testing.
            || symbol.owner.is_some_and(|owner| {
                builder.facts.symbols[owner as usize].flags.has(SymbolFlags::TEST)
            });
        if is_test {
            builder.facts.symbols[index].flags.set(SymbolFlags::TEST);
        }
    }
}

fn cut_long_texts(builder: &mut Builder<'_>) {
    for symbol in &mut builder.facts.symbols {
        let too_long = symbol.signature.len() > MAX_SIGNATURE
            || symbol.value.as_ref().is_some_and(|value| value.len() > MAX_VALUE);
        if too_long {
            symbol.flags.set(SymbolFlags::TRUNCATED);
            symbol.signature.truncate(cut(&symbol.signature, MAX_SIGNATURE).len());
            if let Some(value) = &mut symbol.value {
                value.truncate(cut(value, MAX_VALUE).len());
            }
        }
    }
}

/// Functions with a capital name that contain markup or call a hook.
fn find_components(builder: &mut Builder<'_>) {
    if builder.language.table.nodes.markup.is_empty() {
        return;
    }
    let facts = &mut builder.facts;
    let mut hooks: FxHashMap<u32, Vec<model::NameId>> = FxHashMap::default();
    for reference in &facts.references {
        let Some(mut symbol) = reference.symbol else { continue };
        if reference.role != Role::Call || !is_hook(facts.names.get(reference.name)) {
            continue;
        }
        // A hook called in a nested function or a method belongs to the component around it.
        while let Some(owner) = facts.symbols[symbol as usize].owner {
            if is_component_name(facts.names.get(facts.symbols[symbol as usize].name)) {
                break;
            }
            symbol = owner;
        }
        let list = hooks.entry(symbol).or_default();
        if !list.contains(&reference.name) {
            list.push(reference.name);
        }
    }
    for (index, symbol) in facts.symbols.iter().enumerate() {
        let name = facts.names.get(symbol.name);
        let callable = symbol.kind.is_callable() || symbol.kind == SymbolKind::Class;
        if !callable || !is_component_name(name) {
            continue;
        }
        let used = hooks.remove(&(index as u32)).unwrap_or_default();
        if used.is_empty() && !symbol.flags.has(SymbolFlags::MARKUP) {
            continue;
        }
        let props_type = facts
            .bindings
            .iter()
            .find(|binding| {
                binding.symbol == Some(index as u32) && binding.kind == BindingKind::Parameter
            })
            .and_then(|binding| binding.declared_type)
            .map(|name| facts.names.get(name).to_owned());
        facts.components.push(Component { symbol: index as u32, props_type, hooks: used });
    }
}

fn is_hook(name: &str) -> bool {
    name.strip_prefix("use").is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

fn is_component_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.chars().any(char::is_lowercase)
}
