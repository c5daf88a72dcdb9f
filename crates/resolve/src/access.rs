//! What is reached from a meaning: by a call, by a dot.

use std::rc::Rc;

use languages::ModuleSystem;
use model::{NameId, SymbolKind};

use crate::lexical::is_constant;
use crate::linker::{Linker, Side};
use crate::overloads::Passed;
use crate::value::{How, Meaning, Module, Type, Value, Why};
use crate::world::{File, SymbolRef, World};

impl<W: World> Linker<'_, W> {
    /// Whether a symbol is a method of nothing that has a name: of the object that is the whole module.
    pub(crate) fn is_exported_object(&self, symbol: SymbolRef) -> bool {
        self.system(symbol.file) == ModuleSystem::Paths
            && self.definition(symbol).is_some_and(|it| {
                let is_method =
                    matches!(it.kind, SymbolKind::Method | SymbolKind::Getter | SymbolKind::Setter);
                is_method && it.owner.is_none()
            })
    }

    /// What a call of something returns.
    pub(crate) fn call(&mut self, base: Meaning, passed: Passed<'_>) -> Meaning {
        let base = self.called_module(base);
        let how = base.how.max(How::Member);
        let how = if how == How::Member && !matches!(base.value, Value::Symbols(..)) {
            How::Inferred
        } else {
            how
        };
        match &base.value {
            Value::Unknown(_) | Value::External(_) => base,
            Value::Module(_) => Meaning::unknown(Why::UnknownReceiver),
            // `value.class` is written like a call.
            Value::Type(_) if self.rules(passed.file).separate_static => base,
            Value::Type(of_type) => {
                Meaning { value: Value::Instance(Rc::clone(of_type)), how: base.how }
            }
            Value::Instance(of_type) => match &*self.made_of(of_type) {
                Type::Function(returns) => instance(Rc::clone(returns), How::Inferred, &base.value),
                Type::External(name, _) => Meaning::external(*name),
                _ => Meaning::unknown(Why::UnknownReceiver),
            },
            Value::Symbols(symbols, receiver) => {
                if let Some(applied) = self.applied(passed.file, symbols) {
                    return self.call(applied, passed);
                }
                let chosen = self.select(symbols, receiver.as_ref(), passed);
                let Some(symbol) = chosen.last().copied() else {
                    return Meaning::unknown(Why::UnknownReceiver);
                };
                let Some(definition) = self.definition(symbol) else {
                    return Meaning::unknown(Why::UnknownReceiver);
                };
                let of_type = match definition.kind {
                    SymbolKind::EnumMember => self.as_type(&base.value),
                    kind if kind.has_members() => self.as_type(&base.value),
                    kind if kind.is_callable() => {
                        // Overloads that all return the same are as good as one.
                        let returned = self.returned(symbol, receiver.as_ref());
                        let is_other = |this: &mut Self, other: &SymbolRef| {
                            this.returned(*other, receiver.as_ref()) != returned
                        };
                        if self.rules(passed.file).overloads
                            && chosen.iter().any(|other| is_other(self, other))
                        {
                            return Meaning::unknown(Why::UnknownReceiver);
                        }
                        match self.inferred(symbol, receiver.as_ref(), passed) {
                            Some(inferred) => self.substituted(&returned, &inferred, 0),
                            None => returned,
                        }
                    }
                    _ => {
                        let held = self.returned(symbol, receiver.as_ref());
                        match &*self.made_of(&held) {
                            Type::Function(returns) => Rc::clone(returns),
                            Type::External(name, _) => return Meaning::external(*name),
                            _ => return Meaning::unknown(Why::UnknownReceiver),
                        }
                    }
                };
                let how = match definition.kind.has_members() {
                    true => base.how,
                    false => how.max(How::Inferred),
                };
                instance(of_type, how, &base.value)
            }
        }
    }

    /// Of several definitions, the one that has members without being called: a module or a field beside
    /// a function of its name, what reads a property beside what writes it.
    pub(crate) fn uncalled(&self, file: File, symbols: &[SymbolRef]) -> Option<SymbolRef> {
        let [.., _, last] = symbols else { return None };
        let apart = self.rules(file).overloads || self.rules(file).fields_apart;
        let kind = |symbol: &SymbolRef| self.definition(*symbol).map(|it| it.kind);
        if kind(last) == Some(SymbolKind::Setter) {
            return symbols.iter().copied().rfind(|it| kind(it) == Some(SymbolKind::Getter));
        }
        let is_held = |symbol: &SymbolRef| match kind(symbol) {
            Some(SymbolKind::Module) => true,
            Some(SymbolKind::Field | SymbolKind::Property) => apart,
            _ => false,
        };
        let mut held = symbols.iter().copied().filter(is_held);
        let only = held.next().filter(|_| held.next().is_none())?;
        symbols.iter().any(|it| kind(it).is_some_and(SymbolKind::is_callable)).then_some(only)
    }

    /// `std::vector`, `anyhow::Result`: which one of what is outside it is matters to its members. Of what
    /// comes from crates the modules between are left out, and the members of types.
    fn outside_member(&self, file: File, outer: NameId, name: NameId) -> Option<NameId> {
        let system = self.system(file);
        if !matches!(system, ModuleSystem::Includes | ModuleSystem::Crates) {
            return None;
        }
        let (before, own) = (self.world.text(outer), self.world.text(name));
        let is_told =
            system == ModuleSystem::Includes || is_constant(&own) && !before.contains('.');
        is_told.then(|| self.world.intern(&format!("{before}.{own}")))
    }

    /// What a project adds to a namespace of the language does not make the rest of it its own:
    /// `namespace std { … }`.
    fn or_outside(&self, file: File, module: Module, name: NameId, found: Meaning) -> Meaning {
        let outer = match module {
            Module::Namespace(outer) => outer,
            Module::Inner(symbol) => match self.definition(symbol) {
                Some(definition) if definition.owner.is_none() => definition.name,
                _ => return found,
            },
            Module::File(_) | Module::Directory(_) => return found,
        };
        let is_told = found.is_unknown() && self.rules(file).is_builtin(&self.world.text(outer));
        match self.outside_member(file, outer, name).filter(|_| is_told) {
            Some(full) => Meaning::external(Some(full)),
            None => found,
        }
    }

    /// Whether a member of a value is its class.
    fn is_class_member(&self, file: File, name: NameId) -> bool {
        let Some(word) = self.rules(file).class_member.as_deref() else { return false };
        let mut known = self.class_members.borrow_mut();
        match known.iter().find(|(known, _)| *known == word) {
            Some((_, number)) => *number == name,
            None => {
                let number = self.world.intern(word);
                known.push((word, number));
                number == name
            }
        }
    }

    /// What stands under a name behind a dot.
    pub(crate) fn member(&mut self, file: File, base: Meaning, name: NameId) -> Meaning {
        match &base.value {
            Value::Unknown(_) => Meaning::unknown(Why::UnknownReceiver),
            Value::External(Some(outer)) => match self.outside_member(file, *outer, name) {
                Some(full) => Meaning::external(Some(full)),
                None => base,
            },
            Value::External(None) => base,
            Value::Module(module) => {
                let found = self.in_module(*module, name);
                let found = Meaning { how: found.how.max(base.how), ..found };
                let found = self.of_family(file, found);
                let found = self.seen_from(file, found);
                self.or_outside(file, *module, name, found)
            }
            Value::Instance(of_type) | Value::Type(of_type) => {
                let of_type = Rc::clone(of_type);
                if let (Value::Instance(_), Type::Named(class, _)) = (&base.value, &*of_type)
                    && self.is_class_member(file, name)
                {
                    // A descendant's value has another one, which inherits from this.
                    let how = base.how.max(How::Inferred);
                    return Meaning { value: Value::Symbols(Rc::from([*class]), None), how };
                }
                let side = match (&base.value, self.rules(file).separate_static) {
                    (_, false) => Side::Any,
                    (Value::Type(_), true) => Side::Type,
                    _ => Side::Value,
                };
                self.own_or_pointed(file, &of_type, name, base.how, side)
            }
            Value::Symbols(symbols, receiver) => {
                // Whether it is there or not: it may come.
                self.look(name);
                let object =
                    self.object_among(file, symbols).or_else(|| self.uncalled(file, symbols));
                let symbols = self.plain(symbols);
                let Some(symbol) = object.or_else(|| symbols.last().copied()) else {
                    return Meaning::unknown(Why::UnknownReceiver);
                };
                let base = match object {
                    Some(object) => Meaning {
                        value: Value::Symbols(Rc::from([object]), receiver.clone()),
                        how: base.how,
                    },
                    None => base.clone(),
                };
                let Some(definition) = self.definition(symbol) else {
                    return Meaning::unknown(Why::UnknownReceiver);
                };
                match definition.kind {
                    SymbolKind::Namespace | SymbolKind::Module => {
                        let module = Module::Inner(symbol);
                        let found = self.in_module(module, name);
                        let found = self.seen_from(file, found);
                        self.or_outside(file, module, name, found)
                    }
                    kind if kind.is_callable()
                        && !self.rules(file).bare_calls
                        && !matches!(kind, SymbolKind::Getter | SymbolKind::Setter) =>
                    {
                        let own = self.world.members(symbol, name);
                        if own.is_empty() {
                            return Meaning::unknown(Why::UnknownReceiver);
                        }
                        Meaning { value: Value::Symbols(own, None), how: base.how.max(How::Member) }
                    }
                    _ => {
                        // Members of an object literal belong to the name it is given.
                        let own = self.world.members(symbol, name);
                        if !own.is_empty() && !definition.kind.has_members() {
                            let how = base.how.max(How::Member);
                            return Meaning { value: Value::Symbols(own, None), how };
                        }
                        if self.system(file) == ModuleSystem::Paths
                            && !definition.kind.has_members()
                        {
                            // A value may be a whole module: `const own = module.exports`.
                            let held = self.evaluate(symbol.file, definition.value);
                            if let Value::Module(_) = held.value {
                                return self.member(file, held, name);
                            }
                        }
                        let of_type = self.instance_type(&base.value);
                        let side = match self.rules(file).separate_static {
                            false => Side::Any,
                            true if definition.kind.has_members() => Side::Type,
                            true => Side::Value,
                        };
                        self.own_or_pointed(file, &of_type, name, base.how, side)
                    }
                }
            }
        }
    }
}

/// A value of that type, as far as it is known.
pub(crate) fn instance(of_type: Rc<Type>, how: How, base: &Value) -> Meaning {
    match &*of_type {
        Type::Unknown => match base {
            Value::External(name) => Meaning::external(*name),
            _ => Meaning::unknown(Why::UnknownReceiver),
        },
        _ => Meaning { value: Value::Instance(of_type), how },
    }
}
