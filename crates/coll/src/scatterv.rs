//! Scatterv: blocks of different lengths leave the root, block i for rank i.
//!
//! The root sends block i from where `send` says; elsewhere `Send` and `send` mean nothing. A
//! rank's block lands in `View::recv(0, recv_len)`. In place, the root's `Recv` lies over its own
//! block and `recv_len` is that block's count.

use crate::node_channel::{enter, others, own_step, unless_sent};
use crate::select::{AlgorithmSet, CallTraits, Rule, check};
use crate::vector_layout::BlockLayout;
use crate::{Channel, NodeChannel, STAGES, STEPS, Slot, View};
use dunlin_base::Result;

/// Arguments of a scatterv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scatterv<'a> {
    /// The rank that hands out; the same at every rank.
    pub root: usize,
    /// At the root, the place of every rank's block; not read elsewhere.
    pub send: BlockLayout<'a>,
    /// Elements this rank gets, of its receive datatype.
    pub recv_len: usize,
}

/// The algorithms of this operation. Only the root knows all counts, so trees would first have to
/// tell them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`linear`].
    Linear,
    /// See [`single_copy`].
    SingleCopy,
    /// See [`per_block`].
    PerBlock,
}

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "scatterv";
    const ALL: &'static [Self] = &[Algorithm::Linear, Algorithm::SingleCopy, Algorithm::PerBlock];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::PerBlock),
        Rule::few_with_slow_copies(8, usize::MAX, Algorithm::PerBlock),
        Rule::otherwise(Algorithm::SingleCopy),
        Rule::otherwise(Algorithm::Linear),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Linear => "linear",
            Algorithm::SingleCopy => "single_copy",
            Algorithm::PerBlock => "per_block",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        self == Algorithm::Linear || shape.all_single_copy()
    }
}

/// Runs a scatterv by algorithm `how`.
pub async fn scatterv<C: Channel + NodeChannel>(
    ch: &C,
    v: Scatterv<'_>,
    how: Algorithm,
) -> Result<()> {
    check(how, &CallTraits::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
        Algorithm::PerBlock => per_block(ch, v).await,
    }
}

/// Linear: the root sends every rank its block, if there is data in it, all sends in flight at
/// once. One round, up to p - 1 messages at the root, every block moved once.
pub async fn linear<C: Channel>(ch: &C, v: Scatterv<'_>) -> Result<()> {
    let own = View::recv(0, v.recv_len);
    if ch.rank() != v.root {
        return if own.len > 0 { ch.recv(v.root, own).await } else { Ok(()) };
    }
    let others = (0..ch.size()).filter(|&i| i != v.root && v.send.counts[i] > 0);
    let leaving = others.map(|i| ch.isend(i, v.send.send(i))).collect::<Result<Vec<_>>>()?;
    // First, because a rank that waits copies a long message together with its receiver.
    ch.wait_all(leaving).await?;
    ch.copy(v.send.send(v.root), own)
}

/// Single copy: the root publishes a block for every rank, if there is data in it: the block
/// itself, or a copy if it is short; all ranks copy theirs at the same time. One round, and no rank
/// need know where in the root's memory its block is: best within a node.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Scatterv<'_>) -> Result<()> {
    if ch.rank() != v.root {
        return get_own(ch, v, |block| block).await;
    }
    publish_blocks(ch, v, |block| block, |_| Ok(())).await?;
    ch.copy(v.send.send(v.root), View::recv(0, v.recv_len))
}

/// Per block, since the root and the rank that gets one know its length: a short one is published
/// as a copy, a middling one is sent, a long one is published itself, as in single_copy. One round:
/// best within a node where the kernel copies slowly.
pub async fn per_block<C: Channel + NodeChannel>(ch: &C, v: Scatterv<'_>) -> Result<()> {
    let own = View::recv(0, v.recv_len);
    if ch.rank() != v.root {
        per_block_shared(ch, v).await?;
        return if ch.better_sent(own) { ch.recv(v.root, own).await } else { Ok(()) };
    }
    ch.sends_as_well()?;
    let mut leaving = Vec::new();
    let send = |to: usize| {
        let block = v.send.send(to);
        if ch.better_sent(block) {
            leaving.push(ch.isend(to, block)?);
        }
        Ok(())
    };
    publish_blocks(ch, v, |block| unless_sent(ch, block), send).await?;
    ch.wait_all(leaving).await?;
    ch.copy(v.send.send(v.root), own)
}

/// What [`per_block`] does beside messages; for a root that sends none. In the place of a block
/// that is sent nothing is published, by which its receiver sees that both know it as one to be
/// sent.
pub async fn per_block_shared<C: NodeChannel>(ch: &C, v: Scatterv<'_>) -> Result<()> {
    ch.sends_as_well()?;
    if ch.rank() != v.root {
        return get_own(ch, v, |block| unless_sent(ch, block)).await;
    }
    publish_blocks(ch, v, |block| block, |_| Ok(())).await?;
    ch.copy(v.send.send(v.root), View::recv(0, v.recv_len))
}

/// The root publishes what `shown` makes of the blocks for others, if there is data in them. Calls
/// `published` with the rank after each: there is room for those of many ranks only when the first
/// of these have what they need.
async fn publish_blocks<C: NodeChannel>(
    ch: &C,
    v: Scatterv<'_>,
    shown: impl Fn(View) -> View,
    mut published: impl FnMut(usize) -> Result<()>,
) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    // It reads none of them.
    let last_stage = p.saturating_sub(2) / STEPS;
    if last_stage >= STAGES {
        ch.release_stage(last_stage - 1).await?;
    }
    for rank in others(ch).filter(|&rank| v.send.counts[rank] > 0) {
        ch.publish(own_step(me, rank, p), shown(v.send.send(rank))).await?;
        published(rank)?;
    }
    Ok(())
}

/// A rank that is not the root copies what `shown` makes of its block, if there is data in it.
async fn get_own<C: NodeChannel>(
    ch: &C,
    v: Scatterv<'_>,
    shown: impl Fn(View) -> View,
) -> Result<()> {
    let (me, p, own) = (ch.rank(), ch.size(), View::recv(0, v.recv_len));
    let step = own_step(v.root, me, p);
    enter(ch, step).await?;
    match own.len {
        0 => Ok(()),
        _ => ch.get_whole(Slot { step, by: v.root }, shown(own)).await,
    }
}
