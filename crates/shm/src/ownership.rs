//! Who owns what a program and its progress thread use in turns: one word. The program releases it
//! before it computes, and reacquires it when it calls MPI again; in between the thread may acquire
//! it, for turns. A program that never releases it pays nothing, in contrast to
//! [`crate::biased_lock`], and who does pays two atomic operations.
//!
//! On the same word the thread sleeps while there is nothing for it, and the program while it waits
//! for the end of a turn.

use crate::sync::{AtomicU32, Ordering, spin_hint};

/// The program owns it.
const PROGRAM: u32 = 0;
/// The same, or it is as [`RESTED`], and the thread sleeps.
const PARKED: u32 = 1;
/// Released: the thread may acquire it.
const FREE: u32 = 2;
/// The thread owns it.
const THREAD: u32 = 3;
/// The thread owns it, and the program waits for it.
const WANTED: u32 = 4;
/// The same, and the program sleeps.
#[cfg(not(loom))]
const AWAITED: u32 = 5;
/// Released, but the thread has nothing to do before it is released again.
const RESTED: u32 = 6;

/// Looks of a program that waits before it yields its core, and then before it sleeps: the thread
/// may need that core.
#[cfg(not(loom))]
const SPINS: u32 = 1000;
#[cfg(not(loom))]
const YIELDS: u32 = 20;
/// So long it sleeps at most, whether it is woken or not.
#[cfg(not(loom))]
const SLEEP_MAX: std::time::Duration = std::time::Duration::from_millis(1);

/// The word.
#[derive(Debug)]
pub struct Ownership {
    word: AtomicU32,
}

impl Ownership {
    /// The program's.
    #[cfg(not(loom))]
    pub const fn new() -> Ownership {
        Ownership { word: AtomicU32::new(PROGRAM) }
    }

    /// Program, which owns it: lets the thread have it.
    pub fn release(&self) {
        // Release: pairs with the acquire in `acquire`.
        if self.word.swap(FREE, Ordering::Release) == PARKED {
            self.wake();
        }
    }

