//! What changed between two states of a project, in symbols.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::project::Project;
use crate::query::git;

fn changes(project: &Project, arguments: &[&str]) -> Value {
    let outcome = project.groma(&[&["changes", "--json"], arguments].concat());
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
    outcome.json()
}

/// `change name what`, with the name it had.
fn symbols(answer: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let symbol = |symbol: &Value| {
        let what: Vec<String> = symbol["what"].as_array().into_iter().flatten().map(text).collect();
        let mut line = format!("{} {}", text(&symbol["change"]), text(&symbol["key"]));
        if symbol["was"].is_string() {
            line += &format!(" was {}", text(&symbol["was"]));
        }
        if !what.is_empty() {
            line += &format!(" {}", what.join("+"));
        }
        if symbol["breaking"] == true {
            line += " !";
        }
        line
    };
    answer["symbols"].as_array().expect("a list").iter().map(symbol).collect()
}

fn commit(project: &Project, message: &str) {
    git(project, &["add", "-A"]);
    git(project, &["commit", "-q", "-m", message]);
}

fn shop() -> Project {
    let project = Project::with(&[
        (".gitignore", ".groma\n"),
        ("CODEOWNERS", "* @all\n/shop/ @shop\n"),
        ("shop/__init__.py", ""),
        (
            "shop/prices.py",
            "def price(item):\n    return item.cost * 2\n\n\ndef old_tax(item):\n    rate = item.rate / 100\n    return item.cost * rate\n",
        ),
        (
            "shop/cart.py",
            "from shop.prices import price\n\n\ndef total(items):\n    return sum(price(item) for item in items)\n",
        ),
        (
            "tests/test_cart.py",
            "from shop.cart import total\n\n\ndef test_total():\n    assert total([]) == 0\n",
        ),
        ("tests/test_other.py", "def test_other():\n    assert True\n"),
    ]);
    git(&project, &["init", "-q"]);
    commit(&project, "first");
    project.index();
    project
}

#[test]
fn a_changed_working_tree_is_told_in_symbols_with_what_it_reaches() {
    let project = shop();
    assert_eq!(changes(&project, &[])["summary"]["files"], 0);
    project.write(
        "shop/prices.py",
        "# Lines move, which is no change.\n\ndef tax(item):\n    rate = item.rate / 100\n    return item.cost * rate\n\n\ndef price(item, factor=2):\n    return item.cost * factor\n",
    );
    project.write("shop/new.py", "def fresh():\n    return 1\n");
    let found = changes(&project, &[]);
    assert_eq!(
        symbols(&found),
        [
            "added shop/new.py#fresh",
            "renamed shop/prices.py#tax was shop/prices.py#old_tax !",
            "modified shop/prices.py#price signature+body !",
        ]
    );
    let price = &found["symbols"][2];
    assert_eq!(price["old_signature"], "def price(item)");
    assert_eq!(found["impacted"][0]["name"], "total");
    assert_eq!(found["impacted"][0]["of"], "price");
    let tests: Vec<&Value> = found["tests"].as_array().unwrap().iter().collect();
    assert_eq!((tests.len(), &tests[0]["path"]), (1, &"tests/test_cart.py".into()));
    assert_eq!(found["owners"], serde_json::json!({"@shop": 2}));
    let text = project.groma(&["changes", "shop/prices.py"]).stdout;
    assert!(text.contains("tax") && !text.contains("fresh"), "{text}");
}

#[test]
fn what_is_staged_what_is_on_disk_and_what_is_committed_are_told_apart() {
    let project = shop();
    project.write("shop/cart.py", "def total(items):\n    return len(items)\n");
    git(&project, &["add", "-A"]);
    project
        .write("shop/cart.py", "def total(items):\n    return 0\n\n\ndef more():\n    return 1\n");
    let staged = ["modified shop/cart.py#total body"];
    assert_eq!(symbols(&changes(&project, &["--staged"])), staged);
    let on_disk = ["modified shop/cart.py#total body", "added shop/cart.py#more"];
    assert_eq!(symbols(&changes(&project, &[])), on_disk);
    git(&project, &["commit", "-q", "-m", "second"]);
    assert_eq!(symbols(&changes(&project, &["HEAD~1..HEAD"])), staged);
    assert_eq!(symbols(&changes(&project, &["HEAD~1..."])), staged);
    assert_eq!(symbols(&changes(&project, &["HEAD~1"])), on_disk);
    let part = changes(&project, &["HEAD~1", "tests"]);
    assert_eq!(symbols(&part), Vec::<String>::new());
}

