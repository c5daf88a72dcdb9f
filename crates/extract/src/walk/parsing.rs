//! Text into a tree, by way of a copy where macros and conditionals mislead the grammar.

use languages::RecoveryStrategy;
use model::Span;
use tree_sitter::{InputEdit, Point, Tree};

use crate::Language;
use crate::memory::{self, Syntax};
use crate::recovery::{self, Doubt};

/// Each edit of a tree looks at all that stands side by side before it; beyond so many it is cheaper to
/// read the text anew.
const MAX_EDITS: usize = 256;

/// The tree of a source, or none if the grammar cannot be had.
fn parse(language: &Language, text: &str) -> Option<Syntax> {
    with_parser(language, |parser| parser.parse(text, None))
}

/// Runs the parser of this thread, set to a language.
pub(super) fn with_parser(
    language: &Language,
    run: impl FnOnce(&mut tree_sitter::Parser) -> Option<Tree>,
) -> Option<Syntax> {
    memory::with_parser(|parser| {
        parser.set_language(language.grammar.as_ref()?).ok()?;
        run(parser)
    })
}

/// The tree of a source, and the copy it was read from if that is not the source itself. Where a
/// language has a way of recovery, it is tried first: reading twice costs twice, and few files need it.
/// Tells what the usual system does not compile.
pub(super) fn read(
    language: &Language,
    text: &str,
    dormant: &mut Vec<Span>,
) -> Option<(Option<String>, Syntax)> {
    match language.table.recovery {
        None => return Some((None, parse(language, text)?)),
        Some(RecoveryStrategy::Conditionals) => return read_conditionals(language, text),
        Some(RecoveryStrategy::CPreprocessor) => {}
    }
    let recovery::Reading { copy: bold, dormant: found } =
        recovery::read(text, Doubt::All, &language.table.conditions);
    *dormant = found;
    let first = parse(language, bold.as_deref().unwrap_or(text))?;
    if !first.root_node().has_error() {
        return Some((bold, first));
    }
    let careful = recovery::blank(text, Doubt::Heads);
    if careful == bold {
        return Some((bold, first));
    }
    // Most of both copies is the same, and need not be read again.
    let (read, unread) = (bold.as_deref().unwrap_or(text), careful.as_deref().unwrap_or(text));
    let known = edited(&first, read, unread);
    let second = with_parser(language, |parser| parser.parse(unread, known.as_deref()))?;
    Some(if damage(&second) < damage(&first) { (careful, second) } else { (bold, first) })
}

/// Reads a text with conditionals again where they cut statements in two.
fn read_conditionals(language: &Language, text: &str) -> Option<(Option<String>, Syntax)> {
    let first = parse(language, text)?;
    if !first.root_node().has_error() || !text.contains("#if") {
        return Some((None, first));
    }
    let Some(copy) = recovery::blank(text, Doubt::Conditionals) else { return Some((None, first)) };
    let second = parse(language, &copy)?;
    Some(if damage(&second) < damage(&first) { (Some(copy), second) } else { (None, first) })
}

/// The tree of a text, as that of another one which is as long and differs in a few stretches.
fn edited(tree: &Syntax, text: &str, other: &str) -> Option<Syntax> {
    let stretches = recovery::stretches(text, other);
    if stretches.len() > MAX_EDITS {
        return None;
    }
    let mut tree = tree.clone();
    let (mut at, mut row, mut line_start) = (0, 0, 0);
    let mut point = |byte: usize| {
        for line_break in memchr::memchr_iter(b'\n', &text.as_bytes()[at..byte]) {
            (row, line_start) = (row + 1, at + line_break + 1);
        }
        at = byte;
        Point::new(row, byte - line_start)
    };
    for stretch in stretches {
        let (start, end) = (stretch.start as usize, stretch.end as usize);
        let (start_position, end_position) = (point(start), point(end));
        tree.edit(&InputEdit {
            start_byte: start,
            old_end_byte: end,
            new_end_byte: end,
            start_position,
            old_end_position: end_position,
            new_end_position: end_position,
        });
    }
    Some(tree)
}

/// How much of a text its tree does not explain: bytes in errors, and things that are missing.
fn damage(tree: &Tree) -> usize {
    let mut sum = 0;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_error = node.is_error() || node.is_missing();
        if is_error {
            sum += 1 + node.end_byte() - node.start_byte();
        }
        if !is_error && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return sum;
            }
        }
    }
}
