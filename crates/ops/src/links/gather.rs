//! From symbols along links to those on the other side.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use model::{Role, SymbolFlags};
use rustc_hash::FxHashMap;
use store::rusqlite;
use store::{Edge, Graph, Reader, file_of};

use super::{Found, Input, Ledger, Named, Output, Site};
use crate::dispatch::Dispatch;
use crate::walk::Via;
use crate::workspace::unusable;
use crate::{Result, text};

/// Which links are followed, and to which side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Uses,
    Callers,
    Callees,
}

impl Way {
    fn via(self) -> Via {
        match self {
            Self::Uses => Via::All,
            Self::Callers | Self::Callees => Via::Calls,
        }
    }

    /// The same for SQL.
    fn condition(self) -> String {
        let followed = Role::ALL.iter().filter(|role| self.via().follows(**role));
        let words: Vec<String> = followed.map(|role| format!("'{}'", role.as_str())).collect();
        format!("l.role IN ({})", words.join(", "))
    }
}

/// Who is on the other side of the links of the symbols that are meant, as many steps away as were asked for.
pub(super) fn gather(reader: &Reader, question: &Input, way: Way) -> Result<Output> {
    let mut ids = Vec::new();
    for symbol in &question.symbols {
        let found = symbol.find(reader).map_err(unusable)?;
        if found.is_empty() {
            return Err(crate::show::not_found(reader, symbol));
        }
        ids.extend(found.into_iter().filter(|id| !ids.contains(id)).collect::<Vec<_>>());
    }
    let graph = Graph::new(reader);
    let dispatch = Dispatch::new(&graph);
    let gatherer = Gatherer { reader, graph: &graph, dispatch, question, way };
    gatherer.gather(&ids).map_err(unusable)
}

/// One link, and the symbol on its other side.
#[derive(Debug, Clone)]
struct Link {
    other: Option<i64>,
    file: i64,
    path: String,
    /// Only one of several that may be meant.
    is_candidate: bool,
    site: Site,
}

/// What the places of one symbol have in common. In this order they are told.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    is_test: bool,
    distance: u32,
    of: Option<i64>,
    path: String,
    other: Option<i64>,
    dispatch: Option<i64>,
}

struct Gatherer<'g> {
    reader: &'g Reader,
    graph: &'g Graph<'g>,
    dispatch: Dispatch<'g, 'g>,
    question: &'g Input,
    way: Way,
}

