//! Memory of syntax trees, taken back all at once.
//!
//! A tree has a node for every few bytes of its text. Freeing them one by one costs as much as a tenth
//! of parsing, and a general allocator scatters what a parser makes and a walk reads in order. A process
//! that parses one file after another can have both cheaper: [`use_arena`] makes tree-sitter take its
//! memory from an arena of the thread, and [`reclaim`] empties it when a file is done. Where that is not
//! asked for, trees are freed as usual.
//!
//! The only unsafe code of this crate stands here (decision 17). What it relies on: tree-sitter gives
//! back what it took on the same thread (parsers are kept by thread, and no tree leaves this crate); and
//! nothing of it is left when the arena is emptied (trees are counted, cursors borrow them, and the
//! parser is let go first).
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, null_mut};
use std::sync::atomic::{AtomicBool, Ordering};

use tree_sitter::{Allocator, Parser, Tree};

static IN_USE: AtomicBool = AtomicBool::new(false);

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
    static ARENA: UnsafeCell<Arena> = const { UnsafeCell::new(Arena::new()) };
    static TREES: Cell<usize> = const { Cell::new(0) };
}

/// Makes tree-sitter take its memory from arenas from now on. To be called once, by a process that has
/// not parsed anything yet and calls [`reclaim`] from time to time.
pub fn use_arena() {
    if IN_USE.swap(true, Ordering::SeqCst) {
        return;
    }
    let allocator = Allocator { malloc: take, calloc: take_zeroed, realloc: retake, free: give };
    // Safety: nothing was taken from another allocator, as the caller promises by being the first.
    unsafe { tree_sitter::set_allocator(Some(allocator)) };
}

/// Empties the arena of this thread, if it has one and no tree is left in it.
pub fn reclaim() {
    if !IN_USE.load(Ordering::Relaxed) || TREES.get() > 0 {
        return;
    }
    PARSER.take();
    // Safety: no tree is left and no parser, and cursors do not outlive their trees.
    ARENA.with(|arena| unsafe { (*arena.get()).empty() });
}

/// Runs the parser of this thread.
pub(crate) fn with_parser(run: impl FnOnce(&mut Parser) -> Option<Tree>) -> Option<Syntax> {
    PARSER.with_borrow_mut(|parser| run(parser.get_or_insert_with(Parser::new))).map(Syntax::new)
}

/// A tree whose memory is taken back with that of all others, where there is an arena.
#[derive(Debug)]
pub(crate) struct Syntax(ManuallyDrop<Tree>);

impl Syntax {
    fn new(tree: Tree) -> Self {
        TREES.set(TREES.get() + 1);
        Self(ManuallyDrop::new(tree))
    }
}

impl Clone for Syntax {
    fn clone(&self) -> Self {
        Self::new(Tree::clone(&self.0))
    }
}

impl Deref for Syntax {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        &self.0
    }
}

impl DerefMut for Syntax {
    fn deref_mut(&mut self) -> &mut Tree {
        &mut self.0
    }
}

impl Drop for Syntax {
    fn drop(&mut self) {
        TREES.set(TREES.get() - 1);
        if !IN_USE.load(Ordering::Relaxed) {
            // Safety: it is dropped once, here.
            unsafe { ManuallyDrop::drop(&mut self.0) };
        }
    }
}

/// What every piece begins with: the class of its size. What follows is aligned as C expects it.
const HEAD: usize = 8;
const ALIGN: usize = 16;
/// Pieces up to this size are of a class for each multiple of [`ALIGN`], larger ones for each power of two.
const LARGEST_FINE: usize = 1024;
const FINE_CLASSES: usize = LARGEST_FINE / ALIGN + 1;
const CLASSES: usize = FINE_CLASSES + usize::BITS as usize;
/// The first block; each further one is as large as all before it together.
const FIRST_BLOCK: usize = 256 << 10;
/// More than this is not kept for the next file.
const MOST_KEPT: usize = 16 << 20;

