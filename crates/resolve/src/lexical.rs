//! What a name means inside its own file, and what is left to ask of others.

mod calls;
mod written;

use std::rc::Rc;

use languages::Language;
use model::{
    Argument, Base, Binding, BindingKind, NameId, Origin, Reference, ReferenceFlags, Role, Scope,
    ScopeKind, Step, SymbolKind,
};
use rustc_hash::FxHashMap;

use crate::expression::{Expression, ExpressionId, Expressions};
use crate::interface::{Definition, Imported};

/// Short texts by number, in both directions.
pub trait Texts {
    fn text(&self, name: NameId) -> Rc<str>;
    fn intern(&mut self, text: &str) -> NameId;
}

/// What only the file itself knows.
#[derive(Debug, Clone, Copy)]
pub struct Body<'b> {
    pub scopes: &'b [Scope],
    pub bindings: &'b [Binding],
    pub references: &'b [Reference],
    pub arguments: &'b [Argument],
}

impl<'b> Body<'b> {
    pub fn of(facts: &'b model::FileFacts) -> Self {
        Self {
            scopes: &facts.scopes,
            bindings: &facts.bindings,
            references: &facts.references,
            arguments: &facts.arguments,
        }
    }
}

/// What a bare name leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meant {
    /// A local name.
    Binding(u32),
    Expression(ExpressionId),
}

/// Reads the names of one file.
pub(crate) struct Lexical<'l> {
    language: &'l Language,
    body: Body<'l>,
    definitions: &'l [Definition],
    expressions: Expressions,
    texts: &'l mut dyn Texts,
    /// What is bound in which scope, sorted.
    bound: Vec<(u32, NameId, u32, Bound)>,
    /// Symbols and imports by scope and name, as they were found before.
    found: FxHashMap<(u32, NameId, bool, bool), Option<Meant>>,
    values: FxHashMap<u32, ExpressionId>,
    meanings: FxHashMap<u32, ExpressionId>,
    binding_values: FxHashMap<u32, Option<ExpressionId>>,
    depth: u32,
    /// The type whose head is being read: its members cannot be meant there.
    head_of: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bound {
    Binding(u32),
    Symbol(u32),
    Import(u32),
}

/// Longer chains of values are given up.
const MAX_DEPTH: u32 = 120;
/// Of more definitions of one name in one scope, those in the middle are passed over.
const MAX_ALIKE: usize = 32;

impl std::fmt::Debug for Lexical<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lexical").finish_non_exhaustive()
    }
}

impl<'l> Lexical<'l> {
    pub(crate) fn new(
        language: &'l Language,
        body: Body<'l>,
        definitions: &'l [Definition],
        imports: &'l [Imported],
        expressions: Expressions,
        texts: &'l mut dyn Texts,
    ) -> Self {
        let mut bound = Vec::with_capacity(body.bindings.len() + definitions.len() + imports.len());
        for (index, binding) in body.bindings.iter().enumerate() {
            bound.push((binding.scope, binding.name, binding.start, Bound::Binding(index as u32)));
        }
        for (index, definition) in definitions.iter().enumerate() {
            if let Some(scope) = definition.bound_in {
                bound.push((scope, definition.name, 0, Bound::Symbol(index as u32)));
            }
        }
        for (index, import) in imports.iter().enumerate() {
            if let Some(name) = crate::modules::local_name(language, import, texts) {
                bound.push((import.scope, name, 0, Bound::Import(index as u32)));
            }
        }
        bound.sort_unstable();
        Self {
            language,
            body,
            definitions,
            expressions,
            texts,
            bound,
            found: FxHashMap::default(),
            values: FxHashMap::default(),
            meanings: FxHashMap::default(),
            binding_values: FxHashMap::default(),
            depth: 0,
            head_of: None,
        }
    }

    pub(crate) fn into_expressions(self) -> Expressions {
        self.expressions
    }

