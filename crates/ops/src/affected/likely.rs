//! Which of the tests that reach a change are likely to be concerned by it.
//!
//! In a package whose files all reach each other, every test reaches every change. Three things tell how much a
//! test has to do with a changed file: what part of the names it uses leads there, the words that the change and
//! the test have in common and few other tests have, and what both are called.

use std::collections::BTreeMap;

use model::SymbolKind;
use rustc_hash::{FxHashMap, FxHashSet};
use store::rusqlite;
use store::{FileHead, Graph, Reader};

use super::edit::Edit;
use super::naming::Called;
use super::reach::{Needs, Reached};

/// A test that reaches the change.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<'h> {
    pub(super) head: &'h FileHead,
    pub(super) state: Reached,
    /// The whole file is there for tests; otherwise some stand among what they test.
    pub(super) is_apart: bool,
    /// It runs a program that reaches the change.
    pub(super) runs_program: bool,
    /// The changed file that it reaches.
    pub(super) root: i64,
}

/// What was found out about the candidates.
#[derive(Debug, Default)]
pub(super) struct Choice {
    /// How likely each is concerned, in relation to others.
    pub(super) scores: FxHashMap<i64, f64>,
    /// Those that are selected; none where all are.
    pub(super) selected: Option<FxHashSet<i64>>,
}

/// Changes of more files than these concern too much to leave anything out.
const MAX_PARTS: usize = 3;
/// For each changed file, this share of the test files.
const SHARE: f64 = 0.28;
/// The same of files that have tests among other things: most test nothing but themselves.
const INNER_SHARE: f64 = 0.1;
/// In any case those with this part of the highest score.
const CLOSE: f64 = 0.5;
const INNER_CLOSE: f64 = 0.6;
const AT_LEAST: usize = 4;
const INNER_AT_LEAST: usize = 1;
/// What the name of a file and the path to it count for, in relation to links and words.
const NAME_WEIGHT: f64 = 0.5;
const PATH_WEIGHT: f64 = 0.5;

