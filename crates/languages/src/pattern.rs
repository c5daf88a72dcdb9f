//! The patterns of a language: a small subset of tree-sitter's query syntax, compiled into tables.
//!
//! ```text
//! pattern   = node capture+ predicate*
//! node      = "(" kind child* ")" | "[" node+ "]" | string
//! kind      = name | "_"
//! child     = [field ":"] node quantifier capture* | "!" field
//! quantifier= "" | "?" | "*" | "+"
//! capture   = "@" name
//! predicate = "(" "#" ["not-"] ( "eq?" | "any-of?" | "match?" | "inside?" | "before?"
//!             | "after?" ) capture text+ ")"
//! ```
//! The capture of the whole pattern says what it finds ([`Finding`]), those inside say which part is
//! which ([`Part`]). A child without `*` or `+` takes the first node that fits; with them, all, and the
//! parts captured in one repetition belong together. A
//! child without a field may be any child. Kinds listed as `see-through` are looked through: a child
//! that does not fit is replaced by its own child of the same field.
//!
//! Predicates stand at the end of the pattern, inside its parentheses. `#match?` takes a glob;
//! `#inside?` takes kinds, one of which must stand close above, and `#before?` and `#after?` kinds
//! or tokens, one of which must stand right behind the node or right before it. Of repetitions only those count that
//! the predicates accept.
//!
//! Patterns are matched at the node they are rooted at, on the way down, the first one that fits per
//! [`Finding::group`]; [`crate::Language::patterns_at`] finds them by node kind.

use std::num::NonZeroU16;

use model::{
    BindingKind, ImportFlags, LiteralKind, ReferenceFlags, Role, ScopeKind, Step, SymbolKind,
};

mod compile;
mod parse;

pub(crate) use compile::any_kind;
pub use compile::compile;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Pattern {
    pub root: NodePattern,
    pub finding: Finding,
    pub predicates: Vec<Predicate>,
    /// `symbols.scm:12`, for messages and for the test that every pattern is reached.
    pub place: String,
}

/// A set of kinds of nodes that may hold some more than were put in: good enough to tell that something
/// is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KindSet(u64);

impl KindSet {
    pub const ALL: Self = Self(u64::MAX);

    pub const fn of(kind: u16) -> Self {
        Self(1 << (kind % 64))
    }

    #[must_use]
    pub const fn with(self, kind: u16) -> Self {
        Self(self.0 | Self::of(kind).0)
    }

    /// Whether one of these kinds may be in both.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<u16> for KindSet {
    fn from_iter<T: IntoIterator<Item = u16>>(kinds: T) -> Self {
        kinds.into_iter().fold(Self::default(), Self::with)
    }
}

/// What a node must be.
#[derive(Debug, Clone, Default)]
pub struct NodePattern {
    pub kinds: Kinds,
    pub children: Vec<ChildPattern>,
    pub absent: Vec<NonZeroU16>,
    pub captures: Vec<Part>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub enum Kinds {
    /// `(_)`: any named node.
    #[default]
    AnyNamed,
    One(u16),
}

impl NodePattern {
    /// Says of each child which kinds it may be of, now that the kinds are known that are seen through:
    /// behind one of those may be anything.
    pub(crate) fn see_through(&mut self, kinds: KindSet) {
        for child in &mut self.children {
            child.kinds = kinds;
            for alternative in &mut child.alternatives {
                alternative.see_through(kinds);
                child.kinds.0 |= match alternative.kinds {
                    Kinds::One(kind) => KindSet::of(kind).0,
                    Kinds::AnyNamed => KindSet::ALL.0,
                };
            }
        }
    }

    /// Of the children that cannot be missing, the kinds of the one that is most telling; no kinds if
    /// all children may be missing.
    pub(crate) fn needs(&self) -> KindSet {
        let needed = self.children.iter().filter(|child| child.quantifier.is_needed());
        needed.map(|child| child.kinds).min_by_key(|kinds| kinds.len()).unwrap_or_default()
    }

    /// Tells the kinds of nodes of whose children it asks for fields.
    pub(crate) fn asking_for_fields(&self, tell: &mut impl FnMut(&Kinds)) {
        if !self.absent.is_empty() || self.children.iter().any(|child| child.field.is_some()) {
            tell(&self.kinds);
        }
        let inside = self.children.iter().flat_map(|child| &child.alternatives);
        inside.for_each(|pattern| pattern.asking_for_fields(tell));
    }

