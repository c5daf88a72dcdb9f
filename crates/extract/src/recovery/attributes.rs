//! Which words in the head of a declaration are macros that stand for attributes.
//!
//! A head needs a type and a name; a word in capitals beyond that is a macro. Whether a head is
//! complete without a word decides, never the word alone: `LIST_HEAD(a, b) head;` keeps its macro, for
//! without it there would be no type.

use super::heads::Item;
use super::tokens::{Kind, Token};
use super::type_macros::without_type_macro;
use super::{Blanker, words};

/// A macro that opens a head is replaced by this where there is room, so that the definition begins
/// where its text begins.
const SPECIFIER: &[u8] = b"inline";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Semicolon,
    Brace,
}

/// What stands before a `;` or `{`.
pub(super) struct Head<'h> {
    pub(super) tokens: &'h [Token],
    pub(super) items: &'h [Item],
    pub(super) end: End,
    /// The type came before: `struct { … } PACKED name;`.
    pub(super) of_type: bool,
}

/// Blanks the macros of a head.
pub(super) fn look(blanker: &mut Blanker<'_>, head: &Head<'_>) {
    let reader = Reader { tokens: head.tokens, source: blanker.source };
    let items = reader.without_brackets(blanker, head.items);
    let items = reader.without_template(items);
    let unwrapped = without_type_macro(blanker, &reader, items, head.end);
    let items = unwrapped.as_deref().unwrap_or(items);
    let items = macro_statements(blanker, &reader, items);
    if items.is_empty() {
        return;
    }
    let without = without_numbered(blanker, &reader, items);
    let items = without.as_deref().unwrap_or(items);
    let tag = items.iter().position(|item| reader.word(*item).is_some_and(words::is_tag));
    if let (Some(tag), End::Brace) = (tag, head.end)
        && !is_function(blanker, head.tokens, items)
    {
        class_head(blanker, &reader, items, tag);
        return;
    }
    if reader.first_word(items).is_some_and(words::begins_no_declaration) {
        return;
    }
    let without = reader.without_operator_signs(items);
    let items = without.as_deref().unwrap_or(items);
    let opening = match items[0] {
        Item::Token(index) if !head.of_type => Some(index),
        _ => None,
    };
    let flat = reader.flatten(reader.before_value(items));
    Declaration::new(&reader, flat, opening, head).blank(blanker, &reader);
}

/// Blanks macros before a namespace that open or close something.
pub(super) fn blank_brackets(blanker: &mut Blanker<'_>, tokens: &[Token], items: &[Item]) {
    let reader = Reader { tokens, source: blanker.source };
    reader.without_brackets(blanker, items);
}

/// Whether a plain name stands before brackets: `struct x *f(…) {`.
pub(super) fn is_function(blanker: &Blanker<'_>, tokens: &[Token], items: &[Item]) -> bool {
    let reader = Reader { tokens, source: blanker.source };
    items.windows(2).any(|pair| {
        matches!(pair[1], Item::Group(..))
            && reader
                .word(pair[0])
                .is_some_and(|word| !words::is_keyword(word) && !words::is_attribute_like(word))
    })
}

/// The items without a macro that is given numbers, as in `void printflike(1, 2) report(…)`: those are
/// no parameters, whatever letters the macro is written in.
fn without_numbered(
    blanker: &mut Blanker<'_>,
    reader: &Reader<'_>,
    items: &[Item],
) -> Option<Vec<Item>> {
    let is_name = |item: Item| reader.word(item).is_some_and(|word| !words::is_keyword(word));
    let at = items.windows(4).position(|window| match *window {
        [name, Item::Group(open, close), function, Item::Group(..)] => {
            let inside = reader.tokens[open as usize].end..reader.tokens[close as usize].start;
            let inside = &reader.source[inside.start as usize..inside.end as usize];
            is_name(name)
                && is_name(function)
                && inside.iter().any(u8::is_ascii_digit)
                && inside.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b' '))
        }
        _ => false,
    })?;
    // Without a type before it, it is the name.
    if at == 0 {
        return None;
    }
    items[at..at + 2].iter().for_each(|item| reader.blank_item(blanker, *item));
    Some([&items[..at], &items[at + 2..]].concat())
}

