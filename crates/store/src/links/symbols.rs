//! Symbols by name, for linking a whole project.

use std::cell::RefCell;
use std::rc::Rc;

use model::NameId;
use resolve::SymbolRef;
use rustc_hash::FxHashMap;

pub(super) type Symbols = Rc<[SymbolRef]>;

/// Symbols of the whole project, by what they are looked up by.
#[derive(Debug)]
pub(super) struct All {
    pub(super) named: ByName,
    pub(super) additions: ByName,
    pub(super) definitions: ByName,
}

/// Sorted by name. Most names are never asked for, so that none has a list of its own until it is.
#[derive(Debug)]
pub(super) struct ByName(Vec<(NameId, SymbolRef)>);

impl ByName {
    /// Those of one name stay in their order.
    pub(super) fn of(mut symbols: Vec<(NameId, SymbolRef)>) -> Self {
        symbols.sort_by_key(|(name, _)| *name);
        symbols.shrink_to_fit();
        Self(symbols)
    }

    pub(super) fn get(&self, name: NameId) -> Symbols {
        let from = self.0.partition_point(|(known, _)| *known < name);
        let length = self.0[from..].iter().take_while(|(known, _)| *known == name).count();
        self.0[from..from + length].iter().map(|(_, symbol)| *symbol).collect()
    }
}

/// What was found of a name before, or is found now.
pub(super) fn once(
    known: &RefCell<FxHashMap<NameId, Symbols>>,
    name: NameId,
    find: impl FnOnce() -> Symbols,
) -> Symbols {
    if let Some(known) = known.borrow().get(&name) {
        return Rc::clone(known);
    }
    let found = find();
    known.borrow_mut().insert(name, Rc::clone(&found));
    found
}
