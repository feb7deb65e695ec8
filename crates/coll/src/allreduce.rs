//! Allreduce: the operator's result over all ranks' vectors, at every rank.
//!
//! Operand in `View::send(0, len)`, result in `View::recv(0, len)`; in place, both are one.

use crate::allgatherv::{self, Allgatherv, single_copy_data};
use crate::bcast::{self, Bcast};
use crate::chains;
use crate::domain_parts;
use crate::domain_tree::{DomainTree, UP_RADIX, hand_down_after_up};
use crate::fold::{Core, FoldGroup};
use crate::levels::{LEADERS, Slices};
use crate::node_channel::{
    chunks, combine_in_order, combine_with_own, others, sum_in_chunks, sum_into, sum_part,
};
use crate::partition::Partition;
use crate::pipeline;
use crate::reduce::{self, Reduce, SHORT};
use crate::reduce_scatter;
use crate::segments::pass_and_add;
use crate::select::{AlgorithmSet, CICO_BYTES_MAX, CallTraits, FEW, IN_A_SLOT, MANY, ONE, Range};
use crate::select::{Rule, WIDE_RANKS_MIN, check};
use crate::tree::{RADIX, doublings};
use crate::{Channel, NodeChannel, PutTarget, STEPS, Slot, SubChannel, View};
use dunlin_base::Result;

/// Arguments of an allreduce; the same at every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allreduce {
    /// Number of elements.
    pub len: usize,
    /// Whether the operator commutes; if not, operands are combined in the order of ranks.
    pub commutative: bool,
    /// Whether the call gave `MPI_IN_PLACE`.
    pub in_place: bool,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`recursive_doubling`].
    RecursiveDoubling,
    /// See [`recursive_multiplying`].
    RecursiveMultiplying {
        /// Ranks that swap in a round, at most; at least 2.
        radix: usize,
    },
    /// See [`reduce_bcast`].
    ReduceBcast,
    /// See [`ring`].
    Ring,
    /// See [`segmented_ring`].
    SegmentedRing {
        /// Elements per message, at least 1.
        segment: usize,
    },
    /// See [`rabenseifner`].
    Rabenseifner,
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
    /// See [`multi_leader_single_copy`].
    MultiLeaderSingleCopy {
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
    /// See [`cico_levels`].
    CicoLevels,
    /// See [`cico_pipelined`].
    CicoPipelined,
    /// See [`cico_chains`].
    CicoChains,
    /// See [`single_copy`].
    SingleCopy,
    /// See [`single_copy_partitioned`].
    SingleCopyPartitioned,
}

/// Beyond this a vector that every rank adds up as a whole is worth dividing; two ranks, which have
/// as many halves to publish as to read, rather read each other's memory: 4 KiB take 1.15 us
/// instead of 1.45 in parts.
const COPIED_BYTES: usize = 2 << 10;

/// With elements of 8 bytes, as much as adds up while staying in a core's own cache.
const SEGMENT: usize = 8 << 10;

/// Up to here each of two ranks adds up the whole vector sooner than it would give the other half.
const PAIR_WHOLE_BYTES: usize = 32 << 10;

