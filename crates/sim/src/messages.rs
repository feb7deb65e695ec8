//! Messages: eager ones and rendezvous, within a node and between nodes.

use crate::machine::{ByDistance, Network, Node};
use crate::network::ps;
use crate::path::Cost;
use crate::queue::{NEVER, Time};
use crate::slots::{FOLIO_BYTES, PAGE_BYTES};
use crate::transfer::{Message, Phase, Request, Side};
use crate::world::{Event, Wait, World};
use dunlin_base::single_copy::{SLOW_CALL, TIMED_BYTES};
use std::collections::hash_map::Entry;
use std::task::{Poll, ready};

/// Bytes of a packet that announces a message, or asks for it.
const CONTROL_BYTES: f64 = 64.0;
/// Bytes of a bounce buffer: the receiver takes one while the sender fills the next.
const FRAGMENT_BYTES: f64 = (32 << 10) as f64;
/// From here on sender and receiver share the work of a single copy: `copy_split.rs` of the engine.
const TOGETHER_BYTES_MIN: f64 = (32 << 10) as f64;

impl Node {
    /// Whether the kernel copies slowly between processes, as the library asks it.
    pub(crate) fn single_copy_is_slow(&self) -> bool {
        let takes = |call: f64| call + TIMED_BYTES as f64 / self.single_copy_bytes_per_ns;
        self.single_copy_ns.is_none_or(|call| takes(call) >= SLOW_CALL.as_nanos() as f64)
    }

    /// The longest message within the node that is eager: `p2p/single_copy.rs` and
    /// `p2p/eager_fragments.rs` of the engine.
    fn eager_bytes_max(&self) -> f64 {
        (if self.single_copy_is_slow() { 256 << 10 } else { 8 << 10 }) as f64
    }
}

impl Network {
    /// Packets of a message.
    pub(crate) fn packets(&self, bytes: f64) -> f64 {
        (bytes / self.packet_bytes).ceil().max(1.0)
    }

    /// How fast a message passes that is longer than the window: a window in each round trip.
    pub(crate) fn window_bytes_per_ns(&self, bytes: f64) -> f64 {
        let window = self.window_packets.filter(|&window| self.packets(bytes) > window);
        window.map_or(f64::INFINITY, |window| {
            window.max(1.0) * self.packet_bytes / (2.0 * self.latency_ns)
        })
    }

    /// What a core spends on all packets of a message but the first, and on copying.
    fn packing(&self, bytes: f64, copy_bytes_per_ns: f64) -> Time {
        ps((self.packets(bytes) - 1.0) * self.packet_ns + bytes / copy_bytes_per_ns)
    }

    /// What one core, which `itself` takes so long for a short message, spends on one of `bytes`.
    fn with_connection(&self, itself: f64, bytes: f64) -> Time {
        ps(itself + if bytes > self.datagram_bytes_max { self.connection_ns } else { 0.0 })
    }
}

