//! Reduce: the operator's result over all ranks' vectors, at the root alone.
//!
//! Operand in `View::send(0, len)`, result in the root's `View::recv(0, len)`; the other ranks do
//! not touch `Recv`. In place, the root's `Send` lies over its `Recv`.

use crate::chains;
use crate::domain_tree::{DOWN, DomainTree, UP_RADIX};
use crate::fold::Core;
use crate::gatherv::{self, Gatherv};
use crate::levels::{LEADERS, RootedLevels, Slices};
use crate::node_channel::{
    PAIR_CICO_BYTES, ShareMode, combine_in_order, combine_with_own, others, sum_in_chunks,
    sum_into, sum_part,
};
use crate::partition::Partition;
use crate::pipeline;
use crate::reduce_scatter;
use crate::segments::{InOrder, segmented};
use crate::select::{
    AlgorithmSet, CICO_BYTES_MAX, CallTraits, FEW, IN_A_SLOT, MANY, ONE, Range, Rule, WIDE, WIDEST,
    When, check,
};
use crate::tree::{Binomial, Knomial, RADIX, doublings};
use crate::{BlockLayout, Channel, NodeChannel, PutTarget, Slot, SubChannel, View};
use dunlin_base::Result;
use std::cmp::Ordering;

/// Arguments of a reduce; the same at every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduce {
    /// The rank that gets the result.
    pub root: usize,
    /// Number of elements.
    pub len: usize,
    /// Whether the operator commutes; if not, operands are combined in the order of ranks.
    pub commutative: bool,
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
    /// See [`in_order`].
    InOrder,
    /// See [`in_order_binary`].
    InOrderBinary {
        /// Elements per message, at least 1.
        segment: usize,
    },
    /// See [`scatter_gather`].
    ScatterGather,
    /// See [`pipelined_chain`].
    PipelinedChain {
        /// Elements per message, at least 1.
        segment: usize,
    },
    /// See [`two_level`].
    TwoLevel,
    /// See [`two_level_cico`].
    TwoLevelCico,
    /// See [`two_level_cico_tree`].
    TwoLevelCicoTree {
        /// What the tree branches by within a domain, at least 2.
        radix: usize,
    },
    /// See [`two_level_single_copy`].
    TwoLevelSingleCopy,
    /// See [`multi_leader`].
    MultiLeader {
        /// Ranks of a node that speak for it, at least 1.
        leaders: usize,
    },
    /// See [`cico`].
    Cico,
    /// See [`cico_tree`].
    CicoTree {
        /// What the tree branches by within a domain, at least 2.
        radix: usize,
    },
    /// See [`cico_partitioned`].
    CicoPartitioned,
    /// See [`cico_pipelined`].
    CicoPipelined,
    /// See [`cico_chains`].
    CicoChains,
    /// See [`single_copy`].
    SingleCopy,
    /// See [`single_copy_partitioned`].
    SingleCopyPartitioned,
}

/// With elements of 8 bytes, long enough that a message's cost is mostly bandwidth.
const SEGMENT: usize = 8 << 10;

/// What more than three ranks with a core each add up in parts or in chains.
const MIDDLING: Range = Range { min: (4 << 10) + 1, max: CICO_BYTES_MAX };
/// What ranks of several nodes send whole, several messages at a time.
pub(crate) const SHORT: Range = Range::up_to(16 << 10);
const LONG: Range = Range::from(CICO_BYTES_MAX + 1);
/// With operators that do not commute.
const IN_ORDER_ON_WIDE_NODE: When = When {
    bytes: IN_A_SLOT,
    ranks: WIDE,
    nodes: Range::up_to(1),
    oversubscribed: Some(false),
    commutative: Some(false),
    ..When::ALWAYS
};
const LONG_TO_256K: Range = Range { min: LONG.min, max: 256 << 10 };

/// Up to here the root of several ranks is done sooner than it would collect the parts that others
/// add up: 8 KiB take 6 us instead of 10 with 4 ranks on 2 cores, 15 instead of 27 with 8.
pub(crate) const ROOT_BYTES: usize = 16 << 10;

