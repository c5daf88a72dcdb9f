//! What a session has been told already.
//!
//! An answer stays in the window of whoever asked. Code that was given before, and has not changed, is
//! named by the place it was given for; code that has changed is given by its difference to what was given.
//! Nothing needs a label for that: a place, `path:12-40`, is part of every answer with code.

use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value};

/// Texts shorter than this are given again: a reference would not be shorter.
const LEAST_BYTES: usize = 160;
/// So much is remembered of a session.
const MOST_BYTES: usize = 4 << 20;

/// The code that a session was given.
#[derive(Debug, Default)]
pub(crate) struct Window {
    given: HashMap<Name, Given>,
    order: VecDeque<Name>,
    bytes: usize,
}

/// What makes a piece of code the same one after an edit: its file, and its first line.
type Name = (String, String);

#[derive(Debug)]
struct Given {
    text: String,
    /// Lines, as they were said.
    lines: String,
}

impl Window {
    /// An answer in compact form, with what was given before replaced; what is not is remembered.
    /// `root` tells projects apart.
    pub(crate) fn shorten(&mut self, root: &str, answer: &str, again: bool) -> Option<String> {
        let mut value: Value = serde_json::from_str(answer).ok()?;
        let paths: Vec<String> = value
            .get("_f")
            .and_then(Value::as_array)
            .map(|all| all.iter().filter_map(|path| Some(path.as_str()?.to_owned())).collect())
            .unwrap_or_default();
        let mut changed = false;
        each_object(&mut value, &mut |map| {
            let Some((path, lines)) = place(map, &paths) else { return };
            if let Some(Value::String(source)) = map.get_mut("source")
                && let Some(short) = self.replacement(root, &path, &lines, source, again)
            {
                *source = short;
                changed = true;
            }
        });
        for row in value.get_mut("files").and_then(Value::as_array_mut).into_iter().flatten() {
            changed |= self.shorten_rows(root, row, again);
        }
        changed.then(|| format!("{value}\n"))
    }

    /// `[path, ":12-40 code", …]`, as a context has them.
    fn shorten_rows(&mut self, root: &str, row: &mut Value, again: bool) -> bool {
        let Some((Value::String(path), rows)) =
            row.as_array_mut().and_then(|it| it.split_first_mut())
        else {
            return false;
        };
        let mut changed = false;
        for row in rows {
            let Value::String(text) = row else { continue };
            let Some((lines, code)) = text.strip_prefix(':').and_then(|row| row.split_once(' '))
            else {
                continue;
            };
            if let Some(short) = self.replacement(root, path, lines, code, again) {
                *text = format!(":{lines} {short}");
                changed = true;
            }
        }
        changed
    }

    /// What to say instead of a piece of code, if it was given before.
    fn replacement(
        &mut self,
        root: &str,
        path: &str,
        lines: &str,
        code: &str,
        again: bool,
    ) -> Option<String> {
        if code.len() < LEAST_BYTES {
            return None;
        }
        let first = code.lines().next().unwrap_or_default();
        let name = (format!("{root}\0{path}"), first.to_owned());
        let said = self.given.get(&name).filter(|_| !again).and_then(|given| {
            let place = format!("{path}:{}", given.lines);
            if given.text == code {
                return Some(format!("(as given before for {place}; `again` repeats it)"));
            }
            let difference = difference(&given.text, code);
            (difference.len() < code.len() / 2)
                .then(|| format!("(since given for {place}:)\n{difference}"))
        });
        self.remember(name, Given { text: code.to_owned(), lines: lines.to_owned() });
        said
    }

    fn remember(&mut self, name: Name, given: Given) {
        self.bytes += given.text.len();
        match self.given.insert(name.clone(), given) {
            Some(old) => self.bytes -= old.text.len(),
            None => self.order.push_back(name),
        }
        while self.bytes > MOST_BYTES
            && let Some(oldest) = self.order.pop_front()
        {
            if let Some(old) = self.given.remove(&oldest) {
                self.bytes -= old.text.len();
            }
        }
    }
}

fn each_object(value: &mut Value, act: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(map) => {
            act(map);
            map.values_mut().for_each(|value| each_object(value, act));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| each_object(item, act)),
        _ => {}
    }
}

/// The path and the lines of something, from the compact form.
fn place(map: &Map<String, Value>, paths: &[String]) -> Option<(String, String)> {
    let path = match (map.get("f"), map.get("fi")) {
        (Some(Value::String(path)), _) => path.clone(),
        (_, Some(number)) => paths.get(usize::try_from(number.as_u64()?).ok()?)?.clone(),
        _ => return None,
    };
    let lines = match map.get("l")? {
        Value::String(lines) => lines.clone(),
        other => other.to_string(),
    };
    Some((path, lines))
}

