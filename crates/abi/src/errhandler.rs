//! Error handlers (MPI 5.0, section 9.3): the program's handlers, and which one is called.

use std::ffi::c_int;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_engine::Errhandler;

use crate::call::{finish, on_comm, on_session, on_win};
use crate::convert::{get, made_or_full, put};
use crate::raise::{Owner, raise};
use crate::standard::constants::*;
use crate::standard::error_codes;
use crate::standard::handles::{number, wrong};
use crate::standard::types::*;
use crate::user_handlers::{self, UserHandler};

/// Creates a handler from a function of the program; C may pass null. Works before MPI is
/// initialised, because sessions need handlers then.
///
/// # Safety
/// `errhandler` is null or points to a handle.
pub unsafe fn create(
    function: &'static str,
    handler: Option<UserHandler>,
    errhandler: *mut MPI_Errhandler,
) -> c_int {
    let given = handler.ok_or_else(|| {
        Error::new(ErrorClass::Arg, "the handler's function is a null pointer; pass a function")
    });
    let outcome = given.and_then(|handler| {
        let handle = made_or_full(user_handlers::add(handler))?;
        // SAFETY: promised by the caller.
        unsafe { put(errhandler, handle, "errhandler") }
    });
    finish(function, Owner::None, outcome)
}

/// Converts a handle to the engine's error handler.
fn decode(handle: MPI_Errhandler) -> Result<Errhandler> {
    match handle {
        MPI_ERRORS_ARE_FATAL => Ok(Errhandler::Fatal),
        MPI_ERRORS_ABORT => Ok(Errhandler::Abort),
        MPI_ERRORS_RETURN => Ok(Errhandler::Return),
        _ => {
            let n = number(handle)?;
            let exists = user_handlers::get(n).is_some();
            if exists { Ok(Errhandler::User(n)) } else { Err(wrong(handle)) }
        }
    }
}

/// Converts a handle that the function `maker` made, or that is predefined.
fn decode_made_by(
    handle: MPI_Errhandler,
    maker: &str,
    right: impl FnOnce(&UserHandler) -> bool,
) -> Result<Errhandler> {
    let handler = decode(handle)?;
    if let Errhandler::User(n) = handler {
        if !user_handlers::get(n).as_ref().is_some_and(right) {
            let text = format!("the error handler was not made by {maker}");
            return Err(Error::new(ErrorClass::Errhandler, text));
        }
    }
    Ok(handler)
}

/// Converts a handle that is valid for communicators.
pub fn decode_for_comm(handle: MPI_Errhandler) -> Result<Errhandler> {
    let right = |h: &UserHandler| matches!(h, UserHandler::Comm(_));
    decode_made_by(handle, "MPI_Comm_create_errhandler", right)
}

/// Converts a handle that is valid for sessions.
pub fn decode_for_session(handle: MPI_Errhandler) -> Result<Errhandler> {
    let right = |h: &UserHandler| matches!(h, UserHandler::Session(_));
    decode_made_by(handle, "MPI_Session_create_errhandler", right)
}

/// Converts a handle that is valid for windows.
pub fn decode_for_window(handle: MPI_Errhandler) -> Result<Errhandler> {
    let right = |h: &UserHandler| matches!(h, UserHandler::Win(_));
    decode_made_by(handle, "MPI_Win_create_errhandler", right)
}

/// The handle of an error handler.
fn encode(handler: Errhandler) -> Result<MPI_Errhandler> {
    match handler {
        Errhandler::Fatal => Ok(MPI_ERRORS_ARE_FATAL),
        Errhandler::Abort => Ok(MPI_ERRORS_ABORT),
        Errhandler::Return => Ok(MPI_ERRORS_RETURN),
        Errhandler::User(n) => made_or_full(n),
    }
}

