//! Too large, too long, too many.

use std::fs::File;

use crate::project::{Project, index_among_neighbours, long_tests};

#[test]
fn a_huge_file_is_listed_and_not_read() {
    let project = Project::new();
    let huge = File::create(project.path("huge.rs")).expect("a new file");
    huge.set_len(5 << 30).expect("a file with holes");
    project.write("large.json", format!("[{}1]", "1,\n".repeat(500_000)));
    let report = index_among_neighbours(&project);
    assert_eq!(project.not_indexed(), ["huge.rs skipped size", "large.json skipped size"]);
    assert_eq!(project.lines("SELECT size FROM files WHERE path = 'huge.rs'"), ["5368709120"]);
    assert!(report["milliseconds"].as_u64().expect("a number") < 30_000);
    assert_eq!(report["skipped"]["size"], 2);
}

#[test]
fn bundles_are_skipped_by_their_name_and_by_their_look() {
    let project = Project::new();
    project.write("bundle.js", "var a=1;".repeat(100_000));
    project.write("lib.min.js", "var a = 1;\n");
    project.write("theme.min.css", "a{}\n");
    index_among_neighbours(&project);
    assert_eq!(
        project.not_indexed(),
        [
            "bundle.js skipped minified",
            "lib.min.js skipped minified",
            "theme.min.css skipped minified"
        ]
    );
}

#[test]
fn long_names_docs_and_signatures_are_cut_between_characters() {
    let mut project = Project::new();
    project.set("GROMA_MAX_FILE_SIZE", "4000000");
    let name = format!("n{}", "ä".repeat(15_000));
    project.write("name.rs", format!("pub fn {name}() {{}}\npub fn after() {{}}\n"));
    project.write(
        "docs.rs",
        format!("{}pub fn documented() {{}}\n", "/// größer und größer\n".repeat(40_000)),
    );
    let parameters: String = (0..20_000).map(|number| format!("p{number}: u32,\n")).collect();
    project.write("parameters.rs", format!("pub fn many(\n{parameters}) {{}}\n"));
    project.write("value.py", format!("TEXT = '{}'\n", "é".repeat(10_000)));
    index_among_neighbours(&project);
    assert_eq!(project.not_indexed(), Vec::<String>::new());
    let rows = project.lines(
        "SELECT file_path, length(CAST(name AS BLOB)) <= 512, length(CAST(signature AS BLOB)) <= 2048,
                coalesce(length(CAST(doc_comment AS BLOB)), 0) <= 16384
         FROM symbols WHERE file_path NOT LIKE 'near/%' AND name NOT LIKE 'p%'
         ORDER BY file_path, start_byte",
    );
    assert_eq!(
        rows,
        [
            "docs.rs 1 1 1",
            "name.rs 1 1 1",
            "name.rs 1 1 1",
            "parameters.rs 1 1 1",
            "value.py 1 1 1"
        ]
    );
    let cut =
        project.lines("SELECT name FROM symbols WHERE is_truncated ORDER BY file_path, start_byte");
    assert!(cut.contains(&"many".to_owned()), "{cut:?}");
    assert_eq!(project.lines("SELECT param_count FROM symbols WHERE name = 'many'"), ["20000"]);
    // No line of an answer is endless either.
    for command in
        [&["show", "many"][..], &["outline", "name.rs"], &["query", "SELECT * FROM symbols"]]
    {
        let outcome = project.groma(command);
        let longest = outcome.stdout.lines().map(str::len).max();
        assert!(longest.is_some_and(|length| length < 8192), "{command:?}: {longest:?}");
    }
}

#[test]
fn docs_above_the_limit_cost_their_file_only() {
    let project = Project::new();
    project.write("docs.rs", format!("{}fn a() {{}}\n", "/// And on and on.\n".repeat(60_000)));
    index_among_neighbours(&project);
    assert_eq!(project.not_indexed(), ["docs.rs skipped size"]);
}

#[test]
fn a_project_may_lower_the_size_limit_but_not_raise_it() {
    let project = Project::new();
    project.write("small.rs", "fn a() {}\n".repeat(10));
    project.write(".groma/config.toml", "max-file-size = 50\n");
    project.index();
    assert_eq!(project.not_indexed(), ["small.rs skipped size"]);
    project.write(".groma/config.toml", "max-file-size = 500000000\n");
    project.write("large.rs", "fn a() {}\n".repeat(110_000));
    let report = project.index();
    assert_eq!(project.not_indexed(), ["large.rs skipped size"]);
    let notice = report["notices"][0].as_str().expect("a notice");
    assert!(notice.contains("`max-file-size` stays at 1048576"), "{notice}");
}

#[test]
fn data_that_unfolds_without_end_stays_text() {
    let project = Project::new();
    project.write("deep.json", "[\n".repeat(100_000));
    let mut bomb = "a0: &a0 [lol]\n".to_owned();
    for level in 1..40 {
        let before = level - 1;
        bomb += &format!("a{level}: &a{level} [{}]\n", format!("*a{before},").repeat(9));
    }
    project.write("bomb.yaml", bomb);
    project.write("tsconfig.json", "{\"extends\": \"./tsconfig.json\"}\n");
    project.write("package-lock.json", format!("{{\n{}}}", "\"a\": 1,\n".repeat(100_000)));
    index_among_neighbours(&project);
    assert_eq!(project.not_indexed(), Vec::<String>::new());
    assert_eq!(
        project.lines("SELECT count(*) FROM files WHERE language = 'text'"),
        ["4"],
        "none of them is unfolded"
    );
}

#[test]
fn a_file_with_too_many_symbols_says_so() {
    let mut project = Project::new();
    project.set("GROMA_FILE_TIMEOUT", "60000");
    let (count, cap) = if long_tests() { (90_000, 50_000) } else { (52_000, 50_000) };
    project.write("many.go", format!("package a\n{}", "func f(){}\n".repeat(count)));
    index_among_neighbours(&project);
    let found = project.lines("SELECT count(*) FROM symbols WHERE file_path = 'many.go'");
    assert_eq!(found, [cap.to_string()]);
    let problems = project.lines("SELECT DISTINCT kind FROM problems WHERE file_path = 'many.go'");
    assert!(!problems.is_empty(), "nothing says that symbols are missing");
}

#[test]
fn very_many_files_in_one_directory() {
    let project = Project::new();
    let count = if long_tests() { 200_000 } else { 20_000 };
    std::fs::create_dir(project.path("many")).expect("a new directory");
    for number in 0..count {
        std::fs::write(project.path(&format!("many/f{number}.py")), "x = 1\n").expect("a new file");
    }
    let report = index_among_neighbours(&project);
    assert_eq!(report["files"], count + 5);
    assert_eq!(report["languages"]["python"], count + 1);
}

#[test]
fn ignore_files_without_bound_are_refused() {
    let project = Project::new();
    project.write(".gitignore", "pattern-that-matches-nothing\n".repeat(60_000));
    let outcome = project.groma(&["index", "--json"]);
    assert_eq!(outcome.status, Some(7), "{outcome:?}");
    assert!(outcome.error()["hint"].as_str().is_some_and(|hint| hint.contains("1 MiB")));
    project.remove(".gitignore");
    project.write("sub/.gitignore", "pattern-that-matches-nothing\n".repeat(60_000));
    project.write("sub/a.rs", "fn a() {}\n");
    index_among_neighbours(&project);
    // Without its rules everything in it would be indexed, so nothing is.
    assert_eq!(project.not_indexed(), ["sub/.gitignore skipped ignore_file"]);
}
