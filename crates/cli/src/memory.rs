//! The allocator of the program: only where it was measured, and where it stands in for C's own without
//! more ado.
//!
//! It keeps what was freed for whoever allocates next, and gives it back to the system while others
//! allocate. In a process that waits nobody does, so it has to be told; the crate around it does not offer
//! that ([decision 16](../../../docs/decisions/0016-servers.md)).

#![allow(unsafe_code)]

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[cfg(target_os = "linux")]
unsafe extern "C" {
    /// Frees what the heaps of this thread and of threads that ended do not use. It takes no pointer and
    /// may be called at any time, from any thread.
    safe fn mi_collect(force: bool);
}

/// Gives back memory that this thread, and those that ended, do not need any more.
pub(crate) fn hand_back() {
    #[cfg(target_os = "linux")]
    mi_collect(true);
}
