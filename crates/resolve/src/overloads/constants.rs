//! Whether a method is called on an object that nobody may change.

use crate::expression::{Expression, ExpressionId};
use crate::linker::Linker;
use crate::overloads::Passed;
use crate::value::Value;
use crate::world::{File, SymbolRef, World};

impl<W: World> Linker<'_, W> {
    /// Whether the object of a call is constant, where that decides which definition is meant.
    pub(super) fn on_constant(&mut self, left: &[SymbolRef], passed: Passed<'_>) -> Option<bool> {
        self.rules(passed.file).constant_methods.as_ref()?;
        let is_constant =
            |symbol: &SymbolRef| self.definition(*symbol).is_some_and(|it| it.is_constant());
        let first = is_constant(left.first()?);
        if left.iter().all(|symbol| is_constant(symbol) == first) {
            return None;
        }
        let (mut callee, around) = passed.callee?;
        loop {
            match self.expression_at(passed.file, callee) {
                Expression::Generic(inner) => callee = inner,
                Expression::Member(object, _) => {
                    return self.is_constant(passed.file, object, around, 0);
                }
                // A member of the object at hand.
                Expression::Inherited(..) => return around,
                _ => return None,
            }
        }
    }

    /// Whether nobody may change a value, as far as it is written.
    fn is_constant(
        &mut self,
        file: File,
        id: ExpressionId,
        around: Option<bool>,
        depth: u32,
    ) -> Option<bool> {
        if depth > 8 {
            return None;
        }
        match self.expression_at(file, id) {
            Expression::Constant(_) => Some(true),
            Expression::This(_) | Expression::New(_) => Some(false),
            Expression::Instance(of_type) => {
                Some(matches!(self.expression_at(file, of_type), Expression::Constant(_)))
            }
            // What a constant object holds is constant, what it points to is not: nothing tells which.
            Expression::Member(object, _) => match self.is_held_constant(file, id, depth)? {
                true => Some(true),
                false => self.is_constant(file, object, around, depth + 1).filter(|it| !it),
            },
            Expression::Inherited(..) => match self.is_held_constant(file, id, depth)? {
                true => Some(true),
                false => around.filter(|it| !it),
            },
            Expression::Symbol(_) | Expression::Symbols(_) | Expression::Name(..) => {
                self.is_held_constant(file, id, depth)
            }
            Expression::Call(callee, count, known) => {
                let Value::Symbols(symbols, receiver) = self.evaluate(file, callee).value else {
                    return None;
                };
                let callee = Some((callee, around));
                let passed = Passed { file, count, known: &known, callee };
                let chosen =
                    self.deeper(|this| this.select(&symbols, receiver.as_ref(), passed))?;
                let [only] = *chosen else { return None };
                self.is_written_constant(only, depth)
            }
            _ => None,
        }
    }

    /// The same of the variable or field that a name means.
    fn is_held_constant(&mut self, file: File, id: ExpressionId, depth: u32) -> Option<bool> {
        let Value::Symbols(symbols, _) = self.evaluate(file, id).value else { return None };
        let [only] = *symbols else { return None };
        self.is_written_constant(only, depth)
    }

    /// The same of what a symbol is a value of, or returns.
    fn is_written_constant(&mut self, symbol: SymbolRef, depth: u32) -> Option<bool> {
        let definition = self.definition(symbol)?;
        self.is_constant(symbol.file, definition.value, None, depth + 1)
    }
}
