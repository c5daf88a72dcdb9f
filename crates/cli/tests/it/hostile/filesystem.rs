//! Files that are no files, links that lead elsewhere, names nobody chooses.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::project::{
    Project, assert_neighbours_unharmed, index_among_neighbours, long_tests, may_read_everything,
    shell,
};

const CANARY: &str = "canary_4f1d9a";

fn fifo(project: &Project, path: &str) {
    let path = project.path(path);
    fs::create_dir_all(path.parent().expect("it is inside the root")).expect("a directory");
    shell("mkfifo \"$1\"", &path);
}

#[test]
fn pipes_and_sockets_are_not_opened() {
    let project = Project::new();
    for name in
        ["a.rs", "package.json", "tsconfig.json", "x.sql", "CODEOWNERS", "go.mod", "Cargo.toml"]
    {
        fifo(&project, name);
    }
    let _socket = UnixListener::bind(project.path("socket.py")).expect("a socket");
    fs::create_dir(project.path("directory.py")).expect("a new directory");
    symlink("/dev/zero", project.path("zero.rs")).expect("a link");
    let report = index_among_neighbours(&project);
    assert!(report["milliseconds"].as_u64().expect("a number") < 30_000);
    assert_eq!(report["skipped"]["not_regular"], 8);
    assert_eq!(report["skipped"]["symlink"], 1);
    assert_eq!(project.lines("SELECT count(*) FROM files WHERE path LIKE 'directory%'"), ["0"]);
    for command in [&["status"][..], &["outline", "a.rs"], &["show", "add"]] {
        assert_eq!(project.groma(command).status, Some(0), "{command:?}");
    }
}

#[test]
fn a_pipe_in_the_place_of_an_ignore_file_is_not_waited_for() {
    for name in [".gitignore", ".ignore", ".git/info/exclude"] {
        let project = Project::new();
        fifo(&project, name);
        let outcome = project.groma(&["index", "--json"]);
        assert_eq!(outcome.status, Some(7), "{name}: {outcome:?}");
        assert_eq!(outcome.error()["code"], "refused");
        assert!(outcome.time < Duration::from_secs(30));
    }
    let project = Project::new();
    fifo(&project, "sub/.gitignore");
    project.write("sub/a.rs", "fn hidden() {}\n");
    index_among_neighbours(&project);
    assert_eq!(project.not_indexed(), ["sub/.gitignore skipped ignore_file"]);
}

#[test]
fn a_pipe_in_the_place_of_the_configuration_is_refused() {
    for name in ["config.toml", ".gitignore", "lock", "index.db"] {
        let project = Project::new();
        fifo(&project, &format!(".groma/{name}"));
        let outcome = project.groma(&["index", "--json"]);
        assert_eq!(outcome.status, Some(7), "{name}: {outcome:?}");
        assert!(outcome.error()["message"].as_str().is_some_and(|text| text.contains(name)));
    }
}

#[test]
fn links_are_listed_and_never_followed() {
    let project = Project::new();
    fs::create_dir(project.outside("secrets")).expect("a new directory");
    fs::write(project.outside("secrets/key.rs"), format!("pub fn {CANARY}() {{}}\n"))
        .expect("a file");
    symlink(project.outside("secrets/key.rs"), project.path("secret.rs")).expect("a link");
    symlink(project.outside("secrets"), project.path("directory")).expect("a link");
    symlink("/", project.path("top")).expect("a link");
    symlink("..", project.path("up")).expect("a link");
    symlink("b.rs", project.path("a.rs")).expect("a link");
    symlink("a.rs", project.path("b.rs")).expect("a link");
    let report = index_among_neighbours(&project);
    assert_eq!(report["skipped"]["symlink"], 6);
    assert_eq!(report["files"], 11);
    assert!(!project.state_contains(CANARY.as_bytes()));
    let outcome = project.groma(&["outline", "secret.rs"]);
    assert!(!outcome.stdout.contains(CANARY), "{outcome:?}");
}

#[test]
fn a_source_that_became_a_link_is_not_shown() {
    let project = Project::with(&[("a.rs", "fn shown() {}\n")]);
    project.index();
    fs::write(project.outside("key.rs"), format!("fn {CANARY}() {{}}\n")).expect("a file");
    project.remove("a.rs");
    symlink(project.outside("key.rs"), project.path("a.rs")).expect("a link");
    let outcome = project.groma(&["show", "shown", "--source", "--json", "--no-refresh"]);
    assert!(!outcome.stdout.contains(CANARY), "{outcome:?}");
    assert_eq!(outcome.json()["matches"][0]["missing"], true);
    let outcome = project.groma(&["show", "shown", "--source", "--json"]);
    assert_eq!(outcome.error()["code"], "not_found");
    assert!(!outcome.stdout.contains(CANARY), "{outcome:?}");
}

