//! Bcast: the root's vector reaches every rank.
//!
//! The data is `View::recv(0, len)` everywhere. Ranks may describe the same data by different
//! counts and datatypes, yet must cut it at the same places: an executor therefore counts a bcast
//! in a unit all ranks share, the packed byte.

use crate::allgatherv::{self, Allgatherv};
use crate::domain_tree::{DOWN_RADIX, DomainTree};
use crate::levels::{LEADERS, RootedLevels, Slices};
use crate::node_channel::{PAIR_CICO_BYTES, ShareMode, others};
use crate::partition::Partition;
use crate::pipeline;
use crate::scatterv::{self, Scatterv};
use crate::select::{
    AlgorithmSet, CICO_BYTES_MAX, CallTraits, FEW, ONE, Range, Rule, WIDEST, check,
};
use crate::tree::{Binomial, Knomial, RADIX, doublings};
use crate::{BlockLayout, Channel, NodeChannel, PutTarget, Slot, SubChannel, View};
use dunlin_base::Result;

/// Arguments of a bcast; the same at every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bcast {
    /// The rank that has the data.
    pub root: usize,
    /// Number of elements, in a unit all ranks share.
    pub len: usize,
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
    /// See [`scatter_allgather`].
    ScatterAllgather,
    /// See [`scatter_doubling`].
    ScatterDoubling,
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
    /// See [`two_level_cico_pipelined`].
    TwoLevelCicoPipelined,
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
    /// See [`cico_pipelined`].
    CicoPipelined,
    /// See [`single_copy`].
    SingleCopy,
    /// See [`single_copy_put`].
    SingleCopyPut,
    /// See [`single_copy_knomial`].
    SingleCopyKnomial {
        /// What the tree branches by, at least 2.
        radix: usize,
    },
}

/// Large enough that a message's cost is mostly bandwidth, small enough to fill a chain soon.
const SEGMENT_BYTES: usize = 64 << 10;

/// Up to here data goes in chunks through shared memory where many ranks of a node take it. Longer
/// vectors have so many huge pages that their readers seldom meet: simulated, 16 MiB by 16 ranks
/// take 2.4 ms and exposed 3.2, 64 MiB 9.5 and 5.7.
const CHUNKED_BYTES_MAX: usize = 16 << 20;
const IN_SEGMENTS: Algorithm = Algorithm::PipelinedChain { segment: SEGMENT_BYTES };
/// Vectors on several nodes: short ones, and those that fit into no slot of shared memory.
const SHORT: Range = Range::up_to(1 << 10);
const LONG: Range = Range::from(CICO_BYTES_MAX + 1);
const LONG_TO_512K: Range = Range { min: LONG.min, max: 512 << 10 };
const LONG_TO_1M: Range = Range { min: LONG.min, max: 1 << 20 };
const CHUNKED: Range = Range { min: (32 << 10) + 1, max: CHUNKED_BYTES_MAX };

