//! Facts as bytes: from a worker to the writer, and into the index.
//!
//! A packed file has two parts. The *head* (names, symbols, imports, …) is unpacked by the writer
//! into rows. The *detail* (lines, scopes, bindings, references, arguments, occurrences) is kept as it is and
//! unpacked when somebody asks; it names texts by their number in the file's own table, so it never
//! has to be rewritten.
//!
//! Numbers are variable-length, positions are differences to the one before. Unpacking checks
//! everything: whatever a broken worker sends, the answer is [`Malformed`], never a panic.

mod values;

use crate::names::{NameId, Names};
use crate::{facts::*, vocabulary::*};
use values::Pack;

/// The bytes are not what a worker of this version writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("malformed facts")
    }
}

impl std::error::Error for Malformed {}

type Result<T> = std::result::Result<T, Malformed>;

/// All facts of a file: the length of the head, the head, the detail.
pub fn pack(facts: &FileFacts) -> Vec<u8> {
    let mut head = Vec::with_capacity(
        facts.names.text_length() + 2 * facts.names.len() + 256 * facts.symbols.len() + 256,
    );
    pack_head(facts, &mut head);
    let detail =
        6 * facts.references.len() + 8 * facts.bindings.len() + 3 * facts.occurrences.len();
    let mut out = Vec::with_capacity(head.len() + detail + 2 * facts.line_starts.len() + 256);
    out.extend_from_slice(&(head.len() as u32).to_le_bytes());
    out.extend_from_slice(&head);
    pack_detail(facts, &mut out);
    out
}

/// The head and the still packed detail of what [`pack`] made. The detail lists of the returned
/// facts are empty; the line table is not, because every row needs it.
pub fn unpack_head(bytes: &[u8]) -> Result<(FileFacts, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or(Malformed)?;
    let length = u32::from_le_bytes(*length) as usize;
    let head = rest.get(..length).ok_or(Malformed)?;
    let detail = &rest[length..];
    let mut reader = Reader::new(head);
    let mut facts = FileFacts::default();
    unpack_head_into(&mut facts, &mut reader)?;
    reader.finish()?;
    facts.line_starts = Detail::new(detail)?.line_starts()?;
    Ok((facts, detail))
}

/// Everything [`pack`] was given.
pub fn unpack(bytes: &[u8]) -> Result<FileFacts> {
    let (mut facts, detail) = unpack_head(bytes)?;
    let detail = Detail::new(detail)?;
    facts.line_types = detail.line_types()?;
    facts.scopes = detail.scopes()?;
    facts.bindings = detail.bindings()?;
    facts.references = detail.references()?;
    facts.occurrences = detail.occurrences()?;
    facts.arguments = detail.arguments()?;
    Ok(facts)
}

/// The packed detail of a file: a list of sections, each read only when asked for.
#[derive(Debug, Clone, Copy)]
pub struct Detail<'a> {
    sections: [&'a [u8]; SECTIONS],
}

const SECTIONS: usize = 7;

// What follows the first byte of a binding or reference, whose low half is its kind or role. Most of it
// is the same as before or not there, so most of them take four or five bytes.
const BINDING_OTHER_SCOPE: u8 = 0x10;
const BINDING_TYPED: u8 = 0x20;
const BINDING_ORIGIN: u8 = 0x40;
const BINDING_EXTRA: u8 = 0x80;
const REFERENCE_EXTRA: u8 = 0x10;
const REFERENCE_ELSEWHERE: u8 = 0x20;
const REFERENCE_RECEIVER: u8 = 0x40;
const REFERENCE_ARGUMENTS: u8 = 0x80;

fn bits_of(low: u8, bits: &[(bool, u8)]) -> u8 {
    bits.iter().filter(|(is, _)| *is).fold(low, |all, (_, bit)| all | bit)
}

impl<'a> Detail<'a> {
    pub fn new(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let mut sections = [&bytes[..0]; SECTIONS];
        for section in &mut sections {
            let length = reader.number()? as usize;
            *section = reader.take(length)?;
        }
        reader.finish()?;
        Ok(Self { sections })
    }

