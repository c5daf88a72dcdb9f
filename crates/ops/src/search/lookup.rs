//! Definitions by name: as written, in any case, then whoever passes them on.

use model::{SymbolFlags, SymbolKind};
use rustc_hash::FxHashMap;
use store::rusqlite;
use store::{Definition, Reader};

use super::filters::Conditions;
use super::priors;
use super::question::Question;
use super::rank::Mode;
use super::{Hit, How};
use crate::symbol_query::{belongs_to, distance_within, last_part, owners_of, parts};

/// Definitions of one name that are compared; there are seldom more that anyone would read.
const COMPARED: usize = 500;
/// Definitions of one name in one file that are told before those of other files.
const OVERLOADS: usize = 3;
/// Names that are spelled nearly so.
const NEAR: usize = 5;
/// How much it counts that other files use a definition.
const USED: f64 = 0.3;
const SAME_AS_FILE: f64 = 1.5;

/// The definitions of a name, best first: `Router`, `Router::route`, `router.Router.route`.
pub(super) fn definitions(
    reader: &Reader,
    asked: &str,
    question: &Question,
    conditions: &Conditions,
) -> rusqlite::Result<Vec<Hit>> {
    let name = last_part(asked);
    // Namespaces and tests may have a name with dots of its own.
    let mut spelled = vec![name.to_owned(), asked.to_owned()];
    spelled.dedup();
    let (mut hits, mut tests) = defined(reader, &spelled, asked, question, conditions, How::Exact)?;
    let others: Vec<String> =
        reader.symbol_names_like(name)?.into_iter().filter(|other| other != name).collect();
    let folded = defined(reader, &others, asked, question, conditions, How::Folded)?;
    // Whoever writes capitals means them, even where only tests have the name.
    if hits.is_empty() && name.chars().any(char::is_uppercase) {
        hits.append(&mut tests);
    }
    // A heading that says the word in other letters names nothing that code could call.
    let (headings, folded_code): (Vec<Hit>, Vec<Hit>) =
        folded.0.into_iter().partition(|hit| hit.kind.as_deref() == Some("section"));
    hits.extend(folded_code);
    tests.extend(folded.1);
    tests.extend(headings);
    if parts(asked).count() == 1 && conditions.is_empty() {
        hits.extend(passed_on(reader, name)?);
    }
    hits.extend(tests);
    Ok(hits)
}

/// Definitions of names that have all words of another in them: those that begin with it first, then the
/// shortest; tests, whose names are often sentences, after the code.
pub(super) fn related(
    reader: &Reader,
    asked: &str,
    question: &Question,
    conditions: &Conditions,
    wanted: usize,
) -> rusqlite::Result<Vec<Hit>> {
    let name = last_part(asked);
    let (folded, whole) = (name.to_lowercase(), asked.to_lowercase());
    let mut names = reader.symbol_names_with_words_of(name)?;
    names.retain(|other| ![&folded, &whole].contains(&&other.to_lowercase()));
    names.sort_by_cached_key(|other| {
        let other_folded = other.to_lowercase();
        (!other_folded.starts_with(&folded), other.len(), other_folded)
    });
    let (mut hits, mut tests) = (Vec::new(), Vec::new());
    for other in names {
        // Where many tests have such names, there may be no code that has.
        if hits.len() >= wanted || hits.len() + tests.len() >= 2 * wanted {
            break;
        }
        let (of_code, of_tests) = defined(
            reader,
            std::slice::from_ref(&other),
            &other,
            question,
            conditions,
            How::Related,
        )?;
        let room = 2usize.saturating_sub(of_code.len());
        hits.extend(of_code.into_iter().take(2));
        tests.extend(of_tests.into_iter().take(room));
    }
    hits.extend(tests.into_iter().take(wanted.saturating_sub(hits.len())));
    Ok(hits)
}

/// Definitions of names that differ from the one asked for by a slip of the keyboard.
pub(super) fn near(
    reader: &Reader,
    asked: &str,
    question: &Question,
    conditions: &Conditions,
) -> rusqlite::Result<Vec<Hit>> {
    let wanted = last_part(asked).to_lowercase();
    let limit = wanted.chars().count() / 4 + 1;
    let mut found: Vec<(usize, String)> = Vec::new();
    reader.each_symbol_name(|_, name| {
        if let Some(distance) = distance_within(&wanted, &name.to_lowercase(), limit) {
            found.push((distance, name.to_owned()));
        }
    })?;
    found.sort();
    let names: Vec<String> = found.into_iter().take(NEAR).map(|(_, name)| name).collect();
    let (mut hits, tests) =
        defined(reader, &names, last_part(asked), question, conditions, How::Near)?;
    hits.extend(tests);
    Ok(hits)
}

