//! `tsconfig.json` and its like: where names of modules lead, with what other such files say.

use serde_json::Value;

use super::{Alias, Ecosystem, Settings, joined, json};

/// More files than this are not extended one after the other.
const MAX_EXTENDED: usize = 16;

/// What one such file says about modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Script {
    path: String,
    directory: String,
    /// From the root of the project.
    base: Option<String>,
    paths: Option<Vec<(String, Vec<String>)>>,
    /// As written; of several, later ones count more.
    extends: Vec<String>,
}

impl Script {
    pub(super) fn read(path: &str, directory: &str, text: &str) -> Option<Self> {
        let manifest = json::parse(text)?;
        let options = manifest.get("compilerOptions");
        let option = |name: &str| options.and_then(|options| options.get(name));
        let base = option("baseUrl").and_then(Value::as_str);
        let paths = option("paths").and_then(Value::as_object).map(|paths| {
            let targets = |value: &Value| {
                let mut targets = Vec::new();
                json::each_text(value, &mut |target| targets.push(target.to_owned()));
                targets
            };
            paths.iter().map(|(pattern, value)| (pattern.clone(), targets(value))).collect()
        });
        let mut extends = Vec::new();
        if let Some(value) = manifest.get("extends") {
            json::each_text(value, &mut |other| extends.push(other.to_owned()));
        }
        Some(Self {
            path: path.to_owned(),
            directory: directory.to_owned(),
            base: base.map(|base| joined(directory, base)),
            paths,
            extends,
        })
    }
}

/// Patterns with their targets, and the directory they are written in.
type Paths<'s> = (String, &'s [(String, Vec<String>)]);

impl Settings {
    /// Puts together what files say that extend each other. All manifests must have been read.
    pub fn finish(&mut self) {
        let scripts = std::mem::take(&mut self.scripts);
        for script in &scripts {
            let (base, paths) = self.options(&scripts, script, 0);
            let mut add = |pattern: &str, targets: Vec<String>| {
                self.aliases.push(Alias {
                    ecosystem: Ecosystem::Npm,
                    directory: script.directory.clone(),
                    pattern: pattern.to_owned(),
                    targets,
                });
            };
            if let Some(base) = &base {
                add("*", vec![joined(base, "*")]);
            }
            let Some((home, paths)) = paths else { continue };
            let start = base.as_ref().unwrap_or(&home);
            for (pattern, targets) in paths {
                add(pattern, targets.iter().map(|target| joined(start, target)).collect());
            }
        }
    }

    /// The base and the paths of a file, its own or those of what it extends; paths with the directory
    /// they are written in.
    fn options<'s>(
        &self,
        scripts: &'s [Script],
        script: &'s Script,
        depth: usize,
    ) -> (Option<String>, Option<Paths<'s>>) {
        let mut base = script.base.clone();
        let mut paths = script.paths.as_deref().map(|paths| (script.directory.clone(), paths));
        for other in script.extends.iter().rev() {
            if depth >= MAX_EXTENDED || (base.is_some() && paths.is_some()) {
                break;
            }
            let Some(path) = self.extended(&script.directory, other) else { continue };
            let places = [path.clone(), format!("{path}.json"), joined(&path, "tsconfig.json")];
            let found =
                scripts.iter().find(|it| it.path != script.path && places.contains(&it.path));
            if let Some(found) = found {
                let (their_base, their_paths) = self.options(scripts, found, depth + 1);
                base = base.or(their_base);
                paths = paths.or(their_paths);
            }
        }
        (base, paths)
    }

    /// The path that an `extends` means: beside the file, or in a package of this project.
    fn extended(&self, directory: &str, other: &str) -> Option<String> {
        if other.starts_with('.') {
            return crate::modules::joined(directory, other);
        }
        let package = self
            .packages
            .iter()
            .filter(|package| {
                package.ecosystem == Ecosystem::Npm
                    && !package.name.is_empty()
                    && super::is_below(other, &package.name)
            })
            .max_by_key(|package| package.name.len())?;
        crate::modules::joined(
            &package.directory,
            other[package.name.len()..].trim_start_matches('/'),
        )
    }
}
