//! The state of the pass over the tree, and the ways to add a fact.

use std::cell::Cell;

use ::oxc_ast::ast::{Decorator, IdentifierReference};
use ::oxc_semantic::Scoping;
use ::oxc_span::SourceType;
use ::oxc_syntax::scope::ScopeId;
use ::oxc_syntax::symbol::SymbolId;
use model::{
    Base, LineType, Metrics, NameId, Origin, Reference, ReferenceFlags, Role, Scope, ScopeKind,
    Span, Step, Symbol, SymbolFlags, SymbolKind, TypePosition, Visibility,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::builder::cut;
use crate::{Builder, comments, signature};

/// Stands for no symbol in the tables by oxc's numbers.
pub(super) const NONE: u32 = u32::MAX;
const MAX_DECORATOR: usize = 500;

pub(super) struct Collector<'b> {
    pub(super) builder: Builder<'b>,
    pub(super) scoping: &'b Scoping,
    pub(super) source_type: SourceType,
    /// Our number of each scope of oxc.
    scopes: Vec<u32>,
    /// Which scopes of oxc are part of the scope around them.
    joined: Vec<bool>,
    pub(super) scope: u32,
    /// The symbols around the current place, innermost last.
    pub(super) owners: Vec<u32>,
    /// The callables around the current place, innermost last.
    pub(super) frames: Vec<Frame>,
    /// The classes around the current place, innermost last.
    pub(super) classes: Vec<ClassFrame>,
    /// Our symbol for each symbol of oxc, or [`NONE`].
    pub(super) definitions: Vec<u32>,
    /// Which symbols of oxc are bindings of ours.
    pub(super) locals: Vec<bool>,
    /// The first field of each name, by the symbol it belongs to.
    pub(super) fields: FxHashMap<(u32, NameId), u32>,
    /// What `exports.name` was given, where that had no name before.
    pub(super) exported_values: FxHashMap<NameId, u32>,
    /// Variables that are declared without a type and a value, by symbols of oxc: their bindings.
    pub(super) blank: FxHashMap<SymbolId, u32>,
    /// For each reference: the symbol of oxc it means, or [`NONE`].
    targets: Vec<u32>,
    /// For each reference: whether another fact builds on it.
    used: Vec<bool>,
    /// Where the types being visited stand.
    pub(super) position: TypePosition,
    /// The type that the first parameter of the next function has by where the function stands.
    pub(super) expected_type: Option<NameId>,
    /// What the next function gets as its first argument.
    pub(super) expected_origin: Option<Origin>,
    /// The function whose `return` statements are at hand, if it declares no return type.
    pub(super) returning: Option<u32>,
    /// The `export` around the declaration that comes next.
    pub(super) export: Option<Wrapper>,
    /// Names that an `export` far from their declaration exports, and whether as the default.
    pub(super) exported: Vec<(SymbolId, bool)>,
    /// Variables that are the object of exports: `const own = module.exports`.
    pub(super) own_modules: FxHashSet<SymbolId>,
    /// Whether a name is one of an assertion, by its number: unknown, no, yes.
    pub(super) assertions: Vec<u8>,
}

/// What counts towards the metrics of a callable symbol.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) symbol: u32,
    pub(super) metrics: Metrics,
    pub(super) nesting: u32,
}

/// A class around the current place.
#[derive(Debug, Default)]
pub(super) struct ClassFrame {
    pub(super) symbol: Option<u32>,
    /// Names of members that need no assignment to be known.
    pub(super) members: Vec<NameId>,
}

/// A statement around a declaration that belongs to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrapper {
    pub(super) span: Span,
    pub(super) flags: SymbolFlags,
    /// The `default` keyword.
    pub(super) default: Option<Span>,
}

/// What a new symbol is; the rest follows from where it stands.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    pub(super) kind: SymbolKind,
    pub(super) name: NameId,
    pub(super) name_span: Span,
    pub(super) span: Span,
    pub(super) signature: String,
    pub(super) body: Option<Span>,
    pub(super) flags: SymbolFlags,
    pub(super) visibility: Option<Visibility>,
    pub(super) declared_type: Option<NameId>,
}

