//! Finds out what expressions mean.
//!
//! An expression is evaluated in its file, and leads into others. What is found on the way is
//! remembered, together with the names that were looked at: a file has to be linked again when one of
//! those changes, and only then. The memory changes no result: it also counts the work it saves, so
//! that limits are met or not met in the same way whatever was asked before.

use std::cell::RefCell;
use std::rc::Rc;

use languages::{Language, Linking};
use model::{NameId, SymbolFlags, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expression::{Expression, ExpressionId, Expressions};
use crate::interface::{ANY_NUMBER, Definition};
use crate::lexical::is_constant;
use crate::value::{How, Meaning, Module, Type, Value, Why};
use crate::world::{File, SymbolRef, World};

/// Deeper than this nothing is looked for.
const MAX_DEPTH: u32 = 160;
/// Steps after which one question is given up.
const MAX_COST: u32 = 4_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Expression(File, ExpressionId),
    Member(SymbolRef, NameId, Side),
    FreeName(File, NameId, Option<u32>),
    Import(File, u32),
    ModuleMember(Module, NameId),
    Additions(SymbolRef),
    /// By the first part of a type.
    Bases(SymbolRef),
}

/// Whose members are meant, where those of a type are others than those of its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    Any,
    /// What the type itself has.
    Type,
    /// What its values have.
    Value,
}

#[derive(Debug, Clone)]
struct Known {
    meaning: Meaning,
    looked: Rc<[NameId]>,
    height: u32,
    cost: u32,
}

pub(crate) type Parts = (Rc<[SymbolRef]>, Rc<[NameId]>);

pub struct Linker<'w, W: World> {
    pub world: &'w W,
    known: FxHashMap<Key, Known>,
    /// Open questions.
    active: FxHashSet<Key>,
    /// Set where a result depends on where the question began.
    cut: bool,
    looked: RefCell<Vec<NameId>>,
    depth: u32,
    deepest: u32,
    cost: u32,
    /// The file at hand, whose expressions include those of its bodies.
    here: Option<(File, Rc<Expressions>)>,
    pub(crate) by_namespace: FxHashMap<NameId, Rc<FxHashMap<NameId, Vec<SymbolRef>>>>,
    pub(crate) reach: FxHashMap<File, Rc<FxHashSet<File>>>,
    /// Types by full name.
    pub(crate) parts: FxHashMap<NameId, Rc<[SymbolRef]>>,
    /// Parts of the type that a symbol is one of, with the names that were looked at.
    pub(crate) parts_by_symbol: FxHashMap<SymbolRef, Parts>,
}

impl<W: World> std::fmt::Debug for Linker<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Linker").field("known", &self.known.len()).finish_non_exhaustive()
    }
}

impl<'w, W: World> Linker<'w, W> {
    pub fn new(world: &'w W) -> Self {
        Self {
            world,
            known: FxHashMap::default(),
            active: FxHashSet::default(),
            cut: false,
            looked: RefCell::default(),
            depth: 0,
            deepest: 0,
            cost: 0,
            here: None,
            by_namespace: FxHashMap::default(),
            reach: FxHashMap::default(),
            parts: FxHashMap::default(),
            parts_by_symbol: FxHashMap::default(),
        }
    }

    /// Begins with a file; its expressions may be more than its interface has.
    pub(crate) fn enter(&mut self, file: File, expressions: Rc<Expressions>) {
        self.here = Some((file, expressions));
        self.looked.get_mut().clear();
    }

    /// Ends with a file: the names of other files it depends on.
    pub(crate) fn leave(&mut self) -> Vec<NameId> {
        self.here = None;
        let mut looked = std::mem::take(self.looked.get_mut());
        looked.sort_unstable();
        looked.dedup();
        looked
    }

    /// A question from outside, with limits of its own.
    pub(crate) fn ask(&mut self, file: File, expression: ExpressionId) -> Meaning {
        (self.depth, self.deepest, self.cost, self.cut) = (0, 0, 0, false);
        self.evaluate(file, expression)
    }

    /// Notes that an answer depends on what the project has under a name.
    pub(crate) fn look(&self, name: NameId) {
        let mut looked = self.looked.borrow_mut();
        if looked.last() != Some(&name) {
            looked.push(name);
        }
    }

    /// Notes that an answer depends on something that is no name: see [`crate::digest`].
    pub(crate) fn look_at(&self, sign: char, what: &str) {
        self.look(self.world.intern(&format!("{sign}{what}")));
    }

