//! The program git, asked for objects and references only.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::error::{Error, Kind};
use crate::project::Project;
use crate::repository::Repository;

#[derive(Debug)]
pub(super) struct Git {
    program: PathBuf,
    directory: PathBuf,
    /// Path of the project in the repository, with a slash at the end unless it is empty.
    prefix: String,
    /// How long an answer may take.
    patience: Duration,
}

impl Git {
    pub(super) fn of(project: &Project) -> Result<Self, Error> {
        let missing = |what: &str| Error::new(Kind::Usage, what.to_owned()).code("no_git");
        let repository = Repository::around(&project.root)
            .ok_or_else(|| missing("this project is in no git repository"))?;
        let program = program(&project.root).ok_or_else(|| missing("there is no git here"))?;
        let prefix = project.root.strip_prefix(&repository.top).unwrap_or(Path::new(""));
        let mut prefix = prefix.to_string_lossy().into_owned();
        if !prefix.is_empty() {
            prefix.push('/');
        }
        Ok(Self { program, directory: repository.git_directory, prefix, patience: PATIENCE })
    }

    pub(super) fn commit(&self, reference: &str) -> Result<String, Error> {
        let wanted = format!("{reference}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
        let answer = self.ask(&arguments);
        let hash = answer.ok().map(|text| text.trim().to_owned()).filter(|hash| is_hash(hash));
        hash.ok_or_else(|| {
            Error::new(Kind::Usage, format!("there is no commit `{reference}`"))
                .code("bad_ref")
                .hint("Name a commit, branch or tag that this repository has.")
        })
    }

    /// The blobs of a commit by their path from the root of the project.
    pub(super) fn tree(&self, commit: &str) -> Result<HashMap<String, String>, Error> {
        let text = self.ask(&["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit])?;
        let entry = |entry: &str| {
            let (about, path) = entry.split_once('\t')?;
            let path = path.strip_prefix(&self.prefix)?;
            let mut words = about.split(' ');
            let (_, kind, hash) = (words.next()?, words.next()?, words.next()?);
            (kind == "blob").then(|| (path.to_owned(), hash.to_owned()))
        };
        Ok(text.split('\0').filter_map(entry).collect())
    }

    /// Where git notes what it tracks.
    pub(super) fn index_file(&self) -> PathBuf {
        self.directory.join("index")
    }

    /// Where the histories of two commits parted, if they have one in common.
    pub(super) fn merge_base(&self, one: &str, other: &str) -> Option<String> {
        let text = self.ask(&["merge-base", "--end-of-options", one, other]).ok()?;
        Some(text.trim().to_owned()).filter(|hash| is_hash(hash))
    }

    /// The tree without files, under the name it has in this repository.
    pub(super) fn empty_tree(&self) -> Result<String, Error> {
        Ok(self.ask(&["hash-object", "-t", "tree", "--stdin"])?.trim().to_owned())
    }

    /// Regular files that differ between two trees, or between a tree and what is staged.
    pub(super) fn differences(&self, from: &str, to: Option<&str>) -> Result<Vec<Change>, Error> {
        const FORM: [&str; 5] = ["-r", "-z", "--raw", "--no-renames", "--abbrev=64"];
        let mut arguments = match to {
            Some(_) => vec!["diff-tree"],
            None => vec!["diff-index", "--cached"],
        };
        arguments.extend(FORM);
        arguments.extend(["--ignore-submodules=all", "--end-of-options", from]);
        arguments.extend(to);
        let text = self.ask(&arguments)?;
        let mut words = text.split('\0');
        let mut changes = Vec::new();
        while let (Some(about), Some(path)) = (words.next(), words.next()) {
            let Some(path) = path.strip_prefix(&self.prefix) else { continue };
            let about: Vec<&str> = about.trim_start_matches(':').split(' ').collect();
            let [old_mode, new_mode, old, new, _] = about.as_slice() else { continue };
            let blob = |mode: &str, hash: &str| is_regular(mode).then(|| hash.to_owned());
            let (old, new) = (blob(old_mode, old), blob(new_mode, new));
            if old != new {
                changes.push(Change { path: path.to_owned(), old, new });
            }
        }
        Ok(changes)
    }

    /// Files that git tracks, with what it noted of them when it last looked.
    pub(super) fn tracked(&self) -> Result<HashMap<String, Tracked>, Error> {
        let text = self.ask(&["ls-files", "--stage", "--debug", "-z", "--full-name"])?;
        // Behind each path stand lines about the file, and then the next entry.
        let mut pieces = text.split('\0').peekable();
        let mut entry = pieces.next().unwrap_or_default();
        let mut files = HashMap::new();
        while let Some(piece) = pieces.next() {
            let (notes, next) = match pieces.peek() {
                Some(_) => piece.rsplit_once('\n').unwrap_or((piece, "")),
                None => (piece, ""),
            };
            let (about, path) = entry.split_once('\t').unwrap_or(("", ""));
            if let ([mode, blob, "0"], Some(path)) =
                (about.split(' ').collect::<Vec<_>>().as_slice(), path.strip_prefix(&self.prefix))
                && is_regular(mode)
            {
                files.insert(path.to_owned(), Tracked::new(blob, notes));
            }
            entry = next;
        }
        Ok(files)
    }

    /// The contents of blobs that are not larger than a limit, by their names. One that is missing is an error.
    pub(super) fn blobs(
        &self,
        names: &[String],
        limit: u64,
    ) -> Result<HashMap<String, Vec<u8>>, Error> {
        let list = |names: &[&str]| (names.join("\n") + "\n").into_bytes();
        let all: Vec<&str> = names.iter().map(String::as_str).collect();
        if all.is_empty() {
            return Ok(HashMap::new());
        }
        let sizes = self.ask_with(&["cat-file", "--batch-check"], list(&all))?;
        let sizes = String::from_utf8_lossy(&sizes).into_owned();
        let mut contents = HashMap::new();
        let (mut batch, mut size): (Vec<&str>, u64) = (Vec::new(), 0);
        for line in sizes.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            if let [name, "missing"] = words.as_slice() {
                return Err(missing_object(name));
            }
            let [name, "blob", bytes] = words.as_slice() else { continue };
            let Some(bytes) = bytes.parse::<u64>().ok().filter(|bytes| *bytes <= limit) else {
                continue;
            };
            if size + bytes > MOST_OUTPUT / 2 {
                self.read_blobs(list(&batch), &mut contents)?;
                (batch, size) = (Vec::new(), 0);
            }
            batch.push(name);
            size += bytes;
        }
        if !batch.is_empty() {
            self.read_blobs(list(&batch), &mut contents)?;
        }
        Ok(contents)
    }

    fn read_blobs(
        &self,
        names: Vec<u8>,
        contents: &mut HashMap<String, Vec<u8>>,
    ) -> Result<(), Error> {
        let bytes = self.ask_with(&["cat-file", "--batch"], names)?;
        let mut rest = bytes.as_slice();
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (head, behind) = (String::from_utf8_lossy(&rest[..end]), &rest[end + 1..]);
            let words: Vec<&str> = head.split(' ').collect();
            let [name, "blob", size] = words.as_slice() else {
                rest = behind;
                continue;
            };
            let size: usize = size.parse().unwrap_or(0);
            let Some(content) = behind.get(..size) else { break };
            contents.insert((*name).to_owned(), content.to_vec());
            // A line break follows the content.
            rest = behind.get(size + 1..).unwrap_or_default();
        }
        Ok(())
    }

    pub(super) fn ask(&self, arguments: &[&str]) -> Result<String, Error> {
        let bytes = self.ask_with(arguments, Vec::new())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn ask_with(&self, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>, Error> {
        let fail = |what: String| Error::new(Kind::Io, what).code("git_failed");
        let mut directory = std::ffi::OsString::from("--git-dir=");
        directory.push(&self.directory);
        let mut child = Command::new(&self.program)
            .arg("--no-pager")
            .arg(directory)
            .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
            .args(["-c", "protocol.allow=never", "-c", "core.attributesFile=/dev/null"])
            .args(arguments)
            .env_clear()
            .envs(ENVIRONMENT.iter().copied())
            .current_dir(self.program.ancestors().last().unwrap_or(Path::new("/")))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| fail(format!("git does not start: {error}")))?;
        let mut pipe = child.stdin.take().expect("it was asked for");
        // One that does not read must not hold us up; it is killed below, which ends this.
        std::thread::spawn(move || {
            let _ = pipe.write_all(&input);
        });
        let output = child.stdout.take().expect("it was asked for");
        let (sender, receiver) = channel();
        // What it starts may hold the pipe open when it is gone, so nobody waits for the end of this thread.
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = output.take(MOST_OUTPUT + 1).read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
        let answer = receiver.recv_timeout(self.patience).ok();
        let bytes = answer.filter(|bytes| bytes.len() as u64 <= MOST_OUTPUT);
        if bytes.is_none() {
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| fail(format!("git does not end: {error}")))?;
        let what = arguments.first().unwrap_or(&"");
        match bytes {
            None => Err(fail(format!("git {what} took too long or said too much"))),
            Some(_) if !status.success() => Err(fail(format!("git {what} failed"))),
            Some(bytes) => Ok(bytes),
        }
    }
}

/// What was in a file is not known: to go on would be to call all of it new.
fn missing_object(name: &str) -> Error {
    Error::new(Kind::Index, format!("this repository does not have its object {name}"))
        .code("git_object_missing")
        .hint("A partial clone fetches it when git itself is asked, as by `git diff`; nothing is fetched here.")
}

/// A file that differs: the names of its contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) path: String,
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
}

/// A file that git tracks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tracked {
    pub(super) blob: String,
    /// Nanoseconds since 1970, and bytes, when git last looked; none if it does not say.
    pub(super) seen: Option<(i64, u64)>,
}

