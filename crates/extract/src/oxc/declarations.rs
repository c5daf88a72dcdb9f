//! Functions, variables and the declarations of types.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use model::{
    BindingKind, LineType, NameId, Origin, ScopeKind, Span, Symbol, SymbolFlags, SymbolKind,
    TypePosition,
};

use super::collector::{Collector, Definition, span};
use super::patterns::Target;
use super::visit::inside_quotes;

/// Calls that wrap a function without making it another: `memo(function …)`.
const WRAPPERS: [&str; 3] = ["memo", "forwardRef", "observer"];

/// Types of functions whose first parameter is of their type argument.
const COMPONENT_TYPES: [&str; 3] = ["FC", "FunctionComponent", "VFC"];

/// A function that is the value of something.
pub(super) enum FunctionValue<'t, 'a> {
    Arrow(&'t ArrowFunctionExpression<'a>),
    Function(&'t Function<'a>),
}

impl FunctionValue<'_, '_> {
    pub(super) fn body(&self) -> Option<Span> {
        match self {
            Self::Arrow(it) => Some(span(it.body.span())),
            Self::Function(it) => it.body.as_ref().map(|body| span(body.span)),
        }
    }

    /// Where the signature ends: before the body and its arrow.
    pub(super) fn signature_end(&self) -> u32 {
        match self {
            Self::Arrow(it) => {
                it.return_type.as_ref().map_or(it.params.span.end, |returned| returned.span.end)
            }
            Self::Function(it) => signature_end(it),
        }
    }

