//! Names of the whole project while an index is being built, and the files each stands in.

use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::HashTable;
use model::pack::put_number;
use rustc_hash::FxHasher;

use crate::words::{FileSet, Named};

/// Numbers names in order of their first appearance and collects where they stand.
#[derive(Debug, Default)]
pub(crate) struct ProjectNames {
    text: String,
    ends: Vec<usize>,
    numbers: HashTable<Entry>,
    postings: Vec<Posting>,
    blocks: Vec<Block>,
    /// Reused for every posting.
    packed: Vec<u8>,
}

/// A name in the table. It says itself where its text stands, and what its hash is: a project has more
/// names than a processor keeps at hand, and every other place that is looked at has to be waited for.
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: usize,
    length: u32,
    number: u32,
    hash: u32,
}

impl Entry {
    /// What the table is ordered by.
    fn spread(hash: u32) -> u64 {
        // The table takes bits from both ends.
        u64::from(hash) << 32 | u64::from(hash)
    }
}

/// The files of one name: ascending ids, as differences, in a chain of blocks.
#[derive(Debug, Clone, Copy)]
struct Posting {
    first: u32,
    last: u32,
    last_file: u32,
    files: u32,
}

/// Few names stand in many files, so lists grow by small blocks instead of owning memory each.
#[derive(Debug, Clone, Copy)]
struct Block {
    bytes: [u8; 11],
    used: u8,
    next: u32,
}

const NONE: u32 = u32::MAX;

impl ProjectNames {
    /// The number of a name, counted from 1.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(name);
        let hash = (hash ^ hash >> 32) as u32;
        let text = self.text.as_bytes();
        let is_it = |entry: &Entry| {
            entry.hash == hash
                && text.get(entry.start..entry.start + entry.length as usize)
                    == Some(name.as_bytes())
        };
        if let Some(entry) = self.numbers.find(Entry::spread(hash), is_it) {
            return entry.number;
        }
        let start = self.text.len();
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.postings.push(Posting { first: NONE, last: NONE, last_file: 0, files: 0 });
        let number = self.ends.len() as u32;
        let entry = Entry { start, length: name.len() as u32, number, hash };
        self.numbers.insert_unique(Entry::spread(hash), entry, |entry| Entry::spread(entry.hash));
        number
    }

    /// The text of a name; empty if there is none of that number.
    pub(crate) fn get(&self, number: u32) -> &str {
        if number == 0 || number as usize > self.ends.len() {
            return "";
        }
        get(&self.text, &self.ends, number)
    }

    /// Notes that a name stands in a file. Files come in ascending order.
    pub(crate) fn post(&mut self, number: u32, file: u32) {
        let posting = &mut self.postings[number as usize - 1];
        self.packed.clear();
        put_number(&mut self.packed, file - posting.last_file);
        posting.last_file = file;
        posting.files += 1;
        for byte in &self.packed {
            let is_full =
                posting.last == NONE || usize::from(self.blocks[posting.last as usize].used) == 11;
            if is_full {
                let block = self.blocks.len() as u32;
                self.blocks.push(Block { bytes: [0; 11], used: 0, next: NONE });
                match posting.last {
                    NONE => posting.first = block,
                    last => self.blocks[last as usize].next = block,
                }
                posting.last = block;
            }
            let block = &mut self.blocks[posting.last as usize];
            block.bytes[usize::from(block.used)] = *byte;
            block.used += 1;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Number of names that are terms.
    pub(crate) fn terms(&self) -> u64 {
        self.postings.iter().filter(|posting| posting.files > 0).count() as u64
    }

    /// Adds the packed list of the files of a name.
    fn packed_files(&self, number: u32, files: &mut Vec<u8>) -> &Posting {
        let posting = &self.postings[number as usize - 1];
        let mut block = posting.first;
        while block != NONE {
            let Block { bytes, used, next } = &self.blocks[block as usize];
            files.extend_from_slice(&bytes[..usize::from(*used)]);
            block = *next;
        }
        posting
    }

    /// Every name with the number and the packed list of its files, in order of its number.
    pub(crate) fn each<E>(
        &self,
        mut visit: impl FnMut(u32, &str, u32, Option<&[u8]>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut files = Vec::new();
        for number in 1..=self.len() as u32 {
            files.clear();
            let posting = self.packed_files(number, &mut files);
            let list = (!files.is_empty()).then_some(files.as_slice());
            visit(number, get(&self.text, &self.ends, number), posting.files, list)?;
        }
        Ok(())
    }
}

impl Named for ProjectNames {
    fn each(&self, visit: &mut dyn FnMut(u32, &str)) {
        for number in 1..=self.len() as u32 {
            visit(number, get(&self.text, &self.ends, number));
        }
    }

    fn files_of(&self, name: u32, files: &mut FileSet) {
        let mut packed = Vec::new();
        self.packed_files(name, &mut packed);
        each_file(&packed).for_each(|file| files.add(file));
    }
}

fn get<'t>(text: &'t str, ends: &[usize], number: u32) -> &'t str {
    let index = number as usize - 1;
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &text[start..ends[index]]
}

/// The file ids of a packed list.
pub(crate) fn unpack_files(bytes: &[u8]) -> Vec<i64> {
    each_file(bytes).collect()
}

/// The same one by one.
pub(crate) fn each_file(bytes: &[u8]) -> impl Iterator<Item = i64> {
    let mut reader = model::pack::Reader::new(bytes);
    let mut file = 0i64;
    std::iter::from_fn(move || {
        file += i64::from(reader.number().ok()?);
        Some(file)
    })
}

#[cfg(test)]
mod tests {
    use super::{ProjectNames, unpack_files};

    #[test]
    fn names_keep_their_number_and_their_files() {
        let mut names = ProjectNames::default();
        let first = names.intern("alpha");
        let second = names.intern("beta");
        assert_eq!(names.intern("alpha"), first);
        for file in 1..200 {
            names.post(first, file * 3);
        }
        names.post(second, 7);
        let mut seen = Vec::new();
        names
            .each(|_, name, count, files| {
                assert_eq!(count as usize, unpack_files(files.unwrap_or_default()).len());
                seen.push((name.to_owned(), unpack_files(files.unwrap_or_default())));
                Ok::<(), ()>(())
            })
            .expect("the visitor does not fail");
        assert_eq!(seen[0].0, "alpha");
        assert_eq!(seen[0].1, (1..200).map(|file| file * 3).collect::<Vec<i64>>());
        assert_eq!(seen[1], ("beta".to_owned(), vec![7]));
    }
}
