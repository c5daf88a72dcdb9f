//! Read-only SQL on the documented tables, and recipes.

mod ask;
mod groups;
mod input;
mod output;
pub(crate) mod places;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use ::index::git::ChangedFiles;
use serde_json::Value;
use store::sandbox::{self, Limits, Rows};

pub(crate) use ask::Asker;
pub use groups::{Group, GroupBy};
pub use input::{Input, Parameters};
pub(crate) use input::{parameters, parameters_from_json};
pub use output::{Answered, Output};
pub(crate) use output::{cell, keys, objects};

use crate::answer::{self, Format};
use crate::formats::{self, Findings, Form};
use crate::recipes::{Catalogue, Recipe, note_run, stops};
use crate::text::Page;
use crate::{Effect, Error, Kind, Operation, Result, Workspace, baseline};

/// Rows that are looked at where not all of them are given back: filtered, grouped, compared, counted.
const MOST_ROWS: usize = 1_000_000;

#[derive(Debug)]
pub struct Query;

impl Operation for Query {
    const NAME: &'static str = "query";
    const EXAMPLES: &'static str = "\
  groma query \"SELECT path, line_count FROM files ORDER BY line_count DESC LIMIT 10\"
  groma query \"SELECT qualified_name, complexity FROM symbols ORDER BY complexity DESC LIMIT 5\" --json
  groma query --recipe fan-in --group-by directory --summary
  groma query --recipe dead-code --changed-since main --ci > findings.sarif
  groma query --recipe dead-code --save-baseline; groma query --recipe dead-code --baseline
  echo 'SELECT 1; SELECT 2' | groma query - --json";
    const EFFECT: Effect = Effect::Destroys;
    type Input = Input;
    type Output = Output;

    fn writes(input: &Input) -> bool {
        input.save_baseline.is_some() || input.drop_baseline.is_some()
    }

    fn media_type(input: &Input) -> &'static str {
        input.form().map_or(crate::JSON, Form::media_type)
    }

    fn format(input: &Input, requested: Format) -> Format {
        match input.form() {
            Some(Form::Text) => Format::Text,
            Some(Form::Json) => Format::Json,
            _ => requested,
        }
    }

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        input.check()?;
        if input.baselines {
            return baseline::list(&workspace.project()?).map(Output::Baselines);
        }
        if let Some(name) = &input.drop_baseline {
            return baseline::drop(&workspace.project()?, name).map(Output::Dropped);
        }
        match &input.recipe {
            Some(id) => run_recipe(workspace, &input, id),
            None => run_sql(workspace, &input),
        }
    }

    fn verbatim(output: &Output) -> Option<&str> {
        match output {
            Output::Formatted { text, .. } => Some(text),
            _ => None,
        }
    }

    fn notes(output: &Output, format: Format) -> Vec<String> {
        match output {
            Output::Rows(answered) => answered.notes(format),
            Output::Several(all) => {
                // What is said of one is as a rule said of all.
                let said = all.iter().flatten().flat_map(|one| &one.notes);
                said.cloned().collect::<BTreeSet<_>>().into_iter().collect()
            }
            Output::Formatted { notes, .. } => notes.clone(),
            _ => Vec::new(),
        }
    }

    fn has_findings(output: &Output) -> bool {
        match output {
            Output::Formatted { has_findings, .. } => *has_findings,
            Output::Several(all) => all.iter().any(std::result::Result::is_err),
            _ => false,
        }
    }

    fn render(output: &Output, page: &mut Page) {
        output::render(output, page);
    }
}

/// What is asked: SQL, the values of its parameters, and the recipe it comes from.
struct Question<'q> {
    sql: &'q str,
    values: Vec<(String, Value)>,
    recipe: Option<&'q Recipe>,
}

fn run_recipe(workspace: &Workspace, input: &Input, id: &str) -> Result<Output> {
    let recipe = Catalogue::of(&workspace.project()?)?.get(id)?;
    let bad = |message| {
        let hint = format!("`groma recipes show {}` lists the parameters.", recipe.id);
        Error::new(Kind::Usage, message).code("bad_params").hint(hint)
    };
    let values = recipe.values(&input.parameters()).map_err(bad)?;
    let mut asker = Asker::open(workspace)?;
    let question = Question { sql: &recipe.sql, values, recipe: Some(&recipe) };
    if !input.explain {
        stops::check(&asker.project, &recipe)?;
    }
    let outcome = answer(&mut asker, input, &question);
    if !input.explain {
        stops::note(&asker.project, &recipe, &outcome);
    }
    let mut output = outcome?;
    let mut notes = Vec::from_iter(note_run(&asker.project, &asker.config, &recipe.id));
    if recipe.shadows {
        notes.push(format!("`{}` is the project's own, in the place of a bundled one", recipe.id));
    }
    match &mut output {
        Output::Rows(answered) => answered.notes.extend(notes),
        Output::Formatted { notes: known, .. } => known.extend(notes),
        _ => {}
    }
    Ok(output)
}