entry! {
    fn MPI_Comm_create_errhandler(
        comm_errhandler_fn: Option<MPI_Comm_errhandler_function>,
        errhandler: *mut MPI_Errhandler,
    ) -> c_int {
        // SAFETY: the program passes null or the address of an error handler.
        unsafe { create(FUNCTION, comm_errhandler_fn.map(UserHandler::of_comms), errhandler) }
    }

    fn MPI_Win_create_errhandler(
        win_errhandler_fn: Option<MPI_Win_errhandler_function>,
        errhandler: *mut MPI_Errhandler,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { create(FUNCTION, win_errhandler_fn.map(UserHandler::of_windows), errhandler) }
    }

    fn MPI_File_create_errhandler(
        file_errhandler_fn: Option<MPI_File_errhandler_function>,
        errhandler: *mut MPI_Errhandler,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { create(FUNCTION, file_errhandler_fn.map(|_| UserHandler::Other), errhandler) }
    }

    fn MPI_Session_create_errhandler(
        session_errhandler_fn: Option<MPI_Session_errhandler_function>,
        errhandler: *mut MPI_Errhandler,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { create(FUNCTION, session_errhandler_fn.map(UserHandler::of_sessions), errhandler) }
    }

    fn MPI_Comm_set_errhandler(comm: MPI_Comm, errhandler: MPI_Errhandler) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            comm.errhandler.set(decode_for_comm(errhandler)?);
            Ok(())
        })
    }

    fn MPI_Comm_get_errhandler(comm: MPI_Comm, errhandler: *mut MPI_Errhandler) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            // SAFETY: the program passes null or the address of an error handler.
            unsafe { put(errhandler, encode(comm.errhandler.get())?, "errhandler") }
        })
    }

    fn MPI_Comm_call_errhandler(comm: MPI_Comm, errorcode: c_int) -> c_int {
        on_comm(FUNCTION, comm, |_, _| {
            let text = format!("the program raised error code {errorcode}");
            raise(FUNCTION, Owner::Comm(comm), &Error::new(error_codes::class(errorcode), text));
            Ok(())
        })
    }

    fn MPI_Win_set_errhandler(win: MPI_Win, errhandler: MPI_Errhandler) -> c_int {
        on_win(FUNCTION, win, |_, window| {
            window.set_errhandler(decode_for_window(errhandler)?);
            Ok(())
        })
    }

    fn MPI_Win_get_errhandler(win: MPI_Win, errhandler: *mut MPI_Errhandler) -> c_int {
        on_win(FUNCTION, win, |_, window| {
            // SAFETY: the program passes null or the address of an error handler.
            unsafe { put(errhandler, encode(window.errhandler.get())?, "errhandler") }
        })
    }

    fn MPI_Win_call_errhandler(win: MPI_Win, errorcode: c_int) -> c_int {
        on_win(FUNCTION, win, |_, _| {
            let text = format!("the program raised error code {errorcode}");
            raise(FUNCTION, Owner::Win(win), &Error::new(error_codes::class(errorcode), text));
            Ok(())
        })
    }

    fn MPI_Session_set_errhandler(session: MPI_Session, errhandler: MPI_Errhandler) -> c_int {
        on_session(FUNCTION, session, |_, session| {
            session.errhandler.set(decode_for_session(errhandler)?);
            Ok(())
        })
    }

    fn MPI_Session_get_errhandler(
        session: MPI_Session,
        errhandler: *mut MPI_Errhandler,
    ) -> c_int {
        on_session(FUNCTION, session, |_, session| {
            // SAFETY: the program passes null or the address of an error handler.
            unsafe { put(errhandler, encode(session.errhandler.get())?, "errhandler") }
        })
    }

    fn MPI_Session_call_errhandler(session: MPI_Session, errorcode: c_int) -> c_int {
        on_session(FUNCTION, session, |_, _| {
            let text = format!("the program raised error code {errorcode}");
            let error = Error::new(error_codes::class(errorcode), text);
            raise(FUNCTION, Owner::Session(session), &error);
            Ok(())
        })
    }

    // Valid before MPI is initialised, for the handlers of sessions.
    fn MPI_Errhandler_free(errhandler: *mut MPI_Errhandler) -> c_int {
        // SAFETY: the program passes null or the address of an error handler.
        let outcome = unsafe { get(errhandler, "errhandler") }.and_then(|handle| {
            // Predefined handles too: an inquiry for the current handler returns a handle to be
            // freed.
            decode(handle)?;
            // SAFETY: as above.
            unsafe { put(errhandler, MPI_ERRHANDLER_NULL, "errhandler") }
        });
        finish(FUNCTION, Owner::None, outcome)
    }
}
