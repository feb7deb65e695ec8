//! The ring by which one rank sends packets to another: a single producer, a single consumer. A
//! packet is one cell, which holds a sequence number, the header and a short payload; a longer
//! payload lies in payload lines beside it, which are written first and need no sequence numbers.
//!
//! So one line moves between the cores per small packet, and a line is never fetched by a reader
//! that polls it while it is still written: that cost more than anything else. With a sequence
//! number in every line, 4 KB went from core to core in 3.4 us; with payload lines it takes 1.1 us
//! (Intel Xeon, bare ping-pong in C; to publish in pieces, for copies that overlap, gained
//! nothing).
//!
//! The consumer returns credits lazily, in a line of its own. There is no read-modify-write and no
//! shared index.

use std::time::Instant;

use crate::cell::{
    self, Cell, CellHeader, INLINE_BYTES, PAYLOAD_LINE_BYTES, Packet, PayloadLine,
    payload_lines_for,
};
use crate::fast_box::FAST_BOX_BYTES;
use crate::ring_extent::{Extent, Growth};
use crate::store_choice::{CHOICE_LINES_MIN, StoreChoice};
use crate::sync::{AtomicU32, AtomicU64, InRegion, Ordering, claim, fetch, full_fence};

/// The consumer returns credits each time this fraction of the ring has been read.
const CREDIT_FRACTION: u32 = 4;

/// The consumer fetches the line so far ahead of what it reads. Windows of 8-byte messages: 25
/// million a second with this, 24 with 2, 23 with 8, and 21 without.
const FETCH_AHEAD: u32 = 4;

/// The producer prefetches for writing the line so far beyond the one it has just written, which
/// the consumer has read last: else its stores wait for one line after the other, and stay just
/// ahead of a consumer that takes the lines away as they are written. Windows of 8-byte messages:
/// 34 million a second in the median window with this (the same with 1 to 6), 28 without.
const CLAIM_AHEAD: u32 = 3;
/// Longer payloads are not claimed: libraries copy them by string instructions (`rep movsb`), which
/// write whole lines without fetching them, and what fetches them costs more than it saves. On an
/// AMD EPYC (Zen 5) 8 KB take 0.31 us from core to core so, 0.47 claimed; windows of 4 KB move 45
/// GB/s, not 17. (Up to 2 KB claims gain up to 1.3.)
const CLAIM_LINES_MAX: u32 = 32;
/// Messages of two usual windows.
const IN_TWO_WINDOWS: usize = 2 * 64;

/// What the ends of a ring tell each other beside packets.
#[derive(Debug)]
pub struct RingState {
    /// How far the consumer has read, lines in the lower half and payload lines in the upper: what
    /// comes before may be overwritten.
    credit: AtomicU64,
    /// Whether the ring is long, from the end of the lap on in which the producer says so.
    is_long: AtomicU32,
}

// SAFETY: made of atomics.
unsafe impl InRegion for RingState {}

#[cfg(test)]
impl RingState {
    pub(crate) fn unused() -> RingState {
        RingState { credit: AtomicU64::new(0), is_long: AtomicU32::new(0) }
    }
}

/// The memory of one ring: lines and payload lines, a power of two of each, and its state.
#[derive(Debug, Clone, Copy)]
pub struct RingMemory<'a> {
    cells: &'a [Cell],
    payload_lines: &'a [PayloadLine],
    short_lines: u32,
    state: &'a RingState,
}

impl<'a> RingMemory<'a> {
    /// A ring over `cells` and `payload_lines`, of which it uses the first `short_lines` while it
    /// is short. All three must be powers of two.
    pub fn new(
        cells: &'a [Cell],
        payload_lines: &'a [PayloadLine],
        short_lines: usize,
        state: &'a RingState,
    ) -> Self {
        let (l, b, s) = (cells.len(), payload_lines.len(), short_lines);
        assert!(
            l.is_power_of_two() && b.is_power_of_two() && s.is_power_of_two() && s <= b,
            "{l} lines, {s} of {b} payload lines"
        );
        RingMemory { cells, payload_lines, short_lines: s as u32, state }
    }

