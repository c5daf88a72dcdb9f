//! What a definition says of types.

use languages::pattern::Part;
use model::Span;

use super::Walker;

impl Walker<'_, '_> {
    /// The type of a value as written, or what a function returns.
    pub(super) fn declared_type(&self) -> Option<String> {
        let returns = self.part_text(Part::Returns);
        let count = self.matcher.all(Part::Type).count();
        if count == 0 || returns.is_none() && count == 1 {
            return returns.or_else(|| self.part_text(Part::Type));
        }
        let mut types = Vec::new();
        for (node, row) in self.matcher.rows_of(Part::Type) {
            let text = self.text_of(Some(node))?;
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
