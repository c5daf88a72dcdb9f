//! Links of code that goes in circles or comes in masses: an answer, in time that grows with the input.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use extract::Source;
use groma_testkit::links;
use languages::Registry;
use model::FileFacts;
use resolve::{Body, File, Linker, Memory, Outcome, Settings};

struct Project {
    facts: Vec<FileFacts>,
    outcomes: Vec<Vec<Outcome>>,
    linking: Duration,
}

fn link(files: &[(String, String)]) -> Project {
    let registry = Registry::builtin();
    let mut world = Memory::new(Settings::default());
    let mut all = extracted(files);
    for ((path, text), facts) in files.iter().zip(&mut all) {
        world.add(path, registry.detect(path, text.as_bytes()), facts);
    }
    let started = Instant::now();
    let mut linker = Linker::new(&world);
    let outcomes = all
        .iter()
        .enumerate()
        .map(|(file, facts)| {
            let body = Body::of(facts);
            linker.link(file as File, body).outcomes
        })
        .collect();
    Project { facts: all, outcomes, linking: started.elapsed() }
}

/// Parsers recurse, so they get a large stack; linking has to do with the usual one.
fn extracted(files: &[(String, String)]) -> Vec<FileFacts> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, || {
            let extract = |(path, text): &(String, String)| {
                let language = Registry::builtin().detect(path, text.as_bytes());
                extract::extract(language, Source { path, text })
            };
            files.iter().map(extract).collect()
        });
        thread.expect("a thread can be made").join().expect("extraction does not panic")
    })
}

/// Whether the time for ten times as much is about ten times the time, with room for a busy machine.
fn grows_evenly(make: impl Fn(usize) -> Vec<(String, String)>, size: usize) {
    let small = link(&make(size)).linking.max(Duration::from_millis(2));
    let large = link(&make(10 * size)).linking;
    assert!(large < small * 60, "{size}: {small:?}, {}: {large:?}", 10 * size);
}

#[test]
fn a_ring_of_imports_ends() {
    let ring = |count: usize| -> Vec<(String, String)> {
        (0..count)
            .map(|at| {
                let next = (at + 1) % count;
                let text = format!(
                    "from m{next} import *\nfrom m{next} import thing as other\n\ndef f{at}():\n    return missing() or other()\n"
                );
                (format!("m{at}.py"), text)
            })
            .collect()
    };
    grows_evenly(ring, 40);
    let project = link(&ring(50));
    assert!(
        project.outcomes.iter().flatten().all(|outcome| !matches!(outcome, Outcome::Resolved(..)))
    );
}

#[test]
fn types_that_are_their_own_parents_end() {
    let checked = links::check(
        "\
//- a.ts
import { B } from './b';
export class A extends B { one() { return this.two(); } }
//                         ^^^ one
//                                             ^^^ -> two
export interface Loop extends Loop { x: Loop }
export type Alias = Other; export type Other = Alias;
export function f(l: Loop, a: Alias) { l.x.x.missing(); a.missing(); }
//                                           ^^^^^^^ -> nothing
//- b.ts
import { A } from './a';
export class B extends A { two() { return this.one(); } }
//                         ^^^ two
//                                             ^^^ -> one
export const first = second; export const second = first;
",
    );
    assert!(checked.failures.is_empty(), "{:?}", checked.failures);
}

#[test]
fn many_members_of_one_name_are_no_burden() {
    let many = |count: usize| -> Vec<(String, String)> {
        let mut text = String::from("package p;\n");
        for at in 0..count {
            let _ = writeln!(
                text,
                "class C{at} {{ void run() {{ go(); }} void go() {{ new C{at}().run(); }} }}"
            );
        }
        vec![("All.java".to_owned(), text)]
    };
    grows_evenly(many, 200);
    let project = link(&many(100));
    let resolved = project.outcomes[0]
        .iter()
        .filter(|outcome| matches!(outcome, Outcome::Resolved(..)))
        .count();
    assert!(resolved >= 300, "{resolved} of {}", project.facts[0].references.len());
}

#[test]
fn many_files_with_one_name_are_no_burden() {
    let many = |count: usize| -> Vec<(String, String)> {
        (0..count)
            .map(|at| {
                let text = "static void init(void) {}\nvoid use(void) { init(); other(); }\n";
                (format!("f{at}.c"), text.to_owned())
            })
            .collect()
    };
    grows_evenly(many, 60);
}

#[test]
fn long_chains_end() {
    let mut chain = String::from("class A { next(): A { return this } }\nconst a = new A();\na");
    for _ in 0..3000 {
        chain.push_str(".next()");
    }
    chain.push_str(";\n");
    let project = link(&[("a.ts".to_owned(), chain)]);
    assert!(project.outcomes[0].iter().any(|outcome| matches!(outcome, Outcome::Resolved(..))));
}
