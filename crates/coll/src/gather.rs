//! Gather: every rank's block reaches the root, in the order of ranks.
//!
//! A rank's block is `View::send(0, send_block)`; at the root block i lands in
//! `View::recv(i * recv_block, recv_block)`. Elsewhere `Recv` means nothing and `Temp` has the send
//! buffer's datatype. `send_block` elements at any rank hold what `recv_block` elements hold at the
//! root, though counts and datatypes may differ. In place, the root's `Send` lies over its own
//! block and its `send_block` is `recv_block`.

use crate::gatherv::{self, Gatherv};
use crate::levels::PackedBlocks;
use crate::node_channel::{PAIR_CICO_BYTES, ShareMode, others};
use crate::pipeline;
use crate::select::{
    AlgorithmSet, CICO_BYTES_MAX, CallTraits, FEW, MANY, MEASURED, ONE, Range, Rule, WIDE, WIDEST,
    check,
};
use crate::tree::{Knomial, RADIX};
use crate::{BlockLayout, Channel, Member, NodeChannel, Nodes, PutTarget, Slot, SubChannel, View};
use dunlin_base::Result;

/// Arguments of a gather.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gather {
    /// The rank that collects; the same at every rank.
    pub root: usize,
    /// Elements this rank contributes, of its send datatype.
    pub send_block: usize,
    /// Elements of each block at the root, of its receive datatype; not read elsewhere.
    pub recv_block: usize,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`binomial`].
    Binomial,
    /// See [`knomial`].
    Knomial {
        /// What the tree branches by, at least 2.
        radix: usize,
    },
    /// See [`linear`].
    Linear,
    /// See [`two_level`].
    TwoLevel,
    /// See [`two_level_cico`].
    TwoLevelCico,
    /// See [`two_level_single_copy`].
    TwoLevelSingleCopy,
    /// See [`cico`].
    Cico,
    /// See [`cico_pipelined`].
    CicoPipelined,
    /// See [`single_copy`].
    SingleCopy,
}

/// Beyond this the root, which alone copies out every block that was copied in, is slower than
/// ranks that write their blocks into its memory at the same time: 8 ranks on 2 cores take 36 us
/// for 64 KiB instead of 34, and 4 ranks 19 us instead of 14.
const POSTED_BYTES: usize = 32 << 10;
/// Where ranks have a core each, those that write into the root's memory wait for each other in the
/// kernel, and a rank that has copied in its block leaves: 64 KiB by 16 ranks take 91 instead of
/// 120 us, of which a rank spends 11 instead of 119, and 128 KiB by 8 ranks 90 instead of 113, a
/// rank 19.
const IN_CHUNKS: Range = Range { min: CICO_BYTES_MAX + 1, max: 192 << 10 };
/// Blocks on one wide node: shorter ones are copied in unless it is one of the widest.
const FROM_33: Range = Range { min: 33, max: 2 << 10 };
const TO_32K: Range = Range { min: (2 << 10) + 1, max: 32 << 10 };
/// Blocks of which many at once would keep the root of several nodes busy.
const MIDDLING: Range = Range { min: 1 << 10, max: 16 << 10 };

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "gather";
    const ALL: &'static [Self] = &[
        Algorithm::Binomial,
        Algorithm::Knomial { radix: RADIX },
        Algorithm::Linear,
        Algorithm::TwoLevel,
        Algorithm::TwoLevelCico,
        Algorithm::TwoLevelSingleCopy,
        Algorithm::Cico,
        Algorithm::CicoPipelined,
        Algorithm::SingleCopy,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::on_own_cores(WIDEST, Range::up_to(32), Algorithm::Knomial { radix: RADIX }),
        Rule::on_own_cores(WIDE, FROM_33, Algorithm::Knomial { radix: RADIX }),
        Rule::on_own_cores(WIDE, TO_32K, Algorithm::Binomial),
        // As many messages as nodes reach the root, not as many as ranks.
        Rule::across_at_least(17, Range::from(2), MIDDLING, Algorithm::TwoLevelCico),
        Rule::across_nodes(MANY, Range::up_to(4 << 10), Algorithm::Knomial { radix: RADIX }),
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::Linear),
        Rule::few_with_slow_copies(8, 512 << 10, Algorithm::Linear),
        Rule::pair_above(PAIR_CICO_BYTES, Algorithm::SingleCopy),
        Rule::on_own_cores(MEASURED, Range::up_to(CICO_BYTES_MAX), Algorithm::Cico),
        Rule::on_own_cores(MEASURED, IN_CHUNKS, Algorithm::CicoPipelined),
        Rule::up_to_bytes(POSTED_BYTES, Algorithm::Cico),
        Rule::otherwise(Algorithm::SingleCopy),
        // Where neither fits: the kernel copies slowly, or may not.
        Rule::on_wide_node(64 << 10, Algorithm::Binomial),
        Rule::across_up_to(48, ONE, Range::ALL, Algorithm::Linear),
        Rule::across_nodes(ONE, Range::up_to(2 << 10), Algorithm::Knomial { radix: RADIX }),
        Rule::across_at_least(5, FEW, Range::up_to(4 << 10), Algorithm::TwoLevelCico),
        Rule::on_shared_nodes(2 << 10, Algorithm::TwoLevelCico),
        Rule::up_to_bytes(2 << 10, Algorithm::Binomial),
        Rule::otherwise(Algorithm::Linear),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Binomial => "binomial",
            Algorithm::Knomial { .. } => "knomial",
            Algorithm::Linear => "linear",
            Algorithm::TwoLevel => "two_level",
            Algorithm::TwoLevelCico => "two_level_cico",
            Algorithm::TwoLevelSingleCopy => "two_level_single_copy",
            Algorithm::Cico => "cico",
            Algorithm::CicoPipelined => "cico_pipelined",
            Algorithm::SingleCopy => "single_copy",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::TwoLevelCico => shape.cico,
            Algorithm::TwoLevelSingleCopy => shape.single_copy,
            Algorithm::Cico => shape.all_cico(),
            Algorithm::CicoPipelined => shape.all_pipelined(),
            Algorithm::SingleCopy => shape.all_single_copy(),
            _ => true,
        }
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::Knomial { radix } => Some(("radix", radix)),
            _ => None,
        }
    }

    fn with_parameter(self, value: usize) -> Self {
        match self {
            Algorithm::Knomial { .. } => Algorithm::Knomial { radix: value.max(2) },
            other => other,
        }
    }
}

