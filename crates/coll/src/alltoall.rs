//! Alltoall: block j of rank i reaches rank j as its block i.
//!
//! Block j is sent from `View::send(j * send_block, send_block)`, block i lands in
//! `View::recv(i * recv_block, recv_block)`. The two counts hold the same data but may differ, as
//! the datatypes may. In place, `Send` and `Recv` are one.

use crate::alltoallv::{self, Alltoallv, WINDOW};
use crate::gather::{self, Gather};
use crate::levels::PackedBlocks;
use crate::node_channel::{PAIR_CICO_BYTES, ShareMode, others, wanted};
use crate::scatter::{self, Scatter};
use crate::select::{AlgorithmSet, CallTraits, Range, Rule, WIDEST, check};
use crate::tree::{RADIX, powers};
use crate::{Channel, Member, NodeChannel, Nodes, Slot, SubChannel, View};
use dunlin_base::Result;

/// Arguments of an alltoall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alltoall {
    /// Elements of each block this rank sends, of its send datatype.
    pub send_block: usize,
    /// Elements of each block it receives, of its receive datatype.
    pub recv_block: usize,
    /// Whether the call gave `MPI_IN_PLACE`; the same at every rank.
    pub in_place: bool,
}

impl Alltoall {
    /// The block for rank `peer`.
    fn outgoing(self, peer: usize) -> View {
        View::send(peer * self.send_block, self.send_block)
    }

    /// The block from rank `peer`.
    fn incoming(self, peer: usize) -> View {
        View::recv(peer * self.recv_block, self.recv_block)
    }
}

/// Blocks so short that latency dominates.
const SHORT: Range = Range::up_to(256);

/// Ranks and blocks on one wide node.
const OVER_96: Range = Range::from(97);
const BY_BRUCK: Range = Range { min: 33, max: 512 };
const TO_64K: Range = Range { min: (8 << 10) + 1, max: 64 << 10 };
const TO_512K: Range = Range { min: (64 << 10) + 1, max: 512 << 10 };

