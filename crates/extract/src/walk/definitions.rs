//! Symbols: opened where their definition begins, completed where it ends.

use std::ops::Range;

use languages::pattern::{Part, Place};
use languages::{Assignments, KindFlags};
use model::{
    BindingKind, LineType, NameId, Origin, ReferenceFlags, Role, ScopeKind, Span, Step, Symbol,
    SymbolFlags, SymbolKind, Visibility,
};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::matcher::span;
use super::origins::{Asker, unquoted};
use super::{Closes, Walker};

/// A value longer than this is not part of a signature.
const MAX_SIGNATURE_VALUE: u32 = 80;
/// A file with more symbols than this is data, not code.
const MAX_SYMBOLS: usize = 50_000;

/// What definitions need to know of what stands around them.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// Decorators whose symbol has not come yet, with the depth they stand at.
    pub(super) decorators: Vec<(Span, usize)>,
    /// By symbol: parts of its definition that matter only until it is complete.
    pub(super) pending: FxHashMap<u32, Pending>,
    /// The depth of the node that pending decorators must find their symbol in.
    last_chance: Option<usize>,
    /// Visibility that a section sets for the members of a symbol from there on, and its depth.
    pub(super) sections: FxHashMap<Option<u32>, (Visibility, usize)>,
    /// Flags of all that is defined in the nodes at these depths.
    pub(super) flags: Vec<(SymbolFlags, usize)>,
    /// Variables that were assigned outside functions.
    assigned: FxHashSet<NameId>,
    /// The symbols of the innermost open definition, if several names have a value each.
    pub(super) siblings: Option<Range<u32>>,
    /// Symbols whose owner is named, but does not stand around them.
    pub(super) named_owners: Vec<(u32, String)>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Pending {
    pub(super) decorators: Vec<Span>,
    /// Modifiers behind the name.
    pub(super) modifiers: Vec<Span>,
    /// Where the signature ends.
    pub(super) header_end: u32,
    pub(super) parameters: Option<Span>,
    pub(super) returns: Option<Span>,
}

impl Definitions {
    /// How many decorators at this depth wait for their symbol.
    pub(super) fn decorators_at(&self, depth: usize) -> usize {
        self.decorators.iter().filter(|(_, at)| *at == depth).count()
    }

    /// What comes after decorators takes them or nobody does.
    pub(super) fn last_chance_at(&mut self, depth: usize) {
        self.last_chance = Some(depth);
    }

    /// Whether nothing waits for a node to be left, as almost always.
    pub(super) fn is_idle(&self) -> bool {
        self.decorators.is_empty()
            && self.last_chance.is_none()
            && self.sections.is_empty()
            && self.flags.is_empty()
    }

    /// Forgets what does not reach beyond the node that is being left.
    pub(super) fn leave(&mut self, depth: usize) {
        while self.decorators.pop_if(|(_, at)| *at > depth).is_some() {}
        while self.flags.pop_if(|(_, at)| *at >= depth).is_some() {}
        if self.last_chance == Some(depth) {
            self.decorators.retain(|(_, at)| *at != depth);
            self.last_chance = None;
        }
        if !self.sections.is_empty() {
            self.sections.retain(|_, (_, at)| *at <= depth);
        }
    }
}

/// A part that names what a pattern defines, and its row.
pub(super) type NamePart<'t> = (Part, Node<'t>, u16);

/// The name of a symbol and its place.
struct Named<'a> {
    text: &'a str,
    name_span: Span,
    body: Option<Span>,
}

/// What all names of one definition share.
#[derive(Debug)]
struct Shared<'t> {
    kind: SymbolKind,
    outer: Option<u32>,
    /// The owner as written, where it does not stand around the definition.
    owner_text: Option<String>,
    /// It belongs to the type whose method it stands in.
    of_type: bool,
    flags: SymbolFlags,
    /// With decorators.
    span: Span,
    body: Option<Span>,
    docs: Option<String>,
    declared_type: Option<NameId>,
    values: Vec<Node<'t>>,
    pending: Pending,
}

