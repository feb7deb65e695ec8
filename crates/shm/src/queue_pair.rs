//! Both directions between two ranks: a ring each way and, while few ranks share a node, two fast
//! boxes for packets that go to and fro. Packets arrive in the order in which they were pushed.
//!
//! Why two: each of the ranks begins in one of them. Where both send at the same time, as with
//! `MPI_Sendrecv`, each writes the one that it has read last, and none of them needs the ring.

use std::time::{Duration, Instant};

use dunlin_copy::nontemporal;

use crate::cell::{Packet, payload_lines_for};
use crate::fast_box::FastBox;
use crate::ring::{Consumer, Producer};
use crate::sync::{AtomicU32, Ordering};

/// Payloads from here on do not go by fast boxes where they are written past the cache: between far
/// cores half round trips of 4 and 8 KiB take 1.0 and 1.3 us so, by fast box 1.2 and 1.9.
const PAST_BOX_BYTES_MIN: usize = 4 << 10;
/// Between two such payloads that come by fast box and whose reading is timed. From so much a line
/// on, the peer may be far, and payloads for it go by the ring to learn that: near cores take 3 to
/// 4.4 ns, far ones 7 to 14 (Zen 4).
const READS_APART: u32 = 64;
const SLOW_LINE: Duration = Duration::from_nanos(6);

/// One rank's end of the connection to another.
#[derive(Debug)]
pub struct QueuePair<'a> {
    tx: Producer<'a>,
    rx: Consumer<'a>,
    fast_boxes: Option<[FastBox<'a>; 2]>,
    /// Packets that went by fast boxes so far, and those that came.
    sent_in_boxes: u32,
    read_in_boxes: u32,
    reads: TimedReads,
    _claim: EndClaim<'a>,
}

/// How long it takes to read long payloads in fast boxes.
#[derive(Debug)]
struct TimedReads {
    /// Of those that were timed, how many in a row took long.
    slow: u32,
    /// Those until the next.
    until_next: u32,
}

/// The right to be one end of a connection, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct EndClaim<'a>(&'a AtomicU32);

impl<'a> EndClaim<'a> {
    /// Takes the end that `is_taken` stands for; `None` if somebody has it.
    pub fn take(is_taken: &'a AtomicU32) -> Option<EndClaim<'a>> {
        // Acquire: pairs with the release in `drop`: what the last owner did comes before.
        (is_taken.swap(1, Ordering::Acquire) == 0).then_some(EndClaim(is_taken))
    }
}

impl Drop for EndClaim<'_> {
    fn drop(&mut self) {
        // Release: pairs with the acquire in `take`.
        self.0.store(0, Ordering::Release);
    }
}

/// A packet that has arrived and waits to be read, once.
#[derive(Debug)]
pub struct Arrived {
    /// What its first line says.
    pub packet: Packet,
    /// The number of the fast box where it is; none, if it is in the ring.
    fast_box: Option<usize>,
}

