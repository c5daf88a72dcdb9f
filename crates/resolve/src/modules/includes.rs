//! C and its like: what a file includes, and one space of names for the whole program.

use std::rc::Rc;

use languages::ModuleSystem;
use model::{ImportFlags, NameId, SymbolFlags, SymbolKind, Visibility};
use rustc_hash::FxHashSet;

use crate::digest::Thing;
use crate::expression::ExpressionId;
use crate::lexical::is_constant;
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
        let is_builtin = self.rules(file).is_builtin(&self.world.text(name));
        if let Some(Meaning { value: Value::Symbols(symbols, _), .. }) = &found {
            // What the language brings is no candidate because a file announces it.
            if is_builtin && self.is_only_announced(symbols) {
                return None;
            }
            let visible =
                self.visible(file, symbols).or_else(|| self.announced_type(file, symbols));
            return visible.or_else(|| self.reached_namespace(symbols));
        }
        let candidates = self.world.named(name);
        // Nor because some file has a stand-in for it.
        let visible =
            self.visible(file, &candidates).filter(|found| found.how != How::Only || !is_builtin);
        // A namespace that only macros open has no definition.
        visible.or(found)
    }

    fn is_only_announced(&self, symbols: &[SymbolRef]) -> bool {
        symbols.iter().all(|symbol| {
            self.definition(*symbol)
                .is_some_and(|definition| definition.flags.has(SymbolFlags::DECLARATION))
        })
    }

    /// Of what a namespace has under a name, in whatever files, what one of them can mean.
    pub(crate) fn seen_from(&mut self, file: File, found: Meaning) -> Meaning {
        match &found.value {
            Value::Symbols(symbols, _)
                if symbols.len() > 1 && self.system(file) == ModuleSystem::Includes =>
            {
                let visible = self.visible(file, symbols);
                visible.map_or(found.clone(), |it| Meaning { how: found.how.max(it.how), ..it })
            }
            _ => found,
        }
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
        let elsewhere: Vec<SymbolRef> =
            far.iter().copied().filter(|symbol| !is_announced(symbol)).collect();
        if !defined.is_empty() && !is_apart {
            let others = self.other_overloads(file, &defined, &near, elsewhere);
            let symbols = others.into_iter().chain(defined).collect();
            return Some(Meaning { value: Value::Symbols(symbols, None), how: How::Import });
        }
        if !near.is_empty() {
            // Announced in a header: defined in one place, or the announcement stands for it.
            // Those that the usual system does not compile come along: who is not compiled either means them.
            let compiled = elsewhere.iter().filter(|symbol| !self.is_dormant(**symbol)).count();
            let (symbols, how) = match (elsewhere.len(), compiled) {
                (0, _) => (near, How::Import),
                (1, _) | (_, 1) => (elsewhere, How::Declaration),
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

    /// Overloads that are announced beside others that are defined at once: the definitions of those that
    /// take another number of arguments, or the announcements where none is known.
    fn other_overloads(
        &mut self,
        file: File,
        defined: &[SymbolRef],
        near: &[SymbolRef],
        elsewhere: Vec<SymbolRef>,
    ) -> Vec<SymbolRef> {
        if !self.rules(file).overloads || defined.len() == near.len() {
            return Vec::new();
        }
        let most = |symbol: &SymbolRef| {
            let definition = self.definition(*symbol)?;
            definition.kind.is_callable().then_some(definition.parameters.1)
        };
        let known: Vec<Option<u8>> = defined.iter().map(most).collect();
        let is_other =
            |symbol: &SymbolRef| !known.contains(&None) && !known.contains(&most(symbol));
        let announced: Vec<SymbolRef> = near.iter().copied().filter(is_other).collect();
        let is_announced = |symbol: &SymbolRef| {
            announced.iter().any(|other| most(other).is_some() && most(other) == most(symbol))
        };
        let bodies: Vec<SymbolRef> = elsewhere.into_iter().filter(is_announced).collect();
        match bodies.is_empty() {
            true => announced,
            false => self.nearest(file, &announced, bodies),
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
                    // A function that is not compiled leaves its place to the macro.
                    (other.file == symbol.file || is_other_name)
                        && is(other, SymbolKind::Function)
                        && (!self.is_dormant(*other) || self.is_dormant(**symbol))
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
    /// announced it, and a program has one type of a full name. Outside of all namespaces it may still be
    /// one of a library, whose types begin with small letters where they are used so.
    fn announced_type(&self, file: File, candidates: &[SymbolRef]) -> Option<Meaning> {
        let is_type =
            |symbol: &SymbolRef| self.definition(*symbol).is_some_and(|it| it.kind.has_members());
        let is_outside = |symbol: &SymbolRef| self.world.text(self.space_of(*symbol)).is_empty();
        let types = candidates.iter().copied().filter(is_type);
        let (outside, inside): (Vec<SymbolRef>, Vec<SymbolRef>) = types.partition(is_outside);
        let (only, how) = match (&*inside, &*outside) {
            ([only], _) => (*only, How::Package),
            ([], [only]) if self.may_be_announced(file, *only) => (*only, How::Inferred),
            _ => return None,
        };
        Some(Meaning { value: Value::Symbols(Rc::from([only]), None), how })
    }

    fn may_be_announced(&self, file: File, symbol: SymbolRef) -> bool {
        self.rules(file).overloads
            && self.is_family(file, symbol.file)
            && self.definition(symbol).is_some_and(|it| is_constant(&self.world.text(it.name)))
    }

    /// A namespace that no included file declares by itself: a macro may open it there.
    fn reached_namespace(&self, candidates: &[SymbolRef]) -> Option<Meaning> {
        let space = |symbol: &SymbolRef| {
            let definition = self.definition(*symbol)?;
            (definition.kind == SymbolKind::Namespace).then_some((*symbol, definition))
        };
        // A variable of that name may stand in a file that is not included.
        let (symbol, definition) = candidates.iter().find_map(space)?;
        let around = self.world.text(self.space_of(symbol));
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
