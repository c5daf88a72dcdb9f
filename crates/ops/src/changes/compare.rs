//! What became of the symbols of files: matched by their names and by what they say, never by their lines.

use std::collections::BTreeMap;

use ::index::Version;
use model::SymbolFlags;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;
use store::SymbolState;

use super::prints::{self, Print};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Modified,
    Added,
    Removed,
    /// It has another name in the same file, or its owner has.
    Renamed,
    /// It is in another file, or belongs to another owner.
    Moved,
}

/// A file before and after.
#[derive(Debug)]
pub(super) struct FilePair {
    pub(super) old: Option<Version>,
    pub(super) new: Option<Version>,
}

impl FilePair {
    pub(super) fn change(&self) -> Change {
        match (&self.old, &self.new) {
            (None, _) => Change::Added,
            (_, None) => Change::Removed,
            (Some(old), Some(new)) if old.path != new.path => Change::Renamed,
            _ => Change::Modified,
        }
    }
}

/// What became of a symbol.
#[derive(Debug)]
pub(super) struct Fate<'v> {
    pub(super) old: Option<Item<'v>>,
    pub(super) new: Option<Item<'v>>,
    /// What of it is another.
    pub(super) what: Vec<&'static str>,
}

/// A symbol of a version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item<'v> {
    pub(super) version: &'v Version,
    pub(super) number: usize,
    pub(super) state: &'v SymbolState,
}

impl Item<'_> {
    pub(super) fn key(&self) -> String {
        let SymbolState { qualified_name, ordinal, .. } = self.state;
        let count = if *ordinal > 0 { format!("~{ordinal}") } else { String::new() };
        format!("{}#{qualified_name}{count}", self.version.path)
    }

    pub(super) fn is_public(&self) -> bool {
        self.state.flags.has(SymbolFlags::EXPORTED)
    }
}

impl Fate<'_> {
    pub(super) fn change(&self) -> Change {
        let (old, new) = match (&self.old, &self.new) {
            (None, _) => return Change::Added,
            (_, None) => return Change::Removed,
            (Some(old), Some(new)) => (old, new),
        };
        let (is, was) = (new.state, old.state);
        if new.version.path == old.version.path && is.qualified_name == was.qualified_name {
            Change::Modified
        } else if new.version.path == old.version.path && is.name != was.name {
            Change::Renamed
        } else {
            Change::Moved
        }
    }
}

/// Puts files that were renamed together: of the same content, or of lines that are mostly the same.
pub(super) fn pair_files(mut pairs: Vec<FilePair>) -> Vec<FilePair> {
    let mut gone: Vec<usize> = positions(&pairs, |pair| pair.new.is_none());
    let mut come: Vec<usize> = positions(&pairs, |pair| pair.old.is_none());
    let mut joined: Vec<(usize, usize)> = Vec::new();
    let version = |pairs: &[FilePair], at: usize| -> Option<Version> {
        pairs[at].old.as_ref().or(pairs[at].new.as_ref()).cloned()
    };
    gone.retain(|from| {
        let Some(old) = version(&pairs, *from) else { return true };
        let same = come.iter().position(|to| {
            old.content_hash.is_some()
                && version(&pairs, *to).is_some_and(|new| {
                    new.content_hash == old.content_hash && !new.text.trim().is_empty()
                })
        });
        if let Some(at) = same {
            joined.push((*from, come.remove(at)));
        }
        same.is_none()
    });
    if gone.len() * come.len() <= MOST_COMPARED {
        let mut scores: Vec<(u32, usize, usize)> = Vec::new();
        for from in &gone {
            for to in &come {
                let (Some(old), Some(new)) = (version(&pairs, *from), version(&pairs, *to)) else {
                    continue;
                };
                let likeness = prints::likeness(&old.text, &new.text);
                if old.language == new.language && likeness >= SAME_FILE {
                    scores.push((likeness, *from, *to));
                }
            }
        }
        scores.sort_unstable_by_key(|(score, from, to)| (std::cmp::Reverse(*score), *from, *to));
        for (_, from, to) in scores {
            if gone.contains(&from) && come.contains(&to) {
                joined.push((from, to));
                gone.retain(|it| *it != from);
                come.retain(|it| *it != to);
            }
        }
    }
    for (from, to) in &joined {
        pairs[*to].old = pairs[*from].old.take();
    }
    pairs.retain(|pair| pair.old.is_some() || pair.new.is_some());
    pairs
}

/// Percent of lines in common from which two files are one.
const SAME_FILE: u32 = 50;
/// More pairs of files are not compared line by line.
const MOST_COMPARED: usize = 2500;

fn positions(pairs: &[FilePair], is_meant: impl Fn(&FilePair) -> bool) -> Vec<usize> {
    (0..pairs.len()).filter(|at| is_meant(&pairs[*at])).collect()
}

