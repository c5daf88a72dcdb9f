//! Types whose values have other members than they have themselves, as in Ruby: a class is an object, with
//! methods of its own, and what is mixed into it is not what is mixed into its values.

use std::rc::Rc;

use model::{NameId, SymbolFlags, SymbolKind};
use rustc_hash::FxHashSet;

use crate::expression::ExpressionId;
use crate::lexical::is_constant;
use crate::linker::{Key, Linker, Side};
use crate::settings::{Ecosystem, is_below};
use crate::value::{How, Meaning, Type, Value, Why};
use crate::world::{File, SymbolRef, World};

/// By convention what is defined in a module of this name is taken over by the type that includes the
/// module around it.
const CLASS_METHODS: &str = "ClassMethods";

/// More sides of types are not asked for one member.
const MAX_ASKED: usize = 256;

/// Sides of types, as they are found.
struct Line {
    is_constant: bool,
    seen: FxHashSet<(SymbolRef, Side)>,
    all: Vec<Rc<Type>>,
}

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

    /// A bare name inside a type: a member of it or of its parents, otherwise what the name means outside.
    pub(crate) fn own_or_inherited(
        &mut self,
        standing: SymbolRef,
        name: NameId,
        otherwise: ExpressionId,
    ) -> Meaning {
        let file = standing.file;
        let (of_type, how) = self.held_type(standing);
        let side = self.side_of(standing);
        if side != Side::Any && is_constant(&self.world.text(name)) {
            return self.constant(standing, &of_type, name, otherwise);
        }
        let found = self.member_on(file, &of_type, name, how, side);
        match found.value {
            // A constructor is not named by itself, unless the type has a method that calls it: its name
            // is that of the type. A function that is called like a member needs something before the dot.
            Value::Symbols(symbols, _)
                if (side == Side::Any && self.are_constructors(&symbols))
                    || self.are_extensions(&symbols, file, standing.symbol) =>
            {
                self.evaluate(file, otherwise)
            }
            Value::Symbols(..) => {
                let is_sure = how == How::Scope && found.how <= How::Member;
                let how = if is_sure { How::Scope } else { found.how };
                Meaning { how, ..found }
            }
            // A parent outside of the project has members that nobody knows, and the name must come from
            // somewhere; where types are open, it could come from anywhere.
            Value::External(_) if side == Side::Any => {
                let otherwise = self.evaluate(file, otherwise);
                if otherwise.is_unknown() { found } else { otherwise }
            }
            _ => self.evaluate(file, otherwise),
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
        let symbol = self.first_part(symbol);
        let line = self.line(symbol, side, is_constant(&self.world.text(name)));
        let owners = self.owners(name);
        let mut outside = None;
        for step in line.listed() {
            let (asked, side) = match &**step {
                Type::Named(asked, _) => (*asked, Side::Value),
                Type::Function(inner) => match &**inner {
                    Type::Named(asked, _) => (*asked, Side::Type),
                    _ => continue,
                },
                Type::External(head, _) => {
                    outside = Some(*head);
                    continue;
                }
                _ => continue,
            };
            if !owners.contains(&asked) {
                continue;
            }
            let own = self.own_members(asked, name);
            let mut found = self.of_side(&own, side);
            // Whoever calls a method of a module itself has made it one of both, in whatever way.
            if found.is_empty() && side == Side::Type && self.is_module(asked) {
                found = own;
            }
            if !found.is_empty() {
                // What is mixed in from outside, and stands before it, may have it too.
                let how = if outside.is_some() { How::Inferred } else { How::Member };
                return Meaning { value: Value::Symbols(found, None), how };
            }
        }
        match outside {
            Some(name) => Meaning::external(name),
            None => Meaning::unknown(Why::NoSuchMember),
        }
    }

    /// Types that have a member of that name, by their first parts. Which ones these are depends on the
    /// name, and on the full names of types; who asks for a type has noted its name.
    pub(crate) fn owners(&mut self, name: NameId) -> Rc<FxHashSet<SymbolRef>> {
        if let Some(known) = self.owners.get(&name) {
            return Rc::clone(known);
        }
        let owners = self.quietly(|this| {
            let world = this.world;
            let mut owners = FxHashSet::default();
            for symbol in world.definitions(name).iter() {
                let definition = world.interface(symbol.file).definition(symbol.symbol);
                let Some(definition) = definition else { continue };
                if let Some(owner) = definition.owner {
                    let owner = SymbolRef { file: symbol.file, symbol: owner };
                    owners.insert(this.first_part(owner));
                } else if definition.adds_to.is_some() {
                    let around = world.namespace(*symbol);
                    owners.extend(this.parts_named(around).iter().copied());
                }
            }
            Rc::new(owners)
        });
        self.owners.insert(name, Rc::clone(&owners));
        owners
    }

    /// The sides of types that are asked for a member, in order: what was included last comes first. A
    /// type stands for its values, a function that returns it for itself, and types from outside for
    /// themselves.
    fn line(&mut self, symbol: SymbolRef, side: Side, is_constant: bool) -> Rc<Type> {
        let known = self.once(Key::Line(symbol, side, is_constant), |this| {
            let mut line = Line { is_constant, seen: FxHashSet::default(), all: Vec::new() };
            this.ask_side(symbol, side, &mut line);
            Meaning { value: Value::Type(Rc::new(Type::Union(line.all))), how: How::Member }
        });
        match known.value {
            Value::Type(line) => line,
            _ => Rc::new(Type::Unknown),
        }
    }

    fn ask_side(&mut self, symbol: SymbolRef, side: Side, line: &mut Line) {
        let first = self.first_part(symbol);
        if !line.seen.insert((first, side)) || line.seen.len() > MAX_ASKED {
            return;
        }
        let asked = Rc::new(Type::Named(first, Vec::new()));
        line.all.push(match side {
            Side::Type => Rc::new(Type::Function(asked)),
            _ => asked,
        });
        // What is mixed into a module does not give it constants that others would ask it for.
        if line.is_constant && self.is_module(symbol) {
            return;
        }
        if side == Side::Type {
            for base in self.extended_of(symbol) {
                self.ask_base(&base, Side::Value, line);
            }
        }
        for base in self.bases_of_symbol(symbol).into_iter().rev() {
            match (&*base, side) {
                (Type::Named(parent, _), Side::Type)
                    if !line.is_constant && self.is_module(*parent) =>
                {
                    self.ask_class_methods(*parent, line);
                }
                _ => self.ask_base(&base, side, line),
            }
        }
    }

    fn ask_base(&mut self, base: &Rc<Type>, side: Side, line: &mut Line) {
        match &**base {
            Type::Named(parent, _) => self.ask_side(*parent, side, line),
            Type::External(..) => line.all.push(Rc::clone(base)),
            _ => {}
        }
    }

    /// What a module gives to the type itself that includes it.
    fn ask_class_methods(&mut self, module: SymbolRef, line: &mut Line) {
        let inner = self.world.intern(CLASS_METHODS);
        self.look(inner);
        for holder in self.own_members(module, inner).iter() {
            self.ask_side(*holder, Side::Value, line);
        }
        // What the module includes may bring others.
        for base in self.bases_of_symbol(module).into_iter().rev() {
            if let Type::Named(parent, _) = &*base
                && self.is_module(*parent)
                && line.seen.insert((*parent, Side::Any))
            {
                self.ask_class_methods(*parent, line);
            }
        }
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
        let is_method = self.definition(standing).is_some_and(|d| d.kind.is_callable());
        let is_inside = || match &seen.value {
            Value::Symbols(symbols, _) => symbols.iter().any(|symbol| self.is_inside(*symbol)),
            _ => false,
        };
        if !is_method || is_inside() {
            return seen;
        }
        match self.member_on(file, of_type, name, How::Member, Side::Type) {
            found if matches!(found.value, Value::Symbols(..)) => found,
            _ => seen,
        }
    }

    /// Whether a symbol stands in a namespace. There may be hundreds to ask.
    fn is_inside(&self, symbol: SymbolRef) -> bool {
        let interface = self.world.interface(symbol.file);
        let definition = interface.symbols.get(symbol.symbol as usize);
        (interface.package.is_some() || definition.is_some_and(|it| it.qualifier.is_some()))
            && !self.world.text(self.world.namespace(symbol)).is_empty()
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
