//! What carries messages between nodes: adapters and the links between groups of nodes, each of
//! which sends one thing after the other.

use crate::layout::Layout;
use crate::machine::Network;
use crate::queue::Time;
use crate::random::Random;
use std::collections::HashMap;

/// Picoseconds of a time in nanoseconds.
pub(crate) fn ps(ns: f64) -> Time {
    (ns * 1e3) as Time
}

/// When a message passed which point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Journey {
    /// Its last byte has left the sender's adapter.
    pub left: Time,
    /// Its last byte has arrived.
    pub arrived: Time,
    /// Time of that in which it waited for adapters or links that were busy.
    pub queued: Time,
    /// Time of that in which its bytes passed.
    pub passing: Time,
}

/// What sends one thing after the other, and when it is free.
#[derive(Clone, Copy, Debug, Default)]
struct Link(Time);

impl Link {
    /// When something that comes at `at` can go, which then takes the link for `takes`.
    fn take(&mut self, at: Time, takes: Time) -> Time {
        let start = at.max(self.0);
        self.0 = start + takes;
        start
    }
}

/// The network of a job.
#[derive(Debug)]
pub(crate) struct Fabric<'m> {
    network: &'m Network,
    layout: Layout,
    random: Random,
    /// By adapter, all those of one node together.
    sending: Vec<Link>,
    receiving: Vec<Link>,
    /// By group of nodes.
    leaving: Vec<Link>,
    entering: Vec<Link>,
    /// By pair of ranks, where one pair cannot use a whole adapter.
    flows: HashMap<(u32, u32), Link>,
}

impl<'m> Fabric<'m> {
    pub fn new(network: &'m Network, layout: Layout, seed: u64) -> Fabric<'m> {
        let adapters = vec![Link::default(); layout.nodes * network.adapters];
        let groups = layout.nodes.div_ceil(network.topology.nodes_per_group);
        let links = vec![Link::default(); groups];
        Fabric {
            network,
            layout,
            random: Random::new(seed),
            sending: adapters.clone(),
            receiving: adapters,
            leaving: links.clone(),
            entering: links,
            flows: HashMap::new(),
        }
    }

    /// Carries a message whose sender hands it over at `at`. Messages must come in this order.
    pub fn carry(&mut self, from: usize, to: usize, bytes: f64, at: Time) -> Journey {
        let network = self.network;
        let (source, target) = (self.adapter(from), self.adapter(to));
        let takes = (1.0 / network.adapter_messages_per_ns * network.packets(bytes))
            .max(bytes / network.adapter_bytes_per_ns);
        let passing = ps(bytes / network.flow_bytes_per_ns.min(network.adapter_bytes_per_ns));
        let ready = if network.flow_bytes_per_ns < network.adapter_bytes_per_ns {
            self.flows.entry((from as u32, to as u32)).or_default().take(at, passing)
        } else {
            at
        };
        let start = self.sending[source].take(ready, ps(takes));
        let (latency, tapered) = self.latency(from, to, bytes);
        let mut there = start + latency;
        if let Some((source, target, takes)) = tapered {
            there = self.leaving[source].take(there, takes);
            there = self.entering[target].take(there, takes);
        }
        let there = self.receiving[target].take(there, ps(takes));
        let (left, arrived) = (start + passing, there + passing);
        Journey { left, arrived, queued: arrived - at - latency - passing, passing }
    }

    /// The latency of a message; and between groups, which they are and how long their links are
    /// taken.
    fn latency(
        &mut self,
        from: usize,
        to: usize,
        bytes: f64,
    ) -> (Time, Option<(usize, usize, Time)>) {
        let (network, topology) = (self.network, &self.network.topology);
        let group = |rank| self.layout.node_of(rank) / topology.nodes_per_group;
        let (source, target) = (group(from), group(to));
        let mut ns = network.latency_ns;
        let mut tapered = None;
        if source != target {
            ns += topology.between_groups_ns;
            let nodes = topology.nodes_per_group.min(self.layout.nodes);
            let rate = (nodes * network.adapters) as f64 * network.adapter_bytes_per_ns;
            tapered = Some((source, target, ps(bytes / (rate * topology.taper))));
        }
        if network.latency_spread > 0.0 {
            // The last of several packets is as late as the latest of as many draws.
            let later = (2.0 * network.packets(bytes).ln()).sqrt();
            ns *= (network.latency_spread * (self.random.normal() + later)).exp();
        }
        (ps(ns), tapered)
    }

    fn adapter(&self, rank: usize) -> usize {
        let Layout { ranks_per_node, .. } = self.layout;
        let adapters = self.network.adapters;
        let local = self.layout.local_rank(rank) * adapters / ranks_per_node;
        self.layout.node_of(rank) * adapters + local
    }
}
