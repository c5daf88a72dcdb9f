//! JSX: an element with a capital name is a call of its component.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use model::{Base, LineType, Origin, Role, SymbolFlags, SymbolKind};

use super::collector::{Collector, Use, value_of};

impl Collector<'_> {
    pub(super) fn element(&mut self, it: &JSXElement<'_>) {
        self.mark_markup();
        self.element_name(&it.opening_element.name);
        if let Some(arguments) = &it.opening_element.type_arguments {
            self.visit_ts_type_parameter_instantiation(arguments);
        }
        it.opening_element.attributes.iter().for_each(|it| self.visit_jsx_attribute_item(it));
        it.children.iter().for_each(|child| self.visit_jsx_child(child));
        if let Some(closing) = &it.closing_element {
            self.closing_name(&closing.name);
        }
    }

    /// The symbol around it contains markup; so does the class of a method that does.
    pub(super) fn mark_markup(&mut self) {
        let Some(number) = self.owners.last().copied() else { return };
        let symbol = self.symbol(number);
        symbol.flags.set(SymbolFlags::MARKUP);
        if let Some(owner) = symbol.owner {
            let owner = self.symbol(owner);
            if owner.kind == SymbolKind::Class {
                owner.flags.set(SymbolFlags::MARKUP);
            }
        }
    }

    fn element_name(&mut self, it: &JSXElementName<'_>) {
        match it {
            JSXElementName::IdentifierReference(it) => {
                self.use_identifier(it, Use::of(Role::Call));
            }
            JSXElementName::MemberExpression(it) => {
                self.member_name(it, Use::of(Role::Call));
            }
            other => self.visit_jsx_element_name(other),
        }
    }

    fn member_name(&mut self, it: &JSXMemberExpression<'_>, used_as: Use) -> u32 {
        let receiver = match &it.object {
            JSXMemberExpressionObject::IdentifierReference(it) => {
                value_of(self.use_identifier(it, Use::READ))
            }
            JSXMemberExpressionObject::MemberExpression(it) => {
                value_of(self.member_name(it, Use::READ))
            }
            JSXMemberExpressionObject::ThisExpression(_) => {
                Origin { base: Base::This, ..Origin::default() }
            }
        };
        let start = it.property.span.start;
        let name = self.name(it.property.name.as_str(), start, LineType::Code);
        self.use_member(name, start, used_as, receiver)
    }

    /// The closing tag repeats a name; it is no second use.
    fn closing_name(&mut self, it: &JSXElementName<'_>) {
        match it {
            JSXElementName::IdentifierReference(it) => {
                self.name(it.name.as_str(), it.span.start, LineType::Code);
            }
            JSXElementName::MemberExpression(it) => self.closing_member(it),
            other => self.visit_jsx_element_name(other),
        }
    }

    fn closing_member(&mut self, it: &JSXMemberExpression<'_>) {
        match &it.object {
            JSXMemberExpressionObject::IdentifierReference(it) => {
                self.name(it.name.as_str(), it.span.start, LineType::Code);
            }
            JSXMemberExpressionObject::MemberExpression(it) => self.closing_member(it),
            JSXMemberExpressionObject::ThisExpression(_) => {}
        }
        self.visit_jsx_identifier(&it.property);
    }
}
