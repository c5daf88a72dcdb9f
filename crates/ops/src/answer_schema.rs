//! What operations answer in JSON, as JSON Schema, made from the types that are answered.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::Operation;
use crate::answer::Envelope;

/// The schema of whole answers of an operation. Those that a budget has cut leave something out.
pub fn answer_schema<O: Operation>() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let schema = match O::CITES {
        true => generator.into_root_schema_for::<Envelope<'_, O::Output>>(),
        false => generator.into_root_schema_for::<O::Output>(),
    };
    let mut schema = Value::from(schema);
    schema["title"] = format!("Answer of `{}`", O::NAME).into();
    schema
}

/// The same for clients that take neither unions nor references nor formats: an object whose properties
/// say no more than what they always are. Nothing is required of it, because answers can be cut.
pub fn plain(schema: &Value) -> Map<String, Value> {
    let definitions = schema.get("$defs");
    let mut plain = Plain { definitions, open: Vec::new() }.of(schema);
    plain.insert("type".to_owned(), "object".into());
    plain.remove("items");
    plain
}

struct Plain<'s> {
    definitions: Option<&'s Value>,
    /// References that are being followed.
    open: Vec<&'s str>,
}

impl<'s> Plain<'s> {
    fn of(&mut self, schema: &'s Value) -> Map<String, Value> {
        let mut plain = Map::new();
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            let name = name.rsplit('/').next().unwrap_or(name);
            let meant = self.definitions.and_then(|all| all.get(name));
            match meant {
                Some(meant) if !self.open.contains(&name) => {
                    self.open.push(name);
                    plain = self.of(meant);
                    self.open.pop();
                }
                _ => drop(plain.insert("type".to_owned(), "object".into())),
            }
        }
        if let Some(about) = schema.get("description") {
            plain.insert("description".to_owned(), about.clone());
        }
        if let Some(choices) = choices(schema) {
            plain.insert("type".to_owned(), "string".into());
            plain.insert("enum".to_owned(), choices);
            return plain;
        }
        // One of several types is any value.
        if let Some(kind) = schema.get("type").filter(|kind| kind.is_string()) {
            plain.insert("type".to_owned(), kind.clone());
        }
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            let properties: Map<String, Value> = properties
                .iter()
                .map(|(name, schema)| (name.clone(), Value::Object(self.of(schema))))
                .collect();
            plain.insert("properties".to_owned(), properties.into());
        }
        if let Some(items) = schema.get("items").filter(|items| items.is_object()) {
            plain.insert("items".to_owned(), self.of(items).into());
        }
        plain
    }
}

/// The words of an enumeration.
fn choices(schema: &Value) -> Option<Value> {
    if let Some(words) = schema.get("enum") {
        return words.as_array()?.iter().all(Value::is_string).then(|| words.clone());
    }
    let choices = schema.get("oneOf")?.as_array()?;
    let words: Option<Vec<&Value>> =
        choices.iter().map(|choice| choice.get("const").filter(|word| word.is_string())).collect();
    Some(json!(words?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::plain;

    #[test]
    fn a_plain_schema_follows_references_and_leaves_out_what_is_not_always_so() {
        let schema = json!({
            "type": "object",
            "required": ["tree"],
            "properties": {
                "tree": {"$ref": "#/$defs/Node"},
                "how": {"oneOf": [{"const": "exact"}, {"const": "folded"}]},
                "note": {"description": "What else", "type": ["string", "null"]},
                "size": {"type": "integer", "format": "uint64", "minimum": 0},
            },
            "$defs": {"Node": {"type": "object", "properties": {
                "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
            }}},
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "tree": {"type": "object", "properties": {
                    "children": {"type": "array", "items": {"type": "object"}},
                }},
                "how": {"type": "string", "enum": ["exact", "folded"]},
                "note": {"description": "What else"},
                "size": {"type": "integer"},
            },
        });
        assert_eq!(json!(plain(&schema)), expected);
        let rows = json!({"anyOf": [{"type": "array"}, {"type": "string"}]});
        assert_eq!(json!(plain(&rows)), json!({"type": "object"}));
    }
}
