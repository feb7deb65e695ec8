//! What carries messages between nodes: adapters and the links between groups of nodes, each of
//! which sends one thing after the other.

use crate::layout::Layout;
use crate::machine::Network;
use crate::queue::Time;
use crate::random::Random;
use rustc_hash::FxHashMap;

/// Picoseconds of a time in nanoseconds.
pub(crate) fn ps(ns: f64) -> Time {
    (ns * 1e3) as Time
}

/// A message that has left its sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Journey {
    /// Its last byte has left the sender's adapter.
    pub left: Time,
    /// Its first byte reaches the receiver's adapter, or the link between two groups.
    pub there: Time,
    /// Time in which it waited for the sender's adapter.
    pub queued: Time,
    /// Time in which its bytes pass.
    pub passing: Time,
}

/// What sends one thing after the other, and when it is free.
#[derive(Clone, Copy, Debug, Default)]
struct Link(Time);

impl Link {
    /// When something that comes at `at` can go, which then takes the link for `takes`.
    fn take(&mut self, at: Time, takes: Time) -> Time {
        self.pass(at, takes, 0).0
    }

    /// When the first byte goes, and when the last has gone, of a link that may be `ahead` of what
    /// it can carry: a token bucket.
    fn pass(&mut self, at: Time, takes: Time, ahead: Time) -> (Time, Time) {
        let start = at.max(self.0.saturating_sub(ahead));
        self.0 = self.0.max(at) + takes;
        (start, start.max(self.0.saturating_sub(ahead)))
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
    /// By core, where hosts share them: the kernel's work.
    kernel: Vec<Link>,
    /// By pair of ranks, where one pair cannot use a whole adapter.
    flows: FxHashMap<(u32, u32), Link>,
    /// By pair of ranks, where packets overtake each other: when the beginning of the last message
    /// arrives.
    begun: FxHashMap<(u32, u32), Time>,
}

impl<'m> Fabric<'m> {
    /// `cores`: those that all hosts share, or none.
    pub fn new(network: &'m Network, layout: Layout, cores: usize, seed: u64) -> Fabric<'m> {
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
            kernel: vec![Link::default(); cores],
            flows: FxHashMap::default(),
            begun: FxHashMap::default(),
        }
    }

    /// Sends a message that is handed over at `at`. Messages must come in this order.
    pub fn send(&mut self, from: usize, to: usize, bytes: f64, at: Time) -> Journey {
        let network = self.network;
        let source = self.adapter(from);
        let flow_bytes_per_ns = network.flow_bytes_per_ns.min(network.window_bytes_per_ns(bytes));
        let limited = flow_bytes_per_ns < network.adapter_bytes_per_ns;
        let flowing = if limited { ps(bytes / flow_bytes_per_ns) } else { 0 };
        let ready = if limited {
            self.flows.entry((from as u32, to as u32)).or_default().take(at, flowing)
        } else {
            at
        };
        let (takes, ahead) = (self.takes(bytes), self.ahead());
        let (start, end) = self.sending[source].pass(ready, takes, ahead);
        // That an adapter passes few messages per second delays the next one, not this one.
        let passing = (end - start).min(ps(bytes / network.adapter_bytes_per_ns));
        let passing = passing.max(flowing).max(self.kernel(from, start, passing));
        let (first, last) = self.latencies(from, to, bytes);
        let there = (start + last).max(self.after_those_before((from, to), start + first));
        Journey { left: start + passing, there, queued: start - at, passing }
    }

    /// When a message has passed the receiver's adapter, and before it the links between two
    /// groups; its first byte has come at `at`, and its last one `follows`. Messages must come
    /// in this order.
    pub fn receive(&mut self, from: usize, to: usize, bytes: f64, at: Time, follows: Time) -> Time {
        let (network, topology) = (self.network, &self.network.topology);
        let (source, target) = (self.group(from), self.group(to));
        let mut there = at;
        if source != target {
            let nodes = topology.nodes_per_group.min(self.layout.nodes);
            let rate = (nodes * network.adapters) as f64 * network.adapter_bytes_per_ns;
            let takes = ps(bytes / (rate * topology.taper));
            there = self.leaving[source].take(there, takes);
            there = self.entering[target].take(there, takes);
        }
        let (adapter, takes, ahead) = (self.adapter(to), self.takes(bytes), self.ahead());
        let (start, end) = self.receiving[adapter].pass(there, takes, ahead);
        let passing = (end - start).min(ps(bytes / self.network.adapter_bytes_per_ns));
        // Packets that come one by one find the adapter free.
        let waiting = if start > there { passing } else { 0 };
        start + passing.max(follows).max(self.kernel(from, start, waiting))
    }

    /// How long after `start` the kernel has done its work for bytes that wait `passing` for an
    /// adapter: on the core of the sender, whose call or timer hands each packet on up to the
    /// receiver's queue.
    fn kernel(&mut self, from: usize, start: Time, passing: Time) -> Time {
        let Network { core_bytes_per_ns, adapter_bytes_per_ns, .. } = *self.network;
        let cores = self.kernel.len();
        let (Some(rate), true) = (core_bytes_per_ns, cores > 0) else { return 0 };
        let takes = (passing as f64 * adapter_bytes_per_ns / rate) as Time;
        self.kernel[from % cores].take(start, takes) + takes - start
    }

    fn ahead(&self) -> Time {
        ps(self.network.burst_bytes / self.network.adapter_bytes_per_ns)
    }

