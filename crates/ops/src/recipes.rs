//! Recipes: questions in SQL with a name, parameters and documentation.

mod catalogue;
mod front_matter;
mod recency;
mod recipe;
pub(crate) mod stops;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use catalogue::Catalogue;
pub(crate) use recency::{note as note_run, now};
pub use recipe::{Action, Certainty, Level, Origin, Parameter, Recipe, Type};

use crate::answer::Format;
use crate::formats::Form;
use crate::query::{self, GroupBy, Parameters, Query};
use crate::text::{self, Page, styled};
use crate::{Operation, Result, Workspace};

/// List recipes, show one, run one
///
/// Recipes are questions in SQL that come with the program or stand in `.groma/recipes/<id>.sql`. Words
/// narrow the list.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Only recipes with these words in their id, tags or description
    #[serde(default)]
    pub words: Vec<String>,
    #[command(subcommand)]
    #[serde(default)]
    pub action: Option<Task>,
}

#[derive(Debug, Clone, Deserialize, clap::Subcommand)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// What a recipe means, what it cannot see, its parameters and its SQL
    Show {
        /// Id of a recipe; `bundled:<id>` is that of the program whatever the project has
        id: String,
    },
    /// Run a recipe: the same as `groma query --recipe`
    Run(Box<Run>),
}

#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Id of a recipe
    pub id: String,
    /// Values for its parameters: `name=value`, several with commas between them
    #[arg(long, value_name = "NAME=VALUE", value_parser = query::parameters)]
    #[serde(default, deserialize_with = "query::parameters_from_json")]
    pub params: Vec<Parameters>,
    /// Only the number of rows
    #[arg(long)]
    #[serde(default)]
    pub summary: bool,
    /// Only rows of files that differ from this commit, branch or tag
    #[arg(long, value_name = "REF")]
    pub changed_since: Option<String>,
    /// Rows by owner, directory, package or language of their file
    #[arg(long, value_name = "WHAT")]
    pub group_by: Option<GroupBy>,
    /// A form for another program; comes before --json
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Form>,
    /// SARIF, and exit status 1 if there are rows
    #[arg(long)]
    #[serde(default)]
    pub ci: bool,
    /// Give at most this many rows [default: 1000; for formats 100000]
    #[arg(long)]
    pub limit: Option<usize>,
    /// Stop after so many seconds, at most 30 [default: 5]
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
}

impl From<Run> for query::Input {
    fn from(run: Run) -> Self {
        Self {
            recipe: Some(run.id),
            params: run.params,
            summary: run.summary,
            changed_since: run.changed_since,
            group_by: run.group_by,
            format: run.format,
            ci: run.ci,
            limit: run.limit,
            timeout: run.timeout,
            ..Self::default()
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Output {
    Catalogue { recipes: Vec<Listed>, invalid: Vec<Unusable> },
    Shown(Box<Recipe>),
    Answer(query::Output),
}

/// A recipe in the catalogue, without its SQL.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Listed {
    pub id: String,
    pub origin: Origin,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shadows: bool,
    pub summary: String,
    pub level: Level,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<Certainty>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Parameter>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Milliseconds since 1970; NULL if it was not run in the last 90 days.
    pub last_run_at: Option<i64>,
    pub run_count: u64,
}

/// A file of the project that is no recipe, or one that is not run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Unusable {
    pub id: String,
    pub origin: Origin,
    pub reason: String,
}

#[derive(Debug)]
pub struct Recipes;

impl Operation for Recipes {
    const NAME: &'static str = "recipes";
    const EXAMPLES: &'static str = "\
  groma recipes                            all of them
  groma recipes unused css                 those about unused things of style sheets
  groma recipes show dead-code
  groma recipes run find-symbol-by-kind --params kind=function,name=main";
    type Input = Input;
    type Output = Output;
    fn list(output: &Output) -> Option<&'static str> {
        matches!(output, Output::Catalogue { .. }).then_some("recipes")
    }

    fn format(input: &Input, requested: Format) -> Format {
        match &input.action {
            Some(Task::Run(run)) => Query::format(&(**run).clone().into(), requested),
            _ => requested,
        }
    }

    fn media_type(input: &Input) -> &'static str {
        match &input.action {
            Some(Task::Run(run)) => Query::media_type(&(**run).clone().into()),
            _ => crate::JSON,
        }
    }

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        match input.action {
            Some(Task::Run(run)) => Query::run(workspace, (*run).into()).map(Output::Answer),
            Some(Task::Show { id }) => {
                let catalogue = Catalogue::of(&workspace.project()?)?;
                Ok(Output::Shown(Box::new(catalogue.get(&id)?)))
            }
            None => list(workspace, &input.words),
        }
    }

    fn verbatim(output: &Output) -> Option<&str> {
        match output {
            Output::Answer(answer) => Query::verbatim(answer),
            _ => None,
        }
    }

    fn notes(output: &Output, format: Format) -> Vec<String> {
        match output {
            Output::Answer(answer) => Query::notes(answer, format),
            _ => Vec::new(),
        }
    }

    fn has_findings(output: &Output) -> bool {
        matches!(output, Output::Answer(answer) if Query::has_findings(answer))
    }

    fn render(output: &Output, page: &mut Page) {
        match output {
            Output::Answer(answer) => Query::render(answer, page),
            Output::Shown(recipe) => render_recipe(recipe, page),
            Output::Catalogue { recipes, invalid } => render_list(recipes, invalid, page),
        }
    }
}

