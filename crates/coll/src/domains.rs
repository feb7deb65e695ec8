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
/// domain, within those that share a socket, within the node; large groups of the smallest are cut.
/// Ranks are counted within the node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains {
    /// The smallest groups first; the last level is the node.
    levels: Vec<Level>,
    /// Whether the ranks of every group are consecutive.
    in_order: bool,
}

/// Ranks of a group from which on it is cut.
const CUT_FROM: usize = 16;
/// Into about so many ranks each.
const CUT_TO: usize = 8;

/// The groups of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Level {
    groups: Nodes,
    /// By group: the groups of the level below in it, in order; at the lowest level its ranks.
    inner: Vec<Vec<usize>>,
    /// The least of these that a group has, and the most.
    inner_min: usize,
    inner_max: usize,
}

impl Level {
    fn new(groups: Nodes, below: Option<&Level>) -> Level {
        let inner_of = |group: usize| {
            let ranks = groups.members(group).iter();
            let mut inner: Vec<usize> = ranks.map(|&rank| number_at(below, rank)).collect();
            inner.sort_unstable();
            inner.dedup();
            inner
        };
        let inner: Vec<Vec<usize>> = (0..groups.count()).map(inner_of).collect();
        let sizes = || inner.iter().map(Vec::len);
        let (inner_min, inner_max) = (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
        Level { groups, inner, inner_min, inner_max }
    }

    /// The lowest rank of a group, or `root` if it is in it.
    fn leader(&self, group: usize, root: usize) -> usize {
        if self.groups.node_of(root) == group { root } else { self.groups.members(group)[0] }
    }
}

/// Groups of which the larger are cut into several of about [`CUT_TO`] neighbours: many ranks that
/// share a cache, and those of whom nothing is known.
fn cut(groups: &Nodes) -> Nodes {
    let part_of = |rank: usize, group: usize| {
        let (index, size) = (groups.local_rank_of(rank), groups.members(group).len());
        if size < CUT_FROM { 0 } else { index * size.div_ceil(CUT_TO) / size }
    };
    let group_of = |rank: usize| (groups.node_of(rank), part_of(rank, groups.node_of(rank)));
    let ranks = (0..groups.count()).map(|group| groups.members(group).len()).sum();
    Nodes::from_labels(&(0..ranks).map(group_of).collect::<Vec<_>>())
}

/// The group in which a rank is at a level; below the lowest the rank itself.
fn number_at(level: Option<&Level>, rank: usize) -> usize {
    level.map_or(rank, |level| level.groups.node_of(rank))
}

/// The ranks among which one is at a level of [`Domains`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peers {
    /// One for each group of the level below.
    pub ranks: Vec<usize>,
    /// Which of them it is.
    pub me: usize,
    /// Which of them is the leader of all, or how many hold a part.
    pub first: usize,
}

impl Domains {
    /// Of ranks of which nothing is known.
    pub fn one(ranks: usize) -> Domains {
        Domains::new(&vec![Locality::default(); ranks])
    }

    /// Of ranks that run there. All ranks must give the same.
    pub fn new(localities: &[Locality]) -> Domains {
        let numa: Vec<_> = localities.iter().map(|at| (at.numa, at.socket)).collect();
        let sockets: Vec<_> = localities.iter().map(|at| at.socket).collect();
        let caches = Nodes::from_labels(localities);
        let mut groups = vec![
            cut(&caches),
            caches,
            Nodes::from_labels(&numa),
            Nodes::from_labels(&sockets),
            Nodes::one(localities.len()),
        ];
        // Groups of one rank each, and those that are the same once more, are no levels.
        groups.dedup();
        groups.retain(|groups| groups.count() == 1 || groups.count() < localities.len());
        let in_order = groups.iter().all(Nodes::in_order);
        let mut levels: Vec<Level> = Vec::new();
        for groups in groups {
            levels.push(Level::new(groups, levels.last()));
        }
        Domains { levels, in_order }
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
        self.levels.last().map_or(0, |node| node.groups.members(0).len())
    }

    fn below(&self, level: usize) -> Option<&Level> {
        level.checked_sub(1).map(|below| &self.levels[below])
    }

    /// The leaders of the groups of the level below in the group of `rank`, which is one of them,
    /// and which of them leads that group. The lowest rank of a group leads it, but for those of
    /// `root`, which that leads.
    pub(crate) fn leaders(&self, level: usize, rank: usize, root: usize) -> Peers {
        let (here, below) = (&self.levels[level], self.below(level));
        let group = here.groups.node_of(rank);
        let inner = &here.inner[group];
        let leader = |&number: &usize| below.map_or(number, |below| below.leader(number, root));
        let index_of = |rank| inner.partition_point(|&number| number < number_at(below, rank));
        let first = index_of(here.leader(group, root));
        Peers { ranks: inner.iter().map(leader).collect(), me: index_of(rank), first }
    }