    fn long_lines(&self) -> u32 {
        self.payload_lines.len() as u32
    }

    /// Whether a lap of the short part ends between two places.
    #[inline(always)]
    fn crosses_lap_end(&self, before: u32, after: u32) -> bool {
        (before ^ after) & !(self.short_lines - 1) != 0
    }

    /// The longest payload that always finds room once the ring drains, however many credits the
    /// consumer still keeps.
    pub const fn payload_max(payload_lines: usize) -> usize {
        (payload_lines - payload_lines / CREDIT_FRACTION as usize) * PAYLOAD_LINE_BYTES
    }

    #[inline(always)]
    fn cell(&self, position: u32) -> &'a Cell {
        // SAFETY: the number of lines is a power of two, which `new` checked.
        unsafe { self.cells.get_unchecked(position as usize & (self.cells.len() - 1)) }
    }

    #[inline(always)]
    fn payload_line(&self, extent: Extent, position: u32) -> &'a PayloadLine {
        &self.payload_lines[extent.place(position)]
    }

    /// The payload lines from `position` to the end of those that are used, and those from their
    /// start.
    #[inline(always)]
    fn payload_lines_from(
        &self,
        extent: Extent,
        position: u32,
    ) -> (&'a [PayloadLine], &'a [PayloadLine]) {
        let (start, rest) =
            self.payload_lines[..extent.lines as usize].split_at(extent.place(position));
        (rest, start)
    }
}

/// A place in a ring: how many lines and payload lines came before, both wrapping.
#[derive(Debug, Clone, Copy, Default)]
struct Position {
    cells: u32,
    payload_lines: u32,
}

/// The sending end. There must be one in the whole job.
#[derive(Debug)]
pub struct Producer<'a> {
    ring: RingMemory<'a>,
    /// What is written next.
    header: Position,
    /// What must not be reached: the consumer's last known credit plus the ring's length.
    limit: Position,
    extent: Extent,
    growth: Growth,
    stores: StoreChoice,
}

impl<'a> Producer<'a> {
    /// The producer of a ring that was never used.
    ///
    /// # Safety
    /// There must be no other producer of this ring, in any process.
    pub unsafe fn new(ring: RingMemory<'a>) -> Self {
        let (header, limit) = (Position::default(), Position::default());
        let extent = Extent::short(ring.short_lines);
        let (growth, stores) = (Growth::default(), StoreChoice::default());
        let mut made = Producer { ring, header, limit, extent, growth, stores };
        made.set_limit(0);
        made
    }

    /// Whether a packet with `len` payload bytes can be written now.
    #[inline(always)]
    pub fn has_room(&mut self, len: usize) -> bool {
        self.is_within_limit(len) || self.has_room_now(len)
    }

    /// Whether so many packets that take one cell each can be written now.
    pub fn has_cells(&mut self, packets: u32) -> bool {
        let free = |ring: &Self| ring.limit.cells.wrapping_sub(ring.header.cells);
        if free(self) < packets {
            self.renew_limit();
        }
        free(self) >= packets
    }

    #[inline(always)]
    fn is_within_limit(&self, len: usize) -> bool {
        self.limit.cells != self.header.cells
            && self.limit.payload_lines.wrapping_sub(self.header.payload_lines)
                >= payload_lines_for(len)
    }

    #[inline(never)]
    fn has_room_now(&mut self, len: usize) -> bool {
        self.renew_limit();
        self.is_within_limit(len)
    }

    fn renew_limit(&mut self) {
        // Acquire: pairs with the release in `Consumer::return_credit`; the consumer's reads of
        // what it returns happen before our writes into it.
        let credit = self.ring.state.credit.load(Ordering::Acquire);
        self.set_limit(credit);
    }

