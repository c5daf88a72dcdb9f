//! The project as linking sees it: what is needed is loaded when it is asked for.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use languages::{Language, Registry};
use model::{FileFacts, ImportFlags, NameId, SymbolKind};
use resolve::{File, Interface, Settings, SymbolRef, World, dotted};
use rusqlite::{Connection, OptionalExtension, Result};
use rustc_hash::FxHashMap;

use super::packed::Target;
use super::symbols::{All, ByName, Symbols, once};
use super::{Names, body, damaged, unpack_map};
use crate::rows::SYMBOL_BITS;

/// A file with its interface, made ready.
#[derive(Debug)]
struct Entry {
    path: String,
    /// Its path as a name, once it was asked for: every file that leads here asks.
    path_id: OnceCell<u32>,
    language: &'static Language,
    interface: Interface,
    /// Sorted by owner, name and position; the owner is counted from 1.
    members: Vec<(u32, NameId, u32)>,
    /// Of each symbol, how many of the same name stand before it.
    nth: Vec<u32>,
}

/// Files of a project, as far as they are known yet.
pub(super) struct Known<'k> {
    pub(super) connection: &'k Connection,
    names: RefCell<&'k mut dyn Names>,
    /// By id.
    entries: Vec<OnceCell<Box<Entry>>>,
    /// What there is, once everything was loaded: what is not here does not exist.
    all: Option<Box<All>>,
    named: RefCell<FxHashMap<NameId, Symbols>>,
    additions: RefCell<FxHashMap<NameId, Symbols>>,
    definitions: RefCell<FxHashMap<NameId, Symbols>>,
    paths: RefCell<FxHashMap<String, Option<File>>>,
    directories: RefCell<FxHashMap<String, Rc<[File]>>>,
    has_directory: RefCell<FxHashMap<String, bool>>,
    /// All files, by the last parts of their paths.
    called: OnceCell<FxHashMap<String, Rc<[File]>>>,
    namespaces: RefCell<FxHashMap<String, bool>>,
    namespace_of: RefCell<FxHashMap<(File, Option<NameId>), NameId>>,
    shared_imports: OnceCell<Rc<[(File, u32)]>>,
    settings: OnceCell<Settings>,
    texts: RefCell<FxHashMap<u32, Rc<str>>>,
    /// Linking cannot fail; what failed meanwhile is told afterwards.
    failed: RefCell<Option<rusqlite::Error>>,
    /// Stands in for a file that could not be loaded.
    nothing: Box<Entry>,
}

impl<'k> Known<'k> {
    /// Loads what is asked for.
    pub(super) fn in_part(connection: &'k Connection, names: &'k mut dyn Names) -> Self {
        let next: i64 = connection
            .query_row("SELECT coalesce(max(id), 0) + 1 FROM file", [], |row| row.get(0))
            .unwrap_or(1);
        let mut entries = Vec::new();
        entries.resize_with(next as usize, OnceCell::new);
        let text = Registry::builtin().get("text").expect("text is a language");
        let nothing = Entry {
            path: String::new(),
            path_id: OnceCell::new(),
            language: text,
            interface: Interface::default(),
            members: Vec::new(),
            nth: Vec::new(),
        };
        Self {
            connection,
            names: RefCell::new(names),
            entries,
            all: None,
            named: RefCell::default(),
            additions: RefCell::default(),
            definitions: RefCell::default(),
            paths: RefCell::default(),
            directories: RefCell::default(),
            has_directory: RefCell::default(),
            called: OnceCell::new(),
            namespaces: RefCell::default(),
            namespace_of: RefCell::default(),
            shared_imports: OnceCell::new(),
            settings: OnceCell::new(),
            texts: RefCell::default(),
            failed: RefCell::default(),
            nothing: Box::new(nothing),
        }
    }

    /// Loads everything at once.
    pub(super) fn whole(connection: &'k Connection, names: &'k mut dyn Names) -> Result<Self> {
        Self::in_part(connection, names).all_loaded()
    }

