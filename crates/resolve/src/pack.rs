//! Interfaces as bytes, beside the facts they were made from. Names are those of the file.

use model::pack::{Malformed, Reader, put_number};
use model::{ImportFlags, LiteralKind, NameId, SymbolFlags, SymbolKind, Visibility};

use crate::expression::{Expression, ExpressionId, Expressions};
use crate::interface::{Definition, Exported, Imported, Interface};

type Result<T> = std::result::Result<T, Malformed>;

/// The bytes of an interface.
pub fn pack(interface: &Interface) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 * interface.symbols.len() + 64);
    put_option(&mut out, interface.package.map(|name| name.0));
    put_number(&mut out, interface.symbols.len() as u32);
    for definition in &interface.symbols {
        put_definition(&mut out, definition);
    }
    put_number(&mut out, interface.imports.len() as u32);
    for import in &interface.imports {
        put_number(&mut out, import.source.0);
        put_option(&mut out, import.name.map(|name| name.0));
        put_option(&mut out, import.alias.map(|name| name.0));
        put_number(&mut out, import.flags.0);
        put_number(&mut out, import.scope);
    }
    put_number(&mut out, interface.exports.len() as u32);
    for export in &interface.exports {
        put_number(&mut out, export.name.0);
        put_option(&mut out, export.local.map(|name| name.0));
        put_number(&mut out, export.is_default.into());
        put_option(&mut out, export.source.map(|name| name.0));
    }
    for expression in interface.expressions.iter().skip(1) {
        put_expression(&mut out, expression);
    }
    out
}

/// What [`pack`] was given, with other names.
pub fn unpack(bytes: &[u8], name: &dyn Fn(u32) -> Option<NameId>) -> Result<Interface> {
    let mut reader = Unpacker { reader: Reader::new(bytes), name };
    let mut interface = Interface { package: reader.optional_name()?, ..Interface::default() };
    for _ in 0..reader.number()? {
        let definition = reader.definition()?;
        interface.symbols.push(definition);
    }
    for _ in 0..reader.number()? {
        interface.imports.push(Imported {
            source: reader.name()?,
            name: reader.optional_name()?,
            alias: reader.optional_name()?,
            flags: ImportFlags(reader.number()?),
            scope: reader.number()?,
        });
    }
    for _ in 0..reader.number()? {
        interface.exports.push(Exported {
            name: reader.name()?,
            local: reader.optional_name()?,
            is_default: reader.number()? != 0,
            source: reader.optional_name()?,
        });
    }
    let mut expressions = Expressions::default();
    while !reader.reader.is_empty() {
        let expression = reader.expression()?;
        expressions.push(expression);
    }
    interface.expressions = expressions;
    Ok(interface)
}

fn put_option(out: &mut Vec<u8>, value: Option<u32>) {
    put_number(out, value.map_or(0, |value| value + 1));
}

fn put_all(out: &mut Vec<u8>, all: &[ExpressionId]) {
    put_number(out, all.len() as u32);
    for each in all {
        put_number(out, each.0);
    }
}

fn put_definition(out: &mut Vec<u8>, definition: &Definition) {
    put_number(out, definition.name.0);
    out.push(definition.kind as u8);
    put_number(out, definition.flags.0);
    put_option(out, definition.visibility.map(|visibility| visibility as u32));
    put_option(out, definition.owner);
    put_option(out, definition.qualifier.map(|name| name.0));
    put_option(out, definition.adds_to.map(|name| name.0));
    put_option(out, definition.bound_in);
    put_option(out, definition.opens);
    put_number(out, definition.value.0);
    put_number(out, definition.target.0);
    put_all(out, &definition.bases);
    put_all(out, &definition.extended);
    out.push(definition.parameters.0);
    out.push(definition.parameters.1);
    put_all(out, &definition.takes);
    out.push(definition.type_parameters);
}

fn put_expression(out: &mut Vec<u8>, expression: &Expression) {
    let mut put = |tag: u8, numbers: &[u32]| {
        out.push(tag);
        for number in numbers {
            put_number(out, *number);
        }
    };
    let optional = |value: Option<u32>| value.map_or(0, |value| value + 1);
    match expression {
        Expression::Unknown => put(0, &[]),
        Expression::Literal(kind) => put(1, &[*kind as u32]),
        Expression::Name(name, within) => put(2, &[name.0, optional(*within)]),
        Expression::Inherited(symbol, name, other) => put(3, &[*symbol, name.0, other.0]),
        Expression::Symbol(symbol) => put(4, &[*symbol]),
        Expression::Symbols(symbols) => {
            put(5, &[symbols.len() as u32]);
            symbols.iter().for_each(|symbol| put_number(out, *symbol));
        }
        Expression::Import(number) => put(6, &[*number]),
        Expression::Member(base, name) => put(7, &[base.0, name.0]),
        Expression::Call(base, arguments, known) => {
            put(8, &[base.0, optional(arguments.map(u32::from))]);
            put_all(out, known);
        }
        Expression::New(base) => put(9, &[base.0]),
        Expression::Instance(base) => put(10, &[base.0]),
        Expression::This(symbol) => put(11, &[*symbol]),
        Expression::Super(symbol) => put(12, &[*symbol]),
        Expression::Awaited(base) => put(13, &[base.0]),
        Expression::Element(base) => put(14, &[base.0]),
        Expression::Unwrapped(base) => put(15, &[base.0]),
        Expression::Entered(base) => put(16, &[base.0]),
        Expression::Position(base, position) => put(17, &[base.0, (*position).into()]),
        Expression::Apply(base, arguments) => {
            put(18, &[base.0]);
            put_all(out, arguments);
        }
        Expression::Tuple(all) => {
            put(19, &[]);
            put_all(out, all);
        }
        Expression::Function(returns) => put(20, &[returns.0]),
        Expression::Union(all) => {
            put(21, &[]);
            put_all(out, all);
        }
        Expression::Parameter(owner, position, bound) => {
            put(22, &[*owner, (*position).into(), bound.0]);
        }
        Expression::InheritedType(symbol, name, other) => put(23, &[*symbol, name.0, other.0]),
        Expression::TypeOf(base) => put(24, &[base.0]),
        Expression::Constant(base) => put(30, &[base.0]),
        Expression::Parent(symbol) => put(25, &[*symbol]),
        Expression::Generic(base) => put(26, &[base.0]),
        Expression::Given(call, argument, parameter) => {
            put(28, &[call.0, (*argument).into(), (*parameter).into()]);
        }
        Expression::Closure(parameters) => put(29, &[(*parameters).into()]),
        Expression::Object(parts) => {
            put(27, &[parts.len() as u32]);
            for (name, part) in parts {
                put_number(out, name.0);
                put_number(out, part.0);
            }
        }
    }
}

