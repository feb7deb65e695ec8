//! Barrier: no rank leaves before every rank has entered. Messages are [`View::EMPTY`].

use crate::domain_tree::{DomainTree, UP_RADIX};
use crate::select::{AlgorithmSet, CallTraits, MANY, ONE, Range, Rule, When, check};
use crate::tree::{Knomial, RADIX, powers};
use crate::{Channel, Member, NodeChannel, Nodes, Slot, SubChannel, View};
use dunlin_base::Result;

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`dissemination`].
    Dissemination,
    /// See [`k_dissemination`].
    KDissemination {
        /// Ranks told per round, and one; at least 2.
        radix: usize,
    },
    /// See [`tree`].
    Tree {
        /// What the tree branches by, at least 2.
        radix: usize,
    },
    /// See [`two_level`].
    TwoLevel,
    /// See [`two_level_cico`].
    TwoLevelCico,
    /// See [`two_level_cico_tree`].
    TwoLevelCicoTree {
        /// What the tree branches by within a domain, at least 2.
        radix: usize,
    },
    /// See [`cico`].
    Cico,
    /// See [`cico_tree`].
    CicoTree {
        /// What the tree branches by within a domain, at least 2.
        radix: usize,
    },
}

/// Few ranks, all on one node, that have messages alone, as in the first nonblocking barriers of a
/// communicator: rank 0 lets all go at once. In a dissemination one rank may leave while another
/// waits for a third that has no core; a program that probes for messages of any rank until the
/// barrier is over may then take one that the rank which has left has sent since.
const AT_ONCE: When =
    When { ranks: Range::up_to(RANKS_AT_ONCE), nodes: Range::up_to(1), ..When::ALWAYS };
const RANKS_AT_ONCE: usize = 16;

impl AlgorithmSet for Algorithm {
    const OPERATION: &'static str = "barrier";
    const ALL: &'static [Self] = &[
        Algorithm::Dissemination,
        Algorithm::KDissemination { radix: RADIX },
        Algorithm::Tree { radix: RADIX },
        Algorithm::TwoLevel,
        Algorithm::TwoLevelCico,
        Algorithm::TwoLevelCicoTree { radix: UP_RADIX },
        Algorithm::Cico,
        Algorithm::CicoTree { radix: UP_RADIX },
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::on_wide_node(usize::MAX, Algorithm::CicoTree { radix: UP_RADIX }),
        Rule::across_nodes(MANY, Range::ALL, Algorithm::TwoLevelCicoTree { radix: UP_RADIX }),
        Rule::otherwise(Algorithm::Cico),
        Rule::across_nodes(ONE, Range::ALL, Algorithm::KDissemination { radix: RADIX }),
        Rule::on_shared_nodes(usize::MAX, Algorithm::TwoLevelCico),
        Rule::new(AT_ONCE, Algorithm::Tree { radix: RANKS_AT_ONCE }),
        Rule::otherwise(Algorithm::Dissemination),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Dissemination => "dissemination",
            Algorithm::KDissemination { .. } => "k_dissemination",
            Algorithm::Tree { .. } => "tree",
            Algorithm::TwoLevel => "two_level",
            Algorithm::TwoLevelCico => "two_level_cico",
            Algorithm::TwoLevelCicoTree { .. } => "two_level_cico_tree",
            Algorithm::Cico => "cico",
            Algorithm::CicoTree { .. } => "cico_tree",
        }
    }

    fn fits(self, shape: &CallTraits) -> bool {
        match self {
            Algorithm::TwoLevelCico | Algorithm::TwoLevelCicoTree { .. } => shape.cico,
            Algorithm::Cico | Algorithm::CicoTree { .. } => shape.all_cico(),
            _ => true,
        }
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::KDissemination { radix }
            | Algorithm::Tree { radix }
            | Algorithm::TwoLevelCicoTree { radix }
            | Algorithm::CicoTree { radix } => Some(("radix", radix)),
            _ => None,
        }
    }

    fn with_parameter(self, value: usize) -> Self {
        let radix = value.max(2);
        match self {
            Algorithm::KDissemination { .. } => Algorithm::KDissemination { radix },
            Algorithm::Tree { .. } => Algorithm::Tree { radix },
            Algorithm::TwoLevelCicoTree { .. } => Algorithm::TwoLevelCicoTree { radix },
            Algorithm::CicoTree { .. } => Algorithm::CicoTree { radix },
            other => other,
        }
    }
}

