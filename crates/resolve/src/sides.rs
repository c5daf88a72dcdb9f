//! Types whose values have other members than they have themselves, as in Ruby: a class is an object, with
//! methods of its own, and what is mixed into it is not what is mixed into its values.

use std::rc::Rc;

use model::{NameId, SymbolFlags, SymbolKind};
use rustc_hash::FxHashSet;

use crate::expression::ExpressionId;
use crate::lexical::is_constant;
use crate::linker::{Linker, Side};
use crate::settings::{Ecosystem, is_below};
use crate::value::{How, Meaning, Type, Value, Why};
use crate::world::{File, SymbolRef, World};

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

    /// Whether what a file has cannot be seen from another one: tests and scripts of one gem are not
    /// loaded by others, which get only what it ships.
    pub(crate) fn is_kept_to(&self, other: File, file: File) -> bool {
        if file == other || !self.rules(other).separate_static {
            return false;
        }
        match (self.home(other), self.home(file)) {
            (Some((gem, is_shipped)), here) => {
                !is_shipped && here.is_none_or(|(mine, _)| mine != gem)
            }
            (None, _) => false,
        }
    }

    /// The gem that a file belongs to, by its number among the packages, and whether it is shipped.
    fn home(&self, file: File) -> Option<(usize, bool)> {
        if let Some(known) = self.homes.borrow().get(&file) {
            return *known;
        }
        let (path, packages) = (self.world.path(file), &self.world.settings().packages);
        let gem = packages
            .iter()
            .enumerate()
            .filter(|(_, it)| it.ecosystem == Ecosystem::Gem && is_below(path, &it.directory))
            .max_by_key(|(_, it)| it.directory.len());
        let home = gem.map(|(number, gem)| {
            let inside = path.strip_prefix(gem.directory.as_str()).unwrap_or(path);
            let inside = inside.trim_start_matches('/');
            (number, inside.starts_with("lib/") || inside.starts_with("app/"))
        });
        self.homes.borrow_mut().insert(file, home);
        home
    }

    /// The name of a type of the language itself, where these are parts of it that the project adds.
    pub(crate) fn opened_builtin(&self, file: File, symbols: &[SymbolRef]) -> Option<NameId> {
        let first = symbols.first().filter(|_| self.rules(file).separate_static)?;
        let definition = self.definition(*first).filter(|it| it.kind.has_members())?;
        let text = self.world.text(definition.name);
        (self.rules(file).is_builtin(&text)
            && self.world.text(self.world.namespace(*first)).is_empty())
        .then_some(definition.name)
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
            // What is mixed in from outside, and stands before it, may have it too.
            Some(symbols) => {
                let how = if outside.is_some() { How::Inferred } else { How::Member };
                Meaning { value: Value::Symbols(symbols, None), how }
            }
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
        let is_constant = is_constant(&self.world.text(name));
        for base in self.bases_of_symbol(symbol).into_iter().rev() {
            let found = match (&*base, side) {
                (Type::Named(parent, _), Side::Type) if !is_constant && self.is_module(*parent) => {
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
        file: File,
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
                let found = self.member_on(file, of_type, constructor, How::Member, Side::Value);
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
            let own = self.seen(file, own);
            if !own.is_empty() {
                return Meaning { value: Value::Symbols(own, None), how: How::Scope };
            }
        }
        let seen = self.evaluate(file, around);
        // Parents come before what stands at the top. They are asked in methods only: parents are named
        // in the bodies of types.
        let is_inside = match &seen.value {
            Value::Symbols(symbols, _) => symbols
                .iter()
                .any(|symbol| !self.world.text(self.world.namespace(*symbol)).is_empty()),
            _ => false,
        };
        let is_method = self.definition(standing).is_some_and(|d| d.kind.is_callable());
        if is_inside || !is_method {
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
