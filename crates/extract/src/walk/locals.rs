//! Scopes and the names bound in them.

use languages::pattern::Part;
use model::{Binding, BindingKind, NameId, Scope, ScopeKind, Step, SymbolKind};
use rustc_hash::FxHashMap;
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
    /// Names that stand elsewhere, by the node in whose scope they are bound.
    lent: FxHashMap<usize, Vec<Lent>>,
    /// Whether bindings were found in another order than that of the text.
    pub(super) is_unordered: bool,
}

#[derive(Debug, Clone, Copy)]
struct Lent {
    name: NameId,
    kind: BindingKind,
    start: u32,
    declared_type: Option<NameId>,
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
        let around = self.builder.facts.scopes[self.scope as usize].span;
        let own = span(node);
        self.builder.facts.scopes.push(Scope {
            kind,
            parent: Some(self.scope),
            // Of tokens that were read with something written around them, a node may stick out.
            span: model::Span::new(own.start.max(around.start), own.end.min(around.end)),
            symbol,
        });
        self.open(Closes::Scope { outer: self.scope, bound: self.locals.bound.len() });
        self.scope = scope;
        self.open_closure(node, scope);
        if !self.locals.lent.is_empty() {
            self.bind_lent(node);
        }
        scope
    }

    /// Acts on a `@lend` pattern: remembers the names for the nodes they are lent to.
    pub(super) fn lend(&mut self, kind: BindingKind) {
        if !self.matcher.has(Part::Inner) {
            return self.lend_type(kind);
        }
        for (inner, row) in self.matcher.rows_of(Part::Inner) {
            for (node, name_row) in self.matcher.rows_of(Part::Name) {
                let types = self.matcher.rows_of(Part::Type);
                let at = if row == 0 { name_row } else { row };
                let mut types = types.into_iter().filter(|(_, type_row)| *type_row == at);
                let (Some((declared, _)), None) = (types.next(), types.next()) else { continue };
                let declared = self.text_of(Some(declared));
                let lent = Lent {
                    name: self.builder.intern(self.builder.text(span(node))),
                    kind,
                    start: node.start_byte() as u32,
                    declared_type: declared.map(|text| self.builder.intern(&text)),
                };
                self.locals.lent.entry(inner.id()).or_default().push(lent);
            }
        }
    }

    /// Says of which type a name is that was bound in this scope.
    fn lend_type(&mut self, kind: BindingKind) {
        let Some(name) = self.matcher.part(Part::Name) else { return };
        let name = self.builder.intern(self.builder.text(span(name)));
        let Some(text) = self.part_text(Part::Type) else { return };
        let declared_type = self.builder.intern(&text);
        let scope = self.scope;
        let recent = self.builder.facts.bindings.iter_mut().rev().take(32);
        let mut same = recent.filter(|binding| binding.scope == scope && binding.kind == kind);
        if let Some(binding) = same.find(|binding| binding.name == name) {
            binding.declared_type.get_or_insert(declared_type);
        }
    }

    fn bind_lent(&mut self, node: Node<'t>) {
        let Some(names) = self.locals.lent.remove(&node.id()) else { return };
        for Lent { name, kind, start, declared_type } in names {
            self.builder.facts.bindings.push(Binding {
                name,
                kind,
                scope: self.scope,
                start,
                declared_type,
                origin: model::Origin::default(),
                symbol: self.symbol_of_binding(kind),
                optional: false,
                variadic: false,
            });
            self.locals.bind(name, true);
        }
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
        self.bind_unnamed(kind, symbol);
        for (position, (node, row)) in names.iter().enumerate() {
            let beside = |part| self.matcher.part_beside(part, *row);
            let declared_type = beside(Part::Type)
                .or_else(|| self.matcher.part(Part::Type).filter(|_| names.len() == 1));
            let declared_type =
                self.type_text(declared_type).map(|text| self.builder.intern(&text));
            let beside = |part| self.matcher.part_beside(part, *row);
            let optional = beside(Part::Optional).is_some()
                || (kind == BindingKind::Parameter && beside(Part::Value).is_some());
            let variadic = beside(Part::Variadic).is_some();
            let own_value = beside(Part::Value).filter(|_| *row != 0 || names.len() == 1);
            let member = beside(Part::Member).map(|node| self.builder.text(span(node)));
            let member = member.map(|text| self.builder.intern(text));
            let start = node.start_byte() as u32;
            let is_known = kind == BindingKind::Parameter && self.has_parameter(symbol, *node);
            if is_known || self.is_bound_already(start) {
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
            self.locals.is_unordered |= symbol.is_some()
                && kind == BindingKind::Parameter
                && self.builder.facts.bindings.last().is_some_and(|last| {
                    last.kind == kind && last.symbol == symbol && last.start > start
                });
            self.builder.facts.bindings.push(Binding {
                name,
                kind,
                scope: self.scope,
                start,
                declared_type,
                origin: self.promised(start).unwrap_or_default(),
                symbol,
                optional,
                variadic,
            });
            self.locals.bind(name, true);
            if kind == BindingKind::Parameter
                && declared_type.is_none()
                && self.is_first_in_scope(index)
                && let Some(expected) = self.expected_here()
            {
                self.builder.facts.bindings[index as usize].origin = expected;
            }
            if kind == BindingKind::Parameter
                && self.builder.facts.bindings[index as usize].origin == model::Origin::default()
                && let Some(given) = self.given_here(index)
            {
                self.builder.facts.bindings[index as usize].origin = given;
            }
            let in_row = own_value.filter(|value| *row != 0 && self.is_in_row(*value, *row));
            let (value, value_step) = match (values.get(position), values.first()) {
                (_, Some(value)) if matches!(step, Step::Position(_)) => {
                    (*value, Step::Position(place_among(*node)))
                }
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

    /// Parameters without names, which say how many arguments there are.
    fn bind_unnamed(&mut self, kind: BindingKind, symbol: Option<u32>) {
        for (node, row) in self.matcher.rows_of(Part::Unnamed) {
            let start = node.start_byte() as u32;
            // Results have no names either, and what stands in the brackets of a test is its name.
            let is_place = kind != BindingKind::Parameter
                || self.type_position(start) == model::TypePosition::Parameter;
            let is_test = |index| self.symbol_at(index).kind == SymbolKind::Test;
            if symbol.is_none_or(is_test) || !is_place || self.is_bound_already(start) {
                continue;
            }
            let declared_type = self.type_text(self.matcher.part_beside(Part::Type, row));
            let declared_type = declared_type.map(|text| self.builder.intern(&text));
            let name = self.builder.intern("");
            let variadic = self.matcher.part_beside(Part::Variadic, row).is_some();
            let optional = self.matcher.part_beside(Part::Optional, row).is_some();
            self.builder.facts.bindings.push(Binding {
                name,
                kind,
                scope: self.scope,
                start,
                declared_type,
                origin: model::Origin::default(),
                symbol,
                optional,
                variadic,
            });
        }
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

    /// Whether the callable has a parameter of that name: where C writes types behind the brackets,
    /// names stand twice.
    fn has_parameter(&self, symbol: Option<u32>, node: Node<'t>) -> bool {
        let facts = &self.builder.facts;
        let text = self.builder.text(span(node));
        let parameters = facts.bindings.iter().rev().take_while(|binding| binding.symbol == symbol);
        let mut parameters = parameters.take(16).filter(|_| symbol.is_some() && text != "_");
        parameters.any(|parameter| facts.names.get(parameter.name) == text)
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

/// How many commas stand before a node among its siblings.
fn place_among(node: Node<'_>) -> u8 {
    let Some(parent) = node.parent() else { return 0 };
    let mut cursor = parent.walk();
    let before = parent.children(&mut cursor).take_while(|child| child.id() != node.id());
    before.filter(|child| child.kind() == ",").count().min(255) as u8
}
