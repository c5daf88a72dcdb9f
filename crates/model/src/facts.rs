//! What one file says by itself.
//!
//! Positions are byte offsets into the file as stored on disk; [`FileFacts::position`] turns one
//! into a line and a column, both counted from 1, columns in bytes.

use crate::names::{NameId, Names};
use crate::vocabulary::*;

/// A half-open range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    pub const fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    #[inline]
    pub fn slice(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// The facts of one file. Indices (`owner`, `symbol`, `scope`, …) point into the lists beside them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileFacts {
    pub names: Names,
    /// The package, namespace or module the file declares itself to be in.
    pub package: Option<NameId>,
    /// The comment at the head of the file, without comment signs.
    pub header: Option<String>,
    pub is_test: bool,
    /// Says of itself that a program wrote it.
    pub is_generated: bool,
    /// Nothing but re-exports.
    pub is_barrel: bool,
    /// Has statements at the top level that do something when the file is loaded.
    pub has_side_effects: bool,
    /// Also true of an empty file: no line is left without its end.
    pub ends_with_line_break: bool,
    /// In order of their start.
    pub symbols: Vec<Symbol>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    pub components: Vec<Component>,
    pub markers: Vec<Marker>,
    pub suppressions: Vec<Suppression>,
    pub styles: Styles,
    pub problems: Vec<Problem>,

    /// Where each line begins; the first entry is 0.
    pub line_starts: Vec<u32>,
    /// Runs of lines of one type: (first line, type). Lines before the first run are code.
    pub line_types: Vec<(u32, LineType)>,
    /// Scope 0 is the file.
    pub scopes: Vec<Scope>,
    pub bindings: Vec<Binding>,
    pub references: Vec<Reference>,
    /// In the order of their references, then of their positions. Only where a name may stand for several
    /// definitions that differ in their parameters, and only what says something of its type.
    pub arguments: Vec<Argument>,
    /// Sorted by name, then line.
    pub occurrences: Vec<Occurrence>,
}

impl FileFacts {
    /// Line and column, counted from 1.
    pub fn position(&self, byte: u32) -> (u32, u32) {
        position(&self.line_starts, byte)
    }

    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id)
    }
}

/// Line and column of a byte offset, counted from 1.
pub fn position(line_starts: &[u32], byte: u32) -> (u32, u32) {
    let line = line_starts.partition_point(|start| *start <= byte).max(1);
    (line as u32, byte - line_starts.get(line - 1).copied().unwrap_or(0) + 1)
}

/// A named definition.
#[derive(Debug, Clone, PartialEq)]
pub struct Symbol {
    pub kind: SymbolKind,
    pub name: NameId,
    /// Names of the owners and of the symbol, joined as the language writes them.
    pub qualified_name: String,
    /// Counts symbols of the same qualified name in this file, in order; 0 for the first.
    pub ordinal: u32,
    pub owner: Option<u32>,
    /// The whole definition, with its decorators and modifiers, without its docs.
    pub span: Span,
    pub name_span: Span,
    pub body: Option<Span>,
    pub signature: String,
    pub docs: Option<String>,
    pub visibility: Option<Visibility>,
    pub flags: SymbolFlags,
    /// The declared type of a value, the declared return type of a function.
    pub declared_type: Option<NameId>,
    /// What an untyped value is initialised with, and what a function without a declared return type
    /// returns, as far as it tells the type.
    pub origin: Origin,
    /// The literal a constant or enum member stands for.
    pub value: Option<String>,
    /// Decorators, annotations, attributes and derives, as written.
    pub decorators: Vec<String>,
    /// The scope this symbol opens.
    pub scope: Option<u32>,
    pub metrics: Option<Metrics>,
    /// Of the body without white space and comments.
    pub body_hash: Option<u64>,
}

/// Measures of a callable symbol, nested functions that are no symbols included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Metrics {
    /// 1 + decision points.
    pub cyclomatic: u32,
    pub cognitive: u32,
    pub branches: u32,
    pub loops: u32,
    /// return, break, continue, throw.
    pub returns: u32,
    pub max_nesting: u32,
    pub parameters: u32,
    pub lines: u32,
    pub unsafe_blocks: u32,
    /// Calls that give up instead of handling an error: `.unwrap()`, `!!`.
    pub unchecked_calls: u32,
    pub assertions: u32,
}

