//! Selectors: the classes and ids they are about.

use std::ops::Range;

use model::{LineType, StyleName};

use super::tokens::Kind;
use super::{MAX_QUALIFIED_NAME, Reader};

impl Reader<'_> {
    /// Records the names in a selector. Classes that it only excludes, in `:not(…)`, are used by it,
    /// not defined.
    pub(super) fn selector(&mut self, range: Range<usize>) {
        let symbol = self.current_symbol();
        let mut excluded_until = range.start;
        for at in range {
            let is_excluded = at < excluded_until;
            let token = self.tokens[at];
            match token.kind {
                Kind::Word if self.is_after_mark(at, b'.') && is_excluded => {
                    let name = self.word(at);
                    self.add_reference(&name, token.span.start, symbol);
                }
                Kind::Word if self.is_after_mark(at, b'.') => self.add_class(at),
                Kind::Word if self.is_after_mark(at, b':') => {
                    if self.is_called(at) && self.token_text(at).eq_ignore_ascii_case("not") {
                        excluded_until = excluded_until.max(self.tokens[at + 1].partner as usize);
                    }
                    if self.token_text(at).starts_with("--") {
                        self.add_term(at, LineType::Code);
                    }
                }
                // Attributes, custom elements and named parts are names; elements are the language's.
                Kind::Word if self.is_mark(at.wrapping_sub(1), b'[') || self.names_element(at) => {
                    self.add_term(at, LineType::Code);
                }
                Kind::Hash => {
                    let text = self.token_text(at);
                    let name = super::tokens::unescape(text.get(1..).unwrap_or_default());
                    let name = self.builder.intern(&name);
                    self.builder.term(name, token.span.start + 1, LineType::Struct);
                }
                Kind::Text => self.builder.string(self.inside_quotes(at)),
                _ => {}
            }
        }
    }

    pub(super) fn add_class(&mut self, at: usize) {
        let name = self.word(at);
        let name = self.builder.intern(&name);
        let start = self.tokens[at].span.start;
        self.builder.term(name, start, LineType::Struct);
        if self.class_seen.insert(name, self.rule) != Some(self.rule) {
            self.builder.facts.styles.classes.push(StyleName { name, start });
        }
    }

    fn is_after_mark(&self, at: usize, mark: u8) -> bool {
        self.touches(at) && self.is_mark(at - 1, mark)
    }

    /// Custom elements have a dash in their name; `::part(name)` names one too.
    fn names_element(&self, at: usize) -> bool {
        let is_part = at >= 2
            && self.is_mark(at - 1, b'(')
            && matches!(self.token_text(at - 2), "part" | "highlight" | "state");
        is_part
            || !self.is_called(at) && self.token_text(at).contains('-') && !self.is_in_pseudo(at)
    }

    /// Arguments such as those of `:nth-child(n-1)` and `:lang(de-AT)`.
    fn is_in_pseudo(&self, at: usize) -> bool {
        at >= 2
            && self.is_mark(at - 1, b'(')
            && !matches!(
                self.token_text(at - 2),
                "is" | "where" | "not" | "has" | "host" | "slotted"
            )
    }

    /// A selector as people write it: one space after commas and around combinators.
    pub(super) fn selector_text(&self, range: Range<usize>) -> String {
        let mut out = String::new();
        let mut in_attribute = false;
        for at in range.clone() {
            let is_combinator =
                !in_attribute && matches!(self.kind(at), Some(Kind::Mark(b'>' | b'+' | b'~')));
            let is_comma = self.is_mark(at, b',');
            let after_separator = out.ends_with(' ') || out.ends_with('(') || out.is_empty();
            if is_combinator && !after_separator
                || !is_comma && at > range.start && !self.touches(at) && !after_separator
            {
                out.push(' ');
            }
            out.push_str(self.token_text(at));
            if is_combinator || is_comma {
                out.push(' ');
            }
            match self.kind(at) {
                Some(Kind::Mark(b'[')) => in_attribute = true,
                Some(Kind::Mark(b']')) => in_attribute = false,
                Some(Kind::Mark(b')')) if out.ends_with(" )") => {
                    out.truncate(out.len() - 2);
                    out.push(')');
                }
                _ => {}
            }
            if out.len() > MAX_QUALIFIED_NAME {
                break;
            }
        }
        out.truncate(out.trim_end().len());
        out
    }
}
