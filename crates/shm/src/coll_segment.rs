//! The collective segment of a communicator: every rank has an area of its own in the shared
//! segment, with slots that it fills and all others read. A collective operation numbers its steps;
//! a step's slot says by its number for which operation it was filled, so that nothing needs to be
//! cleared. Nobody else writes to an area, and there is no read-modify-write.
//!
//! Most operations have a few steps. Long data goes in chunks: every [`STEPS`] steps are a stage,
//! and a rank says when it no longer reads a stage. It counts the operations and stages that it has
//! ended in one number that only grows. A slot is used again [`Depth`] stages or operations later,
//! once every rank has ended what it was filled for. Up to [`INLINE_BYTES`] travel in the line of
//! the number itself. Longer data is in a room that the steps of a stage share, one after another,
//! so that it is always in the same few lines. There are [`STAGES`] rooms; where a rank may be
//! further ahead, short ones besides, for up to [`SHORT_BYTES`].

use std::cell::{Cell, UnsafeCell};

use crate::cell::DAMAGED;
use crate::sync::{AtomicU64, InRegion, Ordering, Shared, claim};
use crate::sync::{CACHE_LINE, PAGE};

/// Steps of one stage.
pub const STEPS: usize = 8;
/// Stages of one operation that long data can be in at a time: one is filled while the one before
/// is read, and what lies in them stays in the cache.
pub const STAGES: usize = if cfg!(loom) { 2 } else { 4 };
/// Stages that an operation can have: numbers are set apart for so many.
pub const STAGES_MAX: usize = 1 << 12;
/// The most operations that a rank may be ahead of the slowest.
pub const DEPTH_MAX: usize = if cfg!(loom) { 2 * STAGES } else { 16 };
/// Bytes that a rank can contribute to one operation by a copy. With longer data one copy out of
/// the owner's memory costs less than two through shared memory.
pub const CONTRIBUTION_BYTES: usize = if cfg!(loom) { 2 * CACHE_LINE } else { 64 << 10 };
/// Bytes of data that a rank can copy in in one operation: its contribution, and its part of a
/// result that two ranks or more divide.
pub const ROOM_BYTES: usize = CONTRIBUTION_BYTES + CONTRIBUTION_BYTES / 2;
/// Bytes of a short room. Not a power of two: rooms that begin in the same set of a cache drive
/// each other out.
pub const SHORT_BYTES: usize = if cfg!(loom) { CACHE_LINE } else { (4 << 10) + CACHE_LINE };
/// Bytes of the next operation's room that are prefetched for writing, if this operation or the one
/// before has used as many: many programs have barriers between other operations. A gather of 1 KiB
/// between barriers takes 0.41 instead of 0.56 us.
const CLAIMED_BYTES: usize = 4 << 10;
/// Bytes that fit beside a slot's number.
pub const INLINE_BYTES: usize = 40;

const SLOTS_MAX: usize = DEPTH_MAX * STEPS;

/// Set in the length of data that is exposed.
const EXPOSED: u64 = 1 << 63;

/// The first line of a slot.
#[derive(Debug)]
#[repr(C, align(64))]
struct SlotHeader {
    /// For which step of which operation it was filled; see [`number`].
    number: AtomicU64,
    body: Shared<SlotBody>,
}

#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct SlotBody {
    /// With [`EXPOSED`] if the data is in the owner's memory.
    bytes: u64,
    /// For exposed data, its address; for a copy, the total length, if it goes in chunks.
    whole_or_address: u64,
    /// Short data itself; for longer data that was copied, where it begins in the room.
    inline: [u8; INLINE_BYTES],
}

// SAFETY: written by the owner before the number is published, read by others after it, and written
// again only after all have said that they are past it.
unsafe impl Sync for SlotHeader {}

const LONG_ROOMS_BYTES: usize = STAGES * ROOM_BYTES;
const ROOMS_BYTES: usize = LONG_ROOMS_BYTES + DEPTH_MAX * SHORT_BYTES;

/// The rooms, short ones last. Their parts belong to slots, and are written and read with the
/// bodies of these: the model, which checks the bodies, checks this as well.
#[derive(Debug)]
#[repr(C, align(64))]
struct Rooms(UnsafeCell<[u8; ROOMS_BYTES]>);