    pub(crate) fn push(&mut self, expression: Expression) -> ExpressionId {
        match expression {
            Expression::Instance(ExpressionId::UNKNOWN)
            | Expression::Member(ExpressionId::UNKNOWN, _)
            | Expression::Call(ExpressionId::UNKNOWN, ..)
            | Expression::New(ExpressionId::UNKNOWN)
            | Expression::Awaited(ExpressionId::UNKNOWN)
            | Expression::Element(ExpressionId::UNKNOWN)
            | Expression::TypeOf(ExpressionId::UNKNOWN)
            | Expression::Generic(ExpressionId::UNKNOWN)
            | Expression::Unwrapped(ExpressionId::UNKNOWN)
            | Expression::Entered(ExpressionId::UNKNOWN)
            | Expression::Position(ExpressionId::UNKNOWN, _) => ExpressionId::UNKNOWN,
            other => self.expressions.push(other),
        }
    }

    /// What the name of a reference stands for, before it is called.
    pub(crate) fn meaning(&mut self, reference: u32) -> ExpressionId {
        if let Some(known) = self.meanings.get(&reference) {
            return *known;
        }
        self.meanings.insert(reference, ExpressionId::UNKNOWN);
        let expression = match self.meant(reference) {
            Meant::Expression(expression) => expression,
            Meant::Binding(binding) => self.binding_value(binding),
        };
        let fact = self.body.references.get(reference as usize);
        let expression = match fact.is_some_and(|it| it.flags.has(ReferenceFlags::GENERIC)) {
            true => self.push(Expression::Generic(expression)),
            false => expression,
        };
        self.meanings.insert(reference, expression);
        expression
    }

    /// The same, told apart from local names.
    pub(crate) fn meant(&mut self, reference: u32) -> Meant {
        let Some(fact) = self.body.references.get(reference as usize).copied() else {
            return Meant::Expression(ExpressionId::UNKNOWN);
        };
        if self.depth > MAX_DEPTH {
            return Meant::Expression(ExpressionId::UNKNOWN);
        }
        if let Some(object) = self.constructed_word(&fact) {
            return Meant::Expression(object);
        }
        if fact.flags.has(ReferenceFlags::CONSTRUCT) && &*self.texts.text(fact.name) == "new" {
            return Meant::Expression(self.expected(fact));
        }
        if fact.receiver.base == Base::None && !fact.flags.has(ReferenceFlags::MEMBER) {
            if fact.flags.has(ReferenceFlags::CONSTRUCT)
                && self.language.table.linking.overloads
                && let Some(expression) = self.own_constructor(fact)
            {
                return Meant::Expression(expression);
            }
            // PHP's `A\\B` before a name is one reference.
            let text = self.texts.text(fact.name);
            if text.contains('\\') {
                let parts: Vec<&str> = text.split('\\').filter(|part| !part.is_empty()).collect();
                if !parts.is_empty() {
                    return Meant::Expression(self.path(&parts, fact.scope, fact.symbol));
                }
            }
            let before = self.head_of;
            if matches!(fact.role, Role::Extends | Role::Implements) {
                self.head_of = fact.symbol;
            }
            let meant = match self.names_type(fact) {
                true => self.lookup_type(fact.name, fact.scope, fact.symbol),
                false => self.lookup(fact.name, fact.scope, fact.start, fact.symbol),
            };
            self.head_of = before;
            return meant;
        }
        self.depth += 1;
        let receiver = self.origin(fact.receiver, fact.symbol, fact.scope);
        self.depth -= 1;
        Meant::Expression(self.push(Expression::Member(receiver, fact.name)))
    }

    /// `super(…)`, `new self(…)`: words that stand for a type where something is constructed.
    fn constructed_word(&mut self, fact: &Reference) -> Option<ExpressionId> {
        let flags = fact.flags;
        // Without arguments it is a literal, as Rust's `Self { … }`, and calls nothing.
        let is_call = flags.has(ReferenceFlags::CONSTRUCT) && fact.arguments.is_some();
        if !is_call || flags.has(ReferenceFlags::MEMBER) {
            return None;
        }
        let text = self.texts.text(fact.name);
        let is_one_of = |words: &[String]| words.iter().any(|word| **word == *text);
        let table = &self.language.table;
        let (is_this, is_super) = (is_one_of(&table.this), is_one_of(&table.super_names));
        if !is_this && !is_super {
            return None;
        }
        // Python's `cls` may be any variable.
        let meant = self.lookup(fact.name, fact.scope, fact.start, fact.symbol);
        if let Meant::Binding(_) = meant {
            return None;
        }
        let object = self.object_of(fact.symbol, fact.scope)?;
        Some(self.expressions.push(match is_super {
            true => Expression::Super(object),
            false => Expression::This(object),
        }))
    }

