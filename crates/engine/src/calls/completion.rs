//! Completing requests: what `MPI_Wait`, `MPI_Test` and their families are made of; MPI 5.0 section
//! 3.7.3. The front end composes them: wait until all or any are complete, then finish each.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::engine::Engine;
use crate::objects::comm::{Comm, CommId, SELF, WORLD};
use crate::objects::errhandler::Errhandler;
use crate::objects::status::Status;
use crate::p2p::grequest::Generalised;
use crate::p2p::persistent::{Active, Persistent, Spec};
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
    /// used for anything but [`quick`](crate::calls::fast_path) calls.
    #[inline]
    pub fn make_whole(&self, id: RequestId) {
        let comm = |comm| self.comm(comm).or_else(|_| self.comm(WORLD));
        self.messages
            .borrow_mut()
            .transfers
            .requests
            .make_whole(id, |id| comm(id).expect("the world exists"));
    }

    /// Whether the request has completed, or is an inactive persistent one.
    #[inline]
    pub fn is_complete(&self, id: RequestId) -> bool {
        self.messages.borrow().transfers.requests.is_complete(id)
    }

    /// Whether the request is in progress or completed but not finished: inactive persistent
    /// requests are not.
    pub fn is_active(&self, id: RequestId) -> bool {
        self.messages.borrow().transfers.requests.is_active(id)
    }

    /// A request that is complete from the start: its peer was `MPI_PROC_NULL`.
    pub fn complete_request(&self, comm: &Rc<Comm>, status: Status) -> RequestId {
        let op_info = OpInfo { comm: comm.clone(), peer: None, tag: None };
        let mut messages = self.messages.borrow_mut();
        let id = messages.transfers.requests.insert(Kind::Flush(Vec::new()), op_info);
        messages.transfers.requests.own(id).done = true;
        messages.transfers.requests.own(id).status = status;
        id
    }

    /// One request for a send and a receive, which keeps what is sent.
    pub fn both(
        &self,
        comm: &Rc<Comm>,
        parts: [RequestId; 2],
        keep: Option<Box<[u8]>>,
    ) -> RequestId {
        let op_info = OpInfo { comm: comm.clone(), peer: None, tag: None };
        let keep = keep.map(Rc::new);
        self.messages.borrow_mut().transfers.requests.insert(Kind::Both { parts, keep }, op_info)
    }

    /// The communicator a request belongs to, and its error handler. `None` in place of its number
    /// if it has been freed: by now another may have that.
    pub fn comm_of_request(&self, id: RequestId) -> Option<(Option<CommId>, Errhandler)> {
        let messages = self.messages.borrow();
        let comm = &messages.transfers.requests.get(id).ok()?.op_info.comm;
        let number = comm.id.get();
        let lives = self.comm(number).is_ok_and(|found| Rc::ptr_eq(&found, comm));
        Some((lives.then_some(number), comm.errhandler.get()))
    }

    /// Gives everything in progress a push.
    #[inline]
    pub fn poll(&self) {
        self.progress();
    }

    /// Waits until all of these have completed.
    pub fn wait_all(&self, ids: &[RequestId]) {
        let mut next = 0;
        self.wait_until(
            || {
                let messages = self.messages.borrow();
                while next < ids.len() && messages.transfers.requests.is_complete(ids[next]) {
                    next += 1;
                }
                next == ids.len()
            },
            || self.first_pending(&self.transfers(ids)),
        );
    }

    /// Waits until one of these, all of them active, has completed.
    pub fn wait_any(&self, ids: &[RequestId]) {
        self.wait_until(
            || {
                let messages = self.messages.borrow();
                ids.iter().any(|&id| messages.transfers.requests.is_complete(id))
            },
            || self.first_pending(&self.transfers(ids)),
        );
    }

    /// The requests that do the work of these.
    fn transfers(&self, ids: &[RequestId]) -> Vec<RequestId> {
        let messages = self.messages.borrow();
        let working = |&id: &RequestId| match messages.transfers.requests.get(id).map(|r| &r.kind) {
            Ok(Kind::Persistent(p)) => match p.active {
                Some(Active::Transfer(inner)) => inner,
                _ => id,
            },
            _ => id,
        };
        ids.iter().map(working).collect()
    }

    /// Does what remains to be done, outside of the message layer, once a request is complete: or
    /// returns the program's functions that do it.
    fn settle(&self, id: RequestId) -> Result<Option<Rc<Generalised>>> {
        match &self.messages.borrow().transfers.requests.get(id)?.kind {
            Kind::Generalised(functions) => return Ok(Some(functions.clone())),
            Kind::Duplicate(_) => {}
            _ => return Ok(None),
        }
        self.settle_duplicate(id)?;
        Ok(None)
    }

    /// Takes the outcome of a complete request; `None` if it is still in progress.
    pub fn finish(&self, id: RequestId) -> Result<Option<Finished>> {
        if let Some(functions) = self.settle(id)? {
            return self.finish_generalised(id, &functions);
        }
        let mut messages = self.messages.borrow_mut();
        let requests = &mut messages.transfers.requests;
        requests.gather(id)?;
        let Kind::Persistent(p) = &mut requests.get_mut(id)?.kind else {
            let status = requests.take_if_done(id);
            return Ok(status.map(|status| Finished { status, gone: true }));
        };
        let status = match p.active {
            None => Status::EMPTY,
            Some(Active::Filling) => return Ok(None),
            Some(Active::Complete) => {
                p.active = None;
                status_of_nothing(p)
            }
            Some(Active::Transfer(inner)) => match requests.take_if_done(inner) {
                None => return Ok(None),
                Some(status) => {
                    if let Kind::Persistent(p) = &mut requests.get_mut(id)?.kind {
                        p.active = None;
                    }
                    status
                }
            },
        };
        Ok(Some(Finished { status, gone: false }))
    }

    /// The outcome of a complete request, which stays; `None` if it is in progress. MPI 5.0
    /// section 3.7.6.
    pub fn peek_status(&self, id: RequestId) -> Result<Option<Status>> {
        self.progress();
        if let Some(functions) = self.settle(id)? {
            return Ok(self.peek_generalised(id, &functions));
        }
        let mut messages = self.messages.borrow_mut();
        messages.transfers.requests.gather(id)?;
        let request = messages.transfers.requests.get(id)?;
        Ok(match &request.kind {
            Kind::Persistent(p) => match p.active {
                None => Some(Status::EMPTY),
                Some(Active::Filling) => None,
                Some(Active::Complete) => Some(status_of_nothing(p)),
                Some(Active::Transfer(inner)) => {
                    let inner = messages.transfers.requests.get(inner)?;
                    inner.done.then(|| inner.status.clone())
                }
            },
            _ => request.done.then(|| request.status.clone()),
        })
    }

    /// Gives a request up; what it began still completes. MPI 5.0 section 3.7.3.
    pub fn request_free(&self, id: RequestId) -> Result<()> {
        if let Some(functions) = self.generalised(id)? {
            return self.free_generalised(id, &functions);
        }
        let mut messages = self.messages.borrow_mut();
        let request = messages.transfers.requests.get(id)?;
        if !request.done {
            refuse_collective(&request.kind, "MPI_Request_free")?;
        }
        if let Kind::Persistent(p) = &request.kind {
            if let Some(Active::Transfer(inner)) = p.active {
                messages.detach(inner)?;
            }
            messages.transfers.requests.get_mut(id)?.done = true;
        }
        messages.detach(id)
    }

    /// Takes back a receive or a send that has met nothing; anything else completes as it would.
    pub fn cancel(&self, id: RequestId) -> Result<()> {
        if let Some(functions) = self.generalised(id)? {
            let done = self.is_complete(id);
            return (functions.cancel)(done);
        }
        let mut messages = self.messages.borrow_mut();
        let target = match &messages.transfers.requests.get(id)?.kind {
            Kind::Persistent(p) => match p.active {
                Some(Active::Transfer(inner)) => inner,
                _ => return Ok(()),
            },
            _ => id,
        };
        let mut route = None;
        if let Ok(request) = messages.transfers.requests.get(target) {
            refuse_collective(&request.kind, "MPI_Cancel")?;
            let OpInfo { comm, peer, .. } = &request.op_info;
            route = peer.and_then(|peer| comm.peer(peer)).map(|world| self.route(world));
        }
        messages.cancel(target, route);
        Ok(())
    }
}

