//! Types whose values have other members than they have themselves, as in Ruby: a class is an object, with
//! methods of its own, and what is mixed into it is not what is mixed into its values.

use std::rc::Rc;

use model::{NameId, SymbolFlags, SymbolKind};
use rustc_hash::FxHashSet;

use crate::expression::ExpressionId;
use crate::lexical::is_constant;
use crate::linker::{Linker, Side};
use crate::value::{How, Meaning, Type, Value, Why};
use crate::world::{SymbolRef, World};

/// By convention what is defined in a module of this name is taken over by the type that includes the
/// module around it.
const CLASS_METHODS: &str = "ClassMethods";

impl<W: World> Linker<'_, W> {
    /// On which side the object at hand is, inside of a symbol.
    pub(crate) fn side_of(&self, standing: SymbolRef) -> Side {
        if !self.rules(standing.file).separate_static {
            return Side::Any;
        }
        match self.definition(standing) {
            // A test runs in an object, but its block may be anywhere.
            Some(definition) if definition.kind == SymbolKind::Test => Side::Any,
            Some(definition) if definition.kind.has_members() => Side::Type,
            Some(definition) if definition.flags.has(SymbolFlags::STATIC) => Side::Type,
            _ => Side::Value,
        }
    }

    /// The object at hand, if it is of that type.
    pub(crate) fn on_side(&self, of_type: Rc<Type>, how: How, standing: SymbolRef) -> Meaning {
        match self.side_of(standing) {
            Side::Type => Meaning { value: Value::Type(of_type), how },
            _ => Meaning { value: Value::Instance(of_type), how },
        }
    }

    /// Members of one side of a type, its own or those of its parents.
    pub(crate) fn on_one_side(&mut self, symbol: SymbolRef, name: NameId, side: Side) -> Meaning {
        self.look(name);
        let mut outside = None;
        match self.search_side(symbol, name, side, &mut FxHashSet::default(), &mut outside) {
            Some(symbols) => Meaning { value: Value::Symbols(symbols, None), how: How::Member },
            None => match outside {
                Some(name) => Meaning::external(name),
                None => Meaning::unknown(Why::NoSuchMember),
            },
        }
    }

    /// Looks in one side of a type, then in its parents: what was included last comes first.
    fn search_side(
        &mut self,
        symbol: SymbolRef,
        name: NameId,
        side: Side,
        seen: &mut FxHashSet<(SymbolRef, Side)>,
        outside: &mut Option<Option<NameId>>,
    ) -> Option<Rc<[SymbolRef]>> {
        let first = self.first_part(symbol);
        if !seen.insert((first, side)) || seen.len() > 256 {
            return None;
        }
        let own = self.own_members(symbol, name);
        let found = self.of_side(&own, side);
        if !found.is_empty() {
            return Some(found);
        }
        let is_module = self.definition(symbol).is_some_and(|d| d.kind == SymbolKind::Trait);
        // Whoever calls a method of a module itself has made it one of both, in whatever way.
        if side == Side::Type && is_module && !own.is_empty() {
            return Some(own);
        }
        // What is mixed into a module does not give it constants that others would ask it for.
        if is_module && is_constant(&self.world.text(name)) {
            return None;
        }
        if side == Side::Type {
            for base in self.extended_of(symbol) {
                if let Some(found) = self.search_base(&base, name, Side::Value, seen, outside) {
                    return Some(found);
                }
            }
        }
        for base in self.bases_of_symbol(symbol).into_iter().rev() {
            let found = match (&*base, side) {
                (Type::Named(parent, _), Side::Type) if self.is_module(*parent) => {
                    self.class_methods(*parent, name, seen, outside)
                }
                _ => self.search_base(&base, name, side, seen, outside),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// What every value or type has: the type of a value, and the way to make a value.
    pub(crate) fn given_member(
        &mut self,
        of_type: &Rc<Type>,
        name: NameId,
        side: Side,
    ) -> Option<Meaning> {
        let Type::Named(symbol, _) = &**of_type else { return None };
        let text = self.world.text(name);
        match (side, &*text) {
            (Side::Value, "class") => {
                Some(Meaning { value: Value::Type(Rc::clone(of_type)), how: How::Inferred })
            }
            (Side::Type, "new") => {
                let constructors = &self.language(symbol.file).table.constructors;
                let constructor = self.world.intern(constructors.first()?);
                let found =
                    self.member_on(symbol.file, of_type, constructor, How::Member, Side::Value);
                Some(match found.value {
                    Value::Symbols(..) => found,
                    _ => {
                        let makes = Rc::new(Type::Function(Rc::clone(of_type)));
                        Meaning { value: Value::Instance(makes), how: How::Inferred }
                    }
                })
            }
            _ => None,
        }
    }

    /// A constant: what stands in the type itself, then what can be seen around it, and only then what
    /// its parents have, so that parents can be looked for in the same way.
    pub(crate) fn constant(
        &mut self,
        standing: SymbolRef,
        of_type: &Rc<Type>,
        name: NameId,
        around: ExpressionId,
    ) -> Meaning {
        let file = standing.file;
        self.look(name);
        if let Type::Named(symbol, _) = &**of_type {
            let own = self.own_members(*symbol, name);
            if !own.is_empty() {
                return Meaning { value: Value::Symbols(own, None), how: How::Scope };
            }
        }
        let seen = self.evaluate(file, around);
        // What parents have is asked for in methods only: parents are named in the bodies of types.
        let is_method = self.definition(standing).is_some_and(|d| d.kind.is_callable());
        if !seen.is_unknown() || !is_method {
            return seen;
        }
        match self.member_on(file, of_type, name, How::Member, Side::Type) {
            found if matches!(found.value, Value::Symbols(..)) => found,
            _ => seen,
        }
    }

    fn search_base(
        &mut self,
        base: &Rc<Type>,
        name: NameId,
        side: Side,
        seen: &mut FxHashSet<(SymbolRef, Side)>,
        outside: &mut Option<Option<NameId>>,
    ) -> Option<Rc<[SymbolRef]>> {
        match &**base {
            Type::Named(parent, _) => self.search_side(*parent, name, side, seen, outside),
            Type::External(head, _) => {
                *outside = Some(*head);
                None
            }
            _ => None,
        }
    }

    fn class_methods(
        &mut self,
        module: SymbolRef,
        name: NameId,
        seen: &mut FxHashSet<(SymbolRef, Side)>,
        outside: &mut Option<Option<NameId>>,
    ) -> Option<Rc<[SymbolRef]>> {
        let inner = self.world.intern(CLASS_METHODS);
        self.look(inner);
        for holder in self.own_members(module, inner).iter() {
            if let Some(found) = self.search_side(*holder, name, Side::Value, seen, outside) {
                return Some(found);
            }
        }
        // What the module includes may bring others.
        for base in self.bases_of_symbol(module).into_iter().rev() {
            if let Type::Named(parent, _) = &*base
                && self.is_module(*parent)
                && seen.insert((*parent, Side::Any))
                && let Some(found) = self.class_methods(*parent, name, seen, outside)
            {
                return Some(found);
            }
        }
        None
    }

    fn is_module(&self, symbol: SymbolRef) -> bool {
        self.definition(symbol).is_some_and(|definition| definition.kind == SymbolKind::Trait)
    }

    /// Of members of one name, those of a side; constants and types are on both.
    fn of_side(&self, symbols: &Rc<[SymbolRef]>, side: Side) -> Rc<[SymbolRef]> {
        symbols
            .iter()
            .copied()
            .filter(|symbol| {
                self.definition(*symbol).is_some_and(|definition| {
                    definition.kind.has_members()
                        || definition.kind == SymbolKind::Const
                        || definition.flags.has(SymbolFlags::STATIC) == (side == Side::Type)
                })
            })
            .collect()
    }

    /// What a type itself takes over.
    fn extended_of(&mut self, symbol: SymbolRef) -> Vec<Rc<Type>> {
        let mut found = Vec::new();
        for part in self.parts_of(symbol).iter() {
            let Some(definition) = self.definition(*part) else { continue };
            for extended in definition.extended.iter().rev() {
                let of_type = self.type_at(part.file, *extended);
                found.push(of_type);
            }
        }
        found
    }
}
