//! Words inside identifiers and sentences, and what they have in common.
//!
//! `getUserById`, `user_repository` and "the users of a repository" are to meet: identifiers are split
//! where people see a boundary, words are folded to small letters and reduced to their stems. The index
//! and the questions asked of it both go through here, so they agree.

use rust_stemmers::{Algorithm, Stemmer};

/// Longer words are no words: hashes, encoded data.
const MAX_WORD: usize = 40;

/// The parts of an identifier or of any text, in order: at changes of case, at digits, at whatever is
/// neither letter nor digit. `HTMLParser2` has the parts `HTML`, `Parser`, `2`.
pub fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        // Nearly all names are ASCII: bytes are looked at, and characters where those do not tell.
        let start = rest.bytes().position(|byte| CLASSES[usize::from(byte)] != Class::Other)?;
        let start = match rest.as_bytes()[start] {
            0x80.. => start + rest[start..].find(char::is_alphanumeric)?,
            _ => start,
        };
        let tail = &rest[start..];
        let length = ascii_part_length(tail.as_bytes()).unwrap_or_else(|| part_length(tail));
        rest = &tail[length..];
        Some(&tail[..length])
    })
}

/// What a byte is to the parts of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Small,
    Capital,
    Digit,
    /// Part of a character that is not ASCII.
    Foreign,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Foreign; 256];
    let mut byte = 0u8;
    while byte < 0x80 {
        classes[byte as usize] = match byte {
            b'a'..=b'z' => Class::Small,
            b'A'..=b'Z' => Class::Capital,
            b'0'..=b'9' => Class::Digit,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// What [`part_length`] says of a text; none if its part meets a character that is not ASCII.
fn ascii_part_length(text: &[u8]) -> Option<usize> {
    let class = |at: usize| text.get(at).map_or(Class::Other, |byte| CLASSES[usize::from(*byte)]);
    let first = class(0);
    let mut run = first == Class::Capital;
    let mut at = 1;
    loop {
        match class(at) {
            Class::Foreign => return None,
            Class::Other => return Some(at),
            class if (class == Class::Digit) != (first == Class::Digit) => return Some(at),
            Class::Capital => match class(at + 1) {
                Class::Foreign => return None,
                next if !run || next == Class::Small => return Some(at),
                _ => {}
            },
            _ => run = false,
        }
        at += 1;
    }
}

/// Bytes of the part at the beginning of a text that begins with a letter or digit.
fn part_length(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    let Some((_, first)) = characters.next() else { return 0 };
    let mut before = first;
    // Where the last capital of a run of them stands: it begins the next part if a small letter follows.
    let mut run = first.is_uppercase();
    while let Some((at, c)) = characters.next() {
        if !c.is_alphanumeric() || is_digit(before) != is_digit(c) {
            return at;
        }
        if c.is_uppercase() {
            let followed_by_small = characters.peek().is_some_and(|(_, next)| next.is_lowercase());
            if !run || followed_by_small {
                return at;
            }
        } else {
            run = false;
        }
        before = c;
    }
    text.len()
}

fn is_digit(c: char) -> bool {
    c.is_numeric()
}

/// Reduces words to stems: `caching`, `cached` and `caches` to `cach`.
pub struct Stems {
    english: Stemmer,
}

impl std::fmt::Debug for Stems {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stems")
    }
}

impl Default for Stems {
    fn default() -> Self {
        Self { english: Stemmer::create(Algorithm::English) }
    }
}

impl Stems {
    /// The stem of one part; none for what is no word.
    pub fn stem(&self, part: &str) -> Option<String> {
        if part.len() > MAX_WORD {
            return None;
        }
        let folded = part.to_lowercase();
        if folded.len() < 4 || !folded.is_ascii() {
            return Some(folded);
        }
        Some(self.english.stem(&folded).into_owned())
    }

    /// The distinct stems of a text, in order of their first appearance.
    pub fn of(&self, text: &str) -> Vec<String> {
        let mut stems = Vec::new();
        for part in parts(text) {
            if let Some(stem) = self.stem(part)
                && !stems.contains(&stem)
            {
                stems.push(stem);
            }
        }
        stems
    }
}

/// Whether a word of a question says nothing about what is looked for.
pub fn is_stop_word(folded: &str) -> bool {
    STOP_WORDS.binary_search(&folded).is_ok()
}

/// Sorted. Words that people need for a sentence; none that names a thing in code.
const STOP_WORDS: [&str; 76] = [
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "being",
    "but", "by", "can", "could", "did", "do", "does", "done", "each", "for", "from", "had", "has",
    "have", "how", "i", "if", "in", "into", "is", "it", "its", "may", "me", "might", "must", "my",
    "no", "not", "of", "on", "or", "our", "shall", "should", "so", "some", "such", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "up", "us",
    "via", "was", "we", "were", "what", "when", "where", "which", "who", "why", "with",
];

#[cfg(test)]
mod tests {
    use super::{STOP_WORDS, Stems, is_stop_word, parts};

    fn split(text: &str) -> Vec<&str> {
        parts(text).collect()
    }

    #[test]
    fn identifiers_are_split_where_people_see_a_boundary() {
        assert_eq!(split("getUserById"), ["get", "User", "By", "Id"]);
        assert_eq!(split("UserRepository"), ["User", "Repository"]);
        assert_eq!(split("MAX_RETRIES"), ["MAX", "RETRIES"]);
        assert_eq!(split("HTMLParser"), ["HTML", "Parser"]);
        assert_eq!(split("parseHTML"), ["parse", "HTML"]);
        assert_eq!(split("utf8_to_utf16"), ["utf", "8", "to", "utf", "16"]);
        assert_eq!(split("--kebab-case.name "), ["kebab", "case", "name"]);
        assert_eq!(split("Größe_ändern"), ["Größe", "ändern"]);
        assert_eq!(split(""), [""; 0]);
        assert_eq!(split("日本語"), ["日本語"]);
    }

    #[test]
    fn bytes_tell_the_same_as_characters() {
        let signs = ["a", "b", "Z", "Q", "1", "9", "_", ".", " ", "é", "Ü", "日", "٣", "\u{301}"];
        let mut state = 7u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..state % 9 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.push_str(signs[(state >> 33) as usize % signs.len()]);
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut rest = text.as_str();
            let mut expected = Vec::new();
            while let Some(start) = rest.find(char::is_alphanumeric) {
                let length = super::part_length(&rest[start..]);
                expected.push(&rest[start..start + length]);
                rest = &rest[start + length..];
            }
            assert_eq!(split(&text), expected, "{text:?}");
        }
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        let stems = Stems::default();
        assert_eq!(stems.stem("Caching"), stems.stem("cached"));
        assert_eq!(stems.of("users userRepository"), ["user", "repositori"]);
        assert_eq!(stems.stem(&"x".repeat(100)), None);
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop_word("the") && !is_stop_word("route"));
    }
}
