//! What a file is to the others: its definitions with their types, its imports and exports.
//!
//! It follows from the facts of the file alone, so it is made where they are made and kept with them. A
//! change inside a body that leaves it as it is concerns nobody else.

use languages::{Language, ModuleSystem};
use model::{
    BindingKind, FileFacts, ImportFlags, NameId, ReferenceFlags, Role, Scope, ScopeKind, Symbol,
    SymbolFlags, SymbolKind, Visibility,
};

use crate::expression::{Expression, ExpressionId, Expressions};
use crate::lexical::{Body, Lexical, Texts};
use crate::spaces::Spaces;
use crate::types;

/// What other files can ask of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interface {
    /// The package or namespace the file declares.
    pub package: Option<NameId>,
    /// As in the facts, in the same order.
    pub symbols: Vec<Definition>,
    pub imports: Vec<Imported>,
    pub exports: Vec<Exported>,
    pub expressions: Expressions,
}

/// A symbol, as far as others can see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: NameId,
    pub kind: SymbolKind,
    pub flags: SymbolFlags,
    pub visibility: Option<Visibility>,
    pub owner: Option<u32>,
    /// Names of the owners before it, in this file or not, as the language joins them.
    pub qualifier: Option<NameId>,
    /// The last name of the type it adds to, where that does not stand around it.
    pub adds_to: Option<NameId>,
    /// The scope in which its bare name means it; none if it never does.
    pub bound_in: Option<u32>,
    /// The scope it opens.
    pub opens: Option<u32>,
    /// What it is a value of; of a callable, what it returns; of an alias, what it stands for.
    pub value: ExpressionId,
    /// The type whose member it is, if that does not stand around it; the type that an implementation
    /// or extension adds to.
    pub target: ExpressionId,
    /// What it extends and implements, in order.
    pub bases: Box<[ExpressionId]>,
    /// What the type itself takes over, not its values.
    pub extended: Box<[ExpressionId]>,
    /// Least and most arguments.
    pub parameters: (u8, u8),
    /// The types of its parameters, where a name may stand for several definitions that differ in them.
    pub takes: Box<[ExpressionId]>,
    pub type_parameters: u8,
}

pub(crate) const ANY_NUMBER: u8 = u8::MAX;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    pub source: NameId,
    pub name: Option<NameId>,
    pub alias: Option<NameId>,
    pub flags: ImportFlags,
    pub scope: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    pub name: NameId,
    pub local: Option<NameId>,
    pub is_default: bool,
    pub source: Option<NameId>,
}

impl Definition {
    /// Whether it is a method that leaves its object as it is: it can be called on what nobody may change.
    pub(crate) fn is_constant(&self) -> bool {
        self.kind.is_callable() && self.flags.has(SymbolFlags::READONLY)
    }

    /// Whether it is a member that does not stand in its type: Go's methods, C++'s `Type::member`.
    pub(crate) fn stands_outside(&self) -> bool {
        let is_holder = matches!(self.kind, SymbolKind::Impl | SymbolKind::Extension);
        self.adds_to.is_some()
            && !is_holder
            && (self.owner.is_none() || !self.flags.has(SymbolFlags::STATIC))
    }
}

impl Interface {
    pub fn definition(&self, symbol: u32) -> Option<&Definition> {
        self.symbols.get(symbol as usize)
    }

    /// Whether a symbol stands at the top level, at most inside namespaces.
    pub fn is_top(&self, symbol: u32) -> bool {
        let mut owner = self.definition(symbol).and_then(|definition| definition.owner);
        let mut steps = 0;
        while let Some(index) = owner {
            let Some(definition) = self.definition(index) else { return false };
            if !matches!(definition.kind, SymbolKind::Namespace | SymbolKind::Module) || steps > 64
            {
                return false;
            }
            steps += 1;
            owner = definition.owner;
        }
        true
    }
}

