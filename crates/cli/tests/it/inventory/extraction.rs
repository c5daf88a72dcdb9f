//! Symbols and what is said of them.

use crate::project::Project;

/// File endings and the language each must be found to be.
const ENDINGS: &[(&str, &str)] = &[
    ("py", "python"),
    ("pyi", "python"),
    ("pyw", "python"),
    ("rs", "rust"),
    ("rb", "ruby"),
    ("rake", "ruby"),
    ("md", "markdown"),
    ("markdown", "markdown"),
    ("cs", "csharp"),
    ("c", "c"),
    ("cpp", "cpp"),
    ("cc", "cpp"),
    ("cxx", "cpp"),
    ("hpp", "cpp"),
    ("hxx", "cpp"),
    ("java", "java"),
    ("go", "go"),
    ("php", "php"),
    ("sh", "bash"),
    ("css", "css"),
    ("kt", "kotlin"),
    ("scala", "scala"),
    ("swift", "swift"),
    ("ts", "typescript"),
    ("mts", "typescript"),
    ("cts", "typescript"),
    ("tsx", "tsx"),
    ("js", "javascript"),
    ("mjs", "javascript"),
    ("cjs", "javascript"),
    ("jsx", "jsx"),
];

#[test]
fn cx_09_cg_22_languages_are_known_by_their_file_endings() {
    let project = Project::new();
    for (ending, _) in ENDINGS {
        project.write(&format!("a.{ending}"), "");
    }
    project.write("plain.h", "int f(void);\n");
    project.index();
    let mut expected: Vec<String> =
        ENDINGS.iter().map(|(ending, language)| format!("a.{ending} {language}")).collect();
    expected.push("plain.h c".to_owned());
    expected.sort();
    let mut found = project.lines("SELECT path, language FROM files");
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn cx_12_kinds_of_symbols_and_roles_of_references() {
    let project = Project::with(&[
        (
            "a.rs",
            "use std::fmt;\nmod inner {}\nconst LIMIT: u32 = 1;\nstatic mut COUNT: u32 = 0;\ntype Id = u32;\nstruct S { f: Id }\nenum E { One }\ntrait T { fn t(&self); }\nimpl T for S { fn t(&self) { free(); } }\nfn free() {}\n",
        ),
        (
            "b.java",
            "interface I { void run(); }\nclass A extends Base implements I { public void run() { help(); } }\n",
        ),
        ("c.md", "# Section\n"),
        ("d.py", "value = 1\n"),
    ]);
    project.index();
    let kinds = project.lines("SELECT DISTINCT kind FROM symbols ORDER BY kind");
    for kind in [
        "function",
        "method",
        "class",
        "interface",
        "struct",
        "enum",
        "trait",
        "module",
        "const",
        "var",
        "impl",
        "section",
        "type",
    ] {
        assert!(kinds.iter().any(|found| found == kind), "{kind} is not among {kinds:?}");
    }
    let roles = project.lines("SELECT DISTINCT role FROM refs");
    for role in ["call", "type", "extends", "implements"] {
        assert!(roles.iter().any(|found| found == role), "{role} is not among {roles:?}");
    }
    assert_eq!(project.lines("SELECT source FROM imports WHERE file_path = 'a.rs'").len(), 1);
}

#[test]
fn cx_13_members_belong_to_their_type_and_headings_to_their_section() {
    let project = Project::with(&[
        (
            "a.java",
            "class A { int f; void m() {} }\ninterface I { void run(); }\nenum E { ONE, TWO }\n",
        ),
        ("b.md", "# One\n## Two\n### Three\n## Four\n# Five\n"),
        (
            "c.ts",
            "interface Shape { area: number; name?: string }\nclass Round { draw() {} }\nenum Colour { Red, Blue = 2 }\n",
        ),
    ]);
    project.index();
    let owned = project.lines(
        "SELECT s.name, coalesce(s.parent_name, '-') FROM symbols AS s
         WHERE file_path <> 'c.ts' ORDER BY s.file_path, s.start_byte",
    );
    assert_eq!(
        owned,
        [
            "A -",
            "f A",
            "m A",
            "I -",
            "run I",
            "E -",
            "ONE E",
            "TWO E",
            "One -",
            "Two One",
            "Three Two",
            "Four One",
            "Five -",
        ]
    );
    assert_eq!(
        project.lines(
            "SELECT symbol_name, name FROM type_members WHERE file_path = 'c.ts' ORDER BY id"
        ),
        ["Shape area", "Shape name", "Round draw", "Colour Red", "Colour Blue"]
    );
    let json = project.groma(&["outline", "b.md", "--json"]).json();
    assert_eq!(json["symbols"][0]["children"][0]["children"][0]["name"], "Three");
}

#[test]
fn ts_02_a_qualified_name_has_its_path_once() {
    let project =
        Project::with(&[("src/api.rs", "pub mod handlers { pub fn process_request() {} }\n")]);
    project.index();
    assert_eq!(
        project.lines("SELECT qualified_name FROM nodes WHERE name = 'process_request'"),
        ["src/api.rs::handlers::process_request"]
    );
    assert_eq!(
        project.lines("SELECT key FROM symbols WHERE name = 'process_request'"),
        ["src/api.rs#handlers::process_request"]
    );
}

#[test]
fn ts_03_visibility_is_that_of_the_language_and_private_by_default() {
    let project = Project::with(&[(
        "a.rs",
        "pub fn a() {}\npub(crate) fn b() {}\nmod m { pub(super) fn c() {} }\nfn d() {}\n",
    )]);
    project.index();
    assert_eq!(
        project.lines("SELECT name, visibility FROM nodes WHERE kind = 'function' ORDER BY name"),
        ["a public", "b pub_crate", "c pub_super", "d private"]
    );
}

#[test]
fn ts_04_functions_are_measured() {
    let project = Project::with(&[
        (
            "a.rs",
            "fn measured(x: Option<u32>) -> u32 {\n    if x.is_none() {\n        for _ in 0..3 {\n            while true { break; }\n        }\n        return 0;\n    }\n    unsafe { touch() };\n    assert!(x.is_some());\n    assert_eq!(1, 1);\n    x.unwrap()\n}\n",
        ),
        ("b.py", "def measured(x):\n    assert x\n    if x or y:\n        raise E\n    return 1\n"),
        ("c.kt", "fun measured(x: Int?): Int { return x!! }\n"),
    ]);
    project.index();
    let rows = project.lines(
        "SELECT file_path, branches, loops, returns, max_nesting, unsafe_blocks, unchecked_calls, assertions
         FROM nodes WHERE name = 'measured' ORDER BY file_path",
    );
    assert_eq!(rows, ["a.rs 1 2 2 3 1 1 2", "b.py 2 0 2 1 0 0 1", "c.kt 0 0 1 0 0 1 0"]);
    let complexity =
        project.lines("SELECT complexity FROM symbols WHERE name = 'measured' ORDER BY file_path");
    assert_eq!(complexity, ["4", "3", "1"], "one and every branch and loop");
}

#[test]
fn ts_13_every_file_is_the_root_of_what_it_contains() {
    let project = Project::with(&[
        ("a.rs", "struct A { f: u32 }\nfn b() {}\n"),
        ("b.txt", "words\n"),
        ("c.bin", "\0"),
    ]);
    project.index();
    assert_eq!(
        project.lines(
            "SELECT name FROM nodes WHERE kind = 'file' AND parent_id IS NULL ORDER BY name"
        ),
        ["a.rs", "b.txt", "c.bin"]
    );
    let parents = project.lines(
        "SELECT n.name, p.name FROM nodes AS n JOIN nodes AS p ON p.id = n.parent_id ORDER BY n.start_line, n.name",
    );
    assert_eq!(parents, ["A a.rs", "f A", "b a.rs"]);
    let orphans = project.lines(
        "SELECT count(*) FROM nodes WHERE kind <> 'file' AND parent_id NOT IN (SELECT id FROM nodes)",
    );
    assert_eq!(orphans, ["0"]);
}

#[test]
fn cg_09_an_outline_has_the_header_the_types_and_the_prototypes_and_no_bodies() {
    let project = Project::with(&[(
        "a.cs",
        "// Header one.\n// Header two.\nusing System;\nnamespace Shop;\n/// <summary>A cart.</summary>\npublic class Cart\n{\n    private int secret;\n    // inner comment\n    public static async Task<int> Total(int tax)\n    {\n        var local = 1; // inside\n        return local;\n    }\n}\n",
    )]);
    project.index();
    let outcome = project.groma(&["outline", "a.cs"]);
    for word in
        ["Header one.", "Header two.", "class Cart", "public static async Task<int> Total(int tax)"]
    {
        assert!(outcome.stdout.contains(word), "{word}: {}", outcome.stdout);
    }
    for word in ["inner comment", "local", "inside", "return"] {
        assert!(!outcome.stdout.contains(word), "{word}: {}", outcome.stdout);
    }
    let header = project.rows("SELECT header_comments FROM signatures");
    let header = header[0]["header_comments"].as_str().expect("a header");
    assert!(header.starts_with("Header one.\nHeader two."), "{header}");
}

#[test]
fn cg_10_methods_and_types_have_the_columns_of_their_tables() {
    let project = Project::with(&[
        (
            "a.cs",
            "public class A { protected static async Task M() {} internal void N() {} private void P() {} }\npublic struct B {}\npublic interface C {}\npublic enum D {}\n",
        ),
        ("b.rs", "type T = u32;\ntrait R {}\n"),
    ]);
    project.index();
    assert_eq!(
        project.lines(
            "SELECT name, visibility, is_static, is_async, line_number FROM methods ORDER BY name"
        ),
        ["M protected 1 1 1", "N internal 0 0 1", "P private 0 0 1"]
    );
    assert_eq!(
        project.lines("SELECT name, kind, line_number FROM types ORDER BY name"),
        ["A class 1", "B struct 2", "C interface 3", "D enum 4", "R type 2", "T type 1"]
    );
}
