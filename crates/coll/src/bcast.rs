//! Bcast: the root's vector reaches every rank.
//!
//! The data is `View::recv(0, len)` everywhere. Ranks may describe the same data by different
//! counts and datatypes, yet must cut it at the same places: an executor therefore counts a bcast
//! in a unit all ranks share, the packed byte.

use crate::allgatherv::{self, Allgatherv};
use crate::levels::{LEADERS, Slices};
use crate::parts::Parts;
use crate::pieces;
use crate::scatterv::{self, Scatterv};
use crate::select::{Choice, Rule, Shape, check};
use crate::shared::{Hand, PAIR_COPIED_BYTES, others};
use crate::tree::{Binomial, Knomial, RADIX, doublings};
use crate::{Channel, NodeChannel, Opened, Places, Shown, SubChannel, View};
use dunlin_base::Result;

/// Arguments of a bcast; the same at every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bcast {
    /// The rank that has the data.
    pub root: usize,
    /// Number of elements, in a unit all ranks share.
    pub len: usize,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`binomial`].
    Binomial,
    /// See [`knomial`].
    Knomial {
        /// What the tree branches by, at least 2.
        radix: usize,
    },
    /// See [`scatter_allgather`].
    ScatterAllgather,
    /// See [`scatter_doubling`].
    ScatterDoubling,
    /// See [`pipelined_chain`].
    PipelinedChain {
        /// Elements per message, at least 1.
        segment: usize,
    },
    /// See [`two_level`].
    TwoLevel,
    /// See [`two_level_posted`].
    TwoLevelPosted,
    /// See [`two_level_lent`].
    TwoLevelLent,
    /// See [`multi_leader`].
    MultiLeader {
        /// Ranks of a node that speak for it, at least 1.
        leaders: usize,
    },
    /// See [`posted`].
    Posted,
    /// See [`posted_pieces`].
    PostedPieces,
    /// See [`lent`].
    Lent,
    /// See [`lent_given`].
    LentGiven,
}

/// Large enough that a message's cost is mostly bandwidth, small enough to fill a chain soon.
const SEGMENT_BYTES: usize = 64 << 10;

/// Beyond this a message between two ranks, which both of them copy, is fastest.
const PAIR_BYTES: usize = 16 << 10;

impl Choice for Algorithm {
    const OPERATION: &'static str = "bcast";
    const ALL: &'static [Self] = &[
        Algorithm::Binomial,
        Algorithm::Knomial { radix: RADIX },
        Algorithm::ScatterAllgather,
        Algorithm::ScatterDoubling,
        Algorithm::PipelinedChain { segment: SEGMENT_BYTES },
        Algorithm::TwoLevel,
        Algorithm::TwoLevelPosted,
        Algorithm::TwoLevelLent,
        Algorithm::MultiLeader { leaders: LEADERS },
        Algorithm::Posted,
        Algorithm::PostedPieces,
        Algorithm::Lent,
        Algorithm::LentGiven,
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::pair_above(PAIR_BYTES, Algorithm::Binomial),
        Rule::pair_above(PAIR_COPIED_BYTES, Algorithm::Lent),
        // Some ranks copy the first piece while the root shows the second: 16, 32 and 64 KiB by 4
        // ranks on 2 cores take 4.9, 7.3 and 11.8 us, whole 6.2, 8.9 and 14.7. Of 8 ranks most
        // wait for their turn anyhow.
        Rule::crowded(4, 8 << 10, Algorithm::Posted),
        Rule::crowded(4, usize::MAX, Algorithm::PostedPieces),
        Rule::crowded(usize::MAX, 32 << 10, Algorithm::Posted),
        Rule::crowded(usize::MAX, usize::MAX, Algorithm::PostedPieces),
        Rule::otherwise(Algorithm::Posted),
        Rule::otherwise(Algorithm::LentGiven),
        Rule::otherwise(Algorithm::PostedPieces),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelPosted),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelLent),
        Rule::up_to_bytes(12 << 10, Algorithm::Binomial),
        Rule::up_to_ranks(7, Algorithm::PipelinedChain { segment: SEGMENT_BYTES }),
        Rule::otherwise(Algorithm::ScatterAllgather),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Binomial => "binomial",
            Algorithm::Knomial { .. } => "knomial",
            Algorithm::ScatterAllgather => "scatter_allgather",
            Algorithm::ScatterDoubling => "scatter_doubling",
            Algorithm::PipelinedChain { .. } => "pipelined_chain",
            Algorithm::TwoLevel => "two_level",
            Algorithm::TwoLevelPosted => "two_level_posted",
            Algorithm::TwoLevelLent => "two_level_lent",
            Algorithm::MultiLeader { .. } => "multi_leader",
            Algorithm::Posted => "posted",
            Algorithm::PostedPieces => "posted_pieces",
            Algorithm::Lent => "lent",
            Algorithm::LentGiven => "lent_given",
        }
    }

    fn fits(self, shape: &Shape) -> bool {
        match self {
            Algorithm::ScatterDoubling => shape.ranks.is_power_of_two(),
            Algorithm::TwoLevelPosted => shape.posts,
            Algorithm::TwoLevelLent => shape.lends,
            Algorithm::Posted => shape.all_post(),
            Algorithm::PostedPieces => shape.all_post_pieces(),
            Algorithm::Lent | Algorithm::LentGiven => shape.all_lend(),
            _ => true,
        }
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::Knomial { radix } => Some(("radix", radix)),
            Algorithm::PipelinedChain { segment } => Some(("segment", segment)),
            Algorithm::MultiLeader { leaders } => Some(("leaders", leaders)),
            _ => None,
        }
    }

    fn with_parameter(self, value: usize) -> Self {
        match self {
            Algorithm::Knomial { .. } => Algorithm::Knomial { radix: value.max(2) },
            Algorithm::PipelinedChain { .. } => Algorithm::PipelinedChain { segment: value },
            Algorithm::MultiLeader { .. } => Algorithm::MultiLeader { leaders: value },
            other => other,
        }
    }
}

