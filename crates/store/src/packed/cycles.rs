//! Files that depend on each other in circles: strongly connected parts of the graph of dependencies.

use rusqlite::{Connection, Result};

use super::dependencies::FileGraph;

/// Which file belongs to which circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CycleRow {
    /// Counted from 1, in the order of their first paths.
    pub(super) cycle: u32,
    /// How many files it has.
    pub(super) size: u32,
    pub(super) file: i64,
}

/// All files of all circles, in the order of circles and paths.
pub(super) fn rows(connection: &Connection) -> Result<Vec<CycleRow>> {
    let FileGraph { files, edges } = FileGraph::of(connection)?;
    let mut all = Vec::new();
    for (number, circle) in circles(&edges).into_iter().enumerate() {
        let size = circle.len() as u32;
        all.extend(circle.into_iter().map(|place| CycleRow {
            cycle: number as u32 + 1,
            size,
            file: files[place as usize],
        }));
    }
    Ok(all)
}

/// The strongly connected parts of more than one node, each in order, the one with the least node first.
/// By Tarjan's method, with a stack of its own: chains of dependencies may be as long as the project.
pub(super) fn circles(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let count = edges.len();
    let mut number = vec![UNSEEN; count];
    let mut lowest = vec![0; count];
    let mut is_open = vec![false; count];
    let mut open: Vec<u32> = Vec::new();
    let mut way: Vec<(u32, usize)> = Vec::new();
    let mut next = 0;
    let mut found: Vec<Vec<u32>> = Vec::new();
    for start in 0..count as u32 {
        if number[start as usize] != UNSEEN {
            continue;
        }
        way.push((start, 0));
        while let Some((node, edge)) = way.pop() {
            let at = node as usize;
            if edge == 0 {
                (number[at], lowest[at]) = (next, next);
                next += 1;
                open.push(node);
                is_open[at] = true;
            } else {
                let behind = edges[at][edge - 1] as usize;
                if is_open[behind] {
                    lowest[at] = lowest[at].min(lowest[behind]);
                }
            }
            if let Some(to) = edges[at].get(edge).copied() {
                way.push((node, edge + 1));
                if number[to as usize] == UNSEEN {
                    way.push((to, 0));
                }
                continue;
            }
            if lowest[at] == number[at] {
                let from = open.iter().rposition(|other| *other == node).unwrap_or_default();
                let mut circle = open.split_off(from);
                circle.iter().for_each(|node| is_open[*node as usize] = false);
                if circle.len() > 1 {
                    circle.sort_unstable();
                    found.push(circle);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::circles;

    #[test]
    fn circles_are_found_each_once() {
        let none: Vec<Vec<u32>> = Vec::new();
        assert_eq!(circles(&[]), none);
        assert_eq!(circles(&[vec![0]]), none);
        assert_eq!(circles(&[vec![1], vec![2], vec![]]), none);
        assert_eq!(circles(&[vec![1], vec![0]]), [[0, 1]]);
        // Two circles that one edge joins, and a node between them that is in neither.
        let edges = [vec![3], vec![2], vec![1, 4], vec![0], vec![3, 4]];
        assert_eq!(circles(&edges), [[0, 3], [1, 2]]);
        // Two circles that share a node are one.
        assert_eq!(circles(&[vec![1], vec![0, 2], vec![1]]), [[0, 1, 2]]);
    }

    #[test]
    fn a_long_ring_is_one_circle() {
        let count = 100_000;
        let edges: Vec<Vec<u32>> = (0..count).map(|node| vec![(node + 1) % count]).collect();
        assert_eq!(circles(&edges).first().map(Vec::len), Some(count as usize));
    }
}
