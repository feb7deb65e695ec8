//! Completing requests: what `MPI_Wait`, `MPI_Test` and their families are made of; MPI 5.0 section
//! 3.7.3. The front end composes them: wait until all or any are complete, then finish each.

use dunlin_base::Result;

use crate::engine::Engine;
use crate::messages::Messages;
use crate::persistent::{Active, Persistent, Spec};
use crate::request::{Kind, RequestId};
use crate::status::Status;

/// The outcome of finishing a request.
#[derive(Debug)]
pub struct Finished {
    /// What it tells.
    pub status: Status,
    /// Whether the request is gone; a persistent one stays, inactive.
    pub gone: bool,
}

impl Messages {
    fn is_complete(&self, id: RequestId) -> bool {
        let Ok(request) = self.requests.get(id) else { return true };
        match &request.kind {
            Kind::Persistent(p) => match p.active {
                Some(Active::Transfer(inner)) => self.requests.is_done(inner),
                Some(Active::Complete) | None => true,
            },
            Kind::All(ids) => ids.iter().all(|&id| self.requests.is_done(id)),
            _ => request.done,
        }
    }

    fn is_active(&self, id: RequestId) -> bool {
        match self.requests.get(id).map(|r| &r.kind) {
            Ok(Kind::Persistent(p)) => p.active.is_some(),
            Ok(_) => true,
            Err(_) => false,
        }
    }
}

impl Engine {
    /// Whether the request has completed, or is an inactive persistent one.
    #[inline]
    pub fn is_complete(&self, id: RequestId) -> bool {
        self.messages.borrow().is_complete(id)
    }

    /// Whether the request is in progress or completed but not finished: inactive persistent
    /// requests are not.
    pub fn is_active(&self, id: RequestId) -> bool {
        self.messages.borrow().is_active(id)
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
                while next < ids.len() && messages.is_complete(ids[next]) {
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
                ids.iter().any(|&id| messages.is_complete(id))
            },
            || self.first_pending(&self.transfers(ids)),
        );
    }

    /// The requests that do the work of these.
    fn transfers(&self, ids: &[RequestId]) -> Vec<RequestId> {
        let messages = self.messages.borrow();
        let working = |&id: &RequestId| match messages.requests.get(id).map(|r| &r.kind) {
            Ok(Kind::Persistent(p)) => match p.active {
                Some(Active::Transfer(inner)) => inner,
                _ => id,
            },
            _ => id,
        };
        ids.iter().map(working).collect()
    }

    /// Takes the outcome of a complete request; `None` if it is still in progress.
    pub fn finish(&self, id: RequestId) -> Result<Option<Finished>> {
        let mut messages = self.messages.borrow_mut();
        let requests = &mut messages.requests;
        if let Kind::All(ids) = &requests.get(id)?.kind {
            let done = ids.iter().all(|&id| requests.is_done(id));
            requests.get_mut(id)?.done = done;
        }
        let Kind::Persistent(p) = &mut requests.get_mut(id)?.kind else {
            let status = requests.take_if_done(id);
            return Ok(status.map(|status| Finished { status, gone: true }));
        };
        let status = match p.active {
            None => Status::EMPTY,
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
        let messages = self.messages.borrow();
        let request = messages.requests.get(id)?;
        Ok(match &request.kind {
            Kind::Persistent(p) => match p.active {
                None => Some(Status::EMPTY),
                Some(Active::Complete) => Some(status_of_nothing(p)),
                Some(Active::Transfer(inner)) => {
                    let inner = messages.requests.get(inner)?;
                    inner.done.then(|| inner.status.clone())
                }
            },
            _ => request.done.then(|| request.status.clone()),
        })
    }

    /// Gives a request up; what it began still completes. MPI 5.0 section 3.7.3.
    pub fn request_free(&self, id: RequestId) -> Result<()> {
        let mut messages = self.messages.borrow_mut();
        let requests = &mut messages.requests;
        if let Kind::Persistent(p) = &requests.get(id)?.kind {
            if let Some(Active::Transfer(inner)) = p.active {
                requests.detach(inner)?;
            }
            requests.get_mut(id)?.done = true;
        }
        requests.detach(id)
    }

    /// Marks a receive that no message has met as cancelled; anything else completes as it would.
    pub fn cancel(&self, id: RequestId) -> Result<()> {
        let mut messages = self.messages.borrow_mut();
        let target = match &messages.requests.get(id)?.kind {
            Kind::Persistent(p) => match p.active {
                Some(Active::Transfer(inner)) => inner,
                _ => return Ok(()),
            },
            _ => id,
        };
        messages.cancel(target);
        Ok(())
    }
}

fn status_of_nothing(p: &Persistent) -> Status {
    match p.spec {
        Spec::Nothing { receive: true } => Status::PROC_NULL,
        _ => Status::EMPTY,
    }
}
