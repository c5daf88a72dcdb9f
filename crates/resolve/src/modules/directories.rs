//! Go: a directory is a package, and a module path leads to directories.

use model::NameId;

use crate::digest::Thing;
use crate::interface::Imported;
use crate::linker::Linker;
use crate::memory::parent;
use crate::modules::dotted::at;
use crate::settings::Ecosystem;
use crate::value::{How, Meaning, Module, Value, Why};
use crate::world::{File, SymbolRef, World};

/// How names of files end that are compiled where most programs run.
const USUAL_SYSTEMS: [&str; 3] = ["linux", "posix", "unix"];

/// The name a package most likely has, by its path.
pub(super) fn usual_name(source: &str) -> &str {
    let mut parts = source.rsplit('/');
    let last = parts.next().unwrap_or(source);
    let is_version = last.len() > 1
        && last.starts_with('v')
        && last[1..].bytes().all(|byte| byte.is_ascii_digit());
    let last = if is_version { parts.next().unwrap_or(last) } else { last };
    let last = last
        .split_once('.')
        .map_or(last, |(before, after)| if after.starts_with('v') { before } else { last });
    let last = last.strip_prefix("go-").unwrap_or(last);
    last.strip_suffix("-go").unwrap_or(last)
}

impl<W: World> Linker<'_, W> {
    pub(super) fn directory_name(&mut self, file: File, name: NameId) -> Option<Meaning> {
        let directory = parent(self.world.path(file));
        let package = self.world.interface(file).package;
        let symbols = self.in_directory(file, directory, name, package);
        if !symbols.is_empty() {
            return Some(Meaning {
                value: Value::Symbols(symbols.into(), None),
                how: How::Package,
            });
        }
        // The package may be named otherwise than its path.
        self.look_at(Thing::Whole(self.world.path(file)));
        let world = self.world;
        for (number, import) in world.interface(file).imports.iter().enumerate() {
            if import.alias.is_some() || import.name.is_some() {
                continue;
            }
            if let Value::Module(Module::Directory(directory)) =
                self.directory_module(file, import.source)
            {
                let path = world.text(directory);
                let is_named = world.files_in(&path).iter().any(|file| {
                    self.language(*file).table.linking.modules
                        == languages::ModuleSystem::Directories
                        && world.interface(*file).package == Some(name)
                });
                if is_named {
                    return Some(self.imported(file, number as u32));
                }
            }
        }
        None
    }

    /// A package has a name once. Where several files define it, each is for another system or another way
    /// to build, and the name of the file says which: `notify.go` beside `notify_windows.go`,
    /// `binding.go` beside `binding_nomsgpack.go`. All of them, if the names of the files do not tell.
    fn compiled(&self, found: Vec<SymbolRef>) -> Vec<SymbolRef> {
        let stem = |symbol: &SymbolRef| {
            let path = self.world.path(symbol.file);
            let last = path.rsplit('/').next().unwrap_or(path);
            last.split_once('.').map_or(last, |(stem, _)| stem)
        };
        let are_variants = found.len() > 1
            && found
                .iter()
                .enumerate()
                .all(|(at, symbol)| found[..at].iter().all(|other| other.file != symbol.file));
        if !are_variants {
            return found;
        }
        let is_usual = |symbol: &&SymbolRef| {
            let own = stem(symbol);
            let is_beginning = found.iter().all(|other| {
                other == *symbol
                    || stem(other).strip_prefix(own).is_some_and(|rest| rest.starts_with('_'))
            });
            is_beginning || own.rsplit('_').next().is_some_and(|word| USUAL_SYSTEMS.contains(&word))
        };
        let mut usual = found.iter().filter(is_usual);
        match (usual.next().copied(), usual.next()) {
            (Some(only), None) => vec![only],
            _ => found,
        }
    }

    pub(super) fn directory_import(&mut self, file: File, import: &Imported) -> Meaning {
        Meaning { value: self.directory_module(file, import.source), how: How::Import }
    }

    pub(super) fn directory_module(&mut self, file: File, source: NameId) -> Value {
        let world = self.world;
        let text = world.text(source);
        self.look_at(Thing::PathPart(text.rsplit('/').next().unwrap_or(&text)));
        let mut best: Option<(usize, String)> = None;
        for package in &world.settings().packages {
            if package.ecosystem != Ecosystem::Go {
                continue;
            }
            let Some(rest) = text.strip_prefix(package.name.as_str()) else { continue };
            if !rest.is_empty() && !rest.starts_with('/') {
                continue;
            }
            let path = at(&package.directory, rest.trim_start_matches('/'));
            let path = path.trim_end_matches('/').to_owned();
            if best.as_ref().is_none_or(|(length, _)| package.name.len() > *length) {
                best = Some((package.name.len(), path));
            }
        }
        if let Some((_, path)) = best {
            return match world.has_directory(&path) {
                true => Value::Module(Module::Directory(world.intern(&path))),
                false => Value::Unknown(Why::NoSuchModule),
            };
        }
        let mut directory = parent(world.path(file));
        loop {
            let vendored = at(&at(directory, "vendor"), &text);
            if world.has_directory(&vendored) {
                return Value::Module(Module::Directory(world.intern(&vendored)));
            }
            if directory.is_empty() {
                return Value::External(Some(source));
            }
            directory = parent(directory);
        }
    }

    pub(super) fn directory_member(&mut self, directory: NameId, name: NameId) -> Meaning {
        let path = self.world.text(directory);
        let files = self.world.files_in(&path);
        let first = files.iter().copied().find(|file| {
            self.language(*file).table.linking.modules == languages::ModuleSystem::Directories
        });
        if let Some(first) = first {
            let symbols = self.in_directory(first, &path, name, None);
            if !symbols.is_empty() {
                return Meaning { value: Value::Symbols(symbols.into(), None), how: How::Import };
            }
        }
        self.dotted_directory_member(directory, name)
            .unwrap_or_else(|| Meaning::unknown(Why::NotFound))
    }

    /// Top-level symbols of a name in the files of a directory; of one package, if it is given.
    fn in_directory(
        &mut self,
        file: File,
        directory: &str,
        name: NameId,
        package: Option<NameId>,
    ) -> Vec<SymbolRef> {
        let world = self.world;
        let is_here = |symbol: &SymbolRef, package: Option<NameId>| {
            self.is_family(file, symbol.file)
                && parent(world.path(symbol.file)) == directory
                && (package.is_none() || world.interface(symbol.file).package == package)
        };
        let all = world.named(name);
        let mut found: Vec<SymbolRef> =
            all.iter().copied().filter(|symbol| is_here(symbol, package)).collect();
        if found.len() > 1 {
            // Another package in the same directory is one of tests.
            let own = world.interface(found[0].file).package;
            found.retain(|symbol| world.interface(symbol.file).package == own);
        }
        self.compiled(found)
    }
}
