//! Objects beside or inside of types, as in Scala and Kotlin: one name means a type in one place and an
//! object in another, and what a type itself has stands in an object.

use std::rc::Rc;

use model::{NameId, ReferenceFlags, Role, SymbolKind};

use crate::digest::Thing;
use crate::interface::Definition;
use crate::linker::{Linker, Side};
use crate::overloads::Passed;
use crate::value::{How, Meaning, Type, Value};
use crate::world::{File, SymbolRef, World};

impl<W: World> Linker<'_, W> {
    /// The object among definitions of one name, where a class may have one beside it.
    pub(crate) fn object_among(&self, file: File, symbols: &[SymbolRef]) -> Option<SymbolRef> {
        self.rules(file).applied.as_ref()?;
        symbols.iter().copied().find(|symbol| self.is_singleton(*symbol))
    }

    fn is_singleton(&self, symbol: SymbolRef) -> bool {
        self.definition(symbol).is_some_and(|definition| definition.kind == SymbolKind::Object)
    }

    /// What is called by a call of an object: a member of it with a name that the language has for
    /// that. None where the class beside it is meant.
    pub(crate) fn applied(&mut self, file: File, symbols: &[SymbolRef]) -> Option<Meaning> {
        let object = self.object_among(file, symbols)?;
        let name = self.world.intern(self.rules(file).applied.as_ref()?);
        let of_type = Rc::new(Type::Named(object, Vec::new()));
        let found = self.member_on(file, &of_type, name, How::Member, Side::Any);
        matches!(found.value, Value::Symbols(..)).then_some(found)
    }

    /// Of a class and an object of one name, those that a reference means.
    pub(crate) fn of_companions(
        &mut self,
        symbols: Rc<[SymbolRef]>,
        reference: &model::Reference,
        passed: Passed<'_>,
    ) -> Rc<[SymbolRef]> {
        let file = passed.file;
        let Some(object) = self.object_among(file, &symbols) else {
            // Nobody can call a trait.
            let is_call =
                reference.role == Role::Call && !reference.flags.has(ReferenceFlags::CONSTRUCT);
            return match is_call && self.rules(file).applied.is_some() {
                true => symbols
                    .iter()
                    .copied()
                    .filter(|symbol| {
                        self.definition(*symbol).is_some_and(|d| d.kind != SymbolKind::Trait)
                    })
                    .collect(),
                false => symbols,
            };
        };
        let others: Rc<[SymbolRef]> =
            symbols.iter().copied().filter(|symbol| !self.is_singleton(*symbol)).collect();
        let is_type = matches!(reference.role, Role::Type | Role::Extends | Role::Implements)
            || reference.flags.has(ReferenceFlags::CONSTRUCT);
        match reference.role {
            _ if is_type && !others.is_empty() => others,
            _ if is_type => symbols,
            Role::Call => match self.applied(file, &symbols) {
                Some(Meaning { value: Value::Symbols(applied, _), .. }) => applied,
                _ if !others.is_empty() => others,
                _ => symbols,
            },
            _ => Rc::from([object]),
        }
    }

    /// Whether a name is that of the object inside of a type: it is written in small letters and named in
    /// capitals.
    pub(crate) fn names_companion(&self, file: File, name: NameId) -> bool {
        let word = self.rules(file).companion.as_ref();
        word.is_some_and(|word| self.world.text(name).eq_ignore_ascii_case(word))
    }

    /// Members of the object inside of a type that has what the type itself has.
    pub(crate) fn companion_members(&self, part: SymbolRef, name: NameId) -> Vec<SymbolRef> {
        let Some(word) = &self.rules(part.file).companion else { return Vec::new() };
        let companion = self.world.intern(word);
        let holders = self.world.members(part, companion);
        // What it holds has the name that was asked for, so a change of that is noted already.
        if self.names_companion(part.file, name) {
            self.look(companion);
            return holders.to_vec();
        }
        holders
            .iter()
            .flat_map(|holder| {
                self.world.members(*holder, name).iter().copied().collect::<Vec<_>>()
            })
            .collect()
    }

    /// Whether a member that is added to a type from outside can be seen in a file.
    pub(crate) fn is_seen(&self, file: File, symbol: SymbolRef) -> bool {
        if self.is_kept_to(symbol.file, file) {
            return false;
        }
        let Some(definition) = self.definition(symbol) else { return false };
        let owner = definition.owner.map(|owner| SymbolRef { file: symbol.file, symbol: owner });
        let added = definition.adds_to.is_some() && !definition.kind.has_members()
            || owner
                .and_then(|owner| self.definition(owner))
                .is_some_and(|owner| owner.kind == SymbolKind::Extension);
        if !added || file == symbol.file || !self.rules(symbol.file).imported_extensions {
            return true;
        }
        // It depends on the imports of the one file and on the package of both.
        self.look_at(Thing::Whole(self.world.path(file)));
        for path in [self.world.path(file), self.world.path(symbol.file)] {
            let last = path.rsplit('/').next().unwrap_or(path);
            self.look_at(Thing::PathPart(last.split('.').next().unwrap_or(last)));
        }
        let (here, there) = (self.world.interface(file), self.world.interface(symbol.file));
        here.package == there.package
            || here.imports.iter().any(|import| {
                self.imports_name(import, definition)
                    || import.name.is_none()
                        && there.package.is_some_and(|package| package == import.source)
            })
    }

    fn imports_name(&self, import: &crate::interface::Imported, definition: &Definition) -> bool {
        let last = |text: &str| text.rsplit('.').next().map(str::to_owned).unwrap_or_default();
        import.name.map_or_else(
            || last(&self.world.text(import.source)) == *self.world.text(definition.name),
            |name| name == definition.name,
        )
    }
}