const SCATTERED: Algorithm = Algorithm::Scattered { window: WINDOW };

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`bruck`].
    Bruck,
    /// See [`k_bruck`].
    KBruck {
        /// Ranks a rank sends to per round, and one; at least 2.
        radix: usize,
    },
    /// See [`pairwise`].
    Pairwise,
    /// See [`linear`].
    Linear,
    /// See [`scattered`].
    Scattered {
        /// Peers a rank trades with at a time, at least 1.
        window: usize,
    },
    /// See [`swap`].
    Swap,
    /// See [`two_level`].
    TwoLevel,
    /// See [`two_level_single_copy`].
    TwoLevelSingleCopy,
    /// See [`cico`].
    Cico,
    /// See [`single_copy`].
    SingleCopy,
}

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "alltoall";
    const ALL: &'static [Self] = &[
        Algorithm::Bruck,
        Algorithm::KBruck { radix: RADIX },
        Algorithm::Pairwise,
        Algorithm::Linear,
        SCATTERED,
        Algorithm::Swap,
        Algorithm::TwoLevel,
        Algorithm::TwoLevelSingleCopy,
        Algorithm::Cico,
        Algorithm::SingleCopy,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::on_own_cores(OVER_96, Range::up_to(1 << 10), Algorithm::KBruck { radix: RADIX }),
        Rule::on_own_cores(WIDEST, BY_BRUCK, Algorithm::KBruck { radix: RADIX }),
        Rule::on_own_cores(WIDEST, Range::up_to(1 << 10), Algorithm::Cico),
        Rule::on_own_cores(WIDEST, Range::up_to(1 << 10), Algorithm::KBruck { radix: RADIX }),
        Rule::on_own_cores(WIDEST, Range::up_to(8 << 10), Algorithm::Linear),
        Rule::on_own_cores(OVER_96, TO_64K, Algorithm::Pairwise),
        Rule::on_own_cores(WIDEST, TO_512K, Algorithm::Pairwise),
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::Pairwise),
        Rule::few_with_slow_copies(4, 64 << 10, Algorithm::Linear),
        Rule::few_with_slow_copies(8, 32 << 10, Algorithm::Linear),
        Rule::few_with_slow_copies(8, 256 << 10, Algorithm::Pairwise),
        Rule::pair_above(PAIR_CICO_BYTES, Algorithm::SingleCopy),
        Rule::otherwise(Algorithm::Cico),
        Rule::otherwise(Algorithm::SingleCopy),
        // 8 B by 8 nodes of one rank take 3 to 23 us, by Bruck 6 to 53; 256 B by 4 nodes of 64
        // ranks in base 4 0.1 to 0.5 ms, in two levels 1.0 to 1.8.
        Rule::across_up_to(16, Range::ALL, SHORT, Algorithm::Linear),
        Rule::across_nodes(Range::ALL, SHORT, Algorithm::KBruck { radix: RADIX }),
        // Where more share a node its adapter is the bottleneck, not latency: what follows.
        Rule::across_nodes(Range::up_to(8), Range::from(16 << 10), SCATTERED),
        Rule::on_shared_nodes(256, Algorithm::TwoLevelSingleCopy),
        Rule::up_to_bytes(256, Algorithm::Bruck),
        Rule::up_to_bytes(32 << 10, Algorithm::Linear),
        Rule::otherwise(Algorithm::Pairwise),
        Rule::otherwise(Algorithm::Swap),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Bruck => "bruck",
            Algorithm::KBruck { .. } => "k_bruck",
            Algorithm::Pairwise => "pairwise",
            Algorithm::Linear => "linear",
            Algorithm::Scattered { .. } => "scattered",
            Algorithm::Swap => "swap",
            Algorithm::TwoLevel => "two_level",
            Algorithm::TwoLevelSingleCopy => "two_level_single_copy",
            Algorithm::Cico => "cico",
            Algorithm::SingleCopy => "single_copy",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::Bruck | Algorithm::KBruck { .. } | Algorithm::Swap | Algorithm::TwoLevel => {
                true
            }
            // On one node the leader would expose the blocks of all ranks, and others refuse data
            // that is longer than one rank's.
            Algorithm::TwoLevelSingleCopy => shape.single_copy && shape.nodes > 1,
            Algorithm::Cico => shape.all_cico(),
            Algorithm::SingleCopy => shape.all_single_copy() && !shape.in_place,
            _ => !shape.in_place,
        }
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::KBruck { radix } => Some(("radix", radix)),
            Algorithm::Scattered { window } => Some(("window", window)),
            _ => None,
        }
    }

    fn with_parameter(self, value: usize) -> Self {
        match self {
            Algorithm::KBruck { .. } => Algorithm::KBruck { radix: value.max(2) },
            Algorithm::Scattered { .. } => Algorithm::Scattered { window: value },
            other => other,
        }
    }
}