impl Tracked {
    fn new(blob: &str, notes: &str) -> Self {
        let after = |word: &str| {
            let rest = notes.split_once(word)?.1.trim_start();
            Some(rest.split(|c: char| c.is_whitespace()).next().unwrap_or(rest))
        };
        let seen = || {
            let (seconds, nanoseconds) = after("mtime:")?.split_once(':')?;
            let seconds: i64 = seconds.parse().ok()?;
            let modified = seconds.checked_mul(1_000_000_000)?;
            Some((modified.checked_add(nanoseconds.parse().ok()?)?, after("size:")?.parse().ok()?))
        };
        Self { blob: blob.to_owned(), seen: seen() }
    }
}

fn is_regular(mode: &str) -> bool {
    mode.starts_with("100")
}

const PATIENCE: Duration = Duration::from_secs(20);
const MOST_OUTPUT: u64 = 256 << 20;

/// All that git is told of the world.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("LC_ALL", "C"),
    ("HOME", "/nonexistent"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ALLOW_PROTOCOL", "none"),
];

/// The program, from a directory that is not part of the project.
fn program(root: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&path).filter(|directory| directory.is_absolute());
    candidates
        .filter_map(|directory| directory.join("git").canonicalize().ok())
        .find(|program| program.is_file() && !program.starts_with(root))
}

pub(super) fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::Git;

    /// A program in the place of git that does this.
    fn stand_in(directory: &Path, script: &str) -> Git {
        let program = directory.join("git");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a file");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let rights = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&program, rights).expect("rights");
        }
        let patience = Duration::from_millis(500);
        Git { program, directory: directory.to_owned(), prefix: String::new(), patience }
    }

    #[test]
    #[cfg(unix)]
    fn reliability_36_a_git_that_does_not_end_or_says_too_much_is_given_up() {
        let directory = std::env::temp_dir().join(format!("groma-git-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory");
        // The last one leaves somebody behind who holds the pipe.
        for script in ["exec /bin/sleep 20", "exec /usr/bin/yes", "/bin/sleep 20"] {
            let git = stand_in(&directory, script);
            let begun = Instant::now();
            let error = git.ask(&["rev-parse"]).expect_err("there is no answer");
            assert_eq!(error.word(), "git_failed", "{script}");
            assert!(begun.elapsed() < Duration::from_secs(15), "{script}: {:?}", begun.elapsed());
        }
        let said = stand_in(&directory, "echo said").ask(&["rev-parse"]).expect("an answer");
        assert_eq!(said, "said\n");
        std::fs::remove_dir_all(&directory).expect("it was there");
    }
}