/// Runs a bcast by algorithm `how`.
pub async fn bcast<C: Channel + NodeChannel>(ch: &C, v: Bcast, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Binomial => binomial(ch, v).await,
        Algorithm::Knomial { radix } => knomial(ch, v, radix).await,
        Algorithm::ScatterAllgather => scatter_allgather(ch, v).await,
        Algorithm::ScatterDoubling => scatter_doubling(ch, v).await,
        Algorithm::PipelinedChain { segment } => pipelined_chain(ch, v, segment).await,
        Algorithm::TwoLevel => two_level(ch, v).await,
        Algorithm::TwoLevelPosted => two_level_posted(ch, v).await,
        Algorithm::TwoLevelLent => two_level_lent(ch, v).await,
        Algorithm::MultiLeader { leaders } => multi_leader(ch, v, leaders).await,
        Algorithm::Posted => posted(ch, v).await,
        Algorithm::PostedPieces => posted_pieces(ch, v).await,
        Algorithm::Lent => lent(ch, v).await,
        Algorithm::LentGiven => lent_given(ch, v).await,
    }
}

/// Binomial tree: whoever has the data hands it to the rank half the remaining distance away, so
/// the number of ranks that have it doubles in every round.
/// ceil(log2 p) rounds, each moving the whole vector; best for short vectors.
/// Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn binomial<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    knomial(ch, v, 2).await
}

/// K-nomial tree: whoever has the data hands it to k - 1 ranks, which stand at equal distances over
/// the ranks it is to reach, so the number of ranks that have it grows k times in every round.
/// ceil(log_k p) rounds, each moving the whole vector up to k - 1 times: best for short vectors
/// where a rank can send several messages in the time that one takes to arrive.
pub async fn knomial<C: Channel>(ch: &C, v: Bcast, radix: usize) -> Result<()> {
    let tree = Knomial::with_radix(ch.rank(), v.root, ch.size(), radix);
    let data = View::recv(0, v.len);
    if let Some(parent) = tree.parent() {
        ch.recv(parent, data).await?;
    }
    let leaving = tree.children().rev().map(|child| ch.isend(tree.rank_of(child), data));
    ch.wait_all(leaving.collect::<Result<Vec<_>>>()?).await
}

/// Hands every rank its block of the vector, by a binomial tree: relative rank i gets block i.
async fn scatter<C: Channel>(ch: &C, tree: Binomial, parts: Parts<'_>, data: View) -> Result<()> {
    if let Some(parent) = tree.parent() {
        ch.recv(parent, parts.run(data, tree.me, tree.subtree(tree.me))).await?;
    }
    for child in tree.children().rev() {
        let chunks = parts.run(data, child, tree.subtree(child));
        ch.send(tree.rank_of(child), chunks).await?;
    }
    Ok(())
}

