//! From changed files to the files that need them.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};
use store::rusqlite;
use store::{FileHead, Reader};

use super::naming;
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
    /// Programs by the tests that run them.
    programs: FxHashMap<i64, Vec<i64>>,
    /// Files that use names of others, with the share of all names they use, by the used ones.
    shares: FxHashMap<i64, Vec<(i64, f64)>>,
    /// How many names of others a file uses.
    names: FxHashMap<i64, u32>,
    /// Files that use others or are used.
    linked: FxHashSet<i64>,
    /// Those that use others.
    using: FxHashSet<i64>,
    /// What is built of a package, by its manifest.
    built: FxHashMap<i64, Vec<i64>>,
    /// Directories with the manifest of a package.
    packages: FxHashSet<String>,
}

impl Needs {
    pub(super) fn new(reader: &Reader, heads: &[FileHead]) -> rusqlite::Result<Self> {
        let tests: FxHashSet<i64> =
            heads.iter().filter(|head| head.is_test).map(|head| head.id).collect();
        let mut users: FxHashMap<i64, Vec<i64>> = FxHashMap::default();
        let mut parts: FxHashMap<i64, Vec<i64>> = FxHashMap::default();
        let uses = reader.file_uses()?;
        let mut names: FxHashMap<i64, u32> = FxHashMap::default();
        for it in &uses {
            *names.entry(it.user).or_insert(0) += it.names;
        }
        let mut shares: FxHashMap<i64, Vec<(i64, f64)>> = FxHashMap::default();
        for it in &uses {
            let all = names.get(&it.user).copied().unwrap_or(1).max(1);
            let share = f64::from(it.names) / f64::from(all);
            shares.entry(it.used).or_default().push((it.user, share));
        }
        let (mut linked, mut using) = (FxHashSet::default(), FxHashSet::default());
        let imports = reader.file_imports()?;
        for (user, used) in uses.iter().map(|it| (it.user, it.used)).chain(imports) {
            users.entry(used).or_default().push(user);
            linked.extend([user, used]);
            using.insert(user);
            if tests.contains(&used) {
                parts.entry(user).or_default().push(used);
            }
        }
        add_shared(heads, &mut users);
        let Packages { programs, libraries, built } = Packages::of(reader, heads)?;
        for (test, built) in programs.iter().chain(&libraries) {
            for file in built {
                users.entry(*file).or_default().push(*test);
            }
        }
        for list in users.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        let manifests = heads.iter().filter(|head| manifests::is_of_package(&head.path));
        let packages = manifests.map(|head| directory_of(&head.path).to_owned()).collect();
        Ok(Self { users, parts, programs, shares, names, linked, using, built, packages })
    }

    /// What a change of a package's manifest may change: what is built of the package, and those of these
    /// tests that belong to it and to no package inside of it.
    pub(super) fn of_package(&self, manifest: &FileHead, tests: &[&FileHead]) -> Vec<i64> {
        let directory = directory_of(&manifest.path);
        let is_in_it = |test: &&&FileHead| {
            directories_above(&test.path).find(|above| self.packages.contains(*above))
                == Some(directory)
        };
        let tests = tests.iter().filter(is_in_it).map(|test| test.id);
        self.built.get(&manifest.id).into_iter().flatten().copied().chain(tests).collect()
    }

    pub(super) fn is_linked(&self, file: i64) -> bool {
        self.linked.contains(&file)
    }

    pub(super) fn is_used(&self, file: i64) -> bool {
        self.users.get(&file).is_some_and(|users| !users.is_empty())
    }

    pub(super) fn uses_others(&self, file: i64) -> bool {
        self.using.contains(&file)
    }

    /// What part of the names that a file uses one name is.
    pub(super) fn one_name(&self, file: i64) -> f64 {
        1.0 / f64::from(self.names.get(&file).copied().unwrap_or(1).max(1))
    }

    /// The files that use one, and what part of the names they use are its.
    pub(super) fn shares(&self, used: i64) -> &[(i64, f64)] {
        self.shares.get(&used).map_or(&[], Vec::as_slice)
    }

