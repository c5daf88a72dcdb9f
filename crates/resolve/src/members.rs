//! Members of types: their own, those added from outside, those they inherit.

use std::rc::Rc;

use model::{NameId, SymbolKind};
use rustc_hash::FxHashSet;

use crate::expression::ExpressionId;
use crate::linker::{Key, Linker, unknown_type};
use crate::value::{How, Meaning, Type, Value, Why};
use crate::world::{File, SymbolRef, World};

/// Members, and the parent with arguments through which they were reached.
type Found = (Rc<[SymbolRef]>, Option<Rc<Type>>);

/// Where classes stand among parents, between traits and interfaces.
const PARENT: u8 = 1;

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
            SymbolKind::Constructor | SymbolKind::Method => match definition.owner {
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

    /// The members of that name that a value of a type has.
    pub(crate) fn member_of_type(
        &mut self,
        file: File,
        of_type: &Rc<Type>,
        name: NameId,
        how: How,
    ) -> Meaning {
        let how = how.max(How::Member);
        match &**of_type {
            Type::Unknown | Type::Function(_) | Type::Tuple(_) => {
                Meaning::unknown(Why::UnknownReceiver)
            }
            Type::Parameter(_, _, bound) => self.member_of_type(file, bound, name, how),
            Type::Named(symbol, arguments) => {
                let symbol = *symbol;
                let found = self
                    .once(Key::Member(symbol, name), |this| this.member_of_symbol(symbol, name));
                match found.value {
                    Value::Symbols(symbols, inherited) => {
                        let through = match (inherited, arguments.is_empty()) {
                            (Some(inherited), true) => inherited,
                            _ => Rc::clone(of_type),
                        };
                        Meaning { value: Value::Symbols(symbols, Some(through)), how }
                    }
                    _ => found,
                }
            }
            Type::External(head, arguments) => {
                if let Some(head) = head {
                    let text = self.world.text(*head);
                    let found = self.added_to_external(*head, name);
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
                            let found = self.member_of_type(file, &first, name, how);
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
                    let found = self.member_of_type(file, each, name, how);
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

    fn member_of_symbol(&mut self, symbol: SymbolRef, name: NameId) -> Meaning {
        self.look(name);
        let mut seen = FxHashSet::default();
        let mut outside = None;
        match self.search(symbol, name, &mut seen, &mut outside) {
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
    fn own_members(&mut self, symbol: SymbolRef, name: NameId) -> Rc<[SymbolRef]> {
        let mut found: Vec<SymbolRef> = Vec::new();
        for part in self.parts_of(symbol).iter() {
            found.extend(self.world.members(*part, name).iter().copied());
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

    /// A type and the other parts of it, where types may be opened again.
    fn parts_of(&mut self, symbol: SymbolRef) -> Rc<[SymbolRef]> {
        let Some(definition) = self.definition(symbol) else { return Rc::from([symbol]) };
        let rules = self.rules(symbol.file);
        if !rules.reopened_types || !definition.kind.has_members() {
            return Rc::from([symbol]);
        }
        let namespace = self.world.namespace(symbol);
        let mut parts: Vec<SymbolRef> = vec![symbol];
        self.look(definition.name);
        for other in self.named_in(namespace, definition.name) {
            if other != symbol
                && self.definition(other).is_some_and(|other| other.kind.has_members())
            {
                parts.push(other);
            }
        }
        parts.into()
    }

    /// Implementations, extensions and members from outside that mean this type.
    fn additions_to(&mut self, symbol: SymbolRef) -> Rc<[SymbolRef]> {
        let Some(definition) = self.definition(symbol) else { return Rc::from([]) };
        self.look(definition.name);
        let candidates = self.world.additions(definition.name);
        if candidates.is_empty() {
            return candidates;
        }
        let found = self.once(Key::Additions(symbol), |this| {
            let mut meant = Vec::new();
            for candidate in candidates.iter() {
                let Some(addition) = this.definition(*candidate) else { continue };
                if let Type::Named(named, _) = &*this.type_at(candidate.file, addition.target)
                    && *named == symbol
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

    /// What stands for the object as its parent: no interfaces, nor traits, if there is a class.
    pub(crate) fn parents_of(&mut self, of_type: &Rc<Type>) -> Vec<Rc<Type>> {
        let bases = self.bases_of(of_type);
        let classes: Vec<Rc<Type>> =
            bases.iter().filter(|base| self.rank(base) == PARENT).map(Rc::clone).collect();
        if classes.is_empty() { bases } else { classes }
    }

    /// In which order parents are asked for a member: what only announces it comes after what has it.
    fn rank(&self, base: &Type) -> u8 {
        let Type::Named(symbol, _) = base else { return PARENT };
        match self.definition(*symbol).map(|definition| definition.kind) {
            Some(SymbolKind::Trait) => 0,
            Some(SymbolKind::Interface | SymbolKind::Protocol) => 2,
            _ => PARENT,
        }
    }

    /// What a type extends and implements, also by what adds to it.
    pub(crate) fn bases_of_symbol(&mut self, symbol: SymbolRef) -> Vec<Rc<Type>> {
        let mut bases = Vec::new();
        for part in self.parts_of(symbol).iter() {
            self.push_bases(*part, &mut bases);
        }
        for addition in self.additions_to(symbol).iter() {
            self.push_bases(*addition, &mut bases);
        }
        bases.sort_by_key(|base| self.rank(base));
        bases
    }

    fn push_bases(&mut self, symbol: SymbolRef, bases: &mut Vec<Rc<Type>>) {
        let Some(definition) = self.definition(symbol) else { return };
        for base in &definition.bases {
            let of_type = self.type_at(symbol.file, *base);
            bases.push(of_type);
        }
    }
}
