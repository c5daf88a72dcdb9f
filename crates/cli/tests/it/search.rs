//! Search: names, words, sentences, filters, live scans.

use serde_json::Value;

use crate::project::Project;

fn search(project: &Project, arguments: &[&str]) -> Value {
    let mut all = vec!["search", "--json"];
    all.extend(arguments);
    let outcome = project.groma(&all);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
    outcome.json()
}

fn names(answer: &Value) -> Vec<&str> {
    let hits = answer["hits"].as_array().expect("a list");
    hits.iter().filter_map(|hit| hit["name"].as_str()).collect()
}

const FILES: &[(&str, &str)] = &[
    (
        "src/users.ts",
        "/** Loads a user from the store. */\nexport function getUserById(id: string): User { return store.get(id); }\n\n\
         export class UserRepository {\n  /** Removes everybody who never logged in. */\n  purge() { return 1; }\n  save(user: User) { retry(() => this.write(user)); }\n}\n",
    ),
    (
        "src/user_service.ts",
        "export const user_service = 1;\nexport function admin_user() { return 2; }\n",
    ),
    ("src/index.ts", "export { getUserById } from './users';\n"),
    (
        "src/retry.ts",
        "/** Calls a function again after a pause that doubles each time. */\nexport function retry(f: () => void) { backoff(f); }\nfunction backoff(f: () => void) { f(); }\n",
    ),
    (
        "test/users.test.ts",
        "import { getUserById } from '../src/users';\ntest('getUserById', () => { getUserById('1'); });\n",
    ),
    ("docs/users.md", "# Users\n\nHow users are stored and how a user is loaded.\n"),
];

fn shop() -> Project {
    let project = Project::with(FILES);
    project.index();
    project
}

#[test]
fn cx_04_words_inside_names_are_found() {
    let project = shop();
    let found = search(&project, &["user"]);
    for name in ["getUserById", "UserRepository", "user_service"] {
        assert!(names(&found).contains(&name), "{name} in {found}");
    }
    assert!(names(&search(&project, &["repo*"])).contains(&"UserRepository"));
    // Words of documentation count too, whatever their form.
    assert_eq!(
        names(&search(&project, &["remove", "everybody", "who", "logs", "in"]))[0],
        "UserRepository.purge"
    );
}

#[test]
fn cx_05_operators_are_understood() {
    let project = shop();
    let found = search(&project, &["user AND NOT admin"]);
    assert!(!names(&found).contains(&"admin_user"), "{found}");
    assert!(names(&found).contains(&"UserRepository"), "{found}");
    for odd in ["AND", "NOT", "\"", "a AND", "((", "user OR", "*", "'", "a:b:c", "--"] {
        let outcome = project.groma(&["search", "--json", "--", odd]);
        assert!(matches!(outcome.status, Some(0 | 2)), "{odd}: {outcome:?}");
        assert!(!outcome.stdout.contains("syntax"), "{odd}: {outcome:?}");
    }
}

#[test]
fn a_name_finds_its_definition_first_then_who_passes_it_on() {
    let project = shop();
    let found = search(&project, &["getUserById"]);
    assert_eq!(
        (&found["hits"][0]["path"], &found["hits"][0]["how"]),
        (&"src/users.ts".into(), &"exact".into())
    );
    assert_eq!(
        (&found["hits"][1]["path"], &found["hits"][1]["how"]),
        (&"src/index.ts".into(), &"re_export".into())
    );
    assert_eq!(search(&project, &["getuserbyid"])["hits"][0]["how"], "folded");
    assert_eq!(names(&search(&project, &["UserRepository.save"]))[0], "UserRepository.save");
    let near = search(&project, &["getUsrById"]);
    assert_eq!((names(&near)[0], &near["hits"][0]["how"]), ("getUserById", &"near".into()));
}

#[test]
fn capitals_are_meant_even_where_only_a_test_has_the_name() {
    let project = Project::with(&[
        (
            "src/button.ts",
            "export class Button {\n  foo() { return 1; }\n  bar() { return 2; }\n}\n",
        ),
        ("test/parts.test.ts", "class Foo {}\nfunction Bar() { return new Foo(); }\nBar();\n"),
        ("src/kept.ts", "export class Kept {}\n"),
        ("test/kept.test.ts", "function kept() {}\nkept();\n"),
    ]);
    project.index();
    for name in ["Foo", "Bar"] {
        let found = search(&project, &[name]);
        assert_eq!(
            (names(&found)[0], &found["hits"][0]["how"]),
            (name, &"exact".into()),
            "{found}"
        );
    }
    // Small letters are often only quick to write, and tests step back.
    assert_eq!(names(&search(&project, &["kept"]))[0], "Kept");
}

