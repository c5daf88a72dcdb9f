//! Where names come from that a file does not define: imports, packages, the language itself.
//!
//! Each module system has a file of its own. This one holds what they share: the way from an import or
//! a free name to a meaning, and from a module to its members.

mod crates;
mod directories;
mod dotted;
mod includes;
mod namespaces;
mod paths;

use std::rc::Rc;

use languages::{Language, ModuleSystem};
use model::{ImportFlags, NameId};
use rustc_hash::FxHashMap;

use crate::digest::Thing;
use crate::interface::Imported;
use crate::lexical::{Texts, is_constant};
use crate::linker::{Key, Linker};
use crate::settings::{Ecosystem, is_below};
use crate::value::{How, Meaning, Module, Value, Why};
use crate::world::{File, SymbolRef, World};

/// How many steps it counts to follow a module that is passed on as a whole.
const HOP: u32 = 12;

/// The name by which a file knows what it imports; none where the import binds no name.
pub(crate) fn local_name(
    language: &Language,
    import: &Imported,
    texts: &mut dyn Texts,
) -> Option<NameId> {
    let flags = import.flags;
    if flags.has(ImportFlags::EFFECT) || flags.has(ImportFlags::OPENS) {
        return None;
    }
    if flags.has(ImportFlags::DYNAMIC) && import.alias.is_none() && import.name.is_none() {
        // `require("./module").member`, `{import("./module")}`: it goes by where it comes from.
        let by_path = language.table.linking.modules == ModuleSystem::Paths;
        return by_path.then_some(import.source);
    }
    if let Some(alias) = import.alias {
        return Some(alias);
    }
    if flags.has(ImportFlags::WILDCARD) {
        return None;
    }
    if let Some(name) = import.name {
        return Some(name);
    }
    let source = texts.text(import.source);
    match language.table.linking.modules {
        ModuleSystem::DottedFiles => source.split('.').next().map(|first| texts.intern(first)),
        ModuleSystem::Crates => source.rsplit("::").next().map(|last| texts.intern(last)),
        ModuleSystem::Directories => Some(texts.intern(directories::usual_name(&source))),
        ModuleSystem::Namespaces => {
            let last = source.rsplit(['.', '\\']).next().unwrap_or(&source);
            Some(texts.intern(last))
        }
        _ => None,
    }
}