    /// What the expression that a reference stands for gives.
    pub(crate) fn value(&mut self, reference: u32) -> ExpressionId {
        if let Some(known) = self.values.get(&reference) {
            return *known;
        }
        self.values.insert(reference, ExpressionId::UNKNOWN);
        let meaning = self.meaning(reference);
        let fact = self.body.references[reference as usize];
        let value = match fact.role {
            Role::Call if fact.flags.has(ReferenceFlags::CONSTRUCT) => {
                self.push(Expression::New(meaning))
            }
            Role::Call => {
                let passed = self.passed(reference);
                self.push(Expression::Call(meaning, fact.arguments, passed))
            }
            _ => meaning,
        };
        self.values.insert(reference, value);
        value
    }

    /// What a value comes from.
    pub(crate) fn origin(
        &mut self,
        origin: Origin,
        symbol: Option<u32>,
        scope: u32,
    ) -> ExpressionId {
        self.origin_at(origin, symbol, scope, u32::MAX)
    }

    /// The same, seen from a place.
    fn origin_at(
        &mut self,
        origin: Origin,
        symbol: Option<u32>,
        scope: u32,
        at: u32,
    ) -> ExpressionId {
        let base = match origin.base {
            Base::Local(name) => match self.lookup(name, scope, at, symbol) {
                Meant::Expression(expression) => expression,
                Meant::Binding(binding) => self.binding_value(binding),
            },
            Base::None | Base::Unknown => return ExpressionId::UNKNOWN,
            Base::Literal(kind) => self.expressions.push(Expression::Literal(kind)),
            Base::This | Base::Super => match self.object_of(symbol, scope) {
                None => ExpressionId::UNKNOWN,
                Some(object) if origin.base == Base::This => {
                    self.expressions.push(Expression::This(object))
                }
                Some(object) => self.expressions.push(Expression::Super(object)),
            },
            Base::Reference(reference) if (reference as usize) < self.body.references.len() => {
                if self.depth > MAX_DEPTH {
                    return ExpressionId::UNKNOWN;
                }
                self.depth += 1;
                let value = self.value(reference);
                self.depth -= 1;
                value
            }
            Base::Reference(_) => ExpressionId::UNKNOWN,
            Base::Type(name) => {
                let of_type = self.written_type_at(name, scope, symbol);
                self.push(Expression::Instance(of_type))
            }
        };
        self.push(match origin.step {
            Step::Same => return base,
            Step::Awaited => Expression::Awaited(base),
            Step::Element => Expression::Element(base),
            Step::Unwrapped => Expression::Unwrapped(base),
            Step::Entered => Expression::Entered(base),
            Step::Member(name) => Expression::Member(base, name),
            Step::Position(position) => Expression::Position(base, position),
        })
    }

    /// Whether the place of a name tells that it is a type. Only languages that tell types from values
    /// wherever they stand are asked; they may give both the same name.
    fn names_type(&self, fact: Reference) -> bool {
        self.language.table.linking.overloads
            && (matches!(fact.role, Role::Type | Role::Extends | Role::Implements)
                || fact.flags.has(ReferenceFlags::CONSTRUCT))
    }

    /// What a bare name means where only a type can be meant.
    fn lookup_type(&mut self, name: NameId, scope: u32, symbol: Option<u32>) -> Meant {
        self.lookup_as(name, scope, u32::MAX, symbol, true)
    }

    /// What a bare name means at a place.
    fn lookup(&mut self, name: NameId, scope: u32, at: u32, symbol: Option<u32>) -> Meant {
        self.lookup_as(name, scope, at, symbol, false)
    }

