//! The recipes there are: those of the program and those of the project.

use ::index::Project;
use ::index::read::read_small_file;

use super::front_matter;
use super::recipe::{Invalid, Origin, Recipe};
use crate::{Error, Kind, Result};

/// `(id, text)` of every recipe of the program.
pub(crate) const BUNDLED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/recipes.rs"));

/// No project has more; who does wants to keep us busy.
const MOST: usize = 500;

/// Before an id, to mean the recipe of the program whatever the project has.
const BUNDLED_PREFIX: &str = "bundled:";

#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    /// In the order of their ids.
    pub(crate) recipes: Vec<Recipe>,
    /// Files of the project that are no recipes: name and reason.
    pub(crate) invalid: Vec<(String, Invalid)>,
}

impl Catalogue {
    pub(crate) fn bundled() -> Self {
        let read = |(id, text): &(&str, &str)| {
            Recipe::read(id, text, Origin::Bundled).expect("tests read every bundled recipe")
        };
        Self { recipes: BUNDLED.iter().map(read).collect(), invalid: Vec::new() }
    }

    /// Those of the program and those of the project, which stand in the place of bundled ones of the
    /// same id.
    pub(crate) fn of(project: &Project) -> Result<Self> {
        let mut catalogue = Self::bundled();
        project.check_state()?;
        let folder = project.state.join("recipes");
        let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(catalogue) };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter_map(|name| name.strip_suffix(".sql").map(str::to_owned))
            .take(MOST)
            .collect();
        names.sort();
        for id in names {
            let text = match read_small_file(&folder.join(format!("{id}.sql"))) {
                Ok(Some(text)) => text,
                Ok(None) => continue,
                Err(error) => {
                    catalogue.invalid.push((id, Invalid::new(error.message)));
                    continue;
                }
            };
            let page = read_small_file(&folder.join(format!("{id}.md"))).ok().flatten();
            let read = Recipe::read(&id, &text, Origin::Project).and_then(|recipe| match page {
                Some(page) => front_matter::add(recipe, &page),
                None => Ok(recipe),
            });
            match read {
                Err(invalid) => catalogue.invalid.push((id, invalid)),
                Ok(mut recipe) => {
                    let known =
                        catalogue.recipes.binary_search_by(|known| known.id.cmp(&recipe.id));
                    match known {
                        Ok(at) => {
                            recipe.shadows = true;
                            catalogue.recipes[at] = recipe;
                        }
                        Err(at) => catalogue.recipes.insert(at, recipe),
                    }
                }
            }
        }
        Ok(catalogue)
    }

    pub(crate) fn get(self, id: &str) -> Result<Recipe> {
        if let Some(bundled) = id.strip_prefix(BUNDLED_PREFIX) {
            return Self::bundled().get(bundled);
        }
        if let Some((name, invalid)) = self.invalid.iter().find(|(name, _)| name == id) {
            let message = format!("the recipe `{name}` cannot be used: {}", invalid.reason);
            let kind = if invalid.writes { Kind::Refused } else { Kind::Usage };
            let code = if invalid.writes { "not_read_only" } else { "bad_recipe" };
            return Err(Error::new(kind, message)
                .code(code)
                .hint(format!("Put `.groma/recipes/{name}.sql` right.")));
        }
        let nearest = crate::query::nearest(id, self.recipes.iter().map(|it| it.id.as_str()));
        self.recipes.into_iter().find(|recipe| recipe.id == id).ok_or_else(|| {
            let shown = crate::text::one_line(id, 80);
            let hint = match nearest {
                Some(nearest) => format!("Did you mean `{nearest}`? `groma recipes` lists them."),
                None => "`groma recipes` lists them.".to_owned(),
            };
            Error::new(Kind::NotFound, format!("there is no recipe `{shown}`"))
                .code("no_recipe")
                .hint(hint)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{BUNDLED, Catalogue};

    #[test]
    fn every_bundled_recipe_says_what_it_finds_and_what_it_cannot_see() {
        let catalogue = Catalogue::bundled();
        assert_eq!(catalogue.recipes.len(), BUNDLED.len());
        for recipe in &catalogue.recipes {
            assert!(!recipe.summary.is_empty(), "{} has no summary", recipe.id);
            assert!(recipe.summary.ends_with('.'), "{}: {}", recipe.id, recipe.summary);
            assert!(!recipe.limits.is_empty(), "{} has no paragraph `Limits:`", recipe.id);
            for parameter in &recipe.params {
                let is_used = recipe.sql.contains(&format!(":{}", parameter.name));
                assert!(is_used, "{} does not use :{}", recipe.id, parameter.name);
                assert!(!parameter.description.is_empty(), "{}: {}", recipe.id, parameter.name);
            }
        }
    }
}
