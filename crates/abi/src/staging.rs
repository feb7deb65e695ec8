//! What the Fortran interface needs beside MPI's functions: requests with staging buffers, whether
//! a datatype has gaps, lengths of arrays, and errors of its own.

use std::ffi::{c_int, c_void};
use std::mem::ManuallyDrop;

use dunlin_base::{Error, ErrorClass};
use dunlin_engine::{Staging, enter};

use crate::call::{on_comm, on_process, on_vci};
use crate::convert::{self, give_request};
use crate::datatype::type_object;
use crate::standard::types::{MPI_Comm, MPI_Count, MPI_Datatype, MPI_Request};

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
    // Without a request that owns them the buffers stay for ever: the operation may use them.
    let mut buffers = ManuallyDrop::new(Buffers { functions, state });
    // SAFETY: promised by the caller.
    let handle = unsafe { request.read() };
    on_vci("MPI_Request_staged", convert::vci_of_request(handle), |engine| {
        let inner = convert::request(engine, handle)?;
        // SAFETY: they are taken once.
        let mut take = || unsafe { ManuallyDrop::take(&mut buffers) };
        // SAFETY: promised by the caller.
        unsafe { give_request(engine, request, || engine.stage(inner, || Box::new(take()))) }
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

/// Lengths of a communicator's arrays.
#[repr(C)]
#[derive(Default)]
pub struct ArrayLengths {
    /// Processes that its collectives have data for.
    pub peers: c_int,
    /// Neighbors that this process receives from.
    pub sources: c_int,
    /// Neighbors that it sends to.
    pub destinations: c_int,
}

/// How long arrays of a communicator's calls are; 0 where it has none. No error handler hears of
/// what is wrong: the call that the arrays are for says it.
#[unsafe(no_mangle)]
pub extern "C" fn dunlin_array_lengths(comm: MPI_Comm) -> ArrayLengths {
    let found = enter("MPI_Comm_size").and_then(|engine| convert::comm(&engine, comm));
    found.map_or(ArrayLengths::default(), |comm| {
        let (sources, destinations) = comm.degrees().unwrap_or((0, 0));
        ArrayLengths {
            peers: comm.peer_count() as c_int,
            sources: sources as c_int,
            destinations: destinations as c_int,
        }
    })
}

/// An error of a buffer, before the function is called: to the error handler of `comm`, or of the
/// process if there is none.
///
/// # Safety
/// Both texts are static.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dunlin_refuse_buffer(
    function: Text,
    comm: Option<&MPI_Comm>,
    why: Text,
) -> c_int {
    // SAFETY: promised by the caller.
    let (function, why) = unsafe { (function.get(), why.get()) };
    let refused = || Err(Error::new(ErrorClass::Buffer, why.to_string()));
    match comm {
        Some(comm) => on_comm(function, *comm, |_, _| refused()),
        None => on_process(function, |_| refused()),
    }
}

/// A text of another library.
#[repr(C)]
pub struct Text {
    begin: *const u8,
    length: usize,
}

impl Text {
    /// # Safety
    /// It is UTF-8, and static.
    unsafe fn get(self) -> &'static str {
        // SAFETY: promised by the caller.
        unsafe {
            let bytes = std::slice::from_raw_parts(self.begin, self.length);
            std::str::from_utf8_unchecked(bytes)
        }
    }
}
