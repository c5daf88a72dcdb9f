//! What a grammar without a preprocessor cannot read, taken out of C and C++ before they are parsed, and
//! out of languages that have conditionals only.
//!
//! Macros stand where the grammar expects nothing, and conditionals cut statements in two; either may
//! cost the definition behind it. [`blank`] makes a copy of the text for the parser alone, in which such
//! places are white space. It has the length and the line breaks of the original, so every node of the
//! copy's tree has its place, and its true text, in the original.
//!
//! [`tokens`] cuts the text into tokens once. [`directives`] then blanks comments inside `#define` and
//! conditionals that split what stands around them, while [`conditions`] finds the branches that the usual
//! system does not compile; [`qualifiers`] finds macros behind stars and
//! [`statements`] those that stand for `try`; [`heads`] finds the heads of declarations, [`attributes`] decides
//! which of their words are macros, and [`cases`] which are tests that a text names. Every step takes time in
//! proportion to the text, whatever is in it.

mod attributes;
mod cases;
mod conditions;
mod directives;
pub(crate) mod dormant;
mod heads;
pub(crate) mod macros;
mod qualifiers;
mod statements;
#[cfg(test)]
mod tests;
mod tokens;
mod type_macros;
mod words;

use languages::Conditions;
use model::Span;

use tokens::Token;

/// How much of a text is in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Only macros in the head of a declaration: `struct PACKED name { … }` would be taken for a
    /// function.
    Heads,
    /// Conditionals that split what belongs together, and comments in macros, as well.
    All,
    /// Only the conditionals, for a language that has them but no macros.
    Conditionals,
}

/// What is found before a text is parsed.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// A copy for the parser, or none if there is nothing to blank.
    pub(crate) copy: Option<String>,
    /// What the usual system does not compile, in order, none in another.
    pub(crate) dormant: Vec<Span>,
}

/// A copy for the parser, or none if there is nothing to blank.
pub(crate) fn blank(text: &str, doubt: Doubt) -> Option<String> {
    read(text, doubt, &Conditions::default()).copy
}

pub(crate) fn read(text: &str, doubt: Doubt, known: &Conditions) -> Reading {
    let source = text.as_bytes();
    let mut blanker = Blanker { source, copy: None };
    let mut tokens = tokens::tokenize(source);
    let mut dormant = Vec::new();
    if doubt != Doubt::Heads {
        if doubt == Doubt::All {
            directives::define_comments(&mut blanker, &tokens);
        }
        let mut branches = conditions::Branches::new(known, source);
        let gone = directives::conditionals(&mut blanker, &tokens, &mut branches);
        dormant = branches.finish();
        let mut gone = gone.iter();
        tokens.retain(|_| !gone.next().copied().unwrap_or(false));
    }
    if doubt != Doubt::Conditionals {
        tokens.retain(|token| token.kind != tokens::Kind::Comment);
        qualifiers::blank(&mut blanker, &tokens);
        statements::replace(&mut blanker, &tokens);
        heads::read(&mut blanker, &tokens);
    }
    Reading { copy: blanker.copy.and_then(|copy| String::from_utf8(copy).ok()), dormant }
}

const BLOCK: usize = 32;

/// The stretches in which a copy differs from its original. White space between two does not divide
/// them, nor does the sign that continues a line.
pub(crate) fn stretches(original: &str, copy: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let (original, copy) = (original.as_bytes(), copy.as_bytes());
    let mut at = 0;
    let mut joins = false;
    while at < original.len().min(copy.len()) {
        // Nearly all is the same, and looked at in blocks.
        let block = original.get(at..at + BLOCK);
        if !joins && block.is_some() && block == copy.get(at..at + BLOCK) {
            at += BLOCK;
            continue;
        }
        if original[at] == copy[at] {
            joins &= original[at].is_ascii_whitespace() || original[at] == b'\\';
            at += 1;
            continue;
        }
        let start = at;
        while at < original.len() && original[at] != copy[at] {
            at += 1;
        }
        match found.last_mut() {
            Some(last) if joins => last.end = at as u32,
            _ => found.push(Span::new(start as u32, at as u32)),
        }
        joins = true;
    }
    found
}

/// What stood in a stretch that was blanked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Blanked {
    pub(crate) span: Span,
    pub(crate) kind: BlankedKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlankedKind {
    Word,
    /// A word that looks like one.
    Macro,
    Text,
}

/// The words and texts of a stretch, without comments.
pub(crate) fn blanked_in(text: &str, stretch: Span) -> Vec<Blanked> {
    let source = stretch.slice(text).as_bytes();
    let mut found = Vec::new();
    let mut add = |token: Token| {
        let word = &source[token.start as usize..token.end as usize];
        let kind = match token.kind {
            tokens::Kind::String => BlankedKind::Text,
            tokens::Kind::Word if words::is_keyword(word) => return,
            tokens::Kind::Word if words::is_attribute_like(word) => BlankedKind::Macro,
            tokens::Kind::Word => BlankedKind::Word,
            _ => return,
        };
        let span = Span::new(stretch.start + token.start, stretch.start + token.end);
        found.push(Blanked { span, kind });
    };
    for token in tokens::tokenize(source) {
        if token.kind == tokens::Kind::Directive {
            // The sign and the word that says which directive it is are no names.
            let pieces = tokens::DirectivePieces::new(source, token.start as usize);
            pieces.take_while(|piece| piece.start < token.end).skip(2).for_each(&mut add);
        } else {
            add(token);
        }
    }
    found
}

/// The copy, made when the first byte changes.
struct Blanker<'s> {
    source: &'s [u8],
    copy: Option<Vec<u8>>,
}

impl<'s> Blanker<'s> {
    fn text(&self, token: Token) -> &'s [u8] {
        &self.source[token.start as usize..token.end as usize]
    }

    fn copy(&mut self) -> &mut Vec<u8> {
        self.copy.get_or_insert_with(|| self.source.to_vec())
    }

    /// Makes white space of a stretch. Line breaks stay, and with them the lines of everything behind.
    fn blank(&mut self, start: u32, end: u32) {
        for byte in &mut self.copy()[start as usize..end as usize] {
            if !byte.is_ascii_whitespace() {
                *byte = b' ';
            }
        }
    }

    fn blank_token(&mut self, token: Token) {
        self.blank(token.start, token.end);
    }

    /// Writes another text over a token that is at least as long.
    fn overwrite(&mut self, token: Token, text: &[u8]) {
        self.blank_token(token);
        let start = token.start as usize;
        self.copy()[start..start + text.len()].copy_from_slice(text);
    }
}
