//! Everything an index says, in a form that two indexes can be compared in.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::project::Project;

/// Rows of every table by its name. Only rows of files whose path begins with `prefix`.
pub(crate) fn dump(project: &Project, prefix: &str) -> BTreeMap<String, Vec<String>> {
    let outcome = project.groma(&["dump", "--json"]);
    assert_eq!(outcome.status, Some(0), "{outcome:?}");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let tables = outcome.json();
    let tables = tables.as_array().expect("tables").iter().map(|table| {
        let rows = table["rows"].as_array().expect("rows").iter();
        let rows = rows.filter(|row| text(&row[0]).starts_with(prefix));
        (
            text(&table["table"]),
            rows.map(|row| format!("{} {}", text(&row[0]), text(&row[1]))).collect(),
        )
    });
    tables.collect()
}

/// Fails with the first rows in which two dumps differ.
pub(crate) fn assert_equal(
    expected: &BTreeMap<String, Vec<String>>,
    found: &BTreeMap<String, Vec<String>>,
) {
    for (table, expected) in expected {
        let found = &found[table];
        if expected == found {
            continue;
        }
        let missing: Vec<&String> =
            expected.iter().filter(|row| !found.contains(row)).take(10).collect();
        let added: Vec<&String> =
            found.iter().filter(|row| !expected.contains(row)).take(10).collect();
        panic!("{table}: missing {missing:#?}, added {added:#?}");
    }
}

/// Every table of the database as it is, ids and blobs and all, without times.
pub(crate) fn raw(project: &Project) -> BTreeMap<String, Vec<String>> {
    let database = project.database();
    let names: Vec<String> = texts(
        &database,
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' ORDER BY 1",
    );
    let mut tables = BTreeMap::new();
    for name in names {
        let columns = texts(&database, &format!("SELECT name FROM pragma_table_info('{name}')"));
        let columns: Vec<String> = columns
            .iter()
            .filter(|column| !matches!(column.as_str(), "indexed_ms"))
            .map(|column| format!("quote(\"{column}\")"))
            .collect();
        let condition =
            if name == "meta" { "WHERE key NOT IN ('indexed_at', 'generation')" } else { "" };
        let sql = format!("SELECT {} FROM \"{name}\" {condition}", columns.join(" || ' ' || "));
        let mut rows = texts(&database, &sql);
        rows.sort();
        tables.insert(name, rows);
    }
    tables
}

fn texts(database: &rusqlite::Connection, sql: &str) -> Vec<String> {
    let mut statement = database.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).expect("no parameters");
    rows.collect::<Result<_, _>>().expect("texts")
}

/// A view nobody added here would never be compared.
#[test]
fn every_documented_table_is_compared() {
    let project = Project::with(&[("a.rs", "fn a() {}\n")]);
    project.index();
    let dumped = dump(&project, "");
    let views = texts(&project.database(), "SELECT name FROM sqlite_master WHERE type = 'view'");
    for view in views {
        assert!(dumped.contains_key(&view), "{view} is not in the dump");
    }
    let packed = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../store/schema/packed_views.sql"
    ));
    for line in packed.expect("the schema").lines() {
        if let Some(name) = line.strip_prefix("CREATE TEMP VIEW ") {
            let name = name.split(' ').next().unwrap_or(name);
            assert!(dumped.contains_key(name), "{name} is not in the dump");
        }
    }
}
