//! `MPI_Status` as the standard ABI lays it out, and the functions that read and write its fields
//! (MPI 5.0, sections 3.2.5, 3.8.4 and 13.3).

use crate::constants::{MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS};
use crate::raise::{Owner, null_argument};
use std::ffi::c_int;

/// What a completed operation tells. The reserved numbers hold, in order: the low and the high half
/// of the number of bytes received, and whether the operation was cancelled.
#[allow(non_snake_case, reason = "the names are the standard's own")]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MPI_Status {
    /// Rank of the sender.
    pub MPI_SOURCE: c_int,
    /// Tag of the message.
    pub MPI_TAG: c_int,
    /// Error code; set only by functions that complete several operations.
    pub MPI_ERROR: c_int,
    /// Ours.
    pub MPI_internal: [c_int; 5],
}

const BYTES_LOW: usize = 0;
const BYTES_HIGH: usize = 1;
const CANCELLED: usize = 2;

impl MPI_Status {
    /// The empty status of MPI 5.0, section 3.7.3.
    pub const EMPTY: MPI_Status = MPI_Status {
        MPI_SOURCE: MPI_ANY_SOURCE,
        MPI_TAG: MPI_ANY_TAG,
        MPI_ERROR: MPI_SUCCESS,
        MPI_internal: [0; 5],
    };

    /// Number of bytes received.
    pub fn bytes(&self) -> u64 {
        let half = |i: usize| u64::from(self.MPI_internal[i] as u32);
        half(BYTES_HIGH) << 32 | half(BYTES_LOW)
    }

    /// Sets the number of bytes received.
    pub fn set_bytes(&mut self, bytes: u64) {
        self.MPI_internal[BYTES_LOW] = bytes as u32 as c_int;
        self.MPI_internal[BYTES_HIGH] = (bytes >> 32) as u32 as c_int;
    }

    /// Whether the operation was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.MPI_internal[CANCELLED] != 0
    }

    /// Sets whether the operation was cancelled.
    pub fn set_cancelled(&mut self, cancelled: bool) {
        self.MPI_internal[CANCELLED] = cancelled.into();
    }
}

/// Gives `read(status)` to the caller of `function`.
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

/// Changes a status for the caller of `function`.
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
        // SAFETY: what the program promises with its arguments is what `get` asks.
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
        // SAFETY: what the program promises with its arguments is what `set` asks.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::MPI_F_STATUS_SIZE;

    #[test]
    fn a_status_is_as_long_as_its_fortran_array() {
        let ints = size_of::<MPI_Status>() / size_of::<c_int>();
        assert_eq!(ints, MPI_F_STATUS_SIZE as usize);
    }

    #[test]
    fn byte_counts_beyond_32_bits_survive() {
        let mut status = MPI_Status::EMPTY;
        status.set_cancelled(true);
        for bytes in [0, 0xffff_ffff, 0x1_0000_0000, u64::MAX] {
            status.set_bytes(bytes);
            assert_eq!(status.bytes(), bytes);
        }
        assert!(status.is_cancelled());
    }
}
