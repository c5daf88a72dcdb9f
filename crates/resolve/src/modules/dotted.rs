//! Python: a dotted path leads to a file or a directory below one of a few roots.

use std::rc::Rc;

use languages::ModuleSystem;
use model::NameId;

use crate::digest::Thing;
use crate::interface::Imported;
use crate::linker::Linker;
use crate::memory::parent;
use crate::modules::joined;
use crate::value::{How, Meaning, Module, Value, Why};
use crate::world::{File, World};

impl<W: World> Linker<'_, W> {
    pub(super) fn dotted_import(&mut self, file: File, import: &Imported) -> Meaning {
        let Some(name) = import.name else {
            // `import a.b` binds `a`, and `import a.b as c` all of it.
            let source = self.world.text(import.source);
            let source = match import.alias {
                Some(_) => import.source,
                None => self.world.intern(source.split('.').next().unwrap_or_default()),
            };
            return Meaning { value: self.dotted_module(file, source), how: How::Import };
        };
        match self.dotted_module(file, import.source) {
            Value::Module(module) => {
                // A module beside it, before the importing file itself is asked.
                let found = self.in_module(module, name);
                if found.is_unknown()
                    && let Module::File(target) = module
                    && let Some(found) = self.dotted_submodule(target, name)
                {
                    return found;
                }
                found
            }
            other => Meaning { value: other, how: How::Import },
        }
    }

    pub(super) fn dotted_module(&mut self, file: File, source: NameId) -> Value {
        let world = self.world;
        let text = world.text(source);
        let dots = text.len() - text.trim_start_matches('.').len();
        let rest = text[dots..].replace('.', "/");
        if dots > 0 {
            let mut directory = parent(world.path(file)).to_owned();
            for _ in 1..dots {
                directory = parent(&directory).to_owned();
            }
            let Some(path) = joined(&directory, &rest) else {
                return Value::Unknown(Why::NoSuchModule);
            };
            return self
                .module_at(&self.rules(file).extensions, &path)
                .map_or(Value::Unknown(Why::NoSuchModule), Value::Module);
        }
        // From the directories around the file outwards: its own package, then roots.
        let extensions = &self.rules(file).extensions;
        let mut directory = parent(world.path(file)).to_owned();
        let mut tried: Vec<String> = Vec::new();
        loop {
            self.look_at(Thing::PathPart("__init__"));
            let is_package = extensions.iter().any(|extension| {
                world.file_at(&at(&directory, &format!("__init__.{extension}"))).is_some()
            });
            if !is_package {
                tried.push(directory.clone());
            }
            if directory.is_empty() {
                break;
            }
            directory = parent(&directory).to_owned();
        }
        tried.extend(world.settings().roots.iter().cloned());
        for root in tried {
            if let Some(path) = joined(&root, &rest)
                && let Some(module) = self.module_at(&self.rules(file).extensions, &path)
            {
                return Value::Module(module);
            }
        }
        let first = text.split('.').next().unwrap_or_default();
        Value::External(Some(world.intern(first)))
    }

    pub(super) fn dotted_submodule(&mut self, file: File, name: NameId) -> Option<Meaning> {
        let path = self.world.path(file);
        let is_package = path.rsplit('/').next().is_some_and(|last| last.starts_with("__init__."));
        if !is_package {
            return None;
        }
        let path = at(parent(path), &self.world.text(name));
        let module = self.module_at(&self.rules(file).extensions, &path)?;
        Some(Meaning { value: Value::Module(module), how: How::Import })
    }

    /// The module that lies at a path without extension.
    fn module_at(&mut self, extensions: &[String], path: &str) -> Option<Module> {
        let last = path.rsplit('/').next().unwrap_or(path);
        self.look_at(Thing::PathPart(last));
        for extension in extensions {
            if let Some(file) = self.world.file_at(&format!("{path}.{extension}")) {
                return Some(Module::File(file));
            }
            let init = at(path, &format!("__init__.{extension}"));
            if let Some(file) = self.world.file_at(&init) {
                return Some(Module::File(file));
            }
        }
        let has_files: Rc<[File]> = self.world.files_in(path);
        (!path.is_empty() && (!has_files.is_empty() || self.world.has_directory(path)))
            .then(|| Module::Directory(self.world.intern(path)))
    }

    /// A directory without `__init__`: its files are its members.
    pub(super) fn dotted_directory_member(
        &mut self,
        directory: NameId,
        name: NameId,
    ) -> Option<Meaning> {
        let path = at(&self.world.text(directory), &self.world.text(name));
        let files = self.world.files_in(&self.world.text(directory));
        let sibling = files.iter().find(|file| self.system(**file) == ModuleSystem::DottedFiles);
        let extensions: &[String] = sibling.map_or(&[], |file| &self.rules(*file).extensions);
        let module = self.module_at(extensions, &path)?;
        Some(Meaning { value: Value::Module(module), how: How::Import })
    }
}

pub(super) fn at(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}