    /// At each level, those that divide what `rank` holds of the level below: its group at the
    /// lowest, above one of each smaller group in its group, which has the same part. As many hold
    /// a part as the smallest group has members. If `rank` holds none, the levels end there.
    pub(crate) fn counterparts(&self, rank: usize) -> Vec<Peers> {
        let (mut list, mut path) = (Vec::new(), Vec::new());
        for (level, here) in self.levels.iter().enumerate() {
            let below = self.below(level);
            let inner = &here.inner[here.groups.node_of(rank)];
            let me = inner.partition_point(|&number| number < number_at(below, rank));
            let ranks = inner.iter().map(|&number| self.holder(level, number, &path)).collect();
            list.push(Peers { ranks, me, first: here.inner_min });
            if me >= here.inner_min {
                break;
            }
            path.push(me);
        }
        list
    }

    /// By how many ranks what one holds is divided at each level.
    pub(crate) fn divisors(&self) -> impl Iterator<Item = usize> + '_ {
        self.levels.iter().map(|level| level.inner_min.max(1))
    }

    /// How many times the length of a vector a rank reads of the others, at most, to add it up in
    /// such parts: less than once where all groups of a level are filled alike.
    pub(crate) fn read_in_parts(&self) -> f64 {
        let (mut part, mut read) = (1.0, 0.0);
        for level in &self.levels {
            part /= level.inner_min.max(1) as f64;
            read += part * level.inner_max.saturating_sub(1) as f64;
        }
        read
    }

    /// The rank that has the part to which `path` leads, in a group of the level below.
    fn holder(&self, level: usize, mut group: usize, path: &[usize]) -> usize {
        for below in (0..level).rev() {
            group = self.levels[below].inner[group][path[below]];
        }
        group
    }
}

/// Two sockets of two NUMA domains of two caches of `each` ranks.
#[cfg(test)]
pub(crate) fn localities(each: u16) -> Vec<Locality> {
    let place =
        |cache: u16| Locality { cache: 1 + cache, numa: 1 + cache / 2, socket: 1 + cache / 4 };
    (0..8 * each).map(|rank| place(rank / each)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_travel_as_numbers() {
        let place = Locality { cache: 1, numa: 70, socket: 65_535 };
        assert_eq!(Locality::from_bits(place.to_bits()), place);
        assert_eq!(Locality::from_bits(0), Locality::default());
    }

    #[test]
    fn levels_that_tell_nothing_apart_are_none() {
        assert_eq!(Domains::new(&localities(3)).levels(), 4);
        // A rank to each cache: the caches tell nothing.
        assert_eq!(Domains::new(&localities(1)).levels(), 3);
        assert_eq!(Domains::new(&[Locality::default(); 5]), Domains::one(5));
        assert_eq!(Domains::new(&[]).size(), 0);
    }

    #[test]
    fn many_ranks_that_nothing_tells_apart_are_cut_into_neighbours() {
        let domains = Domains::one(17);
        assert_eq!((domains.levels(), domains.size()), (2, 17));
        let peers = domains.counterparts(7);
        assert_eq!((&peers[0].ranks[..], peers[0].first), (&[6, 7, 8, 9, 10, 11][..], 5));
        assert_eq!(peers[1].ranks, [1, 7, 13]);
        assert_eq!(Domains::one(15).levels(), 1);
    }

    #[test]
    fn a_group_of_few_lets_the_others_read_more() {
        let of = |caches: &[u16]| {
            let places = caches.iter().map(|&cache| Locality { cache, ..Locality::default() });
            Domains::new(&places.collect::<Vec<_>>()).read_in_parts()
        };
        // Of three ranks two thirds, of two caches a half of a third.
        assert!((of(&[1, 1, 1, 2, 2, 2]) - 5.0 / 6.0).abs() < 1e-9);
        // All of two others, and a half of the other cache's.
        assert_eq!(of(&[1, 1, 1, 2]), 2.5);
    }

    #[test]
    fn counterparts_have_the_same_part_in_the_groups_of_each_level() {
        let domains = Domains::new(&localities(3));
        let peers = |ranks: &[usize], me, first| Peers { ranks: ranks.to_vec(), me, first };
        let found = domains.counterparts(13);
        assert_eq!(found[0], peers(&[12, 13, 14], 1, 3));
        assert_eq!(found[1], peers(&[13, 16], 0, 2));
        // What 13 has, the first cache of another NUMA domain has, too.
        assert_eq!(found[2], peers(&[13, 19], 0, 2));
        assert_eq!(found[3].ranks, [1, 13]);
        let uneven =
            Domains::new(&[1, 1, 1, 2, 2].map(|cache| Locality { cache, ..Locality::default() }));
        assert_eq!(uneven.counterparts(2), [peers(&[0, 1, 2], 2, 2)]);
        assert_eq!(uneven.counterparts(4)[1], peers(&[1, 4], 1, 2));
    }
}
