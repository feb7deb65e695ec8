//! Reduce-scatter: the operator's result over all ranks' vectors, block i of it at rank i.
//!
//! Operand in `View::send(0, total)`, block i being elements `starts[i]..starts[i + 1]`; a rank's
//! block of the result in `View::recv(0, its length)`. In place, `Send` and `Recv` begin together.
//! `reduce_scatter_block` runs the same algorithms on blocks of equal length.

use crate::fold::Core;
use crate::parts::Parts;
use crate::reduce;
use crate::select::{Choice, Rule, Shape, check};
use crate::tree::Binomial;
use crate::{Channel, View};
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
    /// See [`in_order`].
    InOrder,
    /// See [`collect`].
    Collect,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "reduce_scatter";
    const ALL: &'static [Self] =
        &[Algorithm::RecursiveHalving, Algorithm::Pairwise, Algorithm::InOrder, Algorithm::Collect];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::up_to_bytes(512 << 10, Algorithm::RecursiveHalving),
        Rule::otherwise(Algorithm::Pairwise),
        Rule::up_to_bytes(512, Algorithm::InOrder),
        Rule::otherwise(Algorithm::Collect),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::RecursiveHalving => "recursive_halving",
            Algorithm::Pairwise => "pairwise",
            Algorithm::InOrder => "in_order",
            Algorithm::Collect => "collect",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        shape.commutative || matches!(self, Algorithm::InOrder | Algorithm::Collect)
    }
}

/// Runs a reduce-scatter by algorithm `how`.
pub async fn reduce_scatter<C: Channel>(
    ch: &C,
    v: ReduceScatter<'_>,
    how: Algorithm,
) -> Result<()> {
    run(ch, Parts::Starts(v.starts), v.commutative, how).await
}

/// The entry for blocks of any kind.
pub(crate) async fn run<C: Channel>(
    ch: &C,
    parts: Parts<'_>,
    commutative: bool,
    how: Algorithm,
) -> Result<()> {
    check(how, &Shape::reduction(ch.size(), commutative))?;
    match how {
        Algorithm::RecursiveHalving => recursive_halving(ch, parts).await,
        Algorithm::Pairwise => pairwise(ch, parts).await,
        Algorithm::InOrder => in_order(ch, parts).await,
        Algorithm::Collect => collect(ch, parts).await,
    }
}

/// The whole operand.
fn operand<C: Channel>(ch: &C, parts: Parts<'_>) -> View {
    View::send(0, parts.start(ch.size()))
}

/// Where this rank's block of the result belongs.
fn result<C: Channel>(ch: &C, parts: Parts<'_>) -> View {
    View::recv(0, parts.len(ch.rank()))
}

/// Recursive halving: in each round a rank swaps half of what it still holds with a peer and adds
/// up, so the peer's half is no longer its business. log2 p rounds of half the vector, a quarter
/// and so on, in all (p - 1)/p of it: best for short and middling vectors. Ranks beyond the largest
/// power of two fold into a neighbour, two rounds more. The operator must commute. Thakur,
/// Rabenseifner, Gropp (2005), section 4.4.
async fn recursive_halving<C: Channel>(ch: &C, parts: Parts<'_>) -> Result<()> {
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
async fn pairwise<C: Channel>(ch: &C, parts: Parts<'_>) -> Result<()> {
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

/// In order: a binomial tree reduces to rank 0 in the order of ranks, and rank 0 sends every rank
/// its block.
/// ceil(log2 p) rounds of the whole vector and p - 1 blocks from rank 0: for short vectors and
/// operators that do not commute.
async fn in_order<C: Channel>(ch: &C, parts: Parts<'_>) -> Result<()> {
    let tree = Binomial::new(ch.rank(), 0, ch.size());
    let sum = reduce::climb(ch, tree, parts.start(ch.size())).await?;
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
async fn collect<C: Channel>(ch: &C, parts: Parts<'_>) -> Result<()> {
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
