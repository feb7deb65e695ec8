//! Reduce: the operator's result over all ranks' vectors, at the root alone.
//!
//! Operand in `View::send(0, len)`, result in the root's `View::recv(0, len)`; the other ranks do
//! not touch `Recv`. In place, the root's `Send` lies over its `Recv`.

use crate::select::{Choice, Rule, Shape, check};
use crate::tree::Binomial;
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
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "reduce";
    const ALL: &'static [Self] = &[Algorithm::Binomial, Algorithm::InOrder];
    const TABLE: &'static [Rule<Self>] =
        &[Rule::otherwise(Algorithm::Binomial), Rule::otherwise(Algorithm::InOrder)];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Binomial => "binomial",
            Algorithm::InOrder => "in_order",
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
    }
}

/// Binomial tree: a rank adds its children's partial results to its own operand and hands the sum to
/// its parent. The tree is rotated so that the root is at its top, which commuting operators allow.
/// ceil(log2 p) rounds, each moving the whole vector; best for short vectors.
/// Thakur, Rabenseifner, Gropp (2005), section 4.4.
pub async fn binomial<C: Channel>(ch: &C, v: Reduce) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let result = climb(ch, tree, v.len).await?;
    if ch.rank() == v.root { ch.copy(result, View::recv(0, v.len)) } else { Ok(()) }
}

/// Binomial tree in the order of ranks: rank 0 is at the top of the tree whoever the root is, so
/// that every partial result covers consecutive ranks, and sends the result to the root.
/// ceil(log2 p) + 1 rounds, each moving the whole vector (one round less if the root is rank 0); for
/// operators that do not commute.
pub async fn in_order<C: Channel>(ch: &C, v: Reduce) -> Result<()> {
    let result = climb(ch, Binomial::new(ch.rank(), 0, ch.size()), v.len).await?;
    match (ch.rank(), v.root) {
        (0, 0) => ch.copy(result, View::recv(0, v.len)),
        (0, root) => ch.send(root, result).await,
        (me, root) if me == root => ch.recv(0, View::recv(0, v.len)).await,
        _ => Ok(()),
    }
}

/// Collects the partial results of this rank's subtree and passes them on to the parent. Returns
/// where they stand: at the top of the tree, the result of all.
async fn climb<C: Channel>(ch: &C, tree: Binomial, len: usize) -> Result<View> {
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
