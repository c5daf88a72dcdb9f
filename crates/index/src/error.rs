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
                .hint("The index itself may be sound; see that the disk is, and try again.");
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
        let full = error.kind() == std::io::ErrorKind::StorageFull;
        let this = Self::new(Kind::Io, format!("{what}: {error}"));
        if full {
            this.hint("Free some space and run it again; nothing that was indexed is lost.")
        } else {
            this
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
        Self::new(kind, error.to_string()).hint(hint)
    }
}

impl From<store::WriteError> for Error {
    fn from(error: store::WriteError) -> Self {
        if matches!(error, store::WriteError::Stopped) {
            return Self::interrupted();
        }
        let kind = if error.is_damage() { Kind::Damaged } else { Kind::Io };
        Self::new(kind, error.to_string())
            .hint("Nothing that was indexed is lost; see that there is space, and run it again.")
    }
}

impl From<store::PublishError> for Error {
    fn from(error: store::PublishError) -> Self {
        Self::new(Kind::Io, error.to_string())
    }
}
