//! Which columns of an answer say where something is.

use serde_json::Value;
use store::sandbox::Rows;

/// Columns that hold paths of files.
pub(crate) const PATHS: &[&str] = &["file_path", "path", "from_path", "to_path", "resolved_path"];
/// Those that locate a row in a report, the first that is there.
const LOCATIONS: &[&str] = &["file_path", "path", "to_path", "from_path"];
const STARTS: &[&str] = &["line_start", "line", "line_number", "start_line"];
const ENDS: &[&str] = &["line_end", "end_line"];

/// Where the columns are that say where something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) path: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place<'r> {
    pub(crate) path: &'r str,
    pub(crate) start: Option<u64>,
    pub(crate) end: Option<u64>,
}

impl Columns {
    pub(crate) fn of(columns: &[String]) -> Self {
        let first = |names: &[&str]| names.iter().find_map(|name| position(columns, name));
        Self { path: first(LOCATIONS), start: first(STARTS), end: first(ENDS) }
    }

    /// The place of a row, if it has one inside the project.
    pub(crate) fn place<'r>(&self, row: &'r [Value]) -> Option<Place<'r>> {
        let path = row.get(self.path?)?.as_str()?;
        let is_inside = !path.is_empty()
            && !path.starts_with('/')
            && !path.split(['/', '\\']).any(|part| part == "..");
        let line = |at: Option<usize>| row.get(at?)?.as_u64().filter(|line| *line > 0);
        let start = line(self.start);
        let end = line(self.end).filter(|end| start.is_some_and(|start| *end >= start));
        is_inside.then_some(Place { path, start, end })
    }
}

pub(crate) fn position(columns: &[String], name: &str) -> Option<usize> {
    columns.iter().position(|column| column == name)
}

/// Positions of all columns that hold paths.
pub(crate) fn path_columns(columns: &[String]) -> Vec<usize> {
    PATHS.iter().filter_map(|name| position(columns, name)).collect()
}

/// The files that an answer names, each once.
pub(crate) fn paths(rows: &Rows) -> Vec<String> {
    let columns = path_columns(&rows.columns);
    let mut paths: Vec<String> = rows
        .rows
        .iter()
        .flat_map(|row| columns.iter().filter_map(|at| row.get(*at)?.as_str()))
        .map(str::to_owned)
        .collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}
