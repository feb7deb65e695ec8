//! Scan: at every rank, the operator's result over the vectors of all ranks up to and including it.
//!
//! Operand in `View::send(0, len)`, result in `View::recv(0, len)`; in place, both are one.

use crate::node_channel::chunks;
use crate::partition::Partition;
use crate::select::{AlgorithmSet, CallTraits, Range, Rule, check};
use crate::tree::doublings;
use crate::{Channel, Member, NodeChannel, PutTarget, Slot, View, pipeline};
use dunlin_base::Result;

/// Ranks that add up short vectors in a line. By `cico` the last one reads all vectors: where scans
/// of 8 B by 16 ranks follow each other, each takes 2.1 us, in Open MPI's line of messages 0.49.
/// One by itself takes longer in a line, 1.7 instead of 0.8 us, simulated.
pub(crate) const LINE_RANKS: Range = Range { min: 3, max: 16 };
/// More of them, and what they add up so: 64 KiB by 32 ranks take 67 us in a line, 130 by `cico`,
/// simulated. The pieces that are under way at a time do not fill a longer line.
pub(crate) const LONG_LINE_RANKS: Range = Range { min: 17, max: 32 };
pub(crate) const LONG_LINE_BYTES: Range = Range::from((32 << 10) + 1);

/// Arguments of a scan; the same at every rank. Operands are always combined in the order of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
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
    const OPERATION: &'static str = "scan";
    const ALL: &'static [Self] = &[
        Algorithm::RecursiveDoubling,
        Algorithm::Linear,
        Algorithm::Cico,
        Algorithm::CicoLinear,
        Algorithm::SingleCopyPartitioned,
    ];
    const TABLE: &'static [Rule<Self>] = &[
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

/// Runs a scan by algorithm `how`.
pub async fn scan<C: Channel + NodeChannel>(ch: &C, v: Scan, how: Algorithm) -> Result<()> {
    check(how, &CallTraits::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::RecursiveDoubling => recursive_doubling(ch, v).await,
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::Cico => cico(ch, v).await,
        Algorithm::CicoLinear => cico_linear(ch, v).await,
        Algorithm::SingleCopyPartitioned => single_copy_partitioned(ch, v).await,
    }
}

/// Recursive doubling: in round k every rank sends its partial result to the rank 2^k to its right
/// and puts what comes from the rank 2^k to its left before its own, which then covers twice as
/// many ranks. ceil(log2 p) rounds, each moving the whole vector; any p is as good as a power of
/// two. Hillis, Steele (1986).
async fn recursive_doubling<C: Channel>(ch: &C, v: Scan) -> Result<()> {
    prefixes(ch, 0, own_result(ch, v)?).await
}

/// The result over this rank alone.
fn own_result<C: Member>(ch: &C, v: Scan) -> Result<View> {
    let result = View::recv(0, v.len);
    ch.copy(View::send(0, v.len), result)?;
    Ok(result)
}

/// Turns the vectors `partial` of the ranks from `first` on into their prefix results.
pub(crate) async fn prefixes<C: Channel>(ch: &C, first: usize, partial: View) -> Result<()> {
    let (me, ranks) = (ch.rank() - first, ch.size() - first);
    if ranks == 1 {
        return Ok(());
    }
    let incoming = ch.temp(partial.len)?;
    for distance in doublings(ranks) {
        let from_left = me.checked_sub(distance);
        let arriving = from_left.map(|left| ch.irecv(first + left, incoming)).transpose()?;
        if me + distance < ranks {
            ch.send(first + me + distance, partial).await?;
        }
        if let Some(arriving) = arriving {
            ch.wait(arriving).await?;
            ch.reduce(incoming, partial)?;
        }
    }
    Ok(())
}