/// Where operands are exposed, leaders share the work of adding them up: as many as a node may
/// have.
const SUMMING: Algorithm = Algorithm::MultiLeaderSingleCopy { leaders: 64 };
const MULTIPLYING: Algorithm = Algorithm::RecursiveMultiplying { radix: RADIX };

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "allreduce";
    const ALL: &'static [Self] = &[
        Algorithm::RecursiveDoubling,
        MULTIPLYING,
        Algorithm::ReduceBcast,
        Algorithm::Ring,
        Algorithm::SegmentedRing { segment: SEGMENT },
        Algorithm::Rabenseifner,
        Algorithm::TwoLevel,
        Algorithm::TwoLevelCico,
        Algorithm::TwoLevelCicoTree { radix: UP_RADIX },
        Algorithm::TwoLevelSingleCopy,
        Algorithm::MultiLeader { leaders: LEADERS },
        SUMMING,
        Algorithm::Cico,
        Algorithm::CicoTree { radix: UP_RADIX },
        Algorithm::CicoPartitioned,
        Algorithm::CicoLevels,
        Algorithm::CicoPipelined,
        Algorithm::CicoChains,
        Algorithm::SingleCopy,
        Algorithm::SingleCopyPartitioned,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::on_wide_node(4 << 10, Algorithm::CicoTree { radix: UP_RADIX }),
        Rule::on_wide_node(CICO_BYTES_MAX, Algorithm::CicoLevels),
        Rule::on_wide_node(256 << 10, Algorithm::Rabenseifner),
        // With operators that do not commute.
        Rule::on_wide_node(CICO_BYTES_MAX, Algorithm::RecursiveDoubling),
        Rule::across_nodes(MANY, IN_A_SLOT, Algorithm::TwoLevelCicoTree { radix: UP_RADIX }),
        Rule::pair_without_single_copy(Algorithm::Cico),
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::CicoPipelined),
        Rule::few_with_slow_copies(4, usize::MAX, Algorithm::CicoPipelined),
        Rule::pair_above(PAIR_WHOLE_BYTES, Algorithm::SingleCopyPartitioned),
        Rule::pair_above(COPIED_BYTES, Algorithm::SingleCopy),
        // All add up everything, but wait once: 8 KiB by 8 ranks on 2 cores 20 us, in parts 25.
        Rule::oversubscribed(8, 10 << 10, Algorithm::Cico),
        Rule::up_to_bytes(COPIED_BYTES, Algorithm::Cico),
        Rule::otherwise(Algorithm::CicoPartitioned),
        // Each operand is read once: 1 MiB by 8 ranks on 2 cores takes 750 us, exposed 850.
        Rule::oversubscribed(usize::MAX, usize::MAX, Algorithm::CicoChains),
        // 128 KiB by 8 and 16 ranks take 49 and 56 us, exposed 52 and 77; 1 MiB 560 and 920.
        Rule::on_own_cores(Range::from(8), Range::up_to(128 << 10), Algorithm::CicoPipelined),
        Rule::otherwise(Algorithm::SingleCopyPartitioned),
        Rule::otherwise(Algorithm::CicoPipelined),
        Rule::across_nodes(FEW, SHORT, Algorithm::TwoLevelCicoTree { radix: UP_RADIX }),
        Rule::across_nodes(Range::up_to(8), SHORT, MULTIPLYING),
        Rule::across_nodes(FEW, IN_A_SLOT, Algorithm::MultiLeader { leaders: LEADERS }),
        Rule::across_nodes(ONE, Range::up_to(128 << 10), Algorithm::RecursiveDoubling),
        Rule::across_at_least(3, ONE, Range::up_to(4 << 20), Algorithm::Rabenseifner),
        Rule::across_nodes(Range::from(2), Range::ALL, SUMMING),
        // By 4 ranks on each of two nodes 64 KiB take 114 us, exposed 171; 256 KiB 474 and 960.
        Rule::on_nodes_shared_by_few(8, CICO_BYTES_MAX, Algorithm::TwoLevelCico),
        Rule::on_nodes_shared_by_few(8, usize::MAX, SUMMING),
        Rule::on_shared_nodes(reduce::ROOT_BYTES, Algorithm::TwoLevelCico),
        Rule::on_shared_nodes(512 << 10, Algorithm::TwoLevelSingleCopy),
        Rule::on_shared_nodes(usize::MAX, SUMMING),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelCico),
        Rule::up_to_bytes(2 << 10, Algorithm::RecursiveDoubling),
        // Two exchanges of halves are no cheaper than one of the whole: 16 and 256 KiB over a
        // network take 11 and 108 us, in halves 19 and 133, and 1 MiB 523 instead of 468.
        Rule::pair_up_to(512 << 10, Algorithm::RecursiveDoubling),
        Rule::up_to_bytes(512 << 10, Algorithm::Rabenseifner),
        Rule::otherwise(Algorithm::Ring),
        Rule::otherwise(Algorithm::RecursiveDoubling),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::RecursiveDoubling => "recursive_doubling",
            Algorithm::RecursiveMultiplying { .. } => "recursive_multiplying",
            Algorithm::ReduceBcast => "reduce_bcast",
            Algorithm::Ring => "ring",
            Algorithm::SegmentedRing { .. } => "segmented_ring",
            Algorithm::Rabenseifner => "rabenseifner",
            Algorithm::TwoLevel => "two_level",
            Algorithm::TwoLevelCico => "two_level_cico",
            Algorithm::TwoLevelCicoTree { .. } => "two_level_cico_tree",
            Algorithm::TwoLevelSingleCopy => "two_level_single_copy",
            Algorithm::MultiLeader { .. } => "multi_leader",
            Algorithm::MultiLeaderSingleCopy { .. } => "multi_leader_single_copy",
            Algorithm::Cico => "cico",
            Algorithm::CicoTree { .. } => "cico_tree",
            Algorithm::CicoPartitioned => "cico_partitioned",
            Algorithm::CicoLevels => "cico_levels",
            Algorithm::CicoPipelined => "cico_pipelined",
            Algorithm::CicoChains => "cico_chains",
            Algorithm::SingleCopy => "single_copy",
            Algorithm::SingleCopyPartitioned => "single_copy_partitioned",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::RecursiveDoubling
            | Algorithm::RecursiveMultiplying { .. }
            | Algorithm::ReduceBcast => true,
            Algorithm::TwoLevelCico | Algorithm::TwoLevelCicoTree { .. } => {
                shape.cico && shape.commutative
            }
            Algorithm::TwoLevelSingleCopy => shape.single_copy && shape.chunks && shape.commutative,
            Algorithm::MultiLeaderSingleCopy { .. } => shape.single_copy && shape.commutative,
            Algorithm::Cico | Algorithm::CicoTree { .. } | Algorithm::CicoPartitioned => {
                shape.all_cico()
            }
            Algorithm::CicoLevels => shape.all_cico() && shape.commutative,
            Algorithm::CicoPipelined => shape.all_pipelined(),
            Algorithm::CicoChains => shape.all_pipelined() && shape.commutative,
            Algorithm::SingleCopy | Algorithm::SingleCopyPartitioned => shape.all_single_copy(),
            _ => shape.commutative,
        }
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::RecursiveMultiplying { radix }
            | Algorithm::TwoLevelCicoTree { radix }
            | Algorithm::CicoTree { radix } => Some(("radix", radix)),
            Algorithm::SegmentedRing { segment } => Some(("segment", segment)),
            Algorithm::MultiLeader { leaders } | Algorithm::MultiLeaderSingleCopy { leaders } => {
                Some(("leaders", leaders))
            }
            _ => None,
        }
    }

    fn with_parameter(self, value: usize) -> Self {
        match self {
            Self::RecursiveMultiplying { .. } => Self::RecursiveMultiplying { radix: value.max(2) },
            Self::TwoLevelCicoTree { .. } => Self::TwoLevelCicoTree { radix: value.max(2) },
            Self::CicoTree { .. } => Self::CicoTree { radix: value.max(2) },
            Self::SegmentedRing { .. } => Self::SegmentedRing { segment: value },
            Self::MultiLeader { .. } => Self::MultiLeader { leaders: value },
            Self::MultiLeaderSingleCopy { .. } => Self::MultiLeaderSingleCopy { leaders: value },
            other => other,
        }
    }
}

