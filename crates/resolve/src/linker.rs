//! Finds out what expressions mean.
//!
//! An expression is evaluated in its file, and leads into others. What is found on the way is
//! remembered, together with the names that were looked at: a file has to be linked again when one of
//! those changes, and only then. The memory changes no result: it also counts the work it saves, so
//! that limits are met or not met in the same way whatever was asked before.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use languages::{Language, Linking};
use model::{LiteralKind, NameId, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::access::instance;
use crate::digest::Thing;
use crate::expression::{Expression, ExpressionId, Expressions};
use crate::interface::Definition;
use crate::overloads::Passed;
use crate::value::{How, Meaning, Module, Type, Value, Why, unknown_type};
use crate::world::{File, SymbolRef, World};

/// Deeper than this nothing is looked for.
const MAX_DEPTH: u32 = 160;
/// More answers than this are not remembered from one file to the next.
const MAX_KNOWN: usize = 200_000;
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
    Ancestors(SymbolRef),
    /// What a member of no known name would be.
    Outside(SymbolRef, Side),
    /// The order in which types are asked, for constants or for others.
    Line(SymbolRef, Side, bool),
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

/// An answer of the file at hand, which has noted the names that were looked at for it.
#[derive(Debug, Clone)]
struct KnownHere {
    meaning: Meaning,
    height: u32,
    cost: u32,
}

pub(crate) type Parts = (Rc<[SymbolRef]>, Rc<[NameId]>);

/// An answer, and the names that were looked at for it.
pub(crate) type Noted<T> = (T, Rc<[NameId]>);

pub struct Linker<'w, W: World> {
    pub world: &'w W,
    known: FxHashMap<Key, Known>,
    /// Open questions.
    active: FxHashSet<Key>,
    /// Set where a result depends on where the question began.
    cut: bool,
    looked: RefCell<Vec<NameId>>,
    /// How many want to know for themselves what is looked at.
    watching: u32,
    /// Answers whose names are among those the file at hand has noted.
    noted: FxHashSet<Key>,
    depth: u32,
    deepest: u32,
    cost: u32,
    /// The file at hand, whose expressions include those of its bodies.
    here: Option<(File, Rc<Expressions>)>,
    /// What expressions of its bodies mean, once they were asked for.
    known_here: Vec<Option<KnownHere>>,
    pub(crate) by_namespace: FxHashMap<NameId, Rc<FxHashMap<NameId, Vec<SymbolRef>>>>,
    /// Constructors by file and type.
    pub(crate) constructors: FxHashMap<File, Rc<FxHashMap<u32, Vec<u32>>>>,
    pub(crate) reach: FxHashMap<File, Rc<FxHashSet<File>>>,
    /// Modules by the directory and language of who asks, and the source.
    pub(crate) module_paths: FxHashMap<(NameId, *const Language, NameId), Noted<Value>>,
    /// Macros that open namespaces, with these.
    pub(crate) opening_macros: OnceCell<Rc<[(String, String)]>>,
    /// Members of values that are their classes.
    pub(crate) class_members: RefCell<Vec<(&'w str, NameId)>>,
    /// Types that have a member of that name.
    pub(crate) owners: FxHashMap<NameId, Rc<FxHashSet<SymbolRef>>>,
    /// The gem of a file.
    pub(crate) homes: RefCell<FxHashMap<File, Option<(usize, bool)>>>,
    /// Types by full name.
    pub(crate) parts: FxHashMap<NameId, Rc<[SymbolRef]>>,
    /// Parts of the type that a symbol is one of, with the names that were looked at.
    pub(crate) parts_by_symbol: FxHashMap<SymbolRef, Parts>,
    /// Of parts of a type, the main one.
    pub(crate) main_parts: FxHashMap<Rc<[SymbolRef]>, Rc<[SymbolRef]>>,
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
            watching: 0,
            noted: FxHashSet::default(),
            depth: 0,
            deepest: 0,
            cost: 0,
            here: None,
            known_here: Vec::new(),
            by_namespace: FxHashMap::default(),
            constructors: FxHashMap::default(),
            reach: FxHashMap::default(),
            module_paths: FxHashMap::default(),
            opening_macros: OnceCell::new(),
            class_members: RefCell::default(),
            owners: FxHashMap::default(),
            homes: RefCell::default(),
            parts: FxHashMap::default(),
            parts_by_symbol: FxHashMap::default(),
            main_parts: FxHashMap::default(),
        }
    }

    /// Begins with a file; its expressions may be more than its interface has.
    pub(crate) fn enter(&mut self, file: File, expressions: Rc<Expressions>) {
        self.known_here.clear();
        self.known_here.resize(expressions.len(), None);
        self.here = Some((file, expressions));
        self.looked.get_mut().clear();
        self.noted.clear();
        // Whatever is forgotten is found out again.
        if self.known.len() > MAX_KNOWN {
            self.known.clear();
        }
    }

    /// Ends with a file: the names of other files it depends on.
    pub(crate) fn leave(&mut self) -> Vec<NameId> {
        self.here = None;
        let mut looked = std::mem::take(self.looked.get_mut());
        looked.sort_unstable();
        looked.dedup();
        looked
    }

    /// The next question has limits of its own.
    pub(crate) fn begin(&mut self) {
        (self.depth, self.deepest, self.cost, self.cut) = (0, 0, 0, false);
    }

    /// A question from outside.
    pub(crate) fn ask(&mut self, file: File, expression: ExpressionId) -> Meaning {
        self.begin();
        self.evaluate(file, expression)
    }

    /// Notes that an answer depends on what the project has under a name.
    pub(crate) fn look(&self, name: NameId) {
        let mut looked = self.looked.borrow_mut();
        if looked.last() != Some(&name) {
            looked.push(name);
        }
    }

    /// Asks without taking note of what was looked at: for what depends on nothing that is not noted
    /// elsewhere.
    pub(crate) fn quietly<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        self.watched(ask).0
    }

    /// Asks, and tells what was looked at instead of taking note of it.
    pub(crate) fn watched<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> Noted<T> {
        let before = std::mem::take(self.looked.get_mut());
        self.watching += 1;
        let answer = ask(self);
        self.watching -= 1;
        let mut looked = std::mem::replace(self.looked.get_mut(), before);
        looked.sort_unstable();
        looked.dedup();
        (answer, looked.into())
    }

    /// Notes that an answer depends on something that is no name.
    pub(crate) fn look_at(&self, thing: Thing<'_>) {
        self.look(thing.key());
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
            let (height, cost) = (known.height, known.cost);
            if !self.spend(height, cost) {
                return Meaning::unknown(Why::TooComplex);
            }
            let known = &self.known[&key];
            // What a file has noted once need not be noted again.
            if !self.active.is_empty() || self.noted.insert(key) {
                self.looked.get_mut().extend_from_slice(&known.looked);
            }
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
        if self.active.len() == 1 {
            self.noted.insert(key);
        }
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
        self.farther(1, step)
    }

    /// So many steps deeper, if that is not too deep.
    pub(crate) fn farther<T>(
        &mut self,
        steps: u32,
        step: impl FnOnce(&mut Self) -> T,
    ) -> Option<T> {
        if self.depth + steps > MAX_DEPTH || self.cost >= MAX_COST {
            self.cut = true;
            return None;
        }
        self.depth += steps;
        self.cost += 1;
        self.deepest = self.deepest.max(self.depth);
        let done = step(self);
        self.depth -= steps;
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
        self.once_here(id, |this| this.meaning_of(file, expressions.get(id)))
    }

    /// Counts work that was done before; false if that is too much.
    fn spend(&mut self, height: u32, cost: u32) -> bool {
        if self.depth + height > MAX_DEPTH || self.cost + cost > MAX_COST {
            self.cut = true;
            return false;
        }
        self.cost += cost;
        self.deepest = self.deepest.max(self.depth + height);
        true
    }

    /// Answers a question about an expression of the file at hand once. Where somebody else takes note of
    /// the names that are looked at, it is asked again.
    fn once_here(
        &mut self,
        id: ExpressionId,
        answer: impl FnOnce(&mut Self) -> Meaning,
    ) -> Meaning {
        let is_noted = self.active.is_empty() && self.watching == 0;
        if let (true, Some(known)) = (is_noted, self.known_here[id.0 as usize].clone()) {
            return match self.spend(known.height, known.cost) {
                true => known.meaning,
                false => Meaning::unknown(Why::TooComplex),
            };
        }
        let before_cut = std::mem::replace(&mut self.cut, false);
        let before_cost = self.cost;
        let before_deepest = std::mem::replace(&mut self.deepest, self.depth);
        let meaning = self.deeper(answer).unwrap_or_else(|| Meaning::unknown(Why::TooComplex));
        let height = self.deepest - self.depth;
        self.deepest = self.deepest.max(before_deepest);
        if is_noted && !self.cut {
            let cost = self.cost - before_cost;
            self.known_here[id.0 as usize] =
                Some(KnownHere { meaning: meaning.clone(), height, cost });
        }
        self.cut |= before_cut;
        meaning
    }

    /// An expression as it stands there.
    pub(crate) fn expression_at(&self, file: File, id: ExpressionId) -> Expression {
        let interface = self.world.interface(file);
        if (id.0 as usize) < interface.expressions.len() {
            return interface.expressions.get(id).clone();
        }
        match &self.here {
            Some((here, expressions)) if *here == file => expressions.get(id).clone(),
            _ => Expression::Unknown,
        }
    }

    fn own(&mut self, file: File, symbols: &[u32]) -> Meaning {
        let symbols = symbols.iter().map(|symbol| SymbolRef { file, symbol: *symbol }).collect();
        Meaning { value: Value::Symbols(symbols, None), how: How::Scope }
    }

    fn meaning_of(&mut self, file: File, expression: &Expression) -> Meaning {
        match expression {
            Expression::Unknown => Meaning::unknown(Why::UnknownReceiver),
            Expression::Literal(kind) => {
                let name = self.rules(file).literals.get(kind.as_str());
                let name = name.map(|name| self.world.intern(name));
                Meaning {
                    value: Value::Instance(Rc::new(Type::External(name, Vec::new()))),
                    how: How::Scope,
                }
            }
            Expression::Name(name, within) => self.free_name(file, *name, *within),
            Expression::Inherited(symbol, name, otherwise) => {
                self.own_or_inherited(SymbolRef { file, symbol: *symbol }, *name, *otherwise)
            }
            Expression::InheritedType(symbol, name, otherwise) => {
                let (of_type, how) = self.held_type(SymbolRef { file, symbol: *symbol });
                let found = self.member_on(file, &of_type, *name, how, Side::Any);
                match &found.value {
                    Value::Symbols(symbols, _) if self.are_types(symbols) => {
                        let how = if how == How::Scope { How::Scope } else { found.how };
                        Meaning { how, ..found }
                    }
                    _ => self.evaluate(file, *otherwise),
                }
            }
            Expression::Generic(base) => {
                let mut base = self.evaluate(file, *base);
                if let Value::Symbols(symbols, through) = base.value {
                    base.value = Value::Symbols(self.with_parameters(&symbols, 1), through);
                }
                base
            }
            Expression::TypeOf(value) => {
                let meaning = self.evaluate(file, *value);
                let of_type = self.instance_type(&meaning.value);
                match &*of_type {
                    Type::Named(symbol, _) => Meaning {
                        value: Value::Symbols(Rc::from([*symbol]), Some(Rc::clone(&of_type))),
                        how: meaning.how.max(How::Member),
                    },
                    Type::External(name, _) => Meaning::external(*name),
                    _ => Meaning::unknown(Why::UnknownReceiver),
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
            Expression::Constant(base) => self.evaluate(file, *base),
            Expression::Call(callee, count, known) => {
                let base = self.evaluate(file, *callee);
                let callee = Some((*callee, None));
                self.call(base, Passed { file, count: *count, known, callee })
            }
            Expression::New(base) | Expression::Instance(base) => {
                let meaning = self.evaluate(file, *base);
                let Meaning { value, how } = self.called_module(meaning);
                match value {
                    Value::External(name) => Meaning {
                        value: Value::Instance(Rc::new(Type::External(name, Vec::new()))),
                        how,
                    },
                    // A type that nobody in the project defines is outside, and known by its name.
                    Value::Unknown(Why::NotFound) => match self.outside_name(file, *base) {
                        Some(name) => Meaning {
                            value: Value::Instance(Rc::new(Type::External(Some(name), Vec::new()))),
                            how,
                        },
                        None => Meaning { value, how },
                    },
                    other => {
                        let of_type = self.as_type(&other);
                        instance(of_type, how, &other)
                    }
                }
            }
            Expression::This(symbol) => {
                let standing = SymbolRef { file, symbol: *symbol };
                if self.is_exported_object(standing) {
                    let value = Value::Module(Module::File(file));
                    return Meaning { value, how: How::Scope };
                }
                let (of_type, how) = self.held_type(standing);
                self.on_side(of_type, how, standing)
            }
            Expression::Super(symbol) => {
                let standing = SymbolRef { file, symbol: *symbol };
                let (of_type, _) = self.held_type(standing);
                let mut bases = self.parents_of(&of_type);
                let parent = match bases.len() {
                    0 => return Meaning::unknown(Why::UnknownReceiver),
                    1 => bases.swap_remove(0),
                    _ => Rc::new(Type::Union(bases)),
                };
                self.on_side(parent, How::Member, standing)
            }
            Expression::Parent(symbol) => {
                let bases = self.bases_of_symbol(SymbolRef { file, symbol: *symbol });
                let extended = bases.into_iter().find(|base| match &**base {
                    Type::Named(symbol, _) => {
                        let kind = self.definition(*symbol).map(|it| it.kind);
                        !matches!(kind, Some(SymbolKind::Interface | SymbolKind::Trait))
                    }
                    _ => true,
                });
                match extended.as_deref() {
                    Some(Type::Named(symbol, _)) => Meaning {
                        value: Value::Symbols(Rc::from([*symbol]), extended.clone()),
                        how: How::Member,
                    },
                    Some(Type::External(name, _)) => Meaning::external(*name),
                    _ => Meaning::unknown(Why::UnknownReceiver),
                }
            }
            Expression::Awaited(base) => {
                let meaning = self.evaluate(file, *base);
                match meaning.value {
                    // `await import("./module")`
                    Value::Module(_) => meaning,
                    _ => self.stepped(meaning, |linker, of_type| linker.awaited(file, of_type)),
                }
            }
            Expression::Unwrapped(base) => {
                let meaning = self.evaluate(file, *base);
                self.stepped(meaning, |linker, of_type| linker.unwrapped(file, of_type))
            }
            Expression::Entered(base) => {
                let meaning = self.evaluate(file, *base);
                self.entered(file, meaning)
            }
            Expression::Given(call, argument, parameter) => {
                self.given_to_closure(file, *call, *argument, *parameter)
            }
            Expression::Closure(_) => {
                let function = Expression::Literal(LiteralKind::Function);
                self.meaning_of(file, &function)
            }
            Expression::Element(base) => {
                let meaning = self.evaluate(file, *base);
                self.stepped(meaning, |linker, of_type| linker.element(file, of_type))
            }
            Expression::Position(base, position) => {
                let mut meaning = self.evaluate(file, *base);
                let position = *position;
                if let Some(fields) = self.numbered_fields(file, &meaning.value) {
                    meaning.value = Value::Instance(fields);
                }
                self.stepped(meaning, |_, of_type| match &**of_type {
                    Type::Tuple(all) => {
                        all.get(usize::from(position)).map_or_else(unknown_type, Rc::clone)
                    }
                    _ if position == 0 => Rc::clone(of_type),
                    _ => unknown_type(),
                })
            }
            Expression::Apply(base, arguments) => {
                let outside = self.outside_name(file, *base);
                let mut base = self.evaluate(file, *base);
                if let Value::Symbols(symbols, through) = base.value {
                    let symbols = self.with_parameters(&symbols, arguments.len());
                    base.value = Value::Symbols(symbols, through);
                }
                let arguments: Vec<Rc<Type>> =
                    arguments.iter().map(|each| self.type_at(file, *each)).collect();
                if let Some(aliased) = self.applied_alias(&base.value, &arguments) {
                    return Meaning { value: Value::Type(aliased), how: base.how };
                }
                let applied = match (&base.value, &*self.as_type(&base.value)) {
                    (_, Type::Named(symbol, _)) => Type::Named(*symbol, arguments),
                    (Value::External(name), _) => Type::External(*name, arguments),
                    (Value::Unknown(Why::NotFound), _) if outside.is_some() => {
                        Type::External(outside, arguments)
                    }
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
            Expression::Object(parts) => {
                let part =
                    |(name, part): &(NameId, ExpressionId)| (*name, self.type_at(file, *part));
                let parts = parts.iter().map(part).collect();
                Meaning { value: Value::Type(Rc::new(Type::Object(parts))), how: How::Scope }
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
}
