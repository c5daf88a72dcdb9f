//! Who means whom: facts of many files in, links between them out.
//!
//! It does no I/O and knows no database, so that it can be tested with a few files in a string. Start at
//! [`interface`], what a file is to the others, and [`Linker::link`], which finds out what every
//! reference of a file means. [`World`] is all that linking asks of the project.
//!
//! Nothing is linked because it has the right name. What stands before a dot must have a type that is
//! known, and a bare name must be visible from where it stands: by scope, by import, by package.

mod access;
mod closures;
mod companions;
mod compiled;
mod digest;
mod expression;
mod extensions;
mod interface;
mod lexical;
mod link;
mod linker;
mod members;
mod memory;
mod modules;
mod overloads;
mod pack;
mod parts;
mod rename;
mod settings;
mod sides;
mod spaces;
mod types;
mod typing;
mod value;
mod world;

pub use digest::{Digest, add_digest, dotted, namespaces};
pub use expression::{Expression, ExpressionId, Expressions};
pub use interface::{Definition, Exported, Imported, Interface, adds_to, interface};
pub use lexical::{Body, Texts};
pub use link::{FileLinks, Outcome};
pub use linker::Linker;
pub use memory::{Interner, Memory};
pub use pack::{pack, unpack};
pub use rename::to_project;
pub use settings::{Alias, Ecosystem, Package, Settings, is_manifest};
pub use spaces::declared_namespaces;
pub use value::{How, Module, Type, Value, Why};
pub use world::{File, SymbolRef, World};
