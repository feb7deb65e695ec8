//! Generalized requests: operations of the program that are completed, and waited for, like MPI's
//! own; MPI 5.0 section 13.2. The program's functions are called while nothing is borrowed, for
//! they may call MPI.

use std::fmt;

use dunlin_base::Result;

use crate::objects::status::Status;

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
    pub(crate) fn queried(&self) -> Status {
        let mut status = Status::EMPTY;
        let outcome = (self.query)(&mut status);
        status.error = outcome.err().map(Box::new);
        status
    }
}
