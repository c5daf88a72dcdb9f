//! Assignments: writes, and the definitions that are written as assignments.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use ::oxc_syntax::operator::AssignmentOperator;
use model::{LineType, NameId, Origin, Span, SymbolFlags, SymbolKind};

use super::collector::{Collector, Definition, NONE, Use, span};
use super::declarations::{FunctionValue, function_value};

impl Collector<'_> {
    pub(super) fn assignment(&mut self, it: &AssignmentExpression<'_>) -> Origin {
        if it.operator == AssignmentOperator::Assign {
            if let Some(origin) = self.commonjs_export(it) {
                return origin;
            }
            if let AssignmentTarget::StaticMemberExpression(member) = &it.left {
                if let Some(function) = function_value(&it.right)
                    && let Some(owner) = self.assigned_owner(&member.object)
                {
                    self.assigned_method(it, member, &function, owner);
                    return Origin::default();
                }
                if let Some(origin) = self.assigned_field(it, member) {
                    return origin;
                }
            }
        }
        self.write(&it.left);
        self.expression(&it.right)
    }

    /// The symbol that gets a method by `Name.method = …`, `Name.prototype.method = …`, or by
    /// `this.method = …` in the constructor of a class.
    fn assigned_owner(&self, object: &Expression<'_>) -> Option<u32> {
        match object {
            Expression::Identifier(it) => {
                let number = self.definitions[self.target(it)?.index()];
                (number != NONE).then_some(number)
            }
            Expression::StaticMemberExpression(it) if it.property.name.as_str() == "prototype" => {
                self.assigned_owner(&it.object)
            }
            Expression::ThisExpression(_) => self.class_under_construction(),
            _ => None,
        }
    }

    /// The class whose constructor is the innermost symbol.
    fn class_under_construction(&self) -> Option<u32> {
        let symbols = &self.builder.facts.symbols;
        let innermost = &symbols[*self.owners.last()? as usize];
        let class = self.classes.last()?.symbol;
        (innermost.kind == SymbolKind::Constructor && innermost.owner == class).then_some(class?)
    }

    fn assigned_method(
        &mut self,
        it: &AssignmentExpression<'_>,
        member: &StaticMemberExpression<'_>,
        function: &FunctionValue<'_, '_>,
        owner: u32,
    ) {
        self.expression(&member.object);
        let at = member.property.span;
        let name = self.name(member.property.name.as_str(), at.start, LineType::Method);
        let mut flags = function.flags();
        if matches!(member.object, Expression::Identifier(_)) {
            flags.set(SymbolFlags::STATIC);
        }
        let declared_type = self.return_type_text(function.return_type());
        let symbol = self.define_in(
            Some(owner),
            Definition {
                kind: SymbolKind::Method,
                name,
                name_span: span(at),
                span: span(it.span),
                signature: self.signature(it.span.start, function.signature_end()),
                body: function.body(),
                flags,
                visibility: None,
                declared_type,
            },
        );
        self.value_function(function, Some(symbol));
    }

    /// `this.name = …` in the constructor of a JavaScript class declares a field, the first time.
    fn assigned_field(
        &mut self,
        it: &AssignmentExpression<'_>,
        member: &StaticMemberExpression<'_>,
    ) -> Option<Origin> {
        if !self.source_type.is_javascript()
            || !matches!(member.object, Expression::ThisExpression(_))
        {
            return None;
        }
        let class = self.class_under_construction()?;
        let name = self.builder.intern(member.property.name.as_str());
        let members = &mut self.classes.last_mut()?.members;
        if members.contains(&name) {
            return None;
        }
        members.push(name);
        let at = member.property.span;
        self.builder.term(name, at.start, LineType::Property);
        let symbol = self.assigned_value(Some(class), SymbolKind::Field, name, span(at), it);
        let origin = self.expression(&it.right);
        self.set_origin(symbol, origin);
        Some(origin)
    }

    /// A symbol that an assignment defines; its literal is part of the signature.
    pub(super) fn assigned_value(
        &mut self,
        owner: Option<u32>,
        kind: SymbolKind,
        name: NameId,
        name_span: Span,
        it: &AssignmentExpression<'_>,
    ) -> u32 {
        let value = self.literal_text(&it.right);
        let end = if value.is_some() { it.right.span().end } else { it.left.span().end };
        let symbol = self.define_in(
            owner,
            Definition {
                kind,
                name,
                name_span,
                span: span(it.span),
                signature: self.signature(it.span.start, end),
                body: None,
                flags: SymbolFlags::default(),
                visibility: None,
                declared_type: None,
            },
        );
        if kind == SymbolKind::Const {
            self.symbol(symbol).value = value;
        }
        symbol
    }

    // Targets.

    pub(super) fn write(&mut self, it: &AssignmentTarget<'_>) {
        match it {
            AssignmentTarget::ArrayAssignmentTarget(it) => {
                for element in it.elements.iter().flatten() {
                    self.write_with_default(element);
                }
                it.rest.iter().for_each(|rest| self.write(&rest.target));
            }
            AssignmentTarget::ObjectAssignmentTarget(it) => {
                for property in &it.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                            self.use_identifier(&it.binding, Use::WRITE);
                            it.init.iter().for_each(|value| self.visit_expression(value));
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                            self.key(&it.name, LineType::Code);
                            self.write_with_default(&it.binding);
                        }
                    }
                }
                it.rest.iter().for_each(|rest| self.write(&rest.target));
            }
            other => {
                if let Some(target) = other.as_simple_assignment_target() {
                    self.write_simple(target);
                }
            }
        }
    }

    fn write_with_default(&mut self, it: &AssignmentTargetMaybeDefault<'_>) {
        match it {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(it) => {
                self.write(&it.binding);
                self.expression(&it.init);
            }
            other => {
                if let Some(target) = other.as_assignment_target() {
                    self.write(target);
                }
            }
        }
    }

    pub(super) fn write_simple(&mut self, it: &SimpleAssignmentTarget<'_>) {
        match it {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(it) => {
                self.use_identifier(it, Use::WRITE);
            }
            SimpleAssignmentTarget::StaticMemberExpression(it) => {
                self.static_member(it, Use::WRITE, false);
            }
            SimpleAssignmentTarget::ComputedMemberExpression(it) => {
                self.computed_member(it, Use::WRITE, false);
            }
            SimpleAssignmentTarget::PrivateFieldExpression(it) => {
                self.private_member(it, Use::WRITE, false);
            }
            SimpleAssignmentTarget::TSNonNullExpression(it) => {
                self.count_unchecked();
                self.expression(&it.expression);
            }
            other => self.visit_simple_assignment_target(other),
        }
    }
}
