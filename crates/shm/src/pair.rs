//! Both directions between two ranks: a ring each way and, while few ranks share a node, a
//! letterbox for packets that go to and fro. Packets arrive in the order in which they were pushed.

use crate::letterbox::Letterbox;
use crate::line::Packet;
use crate::ring::{Consumer, Producer};

/// One rank's end of the connection to another.
#[derive(Debug)]
pub struct Pair<'a> {
    tx: Producer<'a>,
    rx: Consumer<'a>,
    letterbox: Option<Letterbox<'a>>,
}

/// A packet that has arrived and waits to be read.
#[derive(Debug, Clone, Copy)]
pub struct Arrived {
    /// What its first line says.
    pub packet: Packet,
    in_letterbox: bool,
}

impl<'a> Pair<'a> {
    /// The ends of a connection that was never used.
    pub fn new(tx: Producer<'a>, rx: Consumer<'a>, letterbox: Option<Letterbox<'a>>) -> Self {
        Pair { tx, rx, letterbox }
    }

    /// Whether a packet with `len` payload bytes can be pushed now.
    #[inline(always)]
    pub fn has_room(&mut self, len: usize) -> bool {
        self.letterbox.as_ref().is_some_and(|l| l.has_room(len)) || self.tx.has_room(len)
    }

    /// Sends a packet; `has_room` must have said that there is room. `packet.len` is set from the
    /// payload.
    #[inline(always)]
    pub fn push(&mut self, packet: Packet, payload: &[u8]) {
        match &mut self.letterbox {
            Some(letterbox) if letterbox.has_room(payload.len()) => {
                letterbox.write(&packet, self.tx.position(), payload);
            }
            _ => self.tx.push(packet, payload),
        }
    }

    /// The next packet, if it has arrived. It stays until `read` takes it.
    #[inline(always)]
    pub fn peek(&self) -> Option<Arrived> {
        // The ring first: a letter that came before the packet found there is seen afterwards.
        let packet = self.rx.peek();
        if let Some(letterbox) = &self.letterbox {
            if let Some(letter) = letterbox.peek(self.rx.position()) {
                return Some(Arrived { packet: letter, in_letterbox: true });
            }
        }
        packet.map(|packet| Arrived { packet, in_letterbox: false })
    }

    /// The next packet, if it has come by the ring: the short way of a stream of packets. `None`
    /// tells nothing; then [`Pair::peek`] must be asked.
    #[inline(always)]
    pub fn peek_ring(&self) -> Option<Packet> {
        // The ring first, as in `peek`.
        let packet = self.rx.peek()?;
        match &self.letterbox {
            Some(letterbox) if letterbox.peek(self.rx.position()).is_some() => None,
            _ => Some(packet),
        }
    }

    /// Takes the packet that `peek_ring` returned, like `read`.
    #[inline(always)]
    pub fn read_ring(&mut self, packet: Packet, out: &mut [u8]) {
        self.rx.read(packet, out);
    }

    /// Whether room was made since the last call for a peer that may sleep for want of it.
    #[inline(always)]
    pub fn made_room(&mut self) -> bool {
        self.rx.returned_credits()
    }

