//! Arguments that stand for something: variables of a common block of the program, whose addresses
//! the library knows. `mpif.h` declares them in the order of [`Special`].

use std::ffi::{c_int, c_void};
use std::ptr::{null_mut, without_provenance_mut};

use crate::convert::MPI_Status;

/// Where each stands in the block, in bytes.
#[repr(C)]
struct Special {
    bottom: c_int,
    in_place: c_int,
    buffer_automatic: c_int,
    unweighted: c_int,
    weights_empty: c_int,
    errcodes_ignore: c_int,
    status_ignore: MPI_Status,
    statuses_ignore: MPI_Status,
}

/// C's addresses for the same.
const BOTTOM: usize = 0;
const IN_PLACE: usize = 1;
const BUFFER_AUTOMATIC: usize = 2;
const UNWEIGHTED: usize = 10;
const WEIGHTS_EMPTY: usize = 11;

/// The block, for programs that do not have it themselves.
#[unsafe(no_mangle)]
pub static mut mpi_dunlin_: [c_int; size_of::<Special>() / size_of::<c_int>()] =
    [0; size_of::<Special>() / size_of::<c_int>()];

/// Where the block of the process is: the program's own, if it has one, for the linker has put that
/// in the place of all.
#[inline]
fn block() -> usize {
    (&raw const mpi_dunlin_).addr()
}

/// The offset of an address in the block.
#[inline]
fn offset<T>(address: *const T) -> Option<usize> {
    let offset = address.addr().wrapping_sub(block());
    (offset < size_of::<Special>()).then_some(offset)
}

macro_rules! at {
    ($field:ident) => {
        std::mem::offset_of!(Special, $field)
    };
}

/// The address of data.
#[inline]
pub fn buffer(address: *mut c_void) -> *mut c_void {
    let Some(offset) = offset(address) else { return address };
    match offset {
        o if o == at!(bottom) => without_provenance_mut(BOTTOM),
        o if o == at!(in_place) => without_provenance_mut(IN_PLACE),
        o if o == at!(buffer_automatic) => without_provenance_mut(BUFFER_AUTOMATIC),
        _ => address,
    }
}

/// Where a status goes.
#[inline]
pub fn status(address: *mut MPI_Status) -> *mut MPI_Status {
    if offset(address) == Some(at!(status_ignore)) { null_mut() } else { address }
}

/// Where several statuses go.
#[inline]
pub fn statuses(address: *mut MPI_Status) -> *mut MPI_Status {
    if offset(address) == Some(at!(statuses_ignore)) { null_mut() } else { address }
}

/// Weights of edges.
pub fn weights(address: *mut c_int) -> *mut c_int {
    match offset(address) {
        Some(o) if o == at!(unweighted) => without_provenance_mut(UNWEIGHTED),
        Some(o) if o == at!(weights_empty) => without_provenance_mut(WEIGHTS_EMPTY),
        _ => address,
    }
}

/// Where error codes of processes that are started go.
pub fn error_codes(address: *mut c_int) -> *mut c_int {
    if offset(address) == Some(at!(errcodes_ignore)) { null_mut() } else { address }
}
