//! Boxes in layers: each above all that it depends on, as far as there are no circles.

use std::collections::BTreeMap;

use super::svg::{Picture, escaped};
use super::{Edge, Node};

/// Gives every node its layer, and puts them in the order in which they are drawn: from above, and in each
/// layer so that edges cross little.
pub(super) fn place(nodes: Vec<Node>, edges: &[Edge]) -> Vec<Node> {
    let numbers: BTreeMap<&str, usize> =
        nodes.iter().enumerate().map(|(number, node)| (node.path.as_str(), number)).collect();
    let mut leading: Vec<(usize, usize, u64)> = Vec::new();
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for edge in edges {
        if let (Some(from), Some(to)) = (numbers.get(&*edge.from), numbers.get(&*edge.to)) {
            leading.push((*from, *to, edge.count));
            beside[*from].push(*to);
            beside[*to].push(*from);
        }
    }
    let layer = layers(nodes.len(), &leading);
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

/// The longest way down from each node, over the edges that lead down.
fn layers(nodes: usize, edges: &[(usize, usize, u64)]) -> Vec<usize> {
    let mut place = vec![0; nodes];
    let order = downwards(nodes, edges);
    order.iter().enumerate().for_each(|(at, node)| place[*node] = at);
    let mut layer = vec![0; nodes];
    for node in order.iter().rev() {
        let below = edges.iter().filter(|(from, to, _)| from == node && place[*to] > place[*from]);
        layer[*node] = below.map(|(_, to, _)| layer[*to] + 1).max().unwrap_or(0);
    }
    layer
}

/// All nodes in an order in which little leads from later ones to earlier ones. What nothing leads to comes first,
/// what leads nowhere last; where everything is part of a circle, that goes first which leads most to others
/// and is least led to.
fn downwards(nodes: usize, edges: &[(usize, usize, u64)]) -> Vec<usize> {
    let edges: Vec<_> = edges.iter().filter(|(from, to, _)| from != to).collect();
    let (mut out, mut into) = (vec![0_i64; nodes], vec![0_i64; nodes]);
    for (from, to, count) in &edges {
        out[*from] += *count as i64;
        into[*to] += *count as i64;
    }
    let mut left: Vec<usize> = (0..nodes).collect();
    let (mut first, mut last) = (Vec::new(), Vec::new());
    while !left.is_empty() {
        let is_end = left.iter().position(|node| out[*node] == 0);
        let is_start = || left.iter().position(|node| into[*node] == 0);
        let best = || {
            let gain = |at: &usize| (out[left[*at]] - into[left[*at]], std::cmp::Reverse(*at));
            (0..left.len()).max_by_key(gain)
        };
        let Some(at) = is_end.or_else(is_start).or_else(best) else { break };
        let node = left.remove(at);
        if is_end.is_some() {
            last.push(node)
        } else {
            first.push(node)
        }
        for (from, to, count) in &edges {
            if *from == node {
                into[*to] -= *count as i64;
            }
            if *to == node {
                out[*from] -= *count as i64;
            }
        }
    }
    first.extend(last.into_iter().rev());
    first
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
const ROW_HEIGHT: f64 = 100.0;
const GAP: f64 = 24.0;
const LETTER: f64 = 7.2;
const LEGEND: f64 = 70.0;
/// Wider rows are broken.
const WIDEST: f64 = 1800.0;
/// Room for the legend.
const NARROWEST: f64 = 640.0;

fn width(node: &Node) -> f64 {
    (node.path.chars().count().min(60) as f64).mul_add(LETTER, 20.0)
}

/// Which edges follow from others that lead down: from one node to a second and from there, in any number of
/// steps, to the third. Drawing them would hide the rest.
fn implied(edges: &[(usize, usize)], row_of: &[usize]) -> Vec<bool> {
    let words = row_of.len().div_ceil(64);
    let has = |set: &[u64], node: usize| set[node / 64] >> (node % 64) & 1 == 1;
    let is_down = |from: usize, to: usize| row_of[to] > row_of[from];
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); row_of.len()];
    for (from, to) in edges.iter().filter(|(from, to)| is_down(*from, *to)) {
        below[*from].push(*to);
    }
    let mut upwards: Vec<usize> = (0..row_of.len()).collect();
    upwards.sort_by_key(|node| std::cmp::Reverse(row_of[*node]));
    // All that a node leads to in two steps or more, and all that it leads to.
    let mut further = vec![vec![0_u64; words]; row_of.len()];
    let mut reached = further.clone();
    for node in upwards {
        let mut far = vec![0; words];
        for to in &below[node] {
            far.iter_mut().zip(&reached[*to]).for_each(|(all, more)| *all |= more);
        }
        reached[node].clone_from(&far);
        below[node].iter().for_each(|to| reached[node][to / 64] |= 1 << (to % 64));
        further[node] = far;
    }
    edges.iter().map(|(from, to)| is_down(*from, *to) && has(&further[*from], *to)).collect()
}

