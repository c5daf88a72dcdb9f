//! What git knows about the history of a project, read without running anything of the repository.
//!
//! A foreign repository can have git run programs: hooks, filters, monitors, external differences. So
//! only commands that read objects and references are used, with settings and environment of our own,
//! a deadline and a cap on what they say. The working tree is compared here, by the hash of its files;
//! git never looks at it.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sha2::Digest;

use crate::error::{Error, Kind};
use crate::project::Project;
use crate::read::open_source;
use crate::repository::Repository;

/// Files that differ from a commit.
#[derive(Debug)]
pub struct ChangedFiles {
    root: PathBuf,
    /// Blobs by path from the root of the project: where the branches parted, and at the head.
    base: HashMap<String, String>,
    head: HashMap<String, String>,
    seen: HashMap<String, bool>,
}

impl ChangedFiles {
    /// Compares with the commit where the history of `reference` and that of the head parted.
    pub fn since(project: &Project, reference: &str) -> Result<Self, Error> {
        let reference = checked(reference)?;
        let git = Git::of(project)?;
        let commit = git.commit(reference)?;
        let head = git.commit("HEAD")?;
        // Without a common ancestor, everything that differs from it counts.
        let base = git.ask(&["merge-base", "--end-of-options", &commit, &head]).ok();
        let base = base.map(|text| text.trim().to_owned()).filter(|hash| is_hash(hash));
        let base = git.tree(&base.unwrap_or(commit))?;
        let head = git.tree(&head)?;
        Ok(Self { root: project.root.clone(), base, head, seen: HashMap::new() })
    }

    /// Whether a file was changed in a commit since, or is another one than that of the head.
    pub fn contains(&mut self, path: &str) -> bool {
        if let Some(known) = self.seen.get(path) {
            return *known;
        }
        let (base, head) = (self.base.get(path), self.head.get(path));
        let changed = base != head || !self.is_as_committed(path, head.map(String::as_str));
        self.seen.insert(path.to_owned(), changed);
        changed
    }

    /// Whether the file on disk is the blob, whatever the ends of its lines.
    fn is_as_committed(&self, path: &str, blob: Option<&str>) -> bool {
        const LARGEST: u64 = 64 << 20;
        let is_inside = !path.starts_with('/') && !path.split('/').any(|part| part == "..");
        let found = open_source(&self.root.join(path)).ok().filter(|_| is_inside);
        let (Some((file, metadata)), Some(blob)) = (&found, blob) else {
            return found.is_none() && blob.is_none();
        };
        if metadata.len() > LARGEST {
            return false;
        }
        let mut bytes = Vec::new();
        if file.take(LARGEST).read_to_end(&mut bytes).is_err() {
            return false;
        }
        let is = |bytes: &[u8]| blob_name(bytes, blob.len()) == blob;
        is(&bytes) || (bytes.contains(&b'\r') && is(&without_returns(&bytes)))
    }
}

/// The commit that is checked out, if there is git.
pub fn head(project: &Project) -> Option<String> {
    Repository::around(&project.root)?.head()
}

/// A reference that can be nothing else: no option, no range, no question about the past.
fn checked(reference: &str) -> Result<&str, Error> {
    let is_legal = |c: char| c.is_alphanumeric() || "._/-+~^@#=,".contains(c);
    let is_reference = !reference.is_empty()
        && reference.len() <= 250
        && !reference.starts_with('-')
        && !reference.contains("..")
        && !reference.contains("@{")
        && reference.chars().all(is_legal);
    if is_reference {
        return Ok(reference);
    }
    let shown: String = reference.chars().take(60).collect();
    Err(Error::new(Kind::Usage, format!("`{}` is no commit, branch or tag", shown.escape_debug()))
        .code("bad_ref")
        .hint("Name one, as in `main`, `v1.2`, `HEAD~3`."))
}

struct Git {
    program: PathBuf,
    directory: PathBuf,
    /// Path of the project in the repository, with a slash at the end unless it is empty.
    prefix: String,
}

impl Git {
    fn of(project: &Project) -> Result<Self, Error> {
        let missing = |what: &str| Error::new(Kind::Usage, what.to_owned()).code("no_git");
        let repository = Repository::around(&project.root)
            .ok_or_else(|| missing("this project is in no git repository"))?;
        let program = program(&project.root).ok_or_else(|| missing("there is no git here"))?;
        let prefix = project.root.strip_prefix(&repository.top).unwrap_or(Path::new(""));
        let mut prefix = prefix.to_string_lossy().into_owned();
        if !prefix.is_empty() {
            prefix.push('/');
        }
        Ok(Self { program, directory: repository.git_directory, prefix })
    }

    fn commit(&self, reference: &str) -> Result<String, Error> {
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
    fn tree(&self, commit: &str) -> Result<HashMap<String, String>, Error> {
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

    fn ask(&self, arguments: &[&str]) -> Result<String, Error> {
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
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| fail(format!("git does not start: {error}")))?;
        let output = child.stdout.take().expect("it was asked for");
        let reader = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = output.take(MOST_OUTPUT + 1).read_to_end(&mut bytes);
            bytes
        });
        let deadline = Instant::now() + PATIENCE;
        while !reader.is_finished() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        if !reader.is_finished() {
            let _ = child.kill();
        }
        let bytes = reader.join().unwrap_or_default();
        if bytes.len() as u64 > MOST_OUTPUT {
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| fail(format!("git does not end: {error}")))?;
        if !status.success() {
            return Err(fail(format!("git {} failed", arguments.first().unwrap_or(&""))));
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
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

fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The name git gives a content, in as many digits as the repository uses.
fn blob_name(bytes: &[u8], digits: usize) -> String {
    let head = format!("blob {}\0", bytes.len());
    let hex = |hash: &[u8]| hash.iter().map(|byte| format!("{byte:02x}")).collect();
    if digits == 64 {
        return hex(&sha2::Sha256::new().chain_update(head).chain_update(bytes).finalize());
    }
    hex(&sha1::Sha1::new().chain_update(head).chain_update(bytes).finalize())
}

/// As git stores texts whose lines end in two characters on disk.
fn without_returns(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            out.push(*byte);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{blob_name, checked, without_returns};

    #[test]
    fn references_are_nothing_else() {
        for good in ["main", "HEAD~3", "HEAD^", "v1.2.3", "origin/feature-x", "größer", "abc123"]
        {
            assert!(checked(good).is_ok(), "{good}");
        }
        let long = "a".repeat(64 << 10);
        for bad in
            ["", "--output=x", "-n", "a..b", "@{-1}", "a\nb", "a b", "main:file", "a*", &long]
        {
            let error = checked(bad).expect_err("it is refused");
            assert_eq!(error.word(), "bad_ref", "{bad}");
        }
    }

    #[test]
    fn blobs_are_named_as_git_does() {
        assert_eq!(blob_name(b"", 40), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(blob_name(b"what is up, doc?", 40), "bd9dbf5aae1a3862dd1526723246b20206e5fc37");
        assert_eq!(without_returns(b"a\r\nb\rc\r\n"), b"a\nb\rc\n");
    }
}