/// The interface of a file. Texts of types are taken apart, so names may be added to those of the facts.
pub fn interface(language: &Language, facts: &FileFacts, texts: &mut dyn Texts) -> Interface {
    let mut interface = skeleton(language, facts, texts);
    let body = Body::of(facts);
    let definitions = std::mem::take(&mut interface.symbols);
    let mut lexical = Lexical::new(
        language,
        body,
        &definitions,
        &interface.imports,
        std::mem::take(&mut interface.expressions),
        texts,
    );
    let mut bases: Vec<Vec<ExpressionId>> = vec![Vec::new(); definitions.len()];
    let mut extended = bases.clone();
    // References where those symbols stand that are named by what they add to.
    let adding = facts.symbols.iter().filter(|it| adds(it.kind));
    let mut at_name: rustc_hash::FxHashMap<u32, Option<u32>> =
        adding.map(|it| (it.name_span.start, None)).collect();
    for (index, reference) in facts.references.iter().enumerate() {
        if let Some(first) = at_name.get_mut(&reference.start) {
            first.get_or_insert(index as u32);
        }
        if let (Role::Extends | Role::Implements, Some(symbol)) = (reference.role, reference.symbol)
        {
            let signature = &facts.symbols[symbol as usize].signature;
            let expression = lexical.base(index as u32, signature, symbol);
            let is_static = reference.flags.has(ReferenceFlags::STATIC);
            let list = if is_static { &mut extended } else { &mut bases };
            list[symbol as usize].push(expression);
        }
    }
    if language.table.linking.modules == ModuleSystem::Paths {
        for (class, interface) in merged(&definitions) {
            bases[class as usize].push(lexical.push(Expression::Symbol(interface)));
        }
    }
    let mut done = Vec::with_capacity(definitions.len());
    for (index, symbol) in facts.symbols.iter().enumerate() {
        let scope = definitions[index].bound_in.unwrap_or(0);
        let inner = symbol.scope.unwrap_or_else(|| {
            innermost(facts, symbol.name_span.start).min(facts.scopes.len() as u32 - 1)
        });
        let value = match symbol.declared_type {
            Some(written) => {
                let of_type = match symbol.kind {
                    SymbolKind::TypeAlias => lexical.aliased_type(written, inner, index as u32),
                    _ => lexical.written_type(written, inner, index as u32),
                };
                match symbol.kind {
                    SymbolKind::TypeAlias if language.table.linking.delegates => {
                        lexical.push(Expression::Function(of_type))
                    }
                    SymbolKind::TypeAlias | SymbolKind::AssociatedType => of_type,
                    _ => lexical.push(Expression::Instance(of_type)),
                }
            }
            None => lexical.origin(symbol.origin, Some(index as u32), inner),
        };
        let target = match symbol.kind {
            kind if adds(kind) => match at_name.get(&symbol.name_span.start).copied().flatten() {
                Some(reference) => lexical.meaning(reference),
                None => lexical.written_type(symbol.name, scope, index as u32),
            },
            _ if symbol.owner.is_none() => orphan_target(&mut lexical, facts, index, inner),
            _ if definitions[index].adds_to.is_some() => match receiver_type(facts, index) {
                Some(written) => lexical.head_type(written, inner, index as u32),
                None => orphan_target(&mut lexical, facts, index, inner),
            },
            _ => ExpressionId::UNKNOWN,
        };
        done.push((value, target));
    }
    let takes = parameter_types(&mut lexical, language, facts);
    interface.expressions = lexical.into_expressions();
    interface.symbols = definitions;
    for (definition, takes) in interface.symbols.iter_mut().zip(takes) {
        definition.takes = takes.into_boxed_slice();
    }
    let parents = bases.into_iter().zip(extended);
    for ((definition, (bases, extended)), (value, target)) in
        interface.symbols.iter_mut().zip(parents).zip(done)
    {
        definition.bases = bases.into_boxed_slice();
        definition.extended = extended.into_boxed_slice();
        definition.value = value;
        definition.target = target;
    }
    interface
}

