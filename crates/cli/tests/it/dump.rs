//! Everything an index says, in a form that two indexes can be compared in.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::project::Project;

/// Every documented table that rows of files stand in, and what names the file of a row.
const TABLES: &[(&str, &str)] = &[
    ("files", "path"),
    ("symbols", "file_path"),
    ("type_members", "file_path"),
    ("imports", "file_path"),
    ("import_specifiers", "file_path"),
    ("exports", "file_path"),
    ("components", "file_path"),
    ("markers", "file_path"),
    ("suppressions", "file_path"),
    ("css_variables", "file_path"),
    ("css_classes", "file_path"),
    ("css_keyframes", "file_path"),
    ("problems", "file_path"),
    ("nodes", "file_path"),
    ("signatures", "(SELECT path FROM files WHERE id = file_id)"),
    ("methods", "(SELECT path FROM files WHERE id = file_id)"),
    ("types", "(SELECT path FROM files WHERE id = file_id)"),
    ("calls", "file_path"),
    ("function_params", "file_path"),
    ("occurrences", "(SELECT path FROM files WHERE id = file_id)"),
    ("refs", "(SELECT path FROM files WHERE id = file_id)"),
    ("bindings", "(SELECT path FROM files WHERE id = file_id)"),
    ("scopes", "(SELECT path FROM files WHERE id = file_id)"),
    ("terms", "(SELECT path FROM files WHERE id = file_id)"),
    ("lines", "(SELECT path FROM files WHERE id = file_id)"),
    ("source_fts", "file_path"),
    // Names belong to no file, so that they are left out where only some files are compared.
    ("items", "''"),
];

/// Rows of every table by its name, ids replaced by what they stand for, without times, sorted. Only
/// rows of files whose path begins with `prefix`.
pub(crate) fn dump(project: &Project, prefix: &str) -> BTreeMap<String, Vec<String>> {
    static SQL: OnceLock<String> = OnceLock::new();
    let sql = SQL.get_or_init(|| statement(project));
    let mut tables: BTreeMap<String, Vec<String>> =
        TABLES.iter().map(|(name, _)| ((*name).to_owned(), Vec::new())).collect();
    let wanted =
        format!("SELECT * FROM ({sql}) WHERE substr(place, 1, {}) = '{prefix}'", prefix.len());
    for row in project.rows(&wanted) {
        let text = |column: &str| row[column].as_str().unwrap_or_default().to_owned();
        let rows = tables.get_mut(&text("table_name")).expect("only known tables are asked");
        rows.push(format!("{} {}", text("place"), text("content")));
    }
    for rows in tables.values_mut() {
        rows.sort();
    }
    tables
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

/// One statement for all tables: each row as its table, its file and a JSON array of its columns.
fn statement(project: &Project) -> String {
    let parts: Vec<String> = TABLES
        .iter()
        .map(|(table, place)| {
            let columns: Vec<String> = columns(project, table)
                .iter()
                .filter_map(|column| expression(table, column))
                .collect();
            format!(
                "SELECT '{table}' AS table_name, {place} AS place,
                        json_array({}) AS content FROM {table}",
                columns.join(", ")
            )
        })
        .collect();
    parts.join("\nUNION ALL ")
}

/// The columns of a table, from the head of an empty answer.
pub(crate) fn columns(project: &Project, table: &str) -> Vec<String> {
    let outcome = project.groma(&["query", &format!("SELECT * FROM {table} LIMIT 0")]);
    assert_eq!(outcome.status, Some(0), "{table}: {outcome:?}");
    let head = outcome.stdout.lines().next().expect("a head");
    head.split_ascii_whitespace().map(str::to_owned).collect()
}

/// How a column is compared: as it is, as what its id stands for, or not at all.
fn expression(table: &str, column: &str) -> Option<String> {
    let symbol = |id: &str| format!("(SELECT key FROM symbols WHERE id = {id})");
    Some(match (table, column) {
        // Times differ between runs.
        (_, "last_modified" | "indexed_at" | "updated_at") => return None,
        // The rest of the row says the same.
        (_, "id" | "file_id" | "body_hash") => return None,
        ("nodes", "parent_id") => {
            let id = "CAST(substr(parent_id, instr(parent_id, ':') + 1) AS INTEGER)";
            format!(
                "CASE WHEN parent_id LIKE 'file:%' THEN (SELECT path FROM files WHERE id = {id})
                      ELSE {} END",
                symbol(id)
            )
        }
        (_, "parent_id" | "symbol_id" | "caller_id") => symbol(column),
        (_, "item_id" | "name_id") => format!("(SELECT term FROM items WHERE id = {column})"),
        // The lower half is the line, the upper one the file.
        (_, "line_id") => "line_id & 4294967295".to_owned(),
        _ => column.to_owned(),
    })
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
    let views = texts(&project.database(), "SELECT name FROM sqlite_master WHERE type = 'view'");
    for view in views {
        assert!(TABLES.iter().any(|(table, _)| *table == view), "{view} is not in the dump");
    }
    let packed = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../store/schema/packed_views.sql"
    ));
    for line in packed.expect("the schema").lines() {
        if let Some(name) = line.strip_prefix("CREATE TEMP VIEW ") {
            let name = name.split(' ').next().unwrap_or(name);
            assert!(TABLES.iter().any(|(table, _)| *table == name), "{name} is not in the dump");
        }
    }
}
