//! What the ranks of a communicator show each other: every rank has a place of its own in the
//! segment, with slots that it fills and all others read. A collective operation numbers its steps;
//! a step's slot says by its number for which operation it was filled, so that nothing needs to be
//! cleared. Nobody else writes to a place, and there is no read-modify-write.
//!
//! Most operations have a few steps. Long data goes in pieces: every [`STEPS`] steps are a stage,
//! and a rank says when it looks at a stage no more. Whatever it ends, an operation or a stage, it
//! counts in one number that only grows. A slot is used again [`STAGES`] stages or [`DEPTH`]
//! operations later, once every rank has ended what it was filled for. Up to [`INLINE_BYTES`]
//! travel in the line of the number itself; longer data lies in a room that the steps of a stage
//! share, one after another, so that short data always lies in the same few lines.

use std::cell::{Cell, UnsafeCell};

use crate::layout::LINE;
use crate::sync::{AtomicU64, Ordering, Shared, claim};

/// Steps of one stage.
pub const STEPS: usize = 8;
/// Stages of one operation whose slots are apart: one is filled while the one before is read, and
/// what lies in them stays in the cache.
pub const STAGES: usize = if cfg!(loom) { 2 } else { 4 };
/// Stages that an operation can have: numbers are set apart for so many.
pub const STAGES_MAX: usize = 1 << 12;
/// Operations that a rank may be ahead of the slowest: enough that a root that hands out seldom
/// waits, few enough that slots stay in the cache.
pub const DEPTH: usize = if cfg!(loom) { 2 } else { 4 };
/// Bytes that a rank can contribute to one operation by a copy. With longer data one copy out of
/// the owner's memory costs less than two through shared memory.
pub const CONTRIBUTION_BYTES: usize = if cfg!(loom) { 2 * LINE } else { 64 << 10 };
/// Bytes of data that a rank can show by copies in one operation: its contribution, and the part of
/// a result that is its share where two ranks or more divide it.
pub const ROOM_BYTES: usize = CONTRIBUTION_BYTES + CONTRIBUTION_BYTES / 2;
/// Bytes of the next operation's room that are fetched for writing ahead, if this operation or the
/// one before has used as many: many programs have barriers between other operations. A gather of
/// 1 KiB between barriers takes 0.41 instead of 0.56 us.
const CLAIMED_BYTES: usize = 4 << 10;
/// Bytes that fit beside a slot's number.
pub const INLINE_BYTES: usize = 40;

const SLOTS: usize = DEPTH * STEPS;

/// Set in the length of data that is lent.
const LENT: u64 = 1 << 63;

/// The first line of a slot.
#[derive(Debug)]
#[repr(C, align(64))]
struct Head {
    /// For which step of which operation it was filled; see [`number`].
    number: AtomicU64,
    body: Shared<Body>,
}

#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct Body {
    /// With [`LENT`] if the data lies in the owner's memory.
    bytes: u64,
    /// Of data that is lent, where it lies; of a copy, how much there is in all, if it goes in
    /// pieces.
    whole_or_address: u64,
    /// Short data itself; of longer data that was copied, where it begins in the room.
    inline: [u8; INLINE_BYTES],
}

// SAFETY: written by the owner before the number is published, read by others after it, and written
// again only after all have said that they are past it.
unsafe impl Sync for Head {}

/// What the slots of one operation hold. Its parts belong to slots, and are written and read with
/// the bodies of these: the model, which checks the bodies, checks this as well.
#[derive(Debug)]
#[repr(C, align(64))]
struct Room(UnsafeCell<[u8; ROOM_BYTES]>);

// SAFETY: as for `Head`.
unsafe impl Sync for Room {}

impl Room {
    fn at(&self, offset: usize) -> *mut u8 {
        self.0.get().cast::<u8>().wrapping_add(offset)
    }
}

#[derive(Debug)]
#[repr(C, align(64))]
struct Past(AtomicU64);

