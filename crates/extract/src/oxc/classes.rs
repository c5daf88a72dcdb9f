//! Classes and their members.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use model::{LineType, Role, ScopeKind, Span, SymbolFlags, SymbolKind, TypePosition, Visibility};

use super::collector::{ClassFrame, Collector, Definition, Use, span};
use super::declarations::{flags, function_flags, function_value};

pub(super) const fn visibility(written: TSAccessibility) -> Visibility {
    match written {
        TSAccessibility::Public => Visibility::Public,
        TSAccessibility::Protected => Visibility::Protected,
        TSAccessibility::Private => Visibility::Private,
    }
}

/// What a modifier says, or the sign of a private name.
fn member_visibility(
    accessibility: Option<TSAccessibility>,
    key: &PropertyKey<'_>,
) -> Option<Visibility> {
    match key {
        PropertyKey::PrivateIdentifier(_) => Some(Visibility::Private),
        _ => accessibility.map(visibility),
    }
}

impl Collector<'_> {
    pub(super) fn class_declaration(&mut self, it: &Class<'_>) {
        let default = self.export.and_then(|wrapper| wrapper.default);
        let (wrapper, mut all) = self.take_export();
        let (name, name_span) = match (&it.id, default) {
            (Some(id), _) => {
                (self.name(id.name.as_str(), id.span.start, LineType::Struct), span(id.span))
            }
            (None, Some(keyword)) => (self.builder.intern("default"), keyword),
            (None, None) => return self.class_parts(it, None),
        };
        all.0 |= class_flags(it).0;
        let symbol = self.define(Definition {
            kind: SymbolKind::Class,
            name,
            name_span,
            span: with_decorators(wrapper.unwrap_or(span(it.span)), &it.decorators),
            signature: self.class_signature(it),
            body: Some(span(it.body.span)),
            flags: all,
            visibility: None,
            declared_type: None,
        });
        self.identify(it.id.as_ref().and_then(|id| id.symbol_id.get()), symbol);
        self.class_parts(it, Some(symbol));
    }

    /// A class expression; one with a name is a symbol.
    pub(super) fn class_expression(&mut self, it: &Class<'_>) {
        let Some(id) = &it.id else { return self.class_parts(it, None) };
        let name = self.name(id.name.as_str(), id.span.start, LineType::Struct);
        let symbol = self.define(Definition {
            kind: SymbolKind::Class,
            name,
            name_span: span(id.span),
            span: span(it.span),
            signature: self.class_signature(it),
            body: Some(span(it.body.span)),
            flags: class_flags(it),
            visibility: None,
            declared_type: None,
        });
        self.identify(id.symbol_id.get(), symbol);
        self.class_parts(it, Some(symbol));
    }

    /// Decorators may stand before or after `export`; the signature begins behind them.
    fn class_signature(&self, it: &Class<'_>) -> String {
        let start =
            it.decorators.last().map_or(it.span.start, |last| last.span.end.max(it.span.start));
        self.signature(start, it.body.span.start)
    }

    /// The inside of a class.
    pub(super) fn class_parts(&mut self, it: &Class<'_>, symbol: Option<u32>) {
        match symbol {
            Some(symbol) => {
                self.decorators(symbol, &it.decorators);
                self.owners.push(symbol);
            }
            None => it.decorators.iter().for_each(|decorator| self.decorator(decorator)),
        }
        let before = self.open_scope(ScopeKind::Type, &it.scope_id, it.span, symbol);
        if let Some(parameters) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(parameters);
        }
        if let Some(heritage) = &it.heritage {
            self.callee(&heritage.expression, Use::of(Role::Extends));
            if let Some(arguments) = &heritage.type_arguments {
                self.visit_ts_type_parameter_instantiation(arguments);
            }
        }
        it.implements.iter().for_each(|implemented| self.visit_ts_class_implements(implemented));
        let frame = ClassFrame { symbol, members: self.declared_members(&it.body) };
        self.classes.push(frame);
        for element in &it.body.body {
            match element {
                ClassElement::MethodDefinition(it) => self.method(it),
                ClassElement::PropertyDefinition(it) => self.field(it),
                ClassElement::AccessorProperty(it) => self.accessor(it),
                other => self.visit_class_element(other),
            }
        }
        self.classes.pop();
        self.scope = before;
        if symbol.is_some() {
            self.owners.pop();
        }
    }

    /// Names that the body of a class declares. Only JavaScript needs them: there a member may also
    /// come to be by an assignment.
    fn declared_members(&mut self, body: &ClassBody<'_>) -> Vec<model::NameId> {
        if !self.source_type.is_javascript() {
            return Vec::new();
        }
        let names = body.body.iter().filter_map(|element| element.static_name());
        names.map(|name| self.builder.intern(&name)).collect()
    }

    fn method(&mut self, it: &MethodDefinition<'_>) {
        let line_type = LineType::Method;
        let Some((name, name_span)) = self.key(&it.key, line_type) else {
            return self.function(&it.value, None);
        };
        let kind = match it.kind {
            MethodDefinitionKind::Constructor => SymbolKind::Constructor,
            MethodDefinitionKind::Method => SymbolKind::Method,
            MethodDefinitionKind::Get => SymbolKind::Getter,
            MethodDefinitionKind::Set => SymbolKind::Setter,
        };
        let is_abstract = it.r#type == MethodDefinitionType::TSAbstractMethodDefinition;
        let function = &it.value;
        let mut all = flags(&[
            (it.r#static, SymbolFlags::STATIC),
            (is_abstract, SymbolFlags::ABSTRACT),
            (it.optional, SymbolFlags::OPTIONAL),
            (it.r#override, SymbolFlags::OVERRIDE),
            (!is_abstract && function.body.is_none(), SymbolFlags::DECLARATION),
        ]);
        all.0 |= function_flags(function).0;
        let end = function.body.as_ref().map_or(it.span.end, |body| body.span.start);
        let declared_type = self.return_type_text(function.return_type.as_deref());
        let symbol = self.define(Definition {
            kind,
            name,
            name_span,
            span: with_decorators(span(it.span), &it.decorators),
            signature: self.signature(behind_decorators(it.span, &it.decorators), end),
            body: function.body.as_ref().map(|body| span(body.span)),
            flags: all,
            visibility: member_visibility(it.accessibility, &it.key),
            declared_type,
        });
        self.decorators(symbol, &it.decorators);
        self.function(function, Some(symbol));
    }

    fn field(&mut self, it: &PropertyDefinition<'_>) {
        let function = it.value.as_ref().and_then(function_value);
        let line_type = if function.is_some() { LineType::Method } else { LineType::Property };
        let Some((name, name_span)) = self.key(&it.key, line_type) else {
            it.value.iter().for_each(|value| self.visit_expression(value));
            return;
        };
        let is_abstract = it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition;
        let mut all = flags(&[
            (it.r#static, SymbolFlags::STATIC),
            (is_abstract, SymbolFlags::ABSTRACT),
            (it.declare, SymbolFlags::DECLARATION),
            (it.optional, SymbolFlags::OPTIONAL),
            (it.readonly, SymbolFlags::READONLY),
            (it.r#override, SymbolFlags::OVERRIDE),
        ]);
        let annotation = it.type_annotation.as_deref();
        let (kind, end, body, declared_type) = match &function {
            // A field that holds a function is called like a method.
            Some(function) => {
                all.0 |= function.flags().0;
                let returned = self.return_type_text(function.return_type());
                (SymbolKind::Method, function.signature_end(), function.body(), returned)
            }
            None => {
                let end = annotation.map_or(it.key.span().end, |it| it.span.end);
                let end = end + u32::from(it.computed && annotation.is_none());
                let declared = annotation.map(|it| self.type_text(it.type_annotation.span()));
                (SymbolKind::Field, end, None, declared)
            }
        };
        let symbol = self.define(Definition {
            kind,
            name,
            name_span,
            span: with_decorators(span(it.span), &it.decorators),
            signature: self.signature(behind_decorators(it.span, &it.decorators), end),
            body,
            flags: all,
            visibility: member_visibility(it.accessibility, &it.key),
            declared_type,
        });
        self.decorators(symbol, &it.decorators);
        self.owners.push(symbol);
        self.declared_type(annotation);
        if let (None, Some(value)) = (&function, &it.value) {
            let origin = self.field_value(value);
            self.set_origin(symbol, origin);
        }
        self.owners.pop();
        if let Some(function) = &function {
            self.value_function(function, Some(symbol));
        }
    }

    /// `accessor name = value`.
    fn accessor(&mut self, it: &AccessorProperty<'_>) {
        let Some((name, name_span)) = self.key(&it.key, LineType::Property) else { return };
        let is_abstract = it.r#type == AccessorPropertyType::TSAbstractAccessorProperty;
        let annotation = it.type_annotation.as_deref();
        let end = annotation.map_or(it.key.span().end, |it| it.span.end);
        let declared_type = annotation.map(|it| self.type_text(it.type_annotation.span()));
        let symbol = self.define(Definition {
            kind: SymbolKind::Field,
            name,
            name_span,
            span: with_decorators(span(it.span), &it.decorators),
            signature: self.signature(behind_decorators(it.span, &it.decorators), end),
            body: None,
            flags: flags(&[
                (it.r#static, SymbolFlags::STATIC),
                (is_abstract, SymbolFlags::ABSTRACT),
                (it.r#override, SymbolFlags::OVERRIDE),
            ]),
            visibility: member_visibility(it.accessibility, &it.key),
            declared_type,
        });
        self.decorators(symbol, &it.decorators);
        self.owners.push(symbol);
        self.in_position(TypePosition::Declared, true, |this| {
            annotation.into_iter().for_each(|it| this.visit_ts_type_annotation(it));
        });
        if let Some(value) = &it.value {
            let origin = self.expression(value);
            self.set_origin(symbol, origin);
        }
        self.owners.pop();
    }
}

fn class_flags(it: &Class<'_>) -> SymbolFlags {
    flags(&[(it.r#abstract, SymbolFlags::ABSTRACT), (it.declare, SymbolFlags::DECLARATION)])
}

/// A definition begins with its decorators, wherever the tree puts them.
fn with_decorators(at: Span, decorators: &[Decorator<'_>]) -> Span {
    let start = decorators.first().map_or(at.start, |first| first.span.start.min(at.start));
    Span::new(start, at.end)
}

fn behind_decorators(at: ::oxc_span::Span, decorators: &[Decorator<'_>]) -> u32 {
    decorators.last().map_or(at.start, |last| last.span.end.max(at.start))
}
