//! Point-to-point communication as the front end calls it; MPI 5.0 chapter 3. A `peer` of `None` is
//! `MPI_PROC_NULL`.

use std::rc::Rc;

use dunlin_base::{Rank, Result, Tag};

use crate::engine::Engine;
use crate::matching::{Envelope, Pattern};
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::status::{Source, Status};
use crate::p2p::messages::{Messages, Unexpected};
use crate::p2p::request::{From, Mode};
use crate::p2p::request::{OpInfo, RequestId, StagedCopy};

/// A message that a matching probe took out of the queue.
#[derive(Debug)]
pub struct Message {
    envelope: Envelope,
    body: Unexpected,
    comm: Rc<Comm>,
    vci: usize,
}

impl Message {
    /// The VCI that has it.
    pub fn vci(&self) -> usize {
        self.vci
    }

    /// The communicator that it came on.
    pub fn comm(&self) -> &Rc<Comm> {
        &self.comm
    }
}

impl Engine {
    /// Blocking send. Small messages leave without a request or an allocation.
    #[inline]
    pub fn send(
        &self,
        comm: &Rc<Comm>,
        buffer: UserBuffer,
        to: Rank,
        tag: Tag,
        mode: Mode,
    ) -> Result<()> {
        if mode == Mode::Standard {
            let route = self.route(comm.process(to)?);
            let envelope = Envelope { context: comm.context, source: comm.rank, tag };
            if let Some(data) = buffer.as_dense() {
                if self.messages.borrow_mut().send_now(route, &envelope, data) {
                    return Ok(());
                }
            }
        }
        let id = self.isend_awaited(comm, buffer, to, tag, mode)?;
        match self.wait(id).error {
            Some(error) => Err(*error),
            None => Ok(()),
        }
    }

    /// Begins to send.
    pub fn isend(
        &self,
        comm: &Rc<Comm>,
        buffer: UserBuffer,
        to: Rank,
        tag: Tag,
        mode: Mode,
    ) -> Result<RequestId> {
        self.begin_message(buffer.bytes(), || self.isend_awaited(comm, buffer, to, tag, mode))
    }

    /// The same for a caller that waits for it next.
    pub fn isend_awaited(
        &self,
        comm: &Rc<Comm>,
        buffer: UserBuffer,
        to: Rank,
        tag: Tag,
        mode: Mode,
    ) -> Result<RequestId> {
        self.isend_in(comm.context, comm, buffer, None, to, tag, mode)
    }

    /// Begins to send in a context of the communicator: the user's or the collectives'.
    #[expect(clippy::too_many_arguments, reason = "the words of a message")]
    pub(crate) fn isend_in(
        &self,
        context: u64,
        comm: &Rc<Comm>,
        buffer: UserBuffer,
        keep: Option<StagedCopy>,
        to: Rank,
        tag: Tag,
        mode: Mode,
    ) -> Result<RequestId> {
        let route = self.route(comm.process(to)?);
        let envelope = Envelope { context, source: comm.rank, tag };
        let op_info = OpInfo { comm: comm.clone(), peer: Some(to), tag: Some(tag) };
        Ok(self.messages.borrow_mut().send(route, envelope, buffer, keep, mode, op_info))
    }

    /// Blocking receive. An error of the transfer is in the status, with what was received.
    #[inline]
    pub fn recv(
        &self,
        comm: &Rc<Comm>,
        buffer: UserBuffer,
        from: From,
        tag: Option<Tag>,
    ) -> Result<Status> {
        Ok(self.wait(self.irecv_awaited(comm, buffer, from, tag)?))
    }

    /// Begins to receive.
    #[inline]
    pub fn irecv(
        &self,
        comm: &Rc<Comm>,
        buffer: UserBuffer,
        from: From,
        tag: Option<Tag>,
    ) -> Result<RequestId> {
        self.begin_message(buffer.bytes(), || {
            self.receive(comm, buffer, from, tag, Messages::receive)
        })
    }

    /// The same for a caller that waits for it next.
    #[inline]
    pub fn irecv_awaited(
        &self,
        comm: &Rc<Comm>,
        buffer: UserBuffer,
        from: From,
        tag: Option<Tag>,
    ) -> Result<RequestId> {
        self.receive(comm, buffer, from, tag, Messages::receive_awaited)
    }

    #[inline(always)]
    fn receive(
        &self,
        comm: &Rc<Comm>,
        buffer: UserBuffer,
        from: From,
        tag: Option<Tag>,
        begin: impl FnOnce(&mut Messages, &Pattern, UserBuffer, OpInfo) -> RequestId,
    ) -> Result<RequestId> {
        let pattern = pattern(comm, from, tag)?;
        let op_info = OpInfo { comm: comm.clone(), peer: pattern.source, tag };
        Ok(begin(&mut self.messages.borrow_mut(), &pattern, buffer, op_info))
    }