#[test]
fn files_and_symbols_that_moved_are_known_by_what_they_say() {
    let project = shop();
    project.remove("shop/prices.py");
    project.write("shop/money.py", "def price(item):\n    return item.cost * 2\n");
    project.write(
        "shop/taxes.py",
        "def old_tax(item):\n    rate = item.rate / 100\n    return item.cost * rate\n",
    );
    let found = changes(&project, &[]);
    let files: Vec<String> = found["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| format!("{} {} {}", file["change"], file["path"], file["was"]))
        .collect();
    assert_eq!(
        files,
        ["\"added\" \"shop/money.py\" null", "\"renamed\" \"shop/taxes.py\" \"shop/prices.py\"",]
    );
    // Those of a file that was renamed went with it.
    assert_eq!(symbols(&found), ["moved shop/money.py#price was shop/prices.py#price !"]);
}

#[test]
fn what_is_neither_a_file_nor_a_commit_is_said() {
    let project = shop();
    for (arguments, status, code) in [
        (&["nowhere"][..], 1, "not_found"),
        (&["HEAD..", "HEAD"], 2, "usage"),
        (&["--staged", "HEAD"], 2, "usage"),
        (&["HEAD~7..HEAD"], 2, "bad_ref"),
        (&["--", "-x..HEAD"], 2, "bad_ref"),
    ] {
        let outcome = project.groma(&[&["changes", "--json"], arguments].concat());
        assert_eq!(outcome.json()["error"]["code"], code, "{outcome:?}");
        assert_eq!(outcome.status, Some(status), "{arguments:?}: {outcome:?}");
    }
    let without = Project::with(&[("a.py", "def a(): pass\n")]);
    without.index();
    let outcome = without.groma(&["changes", "--json"]);
    assert_eq!(
        (outcome.status, outcome.json()["error"]["code"].as_str()),
        (Some(2), Some("no_git"))
    );
}

#[test]
fn reliability_33_a_content_that_is_missing_is_an_error_and_nothing_is_fetched() {
    let project = shop();
    project.write("shop/cart.py", "def total(items):\n    return 0\n");
    git(&project, &["commit", "-q", "-a", "-m", "second"]);
    let blob = git(&project, &["rev-parse", "HEAD~1:shop/cart.py"]);
    let (directory, name) = blob.trim().split_at(2);
    project.remove(&format!(".git/objects/{directory}/{name}"));
    for (key, value) in [
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "ext::sh -c 'touch fetched'"),
        ("protocol.ext.allow", "always"),
    ] {
        git(&project, &["config", key, value]);
    }
    let outcome = project.groma(&["changes", "--json", "HEAD~1..HEAD"]);
    assert_eq!(outcome.json()["error"]["code"], "git_object_missing", "{outcome:?}");
    assert_eq!(outcome.status, Some(3), "{outcome:?}");
    assert!(!project.path("fetched").exists());
    // What needs no old content is answered.
    let since = ["query", "--changed-since", "HEAD~1", "SELECT path FROM files", "--json"];
    assert_eq!(project.groma(&since).json()[0]["path"], "shop/cart.py");
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let project = Project::with(&[("a.py", "def a():\n    pass\n"), (".gitignore", ".groma\n")]);
    git(&project, &["init", "-q"]);
    project.index();
    assert_eq!(symbols(&changes(&project, &[])), ["added a.py#a"]);
    git(&project, &["add", "-A"]);
    assert_eq!(symbols(&changes(&project, &["--staged"])), ["added a.py#a"]);
}

/// Functions of files: what each says.
type Model = BTreeMap<String, Vec<(String, String, String)>>;

/// Numbers that look random, the same for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn body(random: &mut Random) -> String {
    let lines = 1 + random.below(3);
    (0..lines).map(|_| format!("    step_{}({})\n", random.below(40), random.below(9))).collect()
}

