//! The lock of `MPI_Win_lock` among the ranks of a node.
//!
//! It is the phase-fair lock of Brandenburg and Anderson (Spin-Based Reader-Writer Synchronization
//! for Multiprocessor Real-Time Systems, 2010), polled instead of spun on, with tries. Writers
//! queue; a reader that comes while a writer has the lock or waits for the last readers enters when
//! that writer has left, at the latest, and all such readers do at the same time. So nobody waits
//! for ever, and no reader waits for another one, which may have lost its core.

use crate::sync::{AtomicU32, Ordering};

/// How an origin wants a lock; MPI 5.0, section 12.5.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// `MPI_LOCK_SHARED`.
    Shared,
    /// `MPI_LOCK_EXCLUSIVE`.
    Exclusive,
}

/// A request for a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(Request);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Request {
    /// A reader that has come while these marks of a writer were there.
    Reader { marks: u32 },
    /// A writer with this number.
    Writer { number: u32 },
    /// It is the first; the readers that have come before it.
    First { readers: u32 },
}

/// In `readers_in`: a writer is there, or waits for the readers before it.
const WRITER: u32 = 2;
/// In `readers_in`: changes when a writer leaves, so that a reader that looks rarely does not take
/// the next writer for the one before.
const PHASE: u32 = 1;
const MARKS: u32 = WRITER | PHASE;
/// What a reader adds.
const READER: u32 = 4;

/// The lock.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct WindowLock {
    /// Readers that have come, and the marks of a writer.
    readers_in: AtomicU32,
    /// Readers that have left.
    readers_out: AtomicU32,
    /// Writers that have come.
    writers_in: AtomicU32,
    /// Writers that have left.
    writers_out: AtomicU32,
    /// Requests that have been made and have not entered.
    waiting: AtomicU32,
    /// The rank that holds it alone, plus one; for reports.
    holder: AtomicU32,
}

