//! Functions that are passed to calls: what they get follows from what they are passed for, and what that
//! is from the receiver and the other arguments of the call.

use std::rc::Rc;

use crate::expression::{Expression, ExpressionId};
use crate::interface::ANY_NUMBER;
use crate::linker::Linker;
use crate::overloads::{Given, Passed};
use crate::value::{How, Meaning, Type, Value, Why, unknown_type};
use crate::world::{File, SymbolRef, World};

/// Deeper than this types are not compared.
const MAX_DEPTH: u32 = 6;

impl<W: World> Linker<'_, W> {
    /// What the function that is passed at one position of a call gets at one of its own.
    pub(crate) fn given_to_closure(
        &mut self,
        file: File,
        call: ExpressionId,
        argument: u8,
        parameter: u8,
    ) -> Meaning {
        let unknown = Meaning::unknown(Why::UnknownReceiver);
        let Expression::Call(base, count, known) = self.expression_at(file, call) else {
            return unknown;
        };
        let callee = self.evaluate(file, base);
        let passed = Passed { file, count, known: &known, callee: Some((base, None)) };
        let place = (usize::from(argument), usize::from(parameter));
        let given = match &callee.value {
            Value::Symbols(symbols, receiver) => {
                let symbols = self.plain(symbols);
                let chosen = match *symbols {
                    [only] if self.definition(only).is_some_and(|it| it.kind.is_type()) => {
                        self.constructor(only, passed)
                    }
                    _ => self.select(&symbols, receiver.as_ref(), passed),
                };
                let mut all = chosen.iter().map(|symbol| {
                    self.closure_parameter(*symbol, receiver.as_ref(), passed, place)
                });
                let first = all.next().unwrap_or_else(unknown_type);
                if all.all(|other| other == first) { first } else { unknown_type() }
            }
            _ => self.given_by_outside(file, base, usize::from(parameter)),
        };
        match &*given {
            Type::Unknown => unknown,
            _ => Meaning { value: Value::Instance(given), how: How::Inferred },
        }
    }

    /// What a function of the project gives to the one that it is passed.
    fn closure_parameter(
        &mut self,
        symbol: SymbolRef,
        receiver: Option<&Rc<Type>>,
        passed: Passed<'_>,
        (argument, parameter): (usize, usize),
    ) -> Rc<Type> {
        let given_first = self.is_given_first(symbol, receiver);
        let Some(definition) = self.definition(symbol) else { return unknown_type() };
        let Some(at) = argument.checked_sub(usize::from(given_first)) else {
            return unknown_type();
        };
        let last = definition.takes.len().saturating_sub(1);
        let at = if definition.parameters.1 == ANY_NUMBER { at.min(last) } else { at };
        let Some(written) = definition.takes.get(at).copied() else { return unknown_type() };
        let of_type = self.type_at(symbol.file, written);
        let takes = self.function_takes(symbol.file, &of_type).unwrap_or_default();
        let Some(mut given) = takes.get(parameter).map(Rc::clone) else { return unknown_type() };
        if let Some(receiver) = receiver {
            given = self.substituted(&given, receiver, 0);
        }
        match self.inferred(symbol, receiver, passed) {
            Some(inferred) => self.substituted(&given, &inferred, 0),
            None => given,
        }
    }

    /// What functions of a type from outside get, where the arguments of the type tell it.
    pub(crate) fn function_takes(&self, file: File, of_type: &Rc<Type>) -> Option<Vec<Rc<Type>>> {
        let Type::External(Some(name), arguments) = &**of_type else { return None };
        let name = self.last_name(*name);
        let rules = self.rules(file);
        if rules.function_wrappers.iter().any(|word| **word == *name) {
            return self.function_takes(file, arguments.first()?);
        }
        let behind = usize::from(*rules.function_results.get(&*name)?);
        let count = arguments.len().checked_sub(behind)?;
        Some(arguments[..count].to_vec())
    }

    /// What a function from outside gives to the one that it is passed: an element of what it is called
    /// on, or what functions get that are elements of it.
    fn given_by_outside(&mut self, file: File, callee: ExpressionId, parameter: usize) -> Rc<Type> {
        let mut callee = self.expression_at(file, callee);
        if let Expression::Generic(inner) = callee {
            callee = self.expression_at(file, inner);
        }
        let Expression::Member(base, name) = callee else { return unknown_type() };
        let name = self.world.text(name);
        let rules = self.rules(file);
        let is_one_of = |words: &[String]| words.iter().any(|word| **word == *name);
        let (gives, takes) = (is_one_of(&rules.gives_elements), is_one_of(&rules.takes_elements));
        if !gives && !takes {
            return unknown_type();
        }
        let receiver = self.evaluate(file, base);
        let element = self.stepped(receiver, |linker, of_type| linker.element(file, of_type));
        let Value::Instance(element) = element.value else { return unknown_type() };
        if takes {
            let all = self.function_takes(file, &element).unwrap_or_default();
            return all.get(parameter).map_or_else(unknown_type, Rc::clone);
        }
        if parameter == 0 { element } else { unknown_type() }
    }

    /// A generic function with what its type parameters stand for in a call, as far as the receiver and
    /// the arguments tell it; none if it has no type parameters.
    pub(crate) fn inferred(
        &mut self,
        symbol: SymbolRef,
        receiver: Option<&Rc<Type>>,
        passed: Passed<'_>,
    ) -> Option<Rc<Type>> {
        let definition = self.definition(symbol)?;
        if definition.type_parameters == 0 || !definition.kind.is_callable() {
            return None;
        }
        let mut inferred = vec![unknown_type(); usize::from(definition.type_parameters)];
        let given_first = self.is_given_first(symbol, receiver);
        let is_added = definition.adds_to.is_some() && definition.owner.is_some();
        if let (true, false, Some(receiver)) = (is_added, given_first, receiver) {
            let target = self.type_at(symbol.file, definition.target);
            self.infer(symbol, &target, receiver, &mut inferred, 0);
        }
        let first = given_first.then_some(definition.target);
        let takes = first.into_iter().chain(definition.takes.iter().copied());
        for (position, written) in takes.take(passed.known.len()).enumerate() {
            if let Given::Value(given) = self.given(passed, position) {
                let wanted = self.type_at(symbol.file, written);
                self.infer(symbol, &wanted, &given, &mut inferred, 0);
            }
        }
        let is_told = inferred.iter().any(|each| **each != Type::Unknown);
        is_told.then(|| Rc::new(Type::Named(symbol, inferred)))
    }

    /// Notes what type parameters of a function stand for if a value of one type is passed for another.
    fn infer(
        &mut self,
        symbol: SymbolRef,
        wanted: &Rc<Type>,
        given: &Rc<Type>,
        inferred: &mut [Rc<Type>],
        depth: u32,
    ) {
        if depth > MAX_DEPTH {
            return;
        }
        match (&**wanted, &**given) {
            (_, Type::Unknown) => {}
            (Type::Parameter(owner, position, _), _) if *owner == symbol => {
                if let Some(slot) = inferred.get_mut(usize::from(*position))
                    && **slot == Type::Unknown
                {
                    *slot = Rc::clone(given);
                }
            }
            (Type::External(_, wanted), Type::External(_, given))
                if wanted.len() == given.len() =>
            {
                for (wanted, given) in wanted.iter().zip(given) {
                    self.infer(symbol, wanted, given, inferred, depth + 1);
                }
            }
            (Type::Named(owner, arguments), Type::Named(..)) => {
                for (position, wanted) in arguments.iter().enumerate() {
                    let position = u8::try_from(position).unwrap_or(u8::MAX);
                    if let Some(given) = self.given_to_parent(given, *owner, position, 0) {
                        self.infer(symbol, wanted, &given, inferred, depth + 1);
                    }
                }
            }
            (Type::External(Some(name), arguments), Type::Named(..)) if !arguments.is_empty() => {
                let bases = self.bases_of(given);
                let same = bases.iter().find(|base| match &***base {
                    Type::External(Some(other), its) => {
                        other == name && its.len() == arguments.len()
                    }
                    _ => false,
                });
                if let Some(base) = same {
                    let base = self.substituted(base, given, 0);
                    self.infer(symbol, wanted, &base, inferred, depth + 1);
                }
            }
            _ => {}
        }
    }
}
