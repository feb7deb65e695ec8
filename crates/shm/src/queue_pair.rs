//! Both directions between two ranks: a ring each way and, while few ranks share a node, a
//! fast box for packets that go to and fro. Packets arrive in the order in which they were pushed.

use crate::cell::Packet;
use crate::fast_box::FastBox;
use crate::ring::{Consumer, Producer};
use crate::sync::{AtomicU32, Ordering};

/// One rank's end of the connection to another.
#[derive(Debug)]
pub struct QueuePair<'a> {
    tx: Producer<'a>,
    rx: Consumer<'a>,
    fast_box: Option<FastBox<'a>>,
    _claim: EndClaim<'a>,
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
    in_fast_box: bool,
}

impl<'a> QueuePair<'a> {
    /// The ends of a connection that was never used.
    pub(crate) fn new(
        tx: Producer<'a>,
        rx: Consumer<'a>,
        fast_box: Option<FastBox<'a>>,
        claim: EndClaim<'a>,
    ) -> Self {
        QueuePair { tx, rx, fast_box, _claim: claim }
    }

    /// Whether a packet with `len` payload bytes can be pushed now.
    #[inline(always)]
    pub fn has_room(&mut self, len: usize) -> bool {
        self.fast_box.as_ref().is_some_and(|l| l.has_room(len)) || self.tx.has_room(len)
    }

    /// Sends a packet; false if there is no room. `packet.len` is set from the payload.
    #[inline(always)]
    pub fn try_push(&mut self, packet: &Packet, payload: &[u8]) -> bool {
        let position = self.tx.position();
        let in_fast_box =
            |fast_box: &mut FastBox<'_>| fast_box.try_write(packet, position, payload);
        self.fast_box.as_mut().is_some_and(in_fast_box) || self.tx.try_push(packet, payload)
    }

    /// The next packet, if it has arrived. It stays until `read` takes it.
    #[inline(always)]
    pub fn peek(&self) -> Option<Arrived> {
        // The ring first: a packet that came before the packet found there is seen afterwards.
        let packet = self.rx.peek();
        if let Some(fast_box) = &self.fast_box {
            if let Some(packet) = fast_box.peek(self.rx.position()) {
                return Some(Arrived { packet, in_fast_box: true });
            }
        }
        packet.map(|packet| Arrived { packet, in_fast_box: false })
    }

    /// The next packet, if it has come by the ring: the fast path of a stream of packets. `None`
    /// tells nothing; then [`QueuePair::peek`] must be asked.
    #[inline(always)]
    pub fn peek_ring(&self) -> Option<Arrived> {
        // The ring first, as in `peek`.
        let packet = self.rx.peek()?;
        match &self.fast_box {
            Some(fast_box) if fast_box.peek(self.rx.position()).is_some() => None,
            _ => Some(Arrived { packet, in_fast_box: false }),
        }
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
        match &mut self.fast_box {
            Some(fast_box) if arrived.in_fast_box => fast_box.read(&arrived.packet, out),
            _ => self.rx.read(&arrived.packet, out),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::cell::{Cell, PayloadLine};
    use crate::fast_box::{FAST_BOX_BYTES, FastBoxMemory};
    use crate::ring::{Credit, RingMemory};
    use std::thread::yield_now;

    /// Memory of a connection: a ring each way and a fast box.
    struct Memory {
        rings: [(Vec<Cell>, Vec<PayloadLine>, Credit); 2],
        packet: FastBoxMemory,
        taken: [AtomicU32; 2],
    }

    impl Memory {
        /// Rings of this many lines, and payload lines to match.
        fn new(cells: usize) -> Memory {
            let ring = || {
                let payload_lines = (0..8 * cells).map(|_| PayloadLine::unused()).collect();
                ((0..cells).map(|_| Cell::unused()).collect(), payload_lines, Credit::new(0))
            };
            let taken = [AtomicU32::new(0), AtomicU32::new(0)];
            Memory { rings: [ring(), ring()], packet: FastBoxMemory::unused(), taken }
        }

        fn side(&self, side: usize) -> QueuePair<'_> {
            let ring = |i: usize| {
                let (cells, payload_lines, credit) = &self.rings[i];
                RingMemory::new(cells, payload_lines, credit)
            };
            let claim = EndClaim::take(&self.taken[side]).expect("each side is taken once");
            // SAFETY: the claim.
            unsafe {
                let fast_box = FastBox::new(&self.packet, side as u32);
                let (tx, rx) = (Producer::new(ring(side)), Consumer::new(ring(1 - side)));
                QueuePair::new(tx, rx, Some(fast_box), claim)
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
        // 0 goes by packet, 1 and 2 by ring; the answer hands the fast box back between 4 and 5.
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

    /// Each side sends bursts of packets of mixed sizes, numbered, and checks the other's numbers.
    #[test]
    fn two_threads_keep_their_orders() {
        const PACKETS: i32 = 20_000;
        let memory = Memory::new(32);
        let run = |mut pair: QueuePair<'_>, seed: usize| {
            let (mut sent, mut received) = (0, 0);
            while sent < PACKETS || received < PACKETS {
                let len = (sent as usize * 7 + seed) % 300;
                if sent < PACKETS && sent <= received + 5 && pair.has_room(len) {
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
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::cell::{Cell, PayloadLine};
    use crate::fast_box::FastBoxMemory;
    use crate::ring::{Credit, RingMemory};
    use loom::sync::Arc;

    /// A packet, a ring packet and an answer in every interleaving: all arrive whole and in order,
    /// and no side touches the fast box in the other's turn.
    #[test]
    fn a_fast_box_packet_and_a_ring_packet_keep_their_order() {
        loom::model(|| {
            let cells = || vec![Cell::unused(), Cell::unused()];
            let ring =
                || ((cells(), vec![PayloadLine::unused()], Credit::new(0)), AtomicU32::new(0));
            let memory = Arc::new((ring(), ring(), FastBoxMemory::unused()));
            let other = memory.clone();
            let answerer = loom::thread::spawn(move || {
                let mut pair = side(&other.1, &other.0, &other.2, 1);
                assert_eq!((pop(&mut pair), pop(&mut pair)), (0, 1));
                assert!(pair.try_push(&Packet { tag: 2, ..Packet::default() }, &[2]));
            });
            let mut pair = side(&memory.0, &memory.1, &memory.2, 0);
            for tag in 0..2 {
                assert!(pair.try_push(&Packet { tag, ..Packet::default() }, &[tag as u8]));
            }
            assert_eq!(pop(&mut pair), 2);
            answerer.join().unwrap();
        });
    }

    type Ring = (Vec<Cell>, Vec<PayloadLine>, Credit);

    fn side<'a>(
        (mine, taken): &'a (Ring, AtomicU32),
        (theirs, _): &'a (Ring, AtomicU32),
        fast_box: &'a FastBoxMemory,
        side: u32,
    ) -> QueuePair<'a> {
        let claim = EndClaim::take(taken).expect("each side is taken once");
        let ring = |ring: &'a Ring| RingMemory::new(&ring.0, &ring.1, &ring.2);
        // SAFETY: the claim.
        unsafe {
            let fast_box = FastBox::new(fast_box, side);
            QueuePair::new(
                Producer::new(ring(mine)),
                Consumer::new(ring(theirs)),
                Some(fast_box),
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
