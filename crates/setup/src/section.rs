//! Our section in a file of instructions, between markers; nothing outside them is ever touched.

use crate::json::Problem;

const BEGIN: &str = "<!-- groma:begin -->";
const END: &str = "<!-- groma:end -->";

/// Puts the section into a text: in the place of an older one, or at the end.
pub(crate) fn set(text: &str, section: &str) -> Result<String, Problem> {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let section = format!("{BEGIN}\n{}\n{END}", section.trim()).replace('\n', newline);
    if let Some((start, end)) = find(text)? {
        return Ok(format!("{}{section}{}", &text[..start], &text[end..]));
    }
    let gap = match text {
        "" => "",
        _ if text.ends_with('\n') => newline,
        _ => &newline.repeat(2),
    };
    Ok(format!("{text}{gap}{section}{newline}"))
}

/// Takes the section out, and the empty line that came with it.
pub(crate) fn unset(text: &str) -> Result<String, Problem> {
    let Some((start, end)) = find(text)? else { return Ok(text.to_owned()) };
    let (before, after) = (&text[..start], &text[end..]);
    let after = after.strip_prefix("\r\n").or(after.strip_prefix('\n')).unwrap_or(after);
    let shorter = before.strip_suffix("\r\n").or(before.strip_suffix('\n'));
    let before = shorter.filter(|shorter| shorter.ends_with('\n')).unwrap_or(before);
    Ok(format!("{before}{after}"))
}

/// Where the section stands, with its markers.
fn find(text: &str) -> Result<Option<(usize, usize)>, Problem> {
    let begins = text.matches(BEGIN).count();
    let ends = text.matches(END).count();
    match (text.find(BEGIN), text.find(END)) {
        (None, None) => Ok(None),
        (Some(start), Some(end)) if start < end && begins == 1 && ends == 1 => {
            Ok(Some((start, end + END.len())))
        }
        _ => Err(format!("the markers `{BEGIN}` and `{END}` do not stand there once each")),
    }
}

#[cfg(test)]
mod tests {
    use super::{set, unset};

    #[test]
    fn a_section_comes_is_replaced_and_goes() {
        for text in ["", "# Rules\n", "# Rules\n\nBe kind.\n", "a\r\n", "# Rules\n\n\n"] {
            let with = set(text, "## Groma\n\nAsk it.").expect("a section");
            assert!(with.starts_with(text) && with.contains("Ask it."), "{with:?}");
            assert_eq!(set(&with, "## Groma\n\nAsk it.").as_ref(), Ok(&with));
            let other = set(&with, "## Groma\n\nAsk more.").expect("a section");
            assert!(!other.contains("Ask it.") && other.contains("Ask more."));
            assert_eq!(unset(&other).as_deref(), Ok(text), "after {other:?}");
        }
        let between = "a\n\n<!-- groma:begin -->\nx\n<!-- groma:end -->\nb\n";
        assert_eq!(unset(between).as_deref(), Ok("a\nb\n"));
    }

    #[test]
    fn broken_markers_are_refused() {
        for text in ["<!-- groma:begin -->", "<!-- groma:end --> <!-- groma:begin -->"] {
            assert!(set(text, "x").is_err() && unset(text).is_err());
        }
    }
}
