//! In which cache the data of each core stays. A core has a private cache of its own and shares the
//! last-level cache: what does not fit into the private caches of its cores must fit there.

use crate::layout::Layout;
use crate::machine::{Machine, Node};

/// Bytes of the data that ranks work on, and twice those in bounce buffers, of messages that they
/// have sent and nobody has taken in: before such a buffer is read, as much as all of them hold has
/// been written, and read elsewhere.
#[derive(Clone, Copy, Debug, Default)]
struct Bytes {
    data: f64,
    bounced: f64,
}

/// A core that has a rank.
#[derive(Clone, Copy, Debug, Default)]
struct Core {
    last_level: u32,
    bytes: Bytes,
}

#[derive(Debug)]
pub(crate) struct Caches<'m> {
    node: &'m Node,
    private_bytes: f64,
    /// Of a last-level cache.
    shared_bytes: f64,
    cores: Vec<Core>,
    /// By last-level cache of which a core has a rank: what is beyond the private caches.
    beyond: Vec<Bytes>,
}

impl<'m> Caches<'m> {
    /// Those of each core where ranks share cores, else of the core of each rank.
    pub fn new(machine: &'m Machine, layout: Layout) -> Caches<'m> {
        let node = &machine.node;
        let private_bytes = node.private_cache_bytes.unwrap_or(0.0).min(node.cache_bytes);
        let each = node.cores_per_cache;
        let mut cores = Vec::new();
        let (mut caches, mut last) = (0, None);
        let mut add = |place: (usize, usize)| {
            if last.replace(place) != Some(place) {
                caches += 1;
            }
            cores.push(Core { last_level: caches - 1, bytes: Bytes::default() });
        };
        if machine.has_shared_cores(layout) {
            let all = machine.groups_of_cores(layout) * node.cores();
            (0..all).for_each(|core| add((core / node.cores(), core % node.cores() / each)));
        } else {
            for rank in 0..layout.ranks() {
                let (group, core) = machine.core_of(layout, rank);
                add((group, core / each));
            }
        }
        Caches {
            node,
            private_bytes,
            shared_bytes: (node.cache_bytes - private_bytes) * each as f64,
            cores,
            beyond: vec![Bytes::default(); caches as usize],
        }
    }

    /// Cores that have ranks.
    #[cfg(test)]
    pub fn cores(&self) -> usize {
        self.cores.len()
    }

    /// Ranks of `core` work on so many bytes more.
    pub fn works_on(&mut self, core: usize, bytes: f64) {
        let Core { last_level, bytes: held } = &mut self.cores[core];
        let beyond = &mut self.beyond[*last_level as usize].data;
        *beyond -= (held.data - self.private_bytes).max(0.0);
        held.data += bytes;
        *beyond += (held.data - self.private_bytes).max(0.0);
    }

    /// Ranks of `core` fill bounce buffers with so many bytes, or peers have taken as many out.
    pub fn bounces(&mut self, core: usize, bytes: f64) {
        let Core { last_level, bytes: held } = &mut self.cores[core];
        let beyond = &mut self.beyond[*last_level as usize].bounced;
        *beyond -= (held.bounced - self.private_bytes).max(0.0);
        held.bounced += 2.0 * bytes;
        *beyond += (held.bounced - self.private_bytes).max(0.0);
    }

    /// Whether the data of `core` does not stay in its caches.
    pub fn spills(&self, core: usize) -> bool {
        let Core { last_level, bytes } = self.cores[core];
        let beyond = self.beyond[last_level as usize].data;
        bytes.data > self.private_bytes && beyond > self.shared_bytes
    }

    /// Whether what is in bounce buffers of `core` does not.
    pub fn bounces_spill(&self, core: usize) -> bool {
        let Core { last_level, bytes } = self.cores[core];
        let beyond = self.beyond[last_level as usize].bounced;
        bytes.bounced > self.private_bytes && beyond > self.shared_bytes
    }

    /// Bytes that `core` moves per nanosecond, at most, from where its data stays.
    pub fn rate_max(&self, core: usize) -> f64 {
        let shared = self.node.shared_cache_copy_bytes_per_ns;
        match shared {
            _ if self.spills(core) => self.node.memory_copy_bytes_per_ns,
            Some(rate) if self.cores[core].bytes.data > self.private_bytes => rate,
            _ => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: f64 = (1 << 20) as f64;
    const SLINGSHOT: &str = include_str!("../../../machines/slingshot.toml");
    const HPC7G: &str = include_str!("../../../machines/hpc7g.toml");

    /// Which of the first ranks of a full node spill, when they have so much data.
    fn spill(text: &str, data: &[f64]) -> Vec<usize> {
        let machine = Machine::parse(text).unwrap();
        let layout = Layout { nodes: 1, ranks_per_node: machine.node.cores() };
        let mut caches = Caches::new(&machine, layout);
        for (rank, &bytes) in data.iter().enumerate() {
            caches.works_on(rank, bytes);
        }
        (0..caches.cores()).filter(|&core| caches.spills(core)).collect()
    }

    #[test]
    fn ranks_of_a_die_fill_its_cache_together() {
        let of = |data: &[f64]| spill(SLINGSHOT, data);
        assert_eq!(of(&[5.0 * MIB; 8]), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(of(&[[6.0 * MIB; 4], [2.0 * MIB; 4]].concat()).is_empty());
        // What fits into the cache of its own stays there, whatever the others do.
        assert_eq!(of(&[[12.0 * MIB; 4], [0.25 * MIB; 4]].concat()), [0, 1, 2, 3]);
        // Another die has a cache of its own.
        assert_eq!(of(&[[5.0 * MIB; 8], [4.0 * MIB; 8]].concat()), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn one_rank_alone_has_the_whole_last_level_cache() {
        let of = |data: &[f64]| spill(HPC7G, data);
        assert!(of(&[8.0 * MIB]).is_empty());
        assert!(of(&[33.0 * MIB]).is_empty());
        assert_eq!(of(&[34.0 * MIB]), [0]);
    }

    #[test]
    fn bounce_buffers_of_a_die_fill_its_cache_together() {
        let machine = Machine::parse(SLINGSHOT).unwrap();
        let layout = Layout { nodes: 1, ranks_per_node: machine.node.cores() };
        let mut caches = Caches::new(&machine, layout);
        let spill = |caches: &Caches| caches.bounces_spill(0);
        (0..7).for_each(|core| caches.bounces(core, 2.5 * MIB));
        assert!(!spill(&caches), "7 of 4.5 MiB of 32");
        caches.bounces(7, 2.5 * MIB);
        assert!(spill(&caches), "8 of 4.5 MiB");
        caches.bounces(0, -2.5 * MIB);
        caches.bounces(0, 2.5 * MIB);
        assert!(spill(&caches));
        caches.bounces(7, -2.5 * MIB);
        assert!(!spill(&caches), "taken in");
    }

    #[test]
    fn ranks_that_share_cores_fill_the_caches_of_these() {
        let machine = Machine::parse(SLINGSHOT).unwrap();
        let layout = Layout { nodes: 2, ranks_per_node: 2 * machine.node.cores() };
        assert_eq!(Caches::new(&machine, layout).beyond.len(), 2 * 16);
    }
}