/// Beyond this a message between two ranks, which both of them copy, is fastest.
const PAIR_BYTES: usize = 16 << 10;

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "bcast";
    const ALL: &'static [Self] = &[
        Algorithm::Binomial,
        Algorithm::Knomial { radix: RADIX },
        Algorithm::ScatterAllgather,
        Algorithm::ScatterDoubling,
        IN_SEGMENTS,
        Algorithm::TwoLevel,
        Algorithm::TwoLevelCico,
        Algorithm::TwoLevelCicoTree { radix: DOWN_RADIX },
        Algorithm::TwoLevelCicoPipelined,
        Algorithm::TwoLevelSingleCopy,
        Algorithm::MultiLeader { leaders: LEADERS },
        Algorithm::Cico,
        Algorithm::CicoTree { radix: DOWN_RADIX },
        Algorithm::CicoPipelined,
        Algorithm::SingleCopy,
        Algorithm::SingleCopyPut,
        Algorithm::SingleCopyKnomial { radix: RADIX },
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::on_own_cores(WIDEST, SHORT, Algorithm::CicoTree { radix: DOWN_RADIX }),
        Rule::across_nodes(WIDEST, SHORT, Algorithm::TwoLevelCicoTree { radix: DOWN_RADIX }),
        Rule::pair_without_single_copy(Algorithm::Cico),
        Rule::pair_with_slow_copies(8 << 20, Algorithm::CicoPipelined),
        Rule::pair_above(PAIR_BYTES, Algorithm::Binomial),
        Rule::pair_above(PAIR_CICO_BYTES, Algorithm::SingleCopy),
        // Some ranks copy the first chunk while the root publishes the second: 16, 32 and 64 KiB by
        // 4 ranks on 2 cores take 4.9, 7.3 and 11.8 us, whole 6.2, 8.9 and 14.7. Of 8 ranks most
        // wait for their turn anyhow.
        Rule::oversubscribed(4, 8 << 10, Algorithm::Cico),
        Rule::oversubscribed(4, usize::MAX, Algorithm::CicoPipelined),
        Rule::oversubscribed(usize::MAX, 32 << 10, Algorithm::Cico),
        Rule::oversubscribed(usize::MAX, usize::MAX, Algorithm::CicoPipelined),
        // Out of the root's own memory all others together would copy no faster than one alone:
        // they take turns at the kernel's counter of who uses its pages, one for each huge page.
        // 256 KiB and 1 MiB by 16 ranks take 51 and 193 us, exposed 458 and 1,760; 1 MiB by 4 ranks
        // 144 and 420. 64 KiB take 14.5 us, in one piece 18.
        Rule::on_own_cores(Range::from(3), CHUNKED, Algorithm::CicoPipelined),
        Rule::otherwise(Algorithm::Cico),
        Rule::otherwise(Algorithm::SingleCopyPut),
        Rule::otherwise(Algorithm::CicoPipelined),
        Rule::across_nodes(ONE, Range::up_to(64 << 10), Algorithm::Knomial { radix: RADIX }),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelCico),
        // The segments soon fill a chain of few ranks. A ring has as many rounds as ranks:
        // simulated, 1 MiB by 64 nodes of a rank take 0.2 to 1.2 ms so, by doubling 0.2 to 0.6.
        Rule::across_up_to(12, Range::up_to(2), LONG, IN_SEGMENTS),
        Rule::across_nodes(Range::up_to(2), LONG_TO_1M, Algorithm::ScatterDoubling),
        Rule::across_nodes(FEW, LONG_TO_512K, Algorithm::MultiLeader { leaders: LEADERS }),
        // Where only two ranks share a node, one copies out of the other's memory, undisturbed.
        Rule::on_nodes_shared_by_few(2, usize::MAX, Algorithm::TwoLevelSingleCopy),
        Rule::on_shared_nodes(CHUNKED_BYTES_MAX, Algorithm::TwoLevelCicoPipelined),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelSingleCopy),
        // Where many ranks of a node do not share memory yet, a ring crosses between nodes once: 1
        // MiB by 2 nodes of 32 take 0.1 to 0.2 ms, by doubling 0.4 to 0.9, simulated.
        Rule::on_nodes_from(8, 64 << 10, Algorithm::Knomial { radix: RADIX }),
        Rule::on_nodes_from(32, 128 << 10, Algorithm::Knomial { radix: RADIX }),
        Rule::up_to_bytes(12 << 10, Algorithm::Binomial),
        Rule::up_to_ranks(7, IN_SEGMENTS),
        Rule::otherwise(Algorithm::ScatterAllgather),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Binomial => "binomial",
            Algorithm::Knomial { .. } => "knomial",
            Algorithm::ScatterAllgather => "scatter_allgather",
            Algorithm::ScatterDoubling => "scatter_doubling",
            Algorithm::PipelinedChain { .. } => "pipelined_chain",
            Algorithm::TwoLevel => "two_level",
            Algorithm::TwoLevelCico => "two_level_cico",
            Algorithm::TwoLevelCicoTree { .. } => "two_level_cico_tree",
            Algorithm::TwoLevelCicoPipelined => "two_level_cico_pipelined",
            Algorithm::TwoLevelSingleCopy => "two_level_single_copy",
            Algorithm::MultiLeader { .. } => "multi_leader",
            Algorithm::Cico => "cico",
            Algorithm::CicoTree { .. } => "cico_tree",
            Algorithm::CicoPipelined => "cico_pipelined",
            Algorithm::SingleCopy => "single_copy",
            Algorithm::SingleCopyPut => "single_copy_put",
            Algorithm::SingleCopyKnomial { .. } => "single_copy_knomial",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::ScatterDoubling => shape.ranks.is_power_of_two(),
            Algorithm::TwoLevelCico | Algorithm::TwoLevelCicoTree { .. } => shape.cico,
            Algorithm::TwoLevelCicoPipelined => shape.chunks,
            Algorithm::TwoLevelSingleCopy => shape.single_copy,
            Algorithm::Cico | Algorithm::CicoTree { .. } => shape.all_cico(),
            Algorithm::CicoPipelined => shape.all_pipelined(),
            Algorithm::SingleCopy
            | Algorithm::SingleCopyPut
            | Algorithm::SingleCopyKnomial { .. } => shape.all_single_copy(),
            _ => true,
        }
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::Knomial { radix }
            | Algorithm::TwoLevelCicoTree { radix }
            | Algorithm::CicoTree { radix }
            | Algorithm::SingleCopyKnomial { radix } => Some(("radix", radix)),
            Algorithm::PipelinedChain { segment } => Some(("segment", segment)),
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
            Algorithm::SingleCopyKnomial { .. } => {
                Algorithm::SingleCopyKnomial { radix: value.max(2) }
            }
            Algorithm::PipelinedChain { .. } => Algorithm::PipelinedChain { segment: value },
            Algorithm::MultiLeader { .. } => Algorithm::MultiLeader { leaders: value },
            other => other,
        }
    }
}

