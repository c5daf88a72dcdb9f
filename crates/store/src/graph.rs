//! The graph of links: from a symbol to those it uses, and to those that use it.
//!
//! Links are packed beside the file they start from. A file is unpacked once for each graph; targets stay
//! as they are stored (path, name, position), so asking who uses a symbol looks up nothing but that one.

use std::cell::{OnceCell, RefCell};
use std::hash::Hash;
use std::rc::Rc;

use model::pack::Detail;
use model::{How, Role, SymbolKind, position};
use rusqlite::{OptionalExtension, Result};
use rustc_hash::FxHashMap;

use crate::links::{Outcomes, Stored, Target, damaged, unpack_targets};
use crate::packed::{Places, users};
use crate::rows::SYMBOL_BITS;
use crate::{FileHead, Reader, SymbolLine};

/// A link between two symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// File that the link starts from.
    pub file: i64,
    /// Innermost symbol around it; none at the top level.
    pub from: Option<i64>,
    pub to: i64,
    pub role: Role,
    pub how: How,
    /// Only one of several that may be meant.
    pub is_candidate: bool,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug)]
struct FileEdges {
    targets: Vec<Target>,
    edges: Vec<PackedEdge>,
    line_starts: Vec<u32>,
    /// Numbers of the edges by their ends, once one was asked for: a name with thousands of definitions
    /// asks for each of them.
    by_target: OnceCell<FxHashMap<Target, Vec<u32>>>,
    by_source: OnceCell<FxHashMap<Option<u32>, Vec<u32>>>,
}

impl FileEdges {
    fn to(&self, target: Target) -> impl Iterator<Item = &PackedEdge> {
        let all =
            self.by_target.get_or_init(|| self.numbered(|edge| self.targets[edge.target as usize]));
        self.at(all.get(&target))
    }

    /// Edges that start in a symbol itself, or outside of any.
    fn from(&self, symbol: Option<u32>) -> impl Iterator<Item = &PackedEdge> {
        let all = self.by_source.get_or_init(|| self.numbered(|edge| edge.from));
        self.at(all.get(&symbol))
    }

    fn numbered<K: Eq + Hash>(&self, key: impl Fn(&PackedEdge) -> K) -> FxHashMap<K, Vec<u32>> {
        let mut numbers: FxHashMap<K, Vec<u32>> = FxHashMap::default();
        for (number, edge) in self.edges.iter().enumerate() {
            numbers.entry(key(edge)).or_default().push(number as u32);
        }
        numbers
    }

    fn at(&self, numbers: Option<&Vec<u32>>) -> impl Iterator<Item = &PackedEdge> {
        numbers.into_iter().flatten().map(|number| &self.edges[*number as usize])
    }
}

#[derive(Debug, Clone, Copy)]
struct PackedEdge {
    from: Option<u32>,
    target: u32,
    role: Role,
    how: How,
    is_candidate: bool,
    start: u32,
}

/// The links of a project, read as far as they are asked for.
#[derive(Debug)]
pub struct Graph<'r> {
    reader: &'r Reader,
    places: RefCell<Places>,
    files: RefCell<FxHashMap<i64, Option<Rc<FileEdges>>>>,
    symbols: RefCell<FxHashMap<i64, Rc<Vec<SymbolLine>>>>,
    heads: RefCell<FxHashMap<i64, Option<Rc<FileHead>>>>,
    paths: RefCell<FxHashMap<i64, Option<u32>>>,
}

/// The file of a symbol.
pub fn file_of(symbol: i64) -> i64 {
    symbol >> SYMBOL_BITS
}

fn number_of(symbol: i64) -> usize {
    (symbol & ((1 << SYMBOL_BITS) - 1)) as usize
}

/// A symbol by its file and its position in it.
pub fn symbol_id(file: i64, number: u32) -> i64 {
    file << SYMBOL_BITS | i64::from(number)
}

impl<'r> Graph<'r> {
    pub fn new(reader: &'r Reader) -> Self {
        Self {
            reader,
            places: RefCell::default(),
            files: RefCell::default(),
            symbols: RefCell::default(),
            heads: RefCell::default(),
            paths: RefCell::default(),
        }
    }

