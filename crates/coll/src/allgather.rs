//! Allgather: every rank's block reaches every rank, in the order of ranks.
//!
//! A rank's block is `View::send(0, send_block)`; block i lands in
//! `View::recv(i * recv_block, recv_block)`. The two counts hold the same data but may differ, as
//! the datatypes may. In place, `Send` lies over the rank's own block of `Recv`, `send_block` being
//! `recv_block`.

use crate::select::{Choice, Rule, Shape, check};
use crate::tree::doublings;
use crate::{Channel, View};
use dunlin_base::Result;

/// Arguments of an allgather.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allgather {
    /// Elements this rank contributes, of its send datatype.
    pub send_block: usize,
    /// Elements of each block it receives, of its receive datatype.
    pub recv_block: usize,
}

impl Allgather {
    /// `count` blocks of the result, from block `first` on.
    fn blocks(self, first: usize, count: usize) -> View {
        View::recv(first * self.recv_block, count * self.recv_block)
    }

    /// Puts this rank's own block into its place.
    fn place_own<C: Channel>(self, ch: &C) -> Result<()> {
        ch.copy(View::send(0, self.send_block), self.blocks(ch.rank(), 1))
    }
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`bruck`].
    Bruck,
    /// See [`recursive_doubling`].
    RecursiveDoubling,
    /// See [`ring`].
    Ring,
    /// See [`neighbour_exchange`].
    NeighbourExchange,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "allgather";
    const ALL: &'static [Self] = &[
        Algorithm::Bruck,
        Algorithm::RecursiveDoubling,
        Algorithm::Ring,
        Algorithm::NeighbourExchange,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::up_to_bytes(8 << 10, Algorithm::RecursiveDoubling),
        Rule::up_to_bytes(2 << 10, Algorithm::Bruck),
        Rule::up_to_bytes(64 << 10, Algorithm::NeighbourExchange),
        Rule::otherwise(Algorithm::Ring),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Bruck => "bruck",
            Algorithm::RecursiveDoubling => "recursive_doubling",
            Algorithm::Ring => "ring",
            Algorithm::NeighbourExchange => "neighbour_exchange",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Algorithm::RecursiveDoubling => shape.ranks.is_power_of_two(),
            Algorithm::NeighbourExchange => shape.ranks % 2 == 0,
            Algorithm::Bruck | Algorithm::Ring => true,
        }
    }
}

/// Runs an allgather by algorithm `how`.
pub async fn allgather<C: Channel>(ch: &C, v: Allgather, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()))?;
    match how {
        Algorithm::Bruck => bruck(ch, v).await,
        Algorithm::RecursiveDoubling => recursive_doubling(ch, v).await,
        Algorithm::Ring => ring(ch, v).await,
        Algorithm::NeighbourExchange => neighbour_exchange(ch, v).await,
    }
}

/// Bruck: every rank keeps the blocks of itself and its right neighbours, in that order; in round k
/// it passes all it has to the rank 2^k to the left and doubles its store from the right. At the
/// end the store is turned into the order of ranks. ceil(log2 p) rounds, p - 1 blocks sent, the
/// result copied once: best for small blocks when p is not a power of two. Bruck, Ho, Kipnis,
/// Upfal, Weathersby (1997).
pub async fn bruck<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    let (me, p, block) = (ch.rank(), ch.size(), v.recv_block);
    let store = ch.temp(p * block)?;
    ch.copy(View::send(0, v.send_block), store.part(0, block))?;
    for have in doublings(p) {
        let count = have.min(p - have) * block;
        let (left, right) = ((me + p - have) % p, (me + have) % p);
        let new = store.part(have * block, count);
        ch.exchange(left, store.part(0, count), right, new).await?;
    }
    let to_last = p - me;
    ch.copy(store.part(0, to_last * block), v.blocks(me, to_last))?;
    ch.copy(store.part(to_last * block, me * block), v.blocks(0, me))
}

/// Recursive doubling: in round k every rank swaps all blocks it has with the rank 2^k away.
/// log2 p rounds, p - 1 blocks sent, nothing copied: best for small and middling blocks. Only for a
/// power of two of ranks. Thakur, Rabenseifner, Gropp (2005), section 4.1.
pub async fn recursive_doubling<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    v.place_own(ch)?;
    for have in doublings(ch.size()) {
        let peer = ch.rank() ^ have;
        let mine = v.blocks(ch.rank() & !(have - 1), have);
        ch.exchange(peer, mine, peer, v.blocks(peer & !(have - 1), have)).await?;
    }
    Ok(())
}

/// Ring: in every round each rank passes the block it got last to its right neighbour.
/// p - 1 rounds of one block, all traffic between neighbours: best for large blocks.
/// Thakur, Rabenseifner, Gropp (2005), section 4.1.
pub async fn ring<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    v.place_own(ch)?;
    let (me, p) = (ch.rank(), ch.size());
    let (right, left) = ((me + 1) % p, (me + p - 1) % p);
    for step in 0..p - 1 {
        let mine = v.blocks((me + p - step) % p, 1);
        let theirs = v.blocks((left + p - step) % p, 1);
        ch.exchange(right, mine, left, theirs).await?;
    }
    Ok(())
}

/// Neighbour exchange: pairs of neighbours swap their blocks; from then on every rank turns by
/// turns to its other neighbour and to its partner, and gives the two blocks it learned last for
/// two new. p/2 rounds, p - 1 blocks sent, all traffic between neighbours: best for middling
/// blocks, with half the rounds of a ring. Only for an even number of ranks. Chen, Zhang, Yang,
/// Zhang, Luo (2005).
pub async fn neighbour_exchange<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    v.place_own(ch)?;
    let (me, p) = (ch.rank(), ch.size());
    let pairs = p / 2;
    let pair = |number: usize| v.blocks(2 * (number % pairs), 2);
    ch.exchange(me ^ 1, v.blocks(me, 1), me ^ 1, v.blocks(me ^ 1, 1)).await?;
    let mut latest = pair(me / 2);
    for round in 1..pairs {
        let reach = round.div_ceil(2);
        let leftwards = (me % 2 == 0) == (round % 2 == 1);
        let (peer, new) = match leftwards {
            true => ((me + p - 1) % p, pair(me / 2 + pairs - reach)),
            false => ((me + 1) % p, pair(me / 2 + reach)),
        };
        ch.exchange(peer, latest, peer, new).await?;
        latest = new;
    }
    Ok(())
}
