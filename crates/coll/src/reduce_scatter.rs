//! Reduce-scatter: the operator's result over all ranks' vectors, block i of it at rank i.
//!
//! Operand in `View::send(0, total)`, block i being elements `starts[i]..starts[i + 1]`; a rank's
//! block of the result in `View::recv(0, its length)`. In place, `Send` and `Recv` begin together.
//! `reduce_scatter_block` runs the same algorithms on blocks of equal length.

use crate::fold::Core;
use crate::node_channel::{PAIR_CICO_BYTES, chunks, combine_slots, combine_with_own, sum_part};
use crate::partition::Partition;
use crate::select::{AlgorithmSet, CallTraits, MANY, Range, Rule, WIDEST, When, check};
use crate::tree::{Binomial, doublings};
use crate::{Channel, Member, NodeChannel, Slot, View};
use dunlin_base::Result;

/// Arguments of a reduce-scatter; the same at every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReduceScatter<'a> {
    /// Where each rank's block begins, and at the end the length of the vector: ranks + 1 entries.
    pub starts: &'a [usize],
    /// Whether the operator commutes; if not, operands are combined in the order of ranks.
    pub commutative: bool,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`recursive_halving`].
    RecursiveHalving,
    /// See [`pairwise`].
    Pairwise,
    /// See [`ring`].
    Ring,
    /// See [`butterfly`].
    Butterfly,
    /// See [`in_order`].
    InOrder,
    /// See [`collect`].
    Collect,
    /// See [`cico`].
    Cico,
    /// See [`single_copy`].
    SingleCopy,
}

/// Vectors on few nodes for which a ring pays: most of its messages stay within them. 1 MiB by 2
/// nodes of 32 ranks take 0.15 to 0.3 ms, by `butterfly` 0.12 to 1.2, simulated.
pub(crate) const ON_2_BY_RING: When =
    When { nodes: Range { min: 2, max: 2 }, ..When::across_nodes(MANY, FROM_512K) };
pub(crate) const ON_4_BY_RING: When =
    When { nodes: Range { min: 2, max: 4 }, ..When::across_nodes(FROM_9_TO_48, FROM_512K) };
const FROM_9_TO_48: Range = Range { min: MANY.min, max: WIDEST.min - 1 };
const FROM_512K: Range = Range::from((512 << 10) + 1);
/// Beyond this a vector on several nodes takes so long that ranks may send every block by itself.
pub(crate) const LONG_BYTES: usize = 8 << 20;

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "reduce_scatter";
    const ALL: &'static [Self] = &[
        Algorithm::RecursiveHalving,
        Algorithm::Pairwise,
        Algorithm::Ring,
        Algorithm::Butterfly,
        Algorithm::InOrder,
        Algorithm::Collect,
        Algorithm::Cico,
        Algorithm::SingleCopy,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::on_own_cores(WIDEST, Range::up_to(2 << 10), Algorithm::RecursiveHalving),
        Rule::on_own_cores(WIDEST, Range::up_to(256 << 10), Algorithm::Butterfly),
        Rule::new(ON_2_BY_RING, Algorithm::Ring),
        Rule::new(ON_4_BY_RING, Algorithm::Ring),
        Rule::across_nodes(WIDEST, Range::up_to(2 << 10), Algorithm::RecursiveHalving),
        Rule::across_nodes(WIDEST, Range::ALL, Algorithm::Butterfly),
        Rule::pair_with_slow_copies(1 << 20, Algorithm::Pairwise),
        Rule::few_with_slow_copies(4, 1 << 20, Algorithm::Pairwise),
        Rule::few_with_slow_copies(8, 256 << 10, Algorithm::RecursiveHalving),
        Rule::few_with_slow_copies(8, 1 << 20, Algorithm::Pairwise),
        Rule::pair_above(2 * PAIR_CICO_BYTES, Algorithm::SingleCopy),
        Rule::otherwise(Algorithm::Cico),
        Rule::otherwise(Algorithm::SingleCopy),
        // On several nodes, simulated. The longest messages stay within nodes: 1 MiB by 64 nodes of
        // 8 ranks takes 0.1 to 0.6 ms, pairwise 1 to 8. Beyond, or among few ranks, rounds cost
        // less than copying does.
        Rule::on_nodes_shared_by_few(8, 128 << 10, Algorithm::RecursiveHalving),
        Rule::on_shared_nodes(16 << 10, Algorithm::RecursiveHalving),
        Rule::on_shared_nodes(LONG_BYTES, Algorithm::Butterfly),
        Rule::on_nodes_from(17, LONG_BYTES, Algorithm::RecursiveHalving),
        Rule::up_to_bytes(512 << 10, Algorithm::RecursiveHalving),
        Rule::otherwise(Algorithm::Pairwise),
        Rule::up_to_bytes(512 << 10, Algorithm::Butterfly),
        Rule::otherwise(Algorithm::Collect),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::RecursiveHalving => "recursive_halving",
            Algorithm::Pairwise => "pairwise",
            Algorithm::Ring => "ring",
            Algorithm::Butterfly => "butterfly",
            Algorithm::InOrder => "in_order",
            Algorithm::Collect => "collect",
            Algorithm::Cico => "cico",
            Algorithm::SingleCopy => "single_copy",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::Butterfly | Algorithm::InOrder | Algorithm::Collect => true,
            Algorithm::Cico => shape.all_cico(),
            Algorithm::SingleCopy => shape.all_single_copy() && !shape.in_place,
            _ => shape.commutative,
        }
    }
}

