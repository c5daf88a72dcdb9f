//! Tests that a text names: `TEST_CASE("adds two numbers", "[math]") {`.
//!
//! No function is written so. The text becomes a parameter, as the name in `TEST(Sum, AddsTwoNumbers) {` is one
//! for the grammar; what follows it goes.

use super::heads::Item;
use super::tokens::{Kind, Token};
use super::{Blanker, words};

/// Opens a stretch of tests, as a namespace does.
const SUITE: &[u8] = b"TEST_SUITE";

/// Rewrites the head of such a test, before its body.
pub(super) fn name(blanker: &mut Blanker<'_>, tokens: &[Token], items: &[Item]) {
    let Some((word, [_, arguments @ .., closing])) = macro_call(tokens, items) else { return };
    let word = blanker.text(word);
    let is_test = word.windows(4).any(|part| part == b"TEST") || word.starts_with(b"SCENARIO");
    // A fixture may stand before the text.
    let is_text = |token: &Token| token.kind == Kind::String;
    let Some(at) = arguments.iter().take(MAX_FIXTURE).position(is_text) else { return };
    let has_directive = arguments.iter().any(|token| token.kind == Kind::Directive);
    let [b'"', name @ .., b'"'] = blanker.text(arguments[at]) else { return };
    if !is_test || !words::is_attribute_like(word) || has_directive || name.contains(&b'\n') {
        return;
    }
    // Every byte differs from what it is written over: the text is known for one by that.
    let filler = (b'a'..=b'z').find(|filler| !name.contains(filler));
    if let Some(filler) = filler.filter(|_| !name.is_empty()) {
        let parameter = [b" ", &*vec![filler; name.len()]].concat();
        blanker.overwrite(arguments[at], &parameter);
        blanker.blank(arguments[at].end, closing.start);
    }
}

/// More words are no name of a fixture.
const MAX_FIXTURE: usize = 16;

/// Makes a namespace of `TEST_SUITE("sums") {`, and says whether it was one.
pub(super) fn is_suite(blanker: &mut Blanker<'_>, tokens: &[Token], items: &[Item]) -> bool {
    match macro_call(tokens, items) {
        Some((word, brackets @ [_, text, _])) if text.kind == Kind::String => {
            let is_suite = blanker.text(word) == SUITE;
            if is_suite {
                blanker.overwrite(word, b"namespace");
                brackets.iter().for_each(|token| blanker.blank_token(*token));
            }
            is_suite
        }
        _ => false,
    }
}

/// A word and the brackets behind it, at the end of a head.
fn macro_call<'t>(tokens: &'t [Token], items: &[Item]) -> Option<(Token, &'t [Token])> {
    let [.., Item::Token(word), Item::Group(open, close)] = *items else { return None };
    Some((*tokens.get(word as usize)?, tokens.get(open as usize..=close as usize)?))
}
