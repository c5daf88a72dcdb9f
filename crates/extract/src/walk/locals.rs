//! Scopes and the names bound in them.

use languages::pattern::Part;
use model::{Binding, BindingKind, NameId, Origin, Scope, ScopeKind, Step};
use tree_sitter::Node;

use super::matcher::span;
use super::origins::Asker;
use super::{Closes, Walker};

/// Which names are bound to locals at the place the walk has reached.
#[derive(Debug, Default)]
pub(super) struct Locals {
    /// By name: whether the innermost binding is a local one.
    is_local: Vec<bool>,
    /// Names bound in the open scopes, with what they were before.
    bound: Vec<(NameId, bool)>,
}

impl Locals {
    pub(super) fn has(&self, name: NameId) -> bool {
        self.is_local.get(name.0 as usize).copied().unwrap_or(false)
    }

    pub(super) fn bind(&mut self, name: NameId, local: bool) {
        let index = name.0 as usize;
        if self.is_local.len() <= index {
            self.is_local.resize(index + 64, false);
        }
        self.bound.push((name, self.is_local[index]));
        self.is_local[index] = local;
    }
}

impl<'t> Walker<'_, 't> {
    pub(super) fn open_scope_at(&mut self, node: Node<'t>, kind: ScopeKind) {
        let here = span(node);
        if !self.is_own_function(here) {
            self.open_scope(node, kind, None);
        }
    }

    /// Whether a node is what a symbol is made of: its body, or the function it is the name of. The
    /// symbol itself stands for it.
    pub(super) fn is_own_function(&self, here: model::Span) -> bool {
        let Some(index) = self.symbol else { return false };
        let symbol = &self.builder.facts.symbols[index as usize];
        let Some(body) = symbol.body else { return symbol.span == here && symbol.scope.is_some() };
        symbol.scope.is_some()
            && here.contains(body)
            && here.end == body.end
            && here.start > symbol.name_span.start.min(body.start.saturating_sub(1))
    }

    pub(super) fn open_scope(
        &mut self,
        node: Node<'t>,
        kind: ScopeKind,
        symbol: Option<u32>,
    ) -> u32 {
        let scope = self.builder.facts.scopes.len() as u32;
        self.builder.facts.scopes.push(Scope {
            kind,
            parent: Some(self.scope),
            span: span(node),
            symbol,
        });
        self.open(Closes::Scope { outer: self.scope, bound: self.locals.bound.len() });
        self.scope = scope;
        scope
    }

    pub(super) fn close_scope(&mut self, outer: u32, bound: usize) {
        self.scope = outer;
        for (name, before) in self.locals.bound.drain(bound..).rev() {
            self.locals.is_local[name.0 as usize] = before;
        }
    }

    /// Acts on a `@binding` pattern: binds every `@name` of it.
    pub(super) fn bind(&mut self, kind: BindingKind, step: Step) {
        let names = self.matcher.rows_of(Part::Name);
        let values: Vec<Node<'t>> = self.matcher.all(Part::Value).collect();
        let symbol = self.symbol_of_binding(kind);
        for (position, (node, row)) in names.iter().enumerate() {
            let beside = |part| self.matcher.part_beside(part, *row);
            let declared_type =
                self.text_of(beside(Part::Type)).map(|text| self.builder.intern(&text));
            let beside = |part| self.matcher.part_beside(part, *row);
            let optional = beside(Part::Optional).is_some()
                || (kind == BindingKind::Parameter && beside(Part::Value).is_some());
            let variadic = beside(Part::Variadic).is_some();
            let own_value = beside(Part::Value).filter(|_| *row != 0 || names.len() == 1);
            let member = beside(Part::Member).map(|node| self.builder.text(span(node)));
            let member = member.map(|text| self.builder.intern(text));
            let start = node.start_byte() as u32;
            if self.is_bound_already(start) {
                continue;
            }
            let paired = match step {
                Step::Unwrapped => values.iter().find(|value| self.is_given_to(*node, **value)),
                _ => None,
            };
            if step == Step::Unwrapped && paired.is_none() {
                // `if let name` says of a name that stands further out only that it is there.
                continue;
            }
            let kind = if self.is_named_result(kind, start) { BindingKind::Variable } else { kind };
            let name = self.builder.intern(self.builder.text(span(*node)));
            self.claim(start, super::Claim::Explained);
            let index = self.builder.facts.bindings.len() as u32;
            self.builder.facts.bindings.push(Binding {
                name,
                kind,
                scope: self.scope,
                start,
                declared_type,
                origin: Origin::default(),
                symbol,
                optional,
                variadic,
            });
            self.locals.bind(name, true);
            if kind == BindingKind::Parameter && self.is_first_in_scope(index) {
                let expected = self.expected_here().filter(|_| declared_type.is_none());
                self.builder.facts.bindings[index as usize].origin = expected.unwrap_or_default();
            }
            let in_row = own_value.filter(|value| *row != 0 && self.is_in_row(*value, *row));
            let (value, value_step) = match (values.get(position), values.first()) {
                _ if step == Step::Unwrapped => (*paired.expect("just checked"), step),
                _ if in_row.is_some() => (in_row.expect("just checked"), step),
                (Some(value), _) if values.len() == names.len() => (*value, step),
                // Which of several values belongs to which name cannot be told.
                (_, Some(value)) if values.len() > 1 || self.is_of_another(*value, *row) => {
                    continue;
                }
                (_, Some(value)) if step == Step::Same && member.is_none() => {
                    (*value, Step::Position(position.min(255) as u8))
                }
                (_, Some(value)) => (*value, step),
                _ => continue,
            };
            let value_step = member.map_or(value_step, Step::Member);
            self.ask(value, Asker::Binding(index), value_step);
        }
    }

    /// Whether a parameter is the first of its function.
    fn is_first_in_scope(&self, index: u32) -> bool {
        let before = self.builder.facts.bindings[..index as usize].iter().rev().take(16);
        before.into_iter().all(|binding| binding.scope != self.scope)
    }

    /// Whether nothing but the sign for it stands between a name and the value it gets. Conditions that
    /// bind names have no node of their own, so the text must tell.
    fn is_given_to(&self, name: Node<'t>, value: Node<'t>) -> bool {
        let gap = model::Span::new(name.end_byte() as u32, value.start_byte() as u32);
        let text = self.builder.text(gap);
        name.end_byte() < value.start_byte() && text.contains('=') && !text.contains([',', ';'])
    }

    /// Whether a value stands in the repetition of another name.
    pub(super) fn is_of_another(&self, value: Node<'t>, row: u16) -> bool {
        let names = self.matcher.rows_of(Part::Name);
        names.iter().any(|(_, at)| *at != 0 && *at != row && self.is_in_row(value, *at))
    }

    fn is_in_row(&self, value: Node<'t>, row: u16) -> bool {
        let rows = self.matcher.rows_of(Part::Value);
        rows.iter().any(|(node, at)| node.id() == value.id() && *at == row)
    }

    /// A more telling pattern may have bound or defined this very name: Go's receiver is a parameter
    /// too.
    fn is_bound_already(&self, start: u32) -> bool {
        let facts = &self.builder.facts;
        facts.bindings.iter().rev().take(16).any(|binding| binding.start == start)
            || facts.symbols.iter().rev().take(4).any(|symbol| symbol.name_span.start == start)
    }

    /// Go names results like parameters.
    fn is_named_result(&self, kind: BindingKind, start: u32) -> bool {
        kind == BindingKind::Parameter && self.type_position(start) == model::TypePosition::Return
    }

    /// The symbol that a parameter belongs to: none inside a function without a name.
    fn symbol_of_binding(&self, kind: BindingKind) -> Option<u32> {
        let scopes = &self.builder.facts.scopes;
        let mut scope = &scopes[self.scope as usize];
        while scope.kind == ScopeKind::Block
            && let Some(parent) = scope.parent
        {
            scope = &scopes[parent as usize];
        }
        match kind {
            BindingKind::TypeParameter => scope.symbol,
            BindingKind::Parameter | BindingKind::Receiver if scope.kind == ScopeKind::Function => {
                scope.symbol
            }
            _ => None,
        }
    }
}