/// Whether it is no type by itself, but adds to one.
const fn adds(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Impl | SymbolKind::Extension)
}

/// Classes with the interfaces of their name: what those declare, the class has.
fn merged(definitions: &[Definition]) -> Vec<(u32, u32)> {
    let of_kind = |kind| {
        let is_it = move |(_, it): &(usize, &Definition)| it.kind == kind && it.bound_in.is_some();
        definitions.iter().enumerate().filter(is_it)
    };
    let mut interfaces: rustc_hash::FxHashMap<_, Vec<u32>> = rustc_hash::FxHashMap::default();
    for (index, it) in of_kind(SymbolKind::Interface) {
        interfaces.entry((it.name, it.bound_in)).or_default().push(index as u32);
    }
    let mut found = Vec::new();
    for (index, it) in of_kind(SymbolKind::Class).filter(|_| !interfaces.is_empty()) {
        let same = interfaces.get(&(it.name, it.bound_in));
        found.extend(same.into_iter().flatten().map(|interface| (index as u32, *interface)));
    }
    found
}

/// The types of the parameters of each symbol; unknown ones at the end are left out.
fn parameter_types(
    lexical: &mut Lexical<'_>,
    language: &Language,
    facts: &FileFacts,
) -> Vec<Vec<ExpressionId>> {
    let mut takes: Vec<Vec<ExpressionId>> = vec![Vec::new(); facts.symbols.len()];
    if !language.table.linking.overloads {
        return takes;
    }
    for binding in &facts.bindings {
        if let (BindingKind::Parameter, Some(symbol)) = (binding.kind, binding.symbol) {
            let of_type = binding.declared_type.map_or(ExpressionId::UNKNOWN, |written| {
                lexical.written_type(written, binding.scope, symbol)
            });
            takes[symbol as usize].push(of_type);
        }
    }
    takes
}

/// The type a member belongs to that does not stand in it: Go's receiver, C++'s `Type::member`.
fn orphan_target(
    lexical: &mut Lexical<'_>,
    facts: &FileFacts,
    symbol: usize,
    scope: u32,
) -> ExpressionId {
    let Some(before) = written_qualifier(lexical, facts, symbol) else {
        return ExpressionId::UNKNOWN;
    };
    let written = receiver_type(facts, symbol).unwrap_or(before);
    lexical.head_type(written, scope, symbol as u32)
}

/// What stands before the name of a symbol in its full name.
fn written_qualifier(
    lexical: &mut Lexical<'_>,
    facts: &FileFacts,
    symbol: usize,
) -> Option<NameId> {
    let symbol = &facts.symbols[symbol];
    let before = lexical.before_name(&symbol.qualified_name, symbol.name)?;
    (!before.is_empty()).then(|| lexical.interned(before))
}

fn receiver_type(facts: &FileFacts, symbol: usize) -> Option<NameId> {
    let receiver = facts.bindings.iter().find(|binding| {
        binding.kind == BindingKind::Receiver && binding.symbol == Some(symbol as u32)
    });
    receiver.and_then(|binding| binding.declared_type)
}

/// The symbol whose type parameters a scope holds: the one that opens it, or what a template makes, which
/// opens the next scope inside of it.
pub(crate) fn parameters_of(language: &Language, scopes: &[Scope], scope: u32) -> Option<u32> {
    let own = scopes.get(scope as usize)?;
    let is_template = language.table.linking.late_templates && own.kind == ScopeKind::Type;
    let next = scopes.get(scope as usize + 1).filter(|next| next.parent == Some(scope));
    own.symbol.or_else(|| next.filter(|_| is_template)?.symbol)
}

