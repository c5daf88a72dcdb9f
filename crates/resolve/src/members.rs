//! Members of types: their own, those added from outside, those they inherit.

use std::rc::Rc;

use languages::MethodResult;
use model::{NameId, SymbolKind};
use rustc_hash::FxHashSet;

use crate::expression::ExpressionId;
use crate::linker::{Key, Linker, Side, unknown_type};
use crate::value::{How, Meaning, Type, Value, Why};
use crate::world::{File, SymbolRef, World};

/// Members, and the parent with arguments through which they were reached.
pub(crate) type Found = (Rc<[SymbolRef]>, Option<Rc<Type>>);

impl<W: World> Linker<'_, W> {
    /// The type whose members a symbol holds: itself, or the one it adds to.
    pub(crate) fn held_type(&mut self, symbol: SymbolRef) -> (Rc<Type>, How) {
        let Some(definition) = self.definition(symbol) else { return (unknown_type(), How::Scope) };
        match definition.kind {
            SymbolKind::Impl | SymbolKind::Extension => {
                let held = self.type_at(symbol.file, definition.target);
                (held, How::Member)
            }
            kind if kind.has_members() => (Rc::new(Type::Named(symbol, Vec::new())), How::Scope),
            _ if definition.target != ExpressionId::UNKNOWN => {
                let held = self.type_at(symbol.file, definition.target);
                (held, How::Member)
            }
            // A constructor, a method: the type around it.
            kind if kind.is_callable() && kind != SymbolKind::Function => match definition.owner {
                Some(owner) => self.held_type(SymbolRef { file: symbol.file, symbol: owner }),
                None => (unknown_type(), How::Scope),
            },
            _ => (Rc::new(Type::Named(symbol, Vec::new())), How::Scope),
        }
    }

    /// The symbol of the held type, or the symbol itself.
    pub(crate) fn held_symbol(&mut self, symbol: SymbolRef) -> SymbolRef {
        match self.definition(symbol).map(|definition| definition.kind) {
            Some(SymbolKind::Impl | SymbolKind::Extension) => match &*self.held_type(symbol).0 {
                Type::Named(named, _) => *named,
                _ => symbol,
            },
            _ => symbol,
        }
    }

    /// A member, where methods of types from outside are known by what they return.
    pub(crate) fn member_in(
        &mut self,
        file: File,
        of_type: &Rc<Type>,
        name: NameId,
        how: How,
        side: Side,
    ) -> Meaning {
        let found = self.member_on(file, of_type, name, how, side);
        if let (Value::External(_), Type::External(_, arguments)) = (&found.value, &**of_type) {
            let rules = self.rules(file);
            let text = self.world.text(name);
            let result = match rules.methods.get(&*text) {
                Some(MethodResult::Same) => Some(Rc::clone(of_type)),
                Some(MethodResult::Element) => arguments.first().map(Rc::clone),
                None => None,
            };
            if let Some(result) = result.filter(|_| !arguments.is_empty()) {
                let function = Rc::new(Type::Function(result));
                return Meaning { value: Value::Instance(function), how: How::Inferred };
            }
        }
        found
    }

    /// The members of that name that a type or a value of it has.
    pub(crate) fn member_on(
        &mut self,
        file: File,
        of_type: &Rc<Type>,
        name: NameId,
        how: How,
        side: Side,
    ) -> Meaning {
        let how = how.max(How::Member);
        match &**of_type {
            Type::Function(returns) if self.rules(file).bare_calls => {
                let returns = Rc::clone(returns);
                self.deeper(|this| this.member_on(file, &returns, name, how, side))
                    .unwrap_or_else(|| Meaning::unknown(Why::TooComplex))
            }
            Type::Unknown | Type::Function(_) | Type::Tuple(_) => {
                Meaning::unknown(Why::UnknownReceiver)
            }
            Type::Parameter(_, _, bound) => self.member_on(file, bound, name, how, side),
            Type::Named(symbol, arguments) => {
                let symbol = self.parts_of(*symbol).first().copied().unwrap_or(*symbol);
                let found = self.once(Key::Member(symbol, name, side), |this| {
                    this.member_of_symbol(symbol, name, side)
                });
                match found.value {
                    Value::Symbols(symbols, inherited) => {
                        let symbols = self.seen(file, symbols);
                        if symbols.is_empty() {
                            return Meaning::unknown(Why::NoSuchMember);
                        }
                        let through = match (inherited, arguments.is_empty()) {
                            (Some(inherited), true) => inherited,
                            _ => Rc::clone(of_type),
                        };
                        Meaning { value: Value::Symbols(symbols, Some(through)), how }
                    }
                    _ => self.given_member(of_type, name, side).unwrap_or(found),
                }
            }
            Type::External(head, arguments) => {
                if let Some(head) = head {
                    let text = self.world.text(*head);
                    let found = self.added_to_external(*head, name);
                    let found = self.seen(file, found);
                    if !found.is_empty() {
                        return Meaning {
                            value: Value::Symbols(found, Some(Rc::clone(of_type))),
                            how: How::Inferred,
                        };
                    }
                    if let Some(first) = arguments.first() {
                        let is_transparent =
                            self.rules(file).transparent.iter().any(|word| *word == *text);
                        if is_transparent {
                            let first = Rc::clone(first);
                            let found = self.member_on(file, &first, name, how, side);
                            if !found.is_unknown() {
                                return found;
                            }
                        }
                    }
                }
                Meaning::external(*head)
            }
            Type::Union(all) => {
                let mut symbols: Vec<SymbolRef> = Vec::new();
                let (mut through, mut outside) = (None, None);
                for each in all {
                    let found = self.member_on(file, each, name, how, side);
                    match found.value {
                        Value::Symbols(found, receiver) => {
                            for symbol in found.iter() {
                                if !symbols.contains(symbol) {
                                    symbols.push(*symbol);
                                }
                            }
                            through = through.or(receiver);
                        }
                        Value::External(name) => outside = Some(name),
                        _ => {}
                    }
                }
                match (symbols.is_empty(), outside) {
                    (false, _) => Meaning { value: Value::Symbols(symbols.into(), through), how },
                    (true, Some(name)) => Meaning::external(name),
                    (true, None) => Meaning::unknown(Why::NoSuchMember),
                }
            }
        }
    }

    fn seen(&self, file: File, symbols: Rc<[SymbolRef]>) -> Rc<[SymbolRef]> {
        match symbols.iter().all(|symbol| self.is_seen(file, *symbol)) {
            true => symbols,
            false => symbols.iter().copied().filter(|symbol| self.is_seen(file, *symbol)).collect(),
        }
    }

    fn member_of_symbol(&mut self, symbol: SymbolRef, name: NameId, side: Side) -> Meaning {
        self.look(name);
        let mut seen = FxHashSet::default();
        let mut outside = None;
        let found = match side {
            Side::Any => self.search(symbol, name, &mut seen, &mut outside),
            _ => self.search_side(symbol, name, side, &mut FxHashSet::default(), &mut outside),
        };
        match found {
            Some((symbols, through)) => {
                Meaning { value: Value::Symbols(symbols, through), how: How::Member }
            }
            None => match outside {
                Some(name) => Meaning::external(name),
                None => Meaning::unknown(Why::NoSuchMember),
            },
        }
    }

    /// Looks in a type, then in its parents, in order.
    fn search(
        &mut self,
        symbol: SymbolRef,
        name: NameId,
        seen: &mut FxHashSet<SymbolRef>,
        outside: &mut Option<Option<NameId>>,
    ) -> Option<Found> {
        if !seen.insert(symbol) || seen.len() > 256 {
            return None;
        }
        let own = self.own_members(symbol, name);
        if !own.is_empty() {
            return Some((own, None));
        }
        for base in self.bases_of_symbol(symbol) {
            match &*base {
                Type::Named(parent, arguments) => {
                    let parent = *parent;
                    if let Some((found, through)) = self.search(parent, name, seen, outside) {
                        let through =
                            through.or_else(|| (!arguments.is_empty()).then(|| Rc::clone(&base)));
                        return Some((found, through));
                    }
                }
                Type::External(head, _) => *outside = Some(*head),
                _ => {}
            }
        }
        None
    }

    /// Members that stand in a type, or in what adds to it.
    pub(crate) fn own_members(&mut self, symbol: SymbolRef, name: NameId) -> Rc<[SymbolRef]> {
        let mut found: Vec<SymbolRef> = Vec::new();
        for part in self.parts_of(symbol).iter() {
            found.extend(self.world.members(*part, name).iter().copied());
        }
        if found.is_empty() {
            found = self.companion_members(symbol, name);
        }
        for addition in self.additions_to(symbol).iter() {
            let Some(definition) = self.definition(*addition) else { continue };
            match definition.kind {
                SymbolKind::Impl | SymbolKind::Extension => {
                    found.extend(self.world.members(*addition, name).iter().copied());
                }
                _ if definition.name == name => found.push(*addition),
                _ => {}
            }
        }
        found.dedup();
        found.into()
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
        let parts = self.parts_named(full);
        let parts = if parts.contains(&symbol) { parts } else { Rc::from([symbol]) };
        let looked = self.world.text(full).split('.').map(|part| self.world.intern(part)).collect();
        self.parts_by_symbol.insert(symbol, (Rc::clone(&parts), looked));
        parts
    }

    /// The full name of a type, with dots.
    fn full_name(&self, symbol: SymbolRef) -> NameId {
        let world = self.world;
        let around = world.text(world.namespace(symbol));
        let name = world.interface(symbol.file).definition(symbol.symbol).map(|d| d.name);
        let own = name.map(|name| world.text(name)).unwrap_or_default();
        if around.is_empty() {
            world.intern(&own)
        } else {
            world.intern(&format!("{around}.{own}"))
        }
    }

    /// All types of that full name, in the order of their files. Names alone decide, so that parts of
    /// a type can be asked for while its parents are.
    fn parts_named(&mut self, full: NameId) -> Rc<[SymbolRef]> {
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
        let mut found = self.named_in(around, name);
        if !before.is_empty() {
            for owner in self.parts_named(around).iter() {
                found.extend(world.members(*owner, name).iter().copied());
            }
            let owner = world.intern(before.rsplit('.').next().unwrap_or(before));
            found.extend(world.additions(owner).iter().copied().filter(|addition| {
                world.namespace(*addition) == around
                    && self.definition(*addition).is_some_and(|d| d.name == name)
            }));
        }
        found.retain(|symbol| self.definition(*symbol).is_some_and(|d| d.kind.has_members()));
        found.sort_unstable_by(|one, two| {
            let path = |symbol: &SymbolRef| world.path(symbol.file);
            path(one).cmp(path(two)).then(one.symbol.cmp(&two.symbol))
        });
        found.dedup();
        let found: Rc<[SymbolRef]> = found.into();
        self.parts.insert(full, Rc::clone(&found));
        found
    }

    /// Whether two symbols are parts of one type.
    fn is_same_type(&mut self, one: SymbolRef, two: SymbolRef) -> bool {
        one == two || self.parts_of(one).contains(&two)
    }

    /// Implementations, extensions and members from outside that mean this type.
    fn additions_to(&mut self, symbol: SymbolRef) -> Rc<[SymbolRef]> {
        let Some(definition) = self.definition(symbol) else { return Rc::from([]) };
        self.look(definition.name);
        let candidates = self.world.additions(definition.name);
        if candidates.is_empty() {
            return candidates;
        }
        if self.rules(symbol.file).separate_static {
            let full = self.full_name(symbol);
            return candidates
                .iter()
                .copied()
                .filter(|candidate| self.world.namespace(*candidate) == full)
                .collect();
        }
        let found = self.once(Key::Additions(symbol), |this| {
            let mut meant = Vec::new();
            for candidate in candidates.iter() {
                let Some(addition) = this.definition(*candidate) else { continue };
                if let Type::Named(named, _) = &*this.type_at(candidate.file, addition.target)
                    && this.is_same_type(symbol, *named)
                {
                    meant.push(*candidate);
                }
            }
            Meaning { value: Value::Symbols(meant.into(), None), how: How::Member }
        });
        match found.value {
            Value::Symbols(symbols, _) => symbols,
            _ => Rc::from([]),
        }
    }

    fn added_to_external(&mut self, head: NameId, name: NameId) -> Rc<[SymbolRef]> {
        self.look(head);
        let candidates = self.world.additions(head);
        if candidates.is_empty() {
            return candidates;
        }
        self.look(name);
        let mut found = Vec::new();
        for candidate in candidates.iter() {
            let Some(definition) = self.definition(*candidate) else { continue };
            match definition.kind {
                SymbolKind::Impl | SymbolKind::Extension => {
                    found.extend(self.world.members(*candidate, name).iter().copied());
                }
                _ if definition.name == name => found.push(*candidate),
                _ => {}
            }
        }
        found.into()
    }

    pub(crate) fn bases_of(&mut self, of_type: &Rc<Type>) -> Vec<Rc<Type>> {
        match &**of_type {
            Type::Named(symbol, _) => self.bases_of_symbol(*symbol),
            Type::Parameter(_, _, bound) => vec![Rc::clone(bound)],
            _ => Vec::new(),
        }
    }

    /// What a type extends and implements, also by what adds to it.
    pub(crate) fn bases_of_symbol(&mut self, symbol: SymbolRef) -> Vec<Rc<Type>> {
        let parts = self.parts_of(symbol);
        let first = parts.first().copied().unwrap_or(symbol);
        let found = self.once(Key::Bases(first), |this| {
            let mut bases = Vec::new();
            for part in parts.iter() {
                this.push_bases(*part, &mut bases);
            }
            for addition in this.additions_to(symbol).iter() {
                this.push_bases(*addition, &mut bases);
            }
            Meaning { value: Value::Type(Rc::new(Type::Tuple(bases))), how: How::Member }
        });
        match &found.value {
            Value::Type(of_type) => match &**of_type {
                Type::Tuple(bases) => bases.clone(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn push_bases(&mut self, symbol: SymbolRef, bases: &mut Vec<Rc<Type>>) {
        let Some(definition) = self.definition(symbol) else { return };
        for base in &definition.bases {
            let of_type = self.type_at(symbol.file, *base);
            bases.push(of_type);
        }
    }
}
