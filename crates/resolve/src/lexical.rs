//! What a name means inside its own file, and what is left to ask of others.

mod calls;
mod objects;
mod visible;
mod written;

use std::rc::Rc;

use languages::Language;
use model::{
    Argument, Base, Binding, BindingKind, NameId, Origin, Reference, ReferenceFlags, Role, Scope,
    ScopeKind, Step,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expression::{Expression, ExpressionId, Expressions};
use crate::interface::{Definition, Imported, parameters_of};
use visible::Visible;

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
    bound: Vec<BoundName>,
    /// Symbols and imports by scope and name, as they were found before.
    found: FxHashMap<Sought, Option<Meant>>,
    /// By number of the reference, once they were asked for.
    meant: Vec<Option<Meant>>,
    meanings: Vec<Asked>,
    values: Vec<Asked>,
    /// By number of the binding.
    binding_values: Vec<Asked>,
    depth: u32,
    /// References to parents of types, and the first names of paths to them.
    parents: FxHashSet<u32>,
    /// The type whose head is being read: its members cannot be meant there.
    head_of: Option<u32>,
    /// The reference whose name is looked for.
    asking: Option<u32>,
    /// Whether type arguments stand behind the name that is looked for, where that tells types apart.
    is_applied: Option<bool>,
    /// Functions that say what `this` is in them: their scopes, and the binding that says it.
    given_this: Vec<(u32, u32)>,
    /// How many parameters functions without a name have, by the call they are passed to and the position.
    closures: FxHashMap<(u32, u8), u8>,
}

/// A name, the scope it is bound in, the place it is bound at, and what it stands for there.
type BoundName = (NameId, u32, u32, Bound);

/// A name in a scope: what the scope shows, whether only a type can be meant, and whether type arguments
/// stand behind it.
type Sought = (u32, NameId, Visible, bool, Option<bool>);

