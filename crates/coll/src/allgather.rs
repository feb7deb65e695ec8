//! Allgather: every rank's block reaches every rank, in the order of ranks.
//!
//! A rank's block is `View::send(0, send_block)`; block i lands in
//! `View::recv(i * recv_block, recv_block)`. The two counts hold the same data but may differ, as
//! the datatypes may. In place, `Send` lies over the rank's own block of `Recv`, `send_block` being
//! `recv_block`.

use crate::allgatherv::{self, Allgatherv};
use crate::bcast::{self, Bcast};
use crate::gatherv::{self, Gatherv};
use crate::levels::PackedBlocks;
use crate::node_channel::{self, PAIR_CICO_BYTES, ShareMode, others};
use crate::pipeline;
use crate::select::{AlgorithmSet, CallTraits, MANY, Range, Rule, WIDEST, When, check};
use crate::tree::{RADIX, doublings, powers};
use crate::{Channel, Member, NodeChannel, PutTarget, STEPS, Slot, SubChannel, View};
use dunlin_base::Result;

/// Arguments of an allgather.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allgather {
    /// Elements this rank contributes, of its send datatype.
    pub send_block: usize,
    /// Elements of each block it receives, of its receive datatype.
    pub recv_block: usize,
}

impl Allgather {
    /// `count` blocks of the result, from block `first` on.
    fn blocks(self, first: usize, count: usize) -> View {
        View::recv(first * self.recv_block, count * self.recv_block)
    }

    /// Puts this rank's own block into its place.
    fn place_own<C: Member>(self, ch: &C) -> Result<()> {
        ch.copy(View::send(0, self.send_block), self.blocks(ch.rank(), 1))
    }
}

/// Beyond this, two ranks put their blocks into each other's memory: then what each reads twice is
/// its own, and stays in its cache. 64 KiB take 1.05, 256 KiB 0.98, 1 MiB 0.85 of the time that
/// they take where each copies the other's.
const PAIR_PUT_ABOVE_BYTES: usize = 128 << 10;
/// More than two ranks put so many chunks at a time into everybody's memory: those of all who share
/// a core stay in its cache meanwhile. 1 MiB by 4 ranks on 2 cores takes 656 us in chunks of 512
/// KiB, 664 of 256 and 726 at once.
const PUT_CHUNKS: usize = 4;

/// Ranks per node, and blocks, on several nodes.
const FROM_3_TO_8: Range = Range { min: 3, max: 8 };
const FROM_3_TO_48: Range = Range { min: 3, max: WIDEST.min - 1 };
const SHORT: Range = Range::up_to(2 << 10);
/// Blocks of so many bytes at least, and of 4 KiB at most, of so many ranks that all of them
/// together are 4.5 MiB: they no longer stay in most cores' caches.
const fn more_than_a_cache(bytes_min: usize) -> When {
    let (ranks, bytes) =
        (Range::from((9 << 19) / bytes_min), Range { min: bytes_min, max: 4 << 10 });
    When { ranks, ..When::across_nodes(MANY, bytes) }
}
const MIDDLING: Range = Range { min: (4 << 10) + 1, max: LONGER.min - 1 };
const LONGER: Range = Range::from((192 << 10) + 1);

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
    /// See [`recursive_doubling`].
    RecursiveDoubling,
    /// See [`ring`].
    Ring,
    /// See [`neighbour_exchange`].
    NeighbourExchange,
    /// See [`direct`].
    Direct,
    /// See [`two_level`].
    TwoLevel,
    /// See [`two_level_cico`].
    TwoLevelCico,
    /// See [`two_level_single_copy`].
    TwoLevelSingleCopy,
    /// See [`cico`].
    Cico,
    /// See [`cico_pipelined`].
    CicoPipelined,
    /// See [`single_copy`].
    SingleCopy,
    /// See [`single_copy_put`].
    SingleCopyPut,
}

