//! A graph for Graphviz.

use std::fmt::Write;

use super::Findings;
use super::graph::Graph;
use crate::Result;

pub(super) fn write(findings: &Findings<'_>) -> Result<String> {
    Ok(draw(&Graph::of(findings)?))
}

pub(crate) fn draw(graph: &Graph) -> String {
    let mut out = String::from("digraph groma {\n    rankdir=LR;\n    node [shape=box];\n");
    let mut line = |text: std::fmt::Arguments<'_>| {
        writeln!(out, "    {text}").expect("a string takes everything");
    };
    for (number, label) in graph.nodes.iter().enumerate() {
        line(format_args!("n{number} [label={}];", quoted(label)));
    }
    for edge in &graph.edges {
        match &edge.label {
            Some(label) => {
                line(format_args!("n{} -> n{} [label={}];", edge.from, edge.to, quoted(label)));
            }
            None => line(format_args!("n{} -> n{};", edge.from, edge.to)),
        }
    }
    out.push_str("}\n");
    out
}

/// Backslashes begin escapes in labels, so they are doubled; `<` means markup only without quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
