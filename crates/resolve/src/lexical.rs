//! What a name means inside its own file, and what is left to ask of others.

use std::rc::Rc;

use languages::Language;
use model::{
    Base, Binding, BindingKind, NameId, Origin, Reference, ReferenceFlags, Role, Scope, ScopeKind,
    Step,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expression::{Expression, ExpressionId, Expressions};
use crate::interface::{Definition, Imported};
use crate::types::{self, Written};

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
    values: FxHashMap<u32, ExpressionId>,
    meanings: FxHashMap<u32, ExpressionId>,
    binding_values: FxHashMap<u32, Option<ExpressionId>>,
    depth: u32,
    /// References to parents of types, and the first names of paths to them.
    parents: FxHashSet<u32>,
    /// Whether a parent of the type at hand is looked for.
    is_parent: bool,
    /// The reference whose name is looked for.
    asking: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bound {
    Binding(u32),
    Symbol(u32),
    Import(u32),
}

/// Longer chains of values are given up.
const MAX_DEPTH: u32 = 120;

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
            values: FxHashMap::default(),
            meanings: FxHashMap::default(),
            binding_values: FxHashMap::default(),
            depth: 0,
            parents: match language.table.linking.implicit_members {
                true => parents(body.references),
                false => FxHashSet::default(),
            },
            is_parent: false,
            asking: None,
        }
    }

    pub(crate) fn into_expressions(self) -> Expressions {
        self.expressions
    }

    pub(crate) fn push(&mut self, expression: Expression) -> ExpressionId {
        match expression {
            Expression::Instance(ExpressionId::UNKNOWN)
            | Expression::Member(ExpressionId::UNKNOWN, _)
            | Expression::Call(ExpressionId::UNKNOWN, _)
            | Expression::New(ExpressionId::UNKNOWN)
            | Expression::Awaited(ExpressionId::UNKNOWN)
            | Expression::Element(ExpressionId::UNKNOWN)
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
        if fact.receiver.base == Base::None && !fact.flags.has(ReferenceFlags::MEMBER) {
            if let Some(same) = self.super_method(&fact) {
                return Meant::Expression(same);
            }
            self.is_parent = self.parents.contains(&reference);
            self.asking = Some(reference);
            let meant = self.lookup(fact.name, fact.scope, fact.start, fact.symbol);
            self.is_parent = false;
            self.asking = None;
            return meant;
        }
        self.depth += 1;
        let receiver = self.origin(fact.receiver, fact.symbol, fact.scope);
        self.depth -= 1;
        Meant::Expression(self.push(Expression::Member(receiver, fact.name)))
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
            Role::Call => self.push(Expression::Call(meaning, fact.arguments)),
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
        let base = match origin.base {
            Base::None | Base::Unknown => return ExpressionId::UNKNOWN,
            Base::Literal(kind) => self.expressions.push(Expression::Literal(kind)),
            Base::This | Base::Super => match self.object_of(symbol, scope) {
                None => ExpressionId::UNKNOWN,
                Some(object) if origin.base == Base::This => {
                    let standing = self.standing(object, symbol);
                    self.expressions.push(Expression::This(standing))
                }
                Some(object) => {
                    let standing = self.standing(object, symbol);
                    self.expressions.push(Expression::Super(standing))
                }
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

    /// The type written with a symbol.
    pub(crate) fn written_type(&mut self, text: NameId, scope: u32, symbol: u32) -> ExpressionId {
        self.written_type_at(text, scope, Some(symbol))
    }

    fn written_type_at(&mut self, text: NameId, scope: u32, symbol: Option<u32>) -> ExpressionId {
        let text = self.texts.text(text);
        let written = types::parse(&text);
        self.type_of(&written, scope, symbol)
    }

    fn type_of(&mut self, written: &Written<'_>, scope: u32, symbol: Option<u32>) -> ExpressionId {
        match written {
            Written::Unknown => ExpressionId::UNKNOWN,
            Written::Path(parts) => self.path(parts, scope, symbol),
            Written::Apply(base, arguments) => {
                let base = self.type_of(base, scope, symbol);
                let arguments = self.types_of(arguments, scope, symbol);
                self.expressions.push(Expression::Apply(base, arguments))
            }
            Written::Tuple(all) => {
                let all = self.types_of(all, scope, symbol);
                self.expressions.push(Expression::Tuple(all))
            }
            Written::Function(returns) => {
                let returns = self.type_of(returns, scope, symbol);
                self.expressions.push(Expression::Function(returns))
            }
            Written::Union(all) => {
                let nothing = &self.language.table.linking.nothing;
                let some: Vec<&Written<'_>> = all
                    .iter()
                    .filter(|each| match each {
                        Written::Path(parts) => {
                            parts.len() > 1 || !nothing.iter().any(|word| word == parts[0])
                        }
                        _ => true,
                    })
                    .collect();
                if let [only] = some.as_slice() {
                    return self.type_of(only, scope, symbol);
                }
                let all: Vec<ExpressionId> =
                    some.into_iter().map(|each| self.type_of(each, scope, symbol)).collect();
                self.expressions.push(Expression::Union(all.into_boxed_slice()))
            }
        }
    }

    fn types_of(
        &mut self,
        all: &[Written<'_>],
        scope: u32,
        symbol: Option<u32>,
    ) -> Box<[ExpressionId]> {
        all.iter().map(|each| self.type_of(each, scope, symbol)).collect()
    }

    fn path(&mut self, parts: &[&str], scope: u32, symbol: Option<u32>) -> ExpressionId {
        let first = parts[0];
        let table = &self.language.table;
        let mut expression = if table.this.iter().any(|word| word == first) || first == "this" {
            match self.object_of(symbol, scope) {
                Some(object) => self.expressions.push(Expression::This(object)),
                None => ExpressionId::UNKNOWN,
            }
        } else {
            let name = self.texts.intern(first);
            match self.lookup(name, scope, u32::MAX, symbol) {
                Meant::Expression(expression) => expression,
                Meant::Binding(binding) => self.binding_value(binding),
            }
        };
        for part in &parts[1..] {
            let name = self.texts.intern(part);
            expression = self.push(Expression::Member(expression, name));
        }
        expression
    }

    /// What a bare name means at a place.
    fn lookup(&mut self, name: NameId, scope: u32, at: u32, symbol: Option<u32>) -> Meant {
        let implicit = self.language.table.linking.implicit_members;
        let separate = self.language.table.linking.separate_static;
        let mut types_around: Vec<u32> = Vec::new();
        let mut crossed_function = false;
        let mut next = Some(scope);
        let mut found = None;
        let mut steps = 0;
        while let Some(current) = next {
            let Some(fact) = self.body.scopes.get(current as usize).copied() else { break };
            let is_type = fact.kind == ScopeKind::Type;
            let with_symbols =
                !is_type || (!implicit && !crossed_function) || self.is_parent && separate;
            found = self.find(current, name, at, with_symbols);
            if found.is_some() {
                break;
            }
            if let (true, Some(symbol)) = (implicit, fact.symbol) {
                let definition = &self.definitions[symbol as usize];
                let is_outside = definition.owner.is_none()
                    && definition.qualifier.is_some()
                    && definition.kind.is_callable();
                if definition.kind.has_members() || is_outside {
                    types_around.push(symbol);
                } else if let (Some(owner), None, true) =
                    (definition.owner, definition.bound_in, definition.kind.is_callable())
                {
                    // It stands outside of the type of this file that it belongs to.
                    if self.definitions[owner as usize].kind.has_members() {
                        types_around.push(owner);
                    }
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
        if self.language.table.linking.separate_static
            && let Some(innermost) = types_around.first().copied()
        {
            if !is_constant(&self.texts.text(name)) {
                types_around.truncate(1);
            }
            types_around[0] = self.standing(innermost, symbol);
        }
        // A type does not find its parents among what it has from them.
        if self.is_parent && types_around.first().copied() == symbol && symbol.is_some() {
            types_around.remove(0);
        }
        for symbol in types_around.into_iter().rev() {
            expression = self.expressions.push(Expression::Inherited(symbol, name, expression));
        }
        Meant::Expression(expression)
    }

    fn find(&mut self, scope: u32, name: NameId, at: u32, with_symbols: bool) -> Option<Meant> {
        let from = self.bound.partition_point(|(s, n, ..)| (*s, *n) < (scope, name));
        let here = self.bound[from..].iter().take_while(|(s, n, ..)| (*s, *n) == (scope, name));
        let (mut symbols, mut import, mut binding) = (Vec::new(), None, None);
        for (_, _, start, bound) in here {
            match bound {
                Bound::Symbol(index) => symbols.push(*index),
                Bound::Import(index) => import = Some(*index),
                // `guard let name = name`: the second is another one.
                Bound::Binding(index)
                    if self.asking.is_some_and(|asking| {
                        let origin = self.body.bindings[*index as usize].origin;
                        origin.base == Base::Reference(asking) && origin.step != Step::Same
                    }) => {}
                // The last one before the place; one behind it if there is no other.
                Bound::Binding(index) => {
                    if binding.is_none() || *start <= at {
                        binding = Some(*index);
                    }
                }
            }
        }
        if let Some(binding) = binding {
            return Some(Meant::Binding(binding));
        }
        if !symbols.is_empty() && with_symbols {
            let expression = match symbols.as_slice() {
                [only] => Expression::Symbol(*only),
                _ => Expression::Symbols(symbols.into_boxed_slice()),
            };
            return Some(Meant::Expression(self.expressions.push(expression)));
        }
        import.map(|index| Meant::Expression(self.expressions.push(Expression::Import(index))))
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

    /// The method of an object in which a symbol stands, where that says whether the object is a type;
    /// otherwise the object.
    fn standing(&self, object: u32, symbol: Option<u32>) -> u32 {
        if !self.language.table.linking.separate_static {
            return object;
        }
        let mut current = symbol;
        for _ in 0..64 {
            let Some(index) = current else { return object };
            let Some(definition) = self.definitions.get(index as usize) else { return object };
            let is_callable =
                definition.kind.is_callable() && definition.kind != model::SymbolKind::Function;
            if is_callable && definition.owner == Some(object) {
                return index;
            }
            current = definition.owner;
        }
        object
    }

    /// `super`: the method of the parent that has the name of the method at hand.
    fn super_method(&mut self, fact: &Reference) -> Option<ExpressionId> {
        let table = &self.language.table;
        if !table.linking.separate_static || fact.role != Role::Call {
            return None;
        }
        let text = self.texts.text(fact.name);
        if !table.super_names.iter().any(|word| *word == *text) {
            return None;
        }
        let object = self.object_of(fact.symbol, fact.scope)?;
        let standing = self.standing(object, fact.symbol);
        let method = self.definitions.get(standing as usize).filter(|d| d.kind.is_callable())?;
        let parent = self.expressions.push(Expression::Super(standing));
        Some(self.push(Expression::Member(parent, method.name)))
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

/// Whether a name begins with a capital.
pub(crate) fn is_constant(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

fn parents(references: &[Reference]) -> FxHashSet<u32> {
    let mut found = FxHashSet::default();
    for (index, reference) in references.iter().enumerate() {
        if !matches!(reference.role, Role::Extends | Role::Implements) {
            continue;
        }
        let mut current = index as u32;
        while found.insert(current) {
            match references.get(current as usize).map(|fact| fact.receiver.base) {
                Some(Base::Reference(before)) => current = before,
                _ => break,
            }
        }
    }
    found
}
