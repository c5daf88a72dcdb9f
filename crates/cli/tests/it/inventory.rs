//! Behaviours promised by name: each test begins with the id of the promise it keeps.

mod extraction;
mod terms;

use std::fs;
use std::time::{Duration, SystemTime};

use rusqlite::types::Value;

use crate::project::{NEIGHBOURS, Project, shell};

fn texts(project: &Project, sql: &str) -> Vec<String> {
    let database = project.database();
    let mut statement = database.prepare(sql).expect("legal SQL");
    let rows = statement.query_map([], |row| row.get(0)).expect("no parameters");
    rows.collect::<Result<_, _>>().expect("texts")
}

/// The statements that made the tables, without those that SQLite keeps for itself.
fn tables(project: &Project) -> Vec<(String, String)> {
    let names = texts(
        project,
        "SELECT name FROM sqlite_master WHERE type = 'table'
         AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'source_fts%' ORDER BY name",
    );
    let sql = |name: &str| {
        texts(project, &format!("SELECT sql FROM sqlite_master WHERE name = '{name}'")).remove(0)
    };
    names.iter().map(|name| (name.clone(), sql(name))).collect()
}

#[test]
fn a_work_tree_inside_another_is_a_project_of_its_own() {
    let project = Project::with(&[("src/lib.rs", "pub fn outer() {}\n")]);
    project.index();
    project.write("trees/feature/.git", "gitdir: ../../.git/worktrees/feature\n");
    project.write("trees/feature/src/lib.rs", "pub fn inner() {}\n");
    project.write("vendor/module/.git", "gitdir: ../../.git/modules/module\n");
    let status = |directory: &str| {
        let mut command = project.command(&["status", "--json"]);
        command.current_dir(project.path(directory));
        let child = command.spawn().expect("the program starts");
        crate::project::wait(child, std::time::Duration::from_secs(60)).json()
    };
    assert_eq!(status("trees/feature/src")["error"]["code"], "index", "the outer one was borrowed");
    assert!(status("vendor/module").get("error").is_none(), "a submodule has no index of its own");
    assert!(status("src").get("error").is_none());
}

#[test]
fn cm_02_every_table_is_strict_and_meta_has_no_rowid() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    let tables = tables(&project);
    assert!(tables.len() > 10, "{tables:?}");
    for (name, sql) in &tables {
        let end = sql.rsplit(')').next().unwrap_or_default();
        assert!(end.contains("STRICT"), "{name} is not strict");
    }
    let meta = &tables.iter().find(|(name, _)| name == "meta").expect("a table").1;
    assert!(meta.ends_with("STRICT, WITHOUT ROWID"), "{meta}");
    // What that is for: a text is no number.
    let error = project
        .database()
        .execute("UPDATE file SET size = ?1", [Value::Text("large".to_owned())])
        .expect_err("a text in a column of numbers");
    assert!(error.to_string().contains("cannot store TEXT value in INTEGER column"), "{error}");
}