/// Runs an alltoall by algorithm `how`.
pub async fn alltoall<C: Channel + NodeChannel>(ch: &C, v: Alltoall, how: Algorithm) -> Result<()> {
    // Whether there are several was asked when it was chosen.
    let nodes = if how == Algorithm::TwoLevelSingleCopy { 2 } else { 1 };
    let shape = CallTraits::plain(ch.size()).on_nodes(nodes).shared(true, true);
    check(how, &CallTraits { in_place: v.in_place, ..shape })?;
    match how {
        Algorithm::Bruck => bruck(ch, v).await,
        Algorithm::KBruck { radix } => k_bruck(ch, v, radix).await,
        Algorithm::Pairwise => pairwise(ch, v).await,
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::Scattered { window } => scattered(ch, v, window).await,
        Algorithm::Swap => swap(ch, v).await,
        Algorithm::TwoLevel => two_level(ch, v).await,
        Algorithm::TwoLevelSingleCopy => two_level_single_copy(ch, v).await,
        Algorithm::Cico => cico(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
    }
}

/// Bruck: a block that must travel distance d goes by way of the set bits of d; in round k every
/// rank passes on all blocks whose distance has bit k, packed into one message.
/// ceil(log2 p) rounds of at most (p + 1)/2 blocks; every block moves up to log2 p times: best for
/// tiny blocks on many ranks. Bruck, Ho, Kipnis, Upfal, Weathersby (1997).
pub async fn bruck<C: Channel>(ch: &C, v: Alltoall) -> Result<()> {
    k_bruck(ch, v, 2).await
}

/// Bruck to several: a block that must travel distance d goes by way of the digits of d in base k;
/// in a round every rank passes on all blocks whose distance has the digit that is the round's, one
/// message for each value the digit has.
/// ceil(log_k p) rounds of up to k - 1 messages; a block moves up to log_k p times: best for tiny
/// blocks where a rank can send several messages in the time that one takes to arrive. Bruck, Ho,
/// Kipnis, Upfal, Weathersby (1997).
pub async fn k_bruck<C: Channel>(ch: &C, v: Alltoall, radix: usize) -> Result<()> {
    let (me, p, block) = (ch.rank(), ch.size(), v.recv_block);
    let (store, packed, arrived) = (ch.temp(p * block)?, ch.temp(p * block)?, ch.temp(p * block)?);
    // By falling distance, since so the blocks that have arrived for good follow each other in the
    // receive buffer.
    let stored = |distance: usize| store.part((p - 1 - distance) * block, block);
    let outgoing = |distance: usize| v.outgoing((me + distance) % p);
    let incoming = |distance: usize| v.incoming((me + p - distance) % p);
    ch.copy(outgoing(0), incoming(0))?;
    if v.in_place {
        // What arrives overwrites what has not left.
        (1..p).rev().try_for_each(|distance| ch.copy(outgoing(distance), stored(distance)))?;
    }
    for weight in powers(radix).take_while(|&weight| weight < p) {
        let (mut start, mut requests, mut to_unpack) = (0, Vec::new(), Vec::new());
        for far in (weight..p).step_by(weight).take(radix - 1) {
            let first = (far..p).step_by(weight.saturating_mul(radix));
            let moving = first.flat_map(|first| first..p.min(first + weight)).rev();
            let leaving = runs(moving.clone().map(|distance| match distance % weight {
                0 if !v.in_place => outgoing(distance), // It has not moved yet.
                _ => stored(distance),
            }));
            let arriving = runs(moving.map(|distance| match distance / weight / radix {
                0 => incoming(distance), // It has no further to go.
                _ => stored(distance),
            }));
            let len = leaving.iter().map(|run| run.blocks).sum::<usize>() * block;
            let into = match &arriving[..] {
                // What is stored there may be leaving.
                [run] if run.view.buffer != store.buffer => run.view,
                _ => {
                    let whole = arrived.part(start, len);
                    to_unpack.push((whole, arriving));
                    whole
                }
            };
            requests.push(ch.irecv((me + p - far) % p, into)?);
            let from = match &leaving[..] {
                [run] => run.view,
                _ => {
                    let whole = packed.part(start, len);
                    copy_runs(&leaving, whole, block, |run, part| ch.copy(run, part))?;
                    whole
                }
            };
            requests.push(ch.isend((me + far) % p, from)?);
            start += len;
        }
        ch.wait_all(requests).await?;
        for (whole, arriving) in &to_unpack {
            copy_runs(arriving, *whole, block, |run, part| ch.copy(part, run))?;
        }
    }
    Ok(())
}

/// Blocks that follow each other in one buffer.
struct Run {
    view: View,
    blocks: usize,
}

/// Blocks, one after the other, in as few runs as they lie in.
fn runs(blocks: impl Iterator<Item = View>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for block in blocks {
        match runs.last_mut() {
            Some(Run { view, blocks })
                if (view.buffer, view.start + view.len) == (block.buffer, block.start) =>
            {
                view.len += block.len;
                *blocks += 1;
            }
            _ => runs.push(Run { view: block, blocks: 1 }),
        }
    }
    runs
}

/// Calls `copy` with each run and the part of a message in which its blocks lie.
fn copy_runs(
    runs: &[Run],
    message: View,
    block: usize,
    copy: impl Fn(View, View) -> Result<()>,
) -> Result<()> {
    let mut start = 0;
    for run in runs {
        copy(run.view, message.part(start, run.blocks * block))?;
        start += run.blocks * block;
    }
    Ok(())
}

/// Pairwise: in round k every rank sends to the rank k to its right and receives from the rank k to
/// its left, one transfer each way at a time.
/// p - 1 rounds of one block: best for large blocks, where more transfers at once would only
/// compete. Thakur, Rabenseifner, Gropp (2005), section 4.2.
pub async fn pairwise<C: Channel>(ch: &C, v: Alltoall) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    ch.copy(v.outgoing(me), v.incoming(me))?;
    for k in 1..p {
        let (to, from) = ((me + k) % p, (me + p - k) % p);
        ch.exchange(to, v.outgoing(to), from, v.incoming(from)).await?;
    }
    Ok(())
}

