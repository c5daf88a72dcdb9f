//! The product: what a person or a program may ask. One file per operation.
//!
//! An [`Operation`] is defined once, with its input, its output and its documentation; every shell
//! offers it under the same name with the same JSON, through [`reply`]. Shells hold no default, limit
//! or ranking.
//!
//! Start at [`Operation`], then any operation, for instance [`show`].

pub mod affected;
mod answer;
mod answer_schema;
mod baseline;
mod budget;
mod catalogue;
mod changed;
pub mod changes;
mod compact;
pub mod context;
mod dispatch;
pub mod docs;
pub mod doctor;
pub mod dump;
pub mod export;
pub mod find;
mod formats;
pub mod graph;
pub mod hierarchy;
pub mod impact;
pub mod index;
mod link_projects;
mod link_report;
mod link_rows;
mod linked;
pub mod links;
mod manifests;
mod moment;
mod neighbours;
pub mod outline;
pub mod overview;
mod owners;
pub mod path;
mod paths;
pub mod project_links;
pub mod projects;
pub mod query;
pub mod recipes;
pub mod remove;
mod satisfies;
pub mod schema;
pub mod search;
pub mod show;
mod state_files;
pub mod status;
pub mod summary;
mod symbol_query;
pub mod text;
pub mod tree;
pub mod validate;
mod walk;
pub mod watch;
mod workspace;

pub use ::index::{Error, Kind};
pub use answer::{Answer, Format, IndexState, Reply, Request, answer, failure, reply};
pub use answer_schema::{answer_schema, plain as plain_schema};
pub use budget::LEAST as LEAST_TOKENS;
pub use catalogue::{Argument, Effect, Entry, Shape, catalogue};
pub use linked::{LinkedProject, Skipped};
pub use manifests::Command;
pub use neighbours::{Neighbour, Neighbours, Unlinked};
pub use symbol_query::SymbolQuery;
pub use workspace::{Kept, Seen, Settings, Workspace};

/// The media type of most answers.
pub const JSON: &str = "application/json";

pub type Result<T> = std::result::Result<T, Error>;

/// Something that can be asked.
pub trait Operation {
    const NAME: &'static str;
    /// Examples for the help text.
    const EXAMPLES: &'static str;
    type Input: clap::Args + serde::de::DeserializeOwned + Clone;
    type Output: serde::Serialize + schemars::JsonSchema;

    /// Lets a question that fills a budget know what the budget is.
    fn prepare(_: &mut Self::Input, _: &Request) {}

    fn run(workspace: &Workspace, input: Self::Input) -> Result<Self::Output>;

    /// The most it does to what there is.
    const EFFECT: Effect = Effect::Reads;

    /// Whether this very question does it.
    fn writes(_: &Self::Input) -> bool {
        Self::EFFECT != Effect::Reads
    }

    /// Whether answers stand on files that may have changed since they were indexed.
    const CITES: bool = false;

    /// Whether they stand on all files, so that a new one is as good a reason as one that has changed.
    const WHOLE: bool = false;

    /// The files that an answer stands on.
    fn cited(_: &Self::Output) -> Vec<String> {
        Vec::new()
    }

    /// Whether nothing was found that may be new: then the whole project is looked at first.
    fn found_nothing(_: &Self::Output) -> bool {
        false
    }

    /// Whether what was not found may be there by now, so that it is worth looking at the whole project.
    fn may_be_new(_: &Workspace, _: &Self::Input) -> bool {
        true
    }

    /// Whether the answer is one that a check should fail on.
    fn has_findings(_: &Self::Output) -> bool {
        false
    }

    /// Key of the list that is cut first where an answer would have too many tokens.
    const LIST: Option<&'static str> = None;

    /// The same, where it depends on the answer.
    fn list(_: &Self::Output) -> Option<&'static str> {
        Self::LIST
    }

    /// Whether the rest of that list can be asked for, by the number of items to leave out.
    const PAGED: bool = true;

    /// Whether the items of the list are told in full in compact form too.
    const DETAIL: bool = false;

    /// The form of the answer, where the question itself says one.
    fn format(_: &Self::Input, requested: Format) -> Format {
        requested
    }

    /// What kind of text the answer in JSON is, where it is none after all.
    fn media_type(_: &Self::Input) -> &'static str {
        JSON
    }

    /// The answer in a form of its own, for another program; it comes as it is.
    fn verbatim(_: &Self::Output) -> Option<&str> {
        None
    }

    /// What people should know beside the answer.
    fn notes(_: &Self::Output, _: Format) -> Vec<String> {
        Vec::new()
    }

    /// Number of items that the operation itself left out, if it does. Of other lists, so many are cut off
    /// in the end.
    fn offset(_: &Self::Input) -> Option<usize> {
        None
    }

    /// The answer in fewer tokens than the general compact form has, if the operation knows how.
    fn compact(_: &Self::Output) -> Option<serde_json::Value> {
        None
    }

    /// The answer for people.
    fn render(output: &Self::Output, out: &mut text::Page);
}