    /// How long a message takes an adapter.
    fn takes(&self, bytes: f64) -> Time {
        let network = self.network;
        let packets = network.packets(bytes) / network.adapter_messages_per_ns;
        ps(packets.max(bytes / network.adapter_bytes_per_ns))
    }

    fn group(&self, rank: usize) -> usize {
        self.layout.node_of(rank) / self.network.topology.nodes_per_group
    }

    /// When the beginning of a message can be matched that arrives at `at`: not before those that
    /// were sent before, where packets take several paths.
    fn after_those_before(&mut self, (from, to): (usize, usize), at: Time) -> Time {
        if !self.network.sprayed {
            return at;
        }
        let last = self.begun.entry((from as u32, to as u32)).or_default();
        *last = at.max(*last);
        *last
    }

    /// The latency of a message, without waiting.
    pub fn latency(&mut self, from: usize, to: usize, bytes: f64) -> Time {
        self.latencies(from, to, bytes).1
    }

    /// The latency of a message's first packet, and of its last.
    fn latencies(&mut self, from: usize, to: usize, bytes: f64) -> (Time, Time) {
        let (network, topology) = (self.network, &self.network.topology);
        let mut ns = network.latency_ns;
        if self.group(from) != self.group(to) {
            ns += topology.between_groups_ns;
        }
        if network.latency_spread == 0.0 {
            return (ps(ns), ps(ns));
        }
        // The last of several packets is as late as the latest of as many draws.
        let later = (2.0 * network.packets(bytes).ln()).sqrt();
        let drawn = self.random.normal();
        let after = |spreads: f64| ps(ns * (network.latency_spread * spreads).exp());
        (after(drawn), after(drawn + later))
    }

    fn adapter(&self, rank: usize) -> usize {
        let Layout { ranks_per_node, .. } = self.layout;
        let adapters = self.network.adapters;
        let local = self.layout.local_rank(rank) * adapters / ranks_per_node;
        self.layout.node_of(rank) * adapters + local
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_bucket_gives_its_burst_once() {
        // One byte each picosecond; 3,000 bytes pass at once.
        let mut link = Link::default();
        let mut pass = |at, bytes| link.pass(at, bytes, 3000);
        assert_eq!(pass(0, 2000), (0, 0));
        assert_eq!(pass(0, 2000), (0, 1000));
        assert_eq!(pass(0, 5000), (1000, 6000));
        // It fills while nothing is sent.
        assert_eq!(pass(8000, 2500), (8000, 8500));
        assert_eq!(pass(20_000, 4000), (20_000, 21_000));
    }

    const LAYOUT: Layout = Layout { nodes: 4, ranks_per_node: 1 };

    /// Adapters and cores of one byte each nanosecond.
    fn network() -> Network {
        let text = "adapters = 1\nlatency_ns = 1000\nlatency_spread = 0\nsend_ns = 0\n\
            receive_ns = 0\npacket_ns = 0\npacket_bytes = 1000\nadapter_messages_per_ns = 1\n\
            adapter_bytes_per_ns = 1\nflow_bytes_per_ns = 1\neager_bytes_max = 65536\n\
            rendezvous_copies = true\nhosts_share_cores = true\ncore_bytes_per_ns = 1\n\
            [topology]\nnodes_per_group = 9\nbetween_groups_ns = 0\ntaper = 1\n";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn hosts_that_share_a_core_wait_for_what_the_kernel_does_there() {
        let network = network();
        let left = |cores, second| {
            let mut fabric = Fabric::new(&network, LAYOUT, cores, 1);
            fabric.send(0, 3, 5000.0, 0);
            fabric.send(second, 3, 5000.0, 0).left
        };
        assert_eq!(left(2, 2), ps(10_000.0), "both on core 0");
        assert_eq!(left(2, 1), ps(5000.0), "each on its own");
        assert_eq!(left(0, 2), ps(5000.0), "hosts of their own");
    }

    #[test]
    fn only_what_waits_for_an_adapter_takes_a_core() {
        let network = Network { burst_bytes: 2000.0, core_bytes_per_ns: Some(0.5), ..network() };
        let mut fabric = Fabric::new(&network, LAYOUT, 1, 1);
        assert_eq!(fabric.send(0, 1, 2000.0, 0).left, 0);
        assert_eq!(fabric.send(1, 0, 3000.0, 0).left, ps(2000.0), "1,000 bytes wait");
        // The receiver's adapter queues only what comes while it is busy.
        assert_eq!(fabric.receive(0, 2, 1000.0, ps(1e6), 0), ps(1e6));
        assert_eq!(fabric.receive(1, 2, 3000.0, ps(1e6), 0), ps(1e6 + 2000.0));
        assert_eq!(fabric.receive(3, 2, 1000.0, ps(1e6), 0), ps(1e6 + 4000.0));
    }

    #[test]
    fn a_sprayed_message_waits_for_the_beginning_of_those_before() {
        let spread = Network { latency_spread: 1.0, ..network() };
        let in_order = |network: &Network| {
            let mut fabric = Fabric::new(network, LAYOUT, 0, 7);
            let mut there = |_| fabric.send(0, 1, 1.0, 0).there;
            let arrivals: Vec<Time> = (0..100).map(&mut there).collect();
            arrivals.is_sorted()
        };
        assert!(!in_order(&spread));
        assert!(in_order(&Network { sprayed: true, ..spread }));
    }

    #[test]
    fn without_a_burst_one_thing_goes_after_the_other() {
        let mut link = Link::default();
        assert_eq!(link.pass(5, 100, 0), (5, 105));
        assert_eq!(link.pass(5, 100, 0), (105, 205));
        assert_eq!(link.take(500, 1), 500);
    }
}