impl<W: World> Linker<'_, W> {
    pub(crate) fn system(&self, file: File) -> ModuleSystem {
        self.rules(file).modules
    }

    /// What a name means that its file does not explain.
    pub(crate) fn free_name(&mut self, file: File, name: NameId, within: Option<u32>) -> Meaning {
        self.once(Key::FreeName(file, name, within), |this| {
            this.look(name);
            // Methods are members of an object, and that has been asked before.
            if this.rules(file).separate_static && !is_constant(&this.world.text(name)) {
                let text = this.world.text(name);
                return match this.rules(file).is_builtin(&text) {
                    true => Meaning::external(Some(name)),
                    false => Meaning::unknown(Why::NotFound),
                };
            }
            let found = match this.system(file) {
                ModuleSystem::None | ModuleSystem::Paths | ModuleSystem::DottedFiles => None,
                ModuleSystem::Crates => this.crate_name(file, name, within),
                ModuleSystem::Directories => this.directory_name(file, name),
                ModuleSystem::Namespaces => this.namespace_name(file, name, within),
                ModuleSystem::Includes => this.included_name(file, name, within),
                ModuleSystem::Whole => this.whole_name(file, name, within),
            };
            let found = match found {
                Some(Meaning { value: Value::Symbols(symbols, through), how }) => {
                    let symbols = this.seen(file, symbols);
                    (!symbols.is_empty())
                        .then_some(Meaning { value: Value::Symbols(symbols, through), how })
                }
                other => other,
            };
            if let Some(found) = found.filter(|found| !found.is_unknown()) {
                return found;
            }
            if let Some(found) = this.by_wildcard(file, name) {
                return found;
            }
            let text = this.world.text(name);
            if this.rules(file).own_module.as_deref() == Some(&*text) {
                return Meaning { value: Value::Module(Module::File(file)), how: How::Scope };
            }
            match this.rules(file).is_builtin(&text) {
                true => Meaning::external(Some(name)),
                false => Meaning::unknown(Why::NotFound),
            }
        })
    }

    /// What an import brings.
    pub(crate) fn imported(&mut self, file: File, number: u32) -> Meaning {
        let Some(import) = self.world.interface(file).imports.get(number as usize) else {
            return Meaning::unknown(Why::NoSuchModule);
        };
        let meaning = match self.system(file) {
            ModuleSystem::Namespaces => self.namespace_import(file, import),
            ModuleSystem::Crates => self.crate_import(file, import),
            ModuleSystem::Directories => self.directory_import(file, import),
            ModuleSystem::Paths => self.path_import(file, import),
            ModuleSystem::DottedFiles => self.dotted_import(file, import),
            // `using a::b`, `namespace b = a`.
            ModuleSystem::Includes if import.name.is_some() || import.alias.is_some() => {
                self.namespace_import(file, import)
            }
            ModuleSystem::Includes | ModuleSystem::Whole | ModuleSystem::None => {
                Meaning::unknown(Why::NoSuchModule)
            }
        };
        Meaning { how: meaning.how.max(How::Import), ..meaning }
    }

    /// The module that the source of an import names.
    pub(crate) fn module_of(&mut self, file: File, import: &Imported) -> Value {
        match self.system(file) {
            ModuleSystem::Paths => self.path_module(file, import.source),
            ModuleSystem::DottedFiles => self.dotted_module(file, import.source),
            ModuleSystem::Crates => self.crate_path(file, import.source, import.scope),
            ModuleSystem::Directories => self.directory_module(file, import.source),
            ModuleSystem::Namespaces => self.namespace_path(file, import.source).value,
            // `using namespace a`.
            ModuleSystem::Includes if import.flags.has(ImportFlags::WILDCARD) => {
                self.namespace_path(file, import.source).value
            }
            ModuleSystem::Includes | ModuleSystem::Whole | ModuleSystem::None => {
                Value::Unknown(Why::NoSuchModule)
            }
        }
    }

    /// What the imports of everything from a module have under that name.
    fn by_wildcard(&mut self, file: File, name: NameId) -> Option<Meaning> {
        let world = self.world;
        self.look_at(Thing::Whole(world.path(file)));
        let own = world.interface(file).imports.iter().map(|import| (file, import));
        self.look_at(Thing::SharedImports);
        let shared = world.shared_imports();
        let shared = shared.iter().filter(|(other, _)| {
            *other != file && self.is_family(file, *other) && self.is_same_project(file, *other)
        });
        let shared: Vec<(File, u32)> = shared.copied().collect();
        for (from, number) in &shared {
            let import = &world.interface(*from).imports[*number as usize];
            if import.alias == Some(name) && !import.flags.has(ImportFlags::OPENS) {
                let (from, number) = (*from, *number);
                return Some(self.once(Key::Import(from, number), |t| t.imported(from, number)));
            }
        }
        let shared = shared
            .iter()
            .map(|(from, number)| (*from, &world.interface(*from).imports[*number as usize]));
        for (file, import) in own.chain(shared) {
            if !import.flags.has(ImportFlags::WILDCARD) {
                continue;
            }
            match self.module_of(file, import) {
                Value::Module(module) => {
                    let found = self.passed_on(module, name);
                    let found = self.of_family(file, found);
                    if let Value::Symbols(..) | Value::Module(_) = found.value {
                        return Some(Meaning { how: How::Import, ..found });
                    }
                }
                Value::Symbols(symbols, _) => {
                    let base = Meaning { value: Value::Symbols(symbols, None), how: How::Import };
                    let found = self.member(file, base, name);
                    // What is called like a member is not brought by its bare name.
                    if let Value::Symbols(symbols, _) = &found.value
                        && !self.are_added(file, symbols)
                    {
                        return Some(found);
                    }
                }
                // Of what is outside nobody knows the names.
                _ => {}
            }
        }
        self.by_project(file, name)
    }

    /// What a module has under a name.
    pub(crate) fn in_module(&mut self, module: Module, name: NameId) -> Meaning {
        self.once(Key::ModuleMember(module, name), |this| this.module_member(module, name))
    }

    /// What a module that is passed on as a whole has under a name. Such modules may stand in circles, so
    /// they are followed less far than others.
    pub(crate) fn passed_on(&mut self, module: Module, name: NameId) -> Meaning {
        self.farther(HOP, |this| this.in_module(module, name))
            .unwrap_or_else(|| Meaning::unknown(Why::TooComplex))
    }

    fn module_member(&mut self, module: Module, name: NameId) -> Meaning {
        self.look(name);
        match module {
            Module::File(file) => match self.rules(file).explicit_exports {
                true => self.exported(file, name),
                false => self.file_member(file, None, name),
            },
            Module::Inner(symbol) => {
                let world = self.world;
                // `mod name;` stands for a file.
                if let Some(definition) = self.definition(symbol).filter(|d| d.opens.is_none())
                    && let Some(meaning) =
                        self.submodule(symbol.file, definition.owner, definition.name)
                    && let Value::Module(module) = meaning.value
                {
                    return self.in_module(module, name);
                }
                // Members of its types may stand in it too.
                let own: Rc<[SymbolRef]> = world
                    .members(symbol, name)
                    .iter()
                    .copied()
                    .filter(|member| {
                        self.definition(*member).is_some_and(|member| !member.stands_outside())
                    })
                    .collect();
                // Other files may have overloads for the same namespace.
                let is_part = self.rules(symbol.file).overloads
                    && self.system(symbol.file) == ModuleSystem::Includes
                    && !self.are_types(&own);
                let has_own = !own.is_empty();
                let own = Meaning { value: Value::Symbols(own, None), how: How::Import };
                if has_own && !is_part {
                    return own;
                }
                let found = match self.system(symbol.file) {
                    ModuleSystem::Crates => {
                        self.file_member(symbol.file, Some(symbol.symbol), name)
                    }
                    _ => {
                        let definition = self.definition(symbol);
                        let around = world.text(self.space_of(symbol));
                        let last = definition.map(|d| world.text(d.name)).unwrap_or_default();
                        let last = last.replace("::", ".");
                        let joined =
                            if around.is_empty() { last } else { format!("{around}.{last}") };
                        let namespace = world.intern(&joined);
                        self.namespace_member(namespace, name)
                    }
                };
                if has_own && found.is_unknown() { own } else { found }
            }
            Module::Namespace(namespace) => self.namespace_member(namespace, name),
            Module::Directory(directory) => self.directory_member(directory, name),
        }
    }

    /// A member of a file, or of a module inside it: what it defines or imports.
    fn file_member(&mut self, file: File, inside: Option<u32>, name: NameId) -> Meaning {
        let world = self.world;
        let owner = SymbolRef { file, symbol: inside.unwrap_or(u32::MAX) };
        let own: Rc<[SymbolRef]> = world
            .members(owner, name)
            .iter()
            .copied()
            .filter(|symbol| {
                self.definition(*symbol).is_some_and(|definition| definition.adds_to.is_none())
            })
            .collect();
        if !own.is_empty() {
            return Meaning { value: Value::Symbols(own, None), how: How::Import };
        }
        let interface = world.interface(file);
        let scope = inside.and_then(|symbol| self.scope_of(file, symbol)).unwrap_or(0);
        for (number, import) in interface.imports.iter().enumerate() {
            let is_here = import.scope == scope || self.system(file) != ModuleSystem::Crates;
            if is_here && self.local_name_of(file, import) == Some(name) {
                let found = self
                    .once(Key::Import(file, number as u32), |t| t.imported(file, number as u32));
                if !found.is_unknown() {
                    return found;
                }
            }
        }
        if let Some(found) = self.submodule(file, inside, name) {
            return found;
        }
        self.look_at(Thing::Whole(world.path(file)));
        let mut outside = None;
        for import in &interface.imports {
            let is_here = import.scope == scope || self.system(file) != ModuleSystem::Crates;
            if !is_here || !import.flags.has(ImportFlags::WILDCARD) {
                continue;
            }
            let found = match self.module_of(file, import) {
                Value::Module(module) => self.passed_on(module, name),
                // `mod name;`, or a type whose members are passed on.
                Value::Symbols(symbols, _) => {
                    let base = Meaning { value: Value::Symbols(symbols, None), how: How::Import };
                    self.deeper(|this| this.member(file, base, name))
                        .unwrap_or_else(|| Meaning::unknown(Why::TooComplex))
                }
                Value::External(package) => {
                    outside = outside.or(Some(package));
                    continue;
                }
                _ => continue,
            };
            match found.value {
                Value::Symbols(..) | Value::Module(_) => return found,
                Value::External(package) => outside = outside.or(Some(package)),
                _ => {}
            }
        }
        // What comes from outside as a whole has names that nobody knows; this one is asked for by name.
        outside.map_or_else(|| Meaning::unknown(Why::NotFound), Meaning::external)
    }

    pub(crate) fn local_name_of(&self, file: File, import: &Imported) -> Option<NameId> {
        let mut texts = WorldTexts { world: self.world };
        local_name(self.language(file), import, &mut texts)
    }

    /// A module below the module that a file is.
    fn submodule(&mut self, file: File, inside: Option<u32>, name: NameId) -> Option<Meaning> {
        match self.system(file) {
            ModuleSystem::DottedFiles => self.dotted_submodule(file, name),
            ModuleSystem::Crates => self.crate_submodule(file, inside, name),
            _ => None,
        }
    }

    fn scope_of(&self, file: File, symbol: u32) -> Option<u32> {
        self.world.interface(file).definition(symbol).and_then(|definition| definition.opens)
    }

    /// Top-level symbols of a name in a namespace.
    pub(crate) fn named_in(&mut self, namespace: NameId, name: NameId) -> Vec<SymbolRef> {
        let groups = match self.by_namespace.get(&name) {
            Some(known) => Rc::clone(known),
            None => {
                let mut groups: FxHashMap<NameId, Vec<SymbolRef>> = FxHashMap::default();
                for symbol in self.world.named(name).iter() {
                    groups.entry(self.space_of(*symbol)).or_default().push(*symbol);
                }
                let groups = Rc::new(groups);
                self.by_namespace.insert(name, Rc::clone(&groups));
                groups
            }
        };
        groups.get(&namespace).cloned().unwrap_or_default()
    }

    /// What the manifest of a project imports into all of its files.
    fn by_project(&mut self, file: File, name: NameId) -> Option<Meaning> {
        let world = self.world;
        // Files of other languages may lie beside them.
        if self.system(file) != ModuleSystem::Namespaces || !self.rules(file).reopened_types {
            return None;
        }
        let (settings, path) = (world.settings(), world.path(file));
        let shared = settings.packages.iter().filter(|package| {
            package.ecosystem == Ecosystem::Msbuild && is_below(path, &package.directory)
        });
        let project = settings.package_around(Ecosystem::DotNet, path);
        for (_, namespace) in project.into_iter().chain(shared).flat_map(|it| &it.entries) {
            let source = world.intern(namespace);
            let base = self.namespace_path(file, source);
            if let Value::External(_) = base.value {
                continue;
            }
            let found = self.member(file, base, name);
            if let Value::Symbols(symbols, _) = &found.value
                && !self.are_added(file, symbols)
            {
                return Some(Meaning { how: How::Import, ..found });
            }
        }
        None
    }

    /// Whether two files are built together, as far as manifests say.
    fn is_same_project(&self, file: File, other: File) -> bool {
        let settings = self.world.settings();
        let project = |file: File| {
            settings
                .package_around(Ecosystem::DotNet, self.world.path(file))
                .map(|package| &package.directory)
        };
        project(file) == project(other)
    }

    /// Of definitions that a namespace has, those that can be meant in a file: namespaces of several
    /// languages may have one name, and a project may hold a namespace twice.
    pub(crate) fn of_family(&self, file: File, found: Meaning) -> Meaning {
        let Value::Symbols(symbols, through) = &found.value else { return found };
        let kept: Vec<SymbolRef> =
            symbols.iter().copied().filter(|it| self.is_family(file, it.file)).collect();
        if kept.is_empty() {
            return Meaning::unknown(Why::NotFound);
        }
        let (kept, how) = match self.nearest_copy(file, &kept) {
            Some(copy) => (copy, found.how.max(How::Inferred)),
            None if kept.len() == symbols.len() => return found,
            None => (kept, found.how),
        };
        Meaning { value: Value::Symbols(kept.into(), through.clone()), how }
    }

    /// Whether symbols of one file can be meant in another.
    pub(crate) fn is_family(&self, file: File, other: File) -> bool {
        let (one, two) = (self.language(file), self.language(other));
        let (mine, its) = (&one.table.linking.family, &two.table.linking.family);
        one.id == two.id || (mine.is_some() && mine == its)
    }

    /// In a language where all files see each other.
    fn whole_name(&mut self, file: File, name: NameId, within: Option<u32>) -> Option<Meaning> {
        if let Some(found) = self.namespace_name(file, name, within) {
            return Some(found);
        }
        let symbols: Vec<SymbolRef> = self
            .world
            .named(name)
            .iter()
            .copied()
            .filter(|symbol| {
                self.is_family(file, symbol.file)
                    && self.definition(*symbol).is_some_and(|definition| definition.owner.is_none())
            })
            .collect();
        (!symbols.is_empty())
            .then(|| Meaning { value: Value::Symbols(symbols.into(), None), how: How::Package })
    }
}

pub(crate) struct WorldTexts<'w, W: World> {
    pub(crate) world: &'w W,
}

impl<W: World> Texts for WorldTexts<'_, W> {
    fn text(&self, name: NameId) -> Rc<str> {
        self.world.text(name)
    }

    fn intern(&mut self, text: &str) -> NameId {
        self.world.intern(text)
    }
}

/// A path with `.` and `..` taken out; none if it leads out of the project.
pub(crate) fn joined(directory: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    Some(parts.join("/"))
}
