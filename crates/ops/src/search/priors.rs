//! What the path of a file says about how likely it is meant.

use store::FileHead;

use super::question::Question;
use super::rank::Mode;

const TEST: f64 = 0.35;
/// Where tests are the subject of a project, its code speaks of them too.
const ASKED_TEST: f64 = 0.7;
const GENERATED: f64 = 0.4;
const VENDORED: f64 = 0.3;
const ASIDE: f64 = 0.6;
/// A task is done in code, and prose has more of the words of any text.
const PROSE_FOR_TASK: f64 = 0.3;
const HISTORY: f64 = 0.5;
const BARREL: f64 = 0.7;

/// Directories with code that is beside the point, and the word of a question that calls for it.
const ASIDE_DIRECTORIES: [(&str, &str); 22] = [
    ("__snapshots__", "snapshot"),
    ("bench", "bench"),
    ("benches", "bench"),
    ("benchmark", "bench"),
    ("benchmarks", "bench"),
    ("compat", "compat"),
    ("demo", "demo"),
    ("demos", "demo"),
    ("doc", "doc"),
    ("docs", "doc"),
    ("documentation", "document"),
    ("example", "exampl"),
    ("examples", "exampl"),
    ("fixtures", "fixtur"),
    ("legacy", "legaci"),
    ("playground", "playground"),
    ("sample", "sampl"),
    ("samples", "sampl"),
    ("scripts", "script"),
    ("snapshots", "snapshot"),
    ("testdata", "test"),
    ("testing", "test"),
];

const VENDOR_DIRECTORIES: [&str; 5] =
    ["node_modules", "third_party", "third-party", "vendor", "vendored"];

/// Directories that hold copies of what others wrote only where they are outermost: inside of a project,
/// these are words for parts of its own.
const OUTERMOST_VENDOR: [&str; 4] = ["deps", "extern", "external", "externals"];

/// What a web server hands out; a directory of libraries in it holds those of others.
const SERVED_DIRECTORIES: [&str; 4] = ["assets", "public", "static", "wwwroot"];
const LIBRARY_DIRECTORIES: [&str; 3] = ["lib", "libraries", "libs"];

/// Files that speak of everything that ever was.
const HISTORIES: [&str; 4] = ["changelog", "changes", "history", "release"];
/// Directories of the steps in which a database came to be what it is.
const MIGRATIONS: [&str; 4] = ["migrate", "migration", "migrations", "post_migrate"];

/// The prior of a file. Code is asked for rather than prose or data, which have no definitions.
pub(super) fn prior(
    question: &Question,
    mode: Mode,
    head: &FileHead,
    has_definitions: bool,
) -> f64 {
    // A long text has every word somewhere.
    let asks =
        |stem: &str| question.words.iter().any(|word| word.in_title && word.stem.starts_with(stem));
    let mut prior = 1.0;
    if head.is_test {
        prior *= if asks("test") || asks("spec") { ASKED_TEST } else { TEST };
    }
    if head.is_generated && !asks("generat") {
        prior *= GENERATED;
    }
    if head.is_barrel {
        prior *= BARREL;
    }
    let path = head.path.to_lowercase();
    let directories: Vec<&str> = path.split('/').rev().skip(1).collect();
    if is_of_others(&directories) && !asks("vendor") {
        prior *= VENDORED;
    }
    let is_aside = directories.iter().any(|directory| {
        ASIDE_DIRECTORIES.iter().any(|(name, word)| name == directory && !asks(word))
    });
    let file = path.rsplit('/').next().unwrap_or_default();
    let is_history = HISTORIES.iter().any(|name| file.starts_with(name));
    let is_step = directories.first().is_some_and(|directory| MIGRATIONS.contains(directory));
    if is_history && !asks("chang") && !asks("releas") || is_step && !asks("migrat") {
        prior *= HISTORY;
    }
    let is_prose = !has_definitions && !asks("document") && !asks("readm");
    if is_prose && mode.is_task {
        prior *= PROSE_FOR_TASK;
    } else if is_aside || is_prose {
        prior *= ASIDE;
    }
    prior
}

/// Whether a file is a copy of what others wrote, by its directories, the nearest first.
fn is_of_others(directories: &[&str]) -> bool {
    let library = directories.iter().position(|name| LIBRARY_DIRECTORIES.contains(name));
    directories.iter().any(|name| VENDOR_DIRECTORIES.contains(name))
        || directories.last().is_some_and(|outermost| OUTERMOST_VENDOR.contains(outermost))
        || library.is_some_and(|at| {
            directories[at..].iter().any(|name| SERVED_DIRECTORIES.contains(name))
        })
}

/// Of the many words of a text, no name of a file has more than these.
const MOST_IN_NAME: usize = 10;

/// Share of the words of a question that stand in the name of a file; those in the name of its directory
/// count half.
pub(super) fn share_in_name(question: &Question, path: &str) -> f64 {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let mut stem = file.split('.').next().unwrap_or(file);
    let mut directory = parts.next().unwrap_or_default();
    if ENTRY_FILES.contains(&stem) {
        // The file that speaks for its directory.
        stem = directory;
        directory = parts.next().unwrap_or_default();
    }
    let (in_file, in_directory) = (folded(stem), folded(directory));
    let mut share = 0.0;
    for word in &question.words {
        let meets = |part: &String| {
            *part == word.folded
                || part.starts_with(&word.stem) && word.stem.len() >= 4
                || word.folded.starts_with(part.as_str()) && part.len() >= 4
        };
        if in_file.iter().any(meets) {
            share += 1.0;
        } else if in_directory.iter().any(meets) {
            share += 0.5;
        }
    }
    share / question.words.len().clamp(1, MOST_IN_NAME) as f64
}

/// Files that speak for the directory they are in.
const ENTRY_FILES: [&str; 6] = ["__init__", "index", "init", "lib", "main", "mod"];

fn folded(text: &str) -> Vec<String> {
    words::parts(text).map(str::to_lowercase).collect()
}
