//! The frame of an entry point: enters the engine, runs the body, and passes an error to the
//! responsible error handler.

use std::ffi::c_int;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

use dunlin_base::Result;
use dunlin_engine::{
    Comm, Engine, Session, SessionId, Window, enter, enter_for_messages, enter_vci,
};

use crate::convert;
use crate::raise::{Owner, raise};
use crate::standard::constants::MPI_SUCCESS;
use crate::standard::handles::{claimed_comm, number, wrong};
use crate::standard::types::{MPI_Comm, MPI_Session, MPI_Win};

/// Functions of the program in progress that may call MPI and were called within a call.
static CALLBACKS: AtomicU32 = AtomicU32::new(0);

/// Calls a function of the program within a call of MPI.
pub fn call_back<T>(function: impl FnOnce() -> T) -> T {
    // Relaxed: what matters is what this thread itself has stored.
    CALLBACKS.fetch_add(1, Ordering::Relaxed);
    let result = function();
    CALLBACKS.fetch_sub(1, Ordering::Relaxed);
    result
}

/// Whether a call of MPI is in progress that has called the program back.
pub fn is_called_back() -> bool {
    CALLBACKS.load(Ordering::Relaxed) > 0
}

/// Converts an outcome to an error code; errors go to the error handler of `owner`.
#[inline]
pub fn finish(function: &'static str, owner: Owner, outcome: Result<()>) -> c_int {
    match outcome {
        Ok(()) => MPI_SUCCESS,
        Err(error) => raise(function, owner, &error),
    }
}

/// A call on a communicator.
#[inline]
pub fn on_comm(
    function: &'static str,
    comm: MPI_Comm,
    body: impl FnOnce(&Engine, &Rc<Comm>) -> Result<()>,
) -> c_int {
    let outcome = enter(function).and_then(|engine| {
        let comm = convert::comm(&engine, comm)?;
        body(&engine, &comm)
    });
    finish(function, Owner::Comm(comm), outcome)
}

/// A call that sends or receives messages on a communicator, in its VCI.
#[inline]
pub fn on_comm_of_messages(
    function: &'static str,
    comm: MPI_Comm,
    body: impl FnOnce(&Engine, &Rc<Comm>) -> Result<()>,
) -> c_int {
    let outcome = claimed_comm(comm).map_or_else(
        || enter(function).and_then(|_| Err(wrong(comm))),
        |id| enter_for_messages(function, id),
    );
    let outcome = outcome.and_then(|engine| {
        let comm = convert::comm(&engine, comm)?;
        body(&engine, &comm)
    });
    finish(function, Owner::Comm(comm), outcome)
}

/// A call on a window.
pub fn on_win(
    function: &'static str,
    win: MPI_Win,
    body: impl FnOnce(&Engine, &Rc<Window>) -> Result<()>,
) -> c_int {
    let outcome = enter(function).and_then(|engine| {
        let window = convert::window(&engine, win)?;
        body(&engine, &window)
    });
    finish(function, Owner::Win(win), outcome)
}

/// A call without a communicator.
#[inline]
pub fn on_process(function: &'static str, body: impl FnOnce(&Engine) -> Result<()>) -> c_int {
    let outcome = enter(function).and_then(|engine| body(&engine));
    finish(function, Owner::None, outcome)
}

/// A call without a communicator in a VCI.
pub fn on_vci(
    function: &'static str,
    vci: usize,
    body: impl FnOnce(&Engine) -> Result<()>,
) -> c_int {
    let outcome = enter_vci(function, vci).and_then(|engine| body(&engine));
    finish(function, Owner::None, outcome)
}

/// A call on a session.
pub fn on_session(
    function: &'static str,
    session: MPI_Session,
    body: impl FnOnce(&Engine, &Rc<Session>) -> Result<()>,
) -> c_int {
    on_session_id(function, session, |engine, id| body(engine, &engine.session(id)?))
}

/// [`on_session`] for a body that needs the session's number.
pub fn on_session_id(
    function: &'static str,
    session: MPI_Session,
    body: impl FnOnce(&Engine, SessionId) -> Result<()>,
) -> c_int {
    let outcome = number(session).and_then(|id| {
        let engine = enter(function)?;
        engine.session(id).map_err(|_| wrong(session))?;
        body(&engine, id)
    });
    finish(function, Owner::Session(session), outcome)
}
