//! A disk that loses its power: what was written and not yet synced is there or not, in part, in any order.
//!
//! `strace` records what the program writes into its state directory. For every moment of that record disks are
//! made up as they may be found afterwards. Then the old index or the new one must be there, whole, and the
//! next run gives what an index from nothing is, without any help.
//!
//! Of what was written to a file since it was last synced, any part may be there, cut at any sector. Names of
//! files come to be and go in the order in which that was asked for, and are certain once their folder was synced.

use std::collections::BTreeMap;
use std::process::Command;

use crate::Outcome;
use crate::torture::{Random, Result};
use crate::torture_faults::{Faults, WAYS};

/// So much of a write is there as a whole, or not at all.
const SECTOR: usize = 512;
const CALLS: &str =
    "trace=pwrite64,write,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat";

pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let rounds: u64 = match arguments {
        [] => 3,
        [rounds] => rounds.parse()?,
        _ => return Err("torture crash [<disks for each moment>]".into()),
    };
    if Command::new("strace").arg("-V").output().is_err() {
        println!("not run: there is no strace here, which records what is written");
        return Ok(());
    }
    let (faults, mut random) = (Faults::new()?, Random::seeded());
    let (mut total, mut wrong) = (0, 0);
    for (way, more) in WAYS {
        faults.reset(way)?;
        let before = Disk::read(&faults)?;
        let record = record(&faults, more)?;
        for moment in 0..=record.len() {
            for _ in 0..rounds {
                before.after(&record[..moment], &mut random).write(&faults)?;
                total += 1;
                if let Err(error) = faults.judge_state(way, None, false) {
                    wrong += 1;
                    println!("{way}, after {moment} of {} calls: {error}", record.len());
                }
            }
        }
        println!(
            "{way}: {} calls recorded, {total} disks so far, {wrong} went wrong",
            record.len()
        );
    }
    if wrong > 0 {
        return Err(format!("{wrong} of {total} were not survived").into());
    }
    println!("{total} losses of power: every index the old one or the new one, and healed");
    Ok(())
}

/// What was asked of the system, in order.
#[derive(Debug, Clone)]
enum Call {
    /// At an offset, or at the end.
    Write(String, Option<usize>, Vec<u8>),
    Truncate(String, usize),
    Sync(String),
    Rename(String, String),
    Unlink(String),
}

/// Runs the program and notes what it does to its state directory.
fn record(faults: &Faults, more: &[&str]) -> Result<Vec<Call>> {
    let options = ["-y", "-xx", "-s", "100000", "-e", CALLS];
    let (output, log) = faults.traced(&options, more)?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let state = faults.state().to_string_lossy().into_owned();
    Ok(log.lines().filter_map(|line| call(line, &state)).collect())
}

/// One line of the record, if it is about a file of the state directory.
fn call(line: &str, state: &str) -> Option<Call> {
    if line.contains(" = -1 ") {
        return None;
    }
    let (_, rest) = line.split_once(' ')?;
    let (name, rest) = rest.trim_start().split_once('(')?;
    let (texts, numbers) = pieces(rest);
    let path = |at: usize| {
        let path = String::from_utf8(texts.get(at)?.clone()).ok()?;
        let inside = path.strip_prefix(state)?.trim_start_matches('/').to_owned();
        // What readers share in memory does not outlive the system.
        (!inside.ends_with("-shm")).then_some(inside)
    };
    let number = |at: usize| numbers.get(at).and_then(|number| usize::try_from(*number).ok());
    Some(match name {
        "pwrite64" => Call::Write(path(0)?, number(1), texts.get(1)?.clone()),
        "write" => Call::Write(path(0)?, None, texts.get(1)?.clone()),
        "ftruncate" => Call::Truncate(path(0)?, number(0)?),
        "fsync" | "fdatasync" => Call::Sync(path(0)?),
        "rename" | "renameat" | "renameat2" => Call::Rename(path(0)?, path(1)?),
        "unlink" | "unlinkat" => Call::Unlink(path(0)?),
        _ => return None,
    })
}

/// The texts of a call, and the numbers behind the last of them. All texts are hexadecimal.
fn pieces(rest: &str) -> (Vec<Vec<u8>>, Vec<i64>) {
    let (mut texts, mut behind) = (Vec::new(), rest);
    while let Some(at) = behind.find("\\x") {
        let mut bytes = Vec::new();
        behind = &behind[at..];
        while let Some(digits) = behind.strip_prefix("\\x").and_then(|text| text.get(..2)) {
            bytes.push(u8::from_str_radix(digits, 16).unwrap_or_default());
            behind = &behind[4..];
        }
        texts.push(bytes);
    }
    let behind = behind.split(')').next().unwrap_or_default();
    let numbers = behind.split(',').filter_map(|word| word.trim().parse().ok());
    (texts, numbers.collect())
}

