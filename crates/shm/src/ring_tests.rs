//! Tests of the rings.

use super::*;
use crate::cell::PACKET_BYTES_MAX;
use std::thread::yield_now;
use std::time::Duration;

/// Memory of a ring.
struct Memory {
    cells: Vec<Cell>,
    payload_lines: Vec<PayloadLine>,
    state: RingState,
}

impl Memory {
    fn ring(&self) -> RingMemory<'_> {
        self.ring_with_short_part(self.payload_lines.len())
    }

    fn ring_with_short_part(&self, lines: usize) -> RingMemory<'_> {
        RingMemory::new(&self.cells, &self.payload_lines, lines, &self.state)
    }
}

fn memory(cells: usize, payload_lines: usize) -> Memory {
    Memory {
        cells: (0..cells).map(|_| Cell::unused()).collect(),
        payload_lines: (0..payload_lines).map(|_| PayloadLine::unused()).collect(),
        state: RingState::unused(),
    }
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
    let memory = memory(8, 32);
    let ring = memory.ring();
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
    let memory = memory(8, 8);
    let ring = memory.ring();
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
        let memory = memory(64, 16);
        let ring = memory.ring();
        let (mut tx, mut rx) = ends(ring);
        let longest = RingMemory::payload_max(16);
        for len in std::iter::repeat_n(PAYLOAD_LINE_BYTES, read).chain([longest]) {
            assert!(tx.try_push(&packet(0), &bytes(len, read)), "{len} bytes after {read} packets");
            let mut out = vec![0; len];
            rx.read(&rx.peek().unwrap(), &mut out);
            assert_eq!(out, bytes(len, read));
        }
    }
}

#[test]
fn a_ring_without_free_blocks_still_takes_what_fits_into_a_line() {
    let memory = memory(8, 4);
    let ring = memory.ring();
    let (mut tx, _) = ends(ring);
    assert!(tx.try_push(&packet(0), &bytes(4 * PAYLOAD_LINE_BYTES, 0)));
    assert!(!tx.has_room(INLINE_BYTES + 1));
    assert!(tx.has_room(INLINE_BYTES));
}

#[test]
fn what_is_too_long_for_the_ring_or_its_header_finds_no_room() {
    let memory = memory(4, 2048);
    let (mut tx, _) = ends(memory.ring());
    assert!(!tx.try_push(&packet(0), &vec![0; PACKET_BYTES_MAX + 1]));
    assert!(tx.try_push(&packet(0), &vec![0; PACKET_BYTES_MAX]));
}

