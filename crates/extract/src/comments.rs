//! What comments say besides their words: docs, markers, suppressions, the head of the file.

use languages::Language;
use model::{Marker, MarkerKind, Span, Suppression};

use crate::builder::{Builder, cut};

const MAX_DOCS: usize = 16 * 1024;
const MAX_MARKER: usize = 500;
/// `groma-ignore-next-line <recipe>` and `groma-ignore-file <recipe>`.
const IGNORE_NEXT_LINE: &str = "groma-ignore-next-line";
const IGNORE_FILE: &str = "groma-ignore-file";

/// Records the markers and suppressions that stand in a comment or a piece of plain text.
pub(crate) fn directives(builder: &mut Builder<'_>, span: Span) {
    let text = builder.text(span);
    if !might_have_directive(text) {
        return;
    }
    let mut next = span.start;
    for line in text.split_inclusive('\n') {
        let offset = next;
        next += line.len() as u32;
        if !might_have_directive(line) {
            continue;
        }
        let number = builder.line_index(offset) as u32 + 1;
        if let Some((kind, text)) = marker(line) {
            let text = cut(text, MAX_MARKER).to_owned();
            builder.facts.markers.push(Marker { kind, line: number, text });
        }
        for (directive, line_meant) in [(IGNORE_NEXT_LINE, number + 1), (IGNORE_FILE, 0)] {
            if let Some(recipe) = suppressed_recipe(line, directive) {
                builder
                    .facts
                    .suppressions
                    .push(Suppression { line: line_meant, recipe: recipe.to_owned() });
            }
        }
    }
}

fn might_have_directive(text: &str) -> bool {
    // Each word of a marker has one of these letters behind another capital, which hardly any comment
    // has, and to find that out is much faster than to look for the words.
    let bytes = text.as_bytes();
    let is_capital = |at: usize| at.checked_sub(1).is_some_and(|at| bytes[at].is_ascii_uppercase());
    memchr::memchr3_iter(b'O', b'X', b'K', bytes).any(is_capital)
        && MarkerKind::ALL.iter().any(|kind| text.contains(kind.as_str()))
        || text.contains("groma-ignore")
}

/// A marker is its word, standing alone, followed by a colon or space and some text.
fn marker(line: &str) -> Option<(MarkerKind, &str)> {
    MarkerKind::ALL
        .iter()
        .filter_map(|kind| {
            let at = find_word(line, kind.as_str())?;
            let rest = &line[at + kind.as_str().len()..];
            let rest = author(rest).unwrap_or(rest);
            let text = rest.trim_start_matches([':', ' ', '\t']);
            let text = text.trim_end().trim_end_matches("*/").trim_end_matches("-->").trim_end();
            (rest.starts_with([':', ' ', '\t']) && !text.is_empty()).then_some((at, *kind, text))
        })
        .min_by_key(|(at, ..)| *at)
        .map(|(_, kind, text)| (kind, text))
}

/// Skips the name in `TODO(somebody): text`.
fn author(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix('(')?;
    Some(&inside[inside.find(')')? + 1..])
}

fn find_word(line: &str, word: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .map(|(at, _)| at)
        .find(|at| !line[..*at].ends_with(is_word) && !line[at + word.len()..].starts_with(is_word))
}

/// The recipe a directive names. It must follow a comment leader, not stand in the midst of prose.
fn suppressed_recipe<'l>(line: &'l str, directive: &str) -> Option<&'l str> {
    let line = line.trim_start();
    let leader = ["//", "#", "--", "<!--", "/*", "*", ";", "%"]
        .into_iter()
        .find(|leader| line.starts_with(leader))
        .unwrap_or("");
    let rest = line[leader.len()..].trim_start_matches(['/', '!', ' ', '\t']);
    let recipe = rest.strip_prefix(directive)?.strip_prefix([' ', '\t'])?.trim_start();
    let end = recipe
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        .unwrap_or(recipe.len());
    (end > 0).then(|| &recipe[..end])
}

/// A comment, or a run of them, without comment signs and common indentation.
pub(crate) fn clean<'t>(language: &Language, comments: impl Iterator<Item = &'t str>) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for comment in comments {
        let comment = comment.trim();
        match block_inside(language, comment) {
            Some(inside) => lines.extend(inside.lines().map(|line| {
                let trimmed = line.trim();
                if let Some(rest) = trimmed.strip_prefix('*') {
                    rest.strip_prefix(' ').unwrap_or(rest).trim_end()
                } else {
                    line.trim_end()
                }
            })),
            None => lines.extend(comment.lines().map(|line| line_inside(language, line.trim()))),
        }
    }
    dedent(&lines)
}

