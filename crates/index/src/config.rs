//! `config.toml`: what it may say, and how its layers combine.
//!
//! Layers: defaults < user (`~/.config/groma/config.toml`) < project (`.groma/config.toml`) <
//! environment (`GROMA_…`) < flags. The project's layer comes with the repository, so it can narrow
//! limits but not widen them.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{Error, Kind};

/// Directories that hold what tools made, not what people wrote.
pub const DEFAULT_EXCLUDED_DIRECTORIES: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    "target",
    "dist",
    "build",
    "__pycache__",
    ".venv",
    "vendor",
    ".next",
    ".nuxt",
    "coverage",
    ".cache",
];

/// Of these, names that a package may have too: below a directory of sources they are sources.
pub const AMONG_SOURCES: &[&str] = &["target", "dist", "build", "coverage"];
/// What a directory of sources is called.
pub const SOURCES: &str = "src";

/// The configuration in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Globs of files to index; everything if empty.
    pub include: Vec<String>,
    /// Globs of files and directories to leave out.
    pub exclude: Vec<String>,
    /// Names of directories to leave out wherever they stand.
    pub excluded_directories: Vec<String>,
    /// Bytes; larger files are listed but not read.
    pub max_file_size: u64,
    /// Worker processes.
    pub workers: usize,
    /// Milliseconds a file may take.
    pub file_timeout: u64,
    /// Keep the text of all files for full-text queries.
    pub text_index: bool,
    /// Most tokens of an answer; none for as many as it takes.
    pub max_tokens: Option<usize>,
    /// Characters of a signature in brief views of the compact form.
    pub brief_signature: usize,
    /// Characters of documentation, likewise.
    pub brief_docs: usize,
    /// Which files may depend on which.
    pub boundaries: Vec<Boundary>,
    /// Remember which recipes were run, and when.
    pub recipe_recency: bool,
    /// Notes for the user: settings of the project that were not followed, and why.
    pub notices: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            include: Vec::new(),
            exclude: Vec::new(),
            excluded_directories: DEFAULT_EXCLUDED_DIRECTORIES
                .iter()
                .map(|&name| name.into())
                .collect(),
            max_file_size: 1 << 20,
            workers: processors.clamp(2, 6),
            file_timeout: 5000,
            text_index: false,
            max_tokens: None,
            brief_signature: 120,
            brief_docs: 100,
            boundaries: Vec::new(),
            recipe_recency: true,
            notices: Vec::new(),
        }
    }
}

impl Config {
    /// Whether a directory is left out for its name. Names that somebody gave are left out wherever they stand.
    pub(crate) fn leaves_out(&self, path: &str) -> bool {
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let may_be_source = || {
            AMONG_SOURCES.contains(&name)
                && above.split('/').any(|part| part == SOURCES)
                && self.excluded_directories.iter().eq(DEFAULT_EXCLUDED_DIRECTORIES)
        };
        self.excluded_directories.iter().any(|excluded| excluded == name) && !may_be_source()
    }
}

/// Settings of one layer; what is not said stays as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Layer {
    pub include: Option<Vec<String>>,
    pub exclude: Option<Vec<String>>,
    pub excluded_directories: Option<Vec<String>>,
    pub max_file_size: Option<u64>,
    pub workers: Option<usize>,
    pub file_timeout: Option<u64>,
    pub text_index: Option<bool>,
    pub max_tokens: Option<usize>,
    pub brief_signature: Option<usize>,
    pub brief_docs: Option<usize>,
    pub boundaries: Option<Vec<Boundary>>,
    pub recipe_recency: Option<bool>,
}

/// A rule on which files may depend on which, by globs as SQLite's GLOB has them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Boundary {
    pub name: String,
    pub from: String,
    pub to: String,
    #[serde(default)]
    pub action: BoundaryAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoundaryAction {
    #[default]
    Deny,
    Allow,
}

impl BoundaryAction {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Allow => "allow",
        }
    }
}

/// Every key with its meaning, for the reference page. A test holds it equal to [`Layer`].
pub const KEYS: &[(&str, &str, &str)] = &[
    ("include", "list of globs", "Files to index, from the root; everything if empty."),
    (
        "exclude",
        "list of globs",
        "Files and directories to leave out, besides those that `.gitignore` names.",
    ),
    (
        "excluded-directories",
        "list of names",
        "Directories to leave out wherever they stand. Replaces the default list.",
    ),
    (
        "max-file-size",
        "bytes",
        "Larger files are listed, but not read. Default 1048576. A project can only lower it.",
    ),
    (
        "workers",
        "number",
        "Worker processes. Default: one per processor, at least 2, at most 6. A project can only lower it.",
    ),
    (
        "file-timeout",
        "milliseconds",
        "How long one file may take. Default 5000. A project can only lower it.",
    ),
    (
        "text-index",
        "true or false",
        "Keep the text of all files in `source_fts` for full-text queries. Default false.",
    ),
    (
        "max-tokens",
        "number",
        "Most tokens of an answer, at least 50. Default: as many as it takes. A project can only lower it.",
    ),
    (
        "brief-signature",
        "characters",
        "How much of a signature lists in compact form show. Default 120.",
    ),
    (
        "brief-docs",
        "characters",
        "How much of the documentation of a symbol lists in compact form show. Default 100.",
    ),
    (
        "boundaries",
        "list of tables",
        "Which files may depend on which: `[[boundaries]]` with `name`, `from`, `to` (globs of SQLite, in which `*` crosses `/`) and `action` (`deny` unless said, or `allow`). The table `boundary_rules` shows them.",
    ),
    (
        "recipe-recency",
        "true or false",
        "Remember in `user.db` which recipes were run, and when. Default true.",
    ),
];

