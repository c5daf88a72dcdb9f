//! What the index holds.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::rusqlite::{self, Connection};

use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{IndexState, Operation, Result, Workspace};

/// Show what the index holds: counts, sizes, skipped files by reason
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub root: String,
    pub database: String,
    pub database_bytes: u64,
    pub source_bytes: u64,
    pub schema_version: u32,
    /// Milliseconds since 1970.
    pub indexed_at: Option<u64>,
    /// What was checked out then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    pub files: u64,
    pub lines: u64,
    pub symbols: u64,
    pub names: u64,
    pub languages: BTreeMap<String, u64>,
    pub skipped: BTreeMap<String, u64>,
    pub partial: BTreeMap<String, u64>,
    pub problems: BTreeMap<String, u64>,
    /// Bytes of the write-ahead log.
    pub log_bytes: u64,
    pub drift: Drift,
    pub index: IndexState,
}

/// Files that are not as they were indexed.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Drift {
    pub stale: u64,
    pub missing: u64,
    pub unindexed: u64,
}

impl Drift {
    fn of(drifted: Vec<(String, ::index::Drift)>) -> Self {
        let mut this = Self::default();
        for (_, drift) in drifted {
            match drift {
                ::index::Drift::Stale => this.stale += 1,
                ::index::Drift::Missing => this.missing += 1,
                ::index::Drift::Unindexed => this.unindexed += 1,
            }
        }
        this
    }
}

#[derive(Debug)]
pub struct Status;

impl Operation for Status {
    const NAME: &'static str = "status";
    const EXAMPLES: &'static str = "\
  groma status
  groma status --json";
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, _: Input) -> Result<Output> {
        let (project, reader) = workspace.reader()?;
        let config = workspace.config(&project)?;
        let connection = reader.connection();
        let number = |sql: &str| -> Result<u64> {
            connection
                .query_row(sql, [], |row| row.get::<_, i64>(0))
                .map(i64::unsigned_abs)
                .map_err(unusable)
        };
        let database = project.index_file();
        Ok(Output {
            root: project.root.to_string_lossy().into_owned(),
            database_bytes: std::fs::metadata(&database).map_or(0, |metadata| metadata.len()),
            database: database.to_string_lossy().into_owned(),
            source_bytes: number(
                "SELECT coalesce(sum(size), 0) FROM files WHERE status <> 'skipped'",
            )?,
            schema_version: store::SCHEMA_VERSION,
            indexed_at: reader.meta("indexed_at").and_then(|text| text.parse().ok()),
            commit: reader.meta("commit").filter(|commit| !commit.is_empty()),
            files: number("SELECT count(*) FROM files")?,
            lines: number("SELECT coalesce(sum(line_count), 0) FROM files")?,
            symbols: number("SELECT coalesce(sum(symbol_count), 0) FROM files")?,
            names: reader.meta("names").and_then(|text| text.parse().ok()).unwrap_or(0),
            languages: counts(
                connection,
                "SELECT language, count(*) FROM files WHERE status <> 'skipped' GROUP BY 1",
            )?,
            skipped: counts(
                connection,
                "SELECT reason, count(*) FROM files WHERE status = 'skipped' GROUP BY 1",
            )?,
            partial: counts(
                connection,
                "SELECT reason, count(*) FROM files WHERE status = 'partial' GROUP BY 1",
            )?,
            problems: counts(
                connection,
                "SELECT kind, count(DISTINCT file_path) FROM problems GROUP BY 1",
            )?,
            log_bytes: std::fs::metadata(database.with_extension("db-wal"))
                .map_or(0, |metadata| metadata.len()),
            drift: Drift::of(::index::drift(&project, &config, &reader)?),
            index: workspace.index_state(&[])?,
        })
    }

    fn render(output: &Output, page: &mut Page) {
        page.line(styled(text::PATH, &text::visible(&output.root)));
        page.line(format!(
            "  {} files · {} lines · {} symbols · {} names",
            text::count(output.files),
            text::count(output.lines),
            text::count(output.symbols),
            text::count(output.names)
        ));
        page.line(format!(
            "  index {} for {} of source · generation {}{}",
            text::bytes(output.database_bytes),
            text::bytes(output.source_bytes),
            output.index.generation,
            if output.index.complete { "" } else { " · incomplete" }
        ));
        let Drift { stale, missing, unindexed } = output.drift;
        if stale + missing + unindexed > 0 {
            let note = format!(
                "  {stale} files changed, {missing} gone, {unindexed} new since; run `groma index`"
            );
            page.line(styled(text::WARNING, &note));
        }
        if output.index.watch != "off" {
            page.line(format!("  watched ({})", output.index.watch));
        }
        for (title, counts) in [
            ("languages", &output.languages),
            ("skipped", &output.skipped),
            ("partial", &output.partial),
            ("files with problems", &output.problems),
        ] {
            if !counts.is_empty() {
                page.line(styled(text::HEADING, title));
                page.line(format!("  {}", summary(counts)));
            }
        }
    }
}

/// `go 120 · rust 80`, most first.
pub(crate) fn summary(counts: &BTreeMap<String, u64>) -> String {
    let mut sorted: Vec<(&String, &u64)> = counts.iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let parts: Vec<String> =
        sorted.iter().map(|(word, number)| format!("{word} {}", text::count(**number))).collect();
    parts.join(" · ")
}

fn counts(connection: &Connection, sql: &str) -> Result<BTreeMap<String, u64>> {
    let read = || -> rusqlite::Result<BTreeMap<String, u64>> {
        connection
            .prepare(sql)?
            .query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))?
            .collect()
    };
    read().map_err(unusable)
}