    /// A credit that frees more than the ring has is the consumer's mistake, and ignored: what is
    /// within the limit always is within the ring.
    fn set_limit(&mut self, credit: u64) {
        let cells = self.ring.cells.len() as u32;
        let payload_lines = self.growth.free_lines(self.extent, self.ring.short_lines);
        let limit = Position {
            cells: (credit as u32).wrapping_add(cells),
            payload_lines: ((credit >> 32) as u32).wrapping_add(payload_lines),
        };
        if limit.cells.wrapping_sub(self.header.cells) <= cells
            && limit.payload_lines.wrapping_sub(self.header.payload_lines) <= payload_lines
        {
            self.limit = limit;
        }
    }

    /// How many lines this end has written, wrapping.
    #[inline(always)]
    pub fn position(&self) -> u32 {
        self.header.cells
    }

    /// Says whether the ring may become long when much has been sent. One that is long stays so.
    pub(crate) fn let_become_long(&mut self, may: bool) {
        self.growth.may_grow = may && self.ring.long_lines() > self.ring.short_lines;
    }

    /// Whether it is long, or becomes so at the end of this lap, and has room for two windows of 64
    /// payloads of this length.
    #[inline]
    pub(crate) fn is_long_for(&self, bytes: usize) -> bool {
        let is_long = self.growth.is_due() || self.extent.lines > self.ring.short_lines;
        is_long && self.would_have_room_for(bytes)
    }

    /// Whether it would have that room if it were long.
    #[inline]
    fn would_have_room_for(&self, bytes: usize) -> bool {
        bytes <= self.ring.payload_lines.len() * PAYLOAD_LINE_BYTES / IN_TWO_WINDOWS
    }

    /// A payload of so many bytes went another way, and goes by this ring if that is long.
    pub(crate) fn count_elsewhere(&mut self, bytes: usize) {
        if self.would_have_room_for(bytes) {
            self.growth.count(bytes.div_ceil(PAYLOAD_LINE_BYTES) as u32);
        }
    }

    /// Counts a long payload that may go another way; true if it must come here to be timed.
    pub(crate) fn must_come(&mut self) -> bool {
        !self.growth.is_first_lap() && self.stores.must_come()
    }

    /// Which way long payloads are written.
    #[inline(always)]
    pub(crate) fn stores(&mut self) -> &mut StoreChoice {
        &mut self.stores
    }

    /// Writes a packet; false if there is no room. `packet.len` is set from the payload.
    #[inline(always)]
    pub fn try_push(&mut self, packet: &Packet, payload: &[u8]) -> bool {
        if !self.has_room(payload.len()) {
            return false;
        }
        let line = self.ring.cell(self.header.cells);
        self.header.cells = self.header.cells.wrapping_add(1);
        let header = CellHeader::new(packet, payload.len() as u16, self.header.cells);
        let (in_line, becomes_long) = if payload.len() <= INLINE_BYTES {
            (payload, false)
        } else {
            (&[][..], self.push_payload(payload))
        };
        // SAFETY: below `limit` lines belong to the producer.
        unsafe { line.write(header, packet, in_line) };
        if becomes_long {
            self.prefault_rest();
        }
        if self.limit.cells.wrapping_sub(self.header.cells) > CLAIM_AHEAD {
            claim(self.ring.cell(self.header.cells.wrapping_add(CLAIM_AHEAD - 1)));
        }
        true
    }

    /// Writes a payload into payload lines. True if the ring becomes long with this packet.
    #[inline(never)]
    fn push_payload(&mut self, payload: &[u8]) -> bool {
        let payload_lines = payload_lines_for(payload.len());
        let stores = match self.growth.is_first_lap() {
            // In no cache yet are lines that soon will be.
            true => self.stores.untimed(payload_lines),
            false => self.stores.next(payload_lines),
        };
        let start = stores.is_timed.then(Instant::now);
        let before = self.header.payload_lines;
        let (first, second) = self.ring.payload_lines_from(self.extent, before);
        let (to_first, to_second) =
            payload.split_at(payload.len().min(first.len() * PAYLOAD_LINE_BYTES));
        for (lines, data) in [(first, to_first), (second, to_second)] {
            if data.is_empty() {
                continue;
            }
            // SAFETY: below `limit` payload lines belong to the producer.
            unsafe {
                match stores.are_past_cache {
                    true => cell::write_payload_lines_past_cache(lines, data),
                    false => cell::write_payload_lines(lines, data),
                }
            }
        }
        if let Some(start) = start {
            full_fence();
            self.stores.learn(stores, payload_lines, start.elapsed());
        }
        self.header.payload_lines = before.wrapping_add(payload_lines);
        let becomes_long =
            self.ring.crosses_lap_end(before, self.header.payload_lines) && self.grow_if_due();
        // Not before one that is timed: with claimed lines the way through the cache seems cheap.
        let is_next_timed = payload_lines >= CHOICE_LINES_MIN && self.stores.is_due();
        if payload_lines <= CLAIM_LINES_MAX && !stores.are_past_cache && !is_next_timed {
            self.claim_ahead(payload_lines);
        }
        becomes_long
    }

