//! Imports and exports as the language has them.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use model::{
    Export, ExportKind, Import, ImportFlags, LineType, NameId, Origin, Role, Span, SymbolFlags,
    SymbolKind,
};

use super::collector::{Collector, Definition, Use, Wrapper, span, value_of};
use super::declarations::function_value;

impl Collector<'_> {
    pub(super) fn program(&mut self, it: &Program<'_>) {
        self.documented_imports();
        self.visit_directives(&it.directives);
        self.visit_statements(&it.body);
        let facts = &mut self.builder.facts;
        facts.is_barrel =
            it.body.iter().any(is_re_export) && it.body.iter().all(is_import_or_export);
        facts.has_side_effects = it.body.iter().any(has_effect);
    }

    // Imports.

    pub(super) fn push_import(
        &mut self,
        source: &StringLiteral<'_>,
        name: Option<NameId>,
        alias: Option<NameId>,
        flags: ImportFlags,
        statement: ::oxc_span::Span,
        start: u32,
    ) {
        self.builder.facts.imports.push(Import {
            source: source.value.as_str().to_owned(),
            name,
            alias,
            flags,
            statement: span(statement),
            start,
            scope: self.scope,
        });
    }

    pub(super) fn import(&mut self, it: &ImportDeclaration<'_>) {
        let is_type = it.import_kind == ImportOrExportKind::Type;
        let mut flags = ImportFlags::default();
        if is_type {
            flags.set(ImportFlags::TYPE_ONLY);
        }
        match &it.specifiers {
            Some(specifiers) if !specifiers.is_empty() => {
                for specifier in specifiers {
                    self.import_specifier(it, specifier, flags);
                }
            }
            // `import {} from "x"` is there for its effects too.
            _ => {
                flags.set(ImportFlags::EFFECT);
                self.push_import(&it.source, None, None, flags, it.span, it.source.span.start);
            }
        }
        self.visit_string_literal(&it.source);
    }

    fn import_specifier(
        &mut self,
        it: &ImportDeclaration<'_>,
        specifier: &ImportDeclarationSpecifier<'_>,
        mut flags: ImportFlags,
    ) {
        match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                if specifier.import_kind == ImportOrExportKind::Type {
                    flags.set(ImportFlags::TYPE_ONLY);
                }
                let at = specifier.imported.span();
                let name = self.exchanged_name(&specifier.imported, Role::Import);
                if specifier.imported.name() == "default" {
                    flags.set(ImportFlags::DEFAULT);
                }
                let local = &specifier.local;
                let alias = (local.span != at)
                    .then(|| self.name(local.name.as_str(), local.span.start, LineType::Code));
                self.push_import(&it.source, Some(name), alias, flags, it.span, at.start);
            }
            ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => {
                flags.set(ImportFlags::DEFAULT);
                let local = &specifier.local;
                let alias = self.name(local.name.as_str(), local.span.start, LineType::Code);
                let name = self.builder.intern("default");
                let start = local.span.start;
                self.reference(alias, start, Use::of(Role::Import), Origin::default());
                self.push_import(&it.source, Some(name), Some(alias), flags, it.span, start);
            }
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => {
                flags.set(ImportFlags::NAMESPACE);
                let local = &specifier.local;
                let alias = self.name(local.name.as_str(), local.span.start, LineType::Code);
                let start = local.span.start;
                self.push_import(&it.source, None, Some(alias), flags, it.span, start);
            }
        }
    }

    /// `import name = require("module")`, `import name = namespace.name`.
    pub(super) fn import_equals(&mut self, it: &TSImportEqualsDeclaration<'_>) {
        let alias = self.name(it.id.name.as_str(), it.id.span.start, LineType::Code);
        match &it.module_reference {
            TSModuleReference::ExternalModuleReference(module) => {
                let mut flags = ImportFlags::NAMESPACE;
                if it.import_kind == ImportOrExportKind::Type {
                    flags.set(ImportFlags::TYPE_ONLY);
                }
                let source = &module.expression;
                self.push_import(source, None, Some(alias), flags, it.span, it.id.span.start);
                self.visit_string_literal(source);
            }
            reference => {
                let (wrapper, flags) = self.take_export();
                let symbol = self.define(Definition {
                    kind: SymbolKind::Const,
                    name: alias,
                    name_span: span(it.id.span),
                    span: wrapper.unwrap_or(span(it.span)),
                    signature: self.signature(it.span.start, it.span.end),
                    body: None,
                    flags,
                    visibility: None,
                    declared_type: None,
                });
                self.identify(it.id.symbol_id.get(), symbol);
                self.owners.push(symbol);
                let number = match reference {
                    TSModuleReference::IdentifierReference(it) => {
                        Some(self.use_identifier(it, Use::READ))
                    }
                    TSModuleReference::QualifiedName(it) => self.qualified_read(it),
                    TSModuleReference::ExternalModuleReference(_) => None,
                };
                self.owners.pop();
                if let Some(number) = number {
                    self.set_origin(symbol, value_of(number));
                }
            }
        }
    }

    fn qualified_read(&mut self, it: &TSQualifiedName<'_>) -> Option<u32> {
        let receiver = self.type_name(&it.left, Role::Read).map_or_else(Origin::default, value_of);
        let start = it.right.span.start;
        let name = self.name(it.right.name.as_str(), start, LineType::Code);
        Some(self.use_member(name, start, Use::READ, receiver))
    }

    // Exports.

    fn push_export(
        &mut self,
        name: NameId,
        local: Option<NameId>,
        kind: ExportKind,
        source: Option<&StringLiteral<'_>>,
        start: u32,
    ) {
        let is_default = self.builder.facts.names.get(name) == "default";
        self.builder.facts.exports.push(Export {
            name,
            local,
            kind,
            is_default,
            source: source.map(|source| source.value.as_str().to_owned()),
            start,
        });
    }

    /// What others get when they ask for the default.
    pub(super) fn push_default_export(&mut self, local: Option<NameId>, start: u32) {
        let name = self.builder.intern("default");
        self.push_export(name, local, ExportKind::Value, None, start);
    }

    pub(super) fn push_named_export(&mut self, name: NameId, local: Option<NameId>, start: u32) {
        self.push_export(name, local, ExportKind::Value, None, start);
    }

    pub(super) fn export_declaration(&mut self, it: &ExportDeclaration<'_>) {
        // Inside a namespace the flag of the symbol says it.
        if self.owners.is_empty() {
            self.export_declared(&it.declaration);
        }
        self.export =
            Some(Wrapper { span: span(it.span), flags: SymbolFlags::EXPORTED, default: None });
        self.visit_declaration(&it.declaration);
        self.export = None;
    }

    fn export_declared(&mut self, it: &Declaration<'_>) {
        let id = match it {
            Declaration::VariableDeclaration(it) => {
                for declarator in &it.declarations {
                    for id in declarator.id.get_binding_identifiers() {
                        self.export_identifier(id, ExportKind::Value);
                    }
                }
                return;
            }
            Declaration::TSTypeAliasDeclaration(it) => {
                return self.export_identifier(&it.id, ExportKind::Type);
            }
            Declaration::TSInterfaceDeclaration(it) => {
                return self.export_identifier(&it.id, ExportKind::Type);
            }
            Declaration::FunctionDeclaration(it) => it.id.as_ref(),
            Declaration::ClassDeclaration(it) => it.id.as_ref(),
            Declaration::TSEnumDeclaration(it) => Some(&it.id),
            Declaration::TSNamespaceDeclaration(it) => Some(&it.id),
            Declaration::TSImportEqualsDeclaration(it) => Some(&it.id),
            Declaration::TSExternalModuleDeclaration(_) | Declaration::TSGlobalDeclaration(_) => {
                None
            }
        };
        if let Some(id) = id {
            self.export_identifier(id, ExportKind::Value);
        }
    }

    fn export_identifier(&mut self, id: &BindingIdentifier<'_>, kind: ExportKind) {
        let name = self.builder.intern(id.name.as_str());
        // Overloads are one export.
        let last = self.builder.facts.exports.last();
        if last.is_none_or(|last| last.name != name || last.kind != kind) {
            self.push_export(name, None, kind, None, id.span.start);
        }
    }

    /// `export { local as name }`.
    pub(super) fn export_names(&mut self, it: &ExportNamedDeclaration<'_>) {
        for specifier in &it.specifiers {
            let local = match &specifier.local {
                ModuleExportName::IdentifierReference(local) => {
                    let number = self.use_identifier(local, Use::READ);
                    if let Some(symbol) = self.target(local) {
                        let is_default = specifier.exported.name() == "default";
                        self.exported.push((symbol, is_default));
                    }
                    self.builder.facts.references[number as usize].name
                }
                other => self.exchanged_name(other, Role::Read),
            };
            let is_type = it.export_kind == ImportOrExportKind::Type
                || specifier.export_kind == ImportOrExportKind::Type;
            let kind = if is_type { ExportKind::Type } else { ExportKind::Value };
            let name = self.exported_name(specifier);
            let local = (local != name).then_some(local);
            if self.owners.is_empty() {
                self.push_export(name, local, kind, None, specifier.exported.span().start);
            }
        }
    }

    /// `export { local as name } from "module"`.
    pub(super) fn export_from(&mut self, it: &ExportFromDeclaration<'_>) {
        for specifier in &it.specifiers {
            let local = self.exchanged_name(&specifier.local, Role::Import);
            let mut flags = ImportFlags::RE_EXPORT;
            if it.export_kind == ImportOrExportKind::Type
                || specifier.export_kind == ImportOrExportKind::Type
            {
                flags.set(ImportFlags::TYPE_ONLY);
            }
            if specifier.local.name() == "default" {
                flags.set(ImportFlags::DEFAULT);
            }
            let name = self.exported_name(specifier);
            let alias = (local != name).then_some(name);
            let start = specifier.local.span().start;
            self.push_import(&it.source, Some(local), alias, flags, it.span, start);
            let kind = ExportKind::ReExport;
            let start = specifier.exported.span().start;
            let local = (local != name).then_some(local);
            self.push_export(name, local, kind, Some(&it.source), start);
        }
        self.visit_string_literal(&it.source);
    }

    /// `export * from "module"`, `export * as name from "module"`.
    pub(super) fn export_all(&mut self, it: &ExportAllDeclaration<'_>) {
        let mut flags = ImportFlags::RE_EXPORT;
        if it.export_kind == ImportOrExportKind::Type {
            flags.set(ImportFlags::TYPE_ONLY);
        }
        let all = self.builder.intern("*");
        let (name, alias, local, start) = match &it.exported {
            Some(exported) => {
                flags.set(ImportFlags::NAMESPACE);
                let name = self.written_name(exported);
                (name, Some(name), Some(all), exported.span().start)
            }
            None => {
                flags.set(ImportFlags::WILDCARD);
                (all, None, None, it.span.start)
            }
        };
        self.push_import(&it.source, None, alias, flags, it.span, start);
        self.push_export(name, local, ExportKind::ReExport, Some(&it.source), start);
        self.visit_string_literal(&it.source);
    }

    pub(super) fn export_default(&mut self, it: &ExportDefaultDeclaration<'_>) {
        let keyword = self.default_keyword(it);
        let mut flags = SymbolFlags::EXPORTED;
        flags.set(SymbolFlags::DEFAULT_EXPORT);
        let wrapper = Wrapper { span: span(it.span), flags, default: Some(keyword) };
        let local = match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                self.export = Some(wrapper);
                self.function_declaration(function);
                function.id.as_ref().map(|id| self.builder.intern(id.name.as_str()))
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                self.export = Some(wrapper);
                self.class_declaration(class);
                class.id.as_ref().map(|id| self.builder.intern(id.name.as_str()))
            }
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(interface) => {
                self.export = Some(wrapper);
                self.interface(interface);
                Some(self.builder.intern(interface.id.name.as_str()))
            }
            ExportDefaultDeclarationKind::Identifier(name) => {
                let number = self.use_identifier(name, Use::READ);
                self.exported.extend(self.target(name).map(|symbol| (symbol, true)));
                Some(self.builder.facts.references[number as usize].name)
            }
            other => {
                if let Some(expression) = other.as_expression() {
                    self.default_value(expression, wrapper, keyword);
                }
                None
            }
        };
        if self.owners.is_empty() {
            self.push_default_export(local, keyword.start);
        }
    }

    /// A default without a name is a symbol called `default`.
    fn default_value(&mut self, it: &Expression<'_>, wrapper: Wrapper, keyword: Span) {
        let name = self.builder.intern("default");
        let function = function_value(it);
        let end = function.as_ref().map_or(keyword.end, |function| function.signature_end());
        let mut signature = self.signature(wrapper.span.start, end);
        let mut flags = wrapper.flags;
        if let Some(function) = &function {
            flags.0 |= function.flags().0;
        } else {
            signature = "export default".to_owned();
        }
        let declared_type =
            function.as_ref().and_then(|function| self.return_type_text(function.return_type()));
        let symbol = self.define(Definition {
            kind: if function.is_some() { SymbolKind::Function } else { SymbolKind::Const },
            name,
            name_span: keyword,
            span: wrapper.span,
            signature,
            body: function.as_ref().and_then(|function| function.body()),
            flags,
            visibility: None,
            declared_type,
        });
        if let Some(function) = &function {
            return self.value_function(function, Some(symbol));
        }
        self.owners.push(symbol);
        let origin = self.symbol_value(it);
        self.owners.pop();
        self.set_origin(symbol, origin);
    }

    fn default_keyword(&self, it: &ExportDefaultDeclaration<'_>) -> Span {
        let mut start = it.span.start;
        if let ExportDefaultDeclarationKind::ClassDeclaration(class) = &it.declaration
            && let Some(first) = class.decorators.first()
            && first.span.start == start
        {
            start = class.decorators.last().map_or(start, |last| last.span.end);
        }
        let text = self.builder.text(Span::new(start, it.declaration.span().start.max(start)));
        let at = start + text.rfind("default").unwrap_or(0) as u32;
        Span::new(at, at + "default".len() as u32)
    }

    /// `export = value`.
    pub(super) fn export_assignment(&mut self, it: &TSExportAssignment<'_>) {
        let local = match &it.expression {
            Expression::Identifier(name) => {
                let number = self.use_identifier(name, Use::READ);
                self.exported.extend(self.target(name).map(|symbol| (symbol, true)));
                Some(self.builder.facts.references[number as usize].name)
            }
            other => {
                self.expression(other);
                None
            }
        };
        if self.owners.is_empty() {
            self.push_default_export(local, it.span.start);
        }
    }

    /// A name that passes from one module to another, as a use of it.
    fn exchanged_name(&mut self, it: &ModuleExportName<'_>, role: Role) -> NameId {
        let name = self.written_name(it);
        let start = it.span().start + u32::from(matches!(it, ModuleExportName::StringLiteral(_)));
        self.reference(name, start, Use::of(role), Origin::default());
        name
    }

    fn exported_name(&mut self, it: &ExportSpecifier<'_>) -> NameId {
        if it.exported.span() == it.local.span() {
            self.builder.intern(it.exported.name().as_str())
        } else {
            self.written_name(&it.exported)
        }
    }

    fn written_name(&mut self, it: &ModuleExportName<'_>) -> NameId {
        match it {
            ModuleExportName::StringLiteral(text) => {
                self.visit_string_literal(text);
                self.builder.intern(text.value.as_str())
            }
            other => self.name(other.name().as_str(), other.span().start, LineType::Code),
        }
    }
}