/// Pieces of memory, one behind another in blocks; what is given back is taken again by pieces of its
/// class.
struct Arena {
    next: *mut u8,
    end: *mut u8,
    free: [*mut u8; CLASSES],
    /// The newest block, which knows the one before it.
    block: *mut Block,
    /// Bytes of all blocks.
    size: usize,
}

#[repr(C, align(16))]
struct Block {
    before: *mut Block,
    layout: Layout,
}

impl Arena {
    const fn new() -> Self {
        Self {
            next: null_mut(),
            end: null_mut(),
            free: [null_mut(); CLASSES],
            block: null_mut(),
            size: 0,
        }
    }

    unsafe fn take(&mut self, size: usize) -> *mut u8 {
        let (class, whole) = class_of(size);
        let free = self.free[class];
        if !free.is_null() {
            // Safety: a free piece begins with the address of the next one of its class.
            self.free[class] = unsafe { free.cast::<*mut u8>().read() };
            return free;
        }
        if (self.end as usize) - (self.next as usize) < whole {
            self.grow(whole);
        }
        // Safety: there is room for it.
        unsafe {
            let piece = self.next.add(HEAD);
            self.next.cast::<usize>().write(class);
            self.next = self.next.add(whole);
            piece
        }
    }

    unsafe fn give(&mut self, piece: *mut u8) {
        // Safety: it was taken, so its class stands before it, and it has room for an address.
        unsafe {
            let class = piece.sub(HEAD).cast::<usize>().read();
            piece.cast::<*mut u8>().write(self.free[class]);
            self.free[class] = piece;
        }
    }

    #[cold]
    fn grow(&mut self, least: usize) {
        let wanted =
            self.size.max(FIRST_BLOCK).max(least.saturating_add(size_of::<Block>() + ALIGN));
        let Ok(layout) = Layout::from_size_align(wanted, align_of::<Block>()) else {
            handle_alloc_error(Layout::new::<Block>())
        };
        // Safety: the block has room for its head and one piece; a piece begins where what follows its
        // own head is aligned.
        unsafe {
            let block = alloc(layout);
            if block.is_null() {
                handle_alloc_error(layout);
            }
            block.cast::<Block>().write(Block { before: self.block, layout });
            self.block = block.cast();
            self.next = block.add(size_of::<Block>() + HEAD);
            self.end = block.add(wanted);
        }
        self.size += wanted;
    }

    unsafe fn empty(&mut self) {
        self.free = [null_mut(); CLASSES];
        let wanted = self.size;
        // One block is enough for another file like this.
        // Safety: the caller knows that nothing is left in any block.
        unsafe {
            let is_one = !self.block.is_null() && (*self.block).before.is_null();
            if is_one && wanted <= MOST_KEPT {
                self.next = self.block.cast::<u8>().add(size_of::<Block>() + HEAD);
                return;
            }
            while !self.block.is_null() {
                let Block { before, layout } = self.block.read();
                dealloc(self.block.cast(), layout);
                self.block = before;
            }
        }
        *self = Self::new();
        if wanted > 0 && wanted <= MOST_KEPT {
            self.grow(wanted - size_of::<Block>() - ALIGN);
        }
    }
}

/// The class of a piece that has room for so many bytes, and its size with its head.
fn class_of(size: usize) -> (usize, usize) {
    let whole = size.saturating_add(HEAD + ALIGN - 1) & !(ALIGN - 1);
    if whole <= LARGEST_FINE {
        return (whole / ALIGN, whole);
    }
    let whole = whole.checked_next_power_of_two().unwrap_or(usize::MAX & !(ALIGN - 1));
    (FINE_CLASSES + whole.trailing_zeros() as usize, whole)
}

/// How many bytes a piece of a class has room for.
fn room_of(class: usize) -> usize {
    match class.checked_sub(FINE_CLASSES) {
        None => class * ALIGN - HEAD,
        Some(power) => (1 << power) - HEAD,
    }
}

