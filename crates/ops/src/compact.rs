//! The compact form of an answer: short keys, a table of paths, brief signatures and documentation.
//!
//! One transformation of JSON serves all operations. What it does to a key is data: [`KEYS`]. An
//! operation that can say its rows in fewer tokens gives its own form instead.

use serde_json::{Map, Value};

use crate::IndexState;

/// Readable keys and what they become. Keys of one token gain nothing by being shorter and stay.
const KEYS: &[(&str, &str)] = &[
    ("name", "n"),
    ("kind", "k"),
    ("path", "f"),
    ("file", "f"),
    ("file_path", "f"),
    ("line", "l"),
    ("signature", "sig"),
    ("docs", "doc"),
    ("doc_comment", "doc"),
    ("header_comments", "doc"),
    ("parent", "p"),
    ("owner", "p"),
    ("enclosing", "in"),
    ("visibility", "vis"),
    ("declared_type", "type"),
    ("cognitive_complexity", "cognitive"),
    ("line_count", "lines"),
    ("symbol_count", "symbols"),
    ("children", "sub"),
    ("column", "col"),
    ("confidence", "conf"),
];

/// Key of the table of paths, and of a place in it.
pub(crate) const PATHS: &str = "_f";
const PATH: &str = "f";
const PATH_NUMBER: &str = "fi";

/// How much is kept of long texts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Brevity {
    /// Characters of a signature.
    pub(crate) signature: usize,
    /// Characters of documentation.
    pub(crate) docs: usize,
    /// Key of the list whose items are told in full.
    pub(crate) detailed: Option<&'static str>,
}

/// The compact form of an answer; paths still stand where they stood.
pub(crate) fn short(value: Value, brevity: &Brevity) -> Value {
    let Value::Object(map) = value else { return entry(value, brevity, false) };
    let mut out = Map::new();
    for (key, value) in lines_joined(map) {
        match (key.as_str(), value) {
            ("index", Value::Object(index)) => add(&mut out, "index", unusual(index)),
            (list, Value::Array(items)) if brevity.detailed == Some(list) => {
                let items = items.into_iter().map(|item| entry(item, brevity, true));
                add(&mut out, list, items.collect());
            }
            (_, value) => add_entry(&mut out, &key, value, brevity, false),
        }
    }
    Value::Object(out)
}

/// Adds what is unusual about the index to a form that an operation made itself.
pub(crate) fn add_index(value: &mut Value, index: Option<&IndexState>) {
    let (Value::Object(map), Some(index)) = (value, index) else { return };
    if let Ok(Value::Object(index)) = serde_json::to_value(index) {
        add(map, "index", unusual(index));
    }
}

/// Of the state of the index, what a reader must know.
fn unusual(index: Map<String, Value>) -> Value {
    let is_unusual = |(key, value): &(String, Value)| match key.as_str() {
        "stale" => *value == Value::Bool(true),
        "complete" => *value == Value::Bool(false),
        _ => false,
    };
    Value::Object(index.into_iter().filter(is_unusual).collect())
}

fn entry(value: Value, brevity: &Brevity, in_full: bool) -> Value {
    match value {
        Value::Array(items) => {
            items.into_iter().map(|item| entry(item, brevity, in_full)).collect()
        }
        Value::Object(map) => {
            let mut out = Map::new();
            for (key, value) in lines_joined(map) {
                add_entry(&mut out, &key, value, brevity, in_full);
            }
            Value::Object(out)
        }
        other => other,
    }
}

fn add_entry(
    out: &mut Map<String, Value>,
    key: &str,
    value: Value,
    brevity: &Brevity,
    in_full: bool,
) {
    let short = KEYS.iter().find(|(long, _)| *long == key).map_or(key, |(_, short)| *short);
    let value = match (short, value) {
        ("sig", Value::String(signature)) => {
            let normal = normal_signature(&signature);
            Value::String(if in_full { normal } else { cut(&normal, brevity.signature) })
        }
        ("doc", Value::String(docs)) if !in_full => Value::String(brief_docs(&docs, brevity.docs)),
        ("members", Value::Array(items)) => {
            items.into_iter().map(|item| member(item, brevity.signature)).collect()
        }
        // What lies inside an item is told briefly, also where the item is told in full.
        (_, value @ (Value::Array(_) | Value::Object(_))) => entry(value, brevity, false),
        (_, value) => value,
    };
    add(out, short, value);
}

