//! Generalized requests (MPI 5.0, section 13.2).

use std::ffi::{c_int, c_void};

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_engine::{GeneralisedFunctions, Source, Status};

use crate::call::{call_back, on_process};
use crate::convert::{self, error, give_request};
use crate::standard::constants::*;
use crate::standard::types::*;

/// The error of a code that a function of the program returned; the program gets the same code
/// back.
fn outcome(code: c_int) -> Result<()> {
    if code == MPI_SUCCESS {
        return Ok(());
    }
    let text = format!("a function of a generalized request returned {code}");
    Err(Error::new(ErrorClass::User(code), text))
}

/// Converts a status that the program filled.
fn read(status: &MPI_Status) -> Status {
    let source = match status.MPI_SOURCE {
        MPI_ANY_SOURCE => Source::Any,
        MPI_PROC_NULL => Source::Null,
        // Any value of the program; it is converted back to the same number.
        other => Source::Rank(other as u32),
    };
    Status {
        source,
        tag: Some(status.MPI_TAG).filter(|tag| *tag != MPI_ANY_TAG),
        bytes: status.bytes(),
        cancelled: status.is_cancelled(),
        error: None,
    }
}

fn no_function(name: &str) -> Error {
    error(ErrorClass::Arg, format!("{name} is a null pointer; pass a function"))
}

/// The functions of a request, with the argument that the program passes to them.
fn functions(
    query: MPI_Grequest_query_function,
    free: MPI_Grequest_free_function,
    cancel: MPI_Grequest_cancel_function,
    extra_state: *mut c_void,
) -> GeneralisedFunctions {
    GeneralisedFunctions {
        query: Box::new(move |status| {
            let mut filled = MPI_Status::EMPTY;
            // SAFETY: the program passed this function for this purpose; the status is a local
            // variable.
            let code = call_back(|| unsafe { query(extra_state, &raw mut filled) });
            *status = read(&filled);
            outcome(code)
        }),
        // SAFETY: as above.
        free: Box::new(move || outcome(call_back(|| unsafe { free(extra_state) }))),
        cancel: Box::new(move |complete| {
            // SAFETY: as above.
            outcome(call_back(|| unsafe { cancel(extra_state, complete.into()) }))
        }),
    }
}

entry! {
    fn MPI_Grequest_start(
        query_fn: Option<MPI_Grequest_query_function>,
        free_fn: Option<MPI_Grequest_free_function>,
        cancel_fn: Option<MPI_Grequest_cancel_function>,
        extra_state: *mut c_void,
        request: *mut MPI_Request,
    ) -> c_int {
        on_process(FUNCTION, |engine| {
            let query = query_fn.ok_or_else(|| no_function("query_fn"))?;
            let free = free_fn.ok_or_else(|| no_function("free_fn"))?;
            let cancel = cancel_fn.ok_or_else(|| no_function("cancel_fn"))?;
            let functions = functions(query, free, cancel, extra_state);
            // SAFETY: the program passes null or the address of a request.
            unsafe { give_request(engine, request, || engine.grequest_start(functions)) }
        })
    }

    fn MPI_Grequest_complete(request: MPI_Request) -> c_int {
        on_process(FUNCTION, |engine| engine.grequest_complete(convert::request(engine, request)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::put_status;

    #[test]
    fn what_the_program_puts_in_a_status_comes_back_as_it_was() {
        for (source, tag, bytes) in [(-7, -9, 0), (3, 4, 1 << 40), (MPI_PROC_NULL, MPI_ANY_TAG, 1)]
        {
            let mut given = MPI_Status::EMPTY;
            (given.MPI_SOURCE, given.MPI_TAG) = (source, tag);
            given.set_bytes(bytes);
            given.set_cancelled(source == 3);
            let mut seen = MPI_Status::EMPTY;
            // SAFETY: the status is a local variable.
            unsafe { put_status(&raw mut seen, &read(&given)) };
            assert_eq!(seen, given);
        }
    }
}
