//! What is counted in a text, and which of it counts.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// Node kinds and names that count towards metrics. A kind or token that counts only in one kind of node
/// is written with that: `binary_expression:&&`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MetricsTable {
    /// Decision points other than loops: `if`, `case` (not `default`), `?:`, `catch`.
    #[serde(default)]
    pub branches: Vec<String>,
    /// A branch that begins with one of these as a child is taken when no other is, and decides nothing:
    /// `_` in Rust's `_ => …`.
    #[serde(default)]
    pub defaults: Vec<String>,
    #[serde(default)]
    pub loops: Vec<String>,
    /// Short-circuit operators; decision points, and one of cognitive complexity per sequence.
    #[serde(default)]
    pub logical: Vec<String>,
    /// Structures that cognitive complexity counts and nests; branches and loops unless said.
    #[serde(default)]
    pub nesting: Vec<String>,
    /// Counted by cognitive complexity without nesting: `else`, `elif`, `goto`.
    #[serde(default)]
    pub flat: Vec<String>,
    /// return, break, continue, throw.
    #[serde(default)]
    pub returns: Vec<String>,
    /// Functions without a name, which nest what is inside.
    #[serde(default)]
    pub closures: Vec<String>,
    #[serde(default)]
    pub unsafe_blocks: Vec<String>,
    /// Nodes that give up on an error: Kotlin's `!!`.
    #[serde(default)]
    pub unchecked: Vec<String>,
    /// Called names that give up on an error: `unwrap`.
    #[serde(default)]
    pub unchecked_calls: Vec<String>,
    /// Nodes that assert: Python's `assert` statement.
    #[serde(default)]
    pub assertion_nodes: Vec<String>,
    /// Globs for called names that assert.
    #[serde(default)]
    pub assertions: Vec<String>,
    /// Names that assert whatever is called on them: `Assert`.
    #[serde(default)]
    pub assertion_receivers: Vec<String>,
}

/// Macros that say for which system, compiler or language a text is compiled.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Conditions {
    /// Those that the usual system has, with the least that stands behind them.
    #[serde(default)]
    pub present: BTreeMap<String, i64>,
    /// Those that it never has.
    #[serde(default)]
    pub absent: BTreeSet<String>,
}
