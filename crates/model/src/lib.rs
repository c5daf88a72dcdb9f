//! The words of Groma: what one file says, as plain data.
//!
//! Nothing here reads, parses, links or stores. [`FileFacts`] is what extraction produces and
//! everything else consumes; it depends only on the bytes of the file, its language and
//! [`EXTRACTOR_VERSION`]. [`pack`] turns it into bytes for the way from a worker process to the
//! writer and into the index.
//!
//! Start at [`FileFacts`].

mod facts;
mod names;
pub mod pack;
mod vocabulary;
mod words;

pub use facts::*;
pub use names::{NameId, Names};
pub use vocabulary::*;
pub use words::{is_subword_boundary, subwords};

/// Raised whenever the same bytes would give other facts than before.
pub const EXTRACTOR_VERSION: u32 = 20;
