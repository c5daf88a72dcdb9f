//! Style sheets.
//!
//! Every fact comes from the tokens of the text, because each has an exact place there: the syntax of
//! CSS says where a rule, a declaration and a name end without knowing what it means, so at-rules that
//! no parser knows (`@theme`, `@apply`) and broken declarations cost nothing but themselves.
//! lightningcss keeps no place but a rule's line and column; it judges the text, and what it refuses
//! is a problem of the file.
//!
//! Start at [`extract`]; [`tokens`] makes the tokens, [`at_rules`], [`selectors`] and [`values`] read
//! the three parts a style sheet is made of.

mod at_rules;
mod selectors;
#[cfg(test)]
mod tests;
mod tokens;
mod values;

use std::ops::Range;

use lightningcss::stylesheet::{ParserFlags, ParserOptions, StyleSheet};
use model::{
    FileFacts, LineType, NameId, ProblemKind, Reference, ReferenceFlags, Role, Span, Symbol,
    SymbolFlags, SymbolKind, TypePosition,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::builder::{Builder, cut};
use crate::{GaveUp, Language, Source, comments, complete};
use tokens::{Kind, Token};

/// Nobody nests deeper, and lightningcss recurses.
const MAX_DEPTH: usize = 100;
/// lightningcss tries several readings of a function's arguments one after the other, so that every
/// level of nested functions multiplies its time; what nests deeper than this is not judged.
const MAX_JUDGED_DEPTH: usize = 12;
const MAX_NAME: usize = 512;
const MAX_QUALIFIED_NAME: usize = 2048;
/// As long as a symbol's value may be.
const MAX_VALUE: usize = 500;

pub(crate) fn extract(language: &Language, source: Source<'_>) -> Result<FileFacts, GaveUp> {
    let tokens = tokens::tokens(source.text);
    if tokens.depth > MAX_DEPTH {
        let message = format!("brackets nest deeper than {MAX_DEPTH}");
        return Err(GaveUp { start: 0, message });
    }
    let mut builder = Builder::new(source.text, language);
    builder.open_file();
    for comment in &tokens.comments {
        builder.comment(*comment);
    }
    for (start, message) in &tokens.faults {
        builder.problem(ProblemKind::Missing, *start, *message);
    }
    if tokens.faults.is_empty() && tokens.depth <= MAX_JUDGED_DEPTH {
        judge(&mut builder);
    }
    let mut reader = Reader {
        builder,
        tokens: tokens.list,
        blocks: Vec::new(),
        class_seen: FxHashMap::default(),
        rule: 0,
        module_values: FxHashSet::default(),
    };
    reader.statements();
    complete::complete(&mut reader.builder, source.path);
    Ok(reader.builder.finish())
}

/// Whether the text is CSS, as lightningcss sees it; the first thing it refuses becomes a problem.
fn judge(builder: &mut Builder<'_>) {
    let flags = ParserFlags::NESTING
        | ParserFlags::CUSTOM_MEDIA
        | ParserFlags::DEEP_SELECTOR_COMBINATOR
        | ParserFlags::SCROLL_NAVIGATION_CONTROLS;
    let options = ParserOptions { flags, ..ParserOptions::default() };
    let Err(error) = StyleSheet::parse(builder.source, options) else { return };
    let start = error.loc.as_ref().map_or(0, |place| {
        let line = builder.facts.line_starts.get(place.line as usize).copied().unwrap_or(0);
        byte_of_column(&builder.source[line as usize..], place.column) + line
    });
    builder.problem(ProblemKind::Syntax, start, error.kind.to_string());
}

/// lightningcss counts columns from 1, in UTF-16 units.
fn byte_of_column(line: &str, column: u32) -> u32 {
    let mut units = 1;
    let mut bytes = 0;
    for character in line.chars().take_while(|character| *character != '\n') {
        if units >= column {
            break;
        }
        units += character.len_utf16() as u32;
        bytes += character.len_utf8() as u32;
    }
    bytes
}

/// A block that is being read.
struct Block {
    /// The token that closes it.
    end: usize,
    /// The innermost symbol around what stands in it.
    symbol: Option<u32>,
    /// Whether that symbol ends with this block.
    closes_symbol: bool,
    /// What custom properties declared in it belong to: the nearest selector or `@theme`.
    scope: String,
    /// Its rules are steps of an animation, not selectors.
    is_keyframes: bool,
}

struct Reader<'a> {
    builder: Builder<'a>,
    tokens: Vec<Token>,
    blocks: Vec<Block>,
    /// The rule each class was found in last, so that it counts once per rule.
    class_seen: FxHashMap<NameId, u32>,
    rule: u32,
    /// Names that `@value` has defined or imported so far; any value may use them as plain words.
    module_values: FxHashSet<&'a str>,
}

