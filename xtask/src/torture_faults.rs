//! System calls that fail, one after another: the first, the second, and so on until none is left.
//!
//! `strace` makes a call of the shipped program fail, once or from then on. Whatever comes of it, the program
//! says so (status 6) or has done all of it (status 0); the index that was there still answers; and when the
//! fault is gone, the next run gives what an index from nothing is, without any help.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::Outcome;
use crate::torture::{Bench, Result};

/// Which calls fail, and how. The names of a call are those it has on different systems.
const FAULTS: &[(&str, &str)] = &[
    ("write,pwrite64,writev", "ENOSPC"),
    ("write,pwrite64,writev", "EIO"),
    ("read,pread64", "EIO"),
    ("open,openat,openat2", "EMFILE"),
    ("open,openat,openat2", "EIO"),
    ("rename,renameat,renameat2", "EIO"),
    ("unlink,unlinkat", "EIO"),
    ("mkdir,mkdirat", "ENOSPC"),
    ("fsync,fdatasync", "EIO"),
    ("ftruncate,fallocate", "ENOSPC"),
    ("getdents64", "EIO"),
    ("stat,fstat,newfstatat,statx", "EIO"),
    ("flock", "ENOLCK"),
    ("mmap", "ENOMEM"),
    ("pipe,pipe2", "EMFILE"),
    ("clone,clone3,fork,vfork", "EAGAIN"),
    ("execve", "ENOMEM"),
];

/// What is done while calls fail.
pub(crate) const WAYS: [(&str, &[&str]); 3] =
    [("index", &[]), ("update", &[]), ("rebuild", &["--full"])];

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let most = match arguments {
        [] => usize::MAX,
        [most] => most.parse()?,
        _ => return Err("torture faults [<most failing calls of a kind>]".into()),
    };
    if Command::new("strace").arg("-V").output().is_err() {
        println!("not run: there is no strace here, which makes system calls fail");
        return Ok(());
    }
    let faults = Faults::new()?;
    let (mut total, mut failed, mut wrong) = (0, 0, 0);
    for (way, more) in WAYS {
        for (calls, error) in FAULTS {
            for sticky in [false, true] {
                let tally = faults.series(way, more, calls, error, sticky, most)?;
                total += tally.runs;
                failed += tally.failed;
                wrong += tally.wrong;
            }
        }
        println!("{way}: {total} runs so far, {failed} failed and said so, {wrong} went wrong");
    }
    if wrong > 0 {
        return Err(format!("{wrong} of {total} faults were not survived").into());
    }
    println!(
        "{total} faults: {failed} failed and said so, the others were survived; every index whole"
    );
    Ok(())
}

#[derive(Default)]
struct Tally {
    runs: u64,
    failed: u64,
    wrong: u64,
}

pub(crate) struct Faults {
    bench: Bench,
    /// What the index says before the files were changed, and after.
    old: String,
    new: String,
}

impl Faults {
    pub(crate) fn new() -> Result<Self> {
        let bench = Bench::new()?;
        let write = |path: &str, text: &str| -> Outcome {
            let path = bench.root().join(path);
            std::fs::create_dir_all(path.parent().ok_or("a file has a folder")?)?;
            Ok(std::fs::write(path, text)?)
        };
        write(".gitignore", "ignored/\n")?;
        write("ignored/no.rs", "fn no() {}\n")?;
        write("src/lib.rs", "pub mod deep;\npub fn top() -> u32 { deep::inner() }\n")?;
        write("src/deep/mod.rs", "pub fn inner() -> u32 { 7 }\n")?;
        write("app/main.py", "from util import helper\n\ndef main():\n    return helper()\n")?;
        write("app/util.py", "def helper():\n    return 1\n")?;
        write("web/a.ts", "import { b } from './b';\nexport const a = () => b(1);\n")?;
        write("web/b.ts", "export function b(n: number) { return n; }\n")?;
        bench.index("before", &[])?;
        let old = bench.must("before", &["dump", "--hash"])?;
        write("src/deep/mod.rs", "pub fn inner() -> u32 { other() }\nfn other() -> u32 { 8 }\n")?;
        write("web/c.ts", "import { b } from './b';\nexport const c = b(2);\n")?;
        std::fs::remove_file(bench.root().join("app/util.py"))?;
        // What was written just now is not trusted yet, and would be read again every time.
        std::thread::sleep(std::time::Duration::from_millis(100));
        bench.index("fresh", &["--full"])?;
        let new = bench.must("fresh", &["dump", "--hash"])?;
        Ok(Self { bench, old, new })
    }

