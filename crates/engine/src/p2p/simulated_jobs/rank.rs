//! One rank of a simulated job: what it has begun, and a step of it.

use std::collections::VecDeque;

use super::plan::{Act, Memory, Message, Slot, Way};
use crate::dice::Dice;
use crate::matching::{Envelope, Pattern};
use crate::objects::status::{Source, Status};
use crate::p2p::messages::{Messages, Origin, Route, Unexpected};
use crate::p2p::messages_tests::op_info_of;
use crate::p2p::request::{OpInfo, RequestId};

/// What is known of an operation that has begun.
pub(super) enum State {
    /// A matching probe has taken its message.
    Taken(Envelope, Unexpected),
    Pending(RequestId),
    /// So, seen in this step of the job.
    Done(Status, u64),
}

pub(super) struct Receive {
    pub pattern: Pattern,
    pub memory: Memory,
    pub state: State,
    pub begun: u64,
    /// What a probe has promised: source, tag and bytes of the message.
    pub promised: Option<(Envelope, u64)>,
    pub slot: Slot,
}

pub(super) struct Send {
    pub message: usize,
    pub state: State,
    /// Whether its rank has asked for it back.
    pub asked: bool,
}

pub(super) struct Player {
    me: usize,
    /// The way to each rank.
    routes: Vec<Route>,
    pub messages: Messages,
    pub script: VecDeque<Act>,
    /// In the order in which they took their turn in matching.
    pub receives: Vec<Receive>,
    pub sends: Vec<Send>,
    /// Steps of the job in which it does nothing.
    pub pause: u64,
    /// How often, in percent, it makes progress within a wait.
    pub waits: u64,
}

impl Player {
    pub fn new(me: usize, routes: Vec<Route>, messages: Messages, script: VecDeque<Act>) -> Player {
        let (receives, sends) = (Vec::new(), Vec::new());
        Player { me, routes, messages, script, receives, sends, pause: 0, waits: 0 }
    }

    fn op_info(&self, context: u64) -> OpInfo {
        op_info_of(self.routes.len(), self.me, context)
    }

    /// Begins an operation or makes progress; true if anything moved.
    pub fn step(&mut self, plan: &mut [Message], dice: &mut Dice, now: u64) -> bool {
        let moved = match self.script.pop_front() {
            Some(act) if dice.chance(60) => {
                self.act(act, plan, dice, now);
                true
            }
            act => {
                act.into_iter().for_each(|act| self.script.push_front(act));
                self.progress(dice)
            }
        };
        if dice.chance(50) {
            self.collect(now);
        }
        moved
    }

    /// A round of progress, within a wait, at the end of one or without.
    pub fn progress(&mut self, dice: &mut Dice) -> bool {
        if !dice.chance(self.waits) {
            return self.messages.progress();
        }
        let node = self.messages.node.node;
        node.view(node.me()).set_waiting(dice.chance(50));
        let moved = self.messages.progress_awaited();
        if dice.chance(5) {
            self.messages.settle_offers();
        }
        moved
    }

    fn act(&mut self, act: Act, plan: &mut [Message], dice: &mut Dice, now: u64) {
        match act {
            Act::Send(number) => self.send(number, &mut plan[number], dice),
            Act::CancelSend(number) => {
                let Send { message, state: State::Pending(id), .. } = self.sends[number] else {
                    return;
                };
                self.sends[number].asked = true;
                let route = self.route(plan[message].to);
                self.messages.cancel(id, Some(route));
            }
            Act::Receive(slot) => self.receive(slot, dice, now),
            Act::CancelReceive(number) => self.cancel_receive(number, now),
            Act::ReceiveTaken(number) => self.receive_taken(number),
        }
    }

    fn route(&self, to: usize) -> Route {
        self.routes[to]
    }

    /// Puts something into the script somewhere behind.
    fn later(&mut self, act: Act, dice: &mut Dice) {
        let at = dice.below(self.script.len().min(10) as u64 + 1) as usize;
        self.script.insert(at, act);
    }

