//! `language.toml`, typed. Every value with a choice is a named strategy implemented once.

mod measures;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

pub use measures::{Conditions, MetricsTable};
pub use tokens::{Reading, TokensTable};

/// The facts of a language that patterns cannot say.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Table {
    /// As people write it: `C++`.
    pub name: String,
    /// File name globs.
    #[serde(default)]
    pub files: Vec<String>,
    /// Programs a `#!` line may name.
    #[serde(default)]
    pub interpreters: Vec<String>,
    /// Files that another language has by name, but that are of this one by their text.
    pub contested: Option<Contested>,
    /// Which parser reads the files.
    #[serde(default)]
    pub parser: Parser,
    /// Takes its patterns, and every key it does not set itself, from that language's folder.
    pub inherits: Option<String>,
    /// Stands between an owner and its member in a qualified name.
    #[serde(default = "dot")]
    pub separator: String,
    /// Stands between the parts of a module path; the separator unless said.
    pub path_separator: Option<String>,
    #[serde(default)]
    pub comments: Comments,
    #[serde(default)]
    pub docs: Docs,
    #[serde(default)]
    pub visibility: VisibilityTable,
    /// Words before a symbol's name and what they mean: a visibility or a flag.
    #[serde(default)]
    pub modifiers: BTreeMap<String, String>,
    /// Decorators and what they make of a symbol: a visibility, a flag or a kind.
    #[serde(default)]
    pub decorators: BTreeMap<String, String>,
    /// Names of methods that construct; `$type` for the name of the type itself.
    #[serde(default)]
    pub constructors: Vec<String>,
    /// Names that mean the object at hand.
    #[serde(default)]
    pub this: Vec<String>,
    /// Names that mean the object at hand as its parent type.
    #[serde(default, rename = "super")]
    pub super_names: Vec<String>,
    #[serde(default)]
    pub tests: Tests,
    /// Decorators that mark a symbol as deprecated.
    #[serde(default)]
    pub deprecated: Vec<String>,
    #[serde(default)]
    pub nodes: Nodes,
    #[serde(default)]
    pub metrics: MetricsTable,
    /// Words that are no terms, besides those the grammar itself knows.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// How a name is linked to what it means.
    #[serde(default)]
    pub linking: Linking,
    /// What is done about text that the grammar cannot read.
    pub recovery: Option<RecoveryStrategy>,
    /// What conditionals ask for, and what the usual system answers.
    #[serde(default)]
    pub conditions: Conditions,
    /// Tokens that the grammar leaves unread, such as the arguments of macros, and how to read them.
    pub tokens: Option<TokensTable>,
    /// What an assignment inside a function does to a name that is not declared there.
    #[serde(default)]
    pub assignments: Assignments,
    /// What is known not to work, for the documentation.
    #[serde(default)]
    pub limits: Vec<String>,
}

fn dot() -> String {
    ".".to_owned()
}