fn is_re_export(it: &Statement<'_>) -> bool {
    match it {
        Statement::ExportAllDeclaration(_) | Statement::ExportFromDeclaration(_) => true,
        Statement::ExportNamedDeclaration(it) => !it.specifiers.is_empty(),
        _ => false,
    }
}

/// Names in a list can only be imported ones where the file declares nothing else.
fn is_import_or_export(it: &Statement<'_>) -> bool {
    is_re_export(it)
        || matches!(
            it,
            Statement::ImportDeclaration(_)
                | Statement::ExportNamedDeclaration(_)
                | Statement::EmptyStatement(_)
        )
}

/// Whether a statement does something when the file is loaded, other than declare and export.
fn has_effect(it: &Statement<'_>) -> bool {
    match it {
        Statement::ExpressionStatement(it) => !super::commonjs::is_export(&it.expression),
        Statement::IfStatement(_)
        | Statement::ForStatement(_)
        | Statement::ForInStatement(_)
        | Statement::ForOfStatement(_)
        | Statement::WhileStatement(_)
        | Statement::DoWhileStatement(_)
        | Statement::SwitchStatement(_)
        | Statement::ThrowStatement(_)
        | Statement::TryStatement(_)
        | Statement::BlockStatement(_)
        | Statement::LabeledStatement(_)
        | Statement::WithStatement(_) => true,
        _ => false,
    }
}
