//! The same edits in TOML.

use serde_json::Value as Json;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

use crate::json::Problem;

type Edited = Result<String, Problem>;

/// Gives a key of the table that `at` leads to a value; see [`crate::json::set`].
pub(crate) fn set(text: &str, at: &[String], name: &str, value: &Json) -> Edited {
    edit(text, |document| {
        let mut table: &mut dyn TableLike = document.as_table_mut();
        for key in at {
            let inner = table.entry(key).or_insert_with(|| {
                let mut table = Table::new();
                // Only what is in it gets a heading.
                table.set_implicit(true);
                Item::Table(table)
            });
            table = inner.as_table_like_mut().ok_or_else(|| format!("`{key}` is not a table"))?;
        }
        merge(table, name, value)
    })
}

/// Takes a key away again; see [`crate::json::unset`].
pub(crate) fn unset(text: &str, at: &[String], name: &str) -> Edited {
    edit(text, |document| {
        let mut table: &mut dyn TableLike = document.as_table_mut();
        for key in at {
            match table.get_mut(key).and_then(Item::as_table_like_mut) {
                Some(inner) => table = inner,
                None => return Ok(()),
            }
        }
        table.remove(name);
        Ok(())
    })
}

/// The editor writes lines as Unix does.
fn edit(text: &str, change: impl FnOnce(&mut DocumentMut) -> Result<(), Problem>) -> Edited {
    let is_windows = text.contains("\r\n");
    let plain = text.replace("\r\n", "\n");
    let again = |text: String| if is_windows { text.replace('\n', "\r\n") } else { text };
    let mut document: DocumentMut = plain.parse().map_err(|error: toml_edit::TomlError| {
        error.to_string().lines().map(str::trim).collect::<Vec<&str>>().join(" ")
    })?;
    if again(document.to_string()) != text {
        return Err("its lines end in different ways".to_owned());
    }
    change(&mut document)?;
    Ok(again(document.to_string()))
}

fn merge(table: &mut dyn TableLike, name: &str, value: &Json) -> Result<(), Problem> {
    let Json::Object(entries) = value else {
        let new = plain(value)?;
        let old = table.get(name).and_then(Item::as_value);
        if !old.is_some_and(|old| begins_as(old, &new)) {
            table.insert(name, Item::Value(new));
        }
        return Ok(());
    };
    let inner = table.entry(name).or_insert_with(toml_edit::table);
    let inner = inner.as_table_like_mut().ok_or_else(|| format!("`{name}` is not a table"))?;
    entries.iter().try_for_each(|(key, value)| merge(inner, key, value))
}

fn plain(value: &Json) -> Result<Value, Problem> {
    Ok(match value {
        Json::String(text) => Value::from(text.as_str()),
        Json::Bool(flag) => Value::from(*flag),
        Json::Number(number) => Value::from(number.as_i64().ok_or("a number is not whole")?),
        Json::Array(items) => items.iter().map(plain).collect::<Result<Array, Problem>>()?.into(),
        Json::Null | Json::Object(_) => return Err("a value has no form in TOML".to_owned()),
    })
}

/// Whether a value is ours, or a list that continues ours, whatever its layout.
fn begins_as(old: &Value, ours: &Value) -> bool {
    let bare = |value: &Value| value.clone().decorated("", "").to_string();
    match (old, ours) {
        (Value::Array(old), Value::Array(ours)) => {
            old.len() >= ours.len() && old.iter().zip(ours).all(|(old, ours)| begins_as(old, ours))
        }
        (Value::String(old), Value::String(ours)) => old.value() == ours.value(),
        _ => bare(old) == bare(ours),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at() -> Vec<String> {
        vec!["mcp_servers".to_owned()]
    }

    fn with(text: &str) -> Edited {
        set(text, &at(), "groma", &json!({"command": "groma", "args": ["mcp"]}))
    }

    #[test]
    fn an_edit_keeps_everything_else_and_its_reverse_gives_the_same_bytes() {
        let texts = [
            "",
            "# mine\nmodel = \"m\" # the best\n",
            "model = \"m\"\n\n[mcp_servers.other]\ncommand = 'x'   # odd\n\n[tui]\na = 1\n",
            "[mcp_servers]\nother = { command = \"x\" }\n",
            "a = 1\r\n[b]\r\nc = 2\r\n",
        ];
        for text in texts {
            let edited = with(text).expect("an edit");
            let document: DocumentMut = edited.parse().expect("readable");
            assert_eq!(document["mcp_servers"]["groma"]["args"][0].as_str(), Some("mcp"));
            assert_eq!(with(&edited).as_ref(), Ok(&edited), "twice is once");
            assert_eq!(unset(&edited, &at(), "groma").as_deref(), Ok(text), "after {edited}");
        }
    }

    #[test]
    fn what_a_user_added_to_the_entry_stays() {
        let text = "[mcp_servers.groma]\ncommand = 'old' # why\nargs = [ \"mcp\", '--tools', \"all\" ]\nenv = { A = \"1\" }\n";
        let edited = with(text).expect("an edit");
        assert!(edited.contains("command = \"groma\""), "{edited}");
        assert!(edited.contains("args = [ \"mcp\", '--tools', \"all\" ]\nenv = { A = \"1\" }"));
        assert_eq!(with(&edited), Ok(edited));
    }

    #[test]
    fn what_cannot_be_understood_is_not_edited() {
        assert!(with("[mcp_servers").is_err());
        assert!(with("mcp_servers = 1\n").is_err());
        assert!(with("[mcp_servers]\ngroma = 1\n").is_err());
        assert!(with("a = 1\r\nb = 2\n").is_err());
    }
}
