//! The other things an index must be equal to: itself with all undone, built by one worker, kept by a
//! watcher, interrupted and resumed, without git, in another working tree. Each of them is shown to fail
//! with a bug on purpose.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use index::bugs::{self, Bug};
use index::pool::Pool;
use index::{Config, Job, Project, Silent};

use super::{Bench, Random, difference, pool};

/// Whether a check fails with a bug, and holds without.
fn proves(bug: Bug, check: impl Fn(&Pool) -> Result<(), String>) {
    let pool = pool();
    check(&pool).unwrap_or_else(|text| panic!("{text}"));
    bugs::seed(Some(bug));
    let outcome = check(&pool);
    bugs::seed(None);
    assert!(outcome.is_err(), "{bug:?} was not found");
}

/// Edits, all undone: the index is the one it was, and hardly larger.
fn undone(pool: &Pool) -> Result<(), String> {
    let mut random = Random::new(5000);
    let mut bench = Bench::new(pool, &mut random);
    bench.update();
    let (before, saved) = (bench.dump("state"), bench.tree.save());
    for _ in 0..4 {
        for _ in 0..6 {
            bench.tree.edit(&mut random);
            bench.update();
        }
        bench.tree.restore(&saved);
        bench.update();
        difference(&before, &bench.dump("state"))?;
    }
    Ok(())
}

#[test]
fn what_is_undone_leaves_nothing() {
    proves(Bug::KeepTerms, undone);
}

#[test]
fn a_hundred_times_there_and_back_grows_nothing() {
    let pool = pool();
    let mut random = Random::new(5100);
    let mut bench = Bench::new(&pool, &mut random);
    bench.update();
    let (before, saved) = (bench.dump("state"), bench.tree.save());
    bench.tree.edit(&mut random);
    let edited = bench.tree.save();
    let file = bench.tree.outside("state").join("index.db");
    // The most of each half: the full-text index has a few parts more before it merges them.
    let mut most = [0, 0];
    for round in 0..100 {
        bench.tree.restore(if round % 2 == 0 { &edited } else { &saved });
        bench.update();
        let half = &mut most[round / 50];
        *half = bytes_in_use(&file).max(*half);
    }
    difference(&before, &bench.dump("state")).unwrap_or_else(|text| panic!("{text}"));
    let [early, late] = most;
    assert!(late <= early + early / 20, "{early} bytes became {late}");
}

/// Bytes of a database that hold something. The full-text index merges its parts now and then, and what
/// it no longer needs is filled again.
fn bytes_in_use(file: &Path) -> u64 {
    let database = rusqlite::Connection::open(file).unwrap();
    let pragma = |name: &str| -> u64 {
        let value: i64 = database.pragma_query_value(None, name, |row| row.get(0)).unwrap();
        value as u64
    };
    (pragma("page_count") - pragma("freelist_count")) * pragma("page_size")
}

/// The same rows in the same order, however many workers there are.
fn parallel(pool: &Pool) -> Result<(), String> {
    let mut random = Random::new(5200);
    let mut bench = Bench::new(pool, &mut random);
    for _ in 0..12 {
        bench.tree.edit(&mut random);
    }
    let mut known: Option<(Vec<String>, Vec<String>)> = None;
    for (workers, state) in [(1, "one"), (2, "two"), (8, "eight"), (8, "again")] {
        bench.config.workers = workers;
        bench.index(state, true);
        let database =
            rusqlite::Connection::open(bench.tree.outside(state).join("index.db")).unwrap();
        let mut paths = database.prepare("SELECT path FROM file ORDER BY id").unwrap();
        let paths: Vec<String> =
            paths.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
        let found = (paths, bench.dump(state));
        match &known {
            None => known = Some(found),
            Some((paths, rows)) => {
                difference(paths, &found.0)?;
                difference(rows, &found.1)?;
            }
        }
    }
    Ok(())
}