/// Runs a bcast by algorithm `how`.
pub async fn bcast<C: Channel + NodeChannel>(ch: &C, v: Bcast, how: Algorithm) -> Result<()> {
    check(how, &CallTraits::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Binomial => binomial(ch, v).await,
        Algorithm::Knomial { radix } => knomial(ch, v, radix).await,
        Algorithm::ScatterAllgather => scatter_allgather(ch, v).await,
        Algorithm::ScatterDoubling => scatter_doubling(ch, v).await,
        Algorithm::PipelinedChain { segment } => pipelined_chain(ch, v, segment).await,
        Algorithm::TwoLevel => two_level(ch, v).await,
        Algorithm::TwoLevelCico => two_level_cico(ch, v).await,
        Algorithm::TwoLevelCicoTree { radix } => two_level_cico_tree(ch, v, radix).await,
        Algorithm::TwoLevelCicoPipelined => two_level_cico_pipelined(ch, v).await,
        Algorithm::TwoLevelSingleCopy => two_level_single_copy(ch, v).await,
        Algorithm::MultiLeader { leaders } => multi_leader(ch, v, leaders).await,
        Algorithm::Cico => cico(ch, v).await,
        Algorithm::CicoTree { radix } => cico_tree(ch, v, radix).await,
        Algorithm::CicoPipelined => cico_pipelined(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
        Algorithm::SingleCopyPut => single_copy_put(ch, v).await,
        Algorithm::SingleCopyKnomial { radix } => single_copy_knomial(ch, v, radix).await,
    }
}

/// Binomial tree: a rank that has the data hands it to the rank half the remaining distance away,
/// so the number of ranks that have it doubles in every round. ceil(log2 p) rounds, each moving the
/// whole vector; best for short vectors. Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn binomial<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    knomial(ch, v, 2).await
}

/// K-nomial tree: a rank that has the data hands it to k - 1 ranks, at equal distances over
/// the ranks it is to reach, so the number of ranks that have it grows k times in every round.
/// ceil(log_k p) rounds, each moving the whole vector up to k - 1 times: best for short vectors
/// where a rank can send several messages in the time that one takes to arrive.
pub async fn knomial<C: Channel>(ch: &C, v: Bcast, radix: usize) -> Result<()> {
    let tree = Knomial::with_radix(ch.rank(), v.root, ch.size(), radix);
    tree.hand_down(ch, View::recv(0, v.len)).await
}

