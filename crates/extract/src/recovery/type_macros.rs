//! Macros that are given the type of a function: `API(char *) print(…)`.

use super::attributes::{End, Reader};
use super::heads::Item;
use super::tokens::Kind;
use super::{Blanker, words};

/// The items with the type out of the macro around it: `API(char *) name(…)`. Where the name stands on the
/// next line, the macro may be a statement of its own, unless what it is given can only be a type.
pub(super) fn without_type_macro(
    blanker: &mut Blanker<'_>,
    reader: &Reader<'_>,
    items: &[Item],
    end: End,
) -> Option<Vec<Item>> {
    let is_specifier = |item: &Item| reader.word(*item).is_some_and(words::is_specifier);
    let at = items.iter().take_while(|item| is_specifier(item)).count();
    let [first @ Item::Token(wrapper), Item::Group(open, close), rest @ ..] = &items[at..] else {
        return None;
    };
    // What the type points to may be said outside: `API(char) *name(…)`.
    let stars = rest.iter().take_while(|item| reader.sign(**item) == Some(b"*")).count();
    let [name, Item::Group(..), ..] = rest[stars..] else { return None };
    let is_name = |word: &&[u8]| !words::is_keyword(word);
    let word = reader.word(*first).filter(is_name)?;
    let name = reader.word(name).filter(is_name)?;
    let inside: Vec<u32> = (open + 1..*close).collect();
    let reads_as_type = !inside.is_empty()
        && inside.iter().all(|index| match reader.tokens[*index as usize].kind {
            Kind::Word => {
                let word = reader.text(*index);
                !words::is_keyword(word)
                    || words::is_type(word)
                    || words::is_tag(word)
                    || words::is_specifier(word)
            }
            Kind::Sign => matches!(reader.text(*index), b"*" | b"::" | b"<" | b">"),
            _ => false,
        });
    let texts = || inside.iter().map(|index| reader.text(*index));
    let has_type = texts().any(words::is_type);
    let is_certain = has_type || texts().any(|text| text == b"*" || words::is_tag(text));
    // A parameter has a name, which a type has not: `Box(int a)`, `Box(char *a)`.
    let names = inside.iter().filter(|index| {
        reader.tokens[**index as usize].kind == Kind::Word
            && !words::is_keyword(reader.text(**index))
    });
    let is_named = names.count() > usize::from(!has_type)
        || texts().any(|text| text == b"*")
            && inside.last().is_some_and(|last| {
                reader.tokens[*last as usize].kind == Kind::Word
                    && !words::is_keyword(reader.text(*last))
            });
    let gap = reader.tokens[*close as usize].end..reader.item_start(rest[0]);
    let is_on_one_line = !reader.source[gap.start as usize..gap.end as usize].contains(&b'\n');
    // `DISABLE_COPY(Box)` before the constructor of a box.
    let is_constructor = inside.len() == 1 && reader.text(inside[0]) == name;
    let is_wrapped = is_certain
        || words::is_attribute_like(word)
            && (is_on_one_line || end == End::Brace)
            && !is_constructor;
    if !reads_as_type || is_named || !is_wrapped || words::is_attribute_like(name) {
        return None;
    }
    for index in [*wrapper, *open, *close] {
        blanker.blank_token(reader.tokens[index as usize]);
    }
    let mut unwrapped = items[..at].to_vec();
    unwrapped.extend(inside.into_iter().map(Item::Token));
    unwrapped.extend_from_slice(rest);
    Some(unwrapped)
}
