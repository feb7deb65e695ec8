//! Where ranks are: nodes, cores, adapters. Ranks fill nodes one after the other, and the cores of
//! a node in their order, as `mpirun` places them.

use crate::machine::{ByDistance, Machine, Node};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::Locality;

/// Ranks that a simulation can hold.
const RANKS_MAX: usize = 1 << 22;

/// A job: how many nodes, and how many ranks on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Nodes.
    pub nodes: usize,
    /// Ranks of every node.
    pub ranks_per_node: usize,
}

impl Layout {
    /// Refuses a job without ranks, or with more than there are numbers for.
    pub fn check(self) -> Result<Layout> {
        if self.nodes == 0 || self.ranks_per_node == 0 {
            let Layout { nodes, ranks_per_node } = self;
            let text =
                format!("{nodes} nodes of {ranks_per_node} ranks are no job; give 1 or more");
            return Err(Error::new(ErrorClass::Arg, text));
        }
        let Layout { nodes, ranks_per_node } = self;
        if nodes.checked_mul(ranks_per_node).is_none_or(|ranks| ranks > RANKS_MAX) {
            let text = format!(
                "{nodes} nodes of {ranks_per_node} ranks are too many; \
                at most {RANKS_MAX} ranks can be simulated"
            );
            return Err(Error::new(ErrorClass::Arg, text));
        }
        Ok(self)
    }

    /// Ranks of the job.
    pub fn ranks(self) -> usize {
        self.nodes * self.ranks_per_node
    }

    /// The node of a rank.
    pub(crate) fn node_of(self, rank: usize) -> usize {
        rank / self.ranks_per_node
    }

    /// The ranks of a node.
    pub(crate) fn members(self, node: usize) -> std::ops::Range<usize> {
        node * self.ranks_per_node..(node + 1) * self.ranks_per_node
    }

    /// The index of a rank among those of its node.
    pub(crate) fn local_rank(self, rank: usize) -> usize {
        rank % self.ranks_per_node
    }
}

impl Machine {
    /// How many groups of cores a job has: one for each node, unless all hosts share one.
    pub(crate) fn groups_of_cores(&self, layout: Layout) -> usize {
        if self.hosts_share_cores() { 1 } else { layout.nodes }
    }

    /// The group of cores, and the core there, on which a rank runs. More ranks than cores share
    /// them in turn.
    pub(crate) fn core_of(&self, layout: Layout, rank: usize) -> (usize, usize) {
        if self.hosts_share_cores() {
            return (0, rank % self.node.cores());
        }
        (layout.node_of(rank), layout.local_rank(rank) % self.node.cores())
    }

    /// Where the ranks of each node run, as far as a rank that is bound to a core knows. Ranks that
    /// share cores are not bound.
    pub(crate) fn places(&self, layout: Layout) -> Vec<Locality> {
        let place = |rank| match self.has_shared_cores(layout) {
            true => Locality::default(),
            false => self.node.place(self.core_of(layout, rank).1),
        };
        (0..layout.ranks_per_node).map(place).collect()
    }

    /// Whether there are more ranks than cores for them.
    pub(crate) fn has_shared_cores(&self, layout: Layout) -> bool {
        layout.ranks() > self.groups_of_cores(layout) * self.node.cores()
    }

    fn hosts_share_cores(&self) -> bool {
        self.network.as_ref().is_some_and(|network| network.hosts_share_cores)
    }
}

impl Node {
    /// Cores of the node.
    pub fn cores(&self) -> usize {
        self.cores_per_numa() * self.numa_domains()
    }

    /// Its NUMA domains.
    pub(crate) fn numa_domains(&self) -> usize {
        self.sockets * self.numa_per_socket
    }

    fn cores_per_numa(&self) -> usize {
        self.caches_per_numa * self.cores_per_cache
    }

    /// The domains of a core.
    fn place(&self, core: usize) -> Locality {
        let number = |cores: usize| (core / cores + 1) as u16;
        Locality {
            cache: number(self.cores_per_cache),
            numa: number(self.cores_per_numa()),
            socket: number(self.cores_per_numa() * self.numa_per_socket),
        }
    }

    /// The NUMA domain of a core.
    pub(crate) fn numa(&self, core: usize) -> usize {
        core / self.cores_per_numa()
    }

    /// The value for two cores that are not the same.
    pub(crate) fn by_distance(&self, values: &ByDistance, one: usize, other: usize) -> f64 {
        let same = |cores: usize| one / cores == other / cores;
        if same(self.cores_per_cache) {
            values.cache
        } else if same(self.cores_per_numa()) {
            values.numa
        } else if same(self.cores_per_numa() * self.numa_per_socket) {
            values.socket
        } else {
            values.node
        }
    }
}
