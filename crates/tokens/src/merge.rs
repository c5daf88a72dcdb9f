//! Splits a piece that is no token into tokens.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::vocabulary::rank;

/// What is needed for one piece, kept for the next.
#[derive(Debug, Default)]
pub(crate) struct Merger {
    /// By the position of its first byte: a part of the piece.
    parts: Vec<Part>,
    /// Pairs of neighbours that are tokens, the lowest rank and then the leftmost first. A pair that is
    /// no more stays in it and is recognised by its rank.
    pairs: BinaryHeap<Reverse<(u32, usize)>>,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    end: usize,
    /// Where the part before it begins.
    before: usize,
    /// Rank of what this part and the next one make together.
    pair: u32,
}

const NONE: u32 = u32::MAX;

impl Merger {
    /// Number of tokens in a piece. Takes time in proportion to its length, but for the heap.
    pub(crate) fn count(&mut self, piece: &[u8]) -> usize {
        self.parts.clear();
        self.pairs.clear();
        for at in 0..piece.len() {
            let pair = piece.get(at..at + 2).and_then(rank).unwrap_or(NONE);
            self.parts.push(Part { end: at + 1, before: at.wrapping_sub(1), pair });
            if pair != NONE {
                self.pairs.push(Reverse((pair, at)));
            }
        }
        let mut count = piece.len();
        while let Some(Reverse((pair, at))) = self.pairs.pop() {
            if self.parts[at].pair != pair {
                continue;
            }
            count -= 1;
            let second = self.parts[at].end;
            let end = self.parts[second].end;
            self.parts[second].pair = NONE;
            self.parts[at].end = end;
            if let Some(next) = self.parts.get_mut(end) {
                next.before = at;
            }
            self.pair_up(piece, at);
            if at > 0 {
                self.pair_up(piece, self.parts[at].before);
            }
        }
        count
    }

    /// Looks up what a part and the next one make.
    fn pair_up(&mut self, piece: &[u8], at: usize) {
        let next = self.parts.get(self.parts[at].end);
        let pair = next.and_then(|next| rank(&piece[at..next.end])).unwrap_or(NONE);
        self.parts[at].pair = pair;
        if pair != NONE {
            self.pairs.push(Reverse((pair, at)));
        }
    }
}