impl<'a, 't> Walker<'a, 't> {
    /// Acts on a `@definition` pattern: opens a symbol for every `@name`.
    pub(super) fn define(
        &mut self,
        node: Node<'t>,
        kind: SymbolKind,
        is_static: bool,
        place: Place,
    ) {
        let names = self.names_to_define();
        if names.is_empty()
            || self.is_no_symbol(node, kind, &names)
            || self.are_too_many(node, names.len())
        {
            return;
        }
        if self.is_the_same_function(node) {
            // `const f = function g() {}` is one function; only inside it is called `g`.
            for (_, name, _) in &names {
                self.claim(name.start_byte() as u32, super::Claim::Explained);
            }
            return;
        }
        let is_field = matches!(kind, SymbolKind::Field | SymbolKind::Property);
        let of_type = place != Place::Here;
        let enclosing_type = if of_type { self.enclosing_type() } else { None };
        // What a type written inside a function has is nobody's member.
        if enclosing_type.is_none() && (of_type || is_field && self.is_inside_function()) {
            return;
        }
        if place == Place::Known {
            return self.tell_of_members(enclosing_type, &names);
        }
        let mut shared = self.shared(node, kind, enclosing_type, &names);
        if is_static {
            shared.flags.set(SymbolFlags::STATIC);
        }
        let first = self.builder.facts.symbols.len() as u32;
        self.own_decorator_references(&shared.pending.decorators, first);
        for position in 0..names.len() {
            self.define_name(&shared, &names, position);
        }
        let symbols = first..self.builder.facts.symbols.len() as u32;
        if shared.of_type {
            self.complete_definitions(symbols);
        } else {
            let values = self.matcher.rows_of(Part::Value);
            let has_own = |row: u16| row != 0 && values.iter().any(|(_, at)| *at == row);
            let are_several = symbols.len() > 1 && names.iter().any(|(.., row)| has_own(*row));
            self.open_definition(node, &shared, symbols, are_several);
        }
    }

    /// The symbol that uses what stands at this place. Of several names, each has what follows it.
    pub(super) fn user(&self, start: u32) -> Option<u32> {
        match &self.definitions.siblings {
            Some(siblings) if self.symbol == Some(siblings.start) => {
                let is_before = |index: &u32| self.symbol_at(*index).name_span.start <= start;
                siblings.clone().rev().find(is_before).or(self.symbol)
            }
            _ => self.symbol,
        }
    }

