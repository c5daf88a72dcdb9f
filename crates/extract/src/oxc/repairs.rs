//! Flow, read as TypeScript.
//!
//! Most of Flow is TypeScript as well, and most of the rest can be written so without moving anything:
//! the parser says where it is at a loss, what stands there is blanked or spelt as TypeScript has it, and
//! the parser tries again. What it then reads names the same things at the same places. The general
//! parser, which is left with the other files, takes several times as long and knows no more of Flow.

/// The bytes of all copies of a file together, which are kept with what was read of them.
const MAX_COPIED: usize = 2 << 20;

/// The copy of a text that can be read.
#[derive(Debug)]
pub(super) struct Repairs {
    text: Vec<u8>,
    may_copy: usize,
}

impl Repairs {
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.as_bytes().to_vec(), may_copy: MAX_COPIED }
    }

    /// The text without what the parser did not understand at this place; none if that cannot be helped.
    pub(super) fn repaired(&mut self, at: usize, complaint: &str) -> Option<&str> {
        self.may_copy = self.may_copy.checked_sub(self.text.len())?;
        let (start, instead) = repair(std::str::from_utf8(&self.text).ok()?, at, complaint)?;
        self.text[start..start + instead.len()].copy_from_slice(instead.as_bytes());
        std::str::from_utf8(&self.text).ok()
    }
}

/// Where to write what, in the place of as many bytes.
fn repair(text: &str, at: usize, complaint: &str) -> Option<(usize, &'static str)> {
    let (before, rest) = text.split_at_checked(at)?;
    let behind = |sign: &str| rest.strip_prefix(sign).map(str::trim_start);
    // An object may have more fields: `{name: string, ...}`.
    if behind("...").is_some_and(|rest| rest.starts_with(['}', ',', '|'])) {
        return Some((at, "   "));
    }
    // Something can only be read, or only be written: `{+name: string}`, `Element<+C>`.
    if rest.starts_with(['+', '-']) {
        return Some((at, " "));
    }
    // An object has these fields and no others: `{| name: string |}`.
    if rest.starts_with('|') && (before.ends_with('{') || rest.starts_with("|}")) {
        return Some((at, " "));
    }
    // `opaque type Id = string`; without `export`, the parser stumbles behind the word.
    if behind("opaque").is_some_and(|rest| rest.starts_with("type")) {
        return Some((at, "      "));
    }
    if before.ends_with("opaque") && rest.trim_start().starts_with("type") {
        return Some((at - "opaque".len(), "      "));
    }
    // `import typeof Store from './store'`
    if rest.starts_with("typeof") {
        return Some((at, "type  "));
    }
    // What a type must be, `<T: Iterable>`, is written like what it is by default.
    if rest.starts_with(':') && complaint.contains("`>`") {
        return Some((at, "="));
    }
    // The function tells the type of what it is given; the parser stumbles over the end of the word before.
    let checks = at + rest.len() - rest.trim_start().len();
    text[checks..].starts_with("%checks").then_some((checks, "       "))
}