/// Runs a reduce-scatter by algorithm `how`.
pub async fn reduce_scatter<C: Channel + NodeChannel>(
    ch: &C,
    v: ReduceScatter<'_>,
    how: Algorithm,
) -> Result<()> {
    run(ch, Partition::Starts(v.starts), v.commutative, how).await
}

/// The entry for blocks of any kind.
pub(crate) async fn run<C: Channel + NodeChannel>(
    ch: &C,
    parts: Partition<'_>,
    commutative: bool,
    how: Algorithm,
) -> Result<()> {
    check(how, &CallTraits::reduction(ch.size(), commutative).shared(true, true))?;
    match how {
        Algorithm::RecursiveHalving => recursive_halving(ch, parts).await,
        Algorithm::Pairwise => pairwise(ch, parts).await,
        Algorithm::Ring => ring(ch, parts).await,
        Algorithm::Butterfly => butterfly(ch, parts).await,
        Algorithm::InOrder => in_order(ch, parts).await,
        Algorithm::Collect => collect(ch, parts).await,
        Algorithm::Cico => cico_in(ch, parts, commutative).await,
        Algorithm::SingleCopy => single_copy_in(ch, parts, commutative).await,
    }
}

/// The whole operand.
fn operand<C: Member>(ch: &C, parts: Partition<'_>) -> View {
    View::send(0, parts.start(ch.size()))
}

/// Where this rank's block of the result belongs.
fn result<C: Member>(ch: &C, parts: Partition<'_>) -> View {
    View::recv(0, parts.len(ch.rank()))
}

/// Recursive halving: in each round a rank swaps half of what it still holds with a peer and adds
/// up, so that it no longer handles the peer's half. log2 p rounds of half the vector, a quarter
/// and so on, in all (p - 1)/p of it: best for short and middling vectors. Ranks beyond the largest
/// power of two fold into a neighbour, two rounds more. The operator must commute. Thakur,
/// Rabenseifner, Gropp (2005), section 4.4.
async fn recursive_halving<C: Channel>(ch: &C, parts: Partition<'_>) -> Result<()> {
    let (me, own, result) = (ch.rank(), operand(ch, parts), result(ch, parts));
    let core = Core::new(me, ch.size());
    if core.stands_aside() {
        ch.send(me + 1, own).await?;
        return ch.recv(me + 1, result).await;
    }
    let (sum, incoming) = (ch.temp(own.len)?, ch.temp(own.len)?);
    ch.copy(own, sum)?;
    core.fold_in(ch, sum, incoming).await?;
    let held = |first: usize, count: usize| {
        let ranks = core.first_rank(first)..core.first_rank(first + count);
        parts.run(sum, ranks.start, ranks.len())
    };
    core.halve(ch, held, incoming).await?;
    if core.has_neighbour() {
        ch.send(me - 1, parts.block(sum, me - 1)).await?;
    }
    ch.copy(parts.block(sum, me), result)
}