fn skeleton(language: &Language, facts: &FileFacts, texts: &mut dyn Texts) -> Interface {
    let separator = language.table.separator.as_str();
    let spaces = Spaces::new(language, facts);
    let mut parameters: Vec<(u8, u8)> = vec![(0, 0); facts.symbols.len()];
    let mut type_parameters: Vec<u8> = vec![0; facts.symbols.len()];
    for binding in &facts.bindings {
        if binding.kind == BindingKind::TypeParameter {
            let holder = parameters_of(language, &facts.scopes, binding.scope);
            if let Some(symbol) = holder.or(binding.symbol) {
                let count = &mut type_parameters[symbol as usize];
                *count = count.saturating_add(1);
            }
        }
        if let (BindingKind::Parameter, Some(symbol)) = (binding.kind, binding.symbol) {
            let (least, most) = &mut parameters[symbol as usize];
            if binding.variadic {
                *most = ANY_NUMBER;
            } else {
                *most = most.saturating_add(1);
                if !binding.optional {
                    *least = least.saturating_add(1);
                }
            }
        }
    }
    let constant_methods = language.table.linking.constant_methods.as_deref();
    let symbols = facts
        .symbols
        .iter()
        .enumerate()
        .map(|(index, symbol)| {
            let name = texts.text(symbol.name);
            let qualifier = symbol
                .qualified_name
                .strip_suffix(&*name)
                .and_then(|rest| rest.strip_suffix(separator))
                .filter(|rest| !rest.is_empty())
                .map(|rest| (rest, texts.intern(rest)));
            let owner = symbol.owner.and_then(|owner| facts.symbols.get(owner as usize));
            let adds_to = adds_to(symbol, owner, &name, separator).map(|name| texts.intern(name));
            let is_outside = match symbol.owner {
                None => qualifier.is_some(),
                Some(_) => adds_to.is_some() && !symbol.flags.has(SymbolFlags::STATIC),
            };
            let qualifier = match spaces.qualifier(index, &name) {
                Some(seen) => Some(texts.intern(&seen)).filter(|_| !seen.is_empty()),
                None => qualifier.map(|(_, name)| name),
            };
            let mut flags = symbol.flags;
            if constant_methods.is_some_and(|sign| symbol.signature.contains(sign)) {
                flags.set(SymbolFlags::READONLY);
            }
            if is_explicit(symbol, &name, language) {
                flags.set(SymbolFlags::EXPLICIT);
            }
            Definition {
                name: symbol.name,
                kind: kind_of(symbol, language),
                flags,
                visibility: symbol.visibility,
                owner: symbol.owner,
                qualifier,
                adds_to,
                bound_in: bound_in(language, facts, index, is_outside),
                // `mod name;` has no inside.
                opens: symbol
                    .scope
                    .filter(|_| symbol.kind != SymbolKind::Module || symbol.body.is_some()),
                value: ExpressionId::UNKNOWN,
                target: ExpressionId::UNKNOWN,
                bases: Box::default(),
                extended: Box::default(),
                parameters: parameters[index],
                takes: Box::default(),
                type_parameters: type_parameters[index],
            }
        })
        .collect();
    let imports = facts
        .imports
        .iter()
        .map(|import| Imported {
            source: texts.intern(&import.source),
            name: import.name,
            alias: import.alias,
            flags: import.flags,
            scope: import.scope,
        })
        .collect();
    let exports = facts
        .exports
        .iter()
        .map(|export| Exported {
            name: export.name,
            local: export.local,
            is_default: export.is_default,
            source: export.source.as_deref().map(|source| texts.intern(source)),
        })
        .collect();
    Interface {
        package: facts.package,
        symbols,
        imports,
        exports,
        expressions: Expressions::default(),
    }
}