    /// Has the first, the second, the third call fail, and so on until there are no more.
    fn series(
        &self,
        way: &str,
        more: &[&str],
        calls: &str,
        error: &str,
        sticky: bool,
        most: usize,
    ) -> Result<Tally> {
        let mut tally = Tally::default();
        let mut number = 1;
        while number <= most {
            let when = format!("{number}{}", if sticky { "+" } else { "" });
            let fault = format!("inject={calls}:error={error}:when={when}");
            self.reset(way)?;
            let (output, injected) = self.run(&fault, more)?;
            tally.runs += 1;
            tally.failed += u64::from(output.status.code() == Some(6));
            if let Err(error) = self.judge(way, &fault, &output) {
                tally.wrong += 1;
                println!("{way} {fault}: {error}");
            }
            if !injected {
                break;
            }
            // Each of the first calls, then ever fewer: where there are many, they are alike.
            number += 1 + number / 24;
        }
        Ok(tally)
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.bench.directory.join("state")
    }

    /// The state directory as it is before each run.
    pub(crate) fn reset(&self, way: &str) -> Outcome {
        let state = self.state();
        if state.exists() {
            std::fs::remove_dir_all(&state)?;
        }
        if way != "index" {
            let before = self.bench.directory.join("before");
            let copied = Command::new("cp").arg("-r").arg(before).arg(&state).status()?;
            if !copied.success() {
                return Err("the state cannot be copied".into());
            }
        }
        Ok(())
    }

    /// Runs the program with a fault, and says whether it came to that.
    fn run(&self, fault: &str, more: &[&str]) -> Result<(Output, bool)> {
        let (output, log) = self.traced(&["-e", fault], more)?;
        Ok((output, log.contains("(INJECTED)")))
    }

    /// Runs the program under `strace`, and gives what that has to say.
    pub(crate) fn traced(&self, options: &[&str], more: &[&str]) -> Result<(Output, String)> {
        let log = self.bench.directory.join("strace");
        let root = self.bench.root();
        let mut arguments = vec!["index", root.to_str().ok_or("a path that is no text")?];
        arguments.extend(more);
        let inner = self.bench.command("state", &arguments);
        let mut command = Command::new("timeout");
        command.args(["60", "strace", "-f", "-qq", "-o"]).arg(&log).args(options);
        command.arg(inner.get_program()).args(inner.get_args());
        for (name, value) in inner.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        let output = command.output()?;
        Ok((output, std::fs::read_to_string(&log).unwrap_or_default()))
    }

    fn judge(&self, way: &str, fault: &str, output: &Output) -> Outcome {
        let text = String::from_utf8_lossy(&output.stderr);
        let status = output.status.code();
        if text.contains("panicked") && !fault.contains("ENOMEM") {
            return Err(format!("it panicked: {text}").into());
        }
        // Before the first line of the program runs, the system itself may give up, and without memory the
        // program cannot even say so.
        let is_told = matches!(status, Some(0 | 6 | 127))
            || text.contains("loading shared libraries")
            || fault.contains("ENOMEM");
        if !is_told {
            return Err(format!("status {status:?}: {text}").into());
        }
        // SQLite takes a page that cannot be read for damage, so such an index is set aside and built anew.
        let may_be_aside = fault.contains("pread64:error=EIO");
        self.judge_state(way, status, may_be_aside)
    }

    /// Whether an index is there that is whole, and the next run needs no help. The status is that of a run that
    /// came to an end.
    pub(crate) fn judge_state(
        &self,
        way: &str,
        status: Option<i32>,
        may_be_aside: bool,
    ) -> Outcome {
        // Whatever there was still answers, and is whole: the one before or the one after.
        let (had_index, has_index) = (way != "index", self.state().join("index.db").exists());
        if had_index && !has_index {
            return Err("the index is gone".into());
        }
        if has_index {
            let now = self.bench.must("state", &["dump", "--hash"])?;
            if now != self.new && (now != self.old || status == Some(0)) && !self.is_honest()? {
                return Err(
                    format!("status {status:?}, and the index is neither old nor new").into()
                );
            }
        } else if status == Some(0) {
            return Err("it says that it is done, and there is no index".into());
        }
        self.bench.index("state", &[]).map_err(|error| format!("not healed: {error}"))?;
        if self.bench.must("state", &["dump", "--hash"])? != self.new {
            return Err("healed, but another one than from nothing".into());
        }
        let left = std::fs::read_dir(self.state())?
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .find(|name| name.contains("building") || name.contains("aside") && !may_be_aside);
        match left {
            Some(left) => Err(format!("{left} is left behind").into()),
            None => Ok(()),
        }
    }

    /// Whether files that could not be read are told as such.
    fn is_honest(&self) -> Result<bool> {
        let sql = "SELECT count(*) AS n FROM files WHERE reason IN ('unreadable', 'crashed')";
        let told = self.bench.must("state", &["query", sql, "--json", "--no-refresh"])?;
        Ok(!told.contains("\"n\": 0"))
    }
}