    /// The same with everything loaded.
    pub(super) fn all_loaded(mut self) -> Result<Self> {
        let mut named = Vec::new();
        let mut additions = Vec::new();
        let mut definitions = Vec::new();
        let mut shared_imports = Vec::new();
        let mut directories: FxHashMap<String, Vec<File>> = FxHashMap::default();
        let mut paths = FxHashMap::default();
        let files: Vec<(File, String, String)> = self
            .connection
            .prepare("SELECT id, path, language FROM file WHERE retired IS NULL ORDER BY path")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<Result<_>>()?;
        {
            // One by one: together with their paths, everything would have to be sorted.
            let mut statement =
                self.connection.prepare("SELECT names, interface FROM facts WHERE file_id = ?1")?;
            for (file, path, language) in files {
                let mut directory = parent(&path);
                directories.entry(directory.to_owned()).or_default().push(file);
                while !directory.is_empty() {
                    directory = parent(directory);
                    directories.entry(directory.to_owned()).or_default();
                }
                paths.insert(path.clone(), Some(file));
                let mut rows = statement.query([file])?;
                let Some(row) = rows.next()? else { continue };
                let (map, packed) = (row.get_ref(0)?.as_blob()?, row.get_ref(1)?.as_blob()?);
                let entry = entry(path, &language, map, packed)?;
                for (index, definition) in entry.interface.symbols.iter().enumerate() {
                    let symbol = SymbolRef { file, symbol: index as u32 };
                    definitions.push((definition.name, symbol));
                    if let Some(name) = definition.adds_to {
                        additions.push((name, symbol));
                    } else if is_named(&entry.interface, index) {
                        named.push((definition.name, symbol));
                    }
                }
                for (number, import) in entry.interface.imports.iter().enumerate() {
                    if import.flags.has(ImportFlags::SHARED) {
                        shared_imports.push((file, number as u32));
                    }
                }
                let _ = self.entries[file as usize].set(Box::new(entry));
            }
        }
        self.shared_imports = OnceCell::from(Rc::from(shared_imports));
        self.all = Some(Box::new(All {
            named: ByName::of(named),
            additions: ByName::of(additions),
            definitions: ByName::of(definitions),
        }));
        self.has_directory =
            RefCell::new(directories.keys().map(|path| (path.clone(), true)).collect());
        self.directories = RefCell::new(
            directories.into_iter().map(|(path, files)| (path, files.into())).collect(),
        );
        self.paths = RefCell::new(paths);
        let mut spaces = FxHashMap::default();
        for file in self.all_files() {
            for namespace in resolve::namespaces(&self, file) {
                spaces.insert(namespace, true);
            }
        }
        self.namespaces = RefCell::new(spaces);
        self.check()?;
        Ok(self)
    }

    /// Files with facts, in the order of their ids.
    pub(super) fn all_files(&self) -> Vec<File> {
        let loaded = |file: &File| self.entries[*file as usize].get().is_some();
        (0..self.entries.len() as File).filter(loaded).collect()
    }

    pub(super) fn live_files(&self) -> Result<Vec<i64>> {
        self.connection
            .prepare_cached(
                "SELECT a.file_id FROM facts AS a JOIN file AS f ON f.id = a.file_id
                 WHERE f.retired IS NULL",
            )?
            .query_map([], |row| row.get(0))?
            .collect()
    }

    pub(super) fn is_live(&self, file: i64) -> Result<bool> {
        self.connection
            .prepare_cached("SELECT retired IS NULL FROM file WHERE id = ?1")?
            .query_row([file], |row| row.get(0))
            .optional()
            .map(|live| live == Some(true))
    }

    pub(super) fn is_manifest(&self, file: i64) -> Result<bool> {
        self.connection
            .prepare_cached("SELECT count(*) FROM manifest WHERE file_id = ?1")?
            .query_row([file], |row| row.get(0))
    }

    /// The path of a file as a name.
    pub(super) fn path_id(&self, file: i64) -> Result<u32> {
        if let Some(entry) = self.entries.get(file as usize).and_then(OnceCell::get) {
            if let Some(known) = entry.path_id.get() {
                return Ok(*known);
            }
            let number = self.names.borrow_mut().number(&entry.path)?;
            return Ok(*entry.path_id.get_or_init(|| number));
        }
        let path: String = self
            .connection
            .prepare_cached("SELECT path FROM file WHERE id = ?1")?
            .query_row([file], |row| row.get(0))?;
        self.names.borrow_mut().number(&path)
    }

    pub(super) fn target(&self, symbol: SymbolRef) -> Result<Target> {
        let interface = self.interface(symbol.file);
        let name = interface.symbols.get(symbol.symbol as usize).map_or(NameId(0), |d| d.name);
        let nth = self.entry(symbol.file).nth.get(symbol.symbol as usize).copied().unwrap_or(0);
        Ok(Target { path: self.path_id(symbol.file.into())?, name: name.0, nth })
    }