/// The last name of the type that a symbol adds to without standing in it. It is told from the symbol
/// alone, as rows of symbols are made without what stands inside of them.
pub fn adds_to<'s>(
    symbol: &'s Symbol,
    owner: Option<&Symbol>,
    name: &'s str,
    separator: &str,
) -> Option<&'s str> {
    if matches!(symbol.kind, SymbolKind::Impl | SymbolKind::Extension) {
        return Some(name);
    }
    if let Some(owner) = owner.filter(|owner| owner.kind == SymbolKind::Namespace) {
        // C++'s `Type::member` inside of a namespace.
        let before = symbol.qualified_name.strip_suffix(name)?.strip_suffix(separator)?;
        let inside = before.strip_prefix(owner.qualified_name.as_str())?.strip_prefix(separator)?;
        return inside.rsplit(separator).next().filter(|last| !last.is_empty());
    }
    if symbol.owner.is_some() {
        // Its receiver stands among its parameters.
        let is_static = symbol.kind == SymbolKind::Method && symbol.flags.has(SymbolFlags::STATIC);
        let receiver = receiver_of(&symbol.signature).filter(|_| is_static)?;
        let head = types::head(receiver)?;
        // What a type parameter must be says more than its name.
        let bound = symbol.signature.split(" where ").skip(1).find_map(|clause| {
            let (parameter, bound) = clause.split_once(':')?;
            let bound = bound.split(',').map(str::trim).find(|bound| !is_constraint(bound))?;
            if parameter.trim() == head { types::head(bound) } else { None }
        });
        return bound.or(Some(head));
    }
    let before = symbol.qualified_name.strip_suffix(name)?.strip_suffix(separator)?;
    before.rsplit(separator).next().filter(|last| !last.is_empty())
}

/// What stands behind `this` at the beginning of the parameters.
fn receiver_of(signature: &str) -> Option<&str> {
    signature.match_indices("this ").find_map(|(at, word)| {
        let before = signature[..at].trim_end();
        before.ends_with('(').then(|| &signature[at + word.len()..])
    })
}

/// Whether a member has its name only as the member of an interface, which is written before it.
fn is_explicit(symbol: &Symbol, name: &str, language: &Language) -> bool {
    let is_member = matches!(symbol.kind, SymbolKind::Method | SymbolKind::Property);
    language.table.linking.explicit_members
        && is_member
        && symbol.signature.match_indices(name).any(|(at, _)| {
            let behind = symbol.signature[at + name.len()..].chars().next();
            symbol.signature[..at].ends_with('.') && !behind.is_some_and(char::is_alphanumeric)
        })
}

/// Whether a constraint of a type parameter names no type.
fn is_constraint(text: &str) -> bool {
    matches!(text, "class" | "class?" | "struct" | "notnull" | "unmanaged" | "default")
        || text.starts_with("new(")
}

/// What a symbol is to others: where modules are mixed into types, they are types; a type that is made of
/// another is one of its own, with methods, unless it is said to be the same.
pub(crate) fn kind_of(symbol: &Symbol, language: &Language) -> SymbolKind {
    match symbol.kind {
        SymbolKind::TypeAlias
            if language.table.linking.modules == ModuleSystem::Directories
                && !symbol.signature.contains(" = ") =>
        {
            SymbolKind::Struct
        }
        SymbolKind::Module if language.table.linking.separate_static => SymbolKind::Trait,
        kind => kind,
    }
}

