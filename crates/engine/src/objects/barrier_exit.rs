//! Who leaves a barrier first where ranks share cores.
//!
//! Every rank sees by itself that all have come, so the last to come goes on first. If a bcast
//! follows, it waits there until its root has got a core and has left the barrier, too. Waiting in
//! the barrier instead takes the same time, and the bcast then takes no longer than it must. So
//! where the same operation with a root has come after each of the last barriers, a rank lets
//! those leave first for whom it would wait in it.
//!
//! Scans do not count: leaving in the order of ranks makes a barrier longer by more than a scan
//! becomes shorter.

use std::cell::Cell;

/// An operation in which ranks wait for the root, or the root for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rooted {
    pub root: usize,
    /// The root gives data to all others; otherwise they give data to the root.
    pub gives: bool,
}

/// Whom a rank lets go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    /// This member.
    One(usize),
    /// All others.
    Others,
}

impl Rooted {
    /// For whom a rank waits in it.
    fn awaited_by(self, me: usize) -> Option<First> {
        match (self.gives, me == self.root) {
            (true, false) => Some(First::One(self.root)),
            (false, true) => Some(First::Others),
            _ => None,
        }
    }
}

/// What comes after the barriers of a communicator.
#[derive(Debug, Default)]
pub(crate) struct BarrierExit {
    /// The last operation was a barrier.
    after_barrier: Cell<bool>,
    /// What came after the last barrier that anything came after.
    next: Cell<Option<Rooted>>,
    /// The same came after the one before.
    is_expected: Cell<bool>,
}

impl BarrierExit {
    /// An operation with a root is about to begin.
    #[inline]
    pub fn note(&self, operation: Rooted) {
        if self.after_barrier.replace(false) {
            let before = self.next.replace(Some(operation));
            self.is_expected.set(before == Some(operation));
        }
    }

    /// An operation begins; if it has a root that was noted before.
    #[inline]
    pub fn begin(&self) {
        if self.after_barrier.replace(false) {
            self.next.set(None);
            self.is_expected.set(false);
        }
    }

    /// A barrier ends: whom this rank lets go first.
    #[inline]
    pub fn end_barrier(&self, me: usize) -> Option<First> {
        self.after_barrier.set(true);
        if !self.is_expected.get() {
            return None;
        }
        self.next.get()?.awaited_by(me)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVES: Rooted = Rooted { root: 1, gives: true };
    const TAKES: Rooted = Rooted { root: 1, gives: false };

    /// Whom rank `me` lets go first at the end of each of several barriers, after which these
    /// operations come: with a root, or others.
    fn after_each<const N: usize>(
        me: usize,
        operations: [Option<Rooted>; N],
    ) -> [Option<First>; N] {
        let exit = BarrierExit::default();
        operations.map(|operation| {
            exit.begin();
            let first = exit.end_barrier(me);
            if let Some(rooted) = operation {
                exit.note(rooted);
            }
            exit.begin();
            first
        })
    }

    #[test]
    fn what_came_twice_is_expected() {
        let (gives, root) = (Some(GIVES), Some(First::One(1)));
        assert_eq!(after_each(0, [gives; 4]), [None, None, root, root]);
        assert_eq!(after_each(1, [gives; 4]), [None; 4]);
        let (takes, others) = (Some(TAKES), Some(First::Others));
        assert_eq!(after_each(1, [takes; 4]), [None, None, others, others]);
        assert_eq!(after_each(0, [takes; 4]), [None; 4]);
    }

    #[test]
    fn what_changes_is_not_expected() {
        let (gives, takes) = (Some(GIVES), Some(TAKES));
        for me in 0..2 {
            assert_eq!(after_each(me, [gives, takes, gives, takes, gives]), [None; 5]);
            assert_eq!(after_each(me, [gives, None, gives, None, gives]), [None; 5]);
            let roots = [0, 1, 0, 1, 0].map(|root| Some(Rooted { root, gives: true }));
            assert_eq!(after_each(me, roots), [None; 5]);
        }
        let first = after_each(0, [gives, gives, None, gives, gives, gives]);
        assert_eq!(first, [None, None, Some(First::One(1)), None, None, Some(First::One(1))]);
    }

    #[test]
    fn operations_that_do_not_follow_a_barrier_tell_nothing() {
        let exit = BarrierExit::default();
        for _ in 0..4 {
            exit.note(GIVES);
            exit.begin();
        }
        assert_eq!(exit.end_barrier(0), None);
    }

    #[test]
    fn barriers_in_a_row_expect_nothing() {
        let exit = BarrierExit::default();
        for _ in 0..3 {
            exit.begin();
            exit.end_barrier(0);
            exit.note(GIVES);
            exit.begin();
        }
        exit.begin();
        assert_eq!(exit.end_barrier(0), Some(First::One(1)));
        exit.begin();
        assert_eq!(exit.end_barrier(0), None);
    }
}
