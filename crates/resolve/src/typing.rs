//! Types of values, and values of types.

use std::rc::Rc;

use languages::ModuleSystem;
use model::{LiteralKind, NameId, SymbolKind};

use crate::expression::{Expression, ExpressionId};
use crate::linker::{Linker, Side};
use crate::value::{How, Meaning, Type, Value, Why, unknown_type};
use crate::world::{File, SymbolRef, World};

impl<W: World> Linker<'_, W> {
    pub(crate) fn unwrapped(&mut self, file: File, of_type: &Rc<Type>) -> Rc<Type> {
        match &**of_type {
            Type::External(Some(name), arguments) if !arguments.is_empty() => {
                let text = self.last_name(*name);
                let is_wrapper = self.rules(file).wrappers.iter().any(|word| *word == *text);
                if is_wrapper { Rc::clone(&arguments[0]) } else { Rc::clone(of_type) }
            }
            Type::Union(all) => {
                let all: Vec<Rc<Type>> =
                    all.iter().map(|each| self.unwrapped(file, each)).collect();
                Rc::new(Type::Union(all))
            }
            _ => Rc::clone(of_type),
        }
    }

    /// What a wait for a value gives. A type of the project may say so by a member.
    pub(crate) fn awaited(&mut self, file: File, of_type: &Rc<Type>) -> Rc<Type> {
        if let (Some(word), Type::Named(..)) = (&self.rules(file).awaited_member, &**of_type) {
            let name = self.world.intern(word);
            let found = self.member_on(file, of_type, name, How::Member, Side::Any);
            if let Value::Symbols(symbols, _) = &found.value
                && self.are_types(symbols)
            {
                return self.as_type(&found.value);
            }
        }
        self.unwrapped(file, of_type)
    }

    /// What a `with` gives a name: of types outside that are made for it, what they hold.
    pub(crate) fn entered(&mut self, file: File, meaning: Meaning) -> Meaning {
        let Value::Instance(of_type) = &meaning.value else { return meaning };
        match &**of_type {
            Type::External(Some(name), arguments) if !arguments.is_empty() => {
                let text = self.last_name(*name);
                match self.rules(file).entered.iter().any(|word| *word == *text) {
                    true => Meaning {
                        value: Value::Instance(Rc::clone(&arguments[0])),
                        how: How::Inferred,
                    },
                    false => meaning,
                }
            }
            _ => meaning,
        }
    }

    pub(crate) fn element(&mut self, file: File, of_type: &Rc<Type>) -> Rc<Type> {
        let of_type = &self.made_of(of_type);
        match &**of_type {
            Type::Function(returns) if self.rules(file).bare_calls => {
                let returns = Rc::clone(returns);
                self.deeper(|this| this.element(file, &returns)).unwrap_or_else(unknown_type)
            }
            Type::External(_, arguments) => arguments.last().map_or_else(unknown_type, Rc::clone),
            Type::Union(all) => {
                let all: Vec<Rc<Type>> = all.iter().map(|each| self.element(file, each)).collect();
                Rc::new(Type::Union(all))
            }
            Type::Named(..) => {
                let bases = self.bases_of(of_type);
                bases
                    .iter()
                    .find_map(|base| match &**base {
                        Type::External(_, arguments) => arguments.last().map(Rc::clone),
                        _ => None,
                    })
                    .unwrap_or_else(|| self.indexed(file, of_type))
            }
            _ => unknown_type(),
        }
    }

    /// What the fields of a value are whose type has them by number: `struct Meters(f64)`, a variant of
    /// an enum. None where the value itself is asked.
    pub(crate) fn numbered_fields(&mut self, file: File, value: &Value) -> Option<Rc<Type>> {
        if self.system(file) != ModuleSystem::Crates {
            return None;
        }
        if let Value::Symbols(symbols, through) = value
            && let Some(variant) = symbols.last()
            && self.definition(*variant).is_some_and(|it| it.kind == SymbolKind::EnumMember)
        {
            return Some(self.returned(*variant, through.as_ref()));
        }
        let of_type = self.instance_type(value);
        let Type::Named(symbol, _) = &*of_type else { return None };
        match self.definition(*symbol)?.kind {
            SymbolKind::Struct => Some(self.returned(*symbol, Some(&of_type))),
            _ => Some(unknown_type()),
        }
    }

    /// A member of a value, or of what it points to where it has none of that name.
    pub(crate) fn own_or_pointed(
        &mut self,
        file: File,
        of_type: &Rc<Type>,
        name: NameId,
        how: How,
        side: Side,
    ) -> Meaning {
        let found = self.member_in(file, of_type, name, how, side);
        match (&found.value, &**of_type) {
            (Value::Unknown(Why::NoSuchMember), Type::Named(..)) => {
                self.pointed_member(file, of_type, name, side).unwrap_or(found)
            }
            _ => found,
        }
    }

    /// A member of what a value of the project points to, where its type says so by a member: what a value
    /// is asked for and has not itself.
    fn pointed_member(
        &mut self,
        file: File,
        of_type: &Rc<Type>,
        name: NameId,
        side: Side,
    ) -> Option<Meaning> {
        let pointer = self.world.intern(self.rules(file).pointer_member.as_deref()?);
        if name == pointer {
            return None;
        }
        let found = self.member_on(file, of_type, pointer, How::Inferred, side);
        let Value::Symbols(symbols, _) = found.value else { return None };
        let to = self.returned(*symbols.first()?, Some(of_type));
        if symbols.iter().any(|it| self.returned(*it, Some(of_type)) != to) || to == *of_type {
            return None;
        }
        let found = self.deeper(|this| this.member_on(file, &to, name, How::Inferred, side))?;
        (!found.is_unknown()).then_some(found)
    }

    /// What an index makes of a type of the project, where types say so by a member.
    fn indexed(&mut self, file: File, of_type: &Rc<Type>) -> Rc<Type> {
        let words = &self.rules(file).element_members;
        for (position, word) in words.iter().enumerate() {
            let name = self.world.intern(word);
            let found = self.member_on(file, of_type, name, How::Member, Side::Any);
            let Value::Symbols(symbols, _) = found.value else { continue };
            let first = symbols.first().filter(|_| position == 0);
            let Some(first) = first.map(|it| self.returned(*it, Some(of_type))) else {
                return unknown_type();
            };
            let are_same = symbols.iter().all(|it| self.returned(*it, Some(of_type)) == first);
            return if are_same { first } else { unknown_type() };
        }
        if words.is_empty() { unknown_type() } else { Rc::clone(of_type) }
    }

    pub(crate) fn type_at(&mut self, file: File, id: ExpressionId) -> Rc<Type> {
        let meaning = self.evaluate(file, id);
        match meaning.value {
            Value::External(name) => Rc::new(Type::External(name, Vec::new())),
            Value::Unknown(Why::NotFound) => match self.outside_name(file, id) {
                Some(name) => Rc::new(Type::External(Some(name), Vec::new())),
                None => unknown_type(),
            },
            other => self.as_type(&other),
        }
    }

    /// The name of a type that nobody in the project defines: it is outside, and known by its name.
    pub(crate) fn outside_name(&self, file: File, id: ExpressionId) -> Option<NameId> {
        if !self.rules(file).overloads {
            return None;
        }
        let mut id = id;
        loop {
            match self.expression_at(file, id) {
                Expression::Name(name, _) => return Some(name),
                Expression::Inherited(_, _, otherwise)
                | Expression::InheritedType(_, _, otherwise)
                | Expression::Generic(otherwise)
                | Expression::Constant(otherwise) => id = otherwise,
                _ => return None,
            }
        }
    }

    /// The type that a name of a type means.
    pub(crate) fn as_type(&mut self, value: &Value) -> Rc<Type> {
        self.deeper(|this| this.as_type_here(value)).unwrap_or_else(unknown_type)
    }

    fn as_type_here(&mut self, value: &Value) -> Rc<Type> {
        match value {
            Value::Type(of_type) | Value::Instance(of_type) => Rc::clone(of_type),
            Value::External(name) => Rc::new(Type::External(*name, Vec::new())),
            Value::Unknown(_) => unknown_type(),
            // `class A extends B`, where `B` is a module that is a class.
            Value::Module(_) => {
                let meaning = Meaning { value: value.clone(), how: How::Import };
                match self.called_module(meaning).value {
                    Value::Module(_) => unknown_type(),
                    exported => self.as_type(&exported),
                }
            }
            Value::Symbols(symbols, _) => {
                let symbols = &self.plain(symbols);
                let mut types = symbols.iter().filter_map(|symbol| {
                    let definition = self.definition(*symbol)?;
                    let is_type = definition.kind.has_members()
                        || matches!(definition.kind, SymbolKind::EnumMember);
                    is_type.then_some((*symbol, definition))
                });
                // An object is a type only where there is no other; an interface that has the name of
                // a class is part of it.
                let first = types.next();
                let found = match first {
                    Some((_, definition)) if definition.kind == SymbolKind::Object => {
                        types.find(|(_, other)| other.kind != SymbolKind::Object).or(first)
                    }
                    Some((_, definition)) if definition.kind == SymbolKind::Interface => {
                        types.find(|(_, other)| other.kind == SymbolKind::Class).or(first)
                    }
                    _ => first,
                };
                let Some((symbol, definition)) = found else {
                    // A function that is used as a type is a constructor; a value may hold a type.
                    return match symbols.first().and_then(|first| {
                        self.definition(*first).map(|definition| (*first, definition))
                    }) {
                        Some((first, definition))
                            if definition.kind.is_callable()
                                && self.rules(first.file).calls_construct =>
                        {
                            Rc::new(Type::External(Some(definition.name), Vec::new()))
                        }
                        Some((first, definition)) if definition.kind.is_callable() => {
                            Rc::new(Type::Named(first, Vec::new()))
                        }
                        Some((first, definition)) if definition.value != ExpressionId::UNKNOWN => {
                            let meaning = self.evaluate(first.file, definition.value);
                            match meaning.value {
                                Value::Symbols(..) | Value::Type(_) => self.as_type(&meaning.value),
                                _ => unknown_type(),
                            }
                        }
                        _ => unknown_type(),
                    };
                };
                match definition.kind {
                    SymbolKind::TypeAlias | SymbolKind::AssociatedType
                        if definition.value != ExpressionId::UNKNOWN =>
                    {
                        let aliased = self.type_at(symbol.file, definition.value);
                        match &*aliased {
                            // What it stands for has no members of its own; the alias may.
                            Type::Unknown => Rc::new(Type::Named(symbol, Vec::new())),
                            _ => aliased,
                        }
                    }
                    SymbolKind::Impl | SymbolKind::Extension => self.held_type(symbol).0,
                    SymbolKind::EnumMember => match definition.owner {
                        Some(owner) => Rc::new(Type::Named(
                            SymbolRef { file: symbol.file, symbol: owner },
                            Vec::new(),
                        )),
                        None => unknown_type(),
                    },
                    _ => Rc::new(Type::Named(symbol, Vec::new())),
                }
            }
        }
    }

    /// What a type of its own is made of, as Go's `type Amount int`; any other type as it is.
    pub(crate) fn made_of(&mut self, of_type: &Rc<Type>) -> Rc<Type> {
        let Type::Named(symbol, _) = &**of_type else { return Rc::clone(of_type) };
        match self.definition(*symbol) {
            Some(it)
                if it.kind == SymbolKind::Struct
                    && it.value != ExpressionId::UNKNOWN
                    && self.system(symbol.file) == ModuleSystem::Directories =>
            {
                let (file, value) = (symbol.file, it.value);
                self.deeper(|this| this.type_at(file, value)).unwrap_or_else(unknown_type)
            }
            _ => Rc::clone(of_type),
        }
    }

    /// What an alias with parameters stands for, given their arguments: `Maybe<T> = T | undefined`.
    pub(crate) fn applied_alias(
        &mut self,
        value: &Value,
        arguments: &[Rc<Type>],
    ) -> Option<Rc<Type>> {
        let Value::Symbols(symbols, _) = value else { return None };
        let [symbol] = **symbols else { return None };
        if self.definition(symbol)?.kind != SymbolKind::TypeAlias {
            return None;
        }
        let aliased = self.as_type(value);
        match &*aliased {
            // It has members of its own, which its arguments belong to.
            Type::Named(named, _) if *named == symbol => None,
            Type::Unknown => None,
            _ => {
                let applied = Rc::new(Type::Named(symbol, arguments.to_vec()));
                Some(self.substituted(&aliased, &applied, 0))
            }
        }
    }

    /// The type of a value.
    pub(crate) fn instance_type(&mut self, value: &Value) -> Rc<Type> {
        self.deeper(|this| this.instance_type_here(value)).unwrap_or_else(unknown_type)
    }

    fn instance_type_here(&mut self, value: &Value) -> Rc<Type> {
        let (symbols, receiver) = match value {
            Value::Instance(of_type) | Value::Type(of_type) => return Rc::clone(of_type),
            Value::External(name) => return Rc::new(Type::External(*name, Vec::new())),
            Value::Unknown(_) | Value::Module(_) => return unknown_type(),
            Value::Symbols(symbols, receiver) => (symbols, receiver),
        };
        let Some(last) = symbols.last().copied() else { return unknown_type() };
        let symbol = self.uncalled(last.file, symbols).unwrap_or(last);
        let Some(definition) = self.definition(symbol) else { return unknown_type() };
        match definition.kind {
            SymbolKind::EnumMember => self.as_type(value),
            kind if kind.has_members() => self.as_type(value),
            kind if kind.is_callable()
                && !matches!(kind, SymbolKind::Getter | SymbolKind::Setter) =>
            {
                let returned = self.returned(symbol, receiver.as_ref());
                Rc::new(Type::Function(returned))
            }
            _ if self.is_object(symbol) => Rc::new(Type::Named(symbol, Vec::new())),
            _ => self.returned(symbol, receiver.as_ref()),
        }
    }

    /// Whether a value is an object whose members stand in it: `const table = { open() {} }`.
    fn is_object(&self, symbol: SymbolRef) -> bool {
        let interface = self.world.interface(symbol.file);
        self.rules(symbol.file).explicit_exports
            && interface.definition(symbol.symbol).is_some_and(|definition| {
                let value = interface.expressions.get(definition.value);
                matches!(value, Expression::Literal(LiteralKind::Map))
            })
    }

    /// The type of a value, or of what a callable returns, seen through the type it was reached by.
    pub(crate) fn returned(&mut self, symbol: SymbolRef, receiver: Option<&Rc<Type>>) -> Rc<Type> {
        let Some(definition) = self.definition(symbol) else { return unknown_type() };
        if definition.kind == SymbolKind::Constructor {
            if let Some(receiver) = receiver {
                return Rc::clone(receiver);
            }
            return match definition.owner {
                Some(_) => self.held_type(symbol).0,
                None => unknown_type(),
            };
        }
        if let Some(receiver) = receiver {
            let expressions = &self.world.interface(symbol.file).expressions;
            let is_this = |id: ExpressionId| matches!(expressions.get(id), Expression::This(_));
            let is_itself = is_this(definition.value)
                || matches!(expressions.get(definition.value), Expression::Instance(inner) if is_this(*inner));
            if is_itself && !matches!(**receiver, Type::Union(_)) {
                return Rc::clone(receiver);
            }
        }
        let meaning = self.evaluate(symbol.file, definition.value);
        let of_type = self.instance_type(&meaning.value);
        match receiver {
            Some(receiver) => self.substituted(&of_type, receiver, 0),
            None => of_type,
        }
    }

    /// Type parameters replaced by the arguments of the receiver.
    pub(crate) fn substituted(
        &mut self,
        of_type: &Rc<Type>,
        receiver: &Rc<Type>,
        depth: u32,
    ) -> Rc<Type> {
        if depth > 8 {
            return Rc::clone(of_type);
        }
        let all = |this: &mut Self, types: &[Rc<Type>]| -> Vec<Rc<Type>> {
            types.iter().map(|each| this.substituted(each, receiver, depth + 1)).collect()
        };
        match &**of_type {
            Type::Parameter(owner, position, bound) => match &**receiver {
                Type::Named(symbol, arguments) if symbol == owner => {
                    match arguments.get(usize::from(*position)) {
                        // What a call does not tell of a function stays open.
                        Some(given) if **given == Type::Unknown && self.is_function(*owner) => {
                            Rc::clone(of_type)
                        }
                        Some(given) => Rc::clone(given),
                        // Inside of a template its own type is written without arguments.
                        None if self.rules(owner.file).late_templates => Rc::clone(of_type),
                        None => Rc::clone(bound),
                    }
                }
                Type::Named(..) => self
                    .given_to_parent(receiver, *owner, *position, depth)
                    .unwrap_or_else(|| Rc::clone(of_type)),
                _ => Rc::clone(of_type),
            },
            Type::External(name, arguments) if !arguments.is_empty() => {
                Rc::new(Type::External(*name, all(self, arguments)))
            }
            Type::Named(symbol, arguments) if !arguments.is_empty() => {
                Rc::new(Type::Named(*symbol, all(self, arguments)))
            }
            Type::Tuple(types) => Rc::new(Type::Tuple(all(self, types))),
            Type::Object(parts) => {
                let types: Vec<Rc<Type>> = parts.iter().map(|(_, part)| Rc::clone(part)).collect();
                let names = parts.iter().map(|(name, _)| *name);
                Rc::new(Type::Object(names.zip(all(self, &types)).collect()))
            }
            Type::Union(types) => Rc::new(Type::Union(all(self, types))),
            Type::Function(returns) => {
                Rc::new(Type::Function(self.substituted(returns, receiver, depth + 1)))
            }
            _ => Rc::clone(of_type),
        }
    }

    fn is_function(&self, symbol: SymbolRef) -> bool {
        self.definition(symbol).is_some_and(|it| it.kind.is_callable())
    }

    /// What a type gives to a type parameter of one of its parents, directly or not.
    pub(crate) fn given_to_parent(
        &mut self,
        of_type: &Rc<Type>,
        owner: SymbolRef,
        position: u8,
        depth: u32,
    ) -> Option<Rc<Type>> {
        let Type::Named(symbol, arguments) = &**of_type else { return None };
        if *symbol == owner {
            return arguments.get(usize::from(position)).map(Rc::clone);
        }
        if depth > 8 {
            return None;
        }
        for base in self.bases_of(of_type) {
            let base = self.substituted(&base, of_type, depth + 1);
            if let Some(given) = self.given_to_parent(&base, owner, position, depth + 1) {
                return Some(given);
            }
        }
        None
    }

    /// What a step makes of a value: awaited, an element, a position.
    pub(crate) fn stepped(
        &mut self,
        meaning: Meaning,
        step: impl FnOnce(&mut Self, &Rc<Type>) -> Rc<Type>,
    ) -> Meaning {
        match meaning.value {
            Value::Unknown(_) | Value::External(_) => meaning,
            other => {
                let of_type = self.instance_type(&other);
                let stepped = step(self, &of_type);
                match &*stepped {
                    Type::Unknown => Meaning::unknown(Why::UnknownReceiver),
                    _ => Meaning { value: Value::Instance(stepped), how: How::Inferred },
                }
            }
        }
    }
}
