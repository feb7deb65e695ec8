//! Gather: every rank's block reaches the root, in the order of ranks.
//!
//! A rank's block is `View::send(0, send_block)`; at the root block i lands in
//! `View::recv(i * recv_block, recv_block)`. Elsewhere `Recv` means nothing and `Temp` has the send
//! buffer's datatype. `send_block` elements at any rank hold what `recv_block` elements hold at the
//! root, though counts and datatypes may differ. In place, the root's `Send` lies over its own
//! block and its `send_block` is `recv_block`.

use crate::select::{Choice, Rule, Shape, check};
use crate::tree::Binomial;
use crate::{Channel, View};
use dunlin_base::Result;

/// Arguments of a gather.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gather {
    /// The rank that collects; the same at every rank.
    pub root: usize,
    /// Elements this rank contributes, of its send datatype.
    pub send_block: usize,
    /// Elements of each block at the root, of its receive datatype; not read elsewhere.
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
    const OPERATION: &'static str = "gather";
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

/// Runs a gather by algorithm `how`.
pub async fn gather<C: Channel>(ch: &C, v: Gather, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()))?;
    match how {
        Algorithm::Binomial => binomial(ch, v).await,
        Algorithm::Linear => linear(ch, v).await,
    }
}

/// Binomial tree: a rank collects the blocks of its subtree and hands all of them to its parent.
/// ceil(log2 p) rounds; a block moves up to log2 p times: best for small blocks. The one subtree
/// whose blocks reach past the last rank arrives at the root in two messages, each in its place.
/// Thakur, Rabenseifner, Gropp (2005), section 4.
pub async fn binomial<C: Channel>(ch: &C, v: Gather) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let own = View::send(0, v.send_block);
    let Some(parent) = tree.parent() else { return binomial_root(ch, tree, v).await };
    let blocks = tree.subtree(tree.me);
    if blocks == 1 {
        return ch.send(parent, own).await;
    }
    let all = ch.temp(blocks * v.send_block)?;
    ch.copy(own, all.part(0, v.send_block))?;
    for child in tree.children() {
        let (start, count) = ((child - tree.me) * v.send_block, tree.subtree(child) * v.send_block);
        ch.recv(tree.rank_of(child), all.part(start, count)).await?;
    }
    if !tree.under_root() {
        return ch.send(parent, all).await;
    }
    // The root receives straight into its buffer, where the subtree may wrap round the last rank.
    for (first, count) in tree.runs(tree.me) {
        let start = (first + tree.size - ch.rank()) % tree.size * v.send_block;
        ch.send(parent, all.part(start, count * v.send_block)).await?;
    }
    Ok(())
}

async fn binomial_root<C: Channel>(ch: &C, tree: Binomial, v: Gather) -> Result<()> {
    ch.copy(View::send(0, v.send_block), View::recv(v.root * v.recv_block, v.recv_block))?;
    for child in tree.children() {
        for (first, count) in tree.runs(child) {
            let place = View::recv(first * v.recv_block, count * v.recv_block);
            ch.recv(tree.rank_of(child), place).await?;
        }
    }
    Ok(())
}

/// Linear: every rank sends its block to the root, which has posted all receives.
/// One round, p - 1 messages at the root, every block moved once: best for large blocks.
pub async fn linear<C: Channel>(ch: &C, v: Gather) -> Result<()> {
    let own = View::send(0, v.send_block);
    if ch.rank() != v.root {
        return ch.send(v.root, own).await;
    }
    let place = |i: usize| View::recv(i * v.recv_block, v.recv_block);
    let others = (0..ch.size()).filter(|&i| i != v.root);
    let arriving = others.map(|i| ch.irecv(i, place(i))).collect::<Result<Vec<_>>>()?;
    ch.copy(own, place(v.root))?;
    ch.wait_all(arriving).await
}