impl<'a> Reader<'a> {
    fn statements(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() || !self.blocks.is_empty() {
            match self.blocks.last() {
                Some(block) if at >= block.end => at = self.close_block() + 1,
                _ => at = self.statement(at),
            }
        }
    }

    /// Reads one statement, or its head if it opens a block, and says where to go on.
    fn statement(&mut self, at: usize) -> usize {
        let limit = self.blocks.last().map_or(self.tokens.len(), |block| block.end);
        if self.is_mark(at, b';') || self.is_mark(at, b'}') {
            return at + 1;
        }
        let is_custom = self.is_custom_property(at);
        let end = self.statement_end(at, limit, is_custom);
        let opens_block = end < limit && self.is_mark(end, b'{');
        if self.kind(at) == Some(Kind::AtWord) {
            self.at_rule(at, end, opens_block);
        } else if opens_block {
            self.style_rule(at..end, end);
        } else {
            self.declaration(at..end);
        }
        // A block's closing token is the business of whoever opened it.
        if end < limit { end + 1 } else { limit }
    }

    /// The `;` or `{` that ends a statement or its head, or the end of the block around it.
    fn statement_end(&self, at: usize, limit: usize, with_blocks: bool) -> usize {
        let mut at = at;
        while at < limit {
            let token = self.tokens[at];
            match token.kind {
                Kind::Mark(b';') => return at,
                Kind::Mark(b'{') if !with_blocks => return at,
                Kind::Mark(b'(' | b'[' | b'{') => at = token.partner as usize + 1,
                _ => at += 1,
            }
        }
        limit
    }

