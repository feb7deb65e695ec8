//! Alltoall: block j of rank i reaches rank j as its block i.
//!
//! Block j is sent from `View::send(j * send_block, send_block)`, block i lands in
//! `View::recv(i * recv_block, recv_block)`. The two counts hold the same data but may differ, as
//! the datatypes may. In place, `Send` and `Recv` are one.

use crate::select::{Choice, Rule, Shape, check};
use crate::tree::doublings;
use crate::{Channel, View};
use dunlin_base::Result;

/// Arguments of an alltoall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alltoall {
    /// Elements of each block this rank sends, of its send datatype.
    pub send_block: usize,
    /// Elements of each block it receives, of its receive datatype.
    pub recv_block: usize,
    /// Whether the call gave `MPI_IN_PLACE`; the same at every rank.
    pub in_place: bool,
}

impl Alltoall {
    /// The block for rank `peer`.
    fn outgoing(self, peer: usize) -> View {
        View::send(peer * self.send_block, self.send_block)
    }

    /// The block from rank `peer`.
    fn incoming(self, peer: usize) -> View {
        View::recv(peer * self.recv_block, self.recv_block)
    }
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`bruck`].
    Bruck,
    /// See [`pairwise`].
    Pairwise,
    /// See [`linear`].
    Linear,
    /// See [`swap`].
    Swap,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "alltoall";
    const ALL: &'static [Self] =
        &[Algorithm::Bruck, Algorithm::Pairwise, Algorithm::Linear, Algorithm::Swap];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::up_to_bytes(256, Algorithm::Bruck),
        Rule::up_to_bytes(32 << 10, Algorithm::Linear),
        Rule::otherwise(Algorithm::Pairwise),
        Rule::otherwise(Algorithm::Swap),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Bruck => "bruck",
            Algorithm::Pairwise => "pairwise",
            Algorithm::Linear => "linear",
            Algorithm::Swap => "swap",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        !shape.in_place || matches!(self, Algorithm::Bruck | Algorithm::Swap)
    }
}

/// Runs an alltoall by algorithm `how`.
pub async fn alltoall<C: Channel>(ch: &C, v: Alltoall, how: Algorithm) -> Result<()> {
    check(how, &Shape { in_place: v.in_place, ..Shape::plain(ch.size()) })?;
    match how {
        Algorithm::Bruck => bruck(ch, v).await,
        Algorithm::Pairwise => pairwise(ch, v).await,
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::Swap => swap(ch, v).await,
    }
}

/// Bruck: a block that must travel distance d goes by way of the set bits of d; in round k every
/// rank passes on all blocks whose distance has bit k, packed into one message.
/// ceil(log2 p) rounds of at most (p + 1)/2 blocks; every block moves up to log2 p times: best for
/// tiny blocks on many ranks. Bruck, Ho, Kipnis, Upfal, Weathersby (1997).
pub async fn bruck<C: Channel>(ch: &C, v: Alltoall) -> Result<()> {
    let (me, p, block) = (ch.rank(), ch.size(), v.recv_block);
    let store = ch.temp(p * block)?;
    let most = p.div_ceil(2) * block;
    let (packed, arrived) = (ch.temp(most)?, ch.temp(most)?);
    for distance in 0..p {
        ch.copy(v.outgoing((me + distance) % p), store.part(distance * block, block))?;
    }
    for bit in doublings(p) {
        let travelling = || (0..p).filter(|distance| distance & bit != 0).enumerate();
        for (slot, distance) in travelling() {
            ch.copy(store.part(distance * block, block), packed.part(slot * block, block))?;
        }
        let count = travelling().count() * block;
        let (right, left) = ((me + bit) % p, (me + p - bit) % p);
        ch.exchange(right, packed.part(0, count), left, arrived.part(0, count)).await?;
        for (slot, distance) in travelling() {
            ch.copy(arrived.part(slot * block, block), store.part(distance * block, block))?;
        }
    }
    for distance in 0..p {
        ch.copy(store.part(distance * block, block), v.incoming((me + p - distance) % p))?;
    }
    Ok(())
}

/// Pairwise: in round k every rank sends to the rank k to its right and receives from the rank k to
/// its left, one transfer each way at a time.
/// p - 1 rounds of one block: best for large blocks, where more transfers at once would only
/// compete. Thakur, Rabenseifner, Gropp (2005), section 4.2.
pub async fn pairwise<C: Channel>(ch: &C, v: Alltoall) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    ch.copy(v.outgoing(me), v.incoming(me))?;
    for k in 1..p {
        let (to, from) = ((me + k) % p, (me + p - k) % p);
        ch.exchange(to, v.outgoing(to), from, v.incoming(from)).await?;
    }
    Ok(())
}

/// Linear: every rank posts all its receives and sends at once, each starting with another peer so
/// that no rank is everybody's first.
/// One round of p - 1 blocks each way: best for middling blocks.
pub async fn linear<C: Channel>(ch: &C, v: Alltoall) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let mut tickets = Vec::with_capacity(2 * (p - 1));
    for k in 1..p {
        let from = (me + p - k) % p;
        tickets.push(ch.irecv(from, v.incoming(from))?);
    }
    for k in 1..p {
        let to = (me + k) % p;
        tickets.push(ch.isend(to, v.outgoing(to))?);
    }
    ch.copy(v.outgoing(me), v.incoming(me))?;
    ch.wait_all(tickets).await
}

/// Swap: in round k the ranks whose numbers add up to k, modulo p, exchange blocks in pairs; what
/// arrives waits in scratch memory until the block it replaces has left.
/// p rounds of at most one block, each copied once, with one block of scratch memory: for calls in
/// place, where a pair must trade its two blocks in the same round.
pub async fn swap<C: Channel>(ch: &C, v: Alltoall) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let arrived = ch.temp(v.recv_block)?;
    ch.copy(v.outgoing(me), v.incoming(me))?;
    for k in 0..p {
        let peer = (k + p - me) % p;
        if peer != me {
            ch.exchange(peer, v.outgoing(peer), peer, arrived).await?;
            ch.copy(arrived, v.incoming(peer))?;
        }
    }
    Ok(())
}
