//! A lock between a thread that takes it all the time and one that rarely does: the program's
//! thread, which enters and leaves MPI, and the progress thread. The first pays two plain stores
//! and a load; the second makes all cores that run this process execute a barrier (`membarrier`).
//! An asymmetric Dekker lock, as in biased locking.
//!
//! Where the first knows that it leaves work, it *hands* the lock *over* as it leaves: then the
//! second takes it without that barrier, and the first pays a locked instruction when it comes
//! back.
//!
//! Beside it the word by which the second sleeps until the first leaves it something to do.

use crate::sync::{AtomicU32, Ordering, fence};

/// Looks of the progress thread at a program that is inside before it gives up: calls that last
/// longer than this make progress themselves. It yields between, since both may share a core.
const LOOKS: u32 = 8;
/// Looks of the program at a progress thread that has the lock before it yields its core, and then
/// before it sleeps: a progress thread with less weight than the program gets little of a core that
/// both share, however often the program yields it.
#[cfg(not(loom))]
const SPINS: u32 = 100;
#[cfg(not(loom))]
const YIELDS: u32 = 20;
/// So long it sleeps at most, whether it is woken or not.
#[cfg(not(loom))]
const RELEASE_SLEEP: std::time::Duration = std::time::Duration::from_millis(1);

/// What [`BiasedLock::try_enter`] has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TryEnter {
    /// The program has the lock now.
    Taken,
    /// It had it already: an outer call gives it back.
    HeldBefore,
    /// The progress thread has it.
    Busy {
        /// Whether it is to be woken, as after [`BiasedLock::leave`].
        wakes: bool,
    },
}

/// Values of `inside`.
const OUTSIDE: u32 = 0;
const INSIDE: u32 = 1;
/// Outside until the progress thread has given the lock back, and next then.
const NEXT: u32 = 2;
/// Outside, and the progress thread may take the lock by exchanging this for [`USED`].
const HANDED_OVER: u32 = 3;
/// The progress thread has the lock, which was handed over.
const USED: u32 = 4;

/// The lock, and the sleep of the thread that rarely takes it. On cache lines of its own: that
/// thread looks at it all the time while it stays awake.
#[derive(Debug)]
#[repr(align(128))]
pub struct BiasedLock {
    /// Whether the program's thread has the lock, or is about to look whether it may.
    inside: AtomicU32,
    /// The progress thread has the lock, or is about to look whether it may.
    claimed: AtomicU32,
    /// Something is to be done for which the program may not come back in time.
    wanted: AtomicU32,
    /// The progress thread sleeps, or is about to.
    asleep: AtomicU32,
    /// The kernel has no barrier for us: the program's thread pays for a fence of its own.
    #[cfg(not(loom))]
    heavy: AtomicU32,
}

