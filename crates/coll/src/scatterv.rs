//! Scatterv: blocks of different lengths leave the root, block i for rank i.
//!
//! The root sends block i from where `send` says; elsewhere `Send` and `send` mean nothing. A
//! rank's block lands in `View::recv(0, recv_len)`. In place, the root's `Recv` lies over its own
//! block and `recv_len` is that block's count.

use crate::node_channel::{enter, others, own_step, publish_up_to, unless_sent};
use crate::pipeline::{self, BLOCK_SLICES};
use crate::select::{AlgorithmSet, CallTraits, MEASURED, Range, Rule, check};
use crate::vector_layout::BlockLayout;
use crate::{Channel, NodeChannel, STAGES, STEPS, Slice, Slot, View};
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
    /// See [`cico_pipelined`].
    CicoPipelined,
    /// See [`single_copy`].
    SingleCopy,
    /// See [`per_block`].
    PerBlock,
}

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "scatterv";
    const ALL: &'static [Self] =
        &[Algorithm::Linear, Algorithm::CicoPipelined, Algorithm::SingleCopy, Algorithm::PerBlock];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::PerBlock),
        Rule::few_with_slow_copies(8, usize::MAX, Algorithm::PerBlock),
        // 64 KiB by 8 ranks take 32 instead of 58 us, 32 KiB 25 instead of 63, by 16 ranks 8 KiB 15
        // instead of 23, and 64 KiB 107 instead of 105, but a rank spends 61 instead of 90.
        Rule::on_own_cores(MEASURED, Range::ALL, Algorithm::PerBlock),
        Rule::otherwise(Algorithm::SingleCopy),
        Rule::otherwise(Algorithm::Linear),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Linear => "linear",
            Algorithm::CicoPipelined => "cico_pipelined",
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
        Algorithm::CicoPipelined => cico_pipelined(ch, v).await,
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

/// Copy-in-copy-out, in chunks: the root publishes one block after the other, in slices, while
/// every rank copies its own as soon as it is there. Before, it publishes those of few bytes, each
/// in one piece, and those of very many, of which their ranks make a single copy. One round, and no
/// rank need know the lengths of others: best within a node where ranks that copy out of the root's
/// memory would wait for each other.
pub async fn cico_pipelined<C: NodeChannel>(ch: &C, v: Scatterv<'_>) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let stages = Stages::new(ch);
    if me != v.root {
        let (own, step) = (View::recv(0, v.recv_len), own_step(v.root, me, p));
        let Some(first) = stages.first_slice(ch, step, own) else {
            return get_own(ch, &v, |block| block).await;
        };
        enter(ch, step).await?;
        ch.get_slice(Slot { step, by: v.root }, own, end(ch, own)).await?;
        return pipeline::get_block(ch, v.root, first, own).await;
    }
    let blocks = || others(ch).map(|rank| v.send.send(rank)).enumerate();
    let sliced = || blocks().filter_map(|(step, b)| Some((stages.first_slice(ch, step, b)?, b)));
    let any_sliced = sliced().next().is_some();
    let sliced_stages = if any_sliced { (p - 1) * stages.each } else { 0 };
    publish_up_to(ch, (stages.before + sliced_stages).saturating_sub(1)).await?;
    for (step, block) in blocks() {
        let is_whole = block.len > 0 && stages.first_slice(ch, step, block).is_none();
        if is_whole {
            ch.publish(step, block).await?;
        } else if any_sliced {
            ch.copy_in_slice(step, block, end(ch, block)).await?;
        }
    }
    for (first, block) in sliced() {
        pipeline::publish_block(ch, first, block).await?;
    }
    // Last, because nobody waits for it.
    ch.copy(v.send.send(me), View::recv(0, v.recv_len))
}

/// The empty slice after the last. It says how long the block is: a rank that expects another
/// length, and so another place for its first slice, sees it before it waits for that.
fn end<C: NodeChannel>(ch: &C, block: View) -> Slice {
    Slice { number: ch.slices(block, STEPS), per_stage: STEPS }
}

/// The stages of [`cico_pipelined`].
struct Stages {
    /// Those in which each block has a step.
    before: usize,
    /// Those that each block has to itself if it goes in slices, after these.
    each: usize,
}

impl Stages {
    fn new<C: NodeChannel>(ch: &C) -> Stages {
        let others = ch.size() - 1;
        let before = others.div_ceil(STEPS);
        let each = ch.stages().saturating_sub(before) / others.max(1);
        // So that the room of its first stage follows from its number alone.
        Stages { before, each: each / STAGES * STAGES }
    }

    /// The slice of the operation with which the block of this number begins, if it goes in slices.
    /// Where all blocks have one length, that of a block takes the room after that of the block
    /// before, for whose reader the root so need not wait.
    fn first_slice<C: NodeChannel>(&self, ch: &C, number: usize, block: View) -> Option<usize> {
        let stages = ch.slices(block, BLOCK_SLICES).div_ceil(BLOCK_SLICES);
        let is_short = ch.slices(block, STEPS) <= 1;
        if is_short || stages + STAGES > self.each {
            return None;
        }
        let first = self.before + number * self.each + number * stages % STAGES;
        Some(first * BLOCK_SLICES)
    }
}

/// Single copy: the root publishes a block for every rank, if there is data in it: the block
/// itself, or a copy if it is short; all ranks copy theirs at the same time. One round, and no rank
/// need know where in the root's memory its block is: best within a node.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Scatterv<'_>) -> Result<()> {
    if ch.rank() != v.root {
        return get_own(ch, &v, |block| block).await;
    }
    publish_blocks(ch, &v, |block| block, |_| Ok(())).await?;
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
    publish_blocks(ch, &v, |block| unless_sent(ch, block), send).await?;
    ch.wait_all(leaving).await?;
    ch.copy(v.send.send(v.root), own)
}

/// What [`per_block`] does beside messages; for a root that sends none. In the place of a block
/// that is sent nothing is published, by which its receiver sees that both know it as one to be
/// sent.
pub async fn per_block_shared<C: NodeChannel>(ch: &C, v: Scatterv<'_>) -> Result<()> {
    ch.sends_as_well()?;
    if ch.rank() != v.root {
        return get_own(ch, &v, |block| unless_sent(ch, block)).await;
    }
    publish_blocks(ch, &v, |block| block, |_| Ok(())).await?;
    ch.copy(v.send.send(v.root), View::recv(0, v.recv_len))
}

/// The root publishes what `shown` makes of the blocks for others, if there is data in them. Calls
/// `published` with the rank after each: there is room for those of many ranks only when the first
/// of these have what they need.
async fn publish_blocks<C: NodeChannel>(
    ch: &C,
    v: &Scatterv<'_>,
    shown: impl Fn(View) -> View,
    mut published: impl FnMut(usize) -> Result<()>,
) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    publish_up_to(ch, p.saturating_sub(2) / STEPS).await?;
    for rank in others(ch).filter(|&rank| v.send.counts[rank] > 0) {
        ch.publish(own_step(me, rank, p), shown(v.send.send(rank))).await?;
        published(rank)?;
    }
    Ok(())
}

/// A rank that is not the root copies what `shown` makes of its block, if there is data in it.
async fn get_own<C: NodeChannel>(
    ch: &C,
    v: &Scatterv<'_>,
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