/// Runs an allreduce by algorithm `how`.
pub async fn allreduce<C: Channel + NodeChannel>(
    ch: &C,
    v: Allreduce,
    how: Algorithm,
) -> Result<()> {
    check(how, &CallTraits::reduction(ch.size(), v.commutative).shared(true, true))?;
    match how {
        Algorithm::RecursiveDoubling => recursive_doubling(ch, v).await,
        Algorithm::RecursiveMultiplying { radix } => recursive_multiplying(ch, v, radix).await,
        Algorithm::ReduceBcast => reduce_bcast(ch, v).await,
        Algorithm::Ring => ring(ch, v).await,
        Algorithm::SegmentedRing { segment } => segmented_ring(ch, v, segment).await,
        Algorithm::Rabenseifner => rabenseifner(ch, v).await,
        Algorithm::TwoLevel => two_level(ch, v).await,
        Algorithm::TwoLevelCico => two_level_cico(ch, v).await,
        Algorithm::TwoLevelCicoTree { radix } => two_level_cico_tree(ch, v, radix).await,
        Algorithm::TwoLevelSingleCopy => two_level_single_copy(ch, v).await,
        Algorithm::MultiLeader { leaders } => multi_leader(ch, v, leaders).await,
        Algorithm::MultiLeaderSingleCopy { leaders } => {
            multi_leader_single_copy(ch, v, leaders).await
        }
        Algorithm::Cico => cico(ch, v).await,
        Algorithm::CicoTree { radix } => cico_tree(ch, v, radix).await,
        Algorithm::CicoPartitioned => cico_partitioned(ch, v).await,
        Algorithm::CicoLevels => cico_levels(ch, v).await,
        Algorithm::CicoPipelined => cico_pipelined(ch, v).await,
        Algorithm::CicoChains => cico_chains(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
        Algorithm::SingleCopyPartitioned => single_copy_partitioned(ch, v).await,
    }
}

/// Recursive doubling: in round k every rank swaps its partial result with the rank 2^k away.
/// ceil(log2 p) rounds, each moving the whole vector: best for short vectors. Ranks beyond the
/// largest power of two first fold into a neighbour and are told the result at the end, two rounds
/// more. Thakur, Rabenseifner, Gropp (2005), section 4.5.
pub async fn recursive_doubling<C: Channel>(ch: &C, v: Allreduce) -> Result<()> {
    let (own, result) = (View::send(0, v.len), View::recv(0, v.len));
    let core = Core::new(ch.rank(), ch.size());
    let mut distances = doublings(core.size);
    if v.commutative && !v.in_place && core.is_all() && distances.next().is_some() {
        core.begin(ch, own, result).await?;
    } else {
        ch.copy(own, result)?;
    }
    if distances.len() == 0 {
        return Ok(());
    }
    let (mut partial, mut incoming) = (result, ch.temp(v.len)?);
    if core.fold_in(ch, partial, incoming).await? {
        for distance in distances {
            let peer = core.me ^ distance;
            ch.exchange(core.rank_of(peer), partial, core.rank_of(peer), incoming).await?;
            if peer < core.me || v.commutative {
                ch.reduce(incoming, partial)?;
            } else {
                ch.reduce(partial, incoming)?;
                (partial, incoming) = (incoming, partial);
            }
        }
    }
    core.fold_out(ch, partial, result).await?;
    ch.copy(partial, result)
}

/// Recursive multiplying: in round j the up to k ranks that differ in digit j, in a base of that
/// round, tell each other their partial results. About log_k p rounds, in each of which every rank
/// sends the whole vector up to k - 1 times: best for short vectors where a rank can send several
/// messages in the time that one takes to arrive. If p is no product of such bases, ranks beyond a
/// power of k fold into their group's leader, two rounds more. Ruefenacht, Bull, Booth (2017).
pub async fn recursive_multiplying<C: Channel>(ch: &C, v: Allreduce, radix: usize) -> Result<()> {
    let result = View::recv(0, v.len);
    ch.copy(View::send(0, v.len), result)?;
    let fold_group = FoldGroup::new(ch.rank(), ch.size(), radix);
    let mut partial = fold_group.fold_in(ch, result).await?;
    if fold_group.leads() {
        partial = fold_group.multiply(ch, partial).await?;
    }
    fold_group.fold_out(ch, partial, result).await?;
    ch.copy(partial, result)
}

/// Reduce to rank 0, then bcast from it.
/// 2 ceil(log2 p) rounds, each moving the whole vector; a rank sends far less in total than in
/// recursive doubling, which helps where the network between the ranks is shared.
pub async fn reduce_bcast<C: Channel>(ch: &C, v: Allreduce) -> Result<()> {
    reduce::in_order(ch, Reduce { root: 0, len: v.len, commutative: v.commutative }).await?;
    bcast::binomial(ch, Bcast { root: 0, len: v.len }).await
}

/// Ring: partial results of one chunk per rank travel once round the ring and grow as they go, then
/// the finished chunks travel round once more.
/// 2(p - 1) rounds; every rank sends 2(p - 1)/p of the vector, the least possible: best for long
/// vectors. Operands meet in ring order: the operator must commute. Patarasuk, Yuan (2009).
pub async fn ring<C: Channel>(ch: &C, v: Allreduce) -> Result<()> {
    segmented_ring(ch, v, usize::MAX).await
}

/// Segmented ring: the ring, but while a chunk is reduced one segment is added up as the next
/// arrives. 2(p - 1) rounds, the first half of them in messages of one segment; every rank sends
/// 2(p - 1)/p of the vector: best for vectors so long that adding up a chunk takes as long as its
/// journey. The operator must commute. Patarasuk, Yuan (2009).
pub async fn segmented_ring<C: Channel>(ch: &C, v: Allreduce, segment: usize) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let data = View::recv(0, v.len);
    ch.copy(View::send(0, v.len), data)?;
    if p == 1 {
        return Ok(());
    }
    let parts = Partition::Even { len: v.len, parts: p };
    let chunk = |back: usize| parts.block(data, (me + 2 * p - back) % p);
    let longest = parts.len(0).min(segment);
    let incoming = [ch.temp(longest)?, ch.temp(if longest < parts.len(0) { longest } else { 0 })?];
    let (right, left) = ((me + 1) % p, (me + p - 1) % p);
    for step in 0..p - 1 {
        pass_and_add(ch, (right, chunk(step)), (left, chunk(step + 1)), incoming, segment).await?;
    }
    for step in 0..p - 1 {
        ch.exchange(right, chunk(step + p - 1), left, chunk(step)).await?;
    }
    Ok(())
}