/// Blocks that 8 ranks and more with a core each hand round in chunks; longer ones were not
/// measured.
const LONG: Range = Range { min: (192 << 10) + 1, max: 4 << 20 };

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "allgather";
    const ALL: &'static [Self] = &[
        Algorithm::Bruck,
        Algorithm::KBruck { radix: RADIX },
        Algorithm::RecursiveDoubling,
        Algorithm::Ring,
        Algorithm::NeighbourExchange,
        Algorithm::Direct,
        Algorithm::TwoLevel,
        Algorithm::TwoLevelCico,
        Algorithm::TwoLevelSingleCopy,
        Algorithm::Cico,
        Algorithm::CicoPipelined,
        Algorithm::SingleCopy,
        Algorithm::SingleCopyPut,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::on_own_cores(WIDEST, SHORT, Algorithm::Bruck),
        Rule::pair_with_slow_copies(8 << 20, Algorithm::CicoPipelined),
        Rule::few_with_slow_copies(4, usize::MAX, Algorithm::CicoPipelined),
        Rule::pair_above(PAIR_PUT_ABOVE_BYTES, Algorithm::SingleCopyPut),
        Rule::pair_above(PAIR_CICO_BYTES, Algorithm::SingleCopy),
        Rule::otherwise(Algorithm::Cico),
        // 128 KiB by 4 ranks on 2 cores take 0.79 of the time in chunks, 256 KiB 0.75, 1 MiB 0.86.
        // By 8 ranks, more of whom share a cache, 1 MiB takes 1.4 of it. Longer: not measured.
        Rule::oversubscribed(4, 1 << 20, Algorithm::SingleCopyPut),
        // A block is read where it is in the cache, by all: 256 KiB and 1 MiB by 8 ranks on 2 cores
        // take 0.65 and 0.71 of the time that they take exposed.
        Rule::oversubscribed(usize::MAX, usize::MAX, Algorithm::CicoPipelined),
        // 256 KiB and 1 MiB by 8 ranks take 320 and 1,780 us, exposed 450 and 2,770; by 16 0.9 and
        // 5.3 ms, exposed 1.1 and 7.7. By 4 ranks 256 KiB take 74 us if they put, 150 if they get.
        Rule::on_own_cores(Range::from(8), LONG, Algorithm::CicoPipelined),
        Rule::on_own_cores(Range { min: 3, max: 7 }, Range::ALL, Algorithm::SingleCopyPut),
        Rule::otherwise(Algorithm::SingleCopy),
        // All messages at once, while they are few.
        Rule::across_up_to(16, Range::up_to(2), Range::ALL, Algorithm::Direct),
        Rule::across_nodes(Range::up_to(2), SHORT, Algorithm::KBruck { radix: RADIX }),
        Rule::across_up_to(64, Range::up_to(2), Range::ALL, Algorithm::Direct),
        Rule::across_nodes(Range::from(3), SHORT, Algorithm::TwoLevelCico),
        Rule::across_at_least(
            17,
            FROM_3_TO_48,
            Range::up_to(256),
            Algorithm::KBruck { radix: RADIX },
        ),
        Rule::across_nodes(FROM_3_TO_8, SHORT, Algorithm::KBruck { radix: RADIX }),
        Rule::across_up_to(256, FROM_3_TO_8, Range::up_to(8 << 10), Algorithm::Direct),
        // In two levels one rank of each node copies the whole result in and out, which pays for
        // short blocks, of which a ring would pass on too many, and again for the longest.
        Rule::new(more_than_a_cache(1025), Algorithm::Ring),
        Rule::new(more_than_a_cache(1537), Algorithm::Ring),
        Rule::new(more_than_a_cache(3073), Algorithm::Ring),
        Rule::across_nodes(Range::from(3), MIDDLING, Algorithm::Ring),
        Rule::across_nodes(FROM_3_TO_8, LONGER, Algorithm::NeighbourExchange),
        Rule::across_nodes(WIDEST, Range::from((512 << 10) + 1), Algorithm::TwoLevel),
        Rule::across_nodes(MANY, Range::from((512 << 10) + 1), Algorithm::NeighbourExchange),
        Rule::across_nodes(Range::from(3), LONGER, Algorithm::Ring),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelCico),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelSingleCopy),
        Rule::up_to_bytes(8 << 10, Algorithm::RecursiveDoubling),
        Rule::up_to_bytes(2 << 10, Algorithm::Bruck),
        Rule::up_to_bytes(64 << 10, Algorithm::NeighbourExchange),
        Rule::otherwise(Algorithm::Ring),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Bruck => "bruck",
            Algorithm::KBruck { .. } => "k_bruck",
            Algorithm::RecursiveDoubling => "recursive_doubling",
            Algorithm::Ring => "ring",
            Algorithm::NeighbourExchange => "neighbour_exchange",
            Algorithm::Direct => "direct",
            Algorithm::TwoLevel => "two_level",
            Algorithm::TwoLevelCico => "two_level_cico",
            Algorithm::TwoLevelSingleCopy => "two_level_single_copy",
            Algorithm::Cico => "cico",
            Algorithm::CicoPipelined => "cico_pipelined",
            Algorithm::SingleCopy => "single_copy",
            Algorithm::SingleCopyPut => "single_copy_put",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::RecursiveDoubling => shape.ranks.is_power_of_two(),
            Algorithm::NeighbourExchange => shape.ranks % 2 == 0,
            Algorithm::TwoLevelCico => shape.cico,
            Algorithm::TwoLevelSingleCopy => shape.single_copy && shape.chunks,
            Algorithm::Cico => shape.all_cico(),
            Algorithm::CicoPipelined => shape.all_pipelined(),
            Algorithm::SingleCopy | Algorithm::SingleCopyPut => shape.all_single_copy(),
            _ => true,
        }
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::KBruck { radix } => Some(("radix", radix)),
            _ => None,
        }
    }

    fn with_parameter(self, value: usize) -> Self {
        match self {
            Algorithm::KBruck { .. } => Algorithm::KBruck { radix: value.max(2) },
            other => other,
        }
    }
}