// SAFETY: as for `SlotHeader`.
unsafe impl Sync for Rooms {}

impl Rooms {
    fn at(&self, offset: usize) -> *mut u8 {
        self.0.get().cast::<u8>().wrapping_add(offset)
    }
}

#[derive(Debug)]
#[repr(C, align(64))]
struct Past(AtomicU64);

/// Rooms begin this far into a page. Buffers of programs often begin near the beginning of one. If
/// rooms did, too, a copy would read what has the same place in a page as what it has just written,
/// which processors take for the same: 16 KiB take up to 1.4 times as long.
const ROOMS_IN_PAGE: usize = PAGE / 2 + CACHE_LINE;
const HEADS_BYTES: usize = size_of::<Past>() + SLOTS_MAX * size_of::<SlotHeader>();

/// The memory of one area; zeroed memory is an area that was never used.
#[derive(Debug)]
#[repr(C, align(4096))]
pub struct AreaMemory {
    /// The owner has ended all stages before this one.
    past: Past,
    heads: [SlotHeader; SLOTS_MAX],
    _apart: [u8; (PAGE + ROOMS_IN_PAGE - HEADS_BYTES % PAGE) % PAGE],
    rooms: Rooms,
}

const _: () = assert!(size_of::<SlotBody>() == 56);
#[cfg(not(loom))]
const _: () = assert!(std::mem::offset_of!(AreaMemory, rooms) % PAGE == ROOMS_IN_PAGE);

// SAFETY: made of atomics, and of cells of numbers and bytes that are read by copies.
unsafe impl InRegion for AreaMemory {}

/// What is published at one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlotData<'a> {
    /// A copy of the data.
    Copied(&'a [u8]),
    /// Where it is in its owner's memory.
    Exposed {
        /// Its address in the owner.
        address: u64,
        /// Its length.
        bytes: usize,
    },
}

impl SlotData<'_> {
    /// How long the data is.
    #[inline]
    pub fn bytes(&self) -> usize {
        match self {
            SlotData::Copied(data) => data.len(),
            SlotData::Exposed { bytes, .. } => *bytes,
        }
    }
}

/// How many operations a rank may be ahead of the slowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// [`STAGES`]: a root that distributes data rarely waits, and slots stay in the cache.
    Few,
    /// [`DEPTH_MAX`], if short data is copied in: ranks that share a core change places only once
    /// for so many operations. A bcast of 8 bytes by 4 ranks on 2 cores takes 0.33 instead of 1.2
    /// us, a gather 0.35 instead of 0.99; an allgather of 64 bytes by 2 ranks on cores of their own
    /// would take up to 1.1 times as long as with few.
    Many,
}

impl Depth {
    /// In operations.
    pub const fn operations(self) -> usize {
        match self {
            Depth::Few => STAGES,
            Depth::Many => DEPTH_MAX,
        }
    }
}

/// One rank's view of the areas of a communicator. A rank makes one with every other member.
#[derive(Debug)]
pub struct CollSegment<'a> {
    areas: Box<[&'a AreaMemory]>,
    me: usize,
    /// See [`Depth`].
    depth: usize,
    /// Bytes of a stage that go into a short room.
    short_bytes: usize,
    /// The first stage of the operation in progress, and of the next one.
    operation: Cell<u64>,
    next: Cell<u64>,
    /// All members have ended the stages before this one.
    all_past: Cell<u64>,
    /// By member: it is known to have ended the stages before this one.
    ended: Box<[Cell<u64>]>,
    /// By the place of its slots: the stage after the one for which they were last filled.
    filled: [Cell<u64>; DEPTH_MAX],
    /// The same by long room.
    filled_long: [Cell<u64>; STAGES],
    /// The stage whose steps this rank publishes, and the bytes of its rooms that they have taken.
    showing: Cell<u64>,
    taken: Cell<Taken>,
    /// What the last stage of the operation before has taken.
    taken_before: Cell<Taken>,
    /// By slot: what this rank has exposed last, its address and length.
    exposed: [Cell<(u64, usize)>; SLOTS_MAX],
    /// Views of slots that somebody has.
    views: Cell<usize>,
    /// A slot is being filled.
    filling: Cell<bool>,
}

