//! What a task says: what is to be done, and which files, lines and names it speaks of.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;
use store::rusqlite::Result;
use store::{FileHead, Reader};
use words::Stems;

use crate::search::question::{Question, Word};
use crate::symbol_query::last_part;

/// More of a text is not read.
pub(super) const MAX_TEXT: usize = 256 << 10;
/// Distinct words that are weighed against each other, and how many of them are asked for: with more, the
/// words that any text has decide.
const MAX_STEMS: usize = 2000;
const WORDS: usize = 40;
/// Names and places beyond these are passed over: a log is not a list of what matters.
const MAX_NAMED: usize = 40;
/// The first line of an issue is its title; its words count so often.
const TITLE: u32 = 3;
/// A name with more definitions than this says nothing about which one is meant.
const MAX_DEFINITIONS: usize = 12;

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    Refactor,
    Debug,
    Test,
    Feature,
    Explore,
    Other,
}

/// Words that tell an intent, in the order in which they are believed.
const INTENTS: &[(Intent, &[&str])] = &[
    (
        Intent::Refactor,
        &[
            "clean",
            "decoupl",
            "dedupl",
            "extract",
            "inlin",
            "migrat",
            "move",
            "refactor",
            "renam",
            "restructur",
            "simplifi",
            "split",
        ],
    ),
    (
        Intent::Debug,
        &[
            "broken",
            "bug",
            "crash",
            "debug",
            "deadlock",
            "error",
            "except",
            "fail",
            "fix",
            "hang",
            "incorrect",
            "issu",
            "leak",
            "panic",
            "regress",
            "traceback",
            "wrong",
        ],
    ),
    (Intent::Test, &["assert", "coverag", "mock", "test", "untest"]),
    (
        Intent::Feature,
        &[
            "add",
            "allow",
            "build",
            "creat",
            "enabl",
            "extend",
            "featur",
            "implement",
            "introduc",
            "support",
        ],
    ),
    (
        Intent::Explore,
        &[
            "architectur",
            "describ",
            "document",
            "explain",
            "find",
            "how",
            "overview",
            "understand",
            "what",
            "where",
            "which",
            "why",
        ],
    ),
];

impl Intent {
    fn of(text: &str, has_frames: bool) -> Self {
        if has_frames {
            return Self::Debug;
        }
        let stems = Stems::default();
        let title = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        for part in [title, text] {
            let found: Vec<String> =
                words::parts(part).take(400).filter_map(|it| stems.stem(it)).collect();
            let intent = INTENTS
                .iter()
                .find(|(_, signs)| found.iter().any(|stem| signs.contains(&stem.as_str())));
            if let Some((intent, _)) = intent {
                return *intent;
            }
        }
        Self::Other
    }
}

/// A place that a text names: a file, perhaps a line of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) path: String,
    pub(super) line: Option<u32>,
}

#[derive(Debug)]
pub(super) struct Task {
    pub(super) intent: Intent,
    pub(super) question: Question,
    pub(super) places: Vec<Place>,
    /// Dotted names that may be modules: `app.models.user`.
    pub(super) modules: Vec<String>,
    /// Names of code, as they are spelled.
    pub(super) names: Vec<String>,
}

static PYTHON_FRAME: LazyLock<Regex> = LazyLock::new(|| regex(r#"File "([^"\n]+)", line (\d+)"#));
static PATH: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"((?:\b[A-Za-z]:)?[\w@~+/\\.-]*\w\.[A-Za-z]\w{0,7})\b(?:(?:[:(]|#L)(\d+))?")
});
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| regex(r"https?://\S+"));
static DOTTED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,9}\b"));
static QUOTED: LazyLock<Regex> = LazyLock::new(|| regex(r"`([^`\n]{1,120})`"));
static CALLED: LazyLock<Regex> = LazyLock::new(|| regex(r"\b([A-Za-z_][\w.:]*)\("));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant that tests compile")
}

impl Task {
    pub(super) fn read(text: &str, reader: &Reader) -> Result<Self> {
        let mut task = Self {
            intent: Intent::Other,
            question: Question::default(),
            places: Vec::new(),
            modules: Vec::new(),
            names: Vec::new(),
        };
        task.find_places(text);
        // What an address says is about another place, but for the file that it may end with.
        let text = ADDRESS.replace_all(text, " ");
        task.find_names(&outside_samples(&text));
        let has_frames = task.places.iter().filter(|place| place.line.is_some()).count() > 1;
        task.intent = Intent::of(&text, has_frames);
        task.question = question(&text, reader)?;
        Ok(task)
    }

    fn find_places(&mut self, text: &str) {
        let mut add = |path: &str, line: Option<&str>| {
            let place = Place {
                path: path.replace('\\', "/"),
                line: line.and_then(|line| line.parse().ok()),
            };
            if self.places.len() < MAX_NAMED && !self.places.contains(&place) {
                self.places.push(place);
            }
        };
        for frame in PYTHON_FRAME.captures_iter(text) {
            add(&frame[1], Some(&frame[2]));
        }
        for found in PATH.captures_iter(text) {
            add(&found[1], found.get(2).map(|line| line.as_str()));
        }
        for dotted in DOTTED.find_iter(text).take(MAX_NAMED) {
            self.modules.push(dotted.as_str().to_owned());
        }
    }

