//! Scatter: block i of the root's vector reaches rank i.
//!
//! At the root block i is `View::send(i * send_block, send_block)`; elsewhere `Send` means nothing.
//! A rank's block lands in `View::recv(0, recv_block)`. `recv_block` elements at any rank hold what
//! `send_block` elements hold at the root, though counts and datatypes may differ. In place, the
//! root's `Recv` lies over its own block and its `recv_block` is `send_block`.

use crate::select::{Choice, Rule, Shape, check};
use crate::tree::Binomial;
use crate::{Channel, View};
use dunlin_base::Result;

/// Arguments of a scatter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scatter {
    /// The rank that hands out; the same at every rank.
    pub root: usize,
    /// Elements of each block at the root, of its send datatype; not read elsewhere.
    pub send_block: usize,
    /// Elements this rank gets, of its receive datatype.
    pub recv_block: usize,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`binomial`].
    Binomial,
    /// See [`linear`].
    Linear,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "scatter";
    const ALL: &'static [Self] = &[Algorithm::Binomial, Algorithm::Linear];
    const TABLE: &'static [Rule<Self>] =
        &[Rule::up_to_bytes(2 << 10, Algorithm::Binomial), Rule::otherwise(Algorithm::Linear)];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Binomial => "binomial",
            Algorithm::Linear => "linear",
        }
    }

    fn fits(self, _: &Shape) -> bool {
        true
    }
}

/// Runs a scatter by algorithm `how`.
pub async fn scatter<C: Channel>(ch: &C, v: Scatter, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()))?;
    match how {
        Algorithm::Binomial => binomial(ch, v).await,
        Algorithm::Linear => linear(ch, v).await,
    }
}

/// Binomial tree: a rank receives the blocks of its whole subtree and hands each child its share.
/// ceil(log2 p) rounds; a block moves up to log2 p times: best for small blocks. The one subtree
/// whose blocks reach past the last rank leaves the root in two messages, straight from its place.
/// Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn binomial<C: Channel>(ch: &C, v: Scatter) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let own = View::recv(0, v.recv_block);
    let Some(parent) = tree.parent() else { return binomial_root(ch, tree, v).await };
    let blocks = tree.subtree(tree.me);
    if blocks == 1 {
        return ch.recv(parent, own).await;
    }
    let all = ch.temp(blocks * v.recv_block)?;
    if !tree.under_root() {
        ch.recv(parent, all).await?;
    } else {
        for (first, count) in tree.runs(tree.me) {
            let start = (first + tree.size - ch.rank()) % tree.size * v.recv_block;
            ch.recv(parent, all.part(start, count * v.recv_block)).await?;
        }
    }
    for child in tree.children().rev() {
        let (start, count) = ((child - tree.me) * v.recv_block, tree.subtree(child) * v.recv_block);
        ch.send(tree.rank_of(child), all.part(start, count)).await?;
    }
    ch.copy(all.part(0, v.recv_block), own)
}

async fn binomial_root<C: Channel>(ch: &C, tree: Binomial, v: Scatter) -> Result<()> {
    for child in tree.children().rev() {
        for (first, count) in tree.runs(child) {
            let blocks = View::send(first * v.send_block, count * v.send_block);
            ch.send(tree.rank_of(child), blocks).await?;
        }
    }
    ch.copy(View::send(v.root * v.send_block, v.send_block), View::recv(0, v.recv_block))
}

/// Linear: the root sends every rank its block, all sends in flight at once.
/// One round, p - 1 messages at the root, every block moved once: best for large blocks.
pub async fn linear<C: Channel>(ch: &C, v: Scatter) -> Result<()> {
    let own = View::recv(0, v.recv_block);
    if ch.rank() != v.root {
        return ch.recv(v.root, own).await;
    }
    let place = |i: usize| View::send(i * v.send_block, v.send_block);
    let others = (0..ch.size()).filter(|&i| i != v.root);
    let leaving = others.map(|i| ch.isend(i, place(i))).collect::<Result<Vec<_>>>()?;
    ch.copy(place(v.root), own)?;
    ch.wait_all(leaving).await
}