/// Linear: every rank waits for the result of its left neighbour, adds its operand and passes the
/// sum on.
/// p - 1 rounds of the whole vector, but only p - 1 messages in all: for few ranks.
async fn linear<C: Channel>(ch: &C, v: Scan) -> Result<()> {
    let (me, result) = (ch.rank(), own_result(ch, v)?);
    if me > 0 {
        let before = ch.temp(v.len)?;
        ch.recv(me - 1, before).await?;
        ch.reduce(before, result)?;
    }
    if me + 1 < ch.size() { ch.send(me + 1, result).await } else { Ok(()) }
}

/// Copy-in-copy-out: every rank publishes its operand and adds those of the ranks before it to its
/// own. One round, in which the last rank reads all vectors: best within a node for short ones.
pub async fn cico<C: NodeChannel>(ch: &C, v: Scan) -> Result<()> {
    // What the last rank has is in no other's prefix.
    if ch.rank() + 1 < ch.size() {
        ch.copy_in(0, View::send(0, v.len)).await?;
    }
    let result = own_result(ch, v)?;
    for by in (0..ch.rank()).rev() {
        ch.get_reduce(Slot { step: 0, by }, 0, result).await?;
    }
    Ok(())
}

/// Copy-in-copy-out, linear: every rank waits for the result that its left neighbour publishes,
/// adds its operand and publishes the sum, in pieces. p - 1 hops, but each rank reads one vector,
/// the pieces of a long one are at different ranks at a time, and so are scans that follow each
/// other.
pub async fn cico_linear<C: NodeChannel>(ch: &C, v: Scan) -> Result<()> {
    let last = ch.rank() + 1 == ch.size();
    pipeline::along_ranks(ch, View::send(0, v.len), async |own, step, before| {
        let sum = View::recv(own.start, own.len);
        match before {
            Some(slot) => ch.get_combine(slot, 0, own, sum).await?,
            None => ch.copy(own, sum)?,
        }
        if last { Ok(()) } else { ch.copy_in(step, sum).await }
    })
    .await
}

/// Single copy, in parts: every rank reads one part of all vectors in the others' own memory and
/// puts the results for it into theirs, chunk by chunk. One round, the work divided among all, and
/// each operand is added once: best within a node for long vectors.
pub async fn single_copy_partitioned<C: NodeChannel>(ch: &C, v: Scan) -> Result<()> {
    ch.expose(0, View::send(0, v.len)).await?;
    ch.expose_for_put(1, View::recv(0, v.len)).await?;
    put_prefixes(ch, v.len, Reach::Through).await
}

/// Which ranks a rank's result is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those before it, which rank 0 has none of.
    Before,
    /// Those before it, and itself.
    Through,
}

/// Adds up this rank's part of the vectors of `len` elements that all ranks expose at step 0, and
/// puts every rank's result over it into what it exposes at step 1, in chunks that stay in a cache.
/// An operand is read before the result may come over it.
pub(crate) async fn put_prefixes<C: NodeChannel>(ch: &C, len: usize, reach: Reach) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let mine = Partition::Even { len, parts: p }.block(View::send(0, len), me);
    if mine.len == 0 {
        // Nothing to add up, but lengths that differ are noticed.
        return ch.await_all(0).await;
    }
    let result = |rank| PutTarget { slot: Slot { step: 1, by: rank }, len };
    // The ranks before this one have operands that are in somebody's result.
    let last = if reach == Reach::Through { p } else { p - 1 };
    let chunk = ch.chunk(mine);
    let room = chunk.min(mine.len);
    let (mut before, mut through) = (ch.temp(room)?, ch.temp(room)?);
    for operand in chunks(mine, chunk) {
        through.len = operand.len;
        for rank in 0..p {
            if rank == me {
                ch.copy(operand, through)?;
            } else if rank < last {
                ch.get(Slot { step: 0, by: rank }, operand.start, through).await?;
            }
            if reach == Reach::Before && rank > 0 {
                ch.put(before, result(rank), operand.start).await?;
            }
            if 0 < rank && rank < last {
                ch.reduce(before, through)?;
            }
            if reach == Reach::Through {
                ch.put(through, result(rank), operand.start).await?;
            }
            (before, through) = (through, View { len: operand.len, ..before });
        }
    }
    Ok(())
}
