//! The rows of one file in one packed table.

use std::ffi::c_int;

use model::pack::{Detail, Malformed, Reader};
use model::{Base, Binding, LineType, NameId, Origin, Reference, ReferenceFlags, Scope, position};

use super::cycles::CycleRow;
use super::dependencies::DependencyRow;
use super::links::{Goal, LinkRow};
use super::measures::MeasureRow;
use super::{Table, Wanted};
use crate::links::Target;

/// A value of a row: names are numbers until somebody wants to read them.
pub(super) enum Cell {
    Null,
    Number(i64),
    Real(f64),
    Word(&'static str),
    Name(u32),
    Symbol(Target),
    /// The file at a path, which is given as a name.
    File(u32),
}

/// Unpacked rows of one file.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) file: i64,
    kind: Kind,
    /// Number of each name of the file in `name`.
    names: Vec<u32>,
    line_starts: Vec<u32>,
    /// Positions of the rows to show.
    shown: Vec<u32>,
}

#[derive(Debug, Default)]
enum Kind {
    #[default]
    None,
    Refs(Vec<Reference>),
    Bindings(Vec<Binding>, Vec<Reference>),
    Scopes(Vec<Scope>),
    Terms(Vec<(NameId, u32, LineType)>),
    Lines(Vec<LineType>),
    Links(Vec<LinkRow>),
    Dependencies(Vec<DependencyRow>),
    Cycles(Vec<CycleRow>),
    Measures(Vec<MeasureRow>),
}

impl Rows {
    pub(super) fn unpack(
        table: Table,
        file: i64,
        names: &[u8],
        detail: &Detail<'_>,
        wanted: &Wanted,
    ) -> Result<Self, Malformed> {
        let numbers = numbers(names)?;
        let is_wanted = |name: NameId| {
            wanted.name.is_none_or(|wanted| numbers.get(name.0 as usize) == Some(&wanted))
        };
        let (kind, shown): (Kind, Vec<u32>) = match table {
            Table::Refs => {
                let all = detail.references()?;
                let shown = positions(&all, |reference| {
                    wanted.has_role(reference.role) && is_wanted(reference.name)
                });
                (Kind::Refs(all), shown)
            }
            Table::Bindings => {
                let all = detail.bindings()?;
                let shown = positions(&all, |binding| is_wanted(binding.name));
                (Kind::Bindings(all, detail.references()?), shown)
            }
            Table::Scopes => {
                let all = detail.scopes()?;
                let shown = positions(&all, |_| true);
                (Kind::Scopes(all), shown)
            }
            Table::Terms => {
                let mut all = Vec::new();
                match wanted.name {
                    // Only one term is asked for: the rest need not be unpacked.
                    Some(wanted) => {
                        if let Some(at) = numbers.iter().position(|number| *number == wanted) {
                            let name = NameId(at as u32);
                            let lines = detail.lines_of(name)?;
                            all.extend(lines.into_iter().map(|(line, kind)| (name, line, kind)));
                        }
                    }
                    None => detail.each_term(|name, lines| {
                        all.extend(lines.into_iter().map(|(line, kind)| (name, line, kind)));
                    })?,
                }
                let shown = positions(&all, |_| true);
                (Kind::Terms(all), shown)
            }
            Table::Links
            | Table::Dependencies
            | Table::Cycles
            | Table::MeasuredFiles
            | Table::MeasuredSymbols => (Kind::None, Vec::new()),
            Table::Lines => {
                let count = line_count(detail)?;
                let mut all = vec![LineType::Code; count];
                for (line, line_type) in detail.line_types()? {
                    let from = (line as usize).saturating_sub(1).min(count);
                    all[from..].fill(line_type);
                }
                let shown = positions(&all, |_| true);
                (Kind::Lines(all), shown)
            }
        };
        let needs_lines = !matches!(table, Table::Terms | Table::Lines) && !shown.is_empty();
        let line_starts = if needs_lines { detail.line_starts()? } else { Vec::new() };
        Ok(Self { file, kind, names: numbers, line_starts, shown })
    }

