//! Allgatherv: every rank's block, of whatever length, reaches every rank.
//!
//! A rank's block is `View::send(0, send_len)`; block i lands where `recv` says. In place, `Send`
//! lies over the rank's own block of `Recv` and `send_len` is that block's count.

use crate::bcast::{self, Bcast};
use crate::gatherv::{self, Gatherv};
use crate::levels::Layout;
use crate::places::Places;
use crate::select::{Choice, Rule, Shape, check};
use crate::shared::{Hand, PAIR_COPIED_BYTES, others};
use crate::tree::doublings;
use crate::{Channel, NodeChannel, Nodes, Shown, SubChannel, View};
use dunlin_base::Result;

/// Arguments of an allgatherv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allgatherv<'a> {
    /// Elements this rank contributes, of its send datatype.
    pub send_len: usize,
    /// The place of every rank's block in the receive buffer.
    pub recv: Places<'a>,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`bruck`].
    Bruck,
    /// See [`ring`].
    Ring,
    /// See [`direct`].
    Direct,
    /// See [`two_level`].
    TwoLevel,
    /// See [`posted`].
    Posted,
    /// See [`lent`].
    Lent,
}

impl Choice for Algorithm {
    const OPERATION: &'static str = "allgatherv";
    const ALL: &'static [Self] = &[
        Algorithm::Bruck,
        Algorithm::Ring,
        Algorithm::Direct,
        Algorithm::TwoLevel,
        Algorithm::Posted,
        Algorithm::Lent,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::pair_above(PAIR_COPIED_BYTES, Algorithm::Lent),
        Rule::otherwise(Algorithm::Posted),
        Rule::otherwise(Algorithm::Lent),
        Rule::up_to_bytes(2 << 10, Algorithm::Bruck),
        Rule::otherwise(Algorithm::Ring),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Bruck => "bruck",
            Algorithm::Ring => "ring",
            Algorithm::Direct => "direct",
            Algorithm::TwoLevel => "two_level",
            Algorithm::Posted => "posted",
            Algorithm::Lent => "lent",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Algorithm::Posted => shape.all_post(),
            Algorithm::Lent => shape.all_lend(),
            _ => true,
        }
    }
}

/// Runs an allgatherv by algorithm `how`.
pub async fn allgatherv<C: Channel + NodeChannel>(
    ch: &C,
    v: Allgatherv<'_>,
    how: Algorithm,
) -> Result<()> {
    check(how, &Shape::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Bruck => bruck(ch, v).await,
        Algorithm::Ring => ring(ch, v).await,
        Algorithm::Direct => direct(ch, v).await,
        Algorithm::TwoLevel => two_level(ch, v).await,
        Algorithm::Posted => posted(ch, v).await,
        Algorithm::Lent => lent(ch, v).await,
    }
}

/// Bruck: every rank keeps the blocks of itself and its right neighbours, in that order and without
/// gaps; in round k it passes what it has to the rank 2^k to the left and grows its store from the
/// right. At the end every block is copied to its place.
/// ceil(log2 p) rounds, every block but one sent once, all copied once: best for short blocks.
/// Bruck, Ho, Kipnis, Upfal, Weathersby (1997).
pub async fn bruck<C: Channel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let count = |back: usize| v.recv.counts[(me + back) % p];
    let store = ch.temp(v.recv.counts.iter().sum())?;
    ch.copy(View::send(0, v.send_len), store.part(0, count(0)))?;
    let mut filled = count(0);
    for have in doublings(p) {
        let more = have.min(p - have);
        let leaving = store.part(0, (0..more).map(count).sum());
        let arriving = store.part(filled, (have..have + more).map(count).sum());
        filled += arriving.len;
        ch.exchange((me + p - have) % p, leaving, (me + have) % p, arriving).await?;
    }
    let mut start = 0;
    for right in 0..p {
        let block = v.recv.recv((me + right) % p);
        ch.copy(store.part(start, block.len), block)?;
        start += block.len;
    }
    Ok(())
}

/// Ring: in every round each rank passes the block it got last to its right neighbour.
/// p - 1 rounds, all traffic between neighbours, but each round is as slow as its longest block:
/// best for long blocks of similar lengths. Thakur, Rabenseifner, Gropp (2005), section 4.1.
pub async fn ring<C: Channel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    ch.copy(View::send(0, v.send_len), v.recv.recv(me))?;
    let (right, left) = ((me + 1) % p, (me + p - 1) % p);
    for step in 0..p - 1 {
        let mine = v.recv.recv((me + p - step) % p);
        let theirs = v.recv.recv((left + p - step) % p);
        ch.exchange(right, mine, left, theirs).await?;
    }
    Ok(())
}