    fn find_names(&mut self, text: &str) {
        let mut add = |name: &str| {
            let name = last_part(name.trim_end_matches("()")).to_owned();
            let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if is_name
                && name.len() > 2
                && self.names.len() < MAX_NAMED
                && !self.names.contains(&name)
            {
                self.names.push(name);
            }
        };
        for quoted in QUOTED.captures_iter(text) {
            add(&quoted[1]);
        }
        for called in CALLED.captures_iter(text) {
            add(&called[1]);
        }
        if let Ok(question) = Question::parse(text) {
            question.identifiers.iter().for_each(|name| add(name));
        }
    }

    /// Files that the text names, with what each counts and the line it names.
    pub(super) fn named_files(&self, reader: &Reader) -> Result<Vec<Named>> {
        let mut named: FxHashMap<i64, Named> = FxHashMap::default();
        let mut add = |file: i64, bonus: f64, line: Option<u32>, why: String| {
            let entry = named.entry(file).or_insert_with(|| Named::new(file));
            entry.bonus = entry.bonus.max(bonus);
            entry.lines.extend(line);
            if !entry.why.contains(&why) {
                entry.why.push(why);
            }
        };
        let heads = match self.places.is_empty() && self.modules.is_empty() {
            true => Vec::new(),
            false => reader.file_heads()?,
        };
        for place in &self.places {
            let files = files_at(&heads, &place.path);
            for file in files.iter().take(3) {
                let why = match place.line {
                    Some(line) => format!("{}:{line} is named", place.path),
                    None => format!("{} is named", place.path),
                };
                add(*file, PATH_NAMED / files.len() as f64, place.line, why);
            }
        }
        for module in &self.modules {
            for file in files_of_module(&heads, module).iter().take(2) {
                add(*file, MODULE_NAMED, None, format!("{module} is named"));
            }
        }
        for name in &self.names {
            let mut definitions = reader.definitions_of(name, MAX_DEFINITIONS + 1)?;
            definitions.retain(|definition| {
                !definition.head.is_test
                    && (definition.kind.is_type() || definition.kind.is_callable())
            });
            let count = definitions.len();
            if count > MAX_DEFINITIONS {
                continue;
            }
            for definition in definitions {
                let bonus = NAME_DEFINED / (count as f64).sqrt();
                let line = Some(definition.line_start);
                add(definition.head.id, bonus, line, format!("defines {name}"));
            }
        }
        let mut named: Vec<Named> = named.into_values().collect();
        named.sort_by(|a, b| b.bonus.total_cmp(&a.bonus).then(a.file.cmp(&b.file)));
        Ok(named)
    }
}

/// What it counts that a text names a file, a module, or something that a file defines. The best text
/// match without any of these has about 3.
const PATH_NAMED: f64 = 2.0;
const MODULE_NAMED: f64 = 1.5;
const NAME_DEFINED: f64 = 0.8;

/// A file that a text names.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) file: i64,
    pub(super) bonus: f64,
    pub(super) lines: Vec<u32>,
    pub(super) why: Vec<String>,
}

impl Named {
    fn new(file: i64) -> Self {
        Self { file, bonus: 0.0, lines: Vec::new(), why: Vec::new() }
    }
}

/// Files that a path means: itself, one that ends so, or one that the path ends with.
fn files_at(heads: &[FileHead], path: &str) -> Vec<i64> {
    let path = path.trim_start_matches("./");
    let ids = |fits: &dyn Fn(&str) -> bool| -> Vec<i64> {
        heads.iter().filter(|head| fits(&head.path)).map(|head| head.id).collect()
    };
    let exact = ids(&|known| known == path);
    if !exact.is_empty() {
        return exact;
    }
    let below = ids(&|known| known.strip_suffix(path).is_some_and(|rest| rest.ends_with('/')));
    if !below.is_empty() {
        return below;
    }
    // An absolute path of another machine: the longest known ending.
    let above = heads
        .iter()
        .filter(|head| head.path.contains('/'))
        .filter(|head| path.strip_suffix(&head.path).is_some_and(|rest| rest.ends_with('/')))
        .max_by_key(|head| head.path.len());
    above.map(|head| head.id).into_iter().collect()
}