    fn send(&mut self, number: usize, message: &mut Message, dice: &mut Dice) {
        let Message { envelope, to, mode, .. } = *message;
        let (route, op_info) = (self.route(to), self.op_info(envelope.context));
        let buffer = message.memory.buffer();
        let id = self.messages.send(route, envelope, buffer, None, mode, op_info);
        self.sends.push(Send { message: number, state: State::Pending(id), asked: false });
        if message.cancel {
            self.later(Act::CancelSend(self.sends.len() - 1), dice);
        }
    }

    fn receive(&mut self, mut slot: Slot, dice: &mut Dice, now: u64) {
        let found = match slot.way {
            Way::Probe => self.probe(&slot, dice, now),
            Way::Take => self.take(&slot, dice, now),
            Way::Arrived => self.receive_arrived(&slot, now),
            Way::Now => self.receive_now(&slot, now),
            Way::Post => false,
        };
        if found {
            return;
        }
        if slot.looks > 0 && slot.way != Way::Post {
            slot.looks -= 1;
            return self.later(Act::Receive(slot), dice);
        }
        let cancel = slot.cancel;
        self.post(slot, None, dice, now);
        if cancel {
            self.later(Act::CancelReceive(self.receives.len() - 1), dice);
        }
    }

    fn post(&mut self, slot: Slot, promised: Option<(Envelope, u64)>, dice: &mut Dice, now: u64) {
        let op_info = self.op_info(slot.pattern.context);
        let mut memory = Memory::untouched(slot.room, slot.scattered);
        let id = if dice.chance(self.waits) {
            self.messages.receive_awaited(&slot.pattern, memory.buffer(), op_info)
        } else {
            self.messages.receive(&slot.pattern, memory.buffer(), op_info)
        };
        self.begun(slot, memory, State::Pending(id), promised, now);
    }

    fn begun(
        &mut self,
        slot: Slot,
        memory: Memory,
        state: State,
        promised: Option<(Envelope, u64)>,
        now: u64,
    ) {
        let pattern = slot.pattern;
        self.receives.push(Receive { pattern, memory, state, begun: now, promised, slot });
    }

    /// Receives exactly what a probe has found.
    fn probe(&mut self, slot: &Slot, dice: &mut Dice, now: u64) -> bool {
        self.progress(dice);
        let found =
            self.messages.transfers.matching.peek(&slot.pattern).map(|(e, m)| (*e, m.bytes()));
        let Some((envelope, bytes)) = found else { return false };
        let Envelope { context, source, tag } = envelope;
        let pattern = Pattern { context, source: Some(source), tag: Some(tag) };
        let slot = Slot { pattern, ..slot.clone() };
        self.post(slot, Some((envelope, bytes)), dice, now);
        true
    }

    fn take(&mut self, slot: &Slot, dice: &mut Dice, now: u64) -> bool {
        self.progress(dice);
        let Some((envelope, message)) = self.messages.transfers.matching.take(&slot.pattern) else {
            return false;
        };
        let bytes = message.bytes();
        let memory = Memory::untouched(slot.room, slot.scattered);
        let state = State::Taken(envelope, message);
        self.begun(slot.clone(), memory, state, Some((envelope, bytes)), now);
        self.later(Act::ReceiveTaken(self.receives.len() - 1), dice);
        true
    }

    fn receive_taken(&mut self, number: usize) {
        let op_info = self.op_info(self.receives[number].pattern.context);
        let receive = &mut self.receives[number];
        let nothing = State::Done(Status::EMPTY, 0);
        let State::Taken(envelope, message) = std::mem::replace(&mut receive.state, nothing) else {
            unreachable!("a message is taken once")
        };
        let buffer = receive.memory.buffer();
        let id = self.messages.receive_taken(&envelope, message, buffer, op_info);
        receive.state = State::Pending(id);
    }

