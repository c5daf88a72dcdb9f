//! Declarations: custom properties and the names that values use.

use std::ops::Range;

use model::{Import, ImportFlags, LineType, Span, StyleVariable, SymbolKind};

use super::tokens::Kind;
use super::{MAX_VALUE, Reader};
use crate::builder::cut;
use crate::signature;

/// Words that say how an animation runs. Whatever else stands in `animation` is its name.
const ANIMATION_WORDS: &[&str] = &[
    "none",
    "auto",
    "infinite",
    "normal",
    "reverse",
    "alternate",
    "alternate-reverse",
    "forwards",
    "backwards",
    "both",
    "running",
    "paused",
    "linear",
    "ease",
    "ease-in",
    "ease-out",
    "ease-in-out",
    "step-start",
    "step-end",
    "inherit",
    "initial",
    "unset",
    "revert",
    "revert-layer",
    "replace",
    "add",
    "accumulate",
    "scroll",
    "view",
    "important",
];

impl Reader<'_> {
    /// Reads `name: value`. What is neither that nor a rule says nothing.
    pub(super) fn declaration(&mut self, range: Range<usize>) {
        let is_word = |at: usize| self.kind(at) == Some(Kind::Word);
        // Old browsers are told apart by a sign before the name: `*zoom: 1`.
        let at = if is_word(range.start) { range.start } else { range.start + 1 };
        let colon = self.after_wildcard(at + 1);
        if colon >= range.end || !is_word(at) || !self.is_mark(colon, b':') {
            return self.names_in_value(range, "", self.current_symbol());
        }
        let value = colon + 1..range.end;
        let property = self.token_text(at);
        if property.starts_with("--") {
            return self.custom_property(at, colon, value);
        }
        let property = property.to_ascii_lowercase();
        let property = without_vendor(&property);
        let symbol = self.current_symbol();
        match property {
            "animation" | "animation-name" => self.animation(value, symbol),
            "composes" => self.composes(range, value, symbol),
            _ => self.names_in_value(value, property, symbol),
        }
    }

    fn custom_property(&mut self, at: usize, colon: usize, value: Range<usize>) {
        if colon > at + 1 {
            // `--color-*: initial` declares nothing.
            return self.names_in_value(value, "", self.current_symbol());
        }
        let important = value.len() >= 2
            && self.is_mark(value.end - 2, b'!')
            && self.token_text(value.end - 1).eq_ignore_ascii_case("important");
        let text = self.folded(value.start..value.end - if important { 2 } else { 0 });
        let name_span = self.tokens[at].span;
        let name = self.word(at);
        let whole = Span::new(name_span.start, self.span_of(at..value.end).end);
        let symbol = self.add_variable(&name, name_span, whole, &text);
        let name = self.builder.intern(&name);
        let scope = self.blocks.last().map(|block| block.scope.clone()).unwrap_or_default();
        self.builder.facts.styles.variables.push(StyleVariable {
            name,
            value: cut(&text, MAX_VALUE).to_owned(),
            scope,
            start: name_span.start,
        });
        // Tailwind makes a class for an animation of every such property.
        if self.token_text(at).starts_with("--animate-") {
            self.animation(value, Some(symbol));
        } else {
            self.names_in_value(value, "", Some(symbol));
        }
    }

    /// A name with dashes that stands for a value.
    pub(super) fn add_variable(
        &mut self,
        name: &str,
        name_span: Span,
        whole: Span,
        value: &str,
    ) -> u32 {
        let symbol = self.add_symbol(SymbolKind::Var, name, whole, name_span);
        let interned = self.builder.intern(name);
        self.builder.term(interned, name_span.start, LineType::Property);
        let stored = &mut self.builder.facts.symbols[symbol as usize];
        stored.signature = signature::normalise([name, ": ", value].concat().split('\n'));
        stored.value = Some(value.to_owned());
        symbol
    }

    fn animation(&mut self, value: Range<usize>, symbol: Option<u32>) {
        let mut at = value.start;
        while at < value.end {
            let token = self.tokens[at];
            match token.kind {
                Kind::Word if self.is_called(at) => {
                    let end = (self.tokens[at + 1].partner as usize).min(value.end);
                    self.names_in_value(at..end, "", symbol);
                    at = end;
                }
                Kind::Word if !is_animation_word(self.token_text(at)) => {
                    let name = self.word(at);
                    self.add_reference(&name, token.span.start, symbol);
                }
                Kind::Text => {
                    let inside = self.inside_quotes(at);
                    let name = self.builder.text(inside);
                    self.add_reference(name, inside.start, symbol);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// CSS modules: `composes: a b from "./other.css"`.
    fn composes(&mut self, statement: Range<usize>, value: Range<usize>, symbol: Option<u32>) {
        let from = value.clone().find(|at| self.token_text(*at) == "from");
        let names = value.start..from.unwrap_or(value.end);
        let source = from
            .filter(|from| from + 1 < value.end && self.kind(from + 1) == Some(Kind::Text))
            .map(|from| self.inside_quotes(from + 1));
        for at in names.filter(|at| *at < value.end) {
            if self.kind(at) != Some(Kind::Word) {
                continue;
            }
            let name = self.word(at);
            let start = self.tokens[at].span.start;
            self.add_reference(&name, start, symbol);
            if let Some(source) = source {
                let name = self.builder.intern(&name);
                let statement = self.span_of(statement.clone());
                self.add_import(source, Some(name), ImportFlags::default(), statement, start);
            }
        }
        if let Some(source) = source {
            self.builder.string(source);
        }
    }

    pub(super) fn add_import(
        &mut self,
        source: Span,
        name: Option<model::NameId>,
        flags: ImportFlags,
        statement: Span,
        start: u32,
    ) {
        let source = self.builder.text(source).to_owned();
        self.builder.facts.imports.push(Import {
            source,
            name,
            alias: None,
            flags,
            statement,
            start,
            scope: 0,
        });
    }

    /// Records what a value, or the head of an at-rule, uses: custom properties and strings.
    pub(super) fn names_in_value(
        &mut self,
        range: Range<usize>,
        property: &str,
        symbol: Option<u32>,
    ) {
        let all_are_properties =
            matches!(property, "transition" | "transition-property" | "will-change" | "@media");
        for at in range {
            let token = self.tokens[at];
            match token.kind {
                Kind::Word if self.is_called(at) => {}
                Kind::Word if self.token_text(at).starts_with("--") => {
                    if all_are_properties || self.is_argument_of_reader(at) {
                        let name = self.word(at);
                        self.add_reference(&name, token.span.start, symbol);
                    } else {
                        self.add_term(at, LineType::Code);
                    }
                }
                Kind::Word if self.module_values.contains(self.token_text(at)) => {
                    self.add_reference(self.token_text(at), token.span.start, symbol);
                }
                Kind::Text => self.string_unless_data(self.inside_quotes(at)),
                Kind::Address => self.string_unless_data(token.span),
                _ => {}
            }
        }
    }

    /// Functions whose first argument is a custom property they read.
    fn is_argument_of_reader(&self, at: usize) -> bool {
        at >= 2
            && self.is_mark(at - 1, b'(')
            && self.touches(at - 1)
            && matches!(
                self.token_text(at - 2).to_ascii_lowercase().as_str(),
                "var" | "theme" | "--theme" | "style"
            )
    }

    /// Embedded files have no words.
    fn string_unless_data(&mut self, span: Span) {
        if !self.builder.text(span).starts_with("data:") {
            self.builder.string(span);
        }
    }
}

fn is_animation_word(word: &str) -> bool {
    word.starts_with("--") || ANIMATION_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// `-webkit-animation` is `animation`.
pub(super) fn without_vendor(name: &str) -> &str {
    ["-webkit-", "-moz-", "-ms-", "-o-"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name)
}
