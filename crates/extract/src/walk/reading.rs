//! Tokens that the grammar leaves unread, such as the arguments of macros, read after all.
//!
//! The language says what to write around a list of tokens so that its grammar reads them
//! ([`languages::TokensTable`]). The parser gets the tokens with that text around them, at the place
//! they have in the file: what it finds stands where the tokens stand, and the walk visits it in their
//! place, as if it had been written outside. Only what is read without an error counts.
//!
//! Lists nest, and each is read anew; a limit on the depth and one on the bytes read for a file keep
//! that in proportion to the file. To find out that a text cannot be read costs a parser many times as much
//! as to read it, so what never worked for a macro is not tried for ever.

use std::cell::OnceCell;
use std::hash::{BuildHasher, BuildHasherDefault};

use languages::{KindFlags, Reading, TokensTable};
use model::{ScopeKind, Span};
use rustc_hash::{FxHashMap, FxHasher};
use tree_sitter::{Node, Point, Range, Tree};

use super::matcher::span;
use super::nodes::Index;
use super::parsing::with_parser;
use super::{Closes, Walker};
use crate::Language;
use crate::memory::Syntax;

/// How many lists inside each other are read.
const MAX_DEPTH: usize = 10;
/// How often the bytes of a file may be read again.
const MAX_TIMES: usize = 12;
/// What the start of the parser costs, in bytes read.
const PARSER_START: usize = 40;

/// How often a way of reading may fail for the lists of a macro before one worked.
const MAX_FAILURES: u8 = 12;

/// The trees of what was read, which live as long as the walk.
#[derive(Default)]
pub(super) struct Trees {
    first: Slot,
}

type Slot = OnceCell<Box<Link>>;

struct Link {
    tree: Syntax,
    next: Slot,
}

impl Drop for Link {
    /// One after another: a long chain that drops itself would need as deep a stack.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut link) = next {
            next = link.next.take();
        }
    }
}

/// What the walk knows of the lists it is in.
pub(super) struct Readings<'t> {
    free: &'t Slot,
    /// The bytes that may still be read.
    budget: usize,
    /// Lists that are open, innermost last.
    open: Vec<Open>,
    trials: FxHashMap<Trial, Experience>,
}

struct Open {
    /// How many nodes stand above it.
    depth: usize,
    /// It was cut to pieces, and lists in it are looked at by themselves.
    is_cut: bool,
    /// The macro it is given to, as a hash of its name.
    given_to: u64,
}

/// A way of reading lists that are alike: those of one macro, equally deep inside of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Trial {
    given_to: u64,
    depth: usize,
    /// Counts cuts into smaller pieces; none for a whole list.
    round: Option<usize>,
    /// The place of the reading among those that the language has for it.
    number: usize,
}

#[derive(Debug, Clone, Copy)]
enum Experience {
    Worked,
    Failed(u8),
}

impl<'t> Readings<'t> {
    pub(super) fn new(trees: &'t Trees, source: &str) -> Self {
        Self {
            free: &trees.first,
            budget: source.len() * MAX_TIMES,
            open: Vec::new(),
            trials: FxHashMap::default(),
        }
    }

    pub(super) fn close(&mut self) {
        self.open.pop();
    }

    fn is_hopeless(&self, trial: Trial) -> bool {
        matches!(self.trials.get(&trial), Some(Experience::Failed(MAX_FAILURES)))
    }

    fn learn(&mut self, trial: Trial, worked: bool) {
        let known = self.trials.entry(trial).or_insert(Experience::Failed(0));
        match known {
            Experience::Failed(_) if worked => *known = Experience::Worked,
            Experience::Failed(times) => *times += 1,
            Experience::Worked => {}
        }
    }

    fn keep(&mut self, tree: Syntax) -> &'t Tree {
        let link = self.free.get_or_init(|| Box::new(Link { tree, next: Slot::new() }));
        self.free = &link.next;
        &link.tree
    }
}

