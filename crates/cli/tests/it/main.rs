//! The whole product, as a user meets it: the real program on temporary projects.
//!
//! `budget` is that answers stay within it, `hostile` is what a repository may do to it, `determinism` that the same files give the same index,
//! `commands` what each command says, `freshness` that answers are not stale,
//! `disk` what happens when it is full, `inventory` the behaviours promised by name. `project` makes
//! projects and runs the program, `dump` compares indexes. Set `GROMA_LONG_TESTS=1` for the long
//! variants.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod affected;
mod baselines;
mod budget;
mod changes;
mod commands;
mod context;
mod determinism;
mod disk;
mod dump;
mod files;
mod find;
mod formats;
mod freshness;
mod graph;
mod hostile;
mod inventory;
mod linked;
mod links;
mod overview;
mod project;
mod query;
mod recipes;
mod sandbox;
mod search;
mod servers;
mod setup;
mod shell;
mod show;
mod statements;
mod watching;
