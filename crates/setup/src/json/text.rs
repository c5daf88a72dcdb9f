//! Insertions into, cuts out of, and the layout of a text of JSON.

use jsonc_parser::common::Range;
use serde_json::Value;

/// A text that holds nothing but perhaps comments gets its first value.
pub(super) fn first(text: &str, value: &Value) -> String {
    let style = Style::of(text);
    let mut out = text.trim_end().to_owned();
    if !out.is_empty() {
        out.push_str(style.newline);
    }
    out.push_str(&style.block(value, ""));
    out.push_str(style.newline);
    out
}

pub(super) fn replace(text: &str, old: Range, value: &Value) -> String {
    let style = Style::of(text);
    let new = if text[old.start..old.end].contains('\n') || !text.contains('\n') {
        style.block(value, indent_at(text, old.start))
    } else {
        line(value)
    };
    format!("{}{new}{}", &text[..old.start], &text[old.end..])
}

/// Puts a value behind the last item of an object or a list.
pub(super) fn insert(
    text: &str,
    outer: Range,
    items: &[Range],
    name: Option<&str>,
    value: &Value,
) -> String {
    let style = Style::of(text);
    let key = name.map(|name| format!("{}: ", Value::from(name))).unwrap_or_default();
    let around = indent_at(text, outer.start);
    let Some(last) = items.last() else {
        let inside = text[outer.start + 1..outer.end - 1].trim_end();
        let end = outer.start + 1 + inside.len();
        let indent = format!("{around}{}", style.unit);
        let block = style.block(value, &indent);
        let (newline, rest) = (style.newline, &text[outer.end - 1..]);
        return format!("{}{newline}{indent}{key}{block}{newline}{around}{rest}", &text[..end]);
    };
    let comma = comma_after(text, last.end);
    if !text[outer.start..outer.end].contains('\n') {
        let (at, before, after) = match comma {
            Some(comma) => (comma + 1, " ", ","),
            None => (last.end, ", ", ""),
        };
        return format!("{}{before}{key}{}{after}{}", &text[..at], line(value), &text[at..]);
    }
    let start = items.first().map_or(outer.start, |item| item.start);
    let indent = match begins_line(text, start) {
        true => indent_at(text, start).to_owned(),
        false => format!("{around}{}", style.unit),
    };
    let end = comma.map_or(last.end, |comma| comma + 1);
    // What is said about the last item on its line stays with it.
    let end = end + remark(&text[end..]);
    let (behind_last, trailing) = if comma.is_some() { ("", ",") } else { (",", "") };
    let (newline, block) = (style.newline, style.block(value, &indent));
    format!(
        "{}{behind_last}{}{newline}{indent}{key}{block}{trailing}{}",
        &text[..last.end],
        &text[last.end..end],
        &text[end..]
    )
}

/// Cuts an item out, with the comma that is no longer needed; says whether nothing is left around it.
pub(super) fn cut(text: &str, outer: Range, items: &[Range], place: usize) -> (String, bool) {
    let item = items[place];
    let start = text[..item.start].trim_end().len();
    let comma = comma_after(text, item.end);
    let end = comma.map_or(item.end, |comma| comma + 1);
    if items.len() == 1 {
        let left = format!("{}{}", &text[outer.start + 1..start], &text[end..outer.end - 1]);
        if left.trim().is_empty() {
            let cut = format!("{}{}", &text[..outer.start + 1], &text[outer.end - 1..]);
            return (cut, true);
        }
    }
    // A comment that ends with its line must not swallow what follows.
    let rest = &text[end..];
    let ends_line = rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
    let line = &text[text[..start].rfind('\n').map_or(0, |newline| newline + 1)..start];
    let newline = if !ends_line && line.contains("//") { "\n" } else { "" };
    let previous = place.checked_sub(1).and_then(|before| comma_after(text, items[before].end));
    let is_last = place + 1 == items.len();
    let before = match previous.filter(|_| is_last && comma.is_none()) {
        Some(comma) => format!("{}{}", &text[..comma], &text[comma + 1..start]),
        None => text[..start].to_owned(),
    };
    (format!("{before}{newline}{rest}"), false)
}

/// How a text is laid out.
struct Style<'t> {
    newline: &'static str,
    unit: &'t str,
}

impl<'t> Style<'t> {
    fn of(text: &'t str) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let indented = text.lines().map(indent).find(|indent| !indent.is_empty());
        Self { newline, unit: indented.unwrap_or("  ") }
    }

    /// Objects over several lines, lists of plain values on one.
    fn block(&self, value: &Value, indent: &str) -> String {
        let deeper = format!("{indent}{}", self.unit);
        let (open, parts, close) = match value {
            Value::Object(entries) if !entries.is_empty() => {
                let part = |(key, value): (&String, &Value)| {
                    format!("{}: {}", Value::from(key.as_str()), self.block(value, &deeper))
                };
                ('{', entries.iter().map(part).collect::<Vec<String>>(), '}')
            }
            Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                ('[', items.iter().map(|item| self.block(item, &deeper)).collect(), ']')
            }
            plain => return line(plain),
        };
        let newline = self.newline;
        let parts = parts.join(&format!(",{newline}{deeper}"));
        format!("{open}{newline}{deeper}{parts}{newline}{indent}{close}")
    }
}

/// All on one line.
fn line(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(line).collect::<Vec<String>>().join(", "))
        }
        Value::Object(entries) if !entries.is_empty() => {
            let part = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::from(key.as_str()), line(value))
            };
            format!("{{ {} }}", entries.iter().map(part).collect::<Vec<String>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The indentation of the line that a place is on.
fn indent_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    indent(&text[start..])
}

fn begins_line(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    text[start..at].trim().is_empty()
}

/// The comma behind a value, with whitespace and comments before it.
fn comma_after(text: &str, at: usize) -> Option<usize> {
    let mut rest = &text[at..];
    loop {
        rest = rest.trim_start();
        if rest.starts_with("//") {
            rest = rest.split_once('\n')?.1;
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/")?.1;
        } else {
            return rest.starts_with(',').then(|| text.len() - rest.len());
        }
    }
}

/// Length of what is left of a line, if that is nothing or a comment.
fn remark(rest: &str) -> usize {
    let line = rest.split('\n').next().unwrap_or(rest).trim_end();
    let said = line.trim_start();
    let is_block = said
        .strip_prefix("/*")
        .is_some_and(|comment| comment.find("*/") == Some(comment.len() - 2));
    if said.is_empty() || said.starts_with("//") || is_block { line.len() } else { 0 }
}
