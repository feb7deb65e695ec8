//! The program's functions that serve as error handlers (MPI 5.0, section 9.3).

use std::ffi::c_int;
use std::sync::Arc;

use dunlin_base::Error;
use parking_lot::Mutex;

use crate::standard::error_codes;
use crate::standard::types::*;

/// Calls a handler with the object of type `H` and the error code, which it may change.
pub type Handler<H> = Arc<dyn Fn(H, &mut c_int) + Send + Sync>;

/// A handler of the program, by the kind of object.
#[derive(Clone)]
pub enum UserHandler {
    /// Of communicators.
    Comm(Handler<MPI_Comm>),
    /// Of sessions.
    Session(Handler<MPI_Session>),
    /// Of windows.
    Win(Handler<MPI_Win>),
    /// Of files; no such object exists yet.
    Other,
}

impl UserHandler {
    /// A handler of communicators.
    pub fn of_comms(function: MPI_Comm_errhandler_function) -> Self {
        UserHandler::Comm(Arc::new(move |mut comm, code| {
            // SAFETY: the program passed this function for this purpose; both addresses are valid.
            unsafe { function(&raw mut comm, code) };
        }))
    }

    /// A handler of windows.
    pub fn of_windows(function: MPI_Win_errhandler_function) -> Self {
        UserHandler::Win(Arc::new(move |mut win, code| {
            // SAFETY: as above.
            unsafe { function(&raw mut win, code) };
        }))
    }

    /// A handler of sessions.
    pub fn of_sessions(function: MPI_Session_errhandler_function) -> Self {
        UserHandler::Session(Arc::new(move |mut session, code| {
            // SAFETY: as above.
            unsafe { function(&raw mut session, code) };
        }))
    }
}

/// The program's handlers. They are never removed: an object may use one whose handle was freed,
/// and a function pointer takes little memory.
static HANDLERS: Mutex<Vec<UserHandler>> = Mutex::new(Vec::new());

/// Stores a handler and returns its number.
pub fn add(handler: UserHandler) -> u32 {
    let mut handlers = HANDLERS.lock();
    handlers.push(handler);
    handlers.len() as u32 - 1
}

/// The handler with this number.
pub fn get(handler: u32) -> Option<UserHandler> {
    HANDLERS.lock().get(handler as usize).cloned()
}

/// Calls a handler of the program for an error on a communicator.
pub fn call_on_comm(handler: u32, comm: MPI_Comm, error: &Error) -> c_int {
    let mut code = error_codes::code(error.class);
    if let Some(UserHandler::Comm(function)) = get(handler) {
        function(comm, &mut code);
    }
    code
}

/// Calls a handler of the program for an error on a session.
pub fn call_on_session(handler: u32, session: MPI_Session, error: &Error) -> c_int {
    let mut code = error_codes::code(error.class);
    if let Some(UserHandler::Session(function)) = get(handler) {
        function(session, &mut code);
    }
    code
}

/// Calls a handler of the program for an error on a window.
pub fn call_on_window(handler: u32, win: MPI_Win, error: &Error) -> c_int {
    let mut code = error_codes::code(error.class);
    if let Some(UserHandler::Win(function)) = get(handler) {
        function(win, &mut code);
    }
    code
}
