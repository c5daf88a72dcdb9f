//! Edits of JSON with comments that change nothing but what they are about.
//!
//! The parser says where things stand; every edit is a cut or an insertion in the text, so comments,
//! order and layout of everything else stay as they are. The outcome is read again and compared with
//! what it should mean before anybody sees it.

mod text;

use jsonc_parser::ast::{Array, Object, Value as Node};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Value};

use text::{cut, insert, replace};

/// Why a text cannot be edited.
pub(crate) type Problem = String;
type Edited = Result<String, Problem>;

/// Gives a property of the object that `at` leads to a value; objects on the way are made. Of a property
/// that is an object already, only what differs is changed, and a list that begins as ours does is kept.
pub(crate) fn set(text: &str, at: &[String], name: &str, value: &Value) -> Edited {
    let meaning = meaning_of(text)?;
    let edited = set_unproved(text, at, name, value)?;
    let mut wanted = meaning;
    put(&mut wanted, at, name, value);
    prove(edited, &wanted)
}

/// Takes a property away again, and the objects around it that hold nothing else.
pub(crate) fn unset(text: &str, at: &[String], name: &str) -> Edited {
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let root = parse(text)?;
    let Some(Node::Object(object)) = follow(root.as_ref(), at)? else {
        return Ok(text.to_owned());
    };
    let Some(place) = object.properties.iter().position(|entry| entry.name.as_str() == name) else {
        return Ok(text.to_owned());
    };
    let (edited, is_empty) = cut(text, object.range, &ranges(object), place);
    readable(&edited)?;
    prune(edited, at, is_empty)
}

/// Adds an item to the list that `at` leads to, in the place of the one that is ours, if there is one.
pub(crate) fn add(
    text: &str,
    at: &[String],
    item: &Value,
    is_ours: &dyn Fn(&Value) -> bool,
) -> Edited {
    let root = parse(text)?;
    let edited = match follow(root.as_ref(), at)? {
        None => {
            let (name, way) = at.split_last().ok_or("a list has a name")?;
            return set(text, way, name, &Value::Array(vec![item.clone()]));
        }
        Some(Node::Array(list)) => match place_of(list, is_ours) {
            Some(place) => {
                let old = &list.elements[place];
                if Value::from(old.clone()) == *item {
                    return Ok(text.to_owned());
                }
                replace(text, old.range(), item)
            }
            None => insert(text, list.range, &element_ranges(list), None, item),
        },
        Some(_) => return Err(format!("`{}` is not a list", at.join("."))),
    };
    readable(&edited)
}

/// Takes the items that are ours away again, and what holds nothing else.
pub(crate) fn take(text: &str, at: &[String], is_ours: &dyn Fn(&Value) -> bool) -> Edited {
    let root = parse(text)?;
    let Some(Node::Array(list)) = follow(root.as_ref(), at)? else { return Ok(text.to_owned()) };
    let Some(place) = place_of(list, is_ours) else { return Ok(text.to_owned()) };
    let (edited, is_empty) = cut(text, list.range, &element_ranges(list), place);
    readable(&edited)?;
    if is_empty { prune(edited, at, true) } else { take(&edited, at, is_ours) }
}

/// A value as the text of a file.
pub(crate) fn pretty(value: &Value) -> String {
    text::first("", value)
}

fn set_unproved(text: &str, at: &[String], name: &str, value: &Value) -> Edited {
    let root = parse(text)?;
    let mut object = match &root {
        Some(Node::Object(object)) => object,
        Some(_) => return Err("it is not an object".to_owned()),
        None => return Ok(text::first(text, &nested(at, name, value))),
    };
    for (depth, key) in at.iter().enumerate() {
        match property(object, key)? {
            Some(Node::Object(inner)) => object = inner,
            Some(_) => return Err(format!("`{key}` is not an object")),
            None => {
                let rest = nested(&at[depth + 1..], name, value);
                return Ok(insert(text, object.range, &ranges(object), Some(key), &rest));
            }
        }
    }
    match (property(object, name)?, value) {
        (None, _) => Ok(insert(text, object.range, &ranges(object), Some(name), value)),
        (Some(Node::Object(_)), Value::Object(entries)) => {
            let way = [at, &[name.to_owned()]].concat();
            let mut edited = text.to_owned();
            for (key, value) in entries {
                edited = set_unproved(&edited, &way, key, value)?;
            }
            Ok(edited)
        }
        (Some(old), _) if begins_as(&Value::from(old.clone()), value) => Ok(text.to_owned()),
        (Some(old), _) => Ok(replace(text, old.range(), value)),
    }
}

