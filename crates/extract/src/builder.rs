//! Collects the facts of one file: what every parser needs, whatever its tree looks like.
//!
//! A parser pushes symbols, references and the rest straight into [`Builder::facts`]; names, terms,
//! comments and positions go through the methods here, which keep the invariants of the lists.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use model::{
    FileFacts, LineType, NameId, Occurrence, Problem, ProblemKind, Scope, ScopeKind, Span, position,
};
use rustc_hash::FxHasher;

use crate::comments;
use languages::Language;

/// Words of comments, strings and plain text outside these lengths are noise, not vocabulary.
const WORD_LENGTH: std::ops::RangeInclusive<usize> = 3..=64;
/// A file with more errors than this is broken enough to stop counting.
const MAX_PROBLEMS: usize = 50;
/// A name longer than this is cut; nobody types it.
const MAX_NAME: usize = 512;

#[derive(Debug)]
pub(crate) struct Builder<'a> {
    pub(crate) source: &'a str,
    pub(crate) language: &'a Language,
    pub(crate) facts: FileFacts,
    /// Every comment, in order, for docs and body hashes.
    pub(crate) comments: Vec<Span>,
    numbers: HashTable<NameId>,
    /// Each term, with its line and type in one number.
    terms: Vec<(NameId, u32)>,
    line_types: Vec<LineType>,
    /// The line found last; terms come almost in order.
    line: usize,
    /// The text interned last, by its place in memory.
    last: (*const u8, usize, NameId),
}

impl<'a> Builder<'a> {
    pub(crate) fn new(source: &'a str, language: &'a Language) -> Self {
        let mut line_starts = Vec::with_capacity(source.len() / 32 + 1);
        line_starts.push(0);
        line_starts.extend(memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at as u32 + 1));
        let lines = line_starts.len();
        let facts = FileFacts {
            line_starts,
            ends_with_line_break: source.is_empty() || source.ends_with('\n'),
            references: Vec::with_capacity(source.len() / 48),
            symbols: Vec::with_capacity(source.len() / 512),
            ..FileFacts::default()
        };
        Self {
            source,
            language,
            facts,
            comments: Vec::new(),
            numbers: HashTable::with_capacity(source.len() / 64 + 16),
            terms: Vec::with_capacity(source.len() / 16),
            line_types: vec![LineType::Code; lines],
            line: 0,
            last: (std::ptr::null(), 0, NameId(0)),
        }
    }

    /// Opens the scope of the whole file, where no tree does, and says where that is.
    pub(crate) fn open_file(&mut self) -> Span {
        let span = Span::new(0, self.source.len() as u32);
        self.facts.scopes.push(Scope { kind: ScopeKind::File, parent: None, span, symbol: None });
        span
    }

    pub(crate) fn text(&self, span: Span) -> &'a str {
        span.slice(self.source)
    }

    /// The number of a text, new or known.
    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        // The same piece of source is often asked for twice in a row: as a use and as a term.
        if std::ptr::eq(text.as_ptr(), self.last.0) && text.len() == self.last.1 {
            return self.last.2;
        }
        let id = self.intern_new(text);
        // Only pieces of the source: where a text that was made up once stood, another may stand now.
        if self.source.as_bytes().as_ptr_range().contains(&text.as_ptr()) {
            self.last = (text.as_ptr(), text.len(), id);
        }
        id
    }

    /// The number of a text, if it has one.
    pub(crate) fn known(&self, text: &str) -> Option<NameId> {
        let text = cut(text, MAX_NAME);
        let names = &self.facts.names;
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(text);
        self.numbers.find(hash, |id| names.get(*id) == text).copied()
    }

    fn intern_new(&mut self, text: &str) -> NameId {
        let text = cut(text, MAX_NAME);
        let names = &mut self.facts.names;
        let hasher = BuildHasherDefault::<FxHasher>::default();
        let hash = hasher.hash_one(text);
        if let Some(id) = self.numbers.find(hash, |id| names.get(*id) == text) {
            return *id;
        }
        let id = names.push(text);
        self.numbers.insert_unique(hash, id, |id| hasher.hash_one(names.get(*id)));
        id
    }

    /// Line and column of a byte, counted from 1.
    pub(crate) fn position(&self, byte: u32) -> (u32, u32) {
        position(&self.facts.line_starts, byte)
    }

    /// The line of a byte, counted from 0; fast when asked in order.
    pub(crate) fn line_index(&mut self, byte: u32) -> usize {
        let starts = &self.facts.line_starts;
        let is_here = |line: usize| {
            starts[line] <= byte && starts.get(line + 1).is_none_or(|next| byte < *next)
        };
        if !is_here(self.line) {
            self.line = if self.line + 1 < starts.len() && is_here(self.line + 1) {
                self.line + 1
            } else {
                starts.partition_point(|start| *start <= byte).max(1) - 1
            };
        }
        self.line
    }

    /// Records that a name stands at this place.
    pub(crate) fn term(&mut self, name: NameId, start: u32, line_type: LineType) {
        let line = self.line_index(start);
        self.line_types[line] = self.line_types[line].max(line_type);
        self.terms.push((name, ((line as u32 + 1) << 3) | line_type as u32));
    }

    /// Records the words of a stretch of text.
    pub(crate) fn words(&mut self, span: Span, line_type: LineType) {
        let text = self.text(span);
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if !is_word_byte(bytes[at]) {
                at += 1;
                continue;
            }
            let start = at;
            while at < bytes.len() && is_word_byte(bytes[at]) {
                at += 1;
            }
            let word = &text[start..at];
            if WORD_LENGTH.contains(&word.len())
                && !bytes[start].is_ascii_digit()
                && !self.language.is_keyword(word)
            {
                let name = self.intern(word);
                self.term(name, span.start + start as u32, line_type);
            }
        }
    }

    /// Records a comment: its words, markers and suppressions.
    pub(crate) fn comment(&mut self, span: Span) {
        self.comments.push(span);
        self.mark_lines(span, LineType::Comment);
        self.words(span, LineType::Comment);
        comments::directives(self, span);
    }

    /// Records the words of a string literal, or of a piece of one.
    pub(crate) fn string(&mut self, span: Span) {
        self.mark_lines(span, LineType::String);
        self.words(span, LineType::String);
    }

    /// Lines that are wholly inside a span, and lines with nothing else on them, take its type.
    fn mark_lines(&mut self, span: Span, line_type: LineType) {
        let first = self.line_index(span.start);
        let mut line = first;
        while line < self.line_types.len() && self.facts.line_starts[line] < span.end.max(1) {
            let line_start = self.facts.line_starts[line];
            let before = Span::new(line_start, span.start.max(line_start));
            if line > first || self.text(before).trim().is_empty() {
                self.line_types[line] = self.line_types[line].max(line_type);
            }
            line += 1;
        }
    }

    pub(crate) fn problem(&mut self, kind: ProblemKind, start: u32, message: impl Into<String>) {
        if self.facts.problems.len() < MAX_PROBLEMS {
            self.facts.problems.push(Problem { kind, start, message: message.into() });
        }
    }

    /// The facts, with the lists that are only known at the end.
    pub(crate) fn finish(mut self) -> FileFacts {
        if self.facts.header.is_none() {
            self.facts.header = comments::header(&self);
        }
        self.facts.is_generated = comments::is_generated(&self);
        self.facts.occurrences = self.sorted_occurrences();
        let mut before = LineType::Code;
        for (line, line_type) in self.line_types.iter().enumerate() {
            if *line_type != before {
                self.facts.line_types.push((line as u32 + 1, *line_type));
                before = *line_type;
            }
        }
        self.facts
    }
}

