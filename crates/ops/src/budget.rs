//! Answers within a budget of tokens.
//!
//! What does not fit is cut from the end, on the borders of items or lines, and the answer says so. No
//! text that leaves this module has more tokens than its limit, and JSON stays JSON.

use serde_json::{Map, Value, json};

use crate::compact::{PATHS, Paths};
use crate::text::Page;

/// No limit may be lower: less cannot even say that something was cut.
pub const LEAST: usize = 50;

/// Where an answer may be cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    /// Key of the list that is cut first.
    pub(crate) list: Option<&'static str>,
    /// Number of items that were skipped before that list, if the question can say so.
    pub(crate) offset: Option<usize>,
}

/// What an array that is the whole answer is called once something has to be said beside it.
const ROWS: &str = "rows";

/// JSON on one line with at most `limit` tokens. With `tabled`, paths stand in a table.
pub(crate) fn json(value: Value, cut: &Cut, tabled: bool, limit: usize) -> String {
    let tabled = tabled && value.is_object() && Paths::are_several(&value);
    let whole = Parts::new(value.clone(), None, tabled).text(0, None);
    if tokens::count_within(&whole, limit).is_some() {
        return whole;
    }
    let (mut value, list) = match value {
        Value::Array(items) => (json!({ ROWS: items }), Some(ROWS)),
        value => (value, cut.list),
    };
    let total = Total::of(&value, list, cut.offset);
    if let Some(Value::Array(items)) = list.and_then(|list| value.get_mut(list)) {
        // Every item has a token at least.
        items.truncate(limit);
    }
    for size in SIZES {
        let parts = Parts::new(shrunk(value.clone(), list, size), list, tabled);
        if let Some(text) = parts.fitted(&total, limit) {
            return text;
        }
    }
    let mut last = Map::new();
    total.say(0, &mut last);
    last.insert("hint".to_owned(), "no item fits; raise max_tokens".into());
    Value::Object(last).to_string() + "\n"
}

/// How often more items are tried once some fit.
const ATTEMPTS: usize = 4;

/// How much of nested lists and long texts is kept: the most items and characters, step by step.
const SIZES: [(usize, usize); 13] = [
    (usize::MAX, usize::MAX),
    (256, 32_000),
    (128, 16_000),
    (64, 8_000),
    (32, 4_000),
    (24, 2_000),
    (16, 1_000),
    (8, 500),
    (5, 250),
    (3, 120),
    (2, 60),
    (1, 30),
    (0, 15),
];

/// How many items there are.
#[derive(Debug, Clone, Copy)]
struct Total {
    /// In all, if that is known.
    all: Option<usize>,
    /// At least.
    least: usize,
    offset: Option<usize>,
}

impl Total {
    /// What the operation says, or what it gave.
    fn of(value: &Value, list: Option<&str>, offset: Option<usize>) -> Self {
        let number = |key| value.get(key).and_then(Value::as_u64).map(|total| total as usize);
        let given = list.and_then(|list| value.get(list)).and_then(Value::as_array).map(Vec::len);
        let given = given.map(|given| given + offset.unwrap_or(0));
        let all = match number("total_at_least") {
            Some(_) => None,
            // Where the operation stopped early, what it gave is not all.
            None => {
                number("total").or(given.filter(|_| value.get("truncated") != Some(&true.into())))
            }
        };
        let least = all.or(number("total_at_least")).or(given).unwrap_or(0);
        Self { all, least, offset }
    }

    /// The same for people, who were told so many, and not at least so many more.
    fn rest(&self, next: usize, left: usize) -> String {
        let more = self.least.saturating_sub(next).max(left);
        match self.all {
            Some(all) if all >= next => {
                format!("{} more of {all}; go on with --offset {next}", all - next)
            }
            _ => format!("at least {more} more; go on with --offset {next}"),
        }
    }

    /// Says that something was cut, and where to go on.
    fn say(&self, kept: usize, map: &mut Map<String, Value>) {
        map.insert("truncated".to_owned(), true.into());
        if let Some(all) = self.all {
            map.insert("total".to_owned(), all.into());
        }
        match self.offset.map(|offset| offset + kept) {
            Some(next) if next < self.least => map.insert("next".to_owned(), next.into()),
            _ => map.shift_remove("next"),
        };
    }
}