impl BiasedLock {
    /// One that nobody has.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        BiasedLock {
            inside: AtomicU32::new(0),
            claimed: AtomicU32::new(0),
            wanted: AtomicU32::new(0),
            asleep: AtomicU32::new(0),
            heavy: AtomicU32::new(1),
        }
    }

    /// Program: takes the lock. False if it has it already: then an outer call gives it back.
    #[inline(always)]
    pub fn enter(&self) -> bool {
        match self.inside.load(Ordering::Relaxed) {
            OUTSIDE => {}
            INSIDE => return false,
            _ => return self.take_back(),
        }
        // Relaxed: ordered before the load by the fence here and the barrier in `claim`: either
        // that sees this store, or this load sees the claim.
        self.inside.store(INSIDE, Ordering::Relaxed);
        self.light_fence();
        // Acquire: pairs with the release in `release`.
        if self.claimed.load(Ordering::Acquire) != 0 {
            self.enter_behind_claim();
        }
        true
    }

    /// Program: takes the lock unless the progress thread has it, or is about to.
    pub fn try_enter(&self) -> TryEnter {
        match self.inside.load(Ordering::Relaxed) {
            OUTSIDE => {}
            INSIDE => return TryEnter::HeldBefore,
            _ if self.exchange(HANDED_OVER, INSIDE) => return TryEnter::Taken,
            _ => return TryEnter::Busy { wakes: false },
        }
        // As in `enter`.
        self.inside.store(INSIDE, Ordering::Relaxed);
        self.light_fence();
        if self.claimed.load(Ordering::Acquire) == 0 {
            return TryEnter::Taken;
        }
        // The progress thread may have seen us inside as it was about to sleep.
        TryEnter::Busy { wakes: self.leave() }
    }

    /// The progress thread is waited for; it gives up if it has not decided yet.
    #[cold]
    fn enter_behind_claim(&self) {
        loop {
            self.inside.store(NEXT, Ordering::Relaxed);
            self.wait_for_release();
            self.inside.store(INSIDE, Ordering::Relaxed);
            self.light_fence();
            // Acquire: pairs with the release in `release`.
            if self.claimed.load(Ordering::Acquire) == 0 {
                return;
            }
        }
    }

    /// Program: gives the lock back. True if the progress thread is to be woken.
    #[inline(always)]
    pub fn leave(&self) -> bool {
        // Release: pairs with the acquire in `claim`.
        self.inside.store(OUTSIDE, Ordering::Release);
        // Between what is wanted and the look whether somebody sleeps; see `fall_asleep`.
        self.light_fence();
        self.wanted.load(Ordering::Relaxed) != 0 && self.asleep.load(Ordering::Relaxed) != 0
    }

    /// Program: gives the lock back so that the progress thread can take it at little cost. True if
    /// that is to be woken.
    #[inline]
    pub fn hand_over(&self) -> bool {
        // Release: pairs with the acquire in `claim`.
        self.inside.store(HANDED_OVER, Ordering::Release);
        // As in `leave`.
        self.light_fence();
        self.wanted.load(Ordering::Relaxed) != 0 && self.asleep.load(Ordering::Relaxed) != 0
    }

    /// Program: takes the lock, which it has handed over. Waits for the end of a turn of the
    /// progress thread's.
    #[inline(never)]
    fn take_back(&self) -> bool {
        if self.exchange(HANDED_OVER, INSIDE) {
            return true;
        }
        // Acquire: pairs with the release in `release`.
        match self.inside.swap(NEXT, Ordering::Acquire) {
            USED => self.wait_for_turn(),
            // It was given back between the two.
            _ => self.inside.store(INSIDE, Ordering::Relaxed),
        }
        true
    }

    /// Whether the lock was so, and now is.
    #[inline]
    fn exchange(&self, from: u32, to: u32) -> bool {
        // Acquire: pairs with the releases in `release` and `hand_over`; release: with the acquire
        // in `take_back` and `claim`.
        self.inside.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Progress thread: whether the program has handed the lock over, and has not come back.
    pub fn is_handed_over(&self) -> bool {
        self.inside.load(Ordering::Relaxed) == HANDED_OVER
    }

    /// Progress thread: whether the program waits for the lock.
    pub fn is_awaited(&self) -> bool {
        self.inside.load(Ordering::Relaxed) == NEXT
    }

    /// Who has the lock: says whether something is to be done while the program is outside.
    #[inline(always)]
    pub fn want(&self, wanted: bool) {
        self.wanted.store(wanted.into(), Ordering::Relaxed);
    }

    /// Whether something is to be done.
    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) != 0
    }

    /// Progress thread: takes the lock, unless the program has it for longer than a moment or has
    /// waited for it since this thread had it: a thread with turn after turn to take would starve
    /// the program.
    pub fn claim(&self) -> bool {
        if self.claim_handed_over() {
            return true;
        }
        self.claimed.store(1, Ordering::Relaxed);
        self.barrier();
        for _ in 0..LOOKS {
            // Acquire: pairs with the release in `leave`.
            match self.inside.load(Ordering::Acquire) {
                OUTSIDE => return true,
                INSIDE => give_way(),
                _ => break,
            }
        }
        self.end_claim();
        // Meanwhile the program may have come and handed it over.
        self.claim_handed_over()
    }

    /// Progress thread: takes the lock if it was handed over.
    pub fn claim_handed_over(&self) -> bool {
        self.is_handed_over() && self.exchange(HANDED_OVER, USED)
    }

    /// Progress thread: gives the lock back.
    pub fn release(&self) {
        // Only this thread ends what is claimed.
        if self.claimed.load(Ordering::Relaxed) != 0 {
            self.end_claim();
        } else if !self.exchange(USED, HANDED_OVER) {
            // The program waits, and has the lock now. Release: pairs with the acquire in
            // `wait_for_turn`.
            self.inside.store(INSIDE, Ordering::Release);
            #[cfg(not(loom))]
            self.wake_waiter();
        }
    }

    fn end_claim(&self) {
        // Release: pairs with the acquires in `enter`.
        self.claimed.store(0, Ordering::Release);
        #[cfg(not(loom))]
        self.wake_next();
    }

    /// Program: whether the progress thread has the lock, or is about to look whether it may.
    pub fn is_claimed(&self) -> bool {
        self.claimed.load(Ordering::Acquire) != 0 || self.inside.load(Ordering::Acquire) == USED
    }

    /// Progress thread: whether the program has the lock at this moment, or waits for it.
    pub fn is_inside(&self) -> bool {
        matches!(self.inside.load(Ordering::Relaxed), INSIDE | NEXT)
    }

    /// Progress thread: is about to sleep. False if there is something to do: the program is
    /// outside, and has left something.
    fn fall_asleep(&self) -> bool {
        self.asleep.store(1, Ordering::Relaxed);
        // Either the look in `leave` sees us asleep, or this one sees the program outside, and what
        // is wanted.
        self.barrier();
        let sleeps = self.is_inside() || !self.is_wanted();
        if !sleeps {
            self.asleep.store(0, Ordering::Relaxed);
        }
        sleeps
    }
}

