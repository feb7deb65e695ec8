//! Reduction operators (MPI 5.0, section 6.9): predefined ones and the program's.

use std::ffi::{c_int, c_void};

use dunlin_base::{Error, ErrorClass};
use dunlin_engine::{Op, UserFunction};

use crate::call::on_process;
use crate::collective::typed;
use crate::collective_fast_path;
use crate::convert::{get, made_or_full, put, type_handle};
use crate::standard::constants::*;
use crate::standard::handles::{number, op_id, predefined_op, wrong};
use crate::standard::types::*;

/// Calls the program's function with pointers to a length and a datatype.
fn call_int(function: MPI_User_function) -> UserFunction {
    Box::new(move |input, inout, count, type_id| {
        let mut datatype = type_handle(type_id).unwrap_or(MPI_DATATYPE_NULL);
        // The length in one call is an int.
        let mut len = count as c_int;
        // SAFETY: the program passed this function to combine such elements.
        unsafe {
            function(
                input.cast_mut().cast::<c_void>(),
                inout.cast::<c_void>(),
                &raw mut len,
                &raw mut datatype,
            );
        }
    })
}

fn call_large(function: MPI_User_function_c) -> UserFunction {
    Box::new(move |input, inout, count, type_id| {
        let mut datatype = type_handle(type_id).unwrap_or(MPI_DATATYPE_NULL);
        let mut len = count as MPI_Count;
        // SAFETY: the program passed this function to combine such elements.
        unsafe {
            function(
                input.cast_mut().cast::<c_void>(),
                inout.cast::<c_void>(),
                &raw mut len,
                &raw mut datatype,
            );
        }
    })
}

/// Creates an operator from a function of the program; C may pass null.
///
/// # Safety
/// `op` is null or points to an operator.
pub unsafe fn create(
    call: &'static str,
    function: Option<UserFunction>,
    commute: c_int,
    op: *mut MPI_Op,
) -> c_int {
    on_process(call, |engine| {
        let function = function.ok_or_else(|| {
            Error::new(ErrorClass::Arg, "user_fn is a null pointer; pass the operator's function")
        })?;
        let id = engine.add_op(Op::User { commutative: commute != 0, function });
        // SAFETY: promised by the caller.
        unsafe { put(op, made_or_full(id)?, "op") }
    })
}

entry! {
    fn MPI_Op_create(
        user_fn: Option<MPI_User_function>,
        commute: c_int,
        op: *mut MPI_Op,
    ) -> c_int {
        // SAFETY: the program passes null or the address of an operator.
        unsafe { create(FUNCTION, user_fn.map(call_int), commute, op) }
    }

    fn MPI_Op_create_c(
        user_fn: Option<MPI_User_function_c>,
        commute: c_int,
        op: *mut MPI_Op,
    ) -> c_int {
        // SAFETY: the program passes null or the address of an operator.
        unsafe { create(FUNCTION, user_fn.map(call_large), commute, op) }
    }

    fn MPI_Op_free(op: *mut MPI_Op) -> c_int {
        on_process(FUNCTION, |engine| {
            // SAFETY: the program passes null or the address of an operator.
            unsafe {
                let handle = get(op, "op")?;
                if predefined_op(handle).is_some() {
                    let text = "a predefined operator cannot be freed";
                    return Err(Error::new(ErrorClass::Op, text));
                }
                engine.remove_op(number(handle)?).ok_or_else(|| wrong(handle))?;
                put(op, MPI_OP_NULL, "op")
            }
        })
    }

    fn MPI_Op_commutative(op: MPI_Op, commute: *mut c_int) -> c_int {
        on_process(FUNCTION, |engine| {
            let found = engine.op(op_id(op)?)?;
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(commute, found.is_commutative().into(), "commute") }
        })
    }
}

entry_c_at_once! {
    fn MPI_Reduce_local / MPI_Reduce_local_c(
        inbuf: *const c_void,
        inoutbuf: *mut c_void,
        count: N,
        datatype: MPI_Datatype,
        op: MPI_Op,
    ) at_once {
        // SAFETY: the program's promises on its buffers.
        unsafe { collective_fast_path::reduce_local((inbuf, inoutbuf), count.into(), datatype, op) }
    } {
        let input = (inbuf, count.into(), datatype);
        let inout = (inoutbuf.cast_const(), count.into(), datatype);
        on_process(FUNCTION, |engine| {
            let (input, inout) = (typed(engine, input)?, typed(engine, inout)?);
            if inout.count == 0 {
                return Ok(());
            }
            // SAFETY: the program's promises on its buffers.
            unsafe { engine.reduce_local(input, inout, op_id(op)?) }
        })
    }
}