/// Ends macros that stand for whole statements, `MACRO(x)` and a line break, with the semicolon they
/// lack. Where there is no room for one, the macro goes.
fn macro_statements<'i>(
    blanker: &mut Blanker<'_>,
    reader: &Reader<'_>,
    mut items: &'i [Item],
) -> &'i [Item] {
    while let [first @ Item::Token(name), Item::Group(open, close), next @ Item::Token(_), ..] =
        items
    {
        let (Some(word), Some(next)) = (reader.word(*first), reader.word(*next)) else { break };
        let Item::Token(next_index) = items[2] else { break };
        let end = reader.tokens[*close as usize].end;
        let gap = end..reader.tokens[next_index as usize].start;
        let rest = &items[2..];
        let is_statement = !words::is_keyword(word)
            && reader.source[gap.start as usize..gap.end as usize].contains(&b'\n')
            && !matches!(next, b"noexcept" | b"override" | b"const" | b"final")
            && (words::is_attribute_like(word)
                || rest.iter().any(|item| matches!(item, Item::Group(..))))
            // `Box(int x)`, and its attribute on the next line.
            && !(words::is_attribute_like(next) && rest.len() == 1);
        if !is_statement {
            break;
        }
        match reader.source[end as usize] {
            b' ' | b'\t' => blanker.copy()[end as usize] = b';',
            _ => {
                blanker.blank_token(reader.tokens[*name as usize]);
                reader.blank_group(blanker, *open, *close);
            }
        }
        items = rest;
    }
    items
}

/// Of several words between `class` and its body the last is the name; macros before `class` belong to
/// no type at all.
fn class_head(blanker: &mut Blanker<'_>, reader: &Reader<'_>, items: &[Item], tag: usize) {
    let is_macro = |item: Item| reader.word(item).is_some_and(words::is_attribute_like);
    for (position, item) in items[..tag].iter().enumerate() {
        if is_macro(*item) {
            reader.blank_item(blanker, *item);
            if let Some(group @ Item::Group(..)) = items.get(position + 1) {
                reader.blank_item(blanker, *group);
            }
        }
    }
    let mut run: Vec<Item> = Vec::new();
    let mut names = 0;
    let mut rest = items[tag + 1..].iter();
    while let Some(item) = rest.next() {
        match reader.word(*item) {
            Some(word) if words::is_tag(word) => {}
            Some(word) if words::is_attribute_keyword(word) => {
                rest.next();
            }
            Some(word) if !words::is_keyword(word) => {
                run.push(*item);
                names += 1;
            }
            None if matches!(item, Item::Group(..)) && !run.is_empty() => run.push(*item),
            _ => break,
        }
    }
    if let Some((Item::Token(_), surplus)) = run.split_last()
        && names > 1
    {
        for item in surplus {
            reader.blank_item(blanker, *item);
        }
    }
}

pub(super) struct Reader<'r> {
    pub(super) tokens: &'r [Token],
    pub(super) source: &'r [u8],
}