/// How far a value that may depend on itself is known.
#[derive(Debug, Clone, Copy)]
enum Asked {
    Not,
    JustNow,
    Known(ExpressionId),
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
/// Longer chains of dots are not looked through.
const MAX_CHAIN: usize = 32;

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
            bound.push((binding.name, binding.scope, binding.start, Bound::Binding(index as u32)));
        }
        for (index, definition) in definitions.iter().enumerate() {
            if let Some(scope) = definition.bound_in {
                bound.push((definition.name, scope, 0, Bound::Symbol(index as u32)));
            }
        }
        for (index, import) in imports.iter().enumerate() {
            if let Some(name) = crate::modules::local_name(language, import, texts) {
                bound.push((name, import.scope, 0, Bound::Import(index as u32)));
            }
        }
        bound.sort_unstable();
        let given_this = objects::given_this(language, body.bindings, texts);
        Self {
            language,
            body,
            definitions,
            expressions,
            texts,
            bound,
            found: FxHashMap::default(),
            meant: vec![None; body.references.len()],
            meanings: vec![Asked::Not; body.references.len()],
            values: vec![Asked::Not; body.references.len()],
            binding_values: vec![Asked::Not; body.bindings.len()],
            depth: 0,
            parents: match language.table.linking.implicit_members {
                true => objects::parents(body.references),
                false => FxHashSet::default(),
            },
            head_of: None,
            asking: None,
            is_applied: None,
            given_this,
            closures: calls::closures(body.bindings),
        }
    }

    /// What stands before a name in a full one.
    pub(crate) fn before_name<'t>(&self, full: &'t str, name: NameId) -> Option<&'t str> {
        full.strip_suffix(&*self.texts.text(name))?.strip_suffix(&*self.language.table.separator)
    }

    pub(crate) fn interned(&mut self, text: &str) -> NameId {
        self.texts.intern(text)
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
            | Expression::Constant(ExpressionId::UNKNOWN)
            | Expression::Generic(ExpressionId::UNKNOWN)
            | Expression::Unwrapped(ExpressionId::UNKNOWN)
            | Expression::Entered(ExpressionId::UNKNOWN)
            | Expression::Position(ExpressionId::UNKNOWN, _) => ExpressionId::UNKNOWN,
            other => self.expressions.push(other),
        }
    }

    /// What the name of a reference stands for, before it is called.
    pub(crate) fn meaning(&mut self, reference: u32) -> ExpressionId {
        match self.meanings.get(reference as usize) {
            None | Some(Asked::JustNow) => return ExpressionId::UNKNOWN,
            Some(Asked::Known(known)) => return *known,
            Some(Asked::Not) => {}
        }
        self.meanings[reference as usize] = Asked::JustNow;
        let expression = match self.meant(reference) {
            Meant::Expression(expression) => expression,
            Meant::Binding(binding) => self.binding_value(binding),
        };
        let is_generic =
            self.body.references[reference as usize].flags.has(ReferenceFlags::GENERIC);
        let expression = match is_generic {
            true => self.push(Expression::Generic(expression)),
            false => expression,
        };
        self.meanings[reference as usize] = Asked::Known(expression);
        expression
    }

    /// The same, told apart from local names.
    pub(crate) fn meant(&mut self, reference: u32) -> Meant {
        match self.meant.get(reference as usize) {
            None => return Meant::Expression(ExpressionId::UNKNOWN),
            Some(Some(known)) => return *known,
            Some(None) if self.depth > MAX_DEPTH => {
                return Meant::Expression(ExpressionId::UNKNOWN);
            }
            Some(None) => {}
        }
        let meant = self.read(reference, self.body.references[reference as usize]);
        self.meant[reference as usize] = Some(meant);
        meant
    }

    fn read(&mut self, reference: u32, fact: Reference) -> Meant {
        if let Some(object) = self.constructed_word(&fact) {
            return Meant::Expression(object);
        }
        let is_made = fact.flags.has(ReferenceFlags::CONSTRUCT);
        if is_made
            && self.language.table.linking.strict_calls
            && &*self.texts.text(fact.name) == "new"
        {
            return Meant::Expression(self.expected(fact));
        }
        if fact.receiver.base == Base::None && !fact.flags.has(ReferenceFlags::MEMBER) {
            if let Some(same) = self.super_method(&fact) {
                return Meant::Expression(same);
            }
            if fact.flags.has(ReferenceFlags::CONSTRUCT)
                && self.language.table.linking.overloads
                && let Some(expression) = self.own_constructor(fact)
            {
                return Meant::Expression(expression);
            }
            // PHP's `A\\B` before a name is one reference.
            if self.language.path_separator() == "\\" {
                let text = self.texts.text(fact.name);
                let parts: Vec<&str> = text.split('\\').filter(|part| !part.is_empty()).collect();
                if text.contains('\\') && !parts.is_empty() {
                    return Meant::Expression(self.path(&parts, fact.scope, fact.symbol));
                }
            }
            // `::name` is the one outside of all namespaces.
            if fact.flags.has(ReferenceFlags::PATH) && self.language.table.linking.overloads {
                return Meant::Expression(self.expressions.push(Expression::Name(fact.name, None)));
            }
            let before = (self.head_of, self.asking);
            if self.parents.contains(&reference) {
                self.head_of = fact.symbol;
            }
            self.asking = Some(reference);
            self.is_applied = Some(fact.flags.has(ReferenceFlags::GENERIC));
            let meant = match self.names_type(fact) {
                true => self.lookup_type(fact.name, fact.scope, fact.symbol),
                false => self.lookup(fact.name, fact.scope, fact.start, fact.symbol),
            };
            (self.head_of, self.asking) = before;
            self.is_applied = None;
            return meant;
        }
        self.depth += 1;
        let receiver = self.origin(fact.receiver, fact.symbol, fact.scope);
        self.depth -= 1;
        Meant::Expression(self.push(Expression::Member(receiver, fact.name)))
    }

    /// What the expression that a reference stands for gives.
    pub(crate) fn value(&mut self, reference: u32) -> ExpressionId {
        match self.values[reference as usize] {
            Asked::Known(known) => return known,
            Asked::JustNow => return ExpressionId::UNKNOWN,
            Asked::Not => {}
        }
        self.values[reference as usize] = Asked::JustNow;
        let meaning = self.meaning(reference);
        let fact = self.body.references[reference as usize];
        let value = match fact.role {
            Role::Call if fact.flags.has(ReferenceFlags::CONSTRUCT) => {
                let made = self.constructed_type(&fact).unwrap_or(meaning);
                self.push(Expression::New(made))
            }
            Role::Call => {
                let passed = self.passed(reference);
                self.push(Expression::Call(meaning, fact.arguments, passed))
            }
            _ => meaning,
        };
        self.values[reference as usize] = Asked::Known(value);
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
        if let (Base::Reference(call), Step::Given(argument, parameter)) =
            (origin.base, origin.step)
        {
            return self.given(call, argument, parameter);
        }
        let base = match origin.base {
            Base::Local(name) => {
                let before = self.asking.take();
                let meant = self.lookup(name, scope, at, symbol);
                self.asking = before;
                match meant {
                    Meant::Expression(expression) => expression,
                    Meant::Binding(binding) => self.binding_value(binding),
                }
            }
            Base::None | Base::Unknown => return ExpressionId::UNKNOWN,
            Base::Literal(kind) => self.expressions.push(Expression::Literal(kind)),
            Base::This | Base::Super => {
                let is_this = origin.base == Base::This;
                let given = if is_this { self.given_this(scope) } else { None };
                match (given, self.object_of(symbol, scope)) {
                    (Some(given), _) => given,
                    (None, None) => ExpressionId::UNKNOWN,
                    (None, Some(object)) => {
                        let standing = self.standing(object, symbol);
                        let object = self.expressions.push(match is_this {
                            true => Expression::This(standing),
                            false => Expression::Super(standing),
                        });
                        match symbol.and_then(|symbol| self.definitions.get(symbol as usize)) {
                            Some(method) if method.is_constant() => {
                                self.expressions.push(Expression::Constant(object))
                            }
                            _ => object,
                        }
                    }
                }
            }
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
            Step::Given(..) => Expression::Unknown,
            Step::Member(name) => Expression::Member(base, name),
            Step::Position(position) => Expression::Position(base, position),
        })
    }

    /// Whether the place of a name tells that it is a type. Only languages that tell types from values
    /// wherever they stand are asked; they may give both the same name.
    fn names_type(&self, fact: Reference) -> bool {
        let linking = &self.language.table.linking;
        match fact.role {
            Role::Type => linking.overloads || linking.types_apart,
            Role::Extends | Role::Implements => linking.overloads,
            _ => linking.overloads && fact.flags.has(ReferenceFlags::CONSTRUCT),
        }
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
        let separate = self.language.table.linking.separate_static;
        let mut types_around: Vec<u32> = Vec::new();
        let bound = self.bound_as(name);
        let mut crossed_function = false;
        let mut next = Some(scope);
        let mut found = None;
        let mut steps = 0;
        while let Some(current) = next {
            let Some(fact) = self.body.scopes.get(current as usize).copied() else { break };
            let is_in_type = fact.kind == ScopeKind::Type;
            // Where parents are looked for outside of the types they are parents of, types that stand in
            // types around are found by their place.
            // So are members of a type without a name.
            let visible = match (is_in_type, implicit) {
                (false, _) => Visible::Everything,
                (true, true) if fact.symbol.is_none() => Visible::Everything,
                (true, _) if separate && self.head_of.is_some() => Visible::Everything,
                (true, true) => Visible::Nothing,
                (true, false) if crossed_function => Visible::Nothing,
                (true, false) => self.visible_in_body(),
            };
            found = self.find(bound.clone(), current, at, symbol, visible, is_type);
            if found.is_some() {
                break;
            }
            if let (true, Some(symbol)) = (implicit, fact.symbol) {
                let definition = &self.definitions[symbol as usize];
                let is_outside = definition.stands_outside() && definition.kind.is_callable();
                if self.head_of != Some(symbol) && (definition.kind.has_members() || is_outside) {
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
        for symbol in types_around.into_iter().rev() {
            expression = self.expressions.push(match is_type {
                true => Expression::InheritedType(symbol, name, expression),
                false => Expression::Inherited(symbol, name, expression),
            });
        }
        Meant::Expression(expression)
    }

    /// Whether a value comes from a reference, directly or through what stands before its dots.
    fn is_within(&self, reference: u32, origin: Origin) -> bool {
        let mut base = origin.base;
        for _ in 0..MAX_CHAIN {
            match base {
                Base::Reference(next) if next == reference => return true,
                Base::Reference(next) => match self.body.references.get(next as usize) {
                    Some(fact) => base = fact.receiver.base,
                    None => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// What a local name stands for.
    fn binding_value(&mut self, index: u32) -> ExpressionId {
        match self.binding_values[index as usize] {
            Asked::Known(known) => return known,
            // It is defined by itself.
            Asked::JustNow => return ExpressionId::UNKNOWN,
            Asked::Not => {}
        }
        if self.depth > MAX_DEPTH {
            return ExpressionId::UNKNOWN;
        }
        self.binding_values[index as usize] = Asked::JustNow;
        self.depth += 1;
        let binding = self.body.bindings[index as usize];
        let symbol = binding.symbol.or_else(|| self.symbol_around(binding.scope));
        let value = match (binding.kind, binding.declared_type) {
            (BindingKind::TypeParameter, bound) => {
                let bound = bound.map_or(ExpressionId::UNKNOWN, |bound| {
                    self.written_type_at(bound, binding.scope, symbol)
                });
                let owner = parameters_of(self.language, self.body.scopes, binding.scope);
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
                let mut of_type = self.written_type_at(written, binding.scope, symbol);
                if binding.variadic && self.language.table.linking.rest_is_list {
                    let list = Expression::Apply(ExpressionId::UNKNOWN, Box::from([of_type]));
                    of_type = self.push(list);
                }
                self.push(Expression::Instance(of_type))
            }
            (BindingKind::Receiver, None) => match self.object_of(symbol, binding.scope) {
                Some(object) => self.expressions.push(Expression::This(object)),
                None => ExpressionId::UNKNOWN,
            },
            (_, None) => self.origin(binding.origin, symbol, binding.scope),
        };
        self.depth -= 1;
        self.binding_values[index as usize] = Asked::Known(value);
        value
    }
}

/// Whether a name begins with a capital.
pub(crate) fn is_constant(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}
