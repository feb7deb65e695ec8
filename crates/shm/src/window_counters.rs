//! Numbers that the ranks of a node tell one another about a window, each written by one rank
//! alone.

use crate::sync::{AtomicU32, Ordering};

/// What another rank tells the owner of this part, above all its calls that open or close epochs
/// on it.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct EpochCounters {
    posts: AtomicU32,
    completes: AtomicU32,
    maps: AtomicU32,
}

impl EpochCounters {
    /// The other rank has called `MPI_Win_post` for the owner.
    pub fn post(&self) {
        count(&self.posts);
    }

    /// Such calls so far. What came before them is seen.
    pub fn posts(&self) -> u32 {
        // Acquire: pairs with the release in `count`.
        self.posts.load(Ordering::Acquire)
    }

    /// The other rank has called `MPI_Win_complete` for an epoch of the owner's.
    pub fn complete(&self) {
        count(&self.completes);
    }

    /// Such calls so far. What came before them is seen.
    pub fn completes(&self) -> u32 {
        // Acquire: pairs with the release in `count`.
        self.completes.load(Ordering::Acquire)
    }

    /// The other rank has mapped the owner's heap.
    pub fn map(&self) {
        // Relaxed: nothing goes with it.
        self.maps.store(1, Ordering::Relaxed);
    }

    /// Whether it has.
    pub fn maps(&self) -> bool {
        self.maps.load(Ordering::Relaxed) != 0
    }
}

fn count(calls: &AtomicU32) {
    // Relaxed: one writer. Release: pairs with the acquires above.
    calls.store(calls.load(Ordering::Relaxed).wrapping_add(1), Ordering::Release);
}

/// How often the owner has looked for operations of its node, which tells an origin whether it does
/// so now. While it does what it has found, the number is odd.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Polls(AtomicU32);

impl Polls {
    /// The owner looks, and has done what it had found before.
    #[inline]
    pub fn count(&self) {
        self.add(2 - self.so_far() % 2);
    }

    /// The owner has found something, and does it.
    #[inline]
    pub fn begin(&self) {
        self.add(1 - self.so_far() % 2);
    }

    fn add(&self, steps: u32) {
        // Relaxed, here and below: a hint of one writer; nothing goes with it.
        self.0.store(self.so_far().wrapping_add(steps), Ordering::Relaxed);
    }

    /// Two for each look so far.
    #[inline]
    pub fn so_far(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether the owner has looked since it was at `before`, or does what it has found.
    #[inline]
    pub fn goes_on(&self, before: u32) -> bool {
        let now = self.so_far();
        now != before || now % 2 == 1
    }
}
