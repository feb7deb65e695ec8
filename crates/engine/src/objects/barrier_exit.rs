//! In which order ranks that share cores leave a barrier.
//!
//! Every rank sees by itself that all have come, so the last to come goes on first. If a bcast
//! follows, it waits there until its root has got a core and has left the barrier, too. Waiting in
//! the barrier instead takes the same time, and the bcast then takes no longer than it must. So
//! operations with a root say for whom a rank waits, and the next barriers let those leave first.
//! Scans do not: leaving in the order of ranks makes a barrier longer by more than a scan becomes
//! shorter.

use std::cell::Cell;

/// So many barriers in a row keep to an order without an operation that needs it.
const BARRIERS: u32 = 4;

/// Whom a rank lets go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    /// This member.
    One(usize),
    /// All others.
    Others,
}

impl First {
    /// Of an operation in which the root gives data to all others.
    pub fn giving(root: usize, me: usize) -> Option<First> {
        (me != root).then_some(First::One(root))
    }

    /// Of one in which all others give data to the root.
    pub fn taking(root: usize, me: usize) -> Option<First> {
        (me == root).then_some(First::Others)
    }
}

/// The order in which this rank leaves the barriers of a communicator.
#[derive(Debug, Default)]
pub(crate) struct BarrierExit {
    first: Cell<Option<First>>,
    barriers_left: Cell<u32>,
}

impl BarrierExit {
    /// An operation has begun in which this rank waits for `first`, or for nobody.
    #[inline]
    pub fn note(&self, first: Option<First>) {
        self.first.set(first);
        self.barriers_left.set(BARRIERS);
    }

    /// A barrier ends: whom to let go first.
    #[inline]
    pub fn first(&self) -> Option<First> {
        let left = self.barriers_left.get().checked_sub(1)?;
        self.barriers_left.set(left);
        self.first.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_lasts_for_some_barriers() {
        let exit = BarrierExit::default();
        assert_eq!(exit.first(), None);
        for first in [First::One(3), First::Others] {
            exit.note(Some(first));
            for _ in 0..BARRIERS {
                assert_eq!(exit.first(), Some(first));
            }
            assert_eq!(exit.first(), None);
        }
        exit.note(Some(First::Others));
        exit.note(None);
        assert_eq!(exit.first(), None);
    }

    #[test]
    fn only_who_needs_data_waits() {
        for root in 0..3 {
            for me in 0..3 {
                let is_root = me == root;
                assert_eq!(First::giving(root, me), (!is_root).then_some(First::One(root)));
                assert_eq!(First::taking(root, me), is_root.then_some(First::Others));
            }
        }
    }
}
