//! Gatherv: blocks of different lengths reach the root.
//!
//! A rank's block is `View::send(0, send_len)`; the root receives block i where `recv` says.
//! Elsewhere `Recv` and `recv` mean nothing. In place, the root's `Send` lies over its own block
//! and `send_len` is that block's count.

use crate::node_channel::{ShareMode, enter, others, own_step, unless_sent};
use crate::pipeline::{BLOCK_SLICES, collect_blocks, give_block};
use crate::select::{AlgorithmSet, CallTraits, MEASURED, Range, Rule, check};
use crate::vector_layout::BlockLayout;
use crate::{Channel, NodeChannel, PutTarget, STAGES, STEPS, Slot, View};
use dunlin_base::Result;

/// Arguments of a gatherv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gatherv<'a> {
    /// The rank that collects; the same at every rank.
    pub root: usize,
    /// Elements this rank contributes, of its send datatype.
    pub send_len: usize,
    /// At the root, the place of every rank's block; not read elsewhere.
    pub recv: BlockLayout<'a>,
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
    const OPERATION: &'static str = "gatherv";
    const ALL: &'static [Self] =
        &[Algorithm::Linear, Algorithm::CicoPipelined, Algorithm::SingleCopy, Algorithm::PerBlock];
    const TABLE: &'static [Rule<Self>] = &[
        // Elsewhere by single copies: 8 KiB take 0.85 instead of 1.5 us, 1 MiB 45 instead of 100.
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::PerBlock),
        Rule::few_with_slow_copies(8, usize::MAX, Algorithm::PerBlock),
        // 128 KiB by 8 ranks take 77 instead of 151 us, by 16 ranks 140 instead of 221, 64 KiB by 8
        // ranks 46 instead of 49, and a rank spends 22 instead of 49.
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

/// Runs a gatherv by algorithm `how`.
pub async fn gatherv<C: Channel + NodeChannel>(
    ch: &C,
    v: Gatherv<'_>,
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

impl Gatherv<'_> {
    /// Whether rank `me` has no data to send or to receive.
    pub fn is_local(&self, me: usize) -> bool {
        let is_empty = |(rank, count): (usize, &usize)| rank == me || *count == 0;
        if me == self.root {
            self.recv.counts.iter().enumerate().all(is_empty)
        } else {
            self.send_len == 0
        }
    }
}

/// Linear: every rank with data sends it to the root, which has posted all receives.
/// One round, up to p - 1 messages at the root, every block moved once.
pub async fn linear<C: Channel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    let own = View::send(0, v.send_len);
    if ch.rank() != v.root {
        return if own.len > 0 { ch.send(v.root, own).await } else { Ok(()) };
    }
    let others = (0..ch.size()).filter(|&i| i != v.root && v.recv.counts[i] > 0);
    let arriving = others.map(|i| ch.irecv(i, v.recv.recv(i))).collect::<Result<Vec<_>>>()?;
    ch.copy(own, v.recv.recv(v.root))?;
    ch.wait_all(arriving).await
}

/// Every rank publishes its block, the root copies them: the node phase of forms in two levels. Not
/// one of its own, since only the root knows whether there is room for the longest block.
pub(crate) async fn published<C: NodeChannel>(
    ch: &C,
    v: Gatherv<'_>,
    share_mode: ShareMode,
) -> Result<()> {
    let own = View::send(0, v.send_len);
    if ch.rank() != v.root {
        return share_mode.publish(ch, 0, own).await;
    }
    collect(ch, v).await
}

/// Copy-in-copy-out, in chunks: every rank publishes its block in slices, and leaves when there has
/// been room for the last; the root copies a few slices of every rank, then the next. Of a block
/// that takes more than all stages the root makes a single copy. One round: best within a node
/// where ranks should leave early.
pub async fn cico_pipelined<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    let exceeds = |block: View| ch.slices(block, BLOCK_SLICES) > ch.stages() * BLOCK_SLICES;
    let own = View::send(0, v.send_len);
    if ch.rank() != v.root {
        return if exceeds(own) { ch.expose(0, own).await } else { give_block(ch, own).await };
    }
    ch.copy(own, v.recv.recv(v.root))?;
    for (by, block) in others(ch).map(|by| (by, v.recv.recv(by))).filter(|it| exceeds(it.1)) {
        ch.get_whole(Slot { step: 0, by }, block).await?;
    }
    collect_blocks(ch, |by| {
        let block = v.recv.recv(by);
        if exceeds(block) { block.part(0, 0) } else { block }
    })
    .await
}

