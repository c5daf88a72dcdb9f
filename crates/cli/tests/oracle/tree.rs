//! A directory that is edited at random.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

/// Numbers that are the same for the same seed (splitmix64).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn choose<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}

/// Names and texts of the fixtures of every language.
fn samples() -> &'static [(String, String)] {
    static SAMPLES: OnceLock<Vec<(String, String)>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let languages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../languages");
        let mut samples = Vec::new();
        let mut folders: Vec<PathBuf> =
            fs::read_dir(languages).unwrap().map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        for folder in folders {
            let Ok(entries) = fs::read_dir(folder.join("fixtures")) else { continue };
            let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
            files.sort();
            for file in files.iter().filter(|file| file.extension().is_none_or(|it| it != "facts"))
            {
                let name = file.file_name().unwrap().to_str().unwrap().to_owned();
                if let Ok(text) = fs::read_to_string(file)
                    && text.len() < 12_000
                {
                    samples.push((name, text));
                }
            }
        }
        assert!(samples.len() > 40, "the languages have fixtures");
        samples
    })
}

/// Small projects whose files use each other: the annotated cases of every language.
fn projects() -> &'static [Vec<(String, String)>] {
    static PROJECTS: OnceLock<Vec<Vec<(String, String)>>> = OnceLock::new();
    PROJECTS.get_or_init(|| {
        let languages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../languages");
        let mut cases: Vec<PathBuf> = fs::read_dir(languages)
            .unwrap()
            .flat_map(|entry| {
                fs::read_dir(entry.unwrap().path().join("links")).into_iter().flatten()
            })
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|it| it == "txt"))
            .collect();
        cases.sort();
        let files = |case: &PathBuf| {
            let mut files: Vec<(String, String)> = Vec::new();
            for line in fs::read_to_string(case).unwrap().split_inclusive('\n') {
                let path = line.strip_prefix("//- ").or_else(|| line.strip_prefix("#- "));
                match (path, files.last_mut()) {
                    (Some(path), _) => files.push((path.trim().to_owned(), String::new())),
                    (None, Some((_, text))) => text.push_str(line),
                    (None, None) => {}
                }
            }
            files
        };
        cases.iter().map(files).collect()
    })
}

const FOLDERS: &[&str] = &["", "src", "src/deep/er", "tests", "lib"];

pub(crate) struct Tree {
    directory: tempfile::TempDir,
    /// Contents that were there before, to go back to.
    history: Vec<(String, Vec<u8>)>,
    /// Its files use each other.
    pub(crate) is_linked: bool,
}

