//! All languages by name: the only Rust that names them.

use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::OnceLock;

use crate::language::{Language, LoadError, Sources, globs};
use crate::table::{Contested, Table};

/// A language as compiled in: its folder's files and its grammar.
#[derive(Debug)]
pub struct Definition {
    pub id: &'static str,
    grammar: Option<fn() -> tree_sitter::Language>,
    sources: Sources<'static>,
}

macro_rules! folder {
    ($id:ident, $file:literal) => {
        include_str!(concat!("../../../languages/", stringify!($id), "/", $file))
    };
}

/// `define!(go, tree_sitter_go::LANGUAGE)` takes in `languages/go/`.
macro_rules! define {
    ($id:ident) => {
        define!(@ $id, None)
    };
    ($id:ident, $grammar:expr) => {
        define!(@ $id, Some(|| $grammar.into()))
    };
    (@ $id:ident, $grammar:expr) => {
        Definition {
            id: stringify!($id),
            grammar: $grammar,
            sources: Sources {
                table: folder!($id, "language.toml"),
                symbols: folder!($id, "symbols.scm"),
                references: folder!($id, "references.scm"),
                scopes: folder!($id, "scopes.scm"),
            },
        }
    };
}

static DEFINITIONS: &[Definition] = &[
    define!(bash, tree_sitter_bash::LANGUAGE),
    define!(c, tree_sitter_c::LANGUAGE),
    define!(cpp, tree_sitter_cpp::LANGUAGE),
    define!(csharp, tree_sitter_c_sharp::LANGUAGE),
    define!(css, tree_sitter_css::LANGUAGE),
    define!(go, tree_sitter_go::LANGUAGE),
    define!(java, tree_sitter_java::LANGUAGE),
    // Its grammar reads Flow's types as well, which that of plain JavaScript does not.
    define!(javascript, tree_sitter_typescript::LANGUAGE_TSX),
    define!(jsx, tree_sitter_typescript::LANGUAGE_TSX),
    define!(kotlin, tree_sitter_kotlin_sg::LANGUAGE),
    define!(markdown),
    define!(php, tree_sitter_php::LANGUAGE_PHP),
    define!(python, tree_sitter_python::LANGUAGE),
    define!(ruby, tree_sitter_ruby::LANGUAGE),
    define!(rust, tree_sitter_rust::LANGUAGE),
    define!(scala, tree_sitter_scala::LANGUAGE),
    define!(swift, tree_sitter_swift::LANGUAGE),
    define!(tsx, tree_sitter_typescript::LANGUAGE_TSX),
    define!(typescript, tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
    define!(text),
];

/// Names what makes facts: the version of the extractor, and the folders of all languages. If it is
/// another one, the same bytes may give other facts.
pub fn extractor() -> &'static str {
    static EXTRACTOR: OnceLock<String> = OnceLock::new();
    EXTRACTOR.get_or_init(|| {
        let mut hasher = rustc_hash::FxHasher::default();
        for Definition { id, sources, .. } in DEFINITIONS {
            (id, sources.table, sources.symbols, sources.references, sources.scopes)
                .hash(&mut hasher);
        }
        format!("{}-{:016x}", model::EXTRACTOR_VERSION, hasher.finish())
    })
}

/// A longer chain of languages that inherit is a circle.
const MAX_ANCESTORS: usize = 8;

/// The language of files that no other one claims.
const TEXT: &str = "text";

/// Tells the language of a file, and loads languages when they are first needed.
#[derive(Debug)]
pub struct Registry {
    entries: Vec<Entry>,
    by_extension: rustc_hash::FxHashMap<String, usize>,
    by_name: Vec<(globset::GlobSet, usize)>,
    contested: Vec<(globset::GlobSet, usize, Contested)>,
    by_interpreter: rustc_hash::FxHashMap<String, usize>,
}

#[derive(Debug)]
struct Entry {
    definition: &'static Definition,
    /// Read from a folder on disk instead of those compiled in.
    sources: Option<OwnedSources>,
    loaded: OnceLock<Language>,
}

#[derive(Debug, Clone)]
struct OwnedSources {
    table: String,
    symbols: String,
    references: String,
    scopes: String,
}