#[test]
fn a_member_of_a_type_comes_before_a_function_of_a_file_that_is_called_so() {
    let project = Project::with(&[
        ("src/index.rs", "pub fn stats() -> u32 {\n    1\n}\n"),
        ("src/other.rs", "pub struct Index;\n\nimpl Index {\n    fn stats(&self) {}\n}\n"),
        ("src/lib.rs", "mod index;\nmod other;\npub fn all() -> u32 { index::stats() }\n"),
        ("A.java", "public class A {\n  public A() {}\n}\n"),
        ("Parts.cs", "namespace Shop.Media.Parts {\n  class Wheel {}\n}\n"),
        ("lib/drop.rb", "class Drop\n  def <=>(other)\n    0\n  end\nend\n"),
    ]);
    project.index();
    let operator = search(&project, &["<=>"]);
    assert_eq!(operator["hits"][0]["path"], "lib/drop.rb", "{operator}");
    let found = search(&project, &["Index::stats"]);
    assert_eq!(names(&found)[..2], ["Index::stats", "stats"], "{found}");
    let space = search(&project, &["Shop.Media.Parts"]);
    assert_eq!(space["hits"][0]["kind"], "namespace", "{space}");
    assert_eq!(names(&space).iter().filter(|it| **it == "Shop.Media.Parts").count(), 1, "{space}");
    let made = search(&project, &["A.A"]);
    assert_eq!(made["hits"][0]["kind"], "constructor", "{made}");
}

#[test]
fn steps_of_a_database_libraries_of_others_and_snapshots_step_back() {
    let text = "export function expireSessions() { return 'sessions that expire at night'; }\n";
    let aside = [
        "db/migrate/20240101_sessions.ts",
        "public/lib/calendar/sessions.ts",
        "deps/calendar/sessions.ts",
        "src/snapshots/sessions.ts",
    ];
    let mut files: Vec<(&str, &str)> = aside.iter().map(|path| (*path, text)).collect();
    files.push(("src/nightly/sessions.ts", text));
    // A library of the project's own is what is meant.
    files.push(("lib/sessions.ts", text));
    files.push(("src/deps/sessions.ts", text));
    let project = Project::with(&files);
    project.index();
    let found = search(&project, &["which sessions expire at night"]);
    let hits = found["hits"].as_array().expect("a list");
    let paths: Vec<&str> = hits.iter().filter_map(|hit| hit["path"].as_str()).collect();
    let place = |path: &str| paths.iter().position(|found| *found == path);
    for own in ["src/nightly/sessions.ts", "lib/sessions.ts", "src/deps/sessions.ts"] {
        for other in aside {
            assert!(place(own) < place(other), "{own} before {other}: {paths:?}");
        }
    }
    assert_eq!(paths.len(), 7, "demoted, not hidden: {paths:?}");
    let asked = search(&project, &["which migration lets sessions expire at night"]);
    assert_eq!(asked["hits"][0]["path"], aside[0]);
}

#[test]
fn a_definition_of_its_own_comes_before_parts_that_are_called_so() {
    let settings = "export interface Settings {\n  provider: string;\n  diff: number;\n}\n";
    let used: Vec<(String, String)> = (0..12)
        .map(|number| {
            let text = "import { Settings } from './settings';\n\
                export const f = (s: Settings) => [s.provider, s.diff];\n";
            (format!("src/use{number}.ts"), text.to_owned())
        })
        .collect();
    let mut files: Vec<(&str, &str)> =
        used.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    files.extend([
        ("src/settings.ts", settings),
        ("src/tester.ts", "export const provider = 'none';\n"),
        ("crate/src/lib.rs", "pub mod diff;\n"),
        ("crate/src/diff.rs", "pub fn compare() {}\n"),
        ("docs/guide.md", "# Numbers\n\nWhat numbers are.\n"),
        ("test/numbers.test.ts", "const numbers = [1];\nnumbers.pop();\n"),
    ]);
    let project = Project::with(&files);
    project.index();
    for (name, kind) in [("provider", "const"), ("diff", "module"), ("numbers", "const")] {
        let found = search(&project, &[name]);
        let first = &found["hits"][0];
        assert_eq!((&first["name"], &first["kind"]), (&name.into(), &kind.into()), "{found}");
    }
}

