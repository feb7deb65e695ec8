//! Completing requests: what `MPI_Wait`, `MPI_Test` and their families are made of; MPI 5.0 section
//! 3.7.3. The front end composes them: wait until all or any are complete, then finish each.

use std::rc::Rc;

use dunlin_base::{Error, Result};

use crate::engine::Engine;
use crate::engine::operation::is_operation;
use crate::objects::comm::{Comm, CommId, WORLD};
use crate::objects::errhandler::Errhandler;
use crate::objects::status::Status;
use crate::p2p::request::{Kind, OpInfo, RequestId};

/// The outcome of finishing a request.
#[derive(Debug)]
pub struct Finished {
    /// What it tells.
    pub status: Status,
    /// Whether the request is gone; a persistent one stays, inactive.
    pub gone: bool,
}

impl Engine {
    /// Makes a request of what has this number, if it is less so far: before a program's handle is
    /// used for anything but [`quick`](crate::calls::request_fast_path) calls.
    #[inline]
    pub fn make_whole(&self, id: RequestId) {
        let comm = |comm| self.comm(comm).or_else(|_| self.comm(WORLD));
        self.messages
            .borrow_mut()
            .transfers
            .requests
            .make_whole(id, |id| comm(id).expect("the world exists"));
    }

    /// Whether the request has completed, or is an inactive persistent one; an unknown one has.
    #[inline]
    pub fn is_complete(&self, id: RequestId) -> bool {
        if is_operation(id) {
            return self.operation(id).map_or(true, |operation| operation.is_complete(self));
        }
        self.messages.borrow().transfers.requests.is_done(id)
    }

    /// Whether the request is in progress or completed but not finished: inactive persistent
    /// requests are not.
    pub fn is_active(&self, id: RequestId) -> bool {
        if is_operation(id) {
            return self.operation(id).is_ok_and(|operation| operation.is_active());
        }
        self.messages.borrow().transfers.requests.get(id).is_ok()
    }

    /// A request that is complete from the start: its peer was `MPI_PROC_NULL`.
    pub fn complete_request(&self, comm: &Rc<Comm>, status: Status) -> RequestId {
        let op_info = OpInfo { comm: comm.clone(), peer: None, tag: None };
        let requests = &mut self.messages.borrow_mut().transfers.requests;
        requests.insert_complete(Kind::Complete, op_info, status)
    }

    /// The communicator a request belongs to, and its error handler. `None` in place of its number
    /// if it has been freed: by now another may have that.
    pub fn comm_of_request(&self, id: RequestId) -> Option<(Option<CommId>, Errhandler)> {
        let comm = self.request_comm(id)?;
        let number = comm.id.get();
        let lives = self.comm(number).is_ok_and(|found| Rc::ptr_eq(&found, &comm));
        Some((lives.then_some(number), comm.errhandler.get()))
    }

    /// The communicator a request belongs to, which may have been freed.
    pub(crate) fn request_comm(&self, id: RequestId) -> Option<Rc<Comm>> {
        if is_operation(id) {
            return self.comm_of_operation(id);
        }
        let messages = self.messages.borrow();
        messages.transfers.requests.get(id).ok().map(|request| request.op_info.comm.clone())
    }

    /// Gives everything in progress a push.
    #[inline]
    pub fn poll(&self) {
        self.progress();
    }

    /// Waits until all of these have completed.
    pub fn wait_all(&self, ids: &[RequestId]) {
        self.wait_all_unless(ids, || false);
    }

    fn wait_all_unless(&self, ids: &[RequestId], mut ends: impl FnMut() -> bool) {
        let mut next = 0;
        self.wait_until(
            || {
                while next < ids.len() && self.is_complete(ids[next]) {
                    next += 1;
                }
                next == ids.len() || ends()
            },
            || self.first_pending(ids),
        );
    }

    /// The same for requests of the program. A receive that fails ends the wait, with its error, if
    /// errors end the job: what the others wait for may never come, often because of the same
    /// mistake, and nobody would hear of it.
    pub fn wait_all_or_fail(&self, ids: &[RequestId]) -> Result<()> {
        let (mut failures, mut failed) = (0, None);
        self.wait_all_unless(ids, || {
            let now = self.messages.borrow().transfers.failures;
            if std::mem::replace(&mut failures, now) != now {
                failed = self.fatal_failure(ids);
            }
            failed.is_some()
        });
        failed.map_or(Ok(()), Err)
    }

