//! The object at hand, and the types around a place.

use languages::{Language, ModuleSystem};
use model::{Base, Binding, Reference, ReferenceFlags, Role, ScopeKind};
use rustc_hash::FxHashSet;

use super::{Lexical, Meant, Texts};
use crate::expression::{Expression, ExpressionId};

impl Lexical<'_> {
    /// `super(…)`, `new self(…)`: words that stand for a type where something is constructed.
    pub(super) fn constructed_word(&mut self, fact: &Reference) -> Option<ExpressionId> {
        // Without arguments it is a literal, as Rust's `Self { … }`, and calls nothing.
        fact.arguments.and_then(|_| self.constructed_type(fact))
    }

    /// The same with literals: they make a value of that type too.
    pub(super) fn constructed_type(&mut self, fact: &Reference) -> Option<ExpressionId> {
        let flags = fact.flags;
        if !flags.has(ReferenceFlags::CONSTRUCT) || flags.has(ReferenceFlags::MEMBER) {
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

    /// What `this` is where a function around says it: `function (this: Type)`.
    pub(super) fn given_this(&mut self, scope: u32) -> Option<ExpressionId> {
        if self.given_this.is_empty() {
            return None;
        }
        let mut next = Some(scope);
        for _ in 0..4096 {
            let current = next?;
            if let Some((_, binding)) = self.given_this.iter().find(|(scope, _)| *scope == current)
            {
                return Some(self.binding_value(*binding));
            }
            let fact = self.body.scopes.get(current as usize)?;
            next = fact.parent.filter(|_| fact.kind != ScopeKind::Type);
        }
        None
    }

    /// The symbol whose members the object at hand has.
    pub(super) fn object_of(&self, symbol: Option<u32>, scope: u32) -> Option<u32> {
        let mut current = symbol.or_else(|| self.symbol_around(scope))?;
        for _ in 0..64 {
            let definition = self.definitions.get(current as usize)?;
            if definition.kind.has_members() {
                return Some(current);
            }
            match definition.owner.filter(|_| !definition.stands_outside()) {
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
    pub(super) fn standing(&self, object: u32, symbol: Option<u32>) -> u32 {
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
    pub(super) fn super_method(&mut self, fact: &Reference) -> Option<ExpressionId> {
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
    pub(super) fn holder_of(&self, symbol: Option<u32>) -> Option<u32> {
        use model::SymbolKind::{Module, Namespace};
        let mut current = symbol;
        for _ in 0..64 {
            let index = current?;
            let definition = self.definitions.get(index as usize)?;
            if definition.kind.has_members() || matches!(definition.kind, Module | Namespace) {
                return Some(index);
            }
            if definition.stands_outside() {
                return Some(index);
            }
            // What a macro around it opens is not there to be asked.
            let is_opened = definition.owner.is_none()
                && definition
                    .qualifier
                    .is_some_and(|qualifier| self.texts.text(qualifier).starts_with('#'));
            if is_opened {
                return Some(index);
            }
            current = definition.owner;
        }
        None
    }

    pub(super) fn symbol_around(&self, scope: u32) -> Option<u32> {
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

/// Bindings of `this`, with their scopes. Only languages that name modules by paths have them.
pub(super) fn given_this(
    language: &Language,
    bindings: &[Binding],
    texts: &mut dyn Texts,
) -> Vec<(u32, u32)> {
    if language.table.linking.modules != ModuleSystem::Paths {
        return Vec::new();
    }
    let this = texts.intern("this");
    let is_it = |(_, binding): &(usize, &Binding)| binding.name == this;
    bindings
        .iter()
        .enumerate()
        .filter(is_it)
        .map(|(index, binding)| (binding.scope, index as u32))
        .collect()
}

/// References to parents of types, and the first names of paths to them.
pub(super) fn parents(references: &[Reference]) -> FxHashSet<u32> {
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