impl<'a> QueuePair<'a> {
    /// The ends of a connection that was never used.
    pub(crate) fn new(
        tx: Producer<'a>,
        rx: Consumer<'a>,
        fast_boxes: Option<[FastBox<'a>; 2]>,
        claim: EndClaim<'a>,
    ) -> Self {
        QueuePair {
            tx,
            rx,
            fast_boxes,
            sent_in_boxes: 0,
            read_in_boxes: 0,
            reads: TimedReads::new(),
            _claim: claim,
        }
    }

    /// Whether a packet with `len` payload bytes can be pushed now.
    #[inline(always)]
    pub fn has_room(&mut self, len: usize) -> bool {
        self.fast_boxes.iter().flatten().any(|l| l.has_room(len)) || self.tx.has_room(len)
    }

    /// Whether so many packets that take one cell each can be pushed now.
    pub fn has_cells(&mut self, packets: u32) -> bool {
        self.tx.has_cells(packets)
    }

    /// Sends a packet; false if there is no room. `packet.len` is set from the payload.
    #[inline(always)]
    pub fn try_push(&mut self, packet: &Packet, payload: &[u8]) -> bool {
        if payload.len() >= PAST_BOX_BYTES_MIN && self.goes_past_boxes() {
            return self.tx.try_push(packet, payload) || self.put_in_box(packet, payload);
        }
        self.put_in_box(packet, payload) || self.tx.try_push(packet, payload)
    }

    /// Sends a packet that is a little longer than those that a short ring is for, where that takes
    /// less time than other ways do: by a fast box that is ours, past the cache, or by a long ring.
    pub fn try_push_long(&mut self, packet: &Packet, payload: &[u8]) -> bool {
        if self.goes_past_boxes() {
            return self.tx.try_push(packet, payload);
        }
        self.put_in_box(packet, payload) || self.try_push_in_long_ring(packet, payload)
    }

    /// Sends a packet by the ring, if that is long and has room for two windows of 64 of them.
    pub fn try_push_in_long_ring(&mut self, packet: &Packet, payload: &[u8]) -> bool {
        self.tx.is_long_for(payload.len()) && self.tx.try_push(packet, payload)
    }

    /// Says whether our ring may become long when much has been sent. One that is long stays so.
    pub fn let_become_long(&mut self, may: bool) {
        self.tx.let_become_long(may);
    }

    /// A payload of so many bytes went another way, and goes by our ring if that is long.
    pub fn count_elsewhere(&mut self, bytes: usize) {
        self.tx.count_elsewhere(bytes);
    }

    /// Whether a payload has come by the ring since the last call that is longer than those of
    /// fast boxes.
    pub fn take_read_long(&mut self) -> bool {
        self.rx.take_read_long()
    }

    /// Whether a long payload goes by the ring though a fast box may be ours.
    fn goes_past_boxes(&mut self) -> bool {
        self.tx.stores().is_far() || self.reads.are_slow() && self.tx.must_come()
    }

    #[inline(always)]
    fn put_in_box(&mut self, packet: &Packet, payload: &[u8]) -> bool {
        let place = self.tx.position().wrapping_add(self.sent_in_boxes);
        for fast_box in self.fast_boxes.iter_mut().flatten() {
            if fast_box.try_write(packet, place, payload) {
                self.sent_in_boxes = self.sent_in_boxes.wrapping_add(1);
                return true;
            }
        }
        false
    }

    /// The next packet, if it has arrived. It stays until `read` takes it.
    #[inline(always)]
    pub fn peek(&self) -> Option<Arrived> {
        // The ring first: a packet that came before the packet found there is seen afterwards.
        let packet = self.rx.peek();
        self.peek_boxes().or_else(|| packet.map(|packet| Arrived { packet, fast_box: None }))
    }

    /// The next packet, if it has come by the ring: the fast path of a stream of packets. `None`
    /// tells nothing; then [`QueuePair::peek`] must be asked.
    #[inline(always)]
    pub fn peek_ring(&self) -> Option<Arrived> {
        // The ring first, as in `peek`.
        let packet = self.rx.peek()?;
        self.peek_boxes().is_none().then_some(Arrived { packet, fast_box: None })
    }

    /// Whether more than so many packets have come by the ring.
    pub fn has_more_than(&self, packets: u32) -> bool {
        self.rx.has_more_than(packets)
    }

    /// The next packet, if it has come by a fast box.
    #[inline(always)]
    fn peek_boxes(&self) -> Option<Arrived> {
        let place = self.rx.position().wrapping_add(self.read_in_boxes);
        let [first, second] = self.fast_boxes.as_ref()?;
        if let Some(packet) = first.peek(place) {
            return Some(Arrived { packet, fast_box: Some(0) });
        }
        second.peek(place).map(|packet| Arrived { packet, fast_box: Some(1) })
    }

    /// Whether room was made since the last call for a peer that may sleep for want of it.
    #[inline(always)]
    pub fn made_room(&mut self) -> bool {
        self.rx.returned_credits()
    }

    /// Takes the packet that `peek` or `peek_ring` returned and copies its payload to `out`, which
    /// must be at least `packet.len` long.
    #[inline(always)]
    pub fn read(&mut self, arrived: Arrived, out: &mut [u8]) {
        match (&mut self.fast_boxes, arrived.fast_box) {
            (Some(fast_boxes), Some(number)) => {
                let lines = payload_lines_for(arrived.packet.len.into());
                let is_long = usize::from(arrived.packet.len) >= PAST_BOX_BYTES_MIN;
                let start = if is_long { self.reads.start() } else { None };
                fast_boxes[number & 1].read(&arrived.packet, out);
                self.read_in_boxes = self.read_in_boxes.wrapping_add(1);
                if let Some(start) = start {
                    self.reads.learn(start.elapsed() >= SLOW_LINE * lines);
                }
            }
            _ => self.rx.read(&arrived.packet, out),
        }
    }
}

impl TimedReads {
    /// The first ones touch memory for the first time.
    fn new() -> TimedReads {
        TimedReads { slow: 0, until_next: READS_APART }
    }

