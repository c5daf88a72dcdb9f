//! Assignments: writes, and the definitions that are written as assignments.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use ::oxc_syntax::operator::AssignmentOperator;
use model::{
    Base, LineType, LiteralKind, NameId, Origin, Role, Span, Symbol, SymbolFlags, SymbolKind,
};

use super::collector::{Collector, Definition, NONE, UNKNOWN, Use, span};
use super::commonjs::root;
use super::declarations::{FunctionValue, bare, function_value, has_functions};
use super::expressions::literal;

impl Collector<'_> {
    pub(super) fn assignment(&mut self, it: &AssignmentExpression<'_>) -> Origin {
        if it.operator == AssignmentOperator::Assign {
            if let Some(origin) = self.commonjs_export(it) {
                return origin;
            }
            if let AssignmentTarget::StaticMemberExpression(member) = &it.left {
                if let Some(function) = function_value(&it.right)
                    && let Some(owner) = self.assigned_owner(&member.object)
                {
                    self.assigned_method(it, member, &function, owner);
                    return Origin::default();
                }
                if let Some(function) = function_value(&it.right)
                    && let Some(path) = self.path_to_owner(&member.object)
                {
                    self.assigned_elsewhere(it, member, &function, &path);
                    return Origin::default();
                }
                if let Expression::ClassExpression(class) = bare(&it.right)
                    && self.assigned_class(it, member, class)
                {
                    return UNKNOWN;
                }
                if let Some(origin) = self.assigned_field(it, member) {
                    return origin;
                }
                if member.property.name.as_str() == "prototype"
                    && let Some(owner) = self.assigned_owner(&member.object)
                {
                    return self.assigned_prototype(it, owner);
                }
                if (has_functions(&it.right) || self.is_other_name(it, member))
                    && let Some(origin) = self.assigned_object(it, member)
                {
                    return origin;
                }
            }
        }
        self.write(&it.left);
        let origin = self.expression(&it.right);
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = &it.left
            && it.operator == AssignmentOperator::Assign
        {
            self.fill_blank(name, origin);
        }
        origin
    }

    /// A variable that is declared without a type and a value is what it is assigned first.
    fn fill_blank(&mut self, name: &IdentifierReference<'_>, origin: Origin) {
        let says_nothing =
            matches!(origin.base, Base::None | Base::Unknown | Base::Literal(LiteralKind::Null));
        let Some(id) = self.target(name).filter(|_| !says_nothing) else { return };
        if let Some(binding) = self.blank.remove(&id) {
            self.mark_used(origin);
            self.builder.facts.bindings[binding as usize].origin = origin;
        }
        let symbol = self.definitions[id.index()];
        if symbol != NONE
            && self.symbol(symbol).kind == SymbolKind::Var
            && says_no_type(self.symbol(symbol))
        {
            self.set_origin(symbol, origin);
        }
    }

    /// `Name.prototype = { … }` has members of Name, `Name.prototype = Object.create(Parent.prototype)`
    /// names its parent.
    fn assigned_prototype(&mut self, it: &AssignmentExpression<'_>, owner: u32) -> Origin {
        self.write(&it.left);
        self.owners.push(owner);
        let origin = match &it.right {
            Expression::ObjectExpression(object) => {
                self.object_members(object, 1);
                literal(LiteralKind::Map)
            }
            Expression::CallExpression(call) if is_object_create(call) => {
                self.callee(&call.callee, Use::of(Role::Call));
                match call.arguments.first() {
                    Some(Argument::StaticMemberExpression(parent)) => {
                        self.callee(&parent.object, Use::of(Role::Extends));
                        self.visit_identifier_name(&parent.property);
                    }
                    first => first.into_iter().for_each(|first| self.visit_argument(first)),
                }
                call.arguments.iter().skip(1).for_each(|argument| self.visit_argument(argument));
                UNKNOWN
            }
            other => self.expression(other),
        };
        self.owners.pop();
        origin
    }

    /// The symbol that gets a method by `Name.method = …`, `Name.prototype.method = …`, or by
    /// `this.method = …` in the constructor of a class.
    fn assigned_owner(&self, object: &Expression<'_>) -> Option<u32> {
        match object {
            Expression::Identifier(it) => {
                let number = self.definitions[self.target(it)?.index()];
                (number != NONE).then_some(number)
            }
            Expression::StaticMemberExpression(it) if it.property.name.as_str() == "prototype" => {
                self.assigned_owner(&it.object)
            }
            Expression::StaticMemberExpression(it) => {
                let name = self.builder.known(it.property.name.as_str())?;
                match self.is_exported_name(it) {
                    true => self.exported_values.get(&name).copied(),
                    false => {
                        let owner = self.assigned_owner(&it.object)?;
                        self.fields.get(&(owner, name)).copied()
                    }
                }
            }
            Expression::ThisExpression(_) => {
                self.class_under_construction().or_else(|| self.function_that_constructs())
            }
            _ => None,
        }
    }

    /// Whether something that is defined here gets a member under which something else is known too:
    /// `Name.prototype.run = helpers.run`, `api.parse = parse`, at the level of the module.
    fn is_other_name(
        &self,
        it: &AssignmentExpression<'_>,
        member: &StaticMemberExpression<'_>,
    ) -> bool {
        let is_named = match bare(&it.right) {
            Expression::Identifier(value) => !self.is_global(value),
            Expression::StaticMemberExpression(value) => {
                root(&value.object).is_some_and(|root| !self.is_global(root))
            }
            Expression::CallExpression(call) => self.required_module(call).is_some(),
            _ => false,
        };
        is_named && self.owners.is_empty() && self.assigned_owner(&member.object).is_some()
    }

    /// A class that something gets: `internals.Route = class { … }`. Says whether it is told of here.
    fn assigned_class(
        &mut self,
        it: &AssignmentExpression<'_>,
        member: &StaticMemberExpression<'_>,
        class: &Class<'_>,
    ) -> bool {
        let owner = self.assigned_owner(&member.object);
        let path = match owner {
            Some(_) => None,
            None => self.path_to_owner(&member.object),
        };
        if owner.is_none() && path.is_none() {
            return false;
        }
        self.expression(&member.object);
        let symbol = self.class_in(owner, it, &member.property, class, SymbolFlags::default());
        if let Some(path) = path {
            self.stands_behind(symbol, &path, member);
        }
        true
    }

    /// The class that an assignment gives a name to.
    pub(super) fn class_in(
        &mut self,
        owner: Option<u32>,
        it: &AssignmentExpression<'_>,
        word: &IdentifierName<'_>,
        class: &Class<'_>,
        flags: SymbolFlags,
    ) -> u32 {
        let name = self.name(word.name.as_str(), word.span.start, LineType::Struct);
        let symbol = self.define_in(
            owner,
            Definition {
                kind: SymbolKind::Class,
                name,
                name_span: span(word.span),
                span: span(it.span),
                signature: self.signature(it.span.start, class.body.span.start),
                body: Some(span(class.body.span)),
                flags,
                visibility: None,
                declared_type: None,
            },
        );
        if let Some(id) = &class.id {
            self.visit_binding_identifier(id);
            self.identify(id.symbol_id.get(), symbol);
        }
        self.class_parts(class, Some(symbol));
        symbol
    }

    /// What is written before the last dot of `imported.part.method = …` or `$.fn.plugin = …`, at the level
    /// of the module or in functions without a name, which many files are wrapped in.
    fn path_to_owner(&self, object: &Expression<'_>) -> Option<String> {
        if !self.owners.is_empty() {
            return None;
        }
        match object {
            Expression::Identifier(it) => Some(it.name.to_string()),
            Expression::StaticMemberExpression(it) => {
                let before = self.path_to_owner(&it.object)?;
                match it.property.name.as_str() {
                    "prototype" => Some(before),
                    name => Some(format!("{before}.{name}")),
                }
            }
            _ => None,
        }
    }

    /// A function that something gets which is not defined here: `imported.method = function () {}`.
    fn assigned_elsewhere(
        &mut self,
        it: &AssignmentExpression<'_>,
        member: &StaticMemberExpression<'_>,
        function: &FunctionValue<'_, '_>,
        path: &str,
    ) {
        self.expression(&member.object);
        let at = member.property.span;
        let name = self.name(member.property.name.as_str(), at.start, LineType::Method);
        let declared_type = self.return_type_text(function.return_type());
        let symbol = self.define_in(
            None,
            Definition {
                kind: SymbolKind::Function,
                name,
                name_span: span(at),
                span: span(it.span),
                signature: self.signature(it.span.start, function.signature_end()),
                body: function.body(),
                flags: function.flags(),
                visibility: None,
                declared_type,
            },
        );
        self.stands_behind(symbol, path, member);
        self.value_function(function, Some(symbol));
    }

    /// What something gets that is not defined here has its name only behind that, unless everything is.
    fn stands_behind(&mut self, symbol: u32, path: &str, member: &StaticMemberExpression<'_>) {
        let symbol = self.symbol(symbol);
        symbol.qualified_name = format!("{path}.{}", member.property.name);
        if !matches!(path, "window" | "globalThis" | "global" | "self") {
            symbol.flags.set(SymbolFlags::EXPLICIT);
        }
    }

    /// An object that can do something, `Name.part = { method() {} }`, or another name of something.
    fn assigned_object(
        &mut self,
        it: &AssignmentExpression<'_>,
        member: &StaticMemberExpression<'_>,
    ) -> Option<Origin> {
        let owner = match &member.object {
            // A field, which its class or constructor has told of.
            Expression::ThisExpression(_) => return None,
            object => self.assigned_owner(object),
        };
        let path = match owner {
            Some(_) => None,
            None => Some(self.path_to_owner(&member.object)?),
        };
        self.expression(&member.object);
        let at = member.property.span;
        let name = self.name(member.property.name.as_str(), at.start, LineType::Property);
        let symbol = self.assigned_value(owner, SymbolKind::Property, name, span(at), it);
        if let Some(path) = path {
            self.stands_behind(symbol, &path, member);
        }
        self.owners.push(symbol);
        let origin = self.symbol_value(&it.right);
        self.owners.pop();
        self.set_origin(symbol, origin);
        Some(origin)
    }

    /// The type whose object `this` is: the class around a method, the function that a method was
    /// assigned to, or a function that is named like a class.
    fn type_of_this(&self) -> Option<u32> {
        let symbols = &self.builder.facts.symbols;
        let number = *self.owners.last()?;
        let innermost = &symbols[number as usize];
        let is_type = |owner: &u32| {
            matches!(symbols[*owner as usize].kind, SymbolKind::Class | SymbolKind::Function)
        };
        match innermost.kind {
            SymbolKind::Constructor
            | SymbolKind::Method
            | SymbolKind::Getter
            | SymbolKind::Setter
                if !innermost.flags.has(SymbolFlags::STATIC) =>
            {
                innermost.owner.filter(is_type)
            }
            SymbolKind::Function => self.function_that_constructs(),
            _ => None,
        }
    }

    /// The innermost symbol, if it is a function that is named like a class.
    fn function_that_constructs(&self) -> Option<u32> {
        let number = *self.owners.last()?;
        let innermost = &self.builder.facts.symbols[number as usize];
        let name = self.builder.facts.names.get(innermost.name);
        let is_named_so = name.starts_with(char::is_uppercase);
        (innermost.kind == SymbolKind::Function && is_named_so).then_some(number)
    }

    /// The class whose constructor is the innermost symbol.
    fn class_under_construction(&self) -> Option<u32> {
        let symbols = &self.builder.facts.symbols;
        let innermost = &symbols[*self.owners.last()? as usize];
        let class = self.classes.last()?.symbol;
        (innermost.kind == SymbolKind::Constructor && innermost.owner == class).then_some(class?)
    }

    fn assigned_method(
        &mut self,
        it: &AssignmentExpression<'_>,
        member: &StaticMemberExpression<'_>,
        function: &FunctionValue<'_, '_>,
        owner: u32,
    ) {
        self.expression(&member.object);
        let at = member.property.span;
        let name = self.name(member.property.name.as_str(), at.start, LineType::Method);
        let mut flags = function.flags();
        let kind = self.builder.facts.symbols[owner as usize].kind;
        // What an object has that is no type belongs to the object itself.
        if matches!(member.object, Expression::Identifier(_))
            && matches!(kind, SymbolKind::Class | SymbolKind::Function)
        {
            flags.set(SymbolFlags::STATIC);
        }
        let declared_type = self.return_type_text(function.return_type());
        let symbol = self.define_in(
            Some(owner),
            Definition {
                kind: SymbolKind::Method,
                name,
                name_span: span(at),
                span: span(it.span),
                signature: self.signature(it.span.start, function.signature_end()),
                body: function.body(),
                flags,
                visibility: None,
                declared_type,
            },
        );
        self.value_function(function, Some(symbol));
    }

    /// `this.name = …` declares a field in JavaScript, the first time. Of a field that is declared
    /// without a type or value it says what the field is.
    fn assigned_field(
        &mut self,
        it: &AssignmentExpression<'_>,
        member: &StaticMemberExpression<'_>,
    ) -> Option<Origin> {
        if !matches!(member.object, Expression::ThisExpression(_)) {
            return None;
        }
        let owner = self.type_of_this()?;
        let name = self.builder.intern(member.property.name.as_str());
        if let Some(known) = self.fields.get(&(owner, name)).copied() {
            self.write(&it.left);
            let origin = self.expression(&it.right);
            if says_no_type(self.symbol(known)) {
                self.set_origin(known, origin);
            }
            return Some(origin);
        }
        let is_declared = self
            .classes
            .last()
            .is_some_and(|class| class.symbol == Some(owner) && class.members.contains(&name));
        if is_declared || !self.source_type.is_javascript() {
            return None;
        }
        let at = member.property.span;
        self.builder.term(name, at.start, LineType::Property);
        let symbol = self.assigned_value(Some(owner), SymbolKind::Field, name, span(at), it);
        let origin = self.expression(&it.right);
        self.set_origin(symbol, origin);
        Some(origin)
    }

    /// A symbol that an assignment defines; its literal is part of the signature.
    pub(super) fn assigned_value(
        &mut self,
        owner: Option<u32>,
        kind: SymbolKind,
        name: NameId,
        name_span: Span,
        it: &AssignmentExpression<'_>,
    ) -> u32 {
        let value = self.literal_text(&it.right);
        let end = if value.is_some() { it.right.span().end } else { it.left.span().end };
        let symbol = self.define_in(
            owner,
            Definition {
                kind,
                name,
                name_span,
                span: span(it.span),
                signature: self.signature(it.span.start, end),
                body: None,
                flags: SymbolFlags::default(),
                visibility: None,
                declared_type: None,
            },
        );
        if kind == SymbolKind::Const {
            self.symbol(symbol).value = value;
        }
        symbol
    }

    // Targets.

    pub(super) fn write(&mut self, it: &AssignmentTarget<'_>) {
        match it {
            AssignmentTarget::ArrayAssignmentTarget(it) => {
                for element in it.elements.iter().flatten() {
                    self.write_with_default(element);
                }
                it.rest.iter().for_each(|rest| self.write(&rest.target));
            }
            AssignmentTarget::ObjectAssignmentTarget(it) => {
                for property in &it.properties {
                    match property {
                        AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(it) => {
                            self.use_identifier(&it.binding, Use::WRITE);
                            it.init.iter().for_each(|value| self.visit_expression(value));
                        }
                        AssignmentTargetProperty::AssignmentTargetPropertyProperty(it) => {
                            self.key(&it.name, LineType::Code);
                            self.write_with_default(&it.binding);
                        }
                    }
                }
                it.rest.iter().for_each(|rest| self.write(&rest.target));
            }
            other => {
                if let Some(target) = other.as_simple_assignment_target() {
                    self.write_simple(target);
                }
            }
        }
    }

    fn write_with_default(&mut self, it: &AssignmentTargetMaybeDefault<'_>) {
        match it {
            AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(it) => {
                self.write(&it.binding);
                self.expression(&it.init);
            }
            other => {
                if let Some(target) = other.as_assignment_target() {
                    self.write(target);
                }
            }
        }
    }

    pub(super) fn write_simple(&mut self, it: &SimpleAssignmentTarget<'_>) {
        match it {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(it) => {
                self.use_identifier(it, Use::WRITE);
            }
            SimpleAssignmentTarget::StaticMemberExpression(it) => {
                self.static_member(it, Use::WRITE, false);
            }
            SimpleAssignmentTarget::ComputedMemberExpression(it) => {
                self.computed_member(it, Use::WRITE, false);
            }
            SimpleAssignmentTarget::PrivateFieldExpression(it) => {
                self.private_member(it, Use::WRITE, false);
            }
            SimpleAssignmentTarget::TSNonNullExpression(it) => {
                self.count_unchecked();
                self.expression(&it.expression);
            }
            other => self.visit_simple_assignment_target(other),
        }
    }
}

fn says_no_type(symbol: &Symbol) -> bool {
    let is_unknown =
        matches!(symbol.origin.base, Base::None | Base::Unknown | Base::Literal(LiteralKind::Null));
    symbol.declared_type.is_none() && is_unknown
}

fn is_object_create(it: &CallExpression<'_>) -> bool {
    let Expression::StaticMemberExpression(callee) = &it.callee else { return false };
    let is_object = matches!(&callee.object, Expression::Identifier(it) if it.name == "Object");
    is_object && callee.property.name == "create"
}
