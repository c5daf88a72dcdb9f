//! The tests that a change needs.

use serde_json::Value;

use crate::project::Project;
use crate::query::git;

fn affected(project: &Project, arguments: &[&str]) -> Value {
    let mut all = vec!["affected", "--json"];
    all.extend(arguments);
    let outcome = project.groma(&all);
    assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
    outcome.json()
}

fn tests(answer: &Value) -> Vec<&str> {
    let tests = answer["tests"].as_array().expect("a list");
    tests.iter().filter_map(|test| test["path"].as_str()).collect()
}

fn shop() -> Project {
    let project = Project::with(&[
        ("shop/__init__.py", ""),
        ("shop/prices.py", "def price():\n    return 1\n"),
        ("shop/cart.py", "from shop.prices import price\n\ndef total():\n    return price()\n"),
        ("shop/mail.py", "def send():\n    return open('templates/receipt.html').read()\n"),
        ("shop/templates/receipt.html", "<p>Thanks</p>\n"),
        ("tests/conftest.py", "def cart():\n    return 1\n"),
        (
            "tests/test_cart.py",
            "from shop.cart import total\n\ndef test_total():\n    assert total() == 1\n",
        ),
        (
            "tests/test_mail.py",
            "from shop.mail import send\n\ndef test_send():\n    assert send()\n",
        ),
        ("tests/test_other.py", "def test_other():\n    assert True\n"),
    ]);
    project.index();
    project
}

#[test]
fn tests_that_reach_a_change_are_listed_with_the_reason() {
    let project = shop();
    let found = affected(&project, &["shop/prices.py"]);
    assert_eq!(tests(&found), ["tests/test_cart.py"]);
    let test = &found["tests"][0];
    assert_eq!(
        test["chain"],
        serde_json::json!(["tests/test_cart.py", "shop/cart.py", "shop/prices.py"])
    );
    assert_eq!((&test["safety"], &found["all_tests"]), (&"safe".into(), &3.into()));
    assert_eq!(found["commands"][0]["command"], "python -m pytest tests/test_cart.py");
}

#[test]
fn files_that_texts_name_and_files_that_tests_load_count_too() {
    let project = shop();
    let template = affected(&project, &["shop/templates/receipt.html"]);
    assert_eq!(
        (tests(&template), &template["tests"][0]["safety"]),
        (vec!["tests/test_mail.py"], &"heuristic".into())
    );
    let shared = affected(&project, &["tests/conftest.py"]);
    // What tests load is none itself.
    assert_eq!(shared["tests"].as_array().map(Vec::len), Some(3));
    let own = affected(&project, &["tests/test_other.py"]);
    assert_eq!(tests(&own), ["tests/test_other.py"]);
}

#[test]
fn ts_24_changed_files_can_come_from_standard_input() {
    let project = shop();
    let mut command = project.command(&["affected", "--stdin", "--paths"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    use std::io::Write;
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(b"shop/prices.py\nshop/gone.py\n")
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "tests/test_cart.py\n");
    assert_eq!(
        affected(&project, &["shop/gone.py"])["unknown"],
        serde_json::json!(["shop/gone.py"])
    );
    assert_eq!(project.groma(&["affected"]).status, Some(2));
}

#[test]
fn changed_files_can_come_from_history() {
    let project = shop();
    let git = |arguments: &[&str]| crate::query::git(&project, arguments);
    project.write(".gitignore", ".groma\n");
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "first"]);
    assert_eq!(tests(&affected(&project, &[])), Vec::<&str>::new());
    project.write("shop/prices.py", "def price():\n    return 2\n");
    assert_eq!(tests(&affected(&project, &[])), ["tests/test_cart.py"]);
    assert_eq!(tests(&affected(&project, &["--staged"])), Vec::<&str>::new());
    git(&["commit", "-q", "-a", "-m", "second"]);
    assert_eq!(tests(&affected(&project, &["HEAD~1..HEAD"])), ["tests/test_cart.py"]);
    assert_eq!(tests(&affected(&project, &["HEAD~1", "shop/mail.py"])), Vec::<&str>::new());
}

