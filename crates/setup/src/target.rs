//! Files of others: read with care, replaced all at once, remembered as they were.
//!
//! Before a file is written, what was in it is kept in the data directory of the user: as a backup for
//! people, and in a receipt, by which a removal gives back the very bytes there were, as long as nobody
//! else has written since.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use ops::{Error, Kind, Result};
use serde::{Deserialize, Serialize};

/// No file of settings is larger.
const MAX_SIZE: u64 = 16 << 20;

/// The text of a file; none if there is none. Links are refused, at the end of the path and anywhere on
/// the way from `base`: they may lead to what nobody meant.
pub(crate) fn read(path: &Path, base: &Path) -> Result<Option<String>> {
    let within = path.strip_prefix(base).unwrap_or(path);
    let depth = if within == path { 1 } else { within.components().count() };
    for part in path.ancestors().take(depth) {
        if fs::symlink_metadata(part).is_ok_and(|metadata| metadata.is_symlink()) {
            return Err(refused(format!("{} is a link", part.display()))
                .hint("Put the file itself there, or leave it out with --client or --without."));
        }
    }
    let file = match index::read::open_regular(path) {
        Ok((file, _)) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed("read", path, &error)),
    };
    let mut bytes = Vec::new();
    file.take(MAX_SIZE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed("read", path, &error))?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(refused(format!("{} is too large for settings", path.display())));
    }
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|_| refused(format!("{} is not text in UTF-8", path.display())))
}

/// Something that is to be written.
pub(crate) struct Replacement<'w> {
    pub(crate) path: &'w Path,
    pub(crate) base: &'w Path,
    pub(crate) before: Option<&'w str>,
    pub(crate) after: Option<&'w str>,
    /// What was there before Groma, as far as the text tells.
    pub(crate) clean: Option<&'w str>,
    pub(crate) is_removal: bool,
}

/// What was written, for going back.
struct Done<'w> {
    write: &'w Replacement<'w>,
    directories: Vec<PathBuf>,
    receipt: Option<String>,
}

/// Writes all files or, if one fails, none.
pub(crate) fn write_all(writes: &[Replacement<'_>]) -> Result<()> {
    write_all_with(&Receipts::open()?, writes)
}

fn write_all_with(receipts: &Receipts, writes: &[Replacement<'_>]) -> Result<()> {
    for write in writes {
        check_writable(write.path)?;
    }
    let mut done: Vec<Done<'_>> = Vec::new();
    for write in writes {
        match write_one(receipts, write) {
            Ok(one) => done.push(one),
            Err(error) => {
                for one in done.iter().rev() {
                    undo(receipts, one);
                }
                return Err(error);
            }
        }
    }
    Ok(())
}

/// Where what was in a file is kept.
pub(crate) fn backup_of(path: &Path) -> Option<PathBuf> {
    Some(Receipts::open().ok()?.file(path, "backup"))
}

/// What was in a file before Groma came, if nobody else has written it since.
pub(crate) fn original(path: &Path, text: &str) -> Option<Option<String>> {
    let receipt = Receipts::open().ok()?.get(path)?;
    (receipt.after == fingerprint(text)).then_some(receipt.before)
}

fn write_one<'w>(receipts: &Receipts, write: &'w Replacement<'w>) -> Result<Done<'w>> {
    let path = write.path;
    if read(path, write.base)?.as_deref() != write.before {
        let message = format!("{} was written by another program meanwhile", path.display());
        return Err(Error::new(Kind::Busy, message).hint("Run it again."));
    }
    let old = receipts.get(path);
    let receipt = fs::read_to_string(receipts.file(path, "json")).ok();
    receipts.make_folder()?;
    if let Some(before) = write.before {
        replace(&receipts.file(path, "backup"), before, true)?;
    }
    let mut directories = Vec::new();
    match (write.is_removal, write.after) {
        (true, after) => {
            match after {
                Some(after) => replace(path, after, false)?,
                None => fs::remove_file(path).map_err(|error| failed("delete", path, &error))?,
            }
            // Only those that are empty go.
            for directory in old.iter().flat_map(|old| &old.directories).rev() {
                let _ = fs::remove_dir(directory);
            }
            let _ = fs::remove_file(receipts.file(path, "json"));
        }
        (false, after) => {
            let after = after.unwrap_or_default();
            directories = make_directories(path)?;
            let is_known =
                |old: &Receipt| write.before.is_some_and(|before| old.after == fingerprint(before));
            let (before, mut made) = match old.filter(is_known) {
                Some(old) => (old.before, old.directories),
                None => (write.clean.map(str::to_owned), Vec::new()),
            };
            made.extend(directories.iter().map(|path| path.to_string_lossy().into_owned()));
            let file = path.to_string_lossy().into_owned();
            let new = Receipt { file, before, after: fingerprint(after), directories: made };
            receipts.put(path, &new)?;
            replace(path, after, false)?;
        }
    }
    Ok(Done { write, directories, receipt })
}

fn undo(receipts: &Receipts, done: &Done<'_>) {
    let path = done.write.path;
    let _ = match done.write.before {
        Some(before) => replace(path, before, false),
        None => fs::remove_file(path).map_err(|error| failed("delete", path, &error)),
    };
    for directory in done.directories.iter().rev() {
        let _ = fs::remove_dir(directory);
    }
    let file = receipts.file(path, "json");
    let _ = match &done.receipt {
        Some(receipt) => replace(&file, receipt, true),
        None => fs::remove_file(&file).map_err(|error| failed("delete", &file, &error)),
    };
}

/// A rename would replace what the user has protected.
fn check_writable(path: &Path) -> Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(refused(format!("{} is read-only", path.display()))
            .hint("Make it writable, or leave it out with --client or --without."));
    }
    Ok(())
}

