//! Bounce buffers: pieces of shared memory that a rank fills and its peer empties, for large
//! messages where single copy is slow or not possible. The filler owns them; a flag in front of
//! each says whether a reader has it. The packet that names a bounce buffer says what is in it: a
//! reader that had to look at the flag first would wait for one more line.

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
    /// is free.
    pub fn fill(&self, start: usize, fill: impl FnOnce(&mut [u8])) -> bool {
        let is_taken = self.flag.take();
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

    /// Reader: passes `len` bytes from byte `start` on to `use_it`, then gives the bounce buffer
    /// back, and says how long that took if it is to be timed. False if there are no such bytes:
    /// the filler says which, and may be wrong.
    pub fn read(
        &self,
        (start, len): (usize, usize),
        timed: bool,
        use_it: impl FnOnce(&[u8]),
    ) -> bool {
        if start > BOUNCE_BUFFER_DATA_BYTES || len > BOUNCE_BUFFER_DATA_BYTES - start {
            return false;
        }
        let place = start..start + len;
        let start = timed.then(Instant::now);
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
        assert!(buffer.fill(END - 4, |to| to.copy_from_slice(b"abcd")));
        for (start, len) in [(END - 4, 5), (END + 1, 0), (0, END + 1), (u32::MAX as usize, 1)] {
            assert!(!buffer.read((start, len), false, |_| panic!("read {len} bytes at {start}")));
        }
        let is_read = buffer.read((END - 4, 4), false, |from| assert_eq!(from, b"abcd"));
        assert!(is_read && buffer.is_free());
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
            let [in_use, reading_ns] = [FREE, 0].map(AtomicU32::new);
            let flag = BounceBufferFlag { in_use, reading_ns };
            let shared = Arc::new((flag, Shared::new(0u32), AtomicU32::new(0)));
            let other = shared.clone();
            let reader = loom::thread::spawn(move || {
                for expected in 1..=2 {
                    while other.2.load(Ordering::Acquire) != expected {
                        loom::thread::yield_now();
                    }
                    // SAFETY: the packet counter says the bounce buffer is filled; loom checks it.
                    other.1.with(|p| assert_eq!(unsafe { *p }, expected));
                    other.0.give_back(Some(Duration::from_nanos(expected.into())));
                }
            });
            for value in 1..=2 {
                while !shared.0.take() {
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
