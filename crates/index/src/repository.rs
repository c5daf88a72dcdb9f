//! What a git repository says about itself in its own files. Nothing of git is ever run here: a foreign
//! repository can make git run programs.

use std::path::{Path, PathBuf};

use crate::read::read_small_file;

/// The repository around a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repository {
    /// Where the working tree begins.
    pub(crate) top: PathBuf,
    /// Of this working tree.
    pub(crate) git_directory: PathBuf,
    /// Shared by all working trees.
    common: PathBuf,
}

impl Repository {
    pub(crate) fn around(root: &Path) -> Option<Self> {
        root.ancestors().find_map(Self::at)
    }

    fn at(directory: &Path) -> Option<Self> {
        let git = directory.join(".git");
        if git.is_dir() {
            let top = directory.to_owned();
            return Some(Self { top, git_directory: git.clone(), common: git });
        }
        let text = read_small_file(&git).ok()??;
        let git_directory = directory.join(text.trim().strip_prefix("gitdir:")?.trim());
        let common = text_of(&git_directory.join("commondir"));
        let common = common.map_or(git_directory.clone(), |path| git_directory.join(path));
        let top = directory.to_owned();
        Some(Self { top, git_directory, common: common.canonicalize().ok()? })
    }

    /// Where the rules are that a repository does not share.
    pub(crate) fn exclude_file(directory: &Path) -> Option<PathBuf> {
        Some(Self::at(directory)?.common.join("info/exclude"))
    }

    /// Whether two working trees share their repository.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let place = |it: &Self| it.common.canonicalize().ok();
        place(self).is_some() && place(self) == place(other)
    }

    /// The commit that is checked out.
    pub(crate) fn head(&self) -> Option<String> {
        let head = text_of(&self.git_directory.join("HEAD"))?;
        let Some(reference) = head.strip_prefix("ref:").map(str::trim) else {
            return is_hash(&head).then_some(head);
        };
        if reference.split('/').any(|part| part == "..") || reference.starts_with('/') {
            return None;
        }
        let loose = [&self.git_directory, &self.common]
            .into_iter()
            .find_map(|directory| text_of(&directory.join(reference)));
        let packed = || {
            let text = read_small_file(&self.common.join("packed-refs")).ok()??;
            text.lines().find_map(|line| {
                let (hash, name) = line.split_once(' ')?;
                (name == reference).then(|| hash.to_owned())
            })
        };
        loose.or_else(packed).filter(|hash| is_hash(hash))
    }

    /// The working trees of the repository, this one included.
    pub(crate) fn working_trees(&self) -> Vec<PathBuf> {
        let mut trees = Vec::new();
        if self.common.file_name().is_some_and(|name| name == ".git") {
            trees.extend(self.common.parent().map(Path::to_owned));
        }
        for entry in
            std::fs::read_dir(self.common.join("worktrees")).into_iter().flatten().flatten()
        {
            let leads_to = text_of(&entry.path().join("gitdir")).map(PathBuf::from);
            trees.extend(leads_to.as_deref().and_then(Path::parent).map(Path::to_owned));
        }
        trees.sort();
        trees.dedup();
        trees
    }
}

fn text_of(path: &Path) -> Option<String> {
    let text = read_small_file(path).ok()??;
    Some(text.trim().to_owned())
}

fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