impl Gatherer<'_> {
    fn gather(&self, ids: &[i64]) -> rusqlite::Result<Output> {
        let mut ledger = Ledger::default();
        let mut groups: BTreeMap<Group, Vec<Site>> = BTreeMap::new();
        let mut seen: BTreeSet<i64> = ids.iter().copied().collect();
        let mut level = ids.to_vec();
        let mut followed = None;
        for distance in 1..=self.question.depth {
            let mut next = BTreeSet::new();
            for (number, id) in level.iter().enumerate() {
                // Nobody reads the calls of thousands that are called alike: those that are listed are
                // followed in any case, the others while there is room for what they add.
                if distance == 1
                    && number >= LISTED
                    && groups.values().map(Vec::len).sum::<usize>() > self.question.limit
                {
                    followed = Some(number);
                    break;
                }
                for (link, dispatch) in self.links(*id, &mut ledger)? {
                    if !self.is_wanted(&link, &mut ledger) {
                        continue;
                    }
                    next.extend(link.other.filter(|other| !seen.contains(other)));
                    let group = Group {
                        is_test: self.is_test(&link)?,
                        distance,
                        // Those of the only symbol that was asked for need not say so.
                        of: (distance > 1 || self.question.symbols.len() > 1).then_some(*id),
                        path: link.path,
                        other: link.other,
                        dispatch,
                    };
                    groups.entry(group).or_default().push(link.site);
                }
            }
            let is_enough = groups.values().map(Vec::len).sum::<usize>() > self.question.limit;
            if next.is_empty() || is_enough {
                break;
            }
            seen.extend(&next);
            level = next.into_iter().collect();
        }
        ledger.followed = followed;
        if self.way != Way::Callees {
            ledger.unresolved = unresolved(self.graph, ids, &self.way.condition())?;
        }
        self.assemble(ids, groups, ledger)
    }

    /// The links of a symbol, with the declaration they name where that is another one.
    fn links(&self, id: i64, ledger: &mut Ledger) -> rusqlite::Result<Vec<(Link, Option<i64>)>> {
        let mut links: Vec<(Link, Option<i64>)> = Vec::new();
        if self.way == Way::Callees {
            for link in self.callees(id, ledger)? {
                let target = link.other.filter(|_| !link.is_candidate);
                for other in
                    target.map_or(Ok(Vec::new()), |it| self.dispatch.implementations(it))?
                {
                    links.push((Link { other: Some(other), ..link.clone() }, target));
                }
                links.push((link, None));
            }
            return Ok(links);
        }
        for target in self.graph.with_constructors(id)? {
            links.extend(self.users(target)?.into_iter().map(|link| (link, None)));
        }
        if self.way == Way::Callers {
            for declared in self.dispatch.declarations(id)? {
                let users = self.users(declared)?.into_iter();
                links.extend(users.map(|link| (link, Some(declared))));
            }
        }
        Ok(links)
    }

    fn users(&self, target: i64) -> rusqlite::Result<Vec<Link>> {
        let edges = self.graph.leading_to(target)?;
        self.followed(edges, |edge| edge.from)
    }

    fn callees(&self, id: i64, ledger: &mut Ledger) -> rusqlite::Result<Vec<Link>> {
        let sql = format!(
            "WITH RECURSIVE inside(id) AS (
                 SELECT ?1 UNION ALL
                 SELECT s.id FROM symbol AS s JOIN inside AS i
                     ON s.id BETWEEN i.id & ~16777215 AND i.id | 16777215
                    AND s.owner = i.id & 16777215)
             SELECT count(*) FILTER (WHERE l.outcome = 'unresolved'),
                    count(*) FILTER (WHERE l.outcome = 'external')
             FROM links AS l
             WHERE l.file_id = ?1 >> 24 AND l.outcome IN ('unresolved', 'external') AND {}
               AND l.symbol_id IN inside",
            self.way.condition()
        );
        let mut statement = self.reader.connection().prepare_cached(&sql)?;
        let (unresolved, external): (u32, u32) =
            statement.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        ledger.unresolved += unresolved as usize;
        ledger.external += external as usize;
        self.followed(self.graph.out_of(id)?, |edge| Some(edge.to))
    }

    /// The links of the kind that is asked for, with what is on their other side.
    fn followed(
        &self,
        edges: Vec<Edge>,
        other: impl Fn(&Edge) -> Option<i64>,
    ) -> rusqlite::Result<Vec<Link>> {
        let mut links = Vec::new();
        for edge in edges.into_iter().filter(|edge| self.way.via().follows(edge.role)) {
            let Some(head) = self.graph.head(edge.file)? else { continue };
            links.push(Link {
                other: other(&edge),
                file: edge.file,
                path: head.path.clone(),
                is_candidate: edge.is_candidate,
                site: Site {
                    line: edge.line,
                    column: edge.column,
                    role: edge.role.as_str().to_owned(),
                    how: edge.how.as_str().to_owned(),
                    confidence: edge.how.confidence().as_str().to_owned(),
                    text: None,
                },
            });
        }
        Ok(links)
    }

    /// Whether a link is sure enough and found in the way that is meant; if not, it is counted.
    fn is_wanted(&self, link: &Link, ledger: &mut Ledger) -> bool {
        if link.is_candidate {
            ledger.ambiguous += 1;
            return false;
        }
        let least = model::Confidence::parse(&self.question.min_confidence);
        let is_sure = model::Confidence::parse(&link.site.confidence) <= least;
        let is_meant = self.question.how.as_ref().is_none_or(|how| *how == link.site.how);
        ledger.filtered += usize::from(!is_sure || !is_meant);
        is_sure && is_meant
    }

    /// Whether what is on the other side is a test. What a test calls is none for that.
    fn is_test(&self, link: &Link) -> rusqlite::Result<bool> {
        let is_test_file = |file| Ok(self.graph.head(file)?.is_some_and(|head| head.is_test));
        match (link.other, self.way) {
            (Some(other), _) => {
                let symbol = self.graph.symbol(other)?;
                let is_test = symbol.is_some_and(|it| it.flags.has(SymbolFlags::TEST));
                Ok(is_test || is_test_file(file_of(other))?)
            }
            (None, Way::Callees) => Ok(false),
            (None, _) => is_test_file(link.file),
        }
    }

    fn assemble(
        &self,
        ids: &[i64],
        groups: BTreeMap<Group, Vec<Site>>,
        mut ledger: Ledger,
    ) -> rusqlite::Result<Output> {
        let key = |id: Option<i64>| -> rusqlite::Result<Option<String>> {
            id.map(|id| named(self.reader, id)).transpose().map(|it| it.map(|it| it.key))
        };
        let mut texts = Texts::new(self.reader);
        let mut found = Vec::new();
        let mut left = self.question.limit;
        let total: usize = groups.values().map(Vec::len).sum();
        for (group, mut sites) in groups {
            sites.sort_by_key(|site| (site.line, site.column));
            sites.truncate(left);
            left -= sites.len();
            if sites.is_empty() {
                continue;
            }
            for site in &mut sites {
                site.text = texts.line(&group.path, site.line);
            }
            let symbol = group.other.map(|id| named(self.reader, id)).transpose()?;
            found.push(Found {
                project: None,
                symbol,
                path: group.path,
                distance: group.distance,
                of: key(group.of)?,
                dispatch: key(group.dispatch)?,
                is_test: group.is_test,
                sites,
            });
        }
        ledger.sites = found.iter().map(|found| found.sites.len()).sum();
        let tests = found.iter().filter(|found| found.is_test);
        ledger.in_tests = tests.map(|found| found.sites.len()).sum();
        let mut symbols = Vec::new();
        for id in ids.iter().take(LISTED) {
            symbols.push(named(self.reader, *id)?);
        }
        let truncated = ledger.sites < total;
        let symbol_count = (ids.len() > LISTED).then_some(ids.len());
        Ok(Output { symbols, symbol_count, found, ledger, truncated, skipped_projects: Vec::new() })
    }
}

