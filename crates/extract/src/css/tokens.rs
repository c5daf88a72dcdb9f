//! A style sheet as tokens: the CSS syntax rules for words, strings, addresses and brackets.
//!
//! White space and comments are no tokens; two tokens with nothing between them touch.

use std::borrow::Cow;

use model::Span;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier, escapes included: `btn`, `--gap`, `md\:flex`.
    Word,
    /// `@media`.
    AtWord,
    /// `#main` and `#fff`; which of them only its place tells.
    Hash,
    /// A string with its quotes.
    Text,
    /// What stands in `url(…)` without quotes.
    Address,
    /// With its unit.
    Number,
    /// Any other character.
    Mark(u8),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Of an opening bracket: the token that closes it. Of one that a brace ends, the last token in
    /// it; of one that nothing ends, one past the last of the file.
    pub(super) partner: u32,
}

#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    pub(super) comments: Vec<Span>,
    /// Brackets, strings and comments that are not closed, or closed and never opened.
    pub(super) faults: Vec<(u32, &'static str)>,
    /// How deep brackets of any kind nest.
    pub(super) depth: usize,
}

pub(super) fn tokens(source: &str) -> Tokens {
    let mut scanner =
        Scanner { bytes: source.as_bytes(), at: 0, out: Tokens::default(), open: Vec::new() };
    scanner.run();
    scanner.out
}