/// Where boxes begin, row by row: each as near to the middle of its neighbours as the others allow.
fn columns(rows: &[Vec<usize>], widths: &[f64], beside: &[Vec<usize>], total: f64) -> Vec<f64> {
    const SWEEPS: usize = 12;
    let mut left = vec![0.0; widths.len()];
    for row in rows {
        let used: f64 = row.iter().map(|node| widths[*node] + GAP).sum();
        let mut x = (total - used + GAP) / 2.0;
        for node in row {
            left[*node] = x;
            x += widths[*node] + GAP;
        }
    }
    for _ in 0..SWEEPS {
        for row in rows {
            let wanted = |node: &usize| {
                let middles = beside[*node].iter().map(|other| left[*other] + widths[*other] / 2.0);
                let count = beside[*node].len();
                let all: f64 = middles.sum();
                if count == 0 { left[*node] } else { all / count as f64 - widths[*node] / 2.0 }
            };
            let wanted: Vec<f64> = row.iter().map(wanted).collect();
            let mut end = GAP;
            for (node, x) in row.iter().zip(&wanted) {
                left[*node] = x.max(end);
                end = left[*node] + widths[*node] + GAP;
            }
            // What was pushed out on the right goes back as far as it must.
            let mut end = total - GAP;
            for node in row.iter().rev() {
                left[*node] = left[*node].min(end - widths[*node]);
                end = left[*node] - GAP;
            }
        }
    }
    left
}

/// Draws nodes that were placed.
pub(super) fn draw(nodes: &[Node], edges: &[Edge], left_out: usize) -> String {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let (mut used, mut layer) = (0.0, None);
    for (number, node) in nodes.iter().enumerate() {
        if layer != Some(node.layer) || used + width(node) > WIDEST {
            rows.push(Vec::new());
            (layer, used) = (Some(node.layer), 0.0);
        }
        used += width(node) + GAP;
        rows.last_mut().expect("one was just added").push(number);
    }
    let widths: Vec<f64> = nodes.iter().map(width).collect();
    let row_width = |row: &Vec<usize>| row.iter().map(|at| widths[*at] + GAP).sum::<f64>() + GAP;
    let total = rows.iter().map(row_width).fold(NARROWEST, f64::max);
    let mut row_of = vec![0; nodes.len()];
    for (number, row) in rows.iter().enumerate() {
        row.iter().for_each(|at| row_of[*at] = number);
    }
    let numbers: BTreeMap<&str, usize> =
        nodes.iter().enumerate().map(|(number, node)| (node.path.as_str(), number)).collect();
    let known: Vec<(usize, usize, &Edge)> = edges
        .iter()
        .filter_map(|edge| Some((*numbers.get(&*edge.from)?, *numbers.get(&*edge.to)?, edge)))
        .collect();
    let pairs: Vec<(usize, usize)> = known.iter().map(|(from, to, _)| (*from, *to)).collect();
    let is_down = |from: usize, to: usize| row_of[to] > row_of[from];
    let implied = implied(&pairs, &row_of);
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for ((from, to), _) in pairs.iter().zip(&implied).filter(|(_, implied)| !**implied) {
        beside[*from].push(*to);
        beside[*to].push(*from);
    }
    let left = columns(&rows, &widths, &beside, total);
    let top = |node: usize| (row_of[node] as f64).mul_add(ROW_HEIGHT, GAP);
    let mut picture = Picture::default();
    let most = edges.iter().map(|edge| edge.count).max().unwrap_or(1).max(1) as f64;
    for ((from, to, edge), _) in known.iter().zip(&implied).filter(|(_, implied)| !**implied) {
        let is_down = is_down(*from, *to);
        let (start, end) = match is_down {
            true => (top(*from) + BOX_HEIGHT, top(*to)),
            false => (top(*from), top(*to) + BOX_HEIGHT),
        };
        let (x, to_x) = (left[*from] + widths[*from] / 2.0, left[*to] + widths[*to] / 2.0);
        let bend = (end - start) / 2.0;
        let colour = if is_down { DOWN } else { UP };
        let thickness = (edge.count as f64).ln_1p() / most.ln_1p() * 3.0 + 0.8;
        picture.add(format_args!(
            "<path d=\"M{x:.0} {start:.0} C{x:.0} {:.0} {to_x:.0} {:.0} {to_x:.0} {end:.0}\" fill=\"none\" \
             stroke=\"{colour}\" stroke-width=\"{thickness:.1}\" stroke-opacity=\"{}\">\
             <title>{} → {}: {}</title></path>",
            start + bend,
            end - bend,
            if is_down { 0.75 } else { 0.45 },
            escaped(&edge.from),
            escaped(&edge.to),
            edge.count
        ));
    }
    let depth = dividing_depth(nodes);
    let hues = hues(nodes, depth);
    for (number, node) in nodes.iter().enumerate() {
        let (x, y, width) = (left[number], top(number), widths[number]);
        let uses = known.iter().filter(|(from, ..)| *from == number).count();
        let users = known.iter().filter(|(_, to, _)| *to == number).count();
        let hue = hues.get(area(&node.path, depth)).copied().unwrap_or(210.0);
        picture.add(format_args!(
            "<g><title>{}: {} files, {} lines; uses {uses} of these, used by {users}</title>\
             <rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" \
             height=\"{BOX_HEIGHT}\" rx=\"5\" fill=\"hsl({hue:.0},55%,93%)\" stroke=\"hsl({hue:.0},35%,45%)\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text></g>",
            escaped(&node.path),
            node.files,
            node.lines,
            x + width / 2.0,
            y + BOX_HEIGHT / 2.0 + 4.0,
            escaped(&crate::text::one_line(&node.path, 60)),
        ));
    }
    let hidden = implied.iter().filter(|it| **it).count();
    let y = (rows.len() as f64).mul_add(ROW_HEIGHT, GAP / 2.0);
    legend(&mut picture, y, hidden, left_out);
    picture.finish(total, y + LEGEND)
}

