//! The frame of an entry point: enter the engine, run the body, and hand an error to the error
//! handler that is responsible.

use std::ffi::c_int;
use std::rc::Rc;

use dunlin_base::Result;
use dunlin_engine::{Comm, Engine, enter};

use crate::constants::MPI_SUCCESS;
use crate::convert;
use crate::raise::{Owner, raise};
use crate::types::MPI_Comm;

/// Turns an outcome into a code; errors go to the handler of `owner`.
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

/// A call that belongs to no communicator.
#[inline]
pub fn on_process(function: &'static str, body: impl FnOnce(&Engine) -> Result<()>) -> c_int {
    let outcome = enter(function).and_then(|engine| body(&engine));
    finish(function, Owner::None, outcome)
}
