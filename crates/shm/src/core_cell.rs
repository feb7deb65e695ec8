//! Which core a rank ran on when it last began a collective: a hint to those who wait for it.

use crate::sync::{AtomicU32, Ordering};

/// A rank's word on its core, in a line of its own: it changes when the system moves the rank.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct CoreCell {
    /// The core's number and one; 0 while not known.
    core: AtomicU32,
}

impl CoreCell {
    /// Owner: says where it runs now.
    pub fn publish(&self) {
        self.say(current());
    }

    /// Owner: says that it runs on core `core` - 1.
    pub(crate) fn say(&self, core: u32) {
        // Relaxed, here and below: a hint, nothing depends on it.
        if self.core.load(Ordering::Relaxed) != core {
            self.core.store(core, Ordering::Relaxed);
        }
    }

    /// Whether the two are known to run on different cores.
    #[inline]
    pub fn is_apart_from(&self, other: &CoreCell) -> bool {
        let (one, other) = (self.core.load(Ordering::Relaxed), other.core.load(Ordering::Relaxed));
        one != 0 && other != 0 && one != other
    }
}

/// The number of the core we run on, and one; 0 if the system will not say.
fn current() -> u32 {
    // SAFETY: no arguments, and it touches no memory of ours.
    unsafe { (libc::sched_getcpu() + 1) as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(core: u32) -> CoreCell {
        CoreCell { core: AtomicU32::new(core) }
    }

    #[test]
    fn ranks_are_apart_only_where_both_have_said_where_they_are() {
        assert!(on(1).is_apart_from(&on(2)));
        assert!(!on(1).is_apart_from(&on(1)));
        assert!(!on(0).is_apart_from(&on(1)) && !on(1).is_apart_from(&on(0)));
    }

    #[test]
    fn a_rank_says_where_it_runs() {
        let cell = on(0);
        cell.publish();
        assert_ne!(cell.core.load(Ordering::Relaxed), 0);
    }
}
