//! The documented schema, from the program itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::documentation::{self, Relation};

use crate::text::{self, Page, styled};
use crate::{Entry, Error, Kind, Operation, Result, Workspace, catalogue};

/// Show the tables that queries read, or the columns of one
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// A table or view
    pub table: Option<String>,
    /// What this operation answers with `--json`, as JSON Schema
    #[arg(long, value_name = "OPERATION", conflicts_with = "table")]
    pub answer: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Output {
    All {
        tables: Vec<Brief>,
    },
    One(Box<Detailed>),
    /// A JSON Schema.
    Answer(serde_json::Value),
}

/// A table and what it means.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Brief {
    pub name: String,
    /// `views`, `packed facts`, `views over packed facts`, `user`, `rules` or `tables`.
    pub section: &'static str,
    pub meaning: String,
    pub columns: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Detailed {
    pub name: String,
    pub section: &'static str,
    pub meaning: String,
    pub columns: Vec<Column>,
    pub example: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Column {
    pub name: String,
    #[serde(rename = "type", skip_serializing_if = "String::is_empty")]
    pub kind: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub meaning: String,
}

#[derive(Debug)]
pub struct Schema;

impl Operation for Schema {
    const NAME: &'static str = "schema";
    const EXAMPLES: &'static str = "\
  groma schema
  groma schema symbols
  groma schema --answer search      what `groma search --json` prints, as JSON Schema";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("tables");

    fn run(_: &Workspace, input: Input) -> Result<Output> {
        if let Some(operation) = input.answer {
            return answer(&operation).map(Output::Answer);
        }
        let all = sections();
        let Some(wanted) = input.table else {
            let brief = |(section, relation): (&'static str, Relation)| Brief {
                section,
                meaning: relation.meaning.replace('\n', " "),
                columns: relation.columns.into_iter().map(|column| column.name).collect(),
                name: relation.name,
            };
            return Ok(Output::All { tables: all.into_iter().map(brief).collect() });
        };
        let names: Vec<&str> = all.iter().map(|(_, relation)| relation.name.as_str()).collect();
        let nearest = crate::query::nearest(&wanted, names.into_iter());
        let found =
            all.into_iter().find(|(_, relation)| relation.name.eq_ignore_ascii_case(&wanted));
        let Some((section, relation)) = found else {
            let wanted = text::one_line(&wanted, 60);
            let hint = match nearest {
                Some(nearest) => format!("Did you mean `{nearest}`? `groma schema` lists them."),
                None => "`groma schema` lists them.".to_owned(),
            };
            let message = format!("there is no table `{wanted}`");
            return Err(Error::new(Kind::NotFound, message).hint(hint));
        };
        Ok(Output::One(Box::new(detailed(section, relation))))
    }

    fn render(output: &Output, page: &mut Page) {
        match output {
            Output::All { tables } => {
                let mut section = "";
                for table in tables {
                    page.item();
                    if table.section != section {
                        section = table.section;
                        page.line(styled(text::HEADING, section));
                    }
                    page.line(format!("  {}  {}", styled(text::KIND, &table.name), table.meaning));
                    page.line(styled(text::DIM, &format!("    {}", table.columns.join(", "))));
                }
                page.end_items();
                page.blank();
                page.line("`groma schema <table>` explains the columns of one.");
                page.line("Statements may only read. They have 5 seconds (--timeout, at most 30), 1000 rows");
                page.line("(--limit), values of at most 16 MiB, 256 KiB of SQL, 500 columns, expressions 100");
                page.line("deep and 50 parts of a UNION. `sqlite_schema` and PRAGMA table_info can be read.");
            }
            Output::Answer(schema) => page.line(format!("{schema:#}")),
            Output::One(table) => {
                page.line(format!("{}  {}", styled(text::HEADING, &table.name), table.meaning));
                page.blank();
                // A view has no types of its own.
                let is_typed = table.columns.iter().any(|column| !column.kind.is_empty());
                let head: &[&str] =
                    if is_typed { &["column", "type", "meaning"] } else { &["column", "meaning"] };
                let row = |column: &Column| {
                    let kind = is_typed.then(|| column.kind.to_lowercase());
                    let cells = [Some(column.name.clone()), kind, Some(column.meaning.clone())];
                    cells.into_iter().flatten().collect()
                };
                let rows: Vec<Vec<String>> = table.columns.iter().map(row).collect();
                page.table(head, &rows);
                page.blank();
                page.line(format!("groma query \"{}\"", table.example));
            }
        }
    }
}

/// What commands answer that no server offers. Their types are further up, where this is compared with them.
const ANSWERS_OF_THE_COMMAND_LINE: [(&str, &str); 5] = [
    ("setup", include_str!("../../../docs/schemas/setup.json")),
    ("skill", include_str!("../../../docs/schemas/skill.json")),
    ("hook", include_str!("../../../docs/schemas/hook.json")),
    ("completions", include_str!("../../../docs/schemas/completions.json")),
    ("man", include_str!("../../../docs/schemas/man.json")),
];

fn answer(operation: &str) -> Result<serde_json::Value> {
    if let Some(entry) = Entry::named(operation) {
        return Ok(entry.answer_schema());
    }
    let mut others = ANSWERS_OF_THE_COMMAND_LINE.iter();
    if let Some((_, schema)) = others.find(|(name, _)| *name == operation) {
        return Ok(serde_json::from_str(schema).expect("a test compares it with the type"));
    }
    let others = ANSWERS_OF_THE_COMMAND_LINE.iter().map(|(name, _)| *name);
    let names: Vec<&str> = catalogue().iter().map(|entry| entry.name).chain(others).collect();
    let message = format!("there is no operation `{}`", text::one_line(operation, 60));
    Err(Error::new(Kind::NotFound, message).hint(format!("There are {}.", names.join(", "))))
}

/// Every documented table with its section, those to be read first coming first.
fn sections() -> Vec<(&'static str, Relation)> {
    let title = |file: &str| match file {
        "views.sql" => "views",
        "packed.sql" => "packed facts",
        "packed_views.sql" => "views over packed facts",
        "user_findings.sql" => "user",
        "sandbox.sql" => "rules",
        _ => "tables",
    };
    store::schema_files()
        .into_iter()
        .flat_map(|(file, text)| {
            let (_, relations) = documentation::read(text);
            relations.into_iter().map(move |relation| (title(file), relation))
        })
        .collect()
}

pub(crate) fn relations() -> Vec<Relation> {
    sections().into_iter().map(|(_, relation)| relation).collect()
}

fn detailed(section: &'static str, relation: Relation) -> Detailed {
    let names: Vec<&str> = relation.columns.iter().map(|column| column.name.as_str()).collect();
    let has = |name: &str| names.contains(&name);
    let shown: Vec<&str> = names.iter().copied().filter(|name| *name != "id").take(4).collect();
    let condition = ["file_path", "path", "from_path"].iter().find(|name| has(name));
    let condition = condition.map(|name| format!(" WHERE {name} LIKE 'src/%'")).unwrap_or_default();
    let example = format!("SELECT {} FROM {}{condition} LIMIT 10", shown.join(", "), relation.name);
    Detailed {
        section,
        example,
        meaning: relation.meaning.replace('\n', " "),
        columns: relation
            .columns
            .iter()
            .map(|column| Column {
                name: column.name.clone(),
                kind: column.kind.clone(),
                meaning: column.meaning.clone(),
            })
            .collect(),
        name: relation.name,
    }
}