    /// Where the fast ways look; `None` where they do not.
    fn origin(&self, slot: &Slot) -> Option<Origin> {
        // A message from any source may come from another node.
        let Some(source) = slot.pattern.source else {
            return self.messages.net.is_none().then_some(Origin::Any);
        };
        match self.routes[source as usize] {
            Route::Node(place) => Some(Origin::Node(place)),
            Route::Myself => Some(Origin::Myself),
            Route::Net(_) => None,
        }
    }

    fn receive_arrived(&mut self, slot: &Slot, now: u64) -> bool {
        let mut memory = Memory::untouched(slot.room, slot.scattered);
        let (Some(origin), Some(into)) = (self.origin(slot), memory.dense()) else { return false };
        let (messages, pattern) = (&mut self.messages, &slot.pattern);
        let arrived = origin.node().and_then(|p| messages.receive_arrived(p, pattern, into, 0));
        let Some(id) = arrived.or_else(|| messages.begin_kept(pattern, into, 0)) else {
            return false;
        };
        let op_info = self.op_info(slot.pattern.context);
        self.messages.transfers.requests.make_whole(id, |_| op_info.comm);
        self.begun(slot.clone(), memory, State::Pending(id), None, now);
        true
    }

    fn receive_now(&mut self, slot: &Slot, now: u64) -> bool {
        let mut memory = Memory::untouched(slot.room, slot.scattered);
        let (Some(origin), Some(into)) = (self.origin(slot), memory.dense()) else { return false };
        let received = self.messages.receive_now(origin, &slot.pattern, into, 1, || ());
        let Some((envelope, len)) = received else { return false };
        let status = Status::received(&envelope, len as u64);
        self.begun(slot.clone(), memory, State::Done(status, now), None, now);
        true
    }

    /// What is taken back is received again, or the message would stay.
    pub fn cancel_receive(&mut self, number: usize, now: u64) {
        let State::Pending(id) = self.receives[number].state else { return };
        self.messages.cancel(id, None);
        let Some(status) = self.messages.transfers.requests.take_if_done(id) else { return };
        if status.cancelled {
            let again =
                Slot { way: Way::Post, cancel: false, ..self.receives[number].slot.clone() };
            self.script.push_back(Act::Receive(again));
        }
        self.receives[number].state = State::Done(status, now);
    }

    /// Takes the outcome of what has completed.
    pub fn collect(&mut self, now: u64) {
        let states = self.receives.iter_mut().map(|r| &mut r.state);
        for state in states.chain(self.sends.iter_mut().map(|s| &mut s.state)) {
            if let State::Pending(id) = *state {
                if let Some(status) = self.messages.transfers.requests.take_if_done(id) {
                    *state = State::Done(status, now);
                }
            }
        }
    }

    /// What it waits for, in words; nothing if all is done.
    pub fn waits_for(&self, plan: &[Message]) -> String {
        let receives = self.receives.iter().filter_map(|r| match r.state {
            State::Done(..) => None,
            State::Taken(..) => Some(format!("taken {:?}", r.promised)),
            State::Pending(_) => Some(format!("receive {:?}", r.pattern)),
        });
        let sends = self.sends.iter().filter_map(|s| match s.state {
            State::Done(..) => None,
            _ => {
                let m = &plan[s.message];
                Some(format!("send {:?} of {} bytes to {}", m.envelope, m.memory.len, m.to))
            }
        });
        let all: Vec<_> = receives.chain(sends).collect();
        if all.is_empty() {
            return String::new();
        }
        format!("rank {} waits for: {}. ", self.me, all.join("; "))
    }
}

impl Receive {
    /// The message that it has got: its envelope and the bytes in the buffer.
    pub fn got(&self) -> Option<(Envelope, &Status)> {
        let State::Done(status, _) = &self.state else { return None };
        let (Source::Rank(source), Some(tag)) = (status.source, status.tag) else { return None };
        Some((Envelope { context: self.pattern.context, source, tag }, status))
    }
}
