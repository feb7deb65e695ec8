//! The network of a simulation: packets on their way, in virtual time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use dunlin_seal::{JobKey, Keys, Security, TRAILER_BYTES};
use dunlin_wire::{
    Config, Credentials, Endpoint, Guarantee, Header, MatchHeader, PacketSink, Predicted,
    RemoteKey, Stats,
};

use crate::attacker::Attacker;

use crate::process::{Later, Process, payload};
use crate::random::Random;

const MICROSECOND: u64 = 1000;
/// Long messages of some thousand bytes have as many packets as any, if packets are short.
const LONG_BYTES_MAX: u64 = 20_000;
/// A process with nothing to do looks this often.
const IDLE: u64 = 20_000 * MICROSECOND;
/// Leaving takes no longer than this, whatever is lost.
const LEAVING_MAX: u64 = 30_000_000_000;
/// No run takes longer, in virtual time, unless something hangs.
const TOO_LONG: u64 = 3_600_000_000_000;

/// What the network does wrong.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    /// Share of packets lost.
    pub drop: f64,
    /// Share of packets that come twice.
    pub double: f64,
    /// Packets take up to this much longer than others, in ns.
    pub spread: u64,
    /// Share of tries at which the fabric is busy.
    pub busy: f64,
    /// Share of messages that lie open to be read, and of reads that fail.
    pub shown: f64,
    pub spoilt: f64,
    /// Share of looks at which a process is at something else.
    pub absent: f64,
    /// From when to when nothing arrives.
    pub dark: Option<(u64, u64)>,
    /// How much packets are protected.
    pub security: Security,
    /// Packets of somebody who hears everything, for each packet of a process.
    pub forged: u64,
}

impl Faults {
    /// Nothing lost, but in any order and at any time.
    pub fn any_order(random: &mut Random) -> Faults {
        Faults {
            spread: random.below(200) * MICROSECOND,
            busy: random.below(50) as f64 / 100.0,
            absent: random.below(50) as f64 / 100.0,
            shown: random.below(100) as f64 / 100.0,
            spoilt: random.below(50) as f64 / 100.0,
            ..Faults::default()
        }
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Packet {
        to: usize,
        bytes: Vec<u8>,
        is_bulk: bool,
    },
    /// A process looks around.
    Look {
        at: usize,
    },
}

/// Packets that an endpoint hands over.
struct Wire<'a> {
    random: &'a mut Random,
    busy: f64,
    space: Vec<u8>,
    posted: Vec<(u32, Vec<u8>, bool)>,
}

impl PacketSink for Wire<'_> {
    fn incarnation(&mut self, peer: u32) -> Option<u64> {
        Some(incarnation(peer))
    }

    fn space(&mut self, _: u32) -> Option<&mut [u8]> {
        (!self.random.chance(self.busy)).then_some(&mut self.space)
    }

    fn post(&mut self, peer: u32, len: usize) {
        self.posted.push((peer, self.space[..len].to_vec(), false));
    }

    fn bulk_space(&mut self, peer: u32) -> Option<&mut [u8]> {
        self.space(peer)
    }

    fn post_bulk(&mut self, peer: u32, len: usize) {
        self.posted.push((peer, self.space[..len].to_vec(), true));
    }
}

/// That of each process.
fn incarnation(rank: u32) -> u64 {
    u64::from(rank) << 40
}

pub struct Network {
    random: Random,
    attacker: Attacker,
    faults: Faults,
    now: u64,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    count: u64,
    endpoints: Vec<Endpoint>,
    processes: Vec<Process>,
    /// Messages still to be sent, and how many have been, by sender and receiver.
    to_send: Vec<Vec<u64>>,
    sent: Vec<Vec<u64>>,
    /// Processes that look no more.
    gone: Vec<bool>,
}

impl Network {
    /// Sends messages of all kinds between processes until all have arrived; what was seen.
    pub fn run(random: Random, faults: Faults, is_reliable: bool) -> Stats {
        Network::run_to_the_end(random, faults, is_reliable).total()
    }

    /// The same; how many packets were forged.
    pub fn run_under_attack(random: Random, faults: Faults, is_reliable: bool) -> u64 {
        Network::run_to_the_end(random, faults, is_reliable).attacker.forged
    }

