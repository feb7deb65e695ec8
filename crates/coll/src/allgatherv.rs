//! Allgatherv: every rank's block, of whatever length, reaches every rank.
//!
//! A rank's block is `View::send(0, send_len)`; block i lands where `recv` says. In place, `Send`
//! lies over the rank's own block of `Recv` and `send_len` is that block's count.

use crate::places::Places;
use crate::select::{Choice, Rule, Shape, check};
use crate::tree::doublings;
use crate::{Channel, View};
use dunlin_base::Result;

/// Arguments of an allgatherv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allgatherv<'a> {
    /// Elements this rank contributes, of its send datatype.
    pub send_len: usize,
    /// The place of every rank's block in the receive buffer.
    pub recv: Places<'a>,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`bruck`].
    Bruck,
    /// See [`ring`].
    Ring,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "allgatherv";
    const ALL: &'static [Self] = &[Algorithm::Bruck, Algorithm::Ring];
    const TABLE: &'static [Rule<Self>] =
        &[Rule::up_to_bytes(2 << 10, Algorithm::Bruck), Rule::otherwise(Algorithm::Ring)];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Bruck => "bruck",
            Algorithm::Ring => "ring",
        }
    }

    fn fits(self, _: &Shape) -> bool {
        true
    }
}

/// Runs an allgatherv by algorithm `how`.
pub async fn allgatherv<C: Channel>(ch: &C, v: Allgatherv<'_>, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()))?;
    match how {
        Algorithm::Bruck => bruck(ch, v).await,
        Algorithm::Ring => ring(ch, v).await,
    }
}

/// Bruck: every rank keeps the blocks of itself and its right neighbours, in that order and without
/// gaps; in round k it passes what it has to the rank 2^k to the left and grows its store from the
/// right. At the end every block is copied to its place.
/// ceil(log2 p) rounds, every block but one sent once, all copied once: best for short blocks.
/// Bruck, Ho, Kipnis, Upfal, Weathersby (1997).
pub async fn bruck<C: Channel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let count = |back: usize| v.recv.counts[(me + back) % p];
    let store = ch.temp(v.recv.counts.iter().sum())?;
    ch.copy(View::send(0, v.send_len), store.part(0, count(0)))?;
    let mut filled = count(0);
    for have in doublings(p) {
        let more = have.min(p - have);
        let leaving = store.part(0, (0..more).map(count).sum());
        let arriving = store.part(filled, (have..have + more).map(count).sum());
        filled += arriving.len;
        ch.exchange((me + p - have) % p, leaving, (me + have) % p, arriving).await?;
    }
    let mut start = 0;
    for right in 0..p {
        let block = v.recv.recv((me + right) % p);
        ch.copy(store.part(start, block.len), block)?;
        start += block.len;
    }
    Ok(())
}

/// Ring: in every round each rank passes the block it got last to its right neighbour.
/// p - 1 rounds, all traffic between neighbours, but each round is as slow as its longest block:
/// best for long blocks of similar lengths. Thakur, Rabenseifner, Gropp (2005), section 4.1.
pub async fn ring<C: Channel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    ch.copy(View::send(0, v.send_len), v.recv.recv(me))?;
    let (right, left) = ((me + 1) % p, (me + p - 1) % p);
    for step in 0..p - 1 {
        let mine = v.recv.recv((me + p - step) % p);
        let theirs = v.recv.recv((left + p - step) % p);
        ch.exchange(right, mine, left, theirs).await?;
    }
    Ok(())
}
