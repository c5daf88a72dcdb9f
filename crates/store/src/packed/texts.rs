//! Names by number, for the rows of packed tables.

use std::cell::RefCell;
use std::sync::Arc;

use rusqlite::{Connection, Result};
use rustc_hash::FxHashMap;

/// After this many names, reading the rest at once is cheaper than asking for each.
const MANY: usize = 20_000;

#[derive(Debug, Default)]
pub(super) struct Texts {
    known: RefCell<FxHashMap<u32, Arc<str>>>,
}

impl Texts {
    pub(super) fn get(&self, connection: &Connection, id: u32) -> Result<Arc<str>> {
        if let Some(text) = self.known.borrow().get(&id) {
            return Ok(text.clone());
        }
        let mut known = self.known.borrow_mut();
        if known.len() == MANY {
            let mut statement = connection.prepare_cached("SELECT id, text FROM name")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                known.insert(row.get(0)?, Arc::from(row.get_ref(1)?.as_str()?));
            }
            if let Some(text) = known.get(&id) {
                return Ok(text.clone());
            }
        }
        let text: Arc<str> = connection
            .prepare_cached("SELECT text FROM name WHERE id = ?1")?
            .query_row([id], |row| Ok(Arc::from(row.get_ref(0)?.as_str()?)))?;
        known.insert(id, text.clone());
        Ok(text)
    }
}