#[test]
fn many_workers_write_what_one_writes() {
    proves(Bug::OrderOfArrival, |pool| {
        // One order of arrival may be the right one.
        (0..6).try_for_each(|_| parallel(pool))
    });
}

/// Stops a run at the n-th moment at which it tells how far it is.
struct Stopper<'s> {
    left: AtomicUsize,
    interrupted: &'s AtomicBool,
}

impl index::Progress for Stopper<'_> {
    fn phase(&self, _: &'static str, _: u64) {
        self.advance(0);
    }

    fn advance(&self, _: u64) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.interrupted.store(true, Ordering::Relaxed);
        }
    }
}

/// Interrupted at every moment, one after another, then left to finish: what an undisturbed run gives.
fn resumed(pool: &Pool) -> Result<(), String> {
    let mut random = Random::new(5300);
    for full in [false, true] {
        let mut bench = Bench::new(pool, &mut random);
        bench.update();
        for _ in 0..10 {
            bench.tree.edit(&mut random);
        }
        let project = Project::at(&bench.tree.root(), Some(&bench.tree.outside("state"))).unwrap();
        for moment in 1.. {
            let interrupted = AtomicBool::new(false);
            let stopper = Stopper { left: AtomicUsize::new(moment), interrupted: &interrupted };
            let job = Job {
                project: &project,
                config: &bench.config,
                pool,
                progress: &stopper,
                interrupted: &interrupted,
                only: None,
                full,
                patience: Duration::from_secs(20),
            };
            if index::index(&job).is_ok() {
                break;
            }
        }
        bench.compare()?;
    }
    Ok(())
}

#[test]
fn what_was_interrupted_is_resumed() {
    proves(Bug::NoteTimesFirst, resumed);
}

fn has_git() -> bool {
    let is_there = Command::new("git").arg("--version").output().is_ok();
    if !is_there {
        eprintln!("not tried: there is no git");
    }
    is_there
}

fn git(directory: &Path, arguments: &[&str]) -> bool {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(["-c", "core.autocrlf=false", "-c", "core.excludesFile="])
        .args(arguments)
        .current_dir(directory)
        .output();
    output.is_ok_and(|output| output.status.success())
}

/// With git, and after `.git` is gone: the same, after edits between two commits too.
fn without_git(pool: &Pool) -> Result<(), String> {
    let mut random = Random::new(5400);
    let mut bench = Bench::new(pool, &mut random);
    let root = bench.tree.root();
    assert!(git(&root, &["init", "-q"]));
    for round in 0..4 {
        for _ in 0..5 {
            bench.tree.edit(&mut random);
            bench.update();
        }
        if round % 2 == 0 {
            assert!(git(&root, &["add", "-A", "-f"]) && git(&root, &["commit", "-q", "-m", "x"]));
        }
        let with = bench.dump("state");
        let aside = bench.tree.outside("git");
        std::fs::rename(root.join(".git"), &aside).unwrap();
        bench.index("fresh", true);
        difference(&bench.dump("fresh"), &with)?;
        std::fs::rename(&aside, root.join(".git")).unwrap();
    }
    Ok(())
}

#[test]
fn git_changes_nothing() {
    if has_git() {
        proves(Bug::TrustCommit, without_git);
    }
}

/// The index of a working tree, which starts from that of its repository, and that of a clone.
fn worktree(pool: &Pool) -> Result<(), String> {
    let mut random = Random::new(5500);
    let mut bench = Bench::new(pool, &mut random);
    let root = bench.tree.root();
    assert!(git(&root, &["init", "-q"]));
    let commit =
        || assert!(git(&root, &["add", "-A", "-f"]) && git(&root, &["commit", "-q", "-m", "x"]));
    commit();
    for _ in 0..8 {
        bench.tree.edit(&mut random);
    }
    std::fs::write(root.join("only_now.rs"), "fn only_now() {}\n").unwrap();
    commit();
    let index_of = |root: &Path| {
        let project = Project::at(root, None).unwrap();
        let job = Job {
            project: &project,
            config: &bench.config,
            pool,
            progress: &Silent,
            interrupted: &AtomicBool::new(false),
            only: None,
            full: false,
            patience: Duration::from_secs(20),
        };
        index::index(&job).unwrap_or_else(|error| panic!("{error:?}"));
        bench.dump_of(&project.index_file())
    };
    index_of(&root);
    let (tree, clone) = (bench.tree.outside("tree"), bench.tree.outside("clone"));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    assert!(git(&root, &["worktree", "add", "-q", "--detach", &text(&tree), "HEAD~1"]));
    assert!(git(&root, &["clone", "-q", ".", &text(&clone)]));
    assert!(git(&clone, &["checkout", "-q", "HEAD~1"]));
    difference(&index_of(&clone), &index_of(&tree))
}

