//! Partitioned communication: one message to which many threads contribute; MPI 5.0 chapter 4. The
//! message leaves when its last partition is ready.
//!
//! A send meets the receive that was initialised as manieth for the same peer and tag, in whatever
//! order they are started: each such pair has a context of its own.

use std::cell::{Cell, RefCell};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::RangeInclusive;
use std::rc::Rc;

use dunlin_base::memory::room_for;
use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::calls::persistent::{Active, Partitioned, Persistent, Spec};
use crate::engine::Engine;
use crate::engine::operation::Operation;
use crate::matching::Pattern;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::{COLLECTIVE, Comm, Direction, MAKING, PARTITIONED};
use crate::p2p::request::{Mode, OpInfo, RequestId};

/// The context of the pair initialised as `nth` on a communicator with this context.
fn context_of(context: u64, nth: u32) -> u64 {
    if nth == 0 {
        return context | PARTITIONED;
    }
    let mut hasher = DefaultHasher::new();
    (context, nth).hash(&mut hasher);
    // The lowest bit is clear in contexts of the first pair.
    (hasher.finish() | PARTITIONED | COLLECTIVE) & !MAKING
}

impl Engine {
    /// Describes a partitioned operation; [`Engine::start`] begins it.
    pub fn partitioned(
        &self,
        comm: &Rc<Comm>,
        direction: Direction,
        (buffer, partitions): (UserBuffer, usize),
        peer: Rank,
        tag: Tag,
    ) -> Result<RequestId> {
        comm.process(peer)?;
        let mut ready = room_for(partitions)?;
        ready.resize(partitions, false);
        let nth = {
            let mut counts = comm.partitioned.borrow_mut();
            let count = counts.entry((direction, peer, tag)).or_default();
            std::mem::replace(count, *count + 1)
        };
        let (ready, left) = (RefCell::new(ready), Cell::new(partitions));
        let context = context_of(comm.context, nth);
        let spec = Partitioned { direction, buffer, peer, tag, context, ready, left };
        self.persistent(comm, Spec::Partitioned(Rc::new(spec)))
    }

    pub(crate) fn start_partitioned(&self, comm: &Rc<Comm>, p: &Partitioned) -> Result<Active> {
        let count = p.ready.borrow().len();
        p.ready.borrow_mut().fill(false);
        p.left.set(count);
        match p.direction {
            Direction::In => Ok(Active::Transfer(self.receive_whole(comm, p))),
            Direction::Out if count == 0 => self.send_whole(comm, p).map(Active::Transfer),
            Direction::Out => Ok(Active::Filling),
        }
    }

    fn receive_whole(&self, comm: &Rc<Comm>, p: &Partitioned) -> RequestId {
        let pattern = Pattern { context: p.context, source: Some(p.peer), tag: Some(p.tag) };
        let op_info = OpInfo { comm: comm.clone(), peer: Some(p.peer), tag: Some(p.tag) };
        self.messages.borrow_mut().receive(&pattern, p.buffer.clone(), op_info)
    }

    fn send_whole(&self, comm: &Rc<Comm>, p: &Partitioned) -> Result<RequestId> {
        self.isend_in(p.context, comm, p.buffer.clone(), None, p.peer, p.tag, Mode::Standard)
    }

    /// These partitions of a send may leave.
    pub fn pready(&self, id: RequestId, partitions: RangeInclusive<usize>) -> Result<()> {
        let persistent = self.partitioned_request(id, "sends")?;
        let p = match (&persistent.spec, persistent.active.get()) {
            // To MPI_PROC_NULL.
            (Spec::Nothing { receive: false }, Some(_)) => return Ok(()),
            (Spec::Partitioned(p), Some(Active::Filling)) => p,
            (Spec::Partitioned(p), active) if p.direction == Direction::Out => {
                return Err(cannot_be_ready(active.is_some()));
            }
            _ => return Err(not_partitioned("sends")),
        };
        for partition in partitions {
            p.check(partition)?;
            if std::mem::replace(&mut p.ready.borrow_mut()[partition], true) {
                return Err(cannot_be_ready(true));
            }
            p.left.set(p.left.get() - 1);
        }
        if p.left.get() == 0 {
            let transfer = Active::Transfer(self.send_whole(&persistent.comm, p)?);
            persistent.active.set(Some(transfer));
        }
        Ok(())
    }

    /// Whether a partition of a receive is there.
    pub fn parrived(&self, id: RequestId, partition: usize) -> Result<bool> {
        self.progress();
        let persistent = self.partitioned_request(id, "receives")?;
        match &persistent.spec {
            Spec::Nothing { receive: true } => Ok(true),
            Spec::Partitioned(p) if p.direction == Direction::In => {
                p.check(partition)?;
                Ok(persistent.is_complete(self))
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
        for nth in 0..100 {
            let own = context_of(comm, nth);
            assert!(!seen.contains(&own), "the context of pair {nth}");
            seen.push(own);
        }
    }
}