/// A consumer that frees more than there is gets nothing written outside the ring.
#[test]
fn a_credit_that_no_consumer_returns_is_ignored() {
    let memory = memory(4, 4);
    let (mut tx, _) = ends(memory.ring());
    for wrong in [1 << 32, 1, 1 << 63, 1 << 31] {
        memory.state.credit.store(wrong, Ordering::Relaxed);
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
    let memory = memory(4, 4);
    let (_, mut rx) = ends(memory.ring());
    let long = 5 * PAYLOAD_LINE_BYTES;
    // SAFETY: nobody else has the cell.
    unsafe { memory.cells[0].write(CellHeader::new(&packet(1), long as u16, 1), &packet(1), &[]) };
    let seen = rx.peek().unwrap();
    rx.read(&seen, &mut vec![0; long]);
}

#[test]
fn positions_wrap_around() {
    let memory = memory(4, 4);
    let ring = memory.ring();
    let near_end = Position { cells: u32::MAX - 2, payload_lines: u32::MAX - 5 };
    memory.state.credit.store(
        u64::from(near_end.cells) | u64::from(near_end.payload_lines) << 32,
        Ordering::Relaxed,
    );
    let mut tx = Producer { header: near_end, limit: near_end, ..ends(ring).0 };
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

const LINES_OF_8_MIB: usize = (8 << 20) / PAYLOAD_LINE_BYTES;

fn count_lines(tx: &mut Producer<'_>, lines: usize) {
    (0..lines).for_each(|_| tx.count_elsewhere(1));
}

/// Free lines behind what was sent, when the consumer has read all.
fn free_lines(tx: &mut Producer<'_>, rx: &mut Consumer<'_>) -> u32 {
    rx.return_credit();
    tx.renew_limit();
    tx.limit.payload_lines.wrapping_sub(tx.header.payload_lines)
}

#[test]
fn a_ring_becomes_long_at_the_end_of_a_lap_and_is_used_whole_a_lap_later() {
    const LINES: usize = 5;
    // The second way begins where positions soon wrap.
    for first in [0, u32::MAX - 15] {
        let memory = memory(64, 64);
        let (mut tx, mut rx) = ends(memory.ring_with_short_part(16));
        (tx.header.payload_lines, rx.tail.payload_lines) = (first, first);
        let mut free = Vec::new();
        for number in 0..400 {
            if number == 2 {
                tx.let_become_long(true);
                // With this lap 8 MiB.
                count_lines(&mut tx, LINES_OF_8_MIB - 16);
                // Those for which it has no room do not count.
                tx.count_elsewhere(8 << 20);
                assert!(!tx.is_long_for(1));
            }
            if number == 4 {
                assert!(tx.is_long_for(1));
            }
            free.push(free_lines(&mut tx, &mut rx));
            let sent = bytes(LINES * PAYLOAD_LINE_BYTES, number);
            assert!(tx.try_push(&packet(0), &sent));
            let mut out = vec![0; sent.len()];
            rx.read(&rx.peek().unwrap(), &mut out);
            assert!(out == sent, "{number}");
            assert_eq!(tx.extent, rx.extent);
        }
        // Its first lap ends with packet 3, the next one with 6.
        assert_eq!(free[..8], [16, 16, 16, 16, 16, 16, 16, 64]);
        assert!(free[8..].iter().all(|&lines| lines == 64));
        assert_eq!(tx.extent.place(first.wrapping_add(16)), 0);
        assert!(!tx.growth.is_first_lap());
    }
}

/// Only where payloads can be written past the cache are they timed.
#[cfg(target_arch = "x86_64")]
#[test]
fn while_lines_are_used_for_the_first_time_no_payload_is_timed() {
    let memory = memory(64, 256);
    let (mut tx, mut rx) = ends(memory.ring_with_short_part(64));
    tx.let_become_long(true);
    count_lines(&mut tx, LINES_OF_8_MIB);
    let mut push = |tx: &mut Producer<'_>, lines: usize| {
        let sent = bytes(lines * PAYLOAD_LINE_BYTES, lines);
        assert!(tx.try_push(&packet(0), &sent));
        rx.read(&rx.peek().unwrap(), &mut vec![0; sent.len()]);
        free_lines(tx, &mut rx);
    };
    push(&mut tx, 16);
    assert!(tx.stores.has_first());
    (0..3).for_each(|_| push(&mut tx, 17));
    let mut pushed = 0;
    while tx.growth.is_first_lap() {
        assert!(!tx.stores.has_first() && !tx.must_come());
        push(&mut tx, 17);
        pushed += 1;
    }
    assert!(pushed > 12);
    assert!((0..20).any(|_| tx.must_come()));
}

#[test]
fn a_ring_that_may_not_become_long_stays_short() {
    let memory = memory(64, 64);
    let (mut tx, mut rx) = ends(memory.ring_with_short_part(16));
    for number in 0..100 {
        count_lines(&mut tx, LINES_OF_8_MIB);
        tx.let_become_long(false);
        assert!(!tx.is_long_for(1) && free_lines(&mut tx, &mut rx) == 16);
        assert!(tx.try_push(&packet(0), &bytes(300, number)));
        rx.read(&rx.peek().unwrap(), &mut [0; 300]);
    }
    // Nor does one that has no more lines.
    tx = ends(memory.ring()).0;
    tx.let_become_long(true);
    count_lines(&mut tx, LINES_OF_8_MIB);
    assert!(!tx.is_long_for(1));
}

#[test]
fn two_threads_agree() {
    two_threads_exchange(16, 16);
}

#[test]
fn two_threads_agree_while_a_ring_becomes_long() {
    for lines in [32, 64, 512] {
        two_threads_exchange(16, lines);
    }
}

fn two_threads_exchange(short_lines: usize, payload_lines: usize) {
    let memory = memory(16, payload_lines);
    let ring = memory.ring_with_short_part(short_lines);
    // One that fails does not leave the other waiting.
    let end = Instant::now() + Duration::from_secs(60);
    let pause = || {
        assert!(Instant::now() < end, "the other thread is gone");
        yield_now();
    };
    std::thread::scope(|s| {
        let (mut tx, mut rx) = ends(ring);
        tx.let_become_long(true);
        s.spawn(move || {
            for i in 0..20_000usize {
                if i == 5_000 {
                    count_lines(&mut tx, LINES_OF_8_MIB);
                }
                while !tx.try_push(&packet(i as i32), &bytes(i % 400, i)) {
                    pause();
                }
            }
            assert_eq!(tx.extent.lines as usize, payload_lines);
        });
        for i in 0..20_000usize {
            let seen = loop {
                if let Some(p) = rx.peek() {
                    break p;
                }
                pause();
            };
            let mut out = vec![0; usize::from(seen.len)];
            rx.read(&seen, &mut out);
            assert_eq!((seen.tag, out), (i as i32, bytes(i % 400, i)));
        }
    });
}
