//! One pass over a tree-sitter tree, driven by the tables and patterns of a language.
//!
//! The walk visits every node once, on the way down and on the way up, with an explicit stack: no
//! recursion, whatever the nesting. At each node it looks up what the language says of that kind
//! ([`languages::KindFlags`] and the patterns rooted there) and acts:
//! [`definitions`] opens and closes symbols, [`uses`] records references, imports and exports,
//! [`locals`] keeps scopes and the names bound in them, [`measures`] counts for metrics.
//! [`nodes`] keeps the nodes at hand, for the walk and for the [`matcher`] of patterns alike.
//! [`reading`] puts in the place of tokens, which macros have for arguments, what they are read as.
//! What an expression's value comes from is often known only after its inside was seen; [`origins`]
//! keeps the questions and fills in the answers.

mod completion;
mod decorators;
mod definitions;
mod docs;
mod locals;
mod matcher;
mod measures;
mod nodes;
mod origins;
mod owners;
mod parsing;
mod reading;
#[cfg(test)]
mod tests;
mod types;
mod uses;

use std::collections::VecDeque;

use languages::pattern::{Finding, Part, Pattern};
use languages::{KindFlags, RecoveryStrategy, Rooted};
use model::{
    Base, FileFacts, LineType, Origin, ProblemKind, Reference, ReferenceFlags, Role, Scope,
    ScopeKind, Span, TypePosition,
};
use tree_sitter::{Node, Tree};

use crate::builder::Builder;
use crate::recovery::{self, Blanked, BlankedKind};
use crate::{Language, Source, complete, plain};
use matcher::{Matcher, span};
use nodes::{Index, Nodes};

/// How far out the symbol around a blanked word is looked for; no person nests deeper.
const MAX_AROUND: usize = 64;

pub(crate) fn extract(language: &Language, source: Source<'_>) -> FileFacts {
    let mut dormant = Vec::new();
    let Some((copy, tree)) = parsing::read(language, source.text, &mut dormant) else {
        return plain::extract(language, source);
    };
    let trees = reading::Trees::default();
    let mut walker = Walker::new(language, source.text, &tree, &trees);
    walker.copy = copy.as_deref();
    walker.run();
    let mut builder = walker.finish();
    let brackets = copy.as_deref().map(|copy| keep_blanked_words(&mut builder, copy));
    if language.table.recovery == Some(RecoveryStrategy::CPreprocessor) {
        recovery::macros::note(&mut builder, &brackets.unwrap_or_default());
    }
    recovery::dormant::mark(&mut builder.facts, &dormant);
    complete::complete(&mut builder, source.path);
    builder.finish()
}

/// What the parser did not see are still words of the file, and uses of the names they are. Tells which
/// of them open or close something.
fn keep_blanked_words(builder: &mut Builder<'_>, copy: &str) -> Vec<Span> {
    let mut brackets = Vec::new();
    for stretch in recovery::stretches(builder.source, copy) {
        // Of comments, only those inside macros are blanked.
        if builder.text(stretch).starts_with("/*") {
            builder.comment(stretch);
            continue;
        }
        for blanked in recovery::blanked_in(builder.source, stretch) {
            let Blanked { span, kind } = blanked;
            if kind == BlankedKind::Text {
                builder.string(span);
                continue;
            }
            builder.words(span, LineType::Code);
            refer_to_blanked(builder, span, kind);
            if kind == BlankedKind::Macro && recovery::macros::is_bracket(builder.text(span)) {
                brackets.push(span);
            }
        }
    }
    builder.comments.sort_unstable_by_key(|comment| comment.start);
    builder.facts.markers.sort_by_key(|marker| marker.line);
    brackets
}

fn refer_to_blanked(builder: &mut Builder<'_>, word: Span, kind: BlankedKind) {
    let text = builder.text(word);
    if builder.language.is_keyword(text) {
        return;
    }
    let name = builder.intern(text);
    let facts = &mut builder.facts;
    let start = word.start;
    let holds = |span: Span| span.start <= start && start < span.end;
    // Symbols and scopes come in order of their start: the last one before this place holds it, or
    // one around that one does.
    let last = |count: usize| count.checked_sub(1).map(|index| index as u32);
    let symbols = &facts.symbols;
    let symbol = std::iter::successors(
        last(symbols.partition_point(|symbol| symbol.span.start <= start)),
        |index| symbols[*index as usize].owner,
    );
    let symbol = symbol.take(MAX_AROUND).find(|index| holds(symbols[*index as usize].span));
    let scopes = &facts.scopes;
    let scope = std::iter::successors(
        last(scopes.partition_point(|scope| scope.span.start <= start)),
        |index| scopes[*index as usize].parent,
    );
    let scope = scope.take(MAX_AROUND).find(|index| holds(scopes[*index as usize].span));
    facts.references.push(Reference {
        name,
        role: if kind == BlankedKind::Macro { Role::Macro } else { Role::Read },
        position: TypePosition::Other,
        flags: ReferenceFlags::default(),
        start,
        receiver: Origin::default(),
        arguments: None,
        symbol,
        scope: scope.unwrap_or(0),
    });
}

