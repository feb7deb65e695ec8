//! Scan: at every rank, the operator's result over the vectors of all ranks up to and including it.
//!
//! Operand in `View::send(0, len)`, result in `View::recv(0, len)`; in place, both are one.

use crate::select::{Choice, Rule, Shape, check};
use crate::tree::doublings;
use crate::{Channel, Member, NodeChannel, Shown, View};
use dunlin_base::Result;

/// Arguments of a scan; the same at every rank. Operands are always combined in the order of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Number of elements.
    pub len: usize,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`recursive_doubling`].
    RecursiveDoubling,
    /// See [`linear`].
    Linear,
    /// See [`posted`].
    Posted,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "scan";
    const ALL: &'static [Self] =
        &[Algorithm::RecursiveDoubling, Algorithm::Linear, Algorithm::Posted];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::up_to_bytes(16 << 10, Algorithm::Posted),
        Rule::otherwise(Algorithm::RecursiveDoubling),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::RecursiveDoubling => "recursive_doubling",
            Algorithm::Linear => "linear",
            Algorithm::Posted => "posted",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        self != Algorithm::Posted || shape.all_post()
    }
}

/// Runs a scan by algorithm `how`.
pub async fn scan<C: Channel + NodeChannel>(ch: &C, v: Scan, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::RecursiveDoubling => recursive_doubling(ch, v).await,
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::Posted => posted(ch, v).await,
    }
}

/// Recursive doubling: in round k every rank sends its partial result to the rank 2^k to its right
/// and puts what comes from the rank 2^k to its left before its own, which then covers twice as
/// many ranks. ceil(log2 p) rounds, each moving the whole vector; any p is as good as a power of
/// two. Hillis, Steele (1986).
async fn recursive_doubling<C: Channel>(ch: &C, v: Scan) -> Result<()> {
    prefixes(ch, 0, own_result(ch, v)?).await
}

/// The result over this rank alone.
fn own_result<C: Member>(ch: &C, v: Scan) -> Result<View> {
    let result = View::recv(0, v.len);
    ch.copy(View::send(0, v.len), result)?;
    Ok(result)
}

/// Turns the vectors `partial` of the ranks from `first` on into their prefix results.
pub(crate) async fn prefixes<C: Channel>(ch: &C, first: usize, partial: View) -> Result<()> {
    let (me, ranks) = (ch.rank() - first, ch.size() - first);
    if ranks == 1 {
        return Ok(());
    }
    let incoming = ch.temp(partial.len)?;
    for distance in doublings(ranks) {
        let from_left = me.checked_sub(distance);
        let arriving = from_left.map(|left| ch.irecv(first + left, incoming)).transpose()?;
        if me + distance < ranks {
            ch.send(first + me + distance, partial).await?;
        }
        if let Some(arriving) = arriving {
            ch.wait(arriving).await?;
            ch.reduce(incoming, partial)?;
        }
    }
    Ok(())
}

/// Linear: every rank waits for the result of its left neighbour, adds its operand and passes the
/// sum on.
/// p - 1 rounds of the whole vector, but only p - 1 messages in all: for few ranks.
async fn linear<C: Channel>(ch: &C, v: Scan) -> Result<()> {
    let (me, result) = (ch.rank(), own_result(ch, v)?);
    if me > 0 {
        let before = ch.temp(v.len)?;
        ch.recv(me - 1, before).await?;
        ch.reduce(before, result)?;
    }
    if me + 1 < ch.size() { ch.send(me + 1, result).await } else { Ok(()) }
}

/// Posted: every rank shows its operand and puts those of the ranks before it to its own. One
/// round, in which the last rank reads all vectors: best within a node for short ones.
pub async fn posted<C: NodeChannel>(ch: &C, v: Scan) -> Result<()> {
    // What the last rank has is in no other's prefix.
    if ch.rank() + 1 < ch.size() {
        ch.post(0, View::send(0, v.len)).await?;
    }
    let result = own_result(ch, v)?;
    for by in (0..ch.rank()).rev() {
        ch.take_reduce(Shown { step: 0, by }, 0, result).await?;
    }
    Ok(())
}
