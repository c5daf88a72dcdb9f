//! Which symbols of a scope a bare name can mean.

use std::ops::Range;

use languages::ModuleSystem;
use model::{BindingKind, NameId, Role, ScopeKind, SymbolKind};

use super::{Bound, BoundName, Lexical, MAX_ALIKE, Meant};
use crate::expression::Expression;

/// What a scope shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Visible {
    Nothing,
    Types,
    TypesAndConstants,
    Everything,
}

impl Visible {
    fn shows(self, kind: SymbolKind) -> bool {
        match self {
            Self::Nothing => false,
            Self::Types => kind.has_members(),
            Self::TypesAndConstants => kind.has_members() || kind == SymbolKind::EnumMember,
            Self::Everything => true,
        }
    }
}

impl Lexical<'_> {
    /// What a name in the body of a type can mean of that type: its types, and in its head and its values
    /// the constants of an enumeration. Fields and methods have to be named with their object, or else
    /// `Config(Config)` would mean itself; only where a body is code that runs, it sees what it has defined.
    pub(super) fn visible_in_body(&self) -> Visible {
        let role = self
            .asking
            .and_then(|asking| self.body.references.get(asking as usize))
            .map_or(Role::Type, |reference| reference.role);
        match role {
            _ if self.language.table.linking.bodies_run => Visible::Everything,
            Role::Type | Role::Extends | Role::Implements => Visible::Types,
            _ => Visible::TypesAndConstants,
        }
    }

    /// Where a name is bound, in whatever scope.
    pub(super) fn bound_as(&self, name: NameId) -> Range<usize> {
        let from = self.bound.partition_point(|(bound, ..)| *bound < name);
        let length = self.bound[from..].partition_point(|(bound, ..)| *bound == name);
        from..from + length
    }

    /// What a name that is bound at these places means in a scope.
    pub(super) fn find(
        &mut self,
        bound: Range<usize>,
        scope: u32,
        at: u32,
        symbol: Option<u32>,
        visible: Visible,
        is_type: bool,
    ) -> Option<Meant> {
        let places = &self.bound[bound];
        let from = places.partition_point(|(_, bound_in, ..)| *bound_in < scope);
        let length = places[from..].partition_point(|(_, bound_in, ..)| *bound_in == scope);
        let here = &places[from..from + length];
        let name = here.first()?.0;
        // Symbols and imports have no place of their own and stand first; bindings follow in order. The
        // last one before the place is meant, or one behind it if there is no other.
        let before = here.partition_point(|(_, _, start, _)| *start <= at);
        let bindings = here[..before].iter().rev().chain(&here[before..]);
        let is_apart = self.language.table.linking.calls_apart
            && self.asking.is_some_and(|asking| {
                self.body.references.get(asking as usize).is_some_and(|it| it.role == Role::Call)
            });
        let binding = bindings.take(MAX_ALIKE).find_map(|(.., bound)| match bound {
            Bound::Binding(index) => {
                let binding = &self.body.bindings[*index as usize];
                // `guard let name = name`, `name = name.next()`: the second is another one.
                let is_asking =
                    self.asking.is_some_and(|asking| self.is_within(asking, binding.origin));
                let is_meant = match binding.kind {
                    BindingKind::TypeParameter => true,
                    _ => !is_type && !is_apart,
                };
                (is_meant && !is_asking).then_some(*index)
            }
            _ => None,
        });
        if let Some(binding) = binding {
            return Some(Meant::Binding(binding));
        }
        let is_own = |(.., bound): &BoundName| matches!(bound, Bound::Symbol(index) if Some(*index) == symbol);
        let is_in_body = self.body.scopes[scope as usize].kind == ScopeKind::Type;
        // `limit: limit = 3` in a body means another one than itself.
        let own = symbol.filter(|_| is_in_body && here.iter().any(is_own));
        if own.is_none()
            && let Some(known) = self.found.get(&(scope, name, visible, is_type, self.is_applied))
        {
            return *known;
        }
        let linking = &self.language.table.linking;
        let (mut symbols, mut import) = (Vec::new(), None);
        for (.., bound) in here {
            match bound {
                Bound::Symbol(index) => {
                    let definition = &self.definitions[*index as usize];
                    let kind = definition.kind;
                    // A type with parameters is another one than that of its name without.
                    let is_other = linking.reopened_types
                        && !linking.separate_static
                        && kind.is_type()
                        && self.is_applied.is_some_and(|it| it != (definition.type_parameters > 0));
                    let may_hold = matches!(kind, SymbolKind::Namespace | SymbolKind::Module);
                    let is_asked = !is_type || kind.has_members() || may_hold;
                    if is_asked && !is_other && visible.shows(kind) && Some(*index) != own {
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
        // What is imported cannot be declared again: a symbol of its name is one that `exports.name = …` makes.
        let is_imported = linking.modules == ModuleSystem::Paths && !is_type;
        let expression = match (symbols.as_slice(), import) {
            (_, Some(import)) if is_imported => Some(Expression::Import(import)),
            ([only], _) => Some(Expression::Symbol(*only)),
            ([_, ..], _) => Some(Expression::Symbols(symbols.into_boxed_slice())),
            ([], import) => import.map(Expression::Import),
        };
        let found = expression.map(|it| Meant::Expression(self.expressions.push(it)));
        if own.is_none() {
            self.found.insert((scope, name, visible, is_type, self.is_applied), found);
        }
        found
    }
}