/// Runs a gather by algorithm `how`.
pub async fn gather<C: Channel + NodeChannel>(ch: &C, v: Gather, how: Algorithm) -> Result<()> {
    check(how, &CallTraits::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Binomial => binomial(ch, v).await,
        Algorithm::Knomial { radix } => knomial(ch, v, radix).await,
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::TwoLevel => two_level(ch, v).await,
        Algorithm::TwoLevelCico => two_level_cico(ch, v).await,
        Algorithm::TwoLevelSingleCopy => two_level_single_copy(ch, v).await,
        Algorithm::Cico => cico(ch, v).await,
        Algorithm::CicoPipelined => cico_pipelined(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
    }
}

/// Binomial tree: a rank collects the blocks of its subtree and hands all of them to its parent.
/// ceil(log2 p) rounds; a block moves up to log2 p times: best for small blocks. The one subtree
/// whose blocks reach past the last rank arrives at the root in two messages, each in its place.
/// Thakur, Rabenseifner, Gropp (2005), section 4.
pub async fn binomial<C: Channel>(ch: &C, v: Gather) -> Result<()> {
    knomial(ch, v, 2).await
}

/// K-nomial tree: as the binomial tree, but with up to k - 1 subtrees of a size below a rank, whose
/// blocks arrive at the same time. ceil(log_k p) rounds; a block moves up to log_k p times: best
/// for small blocks where a rank can receive several messages in the time that one takes.
pub async fn knomial<C: Channel>(ch: &C, v: Gather, radix: usize) -> Result<()> {
    let tree = Knomial::with_radix(ch.rank(), v.root, ch.size(), radix);
    let own = View::send(0, v.send_block);
    let Some(parent) = tree.parent() else { return knomial_root(ch, tree, v).await };
    let blocks = tree.subtree(tree.me);
    if blocks == 1 {
        return ch.send(parent, own).await;
    }
    let all = ch.temp(blocks * v.send_block)?;
    ch.copy(own, all.part(0, v.send_block))?;
    let arriving = tree.children().map(|child| {
        let (start, count) = ((child - tree.me) * v.send_block, tree.subtree(child) * v.send_block);
        ch.irecv(tree.rank_of(child), all.part(start, count))
    });
    ch.wait_all(arriving.collect::<Result<Vec<_>>>()?).await?;
    if !tree.under_root() {
        return ch.send(parent, all).await;
    }
    // The root receives straight into its buffer, where the subtree may wrap round the last rank.
    for (first, count) in tree.runs(tree.me) {
        let start = (first + tree.size - ch.rank()) % tree.size * v.send_block;
        ch.send(parent, all.part(start, count * v.send_block)).await?;
    }
    Ok(())
}

async fn knomial_root<C: Channel>(ch: &C, tree: Knomial, v: Gather) -> Result<()> {
    let arriving = tree.children().flat_map(|child| tree.runs(child).map(move |run| (child, run)));
    let arriving = arriving.map(|(child, (first, count))| {
        let place = View::recv(first * v.recv_block, count * v.recv_block);
        ch.irecv(tree.rank_of(child), place)
    });
    let arriving = arriving.collect::<Result<Vec<_>>>()?;
    ch.copy(View::send(0, v.send_block), View::recv(v.root * v.recv_block, v.recv_block))?;
    ch.wait_all(arriving).await
}

/// Linear: every rank sends its block to the root, which has posted all receives.
/// One round, p - 1 messages at the root, every block moved once: best for large blocks.
pub async fn linear<C: Channel>(ch: &C, v: Gather) -> Result<()> {
    let own = View::send(0, v.send_block);
    if ch.rank() != v.root {
        return ch.send(v.root, own).await;
    }
    let place = |i: usize| View::recv(i * v.recv_block, v.recv_block);
    let others = (0..ch.size()).filter(|&i| i != v.root);
    let arriving = others.map(|i| ch.irecv(i, place(i))).collect::<Result<Vec<_>>>()?;
    ch.copy(own, place(v.root))?;
    ch.wait_all(arriving).await
}

/// Two levels: the lowest rank of every other node collects the blocks of its node by a binomial
/// tree and sends them to the root in one message, while the root collects those of its own node.
/// One message out of every node: best for small blocks on several nodes. Where nodes do not hold
/// consecutive ranks, the root copies every block from another node once.
pub async fn two_level<C: Channel>(ch: &C, v: Gather) -> Result<()> {
    let at_home = async |node: &SubChannel<'_, C>, v: Gatherv<'_>| gatherv::linear(node, v).await;
    in_two_levels(ch, v, at_home, binomial).await
}

/// Two levels, copy-in-copy-out: the lowest rank of every other node copies the blocks that its
/// node publishes and sends them to the root in one message; the root copies those of its own node.
/// No other messages: best for small blocks on several nodes whose ranks share memory.
pub async fn two_level_cico<C: Channel + NodeChannel>(ch: &C, v: Gather) -> Result<()> {
    two_level_shared(ch, v, ShareMode::CopyIn).await
}

/// Two levels, single copy: as with copy-in-copy-out, but blocks are copied straight out of their
/// owner's memory. Best for middling blocks on several nodes whose ranks share memory.
pub async fn two_level_single_copy<C: Channel + NodeChannel>(ch: &C, v: Gather) -> Result<()> {
    two_level_shared(ch, v, ShareMode::Expose).await
}

async fn two_level_shared<C: Channel + NodeChannel>(
    ch: &C,
    v: Gather,
    share_mode: ShareMode,
) -> Result<()> {
    let at_home = async |node: &SubChannel<'_, C>, v: Gatherv<'_>| {
        gatherv::published(node, v, share_mode).await
    };
    let elsewhere =
        async |node: &SubChannel<'_, C>, v: Gather| published(node, v, share_mode).await;
    in_two_levels(ch, v, at_home, elsewhere).await
}

async fn in_two_levels<'c, C: Channel>(
    ch: &'c C,
    v: Gather,
    at_home: impl AsyncFn(&SubChannel<'c, C>, Gatherv<'_>) -> Result<()>,
    elsewhere: impl AsyncFn(&SubChannel<'c, C>, Gather) -> Result<()>,
) -> Result<()> {
    let nodes = ch.nodes();
    let (home, node) = (nodes.node_of(v.root), SubChannel::node(ch, &nodes));
    if nodes.node_of(ch.rank()) == home {
        let (root, send_len) = (nodes.local_rank_of(v.root), v.send_block);
        if ch.rank() != v.root {
            let v = Gatherv { root, send_len, recv: BlockLayout::NONE };
            return at_home(&node, v).await;
        }
        from_nodes(ch, &nodes, v).await?;
        let layout = PackedBlocks::of_ranks(nodes.members(home).iter().copied(), v.recv_block);
        return at_home(&node, Gatherv { root, send_len, recv: layout.layout() }).await;
    }
    let send_len = if node.rank() == 0 { node.size() * v.send_block } else { 0 };
    let store = ch.temp(send_len)?;
    let blocks = Gather { root: 0, recv_block: v.send_block, ..v };
    elsewhere(&node.over(View::send(0, 0), store), blocks).await?;
    let Some(top) = SubChannel::among(ch, nodes.leaders(v.root)) else { return Ok(()) };
    let v = Gatherv { root: home, send_len, recv: BlockLayout::NONE };
    gatherv::linear(&top.over(store, store), v).await
}

/// Receives the blocks of all nodes but the root's own.
async fn from_nodes<C: Channel>(ch: &C, nodes: &Nodes, v: Gather) -> Result<()> {
    let Some(top) = SubChannel::among(ch, nodes.leaders(v.root)) else { return Ok(()) };
    let (all, home) = (ch.size() * v.recv_block, nodes.node_of(v.root));
    let store = if nodes.in_order() { View::recv(0, all) } else { ch.temp(all)? };
    let mut layout = PackedBlocks::of_nodes(nodes, v.recv_block);
    layout.counts[home] = 0;
    let runs = Gatherv { root: home, send_len: 0, recv: layout.layout() };
    gatherv::linear(&top.over(View::send(0, 0), store), runs).await?;
    for (place, &rank) in nodes.by_node().iter().enumerate() {
        if nodes.node_of(rank) != home {
            let arrived = store.part(place * v.recv_block, v.recv_block);
            ch.copy(arrived, View::recv(rank * v.recv_block, v.recv_block))?;
        }
    }
    Ok(())
}

/// Copy-in-copy-out: every rank publishes its block, the root copies them. Two copies and one
/// round: best within a node for blocks that fit into a slot of shared memory.
pub async fn cico<C: NodeChannel>(ch: &C, v: Gather) -> Result<()> {
    published(ch, v, ShareMode::CopyIn).await
}

pub(crate) async fn published<C: NodeChannel>(
    ch: &C,
    v: Gather,
    share_mode: ShareMode,
) -> Result<()> {
    let (me, own) = (ch.rank(), View::send(0, v.send_block));
    if me != v.root {
        return share_mode.publish(ch, 0, own).await;
    }
    let block = |rank: usize| View::recv(rank * v.recv_block, v.recv_block);
    ch.copy(own, block(me))?;
    for by in others(ch) {
        ch.get(Slot { step: 0, by }, 0, block(by)).await?;
    }
    Ok(())
}

/// Copy-in-copy-out, in chunks: every rank publishes its block in slices, and leaves when there has
/// been room for the last; the root copies a few slices of every rank, then the next. Two copies,
/// of which the root makes one for all: best within a node for blocks that do not fit into a slot
/// of shared memory, where ranks should leave early.
pub async fn cico_pipelined<C: NodeChannel>(ch: &C, v: Gather) -> Result<()> {
    let (me, own) = (ch.rank(), View::send(0, v.send_block));
    if me != v.root {
        return pipeline::give_block(ch, own).await;
    }
    let block = |rank: usize| View::recv(rank * v.recv_block, v.recv_block);
    ch.copy(own, block(me))?;
    pipeline::collect_blocks(ch, block).await
}

/// Single copy: every rank copies its block straight into the root's memory, all at the same time.
/// One copy: best within a node for long blocks.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Gather) -> Result<()> {
    let (me, p, own) = (ch.rank(), ch.size(), View::send(0, v.send_block));
    let exposed = PutTarget { slot: Slot { step: 0, by: v.root }, len: p * v.send_block };
    if me != v.root {
        // The root reads its length.
        ch.expose(0, own).await?;
        return ch.put(own, exposed, me * v.send_block).await;
    }
    ch.expose_for_put(0, View::recv(0, p * v.recv_block)).await?;
    ch.put(own, exposed, me * v.send_block).await?;
    for by in others(ch) {
        ch.await_slot(Slot { step: 0, by }).await?;
    }
    Ok(())
}
