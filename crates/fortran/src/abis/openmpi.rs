//! The ABI of Open MPI 4 and 5. Handles are addresses in C; its functions know Fortran's numbers.

use std::ffi::c_int;

use integers::*;

use super::{family, predefined_attributes};
use crate::convert::Handle;
use crate::library::Held;

/// A kind of handle, with the C functions that convert it.
macro_rules! addresses {
    ($($name:ident $f2c:literal $c2f:literal)*) => {$(
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name(usize);

        impl Handle for $name {
            #[inline]
            fn from_fortran(number: c_int) -> Self {
                unsafe extern "C" {
                    #[link_name = $f2c]
                    safe fn f2c(number: c_int) -> $name;
                }
                f2c(number)
            }

            #[inline]
            fn to_fortran(self) -> c_int {
                unsafe extern "C" {
                    #[link_name = $c2f]
                    fn c2f(handle: $name) -> c_int;
                }
                // SAFETY: a handle that a function of C has given.
                unsafe { c2f(self) }
            }
        }
    )*};
}
addresses! {
    MPI_Comm "openmpi_MPI_Comm_f2c" "openmpi_MPI_Comm_c2f"
    MPI_Datatype "openmpi_MPI_Type_f2c" "openmpi_MPI_Type_c2f"
    MPI_Errhandler "openmpi_MPI_Errhandler_f2c" "openmpi_MPI_Errhandler_c2f"
    MPI_File "openmpi_MPI_File_f2c" "openmpi_MPI_File_c2f"
    MPI_Group "openmpi_MPI_Group_f2c" "openmpi_MPI_Group_c2f"
    MPI_Info "openmpi_MPI_Info_f2c" "openmpi_MPI_Info_c2f"
    MPI_Message "openmpi_MPI_Message_f2c" "openmpi_MPI_Message_c2f"
    MPI_Op "openmpi_MPI_Op_f2c" "openmpi_MPI_Op_c2f"
    MPI_Request "openmpi_MPI_Request_f2c" "openmpi_MPI_Request_c2f"
    MPI_Session "openmpi_MPI_Session_f2c" "openmpi_MPI_Session_c2f"
    MPI_Win "openmpi_MPI_Win_f2c" "openmpi_MPI_Win_c2f"
}

/// A status; Fortran's is an array of as many INTEGERs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct MPI_Status([c_int; 6]);

/// The constants that are integers.
#[expect(dead_code, reason = "few are needed here")]
pub mod integers {
    use std::ffi::c_int;

    include!(concat!(env!("OUT_DIR"), "/openmpi_integers.rs"));
}

predefined_attributes! {}

/// The key of an attribute in C, and how C holds it.
pub fn attribute(keyval: c_int) -> (c_int, Held) {
    (keyval, predefined(keyval).unwrap_or(Held::Value))
}

pub mod special {
    use super::MPI_Status;
    use crate::sentinels::{OPENMPI, functions};

    functions! { OPENMPI }
}

family! { "/openmpi_subroutines.rs" "openmpi_dunlin_array_lengths" }
