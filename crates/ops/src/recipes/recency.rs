//! Which recipes were run, and when: kept for 90 days in the data of the user, unless told not to.

use std::time::{SystemTime, UNIX_EPOCH};

use ::index::{Config, Project};
use store::Recency;

use crate::linked::{own_data, own_data_to_write};
use crate::workspace::unusable;

const DAYS: i64 = 90;

/// Notes a run that succeeded; why it could not, if it could not.
pub(crate) fn note(project: &Project, config: &Config, recipe: &str) -> Option<String> {
    if !config.recipe_recency {
        return None;
    }
    let note = || {
        let mut data = own_data_to_write(project)?;
        data.note_run(recipe, now(), oldest()).map_err(unusable)
    };
    note().err().map(|error| format!("[recency] write failed: {error}"))
}

/// The runs that are not forgotten; none where they cannot be read.
pub(crate) fn read(project: &Project) -> Vec<Recency> {
    let data = own_data(project).ok().flatten();
    data.and_then(|data| data.recency(oldest()).ok()).unwrap_or_default()
}

pub(crate) fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
    i64::try_from(now).unwrap_or(i64::MAX)
}

fn oldest() -> i64 {
    now() - DAYS * 24 * 3600 * 1000
}
