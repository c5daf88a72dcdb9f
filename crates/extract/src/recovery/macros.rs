//! What the macros of a file stand for: other names, and namespaces that they open, as in
//! `LIB_BEGIN_NAMESPACE … LIB_END_NAMESPACE`.
//!
//! A file says between which macros its definitions stand, and which namespaces a macro opens that it
//! defines. Both are imports ([`ImportFlags::OPENS`]): only together, and in different files, do they say
//! in which namespace a definition is.

use model::{Base, Import, ImportFlags, Origin, Span, Step, SymbolKind};

use super::words;
use crate::builder::Builder;

/// Begins the name of a macro among those of namespaces.
const MACRO: char = '#';

/// Whether a word looks like a macro that opens or closes a stretch of declarations.
pub(crate) fn is_bracket(word: &str) -> bool {
    words::is_bracket_like(word.as_bytes())
}

/// Notes what the macros of a file stand for, of which some open and close stretches of declarations.
pub(crate) fn note(builder: &mut Builder<'_>, brackets: &[Span]) {
    for index in 0..builder.facts.symbols.len() {
        let symbol = &builder.facts.symbols[index];
        let Some(body) = symbol.body.filter(|_| symbol.kind == SymbolKind::Macro) else { continue };
        let text = builder.text(body).trim();
        let (alias, statement, start) = (Some(symbol.name), symbol.span, symbol.name_span.start);
        if is_name(text) && !symbol.signature.contains('(') {
            let base = Base::Local(builder.intern(text));
            builder.facts.symbols[index].origin = Origin { base, step: Step::Same };
        }
        let Some(source) = opened(text) else { continue };
        let mut flags = ImportFlags::OPENS;
        flags.set(ImportFlags::SHARED);
        let import = Import { source, name: None, alias, flags, statement, start, scope: 0 };
        builder.facts.imports.push(import);
    }
    if !builder.language.table.linking.nested_namespaces {
        return;
    }
    let mut open: Vec<(Span, String)> = Vec::new();
    let end = builder.source.len() as u32;
    for word in brackets {
        let text = builder.text(*word);
        match words::bracket(text.as_bytes()) {
            Some(true) => {
                let around = open.last().map(|(_, path)| format!("{path}::"));
                let path = format!("{}{MACRO}{text}", around.unwrap_or_default());
                open.push((*word, path));
            }
            Some(false) => close(builder, open.pop(), word.start),
            None => {}
        }
    }
    while let Some(region) = open.pop() {
        close(builder, Some(region), end);
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(is_part)
        && text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
        && !words::is_keyword(text.as_bytes())
}

fn close(builder: &mut Builder<'_>, region: Option<(Span, String)>, end: u32) {
    let Some((opening, source)) = region else { return };
    builder.facts.imports.push(Import {
        source,
        name: None,
        alias: None,
        flags: ImportFlags::OPENS,
        statement: Span::new(opening.start, end),
        start: opening.start,
        scope: 0,
    });
}

/// The namespaces that the text of a macro opens, with dots, without those whose names can be left out.
fn opened(text: &str) -> Option<String> {
    let count = |sign: char| text.matches(sign).count();
    if !text.contains("namespace") || count('{') <= count('}') {
        return None;
    }
    let mut path: Vec<String> = Vec::new();
    let (mut is_inline, mut is_due) = (false, false);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length.max(first.len_utf8()));
        rest = behind;
        match word {
            "inline" => is_inline = true,
            "namespace" => is_due = true,
            "{" => (is_inline, is_due) = (false, false),
            _ if is_word(first) && is_due => {
                if !is_inline {
                    path.push(word.replace("::", "."));
                }
                is_due = false;
            }
            _ => {}
        }
    }
    Some(path.join(".")).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::opened;

    #[test]
    fn the_text_of_a_macro_says_which_namespaces_it_opens() {
        let text = "namespace lib { inline namespace v2 {";
        assert_eq!(opened(text).as_deref(), Some("lib"));
        assert_eq!(opened("namespace a { namespace b { namespace {").as_deref(), Some("a.b"));
        assert_eq!(opened("namespace a::b {").as_deref(), Some("a.b"));
        let text = "namespace lib \\\n { inline namespace NAME(a, b) \\\n {";
        assert_eq!(opened(text).as_deref(), Some("lib"));
        assert_eq!(opened("inline namespace v2 {"), None);
        assert_eq!(opened("namespace a { }"), None);
        assert_eq!(opened("}}"), None);
    }
}