impl Registry {
    /// The languages compiled in.
    ///
    /// # Panics
    /// Never: a test loads every language, so a bad folder cannot be compiled into a release.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Registry> = OnceLock::new();
        BUILTIN
            .get_or_init(|| Self::new(None).expect("the built-in languages are checked by a test"))
    }

    /// The same languages, their folders read from disk: for whoever works on them.
    pub fn from_folder(folder: &Path) -> Result<Self, LoadError> {
        let registry = Self::new(Some(folder))?;
        for entry in &registry.entries {
            let language = registry.load(entry)?;
            let _ = entry.loaded.set(language);
        }
        Ok(registry)
    }

    fn new(folder: Option<&Path>) -> Result<Self, LoadError> {
        let mut registry = Self {
            entries: Vec::new(),
            by_extension: Default::default(),
            by_name: Vec::new(),
            contested: Vec::new(),
            by_interpreter: Default::default(),
        };
        for definition in DEFINITIONS {
            let sources = folder
                .map(|folder| OwnedSources::read(&folder.join(definition.id)))
                .transpose()
                .map_err(|source| LoadError::Io { id: definition.id.to_owned(), source })?;
            registry.entries.push(Entry { definition, sources, loaded: OnceLock::new() });
        }
        for number in 0..registry.entries.len() {
            registry.claim_files(number)?;
        }
        Ok(registry)
    }

    /// The language of a file: by name, by what is in it where names do not decide, by its `#!` line.
    /// Every file has one; without a better claim it is text.
    pub fn detect(&self, path: &str, head: &[u8]) -> &Language {
        let name = path.rsplit('/').next().unwrap_or(path);
        for (globs, number, contested) in &self.contested {
            if globs.is_match(name) && has_line_start(head, &contested.line_starts) {
                return self.language(*number);
            }
        }
        if let Some((_, extension)) = name.rsplit_once('.')
            && let Some(number) = self.by_extension.get(extension)
        {
            return self.language(*number);
        }
        if let Some((_, number)) = self.by_name.iter().find(|(globs, _)| globs.is_match(name)) {
            return self.language(*number);
        }
        if let Some(number) = interpreter(head).and_then(|name| self.by_interpreter.get(name)) {
            return self.language(*number);
        }
        self.get(TEXT).expect("the registry has text")
    }

    pub fn get(&self, id: &str) -> Option<&Language> {
        let number = self.entries.iter().position(|entry| entry.definition.id == id)?;
        Some(self.language(number))
    }

    pub fn ids(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.entries.iter().map(|entry| entry.definition.id)
    }

    /// Loads one language afresh and says what is wrong with it.
    pub fn check(&self, id: &str) -> Result<Language, LoadError> {
        let entry = self.entries.iter().find(|entry| entry.definition.id == id);
        self.load(entry.expect("ids come from `ids`"))
    }

    fn language(&self, number: usize) -> &Language {
        let entry = &self.entries[number];
        entry
            .loaded
            .get_or_init(|| self.load(entry).expect("the built-in languages are checked by a test"))
    }

    fn load(&self, entry: &Entry) -> Result<Language, LoadError> {
        let id = entry.definition.id;
        let refuse = |message: String| LoadError::Table { id: id.to_owned(), message };
        // Its own folder first, then those it inherits from.
        let mut folders = vec![(id, entry.sources())];
        let mut table = parse_table(id, folders[0].1.table)?;
        while let Some(parent) = table.inherits.take() {
            let entry = self
                .entries
                .iter()
                .find(|candidate| candidate.definition.id == parent)
                .filter(|_| folders.len() < MAX_ANCESTORS)
                .ok_or_else(|| {
                    refuse(format!("inherits: `{parent}` is no language to inherit from"))
                })?;
            folders.push((entry.definition.id, entry.sources()));
            table = parse_table(entry.definition.id, entry.sources().table)?;
        }
        let tables: Vec<&str> = folders.iter().map(|(_, sources)| sources.table).collect();
        let table = overlay(&tables).map_err(|error| refuse(error.to_string()))?;
        let grammar = entry.definition.grammar.map(|grammar| grammar());
        Language::load(id, table, grammar, &folders)
    }

    fn claim_files(&mut self, number: usize) -> Result<(), LoadError> {
        let entry = &self.entries[number];
        let id = entry.definition.id;
        let table = parse_table(id, entry.sources().table)?;
        let refuse = |message: String| LoadError::Table { id: id.to_owned(), message };
        let mut rest = Vec::new();
        for glob in &table.files {
            match glob.strip_prefix("*.") {
                Some(extension) if !extension.contains(['*', '?', '[', '{', '.']) => {
                    if let Some(before) = self.by_extension.insert(extension.to_owned(), number) {
                        let other = self.entries[before].definition.id;
                        return Err(refuse(format!("files: `{glob}` belongs to `{other}` too")));
                    }
                }
                _ => rest.push(glob.clone()),
            }
        }
        if !rest.is_empty() {
            self.by_name.push((globs(&rest).map_err(refuse)?, number));
        }
        if let Some(contested) = table.contested {
            let names = globs(&contested.files).map_err(refuse)?;
            self.contested.push((names, number, contested));
        }
        for interpreter in table.interpreters {
            self.by_interpreter.insert(interpreter, number);
        }
        Ok(())
    }
}

impl Entry {
    fn sources(&self) -> Sources<'_> {
        match &self.sources {
            None => self.definition.sources.clone(),
            Some(sources) => Sources {
                table: &sources.table,
                symbols: &sources.symbols,
                references: &sources.references,
                scopes: &sources.scopes,
            },
        }
    }
}

impl OwnedSources {
    fn read(folder: &Path) -> std::io::Result<Self> {
        let read = |name: &str| std::fs::read_to_string(folder.join(name));
        Ok(Self {
            table: read("language.toml")?,
            symbols: read("symbols.scm")?,
            references: read("references.scm")?,
            scopes: read("scopes.scm")?,
        })
    }
}

fn parse_table(id: &str, text: &str) -> Result<Table, LoadError> {
    toml::from_str(text)
        .map_err(|error| LoadError::Table { id: id.to_owned(), message: error.to_string() })
}

/// A table of which each key comes from the first of several that has it. How files are recognised
/// is not inherited.
fn overlay(tables: &[&str]) -> Result<Table, toml::de::Error> {
    let mut merged: toml::Table = toml::from_str(tables[0])?;
    for parent in &tables[1..] {
        for (key, value) in toml::from_str::<toml::Table>(parent)? {
            if !["files", "interpreters", "contested", "limits"].contains(&key.as_str()) {
                merged.entry(key).or_insert(value);
            }
        }
    }
    merged.remove("inherits");
    merged.try_into()
}

fn has_line_start(head: &[u8], signs: &[String]) -> bool {
    head.split(|byte| *byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        signs.iter().any(|sign| line.starts_with(sign.as_bytes()))
    })
}

/// The program a `#!` line runs, without its path, version and `env`.
fn interpreter(head: &[u8]) -> Option<&str> {
    let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words =
        line.split_ascii_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let mut program = words.next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}