    /// The field whose child is this part, whatever it looks like.
    fn field_of(&self, part: Part) -> Option<NonZeroU16> {
        let is_it = |child: &&ChildPattern| {
            child.quantifier == Quantifier::One
                && child.alternatives.iter().all(|it| it.captures.contains(&part))
        };
        self.children.iter().find(is_it)?.field
    }
}

#[derive(Debug, Clone)]
pub struct ChildPattern {
    pub field: Option<NonZeroU16>,
    pub quantifier: Quantifier,
    pub alternatives: Vec<NodePattern>,
    /// What is of another kind does not fit.
    pub kinds: KindSet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    One,
    Optional,
    Any,
    Some,
}

impl Quantifier {
    pub const fn is_needed(self) -> bool {
        matches!(self, Self::One | Self::Some)
    }

    pub const fn is_single(self) -> bool {
        matches!(self, Self::One | Self::Optional)
    }
}

#[derive(Debug, Clone)]
pub struct Predicate {
    pub part: Part,
    pub test: Test,
    pub negated: bool,
    /// The field of the root in which the part stands, if it must be there and nowhere else: then it can
    /// be tested before the pattern is.
    pub field: Option<NonZeroU16>,
}

#[derive(Debug, Clone)]
pub enum Test {
    AnyOf(Texts),
    /// A glob: `use[A-Z]*`.
    Match(globset::GlobMatcher),
    /// A glob that is a text between two stars.
    Contains(String),
    /// One of the nearest nodes above is of one of these kinds.
    Inside(Vec<u16>),
    /// The next node beside it is of one of these kinds.
    Before(Vec<u16>),
    /// The node right before it is.
    After(Vec<u16>),
}

/// A list of texts. Most words are told from all of them by their length and first letter.
#[derive(Debug, Clone)]
pub struct Texts {
    list: Vec<String>,
    shapes: u64,
}

impl Texts {
    fn new(list: Vec<String>) -> Self {
        let shapes = list.iter().fold(0, |shapes, text| shapes | Self::shape(text));
        Self { list, shapes }
    }

    fn shape(text: &str) -> u64 {
        let first = text.bytes().next().map_or(0, usize::from);
        1 << ((text.len() * 7 + first) % 64)
    }

    pub fn contains(&self, text: &str) -> bool {
        self.shapes & Self::shape(text) != 0 && self.list.iter().any(|known| known == text)
    }
}

/// What a pattern finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Finding {
    /// `@definition.<kind>`, with `.static` behind it where the place says so and no modifier, and
    /// where it stands
    Definition { kind: SymbolKind, is_static: bool, place: Place },
    /// `@reference.<role>`, with `.construct`, `.optional`, `.path`, `.static` behind it
    Reference(Role, ReferenceFlags),
    /// `@import`, with flags behind it: `@import.wildcard.type`
    Import(ImportFlags),
    /// `@import.group`, with flags: imports inside have `@source` before their own, and the flags
    ImportGroup(ImportFlags),
    /// `@export`, `@export.type`, `@export.default`
    Export { type_only: bool, default: bool },
    /// `@scope`, `@scope.function`, `@scope.type`
    Scope(ScopeKind),
    /// `@binding.<kind>`, with `.element`, `.entered`, `.awaited`, `.unwrapped` behind it where the
    /// name is bound to a part of `@value`, `.position` where that is the one at the place the name has
    /// among those beside it
    Binding(BindingKind, Step),
    /// `@origin`, with the same behind it: where every `@name`, which is bound further in, comes from.
    /// `@value` stands before the names
    Origin(Step),
    /// `@lend.<kind>`: in the scope that each `@inner` opens, `@name` is bound to a value of `@type`, of
    /// which there may be only one. The name itself stands elsewhere. Without an `@inner`, a name of
    /// that kind that was bound without a type gets one
    Lend(BindingKind),
    /// `@decorator`
    Decorator,
    /// `@visibility`: what follows in the same owner has it. A word that is a flag holds for what is
    /// defined inside the node
    Visibility,
    /// `@package`
    Package,
    /// `@docstring`
    Docstring,
    /// `@value.<what>`: how an expression passes on, or is, a value
    Value(ValueKind),
    /// `@return`: the function around it returns `@value`
    Return,
    /// `@expects`, with a part behind it as for `@binding`: the function captured as `@inner` gets
    /// `@value`, or that part of it, as its first argument
    Expects(Step),
    /// `@ignore`: every `@name` is no use of a name; without one, nothing is found inside. The words
    /// stay terms
    Ignore,
}

