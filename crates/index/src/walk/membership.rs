//! Whether a path would be a file of the project, also where there is no such file.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::rules::{RuleFiles, Rules};
use super::{EntryKind, Walk, is_left_out};
use crate::config::Config;
use crate::error::Error;
use crate::project::Project;

/// Answers by the ignore files as they are now; a directory is asked for once.
#[derive(Debug)]
pub struct Membership<'m> {
    walk: Walk<'m>,
    /// Rules inside a directory; none if the walk does not go into it.
    directories: HashMap<String, Option<Arc<Rules>>>,
}

impl<'m> Membership<'m> {
    pub fn new(project: &'m Project, config: &'m Config) -> Result<Self, Error> {
        Ok(Self { walk: Walk::new(project, config, None)?, directories: HashMap::new() })
    }

    /// Whether a file at this path would be read.
    pub fn is_member(&mut self, path: &str) -> bool {
        let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let Some(rules) = self.rules_in(directory) else { return false };
        let absolute = self.walk.project.root.join(path);
        !is_left_out(&rules, &absolute, EntryKind::File)
            && self.walk.is_wanted(path)
            && self.walk.reason_to_skip(path, EntryKind::File).is_none()
    }

    fn rules_in(&mut self, directory: &str) -> Option<Arc<Rules>> {
        if let Some(known) = self.directories.get(directory) {
            return known.clone();
        }
        let absolute = self.walk.project.root.join(directory);
        let above = match directory.rsplit_once('/') {
            _ if directory.is_empty() => Some(Rules::above(&self.walk.project.root)),
            Some((above, _)) => self.rules_in(above),
            None => self.rules_in(""),
        };
        let rules = above.filter(|above| {
            directory.is_empty()
                || !above.is_ignored(&absolute, true) && self.walk.is_walked(&absolute, directory)
        });
        let rules =
            rules.and_then(|above| Rules::enter(&above, &absolute, files_in(&absolute)).ok());
        self.directories.insert(directory.to_owned(), rules.clone());
        rules
    }
}

fn files_in(directory: &Path) -> RuleFiles {
    RuleFiles {
        ignore: directory.join(".ignore").is_file(),
        gitignore: directory.join(".gitignore").is_file(),
        git: directory.join(".git").exists(),
    }
}
