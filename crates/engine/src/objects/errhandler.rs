//! Error handlers: what happens when a call fails. The engine only remembers the choice; calling a
//! user's handler is the front end's work, since it takes handles and codes.

/// MPI 5.0, section 9.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errhandler {
    /// `MPI_ERRORS_ARE_FATAL`: the whole job ends.
    Fatal,
    /// `MPI_ERRORS_ABORT`: the processes of the communicator end; here that ends the job too.
    Abort,
    /// `MPI_ERRORS_RETURN`: the call returns the code.
    Return,
    /// A user's handler, by the front end's number.
    User(u32),
}
