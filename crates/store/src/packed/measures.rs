//! Measures of a graph: how much is used, by how much, and how far it is from the bottom.
//!
//! They are found out anew for every question, from what the index says at that moment, so nothing has to be
//! kept up to date.

use rusqlite::{Connection, Result};
use rustc_hash::FxHashMap;

use super::cycles::circles;
use super::dependencies::FileGraph;

/// What is measured of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MeasureRow {
    /// A file or a symbol.
    pub(super) id: i64,
    /// PageRank; 1 is the average.
    pub(super) rank: f64,
    pub(super) fan_in: u32,
    pub(super) fan_out: u32,
    /// How many reach each other in the circle it belongs to; 1 where it is in none.
    pub(super) circle: u32,
    /// Longest way to what depends on nothing; circles count as one.
    pub(super) layer: u32,
}

/// The files of the project, in the order of their paths.
pub(super) fn files(connection: &Connection) -> Result<Vec<MeasureRow>> {
    let FileGraph { files, edges } = FileGraph::of(connection)?;
    Ok(measured(&files, edges))
}

/// The symbols of the project, by links that are resolved.
pub(super) fn symbols(connection: &Connection) -> Result<Vec<MeasureRow>> {
    let ids: Vec<i64> = connection
        .prepare_cached(
            "SELECT s.id FROM file AS f
             JOIN symbol AS s ON s.id BETWEEN f.id << 24 AND f.id << 24 | 16777215
             WHERE f.retired IS NULL ORDER BY f.path, s.id",
        )?
        .query_map([], |row| row.get(0))?
        .collect::<Result<_>>()?;
    let places: FxHashMap<i64, u32> =
        ids.iter().enumerate().map(|(place, id)| (*id, place as u32)).collect();
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); ids.len()];
    let mut statement = connection.prepare_cached(
        "SELECT symbol_id, target_id FROM links
         WHERE outcome = 'resolved' AND symbol_id IS NOT NULL AND target_id IS NOT NULL",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let (Some(from), Some(to)) = (places.get(&row.get(0)?), places.get(&row.get(1)?)) {
            edges[*from as usize].push(*to);
        }
    }
    Ok(measured(&ids, edges))
}

fn measured(ids: &[i64], mut edges: Vec<Vec<u32>>) -> Vec<MeasureRow> {
    let mut fan_in = vec![0u32; ids.len()];
    for (node, list) in edges.iter_mut().enumerate() {
        list.sort_unstable();
        list.dedup();
        list.retain(|to| *to as usize != node);
        list.iter().for_each(|to| fan_in[*to as usize] += 1);
    }
    let ranks = ranks(&edges);
    let circles = circles(&edges);
    let layers = layers(&edges, &circles);
    let mut sizes = vec![1u32; ids.len()];
    for circle in &circles {
        circle.iter().for_each(|node| sizes[*node as usize] = circle.len() as u32);
    }
    let row = |(place, id): (usize, &i64)| MeasureRow {
        id: *id,
        rank: ranks[place],
        fan_in: fan_in[place],
        fan_out: edges[place].len() as u32,
        circle: sizes[place],
        layer: layers[place],
    };
    ids.iter().enumerate().map(row).collect()
}

/// Share of its weight that a node passes on to those it uses.
const DAMPING: f64 = 0.85;
const ROUNDS: usize = 40;

fn ranks(edges: &[Vec<u32>]) -> Vec<f64> {
    let mut ranks = vec![1.0; edges.len()];
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; edges.len()];
        let mut idle = 0.0;
        for (node, list) in edges.iter().enumerate() {
            match list.len() {
                0 => idle += ranks[node],
                count => {
                    let share = ranks[node] / count as f64;
                    list.iter().for_each(|to| next[*to as usize] += share);
                }
            }
        }
        // What those have that use nothing goes to all.
        let base = 1.0 - DAMPING + DAMPING * idle / edges.len().max(1) as f64;
        next.iter_mut().for_each(|rank| *rank = base + DAMPING * *rank);
        ranks = next;
    }
    ranks
}

/// The layer of each node, from below: one whose dependencies all have theirs gets its own.
fn layers(edges: &[Vec<u32>], circles: &[Vec<u32>]) -> Vec<u32> {
    let mut group: Vec<u32> = (0..edges.len() as u32).collect();
    for circle in circles {
        circle.iter().for_each(|node| group[*node as usize] = circle[0]);
    }
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    let mut open = vec![0u32; edges.len()];
    for (node, list) in edges.iter().enumerate() {
        let from = group[node];
        for to in list.iter().map(|to| group[*to as usize]).filter(|to| *to != from) {
            users[to as usize].push(from);
            open[from as usize] += 1;
        }
    }
    let mut layer = vec![0u32; edges.len()];
    let mut ready: Vec<u32> =
        (0..edges.len() as u32).filter(|node| open[*node as usize] == 0).collect();
    while let Some(node) = ready.pop() {
        for user in &users[node as usize] {
            let at = *user as usize;
            layer[at] = layer[at].max(layer[node as usize] + 1);
            open[at] -= 1;
            if open[at] == 0 {
                ready.push(*user);
            }
        }
    }
    group.iter().map(|group| layer[*group as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::measured;

    #[test]
    fn nodes_are_measured() {
        // 0 → 1 → 2 ⇄ 3 → 4, 0 → 4 twice, and 5 alone with a link to itself.
        let edges = vec![vec![1, 4, 4], vec![2], vec![3], vec![2, 4], vec![], vec![5]];
        let ids: Vec<i64> = (10..16).collect();
        let rows = measured(&ids, edges);
        let of = |read: fn(&super::MeasureRow) -> u32| rows.iter().map(read).collect::<Vec<_>>();
        assert_eq!(of(|row| row.fan_in), [0, 1, 2, 1, 2, 0]);
        assert_eq!(of(|row| row.fan_out), [2, 1, 1, 2, 0, 0]);
        assert_eq!(of(|row| row.circle), [1, 1, 2, 2, 1, 1]);
        assert_eq!(of(|row| row.layer), [3, 2, 1, 1, 0, 0]);
        let total: f64 = rows.iter().map(|row| row.rank).sum();
        assert!((total - 6.0).abs() < 1e-9, "{total}");
        assert!(rows[4].rank > rows[0].rank && rows[2].rank > rows[1].rank, "{rows:?}");
    }
}
