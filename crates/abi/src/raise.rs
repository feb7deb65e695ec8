//! What happens when a call fails: the error handler of the object it was called on decides
//! (MPI 5.0, section 9.3).

use std::ffi::c_int;

use dunlin_base::{Error, ErrorClass};
use dunlin_engine::{Errhandler, SELF, enter_anytime};

use crate::constants::{MPI_COMM_SELF, MPI_T_ERR_NOT_SUPPORTED};
use crate::convert;
use crate::errhandler;
use crate::error_codes;
use crate::types::{MPI_Comm, MPI_File, MPI_Session, MPI_Win};

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
    /// Nothing in particular: the handler of `MPI_COMM_SELF`.
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
    let code = error_codes::code(error.class);
    match owner {
        Owner::Tools => return MPI_T_ERR_NOT_SUPPORTED,
        Owner::File(_) => return code,
        Owner::Comm(_) | Owner::Win(_) | Owner::Session(_) | Owner::None => {}
    }
    let (handler, place) = responsible(owner);
    match handler {
        Errhandler::Return => code,
        Errhandler::User(number) => errhandler::call_for_comm(number, place.comm, code),
        Errhandler::Fatal | Errhandler::Abort => end(function, &place, code, error),
    }
}

/// Where an error happened, as far as it is known.
struct Place {
    comm: MPI_Comm,
    name: Option<String>,
}

/// The handler for an owner's errors. Windows and sessions do not exist yet, so a handle of one is
/// invalid, and the communicator of the process itself hears of it; so for an invalid communicator.
fn responsible(owner: Owner) -> (Errhandler, Place) {
    let name = match owner {
        Owner::Win(win) => Some(format!("window {:#x}", win.0)),
        Owner::File(file) => Some(format!("file {:#x}", file.0)),
        Owner::Session(session) => Some(format!("session {:#x}", session.0)),
        Owner::Comm(_) | Owner::Tools | Owner::None => None,
    };
    let nowhere = Place { comm: MPI_COMM_SELF, name };
    let Some(engine) = enter_anytime() else { return (Errhandler::Fatal, nowhere) };
    if let Owner::Comm(handle) = owner {
        if let Ok(comm) = convert::comm(&engine, handle) {
            let name = Some(comm.shown_name());
            return (comm.errhandler.get(), Place { comm: handle, name });
        }
    }
    let handler = engine.comm(SELF).map_or(Errhandler::Fatal, |c| c.errhandler.get());
    (handler, nowhere)
}

/// Says what was wrong and ends the job.
fn end(function: &str, place: &Place, code: c_int, error: &Error) -> ! {
    let class = error_codes::text(code).unwrap_or("an error code of the program's");
    let on = place.name.as_ref().map_or(String::new(), |n| format!(" on {n}"));
    let Some(engine) = enter_anytime() else {
        eprintln!("dunlin: {function}{on}: {error}\ndunlin: {class}");
        std::process::exit(1);
    };
    let rank = engine.world_rank();
    eprintln!("dunlin: rank {rank}: {function}{on}: {error}\ndunlin: rank {rank}: {class}");
    engine.abort(code)
}
