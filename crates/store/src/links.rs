//! Links between files: what every reference of a file leads to, and who uses what.
//!
//! Targets are named by path, name and position among symbols of that name, not by id: what a file
//! says of another one stays true when the other changes in ways that do not concern it.
//!
//! [`link_all`] links a whole project, [`Relink`] what a change concerns: the changed files, and those
//! that looked at something the change touched.

mod packed;
mod symbols;
mod world;

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use model::pack::{Detail, Malformed, Reader, put_number};
use model::{FileFacts, NameId};
use resolve::{Body, Digest, FileLinks, Linker, World};
use rusqlite::{Connection, Result, params};

use crate::bugs::{self, Bug};
use crate::bulk::Bulk;
use crate::rows::{ImportRow, Numbers};
pub(crate) use packed::{Outcomes, Stored, Target, unpack_targets};
use world::Known;

/// Numbers and texts of names, both ways.
pub(crate) trait Names: Numbers {
    fn text(&mut self, name: u32) -> Result<Rc<str>>;
}

/// What linking did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Linked {
    /// Files that were linked.
    pub files: u64,
    /// Names that others may depend on and that are not what they were.
    pub touched: u64,
}

/// Is told how many files are linked, and of how many; says whether to go on.
pub type Watcher<'w> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'w;

/// What ends linking when its watcher says so.
fn stopped() -> rusqlite::Error {
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_INTERRUPT);
    rusqlite::Error::SqliteFailure(code, None)
}

/// Whether linking was ended by its watcher.
pub(crate) fn is_stop(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted)
}

/// Links every file of a project that has no links yet. Their imports, in the order of files, are not
/// written yet, and are told where they lead to.
pub(crate) fn link_all(
    connection: &Connection,
    names: &mut dyn Names,
    imports: &mut [ImportRow],
    watcher: &mut Watcher<'_>,
) -> Result<Linked> {
    let known = Known::whole(connection, names)?;
    let files = known.all_files();
    let mut usage = Vec::new();
    let mut rest = imports.iter_mut().peekable();
    link_files(&known, &files, &mut usage, watcher, &mut |file, targets| {
        while let Some(row) = rest.next_if(|row| row.file <= i64::from(file)) {
            let target = targets.get(row.number as usize).copied().flatten();
            if let (true, Some(target)) = (row.file == i64::from(file), target) {
                row.target = Some(known.path_id(target.into())?);
            }
        }
        Ok(())
    })?;
    usage.sort_unstable();
    usage.dedup();
    let head = "INSERT INTO usage (name_id, path_id, source_id)";
    let mut insert = Bulk::new(connection, head, usage.len());
    for (name, path, source) in usage {
        insert.add(&[&name, &path, &source])?;
    }
    Ok(Linked { files: files.len() as u64, touched: 0 })
}

/// A change of the project, between the state before and the state after.
#[derive(Debug, Default)]
pub(crate) struct Relink {
    before: Digest,
    manifests: bool,
}

impl Relink {
    /// Takes note of what the files have that are about to change; those that are not in the project
    /// have nothing.
    pub(crate) fn before(
        connection: &Connection,
        names: &mut dyn Names,
        files: impl Iterator<Item = i64>,
    ) -> Result<Self> {
        let known = Known::in_part(connection, names);
        let mut relink = Self::default();
        for file in files {
            if known.is_live(file)? {
                relink.manifests |= known.is_manifest(file)?;
                resolve::add_digest(&known, file as u32, &mut relink.before);
            }
            forget(connection, &known, file)?;
        }
        known.check()?;
        Ok(relink)
    }

    /// Links the changed files, and whoever looked at something that changed with them.
    pub(crate) fn after(
        self,
        connection: &Connection,
        names: &mut dyn Names,
        revived: &[i64],
        watcher: &mut Watcher<'_>,
    ) -> Result<Linked> {
        let known = Known::in_part(connection, names);
        let mut manifests = self.manifests;
        let mut after = Digest::default();
        for file in revived {
            manifests |= known.is_manifest(*file)?;
            resolve::add_digest(&known, *file as u32, &mut after);
        }
        known.check()?;
        let mut touched: Vec<NameId> = Vec::new();
        for (name, value) in &self.before {
            if after.get(name).copied().unwrap_or(0) != *value {
                touched.push(*name);
            }
        }
        touched.extend(after.keys().filter(|name| !self.before.contains_key(name)));
        touched.sort_unstable();
        let mut files: Vec<i64> = revived.to_vec();
        if manifests {
            files = known.live_files()?;
        } else if !touched.is_empty() && !bugs::has(Bug::LinkOnlyChanged) {
            files.extend(who_looked(connection, &touched)?);
        }
        files.sort_unstable();
        files.dedup();
        for file in &files {
            forget(connection, &known, *file)?;
        }
        let known = match manifests {
            true => known.all_loaded()?,
            false => known,
        };
        let mut usage = Vec::new();
        let files: Vec<u32> = files.iter().map(|file| *file as u32).collect();
        link_files(&known, &files, &mut usage, watcher, &mut |file, targets| {
            let mut update = connection.prepare_cached(
                "UPDATE import SET target_id = ?3 WHERE file_id = ?1 AND number = ?2
                 AND target_id IS NOT ?3",
            )?;
            for (number, target) in targets.iter().enumerate() {
                let target = target.map(|target| known.path_id(target.into())).transpose()?;
                update.execute(params![file, number as i64, target])?;
            }
            Ok(())
        })?;
        let mut insert = connection.prepare_cached(
            "INSERT OR IGNORE INTO usage (name_id, path_id, source_id) VALUES (?1, ?2, ?3)",
        )?;
        for (name, path, source) in usage {
            insert.execute([name, path, source])?;
        }
        Ok(Linked { files: files.len() as u64, touched: touched.len() as u64 })
    }
}