    fn run_to_the_end(mut random: Random, faults: Faults, is_reliable: bool) -> Network {
        let mut network = Network::new(&mut random, faults, is_reliable);
        while !network.is_done() {
            network.step();
        }
        network.assert_clean();
        network.leave();
        network
    }

    /// All processes leave, one after the other, and go as soon as they may.
    fn leave(&mut self) {
        let since = self.now;
        for at in 0..self.processes.len() {
            self.endpoints[at].leave(self.now, false);
            (0..self.random.below(20)).for_each(|_| self.step());
        }
        while self.gone.contains(&false) {
            self.step();
            for at in 0..self.processes.len() {
                self.gone[at] |= self.endpoints[at].may_go(self.now);
            }
            assert!(self.now < since + LEAVING_MAX, "{:?}", self.faults);
        }
        assert!(self.processes.iter().all(|process| process.lost.is_empty()));
    }

    /// Sends into a network where nothing arrives any more after a while.
    pub fn run_into_darkness(mut random: Random) {
        let dark = Some((random.below(1_000_000), u64::MAX));
        let faults = Faults { dark, ..Faults::default() };
        let mut network = Network::new(&mut random, faults, false);
        let waits = |n: &Network| n.endpoints.iter().any(|e| !e.is_flushed());
        while network.to_send.iter().flatten().any(|&n| n > 0) || waits(&network) {
            network.step();
        }
        for process in &network.processes {
            let mut lost = process.lost.clone();
            lost.dedup();
            assert_eq!(lost.len(), process.lost.len());
        }
    }

    fn new(random: &mut Random, faults: Faults, is_reliable: bool) -> Network {
        let size = 2 + random.below(3) as usize;
        let guarantee = if is_reliable { Guarantee::Reliable } else { Guarantee::None };
        let config = Config {
            window: [1, 2, 7, 64, 256, 1024][random.below(6) as usize],
            burst: 1 + random.below(40) as u32,
            eager_budget: 2000 + random.below(100_000) as u32,
            ack_after: 1 + random.below(30) as u32,
            bulk_bytes_max: [0, 0, 500, 20_000][random.below(4) as usize],
            bulk_from: random.below(3000),
            ..Config::new(guarantee, [150, 400, 1500, 9000][random.below(4) as usize])
        };
        let key = JobKey::new(std::array::from_fn(|_| random.next() as u8));
        let keys = Keys::new(&key, faults.security);
        let ranks = 0..size as u32;
        let mut endpoint = |r| {
            // Hosts may differ in what their networks move at once.
            let less = random.below(1 + config.bulk_bytes_max as u64 / 4) as usize;
            let config = Config { bulk_bytes_max: config.bulk_bytes_max - less, ..config };
            let own = Credentials { keys: keys.clone(), incarnation: incarnation(r) };
            Endpoint::new(config, own, r, size as u32)
        };
        let endpoints = ranks.clone().map(&mut endpoint).collect();
        let processes = ranks.map(|r| Process::new(r, Random::new(random.next()))).collect();
        let messages = |random: &mut Random, a, b| if a == b { 0 } else { random.below(20) };
        let to_send =
            (0..size).map(|a| (0..size).map(|b| messages(random, a, b)).collect()).collect();
        let mut network = Network {
            random: random.clone(),
            attacker: Attacker::new(random.next(), faults.security),
            faults,
            now: 0,
            events: BinaryHeap::new(),
            count: 0,
            endpoints,
            processes,
            to_send,
            sent: vec![vec![0; size]; size],
            gone: vec![false; size],
        };
        (0..size).for_each(|at| network.plan(0, Event::Look { at }));
        network
    }

    fn plan(&mut self, after: u64, event: Event) {
        self.count += 1;
        self.events.push(Reverse((self.now + after, self.count, event)));
    }

    fn step(&mut self) {
        let Reverse((now, _, event)) = self.events.pop().expect("processes look for ever");
        self.now = now;
        assert!(now < TOO_LONG, "{:?}", self.faults);
        match event {
            Event::Packet { to, .. } | Event::Look { at: to } if self.gone[to] => {}
            Event::Packet { to, bytes, is_bulk } => {
                match is_bulk {
                    true => self.arrive_bulk(to, &bytes),
                    false => self.arrive(to, &bytes),
                }
                self.send(to);
            }
            Event::Look { at } => {
                if !self.random.chance(self.faults.absent) {
                    self.look(at);
                }
                let after = self.next_look(at);
                self.plan(after, Event::Look { at });
            }
        }
    }

