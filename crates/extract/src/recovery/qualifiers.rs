//! Macros behind the star of a pointer, whatever letters they are written in: `Node* nonnull next`.

use rustc_hash::FxHashMap;

use super::tokens::{Kind, Token};
use super::{Blanker, words};

/// Blanks them. Two plain words cannot stand behind a star or an ampersand: one is a macro. It is the
/// first, if the file has it in that place more often than any name would be there.
pub(super) fn blank(blanker: &mut Blanker<'_>, tokens: &[Token]) {
    let source = blanker.source;
    let text = |token: &Token| &source[token.start as usize..token.end as usize];
    let is_plain = |token: &Token| {
        let word = text(token);
        token.kind == Kind::Word && !words::is_keyword(word) && !words::is_operator(word)
    };
    let mut found: Vec<[&Token; 2]> = Vec::new();
    let mut counts: FxHashMap<&[u8], [u32; 2]> = FxHashMap::default();
    for window in tokens.windows(3) {
        let [sign, first, second] = window else { continue };
        if sign.kind == Kind::Sign
            && matches!(text(sign), b"*" | b"&")
            && is_plain(first)
            && is_plain(second)
            && !words::is_attribute_like(text(second))
        {
            found.push([first, second]);
            counts.entry(text(first)).or_default()[0] += 1;
            counts.entry(text(second)).or_default()[1] += 1;
        }
    }
    let count = |token: &Token, at: usize| counts.get(text(token)).map_or(0, |counts| counts[at]);
    for [first, second] in found {
        let is_frequent = count(first, 0) > 1 && count(first, 0) > count(second, 1);
        if is_frequent || words::is_attribute_like(text(first)) {
            blanker.blank_token(*first);
        }
    }
}