/// Runs a barrier by algorithm `how`.
pub async fn barrier<C: Channel + NodeChannel>(ch: &C, how: Algorithm) -> Result<()> {
    check(how, &CallTraits::plain(ch.size()).shared(true, true))?;
    match how {
        Algorithm::Dissemination => dissemination(ch).await,
        Algorithm::KDissemination { radix } => k_dissemination(ch, radix).await,
        Algorithm::Tree { radix } => tree(ch, radix).await,
        Algorithm::TwoLevel => two_level(ch).await,
        Algorithm::TwoLevelCico => two_level_cico(ch).await,
        Algorithm::TwoLevelCicoTree { radix } => two_level_cico_tree(ch, radix).await,
        Algorithm::Cico => cico(ch).await,
        Algorithm::CicoTree { radix } => cico_tree(ch, radix).await,
    }
}

/// Dissemination: in round k every rank tells the rank 2^k to its right that it has arrived, and
/// waits for a message from the rank 2^k to its left; that message stands for 2^k ranks. ceil(log2
/// p) rounds of one empty message per rank, and any p is as good as a power of two: best wherever
/// messages are all one has. Hensgen, Finkel, Manber (1988).
pub async fn dissemination<C: Channel>(ch: &C) -> Result<()> {
    k_dissemination(ch, 2).await
}

/// Dissemination to several: in a round at distance d every rank tells the ranks d, 2d, ...,
/// (k - 1)d to its right, and waits for as many on its left; d grows k times from round to round.
/// ceil(log_k p) rounds of up to k - 1 empty messages per rank: best where a rank can send several
/// messages in the time that one takes to arrive. Hoefler, Mehlan, Mietke, Rehm (2006).
pub async fn k_dissemination<C: Channel>(ch: &C, radix: usize) -> Result<()> {
    let (me, p) = (ch.rank(), ch.size());
    for distance in powers(radix).take_while(|&distance| distance < p) {
        let mut requests = Vec::new();
        for far in (1..radix).map(|digit| digit * distance).take_while(|&far| far < p) {
            requests.push(ch.irecv((me + p - far) % p, View::EMPTY)?);
            requests.push(ch.isend((me + far) % p, View::EMPTY)?);
        }
        ch.wait_all(requests).await?;
    }
    Ok(())
}

/// Tree: the news that all have arrived climbs a k-nomial tree to rank 0, the permission to leave
/// descends it. 2 ceil(log_k p) rounds and 2(p - 1) empty messages in all, the fewest possible:
/// best where many ranks share cores or a link, so that what counts is the work of all together.
/// Mellor-Crummey, Scott (1991).
pub async fn tree<C: Channel>(ch: &C, radix: usize) -> Result<()> {
    let tree = Knomial::with_radix(ch.rank(), 0, ch.size(), radix);
    fan_in(ch, tree).await?;
    fan_out(ch, tree).await
}

/// Waits for everyone below in the tree and tells the parent.
async fn fan_in<C: Channel>(ch: &C, tree: Knomial) -> Result<()> {
    let arriving = tree.children().map(|child| ch.irecv(tree.rank_of(child), View::EMPTY));
    ch.wait_all(arriving.collect::<Result<Vec<_>>>()?).await?;
    if let Some(parent) = tree.parent() { ch.send(parent, View::EMPTY).await } else { Ok(()) }
}