/// The memory of one place; zeroed memory is a place that was never used.
#[derive(Debug)]
#[repr(C)]
pub struct PlaceMemory {
    /// The owner has ended all stages before this one.
    past: Past,
    heads: [Head; SLOTS],
    rooms: [Room; DEPTH],
}

const _: () = assert!(size_of::<Body>() == 56);

/// What is shown at one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown<'a> {
    /// A copy of the data.
    Here(&'a [u8]),
    /// Where it lies in its owner's memory.
    There {
        /// Its address in the owner.
        address: u64,
        /// Its length.
        bytes: usize,
    },
}

impl Shown<'_> {
    /// How long the data is.
    #[inline]
    pub fn bytes(&self) -> usize {
        match self {
            Shown::Here(data) => data.len(),
            Shown::There { bytes, .. } => *bytes,
        }
    }
}

/// One rank's view of the places of a communicator. A rank makes one with every other member.
#[derive(Debug)]
pub struct Board<'a> {
    places: Box<[&'a PlaceMemory]>,
    me: usize,
    /// The first stage of the operation in progress, and of the next one.
    operation: u64,
    next: u64,
    /// All members have ended the stages before this one.
    all_past: u64,
    /// By member: it is known to have ended the stages before this one.
    ended: Box<[Cell<u64>]>,
    /// By room: the stage after the one it was last filled for.
    filled: [u64; DEPTH],
    /// The stage whose steps this rank shows, and bytes of its room that they have taken.
    showing: u64,
    taken: usize,
    /// The bytes that the last stage of the operation before has taken.
    taken_before: usize,
}

// Else two stages in use at once would share a room.
const _: () = assert!(STAGES == DEPTH && STAGES_MAX % STAGES == 0);

/// What a slot's number is when it is filled for a step of an operation; never zero.
#[inline(always)]
fn number(operation: u64, step: usize) -> u64 {
    operation * STEPS as u64 + step as u64 + 1
}

#[inline(always)]
fn slot(operation: u64, step: usize) -> usize {
    ((operation / STAGES_MAX as u64) as usize * STEPS + step) % SLOTS
}

#[inline(always)]
fn room(stage: u64) -> usize {
    let (operation, stage) = (stage / STAGES_MAX as u64, stage % STAGES_MAX as u64);
    ((operation + stage) % DEPTH as u64) as usize
}

impl PlaceMemory {
    /// Its owner has ended all stages before this one: a board that takes it over must begin there,
    /// or later.
    pub fn first_stage(&self) -> u64 {
        // Relaxed: asked by the owner, who wrote it.
        self.past.0.load(Ordering::Relaxed)
    }
}