    pub(crate) fn language(&self, file: File) -> &'w Language {
        self.world.language(file)
    }

    pub(crate) fn rules(&self, file: File) -> &'w Linking {
        &self.world.language(file).table.linking
    }

    /// What is known of a symbol. Whoever knows it depends on its name.
    pub(crate) fn definition(&self, symbol: SymbolRef) -> Option<&'w Definition> {
        let definition = self.world.interface(symbol.file).definition(symbol.symbol)?;
        // A file is linked again when it changes itself: only what others remember must be noted.
        let is_own = self.here.as_ref().is_some_and(|(here, _)| *here == symbol.file);
        if !is_own || !self.active.is_empty() {
            self.look(definition.name);
        }
        Some(definition)
    }

    /// Answers a question once. A question inside itself has no answer. What depends on that, or on a
    /// limit, is not remembered: asked elsewhere, it might have another answer, and answers must not
    /// depend on what was asked before.
    pub(crate) fn once(&mut self, key: Key, answer: impl FnOnce(&mut Self) -> Meaning) -> Meaning {
        if let Some(known) = self.known.get(&key) {
            if self.depth + known.height > MAX_DEPTH || self.cost + known.cost > MAX_COST {
                self.cut = true;
                return Meaning::unknown(Why::TooComplex);
            }
            self.cost += known.cost;
            self.deepest = self.deepest.max(self.depth + known.height);
            self.looked.get_mut().extend_from_slice(&known.looked);
            return known.meaning.clone();
        }
        if self.depth >= MAX_DEPTH || self.cost >= MAX_COST || !self.active.insert(key) {
            self.cut = true;
            return Meaning::unknown(Why::TooComplex);
        }
        let before_cut = std::mem::replace(&mut self.cut, false);
        let before_cost = self.cost;
        let before_deepest = std::mem::replace(&mut self.deepest, self.depth);
        let outer = std::mem::take(self.looked.get_mut());
        self.depth += 1;
        self.cost += 1;
        self.deepest = self.depth;
        let meaning = answer(self);
        self.depth -= 1;
        let height = self.deepest - self.depth;
        self.deepest = self.deepest.max(before_deepest);
        self.active.remove(&key);
        let mut looked = std::mem::replace(self.looked.get_mut(), outer);
        looked.sort_unstable();
        looked.dedup();
        self.looked.get_mut().extend_from_slice(&looked);
        if !self.cut {
            let cost = self.cost - before_cost;
            let known = Known { meaning: meaning.clone(), looked: looked.into(), height, cost };
            self.known.insert(key, known);
        }
        self.cut |= before_cut;
        meaning
    }

    /// One step deeper, if that is not too deep.
    pub(crate) fn deeper<T>(&mut self, step: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH || self.cost >= MAX_COST {
            self.cut = true;
            return None;
        }
        self.depth += 1;
        self.cost += 1;
        self.deepest = self.deepest.max(self.depth);
        let done = step(self);
        self.depth -= 1;
        Some(done)
    }

    pub(crate) fn evaluate(&mut self, file: File, id: ExpressionId) -> Meaning {
        if id == ExpressionId::UNKNOWN {
            return Meaning::unknown(Why::UnknownReceiver);
        }
        let world = self.world;
        let interface = world.interface(file);
        if (id.0 as usize) < interface.expressions.len() {
            let expression = interface.expressions.get(id);
            if let Expression::Symbol(symbol) = expression {
                return self.own(file, &[*symbol]);
            }
            return self.once(Key::Expression(file, id), |this| this.meaning_of(file, expression));
        }
        let Some((_, expressions)) = self.here.clone().filter(|(here, _)| *here == file) else {
            return Meaning::unknown(Why::NotFound);
        };
        self.deeper(|this| this.meaning_of(file, expressions.get(id)))
            .unwrap_or_else(|| Meaning::unknown(Why::TooComplex))
    }

    fn own(&mut self, file: File, symbols: &[u32]) -> Meaning {
        let symbols = symbols.iter().map(|symbol| SymbolRef { file, symbol: *symbol }).collect();
        Meaning { value: Value::Symbols(symbols, None), how: How::Scope }
    }

    fn meaning_of(&mut self, file: File, expression: &Expression) -> Meaning {
        match expression {
            Expression::Unknown => Meaning::unknown(Why::UnknownReceiver),
            Expression::Literal(kind) => {
                let word = self.rules(file).literals.get(kind.as_str());
                let name = word.map(|word| self.world.intern(word));
                Meaning {
                    value: Value::Instance(Rc::new(Type::External(name, Vec::new()))),
                    how: How::Scope,
                }
            }
            Expression::Name(name, within) => self.free_name(file, *name, *within),
            Expression::Inherited(symbol, name, otherwise) => {
                let standing = SymbolRef { file, symbol: *symbol };
                let (of_type, how) = self.held_type(standing);
                let side = self.side_of(standing);
                if side != Side::Any && is_constant(&self.world.text(*name)) {
                    return self.constant(standing, &of_type, *name, *otherwise);
                }
                let found = self.member_on(file, &of_type, *name, how, side);
                match found.value {
                    Value::Symbols(..) => {
                        let how = if how == How::Scope { How::Scope } else { found.how };
                        Meaning { how, ..found }
                    }
                    _ => self.evaluate(file, *otherwise),
                }
            }
            Expression::Symbol(symbol) => self.own(file, &[*symbol]),
            Expression::Symbols(symbols) => self.own(file, symbols),
            Expression::Import(import) => {
                self.once(Key::Import(file, *import), |this| this.imported(file, *import))
            }
            Expression::Member(base, name) => {
                let base = self.evaluate(file, *base);
                self.member(file, base, *name)
            }
            Expression::Call(base, arguments) => {
                let base = self.evaluate(file, *base);
                self.call(file, base, *arguments)
            }
            Expression::New(base) | Expression::Instance(base) => {
                let Meaning { value, how } = self.evaluate(file, *base);
                match value {
                    Value::External(name) => Meaning {
                        value: Value::Instance(Rc::new(Type::External(name, Vec::new()))),
                        how,
                    },
                    other => {
                        let of_type = self.as_type(&other);
                        instance(of_type, how, &other)
                    }
                }
            }
            Expression::This(symbol) => {
                let standing = SymbolRef { file, symbol: *symbol };
                let (of_type, how) = self.held_type(standing);
                self.on_side(of_type, how, standing)
            }
            Expression::Super(symbol) => {
                let standing = SymbolRef { file, symbol: *symbol };
                let (of_type, _) = self.held_type(standing);
                let mut bases = self.bases_of(&of_type);
                let parent = match bases.len() {
                    0 => return Meaning::unknown(Why::UnknownReceiver),
                    1 => bases.swap_remove(0),
                    _ => Rc::new(Type::Union(bases)),
                };
                self.on_side(parent, How::Member, standing)
            }
            Expression::Awaited(base) | Expression::Unwrapped(base) => {
                let meaning = self.evaluate(file, *base);
                self.stepped(file, meaning, |linker, of_type| linker.unwrapped(file, of_type))
            }
            Expression::Entered(base) => self.evaluate(file, *base),
            Expression::Element(base) => {
                let meaning = self.evaluate(file, *base);
                self.stepped(file, meaning, |linker, of_type| linker.element(file, of_type))
            }
            Expression::Position(base, position) => {
                let meaning = self.evaluate(file, *base);
                let position = *position;
                self.stepped(file, meaning, |_, of_type| match &**of_type {
                    Type::Tuple(all) => {
                        all.get(usize::from(position)).map_or_else(unknown_type, Rc::clone)
                    }
                    _ if position == 0 => Rc::clone(of_type),
                    _ => unknown_type(),
                })
            }
            Expression::Apply(base, arguments) => {
                let base = self.evaluate(file, *base);
                let arguments: Vec<Rc<Type>> =
                    arguments.iter().map(|each| self.type_at(file, *each)).collect();
                let applied = match (&base.value, &*self.as_type(&base.value)) {
                    (_, Type::Named(symbol, _)) => Type::Named(*symbol, arguments),
                    (Value::External(name), _) => Type::External(*name, arguments),
                    (_, Type::External(name, _)) => Type::External(*name, arguments),
                    _ => Type::External(None, arguments),
                };
                Meaning { value: Value::Type(Rc::new(applied)), how: base.how }
            }
            Expression::Tuple(all) => {
                let all = all.iter().map(|each| self.type_at(file, *each)).collect();
                Meaning { value: Value::Type(Rc::new(Type::Tuple(all))), how: How::Scope }
            }
            Expression::Function(returns) => {
                let returns = self.type_at(file, *returns);
                Meaning { value: Value::Type(Rc::new(Type::Function(returns))), how: How::Scope }
            }
            Expression::Union(all) => {
                let all = all.iter().map(|each| self.type_at(file, *each)).collect();
                Meaning { value: Value::Type(Rc::new(Type::Union(all))), how: How::Scope }
            }
            Expression::Parameter(owner, position, bound) => {
                let bound = self.type_at(file, *bound);
                let owner = SymbolRef { file, symbol: *owner };
                let owner = self.held_symbol(owner);
                Meaning {
                    value: Value::Type(Rc::new(Type::Parameter(owner, *position, bound))),
                    how: How::Scope,
                }
            }
        }
    }

    fn stepped(
        &mut self,
        _: File,
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

    fn call(&mut self, file: File, base: Meaning, arguments: Option<u16>) -> Meaning {
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
            Value::Type(_) if self.rules(file).separate_static => base,
            Value::Type(of_type) => {
                Meaning { value: Value::Instance(Rc::clone(of_type)), how: base.how }
            }
            Value::Instance(of_type) => match &**of_type {
                Type::Function(returns) => instance(Rc::clone(returns), How::Inferred, &base.value),
                Type::External(name, _) => Meaning::external(*name),
                _ => Meaning::unknown(Why::UnknownReceiver),
            },
            Value::Symbols(symbols, receiver) => {
                if let Some(applied) = self.applied(file, symbols) {
                    return self.call(file, applied, arguments);
                }
                let chosen = self.select(file, symbols, arguments);
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
                        self.returned(symbol, receiver.as_ref())
                    }
                    _ => {
                        let held = self.returned(symbol, receiver.as_ref());
                        match &*held {
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

    /// Of several definitions of a name, those that a call with so many arguments can mean.
    pub(crate) fn select(
        &mut self,
        file: File,
        symbols: &Rc<[SymbolRef]>,
        arguments: Option<u16>,
    ) -> Rc<[SymbolRef]> {
        if symbols.len() < 2 {
            return Rc::clone(symbols);
        }
        let rules = self.rules(file);
        let mut left: Vec<SymbolRef> = symbols.to_vec();
        let keep = |left: &mut Vec<SymbolRef>, this: &Self, fits: &dyn Fn(&Definition) -> bool| {
            let fitting: Vec<SymbolRef> = left
                .iter()
                .copied()
                .filter(|symbol| this.definition(*symbol).is_some_and(fits))
                .collect();
            if !fitting.is_empty() {
                *left = fitting;
            }
        };
        // What is called can be called; what is not is rather a value or a type.
        match arguments {
            Some(_) => {
                keep(&mut left, self, &|definition| {
                    definition.kind.is_callable()
                        || matches!(
                            definition.kind,
                            SymbolKind::Class
                                | SymbolKind::Struct
                                | SymbolKind::Record
                                | SymbolKind::Object
                                | SymbolKind::EnumMember
                        )
                });
                keep(&mut left, self, &|definition| {
                    !matches!(definition.kind, SymbolKind::Interface | SymbolKind::TypeAlias)
                });
            }
            None => keep(&mut left, self, &|definition| !definition.kind.is_callable()),
        }
        if let (true, Some(arguments)) = (rules.overloads, arguments) {
            keep(&mut left, self, &|definition| {
                let (least, most) = definition.parameters;
                !definition.kind.is_callable()
                    || (u16::from(least) <= arguments
                        && (most == ANY_NUMBER || arguments <= u16::from(most)))
            });
        }
        // An announcement is not the thing.
        keep(&mut left, self, &|definition| !definition.flags.has(SymbolFlags::DECLARATION));
        if !rules.overloads && left.len() > 1 {
            // Of definitions in one file, either the last is what remains, or one is compiled: most
            // likely the first, as the others are for rarer systems.
            let (first, last) = (left[0], left[left.len() - 1]);
            if left.iter().all(|symbol| symbol.file == last.file) {
                left = vec![if rules.later_replaces { last } else { first }];
            }
        }
        left.into()
    }

    pub(crate) fn member(&mut self, file: File, base: Meaning, name: NameId) -> Meaning {
        match &base.value {
            Value::Unknown(_) => Meaning::unknown(Why::UnknownReceiver),
            Value::External(_) => base,
            Value::Module(module) => {
                let found = self.in_module(*module, name);
                Meaning { how: found.how.max(base.how), ..found }
            }
            Value::Instance(of_type) | Value::Type(of_type) => {
                let of_type = Rc::clone(of_type);
                let side = match (&base.value, self.rules(file).separate_static) {
                    (_, false) => Side::Any,
                    (Value::Type(_), true) => Side::Type,
                    _ => Side::Value,
                };
                self.member_in(file, &of_type, name, base.how, side)
            }
            Value::Symbols(symbols, receiver) => {
                let object = self.object_among(file, symbols);
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
                        self.in_module(Module::Inner(symbol), name)
                    }
                    kind if kind.is_callable()
                        && !self.rules(file).bare_calls
                        && !matches!(kind, SymbolKind::Getter | SymbolKind::Setter) =>
                    {
                        self.look(name);
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
                            self.look(name);
                            let how = base.how.max(How::Member);
                            return Meaning { value: Value::Symbols(own, None), how };
                        }
                        let of_type = self.instance_type(&base.value);
                        let side = match self.rules(file).separate_static {
                            false => Side::Any,
                            true if definition.kind.has_members() => Side::Type,
                            true => Side::Value,
                        };
                        self.member_in(file, &of_type, name, base.how, side)
                    }
                }
            }
        }
    }
}

pub(crate) fn unknown_type() -> Rc<Type> {
    Rc::new(Type::Unknown)
}

fn instance(of_type: Rc<Type>, how: How, base: &Value) -> Meaning {
    match &*of_type {
        Type::Unknown => match base {
            Value::External(name) => Meaning::external(*name),
            _ => Meaning::unknown(Why::UnknownReceiver),
        },
        _ => Meaning { value: Value::Instance(of_type), how },
    }
}
