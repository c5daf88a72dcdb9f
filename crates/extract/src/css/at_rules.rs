//! At-rules: CSS's own, and those of the tools that read style sheets before browsers do.

use std::ops::Range;

use model::{ImportFlags, LineType, StyleName, SymbolKind};

use super::Reader;
use super::tokens::Kind;
use super::values::without_vendor;

impl Reader<'_> {
    /// Reads an at-rule from its name to its `;`, or to its `{`, where its block is opened.
    pub(super) fn at_rule(&mut self, at: usize, end: usize, opens_block: bool) {
        let word = self.token_text(at).get(1..).unwrap_or_default().to_ascii_lowercase();
        let head = at + 1..end;
        match (without_vendor(&word), opens_block) {
            ("import" | "reference" | "config", _) => self.effect_import(at, head),
            ("plugin", false) => self.effect_import(at, head),
            ("plugin", true) => {
                self.effect_import(at, head);
                self.open_section(at, end);
            }
            ("value", false) => self.module_value(at, head),
            ("apply", false) => self.apply(head),
            ("custom-media", false) => self.custom_media(at, head),
            ("property", true) => self.registered_property(at, head, end),
            ("keyframes", true) => self.keyframes(at, head, end),
            ("utility", true) => {
                self.open_section(at, end);
                self.utility(head);
            }
            ("theme", true) => {
                self.open_section(at, end);
                self.scope_is("@theme");
            }
            ("scope", true) => {
                self.open_section(at, end);
                self.rule += 1;
                self.selector(head);
            }
            (name, true) => {
                let name = name.to_owned();
                self.open_section(at, end);
                self.names_in_head(&name, head);
            }
            (name, false) => {
                let name = name.to_owned();
                self.names_in_head(&name, head);
            }
        }
    }

    /// Makes a symbol of the whole at-rule, and opens its block.
    fn open_section(&mut self, at: usize, open: usize) -> u32 {
        let name = self.folded(at..open);
        let span = self.span_of(at..open);
        let symbol = self.add_symbol(SymbolKind::Section, &name, span, span);
        self.builder.facts.symbols[symbol as usize].signature = name.clone();
        let is_conditional = !self.blocks.is_empty();
        // Inside a rule, `@media` and its like change nothing about what its properties belong to.
        self.open_block(open, Some(symbol), true, (!is_conditional).then_some(name));
        symbol
    }

    fn scope_is(&mut self, scope: &str) {
        if let Some(block) = self.blocks.last_mut() {
            scope.clone_into(&mut block.scope);
        }
    }

    fn names_in_head(&mut self, name: &str, head: Range<usize>) {
        let symbol = self.current_symbol();
        let property = if name == "media" || name == "container" { "@media" } else { "" };
        self.names_in_value(head.clone(), property, symbol);
        match name {
            "layer" => {
                for at in head.filter(|at| self.kind(*at) == Some(Kind::Word)).collect::<Vec<_>>() {
                    self.add_term(at, LineType::Code);
                }
            }
            // `@container name (…)`, `@counter-style name`, `@custom-variant name (…)`, `@page name`
            "container" | "counter-style" | "custom-variant" | "page" => {
                let is_name = self.kind(head.start) == Some(Kind::Word)
                    && !head.is_empty()
                    && !self.is_called(head.start)
                    && !matches!(self.token_text(head.start), "not" | "and" | "or");
                if is_name {
                    self.add_term(head.start, LineType::Code);
                }
            }
            _ => {}
        }
    }

    /// `@import "a.css"`, `@import url(a.css)`, and what Tailwind loads in the same way.
    fn effect_import(&mut self, at: usize, head: Range<usize>) {
        let symbol = self.current_symbol();
        let quoted = head.start;
        let in_url = head.start + 2;
        let is_url = self.token_text(head.start).eq_ignore_ascii_case("url");
        let (place, source) = match (self.kind(quoted), self.kind(in_url)) {
            (Some(Kind::Text), _) if quoted < head.end => (quoted, self.inside_quotes(quoted)),
            (_, Some(Kind::Text)) if is_url && in_url < head.end => {
                (in_url, self.inside_quotes(in_url))
            }
            (_, Some(Kind::Address)) if is_url && in_url < head.end => {
                (in_url, self.tokens[in_url].span)
            }
            _ => return self.names_in_value(head, "", symbol),
        };
        let statement = self.span_of(at..head.end);
        self.add_import(source, None, ImportFlags::EFFECT, statement, source.start);
        self.builder.string(source);
        // `layer(base)` names a layer.
        for at in place + 1..head.end {
            if self.token_text(at).eq_ignore_ascii_case("layer") && self.is_called(at) {
                let end = (self.tokens[at + 1].partner as usize).min(head.end);
                self.names_in_head("layer", at + 2..end);
            }
        }
        self.names_in_value(place + 1..head.end, "", symbol);
    }

    /// CSS modules: `@value gap: 4px`, `@value gap, size as big from "./sizes.css"`.
    fn module_value(&mut self, at: usize, head: Range<usize>) {
        let from = head.clone().find(|at| self.token_text(*at) == "from");
        let is_word =
            |reader: &Self, at: usize| at < head.end && reader.kind(at) == Some(Kind::Word);
        if let Some(from) = from
            && from + 1 < head.end
            && self.kind(from + 1) == Some(Kind::Text)
        {
            let source = self.inside_quotes(from + 1);
            let statement = self.span_of(at..head.end);
            let mut name_at = head.start;
            while name_at < from {
                if is_word(self, name_at) {
                    let name = self.word(name_at);
                    let name = self.builder.intern(&name);
                    let start = self.tokens[name_at].span.start;
                    self.add_import(source, Some(name), ImportFlags::default(), statement, start);
                    self.add_term(name_at, LineType::Code);
                    let mut local = name_at;
                    if self.token_text(name_at + 1) == "as" && name_at + 2 < from {
                        let alias = self.word(name_at + 2);
                        let alias = self.builder.intern(&alias);
                        self.add_term(name_at + 2, LineType::Code);
                        if let Some(import) = self.builder.facts.imports.last_mut() {
                            import.alias = Some(alias);
                        }
                        local = name_at + 2;
                    }
                    self.module_values.insert(self.token_text(local));
                    name_at = local;
                }
                name_at += 1;
            }
            self.builder.string(source);
        } else if is_word(self, head.start) {
            let mut value = head.start + 1..head.end;
            if self.is_mark(value.start, b':') {
                value.start += 1;
            }
            self.variable_statement(at, head.start, value);
            self.module_values.insert(self.token_text(head.start));
        }
    }

    /// A statement that gives a name a value.
    fn variable_statement(&mut self, at: usize, name_at: usize, value: Range<usize>) {
        let name = self.word(name_at);
        let text = self.folded(value.start.min(value.end)..value.end);
        let name_span = self.tokens[name_at].span;
        let whole = self.span_of(at..value.end);
        let symbol = self.add_variable(&name, name_span, whole, &text);
        self.names_in_value(value.start.min(value.end)..value.end, "@media", Some(symbol));
    }

    fn custom_media(&mut self, at: usize, head: Range<usize>) {
        if !head.is_empty() && self.kind(head.start) == Some(Kind::Word) {
            self.variable_statement(at, head.start, head.start + 1..head.end);
        }
    }

    /// `@property --angle { … }`: its initial value is its value.
    fn registered_property(&mut self, at: usize, head: Range<usize>, open: usize) {
        if head.is_empty() || self.kind(head.start) != Some(Kind::Word) {
            self.open_section(at, open);
            return;
        }
        let limit = (self.tokens[open].partner as usize).min(self.tokens.len());
        let value = (open + 1..limit)
            .find(|at| self.token_text(*at) == "initial-value" && self.is_mark(at + 1, b':'))
            .map(|at| at + 2..self.statement_end(at + 2, limit, false));
        let text = value.map(|value| self.folded(value)).unwrap_or_default();
        let name = self.word(head.start);
        let name_span = self.tokens[head.start].span;
        let symbol = self.add_variable(&name, name_span, self.span_of(at..open), &text);
        let stored = &mut self.builder.facts.symbols[symbol as usize];
        stored.signature = format!("@property {name}");
        self.open_block(open, Some(symbol), true, Some(name.into_owned()));
    }

    fn keyframes(&mut self, at: usize, head: Range<usize>, open: usize) {
        self.open_section(at, open);
        if let Some(block) = self.blocks.last_mut() {
            block.is_keyframes = true;
        }
        let (name, start) = match self.kind(head.start) {
            Some(Kind::Word) if !head.is_empty() => {
                (self.word(head.start), self.tokens[head.start].span.start)
            }
            Some(Kind::Text) if !head.is_empty() => {
                let inside = self.inside_quotes(head.start);
                (self.builder.text(inside).into(), inside.start)
            }
            _ => return,
        };
        let name = self.builder.intern(&name);
        self.builder.term(name, start, LineType::Struct);
        self.builder.facts.styles.keyframes.push(StyleName { name, start });
    }

    /// Tailwind: `@apply px-4 hover:bg-red-500`. A class name is what white space does not part.
    fn apply(&mut self, head: Range<usize>) {
        let symbol = self.current_symbol();
        let mut at = head.start;
        while at < head.end {
            let first = at;
            at += 1;
            while at < head.end && self.touches(at) {
                at += 1;
            }
            let span = self.span_of(first..at);
            let name = super::tokens::unescape(self.builder.text(span));
            if name != "!important" {
                self.add_reference(&name, span.start, symbol);
            }
            // `bg-(--surface)`, `text-[var(--accent)]`: a variable stands in the name of the class.
            for piece in first + 1..at {
                let span = self.span_of(piece..piece + 1);
                let text = self.builder.text(span);
                if text.starts_with("--") && text.len() > 2 {
                    self.add_reference(text, span.start, symbol);
                }
            }
        }
    }

    /// Tailwind: `@utility content-auto { … }` makes a class; `@utility tab-* { … }` makes a family.
    fn utility(&mut self, head: Range<usize>) {
        if head.len() == 1 && self.kind(head.start) == Some(Kind::Word) {
            self.rule += 1;
            self.add_class(head.start);
        }
    }
}
