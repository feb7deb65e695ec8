//! What the reserved numbers of a status hold, in order: the low and the high half of the number of
//! bytes received, and whether the operation was cancelled.

use std::ffi::c_int;

use crate::standard::constants::{MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS};
use crate::standard::types::MPI_Status;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standard::constants::MPI_F_STATUS_SIZE;

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
