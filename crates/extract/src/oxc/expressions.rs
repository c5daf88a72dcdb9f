//! Expressions: the names they use, and where their values come from.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::{Visit, walk};
use ::oxc_span::GetSpan;
use ::oxc_syntax::operator::{BinaryOperator, UnaryOperator};
use model::{Base, LineType, LiteralKind, Origin, ReferenceFlags, Step};

use super::collector::{Collector, UNKNOWN, Use, span, then, value_of};
use super::visit::inside_quotes;

pub(super) const fn literal(kind: LiteralKind) -> Origin {
    Origin { base: Base::Literal(kind), step: Step::Same }
}

impl Collector<'_> {
    /// Visits an expression and says where its value comes from.
    pub(super) fn expression(&mut self, it: &Expression<'_>) -> Origin {
        match it {
            Expression::Identifier(it) => self.identifier(it),
            Expression::StaticMemberExpression(it) => {
                let member = value_of(self.static_member(it, Use::READ, false));
                if self.is_own_module(it) { self.own_module() } else { member }
            }
            Expression::CallExpression(it) => self.call(it),
            Expression::StringLiteral(it) => {
                self.visit_string_literal(it);
                literal(LiteralKind::String)
            }
            Expression::ThisExpression(_) => Origin { base: Base::This, step: Step::Same },
            Expression::Super(_) => Origin { base: Base::Super, step: Step::Same },
            Expression::ArrowFunctionExpression(it) => {
                self.arrow(it, None);
                literal(LiteralKind::Function)
            }
            Expression::FunctionExpression(it) => {
                self.function_expression(it);
                literal(LiteralKind::Function)
            }
            Expression::ClassExpression(it) => {
                self.class_expression(it);
                UNKNOWN
            }
            Expression::ObjectExpression(it) => {
                self.visit_object_property_kinds(&it.properties);
                literal(LiteralKind::Map)
            }
            Expression::ArrayExpression(it) => {
                self.visit_array_expression_elements(&it.elements);
                literal(LiteralKind::List)
            }
            Expression::NewExpression(it) => self.construct(it),
            Expression::ComputedMemberExpression(it) => self.computed_member(it, Use::READ, false),
            Expression::PrivateFieldExpression(it) => {
                value_of(self.private_member(it, Use::READ, false))
            }
            Expression::ChainExpression(it) => self.chain(&it.expression),
            Expression::AssignmentExpression(it) => self.assignment(it),
            Expression::UpdateExpression(it) => {
                self.write_simple(&it.argument);
                literal(LiteralKind::Number)
            }
            Expression::LogicalExpression(it) => self.logical(it),
            Expression::ConditionalExpression(it) => self.conditional(it),
            Expression::ParenthesizedExpression(it) => self.parenthesised(it),
            Expression::AwaitExpression(it) => then(self.expression(&it.argument), Step::Awaited),
            Expression::TSNonNullExpression(it) => self.non_null(it),
            _ => self.rarer_expression(it),
        }
    }

    fn rarer_expression(&mut self, it: &Expression<'_>) -> Origin {
        match it {
            Expression::BooleanLiteral(_) => literal(LiteralKind::Boolean),
            Expression::NullLiteral(_) => literal(LiteralKind::Null),
            Expression::NumericLiteral(_) | Expression::BigIntLiteral(_) => {
                literal(LiteralKind::Number)
            }
            Expression::RegExpLiteral(_) => literal(LiteralKind::Regex),
            Expression::TemplateLiteral(it) => {
                self.template(it);
                literal(LiteralKind::String)
            }
            Expression::TaggedTemplateExpression(it) => self.tagged_template(it),
            Expression::BinaryExpression(it) => self.binary(it),
            Expression::UnaryExpression(it) => self.unary(it),
            Expression::SequenceExpression(it) => {
                it.expressions.iter().fold(UNKNOWN, |_, each| self.expression(each))
            }
            Expression::ImportExpression(it) => {
                self.dynamic_import(it, None);
                match &it.source {
                    Expression::StringLiteral(source) => self.module_value(source),
                    _ => UNKNOWN,
                }
            }
            Expression::TSAsExpression(it) => self.cast(&it.expression, &it.type_annotation),
            Expression::TSTypeAssertion(it) => self.cast(&it.expression, &it.type_annotation),
            Expression::TSSatisfiesExpression(it) => {
                let origin = self.expression(&it.expression);
                self.visit_ts_type(&it.type_annotation);
                origin
            }
            Expression::TSInstantiationExpression(it) => {
                let origin = self.expression(&it.expression);
                self.visit_ts_type_parameter_instantiation(&it.type_arguments);
                origin
            }
            other => {
                walk::walk_expression(self, other);
                UNKNOWN
            }
        }
    }

    fn identifier(&mut self, it: &IdentifierReference<'_>) -> Origin {
        // Words of the language that its grammar takes for names.
        let word = match it.name.as_str() {
            "undefined" => Some(LiteralKind::Null),
            "arguments" => Some(LiteralKind::List),
            _ => None,
        };
        if let Some(kind) = word
            && self.is_global(it)
        {
            return literal(kind);
        }
        value_of(self.use_identifier(it, Use::READ))
    }

    /// `a.name`. A call behind it may be the optional one.
    pub(super) fn static_member(
        &mut self,
        it: &StaticMemberExpression<'_>,
        used_as: Use,
        is_optional: bool,
    ) -> u32 {
        let receiver = self.expression(&it.object);
        let start = it.property.span.start;
        let name = self.name(it.property.name.as_str(), start, LineType::Code);
        let used_as = used_as.with(ReferenceFlags::OPTIONAL_CHAIN, it.optional || is_optional);
        self.use_member(name, start, used_as, receiver)
    }

    /// `a.#name`; the sign is part of the name, because `name` may be another member.
    pub(super) fn private_member(
        &mut self,
        it: &PrivateFieldExpression<'_>,
        used_as: Use,
        is_optional: bool,
    ) -> u32 {
        let receiver = self.expression(&it.object);
        let name = self.private_name(&it.field, LineType::Code);
        let used_as = used_as.with(ReferenceFlags::OPTIONAL_CHAIN, it.optional || is_optional);
        self.use_member(name, it.field.span.start, used_as, receiver)
    }

    /// `a["name"]` is `a.name`; any other index gives an element.
    pub(super) fn computed_member(
        &mut self,
        it: &ComputedMemberExpression<'_>,
        used_as: Use,
        is_optional: bool,
    ) -> Origin {
        let receiver = self.expression(&it.object);
        if let Expression::StringLiteral(key) = &it.expression {
            self.visit_string_literal(key);
            let text = self.builder.text(inside_quotes(key.span));
            // A key with escapes is not written as it is called.
            if !text.is_empty() && text == key.value.as_str() {
                let name = self.builder.intern(text);
                let used_as =
                    used_as.with(ReferenceFlags::OPTIONAL_CHAIN, it.optional || is_optional);
                let start = inside_quotes(key.span).start;
                return value_of(self.use_member(name, start, used_as, receiver));
            }
        } else {
            self.expression(&it.expression);
        }
        then(receiver, Step::Element)
    }

    pub(super) fn chain(&mut self, it: &ChainElement<'_>) -> Origin {
        match it {
            ChainElement::CallExpression(it) => self.call(it),
            ChainElement::TSNonNullExpression(it) => self.non_null(it),
            ChainElement::StaticMemberExpression(it) => {
                value_of(self.static_member(it, Use::READ, false))
            }
            ChainElement::ComputedMemberExpression(it) => {
                self.computed_member(it, Use::READ, false)
            }
            ChainElement::PrivateFieldExpression(it) => {
                value_of(self.private_member(it, Use::READ, false))
            }
        }
    }

    fn non_null(&mut self, it: &TSNonNullExpression<'_>) -> Origin {
        self.count_unchecked();
        then(self.expression(&it.expression), Step::Unwrapped)
    }

    /// `(value)`, or `/** @type {Type} */ (value)`.
    fn parenthesised(&mut self, it: &ParenthesizedExpression<'_>) -> Origin {
        let origin = self.expression(&it.expression);
        match self.documented_type(it.span.start) {
            Some(name) => Origin { base: Base::Type(name), step: Step::Same },
            None => origin,
        }
    }

    /// `value as Type`.
    fn cast(&mut self, value: &Expression<'_>, written: &TSType<'_>) -> Origin {
        let origin = self.expression(value);
        self.cast_type(written).unwrap_or(origin)
    }

    /// What a cast says of its value; `as const` says nothing new.
    pub(super) fn cast_type(&mut self, written: &TSType<'_>) -> Option<Origin> {
        if super::declarations::is_const_assertion(written) {
            return None;
        }
        self.visit_ts_type(written);
        Some(match written {
            TSType::TSAnyKeyword(_) | TSType::TSUnknownKeyword(_) => UNKNOWN,
            _ => Origin { base: Base::Type(self.type_text(written.span())), step: Step::Same },
        })
    }

    pub(super) fn template(&mut self, it: &TemplateLiteral<'_>) {
        for (index, quasi) in it.quasis.iter().enumerate() {
            self.visit_template_element(quasi);
            if let Some(expression) = it.expressions.get(index) {
                self.expression(expression);
            }
        }
    }

    fn logical(&mut self, it: &LogicalExpression<'_>) -> Origin {
        self.logical_sequence(it, None).1
    }

    fn conditional(&mut self, it: &ConditionalExpression<'_>) -> Origin {
        self.count_branch();
        self.count_nesting();
        self.expression(&it.test);
        let mut origins = (UNKNOWN, UNKNOWN);
        self.nested(|this| {
            origins = (this.expression(&it.consequent), this.expression(&it.alternate));
        });
        let null = literal(LiteralKind::Null);
        match origins {
            (one, other) if one == other => one,
            (one, other) if other == null => one,
            (one, other) if one == null => other,
            // `isTable(it) ? it : find(it)`: what is tested is one if the test says so, what is made of
            // it otherwise is always one.
            (_, other) if other != UNKNOWN && self.tests(&it.test, &it.consequent) => other,
            (one, _) if one != UNKNOWN && self.tests(&it.test, &it.alternate) => one,
            _ => UNKNOWN,
        }
    }

    /// Whether a test looks at the very name that an expression is.
    fn tests(&self, test: &Expression<'_>, it: &Expression<'_>) -> bool {
        if !matches!(it, Expression::Identifier(_) | Expression::StaticMemberExpression(_)) {
            return false;
        }
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let name = self.builder.text(span(it.span()));
        let test = self.builder.text(span(test.span()));
        test.match_indices(name).any(|(at, _)| {
            !test[..at].ends_with(is_part) && !test[at + name.len()..].starts_with(is_part)
        })
    }

    fn binary(&mut self, it: &BinaryExpression<'_>) -> Origin {
        let left = self.expression(&it.left);
        let right = self.expression(&it.right);
        let string = literal(LiteralKind::String);
        match it.operator {
            BinaryOperator::Addition if left == string || right == string => string,
            BinaryOperator::Addition => UNKNOWN,
            operator if operator.is_arithmetic() || operator.is_bitwise() => {
                literal(LiteralKind::Number)
            }
            _ => literal(LiteralKind::Boolean),
        }
    }

    fn unary(&mut self, it: &UnaryExpression<'_>) -> Origin {
        self.expression(&it.argument);
        literal(match it.operator {
            UnaryOperator::LogicalNot | UnaryOperator::Delete => LiteralKind::Boolean,
            UnaryOperator::Typeof => LiteralKind::String,
            UnaryOperator::Void => LiteralKind::Null,
            _ => LiteralKind::Number,
        })
    }

    /// A property of an object that is no symbol.
    pub(super) fn property(&mut self, it: &ObjectProperty<'_>) {
        if it.shorthand {
            // The key and the value are the same word.
            self.expression(&it.value);
        } else {
            self.key(&it.key, LineType::Code);
            match &it.value {
                Expression::FunctionExpression(function) => self.function(function, None),
                value => {
                    self.expression(value);
                }
            }
        }
    }
}
