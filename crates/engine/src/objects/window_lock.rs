//! The lock of one process's part of a window, kept by that process: a fair queue. A shared lock
//! that comes after an exclusive one waits behind it, so that nobody waits for ever.

use std::collections::VecDeque;

use dunlin_base::Rank;

/// A kind of lock; MPI 5.0 section 12.5.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockKind {
    /// `MPI_LOCK_SHARED`.
    Shared,
    /// `MPI_LOCK_EXCLUSIVE`.
    Exclusive,
}

/// Who holds the lock, and who waits for it.
#[derive(Debug, Default)]
pub(crate) struct WindowLock {
    holders: Vec<Rank>,
    is_exclusive: bool,
    waiting: VecDeque<(Rank, LockKind)>,
}

impl WindowLock {
    /// One more wants it. Returns those who have it now.
    pub fn ask(&mut self, rank: Rank, kind: LockKind) -> Vec<Rank> {
        self.waiting.push_back((rank, kind));
        self.grant()
    }

    /// A holder gives it back. Returns those who have it now.
    pub fn release(&mut self, rank: Rank) -> Vec<Rank> {
        if let Some(place) = self.holders.iter().position(|holder| *holder == rank) {
            self.holders.swap_remove(place);
        }
        self.grant()
    }

    fn grant(&mut self) -> Vec<Rank> {
        let mut granted = Vec::new();
        while let Some((rank, kind)) = self.waiting.front().copied() {
            let is_free = self.holders.is_empty();
            if !is_free && (self.is_exclusive || kind == LockKind::Exclusive) {
                break;
            }
            self.waiting.pop_front();
            self.holders.push(rank);
            self.is_exclusive = kind == LockKind::Exclusive;
            granted.push(rank);
        }
        granted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LockKind::{Exclusive, Shared};

    #[test]
    fn shared_locks_are_held_together_and_exclusive_ones_alone() {
        let mut lock = WindowLock::default();
        assert_eq!(lock.ask(0, Shared), [0]);
        assert_eq!(lock.ask(1, Shared), [1]);
        assert!(lock.ask(2, Exclusive).is_empty());
        assert!(lock.release(0).is_empty());
        assert_eq!(lock.release(1), [2]);
        assert!(lock.ask(0, Exclusive).is_empty());
        assert_eq!(lock.release(2), [0]);
    }

    #[test]
    fn nobody_overtakes_one_who_waits_for_an_exclusive_lock() {
        let mut lock = WindowLock::default();
        assert_eq!(lock.ask(0, Shared), [0]);
        assert!(lock.ask(1, Exclusive).is_empty());
        assert!(lock.ask(2, Shared).is_empty() && lock.ask(3, Shared).is_empty());
        assert_eq!(lock.release(0), [1]);
        assert_eq!(lock.release(1), [2, 3]);
    }
}