unsafe extern "C" fn take(size: usize) -> *mut c_void {
    // Safety: the arena is this thread's, and nothing else looks at it meanwhile.
    ARENA.with(|arena| unsafe { (*arena.get()).take(size) }).cast()
}

unsafe extern "C" fn take_zeroed(count: usize, size: usize) -> *mut c_void {
    let size = count.saturating_mul(size);
    // Safety: what was just taken has so much room.
    unsafe {
        let piece = take(size);
        ptr::write_bytes(piece.cast::<u8>(), 0, size);
        piece
    }
}

unsafe extern "C" fn retake(piece: *mut c_void, size: usize) -> *mut c_void {
    if piece.is_null() {
        // Safety: as for any other.
        return unsafe { take(size) };
    }
    // Safety: it was taken, so its class stands before it; both have the room that is copied.
    unsafe {
        let room = room_of(piece.cast::<u8>().sub(HEAD).cast::<usize>().read());
        if size <= room {
            return piece;
        }
        let larger = take(size);
        ptr::copy_nonoverlapping(piece.cast::<u8>(), larger.cast::<u8>(), room);
        give(piece);
        larger
    }
}

unsafe extern "C" fn give(piece: *mut c_void) {
    if !piece.is_null() {
        // Safety: the arena is this thread's, and tree-sitter gives back what it took, once.
        ARENA.with(|arena| unsafe { (*arena.get()).give(piece.cast()) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random takes, gives and retakes, compared with what each piece was filled with.
    #[test]
    fn pieces_keep_what_is_written_into_them() {
        let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut below = move |limit: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % limit as u64) as usize
        };
        for round in 0..20 {
            let mut pieces: Vec<(*mut u8, usize, u8)> = Vec::new();
            for step in 0..3_000 {
                let sign = (step % 251) as u8;
                let size = match below(20) {
                    0 => below(300_000),
                    1..4 => below(5_000),
                    _ => below(200),
                };
                let fill = |piece: *mut u8, size: usize| unsafe {
                    assert_eq!(piece as usize % ALIGN, 0);
                    ptr::write_bytes(piece, sign, size);
                };
                let check = |&(piece, size, sign): &(*mut u8, usize, u8)| unsafe {
                    let bytes = std::slice::from_raw_parts(piece, size);
                    assert!(bytes.iter().all(|byte| *byte == sign), "round {round}, step {step}");
                };
                match below(4) {
                    0 if !pieces.is_empty() => {
                        let gone = pieces.swap_remove(below(pieces.len()));
                        check(&gone);
                        unsafe { give(gone.0.cast()) };
                    }
                    1 if !pieces.is_empty() => {
                        let at = below(pieces.len());
                        let (piece, before, old) = pieces[at];
                        let moved = unsafe { retake(piece.cast(), size) }.cast();
                        check(&(moved, before.min(size), old));
                        fill(moved, size);
                        pieces[at] = (moved, size, sign);
                    }
                    2 => {
                        let piece = unsafe { take_zeroed(size, 1) }.cast();
                        check(&(piece, size, 0));
                        fill(piece, size);
                        pieces.push((piece, size, sign));
                    }
                    _ => {
                        let piece = unsafe { take(size) }.cast();
                        fill(piece, size);
                        pieces.push((piece, size, sign));
                    }
                }
            }
            pieces.iter().for_each(|(piece, size, sign)| unsafe {
                let bytes = std::slice::from_raw_parts(*piece, *size);
                assert!(bytes.iter().all(|byte| byte == sign));
            });
            ARENA.with(|arena| unsafe { (*arena.get()).empty() });
            ARENA.with(|arena| unsafe { assert!((*arena.get()).size <= MOST_KEPT) });
        }
    }

    #[test]
    fn a_class_has_room_for_what_is_of_it() {
        for size in (0..5_000).chain([1 << 20, (1 << 20) + 1, 123_456_789]) {
            let (class, whole) = class_of(size);
            assert!(room_of(class) >= size, "{size}");
            assert_eq!(room_of(class) + HEAD, whole, "{size}");
            assert!(class < CLASSES);
        }
    }
}
