//! Which symbol a definition belongs to.

use languages::KindFlags;
use model::{ScopeKind, Symbol, SymbolKind};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

use super::Walker;
use super::definitions::NamePart;
use super::matcher::span;
use super::origins::says_nothing;

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

    /// A function among members is a method, one named so constructs, a variable among members is a
    /// field.
    pub(super) fn refine(
        &self,
        kind: SymbolKind,
        names: &[NamePart<'_>],
        owner_text: Option<&str>,
    ) -> SymbolKind {
        let owner = self.symbol.map(|index| self.symbol_at(index));
        let is_member = owner_text.is_some()
            || owner
                .is_some_and(|owner| owner.kind.has_members() || self.is_in_nameless_type(owner));
        match kind {
            SymbolKind::Function | SymbolKind::Method if is_member => {
                let name = names.first().map_or("", |(_, node, _)| self.builder.text(span(*node)));
                let owner_name = owner.map_or("", |owner| self.builder.facts.names.get(owner.name));
                let owner_text = owner_text.unwrap_or_default();
                let last = owner_text.rsplit(self.language.table.separator.as_str()).next();
                let constructs = self.language.table.constructors.iter().any(|word| {
                    word == name || (word == "$type" && (name == owner_name || Some(name) == last))
                });
                if constructs { SymbolKind::Constructor } else { SymbolKind::Method }
            }
            SymbolKind::Var if is_member => SymbolKind::Field,
            kind => kind,
        }
    }

    /// Whether the innermost scope is that of a type which is no symbol, as where an object is made of
    /// a class written on the spot. In a namespace such a scope only binds parameters of a template.
    pub(super) fn is_in_nameless_type(&self, around: &Symbol) -> bool {
        let scope = self.builder.facts.scopes[self.scope as usize];
        scope.kind == ScopeKind::Type
            && scope.symbol.is_none()
            && !matches!(around.kind, SymbolKind::Namespace | SymbolKind::Module)
    }

    /// Whether a function that is an expression is what the symbol at hand is the name of.
    pub(super) fn is_the_same_function(&self, node: Node<'_>) -> bool {
        self.language.flags(node.kind_id()).any(KindFlags::CLOSURE)
            && self.symbol.is_some_and(|index| self.symbol_at(index).kind.is_callable())
            && self.is_own_function(span(node))
    }

    /// A member that was defined before.
    pub(super) fn member(&self, owner: Option<u32>, name: model::NameId) -> Option<u32> {
        let members = self.builder.facts.symbols.iter().enumerate().rev().take(500);
        let mut members = members.filter(|(_, symbol)| symbol.owner == owner);
        members.find(|(_, symbol)| symbol.name == name).map(|(index, _)| index as u32)
    }

    /// Whether nothing is known yet of the type of a symbol.
    pub(super) fn says_no_type(&self, index: u32) -> bool {
        let symbol = self.symbol_at(index);
        !symbol.kind.is_callable() && symbol.declared_type.is_none() && says_nothing(symbol.origin)
    }

    /// Whether an owner that a definition names is the type it stands in: Ruby's `def Order.find` in
    /// `Order`.
    pub(super) fn is_around(&self, owner: &str) -> bool {
        let around = self.symbol.map(|index| self.symbol_at(index));
        around.is_some_and(|around| {
            around.kind.has_members() && self.builder.facts.names.get(around.name) == owner
        })
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
