//! Kills at any moment, of everything that writes: a first index, one built anew, an update, a watcher, one
//! that takes the place of an older version's, and what a user saves, for the first time and later.
//!
//! After each kill whatever is there answers, the next command works unaided, and what a user was told is
//! saved is there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use store::rusqlite::{Connection, OptionalExtension};

use crate::Outcome;
use crate::torture::{Bench, Random, Result, edit, fill};

/// What is killed, and how long it may have run before, in microseconds.
const WAYS: [(&str, u64); 7] = [
    ("first", 250_000),
    ("full", 250_000),
    ("update", 250_000),
    ("watch", 250_000),
    ("migrate", 300_000),
    ("save", 60_000),
    ("save-first", 60_000),
];

pub(crate) fn run(rounds: u64) -> Outcome {
    let bench = Bench::new()?;
    let files = fill(&bench.root(), 4)?;
    let mut random = Random::seeded();
    println!("{} files, {rounds} kills", files.len());
    let started = Instant::now();
    bench.index("state", &[])?;
    let mut user = User { bench: &bench, told: BTreeSet::new() };
    user.save("first")?;
    let (mut killed, mut ended_before) = (BTreeMap::<&str, u64>::new(), 0);
    for round in 1..=rounds {
        edit(&files, &mut random, 30)?;
        let (way, most) = WAYS[random.below(WAYS.len() as u64) as usize];
        let context = |error: Box<dyn std::error::Error>| format!("round {round}, {way}: {error}");
        let name = format!("saved-{round}");
        prepare(&bench, way).map_err(context)?;
        let ended = kill(&bench, way, &name, most, &files, &mut random)?;
        *killed.entry(way).or_default() += u64::from(ended.is_none());
        ended_before += u64::from(ended.is_some());
        if way == "save-first" {
            user.told.clear();
        }
        if way.starts_with("save") && ended == Some(0) {
            user.told.insert(name);
        }
        if way == "save-first" {
            user.save(&format!("again-{round}")).map_err(context)?;
        }
        // Whatever is there answers, and the next commands need no help.
        user.check().map_err(context)?;
        let database = bench.directory.join("state/index.db");
        if database.exists() && is_of_this_version(&database) {
            bench.check_integrity().map_err(context)?;
        }
        bench.index("state", &[]).map_err(context)?;
        if round % 5 == 0 {
            user.save(&format!("told-{round}")).map_err(context)?;
            check_backup(&bench).map_err(context)?;
        }
        if round % 10 == 0 {
            bench.compare().map_err(context)?;
        }
        if round % 100 == 0 {
            println!("{round} kills, {:.0} s", started.elapsed().as_secs_f64());
        }
    }
    bench.compare()?;
    check_litter(&bench)?;
    println!("killed: {killed:?}; {ended_before} ended before");
    println!(
        "{rounds} kills: 0 corrupt, 0 repairs, 0 of {} saved rows lost, every comparison equal",
        user.told.len()
    );
    Ok(())
}

/// What a user was told is saved.
struct User<'b> {
    bench: &'b Bench,
    told: BTreeSet<String>,
}

impl User<'_> {
    fn save(&mut self, name: &str) -> Outcome {
        let flag = format!("--save-baseline={name}");
        self.bench.must("state", &["query", SAVED, &flag])?;
        self.told.insert(name.to_owned());
        Ok(())
    }

    /// Straight from the database, since there may be no index now to ask.
    fn check(&self) -> Outcome {
        let user = Connection::open(self.bench.directory.join("state/user.db"))?;
        let mut statement = user.prepare("SELECT name FROM query_baselines WHERE row_count = 3")?;
        let there: BTreeSet<String> =
            statement.query_map([], |row| row.get(0))?.collect::<std::result::Result<_, _>>()?;
        match self.told.difference(&there).next() {
            None => Ok(()),
            Some(lost) => Err(format!("what was saved as {lost} is lost").into()),
        }
    }
}

