//! The canonical dump: what two indexes are compared by.

use std::fmt::Write;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::Digest;

use crate::text::{Page, visible};
use crate::workspace::unusable;
use crate::{Error, Kind, Operation, Result, Workspace};

/// Everything derived, in a form in which two indexes can be compared
///
/// One line per row: the table, the file, the columns as a JSON array. Ids are replaced by what they
/// stand for, times are left out, lines are sorted: two indexes of the same files give the same text.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Only these tables
    #[serde(default)]
    pub tables: Vec<String>,
    /// One line per table: its number of rows and the SHA-256 of its lines
    #[arg(long)]
    #[serde(default)]
    pub hash: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Output {
    Rows(Vec<Table>),
    Hashes(Vec<Hash>),
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Table {
    pub table: &'static str,
    /// Path and columns of each row.
    pub rows: Vec<(String, String)>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Hash {
    pub table: &'static str,
    pub rows: u64,
    pub hash: String,
}

#[derive(Debug)]
pub struct Dump;

impl Operation for Dump {
    const NAME: &'static str = "dump";
    const EXAMPLES: &'static str = "\
  groma dump --hash                     one hash per table
  groma dump symbols refs > before.txt  rows of two tables
  diff <(groma dump) <(groma dump --root ../other)";
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (_, reader) = workspace.reader()?;
        let all: Vec<&'static str> = store::dumped_tables().collect();
        if let Some(unknown) = input.tables.iter().find(|table| !all.contains(&table.as_str())) {
            return Err(Error::new(
                Kind::Usage,
                format!("there is no table `{unknown}` in a dump"),
            )
            .hint(format!("There are {}.", all.join(", "))));
        }
        let is_wanted = |table: &&&str| {
            input.tables.is_empty() || input.tables.iter().any(|wanted| wanted == **table)
        };
        let tables = all.iter().filter(is_wanted).copied();
        if input.hash {
            let hashes = tables.map(|table| {
                let (mut rows, mut hash) = (0, sha2::Sha256::new());
                reader
                    .dump(table, |place, content| {
                        rows += 1;
                        hash.update(format!("{place} {content}\n"));
                    })
                    .map_err(unusable)?;
                let hash = hash.finalize().iter().fold(String::new(), |mut text, byte| {
                    let _ = write!(text, "{byte:02x}");
                    text
                });
                Ok(Hash { table, rows, hash })
            });
            return Ok(Output::Hashes(hashes.collect::<Result<_>>()?));
        }
        let dumped = tables.map(|table| {
            let mut rows = Vec::new();
            reader
                .dump(table, |place, content| rows.push((place.to_owned(), content.to_owned())))
                .map_err(unusable)?;
            Ok(Table { table, rows })
        });
        Ok(Output::Rows(dumped.collect::<Result<_>>()?))
    }

    fn render(output: &Output, page: &mut Page) {
        match output {
            Output::Rows(tables) => {
                for Table { table, rows } in tables {
                    for (place, content) in rows {
                        page.line(format!("{table} {} {}", visible(place), visible(content)));
                    }
                }
            }
            Output::Hashes(hashes) => {
                for Hash { table, rows, hash } in hashes {
                    page.line(format!("{table:<18} {rows:>9}  {hash}"));
                }
            }
        }
    }
}
