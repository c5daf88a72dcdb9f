//! References, imports, exports and packages.

use languages::pattern::Part;
use model::{
    Base, Export, ExportKind, Import, ImportFlags, Reference, ReferenceFlags, Role, SymbolFlags,
    TypePosition,
};
use tree_sitter::Node;

use super::definitions::NamePart;
use super::matcher::span;
use super::origins::{Asker, unquoted};
use super::{Claim, Closes, ImportPrefix, Walker};

/// A file with more references than this is data, not code.
const MAX_REFERENCES: usize = 1_000_000;

impl<'t> Walker<'_, 't> {
    /// Acts on a `@reference` pattern: one reference for every `@name`, every `@title` without its
    /// quotes, or for the node itself. True if the node's value is now explained.
    pub(super) fn refer(&mut self, node: Node<'t>, role: Role, flags: ReferenceFlags) -> bool {
        let mut explained = false;
        let mut named = false;
        let made = self.builder.facts.references.len() as u32;
        // By index: this is the hottest place of the walk, and worth no list of its own.
        for index in 0..self.matcher.parts.len() {
            let (part, name, row) = self.matcher.parts[index];
            if matches!(part, Part::Name | Part::Title) {
                named = true;
                explained |= self.refer_to_name(node, (part, name, row), role, flags);
            }
        }
        if let Some(place) = self.matcher.part(Part::Owner) {
            self.refer_to_owner(place, role, flags);
        } else if !named {
            return self.refer_to_name(node, (Part::Name, node, 0), role, flags);
        }
        if self.matcher.has(Part::Member) {
            self.write_members(made);
        }
        if role != Role::Type && self.matcher.has(Part::Type) {
            let types: Vec<Node<'t>> = self.matcher.all(Part::Type).collect();
            types.into_iter().for_each(|name| self.refer_to_type(name));
        }
        explained
    }

    /// The members that are given to a value where it is made.
    fn write_members(&mut self, made: u32) {
        if self.builder.facts.references.len() as u32 == made {
            return;
        }
        let members: Vec<Node<'t>> = self.matcher.all(Part::Member).collect();
        for member in members {
            let start = member.start_byte() as u32;
            let name = self.builder.intern(self.builder.text(span(member)));
            self.builder.facts.references.push(Reference {
                name,
                role: Role::Write,
                position: TypePosition::Other,
                flags: ReferenceFlags::MEMBER,
                start,
                receiver: model::Origin { base: Base::Reference(made), step: model::Step::Same },
                arguments: None,
                symbol: self.user(start),
                scope: self.scope,
            });
            self.claim(start, Claim::Explained);
        }
    }

    /// A use of the type around, at a place that does not name it.
    fn refer_to_owner(&mut self, place: Node<'t>, role: Role, flags: ReferenceFlags) {
        let Some(owner) = self.enclosing_type() else { return };
        let reference = Reference {
            name: self.symbol_at(owner).name,
            role,
            position: TypePosition::Other,
            flags,
            start: place.start_byte() as u32,
            receiver: model::Origin::default(),
            arguments: self.matcher.part(Part::Arguments).map(argument_count),
            symbol: self.symbol,
            scope: self.scope,
        };
        self.builder.facts.references.push(reference);
    }

    /// A name that can only be known to be a type by what stands around it.
    fn refer_to_type(&mut self, node: Node<'t>) {
        let start = node.start_byte() as u32;
        let name = self.builder.intern(self.builder.text(span(node)));
        self.builder.facts.references.push(Reference {
            name,
            role: Role::Type,
            position: TypePosition::Other,
            flags: ReferenceFlags::default(),
            start,
            receiver: model::Origin::default(),
            arguments: None,
            symbol: self.symbol,
            scope: self.scope,
        });
        self.claim(start, Claim::Referred);
    }

    fn refer_to_name(
        &mut self,
        node: Node<'t>,
        (part, name_node, row): NamePart<'t>,
        mut role: Role,
        mut flags: ReferenceFlags,
    ) -> bool {
        let mut place = span(name_node);
        let written = self.builder.text(place);
        let text = if part == Part::Title { unquoted(written) } else { written };
        place.start += (text.as_ptr() as usize - written.as_ptr() as usize) as u32;
        if text.is_empty() || self.builder.facts.references.len() >= MAX_REFERENCES {
            return false;
        }
        let receiver = self.matcher.part_beside(Part::Receiver, row);
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
            // Where `super` is called by itself, it is a use of the method it calls.
            if role != Role::Call && table.super_names.iter().any(|word| word == text) {
                self.answer(node.id(), Base::Super);
                return true;
            }
        } else if self.is_already_referred(place.start, role) {
            return false;
        }
        let name = self.builder.intern(text);
        // Where a call needs no brackets, a bare name is one only if it is no local.
        if is_bare && role == Role::Call && self.locals.has(name) {
            role = Role::Read;
        }
        if matches!(role, Role::Read | Role::Write)
            && receiver.is_none()
            && self.locals.has(name)
            && (!self.origins.asks(node.id()) || self.origins.only_arguments_ask(node.id()))
        {
            self.answer(node.id(), Base::Local(name));
            self.claim(place.start, Claim::Explained);
            return true;
        }
        if matches!(role, Role::Call | Role::Macro) {
            self.measure_call(name, receiver);
        }
        if receiver.is_some() {
            flags.set(ReferenceFlags::MEMBER);
        } else if !self.is_rooted(place.start) {
            // Of several names only those behind a path have one.
            flags.0 &= !ReferenceFlags::PATH.0;
        }
        // Those in brackets, and those that stand outside, as closures may.
        let outside = u16::try_from(self.matcher.all(Part::Argument).count()).unwrap_or(u16::MAX);
        let arguments = match self.matcher.part(Part::Arguments).map(argument_count) {
            Some(inside) => Some(inside.saturating_add(outside)),
            None => (outside > 0).then_some(outside),
        };
        let position =
            if role == Role::Type { self.type_position(place.start) } else { TypePosition::Other };
        let symbol = match role {
            Role::Extends | Role::Implements => self.heir(),
            _ => self.user(place.start),
        };
        let behind = self.builder.source.as_bytes().get(place.end as usize);
        if behind == Some(&b'<')
            && self.language.table.linking.overloads
            && matches!(role, Role::Call | Role::Type | Role::Extends | Role::Implements)
        {
            flags.set(ReferenceFlags::GENERIC);
        }
        let index = self.builder.facts.references.len() as u32;
        self.builder.facts.references.push(Reference {
            name,
            role,
            position,
            flags,
            start: place.start,
            receiver: model::Origin::default(),
            arguments,
            symbol,
            scope: self.scope,
        });
        self.claim(place.start, Claim::Referred);
        if let Some(receiver) = receiver {
            self.ask(receiver, Asker::Receiver(index), model::Step::Same);
        }
        if let (Role::Call, Some(list)) = (role, self.matcher.part(Part::Arguments)) {
            self.ask_for_arguments(index, list);
        }
        // What is its own receiver is a member of a value that stands elsewhere.
        if receiver.is_some_and(|receiver| receiver.id() == node.id()) {
            self.origins.pass(node.id());
        }
        self.answer(node.id(), Base::Reference(index));
        if !is_bare {
            // Where the name alone stands for the value, as in a plain call.
            self.answer(name_node.id(), Base::Reference(index));
        }
        true
    }

    /// Whether nothing stands before the path of a name, which then begins outside of all namespaces.
    fn is_rooted(&self, start: u32) -> bool {
        let separator = self.language.path_separator();
        self.language.table.linking.nested_namespaces
            && self.builder.source[..start as usize].ends_with(separator)
    }

    /// Whether a pattern further up has explained this name already: a call explains the member access
    /// inside it.
    fn is_already_referred(&self, start: u32, role: Role) -> bool {
        match self.claimed(start) {
            None => false,
            Some(Claim::Referred) => matches!(
                role,
                Role::Read | Role::Type | Role::Call | Role::Extends | Role::Implements
            ),
            Some(Claim::Owner) => role != Role::Type,
            Some(Claim::Explained) => matches!(role, Role::Read | Role::Type | Role::Write),
        }
    }

    /// Acts on an `@import` pattern: one import for every `@imported`, or for every `@source`.
    pub(super) fn import(&mut self, node: Node<'t>, flags: ImportFlags) {
        if let Some((_, source)) = self.path_of_parts() {
            return self.import_path(node, flags, source);
        }
        let imported = self.matcher.rows_of(Part::Imported);
        let targets =
            if imported.is_empty() { self.matcher.rows_of(Part::Source) } else { imported };
        let targets = if targets.is_empty() { vec![(node, 0)] } else { targets };
        for (target, row) in targets {
            self.import_one(node, flags, target, row);
        }
    }

    fn import_one(&mut self, node: Node<'t>, mut flags: ImportFlags, target: Node<'t>, row: u16) {
        let beside = |part| self.matcher.part_beside(part, row);
        let (source, alias) = (beside(Part::Source), beside(Part::Alias));
        let is_name = beside(Part::Imported).is_some_and(|imported| imported.id() == target.id());
        if beside(Part::Wildcard).is_some() {
            flags.set(ImportFlags::WILDCARD);
        }
        if beside(Part::Shared).is_some() {
            flags.set(ImportFlags::SHARED);
        }
        for prefix in &self.import_prefixes {
            flags.set(prefix.flags);
        }
        let source = source.map(|part| {
            self.claim_inside(part);
            clean_source(self.builder.text(span(part)))
        });
        let alias = alias.map(|part| {
            self.claim(part.start_byte() as u32, Claim::Explained);
            self.builder.intern(self.builder.text(span(part)))
        });
        self.claim_inside(target);
        let mut start = target.start_byte() as u32;
        let mut pieces = vec![source.unwrap_or_default()];
        let (mut name, mut known_as) = (None, None);
        if is_name {
            let text = clean_source(self.builder.text(span(target)));
            // What is imported may be a path itself: `use a::{b::C}`.
            let (path, last) =
                text.rsplit_once(self.language.path_separator()).unwrap_or(("", &text));
            pieces.push(path.to_owned());
            match last {
                "*" | "_" => flags.set(ImportFlags::WILDCARD),
                "self" if !self.import_prefixes.is_empty() => flags.set(ImportFlags::NAMESPACE),
                last => {
                    start = target.end_byte() as u32 - last.len().min(text.len()) as u32;
                    name = Some(self.builder.intern(last));
                    known_as = name;
                }
            }
        }
        if flags.has(ImportFlags::DEFAULT) && name.is_none() {
            (name, known_as) = (Some(self.builder.intern("default")), alias);
        }
        let source = self.joined_source(&pieces);
        let statement = self.import_prefixes.first().map_or(span(node), |prefix| prefix.statement);
        let scope = self.scope;
        let import = Import { source, name, alias, flags, statement, start, scope };
        self.push_import(import, known_as);
    }

    /// Adds an import, and the use of a name that it is.
    fn push_import(&mut self, import: Import, known_as: Option<model::NameId>) {
        let (start, scope) = (import.start, import.scope);
        self.builder.facts.imports.push(import);
        let Some(name) = known_as else { return };
        self.builder.facts.references.push(Reference {
            name,
            role: Role::Import,
            position: TypePosition::Other,
            flags: ReferenceFlags::default(),
            start,
            receiver: model::Origin::default(),
            arguments: None,
            symbol: self.symbol,
            scope,
        });
    }

    /// An import whose path is a list of names: the last one is what is imported.
    fn import_path(&mut self, node: Node<'t>, flags: ImportFlags, path: String) {
        let last = self.matcher.all(Part::Path).last().map(span);
        let Some(last) = last else { return };
        let name = self.builder.intern(self.builder.text(last));
        let separator = self.language.path_separator();
        let source = path.rsplit_once(separator).map_or("", |(source, _)| source).to_owned();
        let source = self.joined_source(&[source]);
        let alias = self.matcher.part(Part::Alias).map(|part| {
            self.claim(part.start_byte() as u32, Claim::Explained);
            self.builder.intern(self.builder.text(span(part)))
        });
        let statement = self.import_prefixes.first().map_or(span(node), |prefix| prefix.statement);
        let (start, scope) = (last.start, self.scope);
        let import = Import { source, name: Some(name), alias, flags, statement, start, scope };
        self.push_import(import, Some(name));
    }

    /// The `@path` parts joined, each claimed, with the place of the first.
    fn path_of_parts(&mut self) -> Option<(u32, String)> {
        let parts: Vec<Node<'t>> = self.matcher.all(Part::Path).collect();
        let start = parts.first()?.start_byte() as u32;
        let mut path = String::new();
        for part in parts {
            self.claim(part.start_byte() as u32, Claim::Explained);
            if !path.is_empty() {
                path.push_str(self.language.path_separator());
            }
            path.push_str(self.builder.text(span(part)));
        }
        Some((start, path))
    }

    /// Acts on an `@import.group` pattern: `@source` goes before the sources of the imports inside.
    pub(super) fn import_group(&mut self, node: Node<'t>, flags: ImportFlags) {
        let source = match self.path_of_parts() {
            Some((_, path)) => path,
            None => self.matcher.part(Part::Source).map_or(String::new(), |part| {
                self.claim_inside(part);
                clean_source(self.builder.text(span(part)))
            }),
        };
        self.import_prefixes.push(ImportPrefix { source, statement: span(node), flags });
        self.open(Closes::ImportGroup);
    }

    /// Acts on an `@export` pattern.
    /// `outside` is the symbol around the node, which may itself define one.
    pub(super) fn export(
        &mut self,
        node: Node<'t>,
        type_only: bool,
        default: bool,
        outside: Option<u32>,
    ) {
        let source = self
            .matcher
            .part(Part::Source)
            .map(|part| clean_source(self.builder.text(span(part))))
            .or_else(|| self.import_prefixes.last().map(|prefix| prefix.source.clone()))
            .filter(|source| !source.is_empty());
        let is_of_types = |prefix: &ImportPrefix| prefix.flags.has(ImportFlags::TYPE_ONLY);
        let type_only = type_only || self.import_prefixes.iter().any(is_of_types);
        let kind = match (&source, type_only) {
            (Some(_), _) => ExportKind::ReExport,
            (None, true) => ExportKind::Type,
            (None, false) => ExportKind::Value,
        };
        if outside.is_some() {
            // Inside a namespace it is the namespace's business.
            return;
        }
        if let Some(own) = self.symbol {
            let flags = &mut self.builder.facts.symbols[own as usize].flags;
            flags.set(SymbolFlags::EXPORTED);
            if default {
                flags.set(SymbolFlags::DEFAULT_EXPORT);
            }
        }
        let alias = self.matcher.part(Part::Alias).map(|part| {
            self.claim(part.start_byte() as u32, Claim::Explained);
            self.builder.intern(self.builder.text(span(part)))
        });
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
            if source.is_some() {
                self.claim(part.start_byte() as u32, Claim::Explained);
            }
            let local = self.builder.intern(self.builder.text(span(part)));
            let name = alias
                .unwrap_or_else(|| if default { self.builder.intern("default") } else { local });
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
        let mut text = crate::signature::normalise([self.builder.text(span(part))]);
        // `package a` and `package b` behind it: the second is inside of the first.
        if let (true, Some(around)) =
            (self.language.table.linking.applied.is_some(), self.builder.facts.package)
        {
            text = format!("{}.{text}", self.builder.facts.name(around));
        }
        self.builder.facts.package = Some(self.builder.intern(&text));
    }

    /// The prefixes of the open groups and the pieces, joined as the language joins paths.
    fn joined_source(&self, pieces: &[String]) -> String {
        let separator = self.language.path_separator();
        let mut joined = String::new();
        let prefixes = self.import_prefixes.iter().map(|prefix| prefix.source.as_str());
        let pieces = prefixes.chain(pieces.iter().map(String::as_str));
        for piece in pieces.filter(|piece| !piece.is_empty()) {
            if !joined.is_empty() && !joined.ends_with(separator) {
                joined.push_str(separator);
            }
            joined.push_str(piece);
        }
        joined
    }

    /// Claims every name in a path, so that its parts are not taken for uses.
    pub(super) fn claim_inside(&mut self, node: Node<'t>) {
        self.claim_inside_as(node, Claim::Explained);
    }

    pub(super) fn claim_inside_as(&mut self, node: Node<'t>, claim: Claim) {
        let place = span(node);
        let text = self.builder.text(place);
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        // Most is a single word.
        if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            if !text.is_empty() {
                self.claim(place.start, claim);
            }
            return;
        }
        let mut is_inside = false;
        for (at, c) in text.char_indices() {
            let was_inside = std::mem::replace(&mut is_inside, is_word(c));
            if is_inside && !was_inside {
                self.claim(place.start + at as u32, claim);
            }
        }
    }
}

fn argument_count(arguments: Node<'_>) -> u16 {
    let mut count = arguments.named_child_count();
    // Comments are children too; they hardly ever stand between arguments on one line.
    if arguments.start_position().row != arguments.end_position().row {
        let mut cursor = arguments.walk();
        count = arguments.named_children(&mut cursor).filter(|child| !child.is_extra()).count();
    }
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