    pub fn reader(&self) -> &'r Reader {
        self.reader
    }

    /// The file of that number, if it is in the project.
    pub fn head(&self, file: i64) -> Result<Option<Rc<FileHead>>> {
        if let Some(known) = self.heads.borrow().get(&file) {
            return Ok(known.clone());
        }
        let head = self.reader.file_head(file)?.map(Rc::new);
        self.heads.borrow_mut().insert(file, head.clone());
        Ok(head)
    }

    /// The symbols of a file, in order.
    pub fn symbols(&self, file: i64) -> Result<Rc<Vec<SymbolLine>>> {
        if let Some(known) = self.symbols.borrow().get(&file) {
            return Ok(known.clone());
        }
        let symbols = Rc::new(self.reader.symbol_lines(file)?);
        self.symbols.borrow_mut().insert(file, symbols.clone());
        Ok(symbols)
    }

    pub fn symbol(&self, symbol: i64) -> Result<Option<SymbolLine>> {
        let symbols = self.symbols(file_of(symbol))?;
        // Positions are those in the file, without gaps.
        Ok(symbols.get(number_of(symbol)).filter(|it| it.id == symbol).cloned())
    }

    /// The symbol and all that stand in it.
    pub fn inside(&self, symbol: i64) -> Result<Vec<i64>> {
        let symbols = self.symbols(file_of(symbol))?;
        let first = number_of(symbol);
        let mut is_in = vec![false; symbols.len()];
        let mut all = Vec::new();
        for (number, it) in symbols.iter().enumerate().skip(first) {
            let owner = it.owner.map(|owner| owner as usize);
            if number == first || owner.is_some_and(|owner| owner < number && is_in[owner]) {
                is_in[number] = true;
                all.push(it.id);
            }
        }
        Ok(all)
    }

    /// The symbol that another one belongs to.
    pub fn owner(&self, symbol: i64) -> Result<Option<i64>> {
        let owner = self.symbol(symbol)?.and_then(|it| it.owner);
        Ok(owner.map(|owner| symbol_id(file_of(symbol), owner)))
    }

    /// What belongs to a symbol, in order.
    pub fn members(&self, owner: i64) -> Result<Vec<SymbolLine>> {
        let number = number_of(owner) as u32;
        let symbols = self.symbols(file_of(owner))?;
        Ok(symbols.iter().filter(|it| it.owner == Some(number)).cloned().collect())
    }

    /// Members of a type with this name.
    pub fn members_named(&self, owner: i64, name: u32) -> Result<Vec<i64>> {
        let members = self.members(owner)?;
        Ok(members.into_iter().filter(|it| it.name == name).map(|it| it.id).collect())
    }

    /// A symbol, and its constructors if it is a type: who makes a value of a type uses the type, although the
    /// link leads to the constructor.
    pub fn with_constructors(&self, symbol: i64) -> Result<Vec<i64>> {
        let members = self.members(symbol)?.into_iter();
        let constructors = members.filter(|it| it.kind == SymbolKind::Constructor).map(|it| it.id);
        Ok(std::iter::once(symbol).chain(constructors).collect())
    }

    /// Links that lead to a symbol, in the order of paths and lines.
    pub fn leading_to(&self, symbol: i64) -> Result<Vec<Edge>> {
        let Some(target) = self.target(symbol)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for file in users(self.reader.connection(), symbol)? {
            let Some(edges) = self.edges(file)? else { continue };
            found.extend(
                edges.to(target).map(|edge| edge.unpacked(file, symbol, &edges.line_starts)),
            );
        }
        Ok(found)
    }

    /// Links that start in a symbol or in what stands in it.
    pub fn out_of(&self, symbol: i64) -> Result<Vec<Edge>> {
        let file = file_of(symbol);
        let Some(edges) = self.edges(file)? else { return Ok(Vec::new()) };
        let mut found: Vec<&PackedEdge> = Vec::new();
        for inside in self.inside(symbol)? {
            found.extend(edges.from(Some(number_of(inside) as u32)));
        }
        // In the order in which they stand.
        found.sort_by_key(|edge| edge.start);
        self.unpacked(file, &edges, found.into_iter())
    }

    /// All links that start in a file.
    pub fn out_of_file(&self, file: i64) -> Result<Vec<Edge>> {
        let Some(edges) = self.edges(file)? else { return Ok(Vec::new()) };
        self.unpacked(file, &edges, edges.edges.iter())
    }

    /// Links that start in a file outside of any symbol.
    pub fn out_of_top(&self, file: i64) -> Result<Vec<Edge>> {
        let Some(edges) = self.edges(file)? else { return Ok(Vec::new()) };
        self.unpacked(file, &edges, edges.from(None))
    }

    fn unpacked<'e>(
        &self,
        file: i64,
        edges: &'e FileEdges,
        wanted: impl Iterator<Item = &'e PackedEdge>,
    ) -> Result<Vec<Edge>> {
        let mut found = Vec::new();
        for edge in wanted {
            let target = edges.targets[edge.target as usize];
            let place = self.places.borrow_mut().symbol(self.reader.connection(), target)?;
            found.extend(place.map(|to| edge.unpacked(file, to, &edges.line_starts)));
        }
        Ok(found)
    }

    /// How links name a symbol.
    fn target(&self, symbol: i64) -> Result<Option<Target>> {
        let Some(head) = self.head(file_of(symbol))? else { return Ok(None) };
        let Some(path) = self.path(&head)? else { return Ok(None) };
        let symbols = self.symbols(head.id)?;
        let Some(it) = symbols.get(number_of(symbol)) else { return Ok(None) };
        let before = &symbols[..number_of(symbol)];
        let nth = before.iter().filter(|other| other.name == it.name).count() as u32;
        Ok(Some(Target { path, name: it.name, nth }))
    }

    /// The path of a file, as a name.
    fn path(&self, head: &FileHead) -> Result<Option<u32>> {
        if let Some(known) = self.paths.borrow().get(&head.id) {
            return Ok(*known);
        }
        let path = self.reader.name_id(&head.path)?;
        self.paths.borrow_mut().insert(head.id, path);
        Ok(path)
    }

    fn edges(&self, file: i64) -> Result<Option<Rc<FileEdges>>> {
        if let Some(known) = self.files.borrow().get(&file) {
            return Ok(known.clone());
        }
        let edges = self.unpack(file)?.map(Rc::new);
        self.files.borrow_mut().insert(file, edges.clone());
        Ok(edges)
    }

    fn unpack(&self, file: i64) -> Result<Option<FileEdges>> {
        let packed: Option<[Vec<u8>; 3]> = self
            .reader
            .connection()
            .prepare_cached(
                "SELECT l.targets, l.outcomes, a.detail FROM link AS l
                 JOIN file AS f ON f.id = l.file_id JOIN facts AS a ON a.file_id = l.file_id
                 WHERE l.file_id = ?1 AND f.retired IS NULL",
            )?
            .query_row([file], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]))
            .optional()?;
        let Some([targets, outcomes, detail]) = packed else { return Ok(None) };
        let detail = Detail::new(&detail).map_err(damaged)?;
        let references = detail.references().map_err(damaged)?;
        let targets = unpack_targets(&targets).map_err(damaged)?;
        let mut edges = Vec::new();
        for (stored, reference) in Outcomes::new(&outcomes).zip(references) {
            let stored = stored.map_err(damaged)?;
            let mut add = |how: How, target: u32, is_candidate: bool| {
                if (target as usize) < targets.len() {
                    edges.push(PackedEdge {
                        from: reference.symbol,
                        target,
                        role: reference.role,
                        how,
                        is_candidate,
                        start: reference.start,
                    });
                }
            };
            match stored {
                Stored::Resolved(how, place) => add(how, place, false),
                Stored::Ambiguous(how, places) => {
                    places.into_iter().for_each(|place| add(how, place, true));
                }
                _ => {}
            }
        }
        let line_starts = detail.line_starts().map_err(damaged)?;
        let (by_target, by_source) = (OnceCell::new(), OnceCell::new());
        Ok(Some(FileEdges { targets, edges, line_starts, by_target, by_source }))
    }

    /// Types that a type extends or implements, or that an addition adds to one, with the link.
    pub fn parents(&self, symbol: i64) -> Result<Vec<Edge>> {
        let file = file_of(symbol);
        let Some(edges) = self.edges(file)? else { return Ok(Vec::new()) };
        let own = edges.from(Some(number_of(symbol) as u32));
        let own = own.filter(|edge| is_inheritance(edge.role));
        let mut edges = self.unpacked(file, &edges, own)?;
        edges.retain(|edge| edge.to != symbol);
        Ok(edges)
    }

    /// Types that extend or implement a type, with the link.
    pub fn children(&self, symbol: i64) -> Result<Vec<Edge>> {
        let mut edges = self.leading_to(symbol)?;
        edges.retain(|edge| is_inheritance(edge.role) && edge.from != Some(symbol));
        Ok(edges)
    }

    /// Whether a kind is one that has members.
    pub fn has_members(&self, symbol: i64) -> Result<bool> {
        let kind = self.symbol(symbol)?.map_or(SymbolKind::Var, |it| it.kind);
        Ok(kind.has_members())
    }
}

fn is_inheritance(role: Role) -> bool {
    matches!(role, Role::Extends | Role::Implements)
}

impl PackedEdge {
    fn unpacked(&self, file: i64, to: i64, line_starts: &[u32]) -> Edge {
        let (line, column) = position(line_starts, self.start);
        Edge {
            file,
            from: self.from.map(|from| symbol_id(file, from)),
            to,
            role: self.role,
            how: self.how,
            is_candidate: self.is_candidate,
            line,
            column,
        }
    }
}
