//! What the usual system compiles, and what it does not.

use std::rc::Rc;

use model::{Reference, ReferenceFlags, SymbolFlags};

use crate::interface::Definition;
use crate::link::Outcome;
use crate::linker::Linker;
use crate::value::How;
use crate::world::{SymbolRef, World};

/// Whether the usual system compiles a use of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compiled {
    Yes,
    /// It compiles what stands around it, but not this.
    Not,
    /// Nor what stands around it.
    Elsewhere,
}

impl Compiled {
    pub(crate) fn of(reference: &Reference, around: Option<&Definition>) -> Self {
        match around {
            _ if reference.flags.has(ReferenceFlags::DORMANT) => Self::Not,
            Some(around) if around.flags.has(SymbolFlags::DORMANT) => Self::Elsewhere,
            _ => Self::Yes,
        }
    }
}

impl<W: World> Linker<'_, W> {
    pub(crate) fn is_dormant(&self, symbol: SymbolRef) -> bool {
        self.definition(symbol).is_some_and(|it| it.flags.has(SymbolFlags::DORMANT))
    }

    /// Of several definitions, those that are compiled together with a use.
    pub(crate) fn compiled_with(
        &self,
        symbols: Rc<[SymbolRef]>,
        side: Compiled,
    ) -> Rc<[SymbolRef]> {
        if symbols.len() < 2 {
            return symbols;
        }
        let is_fitting = |symbol: &SymbolRef| self.is_dormant(*symbol) == (side != Compiled::Yes);
        let fitting: Vec<SymbolRef> = symbols.iter().copied().filter(is_fitting).collect();
        if fitting.is_empty() || fitting.len() == symbols.len() { symbols } else { fitting.into() }
    }

    /// What the usual system does not compile, or does not have, is possible at most.
    pub(crate) fn as_compiled(&self, outcome: Outcome, side: Compiled) -> Outcome {
        match outcome {
            Outcome::Resolved(symbol, _)
                if side == Compiled::Not || (side == Compiled::Yes && self.is_dormant(symbol)) =>
            {
                Outcome::Resolved(symbol, How::Dormant)
            }
            outcome => outcome,
        }
    }
}