/// Linear: every rank posts all its receives and sends at once, each starting with another peer
/// so that no rank is everybody's first. One round of p - 1 blocks each way: best for middling
/// blocks.
pub async fn linear<C: Channel>(ch: &C, v: Alltoall) -> Result<()> {
    scattered(ch, v, usize::MAX).await
}

/// Scattered: as linear, but a rank trades with only so many peers at a time, the nearest first.
/// (p - 1)/window rounds of `window` blocks each way: best for middling blocks on so many ranks
/// that all transfers at once would be too many.
pub async fn scattered<C: Channel>(ch: &C, v: Alltoall, window: usize) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    ch.copy(v.outgoing(me), v.incoming(me))?;
    let distances: Vec<usize> = (1..p).collect();
    for near in distances.chunks(window) {
        let from = near.iter().map(|k| (me + p - k) % p);
        let to = near.iter().map(|k| (me + k) % p);
        let arriving = from.map(|peer| ch.irecv(peer, v.incoming(peer)));
        let leaving = to.map(|peer| ch.isend(peer, v.outgoing(peer)));
        let requests = arriving.chain(leaving).collect::<Result<Vec<_>>>()?;
        ch.wait_all(requests).await?;
    }
    Ok(())
}

/// Swap: in round k the ranks whose numbers add up to k, modulo p, exchange blocks in pairs; what
/// arrives waits in scratch memory until the block it replaces has left.
/// p rounds of at most one block, each copied once, with one block of scratch memory: for calls in
/// place, where a pair must trade its two blocks in the same round.
pub async fn swap<C: Channel>(ch: &C, v: Alltoall) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let arrived = ch.temp(v.recv_block)?;
    ch.copy(v.outgoing(me), v.incoming(me))?;
    for k in 0..p {
        let peer = (k + p - me) % p;
        if peer != me {
            ch.exchange(peer, v.outgoing(peer), peer, arrived).await?;
            ch.copy(arrived, v.incoming(peer))?;
        }
    }
    Ok(())
}

/// Two levels: the lowest rank of every node collects all blocks that leave its node's ranks,
/// exchanges them with the lowest ranks of the other nodes, one message per pair of nodes, and
/// distributes what it received. nodes - 1 messages per node, where all ranks would send p - 1
/// each; every block moves three times, all of a node's through one rank: best for tiny blocks on
/// several nodes. Träff, Rougier (2014).
pub async fn two_level<C: Channel>(ch: &C, v: Alltoall) -> Result<()> {
    in_two_levels(ch, v, gather::linear, scatter::linear).await
}