    /// `--name:`, whose value may hold blocks.
    fn is_custom_property(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Word)
            && self.token_text(at).starts_with("--")
            && self.is_mark(self.after_wildcard(at + 1), b':')
    }

    /// Tailwind clears a family of properties with `--color-*: initial`.
    fn after_wildcard(&self, at: usize) -> usize {
        if self.is_mark(at, b'*') && self.touches(at) { at + 1 } else { at }
    }

    fn style_rule(&mut self, head: Range<usize>, open: usize) {
        if self.blocks.last().is_some_and(|block| block.is_keyframes) {
            let symbol = self.current_symbol();
            self.open_block(open, symbol, false, None);
            return;
        }
        let name = self.selector_text(head.clone());
        let span = self.span_of(head.clone());
        let symbol = self.add_symbol(SymbolKind::Selector, &name, span, span);
        self.builder.facts.symbols[symbol as usize].signature = name.clone();
        self.open_block(open, Some(symbol), true, Some(name));
        self.rule += 1;
        self.selector(head);
    }

    fn open_block(
        &mut self,
        open: usize,
        symbol: Option<u32>,
        closes_symbol: bool,
        scope: Option<String>,
    ) {
        let end = self.tokens[open].partner as usize;
        let outer = self.blocks.last();
        // A block inside another one ends no later than it, even where brackets are broken.
        let end = outer.map_or(end, |outer| end.min(outer.end));
        let mut scope =
            scope.or_else(|| outer.map(|outer| outer.scope.clone())).unwrap_or_default();
        scope.truncate(cut(&scope, MAX_NAME).len());
        if let (Some(symbol), true) = (symbol, closes_symbol) {
            let start = self.tokens[open].span.start;
            let symbol = &mut self.builder.facts.symbols[symbol as usize];
            symbol.body = Some(Span::new(start, start));
        }
        self.blocks.push(Block { end, symbol, closes_symbol, scope, is_keyframes: false });
    }

    /// Ends the innermost block and gives the token that closes it.
    fn close_block(&mut self) -> usize {
        let Some(block) = self.blocks.pop() else { return self.tokens.len() };
        let end = match self.tokens.get(block.end) {
            Some(token) => token.span.end,
            None => self.builder.source.len() as u32,
        };
        if let (Some(symbol), true) = (block.symbol, block.closes_symbol) {
            let symbol = &mut self.builder.facts.symbols[symbol as usize];
            symbol.span.end = end;
            if let Some(body) = &mut symbol.body {
                body.end = end;
            }
        }
        block.end
    }

    fn current_symbol(&self) -> Option<u32> {
        self.blocks.last().and_then(|block| block.symbol)
    }

    fn add_symbol(&mut self, kind: SymbolKind, name: &str, span: Span, name_span: Span) -> u32 {
        let owner = self.current_symbol();
        let full = name;
        let name = cut(full, MAX_NAME);
        let mut qualified_name = match owner {
            Some(owner) => {
                let outer = &self.builder.facts.symbols[owner as usize].qualified_name;
                format!("{outer}{}{name}", self.builder.language.table.separator)
            }
            None => name.to_owned(),
        };
        qualified_name.truncate(cut(&qualified_name, MAX_QUALIFIED_NAME).len());
        let mut flags = SymbolFlags::default();
        if name.len() < full.len() {
            flags.set(SymbolFlags::TRUNCATED);
        }
        let name = self.builder.intern(name);
        let docs = self.docs_above(span.start);
        let index = self.builder.facts.symbols.len() as u32;
        self.builder.facts.symbols.push(Symbol {
            kind,
            name,
            qualified_name,
            ordinal: 0,
            owner,
            span,
            name_span,
            body: None,
            signature: String::new(),
            docs,
            visibility: None,
            flags,
            declared_type: None,
            origin: Default::default(),
            value: None,
            decorators: Vec::new(),
            scope: None,
            metrics: None,
            body_hash: None,
        });
        index
    }

    /// The comments that stand right above a place, each on lines of its own.
    fn docs_above(&self, start: u32) -> Option<String> {
        let all = &self.builder.comments;
        let last = all.partition_point(|comment| comment.start < start);
        let mut first = last;
        let mut below = start;
        while let Some(comment) = first.checked_sub(1).and_then(|index| all.get(index)) {
            let between = self.builder.text(Span::new(comment.end, below));
            let line = self.builder.position(comment.start).0 as usize - 1;
            let before = Span::new(self.builder.facts.line_starts[line], comment.start);
            let is_directly_above = between.trim().is_empty()
                && between.bytes().filter(|byte| *byte == b'\n').count() == 1;
            if !is_directly_above || !self.builder.text(before).trim().is_empty() {
                break;
            }
            below = comment.start;
            first -= 1;
        }
        let texts = all[first..last].iter().map(|comment| self.builder.text(*comment));
        let docs = comments::clean(self.builder.language, texts);
        (!docs.is_empty()).then_some(docs)
    }

    fn add_reference(&mut self, name: &str, start: u32, symbol: Option<u32>) {
        let name = self.builder.intern(name);
        self.builder.term(name, start, LineType::Code);
        self.builder.facts.references.push(Reference {
            name,
            role: Role::Read,
            position: TypePosition::Other,
            flags: ReferenceFlags::default(),
            start,
            receiver: Default::default(),
            arguments: None,
            symbol,
            scope: 0,
        });
    }

    fn add_term(&mut self, at: usize, line_type: LineType) {
        let text = self.word(at);
        let name = self.builder.intern(&text);
        self.builder.term(name, self.tokens[at].span.start, line_type);
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn is_mark(&self, at: usize, mark: u8) -> bool {
        self.kind(at) == Some(Kind::Mark(mark))
    }

    /// Whether a word is the name of a function.
    fn is_called(&self, at: usize) -> bool {
        self.is_mark(at + 1, b'(') && self.touches(at + 1)
    }

    /// Whether nothing stands between a token and the one before it.
    fn touches(&self, at: usize) -> bool {
        at > 0
            && self
                .tokens
                .get(at)
                .is_some_and(|token| self.tokens[at - 1].span.end == token.span.start)
    }

    fn token_text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| self.builder.text(token.span))
    }

    /// The word at a token as it is meant, without escapes.
    fn word(&self, at: usize) -> std::borrow::Cow<'a, str> {
        tokens::unescape(self.token_text(at))
    }

    /// From the first token to the last; empty ranges have an empty span at their place.
    fn span_of(&self, range: Range<usize>) -> Span {
        match self.tokens.get(range.clone()) {
            Some([first, .., last]) => Span::new(first.span.start, last.span.end),
            Some([only]) => only.span,
            _ => {
                let start = self.tokens.get(range.start).map_or(0, |token| token.span.start);
                Span::new(start, start)
            }
        }
    }

    /// A string token without its quotes.
    fn inside_quotes(&self, at: usize) -> Span {
        let span = self.tokens[at].span;
        let text = self.builder.text(span);
        let is_closed = text.len() > 1 && text.ends_with(['"', '\'']);
        Span::new(span.start + 1, span.end - u32::from(is_closed))
    }

    /// The text of tokens, white space and comments between them folded to one space.
    fn folded(&self, range: Range<usize>) -> String {
        let mut out = String::new();
        for at in range.clone() {
            if at > range.start && !self.touches(at) {
                out.push(' ');
            }
            out.push_str(self.token_text(at));
            if out.len() > MAX_QUALIFIED_NAME {
                break;
            }
        }
        out
    }
}
