//! Exscan: at every rank, the operator's result over the vectors of all ranks before it.
//!
//! Operand in `View::send(0, len)`, result in `View::recv(0, len)`, which rank 0 does not touch; in
//! place, both are one.

use crate::node_channel::PAIR_CICO_BYTES;
use crate::scan::{self, LINE_RANKS, LONG_LINE_BYTES, LONG_LINE_RANKS, Reach};
use crate::select::{AlgorithmSet, CallTraits, Range, Rule, check};
use crate::{Channel, NodeChannel, Slot, View, pipeline};
use dunlin_base::Result;

/// Arguments of an exscan; the same at every rank. Operands are always combined in the order of
/// ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exscan {
    /// Number of elements.
    pub len: usize,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`recursive_doubling`].
    RecursiveDoubling,
    /// See [`linear`].
    Linear,
    /// See [`cico`].
    Cico,
    /// See [`cico_linear`].
    CicoLinear,
    /// See [`single_copy_partitioned`].
    SingleCopyPartitioned,
}

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "exscan";
    const ALL: &'static [Self] = &[
        Algorithm::RecursiveDoubling,
        Algorithm::Linear,
        Algorithm::Cico,
        Algorithm::CicoLinear,
        Algorithm::SingleCopyPartitioned,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::pair_without_single_copy(Algorithm::Cico),
        Rule::pair_above(PAIR_CICO_BYTES, Algorithm::Linear),
        Rule::on_own_cores(LINE_RANKS, Range::ALL, Algorithm::CicoLinear),
        Rule::on_own_cores(LONG_LINE_RANKS, LONG_LINE_BYTES, Algorithm::CicoLinear),
        Rule::otherwise(Algorithm::Cico),
        Rule::otherwise(Algorithm::SingleCopyPartitioned),
        Rule::otherwise(Algorithm::RecursiveDoubling),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::RecursiveDoubling => "recursive_doubling",
            Algorithm::Linear => "linear",
            Algorithm::Cico => "cico",
            Algorithm::CicoLinear => "cico_linear",
            Algorithm::SingleCopyPartitioned => "single_copy_partitioned",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::Cico => shape.all_cico(),
            Algorithm::CicoLinear => shape.all_pipelined(),
            Algorithm::SingleCopyPartitioned => shape.all_single_copy(),
            _ => true,
        }
    }
}

/// Runs an exscan by algorithm `how`.
pub async fn exscan<C: Channel + NodeChannel>(ch: &C, v: Exscan, how: Algorithm) -> Result<()> {
    check(how, &CallTraits::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::RecursiveDoubling => recursive_doubling(ch, v).await,
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::Cico => cico(ch, v).await,
        Algorithm::CicoLinear => cico_linear(ch, v).await,
        Algorithm::SingleCopyPartitioned => single_copy_partitioned(ch, v).await,
    }
}

/// Recursive doubling: every rank hands its operand to its right neighbour; a scan over the ranks
/// except the first then gives each the sum of the operands before it. 1 + ceil(log2(p - 1))
/// rounds, each moving the whole vector, and one reduction per round where the textbook keeps two
/// partial results and needs two. Hillis, Steele (1986).
async fn recursive_doubling<C: Channel>(ch: &C, v: Exscan) -> Result<()> {
    let (me, own, result) = (ch.rank(), View::send(0, v.len), View::recv(0, v.len));
    let last = me + 1 == ch.size();
    if me == 0 {
        return if last { Ok(()) } else { ch.send(1, own).await };
    }
    // In place the result lies over the operand: what arrives waits until the operand has left.
    let before = ch.temp(v.len)?;
    let arriving = ch.irecv(me - 1, before)?;
    if !last {
        ch.send(me + 1, own).await?;
    }
    ch.wait(arriving).await?;
    ch.copy(before, result)?;
    scan::prefixes(ch, 1, result).await
}

/// Linear: every rank gets from its left neighbour the sum of the operands before it, and passes it
/// on with its own operand added. p - 1 rounds of the whole vector, but only p - 1 messages in all:
/// for few ranks.
async fn linear<C: Channel>(ch: &C, v: Exscan) -> Result<()> {
    let (me, own, result) = (ch.rank(), View::send(0, v.len), View::recv(0, v.len));
    let next = (me + 1 < ch.size()).then_some(me + 1);
    if me == 0 {
        return if let Some(next) = next { ch.send(next, own).await } else { Ok(()) };
    }
    let Some(next) = next else { return ch.recv(me - 1, result).await };
    let before = ch.temp(v.len)?;
    ch.recv(me - 1, before).await?;
    let through_me = ch.temp(v.len)?;
    ch.copy(own, through_me)?;
    ch.reduce(before, through_me)?;
    ch.send(next, through_me).await?;
    ch.copy(before, result)
}

/// Copy-in-copy-out: every rank publishes its operand and adds up those of the ranks before it. One
/// round, in which the last rank reads all vectors: best within a node for short ones.
pub async fn cico<C: NodeChannel>(ch: &C, v: Exscan) -> Result<()> {
    // What the last rank has is nobody's prefix.
    if ch.rank() + 1 < ch.size() {
        ch.copy_in(0, View::send(0, v.len)).await?;
    }
    let result = View::recv(0, v.len);
    for by in (0..ch.rank()).rev() {
        let slot = Slot { step: 0, by };
        if by + 1 == ch.rank() {
            ch.get(slot, 0, result).await?;
        } else {
            ch.get_reduce(slot, 0, result).await?;
        }
    }
    Ok(())
}

/// Copy-in-copy-out, linear: every rank waits for what its left neighbour publishes, the sum of the
/// operands before it, and publishes that with its own added, in pieces. As
/// [`scan::cico_linear`](crate::scan::cico_linear) otherwise.
pub async fn cico_linear<C: NodeChannel>(ch: &C, v: Exscan) -> Result<()> {
    let (operand, last) = (View::send(0, v.len), ch.rank() + 1 == ch.size());
    let through = match 0 < ch.rank() && !last {
        true => ch.temp(ch.copy_in_chunk(operand).max(1).min(v.len))?,
        false => View::EMPTY,
    };
    pipeline::along_ranks(ch, operand, async |own, step, before| {
        let Some(slot) = before else {
            return if last { Ok(()) } else { ch.copy_in(step, own).await };
        };
        // In place the result lies over the operand; and others wait for the sum.
        if !last {
            let sum = through.part(0, own.len);
            ch.get_combine(slot, 0, own, sum).await?;
            ch.copy_in(step, sum).await?;
        }
        ch.get(slot, 0, View::recv(own.start, own.len)).await
    })
    .await
}

/// Single copy, in parts: every rank reads one part of all vectors in the others' own memory and
/// puts the results for it into theirs, chunk by chunk. One round, the work divided among all, and
/// each operand is added once: best within a node for long vectors.
pub async fn single_copy_partitioned<C: NodeChannel>(ch: &C, v: Exscan) -> Result<()> {
    ch.expose(0, View::send(0, v.len)).await?;
    if ch.rank() > 0 {
        ch.expose_for_put(1, View::recv(0, v.len)).await?;
    }
    scan::put_prefixes(ch, v.len, Reach::Before).await
}
