//! Setting up agents and editors to use Groma, and telling agents how.
//!
//! What is known of clients is data (`clients.toml`, read by [`clients`]); from it, [`Setup`] plans the
//! changes of files, edits them where they stand (`json`, `toml`, `section`) and replaces each all at
//! once (`target`). Start at `plan.rs`.

mod diff;
pub mod hook;
mod json;
mod plan;
pub mod plugin;
mod section;
pub mod setup;
pub mod skill;
mod table;
mod target;
mod toml;

pub use hook::Hook;
pub use setup::Setup;
pub use skill::Skill;
pub use table::{Client, Scope, clients};
