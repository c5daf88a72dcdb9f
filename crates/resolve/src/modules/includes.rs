//! C and its like: what a file includes, and one space of names for the whole program.

use std::rc::Rc;

use model::{ImportFlags, NameId, SymbolFlags, SymbolKind, Visibility};
use rustc_hash::FxHashSet;

use crate::digest::Thing;
use crate::expression::ExpressionId;
use crate::linker::Linker;
use crate::memory::parent;
use crate::modules::joined;
use crate::value::{How, Meaning, Module, Value};
use crate::world::{File, SymbolRef, World};

/// More files than this are not followed.
const MAX_REACH: usize = 4096;

impl<W: World> Linker<'_, W> {
    pub(super) fn included_name(
        &mut self,
        file: File,
        name: NameId,
        within: Option<u32>,
    ) -> Option<Meaning> {
        let found = self.namespace_name(file, name, within);
        if let Some(Meaning { value: Value::Symbols(symbols, _), .. }) = &found {
            let visible = self.visible(file, symbols).or_else(|| self.announced_type(symbols));
            return visible.or_else(|| self.reached_namespace(symbols));
        }
        let candidates = self.world.named(name);
        let is_builtin = self.rules(file).is_builtin(&self.world.text(name));
        // What the language brings is no candidate because some file has a stand-in for it.
        let visible =
            self.visible(file, &candidates).filter(|found| found.how != How::Only || !is_builtin);
        // A namespace that only macros open has no definition.
        visible.or(found)
    }

    /// Of definitions with one name, those a file can mean: first what it includes, then the one that
    /// such a declaration announces. The only one there is, is a candidate.
    fn visible(&mut self, file: File, candidates: &Rc<[SymbolRef]>) -> Option<Meaning> {
        let family: Vec<SymbolRef> =
            candidates.iter().copied().filter(|symbol| self.is_family(file, symbol.file)).collect();
        let reach = self.reach_of(file);
        let (near, far): (Vec<SymbolRef>, Vec<SymbolRef>) =
            family.into_iter().partition(|symbol| reach.contains(&symbol.file));
        let near = self.without_stand_ins(near);
        let far: Vec<SymbolRef> = far
            .into_iter()
            .filter(|symbol| {
                self.definition(*symbol).is_some_and(|definition| {
                    definition.visibility != Some(Visibility::Private)
                        && !definition.flags.has(SymbolFlags::STATIC)
                })
            })
            .collect();
        let is_announced = |symbol: &SymbolRef| {
            self.definition(*symbol)
                .is_some_and(|definition| definition.flags.has(SymbolFlags::DECLARATION))
        };
        let defined: Vec<SymbolRef> =
            near.iter().copied().filter(|symbol| !is_announced(symbol)).collect();
        let is_type = |symbol: &SymbolRef| {
            self.definition(*symbol).is_some_and(|definition| definition.kind.is_type())
        };
        // `struct size` and a function `size` are two things, of which one may be announced.
        let is_apart = self.rules(file).types_apart
            && defined.iter().all(is_type)
            && near.iter().any(|symbol| !is_type(symbol));
        if !defined.is_empty() && !is_apart {
            return Some(Meaning { value: Value::Symbols(defined.into(), None), how: How::Import });
        }
        let elsewhere: Vec<SymbolRef> =
            far.iter().copied().filter(|symbol| !is_announced(symbol)).collect();
        if !near.is_empty() {
            // Announced in a header: defined in one place, or the announcement stands for it.
            let (symbols, how) = match elsewhere.len() {
                0 => (near, How::Import),
                1 => (elsewhere, How::Declaration),
                // One for each system: the announcement stands for all of them.
                _ => match self.nearest(file, &near, elsewhere) {
                    nearest if nearest.len() > 1 && !self.rules(file).overloads => {
                        (near, How::Import)
                    }
                    nearest => (nearest, How::Declaration),
                },
            };
            let symbols: Vec<SymbolRef> = defined.into_iter().chain(symbols).collect();
            return Some(Meaning { value: Value::Symbols(symbols.into(), None), how });
        }
        match elsewhere.as_slice() {
            [only] if self.definition(*only).is_some_and(|d| d.kind.is_callable()) => {
                Some(Meaning { value: Value::Symbols(elsewhere.into(), None), how: How::Only })
            }
            _ => None,
        }
    }

    /// What a header has under a name, without a macro in the place of a function: the header announces the
    /// function in one branch of a conditional, and in the other one the macro does without it.
    fn without_stand_ins(&mut self, near: Vec<SymbolRef>) -> Vec<SymbolRef> {
        if near.len() < 2 {
            return near;
        }
        let renaming: Vec<SymbolRef> =
            near.iter().copied().filter(|symbol| self.renames(*symbol)).collect();
        let is = |symbol: &SymbolRef, kind: SymbolKind| {
            self.definition(*symbol).is_some_and(|definition| definition.kind == kind)
        };
        let stands_in = |symbol: &&SymbolRef| {
            is(symbol, SymbolKind::Macro)
                && near.iter().any(|other| {
                    let is_other_name = renaming.contains(symbol);
                    (other.file == symbol.file || is_other_name) && is(other, SymbolKind::Function)
                })
        };
        near.iter().filter(|symbol| !stands_in(symbol)).copied().collect()
    }

    /// Whether a macro gives a function a name that nothing in the project has: `#define open lib_open`,
    /// for programs that have another `open`.
    fn renames(&mut self, symbol: SymbolRef) -> bool {
        let Some(definition) = self.definition(symbol) else { return false };
        definition.kind == SymbolKind::Macro
            && definition.value != ExpressionId::UNKNOWN
            && !matches!(self.evaluate(symbol.file, definition.value).value, Value::Symbols(..))
    }

    /// A type of a namespace at hand that no included file defines. The file would not compile if nothing
    /// announced it, and a program has one type of a full name.
    fn announced_type(&self, candidates: &[SymbolRef]) -> Option<Meaning> {
        let mut types = candidates.iter().copied().filter(|symbol| {
            self.definition(*symbol).is_some_and(|it| it.kind.has_members())
                && !self.world.text(self.space_of(*symbol)).is_empty()
        });
        let only = types.next().filter(|_| types.next().is_none())?;
        Some(Meaning { value: Value::Symbols(Rc::from([only]), None), how: How::Package })
    }

    /// A namespace that no included file declares by itself: a macro may open it there.
    fn reached_namespace(&self, candidates: &[SymbolRef]) -> Option<Meaning> {
        let first = candidates.first()?;
        let definition = self.definition(*first).filter(|it| it.kind == SymbolKind::Namespace)?;
        let around = self.world.text(self.space_of(*first));
        let own = self.world.text(definition.name);
        let full = if around.is_empty() { own.to_string() } else { format!("{around}.{own}") };
        let is_opened = self.opening_macros().iter().any(|(_, opened)| *opened == full);
        let module = Module::Namespace(self.world.intern(&full));
        is_opened.then_some(Meaning { value: Value::Module(module), how: How::Package })
    }

    /// Of several definitions, those beside the declaration or beside the file.
    fn nearest(&self, file: File, near: &[SymbolRef], all: Vec<SymbolRef>) -> Vec<SymbolRef> {
        let world = self.world;
        let directories: Vec<&str> = near
            .iter()
            .map(|symbol| parent(world.path(symbol.file)))
            .chain([parent(world.path(file))])
            .collect();
        let beside: Vec<SymbolRef> = all
            .iter()
            .copied()
            .filter(|symbol| directories.contains(&parent(world.path(symbol.file))))
            .collect();
        if beside.is_empty() { all } else { beside }
    }

    /// A file and all it includes, directly or not.
    fn reach_of(&mut self, file: File) -> Rc<FxHashSet<File>> {
        self.look_at(Thing::Includes);
        if let Some(known) = self.reach.get(&file) {
            return Rc::clone(known);
        }
        let mut reach = FxHashSet::default();
        let mut left = vec![file];
        while let Some(next) = left.pop() {
            if !reach.insert(next) || reach.len() > MAX_REACH {
                continue;
            }
            for number in 0..self.world.interface(next).imports.len() {
                if let Some(included) = self.included_file(next, number) {
                    left.push(included);
                }
            }
        }
        let reach = Rc::new(reach);
        self.reach.insert(file, Rc::clone(&reach));
        reach
    }

    /// The file that an `#include` means: beside the including one, in the usual places around it, or the
    /// only one of the project whose path ends so. Compilers are told where to look, and we are not.
    pub(crate) fn included_file(&mut self, file: File, number: usize) -> Option<File> {
        let world = self.world;
        let import = world.interface(file).imports.get(number)?;
        if import.flags.has(ImportFlags::OPENS) {
            return None;
        }
        let source = world.text(import.source);
        let mut directory = parent(world.path(file));
        loop {
            for place in ["", "include", "src", "inc"] {
                let base = joined(directory, place)?;
                if let Some(found) = joined(&base, &source).and_then(|path| world.file_at(&path)) {
                    return Some(found);
                }
            }
            if directory.is_empty() {
                break;
            }
            directory = parent(directory);
        }
        for root in &world.settings().roots {
            if let Some(found) = joined(root, &source).and_then(|path| world.file_at(&path)) {
                return Some(found);
            }
        }
        // Headers of the system have the names that programs give to their own in its absence.
        if import.flags.has(ImportFlags::SYSTEM) {
            return None;
        }
        let ends_so = |path: &str| {
            path.strip_suffix(&*source)
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let called = world.files_called(source.rsplit('/').next().unwrap_or(&source));
        let mut found = called.iter().copied().filter(|file| ends_so(world.path(*file)));
        found.next().filter(|_| found.next().is_none())
    }
}