/// Hands every rank its block of the vector, by a binomial tree: relative rank i gets block i.
async fn scatter<C: Channel>(
    ch: &C,
    tree: Binomial,
    parts: Partition<'_>,
    data: View,
) -> Result<()> {
    if let Some(parent) = tree.parent() {
        ch.recv(parent, parts.run(data, tree.me, tree.subtree(tree.me))).await?;
    }
    for child in tree.children().rev() {
        let chunks = parts.run(data, child, tree.subtree(child));
        ch.send(tree.rank_of(child), chunks).await?;
    }
    Ok(())
}

/// Scatter and allgather: a binomial tree gives every rank one chunk of the vector, then the chunks
/// travel round a ring until every rank has all of them.
/// ceil(log2 p) + p - 1 rounds; a rank moves about twice the vector however many ranks there are:
/// best for long vectors. van de Geijn; Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn scatter_allgather<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let data = View::recv(0, v.len);
    let parts = Partition::Even { len: v.len, parts: tree.size };
    scatter(ch, tree, parts, data).await?;
    let (right, left) = (tree.rank_of(tree.me + 1), tree.rank_of(tree.me + tree.size - 1));
    for step in 0..tree.size - 1 {
        let mine = parts.block(data, (tree.me + tree.size - step) % tree.size);
        let theirs = parts.block(data, (tree.me + tree.size - step - 1) % tree.size);
        ch.exchange(right, mine, left, theirs).await?;
    }
    Ok(())
}

/// Scatter and doubling: a binomial tree gives every rank one chunk of the vector, then ranks 1, 2,
/// 4, ... apart swap all the chunks they have.
/// 2 log2 p rounds; a rank moves about twice the vector: best for middling vectors. Only for a
/// power of two of ranks. Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn scatter_doubling<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let data = View::recv(0, v.len);
    let parts = Partition::Even { len: v.len, parts: tree.size };
    scatter(ch, tree, parts, data).await?;
    for have in doublings(tree.size) {
        let (mine, theirs) = (tree.me & !(have - 1), (tree.me ^ have) & !(have - 1));
        let peer = tree.rank_of(tree.me ^ have);
        ch.exchange(peer, parts.run(data, mine, have), peer, parts.run(data, theirs, have)).await?;
    }
    Ok(())
}

/// Pipelined chain: the vector travels from rank to rank in segments, and a rank forwards one
/// segment while the next arrives.
/// p - 2 + len/segment rounds of one segment; every rank but the ends moves the vector in and out
/// once: best for long vectors on few ranks. Pjesivac-Grbovic et al. (2007), section 3.
pub async fn pipelined_chain<C: Channel>(ch: &C, v: Bcast, segment: usize) -> Result<()> {
    let chain = Binomial::new(ch.rank(), v.root, ch.size());
    let from = (chain.me > 0).then(|| chain.rank_of(chain.me - 1));
    let to = (chain.me + 1 < chain.size).then(|| chain.rank_of(chain.me + 1));
    let chunk = |k: usize| View::recv(k * segment, segment.min(v.len - k * segment));
    let chunks = v.len.div_ceil(segment);
    let receive = |k: usize| match from {
        Some(from) if k < chunks => ch.irecv(from, chunk(k)).map(Some),
        _ => Ok(None),
    };
    let mut incoming = receive(0)?;
    let mut outgoing = None;
    for k in 0..chunks {
        let next = receive(k + 1)?;
        if let Some(arriving) = std::mem::replace(&mut incoming, next) {
            ch.wait(arriving).await?;
        }
        let Some(to) = to else { continue };
        let sending = ch.isend(to, chunk(k))?;
        if let Some(earlier) = outgoing.replace(sending) {
            ch.wait(earlier).await?;
        }
    }
    ch.wait_all(outgoing).await
}

