//! The blocks that one process sends to, or receives from, each of its peers.

use crate::{Buffer, Channel, Places, View};
use dunlin_base::Result;

/// Where the block for each peer stands in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parcels<'a> {
    /// One block of so many elements, the same for all.
    Same(usize),
    /// Blocks of this many elements each, one after another.
    Equal(usize),
    /// Blocks of different lengths.
    Places(Places<'a>),
}

impl Parcels<'_> {
    /// No data: for ranks where the operation gives the buffer no meaning.
    pub const NONE: Parcels<'static> = Parcels::Equal(0);

    /// The block for peer `i` in the send buffer.
    pub(crate) fn send(self, i: usize) -> View {
        let (start, len) = match self {
            Parcels::Same(len) => (0, len),
            Parcels::Equal(len) => (i * len, len),
            Parcels::Places(places) => (places.displacements[i], places.counts[i]),
        };
        View { buffer: Buffer::Send, start, len }
    }

    /// The block from peer `i` in the receive buffer.
    pub(crate) fn recv(self, i: usize) -> View {
        View { buffer: Buffer::Recv, ..self.send(i) }
    }
}

/// Posts all receives and sends at once, and completes them. Messages between one pair of ranks
/// meet in the order in which both sides list them.
pub(crate) async fn trade<C: Channel>(
    ch: &C,
    incoming: impl IntoIterator<Item = (usize, View)>,
    outgoing: impl IntoIterator<Item = (usize, View)>,
) -> Result<()> {
    let mut tickets = Vec::new();
    for (from, into) in incoming {
        tickets.push(ch.irecv(from, into)?);
    }
    for (to, data) in outgoing {
        tickets.push(ch.isend(to, data)?);
    }
    ch.wait_all(tickets).await
}
