//! A disk that is full or lies: an error that says so, an index that stays or is set aside, and nothing to
//! repair by hand afterwards.

mod mounted;

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::dump;
use crate::project::{NEIGHBOURS, Outcome, Project, wait};

/// Runs the program where no file may grow beyond so many blocks of 512 bytes: writing fails then, as on
/// a full disk.
fn on_a_full_disk(project: &Project, blocks: usize, arguments: &str) -> Outcome {
    deprived(project, &format!("trap '' XFSZ; ulimit -f {blocks}"), arguments)
}

/// Runs the program in a shell that first takes something away from it.
fn deprived(project: &Project, script: &str, arguments: &str) -> Outcome {
    let script = format!("{script}; exec \"$0\" {arguments}");
    let inner = project.command(&[]);
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(inner.get_program()).current_dir(project.root());
    command.env_clear();
    for (name, value) in inner.get_envs() {
        if let Some(value) = value {
            command.env(name, value);
        }
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    wait(command.spawn().expect("a shell"), Duration::from_secs(60))
}

#[test]
fn too_few_descriptors_take_no_file_for_gone() {
    let project = project();
    project.index();
    let whole = dump::dump(&project, "");
    let mut failed = 0;
    for limit in [6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 64] {
        for arguments in ["index --json -q", "index --full --json -q"] {
            let outcome = deprived(&project, &format!("ulimit -n {limit}"), arguments);
            assert!(matches!(outcome.status, Some(0 | 6)), "{limit}: {outcome:?}");
            assert!(!outcome.stderr.contains("panicked"), "{outcome:?}");
            failed += usize::from(outcome.status == Some(6));
            dump::assert_equal(&whole, &dump::dump(&project, ""));
        }
    }
    assert!(failed > 0, "no limit was too low");
    let outcome = deprived(&project, "ulimit -n 64", "index --full -q");
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
}

#[test]
fn it_works_without_a_home_and_without_a_place_for_temporary_files() {
    let project = project();
    for script in
        ["unset HOME", "TMPDIR=/nonexistent; export TMPDIR", "HOME=/nonexistent; export HOME"]
    {
        for arguments in ["index -q", "index --full -q", "show f7 --json", "doctor --json"] {
            let outcome = deprived(&project, script, arguments);
            let is_told = matches!(outcome.status, Some(0 | 3));
            assert!(is_told && !outcome.stderr.contains("panicked"), "{script}: {outcome:?}");
        }
    }
    let gone = deprived(&project, "mkdir gone && cd gone && rmdir ../gone", "status --json");
    assert!(matches!(gone.status, Some(0 | 6)) && !gone.stderr.contains("panicked"), "{gone:?}");
}

fn project() -> Project {
    let project = Project::with(NEIGHBOURS);
    for number in 0..60 {
        let text = format!("/// Number {number}.\npub fn f{number}(x: u32) -> u32 {{ x }}\n");
        project.write(&format!("src/f{number}.rs"), text.repeat(30));
    }
    project
}

/// Limits at which something else fails each time, from nothing to enough.
const LIMITS: [usize; 9] = [1, 8, 64, 128, 256, 400, 600, 900, 100_000];

#[test]
fn a_full_disk_while_building_leaves_the_old_index() {
    let project = project();
    project.index();
    let whole = dump::dump(&project, "");
    let mut failed = 0;
    for limit in LIMITS {
        let outcome = on_a_full_disk(&project, limit, "index --full --json -q");
        assert!(matches!(outcome.status, Some(0 | 6)), "{limit}: {outcome:?}");
        failed += usize::from(outcome.status == Some(6));
        dump::assert_equal(&whole, &dump::dump(&project, ""));
        assert!(!project.state("index.db.building").exists(), "{limit}");
    }
    assert!((1..LIMITS.len()).contains(&failed), "{failed} of the limits were too low");
    project.index_with(&["--full"]);
    dump::assert_equal(&whole, &dump::dump(&project, ""));
}

#[test]
fn a_full_disk_while_updating_leaves_the_old_index() {
    let project = project();
    project.index();
    let old = dump::dump(&project, "");
    for number in 0..40 {
        project
            .write(&format!("src/f{number}.rs"), format!("pub fn new{number}() {{}}\n").repeat(40));
    }
    let (mut failed, mut updated) = (0, false);
    for limit in LIMITS {
        let outcome = on_a_full_disk(&project, limit, "index --json -q");
        assert!(matches!(outcome.status, Some(0 | 6)), "{limit}: {outcome:?}");
        if outcome.status == Some(6) {
            assert!(!updated, "{limit}: it worked with less");
            failed += 1;
            dump::assert_equal(&old, &dump::dump(&project, ""));
        } else {
            updated = true;
        }
    }
    assert!(failed > 0 && updated, "{failed} of the limits were too low");
    let new = dump::dump(&project, "");
    project.index_with(&["--full"]);
    dump::assert_equal(&dump::dump(&project, ""), &new);
}

#[test]
fn a_damaged_index_kills_nothing_and_is_built_anew() {
    let project = project();
    project.index();
    let whole = dump::dump(&project, "");
    let sound = std::fs::read(project.state("index.db")).expect("an index");
    let rounds = if crate::project::long_tests() { 1000 } else { 24 };
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |limit: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % limit.max(1) as u64) as usize
    };
    for round in 0..rounds {
        let mut bytes = sound.clone();
        match round % 4 {
            0 => bytes.truncate(below(sound.len())),
            1 => {
                let page = below(sound.len() / 8192) * 8192;
                bytes[page..page + 8192].fill(0);
            }
            2 => (0..200).for_each(|_| bytes[below(sound.len())] ^= 1 << below(8)),
            _ => {
                let at = below(sound.len() - 64);
                bytes[at..at + 64].fill(0xff);
            }
        }
        std::fs::write(project.state("index.db"), &bytes).expect("a file of the test");
        std::fs::write(project.state("index.db-wal"), &bytes[..bytes.len().min(5000)])
            .expect("a file");
        for arguments in
            [&["status"][..], &["show", "f7"], &["dump", "--hash"], &["doctor"], &["index"]]
        {
            let outcome = project.groma(arguments);
            let is_told = matches!(outcome.status, Some(0 | 1 | 3 | 6));
            assert!(
                is_told && !outcome.stderr.contains("panicked"),
                "{round}: {arguments:?} {outcome:?}"
            );
        }
        project.index_with(&["--full"]);
        dump::assert_equal(&whole, &dump::dump(&project, ""));
    }
}

/// In versions before, two connections that write and checkpoint at once could lose pages; one was withdrawn.
#[test]
fn reliability_99_the_database_has_its_log_mended_and_there_is_one_of_it() {
    let version = rusqlite::version_number();
    assert!(version >= 3_051_003 && version != 3_052_000, "{version}");
    let lock = include_str!("../../../../Cargo.lock");
    assert_eq!(lock.matches("name = \"libsqlite3-sys\"").count(), 1);
}
