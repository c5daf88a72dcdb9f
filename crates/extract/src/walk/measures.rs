//! Counting what metrics are made of.

use languages::KindFlags;
use model::{Metrics, NameId, SymbolFlags};
use tree_sitter::Node;

use super::{Closes, Walker};

/// The callable symbols that are open, innermost last.
#[derive(Debug, Default)]
pub(super) struct Measures {
    open: Vec<Counted>,
    /// By name, what its calls count as. Names are called often, and globs are dear.
    calls: Vec<Option<CallCounts>>,
}

/// What one call of a name adds.
#[derive(Debug, Clone, Copy)]
struct CallCounts {
    unchecked: bool,
    asserts: bool,
}

#[derive(Debug)]
struct Counted {
    symbol: u32,
    metrics: Metrics,
    nesting: u32,
    /// Operator and start of the last sequence of `&&` or `||`.
    logical: Option<(u16, u32)>,
}

impl Measures {
    pub(super) fn leave_nesting(&mut self) {
        if let Some(counted) = self.open.last_mut() {
            counted.nesting = counted.nesting.saturating_sub(1);
        }
    }
}

impl<'t> Walker<'_, 't> {
    pub(super) fn open_callable(&mut self, symbol: u32) {
        let metrics = Metrics { cyclomatic: 1, ..Metrics::default() };
        self.measures.open.push(Counted { symbol, metrics, nesting: 0, logical: None });
        self.open(Closes::Callable);
    }

    pub(super) fn close_callable(&mut self) {
        if let Some(counted) = self.measures.open.pop() {
            self.builder.facts.symbols[counted.symbol as usize].metrics = Some(counted.metrics);
        }
    }

    /// Counts a node for the innermost callable symbol.
    pub(super) fn measure(&mut self, node: Node<'t>, flags: KindFlags) {
        let is_own =
            flags.any(KindFlags::CLOSURE) && self.is_own_function(super::matcher::span(node));
        let kind = node.kind_id();
        let parent_kind = self.ancestors.last().map_or(0, |(kind, _)| *kind);
        let flags = self.language.flags_in(kind, flags, parent_kind);
        let is_default = flags.any(KindFlags::BRANCH) && self.is_default(node);
        let continues = flags.any(KindFlags::NESTING) && self.continues(node, parent_kind);
        let Some(counted) = self.measures.open.last_mut() else { return };
        let metrics = &mut counted.metrics;
        if flags.any(KindFlags::BRANCH) && !is_default {
            metrics.cyclomatic += 1;
            metrics.branches += 1;
        }
        if flags.any(KindFlags::LOOP) {
            metrics.cyclomatic += 1;
            metrics.loops += 1;
        }
        metrics.returns += u32::from(flags.any(KindFlags::RETURN));
        metrics.cognitive += u32::from(flags.any(KindFlags::FLAT));
        metrics.unsafe_blocks += u32::from(flags.any(KindFlags::UNSAFE));
        metrics.unchecked_calls += u32::from(flags.any(KindFlags::UNCHECKED));
        metrics.assertions += u32::from(flags.any(KindFlags::ASSERTION));
        if flags.any(KindFlags::LOGICAL) {
            metrics.cyclomatic += 1;
            metrics.branches += 1;
            // The expression of the operator, and what stands around it.
            let mut around = self.ancestors.iter().rev().copied();
            let own = Some((kind, node.start_byte() as u32)).filter(|_| node.is_named());
            let own = own.or_else(|| around.next()).unwrap_or_default();
            let around = around.next().filter(|(kind, _)| *kind == own.0);
            // In a chain of one operator all expressions share their start, or each stands in the one
            // before it.
            let is_chain = counted.logical.is_some_and(|(last, start)| {
                last == kind && (start == own.1 || around.is_some_and(|(_, at)| at == start))
            });
            metrics.cognitive += u32::from(!is_chain);
            counted.logical = Some((kind, own.1));
        }
        if flags.any(KindFlags::NESTING) {
            if continues {
                return;
            }
            metrics.cognitive += 1 + counted.nesting;
        }
        if flags.any(KindFlags(KindFlags::NESTING.0 | KindFlags::CLOSURE.0)) && !is_own {
            counted.nesting += 1;
            // What stands in a closure nests deeper, but a function by itself is no depth.
            if flags.any(KindFlags::NESTING) {
                metrics.max_nesting = metrics.max_nesting.max(counted.nesting);
            }
            self.open(Closes::Nesting);
        }
    }

    /// Whether a branch is the one that is taken when no other is.
    fn is_default(&self, node: Node<'t>) -> bool {
        let defaults = &self.language.table.metrics.defaults;
        if defaults.is_empty() {
            return false;
        }
        let first = node.named_child(0);
        first.is_some_and(|child| {
            let text = self.builder.text(super::matcher::span(child));
            defaults.iter().any(|known| known == text)
        })
    }

    /// Whether a structure goes on with the one before it: `else if` was counted by its `else`, and does
    /// not nest.
    fn continues(&self, node: Node<'t>, parent_kind: u16) -> bool {
        if self.language.flags(parent_kind).any(KindFlags::FLAT) {
            return true;
        }
        // Only behind a word can it be; asking the tree for what stands before a node is dear.
        let before = self.builder.source.get(..node.start_byte()).unwrap_or_default();
        if !before.trim_end().ends_with(|c: char| c.is_ascii_alphabetic()) {
            return false;
        }
        let is_flat = |node: Node<'t>| self.language.flags(node.kind_id()).any(KindFlags::FLAT);
        let wrapper = node.parent().filter(|parent| parent.start_byte() == node.start_byte());
        [Some(node), wrapper]
            .into_iter()
            .flatten()
            .any(|node| node.prev_sibling().is_some_and(is_flat))
    }

    /// Counts a call by its name, or by what it is called on.
    pub(super) fn measure_call(&mut self, name: NameId, receiver: Option<Node<'t>>) {
        let receivers = &self.language.table.metrics.assertion_receivers;
        let by_receiver = !receivers.is_empty()
            && receiver.is_some_and(|node| {
                let text = self.builder.text(super::matcher::span(node));
                receivers.iter().any(|known| known == text)
            });
        let Some(counted) = self.measures.open.last_mut() else { return };
        let index = name.0 as usize;
        if self.measures.calls.len() <= index {
            self.measures.calls.resize(index + 64, None);
        }
        let counts = self.measures.calls[index].get_or_insert_with(|| {
            let text = self.builder.facts.names.get(name);
            let table = &self.language.table.metrics;
            CallCounts {
                unchecked: table.unchecked_calls.iter().any(|unchecked| unchecked == text),
                asserts: !table.assertions.is_empty() && self.language.assertions.is_match(text),
            }
        });
        counted.metrics.unchecked_calls += u32::from(counts.unchecked);
        counted.metrics.assertions += u32::from(counts.asserts || by_receiver);
    }

    /// Notes that the innermost callable symbol renders markup.
    pub(super) fn mark_markup(&mut self) {
        if let Some(counted) = self.measures.open.last() {
            self.builder.facts.symbols[counted.symbol as usize].flags.set(SymbolFlags::MARKUP);
        }
    }
}