/// Direct: every rank with data sends its block to all others at once, each beginning with another
/// so that no rank is everybody's first.
/// One round of up to p - 1 blocks each way, nothing copied: best for few ranks, or where most
/// blocks are empty.
pub async fn direct<C: Channel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let own = v.recv.recv(me);
    ch.copy(View::send(0, v.send_len), own)?;
    let from = (1..p).map(|k| (me + p - k) % p).filter(|&rank| v.recv.counts[rank] > 0);
    let arriving = from.map(|rank| ch.irecv(rank, v.recv.recv(rank)));
    let leaving = (1..p).filter(|_| own.len > 0).map(|k| ch.isend((me + k) % p, own));
    let tickets = arriving.chain(leaving).collect::<Result<Vec<_>>>()?;
    ch.wait_all(tickets).await
}

/// Two levels: the lowest rank of every node collects the blocks of its node, these ranks pass them
/// round a ring, and hand the whole to their nodes by a binomial tree. nodes - 1 rounds between
/// nodes, every block into every node once: best on several nodes. Blocks travel node by node
/// without gaps: in the receive buffer itself if that is how it is laid out, else copied once more
/// at every rank. Träff (2006).
pub async fn two_level<C: Channel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    let collect = async |node: &SubChannel<'_, C>, v: Gatherv<'_>| gatherv::linear(node, v).await;
    in_two_levels(ch, v, collect, bcast::binomial).await
}

/// As [`two_level`], by such algorithms within nodes.
pub(crate) async fn in_two_levels<'c, C: Channel>(
    ch: &'c C,
    v: Allgatherv<'_>,
    collect: impl AsyncFn(&SubChannel<'c, C>, Gatherv<'_>) -> Result<()>,
    hand_out: impl AsyncFn(&SubChannel<'c, C>, Bcast) -> Result<()>,
) -> Result<()> {
    let nodes = ch.nodes();
    let packed = Layout::consecutive(nodes.by_node().map(|rank| v.recv.counts[rank]));
    let total = packed.counts.iter().sum();
    let store = match within_recv(&nodes, &packed, v.recv) {
        Some(start) => View::recv(start, total),
        None => ch.temp(total)?,
    };
    let (mine, members) = (nodes.node_of(ch.rank()), nodes.members(nodes.node_of(ch.rank())));
    let first = nodes.by_node().take_while(|&rank| rank != members[0]).count();
    let blocks = first..first + members.len();
    let recv = Places {
        counts: &packed.counts[blocks.clone()],
        displacements: &packed.displacements[blocks],
    };
    let node = SubChannel::node(ch, &nodes).over(View::send(0, 0), store);
    collect(&node, Gatherv { root: 0, send_len: v.send_len, recv }).await?;
    if let Some(top) = SubChannel::among(ch, nodes.leaders(0)) {
        let count = |node: usize| nodes.members(node).iter().map(|&rank| v.recv.counts[rank]).sum();
        let runs = Layout::consecutive((0..nodes.count()).map(count));
        let own = store.part(runs.displacements[mine], runs.counts[mine]);
        let v = Allgatherv { send_len: own.len, recv: runs.places() };
        ring(&top.over(own, store), v).await?;
    }
    hand_out(&node.from_step(1), Bcast { root: 0, len: total }).await?;
    for (place, rank) in nodes.by_node().enumerate() {
        let block = store.part(packed.displacements[place], packed.counts[place]);
        ch.copy(block, v.recv.recv(rank))?;
    }
    Ok(())
}

/// Every rank with data lends its block, and all copy them: the last node phase of forms with
/// several leaders.
pub(crate) async fn lent_data<C: NodeChannel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    let own = v.recv.recv(ch.rank());
    ch.copy(View::send(0, v.send_len), own)?;
    if own.len > 0 {
        ch.lend(0, own).await?;
    }
    for by in others(ch).filter(|&by| v.recv.counts[by] > 0) {
        ch.take(Shown { step: 0, by }, 0, v.recv.recv(by)).await?;
    }
    Ok(())
}

/// Where in the receive buffer the blocks stand one after the other, node by node, if they do.
fn within_recv(nodes: &Nodes, packed: &Layout, places: Places<'_>) -> Option<usize> {
    let first = places.displacements[0];
    let stands = |rank: usize| places.displacements[rank] == first + packed.displacements[rank];
    (nodes.in_order() && (0..packed.counts.len()).all(stands)).then_some(first)
}

/// Posted: every rank shows its block and copies all the others. Two copies and one round: best
/// within a node where the longest block fits into a slot of shared memory.
pub async fn posted<C: NodeChannel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    shown(ch, v, Hand::Post).await
}

/// Lent: every rank copies the blocks straight out of the others' memory. One copy: best within a
/// node for long blocks.
pub async fn lent<C: NodeChannel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    shown(ch, v, Hand::Lend).await
}

async fn shown<C: NodeChannel>(ch: &C, v: Allgatherv<'_>, hand: Hand) -> Result<()> {
    let own = View::send(0, v.send_len);
    hand.show(ch, 0, own).await?;
    ch.copy(own, v.recv.recv(ch.rank()))?;
    for by in others(ch) {
        ch.take_whole(Shown { step: 0, by }, v.recv.recv(by)).await?;
    }
    Ok(())
}