    /// The error of one of these requests that has failed, if the errors of all of them end the
    /// job.
    #[cold]
    fn fatal_failure(&self, ids: &[RequestId]) -> Option<Error> {
        let messages = self.messages.borrow();
        let mut found = None;
        for &id in ids {
            let request = messages.transfers.requests.get(id).ok().filter(|_| !is_operation(id))?;
            let handler = request.op_info.comm.errhandler.get();
            if !matches!(handler, Errhandler::Fatal | Errhandler::Abort) {
                return None;
            }
            if request.done && found.is_none() {
                found = request.status.error.as_deref().cloned();
            }
        }
        found
    }

    /// Waits until one of these, all of them active, has completed, or `elsewhere` says that one of
    /// another VCI has.
    pub fn wait_any(&self, ids: &[RequestId], mut elsewhere: impl FnMut() -> bool) {
        self.wait_until(
            || ids.iter().any(|&id| self.is_complete(id)) || elsewhere(),
            || self.first_pending(ids),
        );
    }

    /// What the first unfinished of these requests waits for.
    pub(crate) fn first_pending(&self, ids: &[RequestId]) -> Option<OpInfo> {
        let mut pending = *ids.iter().find(|&&id| !self.is_complete(id))?;
        while is_operation(pending) {
            match self.operation(pending).ok()?.inner() {
                Some(inner) => pending = inner,
                None => {
                    let comm = self.comm_of_operation(pending)?;
                    return Some(OpInfo { comm, peer: None, tag: None });
                }
            }
        }
        let messages = self.messages.borrow();
        messages.transfers.requests.get(pending).ok().map(|r| r.op_info.clone())
    }

    /// Takes the outcome of a complete request; `None` if it is still in progress.
    pub fn finish(&self, id: RequestId) -> Result<Option<Finished>> {
        if is_operation(id) {
            return self.finish_operation(id);
        }
        let requests = &mut self.messages.borrow_mut().transfers.requests;
        requests.get(id)?;
        let status = requests.take_if_done(id);
        Ok(status.map(|status| Finished { status, gone: true }))
    }

    fn finish_operation(&self, id: RequestId) -> Result<Option<Finished>> {
        let operation = self.operation(id)?;
        if !operation.is_complete(self) {
            return Ok(None);
        }
        let gone = !operation.is_persistent();
        if gone {
            self.remove_operation(id);
        }
        // The request may be gone: its handle must go too, so an error is part of the outcome.
        let status = operation.finish(self).unwrap_or_else(|error| Status::of(Err(error)));
        Ok(Some(Finished { status, gone }))
    }

    /// The outcome of a complete request, which stays; `None` if it is in progress. MPI 5.0
    /// section 3.7.6.
    pub fn peek_status(&self, id: RequestId) -> Result<Option<Status>> {
        self.poll_for(|| self.status_of(id), |status| matches!(status, Ok(None)))
    }

    /// The same without a poll.
    pub(crate) fn status_of(&self, id: RequestId) -> Result<Option<Status>> {
        if is_operation(id) {
            let operation = self.operation(id)?;
            let complete = operation.is_complete(self);
            return complete.then(|| operation.status(self)).transpose();
        }
        let messages = self.messages.borrow();
        let request = messages.transfers.requests.get(id)?;
        Ok(request.done.then(|| request.status.clone()))
    }

    /// Gives a request up; what it began still completes. MPI 5.0 section 3.7.3. An error after
    /// which the request is gone all the same is in the status.
    pub fn request_free(&self, id: RequestId) -> Result<Status> {
        if !is_operation(id) {
            self.messages.borrow_mut().detach(id)?;
            return Ok(Status::EMPTY);
        }
        let operation = self.operation(id)?;
        let stays = || self.operation(id).is_ok_and(|found| Rc::ptr_eq(&found, &operation));
        match operation.free(self, id) {
            Err(refused) if stays() => Err(refused),
            outcome => Ok(Status::of(outcome)),
        }
    }

    /// Takes back a receive or a send that has met nothing; anything else completes as it would.
    pub fn cancel(&self, id: RequestId) -> Result<()> {
        if is_operation(id) {
            return self.operation(id)?.cancel(self);
        }
        let mut messages = self.messages.borrow_mut();
        let OpInfo { comm, peer, .. } = &messages.transfers.requests.get(id)?.op_info;
        let route = peer.and_then(|peer| comm.peer(peer)).map(|world| self.route(world));
        messages.cancel(id, route);
        Ok(())
    }
}
