//! Modules as values: `module.exports` itself, and what is loaded where no variable takes it.

use ::oxc_ast::ast::*;
use model::{Base, Origin, Step};

use super::collector::Collector;
use super::commonjs::{Exported, exported, root};
use super::declarations::bare;

impl Collector<'_> {
    /// The value of a module that no variable takes: it goes by where it comes from.
    pub(super) fn module_value(&mut self, source: &StringLiteral<'_>) -> Origin {
        let name = self.builder.intern(source.value.as_str());
        Origin { base: Base::Local(name), step: Step::Same }
    }

    /// Whether it is `module.exports`.
    pub(super) fn is_own_module(&self, it: &StaticMemberExpression<'_>) -> bool {
        matches!(exported(it), Some(Exported::Module(_)))
            && root(&it.object).is_some_and(|root| self.is_global(root))
    }

    /// What this module exports, as a value.
    pub(super) fn own_module(&mut self) -> Origin {
        let name = self.builder.intern("exports");
        Origin { base: Base::Local(name), step: Step::Same }
    }

    /// Whether an expression is the object of exports itself: `module.exports`, `exports`.
    fn is_exports(&self, it: &Expression<'_>) -> bool {
        match bare(it) {
            Expression::Identifier(it) => it.name == "exports" && self.is_global(it),
            Expression::StaticMemberExpression(it) => self.is_own_module(it),
            _ => false,
        }
    }

    /// `const own = module.exports`: what is assigned to members of the variable is exported.
    pub(super) fn names_own_module(&mut self, id: &BindingIdentifier<'_>, init: &Expression<'_>) {
        if self.scope == 0
            && self.is_exports(init)
            && let Some(symbol) = id.symbol_id.get()
        {
            self.own_modules.insert(symbol);
        }
    }

    /// The function or class in `const name = module.exports = function () {}`.
    pub(super) fn whole_module<'t, 'a>(
        &self,
        it: &'t Expression<'a>,
    ) -> Option<&'t Expression<'a>> {
        let Expression::AssignmentExpression(it) = bare(it) else { return None };
        let is_ours = it.operator == AssignmentOperator::Assign
            && self.scope == 0
            && match &it.left {
                AssignmentTarget::AssignmentTargetIdentifier(left) => {
                    left.name == "exports" && self.is_global(left)
                }
                AssignmentTarget::StaticMemberExpression(left) => self.is_own_module(left),
                _ => false,
            };
        match bare(&it.right) {
            _ if !is_ours => None,
            Expression::AssignmentExpression(_) => self.whole_module(&it.right),
            _ => Some(&it.right),
        }
    }
}
