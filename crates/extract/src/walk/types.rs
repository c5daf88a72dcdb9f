//! What a definition says of types.

use languages::pattern::Part;
use model::Span;
use tree_sitter::Node;

use super::Walker;
use super::matcher::span;

impl Walker<'_, '_> {
    /// The type of a value as written, or what a function returns.
    pub(super) fn declared_type(&self) -> Option<String> {
        let returns = self.type_text(self.matcher.part(Part::Returns));
        let count = self.matcher.all(Part::Type).count();
        if count == 0 || returns.is_none() && count == 1 {
            return returns.or_else(|| self.type_text(self.matcher.part(Part::Type)));
        }
        let mut types = Vec::new();
        for (node, row) in self.matcher.rows_of(Part::Type) {
            let text = self.type_text(Some(node))?;
            let shares = |part: &Part| matches!(part, Part::Scratch(_));
            let parts = self.matcher.parts.iter();
            let names = parts.filter(|(part, _, at)| shares(part) && *at == row).count();
            types.extend(std::iter::repeat_n(text, names.max(1)));
        }
        Some(if types.len() == 1 {
            types.swap_remove(0)
        } else {
            format!("({})", types.join(", "))
        })
    }

    /// The text of a type, with the word beside it that says that nobody may change its value.
    pub(super) fn type_text(&self, node: Option<Node<'_>>) -> Option<String> {
        let here = span(node?);
        let text = crate::signature::normalise([self.builder.text(here)]);
        if text.is_empty() {
            return None;
        }
        let Some(word) = &self.language.table.linking.constant_types else { return Some(text) };
        let whole = self.builder.source;
        let (before, behind) = (&whole[..here.start as usize], &whole[here.end as usize..]);
        let is_blank = |c: char| matches!(c, ' ' | '\t');
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let bare = word.trim_end();
        let before = before.trim_end_matches(is_blank).strip_suffix(bare);
        let behind = behind.trim_start_matches(is_blank).strip_prefix(bare);
        let is_beside = before.is_some_and(|rest| !rest.ends_with(is_part))
            || behind.is_some_and(|rest| !rest.starts_with(is_part));
        Some(if is_beside { format!("{word}{text}") } else { text })
    }

    /// Where in its symbol's declaration a type at this place stands.
    pub(super) fn type_position(&self, start: u32) -> model::TypePosition {
        use model::TypePosition::{Declared, Other, Parameter, Return};
        let Some(index) = self.symbol else { return Other };
        let Some(pending) = self.definitions.pending.get(&index) else { return Other };
        let holds = |span: Option<Span>| span.is_some_and(|s| s.start <= start && start < s.end);
        if holds(pending.returns) {
            Return
        } else if holds(pending.parameters) {
            Parameter
        } else if start < pending.header_end && !self.symbol_at(index).kind.has_members() {
            Declared
        } else {
            Other
        }
    }
}
