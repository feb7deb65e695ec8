//! Generalized requests: operations of the program that are completed, and waited for, like MPI's
//! own; MPI 5.0 section 13.2. The program's functions are called while nothing is borrowed, for
//! they may call MPI.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};

use crate::engine::Engine;
use crate::engine::operation::Operation;
use crate::objects::comm::SELF;
use crate::objects::status::{RequestId, Status};

/// Fills the status of an operation.
pub type QueryFunction = Box<dyn Fn(&mut Status) -> Result<()>>;

/// The functions of a generalized request.
pub struct GeneralisedFunctions {
    /// Fills the status.
    pub query: QueryFunction,
    /// Called when the request is gone.
    pub free: Box<dyn Fn() -> Result<()>>,
    /// Called by `MPI_Cancel`, with whether the operation was complete by then.
    pub cancel: Box<dyn Fn(bool) -> Result<()>>,
}

struct Generalised {
    functions: GeneralisedFunctions,
    complete: Cell<bool>,
    /// The request was freed before the operation was complete.
    freed: Cell<bool>,
}

impl fmt::Debug for Generalised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Generalised")
    }
}

impl Operation for Generalised {
    fn is_complete(&self, _: &Engine) -> bool {
        self.complete.get()
    }

    fn status(&self, _: &Engine) -> Result<Status> {
        let mut status = Status::EMPTY;
        let outcome = (self.functions.query)(&mut status);
        status.error = outcome.err().map(Box::new);
        Ok(status)
    }

    fn finish(&self, engine: &Engine) -> Result<Status> {
        let mut status = self.status(engine)?;
        let freed = (self.functions.free)();
        status.error = status.error.or(freed.err().map(Box::new));
        Ok(status)
    }

    fn cancel(&self, _: &Engine) -> Result<()> {
        (self.functions.cancel)(self.complete.get())
    }

    fn free(&self, engine: &Engine, id: RequestId) -> Result<()> {
        if self.complete.get() {
            engine.remove_operation(id);
            return (self.functions.free)();
        }
        self.freed.set(true);
        Ok(())
    }
}

impl Engine {
    /// Begins an operation of the program.
    pub fn grequest_start(&self, functions: GeneralisedFunctions) -> Result<RequestId> {
        let (complete, freed) = (Cell::new(false), Cell::new(false));
        let generalised = Generalised { functions, complete, freed };
        Ok(self.add_operation(&self.comm(SELF)?, Rc::new(generalised)))
    }

    /// The program's operation is complete.
    pub fn grequest_complete(&self, id: RequestId) -> Result<()> {
        let found = self.operation_of_kind::<Generalised>(id)?;
        let generalised = found.ok_or_else(not_generalised)?;
        generalised.complete.set(true);
        if generalised.freed.get() { generalised.free(self, id) } else { Ok(()) }
    }
}

fn not_generalised() -> Error {
    let text = "the request was not made by MPI_Grequest_start; MPI completes it itself";
    Error::new(ErrorClass::Request, text)
}
