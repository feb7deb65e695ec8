//! Scan: at every rank, the operator's result over the vectors of all ranks up to and including it.
//!
//! Operand in `View::send(0, len)`, result in `View::recv(0, len)`; in place, both are one.

use crate::parts::Parts;
use crate::select::{Choice, Rule, Shape, check};
use crate::shared::pieces;
use crate::tree::doublings;
use crate::{Channel, Member, NodeChannel, Opened, Shown, View};
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
    /// See [`lent_parts`].
    LentParts,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "scan";
    const ALL: &'static [Self] =
        &[Algorithm::RecursiveDoubling, Algorithm::Linear, Algorithm::Posted, Algorithm::LentParts];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::otherwise(Algorithm::Posted),
        Rule::otherwise(Algorithm::LentParts),
        Rule::otherwise(Algorithm::RecursiveDoubling),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::RecursiveDoubling => "recursive_doubling",
            Algorithm::Linear => "linear",
            Algorithm::Posted => "posted",
            Algorithm::LentParts => "lent_parts",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Algorithm::Posted => shape.all_post(),
            Algorithm::LentParts => shape.all_lend(),
            _ => true,
        }
    }
}

/// Runs a scan by algorithm `how`.
pub async fn scan<C: Channel + NodeChannel>(ch: &C, v: Scan, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::RecursiveDoubling => recursive_doubling(ch, v).await,
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::Posted => posted(ch, v).await,
        Algorithm::LentParts => lent_parts(ch, v).await,
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

/// Lent, in parts: every rank reads one part of all vectors in the others' own memory and puts the
/// results over it into theirs, piece by piece. One round, the work divided among all, and each
/// operand is added once: best within a node for long vectors.
pub async fn lent_parts<C: NodeChannel>(ch: &C, v: Scan) -> Result<()> {
    ch.lend(0, View::send(0, v.len)).await?;
    ch.open(1, View::recv(0, v.len)).await?;
    give_prefixes(ch, v.len, Reach::Through).await
}

/// Which ranks a rank's result is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those before it, which rank 0 has none of.
    Before,
    /// Those before it, and itself.
    Through,
}

/// Adds up this rank's part of the vectors of `len` elements that all ranks lend at step 0, and
/// puts every rank's result over it into what it opens at step 1, in pieces that stay in a cache.
/// An operand is read before the result may come over it.
pub(crate) async fn give_prefixes<C: NodeChannel>(ch: &C, len: usize, reach: Reach) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let mine = Parts::Even { len, parts: p }.block(View::send(0, len), me);
    if mine.len == 0 {
        // Nothing to add up, but lengths that differ are noticed.
        return ch.seen_all(0).await;
    }
    let result = |rank| Opened { shown: Shown { step: 1, by: rank }, len };
    // The ranks before this one have operands that are in somebody's result.
    let last = if reach == Reach::Through { p } else { p - 1 };
    let piece = ch.piece(mine);
    let room = piece.min(mine.len);
    let (mut before, mut through) = (ch.temp(room)?, ch.temp(room)?);
    for operand in pieces(mine, piece) {
        through.len = operand.len;
        for rank in 0..p {
            if rank == me {
                ch.copy(operand, through)?;
            } else if rank < last {
                ch.take(Shown { step: 0, by: rank }, operand.start, through).await?;
            }
            if reach == Reach::Before && rank > 0 {
                ch.give(before, result(rank), operand.start).await?;
            }
            if 0 < rank && rank < last {
                ch.reduce(before, through)?;
            }
            if reach == Reach::Through {
                ch.give(through, result(rank), operand.start).await?;
            }
            (before, through) = (through, View { len: operand.len, ..before });
        }
    }
    Ok(())
}