    /// Fetches the next `payload_lines` for writing, as far as they are free: in a stream the next
    /// payload is like this one, and its payload lines are with the consumer, who read them last.
    /// Messages of 1 and 2 KB in a stream take 215 and 300 ns with this, 235 and 370 ns without
    /// (Intel Xeon).
    #[inline(always)]
    fn claim_ahead(&self, payload_lines: u32) {
        let free = self.limit.payload_lines.wrapping_sub(self.header.payload_lines);
        for i in 0..payload_lines.min(free) {
            let position = self.header.payload_lines.wrapping_add(i);
            claim(self.ring.payload_line(self.extent, position));
        }
    }

    /// Asks the system for all pages that the ring has not used yet, when it has become long. Its
    /// peer can read the packet behind which that is, unless it sleeps.
    #[cold]
    #[inline(never)]
    fn prefault_rest(&self) {
        let lines = &self.ring.payload_lines[self.ring.short_lines as usize..];
        cell::prefault_payload_lines(lines);
    }

    /// Before the packet is published that ends a lap of the short part. True if the ring becomes
    /// long.
    #[cold]
    #[inline(never)]
    fn grow_if_due(&mut self) -> bool {
        let (ring, position) = (self.ring, self.header.payload_lines);
        let grows = self.growth.note_lap_end(self.extent, ring.short_lines, position);
        if grows {
            self.extent = Extent::long(position, ring.short_lines, ring.long_lines());
            // Times of before say nothing about later ones.
            self.stores.begin_again();
            // Relaxed: the packet is published behind it, and the consumer looks when it has read
            // that.
            ring.state.is_long.store(1, Ordering::Relaxed);
        }
        grows
    }
}

/// The receiving end. There must be one in the whole job.
#[derive(Debug)]
pub struct Consumer<'a> {
    ring: RingMemory<'a>,
    /// What is read next.
    tail: Position,
    /// The credit last returned.
    returned: Position,
    /// So many lines or payload lines later credits are returned again.
    due: Position,
    /// Credits were returned since somebody asked.
    returned_now: bool,
    extent: Extent,
    /// A payload came that is longer than those of fast boxes.
    has_read_long: bool,
}

impl<'a> Consumer<'a> {
    /// The consumer of a ring that was never used.
    ///
    /// # Safety
    /// There must be no other consumer of this ring, in any process.
    pub unsafe fn new(ring: RingMemory<'a>) -> Self {
        let start = Position::default();
        let due = Position {
            cells: fraction(ring.cells.len()),
            payload_lines: fraction(ring.short_lines as usize),
        };
        Consumer {
            ring,
            tail: start,
            returned: start,
            due,
            returned_now: false,
            extent: Extent::short(ring.short_lines),
            has_read_long: false,
        }
    }

    /// How many lines this end has read, wrapping.
    #[inline(always)]
    pub fn position(&self) -> u32 {
        self.tail.cells
    }

    /// The next packet, if it has arrived. It stays until `read` takes it.
    #[inline(always)]
    pub fn peek(&self) -> Option<Packet> {
        let line = self.ring.cell(self.tail.cells);
        let header = line.header();
        // SAFETY: the cell is published and stays ours until its credit is returned.
        (header.count() == self.tail.cells.wrapping_add(1)).then(|| unsafe { line.packet(header) })
    }

