//! Links in few tokens: one short text for each symbol, role and confidence.

use serde_json::{Map, Value};

use crate::links::{Ledger, Named, Output, Site};

/// `path:lines role name`, without the role of calls; what is not certain says so. With `of_callees`
/// the path is that of what is called, and the lines are those of the calls.
pub(crate) fn compact(output: &Output, of_callees: bool) -> Value {
    let mut rows = Vec::new();
    for found in &output.found {
        for (role, confidence, lines) in groups(&found.sites) {
            let mut row = match (&found.symbol, of_callees) {
                (Some(symbol), true) => {
                    format!("{}:{} {} at {lines}", symbol.path, symbol.line, name_of(symbol))
                }
                (Some(symbol), false) => format!("{}:{lines} {}", found.path, name_of(symbol)),
                (None, _) => format!("{}:{lines}", found.path),
            };
            if let Some(project) = &found.project {
                row = format!("{project}:{row}");
            }
            if let Some(of) = &found.of {
                row = format!("{row} of {}", short(of));
            }
            if let Some(declared) = &found.dispatch {
                row = format!("{row} (through {})", short(declared));
            }
            if found.is_test {
                row = format!("{row} (test)");
            }
            if role != "call" {
                row = format!("{row} ({role})");
            }
            if confidence != "certain" {
                row = format!("{row} ({confidence})");
            }
            rows.push(Value::String(row));
        }
    }
    let symbols = output.symbols.iter().map(|symbol| {
        let project = symbol.project.as_ref().map(|name| format!("{name}:"));
        Value::String(format!(
            "{}{}:{} {} {}",
            project.unwrap_or_default(),
            symbol.path,
            symbol.line,
            symbol.kind,
            name_of(symbol)
        ))
    });
    let mut map = Map::new();
    map.insert("symbols".to_owned(), symbols.collect());
    if let Some(count) = output.symbol_count {
        map.insert("symbol_count".to_owned(), count.into());
    }
    map.insert("found".to_owned(), rows.into());
    if output.truncated {
        map.insert("truncated".to_owned(), true.into());
    }
    map.insert("ledger".to_owned(), Value::Object(ledger(&output.ledger)));
    if !output.skipped_projects.is_empty() {
        map.insert("skipped_projects".to_owned(), serde_json::json!(output.skipped_projects));
    }
    Value::Object(map)
}

fn name_of(symbol: &Named) -> &str {
    short(&symbol.key)
}

/// A key without its path.
fn short(key: &str) -> &str {
    key.split_once('#').map_or(key, |(_, name)| name)
}

/// Lines by role and confidence, in order of their first.
fn groups(sites: &[Site]) -> Vec<(&str, &str, String)> {
    let mut groups: Vec<(&str, &str, String)> = Vec::new();
    for site in sites {
        let line = site.line.to_string();
        let group = groups
            .iter_mut()
            .find(|(role, confidence, _)| *role == site.role && *confidence == site.confidence);
        match group {
            Some((.., lines)) => {
                // Two uses on one line are told once.
                if lines.rsplit(',').next() != Some(line.as_str()) {
                    lines.push(',');
                    lines.push_str(&line);
                }
            }
            None => groups.push((&site.role, &site.confidence, line)),
        }
    }
    groups
}

fn ledger(ledger: &Ledger) -> Map<String, Value> {
    let counts = [
        ("sites", ledger.sites),
        ("in_tests", ledger.in_tests),
        ("filtered", ledger.filtered),
        ("ambiguous", ledger.ambiguous),
        ("unresolved", ledger.unresolved),
        ("external", ledger.external),
        ("followed", ledger.followed.unwrap_or(0)),
    ];
    let told = counts.into_iter().filter(|(name, count)| *name == "sites" || *count > 0);
    told.map(|(name, count)| (name.to_owned(), count.into())).collect()
}
