//! `changes` of a real history, compared with two indexes from nothing.
//!
//! The answer about two commits is made from contents of git; the truth is made from indexes of both trees,
//! checked out. They must name the same symbols.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use store::{Outline, Reader, SymbolState};

use crate::Outcome;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const HELP: &str = "oracle changes <repository> [--commits N]";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["changes", repository] => changes(repository.as_ref(), 300),
        ["changes", repository, "--commits", count] => changes(repository.as_ref(), count.parse()?),
        _ => Err(HELP.into()),
    }
}

/// A clone of a repository in a temporary directory, with indexes beside it; removed at the end.
pub(crate) struct Clone {
    program: PathBuf,
    directory: PathBuf,
}

impl Drop for Clone {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

impl Clone {
    pub(crate) fn of(repository: &Path) -> Result<Self> {
        let directory = std::env::temp_dir().join(format!("groma-clone-{}", std::process::id()));
        std::fs::create_dir_all(&directory)?;
        let clone = Self { program: crate::program()?, directory };
        let status = Command::new("git")
            .args(["clone", "-q", "--shared", "--no-checkout"])
            .args([&std::fs::canonicalize(repository)?, &clone.root()])
            .status()?;
        if !status.success() {
            return Err("the repository cannot be cloned".into());
        }
        Ok(clone)
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.join("root")
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> Result<String> {
        let output = Command::new("git")
            .arg("-C")
            .arg(self.root())
            .args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"])
            .args(arguments)
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The last commits of the main line, the oldest first.
    pub(crate) fn commits(&self, count: usize) -> Result<Vec<String>> {
        let limit = format!("-{count}");
        let listed = self.git(&["rev-list", "--first-parent", "--reverse", &limit, "HEAD"])?;
        Ok(listed.lines().map(str::to_owned).collect())
    }

    pub(crate) fn check_out(&self, commit: &str) -> Outcome {
        self.git(&["checkout", "-q", "--force", "--detach", commit])?;
        self.git(&["clean", "-q", "-f", "-d", "-x"])?;
        Ok(())
    }

    pub(crate) fn groma(&self, state: &str, arguments: &[&str]) -> Result<(String, Duration)> {
        let started = Instant::now();
        let output = Command::new(&self.program)
            .args(arguments)
            .arg("--quiet")
            .arg("--root")
            .arg(self.root())
            .arg("--state-dir")
            .arg(self.state(state))
            .env("HOME", &self.directory)
            .output()?;
        let time = started.elapsed();
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("{arguments:?}: {error}").into());
        }
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), time))
    }

    pub(crate) fn index(&self, state: &str, more: &[&str]) -> Result<Duration> {
        let root = self.root();
        let mut arguments = vec!["index", root.to_str().ok_or("a path that is no text")?];
        arguments.extend(more);
        Ok(self.groma(state, &arguments)?.1)
    }

    pub(crate) fn state(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }
}

/// All symbols of a tree by path, and the texts they stand in.
type Tree = BTreeMap<String, (Outline, String)>;

fn changes(repository: &Path, count: usize) -> Outcome {
    let clone = Clone::of(repository)?;
    let commits = clone.commits(count + 1)?;
    let mut before: Option<(String, Tree)> = None;
    let (mut compared, mut symbols, mut wrong) = (0, 0, 0);
    let mut ratios = Vec::new();
    for commit in commits {
        clone.check_out(&commit)?;
        let update = clone.index("state", &[])?;
        let _ = std::fs::remove_dir_all(clone.state("fresh"));
        clone.index("fresh", &[])?;
        let tree = tree(&clone)?;
        if let Some((parent, old)) = before.take() {
            let range = format!("{parent}..{commit}");
            let (answer, time) = clone.groma("fresh", &["changes", &range, "--json"])?;
            let answer: Value = serde_json::from_str(&answer)?;
            ratios.push(time.as_secs_f64() / update.as_secs_f64());
            let renamed = renamed_files(&answer);
            let (truth, told) = (truth(&old, &tree, &renamed), told(&answer, &renamed));
            compared += 1;
            symbols += truth.values().sum::<usize>();
            if truth != told {
                wrong += 1;
                report(&commit, &truth, &told);
            }
        }
        before = Some((commit, tree));
    }
    ratios.sort_by(f64::total_cmp);
    let at =
        |share: f64| ratios.get((ratios.len() as f64 * share) as usize).copied().unwrap_or(0.0);
    println!(
        "{compared} commits, {symbols} changed symbols, {wrong} commits told otherwise; \
         time over that of an update: median {:.2}, 95 % {:.2}",
        at(0.5),
        at(0.95)
    );
    if wrong > 0 { Err("some changes are told otherwise".into()) } else { Ok(()) }
}