impl Builder<'_> {
    /// The terms by name and line, each once per line. Names are dense and lines come almost in order,
    /// so dealing them out by name leaves next to nothing to sort.
    fn sorted_occurrences(&self) -> Vec<Occurrence> {
        let mut ends = vec![0u32; self.facts.names.len()];
        for (name, _) in &self.terms {
            ends[name.0 as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut ends {
            // At first where the places of the name begin; dealing them out moves it to their end.
            sum += std::mem::replace(end, sum);
        }
        let mut dealt = vec![0u32; self.terms.len()];
        for (name, place) in &self.terms {
            let end = &mut ends[name.0 as usize];
            dealt[*end as usize] = *place;
            *end += 1;
        }
        let mut occurrences: Vec<Occurrence> = Vec::with_capacity(dealt.len());
        let mut start = 0;
        for (name, end) in ends.iter().enumerate() {
            let places = &mut dealt[start..*end as usize];
            start = *end as usize;
            places.sort_unstable();
            // The weightiest type of a line comes last, and counts.
            for line in places.chunk_by(|a, b| a >> 3 == b >> 3) {
                let weightiest = line[line.len() - 1];
                occurrences.push(Occurrence {
                    name: NameId(name as u32),
                    line: weightiest >> 3,
                    line_type: LineType::from_number((weightiest & 7) as u8)
                        .unwrap_or(LineType::Code),
                });
            }
        }
        occurrences
    }
}

/// By byte, whether it is part of a word: every byte of every comment is asked.
static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte == b'_' as usize || byte >= 0x80;
        byte += 1;
    }
    table
};

fn is_word_byte(byte: u8) -> bool {
    IS_WORD[usize::from(byte)]
}

/// The longest prefix of at most `length` bytes that ends between characters.
pub(crate) fn cut(text: &str, length: usize) -> &str {
    if text.len() <= length { text } else { &text[..text.floor_char_boundary(length)] }
}
