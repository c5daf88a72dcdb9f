//! Outlines of many files, and the tree of a project.

use serde_json::json;

use crate::project::{Outcome, Project};

fn many() -> Project {
    let project = Project::with(&[
        ("src/main.rs", "//! The program.\n\nfn main() {}\n"),
        ("src/store/mod.rs", "pub struct Store {\n    pub size: usize,\n    secret: u32,\n}\n"),
        ("src/store/file.rs", "pub fn open() {}\npub fn close() {}\n"),
        ("java/com/shop/app/App.java", "class App { void run() {} }\n"),
        ("java/com/shop/app/Cart.java", "class Cart { private int total; }\n"),
        ("web/[id].ts", "export function page() {}\n"),
        ("empty.py", ""),
        ("image.png", "\0"),
    ]);
    project.index();
    project
}

fn files(outcome: &Outcome) -> Vec<String> {
    let json = outcome.json();
    let files = json["files"].as_array().unwrap_or_else(|| panic!("{json}"));
    files.iter().map(|file| file["file"].as_str().expect("a path").to_owned()).collect()
}

#[test]
fn cg_11_outlines_by_glob_directory_and_list() {
    let project = many();
    let outline = |words: &[&str]| files(&project.groma(&[&["outline", "--json"], words].concat()));
    assert_eq!(outline(&["src/**/*.rs"]), ["src/main.rs", "src/store/file.rs", "src/store/mod.rs"]);
    assert_eq!(outline(&["src/*.rs"]), ["src/main.rs"]);
    assert_eq!(outline(&["*.java"]), ["java/com/shop/app/App.java", "java/com/shop/app/Cart.java"]);
    assert_eq!(outline(&["src/store/"]), ["src/store/file.rs", "src/store/mod.rs"]);
    assert_eq!(outline(&["empty.py", "./src/main.rs"]), ["empty.py", "src/main.rs"]);
    // The same file twice is one.
    assert_eq!(outline(&["src/main.rs", "src/*"]), ["src/main.rs"]);
    // A pattern takes only what was read; a path takes what was asked for.
    assert_eq!(outline(&["*"]).len(), 7);
    assert_eq!(project.groma(&["outline", "image.png", "--json"]).json()["status"], "skipped");
    // A file that is called like a pattern.
    assert_eq!(project.groma(&["outline", "web/[id].ts", "--json"]).json()["file"], "web/[id].ts");
}

#[test]
fn outlines_are_limited_with_the_total_and_the_rest() {
    let project = many();
    let first = project.groma(&["outline", "src", "--limit", "2", "--json"]).json();
    assert_eq!(
        (&first["total"], &first["truncated"], &first["next"]),
        (&json!(3), &json!(true), &json!(2))
    );
    let rest = project.groma(&["outline", "src", "--offset", "2", "--json"]).json();
    assert_eq!(rest["files"][0]["file"], "src/store/mod.rs");
    assert!(rest.get("next").is_none() && rest.get("truncated").is_none(), "{rest}");
    let text = project.groma(&["outline", "src", "--limit", "1"]).stdout;
    assert!(text.ends_with("1 of 3 files; more with --offset 1\n"), "{text}");
    // What a budget cuts can be asked for, too.
    let mut seen = Vec::new();
    let mut offset = 0;
    loop {
        let outcome = project.groma(&[
            "outline",
            "**/*.*",
            "--json",
            "--max-tokens",
            "250",
            "--offset",
            &offset.to_string(),
        ]);
        seen.extend(files(&outcome));
        match outcome.json()["next"].as_u64() {
            Some(next) => offset = next,
            None => break,
        }
    }
    assert_eq!(seen.len(), 7, "{seen:?}");
}

#[test]
fn cg_09_private_fields_are_no_part_of_an_outline_unless_asked_for() {
    let project = many();
    for (arguments, has_secret) in [
        (&["outline", "src/store/mod.rs"][..], false),
        (&["outline", "src/store/mod.rs", "--private"], true),
    ] {
        for format in [&[][..], &["--json"], &["--compact"]] {
            let outcome = project.groma(&[arguments, format].concat());
            assert!(outcome.stdout.contains("size"), "{outcome:?}");
            assert_eq!(outcome.stdout.contains("secret"), has_secret, "{outcome:?}");
        }
    }
    let compact = project.groma(&["outline", "src/store/mod.rs", "--compact"]).json();
    assert_eq!(
        compact,
        json!({"f": "src/store/mod.rs", "symbols": ["1-4 pub struct Store", " 2 pub size:usize"]})
    );
}