/// The same for two ranks with a core each.
const PAIR_ROOT_BYTES: usize = 16 << 10;

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "reduce";
    const ALL: &'static [Self] = &[
        Algorithm::Binomial,
        Algorithm::Knomial { radix: RADIX },
        Algorithm::InOrder,
        Algorithm::InOrderBinary { segment: SEGMENT },
        Algorithm::ScatterGather,
        Algorithm::PipelinedChain { segment: SEGMENT },
        Algorithm::TwoLevel,
        Algorithm::TwoLevelCico,
        Algorithm::TwoLevelCicoTree { radix: UP_RADIX },
        Algorithm::TwoLevelSingleCopy,
        Algorithm::MultiLeader { leaders: LEADERS },
        Algorithm::Cico,
        Algorithm::CicoTree { radix: UP_RADIX },
        Algorithm::CicoPartitioned,
        Algorithm::CicoPipelined,
        Algorithm::CicoChains,
        Algorithm::SingleCopy,
        Algorithm::SingleCopyPartitioned,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        // 1 KiB by 64 ranks take 1.8 us, 4.7 by messages, simulated.
        Rule::on_wide_node(16 << 10, Algorithm::CicoTree { radix: UP_RADIX }),
        Rule::on_own_cores(WIDEST, IN_A_SLOT, Algorithm::ScatterGather),
        Rule::on_own_cores(WIDE, LONG_TO_256K, Algorithm::ScatterGather),
        Rule::new(IN_ORDER_ON_WIDE_NODE, Algorithm::CicoTree { radix: UP_RADIX }),
        Rule::across_nodes(MANY, IN_A_SLOT, Algorithm::TwoLevelCicoTree { radix: UP_RADIX }),
        Rule::across_nodes(FEW, SHORT, Algorithm::TwoLevelCicoTree { radix: UP_RADIX }),
        Rule::across_nodes(Range::up_to(8), SHORT, Algorithm::Knomial { radix: RADIX }),
        Rule::across_nodes(FEW, IN_A_SLOT, Algorithm::MultiLeader { leaders: LEADERS }),
        Rule::across_nodes(Range::ALL, LONG, Algorithm::InOrderBinary { segment: SEGMENT }),
        Rule::pair_without_single_copy(Algorithm::Cico),
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::CicoChains),
        Rule::few_with_slow_copies(4, 256 << 10, Algorithm::CicoPipelined),
        Rule::pair_above(PAIR_ROOT_BYTES, Algorithm::SingleCopyPartitioned),
        Rule::pair_above(PAIR_CICO_BYTES, Algorithm::SingleCopy),
        // The root alone adds up, but nobody waits twice: 64 KiB by 8 ranks on 2 cores take 37 us,
        // in parts 45.
        Rule::oversubscribed(8, CICO_BYTES_MAX, Algorithm::Cico),
        // Half of the ranks add up in pairs first, so that the root reads half as much: 8 B by 16
        // ranks take 1.8 instead of 2.5 us, 1 KiB 3.5 instead of 5.0, 16 KiB by 4 6.6 instead of
        // 7.9; of 8 or more, in parts: 9.0 and 10.7 instead of 14.7 and 26.
        Rule::on_own_cores(Range::from(8), Range::up_to(4 << 10), Algorithm::CicoChains),
        Rule::on_own_cores(Range::from(8), MIDDLING, Algorithm::CicoPartitioned),
        Rule::on_own_cores(Range { min: 4, max: 7 }, MIDDLING, Algorithm::CicoChains),
        Rule::up_to_bytes(ROOT_BYTES, Algorithm::Cico),
        Rule::otherwise(Algorithm::CicoPartitioned),
        // No call of the kernel, and each operand is read once: 1 MiB by 8 and 4 ranks on 2 cores
        // takes 396 and 191 us, exposed in parts 607 and 226.
        Rule::oversubscribed(usize::MAX, usize::MAX, Algorithm::CicoChains),
        Rule::otherwise(Algorithm::SingleCopyPartitioned),
        Rule::otherwise(Algorithm::CicoPipelined),
        Rule::across_nodes(ONE, IN_A_SLOT, Algorithm::Knomial { radix: RADIX }),
        Rule::on_shared_nodes(ROOT_BYTES, Algorithm::TwoLevelCico),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelSingleCopy),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelCico),
        Rule::up_to_bytes(2 << 10, Algorithm::Binomial),
        Rule::otherwise(Algorithm::ScatterGather),
        Rule::otherwise(Algorithm::InOrder),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Binomial => "binomial",
            Algorithm::Knomial { .. } => "knomial",
            Algorithm::InOrder => "in_order",
            Algorithm::InOrderBinary { .. } => "in_order_binary",
            Algorithm::ScatterGather => "scatter_gather",
            Algorithm::PipelinedChain { .. } => "pipelined_chain",
            Algorithm::TwoLevel => "two_level",
            Algorithm::TwoLevelCico => "two_level_cico",
            Algorithm::TwoLevelCicoTree { .. } => "two_level_cico_tree",
            Algorithm::TwoLevelSingleCopy => "two_level_single_copy",
            Algorithm::MultiLeader { .. } => "multi_leader",
            Algorithm::Cico => "cico",
            Algorithm::CicoTree { .. } => "cico_tree",
            Algorithm::CicoPartitioned => "cico_partitioned",
            Algorithm::CicoPipelined => "cico_pipelined",
            Algorithm::CicoChains => "cico_chains",
            Algorithm::SingleCopy => "single_copy",
            Algorithm::SingleCopyPartitioned => "single_copy_partitioned",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::InOrder
            | Algorithm::InOrderBinary { .. }
            | Algorithm::PipelinedChain { .. } => true,
            Algorithm::TwoLevelCico | Algorithm::TwoLevelCicoTree { .. } => {
                shape.cico && shape.commutative
            }
            Algorithm::TwoLevelSingleCopy => shape.single_copy && shape.commutative,
            Algorithm::Cico | Algorithm::CicoTree { .. } | Algorithm::CicoPartitioned => {
                shape.all_cico()
            }
            Algorithm::CicoPipelined => shape.all_pipelined(),
            Algorithm::CicoChains => shape.all_pipelined() && shape.commutative,
            Algorithm::SingleCopy | Algorithm::SingleCopyPartitioned => shape.all_single_copy(),
            _ => shape.commutative,
        }
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::Knomial { radix }
            | Algorithm::TwoLevelCicoTree { radix }
            | Algorithm::CicoTree { radix } => Some(("radix", radix)),
            Algorithm::InOrderBinary { segment } | Algorithm::PipelinedChain { segment } => {
                Some(("segment", segment))
            }
            Algorithm::MultiLeader { leaders } => Some(("leaders", leaders)),
            _ => None,
        }
    }

    fn with_parameter(self, value: usize) -> Self {
        match self {
            Algorithm::Knomial { .. } => Algorithm::Knomial { radix: value.max(2) },
            Algorithm::TwoLevelCicoTree { .. } => {
                Algorithm::TwoLevelCicoTree { radix: value.max(2) }
            }
            Algorithm::CicoTree { .. } => Algorithm::CicoTree { radix: value.max(2) },
            Algorithm::InOrderBinary { .. } => Algorithm::InOrderBinary { segment: value },
            Algorithm::PipelinedChain { .. } => Algorithm::PipelinedChain { segment: value },
            Algorithm::MultiLeader { .. } => Algorithm::MultiLeader { leaders: value },
            other => other,
        }
    }
}

