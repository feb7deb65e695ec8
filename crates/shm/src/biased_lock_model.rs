//! Model checks of the lock: every order in which the two threads can see each other.

use super::*;
use crate::deferred_work::{DeferredItem, DeferredWork};
use crate::sync::Shared;
use loom::sync::Arc;

fn add(number: &Shared<u32>) {
    // SAFETY: called with the lock; loom checks that nobody else is inside.
    number.with_mut(|number| unsafe { *number += 1 });
}

#[test]
fn one_thread_at_a_time_has_it_and_sees_what_the_other_did() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let both = Arc::new((BiasedLock::new(), Shared::new(0)));
        let helper = both.clone();
        let helper = loom::thread::spawn(move || {
            let (lock, number) = &*helper;
            let claimed = lock.claim();
            if claimed {
                add(number);
                lock.release();
            }
            u32::from(claimed)
        });
        let (lock, number) = &*both;
        for _ in 0..2 {
            assert!(lock.enter());
            add(number);
            lock.leave();
        }
        let claims = helper.join().unwrap();
        // SAFETY: the other thread has ended.
        assert_eq!(number.with(|number| unsafe { *number }), 2 + claims);
    });
}

/// The program's threads share a lock of their own, and try this one, as in the engine.
struct Engine {
    threads: AtomicU32,
    /// The program hands the lock over whenever it gives it back.
    hands_over: bool,
    biased: BiasedLock,
    list: DeferredWork,
    item: DeferredItem,
    done: Shared<u32>,
}

// SAFETY: `done` is touched under both locks alone.
unsafe impl Sync for Engine {}
// SAFETY: as above.
unsafe impl Send for Engine {}

impl Engine {
    /// `None` if another thread of the program has it, which looks for what is deferred.
    fn take_or_leave_to_holder(&self) -> Option<()> {
        loop {
            let free = (Ordering::Acquire, Ordering::Relaxed);
            self.threads.compare_exchange(0, 1, free.0, free.1).ok()?;
            if self.biased.try_enter() == TryEnter::Taken {
                return Some(());
            }
            self.threads.store(0, Ordering::Release);
            fence(Ordering::SeqCst);
            if self.biased.is_claimed() {
                return None;
            }
        }
    }

    fn claim_or_leave_to_program(&self) -> bool {
        while !self.biased.claim() {
            fence(Ordering::SeqCst);
            if self.biased.is_inside() {
                return false;
            }
        }
        true
    }

    fn settle_beside_program(&self) {
        self.list.settle(|| {
            let has_it = self.claim_or_leave_to_program();
            if has_it {
                self.list.take_all(|_| &self.item, |_| add(&self.done));
                self.biased.release();
            }
            has_it
        });
    }

    fn settle(&self) {
        self.list.settle(|| {
            if self.take_or_leave_to_holder().is_none() {
                return false;
            }
            self.list.take_all(|_| &self.item, |_| add(&self.done));
            if self.hands_over {
                self.biased.hand_over();
            } else {
                self.biased.leave();
            }
            self.threads.store(0, Ordering::Release);
            true
        });
    }
}

#[test]
fn what_is_deferred_while_the_progress_thread_has_the_lock_is_done() {
    check_what_is_deferred(false);
    check_what_is_deferred(true);
}

fn check_what_is_deferred(hands_over: bool) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(move || {
        let engine = Arc::new(Engine {
            threads: AtomicU32::new(0),
            hands_over,
            biased: BiasedLock::new(),
            list: DeferredWork::new(),
            item: DeferredItem::new(),
            done: Shared::new(0),
        });
        if hands_over {
            engine.biased.enter();
            engine.biased.hand_over();
        }
        let progress = engine.clone();
        let progress = loom::thread::spawn(move || {
            if progress.biased.claim() {
                progress.biased.release();
            }
            progress.settle_beside_program();
        });
        engine.list.defer(0, &engine.item);
        engine.settle();
        progress.join().unwrap();
        // SAFETY: the other thread has ended.
        assert_eq!(engine.done.with(|done| unsafe { *done }), 1);
    });
}

#[test]
fn what_is_wanted_is_seen_by_one_of_both() {
    loom::model(|| {
        let lock = Arc::new(BiasedLock::new());
        let helper = lock.clone();
        let helper = loom::thread::spawn(move || helper.fall_asleep());
        lock.enter();
        lock.want(true);
        let must_wake = lock.leave();
        assert!(!helper.join().unwrap() || must_wake, "a sleep that nobody ends");
    });
}

/// As [`one_thread_at_a_time_has_it_and_sees_what_the_other_did`], with a program that hands the
/// lock over each second time, and a progress thread that takes it more than once.
#[test]
fn one_thread_at_a_time_has_what_is_handed_over() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let both = Arc::new((BiasedLock::new(), Shared::new(0)));
        let helper = both.clone();
        let helper = loom::thread::spawn(move || {
            let (lock, number) = &*helper;
            let mut claims = 0;
            for claim in [BiasedLock::claim_handed_over, BiasedLock::claim] {
                if claim(lock) {
                    add(number);
                    lock.release();
                    claims += 1;
                }
            }
            claims
        });
        let (lock, number) = &*both;
        for hands_over in [true, false, true] {
            assert!(lock.enter());
            add(number);
            if hands_over {
                lock.hand_over();
            } else {
                lock.leave();
            }
        }
        assert!(lock.enter());
        let claims = helper.join().unwrap();
        // SAFETY: the other thread has ended.
        assert_eq!(number.with(|number| unsafe { *number }), 3 + claims);
    });
}

#[test]
fn what_is_handed_over_is_seen_by_one_of_both() {
    loom::model(|| {
        let lock = Arc::new(BiasedLock::new());
        let helper = lock.clone();
        let helper = loom::thread::spawn(move || helper.fall_asleep());
        lock.enter();
        lock.want(true);
        let must_wake = lock.hand_over();
        assert!(!helper.join().unwrap() || must_wake, "a sleep that nobody ends");
    });
}
