//! What stands above an endpoint in a simulation: it makes up messages, receives those of others,
//! and holds each to what it must be.

use std::collections::{HashMap, VecDeque};

use dunlin_wire::{Consumed, MatchHeader, RemoteKey, UpperLayer};

use crate::random::Random;

/// The byte at a place of a message.
fn byte(from: u32, to: u32, message: u64, at: u64) -> u8 {
    (at.wrapping_mul(31) ^ message.wrapping_mul(131) ^ u64::from(from * 7 + to * 3)) as u8
}

/// Writes a part of a message.
fn fill(from: u32, to: u32, message: u64, offset: u64, into: &mut [u8]) {
    for (at, b) in into.iter_mut().enumerate() {
        *b = byte(from, to, message, offset + at as u64);
    }
}

/// The bytes of a message.
pub fn payload(from: u32, to: u32, message: u64, bytes: u64) -> Vec<u8> {
    let mut data = vec![0; bytes as usize];
    fill(from, to, message, 0, &mut data);
    data
}

/// A message on its way in.
struct InboundTransfer {
    from: u32,
    message: u64,
    wanted: u64,
    seen: Vec<bool>,
    /// The part that has a place to be put into: where it begins, and what is there.
    placed: (u64, Vec<u8>),
}

/// A long message on its way out.
struct Leaving {
    to: u32,
    message: u64,
    bytes: u64,
}

/// What a process does with a message some time after it has come.
pub enum Later {
    Take {
        from: u32,
        bytes: u64,
    },
    Cts {
        from: u32,
        send: u32,
        receive: u32,
        wanted: u64,
    },
    /// By itself, or as above if that fails.
    Read {
        from: u32,
        send: u32,
        receive: u32,
        wanted: u64,
    },
}

pub struct Process {
    me: u32,
    random: Random,
    /// The next message of each source.
    predicted: HashMap<u32, u64>,
    inbound: HashMap<u32, InboundTransfer>,
    leaving: HashMap<u32, Leaving>,
    next_send: u32,
    /// Whole messages received, and long ones of which all has come.
    pub received: u64,
    pub later: VecDeque<Later>,
    pub lost: Vec<u32>,
}

impl Process {
    pub fn new(me: u32, random: Random) -> Process {
        Process {
            me,
            random,
            predicted: HashMap::new(),
            inbound: HashMap::new(),
            leaving: HashMap::new(),
            next_send: 0,
            received: 0,
            later: VecDeque::new(),
            lost: Vec::new(),
        }
    }

    /// A number for a long message that goes out.
    pub fn leave(&mut self, to: u32, message: u64, bytes: u64) -> u32 {
        let send = self.next_send;
        self.next_send += 1;
        self.leaving.insert(send, Leaving { to, message, bytes });
        send
    }

    /// What a peer sees that reads a message, which must still be here.
    pub fn show(&self, send: u32) -> Vec<u8> {
        let leaving = self.leaving.get(&send).expect("a message that is read was not sent yet");
        payload(self.me, leaving.to, leaving.message, leaving.bytes)
    }

    /// Takes what was read of a peer's message.
    pub fn read(&mut self, from: u32, receive: u32, data: &[u8]) {
        let wanted = self.inbound[&receive].wanted as usize;
        self.part(from, receive, 0, &data[..wanted]);
        self.completed(from, receive);
    }

    /// Whether every long message has gone and come.
    pub fn is_done(&self) -> bool {
        self.leaving.is_empty() && self.inbound.is_empty() && self.later.is_empty()
    }

    /// The number of a message, which must be the next of its source.
    fn begin(&mut self, from: u32, head: MatchHeader) -> u64 {
        let predicted = self.predicted.entry(from).or_default();
        assert_eq!(head.context, *predicted, "from {from} to {}", self.me);
        assert_eq!((head.source, head.tag), (from, -5));
        *predicted += 1;
        head.context
    }

    fn land(&mut self, from: u32, message: u64, wanted: u64) -> u32 {
        // Numbers serve again at once.
        let mut numbers = 0..;
        let receive = numbers.find(|n| !self.inbound.contains_key(n)).expect("a free number");
        let seen = vec![false; wanted as usize];
        let placed = (0, Vec::new());
        self.inbound.insert(receive, InboundTransfer { from, message, wanted, seen, placed });
        receive
    }

