//! Whether a pattern fits a node, and which node is which part of it.

use std::num::NonZeroU16;

use languages::pattern::{ChildPattern, Kinds, NodePattern, Part, Pattern, Quantifier, Test};
use languages::{KindFlags, Language};
use model::Span;
use tree_sitter::{Node, TreeCursor};

/// How far up `#inside?` looks.
const NEAR: usize = 4;
/// No declarator is nested deeper than this; hostile ones are not worth following.
const MAX_SEE_THROUGH: usize = 12;

/// Matches patterns against nodes; keeps the parts of the last match.
pub(super) struct Matcher<'a, 't> {
    language: &'a Language,
    source: &'a str,
    /// What the last match found, in the order of the pattern, with the row it belongs to: each
    /// repetition of a `*` or `+` is a row of its own, the rest is row 0.
    pub(super) parts: Vec<(Part, Node<'t>, u16)>,
    row: u16,
    rows: u16,
    /// The node whose patterns are being tried, and those of its children that were looked up.
    root: usize,
    looked_up: Vec<(NonZeroU16, Option<(Node<'t>, u16)>)>,
    /// Children that a part of the pattern without a field has taken.
    taken: Vec<usize>,
    /// One cursor for each depth of nesting of patterns.
    cursors: Vec<Option<TreeCursor<'t>>>,
}

pub(super) fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}

impl<'a, 't> Matcher<'a, 't> {
    pub(super) fn new(language: &'a Language, source: &'a str) -> Self {
        Self {
            language,
            source,
            parts: Vec::with_capacity(16),
            row: 0,
            rows: 0,
            root: 0,
            looked_up: Vec::with_capacity(8),
            taken: Vec::new(),
            cursors: Vec::new(),
        }
    }

    /// Whether the pattern fits the node. `ancestors` are the kinds above it, outermost first.
    pub(super) fn matches(
        &mut self,
        pattern: &Pattern,
        node: Node<'t>,
        ancestors: &[(u16, u32)],
    ) -> bool {
        if !self.passes_guard(pattern, node) {
            return false;
        }
        self.parts.clear();
        self.taken.clear();
        (self.row, self.rows) = (0, 0);
        self.node(&pattern.root, node, 0) && self.predicates_hold(pattern, ancestors)
    }

    fn passes_guard(&mut self, pattern: &Pattern, node: Node<'t>) -> bool {
        let Some(guard) = &pattern.guard else { return true };
        match self.child_of_root(node, guard.field) {
            None => false,
            Some((_, kind)) => {
                guard.kinds.contains(&kind) || self.language.flags(kind).any(KindFlags::SEE_THROUGH)
            }
        }
    }

    /// The child of a field, and its kind. Several patterns ask the same node for the same child.
    fn child_of_root(&mut self, node: Node<'t>, field: NonZeroU16) -> Option<(Node<'t>, u16)> {
        if self.root != node.id() {
            self.root = node.id();
            self.looked_up.clear();
        }
        if let Some((_, found)) = self.looked_up.iter().find(|(known, _)| *known == field) {
            return *found;
        }
        let found = node.child_by_field_id(field.get()).map(|child| (child, child.kind_id()));
        self.looked_up.push((field, found));
        found
    }

    pub(super) fn part(&self, wanted: Part) -> Option<Node<'t>> {
        self.parts.iter().find(|(part, ..)| *part == wanted).map(|(_, node, _)| *node)
    }

    /// A part that belongs to the same repetition as another, or to all of them.
    pub(super) fn part_beside(&self, wanted: Part, row: u16) -> Option<Node<'t>> {
        let find = |row: u16| self.parts.iter().find(|(part, _, at)| *part == wanted && *at == row);
        find(row).or_else(|| find(0)).map(|(_, node, _)| *node)
    }

    pub(super) fn has(&self, wanted: Part) -> bool {
        self.part(wanted).is_some()
    }

