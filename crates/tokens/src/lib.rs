//! Counts tokens exactly as the o200k vocabulary does, without loading it.
//!
//! A text is split into pieces ([`pieces`]), and each piece into tokens by merging the pair of the
//! lowest rank again and again ([`merge`]). The vocabulary is a table in the program itself
//! ([`vocabulary`]): the first count costs no more than the second.

mod hash;
mod merge;
mod pieces;
mod vocabulary;

use merge::Merger;
use pieces::Pieces;

/// Number of tokens of a text.
pub fn count(text: &str) -> usize {
    count_within(text, usize::MAX).expect("no text has more tokens than there are numbers")
}

/// Number of tokens of a text, if there are at most `limit`; stops at the first beyond it.
pub fn count_within(text: &str, limit: usize) -> Option<usize> {
    let mut merger = Merger::default();
    let mut count = 0;
    for piece in Pieces::of(text) {
        count += match vocabulary::rank(piece.as_bytes()) {
            Some(_) => 1,
            None => merger.count(piece.as_bytes()),
        };
        if count > limit {
            return None;
        }
    }
    Some(count)
}
