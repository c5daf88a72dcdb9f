//! Who owns a file, as a file `CODEOWNERS` says.

use ::index::Project;
use ::index::read::read_small_file;
use globset::{GlobBuilder, GlobMatcher};

/// Where it may stand, by precedence.
const PLACES: &[&str] =
    &[".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"];

#[derive(Debug, Default)]
pub(crate) struct Owners {
    rules: Vec<(Vec<GlobMatcher>, Vec<String>)>,
}

impl Owners {
    pub(crate) fn of(project: &Project) -> Self {
        let read = |place: &&str| read_small_file(&project.root.join(place)).ok().flatten();
        PLACES.iter().find_map(read).map(|text| Self::parse(&text)).unwrap_or_default()
    }

    pub(crate) fn parse(text: &str) -> Self {
        let rule = |line: &str| {
            let line = line.split_once(" #").map_or(line, |(rule, _)| rule).trim();
            // Sections of one forge stand in brackets; their rules count all the same.
            if line.is_empty() || line.starts_with(['#', '[', '^']) {
                return None;
            }
            let mut words = line.split_whitespace();
            let globs = globs(words.next()?);
            Some((globs, words.map(str::to_owned).collect()))
        };
        Self { rules: text.lines().filter_map(rule).collect() }
    }

    /// Those of the last rule that fits; it may name nobody.
    pub(crate) fn of_file(&self, path: &str) -> &[String] {
        let fits = |globs: &[GlobMatcher]| globs.iter().any(|glob| glob.is_match(path));
        let rule = self.rules.iter().rev().find(|(globs, _)| fits(globs));
        rule.map_or(&[], |(_, owners)| owners)
    }
}

/// A pattern is anchored if a slash stands anywhere but at its end. It means the files below a directory of
/// that name too, unless it ends in `/*`, which means those directly in it.
fn globs(pattern: &str) -> Vec<GlobMatcher> {
    let body = pattern.trim_start_matches('/').trim_end_matches('/');
    let is_anchored = pattern.trim_end_matches('/').contains('/');
    let start = if is_anchored { "" } else { "**/" };
    let mut texts = Vec::new();
    if !pattern.ends_with('/') {
        texts.push(format!("{start}{body}"));
    }
    if !pattern.ends_with("/*") {
        texts.push(format!("{start}{body}/**"));
    }
    let glob = |text: &String| GlobBuilder::new(text).literal_separator(true).build().ok();
    texts.iter().filter_map(glob).map(|glob| glob.compile_matcher()).collect()
}

#[cfg(test)]
mod tests {
    use super::Owners;

    #[test]
    fn the_last_rule_that_fits_names_the_owners() {
        let owners = Owners::parse(
            "# all\n*  @all\n*.js @web # scripts\n/docs/ @writers\napps/ @apps\nlib/* @lib\n/build/logs @ops\n*.md\n",
        );
        let of = |path: &str| owners.of_file(path).join(" ");
        assert_eq!(of("src/a.rs"), "@all");
        assert_eq!(of("src/a.js"), "@web");
        assert_eq!((of("docs/x/y.txt"), of("src/docs/y.txt")), ("@writers".into(), "@all".into()));
        assert_eq!(of("deep/apps/x/y.rs"), "@apps");
        assert_eq!((of("lib/a.rs"), of("lib/x/a.rs")), ("@lib".into(), "@all".into()));
        assert_eq!(of("build/logs/a/b"), "@ops");
        assert_eq!(of("README.md"), "");
    }
}
