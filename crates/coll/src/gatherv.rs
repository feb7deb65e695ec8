//! Gatherv: blocks of different lengths reach the root.
//!
//! A rank's block is `View::send(0, send_len)`; the root receives block i where `recv` says.
//! Elsewhere `Recv` and `recv` mean nothing. In place, the root's `Send` lies over its own block
//! and `send_len` is that block's count.

use crate::places::Places;
use crate::select::{Choice, Rule, Shape, check};
use crate::shared::{Hand, others};
use crate::{Channel, NodeChannel, Shown, View};
use dunlin_base::Result;

/// Arguments of a gatherv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gatherv<'a> {
    /// The rank that collects; the same at every rank.
    pub root: usize,
    /// Elements this rank contributes, of its send datatype.
    pub send_len: usize,
    /// At the root, the place of every rank's block; not read elsewhere.
    pub recv: Places<'a>,
}

/// The algorithms of this operation. Only the root knows all counts, so trees would first have to
/// tell them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`linear`].
    Linear,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "gatherv";
    const ALL: &'static [Self] = &[Algorithm::Linear];
    const TABLE: &'static [Rule<Self>] = &[Rule::otherwise(Algorithm::Linear)];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Linear => "linear",
        }
    }

    fn fits(self, _: &Shape) -> bool {
        true
    }
}

/// Runs a gatherv by algorithm `how`.
pub async fn gatherv<C: Channel>(ch: &C, v: Gatherv<'_>, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()))?;
    match how {
        Algorithm::Linear => linear(ch, v).await,
    }
}

/// Linear: every rank with data sends it to the root, which has posted all receives.
/// One round, up to p - 1 messages at the root, every block moved once.
pub async fn linear<C: Channel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    let own = View::send(0, v.send_len);
    if ch.rank() != v.root {
        return if own.len > 0 { ch.send(v.root, own).await } else { Ok(()) };
    }
    let others = (0..ch.size()).filter(|&i| i != v.root && v.recv.counts[i] > 0);
    let arriving = others.map(|i| ch.irecv(i, v.recv.recv(i))).collect::<Result<Vec<_>>>()?;
    ch.copy(own, v.recv.recv(v.root))?;
    ch.wait_all(arriving).await
}

/// Every rank shows its block, the root copies them: the node phase of forms in two levels. Not one
/// of its own, since only the root knows whether there is room for the longest block.
pub(crate) async fn shown<C: NodeChannel>(ch: &C, v: Gatherv<'_>, hand: Hand) -> Result<()> {
    let own = View::send(0, v.send_len);
    if ch.rank() != v.root {
        return hand.show(ch, 0, own).await;
    }
    ch.copy(own, v.recv.recv(v.root))?;
    for by in others(ch) {
        ch.take(Shown { step: 0, by }, 0, v.recv.recv(by)).await?;
    }
    Ok(())
}
