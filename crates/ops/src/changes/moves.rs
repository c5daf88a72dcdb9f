//! Symbols that left one place and came to another: renamed, moved, or both.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::compare::{Fate, Item, Prints};
use super::prints;

/// Shorter texts say too little to know a symbol by them.
const LEAST_LENGTH: usize = 24;
/// Percent of lines in common from which a symbol is the same one, changed.
const SAME_SYMBOL: u32 = 60;
/// The same, where not even the name is.
const SAME_TEXT: u32 = 80;
/// More are not compared line by line.
const MOST_COMPARED: usize = 10_000;

/// Matches symbols that are gone with those that have come, and notes what became of each.
pub(super) fn across<'v>(
    gone: Vec<Item<'v>>,
    come: Vec<Item<'v>>,
    prints: &mut Prints,
    fates: &mut Vec<Fate<'v>>,
) {
    let mut matching = Matching::new(gone, come);
    matching.by_text();
    matching.by_likeness();
    for (old, new) in matching.matched {
        let (old, new) = (matching.gone[old], matching.come[new]);
        let mut what = prints.differences(old, new);
        // Its text and signature have another name in them, which is said already.
        if old.state.name != new.state.name {
            let renamed = prints::nameless(old.version, old.number)
                == prints::nameless(new.version, new.number);
            what.retain(|it| !renamed || !matches!(*it, "signature" | "body"));
        }
        fates.push(Fate { old: Some(old), new: Some(new), what });
    }
    let removed = matching.gone.iter().zip(&matching.is_old_free).filter(|(_, free)| **free);
    fates.extend(removed.map(|(it, _)| Fate { old: Some(*it), new: None, what: Vec::new() }));
    let added = matching.come.iter().zip(&matching.is_new_free).filter(|(_, free)| **free);
    fates.extend(added.map(|(it, _)| Fate { old: None, new: Some(*it), what: Vec::new() }));
}

struct Matching<'v> {
    gone: Vec<Item<'v>>,
    come: Vec<Item<'v>>,
    is_old_free: Vec<bool>,
    is_new_free: Vec<bool>,
    matched: Vec<(usize, usize)>,
}

impl<'v> Matching<'v> {
    fn new(mut gone: Vec<Item<'v>>, mut come: Vec<Item<'v>>) -> Self {
        // Owners come before what they own.
        let order = |item: &Item<'_>| (item.version.path.clone(), item.number);
        gone.sort_by_cached_key(order);
        come.sort_by_cached_key(order);
        Self {
            is_old_free: vec![true; gone.len()],
            is_new_free: vec![true; come.len()],
            matched: Vec::new(),
            gone,
            come,
        }
    }

    /// Those that say the same but for their names; of several, the one nearest to where it was.
    fn by_text(&mut self) {
        let mut texts: FxHashMap<(prints::Print, &str), Vec<usize>> = FxHashMap::default();
        for (at, item) in self.come.iter().enumerate() {
            let print = prints::nameless(item.version, item.number);
            texts.entry((print, item.state.kind.as_str())).or_default().push(at);
        }
        for old in 0..self.gone.len() {
            let item = self.gone[old];
            let print = prints::nameless(item.version, item.number);
            if !self.is_old_free[old] || print.length < LEAST_LENGTH {
                continue;
            }
            let candidates = texts.get(&(print, item.state.kind.as_str()));
            let candidates = candidates.into_iter().flatten().copied();
            let free = candidates.filter(|new| self.is_new_free[*new]);
            if let Some(new) = free.min_by_key(|new| distance(item, self.come[*new])) {
                self.join(old, new);
            }
        }
    }

    /// Those that say mostly the same: of the same name anywhere, of another in the same file.
    fn by_likeness(&mut self) {
        let free = |list: &[bool]| list.iter().filter(|free| **free).count();
        if free(&self.is_old_free) * free(&self.is_new_free) > MOST_COMPARED {
            return;
        }
        let mut scores: BTreeMap<(u32, usize, usize), ()> = BTreeMap::new();
        for (old, was) in self.gone.iter().enumerate().filter(|(at, _)| self.is_old_free[*at]) {
            for (new, is) in self.come.iter().enumerate().filter(|(at, _)| self.is_new_free[*at]) {
                let has_same_name = was.state.name == is.state.name;
                let is_same_file = was.version.path == is.version.path;
                if was.state.kind != is.state.kind || !(has_same_name || is_same_file) {
                    continue;
                }
                let (before, after) =
                    (prints::text(was.version, was.number), prints::text(is.version, is.number));
                let least = if has_same_name { SAME_SYMBOL } else { SAME_TEXT };
                let likeness = prints::likeness(before, after);
                if likeness >= least && before.lines().count().min(after.lines().count()) > 2 {
                    scores.insert((100 - likeness.min(100), old, new), ());
                }
            }
        }
        for ((_, old, new), ()) in scores {
            if self.is_old_free[old] && self.is_new_free[new] {
                self.join(old, new);
            }
        }
    }

    /// Two are the same, and so are those in them that have the same names.
    fn join(&mut self, old: usize, new: usize) {
        self.is_old_free[old] = false;
        self.is_new_free[new] = false;
        self.matched.push((old, new));
        let (was, is) = (self.gone[old], self.come[new]);
        let inside = |owner: Item<'_>, item: &Item<'_>| {
            std::ptr::eq(item.version, owner.version)
                && item.state.owner == Some(owner.number as u32)
        };
        for member in old + 1..self.gone.len() {
            let item = self.gone[member];
            if !self.is_old_free[member] || !inside(was, &item) {
                continue;
            }
            let same = (new + 1..self.come.len()).find(|at| {
                let other = &self.come[*at];
                self.is_new_free[*at]
                    && inside(is, other)
                    && other.state.kind == item.state.kind
                    // A constructor may be called like its type.
                    && (other.state.name == item.state.name
                        || item.state.name == was.state.name && other.state.name == is.state.name)
            });
            if let Some(same) = same {
                self.join(member, same);
            }
        }
    }
}

/// How far it is from one place to another: the same name and the same file are nearest.
fn distance(old: Item<'_>, new: Item<'_>) -> (bool, bool, bool, usize) {
    let directory =
        |item: Item<'_>| item.version.path.rsplit_once('/').map(|(at, _)| at.to_owned());
    (
        old.state.name != new.state.name,
        old.version.path != new.version.path,
        directory(old) != directory(new),
        old.number.abs_diff(new.number),
    )
}
