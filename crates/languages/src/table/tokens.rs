//! How tokens are read that the grammar leaves unread.

use serde::Deserialize;

/// A list of tokens between brackets is read as the first of `whole` that fits. If none does, it is cut
/// at the separators, and each piece, down to lists inside it, is read by itself; the rest stays tokens.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TokensTable {
    /// The node of such a list, brackets included.
    pub node: String,
    /// The nodes it must stand in.
    pub inside: Vec<String>,
    /// Names before a list that is about other code than that around it: Rust's `quote!`.
    #[serde(default)]
    pub except: Vec<String>,
    pub whole: Vec<Reading>,
    #[serde(default)]
    pub pieces: Vec<Reading>,
    /// Where lists are cut, and where pieces that cannot be read are cut once more.
    #[serde(default)]
    pub separators: Vec<Vec<String>>,
    /// Signs before a piece that mean something to the macro alone.
    #[serde(default)]
    pub signs: Vec<String>,
}

/// What to write around tokens so that the grammar reads them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reading {
    pub before: String,
    pub after: String,
    /// The node whose children are what was meant.
    pub node: String,
    /// It may bind names, which are not known behind it.
    #[serde(default)]
    pub binds: bool,
    /// The opening brackets it is tried for; all unless said.
    #[serde(default)]
    pub brackets: Vec<String>,
    /// Tokens of which one must stand in it, outside other brackets.
    #[serde(default)]
    pub with: Vec<String>,
    /// Tokens that cannot stand in it, outside other brackets: not worth a try.
    #[serde(default)]
    pub without: Vec<String>,
    /// Words that it cannot begin with.
    #[serde(default)]
    pub not_first: Vec<String>,
    /// Tokens that cannot stand right behind a name that it begins with.
    #[serde(default)]
    pub not_behind_name: Vec<String>,
}
