//! Bounce buffers: pieces of shared memory that a rank fills and its peer empties, for large
//! messages where single copy is slow or not possible. Each has an owner, who fills it, and a flag
//! in front, which says who has it. A reader gives it back, or borrows it: then it fills it for the
//! owner, who takes it back when it has read that. The packet that names a bounce buffer, or a part
//! of what is written into it, says where that lies, so that nobody has to look at the flag of one
//! that its owner has filled: a line more.

use crate::layout::{BOUNCE_BUFFER_BYTES, CACHE_LINE, PAGE};
use crate::sync::{AtomicU32, InRegion, Ordering, Shared};

use std::slice::{from_raw_parts, from_raw_parts_mut};
use std::time::Duration;

/// Bytes of data one bounce buffer holds.
pub const BOUNCE_BUFFER_DATA_BYTES: usize = BOUNCE_BUFFER_BYTES - PAGE;
/// Bytes in front of the data, which begins in the middle of a page because of 4K aliasing: buffers
/// of programs often begin at a page's first bytes, and a load whose place within a page is that of
/// one of the last stores waits for it. 256 KiB take 4.5 instead of 5.1 us (bare copies by two
/// processes).
const IN_FRONT: usize = PAGE / 2;

/// One bounce buffer; zeroed memory is a free one.
#[derive(Debug)]
#[repr(C)]
pub struct BounceBuffer {
    flag: BounceBufferFlag,
    _in_front: [u8; IN_FRONT - CACHE_LINE],
    data: Shared<[u8; BOUNCE_BUFFER_DATA_BYTES]>,
    _behind: [u8; PAGE - IN_FRONT],
}

// SAFETY: each part of the data is touched by the filler, who has taken the flag, before the packet
// that names it is published, and by the reader from then on until it gives the buffer back, or
// fills it itself.
unsafe impl Sync for BounceBuffer {}

// SAFETY: made of atomics, and of cells of numbers and bytes that are read by copies.
unsafe impl InRegion for BounceBuffer {}

#[cfg(not(loom))]
const _: () = assert!(size_of::<BounceBuffer>() == BOUNCE_BUFFER_BYTES);

impl BounceBuffer {
    /// Filler: takes the bounce buffer, if it is free, or this rank has borrowed it, for `len`
    /// bytes from byte `start` on, in parts of so many bytes: each is passed to `fill` with its
    /// place among them, then named to the reader by `name`, who copies it while the next is
    /// filled.
    pub fn fill(
        &self,
        filler: Filler,
        (start, len): (usize, usize),
        part: usize,
        mut fill: impl FnMut(usize, &mut [u8]),
        mut name: impl FnMut(usize, usize),
    ) -> bool {
        assert!(is_within(start, len), "{len} bytes from {start} on");
        let is_taken = match filler {
            Filler::Owner => self.flag.take(),
            Filler::Borrower(rank) => self.flag.return_filled(rank),
        };
        for at in (0..if is_taken { len } else { 0 }).step_by(part) {
            let bytes = part.min(len - at);
            self.data.with_mut(|data| {
                // SAFETY: within the data. The flag has given it to us alone, until the reader is
                // done with it, who reads none of it before it is named.
                fill(at, unsafe { from_raw_parts_mut(data.cast::<u8>().add(start + at), bytes) });
            });
            name(at, bytes);
        }
        is_taken
    }

    /// Owner: whether it may be filled.
    pub fn is_free(&self) -> bool {
        self.flag.is_free()
    }

    /// Owner: whether the reader is done with what the owner has filled in.
    pub fn was_read(&self) -> bool {
        self.flag.was_read()
    }

    /// Whether this rank has borrowed it, and not filled it.
    pub fn is_borrowed_by(&self, rank: usize) -> bool {
        self.flag.is(BORROWED, rank)
    }

    /// Whether this rank has borrowed and filled it, and the owner is not done with that.
    pub fn is_returned_by(&self, rank: usize) -> bool {
        self.flag.is(RETURNED, rank)
    }

    /// How long the reader took in the last use that it was asked to time, once it is done.
    pub fn reading_time(&self) -> Duration {
        // Relaxed: see `BounceBufferFlag::is_free`.
        Duration::from_nanos(self.flag.reading_ns.load(Ordering::Relaxed).into())
    }

    /// Reader: passes `len` bytes from byte `start` on to `use_it`. False if there are no such
    /// bytes: the filler says which, and may be wrong.
    pub fn read(&self, (start, len): (usize, usize), use_it: impl FnOnce(&[u8])) -> bool {
        if !is_within(start, len) {
            return false;
        }
        // SAFETY: within the data. The filler has named it to us and does not touch it before we
        // are done with it.
        self.data.with(|data| use_it(unsafe { from_raw_parts(data.cast::<u8>().add(start), len) }));
        true
    }

    /// Reader: gives the bounce buffer back when it has read all parts, and says how long that
    /// took, if it was timed. Or the owner takes back one that was borrowed, when it has read what
    /// the borrower has filled in.
    pub fn give_back(&self, time: Option<Duration>) {
        self.flag.done(time, FREE);
    }

