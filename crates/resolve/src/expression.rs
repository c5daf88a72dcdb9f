//! What a value or a type is, as far as one file says it.
//!
//! Facts name the origin of a value by the reference it comes from, and types by their text. Both
//! become expressions: small trees over names, symbols and imports of the file, which mean something
//! only together with other files. Nothing local is left in them: a variable stands for what it was
//! initialised with. So other files can use those of a file without knowing its bodies.

use model::{LiteralKind, NameId};

/// A place in [`Expressions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpressionId(pub u32);

impl ExpressionId {
    pub const UNKNOWN: Self = Self(0);
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expression {
    Unknown,
    Literal(LiteralKind),
    /// A name that the file does not explain, and the innermost symbol around it that may have members.
    Name(NameId, Option<u32>),
    /// A name that means a member of this symbol if it has one, and the other otherwise.
    Inherited(u32, NameId, ExpressionId),
    /// The same where only a type can be meant.
    InheritedType(u32, NameId, ExpressionId),
    Symbol(u32),
    /// Definitions of one name.
    Symbols(Box<[u32]>),
    /// What the import of that number brings.
    Import(u32),
    Member(ExpressionId, NameId),
    /// What a call of it returns, with so many arguments, of which some are known.
    Call(ExpressionId, Option<u16>, Box<[ExpressionId]>),
    /// A new value of that type.
    New(ExpressionId),
    /// Of several definitions, those that have type parameters.
    Generic(ExpressionId),
    /// The type of that value.
    TypeOf(ExpressionId),
    /// The same, and nobody may change it: a type that is written so, or an object in a method that is.
    Constant(ExpressionId),
    /// A value of that type.
    Instance(ExpressionId),
    /// The object at hand in members of that symbol.
    This(u32),
    /// The same as its parent type.
    Super(u32),
    /// The type that a symbol extends.
    Parent(u32),
    Awaited(ExpressionId),
    Element(ExpressionId),
    Unwrapped(ExpressionId),
    Entered(ExpressionId),
    /// Of a call: what the function that is passed at the first position gets at the second.
    Given(ExpressionId, u8, u8),
    /// A function without a name, with so many parameters.
    Closure(u8),
    Position(ExpressionId, u8),
    /// A generic type with its arguments; a container without a name has an unknown type.
    Apply(ExpressionId, Box<[ExpressionId]>),
    Tuple(Box<[ExpressionId]>),
    /// A function that returns that type.
    Function(ExpressionId),
    /// One of several types.
    Union(Box<[ExpressionId]>),
    /// A type without a name, with what its parts are.
    Object(Box<[(NameId, ExpressionId)]>),
    /// The type parameter of a symbol, by position, with its bound.
    Parameter(u32, u8, ExpressionId),
}

/// Expressions by number. The first is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expressions {
    all: Vec<Expression>,
}

impl Default for Expressions {
    fn default() -> Self {
        Self { all: vec![Expression::Unknown] }
    }
}

impl Expressions {
    pub fn push(&mut self, expression: Expression) -> ExpressionId {
        match expression {
            Expression::Unknown => ExpressionId::UNKNOWN,
            other => {
                self.all.push(other);
                ExpressionId(self.all.len() as u32 - 1)
            }
        }
    }

    pub fn get(&self, id: ExpressionId) -> &Expression {
        self.all.get(id.0 as usize).unwrap_or(&Expression::Unknown)
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.len() == 1
    }

    pub fn iter(&self) -> impl Iterator<Item = &Expression> {
        self.all.iter()
    }
}
