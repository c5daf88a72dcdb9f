//! Which of several definitions of a name a call means.
//!
//! What cannot be called so is dropped: by the number of arguments first, then by their types where those
//! are known. Of what is left, one is meant if it is better than every other; otherwise the call stays
//! ambiguous. Nothing is dropped because of a type that is not known.

mod constants;
mod fit;
mod late;

use std::rc::Rc;

use model::{LiteralKind, SymbolFlags, SymbolKind};

use crate::expression::{Expression, ExpressionId};
use crate::interface::{ANY_NUMBER, Definition};
use crate::linker::Linker;
use crate::value::{Type, Value};
use crate::world::{File, SymbolRef, World};

/// A call, as far as it tells which definition is meant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed<'p> {
    pub(crate) file: File,
    /// How many arguments; none if it is no call.
    pub(crate) count: Option<u16>,
    /// Those that are known, by position.
    pub(crate) known: &'p [ExpressionId],
    /// What is called, and whether that is done in a method that leaves its object as it is.
    pub(crate) callee: Option<(ExpressionId, Option<bool>)>,
}

/// What is passed at one position.
#[derive(Debug, Clone)]
pub(crate) enum Given {
    Unknown,
    Null,
    /// A function without a name, or one that is not called, with the number of its parameters.
    Function(Option<u8>),
    Value(Rc<Type>),
}

/// Whether something can be passed for a parameter, and how well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    Unknown,
    /// By a conversion; greater ones are nearer.
    Converts(u8),
    /// For a type parameter.
    Generic,
    Exact,
}

/// How near the parent of all types is.
const TO_ALL: u8 = 0;

struct Candidate {
    symbol: SymbolRef,
    fits: Vec<Fit>,
    /// The type that each argument is passed for.
    wanted: Vec<Rc<Type>>,
    is_variadic: bool,
    /// Parameters that get nothing.
    unused: u16,
}