    fn lookup_as(
        &mut self,
        name: NameId,
        scope: u32,
        at: u32,
        symbol: Option<u32>,
        is_type: bool,
    ) -> Meant {
        let implicit = self.language.table.linking.implicit_members;
        let mut types_around: Vec<u32> = Vec::new();
        let mut crossed_function = false;
        let mut next = Some(scope);
        let mut found = None;
        let mut steps = 0;
        while let Some(current) = next {
            let Some(fact) = self.body.scopes.get(current as usize).copied() else { break };
            let is_in_type = fact.kind == ScopeKind::Type;
            let with_symbols = !is_in_type || (!implicit && !crossed_function);
            found = self.find(current, name, at, with_symbols, is_type);
            if found.is_some() {
                break;
            }
            if let (true, Some(symbol)) = (implicit, fact.symbol) {
                let definition = &self.definitions[symbol as usize];
                let is_outside = definition.owner.is_none()
                    && definition.qualifier.is_some()
                    && definition.kind.is_callable();
                if self.head_of != Some(symbol) && (definition.kind.has_members() || is_outside) {
                    types_around.push(symbol);
                }
            }
            crossed_function |= fact.kind == ScopeKind::Function;
            steps += 1;
            next = if steps > 4096 { None } else { fact.parent };
        }
        let mut expression = match found {
            Some(Meant::Binding(binding)) if types_around.is_empty() => {
                return Meant::Binding(binding);
            }
            Some(Meant::Binding(binding)) => self.binding_value(binding),
            Some(Meant::Expression(expression)) => expression,
            None => {
                let within = self.holder_of(symbol);
                self.expressions.push(Expression::Name(name, within))
            }
        };
        for symbol in types_around.into_iter().rev() {
            expression = self.expressions.push(match is_type {
                true => Expression::InheritedType(symbol, name, expression),
                false => Expression::Inherited(symbol, name, expression),
            });
        }
        Meant::Expression(expression)
    }

    fn find(
        &mut self,
        scope: u32,
        name: NameId,
        at: u32,
        with_symbols: bool,
        is_type: bool,
    ) -> Option<Meant> {
        let from = self.bound.partition_point(|(s, n, ..)| (*s, *n) < (scope, name));
        if self.bound.get(from).is_none_or(|(s, n, ..)| (*s, *n) != (scope, name)) {
            return None;
        }
        let length = self.bound[from..].partition_point(|(s, n, ..)| (*s, *n) == (scope, name));
        let here = &self.bound[from..from + length];
        // Symbols and imports have no place of their own and stand first; bindings follow in order. The
        // last one before the place is meant, or one behind it if there is no other.
        let before = here.partition_point(|(_, _, start, _)| *start <= at);
        let bindings = here[..before].iter().rev().chain(&here[before..]);
        let binding = bindings.take(MAX_ALIKE).find_map(|(.., bound)| match bound {
            Bound::Binding(index) => {
                let kind = self.body.bindings[*index as usize].kind;
                (!is_type || kind == BindingKind::TypeParameter).then_some(*index)
            }
            _ => None,
        });
        if let Some(binding) = binding {
            return Some(Meant::Binding(binding));
        }
        if let Some(known) = self.found.get(&(scope, name, with_symbols, is_type)) {
            return *known;
        }
        let (mut symbols, mut import) = (Vec::new(), None);
        for (.., bound) in here {
            match bound {
                Bound::Symbol(index) => {
                    let kind = self.definitions[*index as usize].kind;
                    let may_hold = matches!(kind, SymbolKind::Namespace | SymbolKind::Module);
                    if !is_type || kind.has_members() || may_hold {
                        symbols.push(*index);
                    }
                }
                Bound::Import(index) => import = Some(*index),
                Bound::Binding(_) => {}
            }
        }
        if symbols.len() > MAX_ALIKE {
            symbols.drain(MAX_ALIKE / 2..symbols.len() - MAX_ALIKE / 2);
        }
        let expression = match (symbols.as_slice(), with_symbols, import) {
            ([only], true, _) => Some(Expression::Symbol(*only)),
            ([_, ..], true, _) => Some(Expression::Symbols(symbols.into_boxed_slice())),
            (_, _, Some(import)) => Some(Expression::Import(import)),
            _ => None,
        };
        let found = expression.map(|it| Meant::Expression(self.expressions.push(it)));
        self.found.insert((scope, name, with_symbols, is_type), found);
        found
    }

