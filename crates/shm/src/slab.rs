//! Slabs: pieces of shared memory that a rank fills and its peer empties, for large messages where
//! single copy is not to be had. The filler owns them; a flag in front of each says whether it is
//! in a reader's hands.

use crate::layout::{LINE, SLAB_BYTES};
use crate::sync::{AtomicU32, Ordering};

/// Bytes of data one slab holds.
pub const SLAB_DATA_BYTES: usize = SLAB_BYTES - LINE;

/// The flag of one slab.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct SlabFlag {
    /// Zero: free. One: filled, with a reader.
    lent: AtomicU32,
}

impl SlabFlag {
    /// Filler: takes the slab if it is free.
    pub fn take(&self) -> bool {
        // Acquire: pairs with the release in `give_back`: the reader is done before we write.
        if self.lent.load(Ordering::Acquire) != 0 {
            return false;
        }
        // Relaxed: the packet that names the slab publishes it, with release.
        self.lent.store(1, Ordering::Relaxed);
        true
    }

    /// Reader: done with the slab.
    pub fn give_back(&self) {
        // Release: pairs with the acquire in `take`.
        self.lent.store(0, Ordering::Release);
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::sync::Shared;
    use loom::sync::Arc;

    /// The filler never writes while the reader reads, and the reader sees what was filled.
    #[test]
    fn a_slab_is_in_one_hand_at_a_time() {
        loom::model(|| {
            let flag = SlabFlag { lent: AtomicU32::new(0) };
            let shared = Arc::new((flag, Shared::new(0u32), AtomicU32::new(0)));
            let other = shared.clone();
            let reader = loom::thread::spawn(move || {
                for expected in 1..=2 {
                    while other.2.load(Ordering::Acquire) != expected {
                        loom::thread::yield_now();
                    }
                    // SAFETY: the packet counter says the slab is filled; loom checks it.
                    other.1.with(|p| assert_eq!(unsafe { *p }, expected));
                    other.0.give_back();
                }
            });
            for value in 1..=2 {
                while !shared.0.take() {
                    loom::thread::yield_now();
                }
                // SAFETY: taken; loom checks that the reader is not inside.
                shared.1.with_mut(|p| unsafe { *p = value });
                shared.2.store(value, Ordering::Release);
            }
            reader.join().unwrap();
        });
    }
}