    /// Reader: this rank keeps the bounce buffer when it has read all parts, to fill it for its
    /// owner.
    pub fn borrow(&self, rank: usize, time: Option<Duration>) {
        self.flag.done(time, by(BORROWED, rank));
    }
}

/// Whether a bounce buffer has so many bytes from byte `start` on.
fn is_within(start: usize, len: usize) -> bool {
    start <= BOUNCE_BUFFER_DATA_BYTES && len <= BOUNCE_BUFFER_DATA_BYTES - start
}

/// The flag of one bounce buffer.
#[derive(Debug)]
#[repr(C, align(64))]
struct BounceBufferFlag {
    /// [`FREE`], [`FILLED`], or the state and rank of who has borrowed it.
    in_use: AtomicU32,
    /// How long reading it took, if it was timed.
    reading_ns: AtomicU32,
}

const FREE: u32 = 0;
/// By its owner: a reader has it.
const FILLED: u32 = 1;
/// By its reader, who has read it.
const BORROWED: u32 = 2;
/// Filled by who has borrowed it: its owner reads it.
const RETURNED: u32 = 3;
const STATES: u32 = 4;

/// The flag's value for a state and a rank.
fn by(state: u32, rank: usize) -> u32 {
    rank as u32 * STATES + state
}

/// Who fills a bounce buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filler {
    /// Whose it is.
    Owner,
    /// This rank, which has borrowed it, for its owner.
    Borrower(usize),
}

impl BounceBufferFlag {
    fn is_free(&self) -> bool {
        // Acquire: pairs with the release in `done`: the reader is done before we write.
        self.in_use.load(Ordering::Acquire) == FREE
    }

    fn was_read(&self) -> bool {
        // Acquire: as in `is_free`.
        self.in_use.load(Ordering::Acquire) != FILLED
    }

    fn is(&self, state: u32, rank: usize) -> bool {
        // Acquire: as in `is_free`, for how long the reading took.
        self.in_use.load(Ordering::Acquire) == by(state, rank)
    }

    /// Owner: takes the bounce buffer if it is free.
    fn take(&self) -> bool {
        if !self.is_free() {
            return false;
        }
        // Relaxed: the packet that names the bounce buffer publishes it, with release.
        self.in_use.store(FILLED, Ordering::Relaxed);
        true
    }

    /// This rank fills it for its owner, if it has borrowed it.
    fn return_filled(&self, rank: usize) -> bool {
        if !self.is(BORROWED, rank) {
            return false;
        }
        // Relaxed: as in `take`.
        self.in_use.store(by(RETURNED, rank), Ordering::Relaxed);
        true
    }

