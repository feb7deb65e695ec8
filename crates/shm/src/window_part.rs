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

/// Pieces of a dynamic window that peers can look up; of more they must ask the owner.
pub const ATTACHED_MAX: usize = 63;

/// Looks at a lock that is held before the waiting rank yields its core. The lock is held for the
/// time of an operation; a holder that needs longer has lost its core.
const LOOKS: u32 = 200;

/// How an origin wants a lock; MPI 5.0, section 12.5.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// `MPI_LOCK_SHARED`.
    Shared,
    /// `MPI_LOCK_EXCLUSIVE`.
    Exclusive,
}

/// A place in the queue of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(u32);

/// The lock of `MPI_Win_lock`: a queue in which readers that follow one another enter together.
///
/// Every request draws a ticket. `readers` counts the requests that readers need not wait for any
/// more: writers that have left and readers that have entered; `writers` those that have left. A
/// request enters when all before it are counted, so nobody waits for ever.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct WindowLock {
    next: AtomicU32,
    readers: AtomicU32,
    writers: AtomicU32,
    /// The rank that holds it alone, plus one; for reports.
    holder: AtomicU32,
}

impl WindowLock {
    /// Joins the queue.
    pub fn ask(&self) -> Ticket {
        // Relaxed: entering orders what follows.
        Ticket(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Enters if it is this ticket's turn; then not again.
    pub fn enter(&self, Ticket(ticket): Ticket, kind: LockKind) -> bool {
        match kind {
            // Acquire: pairs with the releases in `leave`, those of readers through the sum of all.
            LockKind::Exclusive => self.writers.load(Ordering::Acquire) == ticket,
            LockKind::Shared => {
                // Acquire: pairs with the release in `leave` of a writer, which the releases of
                // readers that entered since hand on.
                if self.readers.load(Ordering::Acquire) != ticket {
                    return false;
                }
                // Nobody else changes it before the next ticket's turn. Release: see above.
                self.readers.store(ticket.wrapping_add(1), Ordering::Release);
                true
            }
        }
    }

    /// Takes the lock if nobody has it that forbids this, and nobody waits.
    #[inline]
    pub fn try_enter(&self, kind: LockKind) -> bool {
        // Relaxed: `enter` orders; a ticket that is drawn here is let in at once.
        let turn = match kind {
            LockKind::Exclusive => self.writers.load(Ordering::Relaxed),
            LockKind::Shared => self.readers.load(Ordering::Relaxed),
        };
        let (next, relaxed) = (turn.wrapping_add(1), Ordering::Relaxed);
        self.next.compare_exchange(turn, next, relaxed, relaxed).is_ok()
            && self.enter(Ticket(turn), kind)
    }

    /// Gives the lock back.
    #[inline]
    pub fn leave(&self, kind: LockKind) {
        if kind == LockKind::Exclusive {
            // Relaxed: only who has the lock alone changes it.
            let readers = self.readers.load(Ordering::Relaxed).wrapping_add(1);
            // Release: pairs with the acquire of readers in `enter`. From here on they come in, and
            // may leave before the line below: the sum is right when all have added.
            self.readers.store(readers, Ordering::Release);
        }
        // Release: pairs with the acquire of writers in `enter`.
        self.writers.fetch_add(1, Ordering::Release);
    }

    /// [`leave`](Self::leave) for who may have published itself as the holder.
    #[inline]
    pub fn give_back(&self, kind: LockKind) {
        if kind == LockKind::Exclusive {
            self.withdraw_holder();
        }
        self.leave(kind);
    }

    /// Says which rank has the lock alone from now on.
    #[inline]
    pub fn publish_holder(&self, rank: u32) {
        // Relaxed, here and below: a report may be wrong for a moment.
        self.holder.store(rank.wrapping_add(1), Ordering::Relaxed);
    }

    /// Nobody has it alone from now on.
    #[inline]
    fn withdraw_holder(&self) {
        self.holder.store(0, Ordering::Relaxed);
    }

    /// Who has it alone, as far as it has said so.
    pub fn holder(&self) -> Option<u32> {
        self.holder.load(Ordering::Relaxed).checked_sub(1)
    }
}

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

    #[inline]
    fn try_lock(&self) -> Option<UpdateGuard<'_>> {
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
    fn shared_locks_are_held_together_and_exclusive_ones_alone() {
        let lock = WindowLock::default();
        assert!(lock.try_enter(Shared) && lock.try_enter(Shared));
        assert!(!lock.try_enter(Exclusive));
        let writer = lock.ask();
        lock.leave(Shared);
        assert!(!lock.enter(writer, Exclusive));
        lock.leave(Shared);
        assert!(lock.enter(writer, Exclusive));
        assert!(!lock.try_enter(Shared) && !lock.try_enter(Exclusive));
        lock.leave(Exclusive);
        assert!(lock.try_enter(Exclusive));
    }

    #[test]
    fn nobody_overtakes_one_who_waits_for_an_exclusive_lock() {
        let lock = WindowLock::default();
        assert!(lock.try_enter(Shared));
        let writer = lock.ask();
        let (one, two) = (lock.ask(), lock.ask());
        assert!(!lock.enter(one, Shared) && !lock.enter(two, Shared));
        lock.leave(Shared);
        assert!(!lock.enter(one, Shared) && lock.enter(writer, Exclusive));
        lock.leave(Exclusive);
        assert!(lock.enter(one, Shared) && lock.enter(two, Shared));
    }

    #[test]
    fn tickets_that_wrap_round_are_tickets() {
        let near = || AtomicU32::new(u32::MAX - 1);
        let lock = WindowLock { next: near(), readers: near(), writers: near(), ..lock() };
        for kind in [Shared, Exclusive, Exclusive, Shared, Shared] {
            assert!(lock.try_enter(kind));
            lock.leave(kind);
        }
        fn lock() -> WindowLock {
            WindowLock::default()
        }
    }

    #[test]
    fn the_holder_is_known_while_it_says_so() {
        let lock = WindowLock::default();
        assert_eq!(lock.holder(), None);
        lock.publish_holder(0);
        assert_eq!(lock.holder(), Some(0));
        lock.withdraw_holder();
        assert_eq!(lock.holder(), None);
    }

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
        seen.counters[1].post();
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
    use LockKind::{Exclusive, Shared};
    use loom::sync::Arc;

    /// A model cannot wait for ever: who does not get in soon leaves its ticket to nobody.
    const LOOKS: u32 = 2;

    /// Does the work if the lock is to be had soon.
    fn hold(lock: &WindowLock, kind: LockKind, work: impl FnOnce()) -> bool {
        let ticket = lock.ask();
        let enters = (0..LOOKS).any(|_| lock.enter(ticket, kind));
        if enters {
            work();
            lock.leave(kind);
        }
        enters
    }

    fn add(number: &Cell<u32>) {
        // SAFETY: called with the lock held alone; loom checks that nobody else is inside.
        number.with_mut(|number| unsafe { *number += 1 });
    }

    fn read(number: &Cell<u32>) -> u32 {
        // SAFETY: called with the lock; loom checks that nobody changes it.
        number.with(|number| unsafe { *number })
    }

    fn run(kinds: [LockKind; 3]) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let both = Arc::new((WindowLock::default(), Cell::new(0)));
            let one = move |both: &(WindowLock, Cell<u32>), kind| {
                let work = || match kind {
                    Exclusive => add(&both.1),
                    Shared => _ = read(&both.1),
                };
                u32::from(hold(&both.0, kind, work) && kind == Exclusive)
            };
            let others = [kinds[0], kinds[1]].map(|kind| {
                let both = both.clone();
                loom::thread::spawn(move || one(&both, kind))
            });
            let changes = one(&both, kinds[2])
                + others.into_iter().map(|other| other.join().unwrap()).sum::<u32>();
            assert_eq!(read(&both.1), changes);
        });
    }

    #[test]
    fn writers_exclude_one_another() {
        run([Exclusive, Exclusive, Exclusive]);
    }

    #[test]
    fn readers_see_whole_changes() {
        run([Exclusive, Shared, Exclusive]);
        run([Shared, Exclusive, Shared]);
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
                at_target.complete();
            });
            let (at_origin, at_target, memory) = &*both;
            add(memory);
            at_origin.post();
            while at_target.completes() == 0 {
                loom::thread::yield_now();
            }
            assert_eq!(read(memory), 2);
            origin.join().unwrap();
        });
    }
}