/// Rabenseifner: recursive halving leaves every rank with the result of one chunk, recursive
/// doubling then brings all chunks together. 2 log2 p rounds, of half the vector, a quarter and so
/// on; every rank sends 2(p - 1)/p of the vector: best for middling and long vectors. Ranks beyond
/// the largest power of two fold into a neighbour, two rounds of the whole vector more. The
/// operator must commute. Rabenseifner (2004); Thakur, Rabenseifner, Gropp (2005), section 4.5.
pub async fn rabenseifner<C: Channel>(ch: &C, v: Allreduce) -> Result<()> {
    let data = View::recv(0, v.len);
    ch.copy(View::send(0, v.len), data)?;
    if ch.size() == 1 {
        return Ok(());
    }
    let core = Core::new(ch.rank(), ch.size());
    let parts = Partition::Even { len: v.len, parts: core.size };
    let held = |first, count| parts.run(data, first, count);
    // Room for a whole vector where a neighbour folds in, else for the first half.
    let incoming =
        ch.temp(if core.has_neighbour() { v.len } else { parts.start(core.size / 2) })?;
    if core.fold_in(ch, data, incoming).await? {
        core.halve(ch, held, incoming).await?;
        for distance in doublings(core.size) {
            let mine = core.me & !(distance - 1);
            let peer = core.rank_of(core.me ^ distance);
            ch.exchange(peer, held(mine, distance), peer, held(mine ^ distance, distance)).await?;
        }
    }
    core.fold_out(ch, data, data).await
}

