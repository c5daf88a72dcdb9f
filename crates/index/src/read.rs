//! Reading one file of an untrusted project.

use std::fs::{File, Metadata, OpenOptions};
use std::io::Read;
use std::path::Path;

use crate::error::{Error, Kind};

/// The bytes of a file as text, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Text { text: String, hash: [u8; 32], altered: bool },
    Skipped { reason: &'static str, hash: Option<[u8; 32]> },
}

/// A file with more than this and almost no line breaks was written by a program for programs.
const MINIFIED_SIZE: usize = 32 << 10;
const MINIFIED_LINE: usize = 2000;
/// With more than this share of undecodable bytes a file is in another encoding.
const MAX_UNDECODABLE: f64 = 0.1;
/// No configuration, manifest or ignore file is larger.
pub const MAX_SMALL_FILE: u64 = 1 << 20;

/// Opens a regular file without following a link at its end, and without ever blocking.
pub fn open_regular(path: &Path) -> std::io::Result<(File, Metadata)> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits() as i32);
    }
    require_regular(options.open(path)?)
}

fn require_regular(file: File) -> std::io::Result<(File, Metadata)> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok((file, metadata))
}

/// Opens a regular file of a project by its canonical path, without following a link anywhere on the
/// way: a directory may have become a link since it was walked.
pub fn open_source(path: &Path) -> std::io::Result<(File, Metadata)> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
        use rustix::io::Errno;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            Ok(descriptor) => return require_regular(File::from(descriptor)),
            // Old kernels do not know this call, and some sandboxes forbid it.
            Err(Errno::NOSYS | Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if let Some(folder) = path.parent()
        && std::fs::canonicalize(folder)? != folder
    {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "behind a link"));
    }
    open_regular(path)
}

/// The text of a source file to show lines of; none where it cannot be read as text. Costs no hash, so
/// it says nothing about whether the file is the one that was indexed.
pub fn read_text(path: &Path, limit: u64) -> Option<String> {
    let (file, metadata) = open_source(path).ok()?;
    let mut bytes = Vec::with_capacity(metadata.len().min(limit) as usize + 1);
    file.take(limit + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > limit {
        return None;
    }
    decode(bytes).ok().map(|(text, _)| text)
}

/// Reads a source file of at most `limit` bytes. The path is canonical but for its last part.
pub fn read_source(path: &Path, limit: u64) -> (Content, Option<Metadata>) {
    try_source(path, limit).unwrap_or_else(|error| (unread(&error), None))
}

/// The same, with an error where it is not the file's fault that it cannot be read.
pub(crate) fn try_source(path: &Path, limit: u64) -> std::io::Result<(Content, Option<Metadata>)> {
    let skipped = |reason, hash| Content::Skipped { reason, hash };
    let (mut file, metadata) = match open_source(path) {
        Ok(opened) => opened,
        Err(error) if is_own_fault(&error) => return Err(error),
        Err(error) => return Ok((unread(&error), None)),
    };
    if metadata.len() > limit {
        return Ok((skipped("size", None), Some(metadata)));
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    // The file may have grown since; what is stored is the hash of exactly these bytes.
    match file.by_ref().take(limit + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > limit => return Ok((skipped("size", None), Some(metadata))),
        Ok(_) => {}
        Err(error) if is_own_fault(&error) => return Err(error),
        Err(error) => return Ok((unread(&error), Some(metadata))),
    }
    Ok((content_of(bytes), Some(metadata)))
}

/// Whether the system failed, as opposed to there being something else than a file.
pub(crate) fn is_fault(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(rustix::io::Errno::IO.raw_os_error()) {
        return true;
    }
    is_own_fault(error)
}

fn unread(error: &std::io::Error) -> Content {
    Content::Skipped { reason: reason_of(error), hash: None }
}

/// Whether this process lacks something, and no file is to blame: then nothing may be concluded about
/// any of them.
pub(crate) fn is_own_fault(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let ours = [Errno::MFILE, Errno::NFILE, Errno::NOMEM];
        ours.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
    }
    #[cfg(not(unix))]
    {
        error.kind() == std::io::ErrorKind::OutOfMemory
    }
}

/// What bytes are, wherever they were read.
pub fn content_of(bytes: Vec<u8>) -> Content {
    let hash = hash(&bytes);
    match decode(bytes) {
        Ok((text, altered)) => Content::Text { text, hash, altered },
        Err(reason) => Content::Skipped { reason, hash: Some(hash) },
    }
}

/// SHA-256 of the bytes.
pub fn hash(bytes: &[u8]) -> [u8; 32] {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).into()
}

/// Text whose offsets are those of the bytes: an undecodable byte becomes one `?`.
fn decode(bytes: Vec<u8>) -> Result<(String, bool), &'static str> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("encoding");
    }
    if memchr::memchr(0, &bytes).is_some() {
        return Err("binary");
    }
    let lines = memchr::memchr_iter(b'\n', &bytes).count() + 1;
    if bytes.len() > MINIFIED_SIZE && bytes.len() / lines > MINIFIED_LINE {
        return Err("minified");
    }
    let mut bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok((text, false)),
        Err(error) => error.into_bytes(),
    };
    let mut undecodable = 0;
    let mut at = 0;
    while let Err(error) = std::str::from_utf8(&bytes[at..]) {
        let bad = at + error.valid_up_to();
        bytes[bad] = b'?';
        undecodable += 1;
        at = bad;
    }
    if undecodable as f64 > bytes.len() as f64 * MAX_UNDECODABLE {
        return Err("encoding");
    }
    Ok((String::from_utf8(bytes).expect("every undecodable byte was replaced"), true))
}

fn reason_of(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{InvalidInput, NotFound, PermissionDenied};
    match error.kind() {
        NotFound => "vanished",
        PermissionDenied => "unreadable",
        InvalidInput => "not_regular",
        _ => {
            #[cfg(unix)]
            if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
                return "symlink";
            }
            #[cfg(unix)]
            if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) {
                return "not_regular";
            }
            "unreadable"
        }
    }
}

/// The text of a configuration file; none if it does not exist, an error if it is no regular file.
pub fn read_small_file(path: &Path) -> Result<Option<String>, Error> {
    let refuse = |message: String| Err(Error::new(Kind::Refused, message));
    let (file, metadata) = match open_regular(path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) if is_fault(&error) => return Err(Error::io(path.display(), &error)),
        Err(error) => return refuse(format!("{} cannot be used: {error}", path.display())),
    };
    if metadata.len() > MAX_SMALL_FILE {
        return refuse(format!("{} is larger than {MAX_SMALL_FILE} bytes", path.display()));
    }
    let mut text = String::new();
    file.take(MAX_SMALL_FILE)
        .read_to_string(&mut text)
        .map_err(|error| Error::io(path.display(), &error))?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn undecodable_bytes_keep_their_place() {
        let mut latin = b"// caf\xe9 au lait, sans sucre\nfn f() {}\n".to_vec();
        let (text, altered) = decode(latin.clone()).expect("mostly ASCII");
        assert!(altered);
        assert_eq!(text.len(), latin.len());
        assert_eq!(text.find("fn f"), Some(28));
        latin.push(0);
        assert_eq!(decode(latin), Err("binary"));
        assert_eq!(decode(vec![0xff, 0xfe, b'a', 0]), Err("encoding"));
        assert_eq!(decode(vec![0xe9; 100]), Err("encoding"));
        assert_eq!(decode(vec![b'a'; 100_000]), Err("minified"));
    }
}
