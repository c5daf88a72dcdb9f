//! Rows as edges of a graph.

use serde_json::Value;

use super::Findings;
use crate::query::places::position;
use crate::{Error, Kind, Result, text};

pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: Option<String>,
}

pub(super) struct Graph {
    /// Labels, in the order in which they appear.
    pub(super) nodes: Vec<String>,
    pub(super) edges: Vec<Edge>,
}

impl Graph {
    pub(super) fn of(findings: &Findings<'_>) -> Result<Self> {
        let columns = &findings.rows.columns;
        let first = |names: &[&str]| names.iter().find_map(|name| position(columns, name));
        let (from, to) = (first(&["from", "from_path"]), first(&["to", "to_path"]));
        let (Some(from), Some(to)) = (from, to) else {
            let message = "a graph needs the columns `from` and `to`";
            return Err(Error::new(Kind::Usage, message)
                .code("bad_shape")
                .hint("SELECT … AS \"from\", … AS \"to\", and `label` or `kind` if you like."));
        };
        let label = first(&["label", "kind"]);
        let mut graph = Self { nodes: Vec::new(), edges: Vec::new() };
        let mut known = std::collections::HashMap::new();
        for row in &findings.rows.rows {
            let mut node = |at: usize| {
                let text = shown(row.get(at).unwrap_or(&Value::Null));
                *known.entry(text.clone()).or_insert_with(|| {
                    graph.nodes.push(text);
                    graph.nodes.len() - 1
                })
            };
            let (from, to) = (node(from), node(to));
            let label = label.map(|at| shown(&row[at])).filter(|label| !label.is_empty());
            graph.edges.push(Edge { from, to, label });
        }
        Ok(graph)
    }
}

/// A value on one line, without anything that is not seen.
fn shown(value: &Value) -> String {
    text::one_line(&crate::query::cell(value), 200)
}