/// Where a definition stands, as seen from what it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In it.
    Here,
    /// `.member`: in a method of the type it belongs to.
    Method,
    /// `.known`: the same, but only of a member that is defined elsewhere does it say what it is.
    Known,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ValueKind {
    Same,
    Awaited,
    Element,
    Unwrapped,
    Entered,
    /// At the position that `@member` says.
    Position,
    This,
    Super,
    Literal(LiteralKind),
    /// A value of the type captured as `@type`.
    Typed,
    /// The argument of the function around it that has no name: Kotlin's `it`.
    Implicit,
}

impl Finding {
    /// Of the patterns that fit a node, the first of each group counts.
    pub const fn group(self) -> u8 {
        match self {
            Self::Definition { .. } => 0,
            Self::Reference(..) => 1,
            Self::Import(_) => 2,
            Self::ImportGroup(_) => 3,
            Self::Export { .. } => 4,
            Self::Scope(_) => 5,
            Self::Binding(..) => 6,
            Self::Decorator => 7,
            Self::Visibility => 8,
            Self::Package => 9,
            Self::Docstring => 10,
            Self::Value(_) => 11,
            Self::Ignore => 12,
            Self::Expects(_) => 13,
            Self::Return => 14,
            // Of one node, some names may be parts and others the whole.
            Self::Origin(Step::Same) => 15,
            Self::Origin(_) => 16,
            Self::Lend(_) => 17,
        }
    }
}

/// What a capture inside a pattern stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Name,
    /// The type that a definition belongs to. In a reference, the place where the type around it is
    /// used without being named.
    Owner,
    Parameters,
    Returns,
    /// The type of a value. Beside `@returns` it is one of the types returned, once for every scratch
    /// capture in its row; in a reference it is another name that is used, as a type.
    Type,
    Body,
    Value,
    Receiver,
    Arguments,
    Source,
    Imported,
    Alias,
    Inner,
    Wildcard,
    /// What makes an import hold in all files of its project.
    Shared,
    Optional,
    Variadic,
    /// Which part of a value is meant. In a reference, a member that is written of what it makes.
    Member,
    /// One name of an import path that has no node of its own; the last one is what is imported.
    Path,
    /// A modifier that does not stand before the name.
    Modifier,
    /// The name of a test or section that is a text.
    Title,
    /// A name up to the `=` in it: a shell's `alias ll='ls -l'`.
    Assigned,
    /// One argument of a call, where they stand in no list.
    Argument,
    /// A parameter without a name, which counts all the same.
    Unnamed,
    /// `@_anything`: only for predicates.
    Scratch(u8),
}

impl Part {
    pub const NAMED: &'static [(&'static str, Part)] = &[
        ("name", Part::Name),
        ("owner", Part::Owner),
        ("parameters", Part::Parameters),
        ("returns", Part::Returns),
        ("type", Part::Type),
        ("body", Part::Body),
        ("value", Part::Value),
        ("receiver", Part::Receiver),
        ("arguments", Part::Arguments),
        ("source", Part::Source),
        ("imported", Part::Imported),
        ("alias", Part::Alias),
        ("inner", Part::Inner),
        ("wildcard", Part::Wildcard),
        ("shared", Part::Shared),
        ("optional", Part::Optional),
        ("variadic", Part::Variadic),
        ("member", Part::Member),
        ("path", Part::Path),
        ("modifier", Part::Modifier),
        ("title", Part::Title),
        ("assigned", Part::Assigned),
        ("argument", Part::Argument),
        ("unnamed", Part::Unnamed),
    ];
}

/// Why a pattern file was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct PatternError {
    pub file: String,
    pub line: usize,
    pub message: String,
}