    pub fn line_starts(&self) -> Result<Vec<u32>> {
        let mut reader = Reader::new(self.sections[0]);
        let mut start = 0u32;
        let mut starts = vec![0];
        while !reader.is_empty() {
            start = start.checked_add(reader.number()?).ok_or(Malformed)?;
            starts.push(start);
        }
        Ok(starts)
    }

    pub fn line_types(&self) -> Result<Vec<(u32, LineType)>> {
        let mut reader = Reader::new(self.sections[1]);
        let mut line = 0u32;
        let mut runs = Vec::new();
        while !reader.is_empty() {
            let number = reader.number()?;
            line = line.checked_add(number >> 3).ok_or(Malformed)?;
            runs.push((line, LineType::from_number((number & 7) as u8).ok_or(Malformed)?));
        }
        Ok(runs)
    }

    pub fn scopes(&self) -> Result<Vec<Scope>> {
        let mut reader = Reader::new(self.sections[2]);
        let mut scopes = Vec::new();
        let mut start = 0u32;
        while !reader.is_empty() {
            let kind = ScopeKind::unpack(&mut reader)?;
            let parent = Option::unpack(&mut reader)?;
            start = reader.offset(start)?;
            let end = start.checked_add(reader.number()?).ok_or(Malformed)?;
            let symbol = Option::unpack(&mut reader)?;
            scopes.push(Scope { kind, parent, span: Span::new(start, end), symbol });
        }
        Ok(scopes)
    }

    pub fn bindings(&self) -> Result<Vec<Binding>> {
        let mut reader = Reader::new(self.sections[3]);
        let mut bindings = Vec::new();
        let (mut start, mut scope) = (0u32, 0u32);
        while !reader.is_empty() {
            let bits = reader.byte()?;
            let has = |bit: u8| bits & bit != 0;
            start = reader.offset(start)?;
            if has(BINDING_OTHER_SCOPE) {
                scope = reader.offset(scope)?;
            }
            let name = NameId::unpack(&mut reader)?;
            let declared_type =
                if has(BINDING_TYPED) { Some(NameId::unpack(&mut reader)?) } else { None };
            let origin =
                if has(BINDING_ORIGIN) { Origin::unpack(&mut reader)? } else { Origin::default() };
            let extra = if has(BINDING_EXTRA) { reader.byte()? } else { 0 };
            let symbol = if extra & 4 != 0 { Some(reader.number()?) } else { None };
            bindings.push(Binding {
                name,
                kind: BindingKind::from_number(bits & 0x0f).ok_or(Malformed)?,
                scope,
                start,
                declared_type,
                origin,
                symbol,
                optional: extra & 1 != 0,
                variadic: extra & 2 != 0,
            });
        }
        Ok(bindings)
    }

    pub fn references(&self) -> Result<Vec<Reference>> {
        let mut reader = Reader::new(self.sections[4]);
        let count = reader.number_or_zero()? as usize;
        let mut references = Vec::with_capacity(count.min(self.sections[4].len()));
        let (mut start, mut scope, mut symbol) = (0u32, 0u32, 0u32);
        while !reader.is_empty() {
            let bits = reader.byte()?;
            let has = |bit: u8| bits & bit != 0;
            let extra = if has(REFERENCE_EXTRA) { reader.number()? } else { 0 };
            start = reader.offset(start)?;
            if has(REFERENCE_ELSEWHERE) {
                scope = reader.offset(scope)?;
                symbol = reader.offset(symbol)?;
            }
            let name = NameId::unpack(&mut reader)?;
            let receiver = if has(REFERENCE_RECEIVER) {
                Origin::unpack(&mut reader)?
            } else {
                Origin::default()
            };
            let arguments = if has(REFERENCE_ARGUMENTS) {
                Some(u16::try_from(reader.number()?).map_err(|_| Malformed)?)
            } else {
                None
            };
            references.push(Reference {
                name,
                role: Role::from_number(bits & 0x0f).ok_or(Malformed)?,
                position: TypePosition::from_number((extra >> 6 & 0x3) as u8).ok_or(Malformed)?,
                flags: ReferenceFlags((extra & 0x3f) | (extra >> 8 & 0x3f) << 6),
                start,
                receiver,
                arguments,
                symbol: symbol.checked_sub(1),
                scope,
            });
        }
        Ok(references)
    }

