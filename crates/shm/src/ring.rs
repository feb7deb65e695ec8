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
use crate::store_choice::{CHOICE_LINES_MIN, StoreChoice};
use crate::sync::{AtomicU64, Ordering, claim, fetch, full_fence};

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

/// How far the consumer has read, lines in the lower half and payload lines in the upper: what
/// comes before may be overwritten.
pub type Credit = AtomicU64;

/// The memory of one ring: lines and payload lines, a power of two of each, and the consumer's
/// credit.
#[derive(Debug, Clone, Copy)]
pub struct RingMemory<'a> {
    cells: &'a [Cell],
    payload_lines: &'a [PayloadLine],
    credit: &'a Credit,
}

impl<'a> RingMemory<'a> {
    /// A ring over `cells` and `payload_lines`, whose numbers must be powers of two.
    pub fn new(cells: &'a [Cell], payload_lines: &'a [PayloadLine], credit: &'a Credit) -> Self {
        let (l, b) = (cells.len(), payload_lines.len());
        assert!(l.is_power_of_two() && b.is_power_of_two(), "{l} lines, {b} payload lines");
        RingMemory { cells, payload_lines, credit }
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
    fn payload_line(&self, position: u32) -> &'a PayloadLine {
        &self.payload_lines[position as usize & (self.payload_lines.len() - 1)]
    }

    /// The payload lines from `position` to the end of their array, and those from its start.
    #[inline(always)]
    fn payload_lines_from(&self, position: u32) -> (&'a [PayloadLine], &'a [PayloadLine]) {
        let (start, rest) =
            self.payload_lines.split_at(position as usize & (self.payload_lines.len() - 1));
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
    stores: StoreChoice,
}

impl<'a> Producer<'a> {
    /// The producer of a ring that was never used.
    ///
    /// # Safety
    /// There must be no other producer of this ring, in any process.
    pub unsafe fn new(ring: RingMemory<'a>) -> Self {
        let (header, limit) = (Position::default(), Position::default());
        let mut made = Producer { ring, header, limit, stores: StoreChoice::default() };
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
        let credit = self.ring.credit.load(Ordering::Acquire);
        self.set_limit(credit);
    }

    /// A credit that frees more than the ring has is the consumer's mistake, and ignored: what is
    /// within the limit always is within the ring.
    fn set_limit(&mut self, credit: u64) {
        let (cells, payload_lines) =
            (self.ring.cells.len() as u32, self.ring.payload_lines.len() as u32);
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
        let in_line = if payload.len() <= INLINE_BYTES {
            payload
        } else {
            self.push_payload(payload);
            &[]
        };
        // SAFETY: below `limit` lines belong to the producer.
        unsafe { line.write(header, packet, in_line) };
        if self.limit.cells.wrapping_sub(self.header.cells) > CLAIM_AHEAD {
            claim(self.ring.cell(self.header.cells.wrapping_add(CLAIM_AHEAD - 1)));
        }
        true
    }

    #[inline(never)]
    fn push_payload(&mut self, payload: &[u8]) {
        let payload_lines = payload_lines_for(payload.len());
        let stores = self.stores.next(payload_lines);
        let start = stores.is_timed.then(Instant::now);
        let (first, second) = self.ring.payload_lines_from(self.header.payload_lines);
        let (to_first, to_second) = payload.split_at(payload.len().min(size_of_val(first)));
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
        self.header.payload_lines = self.header.payload_lines.wrapping_add(payload_lines);
        // Not before one that is timed: with claimed lines the way through the cache seems cheap.
        let is_next_timed = payload_lines >= CHOICE_LINES_MIN && self.stores.is_due();
        if payload_lines <= CLAIM_LINES_MAX && !stores.are_past_cache && !is_next_timed {
            self.claim_ahead(payload_lines);
        }
    }

    /// Fetches the next `payload_lines` for writing, as far as they are free: in a stream the next
    /// payload is like this one, and its payload lines are with the consumer, who read them last.
    /// Messages of 1 and 2 KB in a stream take 215 and 300 ns with this, 235 and 370 ns without
    /// (Intel Xeon).
    #[inline(always)]
    fn claim_ahead(&self, payload_lines: u32) {
        let free = self.limit.payload_lines.wrapping_sub(self.header.payload_lines);
        for i in 0..payload_lines.min(free) {
            claim(self.ring.payload_line(self.header.payload_lines.wrapping_add(i)));
        }
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
            payload_lines: fraction(ring.payload_lines.len()),
        };
        Consumer { ring, tail: start, returned: start, due, returned_now: false }
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

