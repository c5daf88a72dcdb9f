//! Links and definitions as tables, for other programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::rusqlite::Row;

use crate::text::Page;
use crate::workspace::unusable;
use crate::{Error, Kind, Operation, Result, Workspace};

/// Print links or definitions as a table of tabs
///
/// `edges`: file and line of the caller (0 at the top level of a file), file and line of what it calls,
/// line of the call, name of what is called, how the link was found. `definitions`: file, line of the
/// name (of the beginning where the name comes last), name, kind.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// What to print
    pub what: What,
    /// Only edges at least this sure: certain, likely (unless said) or possible
    #[arg(long, value_name = "LEVEL")]
    pub min_confidence: Option<Level>,
    /// Every use of a symbol as an edge, not only calls
    #[arg(long)]
    #[serde(default)]
    pub all: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    Edges,
    Definitions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    Certain,
    #[default]
    Likely,
    Possible,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub columns: Vec<&'static str>,
    pub rows: Vec<Vec<serde_json::Value>>,
}

#[derive(Debug)]
pub struct Export;

impl Operation for Export {
    const NAME: &'static str = "export";
    const EXAMPLES: &'static str = "\
  groma export edges > edges.tsv
  groma export edges --min-confidence certain
  groma export definitions > definitions.tsv";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("rows");
    const CITES: bool = true;
    const WHOLE: bool = true;
    const PAGED: bool = false;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (_, reader) = workspace.reader()?;
        if input.what == What::Definitions && (input.all || input.min_confidence.is_some()) {
            let message = "--all and --min-confidence are about edges";
            return Err(Error::new(Kind::Usage, message));
        }
        let levels = match input.min_confidence.unwrap_or_default() {
            Level::Certain => "'certain'",
            Level::Likely => "'certain', 'likely'",
            Level::Possible => "'certain', 'likely', 'possible'",
        };
        let (columns, sql) = match input.what {
            What::Edges => {
                let calls = match input.all {
                    true => "",
                    // What is called must be something that can be.
                    false => {
                        "AND l.role IN ('call', 'decorate')
                         AND t.kind IN ('function', 'method', 'constructor', 'destructor', 'getter',
                             'setter', 'test', 'class', 'interface', 'struct', 'union', 'enum',
                             'trait', 'protocol', 'object', 'record', 'annotation', 'type')"
                    }
                };
                let columns = vec![
                    "caller_file",
                    "caller_line",
                    "callee_file",
                    "callee_line",
                    "line",
                    "callee",
                    "how",
                ];
                let sql = format!(
                    "SELECT f.path, coalesce(c.name_line, 0), g.path, t.name_line, l.line, n.text, l.how
                     FROM links AS l
                     JOIN file AS f ON f.id = l.file_id
                     JOIN symbol AS t ON t.id = l.target_id
                     JOIN file AS g ON g.id = t.id >> 24
                     JOIN name AS n ON n.id = t.name_id
                     LEFT JOIN symbol AS c ON c.id = l.symbol_id
                     WHERE l.outcome = 'resolved' AND l.confidence IN ({levels}) {calls}
                     ORDER BY f.path, l.number"
                );
                (columns, sql)
            }
            What::Definitions => (
                vec!["file", "line", "name", "kind"],
                // The name of `typedef struct { … } name;` stands behind what it names.
                "SELECT f.path,
                     CASE WHEN s.kind IN ('struct', 'union', 'enum') AND s.name_line = s.end_line
                          THEN s.start_line ELSE s.name_line END,
                     n.text, s.kind
                 FROM symbol AS s
                 JOIN file AS f ON f.id = s.id >> 24 JOIN name AS n ON n.id = s.name_id
                 WHERE f.retired IS NULL
                   AND s.kind IN ('function', 'method', 'constructor', 'destructor', 'getter',
                       'setter', 'class', 'interface', 'struct', 'union', 'enum', 'trait',
                       'protocol', 'object', 'record', 'annotation', 'type', 'associated_type')
                   -- `get` and `set` of a property are parts of it.
                   AND NOT (s.kind IN ('getter', 'setter') AND coalesce((SELECT o.kind FROM symbol AS o
                       WHERE o.id = (s.id >> 24 << 24 | s.owner)), '') = 'property')
                 ORDER BY f.path, s.id"
                    .to_owned(),
            ),
        };
        let width = columns.len();
        let cells = |row: &Row<'_>| -> store::rusqlite::Result<Vec<serde_json::Value>> {
            (0..width)
                .map(|at| {
                    use store::rusqlite::types::ValueRef;
                    Ok(match row.get_ref(at)? {
                        ValueRef::Integer(number) => number.into(),
                        ValueRef::Text(text) => String::from_utf8_lossy(text).into_owned().into(),
                        _ => serde_json::Value::Null,
                    })
                })
                .collect()
        };
        let mut statement = reader.connection().prepare(&sql).map_err(unusable)?;
        let rows = statement.query_map([], cells).map_err(unusable)?;
        let rows = rows.collect::<store::rusqlite::Result<_>>().map_err(unusable)?;
        Ok(Output { columns, rows })
    }

    fn render(output: &Output, page: &mut Page) {
        for row in &output.rows {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| match cell {
                    serde_json::Value::String(text) => text.replace(['\t', '\n'], " "),
                    serde_json::Value::Null => String::new(),
                    other => other.to_string(),
                })
                .collect();
            page.line(cells.join("\t"));
        }
    }
}
