//! JavaScript and TypeScript, read by oxc: its syntax tree, and the scopes and local names it resolves.
//!
//! One pass over the tree fills the [`Builder`]. [`collector`] holds the state of that pass and the
//! ways to add a fact; the other modules say what each kind of node adds: [`declarations`],
//! [`classes`], [`members`] and [`modules`] for what a file defines, [`expressions`], [`types`] and
//! [`markup`] for what it uses, [`patterns`] for the names it binds, [`docs`] for what comments say of
//! types, [`flow`] for what metrics count. [`repairs`] has Flow read as well.

mod assignments;
mod calls;
mod classes;
mod collector;
mod commonjs;
mod declarations;
mod docs;
mod expressions;
mod flow;
mod markup;
mod members;
mod modules;
mod own_module;
mod patterns;
mod repairs;
#[cfg(test)]
mod tests;
mod types;
mod visit;

use std::cell::RefCell;

use ::oxc_allocator::Allocator;
use ::oxc_ast::ast::Program;
use ::oxc_parser::{ParseOptions, Parser, ParserReturn};
use ::oxc_semantic::{SemanticBuilder, Stats};
use ::oxc_span::SourceType;
use model::{FileFacts, ProblemKind};

use crate::{Builder, GaveUp, Language, Source, complete};
use collector::Collector;
use repairs::Repairs;

/// An arena that has grown beyond this is given back; few files need as much.
const MAX_KEPT_ARENA: usize = 16 << 20;

pub(crate) fn extract(language: &Language, source: Source<'_>) -> Result<FileFacts, GaveUp> {
    thread_local! {
        // Fresh pages cost more than the trees that are put on them.
        static ARENA: RefCell<Allocator> = RefCell::default();
    }
    ARENA.with_borrow_mut(|arena| {
        let facts = extract_in(arena, language, source);
        if arena.capacity() > MAX_KEPT_ARENA {
            *arena = Allocator::default();
        } else {
            arena.reset();
        }
        facts
    })
}

fn extract_in(
    arena: &Allocator,
    language: &Language,
    source: Source<'_>,
) -> Result<FileFacts, GaveUp> {
    let parsed = parse(arena, language, source)?;
    let semantic = SemanticBuilder::new().with_stats(expected(source.text)).build(&parsed.program);
    let mut builder = Builder::new(source.text, language);
    for diagnostic in parsed.diagnostics.iter().chain(&semantic.diagnostics) {
        let start = diagnostic.labels.first().map_or(0, |label| label.offset());
        builder.problem(ProblemKind::Syntax, start, diagnostic.message.to_string());
    }
    read_comments(&mut builder, &parsed.program);
    let scoping = semantic.semantic.scoping();
    let mut collector = Collector::new(builder, scoping, parsed.program.source_type);
    collector.program(&parsed.program);
    let mut builder = collector.finish();
    complete::complete(&mut builder, source.path);
    Ok(builder.finish())
}

/// About as much as a source of this length holds. oxc would go over the whole tree to count exactly,
/// which costs more than letting a table grow once in a while.
fn expected(text: &str) -> Stats {
    let length = text.len() as u32;
    Stats { nodes: length / 8, scopes: length / 128, symbols: length / 64, references: length / 32 }
}

/// The first reading of the file that gives a tree.
fn parse<'a>(
    allocator: &'a Allocator,
    language: &Language,
    source: Source<'a>,
) -> Result<ParserReturn<'a>, GaveUp> {
    let mut refused = None;
    let mut is_flow = false;
    for source_type in readings(language, source.path) {
        let mut parsed = parse_as(allocator, source.text, source_type);
        is_flow |= parsed.is_flow_language;
        if is_flow && source_type.is_typescript() {
            parsed = parse_flow(allocator, source.text, parsed);
        }
        if !parsed.panicked && parsed.diagnostics.is_empty() {
            return Ok(parsed);
        }
        // Of several readings that fail, one that at least gives a tree is better than none.
        let better = refused
            .as_ref()
            .is_none_or(|before: &ParserReturn<'_>| before.panicked && !parsed.panicked);
        if better {
            refused = Some(parsed);
        }
    }
    match refused {
        Some(parsed) if !parsed.panicked => Ok(parsed),
        refused => Err(gave_up(refused.as_ref())),
    }
}

fn parse_as<'a>(allocator: &'a Allocator, text: &'a str, kind: SourceType) -> ParserReturn<'a> {
    let options = ParseOptions { allow_return_outside_function: true, ..Default::default() };
    Parser::new(allocator, text, kind).with_options(options).parse()
}

/// What a text in Flow is with its repairs, of which there may be none.
fn parse_flow<'a>(
    allocator: &'a Allocator,
    text: &str,
    mut parsed: ParserReturn<'a>,
) -> ParserReturn<'a> {
    let kind = parsed.program.source_type;
    let mut repairs = Repairs::new(text);
    while parsed.panicked {
        let Some(error) = parsed.diagnostics.last() else { break };
        let start = error.labels.first().map_or(0, |label| label.offset());
        let Some(text) = repairs.repaired(start as usize, &error.message) else { break };
        parsed = parse_as(allocator, allocator.alloc_str(text), kind);
    }
    parsed
}

fn gave_up(parsed: Option<&ParserReturn<'_>>) -> GaveUp {
    let error = parsed.and_then(|parsed| parsed.diagnostics.first());
    GaveUp {
        start: error.and_then(|error| error.labels.first()).map_or(0, |label| label.offset()),
        message: error.map_or_else(|| "no tree".to_owned(), |error| error.message.to_string()),
    }
}

/// How a file may be read, the likeliest first. A module is strict, so a script gets a second chance.
fn readings(language: &Language, path: &str) -> Vec<SourceType> {
    let name = path.rsplit('/').next().unwrap_or(path);
    match language.id.as_str() {
        "typescript" | "tsx" => {
            let by_path = SourceType::from_path(name).ok().filter(|kind| kind.is_typescript());
            let jsx = language.id == "tsx";
            vec![by_path.unwrap_or(SourceType::ts()).with_module(true).with_jsx(jsx)]
        }
        _ => vec![
            SourceType::mjs().with_jsx(true),
            SourceType::cjs().with_jsx(true),
            SourceType::tsx().with_module(true),
        ],
    }
}

/// Comments come first: docs and signatures look at them.
fn read_comments(builder: &mut Builder<'_>, program: &Program<'_>) {
    if let Some(hashbang) = &program.hashbang {
        builder.comment(collector::span(hashbang.span));
    }
    for comment in &program.comments {
        builder.comment(collector::span(comment.span));
    }
}
