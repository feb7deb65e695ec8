//! What the ranks of a node share about one rank's part of a window (MPI 5.0, chapter 12), beside
//! the memory itself: the lock of `MPI_Win_lock`, the lock of accumulates, what is attached to a
//! dynamic window, and numbers that they tell one another (`window_counters.rs`). It is zero at
//! first, and lies in the heap of the rank whose part it is (`shared_heap.rs`), so that origins
//! need no help of the target.

#[cfg(loom)]
use loom::thread::yield_now;
#[cfg(not(loom))]
use std::thread::yield_now;

use crate::sync::{AtomicU32, AtomicU64, Ordering, spin_hint};
use crate::window_counters::{EpochCounters, Polls};

pub use crate::sync::full_fence;
pub use crate::window_lock::{LockKind, Ticket, WindowLock};

/// Pieces of a dynamic window that peers can look up; of more they must ask the owner.
pub const ATTACHED_MAX: usize = 63;

/// Looks at a lock that is held before the waiting rank yields its core. The lock is held for the
/// time of an operation; a holder that needs longer has lost its core.
const LOOKS: u32 = 200;

/// The lock under which accumulates change memory.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct UpdateLock {
    is_held: AtomicU32,
}

/// The right to change memory by accumulates, until it is dropped.
#[derive(Debug)]
pub struct UpdateGuard<'a>(&'a UpdateLock);

impl UpdateLock {
    /// Waits for the lock, which is held for short.
    #[inline]
    pub fn lock(&self) -> UpdateGuard<'_> {
        loop {
            match self.try_lock() {
                Some(guard) => return guard,
                None => self.wait(),
            }
        }
    }

    /// The lock, if nobody holds it.
    #[inline(always)]
    pub fn try_lock(&self) -> Option<UpdateGuard<'_>> {
        // Acquire: pairs with the release in `drop`.
        (self.is_held.swap(1, Ordering::Acquire) == 0).then(|| UpdateGuard(self))
    }

    #[cold]
    fn wait(&self) {
        let mut looks = 0;
        // Relaxed: the swap in `try_lock` orders.
        while self.is_held.load(Ordering::Relaxed) != 0 {
            looks += 1;
            match looks < LOOKS {
                true => spin_hint(),
                false => yield_now(),
            }
        }
    }
}

impl Drop for UpdateGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        // Release: pairs with the acquire in `try_lock`.
        self.0.is_held.store(0, Ordering::Release);
    }
}

/// What is attached to a dynamic window. The owner writes, origins look up.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Attached {
    /// Pieces that found no place here.
    others: AtomicU32,
    pieces: [Piece; ATTACHED_MAX],
}

/// An address and its bytes; 0 bytes where there is none.
#[derive(Debug, Default)]
#[repr(C)]
struct Piece {
    start: AtomicU64,
    bytes: AtomicU64,
}

impl Piece {
    /// Where it ends, if it holds the byte at this address.
    fn end_from(&self, at: u64) -> Option<u64> {
        // Acquire: pairs with the release in `add`.
        let bytes = self.bytes.load(Ordering::Acquire);
        let first = self.start.load(Ordering::Relaxed);
        let end = first.checked_add(bytes)?;
        (first..end).contains(&at).then_some(end)
    }
}

impl Default for Attached {
    fn default() -> Self {
        Attached { others: AtomicU32::new(0), pieces: std::array::from_fn(|_| Piece::default()) }
    }
}

impl Attached {
    /// Owner: attaches a piece.
    pub fn add(&self, start: u64, bytes: u64) {
        if bytes == 0 {
            return;
        }
        // Relaxed, here and below: the owner alone writes.
        let free = self.pieces.iter().find(|piece| piece.bytes.load(Ordering::Relaxed) == 0);
        match free {
            Some(piece) => {
                piece.start.store(start, Ordering::Relaxed);
                // Release: pairs with the acquire in `has`.
                piece.bytes.store(bytes, Ordering::Release);
            }
            None => self.add_to_others(1),
        }
    }

    /// Owner: detaches what begins there, which is attached and has this length.
    pub fn remove(&self, start: u64, bytes: u64) {
        let is_it = |piece: &&Piece| {
            piece.start.load(Ordering::Relaxed) == start
                && piece.bytes.load(Ordering::Relaxed) == bytes
        };
        match self.pieces.iter().find(is_it) {
            _ if bytes == 0 => {}
            Some(piece) => piece.bytes.store(0, Ordering::Relaxed),
            None => self.add_to_others(u32::MAX),
        }
    }

