//! A scanner for the links in inline text.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

/// Brackets in an address may nest this deep; it also bounds how often a place is looked at.
const MAX_PARENTHESES: u32 = 32;
const MAX_SCHEME: usize = 32;

/// The targets of links, images, autolinks, definitions and HTML attributes, without titles and
/// fragments, with the byte each begins at.
pub(super) fn targets(text: &str) -> Vec<(Cow<'_, str>, usize)> {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        at: 0,
        open: 0,
        code_ends: code_ends(text.as_bytes()),
        comments_end: true,
        found: Vec::new(),
    };
    if !scanner.definition() {
        scanner.run();
    }
    scanner.found
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// Square brackets that are open.
    open: usize,
    /// For each run of backticks that opens a code span: where the span ends.
    code_ends: FxHashMap<usize, usize>,
    /// Whether a further `-->` may follow; not searched for twice in vain.
    comments_end: bool,
    found: Vec<(Cow<'t, str>, usize)>,
}

impl<'t> Scanner<'t> {
    fn run(&mut self) {
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\\' => self.at += 2,
                b'`' => self.code(),
                b'[' => {
                    self.open += 1;
                    self.at += 1;
                }
                b']' => self.close(),
                b'<' => self.angle(),
                b'h' if self.open == 0 && self.is_bare_address() => self.bare_address(),
                _ => self.at += 1,
            }
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn add(&mut self, start: usize, end: usize) {
        let Some(target) = self.text.get(start..end) else { return };
        let target = match target.find('#') {
            // Of a place in this document there is only the fragment.
            Some(0) | None => target,
            Some(fragment) => &target[..fragment],
        };
        if !target.is_empty() {
            self.found.push((unescape(target), start));
        }
    }

    fn code(&mut self) {
        match self.code_ends.get(&self.at) {
            Some(end) => self.at = *end,
            None => {
                while self.byte(0) == Some(b'`') {
                    self.at += 1;
                }
            }
        }
    }

    /// `]`, which is the middle of a link if `(` follows.
    fn close(&mut self) {
        self.at += 1;
        let was_open = self.open > 0;
        self.open = self.open.saturating_sub(1);
        if !was_open || self.byte(0) != Some(b'(') {
            return;
        }
        let start = self.skip_space(self.at + 1);
        let Some((from, to, after)) = self.destination(start) else { return };
        let after = self.title(after);
        if self.bytes.get(after) == Some(&b')') {
            self.add(from, to);
            self.at = after + 1;
        }
    }

