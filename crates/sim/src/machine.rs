//! The model of a machine: what a node and a network cost, read from a file of `machines/`. Times
//! are in nanoseconds and rates in bytes per nanosecond, which is GB/s.

use serde::Deserialize;

impl Machine {
    /// Reads a model; the error says where it is wrong.
    pub fn parse(text: &str) -> Result<Machine, String> {
        let machine: Machine = toml::from_str(text).map_err(|error| error.to_string())?;
        machine.check()?;
        Ok(machine)
    }

    fn check(&self) -> Result<(), String> {
        self.node.check()?;
        self.network.as_ref().map_or(Ok(()), Network::check)
    }
}

/// Refuses times and sizes that are none.
fn not_negative(values: &[(&str, f64)]) -> Result<(), String> {
    match values.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
        Some((name, value)) => Err(format!("{name} is {value}; it must be 0 or more")),
        None => Ok(()),
    }
}

/// Refuses numbers with which nothing can be computed.
fn positive(values: &[(&str, f64)]) -> Result<(), String> {
    match values.iter().find(|(_, value)| !(value.is_finite() && *value > 0.0)) {
        Some((name, value)) => Err(format!("{name} is {value}; it must be greater than 0")),
        None => Ok(()),
    }
}

impl Node {
    fn check(&self) -> Result<(), String> {
        positive(&[
            ("node.sockets", self.sockets as f64),
            ("node.numa_per_socket", self.numa_per_socket as f64),
            ("node.caches_per_numa", self.caches_per_numa as f64),
            ("node.cores_per_cache", self.cores_per_cache as f64),
            ("node.copy_bytes_per_ns", self.copy_bytes_per_ns),
            ("node.remote_copy_bytes_per_ns.cache", self.remote_copy_bytes_per_ns.cache),
            ("node.remote_copy_bytes_per_ns.numa", self.remote_copy_bytes_per_ns.numa),
            ("node.remote_copy_bytes_per_ns.socket", self.remote_copy_bytes_per_ns.socket),
            ("node.remote_copy_bytes_per_ns.node", self.remote_copy_bytes_per_ns.node),
            ("node.reduce_bytes_per_ns", self.reduce_bytes_per_ns),
            ("node.memory_copy_bytes_per_ns", self.memory_copy_bytes_per_ns),
            ("node.numa_bytes_per_ns", self.numa_bytes_per_ns),
            ("node.single_copy_bytes_per_ns", self.single_copy_bytes_per_ns),
            ("node.shared_core_slowdown", self.shared_core_slowdown),
            (
                "node.single_copy_memory_bytes_per_ns",
                self.single_copy_memory_bytes_per_ns.unwrap_or(1.0),
            ),
            ("node.bounce_copy_bytes_per_ns", self.bounce_copy_bytes_per_ns.unwrap_or(1.0)),
            ("node.long_message_bytes_per_ns", self.long_message_bytes_per_ns.unwrap_or(1.0)),
            (
                "node.shared_cache_copy_bytes_per_ns",
                self.shared_cache_copy_bytes_per_ns.unwrap_or(1.0),
            ),
        ])?;
        not_negative(&[
            ("node.call_ns", self.call_ns),
            ("node.general_call_ns", self.general_call_ns),
            ("node.data_call_ns", self.data_call_ns),
            ("node.page_fault_ns", self.page_fault_ns),
            ("node.general_copy_ns", self.general_copy_ns),
            ("node.general_verb_ns", self.general_verb_ns),
            ("node.levels_ns", self.levels_ns),
            ("node.line_ns.cache", self.line_ns.cache),
            ("node.line_ns.numa", self.line_ns.numa),
            ("node.line_ns.socket", self.line_ns.socket),
            ("node.line_ns.node", self.line_ns.node),
            ("node.line_next_reader_ns", self.line_next_reader_ns),
            ("node.cache_bytes", self.cache_bytes),
            ("node.private_cache_bytes", self.private_cache_bytes.unwrap_or(0.0)),
            ("node.message_ns", self.message_ns),
            ("node.single_copy_ns", self.single_copy_ns.unwrap_or(0.0)),
            ("node.single_copy_page_lock_ns", self.single_copy_page_lock_ns),
            ("node.switch_ns", self.switch_ns),
            ("node.switch_growth", self.switch_growth),
        ])
    }
}