#[cfg(not(loom))]
mod system {
    use super::*;
    use crate::wait::fence_of_sender;
    use std::time::Duration;

    const MEMBARRIER_PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
    const MEMBARRIER_REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: no memory is passed.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }

    impl Default for BiasedLock {
        fn default() -> Self {
            BiasedLock::new()
        }
    }

    impl BiasedLock {
        /// Before the first claim: finds out whether the kernel has a barrier for us.
        pub fn prepare(&self) {
            let heavy = !membarrier(MEMBARRIER_REGISTER_PRIVATE_EXPEDITED);
            self.heavy.store(heavy.into(), Ordering::Relaxed);
        }

        /// What the program's thread puts between a store and a load.
        #[inline(always)]
        pub(super) fn light_fence(&self) {
            fence_of_sender(self.heavy.load(Ordering::Relaxed) != 0);
        }

        /// A full barrier on every core that runs a thread of this process.
        pub(super) fn barrier(&self) {
            fence(Ordering::SeqCst);
            if self.heavy.load(Ordering::Relaxed) == 0 {
                membarrier(MEMBARRIER_PRIVATE_EXPEDITED);
                fence(Ordering::SeqCst);
            }
        }

        /// Program: until the progress thread, whose turns are short, has given the lock back.
        pub(super) fn wait_for_release(&self) {
            wait_while(&self.claimed, 1, Ordering::Relaxed);
        }

        /// The same where it was handed over.
        pub(super) fn wait_for_turn(&self) {
            // Acquire: pairs with the release in `release`.
            wait_while(&self.inside, NEXT, Ordering::Acquire);
        }

        /// Progress thread, which has left the lock to the program, that waits for it.
        pub(super) fn wake_waiter(&self) {
            futex_wake(&self.inside);
        }

        /// Progress thread, which has given the lock back: wakes the program if it waits for that.
        pub(super) fn wake_next(&self) {
            // Either this sees that the program waits, or the kernel sees for it that the lock is
            // free.
            fence(Ordering::SeqCst);
            if self.inside.load(Ordering::Relaxed) == NEXT {
                futex_wake(&self.claimed);
            }
        }

        /// Program: after [`BiasedLock::leave`] has said so.
        #[cold]
        pub fn wake(&self) {
            self.asleep.store(0, Ordering::Relaxed);
            futex_wake(&self.asleep);
        }

        /// Progress thread: sleeps until the program is outside and something is to be done, or
        /// for so long at most.
        pub fn sleep_until_wanted(&self, timeout: Duration) {
            if !self.fall_asleep() {
                return;
            }
            futex_wait(&self.asleep, 1, timeout);
            self.asleep.store(0, Ordering::Relaxed);
        }
    }

    fn wait_while(word: &AtomicU32, value: u32, ordering: Ordering) {
        let mut looks = 0;
        while word.load(ordering) == value {
            looks += 1;
            match looks {
                0..SPINS => std::hint::spin_loop(),
                _ if looks < SPINS + YIELDS => give_way(),
                _ => futex_wait(word, value, RELEASE_SLEEP),
            }
        }
    }

    /// Sleeps while the word has this value, until it is woken or time has passed.
    fn futex_wait(word: &AtomicU32, value: u32, timeout: Duration) {
        let timeout = libc::timespec {
            tv_sec: timeout.as_secs().min(i32::MAX as u64) as libc::time_t,
            tv_nsec: timeout.subsec_nanos().into(),
        };
        // SAFETY: the futex word is a live atomic, which the kernel only reads; the timeout is
        // valid for the length of the call.
        unsafe {
            let word = std::ptr::from_ref(word).cast::<u32>();
            libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAIT, value, &raw const timeout);
        }
    }

    fn futex_wake(word: &AtomicU32) {
        // SAFETY: the futex word is a live atomic; FUTEX_WAKE touches no memory.
        unsafe {
            let word = std::ptr::from_ref(word).cast::<u32>();
            libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE, 1);
        }
    }
}

