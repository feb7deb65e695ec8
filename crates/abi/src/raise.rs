//! What happens when a call fails: the error handler of the object it was called on decides
//! (MPI 5.0, section 9.3).

use crate::constants::MPI_T_ERR_NOT_SUPPORTED;
use crate::error_codes;
use crate::types::{MPI_Comm, MPI_File, MPI_Session, MPI_Win};
use dunlin_base::{Error, ErrorClass};
use std::ffi::c_int;

/// The object whose error handler hears of an error.
#[derive(Clone, Copy, Debug)]
pub enum Owner {
    /// A communicator.
    Comm(MPI_Comm),
    /// A window.
    Win(MPI_Win),
    /// A file; the default of files is to return the code.
    File(MPI_File),
    /// A session.
    Session(MPI_Session),
    /// The tool interface, which calls no handler.
    Tools,
    /// Nothing in particular: the initial error handler.
    None,
}

/// A function that does not exist yet was called.
#[cold]
pub fn unsupported(function: &'static str, owner: Owner) -> c_int {
    let text = format!("{function} is not implemented in this version of Dunlin");
    raise(function, owner, &Error::new(ErrorClass::UnsupportedOperation, text))
}

/// A pointer argument that must point somewhere is null.
#[cold]
pub fn null_argument(function: &'static str, owner: Owner, name: &str, needs: &str) -> c_int {
    let text = format!("{name} is a null pointer; it must be the address of {needs}");
    raise(function, owner, &Error::new(ErrorClass::Arg, text))
}

/// Hands an error to the handler that is responsible, and returns the code for the caller.
#[cold]
pub fn raise(function: &str, owner: Owner, error: &Error) -> c_int {
    match owner {
        Owner::Tools => MPI_T_ERR_NOT_SUPPORTED,
        Owner::File(_) => error_codes::code(error.class),
        Owner::Comm(_) | Owner::Win(_) | Owner::Session(_) | Owner::None => fatal(function, error),
    }
}

fn fatal(function: &str, error: &Error) -> ! {
    let code = error_codes::code(error.class);
    eprintln!("{function}: {error} ({})", error_codes::text(code).unwrap_or("error of the user's"));
    std::process::exit(code)
}