    fn arrive(&mut self, to: usize, bytes: &[u8]) {
        let (now, endpoint) = (self.now, &mut self.endpoints[to]);
        endpoint.on_packet(now, bytes, &mut self.processes[to]);
        if self.faults.forged == 0 {
            return;
        }
        self.attacker.hear_delivered(to, bytes);
        for _ in 0..self.faults.forged {
            self.attacker.attack(now, &mut self.endpoints, &mut self.processes);
        }
    }

    /// Puts what is expected into its place, as who reads a stream would: before it is known
    /// whether it is that.
    fn arrive_bulk(&mut self, to: usize, bytes: &[u8]) {
        let (now, endpoint, process) = (self.now, &mut self.endpoints[to], &mut self.processes[to]);
        let (header, _) = Header::read(bytes).expect("a packet of an endpoint");
        if let Some(predicted) = endpoint.predicted(header.source, process) {
            let Predicted { front_bytes, front_end, destination } = predicted;
            let (front, rest) = bytes.split_at(front_bytes.min(bytes.len()));
            let len = rest.len().min(destination.len());
            destination[..len].copy_from_slice(&rest[..len]);
            if front.ends_with(front_end) && rest.len() == destination.len() {
                let front = front.to_vec();
                return endpoint.on_placed(now, &front, process);
            }
        }
        endpoint.on_bulk(now, bytes, process);
    }

    /// How long until a process looks again: while it has nothing to do, virtual time leaps.
    fn next_look(&mut self, at: usize) -> u64 {
        let soon = self.random.below(60 * MICROSECOND);
        if self.has_work(at) {
            return soon;
        }
        let due = self.endpoints[at].next_timeout().unwrap_or(u64::MAX);
        due.saturating_sub(self.now).clamp(soon, IDLE)
    }

    fn has_work(&self, at: usize) -> bool {
        self.to_send[at].iter().any(|&n| n > 0)
            || !self.processes[at].later.is_empty()
            || self.endpoints[at].has_packets()
    }

    fn look(&mut self, at: usize) {
        self.begin_messages(at);
        while self.random.chance(0.7) {
            let Some(later) = self.processes[at].later.pop_front() else { break };
            let endpoint = &mut self.endpoints[at];
            match later {
                Later::Read { from, send, receive, .. }
                    if !self.random.chance(self.faults.spoilt) =>
                {
                    let data = self.processes[from as usize].show(send);
                    self.processes[at].read(from, receive, &data);
                    endpoint.cts(from, send, 0, 0);
                }
                Later::Read { from, send, receive, wanted } => {
                    endpoint.cts(from, send, receive, wanted);
                }
                Later::Take { from, bytes } => endpoint.taken(from, bytes),
                Later::Cts { from, send, receive, wanted } => {
                    endpoint.cts(from, send, receive, wanted);
                }
            }
        }
        self.endpoints[at].on_time(self.now, &mut self.processes[at]);
        self.send(at);
    }

    fn begin_messages(&mut self, from: usize) {
        for to in 0..self.processes.len() {
            if self.to_send[from][to] > 0 && self.random.chance(0.5) {
                self.to_send[from][to] -= 1;
                self.begin_message(from, to);
            }
        }
    }

    fn begin_message(&mut self, from: usize, to: usize) {
        let message = self.sent[from][to];
        self.sent[from][to] += 1;
        let head = MatchHeader { context: message, source: from as u32, tag: -5 };
        let endpoint = &mut self.endpoints[from];
        let whole = endpoint.whole_bytes_max() as u64;
        let long = endpoint.config().bulk_bytes_max as u64;
        let bytes = match self.random.below(5) {
            0 => self.random.below(9),
            1 => self.random.below(whole + 1),
            2 => (long.max(whole) + self.random.below(whole)).min(LONG_BYTES_MAX),
            _ => self.random.below((20 * whole).min(LONG_BYTES_MAX)),
        };
        let (me, peer) = (from as u32, to as u32);
        if !endpoint.may_send_eagerly(peer, bytes) || self.random.chance(0.3) {
            let send = self.processes[from].leave(peer, message, bytes);
            let shown = bytes > 0 && self.random.chance(self.faults.shown);
            let rkey = shown.then_some(RemoteKey { address: message, key: bytes });
            endpoint.rts(peer, head, bytes, send, rkey);
        } else if bytes <= whole {
            self.send_whole(from, peer, head, &payload(me, peer, message, bytes));
        } else if !self.send_long_now(from, peer, head, &payload(me, peer, message, bytes)) {
            let send = self.processes[from].leave(peer, message, bytes);
            self.endpoints[from].send_segments(peer, head, bytes as u32, send);
        }
    }

