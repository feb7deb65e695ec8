//! The functions that the program has made error handlers of (MPI 5.0, section 9.3).

use std::ffi::c_int;

use dunlin_base::Error;
use parking_lot::Mutex;

use crate::standard::error_codes;
use crate::standard::types::*;

/// A handler of the program, by what it handles.
#[derive(Clone, Copy)]
pub enum UserHandler {
    /// Of communicators.
    Comm(MPI_Comm_errhandler_function),
    /// Of sessions.
    Session(MPI_Session_errhandler_function),
    /// Of windows or files: none of them exists yet that could call it.
    Other,
}

/// The program's handlers. They are never taken out: an object may use one that its handle was
/// freed of, and a function pointer is all there is to keep.
static HANDLERS: Mutex<Vec<UserHandler>> = Mutex::new(Vec::new());

/// Keeps a handler; its number.
pub fn add(handler: UserHandler) -> u32 {
    let mut handlers = HANDLERS.lock();
    handlers.push(handler);
    handlers.len() as u32 - 1
}

/// The handler with this number.
pub fn get(handler: u32) -> Option<UserHandler> {
    HANDLERS.lock().get(handler as usize).copied()
}

/// Calls a handler of the program about an error on a communicator.
pub fn call_on_comm(handler: u32, comm: MPI_Comm, error: &Error) -> c_int {
    let (mut comm, mut code) = (comm, error_codes::code(error.class));
    if let Some(UserHandler::Comm(function)) = get(handler) {
        // SAFETY: the program gave this function for this purpose; both addresses are good.
        unsafe { function(&raw mut comm, &raw mut code) };
    }
    code
}

/// Calls a handler of the program about an error on a session.
pub fn call_on_session(handler: u32, session: MPI_Session, error: &Error) -> c_int {
    let (mut session, mut code) = (session, error_codes::code(error.class));
    if let Some(UserHandler::Session(function)) = get(handler) {
        // SAFETY: the program gave this function for this purpose; both addresses are good.
        unsafe { function(&raw mut session, &raw mut code) };
    }
    code
}