/// Scatter and allgather: a binomial tree gives every rank one chunk of the vector, then the chunks
/// travel round a ring until every rank has all of them.
/// ceil(log2 p) + p - 1 rounds; a rank moves about twice the vector however many ranks there are:
/// best for long vectors. van de Geijn; Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn scatter_allgather<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let data = View::recv(0, v.len);
    let parts = Parts::Even { len: v.len, parts: tree.size };
    scatter(ch, tree, parts, data).await?;
    let (right, left) = (tree.rank_of(tree.me + 1), tree.rank_of(tree.me + tree.size - 1));
    for step in 0..tree.size - 1 {
        let mine = parts.block(data, (tree.me + tree.size - step) % tree.size);
        let theirs = parts.block(data, (tree.me + tree.size - step - 1) % tree.size);
        ch.exchange(right, mine, left, theirs).await?;
    }
    Ok(())
}

/// Scatter and doubling: a binomial tree gives every rank one chunk of the vector, then ranks 1, 2,
/// 4, ... apart swap all the chunks they have.
/// 2 log2 p rounds; a rank moves about twice the vector: best for middling vectors. Only for a
/// power of two of ranks. Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn scatter_doubling<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let data = View::recv(0, v.len);
    let parts = Parts::Even { len: v.len, parts: tree.size };
    scatter(ch, tree, parts, data).await?;
    for have in doublings(tree.size) {
        let (mine, theirs) = (tree.me & !(have - 1), (tree.me ^ have) & !(have - 1));
        let peer = tree.rank_of(tree.me ^ have);
        ch.exchange(peer, parts.run(data, mine, have), peer, parts.run(data, theirs, have)).await?;
    }
    Ok(())
}

/// Pipelined chain: the vector travels from rank to rank in segments, and a rank forwards one
/// segment while the next arrives.
/// p - 2 + len/segment rounds of one segment; every rank but the ends moves the vector in and out
/// once: best for long vectors on few ranks. Pjesivac-Grbovic et al. (2007), section 3.
pub async fn pipelined_chain<C: Channel>(ch: &C, v: Bcast, segment: usize) -> Result<()> {
    let chain = Binomial::new(ch.rank(), v.root, ch.size());
    let from = (chain.me > 0).then(|| chain.rank_of(chain.me - 1));
    let to = (chain.me + 1 < chain.size).then(|| chain.rank_of(chain.me + 1));
    let piece = |k: usize| View::recv(k * segment, segment.min(v.len - k * segment));
    let pieces = v.len.div_ceil(segment);
    let receive = |k: usize| match from {
        Some(from) if k < pieces => ch.irecv(from, piece(k)).map(Some),
        _ => Ok(None),
    };
    let mut incoming = receive(0)?;
    let mut outgoing = None;
    for k in 0..pieces {
        let next = receive(k + 1)?;
        if let Some(arriving) = std::mem::replace(&mut incoming, next) {
            ch.wait(arriving).await?;
        }
        let Some(to) = to else { continue };
        let sending = ch.isend(to, piece(k))?;
        if let Some(earlier) = outgoing.replace(sending) {
            ch.wait(earlier).await?;
        }
    }
    ch.wait_all(outgoing).await
}

/// Two levels: the root hands the vector to one rank of every node, and this to the others of its
/// node, each by a binomial tree. ceil(log2 nodes) rounds between nodes and no link between nodes
/// used twice, then ceil(log2 ranks per node) rounds within them: best for short vectors on several
/// nodes.
pub async fn two_level<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    in_two_levels(ch, v, binomial, binomial).await
}

/// Two levels, posted: the root hands the vector to one rank of every node by a binomial tree, and
/// this shows it to its node. ceil(log2 nodes) rounds between nodes and one within them: best for
/// short vectors on several nodes whose ranks share memory.
pub async fn two_level_posted<C: Channel + NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    in_two_levels(ch, v, binomial, posted).await
}

/// Two levels, lent: one rank of every node gets the vector by scatter and allgather, and puts a
/// part of it into the memory of all others of its node, while they copy the rest. Two vectors into
/// and out of every node at most, and one copy within it: best for long vectors on several nodes
/// whose ranks share memory.
pub async fn two_level_lent<C: Channel + NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    in_two_levels(ch, v, scatter_allgather, lent_given).await
}

