//! The product: what a person or a program may ask. One file per operation.
//!
//! An [`Operation`] is defined once, with its input, its output and its documentation; every shell
//! offers it under the same name with the same JSON, through [`answer`]. Shells hold no default, limit
//! or ranking.
//!
//! Start at [`Operation`], then any operation, for instance [`show`].

mod answer;
pub mod doctor;
pub mod dump;
pub mod export;
pub mod index;
mod link_report;
pub mod links;
pub mod outline;
pub mod projects;
pub mod query;
pub mod remove;
pub mod search;
pub mod show;
pub mod status;
mod symbol_query;
pub mod text;
pub mod validate;
pub mod watch;
mod workspace;

pub use ::index::{Error, Kind};
pub use answer::{Answer, IndexState, answer};
pub use symbol_query::SymbolQuery;
pub use workspace::{Settings, Workspace};

pub type Result<T> = std::result::Result<T, Error>;

/// Something that can be asked.
pub trait Operation {
    const NAME: &'static str;
    /// Examples for the help text.
    const EXAMPLES: &'static str;
    type Input: clap::Args + serde::de::DeserializeOwned + Clone;
    type Output: serde::Serialize;

    fn run(workspace: &Workspace, input: Self::Input) -> Result<Self::Output>;

    /// Whether answers stand on files that may have changed since they were indexed.
    const CITES: bool = false;

    /// The files that an answer stands on.
    fn cited(_: &Self::Output) -> Vec<String> {
        Vec::new()
    }

    /// Whether the answer is one that a check should fail on.
    fn has_findings(_: &Self::Output) -> bool {
        false
    }

    /// The answer for people.
    fn render(output: &Self::Output, out: &mut text::Page);
}
