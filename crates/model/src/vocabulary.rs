//! The closed vocabularies: every kind, role and flag, with the word people see.

/// Declares an enum whose variants have a fixed word and a fixed number.
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* $variant,)+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == word)
            }

            /// The inverse of `as u8`.
            pub fn from_number(number: u8) -> Option<Self> {
                Self::ALL.get(usize::from(number)).copied()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

vocabulary! {
    /// What a symbol is.
    SymbolKind {
        Function = "function",
        Method = "method",
        Constructor = "constructor",
        Destructor = "destructor",
        Getter = "getter",
        Setter = "setter",
        Class = "class",
        Interface = "interface",
        Struct = "struct",
        Union = "union",
        Enum = "enum",
        EnumMember = "enum_member",
        Trait = "trait",
        Protocol = "protocol",
        Impl = "impl",
        Extension = "extension",
        Object = "object",
        Record = "record",
        Annotation = "annotation",
        Module = "module",
        Namespace = "namespace",
        Const = "const",
        Var = "var",
        Field = "field",
        Property = "property",
        Event = "event",
        TypeAlias = "type",
        AssociatedType = "associated_type",
        Macro = "macro",
        Test = "test",
        Section = "section",
        Selector = "selector",
        Key = "key",
    }
}

impl SymbolKind {
    /// Kinds that have a body of statements and therefore metrics.
    pub const fn is_callable(self) -> bool {
        matches!(
            self,
            Self::Function
                | Self::Method
                | Self::Constructor
                | Self::Destructor
                | Self::Getter
                | Self::Setter
                | Self::Macro
                | Self::Test
        )
    }

    /// Kinds that are types.
    pub const fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class
                | Self::Interface
                | Self::Struct
                | Self::Union
                | Self::Enum
                | Self::Trait
                | Self::Protocol
                | Self::Object
                | Self::Record
                | Self::Annotation
                | Self::TypeAlias
                | Self::AssociatedType
        )
    }

    /// Kinds whose members belong to them: types and what stands in for one.
    pub const fn has_members(self) -> bool {
        self.is_type() || matches!(self, Self::Impl | Self::Extension)
    }
}

vocabulary! {
    /// How a reference uses a name.
    Role {
        Call = "call",
        Type = "type",
        Import = "import",
        Extends = "extends",
        Implements = "implements",
        Read = "read",
        Write = "write",
        Decorate = "decorate",
        Macro = "macro",
        /// A derived trait, as in `#[derive(Clone)]`.
        Derive = "derive",
        /// A path or address in a document.
        Link = "link",
    }
}

vocabulary! {
    /// Where in its symbol's declaration a type reference stands.
    TypePosition {
        Other = "other",
        Parameter = "parameter",
        Return = "return",
        /// The declared type of a field, variable or constant.
        Declared = "declared",
    }
}

vocabulary! {
    /// Who may use a symbol.
    Visibility {
        Public = "public",
        Protected = "protected",
        /// The same package, module or assembly.
        Internal = "internal",
        PubCrate = "pub_crate",
        PubSuper = "pub_super",
        Private = "private",
        /// Said by a doc tag only.
        Alpha = "alpha",
        Beta = "beta",
    }
}

vocabulary! {
    /// What a local name is bound by.
    BindingKind {
        Parameter = "parameter",
        Variable = "variable",
        Constant = "constant",
        /// The value of a loop, a pattern, a `catch` or a `with`.
        Pattern = "pattern",
        TypeParameter = "type_parameter",
        /// The receiver of a method where it has a name (`self`, Go's `s`).
        Receiver = "receiver",
    }
}

vocabulary! {
    /// What opened a scope.
    ScopeKind {
        File = "file",
        Type = "type",
        Function = "function",
        Block = "block",
    }
}

vocabulary! {
    /// What a literal is, as far as its type goes.
    LiteralKind {
        String = "string",
        Number = "number",
        Boolean = "boolean",
        Null = "null",
        List = "list",
        Map = "map",
        Function = "function",
        Regex = "regex",
        Character = "character",
        /// A whole number, where that is told apart from others.
        Integer = "integer",
        /// A number with a fraction, where that is told apart from others.
        Decimal = "decimal",
        /// A type as a value: Java's `Order.class`, C#'s `typeof(Order)`.
        Class = "class",
    }
}

vocabulary! {
    /// What a line, or a term on it, mainly is. Later ones win where several stand on one line.
    LineType {
        Code = "code",
        String = "string",
        Comment = "comment",
        Property = "property",
        Method = "method",
        Struct = "struct",
    }
}

vocabulary! {
    ExportKind {
        Value = "value",
        Type = "type",
        ReExport = "re-export",
    }
}

vocabulary! {
    MarkerKind {
        Todo = "TODO",
        Fixme = "FIXME",
        Hack = "HACK",
        Note = "NOTE",
        Xxx = "XXX",
    }
}

vocabulary! {
    ProblemKind {
        /// The parser could not make sense of this place.
        Syntax = "syntax",
        /// The parser supplied a token that is not there.
        Missing = "missing",
        /// A text was cut because it was too long to keep.
        Truncated = "truncated",
        /// A limit on the number of facts was reached; the rest of the file was left out.
        Limit = "limit",
        /// The usual parser gave up and another one was used.
        Fallback = "fallback",
    }
}