struct Unpacker<'u> {
    reader: Reader<'u>,
    name: &'u dyn Fn(u32) -> Option<NameId>,
}

impl Unpacker<'_> {
    fn number(&mut self) -> Result<u32> {
        self.reader.number()
    }

    fn option(&mut self) -> Result<Option<u32>> {
        Ok(self.number()?.checked_sub(1))
    }

    fn small(&mut self) -> Result<u8> {
        u8::try_from(self.number()?).map_err(|_| Malformed)
    }

    fn name(&mut self) -> Result<NameId> {
        let number = self.number()?;
        (self.name)(number).ok_or(Malformed)
    }

    fn optional_name(&mut self) -> Result<Option<NameId>> {
        match self.option()? {
            Some(number) => Ok(Some((self.name)(number).ok_or(Malformed)?)),
            None => Ok(None),
        }
    }

    fn id(&mut self) -> Result<ExpressionId> {
        Ok(ExpressionId(self.number()?))
    }

    fn all(&mut self) -> Result<Box<[ExpressionId]>> {
        let count = self.number()?;
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(self.id()?);
        }
        Ok(all.into_boxed_slice())
    }

    fn definition(&mut self) -> Result<Definition> {
        Ok(Definition {
            name: self.name()?,
            kind: SymbolKind::from_number(self.reader.byte()?).ok_or(Malformed)?,
            flags: SymbolFlags(self.number()?),
            visibility: match self.option()? {
                Some(number) => {
                    let number = u8::try_from(number).map_err(|_| Malformed)?;
                    Some(Visibility::from_number(number).ok_or(Malformed)?)
                }
                None => None,
            },
            owner: self.option()?,
            qualifier: self.optional_name()?,
            adds_to: self.optional_name()?,
            bound_in: self.option()?,
            opens: self.option()?,
            value: self.id()?,
            target: self.id()?,
            bases: self.all()?,
            extended: self.all()?,
            parameters: (self.reader.byte()?, self.reader.byte()?),
            takes: self.all()?,
            type_parameters: self.reader.byte()?,
        })
    }

    fn expression(&mut self) -> Result<Expression> {
        Ok(match self.reader.byte()? {
            1 => {
                let number = self.small()?;
                Expression::Literal(LiteralKind::from_number(number).ok_or(Malformed)?)
            }
            2 => Expression::Name(self.name()?, self.option()?),
            3 => Expression::Inherited(self.number()?, self.name()?, self.id()?),
            4 => Expression::Symbol(self.number()?),
            5 => {
                let count = self.number()?;
                let mut symbols = Vec::new();
                for _ in 0..count {
                    symbols.push(self.number()?);
                }
                Expression::Symbols(symbols.into_boxed_slice())
            }
            6 => Expression::Import(self.number()?),
            7 => Expression::Member(self.id()?, self.name()?),
            8 => {
                let base = self.id()?;
                let arguments = self.option()?.map(u16::try_from).transpose();
                Expression::Call(base, arguments.map_err(|_| Malformed)?, self.all()?)
            }
            9 => Expression::New(self.id()?),
            10 => Expression::Instance(self.id()?),
            11 => Expression::This(self.number()?),
            12 => Expression::Super(self.number()?),
            13 => Expression::Awaited(self.id()?),
            14 => Expression::Element(self.id()?),
            15 => Expression::Unwrapped(self.id()?),
            16 => Expression::Entered(self.id()?),
            17 => Expression::Position(self.id()?, self.small()?),
            18 => Expression::Apply(self.id()?, self.all()?),
            19 => Expression::Tuple(self.all()?),
            20 => Expression::Function(self.id()?),
            21 => Expression::Union(self.all()?),
            22 => Expression::Parameter(self.number()?, self.small()?, self.id()?),
            23 => Expression::InheritedType(self.number()?, self.name()?, self.id()?),
            24 => Expression::TypeOf(self.id()?),
            30 => Expression::Constant(self.id()?),
            25 => Expression::Parent(self.number()?),
            26 => Expression::Generic(self.id()?),
            27 => {
                let count = self.number()?;
                let mut parts = Vec::new();
                for _ in 0..count {
                    parts.push((self.name()?, self.id()?));
                }
                Expression::Object(parts.into_boxed_slice())
            }
            28 => Expression::Given(self.id()?, self.small()?, self.small()?),
            29 => Expression::Closure(self.small()?),
            _ => return Err(Malformed),
        })
    }
}