    pub fn arguments(&self) -> Result<Vec<Argument>> {
        let mut reader = Reader::new(self.sections[6]);
        let mut arguments = Vec::new();
        let mut reference = 0u32;
        while !reader.is_empty() {
            let number = reader.number()?;
            reference = reference.checked_add(number >> 4).ok_or(Malformed)?;
            let position = (number & 0x0f) as u8;
            arguments.push(Argument { reference, position, origin: Origin::unpack(&mut reader)? });
        }
        Ok(arguments)
    }

    pub fn reference_count(&self) -> Result<u32> {
        Reader::new(self.sections[4]).number_or_zero()
    }

    pub fn occurrences(&self) -> Result<Vec<Occurrence>> {
        let mut occurrences = Vec::with_capacity(self.sections[5].len() / 2);
        self.each_term(|name, lines| {
            for (line, line_type) in lines {
                occurrences.push(Occurrence { name, line, line_type });
            }
        })?;
        Ok(occurrences)
    }

    /// Calls `visit` with each term of the file and its lines, in order of the term's number.
    pub fn each_term(&self, visit: impl FnMut(NameId, Vec<(u32, LineType)>)) -> Result<()> {
        self.each_term_of(|_| true, visit)
    }

    /// Likewise, but only with the terms that are wanted; the lines of others are passed over.
    pub fn each_term_of(
        &self,
        is_wanted: impl Fn(NameId) -> bool,
        mut visit: impl FnMut(NameId, Vec<(u32, LineType)>),
    ) -> Result<()> {
        let mut reader = Reader::new(self.sections[5]);
        let mut name = 0u32;
        while !reader.is_empty() {
            name = name.checked_add(reader.number()?).ok_or(Malformed)?;
            let length = reader.number()? as usize;
            let lines = reader.take(length)?;
            if is_wanted(NameId(name)) {
                visit(NameId(name), unpack_lines(lines)?);
            }
        }
        Ok(())
    }

    /// The lines of one term, or none.
    pub fn lines_of(&self, wanted: NameId) -> Result<Vec<(u32, LineType)>> {
        let mut found = Vec::new();
        self.each_term_of(|name| name == wanted, |_, lines| found = lines)?;
        Ok(found)
    }

    /// The numbers of all terms of the file, in order.
    pub fn terms(&self) -> Result<Vec<NameId>> {
        let mut reader = Reader::new(self.sections[5]);
        let mut name = 0u32;
        let mut terms = Vec::new();
        while !reader.is_empty() {
            name = name.checked_add(reader.number()?).ok_or(Malformed)?;
            let length = reader.number()? as usize;
            reader.take(length)?;
            terms.push(NameId(name));
        }
        Ok(terms)
    }
}

fn unpack_lines(bytes: &[u8]) -> Result<Vec<(u32, LineType)>> {
    let mut reader = Reader::new(bytes);
    let mut lines = Vec::new();
    let mut line = 0u32;
    while !reader.is_empty() {
        let number = reader.number()?;
        line = line.checked_add(number >> 3).ok_or(Malformed)?;
        lines.push((line, LineType::from_number((number & 7) as u8).ok_or(Malformed)?));
    }
    Ok(lines)
}

