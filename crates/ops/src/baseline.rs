//! Rows saved under a name, to be compared with later ones.

use std::collections::HashMap;

use ::index::{Project, git};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use store::Baseline;
use store::sandbox::Rows;

use crate::linked::{own_data, own_data_to_write};
use crate::query::{cell, keys, objects};
use crate::recipes::{Action, now};
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Error, Kind, Result};

/// What is known of saved rows, without them.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Saved {
    pub name: String,
    pub recipe_id: Option<String>,
    pub row_count: u64,
    /// Commit that was checked out.
    pub git_ref: Option<String>,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

/// How rows differ from those that were saved.
#[derive(Debug)]
pub struct Comparison {
    pub baseline: Saved,
    pub current_row_count: usize,
    pub added: Vec<Value>,
    pub removed: Vec<Value>,
    /// Only numbers are wanted.
    pub summary: bool,
}

impl Serialize for Comparison {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        let side = |rows: &Vec<Value>| match self.summary {
            true => json!(rows.len()),
            false => json!(rows),
        };
        let value = json!({
            "baseline": self.baseline,
            "current_row_count": self.current_row_count,
            "added": side(&self.added),
            "removed": side(&self.removed),
        });
        value.serialize(serializer)
    }
}

impl Comparison {
    pub(crate) fn render(&self, page: &mut Page) {
        page.line(format!(
            "{} `{}`: {} rows then, {} now · {} added · {} removed",
            styled(text::HEADING, "baseline"),
            text::visible(&self.baseline.name),
            self.baseline.row_count,
            self.current_row_count,
            self.added.len(),
            self.removed.len()
        ));
        if self.summary {
            return;
        }
        for (sign, rows) in [("+", &self.added), ("-", &self.removed)] {
            for row in rows {
                let values = row.as_object().into_iter().flat_map(|row| row.iter());
                let values: Vec<String> = values
                    .filter(|(key, _)| *key != "actions")
                    .map(|(_, value)| text::one_line(&cell(value), 120))
                    .collect();
                page.line(format!("{sign} {}", values.join("  ")));
            }
        }
    }
}

/// The name that is meant: what was said, or the recipe.
pub(crate) fn name<'n>(said: &'n str, recipe: Option<&'n str>) -> Result<&'n str> {
    let name = match (said, recipe) {
        ("", Some(recipe)) => recipe,
        ("", None) => {
            return Err(Error::new(Kind::Usage, "a baseline of a query needs a name")
                .hint("Say --save-baseline=<name> and --baseline=<name>."));
        }
        (said, _) => said,
    };
    if name.len() > 200 || name.contains(char::is_control) {
        return Err(Error::new(
            Kind::Usage,
            "the name of a baseline has at most 200 plain characters",
        ));
    }
    Ok(name)
}

pub(crate) fn save(
    project: &Project,
    name: &str,
    recipe: Option<&str>,
    sql: &str,
    rows: &Rows,
) -> Result<Saved> {
    let saved = objects(&rows.columns, &rows.rows, &[]);
    let baseline = Baseline {
        name: name.to_owned(),
        recipe_id: recipe.map(str::to_owned),
        sql: sql.to_owned(),
        row_count: saved.len() as u64,
        rows_json: Value::from(saved).to_string(),
        git_ref: git::head(project),
        created_at: now(),
    };
    own_data_to_write(project)?.save_baseline(&baseline).map_err(unusable)?;
    Ok(about(&baseline))
}

pub(crate) fn get(project: &Project, name: &str) -> Result<Baseline> {
    let data = own_data(project)?;
    let found = data.map(|data| data.baseline(name).map_err(unusable)).transpose()?.flatten();
    found.ok_or_else(|| unknown(name))
}

pub(crate) fn list(project: &Project) -> Result<Vec<Saved>> {
    let data = own_data(project)?;
    let all = data.map(|data| data.baselines().map_err(unusable)).transpose()?;
    Ok(all.unwrap_or_default().iter().map(about).collect())
}

pub(crate) fn drop(project: &Project, name: &str) -> Result<String> {
    let is_there = own_data(project)?.is_some();
    if is_there && own_data_to_write(project)?.drop_baseline(name).map_err(unusable)? {
        return Ok(name.to_owned());
    }
    Err(unknown(name))
}

