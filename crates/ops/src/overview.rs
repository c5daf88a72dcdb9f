//! What a project is, at a glance: languages, modules, entry points, hubs, dependencies, commands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::manifests::Command;
use crate::text::{self, Page, styled};
use crate::workspace::unusable;
use crate::{Operation, Result, Workspace};

mod evidence;
mod hubs;

/// Show what a project is: languages, modules, entry points, hubs, dependencies, how to build and test
///
/// Entry points are found by evidence: manifests, main functions, routes in decorators. Hubs are what most
/// other files use.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Most entries of each list
    #[arg(long, default_value_t = default_limit())]
    #[serde(default = "default_limit")]
    pub limit: usize,
}

pub(crate) const fn default_limit() -> usize {
    10
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub project: String,
    pub files: u64,
    pub lines: u64,
    pub symbols: u64,
    /// By number of lines.
    pub languages: Vec<Language>,
    /// Directories at the top, by number of lines.
    pub modules: Vec<Module>,
    pub entry_points: Vec<EntryPoint>,
    pub entry_points_total: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<EntryPoint>,
    #[serde(skip_serializing_if = "is_zero")]
    pub routes_total: usize,
    /// Files that most other files use.
    pub hubs: Vec<HubFile>,
    /// Types that most other files use.
    pub types: Vec<Hub>,
    /// Functions that most other files use.
    pub functions: Vec<Hub>,
    pub dependencies: Vec<Dependencies>,
    pub commands: Vec<Command>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Language {
    pub language: String,
    pub files: u64,
    pub lines: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Module {
    pub path: String,
    pub files: u64,
    pub lines: u64,
    pub symbols: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EntryPoint {
    pub name: String,
    pub path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The manifest that says so, `main function`, or the decorator.
    pub evidence: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct HubFile {
    pub path: String,
    /// Number of other files that use something in it.
    pub used_by: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Hub {
    pub name: String,
    pub kind: String,
    pub path: String,
    pub line: u32,
    /// Number of other files that use it.
    pub used_by: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Dependencies {
    pub manifest: String,
    pub total: usize,
    pub names: Vec<String>,
}

#[derive(Debug)]
pub struct Overview;

impl Operation for Overview {
    const NAME: &'static str = "overview";
    const EXAMPLES: &'static str = "\
  groma overview
  groma overview --limit 5 --compact
  groma overview --json";
    type Input = Input;
    type Output = Output;

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (project, reader) = workspace.reader()?;
        let limit = input.limit;
        let files = evidence::files(&reader).map_err(unusable)?;
        let evidence = evidence::collect(&project, &reader, &files).map_err(unusable)?;
        let hubs = hubs::hubs(&reader, limit).map_err(unusable)?;
        let mut languages = evidence::languages(&files);
        languages.truncate(limit);
        let mut modules = evidence::modules(&files);
        modules.truncate(limit);
        let cut = |mut entries: Vec<EntryPoint>| {
            let total = entries.len();
            entries.truncate(limit);
            (entries, total)
        };
        let (entry_points, entry_points_total) = cut(evidence.entries);
        let (routes, routes_total) = cut(evidence.routes);
        let mut dependencies = evidence.dependencies;
        dependencies.truncate(limit);
        // Names of the first manifest are of most interest.
        for (at, dependencies) in dependencies.iter_mut().enumerate() {
            dependencies.names.truncate(if at == 0 { limit * 2 } else { limit / 2 });
        }
        let mut commands = evidence.commands;
        commands.truncate(limit);
        Ok(Output {
            project: project
                .root
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            files: files.iter().filter(|file| !file.is_skipped).count() as u64,
            lines: files.iter().map(|file| file.lines).sum(),
            symbols: files.iter().map(|file| file.symbols).sum(),
            languages,
            modules,
            entry_points,
            entry_points_total,
            routes,
            routes_total,
            hubs: hubs.files,
            types: hubs.types,
            functions: hubs.functions,
            dependencies,
            commands,
        })
    }

    const CITES: bool = true;
    const WHOLE: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        // The manifests: the rest is counts.
        output.dependencies.iter().map(|dependencies| dependencies.manifest.clone()).collect()
    }

    fn compact(output: &Output) -> Option<Value> {
        Some(compact(output))
    }

    fn render(output: &Output, page: &mut Page) {
        page.line(format!(
            "{}  {} files · {} lines · {} symbols",
            styled(text::HEADING, &text::visible(&output.project)),
            text::count(output.files),
            text::count(output.lines),
            text::count(output.symbols)
        ));
        for (title, rows) in sections(output) {
            if !rows.is_empty() {
                page.line(styled(text::HEADING, &title));
                rows.iter().for_each(|row| page.line(format!("  {}", text::one_line(row, 160))));
            }
        }
    }
}

/// Titles and lines for people; the summary of a project has the same.
pub(crate) fn sections(output: &Output) -> Vec<(String, Vec<String>)> {
    let entry = |entry: &EntryPoint| {
        let line = entry.line.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}  {}{line} ({})", entry.name, entry.path, entry.evidence)
    };
    let hub = |hub: &Hub| {
        let place = format!("{}:{}", hub.path, hub.line);
        format!("{} {}  {place} · used by {} files", hub.kind, hub.name, hub.used_by)
    };
    let of = |title: &str, shown: usize, total: usize| match total > shown {
        true => format!("{title} ({shown} of {total})"),
        false => title.to_owned(),
    };
    let routes = of("routes", output.routes.len(), output.routes_total);
    let entries = of("entry points", output.entry_points.len(), output.entry_points_total);
    vec![
        (
            "languages".to_owned(),
            output
                .languages
                .iter()
                .map(|one| format!("{}  {} files · {} lines", one.language, one.files, one.lines))
                .collect(),
        ),
        (
            "modules".to_owned(),
            output
                .modules
                .iter()
                .map(|module| {
                    let (files, lines) = (module.files, module.lines);
                    format!(
                        "{}  {files} files · {lines} lines · {} symbols",
                        module.path, module.symbols
                    )
                })
                .collect(),
        ),
        (entries, output.entry_points.iter().map(entry).collect()),
        (routes, output.routes.iter().map(entry).collect()),
        (
            "hubs".to_owned(),
            output
                .hubs
                .iter()
                .map(|hub| format!("{}  used by {} files", hub.path, hub.used_by))
                .collect(),
        ),
        ("main types".to_owned(), output.types.iter().map(hub).collect()),
        ("main functions".to_owned(), output.functions.iter().map(hub).collect()),
        (
            "dependencies".to_owned(),
            output
                .dependencies
                .iter()
                .map(|one| format!("{} ({}): {}", one.manifest, one.total, one.names.join(", ")))
                .collect(),
        ),
        (
            "commands".to_owned(),
            output
                .commands
                .iter()
                .map(|one| format!("{}: {} ({})", one.purpose, one.command, one.source))
                .collect(),
        ),
    ]
}

/// Rows in few tokens; of long lists, the first.
fn compact(output: &Output) -> Value {
    const ROWS: usize = 8;
    let place = |entry: &EntryPoint| match entry.line {
        Some(line) => format!("{} {}:{line}", entry.name, entry.path),
        None => format!("{} {}", entry.name, entry.path),
    };
    let hub = |hub: &Hub| format!("{} {}:{} {}", hub.name, hub.path, hub.line, hub.used_by);
    let mut value = json!({
        "project": output.project,
        "files": output.files,
        "lines": output.lines,
        "symbols": output.symbols,
    });
    let mut add = |key: &str, rows: Vec<String>| {
        if !rows.is_empty() {
            value[key] = rows.into();
        }
    };
    let (languages, modules) = (&output.languages, &output.modules);
    add(
        "languages",
        languages.iter().take(6).map(|one| format!("{} {}", one.language, one.files)).collect(),
    );
    add(
        "modules",
        modules.iter().take(ROWS).map(|one| format!("{} {}", one.path, one.files)).collect(),
    );
    add("entry_points", output.entry_points.iter().take(ROWS).map(place).collect());
    add("routes", output.routes.iter().take(5).map(place).collect());
    add(
        "hubs",
        output.hubs.iter().take(5).map(|hub| format!("{} {}", hub.path, hub.used_by)).collect(),
    );
    add("types", output.types.iter().take(5).map(hub).collect());
    add("functions", output.functions.iter().take(5).map(hub).collect());
    let dependencies = output.dependencies.iter().take(2).map(|one| {
        let names: Vec<&str> = one.names.iter().take(ROWS).map(String::as_str).collect();
        let more = if one.total > names.len() { "…" } else { "" };
        format!("{} {}: {}{more}", one.manifest, one.total, names.join(" "))
    });
    add("dependencies", dependencies.collect());
    let commands =
        output.commands.iter().take(6).map(|one| format!("{}: {}", one.purpose, one.command));
    add("commands", commands.collect());
    value
}
