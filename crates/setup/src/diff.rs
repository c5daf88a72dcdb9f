//! What an edit changes, for people.

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// The lines from the first to the last that differ, with a few around them.
pub(crate) fn diff(before: &str, after: &str) -> String {
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(same).count();
    let (removed, added) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let start = head.saturating_sub(CONTEXT);
    let end = (old.len() - tail + CONTEXT).min(old.len());
    let mut out = format!(
        "@@ -{},{} +{},{} @@\n",
        if end > start { start + 1 } else { start },
        end - start,
        start + 1,
        end - start + added.len() - removed.len(),
    );
    let mut lines = |sign: char, lines: &[&str]| {
        for line in lines {
            out.push(sign);
            out.push_str(line);
            out.push('\n');
        }
    };
    lines(' ', &old[start..head]);
    lines('-', removed);
    lines('+', added);
    lines(' ', &old[old.len() - tail..end]);
    out
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn only_what_differs_is_shown_with_a_few_lines_around_it() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n";
        assert_eq!(
            diff(before, "1\n2\n3\n4\nfive\nsix\n6\n7\n8\n"),
            "@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+six\n 6\n 7\n 8\n"
        );
        assert_eq!(diff("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
        assert_eq!(diff("a\n", ""), "@@ -1,1 +1,0 @@\n-a\n");
        assert_eq!(diff("a\na\n", "a\n"), "@@ -1,2 +1,1 @@\n a\n-a\n");
    }
}
