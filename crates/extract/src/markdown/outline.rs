//! A copy of a document that has the same blocks at the same places and is much quicker to parse.
//!
//! The grammar of blocks makes a token of every word and every sign, though only the beginning of a
//! line says which block it belongs to: once the first letter of a line is reached, what follows is
//! text whatever it is. In the copy such text is one long word of the same length. What may matter
//! further on in a line stays as it is: the bars of tables, the ends of HTML blocks, fences, headings
//! and definitions of links.

/// Stands for a byte of text.
const FILLER: char = 'x';
/// Signs that may part the cells of a table or belong to a definition, and those that hide them.
const KEPT: [char; 5] = ['|', '[', ']', '`', '\\'];
/// What follows the `<` of such a block.
const RAW_HTML: [&[u8]; 6] = [b"!", b"?", b"script", b"pre", b"style", b"textarea"];

pub(crate) fn outline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let has_raw_html = has_raw_html(text);
    let mut rest = text;
    while !rest.is_empty() {
        let (run, after) = rest.split_at(run_length(rest));
        rest = after;
        // A definition may go on over several lines, none of them blank.
        if run.contains("]:") {
            out.push_str(run);
        } else {
            run.split_inclusive('\n').for_each(|line| push_line(&mut out, line, has_raw_html));
        }
    }
    out
}

/// Whether there may be an HTML block that ends with a sign of its own, not with a blank line.
fn has_raw_html(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'<', bytes).any(|at| {
        let opens = |tag: &&[u8]| {
            bytes.get(at + 1..at + 1 + tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag))
        };
        let line = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
        RAW_HTML.iter().any(opens) && !bytes[line..at].iter().any(u8::is_ascii_alphabetic)
    })
}

/// The length of all lines up to a blank one, with that one.
fn run_length(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if line.trim_ascii().is_empty() {
            break;
        }
    }
    length
}

fn push_line(out: &mut String, line: &str, has_raw_html: bool) {
    let Some(letter) = line.bytes().position(|byte| byte.is_ascii_alphabetic()) else {
        return out.push_str(line);
    };
    let (signs, text) = line.split_at(letter);
    let may_close = has_raw_html && text.contains('>');
    if may_close || may_open(signs, text) || text.trim_ascii_end().contains('\r') {
        return out.push_str(line);
    }
    out.push_str(signs);
    text.split_inclusive(KEPT).for_each(|piece| push_text(out, piece));
}

/// Whether a line begins with something that its text says more about.
fn may_open(signs: &str, text: &str) -> bool {
    let is_task = signs.ends_with('[') && text.as_bytes().get(1) == Some(&b']');
    is_task || signs.contains(['#', '<', '&']) || signs.contains("```") || signs.contains("~~~")
}

/// Text from its first letter on as one word, with the signs and the space around it.
fn push_text(out: &mut String, text: &str) {
    let Some(start) = text.bytes().position(|byte| byte.is_ascii_alphabetic()) else {
        return out.push_str(text);
    };
    let end = text.trim_end_matches(KEPT).trim_ascii_end().len();
    out.push_str(&text[..start]);
    out.extend(std::iter::repeat_n(FILLER, end - start));
    out.push_str(&text[end..]);
}

#[cfg(test)]
mod tests {
    use languages::{KindFlags, Registry};

    use super::outline;
    use crate::walk;

    /// What facts are made of: the nodes that hold links and the headings, with their places.
    /// None if the grammar does not understand the text.
    fn blocks(text: &str) -> Option<Vec<(u16, usize, usize)>> {
        let language = Registry::builtin().get("markdown").expect("Markdown is built in");
        let tree = walk::parse(language, text).expect("a tree");
        if tree.root_node().has_error() {
            return None;
        }
        let mut found = Vec::new();
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let is_heading = ["section", "atx_heading", "setext_heading"].contains(&node.kind());
            if is_heading || language.flags(node.kind_id()).any(KindFlags::LINKS) {
                found.push((node.kind_id(), node.start_byte(), node.end_byte()));
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Some(found);
                }
            }
        }
    }

    #[test]
    fn text_is_one_word_and_what_makes_blocks_stays() {
        let cases = [
            ("- see the manual, please.  \n", "- xxxxxxxxxxxxxxxxxxxxxxx  \n"),
            ("> 2. é und ö\r\n", "> 2. é xxxxxx\r\n"),
            ("| one two | `a | b` |\n", "| xxxxxxx | `x | x` |\n"),
            ("a [link](target) here\n", "x [xxxx](xxxxxxxxxxxx\n"),
            ("## A heading ##\n", "## A heading ##\n"),
            ("```rust no run\n", "```rust no run\n"),
            ("- [x] a task\n", "- [x] a task\n"),
            ("[label]: target\n\"a title\"\n", "[label]: target\n\"a title\"\n"),
            ("<!-- a\nb --> c\nd e\n", "<!-- a\nb --> c\nxxx\n"),
            ("a -> b\n", "xxxxxx\n"),
        ];
        for (text, expected) in cases {
            assert_eq!(outline(text), expected);
        }
    }

    /// Documents of pieces that mean much to the grammar, put together at random.
    #[test]
    fn an_outline_has_the_blocks_of_its_document() {
        const PIECES: &str = "foo|bar baz|[a](u)|[a]: u|](u)|[|\\[|\\]|¦|¦ a ¦ b ¦|¦-¦-¦|`|```|~~~|<div>|\
            </div>|<!-- |-->|<pre>|</pre>|<a b=\"c\">|# |## H ##|===|---|- |* |1. |2) |> |  |    |\t|\\|\
            <http://a.b>|![i](p)|[^1]: t|- [ ] |- [x] |**|é|&amp;|:|\"t\"|(|+++|.|1|\r|\n|\n|\n\n";
        let pieces: Vec<String> = PIECES.split('|').map(|piece| piece.replace('¦', "|")).collect();
        let mut state = 1u32;
        let mut next = |limit: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % limit
        };
        for _ in 0..2000 {
            let text: String = (0..24).map(|_| pieces[next(pieces.len())].as_str()).collect();
            let copy = outline(&text);
            assert_eq!(copy.len(), text.len(), "{text:?}");
            if let Some(found) = blocks(&copy) {
                assert_eq!(Some(found), blocks(&text), "{text:?} as {copy:?}");
            }
        }
    }
}