/// An answer, taken apart into its list and the rest.
struct Parts {
    rest: Value,
    list: Option<&'static str>,
    items: Vec<Value>,
    /// For each item: the length of the path table with it.
    known: Vec<usize>,
    paths: Paths,
}

impl Parts {
    fn new(mut rest: Value, list: Option<&'static str>, tabled: bool) -> Self {
        let mut items = match list.and_then(|list| rest.get_mut(list)) {
            Some(Value::Array(items)) => std::mem::take(items),
            _ => Vec::new(),
        };
        let mut paths = Paths::default();
        let mut known = Vec::new();
        if tabled {
            paths.take(&mut rest);
            for item in &mut items {
                paths.take(item);
                known.push(paths.len());
            }
        }
        Self { rest, list, items, known, paths }
    }

    /// The answer with the first items that fit. None if not even the rest fits, or no item at all.
    fn fitted(&self, total: &Total, limit: usize) -> Option<String> {
        let text = |kept| self.text(kept, Some(total));
        let bare = tokens::count(&text(0));
        let mut left = limit.checked_sub(bare)?;
        let mut kept = 0;
        while kept < self.items.len() {
            // One for the comma.
            let Some(cost) = self.cost(kept, left).filter(|cost| *cost < left) else { break };
            left -= cost + 1;
            kept += 1;
        }
        // Tokens reach across borders, so the sum is only nearly right: the whole text decides.
        let mut best = loop {
            if kept == 0 && !self.items.is_empty() {
                return None;
            }
            let text = text(kept);
            match tokens::count_within(&text, limit) {
                Some(count) => break (kept, count, text),
                None => kept = kept.checked_sub(1)?,
            }
        };
        // Most often it is less than the sum, and there is room for some more.
        for _ in 0..ATTEMPTS {
            let (kept, count, _) = best;
            let average = (count - bare.min(count)) / kept.max(1) + 1;
            let more = (kept + (limit - count) / average).min(self.items.len());
            let text = text(more);
            match tokens::count_within(&text, limit) {
                Some(count) if more > kept => best = (more, count, text),
                _ => break,
            }
        }
        Some(best.2)
    }

    /// Tokens that an item adds, with the paths that appear with it first.
    fn cost(&self, at: usize, limit: usize) -> Option<usize> {
        let mut cost = tokens::count_within(&self.items[at].to_string(), limit)?;
        if let Some(&after) = self.known.get(at) {
            let before = match at {
                0 => self.paths.outside_items,
                _ => self.known[at - 1],
            };
            for path in self.paths.between(before, after) {
                cost += 1 + tokens::count(&Value::from(path).to_string());
            }
        }
        Some(cost)
    }

    /// The answer with some items; if it is cut, with what is said of that.
    fn text(&self, kept: usize, total: Option<&Total>) -> String {
        let Value::Object(rest) = &self.rest else { return self.rest.to_string() + "\n" };
        let mut map = Map::new();
        let known = match kept {
            0 => self.paths.outside_items,
            kept => self.known.get(kept - 1).copied().unwrap_or(0),
        };
        if known > 0 {
            let table: Vec<Value> = self.paths.between(0, known).map(Value::from).collect();
            map.insert(PATHS.to_owned(), table.into());
        }
        for (key, value) in rest {
            let value = match self.list {
                Some(list) if list == key => self.items[..kept].to_vec().into(),
                _ => value.clone(),
            };
            map.insert(key.clone(), value);
        }
        if let Some(total) = total {
            total.say(kept, &mut map);
        }
        Value::Object(map).to_string() + "\n"
    }
}

/// Without most of nested lists and long texts. The main list keeps its items. What was left out of a
/// list is counted beside it.
fn shrunk(value: Value, list: Option<&str>, size: (usize, usize)) -> Value {
    if size.0 == usize::MAX {
        return value;
    }
    let Value::Object(map) = value else { return small(value, size) };
    let shrink = |(key, value): (String, Value)| match value {
        Value::Array(items) if list == Some(key.as_str()) => {
            vec![(key, items.into_iter().map(|item| small(item, size)).collect())]
        }
        value => small_entry(key, value, size),
    };
    Value::Object(map.into_iter().flat_map(shrink).collect())
}

