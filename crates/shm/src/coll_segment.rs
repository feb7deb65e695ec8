//! The collective segment of a communicator: every rank has an area of its own in the shared
//! segment, with slots that it fills and all others read. A collective operation numbers its steps;
//! a step's slot says by its number for which operation it was filled, so that nothing needs to be
//! cleared. Nobody else writes to an area, and there is no read-modify-write.
//!
//! Most operations have a few steps. Long data goes in chunks: every [`STEPS`] steps are a stage,
//! and a rank says when it no longer reads a stage. It counts the operations and stages that it has
//! ended in one number that only grows. A slot is used again [`DEPTH_MAX`] stages or operations
//! later, once every rank has ended what it was filled for. Up to [`INLINE_BYTES`] travel in the
//! line of the number itself. Longer data is in a room that the steps of a stage share, one after
//! another. There are [`STAGES`] rooms, so that it is always in the same few lines, or, for long
//! data, more (`long_rooms.rs`), and short ones, for up to [`SHORT_BYTES`].

use std::cell::{Cell, UnsafeCell};
use std::time::Duration;

use crate::cell::DAMAGED;
pub use crate::coll_area::{
    AreaMemory, CONTRIBUTION_BYTES, DEPTH_MAX, INLINE_BYTES, ROOM_BYTES, SHORT_BYTES, STAGES,
    STAGES_MAX, STEPS,
};
use crate::coll_area::{
    EXPOSED, LONG_START, PAST_CACHE, SHORT_ROOMS, SLOTS_MAX, SlotBody, TIMED, WIDE_BYTES, number,
    place, short_room, slot,
};
use crate::long_rooms::{LongRooms, Piece};
use crate::sync::{CACHE_LINE, Ordering, claim, fetch};

/// A rank that only reads, and finds everything there at its first look, operation after operation,
/// is behind. After so many such operations it fetches, at the end of each further one, what it
/// will read some operations later, and so many bytes of a room as well: processors follow a copy
/// of more by themselves.
const FOUND_AT_ONCE_MIN: u32 = 2;
const FETCHED_AHEAD: u64 = 2;
const FETCHED_BYTES: usize = 1 << 10;
/// Bytes of the next operation's room that are prefetched for writing, if this operation or the one
/// before has used as many: many programs have barriers between other operations. A gather of 1 KiB
/// between barriers takes 0.41 instead of 0.56 us.
const CLAIMED_BYTES: usize = 4 << 10;

/// How a copy is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stores {
    /// Past the cache.
    pub past_cache: bool,
    /// Its readers are to tell how long they read it.
    pub is_timed: bool,
}

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

