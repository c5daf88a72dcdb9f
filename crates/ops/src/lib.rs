//! The product: what a person or a program may ask. One file per operation.
//!
//! An [`Operation`] is defined once, with its input, its output and its documentation; every shell
//! offers it under the same name with the same JSON. Shells hold no default, limit or ranking.
//!
//! Start at [`Operation`], then any operation, for instance [`show`].

pub mod dump;
pub mod index;
pub mod outline;
pub mod query;
pub mod show;
pub mod status;
mod symbol_query;
pub mod text;
mod workspace;

pub use ::index::{Error, Kind};
pub use symbol_query::SymbolQuery;
pub use workspace::{Settings, Workspace};

pub type Result<T> = std::result::Result<T, Error>;

/// Something that can be asked.
pub trait Operation {
    const NAME: &'static str;
    /// Examples for the help text.
    const EXAMPLES: &'static str;
    type Input: clap::Args + serde::de::DeserializeOwned;
    type Output: serde::Serialize;

    fn run(workspace: &Workspace, input: Self::Input) -> Result<Self::Output>;

    /// The answer for people.
    fn render(output: &Self::Output, out: &mut text::Page);
}

/// What an answer says about the index it comes from.
#[derive(Debug, Clone, serde::Serialize)]
pub struct IndexState {
    pub generation: u64,
    /// Every file was indexed or has a recorded reason why not.
    pub complete: bool,
}