/// Pairwise: in round k every rank sends the rank k to its right that rank's block, straight from
/// the operand, and adds what comes from the rank k to its left.
/// p - 1 rounds of one block, (p - 1)/p of the vector in all and next to no copying: best for long
/// vectors. The operator must commute. Thakur, Rabenseifner, Gropp (2005), section 4.4.
pub(crate) async fn pairwise<C: Channel>(ch: &C, parts: Partition<'_>) -> Result<()> {
    let (me, p, own) = (ch.rank(), ch.size(), operand(ch, parts));
    // In place the result lies over blocks that have yet to be sent: the sum grows elsewhere.
    let (sum, incoming) = (ch.temp(parts.len(me))?, ch.temp(parts.len(me))?);
    ch.copy(parts.block(own, me), sum)?;
    for k in 1..p {
        let (to, from) = ((me + k) % p, (me + p - k) % p);
        ch.exchange(to, parts.block(own, to), from, incoming).await?;
        ch.reduce(incoming, sum)?;
    }
    ch.copy(sum, result(ch, parts))
}

/// Ring over the ranks in node order: the partial result of a block starts at the rank right of its
/// owner, travels once round and grows as it goes. p - 1 rounds of one block, (p - 1)/p of the
/// vector in all, all traffic between neighbours: best for long vectors where distant ranks share
/// links. The operator must commute. Patarasuk, Yuan (2009).
async fn ring<C: Channel>(ch: &C, parts: Partition<'_>) -> Result<()> {
    let (p, own) = (ch.size(), operand(ch, parts));
    let nodes = ch.nodes();
    let (ranks, me) = (nodes.by_node(), nodes.place_of(ch.rank()));
    let longest = (0..p).map(|rank| parts.len(rank)).max().unwrap_or(0);
    let (mut spare, mut incoming) = (ch.temp(longest)?, ch.temp(longest)?);
    let left_by = |steps: usize| ranks[(me + 2 * p - steps) % p];
    let block = |steps: usize| parts.block(own, left_by(steps));
    let mut grown = block(1);
    for step in 1..p {
        let arriving = incoming.part(0, block(step + 1).len);
        ch.exchange(left_by(p - 1), grown, left_by(1), arriving).await?;
        ch.reduce(block(step + 1), arriving)?;
        grown = arriving;
        (spare, incoming) = (incoming, spare);
    }
    let sum = if p == 1 { own } else { grown };
    ch.copy(sum, result(ch, parts))
}

/// Butterfly: as recursive halving, but the nearest ranks swap first, so that partial results cover
/// consecutive ranks. A rank then ends with the block whose number is its own with the bits in
/// reverse, and sends it where it belongs. log2 p rounds of half the vector, a quarter and so on,
/// and one of one block: best for short and middling vectors and operators that do not commute.
/// Ranks beyond the largest power of two fold into a neighbour, one round more. Träff (2005).
async fn butterfly<C: Channel>(ch: &C, parts: Partition<'_>) -> Result<()> {
    let (me, own) = (ch.rank(), operand(ch, parts));
    let core = Core::new(me, ch.size());
    let held = |whole: View, first: usize, count: usize| {
        let ranks = core.first_rank(first)..core.first_rank(first + count);
        parts.run(whole, ranks.start, ranks.len())
    };
    let holder = |block: usize| core.rank_of(reverse_bits(block, core.size));
    let (mut sum, mut incoming) = (ch.temp(own.len)?, ch.temp(own.len)?);
    ch.copy(own, sum)?;
    let mut first = 0;
    if core.fold_in(ch, sum, incoming).await? {
        for (distance, count) in doublings(core.size).zip(doublings(core.size).rev()) {
            let (low, high) = (first, first + count);
            let upper = core.me & distance != 0;
            let (keep, put) = if upper { (high, low) } else { (low, high) };
            let (peer, arriving) = (core.rank_of(core.me ^ distance), held(incoming, keep, count));
            ch.exchange(peer, held(sum, put, count), peer, arriving).await?;
            if upper {
                ch.reduce(arriving, held(sum, keep, count))?;
            } else {
                ch.reduce(held(sum, keep, count), arriving)?;
                (sum, incoming) = (incoming, sum);
            }
            first = keep;
        }
    }
    let mut requests = Vec::new();
    if holder(core.me) != me {
        requests.push(ch.irecv(holder(core.me), result(ch, parts))?);
    }
    if !core.stands_aside() {
        for owner in core.first_rank(first)..core.first_rank(first + 1) {
            match owner == me {
                true => ch.copy(parts.block(sum, me), result(ch, parts))?,
                false => requests.push(ch.isend(owner, parts.block(sum, owner))?),
            }
        }
    }
    ch.wait_all(requests).await
}