fn tree(clone: &Clone) -> Result<Tree> {
    let reader = Reader::open(&clone.state("fresh").join("index.db"))?;
    let mut tree = Tree::new();
    for file in reader.files()? {
        if matches!(file.row.status, store::Status::Skipped(_)) {
            continue;
        }
        let Some(outline) = reader.outline(file.id)? else { continue };
        let bytes = std::fs::read(clone.root().join(&file.row.path))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        tree.insert(file.row.path, (outline, text));
    }
    Ok(tree)
}

/// How often each `sign path#name` is to be told.
type Told = BTreeMap<String, usize>;

/// Old path by new path.
fn renamed_files(answer: &Value) -> BTreeMap<String, String> {
    let files = answer["files"].as_array().into_iter().flatten();
    files
        .filter_map(|file| Some((file["path"].as_str()?.into(), file["was"].as_str()?.into())))
        .collect()
}

/// What two trees say became of the symbols.
fn truth(old: &Tree, new: &Tree, renamed: &BTreeMap<String, String>) -> Told {
    let mut told = Told::new();
    let gone = old.keys().filter(|path| !renamed.values().any(|was| was == *path));
    let mut paths: Vec<&String> = new.keys().chain(gone).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        let mut names: BTreeMap<&str, [Vec<String>; 2]> = BTreeMap::new();
        // A new file may stand where one stood that was renamed.
        let before = match renamed.get(path) {
            Some(was) => old.get(was),
            None if renamed.values().any(|was| was == path) => None,
            None => old.get(path),
        };
        let after = new.get(path);
        if before.map(|(_, text)| text) == after.map(|(_, text)| text) {
            continue;
        }
        for (side, file) in [before, after].into_iter().enumerate() {
            let Some((outline, text)) = file else { continue };
            let comments = comments(outline, text);
            for (number, symbol) in outline.symbols.iter().enumerate() {
                let states = names.entry(&symbol.qualified_name).or_default();
                states[side].push(state(outline, text, &comments, number));
            }
        }
        for (name, [mut before, mut after]) in names {
            before.retain(|state| match after.iter().position(|other| is_same(state, other)) {
                Some(at) => {
                    after.remove(at);
                    false
                }
                None => true,
            });
            let modified = before.len().min(after.len());
            for (sign, count) in
                [('~', modified), ('-', before.len() - modified), ('+', after.len() - modified)]
            {
                if count > 0 {
                    *told.entry(format!("{sign} {path}#{name}")).or_insert(0) += count;
                }
            }
        }
    }
    told
}

/// Separates what a state is made of from its body, which may be the same by its hash or by its text.
const BODY: &str = "\u{1}";

fn is_same(one: &str, other: &str) -> bool {
    let parts = |state: &str| state.split(BODY).map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (parts(one), parts(other));
    let has_hash = one[1] != "none" && other[1] != "none";
    one[0] == other[0] && (one[2] == other[2] || has_hash && one[1] == other[1])
}

