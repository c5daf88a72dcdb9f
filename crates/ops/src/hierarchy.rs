//! Parents and children of types, and who implements or overrides a member.

use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::rusqlite;
use store::{Graph, Reader};

use crate::dispatch::{Dispatch, Kin};
use crate::impact::{Place, place};
use crate::text::{self, Page, styled};
use crate::walk::Node;
use crate::workspace::unusable;
use crate::{Operation, Result, SymbolQuery, Workspace};

/// Show parents and children of a type, or who implements and overrides a member
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Symbol: `path#name`, id, `path:line`, `Owner.name` or `name`
    pub symbol: SymbolQuery,
    /// Most generations up and down
    #[arg(long, default_value_t = DEFAULT_DEPTH)]
    #[serde(default = "default_depth")]
    pub depth: u32,
}

const DEFAULT_DEPTH: u32 = 10;
/// Most relatives of one symbol.
const MAX_RELATIVES: usize = 1000;

fn default_depth() -> u32 {
    DEFAULT_DEPTH
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub matches: Vec<Family>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Family {
    #[serde(flatten)]
    pub place: Place,
    /// What it extends or implements, or the members it implements or overrides.
    pub parents: Vec<Relative>,
    /// What extends or implements it.
    pub children: Vec<Relative>,
    /// There are more than are listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Relative {
    #[serde(flatten)]
    pub place: Place,
    pub distance: u32,
    /// `extends`, `implements`, `satisfies` or `overrides`.
    pub by: &'static str,
}

#[derive(Debug)]
pub struct Hierarchy;

impl Operation for Hierarchy {
    const NAME: &'static str = "hierarchy";
    const EXAMPLES: &'static str = "\
  groma hierarchy Reader          its parents and all that implement it
  groma hierarchy Reader.read     the implementations of a member";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("matches");

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (_, reader) = workspace.reader()?;
        let ids = input.symbol.find(&reader).map_err(unusable)?;
        if ids.is_empty() {
            return Err(crate::show::not_found(&reader, &input.symbol));
        }
        families(&reader, &ids, input.depth).map_err(unusable)
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        output.matches.iter().map(|family| family.place.path.clone()).collect()
    }

    fn render(output: &Output, page: &mut Page) {
        for (number, family) in output.matches.iter().enumerate() {
            page.item();
            if number > 0 {
                page.blank();
            }
            for relative in family.parents.iter().rev() {
                page.line(render_relative(relative, "↑"));
            }
            page.line(format!(
                "{} {}  {}",
                styled(text::KIND, &family.place.kind),
                styled(
                    text::HEADING,
                    &text::visible(family.place.name.as_deref().unwrap_or_default())
                ),
                styled(
                    text::PATH,
                    &text::visible(&format!("{}:{}", family.place.path, family.place.line))
                ),
            ));
            for relative in &family.children {
                page.line(render_relative(relative, "↓"));
            }
            if family.parents.is_empty() && family.children.is_empty() {
                page.line(styled(text::DIM, "  no parents and no children in this project"));
            }
            if family.more {
                page.line(styled(text::DIM, "  and more"));
            }
        }
    }
}

fn render_relative(relative: &Relative, arrow: &str) -> String {
    let indent = "  ".repeat(relative.distance.min(12) as usize);
    let at = format!("{}:{}", relative.place.path, relative.place.line);
    format!(
        "{indent}{} {} {}  {}",
        styled(text::DIM, &format!("{arrow} {}", relative.by)),
        styled(text::KIND, &relative.place.kind),
        text::visible(relative.place.name.as_deref().unwrap_or_default()),
        styled(text::PATH, &text::visible(&at)),
    )
}

fn families(reader: &Reader, ids: &[i64], depth: u32) -> rusqlite::Result<Output> {
    let graph = Graph::new(reader);
    let dispatch = Dispatch::new(&graph);
    let mut matches = Vec::new();
    for id in ids {
        let Some(own) = place(&graph, Node::Symbol(*id))? else { continue };
        let (mut parents, mut children) = (Vec::new(), Vec::new());
        if graph.has_members(*id)? {
            parents = types(&graph, &dispatch, *id, depth, true)?;
            children = types(&graph, &dispatch, *id, depth, false)?;
        } else {
            for (list, members) in [
                (&mut parents, dispatch.declarations(*id)?),
                (&mut children, dispatch.implementations(*id)?),
            ] {
                for member in members {
                    let found = place(&graph, Node::Symbol(member))?;
                    list.extend(found.map(|place| Relative {
                        place,
                        distance: 1,
                        by: "overrides",
                    }));
                }
            }
        }
        let more = parents.len() + children.len() > MAX_RELATIVES;
        parents.truncate(MAX_RELATIVES);
        children.truncate(MAX_RELATIVES);
        matches.push(Family { place: own, parents, children, more });
    }
    Ok(Output { matches })
}

/// Types above or below one, nearest first.
fn types(
    graph: &Graph<'_>,
    dispatch: &Dispatch<'_, '_>,
    id: i64,
    depth: u32,
    up: bool,
) -> rusqlite::Result<Vec<Relative>> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::from_iter([id]);
    let mut level = vec![id];
    for distance in 1..=depth.max(1) {
        let mut next = Vec::new();
        for symbol in level {
            let kin = if up { dispatch.parents(symbol)? } else { dispatch.children(symbol)? };
            for Kin { id, by } in kin {
                if seen.insert(id) {
                    next.push(id);
                    let place = place(graph, Node::Symbol(id))?;
                    found.extend(place.map(|place| Relative { place, distance, by }));
                }
            }
            if found.len() > MAX_RELATIVES {
                return Ok(found);
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    Ok(found)
}
