//! Where a text may be cut: tokens never reach across the borders of these pieces.
//!
//! A piece is one of these, tried in this order: a word with at most one sign before it and an English
//! ending such as `'ll` behind it; up to three digits; signs with at most one blank before and line
//! breaks or slashes behind; blanks up to and with the last line break; blanks but for the last; blanks.
//! Words are cut where a small letter is followed by a capital one.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Iterates over the pieces of a text.
#[derive(Debug)]
pub(crate) struct Pieces<'t> {
    rest: &'t str,
}

impl<'t> Pieces<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Self { rest: text }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let (first, width) = class_at(self.rest, 0)?;
        let end = word(self.rest, first, width)
            .or_else(|| digits(self.rest, first))
            .or_else(|| signs(self.rest, first, width))
            .unwrap_or_else(|| blanks(self.rest));
        let (piece, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(piece)
    }
}

/// What a character is to the borders of pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Capital,
    Small,
    /// A letter that is neither.
    Letter,
    /// A mark on a letter: part of a word like [`Class::Letter`], but also a sign.
    Mark,
    Number,
    Break,
    Blank,
    Sign,
}

impl Class {
    fn may_be_capital(self) -> bool {
        matches!(self, Self::Capital | Self::Letter | Self::Mark)
    }

    fn may_be_small(self) -> bool {
        matches!(self, Self::Small | Self::Letter | Self::Mark)
    }

    fn is_sign(self) -> bool {
        matches!(self, Self::Sign | Self::Mark)
    }

    fn is_space(self) -> bool {
        matches!(self, Self::Blank | Self::Break)
    }
}

/// The class of the character at a place, and its number of bytes; none at the end.
fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if byte.is_ascii() {
        return Some((ASCII[usize::from(byte)], 1));
    }
    let character = text[at..].chars().next()?;
    Some((class_of(character), character.len_utf8()))
}

static ASCII: [Class; 128] = ascii();

const fn ascii() -> [Class; 128] {
    let mut classes = [Class::Sign; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'A'..=b'Z' => Class::Capital,
            b'a'..=b'z' => Class::Small,
            b'0'..=b'9' => Class::Number,
            b'\r' | b'\n' => Class::Break,
            b' ' | b'\t' | 0x0b | 0x0c => Class::Blank,
            _ => Class::Sign,
        };
        byte += 1;
    }
    classes
}

fn class_of(character: char) -> Class {
    use GeneralCategory as Category;
    if character.is_whitespace() {
        return Class::Blank;
    }
    match get_general_category(character) {
        Category::UppercaseLetter | Category::TitlecaseLetter => Class::Capital,
        Category::LowercaseLetter => Class::Small,
        Category::ModifierLetter | Category::OtherLetter => Class::Letter,
        Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark => Class::Mark,
        Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => Class::Number,
        _ => Class::Sign,
    }
}

/// The end of the characters from a place on that are of some kind.
fn run(text: &str, mut at: usize, is_in: impl Fn(Class) -> bool) -> usize {
    while let Some((class, width)) = class_at(text, at) {
        if !is_in(class) {
            break;
        }
        at += width;
    }
    at
}

/// A word, with one sign or blank before it if there is one.
fn word(text: &str, first: Class, width: usize) -> Option<usize> {
    let may_lead = matches!(first, Class::Sign | Class::Mark | Class::Blank);
    let starts: &[usize] = if may_lead { &[width, 0] } else { &[0] };
    let end = starts
        .iter()
        .find_map(|&start| ends_small(text, start))
        .or_else(|| starts.iter().find_map(|&start| begins_capital(text, start)))?;
    Some(end + ending(&text[end..]))
}

/// Capitals, as many as there are, and at least one small letter. Where none follows, the last letter
/// that may be both counts as small.
fn ends_small(text: &str, start: usize) -> Option<usize> {
    let mut at = start;
    let mut last_both = None;
    while let Some((class, width)) = class_at(text, at) {
        if !class.may_be_capital() {
            break;
        }
        at += width;
        if class != Class::Capital {
            last_both = Some(at);
        }
    }
    match run(text, at, Class::may_be_small) {
        end if end > at => Some(end),
        _ => last_both,
    }
}

/// At least one capital, and small letters.
fn begins_capital(text: &str, start: usize) -> Option<usize> {
    let at = run(text, start, Class::may_be_capital);
    (at > start).then(|| run(text, at, Class::may_be_small))
}

/// The number of bytes of an English ending.
fn ending(text: &str) -> usize {
    let Some(rest) = text.strip_prefix('\'') else { return 0 };
    let mut letters = rest.chars();
    // The long s is an s, too, to whom the case does not matter.
    let (first, second) = (letters.next(), letters.next());
    match (first.map(|c| c.to_ascii_lowercase()), second.map(|c| c.to_ascii_lowercase())) {
        (Some('s' | 't' | 'm' | 'd'), _) => 2,
        (Some('ſ'), _) => 1 + 'ſ'.len_utf8(),
        (Some('r' | 'v'), Some('e')) | (Some('l'), Some('l')) => 3,
        _ => 0,
    }
}

fn digits(text: &str, first: Class) -> Option<usize> {
    if first != Class::Number {
        return None;
    }
    let mut end = 0;
    for _ in 0..3 {
        match class_at(text, end) {
            Some((Class::Number, width)) => end += width,
            _ => break,
        }
    }
    Some(end)
}

fn signs(text: &str, first: Class, width: usize) -> Option<usize> {
    let start = if text.starts_with(' ') { width } else { 0 };
    if start == 0 && !first.is_sign() {
        return None;
    }
    let end = run(text, start, Class::is_sign);
    let behind = &text[end..];
    let closing = behind.len() - behind.trim_start_matches(['\r', '\n', '/']).len();
    (end > start).then_some(end + closing)
}

/// All that is left begins with a blank.
fn blanks(text: &str) -> usize {
    let (mut end, mut last_break, mut last_start) = (0, None, 0);
    while let Some((class, width)) = class_at(text, end) {
        if !class.is_space() {
            break;
        }
        last_start = end;
        end += width;
        if class == Class::Break {
            last_break = Some(end);
        }
    }
    match last_break {
        Some(end) => end,
        // The last blank belongs to what follows.
        None if end < text.len() && last_start > 0 => last_start,
        None => end,
    }
}
