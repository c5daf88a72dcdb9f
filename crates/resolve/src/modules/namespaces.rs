//! Java, C#, PHP and their like: files say which package or namespace they belong to.

use std::rc::Rc;

use languages::ModuleSystem;
use model::{ImportFlags, NameId, SymbolKind};

use crate::digest::{Thing, dotted};
use crate::interface::{Definition, Imported};
use crate::linker::Linker;
use crate::memory::parent;
use crate::value::{How, Meaning, Module, Value, Why};
use crate::world::{File, SymbolRef, World};

impl<W: World> Linker<'_, W> {
    /// A name in the namespaces around a place, from the inside out.
    pub(super) fn namespace_name(
        &mut self,
        file: File,
        name: NameId,
        within: Option<u32>,
    ) -> Option<Meaning> {
        let world = self.world;
        let interface = world.interface(file);
        let nested = self.rules(file).nested_namespaces;
        // The namespace at hand, with the types around as its innermost parts.
        let mut namespace = match within.and_then(|symbol| interface.definition(symbol)) {
            Some(definition) => {
                let symbol = SymbolRef { file, symbol: within.unwrap_or_default() };
                let around = world.text(self.space_of(symbol)).to_string();
                let own = dotted(&world.text(definition.name));
                if around.is_empty() { own } else { format!("{around}.{own}") }
            }
            None => dotted(&interface.package.map(|name| world.text(name)).unwrap_or_default()),
        };
        let package = dotted(&interface.package.map(|name| world.text(name)).unwrap_or_default());
        if world.text(name).contains('\\') {
            return Some(self.qualified(file, name, &package));
        }
        loop {
            let key = world.intern(&namespace);
            if let Some(found) = self.of_namespace(file, key, name) {
                return Some(found);
            }
            if nested {
                let below = format!("{}{}", prefix(&namespace), world.text(name));
                if self.has_namespace(&below) {
                    let module = Module::Namespace(world.intern(&below));
                    return Some(Meaning { value: Value::Module(module), how: How::Package });
                }
            }
            if namespace.is_empty() || (!nested && namespace.len() <= package.len()) {
                break;
            }
            namespace =
                namespace.rsplit_once('.').map_or(String::new(), |(before, _)| before.to_owned());
        }
        // `Http` of `Http\Client` starts at the namespace at hand where that of `\Http\Client` starts at the root.
        if self.language(file).table.path_separator.as_deref() == Some("\\") {
            let below = format!("{}{}", prefix(&package), world.text(name));
            if self.has_namespace(&below) {
                let module = Module::Namespace(world.intern(&below));
                return Some(Meaning { value: Value::Module(module), how: How::Package });
            }
        }
        // The first part of a full name.
        let text = dotted(&world.text(name));
        if self.has_namespace(&text) {
            let module = Module::Namespace(world.intern(&text));
            return Some(Meaning { value: Value::Module(module), how: How::Package });
        }
        self.root_name(file, name)
    }

    /// `Http\Client`, which starts at the namespace at hand, or `\Http\Client`, which starts at the root.
    fn qualified(&mut self, file: File, name: NameId, package: &str) -> Meaning {
        let below = format!("{}{}", prefix(package), dotted(&self.world.text(name)));
        let below = self.world.intern(&below);
        match self.namespace_path(file, below) {
            Meaning { value: Value::External(_), .. } => self.namespace_path(file, name),
            found => found,
        }
    }

    /// What PHP has at the root under a name that the namespace at hand has not: functions are looked for
    /// there too. A type must be written so, `\Name`, and nothing else would be a program.
    fn root_name(&mut self, file: File, name: NameId) -> Option<Meaning> {
        let is_rooted = self.language(file).table.path_separator.as_deref() == Some("\\");
        // What the language brings is not what a project offers in its absence.
        if !is_rooted || self.rules(file).is_builtin(&self.world.text(name)) {
            return None;
        }
        let root = self.world.intern("");
        let found = self.of_namespace(file, root, name)?;
        let is_type = |symbol: &SymbolRef| {
            self.definition(*symbol).is_some_and(|definition| definition.kind.has_members())
        };
        let how = match &found.value {
            Value::Symbols(symbols, _) if symbols.iter().any(is_type) => How::Inferred,
            _ => found.how,
        };
        Some(Meaning { how, ..found })
    }

    /// What a namespace has under a name that can be meant in a file.
    fn of_namespace(&mut self, file: File, namespace: NameId, name: NameId) -> Option<Meaning> {
        let symbols = self.named_in(namespace, name);
        let all = Meaning { value: Value::Symbols(symbols.into(), None), how: How::Package };
        Some(self.of_family(file, all)).filter(|found| !found.is_unknown())
    }

    /// A project may hold the same source twice, for two platforms or as two versions: files of one name in
    /// several directories, with definitions of one full name. A program has one of them, and it is most
    /// likely the one that lies nearest. None if they are no copies, or none is nearest.
    pub(super) fn nearest_copy(&self, file: File, all: &[SymbolRef]) -> Option<Vec<SymbolRef>> {
        let world = self.world;
        let first = all.first()?.file;
        // Where types are reopened all are parts of one, and where files are included that decides.
        let is_decided =
            self.rules(file).reopened_types || self.system(file) == ModuleSystem::Includes;
        if is_decided || all.iter().all(|symbol| symbol.file == first) {
            return None;
        }
        let last = |file: File| world.path(file).rsplit('/').next();
        if all.iter().any(|symbol| last(symbol.file) != last(first)) {
            return None;
        }
        let near = |symbol: &SymbolRef| nearness(world.path(file), world.path(symbol.file));
        let nearest = all.iter().max_by_key(|symbol| near(symbol))?;
        let is_tied = all.iter().any(|it| near(it) == near(nearest) && it.file != nearest.file);
        let here = all.iter().copied().filter(|symbol| symbol.file == nearest.file);
        (!is_tied).then(|| here.collect())
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        let has = |namespace: &str| {
            self.look_at(Thing::Namespace(namespace));
            self.world.has_namespace(namespace)
        };
        has(namespace)
            || self.opening_macros().iter().any(|(name, opened)| {
                // A part of what a macro opens, or something inside of it.
                let behind = namespace.strip_prefix(opened.as_str());
                let rest = match behind.filter(|rest| rest.is_empty() || rest.starts_with('.')) {
                    Some(rest) => rest,
                    None if is_around(namespace, opened) => "",
                    None => return false,
                };
                has(&format!("#{name}{rest}"))
            })
    }

    /// Macros that open namespaces, with these.
    pub(super) fn opening_macros(&self) -> Rc<[(String, String)]> {
        self.look_at(Thing::SharedImports);
        let known = self.opening_macros.get_or_init(|| {
            let world = self.world;
            let mut found: Vec<(String, String)> = Vec::new();
            for (file, number) in world.shared_imports().iter() {
                let import = &world.interface(*file).imports[*number as usize];
                let alias = import.alias.filter(|_| import.flags.has(ImportFlags::OPENS));
                let Some(name) = alias.map(|alias| world.text(alias).to_string()) else { continue };
                if found.iter().all(|(known, _)| *known != name) {
                    found.push((name, world.text(import.source).to_string()));
                }
            }
            found.into()
        });
        Rc::clone(known)
    }

    /// The namespace a symbol stands in. A macro of which nobody says what it opens opens nothing.
    pub(crate) fn space_of(&self, symbol: SymbolRef) -> NameId {
        let namespace = self.world.namespace(symbol);
        let text = self.world.text(namespace);
        if !text.contains('#') {
            return namespace;
        }
        let macros = self.opening_macros();
        let part = |part: &'_ str| match part.strip_prefix('#') {
            Some(word) => {
                macros.iter().find(|(name, _)| name == word).map(|(_, opened)| opened.clone())
            }
            None => Some(part.to_owned()),
        };
        let parts: Vec<String> = text.split('.').filter_map(part).collect();
        self.world.intern(&parts.join("."))
    }

    pub(super) fn namespace_import(&mut self, file: File, import: &Imported) -> Meaning {
        let base = self.namespace_path(file, import.source);
        match import.name {
            Some(name) if self.world.text(import.source).is_empty() => {
                let root = self.world.intern("");
                self.namespace_member(root, name)
            }
            Some(name) => match base.value {
                Value::External(_) if !import.flags.has(ImportFlags::STATIC) => {
                    let full =
                        format!("{}.{}", self.world.text(import.source), self.world.text(name));
                    Meaning::external(Some(self.world.intern(&full)))
                }
                _ => self.member(file, base, name),
            },
            None => base,
        }
    }

    /// What a full name leads to: namespaces as far as there are, then a type and its members.
    pub(super) fn namespace_path(&mut self, file: File, source: NameId) -> Meaning {
        let world = self.world;
        let text = dotted(&world.text(source));
        let text = text.trim_start_matches('.');
        if self.has_namespace(text) {
            let module = Module::Namespace(world.intern(text));
            return Meaning { value: Value::Module(module), how: How::Import };
        }
        let relative = self.relative_path(file, text);
        let text = relative.as_deref().unwrap_or(text);
        if relative.is_some() && self.has_namespace(text) {
            let module = Module::Namespace(world.intern(text));
            return Meaning { value: Value::Module(module), how: How::Import };
        }
        if relative.is_none()
            && let Some(found) = self.relative_type(file, text)
        {
            return found;
        }
        let mut parts: Vec<&str> = text.split('.').collect();
        let mut rest: Vec<&str> = Vec::new();
        while let Some(last) = parts.pop() {
            rest.push(last);
            let before = parts.join(".");
            if before.is_empty() || self.has_namespace(&before) {
                let mut meaning = Meaning {
                    value: Value::Module(Module::Namespace(world.intern(&before))),
                    how: How::Import,
                };
                for part in rest.iter().rev() {
                    let name = world.intern(part);
                    self.look(name);
                    meaning = self.member(file, meaning, name);
                }
                return match meaning.value {
                    Value::Unknown(_) => Meaning::external(Some(source)),
                    _ => meaning,
                };
            }
        }
        Meaning::external(Some(source))
    }

    /// What a name that begins in a namespace around is called in full: `using Internal;` inside of
    /// `namespace Shop` means `Shop.Internal`. Only names whose first part is no namespace at the root are
    /// asked for.
    fn relative_path(&self, file: File, text: &str) -> Option<String> {
        let world = self.world;
        let first = text.split('.').next().unwrap_or(text);
        if !self.rules(file).nested_namespaces || self.has_namespace(first) {
            return None;
        }
        let interface = world.interface(file);
        let is_namespace = |definition: &&Definition| definition.kind == SymbolKind::Namespace;
        let declared = interface
            .package
            .or_else(|| interface.symbols.iter().find(is_namespace).map(|space| space.name))?;
        let mut around = dotted(&world.text(declared));
        while !around.is_empty() {
            let below = format!("{around}.{first}");
            if self.has_namespace(&below) {
                return Some(format!("{around}.{text}"));
            }
            around.truncate(around.rfind('.').unwrap_or(0));
        }
        None
    }

    /// A type that is named from a namespace around the file: `using static Rules;`.
    fn relative_type(&mut self, file: File, text: &str) -> Option<Meaning> {
        if !self.rules(file).nested_namespaces || text.contains('.') {
            return None;
        }
        let world = self.world;
        let name = world.intern(text);
        let interface = world.interface(file);
        let declared = interface.package.or_else(|| {
            let space = interface.symbols.iter().find(|it| it.kind == SymbolKind::Namespace);
            space.map(|space| space.name)
        })?;
        let mut around = dotted(&world.text(declared));
        while !around.is_empty() {
            self.look(name);
            let symbols = self.named_in(world.intern(&around), name);
            if !symbols.is_empty() {
                return Some(Meaning {
                    value: Value::Symbols(symbols.into(), None),
                    how: How::Import,
                });
            }
            around.truncate(around.rfind('.').unwrap_or(0));
        }
        None
    }

    pub(super) fn namespace_member(&mut self, namespace: NameId, name: NameId) -> Meaning {
        let world = self.world;
        self.look(name);
        let symbols = self.named_in(namespace, name);
        if !symbols.is_empty() {
            return Meaning { value: Value::Symbols(symbols.into(), None), how: How::Import };
        }
        let below = format!("{}{}", prefix(&world.text(namespace)), dotted(&world.text(name)));
        if self.has_namespace(&below) {
            let module = Module::Namespace(world.intern(&below));
            return Meaning { value: Value::Module(module), how: How::Import };
        }
        Meaning::unknown(Why::NotFound)
    }
}

/// Whether one namespace is around another.
fn is_around(namespace: &str, inner: &str) -> bool {
    inner.strip_prefix(namespace).is_some_and(|rest| rest.starts_with('.'))
}

/// How near one path is to another: more directories in common are nearer, then fewer beside those.
fn nearness(path: &str, other: &str) -> (usize, std::cmp::Reverse<usize>) {
    let (mine, its) = (parent(path), parent(other));
    let common = mine.split('/').zip(its.split('/')).take_while(|(one, two)| one == two).count();
    (common, std::cmp::Reverse(its.split('/').count() - common))
}

fn prefix(namespace: &str) -> String {
    if namespace.is_empty() { String::new() } else { format!("{namespace}.") }
}
