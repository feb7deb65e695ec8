//! Messages of the data of long puts and gets, which are under way between the memory of this
//! process and that of others (`rma/zero_copy.rs`).

use std::collections::VecDeque;
use std::ops::Range;

use dunlin_base::Rank;

use crate::objects::status::{RequestId, Status};

/// How many are looked at in one round of progress.
pub(crate) const LOOKS: usize = 32;

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ZeroCopy {
    /// The process at the other end.
    pub peer: Rank,
    /// The number of the operation.
    pub number: u64,
    /// The request, which only this entry knows.
    pub transfer: RequestId,
    /// The addresses between which the memory lies, where the program may take it away (in a
    /// dynamic window).
    pub span: Range<i64>,
}

/// Those of one window.
#[derive(Debug, Default)]
pub(crate) struct ZeroCopies {
    under_way: VecDeque<ZeroCopy>,
    /// How many there are with each process.
    with: Vec<u32>,
}

impl ZeroCopies {
    pub fn push(&mut self, new: ZeroCopy) {
        let peer = new.peer as usize;
        self.with.resize(self.with.len().max(peer + 1), 0);
        self.with[peer] += 1;
        self.under_way.push_back(new);
    }

    /// How many there are with a process.
    pub fn with(&self, peer: Rank) -> u32 {
        self.with.get(peer as usize).copied().unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Whether any uses memory between these addresses.
    pub fn use_any_of(&self, memory: &Range<i64>) -> bool {
        let overlaps = |z: &ZeroCopy| z.span.start < memory.end && memory.start < z.span.end;
        self.under_way.iter().any(overlaps)
    }

    /// Takes the one of an operation.
    pub fn take(&mut self, number: u64) -> Option<ZeroCopy> {
        let at = self.under_way.iter().position(|z| z.number == number)?;
        self.take_at(at)
    }

    /// Looks at so many, and takes those that are done; the others' turn comes next time.
    pub fn take_done(
        &mut self,
        looks: usize,
        mut status: impl FnMut(RequestId) -> Option<Status>,
    ) -> Vec<(ZeroCopy, Status)> {
        let mut done = Vec::new();
        for _ in 0..self.under_way.len().min(looks) {
            match status(self.under_way[0].transfer) {
                Some(status) => done.extend(self.take_at(0).map(|z| (z, status))),
                None => self.under_way.rotate_left(1),
            }
        }
        done
    }

    fn take_at(&mut self, at: usize) -> Option<ZeroCopy> {
        let taken = self.under_way.remove(at)?;
        self.with[taken.peer as usize] -= 1;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_are_done_are_found_however_many_are_not() {
        let mut all = ZeroCopies::default();
        for number in 0..100 {
            let (peer, transfer) = ((number % 3) as Rank, number as RequestId);
            let start = 10 * number as i64;
            all.push(ZeroCopy { peer, number, transfer, span: start..start + 10 });
        }
        assert_eq!((all.with(0), all.with(1), all.with(2), all.with(3)), (34, 33, 33, 0));
        assert!(all.use_any_of(&(995..2000)) && !all.use_any_of(&(1000..2000)));
        assert_eq!(all.take(7).map(|z| z.transfer), Some(7));
        let mut taken = Vec::new();
        for _ in 0..4 {
            taken.extend(all.take_done(LOOKS, |id| (id > 90).then_some(Status::EMPTY)));
        }
        let mut numbers: Vec<_> = taken.iter().map(|(z, _)| z.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (91..100).collect::<Vec<_>>());
        assert!(all.take(7).is_none() && all.take(91).is_none() && all.with(1) == 33 - 1 - 3);
    }
}