/// Symbols of one name that are told one by one.
const LISTED: usize = 50;

/// Lines of files as they are on disk.
struct Texts {
    root: String,
    files: FxHashMap<String, Option<String>>,
}

impl Texts {
    fn new(reader: &Reader) -> Self {
        Self { root: reader.meta("root").unwrap_or_default(), files: FxHashMap::default() }
    }

    fn line(&mut self, path: &str, line: u32) -> Option<String> {
        const LARGEST: u64 = 4 << 20;
        const WIDTH: usize = 160;
        if !self.files.contains_key(path) {
            let text = ::index::read::read_text(&Path::new(&self.root).join(path), LARGEST);
            self.files.insert(path.to_owned(), text);
        }
        let text = self.files.get(path)?.as_ref()?;
        let line = text.lines().nth((line as usize).checked_sub(1)?)?;
        Some(text::one_line(line.trim(), WIDTH))
    }
}

/// References with the name of one of the symbols that lead nowhere.
fn unresolved(graph: &Graph<'_>, ids: &[i64], condition: &str) -> rusqlite::Result<usize> {
    let mut names = BTreeSet::new();
    for id in ids {
        names.extend(graph.symbol(*id)?.map(|symbol| symbol.name));
    }
    let mut count = 0;
    for name in names {
        count += of_name(graph.reader(), name, condition, usize::MAX)?.0;
    }
    Ok(count)
}

/// Calls with the name of a symbol that lead nowhere, so that any of them may mean it. They are counted in the
/// first files of that name; with it, whether there are more.
pub(crate) fn unlinked_calls(graph: &Graph<'_>, id: i64) -> rusqlite::Result<(usize, bool)> {
    // A name that everybody has stands in thousands of files, and whoever shows a symbol waits for them.
    const MOST_FILES: usize = 100;
    let Some(symbol) = graph.symbol(id)? else { return Ok((0, false)) };
    of_name(graph.reader(), symbol.name, &Way::Callers.condition(), MOST_FILES)
}

fn of_name(
    reader: &Reader,
    name: u32,
    condition: &str,
    most_files: usize,
) -> rusqlite::Result<(usize, bool)> {
    let name = reader.name_text(name)?;
    let connection = reader.connection();
    // A limit below zero is none.
    let limit = i64::try_from(most_files).map_or(-1, |most| most + 1);
    let mut files: Vec<i64> = connection
        .prepare_cached("SELECT DISTINCT file_id FROM refs WHERE name = ?1 LIMIT ?2")?
        .query_map((&name, limit), |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let has_more = files.len() > most_files;
    files.truncate(most_files);
    let mut statement = connection.prepare_cached(&format!(
        "SELECT count(*) FROM links AS l
         WHERE l.file_id = ?1 AND l.name = ?2 AND l.outcome = 'unresolved' AND {condition}"
    ))?;
    let mut count = 0;
    for file in files {
        count += statement.query_row((file, &name), |row| row.get::<_, u32>(0))? as usize;
    }
    Ok((count, has_more))
}

fn named(reader: &Reader, id: i64) -> rusqlite::Result<Named> {
    reader
        .connection()
        .prepare_cached("SELECT key, kind, file_path, line, signature FROM symbols WHERE id = ?1")?
        .query_row([id], |row| {
            Ok(Named {
                project: None,
                key: row.get(0)?,
                kind: row.get(1)?,
                path: row.get(2)?,
                line: row.get(3)?,
                signature: row.get(4)?,
            })
        })
}
