//! Bugs on purpose: tests switch one on to prove that the oracles can fail. Without the feature
//! `seeded-bugs` there are none.

/// A way to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bug {
    /// Files that are gone stay in the index.
    KeepGone = 1,
    /// Size and modification time decide alone whether a file has changed.
    TrustTimes = 2,
    /// Facts are used again for the same bytes, whatever the path says.
    ReuseBlindly = 3,
    /// Only changed files are linked again, not those that looked at them.
    LinkOnlyChanged = 4,
    /// A watcher does not hear of files that are removed.
    MissRemovals = 5,
    /// A watcher does not watch directories that came after it.
    WatchNothingNew = 6,
    /// The system has no watches to give, so that everything is compared every so often.
    NoWatches = 7,
    /// Terms of files that left are counted as before.
    KeepTerms = 8,
    /// Files are written in the order in which workers are done with them.
    OrderOfArrival = 9,
    /// The new times of changed files are noted before their facts.
    NoteTimesFirst = 10,
    /// At the same commit nothing is compared.
    TrustCommit = 11,
    /// Linking a file panics.
    FailToLink = 12,
}

#[cfg(feature = "seeded-bugs")]
mod switch {
    use super::Bug;
    use std::cell::Cell;

    thread_local! {
        static BUG: Cell<Option<Bug>> = const { Cell::new(None) };
    }

    /// Switches a bug on, or all off, for this thread.
    pub fn seed(bug: Option<Bug>) {
        BUG.set(bug);
    }

    pub fn has(bug: Bug) -> bool {
        BUG.get() == Some(bug)
    }
}

#[cfg(not(feature = "seeded-bugs"))]
mod switch {
    pub const fn has(_: super::Bug) -> bool {
        false
    }
}

pub use switch::has;
#[cfg(feature = "seeded-bugs")]
pub use switch::seed;
