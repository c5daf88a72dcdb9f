//! Rust: a tree of modules per crate, laid out in files.

use std::rc::Rc;

use model::{NameId, SymbolKind};

use crate::digest::Thing;
use crate::interface::Imported;
use crate::linker::Linker;
use crate::memory::parent;
use crate::modules::dotted::at;
use crate::settings::{Ecosystem, Package, is_below};
use crate::value::{How, Meaning, Module, Value, Why};
use crate::world::{File, SymbolRef, World};

impl<'w, W: World> Linker<'w, W> {
    /// Words that lead through the tree, crates, and what the file's own module has.
    pub(super) fn crate_name(
        &mut self,
        file: File,
        name: NameId,
        within: Option<u32>,
    ) -> Option<Meaning> {
        let text = self.world.text(name);
        let module = match &*text {
            "crate" => self.crate_root(file).map(Module::File),
            "self" => Some(self.module_around(file, within)),
            "super" => self.parent_of(self.module_around(file, within)),
            _ => None,
        };
        if let Some(module) = module {
            return Some(Meaning { value: Value::Module(module), how: How::Import });
        }
        let here = self.module_around(file, within);
        let found = self.in_module(here, name);
        if !found.is_unknown() {
            return Some(Meaning { how: How::Scope, ..found });
        }
        let named = self.crate_named(file, &text);
        named
            .map(|value| Meaning { value, how: How::Import })
            .or_else(|| self.macro_of_crate(file, name))
    }

    /// A macro of the same package: it is in view where its definition stands before in the text of the crate,
    /// whichever module that is in.
    fn macro_of_crate(&mut self, file: File, name: NameId) -> Option<Meaning> {
        let world = self.world;
        self.look(name);
        let package = |file: File| {
            let package = world.settings().package_around(Ecosystem::Cargo, world.path(file))?;
            Some(package.directory.as_str())
        };
        let own = package(file)?;
        let is_seen = |symbol: &SymbolRef| {
            let definition = world.interface(symbol.file).definition(symbol.symbol);
            definition.is_some_and(|it| it.kind == SymbolKind::Macro)
                && package(symbol.file) == Some(own)
        };
        let macros: Rc<[SymbolRef]> = world.named(name).iter().copied().filter(is_seen).collect();
        let value = Value::Symbols(macros.clone(), None);
        (!macros.is_empty()).then_some(Meaning { value, how: How::Package })
    }

    pub(super) fn crate_import(&mut self, file: File, import: &Imported) -> Meaning {
        let base = self.crate_path(file, import.source, import.scope);
        let Some(name) = import.name else {
            return Meaning { value: base, how: How::Import };
        };
        let found = match base {
            Value::Module(module) => self.in_module(module, name),
            other => self.member(file, Meaning { value: other, how: How::Import }, name),
        };
        // `use other_crate as name;`
        let text = self.world.text(name);
        match found.is_unknown() && self.world.text(import.source).is_empty() {
            true => self
                .crate_named(file, &text)
                .map_or(found, |value| Meaning { value, how: How::Import }),
            false => found,
        }
    }

    /// What a path in an import leads to.
    pub(super) fn crate_path(&mut self, file: File, source: NameId, scope: u32) -> Value {
        let world = self.world;
        let text = world.text(source);
        let within = self.symbol_of_scope(file, scope);
        let text = text.as_ref();
        let (text, from_crates) = match text.strip_prefix("::") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let mut parts = text.split("::").filter(|part| !part.is_empty());
        let Some(first) = parts.next() else {
            let root = self.old_root(file).map(Module::File);
            return Value::Module(root.unwrap_or_else(|| self.module_around(file, within)));
        };
        let name = world.intern(first);
        let mut meaning = match first {
            "crate" | "self" | "super" => self
                .crate_name(file, name, within)
                .map_or(Value::Unknown(Why::NoSuchModule), |m| m.value),
            _ if from_crates => self
                .named_in_old_root(file, name)
                .or_else(|| self.crate_named(file, first))
                .unwrap_or(Value::External(Some(name))),
            _ => {
                // A module of this place, else a crate.
                let here = self.module_around(file, within);
                self.look(name);
                let own = match self.named_in_old_root(file, name) {
                    None => self.own_member(here, name),
                    found => found,
                };
                match own.or_else(|| self.crate_named(file, first)) {
                    Some(value) => value,
                    // It may have come by another import of everything.
                    None => match self.in_module(here, name).value {
                        found @ (Value::Module(_) | Value::Symbols(..)) => found,
                        _ => Value::External(Some(name)),
                    },
                }
            }
        };
        for part in parts {
            let name = world.intern(part);
            meaning = match meaning {
                Value::Module(module) if part == "super" => {
                    self.parent_of(module).map_or(Value::Unknown(Why::NoSuchModule), Value::Module)
                }
                other => self.member(file, Meaning { value: other, how: How::Import }, name).value,
            };
        }
        meaning
    }

