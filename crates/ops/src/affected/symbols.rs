//! From changed symbols to the files with tests that need them.
//!
//! Who uses a symbol needs it, and so do those who may: by a call of what it implements, by its name where
//! nobody knows what is meant. A member that nobody calls is called by somebody from outside, so its type
//! stands for it; what nobody uses and is decorated is handed to somebody, so its file stands for it.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use store::rusqlite;
use store::{Graph, Reader, file_of};

use super::reach::Reached;
use crate::walk::declarations;
use model::{Role, SymbolKind};

/// What is reached from symbols.
#[derive(Debug, Default)]
pub(super) struct BySymbols {
    /// Files, with how they were reached; test files are not followed further.
    pub(super) files: FxHashMap<i64, Reached>,
    /// Files that are needed as a whole by whoever imports them.
    pub(super) whole: Vec<(i64, Reached)>,
}

/// Files and the symbols in them, if any, by the number of a name that stands there.
type Places = FxHashMap<u32, Vec<(i64, Option<i64>)>>;

pub(super) struct Walk<'w> {
    graph: Graph<'w>,
    is_test: FxHashSet<i64>,
    /// Places of references that lead nowhere, by their names.
    unresolved: Places,
    seen: FxHashSet<i64>,
    queue: VecDeque<(i64, Reached)>,
    found: BySymbols,
}

impl<'w> Walk<'w> {
    pub(super) fn new(reader: &'w Reader, is_test: FxHashSet<i64>) -> rusqlite::Result<Self> {
        Ok(Self {
            graph: Graph::new(reader),
            is_test,
            unresolved: unresolved(reader)?,
            seen: FxHashSet::default(),
            queue: VecDeque::new(),
            found: BySymbols::default(),
        })
    }

    /// Follows who needs these symbols, and who uses names that are gone.
    pub(super) fn run(mut self, symbols: &[i64], gone: &[u32]) -> rusqlite::Result<BySymbols> {
        for symbol in symbols {
            self.reach(Some(*symbol), file_of(*symbol), Reached::start(false));
        }
        for name in gone {
            self.reach_named(*name, None, Reached::start(true))?;
        }
        while let Some((symbol, state)) = self.queue.pop_front() {
            self.step(symbol, state)?;
        }
        Ok(self.found)
    }

    fn step(&mut self, symbol: i64, state: Reached) -> rusqlite::Result<()> {
        let file = file_of(symbol);
        let next = state.after(file);
        let Some(line) = self.graph.symbol(symbol)? else { return Ok(()) };
        let mut targets = vec![symbol];
        let symbols = self.graph.symbols(file)?;
        let number = (symbol & 0xff_ffff) as u32;
        let is_made_by = |it: &&store::SymbolLine| {
            it.owner == Some(number) && it.kind == SymbolKind::Constructor
        };
        targets.extend(symbols.iter().filter(is_made_by).map(|it| it.id));
        let mut is_used = false;
        for target in targets {
            for edge in Graph::into(&self.graph, target)? {
                // Who imports a name and does not use it passes it on; who uses it is linked with it.
                if edge.role == Role::Import || edge.from == Some(symbol) {
                    continue;
                }
                is_used = true;
                let step = if edge.file == file { state } else { next };
                self.reach(edge.from, edge.file, step);
            }
        }
        for declared in declarations(&self.graph, symbol)? {
            is_used = true;
            self.reach(Some(declared), file_of(declared), next);
        }
        is_used |= self.reach_named(line.name, Some(symbol), next)?;
        if is_used || self.is_test.contains(&file) {
            return Ok(());
        }
        match self.graph.owner(symbol)? {
            Some(owner) => self.reach(Some(owner), file, state),
            // What adds to a type is used through it.
            None if matches!(line.kind, SymbolKind::Impl | SymbolKind::Extension) => {
                for parent in self.graph.parents(symbol)? {
                    self.reach(Some(parent.to), file_of(parent.to), next);
                }
            }
            None if self.is_decorated(symbol)? => self.found.whole.push((file, state)),
            None => {}
        }
        Ok(())
    }

    /// Whether it hands itself to somebody where it is defined.
    fn is_decorated(&self, symbol: i64) -> rusqlite::Result<bool> {
        self.graph
            .reader()
            .connection()
            .prepare_cached("SELECT decorators IS NOT NULL FROM symbol WHERE id = ?1")?
            .query_row([symbol], |row| row.get(0))
    }

    /// Those that use a name of which nobody knows what it means.
    fn reach_named(
        &mut self,
        name: u32,
        own: Option<i64>,
        state: Reached,
    ) -> rusqlite::Result<bool> {
        let places = self.unresolved.get(&name).cloned().unwrap_or_default();
        if places.len() > MOST_PLACES {
            return Ok(false);
        }
        for (file, from) in &places {
            if own.is_none() || *from != own {
                self.reach(*from, *file, Reached { is_heuristic: true, ..state });
            }
        }
        Ok(!places.is_empty())
    }

    fn reach(&mut self, symbol: Option<i64>, file: i64, state: Reached) {
        self.found.files.entry(file).or_insert(state);
        // What one test does, no other needs, unless it is asked for by name.
        match symbol {
            Some(symbol) if self.seen.insert(symbol) => self.queue.push_back((symbol, state)),
            Some(_) => {}
            None if self.is_test.contains(&file) => {}
            None => self.found.whole.push((file, state)),
        }
    }
}

/// A name that leads nowhere from more places says nothing about one symbol.
const MOST_PLACES: usize = 400;

fn unresolved(reader: &Reader) -> rusqlite::Result<Places> {
    let mut names: FxHashMap<String, Option<u32>> = FxHashMap::default();
    let mut places = Places::default();
    let mut statement = reader.connection().prepare_cached(
        "SELECT DISTINCT name, file_id, symbol_id FROM links WHERE outcome = 'unresolved'",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        let id = match names.get(&name) {
            Some(known) => *known,
            None => {
                let id = reader.name_id(&name)?;
                names.insert(name, id);
                id
            }
        };
        if let Some(id) = id {
            places.entry(id).or_default().push((row.get(1)?, row.get(2)?));
        }
    }
    Ok(places)
}
