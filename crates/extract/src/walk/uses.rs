//! References, imports, exports and packages.

use languages::pattern::Part;
use model::{
    Base, Export, ExportKind, Import, ImportFlags, Reference, ReferenceFlags, Role,
    TypePosition,
};
use tree_sitter::Node;

use super::matcher::span;
use super::origins::{Asker, unquoted};
use super::{Closes, Walker};

/// A file with more references than this is data, not code.
const MAX_REFERENCES: usize = 1_000_000;

impl<'t> Walker<'_, 't> {
    /// Acts on a `@reference` pattern: one reference for every `@name`, or for the node itself. True
    /// if the node's value is now explained.
    pub(super) fn refer(&mut self, node: Node<'t>, role: Role, flags: ReferenceFlags) -> bool {
        let names: Vec<Node<'t>> = self.matcher.all(Part::Name).collect();
        if names.is_empty() {
            return self.refer_to_name(node, node, role, flags);
        }
        let mut explained = false;
        for name in names {
            explained |= self.refer_to_name(node, name, role, flags);
        }
        explained
    }

    fn refer_to_name(
        &mut self,
        node: Node<'t>,
        name_node: Node<'t>,
        role: Role,
        mut flags: ReferenceFlags,
    ) -> bool {
        let place = span(name_node);
        let text = self.builder.text(place);
        if text.is_empty() || self.builder.facts.references.len() >= MAX_REFERENCES {
            return false;
        }
        let receiver = self.matcher.part(Part::Receiver);
        // The bare pattern of an identifier applies only where nothing more telling did.
        let is_bare = name_node.id() == node.id();
        if is_bare {
            if self.is_claimed(place.start) {
                return self.origins.asks(node.id());
            }
            let table = &self.language.table;
            if table.this.iter().any(|word| word == text) {
                self.answer(node.id(), Base::This);
                return true;
            }
            if table.super_names.iter().any(|word| word == text) {
                self.answer(node.id(), Base::Super);
                return true;
            }
        } else if self.is_already_referred(place.start, role) {
            return false;
        }
        let name = self.builder.intern(text);
        if matches!(role, Role::Read | Role::Write)
            && receiver.is_none()
            && self.locals.has(name)
            && !self.origins.asks(node.id())
        {
            self.claim(place.start);
            return true;
        }
        if role == Role::Call {
            self.measure_call(text);
        }
        if receiver.is_some() {
            flags.set(ReferenceFlags::MEMBER);
        }
        let single = self.matcher.all(Part::Argument).count();
        let arguments = self
            .matcher
            .part(Part::Arguments)
            .map(argument_count)
            .or_else(|| (single > 0).then(|| u16::try_from(single).unwrap_or(u16::MAX)));
        let position = if role == Role::Type {
            self.type_position(place.start)
        } else {
            TypePosition::Other
        };
        let index = self.builder.facts.references.len() as u32;
        self.builder.facts.references.push(Reference {
            name,
            role,
            position,
            flags,
            start: place.start,
            receiver: model::Origin::default(),
            arguments,
            symbol: self.symbol,
            scope: self.scope,
        });
        self.claim(place.start);
        if let Some(receiver) = receiver {
            self.ask(receiver, Asker::Receiver(index), model::Step::Same);
        }
        self.answer(node.id(), Base::Reference(index));
        if !is_bare {
            // Where the name alone stands for the value, as in a plain call.
            self.answer(name_node.id(), Base::Reference(index));
        }
        true
    }

    /// Whether a pattern further up has referred to this name already: a call explains the member
    /// access inside it.
    fn is_already_referred(&mut self, start: u32, role: Role) -> bool {
        matches!(role, Role::Read | Role::Type) && {
            let at = self.claims.partition_point(|claim| *claim < start);
            self.claims.get(at) == Some(&start)
        }
    }

    /// Acts on an `@import` pattern.
    pub(super) fn import(&mut self, node: Node<'t>, flags: ImportFlags) {
        let own_source = self.matcher.part(Part::Source).map(|part| {
            self.claim_inside(part);
            clean_source(self.builder.text(span(part)))
        });
        let source = self.joined_source(own_source);
        let alias = self.matcher.part(Part::Alias).map(|part| {
            let text = self.builder.text(span(part));
            self.claim(part.start_byte() as u32);
            self.builder.intern(text)
        });
        let mut flags = flags;
        if self.matcher.has(Part::Wildcard) {
            flags.set(ImportFlags::WILDCARD);
        }
        let statement = self.import_prefixes.first().map_or(span(node), |(_, span)| *span);
        let imported: Vec<Node<'t>> = self.matcher.all(Part::Imported).collect();
        if imported.is_empty() {
            let start = self.matcher.part(Part::Source).unwrap_or(node).start_byte() as u32;
            let scope = self.scope;
            self.builder.facts.imports.push(Import {
                source,
                name: None,
                alias,
                flags,
                statement,
                start,
                scope,
            });
            return;
        }
        for part in imported {
            let start = part.start_byte() as u32;
            self.claim_inside(part);
            let name = self.builder.intern(self.builder.text(span(part)));
            let index_symbol = self.symbol;
            self.builder.facts.imports.push(Import {
                source: source.clone(),
                name: Some(name),
                alias,
                flags,
                statement,
                start,
                scope: self.scope,
            });
            self.builder.facts.references.push(Reference {
                name,
                role: Role::Import,
                position: TypePosition::Other,
                flags: ReferenceFlags::default(),
                start,
                receiver: model::Origin::default(),
                arguments: None,
                symbol: index_symbol,
                scope: self.scope,
            });
        }
    }

    /// Acts on an `@import.group` pattern: `@source` goes before the sources of the imports inside.
    pub(super) fn import_group(&mut self, node: Node<'t>) {
        let source = self.matcher.part(Part::Source).map_or(String::new(), |part| {
            self.claim_inside(part);
            clean_source(self.builder.text(span(part)))
        });
        self.import_prefixes.push((source, span(node)));
        self.open(Closes::ImportGroup);
    }

    /// Acts on an `@export` pattern.
    pub(super) fn export(&mut self, node: Node<'t>, type_only: bool, default: bool) {
        let source = self
            .matcher
            .part(Part::Source)
            .map(|part| clean_source(self.builder.text(span(part))))
            .or_else(|| self.import_prefixes.last().map(|(source, _)| source.clone()))
            .filter(|source| !source.is_empty());
        let kind = match (&source, type_only) {
            (Some(_), _) => ExportKind::ReExport,
            (None, true) => ExportKind::Type,
            (None, false) => ExportKind::Value,
        };
        let alias = self
            .matcher
            .part(Part::Alias)
            .map(|part| self.builder.intern(self.builder.text(span(part))));
        let names: Vec<Node<'t>> = self.matcher.all(Part::Name).collect();
        let start = node.start_byte() as u32;
        if names.is_empty() {
            let word = if default { "default" } else { "*" };
            let name = alias.unwrap_or_else(|| self.builder.intern(word));
            let local = None;
            let export = Export { name, local, kind, is_default: default, source, start };
            self.builder.facts.exports.push(export);
            return;
        }
        for part in names {
            let local = self.builder.intern(self.builder.text(span(part)));
            let name = alias.unwrap_or_else(|| {
                if default { self.builder.intern("default") } else { local }
            });
            let export = Export {
                name,
                local: (local != name).then_some(local),
                kind,
                is_default: default || self.builder.facts.names.get(name) == "default",
                source: source.clone(),
                start: part.start_byte() as u32,
            };
            self.builder.facts.exports.push(export);
        }
    }

    /// Acts on a `@package` pattern.
    pub(super) fn package(&mut self, node: Node<'t>) {
        let part = self.matcher.part(Part::Name).unwrap_or(node);
        self.claim_inside(part);
        let text = crate::signature::normalise([self.builder.text(span(part))]);
        self.builder.facts.package = Some(self.builder.intern(&text));
    }

    fn joined_source(&self, own: Option<String>) -> String {
        let separator = self.language.path_separator();
        let mut joined = String::new();
        let prefixes = self.import_prefixes.iter().map(|(source, _)| source.as_str());
        for piece in prefixes.chain(own.as_deref()).filter(|piece| !piece.is_empty()) {
            if !joined.is_empty() && !joined.ends_with(separator) {
                joined.push_str(separator);
            }
            joined.push_str(piece);
        }
        joined
    }

    /// Claims every name in a path, so that its parts are not taken for uses.
    fn claim_inside(&mut self, node: Node<'t>) {
        let place = span(node);
        let text = self.builder.text(place);
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let mut before = ' ';
        let starts: Vec<u32> = text
            .char_indices()
            .filter_map(|(at, c)| {
                let begins = is_word(c) && !is_word(before);
                before = c;
                begins.then_some(place.start + at as u32)
            })
            .collect();
        for start in starts {
            self.claim(start);
        }
    }
}

fn argument_count(arguments: Node<'_>) -> u16 {
    let count = arguments.named_child_count();
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// A module as written, without quotes and angle brackets.
fn clean_source(text: &str) -> String {
    let text = text.trim();
    let inside = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    crate::signature::normalise([inside.unwrap_or_else(|| unquoted(text))])
}

#[cfg(test)]
mod tests {
    use super::clean_source;

    #[test]
    fn sources_lose_their_quotes() {
        assert_eq!(clean_source("\"fmt\""), "fmt");
        assert_eq!(clean_source("<stdio.h>"), "stdio.h");
        assert_eq!(clean_source("a::b"), "a::b");
    }
}