#[test]
fn a_name_of_the_code_comes_before_benches_tests_and_the_rest_of_its_overloads() {
    let overload = "  public static void Again(int times) { }\n";
    let policy = format!("class Policy {{\n{}}}\n", overload.repeat(6));
    let project = Project::with(&[
        ("bench/Again.cs", "class Again {\n  void Run() { }\n}\n"),
        ("src/Docs/Again.cs", "class Again {\n  void Show() { }\n}\n"),
        ("src/Policy.cs", &policy),
        ("src/Wrapped.cs", "class Wrapped {\n  public void Again() { }\n}\n"),
        ("src/WrappedTwice.cs", "class WrappedTwiceAround { }\n"),
        ("tests/test_wrap.py", "def wrapped_ok():\n    pass\n"),
    ]);
    project.index();
    let paths = |found: &Value| -> Vec<String> {
        let hits = found["hits"].as_array().expect("a list").iter();
        hits.filter_map(|hit| hit["path"].as_str().map(str::to_owned)).collect()
    };
    let found = paths(&search(&project, &["Again"]));
    assert_eq!(found[..3], ["src/Policy.cs"; 3], "{found:?}");
    assert_eq!(found[3], "src/Wrapped.cs", "{found:?}");
    assert_eq!(found.iter().filter(|path| *path == "src/Policy.cs").count(), 6, "{found:?}");
    let related = paths(&search(&project, &["Wrapped"]));
    assert_eq!(related, ["src/Wrapped.cs", "src/WrappedTwice.cs", "tests/test_wrap.py"]);
    let asked = paths(&search(&project, &["Again path:bench/**"]));
    assert_eq!(asked, ["bench/Again.cs"]);
}

#[test]
fn a_sentence_finds_what_it_describes_and_tests_step_back() {
    let project = shop();
    let found = search(&project, &["call", "again", "with", "a", "doubling", "pause"]);
    assert_eq!(found["hits"][0]["path"], "src/retry.ts");
    let found = search(&project, &["how is a user loaded by id"]);
    assert_eq!(found["hits"][0]["path"], "src/users.ts");
    let paths: Vec<&str> = found["hits"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|hit| hit["path"].as_str())
        .collect();
    assert!(paths.contains(&"test/users.test.ts"), "demoted, not hidden: {paths:?}");
}

#[test]
fn filters_narrow_and_alone_they_list() {
    let project = shop();
    assert_eq!(names(&search(&project, &["user kind:class"])), ["UserRepository"]);
    assert_eq!(
        names(&search(&project, &["kind:method in:src"])),
        ["UserRepository.purge", "UserRepository.save"]
    );
    assert_eq!(names(&search(&project, &["name:*Service* kind:const"])), [""; 0]);
    assert_eq!(names(&search(&project, &["name:user_* "])), ["user_service"]);
    assert_eq!(names(&search(&project, &["user path:docs/**"])), ["Users"]);
    for wrong in ["user kind:clas", "user is:blue", "knd:class", "path:[", ""] {
        let outcome = project.groma(&["search", wrong]);
        assert_eq!(outcome.status, Some(2), "{wrong}: {outcome:?}");
        assert!(outcome.stderr.starts_with("error:"), "{wrong}: {outcome:?}");
    }
}

#[test]
fn phrases_stand_together() {
    let project = shop();
    assert_eq!(names(&search(&project, &["\"who never logged\""])), ["UserRepository.purge"]);
    assert_eq!(names(&search(&project, &["\"never who logged\""])), [""; 0]);
}

#[test]
fn texts_and_expressions_are_looked_for_in_the_files_as_they_are() {
    let project = shop();
    project.write("src/retry.ts", "export function retry() { again(); }\n// new TODO(x)\n");
    let found = search(&project, &["--literal", "TODO("]);
    assert_eq!((&found["total"], &found["hits"][0]["line_start"]), (&1.into(), &2.into()));
    let found = search(&project, &["--regex", r"again\(\)"]);
    assert_eq!(found["hits"][0]["name"], "retry");
    let all = search(
        &project,
        &["--regex", "-i", "USER", "-n", "2", "--offset", "1", "--path", "src/**"],
    );
    assert_eq!(all["hits"].as_array().map(Vec::len), Some(2));
    assert!(all["total"].as_u64() > Some(6), "{all}");
    let broken = project.groma(&["search", "--regex", "a("]);
    assert_eq!(broken.status, Some(2));
    assert!(broken.stderr.contains("--literal"), "{broken:?}");
}

#[test]
fn what_was_not_scanned_is_said() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    project.write("b.py", b"x = 1\0\0\0\x01\x02");
    project.index();
    let found = search(&project, &["--literal", "x = 1"]);
    assert_eq!(found["total"], 1);
    assert_eq!(found["unscanned"][0]["files"], 1);
}

