//! Tiles: each file as large as its lines, directories together, coloured by decisions per line.

use std::collections::BTreeMap;

use super::Node;
use super::svg::{Picture, escaped};

const WIDTH: f64 = 1600.0;
const HEIGHT: f64 = 1000.0;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

pub(super) fn draw(files: &[Node]) -> String {
    let mut picture = Picture::default();
    let area = Area { x: 0.0, y: 0.0, width: WIDTH, height: HEIGHT };
    let files: Vec<(&str, &Node)> = files.iter().map(|file| (file.path.as_str(), file)).collect();
    fill(&files, area, 0, &mut picture);
    picture.finish(WIDTH, HEIGHT)
}

/// Files by what is left of their paths.
type Files<'f> = Vec<(&'f str, &'f Node)>;

/// Deeper directories are not shown as such.
const MOST_LEVELS: usize = 12;

/// Fills an area with files.
fn fill(files: &[(&str, &Node)], area: Area, level: usize, picture: &mut Picture) {
    let mut groups: BTreeMap<&str, Files<'_>> = BTreeMap::new();
    for (path, file) in files {
        let (group, rest) = match path.split_once('/') {
            Some((directory, rest)) if level < MOST_LEVELS => (directory, rest),
            _ => (*path, ""),
        };
        groups.entry(group).or_default().push((rest, file));
    }
    let lines =
        |files: &[(&str, &Node)]| files.iter().map(|(_, file)| file.lines as f64).sum::<f64>();
    let mut sized: Vec<(f64, &str, Files<'_>)> =
        groups.into_iter().map(|(name, files)| (lines(&files), name, files)).collect();
    sized.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let sizes: Vec<f64> = sized.iter().map(|(size, ..)| *size).collect();
    for ((_, name, files), area) in sized.iter().zip(squarified(&sizes, area)) {
        match files.as_slice() {
            [("", file)] => tile(name, file, area, picture),
            _ => {
                fill(files, area, level + 1, picture);
                picture.add(format_args!(
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" \
                     stroke=\"#222222\" stroke-width=\"{:.1}\"/>",
                    area.x,
                    area.y,
                    area.width,
                    area.height,
                    (3.0 - level as f64).max(0.4)
                ));
            }
        }
    }
}

fn tile(name: &str, file: &Node, area: Area, picture: &mut Picture) {
    // A decision on every third line is as red as it gets.
    let heat = (file.complexity as f64 / file.lines.max(1) as f64 * 3.0).min(1.0);
    let hue = 120.0 - 120.0 * heat;
    picture.add(format_args!(
        "<g><title>{}: {} lines, complexity {}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" \
         height=\"{:.1}\" fill=\"hsl({hue:.0},55%,72%)\" stroke=\"#ffffff\" stroke-width=\"0.5\"/>",
        escaped(&file.path),
        file.lines,
        file.complexity,
        area.x,
        area.y,
        area.width,
        area.height
    ));
    let letters = (area.width / 6.5) as usize;
    if area.height > 14.0 && letters > 3 {
        let label = crate::text::one_line(name, letters);
        let (x, y) = (area.x + 3.0, area.y + 12.0);
        picture.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"10\">{}</text>",
            escaped(&label)
        ));
    }
    picture.add(format_args!("</g>"));
}

/// Divides an area in proportion to sizes, the largest first, into rectangles that are as square as possible.
fn squarified(sizes: &[f64], area: Area) -> Vec<Area> {
    let total: f64 = sizes.iter().sum();
    let scale = if total > 0.0 { area.width * area.height / total } else { 0.0 };
    let mut rest = area;
    let mut out = Vec::with_capacity(sizes.len());
    let mut at = 0;
    while at < sizes.len() {
        let side = rest.width.min(rest.height);
        // A row grows while that makes its tiles squarer.
        let mut end = at + 1;
        while end < sizes.len()
            && worst(&sizes[at..=end], scale, side) <= worst(&sizes[at..end], scale, side)
        {
            end += 1;
        }
        let sum: f64 = sizes[at..end].iter().sum::<f64>() * scale;
        let depth = if side > 0.0 { sum / side } else { 0.0 };
        let mut along = 0.0;
        for size in &sizes[at..end] {
            let length = if depth > 0.0 { size * scale / depth } else { 0.0 };
            out.push(if rest.width >= rest.height {
                Area { x: rest.x, y: rest.y + along, width: depth, height: length }
            } else {
                Area { x: rest.x + along, y: rest.y, width: length, height: depth }
            });
            along += length;
        }
        if rest.width >= rest.height {
            rest = Area { x: rest.x + depth, width: (rest.width - depth).max(0.0), ..rest };
        } else {
            rest = Area { y: rest.y + depth, height: (rest.height - depth).max(0.0), ..rest };
        }
        at = end;
    }
    out
}

/// The worst relation of the sides of tiles in a row of this length.
fn worst(sizes: &[f64], scale: f64, side: f64) -> f64 {
    let sum: f64 = sizes.iter().sum::<f64>() * scale;
    let (side, sum) = (side * side, sum * sum);
    sizes
        .iter()
        .map(|size| size * scale)
        .map(|area| (side * area / sum).max(sum / (side * area)))
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::{Area, squarified};

    #[test]
    fn tiles_fill_their_area_in_proportion() {
        let area = Area { x: 10.0, y: 20.0, width: 600.0, height: 400.0 };
        let sizes = [6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0];
        let tiles = squarified(&sizes, area);
        for (size, tile) in sizes.iter().zip(&tiles) {
            let expected = size / 24.0 * 240_000.0;
            assert!((tile.width * tile.height - expected).abs() < 1e-6, "{size}: {tile:?}");
            let ratio = (tile.width / tile.height).max(tile.height / tile.width);
            assert!(ratio < 3.0, "{tile:?}");
            let is_inside = tile.x >= 10.0 && tile.x + tile.width <= 610.001 && tile.y >= 20.0;
            assert!(is_inside && tile.y + tile.height <= 420.001, "{tile:?}");
        }
        assert!(squarified(&[], area).is_empty());
        assert_eq!(squarified(&[0.0], area).len(), 1);
    }
}