impl<'r> Reader<'r> {
    pub(super) fn text(&self, index: u32) -> &'r [u8] {
        let token = self.tokens[index as usize];
        &self.source[token.start as usize..token.end as usize]
    }

    pub(super) fn word(&self, item: Item) -> Option<&'r [u8]> {
        match item {
            Item::Token(index) if self.tokens[index as usize].kind == Kind::Word => {
                Some(self.text(index))
            }
            _ => None,
        }
    }

    pub(super) fn sign(&self, item: Item) -> Option<&'r [u8]> {
        match item {
            Item::Token(index) if self.tokens[index as usize].kind == Kind::Sign => {
                Some(self.text(index))
            }
            _ => None,
        }
    }

    pub(super) fn item_start(&self, item: Item) -> u32 {
        match item {
            Item::Token(index) | Item::Group(index, _) => self.tokens[index as usize].start,
            Item::Square => u32::MAX,
        }
    }

    fn first_word(&self, items: &[Item]) -> Option<&'r [u8]> {
        items.iter().find_map(|item| self.word(*item))
    }

    fn blank_item(&self, blanker: &mut Blanker<'_>, item: Item) {
        match item {
            Item::Token(index) => blanker.blank_token(self.tokens[index as usize]),
            Item::Group(open, close) => self.blank_group(blanker, open, close),
            Item::Square => {}
        }
    }

    /// Blanks brackets and what is in them, but for comments and directives.
    fn blank_group(&self, blanker: &mut Blanker<'_>, open: u32, close: u32) {
        for token in &self.tokens[open as usize..=close as usize] {
            if token.kind != Kind::Directive {
                blanker.blank_token(*token);
            }
        }
    }

    /// The items behind macros that open or close something, such as `G_BEGIN_DECLS` and `END_TEST`:
    /// they belong to no declaration.
    fn without_brackets<'i>(&self, blanker: &mut Blanker<'_>, mut items: &'i [Item]) -> &'i [Item] {
        while let [first, rest @ ..] = items
            && self.word(*first).is_some_and(words::is_bracket_like)
            && !matches!(rest.first(), None | Some(Item::Group(..)))
        {
            self.blank_item(blanker, *first);
            items = rest;
        }
        items
    }

    /// The items behind `template <…>`.
    fn without_template<'i>(&self, mut items: &'i [Item]) -> &'i [Item] {
        while let Some((first, rest)) = items.split_first()
            && self.word(*first) == Some(b"template")
        {
            let is_open = rest.first().is_some_and(|item| self.sign(*item) == Some(b"<"));
            let length = if is_open { self.angle_length(rest) } else { 0 };
            items = &rest[length..];
        }
        items
    }

    /// The items without what stands between `operator` and the parameters behind it: the word alone is
    /// the name. Without parameters nothing is left of it.
    fn without_operator_signs(&self, items: &[Item]) -> Option<Vec<Item>> {
        let at = items.iter().position(|item| self.word(*item) == Some(b"operator"))?;
        let is_group = |item: &Item| matches!(item, Item::Group(..));
        let behind = &items[at + 1..];
        // `operator()(…)`
        let calls = behind.first().is_some_and(is_group) && behind.get(1).is_some_and(is_group);
        let skipped = if calls { 1 } else { behind.iter().position(is_group)? };
        Some([&items[..=at], &behind[skipped..]].concat())
    }

    /// Whether `operator` is followed by a type that it converts to, so that none stands before it.
    fn converts(&self, item: Item) -> bool {
        let (Some(b"operator"), Item::Token(index)) = (self.word(item), item) else { return false };
        self.tokens.get(index as usize + 1).is_some_and(|next| {
            next.kind == Kind::Word
                && !matches!(self.text(index + 1), b"new" | b"delete" | b"co_await")
        })
    }

    /// How many items `<…>` has, all of them if it is never closed.
    fn angle_length(&self, items: &[Item]) -> usize {
        let mut depth = 0;
        for (position, item) in items.iter().enumerate() {
            match self.sign(*item) {
                Some(b"<") => depth += 1,
                Some(b">") => {
                    depth -= 1;
                    if depth == 0 {
                        return position + 1;
                    }
                }
                _ => {}
            }
        }
        items.len()
    }

    /// The items before a value, initialisers, the width of a bit field, a return type behind, or a
    /// second name.
    fn before_value<'i>(&self, items: &'i [Item]) -> &'i [Item] {
        let is_cut = |item: &Item| matches!(self.sign(*item), Some(b"=" | b":" | b"->" | b","));
        &items[..items.iter().position(is_cut).unwrap_or(items.len())]
    }

    /// The items without type arguments and scopes: they belong to the name they stand beside.
    fn flatten(&self, items: &[Item]) -> Vec<Piece> {
        let closed = self.closed_angles(items);
        let mut flat: Vec<Piece> = Vec::with_capacity(items.len());
        let mut at = 0;
        while let Some(item) = items.get(at).copied() {
            at += 1;
            match self.sign(item) {
                Some(b"<") => at = at.max(closed[at - 1]),
                Some(b"~") => {}
                Some(b"::") => {
                    let destroys = items.get(at).is_some_and(|item| self.sign(*item) == Some(b"~"));
                    at += usize::from(destroys);
                    if let Some(next) = items.get(at).filter(|item| self.word(**item).is_some()) {
                        at += 1;
                        let needs_type = !self.converts(*next);
                        let mut piece = Piece { item: *next, qualified: true, needs_type };
                        match flat.last_mut() {
                            Some(last) if self.word(last.item).is_some() => {
                                piece.needs_type &= self.word(last.item) != self.word(*next);
                                *last = piece;
                            }
                            _ => flat.push(piece),
                        }
                    }
                }
                _ => {
                    let needs_type = !self.converts(item);
                    flat.push(Piece { item, qualified: false, needs_type });
                }
            }
        }
        flat
    }

    /// For each `<` the place behind its `>`, or 0 if it has none.
    fn closed_angles(&self, items: &[Item]) -> Vec<usize> {
        let mut closed = vec![0; items.len()];
        let mut open = Vec::new();
        for (position, item) in items.iter().enumerate() {
            match self.sign(*item) {
                Some(b"<") => open.push(position),
                Some(b">") => {
                    if let Some(opening) = open.pop() {
                        closed[opening] = position + 1;
                    }
                }
                _ => {}
            }
        }
        closed
    }
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    item: Item,
    /// It has a scope before it, which no macro has.
    qualified: bool,
    /// It is no constructor or destructor outside of its class, `Box::Box`, nor a conversion.
    needs_type: bool,
}

