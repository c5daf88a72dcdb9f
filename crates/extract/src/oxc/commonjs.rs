//! Modules by convention: `require`, `module.exports`, and `import()`.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use ::oxc_syntax::operator::UnaryOperator;
use model::{ImportFlags, LineType, LiteralKind, NameId, Origin, SymbolFlags, SymbolKind};

use super::collector::{Collector, Definition, UNKNOWN, Use, span, value_of};
use super::declarations::{FunctionValue, Variable, bare, function_value};
use super::expressions::literal;

/// A module that an expression loads, and the member taken from it.
struct Loaded<'t, 'a> {
    source: &'t StringLiteral<'a>,
    /// `require("module").member`
    member: Option<&'t IdentifierName<'a>>,
    call: Load<'t, 'a>,
}

#[derive(Clone, Copy)]
enum Load<'t, 'a> {
    Require(&'t CallExpression<'a>),
    Import(&'t ImportExpression<'a>),
}

/// What an assignment exports.
pub(super) enum Exported<'t, 'a> {
    /// `module.exports = …`, with the word `exports`
    Module(&'t IdentifierName<'a>),
    /// `exports.name = …`
    Name(&'t IdentifierName<'a>),
}

impl Collector<'_> {
    // Loading.

    /// The module of `require("module")`.
    pub(super) fn required_module<'t, 'a>(
        &self,
        it: &'t CallExpression<'a>,
    ) -> Option<&'t StringLiteral<'a>> {
        let Expression::Identifier(callee) = &it.callee else { return None };
        match it.arguments.as_slice() {
            [Argument::StringLiteral(source)]
                if callee.name.as_str() == "require" && self.is_global(callee) =>
            {
                Some(source)
            }
            _ => None,
        }
    }

    /// A module that a statement loads for its effects. Says whether it was one.
    pub(super) fn effect_import(&mut self, it: &ExpressionStatement<'_>) -> bool {
        let Expression::CallExpression(call) = &it.expression else { return false };
        let Some(source) = self.required_module(call) else { return false };
        let mut flags = ImportFlags::DYNAMIC;
        flags.set(ImportFlags::EFFECT);
        self.push_import(source, None, None, flags, it.span, source.span.start);
        self.require(call, source, Some(it.span));
        true
    }

    /// A module that is loaded where no variable takes it.
    pub(super) fn require(
        &mut self,
        it: &CallExpression<'_>,
        source: &StringLiteral<'_>,
        statement: Option<::oxc_span::Span>,
    ) {
        if let Expression::Identifier(callee) = &it.callee {
            self.name(callee.name.as_str(), callee.span.start, LineType::Code);
        }
        self.visit_string_literal(source);
        if statement.is_none() {
            let start = source.span.start;
            self.push_import(source, None, None, ImportFlags::DYNAMIC, it.span, start);
        }
    }

    /// `import("module")`; `statement` where a variable takes it.
    pub(super) fn dynamic_import(
        &mut self,
        it: &ImportExpression<'_>,
        statement: Option<::oxc_span::Span>,
    ) {
        self.expression(&it.source);
        if let (Expression::StringLiteral(source), None) = (&it.source, statement) {
            let start = source.span.start;
            self.push_import(source, None, None, ImportFlags::DYNAMIC, it.span, start);
        }
        if let Some(options) = &it.options {
            self.expression(options);
        }
    }

    fn loaded<'t, 'a>(&self, it: &'t Expression<'a>) -> Option<Loaded<'t, 'a>> {
        match it {
            Expression::CallExpression(call) => {
                let source = self.required_module(call)?;
                Some(Loaded { source, member: None, call: Load::Require(call) })
            }
            Expression::StaticMemberExpression(it) => {
                let loaded = self.loaded(bare(&it.object))?;
                loaded.member.is_none().then_some(Loaded { member: Some(&it.property), ..loaded })
            }
            Expression::AwaitExpression(it) => match bare(&it.argument) {
                Expression::ImportExpression(import) => match &import.source {
                    Expression::StringLiteral(source) => {
                        Some(Loaded { source, member: None, call: Load::Import(import) })
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// A variable that takes a module, or names of it, is an import. Says whether it was one.
    pub(super) fn module_variable(
        &mut self,
        variable: &Variable<'_, '_>,
        statement: ::oxc_span::Span,
    ) -> bool {
        let declarator = variable.declarator;
        let Some(loaded) = declarator.init.as_ref().and_then(|init| self.loaded(bare(init))) else {
            return false;
        };
        let names: Option<Vec<(Option<&PropertyKey<'_>>, &BindingIdentifier<'_>)>> =
            match &declarator.id {
                BindingPattern::BindingIdentifier(id) => Some(vec![(None, &**id)]),
                BindingPattern::ObjectPattern(it)
                    if it.rest.is_none() && loaded.member.is_none() =>
                {
                    it.properties.iter().map(taken_name).collect()
                }
                _ => None,
            };
        let Some(names) = names else { return false };
        let mut flags = ImportFlags::DYNAMIC;
        let member = loaded
            .member
            .map(|member| self.name(member.name.as_str(), member.span.start, LineType::Code));
        for (key, id) in names {
            let local = self.name(id.name.as_str(), id.span.start, LineType::Code);
            let taken = key.and_then(|key| match key.span() == id.span {
                true => Some(local),
                false => self.key(key, LineType::Code).map(|(name, _)| name),
            });
            let name = member.or(taken);
            if name.is_none() {
                flags.set(ImportFlags::NAMESPACE);
            }
            let alias = (name != Some(local)).then_some(local);
            let start = key.map_or(id.span.start, |key| key.span().start);
            self.push_import(loaded.source, name, alias, flags, statement, start);
        }
        self.declared_type(declarator.type_annotation.as_deref());
        match loaded.call {
            Load::Require(call) => self.require(call, loaded.source, Some(statement)),
            Load::Import(import) => self.dynamic_import(import, Some(statement)),
        }
        true
    }

    // Exporting.

    /// Records `module.exports = …` and `exports.name = …` at the level of the module.
    pub(super) fn commonjs_export(&mut self, it: &AssignmentExpression<'_>) -> Option<Origin> {
        if !self.owners.is_empty() || self.scope != 0 {
            return None;
        }
        let AssignmentTarget::StaticMemberExpression(member) = &it.left else { return None };
        let exported = match &member.object {
            Expression::Identifier(object)
                if self.target(object).is_some_and(|it| self.own_modules.contains(&it)) =>
            {
                Exported::Name(&member.property)
            }
            object => {
                let is_global = root(object).is_some_and(|root| self.is_global(root));
                exported(member).filter(|_| is_global)?
            }
        };
        self.exporting_words(&member.object);
        if let Some(origin) = self.export_elsewhere(it, &exported) {
            return Some(origin);
        }
        Some(match exported {
            Exported::Module(word) => self.module_exports(it, word),
            Exported::Name(word) => self.named_export(it, word),
        })
    }

    /// `const name = module.exports = value` makes the variable the whole module; says what its value is.
    pub(super) fn exported_variable<'t, 'a>(
        &mut self,
        it: &'t Expression<'a>,
        symbol: u32,
    ) -> &'t Expression<'a> {
        let Expression::AssignmentExpression(assignment) = bare(it) else { return it };
        if assignment.operator != AssignmentOperator::Assign || self.scope != 0 {
            return it;
        }
        match &assignment.left {
            // `exports = module.exports = value`.
            AssignmentTarget::AssignmentTargetIdentifier(left)
                if left.name == "exports" && self.is_global(left) =>
            {
                self.name("exports", left.span.start, LineType::Code);
                self.exported_variable(&assignment.right, symbol)
            }
            AssignmentTarget::StaticMemberExpression(member) => match exported(member) {
                Some(Exported::Module(word))
                    if root(&member.object).is_some_and(|root| self.is_global(root)) =>
                {
                    self.exporting_words(&member.object);
                    self.visit_identifier_name(word);
                    self.export_symbol(symbol, word.span.start);
                    &assignment.right
                }
                _ => it,
            },
            _ => it,
        }
    }

    /// Whether it is `exports.name` or `module.exports.name`.
    pub(super) fn is_exported_name(&self, it: &StaticMemberExpression<'_>) -> bool {
        matches!(exported(it), Some(Exported::Name(_)))
            && root(&it.object).is_some_and(|root| self.is_global(root))
    }

    /// An export that gets its value from another assignment, as in `exports.a = exports.b = c`, or
    /// only announces that it will get one, as compilers write it: `exports.a = void 0`.
    fn export_elsewhere(
        &mut self,
        it: &AssignmentExpression<'_>,
        exported: &Exported<'_, '_>,
    ) -> Option<Origin> {
        let (Exported::Module(word) | Exported::Name(word)) = exported;
        match &it.right {
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Void => {
                self.visit_identifier_name(word);
                Some(self.expression(&it.right))
            }
            Expression::AssignmentExpression(inner) => {
                self.visit_identifier_name(word);
                let local = match final_value(inner) {
                    Expression::Identifier(value) => Some(self.builder.intern(value.name.as_str())),
                    // What is exported under several names is known by the last of them.
                    _ => last_name(inner).map(|name| self.builder.intern(&name)),
                };
                let is_void = matches!(final_value(inner), Expression::UnaryExpression(_));
                match exported {
                    _ if is_void => {}
                    Exported::Module(_) => self.push_default_export(local, word.span.start),
                    Exported::Name(_) => {
                        let name = self.builder.intern(word.name.as_str());
                        let local = local.filter(|local| *local != name);
                        self.push_named_export(name, local, word.span.start);
                    }
                }
                Some(self.assignment(inner))
            }
            _ => None,
        }
    }

    /// `module.exports` is a way to say `export`, not a use of something.
    fn exporting_words(&mut self, it: &Expression<'_>) {
        match it {
            Expression::Identifier(it) => {
                self.name(it.name.as_str(), it.span.start, LineType::Code);
            }
            Expression::StaticMemberExpression(it) => {
                self.exporting_words(&it.object);
                self.visit_identifier_name(&it.property);
            }
            other => self.visit_expression(other),
        }
    }

    fn module_exports(
        &mut self,
        it: &AssignmentExpression<'_>,
        word: &IdentifierName<'_>,
    ) -> Origin {
        match &it.right {
            Expression::Identifier(_) => {
                self.visit_identifier_name(word);
                self.exported_identifier(
                    &it.right,
                    |this, local, start| {
                        this.push_default_export(Some(local), start);
                    },
                    word.span.start,
                    true,
                )
            }
            Expression::ObjectExpression(object) => {
                self.visit_identifier_name(word);
                self.exports_object(object);
                literal(LiteralKind::Map)
            }
            Expression::ClassExpression(class) if class.id.is_some() => {
                self.visit_identifier_name(word);
                let number = self.builder.facts.symbols.len();
                self.class_expression(class);
                self.export_symbol(number as u32, word.span.start);
                UNKNOWN
            }
            Expression::FunctionExpression(function) if function.id.is_some() => {
                self.visit_identifier_name(word);
                let number = self.builder.facts.symbols.len();
                self.function_expression(function);
                self.export_symbol(number as u32, word.span.start);
                literal(LiteralKind::Function)
            }
            right => {
                let name = self.builder.intern("exports");
                self.push_default_export(Some(name), word.span.start);
                let mut flags = SymbolFlags::EXPORTED;
                flags.set(SymbolFlags::DEFAULT_EXPORT);
                self.export_value(it, word, right, flags)
            }
        }
    }

    /// Marks a symbol that is the whole module.
    fn export_symbol(&mut self, number: u32, start: u32) {
        let symbol = self.symbol(number);
        symbol.flags.set(SymbolFlags::EXPORTED);
        symbol.flags.set(SymbolFlags::DEFAULT_EXPORT);
        let name = symbol.name;
        self.push_default_export(Some(name), start);
    }

    fn named_export(&mut self, it: &AssignmentExpression<'_>, word: &IdentifierName<'_>) -> Origin {
        let name = self.builder.intern(word.name.as_str());
        if matches!(it.right, Expression::Identifier(_)) {
            self.visit_identifier_name(word);
            return self.exported_identifier(
                &it.right,
                |this, local, start| {
                    this.push_named_export(name, (local != name).then_some(local), start);
                },
                word.span.start,
                false,
            );
        }
        self.push_named_export(name, None, word.span.start);
        self.export_value(it, word, &it.right, SymbolFlags::EXPORTED)
    }

    fn exported_identifier(
        &mut self,
        it: &Expression<'_>,
        push: impl FnOnce(&mut Self, NameId, u32),
        start: u32,
        is_default: bool,
    ) -> Origin {
        let Expression::Identifier(it) = it else { return UNKNOWN };
        let number = self.use_identifier(it, Use::READ);
        let local = self.builder.facts.references[number as usize].name;
        self.exported.extend(self.target(it).map(|symbol| (symbol, is_default)));
        push(self, local, start);
        value_of(number)
    }

    /// A value that has no name but the one it is exported by.
    fn export_value(
        &mut self,
        it: &AssignmentExpression<'_>,
        word: &IdentifierName<'_>,
        right: &Expression<'_>,
        mut flags: SymbolFlags,
    ) -> Origin {
        let next = self.builder.facts.symbols.len() as u32;
        let name = self.builder.intern(word.name.as_str());
        self.exported_values.entry(name).or_insert(next);
        flags.set(SymbolFlags::EXPLICIT);
        if let Some(function) = function_value(right) {
            self.export_function(it, word, &function, flags);
            return literal(LiteralKind::Function);
        }
        if let Expression::ClassExpression(class) = bare(right) {
            self.class_in(None, it, word, class, flags);
            return UNKNOWN;
        }
        self.builder.term(name, word.span.start, LineType::Code);
        let symbol = self.assigned_value(None, SymbolKind::Const, name, span(word.span), it);
        flags.0 |= self.symbol(symbol).flags.0;
        self.symbol(symbol).flags = flags;
        self.owners.push(symbol);
        let origin = self.symbol_value(right);
        self.owners.pop();
        self.set_origin(symbol, origin);
        origin
    }

    fn export_function(
        &mut self,
        it: &AssignmentExpression<'_>,
        word: &IdentifierName<'_>,
        function: &FunctionValue<'_, '_>,
        mut flags: SymbolFlags,
    ) {
        let name = self.name(word.name.as_str(), word.span.start, LineType::Method);
        flags.0 |= function.flags().0;
        let declared_type = self.return_type_text(function.return_type());
        let symbol = self.define(Definition {
            kind: SymbolKind::Function,
            name,
            name_span: span(word.span),
            span: span(it.span),
            signature: self.signature(it.span.start, function.signature_end()),
            body: function.body(),
            flags,
            visibility: None,
            declared_type,
        });
        self.value_function(function, Some(symbol));
    }

    /// `module.exports = { name, other: local, method() {} }`.
    fn exports_object(&mut self, it: &ObjectExpression<'_>) {
        for property in &it.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else {
                self.visit_object_property_kind(property);
                continue;
            };
            let Some(key) = property.key.static_name() else {
                self.property(property);
                continue;
            };
            let name = self.builder.intern(&key);
            let start = property.key.span().start;
            if let Expression::Identifier(value) = &property.value {
                if !property.shorthand {
                    self.key(&property.key, LineType::Code);
                }
                let number = self.use_identifier(value, Use::READ);
                let local = self.builder.facts.references[number as usize].name;
                self.exported.extend(self.target(value).map(|symbol| (symbol, false)));
                self.push_named_export(name, (local != name).then_some(local), start);
            } else {
                self.push_named_export(name, None, start);
                let number = self.builder.facts.symbols.len();
                self.object_member(property, 1);
                if let Some(symbol) = self.builder.facts.symbols.get_mut(number) {
                    symbol.flags.set(SymbolFlags::EXPORTED);
                }
            }
        }
    }
}

/// A property of a pattern that takes one name: its key and the name it is bound to.
fn taken_name<'t, 'a>(
    it: &'t BindingProperty<'a>,
) -> Option<(Option<&'t PropertyKey<'a>>, &'t BindingIdentifier<'a>)> {
    match &it.value {
        BindingPattern::BindingIdentifier(id) if !it.computed => Some((Some(&it.key), id)),
        _ => None,
    }
}

/// What `module.exports` or `exports.name` exports when it is assigned to.
pub(super) fn exported<'t, 'a>(it: &'t StaticMemberExpression<'a>) -> Option<Exported<'t, 'a>> {
    match &it.object {
        Expression::Identifier(object) => match (object.name.as_str(), it.property.name.as_str()) {
            ("module", "exports") => Some(Exported::Module(&it.property)),
            ("exports", _) => Some(Exported::Name(&it.property)),
            _ => None,
        },
        Expression::StaticMemberExpression(object) => match exported(object)? {
            Exported::Module(_) => Some(Exported::Name(&it.property)),
            Exported::Name(_) => None,
        },
        _ => None,
    }
}

/// What a chain of assignments assigns.
fn final_value<'t, 'a>(it: &'t AssignmentExpression<'a>) -> &'t Expression<'a> {
    match &it.right {
        Expression::AssignmentExpression(inner) => final_value(inner),
        other => other,
    }
}

/// What the last of a chain of assignments gives a value: the name that it exports, or the way to the
/// member that it sets, `internals.Route`.
fn last_name(it: &AssignmentExpression<'_>) -> Option<String> {
    if let Expression::AssignmentExpression(inner) = &it.right {
        return last_name(inner);
    }
    let AssignmentTarget::StaticMemberExpression(member) = &it.left else { return None };
    match exported(member) {
        Some(Exported::Module(_)) => None,
        Some(Exported::Name(name)) => Some(name.name.to_string()),
        None => written_path(member),
    }
}

fn written_path(it: &StaticMemberExpression<'_>) -> Option<String> {
    let before = match &it.object {
        Expression::Identifier(root) => root.name.to_string(),
        Expression::StaticMemberExpression(object) => written_path(object)?,
        _ => return None,
    };
    Some(format!("{before}.{}", it.property.name))
}

/// The identifier that `module.exports` begins with.
pub(super) fn root<'t, 'a>(object: &'t Expression<'a>) -> Option<&'t IdentifierReference<'a>> {
    match object {
        Expression::Identifier(it) => Some(it),
        Expression::StaticMemberExpression(it) => root(&it.object),
        _ => None,
    }
}

/// Whether a statement only exports: `exports.name = …`, `module.exports = …`.
pub(super) fn is_export(it: &Expression<'_>) -> bool {
    match it {
        Expression::AssignmentExpression(it) => match &it.left {
            AssignmentTarget::StaticMemberExpression(member) => exported(member).is_some(),
            _ => false,
        },
        _ => false,
    }
}
