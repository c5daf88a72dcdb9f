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
        let Some(counted) = self.measures.open.last_mut() else { return };
        let kind = node.kind_id();
        let metrics = &mut counted.metrics;
        if flags.any(KindFlags::BRANCH) {
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
        let parent_kind = self.ancestors.last().map_or(0, |(kind, _)| *kind);
        if flags.any(KindFlags::LOGICAL) && self.language.is_logical_in(kind, parent_kind) {
            metrics.cyclomatic += 1;
            metrics.branches += 1;
            // In a chain of one operator all expressions share their start.
            let parent = self.ancestors.last().map_or(0, |(_, start)| *start);
            let start = if node.is_named() { node.start_byte() as u32 } else { parent };
            if counted.logical != Some((kind, start)) {
                metrics.cognitive += 1;
                counted.logical = Some((kind, start));
            }
        }
        if flags.any(KindFlags::NESTING) {
            // `else if` was counted by its `else`, and does not nest.
            let continues = self.ancestors.last().is_some_and(|(parent, _)| {
                *parent == kind || self.language.flags(*parent).any(KindFlags::FLAT)
            });
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

    /// Counts a call by its name, or by that of a set of assertions it is one of: `assert.equal(…)`.
    pub(super) fn measure_call(&mut self, name: NameId, receiver: Option<Node<'t>>) {
        let is_on_assertions = receiver.is_some_and(|receiver| {
            receiver.child_count() == 0
                && !self.language.table.metrics.assertions.is_empty()
                && self
                    .language
                    .assertions
                    .is_match(self.builder.text(super::matcher::span(receiver)))
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
        counted.metrics.assertions += u32::from(counts.asserts || is_on_assertions);
    }

    /// Notes that the innermost callable symbol renders markup.
    pub(super) fn mark_markup(&mut self) {
        if let Some(counted) = self.measures.open.last() {
            self.builder.facts.symbols[counted.symbol as usize].flags.set(SymbolFlags::MARKUP);
        }
    }
}
