//! The state of a simulated job, and its events in the order of their times. A rank runs ahead on
//! a clock of its own until it must wait; what ranks share (adapters, memory, cores) is given out
//! in the order of time, so that what one takes early never delays another that came before. Only
//! a rank that has moved no memory and shares no core goes on through waits for what is done
//! already (`poll_requests`), and may take bounce buffers and copies of its node a little early.

use crate::caches::Caches;
use crate::layout::Layout;
use crate::machine::{Machine, Node};
use crate::matching::Messages;
use crate::network::{Fabric, ps};
use crate::path::{BEGIN, Cost, History, Moment};
use crate::queue::{EventQueue, Time};
use crate::segment::Segment;
use crate::transfer::Request;
use dunlin_coll::{STAGES, Slot};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::task::Poll;

/// What happens next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A rank goes on.
    Resume(u32),
    /// A core is free for the next of its ranks, unless it has gone to one since.
    CoreFree {
        /// Which.
        core: u32,
        /// How often it had been given to a rank.
        given: u32,
    },
    /// A message, or its announcement, is handed to the adapter.
    Depart(u32),
    /// It reaches the receiver's adapter.
    Reach(u32),
    /// It has arrived.
    Arrive(u32),
    /// Both sides of a long message within a node are posted.
    Meet(u32),
    /// A rank owes another an acknowledgement.
    Acknowledge {
        /// Who owes it, and to whom.
        pair: (u32, u32),
    },
    /// The sender of a pair hears that so many packets have arrived.
    Acknowledged {
        /// Sender and receiver.
        pair: (u32, u32),
        /// How many.
        packets: u32,
    },
}

/// What is on the way from one rank to another, where a window limits it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    /// Packets that have not been acknowledged.
    pub packets: u32,
    /// Messages that wait for room, and since when.
    pub waiting: VecDeque<(u32, Time)>,
}

impl Window {
    /// Whether so many packets more may leave, of `most`.
    pub fn has_room(&self, packets: u32, most: u32) -> bool {
        self.packets + packets <= most
    }
}

/// What a rank waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// Nothing: it runs, or its turn is in the queue of events.
    Nothing,
    /// Something of another rank.
    Others,
    /// Room to publish this step.
    Room(usize),
    /// That all ranks of the node have done their part.
    Node,
}

/// A rank. What nearly every event looks at comes first, in one cache line of the machine that
/// simulates: with thousands of ranks most of its time goes to waiting for memory.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Rank {
    /// How far it has come.
    pub clock: Time,
    /// Bytes that it has moved from and to memory, not yet accounted for.
    pub memory_bytes: f64,
    /// Requests that it waits for, one after the other, and whether it has settled for the first.
    pub requests: [Option<Request>; 2],
    pub has_settled: bool,
    /// Its clock in the history of causes.
    pub moment: Moment,
    pub wait: Wait,
    /// Who has made the room that it waited for, and when.
    pub room: Option<(Time, Moment)>,
    /// What it publishes.
    pub segment: Segment,
    /// The slot that it has read last, which is in its cache.
    pub seen: Option<Slot>,
    /// Whether it knew by the call before that the others had ended those before that.
    pub knows_of_all: bool,
    /// Whether it was told in this call that all have begun it.
    pub told_of_all: bool,
    /// Whether it has looked at the others, to see that.
    pub looked_for_room: bool,
    /// Until when it copies messages of this node.
    pub copies_until: Time,
    /// When the next receiver may count itself a user of pages of its memory.
    pub pages_free: Time,
    /// Bytes of a huge page that messages of this node have been copied out of.
    pub folio_used: f64,
    pub temps: u32,
    /// Whether it has found the ranks of its levels in this call.
    pub found_levels: bool,
    pub ended: bool,
    /// Its clock and history at the end of the operation.
    pub end: (Time, Moment),
}

// Up to what the events look at.
const _: () = assert!(std::mem::offset_of!(Rank, room) <= 64);

/// A core that several ranks share.
#[derive(Clone, Debug, Default)]
struct Core {
    holder: Option<u32>,
    last: Option<u32>,
    /// How often it has been given to a rank.
    given: u32,
    ready: VecDeque<u32>,
    /// Ranks on it. One that has done its part waits for others in what comes next, and goes on
    /// taking its turns.
    ranks: usize,
    copies_until: Time,
    /// What its ranks still have to do for acknowledgements, or until when they do that.
    owed: Time,
    acknowledges_until: Time,
}