fn pack_detail(facts: &FileFacts, out: &mut Vec<u8>) {
    let mut section = Vec::with_capacity(facts.line_starts.len() + 64);
    let mut finish = |section: &mut Vec<u8>| {
        put_number(out, section.len() as u32);
        out.extend_from_slice(section);
        section.clear();
    };

    for pair in facts.line_starts.windows(2) {
        put_number(&mut section, pair[1] - pair[0]);
    }
    finish(&mut section);

    let mut line = 0;
    for (first, line_type) in &facts.line_types {
        put_number(&mut section, ((first - line) << 3) | *line_type as u32);
        line = *first;
    }
    finish(&mut section);

    let mut start = 0;
    for scope in &facts.scopes {
        scope.kind.pack(&mut section);
        scope.parent.pack(&mut section);
        put_offset(&mut section, start, scope.span.start);
        put_number(&mut section, scope.span.end - scope.span.start);
        scope.symbol.pack(&mut section);
        start = scope.span.start;
    }
    finish(&mut section);

    let (mut start, mut scope) = (0, 0);
    for binding in &facts.bindings {
        let extra = u8::from(binding.optional)
            | u8::from(binding.variadic) << 1
            | u8::from(binding.symbol.is_some()) << 2;
        let bits = [
            (binding.scope != scope, BINDING_OTHER_SCOPE),
            (binding.declared_type.is_some(), BINDING_TYPED),
            (binding.origin != Origin::default(), BINDING_ORIGIN),
            (extra != 0, BINDING_EXTRA),
        ];
        section.push(bits_of(binding.kind as u8, &bits));
        put_offset(&mut section, start, binding.start);
        if binding.scope != scope {
            put_offset(&mut section, scope, binding.scope);
        }
        binding.name.pack(&mut section);
        if let Some(name) = binding.declared_type {
            name.pack(&mut section);
        }
        if binding.origin != Origin::default() {
            binding.origin.pack(&mut section);
        }
        if extra != 0 {
            section.push(extra);
        }
        if let Some(symbol) = binding.symbol {
            put_number(&mut section, symbol);
        }
        (start, scope) = (binding.start, binding.scope);
    }
    finish(&mut section);

    let (mut start, mut scope, mut symbol) = (0, 0, 0);
    if !facts.references.is_empty() {
        put_number(&mut section, facts.references.len() as u32);
    }
    for reference in &facts.references {
        let has_receiver = reference.receiver != Origin::default();
        // Rare flags stand behind the position.
        let flags = reference.flags.0;
        let extra = (flags & 0x3f) | (reference.position as u32) << 6 | (flags >> 6 & 0x3f) << 8;
        let this_symbol = reference.symbol.map_or(0, |index| index + 1);
        let elsewhere = reference.scope != scope || this_symbol != symbol;
        let bits = [
            (extra != 0, REFERENCE_EXTRA),
            (elsewhere, REFERENCE_ELSEWHERE),
            (has_receiver, REFERENCE_RECEIVER),
            (reference.arguments.is_some(), REFERENCE_ARGUMENTS),
        ];
        section.push(bits_of(reference.role as u8, &bits));
        if extra != 0 {
            put_number(&mut section, extra);
        }
        put_offset(&mut section, start, reference.start);
        if elsewhere {
            put_offset(&mut section, scope, reference.scope);
            put_offset(&mut section, symbol, this_symbol);
        }
        reference.name.pack(&mut section);
        if has_receiver {
            reference.receiver.pack(&mut section);
        }
        if let Some(arguments) = reference.arguments {
            put_number(&mut section, u32::from(arguments));
        }
        (start, scope, symbol) = (reference.start, reference.scope, this_symbol);
    }
    finish(&mut section);

    let mut lines = Vec::with_capacity(64);
    let mut name = 0;
    for group in facts.occurrences.chunk_by(|a, b| a.name == b.name) {
        let mut line = 0;
        for occurrence in group {
            put_number(&mut lines, ((occurrence.line - line) << 3) | occurrence.line_type as u32);
            line = occurrence.line;
        }
        put_number(&mut section, group[0].name.0 - name);
        put_number(&mut section, lines.len() as u32);
        section.extend_from_slice(&lines);
        lines.clear();
        name = group[0].name.0;
    }
    finish(&mut section);

    let mut reference = 0;
    for argument in facts.arguments.iter().filter(|argument| argument.position < MAX_ARGUMENTS) {
        let position = u32::from(argument.position);
        put_number(&mut section, ((argument.reference - reference) << 4) | position);
        argument.origin.pack(&mut section);
        reference = argument.reference;
    }
    finish(&mut section);
}

