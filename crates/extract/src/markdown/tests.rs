use std::time::Instant;

use languages::Registry;
use model::FileFacts;

use super::{extract, inline};
use crate::Source;

fn targets(text: &str) -> Vec<String> {
    inline::targets(text)
        .into_iter()
        .map(|(target, start)| {
            let begin: String = target.chars().take(1).collect();
            assert!(text[start..].starts_with(&begin), "{target} is not at {start}");
            target.into_owned()
        })
        .collect()
}

fn read(text: &str) -> FileFacts {
    let language = Registry::builtin().get("markdown").expect("Markdown is built in");
    extract(language, Source { path: "a.md", text })
}

/// The facts of a document, with names that are where they are said to be.
fn facts(text: &str) -> FileFacts {
    let facts = read(text);
    for symbol in &facts.symbols {
        assert_eq!(symbol.name_span.slice(text), facts.name(symbol.name));
    }
    facts
}

#[test]
fn links_and_images_in_every_form() {
    assert_eq!(targets("see [a](b.md) and ![c](d.png \"title\")."), ["b.md", "d.png"]);
    assert_eq!(targets("[a](<b c.md> 'x') [a]( b.md\n(t) )"), ["b c.md", "b.md"]);
    assert_eq!(targets("[a](wiki/C_(x)_(y).md) [a](b\\).md)"), ["wiki/C_(x)_(y).md", "b).md"]);
    assert_eq!(targets("[![badge](https://a/b.svg)](https://c)"), ["https://a/b.svg", "https://c"]);
    assert_eq!(targets("[a [b] c](d) [x][y] [z]"), ["d"]);
    assert_eq!(targets("[a](b.md#part) [a](#part) [a]()"), ["b.md", "#part"]);
    assert_eq!(targets("<https://x.org/y> <me@x.org> <b> a<b>c"), ["https://x.org/y", "me@x.org"]);
}

#[test]
fn text_that_is_no_link() {
    assert_eq!(targets("`[a](b)` ``[a](` b)`` \\[a](b) [a]\\(b) a](b)"), [""; 0]);
    assert_eq!(targets("`open [a](b)"), ["b"]);
    assert_eq!(targets("[a](b c) [a](b \"t) [a] (b)"), [""; 0]);
    assert_eq!(targets("<!-- [a](b) --> [c](d)"), ["d"]);
}

#[test]
fn definitions_are_links_and_footnotes_are_not() {
    assert_eq!(targets("[ref]: target.md \"Title\""), ["target.md"]);
    assert_eq!(targets("[ref]: <my target.md>\n"), ["my target.md"]);
    assert_eq!(targets("[^1]: target"), [""; 0]);
    assert_eq!(targets("[^1]: see [a](b.md)"), ["b.md"]);
    assert_eq!(targets("[note]: this is text"), [""; 0]);
}

#[test]
fn html_and_plain_addresses_are_links() {
    assert_eq!(
        targets("<img width=1 SRC=\"logo.png\" alt='>'> <a href=docs/x.md>x</a> <A HREF={y}>"),
        ["logo.png", "docs/x.md"]
    );
    assert_eq!(
        targets("At https://x.org/a_(b), (see http://y.org). [https://z.org](z.md)"),
        ["https://x.org/a_(b)", "http://y.org", "z.md"]
    );
}

#[test]
fn sections_nest_by_level_whichever_way_headings_are_written() {
    let text =
        "Title\n=====\n[a](x)\n\nOne\n---\n\n### Deep ##\n[b](y)\n> # Quoted\n\n## Two\n\n# C#\n";
    let found = facts(text);
    let seen: Vec<String> = found
        .symbols
        .iter()
        .map(|symbol| {
            let last = found.position(symbol.span.end - 1).0;
            format!("{} to {last}", symbol.qualified_name)
        })
        .collect();
    assert_eq!(
        seen,
        [
            "Title to 13",
            "Title > One to 11",
            "Title > One > Deep to 11",
            "Title > One > Deep > Quoted to 10",
            "Title > Two to 13",
            "C# to 14",
        ]
    );
    let owners: Vec<Option<u32>> = found.references.iter().map(|link| link.symbol).collect();
    assert_eq!(owners, [Some(0), Some(2)]);
}

#[test]
fn every_word_is_a_term() {
    let found = facts("# Start here\n\nTODO: write `some_code` today\n");
    let mut terms: Vec<&str> =
        found.occurrences.iter().map(|occurrence| found.name(occurrence.name)).collect();
    terms.sort_unstable();
    assert_eq!(terms, ["Start", "TODO", "here", "some_code", "today", "write"]);
    assert_eq!(found.markers.len(), 1);
}

#[test]
fn hostile_texts_take_linear_time() {
    for piece in [
        "[",
        "]",
        "[a](",
        "[a](b",
        "[a](b \"",
        "[a](<",
        "[a](b (",
        "`",
        "`` ` ",
        "<",
        "<a ",
        "<a '",
        "<!--",
        "<!-",
        "\\",
        "![](",
        "[]((",
        "(",
        "[a]: ",
        "http://",
        "<a:",
        "<a href=",
        "[a](b '\"",
        "> ",
        "- ",
        "- a\n  ",
        "1. ",
        "# ",
        "a\n=\n",
        "|a",
        "|a\n|-\n",
        "*a_",
        "<div>\n",
        "[a]: b\n",
        "[^a]: ",
    ] {
        let text = piece.repeat(400_000 / piece.len());
        let begin = Instant::now();
        let _ = (inline::targets(&text), read(&text));
        assert!(begin.elapsed().as_secs() < 3, "{piece} took {:?}", begin.elapsed());
    }
}

#[test]
fn any_text_is_read_without_panic() {
    let characters: Vec<char> = "[]()<>`\\\"'#: \n\r\t-|*é!ahttp://=\u{0}".chars().collect();
    let mut state = 11_u32;
    for _ in 0..5000 {
        let mut text = String::new();
        for _ in 0..20 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push(characters[(state >> 16) as usize % characters.len()]);
        }
        for (_, start) in inline::targets(&text) {
            assert!(text.is_char_boundary(start));
        }
        facts(&text);
    }
}
