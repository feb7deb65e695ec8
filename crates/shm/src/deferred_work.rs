//! Work that threads defer to the holder of a lock, for which they do not wait: they put it on a
//! list, try the lock, and go on if another thread has it. That one looks at the list after it has
//! given the lock back. The list has items of a fixed set, each at most once.

use crate::sync::{AtomicU32, Ordering, full_fence};

/// The end of the list; an item's place in it is its number and one.
const END: u32 = 0;

/// The list.
#[derive(Debug)]
pub struct DeferredWork {
    first: AtomicU32,
}

/// What an item has for the list.
#[derive(Debug)]
pub struct DeferredItem {
    /// Whether it is on the list, or about to be.
    is_listed: AtomicU32,
    next: AtomicU32,
}

#[cfg(not(loom))]
impl DeferredWork {
    /// An empty list.
    #[expect(clippy::new_without_default, reason = "statics need a constant function")]
    pub const fn new() -> Self {
        DeferredWork { first: AtomicU32::new(END) }
    }
}

#[cfg(not(loom))]
impl DeferredItem {
    /// An item that is not on the list.
    #[expect(clippy::new_without_default, reason = "a list without its numbers is of no use")]
    pub const fn new() -> Self {
        DeferredItem { is_listed: AtomicU32::new(0), next: AtomicU32::new(END) }
    }
}

impl DeferredWork {
    /// Any thread: puts an item on the list, unless it is there. What this thread has stored before
    /// is seen by who takes the item. Then it must [`settle`](Self::settle).
    pub fn defer(&self, number: u32, item: &DeferredItem) {
        // AcqRel, and a write even where it changes nothing: pairs with `take`, so that whoever
        // takes the item later sees what this thread has stored before.
        if item.is_listed.swap(1, Ordering::AcqRel) != 0 {
            return;
        }
        let mut first = self.first.load(Ordering::Relaxed);
        loop {
            item.next.store(first, Ordering::Relaxed);
            // Release: pairs with the acquire in `take_all`.
            let (new, done) = (number + 1, Ordering::Release);
            match self.first.compare_exchange_weak(first, new, done, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => first = now,
            }
        }
    }

    /// Any thread, after it has deferred work or has given the lock back: lets `turn` do what is on
    /// the list. That tries the lock, does the work ([`take_all`](Self::take_all)) and gives the
    /// lock back; it says whether it could.
    ///
    /// Nothing stays on the list: a thread that finds the lock taken has put its work there before,
    /// and the holder looks after it has given the lock back. One of the two fences comes first in
    /// their order. If it is the one of the thread that defers, the holder's look sees the work;
    /// otherwise that thread sees the lock given back, or a later holder, who looks as well.
    pub fn settle(&self, mut turn: impl FnMut() -> bool) {
        loop {
            full_fence();
            if self.first.load(Ordering::Relaxed) == END || !turn() {
                return;
            }
        }
    }

    /// Who has the lock: takes every item off the list and shows its number. `item` finds an item.
    pub fn take_all<'a>(&self, item: impl Fn(u32) -> &'a DeferredItem, mut show: impl FnMut(u32)) {
        // Acquire: pairs with the release in `defer`.
        let mut at = self.first.swap(END, Ordering::Acquire);
        while at != END {
            let number = at - 1;
            let item = item(number);
            at = item.next.load(Ordering::Relaxed);
            // From here on it may be put on the list again. AcqRel: pairs with `defer`.
            item.is_listed.swap(0, Ordering::AcqRel);
            show(number);
        }
    }
}

#[cfg(loom)]
impl DeferredWork {
    /// An empty list.
    pub fn new() -> Self {
        DeferredWork { first: AtomicU32::new(END) }
    }
}

#[cfg(loom)]
impl DeferredItem {
    /// An item that is not on the list.
    pub fn new() -> Self {
        DeferredItem { is_listed: AtomicU32::new(0), next: AtomicU32::new(END) }
    }
}

/// A lock, two items, and what there is to do for either: counts that only the holder takes down.
#[cfg(test)]
struct Bench {
    lock: AtomicU32,
    list: DeferredWork,
    items: [DeferredItem; 2],
    to_do: [AtomicU32; 2],
    /// Touched by who has the lock alone.
    done: crate::sync::Shared<u32>,
}

// SAFETY: `done` is touched under the lock alone.
#[cfg(test)]
unsafe impl Sync for Bench {}
// SAFETY: as above.
#[cfg(test)]
unsafe impl Send for Bench {}

#[cfg(test)]
impl Bench {
    fn new(locked: u32) -> Self {
        let word = || AtomicU32::new(0);
        Bench {
            lock: AtomicU32::new(locked),
            list: DeferredWork::new(),
            items: [DeferredItem::new(), DeferredItem::new()],
            to_do: [word(), word()],
            done: crate::sync::Shared::new(0),
        }
    }

    fn try_lock(&self) -> bool {
        let order = (Ordering::Acquire, Ordering::Relaxed);
        self.lock.compare_exchange(0, 1, order.0, order.1).is_ok()
    }

    fn unlock(&self) {
        self.lock.store(0, Ordering::Release);
    }

    fn settle(&self) {
        self.list.settle(|| {
            let takes = self.try_lock();
            if takes {
                self.work();
                self.unlock();
            }
            takes
        });
    }

    fn work(&self) {
        self.list.take_all(
            |number| &self.items[number as usize],
            |_| {
                for to_do in &self.to_do {
                    // Looks first, as `ReadyPartitions::take` does: it must not see an old value.
                    if to_do.load(Ordering::Relaxed) != 0 {
                        let found = to_do.swap(0, Ordering::Relaxed);
                        // SAFETY: called with the lock.
                        self.done.with_mut(|done| unsafe { *done += found });
                    }
                }
            },
        );
    }

    fn add(&self, number: u32, word: usize) {
        self.to_do[word].fetch_add(1, Ordering::Relaxed);
        self.list.defer(number, &self.items[number as usize]);
        self.settle();
    }

    /// What was done, once all threads have ended.
    fn end(&self) -> u32 {
        assert!(self.try_lock(), "the lock was not given back");
        // SAFETY: this thread has the lock.
        self.done.with(|done| unsafe { *done })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_the_lock_does_what_others_have_deferred() {
        const EACH: u32 = 20_000;
        let bench = Bench::new(0);
        std::thread::scope(|scope| {
            for (number, word) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let bench = &bench;
                scope.spawn(move || (0..EACH).for_each(|_| bench.add(number, word)));
            }
        });
        assert_eq!(bench.end(), 4 * EACH);
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;

    fn check(numbers: [u32; 2], holder: bool) {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let bench = Arc::new(Bench::new(holder.into()));
            let threads = [0, 1].map(|word| {
                let bench = bench.clone();
                loom::thread::spawn(move || bench.add(numbers[word], word))
            });
            if holder {
                bench.unlock();
                bench.settle();
            }
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            assert_eq!(bench.end(), 2, "work was left behind");
        });
    }

    #[test]
    fn the_holder_of_the_lock_does_what_two_threads_defer() {
        check([0, 1], true);
    }

    #[test]
    fn an_item_that_is_on_the_list_already_is_seen_as_it_is_then() {
        check([0, 0], true);
        check([0, 0], false);
    }
}
