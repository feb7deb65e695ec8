//! Scatter: block i of the root's vector reaches rank i.
//!
//! At the root block i is `View::send(i * send_block, send_block)`; elsewhere `Send` means nothing.
//! A rank's block lands in `View::recv(0, recv_block)`. `recv_block` elements at any rank hold what
//! `send_block` elements hold at the root, though counts and datatypes may differ. In place, the
//! root's `Recv` lies over its own block and its `recv_block` is `send_block`.

use crate::levels::PackedBlocks;
use crate::node_channel::{PAIR_CICO_BYTES, ShareMode, wanted};
use crate::pipeline;
use crate::scatterv::{self, Scatterv};
use crate::select::{AlgorithmSet, CallTraits, MANY, MEASURED_RANKS, ONE, Range, Rule, check};
use crate::tree::{Knomial, RADIX};
use crate::{BlockLayout, Channel, Member, NodeChannel, Nodes, Slot, SubChannel, View};
use dunlin_base::Result;

/// Arguments of a scatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scatter {
    /// The rank that hands out; the same at every rank.
    pub root: usize,
    /// Elements of each block at the root, of its send datatype; not read elsewhere.
    pub send_block: usize,
    /// Elements this rank gets, of its receive datatype.
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

/// Beyond this a message between two ranks, which both of them copy, is fastest.
const PAIR_BYTES: usize = 128 << 10;

/// Bytes of a block that few ranks with a core each get by messages, and that many get in chunks.
const BY_MESSAGES: Range = Range { min: (16 << 10) + 1, max: 512 << 10 };
const IN_CHUNKS: Range = Range { min: 48 << 10, max: 96 << 10 };
/// Blocks of which so many at once would keep the root busy, on 5 nodes or more.
const MIDDLING: Range = Range { min: 1 << 10, max: 8 << 10 };
/// Likewise on 17 or more.
const LONGER: Range = Range { min: (8 << 10) + 1, max: 64 << 10 };

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "scatter";
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
        Rule::pair_without_single_copy(Algorithm::Cico),
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::Linear),
        Rule::few_with_slow_copies(8, 128 << 10, Algorithm::Linear),
        Rule::pair_above(PAIR_BYTES, Algorithm::Linear),
        Rule::pair_above(PAIR_CICO_BYTES, Algorithm::SingleCopy),
        Rule::otherwise(Algorithm::Cico),
        // Ranks that read out of the root's memory wait for each other in the kernel, messages go
        // one after the other: 64 KiB by 8 ranks take 33 instead of 62 us, by 16 ranks 138 so and
        // in chunks 90 instead of 141.
        Rule::on_own_cores(Range { min: 3, max: 11 }, BY_MESSAGES, Algorithm::Linear),
        Rule::on_own_cores(
            Range { min: 12, max: MEASURED_RANKS },
            IN_CHUNKS,
            Algorithm::CicoPipelined,
        ),
        // 1 KiB by 96 ranks take 8 us, by `linear` 25, simulated.
        Rule::on_wide_node(4 << 10, Algorithm::Knomial { radix: RADIX }),
        Rule::otherwise(Algorithm::SingleCopy),
        Rule::across_up_to(48, ONE, Range::ALL, Algorithm::Linear),
        Rule::across_nodes(ONE, Range::up_to(2 << 10), Algorithm::Knomial { radix: RADIX }),
        Rule::across_nodes(MANY, Range::up_to(512), Algorithm::TwoLevelCico),
        // As many messages as nodes leave the root, not as many as ranks.
        Rule::across_at_least(5, Range::from(2), MIDDLING, Algorithm::TwoLevel),
        Rule::across_at_least(17, Range::from(2), LONGER, Algorithm::TwoLevel),
        Rule::across_nodes(MANY, Range::up_to(4 << 10), Algorithm::Knomial { radix: RADIX }),
        Rule::on_shared_nodes(2 << 10, Algorithm::TwoLevelCico),
        Rule::on_shared_nodes(2 << 10, Algorithm::TwoLevelSingleCopy),
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

/// Runs a scatter by algorithm `how`.
pub async fn scatter<C: Channel + NodeChannel>(ch: &C, v: Scatter, how: Algorithm) -> Result<()> {
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

/// Binomial tree: a rank receives the blocks of its whole subtree and hands each child its share.
/// ceil(log2 p) rounds; a block moves up to log2 p times: best for small blocks. The one subtree
/// whose blocks reach past the last rank leaves the root in two messages, straight from its place.
/// Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn binomial<C: Channel>(ch: &C, v: Scatter) -> Result<()> {
    knomial(ch, v, 2).await
}

