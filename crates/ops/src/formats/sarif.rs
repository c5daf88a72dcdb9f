//! SARIF 2.1.0, as code scanning reads it.

use serde_json::{Value, json};

use super::{Finding, Findings, Formatted, uri};
use crate::recipes::{Level, Recipe};

pub(super) fn write(findings: &Findings<'_>) -> Formatted {
    let (found, notes) = findings.located();
    let rule = findings.rule();
    let level = word(findings.level());
    let results: Vec<Value> = found.iter().map(|finding| result(finding, &rule, level)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "groma",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": [described(findings.recipe, &rule, level)],
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { BASE: { "description": { "text": "The root of the project." } } },
            "results": results,
        }],
    });
    Formatted { text: format!("{log:#}\n"), notes }
}

/// What paths count from.
const BASE: &str = "SRCROOT";

fn described(recipe: Option<&Recipe>, rule: &str, level: &str) -> Value {
    let summary = recipe.map_or("Rows of a query.", |recipe| recipe.summary.as_str());
    let mut described = json!({
        "id": rule,
        "shortDescription": { "text": summary },
        "defaultConfiguration": { "level": level },
    });
    if let Some(recipe) = recipe {
        let parts = [&recipe.description, &recipe.limits];
        let parts: Vec<String> = parts
            .into_iter()
            .zip(["", "Limits: "])
            .filter(|(text, _)| !text.is_empty())
            .map(|(text, label)| format!("{label}{text}"))
            .collect();
        if !parts.is_empty() {
            described["fullDescription"] = json!({ "text": parts.join("\n\n") });
        }
        if !recipe.tags.is_empty() {
            described["properties"] = json!({ "tags": recipe.tags });
        }
    }
    described
}

fn result(finding: &Finding<'_>, rule: &str, level: &str) -> Value {
    let place = &finding.place;
    let artifact = json!({ "uri": uri(place.path), "uriBaseId": BASE });
    let mut physical = json!({ "artifactLocation": artifact });
    if let Some(start) = place.start {
        physical["region"] = match place.end {
            Some(end) => json!({ "startLine": start, "endLine": end }),
            None => json!({ "startLine": start }),
        };
    }
    json!({
        "ruleId": rule,
        "ruleIndex": 0,
        "level": level,
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": physical }],
    })
}

const fn word(level: Level) -> &'static str {
    match level {
        Level::Note => "note",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}