fn run_sql(workspace: &Workspace, input: &Input) -> Result<Output> {
    let sql = input.sql()?;
    fn question(sql: &str) -> Question<'_> {
        Question { sql, values: Vec::new(), recipe: None }
    }
    let statements = sandbox::statements(sql);
    let mut asker = Asker::open(workspace)?;
    if statements.len() < 2 {
        return answer(&mut asker, input, &question(sql));
    }
    if !input.gives_rows() {
        let message = "several statements give rows, groups or counts, one by one";
        return Err(
            Error::new(Kind::Usage, message).hint("Ask them apart for baselines and formats.")
        );
    }
    let one = |sql: &&str| rows(&mut asker, input, &question(sql));
    Ok(Output::Several(statements.iter().map(one).collect()))
}

fn answer(asker: &mut Asker<'_>, input: &Input, question: &Question<'_>) -> Result<Output> {
    let id = question.recipe.map(|recipe| recipe.id.as_str());
    if let Some(name) = &input.save_baseline {
        let rows = all_rows(asker, input, question)?;
        let name = baseline::name(name, id)?;
        return baseline::save(&asker.project, name, id, question.sql, &rows).map(Output::Saved);
    }
    if let Some(name) = &input.baseline {
        let name = baseline::name(name, id)?;
        let known = baseline::get(&asker.project, name)?;
        let rows = all_rows(asker, input, question)?;
        let actions = question.recipe.map(|recipe| recipe.actions.clone()).unwrap_or_default();
        return Ok(Output::Compared(baseline::compare(&known, &rows, actions, input.summary)?));
    }
    let answered = rows(asker, input, question)?;
    let Some(form) = input.form().filter(|form| !matches!(form, Form::Text | Form::Json)) else {
        return Ok(Output::Rows(answered));
    };
    let findings =
        Findings { project: &asker.project, recipe: question.recipe, rows: &answered.rows };
    let formatted = formats::write(form, &findings)?;
    let mut notes = formatted.notes;
    notes.extend(answered.notes(Format::Json));
    let has_findings = input.ci && !answered.rows.rows.is_empty();
    Ok(Output::Formatted { text: formatted.text, has_findings, notes })
}

/// The rows of a question as they are given back.
fn rows(asker: &mut Asker<'_>, input: &Input, question: &Question<'_>) -> Result<Answered> {
    let mut answered = Answered {
        rows: Rows { columns: Vec::new(), rows: Vec::new(), cut: None },
        summary: input.summary,
        groups: None,
        actions: question.recipe.map(|recipe| recipe.actions.clone()).unwrap_or_default(),
        suppressed: 0,
        truncated: false,
        is_limited: input.limit.is_some(),
        is_plan: input.explain,
        notes: Vec::new(),
    };
    let limit = input.row_limit();
    // Rows that are left out later must not count.
    let is_filtered = input.changed_since.is_some() || question.recipe.is_some();
    let is_whole = input.summary || input.group_by.is_some() || is_filtered;
    let wanted = if is_whole { MOST_ROWS } else { limit };
    let limits =
        Limits { time: ask::time_limit(input.timeout)?, rows: wanted, ..Limits::default() };
    let plan =
        format!("EXPLAIN QUERY PLAN {}", sandbox::statements(question.sql).first().unwrap_or(&""));
    let sql = if input.explain { plan.as_str() } else { question.sql };
    answered.rows = asker.ask(sql, &question.values, &limits)?;
    if input.explain {
        return Ok(answered);
    }
    filter(asker, input, question, &mut answered)?;
    answered.truncated = answered.rows.cut.is_some();
    if !input.summary && answered.rows.rows.len() > limit {
        answered.rows.rows.truncate(limit);
        answered.truncated = true;
    }
    if asker.is_stale {
        answered.notes.push(answer::STALE.to_owned());
    }
    if let Some(by) = input.group_by {
        answered.groups = Some((by, groups::group(asker, &answered.rows, by)?));
    }
    Ok(answered)
}

/// Leaves out what has not changed, and what comments ask not to be told.
fn filter(
    asker: &mut Asker<'_>,
    input: &Input,
    question: &Question<'_>,
    answered: &mut Answered,
) -> Result<()> {
    if let Some(reference) = &input.changed_since {
        let mut changed = ChangedFiles::since(&asker.project, reference)?;
        let columns = places::path_columns(&answered.rows.columns);
        answered.rows.rows.retain(|row| {
            let mut paths = columns.iter().filter_map(|at| row.get(*at)?.as_str()).peekable();
            columns.is_empty() || paths.peek().is_none() || paths.any(|path| changed.contains(path))
        });
    }
    if let Some(recipe) = question.recipe {
        answered.suppressed = suppress(asker, &recipe.id, &mut answered.rows)?;
    }
    Ok(())
}

