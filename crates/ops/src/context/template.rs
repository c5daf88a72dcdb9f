//! What in the text of an issue is the form that was filled in, and says nothing about the task.
//!
//! Forms of a project are files of it, so their lines are known; what is left out besides are comments and
//! boxes to tick, which only forms have.

use std::borrow::Cow;

use rustc_hash::FxHashSet;
use store::Reader;
use store::rusqlite::Result;

/// Forms that are read at most, and their longest.
const MAX_FORMS: usize = 20;
const MAX_BYTES: u64 = 64 << 10;

/// The text without what the project's own forms say.
pub(super) fn filled_in<'t>(
    text: &'t str,
    project: &::index::Project,
    reader: &Reader,
) -> Result<Cow<'t, str>> {
    // A sentence is no form.
    if text.lines().nth(1).is_none() {
        return Ok(Cow::Borrowed(text));
    }
    Ok(without(text, &lines_of_forms(project, reader)?))
}

fn lines_of_forms(project: &::index::Project, reader: &Reader) -> Result<FxHashSet<String>> {
    let mut lines = FxHashSet::default();
    let heads = reader.file_heads()?;
    let forms = heads.iter().filter(|head| is_form(&head.path)).take(MAX_FORMS);
    for form in forms {
        let place = project.root.join(&form.path);
        if let ::index::read::Content::Text { text, .. } =
            ::index::read::read_source(&place, MAX_BYTES).0
        {
            lines.extend(text.lines().map(plain).filter(|line| !line.is_empty()));
        }
    }
    Ok(lines)
}

/// `.github/ISSUE_TEMPLATE/bug.yml`, `.gitlab/issue_templates/bug.md`, `PULL_REQUEST_TEMPLATE.md`.
fn is_form(path: &str) -> bool {
    let path = path.to_lowercase();
    ["issue_template", "pull_request_template", "merge_request_template"]
        .iter()
        .any(|word| path.contains(word))
}

fn without<'t>(text: &'t str, form: &FxHashSet<String>) -> Cow<'t, str> {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        kept.push_str(before);
        rest = comment.split_once("-->").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    let own: Vec<&str> =
        kept.lines().filter(|line| !is_box(line) && !form.contains(&plain(line))).collect();
    let own = own.join("\n");
    match own.trim().is_empty() {
        // All of it is form: then that is what the text is about.
        true => Cow::Borrowed(text),
        false => Cow::Owned(own),
    }
}

/// `- [x] I have read the documentation`
fn is_box(line: &str) -> bool {
    let line = line.trim_start();
    ["- [ ]", "- [x]", "- [X]", "* [ ]", "* [x]", "* [X]"].iter().any(|mark| line.starts_with(mark))
}

/// A line as a form and the filled-in text both have it: without signs around it, and without the key that
/// it has in a form of YAML.
fn plain(line: &str) -> String {
    let mut line = line.trim();
    for key in ["- type:", "label:", "description:", "value:", "placeholder:", "- label:"] {
        line = line.strip_prefix(key).unwrap_or(line);
    }
    line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::{is_form, plain, without};

    #[test]
    fn a_form_is_not_what_was_written_into_it() {
        let form =
            ["### Steps to reproduce", "  label: What happened?", "Thank you for your help!"];
        let form = form.iter().map(|line| plain(line)).collect();
        let text = "Cache is never emptied\n<!-- say what\nyou did -->\n### What happened?\n\nIt grows.\n\
            ## Steps to reproduce\n- [x] I have searched\nrun it\nThank you for your help!\n";
        assert_eq!(without(text, &form), "Cache is never emptied\n\n\nIt grows.\nrun it");
        assert_eq!(without("- [x] all of it\n", &form), "- [x] all of it\n");
        assert!(is_form(".github/ISSUE_TEMPLATE/bug_report.yml") && !is_form("src/template.rs"));
    }
}