struct Walker<'a, 't> {
    builder: Builder<'a>,
    /// What was parsed in the place of the source.
    copy: Option<&'t str>,
    language: &'a Language,
    matcher: Matcher<'a, 't>,
    /// Kind and start of every node above the one at hand.
    ancestors: Vec<(u16, u32)>,
    /// What is to be closed when its node is left.
    frames: Vec<Frame>,
    /// The innermost open symbol.
    symbol: Option<u32>,
    scope: u32,
    /// Starts of names that a pattern has already explained, ascending.
    claims: VecDeque<(u32, Claim)>,
    origins: origins::Origins,
    promises: origins::Promises,
    docs: docs::Docs,
    locals: locals::Locals,
    measures: measures::Measures,
    definitions: definitions::Definitions,
    import_prefixes: Vec<ImportPrefix>,
    readings: reading::Readings<'t>,
}

impl Walker<'_, '_> {
    /// Whether a name at this place is a text: recovery took it out of its quotes.
    fn is_text(&self, start: usize) -> bool {
        let before = |text: &str| text.as_bytes().get(start.wrapping_sub(1)).copied();
        self.copy.is_some_and(|copy| before(copy) != before(self.builder.source))
            && before(self.builder.source) == Some(b'"')
    }
}

/// What has explained a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    /// It is defined, bound or imported here, or no use at all.
    Explained,
    /// There is a reference to it.
    Referred,
    /// It names the owner of a definition, which a pattern may call a use of a type.
    Owner,
}

/// A group of imports that is open.
#[derive(Debug)]
struct ImportPrefix {
    source: String,
    statement: Span,
    flags: model::ImportFlags,
}

/// Whether patterns that would change nothing are tried all the same, to see that they fit.
const WATCHED: bool = cfg!(any(test, feature = "coverage"));

/// A node whose children are being visited.
#[derive(Debug)]
struct Open {
    /// Its children that were not visited yet.
    rest: std::ops::Range<Index>,
    /// How many nodes were known when it was reached.
    known: Index,
}

#[derive(Debug)]
struct Frame {
    depth: usize,
    closes: Closes,
}

#[derive(Debug)]
enum Closes {
    Definition {
        symbols: std::ops::Range<u32>,
        outer: Option<u32>,
        siblings: Option<std::ops::Range<u32>>,
    },
    Scope {
        outer: u32,
        bound: usize,
    },
    Nesting,
    Callable,
    ImportGroup,
    /// Nothing is found inside.
    Silence,
    Reading,
}

impl<'a, 't> Walker<'a, 't> {
    fn new(
        language: &'a Language,
        source: &'a str,
        tree: &'t Tree,
        trees: &'t reading::Trees,
    ) -> Self {
        let mut builder = Builder::new(source, language);
        let whole = Span::new(0, source.len() as u32);
        let file = Scope { kind: ScopeKind::File, parent: None, span: whole, symbol: None };
        builder.facts.scopes.push(file);
        Self {
            builder,
            copy: None,
            language,
            matcher: Matcher::new(language, source, tree),
            ancestors: Vec::with_capacity(64),
            frames: Vec::with_capacity(32),
            symbol: None,
            scope: 0,
            claims: VecDeque::with_capacity(16),
            origins: origins::Origins::default(),
            promises: origins::Promises::default(),
            docs: docs::Docs::default(),
            locals: locals::Locals::default(),
            measures: measures::Measures::default(),
            definitions: definitions::Definitions::default(),
            import_prefixes: Vec::new(),
            readings: reading::Readings::new(trees, source),
        }
    }