/// `{a: {b: {name: value}}}` for the way `a`, `b`.
fn nested(at: &[String], name: &str, value: &Value) -> Value {
    let innermost = Value::Object(Map::from_iter([(name.to_owned(), value.clone())]));
    at.iter()
        .rev()
        .fold(innermost, |inner, key| Value::Object(Map::from_iter([(key.clone(), inner)])))
}

/// Whether a value is ours, or a list that continues ours: then somebody meant the rest.
fn begins_as(old: &Value, ours: &Value) -> bool {
    match (old, ours) {
        (Value::Array(old), Value::Array(ours)) => old.starts_with(ours),
        _ => old == ours,
    }
}

/// The same edit on the meaning of a text.
fn put(root: &mut Value, at: &[String], name: &str, value: &Value) {
    let mut slot = root;
    for key in at.iter().map(String::as_str).chain([name]) {
        if !slot.is_object() {
            *slot = Value::Object(Map::new());
        }
        slot = &mut slot[key];
    }
    match (&mut *slot, value) {
        (Value::Object(_), Value::Object(entries)) => {
            for (key, value) in entries {
                put(slot, &[], key, value);
            }
        }
        (old, _) if begins_as(old, value) => {}
        (old, _) => *old = value.clone(),
    }
}

fn prove(edited: String, wanted: &Value) -> Edited {
    if meaning_of(&edited)? == *wanted {
        Ok(edited)
    } else {
        Err("it is written in a way that an edit would damage".to_owned())
    }
}

fn readable(edited: &str) -> Edited {
    parse(edited).map_err(|_| "it is written in a way that an edit would damage".to_owned())?;
    Ok(edited.to_owned())
}

/// Takes away what became empty, from the inside out.
fn prune(text: String, at: &[String], is_empty: bool) -> Edited {
    match at.split_last() {
        Some((name, way)) if is_empty => unset(&text, way, name),
        _ => Ok(text),
    }
}

/// What a text means; an empty one is an empty object.
fn meaning_of(text: &str) -> Result<Value, Problem> {
    Ok(parse(text)?.map_or_else(|| Value::Object(Map::new()), Value::from))
}

fn parse(text: &str) -> Result<Option<Node<'_>>, Problem> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options);
    parsed.map(|parsed| parsed.value).map_err(|error| error.to_string())
}

/// The value that a way of keys leads to.
fn follow<'a, 't>(
    root: Option<&'a Node<'t>>,
    at: &[String],
) -> Result<Option<&'a Node<'t>>, Problem> {
    let Some(mut node) = root else { return Ok(None) };
    for key in at {
        let Node::Object(object) = node else { return Err(format!("`{key}` is in no object")) };
        match property(object, key)? {
            Some(inner) => node = inner,
            None => return Ok(None),
        }
    }
    Ok(Some(node))
}

/// Where a key stands twice, readers disagree on which of them counts.
fn property<'a, 't>(object: &'a Object<'t>, name: &str) -> Result<Option<&'a Node<'t>>, Problem> {
    let mut found = object.properties.iter().filter(|entry| entry.name.as_str() == name);
    match (found.next(), found.next()) {
        (first, None) => Ok(first.map(|entry| &entry.value)),
        _ => Err(format!("`{name}` stands there twice")),
    }
}

fn place_of(list: &Array<'_>, is_ours: &dyn Fn(&Value) -> bool) -> Option<usize> {
    list.elements.iter().position(|element| is_ours(&Value::from(element.clone())))
}

fn ranges(object: &Object<'_>) -> Vec<Range> {
    object.properties.iter().map(|entry| entry.range).collect()
}

fn element_ranges(list: &Array<'_>) -> Vec<Range> {
    list.elements.iter().map(Ranged::range).collect()
}

#[cfg(test)]
mod tests;