#[test]
fn cm_08_content_hash_is_sha256_of_the_bytes() {
    let project = Project::with(&[("a.txt", "abc"), ("b.rs", "abc"), ("empty.txt", "")]);
    project.write("latin.txt", b"caf\xe9 au lait, un peu de texte");
    project.index();
    let hashes = project.lines("SELECT path, content_hash FROM files ORDER BY path");
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(hashes[0], format!("a.txt {abc}"));
    assert_eq!(hashes[1], format!("b.rs {abc}"), "the same content has the same hash");
    assert_eq!(
        hashes[2],
        "empty.txt e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    // A touched file keeps its hash.
    let file = fs::File::options().append(true).open(project.path("a.txt")).expect("a file");
    file.set_modified(SystemTime::now() + Duration::from_secs(1000)).expect("it is ours");
    project.index();
    assert_eq!(project.lines("SELECT path, content_hash FROM files ORDER BY path"), hashes);
}

#[test]
fn cm_09_a_file_has_its_path_hash_size_lines_language_and_times() {
    let project = Project::with(&[("src/deep/a.rs", "fn a() {}\nfn b() {}\n"), ("b.py", "x = 1")]);
    let modified = SystemTime::UNIX_EPOCH + Duration::from_millis(1_600_000_000_123);
    let file = fs::File::options().append(true).open(project.path("b.py")).expect("a file");
    file.set_modified(modified).expect("it is ours");
    project.index();
    assert_eq!(
        project.lines("SELECT path, size, line_count, language, status FROM files ORDER BY path"),
        ["b.py 5 1 python indexed", "src/deep/a.rs 20 2 rust indexed"]
    );
    let row = &project
        .rows("SELECT last_modified, indexed_at, content_hash FROM files WHERE path = 'b.py'")[0];
    assert_eq!(row["last_modified"], 1_600_000_000_123_i64);
    let now =
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_millis()
            as u64;
    let indexed = row["indexed_at"].as_u64().expect("a time");
    assert!(indexed <= now && now - indexed < 60_000);
    assert_eq!(row["content_hash"].as_str().map(str::len), Some(64));
    let index = texts(&project, "SELECT sql FROM sqlite_master WHERE name = 'file_path'").remove(0);
    assert!(index.starts_with("CREATE UNIQUE INDEX"), "a path stands once: {index}");
}

#[test]
fn cm_10_deleting_a_file_deletes_everything_about_it() {
    let project = Project::with(NEIGHBOURS);
    project.write(
        "all.css",
        "/* TODO: all */\n/* groma-ignore-next-line fan-out */\n@import 'x.css';\n:root { --a: 1px; }\n.c { color: red; }\n@keyframes k { from { top: 0; } }\n",
    );
    project.write("broken.rs", "fn ( {\n");
    project.index();
    let before = crate::dump::dump(&project, "");
    for table in
        ["symbols", "imports", "markers", "suppressions", "css_classes", "problems", "refs"]
    {
        assert!(!before[table].is_empty(), "the project has no {table}");
    }
    for path in project.lines("SELECT path FROM files") {
        project.remove(&path);
    }
    project.index();
    for (table, rows) in crate::dump::dump(&project, "") {
        assert_eq!(rows, Vec::<String>::new(), "{table}");
    }
}

#[test]
fn cm_11_the_gitignore_of_the_state_is_put_right_on_every_index() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    let right = project.read(".groma/.gitignore");
    for damage in ["", "nothing\n", "*\n!index.db\n"] {
        project.write(".groma/.gitignore", damage);
        project.index();
        assert_eq!(project.read(".groma/.gitignore"), right);
    }
    project.remove(".groma/.gitignore");
    project.index();
    assert_eq!(project.read(".groma/.gitignore"), right);
}

#[test]
fn cm_11_git_keeps_settings_and_recipes_and_ignores_the_index() {
    let project = Project::with(NEIGHBOURS);
    project.index();
    for name in [
        "config.toml",
        "recipes/mine.sql",
        "recipes/mine.md",
        "summary.md",
        "docs.md",
        "index.db-wal",
        "audit-cache/x/index.db",
    ] {
        project.write(&format!(".groma/{name}"), "");
    }
    if std::process::Command::new("git").arg("--version").output().is_err() {
        eprintln!("not tried: there is no git");
        return;
    }
    shell(
        "cd \"$1\" && git init -q . && git ls-files -o --exclude-standard .groma | sort > ../listed",
        &project.root(),
    );
    assert_eq!(
        fs::read_to_string(project.outside("listed")).expect("a list"),
        ".groma/.gitignore\n.groma/config.toml\n.groma/docs.md\n.groma/recipes/mine.md\n.groma/recipes/mine.sql\n.groma/summary.md\n"
    );
}

#[test]
fn cm_13_files_are_written_in_the_order_of_their_paths_and_indexes_exist() {
    let project = Project::with(&[
        ("b.rs", "fn b() {}\n"),
        ("a/z.rs", "fn z() {}\n"),
        ("a.rs", "fn a() {}\n"),
        ("Z.rs", "fn y() {}\n"),
    ]);
    project.index_with(&["--workers", "4"]);
    assert_eq!(
        project.lines("SELECT path FROM files ORDER BY id"),
        ["Z.rs", "a.rs", "a/z.rs", "b.rs"]
    );
    let indexes = texts(
        &project,
        "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1",
    );
    assert_eq!(
        indexes,
        [
            "file_path",
            "file_retired",
            "import_re_export",
            "import_shared",
            "import_target",
            "name_text",
            "namespace_file",
            "symbol_adds_to",
            "symbol_name"
        ]
    );
    let database = project.database();
    let broken: i64 = database
        .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
        .expect("a check");
    assert_eq!(broken, 0, "rows were loaded without checks, but they hold");
    let mode: String =
        database.query_row("PRAGMA journal_mode", [], |row| row.get(0)).expect("a mode");
    assert_eq!(mode, "wal");
}

