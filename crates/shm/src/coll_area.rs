//! The memory of one member's area of a collective segment: where slots and rooms are, and which of
//! them a step has. `coll_segment.rs` says what they are for.

use std::cell::UnsafeCell;

use crate::prefault::prefault;
use crate::sync::{AtomicU64, CACHE_LINE, InRegion, Ordering, PAGE, Shared};

/// Steps of one stage.
pub const STEPS: usize = 8;
/// Stages of one operation that long data can be in at a time: one is filled while the one before
/// is read, and what lies in them stays in the cache.
pub const STAGES: usize = if cfg!(loom) { 2 } else { 4 };
/// Stages that an operation can have: numbers are set apart for so many.
pub const STAGES_MAX: usize = 1 << 12;
/// The most operations that a rank may be ahead of the slowest, with inline data: the slots of an
/// area are for so many. A rank that finds no free one waits until half of them are. In a row of
/// broadcasts of 8 bytes, the root then looks once in 32 operations how far the others are, and its
/// lines are not torn from it while it writes: 57 ns each, where four had slots 140 (two ranks,
/// Intel Xeon).
pub const DEPTH_MAX: usize = if cfg!(loom) { 2 * STAGES } else { 64 };
/// Short rooms. With data that needs one a rank may be so many operations ahead: where ranks share
/// a core, they change places only once for so many, and where they do not, a reader is rarely in
/// the lines that are being written.
pub(crate) const SHORT_ROOMS: usize = if cfg!(loom) { 2 * STAGES } else { 16 };
/// Bytes that a rank can contribute to one operation by a copy. With longer data one copy out of
/// the owner's memory costs less than two through shared memory.
pub const CONTRIBUTION_BYTES: usize = if cfg!(loom) { 2 * CACHE_LINE } else { 64 << 10 };
/// Bytes of data that a rank can copy in in one operation: its contribution, and its part of a
/// result that two ranks or more divide.
pub const ROOM_BYTES: usize = CONTRIBUTION_BYTES + CONTRIBUTION_BYTES / 2;
/// Bytes of an area's long rooms: [`STAGES`] of them, or, on a node of few ranks, so many that data
/// has left the caches of single cores before its place is written again; see
/// [`LongRooms`](crate::long_rooms::LongRooms).
pub const NARROW_BYTES: usize = STAGES * ROOM_BYTES;
/// As [`NARROW_BYTES`], on a node of few ranks.
pub const WIDE_BYTES: usize = WIDE_ROOMS * ROOM_BYTES;
/// The rooms of [`WIDE_BYTES`].
const WIDE_ROOMS: usize = if cfg!(loom) { STAGES + 1 } else { 22 };
/// Bytes of a short room. Not a power of two: rooms that begin in the same set of a cache drive
/// each other out.
pub const SHORT_BYTES: usize = if cfg!(loom) { CACHE_LINE } else { (4 << 10) + CACHE_LINE };
/// Bytes that fit beside a slot's number.
pub const INLINE_BYTES: usize = 40;

pub(crate) const SLOTS_MAX: usize = DEPTH_MAX * STEPS;

/// Set in the length of data that is exposed.
pub(crate) const EXPOSED: u64 = 1 << 63;
/// Set in the length of a copy that was written past the cache, and of one whose readers are to
/// take the time.
pub(crate) const PAST_CACHE: u64 = 1 << 62;
pub(crate) const TIMED: u64 = 1 << 61;

/// The first line of a slot.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct SlotHeader {
    /// For which step of which operation it was filled; see [`number`].
    pub(crate) number: AtomicU64,
    pub(crate) body: Shared<SlotBody>,
}

#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct SlotBody {
    /// With [`EXPOSED`] if the data is in the owner's memory.
    pub(crate) bytes: u64,
    /// For exposed data, its address; for a copy, the total length, if it goes in chunks.
    pub(crate) whole_or_address: u64,
    /// Short data itself; for longer data that was copied, where it begins in the room.
    pub(crate) inline: [u8; INLINE_BYTES],
}

// SAFETY: written by the owner before the number is published, read by others after it, and written
// again only after all have said that they are past it.
unsafe impl Sync for SlotHeader {}

const SHORT_ROOMS_BYTES: usize = SHORT_ROOMS * SHORT_BYTES;

/// The rooms, long ones last, of which there are more in some areas than in others. Their parts
/// belong to slots, and are written and read with the bodies of these: the model, which checks the
/// bodies, checks this as well.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Rooms<R: ?Sized> {
    short: UnsafeCell<[u8; SHORT_ROOMS_BYTES]>,
    long: UnsafeCell<R>,
}

// SAFETY: as for `SlotHeader`.
unsafe impl<R: ?Sized> Sync for Rooms<R> {}

#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Past {
    /// The owner has ended all stages before this one.
    pub(crate) stage: AtomicU64,
    /// How long it reads what others write through the cache, and what they write past it: how
    /// often it has taken the time, and in the lower half the picoseconds for 1 KiB.
    pub(crate) reading: [AtomicU64; 2],
}

/// Long rooms begin this far into a page. Buffers of programs often begin near the beginning of
/// one. If rooms did, too, a copy would read what has the same place in a page as what it has just
/// written, which processors take for the same: 16 KiB take up to 1.4 times as long.
const ROOMS_IN_PAGE: usize = PAGE / 2 + CACHE_LINE;
const BEFORE_LONG_BYTES: usize =
    size_of::<Past>() + SLOTS_MAX * size_of::<SlotHeader>() + SHORT_ROOMS_BYTES;