fn state(outline: &Outline, text: &str, comments: &[bool], number: usize) -> String {
    let symbol = &outline.symbols[number];
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_exported = symbol.flags.has(model::SymbolFlags::EXPORTED);
    let head = format!(
        "{} {} {:?} {is_exported} {:?} {}",
        symbol.kind.as_str(),
        words(&symbol.signature),
        symbol.visibility,
        symbol.decorators,
        words(symbol.docs.as_deref().unwrap_or_default()),
    );
    let hash = symbol.body_hash.map_or("none".to_owned(), |hash| hash.to_string());
    // Every byte of it that is in no other symbol, on no line of comments and no white space.
    let inner: Vec<&SymbolState> =
        outline.symbols.iter().filter(|it| it.owner == Some(number as u32)).collect();
    let mut own = Vec::new();
    for (at, byte) in text.bytes().enumerate().take(symbol.end as usize).skip(symbol.start as usize)
    {
        let at = at as u32;
        let is_inner = inner.iter().any(|it| (it.start..it.end).contains(&at));
        if !byte.is_ascii_whitespace() && !is_inner && !comments[at as usize] {
            own.push(byte);
        }
    }
    format!("{head}{BODY}{hash}{BODY}{}", String::from_utf8_lossy(&own))
}

/// Which bytes of a text stand on lines of comments.
fn comments(outline: &Outline, text: &str) -> Vec<bool> {
    let mut line = 0;
    let byte = |(at, _)| {
        while outline.line_starts.get(line).is_some_and(|start| *start as usize <= at) {
            line += 1;
        }
        let run = outline.line_types.iter().rev().find(|(first, _)| *first as usize <= line);
        run.is_some_and(|(_, line_type)| *line_type == model::LineType::Comment)
    };
    text.bytes().enumerate().map(byte).collect()
}

/// What the answer says, where renamed and moved symbols are gone and have come.
fn told(answer: &Value, renamed: &BTreeMap<String, String>) -> Told {
    let mut told = Told::new();
    let mut tell =
        |sign: char, key: &str| *told.entry(format!("{sign} {}", name(key))).or_insert(0) += 1;
    for symbol in answer["symbols"].as_array().into_iter().flatten() {
        let key = symbol["key"].as_str().unwrap_or_default();
        // The path that a file has now stands for the one it had.
        let was = symbol["was"].as_str().map(|was| {
            let (path, name) = was.split_once('#').unwrap_or((was, ""));
            let now = renamed.iter().find(|(_, was)| *was == path).map(|(now, _)| now.as_str());
            format!("{}#{name}", now.unwrap_or(path))
        });
        match (symbol["change"].as_str(), was) {
            (Some("added"), _) => tell('+', key),
            (Some("removed"), _) => {
                let (path, name) = key.split_once('#').unwrap_or((key, ""));
                let now = renamed.iter().find(|(_, was)| *was == path);
                tell('-', &format!("{}#{name}", now.map_or(path, |(now, _)| now.as_str())));
            }
            (Some("modified"), _) => tell('~', key),
            (_, Some(was)) if name(&was) == name(key) => tell('~', key),
            (_, was) => {
                tell('+', key);
                tell('-', &was.unwrap_or_default());
            }
        }
    }
    told
}

/// A key without the number that tells symbols of the same name apart.
fn name(key: &str) -> String {
    match key.rsplit_once('~') {
        Some((name, ordinal)) if ordinal.parse::<u32>().is_ok() => name.to_owned(),
        _ => key.to_owned(),
    }
}

fn report(commit: &str, truth: &Told, told: &Told) {
    println!("{commit}");
    for (key, count) in truth {
        if told.get(key) != Some(count) {
            println!("  truth {count} told {} {key}", told.get(key).copied().unwrap_or(0));
        }
    }
    for (key, count) in told.iter().filter(|(key, _)| !truth.contains_key(*key)) {
        println!("  truth 0 told {count} {key}");
    }
}
