//! Commands that GitHub Actions reads from the output of a step.

use super::{Findings, Formatted};
use crate::recipes::Level;
use crate::text;

pub(super) fn write(findings: &Findings<'_>) -> Formatted {
    let (found, notes) = findings.located();
    let command = match findings.level() {
        Level::Note => "notice",
        Level::Warning => "warning",
        Level::Error => "error",
    };
    let title = property(&findings.rule());
    let mut out = String::new();
    for finding in found {
        let place = finding.place;
        let mut line = format!("::{command} file={}", property(place.path));
        if let Some(start) = place.start {
            line += &format!(",line={start}");
        }
        if let Some(end) = place.end {
            line += &format!(",endLine={end}");
        }
        line += &format!(",title={title}::{}\n", message(&finding.message));
        out += &line;
    }
    Formatted { text: out, notes }
}

/// On one line: what reads these commands stops at the first line end.
fn message(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    data(&text::visible(&words.join(" ")))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{message, property};

    #[test]
    fn cm_58_messages_are_one_line_and_nothing_in_them_is_a_command() {
        assert_eq!(message("a\n::error::b\r\n100%"), "a ::error::b 100%25");
        assert_eq!(message("50%0A"), "50%250A");
        assert_eq!(property("a,b:c\n%"), "a%2Cb%3Ac%0A%25");
    }
}