async fn in_two_levels<'c, C: Channel>(
    ch: &'c C,
    v: Bcast,
    between: impl AsyncFn(&SubChannel<'c, C>, Bcast) -> Result<()>,
    within: impl AsyncFn(&SubChannel<'c, C>, Bcast) -> Result<()>,
) -> Result<()> {
    let (nodes, data) = (ch.nodes(), View::recv(0, v.len));
    let leaders = nodes.leaders(v.root);
    let my_node = nodes.node_of(ch.rank());
    let root = nodes.place_of(leaders[my_node]);
    if let Some(top) = SubChannel::among(ch, leaders) {
        let v = Bcast { root: nodes.node_of(v.root), ..v };
        between(&top.over(data, data), v).await?;
    }
    within(&SubChannel::node(ch, &nodes).over(data, data), Bcast { root, ..v }).await
}

/// Several leaders: the root's node divides the vector among its first ranks, each of which hands
/// its part to its like on all other nodes by a binomial tree; within every node the parts are then
/// brought together. Every link into a node carries the vector once, in several messages at a time:
/// best for long vectors on several nodes that one rank cannot keep busy. No more leaders than the
/// smallest node has ranks. Kandalla, Subramoni, Santhanaraman, Koop, Panda (2009).
pub async fn multi_leader<C: Channel>(ch: &C, v: Bcast, leaders: usize) -> Result<()> {
    let (nodes, data) = (ch.nodes(), View::recv(0, v.len));
    let slices = Slices::new(&nodes, v.len, leaders, ch.rank());
    let node = SubChannel::node(ch, &nodes);
    let mine = data.part(slices.starts[slices.place], slices.counts[slices.place]);
    if nodes.node_of(ch.rank()) == nodes.node_of(v.root) {
        let root = nodes.place_of(v.root);
        let send = if slices.place == root { slices.places() } else { Places::NONE };
        let v = Scatterv { root, send, recv_len: mine.len };
        scatterv::linear(&node.over(data, mine), v).await?;
    }
    if let Some(top) = slices.likes(ch, &nodes) {
        let v = Bcast { root: nodes.node_of(v.root), len: mine.len };
        binomial(&top.over(mine, mine), v).await?;
    }
    let v = Allgatherv { send_len: mine.len, recv: slices.places() };
    allgatherv::ring(&SubChannel::node(ch, &nodes).over(mine, data), v).await
}

/// Posted: the root shows its vector, all others copy it. Two copies and no message: best within a
/// node for vectors that fit into a slot of shared memory.
pub async fn posted<C: NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    shown(ch, v, Hand::Post).await
}

/// Posted, in pieces: the root shows one piece of its vector while all others copy those before.
/// What is copied lies in the cache: best within a node for long vectors.
pub async fn posted_pieces<C: NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    pieces::hand_out(ch, v.root, View::recv(0, v.len)).await
}

/// Lent: all others copy straight out of the root's memory, at the same time. One copy: best within
/// a node for middling vectors.
pub async fn lent<C: NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    shown(ch, v, Hand::Lend).await
}

pub(crate) async fn shown<C: NodeChannel>(ch: &C, v: Bcast, hand: Hand) -> Result<()> {
    let data = View::recv(0, v.len);
    if ch.rank() == v.root {
        return hand.show(ch, 0, data).await;
    }
    ch.take_whole(Shown { step: 0, by: v.root }, data).await
}

/// Lent and given: the root puts one part of the vector into everybody's memory, while all others
/// copy the rest out of its own. One copy, divided evenly: best within a node for long vectors.
pub async fn lent_given<C: NodeChannel>(ch: &C, v: Bcast) -> Result<()> {
    let data = View::recv(0, v.len);
    let given = v.len / ch.size();
    if ch.rank() != v.root {
        let from = Shown { step: 0, by: v.root };
        ch.open(0, data.part(0, given)).await?;
        return ch.take(from, given, data.part(given, v.len - given)).await;
    }
    ch.lend(0, data).await?;
    for by in others(ch) {
        let opened = Opened { shown: Shown { step: 0, by }, len: given };
        ch.give(data.part(0, given), opened, 0).await?;
    }
    Ok(())
}
