//! What a change did to one file: on which lines, and with which words.

use rustc_hash::FxHashMap;

/// A changed file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edit {
    pub(super) path: String,
    /// The lines that differ, as they are counted now; none where all of the file counts.
    pub(super) lines: Option<Vec<u32>>,
    /// Identifiers and words on lines that came or went, and how often they stand there.
    pub(super) words: FxHashMap<String, u32>,
}

impl Edit {
    /// All of a file.
    pub(crate) fn whole(path: &str) -> Self {
        Self { path: path.to_owned(), ..Self::default() }
    }

    /// The difference of two texts. Lines are compared without regard to their order: a line that was moved
    /// did not change.
    pub(crate) fn between(path: &str, old: Option<&str>, new: Option<&str>) -> Self {
        let mut edit = Self::whole(path);
        let (Some(old), Some(new)) = (old, new) else {
            for line in old.or(new).unwrap_or_default().lines() {
                edit.add_words(line);
            }
            return edit;
        };
        let mut gone: FxHashMap<&str, u32> = FxHashMap::default();
        for line in old.lines() {
            *gone.entry(line).or_insert(0) += 1;
        }
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(new.lines()) {
            match gone.get_mut(line).filter(|count| **count > 0) {
                Some(count) => *count -= 1,
                None => {
                    lines.push(number);
                    edit.add_words(line);
                }
            }
        }
        let mut gone: Vec<(&str, u32)> = gone.into_iter().filter(|(_, count)| *count > 0).collect();
        gone.sort_unstable();
        for (line, count) in gone {
            for _ in 0..count {
                edit.add_words(line);
            }
        }
        if lines.is_empty() {
            // Something went and nothing came: it stood behind what both have at their beginning.
            let common = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
            lines.push(common.max(1) as u32);
        }
        edit.lines = Some(lines);
        edit
    }

    /// Whether nothing but a number changed that says which version this is.
    pub(super) fn is_version(&self) -> bool {
        self.lines.is_some() && self.words.keys().all(|word| word == "version")
    }

    fn add_words(&mut self, line: &str) {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        for word in line.split(|character| !is_part(character)) {
            let begins = word.starts_with(|first: char| !first.is_ascii_digit());
            if begins && (MIN_WORD..=MAX_WORD).contains(&word.len()) {
                *self.words.entry(word.to_owned()).or_insert(0) += 1;
            }
        }
    }
}

/// Shorter ones are in every file.
const MIN_WORD: usize = 3;
const MAX_WORD: usize = 80;

#[cfg(test)]
mod tests {
    use super::Edit;

    #[test]
    fn lines_that_differ_and_their_words_are_found() {
        let edit = Edit::between("a", Some("one = 1\ntwo = 2\n"), Some("one = 1\nthree = 2\n"));
        assert_eq!(edit.lines, Some(vec![2]));
        let mut words: Vec<&str> = edit.words.keys().map(String::as_str).collect();
        words.sort_unstable();
        assert_eq!(words, ["three", "two"]);
        let gone = Edit::between("a", Some("one\ntwo\nthree\n"), Some("one\nthree\n"));
        assert_eq!(gone.lines, Some(vec![1]));
        assert_eq!(Edit::between("a", Some("one\ntwo"), Some("two\none")).words.len(), 0);
    }
}