impl<'a> Board<'a> {
    /// A board over the members' places, in the order of their ranks; `first` is the same at all of
    /// them and no place's first stage is later.
    pub fn new(places: Box<[&'a PlaceMemory]>, me: usize, first: u64) -> Board<'a> {
        let ended = places.iter().map(|_| Cell::new(first)).collect();
        let (operation, next, all_past, showing) = (first, first, first, first);
        let (filled, taken, taken_before) = ([first; DEPTH], 0, 0);
        Board { places, me, operation, next, all_past, ended, filled, showing, taken, taken_before }
    }

    /// Begins the next operation.
    #[inline]
    pub fn begin(&mut self) {
        self.operation = self.next.next_multiple_of(STAGES_MAX as u64);
        self.next = self.operation + STAGES_MAX as u64;
        self.showing = self.operation;
        self.taken_before = std::mem::take(&mut self.taken);
    }

    /// The stage of a step of the operation in progress.
    #[inline]
    fn stage(&self, step: usize) -> u64 {
        assert!(step / STEPS < STAGES_MAX, "step {step} of an operation");
        self.operation + (step / STEPS) as u64
    }

    /// Bytes that this step can show by a copy, when those before it have been shown.
    #[inline]
    pub fn bytes_left(&self, step: usize) -> usize {
        if self.showing == self.stage(step) { ROOM_BYTES - self.taken } else { ROOM_BYTES }
    }

    /// Whether the slot of this step may be filled: everyone has ended its last use.
    #[inline]
    pub fn has_room(&mut self, step: usize) -> bool {
        let stage = self.stage(step);
        let filled = self.filled[room(stage)];
        filled == stage + 1 || filled <= self.all_past || {
            let all_past = self.all_past(filled);
            if all_past {
                // As far as is known by now: the next few calls need not ask.
                self.all_past = self.ended.iter().map(Cell::get).min().unwrap_or(filled);
            }
            all_past
        }
    }

    /// Whether every member has ended the operation in progress.
    pub fn all_ended(&self) -> bool {
        self.all_past(self.next)
    }

    /// Whether all members have ended all stages before this one. Who is known to have is not
    /// asked, nor who comes after one who has not: that would fetch a line.
    fn all_past(&self, stage: u64) -> bool {
        self.places.iter().zip(&self.ended).all(|(place, ended)| {
            if ended.get() < stage {
                // Acquire: pairs with the release in `leave` and `end`: what a member read, it has
                // read before we write there again.
                ended.set(place.past.0.load(Ordering::Acquire));
            }
            ended.get() >= stage
        })
    }

    /// Shows `bytes` of data, at most [`Board::bytes_left`], which `fill` writes: all there is, or
    /// a piece of `whole` bytes. `has_room` must have said that there is room.
    #[inline]
    pub fn post(&mut self, step: usize, bytes: usize, whole: u64, fill: impl FnOnce(&mut [u8])) {
        if bytes <= INLINE_BYTES {
            return self.publish(step, bytes as u64, whole, fill);
        }
        let stage = self.stage(step);
        let start = ROOM_BYTES - self.bytes_left(step);
        assert!(bytes <= ROOM_BYTES - start, "{bytes} bytes in a room with {start} taken");
        (self.showing, self.taken) = (stage, (start + bytes).next_multiple_of(LINE));
        let data = self.places[self.me].rooms[room(stage)].at(start);
        // SAFETY: this part of the room is ours until the step's number is published, and `bytes`
        // fits.
        fill(unsafe { std::slice::from_raw_parts_mut(data, bytes) });
        self.publish(step, bytes as u64, whole, |inline| {
            inline[..size_of::<u64>()].copy_from_slice(&(start as u64).to_ne_bytes());
        });
    }

    /// Shows `bytes` of data at `address` of this process.
    pub fn lend(&mut self, step: usize, address: u64, bytes: usize) {
        self.publish(step, bytes as u64 | LENT, address, |_| ());
    }

    #[inline]
    fn publish(&mut self, step: usize, bytes: u64, more: u64, inline: impl FnOnce(&mut [u8])) {
        let stage = self.stage(step);
        self.filled[room(stage)] = stage + 1;
        let head = &self.places[self.me].heads[slot(self.operation, step)];
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
        // Release: pairs with the acquire in `look`; the data is seen with it.
        head.number.store(number(self.operation, step), Ordering::Release);
    }

    /// What member `by` shows at `step` of the operation in progress; `None` if it does not yet. It
    /// may be looked at until `end`, or `leave` of its stage.
    #[inline]
    pub fn look(&self, step: usize, by: usize) -> Option<Shown<'a>> {
        let place: &'a PlaceMemory = self.places[by];
        let head = &place.heads[slot(self.operation, step)];
        // Acquire: pairs with the release in `publish`.
        if head.number.load(Ordering::Acquire) != number(self.operation, step) {
            return None;
        }
        // What it ended before it showed this, we see with this.
        let ended = &self.ended[by];
        ended.set(ended.get().max(self.operation));
        let body: *const Body = head.body.with(|body| body);
        // SAFETY: published, and not filled again before we have ended the stage.
        let (bytes, address) = unsafe { ((*body).bytes, (*body).whole_or_address) };
        if bytes & LENT != 0 {
            return Some(Shown::There { address, bytes: (bytes & !LENT) as usize });
        }
        let bytes = bytes as usize;
        // SAFETY: as above.
        let inline: *const u8 = unsafe { (&raw const (*body).inline).cast() };
        let data = if bytes <= INLINE_BYTES {
            inline
        } else {
            // SAFETY: as above; what was published is an offset. It needs no alignment here.
            let start = unsafe { inline.cast::<u64>().read_unaligned() };
            place.rooms[room(self.stage(step))].at(start as usize)
        };
        // SAFETY: as above; whoever filled it has checked `bytes`, and the memory lives for 'a.
        Some(Shown::Here(unsafe { std::slice::from_raw_parts(data, bytes) }))
    }

    /// What member `by` says of a copy that it shows at `step`, and that [`Board::look`] has seen:
    /// how much there is in all, where the data goes in pieces.
    #[inline]
    pub fn whole(&self, step: usize, by: usize) -> Option<u64> {
        let head = &self.places[by].heads[slot(self.stage(step), step)];
        let body: *const Body = head.body.with(|body| body);
        // SAFETY: `look` has acquired it, and it is not filled again before we end the stage.
        let (bytes, whole) = unsafe { ((*body).bytes, (*body).whole_or_address) };
        (bytes & LENT == 0).then_some(whole)
    }

    /// Whether member `by` has ended the operation in progress: what it has not shown by then, it
    /// never will.
    pub fn has_ended(&self, by: usize) -> bool {
        // Acquire: pairs with the release in `end`; whoever looks again sees all that was shown.
        self.places[by].past.0.load(Ordering::Acquire) >= self.next
    }

    /// Ends a stage of the operation in progress at this rank, and those before it: it looks at
    /// nothing of them any more.
    pub fn leave(&self, stage: usize) {
        // Release: pairs with the acquire in `all_past`.
        self.places[self.me].past.0.store(self.stage(stage * STEPS) + 1, Ordering::Release);
    }

    /// Ends the operation at this rank: it looks at nothing of it any more.
    #[inline]
    pub fn end(&self) {
        let place = self.places[self.me];
        // Release: pairs with the acquire in `all_past`.
        place.past.0.store(self.next, Ordering::Release);
        // The others have read this line last: it comes back while the program computes.
        claim(&place.heads[slot(self.next, 0)]);
        let room = &place.rooms[room(self.next)];
        let claimed = self.taken.max(self.taken_before).min(CLAIMED_BYTES);
        for start in (0..claimed).step_by(LINE) {
            // SAFETY: inside the room; the hint reads nothing.
            claim(unsafe { &*room.at(start).cast::<UnsafeCell<u8>>() });
        }
    }
}

#[cfg(all(test, not(loom)))]
impl PlaceMemory {
    fn unused() -> Box<Self> {
        // Too large for the stack of a test.
        let layout = std::alloc::Layout::new::<PlaceMemory>();
        // SAFETY: zeroed memory is a place that was never used, and the layout is the type's.
        unsafe { Box::from_raw(std::alloc::alloc_zeroed(layout).cast()) }
    }
}

#[cfg(all(test, loom))]
impl PlaceMemory {
    fn unused() -> Box<Self> {
        let body = Body { bytes: 0, whole_or_address: 0, inline: [0; INLINE_BYTES] };
        let head = |_| Head { number: AtomicU64::new(0), body: Shared::new(body) };
        let room = |_| Room(UnsafeCell::new([0; ROOM_BYTES]));
        Box::new(PlaceMemory {
            past: Past(AtomicU64::new(0)),
            heads: std::array::from_fn(head),
            rooms: std::array::from_fn(room),
        })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::thread::yield_now;

    fn boards(memory: &[Box<PlaceMemory>], first: u64) -> Vec<Board<'_>> {
        let places = || memory.iter().map(|m| &**m).collect();
        (0..memory.len()).map(|me| Board::new(places(), me, first)).collect()
    }

