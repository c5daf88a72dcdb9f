//! The definitions of a file that a search can find, and what each has of the words that are sought.

use model::{LineType, SymbolKind};
use store::{Masks, NameHit};

use super::filters::Conditions;
use super::rank::{Opened, TEXT};

/// A definition, or what of a file is outside of any.
#[derive(Debug)]
pub(super) struct Unit {
    /// Its position among the symbols of the file.
    pub(super) symbol: Option<usize>,
    /// Words that it has.
    pub(super) mask: u64,
    /// Those of them that are in its name.
    pub(super) named: u64,
    /// Weighted frequency of each word in the rest of it.
    pub(super) texts: Vec<f64>,
    /// Lines that are its own.
    pub(super) lines: u32,
}

/// Longer files are not looked at beyond this line.
const MAX_LINES: u32 = 200_000;
const OUTSIDE: u32 = u32::MAX;

/// The units of a file that have any of the words.
pub(super) fn of_file(
    file: &Opened,
    masks: &Masks,
    words: usize,
    conditions: &Conditions,
) -> Vec<Unit> {
    let map = LineMap::new(file, conditions);
    let symbols = &file.symbols;
    // The unit of each symbol, if it has one, and at the end that of what is outside of any.
    let mut numbers: Vec<Option<usize>> = vec![None; symbols.len() + 1];
    let mut units: Vec<Unit> = Vec::new();
    let mut unit_of = |owner: u32, units: &mut Vec<Unit>| {
        *numbers[map.place(owner)].get_or_insert_with(|| {
            units.push(Unit {
                symbol: (owner != OUTSIDE).then_some(owner as usize),
                mask: 0,
                named: 0,
                texts: vec![0.0; words],
                lines: map.own_lines(owner),
            });
            units.len() - 1
        })
    };
    for (number, symbol) in symbols.iter().enumerate() {
        let Some(mask) = masks.get(symbol.name) else { continue };
        if map.units[number] != number as u32 {
            continue;
        }
        let at = unit_of(number as u32, &mut units);
        units[at].mask |= mask;
        units[at].named |= mask;
    }
    for hit in &file.hits {
        let mask = hit.words;
        let owner = map.owner(hit);
        let at = unit_of(owner, &mut units);
        let is_name_line = owner != OUTSIDE && symbols[owner as usize].name_line == hit.line;
        if is_name_line && symbols[owner as usize].name == hit.name {
            continue;
        }
        units[at].mask |= mask;
        for word in super::rank::bits(mask) {
            units[at].texts[word] += TEXT;
        }
    }
    units
}

/// Which unit each line belongs to.
struct LineMap {
    /// The unit that each symbol belongs to: itself, or whom it is a detail of.
    units: Vec<u32>,
    lines: Vec<u32>,
    /// Comment lines above a symbol belong to it.
    docs: Vec<u32>,
    /// Lines of each symbol, and at the end those outside of any.
    counts: Vec<u32>,
}

impl LineMap {
    fn new(file: &Opened, conditions: &Conditions) -> Self {
        let line_count = file.head.line_count.min(MAX_LINES);
        let mut units = Vec::with_capacity(file.symbols.len());
        let mut lines = vec![OUTSIDE; line_count as usize + 2];
        let mut docs = vec![OUTSIDE; line_count as usize + 2];
        for (number, symbol) in file.symbols.iter().enumerate() {
            let owner = symbol.owner.filter(|owner| (*owner as usize) < number);
            if let Some(owner) = owner
                && !is_unit(symbol.kind)
                && !conditions.want_kind(symbol.kind)
            {
                units.push(units[owner as usize]);
                continue;
            }
            units.push(number as u32);
            let (first, last) = (symbol.lines.start, symbol.lines.end.min(line_count));
            for line in first..=last {
                lines[line as usize] = number as u32;
            }
            let docs_from = first.saturating_sub(file.doc_lines[number] + 1).max(1);
            for line in docs_from..first.min(line_count) {
                docs[line as usize] = number as u32;
            }
        }
        let counts = vec![0; units.len() + 1];
        let mut map = Self { units, lines, docs, counts };
        for line in 0..map.lines.len() {
            let place = map.place(map.lines[line]);
            map.counts[place] += 1;
        }
        map
    }

    fn owner(&self, hit: &NameHit) -> u32 {
        let line = hit.line as usize;
        let doc = self.docs.get(line).copied().unwrap_or(OUTSIDE);
        if hit.line_type == LineType::Comment && doc != OUTSIDE {
            return doc;
        }
        self.lines.get(line).copied().unwrap_or(OUTSIDE)
    }

    fn own_lines(&self, owner: u32) -> u32 {
        self.counts[self.place(owner)].max(1)
    }

    /// The place of a symbol, or of what is outside of any, in a list of all.
    fn place(&self, owner: u32) -> usize {
        self.units.len().min(owner as usize)
    }
}

/// Kinds that are found by themselves, also inside of others; the rest are details of their owner.
fn is_unit(kind: SymbolKind) -> bool {
    kind.is_callable()
        || kind.has_members()
        || matches!(kind, SymbolKind::Module | SymbolKind::Namespace | SymbolKind::Section)
}
