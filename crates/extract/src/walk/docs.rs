//! Which comments document which symbol.

use languages::DocsPlace;
use model::Span;
use tree_sitter::Node;

use super::Walker;
use super::matcher::span;
use crate::comments;

/// The run of comments the walk has just passed.
#[derive(Debug, Default)]
pub(super) struct Docs {
    run: Vec<Span>,
    /// The last line of the run, counted from 0.
    last_line: usize,
}

impl<'t> Walker<'_, 't> {
    pub(super) fn comment(&mut self, node: Node<'t>) {
        let mut comment = span(node);
        // Some grammars take the line break into the comment.
        let text = self.builder.text(comment);
        comment.end -= (text.len() - text.trim_end().len()) as u32;
        self.builder.comment(comment);

        let text = self.builder.text(comment);
        let inner = &self.language.table.docs.inner_markers;
        if inner.iter().any(|marker| text.starts_with(marker.as_str())) {
            self.inner_docs(comment);
            return;
        }
        let first_line = self.builder.line_index(comment.start);
        let line_start = self.builder.facts.line_starts[first_line];
        let before = Span::new(line_start, comment.start);
        let stands_alone = self.builder.text(before).trim().is_empty();
        let continues = self.docs.run.last().is_some_and(|last| {
            first_line <= self.docs.last_line + 1
                && self.builder.text(Span::new(last.end, comment.start)).trim().is_empty()
        });
        if !continues {
            self.docs.run.clear();
        }
        if stands_alone || continues {
            self.docs.run.push(comment);
            self.docs.last_line = self.builder.line_index(comment.end.saturating_sub(1));
        }
    }

    /// The documentation of a definition that begins at `start`.
    pub(super) fn docs_above(&mut self, start: u32) -> Option<String> {
        if self.language.table.docs.place == DocsPlace::Inside {
            return None;
        }
        let last = *self.docs.run.last()?;
        if last.end > start || self.builder.line_index(start) > self.docs.last_line + 1 {
            return None;
        }
        let markers = &self.language.table.docs.markers;
        let is_docs = |comment: &Span| {
            let text = self.builder.text(*comment);
            markers.is_empty() || markers.iter().any(|marker| text.starts_with(marker.as_str()))
        };
        let first =
            self.docs.run.iter().rposition(|comment| !is_docs(comment)).map_or(0, |at| at + 1);
        let run = self.docs.run[first..].iter().map(|comment| self.builder.text(*comment));
        let texts: Vec<&str> =
            run.filter(|text| !comments::is_directive(self.language, text)).collect();
        self.docs.run.clear();
        let text = comments::clean(self.language, texts.into_iter());
        (!text.is_empty()).then_some(text)
    }

    /// A comment that documents what it stands in.
    fn inner_docs(&mut self, comment: Span) {
        let Some(symbol) = self.symbol else { return };
        let text = comments::clean(self.language, std::iter::once(self.builder.text(comment)));
        let docs = &mut self.builder.facts.symbols[symbol as usize].docs;
        match docs {
            Some(docs) => {
                docs.push('\n');
                docs.push_str(&text);
            }
            None => *docs = Some(text),
        }
    }

    /// Acts on a `@docstring` pattern: the first statement of a body, if it is a string.
    pub(super) fn docstring(&mut self, node: Node<'t>) {
        let first = node.parent().is_some_and(|parent| {
            let mut cursor = parent.walk();
            let mut children = parent.named_children(&mut cursor);
            children.find(|child| !child.is_extra()).is_some_and(|child| child.id() == node.id())
        });
        let inner = self.matcher.part(languages::pattern::Part::Inner).unwrap_or(node);
        let parent = node.parent().map(span);
        let is_place = match self.symbol {
            Some(symbol) => self.builder.facts.symbols[symbol as usize].body == parent,
            None => self.ancestors.len() == 1,
        };
        if !first || !is_place {
            return;
        }
        let text = super::origins::unquoted(self.builder.text(span(inner)).trim());
        let lines: Vec<&str> = text.lines().collect();
        let text = comments::dedent(&lines);
        if text.is_empty() {
            return;
        }
        match self.symbol {
            Some(symbol) => {
                self.builder.facts.symbols[symbol as usize].docs.get_or_insert(text);
            }
            None => self.builder.facts.header = Some(text),
        }
    }
}
