//! Answers of `query`, as JSON and for people.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use store::sandbox::Rows;

use super::groups::{Group, GroupBy};
use crate::answer::Format;
use crate::baseline::{Comparison, Saved};
use crate::recipes::Action;
use crate::text::{self, Page, styled};
use crate::{Error, answer};

/// What `query` answers.
#[derive(Debug)]
pub enum Output {
    Rows(Answered),
    /// Of several statements, each for itself.
    Several(Vec<std::result::Result<Answered, Error>>),
    /// In a form for another program, with whether a check should fail, and what people should know.
    Formatted {
        text: String,
        has_findings: bool,
        notes: Vec<String>,
    },
    Compared(Comparison),
    Saved(Saved),
    Baselines(Vec<Saved>),
    Dropped(String),
}

/// The rows of one statement.
#[derive(Debug)]
pub struct Answered {
    pub rows: Rows,
    /// Only their number is wanted.
    pub summary: bool,
    pub groups: Option<(GroupBy, Vec<Group>)>,
    /// What to do about each row.
    pub actions: Vec<Action>,
    /// Rows that comments in their files ask not to be told.
    pub suppressed: usize,
    /// There are more rows than these.
    pub truncated: bool,
    /// That there may be more was asked for.
    pub is_limited: bool,
    /// The rows are the plan of a statement.
    pub is_plan: bool,
    pub notes: Vec<String>,
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Rows(answered) => answered.serialize(serializer),
            Self::Several(all) => serializer.collect_seq(all.iter().map(|one| match one {
                Ok(answered) => serde_json::to_value(answered).unwrap_or_default(),
                Err(error) => answer::error_value(error, &error.message, error.hint.as_deref()),
            })),
            Self::Formatted { text, .. } => text.serialize(serializer),
            Self::Compared(comparison) => comparison.serialize(serializer),
            Self::Saved(saved) => json!({ "saved": saved }).serialize(serializer),
            Self::Baselines(all) => all.serialize(serializer),
            Self::Dropped(name) => json!({ "dropped": name }).serialize(serializer),
        }
    }
}

impl Serialize for Answered {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let objects = |rows: &[Vec<Value>]| objects(&self.rows.columns, rows, &self.actions);
        if let Some((by, groups)) = &self.groups {
            let groups: Vec<Value> = groups
                .iter()
                .map(|group| match self.summary {
                    true => json!({ "key": group.key, "count": group.rows.len() }),
                    false => json!({
                        "key": group.key,
                        "count": group.rows.len(),
                        "rows": objects(&group.rows),
                    }),
                })
                .collect();
            return json!({ "group_by": by.word(), "groups": groups }).serialize(serializer);
        }
        // An array where the rows are all there is to say.
        if !self.summary && (!self.truncated || self.is_limited) {
            return objects(&self.rows.rows).serialize(serializer);
        }
        let mut map = serializer.serialize_map(None)?;
        match self.summary {
            true => map.serialize_entry("count", &self.rows.rows.len())?,
            false => map.serialize_entry("rows", &objects(&self.rows.rows))?,
        }
        if self.suppressed > 0 {
            map.serialize_entry("suppressed", &self.suppressed)?;
        }
        if self.truncated {
            map.serialize_entry("truncated", &true)?;
            map.serialize_entry(
                "hint",
                "there are more rows; raise `limit`, or narrow the question",
            )?;
        }
        map.end()
    }
}

/// What the forms above come to. Which one it is follows from the question.
impl JsonSchema for Output {
    fn schema_name() -> Cow<'static, str> {
        "Rows".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let saved = generator.subschema_for::<Saved>();
        let rows = json!({"type": "array", "items": {"type": "object"}});
        let count = json!({"type": "integer"});
        let text = json!({"type": "string"});
        json_schema!({
            "anyOf": [
                {"description": "Rows; of several statements, an answer or an error for each", "type": "array"},
                {
                    "description": "Rows and what there is to say of them",
                    "type": "object",
                    "required": ["rows"],
                    "properties": {
                        "rows": rows, "suppressed": count, "truncated": {"type": "boolean"}, "hint": text,
                    },
                },
                {
                    "description": "Their number alone, with `summary`",
                    "type": "object",
                    "required": ["count"],
                    "properties": {"count": count, "suppressed": count, "truncated": {"type": "boolean"}},
                },
                {
                    "description": "Rows in groups, with `group_by`",
                    "type": "object",
                    "required": ["group_by", "groups"],
                    "properties": {
                        "group_by": text,
                        "groups": {"type": "array", "items": {
                            "type": "object",
                            "required": ["key", "count"],
                            "properties": {"key": {}, "count": count, "rows": rows},
                        }},
                    },
                },
                {
                    "description": "How they differ from a baseline; numbers with `summary`",
                    "type": "object",
                    "required": ["baseline", "current_row_count", "added", "removed"],
                    "properties": {
                        "baseline": saved, "current_row_count": count,
                        "added": {"type": ["array", "integer"]}, "removed": {"type": ["array", "integer"]},
                    },
                },
                {
                    "description": "The baseline that was saved",
                    "type": "object",
                    "required": ["saved"],
                    "properties": {"saved": saved},
                },
                {
                    "description": "The name of the baseline that was dropped",
                    "type": "object",
                    "required": ["dropped"],
                    "properties": {"dropped": text},
                },
                {"description": "Another form, with `format`", "type": "string"},
            ],
        })
    }
}

