//! Whether a pattern fits a node, and which node is which part of it.

use languages::pattern::{ChildPattern, Kinds, NodePattern, Part, Pattern, Quantifier, Test};
use languages::{KindFlags, Language};
use model::Span;
use tree_sitter::{Node, TreeCursor};

/// No declarator is nested deeper than this; hostile ones are not worth following.
const MAX_SEE_THROUGH: usize = 12;

/// Matches patterns against nodes; keeps the parts of the last match.
pub(super) struct Matcher<'a, 't> {
    language: &'a Language,
    source: &'a str,
    /// What the last match found, in the order of the pattern.
    pub(super) parts: Vec<(Part, Node<'t>)>,
    /// One cursor for each depth of nesting of patterns.
    cursors: Vec<Option<TreeCursor<'t>>>,
}

pub(super) fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte() as u32, node.end_byte() as u32)
}

impl<'a, 't> Matcher<'a, 't> {
    pub(super) fn new(language: &'a Language, source: &'a str) -> Self {
        Self { language, source, parts: Vec::with_capacity(16), cursors: Vec::new() }
    }

    pub(super) fn matches(&mut self, pattern: &Pattern, node: Node<'t>) -> bool {
        self.parts.clear();
        self.node(&pattern.root, node, 0) && self.predicates_hold(pattern)
    }

    pub(super) fn part(&self, wanted: Part) -> Option<Node<'t>> {
        self.parts.iter().find(|(part, _)| *part == wanted).map(|(_, node)| *node)
    }

    pub(super) fn has(&self, wanted: Part) -> bool {
        self.part(wanted).is_some()
    }

    pub(super) fn all(&self, wanted: Part) -> impl Iterator<Item = Node<'t>> {
        self.parts.iter().filter(move |(part, _)| *part == wanted).map(|(_, node)| *node)
    }

    fn predicates_hold(&self, pattern: &Pattern) -> bool {
        pattern.predicates.iter().all(|predicate| {
            let Some(node) = self.part(predicate.part) else { return predicate.negated };
            let text = span(node).slice(self.source);
            let holds = match &predicate.test {
                Test::AnyOf(texts) => texts.iter().any(|candidate| candidate == text),
                Test::Match(glob) => glob.is_match(text),
            };
            holds != predicate.negated
        })
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
        let before = self.parts.len();
        for child in &pattern.children {
            if !self.child(child, node, depth + 1) {
                self.parts.truncate(before);
                return false;
            }
        }
        self.parts.extend(pattern.captures.iter().map(|part| (*part, node)));
        true
    }

    fn child(&mut self, child: &ChildPattern, parent: Node<'t>, depth: usize) -> bool {
        let single = matches!(child.quantifier, Quantifier::One | Quantifier::Optional);
        let found = match child.field {
            Some(field) if single => parent
                .child_by_field_id(field.get())
                .is_some_and(|node| self.candidate(child, node, depth)),
            _ => self.scan(child, parent, depth, single),
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
            let right_field = child.field.is_none_or(|field| cursor.field_id() == Some(field));
            if right_field && self.candidate(child, cursor.node(), depth) {
                found = true;
                if single {
                    break;
                }
            }
            more = cursor.goto_next_sibling();
        }
        self.cursors[depth] = Some(cursor);
        found
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