/// How a name is used.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    pub(super) role: Role,
    pub(super) flags: ReferenceFlags,
    pub(super) arguments: Option<u16>,
}

impl Use {
    pub(super) const READ: Self = Self::of(Role::Read);
    pub(super) const WRITE: Self = Self::of(Role::Write);

    pub(super) const fn of(role: Role) -> Self {
        Self { role, flags: ReferenceFlags(0), arguments: None }
    }

    pub(super) fn with(mut self, flags: ReferenceFlags, yes: bool) -> Self {
        if yes {
            self.flags.set(flags);
        }
        self
    }
}

pub(super) const fn span(span: ::oxc_span::Span) -> Span {
    Span::new(span.start, span.end)
}

pub(super) const UNKNOWN: Origin = Origin { base: Base::Unknown, step: Step::Same };

pub(super) const fn value_of(reference: u32) -> Origin {
    Origin { base: Base::Reference(reference), step: Step::Same }
}

/// The origin after one more step. Only one can be kept: what is awaited or unwrapped matters less
/// than which part is taken.
pub(super) fn then(origin: Origin, step: Step) -> Origin {
    match (origin.base, origin.step, step) {
        (Base::None | Base::Unknown, ..) => UNKNOWN,
        (_, Step::Same | Step::Awaited | Step::Unwrapped, _) => Origin { step, ..origin },
        (.., Step::Same | Step::Awaited | Step::Unwrapped) => origin,
        _ => UNKNOWN,
    }
}

impl<'b> Collector<'b> {
    pub(super) fn new(
        mut builder: Builder<'b>,
        scoping: &'b Scoping,
        source_type: SourceType,
    ) -> Self {
        let whole = Span::new(0, builder.source.len() as u32);
        let file = Scope { kind: ScopeKind::File, parent: None, span: whole, symbol: None };
        builder.facts.scopes.push(file);
        Self {
            builder,
            scoping,
            source_type,
            scopes: vec![0; scoping.scopes_len()],
            joined: vec![false; scoping.scopes_len()],
            scope: 0,
            owners: Vec::new(),
            frames: Vec::new(),
            classes: Vec::new(),
            definitions: vec![NONE; scoping.symbols_len()],
            locals: vec![false; scoping.symbols_len()],
            fields: FxHashMap::default(),
            exported_values: FxHashMap::default(),
            blank: FxHashMap::default(),
            targets: Vec::new(),
            used: Vec::new(),
            position: TypePosition::Other,
            expected_type: None,
            expected_origin: None,
            returning: None,
            export: None,
            exported: Vec::new(),
            own_modules: FxHashSet::default(),
            assertions: Vec::new(),
        }
    }

    // Names and texts.

    /// A name that stands in the code.
    pub(super) fn name(&mut self, text: &str, start: u32, line_type: LineType) -> NameId {
        let name = self.builder.intern(text);
        self.builder.term(name, start, line_type);
        name
    }

