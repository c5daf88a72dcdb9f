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
    legend(&mut picture);
    picture.finish(WIDTH, HEIGHT + LEGEND)
}

/// Files by what is left of their paths.
type Files<'f> = Vec<(&'f str, &'f Node)>;

/// Deeper directories are not shown as such.
const MOST_LEVELS: usize = 12;
/// The strip with the name of a directory, and the least area that has room for one.
const STRIP: f64 = 14.0;
const ROOM: (f64, f64) = (50.0, 40.0);
const LETTER: f64 = 6.5;

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
    for ((_, name, mut files), area) in sized.into_iter().zip(squarified(&sizes, area)) {
        match files.as_slice() {
            [("", file)] => tile(name, file, area, picture),
            _ => {
                let mut name = name.to_owned();
                while let Some(only) = only_directory(&files) {
                    name.push('/');
                    name.push_str(only);
                    files.iter_mut().for_each(|(rest, _)| *rest = &rest[only.len() + 1..]);
                }
                fill(&files, directory(&name, area, level, picture), level + 1, picture);
            }
        }
    }
}

/// The directory in which all files lie, if there is one: those with nothing else in them are told in one.
fn only_directory<'f>(files: &[(&'f str, &Node)]) -> Option<&'f str> {
    let (first, _) = files.first()?.0.split_once('/')?;
    files
        .iter()
        .all(|(rest, _)| rest.split_once('/').is_some_and(|(directory, _)| directory == first))
        .then_some(first)
}

/// The border of a directory and its name, where there is room for one. What is left of the area is given back.
fn directory(name: &str, area: Area, level: usize, picture: &mut Picture) -> Area {
    let has_room = area.width > ROOM.0 && area.height > ROOM.1;
    let strip = if has_room { STRIP } else { 0.0 };
    let (x, y, width, height) = (area.x, area.y, area.width, area.height);
    // The outer ones are darker.
    let light = (30 + 14 * level).min(72);
    picture.add(format_args!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         fill=\"hsl(215,25%,{light}%)\" stroke=\"#ffffff\"/>"
    ));
    if has_room {
        let label = crate::text::one_line(name, (width / LETTER) as usize);
        picture.add(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\" fill=\"{}\">{}</text>",
            x + 4.0,
            y + 11.0,
            if light < 60 { "#ffffff" } else { "#000000" },
            escaped(&label)
        ));
    }
    let edge = if has_room { 1.5 } else { 0.5 };
    Area {
        x: x + edge,
        y: y + strip.max(edge),
        width: (width - 2.0 * edge).max(0.0),
        height: (height - strip.max(edge) - edge).max(0.0),
    }
}

const LEGEND: f64 = 30.0;

/// What sizes and colours mean.
fn legend(picture: &mut Picture) {
    let y = HEIGHT + 19.0;
    picture.add(format_args!(
        "<text x=\"6\" y=\"{y}\">Each tile is a file, as large as its lines. Decisions on 100 lines:</text>"
    ));
    for (number, decisions) in [0, 8, 16, 24, 33].into_iter().enumerate() {
        let x = 440.0 + 70.0 * number as f64;
        picture.add(format_args!(
            "<rect x=\"{x}\" y=\"{:.1}\" width=\"22\" height=\"16\" fill=\"{}\"/>\
             <text x=\"{}\" y=\"{y}\">{decisions}{}</text>",
            y - 13.0,
            colour(f64::from(decisions) / 100.0),
            x + 27.0,
            if number == 4 { " or more" } else { "" }
        ));
    }
}

/// A decision on every third line is as red as it gets.
fn colour(decisions_per_line: f64) -> String {
    let hue = 120.0 - 120.0 * (decisions_per_line * 3.0).min(1.0);
    format!("hsl({hue:.0},55%,72%)")
}

fn tile(name: &str, file: &Node, area: Area, picture: &mut Picture) {
    let colour = colour(file.complexity as f64 / file.lines.max(1) as f64);
    picture.add(format_args!(
        "<g><title>{}: {} lines, complexity {}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" \
         height=\"{:.1}\" fill=\"{colour}\" stroke=\"#ffffff\" stroke-width=\"0.5\"/>",
        escaped(&file.path),
        file.lines,
        file.complexity,
        area.x,
        area.y,
        area.width,
        area.height
    ));
    let letters = (area.width / LETTER) as usize;
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
