//! A model of the rings.

use super::*;
use loom::sync::Arc;

/// Three packets, two of them with payload lines, through a ring of two lines and two payload
/// lines: every interleaving delivers them whole, in order, and nothing is written while it is
/// read.
#[test]
fn packets_survive_every_interleaving() {
    deliver(2, &[0, PAYLOAD_LINE_BYTES + 1, INLINE_BYTES + 1]);
}

/// The same while it becomes long: each packet ends a lap of the short part, the second and
/// third lie where the first did and behind that, the last where the second did.
#[test]
fn packets_survive_while_a_ring_becomes_long() {
    deliver(4, &[2 * PAYLOAD_LINE_BYTES; 4]);
}

/// The second packet lies in two laps.
#[test]
fn packets_survive_between_a_short_lap_and_a_long_one() {
    const LINE: usize = PAYLOAD_LINE_BYTES;
    deliver(4, &[LINE, 2 * LINE, LINE, 2 * LINE]);
}

fn deliver(payload_lines: usize, lens: &'static [usize]) {
    loom::model(move || {
        let cells: Vec<Cell> = (0..2).map(|_| Cell::unused()).collect();
        let payload_lines: Vec<_> = (0..payload_lines).map(|_| PayloadLine::unused()).collect();
        let shared = Arc::new((cells, payload_lines, RingState::unused()));
        let other = shared.clone();
        let producer = loom::thread::spawn(move || {
            let ring = RingMemory::new(&other.0, &other.1, 2, &other.2);
            // SAFETY: the only one; the other thread has the consumer.
            let mut tx = unsafe { Producer::new(ring) };
            tx.let_become_long(true);
            for (tag, &len) in lens.iter().enumerate() {
                let packet = Packet { tag: tag as i32, ..Packet::default() };
                while !tx.try_push(&packet, &vec![tag as u8; len]) {
                    loom::thread::yield_now();
                }
            }
            assert!(lens.len() < 4 || tx.extent.lines == 4);
        });
        let ring = RingMemory::new(&shared.0, &shared.1, 2, &shared.2);
        // SAFETY: the only one; the other thread has the producer.
        let mut rx = unsafe { Consumer::new(ring) };
        for (tag, &len) in lens.iter().enumerate() {
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