/// Runs an allgather by algorithm `how`.
pub async fn allgather<C: Channel + NodeChannel>(
    ch: &C,
    v: Allgather,
    how: Algorithm,
) -> Result<()> {
    check(how, &CallTraits::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Bruck => bruck(ch, v).await,
        Algorithm::KBruck { radix } => k_bruck(ch, v, radix).await,
        Algorithm::RecursiveDoubling => recursive_doubling(ch, v).await,
        Algorithm::Ring => ring(ch, v).await,
        Algorithm::NeighbourExchange => neighbour_exchange(ch, v).await,
        Algorithm::Direct => direct(ch, v).await,
        Algorithm::TwoLevel => two_level(ch, v).await,
        Algorithm::TwoLevelCico => two_level_cico(ch, v).await,
        Algorithm::TwoLevelSingleCopy => two_level_single_copy(ch, v).await,
        Algorithm::Cico => cico(ch, v).await,
        Algorithm::CicoPipelined => cico_pipelined(ch, v).await,
        Algorithm::SingleCopy => single_copy(ch, v).await,
        Algorithm::SingleCopyPut => single_copy_put(ch, v).await,
    }
}

/// Bruck: every rank keeps the blocks of itself and its right neighbours, in that order; in round k
/// it passes all it has to the rank 2^k to the left and doubles its store from the right. At the
/// end the store is turned into the order of ranks. ceil(log2 p) rounds, p - 1 blocks sent, the
/// result copied once: best for small blocks when p is not a power of two. Bruck, Ho, Kipnis,
/// Upfal, Weathersby (1997).
pub async fn bruck<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    k_bruck(ch, v, 2).await
}

/// Bruck to several: as above, but in a round a rank that has n blocks passes them to the ranks n,
/// 2n, ..., (k - 1)n to the left, so that its store grows k times. ceil(log_k p) rounds of up to
/// k - 1 messages, p - 1 blocks sent, the result copied once: best for small blocks where a rank
/// can send several messages in the time that one takes to arrive. Bruck, Ho, Kipnis, Upfal,
/// Weathersby (1997).
pub async fn k_bruck<C: Channel>(ch: &C, v: Allgather, radix: usize) -> Result<()> {
    let (me, p, block) = (ch.rank(), ch.size(), v.recv_block);
    let store = ch.temp(p * block)?;
    ch.copy(View::send(0, v.send_block), store.part(0, block))?;
    for have in powers(radix).take_while(|&have| have < p) {
        let mut requests = Vec::new();
        for far in (1..radix).map(|digit| digit * have).take_while(|&far| far < p) {
            let count = have.min(p - far) * block;
            requests.push(ch.irecv((me + far) % p, store.part(far * block, count))?);
            requests.push(ch.isend((me + p - far) % p, store.part(0, count))?);
        }
        ch.wait_all(requests).await?;
    }
    let to_last = p - me;
    ch.copy(store.part(0, to_last * block), v.blocks(me, to_last))?;
    ch.copy(store.part(to_last * block, me * block), v.blocks(0, me))
}