    /// The references of a file; none if it has no facts.
    pub(super) fn body(&self, file: File) -> Result<Option<FileFacts>> {
        let mut statement =
            self.connection.prepare_cached("SELECT names, detail FROM facts WHERE file_id = ?1")?;
        let mut rows = statement.query([file])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        body(row.get_ref(0)?.as_blob()?, row.get_ref(1)?.as_blob()?).map(Some).map_err(damaged)
    }

    /// Loads a file, or says why it cannot be.
    pub(super) fn ensure_loaded(&self, file: File) -> Result<()> {
        self.entry(file);
        self.check()
    }

    /// What went wrong while linking asked, if anything.
    pub(super) fn check(&self) -> Result<()> {
        self.failed.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// The result, or the default and a note that something failed.
    fn noted<T: Default>(&self, result: Result<T>) -> T {
        result.unwrap_or_else(|error| {
            self.failed.borrow_mut().get_or_insert(error);
            T::default()
        })
    }

    fn entry(&self, file: File) -> &Entry {
        let Some(cell) = self.entries.get(file as usize) else { return &self.nothing };
        cell.get_or_init(|| {
            let loaded = self.load(file);
            Box::new(loaded.unwrap_or_else(|error| {
                self.failed.borrow_mut().get_or_insert(error);
                Entry {
                    path: String::new(),
                    path_id: OnceCell::new(),
                    language: self.nothing.language,
                    interface: Interface::default(),
                    members: Vec::new(),
                    nth: Vec::new(),
                }
            }))
        })
    }

    fn load(&self, file: File) -> Result<Entry> {
        let mut statement = self.connection.prepare_cached(
            "SELECT f.path, f.language, a.names, a.interface
             FROM file AS f LEFT JOIN facts AS a ON a.file_id = f.id WHERE f.id = ?1",
        )?;
        statement.query_row([file], |row| {
            let map = row.get_ref(2)?.as_blob_or_null()?.unwrap_or_default();
            let packed = row.get_ref(3)?.as_blob_or_null()?.unwrap_or_default();
            entry(row.get(0)?, row.get_ref(1)?.as_str()?, map, packed)
        })
    }

    /// Live symbols by a query of their ids, in the order of paths and positions.
    fn symbols(&self, sql: &str, name: NameId) -> Result<Vec<SymbolRef>> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement.query_map([name.0], |row| {
            let id: i64 = row.get(0)?;
            let symbol = (id & ((1 << SYMBOL_BITS) - 1)) as u32;
            Ok(SymbolRef { file: (id >> SYMBOL_BITS) as File, symbol })
        })?;
        found.collect()
    }
}

