//! What a repository may do to the program. A file that cannot be understood costs that file alone:
//! the run succeeds, says why, and every other file has the rows it would have without it.

mod bytes;
mod faults;
mod filesystem;
mod repository;
mod sizes;

use crate::project::{Project, assert_neighbours_unharmed, index_among_neighbours, long_tests};

/// File ending, and what stands around the nested piece.
const LANGUAGES: &[(&str, &str, &str)] = &[
    ("rs", "fn a() {\n", "\n}\n"),
    ("py", "x = (\n", "\n"),
    ("go", "package a\nfunc a() {\n", "\n}\n"),
    ("java", "class A { void a() {\n", "\n} }\n"),
    ("cs", "class A { void a() {\n", "\n} }\n"),
    ("php", "<?php\n", "\n"),
    ("rb", "", "\n"),
    ("swift", "func a() {\n", "\n}\n"),
    ("kt", "fun a() {\n", "\n}\n"),
    ("scala", "object A { def a = {\n", "\n} }\n"),
    ("c", "void a() {\n", "\n}\n"),
    ("cpp", "void a() {\n", "\n}\n"),
    ("sh", "", "\n"),
    ("js", "", "\n"),
    ("ts", "", "\n"),
    ("tsx", "", "\n"),
    ("css", "", "\n"),
    ("md", "", "\n"),
];

/// Pieces that nest when they are repeated, in one language or another.
const NESTING: &[(&str, &str)] = &[
    ("paren", "("),
    ("square", "["),
    ("curly", "{"),
    ("angle", "A<"),
    ("comment", "/* "),
    ("template", "`${"),
    ("interpolation", "\"#{"),
    ("not", "!"),
    ("minus", "- "),
    ("if", "if (a) "),
    ("arrow", "x => "),
    ("element", "<a>"),
    ("quotation", "> "),
];

/// The piece so many times, with line breaks: without them a file is skipped as written by a program.
fn nested(before: &str, piece: &str, times: usize, after: &str) -> String {
    let line = piece.repeat(50) + "\n";
    format!("{before}{}{after}", line.repeat(times / 50))
}

#[test]
fn nesting_of_every_kind_in_every_language_never_ends_the_program() {
    let mut project = Project::new();
    project.set("GROMA_FILE_TIMEOUT", "3000");
    let times = if long_tests() { 100_000 } else { 1500 };
    for (ending, before, after) in LANGUAGES {
        for (name, piece) in NESTING {
            project.write(&format!("{name}.{ending}"), nested(before, piece, times, after));
        }
    }
    index_among_neighbours(&project);
    // Each of them has a row, and one of the known fates.
    let fates = project.lines("SELECT DISTINCT coalesce(reason, status) FROM files");
    for fate in &fates {
        let known = ["indexed", "nesting", "timeout", "memory", "crashed", "size"];
        assert!(known.contains(&fate.as_str()), "{fates:?}");
    }
    let rows = project.lines("SELECT count(*) FROM files WHERE path NOT LIKE 'near/%'");
    assert_eq!(rows, [(LANGUAGES.len() * NESTING.len()).to_string()]);
}

#[test]
fn brackets_nested_too_deep_leave_the_words_of_the_file() {
    let project = Project::new();
    let mut expected = Vec::new();
    for (ending, before, after) in LANGUAGES {
        let text = format!("{before}canaryword\n{}{after}", nested("", "(", 1200, ""));
        project.write(&format!("deep.{ending}"), text);
        expected.push(format!("deep.{ending} partial nesting"));
    }
    expected.sort();
    index_among_neighbours(&project);
    assert_eq!(project.not_indexed(), expected);
    let files =
        project.lines("SELECT count(DISTINCT file_id) FROM terms WHERE term = 'canaryword'");
    assert_eq!(files, [expected.len().to_string()]);
    assert!(project.groma(&["status"]).stdout.contains("nesting"));
}

#[test]
fn nested_scripts_never_end_the_program() {
    let project = Project::new();
    for (name, before, piece, after) in [
        ("for", "", "for(;;)", ";"),
        ("arrow", "let f = ", "a=>", "a;"),
        ("new", "", "new ", "a;"),
        ("await", "async function f() { ", "await ", "a }"),
        ("member", "a", ".b", ";"),
        ("call", "a", "?.b()", ";"),
        ("plus", "", "a+", "a;"),
        ("comma", "", "a,", "a;"),
        ("else", "", "if (a) b; else ", "c;"),
        ("label", "", "a: ", ";"),
        ("element", "let x = ", "<a>", ";"),
        ("generic", "let x: ", "A<", "B;"),
        ("array", "let x: A", "[]", ";"),
        ("union", "type A = ", "B | ", "C;"),
        ("conditional", "type A = ", "B extends C ? D : ", "E;"),
        ("class", "", "class A extends ", "B {}"),
    ] {
        for ending in ["js", "jsx", "ts", "tsx"] {
            project.write(&format!("{name}.{ending}"), nested(before, piece, 5000, after));
        }
    }
    index_among_neighbours(&project);
    for fate in project.not_indexed() {
        let known = ["nesting", "timeout", "memory", "crashed"];
        assert!(known.iter().any(|reason| fate.ends_with(reason)), "{fate}");
    }
}

#[test]
fn nested_style_sheets_are_done_in_time() {
    let project = Project::new();
    for (name, piece, times) in [
        ("is", ":is(", 2000),
        ("rules", "a{", 3500),
        ("media", "@media{", 2500),
        ("calc", "calc(", 2000),
    ] {
        project.write(&format!("{name}.css"), nested("b", piece, times, ""));
    }
    // Each of these was exponential in one parser.
    project.write("colours.css", format!("a{{color:{}", "hwb(from ".repeat(192)));
    project.write("properties.css", format!("a{{--x:{}", "var(--y,".repeat(192)));
    let report = index_among_neighbours(&project);
    assert!(report["milliseconds"].as_u64().expect("a number") < 30_000);
    for fate in project.not_indexed() {
        assert!(fate.ends_with("nesting") || fate.ends_with("timeout"), "{fate}");
    }
}

#[test]
fn a_hostile_repository_answers_every_command() {
    let project = Project::new();
    project.write("deep.rs", nested("fn a() ", "{", 5000, ""));
    project.write("unclosed.rs", "/* /* /* fn a() {}\n");
    project.write("string.py", "x = \"\"\"never closed\n");
    index_among_neighbours(&project);
    for command in [
        &["status"][..],
        &["outline", "deep.rs"],
        &["outline", "unclosed.rs", "--json"],
        &["show", "add", "--source"],
        &["query", "SELECT * FROM problems"],
    ] {
        let outcome = project.groma(command);
        assert_eq!(outcome.status, Some(0), "{command:?}: {outcome:?}");
    }
    project.index();
    assert_neighbours_unharmed(&project);
}
