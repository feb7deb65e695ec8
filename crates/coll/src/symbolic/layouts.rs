//! Where the ranks of a proof are.

use crate::{Domains, Locality, Nodes};

/// Which ranks share a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeMap {
    /// All.
    One,
    /// Each so many consecutive ranks; the last node may have fewer.
    Consecutive(usize),
    /// Every so-many-th: ranks are dealt out to that number of nodes in turn.
    RoundRobin(usize),
    /// Nodes of 1, 2, 3, ... ranks, in order.
    Growing,
    /// Two nodes, of which the second has a few ranks between those of the first.
    Uneven,
}

impl NodeMap {
    /// Those that algorithms in two levels are proved on.
    pub const ALL: [NodeMap; 6] = [
        NodeMap::One,
        NodeMap::Consecutive(1),
        NodeMap::Consecutive(4),
        NodeMap::RoundRobin(3),
        NodeMap::Growing,
        NodeMap::Uneven,
    ];

    /// Those of larger groups.
    pub const SAMPLE: [NodeMap; 3] =
        [NodeMap::Consecutive(4), NodeMap::RoundRobin(3), NodeMap::Growing];

    /// The nodes of `ranks` ranks.
    pub fn nodes(self, ranks: usize) -> Nodes {
        let node_of = |rank: usize| match self {
            NodeMap::One => 0,
            NodeMap::Consecutive(each) => rank / each,
            NodeMap::RoundRobin(nodes) => rank % nodes,
            // Node n begins at rank n (n + 1) / 2.
            NodeMap::Growing => ((8 * rank + 1).isqrt() - 1) / 2,
            NodeMap::Uneven => usize::from(rank % 5 == 2),
        };
        Nodes::from_labels(&(0..ranks).map(node_of).collect::<Vec<_>>())
    }
}

/// Which ranks of a node share a cache, a NUMA domain and a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainMap {
    /// Nobody knows.
    Unknown,
    /// Three levels: each three consecutive ranks share a cache, six a NUMA domain, twelve a
    /// socket.
    Nested,
    /// Three levels, over which ranks are dealt out in turn: no domain holds consecutive ranks.
    Scattered,
}

impl DomainMap {
    /// Those that algorithms along domains are proved on.
    pub const ALL: [DomainMap; 3] = [DomainMap::Unknown, DomainMap::Nested, DomainMap::Scattered];

    /// The domains of a node of `ranks` ranks.
    pub fn domains(self, ranks: usize) -> Domains {
        let place = |rank: usize| {
            let (cache, numa, socket) = match self {
                DomainMap::Unknown => return Locality::default(),
                DomainMap::Nested => (rank / 3, rank / 6, rank / 12),
                DomainMap::Scattered => (rank % 8, rank % 4, rank % 2),
            };
            let number = |domain: usize| domain as u16 + 1;
            Locality { cache: number(cache), numa: number(numa), socket: number(socket) }
        };
        Domains::new(&(0..ranks).map(place).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_deal_out_ranks_as_they_say() {
        assert_eq!(NodeMap::One.nodes(3), Nodes::one(3));
        assert_eq!(NodeMap::Consecutive(4).nodes(9).leaders(0), [0, 4, 8]);
        assert_eq!(NodeMap::RoundRobin(3).nodes(7).members(0), [0, 3, 6]);
        assert_eq!(NodeMap::Growing.nodes(7).leaders(0), [0, 1, 3, 6]);
        assert_eq!(NodeMap::Uneven.nodes(8).members(1), [2, 7]);
    }

    #[test]
    fn domains_have_three_levels_within_the_node() {
        for (map, ranks, levels) in [
            (DomainMap::Unknown, 15, 1),
            (DomainMap::Unknown, 40, 2),
            (DomainMap::Nested, 13, 4),
            (DomainMap::Scattered, 17, 4),
        ] {
            assert_eq!(map.domains(ranks).levels(), levels, "{map:?}");
        }
    }
}