#[test]
fn cm_19_full_text_is_there_when_asked_for_and_empty_otherwise() {
    let project =
        Project::with(&[("a.txt", "Running  over\tthe hills\n"), ("b.rs", "// nothing\n")]);
    project.index();
    assert_eq!(project.lines("SELECT count(*) FROM source_fts"), ["0"]);
    let sql = texts(&project, "SELECT sql FROM sqlite_master WHERE name = 'source_fts'").remove(0);
    assert!(sql.contains("file_path UNINDEXED") && sql.contains("porter unicode61"), "{sql}");
    project.index_with(&["--with-fts"]);
    assert_eq!(
        project.lines("SELECT file_path FROM source_fts WHERE source_fts MATCH 'hill run'"),
        ["a.txt"]
    );
    let rows = project.rows("SELECT content FROM source_fts WHERE file_path = 'a.txt'");
    assert_eq!(rows[0]["content"], "Running  over\tthe hills\n", "verbatim");
    assert_eq!(
        project.lines("SELECT count(*) FROM source_fts WHERE source_fts MATCH 'txt'"),
        ["0"]
    );
    assert_eq!(project.lines("SELECT value FROM meta WHERE key = 'fts5_enabled'"), ["1"]);
    project.write(".groma/config.toml", "text-index = true\n");
    project.index();
    assert_eq!(project.lines("SELECT count(*) FROM source_fts"), ["2"]);
}

#[test]
fn cm_23_a_file_of_no_known_language_is_text_with_markers() {
    let project = Project::with(&[
        ("a.unknown", "TODO: say more\nwords of the file\n"),
        ("Makefile.am", "# FIXME: portable\n"),
        ("notes", "HACK around\n"),
        ("a.yml", "# NOTE: keys\nkey: value\n"),
        ("a.json", "{\"key\": \"TODO: later\"}\n"),
    ]);
    project.index();
    assert_eq!(project.lines("SELECT DISTINCT language FROM files"), ["text"]);
    assert_eq!(
        project
            .lines("SELECT file_path, line_number, kind, content FROM markers ORDER BY file_path"),
        [
            "Makefile.am 1 FIXME portable",
            "a.json 1 TODO later\"}",
            "a.unknown 1 TODO say more",
            "a.yml 1 NOTE keys",
            "notes 1 HACK around",
        ]
    );
    assert_eq!(project.lines("SELECT count(*) FROM symbols"), ["0"]);
    assert_eq!(project.lines("SELECT count(*) FROM terms WHERE term = 'words'"), ["1"]);
}

#[test]
fn cx_10_files_above_one_mebibyte_are_skipped() {
    let project = Project::new();
    let line = "fn a() {} // fill\n";
    let exact = line.repeat((1 << 20) / line.len()) + &"\n".repeat((1 << 20) % line.len());
    assert_eq!(exact.len(), 1 << 20);
    project.write("above.txt", format!("{exact}\n"));
    project.write("exact.txt", exact);
    project.index();
    assert_eq!(project.not_indexed(), ["above.txt skipped size"]);
}

#[test]
fn cx_11_ignored_files_and_directories_are_left_out() {
    let project = Project::with(&[
        (".gitignore", "*.log\n/out/\n!keep.log\n"),
        ("sub/.gitignore", "local.txt\n"),
        ("a.log", ""),
        ("keep.log", ""),
        ("out/a.txt", ""),
        ("sub/out/a.txt", ""),
        ("sub/local.txt", ""),
        ("local.txt", ""),
        (".hidden/a.txt", ""),
        (".git/info/exclude", "excluded.txt\n"),
        ("excluded.txt", ""),
    ]);
    for directory in [
        "node_modules",
        "target",
        ".git",
        "dist",
        "build",
        "__pycache__",
        ".venv",
        "vendor",
        ".next",
        ".nuxt",
        "coverage",
        ".cache",
    ] {
        project.write(&format!("{directory}/a.txt"), "");
        project.write(&format!("sub/{directory}/a.txt"), "");
    }
    let ignored = project.home().join(".config/git/ignore");
    fs::create_dir_all(ignored.parent().expect("a directory")).expect("new directories");
    fs::write(&ignored, "global.txt\n").expect("a file");
    project.write("global.txt", "");
    project.index();
    let expected =
        [".gitignore", ".hidden/a.txt", "keep.log", "local.txt", "sub/.gitignore", "sub/out/a.txt"];
    assert_eq!(project.lines("SELECT path FROM files ORDER BY path"), expected);
    // Patterns of the configuration come on top.
    project.write(".groma/config.toml", "exclude = [\"**/*.log\", \"sub/**\"]\n");
    project.index();
    assert_eq!(
        project.lines("SELECT path FROM files ORDER BY path"),
        [".gitignore", ".hidden/a.txt", "local.txt"]
    );
    project.write(
        ".groma/config.toml",
        "include = [\"**/*.txt\"]\nexcluded-directories = [\".git\"]\n",
    );
    project.index();
    assert_eq!(project.lines("SELECT count(*) FROM files WHERE path LIKE '%target/a.txt'"), ["2"]);
}