impl WindowLock {
    /// Asks for the lock.
    pub fn ask(&self, kind: LockKind) -> Ticket {
        // Relaxed: who waits for itself passes a barrier before it sleeps, and looks once more.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Ticket(match kind {
            // Acquire: pairs with the release of a writer that has left, if none is there.
            LockKind::Shared => {
                let marks = self.readers_in.fetch_add(READER, Ordering::Acquire) & MARKS;
                Request::Reader { marks }
            }
            // Relaxed: entering orders what follows.
            LockKind::Exclusive => {
                let number = self.writers_in.fetch_add(1, Ordering::Relaxed);
                self.become_first(number).unwrap_or(Request::Writer { number })
            }
        })
    }

    /// Whether this request has the lock now. Once it has, it is not asked again.
    pub fn enter(&self, ticket: &mut Ticket) -> bool {
        if let Request::Writer { number } = ticket.0 {
            ticket.0 = self.become_first(number).unwrap_or(ticket.0);
        }
        // Acquire: pairs with the releases in `leave`, those of readers through the sum of all.
        let enters = match ticket.0 {
            Request::Reader { marks } => {
                marks & WRITER == 0 || self.readers_in.load(Ordering::Acquire) & MARKS != marks
            }
            Request::First { readers } => self.readers_out.load(Ordering::Acquire) == readers,
            Request::Writer { .. } => false,
        };
        if enters {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        enters
    }

    /// Whether anybody waits, whom a change must wake.
    #[inline]
    pub fn is_awaited(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) != 0
    }

    /// If all writers before this one have left, it keeps readers out that come from now on.
    fn become_first(&self, number: u32) -> Option<Request> {
        // Acquire: pairs with the release in `leave`.
        if self.writers_out.load(Ordering::Acquire) != number {
            return None;
        }
        // Relaxed: what readers before have done, `enter` sees.
        let readers = self.readers_in.fetch_or(WRITER, Ordering::Relaxed);
        Some(Request::First { readers: readers & !MARKS })
    }

    /// Takes the lock if nobody has it that forbids this, and nobody waits alone. If this fails for
    /// a writer, it may have kept one behind it waiting for a moment, which must be woken.
    #[inline]
    pub fn try_enter(&self, kind: LockKind) -> bool {
        match kind {
            LockKind::Shared => self.add_to_readers(READER, |readers| readers & WRITER == 0),
            LockKind::Exclusive => self.try_enter_alone(),
        }
    }

    #[inline]
    fn try_enter_alone(&self) -> bool {
        // Acquire: as in `become_first`. Relaxed: the exchange is right for this number alone.
        let number = self.writers_out.load(Ordering::Acquire);
        let (next, relaxed) = (number.wrapping_add(1), Ordering::Relaxed);
        if self.writers_in.compare_exchange(number, next, relaxed, relaxed).is_err() {
            return false;
        }
        // Acquire: pairs with the releases of readers.
        let have_left = |readers| self.readers_out.load(Ordering::Acquire) == readers & !MARKS;
        let enters = self.add_to_readers(WRITER, have_left);
        if !enters {
            // Release: as in `leave`.
            self.writers_out.store(next, Ordering::Release);
        }
        enters
    }

    /// Adds to `readers_in` as long as it is so, however often others change it meanwhile.
    #[inline]
    fn add_to_readers(&self, what: u32, is_so: impl Fn(u32) -> bool) -> bool {
        let (done, seen) = (Ordering::Acquire, Ordering::Relaxed);
        let added = |readers| is_so(readers).then(|| readers.wrapping_add(what));
        self.readers_in.fetch_update(done, seen, added).is_ok()
    }

    /// Gives the lock back.
    #[inline]
    pub fn leave(&self, kind: LockKind) {
        match kind {
            // Release: pairs with the acquire of the writer that waits for this reader.
            LockKind::Shared => _ = self.readers_out.fetch_add(READER, Ordering::Release),
            LockKind::Exclusive => {
                // Release: pairs with the acquire of readers.
                self.readers_in.fetch_xor(WRITER | PHASE, Ordering::Release);
                // Relaxed: the one who holds the lock alone changes it.
                let left = self.writers_out.load(Ordering::Relaxed).wrapping_add(1);
                // Release: pairs with the acquire of the next writer.
                self.writers_out.store(left, Ordering::Release);
            }
        }
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

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use LockKind::{Exclusive, Shared};

    #[test]
    fn shared_locks_are_held_together_and_exclusive_ones_alone() {
        let lock = WindowLock::default();
        assert!(lock.try_enter(Shared) && lock.try_enter(Shared));
        assert!(!lock.try_enter(Exclusive));
        let mut writer = lock.ask(Exclusive);
        lock.leave(Shared);
        assert!(!lock.enter(&mut writer));
        lock.leave(Shared);
        assert!(lock.enter(&mut writer));
        assert!(!lock.try_enter(Shared) && !lock.try_enter(Exclusive));
        lock.leave(Exclusive);
        assert!(lock.try_enter(Exclusive) && !lock.is_awaited());
    }

    #[test]
    fn nobody_overtakes_one_who_waits_for_an_exclusive_lock() {
        let lock = WindowLock::default();
        assert!(lock.try_enter(Shared));
        let mut writer = lock.ask(Exclusive);
        let (mut one, mut two) = (lock.ask(Shared), lock.ask(Shared));
        assert!(!lock.try_enter(Shared) && !lock.enter(&mut one) && !lock.enter(&mut two));
        lock.leave(Shared);
        assert!(!lock.enter(&mut one) && lock.enter(&mut writer));
        lock.leave(Exclusive);
        // In any order: none waits for another.
        assert!(lock.enter(&mut two) && lock.enter(&mut one));
    }

    #[test]
    fn readers_that_wait_enter_between_two_writers() {
        let lock = WindowLock::default();
        assert!(lock.try_enter(Exclusive));
        let (mut second, mut reader) = (lock.ask(Exclusive), lock.ask(Shared));
        assert!(!lock.enter(&mut second) && !lock.enter(&mut reader) && lock.is_awaited());
        lock.leave(Exclusive);
        assert!(!lock.enter(&mut second), "it waits for the reader");
        // Which looks only now.
        assert!(lock.enter(&mut reader));
        lock.leave(Shared);
        assert!(lock.enter(&mut second));
    }

    #[test]
    fn a_reader_tells_two_writers_apart_whatever_came_between() {
        for tries in 0..3 {
            let lock = WindowLock::default();
            assert!(lock.try_enter(Exclusive));
            let mut reader = lock.ask(Shared);
            lock.leave(Exclusive);
            // In vain: the reader is there.
            assert!((0..tries).all(|_| !lock.try_enter(Exclusive)));
            let mut writer = lock.ask(Exclusive);
            assert!(!lock.enter(&mut writer) && lock.enter(&mut reader));
            lock.leave(Shared);
            assert!(lock.enter(&mut writer));
        }
    }

    #[test]
    fn numbers_that_wrap_round_are_numbers() {
        let near = |step: u32| AtomicU32::new(step.wrapping_neg());
        let lock = WindowLock {
            readers_in: near(READER),
            readers_out: near(READER),
            writers_in: near(1),
            writers_out: near(1),
            ..WindowLock::default()
        };
        for kind in [Shared, Exclusive, Exclusive, Shared, Shared] {
            assert!(lock.try_enter(kind));
            lock.leave(kind);
        }
    }

    /// A rank that takes the lock again and again.
    #[derive(Debug, Clone, Copy)]
    enum Rank {
        Idle,
        Waits(LockKind, Ticket),
        Holds(LockKind),
    }

    /// Ranks that take turns in any order: writers are alone, and nobody waits for ever.
    #[test]
    fn every_request_is_granted() {
        for seed in 0..2000u64 {
            let mut state = seed;
            let mut below = |most: u64| {
                // Knuth's linear congruential generator.
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (state >> 33) % most
            };
            let lock = WindowLock::default();
            let mut ranks = vec![Rank::Idle; 2 + below(4) as usize];
            for turn in 0..400 {
                let at = below(ranks.len() as u64) as usize;
                let kind = if below(2) == 0 { Shared } else { Exclusive };
                ranks[at] = match ranks[at] {
                    // At the end nobody begins.
                    Rank::Idle if turn > 200 => Rank::Idle,
                    Rank::Idle if below(2) == 0 => match lock.try_enter(kind) {
                        true => Rank::Holds(kind),
                        false => Rank::Idle,
                    },
                    Rank::Idle => Rank::Waits(kind, lock.ask(kind)),
                    Rank::Waits(kind, mut ticket) => match lock.enter(&mut ticket) {
                        true => Rank::Holds(kind),
                        false => Rank::Waits(kind, ticket),
                    },
                    Rank::Holds(kind) => {
                        lock.leave(kind);
                        Rank::Idle
                    }
                };
                let holders = |kind| {
                    let holds = move |rank: &&Rank| matches!(rank, Rank::Holds(k) if *k == kind);
                    ranks.iter().filter(holds).count()
                };
                let (readers, writers) = (holders(Shared), holders(Exclusive));
                let wait = ranks.iter().any(|rank| matches!(rank, Rank::Waits(..)));
                assert_eq!(wait, lock.is_awaited(), "seed {seed}");
                assert!(writers == 0 || (writers, readers) == (1, 0), "seed {seed}: {ranks:?}");
            }
            let is_idle = |rank: &Rank| matches!(rank, Rank::Idle);
            assert!(ranks.iter().all(is_idle), "seed {seed}: {ranks:?} after {lock:?}");
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
    fn hold(lock: &WindowLock, kind: LockKind, tries: bool, work: impl FnOnce()) -> bool {
        let enters = if tries {
            lock.try_enter(kind)
        } else {
            let mut ticket = lock.ask(kind);
            (0..LOOKS).any(|_| lock.enter(&mut ticket))
        };
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

    /// Three ranks, of which some only try.
    fn run(kinds: [(LockKind, bool); 3]) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let both = Arc::new((WindowLock::default(), Cell::new(0)));
            let one = move |both: &(WindowLock, Cell<u32>), (kind, tries)| {
                let work = || match kind {
                    Exclusive => add(&both.1),
                    Shared => _ = read(&both.1),
                };
                u32::from(hold(&both.0, kind, tries, work) && kind == Exclusive)
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
        run([(Exclusive, false), (Exclusive, false), (Exclusive, false)]);
        run([(Exclusive, true), (Exclusive, false), (Exclusive, true)]);
    }

    #[test]
    fn readers_see_whole_changes() {
        run([(Exclusive, false), (Shared, false), (Exclusive, false)]);
        run([(Shared, false), (Exclusive, false), (Shared, false)]);
        run([(Exclusive, true), (Shared, true), (Exclusive, false)]);
        run([(Shared, true), (Exclusive, true), (Shared, false)]);
    }
}
