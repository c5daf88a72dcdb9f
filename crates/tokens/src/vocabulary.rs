//! From the bytes of a token to its rank.

use crate::hash::{EMPTY, RANK_BITS, SLOTS, fingerprint, hash};

/// Bytes of the longest token.
pub(crate) const LONGEST: usize = include!(concat!(env!("OUT_DIR"), "/longest.rs"));

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens.bytes"));
static ENDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens.ends"));
static TABLE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tokens.slots"));

/// The rank of a token; none if these bytes are no token.
pub(crate) fn rank(token: &[u8]) -> Option<u32> {
    if token.is_empty() || token.len() > LONGEST {
        return None;
    }
    let hash = hash(token);
    let fingerprint = fingerprint(hash);
    let mut slot = hash as usize % SLOTS;
    loop {
        let found = number(TABLE, slot);
        if found == EMPTY {
            return None;
        }
        let rank = found & ((1 << RANK_BITS) - 1);
        if found & !((1 << RANK_BITS) - 1) == fingerprint && bytes(rank as usize) == token {
            return Some(rank);
        }
        slot = (slot + 1) % SLOTS;
    }
}

fn bytes(rank: usize) -> &'static [u8] {
    let start = if rank == 0 { 0 } else { number(ENDS, rank - 1) as usize };
    &BYTES[start..number(ENDS, rank) as usize]
}

fn number(table: &[u8], at: usize) -> u32 {
    let bytes = table[at * 4..at * 4 + 4].try_into().expect("four bytes are four bytes");
    u32::from_le_bytes(bytes)
}
