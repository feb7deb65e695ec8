//! Who holds the locks of a rank's windows for which processes of other nodes wait: they cannot see
//! it themselves. The rank publishes it; the launcher reads it without the rank's help.

use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// Windows whose locks are awaited at the same time; of more nothing is said.
const WINDOWS_MAX: usize = 4;

/// The locks of a rank. All zero means: none is awaited.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct AwaitedLocks([AwaitedLock; WINDOWS_MAX]);

#[derive(Debug, Default)]
#[repr(C)]
struct AwaitedLock {
    /// The number that the window has in all processes; 0 where this place is free.
    window: AtomicU64,
    /// The rank that holds it alone, plus one.
    holder: AtomicU32,
}

impl AwaitedLocks {
    /// The lock of this window is awaited, and held alone by this rank, if it is known. Only the
    /// owning rank may call this.
    pub fn publish(&self, window: u64, holder: Option<u32>) {
        let Some(lock) = self.place(window).or_else(|| self.place(0)) else { return };
        // Relaxed, here and below: a report may be wrong for a moment.
        lock.holder.store(holder.map_or(0, |rank| rank.wrapping_add(1)), Ordering::Relaxed);
        lock.window.store(window, Ordering::Relaxed);
    }

    /// It is not awaited any more. Only the owning rank may call this.
    pub fn withdraw(&self, window: u64) {
        self.place(window).iter().for_each(|lock| lock.window.store(0, Ordering::Relaxed));
    }

    /// The windows whose locks are awaited, with the ranks that hold them alone.
    pub fn read(&self) -> Vec<(u64, u32)> {
        let holder = |lock: &AwaitedLock| {
            let window = lock.window.load(Ordering::Relaxed);
            let holder = lock.holder.load(Ordering::Relaxed).checked_sub(1)?;
            (window != 0).then_some((window, holder))
        };
        self.0.iter().filter_map(holder).collect()
    }

    fn place(&self, window: u64) -> Option<&AwaitedLock> {
        self.0.iter().find(|lock| lock.window.load(Ordering::Relaxed) == window)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_is_published_is_read_until_it_is_withdrawn() {
        let locks = AwaitedLocks::default();
        locks.publish(7, Some(0));
        locks.publish(8, None);
        locks.publish(9, Some(3));
        assert_eq!(locks.read(), [(7, 0), (9, 3)]);
        locks.publish(7, Some(2));
        locks.withdraw(9);
        assert_eq!(locks.read(), [(7, 2)]);
        (10..20).for_each(|window| locks.publish(window, Some(1)));
        assert_eq!(locks.read().len(), WINDOWS_MAX - 1, "one holder is not known");
    }
}
