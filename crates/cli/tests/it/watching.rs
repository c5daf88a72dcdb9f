//! A watcher sees all that happens, in whatever way it happens.

use std::process::Child;
use std::time::{Duration, Instant};

use crate::dump;
use crate::project::{Project, signal, wait};

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(40);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A project with a watcher that is at work.
struct Watched {
    project: Project,
    child: Option<Child>,
}

impl Watched {
    fn new() -> Self {
        let project = Project::with(&[("src/a.rs", "pub fn alpha() {}\n")]);
        std::fs::create_dir_all(project.path(".git/info")).expect("a directory");
        let mut this = Self { project, child: None };
        this.start();
        this
    }

    fn start(&mut self) {
        let child = self.project.command(&["watch", "--json"]).spawn().expect("the program starts");
        self.child = Some(child);
        until("the watcher is active", || self.state() == "active");
        self.sees("alpha");
    }

    fn state(&self) -> String {
        let outcome = self.project.groma(&["status", "--json", "--no-refresh"]);
        if outcome.status != Some(0) {
            return String::new();
        }
        outcome.json()["index"]["watch"].as_str().unwrap_or_default().to_owned()
    }

    fn has(&self, name: &str) -> bool {
        // Past the program, which refuses to answer where its configuration is wrong.
        let file = self.project.state("index.db");
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let Ok(database) = rusqlite::Connection::open_with_flags(file, flags) else { return false };
        let sql = "SELECT count(*) FROM symbols WHERE name = ?1";
        database.query_row(sql, [name], |row| row.get::<_, i64>(0)) == Ok(1)
    }

    fn sees(&self, name: &str) {
        until(name, || self.has(name));
    }

    fn loses(&self, name: &str) {
        until(name, || !self.has(name));
    }

    /// Ends the watcher; what it kept is what an index from nothing is.
    fn end(mut self) {
        let child = self.child.take().expect("it was started");
        signal(&child, "TERM");
        let outcome = wait(child, Duration::from_secs(20));
        assert_eq!(outcome.status, Some(0), "{outcome:?}");
        let watched = dump::dump(&self.project, "");
        self.project.index_with(&["--full"]);
        dump::assert_equal(&dump::dump(&self.project, ""), &watched);
    }
}

#[test]
fn a_directory_that_was_empty_is_watched() {
    let watched = Watched::new();
    let project = &watched.project;
    std::fs::create_dir_all(project.path("empty/deep")).expect("a directory");
    std::thread::sleep(Duration::from_millis(300));
    project.write("empty/deep/x.rs", "pub fn in_empty() {}\n");
    watched.sees("in_empty");
    watched.end();
}

#[test]
fn a_directory_in_the_place_of_another_is_watched() {
    let watched = Watched::new();
    let project = &watched.project;
    for round in 0..3 {
        std::fs::remove_dir_all(project.path("src")).expect("it is there");
        project.write("src/b.rs", format!("pub fn first_{round}() {{}}\n"));
        watched.sees(&format!("first_{round}"));
        project.write("src/c.rs", format!("pub fn second_{round}() {{}}\n"));
        watched.sees(&format!("second_{round}"));
    }
    watched.end();
}

#[test]
fn all_ways_to_save_a_file_are_seen() {
    let watched = Watched::new();
    let project = &watched.project;
    let rename = |from: &str, to: &str| {
        std::fs::rename(project.path(from), project.path(to)).expect("a rename");
    };
    // Emptied and written in pieces.
    let mut file = std::fs::File::create(project.path("src/a.rs")).expect("a file");
    for piece in ["pub fn ", "in_pie", "ces() {}\n"] {
        use std::io::Write;
        file.write_all(piece.as_bytes()).expect("it is written");
        std::thread::sleep(Duration::from_millis(70));
    }
    drop(file);
    watched.sees("in_pieces");
    // Written beside it and renamed over it.
    project.write("src/.a.rs.swp", "pub fn renamed_over() {}\n");
    rename("src/.a.rs.swp", "src/a.rs");
    watched.sees("renamed_over");
    // The old one kept as a backup.
    rename("src/a.rs", "src/a.rs~");
    project.write("src/a.rs", "pub fn beside_a_backup() {}\n");
    watched.sees("beside_a_backup");
    project.remove("src/a.rs~");
    // A file becomes a directory, and that a file.
    project.remove("src/a.rs");
    project.write("src/a.rs/inner.rs", "pub fn inside() {}\n");
    watched.sees("inside");
    watched.loses("beside_a_backup");
    std::fs::remove_dir_all(project.path("src/a.rs")).expect("it is there");
    project.write("src/a.rs", "pub fn a_file_again() {}\n");
    watched.sees("a_file_again");
    watched.loses("inside");
    watched.end();
}

