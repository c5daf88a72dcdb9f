//! Where values come from: questions asked on the way down, answered when the inside was seen.

use languages::KindFlags;
use languages::pattern::{Part, ValueKind};
use model::{
    Argument, Base, BindingKind, LiteralKind, MAX_ARGUMENTS, Origin, ScopeKind, Span, Step,
    SymbolKind,
};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::Walker;
use super::matcher::span;

/// A text with more pieces than this is not looked through to its end.
const MAX_PIECES: usize = 32;
/// How deep names are looked for in a text.
const MAX_DEPTH: usize = 6;

/// Open questions: which fact waits to hear of which node.
#[derive(Debug, Default)]
pub(super) struct Origins {
    open: Vec<Question>,
    /// What functions without a name get, by their place, innermost last.
    expected: Vec<Expected>,
    /// Functions without a name that are passed to calls: by their node, the call and the position.
    passed: FxHashMap<usize, (u32, u8)>,
    /// The same by the scopes that they open.
    closures: FxHashMap<u32, (u32, u8)>,
}

/// The first argument of a function that is an argument itself.
#[derive(Debug, Clone, Copy)]
struct Expected {
    function: Span,
    origin: Origin,
}

#[derive(Debug, Clone, Copy)]
struct Question {
    node: usize,
    asker: Asker,
    step: Step,
}

/// The fact that has an origin.
#[derive(Debug, Clone, Copy)]
pub(super) enum Asker {
    Receiver(u32),
    Binding(u32),
    Symbol(u32),
    /// What a function gets, by its place in the list of those.
    Expected(u32),
    Argument(u32),
    /// A name that is bound further in, by where it begins.
    Promised(u32),
}

/// Origins of names that are bound further in: where each begins, and what is known by now.
#[derive(Debug, Default)]
pub(super) struct Promises {
    origins: FxHashMap<u32, Origin>,
    last: u32,
}

impl Origins {
    /// Whether somebody asks for the value of this node.
    pub(super) fn asks(&self, node: usize) -> bool {
        self.open.iter().rev().any(|question| question.node == node)
    }

    /// Whether only arguments ask for the value of this node, of which a name says enough.
    pub(super) fn only_arguments_ask(&self, node: usize) -> bool {
        let mut askers = self.open.iter().filter(|question| question.node == node).peekable();
        askers.peek().is_some()
            && askers.all(|question| matches!(question.asker, Asker::Argument(_)))
    }

    /// The node explained nothing; its questions stay without an answer.
    pub(super) fn pass(&mut self, node: usize) {
        if !self.open.is_empty() {
            self.open.retain(|question| question.node != node);
        }
    }
}

