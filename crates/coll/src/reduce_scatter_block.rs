//! Reduce-scatter with blocks of equal length: see [`reduce_scatter`], whose algorithms these are.

use crate::node_channel::PAIR_CICO_BYTES;
use crate::partition::Partition;
use crate::reduce_scatter::{self, LONG_BYTES, ON_2_BY_RING, ON_4_BY_RING};
use crate::select::{AlgorithmSet, CallTraits, Range, Rule, WIDEST};
use crate::{Channel, NodeChannel};
use dunlin_base::Result;

/// Arguments of a reduce-scatter with equal blocks; the same at every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReduceScatterBlock {
    /// Elements of each block.
    pub block: usize,
    /// Whether the operator commutes; if not, operands are combined in the order of ranks.
    pub commutative: bool,
}

/// An algorithm of [`reduce_scatter`], with a table of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithm(pub reduce_scatter::Algorithm);

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "reduce_scatter_block";
    const ALL: &'static [Self] = &[
        Algorithm(reduce_scatter::Algorithm::RecursiveHalving),
        Algorithm(reduce_scatter::Algorithm::Pairwise),
        Algorithm(reduce_scatter::Algorithm::Ring),
        Algorithm(reduce_scatter::Algorithm::Butterfly),
        Algorithm(reduce_scatter::Algorithm::InOrder),
        Algorithm(reduce_scatter::Algorithm::Collect),
        Algorithm(reduce_scatter::Algorithm::Cico),
        Algorithm(reduce_scatter::Algorithm::SingleCopy),
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::on_own_cores(
            WIDEST,
            Range::up_to(2 << 10),
            Algorithm(reduce_scatter::Algorithm::RecursiveHalving),
        ),
        Rule::on_own_cores(
            WIDEST,
            Range::up_to(256 << 10),
            Algorithm(reduce_scatter::Algorithm::Butterfly),
        ),
        Rule::new(ON_2_BY_RING, Algorithm(reduce_scatter::Algorithm::Ring)),
        Rule::new(ON_4_BY_RING, Algorithm(reduce_scatter::Algorithm::Ring)),
        Rule::across_nodes(
            WIDEST,
            Range::up_to(2 << 10),
            Algorithm(reduce_scatter::Algorithm::RecursiveHalving),
        ),
        Rule::across_nodes(WIDEST, Range::ALL, Algorithm(reduce_scatter::Algorithm::Butterfly)),
        Rule::pair_with_slow_copies(1 << 20, Algorithm(reduce_scatter::Algorithm::Pairwise)),
        Rule::few_with_slow_copies(4, 1 << 20, Algorithm(reduce_scatter::Algorithm::Pairwise)),
        Rule::few_with_slow_copies(
            8,
            256 << 10,
            Algorithm(reduce_scatter::Algorithm::RecursiveHalving),
        ),
        Rule::few_with_slow_copies(8, 1 << 20, Algorithm(reduce_scatter::Algorithm::Pairwise)),
        Rule::pair_above(2 * PAIR_CICO_BYTES, Algorithm(reduce_scatter::Algorithm::SingleCopy)),
        Rule::otherwise(Algorithm(reduce_scatter::Algorithm::Cico)),
        Rule::otherwise(Algorithm(reduce_scatter::Algorithm::SingleCopy)),
        Rule::on_nodes_shared_by_few(
            8,
            128 << 10,
            Algorithm(reduce_scatter::Algorithm::RecursiveHalving),
        ),
        Rule::on_shared_nodes(16 << 10, Algorithm(reduce_scatter::Algorithm::RecursiveHalving)),
        Rule::on_shared_nodes(LONG_BYTES, Algorithm(reduce_scatter::Algorithm::Butterfly)),
        Rule::on_nodes_from(17, LONG_BYTES, Algorithm(reduce_scatter::Algorithm::RecursiveHalving)),
        Rule::up_to_bytes(512 << 10, Algorithm(reduce_scatter::Algorithm::RecursiveHalving)),
        Rule::otherwise(Algorithm(reduce_scatter::Algorithm::Pairwise)),
        Rule::up_to_bytes(512 << 10, Algorithm(reduce_scatter::Algorithm::Butterfly)),
        Rule::otherwise(Algorithm(reduce_scatter::Algorithm::Collect)),
    ];

    fn name(self) -> &'static str {
        self.0.name()
    }

    fn fits(self, shape: &CallTraits) -> bool {
        self.0.fits(shape)
    }
}

/// Runs a reduce-scatter with equal blocks by algorithm `how`.
pub async fn reduce_scatter_block<C: Channel + NodeChannel>(
    ch: &C,
    v: ReduceScatterBlock,
    how: Algorithm,
) -> Result<()> {
    reduce_scatter::run(ch, Partition::Equal(v.block), v.commutative, how.0).await
}

/// Copy-in-copy-out, with equal blocks: every rank publishes its operand and adds up its block of
/// all of them.
pub async fn cico<C: NodeChannel>(ch: &C, v: ReduceScatterBlock) -> Result<()> {
    reduce_scatter::cico_in(ch, Partition::Equal(v.block), v.commutative).await
}

/// As [`reduce_scatter::single_copy`].
pub async fn single_copy<C: NodeChannel>(ch: &C, v: ReduceScatterBlock) -> Result<()> {
    reduce_scatter::single_copy_in(ch, Partition::Equal(v.block), v.commutative).await
}