    /// Whether more than so many packets have arrived.
    pub fn has_more_than(&self, packets: u32) -> bool {
        let place = self.tail.cells.wrapping_add(packets);
        self.ring.cell(place).header().count() == place.wrapping_add(1)
    }

    /// Whether credits were returned since the last call: a producer that sleeps because its ring
    /// is full must then be woken.
    #[inline(always)]
    pub fn returned_credits(&mut self) -> bool {
        self.returned_now && std::mem::take(&mut self.returned_now)
    }

    /// Whether a payload has come since the last call that is longer than those of fast boxes.
    pub(crate) fn take_read_long(&mut self) -> bool {
        std::mem::take(&mut self.has_read_long)
    }

    /// Takes the packet that `peek` returned and copies its payload to `out`, which must be at
    /// least `packet.len` long.
    #[inline(always)]
    pub fn read(&mut self, packet: &Packet, out: &mut [u8]) {
        let out = &mut out[..usize::from(packet.len)];
        let (position, ring) = (self.tail.cells, self.ring);
        let next = position.wrapping_add(1);
        let unreturned = next.wrapping_sub(self.returned.cells);
        let lines_are_due = unreturned >= self.due.cells;
        self.tail.cells = next;
        fetch(ring.cell(next.wrapping_add(FETCH_AHEAD)));
        let blocks_are_due = if out.len() <= INLINE_BYTES {
            // SAFETY: published, and ours until its credit is returned.
            unsafe { ring.cell(position).read(out) };
            false
        } else {
            self.read_payload_lines(out)
        };
        if lines_are_due || blocks_are_due {
            self.return_credit();
        }
    }

    /// Copies a payload out of its payload lines. True if credits for payload lines are due.
    #[inline(never)]
    fn read_payload_lines(&mut self, out: &mut [u8]) -> bool {
        let before = self.tail.payload_lines;
        let (first, second) = self.ring.payload_lines_from(self.extent, before);
        self.tail.payload_lines = before.wrapping_add(payload_lines_for(out.len()));
        self.has_read_long |= out.len() > FAST_BOX_BYTES;
        let (of_first, of_second) =
            out.split_at_mut(out.len().min(first.len() * PAYLOAD_LINE_BYTES));
        // SAFETY: published with their packet, and ours until their credit is returned.
        unsafe {
            cell::read_payload_lines(first, of_first);
            if !of_second.is_empty() {
                cell::read_payload_lines(second, of_second);
            }
        }
        if self.ring.crosses_lap_end(before, self.tail.payload_lines) {
            self.follow_growth();
        }
        self.tail.payload_lines.wrapping_sub(self.returned.payload_lines) >= self.due.payload_lines
    }

    /// After the packet that ends a lap of the short part. The producer cannot have ended the next
    /// one, since credits for this packet are not returned yet.
    #[cold]
    #[inline(never)]
    fn follow_growth(&mut self) {
        let (ring, position) = (self.ring, self.tail.payload_lines);
        let is_short = self.extent.lines == ring.short_lines;
        // Relaxed: see `Producer::grow_if_due`.
        if is_short && ring.state.is_long.load(Ordering::Relaxed) != 0 {
            self.extent = Extent::long(position, ring.short_lines, ring.long_lines());
        }
    }

    #[inline(never)]
    fn return_credit(&mut self) {
        self.returned = self.tail;
        self.returned_now = true;
        let credit = u64::from(self.tail.cells) | u64::from(self.tail.payload_lines) << 32;
        // Release: pairs with the acquire in `Producer::renew_limit`.
        self.ring.state.credit.store(credit, Ordering::Release);
    }
}

#[inline(always)]
fn fraction(of: usize) -> u32 {
    (of as u32 / CREDIT_FRACTION).max(1)
}

#[cfg(all(test, not(loom)))]
#[path = "ring_tests.rs"]
mod tests;

#[cfg(all(test, loom))]
#[path = "ring_model.rs"]
mod model;
