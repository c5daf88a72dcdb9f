//! Names of one file become those of the project.

use model::{Base, FileFacts, NameId, Origin, Step};

/// Replaces every name that linking looks at by what the map has in its place. Names that the map does
/// not have stay; whoever reads bytes from outside checks them before.
pub fn to_project(facts: &mut FileFacts, map: &[NameId]) {
    let name = |id: &mut NameId| {
        if let Some(other) = map.get(id.0 as usize) {
            *id = *other;
        }
    };
    let origin = |origin: &mut Origin| {
        if let Base::Type(id) | Base::Local(id) = &mut origin.base {
            name(id);
        }
        if let Step::Member(id) = &mut origin.step {
            name(id);
        }
    };
    facts.package.iter_mut().for_each(name);
    for symbol in &mut facts.symbols {
        name(&mut symbol.name);
        symbol.declared_type.iter_mut().for_each(name);
        origin(&mut symbol.origin);
    }
    for import in &mut facts.imports {
        import.name.iter_mut().for_each(name);
        import.alias.iter_mut().for_each(name);
    }
    for export in &mut facts.exports {
        name(&mut export.name);
        export.local.iter_mut().for_each(name);
    }
    for binding in &mut facts.bindings {
        name(&mut binding.name);
        binding.declared_type.iter_mut().for_each(name);
        origin(&mut binding.origin);
    }
    for reference in &mut facts.references {
        name(&mut reference.name);
        origin(&mut reference.receiver);
    }
    for argument in &mut facts.arguments {
        origin(&mut argument.origin);
    }
}