const SAVED: &str = "SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3";

/// Brings about what the command that is killed finds.
fn prepare(bench: &Bench, way: &str) -> Outcome {
    let state = bench.directory.join("state");
    match way {
        "first" => {
            for name in ["index.db", "index.db-wal", "index.db-shm"] {
                let _ = std::fs::remove_file(state.join(name));
            }
        }
        "migrate" => {
            let index = Connection::open(state.join("index.db"))?;
            let older = store::SCHEMA_VERSION - 1;
            index.execute_batch(&format!("PRAGMA user_version = {older}"))?;
            age(&state)?;
        }
        "save-first" => {
            for name in ["user.db", "user.db-journal", "user.db.backup-2"] {
                let _ = std::fs::remove_file(state.join(name));
            }
        }
        // What is saved then brings the user's data up.
        "save" => age(&state)?,
        _ => {}
    }
    Ok(())
}

/// Makes what a user saved look as an older version wrote it: that had no table of stops.
fn age(state: &Path) -> Outcome {
    let user = Connection::open(state.join("user.db"))?;
    user.execute_batch("BEGIN; DROP TABLE IF EXISTS recipe_stop; PRAGMA user_version = 2; COMMIT")?;
    let _ = std::fs::remove_file(state.join("user.db.backup-2"));
    Ok(())
}

/// Kills a command at some moment. Gives its status if it ended before.
fn kill(
    bench: &Bench,
    way: &str,
    name: &str,
    most: u64,
    files: &[PathBuf],
    random: &mut Random,
) -> Result<Option<i32>> {
    let root = bench.root();
    let root = root.to_str().ok_or("a path that is no text")?;
    let flag = format!("--save-baseline={name}");
    let arguments: &[&str] = match way {
        "full" => &["index", root, "--full"],
        "watch" => &["watch"],
        "save" | "save-first" => &["query", SAVED, &flag, "--no-refresh"],
        _ => &["index", root],
    };
    let mut child = bench.command("state", arguments).spawn()?;
    std::thread::sleep(Duration::from_micros(random.below(most)));
    if way == "watch" {
        edit(files, random, 30)?;
        std::thread::sleep(Duration::from_micros(random.below(150_000)));
    }
    let ended = child.try_wait()?;
    child.kill()?;
    child.wait()?;
    Ok(ended.map(|status| status.code().unwrap_or(-1)))
}

fn is_of_this_version(database: &Path) -> bool {
    let version = Connection::open(database)
        .and_then(|index| index.query_row("PRAGMA user_version", [], |row| row.get::<_, u32>(0)));
    version.is_ok_and(|version| version == store::SCHEMA_VERSION)
}

/// A copy from before the user's data was brought up is whole.
fn check_backup(bench: &Bench) -> Outcome {
    let backup = bench.directory.join("state/user.db.backup-2");
    if !backup.exists() {
        return Ok(());
    }
    let copy = Connection::open(backup)?;
    let found: Option<String> =
        copy.query_row("PRAGMA integrity_check", [], |row| row.get(0)).optional()?;
    let rows: i64 = copy.query_row("SELECT count(*) FROM query_baselines", [], |row| row.get(0))?;
    match (found.as_deref(), rows) {
        (Some("ok"), 1..) => Ok(()),
        other => Err(format!("the copy of the user's data: {other:?}").into()),
    }
}

/// Nothing is left in the state but what belongs there.
fn check_litter(bench: &Bench) -> Outcome {
    for entry in std::fs::read_dir(bench.directory.join("state"))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_own = ["index.db", "index.db-wal", "index.db-shm", "user.db", "user.db-journal"]
            .contains(&name.as_str())
            || ["lock", "door", "watcher", ".gitignore", "user.db.backup-2"]
                .contains(&name.as_str());
        if !is_own {
            return Err(format!("{name} was left behind").into());
        }
    }
    Ok(())
}