    #[test]
    fn what_is_posted_or_lent_is_seen_at_its_step_alone() {
        let memory = [PlaceMemory::unused(), PlaceMemory::unused()];
        let mut boards = boards(&memory, 7);
        let (a, b) = boards.split_at_mut(1);
        let (a, b) = (&mut a[0], &mut b[0]);
        for bytes in [0, 1, INLINE_BYTES, INLINE_BYTES + 1, ROOM_BYTES] {
            a.begin();
            b.begin();
            assert!(a.has_room(0));
            a.post(0, bytes, 2 * bytes as u64, |to| to.fill(bytes as u8));
            a.lend(1, 4096, bytes);
            assert_eq!(b.look(0, 0), Some(Shown::Here(&vec![bytes as u8; bytes])));
            assert_eq!(b.look(1, 0), Some(Shown::There { address: 4096, bytes }));
            assert_eq!((b.whole(0, 0), b.whole(1, 0)), (Some(2 * bytes as u64), None));
            assert!(b.look(2, 0).is_none() && b.look(0, 1).is_none());
            a.end();
            assert!(!a.all_ended() && b.has_ended(0) && !a.has_ended(1));
            b.end();
            assert!(a.all_ended());
        }
    }

    #[test]
    fn the_steps_of_an_operation_share_its_room_and_the_next_begins_anew() {
        let memory = [PlaceMemory::unused(), PlaceMemory::unused()];
        let mut boards = boards(&memory, 0);
        let (a, b) = boards.split_at_mut(1);
        for _ in 0..2 {
            a[0].begin();
            b[0].begin();
            let sizes = [ROOM_BYTES / 2 + 1, 1, LINE, ROOM_BYTES / 4];
            for (step, &bytes) in sizes.iter().enumerate() {
                a[0].post(step, bytes, 0, |to| to.fill(step as u8));
            }
            for (step, &bytes) in sizes.iter().enumerate() {
                assert_eq!(b[0].look(step, 0), Some(Shown::Here(&vec![step as u8; bytes])));
            }
            assert_eq!(a[0].bytes_left(sizes.len() - 1), ROOM_BYTES / 4 - 2 * LINE);
            a[0].end();
            b[0].end();
        }
    }