#[test]
fn tests_run_programs_and_load_helpers() {
    let project = Project::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"tool\"\n\n[[bin]]\nname = \"tool\"\npath = \"core/main.rs\"\n",
        ),
        ("core/main.rs", "mod walk;\n\nfn main() {\n    walk::walk();\n}\n"),
        ("core/walk.rs", "pub fn walk() {}\n"),
        ("tests/run.rs", "mod util;\n\n#[test]\nfn runs() {\n    util::start();\n}\n"),
        ("tests/util.rs", "pub fn start() {}\n"),
    ]);
    project.index();
    for changed in ["core/walk.rs", "tests/run.rs"] {
        let found = affected(&project, &[changed]);
        assert_eq!(tests(&found), ["tests/run.rs", "tests/util.rs"], "{changed}");
    }
}

#[test]
fn runners_are_those_of_the_project() {
    let project = Project::with(&[
        ("web/package.json", "{\"devDependencies\": {\"vitest\": \"1\"}}"),
        ("web/src/a.ts", "export function a() { return 1; }\n"),
        ("web/src/a.test.ts", "import { a } from './a';\ntest('a', () => { a(); });\n"),
        ("core/Cargo.toml", "[package]\nname = \"core-lib\"\nversion = \"0.1.0\"\n"),
        ("core/src/lib.rs", "pub fn b() {}\n#[test]\nfn b_works() { b(); }\n"),
    ]);
    project.index();
    let found = affected(&project, &["web/src/a.ts", "core/src/lib.rs"]);
    let commands: Vec<(&str, &str)> = found["commands"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|run| Some((run["directory"].as_str()?, run["command"].as_str()?)))
        .collect();
    assert_eq!(
        commands,
        [("core", "cargo test -p core-lib"), ("web", "npx vitest run src/a.test.ts")]
    );
}

#[test]
fn a_file_that_is_gone_and_was_never_indexed_can_be_named_with_a_range() {
    let project = shop();
    project.write(".gitignore", ".groma\nbuild\n");
    project.write("build/pack.py", "import os\n");
    git(&project, &["init", "-q"]);
    git(&project, &["add", "-A", "-f", "shop", "tests", "build", ".gitignore"]);
    git(&project, &["commit", "-q", "-m", "first"]);
    project.remove("build/pack.py");
    project.write("shop/prices.py", "def price():\n    return 2\n");
    git(&project, &["add", "-u"]);
    git(&project, &["commit", "-q", "-m", "second"]);
    let found = affected(&project, &["HEAD~1..HEAD", "build/pack.py", "shop/prices.py"]);
    assert_eq!(tests(&found), ["tests/test_cart.py"]);
    let outcome = project.groma(&["affected", "HEAD~1..HEAD", "build/other.py"]);
    assert_eq!(outcome.status, Some(1), "{outcome:?}");
}

/// A package whose front loads all of it, so that every test reaches every file.
fn hub() -> Project {
    let mut files = vec![
        ("hub/core.py".to_owned(), String::new()),
        ("hub/__init__.py".to_owned(), String::new()),
    ];
    for number in 0..40 {
        let name = format!("part_{number}");
        files[0].1.push_str(&format!("from hub.{name} import make_{number}\n"));
        files[1].1.push_str(&format!("from hub.{name} import make_{number} as make_{number}\n"));
        files.push((
            format!("hub/{name}.py"),
            format!("import hub.core\n\ndef make_{number}():\n    return {number}\n"),
        ));
        files.push((
            format!("tests/test_case_{number}.py"),
            format!(
                "import hub\n\ndef test_{number}():\n    assert hub.make_{number}() == {number}\n"
            ),
        ));
    }
    files.push(("tests/data/case.py".to_owned(), "def test_nothing():\n    pass\n".to_owned()));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let project = Project::with(&files);
    project.index();
    project
}

#[test]
fn of_tests_that_all_reach_a_change_those_come_first_that_have_most_to_do_with_it() {
    let project = hub();
    let found = affected(&project, &["hub/part_7.py", "--likely"]);
    assert_eq!(tests(&found)[0], "tests/test_case_7.py");
    // Data among tests is no test.
    assert_eq!(found["all_tests"], 40);
    let (selected, left_out) = (tests(&found).len() as u64, found["left_out"].as_u64());
    assert!(selected <= 12, "{selected}");
    // Nothing is left out unless that is asked for.
    let all = affected(&project, &["hub/part_7.py"]);
    assert_eq!((tests(&all).len(), &all["left_out"]), (40, &0.into()));
    assert_eq!(tests(&all)[0], "tests/test_case_7.py");
    assert_eq!(left_out, Some(40 - selected));
    let text = project.groma(&["affected", "hub/part_7.py", "--likely"]).stdout;
    assert!(text.contains("more reach the change and seem to have less to do with it"), "{text}");
    // Changes of many files concern too much to leave anything out.
    let many = ["hub/part_1.py", "hub/part_2.py", "hub/part_3.py", "hub/part_4.py", "--likely"];
    assert_eq!(tests(&affected(&project, &many)).len(), 40);
}

