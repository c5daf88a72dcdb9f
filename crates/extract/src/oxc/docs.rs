//! What JSDoc says beside plain JavaScript: where its types come from, and the types of values that are
//! no symbols. Tags that document a symbol are read with those of other languages (`doc_types.rs`).

use model::{Import, ImportFlags, NameId, Span};

use super::collector::Collector;
use crate::doc_types::{self, Said};

/// A name that a comment brings into the file.
#[derive(Debug, PartialEq, Eq)]
struct Brought<'c> {
    source: &'c str,
    /// None for the whole module.
    name: Option<&'c str>,
    alias: Option<&'c str>,
    flags: ImportFlags,
    /// Where it stands in the comment.
    at: usize,
}

impl Collector<'_> {
    /// `@import { A } from "module"`, `@typedef {import("module").A} B`, `@param {import("module").A} a`.
    pub(super) fn documented_imports(&mut self) {
        if self.builder.language.table.docs.types.is_none() {
            return;
        }
        for index in 0..self.builder.comments.len() {
            let comment = self.builder.comments[index];
            let text = self.builder.text(comment);
            if text.starts_with("/**") && text.contains("import") {
                for brought in brought(text) {
                    self.bring(&brought, comment);
                }
            }
        }
    }

    fn bring(&mut self, brought: &Brought<'_>, comment: Span) {
        // What the code itself declares, or takes from outside, goes by its own name.
        let is_taken = brought.alias.or(brought.name).is_some_and(|local| {
            self.scoping.get_root_binding(local.into()).is_some()
                || self.scoping.root_unresolved_references().contains_key(local)
        });
        let name = brought.name.map(|name| self.builder.intern(name));
        let alias = brought.alias.map(|alias| self.builder.intern(alias));
        let is_known = self.builder.facts.imports.iter().any(|import| {
            import.flags.has(ImportFlags::TYPE_ONLY)
                && (import.alias.or(import.name)) == alias.or(name)
                // A whole module without a name goes by where it comes from.
                && (alias.or(name).is_some() || import.source == brought.source)
        });
        if is_taken || is_known {
            return;
        }
        let mut flags = brought.flags;
        flags.set(ImportFlags::TYPE_ONLY);
        self.builder.facts.imports.push(Import {
            source: brought.source.to_owned(),
            name,
            alias,
            flags,
            statement: comment,
            start: comment.start + brought.at as u32,
            scope: 0,
        });
    }

    /// The type that a comment right above a place says a value has: `/** @type {A} */`.
    pub(super) fn documented_type(&mut self, start: u32) -> Option<NameId> {
        self.said_above(start, |said| match said {
            Said::Value(text) => Some((text, "")),
            _ => None,
        })
        .first()
        .map(|(text, _)| *text)
    }

    /// The types of the parameters of a function that is no symbol, with their names.
    pub(super) fn documented_parameters(&mut self, start: u32) -> Vec<(NameId, NameId)> {
        self.said_above(start, |said| match said {
            Said::Parameter(text, name) => Some((text, name)),
            _ => None,
        })
    }

    fn said_above(
        &mut self,
        start: u32,
        wanted: impl Fn(Said<'_>) -> Option<(&str, &str)>,
    ) -> Vec<(NameId, NameId)> {
        let Some(style) = self.builder.language.table.docs.types else { return Vec::new() };
        let Some(docs) = self.docs_above(start) else { return Vec::new() };
        docs.lines()
            .filter_map(|line| wanted(doc_types::read(line, style)?))
            .map(|(text, name)| (self.builder.intern(text), self.builder.intern(name)))
            .collect()
    }
}

/// All that a comment brings.
fn brought(text: &str) -> Vec<Brought<'_>> {
    let mut all = Vec::new();
    for (at, _) in text.match_indices("import") {
        let (before, behind) = (&text[..at], &text[at + "import".len()..]);
        if before.ends_with('@') && behind.starts_with(char::is_whitespace) {
            import_tag(behind, at, &mut all);
        } else if behind.starts_with('(') && !before.ends_with(is_word) {
            all.extend(import_type(before, behind, at));
        }
    }
    all
}