/// Refuses what collectives do not allow; MPI 5.0 section 6.12.
fn refuse_collective(kind: &Kind, call: &str) -> Result<()> {
    if !matches!(kind, Kind::Collective) {
        return Ok(());
    }
    let text = format!("{call} of a collective in progress; complete it with MPI_Wait or MPI_Test");
    Err(Error::new(ErrorClass::Request, text))
}

fn status_of_nothing(p: &Persistent) -> Status {
    match p.spec {
        Spec::Nothing { receive: true } => Status::PROC_NULL,
        _ => Status::EMPTY,
    }
}

impl Engine {
    /// Begins an operation of the program.
    pub fn grequest_start(&self, functions: Generalised) -> Result<RequestId> {
        let op_info = OpInfo { comm: self.comm(SELF)?, peer: None, tag: None };
        let kind = Kind::Generalised(Rc::new(functions));
        Ok(self.messages.borrow_mut().transfers.requests.insert(kind, op_info))
    }

    /// The program's operation is complete.
    pub fn grequest_complete(&self, id: RequestId) -> Result<()> {
        let functions = {
            let mut messages = self.messages.borrow_mut();
            let Kind::Generalised(functions) = &messages.transfers.requests.get(id)?.kind else {
                return Err(not_generalised());
            };
            let functions = functions.clone();
            let given_up = messages.transfers.requests.get(id)?.detached;
            messages.transfers.requests.complete(id, Status::EMPTY);
            if !given_up {
                return Ok(());
            }
            functions
        };
        (functions.free)()
    }