/// Recursive doubling: in round k every rank swaps all blocks it has with the rank 2^k away.
/// log2 p rounds, p - 1 blocks sent, nothing copied: best for small and middling blocks. Only for a
/// power of two of ranks. Thakur, Rabenseifner, Gropp (2005), section 4.1.
pub async fn recursive_doubling<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    v.place_own(ch)?;
    for have in doublings(ch.size()) {
        let peer = ch.rank() ^ have;
        let mine = v.blocks(ch.rank() & !(have - 1), have);
        ch.exchange(peer, mine, peer, v.blocks(peer & !(have - 1), have)).await?;
    }
    Ok(())
}

/// Ring over the ranks in node order: in every round each rank passes on the block it got last.
/// p - 1 rounds of one block, all traffic between neighbours: best for large blocks.
/// Thakur, Rabenseifner, Gropp (2005), section 4.1.
pub async fn ring<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    v.place_own(ch)?;
    let nodes = ch.nodes();
    let (ranks, me) = (nodes.by_node(), nodes.place_of(ch.rank()));
    let left_by = |steps: usize| ranks[(me + ranks.len() - steps) % ranks.len()];
    let (right, left) = (ranks[(me + 1) % ranks.len()], left_by(1));
    for step in 0..ranks.len() - 1 {
        let (mine, theirs) = (v.blocks(left_by(step), 1), v.blocks(left_by(step + 1), 1));
        ch.exchange(right, mine, left, theirs).await?;
    }
    Ok(())
}

/// Neighbour exchange: pairs of neighbours swap their blocks; from then on every rank turns
/// alternately to its other neighbour and to its partner, and gives the two blocks it received last
/// for two new ones. p/2 rounds, p - 1 blocks sent, all traffic between neighbours: best for
/// middling blocks, with half the rounds of a ring. Only for an even number of ranks; `ring` where
/// those of a node do not follow each other. Chen, Zhang, Yang, Zhang, Luo (2005).
pub async fn neighbour_exchange<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    if !ch.nodes().in_order() {
        return ring(ch, v).await;
    }
    v.place_own(ch)?;
    let (me, p) = (ch.rank(), ch.size());
    let pairs = p / 2;
    let pair = |number: usize| v.blocks(2 * (number % pairs), 2);
    ch.exchange(me ^ 1, v.blocks(me, 1), me ^ 1, v.blocks(me ^ 1, 1)).await?;
    let mut latest = pair(me / 2);
    for round in 1..pairs {
        let reach = round.div_ceil(2);
        let leftwards = (me % 2 == 0) == (round % 2 == 1);
        let (peer, new) = match leftwards {
            true => ((me + p - 1) % p, pair(me / 2 + pairs - reach)),
            false => ((me + 1) % p, pair(me / 2 + reach)),
        };
        ch.exchange(peer, latest, peer, new).await?;
        latest = new;
    }
    Ok(())
}

/// Direct: every rank sends its block to all others at once, each beginning with another so that no
/// rank is everybody's first. One round, p - 1 blocks sent, nothing copied: best for few ranks that
/// reach each other equally fast.
pub async fn direct<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    v.place_own(ch)?;
    let (me, p) = (ch.rank(), ch.size());
    let arriving = (1..p).map(|k| (me + p - k) % p).map(|from| ch.irecv(from, v.blocks(from, 1)));
    let leaving = (1..p).map(|k| ch.isend((me + k) % p, v.blocks(me, 1)));
    let requests = arriving.chain(leaving).collect::<Result<Vec<_>>>()?;
    ch.wait_all(requests).await
}

/// Two levels: [`allgatherv::two_level`] with blocks of one length.
pub async fn two_level<C: Channel>(ch: &C, v: Allgather) -> Result<()> {
    let layout = PackedBlocks::of_ranks(0..ch.size(), v.recv_block);
    let v = Allgatherv { send_len: v.send_block, recv: layout.layout() };
    allgatherv::two_level(ch, v).await
}

/// Two levels, copy-in-copy-out: the lowest rank of every node copies the blocks that its node
/// publishes, these ranks pass them on by Bruck's algorithm, and each publishes all blocks.
/// ceil(log2 nodes) rounds between nodes, every block into every node once, and two rounds within
/// them: best for blocks of which all together fit into a slot of shared memory, on several nodes.
pub async fn two_level_cico<C: Channel + NodeChannel>(ch: &C, v: Allgather) -> Result<()> {
    two_level_shared(ch, v, ShareMode::CopyIn).await
}

