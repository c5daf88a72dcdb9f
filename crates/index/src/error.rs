//! One error for everything a person can run into, with a kind for programs and a hint for people.

/// What went wrong, as far as programs need to tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Arguments or configuration are wrong.
    Usage,
    /// Something asked for does not exist.
    NotFound,
    /// There is no index, or it cannot be used.
    Index,
    /// The index is damaged.
    Damaged,
    /// A limit was hit.
    Limit,
    /// Somebody else holds what is needed.
    Busy,
    /// The disk, the file system or a process failed.
    Io,
    /// Refused, because it could do harm.
    Refused,
    /// Stopped by the user.
    Interrupted,
}

impl Kind {
    /// The word for programs, unless an error has a more precise one.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::NotFound => "not_found",
            Self::Index => "index",
            Self::Damaged => "index_corrupt",
            Self::Limit => "limit",
            Self::Busy => "busy",
            Self::Io => "io",
            Self::Refused => "refused",
            Self::Interrupted => "interrupted",
        }
    }

    pub const fn exit_status(self) -> u8 {
        match self {
            Self::NotFound => 1,
            Self::Usage => 2,
            Self::Index | Self::Damaged => 3,
            Self::Limit => 4,
            Self::Busy => 5,
            Self::Io => 6,
            Self::Refused => 7,
            Self::Interrupted => 130,
        }
    }

    /// Whether the same request may succeed later.
    pub const fn retryable(self) -> bool {
        matches!(self, Self::Busy | Self::Io | Self::Limit)
    }
}

#[derive(Debug)]
pub struct Error {
    pub kind: Kind,
    pub message: String,
    pub hint: Option<String>,
    /// What programs may want to know more precisely than the kind says.
    pub code: Option<&'static str>,
}

impl Error {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, code: None }
    }

    pub(crate) fn interrupted() -> Self {
        Self::new(Kind::Interrupted, "interrupted; the index is as it was before")
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub fn code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }

    /// The word in `{"error": {"code": …}}`.
    pub fn word(&self) -> &'static str {
        self.code.unwrap_or(self.kind.code())
    }

    /// A failed query of our own: the index is not what it should be.
    pub fn unreadable(error: &store::rusqlite::Error) -> Self {
        if store::is_unreachable(error) {
            return Self::new(Kind::Io, format!("the index cannot be read now: {error}"))
                .hint("The index itself may be sound; see that the disk is, and try again.")
                .full_if(store::is_full(error));
        }
        Self::new(Kind::Index, format!("the index cannot be read: {error}"))
            .hint("Run `groma index` to rebuild it.")
    }

    /// Somebody else made the index, who may have it say anything.
    pub fn not_own() -> Self {
        Self::new(Kind::Index, "the index here was not made by this user")
            .code("not_own")
            .hint("Run `groma index`: it is set aside, and one is built.")
    }

    pub(crate) fn io(what: impl std::fmt::Display, error: &std::io::Error) -> Self {
        use std::io::ErrorKind::{
            FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        let this = Self::new(Kind::Io, format!("{what}: {error}"));
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => this.full_if(true),
            ReadOnlyFilesystem => this
                .code("read_only")
                .hint("Nothing can be written there; give another place with --state-dir."),
            PermissionDenied => {
                this.code("permission").hint("See whose it is, and what its mode allows.")
            }
            _ => this,
        }
    }

    /// There is no room left to write, which is all that is wrong.
    fn full_if(self, is_full: bool) -> Self {
        match is_full {
            true => self
                .code("disk_full")
                .hint("Free some space and run it again; nothing that was indexed is lost."),
            false => self,
        }
    }

    /// While an index is built: nobody else writes to it, so if it is damaged, the disk has done it.
    pub(crate) fn of_building(self) -> Self {
        match self.kind {
            Kind::Damaged => Self { kind: Kind::Io, ..self },
            _ => self,
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<store::OpenError> for Error {
    fn from(error: store::OpenError) -> Self {
        use store::OpenError::{Corrupt, Foreign, Missing, NewerSchema, OlderSchema, Sqlite};
        let (kind, hint) = match &error {
            Missing { .. } => (Kind::Index, "Run `groma index` first."),
            Foreign { .. } | OlderSchema { .. } => {
                (Kind::Index, "Run `groma index` to rebuild it.")
            }
            Corrupt { .. } => (Kind::Damaged, "Run `groma index` to rebuild it."),
            NewerSchema { .. } => {
                (Kind::Index, "Use the newer version of groma, or another --state-dir.")
            }
            Sqlite { .. } => (Kind::Io, "See that there is space, and that it may be written."),
        };
        let is_full = matches!(&error, Sqlite { source, .. } if store::is_full(source));
        let code = matches!(&error, NewerSchema { .. }).then_some("newer_schema");
        Self { code, ..Self::new(kind, error.to_string()).hint(hint) }.full_if(is_full)
    }
}

impl From<store::WriteError> for Error {
    fn from(error: store::WriteError) -> Self {
        if matches!(error, store::WriteError::Stopped) {
            return Self::interrupted();
        }
        let kind = if error.is_damage() { Kind::Damaged } else { Kind::Io };
        Self::new(kind, error.to_string())
            .hint("Nothing that was indexed is lost; see that the disk is sound, and run it again.")
            .full_if(error.is_full())
    }
}

impl From<store::PublishError> for Error {
    fn from(error: store::PublishError) -> Self {
        let store::PublishError::Io { path, source } = error;
        Self::io(format!("cannot replace {}", path.display()), &source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_while_it_is_built_is_the_fault_of_the_disk() {
        let damaged = || Error::new(Kind::Damaged, "malformed");
        assert_eq!(damaged().of_building().kind.exit_status(), 6);
        assert_eq!(Error::interrupted().of_building().kind, Kind::Interrupted);
    }

    #[test]
    fn a_full_disk_has_a_word_and_a_hint() {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let error = Error::io("cannot write", &full);
        assert_eq!((error.word(), error.kind.exit_status()), ("disk_full", 6));
        assert!(error.hint.is_some());
        let closed = std::io::Error::from(std::io::ErrorKind::ReadOnlyFilesystem);
        assert_eq!(Error::io("cannot write", &closed).word(), "read_only");
    }
}
