//! Processes that begin and end MPI again and again, each in its own time: in every session some
//! send messages to others, who wait for them. No process may wait for a peer that waits for it in
//! the next session.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use dunlin_seal::{JobKey, Keys, Security};
use dunlin_wire::{
    Config, Consumed, Credentials, Endpoint, Guarantee, MatchHeader, PacketSink, RemoteKey,
    UpperLayer,
};

use crate::random::Random;

const MICROSECOND: u64 = 1000;
const MILLISECOND: u64 = 1000 * MICROSECOND;
const SESSIONS: u64 = 12;
const PACKET: usize = 200;
/// A process that has nothing to do sleeps so long at most.
const IDLE: u64 = 20 * MILLISECOND;
/// No session takes longer where nothing is lost: a process that lingers takes 500 ms.
const QUICK: u64 = 200 * MILLISECOND;
/// Nor where packets are lost: a peer counts as gone after 20 s.
const SLOW: u64 = 15_000 * MILLISECOND;

/// What happens to packets.
#[derive(Debug, Clone, Copy, Default)]
pub struct Links {
    /// Share of packets lost.
    pub drop: f64,
    /// Packets take up to this much longer than others, in ns.
    pub spread: u64,
    /// The fabric loses nothing.
    pub is_reliable: bool,
}

/// A message that waits for its session.
struct Waiting {
    bytes: u64,
    /// What its sender calls it, if it waits there.
    send: Option<u32>,
}

/// What stands above an endpoint: messages, by session and sender.
#[derive(Default)]
struct Mailbox {
    session: u64,
    /// Those of this session that have come.
    come: u64,
    early: BTreeMap<(u64, u32), Vec<Waiting>>,
    /// CTS frames to be sent.
    cts: Vec<(u32, u32)>,
}

impl UpperLayer for Mailbox {
    fn whole(&mut self, from: u32, head: MatchHeader, payload: &[u8]) -> Consumed {
        if head.context == self.session {
            self.come += 1;
            return Consumed::Now;
        }
        assert!(head.context > self.session, "a message of a session that has ended");
        let waiting = Waiting { bytes: payload.len() as u64, send: None };
        self.early.entry((head.context, from)).or_default().push(waiting);
        Consumed::Later
    }
    fn rts(&mut self, from: u32, head: MatchHeader, _: u64, send: u32, _: Option<RemoteKey>) {
        if head.context == self.session {
            self.come += 1;
            return self.cts.push((from, send));
        }
        let waiting = Waiting { bytes: 0, send: Some(send) };
        self.early.entry((head.context, from)).or_default().push(waiting);
    }
    fn begin(&mut self, _: u32, _: MatchHeader, _: u64) -> (u32, Consumed) {
        unreachable!("all messages are short")
    }
    fn part(&mut self, _: u32, _: u32, _: u64, _: &[u8]) {}
    fn completed(&mut self, _: u32, _: u32) {}
    fn fill(&mut self, _: u32, _: u64, _: &mut [u8]) {}
    fn sent(&mut self, _: u32) {}
    fn lost(&mut self, peer: u32) {
        panic!("{peer} is lost");
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Begin,
    Receive,
    Leave,
    Gone,
}

struct Process {
    endpoint: Endpoint,
    mailbox: Mailbox,
    step: Step,
    /// It is at something else until then.
    absent_until: u64,
    session_began: u64,
}

#[derive(Default)]
struct Air {
    posted: Vec<(u32, Vec<u8>)>,
    space: Vec<u8>,
}

impl PacketSink for Air {
    fn incarnation(&mut self, peer: u32) -> Option<u64> {
        Some(u64::from(peer) << 40)
    }
    fn space(&mut self, _: u32) -> Option<&mut [u8]> {
        self.space.resize(PACKET, 0);
        Some(&mut self.space)
    }
    fn post(&mut self, peer: u32, len: usize) {
        self.posted.push((peer, self.space[..len].to_vec()));
    }
}

/// When, its number, and at which process: a packet, or a look around.
type Event = (u64, u64, usize, Option<Vec<u8>>);

pub struct Job {
    random: Random,
    links: Links,
    now: u64,
    count: u64,
    events: BinaryHeap<Reverse<Event>>,
    processes: Vec<Process>,
    /// How many messages each process sends to each other, by session.
    plan: Vec<Vec<Vec<u64>>>,
}

impl Job {
    /// Runs all sessions.
    pub fn run(mut random: Random, links: Links) {
        let mut job = Job::new(&mut random, links);
        while job.processes.iter().any(|p| p.step != Step::Gone) {
            job.advance();
        }
    }

    fn new(random: &mut Random, links: Links) -> Job {
        let size = 2 + random.below(4) as usize;
        let guarantee = if links.is_reliable { Guarantee::Reliable } else { Guarantee::None };
        let config = Config::new(guarantee, PACKET);
        let process = |me: usize| {
            let own = Credentials {
                keys: Keys::new(&JobKey::new([7; 32]), Security::Off),
                incarnation: (me as u64) << 40,
            };
            let endpoint = Endpoint::new(config, own, me as u32, size as u32);
            let (mailbox, step) = (Mailbox::default(), Step::Begin);
            Process { endpoint, mailbox, step, absent_until: 0, session_began: 0 }
        };
        let processes = (0..size).map(process).collect();
        let share = random.below(100) as f64 / 100.0;
        let mut messages = |a, b| u64::from(a != b && random.chance(share)) * random.below(3);
        let mut row = |a| (0..size).map(|b| messages(a, b)).collect();
        let plan = (0..SESSIONS).map(|_| (0..size).map(&mut row).collect()).collect();
        let events = BinaryHeap::new();
        let mut job =
            Job { random: random.clone(), links, now: 0, count: 0, events, processes, plan };
        (0..size).for_each(|at| job.plan_event(0, at, None));
        job
    }