#[test]
fn configuration_and_rules_from_outside_are_heeded() {
    let watched = Watched::new();
    let project = &watched.project;
    project.write("gen/g.rs", "pub fn generated() {}\n");
    watched.sees("generated");
    project.write(".groma/config.toml", "exclude = [\"gen/**\"]\n");
    watched.loses("generated");
    project.remove(".groma/config.toml");
    watched.sees("generated");
    project.write(".git/info/exclude", "gen/\n");
    watched.loses("generated");
    project.write(".git/info/exclude", "# nothing\n");
    watched.sees("generated");
    // One that cannot be used is told, and the last good one stays.
    project.write(".groma/config.toml", "exlude = []\n");
    project.write("gen/h.rs", "pub fn more() {}\n");
    watched.sees("more");
    project.remove(".groma/config.toml");
    watched.end();
}

#[test]
fn a_project_that_is_replaced_is_watched_again() {
    let watched = Watched::new();
    let root = watched.project.root();
    let aside = watched.project.outside("moved-away");
    std::fs::rename(&root, &aside).expect("a rename");
    std::thread::sleep(Duration::from_millis(700));
    assert!(!root.exists(), "what was deleted does not come back by itself");
    watched.project.write("src/z.rs", "pub fn cloned_again() {}\n");
    watched.sees("cloned_again");
    until("it is watched", || watched.state() == "active");
    watched.project.write("src/y.rs", "pub fn and_then() {}\n");
    watched.sees("and_then");
    // The same for its state alone.
    std::fs::remove_dir_all(watched.project.state("")).expect("it is there");
    watched.sees("and_then");
    until("it is watched", || watched.state() == "active");
    watched.end();
}

#[test]
fn more_events_than_the_system_keeps_lose_nothing() {
    let watched = Watched::new();
    let child = watched.child.as_ref().expect("it was started");
    let kept = std::fs::read_to_string("/proc/sys/fs/inotify/max_queued_events");
    let Some(kept) = kept.ok().and_then(|text| text.trim().parse::<usize>().ok()) else {
        eprintln!("not tried: this system has another way to tell of events");
        return watched.end();
    };
    signal(child, "STOP");
    // Equal events in a row count once, so two files take turns.
    let paths = ["src/one.rs", "src/two.rs"].map(|path| watched.project.path(path));
    for number in 0..kept.min(40_000) {
        let text = if number % 2 == 0 { "pub fn x() {}\n" } else { "pub fn y() {}\n" };
        std::fs::write(&paths[number % 2], text).expect("it is written");
    }
    watched.project.write("src/last.rs", "pub fn after_all() {}\n");
    signal(child, "CONT");
    watched.sees("after_all");
    watched.end();
}

#[test]
fn reliability_120_without_watches_the_project_is_compared_now_and_then() {
    for (limit, most) in [("max_inotify_watches", 1), ("max_inotify_instances", 0)] {
        let project = Project::with(&[("src/a.rs", "pub fn alpha() {}\n")]);
        // A limit of a name space of users is nobody else's.
        let script = format!("echo {most} >/proc/sys/user/{limit} && exec \"$0\" watch");
        let inner = project.command(&[]);
        let mut command = std::process::Command::new("unshare");
        command.args(["--map-root-user", "sh", "-c", &script]).arg(inner.get_program());
        command.current_dir(project.root()).env_clear();
        command.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let Ok(mut child) = command.spawn() else {
            return eprintln!("not tried: there is no unshare here");
        };
        std::thread::sleep(Duration::from_millis(300));
        if child.try_wait().is_ok_and(|ended| ended.is_some()) {
            return eprintln!("not tried: this user may set no limits of its own");
        }
        let watched = Watched { project, child: Some(child) };
        until("it compares", || watched.state() == "polling");
        watched.project.write("src/b.rs", "pub fn beta() {}\n");
        watched.sees("beta");
        let mut watched = watched;
        let child = watched.child.take().expect("it was started");
        signal(&child, "TERM");
        let outcome = wait(child, Duration::from_secs(20));
        let told = outcome.stderr.matches("cannot watch").count();
        assert!(told == 1 && outcome.stderr.contains("fs.inotify."), "{outcome:?}");
    }
}