impl<W: World> Linker<'_, W> {
    /// Of several definitions of a name, those that a use of it can mean.
    pub(crate) fn select(
        &mut self,
        symbols: &Rc<[SymbolRef]>,
        receiver: Option<&Rc<Type>>,
        passed: Passed<'_>,
    ) -> Rc<[SymbolRef]> {
        let rules = self.rules(passed.file);
        if let (true, Some(count)) = (rules.strict_calls, passed.count)
            && !self.take_so_many(symbols, receiver, count)
        {
            return Rc::from([]);
        }
        if symbols.len() < 2 {
            return Rc::clone(symbols);
        }
        let mut left: Vec<SymbolRef> = symbols.to_vec();
        self.keep_kinds(&mut left, passed.count);
        if let (true, Some(count)) = (rules.overloads, passed.count) {
            let takes_so_many = |this: &mut Self, symbol: &SymbolRef| {
                let given_first = this.is_given_first(*symbol, receiver);
                this.definition(*symbol).is_some_and(|definition| {
                    !definition.kind.is_callable() || takes_so_many(definition, given_first, count)
                })
            };
            let fitting: Vec<SymbolRef> =
                left.iter().copied().filter(|symbol| takes_so_many(self, symbol)).collect();
            if !fitting.is_empty() {
                left = fitting;
            }
        }
        if rules.extension_methods && left.len() > 1 && passed.count.is_some() {
            self.keep_own(&mut left, receiver, passed);
        }
        let on_constant = self.on_constant(&left, passed);
        if on_constant == Some(true) {
            self.keep(&mut left, |definition| definition.is_constant());
        }
        let is_announced = |symbol: &SymbolRef| {
            self.definition(*symbol).is_some_and(|it| it.flags.has(SymbolFlags::DECLARATION))
        };
        let mut announced: Vec<SymbolRef> = left.iter().copied().filter(is_announced).collect();
        // An announcement is not the thing.
        self.keep(&mut left, |definition| !definition.flags.has(SymbolFlags::DECLARATION));
        if !rules.overloads && left.len() > 1 {
            // Of definitions in one file, either the last is what remains, or one is compiled: most
            // likely the first, as the others are for rarer systems.
            let (first, last) = (left[0], left[left.len() - 1]);
            if left.iter().all(|symbol| symbol.file == last.file) {
                left = vec![if rules.later_replaces { last } else { first }];
            }
        }
        if rules.overloads && left.len() > 1 && passed.count.is_some() {
            left = self.best(left, receiver, passed);
            if left.len() > 1 && announced.len() > 1 {
                announced = self.best(announced, receiver, passed);
            }
        }
        if on_constant == Some(false) && left.len() > 1 {
            self.keep(&mut left, |definition| !definition.is_constant());
            self.keep(&mut announced, |definition| !definition.is_constant());
        }
        // One definition for each system: what they have in common is what announces them.
        if left.len() > 1 && announced.len() == 1 && self.are_apart(&left, announced[0]) {
            left = announced;
        }
        left.into()
    }

    /// Members come before what is called like a member, if one of them can be called so.
    fn keep_own(
        &mut self,
        left: &mut Vec<SymbolRef>,
        receiver: Option<&Rc<Type>>,
        passed: Passed<'_>,
    ) {
        let is_added = |this: &mut Self, symbol: SymbolRef| {
            let is_extension = this
                .definition(symbol)
                .is_some_and(|it| it.owner.is_some() && it.adds_to.is_some());
            is_extension && !this.is_given_first(symbol, receiver)
        };
        let (mut added, own): (Vec<SymbolRef>, Vec<SymbolRef>) =
            left.iter().copied().partition(|symbol| is_added(self, *symbol));
        if added.is_empty() {
            return;
        }
        if let Some(receiver) = receiver {
            let fitting =
                |this: &mut Self, it: &SymbolRef| this.adds_to_such(passed.file, *it, receiver);
            added.retain(|it| fitting(self, it));
        }
        if own.is_empty() || added.is_empty() {
            if let [_, ..] = *added {
                *left = added;
            }
            return;
        }
        let given = self.all_given(passed);
        let is_possible = own.iter().any(|symbol| {
            self.candidate(*symbol, receiver, &given, passed)
                .is_none_or(|candidate| !candidate.fits.contains(&Fit::No))
        });
        *left = if is_possible { own } else { added };
    }

    /// What is passed at each position.
    fn all_given(&mut self, passed: Passed<'_>) -> Vec<Given> {
        (0..usize::from(passed.count.unwrap_or_default()))
            .take(usize::from(model::MAX_ARGUMENTS))
            .map(|position| self.given(passed, position))
            .collect()
    }

    /// Whether definitions stand in files of their own, none of them beside what announces them.
    fn are_apart(&self, definitions: &[SymbolRef], announced: SymbolRef) -> bool {
        definitions.iter().enumerate().all(|(at, symbol)| {
            symbol.file != announced.file
                && definitions[..at].iter().all(|other| other.file != symbol.file)
        })
    }

    /// Whether one of these can be called with so many arguments, or is no function at all.
    fn take_so_many(
        &mut self,
        symbols: &[SymbolRef],
        receiver: Option<&Rc<Type>>,
        count: u16,
    ) -> bool {
        symbols.iter().any(|symbol| {
            let given_first = self.is_given_first(*symbol, receiver);
            self.definition(*symbol).is_none_or(|it| {
                !matches!(it.kind, SymbolKind::Method | SymbolKind::Constructor)
                    || takes_so_many(it, given_first, count)
            })
        })
    }

    /// Whether a function that can be called like a member is called as what it is, with its receiver as
    /// the first argument: by its bare name, or as a member of the type that holds it.
    pub(crate) fn is_given_first(
        &mut self,
        symbol: SymbolRef,
        receiver: Option<&Rc<Type>>,
    ) -> bool {
        if !self.rules(symbol.file).extension_methods {
            return false;
        }
        let Some(definition) = self.definition(symbol) else { return false };
        let (Some(owner), Some(_)) = (definition.owner, definition.adds_to) else { return false };
        match receiver.map(|receiver| &**receiver) {
            None => true,
            Some(Type::Named(named, _)) => {
                let owner = SymbolRef { file: symbol.file, symbol: owner };
                *named == owner || self.parts_of(owner).contains(named)
            }
            Some(_) => false,
        }
    }

    fn keep(&self, left: &mut Vec<SymbolRef>, fits: impl Fn(&Definition) -> bool) {
        let is_fitting = |symbol: &SymbolRef| self.definition(*symbol).is_some_and(&fits);
        if left.iter().any(is_fitting) {
            left.retain(is_fitting);
        }
    }

    /// What is called can be called; what is not is rather a value or a type.
    fn keep_kinds(&self, left: &mut Vec<SymbolRef>, count: Option<u16>) {
        if count.is_none() {
            return self.keep(left, |definition| !definition.kind.is_callable());
        }
        // A function may have the name of a type that cannot be called.
        if left.first().is_some_and(|first| self.rules(first.file).types_apart) {
            self.keep(left, |definition| definition.kind.is_callable());
        }
        self.keep(left, |definition| {
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
        self.keep(left, |definition| {
            !matches!(definition.kind, SymbolKind::Interface | SymbolKind::TypeAlias)
        });
    }

    /// Those that no other is better than.
    fn best(
        &mut self,
        left: Vec<SymbolRef>,
        receiver: Option<&Rc<Type>>,
        passed: Passed<'_>,
    ) -> Vec<SymbolRef> {
        let given = self.all_given(passed);
        let mut candidates: Vec<Candidate> = left
            .iter()
            .filter_map(|symbol| self.candidate(*symbol, receiver, &given, passed))
            .collect();
        if candidates.len() != left.len() {
            return left;
        }
        let is_possible = |candidate: &Candidate| !candidate.fits.contains(&Fit::No);
        if candidates.iter().any(is_possible) {
            candidates.retain(is_possible);
        }
        // Nearer definitions stand behind those that are further away.
        let mut best: Vec<SymbolRef> = Vec::new();
        for (at, candidate) in candidates.iter().enumerate() {
            let mut is_beaten = false;
            for (other_at, other) in candidates.iter().enumerate() {
                is_beaten |=
                    at != other_at && self.is_better(other, candidate, &given, other_at > at);
            }
            if !is_beaten {
                best.push(candidate.symbol);
            }
        }
        if best.is_empty() {
            candidates.iter().map(|candidate| candidate.symbol).collect()
        } else {
            best
        }
    }

    pub(crate) fn given(&mut self, passed: Passed<'_>, position: usize) -> Given {
        let Some(id) = passed.known.get(position).copied() else { return Given::Unknown };
        match self.expression_at(passed.file, id) {
            Expression::Unknown => return Given::Unknown,
            Expression::Literal(LiteralKind::Null) => return Given::Null,
            Expression::Literal(LiteralKind::Function) => return Given::Function(None),
            Expression::Closure(parameters) => return Given::Function(Some(parameters)),
            _ => {}
        }
        let mut meaning = self.evaluate(passed.file, id);
        if let Value::Symbols(symbols, through) = &meaning.value
            && let Some(held) = self.uncalled(passed.file, symbols)
        {
            meaning.value = Value::Symbols(Rc::from([held]), through.clone());
        }
        if let Value::Symbols(symbols, _) = &meaning.value
            && let Some(definition) = symbols.last().and_then(|symbol| self.definition(*symbol))
            && definition.kind.is_callable()
            && !matches!(definition.kind, SymbolKind::Getter | SymbolKind::Setter)
        {
            return Given::Function(None);
        }
        // What comes out of something outside is not known, although it is known to come from there.
        if let Value::External(_) = meaning.value {
            return Given::Unknown;
        }
        let of_type = self.instance_type(&meaning.value);
        match &*of_type {
            Type::Function(_) => Given::Function(None),
            Type::Unknown => Given::Unknown,
            Type::External(None, arguments) if arguments.is_empty() => Given::Unknown,
            _ => Given::Value(of_type),
        }
    }

    fn candidate(
        &mut self,
        symbol: SymbolRef,
        receiver: Option<&Rc<Type>>,
        given: &[Given],
        passed: Passed<'_>,
    ) -> Option<Candidate> {
        let definition = self.definition(symbol).filter(|it| it.kind.is_callable())?;
        let is_strict = self.rules(passed.file).strict_calls;
        let is_variadic = definition.parameters.1 == ANY_NUMBER;
        let first = self.is_given_first(symbol, receiver).then_some(definition.target);
        let takes: Vec<ExpressionId> =
            first.into_iter().chain(definition.takes.iter().copied()).collect();
        let last = takes.len().checked_sub(1);
        let mut fits = Vec::with_capacity(given.len());
        let mut wanted = Vec::with_capacity(given.len());
        let mut is_expanded = given.len() < takes.len() && is_variadic;
        for (position, given_here) in given.iter().enumerate() {
            let is_rest = is_variadic && last.is_some_and(|last| position >= last);
            let at = if is_rest { last? } else { position };
            let of_type = match takes.get(at) {
                Some(id) => self.type_at(symbol.file, *id),
                None => Rc::new(Type::Unknown),
            };
            let mut fit = self.fit(passed.file, given_here, &of_type);
            if is_rest {
                // As a list of them, or as one of them.
                let whole = match list_element(&of_type) {
                    Some(_) => fit,
                    None => match given_here {
                        Given::Value(it) => match list_element(it) {
                            Some(element) => self.fit_types(passed.file, &element, &of_type),
                            None => Fit::No,
                        },
                        _ => Fit::No,
                    },
                };
                let each = match list_element(&of_type) {
                    Some(element) => self.fit(passed.file, given_here, &element),
                    None => fit,
                };
                let may_be_whole = given.len() == takes.len();
                fit = if may_be_whole { whole.max(each) } else { each };
                is_expanded |= !(may_be_whole && whole >= each && whole > Fit::Unknown);
            }
            // Where anything may convert, no type rules a definition out, unless all is known of both.
            let is_sure = is_strict
                || self.are_closed(passed.file, given_here, &of_type)
                || self.are_unrelated(passed.file, given_here, &of_type);
            fits.push(if fit == Fit::No && !is_sure { Fit::Unknown } else { fit });
            wanted.push(of_type);
        }
        let unused = takes.len().saturating_sub(given.len()) as u16;
        Some(Candidate { symbol, fits, wanted, is_variadic: is_variadic && is_expanded, unused })
    }

    /// Whether one candidate is at least as good for every argument, and better in something.
    fn is_better(
        &mut self,
        one: &Candidate,
        other: &Candidate,
        given: &[Given],
        is_nearer: bool,
    ) -> bool {
        let mut is_better = false;
        let mut are_same = true;
        let is_late = self.rules(one.symbol.file).late_templates;
        for (position, given) in given.iter().enumerate() {
            let (mine, its) = (&one.wanted[position], &other.wanted[position]);
            if mine == its && **mine != Type::Unknown {
                continue;
            }
            // Whatever it is: one of many, or the only one. What takes only one comes first.
            if let (Given::Unknown, true, false) = (given, other.is_variadic, one.is_variadic)
                && list_element(its).is_some_and(|each| each == *mine)
            {
                continue;
            }
            let overrides =
                matches!(**mine, Type::Parameter(..)) || matches!(**its, Type::Parameter(..));
            are_same &= overrides;
            if is_late && given.is_open() {
                return false;
            }
            let (my_fit, its_fit) = (one.fits[position], other.fits[position]);
            match given {
                Given::Unknown => {
                    if !overrides || one.symbol.file == other.symbol.file {
                        return false;
                    }
                }
                Given::Function(_)
                    if my_fit == Fit::Exact
                        && (its_fit == Fit::Unknown
                            || its_fit < Fit::Exact && matches!(**its, Type::External(..))) =>
                {
                    is_better = true;
                }
                Given::Null | Given::Function(_) => match self.is_narrower(mine, its) {
                    true => is_better = true,
                    false if overrides => {}
                    false => return false,
                },
                Given::Value(_) => match my_fit.cmp(&its_fit) {
                    // What is passed is of that very type: no other can be nearer.
                    _ if my_fit == Fit::Exact && its_fit == Fit::Unknown => is_better = true,
                    _ if my_fit == Fit::Unknown || its_fit == Fit::Unknown => return false,
                    std::cmp::Ordering::Less => return false,
                    std::cmp::Ordering::Greater => {
                        // What is nearer by the hierarchy is not comparable with a type parameter.
                        if my_fit == Fit::Generic
                            && matches!(its_fit, Fit::Converts(near) if near > TO_ALL)
                        {
                            return false;
                        }
                        is_better = true;
                    }
                    std::cmp::Ordering::Equal => {}
                },
            }
        }
        if is_better {
            return true;
        }
        let ties = [
            (one.is_variadic, other.is_variadic),
            (one.unused > 0, other.unused > 0),
            (has_generic(one), has_generic(other)),
        ];
        for (mine, its) in ties {
            if mine != its {
                return its;
            }
        }
        are_same && self.comes_first(one.symbol, other.symbol, is_nearer)
    }

    /// Of two definitions with the same parameters, the nearer one hides the other. In one type, or outside
    /// of it in files for several systems, only one of them is compiled: most likely the first, as the
    /// others are for rarer systems.
    fn comes_first(&self, one: SymbolRef, other: SymbolRef, is_nearer: bool) -> bool {
        let (Some(mine), Some(its)) = (self.definition(one), self.definition(other)) else {
            return false;
        };
        if one.file != other.file && mine.stands_outside() && its.stands_outside() {
            return !is_nearer;
        }
        if (one.file, mine.owner) != (other.file, its.owner) {
            return is_nearer;
        }
        self.rules(one.file).strict_calls
            && mine.parameters == its.parameters
            && mine.takes.len() == its.takes.len()
            && !is_nearer
    }

    /// Whether every value of one type is one of another, which is not the same.
    fn is_narrower(&mut self, one: &Rc<Type>, other: &Rc<Type>) -> bool {
        match (&**one, &**other) {
            (Type::Unknown, _) | (_, Type::Unknown) => false,
            (Type::External(Some(_), _) | Type::Named(..), _) => {
                let file = match &**one {
                    Type::Named(symbol, _) => symbol.file,
                    _ => match &**other {
                        Type::Named(symbol, _) => symbol.file,
                        _ => return false,
                    },
                };
                matches!(self.fit_types(file, one, other), Fit::Converts(_))
            }
            _ => false,
        }
    }
}

fn takes_so_many(definition: &Definition, given_first: bool, count: u16) -> bool {
    let (least, most) = definition.parameters;
    let Some(count) = count.checked_sub(u16::from(given_first)) else { return false };
    u16::from(least) <= count && (most == ANY_NUMBER || count <= u16::from(most))
}

fn has_generic(candidate: &Candidate) -> bool {
    candidate.fits.contains(&Fit::Generic)
}

/// An array, which has no name.
fn list_element(of_type: &Type) -> Option<Rc<Type>> {
    match of_type {
        Type::External(None, arguments) => arguments.last().map(Rc::clone),
        _ => None,
    }
}
