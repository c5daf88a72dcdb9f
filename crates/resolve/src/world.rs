//! All files of a project, as linking sees them.

use std::rc::Rc;

use languages::Language;
use model::NameId;

use crate::interface::Interface;
use crate::settings::Settings;

/// A file by number; numbers are small and without gaps.
pub type File = u32;

/// A symbol of the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolRef {
    pub file: File,
    pub symbol: u32,
}

/// What linking asks of the project. Names are those of the whole project.
pub trait World {
    fn interface(&self, file: File) -> &Interface;
    fn language(&self, file: File) -> &Language;
    /// From the root of the project, with `/`.
    fn path(&self, file: File) -> &str;
    fn file_at(&self, path: &str) -> Option<File>;
    /// Files that lie directly in a directory, in the order of their paths.
    fn files_in(&self, directory: &str) -> Rc<[File]>;
    fn has_directory(&self, directory: &str) -> bool;
    /// Files whose path ends with this part, in the order of their paths.
    fn files_called(&self, last: &str) -> Rc<[File]>;
    /// Symbols of that name at the top level of files or inside namespaces.
    fn named(&self, name: NameId) -> Rc<[SymbolRef]>;
    /// All definitions of that name, at whatever place.
    fn definitions(&self, name: NameId) -> Rc<[SymbolRef]>;
    /// Implementations, extensions and members that add to a type of that name from outside.
    fn additions(&self, name: NameId) -> Rc<[SymbolRef]>;
    /// Members of a symbol that stand in it, in order.
    fn members(&self, owner: SymbolRef, name: NameId) -> Rc<[SymbolRef]>;
    /// Whether files declare this namespace, or one inside of it. Parts are joined by dots.
    fn has_namespace(&self, namespace: &str) -> bool;
    /// The namespace a top-level symbol stands in, with dots.
    fn namespace(&self, symbol: SymbolRef) -> NameId;
    /// Imports that hold in all files of their project, by file and number.
    fn shared_imports(&self) -> Rc<[(File, u32)]>;
    fn settings(&self) -> &Settings;
    fn text(&self, name: NameId) -> Rc<str>;
    /// The number of a text; a new one if it has none yet.
    fn intern(&self, text: &str) -> NameId;
}