    /// What has not come as a part must lie in its place.
    fn take_placed(&mut self, from: u32, receive: u32) {
        let transfer = self.inbound.get_mut(&receive).expect("a message that is on its way");
        let (offset, data) = std::mem::take(&mut transfer.placed);
        if transfer.seen.get(offset as usize) == Some(&false) {
            self.part(from, receive, offset, &data);
        }
    }

    fn take(&mut self, from: u32, bytes: u64) -> Consumed {
        if self.random.chance(0.5) {
            return Consumed::Now;
        }
        self.later.push_back(Later::Take { from, bytes });
        Consumed::Later
    }
}

impl UpperLayer for Process {
    fn whole(&mut self, from: u32, head: MatchHeader, data: &[u8]) -> Consumed {
        let message = self.begin(from, head);
        assert_eq!(data, payload(from, self.me, message, data.len() as u64));
        self.received += 1;
        self.take(from, data.len() as u64)
    }

    fn begin(&mut self, from: u32, head: MatchHeader, bytes: u64) -> (u32, Consumed) {
        let message = Process::begin(self, from, head);
        (self.land(from, message, bytes), self.take(from, bytes))
    }

    fn part(&mut self, from: u32, receive: u32, offset: u64, data: &[u8]) {
        let transfer = self.inbound.get_mut(&receive).expect("a message that is on its way");
        assert_eq!(transfer.from, from);
        for (at, &b) in (offset..).zip(data) {
            assert_eq!(b, byte(from, self.me, transfer.message, at));
            let seen = &mut transfer.seen[at as usize];
            assert!(!std::mem::replace(seen, true), "byte {at} came twice");
        }
    }

    fn destination(
        &mut self,
        from: u32,
        receive: u32,
        offset: u64,
        bytes: usize,
    ) -> Option<&mut [u8]> {
        if self.random.chance(0.2) {
            return None;
        }
        let transfer = self.inbound.get_mut(&receive).expect("a message that is on its way");
        assert_eq!(transfer.from, from);
        // Something else may be put there first.
        let range = offset as usize..offset as usize + bytes;
        assert!(transfer.seen[range].iter().all(|&seen| !seen), "a place that is taken");
        transfer.placed = (offset, vec![0; bytes]);
        Some(&mut transfer.placed.1)
    }

    fn completed(&mut self, from: u32, receive: u32) {
        self.take_placed(from, receive);
        let transfer = self.inbound.remove(&receive).expect("a message that is on its way");
        assert_eq!(transfer.from, from);
        assert_eq!(transfer.seen.len() as u64, transfer.wanted);
        assert!(transfer.seen.iter().all(|&seen| seen));
        self.received += 1;
    }

    fn rts(
        &mut self,
        from: u32,
        head: MatchHeader,
        bytes: u64,
        send: u32,
        rkey: Option<RemoteKey>,
    ) {
        let message = Process::begin(self, from, head);
        // A receive may be too short for a message, or have no room at all.
        let wanted = if self.random.chance(0.8) { bytes } else { self.random.below(bytes + 1) };
        let mut receive = u32::MAX;
        if wanted == 0 {
            self.received += 1;
        } else {
            receive = self.land(from, message, wanted);
        }
        self.later.push_back(match rkey {
            Some(rkey) if wanted > 0 => {
                assert_eq!(rkey, RemoteKey { address: message, key: bytes });
                Later::Read { from, send, receive, wanted }
            }
            _ => Later::Cts { from, send, receive, wanted },
        });
    }

    fn fill(&mut self, send: u32, offset: u64, into: &mut [u8]) {
        let leaving = &self.leaving[&send];
        fill(self.me, leaving.to, leaving.message, offset, into);
    }

    fn sent(&mut self, send: u32) {
        assert!(self.leaving.remove(&send).is_some(), "{send} was sent twice");
    }

    fn lost(&mut self, peer: u32) {
        self.lost.push(peer);
    }
}