const DOWN: &str = "#8aa0b8";
/// What leads up closes a circle.
const UP: &str = "#d9534f";

fn legend(picture: &mut Picture, y: f64, hidden: usize, left_out: usize) {
    let x = GAP;
    picture.add(format_args!(
        "<path d=\"M{x} {0} h40\" stroke=\"{DOWN}\" stroke-width=\"3\"/><text x=\"{1}\" y=\"{2}\">depends on \
         what stands below, the thicker the more often</text>",
        y + 8.0,
        x + 50.0,
        y + 12.0
    ));
    picture.add(format_args!(
        "<path d=\"M{x} {0} h40\" stroke=\"{UP}\" stroke-width=\"3\"/><text x=\"{1}\" y=\"{2}\">depends on \
         what stands above: part of a circle</text>",
        y + 28.0,
        x + 50.0,
        y + 32.0
    ));
    let mut notes = Vec::new();
    if hidden > 0 {
        notes.push(format!("{hidden} dependencies that follow from those drawn are not shown"));
    }
    if left_out > 0 {
        notes.push(format!("{left_out} with fewer dependencies are left out"));
    }
    picture.add(format_args!("<text x=\"{x}\" y=\"{}\">{}</text>", y + 52.0, notes.join("; ")));
}

/// What the colour of a box says: the directory in which it lies, of those that divide the project.
fn area(path: &str, depth: usize) -> &str {
    let end = path.match_indices('/').nth(depth).map_or(path.len(), |(at, _)| at);
    &path[..end]
}

/// How deep those directories lie: where most boxes lie in one, those in it.
fn dividing_depth(nodes: &[Node]) -> usize {
    const DEEPEST: usize = 4;
    let is_divided = |depth: &usize| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        nodes.iter().for_each(|node| *counts.entry(area(&node.path, *depth)).or_insert(0) += 1);
        counts.values().all(|count| count * 2 <= nodes.len())
    };
    (0..DEEPEST).find(is_divided).unwrap_or(0)
}

/// A colour for each of those directories, those beside each other far apart.
fn hues(nodes: &[Node], depth: usize) -> BTreeMap<&str, f64> {
    const TURN: f64 = 137.5;
    let areas: std::collections::BTreeSet<&str> =
        nodes.iter().map(|node| area(&node.path, depth)).collect();
    let hue = |at: i32| (210.0 + TURN * f64::from(at)) % 360.0;
    areas.into_iter().zip(0..).map(|(area, at)| (area, hue(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::{implied, layers};

    #[test]
    fn each_stands_above_what_it_depends_on() {
        assert_eq!(layers(3, &[(0, 1, 1), (0, 2, 1), (1, 2, 1)]), [2, 1, 0]);
        // A circle is cut where least leads back.
        assert_eq!(layers(3, &[(0, 1, 9), (1, 2, 9), (2, 0, 1)]), [2, 1, 0]);
        assert_eq!(layers(3, &[(0, 1, 9), (1, 2, 1), (2, 0, 9)]), [1, 0, 2]);
        assert_eq!(layers(1, &[(0, 0, 1)]), [0]);
    }

    #[test]
    fn what_follows_from_other_edges_is_known() {
        let edges = [(0, 1), (1, 2), (0, 2), (2, 3), (0, 3), (3, 0)];
        assert_eq!(implied(&edges, &[0, 1, 2, 3]), [false, false, true, false, true, false]);
    }
}
