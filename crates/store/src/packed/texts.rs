//! Names by number, for the rows of packed tables.

use std::cell::RefCell;
use std::sync::Arc;

use rusqlite::{Connection, Result};
use rustc_hash::FxHashMap;

/// From this many files on, reading all names at once is cheaper than asking for each.
const MANY_FILES: usize = 50;

#[derive(Debug, Default)]
pub(super) struct Texts {
    known: RefCell<FxHashMap<u32, Arc<str>>>,
}

impl Texts {
    /// Prepares for a scan of that many files.
    pub(super) fn expect_files(&mut self, connection: &Connection, files: usize) -> Result<()> {
        if files < MANY_FILES || !self.known.get_mut().is_empty() {
            return Ok(());
        }
        let mut statement = connection.prepare_cached("SELECT id, text FROM name")?;
        let mut rows = statement.query([])?;
        let known = self.known.get_mut();
        while let Some(row) = rows.next()? {
            known.insert(row.get(0)?, Arc::from(row.get_ref(1)?.as_str()?));
        }
        Ok(())
    }

    pub(super) fn get(&self, connection: &Connection, id: u32) -> Result<Arc<str>> {
        if let Some(text) = self.known.borrow().get(&id) {
            return Ok(text.clone());
        }
        let text: Arc<str> = connection
            .prepare_cached("SELECT text FROM name WHERE id = ?1")?
            .query_row([id], |row| Ok(Arc::from(row.get_ref(0)?.as_str()?)))?;
        self.known.borrow_mut().insert(id, text.clone());
        Ok(text)
    }
}