impl<'t> Walker<'_, 't> {
    /// Asks for the value of a node. Until it is answered, the origin is unknown.
    pub(super) fn ask(&mut self, node: Node<'t>, asker: Asker, step: Step) {
        self.set_origin(asker, Origin { base: Base::Unknown, step: Step::Same });
        self.origins.open.push(Question { node: node.id(), asker, step });
    }

    /// Answers everybody who asks for this node.
    pub(super) fn answer(&mut self, node: usize, base: Base) {
        let mut index = 0;
        while index < self.origins.open.len() {
            if self.origins.open[index].node == node {
                let question = self.origins.open.swap_remove(index);
                // `v, ok := x.(T)`: the first of several names has the value itself. A cast that may
                // fail is unwrapped to the type it names: `if let v = x as? T`.
                let step = match (base, question.step) {
                    (Base::Type(_), Step::Position(0) | Step::Unwrapped) => Step::Same,
                    // What cannot be taken apart is what each of several names stands for.
                    (Base::Literal(kind), Step::Position(_)) if !is_made_of_parts(kind) => {
                        Step::Same
                    }
                    (_, step) => step,
                };
                self.set_origin(question.asker, Origin { base, step });
            } else {
                index += 1;
            }
        }
    }

    /// Acts on a `@value` pattern: passes the question on to the inside, or answers it.
    pub(super) fn value(&mut self, node: Node<'t>, kind: ValueKind) {
        if !self.origins.asks(node.id()) {
            return;
        }
        let step = match kind {
            ValueKind::This => return self.answer(node.id(), Base::This),
            ValueKind::Super => return self.answer(node.id(), Base::Super),
            ValueKind::Literal(LiteralKind::Number) => return self.answer_number(node),
            ValueKind::Literal(literal) => return self.answer(node.id(), Base::Literal(literal)),
            ValueKind::Typed => {
                let Some(text) = self.part_text(Part::Type) else { return };
                let name = self.builder.intern(&text);
                return self.answer(node.id(), Base::Type(name));
            }
            ValueKind::Implicit => return self.answer_implicit(node),
            ValueKind::Same => Step::Same,
            ValueKind::Awaited => Step::Awaited,
            ValueKind::Element => Step::Element,
            ValueKind::Unwrapped => Step::Unwrapped,
            ValueKind::Entered => Step::Entered,
            ValueKind::Position => {
                let text = self.part_text(Part::Member).and_then(|text| text.parse().ok());
                let Some(position) = text else { return };
                Step::Position(position)
            }
        };
        let Some(inner) = self.matcher.part(Part::Inner) else { return };
        self.origins.open.retain_mut(|question| {
            if question.node != node.id() {
                return true;
            }
            question.node = inner.id();
            match (question.step, step) {
                (_, Step::Same) => true,
                // `row, ok := rows[key]`: the first of several names has the value itself.
                (Step::Same | Step::Position(0), step) => {
                    question.step = step;
                    true
                }
                // Which part is taken says more of the type than that it is unwrapped.
                (Step::Unwrapped, Step::Element | Step::Entered) => {
                    question.step = step;
                    true
                }
                (Step::Unwrapped, Step::Awaited) | (Step::Element, Step::Unwrapped) => true,
                // Two steps in a row are more than an origin can say.
                _ => false,
            }
        });
    }

    /// Acts on a `@return` pattern: of a function that declares no type, the first value that says one
    /// counts.
    pub(super) fn returned(&mut self) {
        let scopes = &self.builder.facts.scopes;
        let mut scope = &scopes[self.scope as usize];
        while let (ScopeKind::Block, Some(parent)) = (scope.kind, scope.parent) {
            scope = &scopes[parent as usize];
        }
        let (Some(index), Some(value)) = (scope.symbol, self.matcher.part(Part::Value)) else {
            return;
        };
        let symbol = self.symbol_at(index);
        let has_value =
            matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method | SymbolKind::Getter);
        let is_open = has_value && symbol.declared_type.is_none() && says_nothing(symbol.origin);
        if is_open {
            self.ask(value, Asker::Symbol(index), Step::Same);
        }
    }

    /// Acts on an `@expects` pattern: remembers what a function will get.
    pub(super) fn expect(&mut self, step: Step) {
        let function = self.matcher.part(Part::Inner).map(span);
        let (Some(function), Some(value)) = (function, self.matcher.part(Part::Value)) else {
            return;
        };
        let expected = &mut self.origins.expected;
        // Functions that end before this one begins get nothing any more.
        while expected.pop_if(|last| last.function.end <= function.start).is_some() {}
        expected.push(Expected { function, origin: Origin::default() });
        let index = expected.len() as u32 - 1;
        self.ask(value, Asker::Expected(index), step);
    }

    /// What the first parameter of the function at hand gets, which was not written with a name.
    pub(super) fn expected_here(&self) -> Option<Origin> {
        let scopes = &self.builder.facts.scopes;
        let mut scope = &scopes[self.scope as usize];
        while scope.kind == ScopeKind::Block {
            scope = &scopes[scope.parent? as usize];
        }
        let function = scope.span;
        let found = self.origins.expected.iter().rev().find(|it| it.function == function);
        found.map(|it| it.origin).filter(|it| !matches!(it.base, Base::None | Base::Unknown))
    }

    fn answer_implicit(&mut self, node: Node<'t>) {
        // Scala's `_` opens the expression that is the function.
        let start = node.start_byte() as u32;
        let opened = self.origins.expected.iter().rev().find(|it| it.function.start == start);
        let opened = opened.map(|it| it.origin).filter(|it| it.base != Base::None);
        let Some(origin) = opened.or_else(|| self.expected_here()) else { return };
        let open = std::mem::take(&mut self.origins.open);
        for question in open {
            if question.node != node.id() {
                self.origins.open.push(question);
            } else if let Some(step) = joined(origin.step, question.step) {
                self.set_origin(question.asker, Origin { base: origin.base, step });
            }
        }
    }

    /// Asks for what is passed to a call, where that may decide which definition is meant.
    pub(super) fn ask_for_arguments(&mut self, reference: u32, list: Node<'t>) {
        if !self.language.table.linking.overloads {
            return;
        }
        let mut next = 0;
        for at in self.matcher.children_of(list) {
            let node = self.matcher.nodes.node(at);
            if !node.is_named() || node.is_extra() {
                continue;
            }
            let position = next;
            next += 1;
            if position == MAX_ARGUMENTS {
                break;
            }
            // Which parameter a name means is not known here.
            if is_named(self.builder.text(span(node))) {
                continue;
            }
            let index = self.builder.facts.arguments.len() as u32;
            let origin = Origin::default();
            self.builder.facts.arguments.push(Argument { reference, position, origin });
            self.ask(node, Asker::Argument(index), Step::Same);
            let inner = if node.named_child_count() == 1 { node.named_child(0) } else { None };
            let closure = [Some(node), inner].into_iter().flatten().find(|node| {
                self.language.flags(node.kind_id()).any(languages::KindFlags::CLOSURE)
            });
            if let Some(closure) = closure {
                self.origins.passed.insert(closure.id(), (reference, position));
            }
        }
    }

    /// A function that is passed to a call opens its scope.
    pub(super) fn open_closure(&mut self, node: Node<'t>, scope: u32) {
        if let Some(passed) = self.origins.passed.remove(&node.id()) {
            self.origins.closures.insert(scope, passed);
        }
    }

    /// What a parameter gets, if its function is passed to a call.
    pub(super) fn given_here(&self, index: u32) -> Option<Origin> {
        let (call, argument) = *self.origins.closures.get(&self.scope)?;
        let before = self.builder.facts.bindings[..index as usize].iter().rev();
        let before = before
            .take_while(|binding| binding.scope >= self.scope)
            .filter(|it| it.scope == self.scope && it.kind == BindingKind::Parameter)
            .count();
        let parameter = u8::try_from(before).ok()?;
        Some(Origin { base: Base::Reference(call), step: Step::Given(argument, parameter) })
    }

    /// A number that is passed to a call tells whether it is whole. One with letters behind it is of a
    /// type that the letters say, which is not looked into.
    fn answer_number(&mut self, node: Node<'t>) {
        if self.origins.only_arguments_ask(node.id()) {
            let base = match number_kind(self.builder.text(span(node))) {
                Some(kind) => Base::Literal(kind),
                None => Base::Unknown,
            };
            return self.answer(node.id(), base);
        }
        self.answer(node.id(), Base::Literal(LiteralKind::Number));
    }

    /// Acts on an `@origin` pattern: what is said of every `@name` waits until it is bound.
    pub(super) fn promise(&mut self, node: Node<'t>, step: Step) {
        let Some(value) = self.matcher.part(Part::Value) else { return };
        if self.promises.last < node.start_byte() as u32 {
            self.promises.origins.clear();
        }
        let names: Vec<Node<'t>> = self.matcher.all(Part::Name).collect();
        for name in names {
            let start = name.start_byte() as u32;
            self.promises.last = self.promises.last.max(start);
            self.ask(value, Asker::Promised(start), step);
        }
    }

    /// The origin that was promised to the name at this place.
    pub(super) fn promised(&self, start: u32) -> Option<Origin> {
        self.promises.origins.get(&start).copied()
    }

    fn set_origin(&mut self, asker: Asker, origin: Origin) {
        let facts = &mut self.builder.facts;
        match asker {
            Asker::Receiver(index) => facts.references[index as usize].receiver = origin,
            Asker::Binding(index) => facts.bindings[index as usize].origin = origin,
            Asker::Symbol(index) => facts.symbols[index as usize].origin = origin,
            Asker::Expected(index) => {
                if let Some(expected) = self.origins.expected.get_mut(index as usize) {
                    expected.origin = origin;
                }
            }
            Asker::Argument(index) => facts.arguments[index as usize].origin = origin,
            Asker::Promised(start) => {
                self.promises.origins.insert(start, origin);
            }
        }
    }

    /// The literal a node is, if it is one: its kind and text without quotes.
    pub(super) fn literal(&mut self, node: Node<'t>) -> Option<String> {
        let language = self.language;
        let text = self.builder.text(span(node));
        let is_literal = language.patterns_at(node.kind_id()).iter().any(|rooted| {
            let pattern = &language.patterns[usize::from(rooted.number)];
            let languages::pattern::Finding::Value(ValueKind::Literal(kind)) = pattern.finding
            else {
                return false;
            };
            use model::LiteralKind::{Boolean, Character, Null, Number, String};
            matches!(kind, Boolean | Character | Null | Number | String)
                && self.matcher.matches_aside(pattern, node)
        });
        let is_number = || {
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            digits.starts_with(|c: char| c.is_ascii_digit())
                && digits.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_'))
        };
        (is_literal && !self.holds_names(node, MAX_DEPTH) || is_number())
            .then(|| unquoted(text).to_owned())
    }

    /// Whether names stand in a literal: then it is a text to be filled in.
    fn holds_names(&self, node: Node<'t>, depth: usize) -> bool {
        let mut cursor = node.walk();
        let mut inside = node.children(&mut cursor).take(MAX_PIECES);
        inside.any(|child| {
            self.language.flags(child.kind_id()).any(KindFlags::IDENTIFIER)
                || depth > 0 && child.child_count() > 0 && self.holds_names(child, depth - 1)
        })
    }
}

