//! Rows as edges of a graph.

use serde_json::Value;

use super::Findings;
use crate::query::places::position;
use crate::{Error, Kind, Result, text};

#[derive(Debug)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: Option<String>,
}

/// Named nodes and what leads from one to another.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// Labels, in the order in which they appear.
    pub(super) nodes: Vec<String>,
    pub(super) edges: Vec<Edge>,
    numbers: std::collections::HashMap<String, usize>,
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
        let mut graph = Self::default();
        for row in &findings.rows.rows {
            let text = |at: usize| shown(row.get(at).unwrap_or(&Value::Null));
            let label = label.map(text).filter(|label| !label.is_empty());
            graph.add(text(from), text(to), label);
        }
        Ok(graph)
    }

    /// Adds an edge; nodes are known by their labels.
    pub(crate) fn add(&mut self, from: String, to: String, label: Option<String>) {
        let (from, to) = (self.node(from), self.node(to));
        self.edges.push(Edge { from, to, label });
    }

    /// The number of a node, which is added if need be.
    pub(crate) fn node(&mut self, label: String) -> usize {
        if let Some(known) = self.numbers.get(&label) {
            return *known;
        }
        let number = self.nodes.len();
        self.numbers.insert(label.clone(), number);
        self.nodes.push(label);
        number
    }
}

/// A value on one line, without anything that is not seen.
fn shown(value: &Value) -> String {
    text::one_line(&crate::query::cell(value), 200)
}