    #[test]
    fn a_rank_that_runs_ahead_is_held_back() {
        let memory = [PlaceMemory::unused(), PlaceMemory::unused()];
        let mut boards = boards(&memory, 0);
        for _ in 0..DEPTH {
            boards[0].begin();
            assert!(boards[0].has_room(0));
            boards[0].post(0, 1, 1, |to| to.fill(1));
            boards[0].end();
        }
        boards[0].begin();
        assert!(!boards[0].has_room(0));
        boards[1].begin();
        boards[1].end();
        assert!(boards[0].has_room(0));
    }

    #[test]
    fn stages_have_a_room_each_that_is_used_again_when_all_have_left_it() {
        let memory = [PlaceMemory::unused(), PlaceMemory::unused()];
        let mut boards = boards(&memory, 0);
        let (a, b) = boards.split_at_mut(1);
        let (a, b) = (&mut a[0], &mut b[0]);
        for _ in 0..2 {
            a.begin();
            b.begin();
            let mut show = |stage: usize| {
                let step = stage * STEPS + 1;
                a.leave(stage);
                let has_room = a.has_room(step);
                if has_room {
                    assert_eq!(a.bytes_left(step), ROOM_BYTES);
                    a.post(step, ROOM_BYTES, 0, |to| to.fill(stage as u8));
                }
                has_room
            };
            let seen = |stage: usize| b.look(stage * STEPS + 1, 0);
            assert!((0..STAGES).all(&mut show) && !show(STAGES));
            for stage in 0..STAGES {
                assert_eq!(seen(stage), Some(Shown::Here(&[stage as u8; ROOM_BYTES])));
                b.leave(stage);
            }
            assert!(show(STAGES) && !a.has_ended(1));
            assert_eq!(seen(STAGES), Some(Shown::Here(&[STAGES as u8; ROOM_BYTES])));
            a.end();
            b.end();
            assert!(a.all_ended() && b.all_ended());
        }
    }