/// The directories that had to be made, outermost first.
fn make_directories(path: &Path) -> Result<Vec<PathBuf>> {
    let parents = path.ancestors().skip(1).take_while(|folder| !folder.exists());
    let mut missing: Vec<PathBuf> = parents.map(Path::to_owned).collect();
    missing.reverse();
    for folder in &missing {
        fs::create_dir(folder).map_err(|error| failed("make", folder, &error))?;
    }
    Ok(missing)
}

/// Puts a text in the place of a file, all at once; permissions and owner stay as they are.
fn replace(path: &Path, text: &str, is_private: bool) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.{}.groma", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_private {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let written = options
        .open(&new)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| keep_attributes(path, &new))
        .and_then(|()| fs::rename(&new, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&new);
        failed("write", path, &error)
    })
}

fn keep_attributes(old: &Path, new: &Path) -> std::io::Result<()> {
    let Ok(metadata) = fs::symlink_metadata(old) else { return Ok(()) };
    fs::set_permissions(new, metadata.permissions())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let made = fs::symlink_metadata(new)?;
        if (made.uid(), made.gid()) != (metadata.uid(), metadata.gid()) {
            std::os::unix::fs::chown(new, Some(metadata.uid()), Some(metadata.gid()))?;
        }
    }
    Ok(())
}

/// What was in a file before Groma came, and what Groma made of it.
#[derive(Debug, Serialize, Deserialize)]
struct Receipt {
    file: String,
    before: Option<String>,
    /// Fingerprint of the text that was written.
    after: String,
    /// Directories that were made for it, outermost first.
    directories: Vec<String>,
}

struct Receipts {
    folder: PathBuf,
}

impl Receipts {
    fn open() -> Result<Self> {
        let directories = etcetera::choose_base_strategy().map_err(|_| {
            Error::new(Kind::Io, "there is no home directory").hint("Set HOME to yours.")
        })?;
        Ok(Self { folder: directories.data_dir().join("groma/setup") })
    }

    fn file(&self, path: &Path, extension: &str) -> PathBuf {
        let name = fingerprint(&path.to_string_lossy());
        self.folder.join(format!("{}.{extension}", &name[..16]))
    }

    fn get(&self, path: &Path) -> Option<Receipt> {
        let text = fs::read_to_string(self.file(path, "json")).ok()?;
        serde_json::from_str(&text).ok()
    }

    fn put(&self, path: &Path, receipt: &Receipt) -> Result<()> {
        let text = serde_json::to_string_pretty(receipt)
            .map_err(|error| Error::new(Kind::Io, error.to_string()))?;
        replace(&self.file(path, "json"), &text, true)
    }

    fn make_folder(&self) -> Result<()> {
        fs::create_dir_all(&self.folder).map_err(|error| failed("make", &self.folder, &error))
    }
}

fn fingerprint(text: &str) -> String {
    index::read::hash(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn refused(message: String) -> Error {
    Error::new(Kind::Refused, message)
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Error {
    Error::new(Kind::Io, format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_one_file_fails_all_are_as_before() {
        let home = tempfile::tempdir().expect("a directory");
        let path = |name: &str| home.path().join(name);
        let receipts = Receipts { folder: path("data") };
        fs::write(path("a.json"), "old").expect("a file");
        fs::write(path("c.json"), "other").expect("a file");
        let (a, b, c) = (path("a.json"), path("new/folder/b.json"), path("c.json"));
        let replacement = |path, before, after| Replacement {
            path,
            base: home.path(),
            before,
            after,
            clean: before,
            is_removal: false,
        };
        let writes = [
            replacement(&a, Some("old"), Some("new")),
            replacement(&b, None, Some("b")),
            // Somebody wrote it after it was read.
            replacement(&c, Some("what was read"), Some("new")),
        ];
        let outcome = write_all_with(&receipts, &writes);
        assert_eq!(outcome.expect_err("it was written meanwhile").kind, Kind::Busy);
        assert_eq!(fs::read_to_string(&a).expect("a file"), "old");
        assert_eq!(fs::read_to_string(&c).expect("a file"), "other");
        assert!(!path("new").exists());
        assert!(receipts.get(&a).is_none() && receipts.get(&b).is_none());
    }
}