#[test]
fn a_working_tree_is_what_a_clone_is() {
    if has_git() {
        proves(Bug::KeepGone, worktree);
    }
}

/// Edits under a watcher: when it is quiet, its index is what one from nothing is.
fn watched(pool: &Pool, seed: u64, bug: Option<Bug>) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut bench = Bench::new(pool, &mut random);
    let project = Project::at(&bench.tree.root(), Some(&bench.tree.outside("state"))).unwrap();
    let config: Config = bench.config.clone();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Bugs belong to a thread.
            bugs::seed(bug);
            let job = Job {
                project: &project,
                config: &config,
                pool,
                progress: &Silent,
                interrupted: &stop,
                only: None,
                full: false,
                patience: Duration::from_secs(20),
            };
            index::watch::watch(&job, &mut |_| {}).unwrap_or_else(|error| panic!("{error:?}"));
            bugs::seed(None);
        });
        let outcome = (|| {
            for round in 0..3 {
                for _ in 0..8 {
                    bench.tree.edit(&mut random);
                    std::thread::sleep(Duration::from_millis(random.below(40) as u64));
                }
                settle(&bench, bug)?;
                // Edits at random seldom make a directory, and what comes into it after that.
                let arrived = bench.tree.root().join(format!("arrived_{round}/inner"));
                std::fs::create_dir_all(&arrived).unwrap();
                settle(&bench, bug)?;
                std::fs::write(arrived.join("one.py"), "def one():\n    pass\n").unwrap();
                settle(&bench, bug)?;
            }
            Ok(())
        })();
        stop.store(true, Ordering::Relaxed);
        outcome
    })
}

/// Waits until the index of the watcher is what one from nothing is.
fn settle(bench: &Bench<'_>, bug: Option<Bug>) -> Result<(), String> {
    // Where everything is compared every few seconds, it takes that long.
    let patience = if bug.is_none_or(|bug| bug == Bug::NoWatches) { 30 } else { 3 };
    let deadline = Instant::now() + Duration::from_secs(patience);
    bench.index("fresh", true);
    let expected = bench.dump("fresh");
    loop {
        std::thread::sleep(Duration::from_millis(150));
        let is_there = bench.tree.outside("state").join("index.db").exists();
        let found = if is_there { bench.dump("state") } else { Vec::new() };
        match difference(&expected, &found) {
            Err(_) if Instant::now() < deadline => {}
            outcome => return outcome,
        }
    }
}

#[test]
fn a_watcher_keeps_what_one_from_nothing_would_be() {
    let pool = pool();
    for seed in 5600..5604 {
        watched(&pool, seed, None).unwrap_or_else(|text| panic!("seed {seed}: {text}"));
    }
}

#[test]
fn without_watches_everything_is_compared_and_comes_out_the_same() {
    let pool = pool();
    watched(&pool, 5600, Some(Bug::NoWatches)).unwrap_or_else(|text| panic!("{text}"));
}

#[test]
fn a_watcher_that_misses_something_is_found() {
    let pool = pool();
    for bug in [Bug::MissRemovals, Bug::WatchNothingNew] {
        let found = (5600..5606).any(|seed| watched(&pool, seed, Some(bug)).is_err());
        assert!(found, "{bug:?} was not found");
    }
}
