//! Boxes in layers: each above all that it depends on, as far as there are no circles.

use std::collections::BTreeMap;

use super::svg::{Picture, escaped};
use super::{Edge, Node};

/// Gives every node its layer, and puts them in the order in which they are drawn: from above, and in each
/// layer so that edges cross little.
pub(super) fn place(nodes: Vec<Node>, edges: &[Edge]) -> Vec<Node> {
    let numbers: BTreeMap<&str, usize> =
        nodes.iter().enumerate().map(|(number, node)| (node.path.as_str(), number)).collect();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for edge in edges {
        if let (Some(from), Some(to)) = (numbers.get(&*edge.from), numbers.get(&*edge.to)) {
            below[*from].push(*to);
            beside[*from].push(*to);
            beside[*to].push(*from);
        }
    }
    let layer = layers(&below);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); layer.iter().max().map_or(0, |top| top + 1)];
    for (number, layer) in layer.iter().enumerate() {
        rows[*layer].push(number);
    }
    order(&mut rows, &beside);
    let mut placed = Vec::with_capacity(nodes.len());
    for (height, row) in rows.iter().enumerate().rev() {
        placed.extend(row.iter().map(|at| Node { layer: Some(height), ..nodes[*at].clone() }));
    }
    placed
}

/// The longest way down from each node, without the edges that close a circle.
fn layers(below: &[Vec<usize>]) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; below.len()];
    let mut layer = vec![0; below.len()];
    for start in 0..below.len() {
        if state[start] != State::New {
            continue;
        }
        let mut way = vec![(start, 0)];
        state[start] = State::Open;
        while let Some((node, next)) = way.pop() {
            match below[node].get(next) {
                Some(to) => {
                    way.push((node, next + 1));
                    if state[*to] == State::New {
                        state[*to] = State::Open;
                        way.push((*to, 0));
                    }
                }
                None => {
                    state[node] = State::Done;
                    // One that is still open is above in the same circle.
                    let done = below[node].iter().filter(|to| state[**to] == State::Done);
                    layer[node] =
                        done.filter(|to| **to != node).map(|to| layer[*to] + 1).max().unwrap_or(0);
                }
            }
        }
    }
    layer
}

/// Moves each node to the middle of its neighbours, a few times.
fn order(rows: &mut [Vec<usize>], beside: &[Vec<usize>]) {
    const SWEEPS: usize = 8;
    let mut place = vec![0.0; beside.len()];
    for _ in 0..SWEEPS {
        for row in rows.iter() {
            for (at, node) in row.iter().enumerate() {
                place[*node] = (at as f64 + 0.5) / row.len() as f64;
            }
        }
        for row in rows.iter_mut() {
            let middle = |node: &usize| {
                let all: f64 = beside[*node].iter().map(|other| place[*other]).sum();
                let count = beside[*node].len();
                if count == 0 { place[*node] } else { all / count as f64 }
            };
            row.sort_by(|a, b| middle(a).total_cmp(&middle(b)).then_with(|| a.cmp(b)));
        }
    }
}

const BOX_HEIGHT: f64 = 36.0;
const ROW_HEIGHT: f64 = 110.0;
const GAP: f64 = 24.0;
const LETTER: f64 = 7.2;
/// Wider rows are broken.
const WIDEST: f64 = 1800.0;

fn width(node: &Node) -> f64 {
    (node.path.chars().count().min(60) as f64).mul_add(LETTER, 20.0)
}

/// Draws nodes that were placed.
pub(super) fn draw(nodes: &[Node], edges: &[Edge]) -> String {
    let mut rows: Vec<Vec<&Node>> = Vec::new();
    let mut used = 0.0;
    let mut layer = None;
    for node in nodes {
        if layer != Some(node.layer) || used + width(node) > WIDEST {
            rows.push(Vec::new());
            (layer, used) = (Some(node.layer), 0.0);
        }
        used += width(node) + GAP;
        rows.last_mut().expect("one was just added").push(node);
    }
    let row_width = |row: &[&Node]| row.iter().map(|node| width(node) + GAP).sum::<f64>() + GAP;
    let total = rows.iter().map(|row| row_width(row)).fold(0.0, f64::max);
    let mut boxes: BTreeMap<&str, (f64, f64, f64)> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        let mut x = (total - row_width(row)) / 2.0 + GAP;
        for node in row {
            boxes.insert(&node.path, (x, GAP + number as f64 * ROW_HEIGHT, width(node)));
            x += width(node) + GAP;
        }
    }
    let mut picture = Picture::default();
    let most = edges.iter().map(|edge| edge.count).max().unwrap_or(1).max(1) as f64;
    for edge in edges {
        let (Some(from), Some(to)) = (boxes.get(&*edge.from), boxes.get(&*edge.to)) else {
            continue;
        };
        let is_down = to.1 > from.1;
        let (start, end) = match is_down {
            true => (from.1 + BOX_HEIGHT, to.1),
            false => (from.1, to.1 + BOX_HEIGHT),
        };
        let (x, to_x) = (from.2.mul_add(0.5, from.0), to.2.mul_add(0.5, to.0));
        let bend = (end - start) / 2.0;
        // What leads up closes a circle.
        let colour = if is_down { "#8aa0b8" } else { "#d9534f" };
        let thickness = (edge.count as f64).ln_1p() / most.ln_1p() * 3.0 + 0.6;
        picture.add(format_args!(
            "<path d=\"M{x:.0} {start:.0} C{x:.0} {:.0} {to_x:.0} {:.0} {to_x:.0} {end:.0}\" fill=\"none\" \
             stroke=\"{colour}\" stroke-width=\"{thickness:.1}\" stroke-opacity=\"0.6\">\
             <title>{} → {}: {}</title></path>",
            start + bend,
            end - bend,
            escaped(&edge.from),
            escaped(&edge.to),
            edge.count
        ));
    }
    for node in nodes {
        let Some((x, y, width)) = boxes.get(node.path.as_str()) else { continue };
        picture.add(format_args!(
            "<g><title>{}: {} files, {} lines</title><rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" \
             height=\"{BOX_HEIGHT}\" rx=\"5\" fill=\"#eef3f8\" stroke=\"#4a6785\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text></g>",
            escaped(&node.path),
            node.files,
            node.lines,
            width.mul_add(0.5, *x),
            y + BOX_HEIGHT / 2.0 + 4.0,
            escaped(&crate::text::one_line(&node.path, 60)),
        ));
    }
    picture.finish(total, (rows.len() as f64).mul_add(ROW_HEIGHT, GAP))
}

#[cfg(test)]
mod tests {
    use super::layers;

    #[test]
    fn each_stands_above_what_it_depends_on() {
        assert_eq!(layers(&[vec![1, 2], vec![2], vec![]]), [2, 1, 0]);
        // A circle is cut where it closes.
        assert_eq!(layers(&[vec![1], vec![2], vec![0]]), [2, 1, 0]);
        assert_eq!(layers(&[vec![0]]), [0]);
    }
}