    fn run(&mut self) {
        let has_error = self.matcher.nodes.node(Nodes::ROOT).has_error();
        let mut silent = false;
        let mut open: Vec<Open> = Vec::with_capacity(64);
        let mut at = Nodes::ROOT;
        loop {
            let known = self.matcher.nodes.known();
            let descend = self.enter(at, has_error, &mut silent);
            let nodes = &mut self.matcher.nodes;
            let rest = if descend { nodes.children(at) } else { 0..0 };
            if rest.is_empty() {
                nodes.forget(known);
                self.leave(&mut silent);
            } else {
                self.ancestors.push((nodes.kind(at), nodes.node(at).start_byte() as u32));
                open.push(Open { rest, known });
            }
            at = loop {
                let Some(innermost) = open.last_mut() else { return };
                let nodes = &self.matcher.nodes;
                let rest = &mut innermost.rest;
                if let Some(next) = rest.find(|at| !nodes.is_idle(*at, has_error)) {
                    break next;
                }
                self.matcher.nodes.forget(innermost.known);
                open.pop();
                self.ancestors.pop();
                self.leave(&mut silent);
            };
        }
    }

    fn finish(mut self) -> Builder<'a> {
        self.settle_owners();
        let says_nothing = |base: Base| matches!(base, Base::None | Base::Unknown);
        let arguments = &mut self.builder.facts.arguments;
        arguments.retain(|argument| !says_nothing(argument.origin.base));
        arguments.sort_by_key(|argument| (argument.reference, argument.position));
        if self.locals.is_unordered {
            self.builder.facts.bindings.sort_by_key(|binding| binding.start);
        }
        self.builder
    }

    /// Acts on the way down; false if there is nothing to see inside.
    fn enter(&mut self, at: Index, has_error: bool, silent: &mut bool) -> bool {
        let node = self.matcher.nodes.node(at);
        let kind = self.matcher.nodes.kind(at);
        let flags = self.language.flags(kind);
        if has_error && (node.is_error() || node.is_missing()) {
            self.report_error(node);
        }
        if flags.any(KindFlags::COMMENT) {
            self.comment(node);
            return false;
        }
        if flags.any(KindFlags::METRICS) && !*silent {
            self.measure(node, flags);
        }
        let patterns = self.language.patterns_at(kind);
        let mut explained = false;
        let depth = self.ancestors.len();
        let decorators = self.definitions.decorators_at(depth);
        if !patterns.is_empty() && !*silent {
            explained = self.find(at, patterns, silent);
        }
        if decorators > 0 && node.is_named() && self.definitions.decorators_at(depth) == decorators
        {
            self.definitions.last_chance_at(depth);
        }
        if flags.any(KindFlags::IDENTIFIER) {
            let text = self.builder.text(span(node));
            if !text.is_empty() && !self.is_text(node.start_byte()) {
                let name = self.builder.intern(text);
                self.builder.term(name, node.start_byte() as u32, LineType::Code);
            }
        }
        if flags.any(KindFlags::MARKUP) {
            self.mark_markup();
        }
        if flags.any(KindFlags(KindFlags::STRING.0 | KindFlags::TEXT.0)) {
            self.builder.string(span(node));
        }
        if !explained && !*silent {
            self.origins.pass(node.id());
        }
        if flags.any(KindFlags::TOKENS) && !*silent {
            self.read_tokens(at);
        }
        !flags.any(KindFlags::LEAF)
    }

    /// Closes what was opened at the node that is being left.
    fn leave(&mut self, silent: &mut bool) {
        let depth = self.ancestors.len();
        if self.frames.last().is_some_and(|frame| frame.depth == depth) {
            self.close(depth, silent);
        }
        if !self.definitions.is_idle() {
            self.definitions.leave(depth);
        }
    }

    fn close(&mut self, depth: usize, silent: &mut bool) {
        while let Some(frame) = self.frames.pop_if(|frame| frame.depth == depth) {
            match frame.closes {
                Closes::Definition { symbols, outer, siblings } => {
                    self.definitions.siblings = siblings;
                    self.close_definition(symbols, outer);
                }
                Closes::Scope { outer, bound } => self.close_scope(outer, bound),
                Closes::Nesting => self.measures.leave_nesting(),
                Closes::Callable => self.close_callable(),
                Closes::ImportGroup => {
                    self.import_prefixes.pop();
                }
                Closes::Silence => *silent = false,
                Closes::Reading => self.readings.close(),
            }
        }
    }

    fn open(&mut self, closes: Closes) {
        self.frames.push(Frame { depth: self.ancestors.len(), closes });
    }

    /// Tries the patterns of a node, the first of each group that fits. True if the value of the node
    /// was explained.
    fn find(&mut self, at: Index, patterns: &[Rooted], silent: &mut bool) -> bool {
        let node = self.matcher.nodes.node(at);
        let child_kinds = self.matcher.nodes.child_kinds(at);
        self.matcher.set_root(at);
        let mut done = 0u32;
        let mut explained = false;
        let outside = self.symbol;
        // Most values are asked for by nobody, and most names explained by what stands around them.
        let is_asked = self.origins.asks(node.id());
        let is_claimed = self.is_claimed(node.start_byte() as u32) && child_kinds.is_empty();
        for rooted in patterns.iter().filter(|rooted| rooted.may_fit(child_kinds)) {
            let pattern: &'a Pattern = &self.language.patterns[usize::from(rooted.number)];
            let group = 1 << pattern.finding.group();
            let is_needless = match pattern.finding {
                Finding::Value(_) => !is_asked,
                Finding::Reference(..) => is_claimed && pattern.root.children.is_empty(),
                _ => false,
            };
            if (is_needless && !WATCHED)
                || done & group != 0
                || !self.matcher.matches(pattern, &self.ancestors)
            {
                continue;
            }
            done |= group;
            #[cfg(any(test, feature = "coverage"))]
            crate::coverage::reached(&self.language.id, &pattern.place);
            if is_needless {
                continue;
            }
            match pattern.finding {
                Finding::Definition { kind, is_static, place } => {
                    self.define(node, kind, is_static, place);
                }
                Finding::Reference(role, flags) => explained |= self.refer(node, role, flags),
                Finding::Import(flags) => self.import(node, flags),
                Finding::ImportGroup(flags) => self.import_group(node, flags),
                Finding::Export { type_only, default } => {
                    self.export(node, type_only, default, outside);
                }
                Finding::Scope(kind) => self.open_scope_at(node, kind),
                Finding::Binding(kind, step) => self.bind(kind, step),
                Finding::Expects(step) => self.expect(step),
                Finding::Return => self.returned(),
                Finding::Origin(step) => self.promise(node, step),
                Finding::Lend(kind) => self.lend(kind),
                Finding::Decorator => self.decorate(node),
                Finding::Visibility => self.section_visibility(node),
                Finding::Package => self.package(node),
                Finding::Docstring => self.docstring(node),
                Finding::Value(kind) => {
                    self.value(node, kind);
                    explained = true;
                }
                Finding::Ignore if self.matcher.has(Part::Name) => {
                    let names: Vec<Node<'t>> = self.matcher.all(Part::Name).collect();
                    for name in names {
                        self.claim(name.start_byte() as u32, Claim::Explained);
                    }
                }
                Finding::Ignore => {
                    *silent = true;
                    self.open(Closes::Silence);
                }
            }
        }
        explained || (is_claimed && is_asked)
    }

    /// Says that the name at this place needs no reference of its own.
    fn claim(&mut self, start: u32, claim: Claim) {
        let at = self.claims.partition_point(|(claimed, _)| *claimed < start);
        match self.claims.get_mut(at) {
            Some((claimed, by)) if *claimed == start => *by = claim,
            _ => self.claims.insert(at, (start, claim)),
        }
    }

    /// What has claimed the name at this place, which the walk may not have reached yet.
    fn claimed(&self, start: u32) -> Option<Claim> {
        let at = self.claims.partition_point(|(claimed, _)| *claimed < start);
        self.claims.get(at).filter(|(claimed, _)| *claimed == start).map(|(_, claim)| *claim)
    }

    /// Whether the name the walk has just reached is claimed.
    fn is_claimed(&mut self, start: u32) -> bool {
        while self.claims.front().is_some_and(|(claimed, _)| *claimed < start) {
            self.claims.pop_front();
        }
        self.claims.front().is_some_and(|(claimed, _)| *claimed == start)
    }

    fn report_error(&mut self, node: Node<'t>) {
        let start = node.start_byte() as u32;
        if node.is_missing() {
            let message = format!("missing {}", node.kind());
            self.builder.problem(ProblemKind::Missing, start, message);
        } else {
            self.builder.problem(ProblemKind::Syntax, start, "not understood");
        }
    }

    /// The text of a part of the last match on one line, or none.
    fn part_text(&self, part: Part) -> Option<String> {
        self.text_of(self.matcher.part(part))
    }

    fn text_of(&self, node: Option<Node<'t>>) -> Option<String> {
        let node = node?;
        let text = crate::signature::normalise([self.builder.text(span(node))]);
        (!text.is_empty()).then_some(text)
    }
}