/// Chooses among the candidates. `apart` and `inner` are the numbers of all files with tests of either kind.
pub(super) fn choose(
    reader: &Reader,
    needs: &Needs,
    edits: &[(i64, &FileHead, &Edit)],
    candidates: &[Candidate<'_>],
    (apart, inner): (usize, usize),
) -> rusqlite::Result<Choice> {
    let graph = Graph::new(reader);
    let mut parts = Vec::new();
    for (id, head, edit) in edits {
        let leads_to_tests = needs.is_used(*id) || candidates.iter().any(|it| it.root == *id);
        if !head.is_test && leads_to_tests && has_code(&graph, *id)? {
            parts.push((*id, *head, *edit));
        }
    }
    let mut choice = Choice::default();
    if parts.is_empty() || parts.len() > MAX_PARTS {
        return Ok(choice);
    }
    let is_part = |file: i64| parts.iter().any(|(id, ..)| *id == file);
    let mut selected: FxHashSet<i64> = candidates
        .iter()
        .filter(|it| is_certain(it, is_part(it.root)))
        .map(|it| it.head.id)
        .collect();
    // Tests of programs are told apart by nothing but words. Where they are many, those must do.
    let of_programs: Vec<i64> =
        candidates.iter().filter(|it| it.runs_program).map(|it| it.head.id).collect();
    if of_programs.len() as f64 <= SHARE * (apart + inner) as f64 {
        selected.extend(of_programs);
    }
    // Several files select more, but much of it together.
    let count = (parts.len() as f64).sqrt();
    for (id, head, edit) in &parts {
        let scores = scores(&graph, needs, (*id, head, edit), candidates)?;
        for (is_apart, all, share, close, least) in [
            (true, apart, SHARE, CLOSE, AT_LEAST),
            (false, inner, INNER_SHARE, INNER_CLOSE, INNER_AT_LEAST),
        ] {
            let mut group: Vec<&Candidate<'_>> =
                candidates.iter().filter(|it| it.is_apart == is_apart).collect();
            let score = |it: &Candidate<'_>| scores.get(&it.head.id).copied().unwrap_or(0.0);
            group.sort_by(|a, b| {
                let nearer =
                    || (a.state.distance, &a.head.path).cmp(&(b.state.distance, &b.head.path));
                score(b).total_cmp(&score(a)).then_with(nearer)
            });
            let most = least.max((share * count * all as f64).round() as usize);
            let best = group.first().map_or(0.0, |it| score(it));
            let is_chosen = |at: usize, it: &Candidate<'_>| at < most || score(it) >= close * best;
            let chosen = group.iter().enumerate().filter(|(at, it)| is_chosen(*at, it));
            selected.extend(chosen.map(|(_, it)| it.head.id));
        }
        for (test, score) in scores {
            let known = choice.scores.entry(test).or_insert(0.0);
            *known = known.max(score);
        }
    }
    choice.selected = Some(selected);
    Ok(choice)
}

/// Changed itself, or so close to what a text names that there is nothing to weigh: of what is no code nothing
/// but its name is known.
fn is_certain(candidate: &Candidate<'_>, from_code: bool) -> bool {
    let most = match (candidate.state.is_heuristic, from_code) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    candidate.state.distance <= most
}

/// Whether a file is more than prose.
fn has_code(graph: &Graph<'_>, file: i64) -> rusqlite::Result<bool> {
    Ok(!graph.symbols(file)?.iter().any(|it| it.kind == SymbolKind::Section))
}

type Part<'p> = (i64, &'p FileHead, &'p Edit);

fn scores(
    graph: &Graph<'_>,
    needs: &Needs,
    (file, head, edit): Part<'_>,
    candidates: &[Candidate<'_>],
) -> rusqlite::Result<FxHashMap<i64, f64>> {
    let tests: FxHashSet<i64> = candidates.iter().map(|it| it.head.id).collect();
    let start = changed_symbols(graph, file, edit)?;
    let leading = links(graph, needs, file, &start)?;
    let shared = words(graph, file, edit, &tests)?;
    let stems = words::Stems::default();
    let called = Called::of(&stems, &head.path);
    let others: Vec<(i64, Called)> =
        candidates.iter().map(|it| (it.head.id, Called::of(&stems, &it.head.path))).collect();
    let alike = others.iter().map(|(id, other)| (*id, called.likeness(other))).collect();
    let beside = paths(&called, &others);
    let mut scores: FxHashMap<i64, f64> = FxHashMap::default();
    for (found, weight) in
        [(leading, 1.0), (shared, 1.0), (alike, NAME_WEIGHT), (beside, PATH_WEIGHT)]
    {
        let found: FxHashMap<i64, f64> = found;
        let highest =
            tests.iter().filter_map(|test| found.get(test)).fold(0.0f64, |a, b| a.max(*b));
        if highest > 0.0 {
            for test in &tests {
                let own = found.get(test).copied().unwrap_or(0.0);
                *scores.entry(*test).or_insert(0.0) += weight * own / highest;
            }
        }
    }
    Ok(scores)
}

/// What the path to a file and those to tests have in common: the fewer of them have a word, the more it counts.
fn paths(called: &Called, others: &[(i64, Called)]) -> FxHashMap<i64, f64> {
    let mut found = FxHashMap::default();
    for word in called.path() {
        let having: Vec<i64> =
            others.iter().filter(|(_, it)| it.has(word)).map(|(id, _)| *id).collect();
        let rarity = ((others.len() + 1) as f64 / having.len().max(1) as f64).ln();
        for test in having {
            *found.entry(test).or_insert(0.0) += rarity;
        }
    }
    found
}

/// The innermost symbols around the changed lines; all, where all of the file counts.
fn changed_symbols(graph: &Graph<'_>, file: i64, edit: &Edit) -> rusqlite::Result<Vec<i64>> {
    let symbols = graph.symbols(file)?;
    let mut found = FxHashSet::default();
    for line in edit.lines.iter().flatten() {
        let around = symbols.iter().filter(|it| it.lines.start <= *line && *line <= it.lines.end);
        found.extend(around.min_by_key(|it| it.lines.end - it.lines.start).map(|it| it.id));
    }
    let mut found: Vec<i64> = match found.is_empty() {
        true => symbols.iter().map(|it| it.id).collect(),
        false => found.into_iter().collect(),
    };
    found.sort_unstable();
    Ok(found)
}

/// What becomes of a walk at each step.
const KEPT_INSIDE: f64 = 0.85;
const KEPT_OUTSIDE: f64 = 0.5;
const STEPS_INSIDE: usize = 6;
const STEPS_OUTSIDE: usize = 5;
/// What a type counts as a use of its member.
const MEMBER: f64 = 0.3;
const NEGLIGIBLE: f64 = 1e-7;

/// How likely who follows names at random from a file comes to the changed symbols: from symbol to symbol in the
/// changed file, from file to file outside of it.
fn links(
    graph: &Graph<'_>,
    needs: &Needs,
    file: i64,
    start: &[i64],
) -> rusqlite::Result<FxHashMap<i64, f64>> {
    let inside = inside(graph, file, start)?;
    let mut names: BTreeMap<u32, (i64, f64)> = BTreeMap::new();
    for it in graph.symbols(file)?.iter() {
        if let Some(weight) = inside.get(&it.id) {
            let known = names.entry(it.name).or_insert((it.id, 0.0));
            known.1 = known.1.max(*weight);
        }
    }
    let mut front: BTreeMap<i64, f64> = BTreeMap::new();
    for (symbol, weight) in names.into_values() {
        for user in graph.reader().users_of(symbol)? {
            if user != file {
                *front.entry(user).or_insert(0.0) += weight * needs.one_name(user);
            }
        }
    }
    let mut total: FxHashMap<i64, f64> = front.iter().map(|(id, weight)| (*id, *weight)).collect();
    for _ in 0..STEPS_OUTSIDE {
        let mut next: BTreeMap<i64, f64> = BTreeMap::new();
        for (used, weight) in front.into_iter().filter(|(_, weight)| *weight > NEGLIGIBLE) {
            for (user, share) in needs.shares(used) {
                *next.entry(*user).or_insert(0.0) += KEPT_OUTSIDE * weight * share;
            }
        }
        for (id, weight) in &next {
            *total.entry(*id).or_insert(0.0) += weight;
        }
        front = next;
    }
    Ok(total)
}

/// The same inside of one file.
fn inside(graph: &Graph<'_>, file: i64, start: &[i64]) -> rusqlite::Result<FxHashMap<i64, f64>> {
    let symbols = graph.symbols(file)?;
    let mut users: BTreeMap<i64, Vec<(i64, f64)>> = BTreeMap::new();
    let mut all: FxHashMap<i64, f64> = FxHashMap::default();
    for edge in graph.out_of_file(file)? {
        let Some(from) = edge.from.filter(|from| *from != edge.to) else { continue };
        *all.entry(from).or_insert(0.0) += 1.0;
        if store::file_of(edge.to) == file {
            users.entry(edge.to).or_default().push((from, 1.0));
        }
    }
    for it in symbols.iter() {
        let owner = it.owner.and_then(|owner| symbols.get(owner as usize));
        if let Some(owner) = owner {
            *all.entry(owner.id).or_insert(0.0) += MEMBER;
            users.entry(it.id).or_default().push((owner.id, MEMBER));
        }
    }
    let mut front: BTreeMap<i64, f64> = start.iter().map(|symbol| (*symbol, 1.0)).collect();
    let mut total: FxHashMap<i64, f64> = front.iter().map(|(id, weight)| (*id, *weight)).collect();
    for _ in 0..STEPS_INSIDE {
        let mut next: BTreeMap<i64, f64> = BTreeMap::new();
        for (used, weight) in front.into_iter().filter(|(_, weight)| *weight > NEGLIGIBLE) {
            for (user, part) in users.get(&used).into_iter().flatten() {
                let share = part / all.get(user).copied().unwrap_or(1.0);
                *next.entry(*user).or_insert(0.0) += KEPT_INSIDE * weight * share;
            }
        }
        for (id, weight) in &next {
            *total.entry(*id).or_insert(0.0) += weight;
        }
        front = next;
    }
    Ok(total)
}

/// More words are those of a file that was written anew.
const MAX_WORDS: usize = 800;

/// What the words of a change say of tests: the fewer of them have one, the more it counts.
fn words(
    graph: &Graph<'_>,
    file: i64,
    edit: &Edit,
    tests: &FxHashSet<i64>,
) -> rusqlite::Result<FxHashMap<i64, f64>> {
    let reader = graph.reader();
    let mut names: Vec<(u32, u32)> = Vec::new();
    if edit.words.is_empty() && edit.lines.is_none() {
        let outer = graph.symbols(file)?;
        names.extend(outer.iter().filter(|it| it.owner.is_none()).map(|it| (it.name, 1)));
    } else {
        let mut said: Vec<(&String, u32)> =
            edit.words.iter().map(|(word, count)| (word, *count)).collect();
        said.sort_unstable_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
        for (word, count) in said.into_iter().take(MAX_WORDS) {
            names.extend(reader.name_id(word)?.map(|name| (name, count)));
        }
    }
    names.sort_unstable();
    names.dedup_by_key(|(name, _)| *name);
    let mut found: FxHashMap<i64, f64> = FxHashMap::default();
    for (name, count) in names.into_iter().take(MAX_WORDS) {
        let mut having = reader.files_of_term(name)?;
        having.retain(|file| tests.contains(file));
        having.sort_unstable();
        having.dedup();
        let rarity = ((tests.len() + 1) as f64 / having.len().max(1) as f64).ln();
        for test in having {
            *found.entry(test).or_insert(0.0) += (1.0 + f64::from(count).ln()) * rarity;
        }
    }
    Ok(found)
}
