//! Bounce buffers: pieces of shared memory that a rank fills and its peer empties, for large
//! messages where single copy is slow or not possible. The filler owns them; a flag in front of
//! each says whether a reader has it. The packet that names a bounce buffer, or a part of what is
//! written into it, says where that lies: a reader that had to look at the flag first would wait
//! for one more line.

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

// SAFETY: each part of the data is touched by the filler before the packet that names it is
// published, and by the reader from then on until it gives the buffer back.
unsafe impl Sync for BounceBuffer {}

// SAFETY: made of atomics, and of cells of numbers and bytes that are read by copies.
unsafe impl InRegion for BounceBuffer {}

#[cfg(not(loom))]
const _: () = assert!(size_of::<BounceBuffer>() == BOUNCE_BUFFER_BYTES);

impl BounceBuffer {
    /// Filler: takes the bounce buffer, if it is free, for `len` bytes from byte `start` on, in
    /// parts of so many bytes: each is passed to `fill` with its place among them, then named to
    /// the reader by `name`, who copies it while the next is filled.
    pub fn fill(
        &self,
        (start, len): (usize, usize),
        part: usize,
        mut fill: impl FnMut(usize, &mut [u8]),
        mut name: impl FnMut(usize, usize),
    ) -> bool {
        assert!(is_within(start, len), "{len} bytes from {start} on");
        let is_taken = self.flag.take();
        for at in (0..if is_taken { len } else { 0 }).step_by(part) {
            let bytes = part.min(len - at);
            self.data.with_mut(|data| {
                // SAFETY: within the data. The flag has given it to us alone, until the reader
                // gives it back, who reads none of it before it is named.
                fill(at, unsafe { from_raw_parts_mut(data.cast::<u8>().add(start + at), bytes) });
            });
            name(at, bytes);
        }
        is_taken
    }

    /// Filler: whether it may be filled.
    pub fn is_free(&self) -> bool {
        self.flag.is_free()
    }

    /// Filler: how long the reader took in the last use that it was asked to time, once it has
    /// given the bounce buffer back.
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
        // SAFETY: within the data. The filler has named it to us and does not touch it before the
        // bounce buffer is given back.
        self.data.with(|data| use_it(unsafe { from_raw_parts(data.cast::<u8>().add(start), len) }));
        true
    }

    /// Reader: gives the bounce buffer back when it has read all parts, and says how long that
    /// took, if it was timed.
    pub fn give_back(&self, time: Option<Duration>) {
        self.flag.give_back(time);
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
    /// [`FREE`], or filled, with a reader.
    in_use: AtomicU32,
    /// How long reading it took, if it was timed.
    reading_ns: AtomicU32,
}

const FREE: u32 = 0;
const FILLED: u32 = 1;

impl BounceBufferFlag {
    fn is_free(&self) -> bool {
        // Acquire: pairs with the release in `give_back`: the reader is done before we write.
        self.in_use.load(Ordering::Acquire) == FREE
    }

    /// Filler: takes the bounce buffer if it is free.
    fn take(&self) -> bool {
        if !self.is_free() {
            return false;
        }
        // Relaxed: the packet that names the bounce buffer publishes it, with release.
        self.in_use.store(FILLED, Ordering::Relaxed);
        true
    }

    /// Reader: done with the bounce buffer, after that long.
    fn give_back(&self, time: Option<Duration>) {
        if let Some(time) = time {
            let ns = u32::try_from(time.as_nanos()).unwrap_or(u32::MAX);
            // Relaxed: what follows publishes it.
            self.reading_ns.store(ns, Ordering::Relaxed);
        }
        // Release: pairs with the acquire in `take`.
        self.in_use.store(FREE, Ordering::Release);
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
        assert!(buffer.fill((END - 4, 4), 3, fill, |at, bytes| named.push((at, bytes))));
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
                        other.0.give_back(Some(Duration::from_nanos(expected.into())));
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
}
