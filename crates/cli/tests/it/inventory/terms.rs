//! Lines and the words on them.

use crate::project::Project;

#[test]
fn cg_02_lines_are_numbered_from_one_and_a_file_may_have_very_many() {
    let project = Project::with(&[("a.rs", "fn a() {}\n\n// end\n"), ("b.txt", "x")]);
    let long = 70_000;
    project.write("long.py", "x = 1\n".repeat(long - 1) + "last_word = 2\n");
    project.index();
    assert_eq!(
        project.lines(
            "SELECT f.path, min(line_number), max(line_number), count(*), count(DISTINCT l.id)
                       FROM lines AS l JOIN files AS f ON f.id = l.file_id GROUP BY 1 ORDER BY 1"
        ),
        [
            "a.rs 1 3 3 3".to_owned(),
            "b.txt 1 1 1 1".to_owned(),
            format!("long.py 1 {long} {long} {long}")
        ]
    );
    let languages = [
        ("c.ts", "let x = 1;\n\n"),
        ("d.css", "a { top: 0 }\n"),
        ("e.md", "# E\n\n"),
        ("f.sh", "\n"),
        ("g.go", ""),
    ];
    for (path, text) in languages {
        project.write(path, text);
    }
    project.index();
    let wrong = project.lines(
        "SELECT path, line_count FROM files AS f
         WHERE line_count <> (SELECT count(*) FROM lines WHERE file_id = f.id)",
    );
    assert_eq!(wrong, Vec::<String>::new());
    // More lines than two bytes count, and ids still tell files apart.
    assert_eq!(project.lines("SELECT count(*) - count(DISTINCT id) FROM lines"), ["0"]);
    assert_eq!(
        project.lines("SELECT line FROM terms WHERE term = 'last_word'"),
        [long.to_string()]
    );
}

#[test]
fn cg_03_lines_have_a_type_by_precedence() {
    let project = Project::with(&[(
        "a.rs",
        "// comment\nstruct Thing { field: u32 } // comment\nimpl Thing {\n    fn act(&self) {} // comment\n}\nfn main() {\n    let x = 1;\n    // comment\n    f(\n        \"a string\",\n    );\n}\nstruct Other {\n    member: u32,\n}\n",
    )]);
    project.index();
    let types = project.lines("SELECT line_number, line_type FROM lines ORDER BY line_number");
    for expected in [
        "1 comment",
        "2 struct",
        "4 method",
        "6 method",
        "7 code",
        "8 comment",
        "10 string",
        "14 property",
    ] {
        assert!(types.iter().any(|found| found == expected), "{expected}: {types:?}");
    }
    let unknown = project.lines(
        "SELECT DISTINCT line_type FROM lines
         WHERE line_type NOT IN ('code', 'comment', 'struct', 'method', 'property', 'string')",
    );
    assert_eq!(unknown, Vec::<String>::new());
}

#[test]
fn cg_04_a_term_stands_once_per_line() {
    let project = Project::with(&[("a.py", "total = total + total # total\nother = total\n")]);
    project.index();
    assert_eq!(
        project.lines("SELECT line FROM terms WHERE term = 'total' ORDER BY line"),
        ["1", "2"]
    );
    let twice = project.lines(
        "SELECT count(*) FROM (SELECT 1 FROM occurrences GROUP BY item_id, file_id, line_id HAVING count(*) > 1)",
    );
    assert_eq!(twice, ["0"]);
    let items = project.lines("SELECT count(*) - count(DISTINCT term) FROM items");
    assert_eq!(items, ["0"]);
}

#[test]
fn cg_05_keywords_and_comment_signs_are_no_terms() {
    let project = Project::with(&[
        (
            "a.cs",
            "// Explains the Player well\npublic class Player { public int Health { get; set; } }\n",
        ),
        ("b.rs", "/* docs of */ pub fn compute(value: u32) -> u32 { let xy = value; xy }\n"),
    ]);
    project.index();
    let terms = project.lines("SELECT term FROM items ORDER BY term");
    for term in ["Player", "Health", "Explains", "well", "compute", "value", "xy", "docs"] {
        assert!(terms.iter().any(|found| found == term), "{term} is not among {terms:?}");
    }
    for word in ["public", "class", "get", "set", "pub", "fn", "let", "//", "/*", "of"] {
        assert!(!terms.iter().any(|found| found == word), "{word} is among {terms:?}");
    }
}
