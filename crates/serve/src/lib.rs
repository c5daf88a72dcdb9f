//! The servers: the Model Context Protocol on standard input and output, and HTTP.
//!
//! Both offer the operations of `ops` under the same names with the same JSON, and hold no default,
//! limit or ranking of their own. What they add is what a process that lives for long needs: it answers
//! before anything is indexed, indexes in the background, asks for several projects, keeps slow questions
//! from holding up quick ones, and ends when whoever started it does.
//!
//! Start at [`desk`], where every question passes; then `mcp` and `http`.

mod completions;
mod desk;
mod guard;
mod http;
mod lifetime;
mod mcp;
mod openapi;
mod projects;
mod prompts;
mod resources;
mod stdio;
mod tools;
mod window;

pub use desk::Options;
pub use http::{ServeOptions, run as run_http};
pub use mcp::{INSTRUCTIONS, SKILL};
pub use stdio::{McpOptions, run as run_mcp};
pub use tools::listed as listed_tools;
