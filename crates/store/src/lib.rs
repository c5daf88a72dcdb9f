//! The index as a SQLite database: the only crate that knows SQL.
//!
//! [`Writer`] builds a fresh database in one go, [`publish`] puts it in the place of the old one,
//! [`Update`] changes it in place, and [`Reader`] answers from what was published, one read transaction
//! at a time. The tables are in
//! `schema/`: numbers inside, words at the edge. What would be too many rows (references, bindings,
//! scopes, terms) stays packed beside its file; [`packed`] shows it as ordinary tables.

pub mod bugs;
mod bulk;
mod contents;
mod definitions;
pub mod documentation;
mod dump;
mod files;
mod graph;
mod known;
mod links;
mod masks;
mod names;
mod packed;
mod publish;
mod reader;
mod rows;
pub mod sandbox;
mod terms;
mod update;
mod user;
mod words;
mod writer;

pub use contents::{Outline, SymbolState};
pub use definitions::Definition;
pub use dump::dumped_tables;
pub use files::{FileHead, FileUse};
pub use graph::{Edge, Graph, file_of, symbol_id};
pub use known::{Census, KnownFile};
pub use links::{Linked, Watcher};
pub use masks::{Masks, NameHit};
pub use publish::{PublishError, copy, publish};
pub use reader::{OpenError, Reader, Shelf, is_full, is_unreachable};
pub use rows::{Extra, FileRow, Stamp, Status, parcel};
pub use rusqlite;
pub use terms::TermLine;
pub use update::{Swap, Update};
pub use user::{Baseline, Link, Recency, UserData};
pub use words::{Found, MethodLine, SymbolLine, Wanted, Word};
pub use writer::{Totals, WriteError, Writer};

/// Raised whenever the tables change; an index of another version is rebuilt.
pub const SCHEMA_VERSION: u32 = 7;
/// Marks a database as an index of this program: "Grom".
pub const APPLICATION_ID: i32 = 0x4772_6f6d;

pub(crate) const TABLES: &str = include_str!("../schema/tables.sql");
pub(crate) const INDEXES: &str = include_str!("../schema/indexes.sql");
pub(crate) const VIEWS: &str = include_str!("../schema/views.sql");
pub(crate) const PACKED_VIEWS: &str = include_str!("../schema/packed_views.sql");

/// The documented schema, for whoever prints it.
pub fn schema_files() -> [(&'static str, &'static str); 6] {
    [
        ("views.sql", VIEWS),
        ("packed.sql", packed::DOCUMENTATION),
        ("packed_views.sql", PACKED_VIEWS),
        ("user_findings.sql", user::DOCUMENTATION),
        ("sandbox.sql", sandbox::DOCUMENTATION),
        ("tables.sql", TABLES),
    ]
}

/// Sets facts about the index itself.
pub(crate) fn write_meta(
    connection: &rusqlite::Connection,
    meta: &[(&str, String)],
) -> rusqlite::Result<()> {
    let mut insert =
        connection.prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)")?;
    for (key, value) in meta {
        insert.execute([*key, value])?;
    }
    Ok(())
}
