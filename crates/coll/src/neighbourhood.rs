//! Neighbourhood collectives: every rank trades blocks with its neighbours in a virtual topology.
//! One operation stands for all five of MPI's; they differ in how blocks stand in the buffers.
//!
//! Block j is sent to destination j from where `send` says, the block from source i lands where
//! `recv` says. A rank may be its own neighbour, and two ranks may be neighbours several times:
//! then the first block one sends the other is the first the other receives, in the order of its
//! sources; see [`Neighbours::grid`] for the one exception. Never in place.

use crate::peer_blocks::{PeerBlocks, trade};
use crate::{Channel, View};
use dunlin_base::Result;

/// The neighbours of this rank; `None` is nobody, beyond the edge of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbours<'a> {
    /// Whom it receives from.
    pub sources: &'a [Option<usize>],
    /// Whom it sends to.
    pub destinations: &'a [Option<usize>],
    /// Whether neighbours are those of a grid, two in each dimension, the lower first. What one
    /// sends downwards then arrives from above, also where both are the same rank.
    pub grid: bool,
}

impl Neighbours<'_> {
    /// The sources in the order in which the blocks of one rank arrive: in a grid from above, then
    /// from below.
    pub fn arrivals(self) -> impl Iterator<Item = usize> + Clone {
        (0..self.sources.len()).map(move |k| if self.grid { k ^ 1 } else { k })
    }
}

/// Arguments of a neighbourhood collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbourhood<'a> {
    /// Who the neighbours are.
    pub neighbours: Neighbours<'a>,
    /// The block for each destination.
    pub send: PeerBlocks<'a>,
    /// The block from each source.
    pub recv: PeerBlocks<'a>,
}

/// Runs a neighbourhood collective: every rank posts all its receives and sends at once.
/// One round: all a topology promises is that neighbours are near.
pub async fn neighbourhood<C: Channel>(ch: &C, v: Neighbourhood<'_>) -> Result<()> {
    let me = ch.rank();
    let Neighbours { sources, destinations, .. } = v.neighbours;
    let incoming = v.neighbours.arrivals().filter_map(|i| Some((sources[i]?, v.recv.recv(i))));
    let outgoing = (0..destinations.len()).filter_map(|j| Some((destinations[j]?, v.send.send(j))));
    let is_own = |message: &(usize, View)| message.0 == me;
    let own = incoming.clone().filter(is_own).zip(outgoing.clone().filter(is_own));
    for ((_, into), (_, from)) in own {
        ch.copy(from, into)?;
    }
    trade(ch, incoming.filter(|m| !is_own(m)), outgoing.filter(|m| !is_own(m))).await
}
