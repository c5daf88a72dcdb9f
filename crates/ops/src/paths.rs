//! How people name files: a path, a directory, a glob.

use globset::{GlobBuilder, GlobMatcher};
use store::Reader;

use crate::workspace::unusable;
use crate::{Error, Kind, Result};

/// Files that are meant by a word.
#[derive(Debug)]
pub(crate) enum Place {
    /// A file, or everything below a directory.
    At(String),
    Glob(Box<GlobMatcher>),
}

impl Place {
    /// A path or glob from the root of the project. `./src/`, `src` and `src\` are the same place.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let path = normal(text);
        if !path.contains(['*', '?', '[', '{']) {
            return Ok(Self::At(path));
        }
        // Without a slash, the name of a file is meant, wherever it stands.
        let path = if path.contains('/') { path } else { format!("**/{path}") };
        let glob = GlobBuilder::new(&path)
            .literal_separator(true)
            .build()
            .map_err(|error| bad_glob(text, &error))?;
        Ok(Self::Glob(Box::new(glob.compile_matcher())))
    }

    /// The same, but a file or directory of the project that is called like a glob is what is meant.
    pub(crate) fn named(reader: &Reader, text: &str) -> Result<Self> {
        let place = Self::parse(text);
        let literal = normal(text);
        if matches!(place, Ok(Self::At(_))) || literal.len() > LONGEST_PATH {
            return place;
        }
        let exists: bool = reader
            .connection()
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM file WHERE retired IS NULL AND path = ?1)
                     OR EXISTS (SELECT 1 FROM file
                                WHERE retired IS NULL AND path > ?1 || '/' AND path < ?1 || '0')",
            )
            .and_then(|mut statement| statement.query_row([&literal], |row| row.get(0)))
            .map_err(unusable)?;
        if exists { Ok(Self::At(literal)) } else { place }
    }

    pub(crate) fn holds(&self, path: &str) -> bool {
        match self {
            Self::At(place) if place.is_empty() => true,
            Self::At(place) => path
                .strip_prefix(place.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/')),
            Self::Glob(glob) => glob.is_match(path),
        }
    }
}

/// No system has longer paths.
const LONGEST_PATH: usize = 4096;

fn normal(text: &str) -> String {
    let path = text.trim().replace('\\', "/");
    let path = path.trim_start_matches("./").trim_end_matches('/');
    if path == "." { String::new() } else { path.to_owned() }
}

fn bad_glob(text: &str, error: &globset::Error) -> Error {
    let message = format!("`{}` is no glob: {}", crate::text::one_line(text, 100), error.kind());
    Error::new(Kind::Usage, message)
        .hint("For instance `src/**/*.rs`, `*_test.go`, `{lib,src}/*.ts`.")
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn cm_75_directories_files_and_globs_are_places() {
        let holds = |place: &str, path: &str| Place::parse(place).expect("a place").holds(path);
        for place in ["./src/cli/", "src/cli", "src\\cli", "src/cli/main.rs", "*.rs", "src/**"] {
            assert!(holds(place, "src/cli/main.rs"), "{place}");
        }
        for place in ["src/cl", "cli", "src/*.rs", "*.py", "src/cli/main.r"] {
            assert!(!holds(place, "src/cli/main.rs"), "{place}");
        }
        assert!(holds(".", "anything") && holds("", "anything"));
        assert!(Place::parse("src/[").is_err() && Place::parse("{a").is_err());
    }
}
