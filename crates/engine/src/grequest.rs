//! Generalized requests: operations of the program that are completed, and waited for, like MPI's
//! own; MPI 5.0 section 13.2. The program's functions are called while nothing is borrowed, for
//! they may call MPI.

use std::fmt;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::comm::SELF;
use crate::completion::Finished;
use crate::engine::Engine;
use crate::request::{About, Kind, RequestId};
use crate::status::Status;

/// Says what an operation tells.
pub type QueryFunction = Box<dyn Fn(&mut Status) -> Result<()>>;

/// The functions of a generalized request.
pub struct Generalised {
    /// Says what the operation tells.
    pub query: QueryFunction,
    /// Hears that the request is gone.
    pub free: Box<dyn Fn() -> Result<()>>,
    /// Hears that it was cancelled, and whether it was complete by then.
    pub cancel: Box<dyn Fn(bool) -> Result<()>>,
}

impl fmt::Debug for Generalised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Generalised")
    }
}

impl Generalised {
    fn queried(&self) -> Status {
        let mut status = Status::EMPTY;
        let outcome = (self.query)(&mut status);
        status.error = outcome.err().map(Box::new);
        status
    }
}

impl Engine {
    /// Begins an operation of the program.
    pub fn grequest_start(&self, functions: Generalised) -> Result<RequestId> {
        let about = About { comm: self.comm(SELF)?, peer: None, tag: None };
        let kind = Kind::Generalised(Rc::new(functions));
        Ok(self.messages.borrow_mut().requests.insert(kind, about))
    }

    /// The program's operation is complete.
    pub fn grequest_complete(&self, id: RequestId) -> Result<()> {
        let functions = {
            let mut messages = self.messages.borrow_mut();
            let Kind::Generalised(functions) = &messages.requests.get(id)?.kind else {
                return Err(not_generalised());
            };
            let functions = functions.clone();
            let given_up = messages.requests.get(id)?.detached;
            messages.requests.complete(id, Status::EMPTY);
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
        if self.messages.borrow_mut().requests.take_if_done(id).is_none() {
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
        let done = self.messages.borrow().requests.is_done(id);
        done.then(|| functions.queried())
    }

    /// Gives a generalized request up: now, or when it completes.
    pub(crate) fn free_generalised(&self, id: RequestId, functions: &Generalised) -> Result<()> {
        let done = self.messages.borrow().requests.is_done(id);
        self.messages.borrow_mut().requests.detach(id)?;
        if done { (functions.free)() } else { Ok(()) }
    }

    /// The functions of a request, if it is a generalized one.
    pub(crate) fn generalised(&self, id: RequestId) -> Result<Option<Rc<Generalised>>> {
        match &self.messages.borrow().requests.get(id)?.kind {
            Kind::Generalised(functions) => Ok(Some(functions.clone())),
            _ => Ok(None),
        }
    }
}

fn not_generalised() -> Error {
    let text = "the request was not made by MPI_Grequest_start; MPI completes it itself";
    Error::new(ErrorClass::Request, text)
}
