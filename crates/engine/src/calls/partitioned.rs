//! Partitioned communication: one message to which many threads contribute; MPI 5.0 chapter 4. How
//! it moves is in `transfer_units.rs`.
//!
//! A send meets the receive that was initialised as manieth for the same peer and tag, in whatever
//! order they are started: each such pair has a context of its own.
//!
//! Threads that call MPI at once do not wait here for the engine. They mark partitions in the state
//! of the request, which they find without it, and try to get the engine; if another thread has
//! it, that one sends what is ready as it gives the engine back (`threads/lock.rs`).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::calls::persistent::{Persistent, Spec};
use crate::calls::transfer_units::Partitioned;
use crate::engine::Engine;
use crate::engine::global::{self, installed};
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::{COLLECTIVE, Comm, Direction, MAKING, PARTITIONED};
use crate::objects::inquiry;
use crate::objects::partition_states::{Flags, PartitionState};
use crate::p2p::request::RequestId;
use crate::threads::lock;

/// The context of the pair initialised as `nth` for a tag on a communicator with this context. Tags
/// within it are numbers of transfer units.
fn context_of(context: u64, tag: Tag, nth: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    (context, tag, nth).hash(&mut hasher);
    (hasher.finish() | PARTITIONED | COLLECTIVE) & !MAKING
}

/// `MPI_Pready` of several partitions, range by range, without waiting for other threads. Says how
/// many ranges it has marked; the slow path must look at what follows.
pub fn mark_ready(
    function: &'static str,
    request: RequestId,
    ranges: impl Iterator<Item = Option<RangeInclusive<usize>>>,
) -> usize {
    if !inquiry::is_running() {
        return 0;
    }
    let is_shared = lock::is_threaded();
    let Some(state) = PartitionState::of(request) else { return 0 };
    let Flags::Send(flags) = &state.flags else { return 0 };
    let (mut done, mut is_complete) = (0, false);
    for range in ranges {
        let Some(range) = range.filter(|range| flags.has(range)) else { break };
        let Some(completes) = flags.mark(range, is_shared) else { break };
        is_complete |= completes;
        done += 1;
    }
    if is_complete {
        if is_shared {
            lock::defer(state.number(), &state.item);
        } else if let Some(engine) = global::try_enter(function) {
            do_for(&engine, state);
        }
    }
    done
}

/// `MPI_Parrived` without waiting for the engine: whether a partition is there. `None` if the slow
/// path must look.
pub fn has_arrived(function: &'static str, request: RequestId, partition: usize) -> Option<bool> {
    if !inquiry::is_running() {
        return None;
    }
    let state = PartitionState::of(request)?;
    let Flags::Receive(flags) = &state.flags else { return None };
    if flags.has_arrived(partition)? {
        return Some(true);
    }
    if !lock::is_threaded() {
        return None;
    }
    if let Some(engine) = global::try_enter(function) {
        return engine.parrived(request, partition).ok();
    }
    // Who has the engine makes progress, and says what has come.
    lock::defer(state.number(), &state.item);
    let is_there = flags.has_arrived(partition)?;
    if !is_there {
        // That thread may need this core.
        std::thread::yield_now();
    }
    Some(is_there)
}

/// Does what threads have deferred; called with the engine.
fn do_deferred() {
    let engine = installed();
    lock::DEFERRED.take_all(
        |number| &PartitionState::numbered(number).item,
        |number| do_for(engine, PartitionState::numbered(number)),
    );
}

/// Sends what is ready, or says what has come.
fn do_for(engine: &Engine, state: &PartitionState) {
    let Some(id) = state.request() else { return };
    // The request may be gone, and its number another's.
    let Ok(Some(request)) = engine.operation_of_kind::<Persistent>(id) else { return };
    match (request.partitioned(), &state.flags) {
        (Some(partitioned), Flags::Send(_)) => partitioned.send_ready(engine),
        (Some(partitioned), Flags::Receive(_)) => partitioned.note_arrived(engine),
        (None, _) => {}
    }
}

impl Engine {
    /// Describes a partitioned operation; [`Engine::start`] begins it.
    pub fn partitioned(
        &self,
        comm: &Rc<Comm>,
        direction: Direction,
        (buffer, partitions): (UserBuffer, u32),
        peer: Rank,
        tag: Tag,
    ) -> Result<RequestId> {
        let mut counts = comm.partitioned.borrow_mut();
        let nth = counts.entry((direction, peer, tag)).or_default();
        let (data, context) = ((buffer, partitions), context_of(comm.context, tag, *nth));
        let partitioned = Rc::new(Partitioned::new(comm, direction, data, (peer, tag), context)?);
        *nth += 1;
        let id = self.persistent(comm, Spec::Partitioned(partitioned.clone()))?;
        partitioned.state().expect("it is new").give_to(id);
        lock::expect_deferred(do_deferred);
        Ok(id)
    }

    pub(crate) fn free_partitioned(&self, partitioned: &Partitioned) {
        partitioned.free(self);
        lock::expect_fewer_deferred();
    }

    /// These partitions of a send may leave.
    pub fn pready(&self, id: RequestId, partitions: RangeInclusive<usize>) -> Result<()> {
        let persistent = self.partitioned_request(id, "sends")?;
        let p = match (&persistent.spec, persistent.active.get()) {
            // To MPI_PROC_NULL.
            (Spec::Nothing { receive: false }, Some(_)) => return Ok(()),
            (Spec::Partitioned(p), Some(_)) if p.direction == Direction::Out => p,
            (Spec::Partitioned(p), None) if p.direction == Direction::Out => {
                return Err(cannot_be_ready(false));
            }
            _ => return Err(not_partitioned("sends")),
        };
        if partitions.is_empty() {
            return Ok(());
        }
        p.check(*partitions.start())?;
        p.check(*partitions.end())?;
        if p.mark(self, partitions) { Ok(()) } else { Err(cannot_be_ready(true)) }
    }

    /// Whether a partition of a receive is there.
    pub fn parrived(&self, id: RequestId, partition: usize) -> Result<bool> {
        let persistent = self.partitioned_request(id, "receives")?;
        match &persistent.spec {
            Spec::Nothing { receive: true } => Ok(true),
            Spec::Partitioned(p) if p.direction == Direction::In => {
                p.check(partition)?;
                Ok(self.poll_for(|| p.has_arrived(self, partition), |&is_there| !is_there))
            }
            _ => Err(not_partitioned("receives")),
        }
    }

    fn partitioned_request(&self, id: RequestId, verb: &str) -> Result<Rc<Persistent>> {
        self.operation_of_kind(id)?.ok_or_else(|| not_partitioned(verb))
    }
}

fn cannot_be_ready(started: bool) -> Error {
    let text = if started {
        "the partition was said to be ready before; it can be once in each round"
    } else {
        "the request is not active; start it before its partitions are ready"
    };
    Error::new(ErrorClass::Request, text)
}

fn not_partitioned(verb: &str) -> Error {
    let text = format!("the request is not one that {verb} in partitions");
    Error::new(ErrorClass::Request, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::comm::context;

    #[test]
    fn pairs_of_one_peer_and_tag_have_contexts_apart_from_all_others() {
        let comm = context(3, 7);
        let mut seen = vec![comm, comm | COLLECTIVE, comm | MAKING];
        for (tag, nth) in (0..10).flat_map(|tag| (0..10).map(move |nth| (tag, nth))) {
            let own = context_of(comm, tag, nth);
            assert!(!seen.contains(&own), "the context of pair {nth} with tag {tag}");
            seen.push(own);
        }
    }
}
