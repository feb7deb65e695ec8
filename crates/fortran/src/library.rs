//! What `libmpi_abi.so` has for this library beside MPI's functions.

use std::ffi::{c_int, c_void};

use crate::convert::MPI_Count;

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
    /// How long arrays of a communicator's calls are.
    pub fn dunlin_array_lengths(comm: usize) -> ArrayLengths;
}

/// How C holds the value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// The address of an int.
    Int,
    /// The address of an `MPI_Aint`.
    Aint,
    /// The value itself, or what Fortran has set.
    Value,
}

/// What array sections need of the C library, with Fortran's numbers for handles.
pub trait Library {
    const SUCCESS: c_int;
    const REQUEST_NULL: c_int;
    /// The bytes of a datatype's element; 0 if it has gaps or none, or if a message cannot have it.
    fn dense_size(datatype: c_int) -> MPI_Count;
    fn contiguous(count: MPI_Count, of: c_int) -> c_int;
    fn hvector(count: MPI_Count, stride: MPI_Count, of: c_int) -> c_int;
    /// One element of the first datatype, and at a place behind it one of the second.
    fn one_after_other(first: c_int, place: MPI_Count, second: c_int) -> c_int;
    fn resized(of: c_int, extent: MPI_Count) -> c_int;
    fn commit(datatype: c_int);
    fn free(datatype: c_int);
    /// Gives a request staging buffers. Returns an error code.
    ///
    /// # Safety
    /// The functions accept the state until the last of them has freed it.
    unsafe fn stage_request(
        request: &mut c_int,
        functions: StagingFunctions,
        state: *mut c_void,
    ) -> c_int;
    /// Tells an error handler of a buffer that is refused. Returns the error code.
    fn refuse(function: Text, comm: Option<c_int>, why: Text) -> c_int;
}
