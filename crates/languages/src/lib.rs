//! The languages Groma knows, each a folder of data under `languages/`.
//!
//! A folder holds `language.toml` (facts that patterns cannot say, see [`Table`]) and three files of
//! patterns: `symbols.scm` (what a file defines), `references.scm` (what it uses) and `scopes.scm`
//! (which names are only local). They are checked against the grammar when the language is first
//! used: an unknown key, capture, field or node kind is an error that lists the legal ones.
//!
//! Start at [`Registry`], then [`Language`]. [`pattern`] compiles the patterns.

mod language;
pub mod pattern;
mod registry;
mod table;

pub use language::{KindFlags, Language, LoadError, Modifier, Rooted, decorator_name};
pub use registry::{Definition, Registry, extractor};
pub use table::*;
