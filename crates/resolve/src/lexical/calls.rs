//! Calls and parents: what is passed, what is made, what is extended.

use model::{Base, Binding, LiteralKind, Reference, ScopeKind, Step};
use rustc_hash::FxHashMap;

use super::{Lexical, MAX_DEPTH};
use crate::expression::{Expression, ExpressionId};
use crate::types::{self, Written};

impl Lexical<'_> {
    /// What is passed to a call, by position, as far as it is known.
    pub(crate) fn passed(&mut self, reference: u32) -> Box<[ExpressionId]> {
        let arguments = self.body.arguments;
        let from = arguments.partition_point(|argument| argument.reference < reference);
        let Some(fact) = self.body.references.get(reference as usize).copied() else {
            return Box::default();
        };
        let mut passed = Vec::new();
        for argument in arguments[from..].iter().take_while(|it| it.reference == reference) {
            if self.depth > MAX_DEPTH {
                break;
            }
            passed.resize(usize::from(argument.position), ExpressionId::UNKNOWN);
            self.depth += 1;
            let closure = self.closures.get(&(reference, argument.position)).copied();
            passed.push(match (argument.origin.base, closure) {
                (Base::Literal(LiteralKind::Function), Some(parameters)) => {
                    self.push(Expression::Closure(parameters))
                }
                _ => self.origin_at(argument.origin, fact.symbol, fact.scope, fact.start),
            });
            self.depth -= 1;
        }
        passed.into_boxed_slice()
    }

    /// What a function that is passed to a call gets from it.
    pub(super) fn given(&mut self, call: u32, argument: u8, parameter: u8) -> ExpressionId {
        if self.depth > MAX_DEPTH || call as usize >= self.body.references.len() {
            return ExpressionId::UNKNOWN;
        }
        self.depth += 1;
        let meaning = self.meaning(call);
        let passed = self.passed(call);
        self.depth -= 1;
        let count = self.body.references[call as usize].arguments;
        let call = self.push(Expression::Call(meaning, count, passed));
        match call {
            ExpressionId::UNKNOWN => ExpressionId::UNKNOWN,
            call => self.push(Expression::Given(call, argument, parameter)),
        }
    }

    /// `new(…)` makes a value of the type of what it is given to, or of what its function returns.
    pub(super) fn expected(&mut self, fact: Reference) -> ExpressionId {
        if fact.receiver.base != Base::None {
            let receiver = self.origin(fact.receiver, fact.symbol, fact.scope);
            return self.push(Expression::TypeOf(receiver));
        }
        let mut scope = self.body.scopes.get(fact.scope as usize);
        while let Some(block) = scope.filter(|scope| scope.kind == ScopeKind::Block) {
            scope = block.parent.and_then(|parent| self.body.scopes.get(parent as usize));
        }
        // Of a function without a name it is not known what it returns.
        if scope.is_none_or(|scope| scope.kind == ScopeKind::Function && scope.symbol.is_none()) {
            return ExpressionId::UNKNOWN;
        }
        match fact.symbol.and_then(|symbol| self.definitions.get(symbol as usize)) {
            Some(definition) => {
                let value = definition.value;
                let unwrapped = self.push(Expression::Awaited(value));
                self.push(Expression::TypeOf(unwrapped))
            }
            None => ExpressionId::UNKNOWN,
        }
    }

    /// A constructor that calls another one of its type, or one of the parent: `this(…)`, `base(…)`.
    pub(super) fn own_constructor(&mut self, fact: Reference) -> Option<ExpressionId> {
        let name = self.texts.text(fact.name);
        let is_one_of = |words: &[String]| words.iter().any(|word| **word == *name);
        let table = &self.language.table;
        let is_this = is_one_of(&table.this) || &*name == "this";
        if !is_this && !is_one_of(&table.super_names) && &*name != "super" {
            return None;
        }
        let object = self.object_of(fact.symbol, fact.scope)?;
        Some(self.expressions.push(match is_this {
            true => Expression::Symbol(object),
            false => Expression::Parent(object),
        }))
    }

    /// A parent of a symbol. The facts name it; its arguments stand only in the signature.
    pub(crate) fn base(&mut self, reference: u32, signature: &str, symbol: u32) -> ExpressionId {
        let meaning = self.meaning(reference);
        let Some(fact) = self.body.references.get(reference as usize).copied() else {
            return meaning;
        };
        let name = self.texts.text(fact.name);
        let Some(written) = types::applied(signature, &name) else { return meaning };
        let Written::Apply(_, arguments) = types::parse(written) else { return meaning };
        let before = self.head_of.replace(symbol);
        let arguments = self.types_of(&arguments, fact.scope, Some(symbol));
        self.head_of = before;
        self.push(Expression::Apply(meaning, arguments))
    }
}

/// How many parameters functions without a name have, by the call they are passed to and the position.
pub(super) fn closures(bindings: &[Binding]) -> FxHashMap<(u32, u8), u8> {
    let mut found = FxHashMap::default();
    for binding in bindings {
        if let (Base::Reference(call), Step::Given(argument, _)) =
            (binding.origin.base, binding.origin.step)
        {
            let count: &mut u8 = found.entry((call, argument)).or_default();
            *count = count.saturating_add(1);
        }
    }
    found
}