/// Single copy: every rank puts a long block into the root's memory itself, all at the same time;
/// of a short one it publishes a copy, which the root copies. One round where there are not very
/// many ranks, else one for each group of ranks that fits into the stages; whose block is short
/// need not wait, and whose block is empty has no part in it: best within a node.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    if ch.rank() == v.root {
        return collect_or_expose(ch, &v, unless_empty, |_| Ok(())).await;
    }
    let own = View::send(0, v.send_len);
    if own.len > 0 { publish_or_put(ch, &v, own).await } else { Ok(()) }
}

fn unless_empty(block: View) -> Option<View> {
    (block.len > 0).then_some(block)
}

/// Per block, since the root and the rank that has one know its length: a short one is published as
/// a copy, a middling one is sent, a long one is put into the root's memory, as in single_copy. One
/// round: best within a node where the kernel copies slowly.
pub async fn per_block<C: Channel + NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    let own = View::send(0, v.send_len);
    if ch.rank() != v.root {
        per_block_shared(ch, v).await?;
        return if ch.better_sent(own) { ch.send(v.root, own).await } else { Ok(()) };
    }
    ch.sends_as_well()?;
    let mut arriving = Vec::new();
    let receive = |by: usize| {
        let block = v.recv.recv(by);
        if ch.better_sent(block) {
            arriving.push(ch.irecv(by, block)?);
        }
        Ok(())
    };
    let shown = |block| unless_empty(block).map(|block| unless_sent(ch, block));
    let shared = collect_or_expose(ch, &v, shown, receive).await;
    // These come, whatever has gone wrong with others: no receive is left behind.
    ch.wait_all(arriving).await.and(shared)
}

/// What [`per_block`] does beside messages; for a root that gets none. In the place of a block that
/// is sent nothing is published, by which the root sees that both know it as one to be sent.
pub async fn per_block_shared<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    ch.sends_as_well()?;
    if ch.rank() == v.root {
        return collect_or_expose(ch, &v, unless_empty, |_| Ok(())).await;
    }
    let own = View::send(0, v.send_len);
    if own.len > 0 { publish_or_put(ch, &v, unless_sent(ch, own)).await } else { Ok(()) }
}

/// The steps of a round, in which the root exposes so much at most: it reads what is shown in one
/// before it begins the next.
const ROUND: usize = STAGES * STEPS;

/// Where a rank shows its block which the root exposes at `step`, if it does: at the first step of
/// that round.
fn shown_at(step: usize) -> usize {
    step / ROUND * ROUND
}

/// What a rank that is not the root does with its block, or with what is shown of it.
async fn publish_or_put<C: NodeChannel>(ch: &C, v: &Gatherv<'_>, own: View) -> Result<()> {
    let step = own_step(v.root, ch.rank(), ch.size());
    enter(ch, step).await?;
    // The root sees how long the block is, and leaves if that is not what it expects.
    ch.publish(shown_at(step), own).await?;
    if !ch.is_long(own) {
        return Ok(());
    }
    ch.put(own, PutTarget { slot: Slot { step, by: v.root }, len: own.len }, 0).await
}

/// What the root does with its own block and what `shown` says is shown of the others, if anything.
/// Calls `seen` with each rank of which it has seen that. In rounds where there are very many
/// ranks.
async fn collect_or_expose<C: NodeChannel>(
    ch: &C,
    v: &Gatherv<'_>,
    shown: impl Fn(View) -> Option<View>,
    mut seen: impl FnMut(usize) -> Result<()>,
) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    for first in (0..(p - 1).max(1)).step_by(ROUND) {
        if first > 0 {
            ch.release_stage(first / STEPS - 1).await?;
        }
        let ranks = || others(ch).skip(first).take(ROUND);
        let blocks = || ranks().filter_map(|by| Some((by, shown(v.recv.recv(by))?)));
        for (rank, block) in blocks().filter(|(_, block)| ch.is_long(*block)) {
            ch.expose_for_put(own_step(me, rank, p), block).await?;
        }
        if first == 0 {
            ch.copy(View::send(0, v.send_len), v.recv.recv(me))?;
        }
        for (by, block) in blocks() {
            let slot = Slot { step: first, by };
            match ch.is_long(block) {
                true => ch.await_whole(slot, block).await?,
                false => ch.get_whole(slot, block).await?,
            }
            seen(by)?;
        }
    }
    Ok(())
}

/// What the root does with blocks that are published.
async fn collect<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    ch.copy(View::send(0, v.send_len), v.recv.recv(v.root))?;
    for by in others(ch) {
        ch.get_whole(Slot { step: 0, by }, v.recv.recv(by)).await?;
    }
    Ok(())
}
