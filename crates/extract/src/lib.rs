//! Turns one source file into [`FileFacts`].
//!
//! Nothing here reads the disk or knows about other files, and nothing fails: the same text always
//! gives the same facts, so files can be extracted in parallel and cached by content hash. Broken
//! source gives fewer facts and a [`model::Problem`].
//!
//! Start at [`extract`]. [`walk`] serves every language that has a tree-sitter grammar, driven by the
//! patterns of its folder, with [`recovery`] before it where macros mislead the grammar; [`oxc`] takes
//! its place for JavaScript and TypeScript, [`css`] for style sheets and [`markdown`] for documents,
//! whose parsers know more or are quicker. All of them fill a [`builder::Builder`], and [`complete`] adds what follows from what they found.

mod bodies;
mod builder;
mod comments;
mod complete;
#[cfg(any(test, feature = "coverage"))]
pub mod coverage;
mod css;
mod doc_types;
mod markdown;
pub mod memory;
mod oxc;
mod plain;
mod recovery;
mod signature;
mod walk;

use languages::{Language, Parser};
use model::{FileFacts, ProblemKind};

use builder::Builder;

/// A file to extract.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// From the root of the project, with `/`: some rules look at it.
    pub path: &'s str,
    pub text: &'s str,
}

/// The facts of a file. The parsers may overflow the stack or never return on hostile input; a
/// caller that must survive that runs this in a process of its own.
pub fn extract(language: &Language, source: Source<'_>) -> FileFacts {
    let tree_sitter = || walk::extract(language, source);
    match language.table.parser {
        Parser::TreeSitter => tree_sitter(),
        Parser::Oxc => oxc::extract(language, source)
            .unwrap_or_else(|reason| fell_back(tree_sitter(), &reason)),
        Parser::Lightningcss => css::extract(language, source)
            .unwrap_or_else(|reason| fell_back(tree_sitter(), &reason)),
        Parser::PulldownCmark => markdown::extract(language, source),
        Parser::Text => plain::extract(language, source),
    }
}

/// The facts of a file by the patterns of its language, whichever parser usually reads it.
pub fn extract_by_patterns(language: &Language, source: Source<'_>) -> FileFacts {
    walk::extract(language, source)
}

/// The facts of a file of which only the words are to be known: it is of no language, or its
/// structure cannot be had.
pub fn extract_words(language: &Language, source: Source<'_>) -> FileFacts {
    plain::extract(language, source)
}

fn fell_back(mut facts: FileFacts, reason: &GaveUp) -> FileFacts {
    let message = reason.message.clone();
    facts
        .problems
        .insert(0, model::Problem { kind: ProblemKind::Fallback, start: reason.start, message });
    facts
}

/// Why a special parser leaves a file to the general one.
#[derive(Debug)]
struct GaveUp {
    start: u32,
    message: String,
}
