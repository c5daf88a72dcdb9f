//! Names bound by parameters, variables and patterns.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use model::{
    Base, Binding, BindingKind, LineType, NameId, Origin, Step, SymbolFlags, SymbolKind,
    TypePosition,
};

use super::classes::visibility;
use super::collector::{Collector, Definition, UNKNOWN, Use, span, then, value_of};
use super::declarations::flags;

/// What the names of a pattern are to become.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub(super) kind: BindingKind,
    pub(super) declared_type: Option<NameId>,
    /// The callable whose parameter it is.
    pub(super) symbol: Option<u32>,
    pub(super) optional: bool,
    pub(super) variadic: bool,
    /// Names at the level of the module are symbols with these flags.
    pub(super) module_flags: Option<SymbolFlags>,
}

impl Target {
    pub(super) const fn local(kind: BindingKind) -> Self {
        Self {
            kind,
            declared_type: None,
            symbol: None,
            optional: false,
            variadic: false,
            module_flags: None,
        }
    }
}

impl Collector<'_> {
    /// Binds the names of a pattern to what it takes apart.
    pub(super) fn bind(&mut self, pattern: &BindingPattern<'_>, target: Target, origin: Origin) {
        match pattern {
            BindingPattern::BindingIdentifier(id) => self.bind_name(id, target, origin),
            BindingPattern::AssignmentPattern(it) => {
                let default = self.expression(&it.right);
                let says_nothing =
                    matches!(origin.base, Base::None | Base::Unknown | Base::Literal(_));
                let origin = if says_nothing { default } else { origin };
                self.bind(&it.left, target, origin);
            }
            BindingPattern::ObjectPattern(it) => {
                let (target, origin) = self.taken_apart(target, origin);
                for property in &it.properties {
                    self.bind_property(property, target, origin);
                }
                if let Some(rest) = &it.rest {
                    self.bind(&rest.argument, target, UNKNOWN);
                }
            }
            BindingPattern::ArrayPattern(it) => {
                let (target, origin) = self.taken_apart(target, origin);
                for (index, element) in it.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    let place = u8::try_from(index)
                        .map_or(UNKNOWN, |index| then(origin, Step::Position(index)));
                    self.bind(element, target, place);
                }
                if let Some(rest) = &it.rest {
                    self.bind(&rest.argument, target, UNKNOWN);
                }
            }
        }
    }

    /// The declared type of the whole says where the parts come from.
    fn taken_apart(&self, target: Target, origin: Origin) -> (Target, Origin) {
        let origin = match target.declared_type {
            Some(name) => Origin { base: Base::Type(name), step: Step::Same },
            None => origin,
        };
        (Target { declared_type: None, ..target }, origin)
    }

    fn bind_property(&mut self, it: &BindingProperty<'_>, target: Target, origin: Origin) {
        let key = if it.shorthand {
            // Key and name are the same word, which binding records.
            it.key.static_name().map(|name| self.builder.intern(&name))
        } else {
            self.key(&it.key, LineType::Code).map(|(name, _)| name)
        };
        let key = key.filter(|_| !it.computed || matches!(it.key, PropertyKey::StringLiteral(_)));
        let Some(key) = key else {
            return self.bind(&it.value, target, then(origin, Step::Element));
        };
        let inner = match &it.value {
            BindingPattern::AssignmentPattern(it) => &it.left,
            other => other,
        };
        let taken = match inner {
            BindingPattern::BindingIdentifier(_) => then(origin, Step::Member(key)),
            // Only one step can be kept, so the member in between is a use of its own.
            _ if origin != UNKNOWN && origin != Origin::default() => {
                value_of(self.use_member(key, it.key.span().start, Use::READ, origin))
            }
            _ => UNKNOWN,
        };
        self.bind(&it.value, target, taken);
    }

    pub(super) fn bind_name(&mut self, id: &BindingIdentifier<'_>, target: Target, origin: Origin) {
        let symbol_id = id.symbol_id.get();
        let name = self.name(id.name.as_str(), id.span.start, LineType::Code);
        if let Some(flags) = target.module_flags
            && self.is_module_level(symbol_id)
        {
            let (kind, word) = match target.kind {
                BindingKind::Constant => (SymbolKind::Const, "const "),
                _ => (SymbolKind::Var, "let "),
            };
            let symbol = self.define(Definition {
                kind,
                name,
                name_span: span(id.span),
                span: span(id.span),
                signature: word.to_owned() + id.name.as_str(),
                body: None,
                flags,
                visibility: None,
                declared_type: target.declared_type,
            });
            self.set_origin(symbol, origin);
            self.identify(symbol_id, symbol);
            return;
        }
        if let Some(symbol_id) = symbol_id {
            self.locals[symbol_id.index()] = true;
        }
        if target.kind == BindingKind::TypeParameter && self.is_bound_in_type(symbol_id) {
            return;
        }
        self.mark_used(origin);
        if let (Some(symbol_id), None, BindingKind::Variable, true) =
            (symbol_id, target.declared_type, target.kind, origin == Origin::default())
        {
            self.blank.insert(symbol_id, self.builder.facts.bindings.len() as u32);
        }
        let scope = self.scope_of(symbol_id);
        self.builder.facts.bindings.push(Binding {
            name,
            kind: target.kind,
            scope,
            start: id.span.start,
            declared_type: target.declared_type,
            origin,
            symbol: target.symbol,
            optional: target.optional,
            variadic: target.variadic,
        });
    }

    // Parameters.

    /// `start` is where the function begins: a comment above one that is no symbol is its documentation.
    pub(super) fn parameters(
        &mut self,
        it: &FormalParameters<'_>,
        symbol: Option<u32>,
        start: u32,
    ) {
        let said = match symbol.is_none() && !it.items.is_empty() {
            true => self.documented_parameters(start),
            false => Vec::new(),
        };
        let mut expected = self.expected_type.take();
        let mut argument = self.expected_origin.take();
        for parameter in &it.items {
            let documented = || {
                let BindingPattern::BindingIdentifier(id) = &parameter.pattern else { return None };
                let name = id.name.as_str();
                let is_it = |(_, said): &&(NameId, NameId)| self.builder.facts.name(*said) == name;
                said.iter().find(is_it).map(|(text, _)| *text)
            };
            let expected = expected.take().or_else(documented);
            self.parameter(parameter, symbol, expected, argument.take());
        }
        if let Some(rest) = &it.rest {
            rest.decorators.iter().for_each(|decorator| self.decorator(decorator));
            let declared_type = self.parameter_type(rest.type_annotation.as_deref(), symbol);
            let target = Target {
                declared_type,
                symbol,
                variadic: true,
                ..Target::local(BindingKind::Parameter)
            };
            self.bind_parameter(&rest.rest.argument, None, target, Origin::default());
        }
    }

    /// `function (this: Type)`: what `this` is inside.
    pub(super) fn bind_this(&mut self, it: &TSThisParameter<'_>) {
        let Some(annotation) = &it.type_annotation else { return };
        let declared_type = Some(self.type_text(annotation.type_annotation.span()));
        let name = self.builder.intern("this");
        self.builder.facts.bindings.push(Binding {
            name,
            kind: BindingKind::Pattern,
            scope: self.scope,
            start: it.span.start,
            declared_type,
            origin: Origin::default(),
            symbol: None,
            optional: false,
            variadic: false,
        });
    }

    fn parameter(
        &mut self,
        it: &FormalParameter<'_>,
        symbol: Option<u32>,
        expected: Option<NameId>,
        argument: Option<Origin>,
    ) {
        it.decorators.iter().for_each(|decorator| self.decorator(decorator));
        let declared_type = self.parameter_type(it.type_annotation.as_deref(), symbol).or(expected);
        if it.accessibility.is_some() || it.readonly || it.r#override {
            self.parameter_property(it, declared_type);
        }
        let argument = argument.filter(|_| declared_type.is_none()).unwrap_or_default();
        let origin = it.initializer.as_ref().map_or(argument, |it| self.expression(it));
        let target = Target {
            declared_type,
            symbol,
            optional: it.optional || it.initializer.is_some(),
            ..Target::local(BindingKind::Parameter)
        };
        self.bind_parameter(&it.pattern, it.type_annotation.as_deref(), target, origin);
    }

    /// A parameter that is taken apart is one parameter, and its parts are patterns.
    fn bind_parameter(
        &mut self,
        pattern: &BindingPattern<'_>,
        annotation: Option<&TSTypeAnnotation<'_>>,
        target: Target,
        origin: Origin,
    ) {
        if matches!(pattern, BindingPattern::BindingIdentifier(_)) {
            return self.bind(pattern, target, origin);
        }
        let name = self.type_text(pattern.span());
        self.builder.facts.bindings.push(Binding {
            name,
            kind: target.kind,
            scope: self.scope,
            start: pattern.span().start,
            declared_type: target.declared_type,
            origin: Origin::default(),
            symbol: target.symbol,
            optional: target.optional,
            variadic: target.variadic,
        });
        let parts =
            Target { declared_type: target.declared_type, ..Target::local(BindingKind::Pattern) };
        match (pattern, annotation.map(|it| &it.type_annotation)) {
            (BindingPattern::ObjectPattern(it), Some(TSType::TSTypeLiteral(literal))) => {
                self.bind_written_parts(it, literal, parts, origin);
            }
            _ => self.bind(pattern, parts, origin),
        }
    }

    /// `({ a, b }: { a: A; b: B })`: the type of each part is written beside it.
    fn bind_written_parts(
        &mut self,
        it: &ObjectPattern<'_>,
        literal: &TSTypeLiteral<'_>,
        target: Target,
        origin: Origin,
    ) {
        let (target, origin) = self.taken_apart(target, origin);
        for property in &it.properties {
            let key = property.key.static_name().filter(|_| !property.computed);
            let declared_type = literal.members.iter().find_map(|member| match member {
                TSSignature::TSPropertySignature(member)
                    if !member.computed && key.is_some() && member.key.static_name() == key =>
                {
                    let annotation = member.type_annotation.as_deref()?;
                    Some(self.type_text(annotation.type_annotation.span()))
                }
                _ => None,
            });
            self.bind_property(property, Target { declared_type, ..target }, origin);
        }
        if let Some(rest) = &it.rest {
            self.bind(&rest.argument, target, UNKNOWN);
        }
    }

    /// `constructor(private readonly name: Type)` declares a field.
    fn parameter_property(&mut self, it: &FormalParameter<'_>, declared_type: Option<NameId>) {
        let BindingPattern::BindingIdentifier(id) = &it.pattern else { return };
        let Some(class) = self.classes.last().and_then(|class| class.symbol) else { return };
        let name = self.name(id.name.as_str(), id.span.start, LineType::Property);
        let end = it.initializer.as_ref().map_or(it.span.end, |value| value.span().start);
        let start = it.decorators.last().map_or(it.span.start, |decorator| decorator.span.end);
        let symbol = self.define_in(
            Some(class),
            Definition {
                kind: SymbolKind::Field,
                name,
                name_span: span(id.span),
                span: span(it.span),
                signature: self.signature(start, end),
                body: None,
                flags: flags(&[
                    (it.readonly, SymbolFlags::READONLY),
                    (it.optional, SymbolFlags::OPTIONAL),
                    (it.r#override, SymbolFlags::OVERRIDE),
                ]),
                visibility: it.accessibility.map(visibility),
                declared_type,
            },
        );
        if let Some(class) = self.classes.last_mut() {
            class.members.push(name);
        }
        self.decorator_texts(symbol, &it.decorators);
    }

    fn parameter_type(
        &mut self,
        it: Option<&TSTypeAnnotation<'_>>,
        symbol: Option<u32>,
    ) -> Option<NameId> {
        let it = it?;
        self.in_position(TypePosition::Parameter, symbol.is_some(), |this| {
            this.visit_ts_type_annotation(it);
        });
        Some(self.type_text(it.type_annotation.span()))
    }
}
