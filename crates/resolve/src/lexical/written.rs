//! Types as they are written, seen from where they stand.

use languages::ModuleSystem;
use model::NameId;

use super::{Lexical, Meant};
use crate::expression::{Expression, ExpressionId};
use crate::types::{self, Written};

impl Lexical<'_> {
    /// The type written with a symbol.
    pub(crate) fn written_type(&mut self, text: NameId, scope: u32, symbol: u32) -> ExpressionId {
        self.written_type_at(text, scope, Some(symbol))
    }

    /// The type that a symbol adds to, written in its head: what that type has cannot be meant there.
    pub(crate) fn head_type(&mut self, text: NameId, scope: u32, symbol: u32) -> ExpressionId {
        let before = self.head_of.replace(symbol);
        let of_type = self.written_type_at(text, scope, Some(symbol));
        self.head_of = before;
        of_type
    }

    pub(super) fn written_type_at(
        &mut self,
        text: NameId,
        scope: u32,
        symbol: Option<u32>,
    ) -> ExpressionId {
        let text = self.texts.text(text);
        let written = types::parse(&text);
        let of_type = self.type_of(&written, scope, symbol);
        let constants = self.language.table.linking.constant_types.as_deref();
        match constants.is_some_and(|word| text.starts_with(word)) {
            true => self.push(Expression::Constant(of_type)),
            false => of_type,
        }
    }

    /// What an alias stands for. The parts of a type that is written out are members of the alias.
    pub(crate) fn aliased_type(&mut self, text: NameId, scope: u32, symbol: u32) -> ExpressionId {
        let text = self.texts.text(text);
        match types::parse(&text) {
            Written::Object(_) => ExpressionId::UNKNOWN,
            written => self.type_of(&written, scope, Some(symbol)),
        }
    }

    fn type_of(&mut self, written: &Written<'_>, scope: u32, symbol: Option<u32>) -> ExpressionId {
        match written {
            Written::Unknown => ExpressionId::UNKNOWN,
            Written::Path(parts) => self.named_type(parts, scope, symbol, false),
            Written::Inner(parts, arguments) => {
                let words = &self.language.table.linking.element_types;
                let last = parts.last().copied().unwrap_or_default();
                match arguments.last().filter(|_| words.iter().any(|word| word == last)) {
                    Some(element) => self.type_of(element, scope, symbol),
                    None => self.path(parts, scope, symbol),
                }
            }
            Written::ValueOf(parts) => {
                let value = self.path(parts, scope, symbol);
                // The value itself, at the only position it has.
                self.push(Expression::Position(value, 0))
            }
            // What a call of that value would return.
            Written::Apply(base, arguments)
                if matches!((&**base, arguments.as_slice()),
                    (Written::Path(name), [Written::ValueOf(_)]) if name == &["ReturnType"]) =>
            {
                let [Written::ValueOf(parts)] = arguments.as_slice() else {
                    return ExpressionId::UNKNOWN;
                };
                let function = self.path(parts, scope, symbol);
                self.push(Expression::Call(function, None, Box::default()))
            }
            Written::Apply(base, arguments) => {
                if let Some(meant) = self.special_type(base, arguments, scope, symbol) {
                    return meant;
                }
                let base = match &**base {
                    Written::Path(parts) => self.named_type(parts, scope, symbol, true),
                    other => self.type_of(other, scope, symbol),
                };
                let arguments = self.types_of(arguments, scope, symbol);
                self.expressions.push(Expression::Apply(base, arguments))
            }
            Written::Tuple(all) => {
                let all = self.types_of(all, scope, symbol);
                self.expressions.push(Expression::Tuple(all))
            }
            Written::Function(returns) => {
                let returns = self.type_of(returns, scope, symbol);
                self.expressions.push(Expression::Function(returns))
            }
            Written::Object(parts) => {
                let parts = parts
                    .iter()
                    .map(|(name, part)| {
                        (self.texts.intern(name), self.type_of(part, scope, symbol))
                    })
                    .collect();
                self.expressions.push(Expression::Object(parts))
            }
            Written::Union(all) => {
                let nothing = &self.language.table.linking.nothing;
                let some: Vec<&Written<'_>> = all
                    .iter()
                    .filter(|each| match each {
                        Written::Path(parts) => {
                            parts.len() > 1 || !nothing.iter().any(|word| word == parts[0])
                        }
                        _ => true,
                    })
                    .collect();
                if let [only] = some.as_slice() {
                    return self.type_of(only, scope, symbol);
                }
                let all: Vec<ExpressionId> =
                    some.into_iter().map(|each| self.type_of(each, scope, symbol)).collect();
                self.expressions.push(Expression::Union(all.into_boxed_slice()))
            }
        }
    }

    /// A type by its name, with arguments behind it or without.
    fn named_type(
        &mut self,
        parts: &[&str],
        scope: u32,
        symbol: Option<u32>,
        is_applied: bool,
    ) -> ExpressionId {
        let before = self.is_applied;
        self.is_applied = (parts.len() == 1).then_some(is_applied);
        let named = self.path(parts, scope, symbol);
        self.is_applied = before;
        named
    }

    /// What `Optional[T]`, `Union[A, B]` and `Type[T]` say, where such names are imported: of what is
    /// outside only the module is known.
    fn special_type(
        &mut self,
        base: &Written<'_>,
        arguments: &[Written<'_>],
        scope: u32,
        symbol: Option<u32>,
    ) -> Option<ExpressionId> {
        let Written::Path(parts) = base else { return None };
        let last = *parts.last()?;
        let linking = &self.language.table.linking;
        let is_one_of = |words: &[String]| words.iter().any(|word| word == last);
        let is_transparent = is_one_of(&linking.transparent)
            && matches!(linking.modules, ModuleSystem::DottedFiles | ModuleSystem::Paths);
        let (is_union, is_metatype) = (is_one_of(&linking.unions), is_one_of(&linking.metatypes));
        if !(is_transparent || is_union || is_metatype) || self.defines_type(parts, scope, symbol) {
            return None;
        }
        let meant = match arguments {
            all if is_union => Written::Union(all.to_vec()),
            [Written::Path(parts)] if is_metatype => Written::ValueOf(parts.clone()),
            [first, ..] if is_transparent => first.clone(),
            _ => return None,
        };
        Some(self.type_of(&meant, scope, symbol))
    }

    /// Whether the file itself has a definition of that name.
    fn defines_type(&mut self, parts: &[&str], scope: u32, symbol: Option<u32>) -> bool {
        let path = self.path(parts, scope, symbol);
        matches!(self.expressions.get(path), Expression::Symbol(_) | Expression::Symbols(_))
    }

    pub(super) fn types_of(
        &mut self,
        all: &[Written<'_>],
        scope: u32,
        symbol: Option<u32>,
    ) -> Box<[ExpressionId]> {
        all.iter().map(|each| self.type_of(each, scope, symbol)).collect()
    }

    pub(super) fn path(&mut self, parts: &[&str], scope: u32, symbol: Option<u32>) -> ExpressionId {
        let first = parts[0];
        let table = &self.language.table;
        let mut expression = if table.this.iter().any(|word| word == first) || first == "this" {
            match self.object_of(symbol, scope) {
                Some(object) => self.expressions.push(Expression::This(object)),
                None => ExpressionId::UNKNOWN,
            }
        } else {
            let name = self.texts.intern(first);
            let linking = &self.language.table.linking;
            let meant = match linking.overloads || linking.types_apart {
                true => self.lookup_type(name, scope, symbol),
                false => self.lookup(name, scope, u32::MAX, symbol),
            };
            match meant {
                Meant::Expression(expression) => expression,
                Meant::Binding(binding) => self.binding_value(binding),
            }
        };
        // PHP's `A\\B` that begins with no import is a full name, or one from the namespace at hand on.
        if let ("\\", [_, _, ..], Expression::Name(_, within)) =
            (self.language.path_separator(), parts, self.expressions.get(expression))
        {
            let (within, name) = (*within, self.texts.intern(&parts.join("\\")));
            return self.push(Expression::Name(name, within));
        }
        for part in &parts[1..] {
            let name = self.texts.intern(part);
            expression = self.push(Expression::Member(expression, name));
        }
        expression
    }
}