/// How far the ranks of a node have come.
#[derive(Clone, Debug, Default)]
struct NodeState {
    ended: usize,
    last_end: Time,
}

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub events: u64,
    pub network_messages: u64,
    pub network_bytes: u64,
}

/// All of it.
#[derive(Debug)]
pub(crate) struct World<'m> {
    pub node: &'m Node,
    pub machine: &'m Machine,
    pub layout: Layout,
    pub queue: EventQueue<Event>,
    pub ranks: Vec<Rank>,
    pub fabric: Option<Fabric<'m>>,
    pub messages: Messages,
    /// Packets on the way to one peer at most; `u32::MAX`: any number.
    pub window_packets: u32,
    /// By receiver and sender of datagrams: when the first is acknowledged by a packet of its own.
    pub unacknowledged: FxHashMap<(u32, u32), Time>,
    /// By sender and receiver, where there is such a limit.
    pub windows: FxHashMap<(u32, u32), Window>,
    /// Long messages within nodes that are to be copied now: by when they were sent, and which.
    meeting: BinaryHeap<Reverse<(Time, u32)>>,
    pub history: History,
    pub counts: Counts,
    caches: Caches<'m>,
    /// By NUMA domain: until when its memory is busy.
    memory: Vec<Time>,
    /// By group and core, where ranks share cores.
    cores: Vec<Core>,
    nodes: Vec<NodeState>,
}

impl<'m> World<'m> {
    pub fn new(machine: &'m Machine, layout: Layout, arrivals: &[Time], recorded: bool) -> Self {
        let node = &machine.node;
        let mut history = History::new(recorded);
        let mut queue = EventQueue::new();
        let mut rank = |number: usize| {
            let clock = arrivals[number];
            queue.push(clock, Event::Resume(number as u32));
            Rank::new(clock, history.add(BEGIN, Cost::Arrival, number, clock))
        };
        let ranks = (0..layout.ranks()).map(&mut rank).collect();
        let shared = machine.has_shared_cores(layout);
        let groups = machine.groups_of_cores(layout);
        let mut cores = vec![Core::default(); if shared { groups * node.cores() } else { 0 }];
        for number in (0..layout.ranks()).filter(|_| shared) {
            let (group, core) = machine.core_of(layout, number);
            cores[group * node.cores() + core].ranks += 1;
        }
        let window = machine.network.as_ref().and_then(|network| network.window_packets);
        World {
            node,
            machine,
            layout,
            queue,
            ranks,
            fabric: None,
            messages: Messages::default(),
            window_packets: window.map_or(u32::MAX, |packets| packets.max(1.0) as u32),
            unacknowledged: FxHashMap::default(),
            windows: FxHashMap::default(),
            history,
            counts: Counts::default(),
            caches: Caches::new(machine, layout),
            meeting: BinaryHeap::new(),
            memory: vec![0; groups * node.numa_domains()],
            cores,
            nodes: vec![NodeState::default(); layout.nodes],
        }
    }

    /// `rank` works on so many bytes more.
    pub fn works_on(&mut self, rank: usize, bytes: f64) {
        let core = self.core(rank);
        self.caches.works_on(core, bytes);
    }

    /// Whether the data that ranks of this one's core work on does not stay in its caches.
    pub fn spills(&self, rank: usize) -> bool {
        self.caches.spills(self.core(rank))
    }

    /// `rank` fills bounce buffers with so many bytes, or a peer has taken as many out of them.
    pub fn bounces(&mut self, rank: usize, bytes: f64) {
        let core = self.core(rank);
        self.caches.bounces(core, bytes);
    }

    /// Whether what is in bounce buffers of this rank's core does not stay in its caches.
    pub fn bounces_spill(&self, rank: usize) -> bool {
        self.caches.bounces_spill(self.core(rank))
    }

    /// Bytes that the core of `rank` moves per nanosecond, at most `rate`: what the caches allow
    /// in which the data stays.
    pub fn rate(&self, rank: usize, rate: f64) -> f64 {
        rate.min(self.caches.rate_max(self.core(rank)))
    }