    /// The root of a crate where imports start there: until the edition of 2018.
    fn old_root(&mut self, file: File) -> Option<File> {
        let path = self.world.path(file);
        let package = self.world.settings().package_around(Ecosystem::Cargo, path)?;
        if package.imports_from_root { self.crate_root(file) } else { None }
    }

    fn named_in_old_root(&mut self, file: File, name: NameId) -> Option<Value> {
        let root = self.old_root(file)?;
        self.own_member(Module::File(root), name)
    }

    /// What a module defines itself, without what it imports.
    fn own_member(&mut self, module: Module, name: NameId) -> Option<Value> {
        let (file, inside) = match module {
            Module::File(file) => (file, None),
            Module::Inner(symbol) => (symbol.file, Some(symbol.symbol)),
            _ => return None,
        };
        let owner = SymbolRef { file, symbol: inside.unwrap_or(u32::MAX) };
        let own: Rc<[SymbolRef]> = self.world.members(owner, name);
        let has_own = own.iter().any(|symbol| {
            self.definition(*symbol).is_some_and(|definition| definition.adds_to.is_none())
        });
        if has_own {
            return Some(Value::Symbols(own, None));
        }
        self.crate_submodule(file, inside, name).map(|meaning| meaning.value)
    }

    fn symbol_of_scope(&self, file: File, scope: u32) -> Option<u32> {
        if scope == 0 {
            return None;
        }
        let interface = self.world.interface(file);
        // The innermost module whose scope it is; imports inside functions belong to the module around.
        let symbols = &interface.symbols;
        symbols.iter().position(|definition| definition.opens == Some(scope)).map(|at| at as u32)
    }

    /// The module a place belongs to.
    fn module_around(&self, file: File, within: Option<u32>) -> Module {
        let mut current = within;
        while let Some(symbol) = current {
            let Some(definition) = self.world.interface(file).definition(symbol) else { break };
            if definition.kind == SymbolKind::Module {
                return Module::Inner(SymbolRef { file, symbol });
            }
            current = definition.owner;
        }
        Module::File(file)
    }

    fn parent_of(&mut self, module: Module) -> Option<Module> {
        match module {
            Module::Inner(symbol) => {
                let owner = self.definition(symbol)?.owner;
                Some(self.module_around(symbol.file, owner))
            }
            Module::File(file) => {
                let path = self.world.path(file);
                let directory = parent(path);
                let name = path.rsplit('/').next()?;
                let base = if name == "mod.rs" { parent(directory) } else { directory };
                self.look_at(Thing::PathPart(base.rsplit('/').next().unwrap_or(base)));
                for candidate in ["mod.rs", "lib.rs", "main.rs"] {
                    self.look_at(Thing::PathPart(candidate.trim_end_matches(".rs")));
                    let other = at(base, candidate);
                    if other != path
                        && let Some(found) = self.world.file_at(&other)
                    {
                        return Some(Module::File(found));
                    }
                }
                self.world.file_at(&format!("{base}.rs")).map(Module::File)
            }
            _ => None,
        }
    }