#[test]
fn what_changed_in_a_file_decides_which_of_its_users_are_selected() {
    let mut core = String::new();
    for number in 0..40 {
        core.push_str(&format!("def step_{number}():\n    return {number}\n\n"));
    }
    let mut files = vec![
        ("hub/core.py".to_owned(), core.clone()),
        (".gitignore".to_owned(), ".groma\n".to_owned()),
    ];
    for number in 0..40 {
        let test = format!(
            "from hub import core\n\ndef test_it():\n    assert core.step_{number}() == {number}\n"
        );
        files.push((format!("tests/test_{number}.py"), test));
    }
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let project = Project::with(&files);
    project.index();
    git(&project, &["init", "-q"]);
    git(&project, &["add", "-A"]);
    git(&project, &["commit", "-q", "-m", "first"]);
    project.write("hub/core.py", core.replace("return 23\n", "return 20 + 3\n"));
    let found = affected(&project, &["--likely"]);
    assert_eq!(tests(&found)[0], "tests/test_23.py");
    assert!(tests(&found).len() <= 12, "{found}");
}

#[test]
fn modules_that_settings_name_and_tests_that_are_called_after_a_file_are_found() {
    let project = Project::with(&[
        ("shop/__init__.py", ""),
        ("shop/settings.py", "SENDER = 'shop.backends.letter.Sender'\n"),
        ("shop/backends/__init__.py", ""),
        ("shop/backends/letter.py", "class Sender:\n    pass\n"),
        ("shop/commands/stock.py", "class Command:\n    pass\n"),
        (
            "tests/test_settings.py",
            "from shop import settings\n\ndef test_it():\n    assert settings.SENDER\n",
        ),
        (
            "tests/test_command_stock.py",
            "import subprocess\n\ndef test_it():\n    subprocess.run(['x'])\n",
        ),
    ]);
    project.index();
    for (changed, test) in [
        ("shop/backends/letter.py", "tests/test_settings.py"),
        ("shop/commands/stock.py", "tests/test_command_stock.py"),
    ] {
        let found = affected(&project, &[changed]);
        assert_eq!(
            (tests(&found), &found["tests"][0]["safety"]),
            (vec![test], &"heuristic".into())
        );
        let chain = found["tests"][0]["chain"].as_array().expect("a list");
        assert_eq!(chain.last().and_then(Value::as_str), Some(changed));
    }
}

#[test]
fn a_name_that_many_files_have_is_told_apart_by_its_directory() {
    let mut files = vec![
        (
            "tests/test_tools.py".to_owned(),
            "def test_all():\n    check('strings.json')\n".to_owned(),
        ),
        (
            "tests/test_lamp.py".to_owned(),
            "def test_lamp():\n    load('lamp/strings.json')\n".to_owned(),
        ),
    ];
    for part in ["lamp", "door", "sound", "clock"] {
        files.push((format!("home/{part}/strings.json"), "{\"title\": 1}\n".to_owned()));
        files.push((format!("home/{part}/one.py"), "def one():\n    return 1\n".to_owned()));
    }
    files.push(("home/once.json".to_owned(), "{}\n".to_owned()));
    files.push((
        "tests/test_once.py".to_owned(),
        "def test_once():\n    load('once.json')\n".to_owned(),
    ));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let project = Project::with(&files);
    project.index();
    let lamp = affected(&project, &["home/lamp/strings.json"]);
    assert_eq!(tests(&lamp), ["tests/test_lamp.py"]);
    let door = affected(&project, &["home/door/strings.json"]);
    assert!(tests(&door).is_empty(), "{door}");
    assert_eq!(tests(&affected(&project, &["home/once.json"])), ["tests/test_once.py"]);
}

