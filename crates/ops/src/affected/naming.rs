//! Files that are meant by a text: a template by its name, a module by the dotted path to it, the file that a
//! test is called after.

use std::collections::{BTreeMap, BTreeSet};

use model::LineType;
use rustc_hash::FxHashMap;
use store::rusqlite;
use store::{FileHead, Reader, Wanted};

/// The files of an index by what they are called in their directories, and by their ids.
pub(super) struct Names<'h> {
    pub(super) heads: &'h [FileHead],
    by_name: FxHashMap<&'h str, Vec<&'h FileHead>>,
    by_id: FxHashMap<i64, &'h FileHead>,
}

impl<'h> Names<'h> {
    pub(super) fn of(heads: &'h [FileHead]) -> Self {
        let mut by_name: FxHashMap<&str, Vec<&FileHead>> = FxHashMap::default();
        for head in heads {
            by_name.entry(split(&head.path).1).or_default().push(head);
        }
        let by_id = heads.iter().map(|head| (head.id, head)).collect();
        Self { heads, by_name, by_id }
    }

    /// All that are called as the file of a path is, in whatever directory.
    fn alike(&self, path: &str) -> &[&'h FileHead] {
        self.by_name.get(split(path).1).map_or(&[], Vec::as_slice)
    }

    pub(super) fn path(&self, file: i64) -> Option<&'h str> {
        self.by_id.get(&file).map(|head| head.path.as_str())
    }
}

/// The directory of a file and its name there.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Files in which a text on one line has all the words of a file's name. A name that many files have says
/// which of them is meant only beside it, or with the directory that it lies in.
pub(super) fn naming(reader: &Reader, names: &Names<'_>, path: &str) -> rusqlite::Result<Vec<i64>> {
    let (directory, name) = split(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem.len() < 3 {
        return Ok(Vec::new());
    }
    // One word alone may be said of anything: it means the file with its ending or its directory beside it.
    let ending = name.strip_prefix(stem).unwrap_or_default();
    let mut found = match words::Stems::default().of(stem).len() {
        0 | 1 if ending.len() > SHORT_ENDING => {
            with_words(reader, &format!("{stem} {ending}"), MAX_FILES)?
        }
        _ => with_words(reader, stem, MAX_FILES)?,
    };
    let last = directory.rsplit('/').next().filter(|last| !last.is_empty());
    let with_directory = || match last {
        Some(last) => with_words(reader, &format!("{last} {stem}"), MAX_FILES),
        None => Ok(Vec::new()),
    };
    if names.alike(path).len() > MAX_ALIKE {
        let is_beside = |file: &i64| names.path(*file).is_some_and(|it| split(it).0 == directory);
        found.retain(is_beside);
    }
    found.extend(with_directory()?);
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Files in which a text on one line has the words of a module and of the directory it lies in, as settings
/// name what is loaded while a program runs. What is built beforehand is loaded by no text: only its path names
/// it, which takes one directory more.
pub(super) fn naming_module(reader: &Reader, head: &FileHead) -> rusqlite::Result<Vec<i64>> {
    use languages::ModuleSystem::{Crates, Directories, Includes};
    let stem = head.path.rsplit_once('.').map_or(head.path.as_str(), |(stem, _)| stem);
    let language = languages::Registry::builtin().get(&head.language);
    let is_built = language.is_some_and(|language| {
        matches!(language.table.linking.modules, Crates | Directories | Includes)
    });
    naming_end(reader, stem, if is_built { 3 } else { 2 })
}

/// The same of the directory: for modules that are loaded because they lie there.
pub(super) fn naming_directory(reader: &Reader, path: &str) -> rusqlite::Result<Vec<i64>> {
    naming_end(reader, split(path).0, 2)
}

/// Files with the words of the last parts of a path.
fn naming_end(reader: &Reader, path: &str, most: usize) -> rusqlite::Result<Vec<i64>> {
    let parts: Vec<&str> = path.rsplit('/').take(most).collect();
    if parts.len() < 2 {
        return Ok(Vec::new());
    }
    let found = with_words(reader, &parts.join(" "), MAX_FILES_OF_MODULE)?;
    // What everybody speaks of is named by nobody.
    Ok(if found.len() > MAX_NAMING { Vec::new() } else { found })
}

fn with_words(reader: &Reader, text: &str, most: usize) -> rusqlite::Result<Vec<i64>> {
    let wanted: Vec<Wanted> = words::Stems::default()
        .of(text)
        .into_iter()
        .take(8)
        .map(|stem| Wanted { stem, is_prefix: false })
        .collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let found = reader.words(&wanted)?;
    let masks = store::Masks::new(&found.words);
    let all = (1u64 << wanted.len()) - 1;
    let Some(rarest) = found.words.iter().min_by_key(|word| word.files.len()) else {
        return Ok(Vec::new());
    };
    let mut files = Vec::new();
    for file in rarest.files.iter().take(most) {
        let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
        for hit in reader.name_hits(*file, &masks)? {
            if hit.line_type == LineType::String {
                *lines.entry(hit.line).or_insert(0) |= hit.words;
            }
        }
        if lines.values().any(|mask| *mask == all) {
            files.push(*file);
        }
    }
    Ok(files)
}

/// An ending with its dot that is no longer is no word of a text.
const SHORT_ENDING: usize = 3;
/// Where more files have the same name, it alone names none of them.
const MAX_ALIKE: usize = 3;
/// More files with a word say nothing about a file of that name.
const MAX_FILES: usize = 2000;
const MAX_FILES_OF_MODULE: usize = 300;
const MAX_NAMING: usize = 20;

/// The words by which a file is known: those of its name, or of its directory where the name says nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Called {
    own: BTreeSet<String>,
    around: BTreeSet<String>,
}

impl Called {
    pub(super) fn of(stems: &words::Stems, path: &str) -> Self {
        let (directory, name) = split(path);
        let said = |text: &str| -> BTreeSet<String> {
            let all = stems.of(text).into_iter();
            all.filter(|word| !SAYS_NOTHING.contains(&word.as_str())).collect()
        };
        let mut own = said(name.split('.').find(|part| !part.is_empty()).unwrap_or(name));
        let mut above = directory.rsplit('/');
        if own.is_empty() {
            own = above.next().map(said).unwrap_or_default();
        }
        let around = above.flat_map(said).collect();
        Self { own, around }
    }

    /// How much two names have in common, from 0 to 1.
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        let common = self.own.intersection(&other.own).count();
        let all = self.own.len() + other.own.len() - common;
        if all == 0 { 0.0 } else { common as f64 / all as f64 }
    }

    /// The words of the whole path.
    pub(super) fn path(&self) -> impl Iterator<Item = &String> {
        self.own.union(&self.around)
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.own.contains(word) || self.around.contains(word)
    }

    /// Whether a test is called after a file: by its name, and by nothing that is not on its path.
    fn is_after(&self, file: &Self) -> bool {
        !file.own.is_empty()
            && file.own.is_subset(&self.own)
            && self.own.iter().all(|word| file.has(word))
    }
}

