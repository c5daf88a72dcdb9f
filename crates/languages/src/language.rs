//! One language, loaded, checked and compiled.

use globset::{Glob, GlobSet, GlobSetBuilder};
use model::{Symbol, SymbolFlags, SymbolKind, Visibility};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::pattern::{self, KindSet, Kinds, Pattern, PatternError};
use crate::table::Table;

/// The files of a language's folder.
#[derive(Debug, Clone)]
pub(crate) struct Sources<'t> {
    pub table: &'t str,
    pub symbols: &'t str,
    pub references: &'t str,
    pub scopes: &'t str,
}

#[derive(Debug)]
pub struct Language {
    pub id: String,
    pub table: Table,
    pub grammar: Option<tree_sitter::Language>,
    pub patterns: Vec<Pattern>,
    /// Decorators, symbols and called names by what they mean.
    pub test_symbols: GlobSet,
    pub test_decorators: GlobSet,
    pub test_files: GlobSet,
    /// Names of those in which a runner looks for tests.
    pub collected_tests: GlobSet,
    pub assertions: GlobSet,
    pub modifiers: FxHashMap<String, Modifier>,
    decorators: FxHashMap<String, Modifier>,
    kinds: Vec<Kind>,
    /// Patterns, grouped by the kind of their root.
    by_kind: Vec<Rooted>,
    keywords: FxHashSet<Box<str>>,
    /// By the first letter of a keyword, the lengths of those that begin with it, a bit each: that tells
    /// most words of comments from keywords.
    keyword_lengths: [u32; 128],
    /// Kinds that count only in one kind of node, what they count as, and that kind.
    counting_parents: Vec<(u16, KindFlags, u16)>,
    /// Kinds of nodes that unread tokens must stand in.
    token_parents: Vec<u16>,
}

/// A keyword longer than this is taken for a word of the program.
const LONGEST_KEYWORD: usize = 24;

/// What a word before a symbol's name, or a decorator, means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Modifier {
    Kind(SymbolKind),
    Visibility(Visibility),
    Flag(SymbolFlags),
}

#[derive(Debug, Clone, Copy, Default)]
struct Kind {
    flags: KindFlags,
    first: u16,
    count: u16,
}

/// A pattern that may fit the nodes of a kind.
#[derive(Debug, Clone, Copy)]
pub struct Rooted {
    /// Its place in [`Language::patterns`].
    pub number: u16,
    /// It can only fit a node that has a child of one of these kinds, if there are any.
    pub needs: KindSet,
}

impl Rooted {
    /// False if a node with such children cannot fit: tells most without a look at the pattern.
    pub const fn may_fit(&self, children: KindSet) -> bool {
        self.needs.is_empty() || self.needs.meets(children)
    }
}

/// What the walk does at a kind of node, besides matching its patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KindFlags(pub u32);

impl KindFlags {
    pub const IDENTIFIER: Self = Self(1);
    pub const COMMENT: Self = Self(1 << 1);
    pub const STRING: Self = Self(1 << 2);
    pub const WRAPPER: Self = Self(1 << 3);
    pub const OPAQUE: Self = Self(1 << 4);
    pub const MARKUP: Self = Self(1 << 5);
    pub const BRANCH: Self = Self(1 << 6);
    pub const LOOP: Self = Self(1 << 7);
    pub const LOGICAL: Self = Self(1 << 8);
    pub const NESTING: Self = Self(1 << 9);
    pub const FLAT: Self = Self(1 << 10);
    pub const RETURN: Self = Self(1 << 11);
    pub const CLOSURE: Self = Self(1 << 12);
    pub const UNSAFE: Self = Self(1 << 13);
    pub const UNCHECKED: Self = Self(1 << 14);
    pub const ASSERTION: Self = Self(1 << 15);
    pub const SEE_THROUGH: Self = Self(1 << 16);
    pub const TEXT: Self = Self(1 << 17);
    pub const TOKENS: Self = Self(1 << 18);
    pub const FRIEND: Self = Self(1 << 19);
    /// Patterns ask for the fields of its children.
    pub const FIELDS: Self = Self(1 << 20);
    /// A token without a name of which nothing is said.
    pub const IDLE: Self = Self(1 << 21);
    /// Any of those that count towards metrics.
    pub const METRICS: Self = Self(0x3ff << 6);
    /// The walk goes no deeper.
    pub const LEAF: Self = Self(Self::COMMENT.0 | Self::STRING.0 | Self::OPAQUE.0);

    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Why a language folder was refused.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("languages/{id}/language.toml: {message}")]
    Table { id: String, message: String },
    #[error("languages/{0}")]
    Pattern(PatternError),
    #[error("languages/{id}: cannot read: {source}")]
    Io { id: String, source: std::io::Error },
}