    /// Whether credits were returned since the last call: a producer that sleeps because its ring
    /// is full must then be woken.
    #[inline(always)]
    pub fn returned_credits(&mut self) -> bool {
        self.returned_now && std::mem::take(&mut self.returned_now)
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
        let (first, second) = self.ring.payload_lines_from(self.tail.payload_lines);
        self.tail.payload_lines =
            self.tail.payload_lines.wrapping_add(payload_lines_for(out.len()));
        let (of_first, of_second) = out.split_at_mut(out.len().min(size_of_val(first)));
        // SAFETY: published with their packet, and ours until their credit is returned.
        unsafe {
            cell::read_payload_lines(first, of_first);
            if !of_second.is_empty() {
                cell::read_payload_lines(second, of_second);
            }
        }
        self.tail.payload_lines.wrapping_sub(self.returned.payload_lines) >= self.due.payload_lines
    }

    #[inline(never)]
    fn return_credit(&mut self) {
        self.returned = self.tail;
        self.returned_now = true;
        let credit = u64::from(self.tail.cells) | u64::from(self.tail.payload_lines) << 32;
        // Release: pairs with the acquire in `Producer::has_room_now`.
        self.ring.credit.store(credit, Ordering::Release);
    }
}

#[inline(always)]
fn fraction(of: usize) -> u32 {
    (of as u32 / CREDIT_FRACTION).max(1)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::cell::PACKET_BYTES_MAX;
    use std::thread::yield_now;

    fn memory(cells: usize, payload_lines: usize) -> (Vec<Cell>, Vec<PayloadLine>, Credit) {
        let cells = (0..cells).map(|_| Cell::unused()).collect();
        (cells, (0..payload_lines).map(|_| PayloadLine::unused()).collect(), Credit::new(0))
    }

    fn ends(ring: RingMemory<'_>) -> (Producer<'_>, Consumer<'_>) {
        // SAFETY: called once per ring, or what was made before is not used.
        unsafe { (Producer::new(ring), Consumer::new(ring)) }
    }

    fn packet(tag: i32) -> Packet {
        Packet { tag, ..Packet::default() }
    }

    fn bytes(len: usize, seed: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 7 + seed) as u8).collect()
    }

    #[test]
    fn packets_of_every_length_arrive_whole_and_in_order() {
        let (cells, payload_lines, credit) = memory(8, 32);
        let ring = RingMemory::new(&cells, &payload_lines, &credit);
        let (mut tx, mut rx) = ends(ring);
        for len in 0..1500 {
            assert!(tx.try_push(&packet(len as i32), &bytes(len, len)));
            let seen = rx.peek().expect("published");
            assert_eq!((seen.tag, usize::from(seen.len)), (len as i32, len));
            let mut out = vec![0; len];
            rx.read(&seen, &mut out);
            assert_eq!(out, bytes(len, len));
            assert!(rx.peek().is_none());
        }
    }

    #[test]
    fn a_full_ring_says_so_and_recovers_when_credits_return() {
        let (cells, payload_lines, credit) = memory(8, 8);
        let ring = RingMemory::new(&cells, &payload_lines, &credit);
        let (mut tx, mut rx) = ends(ring);
        for tag in 0..8 {
            assert!(tx.try_push(&packet(tag), &[]));
        }
        assert!(!tx.has_room(0));
        for tag in 0..8 {
            let seen = rx.peek().unwrap();
            assert_eq!(seen.tag, tag);
            rx.read(&seen, &mut []);
        }
        assert!(tx.has_room(0));
    }

    /// However the credits stand that the consumer has not returned yet.
    #[test]
    fn a_drained_ring_has_room_for_the_longest_payload() {
        for read in 0..32 {
            let (cells, payload_lines, credit) = memory(64, 16);
            let ring = RingMemory::new(&cells, &payload_lines, &credit);
            let (mut tx, mut rx) = ends(ring);
            let longest = RingMemory::payload_max(16);
            for len in std::iter::repeat_n(PAYLOAD_LINE_BYTES, read).chain([longest]) {
                assert!(
                    tx.try_push(&packet(0), &bytes(len, read)),
                    "{len} bytes after {read} packets"
                );
                let mut out = vec![0; len];
                rx.read(&rx.peek().unwrap(), &mut out);
                assert_eq!(out, bytes(len, read));
            }
        }
    }

    #[test]
    fn a_ring_without_free_blocks_still_takes_what_fits_into_a_line() {
        let (cells, payload_lines, credit) = memory(8, 4);
        let ring = RingMemory::new(&cells, &payload_lines, &credit);
        let (mut tx, _) = ends(ring);
        assert!(tx.try_push(&packet(0), &bytes(4 * PAYLOAD_LINE_BYTES, 0)));
        assert!(!tx.has_room(INLINE_BYTES + 1));
        assert!(tx.has_room(INLINE_BYTES));
    }

    #[test]
    fn what_is_too_long_for_the_ring_or_its_header_finds_no_room() {
        let (cells, payload_lines, credit) = memory(4, 2048);
        let (mut tx, _) = ends(RingMemory::new(&cells, &payload_lines, &credit));
        assert!(!tx.try_push(&packet(0), &vec![0; PACKET_BYTES_MAX + 1]));
        assert!(tx.try_push(&packet(0), &vec![0; PACKET_BYTES_MAX]));
    }

    /// A consumer that frees more than there is gets nothing written outside the ring.
    #[test]
    fn a_credit_that_no_consumer_returns_is_ignored() {
        let (cells, payload_lines, credit) = memory(4, 4);
        let (mut tx, _) = ends(RingMemory::new(&cells, &payload_lines, &credit));
        for wrong in [1 << 32, 1, 1 << 63, 1 << 31] {
            credit.store(wrong, Ordering::Relaxed);
            assert!(!tx.has_room(5 * PAYLOAD_LINE_BYTES), "{wrong:x}");
        }
        for tag in 0..4 {
            assert!(tx.try_push(&packet(tag), &[]));
        }
        assert!(!tx.try_push(&packet(4), &[]));
    }

    /// A sender that says more than a ring holds has nothing read outside the ring.
    #[test]
    #[should_panic(expected = "is damaged")]
    fn a_length_that_no_sender_writes_ends_the_process() {
        let (cells, payload_lines, credit) = memory(4, 4);
        let (_, mut rx) = ends(RingMemory::new(&cells, &payload_lines, &credit));
        let long = 5 * PAYLOAD_LINE_BYTES;
        // SAFETY: nobody else has the cell.
        unsafe { cells[0].write(CellHeader::new(&packet(1), long as u16, 1), &packet(1), &[]) };
        let seen = rx.peek().unwrap();
        rx.read(&seen, &mut vec![0; long]);
    }

    #[test]
    fn positions_wrap_around() {
        let (cells, payload_lines, credit) = memory(4, 4);
        let ring = RingMemory::new(&cells, &payload_lines, &credit);
        let near_end = Position { cells: u32::MAX - 2, payload_lines: u32::MAX - 5 };
        credit.store(
            u64::from(near_end.cells) | u64::from(near_end.payload_lines) << 32,
            Ordering::Relaxed,
        );
        let stores = StoreChoice::default();
        let mut tx = Producer { ring, header: near_end, limit: near_end, stores };
        let mut rx = Consumer { tail: near_end, returned: near_end, ..ends(ring).1 };
        for tag in 0..20 {
            assert!(tx.try_push(&packet(tag), &bytes(100, 3)));
            let seen = rx.peek().unwrap();
            assert_eq!(seen.tag, tag);
            let mut out = [0; 100];
            rx.read(&seen, &mut out);
            assert_eq!(out[..], bytes(100, 3));
        }
    }

    #[test]
    fn two_threads_agree() {
        let (cells, payload_lines, credit) = memory(16, 16);
        let ring = RingMemory::new(&cells, &payload_lines, &credit);
        std::thread::scope(|s| {
            let (mut tx, mut rx) = ends(ring);
            s.spawn(move || {
                for i in 0..20_000usize {
                    while !tx.try_push(&packet(i as i32), &bytes(i % 400, i)) {
                        yield_now();
                    }
                }
            });
            for i in 0..20_000usize {
                let seen = loop {
                    if let Some(p) = rx.peek() {
                        break p;
                    }
                    yield_now();
                };
                let mut out = vec![0; usize::from(seen.len)];
                rx.read(&seen, &mut out);
                assert_eq!((seen.tag, out), (i as i32, bytes(i % 400, i)));
            }
        });
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;

    /// Three packets, two of them with payload lines, through a ring of two lines and two payload
    /// lines: every interleaving delivers them whole, in order, and nothing is written while it is
    /// read.
    #[test]
    fn packets_survive_every_interleaving() {
        loom::model(|| {
            let cells: Vec<Cell> = (0..2).map(|_| Cell::unused()).collect();
            let payload_lines: Vec<PayloadLine> = (0..2).map(|_| PayloadLine::unused()).collect();
            let shared = Arc::new((cells, payload_lines, Credit::new(0)));
            let other = shared.clone();
            let lens = [0usize, PAYLOAD_LINE_BYTES + 1, INLINE_BYTES + 1];
            let producer = loom::thread::spawn(move || {
                let ring = RingMemory::new(&other.0, &other.1, &other.2);
                // SAFETY: the only one; the other thread has the consumer.
                let mut tx = unsafe { Producer::new(ring) };
                for (tag, len) in lens.into_iter().enumerate() {
                    let packet = Packet { tag: tag as i32, ..Packet::default() };
                    while !tx.try_push(&packet, &vec![tag as u8; len]) {
                        loom::thread::yield_now();
                    }
                }
            });
            let ring = RingMemory::new(&shared.0, &shared.1, &shared.2);
            // SAFETY: the only one; the other thread has the producer.
            let mut rx = unsafe { Consumer::new(ring) };
            for (tag, len) in lens.into_iter().enumerate() {
                let seen = loop {
                    if let Some(p) = rx.peek() {
                        break p;
                    }
                    loom::thread::yield_now();
                };
                let mut out = vec![0xff; usize::from(seen.len)];
                rx.read(&seen, &mut out);
                assert_eq!((seen.tag, out), (tag as i32, vec![tag as u8; len]));
            }
            producer.join().unwrap();
        });
    }
}