    /// The same of data that goes from rank to rank.
    pub fn rate_between_ranks(&self, rank: usize, rate: f64) -> f64 {
        let alone = self.rate(rank, rate);
        match self.shared_core(rank) {
            Some(_) => alone / self.node.shared_core_slowdown,
            None => alone,
        }
    }

    /// Bytes per nanosecond that the kernel copies between processes for `rank`.
    pub fn single_copy_rate(&self, rank: usize) -> f64 {
        let cached = self.node.single_copy_bytes_per_ns;
        let far = self.node.single_copy_memory_bytes_per_ns.filter(|_| self.spills(rank));
        self.rate(rank, far.map_or(cached, |far| far.min(cached)))
    }

    /// The core of a rank among those that have one: each rank has its own, unless they share all.
    fn core(&self, rank: usize) -> usize {
        if self.cores.is_empty() {
            return rank;
        }
        let (group, core) = self.machine.core_of(self.layout, rank);
        group * self.node.cores() + core
    }

    /// Lets events happen until a rank can go on.
    pub fn next_rank(&mut self) -> Option<usize> {
        loop {
            // Who does something else at this time is known only when all have come so far.
            if self.queue.is_over() {
                if let Some(Reverse((_, message))) = self.meeting.pop() {
                    self.copy_within_node(message, self.queue.now());
                    continue;
                }
            }
            let (at, event) = self.queue.pop()?;
            self.counts.events += 1;
            match event {
                Event::Resume(rank) => {
                    if self.takes_core(rank, at) && self.poll_or_suspend(rank as usize) {
                        return Some(rank as usize);
                    }
                }
                Event::CoreFree { core, given } => {
                    let shared = &mut self.cores[core as usize];
                    if shared.given != given {
                        continue;
                    }
                    shared.holder = None;
                    if let Some(rank) = shared.ready.pop_front() {
                        self.takes_core(rank, at);
                        if self.poll_or_suspend(rank as usize) {
                            return Some(rank as usize);
                        }
                    }
                }
                Event::Depart(message) => self.depart(message, at),
                Event::Reach(message) => self.reach(message, at),
                Event::Arrive(message) => self.arrive(message, at),
                Event::Meet(message) => {
                    let sent = self.messages[message].sent;
                    self.meeting.push(Reverse((sent, message)));
                }
                Event::Acknowledge { pair } => self.acknowledge(pair, at),
                Event::Acknowledged { pair, packets } => self.acknowledged(pair, packets, at),
            }
        }
    }

    /// Whether `rank` has its core now; if not, it will get it later.
    fn takes_core(&mut self, rank: u32, at: Time) -> bool {
        let Some(core) = self.shared_core(rank as usize) else { return true };
        let shared = &mut self.cores[core];
        if shared.holder.is_some_and(|holder| holder != rank) {
            shared.ready.push_back(rank);
            return false;
        }
        shared.holder = Some(rank);
        shared.given += 1;
        let mut begins = at.max(shared.acknowledges_until) + std::mem::take(&mut shared.owed);
        // The first one has it as the operation begins.
        if shared.last.replace(rank).is_some_and(|last| last != rank) {
            // Of the ranks that wait, half get the core before the one that can go on, look whether
            // they can, and give it away.
            let waiting = shared.ranks.saturating_sub(1 + shared.ready.len());
            let crowd = shared.ranks.saturating_sub(2) as f64;
            let switch_ns = self.node.switch_ns * (1.0 + self.node.switch_growth * crowd);
            begins += ps(switch_ns + self.node.switch_ns * waiting as f64 / 2.0);
        }
        let late = begins.saturating_sub(self.ranks[rank as usize].clock);
        self.spend(rank as usize, Cost::CoreSharing, late);
        true
    }

    /// A core that ranks share works for `took` on an acknowledgement: now, or when it is free.
    pub fn works_on_acknowledgement(&mut self, rank: usize, at: Time, took: Time) {
        let Some(core) = self.shared_core(rank) else { return };
        let core = &mut self.cores[core];
        if core.holder.is_some() {
            core.owed += took;
        } else {
            core.acknowledges_until = at.max(core.acknowledges_until) + took;
        }
    }

