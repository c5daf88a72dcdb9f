//! Whether a pattern fits a node, and which node is which part of it.

use std::num::NonZeroU16;

use languages::pattern::{ChildPattern, KindSet, Kinds, NodePattern, Part, Pattern, Test};
use languages::{KindFlags, Language};
use model::Span;
use tree_sitter::{Node, Tree};

use super::nodes::{Index, Nodes};

/// How far up `#inside?` looks.
const NEAR: usize = 4;
/// No declarator is nested deeper than this; hostile ones are not worth following.
const MAX_SEE_THROUGH: usize = 12;

/// Matches patterns against nodes; keeps the parts of the last match.
pub(super) struct Matcher<'a, 't> {
    language: &'a Language,
    source: &'a str,
    pub(super) nodes: Nodes<'a, 't>,
    /// What the last match found, in the order of the pattern, with the row it belongs to: each
    /// repetition of a `*` or `+` is a row of its own, the rest is row 0.
    pub(super) parts: Vec<(Part, Node<'t>, u16)>,
    row: u16,
    rows: u16,
    /// The node whose patterns are being tried.
    root: Index,
    /// The field of the root that predicates last asked for.
    asked: Option<(NonZeroU16, Asked<'a>)>,
    /// Children that a part of the pattern without a field has taken.
    taken: Vec<Index>,
}

/// What a predicate sees in a field of the root before the pattern is matched.
#[derive(Clone, Copy)]
enum Asked<'a> {
    Nothing,
    /// Behind what stands there is what is meant.
    Behind,
    Text(&'a str),
}

pub(super) fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}

impl<'a, 't> Matcher<'a, 't> {
    pub(super) fn new(language: &'a Language, source: &'a str, tree: &'t Tree) -> Self {
        Self {
            language,
            source,
            nodes: Nodes::new(language, tree),
            parts: Vec::with_capacity(16),
            row: 0,
            rows: 0,
            root: Nodes::ROOT,
            asked: None,
            taken: Vec::new(),
        }
    }

    /// The node whose patterns are tried from now on.
    pub(super) fn set_root(&mut self, root: Index) {
        self.root = root;
        self.asked = None;
    }

    /// Whether the pattern fits the root. `ancestors` are the kinds above it, outermost first.
    pub(super) fn matches(&mut self, pattern: &Pattern, ancestors: &[(u16, u32)]) -> bool {
        if !self.may_hold(pattern, ancestors) {
            return false;
        }
        self.parts.clear();
        self.taken.clear();
        (self.row, self.rows) = (0, 0);
        self.node(&pattern.root, self.root) && self.predicates_hold(pattern)
    }

    /// False if a predicate refuses what can be seen without matching: most patterns that ask for a text
    /// do not find it.
    fn may_hold(&mut self, pattern: &Pattern, ancestors: &[(u16, u32)]) -> bool {
        pattern.predicates.iter().all(|predicate| {
            let holds = match (&predicate.test, predicate.field) {
                (Test::Inside(kinds), _) => {
                    ancestors.iter().rev().take(NEAR).any(|(kind, _)| kinds.contains(kind))
                }
                (Test::AnyOf(texts), Some(field)) => match self.asked(field) {
                    Asked::Nothing => return false,
                    Asked::Behind => return true,
                    Asked::Text(text) => texts.contains(text),
                },
                _ => return true,
            };
            holds != predicate.negated
        })
    }

    /// Whether a pattern fits a node that is not the root. What is known of the root stays.
    pub(super) fn matches_aside(&mut self, pattern: &Pattern, node: Node<'t>) -> bool {
        let root = self.root;
        let parts = std::mem::take(&mut self.parts);
        let aside = self.nodes.add(node);
        self.set_root(aside);
        let fits = self.matches(pattern, &[]);
        (self.root, self.parts) = (root, parts);
        self.asked = None;
        fits
    }

    /// What stands in a field of the root. Predicates of several patterns ask for the same one.
    fn asked(&mut self, field: NonZeroU16) -> Asked<'a> {
        if let Some((_, known)) = self.asked.filter(|(known, _)| *known == field) {
            return known;
        }
        let found = match self.nodes.child_of_field(self.root, field) {
            None => Asked::Nothing,
            Some(at) if self.language.flags(self.nodes.kind(at)).any(KindFlags::SEE_THROUGH) => {
                Asked::Behind
            }
            Some(at) => Asked::Text(span(self.nodes.node(at)).slice(self.source)),
        };
        self.asked = Some((field, found));
        found
    }

