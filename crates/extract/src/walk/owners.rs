//! Which symbol a definition belongs to.

use languages::KindFlags;
use model::SymbolKind;
use rustc_hash::FxHashMap;

use super::Walker;

impl Walker<'_, '_> {
    /// The type whose method is at hand.
    pub(super) fn enclosing_type(&self) -> Option<u32> {
        let mut symbol = self.symbol;
        while let Some(index) = symbol {
            if self.symbol_at(index).kind.has_members() {
                return Some(index);
            }
            symbol = self.symbol_at(index).owner;
        }
        None
    }

    /// The symbol whose parent is named at hand. Where a field names it, as Go embeds types, that is the
    /// type of the field; where a function does, it is an unnamed class in it, and not the type around.
    pub(super) fn heir(&self) -> Option<u32> {
        let is_field = |index: &u32| self.symbol_at(*index).kind == SymbolKind::Field;
        match self.symbol.filter(is_field) {
            Some(_) => self.enclosing_type().or(self.symbol),
            None => self.symbol,
        }
    }

    /// The symbol that a definition at hand belongs to. A type written where another symbol says what
    /// it is made of is no part of that symbol: in `typedef struct a { … } b`, `a` stands for itself.
    pub(super) fn owner_of(&self, kind: SymbolKind) -> Option<u32> {
        if self.is_friend() {
            return self.enclosing_type().and_then(|index| self.symbol_at(index).owner);
        }
        if !kind.is_type() {
            return self.symbol;
        }
        let mut symbol = self.symbol;
        while let Some(index) = symbol {
            let open = self.symbol_at(index);
            let is_value = matches!(
                open.kind,
                SymbolKind::TypeAlias | SymbolKind::Var | SymbolKind::Const | SymbolKind::Field
            );
            if !is_value || open.body.is_some() {
                break;
            }
            symbol = open.owner;
        }
        symbol
    }

    /// Whether what is defined at hand is no member of the type it stands in.
    pub(super) fn is_friend(&self) -> bool {
        let parent = self.ancestors.last();
        parent.is_some_and(|(kind, _)| self.language.flags(*kind).any(KindFlags::FRIEND))
    }

    pub(super) fn has_member(&self, owner: Option<u32>, name: model::NameId) -> bool {
        let members = self.builder.facts.symbols.iter().rev();
        members.take(500).any(|symbol| symbol.owner == owner && symbol.name == name)
    }

    pub(super) fn qualified(&self, outer: Option<u32>, owner: Option<&str>, name: &str) -> String {
        let separator = &self.language.table.separator;
        let outer = outer.map(|outer| self.symbol_at(outer).qualified_name.as_str());
        let lengths = outer.map_or(0, str::len) + owner.map_or(0, str::len) + name.len();
        let mut text = String::with_capacity(lengths + 2 * separator.len());
        if let Some(outer) = outer {
            text.push_str(outer);
            text.push_str(separator);
        }
        if let Some(owner) = owner {
            text.push_str(owner);
            text.push_str(separator);
        }
        text.push_str(name);
        text
    }

    /// Finds the owners that were only named, now that all symbols are known.
    pub(super) fn settle_owners(&mut self) {
        if self.definitions.named_owners.is_empty() {
            return;
        }
        let facts = &mut self.builder.facts;
        let types: FxHashMap<&str, u32> = facts
            .symbols
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, symbol)| symbol.kind.has_members() || symbol.kind == SymbolKind::Namespace)
            .map(|(index, symbol)| (symbol.qualified_name.as_str(), index as u32))
            .collect();
        let owners: Vec<(u32, Option<u32>)> = self
            .definitions
            .named_owners
            .iter()
            .map(|(index, owner)| (*index, types.get(owner.as_str()).copied()))
            .collect();
        for (index, owner) in owners {
            if owner.is_some() {
                facts.symbols[index as usize].owner = owner;
            }
        }
    }
}