impl Stores {
    /// Of the length that is published.
    const fn marks(self) -> u64 {
        (if self.past_cache { PAST_CACHE } else { 0 }) | (if self.is_timed { TIMED } else { 0 })
    }
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

/// One rank's view of the areas of a communicator. A rank makes one with every other member.
#[derive(Debug)]
pub struct CollSegment<'a> {
    areas: Box<[&'a AreaMemory]>,
    me: usize,
    /// The first stage of the operation in progress, and of the next one.
    operation: Cell<u64>,
    next: Cell<u64>,
    /// All members have ended the stages before this one.
    all_past: Cell<u64>,
    /// By member: it is known to have ended the stages before this one.
    ended: Box<[Cell<u64>]>,
    /// By the place of its slots: the stage after the one for which they were last filled.
    filled: [Cell<u64>; DEPTH_MAX],
    /// The same by short room.
    filled_short: [Cell<u64>; SHORT_ROOMS],
    /// Apart: short data does not need them.
    long_rooms: Box<LongRooms>,
    /// There was no room: all members are waited for to end the operations before this one.
    awaited: Cell<u64>,
    /// Operations in a row, before this one, in which this rank published nothing, and what it read
    /// was there at its first look.
    found_at_once: Cell<u32>,
    /// In this operation this rank has published something, or has had to wait for data.
    has_waited: Cell<bool>,
    /// The members that this rank has read in it, a bit each, and the step that it has read last,
    /// and how long a copy that was, as it is published.
    read: Cell<u64>,
    step_read: Cell<usize>,
    length_read: Cell<u64>,
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

/// A time of reading counts as no more than so many times the mean of those before: a rank may lose
/// its core meanwhile.
const OUTLIER: u64 = 4;

/// How long a rank reads others' copies, and how often it has taken the time.
struct Reading {
    count: u64,
    ps: u64,
}

impl From<u64> for Reading {
    fn from(word: u64) -> Reading {
        Reading { count: word >> 32, ps: word & u64::from(u32::MAX) }
    }
}

impl From<Reading> for u64 {
    fn from(reading: Reading) -> u64 {
        (reading.count << 32) | reading.ps.min(u64::from(u32::MAX))
    }
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

impl<'a> CollSegment<'a> {
    /// A collective segment over the members' areas, in the order of their ranks; `first` is the
    /// same at all of them and no area's first stage is later. With `is_wide` this rank's long data
    /// goes round in all long rooms that its area has, if these are many.
    ///
    /// # Safety
    /// No other collective segment, in any process, may have area `me` for its own at the same
    /// time.
    pub unsafe fn new(
        areas: Box<[&'a AreaMemory]>,
        me: usize,
        first: u64,
        is_wide: bool,
    ) -> CollSegment<'a> {
        let is_wide = is_wide && areas[me].long_bytes() >= WIDE_BYTES;
        let ended = areas.iter().map(|_| Cell::new(first)).collect();
        let stage = || Cell::new(first);
        CollSegment {
            areas,
            me,
            operation: stage(),
            next: stage(),
            all_past: stage(),
            ended,
            filled: std::array::from_fn(|_| stage()),
            filled_short: std::array::from_fn(|_| stage()),
            long_rooms: Box::new(LongRooms::new(first, is_wide)),
            awaited: Cell::new(0),
            found_at_once: Cell::new(0),
            has_waited: Cell::new(true),
            read: Cell::new(0),
            step_read: Cell::new(0),
            length_read: Cell::new(0),
            showing: stage(),
            taken: Cell::default(),
            taken_before: Cell::default(),
            exposed: std::array::from_fn(|_| Cell::default()),
            views: Cell::new(0),
            filling: Cell::new(false),
        }
    }

    /// Whether this rank is that member.
    pub fn is_own(&self, member: usize) -> bool {
        member == self.me
    }

    /// Bytes in which this rank's long data goes round, in the end.
    pub fn long_bytes(&self) -> usize {
        self.long_rooms.bytes()
    }

    /// Whether that is more than a core's cache has.
    pub fn is_wide(&self) -> bool {
        self.long_rooms.is_wide()
    }

    /// Whether it goes round in all of it by now.
    #[inline]
    pub fn uses_all_of_it(&self) -> bool {
        self.long_rooms.is_long()
    }

    /// One without members, which stands for one that was taken away.
    pub fn none() -> CollSegment<'static> {
        // SAFETY: it has no area.
        unsafe { CollSegment::new(Box::default(), 0, 0, false) }
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
        let found_at_once =
            if self.has_waited.take() { 0 } else { self.found_at_once.get().saturating_add(1) };
        self.found_at_once.set(found_at_once);
        self.read.set(0);
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

    /// Whether so many bytes more, where these are taken, need the long room.
    #[inline(always)]
    fn needs_long(taken: Taken, bytes: usize) -> bool {
        bytes > SHORT_BYTES.saturating_sub(taken.short)
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
    /// the last use of slot and room, and, once the answer was no, of half of the slots.
    #[inline]
    pub fn has_room(&self, step: usize, bytes: usize) -> bool {
        let stage = self.stage(step);
        // What this stage itself has filled is in use by it.
        let last_use = |filled: &Cell<u64>| match filled.get() {
            filled if filled == stage + 1 => 0,
            filled => filled,
        };
        let mut filled = last_use(&self.filled[place(stage, DEPTH_MAX)]);
        if bytes > INLINE_BYTES {
            let taken = self.taken_at(step);
            filled = filled.max(match Self::needs_long(taken, bytes) {
                true => self.long_rooms.last_use(Piece { stage, taken: taken.long, bytes }),
                false => last_use(&self.filled_short[place(stage, SHORT_ROOMS)]),
            });
        }
        filled <= self.all_past.get() || self.has_room_by_now(filled)
    }

    /// Asks whether all members have ended the stages before this one. Once the answer was no, it
    /// stays no until half of the slots are free.
    #[inline(never)]
    fn has_room_by_now(&self, filled: u64) -> bool {
        let all_past = self.all_past(filled.max(self.awaited.take()));
        if all_past {
            // As far as is known by now: the next few calls need not ask.
            self.all_past.set(self.ended.iter().map(Cell::get).min().unwrap_or(filled));
        } else {
            // All members end these whatever this one does: it has ended them itself.
            let half = (DEPTH_MAX / 2 * STAGES_MAX) as u64;
            self.awaited.set(self.operation.get().saturating_sub(half));
        }
        all_past
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
                ended.set(area.past.stage.load(Ordering::Acquire));
            }
            ended.get() >= stage
        })
    }

    /// Publishes a copy of `bytes` of data, at most [`CollSegment::bytes_left`], which `fill`
    /// writes: all of it, or a chunk of `total` bytes. `has_room` must have said that there is
    /// room.
    #[inline]
    pub fn copy_in(&self, step: usize, bytes: usize, total: u64, fill: impl FnOnce(&mut [u8])) {
        self.copy_in_by(Stores::default(), step, bytes, total, fill);
    }

    /// The same, and says how that is written.
    #[inline]
    pub fn copy_in_by(
        &self,
        stores: Stores,
        step: usize,
        bytes: usize,
        total: u64,
        fill: impl FnOnce(&mut [u8]),
    ) {
        if bytes <= INLINE_BYTES {
            return self.publish(step, bytes as u64, total, fill);
        }
        let (stage, mut taken) = (self.stage(step), self.taken_at(step));
        let (start, used) = match Self::needs_long(taken, bytes) {
            true => {
                let left = ROOM_BYTES - taken.long;
                assert!(bytes <= left, "{bytes} bytes in a room with {left} left");
                let piece = Piece { stage, taken: taken.long, bytes };
                let start = LONG_START + self.long_rooms.take(piece);
                if self.long_rooms.becomes_long(piece) {
                    self.areas[self.me].prefault_long();
                }
                (start, &mut taken.long)
            }
            false => {
                self.filled_short[place(stage, SHORT_ROOMS)].set(stage + 1);
                (short_room(stage) + taken.short, &mut taken.short)
            }
        };
        *used = (*used + bytes).next_multiple_of(CACHE_LINE);
        self.showing.set(stage);
        self.taken.set(taken);
        let data = self.areas[self.me].room(start);
        assert!(!self.filling.replace(true), "a slot is in use");
        // SAFETY: this part of the room is ours until the step's number is published, `bytes` fits,
        // and nobody here fills another meanwhile.
        fill(unsafe { std::slice::from_raw_parts_mut(data, bytes) });
        self.filling.set(false);
        self.publish(step, bytes as u64 | stores.marks(), total, |inline| {
            inline[..size_of::<u64>()].copy_from_slice(&(start as u64).to_ne_bytes());
        });
    }

    /// Exposes `bytes` of data at `address` of this process.
    pub fn expose(&self, step: usize, address: u64, bytes: usize) {
        self.exposed[slot(self.operation.get(), step)].set((address, bytes));
        self.publish(step, bytes as u64 | EXPOSED, address, |_| ());
    }

    #[inline]
    fn publish(&self, step: usize, bytes: u64, more: u64, inline: impl FnOnce(&mut [u8])) {
        let stage = self.stage(step);
        self.filled[place(stage, DEPTH_MAX)].set(stage + 1);
        self.has_waited.set(true);
        let head = &self.areas[self.me].heads[slot(self.operation.get(), step)];
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
        self.read.set(self.read.get() | 1u64.checked_shl(by as u32).unwrap_or(0));
        self.step_read.set(step);
        self.views.set(self.views.get() + 1);
        Some(SlotView { data, views: Some(&self.views) })
    }

    /// What this rank looked for was not there.
    #[inline]
    pub fn has_to_wait(&self) {
        self.has_waited.set(true);
    }

    /// Whether member `by` has published something at `step`.
    #[inline]
    pub fn has_published(&self, step: usize, by: usize) -> bool {
        self.find(step, by).is_some()
    }

    #[inline]
    fn find(&self, step: usize, by: usize) -> Option<SlotData<'_>> {
        let (area, operation): (&AreaMemory, u64) = (self.areas[by], self.operation.get());
        let head = &area.heads[slot(operation, step)];
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
                true => self.exposed[slot(operation, step)].get(),
                false => (address, (bytes & !EXPOSED) as usize),
            };
            self.length_read.set(0);
            return Some(SlotData::Exposed { address, bytes });
        }
        self.length_read.set(bytes);
        let bytes = (bytes & !(PAST_CACHE | TIMED)) as usize;
        // SAFETY: as above.
        let inline: *const u8 = unsafe { (&raw const (*body).inline).cast() };
        let data = if bytes <= INLINE_BYTES {
            inline
        } else {
            // SAFETY: as above; what was published is an offset. It needs no alignment here.
            let start = unsafe { inline.cast::<[u8; size_of::<u64>()]>().read_volatile() };
            let start = u64::from_ne_bytes(start) as usize;
            let fits = bytes <= ROOM_BYTES && start <= area.rooms_bytes() - bytes;
            assert!(fits, "{DAMAGED}: {bytes} bytes at {start} of the rooms");
            area.room(start)
        };
        // SAFETY: as above; inside the area, which outlives `self`.
        Some(SlotData::Copied(unsafe { std::slice::from_raw_parts(data, bytes) }))
    }

    /// Of a copy that member `by` publishes at `step`, and that [`CollSegment::peek`] has seen: the
    /// total length, if the data goes in chunks.
    #[inline]
    pub fn total(&self, step: usize, by: usize) -> Option<u64> {
        let head = &self.areas[by].heads[slot(self.operation.get(), step)];
        let body: *const SlotBody = head.body.with(|body| body);
        // SAFETY: `peek` has acquired it, and it is not filled again before we end the stage.
        let (bytes, total) = unsafe { ((*body).bytes, (*body).whole_or_address) };
        (bytes & EXPOSED == 0).then_some(total)
    }

    /// Whether the copy that was looked at last was written past the cache.
    #[inline]
    pub fn is_past_cache(&self) -> bool {
        self.length_read.get() & PAST_CACHE != 0
    }

    /// How the copy was written that was looked at last, if its readers are to tell how long they
    /// read it.
    #[inline]
    pub fn timed_stores(&self) -> Option<Stores> {
        let stores = || Stores { past_cache: self.is_past_cache(), is_timed: true };
        (self.length_read.get() & TIMED != 0).then(stores)
    }

    /// This rank has read 1 KiB of what was written so in that time.
    pub fn tell_reading(&self, stores: Stores, time: Duration) {
        let told = &self.areas[self.me].past.reading[usize::from(stores.past_cache)];
        // Relaxed: no more than numbers.
        let Reading { count, ps } = Reading::from(told.load(Ordering::Relaxed));
        let now = 1000 * time.as_nanos() as u64;
        let ps = match count {
            0 => now,
            // The first ones make room.
            _ if now < ps => (ps + now) / 2,
            _ => (3 * ps + now.min(OUTLIER * ps)) / 4,
        };
        told.store(u64::from(Reading { count: count + 1, ps }), Ordering::Relaxed);
    }

    /// In what time the others read 1 KiB that is written so, on average, and how often they have
    /// told.
    pub fn reading_time(&self, stores: Stores) -> Option<(Duration, u64)> {
        let others = self.areas.iter().enumerate().filter(|(by, _)| *by != self.me);
        // Relaxed: as above.
        let told = others.map(|(_, area)| {
            let reading = &area.past.reading[usize::from(stores.past_cache)];
            Reading::from(reading.load(Ordering::Relaxed))
        });
        let told = told.filter(|reading| reading.count > 0);
        let (ranks, count, ps) = told.fold((0, 0, 0), |(ranks, count, ps), reading| {
            (ranks + 1, count + reading.count, ps + reading.ps)
        });
        (ranks > 0).then(|| (Duration::from_nanos(ps / ranks / 1000), count))
    }

    /// Whether member `by` has ended the operation in progress: what it has not published by then,
    /// it never will.
    pub fn has_ended(&self, by: usize) -> bool {
        // Acquire: pairs with the release in `end`; whoever reads again sees all that was
        // published.
        self.areas[by].past.stage.load(Ordering::Acquire) >= self.next.get()
    }

    /// Ends a stage of the operation in progress at this rank, and those before it: it no longer
    /// reads any of them.
    pub fn release(&self, stage: usize) {
        self.check_unused();
        // Release: pairs with the acquire in `all_past`.
        self.areas[self.me].past.stage.store(self.stage(stage * STEPS) + 1, Ordering::Release);
    }

    /// Ends the operation at this rank: it no longer reads any of it.
    #[inline]
    pub fn end(&self) {
        self.check_unused();
        let (area, next) = (self.areas[self.me], self.next.get());
        // Release: pairs with the acquire in `all_past`.
        area.past.stage.store(next, Ordering::Release);
        // The others have read this line last: prefetching brings it back while the program
        // computes.
        claim(&area.heads[slot(next, 0)]);
        if self.found_at_once.get() >= FOUND_AT_ONCE_MIN && !self.has_waited.get() {
            self.fetch_ahead();
        }
        let (taken, before) = (self.taken.get(), self.taken_before.get());
        let (short, long) = (taken.short.max(before.short), taken.long.max(before.long));
        let (room, used) = match long {
            0 => (short_room(next), short),
            long => {
                let piece = Piece { stage: next, taken: 0, bytes: long };
                (LONG_START + self.long_rooms.start(piece), long)
            }
        };
        for start in (0..used.min(CLAIMED_BYTES)).step_by(CACHE_LINE) {
            // SAFETY: inside a room; the hint reads nothing.
            claim(unsafe { &*area.room(room + start).cast::<UnsafeCell<u8>>() });
        }
    }

    /// Fetches what this rank will read some operations from now, if it goes on so.
    #[inline(never)]
    fn fetch_ahead(&self) {
        let operation = self.operation.get() + FETCHED_AHEAD * STAGES_MAX as u64;
        let slot = slot(operation, self.step_read.get());
        let in_room = match self.length_read.get() as usize {
            0..=INLINE_BYTES => 0,
            bytes @ ..=SHORT_BYTES => bytes.min(FETCHED_BYTES),
            // Or it has marks, which only long copies have.
            _ => 0,
        };
        let room = short_room(operation + (self.step_read.get() / STEPS) as u64);
        let mut read = self.read.get();
        while read != 0 {
            let area = self.areas[read.trailing_zeros() as usize];
            fetch(&area.heads[slot]);
            for start in (0..in_room).step_by(CACHE_LINE) {
                // SAFETY: inside a room; the hint reads nothing.
                fetch(unsafe { &*area.room(room + start).cast::<UnsafeCell<u8>>() });
            }
            read &= read - 1;
        }
    }
}

#[cfg(all(test, not(loom)))]
#[path = "coll_segment_tests.rs"]
mod tests;

#[cfg(all(test, loom))]
#[path = "coll_segment_model.rs"]
mod model;