    /// The children of a node at or below the root. The walk will ask for the same ones.
    pub(super) fn children_of(&mut self, node: Node<'t>) -> std::ops::Range<Index> {
        let known =
            self.nodes.children(self.root).find(|at| self.nodes.node(*at).id() == node.id());
        let index = known.unwrap_or_else(|| self.nodes.add(node));
        self.nodes.children(index)
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
    fn predicates_hold(&mut self, pattern: &Pattern) -> bool {
        for predicate in &pattern.predicates {
            if let Test::Inside(_) = &predicate.test {
                continue;
            }
            let mut refused: Vec<u16> = Vec::new();
            let (mut kept, mut is_refused) = (false, false);
            let mut present = false;
            for (part, node, row) in &self.parts {
                if *part != predicate.part {
                    continue;
                }
                present = true;
                let text = span(*node).slice(self.source);
                let holds = match &predicate.test {
                    Test::AnyOf(texts) => texts.contains(text),
                    Test::Match(glob) => glob.is_match(text),
                    Test::Contains(wanted) => text.contains(wanted.as_str()),
                    Test::Inside(_) => true,
                    Test::Before(kinds) => {
                        node.next_sibling().is_some_and(|next| kinds.contains(&next.kind_id()))
                    }
                    Test::After(kinds) => {
                        node.prev_sibling().is_some_and(|last| kinds.contains(&last.kind_id()))
                    }
                };
                match (holds != predicate.negated, *row) {
                    (true, _) => kept = true,
                    (false, 0) => is_refused = true,
                    (false, row) => refused.push(row),
                }
            }
            if (present && !kept) || (!present && !predicate.negated) || is_refused {
                return false;
            }
            if !refused.is_empty() {
                self.parts.retain(|(_, _, row)| !refused.contains(row));
            }
        }
        true
    }

    fn node(&mut self, pattern: &NodePattern, index: Index) -> bool {
        let fits = match pattern.kinds {
            Kinds::AnyNamed => self.nodes.node(index).is_named(),
            Kinds::One(kind) => self.nodes.kind(index) == kind,
        };
        if !fits
            || pattern.absent.iter().any(|field| self.nodes.child_of_field(index, *field).is_some())
        {
            return false;
        }
        let before = (self.parts.len(), self.taken.len());
        let fits = pattern.children.iter().all(|child| self.child(child, index));
        self.taken.truncate(before.1);
        if !fits {
            self.parts.truncate(before.0);
            return false;
        }
        let node = self.nodes.node(index);
        self.parts.extend(pattern.captures.iter().map(|part| (*part, node, self.row)));
        true
    }

    fn child(&mut self, child: &ChildPattern, parent: Index) -> bool {
        if !child.kinds.meets(self.nodes.child_kinds(parent)) {
            return !child.quantifier.is_needed();
        }
        let single = child.quantifier.is_single();
        let found = match child.field.filter(|_| single) {
            Some(field) => self.nodes.child_of_field(parent, field).is_some_and(|index| {
                let fits = self.candidate(child, index);
                if fits {
                    self.taken.push(index);
                }
                fits
            }),
            None => self.scan(child, parent, single),
        };
        found || !child.quantifier.is_needed()
    }

    /// Tries the children in order; stops at the first that fits if one is enough.
    fn scan(&mut self, child: &ChildPattern, parent: Index, single: bool) -> bool {
        let children = match child.field {
            Some(_) => self.nodes.children_with_fields(parent),
            None => self.nodes.children(parent),
        };
        let mut found = false;
        for index in children {
            let right = match child.field {
                Some(field) => self.nodes.is_in_field(index, field),
                None => !self.taken.contains(&index),
            };
            if right && self.repetition(child, index, single) {
                found = true;
                self.taken.push(index);
                if single {
                    break;
                }
            }
        }
        found
    }

    /// Tries a child; each repetition opens a row, unless it stands inside another one.
    fn repetition(&mut self, child: &ChildPattern, index: Index, single: bool) -> bool {
        if single || self.row != 0 {
            return self.candidate(child, index);
        }
        self.rows += 1;
        self.row = self.rows;
        let fits = self.candidate(child, index);
        self.row = 0;
        fits
    }

    fn candidate(&mut self, child: &ChildPattern, index: Index) -> bool {
        let mut index = index;
        for _ in 0..MAX_SEE_THROUGH {
            if !child.kinds.meets(KindSet::of(self.nodes.kind(index))) {
                return false;
            }
            if child.alternatives.iter().any(|pattern| self.node(pattern, index)) {
                return true;
            }
            if !self.language.flags(self.nodes.kind(index)).any(KindFlags::SEE_THROUGH) {
                return false;
            }
            let inner = child.field.and_then(|field| self.nodes.child_of_field(index, field));
            match inner.or_else(|| self.last_named_child(index)) {
                Some(inner) => index = inner,
                None => return false,
            }
        }
        false
    }

    fn last_named_child(&mut self, index: Index) -> Option<Index> {
        self.nodes.children(index).rev().find(|child| self.nodes.node(*child).is_named())
    }
}
