//! How each kind of value in the head of a file is packed.

use super::{Malformed, Reader, Result, put_number, put_text};
use crate::names::NameId;
use crate::{facts::*, vocabulary::*};

pub(super) trait Pack: Sized {
    fn pack(&self, out: &mut Vec<u8>);
    fn unpack(reader: &mut Reader<'_>) -> Result<Self>;
}

impl Pack for u32 {
    fn pack(&self, out: &mut Vec<u8>) {
        put_number(out, *self);
    }
    fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
        reader.number()
    }
}

impl Pack for u64 {
    fn pack(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
    fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
        let bytes = reader.take(8)?;
        Ok(u64::from_le_bytes(bytes.try_into().map_err(|_| Malformed)?))
    }
}

impl Pack for bool {
    fn pack(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(reader.byte()? != 0)
    }
}

impl Pack for NameId {
    fn pack(&self, out: &mut Vec<u8>) {
        put_number(out, self.0);
    }
    fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
        reader.number().map(NameId)
    }
}

impl Pack for String {
    fn pack(&self, out: &mut Vec<u8>) {
        put_text(out, self);
    }
    fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
        reader.text().map(str::to_owned)
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        if let Some(value) = self {
            value.pack(out);
        }
    }
    fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
        if reader.byte()? == 0 { Ok(None) } else { T::unpack(reader).map(Some) }
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        put_number(out, self.len() as u32);
        for item in self {
            item.pack(out);
        }
    }
    fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
        let length = reader.number()?;
        // Every item takes at least a byte, so a length beyond that is a lie.
        if length as usize > reader.bytes.len() {
            return Err(Malformed);
        }
        (0..length).map(|_| T::unpack(reader)).collect()
    }
}

impl Pack for Origin {
    fn pack(&self, out: &mut Vec<u8>) {
        let (base, base_value) = match self.base {
            Base::None => (0, None),
            Base::Unknown => (1, None),
            Base::This => (2, None),
            Base::Super => (3, None),
            Base::Literal(kind) => (4, Some(kind as u32)),
            Base::Reference(index) => (5, Some(index)),
            Base::Type(name) => (6, Some(name.0)),
            Base::Local(name) => (7, Some(name.0)),
        };
        let (step, step_value) = match self.step {
            Step::Same => (0, None),
            Step::Awaited => (1, None),
            Step::Element => (2, None),
            Step::Unwrapped => (3, None),
            Step::Member(name) => (4, Some(name.0)),
            Step::Position(position) => (5, Some(u32::from(position))),
            Step::Entered => (6, None),
            Step::Given(argument, parameter) => {
                (7, Some(u32::from(argument) << 8 | u32::from(parameter)))
            }
        };
        out.push(base | (step << 4));
        for value in [base_value, step_value].into_iter().flatten() {
            put_number(out, value);
        }
    }

    fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
        let byte = reader.byte()?;
        let base = match byte & 0x0f {
            0 => Base::None,
            1 => Base::Unknown,
            2 => Base::This,
            3 => Base::Super,
            4 => {
                let number = u8::try_from(reader.number()?).map_err(|_| Malformed)?;
                Base::Literal(LiteralKind::from_number(number).ok_or(Malformed)?)
            }
            5 => Base::Reference(reader.number()?),
            6 => Base::Type(NameId(reader.number()?)),
            7 => Base::Local(NameId(reader.number()?)),
            _ => return Err(Malformed),
        };
        let step = match byte >> 4 {
            0 => Step::Same,
            1 => Step::Awaited,
            2 => Step::Element,
            3 => Step::Unwrapped,
            4 => Step::Member(NameId(reader.number()?)),
            5 => Step::Position(u8::try_from(reader.number()?).map_err(|_| Malformed)?),
            6 => Step::Entered,
            7 => {
                let [argument, parameter] =
                    u16::try_from(reader.number()?).map_err(|_| Malformed)?.to_be_bytes();
                Step::Given(argument, parameter)
            }
            _ => return Err(Malformed),
        };
        Ok(Self { base, step })
    }
}

macro_rules! pack_words {
    ($($name:ident),+) => {$(
        impl Pack for $name {
            fn pack(&self, out: &mut Vec<u8>) {
                out.push(*self as u8);
            }
            fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
                Self::from_number(reader.byte()?).ok_or(Malformed)
            }
        }
    )+};
}

pack_words!(SymbolKind, Visibility, ScopeKind, LineType, ExportKind, MarkerKind, ProblemKind);

macro_rules! pack_fields {
    ($($name:ident { $($field:ident),+ })+) => {$(
        impl Pack for $name {
            fn pack(&self, out: &mut Vec<u8>) {
                $(self.$field.pack(out);)+
            }
            fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
                Ok(Self { $($field: Pack::unpack(reader)?,)+ })
            }
        }
    )+};
}

pack_fields! {
    Span { start, end }
    Metrics {
        cyclomatic, cognitive, branches, loops, returns, max_nesting, parameters, lines,
        unsafe_blocks, unchecked_calls, assertions
    }
    Symbol {
        kind, name, qualified_name, ordinal, owner, span, name_span, body, signature, docs,
        visibility, flags, declared_type, origin, value, decorators, scope, metrics, body_hash
    }
    Import { source, name, alias, flags, statement, start, scope }
    Export { name, local, kind, is_default, source, start }
    Component { symbol, props_type, hooks }
    Marker { kind, line, text }
    Suppression { line, recipe }
    StyleVariable { name, value, scope, start }
    StyleName { name, start }
    Problem { kind, start, message }
}

macro_rules! pack_flags {
    ($($name:ident),+) => {$(
        impl Pack for $name {
            fn pack(&self, out: &mut Vec<u8>) {
                put_number(out, self.0);
            }
            fn unpack(reader: &mut Reader<'_>) -> Result<Self> {
                reader.number().map(Self)
            }
        }
    )+};
}

pack_flags!(SymbolFlags, ImportFlags);