/// What names of a language may mean, as far as that differs between languages.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Linking {
    /// How imports are led to files.
    #[serde(default)]
    pub modules: ModuleSystem,
    /// What links are found by, for the documentation.
    #[serde(default)]
    pub follows: Vec<String>,
    /// What is known not to be linked, for the documentation.
    #[serde(default)]
    pub limits: Vec<String>,
    /// Languages with the same word see each other's symbols; a language's own id unless said.
    pub family: Option<String>,
    /// A bare name inside a type may mean a member of it, or one it inherits.
    #[serde(default)]
    pub implicit_members: bool,
    /// Variables and functions have names apart: a call never means a variable.
    #[serde(default)]
    pub calls_apart: bool,
    /// A name that means what the file itself exports, unless it is bound.
    pub own_module: Option<String>,
    /// The member of a value that is its class: `this.constructor`, `self.__class__`.
    pub class_member: Option<String>,
    /// A parameter that takes any number of values is written with the type of one, and is a list inside.
    #[serde(default)]
    pub rest_is_list: bool,
    /// A type may have a field and a method of one name, which are told apart by whether they are called.
    #[serde(default)]
    pub fields_apart: bool,
    /// A name in the place of a type never means a value: `struct pair *pair`.
    #[serde(default)]
    pub types_apart: bool,
    /// The body of a class is code that runs, and sees what it has defined before.
    #[serde(default)]
    pub bodies_run: bool,
    /// `T()` makes a value of type T.
    #[serde(default)]
    pub calls_construct: bool,
    /// A type implements an interface by having its methods, without saying so.
    #[serde(default)]
    pub structural_interfaces: bool,
    /// A name may stand for several definitions that differ in their parameters.
    #[serde(default)]
    pub overloads: bool,
    /// A call that depends on what a template is given is decided where the template is used.
    #[serde(default)]
    pub late_templates: bool,
    /// What the signature of a method has that leaves its object as it is. One of two methods that differ
    /// in nothing else is for objects that nobody may change.
    pub constant_methods: Option<String>,
    /// What the type of such an object begins with.
    pub constant_types: Option<String>,
    /// Arguments fit parameters by number and by type, and nothing converts them that types do not tell.
    #[serde(default)]
    pub strict_calls: bool,
    /// Types from outside that functions are passed for.
    #[serde(default)]
    pub function_types: BTreeSet<String>,
    /// Of those, the ones whose arguments tell what the functions get: how many stand behind that.
    #[serde(default)]
    pub function_results: BTreeMap<String, u8>,
    /// Types from outside that hold a function of their first argument.
    #[serde(default)]
    pub function_wrappers: Vec<String>,
    /// Methods of types from outside that give each element to the function they are passed.
    #[serde(default)]
    pub gives_elements: Vec<String>,
    /// Methods of types from outside that take an element.
    #[serde(default)]
    pub takes_elements: Vec<String>,
    /// The types that methods of types outside return, where all methods of that name do.
    #[serde(default)]
    pub results: BTreeMap<String, String>,
    /// The types of literals, by the kind of the literal.
    #[serde(default)]
    pub literals: BTreeMap<String, String>,
    /// Types from outside of which all is known that their values can be passed for, the nearest first.
    #[serde(default)]
    pub conversions: BTreeMap<String, Vec<String>>,
    /// Those of them that may stand for a pointer too: a zero.
    #[serde(default)]
    pub number_types: BTreeSet<String>,
    /// Members that a type has if its values have elements; an index calls the first. Where there are
    /// such, what has an index without them is a pointer or an array.
    #[serde(default)]
    pub element_members: Vec<String>,
    /// A member whose result has the members that a value is asked for and has not itself.
    pub pointer_member: Option<String>,
    /// Types inside of types with arguments that are used like the last of these: `list<T>::iterator`.
    #[serde(default)]
    pub element_types: Vec<String>,
    /// Parts of values of types outside, by what they are: `pair.second`.
    #[serde(default)]
    pub parts: BTreeMap<String, MethodResult>,
    /// Types from outside, or modules of them, whose values give what they hold to whoever enters them.
    #[serde(default)]
    pub entered: Vec<String>,
    /// The type inside of a type that says what a wait for a value of it gives.
    pub awaited_member: Option<String>,
    /// Types that every value can be passed for.
    #[serde(default)]
    pub tops: BTreeSet<String>,
    /// Types that have no null.
    #[serde(default)]
    pub never_null: BTreeSet<String>,
    /// Types with two names, and the one that is used here.
    #[serde(default)]
    pub other_names: BTreeMap<String, String>,
    /// The name of the member by which a type converts values without being asked.
    pub implicit_conversions: Option<String>,
    /// Functions whose receiver stands among their parameters are called like members of its type.
    #[serde(default)]
    pub extension_methods: bool,
    /// Members of types from outside, with their types, or with `()` behind the name what they return; `$1`
    /// stands for the first argument of the type.
    #[serde(default)]
    pub members: BTreeMap<String, BTreeMap<String, String>>,
    /// A member may have its name only as that of an interface, which is written before it.
    #[serde(default)]
    pub explicit_members: bool,
    /// Types from outside, and what else their values are; there may be more. `[]` is a list without a
    /// name. Functions that add to one of those add to them.
    #[serde(default)]
    pub parents: BTreeMap<String, Vec<String>>,
    /// A name for a type stands for functions that return it: C#'s delegates.
    #[serde(default)]
    pub delegates: bool,
    /// A later definition of a name replaces one before it; otherwise only one of them is compiled.
    #[serde(default)]
    pub later_replaces: bool,
    /// A type may be defined in several places, which together are one.
    #[serde(default)]
    pub reopened_types: bool,
    /// A type and its values have different members, and a name in small letters is always a member of
    /// the object at hand; modules are types that are mixed in.
    #[serde(default)]
    pub separate_static: bool,
    /// A type without a constructor has that of its parent.
    #[serde(default)]
    pub inherited_constructors: bool,
    /// Whoever calls a value calls this member of it.
    pub applied: Option<String>,
    /// The name of an object inside of a type that has the members that the type itself has.
    pub companion: Option<String>,
    /// Members that are added to a type from outside are seen where they are imported.
    #[serde(default)]
    pub imported_extensions: bool,
    /// A function without arguments is called by its bare name.
    #[serde(default)]
    pub bare_calls: bool,
    /// Names of the namespaces around a namespace can be seen from it.
    #[serde(default)]
    pub nested_namespaces: bool,
    /// Everything a file imports can be imported from it.
    #[serde(default)]
    pub imports_are_members: bool,
    /// Only what a file says that it exports can be imported from it.
    #[serde(default)]
    pub explicit_exports: bool,
    /// Endings of files that an import may leave out, in the order in which they are tried.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// Endings that are written where one of `extensions` is meant: `./a.js` for `a.ts`.
    #[serde(default)]
    pub written_extensions: Vec<String>,
    /// Names the language itself brings: functions, types, constants. In order once it is loaded.
    #[serde(default)]
    pub builtins: Vec<String>,
    /// Modules the language itself brings, by their first part.
    #[serde(default)]
    pub standard_modules: Vec<String>,
    /// Types that have the members of their first argument: `Box<T>`.
    #[serde(default)]
    pub transparent: Vec<String>,
    /// Types that stand for one of their arguments: `Union[A, B]`.
    #[serde(default)]
    pub unions: Vec<String>,
    /// Types whose values are types: `Type[A]`.
    #[serde(default)]
    pub metatypes: Vec<String>,
    /// Types of which a value is awaited or unwrapped to their first argument: `Promise<T>`, `Option<T>`.
    #[serde(default)]
    pub wrappers: Vec<String>,
    /// Words in types that say nothing of members: `None`, `null`.
    #[serde(default)]
    pub nothing: Vec<String>,
    /// What methods of types outside of the project return, as far as it follows from the receiver.
    #[serde(default)]
    pub methods: BTreeMap<String, MethodResult>,
}