/// A name in a declaration.
#[derive(Debug, Clone, Copy)]
struct Name {
    /// Its place among the pieces.
    at: usize,
    index: u32,
    /// It might be a macro.
    candidate: bool,
    group: Option<(u32, u32)>,
    gone: bool,
}

/// A declaration that is no class with a body.
struct Declaration {
    pieces: Vec<Piece>,
    names: Vec<Name>,
    opening: Option<u32>,
    /// The type is said by a word of the language.
    has_type: bool,
    /// The name stands in brackets before those of the parameters.
    name_in_group: bool,
    /// The brackets of the parameters.
    parameters: Option<usize>,
    /// How many names are left.
    left: usize,
}

impl Declaration {
    fn new(reader: &Reader<'_>, pieces: Vec<Piece>, opening: Option<u32>, head: &Head<'_>) -> Self {
        let mut has_type = head.of_type;
        let mut names: Vec<Name> = Vec::new();
        let mut tag_before = false;
        for (at, piece) in pieces.iter().enumerate() {
            let Some(word) = reader.word(piece.item) else {
                tag_before = false;
                continue;
            };
            has_type |= words::is_type(word) || words::is_tag(word) || !piece.needs_type;
            let is_tag_name = std::mem::replace(&mut tag_before, words::is_tag(word));
            let Item::Token(index) = piece.item else { continue };
            if words::is_keyword(word) && word != b"operator" || is_tag_name {
                continue;
            }
            let next = pieces.get(at + 1).map(|piece| piece.item);
            let group = match next {
                Some(Item::Group(open, close)) => Some((open, close)),
                _ => None,
            };
            let is_array = matches!(next, Some(Item::Square));
            let candidate = words::is_attribute_like(word) && !piece.qualified && !is_array;
            names.push(Name { at, index, candidate, group, gone: false });
        }
        let both_groups = |pair: &[Piece]| {
            matches!(
                pair,
                [Piece { item: Item::Group(..), .. }, Piece { item: Item::Group(..), .. }]
            )
        };
        let pair = pieces.windows(2).rposition(both_groups);
        let takes_any = head.end == End::Brace && pair.is_none();
        let function = function(reader, &pieces, &names, takes_any).map(|at| {
            names[at].candidate = false;
            names[at]
        });
        let parameters = function.map(|name| name.at + 1).or(pair.map(|at| at + 1));
        let left = names.len();
        let name_in_group = pair.is_some();
        Self { pieces, names, opening, has_type, name_in_group, parameters, left }
    }

    /// Whether this many names are enough.
    fn is_complete(&self, names: usize) -> bool {
        let needed = usize::from(!self.has_type) + usize::from(!self.name_in_group);
        names >= needed
    }

    fn blank(mut self, blanker: &mut Blanker<'_>, reader: &Reader<'_>) {
        self.blank_calls(blanker, reader);
        self.blank_words(blanker, reader);
        self.blank_before_types(blanker, reader);
        if self.parameters.is_some() {
            for piece in &self.pieces {
                if let Item::Group(open, close) = piece.item {
                    blank_parameters(blanker, reader, open, close);
                }
            }
        }
    }

    /// `GUARDED_BY(mutex)`
    fn blank_calls(&mut self, blanker: &mut Blanker<'_>, reader: &Reader<'_>) {
        let plain = self.names.iter().filter(|name| !name.candidate).count();
        let has_function = self.names.iter().any(|name| name.group.is_some() && !name.candidate);
        // `Box(int x) REQUIRES(x);` has no type, and needs none.
        let constructs = has_function && !self.has_type && plain == 1;
        for at in 0..self.names.len() {
            let name = self.names[at];
            let Some((open, close)) = name.group.filter(|_| name.candidate) else { continue };
            if self.is_complete(self.left - 1) || constructs {
                self.remove(blanker, reader, at);
                reader.blank_group(blanker, open, close);
            }
        }
    }