    pub(super) fn all(&self, wanted: Part) -> impl Iterator<Item = Node<'t>> {
        self.parts.iter().filter(move |(part, ..)| *part == wanted).map(|(_, node, _)| *node)
    }

    /// Nodes of one part with their rows.
    pub(super) fn rows_of(&self, wanted: Part) -> Vec<(Node<'t>, u16)> {
        let found = self.parts.iter().filter(|(part, ..)| *part == wanted);
        found.map(|(_, node, row)| (*node, *row)).collect()
    }

    /// Drops the rows that a predicate refuses; false if nothing is left of what it is about.
    fn predicates_hold(&mut self, pattern: &Pattern, ancestors: &[(u16, u32)]) -> bool {
        for predicate in &pattern.predicates {
            if let Test::Inside(kinds) = &predicate.test {
                let near = ancestors.iter().rev().take(NEAR);
                let inside = near.clone().any(|(kind, _)| kinds.contains(kind));
                if inside == predicate.negated {
                    return false;
                }
                continue;
            }
            let mut refused: Vec<u16> = Vec::new();
            let mut kept = false;
            let mut present = false;
            for (part, node, row) in &self.parts {
                if *part != predicate.part {
                    continue;
                }
                present = true;
                let text = span(*node).slice(self.source);
                let holds = match &predicate.test {
                    Test::AnyOf(texts) => texts.iter().any(|candidate| candidate == text),
                    Test::Match(glob) => glob.is_match(text),
                    Test::Inside(_) => true,
                };
                if holds == predicate.negated {
                    refused.push(*row);
                } else {
                    kept = true;
                }
            }
            if (present && !kept) || (!present && !predicate.negated) || refused.contains(&0) {
                return false;
            }
            self.parts.retain(|(_, _, row)| !refused.contains(row));
        }
        true
    }

    fn node(&mut self, pattern: &NodePattern, node: Node<'t>, depth: usize) -> bool {
        let fits = match pattern.kinds {
            Kinds::AnyNamed => node.is_named(),
            Kinds::One(kind) => node.kind_id() == kind,
        };
        if !fits || pattern.absent.iter().any(|field| node.child_by_field_id(field.get()).is_some())
        {
            return false;
        }
        let before = (self.parts.len(), self.taken.len());
        let fits = pattern.children.iter().all(|child| self.child(child, node, depth + 1));
        self.taken.truncate(before.1);
        if !fits {
            self.parts.truncate(before.0);
            return false;
        }
        self.parts.extend(pattern.captures.iter().map(|part| (*part, node, self.row)));
        true
    }

    fn child(&mut self, child: &ChildPattern, parent: Node<'t>, depth: usize) -> bool {
        let single = matches!(child.quantifier, Quantifier::One | Quantifier::Optional);
        let found = match child.field.filter(|_| single) {
            Some(field) => {
                let node = if parent.id() == self.root {
                    self.child_of_root(parent, field).map(|(node, _)| node)
                } else {
                    parent.child_by_field_id(field.get())
                };
                node.is_some_and(|node| {
                    let fits = self.candidate(child, node, depth);
                    if fits {
                        self.taken.push(node.id());
                    }
                    fits
                })
            }
            None => self.scan(child, parent, depth, single),
        };
        found || matches!(child.quantifier, Quantifier::Optional | Quantifier::Any)
    }

    /// Tries the children in order; stops at the first that fits if one is enough.
    fn scan(&mut self, child: &ChildPattern, parent: Node<'t>, depth: usize, single: bool) -> bool {
        if self.cursors.len() <= depth {
            self.cursors.resize_with(depth + 1, || None);
        }
        let mut cursor = self.cursors[depth].take().unwrap_or_else(|| parent.walk());
        cursor.reset(parent);
        let mut found = false;
        let mut more = cursor.goto_first_child();
        while more {
            let node = cursor.node();
            let right = match child.field {
                Some(field) => cursor.field_id() == Some(field),
                None => !self.taken.contains(&node.id()),
            };
            if right && self.repetition(child, node, depth, single) {
                found = true;
                self.taken.push(node.id());
                if single {
                    break;
                }
            }
            more = cursor.goto_next_sibling();
        }
        self.cursors[depth] = Some(cursor);
        found
    }

    /// Tries a child; each repetition opens a row, unless it stands inside another one.
    fn repetition(
        &mut self,
        child: &ChildPattern,
        node: Node<'t>,
        depth: usize,
        single: bool,
    ) -> bool {
        if single || self.row != 0 {
            return self.candidate(child, node, depth);
        }
        self.rows += 1;
        self.row = self.rows;
        let fits = self.candidate(child, node, depth);
        self.row = 0;
        fits
    }

    fn candidate(&mut self, child: &ChildPattern, node: Node<'t>, depth: usize) -> bool {
        let mut node = node;
        for _ in 0..MAX_SEE_THROUGH {
            if child.alternatives.iter().any(|pattern| self.node(pattern, node, depth)) {
                return true;
            }
            if !self.language.flags(node.kind_id()).any(KindFlags::SEE_THROUGH) {
                return false;
            }
            let inner = child.field.and_then(|field| node.child_by_field_id(field.get()));
            let count = node.named_child_count();
            let last = || count.checked_sub(1).and_then(|index| node.named_child(index as _));
            match inner.or_else(last) {
                Some(inner) => node = inner,
                None => return false,
            }
        }
        false
    }
}
