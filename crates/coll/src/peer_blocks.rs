//! The blocks that one process sends to, or receives from, each of its peers.

use crate::{BlockLayout, Buffer, Channel, View};
use dunlin_base::Result;

/// Where the block for each peer stands in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerBlocks<'a> {
    /// One block of so many elements, the same for all.
    Same(usize),
    /// Blocks of this many elements each, one after another.
    Equal(usize),
    /// Blocks of different lengths.
    BlockLayout(BlockLayout<'a>),
}

impl PeerBlocks<'_> {
    /// No data: for ranks where the operation gives the buffer no meaning.
    pub const NONE: PeerBlocks<'static> = PeerBlocks::Equal(0);

    /// The block for peer `i` in the send buffer.
    pub(crate) fn send(self, i: usize) -> View {
        let (start, len) = match self {
            PeerBlocks::Same(len) => (0, len),
            PeerBlocks::Equal(len) => (i * len, len),
            PeerBlocks::BlockLayout(layout) => (layout.displacements[i], layout.counts[i]),
        };
        View { buffer: Buffer::Send, start, len }
    }

    /// The block from peer `i` in the receive buffer.
    pub(crate) fn recv(self, i: usize) -> View {
        View { buffer: Buffer::Recv, ..self.send(i) }
    }
}

/// Posts all receives and sends at once, and completes them. Messages between one pair of ranks
/// match in the order in which both sides list them.
pub(crate) async fn trade<C: Channel>(
    ch: &C,
    incoming: impl IntoIterator<Item = (usize, View)>,
    outgoing: impl IntoIterator<Item = (usize, View)>,
) -> Result<()> {
    let mut requests = Vec::new();
    for (from, into) in incoming {
        requests.push(ch.irecv(from, into)?);
    }
    for (to, data) in outgoing {
        requests.push(ch.isend(to, data)?);
    }
    ch.wait_all(requests).await
}