fn pack_head(facts: &FileFacts, out: &mut Vec<u8>) {
    put_number(out, facts.names.len() as u32);
    for name in facts.names.iter() {
        put_text(out, name);
    }
    facts.package.pack(out);
    facts.header.pack(out);
    out.push(
        u8::from(facts.is_test)
            | u8::from(facts.is_generated) << 1
            | u8::from(facts.is_barrel) << 2
            | u8::from(facts.has_side_effects) << 3
            | u8::from(facts.ends_with_line_break) << 4,
    );
    facts.symbols.pack(out);
    facts.imports.pack(out);
    facts.exports.pack(out);
    facts.components.pack(out);
    facts.markers.pack(out);
    facts.suppressions.pack(out);
    facts.styles.variables.pack(out);
    facts.styles.classes.pack(out);
    facts.styles.keyframes.pack(out);
    facts.problems.pack(out);
}

fn unpack_head_into(facts: &mut FileFacts, reader: &mut Reader<'_>) -> Result<()> {
    let mut names = Names::default();
    for _ in 0..reader.number()? {
        names.push(reader.text()?);
    }
    facts.names = names;
    facts.package = Option::unpack(reader)?;
    facts.header = Option::unpack(reader)?;
    let bits = reader.byte()?;
    facts.is_test = bits & 1 != 0;
    facts.is_generated = bits & 2 != 0;
    facts.is_barrel = bits & 4 != 0;
    facts.has_side_effects = bits & 8 != 0;
    facts.ends_with_line_break = bits & 16 != 0;
    facts.symbols = Vec::unpack(reader)?;
    facts.imports = Vec::unpack(reader)?;
    facts.exports = Vec::unpack(reader)?;
    facts.components = Vec::unpack(reader)?;
    facts.markers = Vec::unpack(reader)?;
    facts.suppressions = Vec::unpack(reader)?;
    facts.styles.variables = Vec::unpack(reader)?;
    facts.styles.classes = Vec::unpack(reader)?;
    facts.styles.keyframes = Vec::unpack(reader)?;
    facts.problems = Vec::unpack(reader)?;
    Ok(())
}

/// Appends a number, seven bits a byte.
pub fn put_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends the signed difference from `before` to `now`.
fn put_offset(out: &mut Vec<u8>, before: u32, now: u32) {
    let difference = now.wrapping_sub(before) as i32;
    put_number(out, ((difference << 1) ^ (difference >> 31)) as u32);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

/// Reads what the `put_` functions wrote.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    #[inline]
    pub fn byte(&mut self) -> Result<u8> {
        let (first, rest) = self.bytes.split_first().ok_or(Malformed)?;
        self.bytes = rest;
        Ok(*first)
    }

    /// Most numbers are small, and there are millions.
    #[inline]
    pub fn number(&mut self) -> Result<u32> {
        match self.bytes {
            [byte, rest @ ..] if *byte < 0x80 => {
                self.bytes = rest;
                Ok(u32::from(*byte))
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> Result<u32> {
        let mut number = 0u32;
        for (at, byte) in self.bytes.iter().take(5).enumerate() {
            number |= u32::from(byte & 0x7f) << (7 * at);
            if byte & 0x80 == 0 {
                self.bytes = &self.bytes[at + 1..];
                return Ok(number);
            }
        }
        Err(Malformed)
    }

    /// The number that opens a section which may be empty.
    fn number_or_zero(&mut self) -> Result<u32> {
        if self.is_empty() { Ok(0) } else { self.number() }
    }

    fn offset(&mut self, before: u32) -> Result<u32> {
        let zigzag = self.number()?;
        let difference = (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32);
        Ok(before.wrapping_add(difference as u32))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let taken = self.bytes.get(..length).ok_or(Malformed)?;
        self.bytes = &self.bytes[length..];
        Ok(taken)
    }

    fn text(&mut self) -> Result<&'a str> {
        let length = self.number()? as usize;
        std::str::from_utf8(self.take(length)?).map_err(|_| Malformed)
    }

    fn finish(self) -> Result<()> {
        if self.bytes.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}