impl Network {
    fn check(&self) -> Result<(), String> {
        positive(&[
            ("network.adapters", self.adapters as f64),
            ("network.packet_bytes", self.packet_bytes),
            ("network.adapter_messages_per_ns", self.adapter_messages_per_ns),
            ("network.adapter_bytes_per_ns", self.adapter_bytes_per_ns),
            ("network.flow_bytes_per_ns", self.flow_bytes_per_ns),
            ("network.copy_bytes_per_ns", self.copy_bytes_per_ns.unwrap_or(1.0)),
            ("network.window_packets", self.window_packets.unwrap_or(1.0)),
            ("network.core_bytes_per_ns", self.core_bytes_per_ns.unwrap_or(1.0)),
            ("network.topology.nodes_per_group", self.topology.nodes_per_group as f64),
            ("network.topology.taper", self.topology.taper),
        ])?;
        not_negative(&[
            ("network.latency_ns", self.latency_ns),
            ("network.latency_spread", self.latency_spread),
            ("network.send_ns", self.send_ns),
            ("network.receive_ns", self.receive_ns),
            ("network.connection_ns", self.connection_ns),
            ("network.datagram_bytes_max", self.datagram_bytes_max),
            ("network.packet_ns", self.packet_ns),
            ("network.eager_bytes_max", self.eager_bytes_max),
            ("network.burst_bytes", self.burst_bytes),
            ("network.acknowledge_ns", self.acknowledge_ns.unwrap_or(0.0)),
            ("network.topology.between_groups_ns", self.topology.between_groups_ns),
        ])
    }
}

/// A machine.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// One line for lists: processor, cores, network.
    pub description: String,
    /// One of its nodes; all are alike.
    pub node: Node,
    /// What connects nodes. Without it there is one node.
    pub network: Option<Network>,
}

/// A node: `sockets` of `numa_per_socket` NUMA domains of `caches_per_numa` groups of
/// `cores_per_cache` cores that share a last-level cache.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Node {
    /// Sockets.
    pub sockets: usize,
    /// NUMA domains of a socket.
    pub numa_per_socket: usize,
    /// Last-level caches of a NUMA domain.
    pub caches_per_numa: usize,
    /// Cores that share a last-level cache.
    pub cores_per_cache: usize,
    /// What a call costs a rank before and after anything is communicated.
    pub call_ns: f64,
    /// What it costs more where the call does not take the fast path: its schedule, its task.
    #[serde(default)]
    pub general_call_ns: f64,
    /// What such a call costs more where it has data.
    #[serde(default)]
    pub data_call_ns: f64,
    /// What each copy costs such a call beside the data.
    #[serde(default)]
    pub general_copy_ns: f64,
    /// Likewise what each reduction and piece of scratch memory costs.
    #[serde(default)]
    pub general_verb_ns: f64,
    /// What it costs such a call to find the ranks of its levels.
    #[serde(default)]
    pub levels_ns: f64,
    /// A cache line that one core has written and another reads, by where they are.
    pub line_ns: ByDistance,
    /// What each further reader of the same line waits, when many read it at once.
    pub line_next_reader_ns: f64,
    /// Copying by one core, data in its own cache: bytes copied per nanosecond.
    pub copy_bytes_per_ns: f64,
    /// The same where another core has written the data, by where it is.
    pub remote_copy_bytes_per_ns: ByDistance,
    /// Adding up: bytes of one operand per nanosecond, data in the core's own cache.
    pub reduce_bytes_per_ns: f64,
    /// Bytes of a core's private cache and its share of a shared one: longer data comes from
    /// memory.
    pub cache_bytes: f64,
    /// The private part of it; without it, all of the cache is as fast.
    pub private_cache_bytes: Option<f64>,
    /// Copying by one core where data is in the shared cache, not in its own.
    pub shared_cache_copy_bytes_per_ns: Option<f64>,
    /// Copying from and to memory by one core.
    pub memory_copy_bytes_per_ns: f64,
    /// What it costs to touch a page of 4 KiB of fresh memory.
    #[serde(default)]
    pub page_fault_ns: f64,
    /// Bytes read and written per nanosecond by all cores of a NUMA domain together.
    pub numa_bytes_per_ns: f64,
    /// A message within the node: what sender and receiver each spend on it besides copying.
    pub message_ns: f64,
    /// Bytes per nanosecond of each of the two copies of an eager message: into a bounce buffer
    /// that the receiver has read before, and out of it. Without it, as fast as other copies.
    pub bounce_copy_bytes_per_ns: Option<f64>,
    /// Bytes per nanosecond of a message that is too long for that. Without it, sender and receiver
    /// share a single copy by the kernel.
    pub long_message_bytes_per_ns: Option<f64>,
    /// A call of the kernel that copies between two processes: fixed cost. No value: it is
    /// forbidden.
    pub single_copy_ns: Option<f64>,
    /// What it copies per nanosecond.
    pub single_copy_bytes_per_ns: f64,
    /// The same of data that is in no cache, whose pages the kernel has to find in memory, too.
    /// Without it, as fast, but for what `memory_copy_bytes_per_ns` allows.
    pub single_copy_memory_bytes_per_ns: Option<f64>,
    /// What each page of 4 KiB takes if several copy from or to the same huge page of a process at
    /// the same time: they take turns at the counter of its users.
    pub single_copy_page_lock_ns: f64,
    /// Where ranks share a core: giving it to the next one, if there are two.
    pub switch_ns: f64,
    /// By what part of that it takes longer for each rank beyond two, to one that can go on: what
    /// it left in the caches the others have replaced.
    #[serde(default)]
    pub switch_growth: f64,
    /// How many times as long it takes to copy what another rank has written, or will read, where
    /// ranks share cores: the system moves ranks from core to core, and their data comes after
    /// them. Copies of the kernel and reductions take what they take.
    #[serde(default = "one")]
    pub shared_core_slowdown: f64,
}