impl Linking {
    /// Whether the language itself brings a name.
    pub fn is_builtin(&self, name: &str) -> bool {
        self.builtins.binary_search_by(|word| word.as_str().cmp(name)).is_ok()
    }
}

/// How a module system leads from an import to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModuleSystem {
    /// Imports lead nowhere.
    #[default]
    None,
    /// Paths from the importing file, packages by manifests: JavaScript.
    Paths,
    /// Dotted paths to files below a few roots: Python.
    DottedFiles,
    /// A tree of modules per crate: Rust.
    Crates,
    /// A directory is a package: Go.
    Directories,
    /// Files declare their package or namespace: Java, C#, PHP.
    Namespaces,
    /// Texts are included: C.
    Includes,
    /// All files see each other: Swift, Ruby.
    Whole,
}

/// What a method returns, seen from its receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MethodResult {
    /// The receiver, or one like it.
    Same,
    /// One of its elements; what it wraps.
    Element,
    /// The last of what it is made of: the value behind a key.
    Last,
}

/// A `.h` file is C, unless it speaks C++.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Contested {
    pub files: Vec<String>,
    /// Beginnings of lines that only this language has.
    pub line_starts: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Parser {
    #[default]
    TreeSitter,
    /// JavaScript and TypeScript; the tree-sitter grammar where it gives up.
    Oxc,
    /// CSS; the tree-sitter grammar where it gives up.
    Lightningcss,
    /// Markdown.
    PulldownCmark,
    /// No structure: words, markers and suppressions only.
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assignments {
    /// It makes a local variable.
    #[default]
    Local,
    /// It writes the variable of the file, as in shells. Only definitions rooted at a wrapper declare
    /// local names, and the first assignment outside functions defines the variable.
    Global,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecoveryStrategy {
    /// Macros and conditionals of C that hide a definition are blanked for the parser.
    CPreprocessor,
    /// Conditionals that cut statements in two are blanked, all of their branches but one.
    Conditionals,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Comments {
    #[serde(default)]
    pub line: Vec<String>,
    #[serde(default)]
    pub block: Vec<[String; 2]>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Docs {
    #[serde(default)]
    pub place: DocsPlace,
    /// How a comment must begin to be documentation; empty if any comment is.
    #[serde(default)]
    pub markers: Vec<String>,
    /// How a comment begins that documents what it stands in: Rust's `//!`.
    #[serde(default)]
    pub inner_markers: Vec<String>,
    /// How a comment begins that speaks to tools, not to people: Go's `//go:build`.
    #[serde(default)]
    pub directives: Vec<String>,
    /// How tags of the documentation say types.
    pub types: Option<DocTypes>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DocTypes {
    /// `@param Type $name`
    Plain,
    /// `@param {Type} name`
    Braces,
    /// `@param name [Type]`
    Brackets,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DocsPlace {
    /// In comments right above the definition.
    #[default]
    Above,
    /// In a string or comment that opens the body; a `@docstring` pattern finds it.
    Inside,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct VisibilityTable {
    #[serde(default)]
    pub strategy: VisibilityStrategy,
    /// Where nothing is said.
    pub default: Option<String>,
    /// The default for members of a kind of owner: `interface = "public"`.
    #[serde(default)]
    pub members: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VisibilityStrategy {
    /// Modifiers say it; also `@visibility` sections such as C++'s `public:`.
    #[default]
    Keyword,
    /// A capital first letter is public.
    Capitalized,
    /// A leading underscore is private, but `__name__` is public.
    Underscore,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Tests {
    /// File name globs, matched against the path from the project's root.
    #[serde(default)]
    pub files: Vec<String>,
    /// Of these, the ones that a runner looks for tests in, by their names without directories; all, where
    /// none are said.
    #[serde(default)]
    pub collected: Vec<String>,
    /// Globs for names of test functions.
    #[serde(default)]
    pub symbols: Vec<String>,
    /// Whether `symbols` counts only in test files.
    #[serde(default)]
    pub symbols_in_test_files_only: bool,
    /// Globs for decorators that make a symbol a test.
    #[serde(default)]
    pub decorators: Vec<String>,
    /// Names of files that all tests beside and below them load by themselves.
    #[serde(default)]
    pub shared: Vec<String>,
    /// Directory beside a manifest in which tests run the programs of the package.
    #[serde(default)]
    pub programs_run_by: Option<String>,
    /// How tests are run; the first that fits.
    #[serde(default)]
    pub run: Vec<TestRunner>,
}

/// How the tests of a file are run.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TestRunner {
    /// Name of a file, or glob, that must stand beside or above the test; the command is run there.
    #[serde(default)]
    pub manifest: Option<String>,
    /// What that file must contain.
    #[serde(default)]
    pub contains: Option<String>,
    /// `{files}` are the paths of tests, `{directories}` theirs with `./` before, `{names}` the names of the
    /// files without their ending, joined by commas, and `{package}` what the manifest says is its name.
    pub command: String,
}

/// Node kinds by what they are. A name with no letters is a token.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Nodes {
    /// Leaves whose text is a term.
    #[serde(default)]
    pub identifiers: Vec<String>,
    #[serde(default)]
    pub comments: Vec<String>,
    /// Text of string literals; not looked into. Where strings hold code, list their pieces.
    #[serde(default)]
    pub strings: Vec<String>,
    /// Text with words that may hold code too, and is looked into.
    #[serde(default)]
    pub texts: Vec<String>,
    /// A definition directly inside one of these begins where the wrapper begins.
    #[serde(default)]
    pub wrappers: Vec<String>,
    /// What is defined directly inside one of these is no member of the type around it: C++'s `friend`.
    #[serde(default)]
    pub friends: Vec<String>,
    /// Looked through when a pattern names the child of a field: C's `*` and `&` declarators.
    #[serde(default)]
    pub see_through: Vec<String>,
    /// Not looked into, and without words: tables of numbers, embedded data.
    #[serde(default)]
    pub opaque: Vec<String>,
    /// Markup inside code, as in JSX.
    #[serde(default)]
    pub markup: Vec<String>,
}
