//! What others can depend on in a file, each with a number that changes when it does.
//!
//! The keys are names, and a few things that are no names ([`Thing`]). The linker notes the same keys when
//! it looks at such a thing ([`crate::Linker::link`]), so files are to be linked again exactly when they
//! noted a key whose sum over all files is another one than before.

use std::hash::{Hash, Hasher};

use languages::ModuleSystem;
use model::{ImportFlags, NameId, SymbolKind};
use rustc_hash::{FxHashMap, FxHasher};

use crate::expression::Expression;
use crate::interface::{Imported, Interface};
use crate::spaces::{with_parents, with_plain};
use crate::world::{File, SymbolRef, World};

/// What others can depend on and is no name.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Thing<'t> {
    /// A part of a path, with and without what follows its first dot.
    PathPart(&'t str),
    /// What the file at a path imports or passes on as a whole.
    Whole(&'t str),
    /// That a namespace is declared.
    Namespace(&'t str),
    /// Who includes whom.
    Includes,
    /// Imports that hold in several files.
    SharedImports,
}

impl Thing<'_> {
    /// Its key. No name has a number as high. Nobody asks a key what it stands for, so none is written
    /// down; two things that have the same one are changed together, which costs time and is no less
    /// right. The same on every machine, because it is stored.
    pub(crate) fn key(self) -> NameId {
        let (sign, text) = match self {
            Self::PathPart(part) => (b'/', part),
            Self::Whole(path) => (b'*', path),
            Self::Namespace(name) => (b'.', name),
            Self::Includes => (b'#', ""),
            Self::SharedImports => (b'@', ""),
        };
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let hash = text.bytes().fold(mix(0xcbf2_9ce4_8422_2325, sign), mix);
        NameId(1 << 31 | ((hash >> 32) ^ hash) as u32)
    }
}

/// Keys with the sum of what stands behind them.
pub type Digest = FxHashMap<NameId, u64>;

/// Adds what a file has to the sums.
pub fn add_digest(world: &impl World, file: File, sums: &mut Digest) {
    let interface = world.interface(file);
    let path = world.path(file);
    let language = world.language(file);
    let mut add = |key: NameId, value: u64| {
        let sum = sums.entry(key).or_insert(0);
        *sum = sum.wrapping_add(value);
    };
    let ordinals = ordinals(interface);
    let expressions = expressions(interface, &ordinals);
    for (index, definition) in interface.symbols.iter().enumerate() {
        let mut hasher = FxHasher::default();
        (path, interface.package).hash(&mut hasher);
        definition.name.hash(&mut hasher);
        definition.kind.hash(&mut hasher);
        definition.flags.hash(&mut hasher);
        definition.visibility.hash(&mut hasher);
        definition.qualifier.hash(&mut hasher);
        definition.adds_to.hash(&mut hasher);
        definition.parameters.hash(&mut hasher);
        definition.type_parameters.hash(&mut hasher);
        ordinals[index].hash(&mut hasher);
        (interface.is_top(index as u32), definition.opens.is_some()).hash(&mut hasher);
        definition.owner.map(|owner| symbol_hash(interface, &ordinals, owner)).hash(&mut hasher);
        let own = [definition.value, definition.target];
        for expression in own.iter().chain(&definition.bases).chain(&definition.takes) {
            expressions[expression.0 as usize].hash(&mut hasher);
        }
        for expression in &definition.extended {
            (1, expressions[expression.0 as usize]).hash(&mut hasher);
        }
        let value = hasher.finish();
        add(definition.name, value);
        if let Some(name) = definition.adds_to {
            add(name, value);
        }
    }
    let mut whole = FxHasher::default();
    path.hash(&mut whole);
    for import in &interface.imports {
        let value = import_hash(import);
        value.hash(&mut whole);
        if import.flags.has(ImportFlags::SHARED) {
            add(Thing::SharedImports.key(), hashed((path, value)));
        }
        let mut texts = crate::modules::WorldTexts { world };
        if let Some(name) = crate::modules::local_name(language, import, &mut texts) {
            add(name, hashed((path, value)));
        }
    }
    let default = world.intern("default");
    for export in &interface.exports {
        let value = hashed((path, export.name, export.local, export.is_default, export.source));
        if &*world.text(export.name) == "*" {
            value.hash(&mut whole);
        }
        add(if export.is_default { default } else { export.name }, value);
    }
    let whole = whole.finish();
    add(Thing::Whole(path).key(), whole);
    if language.table.linking.modules == ModuleSystem::Includes {
        add(Thing::Includes.key(), whole);
    }
    for part in path.split('/') {
        let value = hashed((path, interface.package));
        add(Thing::PathPart(part).key(), value);
        if let Some((stem, _)) = part.split_once('.') {
            add(Thing::PathPart(stem).key(), value);
        }
    }
    for namespace in namespaces(world, file) {
        add(Thing::Namespace(&namespace).key(), hashed(path));
    }
}

/// Every namespace a file declares, with those around it, each once.
pub fn namespaces(world: &impl World, file: File) -> Vec<String> {
    let interface = world.interface(file);
    let package = interface.package.map(|package| dotted(&world.text(package)));
    let spaces = interface.symbols.iter().enumerate().filter_map(|(index, definition)| {
        if !matches!(definition.kind, SymbolKind::Namespace | SymbolKind::Module) {
            return None;
        }
        let around = world.text(world.namespace(SymbolRef { file, symbol: index as u32 }));
        let name = dotted(&world.text(definition.name));
        Some(if around.is_empty() { name } else { format!("{around}.{name}") })
    });
    let is_here =
        |import: &&Imported| import.flags.has(ImportFlags::OPENS) && import.alias.is_none();
    let opened = interface.imports.iter().filter(is_here);
    let opened = opened.map(|import| dotted(&world.text(import.source)));
    with_parents(with_plain(package.into_iter().chain(spaces).chain(opened)))
}

/// A full name with dots, however the language joins its parts.
pub fn dotted(text: &str) -> String {
    text.replace("::", ".").replace('\\', ".")
}

/// Counts equal names, in order.
fn ordinals(interface: &Interface) -> Vec<u32> {
    let mut seen: FxHashMap<NameId, u32> = FxHashMap::default();
    interface
        .symbols
        .iter()
        .map(|definition| {
            let count = seen.entry(definition.name).or_insert(0);
            *count += 1;
            *count - 1
        })
        .collect()
}

fn symbol_hash(interface: &Interface, ordinals: &[u32], symbol: u32) -> u64 {
    match interface.definition(symbol) {
        Some(definition) => {
            hashed((definition.qualifier, definition.name, ordinals[symbol as usize]))
        }
        None => 0,
    }
}

fn import_hash(import: &Imported) -> u64 {
    hashed((import.source, import.name, import.alias, import.flags, import.scope == 0))
}

/// A number for every expression that does not depend on positions in the file.
fn expressions(interface: &Interface, ordinals: &[u32]) -> Vec<u64> {
    let mut done: Vec<u64> = Vec::with_capacity(interface.expressions.len());
    let symbol = |index: u32| symbol_hash(interface, ordinals, index);
    for expression in interface.expressions.iter() {
        // Expressions are made of those before them.
        let at = |id: &crate::ExpressionId| done.get(id.0 as usize).copied().unwrap_or(0);
        let all = |ids: &[crate::ExpressionId]| ids.iter().map(at).collect::<Vec<u64>>();
        let value = match expression {
            Expression::Unknown => 0,
            Expression::Literal(kind) => hashed((1, *kind)),
            Expression::Name(name, within) => hashed((2, *name, within.map(symbol))),
            Expression::Inherited(index, name, otherwise) => {
                hashed((3, symbol(*index), *name, at(otherwise)))
            }
            Expression::Symbol(index) => hashed((4, symbol(*index))),
            Expression::Symbols(indices) => {
                hashed((5, indices.iter().map(|index| symbol(*index)).collect::<Vec<u64>>()))
            }
            Expression::Import(number) => {
                hashed((6, interface.imports.get(*number as usize).map(import_hash)))
            }
            Expression::Member(base, name) => hashed((7, at(base), *name)),
            Expression::Call(base, arguments, known) => {
                hashed((8, at(base), *arguments, all(known)))
            }
            Expression::New(base) => hashed((9, at(base))),
            Expression::Instance(base) => hashed((10, at(base))),
            Expression::This(index) => hashed((11, symbol(*index))),
            Expression::Super(index) => hashed((12, symbol(*index))),
            Expression::Awaited(base) => hashed((13, at(base))),
            Expression::Element(base) => hashed((14, at(base))),
            Expression::Unwrapped(base) => hashed((15, at(base))),
            Expression::Entered(base) => hashed((16, at(base))),
            Expression::Position(base, position) => hashed((17, at(base), *position)),
            Expression::Apply(base, arguments) => hashed((18, at(base), all(arguments))),
            Expression::Tuple(types) => hashed((19, all(types))),
            Expression::Function(returns) => hashed((20, at(returns))),
            Expression::Union(types) => hashed((21, all(types))),
            Expression::Parameter(owner, position, bound) => {
                hashed((22, symbol(*owner), *position, at(bound)))
            }
            Expression::InheritedType(index, name, otherwise) => {
                hashed((23, symbol(*index), *name, at(otherwise)))
            }
            Expression::TypeOf(base) => hashed((24, at(base))),
            Expression::Constant(base) => hashed((30, at(base))),
            Expression::Parent(index) => hashed((25, symbol(*index))),
            Expression::Generic(base) => hashed((26, at(base))),
            Expression::Given(call, argument, parameter) => {
                hashed((28, at(call), *argument, *parameter))
            }
            Expression::Closure(parameters) => hashed((29, *parameters)),
            Expression::Object(parts) => {
                let parts: Vec<_> = parts.iter().map(|(name, part)| (*name, at(part))).collect();
                hashed((27, parts))
            }
        };
        done.push(value);
    }
    done
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