    /// The names of the definition that was matched, without those that are defined already.
    fn names_to_define(&self) -> Vec<NamePart<'t>> {
        let names = self.matcher.parts.iter().filter(|(part, node, _)| {
            let is_name = match part {
                Part::Name | Part::Title => true,
                Part::Assigned => self.builder.text(span(*node)).contains('='),
                _ => false,
            };
            is_name && !self.is_defined_already(*node)
        });
        names.copied().collect()
    }

    /// Whether what looks like a definition makes no symbol: it only writes a variable, or binds a
    /// local name. Both are recorded here.
    fn is_no_symbol(&mut self, node: Node<'t>, kind: SymbolKind, names: &[NamePart<'t>]) -> bool {
        if !matches!(kind, SymbolKind::Var | SymbolKind::Const) {
            return false;
        }
        if self.language.table.assignments == Assignments::Global {
            // What stands around an assignment may have explained the name already.
            if names.iter().all(|(_, name, _)| self.is_claimed(name.start_byte() as u32)) {
                return true;
            }
            if self.assigns_only(node, names) {
                self.refer(node, Role::Write, ReferenceFlags::default());
                return true;
            }
        }
        let is_local = self.is_inside_function();
        if is_local {
            let is_constant = kind == SymbolKind::Const;
            let kind = if is_constant { BindingKind::Constant } else { BindingKind::Variable };
            self.bind(kind, Step::Same);
        }
        is_local
    }

    /// Whether the file has no room for more symbols, which is a problem to tell once.
    fn are_too_many(&mut self, node: Node<'t>, more: usize) -> bool {
        let are_too_many = self.builder.facts.symbols.len() + more > MAX_SYMBOLS;
        if are_too_many {
            let message = format!("more than {MAX_SYMBOLS} symbols");
            if self.builder.facts.problems.last().is_none_or(|last| last.message != message) {
                let start = node.start_byte() as u32;
                self.builder.problem(model::ProblemKind::Limit, start, message);
            }
        }
        are_too_many
    }

    /// What the match says of all its names together. Takes the decorators and the documentation.
    fn shared(
        &mut self,
        node: Node<'t>,
        kind: SymbolKind,
        enclosing_type: Option<u32>,
        names: &[NamePart<'t>],
    ) -> Shared<'t> {
        let start = self.start_with_wrappers(node);
        let owner_text = self.owner_text().filter(|owner| !self.is_around(owner));
        let kind =
            if self.is_friend() { kind } else { self.refine(kind, names, owner_text.as_deref()) };
        let decorators: Vec<Span> =
            self.definitions.decorators.drain(..).map(|(span, _)| span).collect();
        let anchor = decorators.iter().map(|span| span.start).fold(start, u32::min);
        // Documentation may stand above the decorators or between them and the definition.
        let docs = self.docs_above(anchor).or_else(|| self.docs_above(start));
        let end = node.end_byte() as u32;
        let body = self.matcher.part(Part::Body).map(|body| {
            // Where the body has no node of its own, its opening token stands for it.
            let end = if body.is_named() { body.end_byte() as u32 } else { end };
            Span::new(body.start_byte() as u32, end)
        });
        let declared_type = self.declared_type().map(|text| self.builder.intern(&text));
        let values: Vec<Node<'t>> = self.matcher.all(Part::Value).collect();
        let header_end = match (body, values.first().map(|value| span(*value))) {
            (Some(body), _) => body.start,
            (None, Some(value)) if value.end - value.start > MAX_SIGNATURE_VALUE => value.start,
            _ => end,
        };
        let mut flags = SymbolFlags::default();
        if self.matcher.has(Part::Optional) {
            flags.set(SymbolFlags::OPTIONAL);
        }
        Shared {
            kind,
            outer: enclosing_type.or_else(|| self.owner_of(kind)),
            owner_text,
            of_type: enclosing_type.is_some(),
            flags,
            span: Span::new(anchor, end),
            body,
            docs,
            declared_type,
            values,
            pending: Pending {
                decorators,
                modifiers: self.matcher.all(Part::Modifier).map(span).collect(),
                header_end,
                // Some grammars have no list around them, and some languages several lists.
                parameters: self
                    .matcher
                    .all(Part::Parameters)
                    .map(span)
                    .reduce(|a, b| Span::new(a.start.min(b.start), a.end.max(b.end))),
                returns: self.matcher.part(Part::Returns).map(span),
            },
        }
    }

    /// The owner that the definition names itself: `Service::Inner` in `void Service::Inner::notify()`.
    fn owner_text(&mut self) -> Option<String> {
        let mut owners: Vec<Node<'t>> = self.matcher.all(Part::Owner).collect();
        owners.sort_unstable_by_key(Node::start_byte);
        owners.dedup_by_key(|owner| owner.start_byte());
        for owner in &owners {
            self.claim_inside_as(*owner, super::Claim::Owner);
        }
        let texts: Vec<String> =
            owners.into_iter().filter_map(|owner| self.text_of(Some(owner))).collect();
        (!texts.is_empty()).then(|| texts.join(&self.language.table.separator))
    }

    /// Makes the symbol of one name.
    fn define_name(&mut self, shared: &Shared<'t>, names: &[NamePart<'t>], position: usize) {
        let (part, node, row) = names[position];
        let kind = shared.kind;
        let Named { text, name_span, body } = self.name_of_symbol(part, node);
        let name = self.builder.intern(text);
        let qualified_name = self.qualified(shared.outer, shared.owner_text.as_deref(), text);
        let value = self.value_of_name(&shared.values, names.len(), position, row);
        if shared.of_type
            && let Some(known) = self.member(shared.outer, name)
        {
            return self.tell_of_member(known, value);
        }
        let literal = value
            .filter(|(_, step)| may_be_literal(kind) && *step == Step::Same)
            .and_then(|(value, _)| self.literal(value));
        if part == Part::Name {
            self.claim_inside(node);
        }
        // A test that is named by a type uses it.
        let is_text = self.is_text(name_span.start as usize);
        if kind != SymbolKind::Test || is_text {
            self.claim(name_span.start, super::Claim::Explained);
        }
        // The name of a section is prose, as is that of a test in quotes, that of a selector is made of names:
        // only their words are terms.
        if !is_text && !matches!(kind, SymbolKind::Section | SymbolKind::Selector) {
            self.builder.term(name, name_span.start, line_type(kind));
        }
        if !shared.of_type
            && shared.outer.is_some_and(|outer| self.symbol_at(outer).kind.is_callable())
        {
            self.locals.bind(name, false);
        }
        let index = self.builder.facts.symbols.len() as u32;
        self.builder.facts.symbols.push(Symbol {
            kind,
            name,
            qualified_name,
            ordinal: 0,
            owner: shared.outer,
            span: shared.span,
            name_span,
            body: body.or(shared.body),
            signature: String::new(),
            docs: shared.docs.clone(),
            visibility: None,
            flags: shared.flags,
            declared_type: shared.declared_type,
            origin: Origin::default(),
            value: literal,
            decorators: Vec::new(),
            scope: None,
            metrics: None,
            body_hash: None,
        });
        self.definitions.pending.insert(index, shared.pending.clone());
        if let Some(owner) = &shared.owner_text {
            let owner = self.qualified(shared.outer, None, owner);
            self.definitions.named_owners.push((index, owner));
        }
        if let Some((value, step)) = value {
            self.ask(value, Asker::Symbol(index), step);
        }
    }

    /// Tells what members are that are defined elsewhere.
    fn tell_of_members(&mut self, owner: Option<u32>, names: &[NamePart<'t>]) {
        let values: Vec<Node<'t>> = self.matcher.all(Part::Value).collect();
        for (position, (part, node, row)) in names.iter().enumerate() {
            let name = self.builder.intern(self.name_of_symbol(*part, *node).text);
            if let Some(known) = self.member(owner, name) {
                let value = self.value_of_name(&values, names.len(), position, *row);
                self.tell_of_member(known, value);
            }
        }
    }

    /// What is declared without a type or value gets to be what it is where it gets one.
    fn tell_of_member(&mut self, known: u32, value: Option<(Node<'t>, Step)>) {
        if let Some((value, step)) = value.filter(|_| self.says_no_type(known)) {
            self.ask(value, Asker::Symbol(known), step);
        }
    }

    /// What of a name's node is the name, and the body that stands in it too.
    fn name_of_symbol(&self, part: Part, node: Node<'t>) -> Named<'a> {
        let mut name_span = span(node);
        let mut text = self.builder.text(name_span);
        let mut body = None;
        if part == Part::Title {
            let inside = unquoted(text);
            name_span.start += (inside.as_ptr() as usize - text.as_ptr() as usize) as u32;
            name_span.end = name_span.start + inside.len() as u32;
            text = inside;
        }
        // A conversion is named like its type, up to its brackets.
        if part == Part::Name
            && let Some(brackets) = self.matcher.part(Part::Parameters)
            && name_span.contains(span(brackets))
        {
            name_span.end = brackets.start_byte() as u32;
            text = self.builder.text(name_span).trim_end();
            name_span.end = name_span.start + text.len() as u32;
        }
        if part == Part::Assigned {
            text = text.split('=').next().unwrap_or(text);
            // What stands behind the `=` is what the name stands for.
            body = Some(Span::new(name_span.start + text.len() as u32 + 1, name_span.end));
            name_span.end = name_span.start + text.len() as u32;
        }
        Named { text: text.trim(), name_span, body }
    }

    /// Opens what is closed at the end of the definition. Of several names the first stands for all.
    fn open_definition(
        &mut self,
        node: Node<'t>,
        shared: &Shared<'t>,
        symbols: Range<u32>,
        are_several: bool,
    ) {
        let first = symbols.start;
        let siblings = are_several.then(|| symbols.clone());
        let siblings = std::mem::replace(&mut self.definitions.siblings, siblings);
        self.open(Closes::Definition { symbols, outer: self.symbol, siblings });
        self.symbol = Some(first);
        if shared.kind.is_callable() {
            self.open_callable(first);
        }
        if let Some(scope) = scope_kind(shared.kind) {
            let scope = self.open_scope(node, scope, Some(first));
            self.builder.facts.symbols[first as usize].scope = Some(scope);
        }
    }

    pub(super) fn close_definition(&mut self, symbols: Range<u32>, outer: Option<u32>) {
        self.symbol = outer;
        self.complete_definitions(symbols);
    }

    /// The value that belongs to a name: the one in its own repetition, the one at its position, or a
    /// part of the one that is taken apart.
    fn value_of_name(
        &self,
        values: &[Node<'t>],
        names: usize,
        position: usize,
        row: u16,
    ) -> Option<(Node<'t>, Step)> {
        let rows = self.matcher.rows_of(Part::Value);
        let in_row = rows.iter().find(|(_, at)| *at == row);
        match (in_row, rows.as_slice()) {
            (Some((value, at)), _) if *at != 0 || names == 1 => Some((*value, Step::Same)),
            _ if values.len() == names && !self.is_of_another(values[position], row) => {
                Some((values[position], Step::Same))
            }
            (_, [(value, 0)]) if names > 1 => {
                Some((*value, Step::Position(position.min(255) as u8)))
            }
            _ => None,
        }
    }

    pub(super) fn symbol_at(&self, index: u32) -> &Symbol {
        &self.builder.facts.symbols[index as usize]
    }

    /// Whether what defines a variable elsewhere only writes it here; see [`Assignments::Global`].
    fn assigns_only(&mut self, node: Node<'t>, names: &[NamePart<'t>]) -> bool {
        let declares = self.language.flags(node.kind_id()).any(KindFlags::WRAPPER);
        if self.is_inside_function() {
            return !declares;
        }
        let mut is_new = false;
        for (_, name, _) in names {
            let name = self.builder.intern(self.builder.text(span(*name)));
            is_new |= self.definitions.assigned.insert(name);
        }
        !is_new
    }

    /// Whether what is defined here is local to a function, with or without a name.
    pub(super) fn is_inside_function(&self) -> bool {
        let scopes = &self.builder.facts.scopes;
        let mut scope = Some(self.scope);
        while let Some(index) = scope {
            match scopes[index as usize].kind {
                ScopeKind::Block => scope = scopes[index as usize].parent,
                kind => return kind == ScopeKind::Function,
            }
        }
        false
    }

    /// Two patterns may find the same definition; the first counts.
    fn is_defined_already(&self, name: Node<'t>) -> bool {
        let start = name.start_byte() as u32;
        let recent = self.builder.facts.symbols.iter().rev().take(8);
        recent.into_iter().any(|symbol| symbol.name_span.start == start)
    }

    fn start_with_wrappers(&self, node: Node<'t>) -> u32 {
        let mut start = node.start_byte() as u32;
        for (kind, wrapper_start) in self.ancestors.iter().rev() {
            if !self.language.flags(*kind).any(KindFlags::WRAPPER) {
                break;
            }
            start = *wrapper_start;
        }
        start
    }
}

fn scope_kind(kind: SymbolKind) -> Option<ScopeKind> {
    if kind.is_callable() {
        Some(ScopeKind::Function)
    } else if kind.has_members() {
        Some(ScopeKind::Type)
    } else if matches!(kind, SymbolKind::Module | SymbolKind::Namespace) {
        Some(ScopeKind::Block)
    } else {
        None
    }
}

/// Whether a literal behind the name is its value.
fn may_be_literal(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Const
            | SymbolKind::Var
            | SymbolKind::EnumMember
            | SymbolKind::Field
            | SymbolKind::Property
    )
}

fn line_type(kind: SymbolKind) -> LineType {
    if kind.is_callable() {
        LineType::Method
    } else if kind.has_members() {
        LineType::Struct
    } else if matches!(
        kind,
        SymbolKind::Field | SymbolKind::Property | SymbolKind::EnumMember | SymbolKind::Event
    ) {
        LineType::Property
    } else {
        LineType::Code
    }
}
