//! Recipes that come with a project and had to be stopped: after two times in a row they are not run
//! again until they are edited, so that nobody who asks by name is kept waiting by a repository.

use ::index::Project;
use store::UserData;

use super::recipe::{Origin, Recipe};
use crate::linked::{own_data, own_data_to_write};
use crate::{Error, Kind, Result};

const MOST: u64 = 2;
pub(crate) const REASON: &str = "it was stopped twice and is not run again until it is edited";

pub(crate) fn is_stopped(data: Option<&UserData>, recipe: &Recipe) -> bool {
    recipe.origin == Origin::Project && data.is_some_and(|data| stops(data, recipe) >= MOST)
}

/// Refuses a recipe that was stopped too often.
pub(crate) fn check(project: &Project, recipe: &Recipe) -> Result<()> {
    if !is_stopped(own_data(project).ok().flatten().as_ref(), recipe) {
        return Ok(());
    }
    let id = &recipe.id;
    Err(Error::new(Kind::Refused, format!("the recipe `{id}` cannot be used: {REASON}"))
        .code("recipe_stopped")
        .hint(format!(
            "Edit `.groma/recipes/{id}.sql`, or look at its plan: `groma query --recipe {id} --explain`."
        )))
}

/// Notes how a run of a recipe ended. Where that cannot be written, the limits of each run remain.
pub(crate) fn note<T>(project: &Project, recipe: &Recipe, outcome: &Result<T>) {
    if recipe.origin != Origin::Project {
        return;
    }
    let note = || -> Option<()> {
        match outcome {
            Err(error) if matches!(error.code, Some("timeout" | "too_big")) => {
                let hash = ::index::read::hash(recipe.sql.as_bytes());
                own_data_to_write(project).ok()?.note_stop(&recipe.id, &hash).ok()
            }
            Ok(_) if stops(&own_data(project).ok()??, recipe) > 0 => {
                own_data_to_write(project).ok()?.forget_stops(&recipe.id).ok()
            }
            _ => None,
        }
    };
    let _ = note();
}

fn stops(data: &UserData, recipe: &Recipe) -> u64 {
    data.stops(&recipe.id, &::index::read::hash(recipe.sql.as_bytes())).unwrap_or(0)
}
