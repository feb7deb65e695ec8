//! The fast path of blocking neighbourhood collectives on contiguous blocks: it copies what is this
//! rank's own, sends its short blocks and takes those of its neighbours as they come out of the
//! rings, without a request. Where one cannot be sent or taken so, the slow path does the rest of
//! the operation; nothing is done twice.

use std::rc::Rc;

use dunlin_base::{Rank, Result};
use dunlin_copy::copy;

use crate::coll::fast_path::CollFastPath;
use crate::coll::mismatch::too_much;
use crate::coll::op_context::OpContext;
use crate::coll::plain_arguments::Bytes;
use crate::engine::Engine;
use crate::matching::{Envelope, Pattern};
use crate::objects::comm::{Comm, CommId, collective};
use crate::objects::schedule::{CollOp, Neighbourhood, Schedule};
use crate::objects::topology::Neighbours;
use crate::p2p::messages::{Messages, Origin, Route};

/// Looks for a block before the slow path awaits it: about 2 us, in which a neighbour that has
/// begun sends it.
const POLLS: u32 = 40;

/// A communicator with a topology whose collectives can take the fast path.
#[derive(Debug)]
pub struct NeighbourFastPath(CollFastPath);

/// What of an operation has been done.
#[derive(Debug)]
pub enum Traded {
    /// All of it.
    All(Result<()>),
    /// A part of it, and whether that went well.
    Part(Done, Result<()>),
}

/// What of an operation has been done: what is this rank's own, and of the other blocks the first
/// ones.
#[derive(Debug, Default, Clone, Copy)]
pub struct Done {
    /// Destinations that have their blocks.
    sent: usize,
    /// Sources whose blocks are there, in the order in which they arrive.
    received: usize,
}

impl NeighbourFastPath {
    /// The communicator, if it can take the fast path and has a topology.
    #[inline]
    pub fn on(function: &'static str, comm: CommId) -> Option<NeighbourFastPath> {
        let ranks = CollFastPath::on(function, comm)?;
        ranks.comm.neighbours().ok()?;
        Some(NeighbourFastPath(ranks))
    }

    /// From how many neighbours this process receives, and to how many it sends.
    #[inline]
    pub fn degrees(&self) -> (usize, usize) {
        self.0.comm.degrees().unwrap_or_default()
    }

    /// Trades blocks with the neighbours. `send` says where the block for a destination is, `recv`
    /// where that of a source belongs; `None` for one that this path does not support, and then
    /// nothing is done.
    ///
    /// # Safety
    /// The program's promises on its buffers.
    #[inline]
    pub unsafe fn trade(
        &self,
        send: impl Fn(usize) -> Option<Bytes>,
        recv: impl Fn(usize) -> Option<Bytes>,
    ) -> Option<Traded> {
        let CollFastPath { comm, module, engine, .. } = &self.0;
        let neighbours = comm.neighbours().ok()?;
        let Neighbours { sources, destinations, .. } = neighbours;
        let is_plain = (0..destinations.len()).all(|j| send(j).is_some())
            && (0..sources.len()).all(|i| recv(i).is_some());
        if !is_plain {
            return None;
        }
        let mut messages = engine.messages.try_borrow_mut().ok()?;
        // SAFETY: promised by the caller.
        if !unsafe { copy_own(comm.rank as usize, neighbours, &send, &recv) } {
            return None;
        }
        let exchange = Exchange { engine, comm, tag: comm.collectives_begun() as i32 };
        let mut done = Done::default();
        for (j, destination) in destinations.iter().enumerate() {
            let to = destination.filter(|to| *to != comm.rank as usize).zip(send(j));
            // SAFETY: promised by the caller.
            if to.is_some_and(|(to, data)| !unsafe { exchange.send(&mut messages, to, data) }) {
                return Some(Traded::Part(done, Ok(())));
            }
            done.sent += 1;
        }
        let mut outcome = Ok(());
        for i in neighbours.places().arrivals() {
            let from = sources[i].filter(|from| *from != comm.rank as usize).zip(recv(i));
            if let Some((from, into)) = from {
                // SAFETY: promised by the caller.
                match unsafe { exchange.receive(&mut messages, from, into) } {
                    None => return Some(Traded::Part(done, outcome)),
                    Some(received) => outcome = outcome.and(received),
                }
            }
            done.received += 1;
        }
        // All members count the operations on the segment, whichever way each takes.
        comm.next_collective();
        let context = OpContext { engine, comm, module, apart: None };
        context.begin();
        context.end();
        Some(Traded::All(outcome))
    }
}

