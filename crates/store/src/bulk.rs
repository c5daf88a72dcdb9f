//! Rows that are written many at once.
//!
//! What SQLite does for a statement it then does once for all of its rows; for a row of few numbers that is up to
//! half of the work.

use rusqlite::{CachedStatement, Connection, Result, ToSql};

/// Rows of one statement. With twice as many the statement gains hardly more.
const ROWS: usize = 32;

/// Inserts a known number of rows.
pub(crate) struct Bulk<'c> {
    connection: &'c Connection,
    /// The statement without its values.
    head: &'c str,
    /// How many rows are still to come.
    left: usize,
    /// From the cache of the connection: an update inserts a few rows of each file.
    statement: Option<CachedStatement<'c>>,
    /// How many rows the statement has, and how many values are bound to it.
    rows: usize,
    bound: usize,
}

impl<'c> Bulk<'c> {
    pub(crate) fn new(connection: &'c Connection, head: &'c str, rows: usize) -> Self {
        Self { connection, head, left: rows, statement: None, rows: 0, bound: 0 }
    }

    pub(crate) fn add(&mut self, row: &[&dyn ToSql]) -> Result<()> {
        let rows = if self.left >= ROWS { ROWS } else { 1 };
        if self.bound == 0 && self.rows != rows {
            let values = format!("({})", vec!["?"; row.len()].join(", "));
            let sql = format!("{} VALUES {}", self.head, vec![values; rows].join(", "));
            self.statement = Some(self.connection.prepare_cached(&sql)?);
            self.rows = rows;
        }
        let statement = self.statement.as_mut().expect("it was prepared");
        for value in row {
            self.bound += 1;
            statement.raw_bind_parameter(self.bound, value)?;
        }
        self.left -= 1;
        if self.bound == self.rows * row.len() {
            statement.raw_execute()?;
            self.bound = 0;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{Bulk, ROWS};

    #[test]
    fn as_many_rows_come_out_as_went_in() {
        for count in [0, 1, ROWS - 1, ROWS, ROWS + 1, 3 * ROWS, 3 * ROWS + 7] {
            let connection = Connection::open_in_memory().expect("memory is there");
            connection.execute_batch("CREATE TABLE t (a INTEGER, b TEXT)").expect("it is SQL");
            let mut bulk = Bulk::new(&connection, "INSERT INTO t (a, b)", count);
            for number in 0..count {
                bulk.add(&[&(number as i64), &format!("row {number}")]).expect("it is a row");
            }
            let mut statement = connection.prepare("SELECT a, b FROM t ORDER BY a").expect("SQL");
            let rows: Vec<(i64, String)> = statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
                .and_then(Iterator::collect)
                .expect("they are there");
            let expected: Vec<(i64, String)> =
                (0..count as i64).map(|number| (number, format!("row {number}"))).collect();
            assert_eq!(rows, expected);
        }
    }
}