/// Every row there is, filtered; a part of them is an error.
fn all_rows(asker: &mut Asker<'_>, input: &Input, question: &Question<'_>) -> Result<Rows> {
    let input = Input { limit: Some(MOST_ROWS), ..input.clone() };
    let answered = rows(asker, &input, question)?;
    if answered.truncated {
        return Err(Error::new(Kind::Limit, "there are too many rows for a baseline")
            .code("too_big")
            .hint("Narrow the question."));
    }
    Ok(answered.rows)
}

/// Takes out the rows that `groma-ignore-next-line` and `groma-ignore-file` name; how many they were.
fn suppress(asker: &mut Asker<'_>, recipe: &str, rows: &mut Rows) -> Result<usize> {
    let columns = places::Columns::of(&rows.columns);
    if columns.path.is_none() || rows.rows.is_empty() {
        return Ok(0);
    }
    let sql = "SELECT file_path, line_number FROM suppressions WHERE recipe_id = :recipe";
    let everything = Limits { rows: MOST_ROWS, ..Limits::default() };
    let found = asker.run(sql, &[("recipe".to_owned(), recipe.into())], &everything)?;
    let places: HashSet<(&str, u64)> =
        found.rows.iter().filter_map(|row| Some((row[0].as_str()?, row[1].as_u64()?))).collect();
    if places.is_empty() {
        return Ok(0);
    }
    let before = rows.rows.len();
    rows.rows.retain(|row| {
        let Some(place) = columns.place(row) else { return true };
        let is_suppressed = |line| places.contains(&(place.path, line));
        !is_suppressed(0) && !place.start.is_some_and(is_suppressed)
    });
    Ok(before - rows.rows.len())
}

/// The nearest of some names, if one is near.
pub(crate) fn nearest<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let wanted = wanted.to_lowercase();
    let length = wanted.chars().count();
    if length > 64 {
        return None;
    }
    let distance = |name: &str| edit_distance(&wanted, &name.to_lowercase());
    let is_part = |name: &str| length >= 3 && (name.contains(&wanted) || wanted.contains(name));
    let scored = names.map(|name| {
        let distance = distance(name);
        let score = if is_part(name) { distance.min(2) } else { distance };
        ((score, !name.contains(&wanted), distance), name)
    });
    // Of equally near ones the first.
    let scored: Vec<_> = scored.collect();
    let ((score, ..), name) = scored.iter().min_by_key(|(score, _)| *score)?;
    if *score <= 1 + length / 4 {
        return Some((*name).to_owned());
    }
    // What is spelt otherwise may have the same words: `lines` for `line_count`, `start_line` for `line_start`.
    let kin =
        scored.iter().map(|((.., distance), name)| (shared_words(&wanted, name), distance, name));
    let (shared, _, name) =
        kin.min_by_key(|(shared, distance, _)| (Reverse(*shared), *distance))?;
    (shared > 0).then(|| (*name).to_owned())
}

/// How many words of a name another one has too, be there one or many of what they mean.
fn shared_words(a: &str, b: &str) -> usize {
    let words = |name: &str| -> Vec<String> {
        let long = name.split('_').filter(|word| word.len() > 2);
        long.map(|word| word.strip_suffix('s').unwrap_or(word).to_lowercase()).collect()
    };
    let known = words(b);
    words(a).iter().filter(|word| known.contains(word)).count()
}

/// How many letters must be added, removed or changed.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let changed = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_one_that_may_be_meant() {
        let names = ["symbols", "symbol_links", "files", "file_dependencies"];
        assert_eq!(nearest("symbls", names.into_iter()).as_deref(), Some("symbols"));
        assert_eq!(nearest("Files", names.into_iter()).as_deref(), Some("files"));
        assert_eq!(
            nearest("dependencies", names.into_iter()).as_deref(),
            Some("file_dependencies")
        );
        assert_eq!(nearest("qqq", names.into_iter()), None);
        let columns = ["path", "size", "line_count", "symbol_count"];
        assert_eq!(nearest("lines", columns.into_iter()).as_deref(), Some("line_count"));
        let columns = ["path", "line_start", "line_end", "column_start"];
        assert_eq!(nearest("start_line", columns.into_iter()).as_deref(), Some("line_start"));
        assert_eq!(nearest("width", columns.into_iter()), None);
    }
}