/// Bytes of the rooms of a stage that its steps have taken.
#[derive(Debug, Clone, Copy, Default)]
struct Taken {
    short: usize,
    long: usize,
}

/// What is published at one step, as long as this lives: until then its stage cannot be ended.
#[derive(Debug)]
pub struct SlotView<'s> {
    data: SlotData<'s>,
    views: Option<&'s Cell<usize>>,
}

impl<'s> SlotView<'s> {
    /// Of data that this rank has elsewhere than in its slot.
    pub fn own(data: &'s [u8]) -> SlotView<'s> {
        SlotView { data: SlotData::Copied(data), views: None }
    }

    /// What is published.
    #[inline(always)]
    pub fn data(&self) -> SlotData<'_> {
        self.data
    }
}

impl Drop for SlotView<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(views) = self.views {
            views.set(views.get() - 1);
        }
    }
}

// Else two stages in use at once would share a room.
const _: () = assert!(STAGES_MAX % STAGES == 0 && STAGES_MAX % DEPTH_MAX == 0);
// A division would cost as much as the rest.
const _: () = assert!(STAGES.is_power_of_two() && DEPTH_MAX.is_power_of_two());
const _: () = assert!(SHORT_BYTES % CACHE_LINE == 0);

/// What a slot's number is when it is filled for a step of an operation; never zero.
#[inline(always)]
fn number(operation: u64, step: usize) -> u64 {
    operation * STEPS as u64 + step as u64 + 1
}

/// Which of `places` a stage has: the next stage and the next operation have the next one.
#[inline(always)]
fn place(stage: u64, places: usize) -> usize {
    let (operation, stage) = (stage / STAGES_MAX as u64, stage % STAGES_MAX as u64);
    (operation + stage) as usize & (places - 1)
}

/// Where the long room of a stage begins.
#[inline(always)]
fn long_room(stage: u64) -> usize {
    place(stage, STAGES) * ROOM_BYTES
}

impl AreaMemory {
    /// Its owner has ended all stages before this one: a collective segment that takes it over must
    /// begin there, or later.
    pub fn first_stage(&self) -> u64 {
        // Relaxed: asked by the owner, who wrote it.
        self.past.0.load(Ordering::Relaxed)
    }
}

impl<'a> CollSegment<'a> {
    /// A collective segment over the members' areas, in the order of their ranks; `first` is the
    /// same at all of them and no area's first stage is later; so is `depth`.
    ///
    /// # Safety
    /// No other collective segment, in any process, may have area `me` for its own at the same
    /// time.
    pub unsafe fn new(
        areas: Box<[&'a AreaMemory]>,
        me: usize,
        first: u64,
        depth: Depth,
    ) -> CollSegment<'a> {
        let ended = areas.iter().map(|_| Cell::new(first)).collect();
        let stage = || Cell::new(first);
        CollSegment {
            areas,
            me,
            depth: depth.operations(),
            short_bytes: if depth == Depth::Few { 0 } else { SHORT_BYTES },
            operation: stage(),
            next: stage(),
            all_past: stage(),
            ended,
            filled: std::array::from_fn(|_| stage()),
            filled_long: std::array::from_fn(|_| stage()),
            showing: stage(),
            taken: Cell::default(),
            taken_before: Cell::default(),
            exposed: std::array::from_fn(|_| Cell::default()),
            views: Cell::new(0),
            filling: Cell::new(false),
        }
    }