/// Two steps in a row as one, where one of them says little.
fn joined(first: Step, second: Step) -> Option<Step> {
    match (first, second) {
        (Step::Same, step) | (step, Step::Same) => Some(step),
        (step, Step::Unwrapped) => Some(step),
        _ => None,
    }
}

/// Whether an origin leaves the type open.
pub(super) fn says_nothing(origin: Origin) -> bool {
    matches!(origin.base, Base::None | Base::Unknown | Base::Literal(LiteralKind::Null))
}

fn is_made_of_parts(kind: LiteralKind) -> bool {
    matches!(kind, LiteralKind::List | LiteralKind::Map)
}

/// Whether an argument says which parameter it is for: `name = 1`, `name: 1`.
fn is_named(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let behind = rest.trim_start();
    rest.len() < text.len()
        && match behind.strip_prefix(['=', ':']) {
            Some(more) => !more.starts_with(['=', ':', '>']),
            None => false,
        }
}

/// Whether a number is whole or has a fraction, where the number alone says so.
fn number_kind(text: &str) -> Option<LiteralKind> {
    let is_digit = |b: u8| b.is_ascii_digit() || matches!(b, b'_' | b'\'');
    if text.bytes().all(is_digit) {
        return Some(LiteralKind::Integer);
    }
    let is_part = |b: u8| is_digit(b) || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
    (text.contains('.') && text.bytes().all(is_part)).then_some(LiteralKind::Decimal)
}