/// One change of a project, such as people make.
fn edit(model: &mut Model, random: &mut Random, fresh: &mut usize) {
    *fresh += 1;
    let paths: Vec<String> = model.keys().cloned().collect();
    let path = paths[random.below(paths.len())].clone();
    let other = paths[random.below(paths.len())].clone();
    let new_body = body(random);
    let functions = model.get_mut(&path).expect("it is a key");
    let at = random.below(functions.len().max(1));
    match random.below(8) {
        0 | 1 => functions
            .insert(at.min(functions.len()), (format!("new_{fresh}"), "a".into(), new_body)),
        _ if functions.is_empty() => {}
        2 => drop(functions.remove(at)),
        3 => functions[at].2 = new_body,
        4 => functions[at].1 = format!("a, b_{}", random.below(3)),
        5 => functions[at].0 = format!("renamed_{fresh}"),
        6 => {
            let moved = functions.remove(at);
            let target = model.get_mut(&other).expect("it is a key");
            target.push(moved);
        }
        _ => {
            let file = model.remove(&path).expect("it is a key");
            model.insert(format!("lib/file_{fresh}.py"), file);
        }
    }
}

fn write(project: &Project, model: &Model, before: &Model, comment: usize) {
    for path in before.keys().filter(|path| !model.contains_key(*path)) {
        project.remove(path);
    }
    for (path, functions) in model {
        let mut text = format!("# {comment}\n\n");
        for (name, parameters, body) in functions {
            text += &format!("def {name}({parameters}):\n{body}\n\n");
        }
        project.write(path, text);
    }
}

/// What two models say became of the functions, by their keys.
fn expected(old: &Model, new: &Model) -> BTreeSet<String> {
    let keys = |model: &Model| -> BTreeMap<String, String> {
        let functions = model.iter().flat_map(|(path, functions)| {
            functions.iter().map(move |(name, parameters, body)| {
                (format!("{path}#{name}"), format!("({parameters}) {body}"))
            })
        });
        functions.collect()
    };
    let (old, new) = (keys(old), keys(new));
    let gone = old.keys().filter(|key| !new.contains_key(*key)).map(|key| format!("- {key}"));
    let other = new.iter().filter_map(|(key, text)| match old.get(key) {
        None => Some(format!("+ {key}")),
        Some(before) if before != text => Some(format!("~ {key}")),
        Some(_) => None,
    });
    gone.chain(other).collect()
}

/// The same from an answer, where renamed and moved symbols are gone and have come.
fn told(answer: &Value, old: &Model) -> BTreeSet<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut told = BTreeSet::new();
    for symbol in answer["symbols"].as_array().expect("a list") {
        let (key, was) = (text(&symbol["key"]), symbol["was"].as_str());
        match (symbol["change"].as_str(), was) {
            (Some("removed"), _) => drop(told.insert(format!("- {key}"))),
            (Some("modified"), None) => drop(told.insert(format!("~ {key}"))),
            _ => {
                told.insert(format!("+ {key}"));
                told.extend(was.map(|was| format!("- {was}")));
            }
        }
    }
    // Symbols of a file that was renamed went with it, but for those that are told.
    for file in answer["files"].as_array().expect("a list") {
        let Some(was) = file["was"].as_str() else { continue };
        for (name, ..) in &old[was] {
            if told.insert(format!("- {was}#{name}")) {
                told.insert(format!("+ {}#{name}", text(&file["path"])));
            }
        }
    }
    told
}

#[test]
fn generated_histories_are_told_as_they_were_made() {
    for seed in 0..if crate::project::long_tests() { 60 } else { 4 } {
        let mut random = Random(seed);
        let mut fresh = 0;
        let mut model: Model = BTreeMap::new();
        for number in 0..4 {
            let functions =
                (0..5).map(|at| (format!("f{number}_{at}"), "a".into(), body(&mut random)));
            model.insert(format!("src/file_{number}.py"), functions.collect());
        }
        let project = Project::with(&[(".gitignore", ".groma\n")]);
        git(&project, &["init", "-q"]);
        write(&project, &model, &BTreeMap::new(), 0);
        commit(&project, "first");
        project.index();
        for round in 1..6 {
            let before = model.clone();
            for _ in 0..=random.below(4) {
                edit(&mut model, &mut random, &mut fresh);
            }
            write(&project, &model, &before, round);
            let on_disk = changes(&project, &[]);
            let note = format!("seed {seed} round {round}: {on_disk}");
            assert_eq!(told(&on_disk, &before), expected(&before, &model), "{note}");
            git(&project, &["add", "-A"]);
            assert_eq!(changes(&project, &["--staged"])["symbols"], on_disk["symbols"], "{note}");
            git(&project, &["commit", "-q", "-m", "next"]);
            let committed = changes(&project, &["HEAD~1..HEAD"]);
            assert_eq!(committed["symbols"], on_disk["symbols"], "{note}");
            assert_eq!(changes(&project, &[])["summary"]["files"], 0, "{note}");
        }
    }
}
