//! Gatherv: blocks of different lengths reach the root.
//!
//! A rank's block is `View::send(0, send_len)`; the root receives block i where `recv` says.
//! Elsewhere `Recv` and `recv` mean nothing. In place, the root's `Send` lies over its own block
//! and `send_len` is that block's count.

use crate::places::Places;
use crate::select::{Choice, Rule, Shape, check};
use crate::shared::{Hand, enter, others, own_step};
use crate::{Channel, NodeChannel, Opened, Shown, View};
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
    /// See [`lent`].
    Lent,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "gatherv";
    const ALL: &'static [Self] = &[Algorithm::Linear, Algorithm::Lent];
    const TABLE: &'static [Rule<Self>] = &[
        // Both copy a long message, where the other would be idle.
        Rule::up_to_ranks(2, Algorithm::Linear),
        Rule::otherwise(Algorithm::Lent),
        Rule::otherwise(Algorithm::Linear),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Linear => "linear",
            Algorithm::Lent => "lent",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        self != Algorithm::Lent || shape.all_lend()
    }
}

/// Runs a gatherv by algorithm `how`.
pub async fn gatherv<C: Channel + NodeChannel>(
    ch: &C,
    v: Gatherv<'_>,
    how: Algorithm,
) -> Result<()> {
    check(how, &Shape::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::Lent => lent(ch, v).await,
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
    collect(ch, v).await
}

/// Lent: every rank puts a long block into the root's memory itself, all at the same time; of a
/// short one it shows a copy, which the root copies. One round, and whose block is short need not
/// wait: best within a node.
pub async fn lent<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    let (me, p, own) = (ch.rank(), ch.size(), View::send(0, v.send_len));
    if me == v.root {
        return collect_or_open(ch, v).await;
    }
    let step = own_step(v.root, me, p);
    enter(ch, step).await?;
    // The root sees how long the block is, and leaves if that is not what it expects.
    ch.show(0, own).await?;
    if !ch.is_long(own) {
        return Ok(());
    }
    ch.give(own, Opened { shown: Shown { step, by: v.root }, len: own.len }, 0).await
}

async fn collect_or_open<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    let p = ch.size();
    for rank in others(ch).filter(|&rank| ch.is_long(v.recv.recv(rank))) {
        ch.open(own_step(v.root, rank, p), v.recv.recv(rank)).await?;
    }
    ch.copy(View::send(0, v.send_len), v.recv.recv(v.root))?;
    for by in others(ch) {
        let (shown, block) = (Shown { step: 0, by }, v.recv.recv(by));
        match ch.is_long(block) {
            true => ch.seen_whole(shown, block).await?,
            false => ch.take_whole(shown, block).await?,
        }
    }
    Ok(())
}

/// What the root does with blocks that are shown.
async fn collect<C: NodeChannel>(ch: &C, v: Gatherv<'_>) -> Result<()> {
    ch.copy(View::send(0, v.send_len), v.recv.recv(v.root))?;
    for by in others(ch) {
        ch.take_whole(Shown { step: 0, by }, v.recv.recv(by)).await?;
    }
    Ok(())
}