const LIMITS: std::ops::RangeInclusive<u64> = 1..=(1 << 30);

impl Config {
    /// The configuration for a project: all layers but the flags.
    pub fn load(state_directory: &Path) -> Result<Self, Error> {
        let mut config = Self::default();
        if let Some(path) = user_file()
            && let Some(layer) = read_layer(&path)?
        {
            config.apply(layer, &path.display().to_string())?;
        }
        let path = state_directory.join("config.toml");
        if let Some(layer) = read_layer(&path)? {
            config.apply_narrowing(layer, &path.display().to_string())?;
        }
        config.apply(environment()?, "the environment")?;
        Ok(config)
    }

    /// Lays a trusted layer over what is there.
    pub fn apply(&mut self, layer: Layer, origin: &str) -> Result<(), Error> {
        check(&layer, origin)?;
        let Layer {
            include,
            exclude,
            excluded_directories,
            max_file_size,
            workers,
            file_timeout,
            text_index,
            max_tokens,
            brief_signature,
            brief_docs,
            boundaries,
            recipe_recency,
        } = layer;
        replace(&mut self.include, include);
        if let Some(exclude) = exclude {
            self.exclude.extend(exclude);
        }
        replace(&mut self.excluded_directories, excluded_directories);
        replace(&mut self.max_file_size, max_file_size);
        replace(&mut self.workers, workers);
        replace(&mut self.file_timeout, file_timeout);
        replace(&mut self.text_index, text_index);
        self.max_tokens = max_tokens.or(self.max_tokens);
        replace(&mut self.brief_signature, brief_signature);
        replace(&mut self.brief_docs, brief_docs);
        replace(&mut self.boundaries, boundaries);
        replace(&mut self.recipe_recency, recipe_recency);
        Ok(())
    }

    /// Lays the project's layer over what is there; limits only go down.
    fn apply_narrowing(&mut self, mut layer: Layer, origin: &str) -> Result<(), Error> {
        check(&layer, origin)?;
        let mut refuse = |key: &str, wanted: Option<u64>, limit: u64| -> bool {
            let widens = wanted.is_some_and(|wanted| wanted > limit);
            if widens {
                self.notices.push(format!(
                    "{origin}: `{key}` stays at {limit}; a project can lower it, not raise it"
                ));
            }
            widens
        };
        if refuse("max-file-size", layer.max_file_size, self.max_file_size) {
            layer.max_file_size = None;
        }
        if refuse("workers", layer.workers.map(|n| n as u64), self.workers as u64) {
            layer.workers = None;
        }
        if refuse("file-timeout", layer.file_timeout, self.file_timeout) {
            layer.file_timeout = None;
        }
        if let Some(limit) = self.max_tokens
            && refuse("max-tokens", layer.max_tokens.map(|n| n as u64), limit as u64)
        {
            layer.max_tokens = None;
        }
        self.apply(layer, origin)
    }
}

fn replace<T>(slot: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *slot = value;
    }
}

fn check(layer: &Layer, origin: &str) -> Result<(), Error> {
    let numbers = [
        ("max-file-size", layer.max_file_size),
        ("workers", layer.workers.map(|workers| workers as u64)),
        ("file-timeout", layer.file_timeout),
        ("max-tokens", layer.max_tokens.map(|tokens| tokens as u64)),
        ("brief-signature", layer.brief_signature.map(|length| length as u64)),
        ("brief-docs", layer.brief_docs.map(|length| length as u64)),
    ];
    for (key, value) in numbers {
        if value.is_some_and(|value| !LIMITS.contains(&value)) {
            return Err(Error::new(
                Kind::Usage,
                format!(
                    "{origin}: `{key}` must be between {} and {}",
                    LIMITS.start(),
                    LIMITS.end()
                ),
            ));
        }
    }
    if layer.workers.is_some_and(|workers| workers > 64) {
        return Err(Error::new(Kind::Usage, format!("{origin}: `workers` must be at most 64")));
    }
    let mut names = std::collections::HashSet::new();
    for boundary in layer.boundaries.iter().flatten() {
        if boundary.name.is_empty() || !names.insert(&boundary.name) {
            let message = format!(
                "{origin}: every one of `boundaries` has a `name` of its own, not `{}`",
                boundary.name
            );
            return Err(Error::new(Kind::Usage, message));
        }
    }
    let globs = layer.include.iter().chain(&layer.exclude).flatten();
    for glob in globs {
        if glob.starts_with('/') || glob.split('/').any(|part| part == "..") {
            return Err(Error::new(
                Kind::Usage,
                format!("{origin}: the glob `{glob}` leaves the project"),
            )
            .hint("Globs are matched from the root of the project: `src/**`, `**/*.gen.go`."));
        }
        globset::Glob::new(glob)
            .map_err(|error| Error::new(Kind::Usage, format!("{origin}: {error}")))?;
    }
    Ok(())
}

