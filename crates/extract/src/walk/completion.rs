//! What follows from the whole text of a definition, once its end is reached.

use languages::{Modifier, VisibilityStrategy};
use model::{Span, SymbolFlags, Visibility};

use super::Walker;
use crate::signature;

impl Walker<'_, '_> {
    /// Fills in what follows from the whole text of a definition.
    pub(super) fn complete_definitions(&mut self, symbols: std::ops::Range<u32>) {
        for index in symbols {
            let Some(pending) = self.definitions.pending.remove(&index) else { continue };
            let symbol = self.symbol_at(index);
            let mut header =
                self.header(symbol.span.start, pending.header_end, &pending.decorators);
            if let Some(body) = symbol.body.filter(|body| body.end <= symbol.name_span.start) {
                header.push(self.builder.text(Span::new(body.end, symbol.span.end)));
            }
            // The name may stand behind the body: `typedef struct { … } name`.
            let before =
                symbol.body.map_or(u32::MAX, |body| body.start).min(symbol.name_span.start);
            let mut before_name = self.header(symbol.span.start, before, &pending.decorators);
            before_name.extend(pending.modifiers.iter().map(|span| self.builder.text(*span)));
            let mut signature = signature::of_declaration(header.iter().copied());
            if signature.is_empty() {
                signature = self.builder.facts.names.get(symbol.name).to_owned();
            }
            let (said, mut flags) = self.read_modifiers(&before_name);
            self.definitions.flags.iter().for_each(|(flag, _)| flags.set(*flag));
            let visibility = self.visibility(index, said);
            let decorators: Vec<String> = pending
                .decorators
                .iter()
                .map(|span| signature::normalise([self.builder.text(*span)]))
                .collect();
            let symbol = &mut self.builder.facts.symbols[index as usize];
            symbol.signature = signature;
            symbol.flags.0 |= flags.0;
            symbol.visibility = visibility;
            self.language.apply_decorators(symbol, &decorators);
            symbol.decorators = decorators;
            if symbol.body.is_none()
                && symbol.kind.is_callable()
                && symbol.flags.0 & (SymbolFlags::ABSTRACT.0) == 0
            {
                symbol.flags.set(SymbolFlags::DECLARATION);
            }
            self.mark_exported(index);
        }
    }

    /// The text of a stretch of a definition's head, without its decorators and comments.
    fn header(&self, start: u32, end: u32, decorators: &[Span]) -> Vec<&str> {
        let comments = &self.builder.comments;
        let first = comments.partition_point(|comment| comment.start < start);
        let last = comments.partition_point(|comment| comment.start < end);
        let mut cuts: Vec<Span> = decorators.to_vec();
        cuts.extend(comments[first..last.max(first)].iter().copied());
        cuts.sort_unstable_by_key(|cut| cut.start);
        let mut pieces = Vec::with_capacity(cuts.len() + 1);
        let mut at = start;
        for cut in cuts {
            if cut.start >= at && cut.end <= end {
                pieces.push(self.builder.text(Span::new(at, cut.start)));
                at = cut.end;
            }
        }
        pieces.push(self.builder.text(Span::new(at.min(end), end)));
        pieces
    }

    /// What the words before the name say.
    fn read_modifiers(&self, before_name: &[&str]) -> (Option<Visibility>, SymbolFlags) {
        let (mut visibility, mut flags) = (None, SymbolFlags::default());
        let modifiers = &self.language.modifiers;
        if modifiers.is_empty() {
            return (visibility, flags);
        }
        for piece in before_name {
            for word in words_with_brackets(piece) {
                let bare = word.split(['(', '[']).next().unwrap_or(word);
                match modifiers.get(word).or_else(|| modifiers.get(bare)) {
                    Some(Modifier::Visibility(said)) => visibility = visibility.or(Some(*said)),
                    Some(Modifier::Flag(flag)) => flags.set(*flag),
                    Some(Modifier::Kind(_)) | None => {}
                }
            }
        }
        (visibility, flags)
    }

    fn visibility(&self, index: u32, said: Option<Visibility>) -> Option<Visibility> {
        let symbol = self.symbol_at(index);
        let table = &self.language.table.visibility;
        let name = self.builder.facts.names.get(symbol.name);
        match table.strategy {
            VisibilityStrategy::Capitalized => Some(if name.starts_with(char::is_uppercase) {
                Visibility::Public
            } else {
                Visibility::Private
            }),
            VisibilityStrategy::Underscore => Some(
                if name.starts_with('_') && !(name.starts_with("__") && name.ends_with("__")) {
                    Visibility::Private
                } else {
                    Visibility::Public
                },
            ),
            VisibilityStrategy::Keyword => {
                let section =
                    || self.definitions.sections.get(&symbol.owner).map(|(said, _)| *said);
                let by_owner = || {
                    let owner = self.symbol_at(symbol.owner?);
                    table.members.get(owner.kind.as_str()).and_then(|word| Visibility::parse(word))
                };
                let default = || table.default.as_deref().and_then(Visibility::parse);
                said.or_else(section).or_else(by_owner).or_else(default)
            }
        }
    }

    /// A symbol is exported if it is public and not local to a function. Whether the types around it are
    /// public too is for whoever asks: owners are completed after their members.
    fn mark_exported(&mut self, index: u32) {
        let symbol = self.symbol_at(index);
        let is_public = symbol.visibility == Some(Visibility::Public);
        let reachable = symbol.owner.is_none_or(|owner| !self.symbol_at(owner).kind.is_callable());
        if is_public && reachable {
            self.builder.facts.symbols[index as usize].flags.set(SymbolFlags::EXPORTED);
        }
    }
}

/// Words, each with the bracket that directly follows it: `pub(crate)`.
fn words_with_brackets(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '*');
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(is_word)?;
        let tail = &rest[start..];
        let mut end = tail.find(|c| !is_word(c)).unwrap_or(tail.len());
        if tail[end..].starts_with('(')
            && let Some(close) = tail[end..].find(')')
        {
            end += close + 1;
        }
        rest = &tail[end..];
        Some(&tail[..end])
    })
}
