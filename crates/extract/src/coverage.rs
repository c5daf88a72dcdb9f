//! Which patterns were reached: for the test that every pattern of every language has a fixture.

use std::collections::BTreeSet;
use std::sync::Mutex;

static REACHED: Mutex<BTreeSet<(String, String)>> = Mutex::new(BTreeSet::new());

pub(crate) fn reached(language: &str, place: &str) {
    let mut reached = REACHED.lock().expect("nobody panics while holding it");
    if !reached.iter().any(|(l, p)| l == language && p == place) {
        reached.insert((language.to_owned(), place.to_owned()));
    }
}

/// (language, place) of every pattern that has matched in this process.
pub fn all_reached() -> BTreeSet<(String, String)> {
    REACHED.lock().expect("nobody panics while holding it").clone()
}
