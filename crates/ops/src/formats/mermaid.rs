//! A flowchart for Mermaid.

use std::fmt::Write;

use super::Findings;
use super::graph::Graph;
use crate::{Error, Kind, Result};

/// More than this cannot be read, neither by people nor by Mermaid.
const MOST_EDGES: usize = 50;

pub(super) fn write(findings: &Findings<'_>) -> Result<String> {
    let what = findings.recipe.map_or("the query".to_owned(), |it| format!("`{}`", it.id));
    draw(
        &Graph::of(findings)?,
        &what,
        "Narrow it with WHERE or LIMIT, or with --via where a recipe follows links.",
    )
}

/// A flowchart of a graph; `what` gave it, and the hint says how to make it smaller.
pub(crate) fn draw(graph: &Graph, what: &str, hint: &str) -> Result<String> {
    let count = graph.edges.len();
    if count > MOST_EDGES {
        let message = format!("{what} gives {count} edges; a flowchart has at most {MOST_EDGES}");
        return Err(Error::new(Kind::Limit, message).code("too_big").hint(hint));
    }
    let mut out = String::from("flowchart LR\n");
    let mut line = |text: std::fmt::Arguments<'_>| {
        writeln!(out, "    {text}").expect("a string takes everything");
    };
    for (number, label) in graph.nodes.iter().enumerate() {
        line(format_args!("n{number}[\"{}\"]", escaped(label)));
    }
    for edge in &graph.edges {
        match &edge.label {
            Some(label) => {
                line(format_args!("n{} -->|\"{}\"| n{}", edge.from, escaped(label), edge.to));
            }
            None => line(format_args!("n{} --> n{}", edge.from, edge.to)),
        }
    }
    Ok(out)
}

/// Letters and digits and harmless signs as they are, everything else by its number, so that no label
/// ends its quotes, begins markup or is taken for a link.
fn escaped(text: &str) -> String {
    if text.trim().is_empty() {
        return "#32;".to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() || " _-./:,+*=()[]{}~^!?@$|'".contains(c) {
            out.push(c);
        } else {
            write!(out, "#{};", u32::from(c)).expect("a string takes everything");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn labels_hold_no_markup() {
        assert_eq!(escaped("a\"]; click"), "a#34;]#59; click");
        assert_eq!(escaped("<img>#`%%"), "#60;img#62;#35;#96;#37;#37;");
        assert_eq!(escaped("src/größe.rs"), "src/größe.rs");
    }
}