/// K-nomial tree: as the binomial tree, but with up to k - 1 subtrees of a size below a rank, whose
/// blocks leave at the same time. ceil(log_k p) rounds; a block moves up to log_k p times: best for
/// small blocks where a rank can send several messages in the time that one takes to arrive.
pub async fn knomial<C: Channel>(ch: &C, v: Scatter, radix: usize) -> Result<()> {
    let tree = Knomial::with_radix(ch.rank(), v.root, ch.size(), radix);
    let own = View::recv(0, v.recv_block);
    let Some(parent) = tree.parent() else { return knomial_root(ch, tree, v).await };
    let blocks = tree.subtree(tree.me);
    if blocks == 1 {
        return ch.recv(parent, own).await;
    }
    let all = ch.temp(blocks * v.recv_block)?;
    if !tree.under_root() {
        ch.recv(parent, all).await?;
    } else {
        for (first, count) in tree.runs(tree.me) {
            let start = (first + tree.size - ch.rank()) % tree.size * v.recv_block;
            ch.recv(parent, all.part(start, count * v.recv_block)).await?;
        }
    }
    let leaving = tree.children().rev().map(|child| {
        let (start, count) = ((child - tree.me) * v.recv_block, tree.subtree(child) * v.recv_block);
        ch.isend(tree.rank_of(child), all.part(start, count))
    });
    let leaving = leaving.collect::<Result<Vec<_>>>()?;
    ch.copy(all.part(0, v.recv_block), own)?;
    ch.wait_all(leaving).await
}

async fn knomial_root<C: Channel>(ch: &C, tree: Knomial, v: Scatter) -> Result<()> {
    let children = tree.children().rev();
    let leaving = children.flat_map(|child| tree.runs(child).map(move |run| (child, run)));
    let leaving = leaving.map(|(child, (first, count))| {
        let blocks = View::send(first * v.send_block, count * v.send_block);
        ch.isend(tree.rank_of(child), blocks)
    });
    let leaving = leaving.collect::<Result<Vec<_>>>()?;
    ch.copy(View::send(v.root * v.send_block, v.send_block), View::recv(0, v.recv_block))?;
    ch.wait_all(leaving).await
}

/// Linear: the root sends every rank its block, all sends in flight at once.
/// One round, p - 1 messages at the root, every block moved once: best for large blocks.
pub async fn linear<C: Channel>(ch: &C, v: Scatter) -> Result<()> {
    let own = View::recv(0, v.recv_block);
    if ch.rank() != v.root {
        return ch.recv(v.root, own).await;
    }
    let place = |i: usize| View::send(i * v.send_block, v.send_block);
    let others = (0..ch.size()).filter(|&i| i != v.root);
    let leaving = others.map(|i| ch.isend(i, place(i))).collect::<Result<Vec<_>>>()?;
    // First, because a rank that waits copies a long message together with its receiver.
    ch.wait_all(leaving).await?;
    ch.copy(place(v.root), own)
}

/// Two levels: the root sends the lowest rank of every other node the blocks of its node in one
/// message, which hands them out by a binomial tree, while the root serves its own node. One
/// message into every node: best for small blocks on several nodes. Where nodes do not hold
/// consecutive ranks, the root copies every block for another node once.
pub async fn two_level<C: Channel>(ch: &C, v: Scatter) -> Result<()> {
    in_two_levels(ch, v, serve_members, binomial).await
}

/// Two levels, copy-in-copy-out: the root sends the lowest rank of every other node the blocks of
/// its node in one message, and that rank publishes them to its node, as the root does to its own.
/// No other messages: best while all blocks fit into a slot of shared memory, on several nodes.
pub async fn two_level_cico<C: Channel + NodeChannel>(ch: &C, v: Scatter) -> Result<()> {
    two_level_shared(ch, v, ShareMode::CopyIn).await
}

/// Two levels, single copy: as with copy-in-copy-out, but every rank copies its block straight out
/// of the memory of the root or its node's lowest rank. Best for middling blocks on several nodes
/// whose ranks share memory.
pub async fn two_level_single_copy<C: Channel + NodeChannel>(ch: &C, v: Scatter) -> Result<()> {
    two_level_shared(ch, v, ShareMode::Expose).await
}

async fn two_level_shared<C: Channel + NodeChannel>(
    ch: &C,
    v: Scatter,
    share_mode: ShareMode,
) -> Result<()> {
    let at_home = async |node: &SubChannel<'_, C>, v: Scatter, members: &[usize]| {
        shared_with_members(node, v, members, share_mode).await
    };
    let elsewhere =
        async |node: &SubChannel<'_, C>, v: Scatter| published(node, v, share_mode).await;
    in_two_levels(ch, v, at_home, elsewhere).await
}