/// What was before and what is now, from the first line that differs to the last.
fn difference(before: &str, now: &str) -> String {
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let start = before.iter().zip(&now).take_while(|(one, other)| one == other).count();
    let longest = before.len().min(now.len()) - start;
    let same = before.iter().rev().zip(now.iter().rev()).take(longest);
    let end = same.take_while(|(one, other)| one == other).count();
    let (old, new) = (&before[start..before.len() - end], &now[start..now.len() - end]);
    let mut text = format!("@@ -{},{} +{},{} @@", start + 1, old.len(), start + 1, new.len());
    for (sign, lines) in [('-', old), ('+', new)] {
        for line in lines {
            text.push('\n');
            text.push(sign);
            text.push_str(line);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{MOST_BYTES, Window, difference};

    fn body(lines: usize) -> String {
        let mut text = "fn run() {\n".to_owned();
        for number in 0..lines {
            text += &format!("    step_{number}(the_same_thing);\n");
        }
        text + "}"
    }

    fn shown(source: &str) -> String {
        json!({"matches": [{"n": "run", "f": "a.rs", "l": "3-12", "source": source}]}).to_string()
    }

    fn source(answer: &str) -> String {
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        answer["matches"][0]["source"].as_str().expect("a text").to_owned()
    }

    #[test]
    fn what_was_given_is_named_and_what_changed_is_told_by_its_difference() {
        let mut window = Window::default();
        let first = shown(&body(10));
        assert_eq!(window.shorten("/p", &first, false), None, "given for the first time");
        let second = window.shorten("/p", &first, false).expect("given before");
        assert!(source(&second).contains("a.rs:3-12"), "{second}");
        assert!(second.len() < first.len() / 2);
        assert_eq!(window.shorten("/p", &first, true), None, "asked for again");
        assert_eq!(window.shorten("/other", &first, false), None, "another project");
        let edited = body(10).replace("step_4", "leap");
        let third = window.shorten("/p", &shown(&edited), false).expect("changed");
        assert!(source(&third).contains("@@ -6,1 +6,1 @@\n-    step_4"), "{third}");
        assert!(source(&third).contains("\n+    leap"), "{third}");
        // From now on that is what was given.
        let fourth = window.shorten("/p", &shown(&edited), false).expect("given before");
        assert!(!fourth.contains("@@"), "{fourth}");
    }

    #[test]
    fn code_in_the_rows_of_a_context_counts_too() {
        let mut window = Window::default();
        let answer = json!({"files": [["a.rs", format!(":3-12 {}", body(10)), ":20-21 fn f()"]]});
        assert_eq!(window.shorten("/p", &answer.to_string(), false), None);
        let again = window.shorten("/p", &answer.to_string(), false).expect("given before");
        assert!(again.contains(":3-12 (as given before for a.rs:3-12"), "{again}");
        assert!(again.contains(":20-21 fn f()"));
        // The same code by another question.
        let shown = window.shorten("/p", &shown(&body(10)), false).expect("given before");
        assert!(source(&shown).starts_with("(as given"), "{shown}");
    }

    #[test]
    fn a_difference_makes_the_new_text_from_the_old() {
        let apply = |before: &str, difference: &str| {
            let mut lines = difference.lines();
            let head = lines.next().expect("a head");
            let numbers: Vec<usize> = head
                .split(|sign: char| !sign.is_ascii_digit())
                .filter_map(|number| number.parse().ok())
                .collect();
            let mut text: Vec<&str> = before.lines().collect();
            let added: Vec<&str> = lines.filter_map(|line| line.strip_prefix('+')).collect();
            text.splice(numbers[0] - 1..numbers[0] - 1 + numbers[1], added);
            text.join("\n")
        };
        for (before, now) in [
            ("a\nb\nc", "a\nx\nc"),
            ("a\nb\nc", "a\nc"),
            ("a\nb\nc", "a\nb\nb\nc"),
            ("a\na\na", "a\na"),
            ("", "a"),
            ("a", ""),
            ("a\nb", "b\na"),
        ] {
            assert_eq!(apply(before, &difference(before, now)), now, "{before:?} {now:?}");
        }
    }

    #[test]
    fn what_is_remembered_is_limited() {
        let mut window = Window::default();
        for number in 0..200 {
            let code = format!("fn f{number}() {{\n{}}}", "    x();\n".repeat(10_000));
            window.shorten("/p", &shown(&code), false);
        }
        assert!(window.bytes <= MOST_BYTES && !window.given.is_empty());
        assert_eq!(window.given.len(), window.order.len());
    }
}