    /// Reader: done with what was filled in, after that long.
    fn done(&self, time: Option<Duration>, next: u32) {
        if let Some(time) = time {
            let ns = u32::try_from(time.as_nanos()).unwrap_or(u32::MAX);
            // Relaxed: what follows publishes it.
            self.reading_ns.store(ns, Ordering::Relaxed);
        }
        // Release: pairs with the acquire of who looks at it.
        self.in_use.store(next, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_lie_within_a_bounce_buffer_is_not_read() {
        const END: usize = BOUNCE_BUFFER_DATA_BYTES;
        let layout = std::alloc::Layout::new::<BounceBuffer>();
        // SAFETY: zeroed memory is a free bounce buffer, and the layout is the type's.
        let buffer: Box<BounceBuffer> =
            unsafe { Box::from_raw(std::alloc::alloc_zeroed(layout).cast()) };
        let fill = |at, to: &mut [u8]| to.copy_from_slice(&b"abcd"[at..at + to.len()]);
        let mut named = vec![];
        assert!(
            buffer.fill(Filler::Owner, (END - 4, 4), 3, fill, |at, bytes| named.push((at, bytes)))
        );
        assert_eq!(named, [(0, 3), (3, 1)]);
        for (start, len) in [(END - 4, 5), (END + 1, 0), (0, END + 1), (u32::MAX as usize, 1)] {
            let never = |_: &[u8]| panic!("read {len} bytes at {start}");
            assert!(!buffer.read((start, len), never));
        }
        assert!(buffer.read((END - 4, 3), |from| assert_eq!(from, b"abc")));
        assert!(buffer.read((END - 1, 1), |from| assert_eq!(from, b"d")));
        assert!(!buffer.is_free());
        buffer.give_back(Some(Duration::from_nanos(5)));
        assert!(buffer.is_free() && buffer.reading_time() == Duration::from_nanos(5));
    }

    #[test]
    fn a_reader_that_borrows_a_bounce_buffer_fills_it_for_its_owner() {
        let layout = std::alloc::Layout::new::<BounceBuffer>();
        // SAFETY: as above.
        let buffer: Box<BounceBuffer> =
            unsafe { Box::from_raw(std::alloc::alloc_zeroed(layout).cast()) };
        let fill = |by, what: &[u8; 2]| {
            buffer.fill(by, (7, 2), 2, |_, to| to.copy_from_slice(what), |_, _| ())
        };
        let [reader, another] = [2, 1].map(Filler::Borrower);
        assert!(!fill(reader, b"no"), "it is not borrowed");
        assert!(fill(Filler::Owner, b"to") && !buffer.was_read());
        assert!(buffer.read((7, 2), |from| assert_eq!(from, b"to")));
        buffer.borrow(2, Some(Duration::from_nanos(5)));
        assert!(buffer.was_read() && buffer.is_borrowed_by(2) && !buffer.is_free());
        assert_eq!(buffer.reading_time(), Duration::from_nanos(5));
        assert!(!fill(Filler::Owner, b"no") && !fill(another, b"no") && fill(reader, b"up"));
        assert!(buffer.is_returned_by(2) && !buffer.is_returned_by(1));
        assert!(!fill(reader, b"no") && !buffer.is_borrowed_by(2), "it is filled once");
        assert!(buffer.read((7, 2), |from| assert_eq!(from, b"up")));
        buffer.give_back(None);
        assert!(buffer.is_free() && fill(Filler::Owner, b"on"));
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;

    /// The filler never writes what the reader reads, and the reader sees what was filled: the
    /// first of two parts while the second is filled.
    #[test]
    fn a_part_of_a_bounce_buffer_is_in_one_hand_at_a_time() {
        loom::model(|| {
            let [in_use, reading_ns] = [FREE, 0].map(AtomicU32::new);
            let flag = BounceBufferFlag { in_use, reading_ns };
            let parts = [Shared::new(0u32), Shared::new(0)];
            let shared = Arc::new((flag, parts, AtomicU32::new(0)));
            let other = shared.clone();
            let reader = loom::thread::spawn(move || {
                for expected in 1..=3 {
                    while other.2.load(Ordering::Acquire) < expected {
                        loom::thread::yield_now();
                    }
                    let part = (expected as usize - 1) % 2;
                    // SAFETY: the packet counter says that the part is filled; loom checks it.
                    other.1[part].with(|p| assert_eq!(unsafe { *p }, expected));
                    if expected != 1 {
                        other.0.done(Some(Duration::from_nanos(expected.into())), FREE);
                    }
                }
            });
            // Two parts, then one.
            for packets in [&[1, 2][..], &[3]] {
                while !shared.0.take() {
                    loom::thread::yield_now();
                }
                let read = if packets[0] == 1 { 0 } else { 2 };
                assert_eq!(shared.0.reading_ns.load(Ordering::Relaxed), read);
                for &packet in packets {
                    let part = (packet as usize - 1) % 2;
                    // SAFETY: taken, and not named; loom checks that the reader is not inside.
                    shared.1[part].with_mut(|p| unsafe { *p = packet });
                    shared.2.store(packet, Ordering::Release);
                }
            }
            reader.join().unwrap();
        });
    }

    /// A bounce buffer goes to a reader, which borrows it, and fills it for its owner, who takes it
    /// back: each finds what the other has written.
    #[test]
    fn what_is_borrowed_is_in_one_hand_at_a_time() {
        loom::model(|| {
            let [in_use, reading_ns] = [FREE, 0].map(AtomicU32::new);
            let flag = BounceBufferFlag { in_use, reading_ns };
            let packets = [AtomicU32::new(0), AtomicU32::new(0)];
            let shared = Arc::new((flag, Shared::new(0u32), packets));
            let await_packet = |count: &AtomicU32, expected| {
                while count.load(Ordering::Acquire) < expected {
                    loom::thread::yield_now();
                }
            };
            let other = shared.clone();
            let reader = loom::thread::spawn(move || {
                for round in 1..=2 {
                    await_packet(&other.2[0], round);
                    // SAFETY: the packet counter says that it is filled; loom checks it.
                    other.1.with(|p| assert_eq!(unsafe { *p }, 2 * round));
                    other.0.done(None, by(BORROWED, 5));
                    assert!(other.0.return_filled(5));
                    // SAFETY: borrowed, and not named; loom checks that the owner is not inside.
                    other.1.with_mut(|p| unsafe { *p = 2 * round + 1 });
                    other.2[1].store(round, Ordering::Release);
                }
                // The owner says how long it took as it takes the last one back.
                while other.0.is(RETURNED, 5) {
                    loom::thread::yield_now();
                }
                assert_eq!(other.0.reading_ns.load(Ordering::Relaxed), 2);
            });
            for round in 1..=2 {
                assert!(shared.0.take());
                // SAFETY: taken, and not named.
                shared.1.with_mut(|p| unsafe { *p = 2 * round });
                shared.2[0].store(round, Ordering::Release);
                await_packet(&shared.2[1], round);
                assert!(shared.0.is(RETURNED, 5) && !shared.0.take());
                // SAFETY: the packet counter says that it is filled.
                shared.1.with(|p| assert_eq!(unsafe { *p }, 2 * round + 1));
                shared.0.done(Some(Duration::from_nanos(round.into())), FREE);
            }
            reader.join().unwrap();
        });
    }
}
