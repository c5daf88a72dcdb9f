//! Names that begin so, for whoever fills in a prompt or a template.

use std::sync::Arc;

use rmcp::model::CompletionInfo;
use serde_json::Value;

use crate::desk::Desk;
use crate::resources;

/// Values for an argument that begin so; none for what has no names.
pub(crate) async fn complete(desk: &Arc<Desk>, argument: &str, begin: &str) -> Vec<String> {
    let Some((question, list, key)) = resources::names(argument, begin) else { return Vec::new() };
    let Ok(reply) = desk.ask(question, std::future::pending(), |_| {}).await else {
        return Vec::new();
    };
    let answer: Value = serde_json::from_str(&reply.text).unwrap_or_default();
    let items = if list.is_empty() { &answer } else { &answer[list] };
    let values = items.as_array().into_iter().flatten().filter_map(|item| item[key].as_str());
    let values = values.filter(|value| value.starts_with(begin));
    let mut values: Vec<String> = values.map(str::to_owned).collect();
    values.sort();
    values.truncate(CompletionInfo::MAX_VALUES);
    values
}