/// `line kind signature`: keys would be most of a member.
fn member(item: Value, longest: usize) -> Value {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    match (item.get("line"), text("kind"), text("signature")) {
        (Some(line), Some(kind), Some(signature)) => {
            let signature = cut(&normal_signature(signature), longest);
            Value::String(format!("{line} {kind} {signature}"))
        }
        _ => item,
    }
}

/// Nothing is said of what is not there.
fn add(out: &mut Map<String, Value>, key: &str, value: Value) {
    let is_nothing = match &value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    if !is_nothing {
        out.insert(key.to_owned(), value);
    }
}

/// `line_start` and `line_end` become one `line`, `"start-end"`; names that say the same are told once:
/// a key is a path and a qualified name.
fn lines_joined(mut map: Map<String, Value>) -> Map<String, Value> {
    let number = |value: Option<&Value>| value.and_then(Value::as_u64);
    let start = number(map.get("line_start")).or_else(|| number(map.get("line")));
    if let (Some(start), Some(end)) = (start, number(map.get("line_end"))) {
        let lines = Value::String(format!("{start}-{end}"));
        map.shift_remove("line_end");
        map.shift_remove("line_start");
        map.insert("line".to_owned(), lines);
    }
    if let (Some(Value::String(key)), true) = (map.get("key"), map.contains_key("path"))
        && let Some((_, name)) = key.split_once('#')
    {
        let name = ("name".to_owned(), Value::String(name.to_owned()));
        for said in ["key", "name", "qualified_name"] {
            map.shift_remove(said);
        }
        return std::iter::once(name).chain(map).collect();
    }
    map
}

/// Without the white space that only pleases the eye: around `:` and `,` and behind opening brackets.
/// Literals are left alone.
pub(crate) fn normal_signature(signature: &str) -> String {
    let mut out = String::with_capacity(signature.len());
    let mut in_literal = false;
    let mut blank = false;
    for c in signature.chars() {
        if in_literal {
            in_literal = c != '"';
            out.push(c);
            continue;
        }
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        let is_tight = out.ends_with([':', ',', '(', '[', '{']) || matches!(c, ':' | ',');
        if blank && !is_tight && !out.is_empty() {
            out.push(' ');
        }
        blank = false;
        in_literal = c == '"';
        out.push(c);
    }
    out
}

/// At most so many characters, the last three dots if some are missing.
fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => text.to_owned(),
        Some(_) => text.chars().take(length.saturating_sub(3)).chain("...".chars()).collect(),
    }
}

/// The first sentence, or else the first line, or else as many words as there is room for.
pub(crate) fn brief_docs(docs: &str, length: usize) -> String {
    let docs = docs.trim();
    let paragraph = docs.split("\n\n").next().unwrap_or(docs);
    let fits = |text: &str| text.chars().count() <= length;
    let sentence = paragraph.split_once(". ").map(|(sentence, _)| format!("{sentence}."));
    if let Some(sentence) = sentence.filter(|sentence| fits(sentence)) {
        return sentence.replace('\n', " ");
    }
    let line = docs.lines().next().unwrap_or_default().trim_end();
    if fits(line) {
        return line.to_owned();
    }
    let room: String = line.chars().take(length.saturating_sub(3)).collect();
    let words = room.rsplit_once(char::is_whitespace).map_or(room.as_str(), |(words, _)| words);
    format!("{}...", words.trim_end())
}

/// The paths of an answer, each once, in order of their first appearance.
#[derive(Debug, Default)]
pub(crate) struct Paths {
    paths: Vec<String>,
    numbers: std::collections::HashMap<String, usize>,
    /// Paths that stand outside of the main list.
    pub(crate) outside_items: usize,
    has_items: bool,
}

