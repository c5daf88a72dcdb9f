//! What metrics count: branches, loops, jumps, and how deep they nest.
//!
//! Cyclomatic complexity counts decisions. Cognitive complexity follows the rules of SonarSource:
//! a structure costs one, and one more for each structure around it; `else` and labels cost one; a
//! run of the same logical operator costs one.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use ::oxc_syntax::operator::{BinaryOperator, LogicalOperator};
use model::{
    Base, Binding, BindingKind, LiteralKind, NameId, Origin, Scope, ScopeKind, Span, Step,
};

use super::collector::{Collector, Frame, UNKNOWN, then};
use super::expressions::literal;
use super::patterns::Target;

impl Collector<'_> {
    /// A value that the function at hand returns. The first one that says a type counts.
    pub(super) fn returned(&mut self, it: &Expression<'_>) {
        let origin = self.expression(it);
        let Some(symbol) = self.returning else { return };
        let says_nothing = |origin: Origin| {
            matches!(origin.base, Base::None | Base::Unknown | Base::Literal(LiteralKind::Null))
        };
        if says_nothing(self.symbol(symbol).origin)
            && !matches!(origin.base, Base::None | Base::Unknown)
        {
            self.set_origin(symbol, origin);
        }
    }

    pub(super) fn open_frame(&mut self, symbol: u32) {
        self.frames.push(Frame { symbol, ..Frame::default() });
    }

    pub(super) fn close_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let mut metrics = frame.metrics;
        metrics.cyclomatic = 1 + metrics.branches + metrics.loops;
        self.symbol(frame.symbol).metrics = Some(metrics);
    }

    pub(super) fn count_branch(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.metrics.branches += 1;
        }
    }

    /// A structure that costs more the deeper it stands.
    pub(super) fn count_nesting(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.metrics.cognitive += 1 + frame.nesting;
        }
    }

    fn count_flat(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.metrics.cognitive += 1;
        }
    }

    pub(super) fn count_loop(&mut self) {
        self.count_nesting();
        if let Some(frame) = self.frames.last_mut() {
            frame.metrics.loops += 1;
        }
    }

    pub(super) fn count_return(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.metrics.returns += 1;
        }
    }

    pub(super) fn count_jump(&mut self, label: Option<&LabelIdentifier<'_>>) {
        self.count_return();
        if let Some(label) = label {
            self.count_flat();
            self.visit_label_identifier(label);
        }
    }

    pub(super) fn count_unchecked(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.metrics.unchecked_calls += 1;
        }
    }

    /// Calls that assert: by their own name, or as `assert.equal(…)` and `expect.soft(…)`. Other
    /// members of `expect` only make matchers.
    pub(super) fn count_assertion(&mut self, reference: u32, callee: &Expression<'_>) {
        if self.frames.is_empty() {
            return;
        }
        let name = self.builder.facts.references[reference as usize].name;
        let receivers = &self.builder.language.table.metrics.assertion_receivers;
        let by_receiver = match callee {
            Expression::StaticMemberExpression(member) => match &member.object {
                Expression::Identifier(object) => match object.name.as_str() {
                    "expect" => matches!(member.property.name.as_str(), "soft" | "poll"),
                    name => receivers.iter().any(|known| known == name),
                },
                _ => false,
            },
            _ => false,
        };
        if (by_receiver || self.is_assertion(name))
            && let Some(frame) = self.frames.last_mut()
        {
            frame.metrics.assertions += 1;
        }
    }

    fn is_assertion(&mut self, name: model::NameId) -> bool {
        let index = name.0 as usize;
        if self.assertions.len() <= index {
            self.assertions.resize(index + 1, 0);
        }
        if self.assertions[index] == 0 {
            let text = self.builder.facts.names.get(name);
            let yes = self.builder.language.assertions.is_match(text);
            self.assertions[index] = 1 + u8::from(yes);
        }
        self.assertions[index] == 2
    }

    /// Visits what a structure holds, one level deeper.
    pub(super) fn nested(&mut self, visit: impl FnOnce(&mut Self)) {
        if let Some(frame) = self.frames.last_mut() {
            frame.nesting += 1;
            frame.metrics.max_nesting = frame.metrics.max_nesting.max(frame.nesting);
        }
        visit(self);
        if let Some(frame) = self.frames.last_mut() {
            frame.nesting -= 1;
        }
    }

    /// Visits the inside of a function that is no symbol: what it holds nests deeper, but a function
    /// by itself is no depth.
    pub(super) fn inside_closure(&mut self, visit: impl FnOnce(&mut Self)) {
        if let Some(frame) = self.frames.last_mut() {
            frame.nesting += 1;
        }
        visit(self);
        if let Some(frame) = self.frames.last_mut() {
            frame.nesting -= 1;
        }
    }

    pub(super) fn if_statement(&mut self, it: &IfStatement<'_>, is_else_if: bool) {
        self.count_branch();
        if is_else_if {
            self.count_flat();
        } else {
            self.count_nesting();
        }
        self.expression(&it.test);
        let before = self.scope;
        self.narrow(&it.test, it.consequent.span());
        self.nested(|this| this.visit_statement(&it.consequent));
        self.scope = before;
        match &it.alternate {
            Some(Statement::IfStatement(next)) => self.if_statement(next, true),
            Some(other) => {
                self.count_flat();
                self.nested(|this| this.visit_statement(other));
            }
            None => {}
        }
    }

    /// Where a test holds, a local name has the type that the test asks for: `if (x instanceof Y)`.
    fn narrow(&mut self, test: &Expression<'_>, holds: ::oxc_span::Span) {
        match test {
            Expression::ParenthesizedExpression(inner) => self.narrow(&inner.expression, holds),
            Expression::LogicalExpression(both) if both.operator == LogicalOperator::And => {
                self.narrow(&both.left, holds);
                self.narrow(&both.right, holds);
            }
            Expression::BinaryExpression(asks) if asks.operator == BinaryOperator::Instanceof => {
                let Expression::Identifier(tested) = &asks.left else { return };
                let is_local =
                    self.target(tested).is_some_and(|target| self.locals[target.index()]);
                let is_name = matches!(
                    asks.right,
                    Expression::Identifier(_) | Expression::StaticMemberExpression(_)
                );
                if is_local && is_name {
                    let declared_type = self.type_text(asks.right.span());
                    self.bind_narrowed(tested, declared_type, holds);
                }
            }
            _ => {}
        }
    }

    fn bind_narrowed(
        &mut self,
        tested: &IdentifierReference<'_>,
        declared_type: NameId,
        holds: ::oxc_span::Span,
    ) {
        let facts = &mut self.builder.facts;
        let number = facts.scopes.len() as u32;
        let parent = Some(self.scope);
        facts.scopes.push(Scope {
            kind: ScopeKind::Block,
            parent,
            span: Span::new(holds.start, holds.end),
            symbol: None,
        });
        self.scope = number;
        let name = self.builder.intern(tested.name.as_str());
        self.builder.facts.bindings.push(Binding {
            name,
            kind: BindingKind::Pattern,
            scope: number,
            start: tested.span.start,
            declared_type: Some(declared_type),
            origin: Origin::default(),
            symbol: None,
            optional: false,
            variadic: false,
        });
    }

    pub(super) fn for_statement(&mut self, it: &ForStatement<'_>) {
        self.count_loop();
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, None);
        match &it.init {
            Some(ForStatementInit::VariableDeclaration(declaration)) => {
                self.variables(declaration, true);
            }
            Some(other) => self.visit_for_statement_init(other),
            None => {}
        }
        for expression in [&it.test, &it.update].into_iter().flatten() {
            self.expression(expression);
        }
        self.nested(|this| this.visit_statement(&it.body));
        self.scope = before;
    }

    pub(super) fn for_in_statement(&mut self, it: &ForInStatement<'_>) {
        self.count_loop();
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, None);
        self.expression(&it.right);
        self.loop_variable(&it.left, literal(LiteralKind::String));
        self.nested(|this| this.visit_statement(&it.body));
        self.scope = before;
    }

    pub(super) fn for_of_statement(&mut self, it: &ForOfStatement<'_>) {
        self.count_loop();
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, None);
        let origin = self.expression(&it.right);
        self.loop_variable(&it.left, then(origin, Step::Element));
        self.nested(|this| this.visit_statement(&it.body));
        self.scope = before;
    }

    fn loop_variable(&mut self, it: &ForStatementLeft<'_>, origin: Origin) {
        match it {
            ForStatementLeft::VariableDeclaration(declaration) => {
                for declarator in &declaration.declarations {
                    self.bind(&declarator.id, Target::local(BindingKind::Pattern), origin);
                }
            }
            other => {
                if let Some(target) = other.as_assignment_target() {
                    self.write(target);
                }
            }
        }
    }

    pub(super) fn switch_statement(&mut self, it: &SwitchStatement<'_>) {
        self.count_nesting();
        self.expression(&it.discriminant);
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, None);
        self.nested(|this| {
            for case in &it.cases {
                if let Some(test) = &case.test {
                    this.count_branch();
                    this.expression(test);
                }
                this.visit_statements(&case.consequent);
            }
        });
        self.scope = before;
    }

    pub(super) fn catch_clause(&mut self, it: &CatchClause<'_>) {
        self.count_branch();
        self.count_nesting();
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, None);
        // oxc binds the parameter in the scope of the body.
        self.open_scope(ScopeKind::Block, &it.body.scope_id, it.span, None);
        if let Some(parameter) = &it.param {
            let declared_type = self.declared_type(parameter.type_annotation.as_deref());
            let target = Target { declared_type, ..Target::local(BindingKind::Pattern) };
            self.bind(&parameter.pattern, target, Origin::default());
        }
        self.nested(|this| this.visit_statements(&it.body.body));
        self.scope = before;
    }

    /// Visits a run of logical operators from left to right and counts where the operator changes.
    /// Returns the operator that came last and the origin of the value.
    pub(super) fn logical_sequence(
        &mut self,
        it: &LogicalExpression<'_>,
        before: Option<LogicalOperator>,
    ) -> (Option<LogicalOperator>, Origin) {
        self.count_branch();
        let (before, left) = self.logical_operand(&it.left, before);
        if before != Some(it.operator) {
            self.count_flat();
        }
        let (last, right) = self.logical_operand(&it.right, Some(it.operator));
        let origin = match (it.operator, left.base, right.base) {
            (LogicalOperator::And, ..) => right,
            // A fallback has the type of what it replaces.
            (_, Base::Reference(_) | Base::Type(_), _) => left,
            (_, _, Base::None | Base::Unknown) => UNKNOWN,
            _ => right,
        };
        (last, origin)
    }

    fn logical_operand(
        &mut self,
        it: &Expression<'_>,
        before: Option<LogicalOperator>,
    ) -> (Option<LogicalOperator>, Origin) {
        match it {
            Expression::LogicalExpression(it) => self.logical_sequence(it, before),
            Expression::ParenthesizedExpression(it) => self.logical_operand(&it.expression, before),
            other => (before, self.expression(other)),
        }
    }
}
