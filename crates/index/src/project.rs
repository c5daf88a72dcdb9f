//! Where a project is, and where its state lives.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Kind};

/// A directory with an index.
#[derive(Debug, Clone)]
pub struct Project {
    /// Canonical.
    pub root: PathBuf,
    pub state: PathBuf,
}

/// What the state directory keeps out of version control: everything derived.
const STATE_GITIGNORE: &str = "\
# Kept by groma. Configuration, recipes and notes are for version control; the rest is derived.
*
!.gitignore
!config.toml
!recipes/
!recipes/**
!summary.md
!docs.md
";

/// Whether a directory is the top of a work tree that git keeps beside the first one. Submodules are
/// not: they are part of the project around them.
fn is_work_tree(directory: &Path) -> bool {
    let text = crate::read::read_small_file(&directory.join(".git")).ok().flatten();
    text.is_some_and(|text| text.starts_with("gitdir:") && text.contains("/worktrees/"))
}

pub(crate) const STATE_NAME: &str = ".groma";

impl Project {
    /// The project at `root`. `state` overrides where its state lives; a relative one counts from the
    /// root.
    pub fn at(root: &Path, state: Option<&Path>) -> Result<Self, Error> {
        let unseen = |error: std::io::Error| {
            if crate::read::is_fault(&error) {
                return Error::io(root.display(), &error);
            }
            Error::new(Kind::Usage, format!("{}: {error}", root.display()))
                .hint("Give the directory of a project.")
        };
        let root = fs::canonicalize(root).map_err(unseen)?;
        if !fs::metadata(&root).map_err(unseen)?.is_dir() {
            return Err(Error::new(Kind::Usage, format!("{} is not a directory", root.display()))
                .hint(
                    "Give the directory of a project; single files are shown by `groma outline`.",
                ));
        }
        let state = root.join(state.unwrap_or(Path::new(STATE_NAME)));
        Ok(Self { root, state })
    }

    /// The project around `directory`: the nearest one above it that has an index, or the directory
    /// itself. A linked work tree of git has files of its own, so what is above it is another project.
    pub fn around(directory: &Path, state: Option<&Path>) -> Result<Self, Error> {
        let here = Self::at(directory, state)?;
        let name = state.unwrap_or(Path::new(STATE_NAME));
        let has_index = |root: &Path| root.join(name).join("index.db").is_file();
        let nearest = here.root.ancestors().find(|root| has_index(root) || is_work_tree(root));
        match nearest.filter(|root| has_index(root)) {
            Some(root) => Self::at(root, state),
            None => Ok(here),
        }
    }

    pub fn index_file(&self) -> PathBuf {
        self.state.join("index.db")
    }

    /// What the user said about the project.
    pub fn user_file(&self) -> PathBuf {
        self.state.join("user.db")
    }

    /// The path from the root of a file that a person named, who is told if it is outside.
    pub fn inside(&self, directory: &Path, file: &str) -> Result<String, Error> {
        self.path_of(directory, file.as_ref()).ok_or_else(|| {
            Error::new(Kind::Usage, format!("`{file}` is not in {}", self.root.display()))
        })
    }

    /// The path from the root of the project, with `/`, of a file named from a directory; none if it is
    /// outside. The file need not exist.
    pub fn path_of(&self, directory: &Path, file: &Path) -> Option<String> {
        // No system has longer ones, and every part of it would be looked up.
        const LONGEST: usize = 4096;
        if file.as_os_str().len() > LONGEST {
            return None;
        }
        let absolute = directory.join(file);
        // Links and dots count as the file system sees them, as far as it sees anything.
        let known = absolute.ancestors().find_map(|above| {
            let rest = absolute.strip_prefix(above).ok()?;
            Some(fs::canonicalize(above).ok()?.join(rest))
        })?;
        let mut path = String::new();
        for part in known.strip_prefix(&self.root).ok()?.components() {
            match part {
                std::path::Component::Normal(name) => {
                    if !path.is_empty() {
                        path.push('/');
                    }
                    path.push_str(name.to_str()?);
                }
                std::path::Component::CurDir => {}
                _ => return None,
            }
        }
        Some(path)
    }

    /// Moves a file that is no index of ours out of the way, and says where to.
    pub(crate) fn set_aside(&self, path: &Path) -> Result<PathBuf, Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let free = (1..)
            .map(|number| self.state.join(format!("{name}.aside-{number}")))
            .find(|candidate| fs::symlink_metadata(candidate).is_err());
        let aside = free.expect("there is always a next number");
        fs::rename(path, &aside)
            .map_err(|error| Error::io(format!("cannot set {} aside", path.display()), &error))?;
        // Its log belongs to it, by name.
        for suffix in ["-wal", "-shm"] {
            let with_suffix = |path: &Path| {
                let mut name = path.as_os_str().to_owned();
                name.push(suffix);
                PathBuf::from(name)
            };
            let _ = fs::rename(with_suffix(path), with_suffix(&aside));
        }
        Ok(aside)
    }

    /// Refuses roots that nobody means: the file system, the home directory, where keys live.
    pub fn refuse_broad_root(&self) -> Result<(), Error> {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let home = home.as_deref().and_then(|home| fs::canonicalize(home).ok());
        let is_home = home.as_deref() == Some(&self.root);
        let above_home = home.as_deref().is_some_and(|home| home.starts_with(&self.root));
        let name = self.root.file_name().and_then(|name| name.to_str()).unwrap_or("");
        let secret = matches!(name, ".ssh" | ".gnupg" | ".aws" | ".kube");
        let is_top = self.root.parent().is_none();
        let system =
            ["/etc", "/usr", "/var", "/proc", "/sys", "/dev", "/bin", "/lib", "/boot", "/opt"]
                .iter()
                .any(|path| self.root == Path::new(path));
        if is_top || is_home || above_home || secret || system {
            return Err(Error::new(
                Kind::Refused,
                format!("{} is too broad to be a project", self.root.display()),
            )
            .hint("Name a directory with source code, or say --allow-broad-root."));
        }
        Ok(())
    }

    /// Makes the state directory if need be, and puts its `.gitignore` right. Refuses state that leads
    /// elsewhere.
    pub fn prepare_state(&self) -> Result<(), Error> {
        self.check_state()?;
        if !self.root.is_dir() {
            // A project that was deleted must not come back as an empty one.
            let message = format!("{} is gone", self.root.display());
            return Err(Error::new(Kind::Io, message)
                .code("root_gone")
                .hint("It is looked at again when it is back."));
        }
        if !self.state.exists() {
            let mut builder = fs::DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            {
                use std::os::unix::fs::DirBuilderExt;
                builder.mode(0o700);
            }
            builder.create(&self.state).map_err(|error| {
                Error::io(format!("cannot create {}", self.state.display()), &error)
            })?;
        }
        let path = self.state.join(".gitignore");
        let current = crate::read::read_small_file(&path)?;
        if current.as_deref() != Some(STATE_GITIGNORE) {
            fs::write(&path, STATE_GITIGNORE)
                .map_err(|error| Error::io(format!("cannot write {}", path.display()), &error))?;
        }
        Ok(())
    }

    /// Refuses a state directory, or a file in it, that is a link: it came with the repository and
    /// would have us write elsewhere.
    pub fn check_state(&self) -> Result<(), Error> {
        let names = [
            "",
            "index.db",
            "index.db-wal",
            "index.db-shm",
            "index.db.building",
            "lock",
            "door",
            "watcher",
            ".gitignore",
            "config.toml",
            "user.db",
            "user.db-journal",
            "summary.md",
            "docs.md",
            "recipes",
        ];
        for name in names {
            let path = if name.is_empty() { self.state.clone() } else { self.state.join(name) };
            let Ok(metadata) = fs::symlink_metadata(&path) else { continue };
            let kind = metadata.file_type();
            let is_expected =
                if matches!(name, "" | "recipes") { kind.is_dir() } else { kind.is_file() };
            if !is_expected {
                let what =
                    if kind.is_symlink() { "a symbolic link" } else { "not what it should be" };
                return Err(Error::new(Kind::Refused, format!("{} is {what}", path.display()))
                    .hint("Remove it, or use another --state-dir."));
            }
        }
        Ok(())
    }
}
