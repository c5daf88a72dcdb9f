//! From changed files to the files that need them.

use std::collections::{BTreeMap, VecDeque};

use model::LineType;
use rustc_hash::{FxHashMap, FxHashSet};
use store::rusqlite;
use store::{FileHead, Reader, Wanted};

use crate::manifests;

/// How a file was reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    pub(super) from: Option<i64>,
    pub(super) distance: u32,
    pub(super) is_heuristic: bool,
}

impl Reached {
    pub(super) fn start(is_heuristic: bool) -> Self {
        Self { from: None, distance: 0, is_heuristic }
    }

    pub(super) fn after(self, from: i64) -> Self {
        Self { from: Some(from), distance: self.distance + 1, ..self }
    }
}

/// Which files need which others.
pub(super) struct Needs {
    users: FxHashMap<i64, Vec<i64>>,
    /// Files of tests by the files that use or import them.
    parts: FxHashMap<i64, Vec<i64>>,
}

impl Needs {
    pub(super) fn new(reader: &Reader, heads: &[FileHead]) -> rusqlite::Result<Self> {
        let tests: FxHashSet<i64> =
            heads.iter().filter(|head| head.is_test).map(|head| head.id).collect();
        let mut users: FxHashMap<i64, Vec<i64>> = FxHashMap::default();
        let mut parts: FxHashMap<i64, Vec<i64>> = FxHashMap::default();
        for (user, used) in reader.file_uses()?.into_iter().chain(reader.file_imports()?) {
            users.entry(used).or_default().push(user);
            if tests.contains(&used) {
                parts.entry(user).or_default().push(used);
            }
        }
        add_shared(heads, &mut users);
        add_programs(reader, heads, &mut users)?;
        for list in users.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        Ok(Self { users, parts })
    }

    /// All files that need one of those at the beginning, at most so many steps away (0 for any number).
    pub(super) fn follow(
        &self,
        mut queue: VecDeque<(i64, Reached)>,
        depth: u32,
        reached: &mut FxHashMap<i64, Reached>,
    ) {
        while let Some((id, state)) = queue.pop_front() {
            if reached.contains_key(&id) {
                continue;
            }
            reached.insert(id, state);
            if depth > 0 && state.distance >= depth {
                continue;
            }
            for user in self.users.get(&id).into_iter().flatten() {
                queue.push_back((*user, state.after(id)));
            }
        }
    }

    /// Files of tests that are part of what was reached: helpers that tests load, modules of tests that a
    /// file declares. They run with it.
    pub(super) fn add_parts(&self, reached: &mut FxHashMap<i64, Reached>) {
        let mut queue: VecDeque<i64> = reached.keys().copied().collect();
        queue.make_contiguous().sort_unstable();
        while let Some(id) = queue.pop_front() {
            let Some(state) = reached.get(&id).copied() else { continue };
            for part in self.parts.get(&id).into_iter().flatten() {
                if !reached.contains_key(part) {
                    reached.insert(*part, state.after(id));
                    queue.push_back(*part);
                }
            }
        }
    }
}

/// Files that all tests beside and below them load.
fn add_shared(heads: &[FileHead], users: &mut FxHashMap<i64, Vec<i64>>) {
    let registry = languages::Registry::builtin();
    let mut shared: Vec<(&str, i64)> = Vec::new();
    for head in heads {
        let (directory, name) = head.path.rsplit_once('/').unwrap_or(("", &head.path));
        let is_shared = registry
            .get(&head.language)
            .is_some_and(|language| language.table.tests.shared.iter().any(|known| known == name));
        if is_shared {
            shared.push((directory, head.id));
        }
    }
    for head in heads.iter().filter(|head| head.is_test) {
        for (directory, id) in &shared {
            if is_below(&head.path, directory) && *id != head.id {
                users.entry(*id).or_default().push(head.id);
            }
        }
    }
}

fn is_below(path: &str, directory: &str) -> bool {
    directory.is_empty() || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

/// Tests that stand where they run the programs of their package.
fn add_programs(
    reader: &Reader,
    heads: &[FileHead],
    users: &mut FxHashMap<i64, Vec<i64>>,
) -> rusqlite::Result<()> {
    let registry = languages::Registry::builtin();
    let ids: FxHashMap<&str, i64> =
        heads.iter().map(|head| (head.path.as_str(), head.id)).collect();
    let mut programs: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for head in heads.iter().filter(|head| manifests::is_manifest(&head.path)) {
        let Some(text) = reader.manifest_text(head.id)? else { continue };
        let (directory, _) = head.path.rsplit_once('/').unwrap_or(("", &head.path));
        let at = |path: &str| match directory {
            "" => path.to_owned(),
            _ => format!("{directory}/{path}"),
        };
        let has = |path: &str| ids.contains_key(at(path).as_str());
        let entries = manifests::read(&head.path, &text, &has).entries;
        let known = entries
            .iter()
            .filter_map(|(_, path)| ids.get(at(path.trim_start_matches("./")).as_str()).copied());
        programs.entry(directory).or_default().extend(known);
    }
    for head in heads.iter().filter(|head| head.is_test) {
        let Some(language) = registry.get(&head.language) else { continue };
        let Some(folder) = &language.table.tests.programs_run_by else { continue };
        for (directory, started) in &programs {
            let place =
                if directory.is_empty() { folder.clone() } else { format!("{directory}/{folder}") };
            if is_below(&head.path, &place) {
                for program in started {
                    users.entry(*program).or_default().push(head.id);
                }
            }
        }
    }
    Ok(())
}

/// Files in which a text on one line has all the words of a file's name.
pub(super) fn naming(reader: &Reader, path: &str) -> rusqlite::Result<Vec<i64>> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let wanted: Vec<Wanted> = words::Stems::default()
        .of(stem)
        .into_iter()
        .take(8)
        .map(|stem| Wanted { stem, is_prefix: false })
        .collect();
    if wanted.is_empty() || stem.len() < 3 {
        return Ok(Vec::new());
    }
    let found = reader.words(&wanted)?;
    let masks = store::Masks::new(&found.words);
    let all = (1u64 << wanted.len()) - 1;
    let Some(rarest) = found.words.iter().min_by_key(|word| word.files.len()) else {
        return Ok(Vec::new());
    };
    let mut files = Vec::new();
    for file in rarest.files.iter().take(MAX_NAMING) {
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

/// More files with a word say nothing about a file of that name.
const MAX_NAMING: usize = 2000;
