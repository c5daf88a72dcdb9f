//! Calls that depend on what a template is given: which definition they mean is decided where it is used.

use std::rc::Rc;

use super::Given;
use crate::linker::Linker;
use crate::overloads::Passed;
use crate::value::Type;
use crate::world::{File, SymbolRef, World};

/// Types in types are followed so far.
const MAX_NESTING: u32 = 8;

impl<W: World> Linker<'_, W> {
    /// Whether the one definition that a call can mean may still be replaced by another one: by a
    /// specialisation of the type it is a member of, or by a function that comes with the types of its
    /// arguments. `around` is the symbol that the call stands in.
    pub(crate) fn is_late(
        &mut self,
        chosen: SymbolRef,
        receiver: Option<&Rc<Type>>,
        around: Option<u32>,
        passed: Passed<'_>,
    ) -> bool {
        if !self.rules(passed.file).late_templates || !self.is_in_template(passed.file, around) {
            return false;
        }
        if receiver.is_some_and(|receiver| is_open(receiver, MAX_NESTING)) {
            return true;
        }
        let is_member = self.definition(chosen).is_some_and(|it| {
            it.type_parameters == 0
                && (it.adds_to.is_some() || it.kind != model::SymbolKind::Function)
        });
        !is_member
            && self
                .all_given(passed)
                .iter()
                .any(|given| matches!(given, Given::Unknown) || given.is_open())
    }

    /// Whether a symbol is a template or stands in one.
    fn is_in_template(&self, file: File, around: Option<u32>) -> bool {
        let interface = self.world.interface(file);
        let mut next = around;
        for _ in 0..64 {
            let Some(definition) = next.and_then(|symbol| interface.definition(symbol)) else {
                return false;
            };
            if definition.type_parameters > 0 {
                return true;
            }
            next = definition.owner;
        }
        false
    }
}

impl Given {
    /// Whether its type depends on what a template is given.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Value(of_type) => is_open(of_type, MAX_NESTING),
            _ => false,
        }
    }
}

fn is_open(of_type: &Type, deep: u32) -> bool {
    let any = |all: &[Rc<Type>]| deep > 0 && all.iter().any(|each| is_open(each, deep - 1));
    match of_type {
        Type::Parameter(..) => true,
        Type::Named(_, all) | Type::External(_, all) | Type::Tuple(all) | Type::Union(all) => {
            any(all)
        }
        Type::Function(returned) => deep > 0 && is_open(returned, deep - 1),
        Type::Unknown | Type::Object(_) => false,
    }
}
