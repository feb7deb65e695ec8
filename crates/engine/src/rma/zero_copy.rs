//! Long puts and gets between nodes. The data is a message of its own, from the memory of one
//! process straight into that of the other; the operation's message says under which number. So
//! neither process keeps a copy. What an origin asks next waits at its target until the data has
//! moved, but for other puts and gets, which have no order.

use std::rc::Rc;

use dunlin_base::{Error, Rank, Result, Tag};
use dunlin_datatype::reduce::Op;

use crate::engine::Engine;
use crate::matching::Pattern;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::ONE_SIDED_DATA;
use crate::objects::status::RequestId;
use crate::objects::window::{Origin, Reply, Window, ZeroCopy};
use crate::p2p::request::{Mode, OpInfo};
use crate::rma::message::{Data, Kind, nonsense};
use crate::rma::origin::Target;
use crate::rma::target::note_failure;

/// Bytes of a put that goes so: a message more takes as long as two copies of so many bytes.
const PUT_BYTES_MIN: usize = 128 << 10;
/// Bytes of a get, which takes no message more; shorter results come together.
const GET_BYTES_MIN: usize = 8 << 10;

impl Engine {
    /// Whether an operation goes so.
    pub(crate) fn is_zero_copy(&self, window: &Window, kind: Kind, target: &Target) -> bool {
        let least = if kind == Kind::Put { PUT_BYTES_MIN } else { GET_BYTES_MIN };
        target.bytes() >= least && self.is_far(window, target.rank)
    }

    /// Sends a put; what it returns is done when the origin's buffer may be used again.
    pub(crate) fn put_zero_copy(
        &self,
        window: &Window,
        from: &UserBuffer,
        target: &Target,
    ) -> Result<Rc<Reply>> {
        let peer = target.rank;
        let (number, reply) = window.origin.borrow_mut().await_reply(peer, UserBuffer::EMPTY, None);
        let header = target.header(Op::Replace, number, Data::Apart);
        let outcome = self
            .send_operation(window, Kind::Put, peer, &header, &[])
            .and_then(|()| self.send_data(window, from.clone(), peer, number));
        let mut origin = window.origin.borrow_mut();
        match outcome {
            Ok(Some(transfer)) => origin.zero_copies.push(ZeroCopy { peer, number, transfer }),
            _ => {
                origin.take_reply(number);
                reply.is_done.set(true);
            }
        }
        outcome.map(|_| reply)
    }

    /// Sends a get.
    pub(crate) fn get_zero_copy(
        &self,
        window: &Window,
        into: UserBuffer,
        target: &Target,
    ) -> Result<Rc<Reply>> {
        let peer = target.rank;
        let (number, reply) = window.origin.borrow_mut().await_reply(peer, UserBuffer::EMPTY, None);
        // Before it can come.
        let transfer = self.receive_data(window, into, peer, number);
        window.origin.borrow_mut().zero_copies.push(ZeroCopy { peer, number, transfer });
        let header = target.header(Op::Replace, number, Data::Apart);
        let outcome = self.send_operation(window, Kind::Get, peer, &header, &[]);
        if outcome.is_err() {
            let mut origin = window.origin.borrow_mut();
            origin.take_reply(number);
            self.cancel_zero_copy(&mut origin, number);
        }
        outcome.map(|()| reply)
    }

    /// A target: begins to move the data of an operation from or to this memory, if it is there.
    pub(crate) fn move_apart(
        &self,
        window: &Window,
        peer: Rank,
        kind: Kind,
        number: u64,
        memory: Result<UserBuffer>,
    ) -> Result<()> {
        let (memory, outcome) = match memory {
            Ok(memory) => (memory, Ok(())),
            Err(error) => (UserBuffer::EMPTY, Err(error)),
        };
        let transfer = match kind {
            // What there is no memory for must be received, too, and is dropped.
            Kind::Put => Some(self.receive_data(window, memory, peer, number)),
            // Its origin hears why nothing comes.
            Kind::Get if outcome.is_err() => None,
            Kind::Get => self.send_data(window, memory, peer, number)?,
            _ => return Err(nonsense()),
        };
        let transfer = transfer.map(|transfer| ZeroCopy { peer, number, transfer });
        window.target.borrow_mut().zero_copies.extend(transfer);
        outcome
    }

    /// Sends data; `None` if it has left, or is kept.
    fn send_data(
        &self,
        window: &Window,
        from: UserBuffer,
        to: Rank,
        number: u64,
    ) -> Result<Option<RequestId>> {
        let (context, comm) = (window.comm.context | ONE_SIDED_DATA, &window.comm);
        let id = self.isend_in(context, comm, from, None, to, tag(number), Mode::Standard)?;
        let is_done = self.messages.borrow_mut().transfers.requests.take_if_done(id).is_some();
        Ok((!is_done).then_some(id))
    }

    fn receive_data(
        &self,
        window: &Window,
        into: UserBuffer,
        from: Rank,
        number: u64,
    ) -> RequestId {
        let context = window.comm.context | ONE_SIDED_DATA;
        let pattern = Pattern { context, source: Some(from), tag: Some(tag(number)) };
        let op_info = OpInfo { comm: window.comm.clone(), peer: Some(from), tag: None };
        self.messages.borrow_mut().receive(&pattern, into, op_info)
    }

    /// No data will come for an operation, if it is one of these.
    pub(crate) fn cancel_zero_copy(&self, origin: &mut Origin, number: u64) {
        let Some(at) = origin.zero_copies.iter().position(|z| z.number == number) else { return };
        let transfer = origin.zero_copies.swap_remove(at).transfer;
        let mut messages = self.messages.borrow_mut();
        messages.cancel(transfer, None);
        messages.transfers.requests.take_if_done(transfer);
    }

    /// Progress: notes what has moved.
    pub(crate) fn end_zero_copies(&self, window: &Window) {
        let origin = &mut *window.origin.borrow_mut();
        for (number, error) in self.take_moved(&mut origin.zero_copies) {
            if let Some(reply) = origin.take_reply(number.number) {
                origin.failure = origin.failure.take().or(error.clone());
                reply.error.replace(error);
                reply.is_done.set(true);
            }
        }
        let moved = self.take_moved(&mut window.target.borrow_mut().zero_copies);
        for (moved, error) in moved {
            note_failure(window, moved.peer, error.map_or(Ok(()), Err));
            let mut target = window.target.borrow_mut();
            if target.zero_copies.iter().all(|z| z.peer != moved.peer) {
                target.released.push_back(moved.peer);
            }
        }
    }

    /// Takes those out of a list whose data has moved, with what went wrong.
    fn take_moved(&self, transfers: &mut Vec<ZeroCopy>) -> Vec<(ZeroCopy, Option<Error>)> {
        if transfers.is_empty() {
            return Vec::new();
        }
        let (mut messages, mut moved) = (self.messages.borrow_mut(), Vec::new());
        transfers.retain(|z| {
            let status = messages.transfers.requests.take_if_done(z.transfer);
            let is_under_way = status.is_none();
            moved.extend(status.map(|status| (*z, status.error.map(|error| *error))));
            is_under_way
        });
        moved
    }

    /// Waits until no data leaves this process's memory any more, or comes there. Its origin may
    /// have all of it, and not have said so.
    pub(crate) fn wait_for_zero_copies(&self, window: &Window) {
        let is_idle = |window: &Window| window.target.borrow().zero_copies.is_empty();
        if !is_idle(window) {
            self.wait_on_window(window, None, is_idle);
        }
    }
}

/// The tag of the data of an operation.
fn tag(number: u64) -> Tag {
    (number & Tag::MAX as u64) as Tag
}
