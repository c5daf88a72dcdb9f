//! Files that are meant by a text: a template by its name, a module by the dotted path to it, the file that a
//! test is called after.

use std::collections::{BTreeMap, BTreeSet};

use model::LineType;
use store::rusqlite;
use store::{FileHead, Reader, Wanted};

/// Files in which a text on one line has all the words of a file's name. A name that many files have says
/// which of them is meant only beside it, or with the directory that it lies in.
pub(super) fn naming(
    reader: &Reader,
    heads: &[FileHead],
    path: &str,
) -> rusqlite::Result<Vec<i64>> {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem.len() < 3 {
        return Ok(Vec::new());
    }
    let mut found = with_words(reader, stem, MAX_FILES)?;
    let is_called_so = |head: &&FileHead| head.path.rsplit('/').next() == Some(name);
    if heads.iter().filter(is_called_so).count() > MAX_ALIKE {
        let is_beside = |head: &&FileHead| {
            head.path.rsplit_once('/').map_or("", |(directory, _)| directory) == directory
        };
        let beside: Vec<i64> = heads.iter().filter(is_beside).map(|head| head.id).collect();
        found.retain(|file| beside.contains(file));
        if let Some(last) = directory.rsplit('/').next().filter(|last| !last.is_empty()) {
            found.extend(with_words(reader, &format!("{last} {stem}"), MAX_FILES)?);
        }
        found.sort_unstable();
        found.dedup();
    }
    Ok(found)
}

/// Files in which a text on one line has the words of a module and of the directory it lies in, as settings
/// name what is loaded while a program runs.
pub(super) fn naming_module(reader: &Reader, path: &str) -> rusqlite::Result<Vec<i64>> {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    naming_end(reader, stem)
}

/// The same of the directory: for modules that are loaded because they lie there.
pub(super) fn naming_directory(reader: &Reader, path: &str) -> rusqlite::Result<Vec<i64>> {
    match path.rsplit_once('/') {
        Some((directory, _)) => naming_end(reader, directory),
        None => Ok(Vec::new()),
    }
}

fn naming_end(reader: &Reader, path: &str) -> rusqlite::Result<Vec<i64>> {
    let mut parts = path.rsplit('/');
    let (Some(last), Some(before)) = (parts.next(), parts.next()) else { return Ok(Vec::new()) };
    let found = with_words(reader, &format!("{before} {last}"), MAX_FILES_OF_MODULE)?;
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
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
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

/// Tests that are called after a file, unless many are.
pub(super) fn called_after<'h>(heads: impl Iterator<Item = &'h FileHead>, path: &str) -> Vec<i64> {
    let stems = words::Stems::default();
    let file = Called::of(&stems, path);
    let after =
        heads.filter(|head| head.path != path && Called::of(&stems, &head.path).is_after(&file));
    let after: Vec<i64> = after.map(|head| head.id).collect();
    if after.len() > MAX_CALLED { Vec::new() } else { after }
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
