//! Read-only SQL on the documented tables.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::rusqlite::types::ValueRef;

use crate::text::{self, Page, styled};
use crate::{Error, Kind, Operation, Result, Workspace};

/// Ask in SQL: read-only, on the documented tables
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// One SELECT statement
    pub sql: String,
    /// Give at most this many rows
    #[arg(long, default_value_t = default_limit())]
    #[serde(default = "default_limit")]
    pub limit: usize,
}

fn default_limit() -> usize {
    1000
}

/// Rows; in JSON, an array of objects.
#[derive(Debug)]
pub struct Output {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    pub truncated: bool,
}

impl Serialize for Output {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        let keys = self.keys();
        serializer.collect_seq(self.rows.iter().map(|row| {
            keys.iter()
                .cloned()
                .zip(row.iter().cloned())
                .collect::<serde_json::Map<String, Value>>()
        }))
    }
}

impl Output {
    /// The columns as keys of an object: where two are called the same, the later one is numbered, so
    /// that neither is lost.
    fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Vec::with_capacity(self.columns.len());
        for column in &self.columns {
            let mut key = column.clone();
            let mut number = 1;
            while keys.contains(&key) {
                number += 1;
                key = format!("{column}_{number}");
            }
            keys.push(key);
        }
        keys
    }
}

#[derive(Debug)]
pub struct Query;

impl Operation for Query {
    const NAME: &'static str = "query";
    const EXAMPLES: &'static str = "\
  groma query \"SELECT path, line_count FROM files ORDER BY line_count DESC LIMIT 10\"
  groma query \"SELECT qualified_name, complexity FROM symbols ORDER BY complexity DESC LIMIT 5\" --json";
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (_, reader) = workspace.reader()?;
        let mut statement = reader.connection().prepare(&input.sql).map_err(bad_sql)?;
        if !statement.readonly() {
            return Err(Error::new(Kind::Refused, "only statements that read are allowed")
                .hint("Use SELECT; the index is made by `groma index`."));
        }
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut found = statement.query([]).map_err(bad_sql)?;
        let mut rows = Vec::new();
        let mut truncated = false;
        while let Some(row) = found.next().map_err(bad_sql)? {
            if rows.len() == input.limit {
                truncated = true;
                break;
            }
            let values = (0..columns.len())
                .map(|column| row.get_ref(column).map(to_json).map_err(bad_sql))
                .collect::<Result<_>>()?;
            rows.push(values);
        }
        Ok(Output { columns, rows, truncated })
    }

    fn render(output: &Output, page: &mut Page) {
        let header: Vec<&str> = output.columns.iter().map(String::as_str).collect();
        let rows: Vec<Vec<String>> = output
            .rows
            .iter()
            .map(|row| row.iter().map(|value| text::one_line(&cell(value), 200)).collect())
            .collect();
        page.table(&header, &rows);
        if output.truncated {
            let note = format!("first {} rows; more with --limit", output.rows.len());
            page.line(styled(text::WARNING, &note));
        }
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn to_json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
        ValueRef::Blob(bytes) => {
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
        }
    }
}

fn bad_sql(error: store::rusqlite::Error) -> Error {
    let message = error.to_string();
    let kind = if message.contains("not authorized") || message.contains("readonly") {
        Kind::Refused
    } else {
        Kind::Usage
    };
    let hint = if message.contains("no such table") || message.contains("no such column") {
        "docs/schema.md lists the tables and their columns."
    } else {
        "One SELECT statement in SQLite's dialect is expected."
    };
    Error::new(kind, message).hint(hint)
}
