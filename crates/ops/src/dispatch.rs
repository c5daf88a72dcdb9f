//! What a call of a member may run: members that implement or override each other.

use model::SymbolKind;
use rustc_hash::FxHashSet;
use store::Graph;
use store::rusqlite::Result;

use crate::satisfies::Satisfaction;

/// How far up and down a hierarchy is followed.
const MAX_GENERATIONS: usize = 50;

/// Relations of the members and types of a graph.
#[derive(Debug)]
pub(crate) struct Dispatch<'g, 'r> {
    graph: &'g Graph<'r>,
    satisfaction: Satisfaction<'g, 'r>,
}

/// A type beside another one, and how it came there: a role of a link, or `satisfies`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kin {
    pub(crate) id: i64,
    pub(crate) by: &'static str,
}

impl<'g, 'r> Dispatch<'g, 'r> {
    pub(crate) fn new(graph: &'g Graph<'r>) -> Self {
        Self { graph, satisfaction: Satisfaction::new(graph) }
    }

    /// Members that a member implements or overrides, nearest first.
    pub(crate) fn declarations(&self, member: i64) -> Result<Vec<i64>> {
        let said = related(self.graph, member, |owner| {
            Ok(self.graph.parents(owner)?.into_iter().map(|edge| edge.to).collect())
        })?;
        Ok(joined(said, self.satisfaction.declarations(member)?))
    }

    /// Members that implement or override a member, nearest first.
    pub(crate) fn implementations(&self, member: i64) -> Result<Vec<i64>> {
        let said = related(self.graph, member, |owner| {
            Ok(self.graph.children(owner)?.into_iter().filter_map(|edge| edge.from).collect())
        })?;
        Ok(joined(said, self.satisfaction.implementations(member)?))
    }

    /// Types that a type extends, implements or satisfies.
    pub(crate) fn parents(&self, id: i64) -> Result<Vec<Kin>> {
        let edges = self.graph.parents(id)?;
        let said = edges.iter().map(|edge| Kin { id: edge.to, by: edge.role.as_str() });
        Ok(said.chain(satisfies(self.satisfaction.satisfied(id)?)).collect())
    }

    /// Types that extend, implement or satisfy a type.
    pub(crate) fn children(&self, id: i64) -> Result<Vec<Kin>> {
        let edges = self.graph.children(id)?;
        let said =
            edges.iter().filter_map(|edge| Some(Kin { id: edge.from?, by: edge.role.as_str() }));
        Ok(said.chain(satisfies(self.satisfaction.satisfying(id)?)).collect())
    }
}

fn satisfies(ids: Vec<i64>) -> impl Iterator<Item = Kin> {
    ids.into_iter().map(|id| Kin { id, by: "satisfies" })
}

fn joined(mut first: Vec<i64>, second: Vec<i64>) -> Vec<i64> {
    let known: FxHashSet<i64> = first.iter().copied().collect();
    first.extend(second.into_iter().filter(|id| !known.contains(id)));
    first
}

fn related(
    graph: &Graph<'_>,
    member: i64,
    next: impl Fn(i64) -> Result<Vec<i64>>,
) -> Result<Vec<i64>> {
    let mut found = Vec::new();
    let Some(symbol) = graph.symbol(member)? else { return Ok(found) };
    let Some(owner) = graph.owner(member)? else { return Ok(found) };
    if !symbol.kind.is_callable()
        || symbol.kind == SymbolKind::Constructor
        || !graph.has_members(owner)?
    {
        return Ok(found);
    }
    let mut seen = FxHashSet::from_iter([owner]);
    let mut level = vec![owner];
    for _ in 0..MAX_GENERATIONS {
        let mut types = Vec::new();
        for owner in level {
            types.extend(next(owner)?);
        }
        types.retain(|it| seen.insert(*it));
        if types.is_empty() {
            break;
        }
        level = Vec::new();
        for owner in types {
            let members = graph.members_named(owner, symbol.name)?;
            // What lies beyond a member is its business, not that of the one asked for.
            if members.is_empty() {
                level.push(owner);
            }
            found.extend(members);
        }
    }
    Ok(found)
}
