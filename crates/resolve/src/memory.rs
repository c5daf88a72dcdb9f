//! A project that lies in memory as a whole.

use std::cell::RefCell;
use std::rc::Rc;

use languages::Language;
use model::{FileFacts, ImportFlags, NameId, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::digest::dotted;
use crate::interface::{self, Interface};
use crate::lexical::Texts;
use crate::settings::Settings;
use crate::world::{File, SymbolRef, World};

/// Texts by number, shared by all files.
#[derive(Debug, Default)]
pub struct Interner {
    texts: Vec<Rc<str>>,
    numbers: FxHashMap<Rc<str>, NameId>,
}

impl Interner {
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let text: Rc<str> = text.into();
        let number = NameId(self.texts.len() as u32);
        self.texts.push(Rc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    pub fn text(&self, name: NameId) -> Rc<str> {
        self.texts.get(name.0 as usize).map_or_else(|| "".into(), Rc::clone)
    }
}

impl Texts for Interner {
    fn text(&self, name: NameId) -> Rc<str> {
        Interner::text(self, name)
    }

    fn intern(&mut self, text: &str) -> NameId {
        Interner::intern(self, text)
    }
}

#[derive(Debug)]
struct Entry<'w> {
    path: String,
    language: &'w Language,
    interface: Interface,
    /// Sorted by owner, name and position; the owner is counted from 1.
    members: Vec<(u32, NameId, u32)>,
}

/// Files with their interfaces, indexed.
#[derive(Debug)]
pub struct Memory<'w> {
    files: Vec<Entry<'w>>,
    by_path: FxHashMap<String, File>,
    directories: FxHashMap<String, Vec<File>>,
    named: FxHashMap<NameId, Vec<SymbolRef>>,
    additions: FxHashMap<NameId, Vec<SymbolRef>>,
    definitions: FxHashMap<NameId, Vec<SymbolRef>>,
    /// The same for whoever asks: there may be many of one name.
    shared_definitions: RefCell<FxHashMap<NameId, Rc<[SymbolRef]>>>,
    shared_imports: Vec<(File, u32)>,
    namespaces: FxHashSet<String>,
    namespace_of: RefCell<FxHashMap<(File, Option<NameId>), NameId>>,
    settings: Settings,
    names: RefCell<Interner>,
}

impl<'w> Memory<'w> {
    pub fn new(settings: Settings) -> Self {
        Self {
            files: Vec::new(),
            by_path: FxHashMap::default(),
            directories: FxHashMap::default(),
            named: FxHashMap::default(),
            additions: FxHashMap::default(),
            definitions: FxHashMap::default(),
            shared_definitions: RefCell::default(),
            shared_imports: Vec::new(),
            namespaces: FxHashSet::default(),
            namespace_of: RefCell::default(),
            settings,
            names: RefCell::default(),
        }
    }

