//! Allgatherv: every rank's block, of whatever length, reaches every rank.
//!
//! A rank's block is `View::send(0, send_len)`; block i lands where `recv` says. In place, `Send`
//! lies over the rank's own block of `Recv` and `send_len` is that block's count.

use crate::gatherv::{self, Gatherv};
use crate::levels::PackedBlocks;
use crate::node_channel::{PAIR_CICO_BYTES, ShareMode, others};
use crate::select::{AlgorithmSet, CallTraits, Rule, check};
use crate::tree::{Binomial, doublings};
use crate::vector_layout::BlockLayout;
use crate::{Channel, Member, NodeChannel, Nodes, Slot, SubChannel, View};
use dunlin_base::Result;

/// Arguments of an allgatherv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allgatherv<'a> {
    /// Elements this rank contributes, of its send datatype.
    pub send_len: usize,
    /// The place of every rank's block in the receive buffer.
    pub recv: BlockLayout<'a>,
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
    /// See [`cico`].
    Cico,
    /// See [`single_copy`].
    SingleCopy,
}

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "allgatherv";
    const ALL: &'static [Self] = &[
        Algorithm::Bruck,
        Algorithm::Ring,
        Algorithm::Direct,
        Algorithm::TwoLevel,
        Algorithm::Cico,
        Algorithm::SingleCopy,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::Ring),
        Rule::few_with_slow_copies(8, 256 << 10, Algorithm::Ring),
        Rule::pair_above(PAIR_CICO_BYTES, Algorithm::SingleCopy),
        Rule::otherwise(Algorithm::Cico),
        Rule::otherwise(Algorithm::SingleCopy),
        // Bruck's last round passes half of the result on at once, and a copy of the whole follows.
        // Simulated, that pays where one or two ranks share a node up to 16 KiB each on hpc7g, c5n
        // and hbv3 (hpc7g, 256 nodes of 1 with 4 KiB: 0.24 ms, by a ring 2.0), where 8 do up to 1
        // KiB on two of them (hpc7g, 64 nodes: 0.26 ms, in two levels 0.61), where more do up to
        // some 128 KiB in all.
        Rule::on_nodes_of_few(2, 16 << 10, Algorithm::Bruck),
        Rule::on_nodes_of_few(8, 1 << 10, Algorithm::Bruck),
        Rule::up_to(64, 2 << 10, Algorithm::Bruck),
        Rule::up_to(256, 512, Algorithm::Bruck),
        Rule::up_to(1024, 128, Algorithm::Bruck),
        Rule::up_to_bytes(16, Algorithm::Bruck),
        Rule::on_shared_nodes(1 << 10, Algorithm::TwoLevel),
        Rule::otherwise(Algorithm::Ring),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Bruck => "bruck",
            Algorithm::Ring => "ring",
            Algorithm::Direct => "direct",
            Algorithm::TwoLevel => "two_level",
            Algorithm::Cico => "cico",
            Algorithm::SingleCopy => "single_copy",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::Cico => shape.all_cico(),
            Algorithm::SingleCopy => shape.all_single_copy(),
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
    check(how, &CallTraits::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Bruck => bruck(ch, v).await,
        Algorithm::Ring => ring(ch, v).await,
        Algorithm::Direct => direct(ch, v).await,
        Algorithm::TwoLevel => two_level(ch, v).await,
        Algorithm::Cico => cico(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
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
    let requests = arriving.chain(leaving).collect::<Result<Vec<_>>>()?;
    ch.wait_all(requests).await
}

/// Two levels: the lowest rank of every node collects the blocks of its node, these ranks pass them
/// round a ring, and hand the whole to their nodes by a binomial tree. nodes - 1 rounds between
/// nodes, every block into every node once: best on several nodes. Blocks travel node by node
/// without gaps: in the receive buffer itself if that is how it is laid out, else copied once more
/// at every rank. Träff (2006).
pub async fn two_level<C: Channel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    let collect = async |node: &SubChannel<'_, C>, v: Gatherv<'_>| gatherv::linear(node, v).await;
    let pass = async |top: &SubChannel<'_, C>, v: Allgatherv<'_>| ring(top, v).await;
    let hand_out = async |node: &SubChannel<'_, C>, all: View| {
        Binomial::new(node.rank(), 0, node.size()).hand_down(node, all).await
    };
    in_two_levels(ch, v, collect, pass, (0, hand_out)).await
}