    /// What a local name stands for.
    fn binding_value(&mut self, index: u32) -> ExpressionId {
        match self.binding_values.get(&index) {
            Some(Some(known)) => return *known,
            // It is defined by itself.
            Some(None) => return ExpressionId::UNKNOWN,
            None => {}
        }
        if self.depth > MAX_DEPTH {
            return ExpressionId::UNKNOWN;
        }
        self.binding_values.insert(index, None);
        self.depth += 1;
        let binding = self.body.bindings[index as usize];
        let symbol = binding.symbol.or_else(|| self.symbol_around(binding.scope));
        let value = match (binding.kind, binding.declared_type) {
            (BindingKind::TypeParameter, bound) => {
                let bound = bound.map_or(ExpressionId::UNKNOWN, |bound| {
                    self.written_type_at(bound, binding.scope, symbol)
                });
                let owner = self.body.scopes.get(binding.scope as usize).and_then(|s| s.symbol);
                match owner.or(symbol) {
                    Some(owner) => {
                        let position = self
                            .body
                            .bindings
                            .iter()
                            .take(index as usize)
                            .filter(|other| {
                                other.kind == BindingKind::TypeParameter
                                    && other.scope == binding.scope
                            })
                            .count()
                            .min(254);
                        self.expressions.push(Expression::Parameter(owner, position as u8, bound))
                    }
                    None => bound,
                }
            }
            (_, Some(written)) => {
                let of_type = self.written_type_at(written, binding.scope, symbol);
                self.push(Expression::Instance(of_type))
            }
            (BindingKind::Receiver, None) => match self.object_of(symbol, binding.scope) {
                Some(object) => self.expressions.push(Expression::This(object)),
                None => ExpressionId::UNKNOWN,
            },
            (_, None) => self.origin(binding.origin, symbol, binding.scope),
        };
        self.depth -= 1;
        self.binding_values.insert(index, Some(value));
        value
    }

    /// The symbol whose members the object at hand has.
    fn object_of(&self, symbol: Option<u32>, scope: u32) -> Option<u32> {
        let mut current = symbol.or_else(|| self.symbol_around(scope))?;
        for _ in 0..64 {
            let definition = self.definitions.get(current as usize)?;
            if definition.kind.has_members() {
                return Some(current);
            }
            match definition.owner {
                // A function inside a function sees the object of the outer one, as closures do.
                Some(owner) => {
                    let around = self.definitions.get(owner as usize)?;
                    if around.kind.has_members() || definition.kind != model::SymbolKind::Function {
                        return Some(owner);
                    }
                    if !around.kind.is_callable() {
                        return Some(owner);
                    }
                    current = owner;
                }
                None => return Some(current),
            }
        }
        None
    }

    /// The innermost symbol around that has members or is a namespace.
    fn holder_of(&self, symbol: Option<u32>) -> Option<u32> {
        use model::SymbolKind::{Module, Namespace};
        let mut current = symbol;
        for _ in 0..64 {
            let index = current?;
            let definition = self.definitions.get(index as usize)?;
            if definition.kind.has_members() || matches!(definition.kind, Module | Namespace) {
                return Some(index);
            }
            if definition.owner.is_none() && definition.qualifier.is_some() {
                return Some(index);
            }
            current = definition.owner;
        }
        None
    }

    fn symbol_around(&self, scope: u32) -> Option<u32> {
        let mut next = Some(scope);
        for _ in 0..4096 {
            let fact = self.body.scopes.get(next? as usize)?;
            if fact.symbol.is_some() {
                return fact.symbol;
            }
            next = fact.parent;
        }
        None
    }
}
