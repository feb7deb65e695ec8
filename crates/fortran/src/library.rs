//! What `libmpi_abi.so` has for this library beside MPI's functions.

use std::ffi::{c_int, c_void};

use crate::convert::{MPI_Count, MPI_Request};

/// What a request does with its staging buffers.
#[repr(C)]
pub struct StagingFunctions {
    pub fill: unsafe extern "C" fn(*mut c_void),
    pub drain: unsafe extern "C" fn(*mut c_void),
    pub free: unsafe extern "C" fn(*mut c_void),
}

/// Lengths of a communicator's arrays; 0 where it has none.
#[repr(C)]
pub struct ArrayLengths {
    /// Processes that its collectives have data for.
    pub peers: c_int,
    /// Neighbors that this process receives from.
    pub sources: c_int,
    /// Neighbors that it sends to.
    pub destinations: c_int,
}

/// A text that is always there.
#[repr(C)]
pub struct Text {
    begin: *const u8,
    length: usize,
}

impl Text {
    pub fn new(text: &'static str) -> Text {
        Text { begin: text.as_ptr(), length: text.len() }
    }
}

unsafe extern "C" {
    /// Gives a request staging buffers, which belong to it from then on.
    pub fn dunlin_stage_request(
        request: *mut MPI_Request,
        functions: StagingFunctions,
        state: *mut c_void,
    ) -> c_int;

    /// The bytes of a datatype's element; 0 if it has gaps or none, or if a message cannot have it.
    pub fn dunlin_dense_size(datatype: usize) -> MPI_Count;

    /// How long arrays of a communicator's calls are.
    pub fn dunlin_array_lengths(comm: usize) -> ArrayLengths;

    /// An error of a buffer, before the function is called: to the error handler of a communicator,
    /// or of the process if it is null.
    pub fn dunlin_refuse_buffer(function: Text, comm: *const usize, why: Text) -> c_int;
}