/// Definitions of names, best first: those of the code, then those of tests.
fn defined(
    reader: &Reader,
    names: &[String],
    asked: &str,
    question: &Question,
    conditions: &Conditions,
    how: How,
) -> rusqlite::Result<(Vec<Hit>, Vec<Hit>)> {
    let asked = asked.to_lowercase();
    let wanted: Vec<&str> = parts(&asked).collect();
    let owners = owners_of(&wanted);
    let mut hits = Vec::new();
    for (order, name) in names.iter().enumerate() {
        for definition in reader.definitions_of(name, COMPARED)? {
            let qualified = definition.qualified_name.to_lowercase();
            let qualified: Vec<&str> = parts(&qualified).collect();
            let path = definition.head.path.to_lowercase();
            let is_meant = belongs_to(&path, owners_of(&qualified), owners);
            if !is_meant || !conditions.accept(&definition) {
                continue;
            }
            // `Index::stats` is a member of `Index` before it is a function of index.rs.
            let order = match how {
                How::Near => order,
                _ => usize::from(!owners_of(&qualified).ends_with(owners)),
            };
            // What is beside the point of a sentence is so for a name: `Retry` is no benchmark of it.
            let prior = priors::prior(question, Mode { is_task: false }, &definition.head, true);
            let standing = standing(reader, &definition)?;
            let is_test = definition.head.is_test || definition.flags.has(SymbolFlags::TEST);
            hits.push((order, prior, standing, is_test, Hit::of(definition, how)));
        }
    }
    hits.sort_by(|a, b| {
        let by_prior = a.0.cmp(&b.0).then(b.1.total_cmp(&a.1));
        by_prior.then(b.2.total_cmp(&a.2)).then_with(|| a.4.place().cmp(&b.4.place()))
    });
    // What is added to a type beside its definition needs no row of its own.
    let mut shown: Vec<String> = Vec::new();
    hits.retain(|(.., hit)| {
        let is_addition = matches!(hit.kind.as_deref(), Some("impl" | "extension"));
        let keep = !is_addition || !shown.contains(&hit.path);
        shown.push(hit.path.clone());
        keep
    });
    // More of the same name in the same place than these are its overloads, and can wait.
    let mut counts: FxHashMap<(String, Option<String>), usize> = FxHashMap::default();
    let (first, rest): (Vec<_>, Vec<_>) = hits.into_iter().partition(|(.., hit)| {
        let count = counts.entry((hit.path.clone(), hit.name.clone())).or_default();
        *count += 1;
        *count <= OVERLOADS
    });
    let hits = first.into_iter().chain(rest);
    let (tests, code): (Vec<_>, Vec<_>) = hits.partition(|(.., is_test, _)| *is_test);
    let only_hits = |list: Vec<(_, _, _, _, Hit)>| list.into_iter().map(|(.., hit)| hit).collect();
    Ok((only_hits(code), only_hits(tests)))
}

/// How likely a definition is the one that is meant by its name.
fn standing(reader: &Reader, definition: &Definition) -> rusqlite::Result<f64> {
    let mut standing = match definition.kind {
        kind if kind.is_type() => 3.0,
        kind if kind.is_callable() => 2.0,
        SymbolKind::Impl | SymbolKind::Extension => 1.0,
        SymbolKind::Namespace => 0.8,
        // Parts of something: whoever means one of many that are called so says what it is part of.
        SymbolKind::Field | SymbolKind::Property | SymbolKind::EnumMember => 0.7,
        SymbolKind::Section => 0.5,
        _ => 1.5,
    };
    let file = definition.head.path.rsplit('/').next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    if plain(stem) == plain(&definition.name) {
        standing *= SAME_AS_FILE;
    }
    if definition.flags.has(SymbolFlags::DECLARATION) {
        standing *= 0.5;
    }
    let users = reader.user_count(definition.name_id, &definition.head.path)?;
    Ok(standing * (1.0 + USED * f64::from(1 + users).ln()))
}

/// `JsonReader` and `json_reader` are one name.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Files that pass the name on from where it is defined.
fn passed_on(reader: &Reader, name: &str) -> rusqlite::Result<Vec<Hit>> {
    let places = reader.re_exports_of(name)?;
    let hit = |(path, line)| Hit {
        project: None,
        source: None,
        path,
        line_start: line,
        line_end: line,
        kind: Some("re_export".to_owned()),
        name: Some(name.to_owned()),
        signature: None,
        text: None,
        how: How::ReExport,
    };
    Ok(places.into_iter().map(hit).collect())
}
