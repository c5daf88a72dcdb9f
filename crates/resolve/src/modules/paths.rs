//! JavaScript and TypeScript: paths, packages and what files export.

use std::rc::Rc;

use model::{ImportFlags, NameId};

use crate::digest::Thing;
use crate::interface::{Exported, Imported};
use crate::linker::{Key, Linker};
use crate::memory::parent;
use crate::modules::dotted::at;
use crate::modules::joined;
use crate::settings::{Ecosystem, is_below};
use crate::value::{How, Meaning, Module, Value, Why};
use crate::world::{File, SymbolRef, World};

impl<W: World> Linker<'_, W> {
    pub(super) fn path_import(&mut self, file: File, import: &Imported) -> Meaning {
        let value = self.path_module(file, import.source);
        let Value::Module(module) = value else {
            return Meaning { value, how: How::Import };
        };
        if import.flags.has(ImportFlags::DEFAULT) {
            let name = self.world.intern("default");
            return self.in_module(module, name);
        }
        match import.name {
            Some(name) => self.in_module(module, name),
            None => Meaning { value: Value::Module(module), how: How::Import },
        }
    }

    /// The module that a source means in a file; the same in all files of its directory and language.
    pub(super) fn path_module(&mut self, file: File, source: NameId) -> Value {
        let directory = self.world.intern(parent(self.world.path(file)));
        let key = (directory, std::ptr::from_ref(self.language(file)), source);
        if let Some((value, looked)) = self.module_paths.get(&key) {
            looked.iter().for_each(|name| self.look(*name));
            return value.clone();
        }
        let (value, looked) = self.watched(|this| this.find_path_module(file, source));
        looked.iter().for_each(|name| self.look(*name));
        self.module_paths.insert(key, (value.clone(), looked));
        value
    }

    fn find_path_module(&mut self, file: File, source: NameId) -> Value {
        let world = self.world;
        let text = world.text(source);
        let text = text.split(['?']).next().unwrap_or(&text);
        if text.starts_with('.') {
            return joined(parent(world.path(file)), text)
                .and_then(|path| self.script_at(file, &path))
                .map_or(Value::Unknown(Why::NoSuchModule), |file| {
                    Value::Module(Module::File(file))
                });
        }
        if let Some(found) = self.aliased(file, text).or_else(|| self.in_package(file, text)) {
            return Value::Module(Module::File(found));
        }
        let mut parts = text.splitn(3, '/');
        let first = parts.next().unwrap_or(text);
        let package = match (first.starts_with('@'), parts.next()) {
            (true, Some(second)) => format!("{first}/{second}"),
            _ => first.to_owned(),
        };
        Value::External(Some(world.intern(&package)))
    }

    /// By `paths` and `baseUrl` of the configuration around the file, the innermost first.
    fn aliased(&self, file: File, text: &str) -> Option<File> {
        let world = self.world;
        let path = world.path(file);
        let mut aliases: Vec<_> = world
            .settings()
            .aliases
            .iter()
            .filter(|alias| alias.ecosystem == Ecosystem::Npm && is_below(path, &alias.directory))
            .collect();
        aliases.sort_by_key(|alias| {
            let exact = !alias.pattern.contains('*');
            std::cmp::Reverse((alias.directory.len(), exact, alias.pattern.len()))
        });
        for alias in aliases {
            let Some(rest) = matched(&alias.pattern, text) else { continue };
            for target in &alias.targets {
                let path = target.replacen('*', rest, 1);
                if let Some(found) = self.script_at(file, &path) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// By the name of a package of this project.
    fn in_package(&self, file: File, text: &str) -> Option<File> {
        let settings = self.world.settings();
        let path = self.world.path(file);
        // `#internal` is an entry of the package itself.
        let own = settings.package_around(Ecosystem::Npm, path).filter(|_| text.starts_with('#'));
        let (package, key) = match own {
            Some(package) => (package, text.to_owned()),
            None => {
                let package = settings
                    .packages
                    .iter()
                    .filter(|package| {
                        package.ecosystem == Ecosystem::Npm
                            && is_below(text, &package.name)
                            && !package.name.is_empty()
                    })
                    .max_by_key(|package| package.name.len())?;
                let rest = text[package.name.len()..].trim_start_matches('/');
                (package, if rest.is_empty() { ".".to_owned() } else { format!("./{rest}") })
            }
        };
        for (entry, target) in &package.entries {
            if let Some(rest) = matched(entry, &key) {
                let target = target.replacen('*', rest, 1);
                let path = joined(&package.directory, &target)?;
                if let Some(found) =
                    self.script_at(file, &path).or_else(|| self.source_of(file, &path))
                {
                    return Some(found);
                }
            }
        }
        let rest = key.strip_prefix("./").unwrap_or_default();
        let places = [at(&package.directory, rest), at(&at(&package.directory, "src"), rest)];
        places.iter().find_map(|place| self.script_at(file, place.trim_end_matches('/')))
    }

    /// What is built lies in `dist` and is not in the project; its source most likely is.
    fn source_of(&self, file: File, path: &str) -> Option<File> {
        for built in ["dist", "lib", "build", "out", "esm", "cjs", "es"] {
            let marked = format!("/{built}/");
            let (before, after) = match path.split_once(&marked) {
                Some((before, after)) => (before, after),
                None => ("", path.strip_prefix(&marked[1..])?),
            };
            let stem = after.trim_end_matches(".d.ts");
            let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
            if let Some(found) = self.script_at(file, &at(&at(before, "src"), stem)) {
                return Some(found);
            }
        }
        None
    }

    /// The file that a path means, with or without its extension.
    fn script_at(&self, file: File, path: &str) -> Option<File> {
        let world = self.world;
        let last = path.rsplit('/').next().unwrap_or(path);
        self.look_at(Thing::PathPart(last.split('.').next().unwrap_or(last)));
        if let Some(found) = world.file_at(path) {
            return Some(found);
        }
        let rules = self.rules(file);
        let with = |stem: &str| {
            rules.extensions.iter().find_map(|other| world.file_at(&format!("{stem}.{other}")))
        };
        if let Some(found) = with(path) {
            return Some(found);
        }
        if let Some((stem, extension)) = path.rsplit_once('.')
            && rules.written_extensions.iter().any(|written| written == extension)
            && let Some(found) = with(stem)
        {
            return Some(found);
        }
        with(&at(path, "index"))
    }

    /// What a file exports under a name.
    pub(super) fn exported(&mut self, file: File, name: NameId) -> Meaning {
        let world = self.world;
        let interface = world.interface(file);
        let default = world.intern("default");
        let star = world.intern("*");
        let wanted_default = name == default;
        let mut found = None;
        for export in &interface.exports {
            let is_meant = if wanted_default {
                export.is_default
            } else {
                export.name == name && !export.is_default
            };
            if is_meant {
                found = Some(export);
                break;
            }
        }
        if let Some(export) = found {
            return self.export_value(file, export);
        }
        self.look_at(Thing::Whole(world.path(file)));
        let mut outside = None;
        for export in &interface.exports {
            if export.name != star || export.local.is_some() || wanted_default {
                continue;
            }
            let Some(source) = export.source else { continue };
            match self.path_module(file, source) {
                Value::Module(module) => {
                    let found = self.passed_on(module, name);
                    if !found.is_unknown() {
                        return found;
                    }
                }
                Value::External(package) => outside = outside.or(Some(package)),
                _ => {}
            }
        }
        // What is passed on from outside has names that nobody knows; this one is asked for by name.
        if let Some(package) = outside {
            return Meaning::external(package);
        }
        // `module.exports = { a }`, `module.exports = f` with `f.a = …`.
        self.look(default);
        if !wanted_default
            && let Some(export) = interface.exports.iter().find(|export| export.is_default)
        {
            let whole = self.export_value(file, export);
            return self.member(file, whole, name);
        }
        if wanted_default {
            // A module without a default export stands for itself where it is required.
            return Meaning { value: Value::Module(Module::File(file)), how: How::Import };
        }
        Meaning::unknown(Why::NotFound)
    }

    /// A module that is called is what `module.exports` was set to.
    pub(crate) fn called_module(&mut self, meaning: Meaning) -> Meaning {
        match meaning.value {
            Value::Module(Module::File(file)) if self.rules(file).explicit_exports => {
                let default = self.world.intern("default");
                let found = self.in_module(Module::File(file), default);
                match &found.value {
                    Value::Unknown(_) => meaning,
                    // It may be another module: `module.exports = require("./other")`.
                    Value::Module(Module::File(next)) if *next != file => {
                        self.deeper(|this| this.called_module(found.clone())).unwrap_or(found)
                    }
                    _ => found,
                }
            }
            _ => meaning,
        }
    }

    fn export_value(&mut self, file: File, export: &Exported) -> Meaning {
        let world = self.world;
        let local = export.local.unwrap_or(export.name);
        if let Some(source) = export.source {
            let Value::Module(module) = self.path_module(file, source) else {
                let value = self.path_module(file, source);
                return Meaning { value, how: How::Import };
            };
            if &*world.text(local) == "*" {
                return Meaning { value: Value::Module(module), how: How::Import };
            }
            return self.in_module(module, local);
        }
        let text = world.text(local);
        // A member of something here: `exports = module.exports = internals.Route = class { … }`.
        if let Some((first, members)) = text.split_once('.') {
            let mut found = self.named_at_top(file, world.intern(first));
            for name in members.split('.') {
                found = self.member(file, found, world.intern(name));
            }
            return found;
        }
        self.named_at_top(file, local)
    }

    /// What a name means at the top of a file, from outside of it.
    fn named_at_top(&mut self, file: File, local: NameId) -> Meaning {
        let world = self.world;
        self.look(local);
        let top = SymbolRef { file, symbol: u32::MAX };
        let symbols: Rc<[SymbolRef]> = world.members(top, local);
        if !symbols.is_empty() {
            return Meaning { value: Value::Symbols(symbols, None), how: How::Import };
        }
        for (number, import) in world.interface(file).imports.iter().enumerate() {
            if import.scope == 0 && self.local_name_of(file, import) == Some(local) {
                return self
                    .once(Key::Import(file, number as u32), |t| t.imported(file, number as u32));
            }
        }
        Meaning::unknown(Why::NotFound)
    }
}

/// What a pattern's `*` stands for in a text.
fn matched<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    match pattern.split_once('*') {
        None => (pattern == text).then_some(""),
        Some((before, after)) => {
            text.strip_prefix(before).and_then(|rest| rest.strip_suffix(after))
        }
    }
}