    /// `mod name;`: the file of a module below another.
    pub(super) fn crate_submodule(
        &mut self,
        file: File,
        inside: Option<u32>,
        name: NameId,
    ) -> Option<Meaning> {
        let path = self.world.path(file);
        let directory = parent(path);
        let last = path.rsplit('/').next().unwrap_or(path);
        let stem = last.strip_suffix(".rs").unwrap_or(last);
        let is_root = matches!(stem, "mod" | "lib" | "main" | "build") || self.is_crate_root(path);
        let mut base = if is_root { directory.to_owned() } else { at(directory, stem) };
        if let Some(symbol) = inside {
            let definition = self.world.interface(file).definition(symbol)?;
            let mut names = vec![self.world.text(definition.name)];
            let mut owner = definition.owner;
            while let Some(index) = owner {
                let around = self.world.interface(file).definition(index)?;
                names.push(self.world.text(around.name));
                owner = around.owner;
            }
            for name in names.into_iter().rev() {
                base = at(&base, &name);
            }
        }
        let text = self.world.text(name);
        self.look_at(Thing::PathPart(&text));
        let candidates = [format!("{}.rs", at(&base, &text)), at(&at(&base, &text), "mod.rs")];
        for candidate in candidates {
            if let Some(found) = self.world.file_at(&candidate).filter(|found| *found != file) {
                return Some(Meaning {
                    value: Value::Module(Module::File(found)),
                    how: How::Import,
                });
            }
        }
        None
    }

    /// A file in `tests/`, `examples/`, `benches/` or `src/bin/` is a crate of its own.
    fn is_crate_root(&self, path: &str) -> bool {
        let directory = parent(path);
        let last = directory.rsplit('/').next().unwrap_or(directory);
        let in_bin = last == "bin" && parent(directory).rsplit('/').next() == Some("src");
        let package = self.world.settings().package_around(Ecosystem::Cargo, path);
        let beside = package.is_some_and(|package| {
            ["tests", "examples", "benches"]
                .iter()
                .any(|folder| directory == at(&package.directory, folder))
                || package.entries.iter().any(|(_, entry)| entry == path)
        });
        in_bin || beside
    }

    fn crate_root(&mut self, file: File) -> Option<File> {
        let path = self.world.path(file);
        let package = self.world.settings().package_around(Ecosystem::Cargo, path);
        // Upwards from the file: the first root on the way is that of its crate.
        if self.is_crate_root(path) {
            return Some(file);
        }
        let stop = package.map_or("", |package| package.directory.as_str());
        let mut directory = parent(path);
        loop {
            let is_beside = directory
                .rsplit('/')
                .next()
                .is_some_and(|last| matches!(last, "tests" | "examples" | "benches" | "bin"));
            let names: &[&str] = if is_beside { &["main.rs"] } else { &["lib.rs", "main.rs"] };
            for name in names {
                self.look_at(Thing::PathPart(name.trim_end_matches(".rs")));
                let candidate = at(directory, name);
                // A library and a program beside it: who is the program's is not known here.
                if let Some(found) = self.world.file_at(&candidate) {
                    return Some(found);
                }
            }
            if directory == stop || directory.is_empty() {
                break;
            }
            directory = parent(directory);
        }
        package.and_then(|package| self.library_of(package))
    }

    fn library_of(&self, package: &Package) -> Option<File> {
        self.look_at(Thing::PathPart("lib"));
        self.look_at(Thing::PathPart("main"));
        let entry = package.entries.iter().find(|(name, _)| name == "lib").map(|(_, path)| path);
        match entry {
            Some(path) => {
                let last = path.rsplit('/').next().unwrap_or(path);
                self.look_at(Thing::PathPart(last.trim_end_matches(".rs")));
                self.world.file_at(path)
            }
            None => self
                .world
                .file_at(&at(&package.directory, "src/lib.rs"))
                .or_else(|| self.world.file_at(&at(&package.directory, "src/main.rs"))),
        }
    }

    /// A crate of the project, by the name it has in a file.
    fn crate_named(&mut self, file: File, name: &str) -> Option<Value> {
        let settings = self.world.settings();
        let path = self.world.path(file);
        let renamed = settings
            .aliases
            .iter()
            .filter(|alias| {
                alias.ecosystem == Ecosystem::Cargo
                    && alias.pattern.replace('-', "_") == name
                    && is_below(path, &alias.directory)
            })
            .max_by_key(|alias| alias.directory.len())
            .and_then(|alias| alias.targets.first());
        let name = renamed.map_or_else(|| name.to_owned(), |package| package.replace('-', "_"));
        let package = settings.packages.iter().find(|package| {
            package.ecosystem == Ecosystem::Cargo && package.name.replace('-', "_") == name
        })?;
        self.library_of(package).map(|file| Value::Module(Module::File(file)))
    }
}
