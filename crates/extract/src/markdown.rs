//! Markdown: sections, links and words.
//!
//! pulldown-cmark says which block everything belongs to. What is in a block is scanned for links by
//! [`inline`], because they are wanted with the exact place of their targets, and those of HTML too.

mod inline;
#[cfg(test)]
mod tests;

use std::ops::Range;

use model::{
    FileFacts, LineType, Reference, ReferenceFlags, Role, Span, Symbol, SymbolKind, TypePosition,
};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::builder::{Builder, cut};
use crate::{Language, Source, comments, complete};

const MAX_QUALIFIED_NAME: usize = 2048;

pub(crate) fn extract(language: &Language, source: Source<'_>) -> FileFacts {
    let mut builder = Builder::new(source.text, language);
    let whole = builder.open_file();
    let mut reader = Reader { builder, open: Vec::new(), containers: 0 };
    reader.read();
    let mut builder = reader.builder;
    builder.words(whole, LineType::Code);
    comments::directives(&mut builder, whole);
    complete::complete(&mut builder, source.path);
    builder.finish()
}

struct Reader<'a> {
    builder: Builder<'a>,
    /// The sections around this place, the innermost last.
    open: Vec<Section>,
    /// How many quotations, lists and footnotes are around this place.
    containers: usize,
}

struct Section {
    symbol: usize,
    /// A heading in a quotation or a list heads nothing outside of it.
    containers: usize,
    level: u32,
}

impl Reader<'_> {
    fn read(&mut self) {
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
            | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
        let parser = Parser::new_ext(self.builder.source, options);
        let mut definitions: Vec<Range<usize>> =
            parser.reference_definitions().iter().map(|(_, found)| found.span.clone()).collect();
        definitions.sort_unstable_by_key(|definition| definition.start);
        let mut definitions = definitions.into_iter().peekable();
        // The inline text of a block, as far as it was seen.
        let mut text = 0..0;
        let mut is_verbatim = false;
        for (event, range) in parser.into_offset_iter() {
            match event {
                Event::Start(Tag::CodeBlock(_) | Tag::MetadataBlock(_)) => is_verbatim = true,
                Event::End(TagEnd::CodeBlock | TagEnd::MetadataBlock(_)) => is_verbatim = false,
                _ if is_verbatim => continue,
                _ => {}
            }
            if is_inline(&event) {
                text.end = range.end;
                continue;
            }
            self.links(text);
            while let Some(definition) = definitions.next_if(|next| next.start < range.start) {
                self.links(definition);
            }
            text = match event {
                Event::End(_) => range.end..range.end,
                _ => range.start..range.start,
            };
            match event {
                Event::Start(Tag::HtmlBlock) => self.links(range),
                Event::Start(Tag::Heading { level, .. }) => self.heading(level as u32, &range),
                Event::Start(tag) if is_container(tag.to_end()) => self.containers += 1,
                Event::End(tag) if is_container(tag) => {
                    self.containers -= 1;
                    let containers = self.containers;
                    self.close(range.end, |section| section.containers > containers);
                }
                _ => {}
            }
        }
        self.links(text);
        definitions.for_each(|definition| self.links(definition));
        self.close(self.builder.source.len(), |_| true);
        self.builder.facts.references.sort_by_key(|link| link.start);
    }

    /// Records the links of a stretch of inline text, of HTML, or of a link definition.
    fn links(&mut self, range: Range<usize>) {
        let text = &self.builder.source[range.clone()];
        for (target, start) in inline::targets(text) {
            let name = self.builder.intern(&target);
            self.builder.facts.references.push(Reference {
                name,
                role: Role::Link,
                position: TypePosition::Other,
                flags: ReferenceFlags::default(),
                start: (range.start + start) as u32,
                receiver: Default::default(),
                arguments: None,
                symbol: self.open.last().map(|section| section.symbol as u32),
                scope: 0,
            });
        }
    }

    /// Begins a section, which lasts until the next heading of its level.
    fn heading(&mut self, level: u32, range: &Range<usize>) {
        let Some(name_span) = title(self.builder.source, level, range) else { return };
        let containers = self.containers;
        self.close(range.start, |section| {
            section.containers == containers && section.level >= level
        });
        let owner = self.open.last().map(|section| section.symbol);
        let symbol = self.builder.facts.symbols.len();
        self.open.push(Section { symbol, containers, level });
        let title = self.builder.text(name_span);
        let name = self.builder.intern(title);
        self.builder.words(name_span, LineType::Struct);
        let qualified_name = self.qualified(owner, title);
        self.builder.facts.symbols.push(Symbol {
            kind: SymbolKind::Section,
            name,
            qualified_name,
            ordinal: 0,
            owner: owner.map(|owner| owner as u32),
            span: Span::new(range.start as u32, range.end as u32),
            name_span,
            body: None,
            signature: title.to_owned(),
            docs: None,
            visibility: None,
            flags: Default::default(),
            declared_type: None,
            origin: Default::default(),
            value: None,
            decorators: Vec::new(),
            scope: None,
            metrics: None,
            body_hash: None,
        });
    }

    fn qualified(&self, owner: Option<usize>, title: &str) -> String {
        let Some(owner) = owner else { return cut(title, MAX_QUALIFIED_NAME).to_owned() };
        let outer = &self.builder.facts.symbols[owner].qualified_name;
        let mut name = format!("{outer}{}{title}", self.builder.language.table.separator);
        name.truncate(cut(&name, MAX_QUALIFIED_NAME).len());
        name
    }

    /// Ends the innermost sections that a condition holds for.
    fn close(&mut self, end: usize, ends: impl Fn(&Section) -> bool) {
        while let Some(section) = self.open.pop_if(|section| ends(section)) {
            self.builder.facts.symbols[section.symbol].span.end = end as u32;
        }
    }
}

/// Whether something is part of the text of a block.
fn is_inline(event: &Event<'_>) -> bool {
    let is_span = |tag: TagEnd| {
        use TagEnd::{Emphasis, Image, Link, Strikethrough, Strong};
        matches!(tag, Emphasis | Strong | Strikethrough | Link | Image)
    };
    match event {
        Event::Start(tag) => is_span(tag.to_end()),
        Event::End(tag) => is_span(*tag),
        Event::Html(_) | Event::Rule => false,
        _ => true,
    }
}

fn is_container(tag: TagEnd) -> bool {
    matches!(tag, TagEnd::BlockQuote(_) | TagEnd::Item | TagEnd::FootnoteDefinition)
}

/// The title of a heading without its signs; the first line of it if it is underlined. None if it is
/// empty.
fn title(source: &str, level: u32, heading: &Range<usize>) -> Option<Span> {
    let line = source[heading.clone()].lines().next()?.trim_ascii_end();
    let behind = line.trim_start_matches('#');
    let is_underlined = line.len() - behind.len() != level as usize
        || behind.starts_with(|sign| !matches!(sign, ' ' | '\t'));
    let title = if is_underlined { line } else { behind }.trim_ascii_start();
    let start = heading.start + line.len() - title.len();
    // Hashes close a heading only behind a space: the name of `# C#` is whole.
    let bare = title.trim_end_matches('#');
    let is_closed = !is_underlined && (bare.is_empty() || bare.ends_with([' ', '\t']));
    let title = if is_closed { bare.trim_ascii_end() } else { title };
    (!title.is_empty()).then(|| Span::new(start as u32, (start + title.len()) as u32))
}
