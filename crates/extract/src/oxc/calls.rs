//! Calls, constructions and tests.

use ::oxc_ast::ast::*;
use ::oxc_ast_visit::Visit;
use ::oxc_span::GetSpan;
use model::{Base, LineType, Origin, ReferenceFlags, Role, Span, Step, SymbolFlags, SymbolKind};

use super::collector::{Collector, Definition, UNKNOWN, Use, span, then, value_of};
use super::visit::inside_quotes;

/// Functions that hold a test or a group of them.
const TEST_CALLS: [&str; 9] =
    ["describe", "it", "test", "fdescribe", "fit", "ftest", "xdescribe", "xit", "xtest"];
/// The same by words that often mean something else, so a function must follow the title.
const RARER_TEST_CALLS: [&str; 6] =
    ["suite", "context", "specify", "bench", "xspecify", "xcontext"];
/// Words between such a function and its title: `it.only("…")`, `test.describe("…")`.
const TEST_WORDS: [&str; 13] = [
    "only",
    "skip",
    "todo",
    "each",
    "concurrent",
    "sequential",
    "failing",
    "fails",
    "describe",
    "serial",
    "parallel",
    "for",
    "step",
];

/// Methods that call a function with each element.
const ELEMENT_CALLS: [&str; 14] = [
    "map",
    "filter",
    "forEach",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "some",
    "every",
    "flatMap",
    "sort",
    "toSorted",
    "groupBy",
    "subscribe",
];

