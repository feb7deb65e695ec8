//! Error handlers (MPI 5.0, section 9.3): making them, attaching them to communicators, calling
//! them. A handler that was freed stays in its table, because communicators may still have it; a
//! program makes few.

use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_engine::Errhandler;

use crate::call::{finish, on_comm};
use crate::constants::*;
use crate::convert::{error, get, made_or_full, put};
use crate::error_codes;
use crate::handles::{number, wrong};
use crate::raise::{Owner, raise};
use crate::types::*;

/// A user's handler, for one kind of object.
#[derive(Clone, Copy, Debug)]
enum Function {
    Comm(MPI_Comm_errhandler_function),
    Win(#[expect(dead_code, reason = "no window calls it yet")] MPI_Win_errhandler_function),
    File(#[expect(dead_code, reason = "no file calls it yet")] MPI_File_errhandler_function),
    Session(
        #[expect(dead_code, reason = "no session calls it yet")] MPI_Session_errhandler_function,
    ),
}

static FUNCTIONS: Mutex<Vec<Function>> = Mutex::new(Vec::new());

fn function(number: u32) -> Option<Function> {
    let functions = FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    functions.get(number as usize).copied()
}

/// # Safety
/// `to` is null or points to a handle.
unsafe fn make(name: &'static str, function: Option<Function>, to: *mut MPI_Errhandler) -> c_int {
    let made = function.ok_or_else(|| {
        error(ErrorClass::Arg, "the function is a null pointer; pass an error handler function")
    });
    let outcome = made.and_then(|function| {
        let mut functions = FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner);
        functions.push(function);
        let handle = made_or_full(functions.len() as u32 - 1)?;
        // SAFETY: promised by the caller.
        unsafe { put(to, handle, "errhandler") }
    });
    finish(name, Owner::None, outcome)
}

/// What the engine remembers of a handle.
fn remembered(handle: MPI_Errhandler) -> Result<Errhandler> {
    Ok(match handle {
        MPI_ERRORS_ARE_FATAL => Errhandler::Fatal,
        MPI_ERRORS_ABORT => Errhandler::Abort,
        MPI_ERRORS_RETURN => Errhandler::Return,
        _ => {
            let number = number(handle)?;
            function(number).ok_or_else(|| wrong(handle))?;
            Errhandler::User(number)
        }
    })
}

fn handle_of(handler: Errhandler) -> Result<MPI_Errhandler> {
    match handler {
        Errhandler::Fatal => Ok(MPI_ERRORS_ARE_FATAL),
        Errhandler::Abort => Ok(MPI_ERRORS_ABORT),
        Errhandler::Return => Ok(MPI_ERRORS_RETURN),
        Errhandler::User(number) => made_or_full(number),
    }
}

/// For communicators: a handler made for windows, files or sessions is refused.
fn for_comm(handle: MPI_Errhandler) -> Result<Errhandler> {
    let handler = remembered(handle)?;
    if let Errhandler::User(number) = handler {
        if !matches!(function(number), Some(Function::Comm(_))) {
            let text = "the error handler was not made by MPI_Comm_create_errhandler";
            return Err(error(ErrorClass::Errhandler, text));
        }
    }
    Ok(handler)
}

/// Calls a user's handler for an error on `comm`. It may change the code that the call returns.
pub fn call_for_comm(number: u32, mut comm: MPI_Comm, mut code: c_int) -> c_int {
    if let Some(Function::Comm(handler)) = function(number) {
        // SAFETY: the program gave the function for this purpose; both arguments live for the call.
        unsafe { handler(&raw mut comm, &raw mut code) };
    }
    code
}

entry! {
    fn MPI_Comm_create_errhandler(comm_errhandler_fn: Option<MPI_Comm_errhandler_function>, errhandler: *mut MPI_Errhandler) -> c_int {
        // SAFETY: the program passes null or the address of a handle.
        unsafe { make(FUNCTION, comm_errhandler_fn.map(Function::Comm), errhandler) }
    }

    fn MPI_Win_create_errhandler(win_errhandler_fn: Option<MPI_Win_errhandler_function>, errhandler: *mut MPI_Errhandler) -> c_int {
        // SAFETY: as above.
        unsafe { make(FUNCTION, win_errhandler_fn.map(Function::Win), errhandler) }
    }

    fn MPI_File_create_errhandler(file_errhandler_fn: Option<MPI_File_errhandler_function>, errhandler: *mut MPI_Errhandler) -> c_int {
        // SAFETY: as above.
        unsafe { make(FUNCTION, file_errhandler_fn.map(Function::File), errhandler) }
    }

    fn MPI_Session_create_errhandler(session_errhandler_fn: Option<MPI_Session_errhandler_function>, errhandler: *mut MPI_Errhandler) -> c_int {
        // SAFETY: as above.
        unsafe { make(FUNCTION, session_errhandler_fn.map(Function::Session), errhandler) }
    }

    fn MPI_Errhandler_free(errhandler: *mut MPI_Errhandler) -> c_int {
        // SAFETY: the program passes null or the address of a handle.
        let outcome = unsafe { get(errhandler, "errhandler") }.and_then(|handle| {
            remembered(handle)?;
            // SAFETY: as above.
            unsafe { put(errhandler, MPI_ERRHANDLER_NULL, "errhandler") }
        });
        finish(FUNCTION, Owner::None, outcome)
    }

    fn MPI_Comm_set_errhandler(comm: MPI_Comm, errhandler: MPI_Errhandler) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            comm.errhandler.set(for_comm(errhandler)?);
            Ok(())
        })
    }

    fn MPI_Comm_get_errhandler(comm: MPI_Comm, errhandler: *mut MPI_Errhandler) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            let handle = handle_of(comm.errhandler.get())?;
            // SAFETY: the program passes null or the address of a handle.
            unsafe { put(errhandler, handle, "errhandler") }
        })
    }

    fn MPI_Comm_call_errhandler(comm: MPI_Comm, errorcode: c_int) -> c_int {
        let checked = on_comm(FUNCTION, comm, |_, _| Ok(()));
        if checked != MPI_SUCCESS {
            return checked;
        }
        let text = format!("the program calls the error handler with code {errorcode}");
        raise(FUNCTION, Owner::Comm(comm), &Error::new(error_codes::class(errorcode), text));
        // The call itself succeeds, whatever the handler makes of the code.
        MPI_SUCCESS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predefined_handlers_survive_the_way_there_and_back() {
        for handle in [MPI_ERRORS_ARE_FATAL, MPI_ERRORS_ABORT, MPI_ERRORS_RETURN] {
            assert_eq!(remembered(handle).and_then(handle_of), Ok(handle));
        }
        let refused = remembered(MPI_ERRHANDLER_NULL).unwrap_err();
        assert_eq!(refused.class, ErrorClass::Errhandler);
    }
}
