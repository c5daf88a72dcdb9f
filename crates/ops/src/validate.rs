//! Whether the index still says what the files say.

use ::index::Drift;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{self, Page, styled};
use crate::{Error, Kind, Operation, Result, Workspace};

/// Compare the index with the files: stale, missing and unindexed ones
///
/// Changes nothing. Exits with status 1 if anything has drifted.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Only these files and directories
    #[serde(default)]
    pub paths: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub rows: Vec<Row>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Row {
    pub path: String,
    /// `stale`, `missing` or `unindexed`.
    pub status: &'static str,
}

#[derive(Debug)]
pub struct Validate;

impl Operation for Validate {
    const NAME: &'static str = "validate";
    const EXAMPLES: &'static str = "\
  groma validate                 the whole project
  groma validate src/ --json     a part of it";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("rows");

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (project, reader) = workspace.reader()?;
        let config = workspace.config(&project)?;
        let here = workspace.directory()?;
        let mut places: Vec<String> = Vec::new();
        for path in &input.paths {
            let path = path.replace('\\', "/");
            places.push(project.inside(&here, &path)?);
        }
        let is_asked = |path: &str| {
            places.is_empty() || places.iter().any(|place| ::index::walk::is_within(path, place))
        };
        // Of what nobody knows it would be no answer that nothing has changed.
        for (place, asked) in places.iter().zip(&input.paths) {
            let is_there = std::fs::symlink_metadata(project.root.join(place)).is_ok();
            let is_known =
                || reader.files_at(std::slice::from_ref(place)).map(|them| !them.is_empty());
            if !is_there && !is_known().map_err(|error| Error::unreadable(&error))? {
                let message = format!("`{asked}` is neither on disk nor in the index");
                return Err(Error::new(Kind::NotFound, message)
                    .hint("Paths are those from the current directory."));
            }
        }
        let drifted = ::index::drift(&project, &config, &reader)?;
        let rows = drifted.into_iter().filter(|(path, _)| is_asked(path)).map(|(path, drift)| {
            let status = match drift {
                Drift::Stale => "stale",
                Drift::Missing => "missing",
                Drift::Unindexed => "unindexed",
            };
            Row { path, status }
        });
        Ok(Output { rows: rows.collect() })
    }

    fn has_findings(output: &Output) -> bool {
        !output.rows.is_empty()
    }

    fn render(output: &Output, page: &mut Page) {
        if output.rows.is_empty() {
            page.line("the index says what the files say");
        }
        for Row { path, status } in &output.rows {
            page.item();
            page.line(format!("{} {}", styled(text::WARNING, status), text::visible(path)));
        }
    }
}
