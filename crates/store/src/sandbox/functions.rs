//! The functions that statements from outside may use.
//!
//! Some of SQLite's take a time that grows with the product of two lengths and cannot be stopped: with
//! texts of megabytes, `instr`, `replace` and `trim` run for hours. They are replaced by ones that read
//! each text once. Functions with that fault that nobody needs, `unhex` and `json_patch` for instance,
//! are simply not listed.

use std::collections::HashSet;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Result};

/// In order, because it is searched.
pub const ALLOWED: &[&str] = &[
    "->",
    "->>",
    "abs",
    "avg",
    "bm25",
    "ceil",
    "ceiling",
    "char",
    "coalesce",
    "concat",
    "concat_ws",
    "count",
    "cume_dist",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "dense_rank",
    "exp",
    "first_value",
    "floor",
    "format",
    "glob",
    "group_concat",
    "hex",
    "highlight",
    "if",
    "ifnull",
    "iif",
    "instr",
    "json",
    "json_array",
    "json_array_length",
    "json_each",
    "json_error_position",
    "json_extract",
    "json_group_array",
    "json_group_object",
    "json_insert",
    "json_object",
    "json_pretty",
    "json_quote",
    "json_remove",
    "json_replace",
    "json_set",
    "json_tree",
    "json_type",
    "json_valid",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "length",
    "like",
    "likelihood",
    "likely",
    "ln",
    "log",
    "log10",
    "log2",
    "lower",
    "ltrim",
    "match",
    "max",
    "median",
    "min",
    "mod",
    "nth_value",
    "ntile",
    "nullif",
    "octet_length",
    "percent_rank",
    "pow",
    "power",
    "printf",
    "quote",
    "random",
    "rank",
    "replace",
    "round",
    "row_number",
    "rtrim",
    "sign",
    "snippet",
    "sqrt",
    "strftime",
    "string_agg",
    "substr",
    "substring",
    "sum",
    "time",
    "timediff",
    "total",
    "trim",
    "typeof",
    "unicode",
    "unixepoch",
    "unlikely",
    "upper",
    "zeroblob",
];

/// Puts ours in the place of functions that could run for ever.
pub(super) fn replace(connection: &Connection) -> Result<()> {
    // Views may use them although the schema is not trusted: they do nothing but compute.
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("instr", 2, flags, instr)?;
    connection.create_scalar_function("replace", 3, flags, replaced)?;
    for (name, left, right) in
        [("trim", true, true), ("ltrim", true, false), ("rtrim", false, true)]
    {
        for arguments in [1, 2] {
            let trim = move |context: &Context<'_>| trimmed(context, left, right);
            connection.create_scalar_function(name, arguments, flags, trim)?;
        }
    }
    Ok(())
}

/// An argument as text; none if it is NULL.
fn text(context: &Context<'_>, at: usize) -> Option<String> {
    match context.get_raw(at) {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(format!("{number:?}")),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

fn instr(context: &Context<'_>) -> Result<Option<i64>> {
    if let (ValueRef::Blob(hay), ValueRef::Blob(needle)) = (context.get_raw(0), context.get_raw(1))
    {
        return Ok(Some(memchr::memmem::find(hay, needle).map_or(0, |at| at as i64 + 1)));
    }
    let (Some(hay), Some(needle)) = (text(context, 0), text(context, 1)) else { return Ok(None) };
    let found = memchr::memmem::find(hay.as_bytes(), needle.as_bytes());
    let characters = |at: usize| hay.get(..at).map_or(at, |before| before.chars().count());
    Ok(Some(found.map_or(0, |at| characters(at) as i64 + 1)))
}

fn replaced(context: &Context<'_>) -> Result<Option<String>> {
    let (Some(hay), Some(old), Some(new)) = (text(context, 0), text(context, 1), text(context, 2))
    else {
        return Ok(None);
    };
    if old.is_empty() {
        return Ok(Some(hay));
    }
    let times = memchr::memmem::find_iter(hay.as_bytes(), old.as_bytes()).count();
    if hay.len() + times * new.len() > super::MAX_LENGTH as usize {
        let message = "string or blob too big".to_owned();
        return Err(rusqlite::Error::UserFunctionError(message.into()));
    }
    Ok(Some(hay.replace(&old, &new)))
}

fn trimmed(context: &Context<'_>, left: bool, right: bool) -> Result<Value> {
    let Some(whole) = text(context, 0) else { return Ok(Value::Null) };
    let set = match context.len() {
        1 => Some(" ".to_owned()),
        _ => text(context, 1),
    };
    let Some(set) = set else { return Ok(Value::Null) };
    let mut plain = [false; 128];
    let mut others = HashSet::new();
    for c in set.chars() {
        match plain.get_mut(c as usize) {
            Some(is_in) => *is_in = true,
            None => drop(others.insert(c)),
        }
    }
    let is_in = |c: char| plain.get(c as usize).copied().unwrap_or_else(|| others.contains(&c));
    let mut rest = whole.as_str();
    if left {
        rest = rest.trim_start_matches(is_in);
    }
    if right {
        rest = rest.trim_end_matches(is_in);
    }
    Ok(Value::Text(rest.to_owned()))
}