/// Two levels: the root hands the vector to one rank of every node, and that rank to the others of
/// its node, each by a binomial tree. ceil(log2 nodes) rounds between nodes and no link between
/// nodes used twice, then ceil(log2 ranks per node) rounds within them: best for short vectors on
/// several nodes.
pub async fn two_level<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    in_two_levels(ch, v, binomial, binomial).await
}

/// Two levels, copy-in-copy-out: the root hands the vector to one rank of every node by a k-nomial
/// tree, up to three at a time, and that rank publishes it to its node. ceil(log4 nodes) rounds
/// between nodes and one within them: best for short vectors on several nodes whose ranks share
/// memory.
pub async fn two_level_cico<C: Channel + NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    in_two_levels(ch, v, radix_4, cico).await
}

async fn radix_4<C: Channel>(top: &SubChannel<'_, C>, v: Bcast) -> Result<()> {
    knomial(top, v, RADIX).await
}

/// Two levels, copy-in-copy-out by trees: as `two_level_cico`, but within a node the vector
/// descends a tree along its caches, NUMA domains and sockets, as in `cico_tree`. Few ranks read
/// from one: best for short vectors on several nodes of many cores whose ranks share memory.
pub async fn two_level_cico_tree<C: Channel + NodeChannel>(
    ch: &C,
    v: Bcast,
    radix: usize,
) -> Result<()> {
    let within = async |node: &SubChannel<'_, C>, v: Bcast| cico_tree(node, v, radix).await;
    in_two_levels(ch, v, radix_4, within).await
}

/// Two levels, copy-in-copy-out in chunks: one rank of every node gets the vector by scatter and
/// allgather, and publishes it chunk by chunk. Two vectors into and out of every node at most: best
/// for long vectors on several nodes of several ranks.
pub async fn two_level_cico_pipelined<C: Channel + NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    in_two_levels(ch, v, scatter_allgather, cico_pipelined).await
}

/// Two levels, single copy: one rank of every node gets the vector by scatter and allgather, and
/// puts a part of it into the memory of all others of its node, while they copy the rest. Two
/// vectors into and out of every node at most, and one copy within it: best for long vectors on
/// several nodes whose ranks share memory.
pub async fn two_level_single_copy<C: Channel + NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    in_two_levels(ch, v, scatter_allgather, single_copy_put).await
}

async fn in_two_levels<'c, C: Channel>(
    ch: &'c C,
    v: Bcast,
    between: impl AsyncFn(&SubChannel<'c, C>, Bcast) -> Result<()>,
    within: impl AsyncFn(&SubChannel<'c, C>, Bcast) -> Result<()>,
) -> Result<()> {
    let (data, levels) = (View::recv(0, v.len), RootedLevels::new(ch, v.root));
    if let Some(top) = levels.top {
        between(&top.over(data, data), Bcast { root: levels.root, ..v }).await?;
    }
    within(&levels.node.over(data, data), Bcast { root: levels.leader, ..v }).await
}

/// Several leaders: the root's node divides the vector among its first ranks, each of which hands
/// its part to its counterparts on all other nodes by a binomial tree; within every node the parts
/// are then brought together. Every link into a node carries the vector once, in several messages
/// at a time: best for long vectors on several nodes that one rank cannot keep busy. No more
/// leaders than the smallest node has ranks. Kandalla, Subramoni, Santhanaraman, Koop, Panda
/// (2009).
pub async fn multi_leader<C: Channel>(ch: &C, v: Bcast, leaders: usize) -> Result<()> {
    let (nodes, data) = (ch.nodes(), View::recv(0, v.len));
    let slices = Slices::new(&nodes, v.len, leaders, ch.rank());
    let node = SubChannel::node(ch, &nodes);
    let mine = data.part(slices.starts[slices.local_rank], slices.counts[slices.local_rank]);
    if nodes.node_of(ch.rank()) == nodes.node_of(v.root) {
        let root = nodes.local_rank_of(v.root);
        let send = if slices.local_rank == root { slices.layout() } else { BlockLayout::NONE };
        let v = Scatterv { root, send, recv_len: mine.len };
        scatterv::linear(&node.over(data, mine), v).await?;
    }
    if let Some(top) = slices.counterparts(ch, &nodes) {
        let v = Bcast { root: nodes.node_of(v.root), len: mine.len };
        binomial(&top.over(mine, mine), v).await?;
    }
    let v = Allgatherv { send_len: mine.len, recv: slices.layout() };
    allgatherv::ring(&SubChannel::node(ch, &nodes).over(mine, data), v).await
}

/// Copy-in-copy-out: the root publishes its vector, all others copy it. Two copies and no message:
/// best within a node for vectors that fit into a slot of shared memory.
pub async fn cico<C: NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    published(ch, v, ShareMode::CopyIn).await
}

