// Shared by the build script, which fills the table, and the crate, which reads it.

/// Slots of the hash table; less than half of them are taken.
pub(crate) const SLOTS: usize = 1 << 19;
/// A slot that holds no token.
pub(crate) const EMPTY: u32 = u32::MAX;
/// A rank takes 18 bits of a slot, a part of the hash the other 14, so that most slots of other tokens
/// are told apart without looking at their bytes.
pub(crate) const RANK_BITS: u32 = 18;

pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
        hash ^= hash >> 29;
    }
    hash
}

pub(crate) fn fingerprint(hash: u64) -> u32 {
    ((hash >> 32) as u32) << RANK_BITS
}