    /// The source without comments, in pieces.
    pub(super) fn pieces(&self, start: u32, end: u32) -> impl Iterator<Item = &'b str> {
        let comments = &self.builder.comments;
        let first = comments.partition_point(|comment| comment.start < start);
        let last = comments.partition_point(|comment| comment.end <= end).max(first);
        let inside = &comments[first..last];
        let starts = std::iter::once(start).chain(inside.iter().map(|comment| comment.end));
        let ends = inside.iter().map(|comment| comment.start).chain(std::iter::once(end));
        starts.zip(ends).map(|(start, end)| self.builder.text(Span::new(start, end)))
    }

    /// A declaration as one line, without `export`.
    pub(super) fn signature(&self, start: u32, end: u32) -> String {
        let text = signature::of_declaration(self.pieces(start, end));
        let mut rest = text.as_str();
        for word in ["export ", "default "] {
            rest = rest.strip_prefix(word).unwrap_or(rest);
        }
        if rest.len() == text.len() { text } else { rest.to_owned() }
    }

    /// A type as one line.
    pub(super) fn type_text(&mut self, at: ::oxc_span::Span) -> NameId {
        let text = self.builder.text(span(at));
        if text.bytes().any(|byte| byte.is_ascii_whitespace()) || text.contains('/') {
            let text = signature::normalise(self.pieces(at.start, at.end));
            self.builder.intern(&text)
        } else {
            self.builder.intern(text)
        }
    }

    /// The documentation comment right above a place.
    pub(super) fn docs_above(&self, start: u32) -> Option<String> {
        let comments = &self.builder.comments;
        let before = comments.partition_point(|comment| comment.end <= start);
        let mut next = start;
        for comment in comments[..before].iter().rev() {
            let gap = self.builder.text(Span::new(comment.end, next));
            // Most gaps hold code, and all that lies between may be long: lines are counted last.
            if !gap.trim().is_empty() {
                return None;
            }
            let lines = memchr::memchr_iter(b'\n', gap.as_bytes()).count();
            if lines > 1 {
                return None;
            }
            let text = self.builder.text(*comment);
            if text.starts_with("/**") && text.len() > 4 {
                // A comment behind other code on its line belongs to that code.
                let line = self.builder.position(comment.start).0 as usize - 1;
                let line_start = self.builder.facts.line_starts[line];
                let before = self.builder.text(Span::new(line_start, comment.start));
                if lines > 0 && !before.trim_start_matches('\u{feff}').trim().is_empty() {
                    return None;
                }
                let docs = comments::clean(self.builder.language, std::iter::once(text));
                return (!docs.is_empty()).then_some(docs);
            }
            next = comment.start;
        }
        None
    }

    // Scopes.

    /// Enters a scope of oxc; returns the scope to go back to.
    pub(super) fn open_scope(
        &mut self,
        kind: ScopeKind,
        id: &Cell<Option<ScopeId>>,
        at: ::oxc_span::Span,
        symbol: Option<u32>,
    ) -> u32 {
        let before = self.scope;
        let Some(id) = id.get() else { return before };
        // A block that binds nothing is no region of its own.
        if kind == ScopeKind::Block && symbol.is_none() && self.scoping.get_bindings(id).is_empty()
        {
            self.scopes[id.index()] = before;
            return before;
        }
        let scopes = &mut self.builder.facts.scopes;
        let number = scopes.len() as u32;
        scopes.push(Scope { kind, parent: Some(before), span: span(at), symbol });
        if let Some(symbol) = symbol {
            self.builder.facts.symbols[symbol as usize].scope = Some(number);
        }
        self.scopes[id.index()] = number;
        self.scope = number;
        before
    }

    /// A scope of oxc that is none of ours.
    pub(super) fn join_scope(&mut self, id: &Cell<Option<ScopeId>>) {
        if let Some(id) = id.get() {
            self.scopes[id.index()] = self.scope;
            self.joined[id.index()] = true;
        }
    }

    /// Whether a name is bound only inside a type, where no scope of ours begins.
    pub(super) fn is_bound_in_type(&self, symbol: Option<SymbolId>) -> bool {
        symbol.is_some_and(|symbol| self.joined[self.scoping.symbol_scope_id(symbol).index()])
    }

    /// Our scope in which oxc has a symbol.
    pub(super) fn scope_of(&self, symbol: Option<SymbolId>) -> u32 {
        symbol
            .map_or(self.scope, |symbol| self.scopes[self.scoping.symbol_scope_id(symbol).index()])
    }

    /// Whether a name is bound by the file or a namespace, not by a function or block.
    pub(super) fn is_module_level(&self, symbol: Option<SymbolId>) -> bool {
        symbol.is_some_and(|symbol| {
            let flags = self.scoping.scope_flags(self.scoping.symbol_scope_id(symbol));
            flags.is_top() || flags.is_ts_module_block()
        })
    }

    // Symbols.

    /// Adds a symbol owned by the one around it.
    pub(super) fn define(&mut self, definition: Definition) -> u32 {
        self.define_in(self.owners.last().copied(), definition)
    }

    pub(super) fn define_in(&mut self, owner: Option<u32>, definition: Definition) -> u32 {
        let facts = &self.builder.facts;
        let name = facts.names.get(definition.name);
        let qualified_name = match owner {
            Some(owner) => {
                let owner = &facts.symbols[owner as usize].qualified_name;
                let mut text = String::with_capacity(owner.len() + 1 + name.len());
                text.push_str(owner);
                text.push('.');
                text.push_str(name);
                text
            }
            None => name.to_owned(),
        };
        let docs = self.docs_above(definition.span.start);
        let symbols = &mut self.builder.facts.symbols;
        let number = symbols.len() as u32;
        if let Some(owner) = owner
            && matches!(
                definition.kind,
                SymbolKind::Field | SymbolKind::Property | SymbolKind::Class
            )
        {
            self.fields.entry((owner, definition.name)).or_insert(number);
        }
        symbols.push(Symbol {
            kind: definition.kind,
            name: definition.name,
            qualified_name,
            ordinal: 0,
            owner,
            span: definition.span,
            name_span: definition.name_span,
            body: definition.body,
            signature: definition.signature,
            docs,
            visibility: definition.visibility,
            flags: definition.flags,
            declared_type: definition.declared_type,
            origin: Origin::default(),
            value: None,
            decorators: Vec::new(),
            scope: None,
            metrics: None,
            body_hash: None,
        });
        number
    }

    pub(super) fn symbol(&mut self, number: u32) -> &mut Symbol {
        &mut self.builder.facts.symbols[number as usize]
    }

    pub(super) fn set_origin(&mut self, symbol: u32, origin: Origin) {
        self.mark_used(origin);
        self.symbol(symbol).origin = origin;
    }

    /// Remembers which symbol of ours a name of oxc means.
    pub(super) fn identify(&mut self, id: Option<SymbolId>, symbol: u32) {
        // Of overloads and merged declarations, the first stands for all.
        if let Some(id) = id
            && self.definitions[id.index()] == NONE
        {
            self.definitions[id.index()] = symbol;
        }
    }

    /// The wrapper of the declaration that is being visited, once.
    pub(super) fn take_export(&mut self) -> (Option<Span>, SymbolFlags) {
        match self.export.take() {
            Some(wrapper) => (Some(wrapper.span), wrapper.flags),
            None => (None, SymbolFlags::default()),
        }
    }

    /// The decorators of a symbol, as text and as references.
    pub(super) fn decorators(&mut self, symbol: u32, decorators: &[Decorator<'_>]) {
        self.decorator_texts(symbol, decorators);
        self.owners.push(symbol);
        for decorator in decorators {
            self.decorator(decorator);
        }
        self.owners.pop();
    }

    pub(super) fn decorator_texts(&mut self, symbol: u32, decorators: &[Decorator<'_>]) {
        for decorator in decorators {
            let text = signature::normalise(self.pieces(decorator.span.start, decorator.span.end));
            let kept = cut(&text, MAX_DECORATOR);
            if kept.len() < text.len() {
                self.symbol(symbol).flags.set(SymbolFlags::TRUNCATED);
            }
            self.symbol(symbol).decorators.push(kept.to_owned());
        }
    }

    // References.

    /// The symbol of oxc that an identifier means.
    pub(super) fn target(&self, identifier: &IdentifierReference<'_>) -> Option<SymbolId> {
        let id = identifier.reference_id.get()?;
        self.scoping.get_reference(id).symbol_id()
    }

    /// Whether an identifier means nothing that this file declares.
    pub(super) fn is_global(&self, identifier: &IdentifierReference<'_>) -> bool {
        self.target(identifier).is_none()
    }

    /// A use of a name that stands alone.
    pub(super) fn use_identifier(&mut self, it: &IdentifierReference<'_>, used_as: Use) -> u32 {
        let name = self.name(it.name.as_str(), it.span.start, LineType::Code);
        let number = self.reference(name, it.span.start, used_as, Origin::default());
        if let Some(symbol) = self.target(it) {
            self.targets[number as usize] = symbol.index() as u32;
        }
        number
    }

    /// A use of a name behind a receiver.
    pub(super) fn use_member(
        &mut self,
        name: NameId,
        start: u32,
        used_as: Use,
        receiver: Origin,
    ) -> u32 {
        self.reference(name, start, used_as.with(ReferenceFlags::MEMBER, true), receiver)
    }

    pub(super) fn reference(
        &mut self,
        name: NameId,
        start: u32,
        used_as: Use,
        receiver: Origin,
    ) -> u32 {
        self.mark_used(receiver);
        let is_type = matches!(used_as.role, Role::Type);
        let reference = Reference {
            name,
            role: used_as.role,
            position: if is_type { self.position } else { TypePosition::Other },
            flags: used_as.flags,
            start,
            receiver,
            arguments: used_as.arguments,
            symbol: self.owners.last().copied(),
            scope: self.scope,
        };
        let references = &mut self.builder.facts.references;
        references.push(reference);
        self.targets.push(NONE);
        self.used.push(false);
        references.len() as u32 - 1
    }

    pub(super) fn mark_used(&mut self, origin: Origin) {
        if let Base::Reference(number) = origin.base {
            self.used[number as usize] = true;
        }
    }

    // The end.

    pub(super) fn finish(mut self) -> Builder<'b> {
        for (id, is_default) in std::mem::take(&mut self.exported) {
            let number = self.definitions[id.index()];
            if number != NONE {
                let flags = &mut self.symbol(number).flags;
                flags.set(SymbolFlags::EXPORTED);
                if is_default {
                    flags.set(SymbolFlags::DEFAULT_EXPORT);
                }
            }
        }
        self.drop_local_uses();
        self.sort_symbols();
        self.builder
    }

    /// Drops reads and writes of local names on which nothing builds: they say nothing of other
    /// symbols. Whether a name is local is known only when the whole file was seen.
    fn drop_local_uses(&mut self) {
        let facts = &mut self.builder.facts;
        let mut numbers = Vec::with_capacity(facts.references.len());
        let mut kept = 0;
        for (index, reference) in facts.references.iter().enumerate() {
            let target = self.targets[index];
            let dropped = target != NONE
                && self.locals[target as usize]
                && !self.used[index]
                && matches!(reference.role, Role::Read | Role::Write | Role::Type);
            numbers.push(if dropped { NONE } else { kept });
            kept += u32::from(!dropped);
        }
        if kept as usize == numbers.len() {
            return;
        }
        let renumber = |origin: &mut Origin| {
            if let Base::Reference(number) = &mut origin.base {
                *number = numbers[*number as usize];
            }
        };
        let mut index = 0;
        facts.references.retain(|_| {
            index += 1;
            numbers[index - 1] != NONE
        });
        facts.references.iter_mut().for_each(|reference| renumber(&mut reference.receiver));
        facts.bindings.iter_mut().for_each(|binding| renumber(&mut binding.origin));
        facts.symbols.iter_mut().for_each(|symbol| renumber(&mut symbol.origin));
    }

    /// Puts symbols in order of their start. They are found almost so.
    fn sort_symbols(&mut self) {
        let facts = &mut self.builder.facts;
        let key = |symbol: &Symbol| (symbol.span.start, std::cmp::Reverse(symbol.span.end));
        if facts.symbols.is_sorted_by_key(key) {
            return;
        }
        let mut order: Vec<u32> = (0..facts.symbols.len() as u32).collect();
        order.sort_by_key(|number| key(&facts.symbols[*number as usize]));
        let mut numbers = vec![0; order.len()];
        for (place, number) in order.iter().enumerate() {
            numbers[*number as usize] = place as u32;
        }
        let mut symbols: Vec<Option<Symbol>> =
            std::mem::take(&mut facts.symbols).into_iter().map(Some).collect();
        facts.symbols = order
            .iter()
            .map(|number| symbols[*number as usize].take().expect("each number stands once"))
            .collect();
        let renumber = |number: &mut u32| *number = numbers[*number as usize];
        facts.symbols.iter_mut().filter_map(|symbol| symbol.owner.as_mut()).for_each(renumber);
        facts.references.iter_mut().filter_map(|it| it.symbol.as_mut()).for_each(renumber);
        facts.bindings.iter_mut().filter_map(|it| it.symbol.as_mut()).for_each(renumber);
        facts.scopes.iter_mut().filter_map(|it| it.symbol.as_mut()).for_each(renumber);
    }
}