fn user_file() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.config_dir().join("groma/config.toml"))
}

/// The files that a configuration is made of, whether or not they are there.
pub(crate) fn files(state_directory: &Path) -> Vec<PathBuf> {
    user_file().into_iter().chain([state_directory.join("config.toml")]).collect()
}

/// A layer from a file; none if there is no file. Anything but a regular file is refused.
fn read_layer(path: &Path) -> Result<Option<Layer>, Error> {
    let Some(text) = crate::read::read_small_file(path)? else { return Ok(None) };
    parse(&text, &path.display().to_string()).map(Some)
}

/// Parses a layer; errors name the line and the legal keys.
pub fn parse(text: &str, origin: &str) -> Result<Layer, Error> {
    toml::from_str(text).map_err(|error| {
        let keys: Vec<&str> = KEYS.iter().map(|(key, ..)| *key).collect();
        Error::new(Kind::Usage, format!("{origin}: {}", error.to_string().trim_end()))
            .hint(format!("Known keys: {}.", keys.join(", ")))
    })
}

fn environment() -> Result<Layer, Error> {
    fn number<T: std::str::FromStr>(name: &str) -> Result<Option<T>, Error> {
        let Ok(text) = std::env::var(name) else { return Ok(None) };
        text.parse()
            .map(Some)
            .map_err(|_| Error::new(Kind::Usage, format!("{name} is `{text}`, which is no number")))
    }
    let text_index = match std::env::var("GROMA_TEXT_INDEX").as_deref() {
        Ok("1" | "true") => Some(true),
        Ok("0" | "false") => Some(false),
        Ok(other) => {
            let message = format!("GROMA_TEXT_INDEX is `{other}`; legal: 1, 0, true, false");
            return Err(Error::new(Kind::Usage, message));
        }
        Err(_) => None,
    };
    Ok(Layer {
        max_file_size: number("GROMA_MAX_FILE_SIZE")?,
        workers: number("GROMA_WORKERS")?,
        file_timeout: number("GROMA_FILE_TIMEOUT")?,
        text_index,
        max_tokens: number("GROMA_MAX_TOKENS")?,
        ..Layer::default()
    })
}

#[cfg(test)]
mod tests {
    use super::{Config, KEYS, parse};

    #[test]
    fn cm_12_unknown_keys_are_refused_with_their_line_and_the_legal_keys() {
        let error = parse("exclude = []\nexlude = []\n", "config.toml").expect_err("a typo");
        assert!(error.message.contains("line 2"), "{}", error.message);
        assert!(error.message.contains("exlude"), "{}", error.message);
        assert!(error.hint.expect("a hint").contains("excluded-directories"));
    }

    #[test]
    fn every_key_is_documented() {
        for (key, ..) in KEYS {
            let error = parse(&format!("{key} = 1.5"), "x").expect_err("no key takes this");
            assert!(!error.message.contains("unknown field"), "{key}: {}", error.message);
        }
        let error = parse("nothing = 1", "x").expect_err("there is no such key");
        for (key, ..) in KEYS {
            assert!(error.message.contains(&format!("`{key}`")), "{key}");
        }
        assert_eq!(error.message.matches('`').count() / 2, KEYS.len() + 1, "{}", error.message);
    }

    #[test]
    fn a_project_lowers_limits_but_cannot_raise_them() {
        let mut config = Config::default();
        let before = config.max_file_size;
        let layer = parse("max-file-size = 99999999\nfile-timeout = 10", "p").expect("it is legal");
        config.apply_narrowing(layer, "p").expect("it is legal");
        assert_eq!(config.max_file_size, before);
        assert_eq!(config.file_timeout, 10);
        assert_eq!(config.notices.len(), 1);
    }

    #[test]
    fn globs_that_leave_the_project_are_refused() {
        let mut config = Config::default();
        for glob in ["../../**", "/etc/**"] {
            let layer = parse(&format!("include = [\"{glob}\"]"), "p").expect("it is TOML");
            assert!(config.apply(layer, "p").is_err(), "{glob}");
        }
    }
}