/// Copies the blocks that this rank has for itself. False, without a copy, if the lengths differ.
///
/// # Safety
/// The program's promises on its buffers, which `send` and `recv` name for all neighbours.
#[inline]
unsafe fn copy_own(
    me: usize,
    neighbours: &Neighbours,
    send: &impl Fn(usize) -> Option<Bytes>,
    recv: &impl Fn(usize) -> Option<Bytes>,
) -> bool {
    let Neighbours { sources, destinations, .. } = neighbours;
    if !destinations.contains(&Some(me)) {
        return true;
    }
    let incoming = neighbours.places().arrivals().filter(|&i| sources[i] == Some(me));
    let outgoing = (0..destinations.len()).filter(|&j| destinations[j] == Some(me));
    let blocks = || incoming.clone().filter_map(recv).zip(outgoing.clone().filter_map(send));
    if blocks().any(|(into, from)| into.1 != from.1) {
        return false;
    }
    for (into, from) in blocks() {
        // SAFETY: promised by the caller; both have the same length.
        unsafe { copy(from.0, into.0, from.1) };
    }
    true
}

/// The messages of one operation.
struct Exchange<'e> {
    engine: &'e Engine,
    comm: &'e Rc<Comm>,
    tag: i32,
}

impl Exchange<'_> {
    fn route(&self, peer: usize) -> Option<Route> {
        self.comm.peer(peer as Rank).map(|process| self.engine.route(process))
    }

    /// Sends a block, if that can be done at once.
    ///
    /// # Safety
    /// The program's promise on this buffer.
    #[inline]
    unsafe fn send(&self, messages: &mut Messages, to: usize, (start, bytes): Bytes) -> bool {
        let context = collective(self.comm.context);
        let envelope = Envelope { context, source: self.comm.rank, tag: self.tag };
        // SAFETY: promised by the caller.
        let data = unsafe { std::slice::from_raw_parts(start, bytes) };
        self.route(to).is_some_and(|route| messages.send_now(route, &envelope, data))
    }

    /// Receives a block, if it comes at once.
    ///
    /// # Safety
    /// The program's promise on this buffer.
    #[inline]
    unsafe fn receive(
        &self,
        messages: &mut Messages,
        from: usize,
        (start, bytes): Bytes,
    ) -> Option<Result<()>> {
        let Some(Route::Node(peer)) = self.route(from) else { return None };
        let (source, tag) = (Some(from as Rank), Some(self.tag));
        let pattern = Pattern { context: collective(self.comm.context), source, tag };
        // SAFETY: promised by the caller.
        let into = unsafe { std::slice::from_raw_parts_mut(start, bytes) };
        let (_, len) = if self.engine.own_core.get() {
            let pause = || self.engine.node.pause();
            messages.receive_now(Origin::Node(peer), &pattern, into, POLLS, pause)?
        } else {
            let polls = self.engine.yields(messages);
            let pause = std::thread::yield_now;
            messages.receive_now(Origin::Node(peer), &pattern, into, polls, pause)?
        };
        Some(if len == bytes { Ok(()) } else { Err(too_much(from, len, bytes)) })
    }
}

impl Schedule {
    /// The same operation without what the fast path has done of it.
    #[must_use]
    pub fn without(mut self, done: Done) -> Schedule {
        if let CollOp::Neighbourhood(operation) = &mut self.coll_op {
            operation.leave_out(self.comm.rank as usize, done);
        }
        self
    }
}

impl Neighbourhood {
    fn leave_out(&mut self, me: usize, done: Done) {
        let Neighbours { sources, destinations, .. } = &self.neighbours;
        let (mut from, mut to) = (sources.to_vec(), destinations.to_vec());
        to[..done.sent].fill(None);
        self.neighbours.places().arrivals().take(done.received).for_each(|i| from[i] = None);
        for neighbour in from.iter_mut().chain(&mut to).filter(|n| **n == Some(me)) {
            *neighbour = None;
        }
        self.neighbours.sources = from.into();
        self.neighbours.destinations = to.into();
    }
}
