//! Requests for this process's lock of a window (`shm::window_part`) that other processes have sent
//! as messages: those on other nodes. This process takes the lock in their names.

use dunlin_base::Rank;
use dunlin_shm::window_part::{LockKind, Ticket, WindowLock};

/// Those who hold the lock by this process, and who wait for it.
#[derive(Debug, Default)]
pub(crate) struct LockProxy {
    holders: Vec<(Rank, LockKind)>,
    waiting: Vec<(Rank, LockKind, Ticket)>,
}

impl LockProxy {
    /// One more wants the lock. Returns those who have it now.
    pub fn ask(&mut self, lock: &WindowLock, rank: Rank, kind: LockKind) -> Vec<Rank> {
        self.waiting.push((rank, kind, lock.ask(kind)));
        self.grant(lock)
    }

    /// One more wants the lock, if it need not wait. Returns whether it has it now.
    pub fn try_shared(&mut self, lock: &WindowLock, rank: Rank) -> bool {
        let enters = lock.try_enter(LockKind::Shared);
        self.holders.extend(enters.then_some((rank, LockKind::Shared)));
        enters
    }

    /// A holder gives it back. Returns those who have it now.
    pub fn release(&mut self, lock: &WindowLock, rank: Rank) -> Vec<Rank> {
        if let Some(place) = self.holders.iter().position(|(holder, _)| *holder == rank) {
            let (_, kind) = self.holders.swap_remove(place);
            lock.give_back(kind);
        }
        self.grant(lock)
    }

    /// Who has it alone.
    pub fn alone(&self) -> Option<Rank> {
        let holder = self.holders.first().filter(|(_, kind)| *kind == LockKind::Exclusive);
        holder.map(|(rank, _)| *rank)
    }

    /// Whether a process waits.
    pub fn waits(&self, rank: Rank) -> bool {
        self.waiting.iter().any(|(waiting, ..)| *waiting == rank)
    }

    /// Whether anybody waits.
    pub fn is_awaited(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Those whose turn it is now.
    pub fn grant(&mut self, lock: &WindowLock) -> Vec<Rank> {
        let mut granted = Vec::new();
        self.waiting.retain_mut(|(rank, kind, ticket)| {
            let enters = lock.enter(ticket);
            if enters {
                self.holders.push((*rank, *kind));
                granted.push(*rank);
            }
            !enters
        });
        granted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LockKind::{Exclusive, Shared};

    #[test]
    fn requests_of_other_nodes_wait_with_those_of_this_one() {
        let (mut proxy, lock) = (LockProxy::default(), WindowLock::default());
        assert_eq!(proxy.ask(&lock, 0, Shared), [0]);
        let mut here = lock.ask(Exclusive);
        assert!(proxy.ask(&lock, 1, Shared).is_empty() && proxy.is_awaited());
        assert!(proxy.release(&lock, 0).is_empty() && lock.enter(&mut here));
        assert!(proxy.grant(&lock).is_empty());
        lock.leave(Exclusive);
        assert_eq!(proxy.grant(&lock), [1]);
        assert!(proxy.ask(&lock, 2, Exclusive).is_empty());
        assert_eq!(proxy.release(&lock, 1), [2]);
        assert!(!proxy.is_awaited());
    }

    #[test]
    fn who_tries_does_not_wait_nor_overtake_who_does() {
        let (mut proxy, lock) = (LockProxy::default(), WindowLock::default());
        assert!(proxy.try_shared(&lock, 0));
        assert!(proxy.ask(&lock, 1, Exclusive).is_empty());
        assert!(!proxy.try_shared(&lock, 2) && proxy.alone().is_none());
        assert_eq!(proxy.release(&lock, 0), [1]);
        assert!(!proxy.try_shared(&lock, 2) && proxy.alone() == Some(1));
        assert!(proxy.release(&lock, 1).is_empty() && proxy.try_shared(&lock, 2));
    }

    #[test]
    fn readers_in_a_row_are_granted_at_once() {
        let (mut proxy, lock) = (LockProxy::default(), WindowLock::default());
        assert!(lock.try_enter(Exclusive));
        assert!(proxy.ask(&lock, 2, Shared).is_empty() && proxy.ask(&lock, 3, Shared).is_empty());
        lock.leave(Exclusive);
        assert_eq!(proxy.grant(&lock), [2, 3]);
    }
}