    /// Whether a message waits, and which; it stays. MPI 5.0 section 3.8.1.
    pub fn iprobe(&self, comm: &Rc<Comm>, from: From, tag: Option<Tag>) -> Result<Option<Status>> {
        let pattern = pattern(comm, from, tag)?;
        self.progress();
        let found = self.peek_message(&pattern).filter(|_| !self.has_news_first(comm, from));
        if found.is_none() {
            self.found_nothing();
        }
        Ok(found)
    }

    fn peek_message(&self, pattern: &Pattern) -> Option<Status> {
        let mut messages = self.messages.borrow_mut();
        let found = messages.transfers.matching.peek(pattern);
        found.map(|(envelope, body)| probed(envelope, body.bytes()))
    }

    /// Whether a nonblocking barrier of this communicator has ended, of which the program does not
    /// know, while it asks for a message of any rank, which may have been sent after that: then it
    /// is to hear of the barrier first, and this one time of no message. Programs that probe until
    /// such a barrier is over, and do so again with the same tag, count on it. Not under
    /// `MPI_THREAD_MULTIPLE`, where another VCI has the messages, nor of persistent barriers.
    fn has_news_first(&self, comm: &Rc<Comm>, from: From) -> bool {
        from == From::Any && comm.may_have_news.take() && self.operations.have_news(comm)
    }

    /// Waits for a message and tells which; it stays.
    pub fn probe(&self, comm: &Rc<Comm>, from: From, tag: Option<Tag>) -> Result<Status> {
        let pattern = pattern(comm, from, tag)?;
        self.wait_for_message(comm, &pattern);
        Ok(self.peek_message(&pattern).unwrap_or(Status::EMPTY))
    }

    /// Takes a waiting message out of the queue; MPI 5.0 section 3.8.2.
    pub fn improbe(
        &self,
        comm: &Rc<Comm>,
        from: From,
        tag: Option<Tag>,
    ) -> Result<Option<(Message, Status)>> {
        let pattern = pattern(comm, from, tag)?;
        self.progress();
        let is_there = self.peek_message(&pattern).is_some();
        if !is_there || self.has_news_first(comm, from) {
            self.found_nothing();
            return Ok(None);
        }
        let taken = self.messages.borrow_mut().transfers.matching.take(&pattern);
        let Some((envelope, body)) = taken else { return Ok(None) };
        let status = probed(&envelope, body.bytes());
        Ok(Some((Message { envelope, body, comm: comm.clone(), vci: self.vci }, status)))
    }

    /// Waits for a message and takes it out of the queue.
    pub fn mprobe(
        &self,
        comm: &Rc<Comm>,
        from: From,
        tag: Option<Tag>,
    ) -> Result<(Message, Status)> {
        let pattern = pattern(comm, from, tag)?;
        loop {
            self.wait_for_message(comm, &pattern);
            if let Some(found) = self.improbe(comm, from, tag)? {
                return Ok(found);
            }
        }
    }

    /// Begins to receive a message taken by a matching probe.
    pub fn imrecv(&self, message: Message, buffer: UserBuffer) -> RequestId {
        self.begin_message(buffer.bytes(), || self.receive_taken(message, buffer))
    }

    fn receive_taken(&self, message: Message, buffer: UserBuffer) -> RequestId {
        let Message { envelope, body, comm, .. } = message;
        let op_info = OpInfo { comm, peer: Some(envelope.source), tag: Some(envelope.tag) };
        self.messages.borrow_mut().receive_taken(&envelope, body, buffer, op_info)
    }

    /// Receives a message taken by a matching probe; errors as for [`Engine::recv`].
    pub fn mrecv(&self, message: Message, buffer: UserBuffer) -> Status {
        let id = self.receive_taken(message, buffer);
        self.wait(id)
    }

    fn wait_for_message(&self, comm: &Rc<Comm>, pattern: &Pattern) {
        let ready = || self.messages.borrow_mut().transfers.matching.peek(pattern).is_some();
        let op_info = OpInfo { comm: comm.clone(), peer: pattern.source, tag: pattern.tag };
        self.wait_until(ready, || Some(op_info.clone()));
    }

    /// Waits for one request and forgets it; its error, if any, is in the status.
    #[inline]
    pub(crate) fn wait(&self, id: RequestId) -> Status {
        let mut outcome = None;
        self.wait_until(
            || {
                // Waits ask more than once.
                if outcome.is_none() {
                    outcome = self.messages.borrow_mut().transfers.requests.take_if_done(id);
                }
                outcome.is_some()
            },
            || self.first_pending(&[id]),
        );
        outcome.unwrap_or(Status::EMPTY)
    }
}

#[inline]
fn pattern(comm: &Comm, from: From, tag: Option<Tag>) -> Result<Pattern> {
    let source = match from {
        From::Any => None,
        From::Rank(rank) => {
            comm.process(rank)?;
            Some(rank)
        }
    };
    Ok(Pattern { context: comm.context, source, tag })
}

fn probed(envelope: &Envelope, bytes: u64) -> Status {
    Status {
        source: Source::Rank(envelope.source),
        tag: Some(envelope.tag),
        bytes,
        ..Status::EMPTY
    }
}
