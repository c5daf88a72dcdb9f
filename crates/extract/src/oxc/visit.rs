//! Which node adds what: the way of the pass through the tree.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::{Visit, walk};
use ::oxc_syntax::scope::ScopeFlags;
use model::{LineType, Role, ScopeKind, Span};

use super::collector::{Collector, Use, span};

impl<'a> Visit<'a> for Collector<'_> {
    // Words.

    fn visit_identifier_name(&mut self, it: &IdentifierName<'a>) {
        self.name(it.name.as_str(), it.span.start, LineType::Code);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.use_identifier(it, Use::READ);
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.name(it.name.as_str(), it.span.start, LineType::Code);
    }

    fn visit_label_identifier(&mut self, it: &LabelIdentifier<'a>) {
        self.name(it.name.as_str(), it.span.start, LineType::Code);
    }

    fn visit_private_identifier(&mut self, it: &PrivateIdentifier<'a>) {
        self.name(it.name.as_str(), it.span.start + 1, LineType::Code);
    }

    fn visit_ts_index_signature_name(&mut self, it: &TSIndexSignatureName<'a>) {
        self.name(it.name.as_str(), it.span.start, LineType::Code);
        self.visit_ts_type_annotation(&it.type_annotation);
    }

    fn visit_jsx_identifier(&mut self, it: &JSXIdentifier<'a>) {
        self.name(it.name.as_str(), it.span.start, LineType::Code);
    }

    fn visit_string_literal(&mut self, it: &StringLiteral<'a>) {
        self.builder.string(inside_quotes(it.span));
    }

    fn visit_template_element(&mut self, it: &TemplateElement<'a>) {
        self.builder.string(span(it.span));
    }

    fn visit_jsx_text(&mut self, it: &JSXText<'a>) {
        self.builder.string(span(it.span));
    }

    // Expressions and markup.

    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.expression(it);
    }

    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        self.property(it);
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.decorator(it);
    }

    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        self.element(it);
    }

    fn visit_jsx_fragment(&mut self, it: &JSXFragment<'a>) {
        self.mark_markup();
        walk::walk_jsx_fragment(self, it);
    }

    // Declarations. Expressions that look like them are met in `expression`.

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        self.variables(it, false);
    }

    fn visit_function(&mut self, it: &Function<'a>, _: ScopeFlags) {
        self.function_declaration(it);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.class_declaration(it);
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        self.type_alias(it);
    }

    fn visit_ts_interface_declaration(&mut self, it: &TSInterfaceDeclaration<'a>) {
        self.interface(it);
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        self.enumeration(it);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        self.namespace(it);
    }

    fn visit_ts_external_module_declaration(&mut self, it: &TSExternalModuleDeclaration<'a>) {
        self.external_module(it);
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        self.global_declaration(it);
    }

    // Modules.

    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        self.import(it);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.import_equals(it);
    }

    fn visit_export_declaration(&mut self, it: &ExportDeclaration<'a>) {
        self.export_declaration(it);
    }

    fn visit_export_named_declaration(&mut self, it: &ExportNamedDeclaration<'a>) {
        self.export_names(it);
    }

    fn visit_export_from_declaration(&mut self, it: &ExportFromDeclaration<'a>) {
        self.export_from(it);
    }

    fn visit_export_all_declaration(&mut self, it: &ExportAllDeclaration<'a>) {
        self.export_all(it);
    }

    fn visit_export_default_declaration(&mut self, it: &ExportDefaultDeclaration<'a>) {
        self.export_default(it);
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.export_assignment(it);
    }

    // Types.

    fn visit_ts_type_reference(&mut self, it: &TSTypeReference<'a>) {
        self.type_name(&it.type_name, Role::Type);
        if let Some(arguments) = &it.type_arguments {
            self.visit_ts_type_parameter_instantiation(arguments);
        }
    }

    fn visit_ts_class_implements(&mut self, it: &TSClassImplements<'a>) {
        self.type_name(&it.expression, Role::Implements);
        if let Some(arguments) = &it.type_arguments {
            self.visit_ts_type_parameter_instantiation(arguments);
        }
    }

    fn visit_ts_interface_heritage(&mut self, it: &TSInterfaceHeritage<'a>) {
        self.type_name(&it.type_name, Role::Extends);
        if let Some(arguments) = &it.type_arguments {
            self.visit_ts_type_parameter_instantiation(arguments);
        }
    }

    fn visit_ts_type_query(&mut self, it: &TSTypeQuery<'a>) {
        self.type_query(it);
    }

    fn visit_ts_import_type(&mut self, it: &TSImportType<'a>) {
        self.import_type(it);
    }

    fn visit_ts_type_parameter(&mut self, it: &TSTypeParameter<'a>) {
        self.type_parameter(it);
    }

    fn visit_ts_function_type(&mut self, it: &TSFunctionType<'a>) {
        self.join_scope(&it.scope_id);
        walk::walk_ts_function_type(self, it);
    }

    fn visit_ts_constructor_type(&mut self, it: &TSConstructorType<'a>) {
        self.join_scope(&it.scope_id);
        walk::walk_ts_constructor_type(self, it);
    }

    fn visit_ts_conditional_type(&mut self, it: &TSConditionalType<'a>) {
        self.join_scope(&it.scope_id);
        walk::walk_ts_conditional_type(self, it);
    }

    fn visit_ts_mapped_type(&mut self, it: &TSMappedType<'a>) {
        self.mapped_type(it);
    }

    fn visit_ts_call_signature_declaration(&mut self, it: &TSCallSignatureDeclaration<'a>) {
        self.join_scope(&it.scope_id);
        walk::walk_ts_call_signature_declaration(self, it);
    }

    fn visit_ts_construct_signature_declaration(
        &mut self,
        it: &TSConstructSignatureDeclaration<'a>,
    ) {
        self.join_scope(&it.scope_id);
        walk::walk_ts_construct_signature_declaration(self, it);
    }

    fn visit_ts_method_signature(&mut self, it: &TSMethodSignature<'a>) {
        self.join_scope(&it.scope_id);
        walk::walk_ts_method_signature(self, it);
    }

    // Statements that bind names or count towards metrics.

    fn visit_block_statement(&mut self, it: &BlockStatement<'a>) {
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, None);
        self.visit_statements(&it.body);
        self.scope = before;
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, None);
        self.visit_statements(&it.body);
        self.scope = before;
    }

    fn visit_with_statement(&mut self, it: &WithStatement<'a>) {
        self.join_scope(&it.scope_id);
        walk::walk_with_statement(self, it);
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        if !self.effect_import(it) {
            self.expression(&it.expression);
        }
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        self.if_statement(it, false);
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.count_loop();
        self.expression(&it.test);
        self.nested(|this| this.visit_statement(&it.body));
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.count_loop();
        self.nested(|this| this.visit_statement(&it.body));
        self.expression(&it.test);
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.for_statement(it);
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.for_in_statement(it);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.for_of_statement(it);
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        self.switch_statement(it);
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        self.catch_clause(it);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        self.count_return();
        it.argument.iter().for_each(|value| self.returned(value));
    }

    fn visit_throw_statement(&mut self, it: &ThrowStatement<'a>) {
        self.count_return();
        walk::walk_throw_statement(self, it);
    }

    fn visit_break_statement(&mut self, it: &BreakStatement<'a>) {
        self.count_jump(it.label.as_ref());
    }

    fn visit_continue_statement(&mut self, it: &ContinueStatement<'a>) {
        self.count_jump(it.label.as_ref());
    }
}

impl Collector<'_> {
    /// `@name`, `@name(…)`, `@path.name(…)`.
    pub(super) fn decorator(&mut self, it: &Decorator<'_>) {
        let used_as = Use::of(Role::Decorate);
        match &it.expression {
            Expression::CallExpression(call) => {
                let arguments = Some(super::calls::count(&call.arguments));
                self.callee(&call.callee, Use { arguments, ..used_as });
                self.call_arguments(call.type_arguments.as_deref(), &call.arguments);
            }
            other => {
                self.callee(other, used_as);
            }
        }
    }
}

/// The text of a string literal without its quotes.
pub(super) fn inside_quotes(at: ::oxc_span::Span) -> Span {
    Span::new(at.start + 1, at.end.saturating_sub(1).max(at.start + 1))
}
