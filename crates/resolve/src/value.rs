//! What an expression turns out to mean.

use std::rc::Rc;

use model::NameId;

use crate::world::{File, SymbolRef};

/// The meaning of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Unknown(Why),
    /// Something outside of the project; the name of what brings it, as far as that is known.
    External(Option<NameId>),
    Module(Module),
    /// Definitions of one name, and the type through which they were reached.
    Symbols(Rc<[SymbolRef]>, Option<Rc<Type>>),
    /// A type itself.
    Type(Rc<Type>),
    /// A value of a type.
    Instance(Rc<Type>),
}

/// Why nothing is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// Nothing of that name can be seen from there.
    NotFound,
    /// The type of what stands before the dot is not known.
    UnknownReceiver,
    /// The type is known, and has no such member.
    NoSuchMember,
    /// The module was not found.
    NoSuchModule,
    /// Too deep, or going in circles.
    TooComplex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Module {
    File(File),
    /// A module inside a file.
    Inner(SymbolRef),
    /// By name, with dots.
    Namespace(NameId),
    /// All files of a directory.
    Directory(NameId),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    Unknown,
    /// A type outside of the project, or one without a name, with its arguments.
    External(Option<NameId>, Vec<Rc<Type>>),
    Named(SymbolRef, Vec<Rc<Type>>),
    /// A type parameter of a symbol, with its bound.
    Parameter(SymbolRef, u8, Rc<Type>),
    Tuple(Vec<Rc<Type>>),
    Function(Rc<Type>),
    Union(Vec<Rc<Type>>),
}

/// A value, and how sure it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub value: Value,
    pub how: How,
}

/// By which rung of the ladder a name was linked. Later ones are less direct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// By the scopes of the file.
    Scope,
    /// By an import.
    Import,
    /// As a name of the same package, namespace or program.
    Package,
    /// As a member of a type that is written down.
    Member,
    /// As a member of a type that follows from other values.
    Inferred,
    /// As the only one of that name that the file can see.
    Only,
}

impl Meaning {
    pub(crate) fn unknown(why: Why) -> Self {
        Self { value: Value::Unknown(why), how: How::Scope }
    }

    pub(crate) fn external(name: Option<NameId>) -> Self {
        Self { value: Value::External(name), how: How::Scope }
    }

    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self.value, Value::Unknown(_))
    }
}