/// Waits for word from the parent and passes it on.
async fn fan_out<C: Channel>(ch: &C, tree: Knomial) -> Result<()> {
    if let Some(parent) = tree.parent() {
        ch.recv(parent, View::EMPTY).await?;
    }
    let leaving = tree.children().rev().map(|child| ch.isend(tree.rank_of(child), View::EMPTY));
    ch.wait_all(leaving.collect::<Result<Vec<_>>>()?).await
}

/// What the lowest ranks of the nodes do once all of theirs have arrived.
pub async fn between_nodes<C: Channel>(ch: &C, nodes: &Nodes) -> Result<()> {
    match SubChannel::among(ch, nodes.leaders(0)) {
        Some(leaders) => k_dissemination(&leaders, RADIX).await,
        None => Ok(()),
    }
}

/// Two levels: the ranks of every node report to its lowest, these run a dissemination to several
/// among themselves, and let their nodes go. ceil(log4 nodes) rounds between nodes, and up to three
/// messages per node in each: best on several nodes.
pub async fn two_level<C: Channel>(ch: &C) -> Result<()> {
    let nodes = ch.nodes();
    let node = SubChannel::node(ch, &nodes);
    let tree = Knomial::with_radix(node.rank(), 0, node.size(), RADIX);
    fan_in(&node, tree).await?;
    between_nodes(ch, &nodes).await?;
    fan_out(&node, tree).await
}

/// Two levels, copy-in-copy-out: the lowest rank of every node waits until all the others of its
/// node have published that they arrived, runs a dissemination to several with the lowest ranks of
/// the other nodes, and publishes to its node that all may go on. ceil(log4 nodes) rounds of up
/// to three messages per node, and no others: best on several nodes whose ranks share memory.
pub async fn two_level_cico<C: Channel + NodeChannel>(ch: &C) -> Result<()> {
    let nodes = ch.nodes();
    let node = SubChannel::node(ch, &nodes);
    if node.rank() > 0 {
        node.copy_in(0, View::EMPTY).await?;
        return node.await_slot(Slot { step: 1, by: 0 }).await;
    }
    node.await_all(0).await?;
    between_nodes(ch, &nodes).await?;
    node.copy_in(1, View::EMPTY).await
}

/// Two levels, copy-in-copy-out by trees: as `two_level_cico`, but within a node the news climbs
/// and descends a tree along its caches, NUMA domains and sockets, as in `cico_tree`. No rank reads
/// more than a few lines: best on several nodes of many cores whose ranks share memory.
pub async fn two_level_cico_tree<C: Channel + NodeChannel>(ch: &C, radix: usize) -> Result<()> {
    let nodes = ch.nodes();
    let node = SubChannel::node(ch, &nodes);
    DomainTree::of(&node, 0, radix).report(&node).await?;
    between_nodes(ch, &nodes).await?;
    DomainTree::down(&node, 0).dismiss(&node).await
}

/// Copy-in-copy-out: every rank publishes that it has arrived, and reads the slots of all the
/// others. Each rank writes one cache line and reads p - 1, and ranks may arrive in any order: best
/// within a node while ranks are few, or share cores.
pub async fn cico<C: NodeChannel>(ch: &C) -> Result<()> {
    ch.copy_in(0, View::EMPTY).await?;
    ch.await_all(0).await
}

/// Copy-in-copy-out, as a tree: that all have arrived climbs a tree in which the ranks that share a
/// cache are subtrees, then those that share a NUMA domain, then those that share a socket, as far
/// as is known; that they may go on descends it. Within each domain the tree is k-nomial. A rank
/// reads a line of each rank below it and one of the rank above, most of them near: best within a
/// node of many cores. Mellor-Crummey, Scott (1991).
pub async fn cico_tree<C: NodeChannel>(ch: &C, radix: usize) -> Result<()> {
    DomainTree::of(ch, 0, radix).report(ch).await?;
    DomainTree::down(ch, 0).dismiss(ch).await
}
