//! Which ranks of a node share a cache, a NUMA domain and a socket.

use crate::Nodes;

/// Where in its node a rank runs. A number stands for one cache, NUMA domain or socket, whichever
/// it is; 0 says that the rank may run in several of them, or that nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locality {
    /// The last-level cache.
    pub cache: u16,
    /// The NUMA domain.
    pub numa: u16,
    /// The socket.
    pub socket: u16,
}

impl Locality {
    /// As a number, to be sent.
    pub fn to_bits(self) -> u64 {
        u64::from(self.socket) << 32 | u64::from(self.numa) << 16 | u64::from(self.cache)
    }

    /// From such a number.
    pub fn from_bits(bits: u64) -> Locality {
        Locality { cache: bits as u16, numa: (bits >> 16) as u16, socket: (bits >> 32) as u16 }
    }
}

/// The domains of the ranks of one node: groups that share a cache, within those that share a NUMA
/// domain, within those that share a socket, within the node. Ranks are counted within the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains {
    /// The groups of each level, the smallest first; the last level is the node.
    levels: Vec<Nodes>,
    /// Whether the ranks of every group are consecutive.
    in_order: bool,
}

impl Domains {
    /// Of ranks of which nothing is known.
    pub fn one(ranks: usize) -> Domains {
        Domains { levels: vec![Nodes::one(ranks)], in_order: true }
    }

    /// Of ranks that run at these places. All ranks must give the same.
    pub fn new(places: &[Locality]) -> Domains {
        let levels = [
            Nodes::from_labels(places),
            Nodes::from_labels(&places.iter().map(|p| (p.numa, p.socket)).collect::<Vec<_>>()),
            Nodes::from_labels(&places.iter().map(|p| p.socket).collect::<Vec<_>>()),
            Nodes::one(places.len()),
        ];
        let mut domains = Domains { levels: levels.into(), in_order: true };
        // Groups of one rank each, and those that are the same once more, are no levels.
        domains.levels.dedup();
        domains.levels.retain(|groups| groups.count() == 1 || groups.count() < places.len());
        domains.in_order = domains.levels.iter().all(Nodes::in_order);
        domains
    }

    /// Whether the ranks of every group are consecutive.
    pub(crate) fn in_order(&self) -> bool {
        self.in_order
    }

    /// How many levels there are, the node being one.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Number of ranks.
    pub fn size(&self) -> usize {
        self.levels.last().map_or(0, |node| node.members(0).len())
    }

    /// The ranks among which rank `me`, which leads its groups of all lower levels, is at a level:
    /// the leaders of the groups of the level below in its group. The lowest rank of a group leads
    /// it, but for those of `root`, which that leads. The leader of the group itself is the second
    /// result.
    pub(crate) fn peers(&self, level: usize, me: usize, root: usize) -> (Vec<usize>, usize) {
        let groups = &self.levels[level];
        let group = groups.node_of(me);
        let leader_of = |groups: &Nodes, group: usize| match groups.node_of(root) == group {
            true => root,
            false => groups.members(group)[0],
        };
        let members = groups.members(group);
        let leads = |rank: &usize| match level.checked_sub(1) {
            Some(below) => {
                let below = &self.levels[below];
                leader_of(below, below.node_of(*rank)) == *rank
            }
            None => true,
        };
        (members.iter().copied().filter(leads).collect(), leader_of(groups, group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sockets of two NUMA domains of two caches of `each` ranks.
    fn places(each: u16) -> Vec<Locality> {
        let place =
            |cache: u16| Locality { cache: 1 + cache, numa: 1 + cache / 2, socket: 1 + cache / 4 };
        (0..8 * each).map(|rank| place(rank / each)).collect()
    }

    #[test]
    fn places_travel_as_numbers() {
        let place = Locality { cache: 1, numa: 70, socket: 65_535 };
        assert_eq!(Locality::from_bits(place.to_bits()), place);
        assert_eq!(Locality::from_bits(0), Locality::default());
    }

    #[test]
    fn levels_that_tell_nothing_apart_are_none() {
        assert_eq!(Domains::new(&places(3)).levels(), 4);
        // A rank to each cache: the caches tell nothing.
        assert_eq!(Domains::new(&places(1)).levels(), 3);
        assert_eq!(Domains::new(&[Locality::default(); 5]), Domains::one(5));
        assert_eq!(Domains::new(&[]).size(), 0);
    }
}