/// Two levels: every node reduces to its lowest rank, these run a recursive doubling among
/// themselves and hand the result to their nodes. 2 ceil(log2 ranks per node) rounds within nodes,
/// about log2 nodes between them with one vector per node: best for short vectors on several
/// nodes. Nodes need not hold consecutive ranks, so the operator must commute. Karonis et al.
/// (2000).
pub async fn two_level<C: Channel>(ch: &C, v: Allreduce) -> Result<()> {
    in_two_levels(ch, v, reduce::binomial, recursive_doubling, (0, bcast::binomial)).await
}

/// Two levels, copy-in-copy-out: the lowest rank of every node adds up what all ranks of its node
/// publish, runs a recursive multiplying with the other lowest ranks, and publishes the result. Two
/// rounds within nodes, about log4 nodes between them with up to three vectors per node: best for
/// short vectors on several nodes whose ranks share memory. The operator must commute.
pub async fn two_level_cico<C: Channel + NodeChannel>(ch: &C, v: Allreduce) -> Result<()> {
    in_two_levels(ch, v, reduce::cico, radix_4, (REDUCE_STEPS, bcast::cico)).await
}

/// How lowest ranks combine short vectors: up to three messages at a time.
async fn radix_4<C: Channel>(top: &SubChannel<'_, C>, v: Allreduce) -> Result<()> {
    recursive_multiplying(top, v, RADIX).await
}

