//! A message on its way: what has happened to it, and when.

use crate::path::{BEGIN, Cost, History, Moment};
use crate::queue::{NEVER, Time};

/// One side of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Sender = 0,
    Receiver = 1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Eager,
    /// Its announcement is on the way, or has arrived.
    Announced,
    /// Its data is on the way.
    Data,
}

/// A message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    /// Sender and receiver.
    pub pair: (u32, u32),
    pub bytes: f64,
    pub phase: Phase,
    /// When it was handed over, in the sender's history.
    pub sent: Time,
    pub sent_moment: Moment,
    /// Until when the sender's core makes packets of it.
    pub packed: Time,
    /// The same of what is on its way now.
    pub made: Time,
    /// When what is on the way has arrived.
    pub there: Time,
    /// When the receive was posted.
    pub posted: Time,
    pub posted_moment: Moment,
    /// Who was later.
    pub last: Side,
    /// Time of the journey in queues, and in which bytes passed.
    pub queued: Time,
    pub passing: Time,
    /// From its first byte to its last.
    pub follows: Time,
    /// The next one in the queue of unmatched ones; of the last one it means nothing.
    pub next: u32,
    /// When each side's part is done, whether it waits for that, and whether it has seen it.
    pub done: [Time; 2],
    pub waits: [bool; 2],
    pub over: [bool; 2],
}

impl Message {
    pub fn new(pair: (u32, u32), bytes: f64) -> Message {
        Message {
            pair,
            bytes,
            phase: Phase::Eager,
            sent: NEVER,
            sent_moment: BEGIN,
            packed: 0,
            made: 0,
            there: NEVER,
            posted: NEVER,
            posted_moment: BEGIN,
            last: Side::Sender,
            queued: 0,
            passing: 0,
            follows: 0,
            next: 0,
            done: [NEVER; 2],
            waits: [false; 2],
            over: [false; 2],
        }
    }

    pub fn rank(&self, side: Side) -> usize {
        if side == Side::Sender { self.from() } else { self.to() }
    }

    pub fn from(&self) -> usize {
        self.pair.0 as usize
    }

    pub fn to(&self) -> usize {
        self.pair.1 as usize
    }
}

/// A transfer that a rank has begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request(pub u32, pub Side);

impl Message {
    /// The history of a message that `rank` has waited for until `done`.
    pub fn history(&self, history: &mut History, rank: usize, done: Time, local: bool) -> Moment {
        let (start, moment) = match self.last {
            Side::Sender => (self.packed, self.sent_moment),
            Side::Receiver => (self.posted, self.posted_moment),
        };
        let took = done.saturating_sub(start);
        if local {
            return history.add(moment, Cost::NodeMessages, rank, took);
        }
        let queued = self.queued.min(took);
        let passing = self.passing.min(took - queued);
        let moment = history.add(moment, Cost::NetworkLatency, rank, took - queued - passing);
        let moment = history.add(moment, Cost::NetworkQueues, rank, queued);
        history.add(moment, Cost::NetworkBytes, rank, passing)
    }
}