fn one() -> f64 {
    1.0
}

/// One value for each distance of two cores.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ByDistance {
    /// They share a last-level cache.
    pub cache: f64,
    /// They share a NUMA domain.
    pub numa: f64,
    /// They share a socket.
    pub socket: f64,
    /// They share the node alone.
    pub node: f64,
}

/// A network between nodes.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Adapters of a node; its ranks are divided among them.
    pub adapters: usize,
    /// From the sender's adapter to the receiver's, through one switch.
    pub latency_ns: f64,
    /// Spread of the latency: standard deviation of its logarithm.
    pub latency_spread: f64,
    /// What the sender's core spends on a message of one packet, beside copying.
    pub send_ns: f64,
    /// What the receiver's core spends likewise.
    pub receive_ns: f64,
    /// What a message of more than `datagram_bytes_max` costs either core on top, where it goes
    /// another way than short ones: over a connection, as with `udp+tcp`.
    #[serde(default)]
    pub connection_ns: f64,
    /// The longest message that is a datagram.
    #[serde(default)]
    pub datagram_bytes_max: f64,
    /// What each further packet of a message costs either core.
    pub packet_ns: f64,
    /// Bytes of a packet.
    pub packet_bytes: f64,
    /// Messages that an adapter sends, or receives, per nanosecond at most.
    pub adapter_messages_per_ns: f64,
    /// Bytes that an adapter sends, or receives, per nanosecond.
    pub adapter_bytes_per_ns: f64,
    /// Bytes that an adapter which was idle passes at once: a token bucket, by which clouds and
    /// `tc` limit rates.
    #[serde(default)]
    pub burst_bytes: f64,
    /// Bytes per nanosecond of one pair of ranks.
    pub flow_bytes_per_ns: f64,
    /// Where the fabric may lose datagrams: one to which no message has gone the other way after so
    /// long is acknowledged by a packet of its own. It costs the cores what a message does, which
    /// counts where ranks share them: others have the time while they wait.
    pub acknowledge_ns: Option<f64>,
    /// Packets on the way to one peer at most, until it acknowledges some: the window of `wire`.
    /// Without it, nothing limits them.
    pub window_packets: Option<f64>,
    /// Whether packets of one pair of ranks take several paths, as with SRD: one that overtakes the
    /// beginning of an earlier message waits for it, since messages are matched in order.
    #[serde(default)]
    pub sprayed: bool,
    /// Longer messages go by rendezvous: their data moves when the receive is posted.
    pub eager_bytes_max: f64,
    /// Whether cores copy the data of rendezvous messages (TCP, UDP), or the adapter moves it.
    pub rendezvous_copies: bool,
    /// Bytes per nanosecond that a core moves between its memory and the network, where it copies:
    /// the kernel's copies, checksums, segments. Without it, it copies as fast as elsewhere.
    pub copy_bytes_per_ns: Option<f64>,
    /// Whether hosts are namespaces or containers of one machine, and share the cores of one node.
    #[serde(default)]
    pub hosts_share_cores: bool,
    /// Bytes per nanosecond for which one of those cores does the kernel's work, where they wait
    /// for an adapter: timers, queues, virtual links. Without it, that takes no core.
    pub core_bytes_per_ns: Option<f64>,
    /// How nodes are connected.
    pub topology: Topology,
}

/// How nodes are connected.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Topology {
    /// Nodes of one switch (fat tree) or of one group (dragonfly); all of them if it is one switch.
    pub nodes_per_group: usize,
    /// Added to the latency between two groups.
    pub between_groups_ns: f64,
    /// Bytes per nanosecond out of a group, as a part of what its nodes can send: 1 if nothing is
    /// tapered.
    pub taper: f64,
}
