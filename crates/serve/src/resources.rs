//! Resources: what can be read without asking a question.

use ops::{Entry, Format};
use rmcp::model::{Resource, ResourceTemplate};
use serde_json::{Map, Value, json};

use crate::desk::{Common, Question};

/// A resource, or with `{name}` at its end a template of some.
struct Known {
    uri: &'static str,
    name: &'static str,
    about: &'static str,
    /// None for what is written in this program.
    operation: Option<&'static str>,
    format: Format,
}

pub(crate) const SKILL: &str = "groma://skill";

const KNOWN: &[Known] = &[
    Known {
        uri: SKILL,
        name: "skill",
        about: "How to use Groma well",
        operation: None,
        format: Format::Text,
    },
    Known {
        uri: "groma://summary",
        name: "summary",
        about: "Languages, modules, entry points, main types and commands of the project",
        operation: Some("summary"),
        format: Format::Text,
    },
    Known {
        uri: "groma://files",
        name: "files",
        about: "The tree of files with counts",
        operation: Some("tree"),
        format: Format::Text,
    },
    Known {
        uri: "groma://schema",
        name: "schema",
        about: "The tables that queries read",
        operation: Some("schema"),
        format: Format::Compact,
    },
    Known {
        uri: "groma://recipes",
        name: "recipes",
        about: "Questions in SQL that have a name",
        operation: Some("recipes"),
        format: Format::Compact,
    },
    Known {
        uri: "groma://files/{path}",
        name: "file",
        about: "What a file defines",
        operation: Some("outline"),
        format: Format::Text,
    },
    Known {
        uri: "groma://schema/{table}",
        name: "table",
        about: "The columns of a table",
        operation: Some("schema"),
        format: Format::Compact,
    },
    Known {
        uri: "groma://recipes/{id}",
        name: "recipe",
        about: "What a recipe means, its parameters and its SQL",
        operation: Some("recipes"),
        format: Format::Compact,
    },
    Known {
        uri: "groma://symbols/{symbol}",
        name: "symbol",
        about: "A symbol, with its code",
        operation: Some("show"),
        format: Format::Text,
    },
];

pub(crate) fn list() -> Vec<Resource> {
    let fixed = KNOWN.iter().filter(|known| known.stem().is_none());
    let resource = |known: &Known| {
        Resource::new(known.uri, known.name)
            .with_description(known.about)
            .with_mime_type(known.media_type())
    };
    fixed.map(resource).collect()
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let templates = KNOWN.iter().filter(|known| known.stem().is_some());
    let template = |known: &Known| {
        ResourceTemplate::new(known.uri, known.name)
            .with_description(known.about)
            .with_mime_type(known.media_type())
    };
    templates.map(template).collect()
}

/// What reading a resource asks, and the kind of text that is the answer; none if there is no such one.
pub(crate) fn question(uri: &str) -> Option<(Question, &'static str)> {
    let fixed = KNOWN.iter().find(|known| known.uri == uri).map(|known| (known, String::new()));
    let (known, rest) = fixed.or_else(|| {
        KNOWN.iter().find_map(|known| Some((known, decoded(uri.strip_prefix(known.stem()?)?)?)))
    })?;
    let input = match (known.name, rest) {
        ("summary", _) => json!({"no_write": true}),
        ("file", path) => json!({"files": [path]}),
        ("table", table) => json!({"table": table}),
        ("recipe", id) => json!({"action": "show", "id": id}),
        ("symbol", symbol) => json!({"symbol": symbol, "source": true}),
        _ => json!({}),
    };
    let Value::Object(input) = input else { return None };
    let question = Question {
        entry: Entry::named(known.operation?)?,
        input,
        common: Common::default(),
        format: known.format,
        default_tokens: None,
    };
    Some((question, known.media_type()))
}

/// A question for the names that may stand in a template or a prompt, and where they stand in the answer.
pub(crate) fn names(argument: &str, begin: &str) -> Option<(Question, &'static str, &'static str)> {
    let (operation, input, list, key) = match argument {
        "symbol" => {
            ("query", json!({"sql": among("DISTINCT name", "name", "symbols", begin)}), "", "name")
        }
        "path" => ("query", json!({"sql": among("path", "path", "files", begin)}), "", "path"),
        "id" | "recipe" => ("recipes", json!({}), "recipes", "id"),
        "table" => ("schema", json!({}), "tables", "name"),
        _ => return None,
    };
    let input: Map<String, Value> = input.as_object().cloned()?;
    let question = Question {
        entry: Entry::named(operation)?,
        input,
        common: Common::default(),
        format: Format::Json,
        default_tokens: None,
    };
    Some((question, list, key))
}

/// Texts that begin so: a range, because an index can answer it.
fn among(what: &str, column: &str, table: &str, begin: &str) -> String {
    let begin = begin.replace('\'', "''").replace('\0', "");
    format!(
        "SELECT {what} FROM {table} WHERE {column} >= '{begin}' AND {column} < '{begin}\u{10FFFF}' \
         ORDER BY {column} LIMIT 100"
    )
}

impl Known {
    /// What stands before the variable of a template.
    fn stem(&self) -> Option<&'static str> {
        self.uri.split_once('{').map(|(stem, _)| stem)
    }

    fn media_type(&self) -> &'static str {
        match self.format {
            Format::Text if self.operation.is_none() => "text/markdown",
            Format::Text => "text/plain",
            Format::Json | Format::Compact => ops::JSON,
        }
    }
}

/// A part of an address, without its escapes; none if it is empty or no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        let digits = std::str::from_utf8(&digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.is_empty() && !text.contains('\0')).then_some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{decoded, list, question, templates};

    #[test]
    fn addresses_lead_to_questions() {
        for resource in list() {
            assert_eq!(question(&resource.uri).is_some(), resource.uri != super::SKILL);
        }
        assert_eq!(templates().len(), 4);
        let (file, _) = question("groma://files/src/a%20b.rs").expect("a file");
        assert_eq!(Value::from(file.input), json!({"files": ["src/a b.rs"]}));
        for nothing in
            ["groma://", "groma://nothing", "groma://files/%zz", "groma://files/%00", "x"]
        {
            assert!(question(nothing).is_none(), "{nothing}");
        }
        assert_eq!(decoded("%e6%bc%a2").as_deref(), Some("漢"));
        assert_eq!(decoded("%ff"), None);
    }
}
