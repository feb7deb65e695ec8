//! What algorithms in two levels share: which ranks lead nodes, where blocks are, node by node, and
//! how a vector is divided among several leaders of a node.

use crate::partition::Partition;
use crate::{BlockLayout, Channel, Nodes, SubChannel};

/// The number of leaders of a node where a table does not say: enough to keep a network link busy,
/// few enough that their parts stay long.
pub(crate) const LEADERS: usize = 4;

/// The two levels of an operation with a root, as one rank sees them.
#[derive(Debug)]
pub(crate) struct RootedLevels<'c, C> {
    /// The ranks of its node.
    pub node: SubChannel<'c, C>,
    /// Which of them leads the node: the root, or the lowest.
    pub leader: usize,
    /// The leaders of all nodes, if this rank is one.
    pub top: Option<SubChannel<'c, C>>,
    /// Which of them is the root.
    pub root: usize,
}

impl<'c, C: Channel> RootedLevels<'c, C> {
    pub fn new(ch: &'c C, root: usize) -> Self {
        let nodes = ch.nodes();
        let leaders = nodes.leaders(root);
        let leader = nodes.local_rank_of(leaders[nodes.node_of(ch.rank())]);
        let (node, top) = (SubChannel::node(ch, &nodes), SubChannel::among(ch, leaders));
        RootedLevels { node, leader, top, root: nodes.node_of(root) }
    }
}

/// Counts and displacements that an algorithm computes.
#[derive(Debug)]
pub(crate) struct PackedBlocks {
    pub counts: Vec<usize>,
    pub displacements: Vec<usize>,
}

impl PackedBlocks {
    /// Blocks of these lengths, one after the other.
    pub fn consecutive(counts: impl Iterator<Item = usize>) -> PackedBlocks {
        let mut start = 0;
        let place = |count: usize| {
            start += count;
            (count, start - count)
        };
        let (counts, displacements) = counts.map(place).unzip();
        PackedBlocks { counts, displacements }
    }

    /// The blocks of `ranks` in a buffer that holds one of `block` elements for every rank.
    pub fn of_ranks(ranks: impl Iterator<Item = usize>, block: usize) -> PackedBlocks {
        let (counts, displacements) = ranks.map(|rank| (block, rank * block)).unzip();
        PackedBlocks { counts, displacements }
    }

    /// One block per node, one after the other, of `block` elements for each of its ranks.
    pub fn of_nodes(nodes: &Nodes, block: usize) -> PackedBlocks {
        PackedBlocks::consecutive((0..nodes.count()).map(|node| nodes.members(node).len() * block))
    }

    pub fn layout(&self) -> BlockLayout<'_> {
        BlockLayout { counts: &self.counts, displacements: &self.displacements }
    }
}

/// The division of a vector, as the ranks of one node see it: the first few hold a part each, the
/// others nothing.
#[derive(Debug)]
pub(crate) struct Slices {
    leaders: usize,
    /// This rank's index in its node.
    pub local_rank: usize,
    /// Elements of the part of each rank of the node.
    pub counts: Vec<usize>,
    /// Where each part begins; one more, at the end of the vector.
    pub starts: Vec<usize>,
}

impl Slices {
    /// Divides `len` elements among `leaders` ranks, or as many as the smallest node has.
    pub fn new(nodes: &Nodes, len: usize, leaders: usize, rank: usize) -> Slices {
        let leaders = leaders.min(nodes.smallest());
        let parts = Partition::Even { len, parts: leaders };
        let members = nodes.members(nodes.node_of(rank)).len();
        let starts: Vec<usize> = (0..=members).map(|i| parts.start(i.min(leaders))).collect();
        let counts = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        Slices { leaders, local_rank: nodes.local_rank_of(rank), counts, starts }
    }

    /// The parts as blocks of a buffer that holds the vector.
    pub fn layout(&self) -> BlockLayout<'_> {
        BlockLayout { counts: &self.counts, displacements: &self.starts }
    }

    /// The ranks that hold the same part as this rank, one per node, in the order of nodes; none if
    /// this rank holds no part.
    pub fn counterparts<'c, C: Channel>(
        &self,
        ch: &'c C,
        nodes: &Nodes,
    ) -> Option<SubChannel<'c, C>> {
        let holds = self.local_rank < self.leaders;
        let ranks =
            || (0..nodes.count()).map(|node| nodes.members(node)[self.local_rank]).collect();
        if holds { SubChannel::among(ch, ranks()) } else { None }
    }
}