/// Copy-in-copy-out, as a tree: a rank copies what the rank above it publishes, and publishes it to
/// those below. The ranks that share a cache are subtrees, then those that share a NUMA domain,
/// then those that share a socket, as far as is known; within each domain the tree is k-nomial. Few
/// ranks wait for the same line, most of them near: best for short vectors within a node of many
/// cores.
pub async fn cico_tree<C: NodeChannel>(ch: &C, v: Bcast, radix: usize) -> Result<()> {
    DomainTree::of(ch, v.root, radix).hand_down(ch, 0, View::recv(0, v.len)).await
}

/// Copy-in-copy-out, in chunks: the root publishes one chunk of its vector while all others copy
/// those before. What is copied lies in the cache: best within a node for long vectors.
pub async fn cico_pipelined<C: NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    pipeline::hand_out(ch, v.root, View::recv(0, v.len)).await
}

/// Single copy: all others copy straight out of the root's memory, at the same time. One copy: best
/// within a node for middling vectors.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    published(ch, v, ShareMode::Expose).await
}

pub(crate) async fn published<C: NodeChannel>(
    ch: &C,
    v: Bcast,
    share_mode: ShareMode,
) -> Result<()> {
    let data = View::recv(0, v.len);
    if ch.rank() == v.root {
        return share_mode.publish(ch, 0, data).await;
    }
    ch.get_whole(Slot { step: 0, by: v.root }, data).await
}

/// What a rank that has it from other nodes hands to those of its own: in chunks, or to one alone
/// by single copy. Of several that copied out of its memory, only one at a time would (see
/// [`Algorithm::TABLE`]).
pub(crate) async fn within_node<C: NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    match ch.size() > 2 {
        true => pipeline::hand_out_slices(ch, v.root, View::recv(0, v.len)).await,
        false => single_copy(ch, v).await,
    }
}

/// Single copy, by put: the root puts one part of the vector into everybody's memory, while all
/// others copy the rest out of its own. One copy, divided evenly: best within a node for long
/// vectors.
pub async fn single_copy_put<C: NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    let data = View::recv(0, v.len);
    let given = v.len / ch.size();
    if ch.rank() != v.root {
        let from = Slot { step: 0, by: v.root };
        ch.expose_for_put(0, data.part(0, given)).await?;
        return ch.get(from, given, data.part(given, v.len - given)).await;
    }
    ch.expose(0, data).await?;
    for by in others(ch) {
        let exposed = PutTarget { slot: Slot { step: 0, by }, len: given };
        ch.put(data.part(0, given), exposed, 0).await?;
    }
    Ok(())
}

/// Single copy, k-nomial tree: every rank copies the vector out of its parent's memory, then its
/// children out of its own. ceil(log_k p) rounds of up to k - 1 copies; few ranks read from one
/// process, whose pages the kernel locks for one reader at a time: best within a node for long
/// vectors and many ranks. Chakraborty, Subramoni, Panda (2017).
pub async fn single_copy_knomial<C: NodeChannel>(ch: &C, v: Bcast, radix: usize) -> Result<()> {
    let data = View::recv(0, v.len);
    let tree = Knomial::with_radix(ch.rank(), v.root, ch.size(), radix);
    if let Some(parent) = tree.parent() {
        ch.get_whole(Slot { step: 0, by: parent }, data).await?;
    }
    if tree.children().next().is_some() {
        ch.expose(0, data).await?;
    }
    Ok(())
}