/// As [`two_level`], by such algorithms within nodes and, to `pass` blocks on, between them.
pub(crate) async fn in_two_levels<'c, C: Channel>(
    ch: &'c C,
    v: Allgatherv<'_>,
    collect: impl AsyncFn(&SubChannel<'c, C>, Gatherv<'_>) -> Result<()>,
    pass: impl AsyncFn(&SubChannel<'c, C>, Allgatherv<'_>) -> Result<()>,
    (first_step, hand_out): (usize, impl AsyncFn(&SubChannel<'c, C>, View) -> Result<()>),
) -> Result<()> {
    let nodes = ch.nodes();
    let blocks = |node: usize| nodes.members(node).iter().map(|&rank| v.recv.counts[rank]);
    let runs = PackedBlocks::consecutive((0..nodes.count()).map(|node| blocks(node).sum()));
    let total = runs.counts.iter().sum();
    let place = within_recv(&nodes, v.recv);
    let store = match place {
        Some(start) => View::recv(start, total),
        None => ch.temp(total)?,
    };
    let mine = nodes.node_of(ch.rank());
    let own = store.part(runs.displacements[mine], runs.counts[mine]);
    let node = SubChannel::node(ch, &nodes).over(View::send(0, 0), own);
    let own_blocks = PackedBlocks::consecutive(blocks(mine));
    let recv = own_blocks.layout();
    collect(&node, Gatherv { root: 0, send_len: v.send_len, recv }).await?;
    if let Some(top) = SubChannel::among(ch, nodes.leaders(0)) {
        let v = Allgatherv { send_len: own.len, recv: runs.layout() };
        pass(&top.over(own, store), v).await?;
    }
    let node = node.over(View::send(0, 0), store).from_step(first_step);
    hand_out(&node, View::recv(0, total)).await?;
    if place.is_some() {
        return Ok(());
    }
    let mut start = 0;
    for &rank in nodes.by_node() {
        let block = store.part(start, v.recv.counts[rank]);
        ch.copy(block, v.recv.recv(rank))?;
        start += block.len;
    }
    Ok(())
}

/// Every rank with data exposes its block, and all copy them: the last node phase of forms with
/// several leaders.
pub(crate) async fn single_copy_data<C: NodeChannel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    let own = v.recv.recv(ch.rank());
    ch.copy(View::send(0, v.send_len), own)?;
    if own.len > 0 {
        ch.expose(0, own).await?;
    }
    for by in others(ch).filter(|&by| v.recv.counts[by] > 0) {
        ch.get(Slot { step: 0, by }, 0, v.recv.recv(by)).await?;
    }
    Ok(())
}

/// Where in the receive buffer the blocks stand one after the other, node by node, if they do.
fn within_recv(nodes: &Nodes, layout: BlockLayout<'_>) -> Option<usize> {
    let first = layout.displacements[0];
    let mut end = first;
    let mut blocks = layout.counts.iter().zip(layout.displacements);
    let follows = |(&count, &start): (&usize, &usize)| {
        end += count;
        start + count == end
    };
    (nodes.in_order() && blocks.all(follows)).then_some(first)
}

/// Copy-in-copy-out: every rank publishes its block and copies all the others. Two copies and one
/// round: best within a node where the longest block fits into a slot of shared memory.
pub async fn cico<C: NodeChannel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    published(ch, v, ShareMode::CopyIn).await
}

/// Single copy: every rank copies the blocks straight out of the others' memory. One copy: best
/// within a node for long blocks.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Allgatherv<'_>) -> Result<()> {
    published(ch, v, ShareMode::Expose).await
}

async fn published<C: NodeChannel>(ch: &C, v: Allgatherv<'_>, share_mode: ShareMode) -> Result<()> {
    let own = View::send(0, v.send_len);
    share_mode.publish(ch, 0, own).await?;
    ch.copy(own, v.recv.recv(ch.rank()))?;
    for by in others(ch) {
        ch.get_whole(Slot { step: 0, by }, v.recv.recv(by)).await?;
    }
    Ok(())
}