/// Rows as objects.
pub(crate) fn objects(columns: &[String], rows: &[Vec<Value>], actions: &[Action]) -> Vec<Value> {
    let keys = keys(columns);
    let object = |row: &Vec<Value>| {
        let mut object: Map<String, Value> =
            keys.iter().cloned().zip(row.iter().cloned()).collect();
        if !actions.is_empty() {
            object.insert("actions".to_owned(), serde_json::to_value(actions).unwrap_or_default());
        }
        Value::Object(object)
    };
    rows.iter().map(object).collect()
}

/// The columns as keys of an object: where two are called the same, the later one is numbered, so that
/// neither is lost.
pub(crate) fn keys(columns: &[String]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::with_capacity(columns.len());
    for column in columns {
        let mut key = column.clone();
        let mut number = 1;
        while keys.contains(&key) {
            number += 1;
            key = format!("{column}_{number}");
        }
        keys.push(key);
    }
    keys
}

pub(crate) fn render(output: &Output, page: &mut Page) {
    match output {
        Output::Rows(answered) => answered.render(page),
        Output::Several(all) => {
            for (at, one) in all.iter().enumerate() {
                if at > 0 {
                    page.blank();
                }
                page.line(styled(text::DIM, &format!("-- statement {}", at + 1)));
                match one {
                    Ok(answered) => answered.render(page),
                    Err(error) => {
                        let message = format!("error: {}", text::visible(&error.message));
                        page.line(styled(text::WARNING, &message));
                        if let Some(hint) = &error.hint {
                            page.line(format!("  {}", text::visible(hint)));
                        }
                    }
                }
            }
        }
        Output::Formatted { text, .. } => page.line(text.trim_end()),
        Output::Compared(comparison) => comparison.render(page),
        Output::Saved(saved) => page.line(format!(
            "{} `{}` · {} rows",
            styled(text::HEADING, "saved"),
            text::visible(&saved.name),
            saved.row_count
        )),
        Output::Baselines(all) => crate::baseline::render_list(all, page),
        Output::Dropped(name) => {
            page.line(format!("{} `{}`", styled(text::HEADING, "dropped"), text::visible(name)));
        }
    }
}

impl Answered {
    /// What people should know beside the rows. In text, most of it stands below them.
    pub(crate) fn notes(&self, format: Format) -> Vec<String> {
        let mut notes = self.notes.clone();
        if format != Format::Text && self.truncated {
            notes.push(format!("first {} rows; more with --limit", self.rows.rows.len()));
        }
        if format != Format::Text && self.suppressed > 0 {
            notes.push(format!("{} left out because comments ask for it", self.suppressed));
        }
        notes
    }

    fn render(&self, page: &mut Page) {
        match &self.groups {
            Some((_, groups)) => {
                for group in groups {
                    let key = styled(text::HEADING, &text::visible(&group.key));
                    page.line(format!("{key}  {}", group.rows.len()));
                    if !self.summary {
                        table(page, &self.rows.columns, &group.rows);
                        page.blank();
                    }
                }
            }
            None if self.summary => page.line(format!("count: {}", self.rows.rows.len())),
            None if self.is_plan => plan(page, &self.rows),
            None => table(page, &self.rows.columns, &self.rows.rows),
        }
        if self.truncated {
            let note = format!("first {} rows; more with --limit", self.rows.rows.len());
            page.line(styled(text::WARNING, &note));
        }
        if self.suppressed > 0 {
            let note = format!("{} left out because comments ask for it", self.suppressed);
            page.line(styled(text::DIM, &note));
        }
    }
}

pub(crate) fn table(page: &mut Page, columns: &[String], rows: &[Vec<Value>]) {
    let header: Vec<String> = columns.iter().map(|column| text::one_line(column, 60)).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let line =
        |row: &Vec<Value>| row.iter().map(|value| text::one_line(&cell(value), 200)).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(line).collect();
    page.table(&header, &rows);
}

/// Steps of a plan, those inside others further in.
fn plan(page: &mut Page, rows: &Rows) {
    let number = |row: &[Value], at: usize| row.get(at).and_then(Value::as_i64).unwrap_or(0);
    let mut depths = std::collections::HashMap::new();
    for row in &rows.rows {
        let depth = depths.get(&number(row, 1)).map_or(0, |depth: &usize| depth + 1);
        depths.insert(number(row, 0), depth);
        let detail = row.get(3).and_then(Value::as_str).unwrap_or_default();
        page.line(format!("{}{}", "  ".repeat(depth), text::one_line(detail, 300)));
    }
}

pub(crate) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
