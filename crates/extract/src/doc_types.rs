//! Types that only the documentation says: `@var Order`, `@param {Order} order`, `@return [Order]`.
//!
//! What is declared in the code counts more and is left as it is, unless it is as vague as `array`.

use languages::DocTypes;
use model::{Base, BindingKind, NameId, Origin, Span, Step, SymbolKind};
use rustc_hash::FxHashMap;

use crate::builder::Builder;

/// A type longer than this is a description.
const MAX_TYPE: usize = 200;

/// Declared types of which the documentation may know more.
const VAGUE: &[&str] = &["array", "iterable", "mixed", "object"];

/// What one tag says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said<'d> {
    /// The type of what is documented.
    Value(&'d str),
    /// What the function that is documented returns.
    Returned(&'d str),
    Parameter(&'d str, &'d str),
}

pub(crate) fn complete(builder: &mut Builder<'_>) {
    let Some(style) = builder.language.table.docs.types else { return };
    let mut parameters: FxHashMap<(u32, NameId), NameId> = FxHashMap::default();
    let mut taken_apart: FxHashMap<u32, Vec<Documented>> = FxHashMap::default();
    for index in 0..builder.facts.symbols.len() {
        let symbol = &builder.facts.symbols[index];
        let (kind, is_declared) = (symbol.kind, says_enough(builder, symbol.declared_type));
        let Some(docs) = symbol.docs.clone() else { continue };
        for said in docs.lines().filter_map(|line| read(line, style)) {
            match said {
                Said::Value(text) if !is_declared && is_value(kind) => {
                    builder.facts.symbols[index].declared_type = Some(builder.intern(text));
                }
                Said::Returned(text) if !is_declared && kind.is_callable() => {
                    builder.facts.symbols[index].declared_type = Some(builder.intern(text));
                }
                Said::Parameter(text, name) if kind.is_callable() && style == DocTypes::Braces => {
                    let all = taken_apart.entry(index as u32).or_default();
                    document(all, text, name);
                }
                Said::Parameter(text, name) if kind.is_callable() => {
                    let (text, name) = (builder.intern(text), builder.intern(name));
                    parameters.entry((index as u32, name)).or_insert(text);
                }
                _ => {}
            }
        }
    }
    for (symbol, all) in &taken_apart {
        for documented in all {
            let text = builder.intern(&documented.whole());
            let name = builder.intern(&documented.name);
            parameters.entry((*symbol, name)).or_insert(text);
        }
    }
    if parameters.is_empty() {
        return;
    }
    parts_of_patterns(builder, &taken_apart);
    for index in 0..builder.facts.bindings.len() {
        let binding = builder.facts.bindings[index];
        if let (BindingKind::Parameter, Some(symbol)) = (binding.kind, binding.symbol)
            && !says_enough(builder, binding.declared_type)
            && let Some(text) = parameters.get(&(symbol, binding.name))
        {
            builder.facts.bindings[index].declared_type = Some(*text);
        }
    }
}

/// A parameter as the documentation has it, with the parts it tells of: `@param {Order} options.order`.
#[derive(Debug, Default)]
struct Documented {
    name: String,
    text: String,
    parts: Vec<(String, String)>,
}

impl Documented {
    /// The type of the whole: what its parts are says more than that it is an object.
    fn whole(&self) -> String {
        if self.parts.is_empty() || !VAGUE.contains(&self.text.to_lowercase().as_str()) {
            return self.text.clone();
        }
        let parts: Vec<String> =
            self.parts.iter().map(|(name, text)| format!("{name}: {text}")).collect();
        format!("{{ {} }}", parts.join("; "))
    }
}

/// Adds what a tag says of a parameter or of a part of one.
fn document(all: &mut Vec<Documented>, text: &str, name: &str) {
    match name.split_once('.') {
        None => {
            all.push(Documented { name: name.to_owned(), text: text.to_owned(), parts: Vec::new() })
        }
        // Only one step deep: what is further inside is seldom an object with methods.
        Some((whole, part)) if !part.contains(['.', '[']) => {
            if let Some(documented) = all.iter_mut().rfind(|it| it.name == whole) {
                documented.parts.push((part.to_owned(), text.to_owned()));
            }
        }
        Some(_) => {}
    }
}

/// A parameter that is taken apart has no name: it is the one at its place, and its parts have theirs.
fn parts_of_patterns(builder: &mut Builder<'_>, documented: &FxHashMap<u32, Vec<Documented>>) {
    let mut places: FxHashMap<u32, usize> = FxHashMap::default();
    for index in 0..builder.facts.bindings.len() {
        let pattern = builder.facts.bindings[index];
        let (BindingKind::Parameter, Some(symbol)) = (pattern.kind, pattern.symbol) else {
            continue;
        };
        let place = places.entry(symbol).or_default();
        *place += 1;
        let Some(said) = documented.get(&symbol).and_then(|all| all.get(*place - 1)) else {
            continue;
        };
        let written = builder.facts.name(pattern.name);
        if !written.starts_with('{') || pattern.declared_type.is_some() {
            continue;
        }
        let whole = said.whole();
        if VAGUE.contains(&whole.to_lowercase().as_str()) {
            continue;
        }
        let whole = builder.intern(&whole);
        let mut braces = Braces { at: pattern.start, depth: 0 };
        for inner in index + 1..builder.facts.bindings.len() {
            let part = builder.facts.bindings[inner];
            if part.kind != BindingKind::Pattern || !braces.go_on(builder.source, part.start) {
                break;
            }
            let is_open = part.declared_type.is_none()
                && matches!(part.origin.base, Base::None | Base::Unknown | Base::Literal(_));
            // Behind a colon it has another name than the part; behind dots it is what is left.
            let before = builder.text(Span::new(pattern.start, part.start)).trim_end();
            if is_open && braces.depth == 1 && before.ends_with(['{', ',']) {
                let origin = Origin { base: Base::Type(whole), step: Step::Member(part.name) };
                builder.facts.bindings[inner].origin = origin;
            }
        }
    }
}

/// How deep in the braces of a pattern a place is.
struct Braces {
    at: u32,
    depth: u32,
}

impl Braces {
    /// Goes on to a place; false if the pattern ends before it. A brace in a text may end it too early,
    /// which only leaves something unsaid.
    fn go_on(&mut self, source: &str, to: u32) -> bool {
        let passed = source.as_bytes().get(self.at as usize..to as usize);
        self.at = to;
        passed.is_some_and(|passed| {
            passed.iter().all(|byte| {
                match byte {
                    b'{' => self.depth += 1,
                    b'}' => self.depth -= 1,
                    _ => return true,
                }
                self.depth > 0
            })
        })
    }
}

/// Whether a declared type leaves nothing to say: not that of a list without the type of its elements.
fn says_enough(builder: &Builder<'_>, declared: Option<NameId>) -> bool {
    declared.is_some_and(|declared| {
        let text = builder.facts.name(declared);
        !VAGUE.contains(&text.trim_start_matches('?'))
    })
}

const fn is_value(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Property | SymbolKind::Field | SymbolKind::Var | SymbolKind::Const)
}

