//! What can be asked with `query`, and what does not go together.

use std::io::Read;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::groups::GroupBy;
use crate::formats::Form;
use crate::{Error, Kind, Result};

/// Ask in SQL, or by a recipe: read-only, on the documented tables
///
/// `groma schema` lists the tables, `groma recipes` the recipes. Statements run in a sandbox: they may
/// only read, and have a deadline.
#[derive(Debug, Clone, Default, Deserialize, clap::Args)]
#[serde(deny_unknown_fields, default)]
pub struct Input {
    /// One SELECT statement, or several with `;` between them; `-` reads them from standard input
    #[arg(value_parser = sql_argument)]
    pub sql: Option<String>,
    /// Read the statements from this file
    #[arg(long, short = 'f', value_name = "FILE", value_parser = text_of_file, conflicts_with = "sql")]
    #[serde(skip)]
    pub file: Option<String>,
    /// Run this recipe
    #[arg(long, short = 'r', value_name = "ID", conflicts_with_all = ["sql", "file"])]
    pub recipe: Option<String>,
    /// Values for the parameters of the recipe: `name=value`, several with commas between them
    #[arg(long, value_name = "NAME=VALUE", requires = "recipe", value_parser = parameters)]
    #[serde(deserialize_with = "parameters_from_json")]
    pub params: Vec<Parameters>,
    /// Only the number of rows
    #[arg(long)]
    pub summary: bool,
    /// Only rows of files that differ from this commit, branch or tag
    #[arg(long, value_name = "REF")]
    pub changed_since: Option<String>,
    /// Rows by owner, directory, package or language of their file
    #[arg(long, value_name = "WHAT")]
    pub group_by: Option<GroupBy>,
    /// Save the rows under this name, that of the recipe unless said
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub save_baseline: Option<String>,
    /// Compare with the rows saved under this name, that of the recipe unless said
    #[arg(long, value_name = "NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub baseline: Option<String>,
    /// List what was saved
    #[arg(long)]
    pub baselines: bool,
    /// Drop what was saved under this name
    #[arg(long, value_name = "NAME")]
    pub drop_baseline: Option<String>,
    /// A form for another program; comes before --json
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Form>,
    /// SARIF, no progress, and exit status 1 if there are rows
    #[arg(long)]
    pub ci: bool,
    /// The plan of the statement instead of its rows
    #[arg(long)]
    pub explain: bool,
    /// Give at most this many rows [default: 1000; for formats 100000]
    #[arg(long)]
    pub limit: Option<usize>,
    /// Stop after so many seconds, at most 30 [default: 5]
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
}

/// Values of parameters as they were given.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters(Vec<(String, Value)>);

impl Input {
    /// The form that is wanted, if one was said.
    pub(crate) fn form(&self) -> Option<Form> {
        self.format.or(self.ci.then_some(Form::Sarif))
    }

    pub(crate) fn parameters(&self) -> Vec<(String, Value)> {
        self.params.iter().flat_map(|list| list.0.iter().cloned()).collect()
    }

    pub(crate) fn sql(&self) -> Result<&str> {
        let sql = self.sql.as_deref().or(self.file.as_deref());
        sql.ok_or_else(|| {
            Error::new(Kind::Usage, "there is nothing to ask")
                .hint("Give a statement, a --file or a --recipe; `groma query --help` tells more.")
        })
    }

    pub(crate) fn row_limit(&self) -> usize {
        let formatted = self.form().is_some_and(|form| !matches!(form, Form::Text | Form::Json));
        self.limit.unwrap_or(if formatted { 100_000 } else { 1000 })
    }

    /// Whether the answer is rows, and nothing more is done with them.
    pub(crate) fn gives_rows(&self) -> bool {
        self.save_baseline.is_none()
            && self.baseline.is_none()
            && self.form().is_none_or(|form| matches!(form, Form::Text | Form::Json))
    }