/// Runs a reduce by algorithm `how`.
pub async fn reduce<C: Channel + NodeChannel>(ch: &C, v: Reduce, how: Algorithm) -> Result<()> {
    check(how, &CallTraits::reduction(ch.size(), v.commutative).shared(true, true))?;
    match how {
        Algorithm::Binomial => binomial(ch, v).await,
        Algorithm::Knomial { radix } => knomial(ch, v, radix).await,
        Algorithm::InOrder => in_order(ch, v).await,
        Algorithm::InOrderBinary { segment } => in_order_binary(ch, v, segment).await,
        Algorithm::ScatterGather => scatter_gather(ch, v).await,
        Algorithm::PipelinedChain { segment } => pipelined_chain(ch, v, segment).await,
        Algorithm::TwoLevel => two_level(ch, v).await,
        Algorithm::TwoLevelCico => two_level_cico(ch, v).await,
        Algorithm::TwoLevelCicoTree { radix } => two_level_cico_tree(ch, v, radix).await,
        Algorithm::TwoLevelSingleCopy => two_level_single_copy(ch, v).await,
        Algorithm::MultiLeader { leaders } => multi_leader(ch, v, leaders).await,
        Algorithm::Cico => cico(ch, v).await,
        Algorithm::CicoTree { radix } => cico_tree(ch, v, radix).await,
        Algorithm::CicoPartitioned => cico_partitioned(ch, v).await,
        Algorithm::CicoPipelined => cico_pipelined(ch, v).await,
        Algorithm::CicoChains => cico_chains(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
        Algorithm::SingleCopyPartitioned => single_copy_partitioned(ch, v).await,
    }
}

/// Binomial tree: a rank adds its children's partial results to its own operand and hands the sum
/// to its parent. The tree is rotated so that the root is at its top, which commuting operators
/// allow. ceil(log2 p) rounds, each moving the whole vector; best for short vectors. Thakur,
/// Rabenseifner, Gropp (2005), section 4.4.
pub async fn binomial<C: Channel>(ch: &C, v: Reduce) -> Result<()> {
    knomial(ch, v, 2).await
}

/// K-nomial tree: as the binomial tree, but a rank receives the partial results of k - 1 children
/// at a time. ceil(log_k p) rounds, in each of which up to k - 1 vectors reach a rank: best for
/// short vectors where a rank can receive several messages in the time that one takes.
pub async fn knomial<C: Channel>(ch: &C, v: Reduce, radix: usize) -> Result<()> {
    let tree = Knomial::with_radix(ch.rank(), v.root, ch.size(), radix);
    let result = tree.climb(ch, v.len).await?;
    if ch.rank() == v.root { ch.copy(result, View::recv(0, v.len)) } else { Ok(()) }
}

/// Binomial tree in the order of ranks: rank 0 is at the top of the tree whoever the root is, so
/// that every partial result covers consecutive ranks, and sends the result to the root.
/// ceil(log2 p) + 1 rounds, each moving the whole vector (one round less if the root is rank 0);
/// for operators that do not commute.
pub async fn in_order<C: Channel>(ch: &C, v: Reduce) -> Result<()> {
    let result = Binomial::new(ch.rank(), 0, ch.size()).climb(ch, v.len).await?;
    match (ch.rank(), v.root) {
        (0, 0) => ch.copy(result, View::recv(0, v.len)),
        (0, root) => ch.send(root, result).await,
        (me, root) if me == root => ch.recv(0, View::recv(0, v.len)).await,
        _ => Ok(()),
    }
}

/// Scatter and gather: recursive halving leaves every rank with the result of one chunk, and a
/// binomial tree brings the chunks to the root.
/// 2 log2 p rounds, of half the vector, a quarter and so on; a rank moves less than twice the
/// vector: best for long vectors. Ranks beyond the largest power of two fold into a neighbour, one
/// round of the whole vector more, and another if the root is one of them. The operator must
/// commute. Rabenseifner (2004); Thakur, Rabenseifner, Gropp (2005), section 4.4.
pub async fn scatter_gather<C: Channel>(ch: &C, v: Reduce) -> Result<()> {
    let (me, own) = (ch.rank(), View::send(0, v.len));
    let result = View::recv(0, v.len);
    let core = Core::new(me, ch.size());
    if core.stands_aside() {
        ch.send(me + 1, own).await?;
        return if me == v.root { ch.recv(me + 1, result).await } else { Ok(()) };
    }
    let sum = if me == v.root { result } else { ch.temp(v.len)? };
    ch.copy(own, sum)?;
    let parts = Partition::Even { len: v.len, parts: core.size };
    let held = |first, count| parts.run(sum, first, count);
    let incoming = ch.temp(v.len)?;
    core.fold_in(ch, sum, incoming).await?;
    core.halve(ch, held, incoming).await?;
    let top = Core::new(v.root, ch.size());
    for distance in doublings(core.size) {
        let peer = core.rank_of(core.me ^ distance);
        let mine = core.me & !(distance - 1);
        if (core.me ^ top.me) & distance != 0 {
            return ch.send(peer, held(mine, distance)).await;
        }
        ch.recv(peer, held(mine ^ distance, distance)).await?;
    }
    if top.stands_aside() { ch.send(v.root, sum).await } else { Ok(()) }
}

/// Pipelined chain: the ranks left of the root send to their right neighbours, those right of it to
/// their left, each adding its operand on the way; a rank adds one segment while the next arrives.
/// max(root, p - 1 - root) + len/segment - 1 rounds of one segment; every rank sends the vector
/// once: best for long vectors on few ranks, with any operator. Pjesivac-Grbovic et al. (2007),
/// section 3.
pub async fn pipelined_chain<C: Channel>(ch: &C, v: Reduce, segment: usize) -> Result<()> {
    let (me, last) = (ch.rank(), ch.size() - 1);
    let link = InOrder {
        left: (me > 0 && me <= v.root).then(|| me - 1),
        right: (me < last && me >= v.root).then(|| me + 1),
        parent: match me.cmp(&v.root) {
            Ordering::Less => Some(me + 1),
            Ordering::Equal => None,
            Ordering::Greater => Some(me - 1),
        },
    };
    segmented(ch, link, v.len, segment).await
}

/// In-order binary tree: the root stands between a tree of the ranks left of it and one of the
/// ranks right of it, the middle of each between two smaller ones, and so on; what comes from the
/// left is the left operand. A rank adds one segment while the next arrives. If the operator
/// commutes, ranks stand node by node.
/// About log2 p + len/segment rounds, in each of which up to two segments reach a rank: best for
/// middling and long vectors and operators that do not commute. Pjesivac-Grbovic et al. (2007),
/// section 3.
pub async fn in_order_binary<C: Channel>(ch: &C, v: Reduce, segment: usize) -> Result<()> {
    if !v.commutative {
        return segmented(ch, InOrder::binary(ch.rank(), v.root, ch.size()), v.len, segment).await;
    }
    let nodes = ch.nodes();
    let (me, root) = (nodes.place_of(ch.rank()), nodes.place_of(v.root));
    let tree = InOrder::binary(me, root, ch.size()).of(nodes.by_node());
    segmented(ch, tree, v.len, segment).await
}

/// Two levels: every node reduces to one of its ranks, and these to the root, each by a binomial
/// tree. ceil(log2 ranks per node) rounds within nodes, ceil(log2 nodes) between them, one vector
/// out of every node: best for short vectors on several nodes. Nodes need not hold consecutive
/// ranks, so the operator must commute.
pub async fn two_level<C: Channel>(ch: &C, v: Reduce) -> Result<()> {
    in_two_levels(ch, v, binomial, binomial).await
}

/// Two levels, copy-in-copy-out: one rank of every node adds up what all ranks of its node publish,
/// and these reduce to the root by a k-nomial tree, up to three at a time. One round within nodes,
/// ceil(log4 nodes) between them, one vector out of every node: best for short vectors on several
/// nodes whose ranks share memory. The operator must commute.
pub async fn two_level_cico<C: Channel + NodeChannel>(ch: &C, v: Reduce) -> Result<()> {
    in_two_levels(ch, v, cico, radix_4).await
}

async fn radix_4<C: Channel>(top: &SubChannel<'_, C>, v: Reduce) -> Result<()> {
    knomial(top, v, RADIX).await
}

/// Two levels, copy-in-copy-out by trees: as `two_level_cico`, but within a node the vectors are
/// added up along its caches, NUMA domains and sockets, as in `cico_tree`. No rank reads more than
/// a few vectors: best for short ones on several nodes of many cores. The operator must commute.
pub async fn two_level_cico_tree<C: Channel + NodeChannel>(
    ch: &C,
    v: Reduce,
    radix: usize,
) -> Result<()> {
    let within = async |node: &SubChannel<'_, C>, v: Reduce| cico_tree(node, v, radix).await;
    in_two_levels(ch, v, within, radix_4).await
}

/// Two levels, single copy: the ranks of every node add up a part each of all their vectors,
/// reading them in their owners' memory, one of them collects the sums, and these reduce to the
/// root by scatter and gather. Less than two vectors out of every node, and the work within it
/// divided among all: best for long vectors on several nodes whose ranks share memory. The operator
/// must commute.
pub async fn two_level_single_copy<C: Channel + NodeChannel>(ch: &C, v: Reduce) -> Result<()> {
    in_two_levels(ch, v, single_copy_gathered, scatter_gather).await
}

async fn in_two_levels<'c, C: Channel>(
    ch: &'c C,
    v: Reduce,
    within: impl AsyncFn(&SubChannel<'c, C>, Reduce) -> Result<()>,
    between: impl AsyncFn(&SubChannel<'c, C>, Reduce) -> Result<()>,
) -> Result<()> {
    let (own, levels) = (View::send(0, v.len), RootedLevels::new(ch, v.root));
    let to_leader = Reduce { root: levels.leader, ..v };
    let Some(top) = levels.top else {
        return within(&levels.node.over(own, View::EMPTY), to_leader).await;
    };
    let sum = if ch.rank() == v.root { View::recv(0, v.len) } else { ch.temp(v.len)? };
    within(&levels.node.over(own, sum), to_leader).await?;
    between(&top.over(sum, sum), Reduce { root: levels.root, ..v }).await
}

/// Several leaders: within every node, a reduce-scatter leaves each of its first ranks with the sum
/// of one part of the vector; ranks with the same part reduce it to the one on the root's node,
/// which hands it to the root. One vector out of every node, in several messages at a time: best
/// for long vectors on several nodes that one rank cannot keep busy. No more leaders than the
/// smallest node has ranks. The operator must commute. Bayatpour, Chakraborty, Subramoni, Lu, Panda
/// (2017).
pub async fn multi_leader<C: Channel>(ch: &C, v: Reduce, leaders: usize) -> Result<()> {
    let nodes = ch.nodes();
    let slices = Slices::new(&nodes, v.len, leaders, ch.rank());
    let part = ch.temp(slices.counts[slices.local_rank])?;
    let node = SubChannel::node(ch, &nodes).over(View::send(0, v.len), part);
    reduce_scatter::pairwise(&node, Partition::Starts(&slices.starts)).await?;
    let home = nodes.node_of(v.root);
    if let Some(top) = slices.counterparts(ch, &nodes) {
        binomial(&top.over(part, part), Reduce { root: home, len: part.len, ..v }).await?;
    }
    if nodes.node_of(ch.rank()) != home {
        return Ok(());
    }
    let at_root = ch.rank() == v.root;
    let recv = if at_root { slices.layout() } else { BlockLayout::NONE };
    let v = Gatherv { root: nodes.local_rank_of(v.root), send_len: part.len, recv };
    gatherv::linear(&SubChannel::node(ch, &nodes).over(part, View::recv(0, 0)), v).await
}

/// Copy-in-copy-out: every rank publishes its operand, the root adds them up where they are. One
/// round, in which the root reads all vectors: best within a node for short ones.
pub async fn cico<C: NodeChannel>(ch: &C, v: Reduce) -> Result<()> {
    let (own, result) = (View::send(0, v.len), View::recv(0, v.len));
    match (ch.rank() == v.root, v.commutative) {
        (false, _) => ch.copy_in(0, own).await,
        (true, true) => combine_with_own(ch, 0, own, result, true).await,
        (true, false) => {
            ch.copy_in(0, own).await?;
            combine_in_order(ch, 0, own, result).await
        }
    }
}

/// Copy-in-copy-out, as a tree: a rank adds what those below it publish to its own operand, and
/// publishes the sum. The ranks that share a cache are subtrees, then those that share a NUMA
/// domain, then those that share a socket, as far as is known; within each domain the tree is
/// k-nomial. Most vectors are read where they are near, and no rank reads more than a few: best for
/// short ones within a node of many cores. With operators that do not commute rank 0 is at the top.
pub async fn cico_tree<C: NodeChannel>(ch: &C, v: Reduce, radix: usize) -> Result<()> {
    let (me, own, result) = (ch.rank(), View::send(0, v.len), View::recv(0, v.len));
    if v.commutative {
        return DomainTree::of(ch, v.root, radix).add_up(ch, own, result, true).await;
    }
    let sum = if me == 0 && me != v.root { ch.temp(v.len)? } else { result };
    DomainTree::in_order(ch, radix).add_up(ch, own, sum, false).await?;
    match (me, v.root) {
        (_, 0) => Ok(()),
        (0, _) => ch.copy_in(DOWN, sum).await,
        (me, root) if me == root => ch.get(Slot { step: DOWN, by: 0 }, 0, result).await,
        _ => Ok(()),
    }
}

/// Copy-in-copy-out, in parts: every rank publishes its operand and adds up one part of all of
/// them, which the root then collects. Two rounds, and the work divided among all: best within a
/// node for middling vectors.
pub async fn cico_partitioned<C: NodeChannel>(ch: &C, v: Reduce) -> Result<()> {
    shared_parts(ch, v, ShareMode::CopyIn).await
}

/// As [`cico_partitioned`], but what is published is exposed. When the root is done, nobody looks
/// at operands any more: it may go on with its result, and others may be told to overwrite theirs.
pub(crate) async fn single_copy_gathered<C: NodeChannel>(ch: &C, v: Reduce) -> Result<()> {
    shared_parts(ch, v, ShareMode::Expose).await
}

async fn shared_parts<C: NodeChannel>(ch: &C, v: Reduce, share_mode: ShareMode) -> Result<()> {
    let (me, own) = (ch.rank(), View::send(0, v.len));
    let parts = Partition::Even { len: v.len, parts: ch.size() };
    share_mode.publish(ch, 0, own).await?;
    let result = View::recv(0, v.len);
    let sum = if me == v.root { parts.block(result, me) } else { ch.temp(parts.len(me))? };
    let mine = parts.block(own, me);
    match share_mode {
        ShareMode::CopyIn => sum_part(ch, mine, sum, v.commutative).await?,
        ShareMode::Expose => sum_into(ch, mine, sum, v.commutative).await?,
    }
    if me != v.root {
        return share_mode.publish(ch, 1, sum).await;
    }
    for by in others(ch) {
        ch.get(Slot { step: 1, by }, 0, parts.block(result, by)).await?;
    }
    Ok(())
}

/// Copy-in-copy-out, in chunks: as `cico_partitioned`, but one chunk of the vector at a time, while
/// every rank publishes the next. Nothing leaves the cache between the copies: best within a node
/// for long vectors that more ranks have than there are cores.
pub async fn cico_pipelined<C: NodeChannel>(ch: &C, v: Reduce) -> Result<()> {
    let result = (ch.rank() == v.root).then(|| View::recv(0, v.len));
    pipeline::add_up(ch, View::send(0, v.len), result, v.commutative).await
}

/// Copy-in-copy-out, in chains: the ranks of each core, as far as is known, pass a sum along that
/// grows chunk by chunk, and the root, the last of its chain, adds up what the chains have come to.
/// A rank reads its operand once and nobody else does; what it publishes is read where it is in the
/// cache: best within a node for long vectors that more ranks have than there are cores. Where each
/// has a core, chains are pairs, and the root reads half of the vectors: best for short ones. The
/// operator must commute.
pub async fn cico_chains<C: NodeChannel>(ch: &C, v: Reduce) -> Result<()> {
    let result = (ch.rank() == v.root).then(|| View::recv(0, v.len));
    chains::add_up(ch, Some(v.root), View::send(0, v.len), result).await
}

/// Single copy: the root adds up the operands of the others straight out of their memory. One round
/// and no copy: best within a node for two ranks and middling vectors.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Reduce) -> Result<()> {
    let own = View::send(0, v.len);
    if ch.rank() != v.root {
        return ch.expose(0, own).await;
    }
    sum_into(ch, own, View::recv(0, v.len), v.commutative).await
}

/// Single copy, in parts: every rank adds up one part of the vector, reading the others' operands
/// in their own memory, and puts it into the root's, chunk by chunk; the root's own part is the
/// first, and longer. No copy before the sum, nothing leaves the cache in between, and nobody waits
/// for another's sum: best within a node for long vectors.
pub async fn single_copy_partitioned<C: NodeChannel>(ch: &C, v: Reduce) -> Result<()> {
    let (own, result, p) = (View::send(0, v.len), View::recv(0, v.len), ch.size());
    let roots = root_part(v.len, p);
    let exposed = PutTarget { slot: Slot { step: 1, by: v.root }, len: v.len - roots };
    ch.expose(0, own).await?;
    let mine = if ch.rank() == v.root {
        ch.expose_for_put(1, result.part(roots, exposed.len)).await?;
        own.part(0, roots)
    } else {
        let parts = Partition::Even { len: exposed.len, parts: p - 1 };
        parts.block(own.part(roots, exposed.len), (ch.rank() + p - v.root) % p - 1)
    };
    if mine.len == 0 {
        // Nothing to add up, but lengths that differ are noticed.
        return ch.await_all(0).await;
    }
    if ch.rank() == v.root {
        return sum_into(ch, mine, result.part(0, roots), v.commutative).await;
    }
    let put = async |sum, start| ch.put(sum, exposed, start - roots).await;
    sum_in_chunks(ch, mine, v.commutative, put).await
}

/// What it takes to add up as many elements of an operand as are read in the time of
/// [`PUT_COST`], measured on two ranks with a core each.
const SUM_COST: usize = 5;
/// What it takes to put a sum of so many elements into the root's memory, which the root is spared.
const PUT_COST: usize = 3;

/// The length of the part that the root of `p` ranks adds up: it takes as long as the others'.
fn root_part(len: usize, p: usize) -> usize {
    if p == 1 {
        return len;
    }
    let others = (p - 1) * SUM_COST;
    let root = others + PUT_COST;
    // No product of a length, which may be as long as memory is.
    len / (root + (p - 1) * others) * root
}
