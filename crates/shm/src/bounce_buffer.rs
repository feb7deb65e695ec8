//! Bounce buffers: pieces of shared memory that a rank fills and its peer empties, for large
//! messages where single copy is slow or not possible. The filler owns them; a flag in front of
//! each says whether a reader has it.

use crate::layout::{BOUNCE_BUFFER_BYTES, CACHE_LINE, PAGE};
use crate::sync::{AtomicU32, InRegion, Ordering, Shared};

use std::time::{Duration, Instant};

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

// SAFETY: the data is touched by the filler before the packet that names the buffer is published,
// and by the reader from then on until it gives the buffer back.
unsafe impl Sync for BounceBuffer {}

// SAFETY: made of atomics, and of cells of numbers and bytes that are read by copies.
unsafe impl InRegion for BounceBuffer {}

#[cfg(not(loom))]
const _: () = assert!(size_of::<BounceBuffer>() == BOUNCE_BUFFER_BYTES);

impl BounceBuffer {
    /// Filler: takes the bounce buffer and lets `fill` write into it, from byte `start` on, if it
    /// is free. The reader is asked to say how long it takes.
    pub fn fill(&self, start: usize, is_timed: bool, fill: impl FnOnce(&mut [u8])) -> bool {
        let is_taken = self.flag.take(start, is_timed);
        if is_taken {
            // SAFETY: the flag has given it to us alone, until the reader that we name it to gives
            // it back.
            self.data.with_mut(|data| fill(unsafe { &mut (&mut *data)[start..] }));
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

    /// Reader: passes the first `len` bytes to `use_it`, then gives the bounce buffer back. False
    /// if there are not as many: the filler says how many, and where, and may be wrong.
    pub fn read(&self, len: usize, use_it: impl FnOnce(&[u8])) -> bool {
        let start = self.flag.start();
        if start > BOUNCE_BUFFER_DATA_BYTES || len > BOUNCE_BUFFER_DATA_BYTES - start {
            return false;
        }
        let place = start..start + len;
        let start = self.flag.is_timed().then(Instant::now);
        // SAFETY: the filler has handed it to us and does not touch it before it is given back.
        self.data.with(|data| use_it(unsafe { &(&*data)[place] }));
        self.flag.give_back(start.map(|start| start.elapsed()));
        true
    }
}

/// The flag of one bounce buffer.
#[derive(Debug)]
#[repr(C, align(64))]
struct BounceBufferFlag {
    /// [`FREE`], or filled, with a reader.
    in_use: AtomicU32,
    /// Where in the bounce buffer the data begins.
    start: AtomicU32,
    /// How long that took, if it was timed.
    reading_ns: AtomicU32,
}

const FREE: u32 = 0;
const FILLED: u32 = 1;
/// The same, and the reader is to say how long it takes.
const FILLED_AND_TIMED: u32 = 2;

impl BounceBufferFlag {
    fn is_free(&self) -> bool {
        // Acquire: pairs with the release in `give_back`: the reader is done before we write.
        self.in_use.load(Ordering::Acquire) == FREE
    }

    /// Filler: takes the bounce buffer if it is free.
    fn take(&self, start: usize, is_timed: bool) -> bool {
        if !self.is_free() {
            return false;
        }
        // Relaxed: as below.
        self.start.store(start as u32, Ordering::Relaxed);
        // Relaxed: the packet that names the bounce buffer publishes it, with release.
        let filled = if is_timed { FILLED_AND_TIMED } else { FILLED };
        self.in_use.store(filled, Ordering::Relaxed);
        true
    }

    /// Reader: where the data begins.
    fn start(&self) -> usize {
        // Relaxed: the packet that names the bounce buffer has published it.
        self.start.load(Ordering::Relaxed) as usize
    }

    /// Reader: whether it is to say how long it takes.
    fn is_timed(&self) -> bool {
        // Relaxed: the packet that names the bounce buffer has published it.
        self.in_use.load(Ordering::Relaxed) == FILLED_AND_TIMED
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
        assert!(buffer.fill(END - 4, false, |to| to.copy_from_slice(b"abcd")));
        for (start, len) in [(END - 4, 5), (END + 1, 0), (0, END + 1), (u32::MAX as usize, 1)] {
            // As another process may.
            buffer.flag.start.store(start as u32, Ordering::Relaxed);
            assert!(!buffer.read(len, |_| panic!("read {len} bytes at {start}")));
        }
        buffer.flag.start.store(END as u32 - 4, Ordering::Relaxed);
        assert!(buffer.read(4, |from| assert_eq!(from, b"abcd")) && buffer.is_free());
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;

    /// The filler never writes while the reader reads, and the reader sees what was filled.
    #[test]
    fn a_bounce_buffer_is_in_one_hand_at_a_time() {
        loom::model(|| {
            let [in_use, start, reading_ns] = [FREE, 0, 0].map(AtomicU32::new);
            let flag = BounceBufferFlag { in_use, start, reading_ns };
            let shared = Arc::new((flag, Shared::new(0u32), AtomicU32::new(0)));
            let other = shared.clone();
            let reader = loom::thread::spawn(move || {
                for expected in 1..=2 {
                    while other.2.load(Ordering::Acquire) != expected {
                        loom::thread::yield_now();
                    }
                    // SAFETY: the packet counter says the bounce buffer is filled; loom checks it.
                    other.1.with(|p| assert_eq!(unsafe { *p }, expected));
                    assert!(other.0.is_timed() && other.0.start() == expected as usize);
                    other.0.give_back(Some(Duration::from_nanos(expected.into())));
                }
            });
            for value in 1..=2 {
                while !shared.0.take(value as usize, true) {
                    loom::thread::yield_now();
                }
                assert_eq!(shared.0.reading_ns.load(Ordering::Relaxed), value - 1);
                // SAFETY: taken; loom checks that the reader is not inside.
                shared.1.with_mut(|p| unsafe { *p = value });
                shared.2.store(value, Ordering::Release);
            }
            reader.join().unwrap();
        });
    }
}