/// Files whose links depend on one of these names.
fn who_looked(connection: &Connection, touched: &[NameId]) -> Result<Vec<i64>> {
    let mut files = Vec::new();
    let mut statement = connection.prepare_cached("SELECT file_id, looked FROM link")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let looked = packed::unpack_names(row.get_ref(1)?.as_blob()?);
        // Both are in order.
        let (mut one, mut two) = (looked.iter().peekable(), touched.iter().peekable());
        while let (Some(a), Some(b)) = (one.peek(), two.peek()) {
            match a.cmp(b) {
                std::cmp::Ordering::Less => drop(one.next()),
                std::cmp::Ordering::Greater => drop(two.next()),
                std::cmp::Ordering::Equal => {
                    files.push(row.get(0)?);
                    break;
                }
            }
        }
    }
    Ok(files)
}

/// Removes the links of a file, if it has any.
fn forget(connection: &Connection, known: &Known<'_>, file: i64) -> Result<()> {
    let targets: Option<Vec<u8>> = {
        let mut statement =
            connection.prepare_cached("SELECT targets FROM link WHERE file_id = ?1")?;
        let mut rows = statement.query([file])?;
        rows.next()?.map(|row| row.get(0)).transpose()?
    };
    let Some(targets) = targets else { return Ok(()) };
    let source = known.path_id(file)?;
    let mut delete = connection.prepare_cached(
        "DELETE FROM usage WHERE name_id = ?1 AND path_id = ?2 AND source_id = ?3",
    )?;
    for target in packed::unpack_targets(&targets).map_err(damaged)? {
        delete.execute([target.name, target.path, source])?;
    }
    connection.prepare_cached("DELETE FROM link WHERE file_id = ?1")?.execute([file])?;
    Ok(())
}

/// Is given a file, and the files that its imports lead to, one for each.
type Imports<'i> = dyn FnMut(u32, &[Option<u32>]) -> Result<()> + 'i;

/// Links files and writes what they lead to. Who uses what, and where imports lead to, is left to the caller.
fn link_files(
    known: &Known<'_>,
    files: &[u32],
    usage: &mut Vec<(u32, u32, u32)>,
    watcher: &mut Watcher<'_>,
    imports: &mut Imports<'_>,
) -> Result<()> {
    let mut linker = Linker::new(known);
    let connection = known.connection;
    let total = files.len() as u64;
    for (done, file) in files.iter().enumerate() {
        if watcher(done as u64, total).is_break() {
            return Err(stopped());
        }
        let Some(facts) = known.body(*file)? else { continue };
        // What is in the body stands on what is in the interface.
        known.ensure_loaded(*file)?;
        // A bug in what is found out for one file is no reason to have no index. It is told on standard
        // error, as bugs are, and the references of the file lead nowhere.
        let links = catch_unwind(AssertUnwindSafe(|| {
            assert!(!bugs::has(Bug::FailToLink), "a bug on purpose");
            linker.link(*file, Body::of(&facts))
        }))
        .unwrap_or_else(|_| {
            linker = Linker::new(known);
            FileLinks::given_up(facts.references.len(), known.interface(*file).imports.len())
        });
        known.check()?;
        let (targets, outcomes) = packed::pack_outcomes(known, &links.outcomes)?;
        let source = known.path_id((*file).into())?;
        usage.extend(targets.iter().map(|target| (target.name, target.path, source)));
        connection
            .prepare_cached(
                "INSERT INTO link (file_id, targets, outcomes, looked) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![
                file,
                packed::pack_targets(&targets),
                outcomes,
                packed::pack_names(&links.looked)
            ])?;
        imports(*file, &links.imports)?;
    }
    Ok(())
}

/// The references of a file and what they need, with names of the project.
fn body(names: &[u8], detail: &[u8]) -> std::result::Result<FileFacts, Malformed> {
    let detail = Detail::new(detail)?;
    let mut facts = FileFacts {
        scopes: detail.scopes()?,
        bindings: detail.bindings()?,
        references: detail.references()?,
        arguments: detail.arguments()?,
        ..FileFacts::default()
    };
    resolve::to_project(&mut facts, &unpack_map(names)?);
    Ok(facts)
}

/// The names of a file in the project, by their number in the file.
fn unpack_map(names: &[u8]) -> std::result::Result<Vec<NameId>, Malformed> {
    let mut reader = Reader::new(names);
    let mut map = Vec::with_capacity(names.len() / 2);
    while !reader.is_empty() {
        map.push(NameId(reader.number()?));
    }
    Ok(map)
}

pub(crate) fn damaged(error: Malformed) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, Box::new(error))
}

/// Appends ascending numbers as differences.
fn put_ascending(out: &mut Vec<u8>, numbers: impl Iterator<Item = u32>) {
    let mut last = 0;
    for number in numbers {
        put_number(out, number - last);
        last = number;
    }
}