/// The memory of one area, with long rooms of a length that the node's layout knows; zeroed memory
/// is an area that was never used.
#[derive(Debug)]
#[repr(C, align(4096))]
pub struct AreaMemory<R: ?Sized = [u8]> {
    pub(crate) past: Past,
    pub(crate) heads: [SlotHeader; SLOTS_MAX],
    _apart: [u8; (PAGE + ROOMS_IN_PAGE - BEFORE_LONG_BYTES % PAGE) % PAGE],
    pub(crate) rooms: Rooms<R>,
}

/// An area of a node of few ranks, and of another.
pub(crate) type WideArea = AreaMemory<[u8; WIDE_BYTES]>;
pub(crate) type NarrowArea = AreaMemory<[u8; NARROW_BYTES]>;

const _: () = assert!(size_of::<SlotBody>() == 56);
#[cfg(not(loom))]
const _: () = {
    let rooms = std::mem::offset_of!(NarrowArea, rooms);
    assert!((rooms + std::mem::offset_of!(Rooms<[u8; 1]>, long)) % PAGE == ROOMS_IN_PAGE);
};

// SAFETY: made of atomics, and of cells of numbers and bytes that are read by copies.
unsafe impl<const BYTES: usize> InRegion for AreaMemory<[u8; BYTES]> {}

// So places go round in step with the numbers of operations.
const _: () = assert!(STAGES_MAX % DEPTH_MAX == 0 && STAGES_MAX % SHORT_ROOMS == 0);
// A division would cost as much as the rest.
const _: () = assert!(STAGES.is_power_of_two() && STAGES <= SHORT_ROOMS);
const _: () = assert!(SHORT_ROOMS.is_power_of_two() && DEPTH_MAX.is_power_of_two());
const _: () = assert!(SHORT_BYTES % CACHE_LINE == 0);

/// What a slot's number is when it is filled for a step of an operation; never zero.
#[inline(always)]
pub(crate) fn number(operation: u64, step: usize) -> u64 {
    operation * STEPS as u64 + step as u64 + 1
}

/// In which order stages use the slots: no two jumps in a row are equal, since processors that see
/// equal ones fetch the next line by themselves, also while its owner is about to write it. A
/// barrier of two ranks takes 160 ns so, and 210 one slot after the other (Intel Xeon).
const ORDER: [u8; DEPTH_MAX] = {
    let mut order = [0; DEPTH_MAX];
    let mut place = 0;
    while place < DEPTH_MAX {
        order[place] = (place as u8).reverse_bits() >> (u8::BITS - DEPTH_MAX.trailing_zeros());
        place += 1;
    }
    order
};

/// Which of `places` a stage has: the next stage and the next operation have the next one.
#[inline(always)]
pub(crate) fn place(stage: u64, places: usize) -> usize {
    let (operation, stage) = (stage / STAGES_MAX as u64, stage % STAGES_MAX as u64);
    (operation + stage) as usize & (places - 1)
}

/// Which slot of an area a step of an operation has.
#[inline(always)]
pub(crate) fn slot(operation: u64, step: usize) -> usize {
    let place = place(operation + (step / STEPS) as u64, DEPTH_MAX);
    usize::from(ORDER[place]) * STEPS + step % STEPS
}

/// Where the short room of a stage begins.
#[inline(always)]
pub(crate) fn short_room(stage: u64) -> usize {
    place(stage, SHORT_ROOMS) * SHORT_BYTES
}

/// Where in the rooms the long ones begin.
pub(crate) const LONG_START: usize = SHORT_ROOMS_BYTES;

impl AreaMemory {
    /// Bytes of the long rooms.
    pub(crate) fn long_bytes(&self) -> usize {
        self.rooms.long.get().len()
    }

    /// Asks the system for all pages of the long rooms.
    #[cold]
    pub(crate) fn prefault_long(&self) {
        prefault(self.room(LONG_START), self.long_bytes());
    }

    /// Bytes of all rooms.
    pub(crate) fn rooms_bytes(&self) -> usize {
        LONG_START + self.long_bytes()
    }

    /// What lies at an offset of the rooms.
    #[inline(always)]
    pub(crate) fn room(&self, offset: usize) -> *mut u8 {
        // Not of the short rooms' cell: the long ones lie behind them.
        (&raw const self.rooms).cast::<u8>().cast_mut().wrapping_add(offset)
    }

    /// Its owner has ended all stages before this one: a collective segment that takes it over must
    /// begin there, or later.
    pub fn first_stage(&self) -> u64 {
        // Relaxed: asked by the owner, who wrote it.
        self.past.stage.load(Ordering::Relaxed)
    }
}

#[cfg(all(test, not(loom)))]
impl AreaMemory {
    pub(crate) fn unused() -> Box<Self> {
        // Too large for the stack of a test.
        let layout = std::alloc::Layout::new::<WideArea>();
        // SAFETY: zeroed memory is an area that was never used, and the layout is the type's.
        let area: Box<WideArea> = unsafe { Box::from_raw(std::alloc::alloc_zeroed(layout).cast()) };
        area
    }
}

#[cfg(all(test, loom))]
impl AreaMemory {
    pub(crate) fn unused() -> Box<Self> {
        let body = SlotBody { bytes: 0, whole_or_address: 0, inline: [0; INLINE_BYTES] };
        let head = |_| SlotHeader { number: AtomicU64::new(0), body: Shared::new(body) };
        let area: Box<WideArea> = Box::new(AreaMemory {
            past: Past { stage: AtomicU64::new(0), reading: [0, 0].map(AtomicU64::new) },
            heads: std::array::from_fn(head),
            _apart: std::array::from_fn(|_| 0),
            rooms: Rooms {
                short: UnsafeCell::new([0; SHORT_ROOMS_BYTES]),
                long: UnsafeCell::new([0; WIDE_BYTES]),
            },
        });
        area
    }
}