#[test]
fn a_package_among_sources_may_be_called_like_what_tools_make() {
    let project = Project::with(&[
        ("src/main.rs", "mod dist;\nmod used;\nfn main() { dist::ship(); }\n"),
        ("src/used.rs", "pub(crate) fn only_there() {}\n"),
        ("src/dist/mod.rs", "pub fn ship() { crate::used::only_there() }\n"),
        ("app/src/main/java/org/build/Plan.java", "package org.build; class Plan {}\n"),
        ("dist/main.js", "made()\n"),
        ("src/node_modules/a/index.js", "made()\n"),
    ]);
    project.index();
    let paths = || project.lines("SELECT path FROM files WHERE language <> 'text' ORDER BY path");
    let sources =
        ["app/src/main/java/org/build/Plan.java", "src/dist/mod.rs", "src/main.rs", "src/used.rs"];
    assert_eq!(paths(), sources);
    // What is used there is used.
    let dead = project.groma(&["recipes", "run", "dead-code", "--json"]);
    assert!(!dead.stdout.contains("only_there"), "{dead:?}");
    // Who names directories means them wherever they stand.
    project.write(".groma/config.toml", "excluded-directories = [\".git\", \"dist\"]\n");
    project.index();
    assert!(!paths().contains(&"src/dist/mod.rs".to_owned()), "{:?}", paths());
}

#[test]
fn cx_24_odd_paths_binaries_and_links_neither_crash_nor_yield_symbols() {
    use std::os::unix::ffi::OsStrExt;
    let project = Project::with(&[("a.rs", "fn a() {}\n"), ("b.rs", "fn b() {}\0\n")]);
    fs::write(project.root().join(std::ffi::OsStr::from_bytes(b"c\xfe.rs")), "fn c() {}\n")
        .expect("a file");
    std::os::unix::fs::symlink("a.rs", project.path("d.rs")).expect("a link");
    let report = project.index();
    assert_eq!(report["skipped"], serde_json::json!({"binary": 1, "path": 1, "symlink": 1}));
    assert_eq!(project.lines("SELECT name FROM symbols"), ["a"]);
}

#[test]
fn cx_25_an_empty_file_has_a_row_and_no_symbols() {
    let project = Project::with(&[("empty.rs", ""), ("blank.py", "\n\n")]);
    for _ in 0..2 {
        project.index();
        assert_eq!(
            project.lines("SELECT path, size, line_count, status FROM files ORDER BY path"),
            ["blank.py 2 2 indexed", "empty.rs 0 0 indexed"]
        );
        assert_eq!(project.lines("SELECT count(*) FROM symbols"), ["0"]);
    }
}

/// The tests that a table of the documentation names, all of which must be there.
fn tests_of(page: &str) -> Vec<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let table = fs::read_to_string(format!("{root}/docs/{page}")).expect("the table");
    let mut listed = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| ") && line.ends_with(") |")) {
        let mut cells = row.rsplit('|').map(str::trim).skip(1);
        let (place, name) = (cells.next().expect("a link"), cells.next().expect("a test"));
        let name = name.trim_matches('`').to_owned();
        let path = place.trim_start_matches('[').split(']').next().expect("a link");
        let source = fs::read_to_string(format!("{root}/{path}")).unwrap_or_default();
        assert!(source.contains(&format!("fn {name}(")), "{page}: {path} has no {name}");
        listed.push(name);
    }
    listed
}

/// The names of the functions of a source that begin so.
fn named<'s>(source: &'s str, prefixes: &[&str]) -> Vec<&'s str> {
    let names = source.lines().filter_map(|line| line.strip_prefix("fn ")?.split('(').next());
    names.filter(|name| prefixes.iter().any(|prefix| name.starts_with(prefix))).collect()
}

#[test]
fn the_table_of_promises_and_the_tests_agree() {
    let listed = tests_of("seeds.md");
    for source in [
        include_str!("inventory.rs"),
        include_str!("inventory/extraction.rs"),
        include_str!("inventory/terms.rs"),
    ] {
        for name in named(source, &["cm_", "cx_", "ts_", "cg_"]) {
            assert!(listed.iter().any(|it| it == name), "docs/seeds.md does not list {name}");
        }
    }
}

#[test]
fn the_table_of_what_may_go_wrong_and_the_tests_agree() {
    let listed = tests_of("reliability.md");
    assert!(listed.len() > 80, "{}", listed.len());
    for source in [
        include_str!("changes.rs"),
        include_str!("commands/interruption.rs"),
        include_str!("disk.rs"),
        include_str!("disk/mounted.rs"),
        include_str!("hostile/repository.rs"),
        include_str!("links.rs"),
        include_str!("servers/guards.rs"),
        include_str!("servers/lifetime.rs"),
        include_str!("servers/messages.rs"),
        include_str!("watching.rs"),
    ] {
        for name in named(source, &["reliability_"]) {
            assert!(listed.iter().any(|it| it == name), "docs/reliability.md does not list {name}");
        }
    }
}