/// Two levels, copy-in-copy-out by trees: as `two_level_cico`, but within a node vectors and result
/// follow its domains, as in `cico_tree`. No rank reads more than a few vectors: best for short
/// ones on several nodes of many cores. The operator must commute.
pub async fn two_level_cico_tree<C: Channel + NodeChannel>(
    ch: &C,
    v: Allreduce,
    radix: usize,
) -> Result<()> {
    let collect = async |node: &SubChannel<'_, C>, v| reduce::cico_tree(node, v, radix).await;
    let hand_out = async |node: &SubChannel<'_, C>, v: Bcast| {
        hand_down_after_up(node, View::recv(0, v.len)).await
    };
    in_two_levels(ch, v, collect, radix_4, (REDUCE_STEPS, hand_out)).await
}

/// Two levels, single copy: the ranks of every node add up a part each of all their vectors,
/// reading them in their owners' memory; the lowest collects the sums, runs Rabenseifner's
/// algorithm with the other lowest ranks, and publishes the result. Less than two vectors out of
/// every node, whose ranks share the work: best for long vectors. The operator must commute.
pub async fn two_level_single_copy<C: Channel + NodeChannel>(ch: &C, v: Allreduce) -> Result<()> {
    let (collect, hand_out) = (reduce::single_copy_gathered, (STEPS, bcast::within_node));
    in_two_levels(ch, v, collect, rabenseifner, hand_out).await
}

/// The steps of the reduce that begins it: the result follows, or in stages begins with the next.
const REDUCE_STEPS: usize = 2;

