//! Types that are defined in several places, and types of one name that differ in their parameters.

use std::rc::Rc;

use model::NameId;

use crate::linker::Linker;
use crate::world::{SymbolRef, World};

impl<W: World> Linker<'_, W> {
    /// Of definitions of one name, those with so many type parameters, or at least with some.
    pub(crate) fn with_parameters(&self, all: &Rc<[SymbolRef]>, count: usize) -> Rc<[SymbolRef]> {
        let parameters = |symbol: &SymbolRef| {
            self.definition(*symbol).map_or(0, |it| usize::from(it.type_parameters))
        };
        let exact: Vec<SymbolRef> =
            all.iter().copied().filter(|symbol| parameters(symbol) == count).collect();
        if !exact.is_empty() {
            return exact.into();
        }
        let some: Vec<SymbolRef> =
            all.iter().copied().filter(|symbol| parameters(symbol) > 0).collect();
        if some.is_empty() { Rc::clone(all) } else { some.into() }
    }

    /// Of types of one name, the one that is meant without arguments; of its parts, the first.
    pub(crate) fn plain(&self, all: &Rc<[SymbolRef]>) -> Rc<[SymbolRef]> {
        let [first, _, ..] = **all else { return Rc::clone(all) };
        let rules = self.rules(first.file);
        if !rules.reopened_types || rules.separate_static {
            return Rc::clone(all);
        }
        let mut least: Option<(u8, SymbolRef)> = None;
        for symbol in all.iter() {
            let Some(definition) = self.definition(*symbol) else { return Rc::clone(all) };
            let namespace = self.world.namespace(*symbol);
            if !definition.kind.is_type() || namespace != self.world.namespace(first) {
                return Rc::clone(all);
            }
            if least.is_none_or(|(count, _)| definition.type_parameters < count) {
                least = Some((definition.type_parameters, *symbol));
            }
        }
        least.map_or_else(|| Rc::clone(all), |(_, symbol)| Rc::from([symbol]))
    }

    /// The part of a type that stands for all of them.
    pub(crate) fn first_part(&mut self, symbol: SymbolRef) -> SymbolRef {
        self.parts_of(symbol).first().copied().unwrap_or(symbol)
    }

    /// A type and the other parts of it, where types may be opened again; the same list for each part.
    pub(crate) fn parts_of(&mut self, symbol: SymbolRef) -> Rc<[SymbolRef]> {
        let Some(definition) = self.definition(symbol) else { return Rc::from([symbol]) };
        let rules = self.rules(symbol.file);
        if !rules.reopened_types || !definition.kind.has_members() {
            return Rc::from([symbol]);
        }
        if let Some((parts, looked)) = self.parts_by_symbol.get(&symbol) {
            looked.iter().for_each(|name| self.look(*name));
            return Rc::clone(parts);
        }
        let full = self.full_name(symbol);
        let language = &self.language(symbol.file).id;
        let parts: Rc<[SymbolRef]> = self
            .parts_named(full)
            .iter()
            .copied()
            .filter(|other| {
                let other_definition = self.world.interface(other.file).definition(other.symbol);
                self.language(other.file).id == *language
                    && other_definition
                        .is_some_and(|it| it.type_parameters == definition.type_parameters)
            })
            .collect();
        let parts = if parts.contains(&symbol) { parts } else { Rc::from([symbol]) };
        let looked = self.world.text(full).split('.').map(|part| self.world.intern(part)).collect();
        self.parts_by_symbol.insert(symbol, (Rc::clone(&parts), looked));
        parts
    }

    /// The full name of a type, with dots.
    pub(crate) fn full_name(&self, symbol: SymbolRef) -> NameId {
        let world = self.world;
        let around = world.text(world.namespace(symbol));
        let name = world.interface(symbol.file).definition(symbol.symbol).map(|it| it.name);
        let own = name.map(|name| world.text(name)).unwrap_or_default();
        match around.is_empty() {
            true => world.intern(&own),
            false => world.intern(&format!("{around}.{own}")),
        }
    }

    /// All types of that full name, in the order of their files. Names alone decide, so that parts of
    /// a type can be asked for while its parents are. Whoever asks depends on each part of the name, and
    /// on nothing else, whether the answer is known already or not.
    pub(crate) fn parts_named(&mut self, full: NameId) -> Rc<[SymbolRef]> {
        let world = self.world;
        let text = world.text(full);
        for part in text.split('.') {
            self.look(world.intern(part));
        }
        if let Some(known) = self.parts.get(&full) {
            return Rc::clone(known);
        }
        let (before, last) = text.rsplit_once('.').unwrap_or(("", &text));
        let (around, name) = (world.intern(before), world.intern(last));
        let definition =
            |symbol: &SymbolRef| world.interface(symbol.file).definition(symbol.symbol);
        let mut found = self.named_in(around, name);
        if !before.is_empty() {
            for owner in self.parts_named(around).iter() {
                found.extend(world.members(*owner, name).iter().copied());
            }
            let owner = world.intern(before.rsplit('.').next().unwrap_or(before));
            found.extend(world.additions(owner).iter().copied().filter(|addition| {
                world.namespace(*addition) == around
                    && definition(addition).is_some_and(|it| it.name == name)
            }));
        }
        found.retain(|symbol| definition(symbol).is_some_and(|it| it.kind.has_members()));
        found.sort_unstable_by(|one, two| {
            let path = |symbol: &SymbolRef| world.path(symbol.file);
            path(one).cmp(path(two)).then(one.symbol.cmp(&two.symbol))
        });
        found.dedup();
        let found: Rc<[SymbolRef]> = found.into();
        self.parts.insert(full, Rc::clone(&found));
        found
    }
}
