//! The code of a result.

use super::Hit;

/// Tokens of a body beside others.
const BODY_TOKENS: usize = 110;

/// The code of a result as it is now, as much of its beginning as fits.
pub(super) fn body(project: &::index::Project, hit: &Hit) -> Option<String> {
    let place = project.root.join(&hit.path);
    let ::index::read::Content::Text { text, .. } =
        ::index::read::read_source(&place, u64::from(u32::MAX)).0
    else {
        return None;
    };
    let mut body = String::new();
    let count = (hit.line_end - hit.line_start) as usize + 1;
    let mut left = BODY_TOKENS;
    for line in text.lines().skip(hit.line_start as usize - 1).take(count) {
        let Some(used) = tokens::count_within(line, left) else {
            body.push_str("…\n");
            break;
        };
        left = left.saturating_sub(used + 1);
        body.push_str(line.trim_end());
        body.push('\n');
    }
    body.pop();
    Some(body)
}