impl<'t> Walker<'_, 't> {
    /// Puts what a list of tokens is read as in the place of the tokens.
    pub(super) fn read_tokens(&mut self, at: Index) {
        let language = self.language;
        let Some(table) = &language.table.tokens else { return };
        if self.readings.open.len() >= MAX_DEPTH {
            return;
        }
        let Some(given_to) = self.reader_of(at, table) else { return };
        let children: Vec<Node<'t>> =
            self.matcher.nodes.children(at).map(|child| self.matcher.nodes.node(child)).collect();
        let [open, tokens @ .., close] = children.as_slice() else { return };
        if self.are_plain(tokens, table) {
            return;
        }
        let inside = Span::new(open.end_byte() as u32, close.start_byte() as u32);
        let bracket = self.builder.text(span(*open));
        let is_for = |reading: &Reading| {
            reading.brackets.is_empty() || is_one_of(bracket, &reading.brackets)
        };
        let point = open.end_position();
        let depth = self.readings.open.len();
        let whole = table.whole.iter().enumerate().find_map(|(number, reading)| {
            let trial = Trial { given_to, depth, round: None, number };
            let nodes = is_for(reading)
                .then(|| self.read_as(trial, reading, tokens, inside, point))
                .flatten()?;
            Some((nodes, reading.binds))
        });
        let is_cut = whole.is_none();
        let (nodes, binds) = whole.unwrap_or_else(|| {
            let mut nodes = Vec::with_capacity(tokens.len());
            self.read_pieces(tokens, table, (given_to, 0), &mut nodes);
            (nodes, true)
        });
        self.matcher.nodes.replace_children(at, &nodes);
        self.readings.open.push(Open { depth: self.ancestors.len(), is_cut, given_to });
        self.open(Closes::Reading);
        if binds && self.is_inside_function() {
            self.open_scope(self.matcher.nodes.node(at), ScopeKind::Block, None);
        }
    }

    /// The macro that a list is given to, if it stands where lists are read: behind the name of a macro,
    /// or in another list that was cut to pieces.
    fn reader_of(&self, at: Index, table: &TokensTable) -> Option<u64> {
        let depth = self.ancestors.len();
        let (parent, parent_start) = self.ancestors.last()?;
        if !self.language.reads_tokens_in(*parent) {
            let around = self.readings.open.last()?;
            return (around.is_cut && around.depth + 1 == depth).then_some(around.given_to);
        }
        let start = self.matcher.nodes.node(at).start_byte() as u32;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let before = self.builder.text(Span::new(*parent_start, start));
        let before = before.trim_end_matches(|c| !is_word(c));
        let name = before.rsplit(|c| !is_word(c)).next().unwrap_or(before);
        let hasher = BuildHasherDefault::<FxHasher>::default();
        (!is_one_of(name, &table.except)).then(|| hasher.hash_one(name))
    }

    /// Whether the tokens say the same however they are read: names and literals that stand alone.
    fn are_plain(&self, tokens: &[Node<'t>], table: &TokensTable) -> bool {
        let first_separators = table.separators.first().map_or(&[][..], Vec::as_slice);
        let mut was_token = false;
        let mut has_name = false;
        for token in tokens.iter().filter(|token| !token.is_extra()) {
            let flags = self.language.flags(token.kind_id());
            if is_one_of(self.builder.text(span(*token)), first_separators) {
                was_token = false;
                continue;
            }
            if flags.any(KindFlags::TOKENS) || was_token && has_name {
                return false;
            }
            was_token = true;
            has_name |= flags.any(KindFlags::IDENTIFIER);
        }
        true
    }

    /// Reads what stands between separators, piece by piece.
    fn read_pieces(
        &mut self,
        tokens: &[Node<'t>],
        table: &TokensTable,
        (given_to, round): (u64, usize),
        nodes: &mut Vec<Node<'t>>,
    ) {
        let separators = table.separators.get(round).map_or(&[][..], Vec::as_slice);
        let has_separator =
            tokens.iter().any(|token| is_one_of(self.builder.text(span(*token)), separators));
        // What could not be read as a whole need not be tried again.
        if !has_separator && round > 0 {
            nodes.extend(tokens);
            return;
        }
        let mut rest = tokens;
        while !rest.is_empty() {
            let is_separator =
                |token: &Node<'t>| is_one_of(self.builder.text(span(*token)), separators);
            let length = rest.iter().position(is_separator).unwrap_or(rest.len());
            let (piece, behind) = rest.split_at(length);
            self.read_piece(piece, table, (given_to, round), nodes);
            nodes.extend(behind.first());
            rest = behind.get(1..).unwrap_or_default();
        }
    }

    fn read_piece(
        &mut self,
        piece: &[Node<'t>],
        table: &TokensTable,
        (given_to, round): (u64, usize),
        nodes: &mut Vec<Node<'t>>,
    ) {
        let is_aside = |token: &Node<'t>| {
            token.is_extra() || is_one_of(self.builder.text(span(*token)), &table.signs)
        };
        let start = piece.iter().position(|token| !is_aside(token)).unwrap_or(piece.len());
        let end = piece.iter().rposition(|token| !token.is_extra()).map_or(start, |last| last + 1);
        let (before, piece) = piece.split_at(start);
        let (piece, behind) = piece.split_at(end.saturating_sub(start));
        nodes.extend(before);
        if let [first, .., last] = piece {
            let place = Span::new(first.start_byte() as u32, last.end_byte() as u32);
            let point = first.start_position();
            let depth = self.readings.open.len();
            let read = table.pieces.iter().enumerate().find_map(|(number, reading)| {
                let trial = Trial { given_to, depth, round: Some(round), number };
                self.read_as(trial, reading, piece, place, point)
            });
            match read {
                Some(read) => nodes.extend(read),
                None => self.read_pieces(piece, table, (given_to, round + 1), nodes),
            }
        } else {
            nodes.extend(piece);
        }
        nodes.extend(behind);
    }

    /// What tokens are, read in one way; none if they cannot be read so.
    fn read_as(
        &mut self,
        trial: Trial,
        reading: &Reading,
        tokens: &[Node<'t>],
        place: Span,
        point: Point,
    ) -> Option<Vec<Node<'t>>> {
        let has = |texts: &[String]| {
            tokens.iter().any(|token| is_one_of(self.builder.text(span(*token)), texts))
        };
        if has(&reading.without) || !reading.with.is_empty() && !has(&reading.with) {
            return None;
        }
        let mut first = tokens.iter().filter(|token| !token.is_extra()).take(2);
        if let Some(token) = first.next() {
            let is_name = self.language.flags(token.kind_id()).any(KindFlags::IDENTIFIER);
            let behind_name = first.next().filter(|_| is_name);
            let is_in = |token: &Node<'t>, texts| is_one_of(self.builder.text(span(*token)), texts);
            if is_in(token, &reading.not_first)
                || behind_name.is_some_and(|token| is_in(token, &reading.not_behind_name))
            {
                return None;
            }
        }
        if self.readings.is_hopeless(trial) {
            return None;
        }
        let (start, end) = (place.start as usize, place.end as usize);
        let cost = PARSER_START + end.checked_sub(start)?;
        self.readings.budget = self.readings.budget.checked_sub(cost)?;
        let tree = parse_as(self.language, self.builder.source, reading, start..end, point)?;
        let worked = !tree.root_node().has_error();
        self.readings.learn(trial, worked);
        if !worked {
            return None;
        }
        let tree = self.readings.keep(tree);
        let mut node = tree.root_node();
        let mut cursor = tree.walk();
        while node.kind() != reading.node {
            let children: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
            let wanted = children.iter().find(|child| child.kind() == reading.node);
            node = *wanted.or(children.first())?;
        }
        let children = node.children(&mut cursor);
        // The brackets around them belong to the list, or are made up.
        Some(
            children.filter(|child| child.start_byte() < end && child.end_byte() > start).collect(),
        )
    }
}

/// The tree of a stretch of a text with something written around it. Nodes inside the stretch have
/// their places in the text.
fn parse_as(
    language: &Language,
    text: &str,
    reading: &Reading,
    place: std::ops::Range<usize>,
    point: Point,
) -> Option<Syntax> {
    let (before, after) = (reading.before.as_bytes(), reading.after.as_bytes());
    let inside = text.as_bytes().get(..place.end)?;
    let start = place.start.checked_sub(before.len())?;
    let end = place.end.checked_add(after.len())?;
    let range = Range {
        start_byte: start,
        end_byte: end,
        start_point: Point::new(point.row, point.column.saturating_sub(before.len())),
        end_point: Point::new(u32::MAX as usize, u32::MAX as usize),
    };
    let mut read = |byte: usize, _: Point| -> &[u8] {
        if byte < place.start {
            byte.checked_sub(start).map_or(&[][..], |at| &before[at..])
        } else if byte < place.end {
            &inside[byte..]
        } else {
            after.get(byte - place.end..).unwrap_or_default()
        }
    };
    with_parser(language, |parser| {
        parser.set_included_ranges(&[range]).ok()?;
        let tree = parser.parse_with_options(&mut read, None, None);
        parser.set_included_ranges(&[]).ok()?;
        tree
    })
}

fn is_one_of(text: &str, texts: &[String]) -> bool {
    texts.iter().any(|known| known == text)
}
