//! Text for people: aligned, coloured where the shell allows, and free of control characters.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

pub const HEADING: Style = Style::new().bold();
pub const PATH: Style = AnsiColor::Cyan.on_default();
pub const KIND: Style = AnsiColor::Green.on_default();
pub const DIM: Style = Style::new().dimmed();
pub const WARNING: Style = AnsiColor::Yellow.on_default();

/// An answer as it grows. Styles are written as escape codes; the shell strips them where they do not
/// belong.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
    /// Where in the text each item of the list begins that may be cut, and what comes after the last.
    items: Vec<usize>,
    after: Option<usize>,
}

impl Page {
    pub fn line(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.text, "{line}");
    }

    pub fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Here begins an item of the list that is cut where the answer is too long.
    pub fn item(&mut self) {
        self.items.push(self.text.len());
    }

    /// What follows is none of them.
    pub fn end_items(&mut self) {
        self.after = Some(self.text.len());
    }

    /// Leaves out the first items.
    pub(crate) fn skip(&mut self, count: usize) {
        let Some(&first) = self.items.first().filter(|_| count > 0) else { return };
        let end = self.after.unwrap_or(self.text.len());
        let after = self.items.get(count).copied().unwrap_or(end);
        self.text.replace_range(first..after, "");
        self.items.drain(..count.min(self.items.len()));
        self.items.iter_mut().for_each(|item| *item -= after - first);
    }

    /// The text, and for each item the number of its first line.
    pub(crate) fn into_parts(self) -> (String, Vec<usize>) {
        let lines = |item: &usize| self.text[..*item].matches('\n').count();
        let items = self.items.iter().map(lines).collect();
        (self.text, items)
    }

    pub fn into_text(self) -> String {
        self.text
    }

    /// Rows in columns; the last column is not padded. Right-aligned where a column holds numbers.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        let columns = header.len();
        let mut widths: Vec<usize> = header.iter().map(|cell| cell.chars().count()).collect();
        for row in rows {
            for (column, cell) in row.iter().enumerate().take(columns) {
                widths[column] = widths[column].max(cell.chars().count());
            }
        }
        let numeric: Vec<bool> = (0..columns)
            .map(|column| {
                !rows.is_empty() && rows.iter().all(|row| row[column].parse::<f64>().is_ok())
            })
            .collect();
        let line = |cells: Vec<&str>| {
            let mut line = String::new();
            for (column, cell) in cells.iter().enumerate() {
                let width = widths[column];
                if column > 0 {
                    line.push_str("  ");
                }
                if numeric[column] {
                    let _ = write!(line, "{cell:>width$}");
                } else if column + 1 < columns {
                    let _ = write!(line, "{cell:<width$}");
                } else {
                    line.push_str(cell);
                }
            }
            line.trim_end().to_owned()
        };
        self.line(styled(DIM, &line(header.to_vec())));
        for row in rows {
            self.item();
            self.line(line(row.iter().map(String::as_str).collect()));
        }
    }
}

/// Text in a style.
pub fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Repository text for a terminal: control characters and tricks with direction become visible.
pub fn visible(text: &str) -> String {
    let is_plain = |c: char| c == '\n' || c == '\t' || !(c.is_control() || is_trick(c));
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_plain(c) {
            out.push(c);
        } else {
            out.extend(c.escape_unicode());
        }
    }
    out
}

fn is_trick(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// On one line, cut to a width.
pub fn one_line(text: &str, width: usize) -> String {
    let text = visible(text).replace(['\n', '\t'], " ");
    if text.chars().count() <= width {
        return text;
    }
    let mut cut: String = text.chars().take(width.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// 1234567 → `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// 5242880 → `5.0 MiB`.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, one_line, visible};

    #[test]
    fn control_characters_and_direction_marks_become_visible() {
        assert_eq!(visible("a\u{1b}[31mb\u{202e}c"), "a\\u{1b}[31mb\\u{202e}c");
        assert_eq!(visible("plain\ttext\n"), "plain\ttext\n");
        assert_eq!(one_line("a\nb", 10), "a b");
        assert_eq!(one_line("abcdef", 4), "abc…");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(12), "12");
        assert_eq!(bytes(5 << 20), "5.0 MiB");
    }
}