fn list(workspace: &Workspace, words: &[String]) -> Result<Output> {
    let project = workspace.project()?;
    let Catalogue { recipes, invalid } = Catalogue::of(&project)?;
    let data = crate::linked::own_data(&project).ok().flatten();
    let mut unusable: Vec<Unusable> = invalid
        .into_iter()
        .map(|(id, invalid)| (text::one_line(&id, 100), invalid.reason))
        .map(|(id, reason)| Unusable { id, origin: Origin::Project, reason })
        .collect();
    let (stopped, recipes): (Vec<_>, Vec<_>) =
        recipes.into_iter().partition(|recipe| stops::is_stopped(data.as_ref(), recipe));
    unusable.extend(stopped.into_iter().map(|recipe| Unusable {
        id: recipe.id,
        origin: recipe.origin,
        reason: stops::REASON.to_owned(),
    }));
    let recency = recency::read(&project);
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let is_meant = |recipe: &Recipe| {
        let tags = recipe.tags.join(" ");
        let text = format!("{} {tags} {} {}", recipe.id, recipe.summary, recipe.description);
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let listed = |recipe: Recipe| {
        let run = recency.iter().find(|run| run.recipe_id == recipe.id);
        Listed {
            last_run_at: run.map(|run| run.last_run_at),
            run_count: run.map_or(0, |run| run.run_count),
            id: recipe.id,
            origin: recipe.origin,
            shadows: recipe.shadows,
            summary: recipe.summary,
            level: recipe.level,
            certainty: recipe.certainty,
            params: recipe.params,
            actions: recipe.actions,
            tags: recipe.tags,
        }
    };
    Ok(Output::Catalogue {
        recipes: recipes.into_iter().filter(is_meant).map(listed).collect(),
        invalid: unusable,
    })
}

fn render_list(recipes: &[Listed], invalid: &[Unusable], page: &mut Page) {
    let width = recipes.iter().map(|recipe| recipe.id.len()).max().unwrap_or(0);
    for recipe in recipes {
        page.item();
        let mark = match (recipe.origin, recipe.shadows) {
            (Origin::Bundled, _) => "",
            (Origin::Project, false) => " (project)",
            (Origin::Project, true) => " (project, in the place of a bundled one)",
        };
        let id = styled(text::KIND, &format!("{:<width$}", recipe.id));
        page.line(format!(
            "{id}  {}{}",
            text::one_line(&recipe.summary, 120),
            styled(text::DIM, mark)
        ));
    }
    if recipes.is_empty() {
        page.line("no recipe has all of these words");
    }
    for unusable in invalid {
        let line =
            format!("not usable: {} ({})", unusable.id, text::one_line(&unusable.reason, 200));
        page.line(styled(text::WARNING, &line));
    }
}

fn render_recipe(recipe: &Recipe, page: &mut Page) {
    let visible = |text: &str| text::visible(text);
    page.line(format!("{}  {}", styled(text::HEADING, &recipe.id), visible(&recipe.summary)));
    if recipe.origin == Origin::Project {
        let mark = if recipe.shadows { "in the place of a bundled one" } else { "of this project" };
        page.line(styled(text::DIM, mark));
    }
    if !recipe.description.is_empty() {
        page.blank();
        page.line(visible(&recipe.description));
    }
    if !recipe.limits.is_empty() {
        page.blank();
        page.line(format!("Limits: {}", visible(&recipe.limits)));
    }
    if !recipe.params.is_empty() {
        page.blank();
        for parameter in &recipe.params {
            let default = match &parameter.default {
                None => "required".to_owned(),
                Some(Value::String(text)) => format!("default {text:?}"),
                Some(value) => format!("default {value}"),
            };
            page.line(format!(
                "  {}  {}, {}  {}",
                styled(text::KIND, &parameter.name),
                parameter.kind.word(),
                visible(&default),
                visible(&parameter.description)
            ));
        }
    }
    for action in &recipe.actions {
        page.line(format!("  → {}: {}", visible(&action.id), visible(&action.description)));
    }
    page.blank();
    let is_code = |line: &&str| !line.trim_start().starts_with("--");
    let code: Vec<&str> = recipe.sql.lines().skip_while(|line| !is_code(line)).collect();
    page.line(visible(&code.join("\n")));
}

/// Every bundled recipe, for the reference page.
pub fn bundled() -> Vec<Recipe> {
    Catalogue::bundled().recipes
}