fn block_inside<'t>(language: &Language, comment: &'t str) -> Option<&'t str> {
    language.table.comments.block.iter().find_map(|[open, close]| {
        let inside = comment.strip_prefix(open.as_str())?;
        let inside = inside.strip_suffix(close.as_str()).unwrap_or(inside);
        // `/**` and `/*!` open docs; the extra signs are no text.
        Some(inside.trim_start_matches(['*', '!']).trim_end_matches('*'))
    })
}

fn line_inside<'t>(language: &Language, line: &'t str) -> &'t str {
    for sign in &language.table.comments.line {
        if let Some(rest) = line.strip_prefix(sign.as_str()) {
            let last = sign.chars().last().unwrap_or('/');
            let rest = rest.trim_start_matches([last, '!']);
            return rest.strip_prefix(' ').unwrap_or(rest).trim_end();
        }
    }
    line
}

/// Removes the indentation that all lines share, and empty lines at both ends.
pub(crate) fn dedent(lines: &[&str]) -> String {
    let is_text = |line: &&str| !line.trim().is_empty();
    let Some(first) = lines.iter().position(is_text) else {
        return String::new();
    };
    let last = lines.iter().rposition(is_text).unwrap_or(first);
    let lines = &lines[first..=last];
    // The first line follows the opening sign, so its indentation says nothing.
    let indent = lines[1..]
        .iter()
        .filter(|line| is_text(line))
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let line =
            if index == 0 { line.trim() } else { line.get(indent..).unwrap_or("").trim_end() };
        out.push_str(line);
    }
    if out.len() > MAX_DOCS {
        out.truncate(out.floor_char_boundary(MAX_DOCS));
    }
    out
}

/// The comments before the first code of the file.
pub(crate) fn header(builder: &Builder<'_>) -> Option<String> {
    let mut end = 0;
    let mut header = Vec::new();
    let source = builder.source.strip_prefix('\u{feff}').unwrap_or(builder.source);
    let skipped = (builder.source.len() - source.len()) as u32;
    end += skipped;
    // What must come first in a file, before anybody can say what the file is.
    for (first, last) in [("#!", '\n'), ("@charset ", ';')] {
        if source.starts_with(first) {
            end += source.find(last).map_or(source.len(), |at| at + 1) as u32;
        }
    }
    for comment in &builder.comments {
        if comment.start < end {
            continue;
        }
        if !builder.text(Span::new(end, comment.start)).trim().is_empty() {
            break;
        }
        // What is said to a program is nothing about the file.
        let text = builder.text(*comment);
        if !text.contains(IGNORE_FILE) && !is_directive(builder.language, text) {
            header.push(text);
        }
        end = comment.end;
    }
    let text = clean(builder.language, header.into_iter());
    (!text.is_empty()).then_some(text)
}

/// Whether a comment speaks to tools, not to people.
pub(crate) fn is_directive(language: &Language, text: &str) -> bool {
    language.table.docs.directives.iter().any(|sign| text.starts_with(sign.as_str()))
}

/// Whether the file says that a program wrote it.
pub(crate) fn is_generated(builder: &Builder<'_>) -> bool {
    const SIGNS: [&str; 6] = [
        "@generated",
        "DO NOT EDIT",
        "do not edit",
        "Do not edit",
        "autogenerated",
        "auto-generated",
    ];
    let head = cut(builder.source, 2048);
    builder.comments.iter().take_while(|comment| (comment.start as usize) < head.len()).any(
        |comment| {
            let text = builder.text(*comment);
            SIGNS.iter().any(|sign| text.contains(sign))
                && (text.contains("enerated") || text.contains("@generated"))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::{IGNORE_FILE, IGNORE_NEXT_LINE, MarkerKind, might_have_directive};

    #[test]
    fn no_directive_is_passed_over() {
        let markers = MarkerKind::ALL.iter().map(|kind| kind.as_str());
        for word in markers.chain([IGNORE_FILE, IGNORE_NEXT_LINE]) {
            assert!(might_have_directive(&format!("// {word} some text")), "{word}");
        }
        assert!(!might_have_directive("// nothing of Interest, a note"));
    }
}
