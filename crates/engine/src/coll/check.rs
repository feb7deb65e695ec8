//! Checks that all ranks give the same arguments to a collective that runs over messages, before
//! the communicator has a collective segment: ranks that disagree on lengths might run different
//! algorithms and wait for each other for ever. On a collective segment each rank sees the lengths
//! of the others.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::select::Params;

use crate::engine::Engine;
use crate::objects::comm::Comm;
use crate::objects::schedule::CollOp;

/// The operations whose algorithm depends on the size. In the others a rank knows its own part
/// only.
const NAMES: [&str; 12] = [
    "MPI_Bcast",
    "MPI_Gather",
    "MPI_Scatter",
    "MPI_Allgather",
    "MPI_Allgatherv",
    "MPI_Alltoall",
    "MPI_Reduce",
    "MPI_Allreduce",
    "MPI_Reduce_scatter",
    "MPI_Reduce_scatter_block",
    "MPI_Scan",
    "MPI_Exscan",
];

/// The arguments that must be the same at every member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    /// Its place among [`NAMES`].
    operation: u32,
    /// The root, where there is one.
    root: u32,
    /// Bytes per rank; see [`Params::bytes_per_rank`].
    bytes: u64,
}

const WORD_BYTES: usize = 16;

impl Word {
    fn of(coll_op: &CollOp) -> Option<Word> {
        let word = |operation, root: usize, params: &Params| {
            Some(Word { operation, root: root as u32, bytes: params.bytes_per_rank as u64 })
        };
        match coll_op {
            CollOp::Bcast(v, p) => word(0, v.root, p),
            CollOp::Gather(v, p) => word(1, v.root, p),
            CollOp::Scatter(v, p) => word(2, v.root, p),
            CollOp::Allgather(_, p) => word(3, 0, p),
            CollOp::Allgatherv { params, .. } => word(4, 0, params),
            CollOp::Alltoall(_, p) => word(5, 0, p),
            CollOp::Reduce(v, p) => word(6, v.root, p),
            CollOp::Allreduce(_, p) => word(7, 0, p),
            CollOp::ReduceScatter { params, .. } => word(8, 0, params),
            CollOp::ReduceScatterBlock(_, p) => word(9, 0, p),
            CollOp::Scan(_, p) => word(10, 0, p),
            CollOp::Exscan(_, p) => word(11, 0, p),
            CollOp::Barrier(_)
            | CollOp::Gatherv { .. }
            | CollOp::Scatterv { .. }
            | CollOp::Alltoallv { .. }
            | CollOp::Neighbourhood(_)
            | CollOp::Inter(_) => None,
        }
    }

    fn to_bytes(self) -> [u8; WORD_BYTES] {
        let head = u64::from(self.operation) << 32 | u64::from(self.root);
        let mut bytes = [0; WORD_BYTES];
        bytes[..8].copy_from_slice(&head.to_ne_bytes());
        bytes[8..].copy_from_slice(&self.bytes.to_ne_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Word {
        let word =
            |at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let (head, bytes) = (word(0), word(8));
        Word { operation: (head >> 32) as u32, root: head as u32, bytes }
    }

    fn name(self) -> &'static str {
        NAMES.get(self.operation as usize).copied().unwrap_or("another collective")
    }

    /// An error if rank `by` gives other arguments.
    fn check(self, by: usize, other: Word) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let name = self.name();
        let (class, text) = if other.operation != self.operation {
            let text = format!("rank {by} calls {}, this rank {name}", other.name());
            (ErrorClass::Other, format!("{text}: all must call the same"))
        } else if other.root != self.root {
            let (theirs, mine) = (other.root, self.root);
            let text = format!("the root of {name} is {theirs} at rank {by}, {mine} at this rank");
            (ErrorClass::Root, format!("{text}: roots must agree"))
        } else {
            let (theirs, mine) = (other.bytes, self.bytes);
            let text = format!("rank {by} gives {name} {theirs} bytes, this rank {mine}");
            (ErrorClass::Truncate, format!("{text}: counts and datatypes must agree"))
        };
        Err(Error::new(class, text))
    }
}

impl Engine {
    /// An error at every member if they do not agree on a collective.
    pub(crate) fn compare_calls(&self, comm: &Rc<Comm>, coll_op: &CollOp) -> Result<()> {
        let Some(mine) = Word::of(coll_op) else { return Ok(()) };
        let all = self.allgather_bytes(comm, &mine.to_bytes())?;
        let mut words = all.chunks_exact(WORD_BYTES).map(Word::from_bytes).enumerate();
        words.try_for_each(|(by, other)| mine.check(by, other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINE: Word = Word { operation: 0, root: 3, bytes: 1 << 40 };

    #[test]
    fn words_come_as_they_went() {
        assert_eq!(Word::from_bytes(&MINE.to_bytes()), MINE);
        assert!(MINE.check(1, Word::from_bytes(&MINE.to_bytes())).is_ok());
    }

    #[test]
    fn ranks_that_do_not_agree_are_told_on_what() {
        for (other, class, text) in [
            (Word { operation: 1, ..MINE }, ErrorClass::Other, "rank 1 calls MPI_Gather"),
            (Word { root: 2, ..MINE }, ErrorClass::Root, "MPI_Bcast is 2 at rank 1, 3 at this"),
            (Word { bytes: 7, ..MINE }, ErrorClass::Truncate, "rank 1 gives MPI_Bcast 7 bytes"),
        ] {
            let error = MINE.check(1, other).unwrap_err();
            assert_eq!(error.class, class);
            assert!(error.text.contains(text), "{}", error.text);
        }
    }
}
