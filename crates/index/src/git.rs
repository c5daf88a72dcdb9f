//! What git knows about the history of a project, read without running anything of the repository.
//!
//! A foreign repository can have git run programs: hooks, filters, monitors, external differences. So
//! only commands that read objects and references are used, with settings and environment of our own,
//! a deadline and a cap on what they say. The working tree is compared here, by the hash of its files;
//! git never looks at it.

mod comparison;
mod program;

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use sha2::Digest;

use crate::error::{Error, Kind};
use crate::project::Project;
use crate::read::open_source;
use crate::repository::Repository;
pub use comparison::{Comparison, Pair, Range};
use program::Git;

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
        let base = git.tree(&git.merge_base(&commit, &head).unwrap_or(commit))?;
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

    /// Whether the file on disk is the blob. Of a link that is where it leads, which is not followed.
    fn is_as_committed(&self, path: &str, blob: Option<&str>) -> bool {
        let is_inside = !path.starts_with('/') && !path.split('/').any(|part| part == "..");
        let place = self.root.join(path);
        let target = std::fs::read_link(&place).ok().filter(|_| is_inside);
        let found = open_source(&place).ok().filter(|_| is_inside);
        match (target, found, blob) {
            (Some(target), _, Some(blob)) => {
                blob_name(target.as_os_str().as_encoded_bytes(), blob.len()) == blob
            }
            (None, Some((file, _)), Some(blob)) => {
                bytes_of(file).is_some_and(|bytes| is_blob(&bytes, blob))
            }
            (target, found, blob) => target.is_none() && found.is_none() && blob.is_none(),
        }
    }
}

/// The bytes of a file that is not too large to be looked at.
fn bytes_of(file: File) -> Option<Vec<u8>> {
    const LARGEST: u64 = 64 << 20;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= LARGEST).then_some(bytes)
}

/// Whether these bytes are a blob, whatever the ends of their lines.
fn is_blob(bytes: &[u8], blob: &str) -> bool {
    let is = |bytes: &[u8]| blob_name(bytes, blob.len()) == blob;
    is(bytes) || (bytes.contains(&b'\r') && is(&without_returns(bytes)))
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