fn unknown(name: &str) -> Error {
    let name = text::one_line(name, 80);
    Error::new(Kind::NotFound, format!("there is no baseline `{name}`"))
        .hint("`groma query --baselines` lists what was saved.")
}

fn about(baseline: &Baseline) -> Saved {
    Saved {
        name: baseline.name.clone(),
        recipe_id: baseline.recipe_id.clone(),
        row_count: baseline.row_count,
        git_ref: baseline.git_ref.clone(),
        created_at: baseline.created_at,
    }
}

/// Compares as multisets of whole rows: a row that was there twice and is there once is removed once.
pub(crate) fn compare(
    baseline: &Baseline,
    rows: &Rows,
    actions: Vec<Action>,
    summary: bool,
) -> Result<Comparison> {
    let saved: Vec<Value> = serde_json::from_str(&baseline.rows_json).map_err(|error| {
        let message = format!("the baseline `{}` cannot be read: {error}", baseline.name);
        Error::new(Kind::Index, message).hint("Save it again.")
    })?;
    let current = objects(&rows.columns, &rows.rows, &[]);
    let mut left: HashMap<String, usize> = HashMap::new();
    for row in &saved {
        *left.entry(canonical(row)).or_default() += 1;
    }
    let mut added = Vec::new();
    let keys = keys(&rows.columns);
    for row in &current {
        match left.get_mut(&canonical(row)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => added.push(row.clone()),
        }
    }
    if !actions.is_empty() && !keys.iter().any(|key| key == "actions") {
        for row in &mut added {
            row["actions"] = serde_json::to_value(&actions).unwrap_or_default();
        }
    }
    // What was not met is gone; of equal rows, the last ones.
    let mut removed = Vec::new();
    for row in saved.iter().rev() {
        if let Some(count) = left.get_mut(&canonical(row)).filter(|count| **count > 0) {
            *count -= 1;
            removed.push(row.clone());
        }
    }
    removed.reverse();
    Ok(Comparison {
        baseline: about(baseline),
        current_row_count: current.len(),
        added,
        removed,
        summary,
    })
}

/// A row whose keys are in order.
fn canonical(row: &Value) -> String {
    match row {
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            let entry = |(key, value): (&String, &Value)| format!("{key:?}:{value}");
            entries.into_iter().map(entry).collect::<Vec<String>>().join(",")
        }
        other => other.to_string(),
    }
}

pub(crate) fn render_list(all: &[Saved], page: &mut Page) {
    if all.is_empty() {
        page.line("nothing was saved");
        return;
    }
    let row = |saved: &Saved| {
        vec![
            text::one_line(&saved.name, 60),
            saved.row_count.to_string(),
            saved.recipe_id.clone().unwrap_or_default(),
            crate::moment::shown(saved.created_at),
            saved.git_ref.as_deref().map_or("", |hash| hash.get(..10).unwrap_or(hash)).to_owned(),
        ]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    page.table(&["name", "rows", "recipe", "saved", "commit"], &rows);
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use store::Baseline;
    use store::sandbox::Rows;

    use super::compare;

    #[test]
    fn cm_47_rows_are_compared_as_multisets() {
        let baseline = |rows: serde_json::Value| Baseline {
            name: "b".to_owned(),
            recipe_id: None,
            sql: String::new(),
            row_count: rows.as_array().map_or(0, Vec::len) as u64,
            rows_json: rows.to_string(),
            git_ref: None,
            created_at: 0,
        };
        let rows = |values: &[i64]| Rows {
            columns: vec!["a".to_owned(), "b".to_owned()],
            rows: values.iter().map(|value| vec![json!(value), json!("x")]).collect(),
            cut: None,
        };
        let row = |value: i64| json!({"b": "x", "a": value});
        let saved = baseline(json!([row(1), row(1), row(2)]));
        let found = compare(&saved, &rows(&[1, 3]), Vec::new(), false).expect("it compares");
        assert_eq!(found.added, [json!({"a": 3, "b": "x"})]);
        assert_eq!(found.removed, [row(1), row(2)]);
        assert_eq!(found.current_row_count, 2);
        let numbers = compare(&saved, &rows(&[1, 3]), Vec::new(), true).expect("it compares");
        let numbers = serde_json::to_value(&numbers).expect("JSON");
        assert_eq!((&numbers["added"], &numbers["removed"]), (&json!(1), &json!(2)));
    }
}