/// Two levels, single copy: the lowest rank of every node copies all blocks that leave its node out
/// of their owners' memory, exchanges them with the lowest ranks of the other nodes, one message
/// per pair of nodes, and its node copies what it received out of its memory. nodes - 1 messages
/// per node and no others: best for tiny blocks on several nodes whose ranks share memory.
pub async fn two_level_single_copy<C: Channel + NodeChannel>(ch: &C, v: Alltoall) -> Result<()> {
    let collect = async |node: &SubChannel<'_, C>, v: Gather| {
        gather::published(node, v, ShareMode::Expose).await
    };
    in_two_levels(ch, v, collect, scatter::single_copy).await
}

async fn in_two_levels<'c, C: Channel>(
    ch: &'c C,
    v: Alltoall,
    collect: impl AsyncFn(&SubChannel<'c, C>, Gather) -> Result<()>,
    hand_out: impl AsyncFn(&SubChannel<'c, C>, Scatter) -> Result<()>,
) -> Result<()> {
    let (nodes, p, block) = (ch.nodes(), ch.size(), v.recv_block);
    let (mine, row) = (nodes.node_of(ch.rank()), p * block);
    let whole = View::send(0, p * v.send_block);
    let node = SubChannel::node(ch, &nodes);
    let leads = node.rank() == 0;
    let room = if leads { node.size() * row } else { 0 };
    let (store, packed) = (ch.temp(room)?, ch.temp(room)?);
    let rows = Gather { root: 0, send_block: whole.len, recv_block: row };
    let members = node.size();
    collect(&node.over(whole, store), rows).await?;
    if let Some(top) = SubChannel::among(ch, nodes.leaders(0)) {
        let leaving = crossing(&nodes, mine);
        let leaving = runs(leaving.map(|(from, to)| store.part(from * row + to * block, block)));
        copy_runs(&leaving, packed, block, |run, part| ch.copy(run, part))?;
        let messages = PackedBlocks::of_nodes(&nodes, members * block);
        let v = Alltoallv { send: messages.layout(), recv: messages.layout(), in_place: false };
        alltoallv::pairwise(&top.over(packed, store), v).await?;
        // Now a message holds, for every rank of its node, a block for each rank of this one.
        for (place, &from) in nodes.by_node().iter().enumerate() {
            for to in 0..members {
                let arrived = store.part((place * members + to) * block, block);
                ch.copy(arrived, packed.part(to * row + from * block, block))?;
            }
        }
    }
    let rows = Scatter { root: 0, send_block: row, recv_block: row };
    let node = SubChannel::node(ch, &nodes).over(packed, View::recv(0, 0));
    hand_out(&node.from_step(1), rows).await
}

/// The blocks that leave `node` in the order of the nodes they go to: the sender's place in its
/// node, and the receiver.
fn crossing(nodes: &Nodes, node: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let senders = nodes.members(node).len();
    let to_node = move |other: usize| {
        (0..senders).flat_map(move |from| nodes.members(other).iter().map(move |&to| (from, to)))
    };
    (0..nodes.count()).flat_map(to_node)
}

/// Copy-in-copy-out: every rank publishes all its blocks and copies one from each of the others.
/// Two copies and one round: best within a node while a rank's blocks fit into a slot of shared
/// memory.
pub async fn cico<C: NodeChannel>(ch: &C, v: Alltoall) -> Result<()> {
    published(ch, v, ShareMode::CopyIn).await
}

/// Single copy: every rank copies its blocks straight out of the others' memory. One copy: best
/// within a node for long blocks. Not in place, where that memory changes.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Alltoall) -> Result<()> {
    published(ch, v, ShareMode::Expose).await
}

async fn published<C: NodeChannel>(ch: &C, v: Alltoall, share_mode: ShareMode) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let blocks = wanted(me, p);
    let published = View::send(blocks.start * v.send_block, blocks.len() * v.send_block);
    share_mode.publish(ch, 0, published).await?;
    ch.copy_for_long(v.outgoing(me), v.incoming(me), p * v.recv_block)?;
    for by in others(ch) {
        let before = me - wanted(by, p).start;
        ch.get(Slot { step: 0, by }, before * v.recv_block, v.incoming(by)).await?;
    }
    Ok(())
}