/// Words are listed when an index is built; what came later must be found like the rest.
#[test]
fn an_updated_index_finds_what_a_fresh_one_finds() {
    let questions = [
        "user",
        "store a user",
        "doubling pause",
        "zebra crossing",
        "repo*",
        "getUserById",
        "zebra",
    ];
    let project = shop();
    project.write("src/zebra.ts", "/** Where a zebra crosses the street. */\nexport function zebraCrossing(userId: string) { return 1; }\n");
    project.write("src/user_service.ts", "export const other = 1;\n");
    project.remove("src/retry.ts");
    project.index();
    let updated: Vec<Value> =
        questions.iter().map(|question| search(&project, &[question])["hits"].clone()).collect();
    let outcome = project.groma(&["index", "--full"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    for (question, updated) in questions.iter().zip(updated) {
        assert_eq!(search(&project, &[question])["hits"], updated, "{question}");
    }
}

#[test]
fn odd_questions_are_answered_or_refused_clearly() {
    let project = shop();
    for odd in ["\u{1b}[31m", "ключ", "日本語", "%_%", "'; DROP TABLE symbol; --", "....", "::"]
    {
        let outcome = project.groma(&["search", "--json", "--", odd]);
        assert!(matches!(outcome.status, Some(0 | 2)), "{odd:?}: {outcome:?}");
    }
    let long = "word ".repeat(20_000);
    let outcome = project.groma(&["search", &long]);
    assert_eq!(outcome.status, Some(2), "{outcome:?}");
    let many: String = (0..3000).map(|number| format!("w{number} ")).collect();
    assert_eq!(project.groma(&["search", &many]).status, Some(0));
}

#[test]
fn linked_projects_are_searched_too() {
    let (project, other) =
        (shop(), Project::with(&[("lib.py", "class UserRepository:\n    pass\n")]));
    let path = other.root();
    let path = path.to_str().expect("a path");
    assert_eq!(project.groma(&["index", path, "-q"]).status, Some(0));
    let linked = project.groma(&["link", path]);
    assert_eq!(linked.status, Some(0), "{linked:?}");
    let found = search(&project, &["UserRepository"]);
    let of = |number: usize| (&found["hits"][number]["path"], &found["hits"][number]["how"]);
    assert_eq!(
        (of(0), of(1)),
        ((&"src/users.ts".into(), &"exact".into()), (&"lib.py".into(), &"exact".into()))
    );
    assert!(found["hits"][1]["project"].is_string(), "{found}");
    let own = search(&project, &["UserRepository", "--no-links"]);
    assert!(own["hits"].as_array().expect("a list").iter().all(|hit| hit["path"] != "lib.py"));
    std::fs::remove_dir_all(other.root().join(".groma")).expect("it was there");
    let broken = search(&project, &["UserRepository"]);
    assert_eq!(broken["skipped_projects"].as_array().map(Vec::len), Some(1), "{broken}");
    let compact = project.groma(&["search", "UserRepository", "--compact"]).json();
    assert_eq!(compact["skipped_projects"].as_array().map(Vec::len), Some(1), "{compact}");
    let text = project.groma(&["search", "UserRepository"]).stdout;
    assert!(text.contains("\nnot looked through: "), "{text}");
}

#[test]
fn the_first_results_can_come_with_their_code() {
    let project = shop();
    let found = search(&project, &["getUserById", "--bodies", "1"]);
    assert!(
        found["hits"][0]["source"].as_str().is_some_and(|code| code.contains("store.get(id)")),
        "{found}"
    );
    assert!(found["hits"][1]["source"].is_null());
}

/// Questions that somebody who works on this program asks, and where the answer must stand.
#[test]
fn questions_about_this_program_find_their_answers() {
    let project = Project::new();
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    crate::project::shell(&format!("cp -r {crates} \"$1\"/crates"), &project.root());
    project.index();
    for (question, wanted, within) in [
        ("Linker", "crates/resolve/src/linker.rs", 1),
        ("Writer::link", "crates/store/src/writer.rs", 1),
        ("distance_within", "crates/ops/src/symbol_query.rs", 1),
        ("how are worker processes kept from running away", "crates/index/src/worker.rs", 5),
        ("publish a rebuilt index atomically", "crates/store/src/publish.rs", 3),
        ("count tokens of the o200k vocabulary", "crates/tokens/src/lib.rs", 3),
        ("overloads by types of arguments", "crates/resolve/src/overloads.rs", 3),
        ("split identifiers into words and stem them", "crates/words/src/lib.rs", 3),
        ("which symbols do people mean", "crates/ops/src/symbol_query.rs", 3),
        ("watch directories for changes", "crates/index/src/watch.rs", 3),
    ] {
        let found = search(&project, &[question]);
        let paths: Vec<&str> = found["hits"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|hit| hit["path"].as_str())
            .collect();
        let place = paths.iter().position(|path| path.ends_with(wanted));
        assert!(place.is_some_and(|place| place < within), "{question}: {paths:?}");
    }
}
