//! Allreduce: the operator's result over all ranks' vectors, at every rank.
//!
//! Operand in `View::send(0, len)`, result in `View::recv(0, len)`; in place, both are one.

use crate::bcast::{self, Bcast};
use crate::fold::Core;
use crate::parts::Parts;
use crate::reduce::{self, Reduce};
use crate::select::{Choice, Rule, Shape, check};
use crate::tree::doublings;
use crate::{Channel, View};
use dunlin_base::Result;

/// Arguments of an allreduce; the same at every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allreduce {
    /// Number of elements.
    pub len: usize,
    /// Whether the operator commutes; if not, operands are combined in the order of ranks.
    pub commutative: bool,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`recursive_doubling`].
    RecursiveDoubling,
    /// See [`reduce_bcast`].
    ReduceBcast,
    /// See [`ring`].
    Ring,
    /// See [`rabenseifner`].
    Rabenseifner,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "allreduce";
    const ALL: &'static [Self] = &[
        Algorithm::RecursiveDoubling,
        Algorithm::ReduceBcast,
        Algorithm::Ring,
        Algorithm::Rabenseifner,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::up_to_bytes(2 << 10, Algorithm::RecursiveDoubling),
        Rule::up_to_bytes(512 << 10, Algorithm::Rabenseifner),
        Rule::otherwise(Algorithm::Ring),
        Rule::otherwise(Algorithm::RecursiveDoubling),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::RecursiveDoubling => "recursive_doubling",
            Algorithm::ReduceBcast => "reduce_bcast",
            Algorithm::Ring => "ring",
            Algorithm::Rabenseifner => "rabenseifner",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        shape.commutative || !matches!(self, Algorithm::Ring | Algorithm::Rabenseifner)
    }
}

/// Runs an allreduce by algorithm `how`.
pub async fn allreduce<C: Channel>(ch: &C, v: Allreduce, how: Algorithm) -> Result<()> {
    check(how, &Shape::reduction(ch.size(), v.commutative))?;
    match how {
        Algorithm::RecursiveDoubling => recursive_doubling(ch, v).await,
        Algorithm::ReduceBcast => reduce_bcast(ch, v).await,
        Algorithm::Ring => ring(ch, v).await,
        Algorithm::Rabenseifner => rabenseifner(ch, v).await,
    }
}

/// Recursive doubling: in round k every rank swaps its partial result with the rank 2^k away.
/// ceil(log2 p) rounds, each moving the whole vector: best for short vectors. Ranks beyond the
/// largest power of two first fold into a neighbour and are told the result at the end, two rounds
/// more. Thakur, Rabenseifner, Gropp (2005), section 4.5.
pub async fn recursive_doubling<C: Channel>(ch: &C, v: Allreduce) -> Result<()> {
    let result = View::recv(0, v.len);
    ch.copy(View::send(0, v.len), result)?;
    if ch.size() == 1 {
        return Ok(());
    }
    let (mut partial, mut incoming) = (result, ch.temp(v.len)?);
    let core = Core::new(ch.rank(), ch.size());
    if core.fold_in(ch, partial, incoming).await? {
        for distance in doublings(core.size) {
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
/// vectors. Operands meet in ring order, so the operator must commute.
/// Patarasuk, Yuan (2009).
pub async fn ring<C: Channel>(ch: &C, v: Allreduce) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let data = View::recv(0, v.len);
    ch.copy(View::send(0, v.len), data)?;
    if p == 1 {
        return Ok(());
    }
    let parts = Parts::Even { len: v.len, parts: p };
    let chunk = |back: usize| parts.block(data, (me + 2 * p - back) % p);
    let incoming = ch.temp(parts.len(0))?;
    let (right, left) = ((me + 1) % p, (me + p - 1) % p);
    for step in 0..p - 1 {
        let grown = chunk(step + 1);
        let arriving = incoming.part(0, grown.len);
        ch.exchange(right, chunk(step), left, arriving).await?;
        ch.reduce(arriving, grown)?;
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
    let parts = Parts::Even { len: v.len, parts: core.size };
    let held = |first, count| parts.run(data, first, count);
    // Room for a whole vector where a neighbour folds in, else for the first half.
    let incoming =
        ch.temp(if core.has_neighbour() { v.len } else { parts.start(core.size / 2) })?;
    if core.fold_in(ch, data, incoming).await? {
        core.halve(ch, held, incoming).await?;
        for distance in doublings(core.size) {
            let mine = core.me & !(distance - 1);
            let theirs = mine ^ distance;
            let peer = core.rank_of(core.me ^ distance);
            ch.exchange(peer, held(mine, distance), peer, held(theirs, distance)).await?;
        }
    }
    core.fold_out(ch, data, data).await
}
