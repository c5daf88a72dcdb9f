//! The distinct short texts of one file, each stored once.

/// A text in [`Names`]: identifiers, types as written, words of comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// Texts by number. Interning itself is the extractor's business; this only keeps the result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    #[inline]
    pub fn push(&mut self, name: &str) -> NameId {
        let id = NameId(self.ends.len() as u32);
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
        id
    }

    #[inline]
    pub fn get(&self, id: NameId) -> &str {
        let index = id.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    /// Bytes of all texts together.
    pub fn text_length(&self) -> usize {
        self.text.len()
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| self.get(NameId(index as u32)))
    }
}
