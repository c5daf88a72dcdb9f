//! Texts made comparable: without white space, without lines that are comments.

use std::hash::Hasher;

use ::index::Version;
use model::LineType;
use rustc_hash::{FxHashMap, FxHasher};

/// Equal for equal texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Print {
    pub(super) hash: u64,
    /// Bytes that count.
    pub(super) length: usize,
}

/// Of what a symbol says itself, without the symbols in it.
pub(super) fn own(version: &Version, number: usize) -> Print {
    let symbols = &version.outline.symbols;
    let Some(symbol) = symbols.get(number) else { return print(b"") };
    let mut text = Vec::new();
    let mut at = symbol.start;
    let inner = symbols.iter().skip(number + 1).take_while(|inner| inner.start < symbol.end);
    for inner in inner.filter(|inner| inner.owner == Some(number as u32)) {
        if inner.start > at {
            add(version, at, inner.start, &mut text);
        }
        at = at.max(inner.end);
    }
    if symbol.end > at {
        add(version, at, symbol.end, &mut text);
    }
    print(&text)
}

/// Of all that a symbol is, with the symbols in it, but for its own name.
pub(super) fn nameless(version: &Version, number: usize) -> Print {
    let Some(symbol) = version.outline.symbols.get(number) else { return print(b"") };
    let mut text = Vec::new();
    add(version, symbol.start, symbol.end, &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (start, name) in text.match_indices(symbol.name.as_str()) {
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        let behind = text.get(start + name.len()..).and_then(|rest| rest.chars().next());
        if name.is_empty() || before.is_some_and(is_part) || behind.is_some_and(is_part) {
            continue;
        }
        out.push_str(text.get(at..start).unwrap_or_default());
        out.push('\u{1}');
        at = start + name.len();
    }
    out.push_str(text.get(at..).unwrap_or_default());
    print(out.as_bytes())
}

/// The text of a symbol as it stands.
pub(super) fn text(version: &Version, number: usize) -> &str {
    let symbol = version.outline.symbols.get(number);
    symbol
        .and_then(|symbol| version.text.get(symbol.start as usize..symbol.end as usize))
        .unwrap_or_default()
}

/// Percent of the lines of two texts that they have in common.
pub(super) fn likeness(one: &str, other: &str) -> u32 {
    let mut lines: FxHashMap<&str, i64> = FxHashMap::default();
    let count = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
    for line in one.lines().map(str::trim).filter(|line| !line.is_empty()) {
        *lines.entry(line).or_insert(0) += 1;
    }
    let mut common = 0;
    for line in other.lines().map(str::trim) {
        if let Some(left) = lines.get_mut(line).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    }
    (200 * common / (count(one) + count(other)).max(1)) as u32
}

/// White space does not count.
fn print(text: &[u8]) -> Print {
    let text: Vec<u8> = text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let mut hasher = FxHasher::default();
    hasher.write(&text);
    Print { hash: hasher.finish(), length: text.len() }
}

/// Adds what is between two positions, without lines that are comments.
fn add(version: &Version, start: u32, end: u32, out: &mut Vec<u8>) {
    let outline = &version.outline;
    let bytes = version.text.as_bytes();
    let mut at = start;
    while at < end {
        let line = outline.line_starts.partition_point(|start| *start <= at);
        let next = outline.line_starts.get(line).copied().unwrap_or(u32::MAX).min(end);
        let runs = outline.line_types.partition_point(|(first, _)| *first <= line as u32);
        let line_type = runs.checked_sub(1).map_or(LineType::Code, |run| outline.line_types[run].1);
        if line_type != LineType::Comment {
            let piece = bytes.get(at as usize..next as usize).unwrap_or_default();
            out.extend_from_slice(piece);
        }
        at = next;
    }
}
