//! The symbols of a content, whether it is a file of the project, was one or never has been.

use model::pack::{Detail, Malformed, unpack_head};
use model::{LineType, SymbolFlags, SymbolKind};
use rusqlite::{OptionalExtension, Result, Row};

use crate::links::damaged;
use crate::rows::{SYMBOL_BITS, unparcel};
use crate::{KnownFile, Reader};

/// What tells one state of a symbol from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolState {
    pub kind: SymbolKind,
    pub name: String,
    pub qualified_name: String,
    /// Counts symbols of the same qualified name in the file.
    pub ordinal: u32,
    /// Position of the symbol it belongs to.
    pub owner: Option<u32>,
    /// Where it begins and ends, in bytes.
    pub start: u32,
    pub end: u32,
    /// First line.
    pub line: u32,
    pub signature: String,
    pub docs: Option<String>,
    pub visibility: Option<String>,
    pub flags: SymbolFlags,
    pub decorators: Vec<String>,
    /// Of a body of statements, without white space and comments.
    pub body_hash: Option<i64>,
}

/// The symbols of a content, and which of its lines are comments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    pub symbols: Vec<SymbolState>,
    pub line_starts: Vec<u32>,
    pub line_types: Vec<(u32, LineType)>,
}

impl Outline {
    /// From what a worker says of a file.
    pub fn of_parcel(bytes: &[u8]) -> std::result::Result<Self, Malformed> {
        let (facts, _) = unparcel(bytes)?;
        let (facts, detail) = unpack_head(facts)?;
        let state = |symbol: &model::Symbol| SymbolState {
            kind: symbol.kind,
            name: facts.name(symbol.name).to_owned(),
            qualified_name: symbol.qualified_name.clone(),
            ordinal: symbol.ordinal,
            owner: symbol.owner,
            start: symbol.span.start,
            end: symbol.span.end,
            line: facts.position(symbol.span.start).0,
            signature: symbol.signature.clone(),
            docs: symbol.docs.clone(),
            visibility: symbol.visibility.map(|visibility| visibility.as_str().to_owned()),
            flags: symbol.flags,
            decorators: symbol.decorators.clone(),
            body_hash: symbol.body_hash.map(u64::cast_signed),
        };
        Ok(Self {
            symbols: facts.symbols.iter().map(state).collect(),
            line_types: Detail::new(detail)?.line_types()?,
            line_starts: facts.line_starts,
        })
    }
}

impl Reader {
    /// Files with this content that are not in the project any more.
    pub fn retired(&self, hash: &[u8; 32]) -> Result<Vec<KnownFile>> {
        crate::known::retired(self.connection(), hash)
    }

    /// The symbols of a file, in the project or not.
    pub fn outline(&self, file: i64) -> Result<Option<Outline>> {
        let connection = self.connection();
        let detail: Option<Vec<u8>> = connection
            .prepare_cached("SELECT detail FROM facts WHERE file_id = ?1")?
            .query_row([file], |row| row.get(0))
            .optional()?;
        let Some(detail) = detail else { return Ok(None) };
        let detail = Detail::new(&detail).map_err(damaged)?;
        let symbols = connection
            .prepare_cached(
                "SELECT s.kind, n.text, coalesce(q.text, '') || n.text, s.ordinal, s.owner,
                     s.start_byte, s.end_byte, s.start_line, s.signature, s.docs, s.visibility,
                     s.flags, s.decorators, s.body_hash
                 FROM symbol AS s JOIN name AS n ON n.id = s.name_id
                 LEFT JOIN name AS q ON q.id = s.qualifier_id
                 WHERE s.id BETWEEN ?1 AND ?2 ORDER BY s.id",
            )?
            .query_map([file << SYMBOL_BITS, ((file + 1) << SYMBOL_BITS) - 1], read)?
            .collect::<Result<_>>()?;
        Ok(Some(Outline {
            symbols,
            line_starts: detail.line_starts().map_err(damaged)?,
            line_types: detail.line_types().map_err(damaged)?,
        }))
    }
}

fn read(row: &Row<'_>) -> Result<SymbolState> {
    let decorators: Option<String> = row.get(12)?;
    Ok(SymbolState {
        kind: SymbolKind::parse(row.get_ref(0)?.as_str()?).unwrap_or(SymbolKind::Var),
        name: row.get(1)?,
        qualified_name: row.get(2)?,
        ordinal: row.get(3)?,
        owner: row.get(4)?,
        start: row.get(5)?,
        end: row.get(6)?,
        line: row.get(7)?,
        signature: row.get(8)?,
        docs: row.get(9)?,
        visibility: row.get(10)?,
        flags: SymbolFlags(row.get(11)?),
        decorators: decorators
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default(),
        body_hash: row.get(13)?,
    })
}
