//! Gatherv: blocks of different lengths reach the root.
//!
//! A rank's block is `View::send(0, send_len)`; the root receives block i where `recv` says.
//! Elsewhere `Recv` and `recv` mean nothing. In place, the root's `Send` lies over its own block
//! and `send_len` is that block's count.

use crate::node_channel::{ShareMode, enter, others, own_step};
use crate::select::{AlgorithmSet, CallTraits, Rule, check};
use crate::vector_layout::BlockLayout;
use crate::{Channel, NodeChannel, PutTarget, Slot, View};
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
    /// See [`single_copy`].
    SingleCopy,
    /// See [`per_block`].
    PerBlock,
}

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "gatherv";
    const ALL: &'static [Self] = &[Algorithm::Linear, Algorithm::SingleCopy, Algorithm::PerBlock];
    const TABLE: &'static [Rule<Self>] = &[
        // Both copy a long message, where the other would be idle.
        Rule::up_to_ranks(2, Algorithm::PerBlock),
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

/// Runs a gatherv by algorithm `how`.
pub async fn gatherv<C: Channel + NodeChannel>(
    ch: &C,
    v: Gatherv<'_>,
    how: Algorithm,
) -> Result<()> {
    check(how, &CallTraits::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
        Algorithm::PerBlock => per_block(ch, v).await,
    }
}

impl Gatherv<'_> {
    /// Whether [`linear`] and [`per_block`] have no data for rank `me` to send or to receive.
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

/// Single copy: every rank puts a long block into the root's memory itself, all at the same time;
/// of a short one it publishes a copy, which the root copies. One round, and whose block is short
/// need not wait: best within a node.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    match ch.rank() == v.root {
        true => collect_or_expose(ch, v, |_| true).await,
        false => publish_or_put(ch, v).await,
    }
}

/// Per block, since the root and the rank that has one know its length: a short one is published as
/// a copy, a middling one is sent, a long one is put into the root's memory, as in single_copy. One
/// round: best within a node where the kernel copies slowly, and for two ranks.
pub async fn per_block<C: Channel + NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    let own = View::send(0, v.send_len);
    if ch.rank() != v.root {
        return match ch.better_sent(own) {
            true => ch.send(v.root, own).await,
            false => per_block_shared(ch, v).await,
        };
    }
    let sent = others(ch).map(|by| (by, v.recv.recv(by))).filter(|(_, b)| ch.better_sent(*b));
    let arriving = sent.map(|(by, block)| ch.irecv(by, block)).collect::<Result<Vec<_>>>()?;
    per_block_shared(ch, v).await?;
    ch.wait_all(arriving).await
}

/// What [`per_block`] does beside messages.
pub async fn per_block_shared<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    let is_shared = |by| v.recv.counts[by] > 0 && !ch.better_sent(v.recv.recv(by));
    match ch.rank() == v.root {
        true => collect_or_expose(ch, v, is_shared).await,
        false if v.send_len > 0 => publish_or_put(ch, v).await,
        false => Ok(()),
    }
}

/// What a rank that is not the root does with a block that is not sent.
async fn publish_or_put<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    let (me, p, own) = (ch.rank(), ch.size(), View::send(0, v.send_len));
    let step = own_step(v.root, me, p);
    enter(ch, step).await?;
    // The root sees how long the block is, and leaves if that is not what it expects.
    ch.publish(0, own).await?;
    if !ch.is_long(own) {
        return Ok(());
    }
    ch.put(own, PutTarget { slot: Slot { step, by: v.root }, len: own.len }, 0).await
}

/// What the root does with its own block and those of the ranks that are `wanted`.
async fn collect_or_expose<C: NodeChannel>(
    ch: &C,
    v: Gatherv<'_>,
    wanted: impl Fn(usize) -> bool,
) -> Result<()> {
    let p = ch.size();
    let others = || others(ch).filter(|&rank| wanted(rank));
    for rank in others().filter(|&rank| ch.is_long(v.recv.recv(rank))) {
        ch.expose_for_put(own_step(v.root, rank, p), v.recv.recv(rank)).await?;
    }
    ch.copy(View::send(0, v.send_len), v.recv.recv(v.root))?;
    for by in others() {
        let (slot, block) = (Slot { step: 0, by }, v.recv.recv(by));
        match ch.is_long(block) {
            true => ch.await_whole(slot, block).await?,
            false => ch.get_whole(slot, block).await?,
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
