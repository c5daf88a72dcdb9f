//! Conditions on files and symbols: `kind:class lang:rust path:src/** name:get* in:src is:test`.

use globset::{Glob, GlobSet, GlobSetBuilder};
use model::{SymbolFlags, SymbolKind};
use rustc_hash::FxHashSet;
use store::{Definition, FileHead, Reader, SymbolLine};

use super::question::Filters;
use crate::workspace::unusable;
use crate::{Error, Kind, Result};

/// Filters, made ready to be applied.
#[derive(Debug, Default)]
pub(crate) struct Conditions {
    kinds: Vec<SymbolKind>,
    languages: Vec<String>,
    paths: Option<GlobSet>,
    within: Vec<String>,
    /// Numbers of the names that fit, if a name was asked for.
    names: Option<FxHashSet<u32>>,
    flags: Vec<SymbolFlags>,
    is_test: bool,
    is_generated: bool,
}

impl Conditions {
    pub(crate) fn new(filters: &Filters, reader: &Reader) -> Result<Self> {
        let mut conditions = Self {
            languages: filters.languages.iter().map(|language| language.to_lowercase()).collect(),
            within: filters.within.iter().map(|place| plain_place(place)).collect(),
            paths: glob_set(&filters.paths, "path")?,
            ..Self::default()
        };
        for word in &filters.kinds {
            conditions.kinds.extend(kinds(word)?);
        }
        for word in &filters.is {
            match word.as_str() {
                "test" => conditions.is_test = true,
                "generated" => conditions.is_generated = true,
                word => conditions.flags.extend(SymbolFlags::parse(word)),
            }
        }
        if let Some(patterns) = glob_set(&filters.names, "name")? {
            let mut names = FxHashSet::default();
            reader
                .each_symbol_name(|id, name| {
                    if patterns.is_match(name) {
                        names.insert(id);
                    }
                })
                .map_err(unusable)?;
            conditions.names = Some(names);
        }
        Ok(conditions)
    }

    /// Whether symbols of this kind are asked for by name.
    pub(super) fn want_kind(&self, kind: SymbolKind) -> bool {
        self.kinds.contains(&kind)
    }

    pub(crate) fn accept_file(&self, head: &FileHead) -> bool {
        (self.languages.is_empty() || self.languages.contains(&head.language))
            && (!self.is_generated || head.is_generated)
            && self.paths.as_ref().is_none_or(|paths| paths.is_match(&head.path))
            && (self.within.is_empty()
                || self.within.iter().any(|place| crate::show::is_within(&head.path, place)))
    }

    /// Whether a symbol of a file will do; `None` is what is outside of any. Tests stand in files of
    /// their own or beside what they test.
    pub(crate) fn accept_symbol(&self, head: &FileHead, symbol: Option<&SymbolLine>) -> bool {
        let is_test = head.is_test || symbol.is_some_and(|it| it.flags.has(SymbolFlags::TEST));
        if self.is_test && !is_test {
            return false;
        }
        match symbol {
            Some(symbol) => self.accept_traits(symbol.kind, symbol.name, symbol.flags),
            None => self.is_about_files_only(),
        }
    }

    pub(crate) fn accept(&self, definition: &Definition) -> bool {
        self.accept_file(&definition.head)
            && (!self.is_test || definition.head.is_test || definition.flags.has(SymbolFlags::TEST))
            && self.accept_traits(definition.kind, definition.name_id, definition.flags)
    }

    fn accept_traits(&self, kind: SymbolKind, name: u32, flags: SymbolFlags) -> bool {
        (self.kinds.is_empty() || self.kinds.contains(&kind))
            && self.names.as_ref().is_none_or(|names| names.contains(&name))
            && self.flags.iter().all(|flag| flags.has(*flag))
    }

    /// Whether nothing is said that only a symbol can be.
    fn is_about_files_only(&self) -> bool {
        self.kinds.is_empty() && self.names.is_none() && self.flags.is_empty()
    }

    /// Whether nothing is said at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_about_files_only()
            && self.languages.is_empty()
            && self.paths.is_none()
            && self.within.is_empty()
            && !self.is_test
            && !self.is_generated
    }
}

/// The kinds that a word stands for: one of them, a short form, or a family.
fn kinds(word: &str) -> Result<Vec<SymbolKind>> {
    let all = || SymbolKind::ALL.iter().copied();
    let found: Vec<SymbolKind> = match word {
        "fn" | "func" | "callable" => all().filter(|kind| kind.is_callable()).collect(),
        "types" => all().filter(|kind| kind.is_type()).collect(),
        "mod" => vec![SymbolKind::Module, SymbolKind::Namespace],
        word => SymbolKind::parse(word).into_iter().collect(),
    };
    if found.is_empty() {
        let known: Vec<&str> = all().map(SymbolKind::as_str).collect();
        return Err(Error::new(Kind::Usage, format!("there is no kind `{word}`"))
            .hint(format!("Kinds are {}; also `fn` and `types`.", known.join(", "))));
    }
    Ok(found)
}

/// Patterns as in a shell; a word without any special character means whatever has it in it.
fn glob_set(patterns: &[String], key: &str) -> Result<Option<GlobSet>> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let mut builder = GlobSetBuilder::new();
    for pattern in patterns {
        let is_plain = !pattern.contains(['*', '?', '[', '{']);
        let pattern = if is_plain {
            format!("*{}*", pattern.trim_start_matches("./"))
        } else {
            pattern.clone()
        };
        let glob = Glob::new(&pattern).map_err(|error| {
            Error::new(Kind::Usage, format!("`{key}:{pattern}` is not a pattern: {}", error.kind()))
        })?;
        builder.add(glob);
    }
    builder.build().map(Some).map_err(|error| Error::new(Kind::Usage, error.to_string()))
}

fn plain_place(place: &str) -> String {
    place.trim_start_matches("./").trim_end_matches('/').to_owned()
}
