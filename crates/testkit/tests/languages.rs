//! Every language against its folder: it loads, its fixtures give the facts written beside them, and
//! every pattern is reached.
//!
//! `GROMA_BLESS=1 cargo test -p groma-testkit` writes the facts anew; read the difference.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use extract::Source;
use languages::{Language, Parser, Registry};
use model::FileFacts;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages")
}

struct Fixture {
    /// As the product would name it.
    path: String,
    file: PathBuf,
    text: String,
}

fn fixtures(id: &str) -> Vec<Fixture> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder().join(id).join("fixtures")) else { return found };
    for entry in entries {
        let file = entry.expect("the folder can be read").path();
        let name = file.file_name().expect("it has a name").to_string_lossy().into_owned();
        if !name.ends_with(".facts") {
            let text = std::fs::read_to_string(&file).expect("fixtures are UTF-8");
            found.push(Fixture { path: format!("languages/{id}/fixtures/{name}"), file, text });
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn facts(fixture: &Fixture) -> (&'static Language, FileFacts) {
    let language = Registry::builtin().detect(&fixture.path, fixture.text.as_bytes());
    let source = Source { path: &fixture.path, text: &fixture.text };
    (language, extract::extract(language, source))
}

fn all_fixtures() -> impl Iterator<Item = Fixture> {
    Registry::builtin().ids().flat_map(fixtures)
}

#[test]
fn every_language_loads() {
    for id in Registry::builtin().ids() {
        if let Err(error) = Registry::builtin().check(id) {
            panic!("{error}");
        }
    }
}

#[test]
fn every_language_has_at_least_three_fixtures() {
    for id in Registry::builtin().ids().filter(|id| *id != "text") {
        assert!(fixtures(id).len() >= 3, "languages/{id}/fixtures");
    }
}

#[test]
fn fixtures_give_the_facts_written_beside_them() {
    let bless = std::env::var_os("GROMA_BLESS").is_some();
    let mut wrong = Vec::new();
    for fixture in all_fixtures() {
        let rendered = groma_testkit::render(&facts(&fixture).1);
        let golden = fixture.file.with_file_name(format!(
            "{}.facts",
            fixture.file.file_name().expect("it has a name").to_string_lossy()
        ));
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if rendered == expected {
            continue;
        }
        if bless {
            std::fs::write(&golden, rendered).expect("goldens can be written");
        } else {
            wrong.push(format!("{}\n{}", fixture.path, first_difference(&expected, &rendered)));
        }
    }
    assert!(
        wrong.is_empty(),
        "facts differ; GROMA_BLESS=1 writes them anew:\n{}",
        wrong.join("\n")
    );
}

fn first_difference(expected: &str, found: &str) -> String {
    let mut lines = expected.lines().zip(found.lines()).enumerate();
    match lines.find(|(_, (a, b))| a != b) {
        Some((number, (a, b))) => format!("  line {}\n  - {a}\n  + {b}", number + 1),
        None => format!("  {} lines, found {}", expected.lines().count(), found.lines().count()),
    }
}

#[test]
fn every_pattern_is_reached_by_a_fixture() {
    let mut reached = BTreeSet::new();
    let mut patterns = BTreeSet::new();
    for fixture in all_fixtures() {
        let (language, _) = facts(&fixture);
        if language.grammar.is_some() && language.table.parser != Parser::TreeSitter {
            let source = Source { path: &fixture.path, text: &fixture.text };
            extract::extract_by_patterns(language, source);
        }
    }
    for (_, place) in extract::coverage::all_reached() {
        reached.insert(place);
    }
    for id in Registry::builtin().ids() {
        let language = Registry::builtin().get(id).expect("it is registered");
        patterns.extend(language.patterns.iter().map(|pattern| pattern.place.clone()));
    }
    let unreached: Vec<&String> = patterns.difference(&reached).collect();
    assert!(unreached.is_empty(), "no fixture reaches {unreached:#?}");
}

#[test]
fn names_stand_where_their_spans_say() {
    for fixture in all_fixtures() {
        let (language, facts) = facts(&fixture);
        if language.id == "css" {
            // The name of a selector is its text without line breaks and comments.
            continue;
        }
        for symbol in &facts.symbols {
            let name = facts.name(symbol.name);
            assert_eq!(symbol.name_span.slice(&fixture.text).trim(), name, "{}", fixture.path);
            assert!(symbol.span.contains(symbol.name_span), "{}: {name}", fixture.path);
            assert!(symbol.span.end as usize <= fixture.text.len(), "{}", fixture.path);
        }
        for binding in &facts.bindings {
            let name = facts.name(binding.name);
            let at = &fixture.text[binding.start as usize..];
            assert!(
                at.starts_with(name) || name.starts_with(['{', '[']),
                "{}: {name}",
                fixture.path
            );
        }
    }
}

#[test]
fn facts_survive_packing() {
    for fixture in all_fixtures() {
        let (_, facts) = facts(&fixture);
        let packed = model::pack::pack(&facts);
        assert_eq!(model::pack::unpack(&packed).as_ref(), Ok(&facts), "{}", fixture.path);
    }
}

#[test]
fn damaged_packed_facts_are_refused_without_a_panic() {
    let fixture = all_fixtures().find(|fixture| fixture.text.len() > 2000).expect("there is one");
    let packed = model::pack::pack(&facts(&fixture).1);
    for length in 0..packed.len().min(3000) {
        assert!(model::pack::unpack(&packed[..length]).is_err(), "cut at {length}");
    }
    let mut damaged = packed.clone();
    for at in (0..packed.len()).step_by(7) {
        damaged[at] ^= 0x55;
        let _ = model::pack::unpack(&damaged);
        damaged[at] = packed[at];
    }
}

#[test]
fn grammars_are_the_ones_we_know() {
    let mut lines = String::new();
    for id in Registry::builtin().ids() {
        let language = Registry::builtin().get(id).expect("it is registered");
        if let Some(grammar) = &language.grammar {
            let (abi, kinds) = (grammar.abi_version(), grammar.node_kind_count());
            lines += &format!("{id} abi={abi} kinds={kinds}\n");
        }
    }
    insta::assert_snapshot!(lines);
}
