//! Raising errors: calls the error handler of the object on which the failed call was made (MPI
//! 5.0, section 9.3).

use std::cell::RefCell;
use std::ffi::c_int;

use dunlin_base::{Error, ErrorClass};
use dunlin_engine::{Errhandler, end_forked, enter_anytime, is_forked};

use crate::standard::constants::{MPI_COMM_SELF, MPI_COMM_WORLD, MPI_T_ERR_NOT_SUPPORTED};
use crate::standard::error_codes;
use crate::standard::handles::{Handle, number};
use crate::standard::types::{MPI_Comm, MPI_File, MPI_Session, MPI_Win};
use crate::{convert, user_handlers};

/// The object whose error handler is called.
#[derive(Clone, Copy, Debug)]
pub enum Owner {
    /// A communicator.
    Comm(MPI_Comm),
    /// A window.
    Win(MPI_Win),
    /// A file; the default handler of files returns the code.
    File(MPI_File),
    /// A session.
    Session(MPI_Session),
    /// A communicator that has been freed; its requests keep its handler.
    Handler(Errhandler),
    /// The tool interface, which calls no handler.
    Tools,
    /// No object; see `by_comm`.
    None,
}

thread_local! {
    /// The text of this thread's last error, for `MPI_Error_string`.
    static LAST: RefCell<Option<(c_int, String)>> = const { RefCell::new(None) };
}

/// The text of this thread's last error, if it had this code.
pub fn last_text(code: c_int) -> Option<String> {
    LAST.with_borrow(|last| last.as_ref().filter(|l| l.0 == code).map(|l| l.1.clone()))
}

/// The program called a function that is not implemented.
#[cold]
pub fn unsupported(function: &'static str, owner: Owner) -> c_int {
    let text = format!("{function} is not implemented in this version of Dunlin");
    raise(function, owner, &Error::new(ErrorClass::UnsupportedOperation, text))
}

/// A pointer argument that must not be null is null.
#[cold]
pub fn null_argument(function: &'static str, owner: Owner, name: &str, needs: &str) -> c_int {
    let text = format!("{name} is a null pointer; it must be the address of {needs}");
    raise(function, owner, &Error::new(ErrorClass::Arg, text))
}

/// Calls the responsible handler with an error, and returns the code for the program.
#[cold]
pub fn raise(function: &str, owner: Owner, error: &Error) -> c_int {
    let code = error_codes::code(error.class);
    let call = described(function, owner);
    LAST.set(Some((code, format!("{call}: {error}"))));
    match owner {
        Owner::Tools => MPI_T_ERR_NOT_SUPPORTED,
        Owner::File(_) => code,
        Owner::Comm(_) | Owner::None => by_comm(owner, &call, error),
        Owner::Win(win) => by_window(win, &call, error),
        Owner::Handler(handler) => by_handler(handler, MPI_COMM_SELF, &call, error),
        Owner::Session(session) => by_session(session, &call, error),
    }
}

/// The call, with its object if the object has no name.
fn described(function: &str, owner: Owner) -> String {
    match owner {
        Owner::Win(win) => format!("{function} on window {:#x}", win.bits()),
        Owner::File(file) => format!("{function} on file {:#x}", file.bits()),
        Owner::Session(session) => format!("{function} on session {:#x}", session.bits()),
        Owner::Comm(_) | Owner::Handler(_) | Owner::Tools | Owner::None => function.to_string(),
    }
}

/// Calls the handler of a communicator, or that of the process if there is no such communicator.
fn by_comm(owner: Owner, function: &str, error: &Error) -> c_int {
    let handler = |comm| {
        let engine = enter_anytime().filter(|e| e.is_running() || is_forked())?;
        convert::comm(&engine, comm).ok().map(|c| c.errhandler.get())
    };
    // MPI 5.0, section 9.3, assigns errors without a communicator to `MPI_COMM_SELF`. Before MPI
    // 4.0 it was `MPI_COMM_WORLD`, and programs that set a handler only there rely on it.
    let process_wide = || match handler(MPI_COMM_SELF) {
        None | Some(Errhandler::Fatal) => {
            (MPI_COMM_WORLD, handler(MPI_COMM_WORLD).unwrap_or(Errhandler::Fatal))
        }
        Some(found) => (MPI_COMM_SELF, found),
    };
    let named = match owner {
        Owner::Comm(comm) => handler(comm).map(|found| (comm, found)),
        _ => None,
    };
    let (comm, handler) = named.unwrap_or_else(process_wide);
    by_handler(handler, comm, function, error)
}

/// Calls a given handler: the failed call was to create the object that would have it.
#[cold]
pub fn raise_to(handler: Errhandler, function: &str, error: &Error) -> c_int {
    LAST.set(Some((error_codes::code(error.class), format!("{function}: {error}"))));
    by_handler(handler, MPI_COMM_SELF, function, error)
}

/// Calls the handler of a session, or that of the process if there is no such session.
fn by_session(session: MPI_Session, function: &str, error: &Error) -> c_int {
    let found = enter_anytime()
        .filter(|e| e.is_running() || is_forked())
        .and_then(|engine| Some(engine.session(number(session).ok()?).ok()?.errhandler.get()));
    match found {
        None => by_comm(Owner::None, function, error),
        Some(Errhandler::User(n)) => user_handlers::call_on_session(n, session, error),
        Some(handler) => by_handler(handler, MPI_COMM_SELF, function, error),
    }
}

/// Calls the handler of a window, or that of the process if there is no such window.
fn by_window(win: MPI_Win, function: &str, error: &Error) -> c_int {
    let found = enter_anytime()
        .filter(|e| e.is_running())
        .and_then(|engine| Some(convert::window(&engine, win).ok()?.errhandler.get()));
    match found {
        None => by_comm(Owner::None, function, error),
        Some(Errhandler::User(n)) => user_handlers::call_on_window(n, win, error),
        Some(handler) => by_handler(handler, MPI_COMM_SELF, function, error),
    }
}

fn by_handler(handler: Errhandler, comm: MPI_Comm, function: &str, error: &Error) -> c_int {
    match handler {
        Errhandler::Return => error_codes::code(error.class),
        Errhandler::User(number) => user_handlers::call_on_comm(number, comm, error),
        Errhandler::Fatal | Errhandler::Abort => fatal(function, error),
    }
}

/// Prints the error and ends the job.
pub fn fatal(function: &str, error: &Error) -> ! {
    let code = error_codes::code(error.class);
    let class = error_codes::text(code).and_then(|t| t.split(':').next()).unwrap_or("user's error");
    match enter_anytime().filter(|e| e.is_running()) {
        Some(engine) => {
            dunlin_engine::say(&format!(
                "rank {}: {function}: {error} ({class})",
                engine.world_rank()
            ));
            engine.abort(code)
        }
        None => {
            dunlin_engine::say(&format!("{function}: {error} ({class})"));
            if is_forked() {
                end_forked(code);
            }
            dunlin_engine::give_up(code);
            std::process::exit(code)
        }
    }
}
