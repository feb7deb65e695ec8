//! Alltoallv: block j of rank i, of whatever length, reaches rank j as its block i.
//!
//! Block j is sent from where `send` says, block i lands where `recv` says. In place, `Send` and
//! `Recv` are one and `send` equals `recv`. `MPI_Alltoallw` is the same with an executor whose
//! element i is the whole block i: counts of 1 and displacements 0, 1, 2, ...; not in place, where
//! scratch memory would need one datatype.

use crate::node_channel::{own_step, unless_sent};
use crate::select::{AlgorithmSet, CallTraits, Rule, check};
use crate::vector_layout::BlockLayout;
use crate::{Channel, NodeChannel, STAGES, STEPS, Slot, View};
use dunlin_base::Result;

/// Arguments of an alltoallv.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alltoallv<'a> {
    /// The place of the block for each rank in the send buffer.
    pub send: BlockLayout<'a>,
    /// The place of the block from each rank in the receive buffer.
    pub recv: BlockLayout<'a>,
    /// Whether the call gave `MPI_IN_PLACE`; the same at every rank.
    pub in_place: bool,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`linear`].
    Linear,
    /// See [`scattered`].
    Scattered {
        /// Peers a rank trades with at a time, at least 1.
        window: usize,
    },
    /// See [`pairwise`].
    Pairwise,
    /// See [`swap`].
    Swap,
    /// See [`single_copy`].
    SingleCopy,
    /// See [`per_block`].
    PerBlock,
}

/// Enough transfers to keep a link busy, few enough for any transport to keep an account of.
pub(crate) const WINDOW: usize = 32;

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "alltoallv";
    const ALL: &'static [Self] = &[
        Algorithm::Linear,
        Algorithm::Scattered { window: WINDOW },
        Algorithm::Pairwise,
        Algorithm::Swap,
        Algorithm::SingleCopy,
        Algorithm::PerBlock,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::pair_with_slow_copies(usize::MAX, Algorithm::PerBlock),
        Rule::few_with_slow_copies(8, usize::MAX, Algorithm::PerBlock),
        Rule::otherwise(Algorithm::SingleCopy),
        Rule::up_to_ranks(64, Algorithm::Linear),
        Rule::otherwise(Algorithm::Scattered { window: WINDOW }),
        Rule::otherwise(Algorithm::Swap),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Linear => "linear",
            Algorithm::Scattered { .. } => "scattered",
            Algorithm::Pairwise => "pairwise",
            Algorithm::Swap => "swap",
            Algorithm::SingleCopy => "single_copy",
            Algorithm::PerBlock => "per_block",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::Swap => true,
            Algorithm::SingleCopy | Algorithm::PerBlock => {
                !shape.in_place && shape.all_single_copy()
            }
            _ => !shape.in_place,
        }
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::Scattered { window } => Some(("window", window)),
            _ => None,
        }
    }

    fn with_parameter(self, value: usize) -> Self {
        match self {
            Algorithm::Scattered { .. } => Algorithm::Scattered { window: value },
            other => other,
        }
    }
}