/// What became of the symbols of these files, in the order of the files and of the symbols in them.
pub(super) fn fates(pairs: &[FilePair]) -> Vec<Fate<'_>> {
    let mut prints = Prints::default();
    let mut fates = Vec::new();
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for pair in pairs {
        within(pair, &mut prints, &mut fates, &mut gone, &mut come);
    }
    super::moves::across(gone, come, &mut prints, &mut fates);
    let order = |fate: &Fate<'_>| {
        let at = fate.new.or(fate.old);
        at.map(|item| (item.version.path.clone(), item.number, fate.new.is_none()))
    };
    fates.sort_by_cached_key(order);
    fates
}

/// The prints of the symbols of versions, made when they are asked for.
#[derive(Default)]
pub(super) struct Prints {
    known: FxHashMap<(*const Version, usize), Print>,
}

impl Prints {
    pub(super) fn of(&mut self, item: Item<'_>) -> Print {
        let key = (std::ptr::from_ref(item.version), item.number);
        *self.known.entry(key).or_insert_with(|| prints::own(item.version, item.number))
    }

    /// What of a symbol is another in another state of it.
    pub(super) fn differences(&mut self, old: Item<'_>, new: Item<'_>) -> Vec<&'static str> {
        let (was, is) = (old.state, new.state);
        let mut what = Vec::new();
        let mut note = |is_other: bool, name| {
            if is_other {
                what.push(name);
            }
        };
        note(was.kind != is.kind, "kind");
        note(without_space(&was.signature) != without_space(&is.signature), "signature");
        let visible = |state: &SymbolState| {
            (state.visibility.clone(), state.flags.has(SymbolFlags::EXPORTED))
        };
        note(visible(was) != visible(is), "visibility");
        note(was.decorators != is.decorators, "decorators");
        let is_explained = !what.is_empty();
        let has_same_text = self.of(old).hash == self.of(new).hash;
        let is_other_body = match (was.body_hash, is.body_hash) {
            (Some(was), Some(is)) => was != is && !has_same_text,
            _ => !has_same_text && !is_explained,
        };
        if is_other_body {
            what.push("body");
        }
        let docs = |state: &SymbolState| without_space(state.docs.as_deref().unwrap_or_default());
        if docs(was) != docs(is) {
            what.push("docs");
        }
        what
    }
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Matches the symbols of a file with those it had, by their qualified names.
fn within<'v>(
    pair: &'v FilePair,
    prints: &mut Prints,
    fates: &mut Vec<Fate<'v>>,
    gone: &mut Vec<Item<'v>>,
    come: &mut Vec<Item<'v>>,
) {
    let mut names: BTreeMap<&str, (Vec<Item<'v>>, Vec<Item<'v>>)> = BTreeMap::new();
    for item in items(pair.old.as_ref()) {
        names.entry(&item.state.qualified_name).or_default().0.push(item);
    }
    for item in items(pair.new.as_ref()) {
        names.entry(&item.state.qualified_name).or_default().1.push(item);
    }
    for (_, (mut old, mut new)) in names {
        let same_kind = |a: &Item<'_>, b: &Item<'_>| a.state.kind == b.state.kind;
        // Several of one name: what stayed the same is put together first, then the rest in order.
        if old.len() > 1 || new.len() > 1 {
            take_pairs(&mut old, &mut new, |a, b| {
                same_kind(a, b) && prints.differences(*a, *b).is_empty()
            });
        }
        let mut matched = take_pairs(&mut old, &mut new, same_kind);
        matched.extend(take_pairs(&mut old, &mut new, |_, _| true));
        for (old, new) in matched {
            let what = prints.differences(old, new);
            if !what.is_empty() {
                fates.push(Fate { old: Some(old), new: Some(new), what });
            }
        }
        gone.append(&mut old);
        come.append(&mut new);
    }
}

fn items(version: Option<&Version>) -> impl Iterator<Item = Item<'_>> {
    version.into_iter().flat_map(|version| {
        let item = move |(number, state)| Item { version, number, state };
        version.outline.symbols.iter().enumerate().map(item)
    })
}

/// Takes out of two lists what belongs together, in order.
fn take_pairs<'v>(
    old: &mut Vec<Item<'v>>,
    new: &mut Vec<Item<'v>>,
    mut belong: impl FnMut(&Item<'v>, &Item<'v>) -> bool,
) -> Vec<(Item<'v>, Item<'v>)> {
    let mut taken = Vec::new();
    old.retain(|old| match new.iter().position(|new| belong(old, new)) {
        Some(at) => {
            taken.push((*old, new.remove(at)));
            false
        }
        None => true,
    });
    taken
}
