//! Comma-separated values by RFC 4180, harmless in spreadsheets.

use serde_json::Value;
use store::sandbox::Rows;

use crate::query::cell;

pub(super) fn write(rows: &Rows) -> String {
    let mut out = String::new();
    let mut line = |cells: Vec<String>| {
        out += &cells.join(",");
        out += "\r\n";
    };
    line(rows.columns.iter().map(|column| quoted(&harmless(column))).collect());
    for row in &rows.rows {
        line(row.iter().map(field).collect());
    }
    out
}

fn field(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(&harmless(text)),
        other => quoted(&cell(other)),
    }
}

/// A spreadsheet takes a text that begins like a formula for one.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