/// Whether a symbol can be found by its name alone.
fn is_named(interface: &Interface, index: usize) -> bool {
    interface.symbols[index].kind != SymbolKind::Section && interface.is_top(index as u32)
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

fn entry(path: String, language: &str, map: &[u8], packed: &[u8]) -> Result<Entry> {
    let registry = Registry::builtin();
    let language =
        registry.get(language).or_else(|| registry.get("text")).expect("text is a language");
    let interface = if packed.is_empty() {
        Interface::default()
    } else {
        let map = unpack_map(map).map_err(damaged)?;
        resolve::unpack(packed, &|number| map.get(number as usize).copied()).map_err(damaged)?
    };
    let mut members: Vec<(u32, NameId, u32)> = interface
        .symbols
        .iter()
        .enumerate()
        .map(|(index, definition)| {
            (definition.owner.map_or(0, |owner| owner + 1), definition.name, index as u32)
        })
        .collect();
    members.sort_unstable();
    let mut seen: FxHashMap<NameId, u32> = FxHashMap::default();
    let nth = interface
        .symbols
        .iter()
        .map(|definition| {
            let count = seen.entry(definition.name).or_insert(0);
            *count += 1;
            *count - 1
        })
        .collect();
    Ok(Entry { path, path_id: OnceCell::new(), language, interface, members, nth })
}

impl World for Known<'_> {
    fn interface(&self, file: File) -> &Interface {
        &self.entry(file).interface
    }

    fn language(&self, file: File) -> &Language {
        self.entry(file).language
    }

    fn path(&self, file: File) -> &str {
        &self.entry(file).path
    }

    fn file_at(&self, path: &str) -> Option<File> {
        if let Some(known) = self.paths.borrow().get(path) {
            return *known;
        }
        if self.all.is_some() {
            return None;
        }
        let found = self
            .connection
            .prepare_cached("SELECT id FROM file WHERE path = ?1 AND retired IS NULL")
            .and_then(|mut statement| statement.query_row([path], |row| row.get(0)).optional());
        let found: Option<File> = self.noted(found);
        self.paths.borrow_mut().insert(path.to_owned(), found);
        found
    }

    fn files_in(&self, directory: &str) -> Rc<[File]> {
        if let Some(known) = self.directories.borrow().get(directory) {
            return Rc::clone(known);
        }
        if self.all.is_some() {
            return Rc::from([]);
        }
        let found = (|| -> Result<Vec<File>> {
            // Both ends are always given, or else SQLite would read on to the last file of the project.
            let (start, end) = match directory {
                "" => (String::new(), char::MAX.to_string()),
                _ => (format!("{directory}/"), format!("{directory}0")),
            };
            let mut statement = self.connection.prepare_cached(
                "SELECT id, path FROM file WHERE path >= ?1 AND path < ?2 AND retired IS NULL
                 ORDER BY path",
            )?;
            let mut rows = statement.query([&start, &end])?;
            let mut files = Vec::new();
            while let Some(row) = rows.next()? {
                if parent(row.get_ref(1)?.as_str()?) == directory {
                    files.push(row.get(0)?);
                }
            }
            Ok(files)
        })();
        let found: Rc<[File]> = self.noted(found).into();
        self.directories.borrow_mut().insert(directory.to_owned(), Rc::clone(&found));
        found
    }

    fn has_directory(&self, directory: &str) -> bool {
        if let Some(known) = self.has_directory.borrow().get(directory) {
            return *known;
        }
        if self.all.is_some() {
            return false;
        }
        let found = self
            .connection
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM file WHERE path > ?1 AND path < ?2 AND retired IS NULL)",
            )
            .and_then(|mut statement| {
                let (first, end) = (format!("{directory}/"), format!("{directory}0"));
                statement.query_row([first, end], |row| row.get(0))
            });
        let found = directory.is_empty() || self.noted(found);
        self.has_directory.borrow_mut().insert(directory.to_owned(), found);
        found
    }

    fn files_called(&self, last: &str) -> Rc<[File]> {
        let called = self.called.get_or_init(|| {
            let mut called: FxHashMap<String, Vec<File>> = FxHashMap::default();
            let read = (|| -> Result<()> {
                let mut statement = self.connection.prepare_cached(
                    "SELECT id, path FROM file WHERE retired IS NULL ORDER BY path",
                )?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    let path = row.get_ref(1)?.as_str()?;
                    let last = path.rsplit('/').next().unwrap_or(path);
                    called.entry(last.to_owned()).or_default().push(row.get(0)?);
                }
                Ok(())
            })();
            self.noted(read);
            called.into_iter().map(|(last, files)| (last, files.into())).collect()
        });
        called.get(last).map_or_else(|| Rc::from([]), Rc::clone)
    }

    fn named(&self, name: NameId) -> Symbols {
        once(&self.named, name, || {
            if let Some(all) = &self.all {
                return all.named.get(name);
            }
            // Members are told apart by their owner without a look at their file.
            let found = self.symbols(
                "SELECT s.id FROM symbol AS s JOIN file AS f ON f.id = s.id >> 24
                 WHERE s.name_id = ?1 AND f.retired IS NULL AND s.adds_to_id IS NULL
                   AND (s.owner IS NULL OR (SELECT o.kind FROM symbol AS o
                            WHERE o.id = s.id & ~16777215 | s.owner) IN ('namespace', 'module'))
                 ORDER BY f.path, s.id",
                name,
            );
            let mut found = self.noted(found);
            found.retain(|symbol| is_named(self.interface(symbol.file), symbol.symbol as usize));
            found.into()
        })
    }

    fn definitions(&self, name: NameId) -> Symbols {
        once(&self.definitions, name, || {
            if let Some(all) = &self.all {
                return all.definitions.get(name);
            }
            let found = self.symbols(
                "SELECT s.id FROM symbol AS s JOIN file AS f ON f.id = s.id >> 24
                 WHERE s.name_id = ?1 AND f.retired IS NULL ORDER BY f.path, s.id",
                name,
            );
            self.noted(found).into()
        })
    }

    fn additions(&self, name: NameId) -> Symbols {
        once(&self.additions, name, || {
            if let Some(all) = &self.all {
                return all.additions.get(name);
            }
            let found = self.symbols(
                "SELECT s.id FROM symbol AS s JOIN file AS f ON f.id = s.id >> 24
                 WHERE s.adds_to_id = ?1 AND f.retired IS NULL ORDER BY f.path, s.id",
                name,
            );
            self.noted(found).into()
        })
    }

    fn members(&self, owner: SymbolRef, name: NameId) -> Symbols {
        let members = &self.entry(owner.file).members;
        let key = (owner.symbol.wrapping_add(1), name);
        let from = members.partition_point(|(owner, name, _)| (*owner, *name) < key);
        members[from..]
            .iter()
            .take_while(|(owner, name, _)| (*owner, *name) == key)
            .map(|(_, _, symbol)| SymbolRef { file: owner.file, symbol: *symbol })
            .collect()
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        if let Some(known) = self.namespaces.borrow().get(namespace) {
            return *known;
        }
        if self.all.is_some() {
            return false;
        }
        let found = self
            .connection
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM namespace AS n JOIN file AS f ON f.id = n.file_id
                     WHERE n.name = ?1 AND f.retired IS NULL)",
            )
            .and_then(|mut statement| statement.query_row([namespace], |row| row.get(0)));
        let found = self.noted(found);
        self.namespaces.borrow_mut().insert(namespace.to_owned(), found);
        found
    }

    fn namespace(&self, symbol: SymbolRef) -> NameId {
        let entry = self.entry(symbol.file);
        let definition = entry.interface.symbols.get(symbol.symbol as usize);
        let qualifier = definition.and_then(|definition| definition.qualifier);
        let key = (symbol.file, qualifier);
        if let Some(known) = self.namespace_of.borrow().get(&key) {
            return *known;
        }
        let text_of = |name: Option<NameId>| name.map(|name| dotted(&self.text(name)));
        let package = text_of(entry.interface.package).unwrap_or_default();
        let joined = match text_of(qualifier) {
            Some(qualifier) if package.is_empty() => qualifier,
            Some(qualifier) => format!("{package}.{qualifier}"),
            None => package,
        };
        let name = self.intern(&joined);
        self.namespace_of.borrow_mut().insert(key, name);
        name
    }

    fn shared_imports(&self) -> Rc<[(File, u32)]> {
        let shared = self.shared_imports.get_or_init(|| {
            // The bit is that of imports that hold in several files.
            debug_assert_eq!(ImportFlags::SHARED.0, 512);
            let found = self
                .connection
                .prepare_cached(
                    "SELECT i.file_id, i.number FROM import AS i JOIN file AS f ON f.id = i.file_id
                     WHERE i.flags & 512 <> 0 AND f.retired IS NULL ORDER BY f.path, i.number",
                )
                .and_then(|mut statement| {
                    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
                });
            self.noted::<Vec<(File, u32)>>(found).into()
        });
        Rc::clone(shared)
    }

    fn settings(&self) -> &Settings {
        self.settings.get_or_init(|| {
            let mut settings = Settings::default();
            let read = (|| -> Result<()> {
                let mut statement = self.connection.prepare_cached(
                    "SELECT f.path, m.text FROM manifest AS m JOIN file AS f ON f.id = m.file_id
                     WHERE f.retired IS NULL ORDER BY f.path",
                )?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    settings.read(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?);
                }
                Ok(())
            })();
            self.noted(read);
            settings.finish();
            settings
        })
    }

    fn text(&self, name: NameId) -> Rc<str> {
        if let Some(known) = self.texts.borrow().get(&name.0) {
            return Rc::clone(known);
        }
        let found = self.names.borrow_mut().text(name.0);
        let found = found.unwrap_or_else(|error| {
            self.failed.borrow_mut().get_or_insert(error);
            "".into()
        });
        self.texts.borrow_mut().insert(name.0, Rc::clone(&found));
        found
    }

    fn intern(&self, text: &str) -> NameId {
        let number = self.names.borrow_mut().number(text);
        NameId(self.noted(number))
    }
}
