//! Everything derived, in a form in which two indexes can be compared: rows in an order of their own,
//! what ids stand for instead of the ids, no times.

use rusqlite::{Connection, Result};

/// Documented tables, and what names the file of a row.
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
    ("signatures", BY_FILE_ID),
    ("methods", BY_FILE_ID),
    ("types", BY_FILE_ID),
    ("calls", "file_path"),
    ("function_params", "file_path"),
    ("occurrences", BY_FILE_ID),
    ("refs", BY_FILE_ID),
    ("bindings", BY_FILE_ID),
    ("scopes", BY_FILE_ID),
    ("terms", BY_FILE_ID),
    ("lines", BY_FILE_ID),
    ("links", BY_FILE_ID),
    ("dependencies", "(SELECT path FROM files WHERE id = from_id)"),
    ("file_dependencies", "from_path"),
    ("module_cycles", "file_path"),
    ("file_measures", "file_path"),
    ("symbol_measures", "file_path"),
    ("module_measures", "module"),
    ("symbol_links", "from_path"),
    ("edges", "''"),
    ("unresolved_refs", "file_path"),
    ("uses", "user_path"),
    ("file_uses", "user_path"),
    ("manifests", "file_path"),
    ("namespaces", "file_path"),
    ("heritage", BY_FILE_ID),
    ("css_reads", "file_path"),
    ("unused_symbols", "file_path"),
    ("source_fts", "file_path"),
    // Names belong to no file.
    ("items", "''"),
    ("css_words", "''"),
];

const BY_FILE_ID: &str = "(SELECT path FROM files WHERE id = file_id)";

/// The names of all tables in a dump.
pub fn dumped_tables() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(table, _)| *table)
}

/// Visits the rows of one table in order: the path of the file they belong to, and their columns as a
/// JSON array.
pub(crate) fn dump(
    connection: &Connection,
    table: &str,
    mut visit: impl FnMut(&str, &str),
) -> Result<()> {
    let Some((table, place)) = TABLES.iter().find(|(name, _)| *name == table) else {
        return Ok(());
    };
    let columns: Vec<String> = connection
        .prepare(&format!("SELECT * FROM {table} LIMIT 0"))?
        .column_names()
        .filter_map(|column| expression(table, column))
        .collect();
    let sql = format!(
        "SELECT {place} AS place, json_array({}) AS content FROM {table} ORDER BY 1, 2",
        columns.join(", ")
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        visit(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?);
    }
    Ok(())
}

/// How a column is compared: as it is, as what its id stands for, or not at all.
fn expression(table: &str, column: &str) -> Option<String> {
    let symbol = |id: &str| format!("(SELECT key FROM symbols WHERE id = {id})");
    let node = |column: &str| {
        let id = format!("CAST(substr({column}, instr({column}, ':') + 1) AS INTEGER)");
        format!(
            "CASE WHEN {column} LIKE 'file:%' THEN (SELECT path FROM files WHERE id = {id})
                  ELSE {} END",
            symbol(&id)
        )
    };
    Some(match (table, column) {
        // Times differ between runs.
        (_, "last_modified" | "indexed_at" | "updated_at") => return None,
        // The rest of the row says the same.
        (_, "id" | "file_id") => return None,
        ("nodes", "parent_id") => node(column),
        ("edges", "source" | "target") | ("unresolved_refs", "from_node_id") => node(column),
        ("dependencies", _) if column.ends_with("_id") => {
            format!("(SELECT path FROM files WHERE id = {column})")
        }
        (
            _,
            "parent_id" | "child_id" | "symbol_id" | "caller_id" | "target_id" | "from_id"
            | "to_id",
        ) => symbol(column),
        // Beside them stands what they are the numbers of.
        ("uses", "path_id" | "user_id") => return None,
        (_, "target_file_id") => format!("(SELECT path FROM files WHERE id = {column})"),
        (_, "item_id" | "name_id") => format!("(SELECT term FROM items WHERE id = {column})"),
        // The lower half is the line, the upper one the file.
        (_, "line_id") => "line_id & 4294967295".to_owned(),
        _ => column.to_owned(),
    })
}
