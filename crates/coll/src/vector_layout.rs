//! Where blocks of different lengths stand in a buffer: the counts and displacements of the
//! operations whose names end in v.

use crate::{Buffer, View};

/// One block per rank, anywhere in a buffer. MPI allows negative displacements: an executor then
/// lets the buffer begin at the lowest. A block that holds no data has count 0 at both ends of its
/// journey (an executor sees to that for datatypes of size 0), for algorithms may leave such
/// messages out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLayout<'a> {
    /// Elements of each block.
    pub counts: &'a [usize],
    /// Where each block begins, in elements.
    pub displacements: &'a [usize],
}

impl BlockLayout<'_> {
    /// For ranks where the operation gives them no meaning.
    pub const NONE: BlockLayout<'static> = BlockLayout { counts: &[], displacements: &[] };

    pub(crate) fn send(self, i: usize) -> View {
        View { buffer: Buffer::Send, start: self.displacements[i], len: self.counts[i] }
    }

    /// Block `i` of the receive buffer.
    pub fn recv(self, i: usize) -> View {
        View { buffer: Buffer::Recv, ..self.send(i) }
    }
}
