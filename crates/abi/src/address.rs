//! Addresses as integers (MPI 5.0, section 5.1.5).

use crate::raise::{Owner, null_argument};
use crate::standard::constants::MPI_SUCCESS;
use crate::standard::types::MPI_Aint;
use std::ffi::{c_int, c_void};

entry! {
    fn MPI_Get_address(location: *const c_void, address: *mut MPI_Aint) -> c_int {
        // SAFETY: the program passes null or the address of an MPI_Aint.
        match unsafe { address.as_mut() } {
            None => null_argument("MPI_Get_address", Owner::None, "address", "an MPI_Aint"),
            Some(address) => {
                *address = location as MPI_Aint;
                MPI_SUCCESS
            }
        }
    }

    fn MPI_Aint_add(base: MPI_Aint, disp: MPI_Aint) -> MPI_Aint {
        base.wrapping_add(disp)
    }

    fn MPI_Aint_diff(addr1: MPI_Aint, addr2: MPI_Aint) -> MPI_Aint {
        addr1.wrapping_sub(addr2)
    }
}