    /// Finishes a generalized request, if it is complete.
    pub(crate) fn finish_generalised(
        &self,
        id: RequestId,
        functions: &Generalised,
    ) -> Result<Option<Finished>> {
        if self.messages.borrow_mut().transfers.requests.take_if_done(id).is_none() {
            return Ok(None);
        }
        let mut status = functions.queried();
        let freed = (functions.free)();
        status.error = status.error.or(freed.err().map(Box::new));
        Ok(Some(Finished { status, gone: true }))
    }

    /// What a generalized request tells, if it is complete.
    pub(crate) fn peek_generalised(
        &self,
        id: RequestId,
        functions: &Generalised,
    ) -> Option<Status> {
        let done = self.messages.borrow().transfers.requests.is_done(id);
        done.then(|| functions.queried())
    }

    /// Gives a generalized request up: now, or when it completes.
    pub(crate) fn free_generalised(&self, id: RequestId, functions: &Generalised) -> Result<()> {
        let done = self.messages.borrow().transfers.requests.is_done(id);
        self.messages.borrow_mut().transfers.requests.detach(id)?;
        if done { (functions.free)() } else { Ok(()) }
    }

    /// The functions of a request, if it is a generalized one.
    pub(crate) fn generalised(&self, id: RequestId) -> Result<Option<Rc<Generalised>>> {
        match &self.messages.borrow().transfers.requests.get(id)?.kind {
            Kind::Generalised(functions) => Ok(Some(functions.clone())),
            _ => Ok(None),
        }
    }
}

fn not_generalised() -> Error {
    let text = "the request was not made by MPI_Grequest_start; MPI completes it itself";
    Error::new(ErrorClass::Request, text)
}