    pub(super) fn flags(&self) -> SymbolFlags {
        match self {
            Self::Arrow(it) => flags(&[(it.r#async, SymbolFlags::ASYNC)]),
            Self::Function(it) => function_flags(it),
        }
    }

    pub(super) fn return_type(&self) -> Option<&TSTypeAnnotation<'_>> {
        match self {
            Self::Arrow(it) => it.return_type.as_deref(),
            Self::Function(it) => it.return_type.as_deref(),
        }
    }
}

pub(super) fn flags(all: &[(bool, SymbolFlags)]) -> SymbolFlags {
    let mut flags = SymbolFlags::default();
    all.iter().filter(|(yes, _)| *yes).for_each(|(_, flag)| flags.set(*flag));
    flags
}

pub(super) fn function_flags(it: &Function<'_>) -> SymbolFlags {
    flags(&[(it.r#async, SymbolFlags::ASYNC), (it.generator, SymbolFlags::GENERATOR)])
}

fn signature_end(it: &Function<'_>) -> u32 {
    it.body.as_ref().map_or(it.span.end, |body| body.span.start)
}

/// `as const`.
pub(super) fn is_const_assertion(written: &TSType<'_>) -> bool {
    matches!(written, TSType::TSTypeReference(it) if matches!(
        &it.type_name,
        TSTypeName::IdentifierReference(name) if name.name.as_str() == "const"
    ))
}

/// An expression without what only looks at its type.
pub(super) fn bare<'t, 'a>(it: &'t Expression<'a>) -> &'t Expression<'a> {
    match it {
        Expression::ParenthesizedExpression(it) => bare(&it.expression),
        Expression::TSAsExpression(it) => bare(&it.expression),
        Expression::TSSatisfiesExpression(it) => bare(&it.expression),
        Expression::TSTypeAssertion(it) => bare(&it.expression),
        other => other,
    }
}

/// The function that an expression is, if it is one.
pub(super) fn function_value<'t, 'a>(it: &'t Expression<'a>) -> Option<FunctionValue<'t, 'a>> {
    match it {
        Expression::ArrowFunctionExpression(it) => Some(FunctionValue::Arrow(it)),
        Expression::FunctionExpression(it) => Some(FunctionValue::Function(it)),
        Expression::ParenthesizedExpression(it) => function_value(&it.expression),
        _ => None,
    }
}

/// Whether an expression is an object that can do something: its functions have names by which people
/// look for them, wherever it stands.
pub(super) fn has_functions(it: &Expression<'_>) -> bool {
    let Expression::ObjectExpression(object) = bare(it) else { return false };
    object.properties.iter().any(|property| match property {
        ObjectPropertyKind::ObjectProperty(it) => {
            function_value(&it.value).is_some() || has_functions(&it.value)
        }
        ObjectPropertyKind::SpreadProperty(_) => false,
    })
}

/// The function in `memo(…)` and its like.
fn wrapped_function<'t, 'a>(
    it: &'t Expression<'a>,
) -> Option<(FunctionValue<'t, 'a>, &'t CallExpression<'a>)> {
    let Expression::CallExpression(call) = bare(it) else { return None };
    let name = match &call.callee {
        Expression::Identifier(it) => it.name.as_str(),
        Expression::StaticMemberExpression(it) => it.property.name.as_str(),
        _ => return None,
    };
    let first = call.arguments.first()?.as_expression()?;
    let function = WRAPPERS.contains(&name).then(|| function_value(first))??;
    Some((function, call))
}

impl Collector<'_> {
    // Functions.

    pub(super) fn function_declaration(&mut self, it: &Function<'_>) {
        let default = self.export.and_then(|wrapper| wrapper.default);
        let (wrapper, mut flags) = self.take_export();
        let (name, name_span) = match (&it.id, default) {
            (Some(id), _) => {
                (self.name(id.name.as_str(), id.span.start, LineType::Method), span(id.span))
            }
            (None, Some(keyword)) => (self.builder.intern("default"), keyword),
            (None, None) => return self.function(it, None),
        };
        flags.0 |= function_flags(it).0;
        if it.body.is_none() || it.declare {
            flags.set(SymbolFlags::DECLARATION);
        }
        let declared_type = self.return_type_text(it.return_type.as_deref());
        let symbol = self.define(Definition {
            kind: SymbolKind::Function,
            name,
            name_span,
            span: wrapper.unwrap_or(span(it.span)),
            signature: self.signature(it.span.start, signature_end(it)),
            body: it.body.as_ref().map(|body| span(body.span)),
            flags,
            visibility: None,
            declared_type,
        });
        self.identify(it.id.as_ref().and_then(|id| id.symbol_id.get()), symbol);
        self.function(it, Some(symbol));
    }

    /// A function expression; one with a name is a symbol.
    pub(super) fn function_expression(&mut self, it: &Function<'_>) {
        let Some(id) = &it.id else { return self.function(it, None) };
        let name = self.name(id.name.as_str(), id.span.start, LineType::Method);
        let declared_type = self.return_type_text(it.return_type.as_deref());
        let symbol = self.define(Definition {
            kind: SymbolKind::Function,
            name,
            name_span: span(id.span),
            span: span(it.span),
            signature: self.signature(it.span.start, signature_end(it)),
            body: it.body.as_ref().map(|body| span(body.span)),
            flags: function_flags(it),
            visibility: None,
            declared_type,
        });
        self.identify(id.symbol_id.get(), symbol);
        self.function(it, Some(symbol));
    }

    pub(super) fn value_function(&mut self, it: &FunctionValue<'_, '_>, symbol: Option<u32>) {
        match it {
            FunctionValue::Arrow(it) => self.arrow(it, symbol),
            FunctionValue::Function(it) => {
                if let Some(id) = &it.id {
                    self.visit_binding_identifier(id);
                    if let Some(symbol) = symbol {
                        self.identify(id.symbol_id.get(), symbol);
                    }
                }
                self.function(it, symbol);
            }
        }
    }

    /// The inside of a function, which is that of a symbol or counts to the one around it.
    pub(super) fn function(&mut self, it: &Function<'_>, symbol: Option<u32>) {
        self.callable(symbol, it.body.is_some(), |this| this.function_parts(it, symbol));
    }

    pub(super) fn arrow(&mut self, it: &ArrowFunctionExpression<'_>, symbol: Option<u32>) {
        self.callable(symbol, true, |this| this.arrow_parts(it, symbol));
    }

    pub(super) fn callable(
        &mut self,
        symbol: Option<u32>,
        has_body: bool,
        visit: impl FnOnce(&mut Self),
    ) {
        let is_open = |it: &Symbol| {
            it.declared_type.is_none()
                && !matches!(it.kind, SymbolKind::Constructor | SymbolKind::Setter)
                && !it.flags.has(SymbolFlags::GENERATOR)
        };
        let returning = symbol.filter(|it| is_open(self.symbol(*it)));
        let before = std::mem::replace(&mut self.returning, returning);
        self.callable_inside(symbol, has_body, visit);
        self.returning = before;
    }

    fn callable_inside(
        &mut self,
        symbol: Option<u32>,
        has_body: bool,
        visit: impl FnOnce(&mut Self),
    ) {
        let Some(symbol) = symbol else { return self.inside_closure(visit) };
        self.owners.push(symbol);
        if has_body {
            self.open_frame(symbol);
            visit(self);
            self.close_frame();
        } else {
            visit(self);
        }
        self.owners.pop();
    }

    pub(super) fn function_parts(&mut self, it: &Function<'_>, symbol: Option<u32>) {
        let before = self.open_scope(ScopeKind::Function, &it.scope_id, it.span, symbol);
        if let Some(parameters) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(parameters);
        }
        if let Some(this) = &it.this_param {
            self.visit_ts_this_parameter(this);
            self.bind_this(this);
        }
        self.parameters(&it.params, symbol, it.span.start);
        self.return_type(it.return_type.as_deref(), symbol);
        if let Some(body) = &it.body {
            self.visit_function_body(body);
        }
        self.scope = before;
    }

    pub(super) fn arrow_parts(&mut self, it: &ArrowFunctionExpression<'_>, symbol: Option<u32>) {
        let before = self.open_scope(ScopeKind::Function, &it.scope_id, it.span, symbol);
        if let Some(parameters) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(parameters);
        }
        self.parameters(&it.params, symbol, it.span.start);
        self.return_type(it.return_type.as_deref(), symbol);
        match it.body.as_expression() {
            Some(value) => self.returned(value),
            None => self.visit_arrow_function_body(&it.body),
        }
        self.scope = before;
    }

    pub(super) fn return_type(&mut self, it: Option<&TSTypeAnnotation<'_>>, symbol: Option<u32>) {
        if let Some(it) = it {
            self.in_position(TypePosition::Return, symbol.is_some(), |this| {
                this.visit_ts_type_annotation(it);
            });
        }
    }

    pub(super) fn return_type_text(&mut self, it: Option<&TSTypeAnnotation<'_>>) -> Option<NameId> {
        it.map(|it| self.type_text(it.type_annotation.span()))
    }

    // Variables.

    /// `local` where the names are bound by a loop, wherever it stands.
    pub(super) fn variables(&mut self, it: &VariableDeclaration<'_>, local: bool) {
        let (wrapper, mut flags) = self.take_export();
        if it.declare {
            flags.set(SymbolFlags::DECLARATION);
        }
        let single = it.declarations.len() == 1;
        for declarator in &it.declarations {
            let whole =
                if single { wrapper.unwrap_or(span(it.span)) } else { span(declarator.span) };
            let variable = Variable { declarator, kind: it.kind, whole, flags, local };
            if !self.module_variable(&variable, it.span) {
                self.variable(&variable);
            }
        }
    }

    fn variable(&mut self, variable: &Variable<'_, '_>) {
        let declarator = variable.declarator;
        if let BindingPattern::BindingIdentifier(id) = &declarator.id {
            if let Some(init) = &declarator.init {
                self.names_own_module(id, init);
                if let Some(value) = self.whole_module(init) {
                    let number = self.builder.facts.symbols.len() as u32;
                    if let Some(function) = function_value(bare(value)) {
                        self.function_variable(variable, id, &function, None);
                        self.exported_variable(init, number);
                        return;
                    }
                    if let Expression::ClassExpression(class) = bare(value) {
                        self.class_variable(variable, id, class);
                        self.exported_variable(init, number);
                        return;
                    }
                }
                if let Some(function) = function_value(bare(init)) {
                    return self.function_variable(variable, id, &function, None);
                }
                if let Some((function, call)) = wrapped_function(init) {
                    return self.function_variable(variable, id, &function, Some(call));
                }
                if let Expression::ClassExpression(class) = bare(init) {
                    return self.class_variable(variable, id, class);
                }
            }
            // Members of an object that has a type are looked for in the type.
            let is_seen = self.is_module_level(id.symbol_id.get())
                || (declarator.type_annotation.is_none()
                    && declarator.init.as_ref().is_some_and(has_functions));
            if !variable.local && is_seen {
                return self.value_variable(variable, id);
            }
        }
        let declared_type = self
            .declared_type(declarator.type_annotation.as_deref())
            .or_else(|| self.documented_type(variable.whole.start));
        let origin = declarator.init.as_ref().map_or(Origin::default(), |it| self.expression(it));
        let kind = match variable.kind {
            VariableDeclarationKind::Var | VariableDeclarationKind::Let => BindingKind::Variable,
            _ => BindingKind::Constant,
        };
        let target = Target {
            declared_type,
            module_flags: (!variable.local).then_some(variable.flags),
            ..Target::local(kind)
        };
        self.bind(&declarator.id, target, origin);
    }

    fn function_variable(
        &mut self,
        variable: &Variable<'_, '_>,
        id: &BindingIdentifier<'_>,
        function: &FunctionValue<'_, '_>,
        wrapper: Option<&CallExpression<'_>>,
    ) {
        let declarator = variable.declarator;
        let name = self.name(id.name.as_str(), id.span.start, LineType::Method);
        let mut signature = variable.signature(self, function.signature_end());
        close_parentheses(&mut signature);
        let declared_type = self.return_type_text(function.return_type());
        let mut flags = variable.flags;
        flags.0 |= function.flags().0;
        let symbol = self.define(Definition {
            kind: SymbolKind::Function,
            name,
            name_span: span(id.span),
            span: variable.whole,
            signature,
            body: function.body(),
            flags,
            visibility: None,
            declared_type,
        });
        self.identify(id.symbol_id.get(), symbol);
        self.owners.push(symbol);
        self.declared_type(declarator.type_annotation.as_deref());
        if let Some(init) = &declarator.init {
            self.cast_types(init);
        }
        if let Some(call) = wrapper {
            self.wrapper_call(call);
        }
        self.owners.pop();
        self.expected_type = expected_props(declarator.type_annotation.as_deref(), wrapper)
            .map(|written| self.type_text(written.span()));
        self.value_function(function, Some(symbol));
        if let Some(call) = wrapper {
            self.owners.push(symbol);
            call.arguments.iter().skip(1).for_each(|argument| self.visit_argument(argument));
            self.owners.pop();
        }
    }

    /// The types that [`bare`] looks through.
    fn cast_types(&mut self, it: &Expression<'_>) {
        let (value, written) = match it {
            Expression::ParenthesizedExpression(it) => return self.cast_types(&it.expression),
            Expression::TSAsExpression(it) => (&it.expression, &it.type_annotation),
            Expression::TSTypeAssertion(it) => (&it.expression, &it.type_annotation),
            Expression::TSSatisfiesExpression(it) => (&it.expression, &it.type_annotation),
            _ => return,
        };
        self.cast_types(value);
        if !is_const_assertion(written) {
            self.visit_ts_type(written);
        }
    }

    fn class_variable(
        &mut self,
        variable: &Variable<'_, '_>,
        id: &BindingIdentifier<'_>,
        class: &Class<'_>,
    ) {
        let name = self.name(id.name.as_str(), id.span.start, LineType::Struct);
        let symbol = self.define(Definition {
            kind: SymbolKind::Class,
            name,
            name_span: span(id.span),
            span: variable.whole,
            signature: variable.signature(self, class.body.span.start),
            body: Some(span(class.body.span)),
            flags: variable.flags,
            visibility: None,
            declared_type: None,
        });
        self.identify(id.symbol_id.get(), symbol);
        if let Some(inner) = &class.id {
            self.visit_binding_identifier(inner);
            self.identify(inner.symbol_id.get(), symbol);
        }
        self.owners.push(symbol);
        self.declared_type(variable.declarator.type_annotation.as_deref());
        self.owners.pop();
        if let Some(init) = &variable.declarator.init {
            self.cast_types(init);
        }
        self.class_parts(class, Some(symbol));
    }

    /// A variable of the file or of a namespace.
    fn value_variable(&mut self, variable: &Variable<'_, '_>, id: &BindingIdentifier<'_>) {
        let declarator = variable.declarator;
        let name = self.name(id.name.as_str(), id.span.start, LineType::Code);
        let value = declarator.init.as_ref().and_then(|init| self.literal_text(init));
        let annotation = declarator.type_annotation.as_deref();
        let is_const = variable.symbol_kind() == SymbolKind::Const;
        let end = match (&value, &declarator.init, annotation) {
            (Some(_), Some(init), _) => init.span().end,
            (.., Some(annotation)) => annotation.span.end,
            _ => id.span.end,
        };
        let declared_type = annotation.map(|it| self.type_text(it.type_annotation.span()));
        let symbol = self.define(Definition {
            kind: variable.symbol_kind(),
            name,
            name_span: span(id.span),
            span: variable.whole,
            signature: variable.signature(self, end),
            body: None,
            flags: variable.flags,
            visibility: None,
            declared_type,
        });
        self.symbol(symbol).value = value.filter(|_| is_const);
        self.identify(id.symbol_id.get(), symbol);
        self.owners.push(symbol);
        self.declared_type(annotation);
        if let Some(init) = &declarator.init {
            let value = self.exported_variable(init, symbol);
            let origin = match self.is_module_level(id.symbol_id.get()) {
                true => self.symbol_value(value),
                false => self.field_value(bare(value)),
            };
            self.set_origin(symbol, origin);
        }
        self.owners.pop();
    }

    /// The literal an expression is, without quotes.
    pub(super) fn literal_text(&self, it: &Expression<'_>) -> Option<String> {
        let text = |at| self.builder.text(at).to_owned();
        match it {
            Expression::StringLiteral(it) => Some(text(inside_quotes(it.span))),
            Expression::TemplateLiteral(it) if it.expressions.is_empty() => {
                Some(text(inside_quotes(it.span)))
            }
            Expression::NumericLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_) => Some(text(span(it.span()))),
            Expression::UnaryExpression(unary)
                if matches!(unary.argument, Expression::NumericLiteral(_))
                    && unary.operator.is_arithmetic() =>
            {
                Some(text(span(unary.span)))
            }
            Expression::ParenthesizedExpression(it) => self.literal_text(&it.expression),
            Expression::TSAsExpression(it) if is_const_assertion(&it.type_annotation) => {
                self.literal_text(&it.expression)
            }
            _ => None,
        }
    }
}

/// A signature that ends inside `memo(…)` or inside parentheses lacks their ends.
fn close_parentheses(signature: &mut String) {
    let count = |sign| signature.matches(sign).count();
    let missing = count('(').saturating_sub(count(')'));
    signature.extend(std::iter::repeat_n(')', missing));
}

/// The type of the properties of a component that is said outside its parameters: by
/// `const Name: FC<Props> = …`, `memo<Props>(…)` or `forwardRef<Element, Props>(…)`.
fn expected_props<'t, 'a>(
    annotation: Option<&'t TSTypeAnnotation<'a>>,
    wrapper: Option<&'t CallExpression<'a>>,
) -> Option<&'t TSType<'a>> {
    if let Some(call) = wrapper {
        return call.type_arguments.as_ref()?.params.last();
    }
    let TSType::TSTypeReference(reference) = &annotation?.type_annotation else { return None };
    let name = match &reference.type_name {
        TSTypeName::IdentifierReference(it) => it.name.as_str(),
        TSTypeName::QualifiedName(it) => it.right.name.as_str(),
        TSTypeName::ThisExpression(_) => return None,
    };
    if COMPONENT_TYPES.contains(&name) {
        reference.type_arguments.as_ref()?.params.first()
    } else {
        None
    }
}

/// One declarator with what its statement says of it.
pub(super) struct Variable<'t, 'a> {
    pub(super) declarator: &'t VariableDeclarator<'a>,
    pub(super) kind: VariableDeclarationKind,
    pub(super) whole: Span,
    pub(super) flags: SymbolFlags,
    pub(super) local: bool,
}

impl Variable<'_, '_> {
    fn symbol_kind(&self) -> SymbolKind {
        match self.kind {
            VariableDeclarationKind::Var | VariableDeclarationKind::Let => SymbolKind::Var,
            _ => SymbolKind::Const,
        }
    }

    /// The keyword and the declarator up to a place.
    fn signature(&self, collector: &Collector<'_>, end: u32) -> String {
        let mut text = self.kind.as_str().to_owned();
        if self.flags.has(SymbolFlags::DECLARATION) {
            text.insert_str(0, "declare ");
        }
        text.push(' ');
        text.push_str(&collector.signature(self.declarator.span.start, end));
        text
    }
}