struct Scanner<'s> {
    bytes: &'s [u8],
    at: usize,
    out: Tokens,
    /// Opening brackets that are not closed yet.
    open: Vec<u32>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        if self.bytes.starts_with("\u{feff}".as_bytes()) {
            self.at = 3;
        }
        while let Some(byte) = self.peek(0) {
            let start = self.at;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0c => self.at += 1,
                b'/' if self.peek(1) == Some(b'*') => self.comment(),
                b'"' | b'\'' => self.text(byte),
                b'<' if self.bytes[start..].starts_with(b"<!--") => self.at += 4,
                b'-' if self.bytes[start..].starts_with(b"-->") => self.at += 3,
                b'@' if self.is_word_start(start + 1) => {
                    self.at += 1;
                    self.word();
                    self.push(Kind::AtWord, start);
                }
                b'#' if self.peek(1).is_some_and(is_word_byte) || self.peek(1) == Some(b'\\') => {
                    self.at += 1;
                    self.word();
                    self.push(Kind::Hash, start);
                }
                _ if self.is_number_start(start) => {
                    self.number();
                    self.push(Kind::Number, start);
                }
                _ if self.is_word_start(start) => {
                    self.word();
                    self.push(Kind::Word, start);
                    self.address(start);
                }
                _ => self.mark(byte),
            }
        }
        let end = self.out.list.len() as u32;
        for opened in std::mem::take(&mut self.open) {
            let token = &mut self.out.list[opened as usize];
            token.partner = end;
            self.out.faults.push((token.span.start, "a bracket is not closed"));
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let span = Span::new(start as u32, self.at as u32);
        self.out.list.push(Token { kind, span, partner: 0 });
    }

    fn comment(&mut self) {
        let start = self.at;
        self.at = match memchr::memmem::find(&self.bytes[start + 2..], b"*/") {
            Some(length) => start + 2 + length + 2,
            None => {
                self.out.faults.push((start as u32, "a comment is not closed"));
                self.bytes.len()
            }
        };
        self.out.comments.push(Span::new(start as u32, self.at as u32));
    }

    /// A string ends at its quote, or at the end of a line, where it is broken.
    fn text(&mut self, quote: u8) {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                Some(b'\\') => self.at = (self.at + 2).min(self.bytes.len()),
                Some(b'\n') | None => {
                    self.out.faults.push((start as u32, "a string is not closed"));
                    break;
                }
                Some(byte) => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.push(Kind::Text, start);
    }

    fn is_word_start(&self, at: usize) -> bool {
        let byte = |ahead: usize| self.bytes.get(at + ahead).copied();
        let is_escape = |ahead: usize| {
            byte(ahead) == Some(b'\\') && byte(ahead + 1).is_some_and(|next| next != b'\n')
        };
        let is_letter = |found: Option<u8>| {
            found.is_some_and(|byte| is_word_byte(byte) && byte != b'-' && !byte.is_ascii_digit())
        };
        match byte(0) {
            Some(b'-') => byte(1) == Some(b'-') || is_letter(byte(1)) || is_escape(1),
            Some(b'\\') => is_escape(0),
            other => is_letter(other),
        }
    }

    fn word(&mut self) {
        while let Some(byte) = self.peek(0) {
            if is_word_byte(byte) {
                self.at += 1;
            } else if byte == b'\\' && self.peek(1).is_some_and(|next| next != b'\n') {
                self.escape();
            } else {
                break;
            }
        }
    }

    /// `\:`, or up to six hexadecimal digits and one space that ends them.
    fn escape(&mut self) {
        self.at += 1;
        let digits =
            self.bytes[self.at..].iter().take(6).take_while(|byte| byte.is_ascii_hexdigit());
        match digits.count() {
            // The rest of a longer character follows as bytes of the word.
            0 => self.at += 1,
            count => {
                self.at += count;
                if self.peek(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
                    self.at += 1;
                }
            }
        }
    }

    fn is_number_start(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        let rest = rest.strip_prefix(b"+").or_else(|| rest.strip_prefix(b"-")).unwrap_or(rest);
        let rest = rest.strip_prefix(b".").unwrap_or(rest);
        rest.first().is_some_and(u8::is_ascii_digit)
    }

    fn number(&mut self) {
        if matches!(self.peek(0), Some(b'+' | b'-')) {
            self.at += 1;
        }
        let mut seen_point = false;
        while let Some(byte) = self.peek(0) {
            let is_point = byte == b'.'
                && !seen_point
                && self.peek(1).is_some_and(|next| next.is_ascii_digit());
            if !byte.is_ascii_digit() && !is_point {
                break;
            }
            seen_point |= is_point;
            self.at += 1;
        }
        if self.peek(0) == Some(b'%') {
            self.at += 1;
        } else {
            self.word();
        }
    }

    /// After the word `url`: an address without quotes is one token, whatever is in it.
    fn address(&mut self, word: usize) {
        let name = &self.bytes[word..self.at];
        if !name.eq_ignore_ascii_case(b"url") || self.peek(0) != Some(b'(') {
            return;
        }
        self.mark(b'(');
        while self.peek(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        if matches!(self.peek(0), Some(b'"' | b'\'' | b')') | None) {
            return;
        }
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            match byte {
                b')' | b'\n' | b'"' | b'\'' => break,
                b'\\' => self.at = (self.at + 2).min(self.bytes.len()),
                _ => self.at += 1,
            }
        }
        let end = self.bytes[start..self.at].trim_ascii_end().len() + start;
        let after = std::mem::replace(&mut self.at, end);
        self.push(Kind::Address, start);
        self.at = after;
    }

    fn mark(&mut self, byte: u8) {
        let start = self.at;
        self.at += 1;
        let number = self.out.list.len() as u32;
        self.push(Kind::Mark(byte), start);
        match byte {
            b'(' | b'[' | b'{' => {
                if byte == b'{' {
                    self.drop_unclosed(number);
                }
                self.open.push(number);
                self.out.depth = self.out.depth.max(self.open.len());
            }
            b')' => self.close(b'(', number),
            b']' => self.close(b'[', number),
            b'}' => self.close(b'{', number),
            _ => {}
        }
    }

    fn close(&mut self, opening: u8, number: u32) {
        if opening == b'{' {
            self.drop_unclosed(number);
        }
        match self.open.last() {
            Some(opened) if self.out.list[*opened as usize].kind == Kind::Mark(opening) => {
                self.out.list[*opened as usize].partner = number;
                self.open.pop();
            }
            _ => {
                let start = self.out.list[number as usize].span.start;
                self.out.faults.push((start, "a bracket is closed that was not opened"));
            }
        }
    }

    /// Braces end the round and square brackets that are open before them, so that one missing
    /// bracket does not swallow the rest of the file.
    fn drop_unclosed(&mut self, number: u32) {
        while let Some(opened) = self.open.last() {
            let token = &mut self.out.list[*opened as usize];
            if token.kind == Kind::Mark(b'{') {
                break;
            }
            token.partner = number - 1;
            self.out.faults.push((token.span.start, "a bracket is not closed"));
            self.open.pop();
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || byte >= 0x80
}

/// A word as it is meant: `md\:flex` is `md:flex`.
pub(super) fn unescape(word: &str) -> Cow<'_, str> {
    if !word.contains('\\') {
        return Cow::Borrowed(word);
    }
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits == 0 {
            out.extend(rest.chars().next());
            rest = rest.get(rest.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        } else {
            let code = u32::from_str_radix(&rest[..digits], 16).unwrap_or(0);
            out.push(
                char::from_u32(code).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER),
            );
            rest = &rest[digits..];
            rest = rest.strip_prefix(|c: char| c.is_ascii_whitespace()).unwrap_or(rest);
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}
