//! Times of files, and when they can be trusted.
//!
//! A file whose size, times and inode are those in the index has not changed, with one exception that
//! git calls *racily clean*: it was written again so soon after it was read that the clock of the file
//! system had not moved on. Such a file is read again.

use std::fs::Metadata;
use std::time::{SystemTime, UNIX_EPOCH};

use store::{FileRow, Stamp};

use store::bugs::{self, Bug};

/// Kernels stamp files with a clock that moves every 1 to 10 ms.
const TICK_NS: i64 = 20_000_000;
/// Some file systems keep whole seconds only, or every other one.
const COARSE_TICK_NS: i64 = 2_000_000_000;

pub(crate) fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

pub(crate) fn of(metadata: &Metadata) -> Stamp {
    let modified_ns = metadata.modified().map_or(0, nanoseconds);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let changed_ns =
            metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
        Stamp { modified_ns, changed_ns, inode: metadata.ino() as i64 }
    }
    #[cfg(not(unix))]
    Stamp { modified_ns, changed_ns: 0, inode: 0 }
}

/// The same from what the system says of an entry of a directory.
#[cfg(unix)]
pub(crate) fn of_status(status: &rustix::fs::Stat) -> Stamp {
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000) + rest;
    Stamp {
        modified_ns: nanoseconds(status.st_mtime, status.st_mtime_nsec as i64),
        changed_ns: nanoseconds(status.st_ctime, status.st_ctime_nsec as i64),
        inode: status.st_ino as i64,
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(time) => i64::try_from(time.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_nanos()).unwrap_or(i64::MAX),
    }
}

/// Whether a file that looks like this is certainly the one that was indexed.
pub(crate) fn is_unchanged(known: &FileRow, stamp: Stamp, size: u64) -> bool {
    if bugs::has(Bug::TrustTimes) {
        return known.stamp.modified_ns == stamp.modified_ns && known.size == size;
    }
    known.stamp == stamp && known.size == size && !is_racy(known)
}

/// Whether a later write could have left the same times.
fn is_racy(known: &FileRow) -> bool {
    let Stamp { modified_ns, changed_ns, .. } = known.stamp;
    let latest = modified_ns.max(changed_ns);
    let tick = if latest % 1_000_000_000 == 0 { COARSE_TICK_NS } else { TICK_NS };
    latest.saturating_add(tick) >= known.indexed_ms.saturating_mul(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::is_unchanged;
    use store::{FileRow, Stamp, Status};

    fn row(changed_ns: i64, indexed_ms: i64) -> FileRow {
        FileRow {
            path: "a".to_owned(),
            language: "text".to_owned(),
            status: Status::Indexed,
            size: 3,
            content_hash: None,
            stamp: Stamp { modified_ns: changed_ns, changed_ns, inode: 7 },
            indexed_ms,
        }
    }

    #[test]
    fn a_file_read_right_after_it_was_written_is_not_trusted() {
        let at = 1_700_000_000_123_456_789;
        let (just_after, later) = (1_700_000_000_125, 1_700_000_000_500);
        let stamp = row(at, later).stamp;
        assert!(is_unchanged(&row(at, later), stamp, 3));
        assert!(!is_unchanged(&row(at, just_after), stamp, 3));
        assert!(!is_unchanged(&row(at, later), stamp, 4));
        // Whole seconds: the file system cannot tell times within two seconds apart.
        let whole = 1_700_000_000_000_000_000;
        assert!(!is_unchanged(&row(whole, later), row(whole, later).stamp, 3));
        assert!(is_unchanged(&row(whole, 1_700_000_003_000), row(whole, later).stamp, 3));
    }
}
