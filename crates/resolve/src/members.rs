//! Members of types: their own, those added from outside, those they inherit.

use std::rc::Rc;

use languages::{MethodResult, ModuleSystem};
use model::{NameId, SymbolFlags, SymbolKind};
use rustc_hash::FxHashSet;

use crate::access::instance;
use crate::expression::ExpressionId;
use crate::linker::{Key, Linker, Side};
use crate::value::{How, Meaning, Type, Value, Why, unknown_type};
use crate::world::{File, SymbolRef, World};

/// More members of one name in one type are passed over.
const MAX_ALIKE: usize = 64;

/// More parents of one type, and theirs, are not looked at.
const MAX_ANCESTORS: usize = 64;

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
            // A constant with a body is a value of its enum.
            SymbolKind::EnumMember => match definition.owner {
                Some(owner) => self.held_type(SymbolRef { file: symbol.file, symbol: owner }),
                None => (unknown_type(), How::Scope),
            },
            // A test of a fixture that goes by another name.
            SymbolKind::TypeAlias => {
                let named = Value::Symbols(Rc::from([symbol]), None);
                (self.as_type(&named), How::Member)
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
            Type::Object(parts) => match parts.iter().find(|(part, _)| *part == name) {
                Some((_, part)) => {
                    instance(Rc::clone(part), how, &Value::Unknown(Why::NoSuchMember))
                }
                None => Meaning::unknown(Why::NoSuchMember),
            },
            Type::Named(symbol, _) => {
                let symbol = self.first_part(*symbol);
                let found = self.once(Key::Member(symbol, name, side), |this| {
                    this.member_of_symbol(symbol, name, side)
                });
                match found.value {
                    Value::Symbols(symbols, _) => {
                        let symbols = self.seen(file, symbols);
                        if symbols.is_empty() {
                            return Meaning::unknown(Why::NoSuchMember);
                        }
                        let through = Some(Rc::clone(of_type));
                        let how = how.max(found.how);
                        Meaning { value: Value::Symbols(symbols, through), how }
                    }
                    _ => {
                        let made_of = self.made_of(of_type);
                        if made_of != *of_type {
                            return self
                                .deeper(|this| this.member_on(file, &made_of, name, how, side))
                                .unwrap_or_else(|| Meaning::unknown(Why::TooComplex));
                        }
                        self.given_member(file, of_type, name, side).unwrap_or(found)
                    }
                }
            }
            Type::External(head, arguments) => {
                let found = self.added_outside(file, of_type, name);
                if !found.is_empty() {
                    return Meaning {
                        value: Value::Symbols(found, Some(Rc::clone(of_type))),
                        how: How::Inferred,
                    };
                }
                if let Some(head) = head {
                    let text = self.last_name(*head);
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
                let (mut through, mut outside, mut part) = (None, None, None);
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
                        Value::Instance(_) => part = Some(found),
                        _ => {}
                    }
                }
                match (symbols.is_empty(), outside) {
                    (true, _) if part.is_some() => {
                        part.unwrap_or_else(|| Meaning::unknown(Why::NoSuchMember))
                    }
                    (false, _) => Meaning { value: Value::Symbols(symbols.into(), through), how },
                    (true, Some(name)) => Meaning::external(name),
                    (true, None) => Meaning::unknown(Why::NoSuchMember),
                }
            }
        }
    }

    /// Of members, those that can be seen from a file.
    pub(crate) fn seen(&self, file: File, symbols: Rc<[SymbolRef]>) -> Rc<[SymbolRef]> {
        match symbols.iter().all(|symbol| self.is_seen(file, *symbol)) {
            true => symbols,
            false => symbols.iter().copied().filter(|symbol| self.is_seen(file, *symbol)).collect(),
        }
    }

    fn member_of_symbol(&mut self, symbol: SymbolRef, name: NameId, side: Side) -> Meaning {
        self.look(name);
        if self.world.definitions(name).is_empty() && !self.names_companion(symbol.file, name) {
            return self.not_defined(symbol, side);
        }
        let found = match side {
            Side::Any => self.inherited(symbol, name),
            _ => self.on_one_side(symbol, name, side),
        };
        if let Value::Symbols(own, _) = &found.value {
            if !self.is_added_somewhere(symbol.file, name) || self.are_types(own) {
                return found;
            }
            // A member hides what is called like one only where it can be called so itself.
            let added = self.extension_methods(symbol, name);
            let mut all = added.to_vec();
            all.retain(|it| !own.contains(it));
            all.extend(own.iter().copied());
            return Meaning { value: Value::Symbols(all.into(), None), how: found.how };
        }
        let extensions = self.extension_methods(symbol, name);
        match extensions.is_empty() {
            true => found,
            false => Meaning { value: Value::Symbols(extensions, None), how: How::Member },
        }
    }

    /// What a member is that nothing in the project defines: one of a parent outside, if there is one.
    fn not_defined(&mut self, symbol: SymbolRef, side: Side) -> Meaning {
        self.once(Key::Outside(symbol, side), |this| {
            // No definition has an empty name.
            let nothing = this.world.intern("");
            match side {
                Side::Any => this.inherited(symbol, nothing),
                _ => this.on_one_side(symbol, nothing, side),
            }
        })
    }

    /// Members that a type has itself, or by its parents, in order.
    fn inherited(&mut self, symbol: SymbolRef, name: NameId) -> Meaning {
        self.look(name);
        let found = |symbols: Rc<[SymbolRef]>| Meaning {
            value: Value::Symbols(symbols, None),
            how: How::Member,
        };
        let own = self.own_members(symbol, name);
        if !own.is_empty() {
            return found(self.with_inherited(symbol, name, own));
        }
        let mut outside = None;
        for ancestor in self.ancestors(symbol).listed().iter() {
            match &**ancestor {
                Type::Named(parent, _) => {
                    let own = self.own_members(*parent, name);
                    if !own.is_empty() {
                        return found(self.with_inherited(*parent, name, own));
                    }
                }
                Type::External(head, _) => outside = Some(*head),
                _ => {}
            }
        }
        match outside {
            Some(head) => Meaning::external(head),
            None => Meaning::unknown(Why::NoSuchMember),
        }
    }

    /// All parents of a type and theirs, each once, in the order in which they are asked for members.
    /// How many of them are looked at depends on the type alone, and not on who asks: so long chains and
    /// circles cost no more than that, and what is found can be remembered.
    fn ancestors(&mut self, symbol: SymbolRef) -> Rc<Type> {
        let known = self.once(Key::Ancestors(symbol), |this| {
            let mut all: Vec<Rc<Type>> = Vec::new();
            let mut seen: FxHashSet<SymbolRef> = FxHashSet::default();
            seen.insert(symbol);
            let mut left = this.bases_of_symbol(symbol);
            left.reverse();
            while let Some(next) = left.pop().filter(|_| all.len() < MAX_ANCESTORS) {
                if let Type::Named(parent, _) = &*next {
                    let parent = this.first_part(*parent);
                    if !seen.insert(parent) {
                        continue;
                    }
                    let above = this.bases_of_symbol(parent);
                    left.extend(above.into_iter().rev());
                }
                all.push(next);
            }
            Meaning { value: Value::Type(Rc::new(Type::Union(all))), how: How::Member }
        });
        match known.value {
            Value::Type(all) => all,
            _ => unknown_type(),
        }
    }

    pub(crate) fn are_constructors(&self, symbols: &[SymbolRef]) -> bool {
        symbols.iter().all(|symbol| {
            self.definition(*symbol).is_some_and(|it| it.kind == SymbolKind::Constructor)
        })
    }

    pub(crate) fn are_types(&self, symbols: &[SymbolRef]) -> bool {
        symbols
            .iter()
            .any(|symbol| self.definition(*symbol).is_some_and(|it| it.kind.has_members()))
    }

    fn are_methods(&self, symbols: &[SymbolRef]) -> bool {
        symbols.iter().all(|symbol| {
            self.definition(*symbol)
                .is_some_and(|it| matches!(it.kind, SymbolKind::Method | SymbolKind::Function))
        })
    }

    /// Where names have overloads, a method does not hide those of its parents that take something else.
    /// The nearest come last.
    fn with_inherited(
        &mut self,
        symbol: SymbolRef,
        name: NameId,
        own: Rc<[SymbolRef]>,
    ) -> Rc<[SymbolRef]> {
        if !self.rules(symbol.file).overloads || !self.are_methods(&own) {
            return own;
        }
        let mut all: Vec<SymbolRef> = Vec::new();
        for ancestor in self.ancestors(symbol).listed().iter().rev() {
            let Type::Named(parent, _) = &**ancestor else { continue };
            let found = self.own_members(*parent, name);
            if self.are_methods(&found) {
                all.extend(found.iter().copied());
            }
        }
        if all.is_empty() {
            return own;
        }
        all.extend(own.iter().copied());
        all.into()
    }

    /// Members that stand in a type, or in what adds to it.
    pub(crate) fn own_members(&mut self, symbol: SymbolRef, name: NameId) -> Rc<[SymbolRef]> {
        let parts = self.parts_of(symbol);
        // A module may have hundreds of parts: who has the name is known without asking each of them.
        if self.rules(symbol.file).separate_static {
            let first = parts.first().copied().unwrap_or(symbol);
            if !self.owners(name).contains(&first) {
                return Rc::from([]);
            }
        }
        let mut found: Vec<SymbolRef> = Vec::new();
        for part in parts.iter() {
            found.extend(self.world.members(*part, name).iter().copied().take(MAX_ALIKE));
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
                // Those that are no members come behind all members.
                _ if definition.name == name && definition.stands_outside() => {
                    found.push(*addition);
                }
                _ => {}
            }
        }
        found.dedup();
        if self.rules(symbol.file).explicit_members {
            let is_explicit = |it: &SymbolRef| {
                self.definition(*it).is_some_and(|it| it.flags.has(SymbolFlags::EXPLICIT))
            };
            found.retain(|it| !is_explicit(it));
        }
        // A test that a macro makes cannot be named.
        if self.system(symbol.file) == ModuleSystem::Includes {
            let is_test =
                |it: &SymbolRef| self.definition(*it).is_some_and(|it| it.kind == SymbolKind::Test);
            found.retain(|it| !is_test(it));
        }
        found.into()
    }

    /// Implementations, extensions and members from outside that mean this type.
    pub(crate) fn additions_to(&mut self, symbol: SymbolRef) -> Rc<[SymbolRef]> {
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
                let is_called_like_member = this.are_added(candidate.file, &[*candidate]);
                if !is_called_like_member && this.adds_to_type(*candidate, symbol) {
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

    /// Whether what adds to a type of some name adds to this one.
    pub(crate) fn adds_to_type(&mut self, addition: SymbolRef, symbol: SymbolRef) -> bool {
        let Some(definition) = self.definition(addition) else { return false };
        let target = match &*self.type_at(addition.file, definition.target) {
            Type::Parameter(_, _, bound) => match &**bound {
                Type::Union(all) => all.clone(),
                _ => vec![Rc::clone(bound)],
            },
            Type::Named(named, _) if *named == symbol => return true,
            other => vec![Rc::new(other.clone())],
        };
        target.iter().any(|each| match &**each {
            Type::Named(named, _) => self.parts_of(symbol).contains(named),
            _ => false,
        })
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
        let parts = self.parts_of(symbol);
        let first = parts.first().copied().unwrap_or(symbol);
        let known = self.once(Key::Bases(first), |this| {
            let mut bases = Vec::new();
            for part in parts.iter() {
                this.push_bases(*part, &mut bases);
            }
            for addition in this.additions_to(symbol).iter() {
                this.push_bases(*addition, &mut bases);
            }
            // Where what is mixed in last comes first, the order is that of the source.
            if !this.rules(first.file).separate_static {
                bases.sort_by_key(|base| this.rank(base));
            }
            Meaning { value: Value::Type(Rc::new(Type::Union(bases))), how: How::Member }
        });
        match known.value {
            Value::Type(bases) => bases.listed().to_vec(),
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

    /// A part of a value of a type from outside, as `pair.second`. What goes through such values is used
    /// like the last thing they are made of, and may be asked for it.
    fn part_of(&self, file: File, of_type: &Rc<Type>, name: NameId) -> Option<Rc<Type>> {
        let part = self.rules(file).parts.get(&*self.world.text(name))?;
        match (&**of_type, part) {
            (Type::External(_, arguments), MethodResult::Element) => arguments.first().cloned(),
            (Type::External(_, arguments), MethodResult::Last) => arguments.last().cloned(),
            (Type::Named(..), MethodResult::Last) => Some(Rc::clone(of_type)),
            _ => None,
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
        if let (Value::External(_), Some(known)) =
            (&found.value, self.known_outside(file, of_type, name))
        {
            return known;
        }
        if let (Value::External(_), Type::External(_, arguments)) = (&found.value, &**of_type) {
            let rules = self.rules(file);
            let text = self.world.text(name);
            let result = match rules.methods.get(&*text) {
                Some(MethodResult::Same) => Some(Rc::clone(of_type)),
                Some(MethodResult::Element) => arguments.first().map(Rc::clone),
                Some(MethodResult::Last) => arguments.last().map(Rc::clone),
                None => None,
            };
            if let Some(result) = result.filter(|_| !arguments.is_empty()) {
                let function = Rc::new(Type::Function(result));
                return Meaning { value: Value::Instance(function), how: How::Inferred };
            }
        }
        if let Value::External(_) | Value::Unknown(Why::NoSuchMember) = found.value
            && let Some(part) = self.part_of(file, of_type, name)
        {
            return Meaning { value: Value::Instance(part), how: How::Inferred };
        }
        if let Value::External(_) | Value::Unknown(Why::NoSuchMember) = found.value
            && let Some(result) = self.rules(file).results.get(&*self.world.text(name))
        {
            let result = Rc::new(Type::External(Some(self.world.intern(result)), Vec::new()));
            let function = Rc::new(Type::Function(result));
            return Meaning { value: Value::Instance(function), how: How::Inferred };
        }
        found
    }
}
