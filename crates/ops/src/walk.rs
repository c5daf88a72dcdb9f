//! Steps along links, from a symbol outwards: to those that use it, or to those it uses.

use model::{Confidence, Role};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::rusqlite::Result;
use store::{Edge, Graph, file_of};

use crate::dispatch::Dispatch;

/// Which links are followed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    Calls,
    Types,
    Inheritance,
    Imports,
    All,
}

impl Via {
    pub(crate) fn follows(self, role: Role) -> bool {
        match self {
            Self::Calls => matches!(role, Role::Call | Role::Decorate | Role::Macro),
            Self::Types => matches!(role, Role::Type | Role::Derive),
            Self::Inheritance => matches!(role, Role::Extends | Role::Implements),
            Self::Imports => role == Role::Import,
            Self::All => true,
        }
    }
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To those that use it.
    Up,
    /// To those it uses.
    Down,
    Both,
}

/// A symbol, or what of a file is outside of any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Node {
    Symbol(i64),
    File(i64),
}

impl Node {
    pub(crate) fn file(self) -> i64 {
        match self {
            Self::Symbol(symbol) => file_of(symbol),
            Self::File(file) => file,
        }
    }
}

/// How a node was reached from the one before.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    Link(Edge),
    /// A call of one may run the other: a declaration and what implements or overrides it.
    Dispatch,
    /// The file imports the other.
    Import,
}

/// A node that was reached.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) node: Node,
    pub(crate) distance: u32,
    /// Number of the visit it was reached from, and how; none at the beginning.
    pub(crate) from: Option<(usize, Step)>,
}

/// Why a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    Limit,
    Depth,
    Exhausted,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) via: Via,
    pub(crate) least: Confidence,
    /// 0 is without end.
    pub(crate) depth: u32,
    /// Most nodes, those at the beginning not counted.
    pub(crate) limit: usize,
}

/// Walks over a graph.
pub(crate) struct Walker<'g, 'r> {
    graph: &'g Graph<'r>,
    dispatch: Dispatch<'g, 'r>,
    rules: Rules,
}

impl<'g, 'r> Walker<'g, 'r> {
    pub(crate) fn new(graph: &'g Graph<'r>, rules: Rules) -> Self {
        Self { graph, dispatch: Dispatch::new(graph), rules }
    }

    /// Everything that is reached from these in one direction, nearest first.
    pub(crate) fn walk(&mut self, start: &[Node], up: bool) -> Result<(Vec<Visit>, Ending)> {
        self.walk_to(start, up, &FxHashSet::default())
    }

    /// The same, but no further than to the nearest of these.
    pub(crate) fn walk_to(
        &mut self,
        start: &[Node],
        up: bool,
        goals: &FxHashSet<Node>,
    ) -> Result<(Vec<Visit>, Ending)> {
        let mut visits: Vec<Visit> = Vec::new();
        let mut seen: FxHashSet<Node> = FxHashSet::default();
        for node in start {
            if seen.insert(*node) {
                visits.push(Visit { node: *node, distance: 0, from: None });
            }
        }
        let beginning = visits.len();
        let mut next = 0;
        let mut ending = Ending::Exhausted;
        let mut nearest = u32::MAX;
        while next < visits.len() {
            let (node, distance) = (visits[next].node, visits[next].distance);
            if distance >= nearest {
                break;
            }
            let steps = if up { self.up(node)? } else { self.down(node)? };
            let is_last = self.rules.depth > 0 && distance >= self.rules.depth;
            for (step, reached) in steps {
                if seen.contains(&reached) {
                    continue;
                }
                if is_last {
                    ending = Ending::Depth;
                    break;
                }
                if visits.len() - beginning >= self.rules.limit {
                    return Ok((visits, Ending::Limit));
                }
                seen.insert(reached);
                if goals.contains(&reached) {
                    nearest = distance + 1;
                }
                let from = Some((next, step));
                visits.push(Visit { node: reached, distance: distance + 1, from });
            }
            next += 1;
        }
        Ok((visits, ending))
    }

    /// Who uses a node.
    fn up(&mut self, node: Node) -> Result<Vec<(Step, Node)>> {
        let mut steps = Vec::new();
        match node {
            Node::Symbol(symbol) => {
                for target in self.graph.with_constructors(symbol)? {
                    for edge in self.graph.leading_to(target)? {
                        if self.is_followed(&edge) {
                            steps.push((Step::Link(edge), self.unit(edge.file, edge.from)?));
                        }
                    }
                }
                if self.follows_calls() {
                    for declared in self.dispatch.declarations(symbol)? {
                        steps.push((Step::Dispatch, Node::Symbol(declared)));
                    }
                }
            }
            Node::File(file) if matches!(self.rules.via, Via::Imports | Via::All) => {
                for importer in self.graph.reader().importers(file)? {
                    steps.push((Step::Import, Node::File(importer)));
                }
            }
            Node::File(_) => {}
        }
        steps.retain(|(_, reached)| *reached != node);
        Ok(steps)
    }

    /// What a node uses.
    fn down(&self, node: Node) -> Result<Vec<(Step, Node)>> {
        let edges = match node {
            Node::Symbol(symbol) => self.graph.out_of(symbol)?,
            Node::File(file) => self.graph.out_of_top(file)?,
        };
        let mut steps = Vec::new();
        for edge in edges.into_iter().filter(|edge| self.is_followed(edge)) {
            steps.push((Step::Link(edge), self.unit(file_of(edge.to), Some(edge.to))?));
        }
        if let Node::Symbol(symbol) = node
            && self.follows_calls()
        {
            for implementation in self.dispatch.implementations(symbol)? {
                steps.push((Step::Dispatch, Node::Symbol(implementation)));
            }
        }
        steps.retain(|(_, reached)| *reached != node);
        Ok(steps)
    }

    fn follows_calls(&self) -> bool {
        matches!(self.rules.via, Via::Calls | Via::All)
    }

    fn is_followed(&self, edge: &Edge) -> bool {
        !edge.is_candidate
            && edge.how.confidence() <= self.rules.least
            && self.rules.via.follows(edge.role)
    }

    /// What a place belongs to, for people: the function or type around it, the file at the top level.
    fn unit(&self, file: i64, symbol: Option<i64>) -> Result<Node> {
        let symbols = self.graph.symbols(file)?;
        let mut at = symbol;
        while let Some(id) = at {
            let Some(it) = symbols.get((id & 0xff_ffff) as usize) else { break };
            if it.kind.is_callable() || it.kind.has_members() || it.owner.is_none() {
                return Ok(Node::Symbol(id));
            }
            at = it.owner.map(|owner| file << 24 | i64::from(owner));
        }
        Ok(Node::File(file))
    }
}