    fn add_to_others(&self, number: u32) {
        let others = self.others.load(Ordering::Relaxed).wrapping_add(number);
        self.others.store(others, Ordering::Relaxed);
    }

    /// Origin: whether all bytes from `start` to `end` are attached, of which there are some;
    /// `None` if only the owner knows.
    ///
    /// A program attaches memory before others may access it, and they know of it by a message. So
    /// the pieces that an origin looks for do not change while it looks; if it reads half of a
    /// change of another piece, the answer is right all the same.
    pub fn has(&self, start: u64, end: u64) -> Option<bool> {
        let mut at = start;
        // Pieces may follow one another without a gap. Each takes a step forward.
        while let Some(behind) = self.pieces.iter().find_map(|piece| piece.end_from(at)) {
            if end <= behind {
                return Some(start < end);
            }
            at = behind;
        }
        (self.others.load(Ordering::Relaxed) == 0).then_some(false)
    }
}

/// What is shared about a part, without the counters of single ranks.
#[derive(Debug, Default)]
#[repr(C)]
pub struct PartHeader {
    /// The lock of `MPI_Win_lock`.
    pub lock: WindowLock,
    /// The lock of accumulates.
    pub updates: UpdateLock,
    /// What is attached to a dynamic window.
    pub attached: Attached,
    /// Whether the owner looks for operations.
    pub polls: Polls,
}

/// What is shared about a part, as a rank sees it.
#[derive(Debug, Clone, Copy)]
pub struct WindowPart<'a> {
    /// The locks and what is attached.
    pub header: &'a PartHeader,
    /// The counters of every rank of the window.
    pub counters: &'a [EpochCounters],
}

#[cfg(not(loom))]
mod memory {
    use super::*;
    use crate::layout::PAGE;
    use crate::node::Node;
    use crate::sync::InRegion;
    use std::ptr::NonNull;

    // SAFETY: made of atomics alone.
    unsafe impl InRegion for PartHeader {}
    // SAFETY: as above.
    unsafe impl InRegion for EpochCounters {}

    /// This rank's own part, for a window of some ranks.
    #[derive(Debug)]
    pub enum OwnPart {
        /// In the heap, where the peers map it.
        Shared(WindowPart<'static>),
        /// For this process alone: the system allows no heap.
        Private(Box<PartHeader>, Box<[EpochCounters]>),
    }

    impl OwnPart {
        /// A part for a window of `ranks` ranks.
        pub fn new(node: &'static Node, ranks: usize) -> OwnPart {
            let address = node.allocate(bytes(ranks).max(PAGE)).map(|start| start.as_ptr() as u64);
            let part = address.and_then(|address| find(node, node.me(), address, ranks));
            part.map(OwnPart::Shared).unwrap_or_else(|| {
                let counters = std::iter::repeat_with(EpochCounters::default).take(ranks);
                OwnPart::Private(Box::default(), counters.collect())
            })
        }

        /// Where peers find it; 0 if they cannot.
        pub fn address(&self) -> u64 {
            match self {
                OwnPart::Shared(part) => std::ptr::from_ref(part.header) as u64,
                OwnPart::Private(..) => 0,
            }
        }

        /// What it has.
        pub fn get(&self) -> WindowPart<'_> {
            match self {
                OwnPart::Shared(part) => *part,
                OwnPart::Private(header, counters) => WindowPart { header, counters },
            }
        }

        /// Gives its memory back. No peer uses it any more.
        pub fn free(&self, node: &Node) {
            if let OwnPart::Shared(part) = self {
                node.free(std::ptr::from_ref(part.header).cast());
            }
        }
    }

    /// The part of a rank of this node for a window of `ranks` ranks, which that rank says is at
    /// this address; `None` if it cannot be reached.
    pub fn find(
        node: &'static Node,
        peer: usize,
        address: u64,
        ranks: usize,
    ) -> Option<WindowPart<'static>> {
        let start = node.mapped(peer, address, bytes(ranks))?;
        let is_aligned = start.cast::<PartHeader>().is_aligned();
        // SAFETY: mapped as long as the process lives, with room for all of it, aligned, and any
        // bytes are a header and counters. That the memory may be used for another purpose later
        // changes their values only.
        is_aligned.then(|| unsafe {
            let counters: NonNull<EpochCounters> = start.add(size_of::<PartHeader>()).cast();
            WindowPart {
                header: start.cast().as_ref(),
                counters: NonNull::slice_from_raw_parts(counters, ranks).as_ref(),
            }
        })
    }

    fn bytes(ranks: usize) -> usize {
        size_of::<PartHeader>() + ranks * size_of::<EpochCounters>()
    }
}

