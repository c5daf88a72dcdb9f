//! How one symbol leads to another.

use model::Confidence;
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::rusqlite;
use store::{Graph, Reader};

use crate::impact::{Place, place, targets};
use crate::text::{self, Page, styled};
use crate::walk::{Ending, Node, Rules, Step, Via, Visit, Walker};
use crate::workspace::unusable;
use crate::{Operation, Request, Result, Workspace};

/// Find the shortest chains from one symbol or file to another
///
/// Each step with the line of the call or use.
#[derive(Debug, Clone, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Symbol or file that uses
    pub from: String,
    /// Symbol or file that is used in the end
    pub to: String,
    /// Which links to follow
    #[arg(long, value_enum, default_value_t = Via::Calls)]
    #[serde(default = "calls")]
    pub via: Via,
    /// Longest chain
    #[arg(long, default_value_t = DEFAULT_LENGTH)]
    #[serde(default = "default_length")]
    pub max_length: u32,
    /// Only links at least this sure: certain or likely
    #[arg(long, value_name = "LEVEL", default_value = "likely", value_parser = crate::links::confidence)]
    #[serde(default = "crate::links::likely")]
    pub min_confidence: String,
    /// Most chains
    #[arg(long, default_value_t = DEFAULT_CHAINS)]
    #[serde(default = "default_chains")]
    pub limit: usize,
}

const DEFAULT_LENGTH: u32 = 20;
const DEFAULT_CHAINS: usize = 3;
/// Nodes that are looked at before it is said that there may be a chain nobody found.
const LOOKED_AT: usize = 50_000;

fn calls() -> Via {
    Via::Calls
}

fn default_length() -> u32 {
    DEFAULT_LENGTH
}

fn default_chains() -> usize {
    DEFAULT_CHAINS
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// All of one length, the shortest there is.
    pub chains: Vec<Chain>,
    /// Whether there certainly is no other, as far as links are known.
    pub complete: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Chain {
    pub length: usize,
    pub steps: Vec<Link>,
}

/// One place of a chain, and how the next one is reached from it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Link {
    #[serde(flatten)]
    pub place: Place,
    /// How it uses the next one; none at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<&'static str>,
    /// Line of that use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u32>,
}

#[derive(Debug)]
pub struct Path;

impl Operation for Path {
    const NAME: &'static str = "path";
    const EXAMPLES: &'static str = "\
  groma path main Store.get             how a call gets from one to the other
  groma path src/api.rs src/store.rs --via all";
    type Input = Input;
    type Output = Output;
    const LIST: Option<&'static str> = Some("chains");

    fn prepare(input: &mut Input, request: &Request) {
        input.limit = input.limit.saturating_add(request.offset);
    }

    fn run(workspace: &Workspace, input: Input) -> Result<Output> {
        let (_, reader) = workspace.reader()?;
        let from = targets(&reader, &input.from)?;
        let to = targets(&reader, &input.to)?;
        find(&reader, &from, &to, &input).map_err(unusable)
    }

    const CITES: bool = true;

    fn cited(output: &Output) -> Vec<String> {
        let links = output.chains.iter().flat_map(|chain| &chain.steps);
        links.map(|link| link.place.path.clone()).collect()
    }

    fn render(output: &Output, page: &mut Page) {
        for (number, chain) in output.chains.iter().enumerate() {
            page.item();
            if number > 0 {
                page.blank();
            }
            for link in &chain.steps {
                let name = link.place.name.as_deref().unwrap_or(&link.place.path);
                let line = link.at.unwrap_or(link.place.line);
                let at = styled(text::PATH, &text::visible(&format!("{}:{line}", link.place.path)));
                let by =
                    link.by.map(|by| styled(text::DIM, &format!(" {by} →"))).unwrap_or_default();
                page.line(format!("{}  {at}{by}", text::visible(name)));
            }
        }
        if output.chains.is_empty() {
            let note = match output.complete {
                true => "no chain leads there, as far as links are known",
                false => {
                    "no chain found; --max-length or the number of places looked at ended the search"
                }
            };
            page.line(styled(text::DIM, note));
        }
    }
}

/// All nodes of a target: a file stands for everything in it.
fn nodes(graph: &Graph<'_>, targets: &[Node]) -> rusqlite::Result<Vec<Node>> {
    let mut all = Vec::new();
    for target in targets {
        all.push(*target);
        if let Node::File(file) = target {
            all.extend(graph.symbols(*file)?.iter().map(|symbol| Node::Symbol(symbol.id)));
        }
    }
    Ok(all)
}

/// Goes up from the end: who uses a symbol is looked up, what it uses would have to be resolved.
fn find(reader: &Reader, from: &[Node], to: &[Node], input: &Input) -> rusqlite::Result<Output> {
    let graph = Graph::new(reader);
    let rules = Rules {
        via: input.via,
        least: Confidence::parse(&input.min_confidence).unwrap_or(Confidence::Likely),
        depth: input.max_length,
        limit: LOOKED_AT,
    };
    let goals: FxHashSet<Node> = nodes(&graph, from)?.into_iter().collect();
    let start = nodes(&graph, to)?;
    let (visits, ending) = Walker::new(&graph, rules).walk_to(&start, true, &goals)?;
    let mut chains = Vec::new();
    let mut shortest = None;
    for (number, visit) in visits.iter().enumerate() {
        if !goals.contains(&visit.node)
            || shortest.is_some_and(|shortest| visit.distance > shortest)
        {
            continue;
        }
        shortest = Some(visit.distance);
        if chains.len() < input.limit {
            chains.push(chain(&graph, &visits, number)?);
        }
    }
    let complete = ending == Ending::Exhausted || !chains.is_empty();
    Ok(Output { chains, complete })
}

/// From a visit back to where the walk began, which is the way a call goes.
fn chain(graph: &Graph<'_>, visits: &[Visit], number: usize) -> rusqlite::Result<Chain> {
    let mut steps = Vec::new();
    let mut at = Some(number);
    while let Some(number) = at {
        let visit = &visits[number];
        let (by, line) = match visit.from {
            Some((_, Step::Link(edge))) => (Some(edge.role.as_str()), Some(edge.line)),
            Some((_, Step::Dispatch)) => (Some("dispatch"), None),
            Some((_, Step::Import)) => (Some("import"), None),
            None => (None, None),
        };
        if let Some(place) = place(graph, visit.node)? {
            steps.push(Link { place, by, at: line });
        }
        at = visit.from.map(|(before, _)| before);
    }
    Ok(Chain { length: steps.len().saturating_sub(1), steps })
}