/// A string literal without its quotes and prefix, a symbol without its colon; other text as it is.
pub(super) fn unquoted(text: &str) -> &str {
    let bare =
        text.trim_start_matches(|c: char| c.is_ascii_alphabetic() || matches!(c, '@' | '$' | '#'));
    let (bare, hashes) = (bare, text[..text.len() - bare.len()].matches('#').count());
    for quote in ["\"\"\"", "'''", "\"", "'", "`"] {
        let inside = bare.strip_prefix(quote).and_then(|rest| {
            let rest = rest.get(..rest.len().checked_sub(hashes)?)?;
            rest.strip_suffix(quote)
        });
        if let Some(inside) = inside {
            return inside;
        }
    }
    match text.strip_prefix(':') {
        Some(symbol) if !symbol.is_empty() && !symbol.starts_with([':', '"', '\'']) => symbol,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_named, number_kind, unquoted};

    #[test]
    fn numbers_tell_whether_they_are_whole() {
        use model::LiteralKind::{Decimal, Integer};
        for (written, meant) in [
            ("12", Some(Integer)),
            ("1_000", Some(Integer)),
            ("1.5", Some(Decimal)),
            ("1.5e-3", Some(Decimal)),
            ("1L", None),
            ("0x1F", None),
            ("1.5f", None),
        ] {
            assert_eq!(number_kind(written), meant, "{written}");
        }
    }

    #[test]
    fn arguments_with_names_are_told_from_others() {
        for (written, meant) in [
            ("name = 1", true),
            ("name: value", true),
            ("a == b", false),
            ("Type::new", false),
            ("x => x", false),
            ("value", false),
            ("\"a: b\"", false),
        ] {
            assert_eq!(is_named(written), meant, "{written}");
        }
    }

    #[test]
    fn quotes_prefixes_and_colons_go() {
        for (written, meant) in [
            ("\"a\"", "a"),
            ("'a'", "a"),
            ("r#\"a\"b\"#", "a\"b"),
            ("b\"a\"", "a"),
            (":title", "title"),
            (":\"odd one\"", ":\"odd one\""),
            (":<<", "<<"),
            ("plain", "plain"),
            ("\"", "\""),
            ("::", "::"),
        ] {
            assert_eq!(unquoted(written), meant, "{written}");
        }
    }
}