/// Where a value comes from, as far as that tells its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Origin {
    pub base: Base,
    pub step: Step,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Base {
    /// There is none: a name that stands alone, a variable without a value.
    #[default]
    None,
    /// An expression that says nothing of its type.
    Unknown,
    This,
    Super,
    Literal(LiteralKind),
    /// The value of that reference; of a call, what it returns.
    Reference(u32),
    /// A value of the type written so: a cast, a composite literal.
    Type(NameId),
    /// The local of that name, where no reference stands for it.
    Local(NameId),
}

/// What is done to the base before the value is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Step {
    #[default]
    Same,
    /// `await x`.
    Awaited,
    /// An element: `x[i]`, the variable of a loop over `x`.
    Element,
    /// The success value: Rust's `x?`, Kotlin's `x!!`, Swift's `x!`.
    Unwrapped,
    /// That member of it, by destructuring.
    Member(NameId),
    /// That position of it, by destructuring or multiple results.
    Position(u8),
    /// What `with x as name` gives.
    Entered,
    /// Of a call: what the function that is passed at the first position gets at the second.
    Given(u8, u8),
}

/// A use of a name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reference {
    pub name: NameId,
    pub role: Role,
    pub position: TypePosition,
    pub flags: ReferenceFlags,
    /// Where the name itself begins.
    pub start: u32,
    /// What stands before the dot.
    pub receiver: Origin,
    /// Number of arguments of a call.
    pub arguments: Option<u16>,
    /// The innermost symbol around it; none at the top level of the file.
    pub symbol: Option<u32>,
    pub scope: u32,
}

/// Arguments behind these are not told.
pub const MAX_ARGUMENTS: u8 = 16;

/// What is passed to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// The call.
    pub reference: u32,
    /// Counted from 0.
    pub position: u8,
    pub origin: Origin,
}

/// A region in which names are bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scope {
    pub kind: ScopeKind,
    pub parent: Option<u32>,
    pub span: Span,
    /// The symbol that opened it.
    pub symbol: Option<u32>,
}

/// A local name: a parameter, a variable, a pattern. Symbols and imports bind names too; they are
/// not repeated here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binding {
    pub name: NameId,
    pub kind: BindingKind,
    pub scope: u32,
    /// Where the name begins.
    pub start: u32,
    pub declared_type: Option<NameId>,
    pub origin: Origin,
    /// For parameters: the callable they belong to.
    pub symbol: Option<u32>,
    /// For parameters: has a default value, or need not be given.
    pub optional: bool,
    /// For parameters: takes any number of arguments.
    pub variadic: bool,
}

/// One imported name, or one module.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The module as written, without quotes.
    pub source: String,
    /// The name taken from it; none where the module itself is meant.
    pub name: Option<NameId>,
    pub alias: Option<NameId>,
    pub flags: ImportFlags,
    /// The whole statement, shared by all names it imports.
    pub statement: Span,
    pub start: u32,
    pub scope: u32,
}

/// One exported name.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// The name others see; `*` for everything.
    pub name: NameId,
    /// The name in this file or in `source`, where it differs.
    pub local: Option<NameId>,
    pub kind: ExportKind,
    pub is_default: bool,
    pub source: Option<String>,
    pub start: u32,
}

/// A function that renders markup or uses hooks.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    pub symbol: u32,
    pub props_type: Option<String>,
    /// In order of first use, each once.
    pub hooks: Vec<NameId>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Marker {
    pub kind: MarkerKind,
    pub line: u32,
    pub text: String,
}

/// A finding that the author asks not to be told.
#[derive(Debug, Clone, PartialEq)]
pub struct Suppression {
    /// The line meant; 0 for the whole file.
    pub line: u32,
    pub recipe: String,
}

/// What only style sheets say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Styles {
    pub variables: Vec<StyleVariable>,
    pub classes: Vec<StyleName>,
    pub keyframes: Vec<StyleName>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StyleVariable {
    /// With its dashes.
    pub name: NameId,
    pub value: String,
    /// `:root`, `@theme` or the selector.
    pub scope: String,
    pub start: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct StyleName {
    pub name: NameId,
    pub start: u32,
}

/// Something in the file that limits what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub start: u32,
    pub message: String,
}

/// A term on a line. A term that stands there several times counts once, as its weightiest type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    pub name: NameId,
    pub line: u32,
    pub line_type: LineType,
}
