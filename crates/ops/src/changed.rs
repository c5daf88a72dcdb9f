//! What a question about changes means: a range of history, what is staged, files.

use ::index::Project;
use ::index::git::{Comparison, Range};

use crate::paths::Place;
use crate::{Error, Kind, Result, Workspace};

/// The states to compare, and the files that count.
#[derive(Debug)]
pub(crate) struct Selection {
    range: Range,
    /// Nothing but files was named.
    pub(crate) is_files: bool,
    /// All files where there are none.
    places: Vec<(String, Place)>,
}

impl Selection {
    /// As git does, takes a word for a file where there is one, else for a range of history.
    pub(crate) fn of(workspace: &Workspace, words: &[String], is_staged: bool) -> Result<Self> {
        let (project, here) = (&workspace.project()?, workspace.directory()?);
        let mut range = is_staged.then_some(Range::Staged);
        let mut places = Vec::new();
        for word in words {
            let path = project.path_of(&here, word.as_ref());
            let is_file = path.as_ref().is_some_and(|path| project.root.join(path).exists());
            let is_range = || word.contains("..") || Range::is_known(project, word);
            if is_file || !is_range() {
                let path = path.unwrap_or_else(|| word.clone());
                places.push((word.clone(), Place::parse(&path)?));
            } else if range.replace(Range::parse(word)?).is_some() {
                return Err(Error::new(Kind::Usage, "there is more than one range")
                    .hint("Two commits are one range: `a..b`, or `a...b` since they parted."));
            }
        }
        let is_files = range.is_none() && !places.is_empty();
        let range = range.unwrap_or_else(|| Range::WorkingTree { since: "HEAD".to_owned() });
        Ok(Self { range, is_files, places })
    }

    /// The files that differ. The index is brought up to date for those on disk: what they reach is read
    /// from it, and what it knows need not be extracted again.
    pub(crate) fn compare(&self, workspace: &Workspace, project: &Project) -> Result<Comparison> {
        let config = workspace.config(project)?;
        let is_wanted = |path: &str| {
            self.places.is_empty() || self.places.iter().any(|(_, place)| place.holds(path))
        };
        let compared = Comparison::of(project, &config, &self.range, &is_wanted)?;
        self.check(project, &compared)?;
        if compared.is_on_disk && workspace.refresh && !compared.pairs.is_empty() {
            workspace.update(Some(&compared.paths()));
        }
        Ok(compared)
    }

    /// Refuses words that name no file, neither one that differs nor one that is there.
    fn check(&self, project: &Project, compared: &Comparison) -> Result<()> {
        let is_known = |place: &Place| {
            let is_there = match place {
                Place::At(path) => project.root.join(path).exists(),
                Place::Glob(_) => false,
            };
            is_there
                || compared.pairs.iter().any(|pair| place.holds(&pair.path))
                || compared.told_apart.iter().any(|path| place.holds(path))
        };
        match self.places.iter().find(|(_, place)| !is_known(place)) {
            None => Ok(()),
            Some((word, _)) => {
                let message = format!("`{word}` is neither a file nor a commit");
                Err(Error::new(Kind::NotFound, message)
                    .hint("Name a file, a directory, a glob, or a range such as `main...`."))
            }
        }
    }
}