impl Language {
    pub(crate) fn load(
        id: &str,
        mut table: Table,
        grammar: Option<tree_sitter::Language>,
        folders: &[(&str, Sources<'_>)],
    ) -> Result<Self, LoadError> {
        table.linking.builtins.sort_unstable();
        let refuse = |message: String| LoadError::Table { id: id.to_owned(), message };
        let mut language = Self {
            id: id.to_owned(),
            test_symbols: globs(&table.tests.symbols).map_err(refuse)?,
            test_decorators: globs(&table.tests.decorators).map_err(refuse)?,
            test_files: globs(&table.tests.files).map_err(refuse)?,
            collected_tests: globs(&table.tests.collected).map_err(refuse)?,
            assertions: globs(&table.metrics.assertions).map_err(refuse)?,
            modifiers: modifiers("modifiers", &table.modifiers).map_err(refuse)?,
            decorators: modifiers("decorators", &table.decorators).map_err(refuse)?,
            patterns: Vec::new(),
            kinds: Vec::new(),
            by_kind: Vec::new(),
            keywords: table.keywords.iter().map(|word| word.to_lowercase().into()).collect(),
            keyword_lengths: [0; 128],
            counting_parents: Vec::new(),
            token_parents: Vec::new(),
            grammar,
            table,
        };
        if let Some(grammar) = language.grammar.clone() {
            for (folder, sources) in folders {
                for (file, text) in [
                    ("symbols.scm", sources.symbols),
                    ("references.scm", sources.references),
                    ("scopes.scm", sources.scopes),
                ] {
                    let file = format!("{folder}/{file}");
                    let patterns =
                        pattern::compile(&file, text, &grammar).map_err(LoadError::Pattern)?;
                    language.patterns.extend(patterns);
                }
            }
            language.index_kinds(&grammar).map_err(refuse)?;
            language.add_grammar_keywords(&grammar);
        }
        for word in language.keywords.iter().filter(|word| word.len() <= LONGEST_KEYWORD) {
            if let Some(letter) = first_letter(word)
                && let Some(lengths) = language.keyword_lengths.get_mut(letter)
            {
                *lengths |= 1 << word.len();
            }
        }
        Ok(language)
    }

    /// What the walk does at nodes of this kind.
    #[inline]
    pub fn flags(&self, kind: u16) -> KindFlags {
        self.kinds.get(usize::from(kind)).map_or(KindFlags::default(), |kind| kind.flags)
    }

    /// The patterns rooted at this kind, in the order they stand in the files.
    #[inline]
    pub fn patterns_at(&self, kind: u16) -> &[Rooted] {
        match self.kinds.get(usize::from(kind)) {
            Some(kind) if kind.count > 0 => {
                &self.by_kind[usize::from(kind.first)..usize::from(kind.first + kind.count)]
            }
            _ => &[],
        }
    }

    /// Whether a word is part of the language rather than of the program.
    pub fn is_keyword(&self, word: &str) -> bool {
        let lengths = first_letter(word).and_then(|letter| self.keyword_lengths.get(letter));
        if word.len() > LONGEST_KEYWORD || lengths.is_none_or(|it| it >> word.len() & 1 == 0) {
            return false;
        }
        if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return self.keywords.contains(word);
        }
        self.keywords.contains(word.to_lowercase().as_str())
    }

    /// Makes of a symbol what its decorators say.
    pub fn apply_decorators(&self, symbol: &mut Symbol, decorators: &[String]) {
        if self.decorators.is_empty() {
            return;
        }
        for decorator in decorators {
            let name = decorator_name(decorator);
            let last = name.rsplit(['.', ':', '\\']).next().unwrap_or(name);
            match self.decorators.get(name).or_else(|| self.decorators.get(last)) {
                Some(Modifier::Visibility(visibility)) => symbol.visibility = Some(*visibility),
                Some(Modifier::Flag(flag)) => symbol.flags.set(*flag),
                Some(Modifier::Kind(kind)) => symbol.kind = *kind,
                None => {}
            }
        }
    }

    pub fn path_separator(&self) -> &str {
        self.table.path_separator.as_deref().unwrap_or(&self.table.separator)
    }

    /// What a kind of node with these flags counts as inside another kind.
    pub fn flags_in(&self, kind: u16, flags: KindFlags, parent: u16) -> KindFlags {
        let known = self.counting_parents.iter().filter(|(known, ..)| *known == kind);
        let (mut lost, mut kept) = (0, 0);
        for (_, flag, wanted) in known {
            if *wanted == parent { kept |= flag.0 } else { lost |= flag.0 }
        }
        KindFlags(flags.0 & !(lost & !kept))
    }

    /// Whether unread tokens are to be read inside this kind of node.
    pub fn reads_tokens_in(&self, parent: u16) -> bool {
        self.token_parents.contains(&parent)
    }

    fn index_kinds(&mut self, grammar: &tree_sitter::Language) -> Result<(), String> {
        let count = grammar.node_kind_count();
        self.kinds = vec![Kind::default(); count];
        let nodes = &self.table.nodes;
        let metrics = &self.table.metrics;
        let nesting: Vec<String> = if metrics.nesting.is_empty() {
            metrics.branches.iter().chain(&metrics.loops).cloned().collect()
        } else {
            metrics.nesting.clone()
        };
        let lists: [(KindFlags, &[String]); 19] = [
            (KindFlags::IDENTIFIER, &nodes.identifiers),
            (KindFlags::COMMENT, &nodes.comments),
            (KindFlags::STRING, &nodes.strings),
            (KindFlags::WRAPPER, &nodes.wrappers),
            (KindFlags::OPAQUE, &nodes.opaque),
            (KindFlags::MARKUP, &nodes.markup),
            (KindFlags::BRANCH, &metrics.branches),
            (KindFlags::LOOP, &metrics.loops),
            (KindFlags::LOGICAL, &metrics.logical),
            (KindFlags::NESTING, &nesting),
            (KindFlags::FLAT, &metrics.flat),
            (KindFlags::RETURN, &metrics.returns),
            (KindFlags::CLOSURE, &metrics.closures),
            (KindFlags::UNSAFE, &metrics.unsafe_blocks),
            (KindFlags::UNCHECKED, &metrics.unchecked),
            (KindFlags::ASSERTION, &metrics.assertion_nodes),
            (KindFlags::SEE_THROUGH, &nodes.see_through),
            (KindFlags::TEXT, &nodes.texts),
            (KindFlags::FRIEND, &nodes.friends),
        ];
        for (flag, names) in lists {
            for name in names {
                let (parent, name) = match name.split_once(':') {
                    Some((parent, token)) if is_name(parent) => {
                        (Some(pattern::any_kind(grammar, parent)?), token)
                    }
                    _ => (None, name.as_str()),
                };
                let id = pattern::any_kind(grammar, name)?;
                self.counting_parents.extend(parent.map(|parent| (id, flag, parent)));
                self.kinds[usize::from(id)].flags.0 |= flag.0;
            }
        }
        if let Some(tokens) = &self.table.tokens {
            let id = pattern::any_kind(grammar, &tokens.node)?;
            self.kinds[usize::from(id)].flags.0 |= KindFlags::TOKENS.0;
            for parent in &tokens.inside {
                self.token_parents.push(pattern::any_kind(grammar, parent)?);
            }
            for reading in tokens.whole.iter().chain(&tokens.pieces) {
                pattern::any_kind(grammar, &reading.node)?;
            }
        }
        self.index_patterns(grammar)
    }

    fn index_patterns(&mut self, grammar: &tree_sitter::Language) -> Result<(), String> {
        let see_through: KindSet = (0..self.kinds.len() as u16)
            .filter(|kind| self.flags(*kind).any(KindFlags::SEE_THROUGH))
            .collect();
        let mut roots: Vec<(u16, u16)> = Vec::new();
        for (number, pattern) in self.patterns.iter_mut().enumerate() {
            pattern.root.see_through(see_through);
            match pattern.root.kinds {
                Kinds::One(kind) => roots.push((kind, number as u16)),
                Kinds::AnyNamed => {
                    return Err(format!("{}: a pattern cannot be rooted at `(_)`", pattern.place));
                }
            }
        }
        roots.sort_unstable();
        for (position, (kind, number)) in roots.iter().enumerate() {
            let entry = &mut self.kinds[usize::from(*kind)];
            if entry.count == 0 {
                entry.first = position as u16;
            }
            entry.count += 1;
            let root = &self.patterns[usize::from(*number)].root;
            self.by_kind.push(Rooted { number: *number, needs: root.needs() });
            root.asking_for_fields(&mut |asking| {
                // Few ask for fields of what may be any node; those are found out when they do.
                if let Kinds::One(kind) = asking {
                    self.kinds[usize::from(*kind)].flags.0 |= KindFlags::FIELDS.0;
                }
            });
        }
        for (id, kind) in self.kinds.iter_mut().enumerate() {
            // What is seen through has the field that it stands in.
            if kind.flags.any(KindFlags::SEE_THROUGH) {
                kind.flags.0 |= KindFlags::FIELDS.0;
            }
            if kind.flags.0 == 0 && kind.count == 0 && !grammar.node_kind_is_named(id as u16) {
                kind.flags = KindFlags::IDLE;
            }
        }
        Ok(())
    }

    /// Every token of the grammar that is a word is a keyword.
    fn add_grammar_keywords(&mut self, grammar: &tree_sitter::Language) {
        for id in 0..grammar.node_kind_count() as u16 {
            if grammar.node_kind_is_visible(id)
                && !grammar.node_kind_is_named(id)
                && let Some(word) = grammar.node_kind_for_id(id)
                && word.len() > 1
                && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
            {
                self.keywords.insert(word.to_lowercase().into());
            }
        }
    }
}

/// The first byte of a word, the same for a capital and a small letter.
fn first_letter(word: &str) -> Option<usize> {
    word.bytes().next().map(|byte| usize::from(byte | 0x20))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

fn modifiers(
    key: &str,
    words: &std::collections::BTreeMap<String, String>,
) -> Result<FxHashMap<String, Modifier>, String> {
    words
        .iter()
        .map(|(word, meaning)| {
            let modifier = Visibility::parse(meaning)
                .map(Modifier::Visibility)
                .or_else(|| SymbolFlags::parse(meaning).map(Modifier::Flag))
                .or_else(|| SymbolKind::parse(meaning).map(Modifier::Kind))
                .ok_or_else(|| {
                    let legal: Vec<&str> = Visibility::ALL
                        .iter()
                        .map(|visibility| visibility.as_str())
                        .chain(SymbolFlags::ALL.iter().map(|(_, word)| *word))
                        .chain(SymbolKind::ALL.iter().map(|kind| kind.as_str()))
                        .collect();
                    format!("{key}.{word}: unknown `{meaning}`; legal: {}", legal.join(", "))
                })?;
            Ok((word.clone(), modifier))
        })
        .collect()
}

/// The name of a decorator without its sign, brackets and arguments: `#[test]`, `@Test(x)`, `[Fact]`.
pub fn decorator_name(text: &str) -> &str {
    let text = text.trim_start_matches(['#', '@', '[', '!', '(', ' ']);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-' | '\\');
    &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())]
}

pub(crate) fn globs(patterns: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern).map_err(|error| error.to_string())?);
    }
    set.build().map_err(|error| error.to_string())
}