/// `@import A, { B, C as D } from "module"`, `@import * as E from "module"`; it may go over lines that
/// begin with stars.
fn import_tag<'c>(text: &'c str, at: usize, all: &mut Vec<Brought<'c>>) {
    let clause = text.split(['@', '"', '\'']).next().unwrap_or_default();
    let Some((clause, between)) = clause.rsplit_once("from") else { return };
    let Some(source) = text.get(clause.len() + "from".len()..).and_then(quoted) else { return };
    if !between.chars().all(|c| c.is_whitespace() || c == '*') {
        return;
    }
    let default = ImportFlags::DEFAULT;
    let (outside, inside) = match clause.split_once('{') {
        Some((outside, inside)) => (outside, inside.split('}').next().unwrap_or(inside)),
        None => (clause, ""),
    };
    let words: Vec<&str> = words(outside).collect();
    match words.as_slice() {
        [.., "as", alias] => all.push(Brought {
            source,
            name: None,
            alias: Some(alias),
            flags: ImportFlags::NAMESPACE,
            at,
        }),
        [alias] => all.push(Brought {
            source,
            name: Some("default"),
            alias: Some(alias),
            flags: default,
            at,
        }),
        _ => {}
    }
    for part in inside.split(',') {
        let words: Vec<&str> = self::words(part).collect();
        let (name, alias) = match words.as_slice() {
            [name] | ["type", name] => (*name, None),
            [name, "as", alias] | ["type", name, "as", alias] => (*name, Some(*alias)),
            _ => continue,
        };
        let flags = if name == "default" { default } else { ImportFlags::default() };
        all.push(Brought { source, name: Some(name), alias, flags, at });
    }
}

/// `import("module").A`, which `@typedef {…} B` gives another name if it is all that stands in the braces.
fn import_type<'c>(before: &str, behind: &'c str, at: usize) -> Option<Brought<'c>> {
    let source = quoted(behind.strip_prefix('(')?)?;
    let rest = behind.get(behind.find(source)? + source.len() + 1..)?;
    let rest = rest.trim_start().strip_prefix(')')?;
    let (name, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (Some(&rest[..end]), &rest[end..])
        }
        None => (None, rest),
    };
    let is_defined = before
        .trim_end()
        .strip_suffix('{')
        .is_some_and(|before| before.trim_end().ends_with("@typedef"));
    let alias = is_defined.then(|| doc_types::behind_arguments(rest)).flatten();
    let alias = alias
        .and_then(|rest| rest.trim_start().strip_prefix('}'))
        .and_then(|rest| words(rest).next());
    let mut flags = ImportFlags::DYNAMIC;
    if name.is_none() {
        flags.set(ImportFlags::NAMESPACE);
    }
    Some(Brought { source, name, alias: alias.filter(|alias| name != Some(alias)), flags, at })
}

/// The text in the quotes that a text begins with.
fn quoted(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '*');
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    text.get(1..)?.split_once(quote).map(|(inside, _)| inside).filter(|it| !it.is_empty())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::brought;

    #[test]
    fn comments_bring_names_of_modules() {
        let read = |text: &str| -> Vec<(String, Option<String>, Option<String>)> {
            let own = |text: &str| text.to_owned();
            brought(text)
                .iter()
                .map(|it| (own(it.source), it.name.map(own), it.alias.map(own)))
                .collect()
        };
        let row = |source: &str, name: &str, alias: &str| {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            (source.to_owned(), some(name), some(alias))
        };
        for (text, expected) in [
            ("/** @import { A } from \"./a\" */", vec![row("./a", "A", "")]),
            ("/** @import A from './a' */", vec![row("./a", "default", "A")]),
            ("/** @import * as all from './a' */", vec![row("./a", "", "all")]),
            (
                "/**\n * @import A, {\n * \tB,\n * \ttype C as D\n * } from \"../a\"\n */",
                vec![row("../a", "default", "A"), row("../a", "B", ""), row("../a", "C", "D")],
            ),
            ("/** @typedef {import(\"./a\")} A */", vec![row("./a", "", "A")]),
            ("/** @typedef {import('./a').A} A */", vec![row("./a", "A", "")]),
            (
                "/** @typedef {import('./a').A<[B, C[]], { d: E }>} D wide */",
                vec![row("./a", "A", "D")],
            ),
            (
                "/**\n * @param {import('./a').A | B} a one\n * @returns {Promise<import('./c').C>}\n */",
                vec![row("./a", "A", ""), row("./c", "C", "")],
            ),
            ("/** @typedef {import('./a').A | B} D */", vec![row("./a", "A", "")]),
            ("/** we import (\"this\") and @important from 'x' */", vec![]),
            ("/** @import { A } of './a' */", vec![]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
