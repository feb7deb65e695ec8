//! Error handlers: what happens when a call fails. The engine only stores the choice. The front end
//! calls a user's handler, because the handler takes handles and codes.

/// An error handler; MPI 5.0, section 9.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errhandler {
    /// `MPI_ERRORS_ARE_FATAL`: the whole job ends.
    Fatal,
    /// `MPI_ERRORS_ABORT`: the processes of the communicator end; in this library the whole job
    /// ends.
    Abort,
    /// `MPI_ERRORS_RETURN`: the call returns the code.
    Return,
    /// A user's handler, by its number in the front end.
    User(u32),
}