    fn plan_event(&mut self, after: u64, at: usize, packet: Option<Vec<u8>>) {
        self.count += 1;
        self.events.push(Reverse((self.now + after, self.count, at, packet)));
    }

    fn advance(&mut self) {
        let Reverse((now, _, at, packet)) = self.events.pop().expect("processes look for ever");
        self.now = now;
        let process = &mut self.processes[at];
        if process.step == Step::Gone {
            return;
        }
        match packet {
            // It stays in the socket.
            Some(packet) if process.absent_until > now => {
                let after = process.absent_until - now;
                self.plan_event(after, at, Some(packet));
            }
            Some(packet) => {
                process.endpoint.on_packet(now, &packet, &mut process.mailbox);
                self.go_on(at);
            }
            None => {
                if process.absent_until <= now {
                    process.endpoint.on_time(now, &mut process.mailbox);
                    self.go_on(at);
                }
                let soon = self.random.below(60 * MICROSECOND);
                let due = self.processes[at].endpoint.next_timeout().unwrap_or(u64::MAX);
                let after = due.saturating_sub(now).clamp(soon, IDLE);
                self.plan_event(after, at, None);
            }
        }
    }

    /// What a process does between two packets.
    fn go_on(&mut self, at: usize) {
        loop {
            self.send(at);
            if !self.take_step(at) {
                return;
            }
        }
    }

    /// Whether it went on.
    fn take_step(&mut self, at: usize) -> bool {
        let session = self.processes[at].mailbox.session;
        let now = self.now;
        match self.processes[at].step {
            Step::Begin => {
                self.processes[at].session_began = now;
                self.send_all(at);
                self.take_early(at);
                self.processes[at].step = Step::Receive;
            }
            Step::Receive => {
                let plan = &self.plan[session as usize];
                let wanted: u64 = plan.iter().map(|row| row[at]).sum();
                let process = &mut self.processes[at];
                let has_all = process.mailbox.come == wanted && process.endpoint.is_flushed();
                if !has_all || process.endpoint.awaits_cts() {
                    return false;
                }
                process.endpoint.leave(now, true);
                process.step = Step::Leave;
            }
            Step::Leave => {
                if !self.processes[at].endpoint.may_go(now) {
                    return false;
                }
                self.end_session(at);
                return false;
            }
            Step::Gone => return false,
        }
        true
    }

    fn end_session(&mut self, at: usize) {
        let pause = self.random.below(4) * self.random.below(3 * MILLISECOND);
        let (now, links) = (self.now, self.links);
        let process = &mut self.processes[at];
        process.endpoint.come_back();
        let took = now - process.session_began;
        let limit = if links.drop > 0.0 { SLOW } else { QUICK };
        let session = process.mailbox.session;
        assert!(took < limit, "session {session} of rank {at} has taken {took} ns: {links:?}");
        let mailbox = &mut process.mailbox;
        (mailbox.session, mailbox.come) = (session + 1, 0);
        process.step = if session + 1 == SESSIONS { Step::Gone } else { Step::Begin };
        process.absent_until = now + pause;
    }

    fn send_all(&mut self, at: usize) {
        let process = &mut self.processes[at];
        let session = process.mailbox.session;
        let head = MatchHeader { context: session, source: at as u32, tag: 0 };
        for (to, &count) in self.plan[session as usize][at].iter().enumerate() {
            for n in 0..count {
                match self.random.chance(0.3) {
                    true => process.endpoint.rts(to as u32, head, 0, n as u32, None),
                    false => process.endpoint.send_whole(to as u32, head, &[0; 8]),
                }
            }
        }
    }

    /// Receives what has come before this session began.
    fn take_early(&mut self, at: usize) {
        let process = &mut self.processes[at];
        let session = process.mailbox.session;
        let later = process.mailbox.early.split_off(&(session + 1, 0));
        for ((_, from), all) in std::mem::replace(&mut process.mailbox.early, later) {
            for Waiting { bytes, send } in all {
                process.mailbox.come += 1;
                match send {
                    Some(send) => process.endpoint.cts(from, send, 0, 0),
                    None => process.endpoint.taken(from, bytes),
                }
            }
        }
    }

    fn send(&mut self, at: usize) {
        let Process { endpoint, mailbox, .. } = &mut self.processes[at];
        for (from, send) in mailbox.cts.drain(..) {
            endpoint.cts(from, send, 0, 0);
        }
        let mut air = Air::default();
        while endpoint.transmit(self.now, &mut air, mailbox) {}
        for (to, packet) in air.posted {
            let delay = 5 * MICROSECOND + self.random.below(self.links.spread + 1);
            if !self.random.chance(self.links.drop) {
                self.plan_event(delay, to as usize, Some(packet));
            }
        }
    }
}
