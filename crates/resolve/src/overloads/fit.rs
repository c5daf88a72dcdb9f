//! Whether a value of one type can be passed for a parameter of another, and how well.

use std::rc::Rc;

use model::SymbolKind;

use super::{Fit, Given, TO_ALL};
use crate::linker::Linker;
use crate::value::Type;
use crate::world::{File, SymbolRef, World};

impl<W: World> Linker<'_, W> {
    pub(super) fn fit(&mut self, file: File, given: &Given, wanted: &Rc<Type>) -> Fit {
        if **wanted == Type::Unknown {
            return Fit::Unknown;
        }
        match given {
            Given::Unknown => Fit::Unknown,
            Given::Value(of_type) => self.fit_types(file, of_type, wanted),
            Given::Null => match &**wanted {
                Type::External(Some(name), _) if self.is_never_null(file, *name) => Fit::No,
                _ => Fit::Converts(TO_ALL),
            },
            Given::Function(parameters) => self.fit_function(file, *parameters, wanted),
        }
    }

    /// A function can be passed for a function, and for what has nothing but one method.
    fn fit_function(&mut self, file: File, parameters: Option<u8>, wanted: &Rc<Type>) -> Fit {
        if let (Some(parameters), Some(takes)) = (parameters, self.function_takes(file, wanted))
            && takes.len() != usize::from(parameters)
        {
            return Fit::No;
        }
        match &**wanted {
            Type::Function(_) => Fit::Exact,
            Type::Named(symbol, _) => match self.definition(*symbol).map(|it| it.kind) {
                Some(SymbolKind::Interface | SymbolKind::Trait | SymbolKind::TypeAlias) => {
                    Fit::Converts(TO_ALL)
                }
                _ => Fit::No,
            },
            Type::External(Some(name), _) => {
                let name = self.canonical(file, *name);
                let rules = self.rules(file);
                let is_wrapper = rules.function_wrappers.iter().any(|word| **word == *name);
                if is_wrapper || rules.function_types.contains(&*name) {
                    return Fit::Exact;
                }
                let is_parent = |function: &String| {
                    rules
                        .parents
                        .get(function)
                        .is_some_and(|all| all.iter().any(|it| **it == *name))
                };
                if rules.function_types.iter().any(is_parent) {
                    return Fit::Converts(TO_ALL);
                }
                let is_closed = rules.conversions.contains_key(&*name)
                    || rules.tops.contains(&*name)
                    || parameters.is_some() && rules.is_builtin(&name);
                if is_closed { Fit::No } else { Fit::Unknown }
            }
            Type::External(None, arguments) if !arguments.is_empty() => Fit::No,
            // What a type parameter stands for does not follow from a function.
            Type::Parameter(..) => Fit::No,
            _ => Fit::Unknown,
        }
    }

    /// Whether a value of one type can be passed for a parameter of another.
    pub(super) fn fit_types(&mut self, file: File, given: &Rc<Type>, wanted: &Rc<Type>) -> Fit {
        match (&**given, &**wanted) {
            (Type::Unknown, _) | (_, Type::Unknown) => Fit::Unknown,
            (Type::Parameter(one, at, _), Type::Parameter(other, place, _))
                if (one, at) == (other, place) =>
            {
                Fit::Exact
            }
            (_, Type::Parameter(_, _, bound)) => match &**bound {
                Type::Unknown => Fit::Generic,
                _ => match self.fit_types(file, given, bound) {
                    Fit::No => Fit::No,
                    Fit::Unknown => Fit::Unknown,
                    _ => Fit::Generic,
                },
            },
            (Type::Parameter(_, _, bound), _) => match self.is_top(file, wanted) {
                true => Fit::Converts(TO_ALL),
                false => match self.fit_types(file, bound, wanted) {
                    Fit::Exact => Fit::Converts(200),
                    other => other,
                },
            },
            (Type::Named(..), Type::Named(..)) => self.fit_named(given, wanted),
            (Type::Named(symbol, _), Type::External(name, arguments)) => {
                let symbol = *symbol;
                match name {
                    None if !arguments.is_empty() => Fit::No,
                    None => Fit::Unknown,
                    Some(_) if self.is_top(file, wanted) => Fit::Converts(TO_ALL),
                    Some(name) => {
                        let name = self.canonical(file, *name);
                        self.fit_outside(file, symbol, &name)
                    }
                }
            }
            (Type::External(Some(name), _), Type::Named(symbol, _)) => {
                let last = self.last_name(*name);
                let named = self.world.intern(&last);
                // A type that is not found here, but is in the project, may be anything.
                let is_outside =
                    self.rules(file).is_builtin(&last) || self.world.named(named).is_empty();
                match is_outside && !self.is_converted(*symbol) {
                    true => Fit::No,
                    false => Fit::Unknown,
                }
            }
            (Type::External(..), Type::External(..)) => self.fit_external(file, given, wanted),
            _ => Fit::Unknown,
        }
    }

    /// Whether a value of one type may be one of another, as far as that is known.
    pub(crate) fn may_be(&mut self, file: File, given: &Rc<Type>, wanted: &Rc<Type>) -> bool {
        self.fit_types(file, given, wanted) != Fit::No
    }

    /// Both are types of the project.
    fn fit_named(&mut self, given: &Rc<Type>, wanted: &Rc<Type>) -> Fit {
        let (Type::Named(one, _), Type::Named(other, _)) = (&**given, &**wanted) else {
            return Fit::Unknown;
        };
        let (one, other) = (*one, *other);
        if self.is_same_type(one, other) {
            return Fit::Exact;
        }
        match self.distance(one, |this, parent| match &**parent {
            Type::Named(parent, _) => this.is_same_type(*parent, other),
            _ => false,
        }) {
            Ok(Some(far)) => Fit::Converts(u8::MAX - far),
            Ok(None) if self.is_converted(one) || self.is_converted(other) => Fit::Unknown,
            Ok(None) => Fit::No,
            Err(()) => Fit::Unknown,
        }
    }

    /// A type of the project is passed for one from outside.
    fn fit_outside(&mut self, file: File, symbol: SymbolRef, wanted: &str) -> Fit {
        if self.rules(file).conversions.contains_key(wanted) {
            return if self.is_converted(symbol) { Fit::Unknown } else { Fit::No };
        }
        let mut goes_outside = false;
        let found = self.distance(symbol, |this, parent| match &**parent {
            Type::External(Some(name), _) => {
                goes_outside = true;
                *this.canonical(file, *name) == *wanted
            }
            _ => false,
        });
        match found {
            Ok(Some(far)) => Fit::Converts(u8::MAX - far),
            // Of what is outside nobody knows the parents.
            Ok(None) if goes_outside => Fit::Unknown,
            Ok(None) => match self.definition(symbol).map(|it| it.kind) {
                Some(SymbolKind::Class | SymbolKind::Interface) if !self.is_converted(symbol) => {
                    Fit::No
                }
                _ => Fit::Unknown,
            },
            Err(()) => Fit::Unknown,
        }
    }

    /// Whether the language says of both types what they can be passed for.
    pub(super) fn are_closed(&mut self, file: File, given: &Given, wanted: &Rc<Type>) -> bool {
        let Given::Value(given) = given else { return false };
        [given, wanted].into_iter().all(|of_type| match &**of_type {
            Type::External(Some(name), _) => {
                let name = self.canonical(file, *name);
                self.rules(file).conversions.contains_key(&*name)
            }
            _ => false,
        })
    }

    /// Whether one is a type of the project and the other one from outside of which all is known, and
    /// neither is made from the other: the type has no constructor for it, and no conversion.
    pub(super) fn are_unrelated(&mut self, file: File, given: &Given, wanted: &Rc<Type>) -> bool {
        let Given::Value(given) = given else { return false };
        let is_closed = |this: &mut Self, name: model::NameId| {
            let name = this.canonical(file, name);
            let conversions = &this.rules(file).conversions;
            conversions.contains_key(&*name) && !this.rules(file).number_types.contains(&*name)
        };
        match (&**given, &**wanted) {
            (Type::External(Some(name), _), Type::Named(symbol, _)) => {
                is_closed(self, *name) && !self.is_made_of_one(*symbol)
            }
            (Type::Named(symbol, _), Type::External(Some(name), _)) => {
                is_closed(self, *name) && !self.may_convert(*symbol)
            }
            _ => false,
        }
    }

    /// Whether a type has a constructor that takes one argument, or may have one.
    fn is_made_of_one(&mut self, symbol: SymbolRef) -> bool {
        let is_class = self.definition(symbol).is_some_and(|it| {
            matches!(it.kind, SymbolKind::Class | SymbolKind::Struct | SymbolKind::Enum)
        });
        let constructors = self.constructors_in(symbol.file);
        let own = constructors.get(&symbol.symbol).cloned().unwrap_or_default();
        !is_class
            || own.into_iter().any(|constructor| {
                let constructor = SymbolRef { file: symbol.file, symbol: constructor };
                self.definition(constructor).is_none_or(|it| super::takes_so_many(it, false, 1))
            })
    }

    /// Whether a type, or a parent of it, says how values of it become others.
    fn may_convert(&mut self, symbol: SymbolRef) -> bool {
        let is_class = self
            .definition(symbol)
            .is_some_and(|it| matches!(it.kind, SymbolKind::Class | SymbolKind::Struct));
        let converts = |symbol: SymbolRef| {
            self.world.interface(symbol.file).symbols.iter().any(|it| {
                it.owner == Some(symbol.symbol) && self.world.text(it.name).starts_with("operator ")
            })
        };
        !is_class || converts(symbol) || !self.bases_of_symbol(symbol).is_empty()
    }

    fn fit_external(&mut self, file: File, given: &Rc<Type>, wanted: &Rc<Type>) -> Fit {
        let (Type::External(one, mine), Type::External(other, its)) = (&**given, &**wanted) else {
            return Fit::Unknown;
        };
        match (one, other) {
            // Lists without a name.
            (None, None) => match (mine.last(), its.last()) {
                (Some(mine), Some(its)) if mine == its => Fit::Exact,
                (Some(mine), Some(its)) => match self.fit_types(file, mine, its) {
                    Fit::Exact => Fit::Exact,
                    Fit::No => Fit::No,
                    Fit::Converts(_) => Fit::Converts(1),
                    _ => Fit::Unknown,
                },
                _ => Fit::Unknown,
            },
            (None, Some(name)) => {
                let name = self.canonical(file, *name);
                let rules = self.rules(file);
                if let Some(fit) = self.fit_parent(file, "[]", &name).filter(|_| !mine.is_empty()) {
                    fit
                } else if rules.tops.contains(&*name) {
                    Fit::Converts(TO_ALL)
                } else if !mine.is_empty() && rules.conversions.contains_key(&*name) {
                    Fit::No
                } else {
                    Fit::Unknown
                }
            }
            (Some(_), None) if its.is_empty() => Fit::Unknown,
            (Some(name), None) => {
                let name = self.canonical(file, *name);
                if self.rules(file).conversions.contains_key(&*name) {
                    Fit::No
                } else {
                    Fit::Unknown
                }
            }
            (Some(one), Some(other)) => {
                let (one, other) = (self.canonical(file, *one), self.canonical(file, *other));
                let rules = self.rules(file);
                if one == other {
                    return Fit::Exact;
                }
                if let Some(fit) = self.fit_parent(file, &one, &other) {
                    return fit;
                }
                if let Some(all) = rules.conversions.get(&*one) {
                    if let Some(at) = all.iter().position(|each| **each == *other) {
                        return Fit::Converts(u8::MAX - at.min(200) as u8);
                    }
                    let is_top = rules.tops.contains(&*other);
                    return if is_top { Fit::Converts(TO_ALL) } else { Fit::No };
                }
                if rules.tops.contains(&*other) {
                    Fit::Converts(TO_ALL)
                } else if rules.conversions.contains_key(&*other) {
                    Fit::No
                } else {
                    Fit::Unknown
                }
            }
        }
    }

    /// What the language says of values of a type from outside: that they are of another one too.
    fn fit_parent(&self, file: File, one: &str, other: &str) -> Option<Fit> {
        let all = self.rules(file).parents.get(one)?;
        let at = all.iter().position(|each| each == other)?;
        Some(Fit::Converts(u8::MAX - at.min(200) as u8))
    }

    /// How far up a parent stands; an error if the parents are not all known.
    fn distance(
        &mut self,
        symbol: SymbolRef,
        mut is_wanted: impl FnMut(&mut Self, &Rc<Type>) -> bool,
    ) -> Result<Option<u8>, ()> {
        let mut seen = vec![symbol];
        let mut level = vec![symbol];
        let mut is_known = true;
        for far in 1..32 {
            let mut next = Vec::new();
            for symbol in level {
                for base in self.bases_of_symbol(symbol) {
                    if is_wanted(self, &base) {
                        return Ok(Some(far));
                    }
                    match &*base {
                        Type::Named(parent, _) if !seen.contains(parent) && seen.len() < 256 => {
                            seen.push(*parent);
                            next.push(*parent);
                        }
                        Type::Unknown => is_known = false,
                        _ => {}
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        if is_known { Ok(None) } else { Err(()) }
    }

    /// Whether two symbols are one type, which may stand in several parts.
    fn is_same_type(&mut self, one: SymbolRef, other: SymbolRef) -> bool {
        one == other || self.parts_of(one).contains(&other)
    }

    /// Whether a type says how it is made from others without being asked.
    fn is_converted(&mut self, symbol: SymbolRef) -> bool {
        let Some(word) = &self.rules(symbol.file).implicit_conversions else { return false };
        let name = self.world.intern(word);
        let parts = self.parts_of(symbol);
        parts.iter().any(|part| !self.world.members(*part, name).is_empty())
    }

    pub(super) fn is_top(&mut self, file: File, of_type: &Rc<Type>) -> bool {
        match &**of_type {
            Type::External(Some(name), _) => {
                let name = self.canonical(file, *name);
                self.rules(file).tops.contains(&*name)
            }
            _ => false,
        }
    }

    fn is_never_null(&mut self, file: File, name: model::NameId) -> bool {
        let name = self.canonical(file, name);
        self.rules(file).never_null.contains(&*name)
    }

    /// The last part of a name from outside, as the language itself would write it.
    fn canonical(&mut self, file: File, name: model::NameId) -> Rc<str> {
        let last = self.last_name(name);
        match self.rules(file).other_names.get(&*last) {
            Some(usual) => usual.as_str().into(),
            None => last,
        }
    }

    /// The last part of a name from outside.
    pub(crate) fn last_name(&self, name: model::NameId) -> Rc<str> {
        let text = self.world.text(name);
        match text.rsplit(['.', ':', '\\']).next() {
            Some(last) if last.len() < text.len() => last.into(),
            _ => text,
        }
    }
}