impl Paths {
    /// Whether an answer names more than one file, so that a table is worth it.
    pub(crate) fn are_several(value: &Value) -> bool {
        fn look<'v>(value: &'v Value, first: &mut Option<&'v str>) -> bool {
            match value {
                Value::Array(items) => items.iter().any(|item| look(item, first)),
                Value::Object(map) => map.iter().any(|(key, value)| match value {
                    Value::String(path) if key == PATH => {
                        *first.get_or_insert(path.as_str()) != path.as_str()
                    }
                    value => look(value, first),
                }),
                _ => false,
            }
        }
        look(value, &mut None)
    }

    /// Puts numbers in the place of paths.
    pub(crate) fn take(&mut self, value: &mut Value) {
        self.walk(value);
        if !self.has_items {
            self.has_items = true;
            self.outside_items = self.paths.len();
        }
    }

    fn walk(&mut self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.walk(item)),
            Value::Object(map) => {
                let entries = std::mem::take(map).into_iter().map(|(key, mut value)| match value {
                    Value::String(path) if key == PATH => {
                        (PATH_NUMBER.to_owned(), self.number(path).into())
                    }
                    _ => {
                        self.walk(&mut value);
                        (key, value)
                    }
                });
                *map = entries.collect();
            }
            _ => {}
        }
    }

    fn number(&mut self, path: String) -> usize {
        let next = self.paths.len();
        let number = *self.numbers.entry(path.clone()).or_insert(next);
        if number == next {
            self.paths.push(path);
        }
        number
    }

    pub(crate) fn len(&self) -> usize {
        self.paths.len()
    }

    pub(crate) fn between(&self, start: usize, end: usize) -> impl Iterator<Item = &str> {
        self.paths.get(start..end).unwrap_or_default().iter().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Brevity, brief_docs, normal_signature, short};

    const BREVITY: Brevity = Brevity { signature: 120, docs: 100, detailed: Some("matches") };

    #[test]
    fn cx_15_keys_are_short_and_lines_are_a_range() {
        let long = json!({"symbols": [{
            "id": 7, "name": "f", "kind": "function", "path": "a.rs", "line": 3, "line_start": 2,
            "line_end": 9, "signature": "fn f()", "docs": "Does it.", "parent": "m",
            "value": null, "is_static": false, "flags": [],
        }], "index": {"generation": 1, "complete": true, "stale": false, "watch": "off"}});
        let expected = json!({"symbols": [{
            "id": 7, "n": "f", "k": "function", "f": "a.rs", "l": "2-9", "sig": "fn f()",
            "doc": "Does it.", "p": "m",
        }]});
        assert_eq!(short(long, &BREVITY), expected);
        let stale = json!({"index": {"generation": 1, "complete": false, "stale": true}});
        let expected = json!({"index": {"complete": false, "stale": true}});
        assert_eq!(short(stale, &BREVITY), expected);
    }

    #[test]
    fn cx_17_signatures_lose_white_space() {
        for (long, brief) in [
            ("(a: number, b: number): number", "(a:number,b:number):number"),
            (
                "fn get( &self , key : &str ) -> Option<u32>",
                "fn get(&self,key:&str ) -> Option<u32>",
            ),
            ("def f(a=\", : \",  b)", "def f(a=\", : \",b)"),
            ("  class  A { x }", "class A {x }"),
        ] {
            assert_eq!(normal_signature(long), brief);
        }
    }

    #[test]
    fn cx_18_long_signatures_are_cut_in_brief_views_only() {
        let long = format!("fn f({})", "a".repeat(200));
        let row = json!({"signature": long});
        let brief = short(json!({"list": [row]}), &BREVITY);
        let brief = brief["list"][0]["sig"].as_str().expect("a signature");
        assert!(brief.ends_with("...") && brief.chars().count() == 120, "{brief}");
        let full = short(json!({"matches": [row]}), &BREVITY);
        assert_eq!(full["matches"][0]["sig"], long);
        let narrow = Brevity { signature: 20, ..BREVITY };
        let brief = short(json!({"list": [row]}), &narrow);
        assert_eq!(brief["list"][0]["sig"], "fn f(aaaaaaaaaaaa...");
    }

    #[test]
    fn cx_19_brief_docs_are_a_sentence_a_line_or_some_words() {
        assert_eq!(brief_docs("Gets one. Then more.", 100), "Gets one.");
        assert_eq!(brief_docs("Gets one\nand more", 100), "Gets one");
        assert_eq!(brief_docs("A title\n\nA text. More.", 100), "A title");
        let words = "word ".repeat(50);
        let brief = brief_docs(&words, 100);
        assert!(brief.ends_with("word...") && brief.len() <= 100, "{brief}");
        assert_eq!(brief_docs(&"漢".repeat(300), 100).chars().count(), 100);
        let docs = json!({"docs": format!("{words}\nmore")});
        let full = short(json!({"matches": [docs]}), &BREVITY);
        assert_eq!(full["matches"][0]["doc"], docs["docs"]);
    }
}