/// Lets the other thread run, which may need this core.
fn give_way() {
    #[cfg(not(loom))]
    std::thread::yield_now();
    #[cfg(loom)]
    loom::thread::yield_now();
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::Shared;
    use std::time::Duration;

    /// What the lock protects.
    struct Counted(BiasedLock, Shared<u64>);

    // SAFETY: the number is touched under the lock alone.
    unsafe impl Sync for Counted {}

    impl Counted {
        fn add(&self) {
            // SAFETY: called with the lock.
            self.1.with_mut(|number| unsafe { *number += 1 });
        }
    }

    fn count_with_both(heavy: bool) {
        const ROUNDS: u64 = 20_000;
        let counted = Counted(BiasedLock::new(), Shared::new(0));
        if !heavy {
            counted.0.prepare();
        }
        let mut claims = 0;
        std::thread::scope(|scope| {
            let program = scope.spawn(|| {
                for _ in 0..ROUNDS {
                    assert!(counted.0.enter());
                    assert!(!counted.0.enter(), "an outer call has it");
                    counted.add();
                    counted.0.leave();
                }
            });
            while !program.is_finished() {
                if counted.0.claim() {
                    counted.add();
                    claims += 1;
                    counted.0.release();
                } else {
                    give_way();
                }
            }
        });
        // SAFETY: the other thread has ended.
        assert_eq!(counted.1.with(|number| unsafe { *number }), ROUNDS + claims);
    }

    #[test]
    fn one_thread_at_a_time_has_it() {
        count_with_both(false);
        count_with_both(true);
    }

    #[test]
    fn a_try_does_not_wait_for_the_progress_thread() {
        let lock = BiasedLock::new();
        assert_eq!(lock.try_enter(), TryEnter::Taken);
        assert_eq!(lock.try_enter(), TryEnter::HeldBefore);
        lock.leave();
        assert!(lock.claim());
        assert_eq!(lock.try_enter(), TryEnter::Busy { wakes: false });
        lock.release();
        assert_eq!(lock.try_enter(), TryEnter::Taken);
    }

    #[test]
    fn a_program_that_waits_is_next() {
        let lock = BiasedLock::new();
        let leaves = std::sync::Barrier::new(2);
        assert!(lock.claim());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                lock.enter();
                leaves.wait();
                lock.leave();
            });
            while lock.inside.load(Ordering::Relaxed) != NEXT {
                give_way();
            }
            lock.release();
            assert!(!lock.claim(), "the program has it, or waits");
            leaves.wait();
        });
        assert!(lock.claim());
    }

    #[test]
    fn a_thread_that_sleeps_is_woken_for_what_is_wanted() {
        let lock = BiasedLock::new();
        lock.prepare();
        std::thread::scope(|scope| {
            let sleeper = scope.spawn(|| {
                while !lock.is_wanted() {
                    lock.sleep_until_wanted(Duration::from_secs(3600));
                }
            });
            lock.enter();
            lock.want(true);
            if lock.leave() {
                lock.wake();
            }
            sleeper.join().unwrap();
        });
    }
}

#[cfg(loom)]
impl BiasedLock {
    /// One that nobody has.
    pub fn new() -> Self {
        let word = || AtomicU32::new(0);
        BiasedLock { inside: word(), claimed: word(), wanted: word(), asleep: word() }
    }

    /// The model has no `membarrier`, which puts a barrier into the other thread wherever that is:
    /// with a fence on both sides the algorithm is the same, and that fence is what a kernel
    /// without the call costs.
    fn light_fence(&self) {
        fence(Ordering::SeqCst);
    }

    fn barrier(&self) {
        fence(Ordering::SeqCst);
    }

    fn wait_for_release(&self) {
        while self.claimed.load(Ordering::Relaxed) != 0 {
            give_way();
        }
    }

    fn wait_for_turn(&self) {
        while self.inside.load(Ordering::Acquire) == NEXT {
            give_way();
        }
    }
}

#[cfg(all(test, loom))]
#[path = "biased_lock_model.rs"]
mod model;
