//! What the usual system does not compile.

use model::{FileFacts, ReferenceFlags, Span, SymbolFlags, SymbolKind};

/// Marks the symbols in dormant stretches of a file, and uses of names there by what is not dormant itself:
/// who asks about code for another system means that system. A file that is all for another system is
/// left as it is.
pub(crate) fn mark(facts: &mut FileFacts, stretches: &[Span]) {
    if stretches.is_empty() {
        return;
    }
    let is_inside = |at: u32| {
        let before = stretches.partition_point(|stretch| stretch.start <= at);
        before.checked_sub(1).is_some_and(|last| at < stretches[last].end)
    };
    let is_awake = |symbol: &model::Symbol| {
        symbol.kind != SymbolKind::Macro && !is_inside(symbol.name_span.start)
    };
    if !facts.symbols.iter().any(is_awake) {
        return;
    }
    for symbol in &mut facts.symbols {
        if is_inside(symbol.name_span.start) {
            symbol.flags.set(SymbolFlags::DORMANT);
        }
    }
    for reference in &mut facts.references {
        let around = reference.symbol.map(|symbol| facts.symbols[symbol as usize].flags);
        if is_inside(reference.start) && !around.is_some_and(|it| it.has(SymbolFlags::DORMANT)) {
            reference.flags.set(ReferenceFlags::DORMANT);
        }
    }
}
