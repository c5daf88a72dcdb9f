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
    let started = Clock::start();
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

/// The time this thread has worked, so that others on the machine do not count; where the system does not
/// tell, the time that has passed.
struct Clock {
    started: Instant,
    worked: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self { started: Instant::now(), worked: Self::worked() }
    }

    fn worked() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    }

    fn elapsed(&self) -> Duration {
        match (self.worked, Self::worked()) {
            (Some(before), Some(now)) => now - before,
            _ => self.started.elapsed(),
        }
    }
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
/// `GROMA_LONG_TESTS=1` makes it as large as it may be asked to be.
fn grows_evenly(make: impl Fn(usize) -> Vec<(String, String)>, size: usize, largest: usize) {
    let is_long = std::env::var_os("GROMA_LONG_TESTS").is_some();
    let size = if is_long { largest / 10 } else { size };
    let small = link(&make(size)).linking.max(Duration::from_millis(2));
    let large = link(&make(10 * size)).linking;
    // Small ones end before any limit is met, so more of them is more work for each.
    let most = if is_long { 20 } else { 250 };
    assert!(large < small * most, "{size}: {small:?}, {}: {large:?}", 10 * size);
}

/// Files that each say the same about themselves and the next one, the last of them about the first.
fn ring(count: usize, extension: &str, text: fn(usize, usize) -> String) -> Vec<(String, String)> {
    let file = |at: usize| (format!("m{at}.{extension}"), text(at, (at + 1) % count));
    (0..count).map(file).collect()
}

fn chain(count: usize, extension: &str, text: fn(usize, usize) -> String) -> Vec<(String, String)> {
    (0..count).map(|at| (format!("m{at}.{extension}"), text(at, at + 1))).collect()
}

const LARGEST: usize = 10_000;

#[test]
fn a_ring_of_imports_ends() {
    let python = |at: usize, next: usize| {
        format!(
            "from m{next} import *\nfrom m{next} import thing as other\n\ndef f{at}():\n    return missing() or other()\n"
        )
    };
    let script = |at: usize, next: usize| {
        format!(
            "export * from './m{next}';\nimport {{ missing, thing as other }} from './m{next}';\nexport function f{at}() {{ return missing() || other(); }}\n"
        )
    };
    let ruby = |at: usize, next: usize| {
        format!(
            "require_relative 'm{next}'\nmodule M{at}\n  extend M{next}\n  def self.f{at} = missing\nend\n"
        )
    };
    grows_evenly(|count| ring(count, "py", python), 40, LARGEST);
    grows_evenly(|count| ring(count, "ts", script), 40, LARGEST);
    grows_evenly(|count| ring(count, "rb", ruby), 60, LARGEST);
    let project = link(&ring(50, "py", python));
    assert!(
        project.outcomes.iter().flatten().all(|outcome| !matches!(outcome, Outcome::Resolved(..)))
    );
}

#[test]
fn long_chains_and_rings_of_parents_end() {
    let python = |at: usize, next: usize| {
        format!(
            "from m{next} import C{next}\n\nclass C{at}(C{next}):\n    def own(self):\n        return self.missing() or self.own()\n"
        )
    };
    let java = |at: usize, next: usize| {
        format!(
            "package p;\nclass C{at} extends C{next} {{ void own() {{ missing(); own(); super.own(); }} }}\n"
        )
    };
    let kotlin = |at: usize, next: usize| {
        format!(
            "package p\nopen class C{at} : C{next}() {{ fun own() {{ missing(); own() }} }}\nfun C{at}.more() = this.missing()\n"
        )
    };
    let ruby = |at: usize, next: usize| {
        format!("class C{at} < C{next}\n  def own\n    missing\n    own\n    super\n  end\nend\n")
    };
    let rust = |at: usize, next: usize| {
        format!(
            "use crate::m{next}::T{next};\npub trait T{at}: T{next} {{ fn own(&self) {{ self.missing(); self.own(); }} }}\n"
        )
    };
    for (extension, text) in [
        ("py", python as fn(usize, usize) -> String),
        ("java", java),
        ("kt", kotlin),
        ("rs", rust),
        ("rb", ruby),
    ] {
        grows_evenly(|count| chain(count, extension, text), 25, LARGEST);
        grows_evenly(|count| ring(count, extension, text), 25, LARGEST);
    }
}

#[test]
fn rings_of_aliases_end() {
    let script = |at: usize, next: usize| {
        format!(
            "import {{ A{next}, v{next} }} from './m{next}';\nexport type A{at} = A{next};\nexport const v{at} = v{next};\nexport function f(a: A{at}) {{ a.missing(); v{at}.missing(); v{at}(); }}\n"
        )
    };
    let python = |at: usize, next: usize| {
        format!("from m{next} import v{next}\n\nv{at} = v{next}\nv{at}.missing()\nv{at}()\n")
    };
    let rust = |at: usize, next: usize| {
        format!(
            "pub use crate::m{next}::V{next} as V{at};\npub type A{at} = crate::m{next}::A{next};\nfn f(a: A{at}, v: V{at}) {{ a.missing(); v.missing(); }}\n"
        )
    };
    grows_evenly(|count| ring(count, "ts", script), 40, LARGEST);
    grows_evenly(|count| ring(count, "py", python), 40, LARGEST);
    grows_evenly(|count| ring(count, "rs", rust), 40, LARGEST);
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
    grows_evenly(many, 200, 10 * LARGEST);
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
    grows_evenly(many, 60, LARGEST);
    let methods = |count: usize| -> Vec<(String, String)> {
        (0..count.div_ceil(10))
            .map(|at| {
                let mut text = String::new();
                for number in 0..10 {
                    let _ = writeln!(
                        text,
                        "class C{at}_{number}:\n    def run(self):\n        return self.run() or self.missing()"
                    );
                }
                (format!("m{at}.py"), text)
            })
            .collect()
    };
    grows_evenly(methods, 400, 10 * LARGEST);
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
