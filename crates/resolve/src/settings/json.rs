//! JSON as configuration files write it: with comments and commas too many.

use serde_json::Value;

/// Reads JSON, also with comments and trailing commas.
pub(super) fn parse(text: &str) -> Option<Value> {
    let text = text.trim_start_matches('\u{feff}');
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&plain(text))).ok()
}

/// Calls `visit` with every text in a value, at any depth of objects and lists.
pub(super) fn each_text(value: &Value, visit: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(all) => all.iter().for_each(|each| each_text(each, visit)),
        Value::Object(map) => map.values().for_each(|each| each_text(each, visit)),
        _ => {}
    }
}

/// The text without comments, and without commas before a closing bracket.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if next == '"' {
            let length = string_length(rest);
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else {
            if matches!(next, '}' | ']') {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
            }
            out.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    out
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn comments_and_commas_are_forgiven() {
        let text = "{ // one\n \"a\": \"//b\", /* two */ \"c\": [1, 2,],\n}";
        assert_eq!(
            parse(text).map(|value| value.to_string()),
            Some(r#"{"a":"//b","c":[1,2]}"#.into())
        );
        assert_eq!(parse("{\"a"), None);
    }
}
