//! The functions that read and write the fields of a status (MPI 5.0, sections 3.2.5, 3.8.4 and
//! 13.3).

use std::ffi::c_int;

use crate::raise::{Owner, null_argument};
use crate::standard::constants::MPI_SUCCESS;
use crate::standard::types::MPI_Status;

/// Returns `read(status)` to the program.
///
/// # Safety
/// `status` is null or points to a status, `out` is null or points to an `int`.
unsafe fn get(
    function: &'static str,
    status: *const MPI_Status,
    out: *mut c_int,
    read: impl FnOnce(&MPI_Status) -> c_int,
) -> c_int {
    // SAFETY: promised by the caller.
    match unsafe { (status.as_ref(), out.as_mut()) } {
        (None, _) => null_argument(function, Owner::None, "status", "an MPI_Status"),
        (_, None) => null_argument(function, Owner::None, "the result's pointer", "an int"),
        (Some(status), Some(out)) => {
            *out = read(status);
            MPI_SUCCESS
        }
    }
}

/// Changes a status of the program.
///
/// # Safety
/// `status` is null or points to a status.
unsafe fn set(
    function: &'static str,
    status: *mut MPI_Status,
    write: impl FnOnce(&mut MPI_Status),
) -> c_int {
    // SAFETY: promised by the caller.
    match unsafe { status.as_mut() } {
        None => null_argument(function, Owner::None, "status", "an MPI_Status"),
        Some(status) => {
            write(status);
            MPI_SUCCESS
        }
    }
}

entry! {
    fn MPI_Status_get_source(status: *const MPI_Status, source: *mut c_int) -> c_int {
        // SAFETY: the program's promises on its arguments are those that `get` requires.
        unsafe { get("MPI_Status_get_source", status, source, |s| s.MPI_SOURCE) }
    }

    fn MPI_Status_get_tag(status: *const MPI_Status, tag: *mut c_int) -> c_int {
        // SAFETY: as above.
        unsafe { get("MPI_Status_get_tag", status, tag, |s| s.MPI_TAG) }
    }

    fn MPI_Status_get_error(status: *const MPI_Status, error: *mut c_int) -> c_int {
        // SAFETY: as above.
        unsafe { get("MPI_Status_get_error", status, error, |s| s.MPI_ERROR) }
    }

    fn MPI_Test_cancelled(status: *const MPI_Status, flag: *mut c_int) -> c_int {
        // SAFETY: as above.
        unsafe { get("MPI_Test_cancelled", status, flag, |s| s.is_cancelled().into()) }
    }

    fn MPI_Status_set_source(status: *mut MPI_Status, source: c_int) -> c_int {
        // SAFETY: the program's promises on its arguments are those that `set` requires.
        unsafe { set("MPI_Status_set_source", status, |s| s.MPI_SOURCE = source) }
    }

    fn MPI_Status_set_tag(status: *mut MPI_Status, tag: c_int) -> c_int {
        // SAFETY: as above.
        unsafe { set("MPI_Status_set_tag", status, |s| s.MPI_TAG = tag) }
    }

    fn MPI_Status_set_error(status: *mut MPI_Status, error: c_int) -> c_int {
        // SAFETY: as above.
        unsafe { set("MPI_Status_set_error", status, |s| s.MPI_ERROR = error) }
    }

    fn MPI_Status_set_cancelled(status: *mut MPI_Status, flag: c_int) -> c_int {
        // SAFETY: as above.
        unsafe { set("MPI_Status_set_cancelled", status, |s| s.set_cancelled(flag != 0)) }
    }
}
