//! Types: the names they use, and the declarations of interfaces, aliases, enums and namespaces.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use model::{
    BindingKind, ImportFlags, LineType, NameId, Origin, Role, ScopeKind, Span, SymbolFlags,
    SymbolKind, TypePosition,
};

use super::collector::{Collector, Definition, Use, span, value_of};
use super::declarations::flags;
use super::patterns::Target;
use super::visit::inside_quotes;

impl Collector<'_> {
    /// Visits types that stand at a place of a declaration. A type inside another one stands where
    /// the outer one stands; types of functions that are no symbols stand nowhere.
    pub(super) fn in_position(
        &mut self,
        position: TypePosition,
        of_symbol: bool,
        visit: impl FnOnce(&mut Self),
    ) {
        let before = self.position;
        if !of_symbol {
            self.position = TypePosition::Other;
        } else if before == TypePosition::Other {
            self.position = position;
        }
        visit(self);
        self.position = before;
    }

    /// The declared type of a value: its uses and its text.
    pub(super) fn declared_type(&mut self, it: Option<&TSTypeAnnotation<'_>>) -> Option<NameId> {
        let it = it?;
        self.in_position(TypePosition::Declared, true, |this| this.visit_ts_type_annotation(it));
        Some(self.type_text(it.type_annotation.span()))
    }

    /// `Name`, `namespace.Name`.
    pub(super) fn type_name(&mut self, it: &TSTypeName<'_>, role: Role) -> Option<u32> {
        match it {
            TSTypeName::IdentifierReference(it) => Some(self.use_identifier(it, Use::of(role))),
            TSTypeName::QualifiedName(it) => {
                let receiver = match &it.left {
                    TSTypeName::ThisExpression(_) => {
                        Origin { base: model::Base::This, ..Origin::default() }
                    }
                    left => self.type_name(left, Role::Read).map_or_else(Origin::default, value_of),
                };
                let start = it.right.span.start;
                let name = self.name(it.right.name.as_str(), start, LineType::Code);
                Some(self.use_member(name, start, Use::of(role), receiver))
            }
            TSTypeName::ThisExpression(_) => None,
        }
    }

    pub(super) fn type_query(&mut self, it: &TSTypeQuery<'_>) {
        match &it.expr_name {
            TSTypeQueryExprName::TSImportType(it) => self.import_type(it),
            other => {
                if let Some(name) = other.as_ts_type_name() {
                    self.type_name(name, Role::Read);
                }
            }
        }
        if let Some(arguments) = &it.type_arguments {
            self.visit_ts_type_parameter_instantiation(arguments);
        }
    }

    /// `import("module").Name`.
    pub(super) fn import_type(&mut self, it: &TSImportType<'_>) {
        self.visit_string_literal(&it.source);
        let mut flags = ImportFlags::DYNAMIC;
        flags.set(ImportFlags::TYPE_ONLY);
        let name = it.qualifier.as_ref().map(|it| self.qualifier(it));
        self.push_import(&it.source, name, None, flags, it.span, it.source.span.start);
        if let Some(arguments) = &it.type_arguments {
            self.visit_ts_type_parameter_instantiation(arguments);
        }
    }

    /// The first name of a path into a module; the last one is a use of a type.
    fn qualifier(&mut self, it: &TSImportTypeQualifier<'_>) -> NameId {
        match it {
            TSImportTypeQualifier::Identifier(it) => {
                let name = self.name(it.name.as_str(), it.span.start, LineType::Code);
                self.reference(name, it.span.start, Use::of(Role::Type), Origin::default());
                name
            }
            TSImportTypeQualifier::QualifiedName(it) => {
                let first = self.qualifier(&it.left);
                let receiver = value_of(self.builder.facts.references.len() as u32 - 1);
                let name = self.name(it.right.name.as_str(), it.right.span.start, LineType::Code);
                self.use_member(name, it.right.span.start, Use::of(Role::Type), receiver);
                first
            }
        }
    }

    pub(super) fn type_parameter(&mut self, it: &TSTypeParameter<'_>) {
        let constraint = it.constraint.as_ref().map(|it| self.type_text(it.span()));
        let target =
            Target { declared_type: constraint, ..Target::local(BindingKind::TypeParameter) };
        self.bind_name(&it.name, target, Origin::default());
        for written in [&it.constraint, &it.default].into_iter().flatten() {
            self.visit_ts_type(written);
        }
    }

    pub(super) fn mapped_type(&mut self, it: &TSMappedType<'_>) {
        self.join_scope(&it.scope_id);
        self.bind_name(&it.key, Target::local(BindingKind::TypeParameter), Origin::default());
        self.visit_ts_type(&it.constraint);
        for written in [&it.name_type, &it.type_annotation].into_iter().flatten() {
            self.visit_ts_type(written);
        }
    }

    // Declarations.

    pub(super) fn type_alias(&mut self, it: &TSTypeAliasDeclaration<'_>) {
        // An object type says what it is by its members, not by its text.
        let end = match &it.type_annotation {
            TSType::TSTypeLiteral(literal) => literal.span.start,
            _ => it.span.end,
        };
        let symbol = self.type_declaration(SymbolKind::TypeAlias, &it.id, it.span, end, it.declare);
        if matches!(&it.type_annotation, TSType::TSTypeLiteral(_)) {
            self.symbol(symbol).body = Some(span(it.type_annotation.span()));
        }
        self.owners.push(symbol);
        let before = self.open_scope(ScopeKind::Type, &it.scope_id, it.span, Some(symbol));
        if let Some(parameters) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(parameters);
        }
        self.alias_type(&it.type_annotation);
        self.scope = before;
        self.owners.pop();
    }

    /// The members of an object type belong to the alias.
    fn alias_type(&mut self, it: &TSType<'_>) {
        match it {
            TSType::TSTypeLiteral(literal) => self.signatures(&literal.members),
            TSType::TSIntersectionType(it) => it.types.iter().for_each(|it| self.alias_type(it)),
            TSType::TSParenthesizedType(it) => self.alias_type(&it.type_annotation),
            other => self.visit_ts_type(other),
        }
    }

    pub(super) fn interface(&mut self, it: &TSInterfaceDeclaration<'_>) {
        let end = it.body.span.start;
        let symbol = self.type_declaration(SymbolKind::Interface, &it.id, it.span, end, it.declare);
        self.symbol(symbol).body = Some(span(it.body.span));
        self.owners.push(symbol);
        let before = self.open_scope(ScopeKind::Type, &it.scope_id, it.span, Some(symbol));
        if let Some(parameters) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(parameters);
        }
        it.extends.iter().for_each(|extended| self.visit_ts_interface_heritage(extended));
        self.signatures(&it.body.body);
        self.scope = before;
        self.owners.pop();
    }

    pub(super) fn enumeration(&mut self, it: &TSEnumDeclaration<'_>) {
        let end = it.body.span.start;
        let symbol = self.type_declaration(SymbolKind::Enum, &it.id, it.span, end, it.declare);
        self.symbol(symbol).body = Some(span(it.body.span));
        self.owners.push(symbol);
        let before =
            self.open_scope(ScopeKind::Type, &it.body.scope_id, it.body.span, Some(symbol));
        it.body.members.iter().for_each(|member| self.enum_member(member));
        self.scope = before;
        self.owners.pop();
    }

    fn enum_member(&mut self, it: &TSEnumMember<'_>) {
        let (name, name_span) = match &it.id {
            TSEnumMemberName::Identifier(id) => {
                (self.name(id.name.as_str(), id.span.start, LineType::Property), span(id.span))
            }
            TSEnumMemberName::String(text) | TSEnumMemberName::ComputedString(text) => {
                self.visit_string_literal(text);
                let inside = inside_quotes(text.span);
                let text = self.builder.text(inside);
                (self.builder.intern(text), inside)
            }
            TSEnumMemberName::ComputedTemplateString(text) => {
                self.template(text);
                let inside = inside_quotes(text.span);
                let text = self.builder.text(inside);
                (self.builder.intern(text), inside)
            }
        };
        let value = it.initializer.as_ref().and_then(|it| self.enum_value(it));
        let symbol = self.define(Definition {
            kind: SymbolKind::EnumMember,
            name,
            name_span,
            span: span(it.span),
            signature: self.signature(it.span.start, it.span.end),
            body: None,
            flags: SymbolFlags::default(),
            visibility: None,
            declared_type: None,
        });
        self.symbol(symbol).value = value;
        if let Some(initializer) = &it.initializer {
            self.owners.push(symbol);
            self.expression(initializer);
            self.owners.pop();
        }
    }

    /// What a member is said to be: a literal, or the expression as written.
    fn enum_value(&self, it: &Expression<'_>) -> Option<String> {
        self.literal_text(it).or_else(|| {
            let at = it.span();
            Some(crate::signature::normalise(self.pieces(at.start, at.end)))
        })
    }

    pub(super) fn namespace(&mut self, it: &TSNamespaceDeclaration<'_>) {
        let (start, end) = match &it.body {
            TSNamespaceDeclarationBody::TSModuleBlock(body) => (body.span.start, body.span.end),
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(_) => (it.id.span.end, it.span.end),
        };
        let (wrapper, mut all) = self.take_export();
        all.0 |= flags(&[(it.declare, SymbolFlags::DECLARATION)]).0;
        let name = self.name(it.id.name.as_str(), it.id.span.start, LineType::Code);
        let mut signature = self.signature(it.span.start, start);
        if it.span.start == it.id.span.start {
            // The second name of `namespace A.B`.
            signature.insert_str(0, "namespace ");
        }
        let symbol = self.define(Definition {
            kind: SymbolKind::Namespace,
            name,
            name_span: span(it.id.span),
            span: wrapper.unwrap_or(span(it.span)),
            signature,
            body: Some(Span::new(start, end)),
            flags: all,
            visibility: None,
            declared_type: None,
        });
        self.identify(it.id.symbol_id.get(), symbol);
        self.owners.push(symbol);
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, Some(symbol));
        match &it.body {
            TSNamespaceDeclarationBody::TSModuleBlock(body) => self.visit_statements(&body.body),
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => self.namespace(inner),
        }
        self.scope = before;
        self.owners.pop();
    }

    /// `declare module "name" { … }`.
    pub(super) fn external_module(&mut self, it: &TSExternalModuleDeclaration<'_>) {
        let (wrapper, mut flags) = self.take_export();
        flags.set(SymbolFlags::DECLARATION);
        self.visit_string_literal(&it.id);
        let name_span = inside_quotes(it.id.span);
        let text = self.builder.text(name_span);
        let name = self.builder.intern(text);
        let symbol = self.define(Definition {
            kind: SymbolKind::Module,
            name,
            name_span,
            span: wrapper.unwrap_or(span(it.span)),
            signature: self.signature(it.span.start, it.id.span.end),
            body: it.body.as_ref().map(|body| span(body.span)),
            flags,
            visibility: None,
            declared_type: None,
        });
        self.owners.push(symbol);
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, Some(symbol));
        if let Some(body) = &it.body {
            self.visit_statements(&body.body);
        }
        self.scope = before;
        self.owners.pop();
    }

    /// `declare global { … }`.
    pub(super) fn global_declaration(&mut self, it: &TSGlobalDeclaration<'_>) {
        let (wrapper, mut flags) = self.take_export();
        flags.set(SymbolFlags::DECLARATION);
        let name = self.builder.intern("global");
        let symbol = self.define(Definition {
            kind: SymbolKind::Namespace,
            name,
            name_span: span(it.global_span),
            span: wrapper.unwrap_or(span(it.span)),
            signature: self.signature(it.span.start, it.body.span.start),
            body: Some(span(it.body.span)),
            flags,
            visibility: None,
            declared_type: None,
        });
        self.owners.push(symbol);
        let before = self.open_scope(ScopeKind::Block, &it.scope_id, it.span, Some(symbol));
        self.visit_statements(&it.body.body);
        self.scope = before;
        self.owners.pop();
    }

    fn type_declaration(
        &mut self,
        kind: SymbolKind,
        id: &BindingIdentifier<'_>,
        at: ::oxc_span::Span,
        signature_end: u32,
        declare: bool,
    ) -> u32 {
        let (wrapper, mut all) = self.take_export();
        all.0 |= flags(&[(declare, SymbolFlags::DECLARATION)]).0;
        let name = self.name(id.name.as_str(), id.span.start, LineType::Struct);
        let symbol = self.define(Definition {
            kind,
            name,
            name_span: span(id.span),
            span: wrapper.unwrap_or(span(at)),
            signature: self.signature(at.start, signature_end),
            body: None,
            flags: all,
            visibility: None,
            declared_type: None,
        });
        self.identify(id.symbol_id.get(), symbol);
        symbol
    }
}
