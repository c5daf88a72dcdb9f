//! Members of interfaces, object types and objects.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use model::{LineType, LiteralKind, NameId, Origin, ScopeKind, Span, SymbolFlags, SymbolKind};

use super::collector::{Collector, Definition, span};
use super::declarations::{FunctionValue, bare, flags, function_value};
use super::expressions::literal;
use super::visit::inside_quotes;

/// A name longer than this is an expression, not a name.
const MAX_COMPUTED_NAME: usize = 128;

impl Collector<'_> {
    /// Visits the key of a property and gives its name and where that stands.
    pub(super) fn key(
        &mut self,
        it: &PropertyKey<'_>,
        line_type: LineType,
    ) -> Option<(NameId, Span)> {
        match it {
            PropertyKey::StaticIdentifier(it) => {
                Some((self.name(it.name.as_str(), it.span.start, line_type), span(it.span)))
            }
            PropertyKey::PrivateIdentifier(it) => {
                Some((self.private_name(it, line_type), span(it.span)))
            }
            PropertyKey::StringLiteral(it) => {
                self.visit_string_literal(it);
                let inside = inside_quotes(it.span);
                let text = self.builder.text(inside);
                (!text.is_empty()).then(|| (self.builder.intern(text), inside))
            }
            other => {
                self.visit_property_key(other);
                let at = self.with_brackets(span(other.span()));
                let text = self.builder.text(at);
                let is_name = !text.is_empty()
                    && text.len() <= MAX_COMPUTED_NAME
                    && !text.contains(char::is_whitespace);
                is_name.then(|| (self.builder.intern(text), at))
            }
        }
    }

    /// A computed name is called as it is written: `[Symbol.iterator]`.
    fn with_brackets(&self, at: Span) -> Span {
        let wider = Span::new(at.start.saturating_sub(1), at.end + 1);
        let text = self.builder.text(wider);
        if text.starts_with('[') && text.ends_with(']') { wider } else { at }
    }

    /// The members of an interface or object type.
    pub(super) fn signatures(&mut self, members: &[TSSignature<'_>]) {
        for member in members {
            match member {
                TSSignature::TSPropertySignature(it) => self.property_signature(it),
                TSSignature::TSMethodSignature(it) => self.method_signature(it),
                TSSignature::TSConstructSignatureDeclaration(it) => self.construct_signature(it),
                other => self.visit_ts_signature(other),
            }
        }
    }

    fn property_signature(&mut self, it: &TSPropertySignature<'_>) {
        let annotation = it.type_annotation.as_deref();
        let Some((name, name_span)) = self.key(&it.key, LineType::Property) else {
            annotation.into_iter().for_each(|it| self.visit_ts_type_annotation(it));
            return;
        };
        let declared_type = annotation.map(|it| self.type_text(it.type_annotation.span()));
        let symbol = self.define(Definition {
            kind: SymbolKind::Property,
            name,
            name_span,
            span: span(it.span),
            signature: self.signature(it.span.start, it.span.end),
            body: None,
            flags: flags(&[
                (it.optional, SymbolFlags::OPTIONAL),
                (it.readonly, SymbolFlags::READONLY),
            ]),
            visibility: None,
            declared_type,
        });
        self.owners.push(symbol);
        self.declared_type(annotation);
        self.owners.pop();
    }

    fn method_signature(&mut self, it: &TSMethodSignature<'_>) {
        let Some((name, name_span)) = self.key(&it.key, LineType::Method) else {
            return self.visit_ts_method_signature(it);
        };
        let kind = match it.kind {
            TSMethodSignatureKind::Method => SymbolKind::Method,
            TSMethodSignatureKind::Get => SymbolKind::Getter,
            TSMethodSignatureKind::Set => SymbolKind::Setter,
        };
        let declared_type = self.return_type_text(it.return_type.as_deref());
        let symbol = self.define(Definition {
            kind,
            name,
            name_span,
            span: span(it.span),
            signature: self.signature(it.span.start, it.span.end),
            body: None,
            flags: flags(&[(it.optional, SymbolFlags::OPTIONAL), (true, SymbolFlags::DECLARATION)]),
            visibility: None,
            declared_type,
        });
        self.owners.push(symbol);
        let before = self.open_scope(ScopeKind::Function, &it.scope_id, it.span, Some(symbol));
        if let Some(parameters) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(parameters);
        }
        if let Some(this) = &it.this_param {
            self.visit_ts_this_parameter(this);
        }
        self.parameters(&it.params, Some(symbol), it.span.start);
        self.return_type(it.return_type.as_deref(), Some(symbol));
        self.scope = before;
        self.owners.pop();
    }

    /// `new (…): Type`.
    fn construct_signature(&mut self, it: &TSConstructSignatureDeclaration<'_>) {
        let name_span = Span::new(it.span.start, it.span.start + 3);
        let name = self.builder.intern("new");
        let declared_type = self.return_type_text(it.return_type.as_deref());
        let symbol = self.define(Definition {
            kind: SymbolKind::Constructor,
            name,
            name_span,
            span: span(it.span),
            signature: self.signature(it.span.start, it.span.end),
            body: None,
            flags: SymbolFlags::DECLARATION,
            visibility: None,
            declared_type,
        });
        self.owners.push(symbol);
        let before = self.open_scope(ScopeKind::Function, &it.scope_id, it.span, Some(symbol));
        if let Some(parameters) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(parameters);
        }
        self.parameters(&it.params, Some(symbol), it.span.start);
        self.return_type(it.return_type.as_deref(), Some(symbol));
        self.scope = before;
        self.owners.pop();
    }

    // Objects.

    /// The value of a symbol. The members of an object are members of the symbol.
    pub(super) fn symbol_value(&mut self, it: &Expression<'_>) -> Origin {
        match (it, bare(it)) {
            (Expression::TSAsExpression(_) | Expression::TSTypeAssertion(_), _) => {
                self.cast_value(it)
            }
            (Expression::TSSatisfiesExpression(it), _) => {
                let origin = self.symbol_value(&it.expression);
                self.visit_ts_type(&it.type_annotation);
                origin
            }
            (_, Expression::ObjectExpression(object)) => {
                self.object_members(object, 1);
                literal(LiteralKind::Map)
            }
            _ => self.expression(it),
        }
    }

    /// The value of a field. What an object in it does is worth a name, what it holds is not.
    pub(super) fn field_value(&mut self, it: &Expression<'_>) -> Origin {
        match it {
            Expression::ObjectExpression(object) => {
                self.object_members(object, 2);
                literal(LiteralKind::Map)
            }
            other => self.expression(other),
        }
    }

    fn cast_value(&mut self, it: &Expression<'_>) -> Origin {
        let (value, written) = match it {
            Expression::TSAsExpression(it) => (&it.expression, &it.type_annotation),
            Expression::TSTypeAssertion(it) => (&it.expression, &it.type_annotation),
            other => return self.expression(other),
        };
        if matches!(bare(value), Expression::ObjectExpression(_)) {
            let origin = self.symbol_value(value);
            self.cast_type(written).unwrap_or(origin)
        } else {
            self.expression(it)
        }
    }

    /// At the first level every member is a symbol, further inside only functions.
    pub(super) fn object_members(&mut self, it: &ObjectExpression<'_>, depth: u32) {
        for property in &it.properties {
            match property {
                ObjectPropertyKind::ObjectProperty(it) => self.object_member(it, depth),
                ObjectPropertyKind::SpreadProperty(it) => {
                    self.expression(&it.argument);
                }
            }
        }
    }

    pub(super) fn object_member(&mut self, it: &ObjectProperty<'_>, depth: u32) {
        if let Some(function) = function_value(&it.value) {
            return self.object_method(it, &function);
        }
        if let Expression::ClassExpression(class) = bare(&it.value) {
            return self.object_class(it, class);
        }
        let inner = match bare(&it.value) {
            Expression::ObjectExpression(inner) => Some(inner),
            _ => None,
        };
        if depth > 1 {
            match inner {
                Some(inner) => {
                    self.key(&it.key, LineType::Code);
                    self.object_members(inner, depth + 1);
                }
                None => self.property(it),
            }
            return;
        }
        let Some((name, name_span)) = self.key(&it.key, LineType::Property) else {
            self.expression(&it.value);
            return;
        };
        let end = match self.literal_text(&it.value) {
            Some(_) => it.span.end,
            None => it.key.span().end + u32::from(it.computed),
        };
        let symbol = self.define(Definition {
            kind: SymbolKind::Property,
            name,
            name_span,
            span: span(it.span),
            signature: self.signature(it.span.start, end),
            body: None,
            flags: SymbolFlags::default(),
            visibility: None,
            declared_type: None,
        });
        self.owners.push(symbol);
        let origin = match inner {
            Some(inner) => {
                self.object_members(inner, depth + 1);
                literal(LiteralKind::Map)
            }
            None => self.expression(&it.value),
        };
        self.owners.pop();
        self.set_origin(symbol, origin);
    }

    /// `{ Name: class { … } }`.
    fn object_class(&mut self, it: &ObjectProperty<'_>, class: &Class<'_>) {
        let Some((name, name_span)) = self.key(&it.key, LineType::Struct) else {
            return self.class_parts(class, None);
        };
        let symbol = self.define(Definition {
            kind: SymbolKind::Class,
            name,
            name_span,
            span: span(it.span),
            signature: self.signature(it.span.start, class.body.span.start),
            body: Some(span(class.body.span)),
            flags: SymbolFlags::default(),
            visibility: None,
            declared_type: None,
        });
        if let Some(id) = &class.id {
            self.visit_binding_identifier(id);
            self.identify(id.symbol_id.get(), symbol);
        }
        self.class_parts(class, Some(symbol));
    }

    fn object_method(&mut self, it: &ObjectProperty<'_>, function: &FunctionValue<'_, '_>) {
        let Some((name, name_span)) = self.key(&it.key, LineType::Method) else {
            return self.value_function(function, None);
        };
        let kind = match it.kind {
            PropertyKind::Init => SymbolKind::Method,
            PropertyKind::Get => SymbolKind::Getter,
            PropertyKind::Set => SymbolKind::Setter,
        };
        let declared_type = self.return_type_text(function.return_type());
        let symbol = self.define(Definition {
            kind,
            name,
            name_span,
            span: span(it.span),
            signature: self.signature(it.span.start, function.signature_end()),
            body: function.body(),
            flags: function.flags(),
            visibility: None,
            declared_type,
        });
        self.value_function(function, Some(symbol));
    }
}