    /// At once or in turn.
    fn send_whole(&mut self, at: usize, to: u32, head: MatchHeader, payload: &[u8]) {
        let mut sent = false;
        if self.random.chance(0.5) {
            self.with_wire(at, |endpoint, _, now, wire| {
                sent = endpoint.send_whole_now(now, to, (head, payload), wire);
            });
        }
        if !sent {
            self.endpoints[at].send_whole(to, head, payload);
        }
    }

    fn send_long_now(&mut self, at: usize, to: u32, head: MatchHeader, payload: &[u8]) -> bool {
        let mut sent = false;
        self.with_wire(at, |endpoint, _, _, wire| {
            sent = endpoint.send_long_now(to, head, payload, wire);
        });
        sent
    }

    fn send(&mut self, at: usize) {
        self.with_wire(at, |endpoint, process, now, wire| {
            endpoint.transmit(now, wire, process);
        });
    }

    /// Carries what an endpoint hands over meanwhile.
    fn with_wire(
        &mut self,
        at: usize,
        act: impl FnOnce(&mut Endpoint, &mut Process, u64, &mut Wire<'_>),
    ) {
        let config = self.endpoints[at].config();
        let room = (config.packet_bytes_max + TRAILER_BYTES).max(config.bulk_bytes_max);
        let space = vec![0; room];
        let busy = self.faults.busy;
        let mut wire = Wire { random: &mut self.random, busy, space, posted: Vec::new() };
        act(&mut self.endpoints[at], &mut self.processes[at], self.now, &mut wire);
        for (to, bytes, is_bulk) in wire.posted {
            match is_bulk {
                true => self.carry_bulk(to as usize, bytes),
                false => self.carry(to as usize, bytes),
            }
        }
    }

    /// Once, at any time, and after the darkness if need be.
    fn carry_bulk(&mut self, to: usize, bytes: Vec<u8>) {
        let mut delay = 5 * MICROSECOND + self.random.below(self.faults.spread + 1);
        if let Some((_, until)) =
            self.faults.dark.filter(|(a, b)| (*a..*b).contains(&(self.now + delay)))
        {
            if until == u64::MAX {
                return;
            }
            delay += until - self.now;
        }
        self.plan(delay, Event::Packet { to, bytes, is_bulk: true });
    }

    fn carry(&mut self, to: usize, bytes: Vec<u8>) {
        if self.faults.forged > 0 {
            self.attacker.hear_sent(to, &bytes);
        }
        let copies = 1 + u64::from(self.random.chance(self.faults.double));
        for _ in 0..copies {
            let delay = 5 * MICROSECOND + self.random.below(self.faults.spread + 1);
            let arrives = self.now + delay;
            let is_dark = self.faults.dark.is_some_and(|(a, b)| (a..b).contains(&arrives));
            if !is_dark && !self.random.chance(self.faults.drop) {
                self.plan(delay, Event::Packet { to, bytes: bytes.clone(), is_bulk: false });
            }
        }
    }

    fn is_done(&self) -> bool {
        let sent: u64 = self.sent.iter().flatten().sum();
        self.to_send.iter().flatten().all(|&n| n == 0)
            && sent == self.processes.iter().map(|p| p.received).sum()
            && self.processes.iter().all(Process::is_done)
            && self.endpoints.iter().all(Endpoint::is_flushed)
    }

    fn assert_clean(&self) {
        for (endpoint, process) in self.endpoints.iter().zip(&self.processes) {
            assert!(endpoint.is_idle());
            if self.faults.forged == 0 {
                assert_eq!((endpoint.stats().malformed, endpoint.stats().foreign), (0, 0));
            }
            assert!(process.lost.is_empty());
        }
    }

    fn total(&self) -> Stats {
        self.endpoints.iter().fold(Stats::default(), |a, e| a + e.stats())
    }
}