/// What a line of documentation says.
pub(crate) fn read(line: &str, style: DocTypes) -> Option<Said<'_>> {
    let tag = line.trim_start().strip_prefix('@')?;
    let (word, rest) = tag.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    match word {
        "var" | "type" => type_at(rest, style).map(|(text, _)| Said::Value(text)),
        "return" | "returns" => type_at(rest, style).map(|(text, _)| Said::Returned(text)),
        "param" => {
            let (text, name) = match type_at(rest, style) {
                Some((text, rest)) => (text, first_word(rest)?),
                // `@param name [Type]`
                None => {
                    let (name, rest) = rest.split_once(char::is_whitespace)?;
                    (type_at(rest.trim_start(), style)?.0, name)
                }
            };
            let name = name.trim_start_matches(['$', '&', '.', '[', '*']);
            let name = name.split(['=', ']', ':']).next().unwrap_or(name);
            (!name.is_empty()).then_some(Said::Parameter(text, name))
        }
        _ => None,
    }
}

fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next()
}

/// The type that a text begins with, and what stands behind it.
fn type_at(text: &str, style: DocTypes) -> Option<(&str, &str)> {
    let (text, rest) = match style {
        DocTypes::Braces => inside(text, '{', '}')?,
        DocTypes::Brackets => inside(text, '[', ']')?,
        DocTypes::Plain => {
            let end = end_of_type(text);
            (text.get(..end)?, text.get(end..)?)
        }
    };
    let text = text.trim().trim_start_matches(['?', '!', '.']).trim_end_matches('=');
    let text = if text == "$this" { "static" } else { text };
    let is_type = !text.is_empty() && text.len() <= MAX_TYPE && !text.starts_with('$');
    is_type.then_some((text, rest))
}

/// The text between brackets that it begins with, and what stands behind them.
fn inside(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    if !text.starts_with(open) {
        return None;
    }
    let mut depth = 0u32;
    for (at, sign) in text.char_indices() {
        depth += u32::from(sign == open);
        if sign == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some((text.get(1..at)?, text.get(at + 1..)?));
            }
        }
    }
    None
}

/// Where a type ends that stands without brackets of its own: at the first space outside of others.
fn end_of_type(text: &str) -> usize {
    let mut depth = 0u32;
    for (at, sign) in text.char_indices() {
        match sign {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth = depth.saturating_sub(1),
            _ if sign.is_whitespace() && depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// What stands behind the arguments of a type, if it has any.
pub(crate) fn behind_arguments(text: &str) -> Option<&str> {
    match text.starts_with('<') {
        true => inside(text, '<', '>').map(|(_, rest)| rest),
        false => Some(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{DocTypes, Said, read};

    #[test]
    fn tags_say_types_in_three_styles() {
        use DocTypes::{Braces, Brackets, Plain};
        for (line, style, said) in [
            ("@var \\App\\Order", Plain, Some(Said::Value("\\App\\Order"))),
            ("@var array<int, Order> all of them", Plain, Some(Said::Value("array<int, Order>"))),
            ("@return $this", Plain, Some(Said::Returned("static"))),
            ("@param  ?Order  $order  the one", Plain, Some(Said::Parameter("Order", "order"))),
            ("@param $order", Plain, None),
            ("@returns {Promise<Order>} later", Braces, Some(Said::Returned("Promise<Order>"))),
            ("@param {{a: B}} [order={}] it", Braces, Some(Said::Parameter("{a: B}", "order"))),
            ("@type {!Order=}", Braces, Some(Said::Value("Order"))),
            ("@param order [Order] it", Brackets, Some(Said::Parameter("Order", "order"))),
            ("@return [Array<Order>]", Brackets, Some(Said::Returned("Array<Order>"))),
            ("@return {unclosed", Braces, None),
            ("@see Order", Plain, None),
        ] {
            assert_eq!(read(line, style), said, "{line}");
        }
    }
}
