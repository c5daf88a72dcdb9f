//! Which namespaces the definitions of a file stand in, as far as the file says it.

use languages::Language;
use model::{FileFacts, ImportFlags, Span, Symbol, SymbolKind};

use crate::digest::dotted;
use crate::interface::kind_of;

/// Namespaces of a file that its definitions do not name: those that macros open, and those whose names
/// can be left out.
pub(crate) struct Spaces<'f> {
    facts: &'f FileFacts,
    separator: &'f str,
    /// What macros open, the outer before the inner.
    opened: Vec<(Span, &'f str)>,
    has_inline: bool,
}

impl<'f> Spaces<'f> {
    pub(crate) fn new(language: &'f Language, facts: &'f FileFacts) -> Self {
        let is_here = |import: &&model::Import| {
            import.flags.has(ImportFlags::OPENS) && import.alias.is_none()
        };
        let mut opened: Vec<(Span, &str)> = facts
            .imports
            .iter()
            .filter(is_here)
            .map(|import| (import.statement, import.source.as_str()))
            .collect();
        opened.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        let nests = language.table.linking.nested_namespaces;
        let has_inline = nests && facts.symbols.iter().any(is_inline);
        Self { facts, separator: &language.table.separator, opened, has_inline }
    }

    /// What stands before the name of a symbol, where that is not what its full name says.
    pub(crate) fn qualifier(&self, index: usize, name: &str) -> Option<String> {
        if self.opened.is_empty() && !self.has_inline {
            return None;
        }
        let symbol = &self.facts.symbols[index];
        let mut path = self.around(symbol);
        let own = self.own_path(symbol);
        let before = own.strip_suffix(name).unwrap_or(own);
        path.extend(before.strip_suffix(self.separator).filter(|before| !before.is_empty()));
        let top = path_top(self.facts, symbol);
        let opened = self.opened.iter().rfind(|(span, _)| span.contains(top.span));
        if let Some((_, macros)) = opened {
            path.insert(0, macros);
        }
        Some(path.join(self.separator))
    }

    /// The owners of a symbol, from the outermost, without namespaces whose names can be left out.
    fn around(&self, symbol: &'f Symbol) -> Vec<&'f str> {
        let mut path = Vec::new();
        let mut next = symbol.owner;
        while let Some(owner) = next.and_then(|index| self.facts.symbols.get(index as usize)) {
            if !is_inline(owner) {
                path.push(self.own_path(owner));
            }
            next = owner.owner.filter(|_| path.len() < 64);
        }
        path.reverse();
        path
    }

    /// The name of a symbol as it is written inside of its owner: `Type::member`.
    fn own_path(&self, symbol: &'f Symbol) -> &'f str {
        let full = symbol.qualified_name.as_str();
        let owner = symbol.owner.and_then(|owner| self.facts.symbols.get(owner as usize));
        owner
            .and_then(|owner| full.strip_prefix(owner.qualified_name.as_str()))
            .and_then(|rest| rest.strip_prefix(self.separator))
            .unwrap_or(full)
    }
}

fn path_top<'f>(facts: &'f FileFacts, symbol: &'f Symbol) -> &'f Symbol {
    let mut top = symbol;
    for _ in 0..64 {
        match top.owner.and_then(|owner| facts.symbols.get(owner as usize)) {
            Some(owner) => top = owner,
            None => break,
        }
    }
    top
}

/// Whether the name of a namespace can be left out: `inline namespace v2`.
fn is_inline(symbol: &Symbol) -> bool {
    symbol.kind == SymbolKind::Namespace && symbol.signature.starts_with("inline ")
}

/// Every namespace that a file declares, with those around it, each once.
pub fn declared_namespaces(facts: &FileFacts, language: &Language) -> Vec<String> {
    let separator = language.table.separator.as_str();
    let declared = Spaces::new(language, facts);
    let package = facts.package.map(|name| dotted(facts.name(name))).unwrap_or_default();
    let spaces = facts
        .symbols
        .iter()
        .enumerate()
        .filter(|(_, symbol)| {
            matches!(kind_of(symbol, language), SymbolKind::Namespace | SymbolKind::Module)
        })
        .map(|(index, symbol)| {
            let own = facts.name(symbol.name);
            let full = match declared.qualifier(index, own) {
                Some(before) if before.is_empty() => own.to_owned(),
                Some(before) => format!("{before}{separator}{own}"),
                None => symbol.qualified_name.clone(),
            };
            let name = dotted(&full.replace(separator, "."));
            if package.is_empty() { name } else { format!("{package}.{name}") }
        });
    let opened = declared.opened.iter().map(|(_, macros)| dotted(macros));
    let all = [package.clone()].into_iter().chain(spaces).chain(opened);
    with_parents(with_plain(all))
}

/// Namespaces that macros open, also as if these opened nothing.
pub(crate) fn with_plain(namespaces: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    namespaces.flat_map(|namespace| {
        let plain = namespace.contains('#').then(|| {
            let parts: Vec<&str> =
                namespace.split('.').filter(|part| !part.starts_with('#')).collect();
            parts.join(".")
        });
        [Some(namespace), plain].into_iter().flatten()
    })
}

/// Namespaces with those around them, each once.
pub(crate) fn with_parents(namespaces: impl Iterator<Item = String>) -> Vec<String> {
    let mut found = Vec::new();
    for namespace in namespaces {
        let mut rest = namespace.as_str();
        while !rest.is_empty() {
            found.push(rest.to_owned());
            rest = rest.rsplit_once('.').map_or("", |(before, _)| before);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