#[test]
fn tests_are_built_with_the_library_of_their_own_package() {
    let project = Project::with(&[
        ("Cargo.toml", "[package]\nname = \"tool\"\n"),
        (
            "src/lib.rs",
            "macro_rules! make { ($name:ident) => { pub fn $name() {} } }\nmake!(start);\n",
        ),
        ("src/main.rs", "fn main() {\n    tool::start();\n}\n"),
        ("tests/run.rs", "#[test]\nfn runs() {\n    tool::start();\n}\n"),
        ("tests/data/other/Cargo.toml", "[package]\nname = \"other\"\n"),
        ("tests/data/other/src/lib.rs", "#[test]\nfn other() {}\n"),
    ]);
    project.index();
    for changed in ["src/lib.rs", "src/main.rs"] {
        assert_eq!(tests(&affected(&project, &[changed])), ["tests/run.rs"], "{changed}");
    }
}

#[test]
fn a_test_is_called_after_the_nearest_file_of_its_name() {
    let project = Project::with(&[
        ("door/behaviour.py", "def open():\n    pass\n"),
        ("door/tests/test_behaviour.py", "def test_open():\n    pass\n"),
        ("lamp/behaviour.py", "def light():\n    pass\n"),
        ("sound/behaviour.rs", "pub fn ring() {}\n\n#[test]\nfn rings() {\n    ring();\n}\n"),
        ("clock/behaviour.rs", "pub fn tick() {}\n"),
    ]);
    project.index();
    assert_eq!(
        tests(&affected(&project, &["door/behaviour.py"])),
        ["door/tests/test_behaviour.py"]
    );
    for alone in ["lamp/behaviour.py", "clock/behaviour.rs"] {
        assert!(tests(&affected(&project, &[alone])).is_empty(), "{alone}");
    }
}

#[test]
fn words_that_are_said_of_anything_name_no_file() {
    let project = Project::with(&[
        ("Cargo.toml", "[package]\nname = \"tool\"\n"),
        ("Cargo.lock", "version = 4\n"),
        ("src/lib.rs", "mod commands;\nmod help;\n"),
        ("src/commands/mod.rs", "mod watch;\n"),
        ("src/commands/watch.rs", "pub fn watch() {}\n"),
        (
            "src/help.rs",
            "pub fn help() -> &'static str {\n    \"cargo has commands that watch\"\n}\n\n\
             #[test]\nfn helps() {\n    help();\n}\n",
        ),
        (
            "src/sources.rs",
            "#[test]\nfn reads() {\n    open(\"src/commands/watch.rs\");\n    open(\"Cargo.lock\");\n}\n",
        ),
    ]);
    project.index();
    for changed in ["src/commands/watch.rs", "Cargo.lock"] {
        assert_eq!(tests(&affected(&project, &[changed])), ["src/sources.rs"], "{changed}");
    }
}

#[test]
fn a_manifest_concerns_its_package_unless_it_says_no_more_than_another_version() {
    let manifest = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\n\n[dependencies]\n{more}")
    };
    let project = Project::with(&[
        ("door/Cargo.toml", manifest("door", "").as_str()),
        ("door/src/lib.rs", "mod lock;\n\npub fn open() {}\n"),
        ("door/src/lock.rs", "#[test]\nfn locks() {}\n"),
        ("house/Cargo.toml", manifest("house", "door = { path = \"../door\" }\n").as_str()),
        ("house/src/lib.rs", "pub fn enter() {\n    door::open();\n}\n"),
        ("house/tests/enter.rs", "#[test]\nfn enters() {\n    house::enter();\n}\n"),
        ("lamp/Cargo.toml", manifest("lamp", "").as_str()),
        ("lamp/src/lib.rs", "#[test]\nfn lights() {}\n"),
    ]);
    let git = |arguments: &[&str]| git(&project, arguments);
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "first"]);
    project.index();
    project.write("door/Cargo.toml", manifest("door", "").replace("1.0.0", "1.1.0"));
    assert!(tests(&affected(&project, &[])).is_empty());
    project.write("door/Cargo.toml", manifest("door", "hinge = \"2\"\n"));
    let mut found: Vec<String> =
        tests(&affected(&project, &[])).into_iter().map(str::to_owned).collect();
    found.sort();
    assert_eq!(found, ["door/src/lock.rs", "house/tests/enter.rs"]);
}