#[test]
fn cg_20_the_tree_has_counts_and_honours_path_and_depth() {
    let project = many();
    let outcome = project.groma(&["tree"]);
    assert_eq!(
        outcome.stdout.lines().collect::<Vec<_>>(),
        [
            "java/com/shop/app/  2 files · 2 lines · 4 symbols",
            "  App.java          1 lines · 2 symbols",
            "  Cart.java         1 lines · 2 symbols",
            "src/                3 files · 9 lines · 6 symbols",
            "  store/            2 files · 6 lines · 5 symbols",
            "  main.rs           3 lines · 1 symbols",
            "web/                1 files · 1 lines · 1 symbols",
            "  [id].ts           1 lines · 1 symbols",
            "empty.py            0 lines",
            "image.png           skipped",
            "7 files · 12 lines · 11 symbols",
        ]
    );
    let names = |arguments: &[&str]| -> Vec<String> {
        let json = project.groma(&[&["tree", "--json"], arguments].concat()).json();
        let entries = json["entries"].as_array().expect("entries");
        entries.iter().map(|entry| entry["path"].as_str().expect("a path").to_owned()).collect()
    };
    assert_eq!(
        names(&["--depth", "1"]),
        ["java/com/shop/app/", "src/", "web/", "empty.py", "image.png"]
    );
    assert_eq!(
        names(&["src", "--depth", "9"]),
        ["src/store/", "src/store/file.rs", "src/store/mod.rs", "src/main.rs"]
    );
    assert_eq!(names(&["./src/", "--depth", "1"]), ["src/store/", "src/main.rs"]);
    assert_eq!(names(&["src/main.rs"]), ["src/main.rs"]);
    assert_eq!(
        names(&["--directories", "--depth", "3"]),
        ["java/com/shop/app/", "src/", "src/store/", "web/"]
    );
    assert_eq!(names(&["*.rs"]), ["src/", "src/store/", "src/main.rs"]);
    assert_eq!(names(&["--depth", "0"]), [""; 0]);
    let bare = project.groma(&["tree", "--no-counts", "--json"]).json();
    assert!(bare["entries"][0].get("files").is_none() && bare["counts"]["files"] == 7, "{bare}");
    let compact = project.groma(&["tree", "src", "--compact"]).json();
    assert_eq!(
        compact["entries"],
        json!(["store/ 2 6 5", " file.rs 2 2", " mod.rs 4 3", "main.rs 3 1"])
    );
    let page = project.groma(&["tree", "--limit", "2", "--offset", "1", "--json"]).json();
    assert_eq!(
        (page["entries"].as_array().map(Vec::len), &page["total"], &page["next"]),
        (Some(2), &json!(10), &json!(3))
    );
}

#[test]
fn files_that_are_not_there_and_broken_globs_are_told() {
    let project = many();
    let long = "x/".repeat(50_000);
    for command in ["outline", "tree"] {
        for word in
            ["nothing.rs", "*.zig", "src/nothing", "../outside", "/etc/passwd", "\u{7}", &long]
        {
            let outcome = project.groma(&[command, word, "--json"]);
            assert_eq!(outcome.status, Some(1), "{command} {outcome:?}");
            assert_eq!(outcome.error()["code"], "not_found");
        }
        for word in ["src/[", "{a,b", "a[z-a]"] {
            let outcome = project.groma(&[command, word, "--json"]);
            assert_eq!(outcome.status, Some(2), "{command} {word} {outcome:?}");
            assert!(
                outcome.error()["message"].as_str().is_some_and(|text| text.contains("is no glob"))
            );
        }
    }
}

#[test]
fn answers_about_the_whole_project_know_what_is_new() {
    let project = Project::with(&[("src/a.rs", "pub fn a() {}\n")]);
    project.index();
    let ask = |arguments: &[&str]| {
        let outcome = project.groma(arguments);
        assert_eq!(outcome.status, Some(0), "{arguments:?}: {outcome:?}");
        outcome.json()
    };
    let commands = [&["tree"][..], &["overview"], &["graph"], &["export", "definitions"]];
    for (number, command) in commands.into_iter().enumerate() {
        project.write(&format!("src/new{number}.rs"), "pub fn fresh() {}\n");
        let old = ask(&[command, &["--json", "--no-refresh"]].concat());
        assert_eq!(old["index"]["stale"], true, "{command:?}: {old}");
        let new = ask(&[command, &["--json"]].concat());
        assert_eq!(new["index"]["stale"], false, "{command:?}: {new}");
        assert_eq!(new["index"]["generation"], number + 2, "{command:?}: {new}");
    }
    assert!(ask(&["tree", "--json"]).to_string().contains("src/new3.rs"));
}