#[cfg(not(loom))]
pub use memory::{OwnPart, find};

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use LockKind::{Exclusive, Shared};

    #[test]
    fn attached_memory_is_found_until_it_is_detached() {
        let attached = Attached::default();
        attached.add(1000, 100);
        attached.add(2000, 1);
        assert_eq!(attached.has(1000, 1100), Some(true));
        assert_eq!(attached.has(1050, 1060), Some(true));
        for (start, end) in [(999, 1001), (1000, 1101), (1060, 1050), (0, 0), (u64::MAX, 1050)] {
            assert_eq!(attached.has(start, end), Some(false), "{start} to {end}");
        }
        attached.add(1100, 50);
        assert_eq!(attached.has(1050, 1150), Some(true));
        assert_eq!(attached.has(1050, 1151), Some(false));
        attached.remove(1000, 100);
        assert_eq!((attached.has(1000, 1100), attached.has(2000, 2001)), (Some(false), Some(true)));
    }

    #[test]
    fn of_pieces_without_a_place_only_the_owner_knows() {
        let attached = Attached::default();
        for piece in 0..=ATTACHED_MAX as u64 {
            attached.add(100 * piece + 100, 10);
        }
        let last = 100 * ATTACHED_MAX as u64 + 100;
        assert_eq!((attached.has(100, 110), attached.has(last, last + 1)), (Some(true), None));
        attached.remove(last, 10);
        assert_eq!(attached.has(last, last + 1), Some(false));
    }

    #[test]
    fn ranks_of_a_node_see_one_part() {
        let (a, b) = crate::node::tests::pair();
        let own = OwnPart::new(a, 2);
        let seen = find(b, 0, own.address(), 2).unwrap();
        seen.counters[1].post(1);
        assert!(seen.header.lock.try_enter(Exclusive) && !own.get().header.lock.try_enter(Shared));
        assert_eq!((own.get().counters[1].posts(), own.get().counters[1].completes()), (1, 0));
        drop(own.get().header.updates.lock());
        own.free(a);
        assert!(find(b, 0, 64, 2).is_none());
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use crate::sync::Shared as Cell;
    use loom::sync::Arc;

    fn add(number: &Cell<u32>) {
        // SAFETY: called with the lock held alone; loom checks that nobody else is inside.
        number.with_mut(|number| unsafe { *number += 1 });
    }

    fn read(number: &Cell<u32>) -> u32 {
        // SAFETY: called with the lock; loom checks that nobody changes it.
        number.with(|number| unsafe { *number })
    }

    #[test]
    fn updates_exclude_one_another() {
        loom::model(|| {
            let both = Arc::new((UpdateLock::default(), Cell::new(0)));
            let one = |both: &(UpdateLock, Cell<u32>)| {
                u32::from(both.0.try_lock().map(|_guard| add(&both.1)).is_some())
            };
            let others = [(); 2].map(|()| {
                let both = both.clone();
                loom::thread::spawn(move || one(&both))
            });
            let changes =
                one(&both) + others.into_iter().map(|other| other.join().unwrap()).sum::<u32>();
            assert!(changes > 0);
            assert_eq!(read(&both.1), changes);
        });
    }

    #[test]
    fn an_origin_writes_between_post_and_wait_only() {
        loom::model(|| {
            let both = Arc::new((EpochCounters::default(), EpochCounters::default(), Cell::new(0)));
            let origin = both.clone();
            let origin = loom::thread::spawn(move || {
                let (at_origin, at_target, memory) = &*origin;
                while at_origin.posts() == 0 {
                    loom::thread::yield_now();
                }
                add(memory);
                at_target.complete(1);
            });
            let (at_origin, at_target, memory) = &*both;
            add(memory);
            at_origin.post(1);
            while at_target.completes() == 0 {
                loom::thread::yield_now();
            }
            assert_eq!(read(memory), 2);
            origin.join().unwrap();
        });
    }
}
