//! Bodies without white space and comments, and their hashes: formatting does not matter.
//!
//! Bodies nest, those of tests many times, and what stands in several of them is still read once: the
//! bodies of a file become one text, of which the hash of each takes its part.

use std::hash::Hasher;

use model::Span;
use rustc_hash::FxHasher;

pub(crate) struct Bodies {
    text: Vec<u8>,
    /// Where bodies begin and end, ascending, and the place of that in the text.
    places: Vec<(u32, u32)>,
}

impl Bodies {
    pub(crate) fn new(
        source: &[u8],
        comments: &[Span],
        bodies: impl Iterator<Item = Span>,
    ) -> Self {
        // Each with the end of the body that begins there, if one does.
        let mut marks: Vec<(u32, u32)> =
            bodies.flat_map(|body| [(body.start, body.end), (body.end, 0)]).collect();
        marks.sort_unstable();
        let mut places = Vec::with_capacity(marks.len());
        let mut text = Vec::new();
        let mut covered = 0;
        for (index, (mark, end)) in marks.iter().enumerate() {
            covered = covered.max(*end);
            if places.last().is_none_or(|(last, _)| last != mark) {
                places.push((*mark, text.len() as u32));
            }
            let next = marks.get(index + 1).map_or(*mark, |(next, _)| *next);
            if *mark < covered && *mark < next {
                push_without_comments(&mut text, source, comments, Span::new(*mark, next));
            }
        }
        Self { text, places }
    }

    /// The hash of one of the bodies: equal for equal ones, whatever their layout.
    pub(crate) fn hash(&self, body: Span) -> u64 {
        let mut hasher = FxHasher::default();
        // A name without a body may be told to have one that ends before it begins.
        hasher.write(self.text.get(self.place(body.start)..self.place(body.end)).unwrap_or(&[]));
        hasher.finish()
    }

    fn place(&self, mark: u32) -> usize {
        let found = self.places.binary_search_by_key(&mark, |(known, _)| *known);
        self.places[found.expect("every body was told of")].1 as usize
    }
}

fn push_without_comments(text: &mut Vec<u8>, source: &[u8], comments: &[Span], part: Span) {
    let first = comments.partition_point(|comment| comment.start < part.start);
    let mut at = part.start;
    for comment in comments[first..].iter().take_while(|comment| comment.end <= part.end) {
        push_dense(text, &source[at as usize..comment.start.max(at) as usize]);
        at = comment.end;
    }
    push_dense(text, &source[at as usize..part.end.max(at) as usize]);
}

/// Appends what can be seen of some bytes: no white space, and none of the signs that control.
fn push_dense(text: &mut Vec<u8>, mut rest: &[u8]) {
    const WIDTH: usize = size_of::<u64>();
    let mut length = text.len();
    text.resize(length + rest.len() + WIDTH, 0);
    // One word and the space behind it at a time. How long they are is not to be foreseen, so nothing here
    // depends on it but how far it goes.
    while !rest.is_empty() {
        let chunk = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut padded = [b' '; WIDTH];
            padded[..rest.len()].copy_from_slice(rest);
            padded
        });
        let seen = seen_in(u64::from_le_bytes(chunk));
        let word = seen.trailing_ones();
        // Behind the word; a shift by all bits at once is none.
        let behind = (seen >> (word / 2)) >> (word - word / 2);
        let space = behind.trailing_zeros().min(u64::BITS - word);
        text[length..length + WIDTH].copy_from_slice(&chunk);
        length += word as usize / 8;
        rest = rest.get((word + space) as usize / 8..).unwrap_or_default();
    }
    text.truncate(length);
}

/// All bits of those bytes that are more than a space.
const fn seen_in(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let high = (((word & (ONES * 0x7f)) + ONES * 0x5f) | word) & (ONES * 0x80);
    (high >> 7) * 0xff
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(source: &str, comments: &[Span], bodies: &[Span]) -> Vec<String> {
        let all = Bodies::new(source.as_bytes(), comments, bodies.iter().copied());
        let part = |body: &Span| &all.text[all.place(body.start)..all.place(body.end)];
        bodies.iter().map(|body| String::from_utf8_lossy(part(body)).into_owned()).collect()
    }

    #[test]
    fn bodies_keep_what_can_be_seen() {
        let source = "f() { let  wide_name_of_nine_and_more = 'ä\u{2003}b';\n\n\t\t         }  { }";
        let place = |sign| source.find(sign).expect("it has a body");
        let (start, end) = (place('{'), place('}') + 1);
        let first = Span::new(start as u32, end as u32);
        let last = Span::new(source.len() as u32 - 3, source.len() as u32);
        let expected = ["{letwide_name_of_nine_and_more='ä\u{2003}b';}", "{}"];
        assert_eq!(dense(source, &[], &[first, last]), expected);
    }

    #[test]
    fn bodies_inside_of_others_are_parts_of_them_without_comments() {
        let source = "{a /*{*/ {b /* c */ d} // e\n f} {g}";
        let span = |text: &str| {
            let start = source.find(text).expect("it is there");
            Span::new(start as u32, (start + text.len()) as u32)
        };
        let comments = [span("/*{*/"), span("/* c */"), span("// e")];
        let bodies = [span("{b /* c */ d}"), span("{a /*{*/ {b /* c */ d} // e\n f}"), span("{g}")];
        assert_eq!(dense(source, &comments, &bodies), ["{bd}", "{a{bd}f}", "{g}"]);
        let all = Bodies::new(source.as_bytes(), &comments, bodies.into_iter());
        assert_ne!(all.hash(bodies[0]), all.hash(bodies[2]));
    }

    #[test]
    fn every_split_of_every_text_gives_the_same() {
        let text = "ab  cdefghij\tklm nop\u{1}qrstuvwxyz012345 6 7 8  9\n";
        let expected: Vec<u8> = text.bytes().filter(|byte| *byte > b' ').collect();
        for at in 0..=text.len() {
            let mut out = Vec::new();
            push_dense(&mut out, &text.as_bytes()[..at]);
            push_dense(&mut out, &text.as_bytes()[at..]);
            assert_eq!(out, expected, "{at}");
        }
    }
}