    /// Program, which has released it: owns it again, at the end of a turn that the thread may be
    /// in.
    pub fn reacquire(&self) {
        let mut seen = self.word.load(Ordering::Acquire);
        loop {
            let next = match seen {
                FREE | RESTED => PROGRAM,
                THREAD => WANTED,
                // Parked, or given back.
                _ => return,
            };
            // Acquire: pairs with the release in `give_back`.
            match self.word.compare_exchange(seen, next, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) if next == WANTED => return self.wait(),
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// Thread: whether it may acquire it now.
    pub fn is_free(&self) -> bool {
        self.word.load(Ordering::Relaxed) == FREE
    }

    /// Thread: owns it, if it is free.
    pub fn acquire(&self) -> bool {
        // Acquire: pairs with the release in `release`.
        self.word.compare_exchange(FREE, THREAD, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Thread, which owns it: the program may have it; `rests` if this thread has nothing more to
    /// do. Whether it may be acquired again.
    pub fn give_back(&self, rests: bool) -> bool {
        let next = if rests { RESTED } else { FREE };
        // Release, here and below: pairs with the acquires of the program.
        match self.word.compare_exchange(THREAD, next, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => !rests,
            Err(_) => {
                self.hand_to_waiting();
                false
            }
        }
    }

    #[cfg(loom)]
    fn hand_to_waiting(&self) {
        self.word.store(PROGRAM, Ordering::Release);
    }

    #[cfg(loom)]
    fn wake(&self) {}

    #[cfg(loom)]
    fn wait(&self) {
        while self.word.load(Ordering::Acquire) == WANTED {
            spin_hint();
        }
    }
}

#[cfg(not(loom))]
mod system {
    use super::*;
    use std::ptr;
    use std::time::Duration;

    impl Default for Ownership {
        fn default() -> Self {
            Ownership::new()
        }
    }

    impl Ownership {
        pub(super) fn hand_to_waiting(&self) {
            if self.word.swap(PROGRAM, Ordering::Release) == AWAITED {
                self.wake();
            }
        }

        /// Program: until the thread, whose turns are short, has given it back.
        #[cold]
        pub(super) fn wait(&self) {
            let mut looks = 0;
            // Not until it is the program's: by then the thread may be parked.
            while matches!(self.word.load(Ordering::Acquire), WANTED | AWAITED) {
                looks += 1;
                match looks {
                    0..SPINS => spin_hint(),
                    _ if looks < SPINS + YIELDS => std::thread::yield_now(),
                    _ => {
                        let (from, to) = (WANTED, AWAITED);
                        // Relaxed, and a failure ignored: the next look tells.
                        let _is_set = self.word.compare_exchange(
                            from,
                            to,
                            Ordering::Relaxed,
                            Ordering::Relaxed,
                        );
                        self.sleep_while(AWAITED, Some(SLEEP_MAX));
                    }
                }
            }
        }

        /// Thread, which does not own it: sleeps until it is free.
        pub fn park(&self) {
            loop {
                let seen = self.word.load(Ordering::Relaxed);
                match seen {
                    FREE => return,
                    PARKED => self.sleep_while(PARKED, None),
                    // Release and acquire: what the thread did in its last turn is still to be seen
                    // by a program that finds it parked.
                    _ => {
                        let (ok, failed) = (Ordering::AcqRel, Ordering::Relaxed);
                        let _is_parked = self.word.compare_exchange(seen, PARKED, ok, failed);
                    }
                }
            }
        }

        fn sleep_while(&self, value: u32, timeout: Option<Duration>) {
            let timeout = timeout.map(|timeout| libc::timespec {
                tv_sec: timeout.as_secs() as libc::time_t,
                tv_nsec: timeout.subsec_nanos().into(),
            });
            let timeout = timeout.as_ref().map_or(ptr::null(), ptr::from_ref);
            let word = ptr::from_ref(&self.word).cast::<u32>();
            let wait = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
            // SAFETY: the futex word is a live atomic, which the kernel only reads; the timeout is
            // null or valid for the length of the call.
            unsafe { libc::syscall(libc::SYS_futex, word, wait, value, timeout) };
        }

        #[cold]
        pub(super) fn wake(&self) {
            let word = ptr::from_ref(&self.word).cast::<u32>();
            let wake = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
            // SAFETY: the futex word is a live atomic; FUTEX_WAKE touches no memory.
            unsafe { libc::syscall(libc::SYS_futex, word, wake, 1) };
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::sync::Shared;

    /// What is used in turns.
    struct Counted(Ownership, Shared<u64>);

    // SAFETY: the number is touched by the owner alone.
    unsafe impl Sync for Counted {}

    impl Counted {
        fn add(&self) {
            // SAFETY: called by the owner.
            self.1.with_mut(|number| unsafe { *number += 1 });
        }
    }

    #[test]
    fn one_at_a_time_owns_it() {
        const ROUNDS: u64 = 20_000;
        let counted = Counted(Ownership::new(), Shared::new(0));
        let turns = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let mut turns = 0;
                loop {
                    counted.0.park();
                    while counted.0.acquire() {
                        counted.add();
                        turns += 1;
                        // SAFETY: this thread owns it.
                        let ends = counted.1.with(|number| unsafe { *number }) > u64::MAX / 2;
                        let goes_on = counted.0.give_back(turns % 7 == 0 || ends);
                        if ends {
                            return turns;
                        }
                        if goes_on && turns % 3 == 0 {
                            std::thread::yield_now();
                        }
                    }
                }
            });
            for _ in 0..ROUNDS {
                counted.add();
                counted.0.release();
                counted.0.reacquire();
            }
            // SAFETY: the program owns it.
            counted.1.with_mut(|number| unsafe { *number += u64::MAX / 2 });
            counted.0.release();
            thread.join().unwrap()
        });
        // SAFETY: the other thread has ended.
        let all = counted.1.with(|number| unsafe { *number });
        assert_eq!(all, ROUNDS + turns + u64::MAX / 2);
    }

    #[test]
    fn a_program_that_waits_goes_on_though_the_thread_parks_next() {
        let ownership = Ownership::new();
        std::thread::scope(|scope| {
            ownership.release();
            assert!(ownership.acquire());
            let program = scope.spawn(|| ownership.reacquire());
            while ownership.word.load(Ordering::Relaxed) != AWAITED {
                std::thread::yield_now();
            }
            assert!(!ownership.give_back(false));
            // As `park` does.
            let _seen_before = ownership.word.compare_exchange(
                PROGRAM,
                PARKED,
                Ordering::AcqRel,
                Ordering::Relaxed,
            );
            program.join().unwrap();
        });
    }

    #[test]
    fn a_thread_with_nothing_to_do_waits_for_the_next_release() {
        let ownership = Ownership::new();
        assert!(!ownership.is_free() && !ownership.acquire());
        ownership.release();
        assert!(ownership.acquire() && ownership.give_back(false));
        assert!(ownership.acquire() && !ownership.give_back(true));
        assert!(!ownership.acquire());
        ownership.reacquire();
        ownership.release();
        assert!(ownership.is_free());
        ownership.reacquire();
        assert!(!ownership.acquire());
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::*;
    use crate::sync::Shared;
    use loom::sync::Arc;
    use loom::thread;

    #[test]
    fn one_at_a_time_owns_it() {
        loom::model(|| {
            let ownership = Ownership { word: AtomicU32::new(PROGRAM) };
            let counted = Arc::new((ownership, Shared::new(0)));
            let other = counted.clone();
            let thread = thread::spawn(move || {
                for rests in [false, true] {
                    if other.0.acquire() {
                        // SAFETY: this thread owns it.
                        other.1.with_mut(|number| unsafe { *number += 1 });
                        other.0.give_back(rests);
                    }
                }
            });
            for _ in 0..2 {
                // SAFETY: the program owns it.
                counted.1.with_mut(|number| unsafe { *number += 1 });
                counted.0.release();
                counted.0.reacquire();
            }
            // SAFETY: as above.
            counted.1.with_mut(|number| unsafe { *number += 1 });
            thread.join().unwrap();
        });
    }
}