/// The files of a state directory by their names.
#[derive(Debug, Clone, Default)]
struct Disk(BTreeMap<String, Vec<u8>>);

impl Disk {
    fn read(faults: &Faults) -> Result<Self> {
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(faults.state()).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_file() && !name.ends_with("-shm") {
                files.insert(name, std::fs::read(entry.path())?);
            }
        }
        Ok(Self(files))
    }

    fn write(&self, faults: &Faults) -> Outcome {
        let state = faults.state();
        if state.exists() {
            std::fs::remove_dir_all(&state)?;
        }
        std::fs::create_dir_all(&state)?;
        for (name, bytes) in &self.0 {
            std::fs::write(state.join(name), bytes)?;
        }
        Ok(())
    }

    /// The disk as it may be found when the power goes after these calls.
    fn after(&self, calls: &[Call], random: &mut Random) -> Self {
        // Files by number, because names change hands.
        let mut files: Vec<File> = self.0.values().map(|bytes| File::new(bytes.clone())).collect();
        let mut names: BTreeMap<String, usize> = self.0.keys().cloned().zip(0..).collect();
        let (mut states, mut certain) = (vec![names.clone()], 0);
        for call in calls {
            match call {
                Call::Write(name, offset, bytes) => {
                    let number = *names.entry(name.clone()).or_insert_with(|| {
                        files.push(File::default());
                        files.len() - 1
                    });
                    let offset = offset.unwrap_or(files[number].length);
                    files[number].write(offset, bytes);
                }
                Call::Truncate(name, length) => {
                    if let Some(number) = names.get(name) {
                        files[*number].truncate(*length);
                    }
                }
                Call::Sync(name) if name.is_empty() => certain = states.len() - 1,
                Call::Sync(name) => {
                    if let Some(number) = names.get(name) {
                        files[*number].sync();
                    }
                }
                Call::Rename(from, to) => {
                    if let Some(number) = names.remove(from) {
                        names.insert(to.clone(), number);
                    }
                }
                Call::Unlink(name) => drop(names.remove(name)),
            }
            if states.last() != Some(&names) {
                states.push(names.clone());
            }
        }
        let chosen = certain + random.below((states.len() - certain) as u64) as usize;
        let found: Vec<Vec<u8>> = files.into_iter().map(|file| file.found(random)).collect();
        let name = |(name, number): (&String, &usize)| (name.clone(), found[*number].clone());
        Self(states[chosen].iter().map(name).collect())
    }
}

/// A file: what is certain, and what was done to it since.
#[derive(Debug, Default)]
struct File {
    synced: Vec<u8>,
    pending: Vec<Change>,
    length: usize,
}

#[derive(Debug)]
enum Change {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

impl File {
    fn new(synced: Vec<u8>) -> Self {
        Self { length: synced.len(), synced, pending: Vec::new() }
    }

    fn write(&mut self, offset: usize, bytes: &[u8]) {
        self.length = self.length.max(offset + bytes.len());
        self.pending.push(Change::Write(offset, bytes.to_vec()));
    }

    fn truncate(&mut self, length: usize) {
        self.length = length;
        self.pending.push(Change::Truncate(length));
    }

    fn sync(&mut self) {
        for change in std::mem::take(&mut self.pending) {
            change.apply(&mut self.synced);
        }
    }

    /// What is there of it: any of the changes, in any order, some of them cut.
    fn found(mut self, random: &mut Random) -> Vec<u8> {
        // Often all is there, or nothing: moments in which one file is ahead of the other.
        let mood = random.below(4);
        while !self.pending.is_empty() && mood != 0 {
            let next = if mood == 1 { 0 } else { random.below(self.pending.len() as u64) as usize };
            let change = self.pending.remove(next);
            match change {
                _ if mood > 1 && random.below(2) == 0 => {}
                Change::Write(offset, mut bytes) if mood == 3 && random.below(4) == 0 => {
                    let sectors = (bytes.len() / SECTOR) as u64;
                    bytes.truncate(random.below(sectors + 1) as usize * SECTOR);
                    Change::Write(offset, bytes).apply(&mut self.synced);
                }
                change => change.apply(&mut self.synced),
            }
        }
        self.synced
    }
}

impl Change {
    fn apply(self, content: &mut Vec<u8>) {
        match self {
            Self::Truncate(length) => content.resize(length, 0),
            Self::Write(offset, bytes) => {
                if content.len() < offset + bytes.len() {
                    content.resize(offset + bytes.len(), 0);
                }
                content[offset..offset + bytes.len()].copy_from_slice(&bytes);
            }
        }
    }
}