    /// Before a long payload is read: the time, if this one is timed.
    fn start(&mut self) -> Option<Instant> {
        let is_timed = nontemporal::EXISTS && self.until_next == 0;
        self.until_next = if is_timed { READS_APART } else { self.until_next.saturating_sub(1) };
        is_timed.then(Instant::now)
    }

    fn learn(&mut self, is_slow: bool) {
        self.slow = if is_slow { self.slow.saturating_add(1) } else { 0 };
    }

    /// A single one may have been interrupted.
    fn are_slow(&self) -> bool {
        self.slow > 1
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::cell::{Cell, PAYLOAD_LINE_BYTES, PayloadLine};
    use crate::fast_box::{FAST_BOX_BYTES, FastBoxMemory};
    use crate::ring::{RingMemory, RingState};
    use crate::store_choice::StoreChoice;
    use std::thread::yield_now;

    /// Memory of a connection: a ring each way and the fast boxes.
    struct Memory {
        rings: [(Vec<Cell>, Vec<PayloadLine>, RingState); 2],
        short_lines: usize,
        boxes: [FastBoxMemory; 2],
        taken: [AtomicU32; 2],
    }

    impl Memory {
        /// Rings of this many lines, and payload lines to match.
        fn new(cells: usize) -> Memory {
            let ring = || {
                let payload_lines = (0..8 * cells).map(|_| PayloadLine::unused()).collect();
                ((0..cells).map(|_| Cell::unused()).collect(), payload_lines, RingState::unused())
            };
            let taken = [AtomicU32::new(0), AtomicU32::new(0)];
            let boxes = [FastBoxMemory::unused(), FastBoxMemory::unused()];
            Memory { rings: [ring(), ring()], short_lines: 8 * cells, boxes, taken }
        }

        fn side(&self, side: usize) -> QueuePair<'_> {
            let ring = |i: usize| {
                let (cells, payload_lines, state) = &self.rings[i];
                RingMemory::new(cells, payload_lines, self.short_lines, state)
            };
            let claim = EndClaim::take(&self.taken[side]).expect("each side is taken once");
            // SAFETY: the claim.
            unsafe {
                let own = FastBox::new(&self.boxes[side], true);
                let fast_boxes = [own, FastBox::new(&self.boxes[1 - side], false)];
                let (tx, rx) = (Producer::new(ring(side)), Consumer::new(ring(1 - side)));
                QueuePair::new(tx, rx, Some(fast_boxes), claim)
            }
        }
    }

    fn push(pair: &mut QueuePair<'_>, tag: i32, len: usize) {
        assert!(pair.try_push(&Packet { tag, ..Packet::default() }, &vec![tag as u8; len]));
    }

    fn pop(pair: &mut QueuePair<'_>) -> Option<i32> {
        let arrived = pair.peek()?;
        let packet = arrived.packet;
        let mut out = vec![0; usize::from(packet.len)];
        pair.read(arrived, &mut out);
        assert!(out.iter().all(|&b| b == packet.tag as u8));
        Some(packet.tag)
    }

    #[test]
    fn fast_box_and_ring_packets_arrive_in_the_order_they_were_sent() {
        let memory = Memory::new(32);
        let (mut a, mut b) = (memory.side(0), memory.side(1));
        // 0 goes by fast box, 1 and 2 by ring; the answer hands a fast box back between 4 and 5.
        for (tag, len) in [(0, FAST_BOX_BYTES), (1, 100), (2, 8)] {
            push(&mut a, tag, len);
        }
        assert_eq!(
            (pop(&mut b), pop(&mut b), pop(&mut b), pop(&mut b)),
            (Some(0), Some(1), Some(2), None)
        );
        push(&mut b, 3, 8);
        push(&mut a, 4, FAST_BOX_BYTES + 1);
        assert_eq!((pop(&mut a), pop(&mut a)), (Some(3), None));
        push(&mut a, 5, 8);
        push(&mut a, 6, 50);
        let order: Vec<_> = std::iter::from_fn(|| pop(&mut b)).collect();
        assert_eq!(order, [4, 5, 6]);
    }

