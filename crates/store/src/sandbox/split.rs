//! Where statements end, and which words they consist of, as SQLite sees it.

/// A word of a statement that is no part of a text, a quoted name or a comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'t> {
    pub text: &'t str,
    /// Byte at which it begins.
    pub at: usize,
    /// Whether a bracket follows, as behind the name of a function.
    pub is_called: bool,
}

/// The statements of a text, without what stands between them. Pieces without a word are none.
pub fn statements(sql: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = None;
    let mut end = 0;
    for piece in Pieces::new(sql) {
        match piece.kind {
            Kind::Space => {}
            Kind::End => found.extend(start.take().and_then(|start| sql.get(start..end))),
            Kind::Word | Kind::Other => {
                start.get_or_insert(piece.start);
                end = piece.end;
            }
        }
    }
    found.extend(start.and_then(|start| sql.get(start..end)));
    found
}

/// The words of a text.
pub fn words(sql: &str) -> Vec<Word<'_>> {
    let pieces: Vec<Piece> = Pieces::new(sql).filter(|piece| piece.kind != Kind::Space).collect();
    let text = |piece: &Piece| sql.get(piece.start..piece.end).unwrap_or_default();
    let is_bracket = |piece: Option<&Piece>| piece.is_some_and(|piece| text(piece) == "(");
    let word = |(at, piece): (usize, &Piece)| {
        (piece.kind == Kind::Word).then(|| Word {
            text: text(piece),
            at: piece.start,
            is_called: is_bracket(pieces.get(at + 1)),
        })
    };
    pieces.iter().enumerate().filter_map(word).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// White space and comments.
    Space,
    Word,
    /// Texts, quoted names, numbers and signs.
    Other,
    /// A semicolon.
    End,
}

struct Piece {
    kind: Kind,
    start: usize,
    end: usize,
}

struct Pieces<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Pieces<'t> {
    fn new(sql: &'t str) -> Self {
        Self { bytes: sql.as_bytes(), at: 0 }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The place behind the next such byte, or the end.
    fn behind(&self, from: usize, wanted: impl Fn(usize) -> bool) -> usize {
        (from..self.bytes.len()).find(|at| wanted(*at)).unwrap_or(self.bytes.len())
    }

    /// The end of a text in quotes, in which a doubled quote is one sign.
    fn quoted(&self, quote: u8) -> usize {
        let mut at = self.at + 1;
        while at < self.bytes.len() {
            if self.byte(at) == quote {
                if self.byte(at + 1) != quote {
                    return at + 1;
                }
                at += 1;
            }
            at += 1;
        }
        self.bytes.len()
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let start = self.at;
        let first = *self.bytes.get(start)?;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        let (kind, end) = match (first, self.byte(start + 1)) {
            (b'-', b'-') => (Kind::Space, self.behind(start, |at| self.byte(at) == b'\n')),
            (b'/', b'*') => {
                let closes = |at: usize| self.byte(at) == b'*' && self.byte(at + 1) == b'/';
                (Kind::Space, (self.behind(start + 2, closes) + 2).min(self.bytes.len()))
            }
            (b' ' | b'\t' | b'\n' | b'\r' | 0x0c, _) => (Kind::Space, start + 1),
            (b';', _) => (Kind::End, start + 1),
            (b'\'' | b'"' | b'`', _) => (Kind::Other, self.quoted(first)),
            (b'[', _) => {
                let end = self.behind(start, |at| self.byte(at) == b']') + 1;
                (Kind::Other, end.min(self.bytes.len()))
            }
            // A number may end in letters, which are no word of their own.
            (b'0'..=b'9', _) => (Kind::Other, self.behind(start, |at| !is_word(self.byte(at)))),
            // Parameters, likewise.
            (b':' | b'@' | b'$', next) if is_word(next) => {
                (Kind::Other, self.behind(start + 1, |at| !is_word(self.byte(at))))
            }
            (byte, _) if is_word(byte) => {
                (Kind::Word, self.behind(start, |at| !is_word(self.byte(at))))
            }
            _ => (Kind::Other, start + 1),
        };
        self.at = end;
        Some(Piece { kind, start, end })
    }
}

#[cfg(test)]
mod tests {
    use super::{statements, words};

    #[test]
    fn statements_end_at_semicolons_that_are_no_part_of_anything() {
        for (sql, expected) in [
            ("", &[][..]),
            (" ; -- nothing\n;/* at ; all */", &[]),
            ("SELECT 1", &["SELECT 1"]),
            (
                " SELECT ';' ; -- ;\n SELECT \";\", [;], `;` ;",
                &["SELECT ';'", "SELECT \";\", [;], `;`"],
            ),
            ("SELECT 'it''s;'", &["SELECT 'it''s;'"]),
            ("SELECT /* ; */ 1", &["SELECT /* ; */ 1"]),
            ("SELECT 'open; SELECT 2", &["SELECT 'open; SELECT 2"]),
            ("SELECT 1 /* open ; SELECT 2", &["SELECT 1"]),
            ("é;ü", &["é", "ü"]),
            ("\u{b}SELECT 1", &["\u{b}SELECT 1"]),
        ] {
            assert_eq!(statements(sql), expected, "{sql}");
        }
    }

    #[test]
    fn words_are_no_texts_and_no_comments() {
        let found: Vec<&str> =
            words("SELECT 'drop' AS \"drop\", [drop], :drop, 1e5drop -- drop\n/*drop*/FROM t")
                .iter()
                .map(|word| word.text)
                .collect();
        assert_eq!(found, ["SELECT", "AS", "FROM", "t"]);
        let called = words("replace (a), b");
        assert!(called[0].is_called && !called[1].is_called);
        assert_eq!(called[1].at, 9);
    }
}
