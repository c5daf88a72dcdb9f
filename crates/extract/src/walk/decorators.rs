//! What is said of symbols before they come: decorators, and sections of one visibility.

use languages::Modifier;
use languages::pattern::Part;
use model::Span;
use tree_sitter::Node;

use super::Walker;
use super::matcher::span;

impl<'t> Walker<'_, 't> {
    /// Acts on a `@decorator` pattern: it belongs to the symbol it stands in the head of, or to the
    /// next one.
    pub(super) fn decorate(&mut self, node: Node<'t>) {
        let here = span(node);
        if let Some(index) = self.symbol
            && self.symbol_at(index).name_span.start > here.start
            && let Some(pending) = self.definitions.pending.get_mut(&index)
        {
            pending.decorators.push(here);
            return;
        }
        self.definitions.decorators.push((here, self.ancestors.len()));
    }

    /// Acts on a `@visibility` pattern: members from here on have it.
    pub(super) fn section_visibility(&mut self, node: Node<'t>) {
        let word = self.matcher.part(Part::Name).unwrap_or(node);
        let text = self.builder.text(span(word)).trim_end_matches(':').trim();
        if self.is_claimed(word.start_byte() as u32) {
            return;
        }
        let depth = self.ancestors.len();
        match self.language.modifiers.get(text) {
            Some(Modifier::Visibility(visibility)) => {
                self.definitions.sections.insert(self.symbol, (*visibility, depth));
            }
            Some(Modifier::Flag(flag)) => self.definitions.flags.push((*flag, depth)),
            Some(Modifier::Kind(_)) | None => {}
        }
    }

    /// References inside decorators belong to the symbol that is decorated.
    pub(super) fn own_decorator_references(&mut self, decorators: &[Span], symbol: u32) {
        let Some(first) = decorators.iter().map(|span| span.start).min() else { return };
        for reference in self.builder.facts.references.iter_mut().rev() {
            if reference.start < first {
                break;
            }
            if decorators
                .iter()
                .any(|span| span.start <= reference.start && reference.start < span.end)
            {
                reference.symbol = Some(symbol);
            }
        }
    }
}
