//! What the Fortran interface needs beside MPI's functions: requests with staging buffers, and
//! whether a datatype has gaps.

use std::ffi::{c_int, c_void};

use dunlin_engine::{Staging, enter};

use crate::call::on_process;
use crate::convert::{self, give_request};
use crate::datatype::type_object;
use crate::standard::types::{MPI_Count, MPI_Datatype, MPI_Request};

/// What a request's staging buffers do; each gets the pointer that was passed with them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StagingFunctions {
    fill: unsafe extern "C" fn(*mut c_void),
    drain: unsafe extern "C" fn(*mut c_void),
    free: unsafe extern "C" fn(*mut c_void),
}

/// The buffers as the Fortran interface knows them.
struct Buffers {
    functions: StagingFunctions,
    state: *mut c_void,
}

impl Staging for Buffers {
    fn fill(&self) {
        // SAFETY: promised to `dunlin_stage_request`.
        unsafe { (self.functions.fill)(self.state) };
    }

    fn drain(&self) {
        // SAFETY: as above.
        unsafe { (self.functions.drain)(self.state) };
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        // SAFETY: promised to `dunlin_stage_request`; nobody has the state after this.
        unsafe { (self.functions.free)(self.state) };
    }
}

/// Gives a request staging buffers: `fill` is called at each start of a persistent one, `drain`
/// each time it has completed, `free` once, when nothing uses them any more.
///
/// # Safety
/// `request` points to a request that was just made, and the functions accept `state`, until
/// `free` is called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dunlin_stage_request(
    request: *mut MPI_Request,
    functions: StagingFunctions,
    state: *mut c_void,
) -> c_int {
    let buffers = Box::new(Buffers { functions, state });
    on_process("MPI_Request staging", |engine| {
        // SAFETY: promised by the caller.
        let inner = convert::request(engine, unsafe { request.read() })?;
        let staged = engine.stage(inner, buffers);
        // SAFETY: promised by the caller.
        staged.map_or(Ok(()), |staged| unsafe { give_request(request, || Ok(staged)) })
    })
}

/// The bytes of a datatype's element; 0 if it has gaps or none, or if a message cannot have it. No
/// error handler hears of that here: the call that the datatype is for says it.
#[unsafe(no_mangle)]
pub extern "C" fn dunlin_dense_size(datatype: MPI_Datatype) -> MPI_Count {
    let found = enter("MPI_Type_size").and_then(|engine| type_object(&engine, datatype));
    let dense = found.ok().and_then(|object| {
        let layout = object.committed().ok()?;
        let is_dense = layout.is_contiguous() && layout.lb() == 0 && layout.true_lb() == 0;
        is_dense.then(|| layout.size() as MPI_Count)
    });
    dense.unwrap_or(0)
}