impl World<'_> {
    /// The value for two ranks of one node, unless they share a core.
    pub fn between(
        &self,
        one: usize,
        other: usize,
        of: impl Fn(&Node) -> &ByDistance,
    ) -> Option<f64> {
        let core = |rank| self.machine.core_of(self.layout, rank).1;
        let (one, other) = (core(one), core(other));
        (one != other).then(|| self.node.by_distance(of(self.node), one, other))
    }

    /// Bytes per nanosecond that the core of `rank` copies to or from the network.
    fn network_rate(&self, rank: usize) -> f64 {
        let own = self.machine.network.as_ref().and_then(|network| network.copy_bytes_per_ns);
        let rate = self.rate(rank, self.node.copy_bytes_per_ns);
        own.map_or(rate, |own| own.min(rate))
    }

    fn on_one_node(&self, message: &Message) -> bool {
        self.layout.node_of(message.from()) == self.layout.node_of(message.to())
    }

    pub fn isend(&mut self, from: usize, to: usize, bytes: f64) -> Request {
        let number = self.messages.post(from, to, bytes, Side::Sender);
        let local = self.layout.node_of(from) == self.layout.node_of(to);
        let (node, copy) = (self.node, self.node.copy_bytes_per_ns);
        let copy_out = self.network_rate(from);
        let begin = self.ranks[from].clock;
        // What it still copies while the receiver takes in the first fragment.
        let mut rest = 0;
        let eager = match &self.machine.network {
            Some(network) if !local => {
                let eager = bytes <= network.eager_bytes_max;
                let sending = network.with_connection(network.send_ns, bytes);
                self.spend(from, Cost::NetworkSoftware, sending);
                let packed = if eager { bytes } else { 0.0 };
                let packing = network.packing(packed, copy_out);
                self.spend(from, Cost::NetworkSoftware, packing);
                if !self.ranks[from].ended {
                    self.counts.network_messages += 1;
                    self.counts.network_bytes += bytes as u64;
                }
                eager
            }
            _ => {
                let eager = bytes <= node.eager_bytes_max();
                let rate = node.bounce_copy_bytes_per_ns.map_or(copy, |rate| rate.min(copy));
                let rate = self.rate_between_ranks(from, rate);
                let copied = if eager { bytes } else { 0.0 };
                let first = copied.min(FRAGMENT_BYTES);
                self.spend(from, Cost::NodeMessages, ps(node.message_ns + first / rate));
                rest = ps((copied - first) / rate);
                eager
            }
        };
        if local && eager {
            self.bounces(from, self.messages[number].bytes);
            self.uses_memory_for_message(from, from, bytes);
        }
        let (clock, moment) = (self.ranks[from].clock, self.ranks[from].moment);
        self.spend(from, Cost::NodeMessages, rest);
        let made = self.ranks[from].clock;
        let line = self.between(from, to, |node| &node.line_ns).unwrap_or(0.0);
        let message = &mut self.messages[number];
        message.phase = if eager { Phase::Eager } else { Phase::Announced };
        (message.sent_moment, message.packed, message.made) = (moment, clock, made);
        if eager {
            message.done[Side::Sender as usize] = made;
        }
        if local {
            message.sent = clock;
            message.there = clock + ps(line);
            self.advance(number);
        } else {
            // The first packet leaves while the core makes the next.
            let network = self.machine.network.as_ref();
            message.sent = begin
                + network.map_or(0, |network| network.with_connection(network.send_ns, bytes));
            self.queue.push(message.sent, Event::Depart(number));
        }
        Request(number, Side::Sender)
    }

    pub fn irecv(&mut self, to: usize, from: usize, bytes: f64) -> Request {
        let number = self.messages.post(from, to, bytes, Side::Receiver);
        let message = &mut self.messages[number];
        (message.posted, message.posted_moment) = (self.ranks[to].clock, self.ranks[to].moment);
        self.advance(number);
        Request(number, Side::Receiver)
    }

    /// A message, or its announcement, is handed over: to the adapter, if the window has room.
    pub fn depart(&mut self, number: u32, at: Time) {
        let Some(packets) = self.packets_in_window(number) else { return self.leave(number, at) };
        let window = self.windows.entry(self.messages[number].pair).or_default();
        if !window.waiting.is_empty() || !window.has_room(packets, self.window_packets) {
            return window.waiting.push_back((number, at));
        }
        window.packets += packets;
        self.leave(number, at);
    }

    /// How much of its window a message, or its announcement, takes; `None` if there is no window.
    fn packets_in_window(&self, number: u32) -> Option<u32> {
        let network = self.machine.network.as_ref().filter(|_| self.window_packets < u32::MAX)?;
        let message = &self.messages[number];
        let announced = message.phase == Phase::Announced;
        let packets = network.packets(if announced { CONTROL_BYTES } else { message.bytes });
        Some((packets as u32).min(self.window_packets))
    }

    /// When a message, or its announcement, that is a datagram has to be acknowledged after it has
    /// come; `None` if it need not be.
    fn acknowledge_after(&self, number: u32) -> Option<Time> {
        let network = self.machine.network.as_ref()?;
        let message = &self.messages[number];
        let connected = network.connection_ns > 0.0 && message.bytes > network.datagram_bytes_max;
        let is_datagram = message.phase == Phase::Announced || !connected;
        network.acknowledge_ns.filter(|_| is_datagram).map(ps)
    }

    /// It is time to acknowledge datagrams, unless a message has done so.
    pub fn acknowledge(&mut self, pair: (u32, u32), at: Time) {
        if self.unacknowledged.get(&pair) != Some(&at) {
            return;
        }
        self.unacknowledged.remove(&pair);
        let Some(network) = &self.machine.network else { return };
        self.works_on_acknowledgement(pair.0 as usize, at, ps(network.send_ns));
        self.works_on_acknowledgement(pair.1 as usize, at, ps(network.receive_ns));
    }

    /// A peer has acknowledged packets: others can leave.
    pub fn acknowledged(&mut self, pair: (u32, u32), packets: u32, at: Time) {
        let mut acknowledged = packets;
        loop {
            let first = self.windows.get(&pair).and_then(|window| window.waiting.front().copied());
            let needs = first.and_then(|(number, _)| self.packets_in_window(number)).unwrap_or(0);
            let Some(window) = self.windows.get_mut(&pair) else { return };
            window.packets -= std::mem::take(&mut acknowledged);
            let Some((number, since)) = first else { return };
            if !window.has_room(needs, self.window_packets) {
                return;
            }
            window.waiting.pop_front();
            window.packets += needs;
            self.leave(number, at);
            self.messages[number].queued += at - since;
        }
    }

    /// A message, or its announcement, goes to the adapter.
    fn leave(&mut self, number: u32, at: Time) {
        let message = self.messages[number];
        if self.acknowledge_after(number).is_some() {
            self.unacknowledged.remove(&message.pair);
        }
        let announced = message.phase == Phase::Announced;
        let bytes = if announced { CONTROL_BYTES } else { message.bytes };
        let Some(fabric) = &mut self.fabric else { return };
        let journey = fabric.send(message.from(), message.to(), bytes, at);
        // Packets cannot arrive sooner than the core makes them.
        let late = message.made.saturating_sub(at).saturating_sub(journey.passing);
        let message = &mut self.messages[number];
        if !announced {
            (message.queued, message.passing) = (journey.queued, journey.passing + late);
        }
        message.follows = journey.passing + late;
        self.queue.push(journey.there, Event::Reach(number));
        if message.phase == Phase::Data {
            self.complete(number, Side::Sender, journey.left);
        }
    }

    /// Its first byte reaches the receiver's adapter.
    pub fn reach(&mut self, number: u32, at: Time) {
        let message = self.messages[number];
        let announced = message.phase == Phase::Announced;
        let bytes = if announced { CONTROL_BYTES } else { message.bytes };
        let Some(fabric) = &mut self.fabric else { return };
        let there = fabric.receive(message.from(), message.to(), bytes, at, message.follows);
        if !announced {
            self.messages[number].queued += there - message.follows - at;
        }
        self.queue.push(there, Event::Arrive(number));
    }

    /// It has arrived.
    pub fn arrive(&mut self, number: u32, at: Time) {
        if let Some(after) = self.acknowledge_after(number) {
            let (from, to) = self.messages[number].pair;
            let pair = (to, from);
            if let Entry::Vacant(place) = self.unacknowledged.entry(pair) {
                place.insert(at + after);
                self.queue.push(at + after, Event::Acknowledge { pair });
            }
        }
        if let Some(packets) = self.packets_in_window(number) {
            let pair = self.messages[number].pair;
            let Some(network) = &self.machine.network else { return };
            // Nothing is drawn: the messages of a model with a window have the latencies of one
            // without.
            let back = at + ps(network.latency_ns);
            self.queue.push(back, Event::Acknowledged { pair, packets });
        }
        self.messages[number].there = at;
        if self.messages[number].phase == Phase::Data {
            return self.complete(number, Side::Receiver, at);
        }
        self.advance(number);
    }

    /// What follows once a message, or its announcement, is there and its receive is posted.
    fn advance(&mut self, number: u32) {
        let message = self.messages[number];
        if message.there == NEVER || message.posted == NEVER {
            return;
        }
        let met = message.there.max(message.posted);
        if message.posted > message.there {
            self.messages[number].last = Side::Receiver;
        }
        match (message.phase, &self.machine.network) {
            (Phase::Eager, _) => self.complete(number, Side::Receiver, met),
            (Phase::Announced, Some(network)) if !self.on_one_node(&message) => {
                // The receiver asks for it, and the sender's core may have to make packets.
                let copy = self.network_rate(message.from());
                let work = ps(2.0 * network.receive_ns + network.send_ns);
                let Some(fabric) = &mut self.fabric else { return };
                let at = met + work + fabric.latency(message.to(), message.from(), CONTROL_BYTES);
                let state = &mut self.messages[number];
                (state.phase, state.there) = (Phase::Data, NEVER);
                if network.rendezvous_copies {
                    state.made = at + network.packing(message.bytes, copy);
                }
                self.queue.push(at, Event::Depart(number));
            }
            (Phase::Announced, _) => self.queue.push(met, Event::Meet(number)),
            (Phase::Data, _) => {}
        }
    }

    /// A long message within a node: one copy by the kernel, or two through shared memory. A sender
    /// helps as soon as it does nothing else and copies no older one, and receivers that copy out
    /// of one huge page of its memory take turns. A receiver that does something else begins after
    /// that.
    pub fn copy_within_node(&mut self, number: u32, met: Time) {
        let message = self.messages[number];
        let (node, bytes) = (self.node, message.bytes);
        let apart = self.between(message.from(), message.to(), |node| &node.line_ns).is_some();
        let shared = self.shared_core(message.to());
        let measured = node.long_message_bytes_per_ns.filter(|_| apart && shared.is_none());
        let mut met = met.max(self.ranks[message.to()].clock);
        if measured.is_some() {
            met = met.max(self.ranks[message.from()].clock);
        }
        let begin = met.max(match shared {
            Some(core) => *self.core_copies_until(core),
            None => self.ranks[message.to()].copies_until,
        });
        let takes = match (node.single_copy_ns, measured) {
            (_, Some(rate)) => bytes / self.rate(message.to(), rate),
            (Some(call), _) => call + bytes / self.single_copy_rate(message.to()),
            (None, _) => {
                let rate =
                    self.between(message.from(), message.to(), |n| &n.remote_copy_bytes_per_ns);
                bytes / self.rate(message.to(), rate.unwrap_or(node.copy_bytes_per_ns / 2.0))
            }
        };
        let mut end = begin + ps(takes);
        let sender = &mut self.ranks[message.from()];
        if let Some(call) = node.single_copy_ns {
            let copies_alone = begin + ps(call)..end;
            // Each does half of what is left once the sender has joined.
            let joins = begin.max(sender.clock).max(sender.copies_until);
            let can_join = measured.is_none() && shared.is_none() && bytes >= TOGETHER_BYTES_MIN;
            let together = joins + (end + ps(call)).saturating_sub(joins) / 2;
            let helps = can_join && together < end;
            let mut copied = bytes;
            if helps {
                end = together;
                let part = (end - copies_alone.start) as f64;
                copied *= part / (copies_alone.end - copies_alone.start) as f64;
            }
            let locks = ps((copied / PAGE_BYTES).ceil() * node.single_copy_page_lock_ns);
            // Messages that follow each other are taken to lie one after the other.
            sender.folio_used += bytes;
            if sender.folio_used > FOLIO_BYTES {
                (sender.folio_used, sender.pages_free) = (bytes, 0);
            }
            if sender.pages_free > begin {
                end = end.max(sender.pages_free + locks);
            }
            sender.pages_free = sender.pages_free.max(begin) + locks;
            if helps {
                sender.copies_until = end;
            }
        }
        match shared {
            Some(core) => *self.core_copies_until(core) = end,
            None => self.ranks[message.to()].copies_until = end,
        }
        if self.spills(message.to()) {
            self.ranks[message.to()].memory_bytes += 2.0 * bytes;
        }
        self.complete(number, Side::Receiver, end);
        self.complete(number, Side::Sender, end + ps(node.line_ns.cache));
    }

    fn complete(&mut self, number: u32, side: Side, at: Time) {
        let message = &mut self.messages[number];
        message.done[side as usize] = at;
        if std::mem::take(&mut message.waits[side as usize]) {
            let rank = message.rank(side);
            self.wake(rank, at);
        }
    }

    /// Whether `rank` has done with all requests that it waits for.
    pub fn poll_requests(&mut self, rank: usize) -> Poll<()> {
        while let Some(request) = self.ranks[rank].requests[0] {
            if !self.ranks[rank].has_settled {
                // One that has moved no memory and shares no core can wait for others as it is.
                if self.ranks[rank].memory_bytes > 0.0 || self.shared_core(rank).is_some() {
                    ready!(self.poll_settled(rank));
                }
                self.ranks[rank].has_settled = true;
            }
            ready!(self.poll_request(rank, request));
            let me = &mut self.ranks[rank];
            (me.requests, me.has_settled) = ([me.requests[1], None], false);
        }
        Poll::Ready(())
    }

    /// Whether a transfer is done.
    fn poll_request(&mut self, rank: usize, Request(number, side): Request) -> Poll<()> {
        let message = &mut self.messages[number];
        let done = message.done[side as usize];
        if done == NEVER {
            message.waits[side as usize] = true;
            self.ranks[rank].wait = Wait::Others;
            return Poll::Pending;
        }
        if done > self.ranks[rank].clock && done > self.queue.now() {
            self.wake(rank, done);
            self.ranks[rank].wait = Wait::Others;
            return Poll::Pending;
        }
        let message = *message;
        let local = self.on_one_node(&message);
        self.goes_on(rank, done, |history| message.history(history, rank, done, local));
        if side == Side::Receiver {
            self.takes_in(&message, local);
        }
        let message = &mut self.messages[number];
        message.over[side as usize] = true;
        if message.over == [true; 2] {
            self.messages.release(number);
        }
        Poll::Ready(())
    }

    /// Counts the memory that `rank` uses to fill bounce buffers of `from`, or to take them in.
    fn uses_memory_for_message(&mut self, from: usize, rank: usize, bytes: f64) {
        if self.spills(rank) {
            // What is sent lies in a cache: someone has just written it, as in a ring.
            let written = if rank == from { 0.0 } else { bytes };
            let bounced = if self.bounces_spill(from) { bytes } else { 0.0 };
            self.ranks[rank].memory_bytes += written + bounced;
        }
    }

    /// What the receiver's core does with a message that has arrived.
    fn takes_in(&mut self, message: &Message, local: bool) {
        let (rank, node, bytes) = (message.to(), self.node, message.bytes);
        let eager = message.phase == Phase::Eager;
        if local && eager {
            self.uses_memory_for_message(message.from(), rank, bytes);
            self.bounces(message.from(), -bytes);
        } else if self.spills(rank) && !local {
            // What was sent lies in a cache: someone has just written it.
            self.ranks[rank].memory_bytes += bytes;
        }
        let (Some(network), false) = (&self.machine.network, local) else {
            let rate = self.between(message.from(), rank, |node| &node.remote_copy_bytes_per_ns);
            let rate = node.bounce_copy_bytes_per_ns.filter(|_| rate.is_some()).or(rate);
            let rate = self.rate_between_ranks(rank, rate.unwrap_or(node.copy_bytes_per_ns));
            let copies = if eager { bytes / rate } else { 0.0 };
            self.spend(rank, Cost::NodeMessages, ps(node.message_ns + copies));
            if eager {
                // It cannot take the last fragment before it is there.
                let last = message.made + ps(bytes.min(FRAGMENT_BYTES) / rate);
                let late = last.saturating_sub(self.ranks[rank].clock);
                self.spend(rank, Cost::NodeMessages, late);
            }
            return;
        };
        let copied = if eager || network.rendezvous_copies { bytes } else { 0.0 };
        let copy = self.network_rate(rank);
        let all = network.packing(copied, copy);
        let last = ps(copied / network.packets(copied) / copy);
        // It has taken in the first packets while the last were on their way.
        let waited = self.ranks[rank].clock.saturating_sub(message.posted).min(message.passing);
        let rest = all.saturating_sub(waited).max(last);
        let receiving = network.with_connection(network.receive_ns, bytes);
        self.spend(rank, Cost::NetworkSoftware, receiving + rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::machine::Machine;

    const BYTES: f64 = (1 << 20) as f64;
    const BUSY_NS: f64 = 1e6;

    fn machine(long_message_bytes_per_ns: Option<f64>) -> Machine {
        let text = include_str!("../../../machines/epyc-2core.toml");
        let mut machine = Machine::parse(text).unwrap();
        machine.node.long_message_bytes_per_ns = long_message_bytes_per_ns;
        machine.node.single_copy_bytes_per_ns = 10.0;
        machine
    }

    /// When rank 1 has a long message whose sender does something else, once it has posted it.
    fn arrives_ns(machine: &Machine, busy_ns: f64) -> f64 {
        let layout = Layout { nodes: 1, ranks_per_node: 2 };
        let mut world = World::new(machine, layout, &[0, 0], false);
        world.isend(0, 1, BYTES);
        world.spend(0, Cost::Copy, ps(busy_ns));
        let Request(number, _) = world.irecv(1, 0, BYTES);
        while world.next_rank().is_some() {}
        world.messages[number].done[Side::Receiver as usize] as f64 / 1e3
    }

    #[test]
    fn a_sender_that_does_something_else_does_not_help() {
        let machine = machine(None);
        let more = arrives_ns(&machine, BUSY_NS) - arrives_ns(&machine, 0.0);
        let half = BYTES / 2.0 / 10.0;
        assert!((more - half).abs() < 0.01 * half, "{more}, not {half}");
    }

    #[test]
    fn a_sender_that_is_busy_for_a_while_helps_with_the_rest() {
        let machine = machine(None);
        let alone = BYTES / 10.0;
        let busy = 0.1 * alone;
        let more = arrives_ns(&machine, busy) - arrives_ns(&machine, 0.0);
        assert!((more - busy / 2.0).abs() < 0.001 * alone, "{more}, not half of {busy}");
    }

    /// When ranks 1 and 2 have what rank 0 sends them. Both post their receives at one time, one of
    /// them before the other in the simulation.
    fn two_arrive_ns(first_posted: usize) -> [f64; 2] {
        let mut machine = machine(None);
        machine.node.caches_per_numa = 2;
        let layout = Layout { nodes: 1, ranks_per_node: 3 };
        let mut world = World::new(&machine, layout, &[0; 3], false);
        world.isend(0, 1, BYTES);
        world.isend(0, 2, BYTES);
        let mut numbers = [0; 2];
        for to in [first_posted, 3 - first_posted] {
            world.spend(to, Cost::Copy, ps(1000.0));
            numbers[to - 1] = world.irecv(to, 0, BYTES).0;
        }
        while world.next_rank().is_some() {}
        numbers.map(|number| world.messages[number].done[Side::Receiver as usize] as f64 / 1e3)
    }

    #[test]
    fn a_sender_of_two_messages_helps_with_the_older_one_first() {
        let half = BYTES / 2.0 / 10.0;
        for first_posted in [1, 2] {
            let [first, second] = two_arrive_ns(first_posted);
            assert!((first - half).abs() < 0.1 * half, "{first}, not {half}");
            // It joins the other copy when that is half done.
            assert!((second - 1.5 * half).abs() < 0.1 * half, "{second}, not 1.5 x {half}");
        }
    }

    /// It is ahead on its clock, by the post of the second, when the first is met.
    #[test]
    fn a_sender_of_two_messages_whose_receivers_wait_helps_with_the_older_one_first() {
        let mut machine = machine(None);
        machine.node.caches_per_numa = 2;
        let layout = Layout { nodes: 1, ranks_per_node: 3 };
        let mut world = World::new(&machine, layout, &[0; 3], false);
        let numbers = [1, 2].map(|to| world.irecv(to, 0, BYTES).0);
        for to in [1, 2] {
            world.isend(0, to, BYTES);
        }
        while world.next_rank().is_some() {}
        let done = |number: u32| world.messages[number].done[Side::Receiver as usize];
        let (half, [first, second]) = (BYTES / 2.0 / 10.0, numbers.map(done));
        assert!((first as f64 / 1e3 - half).abs() < 0.1 * half, "{first}");
        assert!(second > first, "{second}");
    }

    #[test]
    fn a_message_that_both_sides_copy_begins_when_both_can() {
        let machine = machine(Some(26.0));
        let more = arrives_ns(&machine, BUSY_NS) - arrives_ns(&machine, 0.0);
        assert!((more - BUSY_NS).abs() < 1e3, "{more}, not {BUSY_NS}");
    }
}