    /// Where an address begins and ends, and where to go on.
    fn destination(&self, start: usize) -> Option<(usize, usize, usize)> {
        let mut at = start;
        if self.bytes.get(at) == Some(&b'<') {
            at += 1;
            loop {
                match self.bytes.get(at)? {
                    b'>' => return Some((start + 1, at, at + 1)),
                    b'<' | b'\n' => return None,
                    b'\\' => at += 2,
                    _ => at += 1,
                }
            }
        }
        let mut depth = 0;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' if self.bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
                b'(' => {
                    depth += 1;
                    if depth > MAX_PARENTHESES {
                        return None;
                    }
                }
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                byte if byte.is_ascii_whitespace() || byte.is_ascii_control() => break,
                _ => {}
            }
            at += 1;
        }
        (depth == 0).then_some((start, at, at))
    }

    /// Skips a title, if there is a whole one behind some space, and the space around it.
    fn title(&self, start: usize) -> usize {
        let open = self.skip_space(start);
        let close = match self.bytes.get(open) {
            Some(b'"') if open > start => b'"',
            Some(b'\'') if open > start => b'\'',
            Some(b'(') if open > start => b')',
            _ => return open,
        };
        let mut at = open + 1;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'(' if close == b')' => return open,
                byte if *byte == close => return self.skip_space(at + 1),
                _ => {}
            }
            at += 1;
        }
        open
    }

    fn skip_space(&self, start: usize) -> usize {
        let rest = self.bytes.get(start..).unwrap_or_default();
        start + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    }

    /// `[label]: target "title"` and nothing else. Footnotes look alike, but hold text.
    fn definition(&mut self) -> bool {
        let start = self.skip_space(0);
        if self.bytes.get(start) != Some(&b'[') || self.bytes.get(start + 1) == Some(&b'^') {
            return false;
        }
        let mut at = start + 1;
        loop {
            match self.bytes.get(at) {
                Some(b'\\') => at += 1,
                Some(b']') => break,
                Some(b'[') | None => return false,
                _ => {}
            }
            at += 1;
        }
        if self.bytes.get(at + 1) != Some(&b':') {
            return false;
        }
        let begin = self.skip_space(at + 2);
        let Some((from, to, after)) = self.destination(begin) else { return false };
        if from == to || self.title(after) < self.bytes.len() {
            return false;
        }
        self.add(from, to);
        true
    }

    /// `<https://…>`, an HTML tag, or nothing.
    fn angle(&mut self) {
        let start = self.at;
        self.at += 1;
        if self.bytes[start..].starts_with(b"<!--") {
            return self.comment();
        }
        let rest = &self.bytes[start + 1..];
        let length = rest
            .iter()
            .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'<' | b'>'))
            .count();
        let inside = &rest[..length];
        if rest.get(length) == Some(&b'>') && (has_scheme(inside) || is_mail_address(inside)) {
            self.add(start + 1, start + 1 + length);
            self.at = start + length + 2;
        } else if rest.first().is_some_and(u8::is_ascii_alphabetic) {
            self.tag();
        }
    }

    fn comment(&mut self) {
        if !self.comments_end {
            return;
        }
        match memchr::memmem::find(&self.bytes[self.at..], b"-->") {
            Some(length) => self.at += length + 3,
            None => self.comments_end = false,
        }
    }

    /// The attributes of a tag; `href` and `src` are links.
    fn tag(&mut self) {
        let mut name = self.at..self.at;
        loop {
            let Some(byte) = self.byte(0) else { return };
            match byte {
                b'>' => {
                    self.at += 1;
                    return;
                }
                b'<' => return,
                b'=' => {
                    self.at = self.skip_space(self.at + 1);
                    let is_link = self.text.get(name.clone()).is_some_and(|name| {
                        ["href", "src"].iter().any(|link| name.eq_ignore_ascii_case(link))
                    });
                    let (start, end) = self.attribute_value();
                    if is_link {
                        self.add(start, end);
                    }
                    name = self.at..self.at;
                }
                byte if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':') => {
                    let start = self.at;
                    while self.byte(0).is_some_and(|byte| {
                        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':')
                    }) {
                        self.at += 1;
                    }
                    name = start..self.at;
                }
                _ => self.at += 1,
            }
        }
    }

    fn attribute_value(&mut self) -> (usize, usize) {
        match self.byte(0) {
            Some(quote @ (b'"' | b'\'')) => {
                let start = self.at + 1;
                let rest = self.bytes.get(start..).unwrap_or_default();
                match memchr::memchr(quote, rest) {
                    Some(length) => {
                        self.at = start + length + 1;
                        (start, start + length)
                    }
                    None => {
                        self.at = self.bytes.len();
                        (start, start)
                    }
                }
            }
            _ => {
                let start = self.at;
                while self.byte(0).is_some_and(|byte| {
                    !byte.is_ascii_whitespace() && !matches!(byte, b'>' | b'<' | b'{')
                }) {
                    self.at += 1;
                }
                (start, self.at)
            }
        }
    }

    fn is_bare_address(&self) -> bool {
        let rest = &self.bytes[self.at..];
        let is_after_word = self.at > 0 && self.bytes[self.at - 1].is_ascii_alphanumeric();
        !is_after_word && (rest.starts_with(b"https://") || rest.starts_with(b"http://"))
    }

    /// An address written as plain text, without the punctuation that ends the sentence.
    fn bare_address(&mut self) {
        let start = self.at;
        let (mut opened, mut closed) = (0, 0);
        while let Some(byte) = self.byte(0) {
            if byte.is_ascii_whitespace()
                || matches!(byte, b'<' | b'>' | b'`' | b'|' | b'"' | b'\\')
            {
                break;
            }
            opened += usize::from(byte == b'(');
            closed += usize::from(byte == b')');
            self.at += 1;
        }
        let mut end = self.at;
        while end > start {
            match self.bytes[end - 1] {
                b'.' | b',' | b':' | b';' | b'!' | b'?' | b'*' | b'_' | b'~' | b'\'' | b']' => {
                    end -= 1
                }
                b')' if closed > opened => {
                    closed -= 1;
                    end -= 1;
                }
                _ => break,
            }
        }
        if end > start + "https://".len() {
            self.add(start, end);
        }
    }
}

/// Where each run of backticks that opens a code span finds the run of the same length that closes it.
fn code_ends(bytes: &[u8]) -> FxHashMap<usize, usize> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in memchr::memchr_iter(b'`', bytes) {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == at => *length += 1,
            _ => runs.push((at, 1)),
        }
    }
    let mut next: FxHashMap<usize, usize> = FxHashMap::default();
    let mut ends = FxHashMap::default();
    for (start, length) in runs.into_iter().rev() {
        let end = start + length;
        if let Some(close) = next.insert(length, end) {
            ends.insert(start, close);
        }
    }
    ends
}

fn has_scheme(inside: &[u8]) -> bool {
    let colon = inside.iter().take(MAX_SCHEME + 1).position(|byte| *byte == b':');
    colon.is_some_and(|colon| {
        colon > 1
            && inside[0].is_ascii_alphabetic()
            && inside[..colon]
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(byte))
    })
}

fn is_mail_address(inside: &[u8]) -> bool {
    let is_part = |part: &[u8]| {
        !part.is_empty()
            && part
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b".!#$%&*+-_=~'".contains(byte))
    };
    inside
        .iter()
        .position(|byte| *byte == b'@')
        .is_some_and(|at| is_part(&inside[..at]) && is_part(&inside[at + 1..]))
}

/// A backslash before punctuation is no part of the address.
fn unescape(target: &str) -> Cow<'_, str> {
    if !target.contains('\\') {
        return Cow::Borrowed(target);
    }
    let mut out = String::with_capacity(target.len());
    let mut characters = target.chars().peekable();
    while let Some(character) = characters.next() {
        match characters.next_if(|next| character == '\\' && next.is_ascii_punctuation()) {
            Some(escaped) => out.push(escaped),
            None => out.push(character),
        }
    }
    Cow::Owned(out)
}