vocabulary! {
    /// By which rung of the ladder a name was linked. Later ones are less direct.
    How {
        /// By the scopes of the file.
        Scope = "scope",
        /// By an import.
        Import = "import",
        /// As what a declaration announces that the file includes.
        Declaration = "declaration",
        /// As a name of the same package, namespace or program.
        Package = "package",
        /// As a member of a type that is written down.
        Member = "member",
        /// As a member of a type that follows from other values.
        Inferred = "inferred",
        /// As the only one of that name in the program, which is no evidence: never more than a candidate.
        Only = "only",
        /// By whichever of these, in a branch that the usual system does not compile, or to one.
        Dormant = "dormant",
    }
}

impl How {
    /// How sure a link of this rung is.
    pub const fn confidence(self) -> Confidence {
        match self {
            Self::Scope | Self::Import | Self::Declaration | Self::Package | Self::Member => {
                Confidence::Certain
            }
            Self::Inferred => Confidence::Likely,
            Self::Only | Self::Dormant => Confidence::Possible,
        }
    }
}

vocabulary! {
    /// How often links of a rung are right, by measurement against compilers.
    Confidence {
        /// 98 of 100 or more.
        Certain = "certain",
        /// 95 of 100 or more.
        Likely = "likely",
        /// Less; not shown unless asked for.
        Possible = "possible",
    }
}

vocabulary! {
    /// What became of a reference.
    Outcome {
        Resolved = "resolved",
        /// A local name: a parameter, a variable.
        Local = "local",
        /// A module: a file, a namespace, a directory.
        Module = "module",
        /// One of several; which one is not decided.
        Ambiguous = "ambiguous",
        /// Outside of the project.
        External = "external",
        Unresolved = "unresolved",
    }
}

vocabulary! {
    /// Why a reference leads nowhere.
    Why {
        /// Nothing of that name can be seen from there.
        NotFound = "not_found",
        /// The type of what stands before the dot is not known.
        UnknownReceiver = "unknown_receiver",
        /// The type is known, and has no such member.
        NoSuchMember = "no_such_member",
        /// The module was not found.
        NoSuchModule = "no_such_module",
        /// Too deep, or going in circles.
        TooComplex = "too_complex",
    }
}

/// Declares a set of named bits.
macro_rules! flags {
    ($(#[$meta:meta])* $name:ident { $($(#[$fmeta:meta])* $flag:ident = $bit:literal, $word:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
        pub struct $name(pub u32);

        impl $name {
            $($(#[$fmeta])* pub const $flag: Self = Self(1 << $bit);)+
            /// Every flag with its word.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$flag, $word),)+];

            pub const fn has(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            pub fn set(&mut self, other: Self) {
                self.0 |= other.0;
            }

            pub fn words(self) -> impl Iterator<Item = &'static str> {
                Self::ALL.iter().filter(move |(flag, _)| self.has(*flag)).map(|(_, word)| *word)
            }

            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().find(|(_, known)| *known == word).map(|(flag, _)| *flag)
            }
        }
    };
}

flags! {
    /// What else is true of a symbol.
    SymbolFlags {
        ASYNC = 0, "async";
        STATIC = 1, "static";
        ABSTRACT = 2, "abstract";
        GENERATOR = 3, "generator";
        EXPORTED = 4, "exported";
        DEFAULT_EXPORT = 5, "default_export";
        DEPRECATED = 6, "deprecated";
        TEST = 7, "test";
        OPTIONAL = 8, "optional";
        READONLY = 9, "readonly";
        OVERRIDE = 10, "override";
        FINAL = 11, "final";
        UNSAFE = 12, "unsafe";
        EXTERN = 13, "extern";
        /// Announced here, defined elsewhere: a C prototype, an `extern` function.
        DECLARATION = 14, "declaration";
        /// A text of this symbol was too long and was cut.
        TRUNCATED = 15, "truncated";
        /// Contains markup (JSX) in its own body.
        MARKUP = 16, "markup";
        MUTABLE = 17, "mutable";
        /// Has its name only behind something else: C#'s `void ICloseable.Close()`, JavaScript's `exports.close = …`.
        EXPLICIT = 18, "explicit";
        /// In a branch of a conditional that the usual system does not compile.
        DORMANT = 19, "dormant";
    }
}

flags! {
    /// What else is true of a reference.
    ReferenceFlags {
        /// `new T()`, `T { … }`: the call makes a value of the named type.
        CONSTRUCT = 0, "construct";
        /// `a?.b()`.
        OPTIONAL_CHAIN = 1, "optional_chain";
        /// The name stands behind a receiver or a path, never alone.
        MEMBER = 2, "member";
        /// `a::b`: the receiver is a path, not a value.
        PATH = 3, "path";
        /// Type arguments stand behind the name, where types of one name may differ in them.
        GENERIC = 4, "generic";
        /// Of a parent: the type itself has its members, not its values. Ruby's `extend`.
        STATIC = 5, "static";
        /// In a branch that the usual system does not compile, of something that it does compile.
        DORMANT = 6, "dormant";
    }
}

flags! {
    /// How an import brings its name in.
    ImportFlags {
        WILDCARD = 0, "wildcard";
        TYPE_ONLY = 1, "type_only";
        DYNAMIC = 2, "dynamic";
        RE_EXPORT = 3, "re_export";
        STATIC = 4, "static";
        /// The whole module under one name: `import * as m`, Python's `import m`.
        NAMESPACE = 5, "namespace";
        /// The default export of the module.
        DEFAULT = 6, "default";
        /// For its effects only: `import "x"`, `require "x"`, `#include`.
        EFFECT = 7, "effect";
        /// Only files of this system are meant: `#include <x>`.
        SYSTEM = 8, "system";
        /// It holds in all files of its project: C#'s `global using`.
        SHARED = 9, "shared";
        /// A macro opens namespaces: those of its source under its alias, or, where it stands alone, those
        /// of its statement.
        OPENS = 10, "opens";
    }
}
