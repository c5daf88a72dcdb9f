//! Surveying a project: which files, what they say, and into the index with it.
//!
//! [`Project`] knows where things are and what is configured. [`full`] builds a whole index:
//! [`walk`] finds the files, [`read`] reads one of them safely, [`pool`] has it extracted by a
//! worker process, and the store writes the rows. [`worker`] is the other end of the pipe.
//!
//! Hostile repositories are the normal case: nothing in them is executed, nothing outside the root is
//! read, and a file that breaks its parser costs that file and nothing else.

pub mod config;
mod error;
pub mod full;
pub mod pool;
pub mod project;
pub mod read;
pub mod walk;
pub mod worker;

pub use config::Config;
pub use error::{Error, Kind};
pub use project::Project;