    pub(super) fn runs_reached(&self, test: i64, reached: &FxHashMap<i64, Reached>) -> bool {
        let mut started = self.programs.get(&test).into_iter().flatten();
        started.any(|program| reached.contains_key(program))
    }

    /// What names the files that were reached and that nobody uses: they are loaded by a text, or because of
    /// where they lie.
    pub(super) fn loading(
        &self,
        reader: &Reader,
        heads: &[FileHead],
        reached: &FxHashMap<i64, Reached>,
    ) -> rusqlite::Result<VecDeque<(i64, Reached)>> {
        let mut found = VecDeque::new();
        let is_end = |head: &&FileHead| {
            !head.is_test && !self.is_used(head.id) && reached.contains_key(&head.id)
        };
        for head in heads.iter().filter(is_end).take(MAX_ENDS) {
            let Some(state) = reached.get(&head.id) else { continue };
            let mut named = naming::naming_module(reader, head)?;
            named.extend(naming::naming_directory(reader, &head.path)?);
            let after = Reached { is_heuristic: true, ..state.after(head.id) };
            found.extend(named.into_iter().map(|file| (file, after)));
        }
        Ok(found)
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

/// More of them are asked for in no time that somebody would wait.
const MAX_ENDS: usize = 40;

/// What is built for tests that stand in a certain directory beside the manifest of a package.
#[derive(Default)]
struct Packages {
    /// Programs by the tests that run them.
    programs: FxHashMap<i64, Vec<i64>>,
    /// Libraries by the tests that are built with them, whether a link says so or only a macro.
    libraries: FxHashMap<i64, Vec<i64>>,
    /// Libraries and programs, by the manifest that says so.
    built: FxHashMap<i64, Vec<i64>>,
}

impl Packages {
    fn of(reader: &Reader, heads: &[FileHead]) -> rusqlite::Result<Self> {
        let registry = languages::Registry::builtin();
        let ids: FxHashMap<&str, i64> =
            heads.iter().map(|head| (head.path.as_str(), head.id)).collect();
        let mut known: BTreeMap<&str, (Vec<i64>, Option<i64>)> = BTreeMap::new();
        let mut packages = Self::default();
        for head in heads.iter().filter(|head| manifests::is_manifest(&head.path)) {
            let Some(text) = reader.manifest_text(head.id)? else { continue };
            let directory = directory_of(&head.path);
            let at = |path: &str| beside(directory, path.trim_start_matches("./"));
            let file = |path: &str| ids.get(at(path).as_str()).copied();
            let manifest = manifests::read(&head.path, &text, &|path| file(path).is_some());
            let (programs, library) = known.entry(directory).or_default();
            let entries: Vec<i64> =
                manifest.entries.iter().filter_map(|(_, path)| file(path)).collect();
            programs.extend(&entries);
            *library = library.or(manifest.library.as_deref().and_then(file));
            packages.built.insert(head.id, entries.into_iter().chain(*library).collect());
        }
        for head in heads.iter().filter(|head| head.is_test) {
            let Some(language) = registry.get(&head.language) else { continue };
            let Some(folder) = &language.table.tests.programs_run_by else { continue };
            // What lies in a package inside of another one belongs to that alone.
            let Some(directory) =
                directories_above(&head.path).find(|above| known.contains_key(above))
            else {
                continue;
            };
            let (programs, library) = &known[directory];
            if is_below(&head.path, &beside(directory, folder)) {
                packages.programs.insert(head.id, programs.clone());
                packages.libraries.insert(head.id, library.iter().copied().collect());
            }
        }
        Ok(packages)
    }
}

/// The directories that a path lies in, innermost first.
fn directories_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory_of(path)), |directory| {
        (!directory.is_empty()).then(|| directory_of(directory))
    })
}

fn directory_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

fn beside(directory: &str, path: &str) -> String {
    if directory.is_empty() { path.to_owned() } else { format!("{directory}/{path}") }
}