    /// Adds a file. Names in its facts become those of the project.
    pub fn add(&mut self, path: &str, language: &'w Language, facts: &mut FileFacts) -> File {
        let interface = {
            let mut names = self.names.borrow_mut();
            let map: Vec<NameId> = facts.names.iter().map(|text| names.intern(text)).collect();
            crate::rename::to_project(facts, &map);
            interface::interface(language, facts, &mut *names)
        };
        let file = self.files.len() as File;
        let mut members = Vec::with_capacity(interface.symbols.len());
        for (index, definition) in interface.symbols.iter().enumerate() {
            let symbol = SymbolRef { file, symbol: index as u32 };
            let owner = definition.owner.map_or(0, |owner| owner + 1);
            members.push((owner, definition.name, index as u32));
            self.definitions.entry(definition.name).or_default().push(symbol);
            if let Some(name) = definition.adds_to {
                self.additions.entry(name).or_default().push(symbol);
            } else if interface.is_top(index as u32)
                && !matches!(definition.kind, SymbolKind::Section)
            {
                self.named.entry(definition.name).or_default().push(symbol);
            }
        }
        for (number, import) in interface.imports.iter().enumerate() {
            if import.flags.has(ImportFlags::SHARED) {
                self.shared_imports.push((file, number as u32));
            }
        }
        members.sort_unstable();
        self.shared_definitions.get_mut().clear();
        self.by_path.insert(path.to_owned(), file);
        let mut directory = parent(path);
        self.directories.entry(directory.to_owned()).or_default().push(file);
        while !directory.is_empty() {
            directory = parent(directory);
            self.directories.entry(directory.to_owned()).or_default();
        }
        self.files.push(Entry { path: path.to_owned(), language, interface, members });
        self.namespaces.extend(crate::digest::namespaces(self, file));
        file
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// The directory of a path.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

impl World for Memory<'_> {
    fn interface(&self, file: File) -> &Interface {
        &self.files[file as usize].interface
    }

    fn language(&self, file: File) -> &Language {
        self.files[file as usize].language
    }

    fn path(&self, file: File) -> &str {
        &self.files[file as usize].path
    }

    fn file_at(&self, path: &str) -> Option<File> {
        self.by_path.get(path).copied()
    }

    fn files_in(&self, directory: &str) -> Rc<[File]> {
        self.directories
            .get(directory)
            .map_or_else(|| Rc::from([]), |files| files.as_slice().into())
    }

    fn has_directory(&self, directory: &str) -> bool {
        self.directories.contains_key(directory)
    }

    fn files_called(&self, last: &str) -> Rc<[File]> {
        let called = |path: &str| path.rsplit('/').next() == Some(last);
        let mut found: Vec<(&String, File)> = self
            .by_path
            .iter()
            .filter(|(path, _)| called(path))
            .map(|(path, file)| (path, *file))
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, file)| file).collect()
    }

    fn named(&self, name: NameId) -> Rc<[SymbolRef]> {
        self.named.get(&name).map_or_else(|| Rc::from([]), |all| all.as_slice().into())
    }

    fn definitions(&self, name: NameId) -> Rc<[SymbolRef]> {
        let mut shared = self.shared_definitions.borrow_mut();
        let found = shared.entry(name).or_insert_with(|| {
            self.definitions.get(&name).map_or_else(|| Rc::from([]), |all| all.as_slice().into())
        });
        Rc::clone(found)
    }

    fn additions(&self, name: NameId) -> Rc<[SymbolRef]> {
        self.additions.get(&name).map_or_else(|| Rc::from([]), |all| all.as_slice().into())
    }

    fn members(&self, owner: SymbolRef, name: NameId) -> Rc<[SymbolRef]> {
        let members = &self.files[owner.file as usize].members;
        let key = (owner.symbol.wrapping_add(1), name);
        let from = members.partition_point(|(owner, name, _)| (*owner, *name) < key);
        members[from..]
            .iter()
            .take_while(|(owner, name, _)| (*owner, *name) == key)
            .map(|(_, _, symbol)| SymbolRef { file: owner.file, symbol: *symbol })
            .collect()
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        self.namespaces.contains(namespace)
    }

    fn namespace(&self, symbol: SymbolRef) -> NameId {
        let entry = &self.files[symbol.file as usize];
        let qualifier =
            entry.interface.symbols.get(symbol.symbol as usize).and_then(|d| d.qualifier);
        let key = (symbol.file, qualifier);
        if let Some(known) = self.namespace_of.borrow().get(&key) {
            return *known;
        }
        let package = entry.interface.package.map(|name| self.text(name)).unwrap_or_default();
        let qualifier = qualifier.map(|name| self.text(name)).unwrap_or_default();
        let mut joined = dotted(&package);
        if !joined.is_empty() && !qualifier.is_empty() {
            joined.push('.');
        }
        joined.push_str(&dotted(&qualifier));
        let name = self.intern(&joined);
        self.namespace_of.borrow_mut().insert(key, name);
        name
    }

    fn shared_imports(&self) -> Rc<[(File, u32)]> {
        self.shared_imports.as_slice().into()
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn text(&self, name: NameId) -> Rc<str> {
        self.names.borrow().text(name)
    }

    fn intern(&self, text: &str) -> NameId {
        self.names.borrow_mut().intern(text)
    }
}