    /// Takes the packet that `peek` returned and copies its payload to `out`, which must be at
    /// least `packet.len` long.
    #[inline(always)]
    pub fn read(&mut self, arrived: Arrived, out: &mut [u8]) {
        match &mut self.letterbox {
            Some(letterbox) if arrived.in_letterbox => letterbox.read(&arrived.packet, out),
            _ => self.rx.read(arrived.packet, out),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::letterbox::{LETTER_BYTES, LetterMemory};
    use crate::line::{Block, Line};
    use crate::ring::{Credit, RingMemory};
    use std::thread::yield_now;

    /// Memory of a connection: a ring each way and a letterbox.
    struct Memory {
        rings: [(Vec<Line>, Vec<Block>, Credit); 2],
        letter: LetterMemory,
    }

    impl Memory {
        /// Rings of this many lines, and blocks to match.
        fn new(lines: usize) -> Memory {
            let ring = || {
                let blocks = (0..8 * lines).map(|_| Block::unused()).collect();
                ((0..lines).map(|_| Line::unused()).collect(), blocks, Credit::new(0))
            };
            Memory { rings: [ring(), ring()], letter: LetterMemory::unused() }
        }

        fn side(&self, side: usize) -> Pair<'_> {
            let ring = |i: usize| {
                let (lines, blocks, credit) = &self.rings[i];
                RingMemory::new(lines, blocks, credit)
            };
            let letterbox = Letterbox::new(&self.letter, side as u32);
            Pair::new(Producer::new(ring(side)), Consumer::new(ring(1 - side)), Some(letterbox))
        }
    }

    fn push(pair: &mut Pair<'_>, tag: i32, len: usize) {
        assert!(pair.has_room(len));
        pair.push(Packet { tag, ..Packet::default() }, &vec![tag as u8; len]);
    }

    fn pop(pair: &mut Pair<'_>) -> Option<i32> {
        let arrived = pair.peek()?;
        let mut out = vec![0; usize::from(arrived.packet.len)];
        pair.read(arrived, &mut out);
        assert!(out.iter().all(|&b| b == arrived.packet.tag as u8));
        Some(arrived.packet.tag)
    }

    #[test]
    fn letters_and_ring_packets_arrive_in_the_order_they_were_sent() {
        let memory = Memory::new(32);
        let (mut a, mut b) = (memory.side(0), memory.side(1));
        // 0 goes by letter, 1 and 2 by ring; the answer hands the letterbox back between 4 and 5.
        for (tag, len) in [(0, LETTER_BYTES), (1, 100), (2, 8)] {
            push(&mut a, tag, len);
        }
        assert_eq!(
            (pop(&mut b), pop(&mut b), pop(&mut b), pop(&mut b)),
            (Some(0), Some(1), Some(2), None)
        );
        push(&mut b, 3, 8);
        push(&mut a, 4, LETTER_BYTES + 1);
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
        let run = |mut pair: Pair<'_>, seed: usize| {
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
    use crate::letterbox::LetterMemory;
    use crate::line::{Block, Line};
    use crate::ring::{Credit, RingMemory};
    use loom::sync::Arc;

    /// A letter, a ring packet and an answer in every interleaving: all arrive whole and in order,
    /// and no side touches the letterbox in the other's turn.
    #[test]
    fn a_letter_and_a_packet_keep_their_order() {
        loom::model(|| {
            let ring =
                || (vec![Line::unused(), Line::unused()], vec![Block::unused()], Credit::new(0));
            let memory = Arc::new((ring(), ring(), LetterMemory::unused()));
            let other = memory.clone();
            let answerer = loom::thread::spawn(move || {
                let (mine, theirs) = (&other.1, &other.0);
                let tx = Producer::new(RingMemory::new(&mine.0, &mine.1, &mine.2));
                let rx = Consumer::new(RingMemory::new(&theirs.0, &theirs.1, &theirs.2));
                let mut pair = Pair::new(tx, rx, Some(Letterbox::new(&other.2, 1)));
                assert_eq!((pop(&mut pair), pop(&mut pair)), (0, 1));
                pair.push(Packet { tag: 2, ..Packet::default() }, &[2]);
            });
            let (mine, theirs) = (&memory.0, &memory.1);
            let tx = Producer::new(RingMemory::new(&mine.0, &mine.1, &mine.2));
            let rx = Consumer::new(RingMemory::new(&theirs.0, &theirs.1, &theirs.2));
            let mut pair = Pair::new(tx, rx, Some(Letterbox::new(&memory.2, 0)));
            for tag in 0..2 {
                pair.push(Packet { tag, ..Packet::default() }, &[tag as u8]);
            }
            assert_eq!(pop(&mut pair), 2);
            answerer.join().unwrap();
        });
    }

    fn pop(pair: &mut Pair<'_>) -> i32 {
        let arrived = loop {
            if let Some(arrived) = pair.peek() {
                break arrived;
            }
            loom::thread::yield_now();
        };
        let mut out = [0];
        pair.read(arrived, &mut out);
        assert_eq!(i32::from(out[0]), arrived.packet.tag);
        arrived.packet.tag
    }
}