    /// Polls the requests that `rank`, whose turn it is, waits for, and suspends it if one is not
    /// done. True if its algorithm goes on: else it need not be asked, which is much of the work of
    /// a ring.
    fn poll_or_suspend(&mut self, rank: usize) -> bool {
        let goes_on = self.poll_requests(rank).is_ready();
        if !goes_on {
            self.suspend(rank);
        }
        goes_on
    }

    /// A rank cannot go on now: if it waits for others, the next rank gets its core.
    pub fn suspend(&mut self, rank: usize) {
        if self.ranks[rank].wait != Wait::Nothing {
            self.lets_core_go(rank);
        }
    }

    /// `rank` has nothing more to do.
    pub fn lets_core_go(&mut self, rank: usize) {
        let Some(core) = self.shared_core(rank) else { return };
        let at = self.ranks[rank].clock;
        let given = self.cores[core].given;
        self.queue.push(at, Event::CoreFree { core: core as u32, given });
    }

    /// Until when a core that several ranks share copies their long messages, one after the other.
    pub fn core_copies_until(&mut self, core: usize) -> &mut Time {
        &mut self.cores[core].copies_until
    }

    /// The core of a rank, if cores are shared.
    pub fn shared_core(&self, rank: usize) -> Option<usize> {
        (!self.cores.is_empty()).then(|| self.core(rank))
    }

    /// `rank` works for `took`.
    pub fn spend(&mut self, rank: usize, cost: Cost, took: Time) {
        let me = &mut self.ranks[rank];
        me.clock = me.clock.saturating_add(took);
        me.moment = self.history.add(me.moment, cost, rank, took);
    }

    /// `rank` goes on after `at`, when what it waited for has happened, whose history is `cause`.
    /// If it comes later than that, its own history goes on.
    pub fn goes_on(&mut self, rank: usize, at: Time, cause: impl FnOnce(&mut History) -> Moment) {
        if at > self.ranks[rank].clock {
            let moment = cause(&mut self.history);
            (self.ranks[rank].clock, self.ranks[rank].moment) = (at, moment);
        }
    }

    /// Wakes a rank that waits, at `at`.
    pub fn wake(&mut self, rank: usize, at: Time) {
        let me = &mut self.ranks[rank];
        me.wait = Wait::Nothing;
        self.queue.push(at.max(me.clock), Event::Resume(rank as u32));
    }

    /// Lets others come as far as `rank` before it uses what ranks share, and accounts for memory
    /// that it has moved: both in the order of time.
    pub fn poll_settled(&mut self, rank: usize) -> Poll<()> {
        let Rank { clock, memory_bytes, .. } = self.ranks[rank];
        if clock > self.queue.now() {
            self.wake(rank, clock);
            return Poll::Pending;
        }
        if memory_bytes > 0.0 {
            self.settle_memory(rank);
        }
        Poll::Ready(())
    }

    /// Gives `rank` what it needs of the memory of its NUMA domain, now.
    fn settle_memory(&mut self, rank: usize) {
        let bytes = std::mem::take(&mut self.ranks[rank].memory_bytes);
        let domains = self.node.numa_domains();
        let (group, core) = self.machine.core_of(self.layout, rank);
        let memory = &mut self.memory[group * domains + self.node.numa(core)];
        let (clock, takes) = (self.ranks[rank].clock, ps(bytes / self.node.numa_bytes_per_ns));
        // The rank has been using it for as long as one core needs.
        let alone = ps(bytes / 2.0 / self.node.memory_copy_bytes_per_ns);
        *memory = (*memory).max(clock.saturating_sub(alone)) + takes;
        let late = memory.saturating_sub(clock);
        self.spend(rank, Cost::MemoryBandwidth, late);
    }

    /// Whether all ranks of the node have left the stages that stand in the way of a step.
    pub fn has_room(&self, rank: usize, step: usize) -> bool {
        let stage = step / dunlin_coll::STEPS;
        let mut members = self.layout.members(self.layout.node_of(rank));
        stage < STAGES || members.all(|it| self.ranks[it].segment.left + STAGES > stage)
    }