    /// Refuses what does not go together, before anything is opened.
    pub(crate) fn check(&self) -> Result<()> {
        let flags = [
            ("--summary", self.summary),
            ("--group-by", self.group_by.is_some()),
            ("--save-baseline", self.save_baseline.is_some()),
            ("--baseline", self.baseline.is_some()),
            ("--explain", self.explain),
        ];
        let is_on = |name: &str| flags.iter().any(|(flag, on)| *flag == name && *on);
        let refuse = |one: &str, other: &str| {
            Err(Error::new(Kind::Usage, format!("{one} and {other} do not go together"))
                .hint("Their answers have different shapes; ask twice."))
        };
        for (one, other) in [
            ("--group-by", "--save-baseline"),
            ("--group-by", "--baseline"),
            ("--save-baseline", "--baseline"),
            ("--explain", "--baseline"),
            ("--explain", "--save-baseline"),
            ("--explain", "--summary"),
            ("--explain", "--group-by"),
        ] {
            if is_on(one) && is_on(other) {
                return refuse(one, other);
            }
        }
        if let Some(form) = self.form().filter(|form| !matches!(form, Form::Text | Form::Json)) {
            if let Some((flag, _)) = flags.iter().find(|(_, on)| *on) {
                return refuse(&format!("--format {}", form.word()), flag);
            }
        } else if self.ci {
            return refuse("--ci", "--format text and json");
        }
        if self.ci && self.form() != Some(Form::Sarif) && !self.form().is_some_and(Form::is_report)
        {
            return refuse("--ci", "this --format");
        }
        if self.sql.is_some() && self.recipe.is_some() {
            return refuse("a statement", "--recipe");
        }
        if self.limit == Some(0) {
            return Err(Error::new(Kind::Usage, "--limit is 1 or more")
                .hint("--summary counts without showing rows."));
        }
        super::ask::time_limit(self.timeout).map(|_| ())
    }
}

const LARGEST: u64 = 10 << 20;

/// `-` stands for what comes in on standard input.
fn sql_argument(text: &str) -> std::result::Result<String, String> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut sql = Vec::new();
    let input = std::io::stdin().lock();
    input.take(LARGEST).read_to_end(&mut sql).map_err(|error| error.to_string())?;
    String::from_utf8(sql).map_err(|_| "standard input is no UTF-8".to_owned())
}

fn text_of_file(path: &str) -> std::result::Result<String, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut sql = Vec::new();
    file.take(LARGEST).read_to_end(&mut sql).map_err(|error| error.to_string())?;
    String::from_utf8(sql).map_err(|_| "the file is no UTF-8".to_owned())
}

/// `a=1,b=two, or three,c=4`: a comma ends a value only where a name and `=` follow.
pub(crate) fn parameters(text: &str) -> std::result::Result<Parameters, String> {
    let mut found: Vec<(String, String)> = Vec::new();
    for piece in text.split(',') {
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        match (piece.split_once('='), found.last_mut()) {
            (Some((name, value)), _) if is_name(name.trim()) => {
                found.push((name.trim().to_owned(), value.to_owned()));
            }
            (_, Some((_, value))) => {
                value.push(',');
                value.push_str(piece);
            }
            _ => return Err("name=value is expected".to_owned()),
        }
    }
    Ok(Parameters(found.into_iter().map(|(name, value)| (name, value.into())).collect()))
}

pub(crate) fn parameters_from_json<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Vec<Parameters>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Pairs(serde_json::Map<String, Value>),
        Text(String),
    }
    Ok(match Given::deserialize(deserializer)? {
        Given::Pairs(map) => vec![Parameters(map.into_iter().collect())],
        Given::Text(text) if text.is_empty() => Vec::new(),
        Given::Text(text) => vec![parameters(&text).map_err(serde::de::Error::custom)?],
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Input, parameters};

    #[test]
    fn cm_52_parameters_come_as_pairs_with_commas_between_them() {
        let found = parameters("min=3,name=a,b,all=true").expect("pairs").0;
        let expected =
            [("min", "3"), ("name", "a,b"), ("all", "true")].map(|(n, v)| (n.to_owned(), json!(v)));
        assert_eq!(found, expected);
        assert!(parameters("nothing").is_err());
        let input: Input =
            serde_json::from_value(json!({"recipe": "x", "params": {"min": 3}})).expect("an input");
        assert_eq!(input.parameters(), [("min".to_owned(), json!(3))]);
        let input: Input =
            serde_json::from_value(json!({"recipe": "x", "params": "min=3"})).expect("an input");
        assert_eq!(input.parameters(), [("min".to_owned(), json!("3"))]);
    }

    #[test]
    fn files_are_read_for_the_command_line_alone() {
        assert!(serde_json::from_value::<Input>(json!({"file": "secret"})).is_err());
    }
}