/// Files of a dotted module; what follows the module in the name may be something in it.
fn files_of_module(heads: &[FileHead], module: &str) -> Vec<i64> {
    let mut parts: Vec<&str> = module.split('.').collect();
    while parts.len() > 1 {
        let wanted = parts.join("/");
        let fits = |head: &&FileHead| {
            let stem = head.path.rsplit_once('.').map_or(head.path.as_str(), |(stem, _)| stem);
            let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
            stem.strip_suffix(wanted.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let found: Vec<i64> = heads.iter().filter(fits).map(|head| head.id).collect();
        if !found.is_empty() {
            return found;
        }
        parts.pop();
    }
    Vec::new()
}

/// A text without its blocks of code. A sample calls what its author happens to use, and a log names what
/// happened to run; what is wrong with it is told around it.
fn outside_samples(text: &str) -> String {
    let mut is_sample = false;
    let is_told = |line: &&str| {
        let is_fence = line.trim_start().starts_with("```");
        is_sample ^= is_fence;
        !is_sample && !is_fence
    };
    text.lines().filter(is_told).collect::<Vec<_>>().join("\n")
}

/// The words of a long text that say most: rare in the project, often in the text.
fn question(text: &str, reader: &Reader) -> Result<Question> {
    let stems = Stems::default();
    let mut counts: FxHashMap<String, Word> = FxHashMap::default();
    let mut order = Vec::new();
    let mut in_title = true;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let times = if in_title { TITLE } else { 1 };
        for part in words::parts(line) {
            let folded = part.to_lowercase();
            if folded.len() < 2
                || part.chars().all(char::is_numeric)
                || words::is_stop_word(&folded)
            {
                continue;
            }
            let Some(stem) = stems.stem(part) else { continue };
            if let Some(word) = counts.get_mut(&stem) {
                word.times += times;
            } else if counts.len() < MAX_STEMS {
                order.push(stem.clone());
                counts
                    .insert(stem.clone(), Word { stem, folded, is_prefix: false, times, in_title });
            }
        }
        in_title = false;
    }
    let all = reader.file_count()? as f64;
    // A word that is not listed may stand in a name that came later. What stands nowhere would be the
    // rarest of all, and take the place of words that do.
    let new = reader.new_stems()?;
    let mut weighed = Vec::with_capacity(order.len());
    for (position, stem) in order.iter().enumerate() {
        let files = reader.file_count_of(stem)?.max(usize::from(new.contains(stem))) as f64;
        if files > 0.0 {
            let word = &counts[stem];
            let rarity = (1.0 + (all - files + 0.5).max(0.0) / (files + 0.5)).ln();
            weighed.push((rarity * (1.0 + f64::from(word.times).ln()), position));
        }
    }
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let words = weighed
        .into_iter()
        .take(WORDS)
        .filter_map(|(_, position)| counts.remove(&order[position]))
        .collect();
    Ok(Question { words, ..Question::default() })
}

#[cfg(test)]
mod tests {
    use super::{Intent, Place, Task};
    use crate::search::question::Question;

    fn task(text: &str) -> Task {
        let mut task = Task {
            intent: Intent::Other,
            question: Question::default(),
            places: Vec::new(),
            modules: Vec::new(),
            names: Vec::new(),
        };
        task.find_places(text);
        task.find_names(text);
        task
    }

    fn place(path: &str, line: u32) -> Place {
        Place { path: path.to_owned(), line: (line > 0).then_some(line) }
    }

    #[test]
    fn frames_of_stack_traces_are_places() {
        let text = "Traceback:\n  File \"/usr/app/src/main.py\", line 12, in run\n\
            \tat com.shop.Cart.add(Cart.java:42)\n  at save (src/store.ts:7:13)\n\
            src/lib.rs:88:5\n/go/src/x/server.go:123 +0x1d\n";
        let places = task(text).places;
        for wanted in [
            place("/usr/app/src/main.py", 12),
            place("Cart.java", 42),
            place("src/store.ts", 7),
            place("src/lib.rs", 88),
            place("/go/src/x/server.go", 123),
        ] {
            assert!(places.contains(&wanted), "{wanted:?} in {places:?}");
        }
    }

    #[test]
    fn an_address_may_end_with_a_file() {
        let text = "see [here](https://example.org/shop/app/blob/0e9053d/src/Support/Once.php#L60)";
        let wanted = place("//example.org/shop/app/blob/0e9053d/src/Support/Once.php", 60);
        assert!(task(text).places.contains(&wanted), "{:?}", task(text).places);
        assert!(task("C:\\app\\main.cs:7").places.contains(&place("C:/app/main.cs", 7)));
    }

    #[test]
    fn samples_name_nothing() {
        let text =
            "Cart.add is slow:\n```js\nshop.open()\n```\nSince when? \n  ```\nlog()\n  ```\nend";
        assert_eq!(super::outside_samples(text), "Cart.add is slow:\nSince when? \nend");
    }

    #[test]
    fn names_and_modules_are_seen() {
        let task = task(
            "`Query.filter` in django.db.models fails: call get_queryset() or useState, see README.md",
        );
        assert_eq!(task.names, ["filter", "get_queryset", "useState"]);
        assert!(task.modules.contains(&"django.db.models".to_owned()));
        assert!(task.places.contains(&place("README.md", 0)));
    }

    #[test]
    fn cm_69_a_text_has_an_intent() {
        for (text, intent) in [
            ("rename the parser module", Intent::Refactor),
            ("the server crashes on start", Intent::Debug),
            ("write tests for the cache", Intent::Test),
            ("add support for TOML", Intent::Feature),
            ("how does routing work", Intent::Explore),
            ("hello", Intent::Other),
        ] {
            assert_eq!(Intent::of(text, false), intent, "{text}");
        }
    }
}
