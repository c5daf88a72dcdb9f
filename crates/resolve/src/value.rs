//! What an expression turns out to mean.

use std::rc::Rc;

pub use model::{How, Why};

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
    /// A type without a name, with what its parts are.
    Object(Vec<(NameId, Rc<Type>)>),
}

pub(crate) fn unknown_type() -> Rc<Type> {
    Rc::new(Type::Unknown)
}

impl Type {
    /// The types that one of several is one of.
    pub(crate) fn listed(&self) -> &[Rc<Type>] {
        match self {
            Self::Union(all) => all,
            _ => &[],
        }
    }
}

/// A value, and how sure it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Meaning {
    pub value: Value,
    pub how: How,
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