    /// One without members, which stands for one that was taken away.
    pub fn none() -> CollSegment<'static> {
        // SAFETY: it has no area.
        unsafe { CollSegment::new(Box::default(), 0, 0, Depth::Few) }
    }

    /// Begins the next operation.
    #[inline]
    pub fn begin(&self) {
        self.check_unused();
        let operation = self.next.get().next_multiple_of(STAGES_MAX as u64);
        self.operation.set(operation);
        self.next.set(operation + STAGES_MAX as u64);
        self.showing.set(operation);
        self.taken_before.set(self.taken.take());
    }

    /// Nobody may look at a slot, or fill one, when stages end: a callback may have come back here.
    #[inline(always)]
    fn check_unused(&self) {
        assert!(self.views.get() == 0 && !self.filling.get(), "a slot is in use");
    }

    /// The stage of a step of the operation in progress.
    #[inline]
    fn stage(&self, step: usize) -> u64 {
        assert!(step / STEPS < STAGES_MAX, "step {step} of an operation");
        self.operation.get() + (step / STEPS) as u64
    }

    /// Which slot of an area a step of an operation has.
    #[inline(always)]
    fn slot(&self, operation: u64, step: usize) -> usize {
        let number = (operation / STAGES_MAX as u64) as usize * STEPS + step;
        number & (self.depth * STEPS - 1)
    }

    /// Whether so many bytes more, where these are taken, need the long room.
    #[inline(always)]
    fn needs_long(&self, taken: Taken, bytes: usize) -> bool {
        bytes > self.short_bytes.saturating_sub(taken.short)
    }

    /// Where the short room of a stage begins.
    #[inline(always)]
    fn short_room(&self, stage: u64) -> usize {
        LONG_ROOMS_BYTES + place(stage, self.depth) * SHORT_BYTES
    }

    /// What the steps of this step's stage that have been published have taken.
    #[inline]
    fn taken_at(&self, step: usize) -> Taken {
        match self.showing.get() == self.stage(step) {
            true => self.taken.get(),
            false => Taken::default(),
        }
    }

    /// Bytes that this step can copy in, when those before it have been published.
    #[inline]
    pub fn bytes_left(&self, step: usize) -> usize {
        ROOM_BYTES - self.taken_at(step).long
    }

    /// Whether the slot of this step may be filled with a copy of so many bytes: everyone has ended
    /// the last use of slot and room.
    #[inline]
    pub fn has_room(&self, step: usize, bytes: usize) -> bool {
        let stage = self.stage(step);
        // What this stage itself has filled is in use by it.
        let last_use = |filled: &Cell<u64>| match filled.get() {
            filled if filled == stage + 1 => 0,
            filled => filled,
        };
        let mut filled = last_use(&self.filled[place(stage, self.depth)]);
        if bytes > INLINE_BYTES && self.needs_long(self.taken_at(step), bytes) {
            filled = filled.max(last_use(&self.filled_long[place(stage, STAGES)]));
        }
        filled <= self.all_past.get() || {
            let all_past = self.all_past(filled);
            if all_past {
                // As far as is known by now: the next few calls need not ask.
                self.all_past.set(self.ended.iter().map(Cell::get).min().unwrap_or(filled));
            }
            all_past
        }
    }

    /// Told when it follows from what this rank has seen that all members have begun the operation
    /// in progress. So they have ended those before it, and none has to be asked: of many members,
    /// each would be a line to fetch.
    #[inline]
    pub fn all_have_begun(&self) {
        // What each of them read before, it has read before it published what this follows from,
        // which we have acquired, if through others.
        self.all_past.set(self.all_past.get().max(self.operation.get()));
    }

    /// Whether every member has ended the operation in progress.
    pub fn all_ended(&self) -> bool {
        self.all_past(self.next.get())
    }

    /// Whether all members have ended all stages before this one. Members that are known to have
    /// are not checked, nor those that come after one that has not: that would fetch a line.
    fn all_past(&self, stage: u64) -> bool {
        self.areas.iter().zip(&self.ended).all(|(area, ended)| {
            if ended.get() < stage {
                // Acquire: pairs with the release in `release` and `end`: what a member read, it
                // has read before we write there again.
                ended.set(area.past.0.load(Ordering::Acquire));
            }
            ended.get() >= stage
        })
    }

    /// Publishes a copy of `bytes` of data, at most [`CollSegment::bytes_left`], which `fill`
    /// writes: all of it, or a chunk of `total` bytes. `has_room` must have said that there is
    /// room.
    #[inline]
    pub fn copy_in(&self, step: usize, bytes: usize, total: u64, fill: impl FnOnce(&mut [u8])) {
        if bytes <= INLINE_BYTES {
            return self.publish(step, bytes as u64, total, fill);
        }
        let (stage, mut taken) = (self.stage(step), self.taken_at(step));
        let (room, used) = match self.needs_long(taken, bytes) {
            true => {
                self.filled_long[place(stage, STAGES)].set(stage + 1);
                let left = ROOM_BYTES - taken.long;
                assert!(bytes <= left, "{bytes} bytes in a room with {left} left");
                (long_room(stage), &mut taken.long)
            }
            false => (self.short_room(stage), &mut taken.short),
        };
        let start = room + *used;
        *used = (*used + bytes).next_multiple_of(CACHE_LINE);
        self.showing.set(stage);
        self.taken.set(taken);
        let data = self.areas[self.me].rooms.at(start);
        assert!(!self.filling.replace(true), "a slot is in use");
        // SAFETY: this part of the room is ours until the step's number is published, `bytes` fits,
        // and nobody here fills another meanwhile.
        fill(unsafe { std::slice::from_raw_parts_mut(data, bytes) });
        self.filling.set(false);
        self.publish(step, bytes as u64, total, |inline| {
            inline[..size_of::<u64>()].copy_from_slice(&(start as u64).to_ne_bytes());
        });
    }

    /// Exposes `bytes` of data at `address` of this process.
    pub fn expose(&self, step: usize, address: u64, bytes: usize) {
        self.exposed[self.slot(self.operation.get(), step)].set((address, bytes));
        self.publish(step, bytes as u64 | EXPOSED, address, |_| ());
    }

    #[inline]
    fn publish(&self, step: usize, bytes: u64, more: u64, inline: impl FnOnce(&mut [u8])) {
        let stage = self.stage(step);
        self.filled[place(stage, self.depth)].set(stage + 1);
        let head = &self.areas[self.me].heads[self.slot(self.operation.get(), step)];
        assert!(!self.filling.replace(true), "a slot is in use");
        head.body.with_mut(|body| {
            // SAFETY: the slot is ours until its number is published.
            unsafe {
                (&raw mut (*body).bytes).write(bytes);
                (&raw mut (*body).whole_or_address).write(more);
                let data = (&raw mut (*body).inline).cast::<u8>();
                let inline_bytes = bytes.min(INLINE_BYTES as u64) as usize;
                inline(std::slice::from_raw_parts_mut(data, inline_bytes));
            }
        });
        self.filling.set(false);
        // Release: pairs with the acquire in `peek`; the data is seen with it.
        head.number.store(number(self.operation.get(), step), Ordering::Release);
    }

    /// What member `by` publishes at `step` of the operation in progress; `None` if it has not yet.
    /// `end`, and `release` of its stage, must wait until the view is gone. Where the data lies is
    /// read from memory that other ranks can write: a place outside the member's area ends this
    /// process.
    #[inline]
    pub fn peek(&self, step: usize, by: usize) -> Option<SlotView<'_>> {
        let data = self.find(step, by)?;
        self.views.set(self.views.get() + 1);
        Some(SlotView { data, views: Some(&self.views) })
    }

    /// Whether member `by` has published something at `step`.
    #[inline]
    pub fn has_published(&self, step: usize, by: usize) -> bool {
        self.find(step, by).is_some()
    }

    #[inline]
    fn find(&self, step: usize, by: usize) -> Option<SlotData<'_>> {
        let (area, operation): (&AreaMemory, u64) = (self.areas[by], self.operation.get());
        let head = &area.heads[self.slot(operation, step)];
        // Acquire: pairs with the release in `publish`.
        if head.number.load(Ordering::Acquire) != number(operation, step) {
            return None;
        }
        // What it ended before it published this, we see with this.
        let ended = &self.ended[by];
        ended.set(ended.get().max(operation));
        let body: *const SlotBody = head.body.with(|body| body);
        // SAFETY: published, and not filled again before we have ended the stage. Volatile: what is
        // checked is what is used.
        let (bytes, address) = unsafe {
            (
                (&raw const (*body).bytes).read_volatile(),
                (&raw const (*body).whole_or_address).read_volatile(),
            )
        };
        if bytes & EXPOSED != 0 {
            // What this rank itself has exposed it may write, so it does not ask others where that
            // is.
            let (address, bytes) = match by == self.me {
                true => self.exposed[self.slot(operation, step)].get(),
                false => (address, (bytes & !EXPOSED) as usize),
            };
            return Some(SlotData::Exposed { address, bytes });
        }
        let bytes = bytes as usize;
        // SAFETY: as above.
        let inline: *const u8 = unsafe { (&raw const (*body).inline).cast() };
        let data = if bytes <= INLINE_BYTES {
            inline
        } else {
            // SAFETY: as above; what was published is an offset. It needs no alignment here.
            let start = unsafe { inline.cast::<[u8; size_of::<u64>()]>().read_volatile() };
            let start = u64::from_ne_bytes(start) as usize;
            let fits = bytes <= ROOM_BYTES && start <= ROOMS_BYTES - bytes;
            assert!(fits, "{DAMAGED}: {bytes} bytes at {start} of the rooms");
            area.rooms.at(start)
        };
        // SAFETY: as above; inside the area, which outlives `self`.
        Some(SlotData::Copied(unsafe { std::slice::from_raw_parts(data, bytes) }))
    }

    /// Of a copy that member `by` publishes at `step`, and that [`CollSegment::peek`] has seen: the
    /// total length, if the data goes in chunks.
    #[inline]
    pub fn total(&self, step: usize, by: usize) -> Option<u64> {
        let head = &self.areas[by].heads[self.slot(self.stage(step), step)];
        let body: *const SlotBody = head.body.with(|body| body);
        // SAFETY: `peek` has acquired it, and it is not filled again before we end the stage.
        let (bytes, total) = unsafe { ((*body).bytes, (*body).whole_or_address) };
        (bytes & EXPOSED == 0).then_some(total)
    }

    /// Whether member `by` has ended the operation in progress: what it has not published by then,
    /// it never will.
    pub fn has_ended(&self, by: usize) -> bool {
        // Acquire: pairs with the release in `end`; whoever reads again sees all that was
        // published.
        self.areas[by].past.0.load(Ordering::Acquire) >= self.next.get()
    }

    /// Ends a stage of the operation in progress at this rank, and those before it: it no longer
    /// reads any of them.
    pub fn release(&self, stage: usize) {
        self.check_unused();
        // Release: pairs with the acquire in `all_past`.
        self.areas[self.me].past.0.store(self.stage(stage * STEPS) + 1, Ordering::Release);
    }

    /// Ends the operation at this rank: it no longer reads any of it.
    #[inline]
    pub fn end(&self) {
        self.check_unused();
        let (area, next) = (self.areas[self.me], self.next.get());
        // Release: pairs with the acquire in `all_past`.
        area.past.0.store(next, Ordering::Release);
        // The others have read this line last: prefetching brings it back while the program
        // computes.
        claim(&area.heads[self.slot(next, 0)]);
        let (taken, before) = (self.taken.get(), self.taken_before.get());
        let (short, long) = (taken.short.max(before.short), taken.long.max(before.long));
        let (room, used) = match long {
            0 => (self.short_room(next), short),
            long => (long_room(next), long),
        };
        for start in (0..used.min(CLAIMED_BYTES)).step_by(CACHE_LINE) {
            // SAFETY: inside a room; the hint reads nothing.
            claim(unsafe { &*area.rooms.at(room + start).cast::<UnsafeCell<u8>>() });
        }
    }
}

#[cfg(all(test, not(loom)))]
impl AreaMemory {
    fn unused() -> Box<Self> {
        // Too large for the stack of a test.
        let layout = std::alloc::Layout::new::<AreaMemory>();
        // SAFETY: zeroed memory is an area that was never used, and the layout is the type's.
        unsafe { Box::from_raw(std::alloc::alloc_zeroed(layout).cast()) }
    }
}

#[cfg(all(test, loom))]
impl AreaMemory {
    fn unused() -> Box<Self> {
        let body = SlotBody { bytes: 0, whole_or_address: 0, inline: [0; INLINE_BYTES] };
        let head = |_| SlotHeader { number: AtomicU64::new(0), body: Shared::new(body) };
        Box::new(AreaMemory {
            past: Past(AtomicU64::new(0)),
            heads: std::array::from_fn(head),
            _apart: std::array::from_fn(|_| 0),
            rooms: Rooms(UnsafeCell::new([0; ROOMS_BYTES])),
        })
    }
}

#[cfg(all(test, not(loom)))]
#[path = "coll_segment_tests.rs"]
mod tests;

#[cfg(all(test, loom))]
#[path = "coll_segment_model.rs"]
mod model;