/// `number`, which is less than the power of two `limit`, with its bits in reverse.
fn reverse_bits(number: usize, limit: usize) -> usize {
    doublings(limit).fold(0, |reversed, bit| 2 * reversed + usize::from(number & bit != 0))
}

/// In order: a binomial tree reduces to rank 0 in the order of ranks, and rank 0 sends every rank
/// its block.
/// ceil(log2 p) rounds of the whole vector and p - 1 blocks from rank 0: for short vectors and
/// operators that do not commute.
async fn in_order<C: Channel>(ch: &C, parts: Partition<'_>) -> Result<()> {
    let tree = Binomial::new(ch.rank(), 0, ch.size());
    let sum = tree.climb(ch, parts.start(ch.size())).await?;
    if ch.rank() != 0 {
        return ch.recv(0, result(ch, parts)).await;
    }
    let sends = (1..ch.size()).map(|to| ch.isend(to, parts.block(sum, to)));
    let leaving = sends.collect::<Result<Vec<_>>>()?;
    ch.wait_all(leaving).await?;
    ch.copy(parts.block(sum, 0), result(ch, parts))
}

/// Collect: every rank gathers its block of all operands, pairwise, and combines them in the order
/// of ranks once all are there. p - 1 rounds of one block, (p - 1)/p of the vector in all, and
/// scratch memory for p blocks: for long vectors and operators that do not commute.
async fn collect<C: Channel>(ch: &C, parts: Partition<'_>) -> Result<()> {
    let (me, p, own) = (ch.rank(), ch.size(), operand(ch, parts));
    let block = parts.len(me);
    let store = ch.temp(p * block)?;
    let operand_of = |rank: usize| store.part(rank * block, block);
    ch.copy(parts.block(own, me), operand_of(me))?;
    for k in 1..p {
        let (to, from) = ((me + k) % p, (me + p - k) % p);
        ch.exchange(to, parts.block(own, to), from, operand_of(from)).await?;
    }
    for rank in 1..p {
        ch.reduce(operand_of(rank - 1), operand_of(rank))?;
    }
    ch.copy(operand_of(p - 1), result(ch, parts))
}

/// Copy-in-copy-out: every rank publishes its operand, of two ranks each the other's block of it,
/// and adds up its block of all of them. One round, and the work divided among all: best within a
/// node while vectors fit into a slot of shared memory.
pub async fn cico<C: NodeChannel>(ch: &C, v: ReduceScatter<'_>) -> Result<()> {
    cico_in(ch, Partition::Starts(v.starts), v.commutative).await
}

pub(crate) async fn cico_in<C: NodeChannel>(
    ch: &C,
    parts: Partition<'_>,
    commutative: bool,
) -> Result<()> {
    let own = operand(ch, parts);
    let (mine, sum) = (parts.block(own, ch.rank()), result(ch, parts));
    // In place, the result may lie over a part of its operand.
    let lies_over = 0 < mine.start && mine.start < mine.len;
    if ch.size() == 2 {
        let peer = 1 - ch.rank();
        ch.copy_in(0, parts.block(own, peer)).await?;
        let operand = if lies_over { ch.temp(mine.len)? } else { mine };
        if lies_over {
            ch.copy(mine, operand)?;
        }
        return ch.get_combine(Slot { step: 0, by: peer }, 0, operand, sum).await;
    }
    ch.copy_in(0, own).await?;
    if lies_over {
        // The copy published is used.
        return combine_slots(ch, 0, mine.start, sum).await;
    }
    sum_part(ch, mine, sum, commutative && ch.rank() == 0).await
}

/// Single copy: every rank adds up its block of all vectors in the others' own memory. Nothing is
/// copied: best within a node for long vectors. Not in place, where that memory changes.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: ReduceScatter<'_>) -> Result<()> {
    single_copy_in(ch, Partition::Starts(v.starts), v.commutative).await
}

pub(crate) async fn single_copy_in<C: NodeChannel>(
    ch: &C,
    parts: Partition<'_>,
    commutative: bool,
) -> Result<()> {
    let own = operand(ch, parts);
    ch.expose(0, own).await?;
    let (mine, sum) = (parts.block(own, ch.rank()), result(ch, parts));
    for operand in chunks(mine, ch.chunk(own)) {
        let sum = sum.part(operand.start - mine.start, operand.len);
        combine_with_own(ch, 0, operand, sum, commutative).await?;
    }
    Ok(())
}
