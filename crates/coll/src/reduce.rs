//! Reduce: the operator's result over all ranks' vectors, at the root alone.
//!
//! Operand in `View::send(0, len)`, result in the root's `View::recv(0, len)`; the other ranks do
//! not touch `Recv`. In place, the root's `Send` lies over its `Recv`.

use crate::fold::Core;
use crate::parts::Parts;
use crate::select::{Choice, Rule, Shape, check};
use crate::tree::{Binomial, doublings};
use crate::{Channel, View};
use dunlin_base::Result;

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
    /// See [`in_order`].
    InOrder,
    /// See [`scatter_gather`].
    ScatterGather,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "reduce";
    const ALL: &'static [Self] =
        &[Algorithm::Binomial, Algorithm::InOrder, Algorithm::ScatterGather];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::up_to_bytes(2 << 10, Algorithm::Binomial),
        Rule::otherwise(Algorithm::ScatterGather),
        Rule::otherwise(Algorithm::InOrder),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Binomial => "binomial",
            Algorithm::InOrder => "in_order",
            Algorithm::ScatterGather => "scatter_gather",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        shape.commutative || self == Algorithm::InOrder
    }
}

/// Runs a reduce by algorithm `how`.
pub async fn reduce<C: Channel>(ch: &C, v: Reduce, how: Algorithm) -> Result<()> {
    check(how, &Shape::reduction(ch.size(), v.commutative))?;
    match how {
        Algorithm::Binomial => binomial(ch, v).await,
        Algorithm::InOrder => in_order(ch, v).await,
        Algorithm::ScatterGather => scatter_gather(ch, v).await,
    }
}

/// Binomial tree: a rank adds its children's partial results to its own operand and hands the sum
/// to its parent. The tree is rotated so that the root is at its top, which commuting operators
/// allow. ceil(log2 p) rounds, each moving the whole vector; best for short vectors. Thakur,
/// Rabenseifner, Gropp (2005), section 4.4.
pub async fn binomial<C: Channel>(ch: &C, v: Reduce) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let result = climb(ch, tree, v.len).await?;
    if ch.rank() == v.root { ch.copy(result, View::recv(0, v.len)) } else { Ok(()) }
}

/// Binomial tree in the order of ranks: rank 0 is at the top of the tree whoever the root is, so
/// that every partial result covers consecutive ranks, and sends the result to the root.
/// ceil(log2 p) + 1 rounds, each moving the whole vector (one round less if the root is rank 0);
/// for operators that do not commute.
pub async fn in_order<C: Channel>(ch: &C, v: Reduce) -> Result<()> {
    let result = climb(ch, Binomial::new(ch.rank(), 0, ch.size()), v.len).await?;
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
    let parts = Parts::Even { len: v.len, parts: core.size };
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

/// Collects the partial results of this rank's subtree and passes them on to the parent. Returns
/// where they stand: at the top of the tree, the result of all.
pub(crate) async fn climb<C: Channel>(ch: &C, tree: Binomial, len: usize) -> Result<View> {
    let mut partial = View::send(0, len);
    let mut spare = None;
    for child in tree.children() {
        let incoming = match spare.take() {
            Some(view) => view,
            None => ch.temp(len)?,
        };
        ch.recv(tree.rank_of(child), incoming).await?;
        // A child's subtree lies to the right of what is here: its result is the right operand.
        ch.reduce(partial, incoming)?;
        if partial != View::send(0, len) {
            spare = Some(partial);
        }
        partial = incoming;
    }
    if let Some(parent) = tree.parent() {
        ch.send(parent, partial).await?;
    }
    Ok(partial)
}
