//! What the block grammar of Markdown does not say: links, words and how sections nest.
//!
//! The walk calls [`links`] for every node that holds inline text, HTML or a link definition, and
//! [`finish`] once after the last node. Both go over the text a bounded number of times, whatever is
//! in it.

mod inline;
mod outline;
#[cfg(test)]
mod tests;

use model::{LineType, Reference, ReferenceFlags, Role, Span, SymbolKind, TypePosition};

use crate::builder::Builder;
use crate::comments;

pub(crate) use outline::outline;

/// Records the links of a stretch of inline text, of HTML, or of a link definition.
pub(crate) fn links(builder: &mut Builder<'_>, span: Span, symbol: Option<u32>, scope: u32) {
    let text = builder.text(span);
    for (target, start) in inline::targets(text) {
        let name = builder.intern(&target);
        builder.facts.references.push(Reference {
            name,
            role: Role::Link,
            position: TypePosition::Other,
            flags: ReferenceFlags::default(),
            start: span.start + start as u32,
            receiver: Default::default(),
            arguments: None,
            symbol,
            scope,
        });
    }
}

/// Records the words of the whole document, and nests its sections.
pub(crate) fn finish(builder: &mut Builder<'_>) {
    let whole = Span::new(0, builder.source.len() as u32);
    builder.words(whole, LineType::Code);
    comments::directives(builder, whole);
    clean_titles(builder);
    nest_sections(builder);
}

/// Leaves the closing `##` of a heading out of its name, and further lines of an underlined one.
fn clean_titles(builder: &mut Builder<'_>) {
    for index in 0..builder.facts.symbols.len() {
        let symbol = &builder.facts.symbols[index];
        if symbol.kind != SymbolKind::Section {
            continue;
        }
        let span = symbol.name_span;
        let written = builder.text(span);
        let leading = written.len() - written.trim_start().len();
        let line = written.trim_start().lines().next().unwrap_or_default().trim_end();
        let bare = line.trim_end_matches('#');
        // Hashes close a heading only behind a space: the name of `# C#` is whole.
        let title = if bare.ends_with([' ', '\t']) { bare.trim_end() } else { line };
        let start = span.start + leading as u32;
        let name = builder.intern(title);
        let name_span = Span::new(start, start + title.len() as u32);
        let signature = title.to_owned();
        builder.words(name_span, LineType::Struct);
        let symbol = &mut builder.facts.symbols[index];
        (symbol.name, symbol.name_span, symbol.signature) = (name, name_span, signature);
    }
}

/// Gives every heading the text up to the next one of its level. The grammar knows that of headings
/// with `#` only; those that are underlined it leaves inside the section before them.
fn nest_sections(builder: &mut Builder<'_>) {
    let mut open: Vec<(u32, usize)> = Vec::new();
    let end = builder.source.len() as u32;
    let mut headings: Vec<usize> = Vec::new();
    for index in 0..builder.facts.symbols.len() {
        let level = match heading_level(builder, index) {
            Some(level) => {
                let start = builder.facts.symbols[index].span.start;
                while let Some((_, inner)) = open.pop_if(|(outer, _)| *outer >= level) {
                    builder.facts.symbols[inner].span.end = start;
                }
                builder.facts.symbols[index].span.end = end;
                level
            }
            // A heading in a quotation or a list heads nothing outside it.
            None => u32::MAX,
        };
        let owner = open.last().map(|(_, outer)| *outer);
        qualify(builder, index, owner);
        if level < u32::MAX {
            open.push((level, index));
            headings.push(index);
        }
    }
    own_references(builder, &headings);
}

fn qualify(builder: &mut Builder<'_>, index: usize, owner: Option<usize>) {
    const MAX_QUALIFIED_NAME: usize = 2048;
    let name = builder.facts.name(builder.facts.symbols[index].name);
    let mut qualified_name = match owner {
        Some(owner) => {
            let outer = &builder.facts.symbols[owner].qualified_name;
            format!("{outer}{}{name}", builder.language.table.separator)
        }
        None => name.to_owned(),
    };
    qualified_name.truncate(crate::builder::cut(&qualified_name, MAX_QUALIFIED_NAME).len());
    let symbol = &mut builder.facts.symbols[index];
    symbol.owner = owner.map(|owner| owner as u32);
    symbol.qualified_name = qualified_name;
}

/// The level of a heading that stands at the margin of the document.
fn heading_level(builder: &Builder<'_>, index: usize) -> Option<u32> {
    let symbol = &builder.facts.symbols[index];
    let line = builder.position(symbol.span.start).0 as usize - 1;
    let margin = Span::new(builder.facts.line_starts[line], symbol.name_span.start);
    let margin = builder.text(margin).trim_start_matches('\u{feff}');
    let signs = margin.trim_start_matches(' ');
    if symbol.kind != SymbolKind::Section || margin.len() - signs.len() > 3 {
        return None;
    }
    let hashes = signs.len() - signs.trim_start_matches('#').len();
    if hashes > 0 {
        return Some(hashes as u32);
    }
    if !signs.is_empty() {
        return None;
    }
    let below = builder.text(Span::new(symbol.name_span.end, symbol.span.end));
    let underline = below.lines().skip(1).map(str::trim).find(|line| is_underline(line))?;
    Some(if underline.starts_with('=') { 1 } else { 2 })
}

fn is_underline(line: &str) -> bool {
    !line.is_empty()
        && (line.bytes().all(|byte| byte == b'=') || line.bytes().all(|byte| byte == b'-'))
}

/// Every link belongs to the innermost section around it.
fn own_references(builder: &mut Builder<'_>, headings: &[usize]) {
    let symbols = &builder.facts.symbols;
    for reference in &mut builder.facts.references {
        // A heading in a quotation has what stands in it.
        let is_in_heading = reference.symbol.is_some_and(|own| {
            let span = symbols[own as usize].name_span;
            span.start <= reference.start
                && reference.start < span.end
                && headings.binary_search(&(own as usize)).is_err()
        });
        if is_in_heading {
            continue;
        }
        let after = headings.partition_point(|index| symbols[*index].span.start <= reference.start);
        // Sections leave no gaps, so that the last heading above is the innermost.
        reference.symbol = after.checked_sub(1).map(|at| headings[at] as u32);
    }
}