#[test]
fn a_source_below_a_directory_that_became_a_link_is_not_shown() {
    let project = Project::with(&[("sub/a.rs", "fn shown() {}\n")]);
    project.index();
    fs::create_dir(project.outside("other")).expect("a new directory");
    fs::write(project.outside("other/a.rs"), format!("fn {CANARY}() {{}}\n")).expect("a file");
    fs::remove_dir_all(project.path("sub")).expect("it is ours");
    symlink(project.outside("other"), project.path("sub")).expect("a link");
    let outcome = project.groma(&["show", "shown", "--source", "--json"]);
    assert!(!outcome.stdout.contains(CANARY), "{outcome:?}");
}

#[test]
fn a_file_swapped_for_a_link_while_indexing_never_leaks() {
    let project = Project::new();
    fs::write(project.outside("key.rs"), format!("pub fn {CANARY}() {{}}\n")).expect("a file");
    for number in 0..20 {
        project.write(&format!("filler{number}.rs"), "fn a() {}\n");
    }
    let (file, link) = (project.outside("file"), project.outside("link"));
    fs::write(&file, "fn harmless() {}\n").expect("a file");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let _ = fs::remove_file(&link);
                let _ = symlink(project.outside("key.rs"), &link);
                let _ = fs::rename(&link, project.path("swapped.rs"));
                let _ = fs::copy(&file, project.outside("copy"));
                let _ = fs::rename(project.outside("copy"), project.path("swapped.rs"));
            }
        });
        for _ in 0..if long_tests() { 500 } else { 15 } {
            project.index();
            let leaked = project.state_contains(CANARY.as_bytes());
            if leaked {
                stop.store(true, Ordering::Relaxed);
            }
            assert!(!leaked, "the target of a link is in the index");
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_directory_swapped_for_a_link_while_indexing_never_leaks() {
    let project = Project::new();
    fs::create_dir(project.outside("secrets")).expect("a new directory");
    let canary = format!("pub fn {CANARY}() {{}}\n");
    for number in 0..30 {
        let name = format!("f{number}.rs");
        fs::write(project.outside("secrets").join(&name), &canary).expect("a file");
        project.write(&format!("swapped/{name}"), "fn harmless() {}\n");
    }
    symlink(project.outside("secrets"), project.outside("link")).expect("a link");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (place, aside) = (project.path("swapped"), project.outside("aside"));
            while !stop.load(Ordering::Relaxed) {
                let _ = fs::rename(&place, &aside);
                let _ = fs::rename(project.outside("link"), &place);
                std::thread::sleep(Duration::from_millis(1));
                let _ = fs::rename(&place, project.outside("link"));
                let _ = fs::rename(&aside, &place);
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        for _ in 0..if long_tests() { 500 } else { 15 } {
            project.index();
            let leaked = project.state_contains(CANARY.as_bytes());
            if leaked {
                stop.store(true, Ordering::Relaxed);
            }
            assert!(!leaked, "what stands behind a link is in the index");
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn the_stored_hash_is_that_of_the_bytes_read_also_while_they_change() {
    let project = Project::new();
    let texts = ["fn one() {}\n".repeat(3), "fn two() {}\n".repeat(3000), String::new()];
    let hashes: Vec<String> = texts
        .iter()
        .map(|text| {
            let one = Project::with(&[("a.rs", text)]);
            one.index();
            one.lines("SELECT content_hash || ' ' || line_count FROM files").remove(0)
        })
        .collect();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for text in texts.iter().cycle() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                // Whole files change places, so that every state has a known hash.
                fs::write(project.outside("next"), text).expect("a file");
                fs::rename(project.outside("next"), project.path("a.rs")).expect("it is ours");
            }
        });
        for _ in 0..if long_tests() { 300 } else { 10 } {
            let outcome = project.groma(&["index", "-q"]);
            let found = project.lines("SELECT content_hash || ' ' || line_count FROM files");
            let known = found.iter().all(|row| hashes.contains(row));
            if !known || outcome.status != Some(0) {
                stop.store(true, Ordering::Relaxed);
            }
            assert!(known, "{found:?}");
            assert_eq!(outcome.status, Some(0), "{outcome:?}");
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn unreadable_files_are_skipped() {
    let project = Project::new();
    if may_read_everything(&project.root()) {
        eprintln!("not tried: this user may read everything");
        return;
    }
    project.write("locked.rs", "fn locked() {}\n");
    project.write("closed/a.rs", "fn closed() {}\n");
    index_among_neighbours(&project);
    let set = |path: &str, mode| {
        fs::set_permissions(project.path(path), fs::Permissions::from_mode(mode))
            .expect("it is ours");
    };
    set("locked.rs", 0);
    set("closed", 0);
    project.index();
    set("closed", 0o755);
    // The directory has a row too: nobody must take its files for absent.
    assert_eq!(
        project.not_indexed(),
        ["closed skipped unreadable", "locked.rs skipped unreadable"]
    );
    assert_eq!(
        project.lines("SELECT count(*) FROM symbols WHERE name IN ('locked', 'closed')"),
        ["0"]
    );
    assert_neighbours_unharmed(&project);
}

#[test]
fn names_nobody_chooses_are_kept_or_skipped() {
    let project = Project::new();
    let long = format!("{}.rs", "n".repeat(252));
    let deep = format!("{}deep.rs", "d/".repeat(300));
    let good = [
        "tab\there.rs",
        "-rf.rs",
        ":colon.rs",
        " space .rs",
        "quo\"te'.rs",
        "größe.rs",
        "a#b.rs",
        // What a name that is no UTF-8 looks like when it is written down.
        "twin\u{fffd}.rs",
        &long,
        &deep,
    ];
    for name in good {
        project.write(name, "fn odd() {}\n");
    }
    project.write("line\nbreak.rs", "fn odd() {}\n");
    for name in [&b"bad\xff.rs"[..], b"twin\xff.rs"] {
        let path = project.root().join(OsStr::from_bytes(name));
        fs::write(path, "fn odd() {}\n").expect("a file");
    }
    // What is in such a directory has no path either, and two may look alike.
    for name in [&b"folder\xff"[..], b"folder\xfe"] {
        let folder = project.root().join(OsStr::from_bytes(name));
        fs::create_dir_all(&folder).expect("a directory");
        fs::write(folder.join("in.rs"), "fn odd() {}\n").expect("a file");
    }
    index_among_neighbours(&project);
    let found = project.rows("SELECT file_path FROM symbols WHERE name = 'odd'");
    assert_eq!(found.len(), good.len());
    for name in good {
        assert!(found.iter().any(|row| row["file_path"] == name), "{name:?}");
    }
    assert_eq!(
        project.lines("SELECT count(*) FROM files WHERE status = 'skipped' AND reason = 'path'"),
        ["3"]
    );
    let validated = project.groma(&["validate", "--json"]);
    assert_eq!(validated.status, Some(0), "{validated:?}");
    let shown = project.groma(&["show", "odd", "--json"]).json();
    assert_eq!(shown["index"]["stale"], false, "{shown}");
    // A name that begins with a dash is no flag behind `--`.
    let outcome = project.groma(&["outline", "--json", "--", "-rf.rs"]);
    assert_eq!(outcome.json()["file"], "-rf.rs");
}

#[test]
fn directories_too_deep_for_a_path_do_not_stop_the_walk() {
    let project = Project::new();
    // In two halves, because the whole path is longer than a system call takes.
    let half = format!("{}/", "d".repeat(50)).repeat(60);
    fs::create_dir_all(project.path(&half)).expect("new directories");
    fs::create_dir_all(project.outside("half").join(&half)).expect("new directories");
    fs::write(project.outside("half").join(&half).join("deep.rs"), "fn deep() {}\n")
        .expect("a file");
    fs::rename(project.outside("half"), project.path(&half).join("half")).expect("it is ours");
    index_among_neighbours(&project);
    let too_long = project.lines("SELECT DISTINCT reason FROM files WHERE status = 'skipped'");
    assert_eq!(too_long, ["path"], "something says that files are missing");
    project.index();
    assert_neighbours_unharmed(&project);
}

#[test]
fn names_that_differ_in_case_or_composition_are_different_files() {
    let project = Project::new();
    for (name, function) in [
        ("A.rs", "upper"),
        ("a.rs", "lower"),
        ("caf\u{e9}.rs", "composed"),
        ("cafe\u{301}.rs", "combined"),
    ] {
        project.write(name, format!("fn {function}() {{}}\n"));
    }
    index_among_neighbours(&project);
    assert_eq!(
        project.lines(
            "SELECT file_path, name FROM symbols WHERE file_path NOT LIKE 'near/%' ORDER BY name"
        ),
        ["cafe\u{301}.rs combined", "caf\u{e9}.rs composed", "a.rs lower", "A.rs upper"]
    );
}

#[test]
fn files_with_keys_and_passwords_are_never_read() {
    let project = Project::new();
    for name in [
        ".env",
        ".env.local",
        "server.pem",
        "id_rsa",
        "id_ed25519.pub",
        ".npmrc",
        "a.tfstate",
        ".netrc",
    ] {
        project.write(name, format!("TOKEN={CANARY}\n"));
        project.write(&format!("sub/{name}"), format!("TOKEN={CANARY}\n"));
    }
    let report = project.index_with(&["--with-fts"]);
    assert_eq!(report["skipped"]["secret"], 16);
    assert!(!project.state_contains(CANARY.as_bytes()));
}
