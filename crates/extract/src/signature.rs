//! Signatures and types as one line of text.

/// A signature longer than this is cut.
pub(crate) const MAX_SIGNATURE: usize = 2000;

/// White space folded to single spaces, none after an opening bracket or before a closing one or a
/// comma, and no trailing comma before a closing bracket.
pub(crate) fn normalise<'t>(pieces: impl IntoIterator<Item = &'t str>) -> String {
    let mut out = String::new();
    for piece in pieces {
        out.reserve(piece.len().min(MAX_SIGNATURE));
        for word in words(piece) {
            if out.len() > MAX_SIGNATURE * 2 {
                return out;
            }
            let glued = out.is_empty()
                || out.ends_with(['(', '['])
                || opens_type_arguments(&out)
                || word.starts_with([')', ']', ',', ';'])
                || word.starts_with('>') && out.ends_with(',');
            if word.starts_with([')', ']', '>', '}']) && out.ends_with(',') {
                out.pop();
            }
            if !glued {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
    out
}

/// What stands between white space. Nearly all texts are of one byte a sign, and need not be decoded.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_ascii = text.is_ascii();
    let is_blank = |byte: u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let mut rest = text;
    let mut decoded = text.split_whitespace();
    std::iter::from_fn(move || {
        if !is_ascii {
            return decoded.next();
        }
        let start = rest.bytes().position(|byte| !is_blank(byte))?;
        rest = &rest[start..];
        let length = rest.bytes().position(is_blank).unwrap_or(rest.len());
        let word;
        (word, rest) = rest.split_at(length);
        Some(word)
    })
}

/// Whether the text ends in the `<` of `Map<`, not of `a < b`.
fn opens_type_arguments(text: &str) -> bool {
    text.strip_suffix('<').is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric()))
}

/// Like [`normalise`], without what trails a declaration: `;`, `{`, `:`, `=`, the `\` of a macro.
pub(crate) fn of_declaration<'t>(pieces: impl IntoIterator<Item = &'t str>) -> String {
    let mut text = normalise(pieces);
    let length = text.trim_end_matches([';', '{', ':', '=', ',', ' ', '\\']).len();
    text.truncate(length);
    text
}

#[cfg(test)]
mod tests {
    use super::{normalise, of_declaration};

    #[test]
    fn white_space_is_folded_and_brackets_are_tight() {
        assert_eq!(
            normalise(["fn f(\n    a: u8,\n    b: &str,\n) -> bool"]),
            "fn f(a: u8, b: &str) -> bool"
        );
        assert_eq!(normalise(["\u{b}f(\u{3000}ä,\u{a0}b\r\n)"]), "f(ä, b)");
        assert_eq!(normalise(["f({\n  a,\n  b,\n}: C,\n)"]), "f({ a, b }: C)");
        assert_eq!(normalise(["A = 1 << 2 ?? b,  C ? D : E"]), "A = 1 << 2 ?? b, C ? D : E");
        assert_eq!(of_declaration(["class A extends B  {"]), "class A extends B");
        assert_eq!(normalise(["const A = 1 << 8"]), "const A = 1 << 8");
        assert_eq!(normalise(["Map<\n  K,\n  V,\n>"]), "Map<K, V>");
        assert_eq!(of_declaration(["def f(a, b):"]), "def f(a, b)");
        assert_eq!(of_declaration(["#define F(a) \\\n"]), "#define F(a)");
    }
}