    #[test]
    fn threads_that_sum_each_others_numbers_agree_over_many_operations() {
        const RANKS: usize = 3;
        let memory: Vec<_> = (0..RANKS).map(|_| PlaceMemory::unused()).collect();
        std::thread::scope(|s| {
            for mut board in boards(&memory, 5) {
                s.spawn(move || {
                    for round in 0..2000u64 {
                        board.begin();
                        while !board.has_room(0) {
                            yield_now();
                        }
                        let mine = round * RANKS as u64 + board.me as u64;
                        let bytes = if round % 2 == 0 { 8 } else { 80 };
                        board.post(0, bytes, 0, |to| to[..8].copy_from_slice(&mine.to_le_bytes()));
                        let mut sum = 0;
                        for by in 0..RANKS {
                            sum += loop {
                                if let Some(Shown::Here(data)) = board.look(0, by) {
                                    break u64::from_le_bytes(data[..8].try_into().unwrap());
                                }
                                yield_now();
                            };
                        }
                        assert_eq!(sum, RANKS as u64 * (round * RANKS as u64 + 1));
                        board.end();
                    }
                });
            }
        });
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;

    /// Too many for the line of the number.
    const BYTES: usize = INLINE_BYTES + 1;

    /// A reader sees what was posted for its operation, and never while the slot is filled again.
    #[test]
    fn a_slot_is_filled_again_only_after_all_are_past_it() {
        loom::model(|| {
            let memory = Arc::new([PlaceMemory::unused(), PlaceMemory::unused()]);
            let other = memory.clone();
            let rounds = DEPTH as u64 + 1;
            let reader = loom::thread::spawn(move || {
                let mut board = Board::new(other.iter().map(|m| &**m).collect(), 1, 0);
                for round in 0..rounds {
                    board.begin();
                    let seen = loop {
                        if let Some(seen) = board.look(0, 0) {
                            break seen;
                        }
                        loom::thread::yield_now();
                    };
                    assert_eq!(seen, Shown::Here(&[round as u8; BYTES]));
                    board.end();
                }
            });
            let mut board = Board::new(memory.iter().map(|m| &**m).collect(), 0, 0);
            for round in 0..rounds {
                board.begin();
                while !board.has_room(0) {
                    loom::thread::yield_now();
                }
                board.post(0, BYTES, 0, |to| to.fill(round as u8));
                board.end();
            }
            reader.join().unwrap();
        });
    }

    /// The same for the stages of one operation.
    #[test]
    fn a_slot_is_filled_for_a_later_stage_only_after_all_have_left_the_earlier_one() {
        loom::model(|| {
            let memory = Arc::new([PlaceMemory::unused(), PlaceMemory::unused()]);
            let other = memory.clone();
            let stages = STAGES + 1;
            let reader = loom::thread::spawn(move || {
                let mut board = Board::new(other.iter().map(|m| &**m).collect(), 1, 0);
                board.begin();
                for stage in 0..stages {
                    let seen = loop {
                        if let Some(seen) = board.look(stage * STEPS, 0) {
                            break seen;
                        }
                        loom::thread::yield_now();
                    };
                    assert_eq!(seen, Shown::Here(&[stage as u8; BYTES]));
                    board.leave(stage);
                }
                board.end();
            });
            let mut board = Board::new(memory.iter().map(|m| &**m).collect(), 0, 0);
            board.begin();
            for stage in 0..stages {
                let step = stage * STEPS;
                while !board.has_room(step) {
                    loom::thread::yield_now();
                }
                board.post(step, BYTES, 0, |to| to.fill(stage as u8));
                board.leave(stage);
            }
            board.end();
            reader.join().unwrap();
        });
    }
}