    #[test]
    fn packets_that_cross_go_by_fast_boxes() {
        let memory = Memory::new(32);
        let (mut a, mut b) = (memory.side(0), memory.side(1));
        for tag in 0..5 {
            push(&mut a, tag, 8);
            push(&mut b, 10 + tag, FAST_BOX_BYTES);
            assert_eq!((pop(&mut a), pop(&mut b)), (Some(10 + tag), Some(tag)));
        }
        assert_eq!((a.tx.position(), b.tx.position()), (0, 0));
    }

    #[test]
    fn a_side_that_has_both_fast_boxes_sends_in_order() {
        let memory = Memory::new(32);
        let (mut a, mut b) = (memory.side(0), memory.side(1));
        push(&mut a, 0, 8);
        assert_eq!(pop(&mut b), Some(0));
        for tag in 1..5 {
            push(&mut b, tag, 8);
        }
        let order: Vec<_> = std::iter::from_fn(|| pop(&mut a)).collect();
        assert_eq!((order, b.sent_in_boxes), (vec![1, 2, 3, 4], 2));
    }

    #[test]
    fn between_far_cores_long_packets_go_by_a_fast_box_only_where_the_ring_is_full() {
        // Room for four of them.
        const LONG: usize = PAST_BOX_BYTES_MIN;
        let memory = Memory::new(4 * LONG / (8 * PAYLOAD_LINE_BYTES));
        let (mut a, mut b) = (memory.side(0), memory.side(1));
        *a.tx.stores() = StoreChoice::far();
        for tag in 0..5 {
            assert!(a.has_room(LONG));
            assert_eq!((a.tx.position(), a.sent_in_boxes), (tag as u32, 0));
            push(&mut a, tag, LONG);
        }
        assert_eq!((a.tx.position(), a.sent_in_boxes), (4, 1));
        assert!(!a.try_push_long(&Packet::default(), &[0; LONG]) && !a.has_room(LONG));
        let order: Vec<_> = std::iter::from_fn(|| pop(&mut b)).collect();
        assert_eq!(order, [0, 1, 2, 3, 4]);
        assert!(a.try_push_long(&Packet { tag: 5, ..Packet::default() }, &[5; LONG]));
        assert_eq!((pop(&mut b), a.tx.position()), (Some(5), 5));
    }

