//! What shows that an index was made by this user, and did not come with a repository.
//!
//! A repository can bring an index along that says of its files what they do not say. So an index has an
//! id, and beside it the hash of that id with a key that lies in the user's own data directory. Nobody else
//! can make one. Where the user has no such directory, or may not write to it, indexes are believed.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::Digest;

use crate::error::Error;

/// Where the id of an index and its seal stand in `meta`.
pub(crate) const ID: &str = "id";
pub(crate) const SEAL: &str = "seal";

/// Whether this user made the index that says this of itself. What cannot be read now says nothing.
pub fn is_own(
    meta: impl Fn(&str) -> store::rusqlite::Result<Option<String>>,
) -> Result<bool, Error> {
    let said = |key| meta(key).map_err(|error| Error::unreadable(&error));
    let id = said(ID)?.unwrap_or_default();
    Ok(match seal(&id)? {
        Some(seal) => said(SEAL)?.as_deref() == Some(&seal),
        None => true,
    })
}

/// What an index of this user says of itself, with the id it had or a new one.
pub(crate) fn mark(id: Option<String>) -> Result<Vec<(&'static str, String)>, Error> {
    let id = id.unwrap_or_else(unguessable);
    let seal = seal(&id)?;
    Ok([Some((ID, id)), seal.map(|seal| (SEAL, seal))].into_iter().flatten().collect())
}

/// A text that nobody else can know. The standard library seeds its hash maps from the system.
pub fn unguessable() -> String {
    use std::hash::{BuildHasher, Hasher};
    let random = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

/// The mark of this user for an id; none where the user has no place for a key.
fn seal(id: &str) -> Result<Option<String>, Error> {
    let Some(path) = key_file() else { return Ok(None) };
    let key = match key(&path) {
        Ok(key) => key,
        Err(error) if is_no_place(&error) => return Ok(None),
        Err(error) => return Err(Error::io(format!("cannot use {}", path.display()), &error)),
    };
    let hash = sha2::Sha256::new().chain_update(key).chain_update([0]).chain_update(id).finalize();
    Ok(Some(hash.iter().map(|byte| format!("{byte:02x}")).collect()))
}

/// Named as files are that are never read, in case a home directory is indexed.
fn key_file() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    Some(etcetera::choose_base_strategy().ok()?.data_dir().join("groma/owner.key"))
}

/// The key of this user, made if there is none.
fn key(path: &Path) -> std::io::Result<String> {
    const LENGTH: usize = 64;
    const ATTEMPTS: usize = 100;
    for attempt in 0..2 * ATTEMPTS {
        match crate::read::open_regular(path) {
            Ok((file, _)) => {
                let mut key = Vec::new();
                file.take(LENGTH as u64 + 1).read_to_end(&mut key)?;
                match String::from_utf8(key) {
                    Ok(key) if key.len() == LENGTH => return Ok(key),
                    // Half a key is what a full disk leaves, and other bytes no key of ours: nothing that
                    // counts was sealed with it.
                    _ if attempt == ATTEMPTS => std::fs::remove_file(path)?,
                    // Whoever makes it at this moment is waited for.
                    _ => std::thread::sleep(Duration::from_millis(5)),
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => make(path)?,
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::Interrupted.into())
}

fn make(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    match options.open(path) {
        Ok(mut file) => file.write_all(format!("{}{}", unguessable(), unguessable()).as_bytes()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

fn is_no_place(error: &std::io::Error) -> bool {
    use ErrorKind::{NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), NotADirectory | NotFound | PermissionDenied | ReadOnlyFilesystem)
}