fn small(value: Value, size: (usize, usize)) -> Value {
    match value {
        Value::String(text) => Value::String(shortened(&text, size.1)),
        Value::Array(items) => {
            items.into_iter().take(size.0).map(|item| small(item, size)).collect()
        }
        Value::Object(map) => {
            let entries = map.into_iter().flat_map(|(key, value)| small_entry(key, value, size));
            Value::Object(entries.collect())
        }
        other => other,
    }
}

/// An entry of an object, and what to say of it.
fn small_entry(key: String, value: Value, size: (usize, usize)) -> Vec<(String, Value)> {
    let left_out = match &value {
        Value::Array(items) => items.len().saturating_sub(size.0),
        _ => 0,
    };
    let note = (left_out > 0).then(|| (format!("{key}_left_out"), left_out.into()));
    std::iter::once((key, small(value, size))).chain(note).collect()
}

/// A text with at most so many characters, the last one `…` if some are missing.
pub(crate) fn shortened(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => text.to_owned(),
        Some(_) => {
            let mut short: String = text.chars().take(length.saturating_sub(1)).collect();
            short.push('…');
            short
        }
    }
}

/// The list of an answer without its first items.
pub(crate) fn after(mut value: Value, cut: &Cut, skip: usize) -> Value {
    let list = match &mut value {
        Value::Array(items) => Some(items),
        value => cut.list.and_then(|list| value.get_mut(list)).and_then(Value::as_array_mut),
    };
    if let Some(items) = list {
        items.drain(..skip.min(items.len()));
    }
    value
}

/// Lines with at most `limit` tokens, and the footer if there is one. What is cut is cut before an item where
/// the page has items, and the last line says how to get the rest. Without colour: a budget is for readers
/// that pay for every sign.
pub(crate) fn lines(
    page: Page,
    footer: Option<&str>,
    cut: &Cut,
    value: impl FnOnce() -> Value,
    limit: usize,
) -> String {
    let plain = |text: &str| anstream::adapter::strip_str(text).to_string();
    let (text, items) = page.into_parts();
    let (text, footer) = (plain(&text), footer.map(|footer| plain(footer) + "\n"));
    let footer = footer.unwrap_or_default();
    let whole = format!("{text}{footer}");
    if tokens::count_within(&whole, limit).is_some() {
        return whole;
    }
    let lines: Vec<&str> = text.lines().collect();
    let total = Total::of(&value(), cut.list, cut.offset);
    let end = |kept: usize| {
        let told = items.iter().skip(1).filter(|first| **first <= kept).count();
        let rest = match total.offset {
            Some(offset) if told > 0 => total.rest(offset + told, items.len() - told),
            _ => format!(
                "{} more lines; raise --max-tokens or narrow the question",
                lines.len() - kept
            ),
        };
        format!("… {rest}\n{footer}")
    };
    let mut left = limit.saturating_sub(tokens::count(&end(0)));
    let mut kept = 0;
    for line in &lines {
        let Some(cost) = tokens::count_within(line, left).filter(|cost| *cost < left) else {
            break;
        };
        left -= cost + 1;
        kept += 1;
    }
    while kept > 0 {
        // An item is told whole, unless not even the first one fits.
        kept = items.iter().skip(1).rev().find(|first| **first <= kept).copied().unwrap_or(kept);
        let text = lines[..kept].join("\n") + "\n" + &end(kept);
        if tokens::count_within(&text, limit).is_some() {
            return text;
        }
        kept -= 1;
    }
    let mut length = limit * 4;
    while length > 0 {
        let first = lines.first().map_or("", |first| first);
        let text = format!("{}\n{}", shortened(first, length), end(1.min(lines.len())));
        if tokens::count_within(&text, limit).is_some() {
            return text;
        }
        length /= 2;
    }
    end(0)
}

#[cfg(test)]
mod tests;
