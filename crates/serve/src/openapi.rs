//! The OpenAPI document: what the HTTP server offers, made from the operations themselves.

use ops::{Effect, Entry};
use serde_json::{Map, Value, json};

use crate::tools;

/// Operations that are offered, in short.
pub(crate) fn index() -> Value {
    let operation = |entry: &Entry| {
        json!({
            "name": entry.name,
            "about": entry.about,
            "path": format!("/api/{}", entry.name),
            "writes": entry.effect != Effect::Reads,
            "arguments": tools::own_properties(&entry.all_arguments()),
        })
    };
    let offered = ops::catalogue().iter().filter(|entry| entry.effect != Effect::Endures);
    json!({"version": env!("CARGO_PKG_VERSION"), "operations": offered.map(operation).collect::<Vec<_>>()})
}

pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    let mut schemas = Map::from_iter([("Error".to_owned(), error())]);
    for entry in ops::catalogue().iter().filter(|entry| entry.effect != Effect::Endures) {
        add_answer(entry, &mut schemas);
        paths.insert(format!("/api/{}", entry.name), json!({"post": operation(entry)}));
    }
    let json_answer = |about: &str| json!({"200": {"description": about, "content": {ops::JSON: {"schema": {"type": "object"}}}}});
    let get = |id: &str, about: &str| json!({"get": {"operationId": id, "summary": about, "responses": json_answer(about)}});
    paths.insert("/api".to_owned(), get("list", "Operations and what they take"));
    paths.insert("/health".to_owned(), get("health", "Whether the server answers"));
    paths.insert("/openapi.json".to_owned(), get("openapi", "This document"));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Groma",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Questions about a codebase. The same operations, arguments and JSON as on the command line.",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:7878"}],
        "security": [{}, {"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas,
        },
    })
}

/// Adds what an operation answers under its name, and the parts of it under names of their own.
fn add_answer(entry: &Entry, schemas: &mut Map<String, Value>) {
    let name = entry.snake_name();
    let mut answer = entry.answer_schema();
    relocate(&mut answer, &name);
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("$schema");
        if let Some(Value::Object(parts)) = answer.remove("$defs") {
            schemas.extend(parts.into_iter().map(|(part, of)| (format!("{name}.{part}"), of)));
        }
    }
    schemas.insert(name, answer);
}

/// Has references lead to where the parts are now.
fn relocate(schema: &mut Value, name: &str) {
    match schema {
        Value::Object(map) => map.iter_mut().for_each(|(key, value)| match value {
            Value::String(at) if key == "$ref" => {
                let part = at.rsplit('/').next().unwrap_or_default();
                *at = format!("#/components/schemas/{name}.{part}");
            }
            value => relocate(value, name),
        }),
        Value::Array(items) => items.iter_mut().for_each(|item| relocate(item, name)),
        _ => {}
    }
}

fn operation(entry: &Entry) -> Value {
    let schema = Value::Object((*tools::schema(&entry.all_arguments())).clone());
    let error = json!({
        "description": "What went wrong, and what to do about it",
        "content": {ops::JSON: {"schema": {"$ref": "#/components/schemas/Error"}}},
    });
    json!({
        "operationId": entry.snake_name(),
        "summary": entry.about,
        "requestBody": {"content": {ops::JSON: {"schema": schema}}},
        "responses": {
            "200": {
                "description": "The answer, as `--json` gives it",
                "content": {ops::JSON: {"schema": {"$ref": format!("#/components/schemas/{}", entry.snake_name())}}},
            },
            "4XX": error,
            "5XX": error,
        },
    })
}

fn error() -> Value {
    json!({
        "type": "object",
        "required": ["error"],
        "properties": {"error": {
            "type": "object",
            "required": ["code", "message", "retryable"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "hint": {"type": ["string", "null"]},
                "retryable": {"type": "boolean"},
            },
        }},
    })
}

#[cfg(test)]
mod tests {
    use super::{document, index};

    #[test]
    fn every_operation_that_ends_is_described() {
        let document = document();
        let listed = index();
        let listed = listed["operations"].as_array().expect("operations");
        assert_eq!(listed.len(), ops::catalogue().len() - 1, "all but watch");
        for operation in listed {
            let path = operation["path"].as_str().expect("a path");
            let post = &document["paths"][path]["post"];
            assert_eq!(post["summary"], operation["about"], "{path}");
            let properties =
                &post["requestBody"]["content"]["application/json"]["schema"]["properties"];
            assert!(properties["root"].is_object(), "{path}");
        }
    }

    #[test]
    fn references_lead_somewhere() {
        fn each(value: &serde_json::Value, document: &serde_json::Value) {
            match value {
                serde_json::Value::Object(map) => map.iter().for_each(|(key, value)| {
                    if let Some(at) = value.as_str().filter(|_| key == "$ref") {
                        let pointer = at.strip_prefix('#').expect("a place in the document");
                        assert!(document.pointer(pointer).is_some(), "{at}");
                    }
                    each(value, document);
                }),
                serde_json::Value::Array(items) => items.iter().for_each(|it| each(it, document)),
                _ => {}
            }
        }
        let document = document();
        let answer = &document["components"]["schemas"]["search"];
        assert!(answer["properties"]["index"].is_object(), "{answer}");
        each(&document, &document);
    }
}
