//! The text as tokens. A directive is one token, with all lines it is continued on.

/// A char literal longer than this is an apostrophe and some text.
const MAX_CHAR: usize = 24;
/// The longest delimiter of a raw string that the language allows.
const MAX_DELIMITER: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Comment,
    /// Also numbers and chars: a value that is no name.
    Literal,
    String,
    Word,
    Directive,
    /// One character that is a sign, or `::` or `->`.
    Sign,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
}

pub(super) fn tokenize(source: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(source.len() / 5);
    let mut at = 0;
    let mut line_begins = true;
    while at < source.len() {
        let byte = source[at];
        if byte.is_ascii_whitespace() {
            line_begins |= byte == b'\n';
            at += 1;
            continue;
        }
        if let Some(length) = continuation(source, at) {
            at += length;
            continue;
        }
        let start = at;
        let kind = if byte == b'#' && line_begins {
            at = directive_end(source, at);
            Kind::Directive
        } else {
            let (kind, end) = token(source, at);
            at = end;
            kind
        };
        line_begins &= kind == Kind::Comment;
        if kind == Kind::Directive {
            line_begins = true;
        }
        tokens.push(Token { kind, start: start as u32, end: at as u32 });
    }
    tokens
}

/// The token at a place that is no white space, and where it ends.
fn token(source: &[u8], at: usize) -> (Kind, usize) {
    let next = source.get(at + 1).copied().unwrap_or(0);
    match source[at] {
        b'/' if next == b'/' || next == b'*' => (Kind::Comment, comment_end(source, at)),
        b'"' => (Kind::String, string_end(source, at)),
        b'\'' => match char_end(source, at) {
            Some(end) => (Kind::Literal, end),
            None => (Kind::Sign, at + 1),
        },
        b'0'..=b'9' => (Kind::Literal, number_end(source, at)),
        b'.' if next.is_ascii_digit() => (Kind::Literal, number_end(source, at)),
        b':' if next == b':' => (Kind::Sign, at + 2),
        b'-' if next == b'>' => (Kind::Sign, at + 2),
        byte if is_word(byte) => {
            let end = at + source[at..].iter().take_while(|byte| is_word(**byte)).count();
            let word = &source[at..end];
            match source.get(end) {
                Some(b'"') if matches!(word, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") => {
                    (Kind::String, raw_string_end(source, end))
                }
                Some(b'"') if matches!(word, b"L" | b"u" | b"U" | b"u8") => {
                    (Kind::String, string_end(source, end))
                }
                Some(b'\'') if matches!(word, b"L" | b"u" | b"U" | b"u8") => {
                    match char_end(source, end) {
                        Some(end) => (Kind::Literal, end),
                        None => (Kind::Word, end),
                    }
                }
                _ => (Kind::Word, end),
            }
        }
        _ => (Kind::Sign, at + 1),
    }
}

/// By byte, whether it is part of a word: most bytes are asked.
static IS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at < table.len() {
        let byte = at as u8;
        table[at] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80;
        at += 1;
    }
    table
};

fn is_word(byte: u8) -> bool {
    IS_WORD[usize::from(byte)]
}

/// The length of a backslash and the line break behind it.
fn continuation(source: &[u8], at: usize) -> Option<usize> {
    match source[at..] {
        [b'\\', b'\n', ..] => Some(2),
        [b'\\', b'\r', b'\n', ..] => Some(3),
        _ => None,
    }
}

fn comment_end(source: &[u8], start: usize) -> usize {
    if source.get(start + 1) == Some(&b'*') {
        let inside = start + 2;
        return memchr::memmem::find(&source[inside..], b"*/")
            .map_or(source.len(), |length| inside + length + 2);
    }
    let mut at = start;
    while at < source.len() && source[at] != b'\n' {
        at += continuation(source, at).unwrap_or(1);
    }
    // The return before a line break is part of the break.
    if at < source.len() && source[at - 1] == b'\r' { at - 1 } else { at }
}

/// Where a string ends that opens at `start`: behind its quote, or at the end of its line.
fn string_end(source: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < source.len() {
        match source[at] {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' => at += continuation(source, at).unwrap_or(2),
            _ => at += 1,
        }
    }
    source.len()
}

fn raw_string_end(source: &[u8], quote: usize) -> usize {
    let inside = &source[quote + 1..];
    let delimiter = inside
        .iter()
        .take(MAX_DELIMITER + 1)
        .position(|byte| *byte == b'(')
        .map(|length| &inside[..length])
        .filter(|text| {
            !text.iter().any(|byte| byte.is_ascii_whitespace() || b")\\\"".contains(byte))
        });
    let Some(delimiter) = delimiter else { return string_end(source, quote) };
    let close = [b")", delimiter, b"\""].concat();
    // One that is never closed takes the rest: looking again for each of many would take too long.
    memchr::memmem::find(inside, &close)
        .map_or(source.len(), |length| quote + 1 + length + close.len())
}

fn char_end(source: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    while at < source.len().min(start + MAX_CHAR) {
        match source[at] {
            b'\'' => return (at > start + 1).then_some(at + 1),
            b'\n' => return None,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

fn number_end(source: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < source.len() {
        let is_exponent = matches!(source[at], b'e' | b'E' | b'p' | b'P');
        if is_exponent && matches!(source.get(at + 1), Some(b'+' | b'-')) {
            at += 2;
        } else if is_word(source[at]) || source[at] == b'.' {
            at += 1;
        } else if source[at] == b'\'' && source.get(at + 1).is_some_and(u8::is_ascii_alphanumeric) {
            at += 2;
        } else {
            break;
        }
    }
    at
}

/// Where the logical line of a directive ends, at its line break.
fn directive_end(source: &[u8], start: usize) -> usize {
    let mut end = start;
    for piece in DirectivePieces::new(source, start) {
        end = piece.end as usize;
    }
    end
}

/// The tokens of a directive. Its white space and continuations are left out.
pub(super) struct DirectivePieces<'s> {
    source: &'s [u8],
    at: usize,
}

impl<'s> DirectivePieces<'s> {
    pub(super) fn new(source: &'s [u8], start: usize) -> Self {
        Self { source, at: start }
    }
}

impl Iterator for DirectivePieces<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let source = self.source;
        loop {
            let byte = *source.get(self.at)?;
            if byte == b'\n' {
                return None;
            }
            match continuation(source, self.at) {
                Some(length) => self.at += length,
                None if byte.is_ascii_whitespace() => self.at += 1,
                None => break,
            }
        }
        let start = self.at;
        let (kind, end) = match source[start] {
            // Raw strings may hold line breaks, but no directive has been seen with one.
            b'"' => (Kind::String, string_end(source, start)),
            byte if is_word(byte) && !byte.is_ascii_digit() => {
                let length = source[start..].iter().take_while(|byte| is_word(**byte)).count();
                (Kind::Word, start + length)
            }
            _ => token(source, start),
        };
        self.at = end;
        Some(Token { kind, start: start as u32, end: end as u32 })
    }
}