/// Runs an alltoallv by algorithm `how`.
pub async fn alltoallv<C: Channel + NodeChannel>(
    ch: &C,
    v: Alltoallv<'_>,
    how: Algorithm,
) -> Result<()> {
    let shape = CallTraits::plain(ch.size()).shared(true, true);
    check(how, &CallTraits { in_place: v.in_place, ..shape })?;
    match how {
        Algorithm::Linear => linear(ch, v).await,
        Algorithm::Scattered { window } => scattered(ch, v, window).await,
        Algorithm::Pairwise => pairwise(ch, v).await,
        Algorithm::Swap => swap(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
        Algorithm::PerBlock => per_block(ch, v).await,
    }
}

/// Exchange that leaves out messages without data.
async fn trade<C: Channel>(ch: &C, to: usize, data: View, from: usize, into: View) -> Result<()> {
    let incoming = (into.len > 0).then(|| ch.irecv(from, into)).transpose()?;
    if data.len > 0 {
        ch.send(to, data).await?;
    }
    ch.wait_all(incoming).await
}

/// Linear: every rank posts all its receives and sends at once, each starting with another peer
/// so that no rank is everybody's first; what holds no data is left out. One round of up to p - 1
/// blocks each way: best for short and middling blocks, and where most blocks are empty.
pub async fn linear<C: Channel>(ch: &C, v: Alltoallv<'_>) -> Result<()> {
    scattered(ch, v, usize::MAX).await
}

/// Scattered: as linear, but a rank trades with only so many peers at a time, the nearest first.
/// (p - 1)/window rounds of up to `window` blocks each way: best on so many ranks that all
/// transfers at once would be too many.
pub async fn scattered<C: Channel>(ch: &C, v: Alltoallv<'_>, window: usize) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    ch.copy(v.send.send(me), v.recv.recv(me))?;
    let distances: Vec<usize> = (1..p).collect();
    for near in distances.chunks(window) {
        let from = near.iter().map(|k| (me + p - k) % p).filter(|&peer| v.recv.counts[peer] > 0);
        let to = near.iter().map(|k| (me + k) % p).filter(|&peer| v.send.counts[peer] > 0);
        let arriving = from.map(|peer| ch.irecv(peer, v.recv.recv(peer)));
        let leaving = to.map(|peer| ch.isend(peer, v.send.send(peer)));
        let requests = arriving.chain(leaving).collect::<Result<Vec<_>>>()?;
        ch.wait_all(requests).await?;
    }
    Ok(())
}

/// Pairwise: in round k every rank sends to the rank k to its right and receives from the rank k to
/// its left, one transfer each way at a time.
/// Up to p - 1 rounds of one block: best for long blocks, where more transfers at once would only
/// compete. Thakur, Rabenseifner, Gropp (2005), section 4.2.
pub async fn pairwise<C: Channel>(ch: &C, v: Alltoallv<'_>) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    ch.copy(v.send.send(me), v.recv.recv(me))?;
    for k in 1..p {
        let (to, from) = ((me + k) % p, (me + p - k) % p);
        trade(ch, to, v.send.send(to), from, v.recv.recv(from)).await?;
    }
    Ok(())
}

/// Swap: in round k the ranks whose numbers add up to k, modulo p, exchange blocks in pairs; what
/// arrives waits in scratch memory until the block it replaces has left.
/// Up to p rounds of one block, each copied once, with scratch memory for the longest: for calls in
/// place, where a pair must trade its two blocks in the same round.
pub async fn swap<C: Channel>(ch: &C, v: Alltoallv<'_>) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let scratch = ch.temp(v.recv.counts.iter().copied().max().unwrap_or(0))?;
    ch.copy(v.send.send(me), v.recv.recv(me))?;
    for peer in (0..p).map(|k| (k + p - me) % p).filter(|&peer| peer != me) {
        let arrived = scratch.part(0, v.recv.counts[peer]);
        trade(ch, peer, v.send.send(peer), peer, arrived).await?;
        ch.copy(arrived, v.recv.recv(peer))?;
    }
    Ok(())
}

/// Single copy: every rank publishes a block for each other rank, if there is data in it: the block
/// itself, or a copy if it is short; and copies what the others publish for it. One round where
/// there are not very many ranks, else one for each group of peers that fits into the stages, the
/// nearest first: best within a node.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Alltoallv<'_>) -> Result<()> {
    share(ch, v, |block| block, |_| Ok(())).await
}

/// Per block, since the two ranks that have one know its length: a short one is published as a
/// copy, a middling one is sent, a long one is published itself, as in single_copy. One round: best
/// within a node where the kernel copies slowly.
pub async fn per_block<C: Channel + NodeChannel>(ch: &C, v: Alltoallv<'_>) -> Result<()> {
    let (mut leaving, mut arriving) = (Vec::new(), Vec::new());
    ch.sends_as_well()?;
    let trade = |with: Partner| {
        match with {
            Partner::Receiver(to) if ch.better_sent(v.send.send(to)) => {
                leaving.push(ch.isend(to, v.send.send(to))?);
            }
            Partner::Sender(by) if ch.better_sent(v.recv.recv(by)) => {
                arriving.push(ch.irecv(by, v.recv.recv(by))?);
            }
            _ => {}
        }
        Ok(())
    };
    let shared = share(ch, v, |block| unless_sent(ch, block), trade).await;
    // These come, whatever has gone wrong with others: no receive is left behind.
    ch.wait_all(arriving).await.and(shared)?;
    ch.wait_all(leaving).await
}

/// What [`per_block`] does where no block of this rank is sent.
pub async fn per_block_shared<C: NodeChannel>(ch: &C, v: Alltoallv<'_>) -> Result<()> {
    ch.sends_as_well()?;
    share(ch, v, |block| block, |_| Ok(())).await
}

/// The other rank that a block has.
enum Partner {
    Receiver(usize),
    Sender(usize),
}

/// Publishes what `shown` makes of the blocks for others, if there is data in them, and copies what
/// it makes of those from others; and copies the rank's own. In the place of a block that is sent
/// nothing is shown, by which its receiver sees that both know it as one to be sent. Calls `trade`
/// when that is published, and when it is seen.
async fn share<C: NodeChannel>(
    ch: &C,
    v: Alltoallv<'_>,
    shown: impl Fn(View) -> View,
    mut trade: impl FnMut(Partner) -> Result<()>,
) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    let distances: Vec<usize> = (1..p).collect();
    for (round, near) in distances.chunks(STEPS * STAGES).enumerate() {
        if round > 0 {
            ch.release_stage(round * STAGES - 1).await?;
        }
        let to = || near.iter().map(|k| (me + k) % p).filter(|&to| v.send.counts[to] > 0);
        for to in to() {
            ch.publish(own_step(me, to, p), shown(v.send.send(to))).await?;
        }
        to().try_for_each(|to| trade(Partner::Receiver(to)))?;
        let from = near.iter().map(|k| (me + p - k) % p).filter(|&from| v.recv.counts[from] > 0);
        for by in from {
            let slot = Slot { step: own_step(by, me, p), by };
            ch.get_whole(slot, shown(v.recv.recv(by))).await?;
            trade(Partner::Sender(by))?;
        }
    }
    ch.copy(v.send.send(me), v.recv.recv(me))
}