/// The scope in which a bare name means a symbol.
fn bound_in(
    language: &Language,
    facts: &FileFacts,
    symbol: usize,
    is_outside: bool,
) -> Option<u32> {
    let definition = &facts.symbols[symbol];
    let is_nameless = match definition.kind {
        SymbolKind::Impl | SymbolKind::Extension | SymbolKind::Section => true,
        // `it("adds", …)` is a call with a text, `TEST(Suite, Adds)` a macro; elsewhere a test is a
        // function with a name.
        SymbolKind::Test => {
            matches!(language.table.linking.modules, ModuleSystem::Paths | ModuleSystem::Includes)
        }
        _ => false,
    };
    // A member of something in a script is never meant by its bare name, though it is set inside of a function.
    let is_behind_dot = language.table.linking.modules == ModuleSystem::Paths
        && (definition.flags.has(SymbolFlags::EXPLICIT)
            || matches!(
                definition.kind,
                SymbolKind::Method
                    | SymbolKind::Field
                    | SymbolKind::Property
                    | SymbolKind::Getter
                    | SymbolKind::Setter
            ));
    if is_nameless || is_behind_dot {
        return None;
    }
    let scope = match definition.scope {
        Some(own) => facts.scopes.get(own as usize).and_then(|scope| scope.parent).unwrap_or(0),
        None => innermost(facts, definition.name_span.start),
    };
    let opener = facts.scopes.get(scope as usize).and_then(|scope| scope.symbol);
    match definition.owner {
        _ if is_outside => None,
        None => Some(scope),
        // Members of a type without a name, as they are named inside of it.
        Some(owner)
            if language.table.linking.implicit_members
                && is_in_nameless_type(facts, scope, owner) =>
        {
            Some(scope)
        }
        Some(owner)
            if language.table.linking.modules == ModuleSystem::Paths
                && is_in_closure_of(facts, scope, definition.kind, owner) =>
        {
            Some(scope)
        }
        // Inside of its owner, or of a block in it.
        Some(owner) => {
            let is_inside = opener == Some(owner) || is_within(facts, scope, owner);
            // What is assigned to an object is reached through that object only.
            let is_local = facts.symbols[owner as usize].kind.is_callable()
                || opener == Some(owner)
                || facts
                    .scopes
                    .get(scope as usize)
                    .is_some_and(|scope| scope.kind != ScopeKind::File);
            (is_inside && is_local).then_some(scope)
        }
    }
}

/// Whether something is declared in a function without a name that makes the value of its owner:
/// `const name = (function () { function inner() {} })()`. Members of the value itself are none.
fn is_in_closure_of(facts: &FileFacts, scope: u32, kind: SymbolKind, owner: u32) -> bool {
    let is_declared = matches!(
        kind,
        SymbolKind::Function | SymbolKind::Class | SymbolKind::Const | SymbolKind::Var
    );
    let owner = &facts.symbols[owner as usize];
    let is_value = matches!(owner.kind, SymbolKind::Const | SymbolKind::Var | SymbolKind::Property);
    let is_closed = facts.scopes.get(scope as usize).is_some_and(|scope| {
        matches!(scope.kind, ScopeKind::Function | ScopeKind::Block) && scope.symbol.is_none()
    });
    is_declared && is_value && is_closed && innermost(facts, owner.name_span.start) != scope
}

/// Whether a scope is that of a type without a name, written in a function, a value or a constant.
fn is_in_nameless_type(facts: &FileFacts, scope: u32, owner: u32) -> bool {
    let kind = facts.symbols[owner as usize].kind;
    !kind.has_members()
        && !matches!(kind, SymbolKind::Namespace | SymbolKind::Module)
        && facts
            .scopes
            .get(scope as usize)
            .is_some_and(|scope| scope.kind == ScopeKind::Type && scope.symbol.is_none())
}

fn is_within(facts: &FileFacts, mut scope: u32, owner: u32) -> bool {
    for _ in 0..64 {
        let Some(found) = facts.scopes.get(scope as usize) else { return false };
        if found.symbol == Some(owner) {
            return true;
        }
        // Closures have scopes of their own, but are no symbols.
        if found.kind == ScopeKind::Type || found.symbol.is_some() {
            return false;
        }
        let Some(parent) = found.parent else { return false };
        scope = parent;
    }
    false
}

/// The innermost scope around a place.
fn innermost(facts: &FileFacts, at: u32) -> u32 {
    let mut found = facts.scopes.partition_point(|scope| scope.span.start <= at).saturating_sub(1);
    for _ in 0..4096 {
        let Some(scope) = facts.scopes.get(found) else { return 0 };
        if scope.span.start <= at && at < scope.span.end {
            return found as u32;
        }
        match scope.parent {
            Some(parent) => found = parent as usize,
            None => return 0,
        }
    }
    0
}
