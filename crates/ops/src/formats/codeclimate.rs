//! Issues as Code Climate defines them and GitLab shows them.

use std::collections::HashMap;

use serde_json::{Value, json};
use sha2::Digest;

use super::{Findings, Formatted};
use crate::recipes::Level;

pub(super) fn write(findings: &Findings<'_>) -> Formatted {
    let (found, notes) = findings.located();
    let rule = findings.rule();
    let severity = match findings.level() {
        Level::Note => "info",
        Level::Warning => "minor",
        Level::Error => "major",
    };
    // Lines move, so they are no part of what a finding is known by.
    let mut seen: HashMap<String, u32> = HashMap::new();
    let issues: Vec<Value> = found
        .iter()
        .map(|finding| {
            let place = finding.place;
            let start = place.start.unwrap_or(1);
            let identity = format!("{rule}\0{}\0{}", place.path, finding.message);
            let ordinal = seen.entry(identity.clone()).or_default();
            *ordinal += 1;
            let hash = sha2::Sha256::digest(format!("{identity}\0{ordinal}"));
            let fingerprint: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({
                "type": "issue",
                "check_name": rule,
                "description": finding.message,
                "categories": ["Clarity"],
                "severity": severity,
                "fingerprint": fingerprint,
                "location": {
                    "path": place.path,
                    "lines": { "begin": start, "end": place.end.unwrap_or(start) },
                },
            })
        })
        .collect();
    Formatted { text: format!("{:#}\n", Value::from(issues)), notes }
}