    #[test]
    fn long_packets_go_by_a_long_ring_where_no_fast_box_is_ours() {
        const LONG: usize = FAST_BOX_BYTES;
        // Two windows of 64.
        let lines = 128 * LONG / PAYLOAD_LINE_BYTES;
        let memory = Memory { short_lines: lines / 4, ..Memory::new(lines / 8) };
        let (mut a, mut b) = (memory.side(0), memory.side(1));
        let push_long = |pair: &mut QueuePair<'_>, tag| {
            pair.try_push_long(&Packet { tag, ..Packet::default() }, &[tag as u8; LONG])
        };
        assert!(push_long(&mut a, 0) && !push_long(&mut a, 1));
        a.let_become_long(true);
        let count = |a: &mut QueuePair<'_>, bytes| {
            (0..bytes / LONG).for_each(|_| a.count_elsewhere(LONG));
        };
        count(&mut a, (8 << 20) - LONG);
        assert!(!push_long(&mut a, 1));
        count(&mut a, LONG);
        assert!(push_long(&mut a, 1) && push_long(&mut a, 2));
        assert_eq!((pop(&mut b), pop(&mut b), pop(&mut b)), (Some(0), Some(1), Some(2)));
        assert!(!b.take_read_long());
        // For longer ones it has not that much room.
        assert!(!a.try_push_in_long_ring(&Packet::default(), &[3; LONG + 1]));
        push(&mut a, 3, LONG + 1);
        assert!(pop(&mut b) == Some(3) && b.take_read_long() && !b.take_read_long());
    }

    fn exchange_in_bursts(packets: i32, longest: usize, is_far: bool) {
        let memory = Memory::new(longest.next_power_of_two() / 8);
        let run = |mut pair: QueuePair<'_>, seed: usize| {
            if is_far {
                *pair.tx.stores() = StoreChoice::far();
            }
            let (mut sent, mut received) = (0, 0);
            while sent < packets || received < packets {
                let len = (sent as usize * 7 + seed) % longest;
                if sent < packets && sent <= received + 5 && pair.has_room(len) {
                    push(&mut pair, sent, len);
                    sent += 1;
                }
                match pop(&mut pair) {
                    Some(tag) => {
                        assert_eq!(tag, received);
                        received += 1;
                    }
                    None => yield_now(),
                }
            }
        };
        std::thread::scope(|s| {
            s.spawn(|| run(memory.side(0), 3));
            s.spawn(|| run(memory.side(1), 11));
        });
    }

    #[test]
    fn two_threads_keep_their_orders() {
        exchange_in_bursts(20_000, 300, false);
    }

    #[test]
    fn payloads_past_the_cache_are_whole_when_they_are_seen() {
        for is_far in [false, true] {
            exchange_in_bursts(5_000, FAST_BOX_BYTES, is_far);
        }
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::cell::{Cell, PayloadLine};
    use crate::fast_box::FastBoxMemory;
    use crate::ring::{RingMemory, RingState};
    use loom::sync::Arc;

    /// A packet, a ring packet and an answer in every interleaving: all arrive whole and in order,
    /// and no side touches the fast box in the other's turn.
    #[test]
    fn a_fast_box_packet_and_a_ring_packet_keep_their_order() {
        loom::model(|| {
            let cells = || vec![Cell::unused(), Cell::unused()];
            let ring =
                || ((cells(), vec![PayloadLine::unused()], RingState::unused()), AtomicU32::new(0));
            let memory = Arc::new((ring(), ring(), boxes()));
            let other = memory.clone();
            let answerer = loom::thread::spawn(move || {
                let [own, theirs] = &other.2;
                let mut pair = side(&other.1, &other.0, [theirs, own]);
                assert_eq!((pop(&mut pair), pop(&mut pair)), (0, 1));
                assert!(pair.try_push(&Packet { tag: 2, ..Packet::default() }, &[2]));
            });
            let [own, theirs] = &memory.2;
            let mut pair = side(&memory.0, &memory.1, [own, theirs]);
            for tag in 0..2 {
                assert!(pair.try_push(&Packet { tag, ..Packet::default() }, &[tag as u8]));
            }
            assert_eq!(pop(&mut pair), 2);
            answerer.join().unwrap();
        });
    }

    /// Each side sends and then receives: the packets cross, and each side may be the first to
    /// read.
    #[test]
    fn packets_that_cross_are_read_once() {
        loom::model(|| {
            let cells = || vec![Cell::unused(), Cell::unused()];
            let ring =
                || ((cells(), vec![PayloadLine::unused()], RingState::unused()), AtomicU32::new(0));
            let memory = Arc::new((ring(), ring(), boxes()));
            let other = memory.clone();
            let peer = loom::thread::spawn(move || {
                let [own, theirs] = &other.2;
                let mut pair = side(&other.1, &other.0, [theirs, own]);
                for tag in 0..2 {
                    assert!(pair.try_push(&Packet { tag, ..Packet::default() }, &[tag as u8]));
                    assert_eq!(pop(&mut pair), tag);
                }
            });
            let [own, theirs] = &memory.2;
            let mut pair = side(&memory.0, &memory.1, [own, theirs]);
            for tag in 0..2 {
                assert!(pair.try_push(&Packet { tag, ..Packet::default() }, &[tag as u8]));
                assert_eq!(pop(&mut pair), tag);
            }
            peer.join().unwrap();
        });
    }

    fn boxes() -> [FastBoxMemory; 2] {
        [FastBoxMemory::unused(), FastBoxMemory::unused()]
    }

    type Ring = (Vec<Cell>, Vec<PayloadLine>, RingState);

    fn side<'a>(
        (mine, taken): &'a (Ring, AtomicU32),
        (theirs, _): &'a (Ring, AtomicU32),
        [own, their]: [&'a FastBoxMemory; 2],
    ) -> QueuePair<'a> {
        let claim = EndClaim::take(taken).expect("each side is taken once");
        let ring = |ring: &'a Ring| RingMemory::new(&ring.0, &ring.1, ring.1.len(), &ring.2);
        // SAFETY: the claim.
        unsafe {
            let fast_boxes = [FastBox::new(own, true), FastBox::new(their, false)];
            QueuePair::new(
                Producer::new(ring(mine)),
                Consumer::new(ring(theirs)),
                Some(fast_boxes),
                claim,
            )
        }
    }

    fn pop(pair: &mut QueuePair<'_>) -> i32 {
        let arrived = loop {
            if let Some(arrived) = pair.peek() {
                break arrived;
            }
            loom::thread::yield_now();
        };
        let (packet, mut out) = (arrived.packet, [0]);
        pair.read(arrived, &mut out);
        assert_eq!(i32::from(out[0]), packet.tag);
        packet.tag
    }
}
