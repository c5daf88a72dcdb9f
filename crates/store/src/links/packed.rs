//! What references lead to, as bytes.

use model::pack::{Malformed, Reader, put_number};
use model::{How, NameId, Why};
use resolve::{Outcome, SymbolRef};
use rusqlite::Result;
use rustc_hash::FxHashMap;

use super::put_ascending;
use super::world::Known;

/// A symbol, by what it is called and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Target {
    /// The path of its file, as a name.
    pub(crate) path: u32,
    pub(crate) name: u32,
    /// Counts symbols of that name in the file.
    pub(crate) nth: u32,
}

/// An outcome with targets by their place in the list of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stored {
    Local,
    Unresolved(Why),
    External(Option<u32>),
    Namespace(u32),
    File(How, u32),
    Ambiguous(How, Vec<u32>),
    Resolved(How, u32),
}

impl Stored {
    /// What is said of it in words.
    pub(crate) fn outcome(&self) -> model::Outcome {
        match self {
            Self::Local => model::Outcome::Local,
            Self::Unresolved(_) => model::Outcome::Unresolved,
            Self::External(_) => model::Outcome::External,
            Self::Namespace(_) | Self::File(..) => model::Outcome::Module,
            Self::Ambiguous(..) => model::Outcome::Ambiguous,
            Self::Resolved(..) => model::Outcome::Resolved,
        }
    }
}

// The first number of an outcome; from `RESOLVED` on it also tells how, and the target.
const LOCAL: u32 = 0;
const UNRESOLVED: u32 = 1;
const EXTERNAL: u32 = 6;
const NAMED_EXTERNAL: u32 = 7;
const NAMESPACE: u32 = 8;
const FILE: u32 = 9;
const AMBIGUOUS: u32 = 10;
const RESOLVED: u32 = 11;

/// The targets of all outcomes, each once, in the order of their first use, and the outcomes.
pub(super) fn pack_outcomes(
    known: &Known<'_>,
    outcomes: &[Outcome],
) -> Result<(Vec<Target>, Vec<u8>)> {
    let mut places: FxHashMap<SymbolRef, u32> = FxHashMap::default();
    let mut targets: Vec<Target> = Vec::new();
    let mut out = Vec::with_capacity(outcomes.len() * 2);
    let mut place = |symbol: SymbolRef| -> Result<u32> {
        if let Some(known) = places.get(&symbol) {
            return Ok(*known);
        }
        targets.push(known.target(symbol)?);
        places.insert(symbol, targets.len() as u32 - 1);
        Ok(targets.len() as u32 - 1)
    };
    let hows = How::ALL.len() as u32;
    for outcome in outcomes {
        match outcome {
            Outcome::Local => put_number(&mut out, LOCAL),
            Outcome::Unresolved(why) => put_number(&mut out, UNRESOLVED + *why as u32),
            Outcome::External(None) => put_number(&mut out, EXTERNAL),
            Outcome::External(Some(name)) => {
                put_number(&mut out, NAMED_EXTERNAL);
                put_number(&mut out, name.0);
            }
            Outcome::Namespace(name) => {
                put_number(&mut out, NAMESPACE);
                put_number(&mut out, name.0);
            }
            Outcome::File(file, how) => {
                put_number(&mut out, FILE);
                put_number(&mut out, *how as u32);
                put_number(&mut out, known.path_id((*file).into())?);
            }
            Outcome::Ambiguous(symbols, how) => {
                put_number(&mut out, AMBIGUOUS);
                put_number(&mut out, *how as u32);
                put_number(&mut out, symbols.len() as u32);
                for symbol in symbols.iter() {
                    let place = place(*symbol)?;
                    put_number(&mut out, place);
                }
            }
            Outcome::Resolved(symbol, how) => {
                let place = place(*symbol)?;
                put_number(&mut out, RESOLVED + place * hows + *how as u32);
            }
        }
    }
    Ok((targets, out))
}

/// What [`pack_outcomes`] was given, one by one: most readers want few of them.
#[derive(Debug)]
pub(crate) struct Outcomes<'b> {
    reader: Reader<'b>,
}

impl<'b> Outcomes<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { reader: Reader::new(bytes) }
    }

    fn read(&mut self) -> std::result::Result<Stored, Malformed> {
        let reader = &mut self.reader;
        let how =
            |number: u32| u8::try_from(number).ok().and_then(How::from_number).ok_or(Malformed);
        let hows = How::ALL.len() as u32;
        Ok(match reader.number()? {
            LOCAL => Stored::Local,
            number @ UNRESOLVED..EXTERNAL => {
                let why = u8::try_from(number - UNRESOLVED).ok().and_then(Why::from_number);
                Stored::Unresolved(why.ok_or(Malformed)?)
            }
            EXTERNAL => Stored::External(None),
            NAMED_EXTERNAL => Stored::External(Some(reader.number()?)),
            NAMESPACE => Stored::Namespace(reader.number()?),
            FILE => Stored::File(how(reader.number()?)?, reader.number()?),
            AMBIGUOUS => {
                let how = how(reader.number()?)?;
                let count = reader.number()?;
                let places = (0..count).map(|_| reader.number());
                Stored::Ambiguous(how, places.collect::<std::result::Result<_, Malformed>>()?)
            }
            number => {
                let number = number - RESOLVED;
                Stored::Resolved(how(number % hows)?, number / hows)
            }
        })
    }
}

impl Iterator for Outcomes<'_> {
    type Item = std::result::Result<Stored, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.reader.is_empty()).then(|| self.read())
    }
}

pub(super) fn pack_targets(targets: &[Target]) -> Vec<u8> {
    let mut out = Vec::with_capacity(targets.len() * 5);
    for target in targets {
        put_number(&mut out, target.path);
        put_number(&mut out, target.name);
        put_number(&mut out, target.nth);
    }
    out
}

pub(crate) fn unpack_targets(bytes: &[u8]) -> std::result::Result<Vec<Target>, Malformed> {
    let mut reader = Reader::new(bytes);
    let mut targets = Vec::new();
    while !reader.is_empty() {
        let (path, name, nth) = (reader.number()?, reader.number()?, reader.number()?);
        targets.push(Target { path, name, nth });
    }
    Ok(targets)
}

pub(super) fn pack_names(names: &[NameId]) -> Vec<u8> {
    let mut out = Vec::with_capacity(names.len() * 2);
    put_ascending(&mut out, names.iter().map(|name| name.0));
    out
}

/// Ascending names.
pub(super) fn unpack_names(bytes: &[u8]) -> Vec<NameId> {
    crate::names::unpack_files(bytes).into_iter().map(|number| NameId(number as u32)).collect()
}