pub(super) fn count(arguments: &[Argument<'_>]) -> u16 {
    u16::try_from(arguments.len()).unwrap_or(u16::MAX)
}

impl Collector<'_> {
    pub(super) fn call(&mut self, it: &CallExpression<'_>) -> Origin {
        if let Some(title) = self.test_title(it) {
            self.test(it, title);
            return UNKNOWN;
        }
        if let Some(source) = self.required_module(it) {
            self.require(it, source, None);
            return self.module_value(source);
        }
        let used_as = Use { arguments: Some(count(&it.arguments)), ..Use::of(Role::Call) }
            .with(ReferenceFlags::OPTIONAL_CHAIN, it.optional);
        let called = self.callee(&it.callee, used_as);
        if let Some(number) = called {
            self.count_assertion(number, &it.callee);
        }
        if let (Some(number), Some(first)) = (called, it.arguments.first())
            && is_function(first)
        {
            self.expected_origin = self.origin_of_argument(number);
        }
        self.call_arguments(it.type_arguments.as_deref(), &it.arguments);
        called.map_or(UNKNOWN, value_of)
    }

    /// What a function gets as its first argument that is passed to this call: `items.map(item => …)`.
    fn origin_of_argument(&self, call: u32) -> Option<Origin> {
        let reference = &self.builder.facts.references[call as usize];
        let name = self.builder.facts.names.get(reference.name);
        let step = match name {
            _ if ELEMENT_CALLS.contains(&name) => Step::Element,
            "then" => Step::Awaited,
            _ => return None,
        };
        let origin = then(reference.receiver, step);
        // What is awaited and then taken apart is more than one step.
        (origin.base != Base::Unknown).then_some(origin)
    }

    pub(super) fn construct(&mut self, it: &NewExpression<'_>) -> Origin {
        let used_as = Use { arguments: Some(count(&it.arguments)), ..Use::of(Role::Call) }
            .with(ReferenceFlags::CONSTRUCT, true);
        let called = self.callee(&it.callee, used_as);
        self.call_arguments(it.type_arguments.as_deref(), &it.arguments);
        called.map_or(UNKNOWN, value_of)
    }

    pub(super) fn tagged_template(&mut self, it: &TaggedTemplateExpression<'_>) -> Origin {
        let expressions = u16::try_from(it.quasi.expressions.len() + 1).unwrap_or(u16::MAX);
        let used_as = Use { arguments: Some(expressions), ..Use::of(Role::Call) };
        let called = self.callee(&it.tag, used_as);
        if let Some(arguments) = &it.type_arguments {
            self.visit_ts_type_parameter_instantiation(arguments);
        }
        self.template(&it.quasi);
        called.map_or(UNKNOWN, value_of)
    }

    /// A call whose first argument is visited apart.
    pub(super) fn wrapper_call(&mut self, it: &CallExpression<'_>) {
        let used_as = Use { arguments: Some(count(&it.arguments)), ..Use::of(Role::Call) };
        self.callee(&it.callee, used_as);
        self.call_arguments(it.type_arguments.as_deref(), &[]);
    }

    pub(super) fn call_arguments(
        &mut self,
        types: Option<&TSTypeParameterInstantiation<'_>>,
        arguments: &[Argument<'_>],
    ) {
        if let Some(types) = types {
            self.visit_ts_type_parameter_instantiation(types);
        }
        for argument in arguments {
            self.visit_argument(argument);
        }
    }

    /// The reference by which something is called, constructed, extended or applied; none where no
    /// name says what it is.
    pub(super) fn callee(&mut self, it: &Expression<'_>, used_as: Use) -> Option<u32> {
        let is_optional = used_as.flags.has(ReferenceFlags::OPTIONAL_CHAIN);
        match it {
            Expression::Identifier(it) => Some(self.use_identifier(it, used_as)),
            Expression::StaticMemberExpression(it) => {
                Some(self.static_member(it, used_as, is_optional))
            }
            Expression::PrivateFieldExpression(it) => {
                Some(self.private_member(it, used_as, is_optional))
            }
            Expression::ComputedMemberExpression(it) => {
                match self.computed_member(it, used_as, is_optional) {
                    Origin { base: Base::Reference(number), step: Step::Same } => Some(number),
                    _ => None,
                }
            }
            Expression::ParenthesizedExpression(it) => self.callee(&it.expression, used_as),
            Expression::TSNonNullExpression(it) => {
                self.count_unchecked();
                self.callee(&it.expression, used_as)
            }
            Expression::TSInstantiationExpression(it) => {
                let called = self.callee(&it.expression, used_as);
                self.visit_ts_type_parameter_instantiation(&it.type_arguments);
                called
            }
            Expression::ChainExpression(it) => match &it.expression {
                ChainElement::StaticMemberExpression(it) => {
                    Some(self.static_member(it, used_as, is_optional))
                }
                ChainElement::PrivateFieldExpression(it) => {
                    Some(self.private_member(it, used_as, is_optional))
                }
                _ => {
                    self.chain(&it.expression);
                    None
                }
            },
            // The constructor of the parent class has no other name.
            Expression::Super(it) => {
                let name = self.builder.intern("super");
                let receiver = Origin { base: Base::Super, step: Step::Same };
                let used_as = used_as.with(ReferenceFlags::CONSTRUCT, true);
                Some(self.reference(name, it.span.start, used_as, receiver))
            }
            other => {
                self.expression(other);
                None
            }
        }
    }

    // Tests.

    /// The title of a call that holds a test: `it("…", …)`, `describe.each(…)("…", …)`.
    fn test_title(&self, it: &CallExpression<'_>) -> Option<Span> {
        let (root, last_word) = test_callee(&it.callee)?;
        let name = root.name.as_str();
        let has_function = || it.arguments.iter().any(is_function);
        let is_test =
            TEST_CALLS.contains(&name) || RARER_TEST_CALLS.contains(&name) && has_function();
        if !is_test {
            return None;
        }
        let imported =
            self.target(root).is_none_or(|symbol| self.scoping.symbol_flags(symbol).is_import());
        let enough = it.arguments.len() > 1 || matches!(last_word, Some("todo" | "skip"));
        if !imported || !enough {
            return None;
        }
        let title = match it.arguments.first()? {
            Argument::StringLiteral(title) => inside_quotes(title.span),
            Argument::TemplateLiteral(title) if title.expressions.is_empty() => {
                inside_quotes(title.span)
            }
            _ => return None,
        };
        (title.start < title.end).then_some(title)
    }

    fn test(&mut self, it: &CallExpression<'_>, title: Span) {
        let text = self.builder.text(title);
        let name = self.builder.intern(text);
        let body = it.arguments.iter().rev().find_map(|argument| match argument {
            Argument::ArrowFunctionExpression(it) => Some(span(it.body.span())),
            Argument::FunctionExpression(it) => it.body.as_ref().map(|body| span(body.span)),
            _ => None,
        });
        let first_argument = it.arguments.first().map_or(it.span.end, |first| first.span().end);
        let mut signature = self.signature(it.span.start, first_argument);
        signature.push(')');
        let symbol = self.define(Definition {
            kind: SymbolKind::Test,
            name,
            name_span: title,
            span: span(it.span),
            signature,
            body,
            flags: SymbolFlags::default(),
            visibility: None,
            declared_type: None,
        });
        self.open_frame(symbol);
        self.owners.push(symbol);
        let used_as = Use { arguments: Some(count(&it.arguments)), ..Use::of(Role::Call) };
        self.callee(&it.callee, used_as);
        let returning = self.returning.take();
        let mut held = false;
        for argument in &it.arguments {
            match argument {
                // The function of the test is the test itself.
                Argument::ArrowFunctionExpression(function) if !held => {
                    held = true;
                    self.set_async(symbol, function.r#async);
                    self.arrow_parts(function, Some(symbol));
                }
                Argument::FunctionExpression(function) if !held => {
                    held = true;
                    self.set_async(symbol, function.r#async);
                    self.function_parts(function, Some(symbol));
                }
                other => self.visit_argument(other),
            }
        }
        self.returning = returning;
        self.owners.pop();
        self.close_frame();
    }

    fn set_async(&mut self, symbol: u32, yes: bool) {
        if yes {
            self.symbol(symbol).flags.set(SymbolFlags::ASYNC);
        }
    }

    /// A private name with its sign.
    pub(super) fn private_name(
        &mut self,
        it: &PrivateIdentifier<'_>,
        line_type: LineType,
    ) -> model::NameId {
        self.name(it.name.as_str(), it.span.start + 1, line_type);
        let text = self.builder.text(span(it.span));
        self.builder.intern(text)
    }
}

fn is_function(it: &Argument<'_>) -> bool {
    matches!(it, Argument::ArrowFunctionExpression(_) | Argument::FunctionExpression(_))
}

/// The function at the root of a callee that consists of it and words for tests, and the last word.
fn test_callee<'t, 'a>(
    callee: &'t Expression<'a>,
) -> Option<(&'t IdentifierReference<'a>, Option<&'a str>)> {
    match callee {
        Expression::Identifier(it) => Some((it, None)),
        Expression::StaticMemberExpression(it) => {
            let word = it.property.name.as_str();
            TEST_WORDS.contains(&word).then_some(())?;
            Some((test_callee(&it.object)?.0, Some(word)))
        }
        // `it.each(table)("…", …)`, but not `it("…", …)("…")`.
        Expression::CallExpression(it) => match &it.callee {
            Expression::StaticMemberExpression(_) => test_callee(&it.callee),
            _ => None,
        },
        Expression::TaggedTemplateExpression(it) => test_callee(&it.tag),
        _ => None,
    }
}