async fn in_two_levels<'c, C: Channel>(
    ch: &'c C,
    v: Scatter,
    at_home: impl AsyncFn(&SubChannel<'c, C>, Scatter, &[usize]) -> Result<()>,
    elsewhere: impl AsyncFn(&SubChannel<'c, C>, Scatter) -> Result<()>,
) -> Result<()> {
    let nodes = ch.nodes();
    let (home, node) = (nodes.node_of(v.root), SubChannel::node(ch, &nodes));
    if nodes.node_of(ch.rank()) == home {
        if ch.rank() == v.root {
            to_nodes(ch, &nodes, v).await?;
        }
        let members = nodes.members(home);
        return at_home(&node, Scatter { root: nodes.local_rank_of(v.root), ..v }, members).await;
    }
    let recv_len = if node.rank() == 0 { node.size() * v.recv_block } else { 0 };
    let store = ch.temp(recv_len)?;
    if let Some(top) = SubChannel::among(ch, nodes.leaders(v.root)) {
        let v = Scatterv { root: home, send: BlockLayout::NONE, recv_len };
        scatterv::linear(&top.over(store, store), v).await?;
    }
    let blocks = Scatter { root: 0, send_block: v.recv_block, ..v };
    elsewhere(&node.over(store, View::recv(0, 0)), blocks).await
}

/// The root sends the ranks here, which are `members` of a larger group, their blocks of a vector
/// that has one for every rank of that group.
async fn serve_members<C: Channel>(ch: &C, v: Scatter, members: &[usize]) -> Result<()> {
    let (root, recv_len) = (v.root, v.recv_block);
    if ch.rank() != root {
        return scatterv::linear(ch, Scatterv { root, send: BlockLayout::NONE, recv_len }).await;
    }
    let layout = PackedBlocks::of_ranks(members.iter().copied(), v.send_block);
    scatterv::linear(ch, Scatterv { root, send: layout.layout(), recv_len }).await
}

/// Sends the blocks of all nodes but the root's own.
async fn to_nodes<C: Channel>(ch: &C, nodes: &Nodes, v: Scatter) -> Result<()> {
    let Some(top) = SubChannel::among(ch, nodes.leaders(v.root)) else { return Ok(()) };
    let home = nodes.node_of(v.root);
    // Scratch memory is counted in elements of the receive buffer, or in place, of the only one.
    let (store, block) = match nodes.in_order() {
        true => (View::send(0, ch.size() * v.send_block), v.send_block),
        false => (ch.temp(ch.size() * v.recv_block)?, v.recv_block),
    };
    for (place, &rank) in nodes.by_node().iter().enumerate() {
        if nodes.node_of(rank) != home {
            let own = View::send(rank * v.send_block, v.send_block);
            ch.copy(own, store.part(place * block, block))?;
        }
    }
    let mut layout = PackedBlocks::of_nodes(nodes, block);
    layout.counts[home] = 0;
    let runs = Scatterv { root: home, send: layout.layout(), recv_len: 0 };
    scatterv::linear(&top.over(store, View::recv(0, 0)), runs).await
}

/// Copy-in-copy-out: the root publishes all blocks, every rank copies its own. Two copies and one
/// round: best within a node while all blocks fit into a slot of shared memory.
pub async fn cico<C: NodeChannel>(ch: &C, v: Scatter) -> Result<()> {
    published(ch, v, ShareMode::CopyIn).await
}

/// Copy-in-copy-out, in chunks: the root publishes one block after the other, in slices, while
/// every rank copies its own as soon as it is there. Two copies, of which the root makes one for
/// all: best within a node for blocks of which all together do not fit into a slot of shared
/// memory, where ranks that copy out of the root's memory would wait for each other.
pub async fn cico_pipelined<C: NodeChannel>(ch: &C, v: Scatter) -> Result<()> {
    let (me, mine) = (ch.rank(), View::recv(0, v.recv_block));
    if me != v.root {
        return pipeline::deal_out(ch, v.root, |_| mine).await;
    }
    let block = |rank: usize| View::send(rank * v.send_block, v.send_block);
    pipeline::deal_out(ch, me, block).await?;
    // Last, because nobody waits for it.
    ch.copy(block(me), mine)
}

/// Single copy: every rank copies its block straight out of the root's memory, all at the same
/// time. One copy: best within a node for long blocks and more than two ranks.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Scatter) -> Result<()> {
    published(ch, v, ShareMode::Expose).await
}

async fn published<C: NodeChannel>(ch: &C, v: Scatter, share_mode: ShareMode) -> Result<()> {
    let (me, mine) = (ch.rank(), View::recv(0, v.recv_block));
    let blocks = wanted(v.root, ch.size());
    if me == v.root {
        let published = View::send(blocks.start * v.send_block, blocks.len() * v.send_block);
        share_mode.publish(ch, 0, published).await?;
        return ch.copy(View::send(me * v.send_block, v.send_block), mine);
    }
    let before = me - blocks.start;
    ch.get(Slot { step: 0, by: v.root }, before * v.recv_block, mine).await
}

/// As [`serve_members`], but the root publishes the blocks, from the lowest member's to the
/// highest's.
async fn shared_with_members<C: NodeChannel>(
    ch: &C,
    v: Scatter,
    members: &[usize],
    share_mode: ShareMode,
) -> Result<()> {
    let (me, first, last) = (ch.rank(), members[0], members[members.len() - 1]);
    let mine = View::recv(0, v.recv_block);
    if me != v.root {
        let before = members[me] - first;
        return ch.get(Slot { step: 0, by: v.root }, before * v.recv_block, mine).await;
    }
    share_mode
        .publish(ch, 0, View::send(first * v.send_block, (last + 1 - first) * v.send_block))
        .await?;
    ch.copy(View::send(members[me] * v.send_block, v.send_block), mine)
}