    fn blank_words(&mut self, blanker: &mut Blanker<'_>, reader: &Reader<'_>) {
        if let Some(parameters) = self.parameters {
            // Before the standard the types of parameters stood behind them: then a plain name does.
            let is_behind = |name: &Name| name.at > parameters && !name.gone;
            if self.names.iter().any(|name| is_behind(name) && !name.candidate) {
                return;
            }
            for at in 0..self.names.len() {
                if is_behind(&self.names[at]) && self.names[at].group.is_none() {
                    self.remove(blanker, reader, at);
                }
            }
        }
        for at in 0..self.names.len() {
            let name = self.names[at];
            let is_word = name.candidate && name.group.is_none() && !name.gone;
            if is_word && self.is_complete(self.left - 1) {
                self.remove(blanker, reader, at);
            }
        }
    }

    /// A word of any look directly before a type that is a word of the language.
    fn blank_before_types(&mut self, blanker: &mut Blanker<'_>, reader: &Reader<'_>) {
        for at in 0..self.names.len() {
            let name = self.names[at];
            let next = self.pieces.get(name.at + 1).and_then(|piece| reader.word(piece.item));
            let is_before = next.is_some_and(|word| words::is_type(word) || words::is_tag(word));
            let is_plain = !name.gone && !self.pieces[name.at].qualified;
            if is_plain && is_before && self.is_complete(self.left - 1) {
                self.remove(blanker, reader, at);
            }
        }
    }

    fn remove(&mut self, blanker: &mut Blanker<'_>, reader: &Reader<'_>, at: usize) {
        let name = &mut self.names[at];
        name.gone = true;
        self.left -= 1;
        let token = reader.tokens[name.index as usize];
        let has_room = (token.end - token.start) as usize >= SPECIFIER.len();
        if self.opening == Some(name.index) && has_room {
            blanker.overwrite(token, SPECIFIER);
        } else {
            blanker.blank_token(token);
        }
    }
}

/// Which name is the function's: the last plain one with brackets or, if there is none, one that
/// stands where a name is due. What has a body is a function, so there any one must do.
fn function(
    reader: &Reader<'_>,
    pieces: &[Piece],
    names: &[Name],
    takes_any: bool,
) -> Option<usize> {
    let follows_type = |name: &Name| {
        let before = name.at.checked_sub(1).map(|at| pieces[at].item);
        before.is_some_and(|item| {
            reader.word(item).is_some_and(words::is_type)
                || matches!(reader.sign(item), Some(b"*" | b"&"))
        })
    };
    let has_group = |name: &Name| name.group.is_some();
    names.iter().rposition(|name| has_group(name) && !name.candidate).or_else(|| {
        if names.iter().any(|name| !name.candidate) && !takes_any {
            return None;
        }
        let due = names.iter().position(|name| has_group(name) && follows_type(name));
        due.or_else(|| names.iter().rposition(has_group).filter(|_| takes_any))
    })
}

/// Blanks macros in the parameters of a function: `int f(UNUSED int x)`.
fn blank_parameters(blanker: &mut Blanker<'_>, reader: &Reader<'_>, open: u32, close: u32) {
    let mut depth = 0;
    let mut parameter: Vec<u32> = Vec::new();
    for index in open + 1..close {
        let token = reader.tokens[index as usize];
        if token.kind == Kind::Directive {
            continue;
        }
        match reader.text(index) {
            b"(" | b"[" => depth += 1,
            b")" | b"]" => depth -= 1,
            b"," if depth == 0 => {
                blank_parameter(blanker, reader, &parameter);
                parameter.clear();
                continue;
            }
            _ => {}
        }
        parameter.push(index);
    }
    blank_parameter(blanker, reader, &parameter);
}

fn blank_parameter(blanker: &mut Blanker<'_>, reader: &Reader<'_>, parameter: &[u32]) {
    let is_word = |index: &&u32| reader.tokens[**index as usize].kind == Kind::Word;
    let is_beyond_us =
        |index: &u32| matches!(reader.text(*index), b"(" | b"{" | b"=" | b"::" | b"<");
    if parameter.iter().any(is_beyond_us) {
        return;
    }
    let all = || parameter.iter().filter(is_word).map(|index| reader.text(*index));
    let has_tag = all().any(words::is_tag);
    let has_type = all().any(words::is_type);
    let mut names = all().filter(|word| !words::is_keyword(word)).count();
    // A tag and a type each say what the type is, but only a tag is followed by a name of it.
    let needed = if has_type && !has_tag { 1 } else { 2 };
    for index in parameter.iter().filter(is_word) {
        if names > needed && words::is_attribute_like(reader.text(*index)) {
            blanker.blank_token(reader.tokens[*index as usize]);
            names -= 1;
        }
    }
}
