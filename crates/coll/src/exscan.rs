//! Exscan: at every rank, the operator's result over the vectors of all ranks before it.
//!
//! Operand in `View::send(0, len)`, result in `View::recv(0, len)`, which rank 0 does not touch; in
//! place, both are one.

use crate::scan::{self, Reach};
use crate::select::{Choice, Rule, Shape, check};
use crate::shared::PAIR_COPIED_BYTES;
use crate::{Channel, NodeChannel, Shown, View};
use dunlin_base::Result;

/// Arguments of an exscan; the same at every rank. Operands are always combined in the order of
/// ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exscan {
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
    const OPERATION: &'static str = "exscan";
    const ALL: &'static [Self] =
        &[Algorithm::RecursiveDoubling, Algorithm::Linear, Algorithm::Posted, Algorithm::LentParts];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::pair_above(PAIR_COPIED_BYTES, Algorithm::Linear),
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

/// Runs an exscan by algorithm `how`.
pub async fn exscan<C: Channel + NodeChannel>(ch: &C, v: Exscan, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::RecursiveDoubling => recursive_doubling(ch, v).await,
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::Posted => posted(ch, v).await,
        Algorithm::LentParts => lent_parts(ch, v).await,
    }
}

/// Recursive doubling: every rank hands its operand to its right neighbour; a scan over the ranks
/// but the first then gives each what stood before it.
/// 1 + ceil(log2(p - 1)) rounds, each moving the whole vector, and one reduction per round where
/// the textbook keeps two partial results and needs two. Hillis, Steele (1986).
async fn recursive_doubling<C: Channel>(ch: &C, v: Exscan) -> Result<()> {
    let (me, own, result) = (ch.rank(), View::send(0, v.len), View::recv(0, v.len));
    let last = me + 1 == ch.size();
    if me == 0 {
        return if last { Ok(()) } else { ch.send(1, own).await };
    }
    // In place the result lies over the operand: what arrives waits until the operand has left.
    let before = ch.temp(v.len)?;
    let arriving = ch.irecv(me - 1, before)?;
    if !last {
        ch.send(me + 1, own).await?;
    }
    ch.wait(arriving).await?;
    ch.copy(before, result)?;
    scan::prefixes(ch, 1, result).await
}

/// Linear: every rank gets from its left neighbour what stands before it, and passes that with its
/// own operand on.
/// p - 1 rounds of the whole vector, but only p - 1 messages in all: for few ranks.
async fn linear<C: Channel>(ch: &C, v: Exscan) -> Result<()> {
    let (me, own, result) = (ch.rank(), View::send(0, v.len), View::recv(0, v.len));
    let next = (me + 1 < ch.size()).then_some(me + 1);
    if me == 0 {
        return if let Some(next) = next { ch.send(next, own).await } else { Ok(()) };
    }
    let Some(next) = next else { return ch.recv(me - 1, result).await };
    let before = ch.temp(v.len)?;
    ch.recv(me - 1, before).await?;
    let through_me = ch.temp(v.len)?;
    ch.copy(own, through_me)?;
    ch.reduce(before, through_me)?;
    ch.send(next, through_me).await?;
    ch.copy(before, result)
}

/// Posted: every rank shows its operand and adds up those of the ranks before it. One round, in
/// which the last rank reads all vectors: best within a node for short ones.
pub async fn posted<C: NodeChannel>(ch: &C, v: Exscan) -> Result<()> {
    // What the last rank has is nobody's prefix.
    if ch.rank() + 1 < ch.size() {
        ch.post(0, View::send(0, v.len)).await?;
    }
    let result = View::recv(0, v.len);
    for by in (0..ch.rank()).rev() {
        let shown = Shown { step: 0, by };
        if by + 1 == ch.rank() {
            ch.take(shown, 0, result).await?;
        } else {
            ch.take_reduce(shown, 0, result).await?;
        }
    }
    Ok(())
}

/// Lent, in parts: every rank reads one part of all vectors in the others' own memory and puts the
/// results over it into theirs, piece by piece. One round, the work divided among all, and each
/// operand is added once: best within a node for long vectors.
pub async fn lent_parts<C: NodeChannel>(ch: &C, v: Exscan) -> Result<()> {
    ch.lend(0, View::send(0, v.len)).await?;
    if ch.rank() > 0 {
        ch.open(1, View::recv(0, v.len)).await?;
    }
    scan::give_prefixes(ch, v.len, Reach::Before).await
}