/// Stems of names that many files have.
const SAYS_NOTHING: &[&str] =
    &["test", "spec", "unit", "mod", "lib", "index", "init", "main", "common", "util", "src"];

/// What tests are called, by the words of their names.
pub(super) struct TestNames<'h> {
    names: &'h Names<'h>,
    tests: Vec<(&'h FileHead, Called)>,
    by_word: FxHashMap<String, Vec<usize>>,
}

impl<'h> TestNames<'h> {
    /// Of files that are there for tests: one that stands among other code tests that.
    pub(super) fn of(names: &'h Names<'h>, with_tests: &[&'h FileHead]) -> Self {
        let stems = words::Stems::default();
        let apart = with_tests.iter().filter(|test| test.is_test);
        let tests: Vec<_> = apart.map(|test| (*test, Called::of(&stems, &test.path))).collect();
        let mut by_word: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (number, (_, called)) in tests.iter().enumerate() {
            for word in &called.own {
                by_word.entry(word.clone()).or_default().push(number);
            }
        }
        Self { names, tests, by_word }
    }

    /// Tests that are called after a file, unless many are, and unless they lie nearer to another file of its
    /// name.
    pub(super) fn called_after(&self, changed: &FileHead) -> Vec<i64> {
        let file = Called::of(&words::Stems::default(), &changed.path);
        let numbers = file.own.first().and_then(|word| self.by_word.get(word));
        let mut after: Vec<&FileHead> = numbers
            .into_iter()
            .flatten()
            .filter_map(|number| self.tests.get(*number))
            .filter(|(test, called)| test.language == changed.language && called.is_after(&file))
            .map(|(test, _)| *test)
            .collect();
        if after.is_empty() {
            return Vec::new();
        }
        let alike = self.names.alike(&changed.path);
        after.retain(|test| {
            let near = |head: &FileHead| common_directories(&test.path, &head.path);
            alike.iter().filter(|it| !it.is_test).all(|other| near(other) <= near(changed))
        });
        if after.len() > MAX_CALLED {
            return Vec::new();
        }
        after.iter().map(|test| test.id).collect()
    }
}

fn common_directories(one: &str, other: &str) -> usize {
    one.split('/').zip(other.split('/')).take_while(|(one, other)| one == other).count()
}

const MAX_CALLED: usize = 5;

#[cfg(test)]
mod tests {
    use super::Called;

    #[test]
    fn a_test_is_called_after_a_file_by_its_name_and_path() {
        let stems = words::Stems::default();
        let called = |path: &str| Called::of(&stems, path);
        let file = called("shop/commands/fetch.py");
        assert!(called("tests/test_fetch.py").is_after(&file));
        assert!(called("tests/test_command_fetch.py").is_after(&file));
        assert!(!called("tests/test_fetch_twice.py").is_after(&file));
        assert!(!called("tests/test_command.py").is_after(&file));
        assert!(called("cart/tests.rs").is_after(&called("cart/mod.rs")));
        assert!(called("cart/total.test.ts").likeness(&called("cart/total.ts")) > 0.9);
    }
}