    pub(super) fn of_links(
        file: i64,
        all: Vec<LinkRow>,
        names: &[u8],
        detail: &Detail<'_>,
    ) -> Result<Self, Malformed> {
        let shown = (0..all.len() as u32).collect();
        let (names, line_starts) = match all.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => (numbers(names)?, detail.line_starts()?),
        };
        Ok(Self { file, kind: Kind::Links(all), names, line_starts, shown })
    }

    pub(super) fn of_dependencies(file: i64, all: Vec<DependencyRow>) -> Self {
        let shown = (0..all.len() as u32).collect();
        Self { file, kind: Kind::Dependencies(all), shown, ..Self::default() }
    }

    pub(super) fn of_cycles(all: Vec<CycleRow>) -> Self {
        let shown = (0..all.len() as u32).collect();
        Self { kind: Kind::Cycles(all), shown, ..Self::default() }
    }

    pub(super) fn of_measures(all: Vec<MeasureRow>) -> Self {
        let shown = (0..all.len() as u32).collect();
        Self { kind: Kind::Measures(all), shown, ..Self::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.shown.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// The value of a column, counted as in `schema/packed.sql`.
    pub(super) fn column(&self, row: usize, column: c_int) -> Cell {
        let Some(number) = self.shown.get(row).copied() else { return Cell::Null };
        let index = number as usize;
        match &self.kind {
            Kind::None => Cell::Null,
            Kind::Refs(all) => self.reference(number, &all[index], all, column),
            Kind::Bindings(all, references) => {
                self.binding(number, &all[index], references, column)
            }
            Kind::Scopes(all) => self.scope(number, &all[index], column),
            Kind::Terms(all) => {
                let (name, line, line_type) = all[index];
                match column {
                    0 => Cell::Number(self.file),
                    1 => self.name_number(name),
                    2 => self.name(name),
                    3 => Cell::Number(line.into()),
                    _ => Cell::Word(line_type.as_str()),
                }
            }
            Kind::Links(all) => {
                let link = &all[index];
                let word = |word: Option<&'static str>| word.map_or(Cell::Null, Cell::Word);
                match column {
                    0 => Cell::Number(self.file),
                    1 => Cell::Number(link.number.into()),
                    2 => Cell::Word(link.outcome.as_str()),
                    3 => word(link.how.map(model::How::as_str)),
                    4 => word(link.how.map(|how| how.confidence().as_str())),
                    5 => word(link.why.map(model::Why::as_str)),
                    6 => match link.goal {
                        Goal::Symbol(target) => Cell::Symbol(target),
                        Goal::File(_) | Goal::Nothing => Cell::Null,
                    },
                    7 => match link.goal {
                        Goal::Symbol(Target { path, .. }) | Goal::File(path) => Cell::File(path),
                        Goal::Nothing => Cell::Null,
                    },
                    8 => link.external.map_or(Cell::Null, Cell::Name),
                    9 => {
                        optional(link.reference.symbol.map(|symbol| {
                            self.file << crate::rows::SYMBOL_BITS | i64::from(symbol)
                        }))
                    }
                    10 => self.name(link.reference.name),
                    11 => Cell::Word(link.reference.role.as_str()),
                    12 => Cell::Number(position(&self.line_starts, link.reference.start).0.into()),
                    13 => Cell::Number(position(&self.line_starts, link.reference.start).1.into()),
                    14 => match link.reference.role {
                        model::Role::Type => Cell::Word(link.reference.position.as_str()),
                        _ => Cell::Null,
                    },
                    _ => self.name_number(link.reference.name),
                }
            }
            Kind::Dependencies(all) => match column {
                0 => Cell::Number(self.file),
                1 => Cell::Number(all[index].to),
                2 => Cell::Number(all[index].links.into()),
                _ => Cell::Name(all[index].path),
            },
            Kind::Cycles(all) => match column {
                0 => Cell::Number(all[index].cycle.into()),
                1 => Cell::Number(all[index].size.into()),
                _ => Cell::Number(all[index].file),
            },
            Kind::Measures(all) => match column {
                0 => Cell::Number(all[index].id),
                1 => Cell::Real(all[index].rank),
                2 => Cell::Number(all[index].fan_in.into()),
                3 => Cell::Number(all[index].fan_out.into()),
                4 => Cell::Number(all[index].circle.into()),
                _ => Cell::Number(all[index].layer.into()),
            },
            Kind::Lines(all) => match column {
                0 => Cell::Number(self.file << 32 | (index as i64 + 1)),
                1 => Cell::Number(self.file),
                2 => Cell::Number(index as i64 + 1),
                _ => Cell::Word(all[index].as_str()),
            },
        }
    }

    fn reference(
        &self,
        number: u32,
        reference: &Reference,
        all: &[Reference],
        column: c_int,
    ) -> Cell {
        let (line, at) = position(&self.line_starts, reference.start);
        let flag = |flag: ReferenceFlags| Cell::Number(reference.flags.has(flag).into());
        match column {
            0 => Cell::Number(self.file),
            1 => Cell::Number(number.into()),
            2 => self.name(reference.name),
            3 => Cell::Word(reference.role.as_str()),
            4 => Cell::Number(line.into()),
            5 => Cell::Number(at.into()),
            6 => Cell::Number(reference.start.into()),
            7 => self.origin(reference.receiver, all),
            8 => match reference.receiver.base {
                Base::Reference(index) => Cell::Number(index.into()),
                _ => Cell::Null,
            },
            9 => optional(reference.arguments),
            10 => match reference.role {
                model::Role::Type => Cell::Word(reference.position.as_str()),
                _ => Cell::Null,
            },
            11 => optional(reference.symbol),
            12 => Cell::Number(reference.scope.into()),
            13 => flag(ReferenceFlags::CONSTRUCT),
            14 => flag(ReferenceFlags::OPTIONAL_CHAIN),
            15 => flag(ReferenceFlags::MEMBER),
            16 => flag(ReferenceFlags::PATH),
            _ => self.name_number(reference.name),
        }
    }

    fn binding(&self, number: u32, binding: &Binding, all: &[Reference], column: c_int) -> Cell {
        let (line, at) = position(&self.line_starts, binding.start);
        match column {
            0 => Cell::Number(self.file),
            1 => Cell::Number(number.into()),
            2 => self.name(binding.name),
            3 => Cell::Word(binding.kind.as_str()),
            4 => Cell::Number(line.into()),
            5 => Cell::Number(at.into()),
            6 => Cell::Number(binding.start.into()),
            7 => binding.declared_type.map_or(Cell::Null, |name| self.name(name)),
            8 => self.origin(binding.origin, all),
            9 => optional(binding.symbol),
            10 => Cell::Number(binding.scope.into()),
            11 => Cell::Number(binding.optional.into()),
            _ => Cell::Number(binding.variadic.into()),
        }
    }

    fn scope(&self, number: u32, scope: &Scope, column: c_int) -> Cell {
        match column {
            0 => Cell::Number(self.file),
            1 => Cell::Number(number.into()),
            2 => Cell::Word(scope.kind.as_str()),
            3 => optional(scope.parent),
            4 => Cell::Number(scope.span.start.into()),
            5 => Cell::Number(scope.span.end.into()),
            6 => Cell::Number(position(&self.line_starts, scope.span.start).0.into()),
            7 => {
                Cell::Number(position(&self.line_starts, scope.span.end.saturating_sub(1)).0.into())
            }
            _ => optional(scope.symbol),
        }
    }

    fn name(&self, name: NameId) -> Cell {
        self.names.get(name.0 as usize).map_or(Cell::Null, |id| Cell::Name(*id))
    }

    fn name_number(&self, name: NameId) -> Cell {
        optional(self.names.get(name.0 as usize).copied())
    }

    fn origin(&self, origin: Origin, references: &[Reference]) -> Cell {
        match origin.base {
            Base::None | Base::Unknown => Cell::Null,
            Base::This => Cell::Word("this"),
            Base::Super => Cell::Word("super"),
            Base::Literal(kind) => Cell::Word(kind.as_str()),
            Base::Type(name) | Base::Local(name) => self.name(name),
            Base::Reference(index) => references
                .get(index as usize)
                .map_or(Cell::Null, |reference| self.name(reference.name)),
        }
    }
}

/// The numbers of the names of a file in `name`.
pub(crate) fn numbers(names: &[u8]) -> Result<Vec<u32>, Malformed> {
    let mut reader = Reader::new(names);
    let mut numbers = Vec::with_capacity(names.len() / 2);
    while !reader.is_empty() {
        numbers.push(reader.number()?);
    }
    Ok(numbers)
}

/// The emptiness behind a final line break is no line, as in `line_count` of the file.
fn line_count(detail: &Detail<'_>) -> Result<usize, Malformed> {
    let line_starts = detail.line_starts()?;
    let end = detail.scopes()?.first().map(|file| file.span.end);
    Ok(line_starts.len() - usize::from(line_starts.last().copied() == end))
}

fn positions<T>(all: &[T], is_shown: impl Fn(&T) -> bool) -> Vec<u32> {
    all.iter().enumerate().filter(|(_, row)| is_shown(row)).map(|(at, _)| at as u32).collect()
}

fn optional(value: Option<impl Into<i64>>) -> Cell {
    value.map_or(Cell::Null, |value| Cell::Number(value.into()))
}