async fn in_two_levels<'c, C: Channel>(
    ch: &'c C,
    v: Allreduce,
    collect: impl AsyncFn(&SubChannel<'c, C>, Reduce) -> Result<()>,
    between: impl AsyncFn(&SubChannel<'c, C>, Allreduce) -> Result<()>,
    (first_step, hand_out): (usize, impl AsyncFn(&SubChannel<'c, C>, Bcast) -> Result<()>),
) -> Result<()> {
    let (nodes, own, sum) = (ch.nodes(), View::send(0, v.len), View::recv(0, v.len));
    let node = SubChannel::node(ch, &nodes).over(own, sum);
    let to_leader = Reduce { root: 0, len: v.len, commutative: v.commutative };
    collect(&node, to_leader).await?;
    if let Some(top) = SubChannel::among(ch, nodes.leaders(0)) {
        between(&top.over(sum, sum), Allreduce { in_place: true, ..v }).await?;
    }
    hand_out(&node.from_step(first_step), Bcast { root: 0, len: v.len }).await
}

/// Several leaders: within every node, a reduce-scatter leaves each of its first ranks with the sum
/// of one part of the vector; ranks with the same part run Rabenseifner's algorithm on it; within
/// every node the parts are then brought together. Between nodes every link carries less than two
/// vectors, in several messages at a time: best for long vectors on several nodes. No more leaders
/// than the smallest node has ranks. The operator must commute. Bayatpour et al. (2017).
pub async fn multi_leader<C: Channel>(ch: &C, v: Allreduce, leaders: usize) -> Result<()> {
    let divide = async |node: &SubChannel<'_, C>, parts: Partition<'_>| {
        reduce_scatter::pairwise(node, parts).await
    };
    let join = async |node: &SubChannel<'_, C>, v: Allgatherv<'_>| allgatherv::ring(node, v).await;
    in_slices(ch, v, leaders, divide, join).await
}

/// Several leaders, single copy: each of the first ranks of every node adds up one part of the
/// vectors of its node, reading them in their owners' memory; ranks with the same part run
/// Rabenseifner's algorithm on it; all copy the other parts of the result from those that have
/// them. Between nodes every link carries less than two vectors, in many messages at a time, and
/// the work within a node is divided among its leaders: best for long vectors on several nodes
/// whose ranks share memory. The operator must commute. See [`multi_leader`].
pub async fn multi_leader_single_copy<C: Channel + NodeChannel>(
    ch: &C,
    v: Allreduce,
    leaders: usize,
) -> Result<()> {
    let divide = async |node: &SubChannel<'_, C>, parts: Partition<'_>| {
        reduce_scatter::single_copy_in(node, parts, v.commutative).await
    };
    let join = async |node: &SubChannel<'_, C>, v: Allgatherv<'_>| single_copy_data(node, v).await;
    in_slices(ch, v, leaders, divide, join).await
}

async fn in_slices<'c, C: Channel>(
    ch: &'c C,
    v: Allreduce,
    leaders: usize,
    divide: impl AsyncFn(&SubChannel<'c, C>, Partition<'_>) -> Result<()>,
    join: impl AsyncFn(&SubChannel<'c, C>, Allgatherv<'_>) -> Result<()>,
) -> Result<()> {
    let (nodes, own, data) = (ch.nodes(), View::send(0, v.len), View::recv(0, v.len));
    let slices = Slices::new(&nodes, v.len, leaders, ch.rank());
    let mine = data.part(slices.starts[slices.local_rank], slices.counts[slices.local_rank]);
    let node = SubChannel::node(ch, &nodes).over(own, mine);
    divide(&node, Partition::Starts(&slices.starts)).await?;
    if let Some(top) = slices.counterparts(ch, &nodes) {
        rabenseifner(&top.over(mine, mine), Allreduce { len: mine.len, ..v }).await?;
    }
    let v = Allgatherv { send_len: mine.len, recv: slices.layout() };
    join(&node.over(mine, data).from_step(1), v).await
}

/// Copy-in-copy-out: every rank publishes its operand and adds up all of them, in the same order
/// everywhere. One round, in which every rank reads all vectors: best within a node for short ones.
pub async fn cico<C: NodeChannel>(ch: &C, v: Allreduce) -> Result<()> {
    let own = View::send(0, v.len);
    ch.copy_in(0, own).await?;
    combine_in_order(ch, 0, own, View::recv(0, v.len)).await
}

/// Copy-in-copy-out, as a tree: a rank adds what those below it publish to its own operand and
/// publishes the sum; the total descends another such tree. The ranks that share a cache are
/// subtrees, then those that share a NUMA domain, then those that share a socket, as far as is
/// known; within each domain the tree is k-nomial. Most vectors are read where they are near, and
/// no rank reads more than a few: best for short ones within a node of many cores.
pub async fn cico_tree<C: NodeChannel>(ch: &C, v: Allreduce, radix: usize) -> Result<()> {
    let tree = match v.commutative {
        true => DomainTree::of(ch, 0, radix),
        false => DomainTree::in_order(ch, radix),
    };
    tree.add_up(ch, View::send(0, v.len), View::recv(0, v.len), v.commutative).await?;
    hand_down_after_up(ch, View::recv(0, v.len)).await
}

/// Copy-in-copy-out, in parts: every rank publishes its operand, adds up one part of all of them,
/// publishes it, and copies the other parts. Two rounds, and the work divided among all: best
/// within a node for middling vectors.
pub async fn cico_partitioned<C: NodeChannel>(ch: &C, v: Allreduce) -> Result<()> {
    let (me, own, result) = (ch.rank(), View::send(0, v.len), View::recv(0, v.len));
    let parts = Partition::Even { len: v.len, parts: ch.size() };
    ch.copy_in(0, own).await?;
    let mine = parts.block(result, me);
    // In place, nobody else reads this rank's own part of its operand.
    let sum = if v.commutative { mine } else { ch.temp(mine.len)? };
    sum_part(ch, parts.block(own, me), sum, v.commutative).await?;
    ch.copy(sum, mine)?;
    ch.copy_in(1, mine).await?;
    for by in others(ch) {
        ch.get(Slot { step: 1, by }, 0, parts.block(result, by)).await?;
    }
    Ok(())
}

/// Copy-in-copy-out, in parts by levels: the ranks that share a cache publish their operands and
/// add up a part each; those that have the same part in the caches of a NUMA domain publish it and
/// add up a part of it each, and so on to the socket and the node, as far as they are known; the
/// results come back the same way. Best in a node of many cores for middling vectors. Without room
/// or gain `rabenseifner` on wide nodes, `cico_partitioned` elsewhere. The operator must commute.
pub async fn cico_levels<C: Channel + NodeChannel>(ch: &C, v: Allreduce) -> Result<()> {
    let own = View::send(0, v.len);
    match domain_parts::first_step_down(ch, own) {
        Some(down) => domain_parts::add_up(ch, own, View::recv(0, v.len), down).await,
        None if ch.size() < WIDE_RANKS_MIN => cico_partitioned(ch, v).await,
        None => rabenseifner(ch, v).await,
    }
}

/// Copy-in-copy-out, in chunks: as `cico_partitioned`, but one chunk of the vector at a time, while
/// every rank publishes the next. Nothing leaves the cache between the copies: best within a node
/// for long vectors that more ranks have than there are cores.
pub async fn cico_pipelined<C: NodeChannel>(ch: &C, v: Allreduce) -> Result<()> {
    pipeline::add_up(ch, View::send(0, v.len), Some(View::recv(0, v.len)), v.commutative).await
}

/// Copy-in-copy-out, in chains: the ranks of each core, as far as is known, pass a sum along that
/// grows chunk by chunk, the last of each chain in turn adds up the chains' sums, and all copy the
/// total. A rank reads its operand once and nobody else does; what it publishes is read where it is
/// in the cache: best within a node for long vectors that more ranks have than there are cores. The
/// operator must commute.
pub async fn cico_chains<C: NodeChannel>(ch: &C, v: Allreduce) -> Result<()> {
    chains::add_up(ch, None, View::send(0, v.len), Some(View::recv(0, v.len))).await
}

/// Single copy: every rank adds up all operands, which it reads in the others' own memory. In place
/// that memory takes the result, so all wait until everybody has read it. One round, in place two,
/// and no copy before the sum: best within a node for two ranks and middling vectors.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Allreduce) -> Result<()> {
    let (own, result) = (View::send(0, v.len), View::recv(0, v.len));
    ch.expose(0, own).await?;
    if !v.in_place {
        return sum_into(ch, own, result, v.commutative).await;
    }
    let sum = ch.temp(v.len)?;
    combine_with_own(ch, 0, own, sum, v.commutative).await?;
    ch.copy_in(1, View::EMPTY).await?;
    ch.await_all(1).await?;
    ch.copy(sum, result)
}

/// Single copy, in parts: every rank adds up one part of the vector, reading the others' operands
/// in their own memory, and puts it into everybody's, chunk by chunk. Nothing leaves the cache in
/// between, and nobody waits for another's sum: best within a node for long vectors.
pub async fn single_copy_partitioned<C: NodeChannel>(ch: &C, v: Allreduce) -> Result<()> {
    let (me, own, result) = (ch.rank(), View::send(0, v.len), View::recv(0, v.len));
    let parts = Partition::Even { len: v.len, parts: ch.size() };
    let (mine, after) = (parts.block(own, me), ch.size() - me - 1);
    ch.expose(0, own).await?;
    // This rank's own part of the result it alone touches: what the others fill lies on both sides.
    ch.expose_for_put(1, parts.run(result, 0, me)).await?;
    ch.expose_for_put(2, parts.run(result, me + 1, after)).await?;
    if mine.len == 0 {
        // Nothing to add up, but lengths that differ are noticed.
        return ch.await_all(0).await;
    }
    let part = |start, len| result.part(start, len);
    let put = async |sum: View, start| {
        for by in others(ch) {
            let (step, from) = if me < by { (1, 0) } else { (2, parts.start(by + 1)) };
            let len = if me < by { parts.start(by) } else { v.len - from };
            let exposed = PutTarget { slot: Slot { step, by }, len };
            ch.put(sum, exposed, start - from).await?;
        }
        Ok(())
    };
    if v.in_place && !v.commutative {
        return sum_in_chunks(ch, mine, false, async |sum, start| {
            ch.copy(sum, part(start, sum.len))?;
            put(sum, start).await
        })
        .await;
    }
    for operand in chunks(mine, ch.chunk(mine)) {
        let sum = part(operand.start, operand.len);
        combine_with_own(ch, 0, operand, sum, v.commutative).await?;
        put(sum, operand.start).await?;
    }
    Ok(())
}