/// Two levels, single copy: as with copy-in-copy-out, but blocks are copied straight out of their
/// owner's memory and go round a ring of the lowest ranks, which publish the result in chunks where
/// more than two ranks share a node. nodes - 1 rounds between nodes. Best for longer blocks on
/// several nodes whose ranks share memory.
pub async fn two_level_single_copy<C: Channel + NodeChannel>(ch: &C, v: Allgather) -> Result<()> {
    two_level_shared(ch, v, ShareMode::Expose).await
}

async fn two_level_shared<C: Channel + NodeChannel>(
    ch: &C,
    v: Allgather,
    share_mode: ShareMode,
) -> Result<()> {
    if ch.nodes().count() == 1 {
        // There shown_bytes counts one block: there may be no room for more.
        return published(ch, v, share_mode).await;
    }
    let layout = PackedBlocks::of_ranks(0..ch.size(), v.recv_block);
    let v = Allgatherv { send_len: v.send_block, recv: layout.layout() };
    let collect = async |node: &SubChannel<'_, C>, v: Gatherv<'_>| {
        gatherv::published(node, v, share_mode).await
    };
    let hand_out = async |node: &SubChannel<'_, C>, all: View| {
        let v = Bcast { root: 0, len: all.len };
        match share_mode {
            ShareMode::CopyIn => bcast::cico(node, v).await,
            ShareMode::Expose => bcast::within_node(node, v).await,
        }
    };
    let pass = async |top: &SubChannel<'_, C>, v: Allgatherv<'_>| match share_mode {
        ShareMode::CopyIn => allgatherv::bruck(top, v).await,
        ShareMode::Expose => allgatherv::ring(top, v).await,
    };
    // What goes in chunks has stages, and begins with one of its own.
    let first_step = if share_mode == ShareMode::CopyIn { 1 } else { STEPS };
    allgatherv::in_two_levels(ch, v, collect, pass, (first_step, hand_out)).await
}

/// Copy-in-copy-out: every rank publishes its block and copies all the others. Two copies and one
/// round: best within a node for blocks that fit into a slot of shared memory.
pub async fn cico<C: NodeChannel>(ch: &C, v: Allgather) -> Result<()> {
    published(ch, v, ShareMode::CopyIn).await
}

/// Copy-in-copy-out, in chunks: every rank publishes one chunk of its block while it copies the
/// previous chunks of all others, which lie in the cache: best within a node for long blocks, with
/// more ranks than cores.
pub async fn cico_pipelined<C: NodeChannel>(ch: &C, v: Allgather) -> Result<()> {
    v.place_own(ch)?;
    pipeline::hand_round(ch, View::send(0, v.send_block), |by| v.blocks(by, 1)).await
}

/// Single copy: every rank copies the blocks straight out of the others' memory. One copy: best
/// within a node for long blocks.
pub async fn single_copy<C: NodeChannel>(ch: &C, v: Allgather) -> Result<()> {
    published(ch, v, ShareMode::Expose).await
}

async fn published<C: NodeChannel>(ch: &C, v: Allgather, share_mode: ShareMode) -> Result<()> {
    share_mode.publish(ch, 0, View::send(0, v.send_block)).await?;
    v.place_own(ch)?;
    for by in others(ch) {
        ch.get(Slot { step: 0, by }, 0, v.blocks(by, 1)).await?;
    }
    Ok(())
}

/// Single copy, by put: every rank exposes its result, and puts its block into the memory of all.
/// One copy: best within a node for long blocks, since what a rank reads is its own and in its
/// cache.
pub async fn single_copy_put<C: NodeChannel>(ch: &C, v: Allgather) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    ch.expose_for_put(0, v.blocks(0, p)).await?;
    let own = View::send(0, v.send_block);
    let chunk = if p > 2 { PUT_CHUNKS * ch.chunk(own) } else { own.len };
    for part in node_channel::chunks(own, chunk) {
        for by in std::iter::once(me).chain(others(ch)) {
            let exposed = PutTarget { slot: Slot { step: 0, by }, len: p * v.send_block };
            ch.put(part, exposed, me * v.send_block + part.start).await?;
        }
    }
    Ok(())
}