    /// `rank` has left all stages before `left`.
    pub fn leaves_stages(&mut self, rank: usize, left: usize) {
        self.ranks[rank].segment.left = left;
        let at = self.ranks[rank].clock;
        for other in self.layout.members(self.layout.node_of(rank)) {
            if let Wait::Room(step) = self.ranks[other].wait {
                if self.has_room(other, step) {
                    self.ranks[other].room = Some((at, self.ranks[rank].moment));
                    self.wake(other, at);
                }
            }
        }
    }

    /// `rank` has done its part.
    pub fn finish(&mut self, rank: usize) {
        self.spend(rank, Cost::Call, ps(self.node.call_ns / 2.0));
        self.leaves_stages(rank, usize::MAX - STAGES);
        let (me, node) = (&mut self.ranks[rank], self.layout.node_of(rank));
        me.ended = true;
        let state = &mut self.nodes[node];
        state.ended += 1;
        state.last_end = state.last_end.max(me.clock);
        if state.ended == self.layout.ranks_per_node {
            self.release_exposed(node);
            self.node_ended(node);
        }
    }

    /// All ranks of a node have done their part: its leader goes on.
    fn node_ended(&mut self, node: usize) {
        let members = self.layout.members(node);
        let (leader, last_end) = (members.start, self.nodes[node].last_end);
        for rank in members {
            let me = &mut self.ranks[rank];
            me.end = (me.clock, me.moment);
        }
        if self.ranks[leader].wait == Wait::Node {
            self.wake(leader, last_end);
        }
    }

    /// Whether all ranks of a node have done their part; if not, `rank` waits for that.
    pub fn poll_node_ended(&mut self, rank: usize) -> Poll<()> {
        if self.nodes[self.layout.node_of(rank)].ended == self.layout.ranks_per_node {
            return Poll::Ready(());
        }
        self.ranks[rank].wait = Wait::Node;
        Poll::Pending
    }

    /// Whether all ranks of the job have done their part.
    pub fn all_ended(&self) -> bool {
        self.nodes.iter().all(|node| node.ended == self.layout.ranks_per_node)
    }

    /// Ranks that have exposed memory wait until all others of the node have ended.
    fn release_exposed(&mut self, node: usize) {
        let members = self.layout.members(node);
        let last_end = self.nodes[node].last_end;
        let last = members.clone().find(|&other| self.ranks[other].clock == last_end);
        let cause = last.map_or(BEGIN, |last| self.ranks[last].moment);
        let line = ps(self.node.line_ns.numa);
        for rank in members {
            if self.ranks[rank].segment.exposed && self.layout.ranks_per_node > 1 {
                // It has looked at the others' ends one after the other.
                let others = (self.layout.ranks_per_node - 1) as Time;
                self.spend(rank, Cost::Lines, line * others);
                self.goes_on(rank, last_end + line, |history| {
                    history.add(cause, Cost::Lines, rank, line)
                });
            }
        }
    }

    /// The ranks that have not ended.
    pub fn stuck(&self) -> Vec<usize> {
        (0..self.ranks.len()).filter(|&rank| !self.ranks[rank].ended).collect()
    }
}

impl Rank {
    fn new(clock: Time, moment: Moment) -> Rank {
        Rank {
            clock,
            moment,
            wait: Wait::Nothing,
            requests: [None; 2],
            has_settled: false,
            room: None,
            segment: Segment::default(),
            seen: None,
            knows_of_all: false,
            told_of_all: false,
            looked_for_room: false,
            memory_bytes: 0.0,
            copies_until: 0,
            pages_free: 0,
            folio_used: 0.0,
            temps: 0,
            found_levels: false,
            ended: false,
            end: (clock, moment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 16,384 nodes of 192 cores would take 100 MB more.
    #[test]
    fn cores_without_ranks_take_no_memory() {
        let machine = Machine::parse(include_str!("../../../machines/hpc7a.toml")).unwrap();
        for (nodes, ranks_per_node) in [(1000, 1), (3, 192), (2, 200)] {
            let layout = Layout { nodes, ranks_per_node };
            let world = World::new(&machine, layout, &vec![0; layout.ranks()], false);
            assert_eq!(world.caches.cores(), nodes * ranks_per_node.min(192));
        }
    }
}