impl Tree {
    pub(crate) fn new(random: &mut Random) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let is_linked = random.below(2) == 0;
        let mut tree = Self { directory, history: Vec::new(), is_linked };
        fs::create_dir(tree.root()).unwrap();
        if is_linked {
            for _ in 0..=random.below(2) {
                for (path, text) in random.choose(projects()) {
                    tree.write(path, text.as_bytes());
                }
            }
        } else {
            for _ in 0..8 {
                tree.add(random);
            }
        }
        tree
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.directory.path().join("root")
    }

    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Every file with its content.
    pub(crate) fn save(&self) -> BTreeMap<String, Vec<u8>> {
        let root = self.root();
        let content = |path: String| (path.clone(), fs::read(root.join(path)).unwrap());
        self.files().into_iter().map(content).collect()
    }

    pub(crate) fn restore(&self, saved: &BTreeMap<String, Vec<u8>>) {
        for path in self.files() {
            if !saved.contains_key(&path) {
                fs::remove_file(self.root().join(path)).unwrap();
            }
        }
        for (path, content) in saved {
            self.write(path, content);
        }
    }

    fn files(&self) -> Vec<String> {
        let (root, mut files) = (self.root(), Vec::new());
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                // What git and the program keep for themselves is not edited.
                if entry.file_name() == ".git" || entry.file_name() == ".groma" {
                    continue;
                }
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    let path = entry.path();
                    files.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        files.sort();
        files
    }

    fn write(&self, path: &str, content: &[u8]) {
        let path = self.root().join(path);
        // A directory may stand where a file shall be, and the other way round.
        if path.is_dir() {
            fs::remove_dir_all(&path).unwrap();
        }
        make_folder(path.parent().unwrap());
        fs::write(path, content).unwrap();
    }

    /// Changes something and says what.
    pub(crate) fn edit(&mut self, random: &mut Random) -> String {
        let files = self.files();
        if files.len() < 3 {
            return self.add(random);
        }
        let path = random.choose(&files).clone();
        let content = fs::read(self.root().join(&path)).unwrap();
        let kind = random.below(13);
        if kind != 0 {
            self.history.push((path.clone(), content.clone()));
        }
        match kind {
            0 | 1 => self.add(random),
            2..=5 => {
                self.write(&path, &mutate(&content, random));
                format!("change {path}")
            }
            6 => {
                fs::remove_file(self.root().join(&path)).unwrap();
                format!("remove {path}")
            }
            7 => {
                let to = new_path(&path, random);
                self.write(&to, &content);
                if to != path {
                    let _ = fs::remove_file(self.root().join(&path));
                }
                format!("rename {path} to {to}")
            }
            8 => {
                let to = new_path(&path, random);
                self.write(&to, &content);
                format!("copy {path} to {to}")
            }
            9 => {
                let (path, content) = random.choose(&self.history).clone();
                self.write(&path, &content);
                format!("bring back {path}")
            }
            10 => self.change_behind_the_back(&path, content),
            11 => {
                let rules = ["", "lib/\n", "*.py\n", "src/deep\n", "*.md\n!src/*.md\n"];
                let rule = random.choose(&rules);
                self.write(".gitignore", rule.as_bytes());
                format!("ignore {rule:?}")
            }
            _ => {
                let mut content = content;
                content.push(0);
                self.write(&path, &content);
                format!("make {path} binary")
            }
        }
    }

    fn add(&mut self, random: &mut Random) -> String {
        let (name, text) = random.choose(samples());
        let folder = random.choose(FOLDERS);
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        self.write(&path, text.as_bytes());
        format!("add {path}")
    }

    /// Another content of the same size, and the old modification time: only the inode tells.
    fn change_behind_the_back(&self, path: &str, mut content: Vec<u8>) -> String {
        let file = self.root().join(path);
        let time: SystemTime = fs::metadata(&file).unwrap().modified().unwrap();
        if let Some(letter) = content.iter_mut().find(|byte| byte.is_ascii_lowercase()) {
            *letter = if *letter == b'z' { b'y' } else { *letter + 1 };
        }
        fs::write(&file, content).unwrap();
        fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
        format!("change {path} and set its time back")
    }
}

/// Makes a directory even if a file stands in its way.
fn make_folder(folder: &Path) {
    for part in folder.ancestors() {
        if part.is_file() {
            fs::remove_file(part).unwrap();
        }
    }
    fs::create_dir_all(folder).unwrap();
}

fn new_path(path: &str, random: &mut Random) -> String {
    let name = path.rsplit('/').next().unwrap();
    let folder = random.choose(FOLDERS);
    let name = match random.below(3) {
        0 => format!("test_{name}"),
        1 => format!("new_{name}"),
        _ => name.to_owned(),
    };
    if folder.is_empty() { name } else { format!("{folder}/{name}") }
}

/// The content with lines moved, doubled, lost or cut.
fn mutate(content: &[u8], random: &mut Random) -> Vec<u8> {
    if random.below(3) == 0
        && let Some(renamed) = rename(content, random)
    {
        return renamed;
    }
    let mut lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
    if lines.is_empty() {
        return b"added = 1\n".to_vec();
    }
    for _ in 0..=random.below(3) {
        let (at, to) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(5) {
            0 if lines.len() > 1 => drop(lines.remove(at)),
            1 => lines.insert(to, lines[at]),
            2 => lines.swap(at, to),
            3 => lines.truncate(at + 1),
            _ => {
                let (_, text) = random.choose(samples());
                let other: Vec<&[u8]> =
                    text.as_bytes().split_inclusive(|byte| *byte == b'\n').collect();
                if let Some(line) = other.get(random.below(other.len())) {
                    lines.insert(to, line);
                }
            }
        }
    }
    lines.concat()
}

/// The content with one of its words in the place of another.
fn rename(content: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(content).ok()?;
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| word.len() > 2)
        .collect();
    if words.is_empty() {
        return None;
    }
    let (from, to) = (*random.choose(&words), *random.choose(&words));
    Some(text.replacen(from, to, 1 + random.below(3)).into_bytes())
}
